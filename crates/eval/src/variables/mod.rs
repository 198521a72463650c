//! System variables: the table of them, their values, and the settings that statements read.

pub mod definition;
pub mod key_caches;
pub mod locale;
pub mod settings;
pub mod sql_mode;
pub mod value;
pub mod values;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use charset::Collation;
use parking_lot::{Mutex, RwLock};

pub use definition::{VarDef, VarId, VarKind, VarScope, definitions};
use key_caches::KeyCaches;
pub use settings::Settings;
pub use sql_mode::SqlMode;
pub use value::{Assigned, VarValue};
use values::Values;

use crate::error::{self, SqlError, SqlResult};

/// The server's values of all variables; sessions copy them when they connect.
pub struct GlobalVariables {
    values: RwLock<Arc<Values>>,
    // SET GLOBAL statements are rare: one at a time, so that none is lost.
    writer: Mutex<()>,
    /// `read_only`, which every statement asks for.
    read_only: AtomicBool,
    /// Whether the server started with a limit for `max_user_connections`.
    counts_connections: AtomicBool,
    /// Key caches with names.
    pub key_caches: KeyCaches,
}

impl Default for GlobalVariables {
    fn default() -> Self {
        GlobalVariables::new()
    }
}

impl GlobalVariables {
    /// The compiled-in defaults.
    pub fn new() -> GlobalVariables {
        GlobalVariables {
            values: RwLock::new(Arc::new(definitions().defaults().into())),
            writer: Mutex::new(()),
            read_only: AtomicBool::new(false),
            counts_connections: AtomicBool::new(false),
            key_caches: KeyCaches::default(),
        }
    }

    /// All values as of now.
    pub fn snapshot(&self) -> Arc<Values> {
        Arc::clone(&self.values.read())
    }

    /// One value.
    pub fn get(&self, id: VarId) -> VarValue {
        self.values.read()[id].clone()
    }

    /// One value by a name that exists.
    pub fn named(&self, name: &'static str) -> VarValue {
        self.get(definitions().named(name))
    }

    /// Whether only accounts with READ ONLY ADMIN may change anything.
    pub fn is_read_only(&self) -> bool {
        self.read_only.load(Ordering::Relaxed)
    }

    /// Whether connections of an account are counted for `max_user_connections`: only where the
    /// server started with a limit.
    pub fn counts_connections(&self) -> bool {
        self.counts_connections.load(Ordering::Relaxed)
    }

    /// Replaces one value.
    pub fn set(&self, id: VarId, value: VarValue) {
        let _writer = self.writer.lock();
        let mut copy = Values::clone(&self.values.read());
        if id == definitions().named("read_only") {
            self.read_only.store(value.as_bool(), Ordering::Relaxed);
        }
        copy.set(id, value);
        *self.values.write() = Arc::new(copy);
    }

    /// Replaces one value by a name that exists.
    pub fn set_named(&self, name: &'static str, value: VarValue) {
        self.set(definitions().named(name), value);
    }

    /// Sets a variable from the text of a server option (`--set name=value`). Read-only
    /// variables may be set so too: it happens before the server runs.
    ///
    /// # Errors
    /// 1193 for an unknown name, else the errors of SET.
    pub fn set_option(&self, name: &str, text: &str) -> SqlResult<()> {
        let name = name.replace('-', "_");
        let (cache, plain) = match name.split_once('.') {
            Some((base, component)) if key_caches::is_component(component) => (base, component),
            _ => ("", &*name),
        };
        let Some(id) = definitions().find(plain) else {
            return Err(SqlError::new(error::ER_UNKNOWN_SYSTEM_VARIABLE, &[&name]));
        };
        let def = definitions().get(id);
        let now = self.get(id);
        let wrong_type = || SqlError::new(error::ER_WRONG_TYPE_FOR_VAR, &[&def.spelled]);
        let assigned = match &def.kind {
            VarKind::Int { .. } | VarKind::UInt { .. } => match sized_number(text) {
                Some(n) => Assigned::UInt(n),
                None => Assigned::Int(text.parse().map_err(|_| wrong_type())?),
            },
            VarKind::Double { .. } => Assigned::Real(text.parse().map_err(|_| wrong_type())?, text),
            VarKind::Bool if matches!(text, "0" | "1") => Assigned::Int(i64::from(text == "1")),
            _ => Assigned::Text(text),
        };
        let value = value::fit(def, &assigned, &now, false)?.value;
        if !key_caches::is_default(cache) {
            self.key_caches.set(cache, def.name, value.as_u64());
            return Ok(());
        }
        if def.name == "max_user_connections" {
            self.counts_connections.store(value.as_u64() != 0, Ordering::Relaxed);
        }
        self.set(id, sql_mode::expand(def, value));
        Ok(())
    }
}

/// A number with an optional suffix K, M, G, T, P or E, as options take it.
fn sized_number(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let n: u64 = digits.parse().ok()?;
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        "p" => 50,
        "e" => 60,
        _ => return None,
    };
    n.checked_mul(1 << shift)
}

/// The collations that SET NAMES or the login gave, until the variables are set by themselves.
#[derive(Clone, Copy, Default)]
pub struct NamedCollations {
    /// Of `character_set_client`: that of texts passed to `?` by the protocol.
    pub client: Option<&'static Collation>,
    /// Of `character_set_results`: the number in descriptions of columns.
    pub results: Option<&'static Collation>,
}

impl NamedCollations {
    fn forget(&mut self, variable: &str) {
        match variable {
            "character_set_client" => self.client = None,
            "character_set_results" => self.results = None,
            _ => {}
        }
    }
}

/// A session's values: shared with the global ones until the session sets something.
#[derive(Clone)]
pub struct SessionVariables {
    values: Arc<Values>,
    named: NamedCollations,
    /// The values that statements read, always in step.
    pub settings: Settings,
}

impl SessionVariables {
    /// The values a session starts with.
    pub fn new(globals: &GlobalVariables) -> SessionVariables {
        let values = globals.snapshot();
        let named = NamedCollations::default();
        let settings = Settings::derive(&values, named);
        SessionVariables { values, named, settings }
    }

    /// One value.
    pub fn get(&self, id: VarId) -> &VarValue {
        &self.values[id]
    }

    /// One value by a name that exists.
    pub fn named(&self, name: &'static str) -> &VarValue {
        self.get(definitions().named(name))
    }

    /// Stores one value and derives the settings anew.
    pub fn set(&mut self, id: VarId, value: VarValue) {
        self.named.forget(definitions().get(id).name);
        Arc::make_mut(&mut self.values).set(id, value);
        self.settings = Settings::derive(&self.values, self.named);
    }

    /// Stores several values by names that exist.
    pub fn set_many(&mut self, values: &[(&'static str, VarValue)]) {
        self.put(values);
        self.settings = Settings::derive(&self.values, self.named);
    }

    fn put(&mut self, values: &[(&'static str, VarValue)]) {
        let all = Arc::make_mut(&mut self.values);
        for (name, value) in values {
            self.named.forget(name);
            all.set(definitions().named(name), value.clone());
        }
    }

    /// The character set and collation of texts, literals and results: SET NAMES.
    pub fn set_names(&mut self, c: &'static Collation) {
        let text = |t: &str| VarValue::Text(Arc::from(t));
        self.put(&[
            ("character_set_client", text(c.charset.name)),
            ("character_set_connection", text(c.charset.name)),
            ("character_set_results", text(c.charset.name)),
            ("collation_connection", text(c.name)),
        ]);
        self.named = NamedCollations { client: Some(c), results: Some(c) };
        self.settings = Settings::derive(&self.values, self.named);
    }
}

//! The routines of `mysql.proc`, kept in memory: read once, changed with the table.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use charset::Collation;
use parking_lot::RwLock;

use crate::admin::bootstrap::{Row, own_session, quoted, run, text};
use crate::ast::program::Program;
use crate::ast::{DataAccess, Statement, routine_word};
use crate::catalog::engines::Stored;
use crate::engine::Engine;
use crate::error::{SqlError, SqlResult};
use crate::lex::ClientBytes;
use crate::parse::{self, Options};
use crate::variables::{SqlMode, VarKind, VarValue, definitions};
use crate::warning::{Level, Warnings};

/// A routine as it is stored.
#[derive(Debug)]
pub(crate) struct Routine {
    pub db: String,
    pub name: String,
    pub function: bool,
    pub aggregate: bool,
    pub access: DataAccess,
    pub deterministic: bool,
    pub invoker: bool,
    /// The text between the brackets, in UTF-8.
    pub parameters: String,
    /// The type of the result, as it is printed.
    pub returns: String,
    /// The body in UTF-8.
    pub body: String,
    pub definer: (String, String),
    /// Seconds since 1970.
    pub created: i64,
    pub modified: i64,
    pub sql_mode: SqlMode,
    pub comment: String,
    pub client: String,
    pub connection: String,
    pub db_collation: String,
    /// Its number, which no other one has.
    pub number: u64,
    /// The body, once it was read.
    program: OnceLock<SqlResult<Arc<Program>>>,
    /// What each call asks for.
    of_call: OnceLock<OfCall>,
}

/// What each call of a routine asks for, found once.
#[derive(Debug)]
pub(crate) struct OfCall {
    /// Database and name.
    pub full: Arc<str>,
    pub db: Arc<str>,
    /// The value of `collation_connection` of its making.
    pub connection: &'static Collation,
    /// The collation that was the database's when it was made.
    pub database: &'static Collation,
}

/// Numbers of routines.
static NUMBERS: AtomicU64 = AtomicU64::new(1);

/// A number that no routine has, nor anything else that functions are called by.
pub(super) fn next_number() -> u64 {
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

type Key = (String, String, bool);

/// See the module.
#[derive(Default)]
pub(crate) struct Routines {
    list: RwLock<Option<BTreeMap<Key, Arc<Routine>>>>,
    /// How often they changed: what was bound before may mean others.
    version: AtomicU64,
}

const COLUMNS: &str = "db,name,type,sql_data_access,is_deterministic,security_type,param_list,returns,body,definer,\
     UNIX_TIMESTAMP(created),UNIX_TIMESTAMP(modified),sql_mode,comment,character_set_client,collation_connection,db_collation,aggregate";

fn key(db: &str, name: &str, function: bool) -> Key {
    (db.to_string(), name.to_lowercase(), function)
}

/// The table: MariaDB's name, unless a table of another engine has it.
fn table(engine: &Engine) -> &'static str {
    match engine.catalog.stored("mysql", "proc") {
        Stored::Foreign(_) => "isambard_proc",
        _ => "proc",
    }
}

/// What the tables of routines and events call ALLOW_INVALID_DATES.
const OLD_NAME: &str = "INVALID_DATES";

/// The bits of `sql_mode` as a text says them.
pub(crate) fn mode_of(text: &str) -> SqlMode {
    let d = definitions().get(definitions().named("sql_mode"));
    match &d.kind {
        VarKind::Set(words) => {
            let text = text.replace(OLD_NAME, "ALLOW_INVALID_DATES").replace("ALLOW_ALLOW", "ALLOW");
            SqlMode(crate::variables::value::set_bits(words, &text).unwrap_or(0))
        }
        _ => SqlMode(0),
    }
}

/// `sql_mode` as a text.
pub(crate) fn mode_text(mode: SqlMode) -> String {
    let d = definitions().get(definitions().named("sql_mode"));
    VarValue::Bits(mode.0).show(&d.kind).unwrap_or_default()
}

fn collation(name: &str) -> &'static Collation {
    Collation::by_name(name).unwrap_or_else(charset::system)
}

impl Routine {
    fn from_row(row: &Row) -> Routine {
        let at = |i: usize| row.get(i).map(text).unwrap_or_default();
        let definer = at(9);
        let (user, host) = definer.rsplit_once('@').unwrap_or((&definer, ""));
        let client = at(14);
        let charset = charset::Charset::by_name(&client).unwrap_or(charset::system().charset);
        let decoded = |i: usize| match row.get(i) {
            Some(Some(bytes)) => crate::types::convert::text_of(bytes, charset),
            _ => String::new(),
        };
        Routine {
            db: at(0),
            name: at(1),
            function: at(2) == "FUNCTION",
            aggregate: at(17) == "GROUP",
            access: match &*at(3) {
                "NO_SQL" => DataAccess::None,
                "READS_SQL_DATA" => DataAccess::Reads,
                "MODIFIES_SQL_DATA" => DataAccess::Modifies,
                _ => DataAccess::Contains,
            },
            deterministic: at(4) == "YES",
            invoker: at(5) == "INVOKER",
            parameters: decoded(6),
            returns: at(7),
            body: decoded(8),
            definer: (user.to_string(), host.to_string()),
            created: at(10).parse().unwrap_or(0),
            modified: at(11).parse().unwrap_or(0),
            sql_mode: mode_of(&at(12)),
            comment: at(13),
            client,
            connection: at(15),
            db_collation: at(16),
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            program: OnceLock::new(),
            of_call: OnceLock::new(),
        }
    }

    /// Whether it has a name.
    fn key(&self) -> Key {
        key(&self.db, &self.name, self.function)
    }

    /// Its kind's word.
    pub fn word(&self) -> &'static str {
        routine_word(self.function)
    }

    /// Whether the character sets of its making are known.
    fn has_context(&self) -> bool {
        charset::Charset::by_name(&self.client).is_some()
            && Collation::by_name(&self.connection).is_some()
            && Collation::by_name(&self.db_collation).is_some()
    }

    /// Warns where it is not known in which character sets the routine was made.
    pub fn check_context(&self, warnings: &mut Warnings) {
        if !self.has_context() {
            let code = crate::error::codes::ER_SR_INVALID_CREATION_CTX;
            warnings.push(Level::Warning, code, &[&self.db, &self.name]);
        }
    }

    /// What each call asks for.
    pub fn of_call(&self) -> &OfCall {
        self.of_call.get_or_init(|| OfCall {
            full: Arc::from(format!("{}.{}", self.db, self.name)),
            db: Arc::from(&*self.db),
            connection: collation(&self.connection),
            database: collation(&self.db_collation),
        })
    }

    /// The collation that was the database's when it was made.
    pub fn database_collation(&self) -> &'static Collation {
        self.of_call().database
    }

    /// The value of `collation_connection` of its making.
    pub fn connection_collation(&self) -> &'static Collation {
        self.of_call().connection
    }

    /// The body as a program.
    ///
    /// # Errors
    /// Those of reading it: 1457.
    pub fn program(&self) -> SqlResult<Arc<Program>> {
        self.program.get_or_init(|| self.compile()).clone()
    }

    fn compile(&self) -> SqlResult<Arc<Program>> {
        let text = super::text::definition(self);
        let options =
            Options { mode: self.sql_mode.lexing(ClientBytes::Utf8), multi: true, ..Options::default() };
        match parse::parse(text.as_bytes(), &options)?.statement {
            Some(Statement::CreateRoutine(c)) => Ok(c.program),
            _ => Err(SqlError::new(
                crate::error::codes::ER_SP_PROC_TABLE_CORRUPT,
                &[&format!("{}.{}", self.db, self.name), &-6],
            )),
        }
    }
}

impl Routines {
    /// A statement of somebody's own has changed rows of the table: it is read anew when a routine is asked for.
    pub fn forget_all(&self) {
        *self.list.write() = None;
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    /// Another number after each change.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// The routine of a name.
    ///
    /// # Errors
    /// Those of reading the table.
    pub fn find(
        &self,
        engine: &Arc<Engine>,
        db: &str,
        name: &str,
        function: bool,
    ) -> SqlResult<Option<Arc<Routine>>> {
        self.with(engine, |list| list.get(&key(db, name, function)).cloned())
    }

    /// All of them.
    ///
    /// # Errors
    /// Those of reading the table.
    pub fn all(&self, engine: &Arc<Engine>) -> SqlResult<Vec<Arc<Routine>>> {
        self.with(engine, |list| list.values().cloned().collect())
    }

    fn with<T>(
        &self,
        engine: &Arc<Engine>,
        f: impl FnOnce(&BTreeMap<Key, Arc<Routine>>) -> T,
    ) -> SqlResult<T> {
        if let Some(list) = &*self.list.read() {
            return Ok(f(list));
        }
        let mut read = BTreeMap::new();
        let name = table(engine);
        if engine.catalog.table_exists("mysql", name) {
            let mut session = own_session(engine)?;
            for row in run(&mut session, &format!("SELECT {COLUMNS} FROM mysql.{name}"))? {
                let routine = Routine::from_row(&row);
                read.insert(routine.key(), Arc::new(routine));
            }
        }
        let mut list = self.list.write();
        Ok(f(list.get_or_insert(read)))
    }

    /// Writes a routine, instead of the one that has its name.
    ///
    /// # Errors
    /// Those of writing the table.
    pub fn write(&self, engine: &Arc<Engine>, r: &Routine) -> SqlResult<()> {
        self.with(engine, |_| ())?;
        let mut session = own_session(engine)?;
        let name = table(engine);
        if name != "proc" && !engine.catalog.table_exists("mysql", name) {
            crate::admin::system_tables::create_as(&mut session, "proc", name)?;
        }
        let client = charset::Charset::by_name(&r.client).unwrap_or(charset::system().charset);
        let hex = |text: &str| {
            let mut bytes = Vec::with_capacity(text.len());
            charset::system().charset.convert(text.as_bytes(), client, &mut bytes);
            literal(&bytes)
        };
        let access = match r.access {
            DataAccess::Contains => "CONTAINS_SQL",
            DataAccess::None => "NO_SQL",
            DataAccess::Reads => "READS_SQL_DATA",
            DataAccess::Modifies => "MODIFIES_SQL_DATA",
        };
        let sql = format!(
            "REPLACE INTO mysql.{name} (db,name,type,specific_name,language,sql_data_access,is_deterministic,\
             security_type,param_list,returns,body,definer,created,modified,sql_mode,comment,character_set_client,\
             collation_connection,db_collation,body_utf8,aggregate) VALUES ({},{},'{}',{},'SQL','{access}','{}','{}',\
             {},{},{},{},{},{},{},{},{},{},{},{},'{}')",
            quoted(&r.db),
            quoted(&r.name),
            r.word(),
            quoted(&r.name),
            if r.deterministic { "YES" } else { "NO" },
            if r.invoker { "INVOKER" } else { "DEFINER" },
            hex(&r.parameters),
            literal(r.returns.as_bytes()),
            hex(&r.body),
            quoted(&format!("{}@{}", r.definer.0, r.definer.1)),
            moment(r.created),
            moment(r.modified),
            r.sql_mode.0,
            quoted(&r.comment),
            quoted(&r.client),
            quoted(&r.connection),
            quoted(&r.db_collation),
            literal(r.body.as_bytes()),
            if r.aggregate { "GROUP" } else { "NONE" },
        );
        run(&mut session, &sql)?;
        self.version.fetch_add(1, Ordering::Relaxed);
        let sql = format!(
            "SELECT {COLUMNS} FROM mysql.{name} WHERE db={} AND name={} AND type='{}'",
            quoted(&r.db),
            quoted(&r.name),
            r.word()
        );
        if let Some(row) = run(&mut session, &sql)?.first() {
            let routine = Routine::from_row(row);
            if let Some(list) = &mut *self.list.write() {
                list.insert(routine.key(), Arc::new(routine));
            }
        }
        Ok(())
    }

    /// Removes a routine.
    ///
    /// # Errors
    /// Those of writing the table.
    pub fn remove(&self, engine: &Arc<Engine>, r: &Routine) -> SqlResult<()> {
        let mut session = own_session(engine)?;
        let sql = format!(
            "DELETE FROM mysql.{} WHERE db={} AND name={} AND type='{}'",
            table(engine),
            quoted(&r.db),
            quoted(&r.name),
            r.word()
        );
        run(&mut session, &sql)?;
        self.version.fetch_add(1, Ordering::Relaxed);
        if let Some(list) = &mut *self.list.write() {
            list.remove(&r.key());
        }
        Ok(())
    }

    /// Removes the routines of a database.
    ///
    /// # Errors
    /// Those of writing the table.
    pub fn remove_database(&self, engine: &Arc<Engine>, db: &str) -> SqlResult<()> {
        let any = self.with(engine, |list| list.keys().any(|k| k.0 == db))?;
        if any {
            let mut session = own_session(engine)?;
            run(&mut session, &format!("DELETE FROM mysql.{} WHERE db={}", table(engine), quoted(db)))?;
            if let Some(list) = &mut *self.list.write() {
                list.retain(|k, _| k.0 != db);
            }
        }
        Ok(())
    }
}

/// A moment as a literal.
pub(crate) fn moment(seconds: i64) -> String {
    if seconds > 0 { format!("FROM_UNIXTIME({seconds})") } else { "0".into() }
}

/// Bytes as a literal.
pub(crate) fn literal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = String::from("X'");
    for b in bytes {
        let _ = write!(out, "{b:02X}");
    }
    out.push('\'');
    out
}

impl Routine {
    /// A routine without characteristics.
    pub fn new(
        (db, name, function): (String, String, bool),
        definer: (String, String),
        now: i64,
        (parameters, returns, body): (String, String, String),
        sql_mode: SqlMode,
        [client, connection, db_collation]: [&str; 3],
    ) -> Routine {
        Routine {
            db,
            name,
            function,
            aggregate: false,
            access: DataAccess::Contains,
            deterministic: false,
            invoker: false,
            parameters,
            returns,
            body,
            definer,
            created: now,
            modified: now,
            sql_mode,
            comment: String::new(),
            client: client.into(),
            connection: connection.into(),
            db_collation: db_collation.into(),
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            program: OnceLock::new(),
            of_call: OnceLock::new(),
        }
    }

    /// The routine with other characteristics.
    pub fn changed(
        r: &Routine,
        c: &crate::ast::Characteristics,
        client: &'static charset::Charset,
    ) -> Routine {
        let comment = c.comment.as_ref().map(|t| crate::types::convert::text_of(t, client));
        Routine {
            db: r.db.clone(),
            name: r.name.clone(),
            function: r.function,
            aggregate: r.aggregate,
            access: c.access.unwrap_or(r.access),
            deterministic: c.deterministic.unwrap_or(r.deterministic),
            invoker: c.invoker.unwrap_or(r.invoker),
            parameters: r.parameters.clone(),
            returns: r.returns.clone(),
            body: r.body.clone(),
            definer: r.definer.clone(),
            created: r.created,
            modified: r.modified,
            sql_mode: r.sql_mode,
            comment: comment.unwrap_or_else(|| r.comment.clone()),
            client: r.client.clone(),
            connection: r.connection.clone(),
            db_collation: r.db_collation.clone(),
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            program: OnceLock::new(),
            of_call: OnceLock::new(),
        }
    }
}

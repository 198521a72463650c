//! The table of system variables: one row a variable, read once from
//! `data/system-variables.tsv`. `SHOW VARIABLES`, `SET`, `@@name` and the
//! server's options all come from it.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::value::VarValue;

/// The variables as MariaDB 10.11 has them.
const MARIADB: &str = include_str!("../../data/system-variables.tsv");

/// Variables of our own and rows that replace MariaDB's.
const OWN: &str = include_str!("../../data/own-variables.tsv");

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarScope {
    /// One value for the whole server.
    Global,
    /// A global value, copied to each session when it connects.
    Both,
    /// Only in sessions.
    Session,
}

/// The type of a variable with the values it takes.
#[derive(Clone, Debug)]
pub enum VarKind {
    /// ON or OFF.
    Bool,
    /// A signed integer in a range; values are rounded down to a multiple of `block`.
    Int {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// Step.
        block: i64,
        /// Whether the wire type is a 32-bit integer.
        narrow: bool,
    },
    /// An unsigned integer in a range; values are rounded down to a multiple of `block`.
    UInt {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
        /// Step.
        block: u64,
        /// Whether the wire type is a 32-bit integer.
        narrow: bool,
    },
    /// A floating-point number in a range.
    Double {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// Any text.
    Text,
    /// One of a list of words.
    Enum(Vec<&'static str>),
    /// Any subset of a list of words, separated by commas.
    Set(Vec<&'static str>),
    /// A list of `name=on|off|default` switches.
    Flags(Vec<&'static str>),
    /// The name of a character set.
    Charset {
        /// Whether NULL is a value.
        nullable: bool,
    },
    /// The name of a collation.
    Collation,
    /// The name of a storage engine.
    Engine {
        /// Whether the empty name or NULL is a value.
        nullable: bool,
    },
    /// The name of a locale.
    Locale,
}

/// One system variable.
#[derive(Debug)]
pub struct VarDef {
    /// Name in lower case.
    pub name: &'static str,
    /// Name as errors spell it.
    pub spelled: &'static str,
    /// Where it lives.
    pub scope: VarScope,
    /// Whether SET may change it while the server runs.
    pub dynamic: bool,
    /// Type and range.
    pub kind: VarKind,
    /// The compiled-in default.
    pub default: VarValue,
}

impl VarDef {
    /// Whether a value of this variable of flags or words has this one.
    #[must_use]
    pub fn has_flag(&self, value: &VarValue, flag: &str) -> bool {
        let (VarKind::Flags(words) | VarKind::Set(words)) = &self.kind else { return false };
        words.iter().position(|w| *w == flag).is_some_and(|i| value.as_u64() & (1 << i) != 0)
    }
}

/// The place of a variable in [`Definitions::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u16);

/// All variables, sorted by name.
pub struct Definitions {
    all: Vec<VarDef>,
    by_name: HashMap<&'static str, VarId>,
}

/// What information_schema says of a variable, as the data have it.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Its type.
    pub kind: &'static str,
    /// The smallest number.
    pub min: &'static str,
    /// The largest number.
    pub max: &'static str,
    /// What numbers are multiples of.
    pub block: &'static str,
    /// The words it may be.
    pub choices: &'static str,
    /// Whether an option of the command line has a value.
    pub argument: &'static str,
}

/// What is said of the variables, by their names.
#[must_use]
pub fn described() -> HashMap<&'static str, Described> {
    let lines = MARIADB.lines().skip(1).chain(OWN.lines().skip(1));
    let row = |line: &'static str| {
        let fields: Vec<&'static str> = line.split('\t').collect();
        let [name, _, _, _, kind, min, max, block, choices, argument, ..] = fields[..] else { return None };
        Some((name, Described { kind, min, max, block, choices, argument }))
    };
    lines.filter_map(row).collect()
}

static DEFINITIONS: LazyLock<Definitions> = LazyLock::new(Definitions::load);

/// The table of all variables.
pub fn definitions() -> &'static Definitions {
    &DEFINITIONS
}

impl Definitions {
    fn load() -> Definitions {
        let mut rows: HashMap<&'static str, VarDef> = HashMap::new();
        for line in MARIADB.lines().skip(1).chain(OWN.lines().skip(1)) {
            if let Some(def) = parse_line(line) {
                rows.insert(def.name, def);
            }
        }
        let mut all: Vec<VarDef> = rows.into_values().collect();
        all.sort_by(|a, b| a.name.cmp(b.name));
        let by_name = all.iter().enumerate().map(|(i, d)| (d.name, VarId(i as u16))).collect();
        Definitions { all, by_name }
    }

    /// Finds a variable by name, in any case.
    pub fn find(&self, name: &str) -> Option<VarId> {
        if let Some(id) = self.by_name.get(name) {
            return Some(*id);
        }
        self.by_name.get(name.to_ascii_lowercase().as_str()).copied()
    }

    /// Finds a variable that is known to exist: names written in this crate.
    ///
    /// # Panics
    /// When the table has no such variable, which the tests would show.
    pub fn named(&self, name: &'static str) -> VarId {
        match self.by_name.get(name) {
            Some(id) => *id,
            None => panic!("no system variable {name}"),
        }
    }

    /// The definition behind an id.
    pub fn get(&self, id: VarId) -> &VarDef {
        &self.all[usize::from(id.0)]
    }

    /// All variables in the order of their names.
    pub fn all(&self) -> impl Iterator<Item = (VarId, &VarDef)> {
        self.all.iter().enumerate().map(|(i, d)| (VarId(i as u16), d))
    }

    /// The compiled-in defaults, one value a variable.
    pub fn defaults(&self) -> Vec<VarValue> {
        self.all.iter().map(|d| d.default.clone()).collect()
    }
}

fn parse_line(line: &'static str) -> Option<VarDef> {
    let mut f = line.split('\t');
    let spelled = f.next()?;
    let name = if spelled.bytes().any(|b| b.is_ascii_uppercase()) {
        // the table lives as long as the program
        String::leak(spelled.to_ascii_lowercase())
    } else {
        spelled
    };
    let default = f.next()?;
    let scope = match f.next()? {
        "global" => VarScope::Global,
        "session" => VarScope::Session,
        _ => VarScope::Both,
    };
    let dynamic = f.next()? == "yes";
    let ty = f.next()?;
    let min = f.next().unwrap_or("");
    let max = f.next().unwrap_or("");
    let block = f.next().unwrap_or("");
    let words: Vec<&'static str> = match f.next().unwrap_or("") {
        "" => Vec::new(),
        list => list.split(',').collect(),
    };
    let kind = match name {
        "character_set_results" => VarKind::Charset { nullable: true },
        "character_set_client"
        | "character_set_connection"
        | "character_set_database"
        | "character_set_filesystem"
        | "character_set_server"
        | "character_set_system" => VarKind::Charset { nullable: false },
        "collation_connection" | "collation_database" | "collation_server" => VarKind::Collation,
        "default_storage_engine" | "storage_engine" => VarKind::Engine { nullable: false },
        "default_tmp_storage_engine" | "enforce_storage_engine" => VarKind::Engine { nullable: true },
        "lc_messages" | "lc_time_names" => VarKind::Locale,
        _ => match ty {
            "BOOLEAN" => VarKind::Bool,
            "INT" | "BIGINT" => VarKind::Int {
                min: min.parse().unwrap_or(i64::MIN),
                max: max.parse().unwrap_or(i64::MAX),
                block: block.parse::<i64>().unwrap_or(1).max(1),
                narrow: ty == "INT",
            },
            "INT UNSIGNED" | "BIGINT UNSIGNED" => VarKind::UInt {
                min: min.parse().unwrap_or(0),
                max: max.parse().unwrap_or(u64::MAX),
                block: block.parse::<u64>().unwrap_or(1).max(1),
                narrow: ty == "INT UNSIGNED",
            },
            "DOUBLE" => {
                VarKind::Double { min: min.parse().unwrap_or(f64::MIN), max: max.parse().unwrap_or(f64::MAX) }
            }
            "ENUM" => VarKind::Enum(words),
            "SET" => VarKind::Set(words),
            "FLAGSET" => VarKind::Flags(words),
            _ => VarKind::Text,
        },
    };
    Some(VarDef { name, spelled, scope, dynamic, default: default_value(&kind, default), kind })
}

fn default_value(kind: &VarKind, text: &'static str) -> VarValue {
    if text == "NULL" {
        return VarValue::Null;
    }
    // `<...>` marks a value that the engine fills in when it starts.
    let text = if text.starts_with('<') || text == "(empty)" { "" } else { text };
    match kind {
        VarKind::Bool => VarValue::Bool(text == "ON"),
        VarKind::Int { .. } => VarValue::Int(text.parse().unwrap_or(0)),
        VarKind::UInt { .. } => VarValue::UInt(text.parse().unwrap_or(0)),
        VarKind::Double { .. } => VarValue::Double(text.parse().unwrap_or(0.0)),
        VarKind::Enum(words) => {
            VarValue::Word(words.iter().position(|w| w.eq_ignore_ascii_case(text)).unwrap_or(0) as u16)
        }
        VarKind::Set(words) => VarValue::Bits(super::value::set_bits(words, text).unwrap_or(0)),
        VarKind::Flags(words) => VarValue::Bits(super::value::flag_bits(words, text, 0, 0).unwrap_or(0)),
        _ => VarValue::Text(Arc::from(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let d = definitions();
        assert!(d.all().count() >= 675);
        let mode = d.get(d.named("sql_mode"));
        assert!(matches!(mode.kind, VarKind::Set(_)));
        assert_eq!(
            mode.default.show(&mode.kind).as_deref(),
            Some(
                "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,\
                 NO_ENGINE_SUBSTITUTION"
            )
        );
        assert!(d.find("SQL_Mode").is_some());
        assert!(d.find("no_such_thing").is_none());
    }

    #[test]
    fn defaults_are_shown_as_they_were_written() {
        for line in MARIADB.lines().skip(1) {
            let mut f = line.split('\t');
            let (Some(name), Some(text)) = (f.next(), f.next()) else { continue };
            if text.starts_with('<') || text == "(empty)" || text == "NULL" {
                continue;
            }
            if OWN.lines().any(|l| l.split('\t').next() == Some(name)) {
                continue;
            }
            let d = definitions();
            let def = d.get(d.find(name).expect("known"));
            assert_eq!(def.default.show(&def.kind).as_deref(), Some(text), "{name}");
        }
    }
}

//! The storage engines that statements may name, and tables of other engines in the data directory.

use isam::Table;
use isam::frm::Frm;

use super::Catalog;
use crate::error::{self, SqlError, SqlResult};

/// One line of `SHOW ENGINES`.
pub struct EngineInfo {
    /// Name as printed.
    pub name: &'static str,
    /// YES, NO or DEFAULT.
    pub support: &'static str,
    /// Description.
    pub comment: &'static str,
}

/// What `SHOW ENGINES` lists.
pub const ENGINES: &[EngineInfo] = &[EngineInfo {
    name: "MyISAM",
    support: "DEFAULT",
    comment: "Non-transactional engine with good performance and small data footprint",
}];

/// Names of engines that are known, so that `ENGINE=` accepts them.
const KNOWN: &[(&str, &str)] = &[
    ("myisam", "MyISAM"),
    ("innodb", "InnoDB"),
    ("aria", "Aria"),
    ("memory", "MEMORY"),
    ("heap", "MEMORY"),
    ("merge", "MRG_MyISAM"),
    ("mrg_myisam", "MRG_MyISAM"),
    ("mrg_isam", "MRG_MyISAM"),
    ("csv", "CSV"),
    ("archive", "ARCHIVE"),
    ("blackhole", "BLACKHOLE"),
    ("sequence", "SEQUENCE"),
    ("performance_schema", "PERFORMANCE_SCHEMA"),
];

/// The usual spelling of an engine's name, when the engine is known.
pub fn canonical(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(k, _)| k.eq_ignore_ascii_case(name)).map(|(_, n)| *n)
}

/// What a definition file stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// A MyISAM table.
    Table,
    /// A view.
    View,
    /// A table of an engine whose files are not ours to touch.
    Foreign(String),
    /// The file cannot be read.
    Damaged,
}

/// 1286.
pub fn unknown_engine(engine: &str) -> SqlError {
    SqlError::new(error::ER_UNKNOWN_STORAGE_ENGINE, &[&engine])
}

impl Catalog {
    /// What the definition file of this name stands for.
    pub fn stored(&self, db: &str, name: &str) -> Stored {
        match Table::read_definition(&self.store, db, name) {
            Ok(Frm::View(_)) => Stored::View,
            Ok(Frm::Table(def)) if def.options.engine.eq_ignore_ascii_case("MyISAM") => Stored::Table,
            Ok(Frm::Table(def)) => Stored::Foreign(def.options.engine.clone()),
            Err(_) => Stored::Damaged,
        }
    }

    /// As [`Catalog::stored`], for a statement that is about to change files.
    ///
    /// # Errors
    /// 1286 for a table of another engine.
    pub fn writable(&self, db: &str, name: &str) -> SqlResult<Stored> {
        match self.stored(db, name) {
            Stored::Foreign(engine) => Err(unknown_engine(&engine)),
            other => Ok(other),
        }
    }
}

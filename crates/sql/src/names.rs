//! Names of databases, tables, columns, keys and engines.

use crate::error::{self, SqlError, SqlResult};

/// The name of the virtual database that describes the others.
pub const INFORMATION_SCHEMA: &str = "information_schema";

/// Whether two names of columns or keys are the same.
#[must_use]
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
        || (!a.is_ascii() && charset::system().compare(a.as_bytes(), b.as_bytes()).is_eq())
}

/// Checks a table's name.
///
/// # Errors
/// 1059 when too long, 1103 when empty or with a trailing space.
pub(crate) fn check_table_name(name: &str) -> SqlResult<()> {
    if name.chars().count() > 64 {
        return Err(SqlError::new(error::ER_TOO_LONG_IDENT, &[&name]));
    }
    if name.is_empty() || name.ends_with(' ') {
        return Err(SqlError::new(error::ER_WRONG_TABLE_NAME, &[&name]));
    }
    Ok(())
}

/// Checks a database's name.
///
/// # Errors
/// 1059 when too long, 1102 when empty, with a trailing space or impossible as a directory.
pub(crate) fn check_database_name(name: &str) -> SqlResult<()> {
    let long = name.chars().count() > 64;
    if long || name.is_empty() || name.ends_with(' ') || name == "." || name == ".." {
        return Err(SqlError::new(error::ER_WRONG_DB_NAME, &[&name]));
    }
    Ok(())
}

/// Names of engines that are known, so that `ENGINE=` accepts them.
const ENGINES: &[(&str, &str)] = &[
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
#[must_use]
pub fn canonical_engine(name: &str) -> Option<&'static str> {
    ENGINES.iter().find(|(k, _)| k.eq_ignore_ascii_case(name)).map(|(_, n)| *n)
}

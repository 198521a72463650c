//! Names of databases, tables, columns, keys and engines.

use schema::file_name::{PLAIN_PREFIX, decode};

use crate::error::{self, SqlError, SqlResult};

/// The name of the virtual database that describes the others.
pub const INFORMATION_SCHEMA: &str = "information_schema";

/// Longest name of a column, key or table, in characters.
pub const MAX_NAME: usize = 64;

/// Whether two names of columns or keys are the same.
#[must_use]
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
        || (!a.is_ascii() && charset::system().compare(a.as_bytes(), b.as_bytes()).is_eq())
}

/// Whether the name is one of a file (`#mysql50#file`), though the file's table or database has a name of its own.
#[must_use]
pub fn is_needlessly_plain(name: &str) -> bool {
    name.strip_prefix(PLAIN_PREFIX).is_some_and(|file| file.is_empty() || decode(file).is_some())
}

/// Checks the name of a table that is to be: files get their names from those of tables, never the other way.
///
/// # Errors
/// Those of `check_table_name`, 1103 for the name of a file.
pub fn check_new_table_name(name: &str) -> SqlResult<()> {
    check_table_name(name)?;
    if name.starts_with(PLAIN_PREFIX) {
        return Err(SqlError::new(error::ER_WRONG_TABLE_NAME, &[&name]));
    }
    Ok(())
}

/// Checks the name of a database that is to be.
///
/// # Errors
/// Those of `check_database_name`, 1102 for the name of a directory.
pub fn check_new_database_name(name: &str) -> SqlResult<()> {
    check_database_name(name)?;
    if name.starts_with(PLAIN_PREFIX) {
        return Err(SqlError::new(error::ER_WRONG_DB_NAME, &[&name]));
    }
    Ok(())
}

/// Checks a table's name.
///
/// # Errors
/// 1059 when too long, 1103 when empty or with a trailing space.
pub fn check_table_name(name: &str) -> SqlResult<()> {
    if name.chars().count() > 64 {
        return Err(SqlError::new(error::ER_TOO_LONG_IDENT, &[&name]));
    }
    if name.is_empty() || name.ends_with(' ') || is_needlessly_plain(name) {
        return Err(SqlError::new(error::ER_WRONG_TABLE_NAME, &[&name]));
    }
    Ok(())
}

/// Checks a database's name.
///
/// # Errors
/// 1059 when too long, 1102 when empty, with a trailing space or impossible as a directory.
pub fn check_database_name(name: &str) -> SqlResult<()> {
    let long = name.chars().count() > 64;
    let unfit = name.is_empty() || name.ends_with(' ') || name == "." || name == "..";
    if long || unfit || is_needlessly_plain(name) {
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

/// Checks a column's name.
///
/// # Errors
/// 1166 when too long (where the text of a statement defines a column the parser says so before), empty or with a trailing space.
pub fn check_column_name(name: &str) -> SqlResult<()> {
    if name.is_empty() || name.ends_with(' ') || name.chars().count() > MAX_NAME {
        return Err(SqlError::new(error::ER_WRONG_COLUMN_NAME, &[&name]));
    }
    Ok(())
}

//! Errors of tables as errors for clients.

use super::EngineError;
use crate::error::{self, SqlError};
use crate::failure::{from_pages, no_such_table, unknown_engine};

/// An error of a table. `db` and `table` are its names.
#[cold]
pub fn from_engine(e: &EngineError, db: &str, table: &str) -> SqlError {
    use EngineError as E;
    let path = || format!("./{db}/{table}");
    match e {
        E::Index { .. } | E::KeyMissing { .. } => {
            tracing::error!("table {db}.{table}: {e}");
            SqlError::new(error::ER_NOT_KEYFILE, &[&table])
        }
        E::Row { .. } => {
            tracing::error!("table {db}.{table}: {e}");
            SqlError::new(error::ER_CRASHED_ON_USAGE, &[&table])
        }
        E::Crashed { repair_failed } => {
            let text = if *repair_failed { error::ER_CRASHED_ON_REPAIR } else { error::ER_CRASHED_ON_USAGE };
            SqlError { code: e.number(), state: *b"HY000", message: error::message(text, &[&path()]) }
        }
        E::Format { .. } => {
            SqlError { code: 130, state: *b"HY000", message: format!("Incorrect file format '{table}'") }
        }
        E::MissingFile { path } => {
            let text =
                format!("Can't find file: './{}' (errno: 2 \"No such file or directory\")", path.display());
            SqlError { code: error::ER_FILE_NOT_FOUND, state: *b"HY000", message: text }
        }
        E::DataFull | E::IndexFull => SqlError::new(error::ER_RECORD_FILE_FULL, &[&table]),
        E::ReadOnly => SqlError::new(error::ER_OPEN_AS_READONLY, &[&table]),
        E::NoTable => no_such_table(db, table),
        E::ForeignEngine { engine } => unknown_engine(engine),
        E::CreateOptions { .. } => {
            tracing::warn!("table {db}.{table}: {e}");
            SqlError::new(error::ER_CANT_CREATE_TABLE, &[&db, &table, &140])
        }
        E::DefinitionTooLarge => {
            SqlError::with_message(error::ER_TOO_MANY_FIELDS, "Table definition is too large")
        }
        E::Pages(e) => from_pages(e, table),
        E::Frm(e) => {
            tracing::error!("table {db}.{table}: {e}");
            let name = |n: &str| schema::file_name::encode(n);
            SqlError::new(error::ER_NOT_FORM_FILE, &[&format!("./{}/{}.frm", name(db), name(table))])
        }
        E::Unsupported { what } => SqlError::not_supported(what),
        other => {
            tracing::error!("table {db}.{table}: {other}");
            SqlError::new(error::ER_GET_ERRNO, &[&other.number(), &"MyISAM"])
        }
    }
}

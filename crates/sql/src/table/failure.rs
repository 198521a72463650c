//! Errors of tables as errors for clients.

use super::EngineError;
use super::engine::PARTITION;
use crate::error::{self, SqlError};
use crate::failure::{from_pages, no_such_table, unknown_engine};

/// An error of a table. `db` and `table` are its names.
#[cold]
pub fn from_engine(e: &EngineError, db: &str, table: &str) -> SqlError {
    use EngineError as E;
    let error = told(e, db, &super::partition::shown_name(table));
    match e {
        // It has said what it is.
        E::Pages(_) => error,
        E::ReadOnly
        | E::NoTable
        | E::ForeignEngine { .. }
        | E::CreateOptions { .. }
        | E::DefinitionTooLarge
        | E::PartitionsTooLarge
        | E::Unsupported { .. }
        // It was looked at before anything was changed.
        | E::TableFull
        | E::NoGeometry { .. } => error,
        _ => error.of_storage(),
    }
}

/// 1033: a definition that cannot be read, or partitions of an engine that is not there.
pub(crate) fn unreadable_definition(db: &str, table: &str) -> SqlError {
    let name = |n: &str| schema::file_name::encode(n);
    SqlError::new(error::ER_NOT_FORM_FILE, &[&format!("./{}/{}.frm", name(db), name(table))])
}

fn told(e: &EngineError, db: &str, table: &str) -> SqlError {
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
            SqlError::of_files(e.number(), error::message(text, &[&path()]))
        }
        E::Format { .. } => SqlError::of_files(130, format!("Incorrect file format '{table}'")),
        E::MissingFile { path } if path.extension().is_some_and(|e| e == "par") => {
            SqlError::new(error::codes::ER_FAILED_READ_FROM_PAR_FILE, &[])
        }
        E::MissingFile { path } => {
            let text =
                format!("Can't find file: './{}' (errno: 2 \"No such file or directory\")", path.display());
            SqlError::of_files(error::ER_FILE_NOT_FOUND, text)
        }
        E::DataFull | E::IndexFull | E::TableFull => SqlError::new(error::ER_RECORD_FILE_FULL, &[&table]),
        E::NoGeometry { .. } => SqlError::new(error::codes::ER_CANT_CREATE_GEOMETRY_OBJECT, &[]),
        E::ReadOnly => SqlError::new(error::ER_OPEN_AS_READONLY, &[&table]),
        E::NoTable => no_such_table(db, table),
        E::ForeignEngine { engine } if engine == PARTITION => unreadable_definition(db, table),
        E::ForeignEngine { engine } => unknown_engine(engine),
        E::CreateOptions { .. } => {
            tracing::warn!("table {db}.{table}: {e}");
            SqlError::new(error::ER_CANT_CREATE_TABLE, &[&db, &table, &140])
        }
        E::DefinitionTooLarge => {
            SqlError::with_message(error::ER_TOO_MANY_FIELDS, "Table definition is too large")
        }
        E::PartitionsTooLarge => SqlError::new(error::codes::ER_TABLE_DEFINITION_TOO_BIG, &[&table]),
        E::Pages(e) => from_pages(e, table),
        E::Frm(e) => {
            tracing::error!("table {db}.{table}: {e}");
            unreadable_definition(db, table)
        }
        E::Unsupported { what } => SqlError::not_supported(what),
        other => {
            tracing::error!("table {db}.{table}: {other}");
            SqlError::new(error::ER_GET_ERRNO, &[&other.number(), &"MyISAM"])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Origin;

    /// What the files say undoes the statement, whatever number clients are told; what the statement asks for does not.
    #[test]
    fn errors_have_an_origin() {
        let io = |kind: std::io::ErrorKind, file: &str| pages::ErrorKind::Io {
            path: file.into(),
            op: "read",
            source: kind.into(),
        };
        let pages = |kind: pages::ErrorKind| EngineError::Pages(kind.into());
        let of_files = [
            EngineError::Row { pos: 1, what: "length" },
            EngineError::Format { what: "header" },
            EngineError::MissingFile { path: "d/t.MYI".into() },
            EngineError::Crashed { repair_failed: false },
            EngineError::DataFull,
            pages(io(std::io::ErrorKind::NotFound, "d/t.MYD")),
            pages(io(std::io::ErrorKind::Other, "d/t.MYI")),
            pages(pages::ErrorKind::DiskFull { path: "d/t.MYD".into() }),
            pages(pages::ErrorKind::Poisoned { reason: "sync".into() }),
            pages(pages::ErrorKind::JournalFull),
        ];
        for e in of_files {
            assert_eq!(from_engine(&e, "d", "t").origin, Origin::Storage, "{e}");
        }
        let of_statement = [
            EngineError::ReadOnly,
            EngineError::NoTable,
            pages(pages::ErrorKind::LockTimeout),
            pages(pages::ErrorKind::Killed),
            pages(pages::ErrorKind::SnapshotTooOld),
        ];
        for e in of_statement {
            assert_eq!(from_engine(&e, "d", "t").origin, Origin::Statement, "{e}");
        }
    }
}

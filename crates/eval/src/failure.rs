//! Errors of the floors below as errors for clients.

use pages::ErrorKind;

use crate::error::{self, SqlError};

/// An error of the page store. `table` is the table's name as messages print it.
#[cold]
pub fn from_pages(e: &pages::Error, table: &str) -> SqlError {
    let error = told_of_pages(e, table);
    let of_session = matches!(
        e.kind(),
        ErrorKind::LockTimeout
            | ErrorKind::Killed
            | ErrorKind::SnapshotTooOld
            | ErrorKind::Stale
            | ErrorKind::ExclusivelyLocked
            | ErrorKind::AlreadyLocked
    );
    if of_session { error } else { error.of_storage() }
}

/// A file of rows or keys, under its own name: others are made under names of their own.
fn is_row_file(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|e| e == "MYI" || e == "MYD")
}

fn told_of_pages(e: &pages::Error, table: &str) -> SqlError {
    match e.kind() {
        ErrorKind::Io { path, op, source }
            if *op != "create"
                && source.kind() == std::io::ErrorKind::NotFound
                && path.extension().is_some_and(|e| e == "MYD") =>
        {
            let name = |p: Option<&std::ffi::OsStr>| p.unwrap_or_default().to_string_lossy().into_owned();
            let folder = name(path.parent().and_then(|p| p.file_name()));
            let file = name(path.file_name());
            let text =
                format!("File './{folder}/{file}' not found (Errcode: 2 \"No such file or directory\")");
            SqlError::of_files(29, text)
        }
        ErrorKind::Io { path, op: "create", source } if is_row_file(path) => {
            let index = path.extension().is_some_and(|e| e == "MYI");
            if e.is_link_refused() {
                let what = if index { "INDEX DIRECTORY" } else { "DATA DIRECTORY" };
                return SqlError::new(error::ER_WRONG_ARGUMENTS, &[&what]);
            }
            let number = source.raw_os_error().unwrap_or(5);
            let text = error::os_error_text(number);
            let path = path.display();
            SqlError::with_message(
                1,
                format!("Can't create/write to file '{path}' (Errcode: {number} \"{text}\")"),
            )
        }
        ErrorKind::Io { .. } if e.is_link_refused() => {
            tracing::error!("{e}");
            SqlError::new(error::ER_GET_ERRNO, &[&140, &"MyISAM"])
        }
        ErrorKind::CrossesDevices { from, to } => {
            // the index file is the first that the reference server moves
            let name = |path: &std::path::Path| {
                let mut parts = path.components().rev().map(|part| part.as_os_str().to_string_lossy());
                let file = parts.next().unwrap_or_default();
                let file = file.strip_suffix(".MYD").map_or(file.to_string(), |name| format!("{name}.MYI"));
                format!("./{}/{file}", parts.next().unwrap_or_default())
            };
            let text = error::os_error_text(18);
            let (from, to) = (name(from), name(to));
            SqlError::of_files(7, format!("Error on rename of '{from}' to '{to}' (Errcode: 18 \"{text}\")"))
        }
        ErrorKind::Io { source, .. } => {
            tracing::error!("{e}");
            let number = source.raw_os_error().unwrap_or(5);
            SqlError::new(error::ER_GET_ERRNO, &[&number, &"MyISAM"])
        }
        ErrorKind::DiskFull { path } => SqlError::new(
            error::ER_DISK_FULL,
            &[&path.display(), &28, &"waiting for someone to free some space"],
        ),
        ErrorKind::Corrupt { .. } => {
            tracing::error!("{e}");
            SqlError::new(error::ER_NOT_KEYFILE, &[&table])
        }
        ErrorKind::LockTimeout => SqlError::new(error::ER_LOCK_WAIT_TIMEOUT, &[]),
        ErrorKind::JournalFull => SqlError::with_message(error::ER_LOCK_WAIT_TIMEOUT, e.to_string()),
        ErrorKind::Killed => SqlError::new(error::ER_QUERY_INTERRUPTED, &[]),
        ErrorKind::ForeignChange { .. } | ErrorKind::Guarded { .. } => {
            tracing::error!("{e}");
            SqlError::with_message(error::ER_OLD_KEYFILE, format!("Table '{table}': {e}"))
        }
        ErrorKind::Unfinished { cause } => {
            let mut error = from_pages(cause, table);
            error.message.push_str("; the change is decided, and is carried out as soon as that is possible");
            error
        }
        ErrorKind::SnapshotTooOld => SqlError::new(error::ER_CHECKREAD, &[&table]),
        // no fault: another statement has replaced the table meanwhile
        ErrorKind::Stale => SqlError::new(error::ER_TABLE_DEF_CHANGED, &[]),
        ErrorKind::DirectoryInUse { .. } | ErrorKind::Poisoned { .. } => SqlError::internal(e),
        _ => {
            tracing::error!("table {table}: {e}");
            SqlError::internal(e)
        }
    }
}

/// 1146.
pub fn no_such_table(db: &str, table: &str) -> SqlError {
    SqlError::new(error::ER_NO_SUCH_TABLE, &[&db, &table])
}

/// 1049; 1102 for a name that no database can have.
pub fn no_such_database(db: &str) -> SqlError {
    let wrong = crate::names::check_database_name(db).is_err();
    SqlError::new(if wrong { error::ER_WRONG_DB_NAME } else { error::ER_BAD_DB_ERROR }, &[&db])
}

/// 1286.
pub fn unknown_engine(engine: &str) -> SqlError {
    SqlError::new(error::ER_UNKNOWN_STORAGE_ENGINE, &[&engine])
}

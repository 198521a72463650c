//! CREATE, ALTER and DROP DATABASE.

use std::io;
use std::sync::Arc;

use crate::ast::{CreateDatabase, DatabaseOptions};
use crate::catalog::INFORMATION_SCHEMA;
use crate::catalog::database::{Database, io_error};
use crate::ddl::types::{combine, text_of};
use crate::error::{self, SqlError, SqlResult};
use crate::result::Done;
use crate::session::Session;
use crate::session::tables::check_database_name;

/// Longest comment of a database, in characters.
const MAX_COMMENT: usize = 1024;

fn forbid_information_schema(session: &Session, name: &str) -> SqlResult<()> {
    if name.eq_ignore_ascii_case(INFORMATION_SCHEMA) {
        let host = session.connection.account().1;
        return Err(SqlError::new(
            error::ER_DBACCESS_DENIED_ERROR,
            &[&session.info.user, &host, &INFORMATION_SCHEMA],
        ));
    }
    Ok(())
}

/// 1044 without a privilege on the database.
fn require(session: &Session, db: &str, privilege: &str) -> SqlResult<()> {
    let bits = crate::admin::privilege::bit(privilege).unwrap_or(0);
    if session.privileges.on(db) & bits == 0 {
        return Err(session.database_denied(db));
    }
    Ok(())
}

fn options(session: &Session, o: &DatabaseOptions, mut db: Database) -> SqlResult<Database> {
    let default =
        if o.charset.is_some() || o.collation.is_some() { session.settings().server } else { db.collation };
    db.collation = combine(o.charset.as_deref(), o.collation.as_deref(), default)?;
    if let Some(c) = &o.comment {
        let text = text_of(c, session.settings().client);
        if text.chars().count() > MAX_COMMENT {
            return Err(SqlError::new(error::ER_TOO_LONG_DATABASE_COMMENT, &[&db.name, &MAX_COMMENT]));
        }
        db.comment = text;
    }
    Ok(db)
}

/// CREATE DATABASE.
///
/// # Errors
/// 1007 when it exists, 1102 for a wrong name, 1006 when the directory cannot be made.
pub(super) fn create(session: &mut Session, c: &CreateDatabase) -> SqlResult<Done> {
    session.forbid_locked()?;
    check_database_name(&c.name)?;
    require(session, &c.name, "CREATE")?;
    let engine = Arc::clone(&session.engine);
    let dir = engine.catalog.directory(&c.name);
    let new =
        Database { name: c.name.to_string(), collation: session.settings().server, comment: String::new() };
    let new = options(session, &c.options, new)?;
    let mut replaced = 0;
    if c.name.eq_ignore_ascii_case(INFORMATION_SCHEMA) || dir.is_dir() {
        if c.if_not_exists {
            session.ctx.warnings.note(error::ER_DB_CREATE_EXISTS, &[&c.name]);
            return Ok(Done::default());
        }
        if !c.or_replace {
            return Err(SqlError::new(error::ER_DB_CREATE_EXISTS, &[&c.name]));
        }
        drop(session, &c.name, false)?;
        replaced = 1;
    }
    std::fs::create_dir(&dir)
        .map_err(|e| SqlError::new(error::ER_CANT_CREATE_DB, &[&c.name, &e.raw_os_error().unwrap_or(5)]))?;
    engine.catalog.write_database(new)?;
    sync_dir(session, &dir)?;
    Ok(Done { affected: 1 + replaced, ..Done::default() })
}

/// Makes a new or changed directory survive a power cut.
fn sync_dir(session: &Session, dir: &std::path::Path) -> SqlResult<()> {
    for path in [dir, session.engine.datadir()] {
        std::fs::File::open(path).and_then(|f| f.sync_all()).map_err(|e| io_error(&e))?;
    }
    Ok(())
}

/// ALTER DATABASE.
///
/// # Errors
/// 1046 without a name and a current database, 1049 when there is none of the name.
pub(super) fn alter(session: &mut Session, name: Option<&str>, o: &DatabaseOptions) -> SqlResult<Done> {
    session.forbid_locked()?;
    let name = match name {
        Some(n) => n.to_string(),
        None => session.current_database()?.to_string(),
    };
    forbid_information_schema(session, &name)?;
    require(session, &name, "ALTER")?;
    let old = session.engine.catalog.database(&name)?;
    let copy = Database { name: old.name.clone(), collation: old.collation, comment: old.comment.clone() };
    let new = options(session, o, copy)?;
    session.engine.catalog.write_database(new)?;
    if session.database() == Some(name.as_str()) {
        session.use_database(&name)?;
        session.tracked.clear();
    }
    Ok(Done { affected: 1, ..Done::default() })
}

/// DROP DATABASE: its tables, then its directory.
///
/// # Errors
/// 1008 when there is none of the name, 1010 when foreign files keep the directory.
pub(super) fn drop(session: &mut Session, name: &str, if_exists: bool) -> SqlResult<Done> {
    session.forbid_locked()?;
    forbid_information_schema(session, name)?;
    require(session, name, "DROP")?;
    let engine = Arc::clone(&session.engine);
    let dir = engine.catalog.directory(name);
    if name.is_empty() || !dir.is_dir() {
        if if_exists {
            session.ctx.warnings.note(error::ER_DB_DROP_EXISTS, &[&name]);
            return Ok(Done::default());
        }
        return Err(SqlError::new(error::ER_DB_DROP_EXISTS, &[&name]));
    }
    let tables = engine.catalog.table_names(name)?;
    let count = tables.len() as u64;
    for table in &tables {
        super::drop::drop_one(session, name, table)?;
    }
    engine.catalog.forget_database(name);
    for leftover in ["db.opt", "db.opt~"] {
        match std::fs::remove_file(dir.join(leftover)) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(io_error(&e)),
        }
    }
    // Files of tables being built when the process died.
    if let Ok(entries) = std::fs::read_dir(&dir) {
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with("#sql") {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
    if let Err(e) = std::fs::remove_dir(&dir) {
        let number = e.raw_os_error().unwrap_or(39);
        let path = format!("./{}/", isam::file_name::encode(name));
        return Err(SqlError::new(error::ER_DB_DROP_RMDIR, &[&path, &number]));
    }
    std::fs::File::open(engine.datadir()).and_then(|f| f.sync_all()).map_err(|e| io_error(&e))?;
    if session.database() == Some(name) {
        session.leave_database();
    }
    Ok(Done { affected: count, ..Done::default() })
}

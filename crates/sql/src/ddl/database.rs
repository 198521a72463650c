//! CREATE, ALTER and DROP DATABASE.

use std::path::PathBuf;
use std::sync::Arc;

use pages::FilePlan;

use super::drop::ExclusiveTables;
use crate::table::engine::drop_memory;

use crate::ast::{CreateDatabase, DatabaseOptions};
use crate::catalog::database::{Database, io_error};
use crate::catalog::engines::Stored;
use crate::error::{self, SqlError, SqlResult};
use crate::names::INFORMATION_SCHEMA;
use crate::names::{check_database_name, check_new_database_name};
use crate::result::Done;
use crate::session::Session;
use crate::types::collations::combine;
use crate::types::convert::words_of;

/// Longest comment of a database, in characters.
const MAX_COMMENT: usize = 1024;

fn forbid_information_schema(session: &Session, name: &str) -> SqlResult<()> {
    if name.eq_ignore_ascii_case(INFORMATION_SCHEMA) {
        return Err(session.database_denied(INFORMATION_SCHEMA));
    }
    Ok(())
}

fn options(session: &Session, o: &DatabaseOptions, mut db: Database) -> SqlResult<Database> {
    let default =
        if o.charset.is_some() || o.collation.is_some() { session.settings().server } else { db.collation };
    db.collation = combine(o.charset.as_deref(), o.collation.as_deref(), default)?;
    if let Some(c) = &o.comment {
        super::must_be_well_formed(c, session.settings().client)?;
        let text = words_of(c, session.settings().client);
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
/// 1007 when it exists, 1102 for a wrong name, 1006 or 13 when the directory cannot be made.
pub(super) fn create(session: &mut Session, c: &CreateDatabase) -> SqlResult<Done> {
    session.forbid_locked()?;
    check_new_database_name(&c.name)?;
    let engine = Arc::clone(&session.engine);
    let new =
        Database { name: c.name.to_string(), collation: session.settings().server, comment: String::new() };
    let new = options(session, &c.options, new)?;
    let names = session.lock_names(&[(&c.name, "")])?;
    let exists = c.name.eq_ignore_ascii_case(INFORMATION_SCHEMA) || engine.catalog.database_exists(&c.name);
    if exists {
        if c.if_not_exists {
            session.ctx.warnings.note(error::ER_DB_CREATE_EXISTS, &[&c.name]);
            return Ok(Done::default());
        }
        if !c.or_replace {
            return Err(SqlError::new(error::ER_DB_CREATE_EXISTS, &[&c.name]));
        }
        forbid_information_schema(session, &c.name)?;
        DatabaseDrop::of(session, &c.name)?.carry_out(session, Some(new))?;
    } else {
        engine.catalog.create_database(new).map_err(|e| cannot_create(&c.name, &e))?;
    }
    std::mem::drop(names);
    Ok(Done { affected: 1 + u64::from(exists), ..Done::default() })
}

/// 1006, or 13 for a name that is too long as that of a folder.
fn cannot_create(name: &str, e: &pages::Error) -> SqlError {
    let number = match e.kind() {
        pages::ErrorKind::Io { source, .. } => source.raw_os_error().unwrap_or(5),
        pages::ErrorKind::DiskFull { .. } => 28,
        _ => 5,
    };
    if number == 36 {
        let folder = schema::file_name::encode(name);
        let text = format!("Can't get stat of './{folder}' (Errcode: 36 \"File name too long\")");
        return SqlError::with_message(13, text);
    }
    tracing::error!("{e}");
    SqlError::new(error::ER_CANT_CREATE_DB, &[&name, &number])
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
    let engine = Arc::clone(&session.engine);
    let _names = session.lock_names(&[(&name, "")])?;
    let old = engine.catalog.database(&name)?;
    let copy = Database { name: old.name.clone(), collation: old.collation, comment: old.comment.clone() };
    let new = options(session, o, copy)?;
    session.engine.catalog.write_database(new)?;
    if session.database() == Some(name.as_str()) {
        session.use_database(&name)?;
        session.tracked.clear();
    }
    Ok(Done { affected: 1, ..Done::default() })
}

/// DROP DATABASE: all of it at once.
///
/// # Errors
/// 1008 when there is none of the name, 1286 when tables of another engine are in it, 1010 when foreign files keep
/// the directory.
pub(super) fn drop(session: &mut Session, name: &str, if_exists: bool) -> SqlResult<Done> {
    session.forbid_locked()?;
    check_database_name(name)?;
    forbid_information_schema(session, name)?;
    let engine = Arc::clone(&session.engine);
    let _names = session.lock_names(&[(name, "")])?;
    if !engine.catalog.database_exists(name) {
        if if_exists {
            session.ctx.warnings.note(error::ER_DB_DROP_EXISTS, &[&name]);
            return Ok(Done::default());
        }
        return Err(SqlError::new(error::ER_DB_DROP_EXISTS, &[&name]));
    }
    let affected = DatabaseDrop::of(session, name)?.carry_out(session, None)?;
    engine.routines.remove_database(&engine, name)?;
    session.drop_events_of(name);
    if session.database() == Some(name) {
        session.leave_database();
    }
    Ok(Done { affected, ..Done::default() })
}

/// Extensions of files that belong to tables, views and triggers.
const KNOWN: &[&str] = &["frm", "MYI", "MYD", "MRG", "par", "TRG", "TRN", "opt", "opt~", "BAK", "OLD", "TMD"];

/// A database about to be dropped, all its tables held.
struct DatabaseDrop {
    name: String,
    held: ExclusiveTables,
    tables: u64,
    /// Those that have rows.
    names: Vec<Arc<str>>,
    /// Files that go.
    known: Vec<PathBuf>,
    /// Files stay that are none of ours: the directory cannot go.
    others: bool,
}

impl DatabaseDrop {
    /// Holds the tables of a database whose name the caller holds.
    ///
    /// # Errors
    /// 1286 for a table of another engine; those of locks.
    fn of(session: &mut Session, name: &str) -> SqlResult<DatabaseDrop> {
        let engine = Arc::clone(&session.engine);
        let db: Arc<str> = Arc::from(name);
        let mut bases = Vec::new();
        let mut tables = 0;
        for table in engine.catalog.table_names(name)? {
            tables += 1;
            if engine.catalog.writable(name, &table)? != Stored::View {
                bases.push((Arc::clone(&db), Arc::from(table)));
            }
        }
        let folder = schema::file_name::encode(name);
        let (mut known, mut others) = (Vec::new(), false);
        let storage = engine.store().storage();
        for (path, is_dir) in storage.list(&engine.catalog.directory(name)).map_err(|e| io_error(&e))? {
            let Some(file) = path.file_name().and_then(|n| n.to_str()) else {
                others = true;
                continue;
            };
            let ours = KNOWN.iter().any(|e| file.rsplit_once('.').is_some_and(|(_, x)| x == *e));
            if ours && !is_dir {
                known.push(PathBuf::from(&folder).join(file));
            } else if !file.starts_with(pages::SCRATCH_PREFIX) {
                others = true;
            }
        }
        let names = bases.iter().map(|(_, table)| Arc::clone(table)).collect();
        let held = ExclusiveTables::take(session, bases)?;
        Ok(DatabaseDrop { name: name.into(), held, tables, names, known, others })
    }

    /// Drops it, and puts a new one in its place with OR REPLACE. Gives the number of its tables.
    ///
    /// # Errors
    /// 1010 when files stay in the directory; the tables are gone then.
    fn carry_out(self, session: &mut Session, new: Option<Database>) -> SqlResult<u64> {
        let engine = Arc::clone(&session.engine);
        let folder = PathBuf::from(schema::file_name::encode(&self.name));
        let plan =
            self.names.iter().fold(FilePlan::new(), |plan, table| drop_memory(plan, &self.name, table));
        if self.others {
            let plan = self.known.into_iter().fold(plan, FilePlan::remove);
            let gone = self.held.discard(session, plan);
            engine.catalog.forget_database(&self.name);
            gone?;
            // ENOTEMPTY
            return Err(SqlError::new(error::ER_DB_DROP_RMDIR, &[&format!("./{}/", folder.display()), &39]));
        }
        // What links lead to is not in the folder.
        let linked = |path: &&PathBuf| {
            engine
                .store()
                .storage()
                .read_link(&engine.datadir().join(path))
                .is_ok_and(|target| target.is_some())
        };
        let plan = self.known.iter().filter(linked).fold(plan, FilePlan::remove);
        // The folder moves away as a whole; then nobody knows its files any more.
        let away = PathBuf::from(pages::scratch_name());
        let mut plan = plan.rename(&folder, &away);
        if let Some(new) = &new {
            plan = plan.create_folder(folder, vec![("db.opt".into(), new.options())]);
        }
        let gone = self.held.discard(session, plan);
        engine.catalog.forget_database(&self.name);
        gone?;
        if let Err(e) = engine.store().remove_folder(&away) {
            tracing::warn!("the files of database '{}' go at the next start: {e}", self.name);
        }
        Ok(self.tables)
    }
}

//! DROP, RENAME and TRUNCATE TABLE.

use std::sync::Arc;

use isam::Table;
use isam::table::Emptying;
use pages::{ExclusiveGuard, FilePlan};

use crate::ast::{DropTables, RenameTable, TableName};
use crate::catalog::failure::{from_isam, from_pages, no_such_table};
use crate::catalog::{INFORMATION_SCHEMA, OpenTable};
use crate::error::{self, SqlError, SqlResult};
use crate::result::Done;
use crate::session::Session;
use crate::session::tables::{Access, Hold, check_table_name, is_stale};

/// A table held alone by a definition statement: from LOCK TABLES, or for this statement.
pub(super) struct Alone {
    pub table: Arc<OpenTable>,
    pub guard: ExclusiveGuard,
    /// It is held by LOCK TABLES and stays so when the statement fails.
    pub locked: bool,
}

impl Session {
    /// Holds a table alone.
    ///
    /// # Errors
    /// 1146, 1205, 1099 and 1100 under LOCK TABLES.
    pub(super) fn alone(&mut self, db: &str, name: &str) -> SqlResult<Alone> {
        self.split(b"").0.check_locked(db, name, name, Access::Write)?;
        if self.locks.active
            && let Some(entry) = self.locks.write_entry(db, name)
            && let Some(Hold::Write(guard)) = &mut entry.hold
            && let Some(guard) = guard.take()
        {
            let table = self.engine.catalog.table(db, name)?;
            return Ok(Alone { table, guard, locked: true });
        }
        let timeout = self.lock_timeout();
        let connection = Arc::clone(&self.connection);
        loop {
            let table = self.engine.catalog.open_now(db, name)?;
            connection.set_state("Waiting for table metadata lock");
            let result = table.pages().exclusive(self.owner(), timeout, &|| connection.killed());
            connection.set_state("");
            match result {
                Ok(guard) => return Ok(Alone { table, guard, locked: false }),
                Err(e) if is_stale(&e) => self.engine.catalog.forget_stale(&table),
                Err(e) => return Err(from_pages(&e, name)),
            }
        }
    }

    /// Gives a table that LOCK TABLES holds back to it, after a statement that failed.
    pub(super) fn give_back(&mut self, alone: Alone) {
        if alone.locked
            && let Some(entry) = self.locks.write_entry(&alone.table.db, &alone.table.name)
            && let Some(Hold::Write(slot)) = &mut entry.hold
        {
            *slot = Some(alone.guard);
        }
    }

    /// Holds a table again that LOCK TABLES held before a statement made it anew.
    pub(super) fn hold_again(&mut self, db: &str, name: &str) -> SqlResult<()> {
        let alone = {
            let table = self.engine.catalog.table(db, name)?;
            let connection = Arc::clone(&self.connection);
            let guard = table
                .pages()
                .exclusive(self.owner(), self.lock_timeout(), &|| connection.killed())
                .map_err(|e| from_pages(&e, name))?;
            Alone { table, guard, locked: true }
        };
        self.give_back(alone);
        Ok(())
    }

    /// Holds names against other definition statements.
    pub(crate) fn define<'e>(
        &self,
        engine: &'e crate::engine::Engine,
        names: &[(&str, &str)],
    ) -> SqlResult<crate::catalog::Defining<'e>> {
        let connection = Arc::clone(&self.connection);
        engine.catalog.define(names, self.vars.settings.lock_wait_timeout, &move || connection.check_killed())
    }
}

/// Removes one table: its files and what is known of it.
///
/// # Errors
/// 1051 when there is none.
pub(super) fn drop_one(session: &mut Session, db: &str, name: &str) -> SqlResult<()> {
    let engine = Arc::clone(&session.engine);
    let _names = session.define(&engine, &[(db, name)])?;
    if !engine.catalog.table_exists(db, name) {
        return Err(unknown_table(db, name));
    }
    let plan = Table::drop_files(FilePlan::new(), db, name);
    match session.alone(db, name) {
        Ok(alone) => {
            engine.catalog.forget(db, name);
            alone.guard.discard(plan).map_err(|e| from_pages(&e, name))?;
            session.locks.tables.retain(|t| !(&*t.db == db && &*t.name == name));
        }
        Err(e) if matches!(e.code, error::ER_TABLE_NOT_LOCKED | error::ER_TABLE_NOT_LOCKED_FOR_WRITE) => {
            return Err(e);
        }
        Err(e) if matches!(e.code, error::ER_LOCK_WAIT_TIMEOUT | error::ER_QUERY_INTERRUPTED) => {
            return Err(e);
        }
        // A damaged table cannot be opened, but it can go.
        Err(_) => {
            engine.catalog.forget(db, name);
            engine.store().apply(plan).map_err(|e| from_pages(&e, name))?;
        }
    }
    Ok(())
}

fn unknown_table(db: &str, name: &str) -> SqlError {
    SqlError::new(error::ER_BAD_TABLE_ERROR, &[&format!("{db}.{name}")])
}

/// DROP TABLE: every table that is there goes; those that are not are told of at the end.
///
/// # Errors
/// 1051 with the names of those that are not there.
pub(super) fn drop_tables(session: &mut Session, d: &DropTables) -> SqlResult<Done> {
    let mut missing: Vec<String> = Vec::new();
    let mut paths = Vec::new();
    for t in &d.names {
        let path = session.table_path(t)?;
        if paths.contains(&path) {
            return Err(SqlError::new(error::ER_NONUNIQ_TABLE, &[&t.name]));
        }
        paths.push(path);
    }
    if session.locks.active {
        for (db, name) in &paths {
            session.split(b"").0.check_locked(db, name, name, Access::Write)?;
        }
    }
    for (db, name) in &paths {
        if &**db == INFORMATION_SCHEMA {
            let host = session.connection.account().1;
            return Err(SqlError::new(
                error::ER_DBACCESS_DENIED_ERROR,
                &[&session.info.user, &host, &INFORMATION_SCHEMA],
            ));
        }
        if session.drop_temporary(db, name) {
            continue;
        }
        if d.temporary || !session.engine.catalog.table_exists(db, name) {
            missing.push(format!("{db}.{name}"));
            continue;
        }
        match drop_one(session, db, name) {
            Ok(()) => {}
            Err(e) if e.code == error::ER_BAD_TABLE_ERROR => missing.push(format!("{db}.{name}")),
            Err(e) => return Err(e),
        }
    }
    if missing.is_empty() {
        return Ok(Done::default());
    }
    if d.if_exists {
        session.ctx.warnings.note(error::ER_BAD_TABLE_ERROR, &[&missing.join(",")]);
        return Ok(Done::default());
    }
    Err(SqlError::new(error::ER_BAD_TABLE_ERROR, &[&missing.join(",")]))
}

/// DROP VIEW: there are none.
///
/// # Errors
/// 4092 with the names.
pub(super) fn drop_views(session: &mut Session, d: &DropTables) -> SqlResult<Done> {
    let mut missing = Vec::new();
    for t in &d.names {
        let (db, name) = session.table_path(t)?;
        if session.engine.catalog.table_exists(&db, &name) {
            return Err(SqlError::new(error::ER_WRONG_OBJECT, &[&db, &name, &"VIEW"]));
        }
        missing.push(format!("{db}.{name}"));
    }
    if d.if_exists {
        for name in &missing {
            session.ctx.warnings.note(error::ER_UNKNOWN_VIEW, &[name]);
        }
        return Ok(Done::default());
    }
    Err(SqlError::new(error::ER_UNKNOWN_VIEW, &[&missing.join(",")]))
}

/// RENAME TABLE: all pairs from left to right, or none of them.
///
/// # Errors
/// 1050 when a target exists, 1146 when a source does not.
pub(super) fn rename_tables(session: &mut Session, r: &RenameTable) -> SqlResult<Done> {
    session.forbid_locked()?;
    type Path = (Arc<str>, Arc<str>);
    let mut done: Vec<(Path, Path)> = Vec::new();
    for (from, to) in &r.pairs {
        let pair = (session.table_path(from)?, session.table_path(to)?);
        if let Err(e) = rename_one(session, &pair.0, &pair.1) {
            if r.if_exists && e.code == error::ER_NO_SUCH_TABLE {
                session.ctx.warnings.note(error::ER_NO_SUCH_TABLE, &[&pair.0.0, &pair.0.1]);
                continue;
            }
            for (from, to) in done.iter().rev() {
                let _ = rename_one(session, to, from);
            }
            return Err(e);
        }
        done.push(pair);
    }
    Ok(Done::default())
}

/// Renames one table.
///
/// # Errors
/// As [`rename_tables`].
pub(super) fn rename_one(
    session: &mut Session,
    from: &(Arc<str>, Arc<str>),
    to: &(Arc<str>, Arc<str>),
) -> SqlResult<()> {
    let engine = Arc::clone(&session.engine);
    check_table_name(&to.1)?;
    let _names = session.define(&engine, &[(&from.0, &from.1), (&to.0, &to.1)])?;
    engine.catalog.database(&to.0)?;
    if !engine.catalog.table_exists(&from.0, &from.1) {
        return Err(no_such_table(&from.0, &from.1));
    }
    if engine.catalog.table_exists(&to.0, &to.1) {
        return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[&to.1]));
    }
    let alone = session.alone(&from.0, &from.1)?;
    engine.catalog.forget(&from.0, &from.1);
    let plan = Table::rename_files(FilePlan::new(), (&from.0, &from.1), (&to.0, &to.1));
    alone.guard.detach().map_err(|e| from_pages(&e, &from.1))?;
    engine.store().apply(plan).map_err(|e| from_pages(&e, &from.1))
}

/// TRUNCATE TABLE: new, empty files.
///
/// # Errors
/// 1146, and those of locks.
pub(super) fn truncate(session: &mut Session, t: &TableName) -> SqlResult<Done> {
    let (db, name) = session.table_path(t)?;
    if let Some(temporary) = session.temporary(&db, &name) {
        let writer = temporary
            .pages()
            .write_lock(session.owner(), session.lock_timeout(), &|| false)
            .map_err(|e| from_pages(&e, &name))?;
        let table =
            temporary.table.empty(writer, Emptying::Truncate).map_err(|e| from_isam(&e, &db, &name))?;
        session.replace_temporary(&temporary, table);
        return Ok(Done::default());
    }
    let engine = Arc::clone(&session.engine);
    let names = session.define(&engine, &[(&db, &name)])?;
    let alone = session.alone(&db, &name)?;
    let locked = alone.locked;
    // The guard keeps new readers out while the files change hands; it is taken up again as a
    // writer, which the new generation replaces.
    let writer = alone.guard.downgrade();
    let result = alone.table.table.empty(writer, Emptying::Truncate);
    engine.catalog.forget(&db, &name);
    drop(names);
    result.map_err(|e| from_isam(&e, &db, &name))?;
    if locked {
        session.hold_again(&db, &name)?;
    }
    Ok(Done::default())
}

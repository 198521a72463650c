//! The tables a statement names, and their locks.

use std::sync::Arc;
use std::time::Duration;

use pages::{ExclusiveGuard, TableWriter, WaitLimit};
use schema::definition::TableDef;

use super::{Session, View};
use crate::ast::{LockWait, TableName};
use crate::catalog::view::StoredView;
use crate::error::{self, SqlError, SqlResult};
use crate::failure::from_pages;
use crate::information_schema;
use crate::locks::{Waiter, Weight};
use crate::names::INFORMATION_SCHEMA;
use crate::names::check_table_name;
use crate::rights::Rights;
use crate::rights::privilege::{SELECT, SUPER};
use crate::status::Counter;
use crate::table::OpenTable;
use crate::table::SharedReadLock;
use crate::table::sequence::{self, Sequence};
use crate::table::virtual_table::VirtualTable;

/// What a table's name stands for.
#[derive(Clone)]
pub enum TableSource {
    /// A table of files.
    Base(Arc<OpenTable>),
    /// A table of information_schema: its rows are made when it is read.
    Virtual(Arc<dyn VirtualTable>),
    /// A view.
    View(Arc<StoredView>),
}

/// What a statement does with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it: SELECT on it, or on some of its columns.
    Read,
    /// Reads it and locks the rows: FOR UPDATE. As for reading, but the table must not be locked for reading.
    Lock,
    /// Reads it to find the rows to change. Its name was authorized; columns that are read need SELECT.
    Given,
    /// Changes its rows, or its definition. Its name was authorized.
    Write,
    /// Shows or maintains it. Its name was authorized.
    Shown,
    /// Tells of its columns and keys, whatever LOCK TABLES holds. Its name was authorized.
    Described,
}

impl View<'_> {
    /// Database and name that a table's name stands for.
    ///
    /// # Errors
    /// 1046 without a current database, 1103 for impossible names.
    pub(crate) fn table_path(&self, t: &TableName) -> SqlResult<(Arc<str>, Arc<str>)> {
        let db = match &t.db {
            Some(db) if db.eq_ignore_ascii_case(INFORMATION_SCHEMA) => Arc::from(INFORMATION_SCHEMA),
            Some(db) => Arc::from(&**db),
            None => match &self.db {
                Some(db) => Arc::clone(db),
                None => return Err(SqlError::new(error::ER_NO_DB_ERROR, &[])),
            },
        };
        check_table_name(&t.name)?;
        Ok((db, Arc::from(&*t.name)))
    }

    /// The table behind a name, as LOCK TABLES allows it.
    ///
    /// # Errors
    /// 1046, 1049, 1146; 1099 and 1100 under LOCK TABLES; those of damaged files.
    pub(crate) fn source(&self, t: &TableName, alias: &str, access: Access) -> SqlResult<TableSource> {
        let (db, name) = self.table_path(t)?;
        if &*db == INFORMATION_SCHEMA {
            if access == Access::Write {
                return Err(self.rights.denied_database(INFORMATION_SCHEMA));
            }
            return match information_schema::open(&name, |name| self.info_schema_context(name)) {
                Some(v) => Ok(TableSource::Virtual(v)),
                None => Err(SqlError::new(error::ER_UNKNOWN_TABLE, &[&name, &INFORMATION_SCHEMA])),
            };
        }
        if let Some(t) = self.temporary.iter().find(|t| t.db == db && t.name == name) {
            let table = self.resolved(t)?;
            self.check_lasting_children(&table, access)?;
            return Ok(TableSource::Base(table));
        }
        match access {
            Access::Read | Access::Lock => self.rights.need_table(&db, &name, SELECT)?,
            Access::Given | Access::Write | Access::Shown | Access::Described => {}
        }
        if self.engine.catalog.is_sequence(&db, &name) {
            self.check_locked(&db, &name, alias, access)?;
            return match Sequence::open(&name)? {
                Some(sequence) if access != Access::Write => Ok(TableSource::Virtual(Arc::new(sequence))),
                _ => Err(SqlError::new(error::ER_ILLEGAL_HA, &[&"SEQUENCE", &db, &name])),
            };
        }
        if &*db == "mysql" && &*name == "user" && !self.engine.catalog.table_exists(&db, &name) {
            if access == Access::Write {
                return Err(SqlError::new(error::ER_NON_INSERTABLE_TABLE, &[&name, &"INSERT"]));
            }
            if let Some(v) = information_schema::open_mysql_user(|name| self.info_schema_context(name)) {
                return Ok(TableSource::Virtual(v));
            }
        }
        self.check_locked(&db, &name, alias, access)?;
        self.stored(&db, &name, access)
    }

    /// The table or view of the data directory that has a name.
    fn stored(&self, db: &str, name: &str, access: Access) -> SqlResult<TableSource> {
        if let Some(view) = self.engine.catalog.view(db, name, &|| self.waiter())? {
            return Ok(TableSource::View(view));
        }
        let opened = self.engine.catalog.table(db, name, &|| self.waiter());
        self.check_children_locked(opened.as_ref(), (db, name))?;
        let table = opened?;
        self.check_hidden(&table)?;
        if matches!(access, Access::Write | Access::Lock) {
            table.check_writable()?;
        }
        Ok(TableSource::Base(table))
    }

    /// As [`View::source`], for a name in a view: whatever TEMPORARY tables there are, with these rights, and under LOCK TABLES
    /// where the view was locked.
    ///
    /// # Errors
    /// As [`View::source`].
    pub(crate) fn source_below_view(
        &self,
        t: &TableName,
        rights: &Rights,
        access: Access,
    ) -> SqlResult<TableSource> {
        let (db, name) = self.table_path(t)?;
        if &*db == INFORMATION_SCHEMA {
            return self.source(t, &name, access);
        }
        match access {
            Access::Read | Access::Lock => rights.need_table(&db, &name, SELECT)?,
            Access::Given | Access::Write | Access::Shown | Access::Described => {}
        }
        if self.engine.catalog.is_sequence(&db, &name) {
            return match Sequence::open(&name)? {
                Some(sequence) => Ok(TableSource::Virtual(Arc::new(sequence))),
                None => Err(crate::failure::no_such_table(&db, &name)),
            };
        }
        if self.locks.active && !self.locks.tables.iter().any(|l| l.db == db && l.name == name) {
            return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED, &[&name]));
        }
        self.stored(&db, &name, access)
    }

    /// A number that differs when a view may have been defined anew, or rights of its definer have changed; not 0.
    pub(crate) fn view_stamp(&self) -> u64 {
        1 + self.engine.catalog.view_epoch() + self.engine.accounts.epoch()
    }

    /// The rights of who defined a view.
    ///
    /// # Errors
    /// 1449 when there is no such account.
    pub(crate) fn definer_rights(&self, view: &StoredView) -> SqlResult<Rights> {
        let (user, host) = (&view.def.definer_user, &view.def.definer_host);
        let known = Rights::of_definer(&self.engine.accounts, user, host);
        let own = || (self.describes && self.rights.global() & SUPER != 0).then(|| self.rights.clone());
        known.or_else(own).ok_or_else(|| SqlError::new(error::codes::ER_NO_SUCH_USER, &[user, host]))
    }

    /// The session as one that waits for others.
    pub(crate) fn waiter(&self) -> Waiter {
        Waiter::new(&self.connection, &self.engine.waits, self.timeout)
    }

    /// Whether the running statement may change the rows of a table that it reads; `bits` are the privileges for it.
    ///
    /// # Errors
    /// 1142; 1099 and 1100 under LOCK TABLES; 1036.
    pub(crate) fn check_change(&self, table: &OpenTable, alias: &str, bits: u64) -> SqlResult<()> {
        if table.temporary {
            return self.check_lasting_children(table, Access::Write);
        }
        self.rights.need_table(&table.db, &table.name, bits)?;
        self.check_locked(&table.db, &table.name, alias, Access::Write)?;
        table.check_writable()
    }

    /// Whether LOCK TABLES lets a statement use a table.
    ///
    /// # Errors
    /// 1100 for a table that is not locked, 1099 for a change of one locked for reading.
    pub(crate) fn check_locked(&self, db: &str, name: &str, alias: &str, access: Access) -> SqlResult<()> {
        if !self.locks.active || access == Access::Described {
            return Ok(());
        }
        match self.locks.find(db, name, alias) {
            None if self.locks.has(db, name) && self.engine.catalog.is_view(db, name) => Ok(()),
            None => Err(SqlError::new(error::ER_TABLE_NOT_LOCKED, &[&alias])),
            Some(t) if matches!(access, Access::Write | Access::Lock) && !t.write => {
                Err(SqlError::new(error::ER_TABLE_NOT_LOCKED_FOR_WRITE, &[&alias]))
            }
            Some(_) => Ok(()),
        }
    }
}

impl Session {
    /// As [`View::view_stamp`].
    pub(crate) fn view_stamp(&self) -> u64 {
        1 + self.engine.catalog.view_epoch() + self.engine.accounts.epoch()
    }

    /// Database and name that a table's name stands for.
    ///
    /// # Errors
    /// 1046 without a current database, 1103 for impossible names.
    pub(crate) fn table_path(&mut self, t: &TableName) -> SqlResult<(Arc<str>, Arc<str>)> {
        let (view, _) = self.split(b"");
        view.table_path(t)
    }

    /// The table of files behind a name.
    ///
    /// # Errors
    /// As [`View::source`].
    pub(crate) fn base(&mut self, t: &TableName, alias: &str, access: Access) -> SqlResult<Arc<OpenTable>> {
        match self.split(b"").0.source(t, alias, access)? {
            TableSource::Base(t) => Ok(t),
            TableSource::View(v) => {
                Err(SqlError::new(error::ER_WRONG_OBJECT, &[&v.db, &v.name, &"BASE TABLE"]))
            }
            TableSource::Virtual(_) => {
                let (db, name) = self.table_path(t)?;
                if &*db == INFORMATION_SCHEMA {
                    return Err(SqlError::new(error::ER_UNKNOWN_TABLE, &[&t.name, &INFORMATION_SCHEMA]));
                }
                Err(SqlError::new(error::ER_ILLEGAL_HA, &[&"SEQUENCE", &db, &name]))
            }
        }
    }

    /// What a statement says that cannot be bound and would have changed this table alone: one that is read only is refused first.
    #[cold]
    pub(crate) fn read_only_or(&mut self, target: &crate::ast::TableRef, refused: SqlError) -> SqlError {
        let crate::ast::TableRef::Table(t) = target else { return refused };
        match self.base(&t.name, t.alias.as_deref().unwrap_or(&t.name.name), Access::Given) {
            Ok(table) => table.check_writable().err().unwrap_or(refused),
            Err(_) => refused,
        }
    }

    /// Whether a name stands for a sequence: no temporary table of this session has it either.
    pub(crate) fn is_sequence(&self, db: &str, name: &str) -> bool {
        self.temporary(db, name).is_none() && self.engine.catalog.is_sequence(db, name)
    }

    /// The definition behind a name, to be shown, and whether it is that of a temporary table.
    ///
    /// # Errors
    /// As [`View::source`].
    pub(crate) fn shown_definition(
        &mut self,
        t: &TableName,
        access: Access,
    ) -> SqlResult<(Arc<TableDef>, bool)> {
        let (db, name) = self.table_path(t)?;
        if self.is_sequence(&db, &name) {
            let collation = self.engine.catalog.database(&db)?.collation;
            return Ok((Arc::new(sequence::definition(collation)), false));
        }
        if let Some(view) = self.view_of(t)? {
            return Ok((Arc::new(self.view_definition(&view)?), false));
        }
        let table = self.base(t, &name, access)?;
        Ok((Arc::clone(table.def()), table.temporary))
    }

    /// 1192 under LOCK TABLES.
    ///
    /// # Errors
    /// 1192.
    pub(crate) fn forbid_locked(&self) -> SqlResult<()> {
        if self.locks.active {
            return Err(SqlError::new(error::ER_LOCK_OR_ACTIVE_TRANSACTION, &[]));
        }
        Ok(())
    }

    /// 1100 under LOCK TABLES, for statements that change accounts: the first table of MariaDB that they would need is not among
    /// those that are locked.
    ///
    /// # Errors
    /// 1100.
    pub(crate) fn forbid_without_lock(&self, system_table: &str) -> SqlResult<()> {
        if self.locks.active {
            return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED, &[&system_table]));
        }
        Ok(())
    }

    /// How long the running statement waits for locks.
    pub(crate) fn lock_timeout(&self) -> Duration {
        match self.statement.wait {
            LockWait::Default | LockWait::SkipLocked => {
                Duration::from_secs(self.vars.settings.lock_wait_timeout)
            }
            LockWait::Seconds(n) => Duration::from_secs(n),
            LockWait::NoWait => Duration::ZERO,
        }
    }

    /// Counts tables that a statement uses, but those that are the session's own or that LOCK TABLES has locked before.
    pub(crate) fn count_table_locks(&self, tables: &[Arc<OpenTable>]) {
        let lasting = tables.iter().filter(|t| !t.temporary).count();
        if lasting > 0 && !self.locks.active {
            self.connection.counters.add(Counter::TableLocksImmediate, lasting as u64);
        }
    }

    /// INSERT DELAYED cannot write to a table that LOCK TABLES holds.
    ///
    /// # Errors
    /// 1165.
    pub(crate) fn forbid_delayed(&mut self, table: &TableName) -> SqlResult<()> {
        let (db, name) = self.table_path(table)?;
        match self.locks.tables.iter().any(|t| t.db == db && t.name == name) {
            true => Err(SqlError::new(error::ER_DELAYED_INSERT_TABLE_LOCKED, &[&name])),
            false => Ok(()),
        }
    }

    /// Has a table alone.
    ///
    /// # Errors
    /// 1205, 1213, 1317; the internal error of a stale table.
    pub(crate) fn exclusive(&self, table: &OpenTable) -> SqlResult<ExclusiveGuard> {
        let waiter = self.waiter();
        let waiting = waiter.begin("Waiting for table metadata lock", Weight::Other);
        let names = &self.engine.catalog.names;
        let guard = table.pages().exclusive(self.owner(), waiter.timeout, &|| {
            waiting.should_give_up(table.pages(), (&table.db, &table.name), names)
        });
        guard.map_err(|e| stale_or(&e, |e| waiting.error(e, &table.name)))
    }

    /// Has a table's write lock.
    ///
    /// # Errors
    /// 1205, 1213, 1317; the internal error of a stale table.
    pub(crate) fn write_lock(&self, table: &OpenTable) -> SqlResult<TableWriter> {
        match table.pages().write_lock_now(self.owner()) {
            Ok(Some(writer)) => Ok(writer),
            Ok(None) => self.wait_to_lock(table),
            Err(e) => Err(stale_or(&e, |e| from_pages(e, &table.name))),
        }
    }

    #[cold]
    fn wait_to_lock(&self, table: &OpenTable) -> SqlResult<TableWriter> {
        self.count(Counter::TableLocksWaited);
        let waiter = self.waiter();
        let waiting = waiter.begin("Waiting for table level lock", Weight::Rows);
        let names = &self.engine.catalog.names;
        let writer = table.pages().write_lock(self.owner(), waiter.timeout, &|| {
            waiting.should_give_up(table.pages(), (&table.db, &table.name), names)
        });
        writer.map_err(|e| stale_or(&e, |e| waiting.error(e, &table.name)))
    }

    /// Keeps writers away from a table.
    ///
    /// # Errors
    /// 1205, 1213, 1317; the internal error of a stale table.
    pub(crate) fn hold_for_reading(&self, table: &OpenTable) -> SqlResult<Arc<SharedReadLock>> {
        let waiter = self.waiter();
        let waiting = waiter.begin("Waiting for table level lock", Weight::Rows);
        let names = &self.engine.catalog.names;
        let hold = table.hold_for_reading(waiter.timeout, &|| {
            waiting.should_give_up(table.pages(), (&table.db, &table.name), names)
        });
        hold.map_err(|e| stale_or(&e, |e| waiting.error(e, &table.name)))
    }

    /// Does something to a table's files that may have to wait for those who look at them.
    ///
    /// # Errors
    /// Those of `f`; 1205, 1317.
    pub(crate) fn with_wait_limit<T>(
        &self,
        name: &str,
        f: impl FnOnce(&WaitLimit<'_>) -> pages::Result<T>,
    ) -> SqlResult<T> {
        let waiter = self.waiter();
        let waiting = waiter.begin("Waiting for table flush", Weight::Other);
        // Not those who wait: nobody waits with a pin.
        let kill = || waiting.check_untimed(Vec::new).is_err();
        // What ends by itself is waited for even with NOWAIT.
        let wait_limit = WaitLimit::new(waiter.timeout.max(Duration::from_secs(1)), &kill);
        f(&wait_limit).map_err(|e| waiting.error(&e, name))
    }
}

/// The internal error of a stale table, or what `other` says.
fn stale_or(e: &pages::Error, other: impl FnOnce(&pages::Error) -> SqlError) -> SqlError {
    if is_stale(e) { SqlError::stale() } else { other(e) }
}

/// Whether an error says that the table must be opened anew.
pub(crate) fn is_stale(e: &pages::Error) -> bool {
    matches!(e.kind(), pages::ErrorKind::Stale)
}

/// Whether an error says that a table that is read is not there.
pub(crate) fn opens_no_table(e: &SqlError) -> bool {
    matches!(
        e.code,
        error::ER_NO_SUCH_TABLE
            | error::ER_BAD_DB_ERROR
            | error::ER_TABLEACCESS_DENIED_ERROR
            | error::codes::ER_VIEW_INVALID
    )
}

//! The tables that HANDLER ... OPEN has opened for a session, and what closes them.
//!
//! An open one holds the name of its table between statements, and no lock, snapshot or page of it. Who waits to define the table anew
//! gets the name when the session runs another statement than READ, or after a while ([`crate::locks::names`]); the next READ finds
//! its table defined anew or gone.

use std::sync::Arc;

use super::Session;
use super::tables::{Access, TableSource};
use crate::ast::{Flush, MaintainKind, Name, Span, Statement, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::locks::names::{MetadataLockGuard, Mode};
use crate::names::INFORMATION_SCHEMA;
use crate::rights::privilege::SELECT;
use crate::status::Counter;
use crate::table::OpenTable;
use crate::table::row_cursor::RowCursor;

/// A table that HANDLER ... OPEN has opened.
pub(crate) struct OpenHandler {
    /// The name it goes by.
    pub alias: Name,
    pub db: Arc<str>,
    pub name: Arc<str>,
    /// The table as it was opened last.
    pub table: Arc<OpenTable>,
    /// Its name, unless it was given up, or the table is temporary.
    name_hold: Option<MetadataLockGuard>,
    /// Where it stands; taken out while a statement reads.
    pub cursor: Option<Box<RowCursor>>,
    /// Rows that were looked at: they are counted when it is closed.
    pub rows_read: u64,
}

impl OpenHandler {
    /// Whether a name stands for its table.
    fn is_of(&self, t: &TableName, current: Option<&str>) -> bool {
        t.db.as_deref().or(current) == Some(&*self.db) && *t.name == *self.name
    }
}

impl Session {
    /// HANDLER ... OPEN.
    ///
    /// # Errors
    /// 1066 for an alias that is taken, 1031, 1221 and 1347 for what cannot be opened so, 1146, 1142; 1192 under LOCK TABLES.
    pub(crate) fn open_handler(&mut self, t: &TableName, alias: Option<&Name>) -> SqlResult<()> {
        self.forbid_locked()?;
        let alias = alias.unwrap_or(&t.name);
        if self.handlers.iter().any(|h| h.alias.eq_ignore_ascii_case(alias)) {
            return Err(SqlError::new(error::ER_NONUNIQ_TABLE, &[alias]));
        }
        let (db, name) = self.table_path(t)?;
        let (table, name_hold) = self.retry_if_stale(|session| session.free_source(&db, &name))?;
        let (alias, cursor) = (alias.clone(), Some(Box::default()));
        self.handlers.push(OpenHandler { alias, db, name, table, name_hold, cursor, rows_read: 0 });
        Ok(())
    }

    /// The table to open, once no LOCK TABLES ... WRITE of others has it: the name is held for no longer than a moment meanwhile.
    fn free_source(
        &mut self,
        db: &Arc<str>,
        name: &Arc<str>,
    ) -> SqlResult<(Arc<OpenTable>, Option<MetadataLockGuard>)> {
        loop {
            self.connection.check_killed()?;
            let (table, name_hold) = self.handler_source(db, name)?;
            let reader = self.take_reader();
            let begun = reader.begin(&table.all_pages().collect::<Vec<_>>()).map(|_| ());
            self.give_reader(reader);
            match begun {
                Err(e)
                    if matches!(e.kind(), pages::ErrorKind::ExclusivelyLocked)
                        && self.engine.catalog.names.is_locked_alone(db, name) =>
                {
                    drop(name_hold);
                    self.let_go_of_handlers_to_wait();
                    self.statement.blocked_by = vec![table];
                    self.wait_for_blockers()?;
                }
                // whatever else is wrong with it is told by READ
                _ => return Ok((table, name_hold)),
            }
        }
    }

    /// The table behind a name with a hold of the name, when HANDLER can read it.
    fn handler_source(
        &mut self,
        db: &Arc<str>,
        name: &Arc<str>,
    ) -> SqlResult<(Arc<OpenTable>, Option<MetadataLockGuard>)> {
        if self.temporary(db, name).is_some() || &**db == INFORMATION_SCHEMA {
            return Ok((self.readable_table(db, name)?, None));
        }
        // who may not read it waits for nothing
        self.rights.need_table(db, name, SELECT)?;
        let names = vec![((Arc::clone(db), Arc::clone(name)), Mode::Handler)];
        let hold = self.engine.catalog.names.hold(names, self.owner(), || self.waiter())?;
        Ok((self.readable_table(db, name)?, Some(hold)))
    }

    /// The table behind a name, when HANDLER can read it.
    fn readable_table(&mut self, db: &Arc<str>, name: &Arc<str>) -> SqlResult<Arc<OpenTable>> {
        let path =
            TableName { db: Some(Name::from(&**db)), name: Name::from(&**name), span: Span::default() };
        match self.split(b"").0.source(&path, name, Access::Read)? {
            TableSource::Base(table) if table.children().is_some() => {
                Err(SqlError::new(error::ER_ILLEGAL_HA, &[&table.engine().info().name, db, name]))
            }
            TableSource::Base(table) => Ok(table),
            TableSource::Virtual(_) if &**db == INFORMATION_SCHEMA => {
                Err(SqlError::new(error::ER_WRONG_USAGE, &[&"HANDLER OPEN", &INFORMATION_SCHEMA]))
            }
            TableSource::Virtual(_) if self.is_sequence(db, name) => {
                Err(SqlError::new(error::ER_ILLEGAL_HA, &[&"SEQUENCE", db, name]))
            }
            TableSource::Virtual(_) | TableSource::View(_) => {
                Err(SqlError::new(error::ER_WRONG_OBJECT, &[db, name, &"BASE TABLE"]))
            }
        }
    }

    /// The number of the handler of that name.
    ///
    /// # Errors
    /// 1109 when there is none, 1192 under LOCK TABLES.
    pub(crate) fn find_handler(&self, alias: &str) -> SqlResult<usize> {
        self.forbid_locked()?;
        let found = self.handlers.iter().position(|h| h.alias.eq_ignore_ascii_case(alias));
        found.ok_or_else(|| SqlError::new(error::ER_UNKNOWN_TABLE, &[&alias, &"HANDLER"]))
    }

    /// The table of a handler, opened again when it was closed or defined anew since: the position is given up then.
    ///
    /// # Errors
    /// 1146 when it is gone, 1142 when it may not be read any more.
    pub(crate) fn handler_table(&mut self, at: usize) -> SqlResult<Arc<OpenTable>> {
        let handler = &self.handlers[at];
        if !handler.table.is_stale() && (handler.name_hold.is_some() || handler.table.temporary) {
            return Ok(Arc::clone(&handler.table));
        }
        let (db, name) = (Arc::clone(&handler.db), Arc::clone(&handler.name));
        self.handlers[at].name_hold = None;
        let (table, name_hold) = self.handler_source(&db, &name)?;
        let handler = &mut self.handlers[at];
        handler.name_hold = name_hold;
        let same = handler.table.is_flushed() && handler.table.def().uuid == table.def().uuid;
        // who gave its name up to wait for a lock finds it as it was
        let untouched = Arc::ptr_eq(&handler.table, &table);
        if let Some(cursor) = handler.cursor.as_mut().filter(|_| !untouched) {
            if same { cursor.reopen(&table) } else { cursor.forget() }
        }
        handler.table = Arc::clone(&table);
        Ok(table)
    }

    /// HANDLER ... CLOSE.
    ///
    /// # Errors
    /// 1109 when there is none of that name, 1192 under LOCK TABLES.
    pub(crate) fn close_handler(&mut self, alias: &str) -> SqlResult<()> {
        let at = self.find_handler(alias)?;
        let handler = self.state.handlers.remove(at);
        self.count_rows_of(&handler);
        Ok(())
    }

    /// Rows that a handler looked at are counted when it is closed, as the reference server counts them.
    fn count_rows_of(&self, handler: &OpenHandler) {
        self.connection.counters.add(Counter::RowsRead, handler.rows_read);
    }

    /// Closes all: the session ends.
    pub(super) fn close_all_handlers(&mut self) {
        for handler in std::mem::take(&mut self.state.handlers) {
            self.count_rows_of(&handler);
        }
    }

    /// Closes the handlers of tables that a statement of this session defines anew or maintains, whether it succeeds or not;
    /// FLUSH takes their positions only.
    pub(crate) fn close_handlers_for(&mut self, statement: &Statement) {
        use Statement as S;
        let one = std::slice::from_ref;
        match statement {
            S::CreateTable(c) => self.close_handlers_of(one(&c.name)),
            S::AlterTable(a) => self.close_handlers_of(one(&a.name)),
            S::DropTable(d) | S::DropView(d) => self.close_handlers_of(&d.names),
            S::RenameTable(r) => r.pairs.iter().for_each(|(from, _)| self.close_handlers_of(one(from))),
            S::Truncate(t, _) => self.close_handlers_of(one(t)),
            S::CreateIndex(c) => self.close_handlers_of(one(&c.table)),
            S::DropIndex(d) => self.close_handlers_of(one(&d.table)),
            S::DropDatabase { name, .. } => self.close_handlers_where(|h| *h.db == **name),
            S::Maintain(m) if m.kind != MaintainKind::Checksum => self.close_handlers_of(&m.tables),
            S::CacheIndex(c) | S::LoadIndex(c) => {
                c.tables.iter().for_each(|t| self.close_handlers_of(one(&t.table)));
            }
            S::Flush(Flush::Tables { tables, read_lock, export }) => match &tables[..] {
                // who holds the lock already flushes nothing
                [] if *read_lock && self.global_read_hold.is_none() => {
                    self.lose_positions(|h| !h.table.temporary);
                }
                list if !*read_lock && !*export => {
                    let current = self.db.clone();
                    self.lose_positions(|h| list.iter().any(|t| h.is_of(t, current.as_deref())));
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Gives up the names that somebody waits for, and the positions in those tables.
    pub(crate) fn let_go_of_handlers(&mut self) {
        let names = Arc::clone(&self.engine.catalog.names);
        let owner = self.owner();
        for handler in self.state.handlers.iter_mut().filter(|h| h.name_hold.is_some()) {
            let name = (Arc::clone(&handler.db), Arc::clone(&handler.name));
            if names.is_handler_in_the_way(&name, owner) {
                handler.name_hold = None;
                if let Some(cursor) = &mut handler.cursor {
                    cursor.forget();
                }
            }
        }
    }

    /// Gives up all names: the statement waits for who has a table alone, and may want to drop it.
    pub(super) fn let_go_of_handlers_to_wait(&mut self) {
        for handler in &mut self.state.handlers {
            handler.name_hold = None;
        }
    }

    fn close_handlers_of(&mut self, names: &[TableName]) {
        let current = self.db.clone();
        self.close_handlers_where(|h| names.iter().any(|t| h.is_of(t, current.as_deref())));
    }

    /// Closes the handlers of a table.
    pub(crate) fn close_handlers_of_table(&mut self, db: &str, table: &str) {
        self.close_handlers_where(|h| *h.db == *db && *h.name == *table && !h.table.temporary);
    }

    fn close_handlers_where(&mut self, closes: impl Fn(&OpenHandler) -> bool) {
        let all = std::mem::take(&mut self.state.handlers);
        let (gone, left) = all.into_iter().partition::<Vec<_>, _>(|h| closes(h));
        self.state.handlers = left;
        gone.iter().for_each(|h| self.count_rows_of(h));
    }

    fn lose_positions(&mut self, of: impl Fn(&OpenHandler) -> bool) {
        for handler in self.state.handlers.iter_mut().filter(|h| of(h)) {
            if let Some(cursor) = &mut handler.cursor {
                cursor.forget();
            }
        }
    }
}

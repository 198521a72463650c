//! MERGE tables of a session: the tables under them, among which those of the session go before others, and locks on them.

use std::sync::Arc;

use super::locked::LockedTable;
use super::tables::Access;
use super::{Session, View};
use crate::ast::{Name, Span, TableName};
use crate::error::{SqlError, SqlResult, codes};
use crate::table::{OpenTable, merge};

impl View<'_> {
    /// A temporary table as it is to be used: a MERGE table with the tables that its list names now.
    ///
    /// # Errors
    /// 1168 and 1472 for tables that do not belong under it.
    pub(crate) fn resolved(&self, table: &Arc<OpenTable>) -> SqlResult<Arc<OpenTable>> {
        if !merge::is_merge(table.def()) {
            return Ok(Arc::clone(table));
        }
        let (db, name) = (Arc::clone(&table.db), Arc::clone(&table.name));
        let bare = OpenTable::of_table(db, name, Arc::clone(table.stored()), true);
        let children = merge::open_children(&bare, |db, name| {
            match self.temporary.iter().find(|t| &*t.db == db && &*t.name == name) {
                Some(own) if merge::is_merge(own.def()) => {
                    Err(SqlError::new(codes::ER_ADMIN_WRONG_MRG_TABLE, &[&name]))
                }
                Some(own) => Ok(Arc::clone(own)),
                None => {
                    self.engine.catalog.check_child(db, name)?;
                    self.engine.catalog.table(db, name, &|| self.waiter())
                }
            }
        })?;
        Ok(Arc::new(bare.over(children)))
    }

    /// Under LOCK TABLES the lasting tables under a temporary MERGE table are used as if the statement named them.
    ///
    /// # Errors
    /// 1099 and 1100.
    pub(super) fn check_lasting_children(&self, table: &OpenTable, access: Access) -> SqlResult<()> {
        let mut lasting = table.named_children().iter().filter(|t| !t.temporary);
        lasting.try_for_each(|t| self.check_locked(&t.db, &t.name, &t.name, access))
    }

    /// Under LOCK TABLES a MERGE table has lost its lock with that of a table under it, though that may be what keeps it from being
    /// opened.
    ///
    /// # Errors
    /// 1100.
    pub(super) fn check_children_locked(
        &self,
        opened: Result<&Arc<OpenTable>, &SqlError>,
        (db, name): (&str, &str),
    ) -> SqlResult<()> {
        if !self.locks.active {
            return Ok(());
        }
        let free = match opened {
            Ok(table) => table
                .named_children()
                .iter()
                .map(|t| (&t.db, &t.name))
                .find(|(d, n)| !self.locks.has(d, n))
                .map(|(_, n)| Arc::clone(n)),
            Err(e) if e.code == codes::ER_WRONG_MRG_TABLE => self
                .engine
                .catalog
                .children(db, name)
                .into_iter()
                .find(|(d, n)| !self.locks.has(d, n))
                .map(|(_, n)| n),
            Err(_) => None,
        };
        free.map_or(Ok(()), |name| Err(SqlError::new(crate::error::ER_TABLE_NOT_LOCKED, &[&name])))
    }

    /// A lasting MERGE table is not over temporary tables, which hide the lasting ones of their names.
    ///
    /// # Errors
    /// 1168.
    pub(crate) fn check_hidden(&self, table: &OpenTable) -> SqlResult<()> {
        let Some(children) = table.children() else { return Ok(()) };
        let hidden = |t: &Arc<OpenTable>| self.temporary.iter().any(|o| o.db == t.db && o.name == t.name);
        match children.tables().iter().any(hidden) {
            true => Err(SqlError::new(codes::ER_WRONG_MRG_TABLE, &[])),
            false => Ok(()),
        }
    }
}

impl Session {
    /// A table by its path, with the tables under it when it is a MERGE table.
    ///
    /// # Errors
    /// As [`View::source`].
    pub(crate) fn open_path(&mut self, db: &str, name: &str) -> SqlResult<Arc<OpenTable>> {
        let path = TableName { db: Some(Name::from(db)), name: Name::from(name), span: Span::default() };
        self.base(&path, name, Access::Shown)
    }

    /// The lasting tables under temporary MERGE tables that LOCK TABLES names.
    ///
    /// # Errors
    /// 1168 and 1472.
    pub(super) fn under_temporary(&mut self, wanted: &[LockedTable]) -> SqlResult<Vec<LockedTable>> {
        let mut found = Vec::new();
        for w in wanted {
            let Some(table) = self.temporary(&w.db, &w.name) else { continue };
            if !merge::is_merge(table.def()) {
                continue;
            }
            let table = self.split(b"").0.resolved(&table)?;
            for t in table.children().into_iter().flat_map(merge::Children::tables) {
                found.push(LockedTable::implicit(&t.db, &t.name, w.write));
            }
        }
        Ok(found)
    }

    /// Adds the tables under MERGE tables, and partitions, to those that LOCK TABLES takes.
    ///
    /// # Errors
    /// 1168 and 1472.
    pub(super) fn add_children(&mut self, wanted: &mut Vec<LockedTable>) -> SqlResult<()> {
        let engine = Arc::clone(&self.engine);
        for at in 0..wanted.len() {
            let (db, name, write) =
                (Arc::clone(&wanted[at].db), Arc::clone(&wanted[at].name), wanted[at].write);
            let children = engine.catalog.children(&db, &name);
            if !children.is_empty() {
                // those that do not belong there are told of in its name
                engine.catalog.table(&db, &name, &|| self.waiter())?;
            }
            for (db, name) in children.into_iter().chain(engine.catalog.partitions(&db, &name)) {
                wanted.push(LockedTable::implicit(&db, &name, write));
            }
        }
        Ok(())
    }

    /// Whether what [`Session::add_children`] added behind the first `named` tables is still what lies under them.
    pub(super) fn are_children(&self, wanted: &[LockedTable], named: usize) -> bool {
        let catalog = &self.engine.catalog;
        let under = |t: &LockedTable| {
            let children = catalog.children(&t.db, &t.name).into_iter();
            children.chain(catalog.partitions(&t.db, &t.name))
        };
        let (named, children) = wanted.split_at(named);
        let children = children.iter().map(|t| (&*t.db, &*t.name));
        let now: Vec<_> = named.iter().flat_map(under).collect();
        children.eq(now.iter().map(|(db, name)| (&**db, &**name)))
    }
}

//! A table that is open.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use isam::{CrashMarks, Table};
use pages::{PagedTable, Store};
use schema::definition::TableDef;

use crate::error::SqlResult;
use crate::failure;

/// An open table; statements and plans share it. After a definition statement the object is
/// stale and a new one takes its name.
pub struct OpenTable {
    /// Database.
    pub db: Arc<str>,
    /// Name.
    pub name: Arc<str>,
    /// Number of this opening: another one of the same name may differ in definition.
    pub version: u64,
    /// The table itself.
    pub table: Arc<Table>,
    /// A TEMPORARY table: of one session.
    pub temporary: bool,
    stale: AtomicBool,
    readers: parking_lot::Mutex<std::sync::Weak<ReadHold>>,
    /// The definition has expressions.
    pub(super) has_rules: bool,
    /// They, compiled.
    pub(super) rules: std::sync::OnceLock<Arc<super::rules::Rules>>,
}

impl OpenTable {
    /// Opens a table's files.
    ///
    /// # Errors
    /// 1146 when there is no such table, and the errors of damaged files.
    pub(super) fn open(
        store: &Arc<Store>,
        _datadir: &Path,
        db: &str,
        name: &str,
        version: u64,
    ) -> SqlResult<OpenTable> {
        let table = Table::open(store, db, name).map_err(|e| failure::from_isam(&e, db, name))?;
        Ok(OpenTable { version, ..OpenTable::of_table(Arc::from(db), Arc::from(name), table, false) })
    }

    /// Opens a table that is marked as crashed, for a check or a repair only.
    ///
    /// # Errors
    /// Those of its files.
    pub(crate) fn open_crashed(store: &Arc<Store>, db: &Arc<str>, name: &Arc<str>) -> SqlResult<OpenTable> {
        let error = |e: isam::Error| failure::from_isam(&e, db, name);
        let schema::frm::Frm::Table(def) = Table::read_definition(store, db, name).map_err(error)? else {
            return Err(failure::no_such_table(db, name));
        };
        let table = Table::open_with(store, db, name, Arc::new(*def), CrashMarks::Accept).map_err(error)?;
        Ok(OpenTable::of_table(Arc::clone(db), Arc::clone(name), table, false))
    }

    /// A table that was opened by other means.
    pub(crate) fn of_table(db: Arc<str>, name: Arc<str>, table: Arc<Table>, temporary: bool) -> OpenTable {
        OpenTable {
            db,
            name,
            version: 0,
            has_rules: super::rules::has_rules(&table.def),
            table,
            temporary,
            stale: AtomicBool::new(false),
            readers: parking_lot::Mutex::default(),
            rules: std::sync::OnceLock::new(),
        }
    }

    /// Its definition.
    pub fn def(&self) -> &Arc<TableDef> {
        &self.table.def
    }

    /// Its pages.
    pub fn pages(&self) -> &Arc<PagedTable> {
        &self.table.pages
    }

    /// Whether a definition statement made this object stale: open the name again.
    #[inline]
    pub fn is_stale(&self) -> bool {
        self.stale.load(Ordering::Acquire) || self.table.pages.is_stale()
    }

    /// Makes this object stale.
    pub(crate) fn set_stale(&self) {
        self.stale.store(true, Ordering::Release);
    }

    /// An error of this table's files as an error for the client.
    #[cold]
    pub fn error(&self, e: &isam::Error) -> crate::error::SqlError {
        failure::from_isam(e, &self.db, &self.name)
    }
}

/// Keeps writers away from a table while somebody holds it for reading; shared by all sessions
/// that do.
pub struct ReadHold {
    writer: parking_lot::Mutex<pages::TableWriter>,
}

impl ReadHold {
    /// Makes the table's files whole for other programs, as they stay while the table is held.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn make_clean(&self, store: &Store, patience: &pages::Patience<'_>) -> pages::Result<()> {
        store.make_clean(&mut self.writer.lock(), patience)
    }

    /// Reads the table as it stays while it is held: without a snapshot or pin, for which others would have to keep old
    /// versions.
    pub(crate) fn read<T>(&self, f: impl FnOnce(&pages::TableWriter) -> T) -> T {
        f(&self.writer.lock())
    }
}

impl OpenTable {
    /// Joins those who hold the table for reading (LOCK TABLES ... READ).
    ///
    /// # Errors
    /// When a writer does not end in time, or the waiting session is killed.
    pub fn hold_for_reading(
        &self,
        timeout: std::time::Duration,
        killed: &dyn Fn() -> bool,
    ) -> pages::Result<Arc<ReadHold>> {
        let patience = pages::Patience::new(timeout, killed);
        // Somebody else may be waiting for the writers already, for all who come.
        let mut shared = loop {
            if let Some(shared) = self.readers.try_lock_for(std::time::Duration::from_millis(50)) {
                break shared;
            }
            patience.check()?;
        };
        if let Some(hold) = shared.upgrade() {
            return Ok(hold);
        }
        // Nobody owns this lock: the sessions that share it come and go.
        let owner = u64::MAX - u64::from(self.pages().id());
        let writer = self.pages().write_lock(owner, timeout, killed)?;
        let hold = Arc::new(ReadHold { writer: parking_lot::Mutex::new(writer) });
        *shared = Arc::downgrade(&hold);
        Ok(hold)
    }
}

impl OpenTable {
    /// The state of the table as of now: row count, lengths, statistics. Waits for nobody.
    pub fn state(&self) -> Vec<u8> {
        self.pages().latest_state()
    }

    /// The highest AUTO_INCREMENT value handed out so far.
    pub fn counter(&self) -> u64 {
        self.pages().auto_increment().load(Ordering::Acquire)
    }
}

//! A table that is open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use isam::{CrashMarks, CreateSettings};
use pages::{PagedTable, Store};
use schema::definition::TableDef;

use super::engine::{self, KeyOrder, OpenSettings, StorageEngine, engine_of};
use super::failure::from_engine;
use super::{
    EngineError, KeyInfo, Near, PageSource, RowBuf, RowPos, RowScratch, RowView, StoredTable, TableFormat,
    TableState,
};
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
    pub(in crate::table) stored: Arc<StoredTable>,
    /// A TEMPORARY table: of one session.
    pub temporary: bool,
    engine: &'static dyn StorageEngine,
    /// How the entries of each key are found.
    orders: Box<[KeyOrder]>,
    stale: AtomicBool,
    /// It was closed for no other reason than FLUSH TABLES.
    flushed: AtomicBool,
    readers: parking_lot::Mutex<std::sync::Weak<SharedReadLock>>,
    /// INSERTs that wait for each other.
    pub(crate) inserts: super::insert_queue::InsertQueue,
    /// The definition has expressions.
    pub(crate) has_rules: bool,
    /// Some of them ask sequences.
    pub(crate) asks_sequences: bool,
    /// The tables under a MERGE table.
    children: Option<super::merge::Children>,
    /// Its triggers.
    pub(crate) triggers: Option<Arc<super::triggers::Triggers>>,
    /// How rows find their partitions, built on first use.
    pub(crate) routing: std::sync::OnceLock<Arc<super::partition::routing::Routing>>,
    /// The table of which this one shows some partitions.
    whole: Option<Arc<OpenTable>>,
    /// The numbers of a sequence that are reserved.
    pub(crate) numbers: parking_lot::Mutex<super::numbers::Stock>,
    /// Compiled rules, built on first use.
    pub(crate) rules: std::sync::OnceLock<Arc<super::rules::Rules>>,
}

impl OpenTable {
    /// Opens a table's files.
    ///
    /// # Errors
    /// 1146 when there is no such table, and the errors of damaged files.
    pub(crate) fn open(
        store: &Arc<Store>,
        (db, name): (&str, &str),
        version: u64,
        settings: CreateSettings,
    ) -> SqlResult<OpenTable> {
        let settings = OpenSettings { create: settings, marks: CrashMarks::Refuse };
        let table = engine::open(store, db, name, &settings).map_err(|e| from_engine(&e, db, name))?;
        let triggers = super::triggers::Triggers::read(store, db, name, &table.def)?;
        let open = OpenTable::of_table(Arc::from(db), Arc::from(name), table, false);
        Ok(OpenTable { version, triggers, ..open })
    }

    /// Opens a table that is marked as crashed, for a check or a repair only.
    ///
    /// # Errors
    /// Those of its files.
    pub(crate) fn open_crashed(store: &Arc<Store>, db: &Arc<str>, name: &Arc<str>) -> SqlResult<OpenTable> {
        let error = |e: EngineError| from_engine(&e, db, name);
        let schema::frm::Frm::Table(def) = engine::read_definition(store, db, name).map_err(error)? else {
            return Err(failure::no_such_table(db, name));
        };
        let settings = OpenSettings { create: CreateSettings::default(), marks: CrashMarks::Accept };
        let table = engine_of(&def).open(store, (db, name), Arc::new(*def), &settings).map_err(error)?;
        OpenTable::of_table(Arc::clone(db), Arc::clone(name), table, false)
            .over_partitions(store, CrashMarks::Accept)
    }

    /// A table that was opened by other means.
    pub(crate) fn of_table(
        db: Arc<str>,
        name: Arc<str>,
        stored: Arc<StoredTable>,
        temporary: bool,
    ) -> OpenTable {
        OpenTable {
            db,
            name,
            version: 0,
            has_rules: super::rules::has_rules(&stored.def),
            asks_sequences: super::numbers::are_asked(&stored.def),
            engine: engine_of(&stored.def),
            orders: stored.def.keys.iter().map(|key| engine_of(&stored.def).key_order(key)).collect(),
            stored,
            temporary,
            stale: AtomicBool::new(false),
            flushed: AtomicBool::new(false),
            readers: parking_lot::Mutex::default(),
            inserts: super::insert_queue::InsertQueue::default(),
            children: None,
            triggers: None,
            routing: std::sync::OnceLock::new(),
            whole: None,
            numbers: parking_lot::Mutex::default(),
            rules: std::sync::OnceLock::new(),
        }
    }

    /// The same table with these partitions alone.
    pub(crate) fn with_partitions(self: &Arc<OpenTable>, numbers: Vec<usize>) -> Arc<OpenTable> {
        let Some(children) = &self.children else { return Arc::clone(self) };
        let (db, name) = (Arc::clone(&self.db), Arc::clone(&self.name));
        let part = OpenTable::of_table(db, name, Arc::clone(&self.stored), self.temporary);
        Arc::new(OpenTable {
            version: self.version,
            children: Some(children.only(numbers)),
            triggers: self.triggers.clone(),
            whole: Some(Arc::clone(self)),
            ..part
        })
    }

    /// The tables under it, when it is a MERGE table.
    #[inline]
    pub fn children(&self) -> Option<&super::merge::Children> {
        self.children.as_ref()
    }

    /// The tables under it that statements may name as well: none but those of a MERGE table.
    pub(crate) fn named_children(&self) -> &[Arc<OpenTable>] {
        self.children().filter(|c| !c.are_partitions()).map_or(&[], |c| c.tables())
    }

    /// The same MERGE table over these tables.
    pub(crate) fn over(self, children: super::merge::Children) -> OpenTable {
        OpenTable { children: Some(children), ..self }
    }

    /// The table that has the row at a position, and its place there: another one than this for a MERGE table.
    pub(crate) fn part_at(&self, pos: RowPos) -> (&OpenTable, RowPos) {
        let Some(children) = &self.children else { return (self, pos) };
        let (number, place) = super::merge::inner(pos);
        children.tables().get(number).map_or((self, pos), |table| (&**table, place))
    }

    /// Whether new rows may be inserted: into a MERGE table only where it says which table takes them.
    ///
    /// # Errors
    /// 1036.
    pub fn check_insertable(&self) -> SqlResult<()> {
        match &self.children {
            Some(children) if children.insert().is_none() => Err(self.error(&EngineError::ReadOnly)),
            _ => Ok(()),
        }
    }

    /// Its definition.
    pub fn def(&self) -> &Arc<TableDef> {
        &self.stored.def
    }

    /// Its pages.
    pub fn pages(&self) -> &Arc<PagedTable> {
        &self.stored.pages
    }

    /// The table whose rows it shows.
    pub fn stored(&self) -> &Arc<StoredTable> {
        &self.stored
    }

    /// How its rows and keys are stored.
    #[inline]
    pub fn format(&self) -> &Arc<TableFormat> {
        &self.stored.format
    }

    /// Whether its rows may be changed: those of compressed tables may not.
    ///
    /// # Errors
    /// 1036.
    #[inline]
    pub fn check_writable(&self) -> SqlResult<()> {
        if self.is_sequence() {
            let e = crate::error::ER_ILLEGAL_HA;
            return Err(crate::error::SqlError::new(e, &[&"SEQUENCE", &self.db, &self.name]));
        }
        let sealed = |t: &OpenTable| t.format().header.is_compressed();
        match sealed(self) || self.children().is_some_and(|c| c.tables().iter().any(|t| sealed(t))) {
            true => Err(self.error(&EngineError::ReadOnly)),
            false => Ok(()),
        }
    }

    /// Its keys, in the order of the definition.
    #[inline]
    pub fn keys(&self) -> &[Arc<KeyInfo>] {
        &self.stored.format.keys
    }

    /// Its engine.
    pub fn engine(&self) -> &'static dyn StorageEngine {
        self.engine
    }

    /// How the entries of a key can be found.
    #[inline]
    pub fn key_order(&self, key: usize) -> KeyOrder {
        self.orders[key]
    }

    /// A state of the table, read as a whole before: row count, lengths, statistics.
    pub fn state_of<'a>(&self, state: &'a [u8]) -> TableState<'a> {
        TableState::new(state, self.stored.format.offsets)
    }

    /// The state as `src` sees it.
    #[inline]
    pub fn state_in<'a, S: PageSource>(&self, src: &'a S) -> TableState<'a> {
        self.stored.format.state(src)
    }

    /// The row at a position.
    ///
    /// # Errors
    /// That it was deleted; damaged files.
    #[inline]
    pub fn row<'a, S: PageSource>(
        &'a self,
        src: &'a S,
        pos: RowPos,
        scratch: &'a mut RowScratch,
    ) -> Result<RowView<'a>, EngineError> {
        self.stored.format.row(src, pos, scratch)
    }

    /// As [`OpenTable::row`], for rows that may follow each other.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn row_near<'a, 's: 'a, S: PageSource>(
        &'a self,
        src: &'s S,
        near: &mut Near<'s>,
        pos: RowPos,
        scratch: &'a mut RowScratch,
    ) -> Result<RowView<'a>, EngineError> {
        self.stored.format.row_near(src, near, pos, scratch)
    }

    /// Room for a row of this table.
    pub fn new_row(&self) -> RowBuf {
        RowBuf::new(&self.stored.format.layout)
    }

    /// Whether it is an SQL sequence.
    pub fn is_sequence(&self) -> bool {
        self.def().options.sequence == Some(true)
    }

    /// Whether a definition statement made this object stale: open the name again.
    #[inline]
    pub fn is_stale(&self) -> bool {
        self.stale.load(Ordering::Acquire)
            || self.stored.pages.is_stale()
            || self.children.as_ref().is_some_and(super::merge::Children::are_stale)
            || self.whole.as_ref().is_some_and(|t| t.is_stale())
    }

    /// It is closed by FLUSH TABLES: whoever opens it again finds the same table.
    pub(crate) fn set_flushed(&self) {
        self.flushed.store(true, Ordering::Release);
    }

    /// Whether it was closed by FLUSH TABLES alone.
    pub(crate) fn is_flushed(&self) -> bool {
        self.flushed.load(Ordering::Acquire)
    }

    /// Makes this object stale.
    pub(crate) fn set_stale(&self) {
        self.stale.store(true, Ordering::Release);
    }

    /// An error of this table's files as an error for the client.
    #[cold]
    pub fn error(&self, e: &EngineError) -> crate::error::SqlError {
        from_engine(e, &self.db, &self.name)
    }
}

/// Keeps writers away from a table while somebody holds it for reading; shared by all sessions
/// that do. One of them may write beside the others (WRITE CONCURRENT): its statements take the writer out.
pub struct SharedReadLock {
    writer: parking_lot::Mutex<Option<pages::TableWriter>>,
    given: parking_lot::Condvar,
}

/// How often who waits for a statement that has the writer looks again.
const LOOK_AGAIN: std::time::Duration = std::time::Duration::from_millis(50);

impl SharedReadLock {
    /// Makes the table's files whole for other programs, as they stay while the table is held.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn flush_and_unguard(
        &self,
        store: &Store,
        wait_limit: &pages::WaitLimit<'_>,
    ) -> pages::Result<()> {
        store.flush_and_unguard(&mut *self.borrow(wait_limit)?, wait_limit)
    }

    /// The writer until what is returned is dropped, whatever becomes of its user.
    ///
    /// # Errors
    /// `LockTimeout`, `Killed`.
    fn borrow(
        &self,
        wait_limit: &pages::WaitLimit<'_>,
    ) -> pages::Result<impl std::ops::DerefMut<Target = pages::TableWriter>> {
        Ok(scopeguard::guard(self.take(wait_limit)?, |writer| self.give(writer)))
    }

    /// Takes the writer out, when the statement that has it has ended.
    ///
    /// # Errors
    /// `LockTimeout`, `Killed`.
    pub(crate) fn take(&self, wait_limit: &pages::WaitLimit<'_>) -> pages::Result<pages::TableWriter> {
        pages::assert_unpinned();
        let mut place = self.writer.lock();
        loop {
            if let Some(writer) = place.take() {
                return Ok(writer);
            }
            wait_limit.check()?;
            self.given.wait_for(&mut place, LOOK_AGAIN);
        }
    }

    /// Gives it back.
    pub(crate) fn give(&self, writer: pages::TableWriter) {
        *self.writer.lock() = Some(writer);
        self.given.notify_all();
    }

    /// Reads the table as it stays while it is held: without a snapshot or pin, for which others would have to keep old
    /// versions.
    ///
    /// # Errors
    /// `LockTimeout`, `Killed`.
    pub(crate) fn read<T>(
        &self,
        wait_limit: &pages::WaitLimit<'_>,
        f: impl FnOnce(&pages::TableWriter) -> T,
    ) -> pages::Result<T> {
        Ok(f(&*self.borrow(wait_limit)?))
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
    ) -> pages::Result<Arc<SharedReadLock>> {
        let wait_limit = pages::WaitLimit::new(timeout, killed);
        // Somebody else may be waiting for the writers already, for all who come.
        let mut shared = loop {
            if let Some(shared) = self.readers.try_lock_for(std::time::Duration::from_millis(50)) {
                break shared;
            }
            wait_limit.check()?;
        };
        if let Some(hold) = shared.upgrade() {
            return Ok(hold);
        }
        // Nobody owns this lock: the sessions that share it come and go.
        let owner = u64::MAX - u64::from(self.pages().id());
        let writer = self.pages().write_lock(owner, timeout, killed)?;
        let hold = Arc::new(SharedReadLock {
            writer: parking_lot::Mutex::new(Some(writer)),
            given: parking_lot::Condvar::new(),
        });
        *shared = Arc::downgrade(&hold);
        Ok(hold)
    }
}

impl OpenTable {
    /// The state of the table as of now: row count, lengths, statistics. Waits for nobody.
    pub fn state(&self) -> Vec<u8> {
        let own = self.pages().latest_state();
        let Some(children) = &self.children else { return own };
        let states: Vec<_> = children.read().map(|(_, t)| t.state()).collect();
        children.sum(self.format(), own, &states)
    }

    /// The state as a snapshot shows it.
    pub(crate) fn state_at(&self, snapshot: &pages::Snapshot<'_>) -> pages::Result<Vec<u8>> {
        let pin = snapshot.pin();
        let state = |t: &OpenTable| pin.table(t.pages()).map(|view| view.state().to_vec());
        let Some(children) = &self.children else { return state(self) };
        let states = children.read().map(|(_, t)| state(t)).collect::<pages::Result<Vec<_>>>()?;
        Ok(children.sum(self.format(), self.pages().latest_state(), &states))
    }

    /// The pages that a statement reads for it: its own, or those of the tables under it as well.
    pub(crate) fn all_pages(&self) -> impl Iterator<Item = &Arc<PagedTable>> {
        std::iter::once(self.pages()).chain(self.children.iter().flat_map(super::merge::Children::pages))
    }

    /// The highest AUTO_INCREMENT value handed out so far.
    pub fn counter(&self) -> u64 {
        let counter = |t: &OpenTable| t.pages().auto_increment().load(Ordering::Acquire);
        match &self.children {
            Some(children) => children.tables().iter().map(|t| counter(t)).max().unwrap_or(0),
            None => counter(self),
        }
    }
}

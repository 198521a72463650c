//! Interface first; the bodies follow.
#![allow(missing_docs, unused_variables, clippy::todo)]
use crate::Result;
use crate::storage::Storage;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// Number of a journal record; snapshots and versions are ordered by it.
pub type Lsn = u64;

/// One of a table's two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum File {
    /// `NAME.MYI`
    Index,
    /// `NAME.MYD`
    Data,
}

/// What an acknowledged change survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// A power cut, at once (group commit).
    Commit,
    /// A power cut loses at most about a second; a kill of the process nothing.
    Second,
    /// A kill of the process loses nothing; a power cut what the system had not written yet.
    None,
}

/// Settings of a store.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// See [`Durability`]; can be changed with [`Store::set_durability`].
    pub durability: Durability,
    /// Bytes the journal may take before writers wait for the checkpoint.
    pub journal_size: u64,
    /// Bytes of one journal segment.
    pub segment_size: usize,
    /// Time between checkpoints.
    pub checkpoint_interval: Duration,
    /// A table with no write for so long is made clean (and unguarded) by the next checkpoint.
    pub idle_after: Duration,
    /// Run the background threads (tests that count every write turn it off).
    pub background: bool,
}

impl Default for StoreOptions {
    fn default() -> Self {
        StoreOptions {
            durability: Durability::Second,
            journal_size: 256 << 20,
            segment_size: 16 << 20,
            checkpoint_interval: Duration::from_secs(30),
            idle_after: Duration::from_secs(5),
            background: true,
        }
    }
}

/// Where pages finds the fields of the state blob that it must know. Offsets in bytes; 8-byte big-endian fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateLayout {
    /// Length of the index file in use.
    pub index_len_at: usize,
    /// Length of the data file in use.
    pub data_len_at: usize,
    /// The byte that holds the guard bit.
    pub guard_at: usize,
    /// The guard bit.
    pub guard_mask: u8,
    /// The 8 bytes of the stamp.
    pub stamp_at: usize,
    /// The AUTO_INCREMENT value.
    pub auto_increment_at: usize,
}

impl StateLayout {
    /// The `.MYI` header.
    pub const MYI: StateLayout = StateLayout {
        index_len_at: 60,
        data_len_at: 68,
        guard_at: 4,
        guard_mask: 0x08,
        stamp_at: 108,
        auto_increment_at: 92,
    };
}

/// How the data file is cut into pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataPaging {
    /// Rows of one length; a page is a run of whole rows near 8 KiB, so that no row straddles.
    FixedRows {
        /// Bytes from row to row.
        row_len: usize,
    },
    /// Pages of 4 KiB.
    Bytes4K,
}

/// A table to attach.
#[derive(Clone, Debug)]
pub struct TableSpec {
    /// Path without extension, relative to the data directory, in file-name encoding: `db/name`.
    pub base: PathBuf,
    /// The state blob: the first bytes of the index file, as read from disk.
    pub state: Vec<u8>,
    /// Where its fields are.
    pub layout: StateLayout,
    /// How the data file is cut.
    pub data_page: DataPaging,
}

/// What recovery did at [`Store::open`].
#[derive(Debug, Default)]
pub struct RecoveryReport {
    /// Journal records replayed.
    pub records: u64,
    /// Bytes of journal read.
    pub bytes: u64,
    /// Tables restored: path without extension, relative to the data directory.
    pub tables: Vec<PathBuf>,
    /// Tables left alone because another program changed them, and why. Their journal is kept.
    pub foreign: Vec<(PathBuf, String)>,
}

/// The page store of one data directory.
pub struct Store {
    _p: (),
}

impl Store {
    /// Takes the directory's lock and replays the journal.
    pub fn open(
        storage: Arc<dyn Storage>,
        datadir: &Path,
        options: StoreOptions,
    ) -> Result<(Arc<Store>, RecoveryReport)> {
        todo!()
    }
    /// [`Store::open`] over real files.
    pub fn open_dir(datadir: &Path, options: StoreOptions) -> Result<(Arc<Store>, RecoveryReport)> {
        todo!()
    }
    pub fn storage(&self) -> &Arc<dyn Storage> {
        todo!()
    }
    pub fn datadir(&self) -> &Path {
        todo!()
    }
    pub fn durability(&self) -> Durability {
        todo!()
    }
    pub fn set_durability(&self, durability: Durability) {
        todo!()
    }
    /// Opens `base.MYI` and `base.MYD`. At most one PagedTable per base at a time: a second attach gives the same.
    pub fn attach(self: &Arc<Self>, spec: TableSpec) -> Result<Arc<PagedTable>> {
        todo!()
    }
    /// Waits for the writers' queue, makes the table clean on disk, clears its guard; the handle is `Stale` from then on.
    /// Running readers keep reading the old files. For a table held exclusively use [`ExclusiveGuard::detach`].
    pub fn detach(&self, table: &Arc<PagedTable>) -> Result<()> {
        todo!()
    }
    /// Makes the table clean and unguarded on disk (CHECK, FLUSH ... FOR EXPORT) but keeps it attached.
    pub fn make_clean(&self, writer: &mut TableWriter) -> Result<()> {
        todo!()
    }
    pub fn checkpoint(&self) -> Result<()> {
        todo!()
    }
    /// Clean stop: every table clean, guards cleared, journal removed.
    pub fn shutdown(&self) -> Result<()> {
        todo!()
    }
    pub fn session(self: &Arc<Self>) -> Session {
        todo!()
    }
    /// Publishes the changes of several tables at once, in one journal record.
    pub fn commit_all(&self, writers: &mut [&mut TableWriter]) -> Result<Lsn> {
        todo!()
    }
    /// Waits until `lsn` is as durable as the setting asks. Call it after the table is released, before acknowledging.
    pub fn wait_durable(&self, lsn: Lsn) -> Result<()> {
        todo!()
    }
    /// Carries out creations, renames and removals of files so that a crash leaves all or none of them done. Durable on return.
    pub fn apply(&self, plan: FilePlan) -> Result<()> {
        todo!()
    }
    /// Puts new files (with `spec.state` as state) in the place of a table's (TRUNCATE, DELETE of all rows): atomic, durable.
    /// Running readers keep the old generation; its handle is `Stale` for everybody else. `files` are written as by
    /// [`FilePlan::create`] (normally `base.MYI` and an empty `base.MYD`).
    pub fn replace_generation(
        self: &Arc<Self>,
        writer: TableWriter,
        files: FilePlan,
        spec: TableSpec,
    ) -> Result<Arc<PagedTable>> {
        todo!()
    }
}

/// Changes to files that happen all or not at all. Paths are relative to the data directory.
#[derive(Debug, Default)]
pub struct FilePlan {
    _p: (),
}

impl FilePlan {
    pub fn new() -> FilePlan {
        todo!()
    }
    /// A file with these bytes; replaces an existing one.
    pub fn create(self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> FilePlan {
        todo!()
    }
    /// Renames; replaces an existing file. The source must be synced by the caller if it has just been written.
    pub fn rename(self, from: impl Into<PathBuf>, to: impl Into<PathBuf>) -> FilePlan {
        todo!()
    }
    /// Removes; nothing happens if it does not exist.
    pub fn remove(self, path: impl Into<PathBuf>) -> FilePlan {
        todo!()
    }
}

/// An attached table: two files, their versions, and the state.
pub struct PagedTable {
    _p: (),
}

impl PagedTable {
    /// Number of this handle, unique in the store's life.
    pub fn id(&self) -> u32 {
        todo!()
    }
    /// Path without extension, relative to the data directory.
    pub fn base(&self) -> &Path {
        todo!()
    }
    pub fn store(&self) -> &Arc<Store> {
        todo!()
    }
    /// True once dropped, replaced or detached.
    pub fn is_stale(&self) -> bool {
        todo!()
    }
    /// Counter outside the versioned state: raise it with `fetch_max`/`fetch_add`; journaled with the next commit, written into the
    /// state's field (if greater) at checkpoint; never rewound.
    pub fn auto_increment(&self) -> &AtomicU64 {
        todo!()
    }
    /// Takes the table's write lock, fairly queued. `owner` is [`Session::id`]. `kill` is asked now and then.
    pub fn write_lock(
        self: &Arc<Self>,
        owner: u64,
        timeout: Duration,
        kill: &dyn Fn() -> bool,
    ) -> Result<TableWriter> {
        todo!()
    }
    /// Write lock, then keeps new readers out and waits for running ones of other sessions (LOCK TABLES ... WRITE, DDL).
    pub fn exclusive(
        self: &Arc<Self>,
        owner: u64,
        timeout: Duration,
        kill: &dyn Fn() -> bool,
    ) -> Result<ExclusiveGuard> {
        todo!()
    }
    /// Error 126/1030 when the mapping of a file hit an I/O error (checked by commit; check it before sending rows).
    pub fn check_fault(&self) -> Result<()> {
        todo!()
    }
}

/// Exclusive use of a table by one session; its own session may begin snapshots on it.
pub struct ExclusiveGuard {
    _p: (),
}

impl ExclusiveGuard {
    pub fn table(&self) -> &Arc<PagedTable> {
        todo!()
    }
    pub fn writer(&mut self) -> &mut TableWriter {
        todo!()
    }
    /// Lets readers in again, keeps the write lock.
    pub fn downgrade(self) -> TableWriter {
        todo!()
    }
    /// Makes the table clean, closes it; the handle is stale. The exclusive flag is kept until the result is dropped, nothing else can happen to the table.
    pub fn detach(self) -> Result<()> {
        todo!()
    }
    /// Closes the table without writing its changes back: for DROP. Remove its files in the same `plan`.
    pub fn discard(self, plan: FilePlan) -> Result<()> {
        todo!()
    }
}

/// A reader's place in the registry: one per connection (two for two snapshots at once).
pub struct Session {
    _not_sync: PhantomData<std::cell::Cell<()>>,
}

impl Session {
    /// Unique number: the owner for locks.
    pub fn id(&self) -> u64 {
        todo!()
    }
    /// Begins a snapshot of these tables, and pins at once (the first [`Snapshot::pin`] is free): pin soon, or call [`Snapshot::rest`].
    /// `ExclusivelyLocked` / `Stale` if a table is so. One snapshot at a time per session.
    pub fn begin(&self, tables: &[&Arc<PagedTable>]) -> Result<Snapshot<'_>> {
        todo!()
    }
    /// As `begin`, but waits while a table is exclusively locked.
    pub fn begin_wait(
        &self,
        tables: &[&Arc<PagedTable>],
        timeout: Duration,
        kill: &dyn Fn() -> bool,
    ) -> Result<Snapshot<'_>> {
        todo!()
    }
}

/// The tables as of one moment.
pub struct Snapshot<'s> {
    _p: PhantomData<&'s Session>,
}

impl<'s> Snapshot<'s> {
    pub fn lsn(&self) -> Lsn {
        todo!()
    }
    /// Protects pointers: slices live as long as the pin. Short: no blocking call while one lives. Pins may nest.
    pub fn pin(&self) -> Pin<'_> {
        todo!()
    }
    /// Gives up the pin that `begin` took, when there is other work before reading.
    pub fn rest(&self) {
        todo!()
    }
}

/// See [`Snapshot::pin`].
pub struct Pin<'p> {
    _p: PhantomData<&'p Session>,
}

impl<'p> Pin<'p> {
    /// The table as of the snapshot; an error when `begin` was not told of it.
    pub fn table<'v>(&'v self, table: &'v PagedTable) -> Result<TableView<'v>> {
        todo!()
    }
}

/// A table as of a snapshot. Small; made anew for every pin (about 3 ns).
#[derive(Clone, Copy)]
pub struct TableView<'v> {
    _p: PhantomData<&'v ()>,
}

impl<'v> TableView<'v> {
    pub fn state(&self) -> &'v [u8] {
        todo!()
    }
    pub fn index_page(&self, offset: u64, len: usize) -> Result<&'v [u8]> {
        todo!()
    }
    pub fn data_run(&self, offset: u64) -> Result<&'v [u8]> {
        todo!()
    }
    pub fn index_len(&self) -> u64 {
        todo!()
    }
    pub fn data_len(&self) -> u64 {
        todo!()
    }
}

/// Reading bytes of a table: as of a snapshot ([`TableView`]), as published ([`TableWriter::published`]), or as the
/// running statement left it ([`TableWriter`]).
pub trait PageSource {
    /// The state blob.
    fn state(&self) -> &[u8];
    /// One index block. `Corrupt` when it lies outside the index file or is known with another length.
    fn index_page(&self, offset: u64, len: usize) -> Result<&[u8]>;
    /// Bytes of the data file: a slice in place when they lie together, else assembled in `scratch`.
    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]>;
    /// The bytes from `offset` on that lie together (up to the end of its page at least), ending at the data length. Empty at the end.
    /// Fixed rows: ends at a row boundary.
    fn data_run(&self, offset: u64) -> Result<&[u8]>;
}

impl PageSource for TableView<'_> {
    fn state(&self) -> &[u8] {
        todo!()
    }
    fn index_page(&self, offset: u64, len: usize) -> Result<&[u8]> {
        todo!()
    }
    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        todo!()
    }
    fn data_run(&self, offset: u64) -> Result<&[u8]> {
        todo!()
    }
}

/// The write lock of a table and the private copies of the running statement. Dropping it without commit undoes and releases.
pub struct TableWriter {
    _p: (),
}

/// A place to come back to within a statement.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Mark {
    _p: (),
}

impl TableWriter {
    pub fn table(&self) -> &Arc<PagedTable> {
        todo!()
    }
    pub fn owner(&self) -> u64 {
        todo!()
    }
    pub fn state_mut(&mut self) -> &mut [u8] {
        todo!()
    }
    /// A working copy of an index block.
    pub fn index_page_mut(&mut self, offset: u64, len: usize) -> Result<PageMut<'_>> {
        todo!()
    }
    /// The same when the old bytes do not matter (a new block, or one from the free list): zeros, all of it will be journaled.
    pub fn index_page_new(&mut self, offset: u64, len: usize) -> Result<PageMut<'_>> {
        todo!()
    }
    /// Writes anywhere in the data file; beyond the published length without a copy. Raise the length in the state yourself.
    pub fn data_write(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        todo!()
    }
    /// Remembers this place (pages, state). Cheap: later writes keep the bytes they replace.
    pub fn mark(&mut self) -> Mark {
        todo!()
    }
    /// Undoes everything since the mark; the mark stays valid. Later marks are void.
    pub fn rollback_to(&mut self, mark: Mark) -> Result<()> {
        todo!()
    }
    /// Forgets the mark (and later ones) without undoing.
    pub fn release(&mut self, mark: Mark) {
        todo!()
    }
    /// Publishes the statement's changes at once; keeps the lock. Free when nothing changed. On error everything is undone.
    pub fn commit(&mut self) -> Result<Lsn> {
        todo!()
    }
    /// Undoes all since the last commit; keeps the lock.
    pub fn rollback(&mut self) {
        todo!()
    }
    /// True when there is something to commit.
    pub fn is_dirty(&self) -> bool {
        todo!()
    }
    /// The table as of the last commit (= statement start), beside the working view.
    pub fn published(&self) -> TableView<'_> {
        todo!()
    }
}

impl PageSource for TableWriter {
    fn state(&self) -> &[u8] {
        todo!()
    }
    fn index_page(&self, offset: u64, len: usize) -> Result<&[u8]> {
        todo!()
    }
    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        todo!()
    }
    fn data_run(&self, offset: u64) -> Result<&[u8]> {
        todo!()
    }
}

/// A working copy of a page. Reads as bytes; every write is noted for the journal.
pub struct PageMut<'w> {
    _p: PhantomData<&'w mut ()>,
}

impl PageMut<'_> {
    /// Overwrites from `at`. Panics when outside the page, as slices do.
    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        todo!()
    }
    pub fn copy_within(&mut self, from: std::ops::Range<usize>, to: usize) {
        todo!()
    }
    /// Overwrites the head of the page (up to all of it).
    pub fn set_all(&mut self, bytes: &[u8]) {
        todo!()
    }
    /// A slice to write into; noted as changed wholly.
    pub fn range_mut(&mut self, range: std::ops::Range<usize>) -> &mut [u8] {
        todo!()
    }
}

impl std::ops::Deref for PageMut<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        todo!()
    }
}

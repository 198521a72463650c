//! Readers: sessions, snapshots, pins, and tables as of a snapshot.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::blocks::CachedBlocks;
use crate::core::Core;
use crate::error::{Error, ErrorKind, Result};
use crate::file::View;
use crate::options::{File, Lsn};
use crate::prefetch;
use crate::registry::Slot;
use crate::requests::Tally;
use crate::table::{PagedTable, overlap};
use crate::version::{self, Version};

/// Clean pages that one `data_run` may join.
const RUN_PAGES: u64 = 16;

/// A reader's place in the registry: one per connection, two for two snapshots at once.
pub struct ReaderSlot {
    core: Arc<Core>,
    slot: Arc<Slot>,
    owner: u64,
    active: Cell<bool>,
    /// `begin` has pinned for the first `pin` to come.
    pinned_by_begin: Cell<bool>,
    pins: Cell<u32>,
}

impl ReaderSlot {
    pub(crate) fn new(core: Arc<Core>) -> ReaderSlot {
        let (slot, owner) = core.registry.claim();
        ReaderSlot::at(core, slot, owner)
    }

    /// Another place of somebody with a number of its own.
    pub(crate) fn of(core: Arc<Core>, owner: u64) -> ReaderSlot {
        let slot = core.registry.claim_for(owner);
        ReaderSlot::at(core, slot, owner)
    }

    fn at(core: Arc<Core>, slot: Arc<Slot>, owner: u64) -> ReaderSlot {
        ReaderSlot {
            core,
            slot,
            owner,
            active: Cell::new(false),
            pinned_by_begin: Cell::new(false),
            pins: Cell::new(0),
        }
    }

    /// Unique number of the session: the owner of its locks.
    pub fn id(&self) -> u64 {
        self.owner
    }

    /// Begins a snapshot of these tables. It pins at once, so that the first [`Snapshot::pin`] is free: pin soon, or call
    /// [`Snapshot::unpin_until_read`]. One snapshot at a time per session.
    ///
    /// # Errors
    /// `ExclusivelyLocked` or `Stale` when a table is so; `Misuse` when a snapshot is running.
    #[inline]
    pub fn begin(&self, tables: &[&Arc<PagedTable>]) -> Result<Snapshot<'_>> {
        if self.active.get() {
            return Err(ErrorKind::Misuse("a snapshot is running in this session").into());
        }
        for table in tables {
            if !Arc::ptr_eq(&table.core, &self.core) {
                return Err(ErrorKind::Misuse("a table of another store").into());
            }
        }
        self.slot.announce(tables.iter().map(|table| table.id));
        let lsn = self.core.visible.load(Ordering::Acquire);
        for table in tables {
            if let Err(e) = table.admit(self.owner) {
                self.slot.end();
                self.slot.unpin();
                return Err(e);
            }
        }
        self.slot.begun(lsn);
        self.active.set(true);
        self.pinned_by_begin.set(true);
        Ok(Snapshot { session: self, lsn })
    }

    /// The first half of a `begin` of several sessions at once: [`ReaderSlot::begun`] or [`ReaderSlot::withdraw`] must follow.
    pub(crate) fn announce(&self, table: &Arc<PagedTable>) -> Result<()> {
        if self.active.get() || !Arc::ptr_eq(&table.core, &self.core) {
            return Err(ErrorKind::Misuse("a snapshot is running in this session").into());
        }
        self.slot.announce(std::iter::once(table.id));
        Ok(())
    }

    pub(crate) fn withdraw(&self) {
        self.slot.end();
        self.slot.unpin();
    }

    /// The newest commit.
    pub(crate) fn newest(&self) -> Lsn {
        self.core.visible.load(Ordering::Acquire)
    }

    /// The snapshot of a session that was announced before `lsn` was loaded; it holds no pin.
    pub(crate) fn begun(&self, lsn: Lsn) -> Snapshot<'_> {
        self.slot.begun(lsn);
        self.slot.unpin();
        self.active.set(true);
        Snapshot { session: self, lsn }
    }

    /// As [`ReaderSlot::begin`], but waits while another session has a table exclusively. `kill` is asked now and then.
    ///
    /// # Errors
    /// As `begin`; `LockTimeout`, `Killed`.
    pub fn begin_wait(
        &self,
        tables: &[&Arc<PagedTable>],
        timeout: Duration,
        kill: &dyn Fn() -> bool,
    ) -> Result<Snapshot<'_>> {
        let mut deadline = None;
        loop {
            match self.begin(tables) {
                Err(e) if matches!(e.kind(), ErrorKind::ExclusivelyLocked) => {}
                other => return other,
            }
            let until = *deadline.get_or_insert_with(|| Instant::now().checked_add(timeout));
            for table in tables {
                table.wait_admitted(self.owner, until, kill)?;
            }
        }
    }
}

impl Drop for ReaderSlot {
    fn drop(&mut self) {
        self.core.registry.release(&self.slot);
    }
}

/// Tables as of one moment. Dropping it ends it: one store.
pub struct Snapshot<'s> {
    session: &'s ReaderSlot,
    lsn: Lsn,
}

impl<'s> Snapshot<'s> {
    /// The newest commit it sees.
    pub fn lsn(&self) -> Lsn {
        self.lsn
    }

    /// Protects pointers: slices live as long as the pin. Keep it short, with no blocking call while it lives. Pins may nest.
    #[inline]
    pub fn pin(&self) -> Pin<'_> {
        let session = self.session;
        if session.pinned_by_begin.get() {
            session.pinned_by_begin.set(false);
            session.pins.set(1);
        } else {
            let pins = session.pins.get();
            if pins == 0 {
                session.slot.pin();
            }
            session.pins.set(pins + 1);
        }
        Pin { session, lsn: self.lsn, _snapshot: PhantomData }
    }

    /// Gives up the pin that `begin` took, when there is other work before reading.
    pub fn unpin_until_read(&self) {
        if self.session.pinned_by_begin.replace(false) {
            self.session.slot.unpin();
        }
    }
}

impl Snapshot<'_> {
    /// A place from which another thread reads what this snapshot shows. What it sees is kept by this snapshot, which outlives it:
    /// once all forks are done, [`Snapshot::check_kept`] tells whether that held.
    pub fn fork(&self) -> Fork<'_> {
        let of = self.session;
        Fork { slot: ReaderSlot::of(of.core.clone(), of.owner), tables: &of.slot, lsn: self.lsn }
    }

    /// Fails when the snapshot was given up because old versions took too much memory: what forks have read may be of a later moment.
    ///
    /// # Errors
    /// `SnapshotTooOld`.
    pub fn check_kept(&self) -> Result<()> {
        if self.session.slot.is_evicted(self.lsn) {
            return Err(ErrorKind::SnapshotTooOld.into());
        }
        Ok(())
    }
}

/// See [`Snapshot::fork`].
pub struct Fork<'s> {
    slot: ReaderSlot,
    tables: &'s Slot,
    lsn: Lsn,
}

impl Fork<'_> {
    /// The snapshot, for one thread. One at a time.
    pub fn snapshot(&self) -> Snapshot<'_> {
        self.slot.slot.announce_as(self.tables);
        self.slot.begun(self.lsn)
    }
}

impl Drop for Snapshot<'_> {
    #[inline]
    fn drop(&mut self) {
        let session = self.session;
        // No pin of this snapshot is in use any more, though one may have been forgotten.
        if session.pinned_by_begin.get() || session.pins.get() != 0 {
            session.pinned_by_begin.set(false);
            session.pins.set(0);
            session.slot.unpin();
        }
        session.slot.end();
        session.active.set(false);
    }
}

/// See [`Snapshot::pin`].
pub struct Pin<'p> {
    session: &'p ReaderSlot,
    lsn: Lsn,
    _snapshot: PhantomData<&'p Snapshot<'p>>,
}

impl Pin<'_> {
    /// The table as of the snapshot.
    ///
    /// # Errors
    /// `Misuse` when `begin` was not told of the table; `SnapshotTooOld`.
    #[inline]
    pub fn table<'v>(&'v self, table: &'v PagedTable) -> Result<TableView<'v>> {
        if !self.session.slot.announced(table.id) || !Arc::ptr_eq(&table.core, &self.session.core) {
            return Err(ErrorKind::Misuse("a table the snapshot was not begun for").into());
        }
        if self.session.slot.is_evicted(self.lsn) {
            return Err(ErrorKind::SnapshotTooOld.into());
        }
        // SAFETY: the session is pinned for 'v, and the snapshot keeps the versions of this table.
        let mut view = unsafe { TableView::new(table, self.lsn) }?;
        view.tally = table.requests.of_reader(self.session.slot.number());
        (view.index_blocks, view.data_blocks) = (table.index.blocks(), table.data.blocks());
        Ok(view)
    }
}

impl Drop for Pin<'_> {
    #[inline]
    fn drop(&mut self) {
        let pins = self.session.pins.get() - 1;
        self.session.pins.set(pins);
        if pins == 0 {
            self.session.slot.unpin();
        }
    }
}

/// Reading the bytes of a table: as of a snapshot ([`TableView`]), or as the running statement left it
/// ([`crate::TableWriter`]).
pub trait PageSource {
    /// The state blob.
    fn state(&self) -> &[u8];
    /// One index block.
    ///
    /// # Errors
    /// `Corrupt` when it lies outside the index file or is known with another length.
    fn index_page(&self, offset: u64, len: usize) -> Result<&[u8]>;
    /// Index blocks of one length are read soon, in this order: their memory may be fetched meanwhile.
    fn prefetch_index(&self, offsets: &[u64], len: usize) {
        let _ = (offsets, len);
    }
    /// Bytes of the data file: a slice in place when they lie together, else assembled in `scratch`.
    ///
    /// # Errors
    /// `Corrupt` when they reach beyond the data file.
    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]>;
    /// The bytes from `offset` on that lie together, up to the end of their page at least, or of the file. Empty at the end of
    /// the file. With fixed rows it ends at the end of a row.
    ///
    /// # Errors
    /// `Corrupt`.
    fn data_run(&self, offset: u64) -> Result<&[u8]>;
}

/// A table as of a snapshot: small, made anew for every pin.
#[derive(Clone, Copy)]
pub struct TableView<'v> {
    pub(crate) table: &'v PagedTable,
    index: &'v View,
    data: &'v View,
    state: &'v [u8],
    lsn: Lsn,
    index_len: u64,
    data_len: u64,
    tally: Tally<'v>,
    /// Blocks of clean pages, for files that are not read in their mappings. Only for who holds a pin.
    index_blocks: Option<&'v Arc<CachedBlocks>>,
    data_blocks: Option<&'v Arc<CachedBlocks>>,
}

impl<'v> TableView<'v> {
    /// # Safety
    /// For `'v` the caller holds a pin of a snapshot at `lsn` that was begun for this table, or the table's write lock and
    /// `lsn` is not below its newest commit.
    #[inline]
    pub(crate) unsafe fn new(table: &'v PagedTable, lsn: Lsn) -> Result<TableView<'v>> {
        // SAFETY: by the contract nothing of the table is freed for 'v. States are not written after publication.
        unsafe {
            let Some(version) = version::find(table.state.load(Ordering::Acquire), lsn, &table.cell) else {
                return Err(ErrorKind::SnapshotTooOld.into());
            };
            let state = version.slice(0, version.len());
            Ok(TableView {
                table,
                index: table.index.view(),
                data: table.data.view(),
                state,
                lsn,
                index_len: table.layout.index_len(state),
                data_len: table.layout.data_len(state),
                tally: table.requests.of_writer(),
                index_blocks: None,
                data_blocks: None,
            })
        }
    }

    /// The state blob.
    #[inline]
    pub fn state(&self) -> &'v [u8] {
        self.state
    }

    /// The table.
    pub fn table(&self) -> &'v PagedTable {
        self.table
    }

    /// Length of the index file.
    pub fn index_len(&self) -> u64 {
        self.index_len
    }

    /// Length of the data file.
    pub fn data_len(&self) -> u64 {
        self.data_len
    }

    /// One index block. See [`PageSource::index_page`].
    ///
    /// # Errors
    /// `Corrupt`.
    #[inline]
    pub fn index_page(&self, offset: u64, len: usize) -> Result<&'v [u8]> {
        if !offset.is_multiple_of(1024) || offset >= self.index_len || self.index_len - offset < len as u64 {
            return Err(self.no_block(offset, len));
        }
        let Some(slot) = self.index.slot(offset / 1024) else { return Err(self.no_block(offset, len)) };
        self.tally.index();
        let head = slot.load(Ordering::Acquire);
        if head.is_null() {
            if let Some(blocks) = self.index_blocks
                && let Some(bytes) = self.block(blocks, File::Index, offset / 1024, len)
                && bytes.len() == len
            {
                return Ok(bytes);
            }
            // SAFETY: clean; 'v is covered by the view's contract.
            return unsafe { self.index.mapped(offset, len) }.ok_or_else(|| self.no_block(offset, len));
        }
        self.index_version(head, offset, len)
    }

    /// Asks for the memory of index blocks of one length: first for where their versions stand, then for the versions. Nothing is waited for, but for
    /// the first answers as the second question is asked.
    pub fn prefetch_index(&self, offsets: &[u64], len: usize) {
        let slots = || offsets.iter().filter_map(|offset| Some((*offset, self.index.slot(offset / 1024)?)));
        slots().for_each(|(_, slot)| prefetch::line(slot));
        for (offset, slot) in slots() {
            let head = slot.load(Ordering::Relaxed);
            if head.is_null() {
                prefetch::bytes(self.index.place(offset), len);
            } else {
                prefetch::bytes(head.cast_const().cast(), version::HEADER + len);
            }
        }
    }

    /// The bytes of a clean page in a block: of those that begin with it the `len` that are known to be there.
    #[inline]
    fn block(&self, blocks: &'v Arc<CachedBlocks>, file: File, page: u64, len: usize) -> Option<&'v [u8]> {
        // SAFETY: views with blocks are made for a pin that lasts for 'v; the callers found the page clean.
        match unsafe { blocks.find(page) } {
            Some(block) => Some(block.bytes()),
            None => self.read_block(blocks, file, page, len),
        }
    }

    #[cold]
    fn read_block(
        &self,
        blocks: &'v Arc<CachedBlocks>,
        which: File,
        page: u64,
        len: usize,
    ) -> Option<&'v [u8]> {
        let (file, registry) = (self.table.file(which), &self.table.core.registry);
        let (cache, opened) = (file.cache()?, file.file().ok()?);
        let offset = page * file.paging.page();
        // What cannot be read is asked of the mapping, whose faults are looked for.
        let read = |bytes: &mut [u8]| opened.read_exact_at(bytes, offset).is_ok();
        // SAFETY: as in `block`.
        let block = unsafe { blocks.load(&cache, registry, (page, len), read) }?;
        self.table.requests.read(which);
        Some(block.bytes())
    }

    #[inline]
    fn index_version(&self, head: *mut Version, offset: u64, len: usize) -> Result<&'v [u8]> {
        if head == overlap() {
            return Err(self.no_block(offset, len));
        }
        // SAFETY: the contract of the view; an index page is not written after publication.
        let found = unsafe {
            match version::find(head, self.lsn, &self.table.cell) {
                Some(version) if version.len() == len => Some(version.slice(0, len)),
                Some(_) => None,
                None => self.index.mapped(offset, len),
            }
        };
        found.ok_or_else(|| self.no_block(offset, len))
    }

    /// Brings a part of the index file into memory, from `offset` on: 0, or what the call before gave. `None` at the end of the file.
    ///
    /// # Errors
    /// `Corrupt`.
    pub fn load_index(&self, offset: u64) -> Result<Option<u64>> {
        if offset >= self.index_len {
            return Ok(None);
        }
        let run = self.index_run(offset)?;
        // A byte of each page of the system: what is not in memory is read.
        for byte in run.iter().step_by(4096).chain(run.last()) {
            std::hint::black_box(*byte);
        }
        Ok(Some(offset + run.len().max(1) as u64))
    }

    /// Bytes of the index file from `offset` on that lie together, whatever they are: head, blocks in use and free ones.
    /// `offset` is 0, or where the run before ended. Not empty before the end of the file.
    ///
    /// # Errors
    /// `Corrupt`.
    pub(crate) fn index_run(&self, offset: u64) -> Result<&'v [u8]> {
        let rest = self.index_len.saturating_sub(offset);
        let clean =
            |unit: u64| self.index.slot(unit).is_some_and(|slot| slot.load(Ordering::Acquire).is_null());
        let first = offset / 1024;
        let mut end = first;
        while end - first < 256 && end * 1024 < self.index_len && clean(end) {
            end += 1;
        }
        if end > first {
            let len = rest.min((end - first) * 1024) as usize;
            // SAFETY: clean when looked at; 'v is covered by the view's contract.
            return unsafe { self.index.mapped(offset, len) }.ok_or_else(|| self.no_block(offset, len));
        }
        let head = |unit: u64| {
            self.index.slot(unit).map_or(std::ptr::null_mut(), |slot| slot.load(Ordering::Acquire))
        };
        // A writer may have made a block of units that were clean when the run before ended.
        let mut start = first;
        let mut found = head(start);
        while found == overlap() && start > 0 {
            start -= 1;
            found = head(start);
        }
        let at = (offset - start * 1024) as usize;
        if found.is_null() || found == overlap() {
            // Written back since the loop looked.
            let len = rest.min(1024) as usize;
            // SAFETY: as above.
            return unsafe { self.index.mapped(offset, len) }.ok_or_else(|| self.no_block(offset, len));
        }
        // SAFETY: a head that is no mark is a version, kept by the contract of the view.
        let len = unsafe { &*found }.len();
        let block = self.index_page(start * 1024, len)?;
        block.get(at..).filter(|rest| !rest.is_empty()).ok_or_else(|| self.no_block(offset, len))
    }

    #[cold]
    fn no_block(&self, offset: u64, len: usize) -> Error {
        let what = format!("no index block of {len} bytes here; the file has {}", self.index_len);
        Error::corrupt(&self.table.index.path, offset, what)
    }

    #[cold]
    pub(crate) fn no_data(&self, offset: u64, len: usize) -> Error {
        let what = format!("{len} bytes wanted; the file has {}", self.data_len);
        Error::corrupt(&self.table.data.path, offset, what)
    }

    /// The part of `[offset, offset + len)` that lies in the page of `offset`. The range must be inside the file.
    #[inline]
    fn data_part(&self, page: u64, offset: u64, len: usize) -> Result<&'v [u8]> {
        let Some(slot) = self.data.slot(page) else { return Err(self.no_data(offset, len)) };
        self.tally.data();
        let head = slot.load(Ordering::Acquire);
        let at = (offset - page * self.table.data.paging.page()) as usize;
        let len = len.min(self.table.data.paging.page() as usize - at);
        if let Some(blocks) = self.data_blocks.filter(|_| head.is_null()) {
            let whole = (self.data_len - (offset - at as u64)).min(self.table.data.paging.page()) as usize;
            let bytes = self.block(blocks, File::Data, page, whole);
            if let Some(bytes) = bytes.and_then(|bytes| bytes.get(at..at + len)) {
                return Ok(bytes);
            }
        }
        // SAFETY: the contract of the view. The version that this snapshot finds holds the page up to the snapshot's data
        // length, and the range ends at or below it.
        let found = unsafe {
            match version::find(head, self.lsn, &self.table.cell) {
                Some(version) => Some(version.slice(at, len)),
                None => self.data.mapped(offset, len),
            }
        };
        found.ok_or_else(|| self.no_data(offset, len))
    }

    /// See [`PageSource::data`].
    ///
    /// # Errors
    /// `Corrupt`.
    #[inline]
    pub fn data<'a>(&self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]>
    where
        'v: 'a,
    {
        if offset > self.data_len || self.data_len - offset < len as u64 {
            return Err(self.no_data(offset, len));
        }
        let page = self.table.data.paging.of(offset);
        let part = self.data_part(page, offset, len)?;
        if part.len() == len { Ok(part) } else { self.gather(offset, len, scratch) }
    }

    #[cold]
    fn gather<'a>(&self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]>
    where
        'v: 'a,
    {
        let paging = &self.table.data.paging;
        let (first, last) = (paging.of(offset), paging.of(offset + len as u64 - 1));
        let clean = |page| self.data.slot(page).is_some_and(|slot| slot.load(Ordering::Acquire).is_null());
        if self.data_blocks.is_none() && (first..=last).all(clean) {
            // SAFETY: as in `data_part`: all pages are clean, so their bytes lie together in the mapping.
            return unsafe { self.data.mapped(offset, len) }.ok_or_else(|| self.no_data(offset, len));
        }
        scratch.clear();
        scratch.reserve(len);
        while scratch.len() < len {
            let at = offset + scratch.len() as u64;
            let part = self.data_part(paging.of(at), at, len - scratch.len())?;
            scratch.extend_from_slice(part);
        }
        Ok(scratch)
    }

    /// See [`PageSource::data_run`].
    ///
    /// # Errors
    /// `Corrupt`.
    pub fn data_run(&self, offset: u64) -> Result<&'v [u8]> {
        if offset >= self.data_len {
            return Ok(&[]);
        }
        let paging = &self.table.data.paging;
        let page = paging.of(offset);
        let clean = |page| self.data.slot(page).is_some_and(|slot| slot.load(Ordering::Acquire).is_null());
        let mut end = page;
        while self.data_blocks.is_none() && end - page < RUN_PAGES && clean(end) {
            end += 1;
        }
        if end > page {
            self.tally.data();
            let to = (end * paging.page()).min(self.data_len);
            let len = (to - offset) as usize;
            // SAFETY: as in `gather`.
            return unsafe { self.data.mapped(offset, len) }.ok_or_else(|| self.no_data(offset, len));
        }
        self.data_part(page, offset, (self.data_len - offset).min(paging.page()) as usize)
    }

    /// The published bytes of a page of the data file, to copy from: up to the data length.
    pub(crate) fn data_page(&self, page: u64) -> Result<&'v [u8]> {
        let start = page * self.table.data.paging.page();
        if start >= self.data_len {
            return Ok(&[]);
        }
        self.data_part(page, start, (self.data_len - start).min(self.table.data.paging.page()) as usize)
    }

    /// Was the page's whole image journaled in this cycle? The write lock and the chain lock are held.
    pub(crate) fn logged_in(&self, file: File, page: u64, cycle: u32) -> bool {
        let head = self.head(file, page);
        // SAFETY: by the locks the version lives.
        head != overlap()
            && unsafe { head.as_ref() }
                .is_some_and(|v| v.cycle.load(Ordering::Relaxed) == cycle && !v.is_before_claim(self.table))
    }

    /// The newest version in the slot of a page, for the holder of the write lock.
    pub(crate) fn head(&self, file: File, page: u64) -> *mut Version {
        let view = if file == File::Index { self.index } else { self.data };
        view.slot(page).map_or(std::ptr::null_mut(), |slot| slot.load(Ordering::Acquire))
    }
}

impl PageSource for TableView<'_> {
    fn state(&self) -> &[u8] {
        self.state
    }

    #[inline]
    fn index_page(&self, offset: u64, len: usize) -> Result<&[u8]> {
        TableView::index_page(self, offset, len)
    }

    #[inline]
    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        TableView::data(self, offset, len, scratch)
    }

    #[inline]
    fn data_run(&self, offset: u64) -> Result<&[u8]> {
        TableView::data_run(self, offset)
    }
}

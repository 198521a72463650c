//! Writers: the write lock of a table and the working copies of a statement.
#![allow(unsafe_code)]

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::changes::Changes;
use crate::commit::{self, WriterCore};
use crate::error::{Error, ErrorKind, Result};
use crate::file::{INDEX_UNIT, LARGEST_FILE};
use crate::files::FilePlan;
use crate::options::{File, Lsn};
use crate::read::{PageSource, TableView};
use crate::table::{PagedTable, STALE, overlap};
use crate::wait_limit::WaitLimit;
use crate::work::{PageBytes, Savepoint, WorkPage};

/// Largest index block.
const MAX_BLOCK: usize = 64 << 10;

/// The write lock of a table, and the private copies of the running statement. Dropping it without [`TableWriter::commit`] undoes
/// and releases.
pub struct TableWriter {
    table: Arc<PagedTable>,
    /// Present until drop.
    core: Option<Box<WriterCore>>,
    owner: u64,
}

impl TableWriter {
    pub(crate) fn new(table: Arc<PagedTable>, mut core: Box<WriterCore>, owner: u64) -> TableWriter {
        table.refresh(&mut core);
        TableWriter { table, core: Some(core), owner }
    }

    /// The table.
    pub fn table(&self) -> &Arc<PagedTable> {
        &self.table
    }

    /// Who holds the lock: [`crate::ReaderSlot::id`].
    pub fn owner(&self) -> u64 {
        self.owner
    }

    #[inline]
    pub(crate) fn core(&self) -> &WriterCore {
        match &self.core {
            Some(core) => core,
            None => unreachable!("the writer's core is taken only when the writer is consumed"),
        }
    }

    #[inline]
    pub(crate) fn parts(&mut self) -> (&Arc<PagedTable>, &mut WriterCore) {
        match &mut self.core {
            Some(core) => (&self.table, core),
            None => unreachable!("the writer's core is taken only when the writer is consumed"),
        }
    }

    /// The table as of the last commit, which is the start of the statement, beside the working view.
    #[inline]
    pub fn published(&self) -> TableView<'_> {
        let lsn = self.table.core.visible.load(Ordering::Acquire);
        // SAFETY: the write lock is held; its commits and those of its predecessors are visible. What the checkpoint unlinks
        // meanwhile is freed by the lock's holder only, in methods that take &mut self.
        match unsafe { TableView::new(&self.table, lsn) } {
            Ok(view) => view,
            Err(_) => unreachable!("the newest state is always there"),
        }
    }

    /// The working state, for changes.
    pub fn state_mut(&mut self) -> &mut [u8] {
        let (_, core) = self.parts();
        core.state_dirty = true;
        &mut core.state
    }

    /// A working copy of an index block.
    ///
    /// # Errors
    /// `Corrupt` as [`PageSource::index_page`].
    #[inline]
    pub fn index_page_mut(&mut self, offset: u64, len: usize) -> Result<PageMut<'_>> {
        let page = offset / INDEX_UNIT;
        let at = match self.core().work.find(File::Index, page) {
            Some(at) => {
                self.check_block(at, offset, len)?;
                at
            }
            None => self.copy_block(offset, len)?,
        };
        Ok(PageMut { core: self.parts().1, at, offset, len })
    }

    fn check_block(&self, at: usize, offset: u64, len: usize) -> Result<()> {
        let held = match &self.core().work.pages[at].bytes {
            PageBytes::Private(frame) => frame.header().len(),
            PageBytes::InPlace(_) => 0,
        };
        if held != len || !offset.is_multiple_of(INDEX_UNIT) {
            return Err(self.wrong_block(offset, len));
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn wrong_block(&self, offset: u64, len: usize) -> Error {
        Error::corrupt(&self.table.index.path, offset, format!("no index block of {len} bytes here"))
    }

    fn copy_block(&mut self, offset: u64, len: usize) -> Result<usize> {
        self.make_room()?;
        let published = self.published();
        let evicted = self.evicted_block(offset, len)?;
        let fresh = evicted.is_some();
        let bytes = match evicted {
            Some(bytes) => bytes,
            None => published.index_page(offset, len)?,
        };
        // The copy ends the borrow of the published bytes before the working set changes.
        let bytes = NonNull::from(bytes);
        let (_, core) = self.parts();
        let mut frame = core.pool.take(len);
        // SAFETY: bytes of a published or evicted page, valid while the write lock is held; nothing above frees or writes them.
        frame.bytes_mut().copy_from_slice(unsafe { bytes.as_ref() });
        Ok(core.work.add(WorkPage {
            file: File::Index,
            page: offset / INDEX_UNIT,
            bytes: PageBytes::Private(frame),
            changes: Changes::default(),
            fresh,
        }))
    }

    /// The working copy of an index block whose old bytes do not matter: one beyond the end, or from a free list. It
    /// reads as zeros and is journaled wholly.
    ///
    /// # Errors
    /// `Corrupt` when the place is not a block's.
    pub fn index_page_new(&mut self, offset: u64, len: usize) -> Result<PageMut<'_>> {
        let page = offset / INDEX_UNIT;
        if !offset.is_multiple_of(INDEX_UNIT)
            || !(len as u64).is_multiple_of(INDEX_UNIT)
            || len == 0
            || len > MAX_BLOCK
        {
            return Err(self.wrong_block(offset, len));
        }
        let at = match self.core().work.find(File::Index, page) {
            Some(at) => {
                self.check_block(at, offset, len)?;
                let (_, core) = self.parts();
                core.work.before_write(at, offset, 0, len);
                let work = &mut core.work.pages[at];
                if let PageBytes::Private(frame) = &mut work.bytes {
                    frame.bytes_mut().fill(0);
                }
                work.changes.wrote(0, len);
                at
            }
            None => {
                let head = self.published().head(File::Index, page);
                // SAFETY: the write lock keeps versions in slots alive.
                let known = head == overlap() || unsafe { head.as_ref() }.is_some_and(|v| v.len() != len);
                if known {
                    return Err(self.wrong_block(offset, len));
                }
                self.make_room()?;
                if let Some(spill) = self.core().work.big.as_ref().and_then(|big| big.spill.as_ref())
                    && spill.page(File::Index, page).is_some_and(|bytes| bytes.len() != len)
                {
                    return Err(self.wrong_block(offset, len));
                }
                let (_, core) = self.parts();
                let mut frame = core.pool.take(len);
                frame.bytes_mut().fill(0);
                let (file, copy) = (File::Index, PageBytes::Private(frame));
                core.work.add(WorkPage { file, page, bytes: copy, changes: Changes::default(), fresh: true })
            }
        };
        Ok(PageMut { core: self.parts().1, at, offset, len })
    }

    /// Writes anywhere in the data file; beyond the published length without a copy of the page. The length in the
    /// state is for the caller to raise.
    ///
    /// # Errors
    /// `Corrupt` when the place is absurd.
    pub fn data_write(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let paging = self.table.data.paging;
        if offset.checked_add(bytes.len() as u64).is_none_or(|end| end >= LARGEST_FILE) {
            return Err(Error::corrupt(&self.table.data.path, offset, "write beyond the largest data file"));
        }
        let mut done = 0;
        while done < bytes.len() {
            let offset = offset + done as u64;
            let page = paging.of(offset);
            let start = page * paging.page();
            let at = (offset - start) as usize;
            let len = (bytes.len() - done).min(paging.page() as usize - at);
            self.data_write_page(page, start, at, &bytes[done..done + len])?;
            done += len;
        }
        Ok(())
    }

    fn data_write_page(&mut self, page: u64, start: u64, at: usize, bytes: &[u8]) -> Result<()> {
        let place = match self.core().work.find(File::Data, page) {
            Some(place) => {
                let published = self.core().published_data_len;
                if start + (at as u64) < published
                    && matches!(self.core().work.pages[place].bytes, PageBytes::InPlace(_))
                {
                    self.leave_in_place(place);
                }
                place
            }
            None => self.take_data_page(page, start, at)?,
        };
        let (_, core) = self.parts();
        core.work.before_write(place, start, at, bytes.len());
        let work = &mut core.work.pages[place];
        work.write(at, bytes);
        work.changes.wrote(at, at + bytes.len());
        Ok(())
    }

    /// Brings a page of the data file into the working set, to be written from `at` on.
    fn take_data_page(&mut self, page: u64, start: u64, at: usize) -> Result<usize> {
        self.make_room()?;
        let published = self.published();
        let published_len = published.data_len();
        let evicted = self.evicted_data(page);
        let page_len = self.table.data.paging.page() as usize;
        let head = published.head(File::Data, page);
        let (copy, fresh) = match NonNull::new(head) {
            // Beyond what anybody sees, in a frame that is there: no copy.
            Some(version)
                if start + at as u64 >= published_len
                    && evicted.is_none()
                    // SAFETY: the write lock keeps versions in slots alive.
                    && unsafe { version.as_ref() }.is_own() =>
            {
                (PageBytes::InPlace(version), false)
            }
            _ => {
                let (old, fresh) = match evicted {
                    Some(bytes) => (bytes, true),
                    None => {
                        let bytes = published.data_page(page)?;
                        (bytes, bytes.is_empty())
                    }
                };
                let old = NonNull::from(old);
                let (_, core) = self.parts();
                let mut frame = core.pool.take(page_len);
                // SAFETY: published bytes, valid while the write lock is held; taking a frame from the pool does not touch them.
                let old = unsafe { old.as_ref() };
                let (head, rest) = frame.bytes_mut().split_at_mut(old.len());
                head.copy_from_slice(old);
                rest.fill(0);
                (PageBytes::Private(frame), fresh)
            }
        };
        let (_, core) = self.parts();
        Ok(core.work.add(WorkPage {
            file: File::Data,
            page,
            bytes: copy,
            changes: Changes::default(),
            fresh,
        }))
    }

    /// Published bytes of a page that was appended to in place are to be changed: go on in a copy.
    fn leave_in_place(&mut self, place: usize) {
        let (_, core) = self.parts();
        let work = &mut core.work.pages[place];
        if let PageBytes::InPlace(version) = &work.bytes {
            // SAFETY: kept by the write lock.
            let len = unsafe { version.as_ref() }.len();
            core.work.resident += len;
            let mut frame = core.pool.take(len);
            frame.bytes_mut().copy_from_slice(work.bytes(0, len));
            work.bytes = PageBytes::Private(frame);
        }
    }

    /// Remembers this place: pages and state. Later writes keep the bytes that they replace.
    pub fn mark(&mut self) -> Savepoint {
        let (table, core) = self.parts();
        core.work.mark(&core.state, table.layout.data_len(&core.state))
    }

    /// Undoes everything since the mark, which stays valid; later marks are void.
    ///
    /// # Errors
    /// `Misuse` when the mark is void.
    pub fn rollback_to(&mut self, mark: Savepoint) -> Result<()> {
        let (table, core) = self.parts();
        let fault = table.core.options.injected();
        core.state_dirty = true;
        if core.work.rollback_to(mark, &mut core.state, &mut core.pool, fault) {
            Ok(())
        } else {
            Err(ErrorKind::Misuse("the mark is void").into())
        }
    }

    /// Forgets the mark and later ones without undoing.
    pub fn release(&mut self, mark: Savepoint) {
        self.parts().1.work.release(mark);
    }

    /// True when pages or state were touched since the last commit.
    pub fn is_dirty(&self) -> bool {
        self.core().is_dirty()
    }

    /// Undoes everything since the last commit; keeps the lock.
    pub fn rollback(&mut self) {
        if !self.is_dirty() {
            return;
        }
        // SAFETY: the write lock is held.
        let (_, state) = unsafe { self.table.newest_state() };
        let (table, core) = self.parts();
        let was_big = core.work.big.take();
        core.work.clear(&mut core.pool);
        core.state.copy_from_slice(state);
        core.state_dirty = false;
        if let Some(big) = was_big {
            big.undo(table, state);
        }
    }

    /// Publishes the changes at once; keeps the lock. Free when nothing changed. Wait for durability
    /// ([`crate::Store::wait_durable`]) after the lock is released. On error everything since the last commit is undone.
    ///
    /// # Errors
    /// `DiskFull`, `Io`, `Poisoned`, `ForeignChange`, `Corrupt`.
    pub fn commit(&mut self) -> Result<Lsn> {
        self.commit_unless(&|| false)
    }

    /// As [`TableWriter::commit`]: a wait for room in the journal ends when `kill` says so, too.
    ///
    /// # Errors
    /// As there, and `Killed` when there is no room at all.
    pub fn commit_unless(&mut self, kill: &dyn Fn() -> bool) -> Result<Lsn> {
        commit::commit(&mut [self], kill)
    }

    /// Gives the lock up with the core, for the store itself.
    pub(crate) fn into_core(mut self) -> Option<(Arc<PagedTable>, Box<WriterCore>)> {
        self.rollback();
        let core = self.core.take()?;
        Some((self.table.clone(), core))
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        if self.core.is_some() {
            self.rollback();
        }
        if let Some(core) = self.core.take() {
            self.table.queue.release(core);
        }
    }
}

impl PageSource for TableWriter {
    #[inline]
    fn state(&self) -> &[u8] {
        &self.core().state
    }

    #[inline]
    fn index_page(&self, offset: u64, len: usize) -> Result<&[u8]> {
        match self.core().work.find(File::Index, offset / INDEX_UNIT) {
            Some(at) => {
                self.check_block(at, offset, len)?;
                Ok(self.core().work.pages[at].bytes(0, len))
            }
            None => match self.evicted_block(offset, len)? {
                Some(bytes) => Ok(bytes),
                None => self.published().index_page(offset, len),
            },
        }
    }

    fn prefetch_index(&self, offsets: &[u64], len: usize) {
        self.published().prefetch_index(offsets, len);
        self.core().pool.prefetch(offsets.len(), len);
    }

    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let data_len = self.table.layout.data_len(&self.core().state);
        if offset > data_len || data_len - offset < len as u64 {
            return Err(self.published().no_data(offset, len));
        }
        let part = self.data_part(offset, len)?;
        if part.len() == len {
            return Ok(part);
        }
        scratch.clear();
        while scratch.len() < len {
            let part = self.data_part(offset + scratch.len() as u64, len - scratch.len())?;
            if part.is_empty() {
                return Err(self.published().no_data(offset, len));
            }
            scratch.extend_from_slice(part);
        }
        Ok(scratch)
    }

    fn data_run(&self, offset: u64) -> Result<&[u8]> {
        let data_len = self.table.layout.data_len(&self.core().state);
        if offset >= data_len {
            return Ok(&[]);
        }
        self.data_part(offset, (data_len - offset).min(self.table.data.paging.page()) as usize)
    }
}

impl TableWriter {
    /// As far as the page of `offset` goes, in the working view.
    fn data_part(&self, offset: u64, len: usize) -> Result<&[u8]> {
        let paging = self.table.data.paging;
        let page = paging.of(offset);
        let at = (offset - page * paging.page()) as usize;
        let len = len.min(paging.page() as usize - at);
        match self.core().work.find(File::Data, page) {
            Some(place) => Ok(self.core().work.pages[place].bytes(at, len)),
            None => {
                if let Some(bytes) = self.evicted_data(page) {
                    return Ok(&bytes[at..at + len]);
                }
                let published = self.published();
                if published.data_len() < offset + len as u64 {
                    return Err(published.no_data(offset, len));
                }
                let bytes = published.data_page(page)?;
                Ok(&bytes[at..at + len])
            }
        }
    }
}

/// A working copy of an index block. Reads as bytes; every write is noted for the journal.
pub struct PageMut<'w> {
    core: &'w mut WriterCore,
    at: usize,
    offset: u64,
    len: usize,
}

impl PageMut<'_> {
    /// The page's bytes, of which those in the range are about to change.
    #[inline]
    fn before(&mut self, range: &Range<usize>) -> (&mut [u8], &mut Changes) {
        assert!(range.start <= range.end && range.end <= self.len, "write beyond the page");
        self.core.work.before_write(self.at, self.offset, range.start, range.len());
        let WorkPage { bytes, changes, .. } = &mut self.core.work.pages[self.at];
        match bytes {
            PageBytes::Private(frame) => (frame.bytes_mut(), changes),
            PageBytes::InPlace(_) => unreachable!("index blocks are always private copies"),
        }
    }

    /// Overwrites from `at`. Panics beyond the page, as slices do.
    #[inline]
    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        let range = at..at + bytes.len();
        self.range_mut(range).copy_from_slice(bytes);
    }

    /// Moves bytes inside the page.
    #[inline]
    pub fn copy_within(&mut self, from: Range<usize>, to: usize) {
        let (start, len) = (from.start, from.len());
        let (bytes, changes) = self.before(&(to..to + len));
        bytes.copy_within(from, to);
        changes.moved(start, to, len);
    }

    /// Overwrites the head of the page, up to all of it.
    pub fn set_all(&mut self, bytes: &[u8]) {
        self.write(0, bytes);
    }

    /// A part to write into; noted as changed wholly.
    pub fn range_mut(&mut self, range: Range<usize>) -> &mut [u8] {
        let (bytes, changes) = self.before(&range);
        changes.wrote(range.start, range.end);
        &mut bytes[range]
    }
}

impl std::ops::Deref for PageMut<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.core.work.pages[self.at].bytes(0, self.len)
    }
}

/// Exclusive use of a table by one session, which alone may begin snapshots of it.
pub struct ExclusiveGuard {
    writer: Option<TableWriter>,
}

impl ExclusiveGuard {
    pub(crate) fn new(writer: TableWriter) -> ExclusiveGuard {
        ExclusiveGuard { writer: Some(writer) }
    }

    /// The table.
    pub fn table(&self) -> &Arc<PagedTable> {
        match &self.writer {
            Some(writer) => writer.table(),
            None => unreachable!("the writer is taken only when the guard is consumed"),
        }
    }

    /// The write lock.
    pub fn writer(&mut self) -> &mut TableWriter {
        match &mut self.writer {
            Some(writer) => writer,
            None => unreachable!("the writer is taken only when the guard is consumed"),
        }
    }

    /// The table as the holder's statement left it, for reading.
    pub fn working(&self) -> &TableWriter {
        match &self.writer {
            Some(writer) => writer,
            None => unreachable!("the writer is taken only when the guard is consumed"),
        }
    }

    /// Makes the table clean and unguarded on disk and closes it: the handle is `Stale` from then on, for sessions that
    /// wait for it, too.
    ///
    /// # Errors
    /// `Io`, `Poisoned`; `LockTimeout`, `Killed`; `Misuse` while the own session reads it. The table is open for all again then.
    pub fn detach(mut self, wait_limit: &WaitLimit<'_>) -> Result<()> {
        let store = self.table().store()?;
        // Opened anew the same files would be written without regard to readers of this handle. Others' have ended; one that
        // shows itself now is about to be turned away.
        if self.table().core.registry.used_by(self.table().id, self.working().owner()) {
            return Err(ErrorKind::Misuse("a session reads the table it closes").into());
        }
        match self.writer.take() {
            Some(writer) => reopen(writer, |writer| store.detach_writer(writer, wait_limit)),
            None => Ok(()),
        }
    }

    /// Closes the table for good and carries out `plan`, which normally removes its files (DROP): changes not yet
    /// written back are forgotten.
    ///
    /// # Errors
    /// As [`crate::Store::apply`]; the table is open for all again then.
    pub fn discard(self, plan: FilePlan) -> Result<()> {
        let store = self.table().store()?;
        store.discard_all(vec![self], plan)
    }

    /// Takes the writer out; who gets it closes the table.
    pub(crate) fn into_writer(mut self) -> Option<TableWriter> {
        self.writer.take()
    }

    /// Lets readers in again and keeps the write lock.
    pub fn downgrade(mut self) -> TableWriter {
        match self.writer.take() {
            Some(writer) => {
                writer.table.admit_readers();
                writer
            }
            None => unreachable!("the writer is taken only when the guard is consumed"),
        }
    }
}

impl Drop for ExclusiveGuard {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            writer.table.admit_readers();
        }
    }
}

fn reopen(writer: TableWriter, end: impl FnOnce(TableWriter) -> Result<()>) -> Result<()> {
    let table = writer.table().clone();
    let result = end(writer);
    if result.is_err() {
        table.admit_readers();
    }
    result
}

/// Ends a table's handle: who waits for it or comes later gets `Stale`.
pub(crate) fn close(writer: TableWriter) {
    let Some((table, core)) = writer.into_core() else { return };
    table.flags.fetch_or(STALE, Ordering::SeqCst);
    table.queue.close(core);
    table.admit_readers();
}

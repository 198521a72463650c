//! A table file in memory: its mapping and its array of slots, one per page.
//!
//! Slot null: the page is clean, its bytes are those of the mapping. Else it leads to the newest version. Mapping and
//! array are found through a [`View`], replaced as a whole when the file outgrows it; an old view is freed after a grace
//! period like an old version.
//!
//! Slices into the mapping are handed out as `&[u8]`. That is sound because base pages are written by the checkpoint
//! only, after a grace period of pins, when no snapshot can ask for the old bytes; the data directory is locked against
//! other servers, and a table's guard makes MyISAM tools refuse it.
#![allow(unsafe_code)]

use std::fs::File as SystemFile;
use std::io;
use std::path::PathBuf;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use crate::blocks::{BlockCache, CachedBlocks};
use crate::cached::{Cached, cached};
use crate::error::{Error, ErrorKind, Result};
use crate::map::{Faults, ReadMap, Reserved};
use crate::options::DataPaging;
use crate::registry::Registry;
use crate::storage::StorageFile;
use crate::sync::Padded;
use crate::version::Version;

/// Slots of 1 KiB for the index file.
pub(crate) const INDEX_UNIT: u64 = 1024;
/// No file of a table is larger.
pub(crate) const LARGEST_FILE: u64 = 1 << 50;
const DATA_PAGE: u64 = 8192;
const BYTES_PAGE: u64 = 4096;
const MIN_SLOTS: u64 = 1 << 20;
const MAX_SLOTS: u64 = 1 << 36;
const MAP_SLACK: u64 = 64 << 20;

/// How offsets become pages. Division by multiplication: a look-up in 1 ns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paging {
    page: u64,
    magic: u64,
}

impl Paging {
    pub(crate) const INDEX: Paging = Paging::new(INDEX_UNIT);

    const fn new(page: u64) -> Paging {
        Paging { page, magic: (u64::MAX / page) + 1 }
    }

    pub(crate) fn data(paging: DataPaging) -> Paging {
        match paging {
            DataPaging::FixedRows { row_len } => {
                let row = (row_len as u64).max(2);
                Paging::new(row * (DATA_PAGE / row).max(1))
            }
            DataPaging::Bytes4K => Paging::new(BYTES_PAGE),
        }
    }

    /// Bytes of a page.
    pub(crate) fn page(&self) -> u64 {
        self.page
    }

    /// The page that holds `offset`.
    #[inline]
    pub(crate) fn of(&self, offset: u64) -> u64 {
        let page = ((u128::from(offset) * u128::from(self.magic)) >> 64) as u64;
        // The rounded-up reciprocal may be one too high, never too low, for offsets below 2^50.
        if page * self.page > offset { page - 1 } else { page }
    }
}

/// A file's claim on the disk grows in steps of an eighth, no smaller than this, ...
const SMALL_CLAIM: u64 = 64 << 10;
/// ... and no larger.
const LARGE_CLAIM: u64 = 16 << 20;

/// An array of slots in reserved address space: only touched parts take memory.
pub(crate) struct SlotArray {
    memory: Reserved,
    count: u64,
}

impl SlotArray {
    fn new(count: u64) -> io::Result<SlotArray> {
        if count > MAX_SLOTS {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "table file too large"));
        }
        Ok(SlotArray { memory: Reserved::new(count as usize * size_of::<AtomicPtr<Version>>())?, count })
    }

    fn slots(&self) -> &[AtomicPtr<Version>] {
        // SAFETY: zeroed memory of this size is valid as null pointers; it lives as long as self.
        unsafe { std::slice::from_raw_parts(self.memory.base().cast(), self.count as usize) }
    }
}

/// What a look-up needs of a file.
pub(crate) struct View {
    base: *const u8,
    map_len: u64,
    slots: *const AtomicPtr<Version>,
    slot_count: u64,
    /// None once the file is closed.
    kept: Option<(Arc<ReadMap>, Arc<SlotArray>)>,
}

// SAFETY: the pointers lead into what is `kept`, which is kept alive and shared between threads by design (see module).
unsafe impl Send for View {}
// SAFETY: as above.
unsafe impl Sync for View {}

impl View {
    fn new(map: Arc<ReadMap>, array: Arc<SlotArray>) -> Box<View> {
        Box::new(View {
            base: map.base(),
            map_len: map.len() as u64,
            slots: array.slots().as_ptr(),
            slot_count: array.count,
            kept: Some((map, array)),
        })
    }

    /// Of a closed file: leads nowhere.
    fn closed() -> Box<View> {
        Box::new(View {
            base: NonNull::dangling().as_ptr(),
            map_len: 0,
            slots: NonNull::dangling().as_ptr(),
            slot_count: 0,
            kept: None,
        })
    }

    /// The slot of a page; `None` beyond the array.
    #[inline]
    pub(crate) fn slot(&self, page: u64) -> Option<&AtomicPtr<Version>> {
        if page >= self.slot_count {
            return None;
        }
        // SAFETY: inside the array, which the view keeps alive.
        Some(unsafe { &*self.slots.add(page as usize) })
    }

    /// The mapping, while the file is open.
    pub(crate) fn map(&self) -> Option<&Arc<ReadMap>> {
        self.kept.as_ref().map(|(map, _)| map)
    }

    /// Where the bytes at an offset are mapped, for hints.
    pub(crate) fn place(&self, offset: u64) -> *const u8 {
        self.base.wrapping_add(offset as usize)
    }

    /// Bytes of the mapping.
    ///
    /// # Safety
    /// The pages are clean for the caller's snapshot, and the caller keeps the view alive for `'a` (pin or write lock).
    #[inline]
    pub(crate) unsafe fn mapped<'a>(&self, offset: u64, len: usize) -> Option<&'a [u8]> {
        if offset > self.map_len || len as u64 > self.map_len - offset {
            return None;
        }
        // SAFETY: inside the mapping; its bytes do not change while the caller may read them (see module). A page that is
        // missing on disk becomes zeros through the SIGBUS handler.
        Some(unsafe { std::slice::from_raw_parts(self.base.add(offset as usize), len) })
    }
}

/// One of a table's files.
pub(crate) struct PagedFile {
    pub(crate) path: PathBuf,
    /// None once it is closed.
    opened: Mutex<Option<Opened>>,
    pub(crate) paging: Paging,
    view: AtomicPtr<View>,
    faults: Faults,
    /// Bytes of the file that hold checkpointed content.
    pub(crate) disk_len: AtomicU64,
    /// There is room on the disk up to here.
    reserved: AtomicU64,
    /// A rolled back statement has left bytes beyond its end.
    pub(crate) to_cut: AtomicBool,
    /// Highest page that ever had a slot set, plus one.
    pub(crate) slots_used: Padded<AtomicU64>,
    reading: Reading,
}

/// How the file's clean pages are read.
struct Reading {
    /// Through the cache, instead of in the mapping.
    cached: AtomicBool,
    /// Made once: who still reads as it was set before finds what the others forget.
    blocks: OnceLock<Arc<CachedBlocks>>,
    cache: Mutex<Option<Arc<BlockCache>>>,
}

/// An open file.
struct Opened {
    file: Arc<dyn StorageFile>,
    system: SystemFile,
}

/// A view that was replaced; free it after a grace period.
pub(crate) struct OldView(NonNull<View>);

// SAFETY: the only owner of a View, which is Send.
unsafe impl Send for OldView {}

impl Drop for OldView {
    fn drop(&mut self) {
        // SAFETY: from Box::into_raw, unlinked in `grow` or `close`; dropped after a grace period.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl PagedFile {
    pub(crate) fn new(
        path: PathBuf,
        file: Arc<dyn StorageFile>,
        paging: Paging,
        len: u64,
    ) -> io::Result<PagedFile> {
        let system = file.system_file()?;
        let pages = len / paging.page + 1;
        let faults = Faults::default();
        let map = Arc::new(ReadMap::new(&system, map_len(len)?, faults.clone())?);
        let array = Arc::new(SlotArray::new((pages * 4).clamp(MIN_SLOTS, MAX_SLOTS))?);
        Ok(PagedFile {
            path,
            opened: Mutex::new(Some(Opened { file, system })),
            faults,
            paging,
            view: AtomicPtr::new(Box::into_raw(View::new(map, array))),
            disk_len: AtomicU64::new(len),
            reserved: AtomicU64::new(len),
            to_cut: AtomicBool::new(false),
            slots_used: Padded(AtomicU64::new(0)),
            reading: Reading {
                cached: AtomicBool::new(false),
                blocks: OnceLock::new(),
                cache: Mutex::new(None),
            },
        })
    }

    /// The current view.
    ///
    /// # Safety
    /// The caller holds a pin or the table's write or chain lock for `'a`: an old view is freed only after a grace period,
    /// by the holder of the write lock.
    #[inline]
    pub(crate) unsafe fn view<'a>(&self) -> &'a View {
        // SAFETY: never null; see the contract.
        unsafe { &*self.view.load(Ordering::Acquire) }
    }

    /// The file.
    ///
    /// # Errors
    /// `Stale` when it is closed.
    pub(crate) fn file(&self) -> Result<Arc<dyn StorageFile>> {
        let opened = self.opened.lock();
        opened.as_ref().map(|opened| opened.file.clone()).ok_or_else(|| ErrorKind::Stale.into())
    }

    /// From now on clean pages are read through this cache, or in the mapping.
    pub(crate) fn read_through(&self, cache: Option<&Arc<BlockCache>>, registry: &Registry) {
        let mut own = self.reading.cache.lock();
        if own.as_ref().map(Arc::as_ptr) == cache.map(Arc::as_ptr) {
            return;
        }
        *own = cache.cloned();
        if cache.is_some() {
            self.reading.blocks.get_or_init(|| CachedBlocks::new(self.paging.page()));
        }
        self.reading.cached.store(cache.is_some(), Ordering::Release);
        drop(own);
        self.forget_blocks(registry);
    }

    /// The blocks of the file's clean pages, when they are not read in the mapping.
    #[inline]
    pub(crate) fn blocks(&self) -> Option<&Arc<CachedBlocks>> {
        if self.reading.cached.load(Ordering::Acquire) { self.reading.blocks.get() } else { None }
    }

    /// The cache that they are read into.
    pub(crate) fn cache(&self) -> Option<Arc<BlockCache>> {
        self.reading.cache.lock().clone()
    }

    fn forget_blocks(&self, registry: &Registry) {
        if let Some(blocks) = self.reading.blocks.get() {
            blocks.forget_all(registry);
        }
    }

    /// Writes pages to their place. Nobody reads them there: they are new, or all who could hold pointers into them are done.
    pub(crate) fn write_pages(&self, bytes: &[u8], offset: u64, registry: &Registry) -> Result<()> {
        let written = self.file()?.write_all_at(bytes, offset);
        // Whatever became of it: a part may have arrived.
        if let Some(blocks) = self.reading.blocks.get() {
            blocks.forget(registry, offset, bytes.len() as u64);
        }
        written.map_err(|e| Error::io(&self.path, "write", e))
    }

    /// What the system has of the file in memory.
    pub(crate) fn cached(&self) -> Result<Cached> {
        let system = match &*self.opened.lock() {
            Some(opened) => opened.system.try_clone(),
            None => return Err(ErrorKind::Stale.into()),
        };
        system.and_then(|file| cached(&file)).map_err(|e| Error::io(&self.path, "ask for the cache of", e))
    }

    /// Closes the file and gives up its mapping: views taken from now on lead nowhere.
    ///
    /// # Safety
    /// Nobody has a view now: the table is stale, without a reader or a writer, and the chain lock is held.
    pub(crate) unsafe fn close(&self, registry: &Registry) {
        self.reading.cached.store(false, Ordering::Release);
        self.forget_blocks(registry);
        let old = self.view.swap(Box::into_raw(View::closed()), Ordering::AcqRel);
        drop(NonNull::new(old).map(OldView));
        drop(self.opened.lock().take());
    }

    /// Claims room on the disk for a file of `len` bytes: what is committed has its place in the table's files, whatever becomes of
    /// the disk until a checkpoint or a recovery brings it there. The write lock is held.
    #[inline]
    pub(crate) fn make_room(&self, len: u64) -> Result<()> {
        if len <= self.reserved.load(Ordering::Relaxed) { Ok(()) } else { self.make_more_room(len) }
    }

    #[cold]
    fn make_more_room(&self, len: u64) -> Result<()> {
        let from = self.reserved.load(Ordering::Relaxed);
        let more = (len / 8).clamp(SMALL_CLAIM, LARGE_CLAIM);
        let ample = len.saturating_add(more) / SMALL_CLAIM * SMALL_CLAIM;
        let file = self.file()?;
        let to = match file.reserve(from, ample) {
            Ok(()) => ample,
            // Little is left: what is needed must do.
            Err(_) => {
                file.reserve(from, len).map_err(|e| Error::io(&self.path, "reserve room for", e))?;
                len
            }
        };
        self.reserved.store(to, Ordering::Relaxed);
        Ok(())
    }

    /// Cuts or extends the file; room claimed beyond is given back.
    pub(crate) fn set_len(&self, len: u64) -> Result<()> {
        self.reserved.fetch_min(len, Ordering::Relaxed);
        self.file()?.set_len(len).map_err(|e| Error::io(&self.path, "truncate", e))
    }

    /// Is more room claimed than a file of `len` bytes needs?
    pub(crate) fn has_spare_room(&self, len: u64) -> bool {
        self.reserved.load(Ordering::Relaxed) > len
    }

    /// Counts faults of its mappings.
    pub(crate) fn faults(&self) -> Faults {
        self.faults.clone()
    }

    /// Did a page of its mappings fail to be read?
    pub(crate) fn faulted(&self) -> bool {
        self.faults.load(Ordering::Acquire) != 0
    }

    /// Makes room in slots and mapping for a file of `len` bytes. Under the chain lock.
    pub(crate) fn grow(&self, len: u64) -> io::Result<Option<OldView>> {
        // SAFETY: the chain lock is held, so no other `grow` replaces the view now.
        let old = unsafe { self.view() };
        let pages = len / self.paging.page + 1;
        if pages <= old.slot_count && len <= old.map_len {
            return Ok(None);
        }
        let opened = self.opened.lock();
        let (Some((old_map, old_array)), Some(opened)) = (&old.kept, &*opened) else {
            return Err(io::Error::other("the table is closed"));
        };
        let array = if pages > old.slot_count {
            let array = SlotArray::new((pages * 4).clamp(MIN_SLOTS, MAX_SLOTS))?;
            if pages > array.count {
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, "table file too large"));
            }
            let used = self.slots_used.load(Ordering::Relaxed) as usize;
            for (to, from) in array.slots()[..used].iter().zip(old_array.slots()) {
                let head = from.load(Ordering::Relaxed);
                if !head.is_null() {
                    to.store(head, Ordering::Relaxed);
                }
            }
            Arc::new(array)
        } else {
            old_array.clone()
        };
        let map = if len > old.map_len {
            Arc::new(ReadMap::new(&opened.system, map_len(len)?, self.faults.clone())?)
        } else {
            old_map.clone()
        };
        let new = Box::into_raw(View::new(map, array));
        let old = self.view.swap(new, Ordering::AcqRel);
        Ok(NonNull::new(old).map(OldView))
    }
}

impl Drop for PagedFile {
    fn drop(&mut self) {
        let view = std::mem::replace(self.view.get_mut(), ptr::null_mut());
        // SAFETY: from Box::into_raw; whoever looks at a view borrows the table, which is being dropped.
        drop(unsafe { Box::from_raw(view) });
    }
}

fn map_len(len: u64) -> io::Result<usize> {
    let wanted = len.saturating_add((len / 2).max(MAP_SLACK));
    if wanted > 1 << 46 {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "file too large to map"));
    }
    Ok((wanted as usize).next_multiple_of(2 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_offsets() {
        for page in [2, 3, 7, 1024, 4096, 8190, 8192, 8193, 60_000] {
            let paging = Paging::new(page);
            for offset in (0..3 * page).chain((1 << 40) - 3..(1 << 40) + 3).chain([(1 << 48) - 1, page << 30])
            {
                assert_eq!(paging.of(offset), offset / page, "{offset} / {page}");
            }
        }
    }
}

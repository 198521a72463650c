//! An attached table: two files, the versions of their pages, and the versioned state.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::blocks::BlockCache;
use crate::cached::Cached;
use crate::commit::WriterCore;
use crate::core::Core;
use crate::error::{Error, ErrorKind, Result};
use crate::file::{OldView, PagedFile, Paging};
use crate::files::Keeping;
use crate::files::links;
use crate::guard::DiskHeader;
use crate::options::{File, InjectedFault, Lsn, StateLayout, TableSpec};
use crate::queue::{KILL_CHECK, WriteQueue};
use crate::requests::{PageCounts, Requests};
use crate::storage::OpenMode;
use crate::store::Store;
use crate::sync::Padded;
use crate::version::{Frame, UNRESOLVED, Version};
use crate::wait_limit::assert_unpinned;
use crate::write::{ExclusiveGuard, TableWriter};

pub(crate) const EXCLUSIVE: u32 = 1;
pub(crate) const STALE: u32 = 2;

/// Leading bytes of the state that tell the table's form.
const FORM: usize = 24;

/// Marks the further 1 KiB slots of a larger index block.
pub(crate) fn overlap() -> *mut Version {
    ptr::without_provenance_mut(1)
}

/// An attached table. Readers reach it through [`crate::ReaderSlot::begin`], writers through [`PagedTable::write_lock`].
pub struct PagedTable {
    pub(crate) id: u32,
    pub(crate) flags: AtomicU32,
    pub(crate) exclusive_owner: AtomicU64,
    pub(crate) core: Arc<Core>,
    pub(crate) index: PagedFile,
    pub(crate) data: PagedFile,
    /// Newest version of the state; never null.
    pub(crate) state: Padded<AtomicPtr<Version>>,
    pub(crate) layout: StateLayout,
    pub(crate) base: PathBuf,
    /// Tables that are not journaled are not guarded either. Their pages come home when they are made clean, so that they can be
    /// closed and opened again; those of sessions also when there are many of them.
    pub(crate) keeping: Keeping,
    /// Held by who writes the pages of a session's table into its files without the lock of checkpoints, and by a checkpoint that does.
    pub(crate) emptying: Mutex<()>,
    /// LSN of the commit under way, once it is published. See `version.rs`.
    pub(crate) cell: Padded<AtomicU64>,
    auto_increment: Padded<AtomicU64>,
    pub(crate) queue: Padded<WriteQueue<WriterCore>>,
    pub(crate) chains: Padded<Mutex<Chains>>,
    pub(crate) disk: Mutex<DiskHeader>,
    pub(crate) guarded: AtomicBool,
    /// LSN of the journal's newest claim. Recovery begins there: a page that was changed last before it needs a new image.
    pub(crate) claimed_at: AtomicU64,
    /// Another program has put other files in the place of ours.
    pub(crate) replaced: AtomicBool,
    /// A definition statement is decided that removes or exchanges its files: what the files lack matters no more.
    pub(crate) forgotten: AtomicBool,
    pub(crate) last_commit: Padded<AtomicU64>,
    /// Old versions are kept, or wait to be freed.
    pub(crate) holds: AtomicBool,
    /// Snapshots given up when all old versions were looked at last.
    pub(crate) evictions_seen: AtomicU64,
    pub(crate) requests: Requests,
    /// The cache that counts what is asked of the index, and what was asked before it did.
    counted: Mutex<Option<(Arc<BlockCache>, PageCounts)>>,
    gate: Mutex<()>,
    opened: Condvar,
}

/// How a table's file lies in memory.
#[derive(Clone, Copy, Debug)]
pub struct FileMemory {
    /// The file's length in bytes.
    pub bytes: u64,
    /// What the system has of it.
    pub cached: Cached,
    /// Bytes of pages whose newest commits are in the journal and in our memory, and come into the file with the next checkpoint.
    pub unwritten: u64,
}

/// What changes with the chains of versions. Its lock is the table's *chain lock*: held by a commit from installing to
/// resolving, by pruning, and by the checkpoint for a batch of pages.
#[derive(Default)]
pub(crate) struct Chains {
    /// Base pages were copied, and it is not known yet that nobody looks at them any more.
    pub(crate) grace_pending: bool,
    /// Pages with changes that the files do not have.
    pub(crate) dirty: Vec<(File, u64)>,
    /// Written, but still in their slots: an older version was needed, or rows are appended to it.
    pub(crate) written_back: Vec<(File, u64)>,
    /// Unlinked by the checkpoint; freed by the holder of the write lock after a grace period.
    pub(crate) retired: Vec<Retired>,
    pub(crate) old_views: Vec<OldView>,
    /// Base pages copied into frames by the checkpoint, with the LSN that superseded them.
    pub(crate) copied: Vec<Superseded>,
    /// Their memory, which the store was told.
    pub(crate) copied_memory: u64,
    /// Mapped versions, by address, for which the checkpoint has put copies into their chains.
    pub(crate) replaced: HashMap<usize, Retired>,
}

impl Version {
    /// Is its image in the journal, if there is one, of no use since the table was claimed anew? (A page may stay in its slot
    /// for a reader while its table is made clean.)
    pub(crate) fn is_before_claim(&self, table: &PagedTable) -> bool {
        !table.core.fault_injected(InjectedFault::ImageBeforeClaim)
            && self.changed.load(Ordering::Relaxed) < table.claimed_at.load(Ordering::Relaxed)
    }
}

/// An unlinked version.
pub(crate) struct Retired(pub(crate) NonNull<Version>);

/// A version that a newer one has replaced, still in its chain.
#[derive(Clone, Copy)]
pub(crate) struct Superseded {
    pub(crate) place: Place,
    pub(crate) version: NonNull<Version>,
    pub(crate) until: Lsn,
}

/// Whose chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Page(File, u64),
    State,
}

// SAFETY: pointers to versions that the table keeps; accessed under its locks.
unsafe impl Send for Retired {}
// SAFETY: as above.
unsafe impl Send for Superseded {}

/// Opens a file of a table, for reading only where writing is not allowed.
fn open_file(core: &Core, path: &Path) -> std::io::Result<Arc<dyn crate::storage::StorageFile>> {
    let open = |mode| links::open(&*core.storage, &core.datadir, path, mode);
    open(OpenMode::ReadWrite).or_else(|e| match e.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => open(OpenMode::Read),
        _ => Err(e),
    })
}

/// Where the index file lacks the pages that its state tells of, and may lack them, there are none: it ends at `start`. Gives the state
/// as the file has it.
fn forget_lost_pages(
    layout: &StateLayout,
    state: &mut [u8],
    start: Option<u64>,
    index: &dyn crate::storage::StorageFile,
) -> std::io::Result<Vec<u8>> {
    let on_disk = state.to_vec();
    if let Some(start) = start {
        let real = index.len()?;
        if start <= real && real < layout.index_len(state) {
            state[layout.index_len_at..][..8].copy_from_slice(&start.to_be_bytes());
        }
    }
    Ok(on_disk)
}

impl PagedTable {
    pub(crate) fn open(core: &Arc<Core>, id: u32, spec: TableSpec) -> Result<PagedTable> {
        let layout = spec.layout;
        let path = |extension: &str| {
            let mut name = core.datadir.join(&spec.base).into_os_string();
            name.push(extension);
            PathBuf::from(name)
        };
        let (index_path, data_path) = (path(".MYI"), path(".MYD"));
        if !layout.fits(spec.state.len()) {
            return Err(Error::corrupt(&index_path, 0, "the header is too short"));
        }
        let open = |path: &Path| open_file(core, path);
        let io = |path: &Path, op, e| Error::io(path, op, e);
        let index = open(&index_path).map_err(|e| io(&index_path, "open", e))?;
        let data = open(&data_path).map_err(|e| io(&data_path, "open", e))?;
        let mut state = vec![0; spec.state.len()];
        index.read_exact_at(&mut state, 0).map_err(|e| io(&index_path, "read", e))?;
        // The caller may have read it before another session opened, changed and closed the table; what describes the
        // table's form must be the same.
        let form = |state: &[u8]| {
            let mut form = state[..FORM.min(state.len())].to_vec();
            if let Some(byte) = form.get_mut(layout.guard_at) {
                *byte &= !layout.guard_mask;
            }
            form
        };
        if form(&state) != form(&spec.state) {
            return Err(ErrorKind::Stale.into());
        }
        if state[layout.guard_at] & layout.guard_mask != 0 {
            return Err(ErrorKind::Guarded { path: index_path }.into());
        }
        let on_disk = forget_lost_pages(&layout, &mut state, spec.pages_lost_from, &*index)
            .map_err(|e| io(&index_path, "stat", e))?;
        let (index_len, data_len) = (layout.index_len(&state), layout.data_len(&state));
        for (file, path, len) in [(&index, &index_path, index_len), (&data, &data_path, data_len)] {
            let real = file.len().map_err(|e| io(path, "stat", e))?;
            if real < len {
                return Err(Error::corrupt(
                    path,
                    real,
                    format!("file ends here, its header says {len} bytes"),
                ));
            }
        }
        let auto_increment = layout.field(&state, layout.auto_increment_at);
        let index = PagedFile::new(index_path.clone(), index, Paging::INDEX, index_len)
            .map_err(|e| io(&index_path, "map", e))?;
        let data = PagedFile::new(data_path.clone(), data, Paging::data(spec.data_page), data_len)
            .map_err(|e| io(&data_path, "map", e))?;
        let mut frame = Frame::new(state.len());
        frame.bytes_mut().copy_from_slice(&state);
        frame.header().resolve(0);
        let writer = WriterCore::new(state.clone(), auto_increment);
        Ok(PagedTable {
            id,
            flags: AtomicU32::new(0),
            exclusive_owner: AtomicU64::new(0),
            core: core.clone(),
            index,
            data,
            state: Padded(AtomicPtr::new(frame.into_raw())),
            layout,
            keeping: Keeping::of(&spec.base),
            emptying: Mutex::new(()),
            base: spec.base,
            cell: Padded(AtomicU64::new(UNRESOLVED)),
            auto_increment: Padded(AtomicU64::new(auto_increment)),
            queue: Padded(WriteQueue::new(Box::new(writer))),
            chains: Padded(Mutex::default()),
            disk: Mutex::new(DiskHeader::new(on_disk)),
            guarded: AtomicBool::new(false),
            claimed_at: AtomicU64::new(0),
            replaced: AtomicBool::new(false),
            forgotten: AtomicBool::new(false),
            last_commit: Padded(AtomicU64::new(0)),
            holds: AtomicBool::new(false),
            evictions_seen: AtomicU64::new(0),
            requests: Requests::new(),
            counted: Mutex::default(),
            gate: Mutex::new(()),
            opened: Condvar::new(),
        })
    }

    /// Does a change of it go into the journal?
    #[inline]
    pub(crate) fn is_journaled(&self) -> bool {
        self.keeping == Keeping::Journaled
    }

    /// Number of this handle, unique while the store is open.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Path without extension, relative to the data directory.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// The store it belongs to.
    ///
    /// # Errors
    /// `Stale` when the store is gone.
    pub fn store(&self) -> Result<Arc<Store>> {
        self.core.store.get().and_then(Weak::upgrade).ok_or_else(|| ErrorKind::Stale.into())
    }

    /// Paths of the index and the data file, for messages.
    pub fn paths(&self) -> (&Path, &Path) {
        (&self.index.path, &self.data.path)
    }

    /// How one of the files lies in memory, as of now.
    ///
    /// # Errors
    /// `Stale` when the table is closed; those of the system.
    pub fn file_memory(&self, which: File) -> Result<FileMemory> {
        let file = self.file(which);
        let bytes = file.file()?.len().map_err(|e| Error::io(&file.path, "look at", e))?;
        let cached = file.cached()?;
        let pages = self.chains.lock().dirty.iter().filter(|(of, _)| *of == which).count();
        Ok(FileMemory { bytes, cached, unwritten: pages as u64 * file.paging.page() })
    }

    /// From now on the index belongs to this cache: it counts what is asked of it, and unless `mapped` its clean pages are read
    /// through the cache.
    pub fn assign_index(&self, cache: &Arc<BlockCache>, mapped: bool) {
        self.index.read_through((!mapped).then_some(cache), &self.core.registry);
        let mut counted = self.counted.lock();
        let now = self.requests.counts(File::Index);
        match &mut *counted {
            Some((of, _)) if Arc::ptr_eq(of, cache) => {}
            Some((of, before)) => {
                of.leave(now.since(*before));
                *counted = Some((cache.clone(), now));
            }
            None => *counted = Some((cache.clone(), PageCounts::default())),
        }
    }

    /// The table is closed: what was asked of its index stays with the cache.
    pub(crate) fn leave_cache(&self) {
        if let Some((cache, before)) = self.counted.lock().take() {
            cache.leave(self.requests.counts(File::Index).since(before));
        }
    }

    /// From now on the clean pages of the data file are read through this cache, or in the mapping.
    pub fn assign_rows(&self, cache: Option<&Arc<BlockCache>>) {
        self.data.read_through(cache, &self.core.registry);
    }

    /// The cache that pages of a file are read through: `None` when they are read in the mapping.
    pub fn cache_of(&self, file: File) -> Option<Arc<BlockCache>> {
        self.file(file).cache()
    }

    /// How often pages of a file were asked for, read, changed and written since the table was opened.
    pub fn page_counts(&self, file: File) -> PageCounts {
        self.requests.counts(file)
    }

    /// What of the index counts for this cache, and how many of its pages are not written yet.
    pub(crate) fn counts_for(&self, cache: &Arc<BlockCache>) -> Option<(PageCounts, u64)> {
        let counted = self.counted.lock();
        let (_, before) = counted.as_ref().filter(|(of, _)| Arc::ptr_eq(of, cache))?;
        let counts = self.requests.counts(File::Index).since(*before);
        let dirty = self.chains.lock().dirty.iter().filter(|(file, _)| *file == File::Index).count();
        Some((counts, dirty as u64))
    }

    /// True once the table was dropped, replaced or detached: open it again.
    pub fn is_stale(&self) -> bool {
        self.flags.load(Ordering::Acquire) & STALE != 0
    }

    /// The AUTO_INCREMENT counter, outside the versioned state: raise it with `fetch_max` or `fetch_add`. It is journaled with
    /// the next commit and put into the state's field, where greater, when the header is written. Never rewound.
    pub fn auto_increment(&self) -> &AtomicU64 {
        &self.auto_increment
    }

    /// Takes the table's write lock, fairly queued. `owner` is [`crate::ReaderSlot::id`]; `kill` is asked now and then.
    ///
    /// # Errors
    /// `LockTimeout`, `Killed`, `AlreadyLocked` (by this owner), `Stale`.
    pub fn write_lock(
        self: &Arc<Self>,
        owner: u64,
        timeout: Duration,
        kill: &dyn Fn() -> bool,
    ) -> Result<TableWriter> {
        let core = self.queue.acquire(owner, timeout, kill)?;
        Ok(TableWriter::new(self.clone(), core, owner))
    }

    /// Takes the table's write lock when nobody has it and nobody has waited for long.
    ///
    /// # Errors
    /// `Stale`.
    pub fn write_lock_now(self: &Arc<Self>, owner: u64) -> Result<Option<TableWriter>> {
        let core = self.queue.acquire_now(owner)?;
        Ok(core.map(|core| TableWriter::new(self.clone(), core, owner)))
    }

    /// Whether somebody has the write lock: a look at a moment.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.queue.is_held()
    }

    /// Takes the write lock, keeps new readers of other sessions out and waits for the running ones.
    ///
    /// # Errors
    /// As [`PagedTable::write_lock`].
    pub fn exclusive(
        self: &Arc<Self>,
        owner: u64,
        timeout: Duration,
        kill: &dyn Fn() -> bool,
    ) -> Result<ExclusiveGuard> {
        let deadline = Instant::now().checked_add(timeout);
        let writer = self.write_lock(owner, timeout, kill)?;
        self.exclusive_owner.store(owner, Ordering::Relaxed);
        // The fence between the flag and the look at the readers is in `used_by_others`.
        self.flags.fetch_or(EXCLUSIVE, Ordering::SeqCst);
        let guard = ExclusiveGuard::new(writer);
        let mut spins = 0;
        while self.core.registry.used_by_others(self.id, owner) {
            assert_unpinned();
            let error = if kill() {
                ErrorKind::Killed
            } else if deadline.is_some_and(|d| Instant::now() >= d) {
                ErrorKind::LockTimeout
            } else {
                spins += 1;
                std::thread::sleep(Duration::from_micros(if spins < 50 { 20 } else { 1000 }));
                continue;
            };
            return Err(error.into());
        }
        Ok(guard)
    }

    /// Whom `owner` waits for when it waits for this table: who has the write lock, and once `owner` has that itself, who
    /// reads. A look at a moment.
    pub fn blockers_of(&self, owner: u64) -> Vec<u64> {
        match self.queue.owner() {
            Some(own) if own == owner => self.core.registry.users(self.id, owner),
            Some(other) => vec![other],
            None => Vec::new(),
        }
    }

    /// Who has the table exclusively. A look at a moment.
    pub fn exclusive_owner(&self) -> Option<u64> {
        let exclusive = self.flags.load(Ordering::Acquire) & EXCLUSIVE != 0;
        exclusive.then(|| self.exclusive_owner.load(Ordering::Relaxed)).filter(|owner| *owner != 0)
    }

    /// The newest state, without waiting for anybody and without a snapshot.
    pub fn latest_state(&self) -> Vec<u8> {
        let _chains = self.chains.lock();
        // SAFETY: the chain lock is held.
        unsafe { self.newest_state() }.1.to_vec()
    }

    /// Lets readers in again.
    pub(crate) fn admit_readers(&self) {
        self.exclusive_owner.store(0, Ordering::Relaxed);
        self.flags.fetch_and(!EXCLUSIVE, Ordering::SeqCst);
        drop(self.gate.lock());
        self.opened.notify_all();
    }

    /// May a statement of `owner` that has announced itself go on? To be called after its fence.
    #[inline]
    pub(crate) fn admit(&self, owner: u64) -> Result<()> {
        let flags = self.flags.load(Ordering::Acquire);
        if flags == 0 { Ok(()) } else { self.admit_slowly(flags, owner) }
    }

    #[cold]
    fn admit_slowly(&self, flags: u32, owner: u64) -> Result<()> {
        if flags & STALE != 0 {
            Err(ErrorKind::Stale.into())
        } else if self.exclusive_owner.load(Ordering::Relaxed) == owner {
            Ok(())
        } else {
            Err(ErrorKind::ExclusivelyLocked.into())
        }
    }

    /// Waits while another session has the table exclusively.
    pub(crate) fn wait_admitted(
        &self,
        owner: u64,
        deadline: Option<Instant>,
        kill: &dyn Fn() -> bool,
    ) -> Result<()> {
        assert_unpinned();
        loop {
            {
                let mut gate = self.gate.lock();
                match self.admit(owner) {
                    Err(e) if matches!(e.kind(), ErrorKind::ExclusivelyLocked) => {}
                    other => return other,
                }
                self.opened.wait_for(&mut gate, KILL_CHECK);
            }
            if kill() {
                return Err(ErrorKind::Killed.into());
            }
            if deadline.is_some_and(|d| Instant::now() >= d) {
                return Err(ErrorKind::LockTimeout.into());
            }
        }
    }

    /// An error when a page of the mapped files could not be read since the table was opened: rows read may be
    /// zeros. Cheap; look before rows are sent. Commit and checkpoint look, too.
    ///
    /// # Errors
    /// `Corrupt`.
    pub fn check_fault(&self) -> Result<()> {
        for file in [&self.index, &self.data] {
            if file.faulted() {
                return Err(Error::corrupt(&file.path, 0, "I/O error in the mapped file"));
            }
        }
        Ok(())
    }

    /// To be asked by a statement that has read, before it says that its rows are right: as [`PagedTable::check_fault`], and
    /// old versions may have come from a spill file that could not be read.
    ///
    /// # Errors
    /// `Corrupt`, `SnapshotTooOld`.
    #[inline]
    pub fn check_read(&self) -> Result<()> {
        if self.core.versions.faulted() && self.holds.load(Ordering::Relaxed) {
            return Err(ErrorKind::SnapshotTooOld.into());
        }
        self.check_fault()
    }

    pub(crate) fn file(&self, file: File) -> &PagedFile {
        match file {
            File::Index => &self.index,
            File::Data => &self.data,
        }
    }

    /// Newest published state.
    ///
    /// # Safety
    /// The caller holds the write lock or the chain lock for `'a`.
    pub(crate) unsafe fn newest_state<'a>(&self) -> (&'a Version, &'a [u8]) {
        // SAFETY: never null; a replaced state is freed by the holder of the write lock, after unlinking under the chain lock.
        let version = unsafe { &*self.state.load(Ordering::Acquire) };
        // SAFETY: states are never written after publication.
        (version, unsafe { version.slice(0, version.len()) })
    }
}

impl PagedTable {
    /// Closes the files and frees the mappings and versions of a stale table, even while handles remain (cached plans hold some).
    /// False if it still has readers.
    pub(crate) fn release_files(&self) -> bool {
        // Who announces itself after this look finds the table stale, and is turned away.
        if !self.is_stale() || self.core.registry.used_by_others(self.id, 0) {
            return false;
        }
        // Nobody writes any more: the queue is closed when the table is stale. Later calls find nothing.
        let Some(mut writer) = self.queue.take_closed() else { return true };
        let mut chains = self.chains.lock();
        // SAFETY: no reader, no writer, and the chain lock is held. The newest state stays for `latest_state`.
        unsafe {
            let newest = &*self.state.load(Ordering::Acquire);
            free_chain(newest.prev());
            newest.set_prev(ptr::null_mut());
            self.free_pages(&mut chains, Some(&mut writer));
            self.index.close(&self.core.registry);
            self.data.close(&self.core.registry);
        }
        true
    }

    /// Frees all versions but those of the state.
    ///
    /// # Safety
    /// Nobody looks at the table, nor will.
    unsafe fn free_pages(&self, chains: &mut Chains, writer: Option<&mut WriterCore>) {
        for file in [&self.index, &self.data] {
            // SAFETY: by the contract; each version is in one chain.
            unsafe {
                let view = file.view();
                for page in 0..file.slots_used.load(Ordering::Relaxed) {
                    let Some(slot) = view.slot(page) else { break };
                    let head = slot.swap(ptr::null_mut(), Ordering::Relaxed);
                    if head != overlap() {
                        free_chain(head);
                    }
                }
            }
        }
        let chains = std::mem::take(chains);
        if let Some(writer) = writer {
            writer.old.free(&self.core, self.id, chains.copied_memory);
        }
        for Retired(version) in chains.retired {
            // SAFETY: unlinked, and nobody is left to look.
            drop(unsafe { Frame::from_raw(version) });
        }
    }
}

/// Frees a version and all older ones of its chain.
///
/// # Safety
/// Nobody holds a pointer to any of them.
unsafe fn free_chain(mut head: *mut Version) {
    while let Some(version) = NonNull::new(head) {
        // SAFETY: by the contract.
        unsafe {
            head = version.as_ref().prev();
            drop(Frame::from_raw(version));
        }
    }
}

impl Drop for PagedTable {
    fn drop(&mut self) {
        self.leave_cache();
        let mut chains = std::mem::take(self.chains.0.get_mut());
        let mut writer = self.queue.0.get_mut().take();
        // SAFETY: nobody borrows the table any more, so nobody holds a pointer to its versions.
        unsafe {
            free_chain(*self.state.0.get_mut());
            self.free_pages(&mut chains, writer.as_deref_mut());
        }
    }
}

impl std::fmt::Debug for PagedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PagedTable").field("id", &self.id).field("base", &self.base).finish_non_exhaustive()
    }
}

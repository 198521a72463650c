//! Clean pages in memory of our own, within a budget: for files that are read into it instead of being mapped.
//!
//! A [`BlockCache`] is the budget, shared by the files that are assigned to it. Each of them finds its blocks in an array of
//! pointers ([`CachedBlocks`]): a hit takes no lock and writes at most a mark that the block is in use. A miss reads the page and
//! puts it there; what has not been used lately makes room.
//!
//! Blocks stand beside the slots of versions, and change nothing about them: only who found the slot of a page empty, and holds
//! a pin, looks for its block or makes it. A block has the bytes of the file, because
//! - while such a pin lasts nobody writes the page (the checkpoint waits for pins, see there), so what it read is what stands there;
//! - who writes the page forgets its block behind the write, before the slot is empty again.
//!
//! An unlinked block is freed a grace period of pins later, like a version.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::collections::VecDeque;
use std::ptr::{self, NonNull};
use std::sync::{Arc, Weak};

use crate::registry::{Grace, Registry};
use crate::requests::PageCounts;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, Mutex, Ordering, Step, left_out};

/// Pages of a part of the array, which takes memory once one of them is read.
const PART: usize = if cfg!(loom) { 2 } else { 512 };
/// Parts of the array, whose list takes memory where it is touched; pages behind it are read in the mapping.
const PARTS: usize = if cfg!(loom) { 1 } else { 1 << 20 };
/// Blocks that make room at once.
const BATCH: usize = if cfg!(loom) { 1 } else { 16 };
/// The same when the budget was made smaller.
const LARGE_BATCH: usize = 4096;
/// Blocks looked at to find one that nobody uses; then the next has to go.
const PATIENCE: usize = 256;

/// A page in memory. The bytes follow the header in the same allocation: who looks at one has fetched the beginning of the other.
#[repr(C)]
pub(crate) struct Block {
    bytes: *mut u8,
    len: u32,
    /// Somebody has asked for it since the cache looked.
    used: AtomicBool,
    cache: Arc<BlockCache>,
    /// Lets the models see who looks at a block while it is freed.
    #[cfg(all(loom, not(shuttle)))]
    watch: loom::cell::UnsafeCell<()>,
}

impl Block {
    fn memory(len: usize) -> u64 {
        (size_of::<Block>() + len) as u64
    }

    fn layout(len: usize) -> Layout {
        match Layout::from_size_align(size_of::<Block>() + len, align_of::<Block>()) {
            Ok(layout) => layout,
            // A page is some KiB long; a smaller layout would be written beyond its end.
            Err(_) => panic!("page length"),
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        #[cfg(all(loom, not(shuttle)))]
        self.watch.with(|_| ());
        // SAFETY: `len` bytes follow the header, initialised, and nobody writes them once others can find the block.
        unsafe { std::slice::from_raw_parts(self.bytes, self.len as usize) }
    }
}

/// A block that no array leads to: not yet, or not any more, and then somebody may still look at it.
struct Unlinked(NonNull<Block>);

// SAFETY: the only owner of a Block, in which nothing is bound to a thread.
unsafe impl Send for Unlinked {}

impl Unlinked {
    /// A block of zeros, whose memory the cache has claimed.
    fn new(cache: &Arc<BlockCache>, len: usize) -> Unlinked {
        let layout = Block::layout(len);
        // SAFETY: the layout has a size above zero (the header).
        let Some(raw) = NonNull::new(unsafe { alloc_zeroed(layout) }) else { handle_alloc_error(layout) };
        let block = raw.cast::<Block>();
        // SAFETY: freshly allocated with size and alignment of a Block plus `len` bytes.
        unsafe {
            block.as_ptr().write(Block {
                bytes: raw.as_ptr().add(size_of::<Block>()),
                len: len as u32,
                used: AtomicBool::new(false),
                cache: Arc::clone(cache),
                #[cfg(all(loom, not(shuttle)))]
                watch: loom::cell::UnsafeCell::new(()),
            });
        }
        Unlinked(block)
    }

    fn header(&self) -> &Block {
        // SAFETY: owned, so not freed yet.
        unsafe { self.0.as_ref() }
    }

    /// # Safety
    /// It was never linked.
    unsafe fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: `len` bytes, initialised; by the contract nobody else has a pointer to them.
        unsafe { std::slice::from_raw_parts_mut(self.header().bytes, self.header().len as usize) }
    }

    /// # Safety
    /// A grace period of pins has passed since it was unlinked, or it was never linked.
    unsafe fn free(self) {
        let len = self.header().len as usize;
        #[cfg(all(loom, not(shuttle)))]
        self.header().watch.with_mut(|_| ());
        self.header().cache.memory.fetch_sub(Block::memory(len), Ordering::Relaxed);
        // SAFETY: by the contract nobody else has a pointer to it; allocated in `new` with this layout.
        unsafe {
            ptr::drop_in_place(self.0.as_ptr());
            dealloc(self.0.as_ptr().cast(), Block::layout(len));
        }
    }
}

/// The blocks of a file by page.
pub(crate) struct CachedBlocks {
    /// Bytes of a page; a block may be several of them long.
    unit: u64,
    /// Pages of the longest block there ever was.
    longest: AtomicU64,
    /// No part from here on is made.
    made: AtomicU64,
    parts: Box<[AtomicPtr<Part>]>,
}

struct Part([AtomicPtr<Block>; PART]);

impl CachedBlocks {
    pub(crate) fn new(unit: u64) -> Arc<CachedBlocks> {
        #[cfg(loom)]
        let parts = (0..PARTS).map(|_| AtomicPtr::new(ptr::null_mut())).collect();
        // SAFETY: zeroes are null pointers.
        #[cfg(not(loom))]
        let parts = unsafe { Box::new_zeroed_slice(PARTS).assume_init() };
        Arc::new(CachedBlocks { unit, longest: AtomicU64::new(1), made: AtomicU64::new(0), parts })
    }

    #[inline]
    fn slot(&self, page: u64) -> Option<&AtomicPtr<Block>> {
        let part = self.parts.get(usize::try_from(page).ok()? / PART)?.load(Ordering::Acquire);
        // SAFETY: parts are made once, and live as long as the array.
        let part = unsafe { part.as_ref() }?;
        Some(&part.0[page as usize % PART])
    }

    /// The same, and makes the part that it lies in.
    fn slot_made(&self, page: u64) -> Option<&AtomicPtr<Block>> {
        let place = self.parts.get(usize::try_from(page).ok()? / PART)?;
        if place.load(Ordering::Acquire).is_null() {
            let made = Box::new(Part(std::array::from_fn(|_| AtomicPtr::new(ptr::null_mut()))));
            let made = Box::into_raw(made);
            // Before others find it: who goes through all blocks looks so far.
            self.made.fetch_max(page / PART as u64 + 1, Ordering::AcqRel);
            if place.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire).is_err() {
                // SAFETY: just made, and nobody has seen it.
                drop(unsafe { Box::from_raw(made) });
            }
        }
        self.slot(page)
    }

    /// The block of a page, marked as used.
    ///
    /// # Safety
    /// For `'a` the caller holds a pin, within which it found the page clean.
    #[inline]
    pub(crate) unsafe fn find<'a>(&self, page: u64) -> Option<&'a Block> {
        let block = self.slot(page)?.load(Ordering::Acquire);
        // SAFETY: linked when loaded, and freed only after this pin.
        let block = unsafe { block.as_ref() }?;
        if !block.used.load(Ordering::Relaxed) {
            block.used.store(true, Ordering::Relaxed);
        }
        Some(block)
    }

    /// Reads a page that has no block into one. `None` when the budget has no room for it just now, or `read` fails.
    ///
    /// # Safety
    /// As [`CachedBlocks::find`].
    #[cold]
    pub(crate) unsafe fn load<'a>(
        self: &Arc<Self>,
        cache: &Arc<BlockCache>,
        registry: &Registry,
        (page, len): (u64, usize),
        read: impl FnOnce(&mut [u8]) -> bool,
    ) -> Option<&'a Block> {
        let slot = self.slot_made(page)?;
        if !cache.claim(registry, Block::memory(len)) {
            return None;
        }
        let mut block = Unlinked::new(cache, len);
        // SAFETY: just made.
        if !read(unsafe { block.bytes_mut() }) {
            // SAFETY: as above.
            unsafe { block.free() };
            return None;
        }
        cache.reads.fetch_add(1, Ordering::Relaxed);
        // Before others can find it: who writes a page in its middle looks so far back.
        self.longest.fetch_max((len as u64).div_ceil(self.unit), Ordering::AcqRel);
        cache.count_one();
        let made = block.0.as_ptr();
        match slot.compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                cache.linked(self, page, made);
                // SAFETY: freed only after the caller's pin, whoever unlinks it.
                unsafe { made.as_ref() }
            }
            Err(other) => {
                cache.blocks.fetch_sub(1, Ordering::Relaxed);
                // SAFETY: just made, and nobody has seen it; the other was linked when loaded, within the pin.
                unsafe {
                    block.free();
                    other.as_ref()
                }
            }
        }
    }

    /// Forgets the blocks that reach into these bytes, which were written.
    pub(crate) fn forget(&self, registry: &Registry, offset: u64, len: u64) {
        if left_out(Step::Forget) {
            return;
        }
        let back = self.longest.load(Ordering::Acquire) - 1;
        let first = (offset / self.unit).saturating_sub(back);
        let end = (offset + len).div_ceil(self.unit);
        self.unlink(registry, first..end);
    }

    /// Forgets all blocks: the file is closed, or read in another way from now on.
    pub(crate) fn forget_all(&self, registry: &Registry) {
        self.unlink(registry, 0..self.made.load(Ordering::Acquire) * PART as u64);
    }

    fn unlink(&self, registry: &Registry, pages: std::ops::Range<u64>) {
        let mut unlinked = Vec::new();
        let mut page = pages.start;
        while page < pages.end {
            let Some(slot) = self.slot(page) else {
                // No part of the array here.
                page = (page / PART as u64 + 1) * PART as u64;
                continue;
            };
            page += 1;
            if !slot.load(Ordering::Acquire).is_null() {
                unlinked.extend(NonNull::new(slot.swap(ptr::null_mut(), Ordering::AcqRel)).map(Unlinked));
            }
        }
        // The caches that they count for; mostly it is one.
        while let Some(last) = unlinked.last() {
            let cache = Arc::clone(&last.header().cache);
            let of_cache = |block: &Unlinked| Arc::ptr_eq(&block.header().cache, &cache);
            let (own, others): (Vec<_>, Vec<_>) = unlinked.into_iter().partition(of_cache);
            cache.retire(registry, own);
            unlinked = others;
        }
    }
}

impl Drop for CachedBlocks {
    fn drop(&mut self) {
        let made = self.made.load(Ordering::Acquire) as usize;
        for part in &self.parts[..made] {
            let part = part.load(Ordering::Acquire);
            if part.is_null() {
                continue;
            }
            // SAFETY: from Box::into_raw; nobody borrows the array any more, so nobody looks at its blocks.
            let part = unsafe { Box::from_raw(part) };
            for block in &part.0 {
                if let Some(block) = NonNull::new(block.load(Ordering::Acquire)).map(Unlinked) {
                    block.header().cache.blocks.fetch_sub(1, Ordering::Relaxed);
                    // SAFETY: as above.
                    unsafe { block.free() };
                }
            }
        }
    }
}

/// Memory for the pages of the files that are read through it. Made by [`crate::Store::block_cache`].
pub struct BlockCache {
    budget: AtomicU64,
    /// Bytes of all its blocks, those that wait for their grace period among them.
    memory: AtomicU64,
    /// Blocks that are linked, ...
    blocks: AtomicU64,
    /// ... and the most there ever were.
    most: AtomicU64,
    /// Pages that were read from their files.
    reads: AtomicU64,
    /// What was asked of indexes that belong to it no more.
    left: Mutex<PageCounts>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Linked blocks, those first that were looked at longest ago. Some were forgotten meanwhile.
    ring: VecDeque<Linked>,
    unlinked: VecDeque<(Grace, Vec<Unlinked>)>,
}

struct Linked {
    file: Weak<CachedBlocks>,
    page: u64,
    block: *mut Block,
}

// SAFETY: the pointer is compared, and followed only while the array leads to it and the cache's lock is held.
unsafe impl Send for Linked {}

/// The caches of a store. Dropped with it, when there is no reader any more.
pub(crate) struct Caches(Mutex<Vec<Weak<BlockCache>>>);

impl Caches {
    pub(crate) fn new() -> Caches {
        Caches(Mutex::new(Vec::new()))
    }

    pub(crate) fn make(&self, budget: u64) -> Arc<BlockCache> {
        let made = BlockCache::new(budget);
        self.0.lock().push(Arc::downgrade(&made));
        made
    }

    /// Frees what nobody looks at any more.
    pub(crate) fn tidy_up(&self, registry: &Registry) {
        let mut all = self.0.lock();
        all.retain(|cache| cache.upgrade().inspect(|cache| cache.tidy_up(registry)).is_some());
    }
}

impl Drop for Caches {
    fn drop(&mut self) {
        for cache in self.0.lock().iter().filter_map(Weak::upgrade) {
            let unlinked = std::mem::take(&mut cache.inner.lock().unlinked);
            for block in unlinked.into_iter().flat_map(|(_, blocks)| blocks) {
                // SAFETY: all readers are gone with the store.
                unsafe { block.free() };
            }
        }
    }
}

/// What a cache holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockUsage {
    /// Pages in it.
    pub blocks: u64,
    /// The most there ever were.
    pub most_blocks: u64,
    /// Bytes of memory.
    pub bytes: u64,
    /// Pages that were read from their files.
    pub reads: u64,
}

impl BlockCache {
    /// A cache with so many bytes.
    pub(crate) fn new(budget: u64) -> Arc<BlockCache> {
        Arc::new(BlockCache {
            budget: AtomicU64::new(budget),
            memory: AtomicU64::new(0),
            blocks: AtomicU64::new(0),
            most: AtomicU64::new(0),
            reads: AtomicU64::new(0),
            left: Mutex::new(PageCounts::default()),
            inner: Mutex::new(Inner::default()),
        })
    }

    /// A cache for so many blocks of a byte.
    #[cfg(all(test, loom))]
    pub(crate) fn for_blocks(count: u64) -> Arc<BlockCache> {
        BlockCache::new(count * Block::memory(1))
    }

    /// What it holds.
    pub fn usage(&self) -> BlockUsage {
        BlockUsage {
            blocks: self.blocks.load(Ordering::Relaxed),
            most_blocks: self.most.load(Ordering::Relaxed),
            bytes: self.memory.load(Ordering::Relaxed),
            reads: self.reads.load(Ordering::Relaxed),
        }
    }

    /// An index is closed, or belongs to another cache from now on.
    pub(crate) fn leave(&self, counts: PageCounts) {
        let mut left = self.left.lock();
        *left = left.plus(counts);
    }

    /// What was asked of indexes that belong to it no more.
    pub(crate) fn left(&self) -> PageCounts {
        *self.left.lock()
    }

    /// Bytes that its blocks may take.
    pub fn budget(&self) -> u64 {
        self.budget.load(Ordering::Relaxed)
    }

    pub(crate) fn set_budget(&self, registry: &Registry, budget: u64) {
        if self.budget.swap(budget, Ordering::Relaxed) != budget {
            self.tidy_up(registry);
            self.most.store(self.blocks.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Frees what nobody looks at any more, and what is beyond the budget.
    pub(crate) fn tidy_up(&self, registry: &Registry) {
        let mut inner = self.inner.lock();
        inner.free();
        while self.linked_bytes(&inner) > self.budget() && self.evict(&mut inner, registry, LARGE_BATCH) {}
        inner.free();
    }

    /// Bytes of the blocks that are not waiting to be freed.
    fn linked_bytes(&self, inner: &Inner) -> u64 {
        let waiting = inner.unlinked.iter().flat_map(|(_, blocks)| blocks);
        let waiting = waiting.map(|block| Block::memory(block.header().len as usize));
        self.memory.load(Ordering::Relaxed).saturating_sub(waiting.sum())
    }

    /// Takes so many bytes of the budget. False when there is no room before other readers' pins end.
    fn claim(&self, registry: &Registry, bytes: u64) -> bool {
        if self.try_claim(bytes) {
            return true;
        }
        let mut inner = self.inner.lock();
        inner.free();
        if self.try_claim(bytes) {
            return true;
        }
        // One batch at a time: what is unlinked is free for those who come when today's pins have ended.
        if inner.unlinked.len() < 4 {
            self.evict(&mut inner, registry, BATCH);
            inner.free();
        }
        self.try_claim(bytes)
    }

    fn try_claim(&self, bytes: u64) -> bool {
        let budget = self.budget();
        let taken = self.memory.fetch_add(bytes, Ordering::Relaxed);
        if taken.saturating_add(bytes) <= budget {
            return true;
        }
        self.memory.fetch_sub(bytes, Ordering::Relaxed);
        false
    }

    fn count_one(&self) {
        let blocks = self.blocks.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(blocks, Ordering::Relaxed);
    }

    fn linked(&self, file: &Arc<CachedBlocks>, page: u64, block: *mut Block) {
        let blocks = self.blocks.load(Ordering::Relaxed);
        let mut inner = self.inner.lock();
        inner.ring.push_back(Linked { file: Arc::downgrade(file), page, block });
        // Those that were forgotten stay in the ring until somebody looks at them.
        if inner.ring.len() as u64 > 2 * blocks + 1024 {
            inner.ring.retain(|linked| linked.is_linked());
        }
    }

    /// Unlinks a batch of blocks that have not been used lately. False when there are none.
    fn evict(&self, inner: &mut Inner, registry: &Registry, batch: usize) -> bool {
        let mut unlinked = Vec::with_capacity(batch);
        let mut looks = 0;
        while unlinked.len() < batch {
            let Some(linked) = inner.ring.pop_front() else { break };
            let Some(file) = linked.file.upgrade() else { continue };
            let Some(slot) = file.slot(linked.page) else { continue };
            if slot.load(Ordering::Acquire) != linked.block {
                continue;
            }
            looks += 1;
            // SAFETY: the array leads to it, and what is unlinked now is freed under the lock that we hold.
            if looks < PATIENCE && unsafe { &*linked.block }.used.swap(false, Ordering::Relaxed) {
                inner.ring.push_back(linked);
                continue;
            }
            let gone =
                slot.compare_exchange(linked.block, ptr::null_mut(), Ordering::AcqRel, Ordering::Acquire);
            if gone.is_ok() {
                unlinked.extend(NonNull::new(linked.block).map(Unlinked));
            }
        }
        let any = !unlinked.is_empty();
        self.retire_locked(inner, registry, unlinked);
        any
    }

    fn retire(&self, registry: &Registry, blocks: Vec<Unlinked>) {
        let mut inner = self.inner.lock();
        self.retire_locked(&mut inner, registry, blocks);
        inner.free();
    }

    fn retire_locked(&self, inner: &mut Inner, registry: &Registry, blocks: Vec<Unlinked>) {
        if !blocks.is_empty() {
            self.blocks.fetch_sub(blocks.len() as u64, Ordering::Relaxed);
            inner.unlinked.push_back((registry.grace(), blocks));
        }
    }
}

impl Inner {
    /// Frees the unlinked blocks that nobody looks at any more.
    fn free(&mut self) {
        while let Some((grace, _)) = self.unlinked.front_mut() {
            if !left_out(Step::BlockGrace) && !grace.passed() {
                break;
            }
            for block in self.unlinked.pop_front().into_iter().flat_map(|(_, blocks)| blocks) {
                // SAFETY: the grace period that began behind the unlinking has passed.
                unsafe { block.free() };
            }
        }
    }
}

impl Linked {
    /// Does the array still lead to it?
    fn is_linked(&self) -> bool {
        let file = self.file.upgrade();
        file.as_ref()
            .and_then(|file| file.slot(self.page))
            .is_some_and(|slot| slot.load(Ordering::Acquire) == self.block)
    }
}

impl std::fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockCache").field("budget", &self.budget()).field("usage", &self.usage()).finish()
    }
}

//! Frames and versions: the bytes of a page outside its file.
//!
//! A [`Frame`] belongs to one writer. Published in a slot it becomes a [`Version`]: immutable but for bytes beyond the
//! published length of the data file, which no reader touches. A version of a commit under way carries `UNRESOLVED`; its
//! LSN then stands in the table's *commit cell*, so that one store publishes all pages of a commit.
//!
//! Bytes of a version may also lie elsewhere, in the mapping of a spill file, which the version then keeps.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::any::Any;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use crate::sync::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering, Step, left_out, ordered};

/// LSN of a version whose commit is not published yet.
pub(crate) const UNRESOLVED: u64 = u64::MAX;

/// A page's bytes with their place in time. The bytes follow the header in the same allocation.
#[repr(C, align(64))]
pub(crate) struct Version {
    lsn: AtomicU64,
    prev: AtomicPtr<Version>,
    bytes: *mut u8,
    len: u32,
    capacity: u32,
    /// LSN of the last change of its bytes (appends in place move it). Guarded by the table's chain lock.
    pub(crate) changed: AtomicU64,
    /// Checkpoint cycle in which its whole image was journaled. Guarded by the chain lock.
    pub(crate) cycle: AtomicU32,
    /// On the list of pages that the next checkpoint writes. Guarded by the chain lock.
    pub(crate) listed: AtomicBool,
    /// Owner of bytes that do not follow the header.
    keeper: Option<Keeper>,
    /// Lets the models see who looks at a version while it is freed.
    #[cfg(all(loom, not(shuttle)))]
    pub(crate) watch: loom::cell::UnsafeCell<()>,
    #[cfg(shuttle)]
    pub(crate) freed: std::sync::atomic::AtomicBool,
}

/// What keeps bytes of versions alive that lie in a mapping.
pub(crate) type Keeper = Arc<dyn Any + Send + Sync>;

pub(crate) const HEADER: usize = size_of::<Version>();

fn layout(capacity: usize) -> Layout {
    match Layout::from_size_align(HEADER + capacity, align_of::<Version>()) {
        Ok(layout) => layout,
        // A capacity is below 2^30 (checked in `Frame::new`); a smaller layout would be written beyond its end.
        Err(_) => panic!("page length"),
    }
}

/// A version with one owner: bytes that may be written.
pub(crate) struct Frame(NonNull<Version>);

// SAFETY: a Frame is the only owner of its allocation; nothing in it is bound to a thread.
unsafe impl Send for Frame {}
// SAFETY: through &Frame one can only read the bytes.
unsafe impl Sync for Frame {}

impl Frame {
    /// A frame of zeros.
    pub(crate) fn new(len: usize) -> Frame {
        assert!(len < (1 << 30), "page length");
        Frame::allocate(len, len, None)
    }

    fn allocate(len: usize, capacity: usize, elsewhere: Option<(*const u8, Keeper)>) -> Frame {
        let layout = layout(capacity);
        // SAFETY: the layout has a size above zero (the header).
        let Some(raw) = NonNull::new(unsafe { alloc_zeroed(layout) }) else { handle_alloc_error(layout) };
        let version = raw.cast::<Version>();
        // SAFETY: freshly allocated with size and alignment of a Version plus `capacity` bytes.
        unsafe {
            let (bytes, keeper) = match elsewhere {
                Some((bytes, keeper)) => (bytes.cast_mut(), Some(keeper)),
                None => (raw.as_ptr().add(HEADER), None),
            };
            version.as_ptr().write(Version {
                lsn: AtomicU64::new(UNRESOLVED),
                prev: AtomicPtr::new(ptr::null_mut()),
                bytes,
                len: len as u32,
                capacity: capacity as u32,
                changed: AtomicU64::new(0),
                cycle: AtomicU32::new(0),
                listed: AtomicBool::new(false),
                keeper,
                #[cfg(all(loom, not(shuttle)))]
                watch: loom::cell::UnsafeCell::new(()),
                #[cfg(shuttle)]
                freed: std::sync::atomic::AtomicBool::new(false),
            });
        }
        Frame(version)
    }

    /// A version whose `len` bytes are those at `bytes`; only its header takes memory. Never to be written.
    ///
    /// # Safety
    /// While `keeper` lives the bytes are readable, and while a reader may find the version they do not change.
    pub(crate) unsafe fn elsewhere(bytes: *const u8, len: usize, keeper: Keeper) -> *mut Version {
        assert!(len < (1 << 30), "page length");
        Frame::allocate(len, 0, Some((bytes, keeper))).into_raw()
    }

    /// May the frame be written, and used again for another page?
    pub(crate) fn is_own(&self) -> bool {
        self.header().is_own()
    }

    /// Asks for its memory, of `len` bytes and the header before them.
    #[cfg(not(loom))]
    pub(crate) fn prefetch(&self, len: usize) {
        crate::prefetch::bytes(self.0.as_ptr().cast(), HEADER + len);
    }

    pub(crate) fn header(&self) -> &Version {
        // SAFETY: owned and initialised.
        unsafe { self.0.as_ref() }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        let header = self.header();
        // SAFETY: `len` bytes follow the header, initialised (zeroed at first), and nobody else has a pointer to them.
        unsafe { std::slice::from_raw_parts(header.bytes, header.len as usize) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        assert!(self.is_own(), "bytes in a mapping are never written");
        let (bytes, len) = (self.header().bytes, self.header().len as usize);
        // SAFETY: as in `bytes`, and &mut self is exclusive.
        unsafe { std::slice::from_raw_parts_mut(bytes, len) }
    }

    /// Prepares a frame for use as another page of the same length.
    pub(crate) fn reset(&mut self) {
        let header = self.header();
        header.lsn.store(UNRESOLVED, Ordering::Relaxed);
        header.prev.store(ptr::null_mut(), Ordering::Relaxed);
        header.changed.store(0, Ordering::Relaxed);
        header.cycle.store(0, Ordering::Relaxed);
        header.listed.store(false, Ordering::Relaxed);
    }

    /// Gives the frame up to a slot. `from_raw` takes it back.
    pub(crate) fn into_raw(self) -> *mut Version {
        let raw = self.0.as_ptr();
        std::mem::forget(self);
        raw
    }

    /// # Safety
    /// `version` came from `into_raw`, no slot or chain leads to it any more, and no reader can hold a pointer to it
    /// (a grace period of pins has passed since it was unlinked, or it was never published).
    pub(crate) unsafe fn from_raw(version: NonNull<Version>) -> Frame {
        Frame(version)
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        let capacity = self.header().capacity as usize;
        // SAFETY: sole owner; allocated in `new` with this layout.
        unsafe {
            ptr::drop_in_place(self.0.as_ptr());
            dealloc(self.0.as_ptr().cast(), layout(capacity));
        }
    }
}

impl Version {
    /// LSN, or `UNRESOLVED` while the commit is not published. `cell` is the table's commit cell.
    #[inline]
    pub(crate) fn lsn(&self, cell: &AtomicU64) -> u64 {
        let lsn = self.lsn.load(Ordering::Acquire);
        if lsn != UNRESOLVED {
            return lsn;
        }
        let published = cell.load(ordered(Step::Cell, Ordering::Acquire));
        // The cell serves one commit after the other: had it gone on to the next, this version would be resolved by now.
        let lsn = self.lsn.load(Ordering::Acquire);
        if lsn != UNRESOLVED && !left_out(Step::Again) { lsn } else { published }
    }

    /// Writes the LSN of its commit into the version, after publication.
    pub(crate) fn resolve(&self, lsn: u64) {
        self.lsn.store(lsn, Ordering::Release);
    }

    pub(crate) fn prev(&self) -> *mut Version {
        self.prev.load(Ordering::Acquire)
    }

    pub(crate) fn set_prev(&self, prev: *mut Version) {
        self.prev.store(prev, Ordering::Release);
    }

    /// The owner of bytes that do not follow the header.
    pub(crate) fn keeper(&self) -> Option<&Keeper> {
        self.keeper.as_ref()
    }

    /// Memory it takes.
    pub(crate) fn memory(&self) -> usize {
        HEADER + self.capacity as usize
    }

    /// Do its bytes follow the header?
    pub(crate) fn is_own(&self) -> bool {
        self.keeper.is_none()
    }

    /// Length of the page.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// The first bytes of a published version.
    ///
    /// # Safety
    /// The version is kept alive for `'a` (by a pin, or by the table's write lock), and `at + len` lies, in a data page, at or
    /// below a published length of the file.
    ///
    /// # Panics
    /// If `at + len` lies outside the page.
    #[inline]
    pub(crate) unsafe fn slice<'a>(&self, at: usize, len: usize) -> &'a [u8] {
        assert!(at.checked_add(len).is_some_and(|end| end <= self.len()), "outside the page");
        // SAFETY: inside the allocation and, by the contract, no longer written by anybody.
        unsafe { std::slice::from_raw_parts(self.bytes.add(at), len) }
    }

    /// Appends in place.
    ///
    /// # Safety
    /// The caller holds the table's write lock, `at` lies at or beyond the published length of the data file, and no slice
    /// of these bytes handed out by the writer lives.
    pub(crate) unsafe fn write_unpublished(&self, at: usize, bytes: &[u8]) {
        assert!(at + bytes.len() <= self.len() && self.is_own());
        // SAFETY: inside the allocation; nobody else reads or writes these bytes before they are published.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.bytes.add(at), bytes.len()) };
    }
}

/// The version of a page that `snapshot` sees; `None`: the base page.
///
/// # Safety
/// The caller holds a pin taken before this call, for `'a`, or the table's write lock (under which nothing is freed); `head`
/// is no sentinel.
#[inline]
pub(crate) unsafe fn find<'a>(
    mut head: *mut Version,
    snapshot: u64,
    cell: &AtomicU64,
) -> Option<&'a Version> {
    // SAFETY: what a slot or chain leads to is freed only a grace period after it was unlinked; see the contract.
    while let Some(version) = unsafe { head.as_ref() } {
        #[cfg(all(loom, not(shuttle)))]
        version.watch.with(|_| ());
        #[cfg(shuttle)]
        assert!(!version.freed.load(std::sync::atomic::Ordering::Relaxed), "a freed version is looked at");
        if version.lsn(cell) <= snapshot {
            return Some(version);
        }
        head = version.prev();
    }
    None
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_finds_its_version() {
        let cell = AtomicU64::new(UNRESOLVED);
        let mut frames = [Frame::new(16), Frame::new(16), Frame::new(16)];
        for (i, frame) in frames.iter_mut().enumerate() {
            frame.bytes_mut().fill(i as u8 + 1);
        }
        let [a, b, c] = frames.map(Frame::into_raw);
        // SAFETY: a test of one thread; the frames are taken back at the end.
        unsafe {
            (*a).resolve(10);
            (*b).resolve(20);
            (*b).set_prev(a);
            (*c).set_prev(b);
            let seen = |snapshot| find(c, snapshot, &cell).map(|v| v.slice(0, 1)[0]);
            assert_eq!(seen(9), None);
            assert_eq!(seen(10), Some(1));
            assert_eq!(seen(25), Some(2));
            assert_eq!(seen(30), Some(2), "a commit under way is not seen");
            cell.store(30, Ordering::Release);
            assert_eq!(seen(29), Some(2));
            assert_eq!(seen(30), Some(3), "the cell publishes");
            (*c).resolve(30);
            cell.store(UNRESOLVED, Ordering::Release);
            assert_eq!(seen(30), Some(3), "and is not needed any more");
            for raw in [a, b, c] {
                drop(Frame::from_raw(NonNull::new(raw).unwrap()));
            }
        }
    }

    #[test]
    fn bytes_elsewhere_live_as_long_as_their_version() {
        let keeper: Arc<Vec<u8>> = Arc::new(b"some page".to_vec());
        // SAFETY: the vector is kept and not changed.
        let raw = unsafe { Frame::elsewhere(keeper[5..].as_ptr(), 4, keeper.clone()) };
        assert_eq!(Arc::strong_count(&keeper), 2);
        // SAFETY: a test of one thread.
        unsafe {
            assert_eq!((*raw).slice(0, 4), b"page");
            let frame = Frame::from_raw(NonNull::new(raw).unwrap());
            assert!(!frame.is_own());
            drop(frame);
        }
        assert_eq!(Arc::strong_count(&keeper), 1);
    }

    #[test]
    #[should_panic(expected = "never written")]
    fn bytes_elsewhere_are_never_written() {
        let keeper: Arc<Vec<u8>> = Arc::new(b"page".to_vec());
        // SAFETY: the vector is kept and not changed; the frame is taken back at once.
        let mut frame = unsafe {
            let raw = Frame::elsewhere(keeper.as_ptr(), 4, keeper.clone());
            Frame::from_raw(NonNull::new(raw).unwrap())
        };
        frame.bytes_mut().fill(0);
    }

    #[test]
    fn bytes_are_appended_beside_a_reader() {
        let frame = Frame::new(64).into_raw();
        // SAFETY: the reader's slice and the appended bytes do not overlap.
        unsafe {
            let version = &*frame;
            let slice = version.slice(0, 10);
            version.write_unpublished(10, b"more");
            assert_eq!(slice, [0; 10]);
            assert_eq!(version.slice(0, 14)[10..], *b"more");
            drop(Frame::from_raw(NonNull::new(frame).unwrap()));
        }
    }
}

//! Memory from the system: mappings of files, reserved address space, and the guard against SIGBUS.
//!
//! A mapped file may be cut short or become unreadable under us; touching such a page raises SIGBUS. The handler finds
//! the mapping in a lock-free table, puts a page of zeros over the fault and marks the mapping as faulted. Whoever
//! sends, commits or checkpoints looks at the mark first.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Once};

use parking_lot::Mutex;

#[cfg(not(target_os = "linux"))]
compile_error!("pages relies on Linux: MAP_FIXED over faults, pwritev2, unnamed files");

const CHUNK: usize = 1024;
const CHUNKS: usize = 1024;

/// The system's page in bytes: 4096, on other machines up to 65536. Known before the handler is installed.
static PAGE: AtomicUsize = AtomicUsize::new(0);

/// A mapped range, known to the signal handler. `start` zero: free.
struct Region {
    /// Odd while the entry is being changed: what the handler read meanwhile does not belong together.
    sequence: AtomicUsize,
    start: AtomicUsize,
    len: AtomicUsize,
    /// Counts the faults; lives as long as the range is registered.
    faults: AtomicPtr<AtomicU32>,
}

/// Counts faults of a file, over all mappings of it.
pub(crate) type Faults = Arc<AtomicU32>;

static REGIONS: [AtomicPtr<[Region; CHUNK]>; CHUNKS] = [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS];
static FREE: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static USED: AtomicUsize = AtomicUsize::new(0);
static INSTALL: Once = Once::new();

fn region(index: usize) -> Option<&'static Region> {
    let chunk = REGIONS.get(index / CHUNK)?.load(Ordering::Acquire);
    // SAFETY: chunks are leaked boxes: once stored they live and stay in place for ever.
    let chunk = unsafe { chunk.as_ref() }?;
    chunk.get(index % CHUNK)
}

/// An entry of the handler's table; freed on drop.
struct Registered {
    index: usize,
    region: &'static Region,
    faults: Faults,
}

fn register(start: usize, len: usize, faults: Faults) -> io::Result<Registered> {
    INSTALL.call_once(install_handler);
    let mut free = FREE.lock();
    let index = match free.pop() {
        Some(index) => index,
        None => {
            let index = USED.load(Ordering::Relaxed);
            if index == CHUNK * CHUNKS {
                return Err(io::Error::new(io::ErrorKind::OutOfMemory, "too many mapped files"));
            }
            if index.is_multiple_of(CHUNK) {
                let chunk = Box::new(
                    [const {
                        Region {
                            sequence: AtomicUsize::new(0),
                            start: AtomicUsize::new(0),
                            len: AtomicUsize::new(0),
                            faults: AtomicPtr::new(ptr::null_mut()),
                        }
                    }; CHUNK],
                );
                REGIONS[index / CHUNK].store(Box::leak(chunk), Ordering::Release);
            }
            USED.store(index + 1, Ordering::Release);
            index
        }
    };
    let region = region(index).ok_or_else(|| io::Error::other("region table"))?;
    region.change(start, len, Arc::as_ptr(&faults).cast_mut());
    Ok(Registered { index, region, faults })
}

impl Region {
    /// Writes an entry. The callers hold the lock of `FREE`: one at a time.
    fn change(&self, start: usize, len: usize, faults: *mut AtomicU32) {
        let sequence = self.sequence.load(Ordering::Relaxed);
        self.sequence.store(sequence.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        self.faults.store(faults, Ordering::Relaxed);
        self.len.store(len, Ordering::Relaxed);
        self.start.store(start, Ordering::Relaxed);
        self.sequence.store(sequence.wrapping_add(2), Ordering::Release);
    }

    /// The counter of the range that holds `address`. An entry that is being changed is passed over: the range of an address
    /// that a thread is using stays registered meanwhile, so its entry is not the one.
    fn holding(&self, address: usize) -> Option<*mut AtomicU32> {
        let before = self.sequence.load(Ordering::Acquire);
        let start = self.start.load(Ordering::Relaxed);
        let len = self.len.load(Ordering::Relaxed);
        let faults = self.faults.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let same = before.is_multiple_of(2) && self.sequence.load(Ordering::Relaxed) == before;
        (same && start != 0 && address >= start && address - start < len).then_some(faults)
    }
}

impl Registered {
    fn faulted(&self) -> bool {
        self.faults.load(Ordering::Acquire) != 0
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut free = FREE.lock();
        self.region.change(0, 0, ptr::null_mut());
        free.push(self.index);
    }
}

static PREVIOUS: AtomicPtr<libc::sigaction> = AtomicPtr::new(ptr::null_mut());

fn install_handler() {
    PAGE.store(rustix::param::page_size(), Ordering::Relaxed);
    // SAFETY: plain calls of sigaction with initialised structures; the handler is async-signal-safe (see there).
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_sigbus as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        let mut previous: Box<libc::sigaction> = Box::new(std::mem::zeroed());
        if libc::sigaction(libc::SIGBUS, &action, &mut *previous) == 0 {
            PREVIOUS.store(Box::into_raw(previous), Ordering::Release);
        }
    }
}

/// Async-signal-safe: reads atomics, calls mmap, keeps errno.
extern "C" fn on_sigbus(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: the kernel hands a valid siginfo to SA_SIGINFO handlers.
    let address = unsafe { (*info).si_addr() } as usize;
    for index in 0..USED.load(Ordering::Acquire) {
        let Some(region) = region(index) else { continue };
        let Some(faults) = region.holding(address) else { continue };
        // SAFETY: the range is registered, and stays so while the faulting thread uses it: its counter lives (see `Registered`).
        if let Some(faults) = unsafe { faults.as_ref() } {
            faults.fetch_add(1, Ordering::Release);
        }
        // SAFETY: the page lies inside a mapping of ours that the faulting thread is using, hence mapped; replacing it by
        // private zeros changes no memory of anybody else. errno is put back.
        unsafe {
            let errno = *libc::__errno_location();
            let size = PAGE.load(Ordering::Relaxed);
            let page = libc::mmap(
                (address & !(size - 1)) as *mut libc::c_void,
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
                -1,
                0,
            );
            *libc::__errno_location() = errno;
            if page != libc::MAP_FAILED {
                return;
            }
        }
    }
    // Not ours: let the previous handler (or the default, which ends the process) meet the fault again.
    let previous = PREVIOUS.load(Ordering::Acquire);
    // SAFETY: `previous` is a leaked box from install_handler, or null, for which sigaction would do nothing.
    unsafe {
        if previous.is_null() {
            libc::signal(signal, libc::SIG_DFL);
        } else {
            libc::sigaction(signal, previous, ptr::null_mut());
        }
    }
}

/// A mapping; unmapped on drop.
struct Mapping {
    base: NonNull<u8>,
    len: usize,
}

impl Mapping {
    fn new(len: usize, protection: i32, flags: i32, fd: i32) -> io::Result<Mapping> {
        Mapping::at(0, len, protection, flags, fd)
    }

    fn at(offset: u64, len: usize, protection: i32, flags: i32, fd: i32) -> io::Result<Mapping> {
        if len == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "empty mapping"));
        }
        // SAFETY: a fresh mapping at an address of the kernel's choice touches no existing memory.
        let base = unsafe { libc::mmap(ptr::null_mut(), len, protection, flags, fd, offset as libc::off_t) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("mapping at address zero"))?;
        Ok(Mapping { base, len })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: exactly the range mapped in `new`; whoever hands out pointers into it keeps the owner alive as long.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

/// A file mapped for reading, with slack beyond its end.
pub(crate) struct ReadMap {
    // Dropped first: the handler forgets the range before it is unmapped.
    #[allow(dead_code, reason = "registered while the mapping lives")]
    region: Registered,
    mapping: Mapping,
    /// Bytes of the mapping before the part asked for.
    skew: usize,
}

// SAFETY: a range of memory that is only read through raw pointers; the owner of the pointers argues about their use.
unsafe impl Send for ReadMap {}
// SAFETY: as above.
unsafe impl Sync for ReadMap {}

impl ReadMap {
    pub(crate) fn new(file: &File, len: usize, faults: Faults) -> io::Result<ReadMap> {
        ReadMap::part(file, 0, len, faults)
    }

    /// From `offset` on.
    pub(crate) fn part(file: &File, offset: u64, len: usize, faults: Faults) -> io::Result<ReadMap> {
        let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
        // Mappings begin at pages of the system, which may be larger than ours.
        let skew = (offset % rustix::param::page_size() as u64) as usize;
        let whole = len + skew;
        let mapping = Mapping::at(offset - skew as u64, whole, libc::PROT_READ, flags, file.as_raw_fd())?;
        let region = register(mapping.base.as_ptr() as usize, whole, faults)?;
        Ok(ReadMap { region, mapping, skew })
    }

    pub(crate) fn base(&self) -> *const u8 {
        // SAFETY: the mapping is `skew` bytes and more long (see `part`).
        unsafe { self.mapping.base.as_ptr().add(self.skew) }
    }

    pub(crate) fn len(&self) -> usize {
        self.mapping.len - self.skew
    }
}

/// Zeroed memory that takes room only where it is touched.
pub(crate) struct Reserved(Mapping);

// SAFETY: as ReadMap; users access it through atomics only.
unsafe impl Send for Reserved {}
// SAFETY: as above.
unsafe impl Sync for Reserved {}

impl Reserved {
    pub(crate) fn new(len: usize) -> io::Result<Reserved> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        Ok(Reserved(Mapping::new(len, libc::PROT_READ | libc::PROT_WRITE, flags, -1)?))
    }

    pub(crate) fn base(&self) -> *mut u8 {
        self.0.base.as_ptr()
    }
}

/// A journal segment mapped for writing. Its blocks exist on disk already, so a store cannot run out of room.
pub(crate) struct SegmentMap {
    region: Registered,
    mapping: Mapping,
}

// SAFETY: written only through `write`, whose callers are serialised by the journal; never read.
unsafe impl Send for SegmentMap {}
// SAFETY: as above.
unsafe impl Sync for SegmentMap {}

impl SegmentMap {
    pub(crate) fn new(file: &File, len: usize) -> io::Result<SegmentMap> {
        let flags = libc::MAP_SHARED | libc::MAP_POPULATE;
        let mapping = Mapping::new(len, libc::PROT_READ | libc::PROT_WRITE, flags, file.as_raw_fd())?;
        let region = register(mapping.base.as_ptr() as usize, len, Faults::default())?;
        Ok(SegmentMap { region, mapping })
    }
}

impl crate::storage::SegmentWriter for SegmentMap {
    fn write(&self, at: usize, bytes: &[u8]) -> io::Result<()> {
        if at > self.mapping.len || bytes.len() > self.mapping.len - at {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "write beyond the journal segment"));
        }
        // SAFETY: inside the mapping (checked above); no reference into it is ever formed, and writers are serialised.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.mapping.base.as_ptr().add(at), bytes.len()) };
        if self.region.faulted() {
            return Err(io::Error::other("I/O error in the mapped journal segment"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> usize {
        rustix::param::page_size()
    }

    #[test]
    fn fault_in_a_mapping_reads_zeros_and_is_remembered() {
        let fd = rustix::fs::memfd_create("map-test", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        let file = File::from(fd);
        file.set_len(2 * page() as u64).unwrap();
        let faults = Faults::default();
        let map = ReadMap::new(&file, 8 * page(), faults.clone()).unwrap();
        // SAFETY: inside the mapping; the byte is not written meanwhile.
        assert_eq!(unsafe { *map.base().add(page()) }, 0);
        assert_eq!(faults.load(Ordering::Relaxed), 0);
        // SAFETY: inside the mapping but beyond the file: the handler puts zeros there.
        assert_eq!(unsafe { *map.base().add(5 * page() + 7) }, 0);
        assert_eq!(faults.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_part_begins_anywhere() {
        let file = File::from(rustix::fs::memfd_create("map-test", rustix::fs::MemfdFlags::CLOEXEC).unwrap());
        let bytes: Vec<u8> = (0..3 * page()).map(|i| (i / 512) as u8).collect();
        std::os::unix::fs::FileExt::write_all_at(&file, &bytes, 0).unwrap();
        let map = ReadMap::part(&file, page() as u64 + 512, 1024, Faults::default()).unwrap();
        assert_eq!(map.len(), 1024);
        // SAFETY: inside the mapping, which is not written meanwhile.
        let part = unsafe { std::slice::from_raw_parts(map.base(), map.len()) };
        assert_eq!(part, &bytes[page() + 512..page() + 512 + 1024]);
    }

    #[test]
    fn regions_are_reused() {
        let fd = rustix::fs::memfd_create("map-test", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        let file = File::from(fd);
        for _ in 0..3000 {
            drop(ReadMap::new(&file, page(), Faults::default()).unwrap());
        }
        assert!(USED.load(Ordering::Relaxed) < 2000);
    }

    #[test]
    fn an_entry_that_changes_is_never_half_seen() {
        let region = Region {
            sequence: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            len: AtomicUsize::new(0),
            faults: AtomicPtr::new(ptr::null_mut()),
        };
        // Two ranges that overlap nowhere, each with its own counter; a mixture of both would hold 150.
        let counters = [AtomicU32::new(0), AtomicU32::new(0)];
        let ends = AtomicU32::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for i in 0..200_000 {
                    let counter = std::ptr::from_ref(&counters[i % 2]).cast_mut();
                    let (start, len) = if i % 2 == 0 { (100, 10) } else { (10, 90) };
                    region.change(start, len, counter);
                }
                ends.store(1, Ordering::Release);
            });
            while ends.load(Ordering::Acquire) == 0 {
                assert!(region.holding(150).is_none());
                if let Some(counter) = region.holding(105) {
                    assert!(std::ptr::eq(counter, &counters[0]));
                }
                if let Some(counter) = region.holding(15) {
                    assert!(std::ptr::eq(counter, &counters[1]));
                }
            }
        });
    }
}

//! The budget of old versions, and the file that takes what does not fit.
//!
//! A version that a newer one has replaced is kept for snapshots that see it. Their memory is counted; past the budget
//! their bytes move into an unlinked temporary file, which is mapped, so that readers read them as they read everything.
//! When that file is full, too, the oldest snapshot is given up (see `registry.rs`): its reader gets an error, nobody waits.
#![allow(unsafe_code)]

use std::fs::File as SystemFile;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::map::{Faults, ReadMap};
use crate::registry::Slot;
use crate::storage::{OpenMode, Storage, StorageFile};
use crate::sync::Padded;
use crate::version::Keeper;

/// Bytes of a segment of the file; segments are reused when all that lies in them is free.
const SEGMENT: u64 = 4 << 20;
/// Most bytes one write takes along.
pub(crate) const CHUNK: usize = 256 << 10;

/// A table with this much memory in old versions is worth a snapshot.
pub(crate) const HOLDER: u64 = 64 << 10;

/// What all tables of a store know of old versions.
pub(crate) struct Versions {
    /// Memory of superseded versions, as far as tables have told.
    memory: Padded<AtomicU64>,
    budget: AtomicU64,
    spill_limit: AtomicU64,
    spilled: AtomicU64,
    /// Bytes of superseded versions that lie in spill files of statements.
    foreign: AtomicU64,
    /// Memory of what was unlinked and waits for pins to end.
    waiting: AtomicU64,
    written: AtomicU64,
    /// Snapshots given up, and how many of these a round over all tables has followed.
    evictions: AtomicU64,
    swept: AtomicU64,
    /// Tables that hold a good deal.
    holders: Mutex<Vec<u32>>,
    file: Mutex<SpillFile>,
    faults: Faults,
    wanted: Mutex<Wanted>,
    woken: Condvar,
}

#[derive(Default)]
struct Wanted {
    sweep: bool,
    stop: bool,
}

#[derive(Default)]
struct SpillFile {
    open: Option<(Arc<dyn StorageFile>, SystemFile)>,
    segments: Vec<Arc<Segment>>,
    /// Segment being filled, and up to where.
    filling: Option<(usize, u64)>,
}

/// Kept by the versions that lie in it, as their keeper.
struct Segment {
    map: ReadMap,
}

/// Room in the spill file for several versions.
pub(crate) struct Room {
    file: Arc<dyn StorageFile>,
    offset: u64,
    /// The first byte in the mapping.
    bytes: *const u8,
    segment: Arc<Segment>,
}

/// How much old versions take. See [`crate::Store::version_usage`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VersionUsage {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of spill files in use: the one of old versions, and pages in those of large statements that only older
    /// snapshots see.
    pub spilled: u64,
    /// Bytes of memory that nobody needs any more, and which are freed when the readers of this moment end their pins.
    pub waiting: u64,
    /// Bytes ever written to the spill file.
    pub written: u64,
    /// Snapshots given up.
    pub evicted: u64,
}

impl Versions {
    pub(crate) fn new(budget: u64, spill_limit: u64) -> Versions {
        Versions {
            memory: Padded(AtomicU64::new(0)),
            budget: AtomicU64::new(budget),
            spill_limit: AtomicU64::new(spill_limit),
            spilled: AtomicU64::new(0),
            foreign: AtomicU64::new(0),
            waiting: AtomicU64::new(0),
            written: AtomicU64::new(0),
            evictions: AtomicU64::new(0),
            swept: AtomicU64::new(0),
            holders: Mutex::default(),
            file: Mutex::default(),
            faults: Faults::default(),
            wanted: Mutex::default(),
            woken: Condvar::new(),
        }
    }

    pub(crate) fn set_limits(&self, budget: u64, spill_limit: u64) {
        self.budget.store(budget, Ordering::Relaxed);
        self.spill_limit.store(spill_limit, Ordering::Relaxed);
        self.want_sweep();
    }

    pub(crate) fn usage(&self) -> VersionUsage {
        VersionUsage {
            memory: self.memory.load(Ordering::Relaxed),
            spilled: self.spilled.load(Ordering::Relaxed) + self.foreign.load(Ordering::Relaxed),
            waiting: self.waiting.load(Ordering::Relaxed),
            written: self.written.load(Ordering::Relaxed),
            evicted: self.evictions.load(Ordering::Relaxed),
        }
    }

    /// A table's memory went from `before` to `after`.
    pub(crate) fn account(&self, before: u64, after: u64) {
        // Wraps around for a decrease.
        self.memory.fetch_add(after.wrapping_sub(before), Ordering::Relaxed);
    }

    /// The same for bytes in spill files of statements.
    pub(crate) fn account_foreign(&self, before: u64, after: u64) {
        self.foreign.fetch_add(after.wrapping_sub(before), Ordering::Relaxed);
    }

    /// The same for what waits for pins.
    pub(crate) fn account_waiting(&self, before: u64, after: u64) {
        self.waiting.fetch_add(after.wrapping_sub(before), Ordering::Relaxed);
    }

    /// Do spill files of statements alone hold more than all spill files may, and the memory that is left besides? (They
    /// lie there although there would be room for them in memory.)
    pub(crate) fn too_much_foreign(&self) -> bool {
        let left = self.budget.load(Ordering::Relaxed).saturating_sub(self.memory.load(Ordering::Relaxed));
        let limit = self.spill_limit.load(Ordering::Relaxed).saturating_add(left);
        self.foreign.load(Ordering::Relaxed) > limit
    }

    /// A table holds a good deal of old versions, or does no more.
    pub(crate) fn set_holder(&self, table: u32, holds: bool) {
        let mut holders = self.holders.lock();
        holders.retain(|&id| id != table);
        if holds {
            holders.push(table);
        }
    }

    /// Does the statement read a table that holds a good deal of old versions?
    pub(crate) fn is_holder(&self, slot: &Slot) -> bool {
        self.holders.lock().iter().any(|&id| slot.announced(id))
    }

    /// Bytes above the budget.
    pub(crate) fn excess(&self) -> u64 {
        self.memory.load(Ordering::Relaxed).saturating_sub(self.budget.load(Ordering::Relaxed))
    }

    /// What the spill file cannot help against: bookkeeping alone has outgrown the budget.
    pub(crate) fn beyond_help(&self) -> bool {
        self.excess() > self.budget.load(Ordering::Relaxed) + (1 << 20)
    }

    /// How far to go below the budget, once it is passed.
    pub(crate) fn step(&self) -> u64 {
        self.budget.load(Ordering::Relaxed) / 8
    }

    /// Room for some versions; `None`: the file is full. Tables come here one after the other, for a moment.
    pub(crate) fn room(&self, storage: &dyn Storage, dir: &Path, len: usize) -> io::Result<Option<Room>> {
        let len = len as u64;
        let mut spill = self.file.lock();
        if self.faulted() && !self.tidy(&mut spill) {
            return Err(io::Error::other("the spill file could not be read"));
        }
        let (segment, at) = match spill.filling {
            Some((segment, at)) if at + len <= SEGMENT => (segment, at),
            _ => match spill.next_segment(storage, dir, self)? {
                Some(segment) => (segment, 0),
                None => return Ok(None),
            },
        };
        spill.filling = Some((segment, at + len));
        let (Some((file, _)), Some(place)) = (&spill.open, spill.segments.get(segment)) else {
            return Ok(None);
        };
        // SAFETY: inside the mapping of the segment: `at + len` is at most its length.
        let bytes = unsafe { place.map.base().add(at as usize) };
        let offset = segment as u64 * SEGMENT + at;
        Ok(Some(Room { file: file.clone(), offset, bytes, segment: place.clone() }))
    }

    /// Could something in the file not be read?
    #[inline]
    pub(crate) fn faulted(&self) -> bool {
        self.faults.load(Ordering::Acquire) != 0
    }

    /// Fills a room.
    pub(crate) fn fill(&self, room: &Room, bytes: &[u8]) -> io::Result<()> {
        room.file.write_all_at(bytes, room.offset)?;
        self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Counts the file's room in use; gives it back to the file system, and a fault with it, when nothing lies there. True: so it is.
    fn tidy(&self, spill: &mut SpillFile) -> bool {
        let used = spill.used();
        self.spilled.store(used * SEGMENT, Ordering::Relaxed);
        if used == 0 && spill.open.is_some() {
            *spill = SpillFile::default();
            self.faults.store(0, Ordering::Release);
        }
        used == 0
    }

    /// As `tidy`, for the background and after versions were freed.
    pub(crate) fn tidy_up(&self) {
        if self.spilled.load(Ordering::Relaxed) > 0
            && let Some(mut spill) = self.file.try_lock()
        {
            self.tidy(&mut spill);
        }
    }

    /// May another snapshot be given up? Not before the room that the last one held was looked for everywhere.
    pub(crate) fn may_evict(&self) -> bool {
        self.swept.load(Ordering::Acquire) >= self.evictions.load(Ordering::Acquire)
    }

    pub(crate) fn evicted(&self) {
        self.evictions.fetch_add(1, Ordering::AcqRel);
        self.want_sweep();
    }

    pub(crate) fn evictions(&self) -> u64 {
        self.evictions.load(Ordering::Acquire)
    }

    /// A round over all tables is done that began after this many evictions.
    pub(crate) fn sweep_done(&self, evictions: u64) {
        self.swept.fetch_max(evictions, Ordering::AcqRel);
    }

    /// For the background: sleeps until a round over the tables is wanted, at most so long. `None`: stop.
    pub(crate) fn sleep(&self, at_most: Duration) -> Option<()> {
        let mut wanted = self.wanted.lock();
        if !(wanted.stop || wanted.sweep) {
            self.woken.wait_for(&mut wanted, at_most);
        }
        wanted.sweep = false;
        (!wanted.stop).then_some(())
    }

    fn want_sweep(&self) {
        self.wanted.lock().sweep = true;
        self.woken.notify_all();
    }

    pub(crate) fn stop(&self) {
        self.wanted.lock().stop = true;
        self.woken.notify_all();
    }
}

impl SpillFile {
    /// Segments in which versions lie.
    fn used(&self) -> u64 {
        self.segments.iter().filter(|segment| Arc::strong_count(segment) > 1).count() as u64
    }

    /// A segment to fill: a free one, or a new one while the limit allows.
    fn next_segment(
        &mut self,
        storage: &dyn Storage,
        dir: &Path,
        versions: &Versions,
    ) -> io::Result<Option<usize>> {
        let limit = versions.spill_limit.load(Ordering::Relaxed);
        let limit = limit.saturating_sub(versions.foreign.load(Ordering::Relaxed)) / SEGMENT;
        self.filling = None;
        let used = self.used();
        if used >= limit {
            return Ok(None);
        }
        let found = match self.segments.iter().position(|segment| Arc::strong_count(segment) == 1) {
            Some(free) => free,
            None => {
                let (file, system) = match &self.open {
                    Some((file, system)) => (file, system),
                    None => {
                        let open = create(storage, dir)?;
                        let (file, system) = self.open.insert(open);
                        (&*file, &*system)
                    }
                };
                let at = self.segments.len() as u64 * SEGMENT;
                file.set_len(at + SEGMENT)?;
                let map = ReadMap::part(system, at, SEGMENT as usize, versions.faults.clone())?;
                self.segments.push(Arc::new(Segment { map }));
                self.segments.len() - 1
            }
        };
        self.filling = Some((found, 0));
        versions.spilled.store((used + 1) * SEGMENT, Ordering::Relaxed);
        Ok(Some(found))
    }
}

/// A file without a name: it goes with the process.
fn create(storage: &dyn Storage, dir: &Path) -> io::Result<(Arc<dyn StorageFile>, SystemFile)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path =
        dir.join(format!("{}versions-{:x}-{number:x}", crate::files::SCRATCH_PREFIX, std::process::id()));
    let file = storage.open(&path, OpenMode::CreateNew)?;
    storage.remove(&path)?;
    let system = file.system_file()?;
    Ok((file, system))
}

impl Room {
    /// Where the bytes from `at` on are to be read.
    pub(crate) fn place(&self, at: usize) -> *const u8 {
        // SAFETY: inside the room, which lies in the mapping of its segment.
        unsafe { self.bytes.add(at) }
    }

    /// What keeps the bytes of the versions that lie here.
    pub(crate) fn keeper(&self) -> Keeper {
        self.segment.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::MemoryStorage;

    fn read(room: &Room, at: usize, len: usize) -> Vec<u8> {
        // SAFETY: a filled room of a segment that lives.
        unsafe { std::slice::from_raw_parts(room.place(at), len) }.to_vec()
    }

    #[test]
    fn segments_are_filled_read_limited_and_reused() {
        let storage = MemoryStorage::new();
        let dir = Path::new("/d");
        let versions = Versions::new(0, 2 * SEGMENT + 5);
        let mut rooms = Vec::new();
        for i in 0..2 * SEGMENT / CHUNK as u64 {
            let room = versions.room(&storage, dir, CHUNK).unwrap().unwrap();
            versions.fill(&room, &vec![i as u8; CHUNK]).unwrap();
            rooms.push(room);
        }
        assert!(versions.room(&storage, dir, CHUNK).unwrap().is_none(), "two segments are the limit");
        versions.tidy_up();
        assert_eq!(versions.usage().spilled, 2 * SEGMENT);
        assert!(storage.list(dir).unwrap().is_empty(), "the file has no name");
        for (i, room) in rooms.iter().enumerate() {
            assert_eq!(read(room, CHUNK - 9, 9), vec![i as u8; 9]);
        }
        let half = rooms.len() / 2;
        let kept = rooms[0].keeper();
        rooms.drain(..half);
        assert!(versions.room(&storage, dir, 5).unwrap().is_none(), "a version still lies there");
        drop(kept);
        let room = versions.room(&storage, dir, 5).unwrap().unwrap();
        versions.fill(&room, b"again").unwrap();
        assert_eq!((room.offset, read(&room, 0, 5)), (0, b"again".to_vec()));
        assert_eq!(read(&rooms[0], 0, 1), [half as u8]);
        drop((room, rooms));
        versions.tidy_up();
        assert_eq!(versions.usage().spilled, 0);
        assert!(versions.file.lock().open.is_none());
    }

    #[test]
    fn a_fault_closes_the_file_until_nothing_lies_in_it() {
        let storage = MemoryStorage::new();
        let dir = Path::new("/d");
        let versions = Versions::new(0, SEGMENT);
        let room = versions.room(&storage, dir, 100).unwrap().unwrap();
        storage.set_fault(Some(Box::new(|operation, _| {
            (operation == crate::storage::Operation::Write).then_some(io::ErrorKind::StorageFull)
        })));
        assert!(versions.fill(&room, &[1; 100]).is_err());
        storage.set_fault(None);
        versions.fill(&room, &[1; 100]).unwrap();
        room.file.set_len(0).unwrap();
        assert_eq!(read(&room, 7, 1), [0], "the page is gone");
        assert!(versions.room(&storage, dir, 100).is_err());
        drop(room);
        assert!(versions.room(&storage, dir, 100).unwrap().is_some());
    }
}

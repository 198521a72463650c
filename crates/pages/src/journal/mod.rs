//! The journal: what was acknowledged, in order, before it reaches the table files.

pub(crate) mod record;
mod reserve;
pub(crate) mod segment;
mod stage;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::error::{Error, ErrorKind, Result};
use crate::group::Group;
use crate::options::{Durability, Injected, InjectedFault, Lsn, StoreOptions};
use crate::spill::SpillFile;
use crate::storage::Storage;
use crate::yielding;
use record::{AttachInfo, Kind, Payload, RECORD_HEADER, record_size, seal};
pub(crate) use reserve::Reserve;
use segment::{SEGMENT_HEADER, Segment, SegmentHead, number_of};
use stage::{EAGER, Staged};

/// Records with so many bytes go to the kernel by a call, not through the mapping.
const MANY: usize = 4096;
/// Segments that are kept ready for the next switches.
const READY: usize = 2;

/// The journal of a store.
pub(crate) struct Journal {
    storage: Arc<dyn Storage>,
    datadir: PathBuf,
    segment_size: usize,
    journal_size: u64,
    fault: Injected,
    tail: Mutex<Tail>,
    ready: Mutex<Vec<Segment>>,
    /// How many are ready: looked at without the lock.
    ready_count: AtomicUsize,
    /// Set when the preparing thread has something to do.
    segment_requested: Mutex<bool>,
    segment_request: Condvar,
    prepared: Condvar,
    next_file: AtomicU64,
    /// Bytes of the segments in use.
    used: AtomicU64,
    /// The running checkpoint cycle; changed under the append mutex.
    cycle: AtomicU32,
    appended: AtomicU64,
    group: Group,
    /// The oldest record that only memory has so far; `Lsn::MAX`: none.
    memory_from: AtomicU64,
    /// Records go into the mapping at once for so many waits more.
    eager: AtomicU32,
    /// The last attempt to make a segment met a full disk.
    no_room: AtomicBool,
    /// Room for definitions and checkpoints at a full disk.
    reserve: Reserve,
    poisoned: AtomicBool,
    reason: Mutex<String>,
}

/// The end of the journal; its lock is the append mutex.
pub(crate) struct Tail {
    segment: Arc<Segment>,
    at: usize,
    lsn: Lsn,
    chain: u32,
    sequence: u64,
    /// Full segments, oldest first.
    full: VecDeque<Arc<Segment>>,
    /// Full segments that no sync has met yet.
    unsynced: Vec<Arc<Segment>>,
    /// Spill files that committed records name, oldest first.
    spills: VecDeque<(Lsn, Arc<SpillFile>)>,
    /// Those that no sync has met yet.
    unsynced_spills: Vec<Arc<SpillFile>>,
    staged: Staged,
    /// Guarded tables.
    pub(crate) guarded: BTreeMap<u32, AttachInfo>,
    /// LSN of the last record that the newest checkpoint wrote about itself.
    settled: Lsn,
}

impl Tail {
    /// The record with this LSN names the spill file.
    pub(crate) fn took_spill(&mut self, lsn: Lsn, file: &Arc<SpillFile>, fault_injected: bool) {
        if fault_injected {
            let _ = file.remove();
            return;
        }
        self.spills.push_back((lsn, file.clone()));
        if !file.is_durable() {
            self.unsynced_spills.push(file.clone());
        }
    }
}

impl Journal {
    /// A fresh journal behind `lsn`. Old segments must have been dealt with.
    pub(crate) fn start(
        storage: Arc<dyn Storage>,
        datadir: &Path,
        options: &StoreOptions,
        lsn: Lsn,
        first_file: u64,
    ) -> Result<Journal> {
        let StoreOptions { segment_size, journal_size, .. } = *options;
        let fault = options.injected();
        // Small steps, so that a small journal is freed bit by bit as well.
        let share = usize::try_from(journal_size / 8).unwrap_or(usize::MAX);
        let segment_size = segment_size.min(share).max(4096).next_multiple_of(4096);
        let reserve = Reserve::new(storage.clone(), datadir, segment_size);
        let (mut next_file, mut ready) = (first_file, Vec::new());
        let mut create = || {
            next_file += 1;
            Segment::create(&*storage, datadir, next_file - 1, segment_size)
        };
        let segment = reserve.with_reserve(&mut create);
        if reserve.is_given() {
            // Before others take the rest of it: without a segment that is ready no full disk gets empty again.
            ready.extend(create().ok());
        }
        let segment = match segment {
            Err(e) if matches!(e.kind(), ErrorKind::DiskFull { .. }) => {
                tracing::error!("{e}: no statement can write before there is room for the journal");
                Segment::none()
            }
            other => other?,
        };
        let no_room = segment.is_none();
        let sequence = first_file;
        let head = SegmentHead {
            sequence,
            salt: random(),
            first_lsn: lsn + 1,
            size: segment_size as u64,
            before: 0,
            previous_file: 0,
            undurable: 0,
        };
        segment.write(0, &head.encode())?;
        segment.last_lsn.store(lsn, Ordering::Relaxed);
        Ok(Journal {
            storage,
            datadir: datadir.to_owned(),
            segment_size,
            journal_size,
            fault,
            ready_count: AtomicUsize::new(ready.len()),
            ready: Mutex::new(ready),
            segment_requested: Mutex::new(false),
            segment_request: Condvar::new(),
            prepared: Condvar::new(),
            next_file: AtomicU64::new(next_file),
            used: AtomicU64::new(if no_room { 0 } else { segment_size as u64 }),
            cycle: AtomicU32::new(1),
            appended: AtomicU64::new(lsn),
            group: Group::new(lsn),
            memory_from: AtomicU64::new(Lsn::MAX),
            eager: AtomicU32::new(if options.durability == Durability::Commit { 0 } else { EAGER }),
            no_room: AtomicBool::new(no_room),
            reserve,
            poisoned: AtomicBool::new(false),
            reason: Mutex::default(),
            tail: Mutex::new(Tail {
                segment: Arc::new(segment),
                at: SEGMENT_HEADER,
                lsn,
                chain: head.chain(),
                sequence,
                full: VecDeque::new(),
                unsynced: Vec::new(),
                spills: VecDeque::new(),
                unsynced_spills: Vec::new(),
                staged: Staged::default(),
                guarded: BTreeMap::new(),
                settled: lsn,
            }),
        })
    }

    /// The running checkpoint cycle: a hint, `append` checks it.
    pub(crate) fn cycle(&self) -> u32 {
        self.cycle.load(Ordering::Acquire)
    }

    /// Appends a record and lets `publish` act on it before any later record. `None`: a checkpoint began since the payload
    /// was built for `cycle`; build it anew.
    pub(crate) fn append(
        &self,
        kind: Kind,
        payload: &[u8],
        cycle: Option<u32>,
        publish: impl FnOnce(&mut Tail, Lsn),
    ) -> Result<Option<Lsn>> {
        if payload.len() >= u32::MAX as usize {
            return Err(ErrorKind::Misuse("a statement's changes exceed 4 GB").into());
        }
        let crc = crc32c::crc32c(payload);
        let mut tail = yielding::lock(&self.tail);
        if cycle.is_some_and(|cycle| cycle != self.cycle()) {
            return Ok(None);
        }
        self.append_locked(&mut tail, kind, payload, crc, publish).map(Some)
    }

    fn append_locked(
        &self,
        tail: &mut Tail,
        kind: Kind,
        payload: &[u8],
        crc: u32,
        publish: impl FnOnce(&mut Tail, Lsn),
    ) -> Result<Lsn> {
        self.check()?;
        let size = record_size(payload.len());
        let left = tail.segment.size - tail.at;
        if !matches!(kind, Kind::Commit | Kind::Spilled) {
            if left < size {
                self.reserve.with_reserve(&mut || self.next_segment(tail, size))?;
            }
        } else if left < size + self.margin() {
            self.keep_margin(left, size)?;
            if left < size {
                self.next_segment(tail, size)?;
            }
        }
        let lsn = tail.lsn + 1;
        let (header, chain) = seal(kind, lsn, payload.len(), crc, tail.chain);
        if self.stages(kind, size) {
            self.stage(tail, lsn, &header, payload);
        } else {
            self.unstage(tail)?;
            tail.staged.mapped = true;
            if payload.len() >= MANY {
                tail.segment.write_many(tail.at + RECORD_HEADER, payload)?;
            } else {
                tail.segment.write(tail.at + RECORD_HEADER, payload)?;
            }
            tail.segment.write(tail.at, &header)?;
        }
        tail.at += size;
        tail.lsn = lsn;
        tail.chain = chain;
        tail.segment.last_lsn.store(lsn, Ordering::Relaxed);
        publish(tail, lsn);
        self.appended.store(lsn, Ordering::Release);
        Ok(lsn)
    }

    /// Bytes at the end of the last segment that are for the records of checkpoints and definitions: with them room is made.
    fn margin(&self) -> usize {
        self.segment_size / 8
    }

    /// Before a statement's record: afterwards another segment must be ready, or the margin be free.
    fn keep_margin(&self, left: usize, size: usize) -> Result<()> {
        let room = self.segment_size - SEGMENT_HEADER;
        let needed = if left < size && size <= room && size + self.margin() > room { 2 } else { 1 };
        while self.ready_count.load(Ordering::Relaxed) < needed {
            let segment = self.create(self.segment_size)?;
            self.give_ready(segment);
        }
        Ok(())
    }

    fn next_segment(&self, tail: &mut Tail, record: usize) -> Result<()> {
        self.unstage(tail)?;
        let segment = if record > self.segment_size - SEGMENT_HEADER {
            // A record larger than a segment gets one of its own size.
            let size = (record + SEGMENT_HEADER).next_multiple_of(4096);
            self.create(size)?
        } else {
            let ready = self.take_ready();
            self.request_segment();
            ready.map_or_else(|| self.create(self.segment_size), Ok)?
        };
        let head = SegmentHead {
            sequence: tail.sequence + 1,
            salt: random(),
            first_lsn: tail.lsn + 1,
            size: segment.size as u64,
            before: tail.chain,
            previous_file: number_of(&tail.segment.path),
            undurable: u32::try_from(tail.lsn - self.durable().min(tail.lsn)).unwrap_or(u32::MAX),
        };
        segment.write(0, &head.encode())?;
        segment.last_lsn.store(tail.lsn, Ordering::Relaxed);
        self.used.fetch_add(segment.size as u64, Ordering::Relaxed);
        tail.staged.mapped = true;
        let full = std::mem::replace(&mut tail.segment, Arc::new(segment));
        if !full.is_none() {
            tail.full.push_back(full.clone());
            tail.unsynced.push(full);
        }
        tail.at = SEGMENT_HEADER;
        tail.sequence += 1;
        tail.chain = head.chain();
        Ok(())
    }

    fn create(&self, size: usize) -> Result<Segment> {
        let number = self.next_file.fetch_add(1, Ordering::Relaxed);
        let made = Segment::create(&*self.storage, &self.datadir, number, size);
        let full = made.as_ref().is_err_and(|e| matches!(e.kind(), ErrorKind::DiskFull { .. }));
        self.no_room.store(full, Ordering::Relaxed);
        made
    }

    fn take_ready(&self) -> Option<Segment> {
        let mut ready = self.ready.lock();
        let segment = ready.pop();
        self.ready_count.store(ready.len(), Ordering::Relaxed);
        segment
    }

    fn give_ready(&self, segment: Segment) {
        let mut ready = self.ready.lock();
        ready.push(segment);
        self.ready_count.store(ready.len(), Ordering::Relaxed);
        self.prepared.notify_all();
    }

    /// Makes sure that segments are ready for the next switches.
    pub(crate) fn prepare(&self) -> Result<()> {
        for wanted in 1..=READY {
            while self.ready_count.load(Ordering::Relaxed) < wanted {
                let segment = self.create(self.segment_size)?;
                self.give_ready(segment);
            }
            // More important than the second one.
            self.reserve.make()?;
        }
        Ok(())
    }

    /// Does something that makes room in the end; when the disk is full, with the room kept for that: the reserve's, or that of a
    /// segment, which the background makes anew.
    pub(crate) fn with_reserve<T>(&self, act: &mut dyn FnMut() -> Result<T>) -> Result<T> {
        match self.reserve.with_reserve(act) {
            Err(e) if matches!(e.kind(), ErrorKind::DiskFull { .. }) => {
                let Some(segment) = self.take_ready() else { return Err(e) };
                self.remove(&segment.path)?;
                act()
            }
            other => other,
        }
    }

    /// Wakes the preparing thread.
    pub(crate) fn request_segment(&self) {
        *self.segment_requested.lock() = true;
        self.segment_request.notify_all();
    }

    /// For the preparing thread: sleeps until a segment was taken.
    pub(crate) fn await_request(&self, at_most: Duration) {
        let mut segment_requested = self.segment_requested.lock();
        if !*segment_requested {
            self.segment_request.wait_for(&mut segment_requested, at_most);
        }
        *segment_requested = false;
    }

    /// Is there no room for another segment?
    pub(crate) fn is_short(&self) -> bool {
        self.ready_count.load(Ordering::Relaxed) == 0 && self.no_room.load(Ordering::Relaxed)
    }

    /// Before a commit takes any lock: waits a little when the next switch would have to make its segment itself. True: the disk
    /// is full, a checkpoint must free a segment.
    pub(crate) fn await_segment(&self) -> bool {
        if self.ready_count.load(Ordering::Relaxed) > 0 {
            return false;
        }
        let near = {
            let tail = self.tail.lock();
            tail.segment.size - tail.at < tail.segment.size / 4
        };
        if near {
            self.request_segment();
            let mut ready = self.ready.lock();
            if ready.is_empty() {
                self.prepared.wait_for(&mut ready, Duration::from_millis(100));
            }
        }
        near && self.is_short()
    }

    /// Bytes of the segments in use.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    pub(crate) fn appended(&self) -> Lsn {
        self.appended.load(Ordering::Acquire)
    }

    pub(crate) fn durable(&self) -> Lsn {
        self.group.durable()
    }

    fn poison(&self, error: &Error) {
        tracing::error!("journal: {error}; no change is accepted before a restart");
        *self.reason.lock() = error.to_string();
        self.poisoned.store(true, Ordering::Release);
    }

    /// An error once the journal is poisoned.
    pub(crate) fn check(&self) -> Result<()> {
        if self.poisoned.load(Ordering::Acquire) {
            return Err(ErrorKind::Poisoned { reason: self.reason.lock().clone() }.into());
        }
        Ok(())
    }

    /// Begins a checkpoint cycle. `None` when nothing happened since the last one.
    pub(crate) fn begin_checkpoint(&self) -> Result<Option<Lsn>> {
        let mut tail = self.tail.lock();
        if tail.lsn == tail.settled {
            return Ok(None);
        }
        if self.is_short() && tail.full.is_empty() {
            // What is freed is whole segments, so this one must end. Without room for another it may still do for the records.
            let _ = self.reserve.with_reserve(&mut || self.next_segment(&mut tail, 0));
        }
        let mut payload = Payload::default();
        payload.u32(tail.guarded.len() as u32);
        for info in tail.guarded.values() {
            payload.attach(info);
        }
        let crc = crc32c::crc32c(&payload.0);
        self.append_locked(&mut tail, Kind::Begin, &payload.0, crc, |_, _| {
            self.cycle.fetch_add(1, Ordering::AcqRel);
        })
        .map(Some)
    }

    /// Ends it: durable, and the segments before `begin` are free for use.
    pub(crate) fn end_checkpoint(&self, begin: Lsn) -> Result<()> {
        let lsn = {
            let mut tail = self.tail.lock();
            let quiet = tail.lsn == begin;
            let payload = begin.to_le_bytes();
            let lsn =
                self.append_locked(&mut tail, Kind::End, &payload, crc32c::crc32c(&payload), |_, _| {})?;
            if quiet {
                tail.settled = lsn;
            }
            lsn
        };
        self.sync_to(lsn)?;
        let before = if self.fault.is(InjectedFault::SegmentsEarly) { begin + 20 } else { begin };
        // Oldest first, each durably, so that recovery never meets a gap.
        loop {
            let old = self.tail.lock().full.front().cloned();
            let Some(old) = old.filter(|old| old.last_lsn.load(Ordering::Relaxed) < before) else { break };
            // When this fails it stays the oldest: a later checkpoint must not retire one behind it.
            old.retire(!self.fault.is(InjectedFault::RetireUnsynced))?;
            drop(self.tail.lock().full.pop_front());
            self.used.fetch_sub(old.size as u64, Ordering::Relaxed);
            let kept = (self.ready_count.load(Ordering::Relaxed) as u64 + 1) * self.segment_size as u64;
            let room = self.is_short() || self.used() + kept <= self.journal_size;
            match Arc::try_unwrap(old) {
                Ok(segment) if segment.size == self.segment_size && room => self.give_ready(segment),
                Ok(segment) => self.remove(&segment.path)?,
                Err(shared) => self.remove(&shared.path)?,
            }
        }
        loop {
            let old = {
                let mut tail = self.tail.lock();
                match tail.spills.front() {
                    Some((lsn, _)) if *lsn < begin => tail.spills.pop_front(),
                    _ => None,
                }
            };
            let Some((_, spill)) = old else { break };
            spill.remove()?;
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<()> {
        self.storage.remove(path).map_err(|e| Error::io(path, "remove", e))
    }

    /// Removes all segment files, after a clean stop. The journal is of no use afterwards.
    pub(crate) fn remove_files(&self) -> Result<()> {
        let mut tail = self.tail.lock();
        let tail = &mut *tail;
        tail.staged.forget();
        // Oldest first and durably, as recovery must never meet a later one alone.
        let last = (!tail.segment.is_none()).then(|| tail.segment.clone());
        for segment in tail.full.drain(..).chain(last) {
            segment.retire(true)?;
            self.remove(&segment.path)?;
        }
        while let Some(segment) = self.take_ready() {
            self.remove(&segment.path)?;
        }
        for (_, spill) in tail.spills.drain(..) {
            spill.remove()?;
        }
        self.storage.sync_dir(&self.datadir).map_err(|e| Error::io(&self.datadir, "sync", e))?;
        *self.reason.lock() = "stopped".to_owned();
        self.poisoned.store(true, Ordering::Release);
        Ok(())
    }
}

/// A number nobody can guess, for salts and stamps; never zero.
pub(crate) fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // Its keys come from the system's source of random numbers, and are others each time.
    let mut hasher = std::collections::hash_map::RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.finish() | 1
}

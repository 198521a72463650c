//! Collecting the entries of a key while rows are written or read. What has come is sorted a part at a time, by other threads where they have
//! nothing else to do; the parts are merged in the end.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::KeyInfo;
use super::runs::Runs;
use super::sort::{Entries, Weighed};
use super::weights::common_from;
use crate::beside::{self, killed};
use crate::error::{Error, Result};

/// Bytes of entries that are sorted together, at most. Merging few parts costs less than what larger ones cost by missing the caches.
const PART: usize = 16 << 20;

/// The fewest that are.
const LEAST: usize = 64 << 10;

/// Entries for another thread to sort.
struct Job {
    entries: Entries,
    back: Sender<Sorted>,
}

/// A run, and the room that its entries took.
struct Sorted {
    run: Vec<u8>,
    room: Entries,
}

impl Sorted {
    fn of(mut entries: Entries) -> Sorted {
        entries.sort();
        let run = Runs::of(&entries);
        entries.clear();
        Sorted { run, room: entries }
    }
}

/// What the keys of a table that are collected at once share: memory, and threads that sort. These begin with the first work, and end when
/// this is dropped.
#[derive(Debug)]
pub(crate) struct Helpers {
    /// Bytes of sorted parts that stay in memory, and those that are there.
    budget: usize,
    held: usize,
    /// Bytes of entries of a key that are sorted together.
    part: usize,
    /// How many threads there are at most.
    most: usize,
    jobs: Option<Sender<Job>>,
    /// Jobs that are not done.
    open: Arc<AtomicUsize>,
}

impl Helpers {
    /// For so many keys, with about `memory` bytes (at least 64 KiB for each) and at most so many threads.
    pub fn new(keys: usize, memory: usize, most: usize) -> Helpers {
        let keys = keys.max(1);
        let part = (memory / keys / 8).clamp(LEAST, PART);
        // parts of all keys grow, and some are being sorted
        let budget = memory.saturating_sub(part * (keys + 2 * most));
        Helpers { budget, held: 0, part, most, jobs: None, open: Arc::default() }
    }

    /// All that was collected is taken: no part is in memory.
    pub fn forget(&mut self) {
        self.held = 0;
    }

    fn begin(&self) -> Option<Sender<Job>> {
        let (jobs, work) = channel::<Job>();
        let work = Arc::new(Mutex::new(work));
        let mut begun = 0;
        for _ in 0..self.most {
            let (work, open) = (Arc::clone(&work), Arc::clone(&self.open));
            let helper = thread::Builder::new().name("sort".into()).spawn(move || {
                loop {
                    let job = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(Job { entries, back }) = job else { return };
                    let sorted = Sorted::of(entries);
                    open.fetch_sub(1, Ordering::Relaxed);
                    // who asked may have ended
                    let _ = back.send(sorted);
                }
            });
            begun += usize::from(helper.is_ok());
        }
        (begun > 0).then_some(jobs)
    }

    /// Gives a job to a thread that has little to do; else gives it back.
    fn take(&mut self, job: Job) -> Option<Job> {
        // one is sorted, one waits
        if self.open.load(Ordering::Relaxed) >= 2 * self.most {
            return Some(job);
        }
        if self.jobs.is_none() {
            self.jobs = self.begin();
        }
        let Some(jobs) = &self.jobs else {
            // there are no threads to be had
            self.most = 0;
            return Some(job);
        };
        self.open.fetch_add(1, Ordering::Relaxed);
        jobs.send(job).err().map(|refused| refused.0)
    }
}

/// Collects entries of one key.
#[derive(Debug)]
pub(crate) struct Collector {
    pub key: Arc<KeyInfo>,
    entries: Entries,
    runs: Runs,
    tmpdir: PathBuf,
    back: Option<(Sender<Sorted>, Receiver<Sorted>)>,
    /// Parts that others are sorting.
    away: usize,
    room: Option<Entries>,
    count: u64,
}

impl Collector {
    /// Runs for which there is no memory go to `tmpdir`.
    pub fn new(key: &Arc<KeyInfo>, tmpdir: &Path) -> Collector {
        Collector {
            key: Arc::clone(key),
            entries: Entries::default(),
            runs: Runs::default(),
            tmpdir: tmpdir.to_owned(),
            back: None,
            away: 0,
            room: None,
            count: 0,
        }
    }

    /// How many entries came.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Takes an entry, whose flat key has length `flat`.
    ///
    /// # Errors
    /// `tmpdir` has no room for those before, which are kept; this one is not.
    #[inline]
    pub fn push(&mut self, helpers: &mut Helpers, entry: &[u8], flat: usize) -> Result<()> {
        if self.entries.size() > helpers.part {
            self.sort_part(helpers)?;
        }
        self.entries.push(&self.key, entry, flat);
        self.count += 1;
        Ok(())
    }

    /// What the value of the entry taken last has for a weight: the same bytes as those of all values that the key finds equal.
    #[inline]
    pub fn last_value(&self) -> &[u8] {
        self.entries.last_weights(self.key.rec_ref)
    }

    /// All entries in order, if they are so few that no part was sorted before. Nothing else may be asked of the collector then.
    pub fn sorted(&mut self) -> Option<&Entries> {
        if self.back.is_some() || !self.runs.is_empty() {
            return None;
        }
        self.entries.sort();
        Some(&self.entries)
    }

    /// Forgets the entry taken last.
    pub fn pop(&mut self) {
        self.entries.pop();
        self.count -= 1;
    }

    #[cold]
    fn sort_part(&mut self, helpers: &mut Helpers) -> Result<()> {
        let entries = std::mem::replace(&mut self.entries, self.room.take().unwrap_or_default());
        let back = match &self.back {
            Some((back, _)) => back.clone(),
            None => self.back.insert(channel()).0.clone(),
        };
        match helpers.take(Job { entries, back }) {
            None => self.away += 1,
            Some(job) => self.add(helpers, Sorted::of(job.entries))?,
        }
        while let Some(Ok(sorted)) = self.back.as_ref().map(|(_, sorted)| sorted.try_recv()) {
            self.away -= 1;
            self.add(helpers, sorted)?;
        }
        Ok(())
    }

    fn add(&mut self, helpers: &mut Helpers, sorted: Sorted) -> Result<()> {
        self.room = Some(sorted.room);
        helpers.held += sorted.run.len();
        self.runs.add(sorted.run);
        if helpers.held <= helpers.budget {
            return Ok(());
        }
        let before = self.runs.held();
        let sent = self.runs.send_away(&self.tmpdir);
        helpers.held -= before - self.runs.held();
        sent
    }

    /// Waits for the parts that others sort. `stop` is asked meanwhile.
    fn fetch(&mut self, stop: &dyn Fn() -> bool) -> Result<()> {
        let Some((own, sorted)) = self.back.take() else { return Ok(()) };
        drop(own);
        while self.away > 0 {
            let Some(sorted) = beside::receive(&sorted, stop)? else {
                let ended = std::io::Error::other("it ended early");
                return Err(Error::Pages(pages::Error::io(Path::new("a thread"), "sort in", ended)));
            };
            self.away -= 1;
            self.runs.add(sorted.run);
        }
        Ok(())
    }

    /// Hands all entries to `f` in order: bytes, length of the flat key, and whether that has the value of the entry before in all parts.
    /// `stop` is asked now and then.
    ///
    /// # Errors
    /// `Killed` when `stop` says so, those of the disk and of `f`.
    pub fn finish(
        mut self,
        stop: &dyn Fn() -> bool,
        mut f: impl FnMut(&[u8], usize, bool) -> Result<()>,
    ) -> Result<()> {
        self.fetch(stop)?;
        self.room = None;
        self.entries.sort();
        let tail = self.key.rec_ref;
        let mut handed = 0u32;
        let mut each = |e: Weighed<'_>, shared: usize| {
            let repeats = handed > 0 && shared + tail >= e.weights.len();
            handed = handed.wrapping_add(1).max(1);
            if handed.is_multiple_of(4096) && stop() {
                return Err(killed());
            }
            f(e.entry, e.entry.len() - tail, repeats)
        };
        if self.runs.is_empty() {
            let mut before: Vec<u8> = Vec::new();
            return self.entries.each(|e| {
                let shared = common_from(&before, e.weights, 0);
                before.truncate(shared);
                before.extend_from_slice(&e.weights[shared..]);
                each(e, shared)
            });
        }
        self.runs.add(Runs::of(&self.entries));
        self.entries = Entries::default();
        self.runs.merge(&mut each)
    }
}

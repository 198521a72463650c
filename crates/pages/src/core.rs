//! What all tables of a store share.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::blocks::Caches;
use crate::budget::Versions;
use crate::error::{Error, ErrorKind, Result};
use crate::files::Unfinished;
use crate::group::Acknowledge;
use crate::journal::Journal;
use crate::options::{Durability, InjectedFault, Lsn, StoreOptions};
use crate::queue::KILL_CHECK;
use crate::registry::Registry;
use crate::storage::Storage;
use crate::store::Store;
use crate::sync::Padded;
use crate::wait_limit::assert_unpinned;

/// The part of a store that tables, sessions and background threads hold.
pub(crate) struct Core {
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) datadir: PathBuf,
    pub(crate) options: StoreOptions,
    pub(crate) store: OnceLock<Weak<Store>>,
    pub(crate) registry: Registry,
    /// Number of the next spill file.
    pub(crate) next_spill: AtomicU64,
    pub(crate) journal: Journal,
    /// Old versions of all tables.
    pub(crate) versions: Versions,
    /// Caches of clean pages.
    pub(crate) caches: Caches,
    /// The newest published commit; snapshots start from it.
    pub(crate) visible: Padded<AtomicU64>,
    durability: AtomicU32,
    /// To be made durable within a second for a session's sake.
    wanted: AtomicU64,
    /// Held while files are renamed and removed: a checkpoint's begin must not fall between the plan and the deed.
    /// A plan that could not be carried out to its end waits in it.
    pub(crate) files: Mutex<Unfinished>,
    /// It was begun: some names are as before and some as after. Set under the lock of `files`.
    pub(crate) half_done: AtomicBool,
    /// One checkpoint at a time. LSN of the begin of one that failed: the next goes on from there, and journals no begin
    /// (nor, for it, images of pages) of its own.
    pub(crate) checkpointing: Mutex<Option<Lsn>>,
    wake: Mutex<Wake>,
    woken: Condvar,
    progress: Condvar,
    pub(crate) pace: Pace,
    started: Instant,
}

#[derive(Default)]
struct Wake {
    checkpoint: bool,
    stop: bool,
}

/// Longest wait of one commit for a journal that stays full.
const FULL_WAIT: Duration = Duration::from_secs(2);
/// The same while checkpoints fail, as when a table's disk does: waiting would not help much.
const FAILING_WAIT: Duration = Duration::from_millis(50);
/// Wait of a commit when the journal is full and the checkpoint has done nothing yet.
const SLOWEST: Duration = Duration::from_millis(100);

/// How far the running checkpoint is, beside how far the journal has filled meanwhile.
#[derive(Default)]
pub(crate) struct Pace {
    /// Bytes of journal in use when it began; zero: none runs.
    base: AtomicU64,
    pages: AtomicU64,
    written: AtomicU64,
    /// Checkpoints that came to their end.
    pub(crate) ended: AtomicU64,
    /// The last checkpoint failed.
    pub(crate) failing: AtomicBool,
}

impl Pace {
    pub(crate) fn begin(&self, used: u64, pages: u64) {
        self.written.store(0, Ordering::Relaxed);
        self.pages.store(pages, Ordering::Relaxed);
        self.base.store(used.max(1), Ordering::Relaxed);
    }

    pub(crate) fn wrote(&self, pages: u64) {
        self.written.fetch_add(pages, Ordering::Relaxed);
    }

    fn end(&self) {
        self.base.store(0, Ordering::Relaxed);
    }

    /// Changes as a checkpoint gets on. What one that fails again and again writes is none.
    fn done(&self) -> (u64, u64) {
        let written =
            if self.failing.load(Ordering::Relaxed) { 0 } else { self.written.load(Ordering::Relaxed) };
        (written, self.ended.load(Ordering::Relaxed))
    }

    /// How long a commit should wait. The part of the journal that was free at the checkpoint's begin should fill no faster than
    /// its pages are written; the wait grows with the distance between the two.
    fn delay(&self, used: u64, size: u64) -> Duration {
        let (base, soft) = (self.base.load(Ordering::Relaxed), size / 2);
        let (base, done) = if base == 0 {
            (soft, 0.0)
        } else {
            let (written, pages) = (self.written.load(Ordering::Relaxed), self.pages.load(Ordering::Relaxed));
            (base.clamp(soft, size - size / 8), (written as f64 / pages.max(1) as f64).min(0.9))
        };
        let filled = used.saturating_sub(base) as f64 / size.saturating_sub(base).max(1) as f64;
        let ahead = (filled - done).clamp(0.0, 1.0);
        // A little ahead is no matter; and a full journal waits in any case.
        if used < size && ahead < 0.05 { Duration::ZERO } else { SLOWEST.mul_f64(ahead.max(0.02)) }
    }
}

impl Core {
    pub(crate) fn new(
        storage: Arc<dyn Storage>,
        datadir: PathBuf,
        options: StoreOptions,
        journal: Journal,
        lsn: Lsn,
    ) -> Core {
        Core {
            storage,
            datadir,
            store: OnceLock::new(),
            registry: Registry::new(),
            next_spill: AtomicU64::new(1),
            journal,
            versions: Versions::new(options.version_cache_size, options.version_spill_size),
            caches: Caches::new(),
            visible: Padded(AtomicU64::new(lsn)),
            durability: AtomicU32::new(options.durability as u32),
            wanted: AtomicU64::new(0),
            options,
            files: Mutex::default(),
            half_done: AtomicBool::new(false),
            checkpointing: Mutex::default(),
            wake: Mutex::default(),
            woken: Condvar::new(),
            progress: Condvar::new(),
            pace: Pace::default(),
            started: Instant::now(),
        }
    }

    pub(crate) fn durability(&self) -> Durability {
        let number = self.durability.load(Ordering::Relaxed);
        [Durability::Commit, Durability::Second]
            .into_iter()
            .find(|&d| d as u32 == number)
            .unwrap_or(Durability::None)
    }

    pub(crate) fn set_durability(&self, durability: Durability) {
        self.durability.store(durability as u32, Ordering::Relaxed);
    }

    pub(crate) fn wait_durable(&self, lsn: Lsn, durability: Durability) -> Result<()> {
        match durability {
            Durability::Commit if self.fault_injected(InjectedFault::AckUnsynced) => Ok(()),
            Durability::Commit => self.journal.commit_to(lsn),
            Durability::Second => {
                self.note_second(lsn);
                self.journal.flush_to_kernel(lsn)
            }
            Durability::None => self.journal.flush_to_kernel(lsn),
        }
    }

    /// As `wait_durable`, without waiting for the disk when another commit does already: false, and `then` will be called.
    pub(crate) fn when_durable(
        &self,
        lsn: Lsn,
        durability: Durability,
        then: &Arc<dyn Acknowledge>,
    ) -> Result<bool> {
        match durability {
            Durability::Commit if !self.fault_injected(InjectedFault::AckUnsynced) => {
                self.journal.commit_later(lsn, then)
            }
            _ => self.wait_durable(lsn, durability).map(|()| true),
        }
    }

    #[inline]
    fn note_second(&self, lsn: Lsn) {
        // The tick of the background follows the global setting; a session may ask for more.
        if self.durability() == Durability::None {
            self.wanted.fetch_max(lsn, Ordering::Relaxed);
        }
    }

    /// Up to where the background is to sync now.
    pub(crate) fn due(&self) -> Lsn {
        match self.durability() {
            Durability::None => self.wanted.load(Ordering::Relaxed),
            Durability::Commit | Durability::Second => self.journal.appended(),
        }
    }

    /// Is this mistake to be made?
    #[inline]
    pub(crate) fn fault_injected(&self, fault: InjectedFault) -> bool {
        self.options.injected().is(fault)
    }

    /// Asks for a checkpoint soon.
    pub(crate) fn ask_checkpoint(&self) {
        self.wake.lock().checkpoint = true;
        self.woken.notify_all();
    }

    /// Milliseconds since the start.
    pub(crate) fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    /// Before a commit, without any lock but the table's: past half of the journal a checkpoint is asked for, and the writer waits
    /// as much as the journal fills faster than the checkpoint gets on. A full journal makes it wait longer. At twice the size
    /// it waits for room, and fails when no checkpoint gets on, or when it is killed.
    #[inline]
    pub(crate) fn throttle(&self, kill: &dyn Fn() -> bool) -> Result<()> {
        if self.options.background {
            if self.journal.await_segment() {
                self.await_room(kill);
            }
            if self.journal.used() > self.options.journal_size / 2 {
                return self.slow_down(kill);
            }
        }
        Ok(())
    }

    /// The disk has no room for more journal: waits for a checkpoint, which frees some of it.
    #[cold]
    fn await_room(&self, kill: &dyn Fn() -> bool) {
        assert_unpinned();
        let (ended, deadline) = (self.pace.ended.load(Ordering::Relaxed), Instant::now() + FULL_WAIT);
        self.ask_checkpoint();
        let mut wake = self.wake.lock();
        while self.journal.is_short()
            && ended == self.pace.ended.load(Ordering::Relaxed)
            && !(wake.stop || kill() || Instant::now() >= deadline)
        {
            self.progress.wait_for(&mut wake, KILL_CHECK);
        }
    }

    #[cold]
    fn slow_down(&self, kill: &dyn Fn() -> bool) -> Result<()> {
        assert_unpinned();
        let size = self.options.journal_size;
        // What other commits that wait here may take, too, is small beside it.
        let bound = if self.fault_injected(InjectedFault::JournalUnbounded) {
            u64::MAX
        } else {
            size.saturating_mul(2)
        };
        let (mut done, mut got_on) = (self.pace.done(), Instant::now());
        let failing = self.pace.failing.load(Ordering::Relaxed);
        let deadline = Instant::now() + if failing { FAILING_WAIT } else { FULL_WAIT };
        loop {
            let mut wake = self.wake.lock();
            let used = self.journal.used();
            if wake.stop || used <= size / 2 {
                return Ok(());
            }
            if !wake.checkpoint {
                wake.checkpoint = true;
                self.woken.notify_all();
            }
            let delay = self.pace.delay(used, size);
            if delay.is_zero() {
                return Ok(());
            }
            // What was killed waits no more, and keeps what it did where there is room.
            if kill() {
                return if used < bound { Ok(()) } else { Err(ErrorKind::Killed.into()) };
            }
            self.progress.wait_for(&mut wake, delay);
            let (used, now) = (self.journal.used(), Instant::now());
            if used < size || (used < bound && now >= deadline) {
                return Ok(());
            }
            if done != self.pace.done() {
                (done, got_on) = (self.pace.done(), now);
            } else if used >= bound && now.duration_since(got_on) >= self.options.journal_wait {
                return Err(ErrorKind::JournalFull.into());
            }
        }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.wake.lock().stop
    }

    /// For the background: sleeps for so long, or until the stop.
    pub(crate) fn pause(&self, time: Duration) {
        let deadline = Instant::now() + time;
        let mut wake = self.wake.lock();
        while !wake.stop && !self.woken.wait_until(&mut wake, deadline).timed_out() {}
    }

    /// For the background: sleeps until there is something to do. `None`: stop.
    pub(crate) fn sleep(&self, at_most: Duration) -> Option<()> {
        let mut wake = self.wake.lock();
        if !(wake.stop || wake.checkpoint) {
            self.woken.wait_for(&mut wake, at_most);
        }
        (!wake.stop).then_some(())
    }

    /// Was a checkpoint asked for?
    pub(crate) fn checkpoint_wanted(&self) -> bool {
        self.wake.lock().checkpoint
    }

    pub(crate) fn checkpoint_done(&self) {
        self.pace.end();
        self.wake.lock().checkpoint = false;
        self.progress.notify_all();
    }

    pub(crate) fn stop(&self) {
        self.wake.lock().stop = true;
        self.woken.notify_all();
        self.journal.request_segment();
        self.journal.stop_group_commit();
        self.progress.notify_all();
        self.versions.stop();
    }

    pub(crate) fn sync_dir(&self, dir: &std::path::Path) -> Result<()> {
        self.storage.sync_dir(dir).map_err(|e| Error::io(dir, "sync", e))
    }
}

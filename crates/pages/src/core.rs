//! What all tables of a store share.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::budget::Versions;
use crate::error::{Error, Result};
use crate::files::Unfinished;
use crate::journal::Journal;
use crate::options::{Durability, Lsn, Plant, StoreOptions};
use crate::registry::Registry;
use crate::storage::Storage;
use crate::store::Store;
use crate::sync::Padded;

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
    /// The newest published commit; snapshots start from it.
    pub(crate) visible: Padded<AtomicU64>,
    durability: AtomicU32,
    /// Held while files are renamed and removed: a checkpoint's begin must not fall between the plan and the deed.
    /// Plans that could not be carried out to their end wait in it.
    pub(crate) files: Mutex<Unfinished>,
    /// One checkpoint at a time.
    pub(crate) checkpointing: Mutex<()>,
    wake: Mutex<Wake>,
    woken: Condvar,
    progress: Condvar,
    started: Instant,
}

#[derive(Default)]
struct Wake {
    checkpoint: bool,
    stop: bool,
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
            visible: Padded(AtomicU64::new(lsn)),
            durability: AtomicU32::new(options.durability as u32),
            options,
            files: Mutex::default(),
            checkpointing: Mutex::new(()),
            wake: Mutex::default(),
            woken: Condvar::new(),
            progress: Condvar::new(),
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

    pub(crate) fn wait_durable(&self, lsn: Lsn) -> Result<()> {
        match self.durability() {
            Durability::Commit => self.journal.sync_to(lsn),
            Durability::Second | Durability::None => self.journal.check(),
        }
    }

    /// Is this mistake to be made?
    #[inline]
    pub(crate) fn planted(&self, plant: Plant) -> bool {
        self.options.plant == Some(plant)
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

    /// Slows a writer while the journal is full, so that the checkpoint can catch up; never for long.
    pub(crate) fn throttle(&self) {
        let (used, size) = (self.journal.used(), self.options.journal_size);
        if used <= size / 2 || !self.options.background {
            return;
        }
        let mut wake = self.wake.lock();
        wake.checkpoint = true;
        self.woken.notify_all();
        if used > size {
            let over = used.saturating_sub(size).saturating_mul(200) / size.max(1);
            self.progress.wait_for(&mut wake, Duration::from_millis(over.clamp(1, 1000)));
        }
    }

    /// For the background: sleeps until there is something to do. `None`: stop.
    pub(crate) fn sleep(&self, at_most: Duration, checkpointer: bool) -> Option<()> {
        let mut wake = self.wake.lock();
        if !(wake.stop || checkpointer && wake.checkpoint) {
            self.woken.wait_for(&mut wake, at_most);
        }
        (!wake.stop).then_some(())
    }

    /// Was a checkpoint asked for?
    pub(crate) fn checkpoint_wanted(&self) -> bool {
        self.wake.lock().checkpoint
    }

    pub(crate) fn checkpoint_done(&self) {
        self.wake.lock().checkpoint = false;
        self.progress.notify_all();
    }

    pub(crate) fn stop(&self) {
        self.wake.lock().stop = true;
        self.woken.notify_all();
        self.progress.notify_all();
        self.versions.stop();
    }

    pub(crate) fn sync_dir(&self, dir: &std::path::Path) -> Result<()> {
        self.storage.sync_dir(dir).map_err(|e| Error::io(dir, "sync", e))
    }
}

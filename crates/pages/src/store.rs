//! The store of one data directory.

use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::blocks::BlockCache;
use crate::budget::VersionUsage;
use crate::checkpoint::{checkpoint, flush_and_unguard, lock_checkpoints};
use crate::commit;
use crate::core::Core;
use crate::error::{Error, ErrorKind, Result};
use crate::files::{self, FilePlan, Outcome};
use crate::gate::AtomicStorage;
use crate::group::Acknowledge;
use crate::journal::{Journal, Reserve};
use crate::options::{Durability, Lsn, StoreOptions, TableSpec};
use crate::prune::sweep;
use crate::read::ReaderSlot;
use crate::recover::{RecoveryReport, recover};
use crate::requests::PageCounts;
use crate::storage::{DirectoryLock, RealStorage, Storage, VolatileOverlay};
use crate::table::PagedTable;
use crate::wait_limit::WaitLimit;
use crate::write::{ExclusiveGuard, TableWriter, close};

/// How long the clean stop waits for writers.
const SHUTDOWN_WAIT: Duration = Duration::from_secs(5);
const LOCK_FILE: &str = "isambard.lock";
/// How often the journal is synced under `Durability::Second`, and a segment prepared.
const TICK: Duration = Duration::from_millis(500);
/// Time before a failed checkpoint is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// The page store of one data directory. Dropping it without [`Store::shutdown`] is like a kill: the next open recovers.
pub struct Store {
    core: Arc<Core>,
    tables: Arc<Tables>,
    /// The storage, for the floors above.
    gate: Arc<dyn Storage>,
    /// What the floors above keep for as long as the store is open.
    companion: OnceLock<Arc<dyn Any + Send + Sync>>,
    assignment: OnceLock<Arc<dyn Assignment>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    // Last: the directory is free when everything else is gone.
    _lock: DirectoryLock,
}

/// Says which caches the pages of tables are read through.
pub trait Assignment: Send + Sync {
    /// Assigns a table: it is being opened, or the rules have changed.
    fn assign(&self, table: &PagedTable);
}

struct Tables {
    by_base: Mutex<HashMap<PathBuf, Arc<PagedTable>>>,
    /// Closed while somebody read them.
    closed: Mutex<Vec<Weak<PagedTable>>>,
    next_id: AtomicU32,
}

impl Tables {
    fn all(&self) -> Vec<Arc<PagedTable>> {
        let mut all: Vec<_> = self.by_base.lock().values().cloned().collect();
        // In an order that is the same in every run.
        all.sort_unstable_by_key(|table: &Arc<PagedTable>| table.id);
        all
    }

    /// A table was closed: its files are given up, as soon as nobody reads them.
    fn closed(&self, table: &Arc<PagedTable>) {
        if !table.release_files() {
            self.closed.lock().push(Arc::downgrade(table));
        }
    }

    /// Looks again at tables that were read when they were closed.
    fn release_closed(&self) {
        let closed = std::mem::take(&mut *self.closed.lock());
        for table in closed.into_iter().filter_map(|table| table.upgrade()) {
            self.closed(&table);
        }
    }

    fn forget(&self, table: &Arc<PagedTable>) {
        let mut tables = self.by_base.lock();
        if tables.get(&table.base).is_some_and(|known| Arc::ptr_eq(known, table)) {
            tables.remove(&table.base);
            table.leave_cache();
        }
    }
}

impl Store {
    /// Takes the directory's lock and replays the journal. Paths handed to `storage` begin with `datadir`.
    ///
    /// # Errors
    /// `DirectoryInUse`; `Corrupt` when a journal segment is missing; `Io`.
    pub fn open(
        storage: Arc<dyn Storage>,
        datadir: &Path,
        options: StoreOptions,
    ) -> Result<(Arc<Store>, RecoveryReport)> {
        let lock_path = datadir.join(LOCK_FILE);
        let lock = storage.lock(&lock_path).map_err(|e| Error::io(&lock_path, "lock", e))?;
        let lock = lock.map_err(|pid| ErrorKind::DirectoryInUse { path: datadir.to_owned(), pid })?;
        // It can be begun anew at any point. What was committed has its room; where the file system cannot promise that, this may
        // help.
        let reserve = Reserve::new(storage.clone(), datadir, 0);
        let (report, end) = reserve.with_reserve(&mut || recover(&*storage, datadir, options.injected()))?;
        // Recovery knows nothing of it: there was nothing before.
        let storage: Arc<dyn Storage> =
            Arc::new(VolatileOverlay::new(storage, datadir, options.tmpdir.clone()));
        let journal = Journal::start(storage.clone(), datadir, &options, end.lsn, end.next_file)?;
        let background = options.background;
        let core = Arc::new(Core::new(storage, datadir.to_owned(), options, journal, end.lsn));
        let tables = Arc::new(Tables {
            by_base: Mutex::default(),
            closed: Mutex::default(),
            next_id: AtomicU32::new(1),
        });
        let mut threads = Vec::new();
        if background {
            threads.push(spawn("isam-journal", &core, &tables, |core, _| journal_thread(core))?);
            threads.push(spawn("isam-commit", &core, &tables, |core, _| core.journal.group_commit_thread())?);
            threads.push(spawn("isam-checkpoint", &core, &tables, checkpoint_thread)?);
            threads.push(spawn("isam-versions", &core, &tables, prune_thread)?);
        }
        let gate = Arc::new(AtomicStorage::new(core.clone()));
        let (threads, companion) = (Mutex::new(threads), OnceLock::new());
        let assignment = OnceLock::new();
        let store = Arc::new(Store { core, tables, gate, companion, assignment, threads, _lock: lock });
        store.core.store.get_or_init(|| Arc::downgrade(&store));
        Ok((store, report))
    }

    /// [`Store::open`] over real files.
    ///
    /// # Errors
    /// As `open`.
    pub fn open_dir(datadir: &Path, options: StoreOptions) -> Result<(Arc<Store>, RecoveryReport)> {
        Store::open(Arc::new(RealStorage), datadir, options)
    }

    /// Where the files are. Looked at through it, a change of files that could not be carried out to its end
    /// ([`ErrorKind::Unfinished`]) is finished first; when it cannot be, that is the error.
    pub fn storage(&self) -> &Arc<dyn Storage> {
        &self.gate
    }

    /// Keeps something of the floors above for as long as the store is open; false if there is something already.
    pub fn keep(&self, companion: Arc<dyn Any + Send + Sync>) -> bool {
        self.companion.set(companion).is_ok()
    }

    /// What [`Store::keep`] was given.
    pub fn companion(&self) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.companion.get()
    }

    /// The data directory.
    pub fn datadir(&self) -> &Path {
        &self.core.datadir
    }

    /// The durability in force.
    pub fn durability(&self) -> Durability {
        self.core.durability()
    }

    /// Changes the durability of commits that wait from now on.
    pub fn set_durability(&self, durability: Durability) {
        self.core.set_durability(durability);
    }

    /// Opens `base.MYI` and `base.MYD`. While a table is attached a second attach gives the same handle.
    ///
    /// # Errors
    /// `Guarded`, `ForeignChange` (the header is not `spec.state`), `Corrupt` (a file is too short), `Io`.
    pub fn attach(&self, spec: TableSpec) -> Result<Arc<PagedTable>> {
        let mut tables = self.tables.by_base.lock();
        self.attach_locked(&mut tables, spec)
    }

    fn attach_locked(
        &self,
        tables: &mut HashMap<PathBuf, Arc<PagedTable>>,
        spec: TableSpec,
    ) -> Result<Arc<PagedTable>> {
        if let Some(table) = tables.get(&spec.base)
            && !table.is_stale()
        {
            return Ok(table.clone());
        }
        let id = self.tables.next_id.fetch_add(1, Ordering::Relaxed);
        let base = spec.base.clone();
        for extension in ["MYI", "MYD"] {
            let mut name = self.core.datadir.join(&base).into_os_string();
            name.push(format!(".{extension}"));
            files::finish_pending(&self.core, Path::new(&name), false)?;
        }
        let table = Arc::new(PagedTable::open(&self.core, id, spec)?);
        if let Some(assignment) = self.assignment.get() {
            assignment.assign(&table);
        }
        if let Some(before) = tables.insert(base, table.clone()) {
            before.leave_cache();
        }
        Ok(table)
    }

    /// The handle of an attached table.
    pub fn attached(&self, base: &Path) -> Option<Arc<PagedTable>> {
        self.tables.by_base.lock().get(base).filter(|table| !table.is_stale()).cloned()
    }

    /// All attached tables.
    pub fn tables(&self) -> Vec<Arc<PagedTable>> {
        self.tables.all()
    }

    /// Waits for the table's writers and readers, makes it clean and unguarded on disk, and closes it: the handle is `Stale`
    /// from then on, and the files may be exchanged. Waits for ever for a snapshot of the calling thread itself: end it before,
    /// or use [`PagedTable::exclusive`] and [`crate::ExclusiveGuard::detach`].
    ///
    /// # Errors
    /// `Stale`, `Io`, `Poisoned`; the table stays attached then.
    pub fn detach(&self, table: &Arc<PagedTable>) -> Result<()> {
        table.exclusive(0, Duration::MAX, &|| false)?.detach(&WaitLimit::unbounded())
    }

    pub(crate) fn detach_writer(&self, mut writer: TableWriter, wait_limit: &WaitLimit<'_>) -> Result<()> {
        self.flush_and_unguard(&mut writer, wait_limit)?;
        // Users may exchange the files from now on: the journal must have let go of them for good.
        self.core.journal.sync_to(self.core.journal.appended())?;
        self.close(writer);
        Ok(())
    }

    fn close(&self, writer: TableWriter) {
        let table = writer.table().clone();
        close(writer);
        self.tables.forget(&table);
        self.tables.closed(&table);
    }

    /// Makes the table clean and unguarded on disk (CHECK TABLE, FLUSH ... FOR EXPORT) and keeps it attached. Uncommitted
    /// changes are undone.
    ///
    /// # Errors
    /// `Io`, `Poisoned`; `LockTimeout`, `Killed` when others still looked at the files' pages.
    pub fn flush_and_unguard(&self, writer: &mut TableWriter, wait_limit: &WaitLimit<'_>) -> Result<()> {
        writer.rollback();
        loop {
            let begun = lock_checkpoints(&self.core, wait_limit)?;
            let (table, core) = writer.parts();
            let result = flush_and_unguard(&table.clone(), core, wait_limit);
            drop(begun);
            match result {
                // Put off: other checkpoints had their turn, now again.
                Err(e) if matches!(e.kind(), ErrorKind::LockTimeout) => wait_limit.check()?,
                other => return other,
            }
        }
    }

    /// Brings all tables up to date on disk and frees the journal.
    ///
    /// # Errors
    /// The first that a table met.
    pub fn checkpoint(&self) -> Result<()> {
        checkpoint(&self.core, || self.tables.all(), None, &WaitLimit::unbounded())
    }

    /// As [`Store::checkpoint`], and makes those tables clean and unguarded that nobody has the write lock of.
    ///
    /// # Errors
    /// The first that a table met.
    pub fn checkpoint_clean(&self) -> Result<()> {
        self.checkpoint_clean_within(&WaitLimit::unbounded())
    }

    /// As [`Store::checkpoint_clean`], as long as there is patience for those who still look at pages.
    ///
    /// # Errors
    /// As there; `LockTimeout`, `Killed`.
    pub fn checkpoint_clean_within(&self, wait_limit: &WaitLimit<'_>) -> Result<()> {
        loop {
            match checkpoint(&self.core, || self.tables.all(), Some(u64::MAX), wait_limit) {
                Err(e) if matches!(e.kind(), ErrorKind::LockTimeout) => wait_limit.check()?,
                other => return other,
            }
        }
    }

    /// Clean stop: every table is clean and unguarded, the journal is gone. Waits a little for running writers: the next start
    /// brings up to date what they kept from being written.
    ///
    /// # Errors
    /// The first that a table met; the journal stays then.
    pub fn shutdown(&self) -> Result<()> {
        self.stop_threads();
        let deadline = Instant::now() + SHUTDOWN_WAIT;
        let mut failed = None;
        for table in self.tables.all() {
            // Readers that are left keep their handle; nobody opens the files anew.
            let left = deadline.saturating_duration_since(Instant::now());
            let closed = table
                .write_lock(0, left, &|| false)
                .and_then(|writer| self.detach_at_the_end(writer, &WaitLimit::new(left, &|| false)));
            match closed {
                Err(e) if !matches!(e.kind(), ErrorKind::Stale) => failed = Some(e),
                _ => {}
            }
        }
        // The journal must not go before what it alone knows is done.
        let mut unfinished = self.core.files.lock();
        let finished = files::finish(&self.core, &mut unfinished);
        match failed.map_or(finished, Err) {
            Ok(()) => self.core.journal.remove_files(),
            Err(e) => Err(e),
        }
    }

    fn detach_at_the_end(&self, writer: TableWriter, wait_limit: &WaitLimit<'_>) -> Result<()> {
        if writer.table().is_journaled() {
            return self.detach_writer(writer, wait_limit);
        }
        // Nothing is left of it.
        self.close(writer);
        Ok(())
    }

    fn stop_threads(&self) {
        self.core.stop();
        for thread in self.threads.lock().drain(..) {
            if thread.join().is_err() {
                tracing::error!("a background thread of the page store panicked");
            }
        }
    }

    /// A place in the registry of readers.
    pub fn reader_slot(&self) -> ReaderSlot {
        ReaderSlot::new(self.core.clone())
    }

    /// A place in the registry for somebody who has a number, below 2^48 and not zero, and may have several places.
    pub fn reader_slot_of(&self, owner: u64) -> ReaderSlot {
        ReaderSlot::of(self.core.clone(), owner)
    }

    /// The newest commit.
    pub fn visible(&self) -> Lsn {
        self.core.visible.load(Ordering::Acquire)
    }

    /// Publishes the changes of several tables at once, in one journal record. On error all are undone.
    ///
    /// # Errors
    /// As [`TableWriter::commit_unless`].
    pub fn commit_all(&self, writers: &mut [&mut TableWriter], kill: &dyn Fn() -> bool) -> Result<Lsn> {
        if writers.is_empty() {
            return Ok(self.visible());
        }
        commit::commit(writers, kill)
    }

    /// Waits until `lsn` is as durable as the setting asks. Call it after the locks are released, before acknowledging.
    ///
    /// # Errors
    /// `Poisoned`, `Io`: the change must not be acknowledged.
    pub fn wait_durable(&self, lsn: Lsn) -> Result<()> {
        self.core.wait_durable(lsn, self.core.durability())
    }

    /// As [`Store::wait_durable`], for a session with a setting of its own.
    ///
    /// # Errors
    /// As `wait_durable`.
    pub fn wait_durable_as(&self, lsn: Lsn, durability: Durability) -> Result<()> {
        self.core.wait_durable(lsn, durability)
    }

    /// As [`Store::wait_durable_as`] for a caller that has other things to do: true when `lsn` is as durable as asked. Otherwise
    /// a sync for other commits runs, and `then` is called after a later one, from another thread.
    ///
    /// # Errors
    /// As `wait_durable`; `then` is not called.
    pub fn when_durable(
        &self,
        lsn: Lsn,
        durability: Durability,
        then: &Arc<dyn Acknowledge>,
    ) -> Result<bool> {
        self.core.when_durable(lsn, durability, then)
    }

    /// Bytes that the journal takes on disk, what is prepared for later not counted.
    pub fn journal_used(&self) -> u64 {
        self.core.journal.used()
    }

    /// Makes everything committed so far durable, whatever the setting.
    ///
    /// # Errors
    /// `Poisoned`, `Io`.
    pub fn sync_journal(&self) -> Result<()> {
        self.core.journal.sync_to(self.core.journal.appended())
    }

    /// Makes ready what the journal needs next, as the background does twice a second.
    ///
    /// # Errors
    /// `DiskFull`, `Io`.
    pub fn prepare_journal(&self) -> Result<()> {
        self.core.journal.prepare()
    }

    /// What old versions take, which running statements still see.
    pub fn version_usage(&self) -> VersionUsage {
        self.core.versions.usage()
    }

    /// Changes the budget of old versions: bytes of memory, and bytes of the file that takes what goes beyond.
    pub fn set_version_limits(&self, memory: u64, spill: u64) {
        self.core.versions.set_limits(memory, spill);
    }

    /// A cache for pages of table files, with so many bytes. Tables are assigned to it.
    pub fn block_cache(&self, budget: u64) -> Arc<BlockCache> {
        self.core.caches.make(budget)
    }

    /// From now on tables are assigned to caches by these rules; without, they are read in their mappings and belong to none. False
    /// when there are others already.
    pub fn assign_by(&self, assignment: Arc<dyn Assignment>) -> bool {
        self.assignment.set(assignment).is_ok()
    }

    /// The rules have changed: assigns all open tables again.
    pub fn reassign(&self) {
        if let Some(assignment) = self.assignment.get() {
            self.tables.all().iter().for_each(|table| assignment.assign(table));
        }
    }

    /// Gives a cache another budget: what is too much is freed as soon as nobody looks at it. The most it has held counts from now.
    pub fn set_cache_budget(&self, cache: &BlockCache, budget: u64) {
        cache.set_budget(&self.core.registry, budget);
    }

    /// What was asked of the indexes that belong to a cache, and how many of their pages are not written yet.
    pub fn cache_counts(&self, cache: &Arc<BlockCache>) -> (PageCounts, u64) {
        let of_tables = self.tables.all();
        let of_tables = of_tables.iter().filter_map(|table| table.counts_for(cache));
        of_tables.fold((cache.left(), 0), |(sum, dirty), (counts, more)| (sum.plus(counts), dirty + more))
    }

    /// Frees old versions that no running statement sees any more, of all tables that nobody writes to just now, and gives up
    /// the files of closed tables that nobody reads any more. The background does so by itself.
    pub fn prune_versions(&self) {
        self.tables.release_closed();
        sweep(&self.core, &self.tables.all(), true);
    }

    /// Carries out creations, renames and removals of files so that a crash leaves all of them done or none. Durable on
    /// return. Tables concerned must be detached.
    ///
    /// # Errors
    /// `Io`, `DiskFull`: nothing was changed. `Unfinished`: it is decided and will be done, nobody sees the half. `Poisoned`, or
    /// an `Io` that poisons: nothing changes before the next start, which decides.
    pub fn apply(&self, plan: FilePlan) -> Result<()> {
        files::apply(&self.core, plan, &[]).result()
    }

    /// Closes tables for good and carries out `plan`, which normally removes or replaces their files (DROP of several tables
    /// or of a database): all of it or none. Changes not yet written back are forgotten.
    ///
    /// # Errors
    /// As [`Store::apply`]; the tables are open for all again when nothing was changed.
    pub fn discard_all(&self, guards: Vec<ExclusiveGuard>, plan: FilePlan) -> Result<()> {
        let mut guards = guards;
        let mut tables = Vec::with_capacity(guards.len());
        for guard in &mut guards {
            guard.writer().rollback();
            tables.push(guard.table().clone());
        }
        let outcome = files::apply(&self.core, plan, &tables);
        if let Outcome::Decided(_) = outcome {
            for writer in guards.into_iter().filter_map(ExclusiveGuard::into_writer) {
                self.close(writer);
            }
        }
        outcome.result()
    }

    /// Removes a folder of the data directory with all that is in it. Nothing of it may be in use.
    ///
    /// # Errors
    /// `Io`.
    pub fn remove_folder(&self, path: &Path) -> Result<()> {
        files::remove_tree(&*self.core.storage, &self.core.datadir.join(path), true)
    }

    /// Puts new files, whose header is `spec.state`, in the place of a table's (TRUNCATE, DELETE of all rows, a rebuilt
    /// table): atomic and durable. Running readers keep the old files; the old handle is `Stale` for everybody else, those who
    /// wait for its write lock included. `plan` creates `base.MYI` and `base.MYD`, or renames built files to them.
    ///
    /// # Errors
    /// As [`Store::apply`] and [`Store::attach`]; when the plan fails the old files are untouched.
    pub fn replace_generation(
        &self,
        mut writer: TableWriter,
        plan: FilePlan,
        spec: TableSpec,
    ) -> Result<Arc<PagedTable>> {
        writer.rollback();
        let old = writer.table().clone();
        let result = match files::apply(&self.core, plan, std::slice::from_ref(&old)) {
            Outcome::Refused(e) => return Err(e),
            Outcome::Decided(result) => result,
        };
        let mut tables = self.tables.by_base.lock();
        close(writer);
        if tables.get(&old.base).is_some_and(|known| Arc::ptr_eq(known, &old)) {
            tables.remove(&old.base);
        }
        let attached = result.and_then(|()| self.attach_locked(&mut tables, spec));
        drop(tables);
        self.tables.closed(&old);
        attached
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.stop_threads();
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("datadir", &self.core.datadir).finish_non_exhaustive()
    }
}

fn spawn(
    name: &str,
    core: &Arc<Core>,
    tables: &Arc<Tables>,
    body: fn(&Core, &Tables),
) -> Result<JoinHandle<()>> {
    let (core, tables) = (core.clone(), tables.clone());
    let path = core.datadir.clone();
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || body(&core, &tables))
        .map_err(|e| Error::io(path, "start a thread for", e))
}

/// Keeps a segment ready, and syncs each second.
fn journal_thread(core: &Core) {
    let mut last = Instant::now();
    let mut warned = false;
    loop {
        let prepared = core.journal.prepare();
        if let Err(e) = &prepared
            && !warned
        {
            tracing::warn!("preparing a journal segment: {e}");
        }
        warned = prepared.is_err();
        core.journal.await_request(TICK);
        if core.stopped() {
            return;
        }
        if last.elapsed() < TICK {
            continue;
        }
        last = Instant::now();
        if let Err(e) = core.journal.sync_to(core.due()) {
            tracing::error!("syncing the journal: {e}");
        }
    }
}

/// Frees old versions of tables that nobody writes to.
fn prune_thread(core: &Core, tables: &Tables) {
    let (usual, soon) = (Duration::from_secs(1), Duration::from_millis(10));
    let (mut pause, mut tries) = (usual, 0);
    while core.versions.sleep(pause).is_some() {
        tables.release_closed();
        core.caches.tidy_up(&core.registry);
        // Long statements may not commit for long: after a second others are looked at, too.
        if sweep(core, &tables.all(), false) {
            (pause, tries) = (usual, 0);
        } else if tries == 100 {
            core.versions.sweep_done(core.versions.evictions());
            (pause, tries) = (usual, 0);
        } else {
            (pause, tries) = (soon, tries + 1);
        }
    }
}

/// Checkpoints by time and size.
fn checkpoint_thread(core: &Core, tables: &Tables) {
    let mut last = core.now();
    let interval = core.options.checkpoint_interval;
    let idle = core.options.idle_after;
    let tick = interval.min(idle).clamp(Duration::from_millis(10), Duration::from_secs(1));
    loop {
        if core.sleep(tick).is_none() {
            return;
        }
        files::retry(core);
        let now = core.now();
        let idle_since = now.saturating_sub(idle.as_millis() as u64);
        let all = tables.all();
        let idle_tables = all.iter().any(|table| {
            table.guarded.load(Ordering::Acquire) && table.last_commit.load(Ordering::Relaxed) <= idle_since
        });
        let due = Duration::from_millis(now - last) >= interval;
        if !(due || core.checkpoint_wanted() || idle_tables) {
            continue;
        }
        drop(all);
        last = now;
        let stopped = || core.stopped();
        let wait_limit = WaitLimit::new(Duration::MAX, &stopped);
        if let Err(e) = checkpoint(core, || tables.all(), Some(idle_since), &wait_limit) {
            if !matches!(e.kind(), ErrorKind::LockTimeout | ErrorKind::Killed) {
                tracing::error!("checkpoint: {e}");
            }
            // Asked for again at once it would fail again.
            core.pause(RETRY);
        }
    }
}

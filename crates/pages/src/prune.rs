//! Pruning: old versions leave their chains as soon as no live snapshot needs them, move to the spill file past the
//! budget, and are freed after a grace period.
#![allow(unsafe_code)]

use std::collections::{HashMap, VecDeque};
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

use crate::budget::{CHUNK, HOLDER};
use crate::commit::WriterCore;
use crate::core::Core;
use crate::file::OldView;
use crate::map::ReadMap;
use crate::options::Lsn;
use crate::prefetch;
use crate::registry::{Grace, Live};
use crate::table::{Chains, PagedTable, Place, Retired, Superseded};
use crate::version::{Frame, HEADER, Version};
use crate::work::Pool;

/// Commits of a table between two prunings.
const PRUNE_EVERY: u32 = 16;
/// Bytes of superseded versions that make it prune earlier.
const PRUNE_BYTES: usize = 1 << 20;
/// What a list entry of a held version takes, beside the version.
const ENTRY: usize = size_of::<Superseded>();
/// A table without a commit for so long is pruned by the background.
const QUIET: Duration = Duration::from_millis(500);

/// The old versions of a table, and those already unlinked. Goes with the write lock.
#[derive(Default)]
pub(crate) struct OldVersions {
    /// Not looked at yet.
    superseded: Vec<Superseded>,
    superseded_bytes: usize,
    commits: u32,
    /// Needed by a live snapshot when last looked at; bytes in memory.
    held: Vec<Superseded>,
    /// The same, bytes in the spill file or in the table file.
    elsewhere: Vec<Superseded>,
    /// Memory held by the two lists, and how much of it has been reported to the store.
    memory: u64,
    reported: u64,
    /// Bytes of `elsewhere` in statements' spill files, and how many have been reported to the store.
    foreign: u64,
    reported_foreign: u64,
    /// The table is registered with the store as a holder of many old versions.
    holder: bool,
    held_for: Live,
    held_credit: usize,
    evictions: u64,
    live: Live,
    retired: Vec<NonNull<Version>>,
    graces: VecDeque<Batch>,
    buffer: Vec<u8>,
}

/// Unlinked versions and views, to be freed when the grace has passed.
struct Batch {
    grace: Grace,
    memory: u64,
    versions: Vec<NonNull<Version>>,
    views: Vec<OldView>,
}

/// Why versions could not leave memory.
enum Room {
    Enough,
    Full,
}

/// How far a look at the old versions of a table goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// At what is new; again at what was held when that pays.
    New,
    /// At all.
    All,
    /// At all, and nothing is done about the budget.
    AllButBudget,
}

impl OldVersions {
    /// A version was replaced at `until`. Under the chain lock.
    pub(crate) fn superseded(&mut self, place: Place, version: NonNull<Version>, until: Lsn) {
        // SAFETY: the version is in its chain, which only the holder of both locks, the caller, cuts.
        self.superseded_bytes += unsafe { version.as_ref() }.len();
        self.superseded.push(Superseded { place, version, until });
    }

    /// An unlinked version.
    pub(crate) fn retire(&mut self, version: NonNull<Version>) {
        self.retired.push(version);
    }

    /// Counts a commit. True: it is time to prune.
    pub(crate) fn committed(&mut self) -> bool {
        self.commits += 1;
        self.commits >= PRUNE_EVERY || self.superseded_bytes >= PRUNE_BYTES
    }

    /// Frees what was unlinked, when the table is dropped and nobody can look.
    pub(crate) fn free(&mut self, core: &Core, id: u32, copied: u64) {
        core.versions.account(self.reported + copied, 0);
        core.versions.account_foreign(self.reported_foreign, 0);
        core.versions.account_waiting(self.graces.iter().map(|batch| batch.memory).sum(), 0);
        if self.holder {
            core.versions.set_holder(id, false);
        }
        let batches = self.graces.drain(..).flat_map(|batch| batch.versions);
        for version in batches.chain(self.retired.drain(..)) {
            // SAFETY: unlinked; the table is being dropped, so nobody holds a pointer.
            drop(unsafe { Frame::from_raw(version) });
        }
    }

    /// Frees unlinked versions whose grace has passed.
    fn reclaim(&mut self, table: &PagedTable, chains: &mut Chains, pool: &mut Pool) {
        self.retired.extend(chains.retired.drain(..).map(|retired| retired.0));
        if !self.retired.is_empty() || !chains.old_views.is_empty() {
            let grace = table.core.registry.grace();
            let versions = std::mem::take(&mut self.retired);
            // SAFETY: unlinked, and freed below only.
            let memory = versions.iter().map(|version| unsafe { version.as_ref() }.memory() as u64).sum();
            let views = std::mem::take(&mut chains.old_views);
            table.core.versions.account_waiting(0, memory);
            self.graces.push_back(Batch { grace, memory, versions, views });
        }
        while let Some(batch) = self.graces.front_mut() {
            if !batch.grace.passed() {
                break;
            }
            let Some(Batch { mut versions, views, memory, .. }) = self.graces.pop_front() else { break };
            table.core.versions.account_waiting(memory, 0);
            for version in versions.drain(..) {
                // SAFETY: unlinked before the grace period, which has passed; and we are the holder of the write lock, the only
                // other one who might have looked.
                pool.give(unsafe { Frame::from_raw(version) });
            }
            if self.retired.capacity() == 0 {
                self.retired = versions;
            }
            drop(views);
        }
    }

    /// See [`WriterCore::prune`].
    fn prune(&mut self, table: &PagedTable, chains: &mut Chains, pool: &mut Pool, look: Look) {
        let core = &table.core;
        self.commits = 0;
        self.superseded_bytes = 0;
        if !chains.replaced.is_empty() {
            self.replace(&std::mem::take(&mut chains.replaced));
        }
        self.superseded.append(&mut chains.copied);
        self.reported += std::mem::take(&mut chains.copied_memory);
        if !(self.superseded.is_empty() && self.held.is_empty() && self.elsewhere.is_empty()) {
            let evictions = core.versions.evictions();
            let thorough = look != Look::New || self.evictions != evictions;
            self.evictions = evictions;
            core.registry.live(table.id, &core.visible, &mut self.live);
            let looked = (thorough, self.live.horizon());
            self.rescan(table, thorough);
            self.report_usage(table);
            if thorough {
                table.evictions_seen.store(evictions, Ordering::Relaxed);
                if !core.options.background {
                    core.versions.sweep_done(evictions);
                }
            }
            if look != Look::AllButBudget && (core.versions.excess() > 0 || core.versions.too_much_foreign())
            {
                self.enforce_budget(table, chains, pool, looked);
            }
        }
        self.report_usage(table);
        self.reclaim(table, chains, pool);
        let holds = self.memory > 0 || !self.graces.is_empty();
        if table.holds.load(Ordering::Relaxed) != holds {
            table.holds.store(holds, Ordering::Relaxed);
        }
    }

    /// The checkpoint has put copies into the places of mapped versions.
    fn replace(&mut self, replaced: &HashMap<usize, Retired>) {
        let mut moved = Vec::new();
        for old in self.superseded.iter_mut().chain(&mut self.elsewhere) {
            if let Some(copy) = replaced.get(&old.version.addr().get()) {
                old.version = copy.0;
            }
        }
        // Copies in memory count as such.
        self.elsewhere.retain(|old| {
            // SAFETY: in its chain.
            let own = unsafe { old.version.as_ref() }.is_own();
            if own {
                moved.push(*old);
            }
            !own
        });
        for old in moved {
            self.memory -= (HEADER + ENTRY) as u64;
            self.keep(old);
        }
    }

    fn report_usage(&mut self, table: &PagedTable) {
        if self.reported != self.memory {
            table.core.versions.account(self.reported, self.memory);
            self.reported = self.memory;
        }
        if self.reported_foreign != self.foreign {
            table.core.versions.account_foreign(self.reported_foreign, self.foreign);
            self.reported_foreign = self.foreign;
        }
        if self.holder != (self.memory + self.foreign >= HOLDER) {
            self.holder = !self.holder;
            table.core.versions.set_holder(table.id, self.holder);
        }
    }

    /// Looks at what was superseded, and again at what was held: always when `thorough`, else when as much has come new that
    /// the cost is shared, and the snapshots are others.
    fn rescan(&mut self, table: &PagedTable, thorough: bool) {
        self.held_credit += self.superseded.len();
        let mut fresh = std::mem::take(&mut self.superseded);
        for at in 0..fresh.len() {
            prefetch_chains(table, &fresh[at..]);
            self.prune_one(table, fresh[at]);
        }
        fresh.clear();
        self.superseded = fresh;
        let kept = self.held.len() + self.elsewhere.len();
        if kept > 0 && (thorough || self.held_credit * 8 >= kept && !self.live.same(&self.held_for)) {
            self.held_credit = 0;
            (self.memory, self.foreign) = (0, 0);
            let (held, elsewhere) = (std::mem::take(&mut self.held), std::mem::take(&mut self.elsewhere));
            for old in held.into_iter().chain(elsewhere) {
                self.prune_one(table, old);
            }
            std::mem::swap(&mut self.held_for, &mut self.live);
        }
    }

    fn keep(&mut self, old: Superseded) {
        // SAFETY: in its chain.
        let version = unsafe { old.version.as_ref() };
        self.memory += (version.memory() + ENTRY) as u64;
        self.foreign += foreign_len(version);
        if version.is_own() { self.held.push(old) } else { self.elsewhere.push(old) }
    }

    fn prune_one(&mut self, table: &PagedTable, old: Superseded) {
        // SAFETY: a superseded version is in its chain until it is cut below, under write and chain lock.
        let version = unsafe { old.version.as_ref() };
        if self.live.needs(version.lsn(&table.cell), old.until) {
            self.keep(old);
            return;
        }
        match newer_than(table, &old) {
            Some(newer) => {
                newer.set_prev(version.prev());
                self.retired.push(old.version);
            }
            None => debug_assert!(false, "a superseded version has left its chain by itself"),
        }
    }

    /// Past the budget: moves versions to the spill file; when that is full, gives the oldest snapshot up. `looked`: whether all
    /// was looked at, and the newest commit that was visible then.
    fn enforce_budget(
        &mut self,
        table: &PagedTable,
        chains: &mut Chains,
        pool: &mut Pool,
        looked: (bool, Lsn),
    ) {
        let (thorough, mut before) = looked;
        let core = &table.core;
        if self.is_within_limits(table) || !core.versions.may_evict() {
            return;
        }
        if !thorough && core.registry.oldest(before, |slot| core.versions.is_holder(slot)).is_some() {
            // What readers that have ended left behind counts until it is looked at again: nobody is given up for that.
            core.registry.live(table.id, &core.visible, &mut self.live);
            before = self.live.horizon();
            self.rescan(table, true);
            self.report_usage(table);
            self.reclaim(table, chains, pool);
            if self.is_within_limits(table) {
                return;
            }
        }
        if evict_oldest_snapshot(core, before) {
            core.registry.live(table.id, &core.visible, &mut self.live);
            self.rescan(table, true);
        }
    }

    /// Moves versions to the spill file as the budget wants it. False: too much is left all the same.
    fn is_within_limits(&mut self, table: &PagedTable) -> bool {
        let versions = &table.core.versions;
        let room = if versions.excess() > 0 { self.spill(table) } else { Room::Enough };
        self.report_usage(table);
        matches!(room, Room::Enough) && !versions.beyond_help() && !versions.too_much_foreign()
    }

    /// Moves versions to the spill file, the longest superseded first, to an eighth below the budget.
    fn spill(&mut self, table: &PagedTable) -> Room {
        let core = &table.core;
        let goal = core.versions.excess() + core.versions.step();
        let (mut done, mut freed) = (0, 0);
        let mut result = Room::Enough;
        let held = std::mem::take(&mut self.held);
        while freed < goal && done < held.len() {
            self.buffer.clear();
            let first = done;
            while let Some(old) = held.get(done) {
                // SAFETY: in its chain; the bytes of a superseded version are not written any more.
                let bytes = unsafe { old.version.as_ref().slice(0, old.version.as_ref().len()) };
                if done > first && self.buffer.len() + bytes.len() > CHUNK {
                    break;
                }
                self.buffer.extend_from_slice(bytes);
                done += 1;
            }
            let room = core.versions.room(&*core.storage, &core.datadir, self.buffer.len());
            let filled = room.and_then(|room| match room {
                Some(room) => core.versions.fill(&room, &self.buffer).map(|()| Some(room)),
                None => Ok(None),
            });
            let room = match filled {
                Ok(Some(room)) => room,
                other => {
                    if let Err(e) = other {
                        tracing::error!("writing old versions to the spill file: {e}");
                    }
                    done = first;
                    result = Room::Full;
                    break;
                }
            };
            let mut at = 0;
            for old in &held[first..done] {
                // SAFETY: in its chain.
                let version = unsafe { old.version.as_ref() };
                // SAFETY: the room is filled, and written again only when all versions that keep its segment are gone.
                let new = unsafe { Frame::elsewhere(room.place(at), version.len(), room.keeper()) };
                let Some(new) = NonNull::new(new) else { continue };
                at += version.len();
                // SAFETY: ours until it is linked.
                let header = unsafe { new.as_ref() };
                header.resolve(version.lsn(&table.cell));
                header.set_prev(version.prev());
                let before = version.memory() + ENTRY;
                match newer_than(table, old) {
                    Some(newer) => newer.set_prev(new.as_ptr()),
                    None => debug_assert!(false, "a superseded version has left its chain by itself"),
                }
                self.retired.push(old.version);
                self.memory -= before as u64;
                freed += before as u64;
                self.keep(Superseded { place: old.place, version: new, until: old.until });
            }
        }
        self.held.extend(held.into_iter().skip(done));
        result
    }
}

/// Bytes of a version that lie in the spill file of a statement: they keep the file's room when its pages have come home.
fn foreign_len(version: &Version) -> u64 {
    version.keeper().filter(|keeper| keeper.is::<ReadMap>()).map_or(0, |_| version.len() as u64)
}

/// Where the newest version of a page stands. Under the chain lock.
fn slot_of(table: &PagedTable, place: Place) -> Option<&AtomicPtr<Version>> {
    match place {
        Place::State => Some(&table.state),
        // SAFETY: the chain lock is held.
        Place::Page(file, page) => unsafe { table.file(file).view() }.slot(page),
    }
}

/// Fetches what pruning will look at soon: of many pages that a statement has changed it is in no cache any more.
fn prefetch_chains(table: &PagedTable, coming: &[Superseded]) {
    const SLOT: usize = 16;
    const NEWEST: usize = 8;
    if let Some(old) = coming.get(SLOT) {
        prefetch::line(old.version.as_ptr());
        slot_of(table, old.place).into_iter().for_each(|slot| prefetch::line(slot));
    }
    if let Some(slot) = coming.get(NEWEST).and_then(|old| slot_of(table, old.place)) {
        prefetch::line(slot.load(Ordering::Relaxed));
    }
}

/// The version whose link leads to this one. Under write and chain lock.
fn newer_than<'a>(table: &'a PagedTable, old: &Superseded) -> Option<&'a Version> {
    let mut at = slot_of(table, old.place).map_or(ptr::null_mut(), |slot| slot.load(Ordering::Relaxed));
    // SAFETY: versions in a chain live while the write lock is held.
    while let Some(newer) = unsafe { at.as_ref() } {
        if newer.prev() == old.version.as_ptr() {
            return Some(newer);
        }
        at = newer.prev();
    }
    None
}

/// Evicts the oldest snapshot below commit `before` that may be holding old versions, once the spill file is full. `before` was
/// visible before that was found out: the limits may have been raised since, and whoever begins then is not to pay for it.
/// False if there is none, or if an earlier eviction is not finished yet.
fn evict_oldest_snapshot(core: &Core, before: u64) -> bool {
    if !core.versions.may_evict() {
        return false;
    }
    let Some(lsn) = core.registry.evict(before, |slot| core.versions.is_holder(slot)) else {
        return false;
    };
    tracing::warn!(
        "the snapshot of commit {lsn} is given up: old versions take {:?}, more than version_cache_size and \
         version_spill_size allow",
        core.versions.usage()
    );
    core.versions.evicted();
    true
}

/// A copy of bytes of a base page for old snapshots: in memory, or in the spill file when memory is beyond the budget.
pub(crate) fn keep_copy(core: &Core, bytes: &[u8], len: usize) -> Option<NonNull<Version>> {
    let before = core.visible.load(Ordering::Acquire);
    if core.versions.excess() > 0 {
        let mut whole = bytes.to_vec();
        whole.resize(len, 0);
        let room = core.versions.room(&*core.storage, &core.datadir, len);
        if let Ok(Some(room)) = room
            && core.versions.fill(&room, &whole).is_ok()
        {
            // SAFETY: as in `spill`.
            return NonNull::new(unsafe { Frame::elsewhere(room.place(0), len, room.keeper()) });
        }
        // This copy is made all the same; the next look at the snapshots sees one less.
        evict_oldest_snapshot(core, before);
    }
    let mut frame = Frame::new(len);
    frame.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
    NonNull::new(frame.into_raw())
}

impl WriterCore {
    /// Cuts versions that no live snapshot sees out of their chains.
    pub(crate) fn prune(&mut self, table: &PagedTable, chains: &mut Chains, look: Look) {
        self.old.prune(table, chains, &mut self.pool, look);
    }
}

/// Prunes tables that nobody writes to: their readers have ended, or a snapshot was given up. False: a table is being written
/// to that has not followed yet; it will at its next commit.
pub(crate) fn sweep(core: &Core, tables: &[Arc<PagedTable>], all: bool) -> bool {
    let before = core.visible.load(Ordering::Acquire);
    let urgent =
        all || core.versions.excess() > 0 || core.versions.too_much_foreign() || core.versions.faulted();
    if core.versions.faulted() {
        // Nobody is served from that file any more; when it is empty it is closed, and the fault forgotten.
        evict_oldest_snapshot(core, before);
    }
    let evictions = core.versions.evictions();
    // Nobody is given up for what the next table holds without need.
    let mut followed = round(core, tables, Look::AllButBudget, urgent);
    if core.versions.excess() > 0 || core.versions.too_much_foreign() {
        followed &= round(core, tables, Look::All, true);
    }
    if followed {
        core.versions.sweep_done(evictions);
    }
    core.versions.tidy_up();
    followed
}

/// A look at the old versions of the tables that nobody writes to. False: one that is written to has not followed yet.
fn round(core: &Core, tables: &[Arc<PagedTable>], look: Look, urgent: bool) -> bool {
    let evictions = core.versions.evictions();
    let quiet = core.now().saturating_sub(QUIET.as_millis() as u64);
    let mut followed = true;
    for table in tables.iter().filter(|table| table.holds.load(Ordering::Relaxed)) {
        let behind = table.evictions_seen.load(Ordering::Relaxed) < evictions;
        if !(urgent || behind || table.last_commit.load(Ordering::Relaxed) <= quiet) {
            continue;
        }
        match table.queue.try_acquire() {
            Some(mut writer) => {
                writer.prune(table, &mut table.chains.lock(), look);
                table.queue.release(writer);
            }
            None => followed &= !behind,
        }
    }
    followed
}

/// Before copies of base pages are made: what readers that have ended left behind shall not be what there is no room for.
pub(crate) fn make_room(core: &Core, tables: &[Arc<PagedTable>]) {
    if core.versions.excess() > 0 {
        round(core, tables, Look::AllButBudget, true);
    }
}

//! The protocols together, under `shuttle`: a writer that commits, prunes, spills and gives snapshots up, a checkpoint that
//! overwrites base pages and lets them stand for versions, and readers beside them, in many random schedules.
//! `RUSTFLAGS="--cfg loom --cfg shuttle" cargo test --release -p isambard-pages --lib scenarios`.
//!
//! Registry, pins and versions are the real ones; what `prune.rs` and `base.rs` do with tables is written again here in small.
//! It sees sequentially consistent orders only: missing fences are the business of `models.rs`. Each scenario can do one thing
//! wrong, and a test demands that this is noticed.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64 as Plain, Ordering::Relaxed};

use shuttle::rand::Rng;
use shuttle::sync::Mutex;
use shuttle::thread;

use crate::registry::{Grace, Live, Registry, Slot};
use crate::sync::{AtomicPtr, AtomicU64, Ordering};
use crate::version::{self, Frame, UNRESOLVED, Version};

const TABLE: u32 = 1;
const PAGES: usize = 2;
const COMMITS: u64 = 8;
const CHECKPOINTS: usize = 6;
const READERS: usize = 2;
/// The content of a version that the base page stands for.
const STANDING: u64 = u64::MAX;
/// Held versions in memory, and in the spill file.
const BUDGET: usize = 2;
const SPILL: usize = 1;

/// What is done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    None,
    /// Versions are freed as soon as they are unlinked.
    FreeAtOnce,
    /// Versions are cut though a snapshot needs them.
    CutNeeded,
    /// A base page is overwritten without a copy.
    NoBaseCopy,
    /// A base page is overwritten while readers may look at it.
    NoBaseGrace,
    /// A base page is overwritten though it stands for a version.
    StandingForgotten,
    /// The list of old versions does not learn of the copy of a standing one.
    NotTold,
    /// A spilled copy does not lead to what was before.
    SpillCutsChain,
    /// A reader does not look whether it was given up.
    NotChecked,
    /// A written page leaves its slot though older versions hang behind it.
    ClearedWithChain,
}

struct Page {
    slot: AtomicPtr<Version>,
    base: Plain,
    /// Commits that changed it.
    history: std::sync::Mutex<Vec<u64>>,
}

#[derive(Clone, Copy)]
struct Old {
    page: usize,
    version: *mut Version,
    until: u64,
    spilled: bool,
}

#[derive(Default)]
struct Chains {
    superseded: Vec<Old>,
    held: Vec<Old>,
    copied: Vec<Old>,
    replaced: HashMap<usize, *mut Version>,
    retired: Vec<*mut Version>,
    graces: Vec<(Grace, Vec<*mut Version>)>,
    dirty: Vec<usize>,
}

struct World {
    bug: Bug,
    registry: Registry,
    visible: AtomicU64,
    cell: AtomicU64,
    pages: [Page; PAGES],
    chains: Mutex<Chains>,
    frames: std::sync::Mutex<Vec<*mut Version>>,
    given_up: Plain,
    spilled: Plain,
    stood: Plain,
}

// SAFETY: shuttle runs the threads one at a time; pointers lead to frames that live until the world ends.
unsafe impl Send for World {}
// SAFETY: as above.
unsafe impl Sync for World {}
// SAFETY: as above.
unsafe impl Send for Chains {}

fn header<'a>(version: *mut Version) -> Option<&'a Version> {
    // SAFETY: frames live until the world ends.
    unsafe { version.as_ref() }
}

impl World {
    fn new(bug: Bug) -> World {
        World {
            bug,
            registry: Registry::new(),
            visible: AtomicU64::new(0),
            cell: AtomicU64::new(UNRESOLVED),
            pages: std::array::from_fn(|_| Page {
                slot: AtomicPtr::new(ptr::null_mut()),
                base: Plain::new(0),
                history: std::sync::Mutex::new(vec![0]),
            }),
            chains: Mutex::default(),
            frames: std::sync::Mutex::default(),
            given_up: Plain::new(0),
            spilled: Plain::new(0),
            stood: Plain::new(0),
        }
    }

    fn version(&self, content: u64) -> *mut Version {
        let mut frame = Frame::new(8);
        frame.bytes_mut().copy_from_slice(&content.to_le_bytes());
        let raw = frame.into_raw();
        self.frames.lock().unwrap().push(raw);
        raw
    }

    fn content(&self, page: usize, version: &Version) -> u64 {
        // SAFETY: frames live until the world ends.
        let bytes = unsafe { version.slice(0, 8) };
        match u64::from_le_bytes(bytes.try_into().unwrap()) {
            STANDING => self.pages[page].base.load(Relaxed),
            content => content,
        }
    }

    /// As a reader does: finds, then looks for a while.
    fn read(&self, page: usize, snapshot: u64) -> u64 {
        let head = self.pages[page].slot.load(Ordering::Acquire);
        // SAFETY: frames live until the world ends.
        let found = unsafe { version::find(head, snapshot, &self.cell) };
        thread::yield_now();
        match found {
            Some(version) => {
                assert!(!version.freed.load(Relaxed), "bytes of a freed version are read");
                self.content(page, version)
            }
            None => self.pages[page].base.load(Relaxed),
        }
    }

    fn expected(&self, page: usize, snapshot: u64) -> u64 {
        *self.pages[page].history.lock().unwrap().iter().rfind(|&&commit| commit <= snapshot).unwrap()
    }

    fn reader(&self, slot: &Slot) {
        for _ in 0..2 {
            slot.announce([TABLE].into_iter());
            let snapshot = self.visible.load(Ordering::Acquire);
            slot.begun(snapshot);
            for look in 0..5 {
                if look > 0 {
                    slot.pin();
                }
                if slot.is_evicted(snapshot) && self.bug != Bug::NotChecked {
                    slot.unpin();
                    break;
                }
                for page in 0..PAGES {
                    assert_eq!(
                        self.read(page, snapshot),
                        self.expected(page, snapshot),
                        "page {page} at {snapshot}"
                    );
                }
                slot.unpin();
            }
            slot.end();
        }
    }

    fn live(&self) -> Live {
        let mut live = Live::default();
        self.registry.live(TABLE, &self.visible, &mut live);
        live
    }

    fn writer(&self) {
        for commit in 1..=COMMITS {
            let mut chains = self.chains.lock().unwrap();
            self.cell.store(UNRESOLVED, Ordering::Release);
            let mut new = Vec::new();
            for page in 0..PAGES {
                if page as u64 != commit % PAGES as u64 && shuttle::rand::thread_rng().gen_bool(0.5) {
                    continue;
                }
                let version = self.version(commit);
                let before = self.pages[page].slot.load(Ordering::Relaxed);
                header(version).unwrap().set_prev(before);
                self.pages[page].slot.store(version, Ordering::Release);
                if !before.is_null() {
                    chains.superseded.push(Old { page, version: before, until: commit, spilled: false });
                }
                if !chains.dirty.contains(&page) {
                    chains.dirty.push(page);
                }
                self.pages[page].history.lock().unwrap().push(commit);
                new.push(version);
            }
            self.cell.store(commit, Ordering::Release);
            self.visible.store(commit, Ordering::Release);
            for version in new {
                header(version).unwrap().resolve(commit);
            }
            self.prune(&mut chains);
        }
    }

    /// As `prune.rs`.
    fn prune(&self, chains: &mut Chains) {
        let replaced = std::mem::take(&mut chains.replaced);
        if self.bug != Bug::NotTold {
            for old in chains.superseded.iter_mut().chain(&mut chains.held) {
                if let Some(&copy) = replaced.get(&old.version.addr()) {
                    old.version = copy;
                }
            }
        }
        let copied = std::mem::take(&mut chains.copied);
        chains.superseded.extend(copied);
        self.look(chains);
        let in_memory = |chains: &Chains| chains.held.iter().filter(|old| !old.spilled).count();
        while in_memory(chains) > BUDGET {
            if chains.held.iter().filter(|old| old.spilled).count() < SPILL {
                self.spill(chains);
            } else if self.registry.evict(self.visible.load(Ordering::Acquire), |_| true).is_some() {
                self.given_up.fetch_add(1, Relaxed);
                self.look(chains);
            } else {
                break;
            }
        }
        if !chains.retired.is_empty() {
            let retired = std::mem::take(&mut chains.retired);
            chains.graces.push((self.registry.grace(), retired));
        }
        let free = |versions: &[*mut Version]| {
            for &version in versions {
                header(version).unwrap().freed.store(true, Relaxed);
            }
        };
        chains.graces.retain_mut(|(grace, versions)| {
            if !grace.passed() && self.bug != Bug::FreeAtOnce {
                return true;
            }
            free(versions);
            false
        });
    }

    fn newer_than(&self, old: &Old) -> &Version {
        let mut at = self.pages[old.page].slot.load(Ordering::Relaxed);
        while let Some(newer) = header(at) {
            if newer.prev() == old.version {
                return newer;
            }
            at = newer.prev();
        }
        panic!("an old version has left its chain by itself");
    }

    fn look(&self, chains: &mut Chains) {
        let live = self.live();
        let mut all = std::mem::take(&mut chains.superseded);
        all.append(&mut chains.held);
        for old in all {
            let version = header(old.version).unwrap();
            if live.needs(version.lsn(&self.cell), old.until) && self.bug != Bug::CutNeeded {
                chains.held.push(old);
            } else {
                self.newer_than(&old).set_prev(version.prev());
                chains.retired.push(old.version);
            }
        }
    }

    fn spill(&self, chains: &mut Chains) {
        let Some(at) = chains.held.iter().position(|old| !old.spilled) else { return };
        let old = chains.held[at];
        let version = header(old.version).unwrap();
        // SAFETY: frames live until the world ends.
        let bytes = unsafe { version.slice(0, 8) };
        let copy = self.version(u64::from_le_bytes(bytes.try_into().unwrap()));
        let new = header(copy).unwrap();
        new.resolve(version.lsn(&self.cell));
        if self.bug != Bug::SpillCutsChain {
            new.set_prev(version.prev());
        }
        self.newer_than(&old).set_prev(copy);
        chains.retired.push(old.version);
        chains.held[at] = Old { version: copy, spilled: true, ..old };
        self.spilled.fetch_add(1, Relaxed);
    }

    fn is_standing(&self, version: &Version) -> bool {
        // SAFETY: frames live until the world ends.
        unsafe { version.slice(0, 8) == STANDING.to_le_bytes() }
    }

    /// As `base::keep`. True: wait for the pins of now.
    fn keep_base(&self, chains: &mut Chains, live: &Live, page: usize, head: *mut Version) -> bool {
        let base = self.pages[page].base.load(Relaxed);
        let (mut newer, mut stood, mut copied) = (header(head).unwrap(), false, false);
        while let Some(older) = header(newer.prev()) {
            let (from, until) = (older.lsn(&self.cell), newer.lsn(&self.cell));
            stood |= self.is_standing(older);
            if self.is_standing(older) && live.needs(from, until) && self.bug != Bug::StandingForgotten {
                let copy = self.version(base);
                let new = header(copy).unwrap();
                new.resolve(from);
                new.set_prev(older.prev());
                let old = newer.prev();
                newer.set_prev(copy);
                chains.replaced.insert(old.addr(), copy);
                chains.retired.push(old);
                newer = new;
                copied = true;
            } else {
                newer = older;
            }
        }
        let until = newer.lsn(&self.cell);
        if !stood && until != 0 && live.needs(0, until) && self.bug != Bug::NoBaseCopy {
            let copy = self.version(base);
            header(copy).unwrap().resolve(0);
            newer.set_prev(copy);
            chains.copied.push(Old { page, version: copy, until, spilled: false });
            copied = true;
        }
        copied
    }

    fn checkpoint(&self) {
        for _ in 0..CHECKPOINTS {
            let dirty = std::mem::take(&mut self.chains.lock().unwrap().dirty);
            let mut taken = Vec::new();
            let copied = {
                let mut chains = self.chains.lock().unwrap();
                let live = self.live();
                let mut copied = false;
                for page in dirty {
                    let head = self.pages[page].slot.load(Ordering::Relaxed);
                    let Some(version) = header(head) else { continue };
                    chains.dirty.retain(|&dirty| dirty != page);
                    if self.is_standing(version) {
                        continue;
                    }
                    taken.push((page, head, self.content(page, version)));
                    copied |= self.keep_base(&mut chains, &live, page, head);
                }
                copied
            };
            if copied && self.bug != Bug::NoBaseGrace {
                let mut grace = self.registry.grace();
                while !grace.passed() {
                    thread::yield_now();
                }
            }
            for &(page, _, content) in &taken {
                self.pages[page].base.store(content, Relaxed);
                thread::yield_now();
            }
            let mut chains = self.chains.lock().unwrap();
            let live = self.live();
            for (page, head, _) in taken {
                let slot = &self.pages[page].slot;
                if slot.load(Ordering::Relaxed) != head {
                    continue;
                }
                let version = header(head).unwrap();
                let needed = live.needs(0, version.lsn(&self.cell));
                if version.prev().is_null() && !needed || self.bug == Bug::ClearedWithChain {
                    slot.store(ptr::null_mut(), Ordering::Release);
                    chains.retired.push(head);
                } else if needed && !version.prev().is_null() {
                    let standing = self.version(STANDING);
                    let new = header(standing).unwrap();
                    new.resolve(version.lsn(&self.cell));
                    new.set_prev(version.prev());
                    slot.store(standing, Ordering::Release);
                    chains.retired.push(head);
                    self.stood.fetch_add(1, Relaxed);
                }
            }
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for raw in self.frames.lock().unwrap().drain(..).filter_map(NonNull::new) {
            // SAFETY: all threads have ended.
            drop(unsafe { Frame::from_raw(raw) });
        }
    }
}

/// What all schedules together made happen.
#[derive(Default)]
struct Happened {
    given_up: Plain,
    spilled: Plain,
    stood: Plain,
}

fn run(bug: Bug, schedules: usize, happened: &Arc<Happened>) {
    let happened = happened.clone();
    let mut config = shuttle::Config::new();
    config.silence_warnings = true;
    config.stack_size = 1 << 17;
    let runner = shuttle::Runner::new(shuttle::scheduler::RandomScheduler::new(schedules), config);
    runner.run(move || {
        let world = Arc::new(World::new(bug));
        let slots: Vec<_> = (0..READERS).map(|_| world.registry.claim().0).collect();
        let mut threads: Vec<_> = slots
            .into_iter()
            .map(|slot| {
                let world = world.clone();
                thread::spawn(move || world.reader(&slot))
            })
            .collect();
        let checkpoint = world.clone();
        threads.push(thread::spawn(move || checkpoint.checkpoint()));
        world.writer();
        for thread in threads {
            thread.join().unwrap();
        }
        for (all, one) in [
            (&happened.given_up, &world.given_up),
            (&happened.spilled, &world.spilled),
            (&happened.stood, &world.stood),
        ] {
            all.fetch_add(one.load(Relaxed), Relaxed);
        }
    });
}

fn schedules() -> usize {
    if std::env::var_os("ISAMBARD_SOAK").is_some() { 300_000 } else { 20_000 }
}

#[test]
fn scenarios_hold() {
    let happened = Arc::default();
    run(Bug::None, schedules(), &happened);
    let counts = [&happened.given_up, &happened.spilled, &happened.stood].map(|count| count.load(Relaxed));
    println!("snapshots given up, versions spilled, pages that base pages stood for: {counts:?}");
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn scenarios_notice_what_is_done_wrong() {
    let bugs = [
        Bug::FreeAtOnce,
        Bug::CutNeeded,
        Bug::NoBaseCopy,
        Bug::NoBaseGrace,
        Bug::StandingForgotten,
        Bug::NotTold,
        Bug::SpillCutsChain,
        Bug::NotChecked,
        Bug::ClearedWithChain,
    ];
    let noticed = |bug| std::thread::spawn(move || run(bug, 200_000, &Arc::default())).join().is_err();
    let missed: Vec<Bug> = bugs.into_iter().filter(|&bug| !noticed(bug)).collect();
    assert!(missed.is_empty(), "nobody notices {missed:?}");
}

//! Models of the protocols on which readers without locks stand, checked over all interleavings and all that weak memory
//! allows: `RUSTFLAGS="--cfg loom" cargo test --release -p isambard-pages --lib models`. `docs/decisions` has the list of the
//! injected bugs and of the model that catches each.
//!
//! They run the code of `registry.rs`, `version.rs` and `group.rs` itself. What a page's bytes would be is a cell that loom watches: reading it
//! while it is freed or overwritten is an error.
#![allow(unsafe_code)]

use std::ptr::{self, NonNull};
use std::sync::Arc as Shared;

use loom::cell::UnsafeCell;
use loom::thread;

use crate::blocks::{BlockCache, CachedBlocks};
use crate::group::{Acknowledge, Group, Outcome};
use crate::registry::{Live, Registry, Slot};
use crate::sync::{AtomicPtr, AtomicU32, AtomicU64, Ordering, Step, leave_out};
use crate::version::{self, Frame, UNRESOLVED, Version};

const TABLE: u32 = 1;
/// Number of a version whose content is that of the base page.
const STANDING: u8 = 0xff;

/// What a model itself does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    None,
    /// It does not wait for pins.
    NoGrace,
    /// It does not look for live snapshots.
    NoLook,
    /// The reader does not look whether it was given up.
    NoCheck,
    /// The pruner does not look whether one that was given up is pinned.
    NoPinLook,
    /// The block of a page is forgotten before nobody reads the page any more.
    ForgetEarly,
    /// The block of a page is forgotten when its slot is empty already.
    ForgetLate,
}

/// A page with up to three versions and a base; contents are watched.
struct Page {
    slot: AtomicPtr<Version>,
    base: UnsafeCell<u64>,
    contents: [UnsafeCell<u64>; 3],
}

struct World {
    registry: Registry,
    visible: AtomicU64,
    cell: AtomicU64,
    pages: [Page; 2],
    frames: std::sync::Mutex<Vec<usize>>,
    blocks: Shared<CachedBlocks>,
}

// SAFETY: the cells are what the models are about; loom reports wrong access.
unsafe impl Send for World {}
// SAFETY: as above.
unsafe impl Sync for World {}

impl World {
    fn new() -> Shared<World> {
        let page = || Page {
            slot: AtomicPtr::new(ptr::null_mut()),
            base: UnsafeCell::new(0),
            contents: std::array::from_fn(|_| UnsafeCell::new(0)),
        };
        Shared::new(World {
            registry: Registry::new(),
            visible: AtomicU64::new(0),
            cell: AtomicU64::new(UNRESOLVED),
            pages: [page(), page()],
            frames: std::sync::Mutex::default(),
            blocks: CachedBlocks::new(1),
        })
    }

    /// As `read`, where clean pages are read through a cache. The content of a block is its first byte.
    fn read_through(&self, cache: &Shared<BlockCache>, page: usize, snapshot: u64) -> u64 {
        if !self.pages[page].slot.load(Ordering::Acquire).is_null() {
            return self.read(page, snapshot);
        }
        let base = &self.pages[page].base;
        // SAFETY: the models read while they are pinned, and found the page clean.
        let block = unsafe {
            self.blocks.find(page as u64).or_else(|| {
                let of_page = (page as u64, 1);
                self.blocks.load(cache, &self.registry, of_page, |bytes| {
                    bytes[0] = base.with(|content| *content) as u8;
                    true
                })
            })
        };
        match block {
            Some(block) => u64::from(block.bytes()[0]),
            // SAFETY: as above.
            None => base.with(|content| unsafe { *content }),
        }
    }

    /// A version that the base page stands for.
    fn standing(&self, page: usize, value: u64) -> *mut Version {
        // SAFETY: loom checks that nobody else is at it.
        self.pages[page].base.with_mut(|content| unsafe { *content = value });
        self.frame(STANDING)
    }

    fn frame(&self, number: u8) -> *mut Version {
        let mut frame = Frame::new(1);
        frame.bytes_mut()[0] = number;
        let raw = frame.into_raw();
        self.frames.lock().unwrap().push(raw as usize);
        raw
    }

    /// A version whose content is `contents[number]` of its page.
    fn version(&self, page: usize, number: usize, value: u64) -> *mut Version {
        self.pages[page].contents[number].with_mut(|content| {
            // SAFETY: loom checks that nobody else is at it.
            unsafe { *content = value }
        });
        self.frame(number as u8)
    }

    fn read(&self, page: usize, snapshot: u64) -> u64 {
        let page = &self.pages[page];
        let head = page.slot.load(Ordering::Acquire);
        // SAFETY: frames live until the world ends; the contents are watched.
        match unsafe { version::find(head, snapshot, &self.cell) } {
            Some(version) => {
                // SAFETY: bytes of a published version.
                match unsafe { version.slice(0, 1)[0] } {
                    // SAFETY: loom checks it.
                    STANDING => page.base.with(|content| unsafe { *content }),
                    // SAFETY: as above.
                    number => page.contents[usize::from(number)].with(|content| unsafe { *content }),
                }
            }
            // SAFETY: loom checks it.
            None => page.base.with(|content| unsafe { *content }),
        }
    }

    /// Reclaims a version.
    fn free(&self, page: usize, version: *mut Version) {
        // SAFETY: frames live until the world ends; loom checks that nobody else looks at header or content.
        unsafe {
            (*version).watch.with_mut(|_| ());
            let number = (*version).slice(0, 1)[0];
            if number != STANDING {
                self.pages[page].contents[usize::from(number)].with_mut(|content| *content = u64::MAX);
            }
        }
    }

    fn begin(&self, slot: &Slot) -> u64 {
        slot.announce([TABLE].into_iter());
        let lsn = self.visible.load(Ordering::Acquire);
        slot.begun(lsn);
        lsn
    }

    fn wait_for_pins(&self, bug: Bug) {
        if bug == Bug::NoGrace {
            return;
        }
        let mut grace = self.registry.grace();
        while !grace.passed() {
            thread::yield_now();
        }
    }

    fn live(&self) -> Live {
        let mut live = Live::default();
        self.registry.live(TABLE, &self.visible, &mut live);
        live
    }

    /// Commits versions of several pages.
    fn commit(&self, lsn: u64, versions: &[(usize, *mut Version)]) {
        self.cell.store(UNRESOLVED, Ordering::Release);
        for &(page, version) in versions {
            let slot = &self.pages[page].slot;
            // SAFETY: ours until the world ends.
            unsafe { (*version).set_prev(slot.load(Ordering::Relaxed)) };
            slot.store(version, Ordering::Release);
        }
        self.cell.store(lsn, Ordering::Release);
        self.visible.store(lsn, Ordering::Release);
        for &(_, version) in versions {
            // SAFETY: as above.
            unsafe { (*version).resolve(lsn) };
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for raw in self.frames.lock().unwrap().drain(..) {
            if let Some(raw) = NonNull::new(raw as *mut Version) {
                // SAFETY: all threads have ended.
                drop(unsafe { Frame::from_raw(raw) });
            }
        }
    }
}

/// Runs a model with something left out or done wrong.
fn check(left_out: Option<Step>, bug: Bug, model: fn(Bug)) {
    leave_out(left_out);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(move || model(bug));
}

/// Whoever cuts and frees a version either sees the reader that needs it, or the reader sees the newer one.
fn register_and_reclaim(bug: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let first = world.version(0, 0, 1);
    world.commit(1, &[(0, first)]);
    let reader = {
        let world = world.clone();
        thread::spawn(move || {
            let snapshot = world.begin(&slot);
            assert_eq!(world.read(0, snapshot), snapshot);
            slot.unpin();
            slot.pin();
            assert_eq!(world.read(0, snapshot), snapshot);
            slot.unpin();
            slot.end();
        })
    };
    let second = world.version(0, 1, 2);
    world.commit(2, &[(0, second)]);
    if bug == Bug::NoLook || !world.live().needs(1, 2) {
        // SAFETY: frames live until the world ends.
        unsafe { (*second).set_prev((*first).prev()) };
        world.wait_for_pins(bug);
        world.free(0, first);
    }
    reader.join().unwrap();
}

/// A version in the middle of a chain that no snapshot sees is cut out while readers of older ones walk over it.
fn cut_the_middle(bug: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let versions: [_; 3] = std::array::from_fn(|i| world.version(0, i, i as u64 + 1));
    world.commit(1, &[(0, versions[0])]);
    let snapshot = world.begin(&slot);
    slot.unpin();
    world.commit(2, &[(0, versions[1])]);
    world.commit(3, &[(0, versions[2])]);
    let reader = {
        let world = world.clone();
        thread::spawn(move || {
            slot.pin();
            assert_eq!(world.read(0, snapshot), 1);
            slot.unpin();
            slot.end();
        })
    };
    assert!(!world.live().needs(2, 3));
    // SAFETY: frames live until the world ends.
    unsafe { (*versions[2]).set_prev(versions[0]) };
    world.wait_for_pins(bug);
    world.free(0, versions[1]);
    reader.join().unwrap();
}

/// A version moves to the spill file: a copy takes its place in the chain while its reader looks at it.
fn spill(bug: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let versions: [_; 2] = std::array::from_fn(|i| world.version(0, i, i as u64 + 1));
    world.commit(1, &[(0, versions[0])]);
    let snapshot = world.begin(&slot);
    slot.unpin();
    world.commit(2, &[(0, versions[1])]);
    let reader = {
        let world = world.clone();
        thread::spawn(move || {
            slot.pin();
            assert_eq!(world.read(0, snapshot), 1);
            slot.unpin();
            slot.end();
        })
    };
    let copy = world.version(0, 2, 1);
    // SAFETY: frames live until the world ends.
    unsafe {
        (*copy).resolve(1);
        (*copy).set_prev((*versions[0]).prev());
        (*versions[1]).set_prev(copy);
    }
    world.wait_for_pins(bug);
    world.free(0, versions[0]);
    reader.join().unwrap();
}

/// Two pages of a commit are seen together or not at all, though their slots are stored one by one.
fn publish(_: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let versions = [(0, world.version(0, 0, 1)), (1, world.version(1, 0, 1))];
    let reader = {
        let world = world.clone();
        thread::spawn(move || {
            let snapshot = world.begin(&slot);
            assert_eq!(world.read(1, snapshot), snapshot);
            assert_eq!(world.read(0, snapshot), snapshot);
            slot.unpin();
            slot.end();
        })
    };
    world.commit(1, &versions);
    reader.join().unwrap();
}

/// The commit cell serves one commit after the other: a version is not taken for one of the next.
fn commit_cell(_: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let (first, second) = (world.version(0, 0, 1), world.version(0, 1, 2));
    let reader = {
        let world = world.clone();
        thread::spawn(move || {
            let snapshot = world.begin(&slot);
            assert_eq!(world.read(0, snapshot), snapshot);
            slot.unpin();
            slot.end();
        })
    };
    world.commit(1, &[(0, first)]);
    world.commit(2, &[(0, second)]);
    reader.join().unwrap();
}

/// The checkpoint overwrites a base page only when nobody can read it, and takes a page out of its slot only when nobody
/// needs what was before.
fn checkpoint(bug: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let version = world.version(0, 0, 1);
    let reader = {
        let world = world.clone();
        thread::spawn(move || {
            let snapshot = world.begin(&slot);
            assert_eq!(world.read(0, snapshot), snapshot);
            slot.unpin();
            slot.end();
        })
    };
    world.commit(1, &[(0, version)]);
    // Who could still need the base page made a copy of it stay: no second look at the snapshots.
    if write_back(&world, version, bug) {
        let mut grace = world.registry.grace();
        while !grace.passed() {
            thread::yield_now();
        }
        world.free(0, version);
    }
    reader.join().unwrap();
}

/// The base page stands for an old version when the checkpoint is to overwrite it: it puts a copy into the version's place.
fn standing(bug: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let first = world.standing(0, 1);
    world.commit(1, &[(0, first)]);
    let second = world.version(0, 1, 2);
    let snapshot = world.begin(&slot);
    slot.unpin();
    world.commit(2, &[(0, second)]);
    let reader = {
        let world = world.clone();
        thread::spawn(move || {
            slot.pin();
            assert_eq!(world.read(0, snapshot), 1);
            slot.unpin();
            slot.end();
        })
    };
    if bug != Bug::NoLook && world.live().needs(1, 2) {
        let copy = world.version(0, 0, 1);
        // SAFETY: frames live until the world ends.
        unsafe {
            (*copy).resolve(1);
            (*copy).set_prev((*first).prev());
            (*second).set_prev(copy);
        }
        world.wait_for_pins(bug);
        world.free(0, first);
    }
    // SAFETY: loom checks that nobody reads it.
    world.pages[0].base.with_mut(|content| unsafe { *content = 2 });
    reader.join().unwrap();
}

/// A snapshot is given up by one thread while another prunes: its reader gets an error, or what it sees is kept.
fn give_up(bug: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let first = world.version(0, 0, 1);
    world.commit(1, &[(0, first)]);
    let snapshot = world.begin(&slot);
    slot.unpin();
    let second = world.version(0, 1, 2);
    world.commit(2, &[(0, second)]);
    let reader = {
        let world = world.clone();
        thread::spawn(move || {
            slot.pin();
            if bug == Bug::NoCheck || !slot.is_evicted(snapshot) {
                assert_eq!(world.read(0, snapshot), 1);
            }
            slot.unpin();
            slot.end();
        })
    };
    let evictor = {
        let world = world.clone();
        thread::spawn(move || {
            world.registry.evict(world.visible.load(Ordering::Acquire), |_| true);
        })
    };
    let needed = match bug {
        Bug::NoPinLook => world.registry.evict(world.visible.load(Ordering::Acquire), |_| true).is_none(),
        _ => world.live().needs(1, 2),
    };
    if !needed {
        // SAFETY: frames live until the world ends.
        unsafe { (*second).set_prev((*first).prev()) };
        world.wait_for_pins(bug);
        world.free(0, first);
    }
    reader.join().unwrap();
    evictor.join().unwrap();
}

/// Brings version 1 of page 0 into its base page and out of its slot, as the checkpoint does; who read the page through a block before
/// finds another one. True: the page has left its slot.
fn write_back(world: &World, version: *mut Version, bug: Bug) -> bool {
    if bug == Bug::ForgetEarly {
        world.blocks.forget(&world.registry, 0, 1);
    }
    if bug != Bug::NoLook && world.live().needs(0, 1) {
        let base = world.version(0, 1, 0);
        // SAFETY: frames live until the world ends.
        unsafe {
            (*base).resolve(0);
            (*version).set_prev(base);
        }
        world.wait_for_pins(bug);
    }
    // SAFETY: loom checks that nobody reads it.
    world.pages[0].base.with_mut(|content| unsafe { *content = 1 });
    // SAFETY: as above.
    let alone = unsafe { (*version).prev().is_null() };
    if bug == Bug::ForgetLate && alone {
        world.pages[0].slot.store(ptr::null_mut(), Ordering::Release);
    }
    if bug != Bug::ForgetEarly {
        world.blocks.forget(&world.registry, 0, 1);
    }
    if alone {
        world.pages[0].slot.store(ptr::null_mut(), Ordering::Release);
    }
    alone
}

/// A clean page is read into a block while the page is changed and written back; whoever begins behind that sees the change.
fn block_of_a_changed_page(bug: Bug) {
    let world = World::new();
    let cache = BlockCache::new(1 << 20);
    let (slot, _) = world.registry.claim();
    let version = world.version(0, 0, 1);
    let reader = {
        let (world, cache) = (world.clone(), cache.clone());
        thread::spawn(move || {
            for _ in 0..2 {
                let snapshot = world.begin(&slot);
                assert_eq!(world.read_through(&cache, 0, snapshot), snapshot);
                slot.unpin();
                slot.end();
            }
        })
    };
    world.commit(1, &[(0, version)]);
    write_back(&world, version, bug);
    reader.join().unwrap();
}

/// There is room for one block: that of a page goes, and is freed, while somebody may look at it.
fn block_makes_room(_: Bug) {
    let world = World::new();
    let cache = BlockCache::for_blocks(1);
    // SAFETY: loom checks that nobody is at it.
    world.pages[1].base.with_mut(|content| unsafe { *content = 1 });
    let readers: Vec<_> = [0, 1]
        .into_iter()
        .map(|page| {
            let (world, cache) = (world.clone(), cache.clone());
            let (slot, _) = world.registry.claim();
            thread::spawn(move || {
                for _ in 0..2 {
                    world.begin(&slot);
                    assert_eq!(world.read_through(&cache, page, 0), page as u64);
                    slot.unpin();
                    slot.end();
                }
            })
        })
        .collect();
    readers.into_iter().for_each(|reader| reader.join().unwrap());
    cache.tidy_up(&world.registry);
    drop(world);
    assert_eq!(cache.usage().blocks, 0);
}

/// Either the reader sees that the table is locked, or the locker sees the reader.
fn table_lock(_: Bug) {
    let world = World::new();
    let (slot, _) = world.registry.claim();
    let flag = Shared::new(AtomicU32::new(0));
    let reader = {
        let (world, flag) = (world.clone(), flag.clone());
        thread::spawn(move || {
            let snapshot = world.begin(&slot);
            if flag.load(Ordering::Acquire) == 0 {
                // SAFETY: loom checks it.
                world.pages[0].base.with(|content| unsafe { assert_eq!(*content, snapshot) });
            }
            slot.unpin();
            slot.end();
        })
    };
    flag.fetch_or(1, Ordering::SeqCst);
    while world.registry.used_by_others(TABLE, 99) {
        thread::yield_now();
    }
    // SAFETY: loom checks that nobody reads it.
    world.pages[0].base.with_mut(|content| unsafe { *content = 7 });
    reader.join().unwrap();
}

/// The journal as group commit sees it.
struct Disk {
    group: Group,
    appended: AtomicU64,
    durable: AtomicU64,
    /// Calls left behind, and made.
    left: AtomicU32,
    called: AtomicU32,
}

impl Acknowledge for Disk {
    fn durable(&self, kept: bool) {
        assert!(kept);
        self.called.fetch_add(1, Ordering::Relaxed);
    }
}

impl Disk {
    fn new() -> std::sync::Arc<Disk> {
        std::sync::Arc::new(Disk {
            group: Group::new(0),
            appended: AtomicU64::new(0),
            durable: AtomicU64::new(0),
            left: AtomicU32::new(0),
            called: AtomicU32::new(0),
        })
    }

    fn sync(&self) -> crate::Result<u64> {
        let upto = self.appended.load(Ordering::Acquire);
        self.durable.fetch_max(upto, Ordering::AcqRel);
        Ok(upto)
    }

    fn commit(&self) {
        let lsn = self.appended.fetch_add(1, Ordering::AcqRel) + 1;
        assert_eq!(self.group.wait(lsn, &|| self.sync()).unwrap(), Outcome::Durable);
        assert!(self.durable.load(Ordering::Relaxed) >= lsn, "acknowledged too early");
    }

    fn commit_later(self: &std::sync::Arc<Disk>) {
        let lsn = self.appended.fetch_add(1, Ordering::AcqRel) + 1;
        let then: std::sync::Arc<dyn Acknowledge> = self.clone();
        match self.group.later(lsn, &then, &|| self.sync()).unwrap() {
            Outcome::Later => drop(self.left.fetch_add(1, Ordering::Relaxed)),
            outcome => {
                assert_eq!(outcome, Outcome::Durable);
                assert!(self.durable.load(Ordering::Relaxed) >= lsn, "acknowledged too early");
            }
        }
    }

    fn all_told(&self) {
        assert_eq!(self.left.load(Ordering::Relaxed), self.called.load(Ordering::Relaxed), "never told");
    }
}

/// Two threads wait for their commits, a third leaves a call: all are told, none before its record is durable.
fn group_commit(_: Bug) {
    let disk = Disk::new();
    let threads: Vec<_> = [false, true]
        .into_iter()
        .map(|later| {
            let disk = disk.clone();
            thread::spawn(move || if later { disk.commit_later() } else { disk.commit() })
        })
        .collect();
    disk.commit();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    disk.all_told();
}

/// Two calls are left, and the thread for them is stopped meanwhile.
fn group_tended(_: Bug) {
    let disk = Disk::new();
    let tender = {
        let disk = disk.clone();
        thread::spawn(move || disk.group.lead_in_background(&|| disk.sync()))
    };
    let other = {
        let disk = disk.clone();
        thread::spawn(move || disk.commit_later())
    };
    disk.commit_later();
    disk.group.stop();
    other.join().unwrap();
    tender.join().unwrap();
    disk.all_told();
}

const MODELS: [(&str, fn(Bug)); 13] = [
    ("register_and_reclaim", register_and_reclaim),
    ("cut_the_middle", cut_the_middle),
    ("spill", spill),
    ("publish", publish),
    ("commit_cell", commit_cell),
    ("checkpoint", checkpoint),
    ("standing", standing),
    ("give_up", give_up),
    ("block_of_a_changed_page", block_of_a_changed_page),
    ("block_makes_room", block_makes_room),
    ("table_lock", table_lock),
    ("group_commit", group_commit),
    ("group_tended", group_tended),
];

#[test]
fn models_hold() {
    for (name, model) in MODELS {
        println!("{name}");
        check(None, Bug::None, model);
    }
}

/// Which models notice; at least one must.
fn noticed_by(left_out: Option<Step>, bug: Bug) -> Vec<&'static str> {
    let noticed = |model: fn(Bug)| {
        let run = std::thread::spawn(move || check(left_out, bug, model));
        run.join().is_err()
    };
    MODELS.into_iter().filter(|&(_, model)| noticed(model)).map(|(name, _)| name).collect()
}

#[test]
fn models_notice_what_is_left_out() {
    let steps = [
        Step::Announce,
        Step::Pin,
        Step::Unpin,
        Step::Repin,
        Step::Live,
        Step::Pending,
        Step::Gone,
        Step::Grace,
        Step::Used,
        Step::Cell,
        Step::Again,
        Step::Forget,
        Step::BlockGrace,
        Step::Met,
        Step::Lead,
    ];
    let mut missed = Vec::new();
    for step in steps {
        let by = noticed_by(Some(step), Bug::None);
        println!("without {step:?}: {by:?}");
        if by.is_empty() {
            missed.push(step);
        }
    }
    assert!(missed.is_empty(), "nobody notices {missed:?}");
}

#[test]
fn models_notice_what_is_done_wrong() {
    let expected: [(Bug, &[&str]); 6] = [
        (Bug::NoGrace, &["cut_the_middle", "spill", "checkpoint", "standing", "block_of_a_changed_page"]),
        (Bug::NoLook, &["register_and_reclaim", "checkpoint", "standing", "block_of_a_changed_page"]),
        (Bug::ForgetEarly, &["block_of_a_changed_page"]),
        (Bug::ForgetLate, &["block_of_a_changed_page"]),
        (Bug::NoCheck, &["give_up"]),
        (Bug::NoPinLook, &["give_up"]),
    ];
    for (bug, models) in expected {
        let by = noticed_by(None, bug);
        println!("{bug:?}: {by:?}");
        for model in models {
            assert!(by.contains(model), "{model} does not notice {bug:?}");
        }
    }
}

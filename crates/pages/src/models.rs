//! Models of the four protocols on which readers without locks stand, checked over all interleavings and all that
//! weak memory allows: `RUSTFLAGS="--cfg loom" cargo test --release -p pages --lib models`.
//!
//! They run the code of `registry.rs` and `version.rs` itself. What a page's bytes would be is a cell that loom watches: reading it
//! while it is freed or overwritten is an error.
#![allow(unsafe_code)]

use std::ptr::{self, NonNull};
use std::sync::Arc as Shared;

use loom::cell::UnsafeCell;
use loom::thread;

use crate::registry::{Live, Registry, Slot};
use crate::sync::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
use crate::version::{self, Frame, UNRESOLVED, Version};

const TABLE: u32 = 1;

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
        })
    }

    /// A version whose content is `contents[number]` of its page.
    fn version(&self, page: usize, number: usize, value: u64) -> *mut Version {
        self.pages[page].contents[number].with_mut(|content| {
            // SAFETY: loom checks that nobody else is at it.
            unsafe { *content = value }
        });
        let mut frame = Frame::new(1);
        frame.bytes_mut()[0] = number as u8;
        let raw = frame.into_raw();
        self.frames.lock().unwrap().push(raw as usize);
        raw
    }

    fn read(&self, page: usize, snapshot: u64) -> u64 {
        let page = &self.pages[page];
        let head = page.slot.load(Ordering::Acquire);
        // SAFETY: frames live until the world ends; the contents are watched.
        match unsafe { version::find(head, snapshot, &self.cell) } {
            Some(version) => {
                // SAFETY: bytes of a published version.
                let number = unsafe { version.slice(0, 1)[0] } as usize;
                // SAFETY: loom checks it.
                page.contents[number].with(|content| unsafe { *content })
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
            let number = (*version).slice(0, 1)[0] as usize;
            self.pages[page].contents[number].with_mut(|content| *content = u64::MAX);
        }
    }

    fn begin(&self, slot: &Slot) -> u64 {
        slot.announce([TABLE].into_iter());
        let lsn = self.visible.load(Ordering::Acquire);
        slot.begun(lsn);
        lsn
    }

    fn wait_for_pins(&self) {
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

fn model(f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

/// Whoever cuts and frees a version either sees the reader that needs it, or the reader sees the newer one.
#[test]
fn models_register_and_reclaim() {
    model(|| {
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
        if !world.live().needs(1, 2) {
            // SAFETY: frames live until the world ends.
            unsafe { (*second).set_prev((*first).prev()) };
            world.wait_for_pins();
            world.free(0, first);
        }
        reader.join().unwrap();
    });
}

/// A version in the middle of a chain that no snapshot sees is cut out while readers of older ones walk over it.
#[test]
fn models_cut_the_middle() {
    model(|| {
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
        world.wait_for_pins();
        world.free(0, versions[1]);
        reader.join().unwrap();
    });
}

/// Two pages of a commit are seen together or not at all, though their slots are stored one by one.
#[test]
fn models_publish() {
    model(|| {
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
    });
}

/// The commit cell serves one commit after the other: a version is not taken for one of the next.
#[test]
fn models_commit_cell() {
    model(|| {
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
    });
}

/// The checkpoint overwrites a base page only when nobody can read it, and takes a page out of its slot only when nobody
/// needs what was before.
#[test]
fn models_checkpoint() {
    model(|| {
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
        if world.live().needs(0, 1) {
            let base = world.version(0, 1, 0);
            // SAFETY: frames live until the world ends.
            unsafe {
                (*base).resolve(0);
                (*version).set_prev(base);
            }
            world.wait_for_pins();
        }
        // SAFETY: loom checks that nobody reads it.
        world.pages[0].base.with_mut(|content| unsafe { *content = 1 });
        // SAFETY: as above.
        let alone = unsafe { (*version).prev().is_null() };
        if alone && !world.live().needs(0, 1) {
            world.pages[0].slot.store(ptr::null_mut(), Ordering::Release);
            world.wait_for_pins();
            world.free(0, version);
        }
        reader.join().unwrap();
    });
}

/// Either the reader sees that the table is locked, or the locker sees the reader.
#[test]
fn models_table_lock() {
    model(|| {
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
        fence(Ordering::SeqCst);
        while world.registry.used_by_others(TABLE, 99) {
            thread::yield_now();
        }
        // SAFETY: loom checks that nobody reads it.
        world.pages[0].base.with_mut(|content| unsafe { *content = 7 });
        reader.join().unwrap();
    });
}

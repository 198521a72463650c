//! The registry of readers: who reads which tables as of when, and who holds pointers right now.
//!
//! One slot per session, written by its owner only. A statement stores its tables' ids and PENDING, fences, and loads the
//! visible LSN; whoever reclaims, locks a table or overwrites a base page changes memory first, fences, and scans. Of the two
//! fences one comes first: either the scan sees the reader, or the reader sees the change. Three things live on this:
//! snapshots keep versions, pins keep pointers, and the ids of tables are the readers' side of the table lock.

use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use crate::sync::{AtomicU32, AtomicU64, Ordering, Step, fence_at, left_out, ordered};
use crate::wait_limit::note_pin;

/// Sessions without a number of their own are counted from here on.
const FIRST_OWNER: u64 = 1 << 48;
const IDLE: u64 = u64::MAX;
const PENDING: u64 = u64::MAX - 1;
/// Tables named in a slot; a statement with more counts as reading all.
pub(crate) const SLOT_TABLES: usize = 12;
const ALL_TABLES: u32 = u32::MAX;
const PENDING_SPINS: u32 = if cfg!(loom) { 1 } else { 200 };

/// A session's slot.
#[repr(align(128))]
pub(crate) struct Slot {
    /// Odd while pinned; grows by one at each change.
    pin: AtomicU64,
    /// LSN of the running statement's snapshot, or PENDING, or IDLE.
    snapshot: AtomicU64,
    owner: AtomicU64,
    /// The snapshot that was given up, or IDLE. The owner looks at it once it is pinned.
    evicted: AtomicU64,
    count: AtomicU32,
    tables: [AtomicU32; SLOT_TABLES],
    /// Its place among all slots.
    number: u32,
}

impl Slot {
    fn new(number: u32) -> Slot {
        Slot {
            number,
            pin: AtomicU64::new(0),
            snapshot: AtomicU64::new(IDLE),
            owner: AtomicU64::new(0),
            evicted: AtomicU64::new(IDLE),
            count: AtomicU32::new(0),
            tables: std::array::from_fn(|_| AtomicU32::new(0)),
        }
    }

    /// Its place among all slots; nobody else has it meanwhile.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Announces a statement and its tables, pinned at once. After it (and its fence) the caller may load the visible LSN, then
    /// must call `begun` or `end`.
    #[inline]
    pub(crate) fn announce(&self, ids: impl ExactSizeIterator<Item = u32>) {
        let count = ids.len();
        if count <= SLOT_TABLES {
            for (place, id) in self.tables.iter().zip(ids) {
                place.store(id, Ordering::Relaxed);
            }
            self.count.store(count as u32, Ordering::Relaxed);
        } else {
            self.count.store(ALL_TABLES, Ordering::Relaxed);
        }
        self.begin();
    }

    /// Pins, with a snapshot that is not known yet. The tables were stored before.
    #[inline]
    fn begin(&self) {
        self.snapshot.store(PENDING, Ordering::Relaxed);
        self.set_pin();
        fence_at(Step::Announce);
    }

    /// Announces the tables of another slot, whose statement this one is a part of.
    pub(crate) fn announce_as(&self, other: &Slot) {
        for (place, id) in self.tables.iter().zip(&other.tables) {
            place.store(id.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.count.store(other.count.load(Ordering::Relaxed), Ordering::Relaxed);
        self.begin();
    }

    #[inline]
    pub(crate) fn begun(&self, lsn: u64) {
        self.snapshot.store(lsn, Ordering::Release);
    }

    #[inline]
    pub(crate) fn end(&self) {
        self.snapshot.store(IDLE, Ordering::Release);
    }

    /// Pointers loaded after it stay good until `unpin`.
    #[inline]
    pub(crate) fn pin(&self) {
        self.set_pin();
        fence_at(Step::Pin);
    }

    #[inline]
    fn set_pin(&self) {
        let pin = self.pin.load(Ordering::Relaxed);
        if pin & 1 == 0 {
            note_pin(true);
        }
        // Who waits for the pin before and finds this one learns from it that the one before is done.
        self.pin.store(pin | 1, ordered(Step::Repin, Ordering::Release));
    }

    #[inline]
    pub(crate) fn unpin(&self) {
        let pin = self.pin.load(Ordering::Relaxed);
        if pin & 1 == 1 {
            note_pin(false);
        }
        self.pin.store(pin + (pin & 1), ordered(Step::Unpin, Ordering::Release));
    }

    /// Was this snapshot given up? To be asked while pinned, before anything is looked at: what is kept is kept until the
    /// pin ends.
    #[inline]
    pub(crate) fn is_evicted(&self, snapshot: u64) -> bool {
        self.evicted.load(Ordering::Acquire) == snapshot
    }

    /// Is its snapshot given up, and not pinned? Then it will not look at anything any more.
    fn is_gone(&self, snapshot: u64) -> bool {
        if self.evicted.load(Ordering::Acquire) != snapshot {
            return false;
        }
        // Of this fence and that of the next pin one comes first: either the pin is seen here, or the mark there.
        fence_at(Step::Gone);
        self.pin.load(Ordering::Acquire) & 1 == 0
    }

    /// Was the table announced by the running statement? For the owner of the slot.
    #[inline]
    pub(crate) fn announced(&self, id: u32) -> bool {
        let count = self.count.load(Ordering::Relaxed);
        if count == ALL_TABLES {
            return true;
        }
        self.tables[..SLOT_TABLES.min(count as usize)].iter().any(|t| t.load(Ordering::Relaxed) == id)
    }
}

/// All slots.
pub(crate) struct Registry {
    slots: RwLock<Vec<Arc<Slot>>>,
    free: Mutex<Vec<Arc<Slot>>>,
    next_owner: Mutex<u64>,
    /// No snapshot below it is or will be live.
    floor: AtomicU64,
}

/// The live snapshots that may read a table, as of a scan.
#[derive(Default)]
pub(crate) struct Live {
    snapshots: Vec<u64>,
    /// A statement that was just beginning may have any snapshot from here on.
    pending: Option<u64>,
    horizon: u64,
}

impl Live {
    /// The newest commit that was visible at the look.
    pub(crate) fn horizon(&self) -> u64 {
        self.horizon
    }

    /// Does a live snapshot see what was valid in `[from, to)`? `to` must have been visible before the scan.
    pub(crate) fn needs(&self, from: u64, to: u64) -> bool {
        if to > self.horizon || self.pending.is_some_and(|floor| floor < to) {
            return true;
        }
        let at = self.snapshots.partition_point(|&s| s < from);
        self.snapshots.get(at).is_some_and(|&s| s < to)
    }

    /// The same live snapshots as in another scan?
    pub(crate) fn same(&self, other: &Live) -> bool {
        self.snapshots == other.snapshots && self.pending == other.pending
    }
}

/// A moment; it has passed when nobody is pinned any more who was pinned then.
#[derive(Default)]
pub(crate) struct Grace(Vec<(Arc<Slot>, u64)>);

impl Grace {
    pub(crate) fn passed(&mut self) -> bool {
        self.0.retain(|(slot, pin)| slot.pin.load(Ordering::Acquire) == *pin);
        self.0.is_empty()
    }
}

impl Registry {
    pub(crate) fn new() -> Registry {
        Registry {
            slots: RwLock::default(),
            free: Mutex::default(),
            next_owner: Mutex::new(FIRST_OWNER),
            floor: AtomicU64::new(0),
        }
    }

    /// A slot for a new session, and the session's number.
    pub(crate) fn claim(&self) -> (Arc<Slot>, u64) {
        let owner = {
            let mut next = self.next_owner.lock();
            *next += 1;
            *next - 1
        };
        (self.claim_for(owner), owner)
    }

    /// A slot for somebody with a number of its own.
    pub(crate) fn claim_for(&self, owner: u64) -> Arc<Slot> {
        let reused = self.free.lock().pop();
        let slot = reused.unwrap_or_else(|| {
            let mut slots = self.slots.write();
            let slot = Arc::new(Slot::new(slots.len() as u32));
            slots.push(slot.clone());
            slot
        });
        slot.owner.store(owner, Ordering::Relaxed);
        slot
    }

    pub(crate) fn release(&self, slot: &Arc<Slot>) {
        slot.end();
        slot.unpin();
        slot.owner.store(0, Ordering::Relaxed);
        self.free.lock().push(slot.clone());
    }

    /// The live snapshots that read `table`. `visible` is loaded before the scan.
    pub(crate) fn live(&self, table: u32, visible: &AtomicU64, live: &mut Live) {
        let floor = self.floor.load(Ordering::Acquire);
        let horizon = visible.load(Ordering::Acquire);
        live.snapshots.clear();
        live.pending = None;
        live.horizon = horizon;
        fence_at(Step::Live);
        let mut lowest = horizon;
        for slot in self.slots.read().iter() {
            let mut snapshot = slot.snapshot.load(Ordering::Acquire);
            let mut spins = 0;
            while snapshot == PENDING && spins < PENDING_SPINS {
                pause();
                snapshot = slot.snapshot.load(Ordering::Acquire);
                spins += 1;
            }
            match snapshot {
                IDLE => {}
                PENDING if left_out(Step::Pending) => {}
                PENDING => {
                    // It may have loaded its snapshot long ago, but none below the floor of an earlier scan.
                    live.pending = Some(floor);
                    lowest = lowest.min(floor);
                }
                snapshot if slot.is_gone(snapshot) => {}
                snapshot => {
                    lowest = lowest.min(snapshot);
                    // A slot that has gone on to its next statement meanwhile shows other tables; its old statement needs
                    // nothing, and its new snapshot is not below the horizon.
                    if slot.announced(table) {
                        live.snapshots.push(snapshot);
                    }
                }
            }
        }
        live.snapshots.sort_unstable();
        live.snapshots.dedup();
        self.floor.fetch_max(lowest, Ordering::AcqRel);
    }

    /// Gives up the oldest snapshot among the statements that `reads` chooses: its reader gets an error at its next pin. `None`
    /// when there is none, see [`Registry::oldest`].
    pub(crate) fn evict(&self, before: u64, reads: impl Fn(&Slot) -> bool) -> Option<u64> {
        let oldest = self.oldest(before, reads)?;
        for slot in self.slots.read().iter() {
            if slot.snapshot.load(Ordering::Acquire) == oldest {
                slot.evicted.store(oldest, Ordering::Release);
            }
        }
        Some(oldest)
    }

    /// The oldest snapshot among the statements that `reads` chooses. `None` when all see commit `before`, which was visible when
    /// the caller looked, or a later one, or when one that was given up before is still pinned. Statements that have begun since
    /// that look see it, too: what it found is not held for them.
    pub(crate) fn oldest(&self, before: u64, reads: impl Fn(&Slot) -> bool) -> Option<u64> {
        let mut oldest = None;
        for slot in self.slots.read().iter() {
            let snapshot = slot.snapshot.load(Ordering::Acquire);
            if snapshot >= before {
                continue;
            }
            if slot.is_evicted(snapshot) {
                if !slot.is_gone(snapshot) {
                    return None;
                }
            } else if oldest.is_none_or(|oldest| snapshot < oldest) && reads(slot) {
                oldest = Some(snapshot);
            }
        }
        oldest
    }

    /// A moment after all that the caller unlinked.
    pub(crate) fn grace(&self) -> Grace {
        fence_at(Step::Grace);
        let slots = self.slots.read();
        Grace(
            slots
                .iter()
                .filter_map(|slot| {
                    let pin = slot.pin.load(Ordering::Acquire);
                    (pin & 1 == 1).then(|| (slot.clone(), pin))
                })
                .collect(),
        )
    }

    /// Whose statements use the table, but for `owner`.
    pub(crate) fn users(&self, table: u32, owner: u64) -> Vec<u64> {
        let slots = self.slots.read();
        let others = slots.iter().filter(|slot| slot.snapshot.load(Ordering::Acquire) != IDLE);
        let of_table = others.filter(|slot| slot.announced(table));
        of_table.map(|slot| slot.owner.load(Ordering::Relaxed)).filter(|other| *other != owner).collect()
    }

    /// Does a statement of the session `owner` use the table?
    pub(crate) fn used_by(&self, table: u32, owner: u64) -> bool {
        self.slots.read().iter().any(|slot| {
            slot.owner.load(Ordering::Relaxed) == owner
                && slot.snapshot.load(Ordering::Acquire) != IDLE
                && slot.announced(table)
        })
    }

    /// Does a statement of a session other than `owner` use the table? To be asked after the table's flag was set.
    pub(crate) fn used_by_others(&self, table: u32, owner: u64) -> bool {
        fence_at(Step::Used);
        self.slots.read().iter().any(|slot| {
            slot.snapshot.load(Ordering::Acquire) != IDLE
                && slot.owner.load(Ordering::Relaxed) != owner
                && slot.announced(table)
        })
    }
}

#[cfg(not(loom))]
fn pause() {
    std::hint::spin_loop();
}

#[cfg(all(loom, not(shuttle)))]
fn pause() {
    loom::thread::yield_now();
}

#[cfg(shuttle)]
fn pause() {
    shuttle::thread::yield_now();
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn live_snapshots_keep_what_they_see_of_their_tables() {
        let registry = Registry::new();
        let visible = AtomicU64::new(30);
        let (slot, _) = registry.claim();
        slot.announce([7].into_iter());
        slot.begun(12);
        let mut live = Live::default();
        registry.live(7, &visible, &mut live);
        assert!(live.needs(10, 13));
        assert!(!live.needs(10, 12), "superseded at 12: not seen by 12");
        assert!(!live.needs(13, 20));
        assert!(live.needs(25, 31), "superseded after the horizon");
        registry.live(8, &visible, &mut live);
        assert!(!live.needs(10, 13), "another table");
        slot.end();
        registry.live(7, &visible, &mut live);
        assert!(!live.needs(0, 30));
    }

    #[test]
    fn who_began_behind_the_look_is_not_given_up() {
        let registry = Registry::new();
        let visible = AtomicU64::new(5);
        let mut live = Live::default();
        let (old, _) = registry.claim();
        old.begun(3);
        registry.live(1, &visible, &mut live);
        old.end();
        let (new, _) = registry.claim();
        new.begun(5);
        visible.store(6, Ordering::Relaxed);
        assert_eq!(registry.evict(live.horizon(), |_| true), None);
        registry.live(1, &visible, &mut live);
        assert_eq!(registry.evict(live.horizon(), |_| true), Some(5), "one that holds something back now");
    }

    #[test]
    fn a_beginning_statement_counts_from_the_floor_of_earlier_scans() {
        let registry = Registry::new();
        let visible = AtomicU64::new(5);
        let mut live = Live::default();
        registry.live(1, &visible, &mut live);
        let (slot, _) = registry.claim();
        slot.announce([1].into_iter());
        visible.store(9, Ordering::Relaxed);
        registry.live(1, &visible, &mut live);
        assert!(live.needs(5, 6) && live.needs(2, 9));
        assert!(!live.needs(2, 5));
        slot.begun(5);
        registry.live(1, &visible, &mut live);
        assert!(live.needs(5, 6) && !live.needs(6, 9));
    }

    #[test]
    fn grace_waits_for_pins_of_before_only() {
        let registry = Registry::new();
        let (a, _) = registry.claim();
        let (b, _) = registry.claim();
        a.pin();
        let mut grace = registry.grace();
        assert!(!grace.passed());
        b.pin();
        a.unpin();
        assert!(grace.passed(), "b came later");
    }
}

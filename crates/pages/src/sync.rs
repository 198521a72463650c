//! Atomics, or their model-checked twins under `cfg(loom)`; and the places where the models break a protocol to see that
//! they would notice. `cfg(shuttle)` comes with `cfg(loom)`: the same small part of the crate, under another scheduler.

#[cfg(all(loom, not(shuttle)))]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};

#[cfg(all(loom, not(shuttle)))]
pub(crate) use loom::thread;
#[cfg(not(loom))]
pub(crate) use parking_lot::Mutex;
#[cfg(shuttle)]
pub(crate) use shuttle::thread;
#[cfg(not(loom))]
pub(crate) use std::thread;

#[cfg(all(loom, not(shuttle)))]
use loom::sync as twin;
#[cfg(shuttle)]
use shuttle::sync as twin;

/// A lock without poisoning, as elsewhere.
#[cfg(loom)]
pub(crate) struct Mutex<T>(twin::Mutex<T>);

#[cfg(loom)]
impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Mutex<T> {
        Mutex(twin::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> twin::MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A step of a protocol that cannot be left out. `models.rs` leaves each out and says which model notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Fence of a beginning statement, before it loads the newest LSN and looks at table locks.
    Announce,
    /// Fence of a pin, before pointers are loaded.
    Pin,
    /// A pin's end publishes that the reads before it are done.
    Unpin,
    /// A pin publishes that those before it are done.
    Repin,
    /// Fence of a scan for live snapshots.
    Live,
    /// A statement that is just beginning counts.
    Pending,
    /// Fence between a snapshot's giving up and the look at its pin.
    Gone,
    /// Fence before pins are looked at, after unlinking.
    Grace,
    /// Fence between setting a table's flag and looking for its readers.
    Used,
    /// The commit cell publishes the versions' bytes.
    Cell,
    /// A version's LSN is looked at again after the cell.
    Again,
    /// A sync acknowledges what was appended when it began, and nothing else.
    Met,
    /// Who writes a page forgets its block.
    Forget,
    /// Blocks that were unlinked wait for pins.
    BlockGrace,
    /// Whoever ends a sync names the next to lead, if somebody waits.
    Lead,
}

/// A full fence.
#[inline(always)]
pub(crate) fn fence_at(step: Step) {
    #[cfg(not(loom))]
    {
        let _ = step;
        std::sync::atomic::fence(Ordering::SeqCst);
    }
    #[cfg(all(loom, not(shuttle)))]
    if !left_out(step) {
        loom::sync::atomic::fence(Ordering::SeqCst);
    }
    #[cfg(shuttle)]
    if !left_out(step) {
        shuttle::sync::atomic::fence(Ordering::SeqCst);
    }
}

/// The ordering, but in a model that leaves the step out.
#[inline(always)]
pub(crate) fn ordered(step: Step, ordering: Ordering) -> Ordering {
    if left_out(step) { Ordering::Relaxed } else { ordering }
}

#[cfg(not(loom))]
#[inline(always)]
pub(crate) const fn left_out(_: Step) -> bool {
    false
}

#[cfg(loom)]
pub(crate) use skipped_step::left_out;
#[cfg(all(loom, not(shuttle)))]
pub(crate) use skipped_step::set as leave_out;

#[cfg(loom)]
mod skipped_step {
    use super::Step;
    use std::cell::Cell;

    thread_local! {
        // The threads of a model are coroutines of one thread.
        static LEFT_OUT: Cell<Option<Step>> = const { Cell::new(None) };
    }

    pub(crate) fn left_out(step: Step) -> bool {
        LEFT_OUT.get() == Some(step)
    }

    #[cfg(not(shuttle))]
    pub(crate) fn set(step: Option<Step>) {
        LEFT_OUT.set(step);
    }
}

/// Keeps a value on cache lines of its own (two, as adjacent lines are fetched in pairs).
#[repr(align(128))]
pub(crate) struct Padded<T>(pub(crate) T);

impl<T> std::ops::Deref for Padded<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

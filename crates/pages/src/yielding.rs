//! Waiting for a lock that is held for some microseconds, by giving the time slice to others instead of sleeping.
//!
//! Who holds such a lock and does not let go of it was mostly preempted: it needs the processor that the waiting thread has. A
//! sleep costs a switch, a wake-up and, worse, the place: the scheduler puts the woken thread where a processor is free, away from
//! the client whose statement it runs, and every message between the two is an interrupt of another processor from then on
//! (`docs/decisions/0042-what-a-commit-costs.md` has the figures).

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::{Mutex, MutexGuard};

/// Threads of the process that wait so at a time. With more, those who could go on wait for the turns of those who cannot.
const MOST_THREADS: usize = 16;
/// How often a thread gives its time slice up before it sleeps. More kept hundreds of writers from their turns, and made each of
/// eight writers wait longer.
const MOST_YIELDS: u32 = 10;

static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Asks `try_it` between time slices of others until it has an answer, for a limited time: `None` when it is better to sleep.
pub(crate) fn yield_until<T>(mut try_it: impl FnMut() -> Option<T>) -> Option<T> {
    let yields = if WAITING.fetch_add(1, Ordering::Relaxed) < MOST_THREADS { MOST_YIELDS } else { 0 };
    let found = (0..yields).find_map(|_| {
        std::thread::yield_now();
        try_it()
    });
    WAITING.fetch_sub(1, Ordering::Relaxed);
    found
}

/// Locks a mutex that nobody holds for long.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.try_lock().or_else(|| yield_until(|| mutex.try_lock())).unwrap_or_else(|| mutex.lock())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_lock_is_waited_for() {
        let mutex = Mutex::new(0);
        std::thread::scope(|scope| {
            let held = mutex.lock();
            // Some find a place among those that yield, the others sleep.
            for _ in 0..2 * MOST_THREADS {
                scope.spawn(|| *lock(&mutex) += 1);
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
            drop(held);
        });
        assert_eq!(*mutex.lock(), 2 * MOST_THREADS);
    }

    #[test]
    fn yielding_ends() {
        let mut asked = 0;
        let found = yield_until(|| {
            asked += 1;
            None::<()>
        });
        assert!(found.is_none() && asked <= MOST_YIELDS);
    }
}

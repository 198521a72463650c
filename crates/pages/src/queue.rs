//! A table's write lock: a nearly fair queue of writers.
//!
//! Handing the lock directly to a sleeping thread would idle the table until that thread is scheduled and force every newcomer to
//! sleep too: two context switches per short statement. So the first waiter is woken, and newcomers may overtake it until it runs;
//! after [`OVERTAKE_LIMIT`] the lock is handed to it directly. As most statements hold a table for some microseconds, who finds it
//! taken looks for [`SPIN_LIMIT`] whether it becomes free: one newcomer at a time, and the first waiter once it is woken. Newcomers
//! then yield for a while (`yielding`) before they sleep (`docs/decisions/0042-what-a-commit-costs.md` has the figures).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};
use rustix::thread::sched_getcpu;

use crate::error::{ErrorKind, Result};
use crate::wait_limit::assert_unpinned;
use crate::yielding::yield_until;

/// How long a wait goes on before it asks whether it was killed.
pub(crate) const KILL_CHECK: Duration = Duration::from_millis(50);
/// Who has waited for so long is overtaken no more. Longer than a turn takes with some hundred writers: a lock that is handed to sleepers
/// stands idle while each wakes, and whoever comes meanwhile has to sleep too.
const OVERTAKE_LIMIT: Duration = Duration::from_millis(50);
/// How long one looks whether the lock becomes free: some statements' time, and about what a sleep and a wake-up cost.
const SPIN_LIMIT: Duration = Duration::from_micros(20);

/// Spinning for somebody who cannot run at the same time is of no use.
static SEVERAL_CORES: LazyLock<bool> =
    LazyLock::new(|| std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1));

/// A fair lock that hands a value `T` from owner to owner.
pub(crate) struct WriteQueue<T> {
    state: Mutex<Turns<T>>,
    /// Somebody has the lock: a hint for those who spin.
    held: AtomicBool,
    /// The processor on which the lock was taken last: a hint for those who spin.
    processor: AtomicUsize,
    /// A newcomer spins.
    spinning: AtomicBool,
}

struct Turns<T> {
    owner: Option<u64>,
    value: Option<Box<T>>,
    waiting: VecDeque<Arc<Waiter>>,
    /// The first of the queue was woken and has not come yet.
    called: bool,
    closed: bool,
}

struct Waiter {
    owner: u64,
    since: Instant,
    woken: Condvar,
}

impl<T> Turns<T> {
    /// May somebody who comes now have the lock?
    fn is_free(&self) -> bool {
        self.owner.is_none() && self.may_overtake()
    }

    fn may_overtake(&self) -> bool {
        self.waiting.front().is_none_or(|first| first.since.elapsed() < OVERTAKE_LIMIT)
    }

    fn place(&self, waiter: &Arc<Waiter>) -> Option<usize> {
        self.waiting.iter().position(|w| Arc::ptr_eq(w, waiter))
    }
}

impl<T> WriteQueue<T> {
    pub(crate) fn new(value: Box<T>) -> WriteQueue<T> {
        let state =
            Turns { owner: None, value: Some(value), waiting: VecDeque::new(), called: false, closed: false };
        WriteQueue {
            state: Mutex::new(state),
            held: AtomicBool::new(false),
            processor: AtomicUsize::new(0),
            spinning: AtomicBool::new(false),
        }
    }

    /// Takes the lock when it is free.
    pub(crate) fn acquire_now(&self, owner: u64) -> Result<Option<Box<T>>> {
        let mut state = self.state.lock();
        if state.closed {
            return Err(ErrorKind::Stale.into());
        }
        if state.is_free() { self.take(&mut state, owner).map(Some) } else { Ok(None) }
    }

    /// Waits for its turn. `owner` zero is the store itself, which never holds it twice.
    pub(crate) fn acquire(&self, owner: u64, timeout: Duration, kill: &dyn Fn() -> bool) -> Result<Box<T>> {
        let mut state = self.state.lock();
        if state.closed {
            return Err(ErrorKind::Stale.into());
        }
        if state.is_free() {
            return self.take(&mut state, owner);
        }
        if owner != 0 && state.owner == Some(owner) {
            return Err(ErrorKind::AlreadyLocked.into());
        }
        assert_unpinned();
        let deadline = Instant::now().checked_add(timeout);
        let may_overtake = state.may_overtake();
        drop(state);
        if may_overtake && let Some(value) = self.overtake(owner)? {
            return Ok(value);
        }
        self.queue_up(owner, deadline, kill)
    }

    /// Gets the lock without sleeping, if it becomes free soon.
    fn overtake(&self, owner: u64) -> Result<Option<Box<T>>> {
        let try_it = || if self.held.load(Ordering::Relaxed) { Ok(None) } else { self.acquire_now(owner) };
        if *SEVERAL_CORES && !self.spinning.swap(true, Ordering::Relaxed) {
            self.spin();
            self.spinning.store(false, Ordering::Relaxed);
            if let Some(value) = try_it()? {
                return Ok(Some(value));
            }
        }
        yield_until(|| try_it().transpose()).transpose()
    }

    fn queue_up(&self, owner: u64, deadline: Option<Instant>, kill: &dyn Fn() -> bool) -> Result<Box<T>> {
        let mut state = self.state.lock();
        if state.closed {
            return Err(ErrorKind::Stale.into());
        }
        let waiter = Arc::new(Waiter { owner, since: Instant::now(), woken: Condvar::new() });
        state.waiting.push_back(waiter.clone());
        let mut waited = false;
        loop {
            if waited && state.place(&waiter) == Some(0) && state.owner.is_some() && *SEVERAL_CORES {
                MutexGuard::unlocked(&mut state, || self.spin());
            }
            let Some(place) = state.place(&waiter) else {
                // Taken off the queue: the lock was handed over, or the table is gone.
                return if state.closed {
                    Err(ErrorKind::Stale.into())
                } else {
                    self.take(&mut state, owner)
                };
            };
            if place == 0 {
                // Behind the last point at which the mutex was free: who calls from now on finds us asleep.
                state.called = false;
                if state.owner.is_none() {
                    state.waiting.pop_front();
                    return self.take(&mut state, owner);
                }
            }
            if !std::mem::replace(&mut waited, true) {
                let left = deadline
                    .map_or(KILL_CHECK, |d| d.saturating_duration_since(Instant::now()).min(KILL_CHECK));
                let timed_out = waiter.woken.wait_for(&mut state, left).timed_out();
                let forgotten = timed_out && state.place(&waiter) == Some(0) && state.owner.is_none();
                debug_assert!(!forgotten || state.called, "a free lock, and nobody was called");
                continue;
            }
            waited = false;
            // Who is asked may look at this queue. It may be our turn meanwhile.
            let error = if MutexGuard::unlocked(&mut state, kill) {
                ErrorKind::Killed
            } else if deadline.is_some_and(|d| Instant::now() >= d) {
                ErrorKind::LockTimeout
            } else {
                continue;
            };
            let Some(place) = state.place(&waiter) else { continue };
            state.waiting.remove(place);
            if place == 0 {
                // It may have been called while it was asked: the next is called in its place.
                state.called = !state.waiting.is_empty();
                if let Some(first) = state.waiting.front() {
                    first.woken.notify_one();
                }
            }
            return Err(error.into());
        }
    }

    /// Returns when the lock was free at some moment, or soon.
    fn spin(&self) {
        // Who took it on this processor does not run, since we do: it was preempted, and needs our time slice.
        if self.processor.load(Ordering::Relaxed) == sched_getcpu() {
            return;
        }
        let begun = Instant::now();
        while self.held.load(Ordering::Relaxed) && begun.elapsed() < SPIN_LIMIT {
            for _ in 0..16 {
                std::hint::spin_loop();
            }
        }
    }

    fn take(&self, state: &mut Turns<T>, owner: u64) -> Result<Box<T>> {
        state.owner = Some(owner);
        self.held.store(true, Ordering::Relaxed);
        self.processor.store(sched_getcpu(), Ordering::Relaxed);
        state.value.take().ok_or_else(|| ErrorKind::Misuse("write lock lost").into())
    }

    /// Whether somebody has the lock: a hint.
    pub(crate) fn is_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }

    /// Who has the lock.
    pub(crate) fn owner(&self) -> Option<u64> {
        self.state.lock().owner
    }

    /// Takes the lock if nobody has it and nobody waits.
    pub(crate) fn try_acquire(&self) -> Option<Box<T>> {
        let mut state = self.state.lock();
        if state.closed || state.owner.is_some() || !state.waiting.is_empty() {
            return None;
        }
        self.take(&mut state, 0).ok()
    }

    /// Gives the lock back; the longest waiting is woken, and gets it if it has waited long.
    pub(crate) fn release(&self, value: Box<T>) {
        let mut state = self.state.lock();
        state.value = Some(value);
        state.owner = None;
        self.held.store(false, Ordering::Relaxed);
        let Some(first) = state.waiting.front().cloned() else { return };
        if first.since.elapsed() >= OVERTAKE_LIMIT {
            // Owned by the next already, so that nobody overtakes it while it wakes.
            state.waiting.pop_front();
            state.owner = Some(first.owner);
            self.held.store(true, Ordering::Relaxed);
            state.called = false;
        } else if std::mem::replace(&mut state.called, true) {
            return;
        }
        drop(state);
        first.woken.notify_one();
    }

    /// Ends the queue: all who wait, and all who come, get `Stale`.
    pub(crate) fn close(&self, value: Box<T>) {
        let mut state = self.state.lock();
        state.closed = true;
        state.value = Some(value);
        state.owner = None;
        self.held.store(false, Ordering::Relaxed);
        for waiter in state.waiting.drain(..) {
            waiter.woken.notify_one();
        }
    }

    /// What a closed queue was left with.
    pub(crate) fn take_closed(&self) -> Option<Box<T>> {
        let mut state = self.state.lock();
        if state.closed { state.value.take() } else { None }
    }

    pub(crate) fn get_mut(&mut self) -> &mut Option<Box<T>> {
        &mut self.state.get_mut().value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn never() -> bool {
        false
    }

    #[test]
    fn writers_come_in_order() {
        let queue = Arc::new(WriteQueue::new(Box::new(Vec::new())));
        let arrived = Arc::new(AtomicUsize::new(0));
        let first = queue.acquire(100, Duration::ZERO, &never).unwrap();
        let threads: Vec<_> = (0..5)
            .map(|i| {
                while queue.state.lock().waiting.len() < i {
                    std::thread::yield_now();
                }
                let (queue, arrived) = (queue.clone(), arrived.clone());
                std::thread::spawn(move || {
                    let mut value = queue.acquire(i as u64, Duration::from_secs(10), &never).unwrap();
                    value.push(i);
                    arrived.fetch_add(1, Ordering::Relaxed);
                    queue.release(value);
                })
            })
            .collect();
        while queue.state.lock().waiting.len() < 5 {
            std::thread::yield_now();
        }
        assert_eq!(arrived.load(Ordering::Relaxed), 0);
        queue.release(first);
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert_eq!(*queue.acquire(9, Duration::ZERO, &never).unwrap(), [0, 1, 2, 3, 4]);
    }

    /// Short turns of more threads than cores: every way into the lock is taken (free, spun for, woken, handed over), and the
    /// assertion in `acquire` sees a sleeper that was forgotten.
    #[test]
    fn nobody_is_forgotten() {
        let queue = WriteQueue::new(Box::new(0_u64));
        let (threads, turns) = (8, 3000);
        std::thread::scope(|scope| {
            for owner in 1..=threads {
                let queue = &queue;
                scope.spawn(move || {
                    for turn in 0..turns {
                        let mut value = queue.acquire(owner, Duration::from_secs(60), &never).unwrap();
                        *value += 1;
                        if turn % 64 == 0 {
                            // Longer than anybody spins or yields.
                            std::thread::sleep(Duration::from_millis(1));
                        }
                        queue.release(value);
                    }
                });
            }
        });
        assert_eq!(*queue.acquire(1, Duration::ZERO, &never).unwrap(), threads * turns);
    }

    #[test]
    fn a_wait_ends_by_time_kill_and_closing() {
        let queue = WriteQueue::new(Box::new(()));
        let held = queue.acquire(1, Duration::ZERO, &never).unwrap();
        let error = |result: Result<Box<()>>| format!("{:?}", result.err().map(|e| e.kind().to_string()));
        assert!(error(queue.acquire(1, Duration::ZERO, &never)).contains("already held"));
        assert!(error(queue.acquire(2, Duration::from_millis(5), &never)).contains("timeout"));
        assert!(error(queue.acquire(2, Duration::from_secs(9), &|| true)).contains("killed"));
        assert!(queue.try_acquire().is_none());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| queue.acquire(2, Duration::from_secs(9), &never));
            while queue.state.lock().waiting.is_empty() {
                std::thread::yield_now();
            }
            queue.close(held);
            assert!(error(waiting.join().unwrap()).contains("stale"));
        });
        assert!(error(queue.acquire(3, Duration::ZERO, &never)).contains("stale"));
    }
}

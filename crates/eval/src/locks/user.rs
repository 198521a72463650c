//! The named locks of GET_LOCK.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::{Waiter, Waiting, Weight};
use crate::error::{self, SqlResult};

/// How often a wait is looked after.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

struct Held {
    owner: u64,
    times: u32,
}

/// All named locks.
#[derive(Default)]
pub struct UserLocks {
    held: Mutex<HashMap<String, Held>>,
    freed: Condvar,
}

impl UserLocks {
    /// GET_LOCK: true when obtained, false when time ran out.
    fn obtain(&self, name: &str, waiter: &Waiter) -> SqlResult<bool> {
        let owner = waiter.id();
        let waiting = waiter.begin("User lock", Weight::Other);
        let mut table = self.held.lock();
        loop {
            let holder = match table.get_mut(name) {
                None => {
                    table.insert(name.to_string(), Held { owner, times: 1 });
                    return Ok(true);
                }
                Some(held) if held.owner == owner => {
                    held.times += 1;
                    return Ok(true);
                }
                Some(held) => held.owner,
            };
            pages::assert_unpinned();
            match waiting.check(|| vec![holder]) {
                Err(e) if e.code == error::ER_LOCK_WAIT_TIMEOUT => return Ok(false),
                other => other?,
            }
            waiting.wait_on(&self.freed, &mut table, POLL_INTERVAL)?;
        }
    }

    fn release(&self, owner: u64, name: &str) -> Option<i64> {
        let mut table = self.held.lock();
        let held = table.get_mut(name)?;
        if held.owner != owner {
            return Some(0);
        }
        held.times -= 1;
        if held.times == 0 {
            table.remove(name);
            self.freed.notify_all();
        }
        Some(1)
    }

    /// Releases all of a connection, and tells how many.
    pub fn release_all(&self, owner: u64) -> i64 {
        let mut table = self.held.lock();
        let mut count = 0;
        table.retain(|_, held| {
            let own = held.owner == owner;
            if own {
                count += i64::from(held.times);
            }
            !own
        });
        if count > 0 {
            self.freed.notify_all();
        }
        count
    }
}

/// The named locks as a session has them, and its sleep.
pub struct SessionLocks {
    locks: Arc<UserLocks>,
    waiter: Waiter,
}

impl SessionLocks {
    /// Of a connection, which waits as `waiter`.
    pub fn new(locks: &Arc<UserLocks>, waiter: Waiter) -> SessionLocks {
        SessionLocks { locks: Arc::clone(locks), waiter }
    }

    /// Takes the lock: 1 taken, 0 timeout. `timeout` in seconds, negative = forever.
    ///
    /// # Errors
    /// 1317 when killed, 1213 on a deadlock.
    pub fn get(&self, name: &str, timeout: f64) -> SqlResult<i64> {
        let timeout = if timeout < 0.0 { f64::MAX } else { timeout };
        let timeout = Duration::try_from_secs_f64(timeout).unwrap_or(Duration::from_secs(u64::MAX / 4));
        let waiter = self.waiter.clone().with_timeout(timeout);
        self.locks.obtain(name, &waiter).map(i64::from)
    }

    /// Releases it: 1 released, 0 held by another, `None` nobody holds it.
    pub fn release(&self, name: &str) -> Option<i64> {
        self.locks.release(self.waiter.id(), name)
    }

    /// Releases all of the session and tells how many.
    pub fn release_all(&self) -> i64 {
        self.locks.release_all(self.waiter.id())
    }

    /// The connection that holds it.
    pub fn holder(&self, name: &str) -> Option<u64> {
        self.locks.held.lock().get(name).map(|h| h.owner)
    }

    /// SLEEP: returns at that moment, or when the statement or its client is gone.
    pub fn sleep(&self, until: Instant) {
        pages::assert_unpinned();
        let waiting: Waiting<'_> = self.waiter.begin("User sleep", Weight::Rows);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || waiting.check_untimed(Vec::new).is_err() {
                return;
            }
            std::thread::sleep(left.min(Duration::from_millis(20)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locks::WaitGraph;
    use crate::status::connection::{Connections, KillLevel};

    fn session(all: &Connections, graph: &Arc<WaitGraph>, locks: &Arc<UserLocks>) -> (SessionLocks, u64) {
        let connection = all.add(0, "u", "h", 10).expect("room");
        let id = connection.id;
        (SessionLocks::new(locks, Waiter::new(&connection, graph, Duration::ZERO)), id)
    }

    #[test]
    fn locks_are_counted_and_waited_for() {
        let (all, graph, locks) = (Connections::default(), Arc::default(), Arc::default());
        let (a, first) = session(&all, &graph, &locks);
        let (b, second) = session(&all, &graph, &locks);
        assert_eq!(a.get("a", 0.0).expect("free"), 1);
        assert_eq!(a.get("a", 0.0).expect("own"), 1);
        assert_eq!(b.get("a", 0.005).expect("waits"), 0);
        assert_eq!(b.release("a"), Some(0));
        assert_eq!(a.release("a"), Some(1));
        assert_eq!(a.holder("a"), Some(first));
        let waiter = std::thread::spawn(move || (b.get("a", 5.0).expect("gets it"), b));
        assert_eq!(a.release("a"), Some(1));
        let (got, b) = waiter.join().expect("ends");
        assert_eq!(got, 1);
        assert_eq!(a.release("x"), None);
        assert_eq!(b.release_all(), 1);
        assert_eq!(a.get("a", 0.0).expect("free"), 1);
        all.find(second).expect("there").kill(KillLevel::Query);
        assert_eq!(b.get("a", 5.0).expect_err("killed").code, 1317);
    }

    #[test]
    fn a_cycle_is_a_deadlock_and_a_client_that_went_is_no_waiter() {
        let (all, graph, locks) = (Connections::default(), Arc::default(), Arc::default());
        let (a, first) = session(&all, &graph, &locks);
        let (b, _) = session(&all, &graph, &locks);
        assert_eq!(a.get("a", 0.0).expect("free"), 1);
        assert_eq!(b.get("b", 0.0).expect("free"), 1);
        let waiter = std::thread::spawn(move || (a.get("b", 20.0).map_err(|e| e.code), a));
        std::thread::sleep(Duration::from_millis(20));
        let e = b.get("a", 20.0).expect_err("cycle");
        assert_eq!(e.code, error::ER_LOCK_DEADLOCK);
        b.release_all();
        let (got, a) = waiter.join().expect("ends");
        assert_eq!(got, Ok(1));
        assert_eq!(b.get("c", 0.0).expect("free"), 1);
        all.find(first).expect("there").set_client(Some(Arc::new(|| true)));
        assert_eq!(a.get("c", 20.0).expect_err("gone").code, error::ER_CONNECTION_KILLED);
    }
}

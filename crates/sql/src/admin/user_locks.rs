//! The named locks of GET_LOCK.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::error::{self, SqlError, SqlResult};

/// How often a waiter looks whether it was killed.
const LOOK: Duration = Duration::from_millis(50);

struct Held {
    owner: u64,
    times: u32,
}

#[derive(Default)]
struct Table {
    held: HashMap<String, Held>,
    /// Which name each waiting connection waits for, to find cycles.
    waiting: HashMap<u64, String>,
}

/// All named locks.
#[derive(Default)]
pub struct UserLocks {
    table: Mutex<Table>,
    freed: Condvar,
}

impl UserLocks {
    /// GET_LOCK: true when obtained, false when time ran out.
    fn obtain(
        &self,
        owner: u64,
        name: &str,
        timeout: Duration,
        killed: &dyn Fn() -> SqlResult<()>,
    ) -> SqlResult<bool> {
        let deadline = Instant::now().checked_add(timeout);
        let mut table = self.table.lock();
        loop {
            match table.held.get_mut(name) {
                None => {
                    table.held.insert(name.to_string(), Held { owner, times: 1 });
                    table.waiting.remove(&owner);
                    return Ok(true);
                }
                Some(held) if held.owner == owner => {
                    held.times += 1;
                    table.waiting.remove(&owner);
                    return Ok(true);
                }
                Some(_) => {}
            }
            let result = if table.closes_cycle(owner, name) {
                Err(SqlError::new(error::ER_LOCK_DEADLOCK, &[]))
            } else {
                killed().map(|()| deadline.is_some_and(|d| Instant::now() >= d))
            };
            match result {
                Ok(false) => {}
                Ok(true) => {
                    table.waiting.remove(&owner);
                    return Ok(false);
                }
                Err(e) => {
                    table.waiting.remove(&owner);
                    return Err(e);
                }
            }
            table.waiting.entry(owner).or_insert_with(|| name.to_string());
            let left = deadline.map_or(LOOK, |d| d.saturating_duration_since(Instant::now()));
            self.freed.wait_for(&mut table, left.min(LOOK));
        }
    }
}

impl crate::expr::UserLocks for UserLocks {
    fn get(&self, connection: u64, name: &str, timeout: f64, kill: &AtomicU32) -> SqlResult<i64> {
        let timeout = if timeout < 0.0 { f64::MAX } else { timeout };
        let timeout = Duration::try_from_secs_f64(timeout).unwrap_or(Duration::from_secs(u64::MAX / 4));
        let killed = || match kill.load(Ordering::Relaxed) {
            0 => Ok(()),
            _ => Err(SqlError::new(error::ER_QUERY_INTERRUPTED, &[])),
        };
        self.obtain(connection, name, timeout, &killed).map(i64::from)
    }

    fn release(&self, connection: u64, name: &str) -> Option<i64> {
        let mut table = self.table.lock();
        let held = table.held.get_mut(name)?;
        if held.owner != connection {
            return Some(0);
        }
        held.times -= 1;
        if held.times == 0 {
            table.held.remove(name);
            self.freed.notify_all();
        }
        Some(1)
    }

    fn release_all(&self, connection: u64) -> i64 {
        let mut table = self.table.lock();
        let mut count = 0;
        table.held.retain(|_, held| {
            let own = held.owner == connection;
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

    fn holder(&self, name: &str) -> Option<u64> {
        self.table.lock().held.get(name).map(|h| h.owner)
    }
}

impl Table {
    /// Whether the holder of `name` waits, directly or not, for `owner`.
    fn closes_cycle(&self, owner: u64, name: &str) -> bool {
        let mut name = name;
        for _ in 0..=self.waiting.len() {
            let Some(held) = self.held.get(name) else { return false };
            if held.owner == owner {
                return true;
            }
            match self.waiting.get(&held.owner) {
                Some(next) => name = next,
                None => return false,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::UserLocks as _;
    use std::sync::Arc;

    #[test]
    fn locks_are_counted_and_waited_for() {
        let locks = Arc::new(UserLocks::default());
        let alive = AtomicU32::new(0);
        assert_eq!(locks.get(1, "a", 0.0, &alive).expect("free"), 1);
        assert_eq!(locks.get(1, "a", 0.0, &alive).expect("own"), 1);
        assert_eq!(locks.get(2, "a", 0.005, &alive).expect("waits"), 0);
        assert_eq!(locks.release(2, "a"), Some(0));
        assert_eq!(locks.release(1, "a"), Some(1));
        assert_eq!(locks.holder("a"), Some(1));
        let other = Arc::clone(&locks);
        let waiter = std::thread::spawn(move || other.get(2, "a", 5.0, &AtomicU32::new(0)).expect("gets it"));
        assert_eq!(locks.release(1, "a"), Some(1));
        assert_eq!(waiter.join().expect("ends"), 1);
        assert_eq!(locks.release(1, "x"), None);
        assert_eq!(locks.release_all(2), 1);
        assert_eq!(locks.get(1, "a", 0.0, &alive).expect("free"), 1);
        assert_eq!(locks.get(2, "a", 5.0, &AtomicU32::new(1)).expect_err("killed").code, 1317);
    }

    #[test]
    fn a_cycle_is_a_deadlock() {
        let locks = Arc::new(UserLocks::default());
        let alive = AtomicU32::new(0);
        assert_eq!(locks.get(1, "a", 0.0, &alive).expect("free"), 1);
        assert_eq!(locks.get(2, "b", 0.0, &alive).expect("free"), 1);
        let other = Arc::clone(&locks);
        let waiter =
            std::thread::spawn(move || other.get(1, "b", 20.0, &AtomicU32::new(0)).expect("gets it"));
        while locks.table.lock().waiting.is_empty() {
            std::thread::yield_now();
        }
        let e = locks.get(2, "a", 20.0, &alive).expect_err("cycle");
        assert_eq!(e.code, error::ER_LOCK_DEADLOCK);
        locks.release_all(2);
        assert_eq!(waiter.join().expect("ends"), 1);
    }
}

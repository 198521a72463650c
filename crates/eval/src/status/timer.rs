//! `max_statement_time`: a thread that ends statements when their time is up.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::connection::{Connection, KillLevel};

/// The statements that have a limit, by the moment of its end.
#[derive(Default)]
pub struct StatementTimers(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    statements: BTreeMap<Due, Arc<Connection>>,
    next: u64,
    /// The thread runs.
    tended: bool,
    stop: bool,
}

/// The moment, and a number of its own.
pub type Due = (Instant, u64);

impl StatementTimers {
    /// Gives the connection's running statement so many seconds. `None`: as many as there are.
    pub fn arm(&self, connection: &Arc<Connection>, seconds: f64) -> Option<Due> {
        let at = Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?)?;
        let mut waiting = self.0.waiting.lock();
        waiting.next += 1;
        let due = (at, waiting.next);
        let first = waiting.statements.first_key_value().is_none_or(|(other, _)| due < *other);
        waiting.statements.insert(due, Arc::clone(connection));
        if !waiting.tended {
            let shared = Arc::clone(&self.0);
            let made = std::thread::Builder::new().name("isam-timer".into()).spawn(move || shared.tend());
            waiting.tended = made.is_ok();
        } else if first {
            self.0.changed.notify_one();
        }
        Some(due)
    }

    /// The statement has ended: when this returns its limit does nothing any more.
    pub fn disarm(&self, due: Due) {
        self.0.waiting.lock().statements.remove(&due);
    }
}

impl Drop for StatementTimers {
    fn drop(&mut self) {
        self.0.waiting.lock().stop = true;
        self.0.changed.notify_one();
    }
}

impl Shared {
    fn tend(&self) {
        let mut waiting = self.waiting.lock();
        while !waiting.stop {
            let Some(first) = waiting.statements.first_entry() else {
                self.changed.wait(&mut waiting);
                continue;
            };
            let (at, _) = *first.key();
            if at <= Instant::now() {
                // Under the lock: who disarms it afterwards knows that it will not come later.
                first.remove().kill(KillLevel::Timeout);
            } else {
                self.changed.wait_until(&mut waiting, at);
            }
        }
    }
}

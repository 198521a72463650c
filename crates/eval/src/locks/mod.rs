//! Waiting for other sessions: for how long, what ends it, and who waits for whom.
//!
//! `docs/decisions/0060-waiting.md` lists all waits of the server.

pub mod branches;
pub mod global_read;
pub mod graph;
pub mod names;
pub mod transactions;
pub mod user;

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use graph::{WaitGraph, Weight};

use pages::PagedTable;
use parking_lot::{Condvar, MutexGuard};

use crate::error::{self, SqlError, SqlResult};
use crate::failure::from_pages;
use crate::status::Connection;

/// The cycle and the client are looked for so often.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A session that may have to wait.
#[derive(Clone)]
pub struct Waiter {
    connection: Option<Arc<Connection>>,
    graph: Arc<WaitGraph>,
    /// How long it waits.
    pub timeout: Duration,
}

impl Waiter {
    /// A session as one that waits.
    pub fn new(connection: &Arc<Connection>, graph: &Arc<WaitGraph>, timeout: Duration) -> Waiter {
        Waiter { connection: Some(Arc::clone(connection)), graph: Arc::clone(graph), timeout }
    }

    /// The server itself, at its start and for its own tables.
    pub fn server() -> Waiter {
        Waiter { connection: None, graph: Arc::default(), timeout: Duration::from_secs(3600) }
    }

    /// Whose locks they become.
    pub fn id(&self) -> u64 {
        self.connection.as_ref().map_or(0, |c| c.id)
    }

    /// The same, with another patience.
    pub fn with_timeout(self, timeout: Duration) -> Waiter {
        Waiter { timeout, ..self }
    }

    /// Whether its statement goes on, for work between two waits.
    ///
    /// # Errors
    /// 1317, 1927 and 1969.
    pub fn check_killed(&self) -> SqlResult<()> {
        self.connection.as_ref().map_or(Ok(()), |connection| connection.check_killed())
    }

    /// A wait that may begin now. Costs nothing until something is asked of it.
    pub fn begin(&self, state: &'static str, weight: Weight) -> Waiting<'_> {
        Waiting {
            waiter: self,
            state: Cell::new(state),
            weight,
            until: Cell::new(None),
            looked: Cell::new(None),
            begun: Cell::new(None),
            deadlock: Cell::new(false),
        }
    }
}

/// A wait.
pub struct Waiting<'w> {
    waiter: &'w Waiter,
    /// What the list of processes shows.
    state: Cell<&'static str>,
    weight: Weight,
    until: Cell<Option<Option<Instant>>>,
    looked: Cell<Option<Instant>>,
    /// When it was looked first.
    begun: Cell<Option<Instant>>,
    deadlock: Cell<bool>,
}

impl Waiting<'_> {
    fn until(&self) -> Option<Instant> {
        match self.until.get() {
            Some(until) => until,
            None => {
                let until = Instant::now().checked_add(self.waiter.timeout);
                self.until.set(Some(until));
                until
            }
        }
    }

    /// How long to sleep before the next look.
    pub fn sleep_time(&self, at_most: Duration) -> Duration {
        self.until().map_or(at_most, |until| until.saturating_duration_since(Instant::now()).min(at_most))
    }

    /// Whether to wait on for others.
    ///
    /// # Errors
    /// 1205 after the timeout, 1213 in a cycle, 1317 and 1927 when killed or without a client.
    pub fn check(&self, on: impl FnOnce() -> Vec<u64>) -> SqlResult<()> {
        self.check_untimed(on)?;
        if self.until().is_some_and(|until| Instant::now() >= until) {
            return Err(SqlError::new(error::ER_LOCK_WAIT_TIMEOUT, &[]));
        }
        Ok(())
    }

    /// As [`Waiting::check`] for who keeps the time itself.
    ///
    /// # Errors
    /// 1213 in a cycle, 1317 and 1927 when killed or without a client.
    pub fn check_untimed(&self, on: impl FnOnce() -> Vec<u64>) -> SqlResult<()> {
        let Some(connection) = &self.waiter.connection else { return Ok(()) };
        connection.check_killed()?;
        if self.looked.get().is_none() {
            connection.set_state(self.state.get());
            self.begun.set(Some(Instant::now()));
        } else if self.looked.get().is_some_and(|last| last.elapsed() < POLL_INTERVAL) {
            return Ok(());
        }
        self.looked.set(Some(Instant::now()));
        connection.look_for_client();
        connection.check_killed()?;
        if self.waiter.graph.record_wait(connection.id, self.weight, on()) {
            self.deadlock.set(true);
            return Err(SqlError::new(error::ER_LOCK_DEADLOCK, &[]));
        }
        Ok(())
    }

    /// Waits on the condition variable `freed`, for `at_most` and not past the deadline. A session killed meanwhile must not take the
    /// lock that became free.
    ///
    /// # Errors
    /// 1317 and 1927.
    pub fn wait_on<T>(
        &self,
        freed: &Condvar,
        state: &mut MutexGuard<'_, T>,
        at_most: Duration,
    ) -> SqlResult<()> {
        freed.wait_for(state, self.sleep_time(at_most));
        self.waiter.connection.as_ref().map_or(Ok(()), |connection| connection.check_killed())
    }

    /// Whether to give up waiting for a table, for the page store.
    pub fn should_give_up(
        &self,
        table: &PagedTable,
        name: (&str, &str),
        names: &names::MetadataLocks,
    ) -> bool {
        if self.looked.get().is_none() && names.is_locked_for_writing(name.0, name.1) {
            self.state.set("Waiting for table metadata lock");
        }
        self.check_untimed(|| {
            let Some(connection) = &self.waiter.connection else { return Vec::new() };
            let mut owners = table.blockers_of(connection.id);
            if owners.iter().any(|owner| *owner > u64::MAX / 2) {
                // Held for reading, by all who do.
                owners = names.lock_tables_owners(name.0, name.1);
                owners.retain(|owner| *owner != connection.id);
            }
            owners
        })
        .is_err()
    }

    /// Whether to give up waiting for who has one of these tables alone, for the page store.
    pub fn should_give_up_exclusive(&self, tables: &[&Arc<PagedTable>]) -> bool {
        self.check_untimed(|| tables.iter().filter_map(|t| t.exclusive_owner()).collect()).is_err()
    }

    /// The error of the page store that ended the wait, as the client sees it.
    pub fn error(&self, e: &pages::Error, table: &str) -> SqlError {
        if self.deadlock.get() {
            return SqlError::new(error::ER_LOCK_DEADLOCK, &[]);
        }
        let killed = self.waiter.connection.as_ref().and_then(|c| c.check_killed().err());
        match (e.kind(), killed) {
            (pages::ErrorKind::Killed, Some(killed)) => killed,
            _ => from_pages(e, table),
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let (Some(connection), Some(_)) = (&self.waiter.connection, self.looked.get()) {
            self.waiter.graph.done(connection.id);
            connection.set_state("");
            if let Some(begun) = self.begun.get() {
                connection.add_wait(begun);
            }
        }
    }
}

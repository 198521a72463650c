//! Metadata locks, on the names of tables and databases.
//!
//! Statements that read and change rows hold no names: the page store knows who uses which table, and [`transactions`] which an open
//! transaction has used. Names are held by definition statements, by LOCK TABLES, by open handlers, and while a table is opened.
//! A statement asks for all its names at once and before it asks for tables; who holds a table longer than a statement holds its
//! name, too.
//!
//! [`transactions`]: super::transactions

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::transactions::{Running, TransactionTables};
use super::{Waiter, Weight};
use crate::error::SqlResult;

/// Database and table; no table stands for the whole database.
pub type Name = (Arc<str>, Arc<str>);

/// What a name is held for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Opening the table: its files must not move.
    Open,
    /// HANDLER ... OPEN: for as long as nobody is in a hurry, see [`PATIENCE`].
    Handler,
    /// LOCK TABLES ... READ.
    Read,
    /// LOCK TABLES ... READ LOCAL.
    ReadLocal,
    /// LOCK TABLES ... WRITE CONCURRENT.
    WriteConcurrent,
    /// The same where there are gaps among the rows: others wait, but HANDLER ... OPEN does not.
    ConcurrentAlone,
    /// LOCK TABLES ... WRITE.
    Write,
    /// A definition statement.
    Ddl,
}

impl Mode {
    fn allows(self, other: Mode) -> bool {
        use Mode as M;
        matches!(
            (self, other),
            (M::Open, M::Read | M::ReadLocal | M::WriteConcurrent | M::Write)
                | (M::Open, M::ConcurrentAlone)
                | (M::Read | M::ReadLocal | M::WriteConcurrent | M::ConcurrentAlone | M::Write, M::Open)
                | (M::Read | M::ReadLocal, M::Read | M::ReadLocal)
                | (M::ReadLocal, M::WriteConcurrent)
                | (M::WriteConcurrent, M::ReadLocal)
                | (M::Handler, M::Open | M::Handler)
                | (M::Handler, M::Read | M::ReadLocal | M::WriteConcurrent | M::ConcurrentAlone | M::Write)
                | (M::Open | M::Read | M::ReadLocal, M::Handler)
                | (M::WriteConcurrent | M::ConcurrentAlone | M::Write, M::Handler)
        )
    }
}

fn clash(a: &(Name, Mode), b: &(Name, Mode)) -> bool {
    let ((a, mode), (b, other)) = (a, b);
    a.0 == b.0 && (a.1 == b.1 || a.1.is_empty() || b.1.is_empty()) && !mode.allows(*other)
}

/// A request, waiting or granted.
struct Entry {
    ticket: u64,
    owner: u64,
    names: Vec<(Name, Mode)>,
    /// Transactions that were running when a definition statement or LOCK TABLES ... WRITE asked.
    transactions: Vec<Running>,
    /// Its own transaction has used all of these tables: who waits for it must not be waited for.
    used: bool,
}

#[derive(Default)]
struct Names {
    held: Vec<Entry>,
    /// In the order they came.
    asked: Vec<Entry>,
    tickets: u64,
    /// Of all sessions that have had a transaction.
    transactions: Vec<Weak<TransactionTables>>,
}

/// All names that are held.
#[derive(Default)]
pub struct MetadataLocks {
    state: Mutex<Names>,
    freed: Condvar,
    /// How many wait: the end of a transaction wakes them.
    waiting: AtomicUsize,
}

/// Holds names until it is dropped.
pub struct MetadataLockGuard {
    names: Arc<MetadataLocks>,
    ticket: u64,
}

/// How often a wait is looked after.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How long a definition statement waits for transactions, and for handlers, whose sessions give names up when they run another
/// statement: then it goes ahead, and they find their table defined anew.
const PATIENCE: Duration = Duration::from_secs(10);

impl Names {
    /// The transactions of others that have used what a request defines anew, or locks for writing.
    fn transactions_of(&mut self, of: &Entry) -> Vec<Running> {
        let alone = of.names.iter().filter(|n| matches!(n.1, Mode::Ddl | Mode::Write));
        let names: Vec<&Name> = alone.map(|n| &n.0).collect();
        if names.is_empty() {
            return Vec::new();
        }
        self.transactions.retain(|t| t.strong_count() > 0);
        let others = self.transactions.iter().filter_map(Weak::upgrade).filter(|t| t.owner() != of.owner);
        others.filter_map(|t| t.running(&names)).collect()
    }

    /// Whether the transaction of a session has used these tables.
    fn has_used(&self, owner: u64, names: &[(Name, Mode)]) -> bool {
        let mut own = self.transactions.iter().filter_map(Weak::upgrade);
        own.any(|t| owner != 0 && t.owner() == owner && names.iter().all(|n| t.running(&[&n.0]).is_some()))
    }

    /// Who is in the way of a request; handlers and transactions only as long as it is `patient`.
    fn blockers(&self, of: &Entry, patient: bool) -> Vec<u64> {
        let is_handler = |e: &Entry| e.names.iter().all(|n| n.1 == Mode::Handler);
        let clashes = |e: &&Entry| {
            (e.owner != of.owner || of.owner == 0)
                && e.names.iter().any(|held| of.names.iter().any(|n| clash(held, n)))
        };
        let held = self.held.iter().filter(|e| patient || !is_handler(e));
        let mut owners: Vec<u64> = held.filter(clashes).map(|e| e.owner).collect();
        if patient {
            owners.extend(of.transactions.iter().filter_map(Running::owner));
        }
        // Who holds names already goes first: others wait for it. And so does what is over soon.
        let first = of.used
            || of.names.iter().all(|n| n.1 == Mode::Open)
            || self.held.iter().any(|e| {
                e.owner == of.owner && e.names.iter().any(|n| !matches!(n.1, Mode::Open | Mode::Handler))
            });
        if !first {
            let earlier = self.asked.iter().filter(|e| e.ticket < of.ticket);
            owners.extend(earlier.filter(clashes).map(|e| e.owner));
        }
        owners
    }
}

impl MetadataLocks {
    /// Holds names for `owner`, all at once; what it holds itself is never in its way.
    ///
    /// # Errors
    /// 1205, 1213, 1317, 1927.
    pub fn hold(
        self: &Arc<MetadataLocks>,
        names: Vec<(Name, Mode)>,
        owner: u64,
        waiter: impl FnOnce() -> Waiter,
    ) -> SqlResult<MetadataLockGuard> {
        let mut state = self.state.lock();
        state.tickets += 1;
        let used = state.has_used(owner, &names);
        let mut entry = Entry { ticket: state.tickets, owner, names, transactions: Vec::new(), used };
        entry.transactions = state.transactions_of(&entry);
        let hold = MetadataLockGuard { names: Arc::clone(self), ticket: entry.ticket };
        if state.blockers(&entry, true).is_empty() {
            state.held.push(entry);
            return Ok(hold);
        }
        pages::assert_unpinned();
        let mut waiter = waiter();
        if entry.names.iter().all(|n| n.1 == Mode::Open) {
            // Another session may be opening it just now.
            waiter.timeout = waiter.timeout.max(POLL_INTERVAL * 2);
        }
        let light = entry
            .names
            .iter()
            .all(|n| matches!(n.1, Mode::Open | Mode::Handler | Mode::Read | Mode::ReadLocal));
        let weight = if light { Weight::Rows } else { Weight::Other };
        let waiting = waiter.begin("Waiting for table metadata lock", weight);
        let ticket = entry.ticket;
        state.asked.push(entry);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        let result = loop {
            let Some(at) = state.asked.iter().position(|e| e.ticket == ticket) else {
                break Err(crate::error::SqlError::internal("a request for a name is gone"));
            };
            let blockers = state.blockers(&state.asked[at], begun.elapsed() < PATIENCE);
            if blockers.is_empty() {
                let entry = state.asked.remove(at);
                state.held.push(entry);
                break Ok(());
            }
            let rested = waiting
                .check(|| blockers)
                .and_then(|()| waiting.wait_on(&self.freed, &mut state, POLL_INTERVAL));
            if let Err(e) = rested {
                state.asked.retain(|entry| entry.ticket != ticket);
                break Err(e);
            }
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        drop(state);
        match result {
            Ok(()) => Ok(hold),
            Err(e) => {
                // Others may have waited behind it.
                self.freed.notify_all();
                Err(e)
            }
        }
    }

    /// The list of a session, for the tables that its transactions use.
    pub fn tables_of_transactions(&self, owner: u64) -> Arc<TransactionTables> {
        let tables = Arc::new(TransactionTables::new(owner));
        let all = &mut self.state.lock().transactions;
        // before it grows: lists of sessions that have ended
        if all.len() == all.capacity() {
            all.retain(|t| t.strong_count() > 0);
        }
        all.push(Arc::downgrade(&tables));
        tables
    }

    /// The transaction of a session has ended.
    pub fn end_transaction(&self, tables: &TransactionTables) {
        // who begins to wait meanwhile looks again after a moment
        if tables.end() && self.waiting.load(Ordering::Relaxed) > 0 {
            self.freed.notify_all();
        }
    }

    /// Whether somebody waits for a name that a handler of `owner` holds.
    pub fn is_handler_in_the_way(&self, name: &Name, owner: u64) -> bool {
        let held = (name.clone(), Mode::Handler);
        let state = self.state.lock();
        state.asked.iter().any(|e| e.owner != owner && e.names.iter().any(|n| clash(&held, n)))
    }

    /// Whether handlers of others than `owner` hold a table.
    pub fn is_held_by_other_handlers(&self, name: &Name, owner: u64) -> bool {
        let state = self.state.lock();
        let is = |(held, mode): &(Name, Mode)| *mode == Mode::Handler && held == name;
        state.held.iter().any(|e| e.owner != owner && e.names.iter().any(is))
    }

    /// Whether LOCK TABLES has a table alone.
    pub fn is_locked_for_writing(&self, db: &str, table: &str) -> bool {
        self.is_held_in(&[Mode::Write, Mode::ConcurrentAlone], db, table)
    }

    /// Whether LOCK TABLES ... WRITE has a table alone, not WRITE CONCURRENT.
    pub fn is_locked_alone(&self, db: &str, table: &str) -> bool {
        self.is_held_in(&[Mode::Write], db, table)
    }

    fn is_held_in(&self, modes: &[Mode], db: &str, table: &str) -> bool {
        let state = self.state.lock();
        let is = |(name, mode): &(Name, Mode)| modes.contains(mode) && *name.0 == *db && *name.1 == *table;
        state.held.iter().any(|e| e.names.iter().any(is))
    }

    /// The sessions that hold a table by LOCK TABLES.
    pub fn lock_tables_owners(&self, db: &str, table: &str) -> Vec<u64> {
        let state = self.state.lock();
        let is = |(name, mode): &(Name, Mode)| {
            !matches!(mode, Mode::Open | Mode::Handler | Mode::Ddl) && *name.0 == *db && *name.1 == *table
        };
        state.held.iter().filter(|e| e.names.iter().any(is)).map(|e| e.owner).collect()
    }
}

impl MetadataLockGuard {
    /// Gives up one of the names.
    pub fn give_up(&self, db: &str, table: &str) {
        let mut state = self.names.state.lock();
        for e in state.held.iter_mut().filter(|e| e.ticket == self.ticket) {
            e.names.retain(|(name, _)| *name.0 != *db || *name.1 != *table);
        }
        drop(state);
        self.names.freed.notify_all();
    }
}

impl Drop for MetadataLockGuard {
    fn drop(&mut self) {
        let mut state = self.names.state.lock();
        let before = state.held.len();
        state.held.retain(|e| e.ticket != self.ticket);
        let held = state.held.len() < before;
        drop(state);
        if held {
            self.names.freed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(table: &str) -> Name {
        ("d".into(), table.into())
    }

    fn at_once(names: &Arc<MetadataLocks>, owner: u64, list: &[(&str, Mode)]) -> Option<MetadataLockGuard> {
        let list = list.iter().map(|(t, m)| (name(t), *m)).collect();
        names.hold(list, owner, || Waiter::server().with_timeout(Duration::ZERO)).ok()
    }

    #[test]
    fn modes_clash_as_they_should() {
        let names = Arc::<MetadataLocks>::default();
        let modes = [
            Mode::Open,
            Mode::Handler,
            Mode::Read,
            Mode::ReadLocal,
            Mode::WriteConcurrent,
            Mode::Write,
            Mode::Ddl,
        ];
        let allowed: Vec<Vec<bool>> = modes
            .iter()
            .map(|a| {
                let _held = at_once(&names, 1, &[("t", *a)]).expect("free");
                modes.iter().map(|b| at_once(&names, 2, &[("t", *b)]).is_some()).collect()
            })
            .collect();
        assert_eq!(
            allowed,
            [
                [false, true, true, true, true, true, false],
                [true, true, true, true, true, true, false],
                [true, true, true, true, false, false, false],
                [true, true, true, true, true, false, false],
                [true, true, false, true, false, false, false],
                [true, true, false, false, false, false, false],
                [false, false, false, false, false, false, false]
            ]
        );
    }

    #[test]
    fn who_wants_a_table_alone_waits_for_transactions_of_others() {
        let names = Arc::<MetadataLocks>::default();
        let own = names.tables_of_transactions(1);
        let (db, table) = name("t");
        own.note(&db, &table);
        for mode in [Mode::Open, Mode::Handler, Mode::Read, Mode::Write, Mode::Ddl] {
            let goes = at_once(&names, 2, &[("t", mode)]).is_some();
            assert_eq!(goes, !matches!(mode, Mode::Write | Mode::Ddl), "{mode:?}");
        }
        assert!(at_once(&names, 1, &[("t", Mode::Ddl)]).is_some());
        assert!(at_once(&names, 2, &[("u", Mode::Ddl)]).is_some());
        assert!(at_once(&names, 2, &[("", Mode::Ddl)]).is_none());
        let other = Arc::clone(&names);
        let waiting = std::thread::spawn(move || {
            other.hold(vec![(name("t"), Mode::Ddl)], 2, Waiter::server).map(|_| ()).is_ok()
        });
        while names.state.lock().asked.is_empty() {
            std::thread::yield_now();
        }
        assert!(at_once(&names, 1, &[("t", Mode::Handler)]).is_some());
        assert!(at_once(&names, 3, &[("t", Mode::Handler)]).is_none());
        names.end_transaction(&own);
        // what it holds of its own, it may open while others wait; the next transaction is not in the way
        own.note(&db, &table);
        assert!(waiting.join().expect("ends"));
        assert_eq!(names.waiting.load(Ordering::Relaxed), 0);
        drop(own);
        assert!(at_once(&names, 2, &[("t", Mode::Ddl)]).is_some());
        assert!(names.state.lock().transactions.is_empty());
    }

    #[test]
    fn sessions_that_have_ended_are_forgotten() {
        let names = Arc::<MetadataLocks>::default();
        let lasting: Vec<_> = (0..10).map(|owner| names.tables_of_transactions(owner)).collect();
        for owner in 10..1000 {
            drop(names.tables_of_transactions(owner));
        }
        let state = names.state.lock();
        assert!(state.transactions.capacity() <= 64, "{}", state.transactions.capacity());
        let alive = state.transactions.iter().filter(|t| t.strong_count() > 0).count();
        assert_eq!(alive, lasting.len());
    }

    #[test]
    fn own_names_are_not_in_the_way_and_go_first() {
        let names = Arc::<MetadataLocks>::default();
        let locked = at_once(&names, 1, &[("t", Mode::Write), ("u", Mode::Read)]).expect("free");
        let other = Arc::clone(&names);
        let waiting = std::thread::spawn(move || {
            other.hold(vec![(name("t"), Mode::Ddl)], 2, Waiter::server).map(|_| ()).is_ok()
        });
        while names.state.lock().asked.is_empty() {
            std::thread::yield_now();
        }
        assert!(at_once(&names, 3, &[("t", Mode::Read)]).is_none());
        assert!(at_once(&names, 1, &[("t", Mode::Ddl)]).is_some());
        assert!(at_once(&names, 3, &[("", Mode::Ddl)]).is_none());
        assert_eq!(names.lock_tables_owners("d", "u"), [1]);
        locked.give_up("d", "u");
        assert!(at_once(&names, 3, &[("u", Mode::Ddl)]).is_some());
        drop(locked);
        assert!(waiting.join().expect("ends"));
    }
}

//! The tables that open transactions have used: who defines one of them anew, or locks it for writing, waits for those transactions to end.
//!
//! Each session has a list of its own, which nobody else touches but a statement that begins to wait for it. Rows are not what it
//! protects: a transaction that is older than [`names`](super::names) are patient finds its table defined anew.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::names::Name;

/// The tables that the open transaction of a session has used.
#[derive(Debug, Default)]
pub struct TransactionTables {
    owner: u64,
    names: Mutex<Vec<Name>>,
    /// Transactions that have ended.
    ended: AtomicU64,
}

impl TransactionTables {
    pub(super) fn new(owner: u64) -> TransactionTables {
        TransactionTables { owner, ..TransactionTables::default() }
    }

    /// The transaction uses a table.
    pub fn note(&self, db: &Arc<str>, table: &Arc<str>) {
        let mut names = self.names.lock();
        if !names.iter().any(|(d, t)| **t == **table && **d == **db) {
            names.push((Arc::clone(db), Arc::clone(table)));
        }
    }

    /// The transaction has ended; whether it had used any table.
    pub fn end(&self) -> bool {
        let mut names = self.names.lock();
        let used = !names.is_empty();
        names.clear();
        self.ended.fetch_add(1, Ordering::Relaxed);
        used
    }

    /// The running transaction, if it has used a table that one of these names stands for; no table stands for the whole database.
    pub(super) fn running(self: &Arc<Self>, names: &[&Name]) -> Option<Running> {
        let own = self.names.lock();
        let is = |name: &Name| own.iter().any(|n| n.0 == name.0 && (name.1.is_empty() || n.1 == name.1));
        let used = names.iter().any(|name| is(name));
        used.then(|| Running { tables: Arc::downgrade(self), number: self.ended.load(Ordering::Relaxed) })
    }

    pub(super) fn owner(&self) -> u64 {
        self.owner
    }
}

/// A transaction that is waited for. What its session begins afterwards is not.
pub(super) struct Running {
    tables: Weak<TransactionTables>,
    number: u64,
}

impl Running {
    /// Whose it is, while it runs.
    pub fn owner(&self) -> Option<u64> {
        let tables = self.tables.upgrade()?;
        (tables.ended.load(Ordering::Relaxed) == self.number).then_some(tables.owner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_is_waited_for_until_it_ends_and_not_the_next_one() {
        let tables = Arc::new(TransactionTables::new(7));
        let (db, t, u): (Arc<str>, Arc<str>, Arc<str>) = ("d".into(), "t".into(), "u".into());
        tables.note(&db, &t);
        tables.note(&db, &t);
        let whole: Name = (Arc::clone(&db), "".into());
        assert!(tables.running(&[&(Arc::clone(&db), Arc::clone(&u))]).is_none());
        assert!(tables.running(&[&whole]).is_some());
        let running = tables.running(&[&(Arc::clone(&db), Arc::clone(&t))]).expect("used");
        assert_eq!(running.owner(), Some(7));
        assert!(tables.end());
        assert!(!tables.end());
        tables.note(&db, &t);
        assert_eq!(running.owner(), None);
        let running = tables.running(&[&whole]).expect("used again");
        drop(tables);
        assert_eq!(running.owner(), None);
    }
}

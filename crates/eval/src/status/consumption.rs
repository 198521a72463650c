//! What users and clients have used while `userstat` is on: what information_schema.USER_STATISTICS and CLIENT_STATISTICS show.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use super::counters::{Counter, Counters};

/// The counters that are added up, in the order of the columns.
const COUNTED: [&[Counter]; 14] = [
    &[Counter::BytesReceived],
    &[Counter::BytesSent],
    &[Counter::RowsRead],
    &[Counter::RowsSent],
    &[Counter::HandlerDelete],
    &[Counter::HandlerWrite],
    &[Counter::HandlerUpdate],
    &[Counter::ComSelect],
    CHANGES,
    &[Counter::Questions],
    &[Counter::ComCommit],
    &[Counter::ComRollback],
    &[Counter::AccessDeniedErrors],
    &[Counter::EmptyQueries],
];

/// Where SELECTs, changes and other commands stand.
const SELECTS: usize = 7;
const CHANGED: usize = 8;
const OTHERS: usize = 9;

const CHANGES: &[Counter] = &[
    Counter::ComInsert,
    Counter::ComInsertSelect,
    Counter::ComReplace,
    Counter::ComReplaceSelect,
    Counter::ComUpdate,
    Counter::ComUpdateMulti,
    Counter::ComDelete,
    Counter::ComDeleteMulti,
    Counter::ComLoad,
];

/// How many numbers are counted by counters.
pub const NUMBERS: usize = COUNTED.len();

/// What a connection's counters say now.
#[must_use]
pub fn numbers(counters: &Counters) -> [u64; NUMBERS] {
    let mut all = COUNTED.map(|list| list.iter().map(|c| counters.get(*c)).sum::<u64>());
    // of all questions the others are those that are neither
    all[OTHERS] = all[OTHERS].saturating_sub(all[SELECTS] + all[CHANGED]);
    all
}

/// What somebody has used.
#[derive(Clone, Debug, Default)]
pub struct Consumption {
    /// Connections that began.
    pub connections: u64,
    /// Those that are there.
    pub current: u64,
    /// Those that are encrypted.
    pub encrypted: u64,
    /// How long they were connected.
    pub connected: Duration,
    /// How long commands ran.
    pub busy: Duration,
    /// How long a processor worked for them.
    pub cpu: Duration,
    /// In the order of the columns: bytes received and sent; rows read, sent, deleted, inserted, updated; SELECTs, statements that change rows,
    /// others; COMMIT, ROLLBACK; errors of rights; queries without rows.
    pub numbers: [u64; NUMBERS],
    /// Logins that failed.
    pub denied: u64,
    /// Connections that ended without a word.
    pub lost: u64,
    /// Statements ended by `max_statement_time`.
    pub timed_out: u64,
}

/// All users and clients.
#[derive(Debug, Default)]
pub struct Consumers {
    on: AtomicBool,
    all: Mutex<[BTreeMap<String, Consumption>; 2]>,
}

/// Whose consumption is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumer {
    /// A user.
    User,
    /// The host of a client.
    Client,
}

impl Consumers {
    /// Whether anything is noted (`userstat`).
    #[inline]
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    /// `userstat`.
    pub fn set(&self, on: bool) {
        self.on.store(on, Ordering::Relaxed);
    }

    /// Notes something of a user and the client's host.
    pub fn note(&self, user: &str, host: &str, change: impl Fn(&mut Consumption)) {
        let mut all = self.all.lock();
        for (map, name) in all.iter_mut().zip([user, host]) {
            match map.get_mut(name) {
                Some(known) => change(known),
                None => change(map.entry(name.to_owned()).or_default()),
            }
        }
    }

    /// What there is, by name.
    #[must_use]
    pub fn all(&self, which: Consumer) -> Vec<(String, Consumption)> {
        let all = self.all.lock();
        all[which as usize].iter().map(|(name, c)| (name.clone(), c.clone())).collect()
    }

    /// FLUSH: all begin anew.
    pub fn forget(&self, which: Consumer) {
        self.all.lock()[which as usize].clear();
    }
}

//! What statements may hold in memory, and how large the batches are in which rows flow.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Rows a batch holds at most when it is kept.
pub const BATCH_ROWS: usize = 1024;

/// Bytes of rows after which a batch read from disk is handed out.
pub const BATCH_BYTES: usize = 1 << 20;

/// Holders tell what they hold when it has changed by so many bytes.
const STEP: usize = 4096;

/// What the kill flag has of a statement that holds more than its session may.
pub const STOPPED: u32 = 1;

/// Holders that are full for other reasons say that they hold more than this, and mean no number of bytes.
const NO_SIZE: usize = usize::MAX >> 3;

/// What a session holds in memory.
#[derive(Debug)]
pub struct Held {
    /// Its state: what lies between its statements.
    state: AtomicU64,
    /// What was received and what is to be sent.
    buffers: AtomicU64,
    /// What running statements hold: the shares of all their holders.
    running: AtomicU64,
    /// The most that it was, all of them together.
    most: AtomicU64,
    /// `max_session_mem_used`
    limit: AtomicU64,
}

impl Default for Held {
    fn default() -> Held {
        Held {
            state: AtomicU64::new(0),
            buffers: AtomicU64::new(0),
            running: AtomicU64::new(0),
            most: AtomicU64::new(0),
            limit: AtomicU64::new(u64::MAX),
        }
    }
}

impl Held {
    /// Bytes that are held now.
    #[must_use]
    pub fn now(&self) -> u64 {
        let parts = [&self.state, &self.buffers, &self.running];
        parts.iter().fold(0, |sum, part| part.load(Ordering::Relaxed).saturating_add(sum))
    }

    /// The most that they were.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed).max(self.now())
    }

    /// Whether they are more than the session may hold.
    #[must_use]
    pub fn is_too_much(&self) -> bool {
        self.now() > self.limit.load(Ordering::Relaxed)
    }

    /// Notes what the session's state takes.
    pub fn set_state(&self, bytes: usize) {
        self.state.store(bytes as u64, Ordering::Relaxed);
        self.most.fetch_max(self.now(), Ordering::Relaxed);
    }

    /// Notes what the client's connection takes.
    #[inline]
    pub fn set_buffers(&self, bytes: usize) {
        self.buffers.store(bytes as u64, Ordering::Relaxed);
    }

    /// Sets what the session may hold.
    pub fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
    }

    /// FLUSH STATUS: the most is what it is now.
    pub fn forget_most(&self) {
        self.most.store(0, Ordering::Relaxed);
    }
}

/// What one holder of rows has said that it holds; given back when it goes.
#[derive(Debug, Default)]
pub struct Share {
    held: Arc<Held>,
    bytes: AtomicUsize,
}

impl Share {
    /// Nothing yet, of what `held` counts.
    #[must_use]
    pub fn of(held: &Arc<Held>) -> Share {
        Share { held: Arc::clone(held), bytes: AtomicUsize::new(0) }
    }

    /// Tells how much is held now; true when that is more than the session may hold.
    #[inline]
    pub fn set(&self, bytes: usize) -> bool {
        bytes < NO_SIZE && bytes.abs_diff(self.bytes.load(Ordering::Relaxed)) >= STEP && self.change(bytes)
    }

    /// As [`Share::set`], however little it is.
    pub fn change(&self, bytes: usize) -> bool {
        let before = self.bytes.swap(bytes, Ordering::Relaxed);
        if bytes < before {
            self.held.running.fetch_sub((before - bytes) as u64, Ordering::Relaxed);
            return false;
        }
        self.held.running.fetch_add((bytes - before) as u64, Ordering::Relaxed);
        self.held.most.fetch_max(self.held.now(), Ordering::Relaxed);
        self.held.is_too_much()
    }
}

/// A copy is another holder, which holds nothing yet.
impl Clone for Share {
    fn clone(&self) -> Share {
        Share::of(&self.held)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.held.running.fetch_sub(self.bytes.load(Ordering::Relaxed) as u64, Ordering::Relaxed);
    }
}

/// What a statement may hold in memory, and where the rest goes. Each holder of rows has one of its own, a copy.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Bytes of a sort: `sort_buffer_size`, or what a table in memory may take when that is more.
    pub sort: usize,
    /// Bytes of groups and of distinct rows: the smaller of `tmp_memory_table_size` and `max_heap_table_size`.
    pub table: usize,
    /// `tmpdir`.
    pub dir: Arc<Path>,
    /// Temporary files made, for the status counters.
    pub files: Arc<AtomicU64>,
    /// Bytes written to them.
    pub bytes: Arc<AtomicU64>,
    /// See [`crate::expr::EvalContext::kill`]: looked at whenever a file is written or read.
    pub kill: Arc<AtomicU32>,
    /// What its owner holds.
    pub share: Share,
}

impl Budget {
    /// The part that each of so many users has who hold rows at the same time.
    #[must_use]
    pub fn shared(&self, users: usize) -> Budget {
        let users = users.max(1);
        Budget { sort: self.sort / users, table: self.table / users, ..self.clone() }
    }

    /// Whether so many bytes are more than groups and distinct rows may take. They are what the owner of this budget holds from now on.
    #[inline]
    #[must_use]
    pub fn exceeds_table(&self, bytes: usize) -> bool {
        self.note(bytes);
        bytes > self.table
    }

    /// Whether so many bytes are more than a sort may take; as [`Budget::exceeds_table`].
    #[inline]
    #[must_use]
    pub fn exceeds_sort(&self, bytes: usize) -> bool {
        self.note(bytes);
        bytes > self.sort
    }

    /// Notes what the owner holds. A statement that holds more than its session may is stopped.
    #[inline]
    pub fn note(&self, bytes: usize) {
        if self.share.set(bytes) {
            self.kill.fetch_max(STOPPED, Ordering::SeqCst);
        }
    }

    /// The temporary files made since it was asked last.
    pub fn take_files(&self) -> u64 {
        // reading is enough for the many statements that made none
        if self.files.load(Ordering::Relaxed) == 0 { 0 } else { self.files.swap(0, Ordering::Relaxed) }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        let table = 16 << 20;
        Budget {
            sort: table,
            table,
            dir: std::env::temp_dir().into(),
            files: Arc::default(),
            bytes: Arc::default(),
            kill: Arc::default(),
            share: Share::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_until_they_go() {
        let held = Arc::new(Held::default());
        held.set_state(1000);
        let budget = Budget { table: 100_000, share: Share::of(&held), ..Budget::default() };
        let other = budget.clone();
        assert!(!budget.exceeds_table(50_000) && !other.exceeds_sort(20_000));
        assert_eq!(held.now(), 71_000);
        assert!(!budget.exceeds_table(10_000) && budget.exceeds_table(usize::MAX >> 2));
        assert_eq!((held.now(), held.most()), (31_000, 71_000));
        drop(other);
        assert!(budget.exceeds_table(100_001));
        drop(budget);
        assert_eq!((held.now(), held.most()), (1000, 101_001));
        held.forget_most();
        assert_eq!(held.most(), 1000);
    }

    #[test]
    fn a_statement_that_holds_too_much_is_stopped() {
        let held = Arc::new(Held::default());
        held.set_limit(50_000);
        let budget = Budget { share: Share::of(&held), ..Budget::default() };
        budget.note(40_000);
        assert_eq!(budget.kill.load(Ordering::Relaxed), 0);
        budget.clone().note(20_000);
        assert_eq!(budget.kill.load(Ordering::Relaxed), STOPPED);
    }
}

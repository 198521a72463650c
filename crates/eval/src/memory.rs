//! What statements may hold in memory, and how large the batches are in which rows flow.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Rows a batch holds at most when it is kept.
pub const BATCH_ROWS: usize = 1024;

/// Bytes of rows after which a batch read from disk is handed out.
pub const BATCH_BYTES: usize = 1 << 20;

/// What a statement may hold in memory, and where the rest goes.
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
}

impl Budget {
    /// The part that each of so many users has who hold rows at the same time.
    #[must_use]
    pub fn shared(&self, users: usize) -> Budget {
        let users = users.max(1);
        Budget { sort: self.sort / users, table: self.table / users, ..self.clone() }
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
        }
    }
}

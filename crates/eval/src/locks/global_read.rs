//! The state of FLUSH TABLES WITH READ LOCK; who takes it and who waits for it is the session's affair.

use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;

/// The lock of FLUSH TABLES WITH READ LOCK.
#[derive(Default)]
pub struct GlobalReadLock {
    /// How many hold it, or are about to.
    pub holders: AtomicU32,
    /// The connections that hold it, or are about to.
    pub who: Mutex<Vec<u64>>,
}

impl GlobalReadLock {
    /// Whether somebody holds it.
    pub fn held(&self) -> bool {
        self.holders.load(Ordering::Acquire) > 0
    }
}

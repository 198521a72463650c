//! Commits that are waited for after their statement is done: by whoever sends its answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pages::{Acknowledge, Durability, Store};

use super::Session;
use crate::error::SqlResult;
use crate::failure::from_pages;

/// The newest commit of a session that no answer may tell of before it is durable.
///
/// With it a connection need not hold its thread while the disk works: see [`Session::defer_durability`].
pub struct PendingCommit {
    store: Arc<Store>,
    /// Zero: none.
    lsn: AtomicU64,
}

impl PendingCommit {
    /// Is there one?
    #[inline]
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.lsn.load(Ordering::Relaxed) != 0
    }

    /// Waits until it is durable.
    ///
    /// # Errors
    /// When the journal has failed: the commit must not be acknowledged.
    pub fn wait(&self) -> SqlResult<()> {
        match self.lsn.swap(0, Ordering::Relaxed) {
            0 => Ok(()),
            lsn => self.store.wait_durable_as(lsn, Durability::Commit).map_err(|e| from_pages(&e, "")),
        }
    }

    /// As [`PendingCommit::wait`], but does not wait for a sync that others have begun: false, and `then` is called later, from
    /// another thread.
    ///
    /// # Errors
    /// As `wait`; `then` is not called.
    pub fn when_durable(&self, then: &Arc<dyn Acknowledge>) -> SqlResult<bool> {
        match self.lsn.swap(0, Ordering::Relaxed) {
            0 => Ok(true),
            lsn => self.store.when_durable(lsn, Durability::Commit, then).map_err(|e| from_pages(&e, "")),
        }
    }

    /// The error that ended the journal.
    #[must_use]
    pub fn failure(&self) -> crate::error::SqlError {
        let lost = || crate::error::SqlError::internal("the journal has failed");
        self.store
            .wait_durable_as(0, Durability::None)
            .map_err(|e| from_pages(&e, ""))
            .err()
            .unwrap_or_else(lost)
    }
}

impl Session {
    /// From now on statements under `durability = commit` end when their changes are published. The caller must send nothing of
    /// their answers before the pending commit is durable.
    pub fn defer_durability(&mut self) -> Arc<PendingCommit> {
        let store = Arc::clone(self.engine.store());
        let pending = Arc::new(PendingCommit { store, lsn: AtomicU64::new(0) });
        self.pending_commit = Some(Arc::clone(&pending));
        pending
    }

    /// Waits as the session's `durability` asks, or notes that somebody has to.
    pub(crate) fn await_durable(&self, lsn: pages::Lsn, table: &str) -> SqlResult<()> {
        let durability = self.settings().durability;
        if durability == Durability::Commit
            && let Some(pending) = &self.pending_commit
        {
            pending.lsn.store(lsn, Ordering::Relaxed);
            return Ok(());
        }
        self.engine.store().wait_durable_as(lsn, durability).map_err(|e| from_pages(&e, table))
    }
}

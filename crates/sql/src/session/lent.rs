//! Locks that a statement has for its triggers, as far as a session must know of them: who reads a table finds what triggers wrote.

use std::any::Any;
use std::sync::Arc;

use super::Session;
use crate::error::SqlResult;
use crate::table::OpenTable;

/// What [`crate::expr::calls::Calls::lent`] holds.
pub(crate) struct Lent {
    /// The locks, which those who write tables know.
    pub locks: Box<dyn Any + Send>,
    /// Publishes what was written into one of these tables and waits for the statement's end.
    pub publish: fn(&mut (dyn Any + Send), &[Arc<OpenTable>]) -> SqlResult<()>,
}

impl Session {
    /// What triggers have written into tables of a snapshot that is to be taken, and what waits for the end of the statement, is
    /// published.
    ///
    /// # Errors
    /// Those of writing the journal.
    #[cold]
    pub(super) fn publish_lent(&mut self, tables: &[Arc<OpenTable>]) -> SqlResult<()> {
        match self.ctx.calls.lent.as_mut().and_then(|lent| lent.downcast_mut::<Lent>()) {
            Some(lent) => (lent.publish)(&mut *lent.locks, tables),
            None => Ok(()),
        }
    }
}

//! What a session holds in memory: `Memory_used`, `max_session_mem_used`.

use super::{Session, SessionState};
use crate::error::{self, SqlError};
use crate::session::cached::PreparedStatement;
use crate::status::Connection;
use crate::table::OpenTable;

/// `max_session_mem_used` of a session that nothing bounds.
pub(crate) const UNLIMITED: u64 = i64::MAX as u64;

impl SessionState {
    /// Bytes that lie with the session between its statements, beside those of its expression context: settings, counters, prepared
    /// statements but for their plans.
    pub(crate) fn bytes(&self) -> usize {
        let texts: usize = self.statements.values().map(|s| s.text.len() + s.shown.len()).sum();
        let prepared = self.statements.len() * size_of::<(u32, PreparedStatement)>();
        let temporary = self.temporary.len() * size_of::<OpenTable>();
        let own = size_of::<Session>() + size_of::<Connection>() + self.connection.counters.memory();
        own + texts + prepared + temporary
    }
}

impl Session {
    /// Bytes of the session's state.
    fn state_bytes(&self) -> usize {
        self.state.bytes() + self.ctx.held_bytes()
    }

    /// Whether the session holds more than it may between its statements.
    #[cold]
    pub(crate) fn is_out_of_memory(&mut self) -> bool {
        self.connection.memory.set_state(self.state_bytes());
        if self.connection.memory.is_too_much() {
            // what is only kept for later goes first
            self.ctx.forget_pool();
            self.connection.memory.set_state(self.state_bytes());
        }
        self.connection.memory.is_too_much()
    }

    /// The error of a statement that would hold, or holds, more than its session may.
    pub(crate) fn holds_too_much(&self) -> SqlError {
        let limit = format!("--max-session-mem-used={}", self.vars.settings.max_session_mem_used);
        SqlError::new(error::ER_OPTION_PREVENTS_STATEMENT, &[&limit])
    }
}

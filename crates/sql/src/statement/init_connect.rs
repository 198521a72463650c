//! `init_connect`: statements that run when an ordinary account has logged in.

use crate::admin::bootstrap::Keep;
use crate::error::SqlResult;
use crate::rights::privilege::{CONNECTION_ADMIN, SUPER};
use crate::session::Session;

impl Session {
    /// Runs the statements of `init_connect`, unless the account may do without.
    ///
    /// # Errors
    /// Those of the statements: the connection has to end.
    pub fn run_init_connect(&mut self) -> SqlResult<()> {
        self.renew_rights();
        if self.rights.global() & (SUPER | CONNECTION_ADMIN) != 0 || self.must_set_password {
            return Ok(());
        }
        let text = self.engine.variable_text("init_connect");
        if text.is_empty() {
            return Ok(());
        }
        let several = std::mem::replace(&mut self.state.info.multi_statements, true);
        let result = self.query(text.as_bytes(), &mut Keep::default());
        self.state.info.multi_statements = several;
        result
    }
}

//! What an account with limits or an expired password may still do.

use crate::ast::Statement;
use crate::error::{self, SqlError, SqlResult};
use crate::session::Session;

impl Session {
    /// Counts a statement, and refuses all but SET while the password has expired.
    ///
    /// # Errors
    /// 1226, 1820.
    #[cold]
    pub(crate) fn count_query(&mut self, text: &[u8]) -> SqlResult<()> {
        let result = match &self.limits {
            Some(l) => l.question(),
            None => Ok(()),
        };
        let start = text.trim_ascii_start();
        let set = start.len() > 3
            && start[..3].eq_ignore_ascii_case(b"SET")
            && !start[3].is_ascii_alphanumeric()
            && start[3] != b'_';
        let result = match result {
            Ok(()) if self.must_set_password && !set => {
                Err(SqlError::new(error::ER_MUST_CHANGE_PASSWORD, &[]))
            }
            other => other,
        };
        result.map_err(|e| self.fail(e, true))
    }

    /// Counts a statement that changes data, definitions or accounts.
    ///
    /// # Errors
    /// 1226.
    #[cold]
    pub(crate) fn count_update(&self, statement: &Statement) -> SqlResult<()> {
        use Statement as S;
        let changes = matches!(statement, S::Insert(_) | S::Update(_) | S::Delete(_) | S::LoadData(_))
            || statement.defines()
            || statement.defines_routines()
            || statement.changes_accounts();
        match &self.limits {
            Some(l) if changes => l.update(),
            _ => Ok(()),
        }
    }
}

//! Maintenance, locks, accounts and other statements of administration.

pub mod accounts;
pub mod password;
pub mod privilege;
pub mod user_locks;

use crate::ast::{self, Statement};
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;

/// Runs statements of administration.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    _session: &mut Session,
    _statement: &Statement,
    _text: &[u8],
    _sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    Err(SqlError::not_supported("statement"))
}

impl Session {
    pub(crate) fn set_password(
        &mut self,
        _account: Option<&ast::Account>,
        _password: &ast::PasswordValue,
    ) -> SqlResult<()> {
        Err(SqlError::not_supported("SET PASSWORD"))
    }
}

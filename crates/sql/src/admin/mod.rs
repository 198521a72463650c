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
    /// User and host that a statement means by an account; `None` is the session's own.
    ///
    /// # Errors
    /// 1959 for roles.
    pub(crate) fn account_name(&self, account: Option<&ast::Account>) -> SqlResult<(String, String)> {
        match account {
            None | Some(ast::Account::CurrentUser) => {
                let own = &self.ctx.connection.current_user;
                let (user, host) = own.rsplit_once('@').unwrap_or((own, "%"));
                Ok((user.into(), host.into()))
            }
            Some(ast::Account::Named { user, host }) => {
                Ok((user.to_string(), host.as_deref().unwrap_or("%").to_string()))
            }
            Some(ast::Account::CurrentRole) => {
                Err(SqlError::new(crate::error::ER_INVALID_ROLE, &[&"CURRENT_ROLE"]))
            }
            Some(ast::Account::Public) => Err(SqlError::new(crate::error::ER_INVALID_ROLE, &[&"PUBLIC"])),
        }
    }

    pub(crate) fn set_password(
        &mut self,
        _account: Option<&ast::Account>,
        _password: &ast::PasswordValue,
    ) -> SqlResult<()> {
        Err(SqlError::not_supported("SET PASSWORD"))
    }
}

//! The accounts and roles that statements name.

use super::super::Session;
use crate::ast;
use crate::error::{self, SqlError, SqlResult};
use crate::rights::privileges::PUBLIC;

impl Session {
    /// User and host that a statement means by an account; `None` is the session's own.
    ///
    /// # Errors
    /// 1959 for roles.
    pub(crate) fn account_name(&self, account: Option<&ast::Account>) -> SqlResult<(String, String)> {
        match account {
            None | Some(ast::Account::CurrentUser) => {
                Ok((self.rights.user.clone(), self.rights.host.clone()))
            }
            Some(ast::Account::Named { user, host }) => {
                Ok((user.to_string(), host.as_deref().unwrap_or("%").to_string()))
            }
            Some(ast::Account::CurrentRole) => Err(SqlError::new(error::ER_INVALID_ROLE, &[&"CURRENT_ROLE"])),
            Some(ast::Account::Public) => Err(SqlError::new(error::ER_INVALID_ROLE, &[&"PUBLIC"])),
        }
    }

    /// The role that a name without a host may mean.
    ///
    /// # Errors
    /// 1959 for CURRENT_ROLE without a role.
    pub(crate) fn named_role(&self, account: &ast::Account) -> SqlResult<Option<String>> {
        Ok(match account {
            ast::Account::Named { user, host: None } => Some(user.to_string()),
            ast::Account::CurrentRole => Some(
                self.rights
                    .role()
                    .ok_or_else(|| SqlError::new(error::ER_INVALID_ROLE, &[&"NONE"]))?
                    .to_owned(),
            ),
            ast::Account::Public => Some(PUBLIC.into()),
            ast::Account::Named { .. } | ast::Account::CurrentUser => None,
        })
    }
}

//! Roles: CREATE and DROP ROLE, GRANT and REVOKE of roles, SET ROLE, SET DEFAULT ROLE.

use std::sync::Arc;

use crate::ast::{self, Grant, RoleStatement};
use crate::error::{self, SqlError, SqlResult};
use crate::rights::accounts::Account;
use crate::rights::privilege::{DELETE, INSERT, SELECT, UPDATE};
use crate::rights::privileges::{PUBLIC, closure};
use crate::session::Session;

/// 1959.
pub(super) fn invalid(role: &str) -> SqlError {
    SqlError::new(error::ER_INVALID_ROLE, &[&role])
}

fn has_no_such(name: &str, host: &str, role: &str) -> SqlError {
    let text = format!("User `{name}`@`{host}` has not been granted role `{role}`");
    SqlError::with_message(error::ER_INVALID_ROLE, text)
}

impl Session {
    /// CREATE and DROP ROLE.
    pub(super) fn role_statement(&mut self, r: &RoleStatement) -> SqlResult<()> {
        self.may_change_accounts(if r.drop { DELETE } else { INSERT })?;
        self.forbid_without_lock("db")?;
        let engine = Arc::clone(&self.engine);
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
        let mut bad = Vec::new();
        if let Some(admin) = &r.admin
            && self.role_grantee(admin)?.is_none()
        {
            let (user, host) = self.account_name(Some(admin))?;
            self.ctx.warnings.note(error::ER_NO_SUCH_USER, &[&user, &host]);
        }
        for account in &r.roles {
            let name = match self.named_role(account)? {
                Some(n) if n != PUBLIC && !n.is_empty() && !n.eq_ignore_ascii_case("none") => n,
                Some(n) if n.eq_ignore_ascii_case("none") => return Err(invalid("NONE")),
                Some(n) => return Err(invalid(&n)),
                None => return Err(invalid("")),
            };
            let there = engine.accounts.find_role(&name).is_some();
            if r.drop {
                if there {
                    engine.accounts.remove_role(&engine, &name)?;
                } else if r.if_exists {
                    self.ctx.warnings.note(error::ER_ROLE_DROP_EXISTS, &[&name]);
                } else {
                    bad.push(format!("'{name}'"));
                }
                continue;
            }
            if there && r.or_replace {
                engine.accounts.remove_role(&engine, &name)?;
            } else if there && r.if_exists {
                self.ctx.warnings.note(error::ER_ROLE_CREATE_EXISTS, &[&name]);
                continue;
            } else if there {
                bad.push(format!("'{name}'"));
                continue;
            }
            engine.accounts.write(&engine, Account::role(&name))?;
            let admin = match &r.admin {
                None => Some(ast::Account::CurrentUser),
                other => other.clone(),
            };
            if let Some(mut a) = admin.map(|a| self.role_grantee(&a)).transpose()?.flatten() {
                a.roles.push((name, true));
                engine.accounts.write(&engine, a)?;
            }
        }
        let operation = if r.drop { "DROP ROLE" } else { "CREATE ROLE" };
        if bad.is_empty() { Ok(()) } else { Err(super::users::failed(operation, &bad)) }
    }

    /// The account or role that a role is given to.
    fn role_grantee(&self, account: &ast::Account) -> SqlResult<Option<Account>> {
        if let Some(role) = self.named_role(account)?
            && let Some(a) = self.engine.accounts.find_role(&role)
        {
            return Ok(Some(a));
        }
        let (user, host) = self.account_name(Some(account))?;
        Ok(self.engine.accounts.find(&user, &host))
    }

    /// GRANT and REVOKE of roles.
    pub(super) fn grant_roles(&mut self, g: &Grant, roles: &[ast::Account]) -> SqlResult<()> {
        self.forbid_without_lock("roles_mapping")?;
        let engine = Arc::clone(&self.engine);
        for role in roles {
            let name = self.named_role(role)?.unwrap_or_default();
            if engine.accounts.find_role(&name).is_none() || name == PUBLIC {
                return Err(invalid(&name));
            }
            if !self.administers(&name) {
                return Err(self.denied_login_without_password());
            }
            let mut bad = Vec::new();
            for spec in &g.users {
                let shown = |s: &Session| -> SqlResult<String> {
                    if let Some(r) = s.named_role(&spec.account)?
                        && s.engine.accounts.find_role(&r).is_some()
                    {
                        return Ok(format!("'{r}'"));
                    }
                    let (user, host) = s.account_name(Some(&spec.account))?;
                    Ok(format!("'{user}'@'{host}'"))
                };
                let found = self.role_grantee(&spec.account)?;
                if g.revoke {
                    let at = found.as_ref().and_then(|a| a.roles.iter().position(|(r, _)| *r == name));
                    let (Some(mut a), Some(at)) = (found, at) else {
                        bad.push(shown(self)?);
                        continue;
                    };
                    if g.with_grant {
                        a.roles[at].1 = false;
                    } else {
                        a.roles.remove(at);
                        if a.default_role() == Some(name.as_str()) {
                            a.json.remove("default_role");
                        }
                    }
                    engine.accounts.write(&engine, a)?;
                    continue;
                }
                let mut a = match found {
                    Some(a) => a,
                    None if spec.identified.is_some() => {
                        self.may_change_accounts(INSERT)?;
                        let (user, host) = self.account_name(Some(&spec.account))?;
                        let mut a = Account::new(&user, &host);
                        super::users::identify(&mut a, spec, self.settings().old_passwords)?;
                        a
                    }
                    None => return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[])),
                };
                // No role is to have itself through others.
                if a.role && self.reaches(&name, &a.user) {
                    bad.push(shown(self)?);
                    continue;
                }
                match a.roles.iter_mut().find(|(r, _)| *r == name) {
                    Some((_, admin)) => *admin |= g.with_grant,
                    None => a.roles.push((name.clone(), g.with_grant)),
                }
                engine.accounts.write(&engine, a)?;
            }
            if !bad.is_empty() {
                let code = if g.revoke { error::ER_CANNOT_REVOKE_ROLE } else { error::ER_CANNOT_GRANT_ROLE };
                return Err(SqlError::new(code, &[&name, &bad.join(",")]));
            }
        }
        Ok(())
    }

    /// Whether the account may give a role to others.
    fn administers(&self, role: &str) -> bool {
        if self.rights.unlimited() {
            return true;
        }
        let list = self.engine.accounts.list();
        let own = |a: &&Account| {
            !a.role && a.user == self.rights.user && a.host.eq_ignore_ascii_case(&self.rights.host)
        };
        let current = self.rights.role().and_then(|r| list.iter().find(|a| a.role && a.user == r));
        list.iter()
            .find(own)
            .into_iter()
            .chain(current)
            .flat_map(|a| if a.role { closure(&list, a) } else { vec![a] })
            .any(|a| a.roles.iter().any(|(r, admin)| r == role && *admin))
    }

    fn reaches(&self, from: &str, to: &str) -> bool {
        let list = self.engine.accounts.list();
        list.iter()
            .find(|a| a.role && a.user == from)
            .is_some_and(|a| closure(&list, a).iter().any(|r| r.user == to))
    }

    /// SET ROLE.
    ///
    /// # Errors
    /// 1959.
    pub(crate) fn set_role(&mut self, role: Option<&str>) -> SqlResult<()> {
        let engine = Arc::clone(&self.engine);
        if let Some(role) = role {
            let (user, host) = (&self.rights.user, &self.rights.host);
            if engine.accounts.find_role(role).is_none() || role == PUBLIC {
                return Err(invalid(role));
            }
            if !engine.accounts.has_role(user, host, role) {
                // Who has it only through another role is told so.
                let through = self.engine.accounts.find(user, host).is_some_and(|a| {
                    let list = self.engine.accounts.list();
                    closure(&list, &a).iter().any(|r| r.role && r.user == role)
                });
                let sees = through || self.rights.privileges().on("mysql") & SELECT != 0;
                return Err(if sees { has_no_such(user, &self.rights.client, role) } else { invalid(role) });
            }
        }
        self.rights.take_role(&engine.accounts, role.map(str::to_owned));
        self.ctx.connection.current_role = role.map(str::to_owned);
        Ok(())
    }

    /// SET DEFAULT ROLE.
    ///
    /// # Errors
    /// 1044 for others without UPDATE on the database `mysql`, 1959.
    pub(crate) fn set_default_role(
        &mut self,
        role: Option<&str>,
        account: Option<&ast::Account>,
    ) -> SqlResult<()> {
        let engine = Arc::clone(&self.engine);
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
        let (user, host) = self.account_name(account)?;
        let own = user == self.rights.user && host.eq_ignore_ascii_case(&self.rights.host);
        if !own {
            self.rights.need_database("mysql", UPDATE)?;
        }
        if let Some(role) = role
            && (engine.accounts.find_role(role).is_none() || role == PUBLIC)
        {
            return Err(invalid(role));
        }
        let Some(mut a) = engine.accounts.find(&user, &host) else {
            return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[]));
        };
        let locked = self.forbid_without_lock("global_priv");
        match role {
            Some(role) if !a.roles.iter().any(|(r, _)| r == role) => {
                let sees = !own || self.rights.privileges().on("mysql") & SELECT != 0;
                return Err(if sees { has_no_such(&user, &host, role) } else { invalid(role) });
            }
            Some(role) => {
                a.json.insert("default_role".into(), role.into());
            }
            None => {
                a.json.remove("default_role");
            }
        }
        locked?;
        engine.accounts.write(&engine, a)
    }
}

//! CREATE, ALTER, DROP and RENAME USER, SET PASSWORD, GRANT and REVOKE.

use std::sync::Arc;

use super::accounts::Account;
use super::password;
use super::privilege::{self, GRANT_OPTION};
use crate::ast::{self, Grant, GrantTarget, GrantWhat, Identified, PasswordValue, UserSpec, UserStatement};
use crate::error::{self, SqlError, SqlResult};
use crate::session::Session;
use crate::variables::SqlMode;

/// The hash that a password clause gives.
fn hash_of(value: &PasswordValue) -> SqlResult<Option<password::Stored>> {
    match value {
        PasswordValue::Plain(p) | PasswordValue::Old(p) => Ok(password::stored(p)),
        PasswordValue::Hash(h) => read_hash(h),
    }
}

fn read_hash(h: &[u8]) -> SqlResult<Option<password::Stored>> {
    let text = String::from_utf8_lossy(h);
    password::from_text(&text).ok_or_else(|| SqlError::new(error::ER_PASSWD_LENGTH, &[&41]))
}

fn name_of(user: &str, host: &str) -> String {
    format!("'{user}'@'{host}'")
}

fn failed(operation: &str, names: &[String]) -> SqlError {
    SqlError::new(error::ER_CANNOT_USER, &[&operation, &names.join(",")])
}

fn identify(a: &mut Account, spec: &UserSpec) -> SqlResult<()> {
    match &spec.identified {
        None => {}
        Some(Identified::By(p)) => a.set_password(password::stored(p)),
        Some(Identified::Hash(h)) => a.set_password(read_hash(h)?),
        Some(Identified::Via(list)) => {
            let Some(via) = list.first() else { return Ok(()) };
            let known = ["mysql_native_password", "unix_socket"];
            if !known.iter().any(|k| k.eq_ignore_ascii_case(&via.plugin)) {
                return Err(SqlError::new(error::ER_PLUGIN_IS_NOT_LOADED, &[&via.plugin]));
            }
            a.set_password(match &via.value {
                Some(value) => hash_of(value)?,
                None => None,
            });
            a.plugin = via.plugin.to_ascii_lowercase();
        }
    }
    Ok(())
}

impl Session {
    /// 1227 without one of these privileges.
    ///
    /// # Errors
    /// 1227.
    pub(crate) fn require(&self, bits: u64, names: &str) -> SqlResult<()> {
        if self.privileges.global & bits != 0 {
            return Ok(());
        }
        Err(SqlError::new(error::ER_SPECIFIC_ACCESS_DENIED_ERROR, &[&names]))
    }

    fn require_create_user(&self) -> SqlResult<()> {
        self.require(privilege::bit("CREATE USER").unwrap_or(0), "CREATE USER")
    }

    /// CREATE USER and ALTER USER.
    pub(super) fn user_statement(&mut self, u: &UserStatement) -> SqlResult<()> {
        self.require_create_user()?;
        let engine = Arc::clone(&self.engine);
        let operation = if u.alter { "ALTER USER" } else { "CREATE USER" };
        let mut bad = Vec::new();
        for spec in &u.users {
            let (user, host) = self.account_name(Some(&spec.account))?;
            let found = engine.accounts.find(&user, &host);
            let mut account = match (found, u.alter) {
                (Some(a), true) => a,
                (Some(_), false) if u.or_replace => Account::new(&user, &host),
                (None, false) => Account::new(&user, &host),
                (Some(_), false) if u.if_exists => {
                    self.ctx.warnings.note(error::ER_USER_CREATE_EXISTS, &[&user, &host]);
                    continue;
                }
                (None, true) if u.if_exists => {
                    self.ctx.warnings.note(error::ER_USER_DROP_EXISTS, &[&user, &host]);
                    continue;
                }
                _ => {
                    bad.push(name_of(&user, &host));
                    continue;
                }
            };
            identify(&mut account, spec)?;
            if let Some(locked) = u.options.locked {
                account.locked = locked;
            }
            engine.accounts.write(&engine, account)?;
        }
        if bad.is_empty() { Ok(()) } else { Err(failed(operation, &bad)) }
    }

    /// DROP USER.
    pub(super) fn drop_users(&mut self, users: &[ast::Account], if_exists: bool) -> SqlResult<()> {
        self.require_create_user()?;
        let engine = Arc::clone(&self.engine);
        let mut bad = Vec::new();
        for u in users {
            let (user, host) = self.account_name(Some(u))?;
            if engine.accounts.find(&user, &host).is_none() {
                if if_exists {
                    self.ctx.warnings.note(error::ER_USER_DROP_EXISTS, &[&user, &host]);
                } else {
                    bad.push(name_of(&user, &host));
                }
                continue;
            }
            engine.accounts.remove(&engine, &user, &host)?;
        }
        if bad.is_empty() { Ok(()) } else { Err(failed("DROP USER", &bad)) }
    }

    /// RENAME USER.
    pub(super) fn rename_users(&mut self, pairs: &[(ast::Account, ast::Account)]) -> SqlResult<()> {
        self.require_create_user()?;
        let engine = Arc::clone(&self.engine);
        let mut bad = Vec::new();
        for (from, to) in pairs {
            let (user, host) = self.account_name(Some(from))?;
            let (new_user, new_host) = self.account_name(Some(to))?;
            let taken = engine.accounts.find(&new_user, &new_host).is_some();
            match engine.accounts.find(&user, &host) {
                Some(mut a) if !taken => {
                    engine.accounts.remove(&engine, &user, &host)?;
                    a.user = new_user;
                    a.host = new_host;
                    engine.accounts.write(&engine, a)?;
                }
                _ => bad.push(name_of(&user, &host)),
            }
        }
        if bad.is_empty() { Ok(()) } else { Err(failed("RENAME USER", &bad)) }
    }

    /// SET PASSWORD.
    ///
    /// # Errors
    /// 1133 when there is no such account.
    pub(crate) fn set_password(
        &mut self,
        account: Option<&ast::Account>,
        value: &PasswordValue,
    ) -> SqlResult<()> {
        let (user, host) = self.account_name(account)?;
        let own = self.ctx.connection.current_user == format!("{user}@{host}");
        if !own {
            self.require_create_user()?;
        }
        let engine = Arc::clone(&self.engine);
        let Some(mut a) = engine.accounts.find(&user, &host) else {
            return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[]));
        };
        a.set_password(hash_of(value)?);
        engine.accounts.write(&engine, a)
    }

    /// GRANT and REVOKE.
    pub(super) fn grant(&mut self, g: &Grant) -> SqlResult<()> {
        let engine = Arc::clone(&self.engine);
        let (bits, db) = match &g.what {
            GrantWhat::Privileges { privileges, object, target } => {
                if &**object != "TABLE" || privileges.iter().any(|(_, columns)| !columns.is_empty()) {
                    return Err(SqlError::not_supported("privileges on columns and routines"));
                }
                let db = match target {
                    GrantTarget::Global => None,
                    GrantTarget::CurrentDatabase => Some(self.current_database()?.to_string()),
                    GrantTarget::Database(db) => Some(db.to_string()),
                    GrantTarget::Table(_) => {
                        return Err(SqlError::not_supported("privileges on tables"));
                    }
                };
                let all = if db.is_some() { privilege::all_of_database() } else { privilege::ALL };
                let mut bits = 0;
                for (name, _) in privileges {
                    bits |= match &**name {
                        "ALL" | "ALL PRIVILEGES" => all,
                        "USAGE" => 0,
                        other => privilege::bit(other)
                            .ok_or_else(|| SqlError::not_supported(format!("privilege {other}")))?,
                    };
                }
                if db.is_some() && bits & !(privilege::all_of_database() | GRANT_OPTION) != 0 {
                    return Err(SqlError::new(error::ER_WRONG_USAGE, &[&"DB GRANT", &"GLOBAL PRIVILEGES"]));
                }
                if g.with_grant {
                    bits |= GRANT_OPTION;
                }
                (bits, db)
            }
            GrantWhat::Everything => (u64::MAX, None),
            GrantWhat::Proxy(_) | GrantWhat::Roles(_) => {
                return Err(SqlError::not_supported("proxies and roles"));
            }
        };
        self.may_grant(bits, db.as_deref())?;
        for spec in &g.users {
            let (user, host) = self.account_name(Some(&spec.account))?;
            let mut a = match engine.accounts.find(&user, &host) {
                Some(a) => a,
                None if g.revoke => {
                    return Err(SqlError::new(error::ER_NONEXISTING_GRANT, &[&user, &host]));
                }
                None if spec.identified.is_none()
                    && self.settings().sql_mode.has(SqlMode::NO_AUTO_CREATE_USER) =>
                {
                    return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[]));
                }
                None => Account::new(&user, &host),
            };
            identify(&mut a, spec)?;
            change(&mut a, bits, db.as_deref(), g)?;
            engine.accounts.write(&engine, a)?;
        }
        Ok(())
    }

    /// Only what one has, with GRANT OPTION, can be given.
    fn may_grant(&self, bits: u64, db: Option<&str>) -> SqlResult<()> {
        let own = self.privileges.on(db.unwrap_or(""));
        let own = if db.is_some() { own | self.privileges.global } else { self.privileges.global };
        if own & GRANT_OPTION != 0 && (bits == u64::MAX || bits & !own == 0) {
            return Ok(());
        }
        let user = &self.ctx.connection.user;
        let (name, host) = user.rsplit_once('@').unwrap_or((user, ""));
        match db {
            Some(db) => Err(SqlError::new(error::ER_DBACCESS_DENIED_ERROR, &[&name, &host, &db])),
            None => {
                let using = "YES";
                Err(SqlError::new(error::ER_ACCESS_DENIED_ERROR, &[&name, &host, &using]))
            }
        }
    }
}

fn change(a: &mut Account, bits: u64, db: Option<&str>, g: &Grant) -> SqlResult<()> {
    if matches!(g.what, GrantWhat::Everything) {
        a.access = 0;
        a.databases.clear();
        return Ok(());
    }
    let Some(db) = db else {
        a.access = if g.revoke { a.access & !bits } else { a.access | bits };
        return Ok(());
    };
    match a.databases.iter().position(|(d, _)| d == db) {
        Some(i) if g.revoke => {
            a.databases[i].1 &= !bits;
            if a.databases[i].1 == 0 {
                a.databases.remove(i);
            }
        }
        Some(i) => a.databases[i].1 |= bits,
        None if g.revoke => {
            return Err(SqlError::new(error::ER_NONEXISTING_GRANT, &[&a.user, &a.host]));
        }
        None if bits != 0 => a.databases.push((db.to_string(), bits)),
        None => {}
    }
    Ok(())
}

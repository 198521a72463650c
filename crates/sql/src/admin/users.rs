//! CREATE, ALTER, DROP and RENAME USER, SET PASSWORD.

use std::sync::Arc;

use crate::ast::{self, Identified, PasswordValue, UserSpec, UserStatement};
use crate::error::{self, SqlError, SqlResult};
use crate::old_password;
use crate::rights::accounts::{Account, NATIVE, OLD};
use crate::rights::privilege::{CREATE_USER, DELETE, INSERT, UPDATE, names};
use crate::rights::terms::Method;
use crate::rights::{caching_sha2, ed25519, password};
use crate::session::Session;
use crate::warning::Level;

/// Longest name of a user, in characters.
const USER: usize = 128;
/// Longest host, in characters: with database and user a key of MyISAM holds no more.
const HOST: usize = 120;

/// What `mysql_native_password` or `mysql_old_password` keeps of a password clause.
fn native_secret(plugin: &str, value: &PasswordValue) -> SqlResult<String> {
    match value {
        PasswordValue::Plain(p) if plugin == NATIVE => Ok(password::to_text(password::stored(p).as_ref())),
        PasswordValue::Plain(p) => Ok(old_password::text(p)),
        PasswordValue::Old(p) => Ok(old_text(p)),
        PasswordValue::Hash(h) if plugin == NATIVE => read_hash(h),
        PasswordValue::Hash(h) if matches!(h.len(), 0 | old_password::LENGTH) => {
            Ok(String::from_utf8_lossy(h).into_owned())
        }
        PasswordValue::Hash(_) => Err(SqlError::with_message(
            error::ER_PASSWD_LENGTH,
            format!("Password hash should be a {}-digit hexadecimal number", old_password::LENGTH),
        )),
    }
}

/// What OLD_PASSWORD() of SET PASSWORD gives, also for the empty text.
fn old_text(p: &[u8]) -> String {
    let [a, b] = old_password::hash(p);
    format!("{a:08x}{b:08x}")
}

/// Which of the two plugins has made the hash of a clause that names none; lengths tell.
fn plugin_of(value: &PasswordValue, old_passwords: bool) -> &'static str {
    match value {
        PasswordValue::Plain(_) if old_passwords => OLD,
        PasswordValue::Old(_) => OLD,
        PasswordValue::Hash(h) if h.len() == old_password::LENGTH => OLD,
        PasswordValue::Plain(_) | PasswordValue::Hash(_) => NATIVE,
    }
}

/// What a plugin keeps of a password clause.
///
/// # Errors
/// 1372 for a text that cannot be what it keeps.
fn secret_of(plugin: &str, value: &PasswordValue) -> SqlResult<String> {
    if plugin == NATIVE || plugin == OLD {
        return native_secret(plugin, value);
    }
    match value {
        PasswordValue::Plain(p) if p.is_empty() => Ok(String::new()),
        PasswordValue::Plain(p) if plugin == caching_sha2::PLUGIN => {
            caching_sha2::stored(p).map_err(|e| SqlError::internal(format!("no random bytes: {e}")))
        }
        PasswordValue::Hash(h) if plugin == caching_sha2::PLUGIN => match caching_sha2::is_stored(h) {
            _ if h.is_empty() => Ok(String::new()),
            true => Ok(String::from_utf8_lossy(h).into_owned()),
            false => Err(SqlError::new(error::ER_PASSWD_LENGTH, &[&caching_sha2::LENGTH])),
        },
        PasswordValue::Plain(p) => Ok(ed25519::stored(p)),
        PasswordValue::Old(p) => Ok(old_text(p)),
        PasswordValue::Hash(h) if h.is_empty() || ed25519::is_stored(h) => {
            Ok(String::from_utf8_lossy(h).into_owned())
        }
        // The plugin's own words.
        PasswordValue::Hash(_) => Err(SqlError::with_message(
            error::ER_PASSWD_LENGTH,
            format!("Password hash should be {} characters long", ed25519::LENGTH),
        )),
    }
}

/// Makes this the first way to log in; other ways stay.
fn set_secret(a: &mut Account, first: Method) {
    let others = a.json.remove("auth_or");
    let hash = password::from_text(&first.secret);
    match hash.filter(|h| first.plugin == NATIVE && password::to_text(h.as_ref()) == first.secret) {
        Some(hash) => a.set_password(hash),
        // also a text that no password has as its hash: it is kept, and closes the account
        None => a.set_secret(&first.plugin, first.secret),
    }
    if let Some(others) = others {
        a.json.insert("auth_or".into(), others);
    }
}

/// The text of a hash: of its length, none, or the word for an account that no password opens. What it is made of is not
/// looked at: a login with what is no hash fails.
fn read_hash(h: &[u8]) -> SqlResult<String> {
    if matches!(h, b"" | b"invalid") || h.len() == password::LENGTH {
        return Ok(String::from_utf8_lossy(h).into_owned());
    }
    Err(SqlError::new(error::ER_PASSWD_LENGTH, &[&password::LENGTH]))
}

pub(super) fn name_of(user: &str, host: &str) -> String {
    format!("'{user}'@'{host}'")
}

/// 1396.
pub(super) fn failed(operation: &str, names: &[String]) -> SqlError {
    SqlError::new(error::ER_CANNOT_USER, &[&operation, &names.join(",")])
}

/// 1470 for names longer than their columns.
pub(super) fn check_name(user: &str, host: &str) -> SqlResult<()> {
    for (text, most, what) in [(user, USER, "user name"), (host, HOST, "host name")] {
        if text.chars().count() > most {
            return Err(SqlError::new(error::ER_WRONG_STRING_LENGTH, &[&text, &what, &most]));
        }
    }
    Ok(())
}

/// Takes over IDENTIFIED, under this `old_passwords`.
pub(super) fn identify(a: &mut Account, spec: &UserSpec, old_passwords: bool) -> SqlResult<()> {
    let value = match &spec.identified {
        Some(Identified::By(p)) => Some(PasswordValue::Plain(p.clone())),
        Some(Identified::Hash(h)) => Some(PasswordValue::Hash(h.clone())),
        _ => None,
    };
    if let Some(value) = value {
        let plugin = plugin_of(&value, old_passwords);
        set_secret(a, Method { plugin: plugin.into(), secret: secret_of(plugin, &value)? });
        a.json.remove("auth_or");
        return Ok(());
    }
    match &spec.identified {
        None | Some(Identified::By(_) | Identified::Hash(_)) => {}
        Some(Identified::Via(list)) => {
            let mut methods = Vec::new();
            for via in list {
                let plugin = via.plugin.to_ascii_lowercase();
                let secret = match (plugin.as_str(), &via.value) {
                    (NATIVE | OLD | ed25519::PLUGIN | caching_sha2::PLUGIN, Some(value)) => {
                        secret_of(&plugin, value)?
                    }
                    (NATIVE | OLD | ed25519::PLUGIN | caching_sha2::PLUGIN | "unix_socket", _) => {
                        String::new()
                    }
                    _ => return Err(SqlError::new(error::ER_PLUGIN_IS_NOT_LOADED, &[&via.plugin])),
                };
                methods.push(Method { plugin, secret });
            }
            let mut methods = methods.into_iter();
            let Some(first) = methods.next() else { return Ok(()) };
            a.set_password(None);
            set_secret(a, first);
            if methods.len() > 0 {
                a.set_more_methods(methods);
            }
        }
    }
    Ok(())
}

impl Session {
    /// Whether the session may change accounts: CREATE USER, or the privilege on the database `mysql`.
    ///
    /// # Errors
    /// 1227.
    pub(super) fn may_change_accounts(&self, bit: u64) -> SqlResult<()> {
        let rights = &self.rights;
        if rights.global() & CREATE_USER != 0 || rights.privileges().on("mysql") & bit != 0 {
            return Ok(());
        }
        Err(SqlError::new(error::ER_SPECIFIC_ACCESS_DENIED_ERROR, &[&names(CREATE_USER)]))
    }

    /// CREATE USER and ALTER USER.
    pub(super) fn user_statement(&mut self, u: &UserStatement) -> SqlResult<()> {
        self.may_change_accounts(if u.alter { UPDATE } else { INSERT })?;
        self.forbid_without_lock(if u.alter { "global_priv" } else { "db" })?;
        let engine = Arc::clone(&self.engine);
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
        let operation = if u.alter { "ALTER USER" } else { "CREATE USER" };
        let mut bad = Vec::new();
        let mut absent = Vec::new();
        let mut refused = None;
        for spec in &u.users {
            let (user, host) = self.account_name(Some(&spec.account))?;
            check_name(&user, &host)?;
            let found = engine.accounts.find(&user, &host);
            let mut account = match (found, u.alter) {
                (Some(a), true) => a,
                (Some(_), false) if u.or_replace => {
                    engine.accounts.remove(&engine, &user, &host)?;
                    Account::new(&user, &host)
                }
                (None, false) => Account::new(&user, &host),
                (Some(_), false) if u.if_exists => {
                    self.ctx.warnings.note(error::ER_USER_CREATE_EXISTS, &[&user, &host]);
                    continue;
                }
                (None, true) => {
                    let why = match spec.identified {
                        Some(_) => error::ER_CANT_CREATE_USER_WITH_GRANT,
                        None => error::ER_PASSWORD_NO_MATCH,
                    };
                    self.ctx.warnings.push_error(Level::Error, &SqlError::new(why, &[]));
                    // An account of no host is told as it was written.
                    absent.push(match (&spec.account, &spec.identified) {
                        (ast::Account::Named { host: None, .. }, None) => format!("'{user}'"),
                        _ => name_of(&user, &host),
                    });
                    continue;
                }
                _ => {
                    bad.push(name_of(&user, &host));
                    continue;
                }
            };
            if !u.alter {
                account.begin_password();
            }
            let old_passwords = self.settings().old_passwords;
            if let Err(e) = identify(&mut account, spec, old_passwords) {
                self.ctx.warnings.push_error(Level::Error, &e);
                refused.get_or_insert(e);
            }
            if refused.is_some() {
                // those behind it are left out as well
                bad.push(name_of(&user, &host));
                continue;
            }
            account.take_options(&u.options)?;
            account.keep_plugin();
            engine.accounts.write(&engine, account)?;
            engine.accounts.failures.forget(&user, &host);
            self.password_was_set(&user, &host);
        }
        if !absent.is_empty() {
            let e = failed(operation, &absent);
            if !u.if_exists {
                return Err(e);
            }
            self.ctx.warnings.push_error(Level::Note, &e);
        }
        if bad.is_empty() {
            return Ok(());
        }
        let e = failed(operation, &bad);
        match refused.filter(|_| !u.alter) {
            // what is wrong with the first of them is the answer, all of them are in the list
            Some(first) => {
                self.ctx.warnings.push_error(Level::Error, &e);
                Err(first)
            }
            None => Err(e),
        }
    }

    /// DROP USER.
    pub(super) fn drop_users(&mut self, users: &[ast::Account], if_exists: bool) -> SqlResult<()> {
        self.may_change_accounts(DELETE)?;
        self.forbid_without_lock("db")?;
        let engine = Arc::clone(&self.engine);
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
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
        self.may_change_accounts(UPDATE)?;
        self.forbid_without_lock("db")?;
        let engine = Arc::clone(&self.engine);
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
        let mut bad = Vec::new();
        for (from, to) in pairs {
            let (user, host) = self.account_name(Some(from))?;
            let (new_user, new_host) = self.account_name(Some(to))?;
            check_name(&new_user, &new_host)?;
            let taken = engine.accounts.find(&new_user, &new_host).is_some();
            match engine.accounts.find(&user, &host) {
                Some(mut a) if !taken => {
                    a.user = new_user;
                    a.host = new_host;
                    engine.accounts.write(&engine, a)?;
                    engine.accounts.remove(&engine, &user, &host)?;
                }
                _ => bad.push(name_of(&user, &host)),
            }
        }
        if bad.is_empty() { Ok(()) } else { Err(failed("RENAME USER", &bad)) }
    }

    /// SET PASSWORD.
    ///
    /// # Errors
    /// 1133 when there is no such account, 1044 for others without UPDATE on the database `mysql`, 1699 when its plugin keeps no password.
    pub(crate) fn set_password(
        &mut self,
        account: Option<&ast::Account>,
        value: &PasswordValue,
    ) -> SqlResult<()> {
        let engine = Arc::clone(&self.engine);
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
        let (user, host) = self.account_name(account)?;
        let own = user == self.rights.user && host.eq_ignore_ascii_case(&self.rights.host);
        if own && user.is_empty() {
            return Err(SqlError::new(error::ER_PASSWORD_ANONYMOUS_USER, &[]));
        }
        if !own {
            self.rights.need_database("mysql", UPDATE)?;
        }
        self.forbid_without_lock("global_priv")?;
        let Some(mut a) = engine.accounts.find(&user, &host) else {
            return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[]));
        };
        let plugin = match a.plugin.as_str() {
            NATIVE | OLD => plugin_of(value, self.settings().old_passwords).to_owned(),
            ed25519::PLUGIN | caching_sha2::PLUGIN => a.plugin.clone(),
            _ => return Err(SqlError::new(error::ER_SET_PASSWORD_AUTH_PLUGIN, &[&a.plugin])),
        };
        let secret = secret_of(&plugin, value)?;
        set_secret(&mut a, Method { plugin, secret });
        engine.accounts.write(&engine, a)?;
        self.password_was_set(&user, &host);
        Ok(())
    }

    /// Who had to set the password first has done so.
    fn password_was_set(&mut self, user: &str, host: &str) {
        if self.must_set_password && user == self.rights.user && host.eq_ignore_ascii_case(&self.rights.host)
        {
            let a = self.engine.accounts.find(user, host);
            self.must_set_password = a.is_some_and(|a| a.expired_now());
        }
    }
}

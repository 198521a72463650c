//! Accounts: who may connect and what they may do. They live in `mysql.global_priv` and
//! `mysql.db`; this is the copy in memory that logins and SHOW GRANTS read.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard, RwLock};

use super::caching_sha2::Known;
use super::login::{Challenge, Client, Step};
use super::password::{self, Stored};
use super::privilege;
use super::privileges::{RoutineGrant, TableGrant};
use crate::error::{self, SqlError, SqlResult};
use crate::status::Connection;

/// The plugin of passwords.
pub const NATIVE: &str = "mysql_native_password";

/// The plugin of passwords as servers before 4.1 kept them.
pub const OLD: &str = "mysql_old_password";

/// Seconds since 1970.
pub(super) fn now() -> i64 {
    i64::try_from(schema::clock::now().as_secs()).unwrap_or(i64::MAX)
}

/// GRANT PROXY: the account that may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    /// User; empty for anybody.
    pub user: String,
    /// Host pattern.
    pub host: String,
    /// WITH GRANT OPTION.
    pub with_grant: bool,
    /// Who gave it.
    pub grantor: String,
}

impl Proxy {
    /// Whether it is about this account.
    #[must_use]
    pub fn covers(&self, user: &str, host: &str) -> bool {
        (self.user.is_empty() || self.user == user) && wild(self.host.as_bytes(), host.as_bytes())
    }
}

/// An account.
#[derive(Clone, Debug)]
pub struct Account {
    /// User name; empty for anybody.
    pub user: String,
    /// Host pattern.
    pub host: String,
    /// Authentication plug-in.
    pub plugin: String,
    /// Hash of the password; none for the empty one.
    pub password: Option<Stored>,
    /// What is stored as the password is no hash we know: no password is right.
    pub unanswerable: bool,
    /// Global privileges, see [`super::privilege`].
    pub access: u64,
    /// ACCOUNT LOCK.
    pub locked: bool,
    /// Whether it is a role: nobody can log in as one.
    pub role: bool,
    /// Privileges on databases: name (a LIKE pattern) and bits.
    pub databases: Vec<(String, u64)>,
    /// Privileges on tables and columns.
    pub tables: Vec<TableGrant>,
    /// Privileges on procedures and functions.
    pub routines: Vec<RoutineGrant>,
    /// The roles it has, and whether it may give them on.
    pub roles: Vec<(String, bool)>,
    /// Whom it may be for others.
    pub proxies: Vec<Proxy>,
    /// The JSON object of `global_priv`, kept so that members unknown to us survive.
    pub json: serde_json::Map<String, serde_json::Value>,
}

impl Account {
    /// An account without privileges and password.
    #[must_use]
    pub fn new(user: &str, host: &str) -> Account {
        Account {
            user: user.into(),
            host: host.into(),
            plugin: "mysql_native_password".into(),
            password: None,
            unanswerable: false,
            access: 0,
            locked: false,
            role: false,
            databases: Vec::new(),
            tables: Vec::new(),
            routines: Vec::new(),
            roles: Vec::new(),
            proxies: Vec::new(),
            json: serde_json::Map::new(),
        }
    }

    /// A role without privileges.
    #[must_use]
    pub fn role(name: &str) -> Account {
        Account { role: true, ..Account::new(name, "") }
    }

    /// Reads a row of `global_priv`.
    #[must_use]
    pub fn from_row(host: &str, user: &str, json: &str) -> Account {
        let mut account = Account::new(user, host);
        if let Ok(serde_json::Value::Object(map)) = serde_json::from_str(json) {
            let truth = |name: &str| map.get(name).and_then(serde_json::Value::as_bool).unwrap_or(false);
            let number = |name: &str| map.get(name).and_then(serde_json::Value::as_u64).unwrap_or(0);
            account.access = privilege::of_version(number("access"), number("version_id"));
            account.locked = truth("account_locked");
            account.role = truth("is_role");
            if let Some(plugin) = map.get("plugin").and_then(serde_json::Value::as_str) {
                account.plugin = plugin.into();
            }
            let hash = map.get("authentication_string").and_then(serde_json::Value::as_str).unwrap_or("");
            match password::from_text(hash) {
                Some(p) => account.password = p,
                None => account.unanswerable = true,
            }
            account.json = map;
        }
        account
    }

    /// The text of the `Priv` column.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut map = self.json.clone();
        map.insert("access".into(), self.access.into());
        map.entry("version_id").or_insert_with(|| 101_119.into());
        if self.role {
            map.insert("is_role".into(), true.into());
        } else {
            // The accounts of a new server have no plugin before somebody gives them a password.
            let untouched = self.password.is_none() && self.plugin == NATIVE && !map.contains_key("plugin");
            if !untouched {
                map.insert("plugin".into(), self.plugin.clone().into());
            }
            if !self.unanswerable && !untouched {
                let hash = password::to_text(self.password.as_ref());
                map.insert("authentication_string".into(), hash.into());
            }
            if self.locked || map.contains_key("account_locked") {
                map.insert("account_locked".into(), self.locked.into());
            }
        }
        in_order(map)
    }

    /// Sets what a plugin other than the usual one keeps.
    pub fn set_secret(&mut self, plugin: &str, secret: String) {
        self.set_password(None);
        self.plugin = plugin.into();
        self.unanswerable = true;
        self.json.insert("plugin".into(), plugin.into());
        self.json.insert("authentication_string".into(), secret.into());
    }

    /// Sets a password; what else opened the account before does so no more.
    pub fn set_password(&mut self, password: Option<Stored>) {
        self.password = password;
        self.unanswerable = false;
        self.json.remove("auth_or");
        if self.json.contains_key("password_last_changed") {
            self.json.insert("password_last_changed".into(), now().into());
        }
        if self.plugin != NATIVE {
            self.plugin = NATIVE.into();
        }
        self.json.insert("plugin".into(), NATIVE.into());
    }

    /// A new account has its password from now on.
    pub fn begin_password(&mut self) {
        self.keep_plugin();
        self.json.insert("password_last_changed".into(), now().into());
    }

    /// Its plugin is written down from now on.
    pub fn keep_plugin(&mut self) {
        if self.role {
            return;
        }
        self.json.insert("plugin".into(), self.plugin.clone().into());
    }

    /// Whether the password has expired by now.
    #[must_use]
    pub fn expired_now(&self) -> bool {
        self.expired(now())
    }

    /// Whether a client of this host may use the account.
    #[must_use]
    pub fn matches_host(&self, host: &str) -> bool {
        if self.host.is_empty() || self.host == "%" || self.host.eq_ignore_ascii_case(host) {
            return true;
        }
        if let Some((network, mask)) = self.host.split_once('/') {
            return is_within(network, mask, host);
        }
        // The loopback addresses are this machine.
        if self.host.eq_ignore_ascii_case("localhost") && matches!(host, "127.0.0.1" | "::1") {
            return true;
        }
        wild(self.host.to_ascii_lowercase().as_bytes(), host.to_ascii_lowercase().as_bytes())
    }

    /// Whether a client of this host, or of its address, may use the account.
    pub(super) fn matches(&self, host: &str, address: Option<&str>) -> bool {
        self.matches_host(host) || address.is_some_and(|address| self.matches_host(address))
    }

    /// Smaller is looked at first. Named users come before the anonymous one.
    fn rank(&self) -> impl Ord + use<> {
        (self.host.is_empty(), specificity(&self.host), Reverse(self.host.clone()), self.user.is_empty())
    }
}

/// How specific a pattern of hosts or databases is; of several that fit the smallest decides, as MariaDB 10.11 was seen to look: those
/// without wildcards, those without `%`, then by the length that a name has at least, fewer runs of `%`, fewer `_`, an earlier first wildcard.
pub(crate) fn specificity(pattern: &str) -> impl Ord + use<> {
    let (mut ones, mut runs, mut least, mut first) = (0_usize, 0_usize, 0_usize, None);
    let mut chars = pattern.char_indices();
    let mut in_run = false;
    while let Some((at, c)) = chars.next() {
        let any = c == '%';
        runs += usize::from(any && !in_run);
        in_run = any;
        ones += usize::from(c == '_');
        least += usize::from(!any);
        if any || c == '_' {
            first = first.or(Some(at));
        }
        if c == '\\' {
            chars.next();
        }
    }
    let class = if runs > 0 { 2_u8 } else { u8::from(ones > 0) };
    // names without wildcards are all of one rank, those without `%` of one length
    let least = if class < 2 { 0 } else { least };
    (class, Reverse(least), runs, ones, first)
}

/// The members of `global_priv` that stand first, in their order there.
const FIRST: [&str; 8] = [
    "access",
    "version_id",
    "plugin",
    "authentication_string",
    "auth_or",
    "account_locked",
    "password_last_changed",
    "password_lifetime",
];

/// The text of an object, its members in the order that MariaDB gives them.
fn in_order(mut map: serde_json::Map<String, serde_json::Value>) -> String {
    let first: Vec<_> = FIRST.iter().filter_map(|name| map.remove_entry(*name)).collect();
    let mut text = String::from("{");
    for (name, value) in first.into_iter().chain(map) {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&format!("{}:{value}", serde_json::Value::String(name)));
    }
    text.push('}');
    text
}

/// Whether an address is one of a network.
fn is_within(network: &str, mask: &str, host: &str) -> bool {
    let number = |text: &str| text.parse().map(|a: std::net::Ipv4Addr| a.to_bits());
    match (number(network), number(mask), number(host)) {
        (Ok(network), Ok(mask), Ok(host)) => host & mask == network,
        _ => false,
    }
}

/// `%` and `_` patterns of host and database names.
#[must_use]
pub fn wild(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'%') => {
                star = Some((p, t));
                p += 1;
            }
            Some(b'\\') if p + 1 < pattern.len() && pattern[p + 1] == text[t] => {
                p += 2;
                t += 1;
            }
            Some(b'_') => {
                p += 1;
                t += 1;
            }
            Some(c) if *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((sp, st)) => {
                    p = sp + 1;
                    t = st + 1;
                    star = Some((sp, st + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'%')
}

/// All accounts.
#[derive(Default)]
pub struct Accounts {
    list: RwLock<Arc<Vec<Account>>>,
    /// Held by statements that change accounts.
    alone: Mutex<()>,
    /// Grows with each change, so that sessions see that theirs is an old copy.
    epoch: AtomicU64,
    /// Passwords of `caching_sha2_password` that were shown.
    pub(super) known: Arc<Known>,
    /// Wrong passwords of late.
    pub(crate) failures: super::failures::Failures,
}

impl Accounts {
    /// Replaces the list, in the order logins search it.
    pub fn replace(&self, mut accounts: Vec<Account>) {
        accounts.sort_by_cached_key(Account::rank);
        let mut list = self.list.write();
        *list = Arc::new(accounts);
        self.epoch.fetch_add(1, Ordering::Release);
    }

    /// A number that changes with the list.
    #[inline]
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// The list as it stands.
    #[must_use]
    pub fn list(&self) -> Arc<Vec<Account>> {
        Arc::clone(&self.list.read())
    }

    /// Makes the statements that change accounts run one after another.
    ///
    /// # Errors
    /// 1205, 1317: who has it may wait for a table that somebody has locked.
    pub(crate) fn lock_changes(
        &self,
        timeout: Duration,
        connection: &Connection,
    ) -> SqlResult<MutexGuard<'_, ()>> {
        /// How soon KILL is seen.
        const STEP: Duration = Duration::from_millis(50);
        let mut left = timeout;
        loop {
            if let Some(guard) = self.alone.try_lock_for(STEP.min(left)) {
                return Ok(guard);
            }
            connection.check_killed()?;
            left = left.saturating_sub(STEP);
            if left.is_zero() {
                return Err(SqlError::new(error::ER_LOCK_WAIT_TIMEOUT, &[]));
            }
        }
    }

    /// A copy of the list.
    #[must_use]
    pub fn all(&self) -> Vec<Account> {
        (*self.list()).clone()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.read().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Finds an account by its exact name.
    #[must_use]
    pub fn find(&self, user: &str, host: &str) -> Option<Account> {
        self.list
            .read()
            .iter()
            .find(|a| !a.role && a.user == user && a.host.eq_ignore_ascii_case(host))
            .cloned()
    }

    /// Finds a role.
    #[must_use]
    pub fn find_role(&self, name: &str) -> Option<Account> {
        self.list.read().iter().find(|a| a.role && a.user == name).cloned()
    }

    /// Whether there is a role of this name.
    #[must_use]
    pub fn has_role_named(&self, name: &str) -> bool {
        self.find_role(name).is_some()
    }

    /// The account that a login of this user uses, from this host of this address, where it has one.
    #[must_use]
    pub fn login(&self, user: &str, host: &str, address: Option<&str>) -> Option<Account> {
        self.list
            .read()
            .iter()
            .find(|a| !a.role && (a.user.is_empty() || a.user == user) && a.matches(host, address))
            .cloned()
    }

    /// Checks a login whose client answers one question, with the hash of a password.
    ///
    /// # Errors
    /// As [`Attempt::end`].
    pub fn authenticate(
        &self,
        user: &str,
        host: &str,
        scramble: &[u8; 20],
        answer: &[u8],
        client: Client<'_>,
        refuse_expired: bool,
    ) -> SqlResult<()> {
        let mut attempt = self.attempt(user, host, None);
        loop {
            match attempt.step(client) {
                Step::Ask(challenge @ Challenge::Native) if !attempt.answer(challenge, scramble, answer) => {}
                Step::Ask(Challenge::Ed25519 | Challenge::CachingSha2 | Challenge::Old) => {}
                Step::Ask(_) | Step::Admitted | Step::Denied => {
                    return attempt.end(client, true, refuse_expired);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_match_as_patterns() {
        assert!(wild(b"192.168.%", b"192.168.1.7"));
        assert!(!wild(b"192.168.%", b"192.169.1.7"));
        assert!(wild(b"test\\_%", b"test_1"));
        assert!(!wild(b"test\\_%", b"testing"));
        assert!(wild(b"%.example.com", b"a.b.example.com"));
        let mut local = Account::new("root", "localhost");
        assert!(local.matches_host("127.0.0.1"));
        local.host = "10.0.0.1".into();
        assert!(!local.matches_host("127.0.0.1"));
        local.host = "127.0.0.0/255.0.0.0".into();
        assert!(local.matches_host("127.0.0.1") && !local.matches_host("128.0.0.1"));
        assert!(!local.matches_host("localhost"));
    }

    #[test]
    fn the_most_specific_account_answers() {
        let accounts = Accounts::default();
        accounts.replace(vec![
            Account::new("u", "%"),
            Account::new("", "localhost"),
            Account::from_row("10.%", "u", r#"{"access":1,"authentication_string":"bad"}"#),
        ]);
        assert_eq!(accounts.login("u", "localhost", None).expect("found").user, "");
        assert_eq!(accounts.login("u", "10.2.3.4", None).expect("found").host, "10.%");
        assert_eq!(accounts.login("u", "1.2.3.4", None).expect("found").host, "%");
        let ordered = |hosts: &[&str]| {
            let accounts = Accounts::default();
            accounts.replace(hosts.iter().rev().map(|host| Account::new("u", host)).collect());
            accounts.list().iter().map(|a| a.host.clone()).collect::<Vec<_>>()
        };
        for hosts in [
            &[
                "localhost",
                "127.0.0.1",
                "127.0.0.0/255.0.0.0",
                "l_calhost",
                "local%",
                "%host",
                "127.%",
                "%t",
                "l%",
                "%",
            ][..],
            &[
                "127.0._._",
                "____lhost",
                "l_c_l_o_t",
                "l________",
                "1________",
                "_________",
                "loc_lhos%",
                "l_______%",
            ],
            &[
                "127.0.%", "%lhost", "loc%st", "local%", "1%.%.%.1", "127%", "l%t", "l%h%", "_%_%", "%t",
                "%1", "l%", "%_", "%l%", "%%", "%",
            ],
            &[
                "_________",
                "localhost%",
                "127.0.0.1%",
                "l_calhost%",
                "l%_",
                "_%_",
                "%__",
                "1%%%%%",
                "1%",
                "_%%%",
                "%_%",
            ],
        ] {
            assert_eq!(ordered(hosts), hosts);
        }
        let e = accounts
            .authenticate("u", "10.2.3.4", &[1; 20], b"", Client::default(), true)
            .expect_err("no password is right");
        assert_eq!(e.code, error::ER_ACCESS_DENIED_ERROR);
        let e = accounts
            .authenticate("u", "1.2.3.4", &[1; 20], b"12345678901234567890", Client::default(), true)
            .expect_err("denied");
        assert_eq!(e.message, "Access denied for user 'u'@'1.2.3.4' (using password: YES)");
    }

    #[test]
    fn the_socket_tells_who_somebody_is() {
        let accounts = Accounts::default();
        // What mariadb-install-db makes of root.
        let root = r#"{"access":1,"plugin":"mysql_native_password","authentication_string":"invalid","auth_or":[{},{"plugin":"unix_socket"}]}"#;
        let mut only = Account::new("only", "localhost");
        only.plugin = "unix_socket".into();
        accounts.replace(vec![Account::from_row("localhost", "root", root), only]);
        let login = |user: &str, system_user| {
            let client = Client { system_user, ..Client::default() };
            accounts.authenticate(user, "localhost", &[1; 20], b"", client, true)
        };
        assert!(login("root", Some("root")).is_ok());
        assert!(login("root", Some("me")).is_err());
        assert!(login("root", None).is_err());
        assert!(login("only", Some("only")).is_ok());
        assert!(login("only", None).is_err(), "no password opens it");
        let mut root = Account::from_row("localhost", "root", root);
        assert!(root.to_json().contains("invalid"), "nothing is made easier by the way");
        root.set_password(None);
        assert!(
            !root.to_json().contains("auth_or") && root.to_json().contains(r#""authentication_string":"""#)
        );
    }

    #[test]
    fn unknown_members_survive() {
        let a =
            Account::from_row("h", "u", r#"{"access":3,"mine":{"x":1},"plugin":"mysql_native_password"}"#);
        assert!(a.to_json().contains(r#""mine":{"x":1}"#));
        assert_eq!(a.access, 3);
    }
}

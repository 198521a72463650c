//! A login under way: which proofs the account takes, in which order, and how it ends.

use std::sync::Arc;

use charset::SortHash;

use super::accounts::{Account, Accounts, NATIVE, OLD, now};
use super::caching_sha2::{self, Known};
use super::privilege::{CONNECTION_ADMIN, SUPER};
use super::terms::Method;
use super::{ed25519, password};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::old_password;
use crate::status::encryption::Encryption;

/// What is known of a client beside its answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client<'a> {
    /// Who the system says is at the other end of a unix socket.
    pub system_user: Option<&'a str>,
    /// The encryption of its connection.
    pub encryption: Option<&'a Encryption>,
    /// Whether nobody can listen: TLS, or a socket of this machine.
    pub secure: bool,
    /// `secure_auth`: passwords of servers before 4.1 are not asked for.
    pub refuse_old: bool,
}

/// What a client is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// `mysql_native_password`, 20 bytes of scramble.
    Native,
    /// `client_ed25519`, 32 bytes of scramble.
    Ed25519,
    /// `caching_sha2_password`, 20 bytes of scramble.
    CachingSha2,
    /// `mysql_old_password`, of which the first 8 bytes of the scramble are used.
    Old,
}

/// What an answer to [`Challenge::CachingSha2`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Short {
    /// The password is known and the answer right.
    Proven,
    /// The client has no password, whether that is right or not.
    Empty,
    /// The password itself is needed.
    Unknown,
}

/// What comes next in a login.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The account is open to this client without a question.
    Admitted,
    /// Its answer to this decides, or the next step.
    Ask(Challenge),
    /// Nothing is left to ask.
    Denied,
}

/// A login.
pub struct Attempt {
    account: Option<Account>,
    /// Whether any account is open to the client's host.
    host_known: bool,
    user: String,
    host: String,
    methods: std::vec::IntoIter<Method>,
    /// What the last question is checked with; nothing when there is no account.
    secret: Option<String>,
    known: Arc<Known>,
    with_password: bool,
    admitted: bool,
    /// Whether the last way to log in was one that `secure_auth` refuses.
    old_refused: bool,
}

impl Accounts {
    /// Begins the login of this user from this host of this address. Who has no account is asked as if there was one.
    #[must_use]
    pub fn attempt(&self, user: &str, host: &str, address: Option<&str>) -> Attempt {
        let account = self.login(user, host, address);
        let known = |a: &Account| !a.role && a.matches(host, address);
        let host_known = account.is_some() || self.list().iter().any(known);
        let methods = match &account {
            Some(account) => account.methods(),
            None => vec![Method { plugin: self.stand_in(user).into(), secret: String::new() }],
        };
        Attempt {
            account,
            host_known,
            user: user.into(),
            host: host.into(),
            methods: methods.into_iter(),
            secret: None,
            known: Arc::clone(&self.known),
            with_password: false,
            admitted: false,
            old_refused: false,
        }
    }
}

impl Accounts {
    /// The plugin that somebody without an account is asked for: that of an account which his name chooses, always the same one,
    /// so that nobody learns from it which names there are. MariaDB chooses so.
    fn stand_in(&self, user: &str) -> &'static str {
        let list = self.list();
        let all: Vec<&Account> = list.iter().filter(|a| !a.role).collect();
        let mut hash = SortHash::default();
        hash.bytes(user.to_uppercase().as_bytes());
        let chosen = hash.whole().checked_rem(all.len() as u64).unwrap_or(0);
        match all.iter().rev().nth(usize::try_from(chosen).unwrap_or(0)) {
            Some(a) if a.plugin == OLD => OLD,
            _ => NATIVE,
        }
    }

    /// Counts a login whose questions have been asked as one with a wrong or a right password. Administrators are never kept out.
    ///
    /// # Errors
    /// 4150 when the password of the account was wrong so often before.
    pub(crate) fn count_attempt(&self, attempt: &Attempt, most: u64) -> SqlResult<()> {
        let Some(account) = &attempt.account else { return Ok(()) };
        if account.access & (SUPER | CONNECTION_ADMIN) != 0 {
            return Ok(());
        }
        let (user, host) = (&account.user, &account.host);
        if self.failures.is_blocked(user, host, most) {
            return Err(SqlError::new(codes::ER_USER_IS_BLOCKED, &[]));
        }
        match attempt.admitted {
            true => self.failures.forget(user, host),
            false => self.failures.add(user, host),
        }
        Ok(())
    }
}

impl Attempt {
    /// The next way to prove who one is.
    pub fn step(&mut self, client: Client<'_>) -> Step {
        for method in self.methods.by_ref() {
            self.secret = self.account.is_some().then_some(method.secret);
            self.old_refused = method.plugin == OLD && client.refuse_old;
            match method.plugin.as_str() {
                "unix_socket" if client.system_user == Some(self.user.as_str()) => {
                    self.admitted = true;
                    return Step::Admitted;
                }
                NATIVE => return Step::Ask(Challenge::Native),
                ed25519::PLUGIN => return Step::Ask(Challenge::Ed25519),
                caching_sha2::PLUGIN => return Step::Ask(Challenge::CachingSha2),
                OLD if !client.refuse_old => return Step::Ask(Challenge::Old),
                _ => {}
            }
        }
        Step::Denied
    }

    /// Takes the answer to a question; whether it proves the password.
    pub fn answer(&mut self, challenge: Challenge, scramble: &[u8], answer: &[u8]) -> bool {
        self.with_password |= !answer.is_empty();
        let Some(secret) = &self.secret else { return false };
        self.admitted = match challenge {
            Challenge::Native => match (password::from_text(secret), scramble.try_into()) {
                (Some(hash), Ok(scramble)) => password::check(hash.as_ref(), scramble, answer),
                _ => false,
            },
            Challenge::Ed25519 => ed25519::check(secret, scramble, answer),
            Challenge::Old => old_password_proven(secret, scramble, answer),
            // What it takes for that is asked in two steps.
            Challenge::CachingSha2 => false,
        };
        self.admitted
    }

    /// Takes the answer to a scramble of `caching_sha2_password`.
    pub fn answer_short(&mut self, scramble: &[u8], answer: &[u8]) -> Short {
        self.with_password |= !answer.is_empty();
        if answer.is_empty() {
            self.admitted = self.secret.as_deref() == Some("");
            return Short::Empty;
        }
        let secret = self.secret.as_deref().unwrap_or_default();
        self.admitted = !secret.is_empty() && self.known.proves(secret, scramble, answer);
        if self.admitted { Short::Proven } else { Short::Unknown }
    }

    /// Takes a password of `caching_sha2_password`; whether it is right.
    pub fn answer_password(&mut self, password: &[u8]) -> bool {
        if let Some(secret) = &self.secret
            && caching_sha2::check(secret, password)
        {
            self.known.keep(secret, password);
            self.admitted = true;
        }
        self.admitted
    }

    /// Whether what was answered last proved the account.
    #[must_use]
    pub fn is_admitted(&self) -> bool {
        self.admitted
    }

    /// The user and the client's host.
    #[must_use]
    pub fn who(&self) -> (&str, &str) {
        (&self.user, &self.host)
    }

    /// Whether the client has answered with a password.
    #[must_use]
    pub fn with_password(&self) -> bool {
        self.with_password
    }

    /// Ends the login. `secured`: its connection is one that the server admits.
    ///
    /// # Errors
    /// 1045 when account or password are wrong or the account demands another connection, 1130 when no account allows the host, 1275 when
    /// `secure_auth` refuses the password, 4151 when the account is locked, 1698 when it has no password and the system knows the client as
    /// somebody else, 1862 when its password has expired and `refuse_expired` says so.
    pub fn end(&self, client: Client<'_>, secured: bool, refuse_expired: bool) -> SqlResult<()> {
        let denied = || {
            let using = if self.with_password { "YES" } else { "NO" };
            SqlError::new(error::ER_ACCESS_DENIED_ERROR, &[&self.user, &self.host, &using])
        };
        let in_old_format =
            || SqlError::new(codes::ER_SERVER_IS_IN_SECURE_AUTH_MODE, &[&self.user, &self.host]);
        let Some(account) = &self.account else {
            if !self.host_known {
                return Err(SqlError::new(error::ER_HOST_NOT_PRIVILEGED, &[&self.host]));
            }
            if self.old_refused {
                return Err(in_old_format());
            }
            return Err(denied());
        };
        if !self.admitted {
            if self.old_refused {
                return Err(in_old_format());
            }
            if account.methods().iter().all(|m| m.plugin == "unix_socket") {
                return Err(SqlError::new(
                    error::ER_ACCESS_DENIED_NO_PASSWORD_ERROR,
                    &[&self.user, &self.host],
                ));
            }
            return Err(denied());
        }
        if !secured || !account.allows(client.encryption) {
            return Err(denied());
        }
        if account.locked {
            return Err(SqlError::new(error::ER_ACCOUNT_HAS_BEEN_LOCKED, &[]));
        }
        if refuse_expired && account.expired(now()) {
            return Err(SqlError::new(error::ER_MUST_CHANGE_PASSWORD_LOGIN, &[]));
        }
        Ok(())
    }
}

/// Whether an answer to the first bytes of a scramble proves a password of servers before 4.1.
fn old_password_proven(secret: &str, scramble: &[u8], answer: &[u8]) -> bool {
    if secret.is_empty() {
        return answer.is_empty();
    }
    let (Some(hash), Some(scramble)) =
        (old_password::from_text(secret), scramble.first_chunk::<{ old_password::SCRAMBLE }>())
    else {
        return false;
    };
    password::same(&old_password::answer(hash, *scramble), answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_no_account_is_asked_as_others_are() {
        let accounts = Accounts::default();
        let mut all: Vec<Account> = (0..4).map(|n| Account::new(&format!("a{n}"), "%")).collect();
        all[2].plugin = OLD.into();
        all.push(Account::role("r"));
        accounts.replace(all);
        let asked: Vec<&str> = (0..40).map(|n| accounts.stand_in(&format!("nobody{n}"))).collect();
        let old = asked.iter().filter(|p| **p == OLD).count();
        assert!((4..20).contains(&old), "{asked:?}");
        assert_eq!(accounts.stand_in("nobody7"), accounts.stand_in("NOBODY7"));
        assert_eq!(Accounts::default().stand_in("x"), NATIVE);
        // what such a client answers proves nothing
        let who = (0..40).map(|n| format!("nobody{n}")).find(|n| accounts.stand_in(n) == OLD).expect("one");
        let mut attempt = accounts.attempt(&who, "localhost", None);
        assert_eq!(attempt.step(Client::default()), Step::Ask(Challenge::Old));
        assert!(!attempt.answer(Challenge::Old, &[1; 20], b""));
        let refusing = Client { refuse_old: true, ..Client::default() };
        let mut attempt = accounts.attempt(&who, "localhost", None);
        assert_eq!(attempt.step(refusing), Step::Denied);
        let e = attempt.end(refusing, true, true).expect_err("refused");
        assert_eq!(e.code, codes::ER_SERVER_IS_IN_SECURE_AUTH_MODE);
    }
}

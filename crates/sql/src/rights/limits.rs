//! What an account may use in an hour, and how many connections at once.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;

use super::accounts::Account;
use crate::error::{self, SqlError, SqlResult};

const HOUR: u64 = 3600;

/// What an account has used.
#[derive(Debug, Default)]
struct Counts {
    /// Seconds of the clock when they began.
    since: u64,
    questions: u64,
    updates: u64,
    connections: u64,
}

#[derive(Debug, Default)]
struct Usage {
    counts: Mutex<Counts>,
    open: AtomicI64,
}

/// The usage of all accounts that have limits.
#[derive(Debug, Default)]
pub struct Usages {
    all: Mutex<HashMap<(String, String), Arc<Usage>>>,
}

impl Usages {
    /// FLUSH USER_RESOURCES.
    pub fn reset(&self) {
        for u in self.all.lock().values() {
            *u.counts.lock() = Counts::default();
        }
    }
}

/// The limits of a connection's account; the connection counts as long as this lives.
#[derive(Debug)]
pub(crate) struct Limits {
    usage: Arc<Usage>,
    user: String,
    questions: u64,
    updates: u64,
}

fn exceeded(user: &str, what: &str, limit: i64) -> SqlError {
    SqlError::new(error::ER_USER_LIMIT_REACHED, &[&user, &what, &limit])
}

impl Limits {
    /// Counts a new connection; none when the account has no limits. `most` is the server's `max_user_connections`.
    ///
    /// # Errors
    /// 1226, 1203.
    pub fn connect(usages: &Usages, a: &Account, most: i64) -> SqlResult<Option<Limits>> {
        let [questions, updates, connections, own] =
            ["max_questions", "max_updates", "max_connections", "max_user_connections"].map(|n| a.number(n));
        if most <= 0 && [questions, updates, connections, own].iter().all(|n| *n <= 0) {
            return Ok(None);
        }
        let key = (a.user.clone(), a.host.clone());
        let usage = Arc::clone(usages.all.lock().entry(key).or_default());
        let open = usage.open.fetch_add(1, Ordering::AcqRel);
        // From here on the connection is counted, and uncounted when this is dropped.
        let limit = |n: i64| u64::try_from(n).unwrap_or(0);
        let limits =
            Limits { usage, user: a.user.clone(), questions: limit(questions), updates: limit(updates) };
        if own > 0 && open >= own {
            return Err(exceeded(&a.user, "max_user_connections", own));
        }
        if own == 0 && most > 0 && open >= most {
            return Err(SqlError::new(error::ER_TOO_MANY_USER_CONNECTIONS, &[&a.user]));
        }
        if connections > 0 {
            limits.count(limit(connections), "max_connections_per_hour", |c| &mut c.connections)?;
        }
        Ok(Some(limits))
    }

    fn count(&self, limit: u64, what: &str, which: impl FnOnce(&mut Counts) -> &mut u64) -> SqlResult<()> {
        let now = schema::clock::now().as_secs();
        let mut counts = self.usage.counts.lock();
        if counts.since == 0 || now.saturating_sub(counts.since) >= HOUR {
            *counts = Counts { since: now.max(1), ..Counts::default() };
        }
        let n = which(&mut counts);
        if *n >= limit {
            return Err(exceeded(&self.user, what, limit.cast_signed()));
        }
        *n += 1;
        Ok(())
    }

    /// A statement.
    ///
    /// # Errors
    /// 1226.
    pub fn question(&self) -> SqlResult<()> {
        if self.questions == 0 {
            return Ok(());
        }
        self.count(self.questions, "max_queries_per_hour", |c| &mut c.questions)
    }

    /// A statement that changes something.
    ///
    /// # Errors
    /// 1226.
    pub fn update(&self) -> SqlResult<()> {
        if self.updates == 0 {
            return Ok(());
        }
        self.count(self.updates, "max_updates_per_hour", |c| &mut c.updates)
    }
}

impl Drop for Limits {
    fn drop(&mut self) {
        self.usage.open.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept() {
        let usages = Usages::default();
        let a = Account::from_row(
            "%",
            "u",
            r#"{"max_questions":1,"max_user_connections":2,"max_connections":3}"#,
        );
        let one = Limits::connect(&usages, &a, 0).expect("allowed").expect("limits");
        one.question().expect("the first");
        assert_eq!(one.question().expect_err("the second").code, error::ER_USER_LIMIT_REACHED);
        one.update().expect("no limit");
        let two = Limits::connect(&usages, &a, 0).expect("allowed");
        assert!(Limits::connect(&usages, &a, 0).is_err(), "two at once");
        drop(two);
        drop(Limits::connect(&usages, &a, 0).expect("allowed"));
        assert!(Limits::connect(&usages, &a, 0).is_err(), "three an hour");
        usages.reset();
        assert!(Limits::connect(&usages, &a, 0).is_ok());
        let free = Account::new("v", "%");
        assert!(Limits::connect(&usages, &free, 0).expect("allowed").is_none());
    }
}

//! Logins that failed by their password, account by account (`max_password_errors`).

use foldhash::HashMap;
use parking_lot::Mutex;

/// How often in a row the password of each account was wrong; an account without a wrong one is not here.
#[derive(Default)]
pub(crate) struct Failures(Mutex<HashMap<(String, String), u64>>);

impl Failures {
    /// Whether an account has failed so often that nobody may log in as it.
    pub(super) fn is_blocked(&self, user: &str, host: &str, most: u64) -> bool {
        self.0.lock().get(&(user.to_owned(), host.to_owned())).is_some_and(|n| *n >= most)
    }

    /// One more.
    pub(super) fn add(&self, user: &str, host: &str) {
        let mut all = self.0.lock();
        let n = all.entry((user.to_owned(), host.to_owned())).or_insert(0);
        *n = n.saturating_add(1);
    }

    /// The account is as if its password was never wrong.
    pub(crate) fn forget(&self, user: &str, host: &str) {
        self.0.lock().remove(&(user.to_owned(), host.to_owned()));
    }

    /// All accounts are.
    pub(crate) fn forget_all(&self) {
        self.0.lock().clear();
    }
}

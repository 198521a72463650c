//! REQUIRE, WITH, ACCOUNT and PASSWORD EXPIRE: from the statement into the members of the JSON object.

use crate::ast::AccountOptions;
use crate::error::{self, SqlError, SqlResult};
use crate::rights::accounts::Account;

/// Members that REQUIRE sets.
const TLS: [&str; 3] = ["ssl_cipher", "x509_issuer", "x509_subject"];

impl Account {
    /// Takes over what a statement says beside names and passwords.
    ///
    /// # Errors
    /// 1525 for PASSWORD EXPIRE INTERVAL 0 DAY.
    pub(super) fn take_options(&mut self, o: &AccountOptions) -> SqlResult<()> {
        // Roles have none of this.
        if self.role {
            return Ok(());
        }
        self.take_require(o);
        for (word, n) in &o.limits {
            let name = match &**word {
                "MAX_QUERIES_PER_HOUR" => "max_questions",
                "MAX_UPDATES_PER_HOUR" => "max_updates",
                "MAX_CONNECTIONS_PER_HOUR" => "max_connections",
                "MAX_USER_CONNECTIONS" => "max_user_connections",
                _ => {
                    self.json.insert("max_statement_time".into(), (*n as f64 / 1e6).into());
                    continue;
                }
            };
            self.json.insert(name.into(), (*n).into());
        }
        if let Some(locked) = o.locked {
            self.locked = locked;
            self.json.insert("account_locked".into(), locked.into());
        }
        match o.expire.as_deref() {
            None => {}
            Some("NOW") => {
                self.json.insert("password_last_changed".into(), 0.into());
            }
            Some("NEVER") => {
                self.json.insert("password_lifetime".into(), 0.into());
            }
            Some("DEFAULT") => {
                self.json.insert("password_lifetime".into(), (-1).into());
            }
            Some(interval) => {
                let days: i64 = interval.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
                if !(1..=65535).contains(&days) {
                    return Err(SqlError::new(error::ER_WRONG_VALUE, &[&"DAY", &days]));
                }
                self.json.insert("password_lifetime".into(), days.into());
            }
        }
        Ok(())
    }

    fn take_require(&mut self, o: &AccountOptions) {
        if o.require.is_empty() {
            return;
        }
        for name in TLS {
            self.json.insert(name.into(), "".into());
        }
        let mut kind = 3;
        for (word, text) in &o.require {
            let name = match &**word {
                "NONE" => {
                    kind = 0;
                    continue;
                }
                "SSL" => {
                    kind = 1;
                    continue;
                }
                "X509" => {
                    kind = 2;
                    continue;
                }
                "CIPHER" => TLS[0],
                "ISSUER" => TLS[1],
                _ => TLS[2],
            };
            self.json.insert(name.into(), String::from_utf8_lossy(text).into_owned().into());
        }
        self.json.insert("ssl_type".into(), kind.into());
    }
}

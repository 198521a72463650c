//! What an account demands of a login beside its password, and how it is told: plugins, REQUIRE, limits, expiry. The members of the
//! JSON object in `global_priv` say it.

use serde_json::Value;

use super::accounts::{Account, NATIVE, OLD};
use super::{caching_sha2, ed25519, password};
use crate::old_password;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// One way to log in.
pub(crate) struct Method {
    /// Plugin.
    pub plugin: String,
    /// What the plugin keeps: for passwords their hash.
    pub secret: String,
}

impl Account {
    pub(crate) fn text(&self, name: &str) -> &str {
        self.json.get(name).and_then(Value::as_str).unwrap_or("")
    }

    pub(crate) fn number(&self, name: &str) -> i64 {
        self.json.get(name).and_then(Value::as_i64).unwrap_or(0)
    }

    /// MAX_STATEMENT_TIME in seconds; 0: none of its own.
    pub(crate) fn statement_time(&self) -> f64 {
        self.json.get("max_statement_time").and_then(Value::as_f64).unwrap_or(0.0)
    }

    /// The role taken at the login.
    pub(crate) fn default_role(&self) -> Option<&str> {
        Some(self.text("default_role")).filter(|r| !r.is_empty())
    }

    /// The ways to log in, in their order.
    pub(crate) fn methods(&self) -> Vec<Method> {
        let secret = if self.unanswerable {
            self.text("authentication_string").to_owned()
        } else {
            password::to_text(self.password.as_ref())
        };
        let own = || Method { plugin: self.plugin.clone(), secret: secret.clone() };
        let Some(list) = self.json.get("auth_or").and_then(Value::as_array) else { return vec![own()] };
        list.iter()
            .map(|v| {
                let text = |name: &str| v.get(name).and_then(Value::as_str).map(str::to_owned);
                match text("plugin") {
                    Some(plugin) => {
                        Method { plugin, secret: text("authentication_string").unwrap_or_default() }
                    }
                    // An empty object stands for the account's own plugin.
                    None => own(),
                }
            })
            .collect()
    }

    /// Other ways to log in beside the account's own plugin.
    pub(crate) fn set_more_methods(&mut self, rest: impl Iterator<Item = Method>) {
        let mut list = vec![Value::Object(serde_json::Map::new())];
        for m in rest {
            let mut one = serde_json::Map::new();
            one.insert("plugin".into(), m.plugin.into());
            if !m.secret.is_empty() {
                one.insert("authentication_string".into(), m.secret.into());
            }
            list.push(Value::Object(one));
        }
        self.json.insert("auth_or".into(), Value::Array(list));
    }

    /// Whether a login needs TLS.
    pub(crate) fn requires_tls(&self) -> bool {
        self.number("ssl_type") != 0
    }

    /// Whether the password has expired at this time, in seconds since 1970.
    pub(crate) fn expired(&self, now: i64) -> bool {
        if !self.json.contains_key("password_last_changed") {
            return false;
        }
        let (changed, days) = (self.number("password_last_changed"), self.number("password_lifetime"));
        changed == 0 || days > 0 && now > changed.saturating_add(days.saturating_mul(DAY))
    }

    /// Whether no login can succeed here: the reason.
    pub(crate) fn closed(&self) -> Option<&'static str> {
        let usable = |m: &Method| match m.plugin.as_str() {
            "unix_socket" => true,
            ed25519::PLUGIN => ed25519::is_stored(m.secret.as_bytes()),
            caching_sha2::PLUGIN => m.secret.is_empty() || caching_sha2::is_stored(m.secret.as_bytes()),
            OLD => m.secret.is_empty() || old_password::from_text(&m.secret).is_some(),
            plugin => plugin == NATIVE && password::from_text(&m.secret).is_some(),
        };
        if self.role {
            return None;
        }
        let methods = self.methods();
        if methods.iter().any(usable) {
            return None;
        }
        let native = methods.iter().any(|m| [NATIVE, OLD].contains(&m.plugin.as_str()));
        Some(if native { "its password has a form that is not known" } else { "its plugin is not there" })
    }

    /// ` IDENTIFIED ...`, as SHOW GRANTS and SHOW CREATE USER tell it.
    pub(crate) fn identified(&self) -> String {
        let methods = self.methods();
        if let [only] = &methods[..]
            && [NATIVE, OLD].contains(&only.plugin.as_str())
        {
            return match only.secret.as_str() {
                "" => String::new(),
                hash => format!(" IDENTIFIED BY PASSWORD {}", quoted(hash)),
            };
        }
        let list: Vec<String> = methods
            .iter()
            .map(|m| match m.secret.as_str() {
                "" => m.plugin.clone(),
                secret => format!("{} USING {}", m.plugin, quoted(secret)),
            })
            .collect();
        format!(" IDENTIFIED VIA {}", list.join(" OR "))
    }

    /// ` REQUIRE ... WITH ...`, GRANT OPTION among what follows WITH when `grants` says so.
    pub(crate) fn limits(&self, grants: bool) -> String {
        let mut out = String::new();
        match self.number("ssl_type") {
            1 => out.push_str(" REQUIRE SSL"),
            2 => out.push_str(" REQUIRE X509"),
            3 => {
                out.push_str(" REQUIRE");
                for (name, word) in
                    [("x509_issuer", "ISSUER"), ("x509_subject", "SUBJECT"), ("ssl_cipher", "CIPHER")]
                {
                    if !self.text(name).is_empty() {
                        out.push_str(&format!(" {word} {}", quoted(self.text(name))));
                    }
                }
            }
            _ => {}
        }
        let mut with = Vec::new();
        if grants {
            with.push("GRANT OPTION".to_owned());
        }
        for (name, word) in [
            ("max_questions", "MAX_QUERIES_PER_HOUR"),
            ("max_updates", "MAX_UPDATES_PER_HOUR"),
            ("max_connections", "MAX_CONNECTIONS_PER_HOUR"),
            ("max_user_connections", "MAX_USER_CONNECTIONS"),
        ] {
            if self.number(name) != 0 {
                with.push(format!("{word} {}", self.number(name)));
            }
        }
        let time = self.statement_time();
        if time != 0.0 {
            with.push(format!("MAX_STATEMENT_TIME {time:.6}"));
        }
        if !with.is_empty() {
            out.push_str(&format!(" WITH {}", with.join(" ")));
        }
        out
    }

    /// ` PASSWORD EXPIRE ...`.
    pub(crate) fn expiry(&self) -> String {
        if !self.json.contains_key("password_last_changed") {
            return String::new();
        }
        match self.number("password_last_changed") {
            0 => " PASSWORD EXPIRE".into(),
            _ => self.lifetime(),
        }
    }

    /// ` PASSWORD EXPIRE ...` of a password that expires by and by.
    pub(crate) fn lifetime(&self) -> String {
        let lifetime = self.json.get("password_lifetime").and_then(Value::as_i64);
        match lifetime {
            Some(0) => " PASSWORD EXPIRE NEVER".into(),
            Some(days) if days > 0 => format!(" PASSWORD EXPIRE INTERVAL {days} DAY"),
            _ => String::new(),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_become_clauses() {
        let a = Account::from_row(
            "%",
            "u",
            r#"{"plugin":"mysql_native_password","authentication_string":"*B69027D44F6E5EDC07F1AEAD1477967B16F28227",
            "ssl_type":3,"ssl_cipher":"C","x509_issuer":"I","x509_subject":"/CN=a'b","max_questions":1,"max_statement_time":1.500000,
            "password_last_changed":1000,"password_lifetime":3}"#,
        );
        assert_eq!(a.identified(), " IDENTIFIED BY PASSWORD '*B69027D44F6E5EDC07F1AEAD1477967B16F28227'");
        assert_eq!(
            a.limits(false),
            " REQUIRE ISSUER 'I' SUBJECT '/CN=a''b' CIPHER 'C' WITH MAX_QUERIES_PER_HOUR 1 MAX_STATEMENT_TIME 1.500000"
        );
        assert_eq!(a.expiry(), " PASSWORD EXPIRE INTERVAL 3 DAY");
        assert!(a.closed().is_none() && !a.allows(None));
        assert!(!a.expired(1000 + 3 * DAY) && a.expired(1001 + 3 * DAY));
    }

    #[test]
    fn a_password_behind_another_plugin_is_seen() {
        let a = Account::from_row(
            "%",
            "u",
            r#"{"plugin":"gssapi","authentication_string":"abc","auth_or":[{"plugin":"mysql_native_password",
            "authentication_string":"*B69027D44F6E5EDC07F1AEAD1477967B16F28227"},{}]}"#,
        );
        assert_eq!(a.closed(), None);
        assert_eq!(
            a.identified(),
            " IDENTIFIED VIA mysql_native_password USING '*B69027D44F6E5EDC07F1AEAD1477967B16F28227' OR gssapi USING 'abc'"
        );
        let alone = Account::from_row("%", "u", r#"{"plugin":"gssapi","authentication_string":"abc"}"#);
        assert_eq!(alone.closed(), Some("its plugin is not there"));
        assert!(!alone.expired(i64::MAX), "no date, no expiry");
    }
}

//! Privileges and roles: those of the session's own account, all for who may read the database `mysql`.

use super::{InfoSchemaContext, s};
use crate::rights::accounts::{self, Account};
use crate::rights::privilege::{ALL, GRANT_OPTION, PRIVILEGES, SELECT};
use crate::rights::privileges::closure;
use crate::types::{Decimal, Value};

fn grantable(bits: u64) -> Value {
    s(if bits & GRANT_OPTION != 0 { "YES" } else { "NO" })
}

fn names(bits: u64) -> impl Iterator<Item = &'static str> {
    PRIVILEGES.iter().enumerate().filter(move |(i, _)| bits & ALL & (1 << i) != 0).map(|(_, name)| *name)
}

fn grantee(a: &Account) -> Value {
    s(format!("'{}'@'{}'", a.user, a.host))
}

impl InfoSchemaContext {
    /// The accounts whose grants are shown.
    fn shown_accounts(&self) -> Vec<Account> {
        let all = self.rights.privileges().on("mysql") & SELECT != 0;
        let own = |a: &Account| {
            !a.role && a.user == self.rights.user && a.host.eq_ignore_ascii_case(&self.rights.host)
        };
        self.engine.accounts.list().iter().filter(|a| all || own(a)).cloned().collect()
    }

    pub(super) fn user_privileges(&self) -> Vec<Vec<Value>> {
        let mut rows = Vec::new();
        for a in self.shown_accounts().iter().filter(|a| !a.role) {
            let before = rows.len();
            for name in names(a.access) {
                rows.push(vec![grantee(a), s("def"), s(name), grantable(a.access)]);
            }
            if rows.len() == before {
                rows.push(vec![grantee(a), s("def"), s("USAGE"), grantable(a.access)]);
            }
        }
        rows
    }

    pub(super) fn schema_privileges(&self) -> Vec<Vec<Value>> {
        let mut rows = Vec::new();
        for a in &self.shown_accounts() {
            for (db, bits) in &a.databases {
                let before = rows.len();
                for name in names(*bits) {
                    rows.push(vec![grantee(a), s("def"), s(db), s(name), grantable(*bits)]);
                }
                if rows.len() == before {
                    rows.push(vec![grantee(a), s("def"), s(db), s("USAGE"), grantable(*bits)]);
                }
            }
        }
        rows
    }

    pub(super) fn table_privileges(&self) -> Vec<Vec<Value>> {
        let mut rows = Vec::new();
        for a in &self.shown_accounts() {
            for t in &a.tables {
                let start = [grantee(a), s("def"), s(&t.db), s(&t.table)];
                let before = rows.len();
                for name in names(t.access) {
                    let mut row = start.to_vec();
                    row.extend([s(name), grantable(t.access)]);
                    rows.push(row);
                }
                if rows.len() == before && t.columns.is_empty() {
                    let mut row = start.to_vec();
                    row.extend([s("USAGE"), grantable(t.access)]);
                    rows.push(row);
                }
            }
        }
        rows
    }

    pub(super) fn column_privileges(&self) -> Vec<Vec<Value>> {
        let mut rows = Vec::new();
        for a in &self.shown_accounts() {
            for t in &a.tables {
                for (column, bits) in &t.columns {
                    for name in names(*bits) {
                        let start = [grantee(a), s("def"), s(&t.db), s(&t.table), s(column)];
                        rows.push(start.into_iter().chain([s(name), grantable(t.access)]).collect());
                    }
                }
            }
        }
        rows
    }

    pub(super) fn applicable_roles(&self) -> Vec<Vec<Value>> {
        let list = self.engine.accounts.list();
        let own = |a: &&Account| {
            !a.role && a.user == self.rights.user && a.host.eq_ignore_ascii_case(&self.rights.host)
        };
        let Some(own) = list.iter().find(own) else { return Vec::new() };
        let mut rows = Vec::new();
        for a in closure(&list, own) {
            for (role, admin) in &a.roles {
                let grantee = if a.role { s(&a.user) } else { s(format!("{}@{}", a.user, a.host)) };
                let default = match (a.role, a.default_role() == Some(role.as_str())) {
                    (true, _) => Value::Null,
                    (false, yes) => s(if yes { "YES" } else { "NO" }),
                };
                rows.push(vec![grantee, s(role), s(if *admin { "YES" } else { "NO" }), default]);
            }
        }
        rows
    }

    pub(super) fn enabled_roles(&self) -> Vec<Vec<Value>> {
        let list = self.engine.accounts.list();
        let current = self.rights.role().and_then(|r| list.iter().find(|a| a.role && a.user == r));
        match current {
            Some(role) => closure(&list, role).iter().map(|a| vec![s(&a.user)]).collect(),
            None => vec![vec![Value::Null]],
        }
    }

    /// `mysql.user`: the accounts as the columns of old.
    pub(super) fn mysql_user(&self) -> Vec<Vec<Value>> {
        /// Bits in the order of the columns.
        const BITS: [u8; 30] = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
            27, 28, 29,
        ];
        let yes = |b: bool| s(if b { "Y" } else { "N" });
        let rows = self.engine.accounts.list();
        let of = |a: &Account| {
            let methods = a.methods();
            let first = methods.first();
            let secret = first.map_or("", |m| m.secret.as_str());
            let native = first
                .is_some_and(|m| [accounts::NATIVE, accounts::OLD].contains(&m.plugin.as_str()))
                && !a.role;
            let mut row = vec![s(&a.host), s(&a.user), s(if native { secret } else { "" })];
            row.extend(BITS.iter().map(|bit| yes(a.access & (1 << bit) != 0)));
            let kind = ["", "ANY", "X509", "SPECIFIED"];
            let n = usize::try_from(a.number("ssl_type")).unwrap_or(0);
            row.push(s(kind.get(n).unwrap_or(&"")));
            row.extend(["ssl_cipher", "x509_issuer", "x509_subject"].map(|n| s(a.text(n))));
            row.extend(
                ["max_questions", "max_updates", "max_connections"]
                    .map(|n| Value::UInt(u64::try_from(a.number(n)).unwrap_or(0))),
            );
            row.push(Value::Int(a.number("max_user_connections")));
            let plugin = if a.role || !a.json.contains_key("plugin") {
                ""
            } else {
                first.map_or("", |m| m.plugin.as_str())
            };
            row.extend([s(plugin), s(if a.role { "" } else { secret })]);
            row.push(yes(!a.role && a.expired_now()));
            row.push(yes(a.role));
            row.push(s(a.default_role().unwrap_or("")));
            row.push(Value::Decimal(Decimal::parse(format!("{:.6}", a.statement_time()).as_bytes()).value));
            row
        };
        rows.iter().map(of).collect()
    }
}

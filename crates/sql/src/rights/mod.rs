//! What accounts may do: their privileges, limits and passwords, and the rights of a session.

pub mod accounts;
pub mod caching_sha2;
pub mod ed25519;
pub(crate) mod failures;
pub mod limits;
pub mod login;
pub mod password;
pub mod privilege;
pub mod privileges;
mod required;
pub mod terms;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{self, SqlError, SqlResult};
use crate::names::INFORMATION_SCHEMA;
use crate::status::Connection;
use accounts::{Account, Accounts};
use privilege::{
    DELETE_HISTORY, GRANT_OPTION, INSERT, OF_TABLE, PROCESS, REFERENCES, SELECT, SHOW_DATABASES, UPDATE,
    names,
};
use privileges::Privileges;

/// Who logs in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Login<'a> {
    /// The user name given.
    pub user: &'a str,
    /// The client's host.
    pub host: &'a str,
    /// Whether a password was given.
    pub with_password: bool,
}

/// What a session may do, and under which names: a copy of what the accounts say, made anew when they change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rights {
    /// Nothing need be asked. Global privileges stay as they were at the login (or SET ROLE), so this does too.
    unlimited: bool,
    /// As of which state of the accounts.
    epoch: u64,
    /// Another one each time the rights are read: SET ROLE changes them within an epoch.
    serial: u64,
    privileges: Privileges,
    /// Global privileges of the account at the login.
    login: u64,
    /// The account.
    pub user: String,
    pub host: String,
    /// The client's host, as messages name it.
    pub client: String,
    /// Whether the login sent a password.
    with_password: bool,
    role: Option<String>,
}

impl Rights {
    /// Every right, whatever accounts there are.
    pub fn all() -> Rights {
        Rights {
            unlimited: true,
            privileges: Privileges::all(),
            login: Privileges::all().global,
            ..Rights::default()
        }
    }

    /// The rights of who logs in with an account.
    pub fn of_login(accounts: &Accounts, account: Option<&Account>, login: Login<'_>) -> Rights {
        let mut rights = Rights {
            user: account.map_or(login.user, |a| &a.user).to_owned(),
            host: account.map_or(login.host, |a| &a.host).to_owned(),
            client: login.host.to_owned(),
            with_password: login.with_password,
            ..Rights::default()
        };
        let role = account.and_then(Account::default_role).map(str::to_owned);
        let role = role.filter(|r| accounts.has_role(&rights.user, &rights.host, r));
        rights.read(accounts, role);
        rights.login = account.map_or(0, |a| a.access);
        rights
    }

    /// The rights of an account or role that defined something; none when it is not there.
    pub fn of_definer(accounts: &Accounts, user: &str, host: &str) -> Option<Rights> {
        let known = accounts.find(user, host).is_some() || host.is_empty() && accounts.has_role_named(user);
        if !known {
            return None;
        }
        let mut rights = Rights {
            user: user.to_owned(),
            host: host.to_owned(),
            client: host.to_owned(),
            ..Rights::default()
        };
        rights.read(accounts, None);
        Some(rights)
    }

    /// Takes everything from the accounts, the global privileges as well.
    fn read(&mut self, accounts: &Accounts, role: Option<String>) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        self.serial = NEXT.fetch_add(1, Ordering::Relaxed);
        self.epoch = accounts.epoch();
        self.privileges = accounts.privileges(&self.user, &self.host, &self.client, role.as_deref());
        self.unlimited = self.privileges.unlimited();
        self.role = role;
    }

    /// SET ROLE: what the account had at the login, with what the role has now.
    pub fn take_role(&mut self, accounts: &Accounts, role: Option<String>) {
        let login = self.login;
        self.read(accounts, role);
        self.privileges.global = login | accounts.role_access(self.role.as_deref());
        self.unlimited = self.privileges.unlimited();
    }

    /// Sees to it that privileges on databases, tables and columns are those of now.
    #[inline]
    pub fn renew(&mut self, accounts: &Accounts) {
        if !self.unlimited && self.epoch != accounts.epoch() {
            let global = self.privileges.global;
            let role = self.role.take();
            self.read(accounts, role);
            self.privileges.global = global;
            self.unlimited = self.privileges.unlimited();
        }
    }

    /// A number that differs when the rights may differ.
    #[inline]
    pub fn stamp(&self) -> u64 {
        self.serial
    }

    /// Whether nothing need be asked.
    #[inline]
    pub fn unlimited(&self) -> bool {
        self.unlimited
    }

    pub fn privileges(&self) -> &Privileges {
        &self.privileges
    }

    /// Global privileges.
    pub fn global(&self) -> u64 {
        self.privileges.global
    }

    /// What the account itself had at the login, without roles.
    pub fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    /// 1227 unless one of the global privileges is there.
    pub fn need_one_of(&self, bits: u64) -> SqlResult<()> {
        if self.global() & bits != 0 {
            return Ok(());
        }
        Err(SqlError::new(error::ER_SPECIFIC_ACCESS_DENIED_ERROR, &[&names(bits)]))
    }

    /// 1044.
    pub fn denied_database(&self, db: &str) -> SqlError {
        SqlError::new(error::ER_DBACCESS_DENIED_ERROR, &[&self.user, &self.host, &db])
    }

    /// 1045: what a missing global privilege is answered with.
    pub fn denied(&self) -> SqlError {
        let using = if self.with_password { "YES" } else { "NO" };
        SqlError::new(error::ER_ACCESS_DENIED_ERROR, &[&self.user, &self.host, &using])
    }

    /// 1142.
    pub fn denied_table(&self, db: &str, table: &str, missing: u64) -> SqlError {
        let what = names(missing);
        SqlError::new(error::ER_TABLEACCESS_DENIED_ERROR, &[&what, &self.user, &self.client, &db, &table])
    }

    /// 1142 for a statement that any privilege on the table would have allowed.
    pub fn denied_statement(&self, db: &str, table: &str, what: &str) -> SqlError {
        SqlError::new(error::ER_TABLEACCESS_DENIED_ERROR, &[&what, &self.user, &self.client, &db, &table])
    }

    /// 1143.
    pub fn denied_column(&self, table: &str, column: &str, missing: u64) -> SqlError {
        let what = names(missing);
        let args: &[&dyn std::fmt::Display] = &[&what, &self.user, &self.client, &column, &table];
        SqlError::new(error::ER_COLUMNACCESS_DENIED_ERROR, args)
    }

    /// 1044 unless all of these are there on the database.
    pub fn need_database(&self, db: &str, bits: u64) -> SqlResult<()> {
        if self.unlimited || self.privileges.on(db) & bits == bits {
            return Ok(());
        }
        Err(self.denied_database(db))
    }

    /// 1142 unless all of these are there on the table; the privilege on some column will do.
    pub fn need_table(&self, db: &str, table: &str, bits: u64) -> SqlResult<()> {
        if self.unlimited {
            return Ok(());
        }
        let have = self.privileges.on_table(db, table);
        let missing = bits & !have;
        let missing = if missing == 0 { 0 } else { missing & !self.privileges.on_columns(db, table) };
        if missing == 0 { Ok(()) } else { Err(self.denied_table(db, table, missing)) }
    }

    /// Whether lists of databases show it.
    pub fn shows_database(&self, db: &str) -> bool {
        self.global() & SHOW_DATABASES != 0
            || db.eq_ignore_ascii_case(INFORMATION_SCHEMA)
            || self.sees_database(db, privilege::OF_DATABASE)
    }

    /// Whether the session may know of a database: one of these on it, or anything on a table in it.
    pub fn sees_database(&self, db: &str, bits: u64) -> bool {
        self.unlimited || self.privileges.on(db) & bits != 0 || self.privileges.within(db)
    }

    /// Whether lists of tables show it.
    pub fn sees_table(&self, db: &str, table: &str) -> bool {
        let bits = (OF_TABLE | DELETE_HISTORY) & !GRANT_OPTION;
        self.has_any(db, table, bits) || self.privileges.has_grant(db, table)
    }

    /// Whether the process list shows a connection.
    pub fn sees_connection(&self, c: &Connection) -> bool {
        self.unlimited || self.global() & PROCESS != 0 || c.account().0 == self.user
    }

    /// `select,insert,update,references` as far as the session has them on a column.
    pub fn column_list(&self, db: &str, table: &str, column: &str) -> String {
        let p = &self.privileges;
        let bits = p.on_table(db, table) | p.on_column(db, table, column);
        let all = [(SELECT, "select"), (INSERT, "insert"), (UPDATE, "update"), (REFERENCES, "references")];
        let list: Vec<&str> = all.iter().filter(|(b, _)| bits & b != 0).map(|(_, n)| *n).collect();
        list.join(",")
    }

    /// Whether the table gives one of these, itself or by a column.
    pub fn has_any(&self, db: &str, table: &str, bits: u64) -> bool {
        let p = &self.privileges;
        self.unlimited || (p.on_table(db, table) | p.on_columns(db, table)) & bits != 0
    }

    /// 1142 and 1143 as for statements, for one column by name.
    pub fn need_column(&self, db: &str, table: &str, column: &str, bits: u64) -> SqlResult<()> {
        let p = &self.privileges;
        let have = if self.unlimited { bits } else { p.on_table(db, table) | p.on_column(db, table, column) };
        if bits & !have == 0 { Ok(()) } else { Err(self.denied_column(table, column, bits & !have)) }
    }
}

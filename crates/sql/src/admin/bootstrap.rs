//! The system tables: made when they are missing, read when the engine starts, written by the
//! statements about accounts.

use std::io::Read;
use std::sync::Arc;

use super::store;
use crate::catalog::engines::Stored;
use crate::engine::Engine;
use crate::error::{SqlError, SqlResult};
use crate::locks::Waiter;
use crate::result::{Done, ResultSchema, ResultSink};
use crate::rights::accounts::{Account, Accounts};
use crate::rights::privilege::{ALL, DATABASE, GRANT_OPTION};
use crate::session::{ConnectInfo, Session};

/// A row as texts; `None` is NULL.
pub(crate) type Row = Vec<Option<Vec<u8>>>;

/// Keeps the rows of a statement.
#[derive(Default)]
pub(crate) struct Keep {
    rows: Vec<Row>,
    row: Row,
}

impl ResultSink for Keep {
    fn start(&mut self, _: &Arc<ResultSchema>) -> SqlResult<()> {
        Ok(())
    }
    fn begin_row(&mut self) {
        self.row.clear();
    }
    fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
    }
    fn put_null(&mut self) {
        self.row.push(None);
    }
    fn put_int(&mut self, v: i64) {
        self.row.push(Some(v.to_string().into_bytes()));
    }
    fn put_uint(&mut self, v: u64) {
        self.row.push(Some(v.to_string().into_bytes()));
    }
    fn put_double(&mut self, v: f64, _: u8) {
        self.row.push(Some(v.to_string().into_bytes()));
    }
    fn put_float(&mut self, v: f32, _: u8) {
        self.row.push(Some(v.to_string().into_bytes()));
    }
    fn put_bytes(&mut self, v: &[u8]) {
        self.row.push(Some(v.to_vec()));
    }
    fn put_date(&mut self, _: u16, _: u8, _: u8) {
        self.row.push(None);
    }
    fn put_time(&mut self, _: crate::result::Time, _: u8) {
        self.row.push(None);
    }
    fn put_datetime(&mut self, _: crate::result::DateTime, _: u8) {
        self.row.push(None);
    }
    fn wants_flush(&self) -> bool {
        false
    }
    fn flush(&mut self) -> SqlResult<()> {
        Ok(())
    }
    fn finish(&mut self, _: &Done) -> SqlResult<()> {
        Ok(())
    }
    fn local_infile(&mut self, _: &str) -> SqlResult<Box<dyn Read + '_>> {
        Err(SqlError::internal("no client"))
    }
}

/// A session of the engine's own.
pub(crate) fn own_session(engine: &Arc<Engine>) -> SqlResult<Session> {
    let info = ConnectInfo {
        id: engine.connections.next_internal_id(),
        user: "root".into(),
        host: "localhost".into(),
        // utf8mb4_general_ci
        collation: 45,
        internal: true,
        ..ConnectInfo::default()
    };
    let mut session = engine.connect(&info)?;
    session.internal = true;
    session.all_rights();
    // names are read and written as they are, whatever the server's mode is
    run(&mut session, OWN_MODE)?;
    Ok(session)
}

/// The mode that statements on the tables of accounts run in.
const OWN_MODE: &str = "SET sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'";

/// Runs a statement and gives its rows.
pub(crate) fn run(session: &mut Session, sql: &str) -> SqlResult<Vec<Row>> {
    let mut keep = Keep::default();
    session.query(sql.as_bytes(), &mut keep)?;
    Ok(keep.rows)
}

pub(crate) fn text(field: &Option<Vec<u8>>) -> String {
    field.as_ref().map(|b| String::from_utf8_lossy(b).into_owned()).unwrap_or_default()
}

/// A text as a literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    crate::ast::quote_string(text.as_bytes(), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The tables that hold the accounts.
#[derive(Clone, Copy)]
struct Names {
    users: &'static str,
    databases: &'static str,
}

impl Names {
    /// MariaDB's own names, unless tables of another engine have them: those are not ours to read or write.
    fn of(engine: &Engine) -> Names {
        let foreign = |name: &str| matches!(engine.catalog.stored("mysql", name), Stored::Foreign(_));
        Names {
            users: engine.catalog.table_of_accounts(),
            databases: if foreign("db") { "isambard_db" } else { "db" },
        }
    }
}

/// Characters of a host: with database and user a key of MyISAM holds no more.
const HOST: usize = 120;

/// The first account: root, from this machine.
fn first() -> Account {
    Account { access: ALL | GRANT_OPTION, ..Account::new("root", "localhost") }
}

/// Makes the system tables with these accounts in them.
fn create(session: &mut Session, names: Names, accounts: &[Account]) -> SqlResult<()> {
    run(session, "CREATE DATABASE IF NOT EXISTS mysql CHARACTER SET latin1 COLLATE latin1_swedish_ci")?;
    let columns: Vec<String> = DATABASE
        .iter()
        .map(|(_, name)| {
            format!(
                "{name} enum('N','Y') CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci \
                 NOT NULL DEFAULT 'N'"
            )
        })
        .collect();
    run(
        session,
        &format!(
            "CREATE TABLE IF NOT EXISTS mysql.{} (\
             Host char(120) NOT NULL DEFAULT '', Db char(64) NOT NULL DEFAULT '', \
             User char(128) NOT NULL DEFAULT '', {}, PRIMARY KEY (Host, Db, User), KEY User (User)) \
             ENGINE=MyISAM DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin COMMENT='Database privileges'",
            names.databases,
            columns.join(", ")
        ),
    )?;
    let columns = database_columns(session, names)?;
    for a in accounts {
        for (db, access) in &a.databases {
            run(session, &database_row(names, &columns, a, db, *access))?;
        }
    }
    // With its accounts in it, or not at all: nobody could get in otherwise.
    let rows: Vec<String> = accounts
        .iter()
        .map(|a| {
            format!(
                "SELECT {} AS Host, {} AS User, {} AS Priv",
                quoted(&a.host),
                quoted(&a.user),
                quoted(&a.to_json())
            )
        })
        .collect();
    run(
        session,
        &format!(
            "CREATE TABLE mysql.{} (\
             Host char(120) NOT NULL DEFAULT '', User char(128) NOT NULL DEFAULT '', \
             Priv longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '{{}}' \
             CHECK (json_valid(`Priv`)), PRIMARY KEY (Host, User)) ENGINE=MyISAM \
             DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin COMMENT='Users and global privileges' \
             {}",
            names.users,
            rows.join(" UNION ALL ")
        ),
    )?;
    Ok(())
}

/// Gives copies of MariaDB's tables, made by CREATE TABLE ... SELECT, their keys.
fn complete(session: &mut Session, names: Names) -> SqlResult<()> {
    for (table, change) in [
        (
            names.users,
            "MODIFY Host char(120) NOT NULL, MODIFY User char(128) NOT NULL, ADD PRIMARY KEY (Host, User)",
        ),
        (
            names.databases,
            "MODIFY Host char(120) NOT NULL, MODIFY Db char(64) NOT NULL, MODIFY User char(128) NOT NULL, \
             ADD PRIMARY KEY (Host, Db, User)",
        ),
    ] {
        let engine = Arc::clone(&session.engine);
        if engine.catalog.table_exists("mysql", table)
            && engine.catalog.table("mysql", table, &Waiter::server)?.def().keys.is_empty()
        {
            run(session, &format!("ALTER TABLE mysql.{table} {change}"))?;
        }
    }
    Ok(())
}

/// The accounts of `mysql.user`, when it is a MyISAM table: those of MySQL 5 and of MariaDB before 10.4.
fn inherit(session: &mut Session) -> SqlResult<Vec<Account>> {
    let engine = Arc::clone(&session.engine);
    if !engine.catalog.table_exists("mysql", "user")
        || engine.catalog.stored("mysql", "user") != Stored::Table
    {
        return Ok(Vec::new());
    }
    let table = engine.catalog.table("mysql", "user", &Waiter::server)?;
    let columns: Vec<String> = table.def().columns.iter().map(|c| c.name.to_ascii_lowercase()).collect();
    let rows = run(session, "SELECT * FROM mysql.user")?;
    let accounts: Vec<Account> = rows
        .iter()
        .map(|row| super::inherited::account(&columns.iter().cloned().zip(row.iter().map(text)).collect()))
        .collect();
    for a in accounts.iter().filter(|a| a.unanswerable && a.plugin != "unix_socket" && !a.role) {
        tracing::warn!(
            "account '{}'@'{}': its password cannot be used here, set a new one (SET PASSWORD)",
            a.user,
            a.host
        );
    }
    tracing::info!("{} accounts of mysql.user are taken over into mysql.global_priv", accounts.len());
    Ok(accounts)
}

fn write_account(session: &mut Session, names: Names, a: &Account) -> SqlResult<()> {
    let sql = format!(
        "REPLACE INTO mysql.{} (Host, User, Priv) VALUES ({}, {}, {})",
        names.users,
        quoted(&a.host),
        quoted(&a.user),
        quoted(&a.to_json())
    );
    run(session, &sql).map(|_| ())
}

/// Whether the tables hold nothing but the account that stands for those that could not be read.
fn only_known(session: &mut Session, names: Names) -> bool {
    let accounts = complete(session, names).and_then(|()| read(session, names));
    accounts.is_ok_and(|list| match &list[..] {
        [one] => one.plugin == "unix_socket" && one.user == "root" && one.databases.is_empty(),
        _ => false,
    })
}

/// Accounts whose names our tables have room for; the others are named in the log.
fn storable(mut accounts: Vec<Account>) -> Vec<Account> {
    accounts.retain(|a| {
        let fits = a.host.chars().count() <= HOST;
        if !fits {
            tracing::warn!(
                "account '{}'@'{}' is left out: its host has more than {HOST} characters",
                a.user,
                a.host
            );
        }
        fits
    });
    accounts
}

/// The statement that writes the privileges of an account on a database.
fn database_row(names: Names, columns: &[(u8, &'static str)], a: &Account, db: &str, access: u64) -> String {
    let list: Vec<&str> = columns.iter().map(|(_, name)| *name).collect();
    let flag = |bit: u8| if access & (1 << bit) != 0 { "'Y'" } else { "'N'" };
    let flags: Vec<&str> = columns.iter().map(|(bit, _)| flag(*bit)).collect();
    format!(
        "REPLACE INTO mysql.{} (Host, Db, User, {}) VALUES ({}, {}, {}, {})",
        names.databases,
        list.join(", "),
        quoted(&a.host),
        quoted(db),
        quoted(&a.user),
        flags.join(", ")
    )
}

/// The columns of privileges that the table of databases has; older ones lack some.
fn database_columns(session: &Session, names: Names) -> SqlResult<Vec<(u8, &'static str)>> {
    let table = session.engine.catalog.table("mysql", names.databases, &Waiter::server)?;
    let has = |name: &str| table.def().columns.iter().any(|c| c.name.eq_ignore_ascii_case(name));
    Ok(DATABASE.iter().filter(|(_, name)| has(name)).copied().collect())
}

fn read(session: &mut Session, names: Names) -> SqlResult<Vec<Account>> {
    let mut accounts: Vec<Account> =
        run(session, &format!("SELECT Host, User, Priv FROM mysql.{}", names.users))?
            .iter()
            .map(|r| Account::from_row(&text(&r[0]), &text(&r[1]), &text(&r[2])))
            .collect();
    let columns = database_columns(session, names)?;
    let list: Vec<&str> = columns.iter().map(|(_, n)| *n).collect();
    let sql = format!("SELECT Host, User, Db, {} FROM mysql.{}", list.join(", "), names.databases);
    for row in run(session, &sql)? {
        let (host, user, db) = (text(&row[0]), text(&row[1]), text(&row[2]));
        let mut access = 0;
        for ((bit, _), value) in columns.iter().zip(&row[3..]) {
            if value.as_deref() == Some(b"Y") {
                access |= 1 << bit;
            }
        }
        if let Some(a) = accounts.iter_mut().find(|a| a.user == user && a.host == host) {
            a.databases.push((db, access));
        }
    }
    let more = store::Names::of(&Arc::clone(&session.engine));
    store::read(session, &more, &mut accounts)?;
    Ok(accounts)
}

impl Accounts {
    /// Makes the system tables when they are missing and reads the accounts.
    ///
    /// # Errors
    /// Those of making the tables.
    pub fn start(&self, engine: &Arc<Engine>) -> SqlResult<()> {
        // Whom the machine itself knows as root, for as long as nothing else is known.
        let known = Account { plugin: "unix_socket".into(), ..first() };
        self.replace(vec![known.clone()]);
        let mut session = own_session(engine)?;
        let names = Names::of(engine);
        let there = engine.catalog.table_exists("mysql", names.users);
        if names.users == "global_priv" {
            if !there {
                let mut accounts = inherit(&mut session)?;
                if accounts.is_empty() {
                    accounts.push(first());
                }
                create(&mut session, names, &accounts)?;
            }
        } else if !there || only_known(&mut session, names) {
            // The account that stands for those that could not be read is no reason to read them never.
            match super::aria_accounts::read(engine) {
                Some(accounts) => {
                    super::aria_accounts::tell(&accounts);
                    let tables = format!("mysql.{}, mysql.{}", names.users, names.databases);
                    run(&mut session, &format!("DROP TABLE IF EXISTS {tables}"))?;
                    let more = store::Names::of(engine);
                    run(&mut session, &more.drop_all())?;
                    store::create(&mut session, &more)?;
                    let accounts = storable(accounts);
                    for a in &accounts {
                        store::write(&mut session, &more, None, a)?;
                    }
                    create(&mut session, names, &accounts)?;
                }
                None if !there => create(&mut session, names, std::slice::from_ref(&known))?,
                None => {}
            }
        }
        let accounts = complete(&mut session, names)
            .and_then(|()| store::create(&mut session, &store::Names::of(engine)))
            .and_then(|()| read(&mut session, names));
        match accounts {
            Ok(accounts) => self.replace(accounts),
            Err(e) => {
                tracing::error!(
                    "the accounts cannot be read, only root may connect, over the unix socket: {e}"
                );
                self.replace(vec![known]);
            }
        }
        Ok(())
    }

    /// Writes an account and takes it over.
    ///
    /// # Errors
    /// Those of writing the tables.
    pub(super) fn write(&self, engine: &Arc<Engine>, account: Account) -> SqlResult<()> {
        let mut session = own_session(engine)?;
        let names = Names::of(engine);
        write_account(&mut session, names, &account)?;
        let (host, user) = (quoted(&account.host), quoted(&account.user));
        let columns = database_columns(&session, names)?;
        // Each privilege is there at every moment, before the statement or after it.
        let mut stale = format!("DELETE FROM mysql.{} WHERE Host={host} AND User={user}", names.databases);
        for (db, access) in &account.databases {
            let sql = database_row(names, &columns, &account, db, *access);
            run(&mut session, &sql)?;
            stale.push_str(&format!(" AND Db<>{}", quoted(db)));
        }
        run(&mut session, &stale)?;
        let mut all = self.all();
        let is = |a: &Account| a.user == account.user && a.host == account.host;
        let old = all.iter().position(is).map(|at| all.remove(at));
        store::write(&mut session, &store::Names::of(engine), old.as_ref(), &account)?;
        all.push(account);
        self.replace(all);
        Ok(())
    }

    /// Removes an account.
    ///
    /// # Errors
    /// Those of writing the tables.
    pub(super) fn remove(&self, engine: &Arc<Engine>, user: &str, host: &str) -> SqlResult<()> {
        let mut session = own_session(engine)?;
        let names = Names::of(engine);
        let condition = format!("WHERE Host={} AND User={}", quoted(host), quoted(user));
        run(&mut session, &format!("DELETE FROM mysql.{} {condition}", names.users))?;
        run(&mut session, &format!("DELETE FROM mysql.{} {condition}", names.databases))?;
        store::remove(&mut session, &store::Names::of(engine), user, host)?;
        let mut all = self.all();
        all.retain(|a| !(a.user == user && a.host == host));
        self.replace(all);
        Ok(())
    }

    /// Removes a role, from everybody who has it as well.
    ///
    /// # Errors
    /// Those of writing the tables.
    pub(super) fn remove_role(&self, engine: &Arc<Engine>, name: &str) -> SqlResult<()> {
        let mut session = own_session(engine)?;
        store::remove_role(&mut session, &store::Names::of(engine), name)?;
        let mut all = self.all();
        for a in &mut all {
            a.roles.retain(|(r, _)| r != name);
            if a.default_role() == Some(name) {
                a.json.remove("default_role");
                write_account(&mut session, Names::of(engine), a)?;
            }
        }
        self.replace(all);
        drop(session);
        self.remove(engine, name, "")
    }

    /// FLUSH PRIVILEGES: reads the tables anew.
    ///
    /// # Errors
    /// Those of reading the tables.
    pub(super) fn reload(&self, engine: &Arc<Engine>) -> SqlResult<()> {
        let mut session = own_session(engine)?;
        let accounts = read(&mut session, Names::of(engine))?;
        self.replace(accounts);
        Ok(())
    }
}

//! The system tables: made when they are missing, read when the engine starts, written by the
//! statements about accounts.

use std::io::Read;
use std::sync::Arc;

use super::accounts::{Account, Accounts};
use super::privilege::{ALL, DATABASE, GRANT_OPTION};
use crate::engine::Engine;
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultShape, ResultSink};
use crate::session::{ConnectInfo, Session};

/// A row as texts; `None` is NULL.
pub(super) type Row = Vec<Option<Vec<u8>>>;

/// Keeps the rows of a statement.
#[derive(Default)]
struct Keep {
    rows: Vec<Row>,
    row: Row,
}

impl ResultSink for Keep {
    fn start(&mut self, _: &Arc<ResultShape>) -> SqlResult<()> {
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
    fn put_time(&mut self, _: bool, _: u32, _: u8, _: u8, _: u32, _: u8) {
        self.row.push(None);
    }
    fn put_datetime(&mut self, _: u16, _: u8, _: u8, _: u8, _: u8, _: u8, _: u32, _: u8) {
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
fn own_session(engine: &Arc<Engine>) -> SqlResult<Session> {
    let info = ConnectInfo {
        user: "root".into(),
        host: "localhost".into(),
        // utf8mb4_general_ci
        collation: 45,
        ..ConnectInfo::default()
    };
    let mut session = engine.connect(&info)?;
    session.internal = true;
    Ok(session)
}

/// Runs a statement and gives its rows.
pub(super) fn run(session: &mut Session, sql: &str) -> SqlResult<Vec<Row>> {
    let mut keep = Keep::default();
    session.query(sql.as_bytes(), &mut keep)?;
    Ok(keep.rows)
}

fn text(field: &Option<Vec<u8>>) -> String {
    field.as_ref().map(|b| String::from_utf8_lossy(b).into_owned()).unwrap_or_default()
}

/// A text as a literal.
fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    crate::ast::quote_string(text.as_bytes(), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Makes the system tables when they are missing.
fn create(session: &mut Session) -> SqlResult<()> {
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
            "CREATE TABLE IF NOT EXISTS mysql.db (\
             Host char(120) NOT NULL DEFAULT '', Db char(64) NOT NULL DEFAULT '', \
             User char(128) NOT NULL DEFAULT '', {}, PRIMARY KEY (Host, Db, User), KEY User (User)) \
             ENGINE=MyISAM DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin COMMENT='Database privileges'",
            columns.join(", ")
        ),
    )?;
    // With its first account in it, or not at all: nobody could get in otherwise.
    let root = Account { access: ALL | GRANT_OPTION, ..Account::new("root", "localhost") };
    run(
        session,
        &format!(
            "CREATE TABLE mysql.global_priv (\
             Host char(120) NOT NULL DEFAULT '', User char(128) NOT NULL DEFAULT '', \
             Priv longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '{{}}' \
             CHECK (json_valid(`Priv`)), PRIMARY KEY (Host, User)) ENGINE=MyISAM \
             DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin COMMENT='Users and global privileges' \
             SELECT {} AS Host, {} AS User, {} AS Priv",
            quoted(&root.host),
            quoted(&root.user),
            quoted(&root.to_json())
        ),
    )?;
    Ok(())
}

fn write_account(session: &mut Session, a: &Account) -> SqlResult<()> {
    let sql = format!(
        "REPLACE INTO mysql.global_priv VALUES ({}, {}, {})",
        quoted(&a.host),
        quoted(&a.user),
        quoted(&a.to_json())
    );
    run(session, &sql).map(|_| ())
}

fn read(session: &mut Session) -> SqlResult<Vec<Account>> {
    let mut accounts: Vec<Account> = run(session, "SELECT Host, User, Priv FROM mysql.global_priv")?
        .iter()
        .map(|r| Account::from_row(&text(&r[0]), &text(&r[1]), &text(&r[2])))
        .collect();
    let names: Vec<&str> = DATABASE.iter().map(|(_, n)| *n).collect();
    let sql = format!("SELECT Host, User, Db, {} FROM mysql.db", names.join(", "));
    for row in run(session, &sql)? {
        let (host, user, db) = (text(&row[0]), text(&row[1]), text(&row[2]));
        let mut access = 0;
        for ((bit, _), value) in DATABASE.iter().zip(&row[3..]) {
            if value.as_deref() == Some(b"Y") {
                access |= 1 << bit;
            }
        }
        if let Some(a) = accounts.iter_mut().find(|a| a.user == user && a.host == host) {
            a.databases.push((db, access));
        }
    }
    Ok(accounts)
}

impl Accounts {
    /// Makes the system tables when they are missing and reads the accounts.
    ///
    /// # Errors
    /// Those of making the tables.
    pub fn start(&self, engine: &Arc<Engine>) -> SqlResult<()> {
        let root = Account { access: ALL | GRANT_OPTION, ..Account::new("root", "localhost") };
        self.replace(vec![root.clone()]);
        let mut session = own_session(engine)?;
        if !engine.catalog.table_exists("mysql", "global_priv") {
            create(&mut session)?;
        }
        match read(&mut session) {
            Ok(accounts) => self.replace(accounts),
            Err(e) => {
                // Tables of another engine: this machine's root alone may connect.
                tracing::error!("the accounts cannot be read, only root@localhost may connect: {e}");
                self.replace(vec![root]);
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
        write_account(&mut session, &account)?;
        let (host, user) = (quoted(&account.host), quoted(&account.user));
        // Each privilege is there at every moment, before the statement or after it.
        let mut stale = format!("DELETE FROM mysql.db WHERE Host={host} AND User={user}");
        for (db, access) in &account.databases {
            let names: Vec<&str> = DATABASE.iter().map(|(_, name)| *name).collect();
            let flags: Vec<&str> = DATABASE
                .iter()
                .map(|(bit, _)| if access & (1 << bit) != 0 { "'Y'" } else { "'N'" })
                .collect();
            let sql = format!(
                "REPLACE INTO mysql.db (Host, Db, User, {}) VALUES ({host}, {}, {user}, {})",
                names.join(", "),
                quoted(db),
                flags.join(", ")
            );
            run(&mut session, &sql)?;
            stale.push_str(&format!(" AND Db<>{}", quoted(db)));
        }
        run(&mut session, &stale)?;
        let mut all = self.all();
        all.retain(|a| !(a.user == account.user && a.host == account.host));
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
        let condition = format!("WHERE Host={} AND User={}", quoted(host), quoted(user));
        run(&mut session, &format!("DELETE FROM mysql.global_priv {condition}"))?;
        run(&mut session, &format!("DELETE FROM mysql.db {condition}"))?;
        let mut all = self.all();
        all.retain(|a| !(a.user == user && a.host == host));
        self.replace(all);
        Ok(())
    }

    /// FLUSH PRIVILEGES: reads the tables anew.
    ///
    /// # Errors
    /// Those of reading the tables.
    pub(super) fn reload(&self, engine: &Arc<Engine>) -> SqlResult<()> {
        let mut session = own_session(engine)?;
        let accounts = read(&mut session)?;
        self.replace(accounts);
        Ok(())
    }
}

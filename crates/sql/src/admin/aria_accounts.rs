//! Accounts that MariaDB 10.4 or later left in its Aria tables: users and roles with their privileges on everything, databases, tables
//! and columns. What there is no place for here (privileges on routines) is told in the log, grant by grant.

use std::collections::HashMap;

use crate::table::engine::read_definition;
use pages::storage::OpenMode;
use schema::definition::ColumnType;
use schema::frm::Frm;

use crate::engine::Engine;
use crate::rights::accounts::Account;
use crate::rights::privilege::DATABASE;

/// Largest file of a system table that is read.
const MAX_FILE: u64 = 1 << 30;
/// What to do about tables that cannot be read.
const WAY_ON: &str = "start and stop MariaDB once on this data directory, or run in MariaDB: CREATE OR REPLACE TABLE \
                      mysql.isambard_global_priv ENGINE=MyISAM SELECT * FROM mysql.global_priv; CREATE OR REPLACE TABLE \
                      mysql.isambard_db ENGINE=MyISAM SELECT * FROM mysql.db";

/// A row: texts by the names of the columns in lower case.
type Texts = HashMap<String, String>;

/// All rows of a table of the database `mysql`.
fn rows(engine: &Engine, name: &str) -> Result<Vec<Texts>, String> {
    let def = match read_definition(engine.store(), "mysql", name) {
        Ok(Frm::Table(def)) => def,
        Ok(Frm::View(_)) => return Err("it is a view".into()),
        Err(e) => return Err(e.to_string()),
    };
    let file = |extension: &str| -> std::io::Result<Vec<u8>> {
        let path = engine.catalog.directory("mysql").join(format!("{name}.{extension}"));
        let file = engine.store().storage().open(&path, OpenMode::Read)?;
        let length = file.len()?;
        if length > MAX_FILE {
            return Err(std::io::Error::other("the file is too large"));
        }
        let mut bytes = vec![0; length as usize];
        file.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    };
    let (index, data) = (file("MAI").map_err(|e| e.to_string())?, file("MAD").map_err(|e| e.to_string())?);
    let table = aria::Table::new(&index, &data).map_err(|e| e.to_string())?;
    let columns: Vec<_> =
        def.columns.iter().filter(|c| c.generated.as_ref().is_none_or(|g| g.stored)).collect();
    if columns.len() != table.columns().len() {
        return Err("its definition has other columns".into());
    }
    let mut out = Vec::new();
    for row in table.rows() {
        let row = row.map_err(|e| e.to_string())?;
        let texts = columns.iter().zip(row).filter_map(|(column, value)| {
            Some((column.name.to_ascii_lowercase(), as_text(&column.ty, &value?)))
        });
        out.push(texts.collect());
    }
    Ok(out)
}

/// A stored value as text; times are of no interest in these tables.
fn as_text(ty: &ColumnType, bytes: &[u8]) -> String {
    let number = bytes.iter().rev().fold(0_u64, |n, b| n << 8 | u64::from(*b));
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    match ty {
        ColumnType::Enum { values } => {
            let member = usize::try_from(number).ok().and_then(|n| values.get(n.checked_sub(1)?));
            member.map(|b| text(b)).unwrap_or_default()
        }
        ColumnType::Set { values } => {
            let members = values.iter().take(64).enumerate().filter(|(i, _)| number >> i & 1 == 1);
            members.map(|(_, b)| text(b)).collect::<Vec<_>>().join(", ")
        }
        ColumnType::Tiny => number.to_string(),
        ColumnType::Char { .. } | ColumnType::Varchar { .. } | ColumnType::Blob { .. } => text(bytes),
        _ => String::new(),
    }
}

fn get<'r>(row: &'r Texts, name: &str) -> &'r str {
    row.get(name).map_or("", String::as_str)
}

/// The accounts, when both tables can be read; otherwise that they cannot is in the log.
pub(super) fn read(engine: &Engine) -> Option<Vec<Account>> {
    let of = |name: &str| {
        rows(engine, name)
            .map_err(|e| tracing::warn!("the accounts cannot be taken over: table 'mysql.{name}': {e}"))
            .ok()
    };
    let (Some(users), Some(databases)) = (of("global_priv"), of("db")) else {
        tracing::warn!("only root may connect, over the unix socket. To bring the accounts, {WAY_ON}");
        return None;
    };
    let mut accounts: Vec<Account> = users
        .iter()
        .map(|row| Account::from_row(get(row, "host"), get(row, "user"), get(row, "priv")))
        .collect();
    let places: HashMap<(String, String), usize> =
        accounts.iter().enumerate().map(|(i, a)| ((a.user.clone(), a.host.clone()), i)).collect();
    for row in &databases {
        let access = DATABASE.iter().fold(0, |bits, (bit, name)| {
            bits | u64::from(get(row, &name.to_ascii_lowercase()) == "Y") << bit
        });
        let (user, host, db) = (get(row, "user"), get(row, "host"), get(row, "db"));
        match places.get(&(user.to_owned(), host.to_owned())) {
            Some(i) => accounts[*i].databases.push((db.to_owned(), access)),
            None => tracing::warn!("privileges on '{db}' of an account that is not there, '{user}'@'{host}'"),
        }
    }
    read_grants(engine, &mut accounts);
    Some(accounts)
}

/// Tells what of the accounts does not work here.
pub(super) fn tell(accounts: &[Account]) {
    let roles = accounts.iter().filter(|a| a.role && a.user != crate::rights::privileges::PUBLIC).count();
    let users = accounts.iter().filter(|a| !a.role).count();
    tracing::info!(
        "{users} accounts of mysql.global_priv and mysql.db are taken over into mysql.isambard_global_priv, \
         with {roles} roles and privileges on tables, columns and routines"
    );
    for a in accounts {
        if let Some(why) = a.closed() {
            tracing::warn!("account '{}'@'{}' cannot log in: {why}", a.user, a.host);
        }
    }
}

/// Adds what the tables of tables, columns, routines, roles and proxies say. What cannot be read is in the log.
fn read_grants(engine: &Engine, accounts: &mut [Account]) {
    let of = |name: &str| {
        if !engine.catalog.table_exists("mysql", name) {
            return Vec::new();
        }
        rows(engine, name).unwrap_or_else(|e| {
            tracing::warn!("table 'mysql.{name}' cannot be read, what it grants is not taken over: {e}");
            Vec::new()
        })
    };
    for row in &of("tables_priv") {
        let access = super::store::bits(get(row, "table_priv"));
        let of_table = (get(row, "db"), get(row, "table_name"));
        super::store::add_table(accounts, get(row, "host"), get(row, "user"), of_table, |t| {
            t.access = access;
            t.grantor = get(row, "grantor").into();
        });
    }
    for row in &of("columns_priv") {
        let access = super::store::bits(get(row, "column_priv"));
        let of_table = (get(row, "db"), get(row, "table_name"));
        super::store::add_table(accounts, get(row, "host"), get(row, "user"), of_table, |t| {
            t.columns.push((get(row, "column_name").into(), access));
        });
    }
    for row in &of("procs_priv") {
        let routine = (get(row, "db"), get(row, "routine_name"), get(row, "routine_type"));
        let (host, user) = (get(row, "host"), get(row, "user"));
        super::store::add_routine(accounts, host, user, routine, get(row, "grantor"), get(row, "proc_priv"));
    }
    for row in &of("roles_mapping") {
        let admin = get(row, "admin_option") == "Y";
        if let Some(a) = super::store::find(accounts, get(row, "host"), get(row, "user")) {
            a.roles.push((get(row, "role").into(), admin));
        }
    }
    for row in &of("proxies_priv") {
        if let Some(a) = super::store::find(accounts, get(row, "host"), get(row, "user")) {
            a.proxies.push(crate::rights::accounts::Proxy {
                user: get(row, "proxied_user").into(),
                host: get(row, "proxied_host").into(),
                with_grant: get(row, "with_grant") == "1",
                grantor: get(row, "grantor").into(),
            });
        }
    }
}

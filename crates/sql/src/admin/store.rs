//! Where privileges on tables and columns, roles and proxies are kept: tables beside those of the accounts, with MariaDB's
//! columns. Their keys hold the beginnings of long columns: MyISAM's end at 1,000 bytes, and MariaDB asks for a key (it
//! does not start on a `roles_mapping` or `proxies_priv` without one).

use std::sync::Arc;

use super::bootstrap::{Row, quoted, run, text};
use crate::catalog::engines::Stored;
use crate::engine::Engine;
use crate::error::SqlResult;
use crate::rights::accounts::{Account, Proxy};
use crate::rights::privilege::{self, ROUTINE, TABLE};
use crate::rights::privileges::{RoutineGrant, TableGrant};
use crate::session::Session;

const SET: &str = "CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci NOT NULL DEFAULT ''";
const STAMP: &str = "Timestamp timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp()";
const OF_COLUMNS: &str = "set('Select','Insert','Update','References')";

/// The names of the tables: MariaDB's, unless tables of another engine have them.
pub(super) struct Names {
    tables: &'static str,
    columns: &'static str,
    roles: &'static str,
    proxies: &'static str,
    routines: &'static str,
}

impl Names {
    pub(super) fn of(engine: &Engine) -> Names {
        let own = |name: &'static str, instead: &'static str| match engine.catalog.stored("mysql", name) {
            Stored::Foreign(_) => instead,
            _ => name,
        };
        Names {
            tables: own("tables_priv", "isambard_tables_priv"),
            columns: own("columns_priv", "isambard_columns_priv"),
            roles: own("roles_mapping", "isambard_roles_mapping"),
            proxies: own("proxies_priv", "isambard_proxies_priv"),
            routines: own("procs_priv", "isambard_procs_priv"),
        }
    }

    fn all(&self) -> [&'static str; 5] {
        [self.tables, self.columns, self.roles, self.proxies, self.routines]
    }

    /// The statement that drops them.
    pub(super) fn drop_all(&self) -> String {
        format!("DROP TABLE IF EXISTS {}", self.all().map(|n| format!("mysql.{n}")).join(", "))
    }
}

/// Makes the tables that are missing.
pub(super) fn create(session: &mut Session, names: &Names) -> SqlResult<()> {
    let engine = Arc::clone(&session.engine);
    let table_set: Vec<String> = TABLE.iter().map(|(_, n)| format!("'{n}'")).collect();
    let table_set = table_set.join(",");
    let base = "Host char(255) NOT NULL DEFAULT '', Db char(64) NOT NULL DEFAULT '', User char(128) NOT NULL DEFAULT ''";
    let account = "Host char(255) NOT NULL DEFAULT '', User char(128) NOT NULL DEFAULT ''";
    let grantor = "Grantor varchar(384) NOT NULL DEFAULT ''";
    let of_table = "Table_name char(64) NOT NULL DEFAULT ''";
    let made = [
        (
            names.tables,
            format!(
                "{base}, {of_table}, {grantor}, {STAMP}, Table_priv set({table_set}) {SET}, \
                 Column_priv {OF_COLUMNS} {SET}, PRIMARY KEY (Host(77), Db, User, Table_name), \
                 KEY Grantor (Grantor(255))"
            ),
            "Table privileges",
        ),
        (
            names.columns,
            format!(
                "{base}, {of_table}, Column_name char(64) NOT NULL DEFAULT '', {STAMP}, \
                 Column_priv {OF_COLUMNS} {SET}, PRIMARY KEY (Host(61), Db, User(80), Table_name, Column_name)"
            ),
            "Column privileges",
        ),
        (
            names.roles,
            format!(
                "{account}, Role char(128) NOT NULL DEFAULT '', Admin_option enum('N','Y') CHARACTER SET utf8mb3 \
                 COLLATE utf8mb3_general_ci NOT NULL DEFAULT 'N', UNIQUE KEY Host (Host(77), User, Role)"
            ),
            "Granted roles",
        ),
        (
            names.proxies,
            format!(
                "{account}, Proxied_host char(255) NOT NULL DEFAULT '', Proxied_user char(128) NOT NULL DEFAULT '', \
                 With_grant tinyint(1) NOT NULL DEFAULT 0, {grantor}, {STAMP}, \
                 PRIMARY KEY (Host(60), User(106), Proxied_host(60), Proxied_user(106)), \
                 KEY Grantor (Grantor(255))"
            ),
            "User proxy privileges",
        ),
        (
            names.routines,
            format!(
                "{base}, Routine_name char(64) CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci NOT NULL \
                 DEFAULT '', Routine_type enum('FUNCTION','PROCEDURE','PACKAGE','PACKAGE BODY') NOT NULL, \
                 {grantor}, Proc_priv set('Execute','Alter Routine','Grant') {SET}, {STAMP}, \
                 PRIMARY KEY (Host(76), Db, User, Routine_name, Routine_type), KEY Grantor (Grantor(255))"
            ),
            "Procedure privileges",
        ),
    ];
    for (name, columns, comment) in made {
        if engine.catalog.table_exists("mysql", name) {
            continue;
        }
        run(
            session,
            &format!(
                "CREATE TABLE mysql.{name} ({columns}) ENGINE=MyISAM DEFAULT CHARSET=utf8mb3 \
                 COLLATE=utf8mb3_bin COMMENT='{comment}'"
            ),
        )?;
    }
    Ok(())
}

/// The bits that a SET column of tables or columns says.
pub(super) fn bits(members: &str) -> u64 {
    bits_of(TABLE, members)
}

fn bits_of(names: &[(u8, &str)], members: &str) -> u64 {
    members
        .split(',')
        .filter_map(|m| names.iter().find(|(_, n)| n.eq_ignore_ascii_case(m.trim())))
        .fold(0, |m, (bit, _)| m | 1 << bit)
}

/// The text of a SET column of tables or columns.
fn members(bits: u64) -> String {
    members_of(TABLE, bits)
}

fn members_of(names: &[(u8, &str)], bits: u64) -> String {
    let list: Vec<&str> =
        names.iter().filter(|(bit, _)| bits & (1 << bit) != 0).map(|(_, name)| *name).collect();
    list.join(",")
}

/// Reads the tables into the accounts.
pub(super) fn read(session: &mut Session, names: &Names, accounts: &mut [Account]) -> SqlResult<()> {
    let rows = |session: &mut Session, columns: &str, table: &str| -> SqlResult<Vec<Row>> {
        if !session.engine.catalog.table_exists("mysql", table) {
            return Ok(Vec::new());
        }
        run(session, &format!("SELECT {columns} FROM mysql.{table}"))
    };
    for r in rows(session, "Host,User,Db,Table_name,Grantor,Table_priv", names.tables)? {
        let t: Vec<String> = r.iter().map(text).collect();
        add_table(accounts, &t[0], &t[1], (&t[2], &t[3]), |g| {
            g.grantor = t[4].clone();
            g.access = bits(&t[5]);
        });
    }
    for r in rows(session, "Host,User,Db,Table_name,Column_name,Column_priv", names.columns)? {
        let t: Vec<String> = r.iter().map(text).collect();
        let access = bits(&t[5]);
        if access != 0 {
            add_table(accounts, &t[0], &t[1], (&t[2], &t[3]), |g| g.columns.push((t[4].clone(), access)));
        }
    }
    let columns = "Host,User,Db,Routine_name,Routine_type,Grantor,Proc_priv";
    for r in rows(session, columns, names.routines)? {
        let t: Vec<String> = r.iter().map(text).collect();
        add_routine(accounts, &t[0], &t[1], (&t[2], &t[3], &t[4]), &t[5], &t[6]);
    }
    for r in rows(session, "Host,User,Role,Admin_option", names.roles)? {
        let t: Vec<String> = r.iter().map(text).collect();
        if let Some(a) = find(accounts, &t[0], &t[1]) {
            a.roles.push((t[2].clone(), t[3] == "Y"));
        }
    }
    for r in rows(session, "Host,User,Proxied_host,Proxied_user,With_grant,Grantor", names.proxies)? {
        let t: Vec<String> = r.iter().map(text).collect();
        if let Some(a) = find(accounts, &t[0], &t[1]) {
            let (host, user, grantor) = (t[2].clone(), t[3].clone(), t[5].clone());
            a.proxies.push(Proxy { user, host, with_grant: t[4] == "1", grantor });
        }
    }
    Ok(())
}

/// The account of this name.
pub(super) fn find<'a>(accounts: &'a mut [Account], host: &str, user: &str) -> Option<&'a mut Account> {
    accounts.iter_mut().find(|a| a.user == user && a.host == host)
}

/// Changes the grant of an account on a table.
pub(super) fn add_table(
    accounts: &mut [Account],
    host: &str,
    user: &str,
    (db, table): (&str, &str),
    f: impl FnOnce(&mut TableGrant),
) {
    let Some(a) = find(accounts, host, user) else { return };
    let at = a.tables.iter().position(|t| t.db == db && t.table == table).unwrap_or_else(|| {
        a.tables.push(TableGrant { db: db.into(), table: table.into(), ..TableGrant::default() });
        a.tables.len() - 1
    });
    f(&mut a.tables[at]);
}

/// Adds a grant on a procedure or function to an account.
pub(super) fn add_routine(
    accounts: &mut [Account],
    host: &str,
    user: &str,
    (db, name, kind): (&str, &str, &str),
    grantor: &str,
    privileges: &str,
) {
    let (Some(a), function) = (find(accounts, host, user), kind == "FUNCTION") else { return };
    // Packages have none here.
    if function || kind == "PROCEDURE" {
        a.routines.push(RoutineGrant {
            db: db.into(),
            name: name.into(),
            function,
            access: bits_of(ROUTINE, privileges),
            grantor: grantor.into(),
        });
    }
}

/// Writes what differs between two states of an account.
pub(super) fn write(
    session: &mut Session,
    names: &Names,
    old: Option<&Account>,
    new: &Account,
) -> SqlResult<()> {
    let none = Account::new("", "");
    let old = old.unwrap_or(&none);
    let whose = format!("Host={} AND User={}", quoted(&new.host), quoted(&new.user));
    let same = |a: &TableGrant, b: &TableGrant| a.db == b.db && a.table == b.table;
    for t in &old.tables {
        if !new.tables.iter().any(|n| same(n, t)) {
            remove_table(session, names, &whose, t)?;
        }
    }
    for t in &new.tables {
        let before = old.tables.iter().find(|o| same(o, t));
        if before == Some(t) {
            continue;
        }
        if before.is_some() {
            remove_table(session, names, &whose, t)?;
        }
        insert_table(session, names, new, t)?;
    }
    if old.routines != new.routines {
        let kinds = "Routine_type IN ('FUNCTION','PROCEDURE')";
        run(session, &format!("DELETE FROM mysql.{} WHERE {whose} AND {kinds}", names.routines))?;
        for r in &new.routines {
            let key = [&new.host, &r.db, &new.user, &r.name].map(|s| quoted(s)).join(",");
            let sql = format!(
                "INSERT INTO mysql.{} (Host,Db,User,Routine_name,Routine_type,Grantor,Proc_priv) \
                 VALUES ({key},'{}',{},'{}')",
                names.routines,
                crate::ast::routine_word(r.function),
                quoted(&r.grantor),
                members_of(ROUTINE, r.access)
            );
            run(session, &sql)?;
        }
    }
    if old.roles != new.roles {
        run(session, &format!("DELETE FROM mysql.{} WHERE {whose}", names.roles))?;
        for (role, admin) in &new.roles {
            let sql = format!(
                "INSERT INTO mysql.{} (Host,User,Role,Admin_option) VALUES ({},{},{},'{}')",
                names.roles,
                quoted(&new.host),
                quoted(&new.user),
                quoted(role),
                if *admin { 'Y' } else { 'N' }
            );
            run(session, &sql)?;
        }
    }
    if old.proxies != new.proxies {
        run(session, &format!("DELETE FROM mysql.{} WHERE {whose}", names.proxies))?;
        for p in &new.proxies {
            let sql = format!(
                "INSERT INTO mysql.{} (Host,User,Proxied_host,Proxied_user,With_grant,Grantor) VALUES ({},{},{},{},{},{})",
                names.proxies,
                quoted(&new.host),
                quoted(&new.user),
                quoted(&p.host),
                quoted(&p.user),
                u8::from(p.with_grant),
                quoted(&p.grantor)
            );
            run(session, &sql)?;
        }
    }
    Ok(())
}

fn remove_table(session: &mut Session, names: &Names, whose: &str, t: &TableGrant) -> SqlResult<()> {
    let which = format!("{whose} AND Db={} AND Table_name={}", quoted(&t.db), quoted(&t.table));
    for table in [names.tables, names.columns] {
        run(session, &format!("DELETE FROM mysql.{table} WHERE {which}"))?;
    }
    Ok(())
}

fn insert_table(session: &mut Session, names: &Names, a: &Account, t: &TableGrant) -> SqlResult<()> {
    let whose = [&a.host, &t.db, &a.user, &t.table].map(|s| quoted(s)).join(",");
    for (column, access) in &t.columns {
        let sql = format!(
            "INSERT INTO mysql.{} (Host,Db,User,Table_name,Column_name,Column_priv) VALUES ({whose},{},'{}')",
            names.columns,
            quoted(column),
            members(*access)
        );
        run(session, &sql)?;
    }
    let sql = format!(
        "INSERT INTO mysql.{} (Host,Db,User,Table_name,Grantor,Table_priv,Column_priv) \
         VALUES ({whose},{},'{}','{}')",
        names.tables,
        quoted(&t.grantor),
        members(t.access),
        members(t.any_column() & privilege::COLUMN)
    );
    run(session, &sql).map(|_| ())
}

/// Removes everything of an account.
pub(super) fn remove(session: &mut Session, names: &Names, user: &str, host: &str) -> SqlResult<()> {
    for table in names.all() {
        let condition = format!("Host={} AND User={}", quoted(host), quoted(user));
        run(session, &format!("DELETE FROM mysql.{table} WHERE {condition}"))?;
    }
    Ok(())
}

/// Takes a role from everybody.
pub(super) fn remove_role(session: &mut Session, names: &Names, role: &str) -> SqlResult<()> {
    run(session, &format!("DELETE FROM mysql.{} WHERE Role={}", names.roles, quoted(role))).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_tell_bits() {
        assert_eq!(bits("Select,Create View"), privilege::SELECT | privilege::CREATE_VIEW);
        assert_eq!(bits(""), 0);
        assert_eq!(members(privilege::SELECT | privilege::GRANT_OPTION), "Select,Grant");
        assert_eq!(bits(&members(privilege::all_of_table())), privilege::all_of_table());
    }
}

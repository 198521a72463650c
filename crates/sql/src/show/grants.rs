//! SHOW GRANTS, SHOW CREATE USER, SHOW PRIVILEGES.

use super::quoting::Quoting;
use super::rows::{Rows, s, text};
use crate::ast;
use crate::error::{self, SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::rights::accounts::{Account, specificity};
use crate::rights::privilege::{self, GRANT_OPTION, PRIVILEGES, SELECT};
use crate::rights::privileges::{PUBLIC, TableGrant, closure};
use crate::session::Session;

/// How GRANT names an account or role.
fn grantee(a: &Account, q: Quoting) -> String {
    match (a.role, a.user == PUBLIC) {
        (true, true) => PUBLIC.into(),
        (true, false) => q.name(&a.user),
        _ => q.account(&a.user, &a.host),
    }
}

fn option(access: u64) -> &'static str {
    if access & GRANT_OPTION != 0 { " WITH GRANT OPTION" } else { "" }
}

/// The privileges on a table, those of columns among them.
fn table_list(t: &TableGrant, q: Quoting) -> String {
    let all = privilege::all_of_table();
    if t.access & all == all {
        return "ALL PRIVILEGES".into();
    }
    let mut list = Vec::new();
    for (i, name) in PRIVILEGES.iter().enumerate().filter(|(i, _)| all & (1 << i) != 0) {
        if t.access & (1 << i) != 0 {
            list.push((*name).to_owned());
        }
        let columns: Vec<String> =
            t.columns.iter().filter(|(_, b)| b & (1 << i) != 0).map(|(c, _)| q.name(c)).collect();
        if !columns.is_empty() {
            list.push(format!("{name} ({})", columns.join(", ")));
        }
    }
    if list.is_empty() { "USAGE".into() } else { list.join(", ") }
}

/// What an account or role has itself, without its roles.
fn own_grants(a: &Account, q: Quoting, out: &mut Vec<String>) {
    let to = grantee(a, q);
    if !(a.role && a.user == PUBLIC && a.access == 0) {
        out.push(format!(
            "GRANT {} ON *.* TO {to}{}{}",
            privilege::list(a.access, privilege::ALL),
            if a.role { String::new() } else { a.identified() },
            if a.role { option(a.access).into() } else { a.limits(a.access & GRANT_OPTION != 0) }
        ));
    }
    let mut databases: Vec<_> = a.databases.iter().collect();
    databases.sort_by_cached_key(|(db, _)| specificity(db));
    for (db, access) in databases {
        let list = privilege::list(*access, privilege::all_of_database());
        out.push(format!("GRANT {list} ON {}.* TO {to}{}", q.name(db), option(*access)));
    }
    for t in &a.tables {
        out.push(format!(
            "GRANT {} ON {}.{} TO {to}{}",
            table_list(t, q),
            q.name(&t.db),
            q.name(&t.table),
            option(t.access)
        ));
    }
    for function in [false, true] {
        for r in a.routines.iter().filter(|r| r.function == function) {
            // The account is named there, whatever it may.
            if r.access == 0 {
                continue;
            }
            out.push(format!(
                "GRANT {} ON {} {}.{} TO {to}{}",
                privilege::list(r.access & !GRANT_OPTION, u64::MAX),
                ast::routine_word(function),
                q.name(&r.db),
                q.name(&r.name),
                option(r.access)
            ));
        }
    }
    for p in &a.proxies {
        let of = q.account(&p.user, &p.host);
        let with = if p.with_grant { " WITH GRANT OPTION" } else { "" };
        out.push(format!("GRANT PROXY ON {of} TO {to}{with}"));
    }
}

/// The roles of an account, then what it has itself; for a role, what its roles have as well.
fn all_grants(list: &[Account], a: &Account, q: Quoting, out: &mut Vec<String>) {
    let chain = if a.role { closure(list, a) } else { vec![a] };
    for a in chain {
        for (role, admin) in &a.roles {
            let with = if *admin { " WITH ADMIN OPTION" } else { "" };
            out.push(format!("GRANT {} TO {}{with}", q.name(role), grantee(a, q)));
        }
        own_grants(a, q, out);
    }
}

/// SHOW GRANTS.
pub(super) fn grants(
    session: &mut Session,
    account: Option<&ast::Account>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let q = Quoting::of(session);
    let list = session.engine.accounts.list();
    let mut out = Vec::new();
    let role = match account {
        Some(a) => {
            session.named_role(a)?.filter(|r| *r == PUBLIC || list.iter().any(|a| a.role && a.user == *r))
        }
        None => None,
    };
    let heading;
    if let Some(role) = role {
        if role != PUBLIC && session.rights.role() != Some(role.as_str()) {
            session.rights.need_database("mysql", SELECT)?;
        }
        heading = format!("Grants for {role}");
        if let Some(a) = list.iter().find(|a| a.role && a.user == role) {
            all_grants(&list, a, q, &mut out);
        }
    } else {
        let (user, host) = session.account_name(account)?;
        let own = user == session.rights.user && host.eq_ignore_ascii_case(&session.rights.host);
        if !own {
            session.rights.need_database("mysql", SELECT)?;
        }
        let find = |a: &&Account| !a.role && a.user == user && a.host.eq_ignore_ascii_case(&host);
        let Some(a) = list.iter().find(find) else {
            return Err(SqlError::new(error::ER_NONEXISTING_GRANT, &[&user, &host]));
        };
        heading = format!("Grants for {user}@{host}");
        all_grants(&list, a, q, &mut out);
        if account.is_none() {
            let current = session.rights.role().and_then(|r| list.iter().find(|a| a.role && a.user == r));
            if let Some(role) = current {
                all_grants(&list, role, q, &mut out);
            }
            if let Some(public) = list.iter().find(|a| a.role && a.user == PUBLIC) {
                own_grants(public, q, &mut out);
            }
        }
        if let Some(role) = a.default_role() {
            out.push(format!("SET DEFAULT ROLE {} FOR {}", q.name(role), grantee(a, q)));
        }
    }
    let mut rows = Rows::new(vec![(&heading, text(1024))]);
    for line in out {
        rows.push(vec![s(line)]);
    }
    rows.send(session, sink)
}

/// SHOW CREATE USER.
pub(super) fn create_user(
    session: &mut Session,
    account: Option<&ast::Account>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let (user, host) = session.account_name(account)?;
    let own = user == session.rights.user && host.eq_ignore_ascii_case(&session.rights.host);
    if !own {
        session.rights.need_database("mysql", SELECT)?;
    }
    let Some(a) = session.engine.accounts.find(&user, &host) else {
        return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[]));
    };
    let heading = format!("CREATE USER for {}@{}", a.user, a.host);
    let mut sql = format!("CREATE USER {}", Quoting::of(session).account(&a.user, &a.host));
    sql.push_str(&a.identified());
    sql.push_str(&a.limits(false));
    if a.locked {
        sql.push_str(" ACCOUNT LOCK");
    }
    sql.push_str(&a.expiry());
    let mut rows = Rows::new(vec![(&heading, text(1024))]);
    rows.push(vec![s(sql)]);
    // a password that has expired at once tells nothing of how long others live
    let lifetime = a.lifetime();
    if !lifetime.is_empty() && a.expiry() != lifetime {
        let account = Quoting::of(session).account(&a.user, &a.host);
        rows.push(vec![s(format!("ALTER USER {account}{lifetime}"))]);
    }
    rows.send(session, sink)
}

/// Name, what it is given on and meaning of each privilege, in the order that MariaDB 10.11 lists them.
const LISTED: [(&str, &str, &str); 41] = [
    ("Alter", "Tables", "To alter the table"),
    ("Alter routine", "Functions,Procedures", "To alter or drop stored functions/procedures"),
    ("Create", "Databases,Tables,Indexes", "To create new databases and tables"),
    ("Create routine", "Databases", "To use CREATE FUNCTION/PROCEDURE"),
    ("Create temporary tables", "Databases", "To use CREATE TEMPORARY TABLE"),
    ("Create view", "Tables", "To create new views"),
    ("Create user", "Server Admin", "To create new users"),
    ("Delete", "Tables", "To delete existing rows"),
    ("Delete history", "Tables", "To delete versioning table historical rows"),
    ("Drop", "Databases,Tables", "To drop databases, tables, and views"),
    ("Event", "Server Admin", "To create, alter, drop and execute events"),
    ("Execute", "Functions,Procedures", "To execute stored routines"),
    ("File", "File access on server", "To read and write files on the server"),
    (
        "Grant option",
        "Databases,Tables,Functions,Procedures",
        "To give to other users those privileges you possess",
    ),
    ("Index", "Tables", "To create or drop indexes"),
    ("Insert", "Tables", "To insert data into tables"),
    ("Lock tables", "Databases", "To use LOCK TABLES (together with SELECT privilege)"),
    ("Process", "Server Admin", "To view the plain text of currently executing queries"),
    ("Proxy", "Server Admin", "To make proxy user possible"),
    ("References", "Databases,Tables", "To have references on tables"),
    ("Reload", "Server Admin", "To reload or refresh tables, logs and privileges"),
    ("Binlog admin", "Server", "To purge binary logs"),
    ("Binlog monitor", "Server", "To use SHOW BINLOG STATUS and SHOW BINARY LOG"),
    ("Binlog replay", "Server", "To use BINLOG (generated by mariadb-binlog)"),
    ("Replication master admin", "Server", "To monitor connected slaves"),
    ("Replication slave admin", "Server", "To start/stop slave and apply binlog events"),
    ("Slave monitor", "Server", "To use SHOW SLAVE STATUS and SHOW RELAYLOG EVENTS"),
    ("Replication slave", "Server Admin", "To read binary log events from the master"),
    ("Select", "Tables", "To retrieve rows from table"),
    ("Show databases", "Server Admin", "To see all databases with SHOW DATABASES"),
    ("Show view", "Tables", "To see views with SHOW CREATE VIEW"),
    ("Shutdown", "Server Admin", "To shut down the server"),
    ("Super", "Server Admin", "To use KILL thread, SET GLOBAL, CHANGE MASTER, etc."),
    ("Trigger", "Tables", "To use triggers"),
    ("Create tablespace", "Server Admin", "To create/alter/drop tablespaces"),
    ("Update", "Tables", "To update existing rows"),
    ("Set user", "Server", "To create views and stored routines with a different definer"),
    ("Federated admin", "Server", "To execute the CREATE SERVER, ALTER SERVER, DROP SERVER statements"),
    ("Connection admin", "Server", "To bypass connection limits and kill other users' connections"),
    ("Read_only admin", "Server", "To perform write operations even if @@read_only=ON"),
    ("Usage", "Server Admin", "No privileges - allow connect only"),
];

/// SHOW PRIVILEGES.
pub(super) fn privileges(session: &mut Session, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let mut rows = Rows::new(vec![("Privilege", text(10)), ("Context", text(15)), ("Comment", text(64))]);
    for (name, context, comment) in LISTED {
        rows.push(vec![s(name), s(context), s(comment)]);
    }
    rows.send(session, sink)
}

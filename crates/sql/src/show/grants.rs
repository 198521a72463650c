//! SHOW GRANTS, SHOW CREATE USER, SHOW PRIVILEGES.

use super::rows::{Rows, s, text};
use crate::admin::accounts::Account;
use crate::admin::privilege::{self, GRANT_OPTION};
use crate::ast;
use crate::error::{self, SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;

/// The account a statement means.
///
/// # Errors
/// 1141 when there is none of the name.
fn find(session: &Session, account: Option<&ast::Account>) -> SqlResult<Account> {
    let (user, host) = session.account_name(account)?;
    session
        .engine
        .accounts
        .find(&user, &host)
        .ok_or_else(|| SqlError::new(error::ER_NONEXISTING_GRANT, &[&user, &host]))
}

fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// SHOW GRANTS.
pub(super) fn grants(
    session: &mut Session,
    account: Option<&ast::Account>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let a = find(session, account)?;
    let heading = format!("Grants for {}@{}", a.user, a.host);
    let mut rows = Rows::new(vec![(&heading, text(1024))]);
    let to = format!("{}@{}", quoted(&a.user), quoted(&a.host));
    let option = |access: u64| if access & GRANT_OPTION != 0 { " WITH GRANT OPTION" } else { "" };
    rows.push(vec![s(format!(
        "GRANT {} ON *.* TO {to}{}{}",
        privilege::list(a.access, privilege::ALL),
        a.identified(),
        a.limits(a.access & GRANT_OPTION != 0)
    ))]);
    for (db, access) in &a.databases {
        rows.push(vec![s(format!(
            "GRANT {} ON {}.* TO {to}{}",
            privilege::list(*access, privilege::all_of_database()),
            quoted(db),
            option(*access)
        ))]);
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
    let Some(a) = session.engine.accounts.find(&user, &host) else {
        return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[]));
    };
    let heading = format!("CREATE USER for {}@{}", a.user, a.host);
    let mut sql = format!("CREATE USER {}@{}", quoted(&a.user), quoted(&a.host));
    sql.push_str(&a.identified());
    sql.push_str(&a.limits(false));
    if a.locked {
        sql.push_str(" ACCOUNT LOCK");
    }
    sql.push_str(&a.expiry());
    let mut rows = Rows::new(vec![(&heading, text(1024))]);
    rows.push(vec![s(sql)]);
    rows.send(session, sink)
}

/// SHOW PRIVILEGES.
pub(super) fn privileges(session: &mut Session, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let mut rows = Rows::new(vec![("Privilege", text(10)), ("Context", text(15)), ("Comment", text(21))]);
    for (name, context, comment) in [
        ("Alter", "Tables", "To alter the table"),
        ("Create", "Databases,Tables,Indexes", "To create new databases and tables"),
        ("Create user", "Server Admin", "To create new users"),
        ("Delete", "Tables", "To delete existing rows"),
        ("Drop", "Databases,Tables", "To drop databases, tables, and views"),
        ("File", "File access on server", "To read and write files on the server"),
        ("Index", "Tables", "To create or drop indexes"),
        ("Insert", "Tables", "To insert data into tables"),
        ("Lock tables", "Databases", "To use LOCK TABLES (together with SELECT privilege)"),
        ("Process", "Server Admin", "To view the plain text of currently executing queries"),
        ("Reload", "Server Admin", "To reload or refresh tables, logs and privileges"),
        ("Select", "Tables", "To retrieve rows from table"),
        ("Show databases", "Server Admin", "To see all databases with SHOW DATABASES"),
        ("Shutdown", "Server Admin", "To shut down the server"),
        ("Super", "Server Admin", "To use KILL thread, SET GLOBAL, CHANGE MASTER, etc."),
        ("Update", "Tables", "To update existing rows"),
        ("Usage", "Server Admin", "No privileges - allow connect only"),
    ] {
        rows.push(vec![s(name), s(context), s(comment)]);
    }
    rows.send(session, sink)
}

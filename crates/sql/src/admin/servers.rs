//! CREATE, ALTER and DROP SERVER: rows of `mysql.servers`, which nothing here connects to.

use std::sync::Arc;

use super::bootstrap::{own_session, quoted, run};
use crate::ast::{ServerChange, ServerOptions, ServerStatement};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::result::Done;
use crate::session::Session;
use crate::warning::Level;

/// Longest name of a server, in characters.
const NAME: usize = 64;

/// The port of servers of the wrapper `mysql`.
const PORT: u16 = 3306;

/// The columns that options set, with their values as literals.
fn assignments(session: &Session, o: &ServerOptions) -> Vec<(&'static str, String)> {
    let texts = [
        ("Host", &o.host),
        ("Db", &o.database),
        ("Username", &o.user),
        ("Password", &o.password),
        ("Socket", &o.socket),
        ("Owner", &o.owner),
    ];
    let given = texts.into_iter().filter_map(|(column, text)| Some((column, text.as_deref()?)));
    let mut all: Vec<_> = given.map(|(c, text)| (c, quoted(&session.client_text(text)))).collect();
    if let Some(port) = o.port {
        all.push(("Port", port.to_string()));
    }
    all
}

/// Runs the statement.
///
/// # Errors
/// 1434 for a server of the wrapper `mysql` without a place, 1476 for one that is there, 1477 for one that is not, and those of writing the
/// table.
pub(super) fn change(session: &mut Session, s: &ServerStatement) -> SqlResult<Done> {
    let name: String = s.name.chars().take(NAME).collect();
    let engine = Arc::clone(&session.engine);
    let mut own = own_session(&engine)?;
    own.share_locks_of(session.info.id);
    let this = format!("Server_name={}", quoted(&name));
    let exists = !run(&mut own, &format!("SELECT 1 FROM mysql.servers WHERE {this}"))?.is_empty();
    let absent = || SqlError::new(codes::ER_FOREIGN_SERVER_DOESNT_EXIST, &[&name]);
    match &s.what {
        ServerChange::Create { or_replace, if_not_exists, wrapper, options } => {
            if exists && !or_replace {
                let e = SqlError::new(codes::ER_FOREIGN_SERVER_EXISTS, &[&name]);
                if !if_not_exists {
                    return Err(e);
                }
                session.ctx.warnings.push_error(Level::Note, &e);
                return Ok(Done::default());
            }
            let mysql = wrapper.eq_ignore_ascii_case("mysql");
            if mysql && options.host.is_none() && options.socket.is_none() {
                return Err(SqlError::new(
                    codes::ER_CANT_CREATE_FEDERATED_TABLE,
                    &[&"either HOST or SOCKET must be set"],
                ));
            }
            let mut columns = vec![("Server_name", quoted(&name)), ("Wrapper", quoted(wrapper))];
            columns.extend(assignments(session, options));
            if mysql && options.port.is_none() {
                columns.push(("Port", PORT.to_string()));
            }
            let verb = if *or_replace { "REPLACE" } else { "INSERT" };
            let list: Vec<String> = columns.iter().map(|(c, v)| format!("{c}={v}")).collect();
            run(&mut own, &format!("{verb} INTO mysql.servers SET {}", list.join(","))).map_err(|e| {
                match e.code {
                    // Somebody was faster.
                    error::ER_DUP_ENTRY => SqlError::new(codes::ER_FOREIGN_SERVER_EXISTS, &[&name]),
                    _ => e,
                }
            })?;
            Ok(Done::default())
        }
        ServerChange::Alter(options) => {
            if !exists {
                return Err(absent());
            }
            let list = assignments(session, options);
            let list: Vec<String> = list.iter().map(|(c, v)| format!("{c}={v}")).collect();
            run(&mut own, &format!("UPDATE mysql.servers SET {} WHERE {this}", list.join(",")))?;
            Ok(Done { affected: 1, ..Done::default() })
        }
        ServerChange::Drop { if_exists } => {
            if !exists {
                return if *if_exists { Ok(Done::default()) } else { Err(absent()) };
            }
            run(&mut own, &format!("DELETE FROM mysql.servers WHERE {this}"))?;
            Ok(Done { affected: 1, ..Done::default() })
        }
    }
}

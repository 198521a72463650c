//! Maintenance, locks, accounts and other statements of administration.

mod aria_accounts;
pub mod backup;
pub(crate) mod bootstrap;
pub(crate) mod check;
mod flush;
mod grant;
mod inherited;
mod key_caches;
mod maintain;
mod merge;
mod options;
mod partition;
mod roles;
mod routine_grants;
mod servers;
mod store;
pub(crate) mod system_tables;
mod users;

pub use check::check_unopened;

use crate::ast::{self, Kill, KillTarget, Statement};
use crate::error::{self, SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::rights::privilege;
use crate::session::Session;
use crate::status::KillLevel;
use crate::types::Value;

/// Runs statements of administration.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    session: &mut Session,
    statement: &Statement,
    _text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let writes = match statement {
        Statement::User(_)
        | Statement::DropUser { .. }
        | Statement::RenameUser(_)
        | Statement::Grant(_)
        | Statement::Role(_)
        | Statement::Server(_) => true,
        Statement::Maintain(m) => matches!(m.kind, ast::MaintainKind::Repair | ast::MaintainKind::Optimize),
        _ => false,
    };
    let _mark = if writes { Some(session.begin_write()?) } else { None };
    match statement {
        Statement::User(u) => session.user_statement(u)?,
        Statement::DropUser { if_exists, users } => session.drop_users(users, *if_exists)?,
        Statement::RenameUser(pairs) => session.rename_users(pairs)?,
        Statement::Grant(g) => session.grant(g)?,
        Statement::Kill(k) => return kill(session, k),
        Statement::Flush(f) => flush::flush(session, f)?,
        Statement::BackupServer(path, skip) => return backup_server(session, path, *skip),
        Statement::Maintain(m) => return maintain::maintain(session, m, sink),
        Statement::CacheIndex(c) => return key_caches::cache_index(session, c, sink),
        Statement::LoadIndex(c) => return key_caches::load_index(session, c, sink),
        Statement::Reset(_) => {}
        Statement::Help(_) => return maintain::help(session, sink),
        Statement::OtherObject(o) if o.verb == "DROP" => {
            return drop_other(session, o);
        }
        Statement::OtherObject(o) => {
            return Err(SqlError::not_supported(format!("{} {}", o.verb, o.object)));
        }
        // there is no binary log
        Statement::OtherAdmin(words) if &**words == "PURGE" => {}
        Statement::OtherAdmin(words) if &**words == "BINLOG" => {
            return Err(SqlError::new(error::codes::ER_SYNTAX_ERROR, &[]));
        }
        Statement::OtherAdmin(words) if &**words == "UPGRADE" => {
            let what = "ALTER DATABASE UPGRADE DATA DIRECTORY NAME";
            return Err(SqlError::new(error::ER_WRONG_USAGE, &[&what, &"name"]));
        }
        Statement::CreateView(_) => return Err(SqlError::not_supported("CREATE VIEW")),
        Statement::Role(r) => session.role_statement(r)?,
        Statement::Server(s) => return servers::change(session, s),
        Statement::Shutdown if session.engine.is_stoppable() => session.shutdown_requested = true,
        // a library's program ends itself
        Statement::Shutdown => return Err(SqlError::not_supported("SHUTDOWN")),
        _ => return Err(SqlError::not_supported("this statement")),
    }
    Ok(Done::default())
}

/// BACKUP SERVER TO.
fn backup_server(session: &mut Session, path: &[u8], skip_damaged: bool) -> SqlResult<Done> {
    let path = session.client_text(path);
    let engine = std::sync::Arc::clone(&session.engine);
    engine.file_access().check_backup(std::path::Path::new(&path))?;
    let connection = std::sync::Arc::clone(&session.connection);
    connection.set_state("Copying tables");
    let result = backup::backup(&engine, std::path::Path::new(&path), skip_damaged, &mut |p| {
        connection.set_progress((p.bytes * 100_000).checked_div(p.of_bytes).unwrap_or(0).min(100_000) as u32);
        connection.check_killed()
    });
    connection.set_state("");
    connection.set_progress(0);
    let summary = result?;
    for (table, why) in &summary.left_out {
        let e = SqlError::with_message(
            error::ER_UNKNOWN_STORAGE_ENGINE,
            format!("Table '{table}' is not in the backup: {why}"),
        );
        session.ctx.warnings.push_error(crate::warning::Level::Warning, &e);
    }
    for (table, e) in &summary.damaged {
        let text = format!("Table '{table}' is damaged and not in the backup: {}", e.message);
        let e = SqlError::with_message(e.code, text);
        session.ctx.warnings.push_error(crate::warning::Level::Warning, &e);
    }
    Ok(Done { affected: summary.tables, info: summary.to_string(), ..Done::default() })
}

/// DROP of what there is none of.
fn drop_other(session: &mut Session, o: &ast::OtherObject) -> SqlResult<Done> {
    let name = match &o.name {
        Some(n) => {
            let db = match &n.db {
                Some(db) => db.to_string(),
                None => session.current_database()?.to_string(),
            };
            format!("{db}.{}", n.name)
        }
        None => String::new(),
    };
    let e = SqlError::new(error::ER_SP_DOES_NOT_EXIST, &[&o.object, &name]);
    if o.if_exists {
        session.ctx.warnings.push_error(crate::warning::Level::Note, &e);
        return Ok(Done::default());
    }
    Err(e)
}

/// KILL QUERY ID: the statement of that number, if it runs still.
fn kill_query(session: &Session, id: u64, all: bool) -> SqlResult<Done> {
    let connections = session.engine.connections.all();
    let Some(c) = connections.iter().find(|c| c.query_id() == id && c.is_running()) else {
        return Err(SqlError::new(error::codes::ER_NO_SUCH_QUERY, &[&id]));
    };
    if !all && c.account().0 != session.info.user {
        return Err(SqlError::new(error::codes::ER_KILL_QUERY_DENIED_ERROR, &[&id]));
    }
    c.kill(KillLevel::Query);
    session.connection.check_killed().map(|()| Done::default())
}

/// KILL.
fn kill(session: &mut Session, k: &Kill) -> SqlResult<Done> {
    let level = if k.query { KillLevel::Query } else { KillLevel::Connection };
    let all = session.rights.global() & (privilege::CONNECTION_ADMIN | privilege::SUPER) != 0;
    match &k.target {
        KillTarget::Id { id, query_id } => {
            let id = match session.constant(id, "KILL")?.0 {
                Value::Int(n) if n < 0 && *query_id => {
                    return Err(SqlError::new(error::codes::ER_NO_SUCH_QUERY, &[&n]));
                }
                Value::Int(n) => u64::try_from(n).unwrap_or(0),
                Value::UInt(n) => n,
                _ => 0,
            };
            if *query_id {
                return kill_query(session, id, all);
            }
            let Some(c) = session.engine.connections.find(id) else {
                return Err(SqlError::new(error::ER_NO_SUCH_THREAD, &[&id]));
            };
            if !all && c.account().0 != session.info.user {
                return Err(SqlError::new(error::ER_KILL_DENIED_ERROR, &[&id]));
            }
            c.kill(level);
            session.connection.check_killed().map(|()| Done::default())
        }
        KillTarget::User(account) => {
            let (user, host) = session.account_name(Some(account))?;
            let mut done = Done::default();
            for c in session.engine.connections.all() {
                let (its_user, its_host) = c.account();
                // The list of processes shows ports, too.
                let its_host = its_host.split(':').next().unwrap_or_default();
                // Those of others are left alone without a word.
                let may = all || user == session.info.user;
                if its_user != user || !(host == "%" || host == its_host) || !may {
                    continue;
                }
                done.affected += 1;
                // This statement is the one that its own connection runs, and it ends well.
                if level == KillLevel::Connection || c.id != session.connection.id {
                    c.kill(level);
                }
            }
            session.connection.check_killed().map(|()| done)
        }
    }
}

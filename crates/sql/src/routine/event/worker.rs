//! One run of an event: a session of its own, with the rights of who defined it.

use std::sync::Arc;

use super::{Event, mode_style, scheduler, store};
use crate::ast::Statement;
use crate::ast::program::Program;
use crate::engine::Engine;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::lex::ClientBytes;
use crate::parse::{self, Options};
use crate::rights::Rights;
use crate::rights::privilege::EVENT;
use crate::routine::store::Routine;
use crate::session::{ConnectInfo, Session};
use crate::statement::select::NullSink;
use crate::status::{Command, Counter, connection::now_micros};
use crate::types::temporal::TimeZone;
use crate::variables::VarValue;
use crate::warning::Level;

/// Runs an event that is due, and removes it when it was for the last time and is not to be preserved.
pub(super) fn run(engine: &Arc<Engine>, due: &Event, last: bool) {
    let name = format!("[{}@{}][{}.{}]", due.definer.0, due.definer.1, due.db, due.name);
    if let Err(e) = attempt(engine, due, last, &name) {
        tracing::error!("Event Scheduler: {name} {}", e.message);
    }
    if last
        && !due.preserve
        && let Err(e) = store::remove_finished(engine, &due.db, &due.name)
    {
        tracing::error!("Event Scheduler: {name} cannot be dropped: {}", e.message);
    }
}

fn attempt(engine: &Arc<Engine>, due: &Event, last: bool, name: &str) -> SqlResult<()> {
    let mut session = session_of(engine, due)?;
    let at = due.last_executed.unwrap_or(0);
    store::note_run(engine, (&due.db, &due.name), at, last)?;
    // its body may be another one than when it was put into the queue
    let Some(event) = store::find(engine, None, &due.db, &due.name)? else { return Ok(()) };
    session.rights.need_database(&event.db, EVENT)?;
    let program = program_of(&event)?;
    let routine = routine_of(&event);
    session.count(Counter::ExecutedEvents);
    session.begin_statement();
    session.connection.begin(Command::Connect, event.body.as_bytes(), now_micros());
    let result = crate::routine::call::run_stored(
        &mut session,
        &routine,
        &program,
        (Vec::new(), None, None),
        &mut NullSink,
    );
    for w in session.ctx.warnings.entries() {
        match w.level {
            Level::Error if result.is_err() => {}
            Level::Error => tracing::error!("Event Scheduler: {name} {}", w.message),
            Level::Warning => tracing::warn!("Event Scheduler: {name} {}", w.message),
            Level::Note => tracing::info!("Event Scheduler: {name} {}", w.message),
        }
    }
    result.map(drop)
}

/// A session of who defined the event.
///
/// # Errors
/// 1449, 1049, 1040.
fn session_of(engine: &Arc<Engine>, event: &Event) -> SqlResult<Session> {
    let (user, host) = &event.definer;
    let rights = Rights::of_definer(&engine.accounts, user, host)
        .ok_or_else(|| SqlError::new(error::ER_NO_SUCH_USER, &[user, host]))?;
    let info =
        ConnectInfo { user: scheduler::USER.into(), host: "localhost".into(), ..ConnectInfo::default() };
    let mut session = engine.connect(&info)?;
    session.limits = None;
    session.must_set_password = false;
    session.rights = rights;
    session.ctx.connection.current_user = format!("{user}@{host}");
    session.connection.set_account(user, host);
    session.connection.begin(Command::Connect, b"", now_micros());
    if engine.is_stopped() {
        // those who kill all connections may have been here before
        return Err(SqlError::new(codes::ER_SERVER_SHUTDOWN, &[]));
    }
    session.enter_database(&event.db)?;
    let zone = VarValue::Text(Arc::from(&*event.zone));
    if TimeZone::parse(&event.zone).is_some() {
        session.vars.set_many(&[("time_zone", zone)]);
    }
    session.apply_settings();
    Ok(session)
}

/// The body as a program, read in the mode of its making.
///
/// # Errors
/// 1550.
fn program_of(event: &Event) -> SqlResult<Arc<Program>> {
    let mode = event.sql_mode;
    let options = Options { mode: mode.lexing(ClientBytes::Utf8), multi: true, ..Options::default() };
    let text = event.statement(mode_style(mode));
    match parse::parse(text.as_bytes(), &options)?.statement {
        Some(Statement::CreateEvent(c)) => {
            let body = c.clauses.body.map(|b| b.program);
            body.ok_or_else(|| SqlError::new(codes::ER_EVENT_COMPILE_ERROR, &[]))
        }
        _ => Err(SqlError::new(codes::ER_EVENT_COMPILE_ERROR, &[])),
    }
}

/// What the run of any routine asks of it.
fn routine_of(event: &Event) -> Routine {
    Routine::new(
        (event.db.clone(), event.name.clone(), false),
        event.definer.clone(),
        event.created,
        Default::default(),
        event.sql_mode,
        [&event.client, &event.connection, &event.db_collation],
    )
}

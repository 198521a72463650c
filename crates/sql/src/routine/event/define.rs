//! CREATE, ALTER and DROP EVENT.

use std::sync::Arc;

use super::schedule::{Schedule, amount_of};
use super::{Event, Status, store};
use crate::ast::{self, Account, AlterEvent, CreateEvent, DropEvent, EventClauses, Expr, IntervalUnit};
use crate::engine::Engine;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::func::interval::interval_amount;
use crate::names::INFORMATION_SCHEMA;
use crate::result::Done;
use crate::routine::define::path;
use crate::session::scope::{has_subquery, query_of};
use crate::session::{self, Session};
use crate::types::convert::{self, text_of};
use crate::types::temporal::format;
use crate::types::temporal::parse::DateRules;
use crate::types::{FieldType, Value};
use crate::warning::Level;

/// What is warned of when nobody is there to run an event.
const SWITCHED_OFF: &str = "Event scheduler is switched off, use SET GLOBAL event_scheduler=ON to enable it.";

/// Characters of a comment.
const COMMENT: usize = 64;

/// CREATE EVENT.
///
/// # Errors
/// 1049, 1192, 1525, 1537, 1542, 1543; those of the table.
pub(crate) fn create(session: &mut Session, c: &CreateEvent, text: &[u8]) -> SqlResult<Done> {
    let Some(body) = &c.clauses.body else { return Err(SqlError::internal("an event without a body")) };
    session::body::known_variables(&body.program)?;
    let (db, name) = path(session, &c.name)?;
    forbid_information_schema(session, &db)?;
    let definer = definer(session, c.clauses.definer.as_ref())?;
    let schedule = match &c.clauses.schedule {
        Some(s) => schedule_of(session, s)?,
        None => return Err(SqlError::internal("an event without a schedule")),
    };
    let preserve = c.clauses.preserve.unwrap_or(false);
    let mut status = c.clauses.status.unwrap_or_default();
    let now = session.ctx.now_utc().0;
    if schedule.is_over(now) {
        if !preserve {
            session.ctx.warnings.note(codes::ER_EVENT_CANNOT_CREATE_IN_THE_PAST, &[]);
            return Ok(Done::default());
        }
        disable(session, &mut status);
    }
    session.forbid_locked()?;
    let _mark = session.begin_write()?;
    let engine = Arc::clone(&session.engine);
    let database = engine.catalog.database(&db).map_err(|_| crate::failure::no_such_database(&db))?;
    if store::exists(&engine, &db, &name)? && !c.or_replace {
        let e = SqlError::new(codes::ER_EVENT_ALREADY_EXISTS, &[&name]);
        if !c.if_not_exists {
            return Err(e);
        }
        session.ctx.warnings.push_error(Level::Note, &e);
        warn_if_off(session);
        return Ok(Done::default());
    }
    session.warn_of_late_intos(&body.program);
    let settings = &session.vars.settings;
    let mut event = Event {
        db,
        name,
        body: String::new(),
        definer,
        schedule,
        created: now,
        modified: now,
        last_executed: None,
        status,
        preserve,
        sql_mode: settings.sql_mode,
        comment: String::new(),
        originator: engine.variables.named("server_id").as_u64(),
        zone: session.ctx.time_zone.name(),
        client: settings.client.name.to_string(),
        connection: settings.connection.name.to_string(),
        db_collation: database.collation.name.to_string(),
    };
    take_texts(session, &mut event, &c.clauses, text);
    store::write(&engine, &event, None)?;
    engine.scheduler.changed(None, Some(&event));
    warn_if_off(session);
    Ok(Done::default())
}

fn warn_if_off(session: &mut Session) {
    if !session.engine.scheduler.is_running() {
        session.ctx.warnings.push_text(Level::Warning, error::ER_UNKNOWN_ERROR, SWITCHED_OFF.into());
    }
}

/// ALTER EVENT.
///
/// # Errors
/// 1049, 1192, 1525, 1537, 1539, 1542, 1543, 1551, 1589; those of the table.
pub(crate) fn alter(session: &mut Session, a: &AlterEvent, text: &[u8]) -> SqlResult<Done> {
    if let Some(body) = &a.clauses.body {
        session::body::known_variables(&body.program)?;
    }
    let (db, name) = path(session, &a.name)?;
    let definer = definer(session, a.clauses.definer.as_ref())?;
    let schedule = match &a.clauses.schedule {
        Some(s) => Some(schedule_of(session, s)?),
        None => None,
    };
    session.forbid_locked()?;
    let _mark = session.begin_write()?;
    let engine = Arc::clone(&session.engine);
    let target = new_name(session, &engine, a, (&db, &name))?;
    let Some(old) = store::find(&engine, None, &db, &name)? else {
        return Err(SqlError::new(error::ER_EVENT_DOES_NOT_EXIST, &[&name]));
    };
    let mut event = old.clone();
    if let Some((db, name)) = target {
        (event.db, event.name) = (db, name);
    }
    let now = session.ctx.now_utc().0;
    event.definer = definer;
    event.modified = now;
    event.preserve = a.clauses.preserve.unwrap_or(old.preserve);
    event.status = a.clauses.status.unwrap_or(old.status);
    event.originator = engine.variables.named("server_id").as_u64();
    if let Some(schedule) = schedule {
        if schedule.is_over(now) {
            if !event.preserve {
                return Err(SqlError::new(codes::ER_EVENT_CANNOT_ALTER_IN_THE_PAST, &[]));
            }
            let mut wanted = a.clauses.status.unwrap_or_default();
            disable(session, &mut wanted);
            event.status = wanted;
        }
        event.schedule = schedule.with_ends_of(&old.schedule);
        event.last_executed = None;
        event.zone = session.ctx.time_zone.name();
    }
    let settings = &session.vars.settings;
    event.client = settings.client.name.to_string();
    event.connection = settings.connection.name.to_string();
    if let Ok(database) = engine.catalog.database(&event.db) {
        event.db_collation = database.collation.name.to_string();
    }
    if a.clauses.body.is_some() {
        event.sql_mode = settings.sql_mode;
    }
    take_texts(session, &mut event, &a.clauses, text);
    store::write(&engine, &event, Some((&db, &name)))?;
    engine.scheduler.changed(Some((&old.db, &old.name)), Some(&event));
    Ok(Done::default())
}

/// 1044 for events of information_schema.
fn forbid_information_schema(session: &Session, db: &str) -> SqlResult<()> {
    match db.eq_ignore_ascii_case(INFORMATION_SCHEMA) {
        true => Err(session.database_denied(INFORMATION_SCHEMA)),
        false => Ok(()),
    }
}

/// Where RENAME TO leads.
fn new_name(
    session: &Session,
    engine: &Arc<Engine>,
    a: &AlterEvent,
    (db, name): (&str, &str),
) -> SqlResult<Option<(String, String)>> {
    let Some(to) = &a.rename else { return Ok(None) };
    let (new_db, new) = path(session, to)?;
    if new_db == db && crate::names::same_name(&new, name) {
        return Err(SqlError::new(codes::ER_EVENT_SAME_NAME, &[]));
    }
    forbid_information_schema(session, &new_db)?;
    engine.catalog.database(&new_db).map_err(|_| crate::failure::no_such_database(&new_db))?;
    if store::exists(engine, &new_db, &new)? {
        return Err(SqlError::new(codes::ER_EVENT_ALREADY_EXISTS, &[&new]));
    }
    Ok(Some((new_db, new)))
}

/// DROP EVENT.
///
/// # Errors
/// 1192, 1539; those of the table.
pub(crate) fn drop(session: &mut Session, d: &DropEvent) -> SqlResult<Done> {
    let (db, name) = path(session, &d.name)?;
    session.forbid_locked()?;
    let _mark = session.begin_write()?;
    let engine = Arc::clone(&session.engine);
    if store::exists(&engine, &db, &name)? {
        store::remove(&engine, &db, &name)?;
        engine.scheduler.changed(Some((&db, &name)), None);
    } else if d.if_exists {
        session.ctx.warnings.note(error::ER_SP_DOES_NOT_EXIST, &[&"Event", &name]);
    } else {
        return Err(SqlError::new(error::ER_EVENT_DOES_NOT_EXIST, &[&name]));
    }
    Ok(Done::default())
}

impl Session {
    /// The events of a database that was dropped go with it; what is wrong with the table is told, the database is gone.
    pub(crate) fn drop_events_of(&mut self, db: &str) {
        let engine = Arc::clone(&self.engine);
        if let Err(e) = store::remove_database(&engine, db) {
            self.ctx.warnings.push_error(Level::Error, &e);
        }
        engine.scheduler.database_dropped(db);
    }
}

/// A schedule of the past: an event that would run does not.
fn disable(session: &mut Session, status: &mut Status) {
    if *status == Status::Enabled {
        *status = Status::Disabled;
        session.ctx.warnings.note(codes::ER_EVENT_EXEC_TIME_IN_THE_PAST, &[]);
    }
}

/// COMMENT and DO.
fn take_texts(session: &Session, event: &mut Event, clauses: &EventClauses, text: &[u8]) {
    let client = session.vars.settings.client;
    if let Some(comment) = &clauses.comment {
        event.comment = text_of(comment, client).chars().take(COMMENT).collect();
    }
    if let Some(body) = &clauses.body {
        event.body = text_of(body.text.of(text).trim_ascii_end(), client);
    }
}

/// Who defines the event.
///
/// # Errors
/// 1235 for a role.
fn definer(session: &mut Session, given: Option<&Account>) -> SqlResult<(String, String)> {
    let mut own = (session.rights.user.clone(), session.rights.host.clone());
    if own.0.is_empty() && own.1.is_empty() {
        let current = &session.ctx.connection.current_user;
        let (user, host) = current.rsplit_once('@').unwrap_or((current, ""));
        own = (user.to_string(), host.to_string());
    }
    let (user, host) = match given {
        None | Some(Account::CurrentUser) => return Ok(own),
        Some(Account::Named { user, host }) => (user.to_string(), host.as_deref().unwrap_or("%").to_string()),
        Some(Account::CurrentRole | Account::Public) => {
            return Err(SqlError::not_supported("a role as definer"));
        }
    };
    let other = (&user, &host) != (&own.0, &own.1);
    if other && session.engine.accounts.find(&user, &host).is_none() {
        session.ctx.warnings.note(error::ER_NO_SUCH_USER, &[&user, &host]);
    }
    Ok((user, host))
}

/// The schedule with its values.
///
/// # Errors
/// 1235 for parts of seconds, 1525, 1542, 1543.
fn schedule_of(session: &mut Session, s: &ast::Schedule) -> SqlResult<Schedule> {
    match s {
        ast::Schedule::At(at) => {
            let (at, shown) = moment_of(session, at)?;
            at.map(Schedule::At).ok_or_else(|| wrong("AT", &shown))
        }
        ast::Schedule::Every { amount, unit, starts, ends } => {
            let amount = amount_behind_every(session, amount, *unit)?;
            let starts = match starts {
                Some(e) => {
                    let (at, shown) = moment_of(session, e)?;
                    at.ok_or_else(|| wrong("STARTS", &shown))?
                }
                None => session.ctx.now_utc().0,
            };
            let ends = match ends {
                Some(e) => {
                    let ends = moment_of(session, e)?.0.filter(|ends| *ends > starts);
                    Some(ends.ok_or_else(|| SqlError::new(codes::ER_EVENT_ENDS_BEFORE_STARTS, &[]))?)
                }
                None => None,
            };
            Ok(Schedule::Every { amount, unit: *unit, starts: Some(starts), ends })
        }
    }
}

fn wrong(what: &str, value: &str) -> SqlError {
    SqlError::new(error::ER_WRONG_VALUE, &[&what, &value])
}

/// A value of a schedule: no tables, no functions of their own.
///
/// # Errors
/// 1241, 1970; those of the expression.
fn value_of(session: &mut Session, e: &Expr) -> SqlResult<(Value, FieldType)> {
    if session.is_row(e) {
        return Err(SqlError::new(error::ER_OPERAND_COLUMNS, &[&1]));
    }
    let foreign = || SqlError::new(codes::ER_SUBQUERIES_NOT_SUPPORTED, &[&"CREATE/ALTER EVENT"]);
    if has_subquery(e) {
        let plan = session.plan(&query_of(e), b"")?;
        if !plan.tables.is_empty() {
            return Err(foreign());
        }
    }
    if calls_stored(session, e)? {
        return Err(foreign());
    }
    session.constant(e, "SELECT")
}

/// Whether an expression calls a stored function.
fn calls_stored(session: &Session, e: &Expr) -> SqlResult<bool> {
    let mut found = false;
    if let ast::ExprKind::Function(call) = &e.kind {
        let db = call.db.as_deref().or(session.database());
        if let Some(db) = db.filter(|_| call.db.is_some() || crate::func::find(&call.name).is_none()) {
            found = session.engine.routines.find(&session.engine, db, &call.name, true)?.is_some();
        }
    }
    let mut failed = None;
    e.kind.for_children(&mut |c| match calls_stored(session, c) {
        Ok(calls) => found |= calls,
        Err(e) => failed = Some(e),
    });
    failed.map_or(Ok(found), Err)
}

/// A moment in seconds since 1970, if it is one that can be, and how the value is shown.
fn moment_of(session: &mut Session, e: &Expr) -> SqlResult<(Option<i64>, String)> {
    let (value, ty) = value_of(session, e)?;
    if matches!(value, Value::Null) {
        return Ok((None, "NULL".into()));
    }
    let rules = DateRules { no_zero_date: true, ..DateRules::default() };
    let found = convert::to_datetime(value.as_ref(), &ty, rules, &mut session.ctx.conversion);
    let at = found.and_then(|d| {
        let (at, gap) = session.ctx.time_zone.to_utc(d);
        // TIMESTAMP has room for these
        (!gap && (1..=i64::from(i32::MAX)).contains(&at)).then_some(at)
    });
    let mut text = Vec::new();
    match &value {
        Value::DateTime(d) => format::write_datetime(*d, 0, &mut text),
        value => convert::write_text(value.as_ref(), &ty, &mut text),
    }
    Ok((at, text_of(&text, ty.collation.charset)))
}

/// The amount behind EVERY.
fn amount_behind_every(session: &mut Session, e: &Expr, unit: IntervalUnit) -> SqlResult<i64> {
    let (value, ty) = value_of(session, e)?;
    if matches!(value, Value::Null) {
        return Err(wrong("INTERVAL", "NULL"));
    }
    if unit.has_micros() {
        return Err(SqlError::not_supported("MICROSECOND"));
    }
    let interval = interval_amount(unit, value.as_ref(), &ty, false, &mut session.ctx.conversion);
    let amount = interval.and_then(|i| amount_of(&i, unit));
    amount.ok_or_else(|| SqlError::new(codes::ER_EVENT_INTERVAL_NOT_POSITIVE_OR_TOO_BIG, &[]))
}

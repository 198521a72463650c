//! `mysql.event`: read when it is asked for, written with the statements about events.

use std::sync::Arc;

use super::schedule::{Schedule, unit_of};
use super::{Event, Status, status_word};
use crate::admin::bootstrap::{Row, own_session, quoted, run, text};
use crate::admin::system_tables;
use crate::catalog::engines::Stored;
use crate::engine::Engine;
use crate::error::{SqlError, SqlResult, codes};
use crate::failure::no_such_table;
use crate::locks::Waiter;
use crate::routine::store::{literal, mode_of, moment};
use crate::session::Session;
use crate::types::temporal::TimeZone;

/// What the columns of a row are made of; times are those of UTC.
const COLUMNS: &str = "db,name,body,definer,UNIX_TIMESTAMP(execute_at),interval_value,interval_field,\
     UNIX_TIMESTAMP(created),UNIX_TIMESTAMP(modified),UNIX_TIMESTAMP(last_executed),UNIX_TIMESTAMP(starts),\
     UNIX_TIMESTAMP(ends),status,on_completion,sql_mode,comment,originator,time_zone,character_set_client,\
     collation_connection,db_collation";

/// The columns that the table has to have, with how their types begin.
const SHAPE: &[(&str, &str)] = &[
    ("db", "char(64)"),
    ("name", "char(64)"),
    ("body", "longblob"),
    ("definer", "varchar("),
    ("execute_at", "datetime"),
    ("interval_value", "int(11)"),
    ("interval_field", "enum('YEAR','QUARTER','MONTH','DAY','HOUR','MINUTE','WEEK','SECOND'"),
    ("created", "timestamp"),
    ("modified", "timestamp"),
    ("last_executed", "datetime"),
    ("starts", "datetime"),
    ("ends", "datetime"),
    ("status", "enum('ENABLED','DISABLED','SLAVESIDE_DISABLED')"),
    ("on_completion", "enum('DROP','PRESERVE')"),
    ("sql_mode", "set('REAL_AS_FLOAT','PIPES_AS_CONCAT','ANSI_QUOTES','IGNORE_SPACE'"),
    ("comment", "char(64)"),
    ("originator", "int(10)"),
    ("time_zone", "char(64)"),
    ("character_set_client", "char(32)"),
    ("collation_connection", "char(64)"),
    ("db_collation", "char(64)"),
    ("body_utf8", "longblob"),
];

/// The table: MariaDB's name, unless a table of another engine has it.
fn table(engine: &Engine) -> &'static str {
    match engine.catalog.stored("mysql", "event") {
        Stored::Foreign(_) => "isambard_event",
        _ => "event",
    }
}

/// Whether the table is as it has to be; `None` where there is none because nobody has made an event beside
/// another engine's table.
///
/// # Errors
/// 1146, 1545.
pub(crate) fn check(engine: &Engine) -> SqlResult<Option<&'static str>> {
    let name = table(engine);
    if !engine.catalog.table_exists("mysql", name) {
        return match name {
            "event" => Err(no_such_table("mysql", name)),
            _ => Ok(None),
        };
    }
    let damaged = || SqlError::new(codes::ER_EVENT_OPEN_TABLE_FAILED, &[]);
    let open = engine.catalog.table("mysql", name, &Waiter::server)?;
    let columns = &open.def().columns;
    let fits = columns.len() == SHAPE.len()
        && columns.iter().zip(SHAPE).all(|(c, (name, ty))| {
            c.name == *name && schema::show_create::type_text(c).starts_with(ty.as_bytes())
        });
    if fits { Ok(Some(name)) } else { Err(damaged()) }
}

/// A session of the engine's own that reads and writes times as those of UTC, and shares the locks of `owner`.
fn session_of(engine: &Arc<Engine>, owner: Option<u64>) -> SqlResult<Session> {
    let mut session = own_session(engine)?;
    run(&mut session, "SET time_zone = '+00:00'")?;
    if let Some(owner) = owner {
        session.share_locks_of(owner);
    }
    Ok(session)
}

fn condition(db: &str, name: &str) -> String {
    format!("db={} AND name={}", quoted(db), quoted(name))
}

/// The events that a condition chooses, in the order of their names.
fn select(engine: &Arc<Engine>, owner: Option<u64>, condition: &str) -> SqlResult<Vec<Event>> {
    let Some(name) = check(engine)? else { return Ok(Vec::new()) };
    let mut session = session_of(engine, owner)?;
    let sql = format!("SELECT {COLUMNS} FROM mysql.{name} WHERE {condition} ORDER BY db, name");
    run(&mut session, &sql)?.iter().map(from_row).collect()
}

/// All events, or those of a database; `owner` is whose locks let pass.
///
/// # Errors
/// 1146, 1545, 1728; 1235 for a unit that no event can have.
pub(crate) fn all(engine: &Arc<Engine>, owner: Option<u64>, db: Option<&str>) -> SqlResult<Vec<Event>> {
    select(engine, owner, &db.map_or("1".into(), |db| format!("db={}", quoted(db))))
}

/// The event of a name.
///
/// # Errors
/// As [`all`].
pub(crate) fn find(
    engine: &Arc<Engine>,
    owner: Option<u64>,
    db: &str,
    name: &str,
) -> SqlResult<Option<Event>> {
    Ok(select(engine, owner, &condition(db, name))?.into_iter().next())
}

/// Whether there is an event of a name, as damaged as it may be.
///
/// # Errors
/// 1146, 1545.
pub(crate) fn exists(engine: &Arc<Engine>, db: &str, name: &str) -> SqlResult<bool> {
    let Some(table) = check(engine)? else { return Ok(false) };
    let mut session = session_of(engine, None)?;
    let sql = format!("SELECT 1 FROM mysql.{table} WHERE {}", condition(db, name));
    Ok(!run(&mut session, &sql)?.is_empty())
}

fn from_row(row: &Row) -> SqlResult<Event> {
    let damaged = || SqlError::new(codes::ER_CANNOT_LOAD_FROM_TABLE_V2, &[&"mysql", &"event"]);
    let at = |i: usize| row.get(i).map(text).unwrap_or_default();
    let given = |i: usize| row.get(i).and_then(Option::as_ref).map(|_| at(i));
    let number = |i: usize| given(i).and_then(|n| n.split('.').next()?.parse::<i64>().ok());
    let needed = |i: usize| given(i).ok_or_else(damaged);
    let schedule = match (number(4), given(6)) {
        (Some(at), _) => Schedule::At(at),
        (None, Some(field)) => {
            let unit = unit_of(&field).ok_or_else(damaged)?;
            if unit.has_micros() {
                return Err(SqlError::not_supported("MICROSECOND"));
            }
            let amount = number(5).filter(|n| *n > 0).ok_or_else(damaged)?;
            Schedule::Every { amount, unit, starts: number(10), ends: number(11) }
        }
        (None, None) => return Err(damaged()),
    };
    let definer = at(3);
    let (user, host) = definer.rsplit_once('@').unwrap_or((&definer, ""));
    let client = needed(18)?;
    let charset = charset::Charset::by_name(&client).unwrap_or(charset::system().charset);
    let body = row.get(2).and_then(Option::as_ref).map(|b| crate::types::convert::text_of(b, charset));
    let zone = at(17);
    TimeZone::parse(&zone).ok_or_else(damaged)?;
    Ok(Event {
        db: at(0),
        name: at(1),
        body: body.unwrap_or_default(),
        definer: (user.to_string(), host.to_string()),
        schedule,
        created: number(7).unwrap_or(0),
        modified: number(8).unwrap_or(0),
        last_executed: number(9),
        status: match &*at(12) {
            "DISABLED" => Status::Disabled,
            "SLAVESIDE_DISABLED" => Status::SlavesideDisabled,
            _ => Status::Enabled,
        },
        preserve: at(13) == "PRESERVE",
        sql_mode: mode_of(&at(14)),
        comment: at(15),
        originator: number(16).unwrap_or(0).unsigned_abs(),
        zone,
        client,
        connection: needed(19)?,
        db_collation: needed(20)?,
    })
}

/// A moment, or NULL.
fn moment_or_null(at: Option<i64>) -> String {
    at.map_or("NULL".into(), |at| format!("FROM_UNIXTIME({at})"))
}

/// Writes an event, instead of the one that had the name `old`.
///
/// # Errors
/// Those of writing the table.
pub(crate) fn write(engine: &Arc<Engine>, e: &Event, old: Option<(&str, &str)>) -> SqlResult<()> {
    let name = table(engine);
    let mut session = session_of(engine, None)?;
    if name != "event" && !engine.catalog.table_exists("mysql", name) {
        system_tables::create_as(&mut session, "event", name)?;
    }
    let client = charset::Charset::by_name(&e.client).unwrap_or(charset::system().charset);
    let mut body = Vec::with_capacity(e.body.len());
    charset::system().charset.convert(e.body.as_bytes(), client, &mut body);
    let (mut at, mut every) = (None, ("NULL".to_string(), "NULL".to_string(), None, None));
    match &e.schedule {
        Schedule::At(moment) => at = Some(*moment),
        Schedule::Every { amount, unit, starts, ends } => {
            every = (amount.to_string(), quoted(&unit.word().to_uppercase()), *starts, *ends);
        }
    }
    let values = [
        ("db", quoted(&e.db)),
        ("name", quoted(&e.name)),
        ("body", literal(&body)),
        ("definer", quoted(&format!("{}@{}", e.definer.0, e.definer.1))),
        ("execute_at", moment_or_null(at)),
        ("interval_value", every.0),
        ("interval_field", every.1),
        ("created", moment(e.created)),
        ("modified", moment(e.modified)),
        ("last_executed", moment_or_null(e.last_executed)),
        ("starts", moment_or_null(every.2)),
        ("ends", moment_or_null(every.3)),
        ("status", quoted(status_word(e.status))),
        ("on_completion", quoted(if e.preserve { "PRESERVE" } else { "DROP" })),
        ("sql_mode", e.sql_mode.0.to_string()),
        ("comment", quoted(&e.comment)),
        ("originator", e.originator.to_string()),
        ("time_zone", quoted(&e.zone)),
        ("character_set_client", quoted(&e.client)),
        ("collation_connection", quoted(&e.connection)),
        ("db_collation", quoted(&e.db_collation)),
        ("body_utf8", literal(e.body.as_bytes())),
    ];
    let list: Vec<String> = values.iter().map(|(column, value)| format!("{column}={value}")).collect();
    let list = list.join(",");
    let sql = match old {
        Some((db, old)) => format!("UPDATE mysql.{name} SET {list} WHERE {}", condition(db, old)),
        None => format!("REPLACE INTO mysql.{name} SET {list}"),
    };
    run(&mut session, &sql).map(drop)
}

/// Removes an event.
///
/// # Errors
/// Those of writing the table.
pub(crate) fn remove(engine: &Arc<Engine>, db: &str, name: &str) -> SqlResult<()> {
    delete(engine, &condition(db, name))
}

/// Removes the events of a database.
///
/// # Errors
/// 1146, 1545 and those of writing the table.
pub(crate) fn remove_database(engine: &Arc<Engine>, db: &str) -> SqlResult<()> {
    let Some(table) = check(engine)? else { return Ok(()) };
    let condition = format!("db={}", quoted(db));
    let mut session = session_of(engine, None)?;
    let any = run(&mut session, &format!("SELECT 1 FROM mysql.{table} WHERE {condition} LIMIT 1"))?;
    if any.is_empty() { Ok(()) } else { delete(engine, &condition) }
}

/// Removes an event that has run for the last time, unless somebody has given it another life meanwhile.
///
/// # Errors
/// Those of writing the table.
pub(crate) fn remove_finished(engine: &Arc<Engine>, db: &str, name: &str) -> SqlResult<()> {
    delete(engine, &format!("{} AND status='DISABLED' AND on_completion='DROP'", condition(db, name)))
}

fn delete(engine: &Arc<Engine>, condition: &str) -> SqlResult<()> {
    let mut session = session_of(engine, None)?;
    run(&mut session, &format!("DELETE FROM mysql.{} WHERE {condition}", table(engine))).map(drop)
}

/// Notes when an event has run, and whether that was the last time.
///
/// # Errors
/// 1146, 1545 and those of writing the table.
pub(crate) fn note_run(engine: &Arc<Engine>, e: (&str, &str), at: i64, last: bool) -> SqlResult<()> {
    let Some(table) = check(engine)? else { return Ok(()) };
    let mut session = session_of(engine, None)?;
    let status = if last { ",status='DISABLED'" } else { "" };
    let sql = format!(
        "UPDATE mysql.{table} SET created=created,last_executed=FROM_UNIXTIME({at}){status} WHERE {}",
        condition(e.0, e.1)
    );
    run(&mut session, &sql).map(drop)
}

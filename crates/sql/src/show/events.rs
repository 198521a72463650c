//! SHOW EVENTS, SHOW CREATE EVENT.

use std::sync::Arc;

use charset::Charset;

use super::lists::{self, Heading};
use super::rows::{Rows, s, text};
use crate::ast::{ShowFilter, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::routine::define::path;
use crate::routine::event::{mode_style, store};
use crate::routine::store::mode_text;
use crate::session::Session;
use crate::types::Value;

const HEADINGS: &[Heading] = &[
    ("Db", "EVENT_SCHEMA"),
    ("Name", "EVENT_NAME"),
    ("Definer", "DEFINER"),
    ("Time zone", "TIME_ZONE"),
    ("Type", "EVENT_TYPE"),
    ("Execute at", "EXECUTE_AT"),
    ("Interval value", "INTERVAL_VALUE"),
    ("Interval field", "INTERVAL_FIELD"),
    ("Starts", "STARTS"),
    ("Ends", "ENDS"),
    ("Status", "STATUS"),
    ("Originator", "ORIGINATOR"),
    ("character_set_client", "CHARACTER_SET_CLIENT"),
    ("collation_connection", "COLLATION_CONNECTION"),
    ("Database Collation", "DATABASE_COLLATION"),
];

/// SHOW EVENTS: LIKE looks at the name.
pub(super) fn list(
    session: &mut Session,
    db: Option<&str>,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    // a database that is not there has none
    let db = match db {
        Some(db) => {
            crate::names::check_database_name(db)?;
            db.to_string()
        }
        None => session.current_database()?.to_string(),
    };
    lists::of_database(session, ("EVENTS", HEADINGS), &db, (filter, 1), sink)
}

/// SHOW CREATE EVENT.
///
/// # Errors
/// 1539; those of `mysql.event`.
pub(super) fn create(session: &mut Session, name: &TableName, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let (db, name) = path(session, name)?;
    let engine = Arc::clone(&session.engine);
    let found = store::find(&engine, Some(session.owner()), &db, &name)?;
    let e = found.ok_or_else(|| SqlError::new(error::ER_EVENT_DOES_NOT_EXIST, &[&name]))?;
    let mut rows = Rows::new(vec![
        ("Event", text(64)),
        ("sql_mode", text(256)),
        ("time_zone", text(64)),
        ("Create Event", text(1024)),
        ("character_set_client", text(32)),
        ("collation_connection", text(64)),
        ("Database Collation", text(64)),
    ]);
    rows.push(vec![
        s(&e.name),
        s(mode_text(e.sql_mode)),
        s(&e.zone),
        as_of_client(e.statement(mode_style(session.vars.settings.sql_mode)), &e.body, &e.client),
        s(&e.client),
        s(&e.connection),
        s(&e.db_collation),
    ]);
    rows.send(session, sink)
}

/// The statement of an event as clients get it: what stands before its body are bytes of UTF-8, which are taken for text in the
/// character set of who made the event.
fn as_of_client(statement: String, body: &str, client: &str) -> Value {
    let (Some(client), Some(utf8)) = (Charset::by_name(client), Charset::by_name("utf8mb4")) else {
        return s(statement);
    };
    let head = statement.strip_suffix(body).unwrap_or(&statement);
    if head.is_ascii() || client.name.starts_with("utf8") {
        return s(statement);
    }
    let mut out = Vec::new();
    client.convert(head.as_bytes(), utf8, &mut out);
    out.extend_from_slice(&statement.as_bytes()[head.len()..]);
    s(String::from_utf8_lossy(&out))
}

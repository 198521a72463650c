//! SHOW TRIGGERS, SHOW CREATE TRIGGER.

use super::lists::{self, Heading, info_schema_context};
use super::rows::{Rows, s, text};
use crate::ast::{ShowFilter, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::rights::privilege::TRIGGER;
use crate::session::Session;
use crate::table::triggers::table_of;
use crate::types::FieldType;

const HEADINGS: &[Heading] = &[
    ("Trigger", "TRIGGER_NAME"),
    ("Event", "EVENT_MANIPULATION"),
    ("Table", "EVENT_OBJECT_TABLE"),
    ("Statement", "ACTION_STATEMENT"),
    ("Timing", "ACTION_TIMING"),
    ("Created", "CREATED"),
    ("sql_mode", "SQL_MODE"),
    ("Definer", "DEFINER"),
    ("character_set_client", "CHARACTER_SET_CLIENT"),
    ("collation_connection", "COLLATION_CONNECTION"),
    ("Database Collation", "DATABASE_COLLATION"),
];

/// SHOW TRIGGERS: LIKE looks at the table.
pub(super) fn list(
    session: &mut Session,
    db: Option<&str>,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let db = lists::check_database(session, db)?;
    lists::of_database(session, ("TRIGGERS", HEADINGS), &db, (filter, 2), sink)
}

/// SHOW CREATE TRIGGER.
///
/// # Errors
/// 1360.
pub(super) fn create(session: &mut Session, name: &TableName, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let db = match &name.db {
        Some(db) => db.to_string(),
        None => session.current_database()?.to_string(),
    };
    let missing = || SqlError::new(error::ER_TRG_DOES_NOT_EXIST, &[]);
    let table = table_of(session.engine.store(), &db, &name.name).ok_or_else(missing)?;
    let open = session.engine.catalog.table(&db, &table, &|| session.waiter())?;
    if !session.rights.unlimited() && !session.rights.has_any(&db, &table, TRIGGER) {
        return Err(SqlError::new(error::ER_SPECIFIC_ACCESS_DENIED_ERROR, &[&"TRIGGER"]));
    }
    let found = open.triggers.as_ref().and_then(|t| t.find(&name.name)).cloned();
    let t = found.ok_or_else(missing)?;
    let sight = info_schema_context(session, "TRIGGERS");
    let mut rows = Rows::new(vec![
        ("Trigger", text(64)),
        ("sql_mode", text(256)),
        ("SQL Original Statement", text(1024)),
        ("character_set_client", text(32)),
        ("collation_connection", text(64)),
        ("Database Collation", text(64)),
        ("Created", FieldType::datetime(2).with_nullable(true)),
    ]);
    rows.push(vec![
        s(t.name()),
        s(crate::routine::store::mode_text(t.sql_mode())),
        s(t.statement()),
        s(t.client().name),
        s(t.connection().name),
        s(t.database().name),
        sight.trigger_time(&t),
    ]);
    rows.send(session, sink)
}

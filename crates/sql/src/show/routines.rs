//! SHOW CREATE PROCEDURE and FUNCTION, SHOW PROCEDURE STATUS and FUNCTION STATUS.

use std::sync::Arc;

use super::lists;
use super::rows::{Rows, s, s_or_null, text, text_null};
use crate::ast::{ShowFilter, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::rights::Rights;
use crate::rights::privilege::{ALTER_ROUTINE, CREATE_ROUTINE, EXECUTE, SELECT};
use crate::routine::store::{Routine, mode_text};
use crate::session::Session;
use crate::types::{FieldType, Value};

/// Whether an account may know of a routine.
pub(crate) fn sees(rights: &Rights, r: &Routine) -> bool {
    rights.unlimited()
        || reads(rights, r)
        || rights.privileges().on_routine(&r.db, &r.name, r.function)
            & (CREATE_ROUTINE | ALTER_ROUTINE | EXECUTE)
            != 0
}

/// Whether an account may read a routine's body.
pub(crate) fn reads(rights: &Rights, r: &Routine) -> bool {
    rights.unlimited()
        || r.definer.0 == rights.user && r.definer.1 == rights.host
        || rights.privileges().on_table("mysql", "proc") & SELECT != 0
}

/// SHOW CREATE PROCEDURE, SHOW CREATE FUNCTION.
///
/// # Errors
/// 1305.
pub(super) fn create(
    session: &mut Session,
    function: bool,
    name: &TableName,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let (db, bare) = crate::routine::define::path(session, name)?;
    let engine = Arc::clone(&session.engine);
    let found = engine.routines.find(&engine, &db, &bare, function)?.filter(|r| sees(&session.rights, r));
    let Some(r) = found else {
        return Err(SqlError::new(
            error::ER_SP_DOES_NOT_EXIST,
            &[&crate::ast::routine_word(function), &bare],
        ));
    };
    let (kind, heading) =
        if function { ("Function", "Create Function") } else { ("Procedure", "Create Procedure") };
    let mut rows = Rows::new(vec![
        (kind, text(64)),
        ("sql_mode", text(256)),
        (heading, text_null(1024)),
        ("character_set_client", text(32)),
        ("collation_connection", text(64)),
        ("Database Collation", text(64)),
    ]);
    let body = reads(&session.rights, &r).then(|| crate::routine::text::definition_as(&r, &bare));
    rows.push(vec![
        s(&*bare),
        s(mode_text(r.sql_mode)),
        s_or_null(body),
        s(&r.client),
        s(&r.connection),
        s(&r.db_collation),
    ]);
    rows.send(session, sink)
}

/// SHOW PROCEDURE STATUS, SHOW FUNCTION STATUS.
///
/// # Errors
/// Those of the filter.
pub(super) fn status(
    session: &mut Session,
    kind: &str,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let engine = Arc::clone(&session.engine);
    let moment = FieldType::datetime(0);
    let types = lists::ROUTINES.iter().map(|h| match *h {
        "Modified" | "Created" => (*h, moment.clone()),
        "Comment" => (*h, text(65_535)),
        _ => (*h, text(64)),
    });
    let mut rows = Rows::new(types.collect());
    for r in engine.routines.all(&engine)? {
        if r.word() != kind || !sees(&session.rights, &r) {
            continue;
        }
        r.check_context(&mut session.ctx.warnings);
        let at = |seconds| session.ctx.time_zone.to_local(seconds, 0).map_or(Value::Null, Value::DateTime);
        rows.push(vec![
            s(&r.db),
            s(&r.name),
            s(r.word()),
            s(format!("{}@{}", r.definer.0, r.definer.1)),
            at(r.modified),
            at(r.created),
            s(if r.invoker { "INVOKER" } else { "DEFINER" }),
            s(&r.comment),
            s(&r.client),
            s(&r.connection),
            s(&r.db_collation),
        ]);
    }
    rows.filter(session, filter, 1)?;
    session.ctx.connection.found_rows = rows.rows.len() as u64;
    rows.send(session, sink)
}

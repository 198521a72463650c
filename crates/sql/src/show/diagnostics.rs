//! SHOW WARNINGS, ERRORS and PROCESSLIST.

use super::rows::{Rows, big, big_unsigned, s, s_or_null, text, text_null};
use crate::ast::Limit;
use crate::error::SqlResult;
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::status::connection::now_micros;
use crate::types::{FieldType, Kind, Value};
use crate::warning::Level;

fn number(session: &mut Session, e: Option<&crate::ast::Expr>, default: usize) -> SqlResult<usize> {
    let Some(e) = e else { return Ok(default) };
    Ok(match session.constant(e, "LIMIT")?.0 {
        Value::Int(n) => usize::try_from(n).unwrap_or(0),
        Value::UInt(n) => usize::try_from(n).unwrap_or(usize::MAX),
        _ => default,
    })
}

/// SHOW WARNINGS, SHOW ERRORS.
pub(super) fn list(
    session: &mut Session,
    limit: Option<&Limit>,
    errors: bool,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let offset = number(session, limit.and_then(|l| l.offset.as_ref()), 0)?;
    let count = number(session, limit.and_then(|l| l.count.as_ref()), usize::MAX)?;
    let code = FieldType { unsigned: true, ..FieldType::new(Kind::Long, 4, 0) }.with_nullable(false);
    let mut rows = Rows::new(vec![("Level", text(7)), ("Code", code), ("Message", text(512))]);
    let entries = session.ctx.warnings.entries().to_vec();
    for w in entries.iter().filter(|w| !errors || w.level == Level::Error).skip(offset).take(count) {
        rows.push(vec![s(w.level.name()), Value::UInt(u64::from(w.code)), s(&w.message)]);
    }
    rows.send(session, sink)
}

/// SHOW COUNT(*) WARNINGS, ERRORS.
pub(super) fn count(session: &mut Session, errors: bool, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let w = &session.ctx.warnings;
    let (name, n) = if errors {
        ("@@session.error_count", w.count_errors())
    } else {
        ("@@session.warning_count", w.count_all())
    };
    let mut rows = Rows::new(vec![(name, big_unsigned().with_nullable(true))]);
    rows.push(vec![Value::UInt(n)]);
    session.ctx.connection.found_rows = 1;
    rows.send(session, sink)
}

/// SHOW [FULL] PROCESSLIST.
pub(super) fn processes(session: &mut Session, full: bool, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let progress = FieldType { length: 7, decimals: 3, ..FieldType::double() }.with_nullable(false);
    let info = if full { text_null(21845) } else { text_null(100) };
    let mut rows = Rows::new(vec![
        ("Id", big(11)),
        ("User", text(128)),
        ("Host", text(64)),
        ("db", text_null(64)),
        ("Command", text(16)),
        ("Time", FieldType::new(Kind::Long, 7, 0)),
        ("State", text_null(30)),
        ("Info", info),
        ("Progress", progress),
    ]);
    let now = now_micros();
    let client = session.settings().client;
    let own = session.connection.id;
    for c in session.engine.connections.all() {
        if !session.rights.sees_connection(&c) {
            continue;
        }
        let p = c.describe(now);
        let info = p.info.map(|i| {
            let mut text = crate::types::convert::text_of(&i, client);
            if !full && let Some((at, _)) = text.char_indices().nth(100) {
                text.truncate(at);
            }
            text
        });
        rows.push(vec![
            Value::Int(p.id as i64),
            s(&p.user),
            s(&p.host),
            s_or_null(p.db),
            s(p.command),
            Value::Int((p.micros / 1_000_000) as i64),
            s(if c.id == own && p.state.is_empty() { "starting" } else { p.state }),
            s_or_null(info),
            Value::Double(p.progress),
        ]);
    }
    rows.send(session, sink)
}

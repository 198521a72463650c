//! SHOW PROFILES and SHOW PROFILE.

use super::rows::{Rows, s, text};
use crate::ast::ProfileShown;
use crate::error::SqlResult;
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::types::{Decimal, FieldType, Value};

fn seconds(micros: u64, digits: u8) -> (FieldType, Value) {
    let ty = FieldType::decimal(digits + 3, digits).with_nullable(false);
    let text =
        format!("{}.{:06}{}", micros / 1_000_000, micros % 1_000_000, if digits > 6 { "00" } else { "" });
    (ty, Value::Decimal(Decimal::parse(text.as_bytes()).value))
}

/// SHOW PROFILES.
pub(super) fn all(session: &mut Session, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    session.profiles.looks = true;
    let number = FieldType::new(crate::types::Kind::Long, 10, 0).with_nullable(false);
    let (duration, _) = seconds(0, 8);
    let mut rows = Rows::new(vec![("Query_ID", number), ("Duration", duration), ("Query", text(300))]);
    for p in &session.profiles.kept {
        let (_, duration) = seconds(p.micros, 8);
        rows.push(vec![Value::Int(p.id as i64), duration, Value::Bytes(p.text.to_vec())]);
    }
    rows.send(session, sink)
}

/// SHOW PROFILE: a statement is one step here.
pub(super) fn one(session: &mut Session, shown: &ProfileShown, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    session.profiles.looks = true;
    let (duration, _) = seconds(0, 6);
    let mut columns = vec![("Status", text(30)), ("Duration", duration.clone())];
    let number = || FieldType::new(crate::types::Kind::Long, 20, 0).with_nullable(true);
    for (asked, headings) in [
        (shown.cpu, &["CPU_user", "CPU_system"][..]),
        (shown.context, &["Context_voluntary", "Context_involuntary"]),
        (shown.block, &["Block_ops_in", "Block_ops_out"]),
        (shown.ipc, &["Messages_sent", "Messages_received"]),
        (shown.faults, &["Page_faults_major", "Page_faults_minor"]),
        (shown.swaps, &["Swaps"]),
        (shown.source, &["Source_function", "Source_file", "Source_line"]),
    ] {
        columns.extend(headings.iter().filter(|_| asked).map(|h| match *h {
            "CPU_user" | "CPU_system" => (*h, duration.clone().with_nullable(true)),
            "Source_function" | "Source_file" => (*h, text(30).with_nullable(true)),
            h => (h, number()),
        }));
    }
    let width = columns.len();
    let mut rows = Rows::new(columns);
    let kept = &session.profiles.kept;
    let found = match shown.query {
        Some(id) => kept.iter().find(|p| p.id == id),
        None => kept.back(),
    };
    if let Some(p) = found {
        let mut row = vec![s("Executing"), seconds(p.micros, 6).1];
        row.resize(width, Value::Null);
        rows.push(row);
    }
    rows.send(session, sink)
}

//! EVENTS.

use super::by_table::Rows;
use super::{InfoSchemaContext, Wanted, opt, s};
use crate::error::SqlResult;
use crate::routine::event::schedule::{Schedule, shown};
use crate::routine::event::{Event, sees, status_word, store};
use crate::routine::store::mode_text;
use crate::types::Value;

impl InfoSchemaContext {
    /// The rows of EVENTS: of databases where the account may have events.
    pub(super) fn events(&self, wanted: Wanted<'_>) -> SqlResult<Rows> {
        let events = store::all(&self.engine, Some(self.connection), wanted.db)?;
        Ok(events.iter().filter(|e| sees(&self.rights, &e.db)).map(|e| self.event(e)).collect())
    }

    fn event(&self, e: &Event) -> Vec<Value> {
        let zone = e.time_zone();
        // moments of the schedule are shown in the event's zone, the others in the session's
        let at =
            |at: Option<i64>| at.and_then(|at| zone.to_local(at, 0)).map_or(Value::Null, Value::DateTime);
        let here = |at: i64| self.zone.to_local(at, 0).map_or(Value::Null, Value::DateTime);
        let (mut once, mut every) = (None, (None, None, None, None));
        match &e.schedule {
            Schedule::At(moment) => once = Some(*moment),
            Schedule::Every { amount, unit, starts, ends } => {
                let unit_word = unit.word().to_uppercase();
                every = (Some(shown(*amount, *unit)), Some(unit_word), *starts, *ends);
            }
        }
        vec![
            s("def"),
            s(&e.db),
            s(&e.name),
            s(format!("{}@{}", e.definer.0, e.definer.1)),
            s(&e.zone),
            s("SQL"),
            s(&e.body),
            s(if once.is_some() { "ONE TIME" } else { "RECURRING" }),
            at(once),
            opt(every.0),
            opt(every.1),
            s(mode_text(e.sql_mode)),
            at(every.2),
            at(every.3),
            s(status_word(e.status)),
            s(if e.preserve { "PRESERVE" } else { "NOT PRESERVE" }),
            here(e.created),
            here(e.modified),
            at(e.last_executed),
            s(&e.comment),
            Value::Int(e.originator.cast_signed()),
            s(&e.client),
            s(&e.connection),
            s(&e.db_collation),
        ]
    }
}

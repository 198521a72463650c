//! TRIGGERS.

use super::by_table::Rows;
use super::{InfoSchemaContext, s};
use crate::error::SqlResult;
use crate::rights::privilege::{DELETE, INSERT, TRIGGER, UPDATE};
use crate::table::triggers::StoredTrigger;
use crate::types::Value;

impl InfoSchemaContext {
    /// When a trigger was made, to the hundredth of a second.
    pub(crate) fn trigger_time(&self, t: &StoredTrigger) -> Value {
        // older files count hundredths of a second
        let created = match t.def.created {
            at if at < 10_000_000_000_000 => at * 10_000,
            at => at,
        };
        let micros = (created % 1_000_000) as u32 / 10_000 * 10_000;
        match created {
            0 => Value::Null,
            at => self.zone.to_local((at / 1_000_000) as i64, micros).map_or(Value::Null, Value::DateTime),
        }
    }

    /// The rows of TRIGGERS for a table.
    pub(super) fn triggers(&self, db: &str, table: &str, rows: &mut Rows) -> SqlResult<()> {
        let all = self.rights.unlimited() || self.rights.has_any(db, table, TRIGGER);
        if !all && !self.rights.has_any(db, table, INSERT | UPDATE | DELETE) {
            return Ok(());
        }
        if self.engine.catalog.is_view(db, table) {
            return Ok(());
        }
        let open = self.engine.catalog.table(db, table, &|| self.waiter.clone());
        self.waiter.check_killed()?;
        let Ok(open) = open else { return Ok(()) };
        let Some(triggers) = &open.triggers else { return Ok(()) };
        let (mut last, mut order) = (None, 0u64);
        for t in &triggers.list {
            let Some((event, after)) = t.moment() else { continue };
            order = if last == Some((event, after)) { order + 1 } else { 1 };
            last = Some((event, after));
            rows.push(vec![
                s("def"),
                s(db),
                s(t.name()),
                s(event.word()),
                s("def"),
                s(db),
                s(table),
                Value::Int(order.cast_signed()),
                Value::Null,
                if all { s(t.body()) } else { Value::Null },
                s("ROW"),
                s(if after { "AFTER" } else { "BEFORE" }),
                Value::Null,
                Value::Null,
                s("OLD"),
                s("NEW"),
                self.trigger_time(t),
                s(crate::routine::store::mode_text(t.sql_mode())),
                if !all {
                    Value::Null
                } else if t.create.is_err() {
                    s("")
                } else {
                    s(t.shown_definer())
                },
                s(t.client().name),
                s(t.connection().name),
                s(t.database().name),
            ]);
        }
        Ok(())
    }
}

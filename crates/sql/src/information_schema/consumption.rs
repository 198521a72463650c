//! USER_STATISTICS and CLIENT_STATISTICS.

use super::{InfoSchemaContext, s};
use crate::rights::privilege::{PROCESS, SUPER};
use crate::status::consumption::{Consumer, Consumption};
use crate::types::Value;

fn row(name: &str, c: &Consumption) -> Vec<Value> {
    let n = |v: u64| Value::Int(i64::try_from(v).unwrap_or(i64::MAX));
    let [
        received,
        sent,
        read,
        rows_sent,
        deleted,
        inserted,
        updated,
        selects,
        changes,
        others,
        commits,
        rollbacks,
        refused,
        empty,
    ] = c.numbers.map(n);
    // there is no binary log
    let logged = n(0);
    vec![
        s(name),
        n(c.connections),
        n(c.current),
        n(c.connected.as_secs()),
        Value::Double(c.busy.as_secs_f64()),
        Value::Double(c.cpu.as_secs_f64()),
        received,
        sent,
        logged,
        read,
        rows_sent,
        deleted,
        inserted,
        updated,
        selects,
        changes,
        others,
        commits,
        rollbacks,
        n(c.denied),
        n(c.lost),
        refused,
        empty,
        Value::UInt(c.encrypted),
        n(c.timed_out),
    ]
}

impl InfoSchemaContext {
    /// What users or clients have used; those who may not see all connections see nothing.
    pub(super) fn consumption(&self, which: Consumer) -> Vec<Vec<Value>> {
        if self.rights.global() & (SUPER | PROCESS) == 0 {
            return Vec::new();
        }
        self.engine.consumers.all(which).iter().map(|(name, c)| row(name, c)).collect()
    }
}

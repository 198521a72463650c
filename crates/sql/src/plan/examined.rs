//! `max_join_size`: what a SELECT would have to examine.

use super::{Access, BlockPlan, Relation, Step, StepKind, scope};
use crate::error::codes::ER_TOO_BIG_SELECT;
use crate::error::{SqlError, SqlResult};

/// Rows compared for the price of one read.
const COMPARED: f64 = 5.0;

/// Reads that a scan costs beside the pages.
const SCAN: f64 = 2.0;

/// The page of the data file that a scan reads at once.
const PAGE: f64 = 4096.0;

/// What an entry of a key costs, and the first one beside that.
const ENTRY: (f64, f64) = (0.2, 0.14);

/// 1104 when a SELECT costs more than `most` row combinations and reads. A table's rows count only where more than one
/// is possible, and not at all where COUNT, MIN or MAX come from the table's state.
///
/// # Errors
/// 1104.
pub(super) fn check(plan: &BlockPlan, names: &scope::Names, most: u64) -> SqlResult<()> {
    let shortcut = plan.group.as_ref().is_some_and(|g| g.shortcut.is_some());
    if most == u64::MAX || plan.impossible.is_some() || shortcut {
        return Ok(());
    }
    let mut price = Price { names, before: 1.0, total: 0.0 };
    price.add(&plan.steps);
    // rows that are sorted or grouped are written once more; a key gives an order only for LIMIT
    let grouped = plan.group.as_ref().is_some_and(|g| g.keys.iter().any(|k| !k.is_constant()));
    let stops_in_order = plan.ordered_by_access && plan.limit.count.is_some();
    let sorted = !(plan.order.is_empty() || stops_in_order);
    if (sorted || grouped) && price.before > 1.0 {
        price.total += price.before;
    }
    if price.total > most as f64 {
        return Err(SqlError::new(ER_TOO_BIG_SELECT, &[]));
    }
    Ok(())
}

/// Rows that the temporary table of a UNION is taken to have.
const UNION: f64 = 10.0;

/// 1104 when already the result of a UNION is too much to read from its temporary table.
///
/// # Errors
/// 1104.
pub(super) fn check_union(most: u64) -> SqlResult<()> {
    if UNION + UNION / COMPARED > most as f64 {
        return Err(SqlError::new(ER_TOO_BIG_SELECT, &[]));
    }
    Ok(())
}

struct Price<'a> {
    names: &'a scope::Names,
    /// Row combinations of the steps so far.
    before: f64,
    total: f64,
}

impl Price<'_> {
    fn add(&mut self, steps: &[Step]) {
        for step in steps {
            if let Access::Nest { steps } = &step.access {
                self.add(steps);
                continue;
            }
            let first = self.before <= 1.0;
            let (records, bytes) = self.size(step.table);
            let rows = match &step.access {
                Access::Lookup { unique: true, .. } | Access::FullText(_) => 1.0,
                Access::Lookup { .. } | Access::Range { .. } | Access::Spatial(_) | Access::IndexMerge(_) => {
                    step.rows
                }
                _ => records,
            };
            let constant = first && matches!(&step.access, Access::Lookup { unique: true, .. });
            if constant || first && records <= 1.0 && step.kind == StepKind::Inner {
                continue;
            }
            let reads = match &step.access {
                Access::Lookup { .. } | Access::Range { .. } | Access::Spatial(_) | Access::IndexMerge(_) => {
                    let row = if first && step.covering { 0.0 } else { 1.0 };
                    let begin = if first { ENTRY.1 } else { 0.0 };
                    let entry = if first { ENTRY.0 } else { 0.0 };
                    self.before * rows * (row + entry) + begin
                }
                // the rows before are joined by the buffer
                _ => SCAN + bytes / PAGE,
            };
            self.total += reads + self.before * rows / COMPARED;
            self.before *= rows.max(1.0);
        }
    }

    /// Rows and bytes of a table.
    fn size(&self, table: usize) -> (f64, f64) {
        let Some(t) = self.names.tables.get(table) else { return (1.0, 0.0) };
        match &t.relation {
            Relation::Base(open) => {
                let state = open.state_of(&t.state);
                (state.records() as f64, state.data_file_length() as f64)
            }
            // what makes their rows was priced when it was planned
            Relation::Derived(_) => (2.0, 0.0),
            Relation::Virtual(v) if v.own_name().is_some() => (v.estimate(), 0.0),
            Relation::JsonTable(_) => (super::json_table::ROWS, 0.0),
            Relation::Virtual(_) | Relation::Merged => (1.0, 0.0),
        }
    }
}

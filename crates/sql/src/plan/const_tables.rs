//! Tables that have one row at most, or are looked up by a unique key whose value is known: the reference server reads them while it
//! plans, and EXPLAIN says what it found.

use super::{Access, BlockPlan, Step, StepKind};
use crate::expr::{Expr, Node};

/// The rows of a table that has one at most, which is read without a key.
pub(super) fn known_rows(b: &BlockPlan, s: &Step) -> Option<u64> {
    let table = &b.tables[s.table];
    let found =
        table.pruned || matches!(s.access, Access::Scan | Access::KeyScan { .. } | Access::Hash { .. });
    let records = table.records?;
    (found && records <= 1 && s.kind == StepKind::Inner).then_some(records)
}

/// How many of a block's first steps are such tables.
pub(super) fn count(b: &BlockPlan) -> usize {
    let mut before = 0u64;
    let constant = |s: &&Step| {
        let known = |e: &Expr| e.tables() & !before == 0 && !depends(e);
        let constant = match &s.access {
            Access::Lookup { parts, unique: true, .. } => {
                s.kind == StepKind::Inner && parts.iter().all(|p| known(&p.value))
            }
            _ => known_rows(b, s) == Some(1),
        };
        before |= 1 << s.table;
        constant
    };
    b.steps.iter().take_while(constant).count()
}

/// The tables of these steps, as a mask.
pub(super) fn mask(b: &BlockPlan, count: usize) -> u64 {
    b.steps[..count].iter().fold(0, |m, s| m | 1 << s.table)
}

/// Whether the conditions on them can be asked while a plan is explained: nothing around the query is needed, nor a subquery run.
pub(super) fn can_be_asked(b: &BlockPlan, count: usize) -> bool {
    b.steps[..count].iter().all(|s| !s.conditions().any(depends)) && !b.constant.as_ref().is_some_and(depends)
}

/// Whether an expression needs a row of a query around, or a subquery.
fn depends(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::Outer(_) | Node::Subquery(_)));
    found
}

//! Tables of outer joins that neither add rows nor have a column that is asked for: they are not read.

use super::{Access, BlockPlan, Relation, Step, StepKind, slots};
use crate::expr::{Expr, Node};

/// Takes such tables out of a plan, the last one first: a table that only another one of them asks for goes with it.
pub(super) fn tables(plan: &mut BlockPlan, wanted: bool) {
    if !wanted {
        return;
    }
    for n in (0..plan.steps.len()).rev() {
        if !finds_one_at_most(&plan.steps[n], plan) {
            continue;
        }
        let step = plan.steps.remove(n);
        let mut used = 0;
        slots::for_each_expr(plan, &mut |e: &Expr| used |= e.tables());
        if used >> step.table & 1 == 1 {
            plan.steps.insert(n, step);
        }
    }
}

/// Whether this is one table on the inner side of an outer join that has at most one row for each row before it, and
/// nothing that leaves rows out behind the join.
fn finds_one_at_most(step: &Step, plan: &BlockPlan) -> bool {
    if step.kind != StepKind::Left || step.filter.is_some() {
        return false;
    }
    match &step.access {
        Access::Lookup { unique, .. } => *unique,
        Access::Hash { build, null_safe: 0, .. } => names_a_key(build, step, plan),
        _ => false,
    }
}

/// Whether these columns, which a hash table is asked for, are those of a unique key, one by one as the key compares them.
fn names_a_key(build: &[Expr], step: &Step, plan: &BlockPlan) -> bool {
    let Relation::Base(open) = &plan.tables[step.table].relation else { return false };
    let named = |column: usize| {
        build.iter().any(|e| match &e.node {
            Node::Column(c) => {
                c.table as usize == step.table && c.column as usize == column && !e.ty.is_string()
            }
            _ => false,
        })
    };
    open.keys().iter().any(|k| {
        k.is_unique() && !k.segments.is_empty() && k.segments.iter().all(|s| s.covers() && named(s.column))
    })
}

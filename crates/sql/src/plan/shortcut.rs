//! COUNT(*), MIN and MAX without reading rows: the number of rows is in a table's state, and the least and the
//! greatest value stand at the ends of a key.

use super::access::has_subquery;
use super::key_end::{self, KeyEnd};
use super::{Access, BlockPlan, GroupPlan, Relation, SCORE};
use crate::ast::AggregateFunction;
use crate::expr::{AggregateCall, Expr, Node};

/// Where the value of an aggregate is found.
#[derive(Clone, Debug)]
pub enum Shortcut {
    /// The number of rows of all tables, multiplied.
    Rows,
    /// The least primary key of a table that knows it.
    Least,
    /// The greatest primary key of a table that knows it.
    Greatest,
    /// The number of rows that a full-text search finds.
    Found,
    /// An entry of a key.
    End(Box<KeyEnd>),
}

/// The shortcuts of all aggregates of a query without conditions and groups, if there are such.
#[must_use]
pub fn find(plan: &BlockPlan) -> Option<Vec<Shortcut>> {
    let g = plan.group.as_ref()?;
    if counts_found(plan, g) {
        return Some(vec![Shortcut::Found; g.aggregates.len()]);
    }
    let whole = g.keys.is_empty()
        && g.items.is_empty()
        && !plan.steps.is_empty()
        && plan.constant.is_none()
        && plan.impossible.is_none()
        && plan.steps.iter().all(|s| {
            matches!(s.access, Access::Scan | Access::KeyScan { .. })
                && match &plan.tables[s.table].relation {
                    Relation::Base(_) => true,
                    Relation::Virtual(v) => v.ends().is_some(),
                    Relation::Derived(_) | Relation::JsonTable(_) | Relation::Merged => false,
                }
                && s.on.is_none()
                && s.filter.is_none()
        })
        && plan.steps.len() == plan.count_tables()
        && plan.output.iter().chain(&plan.having).all(only_aggregates);
    if !whole {
        return None;
    }
    g.aggregates.iter().map(|a| of_aggregate(plan, a)).collect()
}

/// Whether nothing is asked but how many rows a full-text search finds.
fn counts_found(plan: &BlockPlan, g: &GroupPlan) -> bool {
    let [step] = &plan.steps[..] else { return false };
    let Access::FullText(search) = &step.access else { return false };
    // nothing but the score's being above 0
    let bare = step.filter.as_ref().is_some_and(|f| f.as_column().is_some_and(|c| c.column == SCORE));
    let counts = |a: &AggregateCall| a.function == AggregateFunction::Count && a.args.is_empty();
    bare && step.on.is_none()
        && plan.constant.is_none()
        && plan.impossible.is_none()
        && plan.limit.examined.is_none()
        && g.keys.is_empty()
        && g.items.is_empty()
        && !g.aggregates.is_empty()
        && g.aggregates.iter().all(counts)
        && !search.call.args.iter().any(has_subquery)
        && plan.output.iter().chain(&plan.having).all(only_aggregates)
}

/// Whether an expression reads no column of a row.
pub(super) fn only_aggregates(e: &Expr) -> bool {
    let mut only = true;
    e.walk(&mut |e| {
        only &=
            !matches!(&e.node, Node::Column(c) if c.table != u32::MAX) && !matches!(e.node, Node::Subquery(_))
    });
    only
}

fn of_aggregate(plan: &BlockPlan, a: &AggregateCall) -> Option<Shortcut> {
    if a.function == AggregateFunction::Count && a.args.is_empty() {
        return Some(Shortcut::Rows);
    }
    let [arg] = &a.args[..] else { return None };
    let Some(column) = arg.as_column() else { return of_end(plan, a) };
    let open = match &plan.tables.get(column.table as usize)?.relation {
        Relation::Base(open) => open,
        Relation::Virtual(v) if v.primary() == Some(column.column as usize) && plan.count_tables() == 1 => {
            return match a.function {
                AggregateFunction::Count if !a.distinct => Some(Shortcut::Rows),
                AggregateFunction::Min => Some(Shortcut::Least),
                AggregateFunction::Max => Some(Shortcut::Greatest),
                _ => None,
            };
        }
        _ => return None,
    };
    let def = open.def().columns.get(column.column as usize)?;
    if a.function == AggregateFunction::Count && !a.distinct && !def.nullable {
        return Some(Shortcut::Rows);
    }
    of_end(plan, a)
}

/// MIN and MAX of the only table.
fn of_end(plan: &BlockPlan, a: &AggregateCall) -> Option<Shortcut> {
    if !matches!(a.function, AggregateFunction::Min | AggregateFunction::Max) || plan.count_tables() > 1 {
        return None;
    }
    key_end::unbounded(plan, a, &plan.steps.first()?.usable)
}

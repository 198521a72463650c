//! One SELECT: joined rows or groups, the select list, DISTINCT, ORDER BY, LIMIT.
//!
//! | asked for | operators, the last one first |
//! |---|---|
//! | nothing more | list, LIMIT, rows |
//! | DISTINCT | LIMIT, DISTINCT, list, rows |
//! | ORDER BY | LIMIT, sort, [DISTINCT,] list, rows |
//! | ORDER BY, the list computed late | list, LIMIT, sort, keys of the sort, rows |

use super::join::first_rows;
use super::operator::{Nothing, Operator};
use super::project::{Beside, Project};
use super::quick;
use super::result::{Distinct, Limit, Sort};
use super::sort::Sorter;
use super::sortkey::KeySpec;
use super::subquery::Runner;
use super::ties::Ties;
use super::top_rows::TopRows;
use super::{Exec, Limiter, aggregate, distinct_rows, places, threads};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Node, SubqueryKind};
use crate::plan::access::{has_subquery, is_true};
use crate::plan::{BlockPlan, PlanTable, QueryPlan, Relation, workings};
use crate::types::{Batch, FieldType, Kind};
use std::rc::Rc;

/// The operator of a block; it gives the block's visible columns.
///
/// # Errors
/// Those of LIMIT and of conditions without columns.
pub fn operator<'p>(
    exec: &'p Exec<'_>,
    plan: &'p QueryPlan,
    b: &'p BlockPlan,
    ctx: &mut EvalContext,
) -> SqlResult<Box<dyn Operator + 'p>> {
    let unread = exec.unread.take();
    let strict = exec.strict.take();
    let mut limiter = Limiter::new(&b.limit, ctx)?;
    if b.limit.with_ties && b.order.is_empty() {
        // ORDER BY of nothing but constants: all rows are alike
        limiter.take_ties();
    }
    let count_all = plan.calc_found_rows;
    if limiter.full() && !count_all {
        // LIMIT 0: nothing is read or computed, not even groups; conditions without columns are known before
        if b.impossible.is_none() && !plan.subqueries.is_empty() {
            ask_constants(exec, plan, b, ctx)?;
        }
        return Ok(Box::new(Nothing));
    }
    let ties = b.limit.with_ties && !b.order.is_empty();
    let sorted = !b.order.is_empty() && (!b.ordered_by_access || ties);
    let wanted = if count_all || ties || b.windows.is_some() { usize::MAX } else { limiter.needed() };
    // the list is computed for the rows that LIMIT leaves, behind the sort: its warnings and errors show it
    let late = !b.by_place.is_empty()
        || sorted && !b.distinct && computes(b) && !(ctx.statement.by_row && before_sort(b));
    let empty = b.impossible.is_some() || !constant_holds(exec, plan, b, ctx)?;
    let visible = &b.output[..b.visible];

    let mut top: Box<dyn Operator + 'p> = match &b.group {
        Some(g) => aggregate::operator(exec, plan, b, g, empty),
        None if empty => Box::new(Nothing),
        None => first_rows(exec, plan, b, if sorted || b.distinct { usize::MAX } else { wanted }),
    };
    if let Some(windows) = &b.windows {
        top = super::window::operator((exec, plan), b, windows, top, ctx);
    }
    if sorted || b.distinct {
        top = Box::new(listed((exec, plan), b, late, top));
    }
    if b.distinct {
        let specs = visible.iter().enumerate().map(|(i, e)| KeySpec::new(i, &e.ty, false)).collect();
        // whoever wants but a few rows does not wait for all
        let all = !empty && !b.only_existence && (sorted || wanted == usize::MAX);
        let shared = if all { distinct_rows::Rows::of_block(plan, b, ctx) } else { None };
        let kept = workings::of(b).distinct;
        let seen = !unread || sorted;
        top = Box::new(Distinct::new(exec, top, specs, &ctx.budget).counted(kept).on_threads(shared, seen));
    }
    let count = sorted.then(Rc::default);
    if let Some(count) = &count {
        let most = if b.distinct { usize::MAX } else { wanted };
        let mut sorter = Sorter::new(sort_keys(b, late), most, &ctx.budget);
        let mut few = false;
        if let [only] = &b.steps[..]
            && (b.group.is_none() && !b.distinct && b.windows.is_none())
            && !reads_blobs(b)
            && let Some(records) = few_records(exec, &b.tables[only.table])?
        {
            // of more rows, which threads may sort, those that are equal come as they are found
            few = true;
            sorter = sorter.with_order_of_equals(records);
        }
        // one table's rows are sorted as they are found: an error stops the sort
        let filesort = !b.distinct && b.group.is_none() && b.windows.is_none() && b.steps.len() == 1;
        let counted = (b, workings::of(b), if wanted == usize::MAX { u64::MAX } else { wanted as u64 });
        let shared = if empty || few { None } else { TopRows::new((plan, b), late, most, ctx) };
        top = Box::new(Sort::new(exec, top, sorter, filesort, counted, Rc::clone(count)).on_threads(shared));
    }
    let ties = ties.then(|| Ties::new(sort_keys(b, late)));
    let listed = !late && (sorted || b.distinct);
    let columns = if listed { b.visible } else { usize::MAX };
    top = Box::new(Limit::new((exec, b), top, limiter, ties, count, count_all, columns));
    top = places::operator(exec, b, top);
    // what a table of groups, of windows or of joined rows that are sorted has is no longer computed here
    let grouped = b.group.as_ref().is_some_and(|g| !g.keys.is_empty());
    let in_table = grouped || b.windows.is_some() || sorted && before_sort(b);
    let strict = if in_table { Vec::new() } else { strict };
    if late {
        let skipped = b.order.len();
        let list = Project::new((exec, plan), top, visible.iter()).with(skipped, Beside::Nothing);
        top = Box::new(list.with_strict(strict));
    } else if !listed {
        top = Box::new(Project::new((exec, plan), top, visible.iter()).with_strict(strict));
    }
    Ok(top)
}

/// The rows of a table, where there are few: when it was planned, and as the statement sees it.
///
/// # Errors
/// Those of the snapshot.
fn few_records(exec: &Exec<'_>, t: &PlanTable) -> SqlResult<Option<usize>> {
    let few = |n: &u64| *n < quick::MANY as u64;
    let Some(planned) = t.records.filter(few) else { return Ok(None) };
    let now = match &t.relation {
        Relation::Base(open) if open.children().is_none() => threads::records(exec, open)?,
        _ => planned,
    };
    Ok(Some(now).filter(few).map(|n| n as usize))
}

/// Whether a BLOB, TEXT or geometry is read: the reference server sorts the places of such rows, which are all different.
fn reads_blobs(b: &BlockPlan) -> bool {
    let long = |ty: &FieldType| ty.is_blob() || ty.kind == Kind::Geometry;
    b.by_place.iter().any(|(_, _, ty)| long(ty))
        || b.tables.iter().any(|t| match &t.relation {
            Relation::Derived(p) => p.types.iter().any(long),
            _ => t.columns.iter().any(|(_, _, ty)| long(ty)),
        })
}

/// What is computed of the rows before they are sorted or made distinct: the list; or the keys of the sort, when the list comes late.
pub(super) fn listed<'p, 'e>(
    from: (&'p Exec<'e>, &'p QueryPlan),
    b: &'p BlockPlan,
    late: bool,
    input: Box<dyn Operator + 'p>,
) -> Project<'p, 'e> {
    if late {
        let keys = b.order.iter().map(|(at, _)| &b.output[*at]);
        let place = b.tables.first().and_then(|t| t.position).filter(|_| !b.by_place.is_empty());
        return Project::new(from, input, keys).with(0, place.map_or(Beside::Slots, Beside::Place));
    }
    Project::new(from, input, b.output.iter())
}

/// The keys of the sort: columns of the output, or computed before it.
pub(super) fn sort_keys(b: &BlockPlan, late: bool) -> Vec<KeySpec> {
    let keys = b.order.iter().enumerate();
    keys.map(|(i, (at, desc))| {
        let (slot, e) = (if late { i } else { *at }, &b.output[*at]);
        let computed = match e.as_column() {
            None => true,
            Some(c) => c.table == u32::MAX && c.column >= crate::plan::window::WINDOW_COLUMN,
        };
        if computed { KeySpec::computed(slot, e, *desc) } else { KeySpec::ordering(slot, e, *desc) }
    })
    .collect()
}

/// Whether the list is computed before the rows are sorted: they are groups, or sorted by more than the first table.
/// It is told by what assignments in the list see.
fn before_sort(b: &BlockPlan) -> bool {
    let first = b.steps.iter().find(|s| s.rows > 1.0).map_or(0, |s| 1u64 << s.table);
    b.group.is_some()
        || b.windows.is_some()
        || b.order.iter().any(|(at, _)| b.output[*at].tables() & !first != 0)
}

/// Asks subqueries of conditions that have one answer, whatever the row is: what is wrong with them is told even where no row is wanted.
fn ask_constants(exec: &Exec<'_>, plan: &QueryPlan, b: &BlockPlan, ctx: &mut EvalContext) -> SqlResult<()> {
    let runner = Runner::new(exec, plan);
    let one = Batch::one_row();
    let conditions =
        b.constant.iter().chain(b.steps.iter().filter_map(|s| s.filter.as_ref())).chain(&b.having);
    for condition in conditions {
        let all = match &condition.node {
            Node::And(list) => &list[..],
            _ => std::slice::from_ref(condition),
        };
        for e in all.iter().filter(|e| has_subquery(e) && has_one_answer(e)) {
            e.value_in(Frame { batch: &one, subqueries: Some(&runner) }, ctx)?;
        }
    }
    Ok(())
}

/// Whether an expression needs no row.
fn has_one_answer(e: &Expr) -> bool {
    let mut one = true;
    e.walk(&mut |e| {
        one &= match &e.node {
            Node::Column(_) | Node::Aggregate(_) | Node::Outer(_) | Node::Window(_) => false,
            Node::UserVariable(_) | Node::Assign(..) => false,
            Node::Subquery(s) => s.constant && matches!(s.kind, SubqueryKind::Scalar | SubqueryKind::Exists),
            Node::Call(f, _) => f.is_pure(),
            _ => true,
        };
    });
    one
}

fn constant_holds(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    b: &BlockPlan,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    // in a strict statement it is the first row that fails
    if !ctx.warnings.escalate {
        for text in &b.dated {
            text.value(ctx)?;
        }
    }
    let Some(c) = &b.constant else { return Ok(true) };
    let one = Batch::one_row();
    let runner = Runner::new(exec, plan);
    // it is known before the statement becomes strict
    let strict = std::mem::replace(&mut ctx.warnings.escalate, false);
    let value = c.value_in(Frame { batch: &one, subqueries: Some(&runner) }, ctx);
    let holds = value.map(|v| is_true(&v, &c.ty, ctx));
    ctx.warnings.escalate = strict;
    holds
}

/// Whether the list has more in it than columns and constants. Expressions that are non-deterministic or expensive
/// count only when the sort does not need them.
fn computes(b: &BlockPlan) -> bool {
    b.output[..b.visible].iter().enumerate().any(|(i, e)| {
        let plain = matches!(e.node, Node::Column(_) | Node::Literal(_) | Node::Param(_));
        let again = e.is_repeatable() && !has_subquery(e);
        !plain && (again || !b.order.iter().any(|(at, _)| *at == i))
    })
}

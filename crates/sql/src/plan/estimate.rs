//! How many rows a range of a key has: counted by looking at the key where its ends are known while planning, else guessed by its form.

use std::cell::RefCell;

use super::access::Candidate;
use super::sarg::{self, RangeCondition};
use super::scope::Names;
use super::{Relation, key_order};
use crate::error::SqlResult;
use crate::expr::function::Purity;
use crate::expr::{EvalContext, Expr, Node};
use crate::table::interval::Bound;

/// Of a candidate, a key and a condition; whether the condition says all that constants say of the key.
pub(super) type Estimate<'a> = &'a dyn Fn(&Candidate<'_>, usize, &RangeCondition, bool) -> Option<f64>;

/// Counts the rows of ranges by looking at keys, once each: the constants of a table are the same whichever tables are before it.
pub(super) fn estimator<'a, 'c: 'a>(
    names: &'a Names,
    reader: &'a pages::ReaderSlot,
    known: &'a RefCell<key_order::Known<'c>>,
) -> impl Fn(&Candidate<'_>, usize, &RangeCondition, bool) -> Option<f64> + 'a {
    move |c, key, condition, whole| {
        let Relation::Base(open) = &names.tables[c.number].relation else { return None };
        let (ctx, known) = &mut *known.borrow_mut();
        let at = (c.number, key, whole);
        if let Some((_, rows)) = known.iter().find(|(there, _)| *there == at) {
            return *rows;
        }
        let rows = rows_in_intervals((open, c.partitions.as_deref()), reader, key, condition, ctx);
        known.push((at, rows));
        rows
    }
}

/// Of a candidate, a key and a condition.
pub(super) type Dive<'a> = &'a dyn Fn(&Candidate<'_>, usize, &RangeCondition) -> Option<f64>;

/// As [`estimator`], looking each time: for conditions that are one of several.
pub(super) fn diver<'a, 'c: 'a>(
    names: &'a Names,
    reader: &'a pages::ReaderSlot,
    known: &'a RefCell<key_order::Known<'c>>,
) -> impl Fn(&Candidate<'_>, usize, &RangeCondition) -> Option<f64> + 'a {
    move |c, key, condition| {
        let Relation::Base(open) = &names.tables[c.number].relation else { return None };
        rows_in_intervals((open, c.partitions.as_deref()), reader, key, condition, known.borrow_mut().0)
    }
}

/// The rows of partitioned tables that are left when partitions are left out.
pub(super) fn count_in_partitions(
    plan: &mut super::BlockPlan,
    candidates: &mut [Candidate<'_>],
    ctx: &mut EvalContext,
) {
    for (table, candidate) in plan.tables.iter_mut().zip(candidates) {
        let Relation::Base(open) = &table.relation else { continue };
        if open.def().partition.is_none() {
            continue;
        }
        let Some(children) = open.children() else { continue };
        let params = ctx.statement.params.len();
        let known = |e: &Expr| {
            let mut known = e.is_constant();
            e.walk(&mut |e| known &= !matches!(&e.node, Node::Param(n) if *n as usize >= params));
            known
        };
        let tests: Vec<sarg::ColumnTest> =
            table.tests.iter().filter(|t| t.test.values().into_iter().all(known)).cloned().collect();
        let mark = ctx.mark();
        let mut value = |e: &Expr, ctx: &mut EvalContext| {
            if let Node::Once(_, inner) = &e.node { inner.value(ctx) } else { e.value(ctx) }
        };
        let all_known =
            |branch: &Vec<sarg::ColumnTest>| branch.iter().all(|t| t.test.values().into_iter().all(known));
        let choices: Vec<Vec<Vec<sarg::ColumnTest>>> =
            table.choices.iter().filter(|c| c.iter().all(all_known)).cloned().collect();
        let left = super::pruning::prune(open, (&tests, &choices), &mut value, ctx);
        ctx.rollback_to(&mark);
        if let Ok(Some(left)) = left {
            let read = left.iter().filter(|n| children.is_read(**n));
            let records =
                read.filter_map(|n| children.tables().get(*n)).map(|t| t.state_of(&t.state()).records());
            let records: u64 = records.sum();
            table.records = Some(records);
            table.pruned = true;
            candidate.partitions = Some(left);
            // ranges of keys are compared with the whole table
            let tested = |k: &usize| {
                let first = open.keys()[*k].segments.first().map(|s| s.column);
                table.tests.iter().any(|t| Some(t.column) == first)
            };
            if !candidate.allowed.iter().any(tested) {
                candidate.rows = records as f64;
            }
        }
    }
}

/// No more is read of a partitioned table than its partitions have that are left.
pub(super) fn rows_of_partitions(plan: &mut super::BlockPlan) {
    rows_of_steps(&mut plan.steps, &plan.tables);
}

fn rows_of_steps(steps: &mut [super::Step], tables: &[super::PlanTable]) {
    for step in steps {
        if let super::Access::Nest { steps } = &mut step.access {
            rows_of_steps(steps, tables);
        }
        let table = &tables[step.table];
        let read = matches!(
            step.access,
            super::Access::Scan | super::Access::KeyScan { .. } | super::Access::Range { .. }
        );
        if let (true, true, Some(records)) = (table.pruned, read, table.records) {
            step.rows = step.rows.min(records as f64);
        }
    }
}

/// The rows of a range whose ends are not known.
pub(super) fn range_rows(condition: &RangeCondition, rows: f64) -> f64 {
    let count = |s: &[sarg::Sarg]| s.iter().map(sarg::Sarg::count).min().unwrap_or(1);
    let points: usize = condition.parts.iter().map(|(_, s)| count(s)).product();
    let only_points = condition.parts.iter().all(|(_, s)| s.iter().any(sarg::Sarg::only_points));
    // all but a few
    if condition.parts.iter().all(|(_, s)| s.iter().all(sarg::Sarg::is_wide)) {
        return rows * 0.9;
    }
    if only_points {
        return (points as f64 * 2.0).min(rows);
    }
    // each part more leaves fewer
    let share = 10f64.powi(condition.parts.len() as i32);
    (rows / share * points as f64).min(rows / 10.0).max(1.0).min(rows)
}

/// Intervals looked at for an estimate; of more the rest is taken to be alike.
const LOOKED_AT: usize = 20;

/// The rows in the intervals of a condition, by looking at the key's pages.
fn rows_in_intervals(
    (open, partitions): (&crate::table::OpenTable, Option<&[usize]>),
    reader: &pages::ReaderSlot,
    key: usize,
    condition: &RangeCondition,
    ctx: &mut EvalContext,
) -> Option<f64> {
    let mut known = true;
    let mut value = |e: &Expr| -> SqlResult<crate::types::Value> {
        // not as a constant of the execution, which tells once what is wrong with it
        let e = if let Node::Once(_, inner) = &e.node { inner } else { e };
        if !is_known(e, ctx.statement.params.len()) {
            known = false;
            return Ok(crate::types::Value::Null);
        }
        let mark = ctx.mark();
        let value = e.value(ctx);
        ctx.rollback_to(&mark);
        value
    };
    let list = sarg::intervals(open.format(), key, condition, &mut value).ok()?;
    if !known {
        return None;
    }
    let snapshot = reader.begin(&open.all_pages().collect::<Vec<_>>()).ok()?;
    let pin = snapshot.pin();
    let mut rows = 0u64;
    for i in list.iter().take(LOOKED_AT) {
        let [min, max] = [&i.low, &i.high].map(|end| end.as_ref().map(Bound::as_end));
        let before = rows;
        // a partition with rows is taken to have one
        let parted = open.def().partition.is_some();
        let mut count = |t: &crate::table::OpenTable| {
            let view = pin.table(t.pages()).ok()?;
            let found = t.format().records_in_range(&view, key, min, max).ok()?;
            let filled = parted && t.state_in(&view).records() != 0;
            rows += found.max(u64::from(filled));
            Some(())
        };
        match open.children() {
            Some(children) => {
                let left = |n: usize| partitions.is_none_or(|list| list.contains(&n));
                children.read().filter(|(n, _)| left(*n)).try_for_each(|(_, t)| count(t))?;
            }
            None => count(open)?,
        }
        // nothing is certain to be empty
        rows = rows.max(before + 1);
    }
    let scale = list.len() as f64 / list.len().clamp(1, LOOKED_AT) as f64;
    Some(rows as f64 * scale)
}

/// Whether the value of a constant is known while the statement is planned, with so many parameters. What is the same within the statement only, as
/// the time of now, is good enough to count rows with.
pub(super) fn is_known(e: &Expr, params: usize) -> bool {
    let mut known = true;
    e.walk(&mut |e| {
        known &= match &e.node {
            Node::Param(n) => (*n as usize) < params,
            Node::Call(f, _) => f.def.purity != Purity::Volatile,
            Node::Literal(_)
            | Node::Convert(_)
            | Node::Negate(..)
            | Node::BitNot(_)
            | Node::Arith(..)
            | Node::If(_)
            | Node::Coalesce(_)
            | Node::UserVariable(_) => true,
            _ => false,
        }
    });
    known
}

//! ORDER BY from a key: rows that come in its order are not sorted, and LIMIT leaves the others unread.

use std::cell::RefCell;

use super::access::{Candidate, Chooser, has_subquery};
use super::from::equality;
use super::order::Unit;
use super::{Access, BlockPlan, sarg};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr};
use crate::table::OpenTable;
use crate::table::engine::KeyOrder;
use crate::types::Value;

impl Chooser<'_> {
    /// Chooses keys that give the order of the few rows that LIMIT leaves; others may stay unread where it `may_stop`. False when it is for
    /// the present values of parameters only.
    ///
    /// # Errors
    /// Those of evaluating LIMIT.
    pub(super) fn choose_by_order(
        &mut self,
        plan: &BlockPlan,
        units: &[Unit],
        known: &RefCell<Known<'_>>,
        may_stop: bool,
    ) -> SqlResult<bool> {
        let lasting = self.choose_leader(plan, units, known)?;
        Ok(lasting & (!may_stop || self.choose_order(plan, units, known)?))
    }

    /// Chooses the table whose key gives the order of the few rows that LIMIT leaves of a join, if that is best. False when it is for the
    /// present values of parameters only.
    ///
    /// # Errors
    /// Those of evaluating LIMIT.
    fn choose_leader(
        &mut self,
        plan: &BlockPlan,
        units: &[Unit],
        known: &RefCell<Known<'_>>,
    ) -> SqlResult<bool> {
        let Some(leader) = leading(plan, self.candidates).filter(|t| self.leads(*t, units)) else {
            return Ok(true);
        };
        let (few, always) = is_short(plan, self.candidates[leader].rows, known)?;
        self.leader = few.then_some(leader);
        Ok(always)
    }

    /// Whether it is best to read table `t` in the order of a key and to look all others up: no other way into it is better, and no
    /// condition leaves rows out that only another table tells of.
    fn leads(&mut self, t: usize, units: &[Unit]) -> bool {
        let own = 1u64 << t;
        let filters = |c: &Expr| c.tables() & !own != 0 && equality(c).is_none() || has_subquery(c);
        let constant = |c: &Expr| c.tables().count_ones() == 1 && c.tables() != own;
        if self.straight || !self.finders.is_empty() || self.done != 0 {
            return false;
        }
        if self.pool.iter().flatten().any(|c| filters(c) || constant(c)) {
            return false;
        }
        let Some(first) = units.iter().find(|u| u.table() == Some(t)) else { return false };
        if !self.may_come(first, 0) || !matches!(self.path(t, &self.pool).access, Access::Scan) {
            return false;
        }
        self.done = own;
        let mut left: Vec<&Unit> = units.iter().filter(|u| u.table() != Some(t)).collect();
        while let Some(at) = left.iter().position(|u| self.may_come(u, self.done) && self.is_looked_up(u)) {
            self.done |= left.remove(at).mask();
        }
        self.done = 0;
        left.is_empty()
    }

    /// Chooses to read one table in the order of a key until LIMIT has its rows, where the many that another key finds would have to be
    /// sorted. False when that is good for the present values of parameters only.
    ///
    /// # Errors
    /// Those of evaluating LIMIT.
    fn choose_order(
        &mut self,
        plan: &BlockPlan,
        units: &[Unit],
        known: &RefCell<Known<'_>>,
    ) -> SqlResult<bool> {
        let ([Unit::Table(t)], [c]) = (units, self.candidates) else { return Ok(true) };
        let grouped = plan.group.is_some() || plan.windows.is_some() || plan.distinct;
        let limited = plan.limit.count.is_some() && !plan.limit.with_ties;
        if grouped || !limited || plan.order.is_empty() || c.hints.rows.force || !self.finders.is_empty() {
            return Ok(true);
        }
        let Some((open, columns)) = ordered_columns(plan, c) else { return Ok(true) };
        if !c.ordering.iter().any(|k| delivers(open, &columns, *k, 0).is_some()) {
            return Ok(true);
        }
        let path = self.path(*t, &self.pool);
        // how many of its rows other conditions leave nobody knows
        let (key, fixed, tested) = match &path.access {
            Access::Lookup { key, parts, unique: false, .. } if parts.iter().all(|p| !p.or_null) => {
                (*key, parts.len(), parts.len())
            }
            Access::Range { key, condition, .. } => (*key, fixed_parts(condition), condition.parts.len()),
            _ => return Ok(true),
        };
        if tested != self.pool.iter().flatten().count() || delivers(open, &columns, key, fixed).is_some() {
            return Ok(true);
        }
        let (wanted, always) = wanted(plan, known)?;
        let looked_at = wanted * c.rows / path.rows.max(1.0);
        self.in_order = (looked_at * WALK < path.rows).then_some(looked_at);
        Ok(always)
    }

    /// Whether a unit is found by a key behind the tables that are done.
    fn is_looked_up(&self, unit: &Unit) -> bool {
        let path = match unit {
            Unit::Table(t) => self.path(*t, &self.pool),
            Unit::Left { inner, on, inner_conditions, .. } => match inner.as_slice() {
                [Unit::Table(t)] => {
                    let all = on.iter().chain(inner_conditions).cloned().map(Some);
                    self.path(*t, &all.collect::<Vec<_>>())
                }
                _ => return false,
            },
        };
        matches!(path.access, Access::Lookup { .. })
    }
}

/// The columns of ORDER BY and whether each descends, when all are of this table.
fn ordered_columns<'c>(plan: &BlockPlan, c: &Candidate<'c>) -> Option<(&'c OpenTable, Vec<(usize, bool)>)> {
    let column = |(at, desc): &(usize, bool)| {
        let col = plan.output[*at].as_column().filter(|col| col.table as usize == c.number)?;
        Some((col.column as usize, *desc))
    };
    Some((c.open?, plan.order.iter().map(column).collect::<Option<_>>()?))
}

/// Whether a key gives the order of these columns, its first `fixed` parts being equal in all rows; read backwards?
pub(super) fn delivers(open: &OpenTable, columns: &[(usize, bool)], k: usize, fixed: usize) -> Option<bool> {
    if open.key_order(k) == KeyOrder::Hashed {
        return None;
    }
    let mut backwards = None;
    let mut at = 0;
    for (i, seg) in open.keys()[k].segments.iter().enumerate() {
        let Some((column, desc)) = columns.get(at) else { break };
        let turned = *desc != seg.descending;
        if seg.column == *column && seg.covers() && (i < fixed || *backwards.get_or_insert(turned) == turned)
        {
            at += 1;
        } else if i >= fixed {
            return None;
        }
    }
    (at == columns.len()).then_some(backwards.unwrap_or(columns[0].1))
}

/// Of a join with LIMIT, the table a key of which gives the order.
fn leading(plan: &BlockPlan, candidates: &[Candidate<'_>]) -> Option<usize> {
    let grouped = plan.group.is_some() || plan.windows.is_some() || plan.distinct;
    if grouped || candidates.len() < 2 || plan.limit.count.is_none() || plan.limit.with_ties {
        return None;
    }
    let (first, _) = plan.order.first()?;
    let c = candidates.get(plan.output[*first].as_column()?.table as usize)?;
    let (open, columns) = ordered_columns(plan, c)?;
    c.ordering.iter().any(|k| delivers(open, &columns, *k, 0).is_some()).then_some(c.number)
}

/// Rows of a table to each that LIMIT leaves, from which on it is few.
const FEW: f64 = 20.0;

/// Rows that are found by one key and sorted, for each that is looked at in the order of another: those that are wanted may lie at its
/// end.
const WALK: f64 = 8.0;

/// Whether LIMIT leaves few rows of so many, and whether that is so for all values of parameters.
pub(super) fn is_short(plan: &BlockPlan, rows: f64, ctx: &RefCell<Known<'_>>) -> SqlResult<(bool, bool)> {
    let (wanted, always) = wanted(plan, ctx)?;
    Ok((wanted * FEW <= rows, always))
}

/// How many rows LIMIT asks for with those that it skips, and whether it does for all values of parameters.
fn wanted(plan: &BlockPlan, ctx: &RefCell<Known<'_>>) -> SqlResult<(f64, bool)> {
    let (ctx, _) = &mut *ctx.borrow_mut();
    let (mut wanted, mut always) = (0.0, true);
    for e in plan.limit.count.iter().chain(&plan.limit.offset) {
        always &= e.is_foldable();
        wanted += match e.value(ctx)? {
            Value::Int(n) => n as f64,
            Value::UInt(n) => n as f64,
            _ => f64::INFINITY,
        };
    }
    Ok((wanted, always))
}

/// The context of planning, and the rows of ranges that were counted.
pub(super) type Known<'c> = (&'c mut EvalContext, Vec<((usize, usize, bool), Option<f64>)>);

/// Lets a key deliver ORDER BY when it can.
pub(super) fn use_order(plan: &mut BlockPlan, candidates: &[Candidate<'_>], leader: Option<usize>) {
    if plan.order.is_empty()
        || plan.group.is_some()
        || plan.windows.is_some()
        || plan.distinct
        || plan.steps.is_empty()
    {
        return;
    }
    let table = plan.steps[0].table;
    let c = &candidates[table];
    let Some((open, columns)) = ordered_columns(plan, c) else { return };
    let delivers = |k: usize, fixed: usize| delivers(open, &columns, k, fixed);
    let single = plan.steps.len() == 1;
    let wanted = plan.limit.count.is_some() || c.hints.order.force || c.hints.rows.force;
    let step = &mut plan.steps[0];
    if let Access::Lookup { key, parts, .. } = &step.access
        && parts.iter().any(|p| p.or_null)
    {
        // NULLs come last: what is wanted in order is sorted, unless the intervals give it and little of it is wanted
        let condition = super::access::or_null::as_range(parts);
        if !wanted
            || open.key_order(*key) == KeyOrder::Hashed
            || delivers(*key, fixed_parts(&condition)).is_none()
        {
            return;
        }
        step.access = Access::Range { key: *key, condition, descending: false };
    }
    match &mut step.access {
        Access::Lookup { key, parts, unique, descending } => {
            if let Some(backwards) = delivers(*key, parts.len()).or(unique.then_some(false)) {
                *descending = backwards;
                plan.ordered_by_access = true;
            }
        }
        Access::Range { key, condition, descending } => {
            if let Some(backwards) = delivers(*key, fixed_parts(condition)) {
                *descending = backwards;
                plan.ordered_by_access = true;
            }
        }
        Access::Scan => {
            step.orders = c.ordering.iter().filter_map(|k| Some((*k, delivers(*k, 0)?))).collect();
            if let Some((key, descending)) = step.orders.first().copied()
                && wanted
                && (single || leader == Some(table))
            {
                step.access = Access::KeyScan { key, descending };
                plan.ordered_by_access = true;
            }
        }
        _ => {}
    }
}

/// How many leading parts of a range are one value.
fn fixed_parts(condition: &sarg::RangeCondition) -> usize {
    let one = |s: &sarg::Sarg| matches!(s, sarg::Sarg::Compare(crate::expr::CompareOp::Eq, _));
    condition.parts.iter().take_while(|(_, s)| s.iter().any(one)).count()
}

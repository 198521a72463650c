//! UNION, EXCEPT, INTERSECT. Rows keep the order of their terms; what is past the memory is on disk.

use std::ops::ControlFlow;

use super::kept::{Keeper, KeptRows};
use super::matching::Matching;
use super::sort::Sorter;
use super::sortkey::{self, KeySpec};
use super::subquery::Runner;
use super::unique::Unique;
use super::{Emit, Exec, Limiter, block};
use crate::ast::SetOpKind;
use crate::error::SqlResult;
use crate::expr::{EvalContext, Frame};
use crate::memory::BATCH_ROWS;
use crate::memory::Budget;
use crate::plan::{QueryPlan, SetPlan};
use crate::types::{Batch, Class, FieldType, Kind, Vector};
use crate::variables::SqlMode;

/// Runs a set operation.
///
/// # Errors
/// Those of its terms.
pub fn run(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    set: &SetPlan,
    ctx: &mut EvalContext,
    emit: Emit<'_>,
) -> SqlResult<()> {
    let mut limiter = Limiter::new(&set.limit, ctx)?;
    if set.streams() {
        return stream(exec, plan, set, &mut limiter, ctx, emit);
    }
    let specs: Vec<KeySpec> = plan.types.iter().enumerate().map(|(i, t)| KeySpec::new(i, t, false)).collect();
    let result = combined(exec, plan, set, &specs, ctx)?;
    let found = result.len();
    let mut deliver = |batch: &Batch, ctx: &mut EvalContext| -> SqlResult<ControlFlow<()>> {
        if limiter.full() {
            return Ok(ControlFlow::Break(()));
        }
        limiter.cut(batch, &mut |part| emit(part, ctx))
    };
    if set.order.is_empty() {
        result.each(&mut |b| deliver(b, ctx))?;
        exec.memory.borrow_mut().found_rows = Some(found);
        return Ok(());
    }
    let width = plan.types.len();
    let order =
        set.order.iter().enumerate().map(|(i, (e, desc))| KeySpec::new(width + i, &e.ty, *desc)).collect();
    let mut sorter = Sorter::new(order, usize::MAX, &ctx.budget);
    let runner = Runner { exec, plan };
    let exprs: Vec<_> = set.order.iter().map(|(e, _)| e.clone()).collect();
    result.each(&mut |b| {
        let mut b = b.clone();
        let keys = block::output(&exprs, Frame { batch: &b, subqueries: Some(&runner) }, b.len, ctx)?;
        b.columns.extend(keys.columns);
        sorter.push(&b)?;
        Ok(ControlFlow::Continue(()))
    })?;
    sorter.finish()?;
    let mut out = Batch::default();
    while sorter.next(&mut out)? {
        out.columns.truncate(width);
        if deliver(&out, ctx)?.is_break() {
            break;
        }
    }
    exec.memory.borrow_mut().found_rows = Some(found);
    Ok(())
}

/// UNION ALL: rows are sent as the terms give them. FOUND_ROWS is all that they give ([`QueryPlan::count_arms`]), or
/// what was sent when the last one reads no table.
fn stream(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    set: &SetPlan,
    limiter: &mut Limiter,
    ctx: &mut EvalContext,
    emit: Emit<'_>,
) -> SqlResult<()> {
    if let ([(_, only)], true) = (&set.terms[..], limiter.needed() == usize::MAX) {
        // brackets alone: as the query in them
        return exec.run(only, ctx, &mut |batch, ctx| emit(batch, ctx));
    }
    let (mut found, mut last, mut enough) = (0, None, limiter.full());
    for (_, term) in &set.terms {
        if enough && !set.counts {
            break;
        }
        // rows that nobody wants are counted; those of a term with a LIMIT of its own are few
        let all = set.counts && !term.calc_found_rows;
        let mut given = 0;
        exec.run(term, ctx, &mut |batch, ctx| {
            given += batch.len as u64;
            if !enough {
                let batch = converted(batch, term, plan, ctx)?;
                enough = limiter.cut(&batch, &mut |part| emit(part, ctx))?.is_break();
            }
            Ok(if enough && !all { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        last = exec.memory.borrow().found_rows;
        found += if all { given } else { last.unwrap_or(given) };
    }
    if !set.counts {
        last = Some(limiter.seen);
        found = limiter.seen;
    }
    exec.memory.borrow_mut().found_rows = last.map(|_| found);
    Ok(())
}

/// The rows of all terms, put together from left to right.
fn combined(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    set: &SetPlan,
    specs: &[KeySpec],
    ctx: &mut EvalContext,
) -> SqlResult<KeptRows> {
    // the last DISTINCT of a row of unions makes the ones before it needless
    let union = |at: usize| set.terms[at].0.is_some_and(|o| o.kind == SetOpKind::Union);
    let distinct = |at: usize| set.terms[at].0.is_some_and(|o| !o.all);
    let mut left: Option<KeptRows> = None;
    let mut at = 0;
    while at < set.terms.len() {
        let mut out = Keeper::new(&ctx.budget);
        if let (Some(l), Some(op)) = (&left, set.terms[at].0.filter(|o| o.kind != SetOpKind::Union)) {
            let keep_found = op.kind == SetOpKind::Intersect;
            let mut right = Matching::new(keep_found, op.all, &ctx.budget);
            let (mut key, mut scratch) = (Vec::new(), Vec::new());
            term(exec, plan, &set.terms[at].1, ctx, &mut |batch| {
                for row in 0..batch.len {
                    key.clear();
                    sortkey::encode(&batch.columns, specs, row, &mut key, &mut scratch);
                    right.add(&key)?;
                }
                Ok(())
            })?;
            let mut seen = (!op.all).then(|| Seen::new(specs, ctx));
            let mut take = |batch: &Batch, row: usize| match &mut seen {
                Some(seen) => seen.push(batch, row, &mut out),
                None => out.push(&batch.columns, row),
            };
            l.each(&mut |batch| {
                for row in 0..batch.len {
                    key.clear();
                    sortkey::encode(&batch.columns, specs, row, &mut key, &mut scratch);
                    if right.passes(&key, &batch.columns, row)? {
                        take(batch, row)?;
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
            if let Some(mut rest) = right.rest()? {
                let mut batch = Batch::default();
                while rest.batch(&mut batch, BATCH_ROWS)? {
                    (0..batch.len).try_for_each(|row| take(&batch, row))?;
                }
            }
            if let Some(seen) = seen {
                seen.finish(&mut out)?;
            }
            at += 1;
        } else {
            // a row of unions, with what came before
            let mut end = at + 1;
            while end < set.terms.len() && union(end) {
                end += 1;
            }
            let last = (at..end).rev().find(|i| distinct(*i));
            let mut seen = last.is_some().then(|| Seen::new(specs, ctx));
            if let Some(l) = &left {
                l.each(&mut |batch| {
                    match &mut seen {
                        Some(seen) => (0..batch.len).try_for_each(|row| seen.push(batch, row, &mut out))?,
                        None => out.push_batch(batch)?,
                    }
                    Ok(ControlFlow::Continue(()))
                })?;
            }
            for i in at..end {
                term(exec, plan, &set.terms[i].1, ctx, &mut |batch| match &mut seen {
                    Some(seen) => (0..batch.len).try_for_each(|row| seen.push(batch, row, &mut out)),
                    None => out.push_batch(batch),
                })?;
                if last == Some(i)
                    && let Some(seen) = seen.take()
                {
                    seen.finish(&mut out)?;
                }
            }
            at = end;
        }
        left = Some(out.finish()?);
    }
    left.map_or_else(|| Keeper::new(&ctx.budget).finish(), Ok)
}

/// The rows of a result that were not there before.
struct Seen<'s> {
    specs: &'s [KeySpec],
    unique: Unique,
    budget: Budget,
    key: Vec<u8>,
    scratch: Vec<u8>,
}

impl<'s> Seen<'s> {
    fn new(specs: &'s [KeySpec], ctx: &EvalContext) -> Seen<'s> {
        let budget = ctx.budget.clone();
        Seen { specs, unique: Unique::default(), budget, key: Vec::new(), scratch: Vec::new() }
    }

    fn push(&mut self, batch: &Batch, row: usize, out: &mut Keeper) -> SqlResult<()> {
        self.key.clear();
        sortkey::encode(&batch.columns, self.specs, row, &mut self.key, &mut self.scratch);
        if self.unique.see(&self.budget, &self.key, &batch.columns, row)? {
            out.push(&batch.columns, row)?;
        }
        Ok(())
    }

    fn finish(mut self, out: &mut Keeper) -> SqlResult<()> {
        if let Some(mut rest) = self.unique.rest(&self.budget)? {
            let mut batch = Batch::default();
            while rest.batch(&mut batch, BATCH_ROWS)? {
                out.push_batch(&batch)?;
            }
        }
        Ok(())
    }
}

/// Runs a term; its rows come in the types of the whole.
fn term(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    term: &QueryPlan,
    ctx: &mut EvalContext,
    take: &mut dyn FnMut(&Batch) -> SqlResult<()>,
) -> SqlResult<()> {
    exec.run(term, ctx, &mut |batch, ctx| {
        take(&converted(batch, term, plan, ctx)?)?;
        Ok(ControlFlow::Continue(()))
    })
}

/// Doubles in a column of texts: as they are stored in one, whatever digits their own column shows.
fn texts_of_doubles(v: &Vector, to: &FieldType) -> Vector {
    let mut out = Vector::new(Class::Bytes);
    for i in 0..v.len() {
        if v.is_null(i) {
            out.push_null();
            continue;
        }
        let mut text = Vec::new();
        let made = crate::types::narrow::narrow(v.f64(i), to.char_length() as usize);
        crate::types::convert::ascii_to(&made.text, to, &mut text);
        text.truncate(to.length as usize);
        out.push_bytes(&text);
    }
    out.set_constant(v.is_constant());
    out
}

/// A term's rows in the types of the whole.
fn converted(batch: &Batch, term: &QueryPlan, plan: &QueryPlan, ctx: &mut EvalContext) -> SqlResult<Batch> {
    let mut out = Batch { columns: Vec::with_capacity(batch.columns.len()), len: batch.len };
    for (i, (v, (from, to))) in batch.columns.iter().zip(term.types.iter().zip(&plan.types)).enumerate() {
        let from = &crate::plan::union::as_term(from, to);
        let padded = to.kind == Kind::Char && to.collation.id == 63;
        let same = from.class() == to.class()
            && from.class() != Class::Decimal
            && (!to.is_address() || from.kind == to.kind)
            && !(padded && (from.kind != to.kind || from.length != to.length))
            && (!to.is_string() || from.collation.charset.name == to.collation.charset.name);
        if same && from.kind == Kind::Year && to.kind == Kind::Tiny {
            out.columns.push(clipped(v, batch.len, u8::MAX.into()));
            continue;
        }
        if same {
            out.columns.push(v.clone());
            continue;
        }
        if from.class() == Class::Double && to.is_string() && !to.is_blob() && !to.is_address() {
            let made = texts_of_doubles(v, to);
            out.columns.push(if padded { filled(&made, batch.len, to.length as usize) } else { made });
            continue;
        }
        let mut column = crate::expr::Expr::column(0, i as u32, from.clone());
        column.columns_mut(&mut |c| c.slot = i as u32);
        let e = if to.is_address() {
            crate::func::wrapped::to_address(&mut column, to, ctx)?;
            column
        } else {
            crate::expr::Expr::new(crate::expr::Node::Convert(Box::new(column)), to.clone())
        };
        let mark = ctx.warnings.mark();
        let mode = ctx.sql_mode;
        if from.is_temporal() && to.is_temporal() {
            // a date is one of the whole, whatever the mode thinks of it
            ctx.sql_mode = mode.without(SqlMode::NO_ZERO_DATE).without(SqlMode::NO_ZERO_IN_DATE);
        }
        let made = block::output(&[e], Frame::new(batch), batch.len, ctx);
        ctx.sql_mode = mode;
        let mut made = made?;
        if to.is_address() {
            // text that is no address becomes NULL without a word
            ctx.warnings.rollback_to(mark);
        }
        if padded {
            for v in &mut made.columns {
                *v = filled(v, batch.len, to.length as usize);
            }
        }
        out.columns.extend(made.columns);
    }
    Ok(out)
}

/// Years are too large for TINYINT, which YEAR and TINYINT have in common.
fn clipped(v: &Vector, rows: usize, most: i64) -> Vector {
    let mut out = Vector::new(v.class());
    for i in 0..rows {
        if v.is_null(i) {
            out.push_null();
        } else {
            out.push_i64(v.i64(i).min(most));
        }
    }
    out
}

/// Values of BINARY are filled up with zeros.
fn filled(v: &Vector, rows: usize, length: usize) -> Vector {
    let mut out = Vector::new(Class::Bytes);
    for i in 0..rows {
        if v.is_null(i) {
            out.push_null();
            continue;
        }
        let mut b = v.bytes(i).to_vec();
        b.resize(length.max(b.len()), 0);
        out.push_bytes(&b);
    }
    out
}

/// An empty vector list for a plan's columns.
#[must_use]
pub fn columns_of(plan: &QueryPlan) -> Vec<Vector> {
    plan.types.iter().map(|t| Vector::new(t.class())).collect()
}

//! One SELECT: joined rows, groups, the select list, DISTINCT, ORDER BY, LIMIT.

use std::ops::ControlFlow;

use super::groups::Groups;
use super::join::Joiner;
use super::sort::Sorter;
use super::sortkey::{self, KeySpec};
use super::subquery::Runner;
use super::{Emit, Exec, Limiter, aggregate};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Rows, VecRef};
use crate::plan::access::is_true;
use crate::plan::{BlockPlan, QueryPlan};
use crate::types::{Batch, Vector};

/// Runs a block; its visible columns go to `emit`.
///
/// # Errors
/// Those of reading and evaluating.
pub fn run(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    b: &BlockPlan,
    ctx: &mut EvalContext,
    emit: Emit<'_>,
) -> SqlResult<()> {
    let mut limiter = Limiter::new(&b.limit, ctx)?;
    let count_all = plan.calc_found_rows;
    let mut found = 0u64;
    let sorted = !b.order.is_empty() && !b.ordered_by_access;
    let wanted = if count_all { usize::MAX } else { limiter.needed() };
    let mut sorter = sorted.then(|| {
        let specs = b.order.iter().map(|(at, desc)| KeySpec::new(*at, &b.output[*at].ty, *desc)).collect();
        Sorter::new(specs, if b.distinct { usize::MAX } else { wanted })
    });
    let mut seen = b.distinct.then(Groups::default);
    let distinct_specs: Vec<KeySpec> =
        b.output[..b.visible].iter().enumerate().map(|(i, e)| KeySpec::new(i, &e.ty, false)).collect();
    let (mut key, mut scratch) = (Vec::new(), Vec::new());
    let runner = Runner { exec, plan };

    // what happens to rows once the select list can be computed
    let mut deliver = |rows: &Batch, ctx: &mut EvalContext| -> SqlResult<ControlFlow<()>> {
        let frame = Frame { batch: rows, subqueries: Some(&runner) };
        let mut out = output(&b.output, frame, rows.len, ctx)?;
        if let Some(groups) = &mut seen {
            let mut keep = Vec::new();
            for row in 0..out.len {
                key.clear();
                sortkey::encode(&out.columns, &distinct_specs, row, &mut key, &mut scratch);
                if groups.insert(&key).1 {
                    keep.push(row);
                }
            }
            if keep.len() < out.len {
                out = pick(&out, &keep);
            }
        }
        found += out.len as u64;
        match &mut sorter {
            Some(s) => {
                s.push(&out);
                recycle(out, ctx);
                Ok(ControlFlow::Continue(()))
            }
            None => {
                out.columns.truncate(b.visible);
                let flow = if limiter.full() {
                    ControlFlow::Break(())
                } else {
                    limiter.cut(&out, &mut |part| emit(part, ctx))?
                };
                recycle(out, ctx);
                Ok(if count_all { ControlFlow::Continue(()) } else { flow })
            }
        }
    };

    let empty =
        b.impossible.is_some() || wanted == 0 && b.group.is_none() || !constant_holds(exec, plan, b, ctx)?;
    match &b.group {
        Some(g) => aggregate::run(exec, plan, b, g, empty, ctx, &mut deliver)?,
        None if empty => {}
        None => Joiner::new(exec, plan, b).run(ctx, &mut deliver)?,
    }
    if let Some(mut s) = sorter {
        s.finish();
        let mut counters = exec.counters.borrow_mut();
        counters.sorts += 1;
        counters.sort_rows += found;
        drop(counters);
        let mut out = Batch::default();
        while s.next(&mut out) {
            out.columns.truncate(b.visible);
            if limiter.full() || limiter.cut(&out, &mut |part| emit(part, ctx))?.is_break() {
                break;
            }
        }
    }
    if count_all {
        ctx.connection.found_rows = found;
        exec.memory.borrow_mut().found_rows = Some(found);
    }
    Ok(())
}

fn constant_holds(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    b: &BlockPlan,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let Some(c) = &b.constant else { return Ok(true) };
    let one = Batch::one_row();
    let runner = Runner { exec, plan };
    Ok(is_true(&c.value_in(Frame { batch: &one, subqueries: Some(&runner) }, ctx)?))
}

/// The values of a list of expressions, as a batch of dense vectors.
///
/// # Errors
/// Those of the expressions.
pub fn output(list: &[Expr], frame: Frame<'_>, rows: usize, ctx: &mut EvalContext) -> SqlResult<Batch> {
    let mut out = Batch { columns: Vec::with_capacity(list.len()), len: rows };
    for e in list {
        let v = e.eval(frame, Rows::All(rows), ctx)?;
        let dense = match v {
            VecRef::Owned(v) if !v.is_constant() => v,
            v => {
                let mut dense = ctx.take(if v.class() == e.ty.class() { v.class() } else { e.ty.class() });
                for row in 0..rows {
                    dense.push_from(&v, row);
                }
                ctx.done(v);
                dense
            }
        };
        out.columns.push(dense);
    }
    Ok(out)
}

/// The rows of a batch with these numbers.
#[must_use]
pub fn pick(batch: &Batch, rows: &[usize]) -> Batch {
    let columns = batch
        .columns
        .iter()
        .map(|v| {
            let mut to = Vector::new(v.class());
            for r in rows {
                to.push_from(v, *r);
            }
            to
        })
        .collect();
    Batch { columns, len: rows.len() }
}

/// Gives the vectors of a batch back to the pool.
pub fn recycle(batch: Batch, ctx: &mut EvalContext) {
    for v in batch.columns {
        ctx.recycle(v);
    }
}

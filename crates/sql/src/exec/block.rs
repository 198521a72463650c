//! One SELECT: joined rows, groups, the select list, DISTINCT, ORDER BY, LIMIT.

use std::ops::ControlFlow;

use super::distinct::Distinct;
use super::join::Joiner;
use super::sort::Sorter;
use super::sortkey::KeySpec;
use super::subquery::Runner;
use super::{Emit, Exec, Limiter, aggregate};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Node, Rows, VecRef};
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
    // expressions that LIMIT may cut away are computed behind the sort, as their warnings and errors ask
    let late = sorted && !b.distinct && b.group.is_none() && computes_more(b);
    let mut sorter = sorted.then(|| {
        let spec = |(i, (at, desc)): (usize, &(usize, bool))| {
            KeySpec::new(if late { i } else { *at }, &b.output[*at].ty, *desc)
        };
        let specs = b.order.iter().enumerate().map(spec).collect();
        Sorter::new(specs, if b.distinct { usize::MAX } else { wanted }, &ctx.budget)
    });
    let repeatable = b.output.iter().all(Expr::is_repeatable);
    let sort_keys: Vec<Expr> =
        if late { b.order.iter().map(|(at, _)| b.output[*at].clone()).collect() } else { Vec::new() };
    let mut seen = b.distinct.then(|| {
        let visible = b.output[..b.visible].iter().enumerate();
        Distinct::new(visible.map(|(i, e)| KeySpec::new(i, &e.ty, false)).collect(), &ctx.budget)
    });
    let runner = Runner { exec, plan };

    // what happens to rows of the result
    let mut pass = |mut out: Batch, ctx: &mut EvalContext| -> SqlResult<ControlFlow<()>> {
        found += out.len as u64;
        match &mut sorter {
            Some(s) => {
                s.push(&out)?;
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
    // what happens to rows once the select list can be computed
    let mut take = |out: Batch, ctx: &mut EvalContext| -> SqlResult<ControlFlow<()>> {
        let out = match &mut seen {
            Some(seen) => seen.keep(out)?,
            None => out,
        };
        pass(out, ctx)
    };
    let mut deliver = |rows: &Batch, ctx: &mut EvalContext| -> SqlResult<ControlFlow<()>> {
        if late {
            let frame = Frame { batch: rows, subqueries: Some(&runner) };
            let mut keyed = output(&sort_keys, frame, rows.len, ctx)?;
            keyed.columns.extend(super::join::full(rows).columns);
            return take(keyed, ctx);
        }
        computed(&b.output, rows, &runner, repeatable, ctx, &mut take)
    };

    let empty =
        b.impossible.is_some() || wanted == 0 && b.group.is_none() || !constant_holds(exec, plan, b, ctx)?;
    match &b.group {
        Some(g) => aggregate::run(exec, plan, b, g, empty, ctx, &mut deliver)?,
        None if empty => {}
        None => Joiner::new(exec, plan, b).run(ctx, &mut deliver)?,
    }
    if let Some(seen) = &mut seen {
        rest_of_distinct(seen, &mut pass, ctx)?;
    }
    if let Some(mut s) = sorter {
        s.finish()?;
        let mut counters = exec.counters.borrow_mut();
        counters.sorts += 1;
        counters.sort_rows += found;
        drop(counters);
        let mut out = Batch::default();
        while s.next(&mut out)? {
            if late {
                out.columns.drain(..sort_keys.len());
                if limiter.full() {
                    break;
                }
                let list = &b.output[..b.visible];
                let flow = computed(list, &out, &runner, repeatable, ctx, &mut |out, ctx| {
                    if limiter.full() {
                        return Ok(ControlFlow::Break(()));
                    }
                    limiter.cut(&out, &mut |part| emit(part, ctx))
                })?;
                if flow.is_break() {
                    break;
                }
                continue;
            }
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

/// The distinct rows that were put off.
fn rest_of_distinct(
    seen: &mut Distinct,
    pass: &mut dyn FnMut(Batch, &mut EvalContext) -> SqlResult<ControlFlow<()>>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let mut work = seen.rest();
    while let Some((depth, spool)) = work.pop() {
        seen.part(depth);
        let mut reader = spool.read()?;
        let mut rows = Batch::default();
        while reader.batch(&mut rows, |_| {})? {
            ctx.check_killed()?;
            let new = seen.keep(rows.clone())?;
            if pass(new, ctx)?.is_break() {
                return Ok(());
            }
        }
        work.extend(seen.rest());
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

/// Whether the list has expressions that may fail or warn and that the sort does not need.
fn computes_more(b: &BlockPlan) -> bool {
    b.output[..b.visible].iter().enumerate().any(|(i, e)| {
        let plain = matches!(e.node, Node::Column(_) | Node::Literal(_) | Node::Param(_));
        !plain && !b.order.iter().any(|(at, _)| *at == i)
    })
}

/// Computes a list for all rows of a batch. When something is wrong with one of them it is done again row by
/// row: then warnings come in the order of the rows, and the rows before an error are seen.
///
/// # Errors
/// Those of the expressions and of `take`.
fn computed(
    list: &[Expr],
    rows: &Batch,
    runner: &Runner<'_, '_>,
    repeatable: bool,
    ctx: &mut EvalContext,
    take: &mut dyn FnMut(Batch, &mut EvalContext) -> SqlResult<ControlFlow<()>>,
) -> SqlResult<ControlFlow<()>> {
    let mark = ctx.warnings.mark();
    let out = output(list, Frame { batch: rows, subqueries: Some(runner) }, rows.len, ctx);
    let trouble = match &out {
        Ok(_) => ctx.warnings.mark() != mark && !ctx.warnings.is_full(),
        Err(_) => true,
    };
    if !trouble || rows.len <= 1 || !repeatable {
        return take(out?, ctx);
    }
    ctx.warnings.rollback_to(mark);
    for row in 0..rows.len {
        let one = one_row(rows, row);
        let out = output(list, Frame { batch: &one, subqueries: Some(runner) }, 1, ctx)?;
        if take(out, ctx)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// One row of a batch; vectors that hold no rows stay empty.
#[must_use]
pub fn one_row(batch: &Batch, row: usize) -> Batch {
    let column = |v: &Vector| {
        let mut to = Vector::new(v.class());
        if v.is_constant() || v.len() > row {
            to.push_from(v, row);
        }
        to
    };
    Batch { columns: batch.columns.iter().map(column).collect(), len: 1 }
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

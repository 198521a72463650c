//! UNION, EXCEPT, INTERSECT.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::groups::Groups;
use super::rows::{BATCH_ROWS, RowStore};
use super::sort::Sorter;
use super::sortkey::{self, KeySpec};
use super::subquery::Runner;
use super::{Emit, Exec, Limiter, block};
use crate::ast::SetOpKind;
use crate::error::SqlResult;
use crate::expr::{EvalContext, Frame};
use crate::plan::{QueryPlan, SetPlan};
use crate::types::{Batch, Class, Kind, Vector};

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
    let only_all = set.terms.iter().all(|(op, _)| op.is_none_or(|o| o.kind == SetOpKind::Union && o.all));
    if only_all && set.order.is_empty() {
        for (_, term) in &set.terms {
            let mut stop = limiter.full();
            if !stop {
                exec.run(term, ctx, &mut |batch, ctx| {
                    let batch = converted(batch, term, plan, ctx)?;
                    let flow = limiter.cut(&batch, &mut |part| emit(part, ctx))?;
                    stop |= flow.is_break();
                    Ok(flow)
                })?;
            }
            if stop {
                break;
            }
        }
        return Ok(());
    }
    let specs: Vec<KeySpec> = plan.types.iter().enumerate().map(|(i, t)| KeySpec::new(i, t, false)).collect();
    let mut result = RowStore::default();
    for (op, term) in &set.terms {
        let mut rows = RowStore::default();
        exec.run(term, ctx, &mut |batch, ctx| {
            rows.push_batch(&converted(batch, term, plan, ctx)?);
            Ok(ControlFlow::Continue(()))
        })?;
        result = match op {
            None => rows,
            Some(op) => combine(op.kind, op.all, &result, &rows, &specs),
        };
    }
    let mut deliver = |batch: &Batch, ctx: &mut EvalContext| -> SqlResult<ControlFlow<()>> {
        if limiter.full() {
            return Ok(ControlFlow::Break(()));
        }
        limiter.cut(batch, &mut |part| emit(part, ctx))
    };
    if set.order.is_empty() {
        each(&result, &mut |b| deliver(b, ctx))?;
        return Ok(());
    }
    let width = plan.types.len();
    let order =
        set.order.iter().enumerate().map(|(i, (e, desc))| KeySpec::new(width + i, &e.ty, *desc)).collect();
    let mut sorter = Sorter::new(order, usize::MAX, &ctx.budget);
    let runner = Runner { exec, plan };
    each(&result, &mut |b| {
        let mut b = b.clone();
        let exprs: Vec<_> = set.order.iter().map(|(e, _)| e.clone()).collect();
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
    Ok(())
}

fn each(rows: &RowStore, f: &mut dyn FnMut(&Batch) -> SqlResult<ControlFlow<()>>) -> SqlResult<()> {
    let mut at = 0;
    while at < rows.len() {
        let mut out = rows.like();
        let end = (at + BATCH_ROWS).min(rows.len());
        for n in at..end {
            rows.copy_to(n, &mut out);
        }
        at = end;
        if f(&out)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// A term's rows in the types of the whole.
fn converted(batch: &Batch, term: &QueryPlan, plan: &QueryPlan, ctx: &mut EvalContext) -> SqlResult<Batch> {
    let mut out = Batch { columns: Vec::with_capacity(batch.columns.len()), len: batch.len };
    for (i, (v, (from, to))) in batch.columns.iter().zip(term.types.iter().zip(&plan.types)).enumerate() {
        let number = crate::plan::query::without_bits(from);
        let from = if to.kind == Kind::Bit { from } else { &number };
        let same = from.class() == to.class()
            && from.class() != Class::Decimal
            && (!to.is_string() || from.collation.charset.name == to.collation.charset.name);
        if same {
            out.columns.push(v.clone());
            continue;
        }
        let mut column = crate::expr::Expr::column(0, i as u32, from.clone());
        column.columns_mut(&mut |c| c.slot = i as u32);
        let e = crate::expr::Expr::new(crate::expr::Node::Convert(Box::new(column)), to.clone());
        let made = block::output(&[e], Frame::new(batch), batch.len, ctx)?;
        out.columns.extend(made.columns);
    }
    Ok(out)
}

fn keys(rows: &RowStore, specs: &[KeySpec]) -> Vec<Vec<u8>> {
    let (mut list, mut scratch) = (Vec::with_capacity(rows.len()), Vec::new());
    for n in 0..rows.len() {
        let (batch, row) = rows.at(n);
        let mut key = Vec::new();
        sortkey::encode(&batch.columns, specs, row, &mut key, &mut scratch);
        list.push(key);
    }
    list
}

fn copy(rows: &RowStore, n: usize, to: &mut RowStore) {
    let (batch, row) = rows.at(n);
    to.push(&batch.columns, row);
}

fn combine(kind: SetOpKind, all: bool, left: &RowStore, right: &RowStore, specs: &[KeySpec]) -> RowStore {
    let (lk, rk) = (keys(left, specs), keys(right, specs));
    let mut out = RowStore::default();
    let mut seen = Groups::default();
    match kind {
        SetOpKind::Union => {
            for (n, k) in lk.iter().enumerate() {
                if all || seen.insert(k).1 {
                    copy(left, n, &mut out);
                }
            }
            for (n, k) in rk.iter().enumerate() {
                if all || seen.insert(k).1 {
                    copy(right, n, &mut out);
                }
            }
        }
        SetOpKind::Except | SetOpKind::Intersect => {
            let mut counts: HashMap<&[u8], usize> = HashMap::new();
            for k in &rk {
                *counts.entry(k).or_default() += 1;
            }
            let keep_found = kind == SetOpKind::Intersect;
            for (n, k) in lk.iter().enumerate() {
                let there = counts.get_mut(k.as_slice());
                if all {
                    let found = match there {
                        Some(c) if *c > 0 => {
                            *c -= 1;
                            true
                        }
                        _ => false,
                    };
                    if found == keep_found {
                        copy(left, n, &mut out);
                    }
                } else if there.is_some() == keep_found && seen.insert(k).1 {
                    copy(left, n, &mut out);
                }
            }
        }
    }
    out
}

/// An empty vector list for a plan's columns.
#[must_use]
pub fn columns_of(plan: &QueryPlan) -> Vec<Vector> {
    plan.types.iter().map(|t| Vector::new(t.class())).collect()
}

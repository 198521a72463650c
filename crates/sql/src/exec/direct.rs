//! The shortest way of a SELECT: a key look-up or a range of one table, plain columns, rows from the
//! page straight into the sink. No batch, no row object, no allocation per row.

use isam::{KeyCursor, RowScratch};

use super::ranges::{Interval, KeyWalk};
use super::{Exec, Limiter};
use crate::catalog::OpenTable;
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Node};
use crate::plan::sarg::{self, Stored, to_stored};
use crate::plan::{Access, BlockPlan, Direct, KeyPartValue, QueryPlan, Relation};
use crate::result::ResultSink;
use crate::types::{Value, load};

/// Runs the plan; the sink has its shape already. Gives the number of rows.
///
/// # Errors
/// Damaged files, a client that is gone.
pub fn send(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    b: &BlockPlan,
    ctx: &mut EvalContext,
    sink: &mut dyn ResultSink,
) -> SqlResult<u64> {
    let (Some(direct), Relation::Base(open)) = (&b.direct, &b.tables[b.steps[0].table].relation) else {
        return Ok(0);
    };
    let mut limiter = Limiter::new(&b.limit, ctx)?;
    if limiter.full() && !plan.calc_found_rows {
        return Ok(0);
    }
    let step = &b.steps[0];
    let (key, descending, intervals) = match &step.access {
        Access::Scan => return scan(exec, open, direct, &mut limiter, plan, ctx, sink),
        Access::KeyScan { key, descending } => (*key, *descending, vec![Interval::default()]),
        Access::Lookup { key, parts, descending, .. } => {
            exec.counters.borrow_mut().key += 1;
            match lookup(open, *key, parts, ctx)? {
                Some(i) => (*key, *descending, vec![i]),
                None => return Ok(0),
            }
        }
        Access::Range { key, condition, descending } => {
            let list = sarg::intervals(&open.table.format, *key, condition, &mut |e| constant(e, ctx))?;
            exec.counters.borrow_mut().key += list.len() as u64;
            (*key, *descending, list)
        }
        Access::Hash { .. } | Access::Nest { .. } => return Ok(0),
    };
    let mut walk = KeyWalk::new(KeyCursor::new(&open.table.format, key), descending);
    let mut scratch = RowScratch::new();
    let mut sent = 0;
    let mut more = true;
    while more {
        {
            let pin = exec.snapshot.pin();
            let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
            loop {
                let Some(pos) = walk.next(&view, &intervals).map_err(|e| open.error(&e))? else {
                    more = false;
                    break;
                };
                if !limiter.pass() {
                    if limiter.full() && !plan.calc_found_rows {
                        more = false;
                        break;
                    }
                    continue;
                }
                let row = open.table.format.row(&view, pos, &mut scratch).map_err(|e| open.error(&e))?;
                sink.begin_row();
                for (c, ty) in direct.columns.iter().zip(&direct.types) {
                    load::put(row.column(*c), ty, sink, ctx);
                }
                sink.end_row();
                sent += 1;
                if limiter.full() && !plan.calc_found_rows {
                    more = false;
                    break;
                }
                if sink.wants_flush() {
                    break;
                }
            }
        }
        if more {
            exec.snapshot.rest();
            sink.flush()?;
            ctx.check_killed()?;
        }
    }
    exec.counters.borrow_mut().next += limiter.seen;
    if plan.calc_found_rows {
        exec.memory.borrow_mut().found_rows = Some(limiter.seen);
    }
    Ok(sent)
}

fn constant(e: &Expr, ctx: &mut EvalContext) -> SqlResult<Value> {
    match &e.node {
        Node::Literal(v) => Ok(v.clone()),
        Node::Param(n) => Ok(ctx.params[*n as usize].clone()),
        _ => e.value(ctx),
    }
}

/// The interval of a look-up, or nothing when no row can match.
fn lookup(
    open: &OpenTable,
    key: usize,
    parts: &[KeyPartValue],
    ctx: &mut EvalContext,
) -> SqlResult<Option<Interval>> {
    let mut values: Vec<Option<Vec<u8>>> = Vec::with_capacity(parts.len());
    for p in parts {
        let v = constant(&p.value, ctx)?;
        if v.is_null() {
            if !p.null_safe || !open.table.keys[key].segments[values.len()].nullable {
                return Ok(None);
            }
            values.push(None);
            continue;
        }
        match to_stored(&v, &p.ty) {
            Stored::Exact(b) => values.push(Some(b)),
            Stored::Unknown if values.is_empty() => return Ok(Some(Interval::default())),
            Stored::Unknown => break,
            _ => return Ok(None),
        }
    }
    let refs: Vec<Option<&[u8]>> = values.iter().map(|v| v.as_deref()).collect();
    let mut flat = Vec::new();
    open.table.encode_key(key, &refs, &mut flat);
    Ok(Some(Interval::point(flat, refs.len())))
}

fn scan(
    exec: &Exec<'_>,
    open: &OpenTable,
    direct: &Direct,
    limiter: &mut Limiter,
    plan: &QueryPlan,
    ctx: &mut EvalContext,
    sink: &mut dyn ResultSink,
) -> SqlResult<u64> {
    let mut scan = isam::Scan::new();
    let mut scratch = RowScratch::new();
    let mut sent = 0;
    let mut more = true;
    while more {
        {
            let pin = exec.snapshot.pin();
            let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
            let go_on = scan
                .each(&open.table.format, &view, &mut scratch, |_, row| {
                    if limiter.pass() {
                        sink.begin_row();
                        for (c, ty) in direct.columns.iter().zip(&direct.types) {
                            load::put(row.column(*c), ty, sink, ctx);
                        }
                        sink.end_row();
                        sent += 1;
                    }
                    let full = limiter.full() && !plan.calc_found_rows;
                    !full && !sink.wants_flush()
                })
                .map_err(|e| open.error(&e))?;
            let full = limiter.full() && !plan.calc_found_rows;
            more = go_on && !full;
        }
        if more {
            exec.snapshot.rest();
            sink.flush()?;
            ctx.check_killed()?;
        }
    }
    exec.counters.borrow_mut().rnd_next += limiter.seen + 1;
    if plan.calc_found_rows {
        exec.memory.borrow_mut().found_rows = Some(limiter.seen);
    }
    Ok(sent)
}

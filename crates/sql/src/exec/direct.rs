//! The shortest way of a SELECT: a key look-up or a range of one table, plain columns, rows from the
//! page straight into the sink. No batch, no row object, no allocation per row.

use crate::table::{KeyCursor, Near, RowPos, RowScratch, RowView};

use super::lookup::{Buffers, Part};
use super::{Exec, Limiter};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Node};
use crate::plan::sarg;
use crate::plan::{Access, BlockPlan, Body, Direct, KeyPartValue, POSITION, QueryPlan, Relation, Step};
use crate::result::ResultSink;
use crate::table::OpenTable;
use crate::table::interval::{is_by_value, is_open};
use crate::types::{FieldType, Value, load};

/// Runs the plan; the sink has its schema already. Gives the number of rows.
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
    let mut buffers = exec.lookup.take().unwrap_or_default();
    let result = by_key(exec, open, direct, step, &mut limiter, plan, ctx, sink, &mut buffers);
    exec.lookup.set(Some(buffers));
    result
}

/// The position of the one row that a plan for a change can find: a whole unique key, known values, nothing else
/// to test. The outer `None`: it is another kind of plan.
///
/// # Errors
/// Damaged files.
pub fn single_row(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Option<RowPos>>> {
    let Body::Block(b) = &plan.body else { return Ok(None) };
    let [step] = &b.steps[..] else { return Ok(None) };
    let Access::Lookup { key, parts, unique: true, .. } = &step.access else { return Ok(None) };
    let t = &b.tables[step.table];
    let Relation::Base(open) = &t.relation else { return Ok(None) };
    if open.children().is_some() {
        return Ok(None);
    }
    let [only] = &b.output[..b.visible] else { return Ok(None) };
    let plain = only.as_column().is_some_and(|c| c.column == POSITION)
        && step.filter.is_none()
        && step.on.is_none()
        && b.group.is_none()
        && b.having.is_none()
        && b.constant.is_none()
        && b.impossible.is_none()
        && b.limit.count.is_none()
        && b.limit.offset.is_none()
        && t.computed.is_empty()
        && parts.iter().all(|p| matches!(p.value.node, Node::Literal(_) | Node::Param(_)));
    if !plain {
        return Ok(None);
    }
    let mut buffers = exec.lookup.take().unwrap_or_default();
    let found = match lookup(open, *key, parts, ctx, &mut buffers) {
        Ok(Some(false)) => {
            let (walk, intervals, ..) = buffers.walk(open.format(), *key, false);
            walk.only_one(true);
            let pin = exec.snapshot.pin();
            let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
            walk.next(&view, intervals).map(Some).map_err(|e| open.error(&e))
        }
        // with a NULL, or a value that says nothing, there may be several
        Ok(Some(true)) => Ok(None),
        Ok(None) => Ok(Some(None)),
        Err(e) => Err(e),
    };
    exec.lookup.set(Some(buffers));
    // where there may be several, the look-up is made again
    if let Ok(Some(found)) = &found {
        let mut counters = exec.counters.borrow_mut();
        counters.key += 1;
        counters.rows += u64::from(found.is_some());
    }
    found
}

/// Rows found through a key.
#[allow(
    clippy::too_many_arguments,
    reason = "the parts of one statement, taken apart for the borrow checker"
)]
fn by_key(
    exec: &Exec<'_>,
    open: &OpenTable,
    direct: &Direct,
    step: &Step,
    limiter: &mut Limiter,
    plan: &QueryPlan,
    ctx: &mut EvalContext,
    sink: &mut dyn ResultSink,
    buffers: &mut Buffers,
) -> SqlResult<u64> {
    let (key, descending, single) = match &step.access {
        Access::Scan => return scan(exec, open, direct, limiter, plan, ctx, sink),
        Access::KeyScan { key, descending } => {
            buffers.everything();
            (*key, *descending, false)
        }
        Access::Lookup { key, parts, descending, unique } => {
            exec.counters.borrow_mut().key += 1;
            match lookup(open, *key, parts, ctx, buffers)? {
                Some(null) => (*key, *descending, *unique && !null),
                None => return Ok(0),
            }
        }
        Access::Range { key, condition, descending } => {
            let list = sarg::intervals(open.format(), *key, condition, &mut |e| constant(e, ctx))?;
            exec.counters.borrow_mut().entered(list.len(), is_open(&list, *descending), *descending);
            buffers.intervals = list;
            (*key, *descending, false)
        }
        Access::Hash { .. }
        | Access::Nest { .. }
        | Access::FullText(_)
        | Access::Spatial(_)
        | Access::IndexMerge(_)
        | Access::JsonTable(_) => return Ok(0),
    };
    let (walk, intervals, scratch, found) = buffers.walk(open.format(), key, descending);
    walk.only_one(single);
    let full = |limiter: &Limiter| limiter.full() && !plan.calc_found_rows;
    let mut sent = 0;
    let mut more = true;
    while more {
        {
            let pin = exec.snapshot.pin();
            let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
            let mut near = Near::default();
            loop {
                let next = match direct.parts {
                    Some(_) => walk.next(&view, intervals),
                    None => found.next(walk, &view, intervals),
                };
                let Some(pos) = next.map_err(|e| open.error(&e))? else {
                    more = false;
                    break;
                };
                if !limiter.pass() {
                    more = !full(limiter);
                    if more {
                        continue;
                    }
                    break;
                }
                if let Some(parts) = &direct.parts {
                    put_entry(walk.cursor(), parts, &direct.types, sink, ctx);
                } else {
                    let row = open.row_near(&view, &mut near, pos, scratch).map_err(|e| open.error(&e))?;
                    put_row(&row, direct, sink, ctx);
                }
                sent += 1;
                more = !full(limiter);
                if !more || sink.wants_flush() {
                    break;
                }
            }
        }
        if more {
            exec.flush(plan, sink)?;
            ctx.check_killed()?;
        }
    }
    let by_value = single || intervals.len() > 1 && is_by_value(open.format(), key, intervals);
    if by_value {
        exec.counters.borrow_mut().rows += limiter.seen;
    } else {
        let whole = matches!(step.access, Access::KeyScan { .. });
        exec.counters.borrow_mut().walked(whole, descending, limiter.seen, full(limiter));
    }
    exec.memory.borrow_mut().found_rows = Some(limiter.seen);
    Ok(sent)
}

/// Sends the columns of a row.
#[inline]
fn put_row(row: &RowView<'_>, direct: &Direct, sink: &mut dyn ResultSink, ctx: &mut EvalContext) {
    sink.begin_row();
    for (c, ty) in direct.columns.iter().zip(&direct.types) {
        load::put(row.column(*c), ty, sink, ctx);
    }
    sink.end_row();
}

/// The same out of parts of a key.
fn put_entry(
    cursor: &KeyCursor,
    parts: &[usize],
    types: &[FieldType],
    sink: &mut dyn ResultSink,
    ctx: &mut EvalContext,
) {
    let mut turned = [0u8; 8];
    sink.begin_row();
    for (part, ty) in parts.iter().zip(types) {
        load::put(cursor.part(*part, &mut turned), ty, sink, ctx);
    }
    sink.end_row();
}

fn constant(e: &Expr, ctx: &mut EvalContext) -> SqlResult<Value> {
    match &e.node {
        Node::Literal(v) => Ok(v.clone()),
        Node::Param(n) => Ok(ctx.statement.params[*n as usize].clone()),
        Node::Once(_, e) => super::join::eval_without_warnings(e, ctx),
        _ => e.value(ctx),
    }
}

/// Makes the interval of a look-up; whether a part is NULL, or nothing when no row can match.
fn lookup(
    open: &OpenTable,
    key: usize,
    parts: &[KeyPartValue],
    ctx: &mut EvalContext,
    buffers: &mut Buffers,
) -> SqlResult<Option<bool>> {
    let point = buffers.start_point();
    for p in parts {
        let added = match &p.value.node {
            Node::Literal(v) => point.add(open, key, p, v),
            Node::Param(n) => point.add(open, key, p, &ctx.statement.params[*n as usize]),
            Node::Once(_, e) => point.add(open, key, p, &super::join::eval_without_warnings(e, ctx)?),
            _ => point.add(open, key, p, &p.value.value(ctx)?),
        };
        match added {
            Part::Added => {}
            Part::Never => return Ok(None),
            Part::Unknown if point.is_empty() => {
                buffers.everything();
                return Ok(Some(true));
            }
            Part::Unknown => {
                buffers.finish_point();
                return Ok(Some(true));
            }
        }
    }
    let null = point.has_null();
    buffers.finish_point();
    Ok(Some(null))
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
    let mut scan = crate::table::Scan::new();
    let mut scratch = RowScratch::new();
    let mut sent = 0;
    let mut more = true;
    while more {
        {
            let pin = exec.snapshot.pin();
            let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
            let go_on = scan
                .each(open.format(), &view, &mut scratch, |_, row| {
                    if limiter.pass() {
                        put_row(&row, direct, sink, ctx);
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
            exec.flush(plan, sink)?;
            ctx.check_killed()?;
        }
    }
    let mut counters = exec.counters.borrow_mut();
    let ended = limiter.full() && !plan.calc_found_rows;
    counters.rnd_next += limiter.seen + u64::from(!ended);
    counters.rows += limiter.seen;
    drop(counters);
    exec.memory.borrow_mut().found_rows = Some(limiter.seen);
    Ok(sent)
}

//! GROUP BY: a hash table of groups, each with the first row it met and its accumulators. Rows of groups for which
//! memory has no room are spilled to disk (`regroup`).

use std::ops::ControlFlow;

use super::accumulate::Running;
use super::join::{Joiner, all_at_once};
use super::level::{Level, PaddedBatch, padded};
use super::regroup::{Admission, Finished, Grouping, Order};
use super::sortkey;
use super::subquery::Runner;
use super::wanted::Wanted;
use super::{Emit, Exec, Limiter, block, shortcut};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Node, Rows, VecRef};
use crate::plan::{BlockPlan, GroupPlan, QueryPlan};
use crate::types::{Batch, Value, Vector};

/// Groups the joined rows and hands out one row per group: the slots of its first row, then the
/// aggregates.
///
/// # Errors
/// Those of reading and evaluating.
pub fn run(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    b: &BlockPlan,
    g: &GroupPlan,
    empty: bool,
    ctx: &mut EvalContext,
    deliver: Emit<'_>,
) -> SqlResult<()> {
    if let Some(list) = &g.shortcut
        && !empty
        && let Some(values) = shortcut::values(exec, b, list, ctx)?
    {
        return one_row(values, plan, exec, b, g, ctx, deliver);
    }
    let count = if g.rollup { g.keys.len() + 1 } else { 1 };
    let budget = ctx.budget.shared(count);
    // the groups that LIMIT leaves, when nothing else asks for the others
    let all = plan.calc_found_rows || b.distinct || b.having.is_some() || !b.order.is_empty();
    let most = if all { usize::MAX } else { Limiter::new(&b.limit, ctx)?.needed() };
    let wanted = Wanted::new(b, g, most);
    let mut levels: Vec<Grouping> =
        (0..count).map(|fewer| Grouping::new(g.keys.len() - fewer, wanted.clone(), &budget)).collect();
    let runner = Runner { exec, plan };
    if !empty {
        let args = g.aggregates.iter().flat_map(|a| a.args.iter().chain(a.order_by.iter().map(|o| &o.0)));
        let chunk = block::ChunkSize::new(args.chain(&g.keys));
        Joiner::new(exec, plan, b).run(ctx, &mut |rows, ctx| {
            let mut at = 0;
            while at < rows.len {
                let count = chunk.of(rows.len - at);
                let bytes = if count == rows.len {
                    add(&mut levels, g, rows, &runner, ctx)?
                } else {
                    add(&mut levels, g, &part(rows, at..at + count), &runner, ctx)?
                };
                chunk.took(count, bytes);
                at += count;
            }
            Ok(ControlFlow::Continue(()))
        })?;
    }
    if ctx.stopped() {
        return Ok(());
    }
    exec.counters.borrow_mut().tmp_tables += u64::from(!g.keys.is_empty());
    // aggregates without GROUP BY give one row even of nothing
    if g.keys.is_empty() && levels[0].level.groups.is_empty() {
        let mut nothing = Batch { columns: vec![Vector::default(); b.slots], len: 1 };
        for t in &b.tables {
            for (_, slot, ty) in &t.columns {
                nothing.columns[*slot].reset(ty.class());
            }
            for c in &t.computed {
                nothing.columns[c.slot].reset(c.to.ty.class());
            }
        }
        for v in &mut nothing.columns {
            v.push_null();
        }
        begin_whole(&mut levels[0].level, g, &nothing);
    }
    if levels.iter().any(Grouping::is_spilled) {
        let order = match () {
            () if g.rollup => Order::Sums,
            () if b.order.is_empty() && !g.unordered => Order::Finished,
            () => Order::Began,
        };
        let mut pass = |rows: Batch, keys: &[usize], ctx: &mut EvalContext| {
            pass(rows, keys, b, g, &runner, ctx, deliver)
        };
        let mut finished = Finished::new(order, g.keys.len(), &ctx.budget, &mut pass);
        for level in levels {
            level.finish(g, &runner, &mut finished, ctx)?;
        }
        return finished.end(ctx);
    }
    finish(levels.into_iter().map(|l| l.level).collect(), most, b, g, &runner, ctx, deliver)
}

/// Begins the group of all rows with the first of them.
fn begin_whole(level: &mut Level, g: &GroupPlan, rows: &Batch) {
    level.groups.insert(b"");
    level.begin(g, rows, 0, 0);
}

/// The one row of aggregates whose values are known.
fn one_row(
    values: Vec<Value>,
    plan: &QueryPlan,
    exec: &Exec<'_>,
    b: &BlockPlan,
    g: &GroupPlan,
    ctx: &mut EvalContext,
    deliver: Emit<'_>,
) -> SqlResult<()> {
    let runner = Runner { exec, plan };
    let mut row = Batch { columns: vec![Vector::default(); b.slots], len: 1 };
    row.columns.iter_mut().for_each(Vector::push_null);
    for (value, a) in values.iter().zip(&g.aggregates) {
        let mut column = Vector::new(a.ty.class());
        column.push(value.as_ref());
        row.columns.push(column);
    }
    let frame = Frame { batch: &row, subqueries: Some(&runner) };
    let mut keep = Vec::new();
    if let Some(h) = &b.having {
        h.filter(frame, Rows::All(1), ctx, &mut keep)?;
        if keep.is_empty() {
            return Ok(());
        }
    }
    deliver(&row, ctx).map(|_| ())
}

/// Rows of a batch; vectors that hold no rows stay empty.
fn part(rows: &Batch, which: std::ops::Range<usize>) -> Batch {
    let numbers: Vec<u32> = which.map(|r| r as u32).collect();
    let column = |v: &Vector| {
        let mut to = Vector::new(v.class());
        if v.is_constant() || v.len() >= rows.len {
            to.gather(v, &numbers);
        }
        to
    };
    Batch { columns: rows.columns.iter().map(column).collect(), len: numbers.len() }
}

type Operands<'e> = (Vec<VecRef<'e>>, Vec<Vec<VecRef<'e>>>);

/// The keys, and the arguments of each aggregate, for the rows of a batch.
fn operands<'e>(
    g: &'e GroupPlan,
    rows: &'e Batch,
    runner: &'e Runner<'_, '_>,
    ctx: &mut EvalContext,
) -> SqlResult<Operands<'e>> {
    let frame = Frame { batch: rows, subqueries: Some(runner) };
    let all = Rows::All(rows.len);
    let mut keys = Vec::with_capacity(g.keys.len());
    for e in &g.keys {
        keys.push(e.eval(frame, all, ctx)?);
    }
    let mut args = Vec::with_capacity(g.aggregates.len());
    for a in &g.aggregates {
        let mut list = Vec::with_capacity(a.args.len());
        for e in a.args.iter().chain(a.order_by.iter().map(|(e, _)| e)) {
            list.push(e.eval(frame, all, ctx)?);
        }
        args.push(list);
    }
    Ok((keys, args))
}

/// Adds the rows of a batch; tells how many bytes were computed for them.
fn add(
    levels: &mut [Grouping],
    g: &GroupPlan,
    rows: &Batch,
    runner: &Runner<'_, '_>,
    ctx: &mut EvalContext,
) -> SqlResult<usize> {
    let again = rows.len > 1 && g.aggregates.iter().all(|a| a.args.iter().all(Expr::is_repeatable));
    let Some((keys, args)) = all_at_once(again, ctx, |ctx| operands(g, rows, runner, ctx))? else {
        let mut bytes = 0;
        for row in 0..rows.len {
            bytes += add(levels, g, &block::one_row(rows, row), runner, ctx)?;
        }
        return Ok(bytes);
    };
    ctx.check_failed()?;
    let refs: Vec<Vec<&Vector>> = args.iter().map(|l| l.iter().map(|v| &**v).collect()).collect();
    let (mut key, mut scratch) = (Vec::new(), Vec::new());
    // numbers are added aggregate by aggregate
    let numbers = g.items.is_empty() && g.aggregates.iter().all(Running::is_number);
    let mut places: Vec<(u32, u32)> = Vec::new();
    for grouping in levels {
        if grouping.level.keys == 0 {
            let level = &mut grouping.level;
            if level.groups.is_empty() && rows.len > 0 {
                begin_whole(level, g, &padded(rows));
            }
            if rows.len > 0 {
                for ((a, args), running) in g.aggregates.iter().zip(&refs).zip(&mut level.running) {
                    running.add_batch(0, a, args, rows.len, ctx)?;
                }
            }
            continue;
        }
        let mut whole = PaddedBatch::Raw(rows);
        let admission = grouping.admission(g);
        for row in 0..rows.len {
            key.clear();
            for (i, (v, e)) in keys.iter().zip(&g.keys).take(grouping.level.keys).enumerate() {
                let start = key.len();
                sortkey::encode_value(v.get(row), e.ty.collation, &mut key, &mut scratch);
                if g.descending[i] {
                    key[start..].iter_mut().for_each(|b| *b = !*b);
                }
            }
            let number = grouping.rows;
            grouping.rows += 1;
            let level = &mut grouping.level;
            let mut full = false;
            if let Some(wanted) = &grouping.wanted {
                if wanted.is_behind(&key) {
                    continue;
                }
                full = wanted.is_full(level.groups.len());
            }
            let all = admission == Admission::AnyGroup && !full;
            let place = match admission {
                Admission::SpillAll => None,
                _ => level.place(g, &key, number, all, &mut whole, row),
            };
            match place {
                Some((n, _)) if numbers => places.push((n as u32, row as u32)),
                Some((n, begins)) => {
                    level.add(g, n, &refs, row, ctx)?;
                    if begins {
                        level.add_items(g, &mut whole, row, runner, ctx)?;
                    }
                }
                None if full && admission != Admission::SpillAll => {}
                None => grouping.spill_row(&key, number, row),
            }
        }
        if numbers {
            grouping.level.add_numbers(g, &places, &refs);
            places.clear();
        }
        grouping.end_batch(&mut whole, &refs)?;
    }
    drop(refs);
    let mut bytes = 0;
    for v in keys.into_iter().chain(args.into_iter().flatten()) {
        bytes += v.byte_len();
        ctx.done(v);
    }
    Ok(bytes)
}

fn finish(
    levels: Vec<Level>,
    most: usize,
    b: &BlockPlan,
    g: &GroupPlan,
    runner: &Runner<'_, '_>,
    ctx: &mut EvalContext,
    deliver: Emit<'_>,
) -> SqlResult<()> {
    // (level, group) in the order of the result
    let mut order: Vec<(usize, usize)> = Vec::new();
    if g.rollup {
        rollup_order(&levels, &mut order);
    } else if g.keys.is_empty() || !b.order.is_empty() || g.unordered {
        order.extend((0..levels[0].groups.len().min(most)).map(|n| (0, n)));
    } else {
        // the reference server groups through sorted keys: the same order, where nothing else is asked for
        order.extend(levels[0].groups.sorted(most).into_iter().map(|n| (0, n as usize)));
    }
    let mut levels = levels;
    let mut at = 0;
    while at < order.len() {
        let end = (at + ctx.batch_rows()).min(order.len());
        let mut rows =
            levels.iter().find(|l| !l.first.is_empty()).map(|l| l.first.like()).unwrap_or_default();
        let mut values: Vec<Vector> = g.aggregates.iter().map(|a| Vector::new(a.ty.class())).collect();
        let mut items: Vec<Vector> = g.items.iter().map(|e| Vector::new(e.ty.class())).collect();
        let mut rolled: Vec<usize> = Vec::new();
        for (level, n) in &order[at..end] {
            let l = &mut levels[*level];
            l.first.copy_to(*n, &mut rows);
            for ((a, running), v) in g.aggregates.iter().zip(&mut l.running).zip(&mut values) {
                let value: Value = a.finish(running.take(*n, a), ctx)?;
                v.push(value.as_ref());
            }
            for (i, v) in items.iter_mut().enumerate() {
                v.push(l.items[*n][i].as_ref());
            }
            rolled.push(l.keys);
        }
        at = end;
        rows.columns.extend(values);
        rows.columns.extend(items);
        if pass(rows, &rolled, b, g, runner, ctx, deliver)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// What happens to finished groups: slots, aggregates, items. `rolled` has the number of keys of each.
fn pass(
    mut rows: Batch,
    rolled: &[usize],
    b: &BlockPlan,
    g: &GroupPlan,
    runner: &Runner<'_, '_>,
    ctx: &mut EvalContext,
    deliver: Emit<'_>,
) -> SqlResult<ControlFlow<()>> {
    if g.rollup {
        let keys = block::output(&g.keys, Frame { batch: &rows, subqueries: Some(runner) }, rows.len, ctx)?;
        rows.columns.extend(keys.columns);
        blank_rolled(&mut rows, g, rolled);
    }
    if let Some(h) = &b.having {
        let mut keep = Vec::new();
        h.filter(Frame { batch: &rows, subqueries: Some(runner) }, Rows::All(rows.len), ctx, &mut keep)?;
        let keep: Vec<usize> = keep.iter().map(|r| *r as usize).collect();
        rows = block::pick(&rows, &keep);
    }
    if rows.len == 0 {
        return Ok(ControlFlow::Continue(()));
    }
    deliver(&rows, ctx)
}

/// ROLLUP: each group is followed by the sums of the groups that share its first keys.
fn rollup_order(levels: &[Level], order: &mut Vec<(usize, usize)>) {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for (i, l) in levels.iter().enumerate() {
        all.extend((0..l.groups.len()).map(|n| (i, n)));
    }
    all.sort_by(|a, b| {
        let (ka, kb) = (levels[a.0].groups.key(a.1), levels[b.0].groups.key(b.1));
        // a sum row stands behind everything it sums: its key is a prefix of theirs
        if ka.len() != kb.len() && (ka.starts_with(kb) || kb.starts_with(ka)) {
            return kb.len().cmp(&ka.len());
        }
        ka.cmp(kb)
    });
    order.extend(all);
}

/// Keys that a ROLLUP row sums over are NULL: the columns themselves, and what was computed, which stands at the end.
fn blank_rolled(rows: &mut Batch, g: &GroupPlan, keys_of_row: &[usize]) {
    let computed = rows.columns.len() - g.keys.len();
    for (i, e) in g.keys.iter().enumerate() {
        let at = if let Node::Column(c) = &e.node { c.slot as usize } else { computed + i };
        for (row, keys) in keys_of_row.iter().enumerate() {
            if i >= *keys {
                rows.columns[at].set_null(row);
            }
        }
    }
}

/// Whether a list of expressions has an aggregate left in it.
#[must_use]
pub fn has_aggregate(list: &[Expr]) -> bool {
    let mut found = false;
    for e in list {
        e.walk(&mut |e| found |= matches!(e.node, Node::Aggregate(_)));
    }
    found
}

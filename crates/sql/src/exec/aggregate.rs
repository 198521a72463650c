//! GROUP BY: a hash table of groups, each with the first row it met and its accumulators.

use std::ops::ControlFlow;

use super::groups::Groups;
use super::join::Joiner;
use super::rows::{BATCH_ROWS, RowStore};
use super::sortkey;
use super::subquery::Runner;
use super::{Emit, Exec, block};
use crate::error::SqlResult;
use crate::expr::{Accumulator, EvalContext, Expr, Frame, Node, Rows, VecRef};
use crate::plan::{BlockPlan, GroupPlan, QueryPlan};
use crate::types::{Batch, Value, Vector};

/// One level of groups: all keys, or a prefix of them for ROLLUP.
struct Level {
    keys: usize,
    groups: Groups,
    /// The columns of the first row of each group.
    first: RowStore,
    accumulators: Vec<Vec<Accumulator>>,
}

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
    let level = |keys| Level {
        keys,
        groups: Groups::default(),
        first: RowStore::default(),
        accumulators: Vec::new(),
    };
    let mut levels = vec![level(g.keys.len())];
    if g.rollup {
        levels.extend((0..g.keys.len()).rev().map(level));
    }
    let runner = Runner { exec, plan };
    if !empty {
        Joiner::new(exec, plan, b).run(ctx, &mut |rows, ctx| {
            add(&mut levels, g, rows, &runner, ctx)?;
            Ok(ControlFlow::Continue(()))
        })?;
    }
    exec.counters.borrow_mut().tmp_tables += u64::from(!g.keys.is_empty());
    // aggregates without GROUP BY give one row even of nothing
    if g.keys.is_empty() && levels[0].groups.is_empty() {
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
        levels[0].groups.insert(b"");
        levels[0].first.push(&nothing.columns, 0);
        levels[0].accumulators.push(g.aggregates.iter().map(|a| a.accumulator()).collect());
    }
    finish(levels, b, g, &runner, ctx, deliver)
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

fn add(
    levels: &mut [Level],
    g: &GroupPlan,
    rows: &Batch,
    runner: &Runner<'_, '_>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let mark = ctx.warnings.mark();
    let found = operands(g, rows, runner, ctx);
    let trouble = match &found {
        Ok(_) => ctx.warnings.mark() != mark && !ctx.warnings.is_full(),
        Err(_) => true,
    };
    if trouble && rows.len > 1 && g.aggregates.iter().all(|a| a.args.iter().all(Expr::is_repeatable)) {
        // warnings in the order of the rows
        drop(found);
        ctx.warnings.rollback_to(mark);
        for row in 0..rows.len {
            add(levels, g, &block::one_row(rows, row), runner, ctx)?;
        }
        return Ok(());
    }
    let (keys, args) = found?;
    let refs: Vec<Vec<&Vector>> = args.iter().map(|l| l.iter().map(|v| &**v).collect()).collect();
    for level in levels {
        if level.keys == 0 {
            if level.groups.is_empty() && rows.len > 0 {
                level.groups.insert(b"");
                level.first.push(&padded(rows).columns, 0);
                level.accumulators.push(g.aggregates.iter().map(|a| a.accumulator()).collect());
            }
            if rows.len > 0 {
                for (i, a) in g.aggregates.iter().enumerate() {
                    a.add_batch(&mut level.accumulators[0][i], &refs[i], rows.len, ctx)?;
                }
            }
            continue;
        }
        let (mut key, mut scratch) = (Vec::new(), Vec::new());
        let mut whole: Option<Batch> = None;
        for row in 0..rows.len {
            key.clear();
            for (v, e) in keys.iter().zip(&g.keys).take(level.keys) {
                sortkey::encode_value(v.get(row), e.ty.collation, &mut key, &mut scratch);
            }
            let (n, new) = level.groups.insert(&key);
            if new {
                let batch = whole.get_or_insert_with(|| padded(rows));
                level.first.push(&batch.columns, row);
                level.accumulators.push(g.aggregates.iter().map(|a| a.accumulator()).collect());
            }
            for (i, a) in g.aggregates.iter().enumerate() {
                a.add_row(&mut level.accumulators[n][i], &refs[i], row, ctx)?;
            }
        }
    }
    drop(refs);
    for v in keys.into_iter().chain(args.into_iter().flatten()) {
        ctx.done(v);
    }
    Ok(())
}

/// A batch whose unused columns hold NULLs, so that rows can be kept whole.
fn padded(rows: &Batch) -> Batch {
    let mut b = rows.clone();
    for v in &mut b.columns {
        while v.len() < b.len {
            v.push_null();
        }
    }
    b
}

fn finish(
    levels: Vec<Level>,
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
    } else if g.keys.is_empty() || !b.order.is_empty() {
        order.extend((0..levels[0].groups.len()).map(|n| (0, n)));
    } else {
        // the reference server groups through sorted keys: the same order, where nothing else is asked for
        let mut numbers: Vec<usize> = (0..levels[0].groups.len()).collect();
        numbers.sort_by(|x, y| levels[0].groups.key(*x).cmp(levels[0].groups.key(*y)));
        order.extend(numbers.into_iter().map(|n| (0, n)));
    }
    let mut levels = levels;
    let mut at = 0;
    while at < order.len() {
        let end = (at + BATCH_ROWS).min(order.len());
        let mut rows =
            levels.iter().find(|l| !l.first.is_empty()).map(|l| l.first.like()).unwrap_or_default();
        let mut values: Vec<Vector> = g.aggregates.iter().map(|a| Vector::new(a.ty.class())).collect();
        let mut rolled: Vec<usize> = Vec::new();
        for (level, n) in &order[at..end] {
            let l = &mut levels[*level];
            l.first.copy_to(*n, &mut rows);
            let accumulators = std::mem::take(&mut l.accumulators[*n]);
            for ((a, acc), v) in g.aggregates.iter().zip(accumulators).zip(&mut values) {
                let value: Value = a.finish(acc, ctx)?;
                v.push(value.as_ref());
            }
            rolled.push(l.keys);
        }
        at = end;
        rows.columns.extend(values);
        if g.rollup {
            blank_rolled(&mut rows, g, &rolled);
        }
        if let Some(h) = &b.having {
            let mut keep = Vec::new();
            h.filter(Frame { batch: &rows, subqueries: Some(runner) }, Rows::All(rows.len), ctx, &mut keep)?;
            let keep: Vec<usize> = keep.iter().map(|r| *r as usize).collect();
            rows = block::pick(&rows, &keep);
        }
        if rows.len > 0 && deliver(&rows, ctx)?.is_break() {
            break;
        }
    }
    Ok(())
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

/// Key columns that a ROLLUP row sums over are NULL.
fn blank_rolled(rows: &mut Batch, g: &GroupPlan, keys_of_row: &[usize]) {
    for (i, e) in g.keys.iter().enumerate() {
        let Node::Column(c) = &e.node else { continue };
        let v = &mut rows.columns[c.slot as usize];
        for (row, keys) in keys_of_row.iter().enumerate() {
            if i >= *keys {
                v.set_null(row);
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

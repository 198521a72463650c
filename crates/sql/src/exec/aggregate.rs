//! GROUP BY: a hash table of groups, each with the first row it met and its accumulators. Rows of groups
//! for which memory has no room are put off to disk, by the hash of their keys, and grouped part by part.

use std::ops::ControlFlow;

use super::groups::Groups;
use super::join::Joiner;
use super::rows::{BATCH_ROWS, RowStore};
use super::sortkey;
use super::spool::{Budget, Parts, RowKeys, Spool};
use super::subquery::Runner;
use super::{Emit, Exec, block, shortcut};
use crate::error::SqlResult;
use crate::expr::{Accumulator, AggregateCall, EvalContext, Expr, Frame, Node, Rows, VecRef};
use crate::plan::{BlockPlan, GroupPlan, QueryPlan};
use crate::types::{Batch, Value, Vector};

/// One level of groups: all keys, or a prefix of them for ROLLUP.
struct Level {
    keys: usize,
    groups: Groups,
    /// The columns of the first row of each group.
    first: RowStore,
    accumulators: Vec<Vec<Accumulator>>,
    /// What [`GroupPlan::items`] gave for the first row of each group.
    items: Vec<Vec<Value>>,
    /// Bytes that accumulators took beyond themselves.
    grown: usize,
}

/// How often rows are put off before they are grouped in memory whatever that takes: equal hashes cannot be parted.
const MAX_DEPTH: u64 = 6;

/// Parts rows are put off into.
const PARTS: usize = 16;

impl Level {
    fn new(keys: usize) -> Level {
        Level {
            keys,
            groups: Groups::default(),
            first: RowStore::default(),
            accumulators: Vec::new(),
            items: Vec::new(),
            grown: 0,
        }
    }

    fn memory(&self, g: &GroupPlan) -> usize {
        let each = size_of::<Vec<Accumulator>>() + g.aggregates.len() * size_of::<Accumulator>();
        self.groups.memory() + self.first.memory() + self.groups.len() * each + self.grown
    }

    /// Adds a row to its group. False when that would be a new one and there is no `room`.
    #[allow(clippy::too_many_arguments, reason = "one row, in its parts")]
    fn add(
        &mut self,
        g: &GroupPlan,
        key: &[u8],
        room: bool,
        whole: &mut Whole<'_>,
        args: &[Vec<&Vector>],
        row: usize,
        runner: &Runner<'_, '_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        let mut begins = false;
        let n = if room {
            let (n, new) = self.groups.insert(key);
            begins = new;
            if new {
                self.first.push(&whole.get().columns, row);
                self.accumulators.push(g.aggregates.iter().map(|a| a.accumulator()).collect());
            }
            n
        } else {
            match self.groups.find(key) {
                Some(n) => n,
                None => return Ok(false),
            }
        };
        for (i, a) in g.aggregates.iter().enumerate() {
            let acc = &mut self.accumulators[n][i];
            let before = acc.memory();
            a.add_row(acc, &args[i], row, ctx)?;
            self.grown += acc.memory().saturating_sub(before);
        }
        if begins && !g.items.is_empty() {
            let one = block::one_row(whole.get(), row);
            let frame = Frame { batch: &one, subqueries: Some(runner) };
            let mut values = Vec::with_capacity(g.items.len());
            for e in &g.items {
                let v = e.value_in(frame, ctx)?;
                if let Value::Bytes(b) = &v {
                    self.grown += b.len();
                }
                values.push(v);
            }
            self.grown += values.len() * size_of::<Value>();
            self.items.push(values);
        }
        Ok(true)
    }
}

/// Rows of a batch with all their columns, made when they are asked for.
enum Whole<'r> {
    Raw(&'r Batch),
    Padded(Batch),
    Ready(&'r Batch),
}

impl Whole<'_> {
    fn get(&mut self) -> &Batch {
        if let Whole::Raw(rows) = self {
            *self = Whole::Padded(padded(rows));
        }
        match self {
            Whole::Raw(b) | Whole::Ready(b) => b,
            Whole::Padded(b) => b,
        }
    }
}

/// Rows whose groups found no room: their columns, then the arguments of the aggregates.
struct PutOff {
    parts: Option<Parts>,
    /// Columns of the rows themselves.
    width: usize,
    budget: Budget,
    depth: u64,
    /// Sums over all groups cannot be made part by part.
    never: bool,
}

impl PutOff {
    fn new(g: &GroupPlan, budget: &Budget) -> PutOff {
        PutOff { parts: None, width: 0, budget: budget.clone(), depth: 0, never: g.rollup }
    }

    fn room(&self, level: &Level, g: &GroupPlan) -> bool {
        self.never || self.depth >= MAX_DEPTH || level.memory(g) <= self.budget.table
    }

    fn push(
        &mut self,
        key: &[u8],
        whole: &mut Whole<'_>,
        args: &[Vec<&Vector>],
        row: usize,
    ) -> SqlResult<()> {
        let parts = match &mut self.parts {
            Some(p) => p,
            none => none.insert(Parts::new(&self.budget, PARTS, self.depth)?),
        };
        let columns = &whole.get().columns;
        self.width = columns.len();
        parts.push(key, columns.iter().chain(args.iter().flatten().copied()), row)
    }

    /// The rows put off so far.
    fn take(&mut self) -> Vec<(u64, Spool)> {
        let depth = self.depth + 1;
        let parts = self.parts.take().map(Parts::into_spools).unwrap_or_default();
        parts.into_iter().map(|p| (depth, p)).collect()
    }

    /// Groups rows that were put off.
    fn regroup(
        &mut self,
        depth: u64,
        spool: Spool,
        g: &GroupPlan,
        runner: &Runner<'_, '_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<Level> {
        self.depth = depth;
        let mut level = Level::new(g.keys.len());
        let mut reader = spool.read()?;
        let mut rows = Batch::default();
        let mut keys = RowKeys::default();
        while reader.batch(&mut rows, &mut keys)? {
            ctx.check_killed()?;
            let flat = rows.columns.split_off(self.width);
            let mut columns = flat.iter();
            let count = |a: &AggregateCall| a.args.len() + a.order_by.len();
            let args: Vec<Vec<&Vector>> =
                g.aggregates.iter().map(|a| columns.by_ref().take(count(a)).collect()).collect();
            let room = self.room(&level, g);
            let mut whole = Whole::Ready(&rows);
            for (row, key) in keys.iter() {
                if !level.add(g, key, room, &mut whole, &args, row, runner, ctx)? {
                    self.push(key, &mut whole, &args, row)?;
                }
            }
            drop(args);
            rows.columns.extend(flat);
        }
        Ok(level)
    }
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
    if let Some(list) = &g.shortcut
        && !empty
        && let Some(values) = shortcut::values(exec, b, list, ctx)?
    {
        return one_row(values, plan, exec, b, g, ctx, deliver);
    }
    let mut levels = vec![Level::new(g.keys.len())];
    if g.rollup {
        levels.extend((0..g.keys.len()).rev().map(Level::new));
    }
    let mut put_off = PutOff::new(g, &ctx.budget);
    let runner = Runner { exec, plan };
    if !empty {
        Joiner::new(exec, plan, b).run(ctx, &mut |rows, ctx| {
            add(&mut levels, g, rows, &runner, &mut put_off, ctx)?;
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
    let mut flow = finish(levels, b, g, &runner, ctx, deliver)?;
    let mut work = put_off.take();
    while flow.is_continue()
        && let Some((depth, spool)) = work.pop()
    {
        let level = put_off.regroup(depth, spool, g, &runner, ctx)?;
        flow = finish(vec![level], b, g, &runner, ctx, deliver)?;
        work.extend(put_off.take());
    }
    Ok(())
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
    put_off: &mut PutOff,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let mark = ctx.mark();
    let found = operands(g, rows, runner, ctx);
    let trouble = match &found {
        Ok(_) => ctx.warned_since(&mark),
        Err(_) => true,
    };
    if trouble && rows.len > 1 && g.aggregates.iter().all(|a| a.args.iter().all(Expr::is_repeatable)) {
        // warnings in the order of the rows
        drop(found);
        ctx.rollback_to(&mark);
        for row in 0..rows.len {
            add(levels, g, &block::one_row(rows, row), runner, put_off, ctx)?;
        }
        return Ok(());
    }
    let (keys, args) = found?;
    ctx.check_failed()?;
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
        let mut whole = Whole::Raw(rows);
        let room = put_off.room(level, g);
        for row in 0..rows.len {
            key.clear();
            for (v, e) in keys.iter().zip(&g.keys).take(level.keys) {
                sortkey::encode_value(v.get(row), e.ty.collation, &mut key, &mut scratch);
            }
            if !level.add(g, &key, room, &mut whole, &refs, row, runner, ctx)? {
                put_off.push(&key, &mut whole, &refs, row)?;
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
) -> SqlResult<ControlFlow<()>> {
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
        let mut items: Vec<Vector> = g.items.iter().map(|e| Vector::new(e.ty.class())).collect();
        let mut rolled: Vec<usize> = Vec::new();
        for (level, n) in &order[at..end] {
            let l = &mut levels[*level];
            l.first.copy_to(*n, &mut rows);
            let accumulators = std::mem::take(&mut l.accumulators[*n]);
            for ((a, acc), v) in g.aggregates.iter().zip(accumulators).zip(&mut values) {
                let value: Value = a.finish(acc, ctx)?;
                v.push(value.as_ref());
            }
            for (i, v) in items.iter_mut().enumerate() {
                v.push(l.items[*n][i].as_ref());
            }
            rolled.push(l.keys);
        }
        at = end;
        if g.rollup {
            let keys =
                block::output(&g.keys, Frame { batch: &rows, subqueries: Some(runner) }, rows.len, ctx)?;
            rows.columns.extend(values);
            rows.columns.extend(keys.columns);
            blank_rolled(&mut rows, g, &rolled);
        } else {
            rows.columns.extend(values);
            rows.columns.extend(items);
        }
        if let Some(h) = &b.having {
            let mut keep = Vec::new();
            h.filter(Frame { batch: &rows, subqueries: Some(runner) }, Rows::All(rows.len), ctx, &mut keep)?;
            let keep: Vec<usize> = keep.iter().map(|r| *r as usize).collect();
            rows = block::pick(&rows, &keep);
        }
        if rows.len > 0 && deliver(&rows, ctx)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
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

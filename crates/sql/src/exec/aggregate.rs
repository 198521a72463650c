//! GROUP BY: a hash table of groups, each with the first row it met and its accumulators. Rows of groups for which
//! memory has no room are spilled to disk (`spilled_groups`).

use super::accumulate::{concat_room, tell_cuts};
use super::group_keys::{GroupKeys, KeyRoom};
use super::join::all_at_once;
use super::level::{Level, PaddedBatch, note_read};
use super::operator::{Chunk, Operator};
use super::project::{ChunkSize, output};
use super::rows::RowStore;
use super::running::Running;
use super::spilled_groups::{Admission, Grouping, Order, SpilledGroups};
use super::subquery::{Kept, Runner};
use super::wanted::Wanted;
use super::{Exec, Limiter, parallel, shortcut};
use crate::ast::AggregateFunction;
use crate::error::SqlResult;
use crate::expr::{AggregateCall, EvalContext, Expr, Frame, Node, Rows, VecRef};
use crate::func::years::place_in_order;
use crate::plan::{BlockPlan, GroupPlan, QueryPlan, workings};
use crate::types::convert::place_of_text;
use crate::types::load::special_stored;
use crate::types::{Batch, Class, FieldType, Value, ValueRef, Vector};
use std::fmt::Write as _;

/// Groups the joined rows and hands out one row per group: the slots of its first row, then the
/// aggregates.
struct Group<'p, 'e> {
    exec: &'p Exec<'e>,
    plan: &'p QueryPlan,
    b: &'p BlockPlan,
    g: &'p GroupPlan,
    /// There are no joined rows.
    empty: bool,
    stage: Stage,
    /// The number of keys of each group in a chunk.
    rolled: Vec<usize>,
    keep: Vec<u32>,
    /// The joined rows, where the groups are made again and again, and whether they are.
    joined: Option<Box<dyn Operator + 'p>>,
    again: bool,
    kept: Kept<'p>,
    /// Groups behind which no row is read: those before the last one are whole.
    enough: usize,
    /// The room of the one group of all rows, for those of the next run.
    room: Vec<Grouping>,
}

/// How far the grouping is.
enum Stage {
    /// No row was read.
    Begin,
    /// All rows are grouped, in memory.
    InMemory(Ordered),
    /// All rows are one group, of numbers.
    Whole(Vec<Grouping>),
    /// All rows are grouped, some of them on disk.
    Spilled(Box<SpilledGroups>),
    Over,
}

/// The operator that groups the joined rows of a block.
pub fn operator<'p>(
    exec: &'p Exec<'_>,
    plan: &'p QueryPlan,
    b: &'p BlockPlan,
    g: &'p GroupPlan,
    empty: bool,
) -> Box<dyn Operator + 'p> {
    note_read(b, g);
    let (stage, rolled, keep, kept) = (Stage::Begin, Vec::new(), Vec::new(), Kept::default());
    let (joined, again, enough, room) = (None, false, usize::MAX, Vec::new());
    Box::new(Group { exec, plan, b, g, empty, stage, rolled, keep, joined, again, kept, enough, room })
}

impl Operator for Group<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        loop {
            let more = match &mut self.stage {
                Stage::Begin => match self.begin(ctx)? {
                    Some(values) => {
                        self.stage = Stage::Over;
                        self.rolled.clear();
                        out.rows = known_row(&values, self.b, self.g);
                        true
                    }
                    None => continue,
                },
                Stage::Whole(levels) => {
                    self.rolled.clear();
                    self.rolled.push(0);
                    let mut levels = std::mem::take(levels);
                    levels[0].level.whole(self.g, &mut out.rows, ctx)?;
                    levels[0].clear();
                    (self.room, self.stage) = (levels, Stage::Over);
                    true
                }
                Stage::InMemory(groups) => groups.next(self.g, &mut out.rows, &mut self.rolled, ctx)?,
                Stage::Spilled(groups) => {
                    let runner = Runner::keeping(self.exec, self.plan, &self.kept);
                    groups.next(self.g, &runner, &mut out.rows, &mut self.rolled, ctx)?
                }
                Stage::Over => false,
            };
            if !more {
                self.stage = Stage::Over;
                return Ok(false);
            }
            if self.pass(out, ctx)? {
                return Ok(true);
            }
        }
    }

    fn rewind(&mut self) -> bool {
        (self.stage, self.again) = (Stage::Begin, true);
        true
    }
}

impl<'p> Group<'p, '_> {
    /// Groups all rows; gives the values of the aggregates when they are known without reading.
    fn begin(&mut self, ctx: &mut EvalContext) -> SqlResult<Option<Vec<Value>>> {
        let (exec, b, g) = (self.exec, self.b, self.g);
        if let Some(list) = &g.shortcut
            && !self.empty
            && let Some(values) = shortcut::values(exec, b, list, ctx)?
        {
            return Ok(Some(values));
        }
        let count = if g.rollup { g.keys.len() + 1 } else { 1 };
        // the groups that LIMIT leaves, when nothing else asks for the others
        let all = self.plan.calc_found_rows || b.asks_for_all_groups();
        let most = if all { usize::MAX } else { Limiter::most(&b.limit, ctx)? };
        let wanted = Wanted::new(b, g, most);
        let mut levels = self.levels(count, wanted.as_ref(), ctx);
        let mut partitions = None;
        let mut threads = 1;
        // rows that several threads have grouped, less the number that the others begin with
        let mut before = 0u64;
        if !self.empty {
            let from = (self.plan, b, g);
            // an operator that is kept for the next run scans the whole file
            self.enough = if g.in_order { most.saturating_add(1) } else { usize::MAX };
            let outcome = match self.again || self.enough != usize::MAX {
                true => parallel::Outcome::Serial,
                false => {
                    let memory = ctx.budget.shared(count).table;
                    parallel::group(exec, from, wanted.as_ref(), memory, ctx)?
                }
            };
            match outcome {
                parallel::Outcome::Serial => self.group(&mut levels, ctx)?,
                parallel::Outcome::Done(groups, rows, by) => {
                    (partitions, before, threads) = (Some(groups), rows, by);
                }
                parallel::Outcome::Full(level, rows, rest) => {
                    let first = rest.first_number();
                    (levels[0].level, levels[0].rows) = (*level, first);
                    before = rows.wrapping_sub(first);
                    rest.give(exec);
                    let grouped = self.group(&mut levels, ctx);
                    exec.part.take();
                    grouped?;
                }
            }
        }
        self.stage = Stage::Over;
        if ctx.stopped() {
            return Ok(None);
        }
        if !g.keys.is_empty() {
            let list = partitions.as_deref().unwrap_or_default();
            let groups = list.iter().chain([&levels[0].level]).map(Level::len).sum::<usize>();
            // threads begin others, too, until it is known which these are
            let groups = groups.min(wanted.as_ref().map_or(usize::MAX, Wanted::first)) as u64;
            if ctx.measures() {
                ctx.measure(b, |m| *m.groups.get_or_insert(0) += groups);
            }
            let rows = before.wrapping_add(levels[0].rows);
            exec.counters.borrow_mut().grouped(&workings::of(b), rows, groups, most as u64);
        }
        match partitions {
            Some(list) if g.keys.is_empty() => {
                levels[0].level = list.into_iter().next().unwrap_or_else(|| Level::new(0))
            }
            Some(list) => {
                self.stage = Stage::InMemory(Ordered::new(list, (most, threads), b, g));
                return Ok(None);
            }
            None => {}
        }
        self.end(levels, most, ctx);
        Ok(None)
    }

    /// Levels without groups.
    fn levels(&mut self, count: usize, wanted: Option<&Wanted>, ctx: &EvalContext) -> Vec<Grouping> {
        let mut levels = std::mem::take(&mut self.room);
        if levels.is_empty() {
            let budget = ctx.budget.shared(count);
            let one = |fewer| Grouping::new(self.g.keys.len() - fewer, wanted.cloned(), &budget);
            levels.extend((0..count).map(one));
        }
        levels
    }

    /// All rows are grouped.
    fn end(&mut self, mut levels: Vec<Grouping>, most: usize, ctx: &EvalContext) {
        let (b, g) = (self.b, self.g);
        // aggregates without GROUP BY give one row even of nothing
        if g.keys.is_empty() && levels[0].level.groups.is_empty() {
            begin_whole(&mut levels[0].level, g, &no_row(b));
        }
        let spilled = levels.iter().any(Grouping::is_spilled);
        if g.keys.is_empty() && !spilled && g.items.is_empty() && g.aggregates.iter().all(Running::is_number)
        {
            self.stage = Stage::Whole(levels);
            return;
        }
        self.stage = if spilled {
            let order = match () {
                () if g.rollup => Order::Sums,
                () if b.order.is_empty() && !g.unordered => Order::Finished,
                () => Order::Began,
            };
            Stage::Spilled(Box::new(SpilledGroups::new(levels, order, g.keys.len(), &ctx.budget)))
        } else {
            let levels = levels.into_iter().map(|l| l.level).collect();
            Stage::InMemory(Ordered::new(levels, (most, 1), b, g))
        };
    }

    /// The rows to be grouped. Lists of ROLLUP's sums have theirs in the order of the keys, as the reference goes through them.
    fn joined_rows(&self, ctx: &EvalContext) -> Box<dyn Operator + 'p> {
        use AggregateFunction::{GroupConcat, JsonArrayAgg, JsonObjectAgg};
        let (exec, plan, b, g) = (self.exec, self.plan, self.b, self.g);
        let rows = super::join::operator(exec, plan, b);
        let is_list = |a: &AggregateCall| matches!(a.function, GroupConcat | JsonArrayAgg | JsonObjectAgg);
        match g.rollup && g.aggregates.iter().any(is_list) {
            true => super::window::in_order_of_keys((exec, plan), b.slots, g, rows, ctx),
            false => rows,
        }
    }

    /// Adds all joined rows to their groups.
    fn group(&mut self, levels: &mut [Grouping], ctx: &mut EvalContext) -> SqlResult<()> {
        let g = self.g;
        let runner = Runner::keeping(self.exec, self.plan, &self.kept);
        let args = g.aggregates.iter().flat_map(|a| a.args.iter().chain(a.order_by.iter().map(|o| &o.0)));
        let chunk = ChunkSize::new(args.chain(&g.keys));
        let repeatable = g.aggregates.iter().all(|a| a.args.iter().all(Expr::is_repeatable));
        let again = self.joined.take();
        let mut joined = again.unwrap_or_else(|| self.joined_rows(ctx));
        let mut rows = Chunk::default();
        let mut numbers: Vec<u32> = Vec::new();
        while levels[0].level.groups.len() < self.enough && joined.next(&mut rows, ctx)? {
            let mut at = 0;
            while at < rows.len() {
                let count = chunk.of(rows.len() - at);
                let one = if count == 1 { rows.row(at) as u64 + 1 } else { 0 };
                ctx.conversion.read_row = rows.before.unwrap_or(0) + one;
                let bytes = if count == rows.len() {
                    add(levels, g, &rows.rows, rows.which(), repeatable, &runner, ctx)?
                } else {
                    numbers.clear();
                    numbers.extend((at..at + count).map(|i| rows.row(i) as u32));
                    add(levels, g, &rows.rows, Rows::Some(&numbers), repeatable, &runner, ctx)?
                };
                chunk.took(count, bytes);
                at += count;
            }
        }
        if self.again && joined.rewind() {
            self.joined = Some(joined);
        }
        Ok(())
    }

    /// Completes finished groups (slots, aggregates, items), and leaves those that HAVING lets through; false when there are none.
    fn pass(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        ctx.check_killed()?;
        let runner = Runner::keeping(self.exec, self.plan, &self.kept);
        out.select_all();
        if self.g.rollup {
            let frame = Frame { batch: &out.rows, subqueries: Some(&runner) };
            let keys = output(&self.g.keys, frame, out.rows.len, ctx)?;
            out.rows.columns.extend(keys.columns);
            blank_rolled(&mut out.rows, self.g, &self.rolled);
        }
        if let Some(h) = &self.b.having {
            self.keep.clear();
            let frame = Frame { batch: &out.rows, subqueries: Some(&runner) };
            h.filter(frame, Rows::All(out.rows.len), ctx, &mut self.keep)?;
            out.select(&mut self.keep);
        }
        Ok(!out.is_empty())
    }
}

/// The row of a group without rows.
fn no_row(b: &BlockPlan) -> Batch {
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
    nothing
}

/// Begins the group of all rows with the first of them.
fn begin_whole(level: &mut Level, g: &GroupPlan, rows: &Batch) {
    level.groups.insert(b"");
    level.begin(g, rows, 0, 0);
}

/// The one row of aggregates whose values are known.
fn known_row(values: &[Value], b: &BlockPlan, g: &GroupPlan) -> Batch {
    let mut row = Batch { columns: vec![Vector::default(); b.slots], len: 1 };
    row.columns.iter_mut().for_each(Vector::push_null);
    for (value, a) in values.iter().zip(&g.aggregates) {
        let mut column = Vector::new(a.ty.class());
        column.push(value.as_ref());
        row.columns.push(column);
    }
    row
}

type Operands<'e> = (Vec<VecRef<'e>>, Vec<Vec<VecRef<'e>>>);

/// The keys, and the arguments of each aggregate, for these rows of a batch.
pub(super) fn operands<'e>(
    g: &'e GroupPlan,
    rows: &'e Batch,
    which: Rows<'_>,
    runner: &'e Runner<'_, '_, '_>,
    ctx: &mut EvalContext,
) -> SqlResult<Operands<'e>> {
    let frame = Frame { batch: rows, subqueries: Some(runner) };
    let mut keys = Vec::with_capacity(g.keys.len());
    for e in &g.keys {
        let values = e.eval(frame, which, ctx)?;
        keys.push(if e.ty.is_short_year() {
            VecRef::Owned(years_in_order(&values, which.len()))
        } else if let Some(members) = e.members() {
            VecRef::Owned(members_in_order(&values, which.len(), members))
        } else if e.ty.is_address() {
            VecRef::Owned(addresses_in_order(&values, which.len(), &e.ty))
        } else {
            values
        });
    }
    let mut args = Vec::with_capacity(g.aggregates.len());
    for a in &g.aggregates {
        if !a.of_values.is_empty() {
            args.push(values_and_texts(a, frame, which, ctx)?);
            continue;
        }
        let mut list = Vec::with_capacity(a.args.len());
        let cut = a.function == AggregateFunction::GroupConcat && !a.distinct;
        for e in &a.args {
            let values = e.eval(frame, which, ctx)?;
            list.push(if cut { shortened(values, which.len(), ctx) } else { values });
        }
        for (e, _) in &a.order_by {
            list.push(e.eval(frame, which, ctx)?);
        }
        args.push(list);
    }
    Ok((keys, args))
}

/// The arguments of a GROUP_CONCAT and the values that order it, of which they are the texts.
fn values_and_texts<'e>(
    a: &'e AggregateCall,
    frame: Frame<'e>,
    which: Rows<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<Vec<VecRef<'e>>> {
    let mut values = Batch { columns: Vec::with_capacity(a.order_by.len()), len: which.len() };
    for (e, _) in &a.order_by {
        let v = e.eval(frame, which, ctx)?;
        let mut own = Vector::new(v.class());
        (0..which.len()).for_each(|row| own.push(v.get(row)));
        ctx.done(v);
        values.columns.push(own);
    }
    let mut list = Vec::with_capacity(2 * a.args.len());
    for e in &a.of_values {
        let texts = e.eval(Frame { batch: &values, subqueries: None }, Rows::All(values.len), ctx)?;
        list.push(match texts {
            VecRef::Borrowed(v) => VecRef::Owned(v.clone()),
            VecRef::Owned(v) => VecRef::Owned(v),
        });
    }
    list.extend(values.columns.into_iter().map(VecRef::Owned));
    Ok(list)
}

/// Values of a GROUP_CONCAT, of which no more is kept than it can show.
fn shortened<'e>(values: VecRef<'e>, rows: usize, ctx: &mut EvalContext) -> VecRef<'e> {
    let room = concat_room(ctx);
    let count = if values.is_constant() { 1 } else { rows };
    let long = |row| !values.is_null(row) && values.bytes(row).len() > room;
    if values.class() != Class::Bytes || values.byte_len() <= room || !(0..count).any(long) {
        return values;
    }
    // a new one: those that were used have the long values' room
    let mut out = Vector::new(Class::Bytes);
    for row in 0..count {
        match values.get(row) {
            ValueRef::Bytes(b) => out.push(ValueRef::Bytes(&b[..b.len().min(room)])),
            _ => out.push_null(),
        }
    }
    out.set_constant(values.is_constant());
    ctx.done(values);
    VecRef::Owned(out)
}

/// Keys of YEAR(2): their groups are in the order of the years.
fn years_in_order(v: &Vector, rows: usize) -> Vector {
    let mut out = Vector::new(v.class());
    for row in 0..rows {
        match v.get(row) {
            ValueRef::UInt(year) => out.push_i64(place_in_order(year).cast_signed()),
            _ => out.push_null(),
        }
    }
    out
}

/// Keys that are MIN or MAX of an ENUM or SET, as digits that are in the order of its members.
fn members_in_order(v: &Vector, rows: usize, members: &[Box<[u8]>]) -> Vector {
    let mut out = Vector::new(v.class());
    let mut digits = String::new();
    for row in 0..rows {
        match v.get(row) {
            ValueRef::Bytes(text) => {
                digits.clear();
                let _ = write!(digits, "{:016x}", place_of_text(members, text));
                out.push_bytes(digits.as_bytes());
            }
            _ => out.push_null(),
        }
    }
    out
}

/// Keys of UUID, INET4 and INET6, as digits that are in the order of what is stored in every collation.
fn addresses_in_order(v: &Vector, rows: usize, ty: &FieldType) -> Vector {
    let mut out = Vector::new(v.class());
    let mut digits = String::new();
    for row in 0..rows {
        match v.get(row) {
            ValueRef::Bytes(text) => {
                digits.clear();
                for byte in special_stored(text, ty.kind).unwrap_or_default() {
                    let _ = write!(digits, "{byte:02x}");
                }
                out.push_bytes(digits.as_bytes());
            }
            _ => out.push_null(),
        }
    }
    out
}

/// Adds these rows of a batch, row by row where something is wrong with one of them and arguments are `repeatable`; tells how many
/// bytes were computed for them.
fn add(
    levels: &mut [Grouping],
    g: &GroupPlan,
    rows: &Batch,
    which: Rows<'_>,
    repeatable: bool,
    runner: &Runner<'_, '_, '_>,
    ctx: &mut EvalContext,
) -> SqlResult<usize> {
    let count = which.len();
    let Some((keys, args)) =
        all_at_once(count > 1 && repeatable, ctx, |ctx| operands(g, rows, which, runner, ctx))?
    else {
        let mut bytes = 0;
        let before = ctx.conversion.read_row;
        for row in (0..count).map(|i| which.row(i) as u32) {
            ctx.conversion.read_row = before + u64::from(row) + 1;
            bytes += add(levels, g, rows, Rows::Some(&[row]), false, runner, ctx)?;
        }
        return Ok(bytes);
    };
    ctx.check_failed()?;
    let refs: Vec<Vec<&Vector>> = args.iter().map(|l| l.iter().map(|v| &**v).collect()).collect();
    let mut room = KeyRoom::default();
    // numbers are added aggregate by aggregate
    let numbers = g.items.is_empty() && g.aggregates.iter().all(Running::is_number);
    let mut places: Vec<(u32, u32)> = Vec::new();
    ctx.check_killed()?;
    for grouping in levels {
        if grouping.level.keys == 0 {
            grouping.note(g);
            let level = &mut grouping.level;
            if level.groups.is_empty() && count > 0 {
                begin_whole(level, g, PaddedBatch::Raw(rows, which).get());
            }
            if count > 0 {
                for ((a, args), running) in g.aggregates.iter().zip(&refs).zip(&mut level.running) {
                    running.add_batch(0, a, args, count, ctx)?;
                }
            }
            continue;
        }
        let mut whole = PaddedBatch::Raw(rows, which);
        let admission = grouping.admission(g);
        let mut keys = GroupKeys::new(g, &keys[..grouping.level.keys], &mut room);
        for row in 0..count {
            let number = grouping.rows;
            grouping.rows += 1;
            let level = &mut grouping.level;
            let mut full = false;
            if let Some(wanted) = &grouping.wanted {
                if wanted.is_behind(|| keys.bytes(row)) {
                    continue;
                }
                full = wanted.is_full(level.groups.len());
            }
            let all = admission == Admission::AnyGroup && !full;
            let place = match admission {
                Admission::SpillAll => None,
                _ => level.place(g, &mut keys, number, all, &mut whole, row),
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
                None => grouping.spill_row(keys.bytes(row), number, row),
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

/// Groups in memory, in the order of the result.
struct Ordered {
    levels: Vec<Level>,
    /// Level, group.
    order: Vec<(u32, u32)>,
    at: usize,
}

impl Ordered {
    /// The first `most` of them, sorted by so many threads.
    fn new(levels: Vec<Level>, (most, threads): (usize, usize), b: &BlockPlan, g: &GroupPlan) -> Ordered {
        let mut order: Vec<(u32, u32)> = Vec::new();
        if g.rollup {
            rollup_order(&levels, &mut order);
        } else if g.keys.is_empty() || !b.order.is_empty() || g.unordered {
            if levels.iter().any(|l| levels.len() > 1 || !l.began.is_sorted()) {
                order = parallel::in_order_begun(&levels);
                order.truncate(most);
            } else {
                let count = levels.first().map_or(0, |l| l.groups.len()).min(most);
                order.extend((0..count as u32).map(|n| (0, n)));
            }
        } else {
            // the reference server groups through sorted keys: the same order, where nothing else is asked for
            order = parallel::in_order_of_keys(&levels, most, threads);
        }
        Ordered { levels, order, at: 0 }
    }

    /// Makes `rows` the next groups, and `rolled` the numbers of their keys; false when there are no more.
    fn next(
        &mut self,
        g: &GroupPlan,
        rows: &mut Batch,
        rolled: &mut Vec<usize>,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        let end = (self.at + ctx.batch_rows()).min(self.order.len());
        if self.at >= end {
            return Ok(false);
        }
        let levels = &mut self.levels;
        *rows = levels.iter().find(|l| !l.first.is_empty()).map(|l| l.first.like()).unwrap_or_default();
        let mut values: Vec<Vector> = g.aggregates.iter().map(|a| Vector::new(a.ty.class())).collect();
        let mut items: Vec<Vector> = g.items.iter().map(|e| Vector::new(e.ty.class())).collect();
        rolled.clear();
        // numbers that neither fail nor warn come aggregate by aggregate
        let numbers = g.items.is_empty() && !g.rollup && g.aggregates.iter().all(Running::is_number);
        let order = &self.order[self.at..end];
        if numbers {
            let firsts: Vec<&RowStore> = levels.iter().map(|l| &l.first).collect();
            RowStore::gather_from(&firsts, order, rows);
            for (i, (a, v)) in g.aggregates.iter().zip(&mut values).enumerate() {
                let counts = levels.iter().map(|l| l.running.get(i).map_or(Some(&[][..]), Running::counts));
                if let Some(counts) = counts.collect::<Option<Vec<&[u64]>>>() {
                    // nothing between two of them: the processor waits for many at once
                    order.iter().for_each(|(level, n)| {
                        v.push_i64(counts[*level as usize][*n as usize].cast_signed())
                    });
                    continue;
                }
                for (level, n) in order {
                    levels[*level as usize].running[i].put(*n as usize, a, v, ctx)?;
                }
            }
            rolled.resize(order.len(), g.keys.len());
        }
        for (level, n) in order.iter().filter(|_| !numbers) {
            let (l, n) = (&mut levels[*level as usize], *n as usize);
            l.first.copy_to(n, rows);
            for ((a, running), v) in g.aggregates.iter().zip(&mut l.running).zip(&mut values) {
                running.put(n, a, v, ctx)?;
            }
            tell_cuts(ctx);
            for (i, v) in items.iter_mut().enumerate() {
                v.push(l.items[n][i].as_ref());
            }
            rolled.push(l.keys);
        }
        self.at = end;
        rows.columns.extend(values);
        rows.columns.extend(items);
        Ok(true)
    }
}

/// ROLLUP: each group is followed by the sums of the groups that share its first keys.
fn rollup_order(levels: &[Level], order: &mut Vec<(u32, u32)>) {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (l, i) in levels.iter().zip(0..) {
        all.extend((0..l.groups.len() as u32).map(|n| (i, n)));
    }
    all.sort_by(|a, b| {
        let key = |e: &(u32, u32)| levels[e.0 as usize].groups.key(e.1 as usize);
        let (ka, kb) = (key(a), key(b));
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

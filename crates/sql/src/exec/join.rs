//! Joins: each step takes batches of the tables before it, adds its own columns, filters, and hands on.

mod buffer;
mod parts;

use std::ops::ControlFlow;

use self::buffer::Buffer;
use super::hash::{Builder, HashSide, Keys, Parted};
use super::kept::{Keeper, KeptReader};
use super::level::padded;
use super::lookup::{Part, PointKey};
use super::source::Reader;
use super::subquery::Runner;
use super::{Emit, Exec};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Rows};
use crate::memory::BATCH_BYTES;
use crate::memory::BATCH_ROWS;
use crate::plan::sarg;
use crate::plan::{Access, BlockPlan, PlanTable, QueryPlan, Relation, Step, StepKind};
use crate::table::interval::Interval;
use crate::table::key_walk::KeyWalk;
use crate::types::{Batch, Value, Vector};

/// The joined rows of a block's steps, filtered, in batches of its slots.
pub struct Joiner<'p, 'e> {
    exec: &'p Exec<'e>,
    plan: &'p QueryPlan,
    block: &'p BlockPlan,
}

/// No row.
const NONE: u32 = u32::MAX;

/// A step and what it keeps between the batches it is given.
struct State<'p> {
    step: &'p Step,
    table: &'p PlanTable,
    reader: Option<Reader<'p>>,
    hash: Option<HashSide>,
    /// The hash table was too large: rows wait in parts.
    parted: Option<Parted>,
    keys: Keys,
    nest: Option<KeptReader>,
    /// Rows that every row of the input meets.
    buffer: Buffer,
    /// The rows of the hash table that belong to those of `out`, and the next one of the key at hand.
    found: Vec<u32>,
    /// Rows read, where they are numbered.
    read: i64,
    chain: Option<u32>,
    /// Bytes of the rows of `out` that are not in it yet.
    weight: usize,
    /// Rows of the input before this one are done with.
    settled: usize,
    /// A part of a join is met by its rows more than once.
    passes: Option<Passes>,
    out: Batch,
    from: Vec<u32>,
    /// Rows of `out` that meet a condition.
    selected: Vec<u32>,
    /// Slots of the table.
    slots: Vec<usize>,
    /// The key of a look-up.
    point: PointKey,
    /// The look-up finds one row at most.
    single: bool,
}

/// The steps that are still to run.
struct Pipeline<'s, 'p> {
    states: &'s mut [State<'p>],
    /// Tables whose columns the rows that come in have.
    tables: u64,
    /// Steps of the whole join, which share the memory for buffers.
    steps: usize,
}

impl<'p> Pipeline<'_, 'p> {
    /// The same steps, for another batch.
    fn again(&mut self) -> Pipeline<'_, 'p> {
        Pipeline { states: self.states, tables: self.tables, steps: self.steps }
    }

    /// The next step and those behind it.
    fn split(&mut self) -> Option<(&mut State<'p>, Pipeline<'_, 'p>)> {
        let (state, states) = self.states.split_first_mut()?;
        let tables = self.tables | step_mask(state.step);
        Some((state, Pipeline { states, tables, steps: self.steps }))
    }
}

/// A batch that comes into a step.
struct Input<'i> {
    rows: &'i Batch,
    /// The slots that are filled in it.
    slots: Vec<usize>,
    /// The rows of an outer join that found a match.
    matched: Vec<bool>,
}

/// What rows of an outer join remember between meeting one piece of a table and the next.
#[derive(Default)]
struct Passes {
    /// Rows that matched.
    matched: Vec<bool>,
    /// The first row of the batch at hand.
    base: usize,
    /// No piece follows: rows that did not match are joined with NULLs.
    last: bool,
}

impl<'p, 'e> Joiner<'p, 'e> {
    /// A joiner for a block.
    pub fn new(exec: &'p Exec<'e>, plan: &'p QueryPlan, block: &'p BlockPlan) -> Joiner<'p, 'e> {
        Joiner { exec, plan, block }
    }

    /// Runs the steps.
    ///
    /// # Errors
    /// Damaged files, errors of expressions.
    pub fn run(&self, ctx: &mut EvalContext, emit: Emit<'_>) -> SqlResult<()> {
        let mut one = self.slots();
        one.len = 1;
        self.steps(&self.block.steps, &one, ctx, emit).map(|_| ())
    }

    fn slots(&self) -> Batch {
        let mut b = Batch { columns: vec![Vector::default(); self.block.slots], len: 0 };
        for t in &self.block.tables {
            for (_, slot, ty) in &t.columns {
                b.columns[*slot].reset(ty.class());
            }
            for c in &t.computed {
                b.columns[c.slot].reset(c.to.ty.class());
            }
            for slot in t.position.into_iter().chain(t.number) {
                b.columns[slot].reset(crate::types::Class::UInt);
            }
        }
        b
    }

    fn steps(
        &self,
        steps: &'p [Step],
        start: &Batch,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<ControlFlow<()>> {
        let mut states: Vec<State<'p>> = steps
            .iter()
            .enumerate()
            .map(|(i, step)| State {
                step,
                table: &self.block.tables[step.table],
                reader: None,
                hash: None,
                parted: None,
                keys: Keys::default(),
                nest: None,
                // the first table is read once
                buffer: if i == 0 { Buffer::Refused } else { Buffer::None },
                found: Vec::new(),
                read: 0,
                chain: None,
                weight: 0,
                settled: 0,
                passes: None,
                out: self.slots(),
                from: Vec::new(),
                selected: Vec::new(),
                slots: Vec::new(),
                point: PointKey::default(),
                single: false,
            })
            .collect();
        let pipeline = Pipeline { states: &mut states, tables: 0, steps: steps.len() };
        let flow = self.run_step(pipeline, start, ctx, emit)?;
        if flow.is_break() || states.iter().all(|s| s.parted.is_none()) {
            return Ok(flow);
        }
        self.parts(&mut states, ctx, emit)
    }

    /// Runs the next step for every row of `input`, which holds the columns of the steps before.
    fn run_step(
        &self,
        mut pipeline: Pipeline<'_, 'p>,
        input: &Batch,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<ControlFlow<()>> {
        let tables = pipeline.tables;
        let Some((state, _)) = pipeline.split() else { return emit(input, ctx) };
        self.prepare(state, ctx)?;
        if let (Some(parted), Access::Hash { probe, .. }) = (&mut state.parted, &state.step.access) {
            parted.spill_rows(input, &self.slots_of(tables), probe, &mut state.keys, ctx)?;
            return Ok(ControlFlow::Continue(()));
        }
        self.join(pipeline, input, ctx, emit)
    }

    /// The same, with the step prepared.
    fn join(
        &self,
        mut pipeline: Pipeline<'_, 'p>,
        rows: &Batch,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<ControlFlow<()>> {
        let room = ctx.budget.table / pipeline.steps.max(1);
        let mut slots = self.slots_of(pipeline.tables);
        let Some((state, mut later)) = pipeline.split() else { return emit(rows, ctx) };
        let step = state.step;
        if state.out.columns.len() > self.block.slots {
            slots.push(self.block.slots);
        }
        let matched = match &state.passes {
            _ if step.kind != StepKind::Left => Vec::new(),
            Some(p) => p.matched[p.base..p.base + rows.len].to_vec(),
            None => vec![false; rows.len],
        };
        let mut input = Input { rows, slots, matched };
        state.settled = 0;
        if let Access::Hash { probe, .. } = &step.access {
            state.keys.compute(probe, rows, ctx)?;
        }
        self.clear(state);
        let weights = weights(rows, &input.slots);
        let most = ctx.batch_rows();
        for row in 0..rows.len {
            ctx.check_killed()?;
            if state.buffer.begin(step, state.table) {
                // rows that were read have all conditions before them
                if state.out.len > 0
                    && self.emit_batch(state, &mut later, &mut input, row, ctx, emit)?.is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
                self.use_buffer(state, ctx)?;
            }
            let mut open = match state.buffer.ready() {
                Some(ready) => ready.rewind(),
                None => self.open(state, rows, row, ctx)?,
            };
            while open {
                let had = state.out.len;
                open = self.more(state, most.max(had + 1), ctx)?;
                if open {
                    // None of the rows may pass the step's conditions.
                    ctx.check_killed()?;
                }
                let new = state.out.len - had;
                if let Buffer::Filling(_) = state.buffer {
                    state.buffer.take(&state.out, had, &self.step_slots(step), room);
                    if !open {
                        state.buffer.end();
                    }
                }
                if ctx.examine(new) {
                    return Ok(ControlFlow::Break(()));
                }
                state.from.resize(had + new, row as u32);
                state.weight += weights.get(row).map_or(0, |w| w * new);
                if state.out.len >= most || state.weight + state.out.byte_len() >= BATCH_BYTES {
                    let until = if open { row } else { row + 1 };
                    let flow = self.emit_batch(state, &mut later, &mut input, until, ctx, emit)?;
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
            }
        }
        let mut flow = ControlFlow::Continue(());
        if state.out.len > 0 || step.kind == StepKind::Left {
            flow = self.emit_batch(state, &mut later, &mut input, rows.len, ctx, emit)?;
        }
        if let Some(p) = state.passes.as_mut().filter(|_| !input.matched.is_empty()) {
            p.matched[p.base..p.base + rows.len].copy_from_slice(&input.matched);
        }
        Ok(flow)
    }

    /// Puts rows of an outer join without a match between the others, with NULLs for the step's table.
    fn null_extend(&self, state: &mut State<'p>, missing: &[u32], input: &Input<'_>) {
        let mut from = Vec::with_capacity(state.from.len() + missing.len());
        // numbers of the rows of `out`, NONE for a row without a match
        let mut rows = Vec::with_capacity(from.capacity());
        let mut missing = missing.iter().copied().peekable();
        for (n, row) in state.from.iter().enumerate() {
            while let Some(m) = missing.next_if(|m| m < row) {
                from.push(m);
                rows.push(NONE);
            }
            from.push(*row);
            rows.push(n as u32);
        }
        for m in missing {
            from.push(m);
            rows.push(NONE);
        }
        for slot in self.step_slots(state.step) {
            let old = &mut state.out.columns[slot];
            let mut new = Vector::new(old.class());
            for n in &rows {
                if *n == NONE {
                    new.push_null();
                } else {
                    new.push_from(old, *n as usize);
                }
            }
            *old = new;
        }
        for slot in &input.slots {
            let v = &mut state.out.columns[*slot];
            v.reset(v.class());
            v.gather(&input.rows.columns[*slot], &from);
        }
        state.out.len = from.len();
        state.from = from;
    }

    fn clear(&self, state: &mut State<'p>) {
        for v in &mut state.out.columns {
            let class = v.class();
            v.reset(class);
        }
        state.out.len = 0;
        state.from.clear();
        state.found.clear();
        state.weight = 0;
    }

    fn slots_of(&self, mask: u64) -> Vec<usize> {
        let tables = self.block.tables.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        tables.flat_map(|(_, t)| t.slots()).collect()
    }

    fn step_slots(&self, step: &Step) -> Vec<usize> {
        self.slots_of(step_mask(step))
    }

    /// Completes the rows with the columns of those they belong to, applies ON, remembers which rows of the left side
    /// matched, and passes the rest on. Rows of the input before `until` find no further matches.
    fn emit_batch(
        &self,
        state: &mut State<'p>,
        later: &mut Pipeline<'_, 'p>,
        input: &mut Input<'_>,
        until: usize,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<ControlFlow<()>> {
        let step = state.step;
        if let Some(side) = state.hash.as_ref().filter(|_| !state.found.is_empty()) {
            side.gather(&state.found, &state.slots, &mut state.out);
        }
        for slot in &input.slots {
            state.out.columns[*slot].gather(&input.rows.columns[*slot], &state.from);
        }
        let rest = state.buffer.rest();
        if let Some(on) = rest.as_ref().map_or(step.on.as_ref(), |r| r.on.as_ref()) {
            self.select(on, state, ctx)?;
            self.compact(state, ctx);
        }
        if step.kind == StepKind::Left {
            for r in &state.from {
                input.matched[*r as usize] = true;
            }
            if state.passes.as_ref().is_none_or(|p| p.last) {
                let open = (state.settled..until).filter(|r| !input.matched[*r]);
                let missing: Vec<u32> = open.map(|r| r as u32).collect();
                if !missing.is_empty() {
                    self.null_extend(state, &missing, input);
                }
                state.settled = until;
            }
        }
        let filter = rest.as_ref().map_or(step.filter.as_ref(), |r| r.filter.as_ref());
        let flow = self.apply_filter(filter, state, later, ctx, emit)?;
        self.clear(state);
        Ok(flow)
    }

    /// Gives the rows that meet the step's condition to the steps behind it.
    fn apply_filter(
        &self,
        filter: Option<&Expr>,
        state: &mut State<'p>,
        later: &mut Pipeline<'_, 'p>,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<ControlFlow<()>> {
        if let Some(f) = filter {
            let again = state.out.len > 1 && f.is_repeatable();
            if all_at_once(again, ctx, |ctx| self.select(f, state, ctx))?.is_none() {
                return self.filter_by_row(f, state, later, ctx, emit);
            }
            self.compact(state, ctx);
        }
        if state.out.len == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        self.run_step(later.again(), &state.out, ctx, emit)
    }

    fn filter_by_row(
        &self,
        filter: &Expr,
        state: &mut State<'p>,
        later: &mut Pipeline<'_, 'p>,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<ControlFlow<()>> {
        let runner = Runner { exec: self.exec, plan: self.plan };
        for row in 0..state.out.len {
            let one = super::block::one_row(&state.out, row);
            state.selected.clear();
            let frame = Frame { batch: &one, subqueries: Some(&runner) };
            filter.filter(frame, Rows::All(1), ctx, &mut state.selected)?;
            ctx.check_failed()?;
            if !state.selected.is_empty() && self.run_step(later.again(), &one, ctx, emit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Finds the rows of `state.out` for which the condition is true.
    fn select(&self, e: &Expr, state: &mut State<'p>, ctx: &mut EvalContext) -> SqlResult<()> {
        state.selected.clear();
        if state.out.len == 0 {
            return Ok(());
        }
        let runner = Runner { exec: self.exec, plan: self.plan };
        let frame = Frame { batch: &state.out, subqueries: Some(&runner) };
        e.filter(frame, Rows::All(state.out.len), ctx, &mut state.selected)
    }

    /// Leaves in `state.out` only the rows found.
    fn compact(&self, state: &mut State<'p>, ctx: &mut EvalContext) {
        if state.selected.len() == state.out.len {
            return;
        }
        for v in &mut state.out.columns {
            if v.len() < state.out.len {
                continue;
            }
            let mut kept = ctx.take(v.class());
            kept.gather(v, &state.selected);
            std::mem::swap(v, &mut kept);
            ctx.recycle(kept);
        }
        state.from = state.selected.iter().map(|r| state.from[*r as usize]).collect();
        state.out.len = state.selected.len();
    }

    /// Makes what a step needs once.
    fn prepare(&self, state: &mut State<'p>, ctx: &mut EvalContext) -> SqlResult<()> {
        let (step, table) = (state.step, state.table);
        match &step.access {
            Access::Hash { build, .. } if state.hash.is_none() && state.parted.is_none() => {
                let mut builder = Builder::new(table.slots().collect(), &ctx.budget);
                let mut reader = Reader::scan(self.exec, table, ctx)?;
                let mut batch = self.slots();
                let mut keys = Keys::default();
                let (alone, _) = self.conditions_alone(step);
                let mut keep = Vec::new();
                let mut more = true;
                while more {
                    for v in &mut batch.columns {
                        let class = v.class();
                        v.reset(class);
                    }
                    batch.len = 0;
                    more = reader.fill(self.exec, table, &mut batch, BATCH_ROWS, ctx)?;
                    ctx.check_killed()?;
                    if let Some(condition) = &alone {
                        self.sift(condition, &mut batch, &mut keep, ctx);
                    }
                    keys.compute(build, &batch, ctx)?;
                    builder.add(&batch, &keys)?;
                }
                let (side, parted) = builder.finish();
                state.hash = parted.is_none().then_some(side);
                state.parted = parted;
            }
            Access::Nest { steps } if state.nest.is_none() => {
                let mut keeper = Keeper::new(&ctx.budget);
                let mut one = self.slots();
                one.len = 1;
                let _ = self.steps(steps, &one, ctx, &mut |batch, _| {
                    keeper.push_batch(&padded(batch))?;
                    Ok(ControlFlow::Continue(()))
                })?;
                state.nest = Some(keeper.finish()?.read());
            }
            _ => {}
        }
        Ok(())
    }

    /// Leaves out rows that do not meet a condition, which is looked at again when they are joined: what is wrong with a row is told
    /// then, if it is joined with any.
    fn sift(&self, condition: &Expr, rows: &mut Batch, keep: &mut Vec<u32>, ctx: &mut EvalContext) {
        keep.clear();
        let runner = Runner { exec: self.exec, plan: self.plan };
        let frame = Frame { batch: rows, subqueries: Some(&runner) };
        let found = all_at_once(true, ctx, |ctx| condition.filter(frame, Rows::All(rows.len), ctx, keep));
        if !matches!(found, Ok(Some(()))) {
            return;
        }
        if keep.len() < rows.len {
            for v in rows.columns.iter_mut().filter(|v| v.len() >= rows.len) {
                let mut kept = ctx.take(v.class());
                kept.gather(v, keep);
                ctx.recycle(std::mem::replace(v, kept));
            }
            rows.len = keep.len();
        }
    }

    /// Positions a step for one row of its input; false when nothing can match.
    fn open(
        &self,
        state: &mut State<'p>,
        input: &Batch,
        row: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        let (step, table) = (state.step, state.table);
        match &step.access {
            Access::Scan => {
                match &mut state.reader {
                    Some(r) => r.restart(None),
                    None => state.reader = Some(Reader::scan(self.exec, table, ctx)?),
                }
                Ok(true)
            }
            Access::KeyScan { key, descending } => {
                self.by_key(state, *key, *descending, vec![Interval::default()])
            }
            Access::Lookup { .. } => self.open_lookup(state, input, row, ctx),
            Access::Range { key, condition, descending } => {
                let Relation::Base(open) = &table.relation else { return Ok(false) };
                let list = sarg::intervals(open.format(), *key, condition, &mut |e| self.constant(e, ctx))?;
                self.exec.counters.borrow_mut().key += list.len() as u64;
                self.by_key(state, *key, *descending, list)
            }
            Access::Hash { .. } => {
                let (Some(side), Some(key)) = (&state.hash, state.keys.get(row)) else { return Ok(false) };
                if state.slots.is_empty() {
                    state.slots.extend(table.slots());
                }
                state.chain = side.find(key);
                Ok(state.chain.is_some())
            }
            Access::Nest { .. } => {
                if let Some(reader) = &mut state.nest {
                    reader.rewind();
                }
                Ok(true)
            }
        }
    }

    /// The same for a look-up by key.
    #[inline]
    fn open_lookup(
        &self,
        state: &mut State<'p>,
        input: &Batch,
        row: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        let Access::Lookup { key, parts, descending, unique } = &state.step.access else { return Ok(false) };
        self.exec.counters.borrow_mut().key += 1;
        let Relation::Base(open) = &state.table.relation else { return Ok(false) };
        let runner = Runner { exec: self.exec, plan: self.plan };
        state.point.start();
        let mut whole = true;
        for p in parts {
            let value = if let crate::expr::Node::Once(_, e) = &p.value.node {
                eval_without_warnings(e, ctx)?
            } else {
                let frame = Frame { batch: input, subqueries: Some(&runner) };
                let rows = [row as u32];
                let v = p.value.eval(frame, Rows::Some(&rows), ctx)?;
                let value = v.value(0);
                ctx.done(v);
                value
            };
            match state.point.add(open, *key, p, &value) {
                Part::Added => {}
                Part::Unknown => {
                    whole = false;
                    break;
                }
                Part::Never => return Ok(false),
            }
        }
        let mut intervals = state.reader.as_mut().map(Reader::take_intervals).unwrap_or_default();
        if state.point.is_empty() {
            intervals.clear();
            intervals.push(Interval::default());
        } else {
            state.point.fill(&mut intervals);
        }
        state.single = *unique && whole && !state.point.has_null();
        self.by_key(state, *key, *descending, intervals)
    }

    fn constant(&self, e: &Expr, ctx: &mut EvalContext) -> SqlResult<Value> {
        match &e.node {
            crate::expr::Node::Literal(v) => return Ok(v.clone()),
            crate::expr::Node::Once(_, e) => return eval_without_warnings(e, ctx),
            _ => {}
        }
        let runner = Runner { exec: self.exec, plan: self.plan };
        let one = Batch::one_row();
        e.value_in(Frame { batch: &one, subqueries: Some(&runner) }, ctx)
    }

    fn by_key(
        &self,
        state: &mut State<'p>,
        key: usize,
        descending: bool,
        intervals: Vec<Interval>,
    ) -> SqlResult<bool> {
        if intervals.is_empty() {
            return Ok(false);
        }
        if let Some(r @ Reader::Key { .. }) = &mut state.reader {
            r.restart(Some(intervals));
            r.only_one(state.single);
            return Ok(true);
        }
        let (step, table) = (state.step, state.table);
        let Relation::Base(open) = &table.relation else { return Ok(false) };
        let info = &open.keys()[key];
        let covering = step
            .covering
            .then(|| {
                table
                    .columns
                    .iter()
                    .filter_map(|(c, _, _)| crate::plan::access::part_for(info, *c))
                    .collect::<Vec<_>>()
            })
            .filter(|parts| parts.len() == table.columns.len());
        let mut walk = KeyWalk::new(crate::table::KeyCursor::new(open.format(), key), descending);
        walk.only_one(state.single);
        state.reader = Some(Reader::Key {
            table: open,
            walk: Box::new(walk),
            intervals,
            scratch: crate::table::RowScratch::new(),
            covering,
        });
        Ok(true)
    }

    /// Reads further rows of the step's table into `state.out`; false when there are no more.
    fn more(&self, state: &mut State<'p>, most: usize, ctx: &mut EvalContext) -> SqlResult<bool> {
        let (step, table) = (state.step, state.table);
        if let Some(ready) = state.buffer.ready() {
            return Ok(ready.fill(&mut state.out, most));
        }
        match &step.access {
            Access::Hash { .. } => {
                let Some(side) = &state.hash else { return Ok(false) };
                while let Some(row) = state.chain {
                    if state.out.len >= most || state.weight >= BATCH_BYTES {
                        return Ok(true);
                    }
                    state.found.push(row);
                    state.weight += side.weight(row);
                    state.out.len += 1;
                    state.chain = side.after(row);
                }
                Ok(false)
            }
            Access::Nest { .. } => {
                let slots = self.step_slots(step);
                let Some(reader) = &mut state.nest else { return Ok(false) };
                while state.out.len < most {
                    let Some((batch, at)) = reader.next_row()? else { return Ok(false) };
                    for slot in &slots {
                        state.out.columns[*slot].push_from(&batch.columns[*slot], at);
                    }
                    state.out.len += 1;
                    if state.out.byte_len() >= BATCH_BYTES {
                        break;
                    }
                }
                Ok(true)
            }
            _ => match &mut state.reader {
                Some(r) => {
                    let had = state.out.len;
                    let more = r.fill(self.exec, table, &mut state.out, most, ctx)?;
                    if let Some(slot) = table.number {
                        for _ in had..state.out.len {
                            state.read += 1;
                            state.out.columns[slot].push_i64(state.read);
                        }
                    }
                    Ok(more)
                }
                None => Ok(false),
            },
        }
    }
}

/// The tables of a step.
fn step_mask(step: &Step) -> u64 {
    match &step.access {
        Access::Nest { steps } => steps.iter().fold(0, |m, s| m | step_mask(s)),
        _ => 1 << step.table,
    }
}

/// Evaluates for all rows of a batch at once. None when something is wrong with one of them and `again` allows to do it
/// once more, row by row: then warnings come in the order of the rows, and the rows before an error are seen.
pub(super) fn all_at_once<T>(
    again: bool,
    ctx: &mut EvalContext,
    eval: impl FnOnce(&mut EvalContext) -> SqlResult<T>,
) -> SqlResult<Option<T>> {
    let mark = ctx.mark();
    let result = eval(ctx);
    if again && (result.is_err() || ctx.warned_since(&mark)) {
        ctx.rollback_to(&mark);
        return Ok(None);
    }
    result.map(Some)
}

/// The value of a constant that a key is searched with: it warns where rows are compared with it.
pub(super) fn eval_without_warnings(e: &Expr, ctx: &mut EvalContext) -> SqlResult<Value> {
    let mark = ctx.mark();
    let value = e.value(ctx);
    ctx.rollback_to(&mark);
    value
}

/// Bytes of each row in these slots, when there are rows of many bytes; else nothing.
fn weights(input: &Batch, slots: &[usize]) -> Vec<usize> {
    let columns = || slots.iter().map(|s| &input.columns[*s]);
    if columns().map(Vector::byte_len).sum::<usize>() < BATCH_BYTES / BATCH_ROWS {
        return Vec::new();
    }
    (0..input.len).map(|row| columns().map(|v| v.bytes(row).len()).sum()).collect()
}

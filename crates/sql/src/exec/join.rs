//! Joins: each step pulls rows of the tables before it, adds its own columns, filters, and hands out what is left.

mod access;
mod buffer;
pub mod build;
pub mod head;
mod late;
mod parts;
mod together;

use self::buffer::Buffer;
use self::head::Head;
use self::late::Late;
use self::parts::{InOrder, PartReader, Passes};
use self::together::Together;
use super::Exec;
use super::hash::{HashSide, KeyOf, Keys, Parted};
use super::json_table::JsonRows;
use super::lookup::PointKey;
use super::materialize::MaterializedReader;
use super::operator::{Chunk, OneRow, Operator, pack, reset};
use super::subquery::{Kept, Runner};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Rows};
use crate::memory::BATCH_BYTES;
use crate::memory::BATCH_ROWS;
use crate::plan::{Access, BlockPlan, PlanTable, QueryPlan, Relation, Step, StepKind};
use crate::table::reader::{KeyReader, Reader};
use crate::types::{Batch, Class, Value, Vector};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rows that are read at once where the first that meets the conditions will do; then ever more.
const FEW: usize = 1;
const MORE: usize = 8;

/// No row.
const NONE: u32 = u32::MAX;

/// What the steps of a join have in common.
#[derive(Clone, Copy)]
struct Joined<'p, 'e> {
    exec: &'p Exec<'e>,
    plan: &'p QueryPlan,
    block: &'p BlockPlan,
    /// The classes of the block's slots.
    classes: &'p [Class],
    /// Rows that are read at once at first.
    at_once: usize,
}

impl<'p, 'e> Joined<'p, 'e> {
    /// Runs the subqueries of conditions.
    fn runner<'r>(&self, kept: &'r Kept<'p>) -> Runner<'r, 'p, 'e> {
        Runner::keeping(self.exec, self.plan, kept)
    }
}

/// The joined rows of a block, filtered, in chunks of its slots.
#[must_use]
pub fn operator<'p>(exec: &'p Exec<'_>, plan: &'p QueryPlan, block: &'p BlockPlan) -> Box<dyn Operator + 'p> {
    first_rows(exec, plan, block, usize::MAX)
}

/// The same where no more than so many rows are wanted, as far as it is known.
#[must_use]
pub fn first_rows<'p>(
    exec: &'p Exec<'_>,
    plan: &'p QueryPlan,
    block: &'p BlockPlan,
    wanted: usize,
) -> Box<dyn Operator + 'p> {
    let at_once = if block.only_existence { FEW } else { wanted.max(1) };
    let joined = Joined { at_once, exec, plan, block, classes: block.classes.get_or_init(|| classes(block)) };
    let head = exec.head.take();
    let (done, tables) =
        head.as_ref().map_or((0, 0), |head| (head.steps, mask_of(&block.steps[..head.steps])));
    match behind(joined, &block.steps[done..], &[], tables, head) {
        Some(last) => last,
        None => Box::new(OneRow::new(block.slots)),
    }
}

/// Whether the tables of the first `count` steps have rows that meet their conditions.
///
/// # Errors
/// Those of reading and of the conditions.
pub fn has_row(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    block: &BlockPlan,
    count: usize,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let joined =
        Joined { at_once: FEW, exec, plan, block, classes: block.classes.get_or_init(|| classes(block)) };
    match chain(joined, &block.steps[..count], &[]) {
        Some(mut last) => last.next(&mut Chunk::default(), ctx),
        None => Ok(true),
    }
}

/// The classes of a block's slots.
pub(super) fn classes(block: &BlockPlan) -> Box<[Class]> {
    let mut classes = vec![Class::Int; block.slots];
    for t in &block.tables {
        for (_, slot, ty) in &t.columns {
            classes[*slot] = ty.class();
        }
        for c in &t.computed {
            classes[c.slot] = c.to.ty.class();
        }
        for slot in t.position.into_iter().chain(t.number) {
            classes[slot] = Class::UInt;
        }
        if let Some(slot) = t.score {
            classes[slot] = Class::Double;
        }
    }
    classes.into()
}

/// The last of these steps, which pulls from those before it.
/// `given` are slots of a row that all of them are joined for.
fn chain<'p, 'e>(
    joined: Joined<'p, 'e>,
    steps: &'p [Step],
    given: &[usize],
) -> Option<Box<JoinStep<'p, 'e>>> {
    behind(joined, steps, given, 0, None)
}

/// The same behind rows of `tables`, which were joined before.
fn behind<'p, 'e>(
    joined: Joined<'p, 'e>,
    steps: &'p [Step],
    given: &[usize],
    mut tables: u64,
    rows: Option<Head>,
) -> Option<Box<JoinStep<'p, 'e>>> {
    let (mut last, mut before) = (None, rows.map(Before::Rows));
    for step in steps {
        before = last.take().map(Before::Step).or(before);
        let mut new = JoinStep::new(joined, step, tables, steps.len(), before.take());
        new.input_slots.extend_from_slice(given);
        last = Some(Box::new(new));
        tables |= step_mask(step);
    }
    last
}

/// Where the rows come from that a step joins.
enum Before<'p, 'e> {
    Step(Box<JoinStep<'p, 'e>>),
    Rows(Head),
}

/// A step of a join.
struct JoinStep<'p, 'e> {
    joined: Joined<'p, 'e>,
    step: &'p Step,
    table: &'p PlanTable,
    /// Steps of the whole join, which share the memory for buffers.
    steps: usize,
    /// The step before; the first one joins with one row.
    before: Option<Before<'p, 'e>>,
    /// Slots of the steps before.
    input_slots: Vec<usize>,
    /// Slots of this step.
    slots: Vec<usize>,
    /// What is made once is there.
    prepared: bool,
    over: bool,

    reader: Option<Box<dyn Reader + 'p>>,
    /// For accesses by a key.
    key_reader: Option<Box<dyn KeyReader + 'p>>,
    hash: Option<Arc<HashSide>>,
    keys: Keys,
    nest: Option<Box<MaterializedReader>>,
    /// The rows of a JSON_TABLE.
    json: Option<Box<JsonRows<'p>>>,
    /// Rows that every row of the input meets.
    buffer: Buffer,
    /// Columns that are read after the condition was looked at.
    late: Late,
    /// The key of a look-up.
    point: PointKey,
    /// The rows with NULL that are looked up behind those of a value.
    or_null: Option<Box<access::OrNull>>,
    /// Look-ups for many rows of the input.
    together: Together,
    /// The hash table was too large: rows wait in parts.
    parted: Option<Box<Parted>>,
    /// The parts, when their turn has come.
    parts: Option<Box<PartReader>>,
    /// The rows of the parts, joined, in the order of the input.
    in_order: Option<Box<InOrder>>,
    /// A part of a join is met by its rows more than once.
    passes: Option<Passes>,
    /// Rows have their numbers behind the slots.
    numbered: bool,

    /// Rows of the steps before, and whether there are some that were not joined.
    input: Chunk,
    has_input: bool,
    /// The rows of an outer join that found a match.
    matched: Vec<bool>,
    /// Bytes of each row of the input, when there are rows of many bytes.
    weights: Vec<usize>,
    /// The row of the input that is joined, and whether the step's rows stand at those that meet it.
    at: usize,
    open: bool,
    /// Rows of the input before this one are done with.
    settled: usize,

    /// Rows of the step's table, completed when they are enough; whether they are those of the next chunk.
    out: Batch,
    filling: bool,
    /// The row of the input that each of them belongs to.
    from: Vec<u32>,
    /// The rows of the hash table that belong to those of `out`, and the next one of the key at hand.
    found: Vec<u32>,
    next_found: Option<u32>,
    /// Rows read, where they are numbered.
    read: i64,
    /// As many rows as are asked for, where that is known.
    most: usize,
    /// Bytes of the rows of `out` that are not in it yet.
    weight: usize,
    /// Whether the filter may be computed twice for a row, once that was looked for.
    repeatable: Option<bool>,
    /// Rows of `out` that meet a condition.
    selected: Vec<u32>,
    /// The rows of `out` are filtered and handed out one by one, and this is the next.
    one_by_one: Option<usize>,
    /// Rows that were looked at before those of `out`.
    looked: u64,
    /// Subqueries of its conditions.
    kept: Kept<'p>,
    /// For ANALYZE.
    tally: Tally,
}

/// What a step did since it was asked last.
#[derive(Default)]
struct Tally {
    /// How often its table was begun.
    loops: u64,
    /// Rows of its table that were read.
    read: u64,
    /// Rows joined with those before.
    met: u64,
    /// The time of reading.
    reading: Duration,
}

impl<'p, 'e> JoinStep<'p, 'e> {
    /// A step behind those of `tables`, of which the last is `before`.
    fn new(
        joined: Joined<'p, 'e>,
        step: &'p Step,
        tables: u64,
        steps: usize,
        before: Option<Before<'p, 'e>>,
    ) -> JoinStep<'p, 'e> {
        let block = joined.block;
        JoinStep {
            step,
            table: &block.tables[step.table],
            steps,
            input_slots: slots_of(block, tables),
            slots: slots_of(block, step_mask(step)),
            prepared: false,
            over: false,
            reader: None,
            key_reader: None,
            hash: None,
            keys: Keys::default(),
            nest: None,
            json: None,
            // the first table is read once
            buffer: if before.is_none() { Buffer::Refused } else { Buffer::None },
            before,
            late: Late::Unknown,
            point: PointKey::default(),
            or_null: access::OrNull::of(&step.access),
            together: Together::Unknown,
            parted: None,
            parts: None,
            in_order: None,
            passes: None,
            numbered: false,
            input: Chunk::default(),
            has_input: false,
            matched: Vec::new(),
            weights: Vec::new(),
            at: 0,
            open: false,
            settled: 0,
            out: Batch::default(),
            filling: false,
            from: Vec::new(),
            found: Vec::new(),
            next_found: None,
            read: 0,
            most: joined.at_once,
            weight: 0,
            repeatable: None,
            selected: Vec::new(),
            one_by_one: None,
            looked: 0,
            kept: Kept::default(),
            tally: Tally::default(),
            joined,
        }
    }

    /// The next rows of the steps before; false when there are no more.
    fn pull(&mut self, ctx: &mut EvalContext) -> SqlResult<bool> {
        match &mut self.before {
            Some(Before::Step(before)) => before.next(&mut self.input, ctx),
            Some(Before::Rows(head)) => Ok(head.next(&mut self.input)),
            None if self.prepared => Ok(false),
            None => {
                self.input.rows.len = 1;
                Ok(true)
            }
        }
    }

    /// Takes the next rows to be joined; false when there are no more.
    fn next_input(&mut self, ctx: &mut EvalContext) -> SqlResult<bool> {
        while self.parts.is_none() {
            if !self.pull(ctx)? {
                if ctx.stopped() {
                    return Ok(false);
                }
                let Some(parted) = self.parted.take() else { return Ok(false) };
                return self.begin_parts(*parted, ctx);
            }
            if !self.prepared {
                self.prepare(ctx)?;
                self.prepared = true;
            }
            let (Some(parted), Some(probe)) = (&mut self.parted, probe_of(self.step)) else {
                self.begin_input(ctx)?;
                return Ok(true);
            };
            parted.spill_rows(&self.input, &self.input_slots, probe, &mut self.keys, ctx)?;
        }
        self.next_part(ctx)
    }

    /// Begins to join the rows of `input`.
    fn begin_input(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.has_input = true;
        self.at = 0;
        self.open = false;
        self.settled = 0;
        self.matched.clear();
        if self.step.kind == StepKind::Left {
            match &self.passes {
                Some(p) => self.matched.extend_from_slice(&p.matched[p.base..p.base + self.input.rows.len]),
                None => self.matched.resize(self.input.rows.len, false),
            }
        }
        if let Some(probe) = probe_of(self.step) {
            let mark = (self.input.len() == 1).then(|| ctx.mark());
            self.keys.compute(probe, &self.input.rows, self.input.which(), ctx)?;
            let finds = |side: &Arc<HashSide>| self.keys.get(0).is_some_and(|key| side.find(key).is_some());
            if let Some(mark) = mark.filter(|m| ctx.mark() != *m)
                && self.hash.as_ref().is_some_and(finds)
            {
                // it is compared with what it finds, and told then
                ctx.rollback_to(&mark);
            }
        }
        weights(&self.input.rows, &self.input_slots, &mut self.weights);
        self.gather_points(ctx)
    }

    /// Joins rows of `input` until there is a chunk of them; false when they are all joined.
    fn join(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        loop {
            if self.one_by_one.is_some() {
                if self.next_one(out, ctx)? {
                    return Ok(true);
                }
            } else if !self.has_input {
                return Ok(false);
            } else if let Some(until) = self.fill(ctx)? {
                if self.complete(until, out, ctx)? {
                    return Ok(true);
                }
            } else {
                // LIMIT ROWS EXAMINED
                (self.has_input, self.over) = (false, true);
                return Ok(false);
            }
        }
    }

    /// Reads rows until they are enough for a chunk. Rows of the input before the number it gives find no further
    /// matches. None when LIMIT ROWS EXAMINED ends the statement.
    fn fill(&mut self, ctx: &mut EvalContext) -> SqlResult<Option<usize>> {
        let rows = self.input.len();
        if !std::mem::replace(&mut self.filling, true) {
            self.clear();
        }
        if matches!(self.step.access, Access::Hash { .. }) && ctx.statement.examined.is_none() {
            return self.fill_from_hash(ctx).map(Some);
        }
        while self.at < rows {
            if !self.open && self.look_up_together(ctx.batch_rows().min(self.most), ctx)? {
                if self.out.len >= ctx.batch_rows() || self.out.byte_len() >= BATCH_BYTES {
                    return Ok(Some(self.at));
                }
                continue;
            }
            let row = self.input.row(self.at);
            if !self.open {
                ctx.check_killed()?;
                if self.buffer.begin(self.step, self.table) {
                    // rows that were read have all conditions before them
                    if self.out.len > 0 {
                        return Ok(Some(self.at));
                    }
                    self.use_buffer(ctx)?;
                }
                self.open = match self.buffer.ready() {
                    Some(ready) => ready.rewind(),
                    None => self.position(row, ctx)?,
                };
                if !self.open {
                    self.at += 1;
                    continue;
                }
            }
            let had = self.out.len;
            let most = ctx.batch_rows().min(self.most);
            self.open = self.more(most.max(had + 1), ctx)?;
            if self.open {
                // None of the rows may pass the step's conditions.
                ctx.check_killed()?;
                if had == 0 {
                    self.settle_late();
                }
            } else {
                self.at += 1;
            }
            let new = self.out.len - had;
            self.tally.met += new as u64;
            if let Buffer::Filling(_) = self.buffer {
                let room = ctx.budget.table / self.steps.max(1);
                self.buffer.take(&self.out, had, &self.slots, room);
                if !self.open {
                    self.buffer.end();
                }
            }
            if ctx.examine(new) {
                return Ok(None);
            }
            self.from.resize(had + new, row as u32);
            self.weight += self.weights.get(row).map_or(0, |w| w * new);
            if self.out.len >= most || self.weight + self.out.byte_len() >= BATCH_BYTES {
                self.most = self.most.saturating_mul(MORE);
                return Ok(Some(self.at));
            }
        }
        self.has_input = false;
        Ok(Some(rows))
    }

    /// The same from a hash table.
    fn fill_from_hash(&mut self, ctx: &mut EvalContext) -> SqlResult<usize> {
        ctx.check_killed()?;
        let (rows, had) = (self.input.len(), self.out.len);
        let most = ctx.batch_rows().min(self.most).max(had + 1);
        let mut enough = false;
        if let Some(side) = &self.hash {
            while self.at < rows {
                if !self.open {
                    self.next_found = self.keys.get(self.at).and_then(|key| side.find(key));
                    self.open = true;
                }
                let row = self.input.row(self.at) as u32;
                let weight = self.weights.get(row as usize).copied().unwrap_or(0);
                while let Some(found) = self.next_found {
                    enough = self.found.len() >= most || self.weight >= BATCH_BYTES;
                    if enough {
                        break;
                    }
                    self.found.push(found);
                    self.from.push(row);
                    self.weight += weight + side.weight(found);
                    self.next_found = side.after(found);
                }
                if enough {
                    break;
                }
                self.open = false;
                self.at += 1;
            }
        } else {
            self.at = rows;
        }
        self.out.len = self.found.len();
        self.tally.met += (self.out.len - had) as u64;
        self.has_input = enough;
        if enough {
            self.most = self.most.saturating_mul(MORE);
        }
        Ok(self.at)
    }

    /// Completes the rows of `out` with the columns of those they belong to, applies ON, remembers which rows of the left side
    /// matched, applies the filter, and hands out what is left, if anything. Rows of the input before `until` find no further
    /// matches.
    fn complete(&mut self, until: usize, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        let step = self.step;
        self.filling = false;
        if self.out.len == 0 && step.kind == StepKind::Inner {
            return Ok(false);
        }
        if let Some(side) = self.hash.as_ref().filter(|_| !self.found.is_empty()) {
            side.gather(&self.found, &self.slots, &mut self.out);
        }
        for slot in &self.input_slots {
            self.out.columns[*slot].gather(&self.input.rows.columns[*slot], &self.from);
        }
        let rest = self.buffer.rest();
        if let Some(on) = rest.as_ref().map_or(step.on.as_ref(), |r| r.on.as_ref()) {
            self.find(on, ctx)?;
            self.compact(ctx);
        }
        if step.kind == StepKind::Left {
            self.match_left(until);
        }
        let filter = rest.as_ref().map_or(step.filter.as_ref(), |r| r.filter.as_ref());
        ctx.conversion.read_row = self.looked + 1;
        if let Some(f) = filter {
            // what a buffer was filtered by already is repeatable, so the whole filter tells of what is left of it
            let again = self.out.len > 1
                && *self
                    .repeatable
                    .get_or_insert_with(|| step.filter.as_ref().is_none_or(Expr::is_repeatable));
            let found = all_at_once(again, ctx, |ctx| self.find(f, ctx))?;
            self.late.learn(self.selected.len(), self.out.len);
            if found.is_none() {
                self.read_late(true, ctx)?;
                self.one_by_one = Some(0);
                return Ok(false);
            }
            if self.selected.is_empty() {
                self.looked += self.out.len as u64;
                return Ok(false);
            }
            self.read_late(false, ctx)?;
        }
        if self.out.len == 0 {
            return Ok(false);
        }
        let before = self.looked;
        self.looked += self.out.len as u64;
        std::mem::swap(&mut self.out, &mut out.rows);
        match filter {
            Some(_) => out.select(&mut self.selected),
            None => out.select_all(),
        }
        out.before = Some(before);
        Ok(true)
    }

    /// Remembers which rows of the left side matched, and joins those before `until` that did not with NULLs.
    fn match_left(&mut self, until: usize) {
        for r in &self.from {
            self.matched[*r as usize] = true;
        }
        if self.passes.as_ref().is_none_or(|p| p.last) {
            let open = (self.settled..until).map(|i| self.input.row(i)).filter(|r| !self.matched[*r]);
            let missing: Vec<u32> = open.map(|r| r as u32).collect();
            if !missing.is_empty() {
                self.null_extend(&missing);
            }
            self.settled = until;
        }
        if let Some(p) = self.passes.as_mut().filter(|_| !self.has_input) {
            p.matched[p.base..p.base + self.input.rows.len].copy_from_slice(&self.matched);
        }
    }

    /// Puts rows of an outer join without a match between the others, with NULLs for the step's table.
    fn null_extend(&mut self, missing: &[u32]) {
        let mut from = Vec::with_capacity(self.from.len() + missing.len());
        // numbers of the rows of `out`, NONE for a row without a match
        let mut rows = Vec::with_capacity(from.capacity());
        let mut missing = missing.iter().copied().peekable();
        for (n, row) in self.from.iter().enumerate() {
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
        for slot in &self.slots {
            let old = &mut self.out.columns[*slot];
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
        for slot in &self.input_slots {
            let v = &mut self.out.columns[*slot];
            v.reset(v.class());
            v.gather(&self.input.rows.columns[*slot], &from);
        }
        self.out.len = from.len();
        self.from = from;
    }

    /// The next of the rows that are filtered one by one; false when there are no more.
    fn next_one(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        let rest = self.buffer.rest();
        let filter = rest.as_ref().map_or(self.step.filter.as_ref(), |r| r.filter.as_ref());
        while let Some(row) = self.one_by_one.filter(|row| *row < self.out.len) {
            self.one_by_one = Some(row + 1);
            let one = super::project::one_row(&self.out, row);
            self.selected.clear();
            if let Some(f) = filter {
                let runner = self.joined.runner(&self.kept);
                let frame = Frame { batch: &one, subqueries: Some(&runner) };
                ctx.conversion.read_row = self.looked + row as u64 + 1;
                f.filter(frame, Rows::All(1), ctx, &mut self.selected)?;
                ctx.check_failed()?;
            }
            if !self.selected.is_empty() {
                out.rows = one;
                out.select_all();
                out.before = Some(self.looked + row as u64);
                return Ok(true);
            }
        }
        self.one_by_one = None;
        self.looked += self.out.len as u64;
        Ok(false)
    }

    fn clear(&mut self) {
        reset(&mut self.out, self.joined.classes);
        if self.numbered {
            self.out.columns.push(Vector::new(Class::UInt));
        }
        self.from.clear();
        self.found.clear();
        self.weight = 0;
    }

    /// Finds the rows of `out` for which the condition is true.
    fn find(&mut self, e: &Expr, ctx: &mut EvalContext) -> SqlResult<()> {
        self.selected.clear();
        if self.out.len == 0 {
            return Ok(());
        }
        let runner = self.joined.runner(&self.kept);
        let frame = Frame { batch: &self.out, subqueries: Some(&runner) };
        e.filter(frame, Rows::All(self.out.len), ctx, &mut self.selected)
    }

    /// Leaves in `out` only the rows found.
    fn compact(&mut self, ctx: &mut EvalContext) {
        if self.selected.len() < self.out.len {
            pack(&mut self.out, &self.selected, ctx);
            self.from = self.selected.iter().map(|r| self.from[*r as usize]).collect();
        }
    }
}

impl Operator for JoinStep<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if !ctx.measures() {
            return self.next_joined(out, ctx);
        }
        let begun = Instant::now();
        let more = self.next_joined(out, ctx);
        let passed = if matches!(more, Ok(true)) { out.len() as u64 } else { 0 };
        let tally = std::mem::take(&mut self.tally);
        ctx.measure(self.step, |m| {
            m.loops += tally.loops;
            m.rows += tally.read;
            m.met += tally.met;
            m.passed += passed;
            m.reading += tally.reading;
            m.time += begun.elapsed();
        });
        more
    }

    fn rewind(&mut self) -> bool {
        self.begin_again()
    }
}

impl JoinStep<'_, '_> {
    /// The next rows that meet the conditions; false when there are no more.
    fn next_joined(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        loop {
            if self.in_order.is_some() {
                return self.next_in_order(out, ctx);
            }
            if self.join(out, ctx)? {
                return Ok(true);
            }
            if self.over || !self.next_input(ctx)? {
                return Ok(false);
            }
        }
    }

    fn begin_again(&mut self) -> bool {
        let again = match &mut self.before {
            Some(Before::Step(before)) => before.rewind(),
            Some(Before::Rows(_)) => false,
            None => true,
        };
        if !again {
            return false;
        }
        // rows that are made, found or kept may be others for other outer values
        let stays =
            matches!(self.step.access, Access::Scan) && matches!(self.table.relation, Relation::Base(_));
        if !stays {
            self.reader = None;
        }
        self.buffer = if self.before.is_none() { Buffer::Refused } else { Buffer::None };
        (self.hash, self.nest) = (None, None);
        (self.parted, self.parts, self.in_order, self.passes) = (None, None, None, None);
        (self.prepared, self.over, self.numbered) = (false, false, false);
        self.input.forget();
        (self.has_input, self.open, self.filling) = (false, false, false);
        (self.at, self.settled, self.weight, self.read) = (0, 0, 0, 0);
        (self.next_found, self.one_by_one, self.looked) = (None, None, 0);
        self.most = self.joined.at_once;
        true
    }
}

fn slots_of(block: &BlockPlan, mask: u64) -> Vec<usize> {
    let tables = block.tables.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
    tables.flat_map(|(_, t)| t.slots()).collect()
}

/// The tables of these steps.
fn mask_of(steps: &[Step]) -> u64 {
    steps.iter().fold(0, |m, s| m | step_mask(s))
}

/// What the rows before the step of a hash join are joined by.
fn probe_of(step: &Step) -> Option<KeyOf<'_>> {
    match &step.access {
        Access::Hash { probe, null_safe, .. } => Some(KeyOf(probe, *null_safe)),
        _ => None,
    }
}

/// The tables of a step.
fn step_mask(step: &Step) -> u64 {
    match &step.access {
        Access::Nest { steps } => mask_of(steps),
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
fn weights(rows: &Batch, slots: &[usize], out: &mut Vec<usize>) {
    out.clear();
    let columns = || slots.iter().map(|s| &rows.columns[*s]);
    if columns().map(Vector::byte_len).sum::<usize>() < BATCH_BYTES / BATCH_ROWS {
        return;
    }
    out.extend((0..rows.len).map(|row| columns().map(|v| v.bytes(row).len()).sum::<usize>()));
}

//! How a step of a join finds the rows that meet one row of its input.

use super::super::level::padded;
use super::super::lookup::Part;
use super::super::materialize::Materializer;
use super::super::project::one_row;
use super::super::source;
use super::build::{self, Built};
use super::*;
use crate::plan::sarg::RangeCondition;
use crate::plan::{KeyPartValue, KeyRange, sarg};
use crate::table::OpenTable;
use crate::table::index_merge::{IndexMergeReader, Merged};
use crate::table::interval::{Bound, Interval, is_open};
use crate::table::loose::LooseReader;
use crate::table::spatial::{SpatialReader, SpatialWalk};

/// Intervals whose rows are counted before they are read; others are few.
const FEW_INTERVALS: usize = 20;

impl<'p, 'e> JoinStep<'p, 'e> {
    /// Makes what a step needs once.
    pub(super) fn prepare(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        let (step, exec) = (self.step, self.joined.exec);
        match &step.access {
            Access::Hash { .. } => {
                self.tally.loops += 1;
                let Joined { exec, plan, block, .. } = self.joined;
                let Built { side, parted } = match exec.take_built(step) {
                    Some(built) => built,
                    None => build::built(exec, (plan, block, step), None, ctx)?,
                };
                (self.hash, self.parted) = (side, parted);
            }
            Access::Nest { steps } if !depends(steps, step_mask(step)) => {
                // the part that is this thread's is of the first table
                let part = exec.part.take();
                self.make_nest(steps, None, ctx)?;
                exec.part.set(part);
            }
            _ => {}
        }
        Ok(())
    }

    /// Joins the tables of a nest among themselves; those that depend on the tables before it for a row of theirs.
    fn make_nest(&mut self, steps: &'p [Step], row: Option<usize>, ctx: &mut EvalContext) -> SqlResult<()> {
        let mut keeper = Materializer::new(&ctx.budget);
        let mut rows = Chunk::default();
        let (slots, before) = match row {
            Some(row) => (&self.input_slots[..], Some(one_row(&self.input.rows, row))),
            None => (&[][..], None),
        };
        if let Some(mut inner) = chain(self.joined, steps, slots) {
            if let Some(before) = before {
                inner.first_input(before);
            }
            while inner.next(&mut rows, ctx)? {
                rows.pack(ctx);
                keeper.push_batch(&padded(&rows.rows))?;
            }
        }
        self.nest = Some(Box::new(keeper.finish()?.read()));
        Ok(())
    }

    /// Positions a nest before its first row.
    fn begin_nest(&mut self, steps: &'p [Step], row: usize, ctx: &mut EvalContext) -> SqlResult<bool> {
        if depends(steps, step_mask(self.step)) {
            self.make_nest(steps, Some(row), ctx)?;
        } else if let Some(reader) = &mut self.nest {
            reader.rewind();
        }
        Ok(true)
    }

    /// Gives the first step the row that all are joined for.
    fn first_input(&mut self, row: Batch) {
        match &mut self.before {
            Some(Before::Step(before)) => before.first_input(row),
            _ => self.input.rows = row,
        }
    }

    /// Positions a JSON_TABLE at the document of a row.
    fn begin_document(&mut self, document: &'p Expr, row: usize, ctx: &mut EvalContext) -> SqlResult<bool> {
        let Relation::JsonTable(table) = &self.table.relation else { return Ok(false) };
        let runner = self.joined.runner(&self.kept);
        let frame = Frame { batch: &self.input.rows, subqueries: Some(&runner) };
        let rows = [row as u32];
        let value = document.eval(frame, Rows::Some(&rows), ctx)?;
        ctx.check_failed()?;
        let json = match &mut self.json {
            Some(json) => json,
            None => self.json.insert(Box::new(JsonRows::new(table, &self.table.columns)?)),
        };
        let begun = json.begin(value.value(0).as_ref(), &document.ty);
        ctx.done(value);
        Ok(begun)
    }

    /// Positions the step for a row of its input; false when nothing can match.
    pub(super) fn position(&mut self, row: usize, ctx: &mut EvalContext) -> SqlResult<bool> {
        let (step, table, exec) = (self.step, self.table, self.joined.exec);
        self.tally.loops += u64::from(!matches!(step.access, Access::Hash { .. }));
        match &step.access {
            Access::Scan => self.scan(ctx),
            Access::KeyScan { key, descending } => {
                exec.counters.borrow_mut().entered(1, true, *descending);
                let Some(reader) = self.key_reader(*key, *descending, ctx)? else { return Ok(false) };
                reader.intervals().clear();
                reader.intervals().push(Interval::default());
                reader.begin(false);
                Ok(true)
            }
            Access::Lookup { .. } => self.look_up(row, ctx),
            Access::FullText(search) => {
                if let Some(r) = &mut self.reader {
                    r.rewind();
                } else {
                    let runner = self.joined.runner(&self.kept);
                    let one = Batch::one_row();
                    let frame = Frame { batch: &one, subqueries: Some(&runner) };
                    let Joined { plan, block, .. } = self.joined;
                    let wanted = super::super::full_text::wanted(plan, block, step, ctx)?;
                    let reader = super::super::full_text::reader(exec, search, wanted, frame, ctx)?;
                    (self.reader, self.most) = (Some(reader), wanted.max(1));
                }
                Ok(true)
            }
            Access::Spatial(search) => {
                let Relation::Base(open) = &table.relation else { return Ok(false) };
                exec.counters.borrow_mut().key += 1;
                let value = self.constant(&search.value, ctx)?;
                let Some(rect) = crate::plan::spatial::rect_of(&value) else { return Ok(false) };
                match &mut self.reader {
                    Some(r) => r.rewind(),
                    None => {
                        let walk = SpatialWalk::new(open.format(), search.key, search.relation, rect);
                        self.reader = Some(Box::new(SpatialReader::new(open, walk)));
                    }
                }
                Ok(true)
            }
            Access::IndexMerge(keys) => self.merge_keys(keys, ctx),
            Access::Range { key, condition, descending } => {
                let Relation::Base(open) = &table.relation else { return Ok(false) };
                let list = sarg::intervals(open.format(), *key, condition, &mut |e| self.constant(e, ctx))?;
                exec.counters.borrow_mut().entered(list.len(), is_open(&list, *descending), *descending);
                if list.is_empty() {
                    return Ok(false);
                }
                // a step that began to read all rows goes on so
                let scans = self.reader.is_some()
                    || self.key_reader.is_none() && self.reads_most(open, *key, condition, &list);
                if scans {
                    return self.scan(ctx);
                }
                let Some(reader) = self.key_reader(*key, *descending, ctx)? else { return Ok(false) };
                *reader.intervals() = list;
                reader.begin(false);
                Ok(true)
            }
            Access::Hash { .. } => {
                let (Some(side), Some(key)) = (&self.hash, self.keys.get(self.at)) else { return Ok(false) };
                self.next_found = side.find(key);
                Ok(self.next_found.is_some())
            }
            Access::JsonTable(document) => self.begin_document(document, row, ctx),
            Access::Nest { steps } => self.begin_nest(steps, row, ctx),
        }
    }

    /// Positions the step before the first of all rows.
    fn scan(&mut self, ctx: &mut EvalContext) -> SqlResult<bool> {
        if let Some(r) = &mut self.reader {
            r.rewind();
            return Ok(true);
        }
        let exec = self.joined.exec;
        let whole = self.before.is_some() || !matches!(self.step.access, Access::Scan);
        let part = if whole { exec.part.take() } else { exec.part.get() };
        let reader = source::scan(exec, self.table, ctx);
        exec.part.set(part);
        self.reader = Some(reader?);
        Ok(true)
    }

    /// Whether so many rows lie in intervals whose ends nobody knew while the statement was planned that reading all of them costs less, and nobody
    /// asks for their order.
    fn reads_most(
        &self,
        open: &OpenTable,
        key: usize,
        condition: &RangeCondition,
        list: &[Interval],
    ) -> bool {
        let block = self.joined.block;
        let ordered = block.ordered_by_access || block.group.as_ref().is_some_and(|g| g.in_order);
        if !condition.asks_subqueries()
            || ordered
            || self.step.covering
            || self.step.loose.is_some()
            || open.children().is_some()
        {
            return false;
        }
        let pin = self.joined.exec.snapshot.pin();
        let Ok(view) = pin.table(open.pages()) else { return false };
        let count = |i: &Interval| {
            let [low, high] = [&i.low, &i.high].map(|end| end.as_ref().map(Bound::as_end));
            open.format().records_in_range(&view, key, low, high)
        };
        // what cannot be read is told of by who reads it
        let found: u64 = list.iter().take(FEW_INTERVALS).filter_map(|i| count(i).ok()).sum();
        found * 4 > open.state_in(&view).records()
    }

    /// The same for several keys together, whose rows are found once.
    fn merge_keys(&mut self, keys: &'p [KeyRange], ctx: &mut EvalContext) -> SqlResult<bool> {
        if let Some(r) = &mut self.reader {
            r.rewind();
            return Ok(true);
        }
        let Relation::Base(open) = &self.table.relation else { return Ok(false) };
        let mut merged = Vec::with_capacity(keys.len());
        for KeyRange { key, condition } in keys {
            let intervals = sarg::intervals(open.format(), *key, condition, &mut |e| self.constant(e, ctx))?;
            let begins_open = is_open(&intervals, false);
            self.joined.exec.counters.borrow_mut().entered(intervals.len(), begins_open, false);
            merged.push(Merged { key: *key, intervals });
        }
        self.reader = Some(Box::new(IndexMergeReader::new(open, merged, ctx.budget.sort)));
        Ok(true)
    }

    /// The same for a look-up by key.
    #[inline]
    fn look_up(&mut self, row: usize, ctx: &mut EvalContext) -> SqlResult<bool> {
        let Access::Lookup { key, parts, descending, unique } = &self.step.access else { return Ok(false) };
        let Relation::Base(open) = &self.table.relation else { return Ok(false) };
        let runner = self.joined.runner(&self.kept);
        self.point.start();
        if let Some(null) = &mut self.or_null {
            (null.waits, null.of_null, null.found, null.missed) = (false, false, false, false);
        }
        let mut whole = true;
        for p in parts {
            let value = if let crate::expr::Node::Once(_, e) = &p.value.node {
                eval_without_warnings(e, ctx)?
            } else {
                let frame = Frame { batch: &self.input.rows, subqueries: Some(&runner) };
                let rows = [row as u32];
                let v = p.value.eval(frame, Rows::Some(&rows), ctx)?;
                let value = v.value(0);
                ctx.done(v);
                value
            };
            match add(&mut self.point, self.or_null.as_mut(), open, *key, p, &value) {
                Part::Added => {}
                Part::Unknown => {
                    whole = false;
                    break;
                }
                Part::Never => {
                    // nobody looks for what equals NULL
                    self.joined.exec.counters.borrow_mut().key += u64::from(!value.is_null());
                    return Ok(false);
                }
            }
        }
        let missed = self.or_null.as_ref().is_some_and(|null| null.missed);
        self.joined.exec.counters.borrow_mut().key += 1 + u64::from(missed);
        let single = *unique && whole && !self.point.has_null();
        self.key_reader(*key, *descending, ctx)?;
        let Some(reader) = &mut self.key_reader else { return Ok(false) };
        if self.point.is_empty() {
            reader.intervals().clear();
            reader.intervals().push(Interval::default());
        } else {
            self.point.fill(reader.intervals());
        }
        reader.begin(single);
        Ok(true)
    }

    /// Goes on to the rows with NULL behind those of a value; false when they were read, or are not wanted.
    fn go_on_to_null(&mut self) -> bool {
        let (Some(null), Some(reader)) = (&mut self.or_null, &mut self.key_reader) else { return false };
        if !std::mem::replace(&mut null.waits, false) || null.of_null && null.found {
            return false;
        }
        self.joined.exec.counters.borrow_mut().key += 1;
        if null.of_null {
            return false;
        }
        null.point.fill(reader.intervals());
        reader.begin(false);
        true
    }

    fn constant(&self, e: &Expr, ctx: &mut EvalContext) -> SqlResult<Value> {
        match &e.node {
            crate::expr::Node::Literal(v) => return Ok(v.clone()),
            crate::expr::Node::Once(_, e) => return eval_without_warnings(e, ctx),
            _ => {}
        }
        // the bound of a range and the condition convert it, each for itself
        let e = if let crate::expr::Node::Answer(_, inner) = &e.node { inner } else { e };
        let runner = self.joined.runner(&self.kept);
        let one = Batch::one_row();
        e.value_in(Frame { batch: &one, subqueries: Some(&runner) }, ctx)
    }

    /// The reader of a step's key, made when it is asked for first.
    pub(super) fn key_reader(
        &mut self,
        key: usize,
        descending: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<&mut (dyn KeyReader + 'p)>> {
        if self.key_reader.is_none() {
            let (step, table) = (self.step, self.table);
            let Relation::Base(open) = &table.relation else { return Ok(None) };
            let info = &open.keys()[key];
            let parts = || -> Option<Vec<usize>> {
                table.columns.iter().map(|(c, _, _)| crate::plan::access::part_for(info, *c)).collect()
            };
            let covering = if step.covering { parts() } else { None };
            if let (Some(wanted), Some(covering)) = (step.loose, &covering) {
                let reader = LooseReader::new(open, key, covering.clone(), wanted);
                return Ok(Some(&mut **self.key_reader.insert(Box::new(reader))));
            }
            let reader = match source::partitions(open, table, ctx)? {
                Some(numbers) => open.walk_partitions(key, descending, covering, &numbers),
                None => open.walk(key, descending, covering),
            };
            self.key_reader = Some(reader);
        }
        Ok(self.key_reader.as_deref_mut())
    }

    /// Reads further rows of the step's table into `out`; false when there are no more.
    pub(super) fn more(&mut self, most: usize, ctx: &mut EvalContext) -> SqlResult<bool> {
        let (step, table, exec) = (self.step, self.table, self.joined.exec);
        if let Some(ready) = self.buffer.ready() {
            return Ok(ready.fill(&mut self.out, most));
        }
        match &step.access {
            Access::Hash { .. } => {
                let Some(side) = &self.hash else { return Ok(false) };
                while let Some(row) = self.next_found {
                    if self.out.len >= most || self.weight >= BATCH_BYTES {
                        return Ok(true);
                    }
                    self.found.push(row);
                    self.weight += side.weight(row);
                    self.out.len += 1;
                    self.next_found = side.after(row);
                }
                Ok(false)
            }
            Access::Nest { .. } => {
                let Some(reader) = &mut self.nest else { return Ok(false) };
                while self.out.len < most {
                    let Some((batch, at)) = reader.next_row()? else { return Ok(false) };
                    for slot in &self.slots {
                        self.out.columns[*slot].push_from(&batch.columns[*slot], at);
                    }
                    self.out.len += 1;
                    if self.out.byte_len() >= BATCH_BYTES {
                        break;
                    }
                }
                Ok(true)
            }
            Access::JsonTable(_) => {
                let had = self.out.len;
                let Some(json) = &mut self.json else { return Ok(false) };
                let begun = ctx.measures().then(Instant::now);
                let more = json.fill(&mut self.out, most, ctx)?;
                let read = (self.out.len - had) as u64;
                let mut counters = exec.counters.borrow_mut();
                counters.rnd_next += read + u64::from(!more);
                counters.rows += read;
                drop(counters);
                self.tally.read += read;
                self.tally.reading += begun.map_or(Duration::ZERO, |begun| begun.elapsed());
                Ok(more)
            }
            _ => {
                let had = self.out.len;
                let begun = ctx.measures().then(Instant::now);
                let more = match (&mut self.key_reader, &mut self.reader) {
                    (Some(r), _) => source::fill(exec, table, &mut **r, &mut self.out, most, ctx)?,
                    (None, Some(r)) => {
                        let columns = self.late.first(had == 0).unwrap_or(&table.columns);
                        source::fill_columns(exec, table, columns, &mut **r, &mut self.out, most, ctx)?
                    }
                    (None, None) => return Ok(false),
                };
                self.tally.read += (self.out.len - had) as u64;
                if let Some(begun) = begun {
                    self.tally.reading += begun.elapsed();
                }
                if let Some(slot) = table.number {
                    for _ in had..self.out.len {
                        self.read += 1;
                        self.out.columns[slot].push_i64(self.read);
                    }
                }
                if let Some(null) = &mut self.or_null {
                    null.found |= self.out.len > had;
                }
                Ok(more || self.go_on_to_null())
            }
        }
    }
}

/// The rows with NULL in a part of the key, which come behind those of a value.
#[derive(Default)]
pub(super) struct OrNull {
    /// Where they are.
    point: PointKey,
    /// They are still to be read.
    waits: bool,
    /// The value is NULL itself: they are what is found first. The reference server looks for them twice where there is none of them.
    of_null: bool,
    /// No row can have the value: the reference server looks for it nevertheless.
    missed: bool,
    /// A row was found.
    found: bool,
}

impl OrNull {
    /// Room for them where a step reads them.
    pub(super) fn of(access: &Access) -> Option<Box<OrNull>> {
        let Access::Lookup { parts, .. } = access else { return None };
        parts.iter().any(|p| p.or_null).then(Box::default)
    }
}

/// Adds a part to the key that is looked up, and to that of the rows with NULL once they differ.
fn add(
    point: &mut PointKey,
    or_null: Option<&mut Box<OrNull>>,
    open: &OpenTable,
    key: usize,
    part: &KeyPartValue,
    value: &Value,
) -> Part {
    let Some(null) = or_null else { return point.add(open, key, part, value) };
    if part.or_null {
        null.point.copy(point);
        null.point.add_null(open, key);
        let added = point.add(open, key, part, value);
        if added == Part::Never {
            // no row has the value, or it is NULL: one look-up finds all
            point.copy(&null.point);
            let of_null = value.is_null();
            (null.waits, null.of_null, null.missed) = (of_null, of_null, !of_null);
            return Part::Added;
        }
        null.waits = added == Part::Added;
        return added;
    }
    let added = point.add(open, key, part, value);
    if null.waits && !null.of_null && added == Part::Added {
        null.point.add(open, key, part, value);
    }
    added
}

/// Whether one of these steps needs a row of tables that are not among them.
fn depends(steps: &[Step], among: u64) -> bool {
    steps.iter().any(|s| match &s.access {
        Access::JsonTable(document) => document.tables() & !among != 0,
        Access::Nest { steps } => depends(steps, among),
        _ => false,
    })
}

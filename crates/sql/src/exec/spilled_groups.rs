//! Groups for which memory has no room. Their rows are spilled into a sort by the group's key; then one group after
//! the other is put together. Groups in memory go on taking rows until what they gather is too much as well: from
//! then on all rows are spilled, and a group that was begun in memory is ended from its rows on disk.

use crate::exec::accumulate::Accumulate;
use std::iter::Peekable;

use super::level::{Level, PaddedBatch, items};

use super::accumulate::tell_cuts;
use super::rows::only;
use super::running::Running;
use super::sort::Sorter;
use super::spool::RowKeys;
use super::subquery::Runner;
use super::wanted::Wanted;
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::memory::{BATCH_BYTES, BATCH_ROWS, Budget};
use crate::plan::GroupPlan;
use crate::types::{Batch, Class, Value, Vector};

/// Columns before those of a row that was spilled: the row's number.
const BEFORE: usize = 1;

/// Columns before those of a finished group: the number of keys it has.
const STANDING: usize = 1;

/// The groups of one level, and the rows that found no room there.
pub struct Grouping {
    /// The groups in memory.
    pub level: Level,
    spilled: Option<Sorter>,
    /// Columns of the rows themselves.
    width: usize,
    budget: Budget,
    /// Rows seen.
    pub rows: u64,
    /// The groups that LIMIT leaves.
    pub wanted: Option<Wanted>,
    waiting: Waiting,
}

/// Rows of a batch that are about to be spilled.
#[derive(Default)]
struct Waiting {
    keys: Option<Vector>,
    numbers: Option<Vector>,
    rows: Vec<u32>,
}

/// Which rows a level takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// All.
    AnyGroup,
    /// Those of groups that it has.
    ExistingOnly,
    /// None: all go to disk.
    SpillAll,
}

impl Grouping {
    /// No group.
    #[must_use]
    pub fn new(keys: usize, wanted: Option<Wanted>, budget: &Budget) -> Grouping {
        Grouping {
            level: Level::new(keys),
            spilled: None,
            width: 0,
            budget: budget.clone(),
            rows: 0,
            wanted,
            waiting: Waiting::default(),
        }
    }

    /// Forgets the groups of rows in memory, keeps their room.
    pub fn clear(&mut self) {
        self.level.clear();
        self.rows = 0;
    }

    /// Tells how much the groups hold.
    pub fn note(&self, g: &GroupPlan) {
        self.budget.note(self.level.memory(g));
    }

    /// What there is room for.
    #[must_use]
    pub fn admission(&self, g: &GroupPlan) -> Admission {
        let (memory, most) = (self.level.memory(g), self.budget.table);
        self.budget.note(memory);
        if memory <= most {
            Admission::AnyGroup
        } else if memory <= most + most / 4 {
            Admission::ExistingOnly
        } else {
            Admission::SpillAll
        }
    }

    /// Whether rows were spilled.
    #[must_use]
    pub fn is_spilled(&self) -> bool {
        self.spilled.is_some()
    }

    /// Puts a row of a batch off, with the batch's others at its end.
    pub fn spill_row(&mut self, key: &[u8], number: u64, row: usize) {
        let w = &mut self.waiting;
        w.keys.get_or_insert_with(|| Vector::new(Class::Bytes)).push_bytes(key);
        w.numbers.get_or_insert_with(|| Vector::new(Class::UInt)).push_i64(number.cast_signed());
        w.rows.push(row as u32);
    }

    /// Ends a batch.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn end_batch(&mut self, whole: &mut PaddedBatch<'_>, args: &[Vec<&Vector>]) -> SqlResult<()> {
        if let Some(wanted) = &mut self.wanted {
            wanted.look(&self.level.groups);
        }
        let (Some(keys), Some(numbers)) = (&mut self.waiting.keys, &mut self.waiting.numbers) else {
            return Ok(());
        };
        let rows = &mut self.waiting.rows;
        if rows.is_empty() {
            return Ok(());
        }
        let mut batch = Batch { columns: vec![std::mem::take(numbers)], len: rows.len() };
        let columns = &whole.get().columns;
        self.width = columns.len();
        for v in columns.iter().chain(args.iter().flatten().copied()) {
            let mut to = Vector::new(v.class());
            to.gather(v, rows);
            batch.columns.push(to);
        }
        rows.clear();
        let sorter = self.spilled.get_or_insert_with(|| Sorter::keyed(&self.budget));
        sorter.push_keyed(keys, &batch)?;
        keys.reset(Class::Bytes);
        *numbers = batch.columns.swap_remove(0);
        numbers.reset(Class::UInt);
        Ok(())
    }

    /// Begins to end all groups, in the order of their keys.
    ///
    /// # Errors
    /// Those of the temporary files.
    fn end(mut self) -> SqlResult<Ending> {
        let known = self.level.groups.sorted(usize::MAX).into_iter().peekable();
        let mut spilled = self.spilled.take();
        if let Some(sorter) = &mut spilled {
            sorter.finish()?;
        }
        Ok(Ending {
            level: self.level,
            known,
            spilled,
            width: self.width,
            rows: Batch::default(),
            keys: RowKeys::default(),
            at: 0,
        })
    }
}

/// The groups of one level that are ended, in the order of their keys.
struct Ending {
    level: Level,
    /// Groups in memory that were not ended.
    known: Peekable<std::vec::IntoIter<u32>>,
    spilled: Option<Sorter>,
    /// Columns of the rows themselves.
    width: usize,
    /// Spilled rows, and the next of them.
    rows: Batch,
    keys: RowKeys,
    at: usize,
}

impl Ending {
    /// Ends groups until a batch of them is finished; false when all are ended.
    fn advance(
        &mut self,
        g: &GroupPlan,
        runner: &Runner<'_, '_, '_>,
        out: &mut Finished,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        while let Some(sorter) = &mut self.spilled {
            if self.at >= self.rows.len {
                if !sorter.next_keyed(&mut self.rows, &mut self.keys)? {
                    self.spilled = None;
                    out.end_group(g, ctx)?;
                    break;
                }
                ctx.check_killed()?;
                self.at = 0;
            }
            if self.add_spilled(g, runner, out, ctx)? {
                return Ok(true);
            }
        }
        while out.ready.is_none() {
            let Some(n) = self.known.next() else { return Ok(false) };
            ctx.check_killed()?;
            out.take_group(g, &mut self.level, n as usize);
            out.end_group(g, ctx)?;
        }
        Ok(true)
    }

    /// Adds the spilled rows at hand to their groups, and ends those before; true when a batch is finished.
    fn add_spilled(
        &mut self,
        g: &GroupPlan,
        runner: &Runner<'_, '_, '_>,
        out: &mut Finished,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        let (before, columns) = self.rows.columns.split_at(BEFORE);
        let (whole, flat) = columns.split_at(self.width);
        let mut columns = flat.iter();
        let args: Vec<Vec<&Vector>> = g
            .aggregates
            .iter()
            .map(|a| columns.by_ref().take(a.args.len() + a.order_by.len()).collect())
            .collect();
        let level = &mut self.level;
        for (row, key) in self.keys.iter().skip(self.at) {
            if !out.is_open(key) {
                out.end_group(g, ctx)?;
                while out.ready.is_none()
                    && let Some(n) = self.known.next_if(|n| level.groups.key(*n as usize) < key)
                {
                    out.take_group(g, level, n as usize);
                    out.end_group(g, ctx)?;
                }
                if out.ready.is_some() {
                    self.at = row;
                    return Ok(true);
                }
                if let Some(n) = self.known.next_if(|n| level.groups.key(*n as usize) == key) {
                    out.take_group(g, level, n as usize);
                } else {
                    let items = if g.items.is_empty() {
                        Vec::new()
                    } else {
                        items(g, &super::project::row_of(whole, row), 0, runner, ctx)?
                    };
                    let began = before[0].i64(row).cast_unsigned();
                    out.begin_group(g, (key, level.keys), began, (whole, row), items);
                }
            }
            out.add_row(g, &args, row, ctx)?;
        }
        self.at = self.rows.len;
        Ok(false)
    }
}

/// Levels of groups of which some were spilled, as they are ended.
pub struct SpilledGroups {
    levels: std::vec::IntoIter<Grouping>,
    ending: Option<Ending>,
    finished: Finished,
}

impl SpilledGroups {
    /// Begins.
    #[must_use]
    pub fn new(levels: Vec<Grouping>, order: Order, keys: usize, budget: &Budget) -> SpilledGroups {
        SpilledGroups {
            levels: levels.into_iter(),
            ending: None,
            finished: Finished::new(order, keys, budget),
        }
    }

    /// Makes `rows` the next finished groups, and `keys` the numbers of their keys; false when there are no more.
    ///
    /// # Errors
    /// Those of the temporary files and of the aggregates.
    pub fn next(
        &mut self,
        g: &GroupPlan,
        runner: &Runner<'_, '_, '_>,
        rows: &mut Batch,
        keys: &mut Vec<usize>,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        // groups may be long: those that were taken make room for the next
        rows.columns.clear();
        loop {
            if let Some(ready) = self.finished.ready.take() {
                *rows = ready;
                break;
            }
            if let Some(ending) = &mut self.ending {
                if !ending.advance(g, runner, &mut self.finished, ctx)? {
                    self.ending = None;
                }
            } else if let Some(level) = self.levels.next() {
                self.ending = Some(level.end()?);
            } else if self.finished.rest(rows, ctx)? {
                break;
            } else {
                return Ok(false);
            }
        }
        keys.clear();
        keys.extend((0..rows.len).map(|r| rows.columns[0].i64(r) as usize));
        rows.columns.drain(..STANDING);
        Ok(true)
    }
}

/// How finished groups are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By their keys: as they are finished.
    Finished,
    /// By their keys, sums behind what they sum.
    Sums,
    /// As they began.
    Began,
}

/// Finished groups on their way to the result, and the one that is put together.
struct Finished {
    order: Order,
    sorter: Sorter,
    /// All keys, of which ROLLUP's sums have fewer.
    keys: usize,
    /// Groups of the next batch; the last of them lacks its aggregates and items while it is put together.
    open: Batch,
    standing: Vector,
    /// The key of the group that is put together.
    key: Option<Vec<u8>>,
    spare: Vec<u8>,
    running: Vec<Running>,
    items: Vec<Value>,
    /// A batch of groups that go out in the order in which they are finished.
    ready: Option<Batch>,
    /// What was finished is sorted.
    sorted: bool,
}

impl Finished {
    /// None yet.
    fn new(order: Order, keys: usize, budget: &Budget) -> Finished {
        Finished {
            order,
            sorter: Sorter::keyed(budget),
            keys,
            open: Batch::default(),
            standing: Vector::new(Class::Bytes),
            key: None,
            spare: Vec::new(),
            running: Vec::new(),
            items: Vec::new(),
            ready: None,
            sorted: false,
        }
    }

    /// Whether the group of this key is being put together.
    fn is_open(&self, key: &[u8]) -> bool {
        self.key.as_deref() == Some(key)
    }

    /// Begins a group with its key and the number of its keys, and its first row.
    fn begin_group(
        &mut self,
        g: &GroupPlan,
        (key, keys): (&[u8], usize),
        began: u64,
        first: (&[Vector], usize),
        items: Vec<Value>,
    ) {
        self.stand(g, (key, keys), began, first);
        self.items = items;
        if self.running.is_empty() {
            self.running.extend(g.aggregates.iter().map(Running::new));
        }
        for (a, running) in g.aggregates.iter().zip(&mut self.running) {
            running.clear();
            running.begin(a);
        }
    }

    /// Goes on with a group that is in memory.
    fn take_group(&mut self, g: &GroupPlan, level: &mut Level, n: usize) {
        let (batch, row) = level.first.at(n);
        let key = (level.groups.key(n), level.keys);
        self.stand(g, key, level.began[n], (&batch.columns, row));
        self.items = level.items.get_mut(n).map(std::mem::take).unwrap_or_default();
        if self.running.is_empty() {
            self.running.extend(g.aggregates.iter().map(Running::new));
        }
        for (to, from) in self.running.iter_mut().zip(&mut level.running) {
            to.clear();
            to.move_from(from, n);
        }
    }

    /// The columns of a group that begins.
    fn stand(
        &mut self,
        g: &GroupPlan,
        (key, keys): (&[u8], usize),
        began: u64,
        (first, row): (&[Vector], usize),
    ) {
        let first = only(first.iter(), g.read_slots());
        let mut open = std::mem::take(&mut self.spare);
        open.clear();
        open.extend_from_slice(key);
        self.key = Some(open);
        // sums stand behind all that is summed: behind more than any part of a key begins with
        let behind: &[u8] = if keys < self.keys { &[0xFF] } else { &[] };
        let write = |to: &mut Vec<u8>| -> Result<bool, std::convert::Infallible> {
            match self.order {
                Order::Finished => {}
                Order::Sums => to.extend_from_slice(key),
                Order::Began => to.extend_from_slice(&began.to_be_bytes()),
            }
            to.extend_from_slice(behind);
            Ok(true)
        };
        let Ok(()) = self.standing.push_bytes_with(write);
        let columns = &mut self.open.columns;
        if columns.is_empty() {
            columns.push(Vector::new(Class::Int));
            columns.extend(first.clone().map(|v| Vector::new(v.class())));
            columns.extend(g.aggregates.iter().map(|a| Vector::new(a.ty.class())));
            columns.extend(g.items.iter().map(|e| Vector::new(e.ty.class())));
        }
        columns[0].push_i64(keys as i64);
        for (to, v) in columns[STANDING..].iter_mut().zip(first) {
            if !v.is_null(row) {
                to.adopt(v.class());
            }
            to.push_from(v, row);
        }
    }

    /// Adds a row to the group that is put together.
    fn add_row(
        &mut self,
        g: &GroupPlan,
        args: &[Vec<&Vector>],
        row: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        for ((a, args), running) in g.aggregates.iter().zip(args).zip(&mut self.running) {
            running.add_row(0, a, args, row, ctx)?;
        }
        Ok(())
    }

    /// Ends the group that is put together, if there is one.
    fn end_group(&mut self, g: &GroupPlan, ctx: &mut EvalContext) -> SqlResult<()> {
        let Some(key) = self.key.take() else { return Ok(()) };
        self.spare = key;
        let columns = &mut self.open.columns;
        let rest = columns.len() - g.aggregates.len() - g.items.len();
        let (aggregates, items) = columns[rest..].split_at_mut(g.aggregates.len());
        for ((a, running), to) in g.aggregates.iter().zip(&mut self.running).zip(aggregates) {
            to.push(a.finish(running.take(0, a), ctx)?.as_ref());
        }
        tell_cuts(ctx);
        for (v, to) in self.items.iter().zip(items) {
            to.push(v.as_ref());
        }
        self.open.len += 1;
        if self.open.len >= BATCH_ROWS || self.open.byte_len() >= BATCH_BYTES {
            self.hand_on()?;
        }
        Ok(())
    }

    fn hand_on(&mut self) -> SqlResult<()> {
        if self.open.len == 0 {
            return Ok(());
        }
        if self.order == Order::Finished {
            self.standing.reset(Class::Bytes);
            self.ready = Some(std::mem::take(&mut self.open));
            return Ok(());
        }
        self.sorter.push_keyed(&self.standing, &self.open)?;
        self.standing.reset(Class::Bytes);
        for v in &mut self.open.columns {
            v.reset(v.class());
        }
        self.open.len = 0;
        Ok(())
    }

    /// What is left when all groups are finished, in order; false when that is nothing.
    fn rest(&mut self, rows: &mut Batch, ctx: &mut EvalContext) -> SqlResult<bool> {
        if !std::mem::replace(&mut self.sorted, true) {
            self.hand_on()?;
            self.sorter.finish()?;
        }
        if let Some(last) = self.ready.take() {
            *rows = last;
            return Ok(true);
        }
        ctx.check_killed()?;
        Ok(self.order != Order::Finished && self.sorter.next(rows)?)
    }
}

//! Groups for which memory has no room. Their rows are put off into a sort by the group's key; then one group after
//! the other is put together. Groups in memory go on taking rows until what they gather is too much as well: from
//! then on all rows are put off, and a group that was begun in memory is ended from its rows on disk.

use super::level::{Level, Whole, accumulators, items};
use super::rows::BATCH_ROWS;
use super::sort::Sorter;
use super::sortkey::KeySpec;
use super::spool::{BATCH_BYTES, Budget};
use super::subquery::Runner;
use crate::error::SqlResult;
use crate::expr::{Accumulator, EvalContext};
use crate::plan::GroupPlan;
use crate::types::{Batch, Class, Value, Vector};

/// Columns before those of a row that was put off: the group's key, the row's number.
const BEFORE: usize = 2;

/// Columns before those of a finished group: where it stands, the number of keys it has.
pub const STANDING: usize = 2;

/// The groups of one level, and the rows that found no room there.
pub struct Grouping {
    /// The groups in memory.
    pub level: Level,
    put_off: Option<Sorter>,
    /// Columns of the rows themselves.
    width: usize,
    budget: Budget,
    /// Rows seen.
    pub rows: u64,
    waiting: Waiting,
}

/// Rows of a batch that are about to be put off.
#[derive(Default)]
struct Waiting {
    keys: Option<Vector>,
    numbers: Option<Vector>,
    rows: Vec<u32>,
}

/// Which rows a level takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// All.
    All,
    /// Those of groups that it has.
    Known,
    /// None.
    None,
}

impl Grouping {
    /// No group.
    #[must_use]
    pub fn new(keys: usize, budget: &Budget) -> Grouping {
        Grouping {
            level: Level::new(keys),
            put_off: None,
            width: 0,
            budget: budget.clone(),
            rows: 0,
            waiting: Waiting::default(),
        }
    }

    /// What there is room for.
    #[must_use]
    pub fn room(&self, g: &GroupPlan) -> Room {
        let (memory, most) = (self.level.memory(g), self.budget.table);
        if memory <= most {
            Room::All
        } else if memory <= most + most / 4 {
            Room::Known
        } else {
            Room::None
        }
    }

    /// Whether rows were put off.
    #[must_use]
    pub fn is_spilled(&self) -> bool {
        self.put_off.is_some()
    }

    /// Puts a row of a batch off, with the batch's others at its end.
    pub fn put_off(&mut self, key: &[u8], number: u64, row: usize) {
        let w = &mut self.waiting;
        w.keys.get_or_insert_with(|| Vector::new(Class::Bytes)).push_bytes(key);
        w.numbers.get_or_insert_with(|| Vector::new(Class::UInt)).push_i64(number.cast_signed());
        w.rows.push(row as u32);
    }

    /// Ends a batch.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn end_batch(&mut self, whole: &mut Whole<'_>, args: &[Vec<&Vector>]) -> SqlResult<()> {
        let (Some(keys), Some(numbers)) = (self.waiting.keys.take(), self.waiting.numbers.take()) else {
            return Ok(());
        };
        let rows = std::mem::take(&mut self.waiting.rows);
        let mut batch = Batch { columns: vec![keys, numbers], len: rows.len() };
        let columns = &whole.get().columns;
        self.width = columns.len();
        for v in columns.iter().chain(args.iter().flatten().copied()) {
            let mut to = Vector::new(v.class());
            to.gather(v, &rows);
            batch.columns.push(to);
        }
        let sorter = self
            .put_off
            .get_or_insert_with(|| Sorter::new(vec![KeySpec::bytes(0, false)], usize::MAX, &self.budget));
        sorter.push(&batch)
    }

    /// Ends all groups.
    ///
    /// # Errors
    /// Those of the temporary files and of the aggregates.
    pub fn finish(
        mut self,
        g: &GroupPlan,
        runner: &Runner<'_, '_>,
        out: &mut Finished,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let keys = self.level.keys;
        let mut ended = vec![false; self.level.groups.len()];
        if let Some(mut sorter) = self.put_off.take() {
            sorter.finish()?;
            let mut rows = Batch::default();
            let mut group: Option<Group> = None;
            while sorter.next(&mut rows)? {
                ctx.check_killed()?;
                let flat = rows.columns.split_off(BEFORE + self.width);
                let mut columns = flat.iter();
                let args: Vec<Vec<&Vector>> = g
                    .aggregates
                    .iter()
                    .map(|a| columns.by_ref().take(a.args.len() + a.order_by.len()).collect())
                    .collect();
                let (before, whole) = rows.columns.split_at(BEFORE);
                for row in 0..rows.len {
                    let key = before[0].bytes(row);
                    if group.as_ref().is_none_or(|g| g.key != key) {
                        if let Some(done) = group.take() {
                            out.push(g, done, keys, ctx)?;
                        }
                        group = Some(match self.level.groups.find(key) {
                            Some(n) => {
                                ended[n] = true;
                                Group::from_level(g, &mut self.level, n)
                            }
                            None => {
                                let one = one_row(whole, row);
                                let items = items(g, &one, 0, runner, ctx)?;
                                Group {
                                    key: key.to_vec(),
                                    began: before[1].i64(row).cast_unsigned(),
                                    first: one,
                                    accumulators: accumulators(g),
                                    items,
                                }
                            }
                        });
                    }
                    if let Some(group) = &mut group {
                        for ((a, acc), args) in g.aggregates.iter().zip(&mut group.accumulators).zip(&args) {
                            a.add_row(acc, args, row, ctx)?;
                        }
                    }
                }
                drop(args);
                rows.columns.extend(flat);
            }
            if let Some(done) = group {
                out.push(g, done, keys, ctx)?;
            }
        }
        for n in (0..ended.len()).filter(|n| !ended[*n]) {
            out.push(g, Group::from_level(g, &mut self.level, n), keys, ctx)?;
        }
        Ok(())
    }
}

fn one_row(columns: &[Vector], row: usize) -> Batch {
    let one = |v: &Vector| {
        let mut to = Vector::new(v.class());
        to.push_from(v, row);
        to
    };
    Batch { columns: columns.iter().map(one).collect(), len: 1 }
}

/// A group by itself.
struct Group {
    key: Vec<u8>,
    began: u64,
    first: Batch,
    accumulators: Vec<Accumulator>,
    items: Vec<Value>,
}

impl Group {
    /// Takes a group out of memory.
    fn from_level(g: &GroupPlan, level: &mut Level, n: usize) -> Group {
        let (batch, row) = level.first.at(n);
        Group {
            key: level.groups.key(n).to_vec(),
            began: level.began[n],
            first: one_row(&batch.columns, row),
            accumulators: g.aggregates.iter().zip(&mut level.running).map(|(a, r)| r.take(n, a)).collect(),
            items: level.items.get_mut(n).map(std::mem::take).unwrap_or_default(),
        }
    }
}

/// How finished groups are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By their keys, sums behind what they sum.
    Keys,
    /// As they began.
    Began,
}

/// Finished groups on their way to the result.
pub struct Finished {
    sorter: Sorter,
    order: Order,
    /// All keys, of which ROLLUP's sums have fewer.
    keys: usize,
    open: Batch,
}

impl Finished {
    /// None yet.
    #[must_use]
    pub fn new(order: Order, keys: usize, budget: &Budget) -> Finished {
        let sorter = Sorter::new(vec![KeySpec::bytes(0, false)], usize::MAX, budget);
        Finished { sorter, order, keys, open: Batch::default() }
    }

    fn push(&mut self, g: &GroupPlan, group: Group, keys: usize, ctx: &mut EvalContext) -> SqlResult<()> {
        let mut standing = match self.order {
            Order::Keys => group.key,
            Order::Began => group.began.to_be_bytes().to_vec(),
        };
        if keys < self.keys {
            // more than any part begins with: behind all that is summed
            standing.push(0xFF);
        }
        let width = group.first.columns.len();
        if self.open.columns.is_empty() {
            let columns = &mut self.open.columns;
            columns.push(Vector::new(Class::Bytes));
            columns.push(Vector::new(Class::Int));
            columns.extend(group.first.columns.iter().map(|v| Vector::new(v.class())));
            columns.extend(g.aggregates.iter().map(|a| Vector::new(a.ty.class())));
            columns.extend(g.items.iter().map(|e| Vector::new(e.ty.class())));
        }
        let columns = &mut self.open.columns;
        columns[0].push_bytes(&standing);
        columns[1].push_i64(keys as i64);
        for (to, v) in columns[STANDING..].iter_mut().zip(&group.first.columns) {
            if !v.is_null(0) {
                to.adopt(v.class());
            }
            to.push_from(v, 0);
        }
        let rest = &mut columns[STANDING + width..];
        for ((a, acc), to) in g.aggregates.iter().zip(group.accumulators).zip(rest.iter_mut()) {
            to.push(a.finish(acc, ctx)?.as_ref());
        }
        for (v, to) in group.items.iter().zip(&mut rest[g.aggregates.len()..]) {
            to.push(v.as_ref());
        }
        self.open.len += 1;
        if self.open.len >= BATCH_ROWS || self.open.byte_len() >= BATCH_BYTES {
            self.hand_on()
        } else {
            Ok(())
        }
    }

    fn hand_on(&mut self) -> SqlResult<()> {
        self.sorter.push(&self.open)?;
        for v in &mut self.open.columns {
            v.reset(v.class());
        }
        self.open.len = 0;
        Ok(())
    }

    /// All of them, in order; each row has [`STANDING`] columns before its own.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn sorted(mut self) -> SqlResult<Sorter> {
        self.hand_on()?;
        self.sorter.finish()?;
        Ok(self.sorter)
    }
}

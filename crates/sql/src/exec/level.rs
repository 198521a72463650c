//! The groups of a GROUP BY by one number of its keys, in memory.

use super::group_keys::{GroupKeys, Recent};
use super::groups::Groups;
use super::rows::RowStore;
use super::running::Running;
use super::subquery::Runner;
use crate::error::SqlResult;
use crate::expr::{EvalContext, Frame, Rows};
use crate::plan::access::has_subquery;
use crate::plan::full_text::has_match;
use crate::plan::{BlockPlan, GroupPlan};
use crate::types::{Batch, Value, Vector};

/// When a group began whose rows are those of a group of another level.
const GONE: u64 = u64::MAX;

/// One level of groups: all keys, or a prefix of them for ROLLUP.
pub struct Level {
    /// How many of the keys tell groups apart.
    pub keys: usize,
    /// The groups' keys.
    pub groups: Groups,
    /// Groups that were met, while there are few.
    recent: Recent,
    /// The columns of the first row of each group.
    pub first: RowStore,
    /// The number of that row among those that were grouped.
    pub began: Vec<u64>,
    /// The aggregates; none before the first group.
    pub running: Vec<Running>,
    /// What [`GroupPlan::items`] gave for the first row of each group.
    pub items: Vec<Vec<Value>>,
    /// Bytes that accumulators and items took beyond themselves.
    grown: usize,
    /// Groups that went to other levels ([`Level::absorb`]).
    gone: usize,
}

/// Finds out which slots of a group's first row are read when it is finished ([`GroupPlan::read`]): the others need not be kept.
pub(super) fn note_read(b: &BlockPlan, g: &GroupPlan) {
    g.read.get_or_init(|| {
        let mut read = vec![false; b.slots];
        let windows = b.windows.iter().flat_map(|w| &w.exprs);
        for e in b.output.iter().chain(&b.having).chain(&g.items).chain(windows) {
            if has_subquery(e) || has_match(e) {
                // it may read any
                read.fill(true);
            }
            e.columns(&mut |c| {
                if let Some(read) = read.get_mut(c.slot as usize) {
                    *read = true;
                }
            });
        }
        if g.rollup {
            read.fill(true);
        }
        read.into()
    });
}

/// What the items of the list that are computed when a group begins give for a row.
///
/// # Errors
/// Those of the expressions.
pub fn items(
    g: &GroupPlan,
    rows: &Batch,
    row: usize,
    runner: &Runner<'_, '_, '_>,
    ctx: &mut EvalContext,
) -> SqlResult<Vec<Value>> {
    if g.items.is_empty() {
        return Ok(Vec::new());
    }
    let one = super::project::one_row(rows, row);
    let frame = Frame { batch: &one, subqueries: Some(runner) };
    g.items.iter().map(|e| e.value_in(frame, ctx)).collect()
}

impl Level {
    /// No group.
    #[must_use]
    pub fn new(keys: usize) -> Level {
        Level {
            keys,
            groups: Groups::default(),
            recent: Recent::default(),
            first: RowStore::default(),
            began: Vec::new(),
            running: Vec::new(),
            items: Vec::new(),
            grown: 0,
            gone: 0,
        }
    }

    /// Forgets the groups, keeps their room.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.recent = Recent::default();
        self.first.clear();
        self.began.clear();
        self.running.iter_mut().for_each(Running::clear);
        self.items.clear();
        (self.grown, self.gone) = (0, 0);
    }

    /// The one group of all rows, as a row.
    ///
    /// # Errors
    /// Those of the values of aggregates.
    pub fn whole(&mut self, g: &GroupPlan, to: &mut Batch, ctx: &mut EvalContext) -> SqlResult<()> {
        let (first, row) = self.first.at(0);
        let slots = first.columns.len();
        to.columns.resize_with(slots + g.aggregates.len(), Vector::default);
        for (to, from) in to.columns.iter_mut().zip(&first.columns) {
            to.reset(from.class());
            to.push_from(from, row);
        }
        for ((a, running), to) in g.aggregates.iter().zip(&mut self.running).zip(&mut to.columns[slots..]) {
            to.reset(a.ty.class());
            running.put(0, a, to, ctx)?;
        }
        to.len = 1;
        Ok(())
    }

    /// How many groups there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.len() - self.gone
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// When each group began, and its number.
    pub fn begun(&self) -> impl Iterator<Item = (u64, u32)> {
        self.began.iter().copied().zip(0..).filter(|(began, _)| *began != GONE)
    }

    /// The group of a key, if it is there.
    pub fn group_of(&self, key: &[u8]) -> Option<usize> {
        self.groups.find(key).filter(|n| self.began[*n] != GONE)
    }

    /// Adds the rows of group `n` of another level, which is gone then, to group `to`, whose first row came before.
    pub fn absorb(&mut self, g: &GroupPlan, to: usize, from: &mut Level, n: usize) {
        for ((a, running), others) in g.aggregates.iter().zip(&mut self.running).zip(&mut from.running) {
            running.merge_from(a, to, others, n);
        }
        from.began[n] = GONE;
        from.gone += 1;
    }

    /// Bytes held.
    #[must_use]
    pub fn memory(&self, g: &GroupPlan) -> usize {
        let items = if g.items.is_empty() { 0 } else { size_of::<Vec<Value>>() };
        let each = self.running.iter().map(Running::each).sum::<usize>() + items + size_of::<u64>();
        self.groups.memory() + self.first.memory() + self.groups.len() * each + self.grown
    }

    /// Begins a group, whose key was just inserted, with row `row` of `rows`, which is the row `number`.
    pub fn begin(&mut self, g: &GroupPlan, rows: &Batch, row: usize, number: u64) {
        if self.running.is_empty() {
            self.running.extend(g.aggregates.iter().map(Running::new));
        }
        self.first.push_wanted(&rows.columns, g.read_slots(), row);
        self.began.push(number);
        for (a, running) in g.aggregates.iter().zip(&mut self.running) {
            self.grown += running.begin(a);
        }
    }

    /// Takes group `n` of another level, which goes on without it: a new one, or the value of one that is here.
    pub fn take_group(&mut self, g: &GroupPlan, from: &mut Level, n: usize) {
        let (group, new) = self.groups.insert(from.groups.key(n));
        if self.running.is_empty() {
            self.running.extend(g.aggregates.iter().map(Running::new));
        }
        if new {
            let (batch, row) = from.first.at(n);
            self.first.push(&batch.columns, row);
            self.began.push(from.began[n]);
        }
        for ((a, to), from) in g.aggregates.iter().zip(&mut self.running).zip(&mut from.running) {
            if new {
                to.move_from(from, n);
            } else {
                to.merge_from(a, group, from, n);
            }
        }
    }

    /// The group of a row, and whether the row begins it; `number` is the row's. None when that would be a new one and
    /// there is no `room`. No bytes are made of a key that is one integer.
    #[inline]
    pub fn place(
        &mut self,
        g: &GroupPlan,
        keys: &mut GroupKeys<'_>,
        number: u64,
        room: bool,
        whole: &mut PaddedBatch<'_>,
        row: usize,
    ) -> Option<(usize, bool)> {
        let (n, new) = if let Some(x) = keys.integer(row) {
            if room { self.groups.insert_integer(x) } else { (self.groups.find_integer(x)?, false) }
        } else {
            let packed = if self.groups.len() > Recent::FEW { None } else { keys.packed(row) };
            if let Some(n) = packed.and_then(|packed| self.recent.find(packed)) {
                return Some((n, false));
            }
            let key = keys.bytes(row);
            let found = if room { self.groups.insert(key) } else { (self.groups.find(key)?, false) };
            if let Some(packed) = packed {
                self.recent.note(packed, found.0);
            }
            found
        };
        if new {
            self.begin(g, whole.get(), row, number);
        }
        Some((n, new))
    }

    /// Adds rows with their groups to aggregates that are all numbers side by side ([`Running::is_number`]).
    pub fn add_numbers(&mut self, g: &GroupPlan, places: &[(u32, u32)], args: &[Vec<&Vector>]) {
        for ((a, args), running) in g.aggregates.iter().zip(args).zip(&mut self.running) {
            running.add_rows(places, a, args);
        }
    }

    /// Adds a row to group `n`.
    pub fn add(
        &mut self,
        g: &GroupPlan,
        n: usize,
        args: &[Vec<&Vector>],
        row: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        for ((a, args), running) in g.aggregates.iter().zip(args).zip(&mut self.running) {
            self.grown += running.add_row(n, a, args, row, ctx)?;
        }
        Ok(())
    }

    /// Adds the items that are computed for the first row of the newest group.
    pub fn add_items(
        &mut self,
        g: &GroupPlan,
        whole: &mut PaddedBatch<'_>,
        row: usize,
        runner: &Runner<'_, '_, '_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if !g.items.is_empty() {
            let values = items(g, whole.get(), row, runner, ctx)?;
            self.grown += bytes_of(&values);
            self.items.push(values);
        }
        Ok(())
    }

    /// Adds the items of all groups, which have none yet.
    ///
    /// # Errors
    /// Those of the expressions.
    pub fn add_all_items(
        &mut self,
        g: &GroupPlan,
        runner: &Runner<'_, '_, '_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if g.items.is_empty() {
            return Ok(());
        }
        for batch in self.first.batches() {
            let frame = Frame { batch, subqueries: Some(runner) };
            let mut columns = Vec::with_capacity(g.items.len());
            for e in &g.items {
                columns.push(e.eval(frame, Rows::All(batch.len), ctx)?);
            }
            for row in 0..batch.len {
                let values: Vec<Value> = columns.iter().map(|v| v.value(row)).collect();
                self.grown += bytes_of(&values);
                self.items.push(values);
            }
            columns.into_iter().for_each(|v| ctx.done(v));
        }
        Ok(())
    }
}

/// Bytes of items.
fn bytes_of(values: &[Value]) -> usize {
    let heap = |v: &Value| if let Value::Bytes(b) = v { b.len() } else { 0 };
    values.iter().map(|v| heap(v) + size_of::<Value>()).sum()
}

/// Rows of a batch with all their columns, side by side, made when they are asked for.
pub enum PaddedBatch<'r> {
    /// As they were found, and which of them.
    Raw(&'r Batch, Rows<'r>),
    /// Those alone, with NULLs in columns that nobody reads.
    Padded(Batch),
}

impl PaddedBatch<'_> {
    /// The rows.
    pub fn get(&mut self) -> &Batch {
        if let PaddedBatch::Raw(rows, which) = self {
            match which {
                Rows::Some(numbers) => *self = PaddedBatch::Padded(gathered(rows, numbers)),
                Rows::All(_) if rows.columns.iter().any(|v| v.len() < rows.len && !v.is_constant()) => {
                    *self = PaddedBatch::Padded(padded(rows));
                }
                Rows::All(_) => {}
            }
        }
        match self {
            PaddedBatch::Raw(b, _) => b,
            PaddedBatch::Padded(b) => b,
        }
    }
}

/// These rows of a batch, as [`padded`].
fn gathered(rows: &Batch, numbers: &[u32]) -> Batch {
    let column = |v: &Vector| {
        let mut to = Vector::new(v.class());
        if v.len() >= rows.len || v.is_constant() {
            to.gather(v, numbers);
        } else {
            numbers.iter().for_each(|_| to.push_null());
        }
        to
    };
    Batch { columns: rows.columns.iter().map(column).collect(), len: numbers.len() }
}

/// A batch whose unused columns hold NULLs, so that rows can be kept whole.
#[must_use]
pub fn padded(rows: &Batch) -> Batch {
    let mut b = rows.clone();
    for v in &mut b.columns {
        while v.len() < b.len {
            v.push_null();
        }
    }
    b
}

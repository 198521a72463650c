//! Lists of expressions computed for rows: the select list, the keys of a sort.

use std::cell::Cell;

use super::Exec;
use super::join::all_at_once;
use super::operator::{Chunk, Operator};
use super::subquery::{Kept, Runner};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Node, Rows, VecRef};
use crate::memory::{BATCH_BYTES, BATCH_ROWS};
use crate::plan::QueryPlan;
use crate::plan::access::has_subquery;
use crate::types::{Batch, Vector};

/// How many rows are computed at once, so that what comes of them is not too much.
pub(super) struct ChunkSize {
    /// Values may be long.
    wide: bool,
    rows: Cell<usize>,
}

impl ChunkSize {
    /// For these expressions.
    pub(super) fn new<'a>(list: impl Iterator<Item = &'a Expr>) -> ChunkSize {
        // columns are as long as in the rows themselves
        let computed = list.filter(|e| !matches!(e.node, Node::Column(_)));
        let bytes: u64 = computed.map(|e| u64::from(e.ty.length)).sum();
        let wide = bytes > (BATCH_BYTES / BATCH_ROWS) as u64;
        ChunkSize { wide, rows: Cell::new(if wide { 4 } else { BATCH_ROWS }) }
    }

    /// Whether what comes of a row may be long.
    pub(super) fn is_wide(&self) -> bool {
        self.wide
    }

    /// How many of the rows left are next.
    pub(super) fn of(&self, left: usize) -> usize {
        if self.wide { left.min(self.rows.get()) } else { left }
    }

    /// So many rows took so many bytes.
    pub(super) fn took(&self, rows: usize, bytes: usize) {
        if self.wide {
            let fit = BATCH_BYTES / 2 / (bytes / rows.max(1)).max(1);
            // rows that follow may be longer
            self.rows.set(fit.clamp(1, (self.rows.get() * 8).min(BATCH_ROWS)));
        }
    }
}

/// Rows from which on columns are moved.
const MANY: usize = 16;

/// What of the rows themselves goes out with the values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// Nothing.
    Nothing,
    /// All slots behind the values, for expressions that are computed later.
    Slots,
    /// The slot of the row's place, by which the others are read later.
    Place(usize),
}

/// Computes a list of expressions for the rows of its input.
///
/// When something is wrong with one row of a chunk it is computed again row by row: then warnings come in the order of the rows,
/// and the rows before an error are seen.
pub(super) struct Project<'p, 'e> {
    exec: &'p Exec<'e>,
    plan: &'p QueryPlan,
    input: Box<dyn Operator + 'p>,
    list: Vec<&'p Expr>,
    /// The slots of those that are columns and that no item behind them is: they are moved, not copied. Known from the first chunk
    /// on that has many rows.
    moved: Vec<Option<usize>>,
    /// Columns of the input that stand before the slots and go no further.
    skip: usize,
    beside: Beside,
    repeatable: bool,
    /// Subqueries remember their values: what they warn of must not be taken back.
    single: bool,
    chunk: ChunkSize,
    rows: Chunk,
    /// Rows of the input before these.
    before: u64,
    /// The next row, among those that count.
    at: usize,
    /// Rows before this one are computed one by one.
    single_until: usize,
    numbers: Vec<u32>,
    kept: Kept<'p>,
    /// Which columns of the first row are computed strictly; nothing behind it.
    strict: Vec<bool>,
}

impl<'p, 'e> Project<'p, 'e> {
    /// Computes `list`.
    pub(super) fn new(
        (exec, plan): (&'p Exec<'e>, &'p QueryPlan),
        input: Box<dyn Operator + 'p>,
        list: impl Iterator<Item = &'p Expr>,
    ) -> Project<'p, 'e> {
        let list: Vec<&Expr> = list.collect();
        Project {
            exec,
            plan,
            input,
            skip: 0,
            beside: Beside::Nothing,
            repeatable: list.iter().all(|e| e.is_repeatable()),
            single: list.iter().any(|e| has_subquery(e)),
            chunk: ChunkSize::new(list.iter().copied()),
            moved: Vec::new(),
            list,
            rows: Chunk::default(),
            before: 0,
            at: 0,
            single_until: 0,
            numbers: Vec::new(),
            kept: Kept::default(),
            strict: Vec::new(),
        }
    }

    /// What computing these columns of the first row warns of is an error.
    pub(super) fn with_strict(mut self, strict: Vec<bool>) -> Project<'p, 'e> {
        self.strict = strict;
        self
    }

    /// What stands before the slots in the input, and what goes out beside the values.
    pub(super) fn with(mut self, skip: usize, beside: Beside) -> Project<'p, 'e> {
        (self.skip, self.beside) = (skip, beside);
        self
    }

    /// Computes the list for these rows of the input. All at once `again` when that may be done row by row instead: false when it must.
    fn compute(
        &mut self,
        count: usize,
        again: bool,
        out: &mut Chunk,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        if self.moved.is_empty() && count >= MANY && self.beside == Beside::Nothing {
            self.moved.extend((0..self.list.len()).map(|i| moved_slot(&self.list, i)));
        }
        let runner = Runner::keeping(self.exec, self.plan, &self.kept);
        let frame = Frame { batch: &self.rows.rows, subqueries: Some(&runner) };
        let which = if count == self.rows.rows.len {
            Rows::All(count)
        } else {
            self.numbers.clear();
            self.numbers.extend((self.at..self.at + count).map(|i| self.rows.row(i) as u32));
            Rows::Some(&self.numbers)
        };
        if self.beside != Beside::Nothing {
            // what rows are sorted by is computed before any of them is counted
            ctx.conversion.read_row = 0;
        } else if count == 1 {
            let before = self.rows.before.unwrap_or(self.before);
            ctx.conversion.read_row = before + self.rows.row(self.at) as u64 + 1;
        }
        out.clear(ctx);
        let columns = &self.rows.rows.columns;
        let all = matches!(which, Rows::All(_));
        let moves = |e: &Expr, slot: usize| all && columns.get(slot).is_some_and(|v| goes_over(v, e, count));
        let moved = self.moved.iter().copied().chain(std::iter::repeat(None));
        let list = self.list.iter().zip(moved).map(|(e, slot)| (*e, slot.is_some_and(|slot| moves(e, slot))));
        let strict = self.strict.iter().copied().chain(std::iter::repeat(false));
        let computed = all_at_once(again, ctx, |ctx| {
            for ((e, moved), strict) in list.zip(strict) {
                if moved {
                    out.rows.columns.push(Vector::default());
                } else if strict {
                    let before = std::mem::replace(&mut ctx.warnings.escalate, true);
                    let appended = append_output(e, frame, which, &mut out.rows.columns, ctx);
                    ctx.warnings.escalate = before;
                    appended?;
                } else {
                    append_output(e, frame, which, &mut out.rows.columns, ctx)?;
                }
            }
            Ok(())
        })?;
        if computed.is_none() {
            return Ok(false);
        }
        ctx.check_failed()?;
        if let Rows::All(_) = which {
            for ((to, e), slot) in out.rows.columns.iter_mut().zip(&self.list).zip(&self.moved) {
                if let Some(from) = slot.and_then(|slot| self.rows.rows.columns.get_mut(slot))
                    && goes_over(from, e, count)
                {
                    std::mem::swap(to, from);
                }
            }
        }
        out.rows.len = count;
        if self.at >= self.single_until {
            self.chunk.took(count, out.rows.byte_len());
        }
        let slots = match self.beside {
            Beside::Nothing => 0..0,
            Beside::Slots => 0..self.rows.rows.columns.len(),
            Beside::Place(slot) => slot..slot + 1,
        };
        append_slots(&mut self.rows.rows, slots, which, &mut out.rows.columns, ctx);
        self.at += count;
        Ok(true)
    }
}

/// Whether a column of `count` rows can become the values of `e`, which it is, as it lies there.
fn goes_over(column: &Vector, e: &Expr, count: usize) -> bool {
    column.len() == count && !column.is_constant() && column.class() == e.ty.class()
}

/// The slot of item `i` of a list, when it is a column that no item behind it is.
fn moved_slot(list: &[&Expr], i: usize) -> Option<usize> {
    let slot = |e: &Expr| if let Node::Column(c) = &e.node { Some(c.slot as usize) } else { None };
    let own = slot(list[i])?;
    list[i + 1..].iter().all(|e| slot(e) != Some(own)).then_some(own)
}

/// Appends these slots of these rows; those that nobody reads are filled with NULLs, so that rows can be kept whole.
fn append_slots(
    rows: &mut Batch,
    slots: std::ops::Range<usize>,
    which: Rows<'_>,
    out: &mut Vec<Vector>,
    ctx: &mut EvalContext,
) {
    for v in &mut rows.columns[slots] {
        let mut to = ctx.take(v.class());
        match which {
            Rows::All(_) if !v.is_constant() => std::mem::swap(&mut to, v),
            Rows::All(count) => to.append(v, 0..count),
            Rows::Some(numbers) if v.len() >= rows.len || v.is_constant() => to.gather(v, numbers),
            _ => {}
        }
        while to.len() < which.len() {
            to.push_null();
        }
        out.push(to);
    }
}

impl Operator for Project<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        loop {
            let rows = self.rows.len();
            if self.at >= rows {
                self.before += self.rows.rows.len as u64;
                if !self.input.next(&mut self.rows, ctx)? {
                    return Ok(false);
                }
                for v in self.rows.rows.columns.drain(..self.skip) {
                    ctx.recycle(v);
                }
                (self.at, self.single_until) = (0, 0);
                continue;
            }
            if self.at < self.single_until || !self.strict.is_empty() {
                self.compute(1, false, out, ctx)?;
                self.strict.clear();
                return Ok(true);
            }
            let count = self.chunk.of(rows - self.at);
            if (self.single || ctx.statement.by_row) && rows > 1 {
                self.single_until = self.at + count;
            } else if self.compute(count, rows > 1 && self.repeatable, out, ctx)? {
                return Ok(true);
            } else {
                self.single_until = self.at + count;
            }
        }
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.input.finish(ctx)
    }

    fn rewind(&mut self) -> bool {
        self.rows.forget();
        (self.at, self.single_until, self.before) = (0, 0, 0);
        self.input.rewind()
    }
}

/// One row of a batch; vectors that hold no rows stay empty.
#[must_use]
pub fn one_row(batch: &Batch, row: usize) -> Batch {
    row_of(&batch.columns, row)
}

/// One row of vectors that lie side by side.
pub(super) fn row_of(columns: &[Vector], row: usize) -> Batch {
    let column = |v: &Vector| {
        let mut to = Vector::new(v.class());
        if v.is_constant() || v.len() > row {
            to.push_from(v, row);
        }
        to
    };
    Batch { columns: columns.iter().map(column).collect(), len: 1 }
}

/// The values of a list of expressions, as a batch of dense vectors.
///
/// # Errors
/// Those of the expressions.
pub fn output(list: &[Expr], frame: Frame<'_>, rows: usize, ctx: &mut EvalContext) -> SqlResult<Batch> {
    let mut out = Batch { columns: Vec::with_capacity(list.len()), len: rows };
    for e in list {
        append_output(e, frame, Rows::All(rows), &mut out.columns, ctx)?;
    }
    Ok(out)
}

fn append_output(
    e: &Expr,
    frame: Frame<'_>,
    which: Rows<'_>,
    out: &mut Vec<Vector>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let v = e.eval(frame, which, ctx)?;
    out.push(match v {
        VecRef::Owned(v) if !v.is_constant() => v,
        v => {
            let mut dense = ctx.take(if v.class() == e.ty.class() { v.class() } else { e.ty.class() });
            dense.append(&v, 0..which.len());
            ctx.done(v);
            dense
        }
    });
    Ok(())
}

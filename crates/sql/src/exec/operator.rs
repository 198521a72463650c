//! The contract of operators: what a plan is made of while it runs.
//!
//! Whoever wants rows pulls them: [`Operator::next`] makes a [`Chunk`] the operator's next rows, pulling from its own inputs as
//! it needs. Nothing is pushed into a callback; who has enough stops calling.
//!
//! - **Who owns a chunk.** The caller. What it held before is gone after a call; its vectors serve as buffers, which operators exchange for
//!   their own, so that in the steady state nothing is allocated and columns that go through unchanged are not copied. A chunk is valid as
//!   long as its owner keeps it: no operator has a pointer into it, nor it one into pages.
//! - **What a selection is.** The numbers of the rows that count, ascending; the others were left out by a condition, LIMIT or DISTINCT and
//!   are still there, but nobody may evaluate anything for them. Expressions take it as [`Rows`]; who needs the rows side by side calls
//!   [`Chunk::pack`]. Vectors of slots that nobody reads may be empty.
//! - **Order.** A chunk that is handed out has at least one row that counts. An operator evaluates what that chunk needs and nothing
//!   beyond: warnings, errors, user variables and counters come in the order of the rows, whoever stops wherever. Where one row of a batch
//!   warns or fails, the batch is done again row by row ([`super::join::all_at_once`]), and rows are handed out one by one.
//! - **The end.** `false` says that there are no more rows, an error that there never will be: `next` is not called again after either.
//!   [`Operator::finish`] is called once by who takes no more rows, after `false` or before it, and not after an error: what a statement
//!   must know of the rows nobody took (FOUND_ROWS) is found then.
//! - **Again.** [`Operator::rewind`] makes an operator as it was before its first call, for a subquery that runs for another outer row;
//!   what it kept of rows is given up at once. `false`: it has to be made anew.
//! - **KILL and time limits** are looked at at least once for each batch that is read or made, by who reads or makes it; operators above
//!   rely on that.
//! - **Pins.** No operator holds one between calls, so the caller may wait as long as it likes between two chunks.
//! - **Several workers.** What may be read by several at once is what is below the first step of a join: a reader for each, with a snapshot of
//!   its own; their chunks meet in the operator above it.

use crate::error::SqlResult;
use crate::expr::{EvalContext, Rows};
use crate::types::{Batch, Class, Vector};

/// An operator that runs. See the module for its contract.
pub trait Operator {
    /// Makes `out` the next rows; false when there are no more.
    ///
    /// # Errors
    /// Those of reading and evaluating.
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool>;

    /// No more rows are wanted.
    ///
    /// # Errors
    /// As [`Operator::next`].
    fn finish(&mut self, _ctx: &mut EvalContext) -> SqlResult<()> {
        Ok(())
    }

    /// Makes it as it was before its first row, with its buffers, for rows of other outer values; after [`Operator::finish`], not after
    /// an error. False when it cannot.
    fn rewind(&mut self) -> bool {
        false
    }
}

/// Rows on their way between operators: a batch, and which of its rows count.
#[derive(Default)]
pub struct Chunk {
    /// The rows, one vector per slot or column.
    pub rows: Batch,
    /// The numbers of those that count, unless all do.
    selection: Vec<u32>,
    selected: bool,
    /// Rows that were read before the first, where whoever made the chunk knows better than who counts chunks.
    pub before: Option<u64>,
}

impl Chunk {
    /// The number of rows that count.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        if self.selected { self.selection.len() } else { self.rows.len }
    }

    /// Whether no row counts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows that count.
    #[inline]
    #[must_use]
    pub fn which(&self) -> Rows<'_> {
        if self.selected { Rows::Some(&self.selection) } else { Rows::All(self.rows.len) }
    }

    /// The number, in the batch, of the `i`-th row that counts.
    #[inline]
    #[must_use]
    pub fn row(&self, i: usize) -> usize {
        if self.selected { self.selection[i] as usize } else { i }
    }

    /// Whether all rows of the batch count.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        !self.selected
    }

    /// Makes all rows of the batch count.
    pub fn select_all(&mut self) {
        self.selected = false;
        self.before = None;
    }

    /// Makes these rows count; `numbers` gets the old selection's room.
    pub fn select(&mut self, numbers: &mut Vec<u32>) {
        self.selected = numbers.len() < self.rows.len;
        self.before = None;
        std::mem::swap(&mut self.selection, numbers);
    }

    /// Of the rows that count, leaves those in this range.
    pub fn keep(&mut self, from: usize, to: usize) {
        if from == 0 && to >= self.len() {
            return;
        }
        if self.selected {
            self.selection.truncate(to);
            self.selection.drain(..from);
        } else {
            self.selection.clear();
            self.selection.extend(from as u32..to as u32);
            self.selected = true;
        }
    }

    /// Puts the rows that count side by side, so that all rows of the batch do. Vectors that hold no rows stay empty.
    pub fn pack(&mut self, ctx: &mut EvalContext) {
        if !self.selected {
            return;
        }
        pack(&mut self.rows, &self.selection, ctx);
        self.selected = false;
    }

    /// Leaves it without rows, with its vectors as buffers.
    pub(super) fn forget(&mut self) {
        self.rows.len = 0;
        self.selected = false;
        self.before = None;
    }

    /// Gives its vectors back: a chunk without columns.
    pub fn clear(&mut self, ctx: &mut EvalContext) {
        for v in self.rows.columns.drain(..) {
            ctx.recycle(v);
        }
        self.rows.len = 0;
        self.selected = false;
        self.before = None;
    }

    /// Makes it empty vectors of these classes.
    pub fn reset(&mut self, classes: &[Class]) {
        reset(&mut self.rows, classes);
        self.selected = false;
        self.before = None;
    }
}

/// Leaves in a batch these rows of it. Vectors that hold no rows stay empty.
pub(super) fn pack(rows: &mut Batch, numbers: &[u32], ctx: &mut EvalContext) {
    for v in rows.columns.iter_mut().filter(|v| v.len() >= rows.len && !v.is_constant()) {
        let mut kept = ctx.take(v.class());
        kept.gather(v, numbers);
        ctx.recycle(std::mem::replace(v, kept));
    }
    rows.len = numbers.len();
}

/// Makes a batch one without rows, of these classes.
pub(super) fn reset(rows: &mut Batch, classes: &[Class]) {
    rows.columns.resize_with(classes.len(), Vector::default);
    for (v, class) in rows.columns.iter_mut().zip(classes) {
        v.reset(*class);
    }
    rows.len = 0;
}

/// No row.
pub struct Nothing;

impl Operator for Nothing {
    fn next(&mut self, _out: &mut Chunk, _ctx: &mut EvalContext) -> SqlResult<bool> {
        Ok(false)
    }

    fn rewind(&mut self) -> bool {
        true
    }
}

/// Hands out one chunk.
pub(super) struct Given(pub(super) Chunk);

impl Operator for Given {
    fn next(&mut self, out: &mut Chunk, _ctx: &mut EvalContext) -> SqlResult<bool> {
        if self.0.is_empty() {
            return Ok(false);
        }
        std::mem::swap(out, &mut self.0);
        self.0.forget();
        Ok(true)
    }
}

/// One row without columns: what a query without tables reads.
pub struct OneRow {
    classes: Vec<Class>,
    over: bool,
}

impl OneRow {
    /// A row of this many slots that nobody fills.
    #[must_use]
    pub fn new(slots: usize) -> OneRow {
        OneRow { classes: vec![Class::Int; slots], over: false }
    }
}

impl Operator for OneRow {
    fn next(&mut self, out: &mut Chunk, _ctx: &mut EvalContext) -> SqlResult<bool> {
        if std::mem::replace(&mut self.over, true) {
            return Ok(false);
        }
        out.reset(&self.classes);
        out.rows.len = 1;
        Ok(true)
    }

    fn rewind(&mut self) -> bool {
        self.over = false;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(rows: &Chunk) -> Vec<i64> {
        (0..rows.len()).map(|i| rows.rows.columns[0].i64(rows.row(i))).collect()
    }

    #[test]
    fn selections_narrow_and_are_packed() {
        let mut ctx = EvalContext::default();
        let mut rows = Chunk::default();
        rows.reset(&[Class::Int, Class::Bytes]);
        (0..10).for_each(|n| rows.rows.columns[0].push_i64(n));
        rows.rows.len = 10;
        rows.keep(0, 10);
        assert!(rows.is_packed());
        rows.keep(2, 9);
        assert_eq!(numbers(&rows), [2, 3, 4, 5, 6, 7, 8]);
        rows.select(&mut vec![1, 4, 6, 9]);
        rows.keep(1, 3);
        assert_eq!((numbers(&rows), rows.which().len()), (vec![4, 6], 2));
        rows.pack(&mut ctx);
        assert!(rows.is_packed() && rows.rows.len == 2 && rows.rows.columns[1].is_empty());
        assert_eq!(numbers(&rows), [4, 6]);
        rows.select(&mut vec![0, 1]);
        assert!(rows.is_packed());
        rows.keep(0, 0);
        assert_eq!(rows.len(), 0);
    }
}

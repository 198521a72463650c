//! Window functions: rows are sorted by the keys of a window, then each function goes along them; one sort after the other, where
//! windows need several. Behind each sort stands what was computed for those before.
//!
//! | what | where |
//! |---|---|
//! | rows in order, and where partitions and peers begin | `sorted` |
//! | whole partitions, read at any place, on disk when they are large | `rows` |
//! | bounds of partitions, peers and frames | `frame` |
//! | values | `functions`; aggregates of frames: `moving`, `segments` |

mod frame;
mod functions;
mod moving;
mod rows;
mod segments;
mod sorted;

use std::rc::Rc;

use self::frame::Tracker;
use self::functions::{Function, Rank, is_rank};
use self::rows::{Cursor, PartitionRows};
use self::sorted::Sorted;
use super::Exec;
use super::operator::{Chunk, Operator};
use super::project::{Beside, Project};
use super::sortkey::KeySpec;
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr};
use crate::memory::{BATCH_BYTES, BATCH_ROWS, Budget};
use crate::plan::window::{PlannedCall, WindowPlan};
use crate::plan::{BlockPlan, GroupPlan, QueryPlan};
use crate::types::{Batch, Vector};

/// Puts the values of the window functions of a block behind the columns of its rows.
pub(super) fn operator<'p>(
    (exec, plan): (&'p Exec<'_>, &'p QueryPlan),
    b: &'p BlockPlan,
    w: &'p WindowPlan,
    input: Box<dyn Operator + 'p>,
    ctx: &EvalContext,
) -> Box<dyn Operator + 'p> {
    let computed = Project::new((exec, plan), input, w.exprs.iter()).with(0, Beside::Slots);
    let mut top: Box<dyn Operator + 'p> = Box::new(computed);
    // a sort is filled while the one before it is read
    let budget = ctx.budget.shared(w.sorts.len().min(2));
    let width = w.exprs.len() + b.window_slot();
    let mut places = vec![0; w.calls.len()];
    let mut done = 0;
    for sort in &w.sorts {
        let spec = |(at, desc): &(usize, bool)| KeySpec::ordering(*at, &w.exprs[*at], *desc);
        let sorted = Sorted::new(top, sort.keys.iter().map(spec).collect(), &budget);
        let calls: Vec<&PlannedCall> = sort.calls.iter().map(|n| &w.calls[*n]).collect();
        top = Box::new(Compute::new(Box::new(sorted), calls, &sort.keys, width + done, &budget));
        for n in &sort.calls {
            places[*n] = width + done;
            done += 1;
        }
    }
    Box::new(Placed { input: top, skip: w.exprs.len(), width, places, rows: Chunk::default() })
}

/// The joined rows in the order of the keys that they are grouped by.
pub(super) fn in_order_of_keys<'p>(
    (exec, plan): (&'p Exec<'_>, &'p QueryPlan),
    slots: usize,
    g: &'p GroupPlan,
    input: Box<dyn Operator + 'p>,
    ctx: &EvalContext,
) -> Box<dyn Operator + 'p> {
    let computed = Project::new((exec, plan), input, g.keys.iter()).with(0, Beside::Slots);
    let spec = |(at, (key, desc)): (usize, (&Expr, &bool))| KeySpec::ordering(at, key, *desc);
    let specs = g.keys.iter().zip(&g.descending).enumerate().map(spec).collect();
    let sorted = Sorted::new(Box::new(computed), specs, &ctx.budget);
    let (skip, width) = (g.keys.len(), g.keys.len() + slots);
    Box::new(Placed { input: Box::new(sorted), skip, width, places: Vec::new(), rows: Chunk::default() })
}

/// Leaves out what was computed for the functions, and puts their values in order.
struct Placed<'p> {
    input: Box<dyn Operator + 'p>,
    /// So many columns go no further; so many stand before the values.
    skip: usize,
    width: usize,
    /// The columns of the values.
    places: Vec<usize>,
    rows: Chunk,
}

impl Operator for Placed<'_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if !self.input.next(&mut self.rows, ctx)? {
            return Ok(false);
        }
        out.clear(ctx);
        let from = &mut self.rows.rows;
        let own = from.columns[self.skip..self.width].iter_mut().map(std::mem::take);
        out.rows.columns.extend(own);
        for place in &self.places {
            out.rows.columns.push(std::mem::take(&mut from.columns[*place]));
        }
        out.rows.len = from.len;
        self.rows.clear(ctx);
        Ok(true)
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.input.finish(ctx)
    }

    fn rewind(&mut self) -> bool {
        self.input.rewind()
    }
}

/// Computes functions whose windows share the order of its input, of which the last column says how many keys a row shares with the
/// row before.
struct Compute<'p> {
    input: Box<dyn Operator + 'p>,
    calls: Vec<&'p PlannedCall>,
    keys: &'p [(usize, bool)],
    /// The number of the last column of the input.
    equal: usize,
    /// Functions that need only the rows before are computed as rows come.
    ranks: Option<Vec<Rank>>,
    budget: Budget,
    /// Rows of the input that were not taken yet, and the next of them.
    ahead: Chunk,
    at: usize,
    kept: Option<Kept<'p>>,
}

/// Whole partitions.
struct Kept<'p> {
    current: Cursor,
    next: u64,
    len: u64,
    /// A tracker for each window, and which each function goes by.
    trackers: Vec<Tracker>,
    functions: Vec<(Function<'p>, usize)>,
}

impl<'p> Compute<'p> {
    fn new(
        input: Box<dyn Operator + 'p>,
        calls: Vec<&'p PlannedCall>,
        keys: &'p [(usize, bool)],
        equal: usize,
        budget: &Budget,
    ) -> Compute<'p> {
        let ranks = calls.iter().all(|c| is_rank(c.function)).then(|| vec![Rank::default(); calls.len()]);
        let (budget, ahead) = (budget.clone(), Chunk::default());
        Compute { input, calls, keys, equal, ranks, budget, ahead, at: 0, kept: None }
    }

    /// Keeps the rows of the next partitions: of many small ones, or of one.
    fn keep(&mut self, ctx: &mut EvalContext) -> SqlResult<bool> {
        let coarsest = self.calls.iter().map(|c| c.partition).min().unwrap_or(0) as i64;
        let mut rows = PartitionRows::new(&self.budget);
        'rows: loop {
            while self.at < self.ahead.rows.len {
                let columns = &self.ahead.rows.columns;
                if rows.len() >= BATCH_ROWS as u64 && columns[self.equal].i64(self.at) < coarsest {
                    break 'rows;
                }
                rows.push(columns, self.at)?;
                self.at += 1;
            }
            self.at = 0;
            if !self.input.next(&mut self.ahead, ctx)? {
                self.ahead.forget();
                break;
            }
            ctx.check_killed()?;
        }
        if rows.len() == 0 {
            return Ok(false);
        }
        rows.close()?;
        let rows = Rc::new(rows);
        let mut trackers: Vec<Tracker> = Vec::new();
        let mut of: Vec<usize> = Vec::new();
        for (n, call) in self.calls.iter().enumerate() {
            let same = |c: &&&PlannedCall| {
                (c.partition, c.order) == (call.partition, call.order) && c.frame == call.frame
            };
            let known = self.calls[..n].iter().position(|c| same(&c)).map(|first| of[first]);
            of.push(known.unwrap_or_else(|| {
                trackers.push(Tracker::new(call, self.keys, self.equal, &rows));
                trackers.len() - 1
            }));
        }
        let functions = self.calls.iter().map(|c| Function::new(c, &rows)).zip(of).collect();
        let (current, len) = (Cursor::new(&rows), rows.len());
        self.kept = Some(Kept { current, next: 0, len, trackers, functions });
        Ok(true)
    }

    /// Adds the values of functions that only look back.
    fn number(&mut self, out: &mut Chunk) {
        let Some(ranks) = &mut self.ranks else { return };
        let mut values: Vec<Vector> = self.calls.iter().map(|c| Vector::new(c.ty.class())).collect();
        let equal = &out.rows.columns[self.equal];
        for row in 0..out.rows.len {
            let same = equal.i64(row);
            for ((rank, call), v) in ranks.iter_mut().zip(&self.calls).zip(&mut values) {
                rank.go(same < call.partition as i64, same < (call.partition + call.order) as i64);
                v.push_i64(rank.value(call.function));
            }
        }
        out.rows.columns.truncate(self.equal);
        out.rows.columns.extend(values);
    }
}

impl Kept<'_> {
    /// Makes `out` the next rows with the values of the functions.
    fn next(
        &mut self,
        equal: usize,
        calls: &[&PlannedCall],
        out: &mut Batch,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let (batch, _) = self.current.at(self.next)?;
        out.columns = batch.columns[..equal].iter().map(|v| Vector::new(v.class())).collect();
        out.len = 0;
        let mut values: Vec<Vector> = calls.iter().map(|c| Vector::new(c.ty.class())).collect();
        let mut bounds = Vec::with_capacity(self.trackers.len());
        let mut bytes = 0;
        while self.next < self.len && out.len < BATCH_ROWS && bytes < BATCH_BYTES {
            let (batch, at) = self.current.at(self.next)?;
            let same = batch.columns[equal].i64(at);
            bounds.clear();
            for t in &mut self.trackers {
                bounds.push(t.go(self.next, same)?);
            }
            for ((f, t), v) in self.functions.iter_mut().zip(&mut values) {
                f.go(&bounds[*t], (batch, at), v, ctx)?;
            }
            for (to, from) in out.columns.iter_mut().zip(&batch.columns) {
                if to.class() != from.class() && !from.is_null(at) {
                    to.adopt(from.class());
                }
                to.push_from(from, at);
            }
            out.len += 1;
            self.next += 1;
            if out.len.is_multiple_of(64) {
                ctx.check_killed()?;
                bytes = out.byte_len() + values.iter().map(Vector::byte_len).sum::<usize>();
            }
        }
        out.columns.extend(values);
        Ok(())
    }
}

impl Operator for Compute<'_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if self.ranks.is_some() {
            if !self.input.next(out, ctx)? {
                return Ok(false);
            }
            self.number(out);
            return Ok(true);
        }
        if self.kept.as_ref().is_none_or(|k| k.next == k.len) {
            // its memory is given back before the next rows are kept
            self.kept = None;
            if !self.keep(ctx)? {
                return Ok(false);
            }
        }
        out.clear(ctx);
        if let Some(kept) = &mut self.kept {
            kept.next(self.equal, &self.calls, &mut out.rows, ctx)?;
        }
        Ok(true)
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.input.finish(ctx)
    }

    fn rewind(&mut self) -> bool {
        self.kept = None;
        self.at = 0;
        self.ahead.forget();
        if let Some(ranks) = &mut self.ranks {
            ranks.fill(Rank::default());
        }
        self.input.rewind()
    }
}

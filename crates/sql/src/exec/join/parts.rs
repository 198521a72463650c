//! Hash joins of tables that are more than memory may hold: both sides lie on disk in parts, and part meets part. The
//! rows come in the order memory would give, where that shows.

use super::JoinStep;
use crate::ast::AggregateFunction as F;
use crate::error::SqlResult;
use crate::exec::hash::{self, Pairs, Parted};
use crate::exec::operator::Chunk;
use crate::exec::runs::{Merge, Runs};
use crate::exec::spool::{RowKeys, Spool, SpoolReader};
use crate::expr::{AggregateCall, EvalContext};
use crate::memory::BATCH_ROWS;
use crate::types::{Batch, Class, Vector};

/// What rows of an outer join remember between meeting one piece of a table and the next.
#[derive(Default)]
pub(super) struct Passes {
    /// Rows that matched.
    pub matched: Vec<bool>,
    /// The first row of the batch at hand.
    pub base: usize,
    /// No piece follows: rows that did not match are joined with NULLs.
    pub last: bool,
}

/// The parts of a step, one after the other: each is loaded in pieces that fit into memory, and the rows to join with it come once
/// for each piece.
pub(super) struct PartReader {
    pairs: std::vec::IntoIter<<Pairs as IntoIterator>::Item>,
    /// The slots of the rows to join with.
    before: Vec<usize>,
    /// The part at hand: rows of the table, rows to join with them.
    part: Option<(SpoolReader, SpoolReader)>,
    /// The latter, as they meet the piece that is in memory.
    piece: Option<SpoolReader>,
    /// A piece of the part follows.
    more: bool,
    /// The number of the next row in its part.
    next: usize,
    rows: Batch,
    keys: RowKeys,
}

/// Joined rows as they lie on disk, in the order of those they come from.
pub(super) struct InOrder {
    merge: Merge,
    slots: Vec<usize>,
    rows: Batch,
}

impl JoinStep<'_, '_> {
    /// Begins to join what was put off; false when that is nothing.
    pub(super) fn begin_parts(&mut self, parted: Parted, ctx: &mut EvalContext) -> SqlResult<bool> {
        let (pairs, before) = parted.into_pairs()?;
        self.parts = Some(Box::new(PartReader {
            pairs: pairs.into_iter(),
            before,
            part: None,
            piece: None,
            more: false,
            next: 0,
            rows: Batch::default(),
            keys: RowKeys::default(),
        }));
        if self.order_matters() { self.join_in_order(ctx) } else { self.next_part(ctx) }
    }

    /// Takes the next rows that were put off, with their numbers behind the slots; false when there are no more.
    pub(super) fn next_part(&mut self, ctx: &mut EvalContext) -> SqlResult<bool> {
        while let Some(parts) = &mut self.parts {
            if let Some(piece) = &mut parts.piece {
                if piece.batch(&mut parts.rows, &mut parts.keys)? {
                    self.take_part(ctx)?;
                    return Ok(true);
                }
                parts.piece = None;
                if !parts.more {
                    parts.part = None;
                    self.passes = None;
                }
            }
            let (build, probe) = match &mut parts.part {
                Some(part) => part,
                none => {
                    let Some((build, probe)) = parts.pairs.next() else {
                        (self.parts, self.hash, self.over) = (None, None, true);
                        break;
                    };
                    let count = usize::try_from(probe.rows()).unwrap_or(0);
                    self.passes = Some(Passes { matched: vec![false; count], ..Passes::default() });
                    none.insert((build.read()?, probe.read()?))
                }
            };
            let (side, more) = hash::load(build, &ctx.budget)?;
            self.hash = Some(side.into());
            (parts.more, parts.next) = (more, 0);
            parts.piece = Some(probe.again());
        }
        Ok(false)
    }

    /// Makes the rows just read those to be joined.
    fn take_part(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        let Some(parts) = &mut self.parts else { return Ok(()) };
        self.input.reset(self.joined.classes);
        let input = &mut self.input.rows;
        input.len = parts.rows.len;
        for (slot, column) in parts.before.iter().zip(&mut parts.rows.columns) {
            std::mem::swap(&mut input.columns[*slot], column);
        }
        let mut numbers = Vector::new(Class::UInt);
        for (_, key) in parts.keys.iter() {
            numbers.push_i64(key.first_chunk().map_or(0, |k| i64::from_be_bytes(*k)));
        }
        input.columns.push(numbers);
        if let Some(p) = &mut self.passes {
            p.base = parts.next;
            p.last = !parts.more;
        }
        parts.next += input.len;
        self.begin_input(ctx)
    }

    /// Joins all that was put off, and puts the rows back into the order of those they come from.
    fn join_in_order(&mut self, ctx: &mut EvalContext) -> SqlResult<bool> {
        let slots: Vec<usize> = self.input_slots.iter().chain(&self.slots).copied().collect();
        let number = self.joined.classes.len();
        let mut runs = Runs::new(&ctx.budget);
        let mut run: Option<Spool> = None;
        // a column for the number of the row stands behind the slots
        self.numbered = true;
        self.input_slots.push(number);
        self.filling = false;
        let mut rows = Chunk::default();
        while self.next_part(ctx)? {
            let begins = self.passes.as_ref().is_some_and(|p| p.base == 0);
            if begins && let Some(done) = run.take() {
                runs.end(done)?;
            }
            let run = match &mut run {
                Some(r) => r,
                none => none.insert(runs.begin()?),
            };
            while self.join(&mut rows, ctx)? {
                let columns = &rows.rows.columns;
                for row in (0..rows.len()).map(|i| rows.row(i)) {
                    let key = columns[number].i64(row).to_be_bytes();
                    run.push(&key, slots.iter().map(|s| &columns[*s]), row)?;
                }
            }
            if self.over {
                break;
            }
        }
        (self.numbered, self.filling) = (false, false);
        self.input_slots.pop();
        (self.parts, self.hash, self.passes) = (None, None, None);
        if let Some(run) = run {
            runs.end(run)?;
        }
        self.in_order = Some(Box::new(InOrder { merge: runs.merge()?, slots, rows: Batch::default() }));
        self.over = false;
        Ok(true)
    }

    /// The next rows that were joined part by part.
    pub(super) fn next_in_order(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        let Some(InOrder { merge, slots, rows }) = self.in_order.as_deref_mut() else { return Ok(false) };
        if !merge.batch(rows, BATCH_ROWS)? {
            return Ok(false);
        }
        ctx.check_killed()?;
        out.reset(self.joined.classes);
        out.rows.len = rows.len;
        for (slot, column) in slots.iter().zip(&mut rows.columns) {
            std::mem::swap(&mut out.rows.columns[*slot], column);
        }
        Ok(true)
    }

    /// Whether the result shows in which order rows are joined.
    fn order_matters(&self) -> bool {
        let Some(g) = &self.joined.block.group else { return true };
        let exact = |a: &AggregateCall| match a.function {
            F::Count | F::Min | F::Max | F::BitAnd | F::BitOr | F::BitXor => true,
            F::Sum | F::Avg => {
                matches!(
                    a.args.first().map(|e| e.ty.class()),
                    Some(Class::Int | Class::UInt | Class::Decimal)
                )
            }
            _ => false,
        };
        // a column beside aggregates is that of the first row
        let mut plain = !g.items.is_empty() || !g.keys.is_empty();
        for e in self.joined.block.output.iter().chain(&self.joined.block.having) {
            e.columns(&mut |c| plain |= c.table != u32::MAX);
        }
        plain || !g.aggregates.iter().all(exact)
    }
}

//! Deviations of frames that move: their sums cannot be taken back without loss, so the sums of blocks of rows are kept, of blocks of
//! such blocks, and so on. Frames of few rows are computed from the rows, as the reference server does it.

use crate::exec::accumulate::Accumulate;
use std::rc::Rc;

use super::rows::{Cursor, PartitionRows};
use crate::error::SqlResult;
use crate::exec::accumulate::{Accumulator, State};
use crate::expr::{AggregateCall, EvalContext};
use crate::types::Value;

/// Parts of a block.
const FAN: u64 = 64;

/// Count, mean, sum of squared distances.
#[derive(Clone, Copy, Default)]
struct Spread {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, x: f64) {
        self.count += 1;
        let before = x - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (x - self.mean);
    }

    fn merge(&mut self, other: &Spread) {
        if self.count == 0 {
            *self = *other;
        } else if other.count > 0 {
            let (a, b) = (self.count as f64, other.count as f64);
            let apart = other.mean - self.mean;
            self.mean += apart * b / (a + b);
            self.squares += other.squares + apart * apart * a * b / (a + b);
            self.count += other.count;
        }
    }
}

/// Sums of blocks of the present partition.
pub(super) struct Segments {
    cursor: Cursor,
    /// Of each level the blocks that are complete, in order: first those of rows, then those of blocks.
    levels: Vec<Vec<Spread>>,
}

impl Segments {
    pub(super) fn new(rows: &Rc<PartitionRows>) -> Segments {
        Segments { cursor: Cursor::new(rows), levels: Vec::new() }
    }

    /// Another partition begins.
    pub(super) fn clear(&mut self) {
        self.levels.clear();
    }

    /// The value for the rows from `start` to `end` of the partition that begins with row `first`.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub(super) fn value(
        &mut self,
        call: &AggregateCall,
        arg: usize,
        (start, end): (u64, u64),
        first: u64,
        ctx: &mut EvalContext,
    ) -> SqlResult<Value> {
        let mut sum = Spread::default();
        if start < end && end - start <= 2 * FAN {
            self.rows(arg, first, (start, end), &mut sum)?;
        } else if start < end {
            self.complete(arg, first, end)?;
            self.gather(arg, first, (start, end), &mut sum)?;
        }
        let Spread { count, mean, squares } = sum;
        call.finish(Accumulator { state: State::Spread { count, mean, squares }, seen: None }, ctx)
    }

    fn rows(&mut self, arg: usize, first: u64, (from, to): (u64, u64), sum: &mut Spread) -> SqlResult<()> {
        for n in from..to {
            let (batch, at) = self.cursor.at(first + n)?;
            let v = &batch.columns[arg];
            if !v.is_null(at) {
                sum.add(v.f64(at));
            }
        }
        Ok(())
    }

    /// Makes the blocks that end before row `end`.
    fn complete(&mut self, arg: usize, first: u64, end: u64) -> SqlResult<()> {
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        while (self.levels[0].len() as u64 + 1) * FAN <= end {
            let from = self.levels[0].len() as u64 * FAN;
            let mut block = Spread::default();
            self.rows(arg, first, (from, from + FAN), &mut block)?;
            let mut level = 0;
            self.levels[0].push(block);
            while self.levels[level].len().is_multiple_of(FAN as usize) {
                let parts = &self.levels[level];
                let mut whole = Spread::default();
                parts[parts.len() - FAN as usize..].iter().for_each(|p| whole.merge(p));
                level += 1;
                if level == self.levels.len() {
                    self.levels.push(Vec::new());
                }
                self.levels[level].push(whole);
            }
        }
        Ok(())
    }

    /// Puts rows and the largest blocks together that make up a frame.
    fn gather(
        &mut self,
        arg: usize,
        first: u64,
        (start, end): (u64, u64),
        sum: &mut Spread,
    ) -> SqlResult<()> {
        let mut at = start;
        while at < end {
            let mut size = 1;
            let mut best = None;
            for (level, blocks) in self.levels.iter().enumerate() {
                size *= FAN;
                if !at.is_multiple_of(size) || at + size > end || at / size >= blocks.len() as u64 {
                    break;
                }
                best = Some((level, size));
            }
            if let Some((level, size)) = best {
                sum.merge(&self.levels[level][(at / size) as usize]);
                at += size;
            } else {
                let to = (at + 1).next_multiple_of(FAN).min(end);
                self.rows(arg, first, (at, to), sum)?;
                at = to;
            }
        }
        Ok(())
    }
}

//! Aggregates of frames that move: rows are added at the end of the frame and taken out at its start, each once. MIN and MAX keep the
//! rows that may still become the extreme one; deviations keep sums of blocks.

use crate::exec::accumulate::Accumulate;
use std::collections::VecDeque;
use std::rc::Rc;

use super::frame::Bounds;
use super::rows::{Cursor, PartitionRows};
use super::segments::Segments;
use crate::ast::AggregateFunction as F;
use crate::error::SqlResult;
use crate::exec::accumulate::{Accumulator, State, integer, order};
use crate::expr::{AggregateCall, EvalContext};
use crate::types::{Value, ValueRef, Vector};

/// What is known of the rows of a frame.
enum Content {
    /// Rows come but do not go, or can be taken out.
    Running(Accumulator),
    /// How many values have each bit, and how many values there are.
    Bits(Box<[u64; 64]>, u64),
    /// The row and the value of those that may still be the extreme, the extreme first.
    Extremes(VecDeque<(u64, Value)>),
    /// Deviations.
    Spread(Segments),
}

/// An aggregate of the frame of the current row.
pub(super) struct Moving {
    /// The number of its argument's column; none for COUNT(*).
    arg: Option<usize>,
    /// Rows never leave the frame but with their partition.
    grows: bool,
    content: Content,
    /// The rows that are in it.
    held: (u64, u64),
    adding: Cursor,
    leaving: Cursor,
    /// The value for the last frame.
    value: Value,
}

impl Moving {
    pub(super) fn new(
        call: &AggregateCall,
        arg: Option<usize>,
        grows: bool,
        rows: &Rc<PartitionRows>,
    ) -> Moving {
        let content = if grows { Content::Running(call.accumulator()) } else { moving(call, rows) };
        Moving {
            arg,
            grows,
            content,
            held: (0, 0),
            adding: Cursor::new(rows),
            leaving: Cursor::new(rows),
            value: Value::Null,
        }
    }

    /// The value for the frame of the current row.
    ///
    /// # Errors
    /// Those of the temporary file and of the arithmetic.
    pub(super) fn go(
        &mut self,
        call: &AggregateCall,
        bounds: &Bounds,
        ctx: &mut EvalContext,
    ) -> SqlResult<&Value> {
        let (start, end) = bounds.frame;
        if bounds.new_partition {
            self.content.clear(call);
            self.held = (bounds.partition.0, bounds.partition.0);
        } else if self.held == (start, end) {
            return Ok(&self.value);
        }
        let Some(arg) = self.arg else {
            self.held = (start, end);
            self.value = Value::Int(end.saturating_sub(start).cast_signed());
            return Ok(&self.value);
        };
        if let Content::Spread(segments) = &mut self.content {
            self.held = (start, end);
            let first = bounds.partition.0;
            self.value = segments.value(call, arg, (start - first, end.saturating_sub(first)), first, ctx)?;
            return Ok(&self.value);
        }
        while self.held.1 < end {
            let (batch, at) = self.adding.at(self.held.1)?;
            self.content.add(call, &batch.columns[arg], at, self.held.1, ctx)?;
            self.held.1 += 1;
        }
        // a frame that ends before it starts has left behind what it never had
        let leave = start.min(self.held.1);
        while !self.grows && self.held.0 < leave {
            let (batch, at) = self.leaving.at(self.held.0)?;
            self.content.remove(&batch.columns[arg], at, self.held.0);
            self.held.0 += 1;
        }
        self.held = (self.held.0.max(leave), self.held.1);
        self.value = self.content.value(call, ctx)?;
        self.held = if self.grows { (start, self.held.1) } else { self.held };
        Ok(&self.value)
    }
}

/// What a call keeps of a frame that moves at both ends.
fn moving(call: &AggregateCall, rows: &Rc<PartitionRows>) -> Content {
    match call.function {
        F::Min | F::Max => Content::Extremes(VecDeque::new()),
        F::BitAnd | F::BitOr | F::BitXor => Content::Bits(Box::new([0; 64]), 0),
        F::Std | F::StdSamp | F::Variance | F::VarSamp => Content::Spread(Segments::new(rows)),
        _ => Content::Running(call.accumulator()),
    }
}

impl Content {
    fn clear(&mut self, call: &AggregateCall) {
        match self {
            Content::Running(acc) => *acc = call.accumulator(),
            Content::Bits(counts, values) => (**counts, *values) = ([0; 64], 0),
            Content::Extremes(list) => list.clear(),
            Content::Spread(segments) => segments.clear(),
        }
    }

    fn add(
        &mut self,
        call: &AggregateCall,
        v: &Vector,
        at: usize,
        row: u64,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        match self {
            Content::Running(acc) => call.add_row(acc, &[v], at, ctx)?,
            _ if v.is_null(at) => {}
            Content::Bits(counts, values) => {
                count_bits(counts, v.i64(at).cast_unsigned(), 1);
                *values += 1;
            }
            Content::Extremes(list) => {
                let x = v.get(at);
                let keeps = |last: &Value| {
                    let o = order(last.as_ref(), x, &call.args[0].ty);
                    if call.function == F::Min { o.is_lt() } else { o.is_gt() }
                };
                // of equal ones the first is the answer as long as it is there
                while list.back().is_some_and(|(_, last)| !keeps(last) && !equal(last, x, call)) {
                    list.pop_back();
                }
                if list.back().is_none_or(|(_, last)| !equal(last, x, call)) {
                    list.push_back((row, x.to_owned()));
                } else if let Some(last) = list.back_mut() {
                    last.0 = row;
                }
            }
            Content::Spread(_) => {}
        }
        Ok(())
    }

    fn remove(&mut self, v: &Vector, at: usize, row: u64) {
        match self {
            _ if v.is_null(at) => {}
            Content::Running(acc) => match (&mut acc.state, v.get(at)) {
                (State::Count(n), _) => *n -= 1,
                (State::Int { sum, count }, _) => {
                    *sum -= integer(v, at);
                    *count -= 1;
                }
                (State::Decimal { sum, count }, ValueRef::Decimal(d)) => {
                    *sum = sum.sub(d).0;
                    *count -= 1;
                }
                (State::Double { sum, count }, _) => {
                    *sum -= v.f64(at);
                    *count -= 1;
                }
                _ => {}
            },
            Content::Bits(counts, values) => {
                count_bits(counts, v.i64(at).cast_unsigned(), u64::MAX);
                *values -= 1;
            }
            Content::Extremes(list) => {
                if list.front().is_some_and(|(first, _)| *first <= row) {
                    list.pop_front();
                }
            }
            Content::Spread(_) => {}
        }
    }

    fn value(&self, call: &AggregateCall, ctx: &mut EvalContext) -> SqlResult<Value> {
        let state = match self {
            Content::Running(acc) => acc.state.copy(),
            Content::Bits(counts, values) => {
                let set = |n: u64| match call.function {
                    F::BitAnd => n == *values,
                    F::BitOr => n > 0,
                    _ => n & 1 == 1,
                };
                let bits = counts.iter().enumerate().filter(|(_, n)| set(**n)).map(|(bit, _)| 1u64 << bit);
                State::Bits(bits.sum())
            }
            Content::Extremes(list) => {
                State::Extreme(list.front().map_or(Value::Null, |(_, value)| value.clone()))
            }
            Content::Spread(_) => State::Empty,
        };
        call.finish(Accumulator { state, seen: None }, ctx)
    }
}

fn equal(a: &Value, b: ValueRef<'_>, call: &AggregateCall) -> bool {
    order(a.as_ref(), b, &call.args[0].ty).is_eq()
}

/// Adds to the counts of the bits that are set.
fn count_bits(counts: &mut [u64; 64], bits: u64, by: u64) {
    let mut left = bits;
    while left != 0 {
        let bit = left.trailing_zeros() as usize;
        counts[bit] = counts[bit].wrapping_add(by);
        left &= left - 1;
    }
}

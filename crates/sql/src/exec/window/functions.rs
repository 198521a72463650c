//! What a window function keeps, and its value for the current row.

use std::rc::Rc;

use super::frame::Bounds;
use super::moving::Moving;
use super::rows::{Cursor, PartitionRows};
use crate::ast::AggregateFunction;
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::EvalContext;
use crate::expr::window::{Bound, WindowFunction as W};
use crate::plan::window::PlannedCall;
use crate::result::NOT_FIXED_DEC;
use crate::types::decimal::Rounding;
use crate::types::{Batch, FieldType, Value, ValueRef, Vector};

/// The largest value that the type of PERCENTILE_CONT has room for, as a DOUBLE has it.
const MOST_OF_PERCENTILE: f64 = 1e8;

/// A window function while it runs over rows that are kept.
pub(super) struct Function<'p> {
    call: &'p PlannedCall,
    cursor: Cursor,
    rank: Rank,
    moving: Option<Moving>,
    /// The value of the partition (NTILE, PERCENTILE_CONT, PERCENTILE_DISC): the argument that it is for, and itself.
    of_partition: (Value, Value),
}

/// Ranks, from row to row.
#[derive(Clone, Copy, Default)]
pub(super) struct Rank {
    number: i64,
    rank: i64,
    dense: i64,
}

impl Rank {
    /// The next row.
    pub(super) fn go(&mut self, new_partition: bool, new_peers: bool) {
        if new_partition {
            *self = Rank::default();
        }
        self.number += 1;
        if new_peers {
            self.rank = self.number;
            self.dense += 1;
        }
    }

    /// The value of a function that needs no more than this.
    pub(super) fn value(self, function: W) -> i64 {
        match function {
            W::Rank => self.rank,
            W::DenseRank => self.dense,
            _ => self.number,
        }
    }
}

/// Whether a function needs no rows but those before.
pub(super) fn is_rank(function: W) -> bool {
    matches!(function, W::RowNumber | W::Rank | W::DenseRank)
}

impl<'p> Function<'p> {
    pub(super) fn new(call: &'p PlannedCall, rows: &Rc<PartitionRows>) -> Function<'p> {
        let moving = call
            .aggregate
            .as_ref()
            .map(|a| Moving::new(a, call.args.first().copied(), call.frame.start == Bound::Unbounded, rows));
        Function {
            call,
            cursor: Cursor::new(rows),
            rank: Rank::default(),
            moving,
            of_partition: (Value::Null, Value::Null),
        }
    }

    /// Appends the value of the current row, row `at` of `batch`.
    ///
    /// # Errors
    /// 4024, 4102, 4103; those of aggregates and of the temporary file.
    pub(super) fn go(
        &mut self,
        b: &Bounds,
        (batch, at): (&Batch, usize),
        out: &mut Vector,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let call = self.call;
        let arg = |n: usize| call.args.get(n).map_or(ValueRef::Null, |column| batch.columns[*column].get(at));
        let rows = b.partition.1 - b.partition.0;
        match call.function {
            W::RowNumber | W::Rank | W::DenseRank => {
                self.rank.go(b.new_partition, b.new_peers);
                out.push_i64(self.rank.value(call.function));
            }
            W::PercentRank => {
                let before = (b.peers.0 - b.partition.0) as f64;
                let share = if rows > 1 { before / (rows - 1) as f64 } else { 0.0 };
                push_fitted(&Value::Double(share), &call.ty, out);
            }
            W::CumeDist => {
                let share = (b.peers.1 - b.partition.0) as f64 / rows as f64;
                push_fitted(&Value::Double(share), &call.ty, out);
            }
            W::Ntile => {
                let parts = arg(0);
                if b.new_partition {
                    self.of_partition.0 = parts.to_owned();
                }
                let count = if let ValueRef::Int(n) = parts { n } else { 0 };
                if count <= 0 || self.of_partition.0.as_ref() != parts {
                    return Err(SqlError::new(codes::ER_INVALID_NTILE_ARGUMENT, &[]));
                }
                out.push_i64(tile(b.row - b.partition.0, rows, count.cast_unsigned()).cast_signed());
            }
            W::Lag | W::Lead => {
                let by = match arg(1) {
                    ValueRef::Int(n) => i128::from(n),
                    _ if call.args.len() > 1 => 0,
                    _ => 1,
                };
                let row = i128::from(b.row) + if call.function == W::Lead { by } else { -by };
                let inside = i128::from(b.partition.0) <= row && row < i128::from(b.partition.1);
                self.push_row(inside.then_some(row as u64), out)?;
            }
            W::FirstValue => self.push_row((b.frame.0 < b.frame.1).then_some(b.frame.0), out)?,
            W::LastValue => self.push_row((b.frame.0 < b.frame.1).then(|| b.frame.1 - 1), out)?,
            W::NthValue => {
                let n = if let ValueRef::Int(n) = arg(1) { n } else { 1 };
                let row = u64::try_from(n).ok().and_then(|n| b.frame.0.checked_add(n.checked_sub(1)?));
                self.push_row(row.filter(|row| *row < b.frame.1), out)?;
            }
            W::PercentileCont | W::PercentileDisc => {
                let share = if call.args.len() == 2 { arg(0) } else { ValueRef::Double(0.5) };
                self.percentile(b, share)?;
                push_fitted(&self.of_partition.1, &call.ty, out);
            }
            W::Aggregate => {
                if let (Some(moving), Some(a)) = (&mut self.moving, &call.aggregate) {
                    let value = moving.go(a, b, ctx)?;
                    match a.function {
                        // with all digits: expressions compute with them
                        AggregateFunction::Avg => out.push(value.as_ref()),
                        _ => push_fitted(value, &call.ty, out),
                    }
                }
            }
        }
        Ok(())
    }

    /// Appends the first argument of a row; NULL of none.
    fn push_row(&mut self, row: Option<u64>, out: &mut Vector) -> SqlResult<()> {
        match row {
            Some(row) => {
                let (batch, at) = self.cursor.at(row)?;
                out.push_from(&batch.columns[self.call.args[0]], at);
            }
            None => out.push_null(),
        }
        Ok(())
    }

    /// Finds the value of the partition when it begins.
    fn percentile(&mut self, b: &Bounds, share: ValueRef<'_>) -> SqlResult<()> {
        let name = || self.call.function.word();
        if !b.new_partition {
            return match self.of_partition.0.as_ref() == share {
                true => Ok(()),
                false => Err(SqlError::new(codes::ER_ARGUMENT_NOT_CONSTANT, &[&name()])),
            };
        }
        self.of_partition = (share.to_owned(), Value::Null);
        let ValueRef::Double(share) = share else {
            return Err(SqlError::new(codes::ER_ARGUMENT_NOT_CONSTANT, &[&name()]));
        };
        if !(0.0..=1.0).contains(&share) {
            return Err(SqlError::new(codes::ER_ARGUMENT_OUT_OF_RANGE, &[&name()]));
        }
        // NULLs are at one end of the rows
        let (mut first, mut behind) = b.partition;
        while first < behind && self.value(first)?.is_null() {
            first += 1;
        }
        while first < behind && self.value(behind - 1)?.is_null() {
            behind -= 1;
        }
        if first == behind {
            return Ok(());
        }
        let count = behind - first;
        if self.call.function == W::PercentileDisc {
            let nth = ((share * count as f64).ceil() as u64).clamp(1, count);
            self.of_partition.1 = self.value(first + nth - 1)?;
            return Ok(());
        }
        let place = share * (count - 1) as f64;
        let (low, high) = (place.floor(), place.ceil());
        let (Value::Double(a), Value::Double(z)) =
            (self.value(first + low as u64)?, self.value(first + high as u64)?)
        else {
            return Ok(());
        };
        let value = if low == high { a } else { (high - place) * a + (place - low) * z };
        self.of_partition.1 = Value::Double(value.clamp(-MOST_OF_PERCENTILE, MOST_OF_PERCENTILE));
        Ok(())
    }

    /// The last argument of a row.
    fn value(&mut self, row: u64) -> SqlResult<Value> {
        let (batch, at) = self.cursor.at(row)?;
        Ok(batch.columns[self.call.args[self.call.args.len() - 1]].value(at))
    }
}

/// Appends a value with the digits behind the point that its type has.
fn push_fitted(value: &Value, ty: &FieldType, out: &mut Vector) {
    match value {
        Value::Decimal(d) if d.scale() > ty.decimals => {
            out.push_decimal(&d.round(ty.decimals.into(), Rounding::HalfUp).0);
        }
        Value::Double(x) if ty.decimals < NOT_FIXED_DEC && x.abs() < 1e15 => {
            let unit = 10f64.powi(ty.decimals.into());
            out.push_f64((x * unit).round() / unit);
        }
        value => out.push(value.as_ref()),
    }
}

/// The part that row `row` of so many rows is in, when these are parted: the first parts have a row more when they are not equal.
fn tile(row: u64, rows: u64, parts: u64) -> u64 {
    let (each, more) = (rows / parts, rows % parts);
    let large = more * (each + 1);
    if row < large { row / (each + 1) + 1 } else { more + (row - large) / each.max(1) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_differ_by_one_row_at_most() {
        for rows in 1..40u64 {
            for parts in 1..45u64 {
                let tiles: Vec<u64> = (0..rows).map(|row| tile(row, rows, parts)).collect();
                assert!(tiles.is_sorted() && tiles[0] == 1);
                assert_eq!(tiles[tiles.len() - 1], parts.min(rows));
                let size = |n: u64| tiles.iter().filter(|t| **t == n).count() as u64;
                assert!((1..=parts).all(|n| size(n) == rows / parts + u64::from(n <= rows % parts)));
            }
        }
    }
}

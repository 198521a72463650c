//! Aggregate functions: what the binder collects and how the executor accumulates.

use super::{EvalContext, Expr};
use crate::ast::AggregateFunction;
use crate::error::SqlResult;
use crate::types::{FieldType, Value, Vector};

/// One aggregate of a query.
#[derive(Clone, Debug)]
pub struct AggregateCall {
    /// Which.
    pub function: AggregateFunction,
    /// DISTINCT.
    pub distinct: bool,
    /// Arguments, already converted to the class the accumulator wants; none for COUNT(*).
    pub args: Vec<Expr>,
    /// ORDER BY of GROUP_CONCAT: expression and whether descending.
    pub order_by: Vec<(Expr, bool)>,
    /// SEPARATOR of GROUP_CONCAT, in the result's character set.
    pub separator: Box<[u8]>,
    /// LIMIT of GROUP_CONCAT: offset, count.
    pub limit: Option<(u64, u64)>,
    /// The result's type.
    pub ty: FieldType,
}

/// The running value of one aggregate for one group.
#[derive(Clone, Debug, Default)]
pub struct Accumulator {
    rows: u64,
}

impl AggregateCall {
    /// A fresh accumulator.
    #[must_use]
    pub fn accumulator(&self) -> Accumulator {
        Accumulator::default()
    }

    /// Adds all rows of a batch to one group; `args` are the vectors of [`AggregateCall::args`] (and
    /// then those of `order_by`), `rows` the number of rows.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn add_batch(
        &self,
        acc: &mut Accumulator,
        args: &[&Vector],
        rows: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        for row in 0..rows {
            self.add_row(acc, args, row, ctx)?;
        }
        Ok(())
    }

    /// Adds one row to a group.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn add_row(
        &self,
        acc: &mut Accumulator,
        _args: &[&Vector],
        _row: usize,
        _ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        acc.rows += 1;
        Ok(())
    }

    /// Adds what another accumulator of the same aggregate gathered from later rows.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn merge(&self, acc: &mut Accumulator, other: Accumulator, _ctx: &mut EvalContext) -> SqlResult<()> {
        acc.rows += other.rows;
        Ok(())
    }

    /// The group's value.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn finish(&self, _acc: Accumulator, _ctx: &mut EvalContext) -> SqlResult<Value> {
        Ok(Value::Null)
    }
}

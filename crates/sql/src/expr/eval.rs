//! Evaluation of expressions over batches.

use super::{EvalContext, Expr, SubqueryRunner};
use crate::error::SqlResult;
use crate::types::{Batch, Value, Vector};
use std::ops::Deref;

/// What an expression is evaluated over.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// The rows; column references name its vectors by slot.
    pub batch: &'a Batch,
    /// Who runs subqueries, when the expression may have some.
    pub subqueries: Option<&'a dyn SubqueryRunner>,
}

/// Which rows of the batch.
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    /// The first `n`.
    All(usize),
    /// These, ascending.
    Some(&'a [u32]),
}

/// A constant IN list, prepared for look-up.
#[derive(Clone, Debug)]
pub struct InSet {}

/// The values of an expression: one per asked row (dense), or constant.
#[derive(Debug)]
pub enum VecRef<'a> {
    /// A column of the batch itself.
    Borrowed(&'a Vector),
    /// Computed; give it back with [`EvalContext::done`].
    Owned(Vector),
}

impl Deref for VecRef<'_> {
    type Target = Vector;
    fn deref(&self) -> &Vector {
        match self {
            VecRef::Borrowed(v) => v,
            VecRef::Owned(v) => v,
        }
    }
}

impl EvalContext {
    /// Gives a result back so that its buffers serve again.
    #[inline]
    pub fn done(&mut self, v: VecRef<'_>) {
        if let VecRef::Owned(v) = v {
            self.recycle(v);
        }
    }
}

impl<'a> Frame<'a> {
    /// A frame without subqueries.
    #[must_use]
    pub fn new(batch: &'a Batch) -> Frame<'a> {
        Frame { batch, subqueries: None }
    }
}

impl Rows<'_> {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Rows::All(n) => *n,
            Rows::Some(r) => r.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Expr {
    /// The values for `rows` of the frame: a dense vector of the type's class (value `i` belongs to
    /// the `i`-th asked row), or a constant one.
    ///
    /// # Errors
    /// Those of the evaluation (1690 ...).
    pub fn eval<'a>(
        &self,
        _frame: Frame<'a>,
        _rows: Rows<'_>,
        _ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        todo!()
    }

    /// Appends to `out` the rows for which the condition is true. Conditions joined by AND are
    /// tried one after the other on what is left.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn filter(
        &self,
        _frame: Frame<'_>,
        _rows: Rows<'_>,
        _ctx: &mut EvalContext,
        _out: &mut Vec<u32>,
    ) -> SqlResult<()> {
        todo!()
    }

    /// The value for the first row of the frame.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn value_in(&self, frame: Frame<'_>, ctx: &mut EvalContext) -> SqlResult<Value> {
        let v = self.eval(frame, Rows::All(1), ctx)?;
        let value = v.value(0);
        ctx.done(v);
        Ok(value)
    }

    /// The value of an expression without columns.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn value(&self, ctx: &mut EvalContext) -> SqlResult<Value> {
        let batch = Batch::one_row();
        self.value_in(Frame::new(&batch), ctx)
    }
}

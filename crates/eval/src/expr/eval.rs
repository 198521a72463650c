//! Evaluation of expressions over batches.

use super::arguments::Open;
use super::{ArithOp, CompareOp, Comparison, EvalContext, Expr, Node, SubqueryNode, SubqueryRunner, Test};
use crate::error::{SqlError, SqlResult};
use crate::types::convert::{self, push_converted};
use crate::types::{Batch, Class, FieldType, Value, ValueRef, Vector};
use charset::Collation;
use std::ops::Deref;

use super::case::{self, Case};
use super::in_list::InList;
pub use super::in_list::{InLookup, InSet};

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

    /// A constant vector from the pool.
    #[inline]
    pub fn constant<'a>(&mut self, value: ValueRef<'_>, class: Class) -> VecRef<'a> {
        let class = if value.is_null() { class } else { value.class() };
        let mut v = self.take(class);
        v.push(value);
        v.set_constant(true);
        VecRef::Owned(v)
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

    /// The batch row of the `i`-th asked one.
    #[inline]
    #[must_use]
    pub fn row(&self, i: usize) -> usize {
        match self {
            Rows::All(_) => i,
            Rows::Some(r) => r[i] as usize,
        }
    }
}

impl Expr {
    /// The values for `rows` of the frame: a dense vector of the type's class (value `i` belongs to
    /// the `i`-th asked row), or a constant one.
    ///
    /// # Errors
    /// Those of the evaluation (1690 ...).
    pub fn eval<'a>(&self, frame: Frame<'a>, rows: Rows<'_>, ctx: &mut EvalContext) -> SqlResult<VecRef<'a>> {
        if rows.len() > 1 && self.is_over_long_values() {
            return self.eval_by_portions(frame, rows, ctx);
        }
        self.eval_rows(frame, rows, ctx)
    }

    /// As [`Expr::eval`], all rows at once.
    pub(super) fn eval_rows<'a>(
        &self,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        match &self.node {
            Node::Literal(v) => Ok(ctx.constant(v.as_ref(), self.ty.class())),
            Node::Column(c) => {
                let Some(v) = frame.batch.columns.get(c.slot as usize) else {
                    return Err(SqlError::internal("column without a place in the batch"));
                };
                match rows {
                    Rows::All(_) => Ok(VecRef::Borrowed(v)),
                    Rows::Some(_) if v.is_constant() => Ok(VecRef::Borrowed(v)),
                    Rows::Some(r) => Ok(VecRef::Owned(gather(v, r, ctx))),
                }
            }
            Node::Param(n) => Ok(self.parameter(*n, ctx)?),
            Node::Outer(n) => {
                let value = ctx.statement.outer.get(*n as usize).cloned().unwrap_or_default();
                self.value_as_constant(&value, ctx)
            }
            Node::Aggregate(_) | Node::Window(_) => {
                Err(SqlError::internal("aggregate without a place in the batch"))
            }
            Node::Convert(e) => self.eval_convert(e, frame, rows, ctx),
            Node::Once(_, e) if ctx.statement.assigned => e.eval(frame, rows, ctx),
            Node::Once(n, e) | Node::Answer(n, e) => self.eval_once(*n, e, frame.subqueries, ctx),
            Node::Negate(e, text) => {
                let v = e.eval(frame, rows, ctx)?;
                let out = super::arith::negate(&v, &e.ty, &self.ty, text, ctx)?;
                ctx.done(v);
                Ok(VecRef::Owned(out))
            }
            Node::BitNot(e) => self.eval_bit_not(e, frame, rows, ctx),
            Node::Not(e) => self.eval_not(e, frame, rows, ctx),
            Node::Is(e, test, negated) => self.eval_test(e, *test, *negated, frame, rows, ctx),
            Node::Arith(op, args, text) => self.eval_arith(*op, args, text, frame, rows, ctx),
            Node::Compare(op, by, args) => self.eval_compare(*op, *by, args, frame, rows, ctx),
            Node::And(list) => self.eval_chain(list, true, frame, rows, ctx),
            Node::Or(list) => self.eval_chain(list, false, frame, rows, ctx),
            Node::Xor(args) => self.eval_xor(args, frame, rows, ctx),
            Node::Between { args, by, negated } => {
                let v = args[0].eval(frame, rows, ctx)?;
                if !v.is_empty() && v.nulls().iter().filter(|n| **n != 0).count() == v.len() {
                    // nobody looks at the bounds
                    ctx.done(v);
                    let mut out = ctx.take(Class::Int);
                    out.push_null();
                    out.set_constant(true);
                    return Ok(VecRef::Owned(out));
                }
                let low = args[1].eval(frame, rows, ctx)?;
                let high = args[2].eval(frame, rows, ctx)?;
                let out = super::compare::between(*by, &v, &low, &high, *negated, rows.len(), ctx);
                ctx.done(v);
                ctx.done(low);
                ctx.done(high);
                Ok(VecRef::Owned(out))
            }
            Node::In { expr, list, by, negated, lookup } => {
                let list = InList { list, by: *by, negated: *negated, lookup };
                self.eval_in(expr, &list, frame, rows, ctx)
            }
            Node::Like { args, collation, escape, negated } => {
                let by = (*collation, *escape);
                eval_like(args, by, *negated, frame, rows, ctx)
            }
            Node::If(args) => self.eval_if(args, frame, rows, ctx),
            Node::Case { operands, branches, otherwise } => {
                Case { operands, branches, otherwise: otherwise.as_deref() }.eval(self, frame, rows, ctx)
            }
            Node::Operand(n) => case::operand(*n, rows, ctx),
            Node::Coalesce(list) => self.eval_coalesce(list, frame, rows, ctx),
            Node::Call(function, args) => super::function::eval_call(self, function, args, frame, rows, ctx),
            Node::UserVariable(name) => {
                let mut out = ctx.take(self.ty.class());
                ctx.read_user_variable(name, &self.ty, &mut out)?;
                out.set_constant(true);
                Ok(VecRef::Owned(out))
            }
            Node::Assign(name, e) => self.eval_assign(name, e, frame, rows, ctx),
            Node::Subquery(s) => self.eval_subquery(s, frame, rows, ctx),
            Node::Match(m) => m.eval(frame, rows, ctx),
            Node::Row(_) => Err(SqlError::new(crate::error::ER_OPERAND_COLUMNS, &[&1])),
        }
    }

    #[inline]
    fn eval_convert<'a>(
        &self,
        e: &Expr,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let v = e.eval(frame, rows, ctx)?;
        let column = e.as_column().is_some();
        ctx.of_column = column;
        let out = convert_vector(&v, &e.ty, &self.ty, rows.len(), column, ctx);
        ctx.of_column = false;
        let out = out?;
        Ok(match out {
            Some(out) => {
                ctx.done(v);
                VecRef::Owned(out)
            }
            None => v,
        })
    }

    /// `@name := e`, row by row: the last value stays.
    fn eval_assign<'a>(
        &self,
        name: &str,
        e: &Expr,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        ctx.statement.assigned = true;
        let v = e.eval(frame, rows, ctx)?;
        if !rows.is_empty() {
            let value = v.value(rows.len() - 1);
            ctx.set_user_variable(name, value, &e.ty)?;
        }
        Ok(v)
    }

    /// A value computed once for the statement.
    fn eval_once<'a>(
        &self,
        n: u32,
        e: &Expr,
        subqueries: Option<&dyn SubqueryRunner>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let value = match ctx.statement.once.iter().find(|(m, _)| *m == n) {
            Some((_, value)) => value.clone(),
            None => {
                let value = e.value_in(Frame { batch: &Batch::one_row(), subqueries }, ctx)?;
                if ctx.statement.has_room_for(&value) {
                    ctx.statement.once.push((n, value.clone()));
                }
                value
            }
        };
        self.value_as_constant(&value, ctx)
    }

    #[inline]
    fn eval_bit_not<'a>(
        &self,
        e: &Expr,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let v = e.eval(frame, rows, ctx)?;
        let mut out = ctx.take(Class::UInt);
        for i in 0..v.len() {
            if v.is_null(i) {
                out.push_null();
            } else {
                out.push_i64(!v.i64(i));
            }
        }
        out.set_constant(v.is_constant());
        ctx.done(v);
        Ok(VecRef::Owned(out))
    }

    #[inline]
    fn eval_not<'a>(
        &self,
        e: &Expr,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let v = e.eval(frame, rows, ctx)?;
        let mut out = ctx.take(Class::Int);
        for i in 0..v.len() {
            match truth(&v, i, &e.ty, ctx) {
                None => out.push_null(),
                Some(t) => out.push_i64(i64::from(!t)),
            }
        }
        out.set_constant(v.is_constant());
        ctx.done(v);
        Ok(VecRef::Owned(out))
    }

    #[inline]
    fn eval_test<'a>(
        &self,
        e: &Expr,
        test: Test,
        negated: bool,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let v = e.eval(frame, rows, ctx)?;
        let mut out = ctx.take(Class::Int);
        for i in 0..v.len() {
            let yes = match test {
                Test::Null => v.is_null(i),
                Test::True => truth(&v, i, &e.ty, ctx) == Some(true),
                Test::False => truth(&v, i, &e.ty, ctx) == Some(false),
            };
            out.push_i64(i64::from(yes != negated));
        }
        out.set_constant(v.is_constant());
        ctx.done(v);
        Ok(VecRef::Owned(out))
    }

    #[inline]
    fn eval_arith<'a>(
        &self,
        op: ArithOp,
        args: &[Expr; 2],
        text: &str,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let a = args[0].eval(frame, rows, ctx)?;
        let stops = matches!(op, ArithOp::IntDivide | ArithOp::BitOr | ArithOp::BitAnd);
        let b = if stops || self.ty.class() == Class::Decimal {
            args[1].eval_beside(&a, frame, rows, ctx)?
        } else {
            args[1].eval(frame, rows, ctx)?
        };
        let out = super::arith::arith(op, &a, &b, &self.ty, text, ctx)?;
        ctx.done(a);
        ctx.done(b);
        Ok(VecRef::Owned(out))
    }

    #[inline]
    fn eval_compare<'a>(
        &self,
        op: CompareOp,
        by: Comparison,
        args: &[Expr; 2],
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let a = args[0].eval(frame, rows, ctx)?;
        let b = if op == CompareOp::NullSafeEq {
            args[1].eval(frame, rows, ctx)?
        } else {
            args[1].eval_beside(&a, frame, rows, ctx)?
        };
        let out = super::compare::compare(op, by, &a, &b, ctx);
        ctx.done(a);
        ctx.done(b);
        Ok(VecRef::Owned(out))
    }

    #[inline]
    fn eval_xor<'a>(
        &self,
        args: &[Expr; 2],
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let a = args[0].eval(frame, rows, ctx)?;
        let b = args[1].eval_beside(&a, frame, rows, ctx)?;
        let constant = a.is_constant() && b.is_constant();
        let mut out = ctx.take(Class::Int);
        for i in 0..if constant { 1 } else { rows.len() } {
            match (truth(&a, i, &args[0].ty, ctx), truth(&b, i, &args[1].ty, ctx)) {
                (Some(x), Some(y)) => out.push_i64(i64::from(x != y)),
                _ => out.push_null(),
            }
        }
        out.set_constant(constant);
        ctx.done(a);
        ctx.done(b);
        Ok(VecRef::Owned(out))
    }

    /// The values beside those of `first`: where these are NULL it is not computed, so that it cannot warn there.
    pub(super) fn eval_beside<'a>(
        &self,
        first: &Vector,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        if !first.any_null() {
            return self.eval(frame, rows, ctx);
        }
        let mut open = Open::default();
        open.close(first, rows.len());
        open.eval(self, frame, rows, ctx)
    }

    /// Parameter `n` as a constant of this expression's type.
    fn parameter<'a>(&self, n: u32, ctx: &mut EvalContext) -> SqlResult<VecRef<'a>> {
        let Some(v) = ctx.statement.params.get(n as usize) else {
            return Ok(ctx.constant(ValueRef::Null, self.ty.class()));
        };
        if v.is_null() || v.class() == self.ty.class() {
            let class = self.ty.class();
            let mut out = ctx.take(class);
            // Borrowed again: `take` needed the context.
            if let Some(v) = ctx.statement.params.get(n as usize) {
                out.push(v.as_ref());
            }
            out.set_constant(true);
            return Ok(VecRef::Owned(out));
        }
        let v = v.clone();
        self.value_as_constant(&v, ctx)
    }

    /// A value of whatever class as a constant of this expression's type.
    fn value_as_constant<'a>(&self, v: &Value, ctx: &mut EvalContext) -> SqlResult<VecRef<'a>> {
        let class = self.ty.class();
        if v.is_null() || v.class() == class {
            return Ok(ctx.constant(v.as_ref(), class));
        }
        let from = type_of_value(v, ctx);
        let mut out = ctx.take(class);
        push_converted(v.as_ref(), &from, &self.ty, &mut out, ctx)?;
        out.set_constant(true);
        Ok(VecRef::Owned(out))
    }

    fn eval_subquery<'a>(
        &self,
        s: &SubqueryNode,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let Some(runner) = frame.subqueries else {
            return Err(SqlError::internal("no one runs subqueries here"));
        };
        let mut outer = Vec::with_capacity(s.outer.len());
        for e in &s.outer {
            outer.push(e.eval(frame, rows, ctx)?);
        }
        let mut left = Vec::with_capacity(s.left.len());
        for e in &s.left {
            left.push(e.eval(frame, rows, ctx)?);
        }
        let mut out = ctx.take(self.ty.class());
        let constant = outer.iter().chain(&left).all(|v| v.is_constant());
        let n = if constant { rows.len().min(1) } else { rows.len() };
        if let ([], [one]) = (&outer[..], &left[..])
            && runner.run_all(s, one, n, &mut out, ctx)?
        {
            out.set_constant(constant && n == 1);
            left.into_iter().for_each(|v| ctx.done(v));
            return Ok(VecRef::Owned(out));
        }
        let mut outer_values = Vec::with_capacity(outer.len());
        let mut left_values = Vec::with_capacity(left.len());
        for i in 0..n {
            outer_values.clear();
            outer_values.extend(outer.iter().map(|v| v.value(i)));
            left_values.clear();
            left_values.extend(left.iter().map(|v| v.value(i)));
            let value = runner.run(s, &outer_values, &left_values, ctx)?;
            if value.is_null() || value.class() == self.ty.class() {
                out.push(value.as_ref());
            } else {
                let from = type_of_value(&value, ctx);
                push_converted(value.as_ref(), &from, &self.ty, &mut out, ctx)?;
            }
        }
        out.set_constant(constant && n == 1);
        for v in outer.into_iter().chain(left) {
            ctx.done(v);
        }
        Ok(VecRef::Owned(out))
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
        if let Node::Literal(v) = &self.node {
            return Ok(v.clone());
        }
        let batch = Batch::one_row();
        self.value_in(Frame::new(&batch), ctx)
    }
}

fn eval_like<'a>(
    args: &[Expr; 2],
    by: (&'static Collation, Option<u32>),
    negated: bool,
    frame: Frame<'a>,
    rows: Rows<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<VecRef<'a>> {
    let v = args[0].eval(frame, rows, ctx)?;
    let p = args[1].eval_beside(&v, frame, rows, ctx)?;
    let out = like(&v, &p, by, negated, rows.len(), ctx)?;
    ctx.done(v);
    ctx.done(p);
    Ok(VecRef::Owned(out))
}

/// The most natural type of a value whose type is not known.
#[must_use]
pub fn type_of_value(v: &Value, ctx: &EvalContext) -> FieldType {
    use crate::types::{Derivation, Kind};
    match v {
        Value::Null => FieldType::null(),
        Value::Int(_) => FieldType::bigint(false),
        Value::UInt(_) => FieldType::bigint(true),
        Value::Double(_) => FieldType::double(),
        Value::Decimal(d) => FieldType::decimal(d.precision(), d.scale()),
        Value::Bytes(b) => FieldType::string(b.len() as u64, ctx.collation, Derivation::Coercible),
        Value::Date(_) => FieldType::date(),
        Value::Time(t) => FieldType::time(if t.micros == 0 { 0 } else { 6 }),
        Value::DateTime(t) => FieldType::new(Kind::DateTime, 26, if t.micros == 0 { 0 } else { 6 }),
    }
}

/// The rows `r` of a vector, dense.
pub(super) fn gather(v: &Vector, r: &[u32], ctx: &mut EvalContext) -> Vector {
    let mut out = ctx.take(v.class());
    out.gather(v, r);
    out
}

/// The truth of value `i`: `None` is unknown.
#[inline]
pub fn truth(v: &Vector, i: usize, ty: &FieldType, ctx: &mut EvalContext) -> Option<bool> {
    if v.is_null(i) {
        return None;
    }
    match v.class() {
        Class::Int | Class::UInt => Some(v.i64(i) != 0),
        Class::Double => Some(v.f64(i) != 0.0),
        _ => Some(convert::to_bool(v.get(i), ty, ctx)),
    }
}

/// A vector converted from one type to another; `None` when nothing has to change. Columns are read as integers in
/// their own way.
fn convert_vector(
    v: &Vector,
    from: &FieldType,
    to: &FieldType,
    rows: usize,
    column: bool,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Vector>> {
    let (a, b) = (from.class(), to.class());
    let n = if v.is_constant() { 1 } else { rows };
    let mut out = ctx.take(b);
    match (a, b) {
        (Class::Int | Class::UInt, Class::Double) => {
            let unsigned = a == Class::UInt;
            let values = v.i64s();
            out.f64s_mut()
                .extend(values[..n].iter().map(|x| if unsigned { *x as u64 as f64 } else { *x as f64 }));
            out.set_len(n);
            for (i, null) in v.nulls().iter().enumerate().take(n) {
                if *null != 0 {
                    out.set_null(i);
                }
            }
        }
        (Class::Double | Class::Bytes, Class::Int | Class::UInt) if column => {
            for i in 0..n {
                match v.get(i) {
                    ValueRef::Null => out.push_null(),
                    v => out.push_i64(crate::types::convert::column_to_i64(v, from, ctx)),
                }
            }
        }
        _ => {
            for i in 0..n {
                push_converted(v.get(i), from, to, &mut out, ctx)?;
            }
        }
    }
    out.set_constant(v.is_constant());
    Ok(Some(out))
}

/// `value LIKE pattern`; the collation and the escape character as [`Collation::like`] wants it.
#[inline]
fn like(
    v: &Vector,
    p: &Vector,
    (collation, escape): (&'static Collation, Option<u32>),
    negated: bool,
    rows: usize,
    ctx: &mut EvalContext,
) -> SqlResult<Vector> {
    let constant = v.is_constant() && p.is_constant();
    let mut out = ctx.take(Class::Int);
    for i in 0..if constant { 1 } else { rows } {
        if v.is_null(i) || p.is_null(i) {
            out.push_null();
        } else {
            let hit = collation.like_until(v.bytes(i), p.bytes(i), escape, &|| ctx.is_killed());
            let Ok(hit) = hit else { return Err(ctx.killed()) };
            out.push_i64(i64::from(hit != negated));
        }
    }
    out.set_constant(constant);
    Ok(out)
}

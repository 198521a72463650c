//! AND, OR, IF, COALESCE and filters: nothing is evaluated for a row that does not need it.

use super::eval::{Frame, Rows, VecRef, truth};
use super::in_list::{InLookup, InSet, prepared};
use super::{CompareOp, Comparison, EvalContext, Expr, Node};
use crate::error::SqlResult;
use crate::types::{Class, Vector};

impl EvalContext {
    pub(super) fn take_rows(&mut self) -> Vec<u32> {
        self.row_lists.pop().unwrap_or_default()
    }

    pub(super) fn give_rows(&mut self, mut r: Vec<u32>) {
        if self.row_lists.len() < 16 {
            r.clear();
            self.row_lists.push(r);
        }
    }
}

/// Where each value of a result stands: which branch, and its place there.
pub(super) const NULL_BRANCH: u32 = u32::MAX;

impl Expr {
    /// Appends to `out` the rows for which the condition is true. Conditions joined by AND are
    /// tried one after the other on what is left.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn filter(
        &self,
        frame: Frame<'_>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
        out: &mut Vec<u32>,
    ) -> SqlResult<()> {
        if rows.is_empty() {
            return Ok(());
        }
        if let Node::And(list) = &self.node {
            let Some((last, first)) = list.split_last() else { return Ok(()) };
            let mut left = ctx.take_rows();
            let mut next = ctx.take_rows();
            let mut result = Ok(());
            for (i, e) in first.iter().enumerate() {
                next.clear();
                let from = if i == 0 { rows } else { Rows::Some(&left) };
                result = e.filter(frame, from, ctx, &mut next);
                if result.is_err() {
                    break;
                }
                std::mem::swap(&mut left, &mut next);
                if left.is_empty() {
                    break;
                }
            }
            if result.is_ok() {
                let from = if first.is_empty() { rows } else { Rows::Some(&left) };
                result = last.filter(frame, from, ctx, out);
            }
            ctx.give_rows(left);
            ctx.give_rows(next);
            return result;
        }
        if rows.len() > 1 && self.is_over_long_values() {
            return self.filter_by_value(frame, rows, ctx, out);
        }
        match &self.node {
            Node::Compare(op, by, args) => filter_compared((*op, *by), args, frame, rows, ctx, out),
            Node::Between { args, by, negated: false } => filter_between(*by, args, frame, rows, ctx, out),
            Node::In { expr, lookup: InLookup::Set(set), negated, .. } => {
                filter_in(expr, set, *negated, frame, rows, ctx, out)
            }
            Node::In { expr, list, by, negated, lookup } => {
                // MariaDB computes what is looked for first, and the list then
                let plain = matches!(expr.node, Node::Column(_));
                let set = if plain { prepared((list, lookup), *by, rows.len(), ctx)? } else { None };
                match set {
                    Some(set) => filter_in(expr, &set, *negated, frame, rows, ctx, out),
                    None => self.filter_by_value(frame, rows, ctx, out),
                }
            }
            _ => self.filter_by_value(frame, rows, ctx, out),
        }
    }

    /// As [`Expr::filter`], of a condition that is no comparison: by its values.
    fn filter_by_value(
        &self,
        frame: Frame<'_>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
        out: &mut Vec<u32>,
    ) -> SqlResult<()> {
        let v = self.eval(frame, rows, ctx)?;
        let n = rows.len();
        if v.is_constant() {
            if truth(&v, 0, &self.ty, ctx) == Some(true) {
                match rows {
                    Rows::All(n) => out.extend(0..n as u32),
                    Rows::Some(r) => out.extend_from_slice(r),
                }
            }
        } else {
            for i in 0..n {
                if truth(&v, i, &self.ty, ctx) == Some(true) {
                    out.push(rows.row(i) as u32);
                }
            }
        }
        ctx.done(v);
        Ok(())
    }

    /// AND (`and`) or OR of a list, three-valued; a later operand is evaluated only for rows that
    /// are not decided.
    pub(super) fn eval_chain<'a>(
        &self,
        list: &[Expr],
        and: bool,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let n = rows.len();
        let mut out = ctx.take(Class::Int);
        // One row: no lists of rows needed.
        if n == 1 {
            let mut unknown = false;
            let mut decided = false;
            for e in list {
                let v = e.eval(frame, rows, ctx)?;
                let t = truth(&v, 0, &e.ty, ctx);
                ctx.done(v);
                match t {
                    None => unknown = true,
                    Some(t) if t != and => {
                        decided = true;
                        break;
                    }
                    Some(_) => {}
                }
            }
            if decided {
                out.push_i64(i64::from(!and));
            } else if unknown {
                out.push_null();
            } else {
                out.push_i64(i64::from(and));
            }
            return Ok(VecRef::Owned(out));
        }
        out.i64s_mut().resize(n, i64::from(and));
        out.set_len(n);
        // Places still open, and the batch rows they stand for.
        let mut places = ctx.take_rows();
        let mut open = ctx.take_rows();
        places.extend(0..n as u32);
        match rows {
            Rows::All(n) => open.extend(0..n as u32),
            Rows::Some(r) => open.extend_from_slice(r),
        }
        let mut unknown = ctx.take_rows();
        let mut result = Ok(());
        for e in list {
            if open.is_empty() {
                break;
            }
            let v = match e.eval(frame, Rows::Some(&open), ctx) {
                Ok(v) => v,
                Err(e) => {
                    result = Err(e);
                    break;
                }
            };
            let mut kept = 0;
            for i in 0..open.len() {
                let t = truth(&v, i, &e.ty, ctx);
                if t.is_none() {
                    unknown.push(places[i]);
                }
                if t == Some(!and) {
                    out.i64s_mut()[places[i] as usize] = i64::from(!and);
                } else {
                    open[kept] = open[i];
                    places[kept] = places[i];
                    kept += 1;
                }
            }
            open.truncate(kept);
            places.truncate(kept);
            ctx.done(v);
        }
        for p in &unknown {
            if out.i64s()[*p as usize] == i64::from(and) {
                out.set_null(*p as usize);
            }
        }
        ctx.give_rows(places);
        ctx.give_rows(open);
        ctx.give_rows(unknown);
        result?;
        Ok(VecRef::Owned(out))
    }

    pub(super) fn eval_if<'a>(
        &self,
        args: &[Expr; 3],
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let c = args[0].eval(frame, rows, ctx)?;
        if c.is_constant() || rows.len() == 1 {
            let t = truth(&c, 0, &args[0].ty, ctx) == Some(true);
            ctx.done(c);
            return args[if t { 1 } else { 2 }].eval(frame, rows, ctx);
        }
        let n = rows.len();
        let mut choice = Vec::with_capacity(n);
        let (mut yes, mut no) = (ctx.take_rows(), ctx.take_rows());
        for i in 0..n {
            if truth(&c, i, &args[0].ty, ctx) == Some(true) {
                choice.push((0, yes.len() as u32));
                yes.push(rows.row(i) as u32);
            } else {
                choice.push((1, no.len() as u32));
                no.push(rows.row(i) as u32);
            }
        }
        ctx.done(c);
        let a = args[1].eval(frame, Rows::Some(&yes), ctx)?;
        let b = args[2].eval(frame, Rows::Some(&no), ctx)?;
        ctx.give_rows(yes);
        ctx.give_rows(no);
        Ok(VecRef::Owned(self.assemble(&choice, vec![a, b], ctx)))
    }

    /// Puts the values of branches together in the order of the rows.
    pub(super) fn assemble(
        &self,
        choice: &[(u32, u32)],
        parts: Vec<VecRef<'_>>,
        ctx: &mut EvalContext,
    ) -> Vector {
        let mut out = ctx.take(self.ty.class());
        for (branch, at) in choice {
            match parts.get(*branch as usize) {
                Some(v) => out.push_from(v, *at as usize),
                None => out.push_null(),
            }
        }
        for v in parts {
            ctx.done(v);
        }
        out
    }

    pub(super) fn eval_coalesce<'a>(
        &self,
        list: &[Expr],
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let n = rows.len();
        if n == 1 {
            for e in list {
                let v = e.eval(frame, rows, ctx)?;
                if !v.is_null(0) {
                    return Ok(v);
                }
                ctx.done(v);
            }
            return Ok(ctx.constant(crate::types::ValueRef::Null, self.ty.class()));
        }
        let mut choice = vec![(NULL_BRANCH, 0u32); n];
        let mut open: Vec<u32> = (0..n).map(|i| rows.row(i) as u32).collect();
        let mut places: Vec<u32> = (0..n as u32).collect();
        let mut parts = Vec::with_capacity(list.len());
        for e in list {
            if open.is_empty() {
                break;
            }
            let v = e.eval(frame, Rows::Some(&open), ctx)?;
            let mut kept = 0;
            for i in 0..open.len() {
                if v.is_null(i) {
                    open[kept] = open[i];
                    places[kept] = places[i];
                    kept += 1;
                } else {
                    choice[places[i] as usize] = (parts.len() as u32, i as u32);
                }
            }
            open.truncate(kept);
            places.truncate(kept);
            parts.push(v);
        }
        Ok(VecRef::Owned(self.assemble(&choice, parts, ctx)))
    }
}

/// [`Expr::filter`] of a comparison.
fn filter_compared(
    (op, by): (CompareOp, Comparison),
    args: &[Expr; 2],
    frame: Frame<'_>,
    rows: Rows<'_>,
    ctx: &mut EvalContext,
    out: &mut Vec<u32>,
) -> SqlResult<()> {
    if let (Comparison::Text(collation), Node::Literal(_) | Node::Param(_)) = (by, &args[1].node)
        && let Some(v) = column(&args[0], frame)
    {
        let text = args[1].eval(frame, rows, ctx)?;
        if text.is_constant() && text.class() == Class::Bytes && !text.is_null(0) {
            super::compare::select_texts(op, collation, v, text.bytes(0), rows, out);
            ctx.done(text);
            return Ok(());
        }
        ctx.done(text);
    }
    let a = args[0].eval(frame, rows, ctx)?;
    let b = match op {
        CompareOp::NullSafeEq => args[1].eval(frame, rows, ctx)?,
        _ => args[1].eval_beside(&a, frame, rows, ctx)?,
    };
    super::compare::select(op, by, &a, &b, rows, out);
    ctx.done(a);
    ctx.done(b);
    Ok(())
}

/// [`Expr::filter`] of a BETWEEN.
fn filter_between(
    by: Comparison,
    args: &[Expr; 3],
    frame: Frame<'_>,
    rows: Rows<'_>,
    ctx: &mut EvalContext,
    out: &mut Vec<u32>,
) -> SqlResult<()> {
    let v = args[0].eval(frame, rows, ctx)?;
    // of NULLs nobody looks at the bounds
    if v.is_empty() || v.nulls().iter().filter(|n| **n != 0).count() < v.len() {
        let low = args[1].eval(frame, rows, ctx)?;
        let high = args[2].eval(frame, rows, ctx)?;
        super::compare::select_between(by, &v, (&low, &high), rows, out);
        ctx.done(low);
        ctx.done(high);
    }
    ctx.done(v);
    Ok(())
}

/// [`Expr::filter`] of an IN with a set; the values of a column are looked at where they lie.
fn filter_in(
    expr: &Expr,
    set: &InSet,
    negated: bool,
    frame: Frame<'_>,
    rows: Rows<'_>,
    ctx: &mut EvalContext,
    out: &mut Vec<u32>,
) -> SqlResult<()> {
    if let Some(v) = column(expr, frame) {
        set.select(v, negated, |n| rows.row(n), rows, out);
        return Ok(());
    }
    let v = expr.eval(frame, rows, ctx)?;
    set.select(&v, negated, |n| n, rows, out);
    ctx.done(v);
    Ok(())
}

/// The values of an expression that is a column with a value for each row.
fn column<'a>(e: &Expr, frame: Frame<'a>) -> Option<&'a Vector> {
    let Node::Column(c) = &e.node else { return None };
    frame.batch.columns.get(c.slot as usize).filter(|v| !v.is_constant())
}

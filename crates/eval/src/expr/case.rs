//! CASE. Conditions and values are computed for the rows that come to them, and the operand of `CASE x WHEN` once for
//! each way in which it is compared, as in MariaDB: a function in it runs once, a conversion warns once.

use super::eval::{Frame, Rows, VecRef, gather};
use super::logic::NULL_BRANCH;
use super::{CompareOp, EvalContext, Expr, Node};
use crate::error::{SqlError, SqlResult};
use crate::types::{ValueRef, Vector};

/// The operands of a CASE, each as soon as a WHEN has asked for it.
#[derive(Default)]
pub struct Operands(Vec<Option<Operand>>);

struct Operand {
    values: Vector,
    /// The rows of the batch that they belong to, ascending.
    rows: Vec<u32>,
}

impl Operand {
    /// Appends the places of the values of some of its rows, ascending.
    fn places(&self, rows: impl Iterator<Item = u32>, out: &mut Vec<u32>) {
        let mut at = 0;
        for row in rows {
            while self.rows.get(at).is_some_and(|r| *r < row) {
                at += 1;
            }
            debug_assert_eq!(self.rows.get(at), Some(&row), "a row that the operand was not computed for");
            out.push(at as u32);
        }
    }

    /// Appends those of some of its rows where it is not NULL.
    fn known(&self, rows: &[u32], places: &mut Vec<u32>, out: &mut Vec<u32>) {
        if !self.values.any_null() {
            return out.extend_from_slice(rows);
        }
        if self.values.is_constant() {
            return;
        }
        self.places(rows.iter().copied(), places);
        out.extend(
            rows.iter().zip(&*places).filter(|(_, at)| !self.values.is_null(**at as usize)).map(|r| r.0),
        );
    }
}

/// Operand `n` of the innermost CASE, for some of the rows that it was computed for.
pub(super) fn operand<'a>(n: u32, rows: Rows<'_>, ctx: &mut EvalContext) -> SqlResult<VecRef<'a>> {
    let kept = take_out(n, ctx)?;
    let out = if kept.values.is_constant() {
        ctx.constant(kept.values.get(0), kept.values.class())
    } else {
        let mut places = ctx.take_rows();
        kept.places((0..rows.len()).map(|i| rows.row(i) as u32), &mut places);
        let out = VecRef::Owned(gather(&kept.values, &places, ctx));
        ctx.give_rows(places);
        out
    };
    give_back(n, kept, ctx);
    Ok(out)
}

/// Operand `n` of the innermost CASE, out of the context for a moment.
fn take_out(n: u32, ctx: &mut EvalContext) -> SqlResult<Operand> {
    let kept = ctx.statement.operands.last_mut().and_then(|o| o.0.get_mut(n as usize)?.take());
    kept.ok_or_else(|| SqlError::internal("operand of no CASE"))
}

fn give_back(n: u32, kept: Operand, ctx: &mut EvalContext) {
    if let Some(open) = ctx.statement.operands.last_mut() {
        open.0[n as usize] = Some(kept);
    }
}

/// Computes operand `n` for these rows, unless it is there already.
fn compute(n: u32, e: &Expr, frame: Frame<'_>, rows: &[u32], ctx: &mut EvalContext) -> SqlResult<()> {
    let n = n as usize;
    if ctx.statement.operands.last().is_some_and(|o| o.0.get(n).is_some_and(Option::is_some)) {
        return Ok(());
    }
    let values = match e.eval(frame, Rows::Some(rows), ctx)? {
        VecRef::Owned(v) => v,
        VecRef::Borrowed(v) if v.is_constant() => v.clone(),
        VecRef::Borrowed(v) => gather(v, rows, ctx),
    };
    let mut kept = ctx.take_rows();
    kept.extend_from_slice(rows);
    if let Some(open) = ctx.statement.operands.last_mut() {
        open.0.resize_with(open.0.len().max(n + 1), || None);
        open.0[n] = Some(Operand { values, rows: kept });
    }
    Ok(())
}

/// The operand that a WHEN is compared with, and whether NULL is equal to NULL.
fn asked(condition: &Expr) -> Option<(u32, bool)> {
    match &condition.node {
        Node::Compare(op, _, args) => match args[0].node {
            Node::Operand(n) => Some((n, *op == CompareOp::NullSafeEq)),
            _ => None,
        },
        _ => None,
    }
}

/// CASE as it is written.
pub(super) struct Case<'e> {
    pub operands: &'e [Expr],
    pub branches: &'e [(Expr, Expr)],
    pub otherwise: Option<&'e Expr>,
}

impl Case<'_> {
    /// The values of `e`, which is this CASE.
    pub(super) fn eval<'a>(
        &self,
        e: &Expr,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        if self.operands.is_empty() {
            return self.eval_branches(e, frame, rows, ctx);
        }
        ctx.statement.operands.push(Operands::default());
        let result = self.eval_branches(e, frame, rows, ctx);
        for kept in ctx.statement.operands.pop().into_iter().flat_map(|o| o.0).flatten() {
            ctx.recycle(kept.values);
            ctx.give_rows(kept.rows);
        }
        result
    }

    /// Appends to `taken` which of `open` a WHEN takes. It is not looked at where the operand is NULL, unless that may be what is
    /// asked for.
    fn filter(
        &self,
        condition: &Expr,
        frame: Frame<'_>,
        open: &[u32],
        taken: &mut Vec<u32>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let Some((n, null_safe)) = asked(condition) else {
            return condition.filter(frame, Rows::Some(open), ctx, taken);
        };
        compute(n, &self.operands[n as usize], frame, open, ctx)?;
        if null_safe {
            return condition.filter(frame, Rows::Some(open), ctx, taken);
        }
        let (mut known, mut places) = (ctx.take_rows(), ctx.take_rows());
        let kept = take_out(n, ctx)?;
        kept.known(open, &mut places, &mut known);
        give_back(n, kept, ctx);
        ctx.give_rows(places);
        let result = match known.is_empty() {
            true => Ok(()),
            false => condition.filter(frame, Rows::Some(&known), ctx, taken),
        };
        ctx.give_rows(known);
        result
    }

    fn eval_branches<'a>(
        &self,
        e: &Expr,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let n = rows.len();
        let mut open: Vec<u32> = ctx.take_rows();
        open.extend((0..n).map(|i| rows.row(i) as u32));
        let mut taken = ctx.take_rows();
        if n == 1 {
            let mut value = self.otherwise;
            for (c, v) in self.branches {
                self.filter(c, frame, &open, &mut taken, ctx)?;
                if !taken.is_empty() {
                    value = Some(v);
                    break;
                }
            }
            ctx.give_rows(open);
            ctx.give_rows(taken);
            return match value {
                Some(v) => v.eval(frame, rows, ctx),
                None => Ok(ctx.constant(ValueRef::Null, e.ty.class())),
            };
        }
        let mut choice = vec![(NULL_BRANCH, 0u32); n];
        let mut places = ctx.take_rows();
        places.extend(0..n as u32);
        let mut parts = Vec::with_capacity(self.branches.len() + 1);
        for (c, v) in self.branches {
            if open.is_empty() {
                break;
            }
            taken.clear();
            self.filter(c, frame, &open, &mut taken, ctx)?;
            let (mut kept, mut next) = (0, 0);
            for i in 0..open.len() {
                if taken.get(next) == Some(&open[i]) {
                    choice[places[i] as usize] = (parts.len() as u32, next as u32);
                    next += 1;
                } else {
                    open[kept] = open[i];
                    places[kept] = places[i];
                    kept += 1;
                }
            }
            open.truncate(kept);
            places.truncate(kept);
            parts.push(v.eval(frame, Rows::Some(&taken), ctx)?);
        }
        if let Some(e) = self.otherwise {
            for (k, p) in places.iter().enumerate() {
                choice[*p as usize] = (parts.len() as u32, k as u32);
            }
            parts.push(e.eval(frame, Rows::Some(&open), ctx)?);
        }
        ctx.give_rows(open);
        ctx.give_rows(places);
        ctx.give_rows(taken);
        Ok(VecRef::Owned(e.assemble(&choice, parts, ctx)))
    }
}

//! Long values that an expression only looks at are made for a few rows at a time: `MAX(LENGTH(REPEAT(s, 160000)))` holds
//! those of a batch otherwise.

use super::eval::{Frame, InLookup, Rows, VecRef};
use super::{EvalContext, Expr, Node};
use crate::error::SqlResult;
use crate::memory::BATCH_BYTES;
use crate::memory::BATCH_ROWS;
use crate::types::Class;

/// Bytes a value may have so that a batch of them is as large as batches are.
const WIDE: u32 = (BATCH_BYTES / BATCH_ROWS) as u32;

impl Expr {
    /// Whether values are computed that may be long.
    #[must_use]
    pub fn makes_long_values(&self) -> bool {
        self.ty.length > WIDE
            && self.ty.class() == Class::Bytes
            && !matches!(self.node, Node::Column(_) | Node::Literal(_) | Node::Param(_) | Node::Outer(_))
    }

    /// Whether values of this expression are short and made of longer ones. Who takes long values from an expression cuts its rows
    /// himself.
    #[inline]
    pub(super) fn is_over_long_values(&self) -> bool {
        let any = |list: &[Expr]| list.iter().any(Expr::makes_long_values);
        let inside = match &self.node {
            Node::Column(_) | Node::Literal(_) | Node::Param(_) => return false,
            Node::Convert(e) | Node::Negate(e, _) | Node::BitNot(e) | Node::Not(e) | Node::Is(e, _, _) => {
                e.makes_long_values()
            }
            Node::Arith(_, a, _) | Node::Compare(_, _, a) | Node::Xor(a) | Node::Like { args: a, .. } => {
                any(&**a)
            }
            Node::Call(_, list) => any(list),
            Node::Between { args, .. } => any(&**args),
            Node::In { expr, list, lookup, .. } => {
                expr.makes_long_values() || matches!(lookup, InLookup::Listed(_)) && any(list)
            }
            _ => false,
        };
        inside && !self.makes_long_values()
    }

    /// The values for `rows`, a few rows at a time.
    #[cold]
    pub(super) fn eval_by_portions<'a>(
        &self,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let total = rows.len();
        let mut out = ctx.take(self.ty.class());
        let mut numbers = ctx.take_rows();
        let (mut at, mut portion) = (0, 2);
        while at < total {
            let count = portion.min(total - at);
            numbers.clear();
            numbers.extend((at..at + count).map(|i| rows.row(i) as u32));
            let made = ctx.made;
            let part = self.eval_rows(frame, Rows::Some(&numbers), ctx)?;
            if count > 1 && part.is_constant() {
                // it does not depend on the row
                ctx.give_rows(numbers);
                return Ok(part);
            }
            out.append(&part, 0..count);
            ctx.done(part);
            at += count;
            let each = ctx.made.wrapping_sub(made) / count;
            portion = (BATCH_BYTES / 2 / each.max(1)).clamp(1, portion * 8).min(BATCH_ROWS);
        }
        ctx.give_rows(numbers);
        Ok(VecRef::Owned(out))
    }
}

//! Long arguments are made as long as somebody needs them: of forty that CONCAT joins, the first two may be too long already.

use super::eval::{Rows, VecRef};
use super::function::{Function, values_of};
use super::{EvalContext, Expr};
use crate::error::SqlResult;
use crate::types::{Class, FieldType, ValueRef};

/// Bytes of arguments from which on it is worth to ask whether the next one is needed.
const MUCH: usize = 1 << 20;

/// What a function wants of its arguments, when they are long.
#[derive(Clone, Copy)]
pub enum Arguments {
    /// All of them, before it looks at any.
    All,
    /// Tells of a row whether the next one is needed, after those that are made; no result has more than so many bytes.
    Asked(fn(&[VecRef<'_>], row: usize, most: usize) -> bool),
    /// Two at once: `f(a, b, c)` is `f(f(a, b), c)`.
    Folded,
    /// The first one is looked for among the others, which this compares with it.
    Sought(fn(ValueRef<'_>, ValueRef<'_>, &FieldType) -> bool),
}

/// The arguments of a call while they are made.
pub(super) struct Made<'a> {
    pub values: Vec<VecRef<'a>>,
    /// Those before this one are part of its value already.
    pub from: usize,
    held: usize,
}

impl<'a> Made<'a> {
    pub(super) fn new(count: usize) -> Made<'a> {
        Made { values: Vec::with_capacity(count), from: 0, held: 0 }
    }

    /// Adds the next argument.
    #[inline]
    pub(super) fn push(&mut self, value: VecRef<'a>) {
        self.held += value.byte_len();
        self.values.push(value);
    }

    /// Whether there are so many bytes that it is worth to ask whether the next one is needed.
    #[inline]
    pub(super) fn is_much(&self) -> bool {
        self.held > MUCH
    }

    /// Lets go of what the call does not need any more; whether it needs its next argument.
    ///
    /// # Errors
    /// 1317, and those of the function.
    #[cold]
    pub(super) fn needs_more(
        &mut self,
        expr: &Expr,
        function: &Function,
        args: &[Expr],
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        ctx.check_killed()?;
        let constant = self.values.iter().all(|v| v.is_constant());
        let count = if constant { rows.len().min(1) } else { rows.len() };
        match function.def.arguments {
            Arguments::All => Ok(true),
            Arguments::Asked(needed) => {
                Ok((0..count).any(|row| needed(&self.values, row, ctx.max_allowed_packet)))
            }
            Arguments::Folded => {
                let last = self.values.len() - 1;
                if last > self.from {
                    let args = &args[self.from..=last];
                    let value = values_of(expr, function, args, &self.values[self.from..], rows, ctx)?;
                    for i in self.from..last {
                        self.let_go(i, expr.ty.class(), ctx);
                    }
                    self.values[last] = VecRef::Owned(value);
                    self.from = last;
                }
                self.count();
                Ok(true)
            }
            Arguments::Sought(same) => {
                let Some((wanted, others)) = self.values.split_first() else { return Ok(true) };
                let meets = |other: &VecRef<'_>, row| {
                    let v = other.get(row);
                    !v.is_null() && same(wanted.get(row), v, &args[0].ty)
                };
                let sought = |row: &usize| !wanted.get(*row).is_null();
                let open = (0..count).filter(sought).any(|row| !others.iter().any(|o| meets(o, row)));
                let last = others.len();
                if last > 0 && !(0..count).filter(sought).any(|row| meets(&others[last - 1], row)) {
                    self.let_go(last, args[last].ty.class(), ctx);
                    self.count();
                }
                Ok(open)
            }
        }
    }

    fn let_go(&mut self, i: usize, class: Class, ctx: &mut EvalContext) {
        let none = ctx.constant(ValueRef::Null, class);
        // not kept for the next: it is large
        self.values[i] = none;
    }

    fn count(&mut self) {
        self.held = self.values.iter().map(|v| v.byte_len()).sum();
    }
}

/// What stands for an argument that no row needs.
pub(super) fn none<'a>(argument: &Expr, ctx: &mut EvalContext) -> VecRef<'a> {
    ctx.constant(ValueRef::Null, argument.ty.class())
}

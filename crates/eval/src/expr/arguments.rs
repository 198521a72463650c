//! Long arguments are made as long as somebody needs them: of forty that CONCAT joins, the first two may be too long already.

use super::eval::{Rows, VecRef};
use super::function::{Function, values_of};
use super::{EvalContext, Expr, Frame, Node};
use crate::error::SqlResult;
use crate::types::{Class, FieldType, ValueRef, Vector};

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

/// After which arguments that are NULL the others are not computed, so that nothing is told of them: what MariaDB does, function by
/// function.
#[derive(Clone, Copy)]
pub enum Stops {
    /// All are computed.
    Never,
    /// Behind the first one.
    First,
    /// Behind the first one, where it is no integer.
    FirstReal,
    /// Behind each.
    Each,
    /// Behind a document, and behind each path of pairs of a path and a value.
    Pairs,
    /// Behind the first one, which is the number of the one that is computed.
    Chosen,
    /// They are computed in this order: those of one list together, the next list where none was NULL. Those that are in no list come
    /// last.
    Order(&'static [&'static [u8]]),
}

impl Stops {
    /// Whether a NULL in argument `i` keeps those behind it from being computed.
    fn at(self, i: usize, argument: &Expr) -> bool {
        match self {
            Stops::Never | Stops::Chosen | Stops::Order(_) => false,
            Stops::First => i == 0,
            Stops::FirstReal => i == 0 && !argument.ty.class().is_integer(),
            Stops::Each => true,
            Stops::Pairs => i == 0 || i % 2 == 1,
        }
    }
}

/// Whether nothing can be told of an argument as it is computed, or where that is told of the statement: of XML texts.
fn is_plain(e: &Expr) -> bool {
    match &e.node {
        Node::Call(f, _) => f.def.name == "extractvalue",
        node => matches!(node, Node::Literal(_) | Node::Column(_) | Node::Param(_) | Node::Outer(_)),
    }
}

/// The rows of which arguments are computed still: places among those that are asked for; all of them where nothing stands here.
#[derive(Default)]
pub(super) struct Open(Option<Vec<usize>>);

impl Open {
    /// Computes an argument for the rows that are open; it is NULL for the others.
    ///
    /// # Errors
    /// Those of the argument.
    pub(super) fn eval<'a>(
        &self,
        argument: &Expr,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let Some(open) = self.0.as_ref().filter(|_| !is_plain(argument)) else {
            return argument.eval(frame, rows, ctx);
        };
        if open.is_empty() {
            return Ok(none(argument, ctx));
        }
        let asked: Vec<u32> = open.iter().map(|i| rows.row(*i) as u32).collect();
        let values = argument.eval(frame, Rows::Some(&asked), ctx)?;
        if values.is_constant() {
            return Ok(values);
        }
        let mut out = ctx.take(argument.ty.class());
        let mut next = 0;
        for i in 0..rows.len() {
            if open.get(next) == Some(&i) {
                out.push_from(&values, next);
                next += 1;
            } else {
                out.push_null();
            }
        }
        ctx.done(values);
        Ok(VecRef::Owned(out))
    }

    /// Closes the rows in which an argument is NULL.
    pub(super) fn close(&mut self, values: &Vector, count: usize) {
        if !values.any_null() {
            return;
        }
        let is_open = |i: &usize| !values.is_null(*i);
        self.0 = Some(match self.0.take() {
            Some(open) => open.into_iter().filter(is_open).collect(),
            None => (0..count).filter(is_open).collect(),
        });
    }

    /// The rows in which a number is `n`, of which 32 bits count.
    pub(super) fn chosen(numbers: &Vector, n: usize, count: usize) -> Open {
        let is_chosen = |i: &usize| !numbers.is_null(*i) && numbers.i64(*i) as u32 as usize == n;
        Open(Some((0..count).filter(is_chosen).collect()))
    }

    /// As [`Open::close`], where the function stops behind argument `i` and something may be told of those that follow.
    #[inline]
    pub(super) fn close_behind(
        &mut self,
        stops: Stops,
        args: &[Expr],
        i: usize,
        values: &Vector,
        count: usize,
    ) {
        if stops.at(i, &args[i]) && !args[i + 1..].iter().all(is_plain) {
            self.close(values, count);
        }
    }
}

/// Computes arguments in an order of their own ([`Stops::Order`]).
///
/// # Errors
/// Those of the arguments.
pub(super) fn in_order<'a>(
    order: &[&[u8]],
    args: &[Expr],
    frame: Frame<'a>,
    rows: Rows<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<Vec<VecRef<'a>>> {
    let mut values: Vec<Option<VecRef<'a>>> = args.iter().map(|_| None).collect();
    let mut open = Open::default();
    for list in order {
        let here = || list.iter().map(|i| *i as usize).filter(|i| *i < args.len());
        for i in here() {
            values[i] = Some(open.eval(&args[i], frame, rows, ctx)?);
        }
        for value in here().filter_map(|i| values[i].as_ref()) {
            open.close(value, rows.len());
        }
    }
    let mut all = Vec::with_capacity(args.len());
    for (value, a) in values.into_iter().zip(args) {
        all.push(match value {
            Some(value) => value,
            None => open.eval(a, frame, rows, ctx)?,
        });
    }
    Ok(all)
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

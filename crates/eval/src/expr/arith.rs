//! Arithmetic and bit operators over vectors.

use super::{ArithOp, EvalContext};
use crate::error::{ER_DATA_OUT_OF_RANGE, ER_DIVISION_BY_ZERO, SqlError, SqlResult};
use crate::types::decimal::{SHORT_END, power};
use crate::types::{Class, Decimal, FieldType, ValueRef, Vector};
use crate::variables::SqlMode;

fn out_of_range(what: &str, text: &str) -> SqlError {
    SqlError::new(ER_DATA_OUT_OF_RANGE, &[&what, &text])
}

fn int_name(unsigned: bool) -> &'static str {
    if unsigned { "BIGINT UNSIGNED" } else { "BIGINT" }
}

/// A division by zero: NULL, with a warning or an error as the mode says.
pub fn division_by_zero(ctx: &mut EvalContext) -> SqlResult<()> {
    if ctx.sql_mode.has(SqlMode::ERROR_FOR_DIVISION_BY_ZERO) {
        ctx.warnings.warn(ER_DIVISION_BY_ZERO, &[]);
    }
    Ok(())
}

/// An integer as `i128`.
#[inline]
fn wide(v: i64, unsigned: bool) -> i128 {
    if unsigned { i128::from(v as u64) } else { i128::from(v) }
}

/// Back from `i128`; `None` out of range.
#[inline]
fn narrow(v: i128, unsigned: bool) -> Option<i64> {
    if unsigned { u64::try_from(v).ok().map(|v| v as i64) } else { i64::try_from(v).ok() }
}

/// `a op b` for whole vectors.
pub(super) fn arith(
    op: ArithOp,
    a: &Vector,
    b: &Vector,
    ty: &FieldType,
    text: &str,
    ctx: &mut EvalContext,
) -> SqlResult<Vector> {
    let constant = a.is_constant() && b.is_constant();
    let n = if a.is_constant() { b.len() } else { a.len() };
    let operands = Operands { a, b, n };
    let mut out = ctx.take(ty.class());
    let result = match op {
        ArithOp::BitOr | ArithOp::BitAnd | ArithOp::BitXor | ArithOp::ShiftLeft | ArithOp::ShiftRight => {
            bits(op, operands, &mut out);
            Ok(())
        }
        ArithOp::IntDivide => int_divide(operands, ty, text, &mut out, ctx),
        _ => match ty.class() {
            Class::Int | Class::UInt => integers(op, operands, ty, text, &mut out, ctx),
            Class::Decimal => decimals(op, operands, text, &mut out, ctx),
            _ => doubles(op, operands, text, &mut out, ctx),
        },
    };
    if let Err(e) = result {
        ctx.recycle(out);
        return Err(e);
    }
    out.set_constant(constant);
    Ok(out)
}

/// Two columns to compute with: the first `n` rows of each, or constants.
#[derive(Clone, Copy)]
struct Operands<'v> {
    a: &'v Vector,
    b: &'v Vector,
    n: usize,
}

fn bits(op: ArithOp, Operands { a, b, n }: Operands<'_>, out: &mut Vector) {
    for i in 0..n {
        if a.is_null(i) || b.is_null(i) {
            out.push_null();
            continue;
        }
        let (x, y) = (a.i64(i), b.i64(i));
        let shift = |f: fn(u64, u32) -> Option<u64>| {
            // Only the low 32 bits of the count are looked at.
            f(x as u64, y as u32).unwrap_or(0) as i64
        };
        out.push_i64(match op {
            ArithOp::BitOr => x | y,
            ArithOp::BitAnd => x & y,
            ArithOp::BitXor => x ^ y,
            ArithOp::ShiftLeft => shift(u64::checked_shl),
            _ => shift(u64::checked_shr),
        });
    }
}

fn integers(
    op: ArithOp,
    Operands { a, b, n }: Operands<'_>,
    ty: &FieldType,
    text: &str,
    out: &mut Vector,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let unsigned = ty.unsigned;
    let (ua, ub) = (a.class() == Class::UInt, b.class() == Class::UInt);
    if op == ArithOp::Modulo {
        for i in 0..n {
            if a.is_null(i) || b.is_null(i) {
                out.push_null();
            } else if b.i64(i) == 0 {
                division_by_zero(ctx)?;
                out.push_null();
            } else {
                let (x, y) = (a.i64(i), b.i64(i));
                // dividing 128 bits is slow
                out.push_i64(match (ua, ub) {
                    (false, false) => x.wrapping_rem(y),
                    (true, true) => (x.cast_unsigned() % y.cast_unsigned()).cast_signed(),
                    _ => (wide(x, ua) % wide(y, ub)) as i64,
                });
            }
        }
        return Ok(());
    }
    // All signed, no NULL: the loop the compiler can unroll.
    if !unsigned && !ua && !ub && !a.any_null() && !b.any_null() {
        let f = match op {
            ArithOp::Add => i64::overflowing_add,
            ArithOp::Subtract => i64::overflowing_sub,
            _ => i64::overflowing_mul,
        };
        let mut over = false;
        let (x, y) = (a.i64s(), b.i64s());
        let to = out.i64s_mut();
        to.reserve(n);
        for i in 0..n {
            let (v, o) = f(x[if a.is_constant() { 0 } else { i }], y[if b.is_constant() { 0 } else { i }]);
            over |= o;
            to.push(v);
        }
        out.set_len(n);
        if over {
            return Err(out_of_range(int_name(false), text));
        }
        return Ok(());
    }
    for i in 0..n {
        if a.is_null(i) || b.is_null(i) {
            out.push_null();
            continue;
        }
        let (x, y) = (wide(a.i64(i), ua), wide(b.i64(i), ub));
        let r = match op {
            ArithOp::Add => x + y,
            ArithOp::Subtract => x - y,
            // Both fit in 64 bits, so the product fits in 128 (unsigned squares may pass i128).
            _ => match x.checked_mul(y) {
                Some(r) => r,
                None => return Err(out_of_range(int_name(unsigned), text)),
            },
        };
        match narrow(r, unsigned) {
            Some(v) => out.push_i64(v),
            None => return Err(out_of_range(int_name(unsigned), text)),
        }
    }
    Ok(())
}

fn doubles(
    op: ArithOp,
    Operands { a, b, n }: Operands<'_>,
    text: &str,
    out: &mut Vector,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    for i in 0..n {
        if a.is_null(i) || b.is_null(i) {
            out.push_null();
            continue;
        }
        let (x, y) = (a.f64(i), b.f64(i));
        let r = match op {
            ArithOp::Add => x + y,
            ArithOp::Subtract => x - y,
            ArithOp::Multiply => x * y,
            _ => {
                if y == 0.0 {
                    division_by_zero(ctx)?;
                    out.push_null();
                    continue;
                }
                if op == ArithOp::Divide { x / y } else { x % y }
            }
        };
        if !r.is_finite() {
            return Err(out_of_range("DOUBLE", text));
        }
        out.push_f64(r);
    }
    Ok(())
}

fn decimals(
    op: ArithOp,
    operands: Operands<'_>,
    text: &str,
    out: &mut Vector,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    if short_decimals(op, operands, out) {
        return Ok(());
    }
    match op {
        ArithOp::Add => in_place(operands, text, out, Decimal::add_to),
        ArithOp::Subtract => in_place(operands, text, out, Decimal::sub_to),
        ArithOp::Multiply => in_place(operands, text, out, Decimal::mul_to),
        _ => quotients(op, operands, text, out, ctx),
    }
}

/// Short decimals, computed with as the numbers that they are, into an empty vector. Where a result is not short nothing is done.
fn short_decimals(op: ArithOp, Operands { a, b, n }: Operands<'_>, out: &mut Vector) -> bool {
    let (Some((xs, s)), Some((ys, t))) = (a.short_decimals(), b.short_decimals()) else { return false };
    let scale = match op {
        ArithOp::Add | ArithOp::Subtract => s.max(t),
        ArithOp::Multiply => s + t,
        _ => return false,
    };
    let Some(to) = out.short_decimals_mut(scale) else { return false };
    let (xs, ys) = (Numbers::new(a, xs, n), Numbers::new(b, ys, n));
    let fits = match op {
        ArithOp::Add => add_short(xs, ys, (power(scale - s), power(scale - t)), 1, to),
        ArithOp::Subtract => add_short(xs, ys, (power(scale - s), power(scale - t)), -1, to),
        _ => mul_short(xs, ys, to),
    };
    // nothing that is left of two numbers has no digits after the point
    let empty = |i: usize, v: i64| v == 0 && (op == ArithOp::Subtract || xs.get(i) != 0);
    let is_known = |i: usize| !a.is_null(i) && !b.is_null(i);
    if !fits || op != ArithOp::Multiply && to.iter().enumerate().any(|(i, v)| empty(i, *v) && is_known(i)) {
        out.reset(Class::Decimal);
        return false;
    }
    out.set_len(n);
    if a.any_null() || b.any_null() {
        (0..n).filter(|i| !is_known(*i)).for_each(|i| out.set_null(i));
    }
    true
}

/// Numbers of a vector, or the one of a constant.
#[derive(Clone, Copy)]
enum Numbers<'v> {
    One(i64),
    Many(&'v [i64]),
}

impl Numbers<'_> {
    fn new<'v>(v: &Vector, numbers: &'v [i64], n: usize) -> Numbers<'v> {
        if v.is_constant() { Numbers::One(numbers[0]) } else { Numbers::Many(&numbers[..n]) }
    }

    #[inline]
    fn get(&self, i: usize) -> i64 {
        match self {
            Numbers::One(v) => *v,
            Numbers::Many(all) => all[i],
        }
    }
}

/// Appends what `f` makes of two numbers each, and tells whether all are numbers of short decimals.
#[inline]
fn each_short(
    xs: Numbers<'_>,
    ys: Numbers<'_>,
    to: &mut Vec<i64>,
    f: impl Fn(i64, i64) -> (i64, bool),
) -> bool {
    let mut over = false;
    let mut one = |x: i64, y: i64| {
        let (v, o) = f(x, y);
        over |= o | (v.unsigned_abs() >= SHORT_END.unsigned_abs());
        v
    };
    match (xs, ys) {
        (Numbers::Many(xs), Numbers::Many(ys)) => to.extend(xs.iter().zip(ys).map(|(x, y)| one(*x, *y))),
        (Numbers::Many(xs), Numbers::One(y)) => to.extend(xs.iter().map(|x| one(*x, y))),
        (Numbers::One(x), Numbers::Many(ys)) => to.extend(ys.iter().map(|y| one(x, *y))),
        (Numbers::One(x), Numbers::One(y)) => to.push(one(x, y)),
    }
    !over
}

/// Sums of numbers times their factors; differences with -1 for `sign`.
fn add_short(xs: Numbers<'_>, ys: Numbers<'_>, (p, q): (i64, i64), sign: i64, to: &mut Vec<i64>) -> bool {
    each_short(xs, ys, to, |x, y| {
        let ((x, a), (y, b)) = (x.overflowing_mul(p), y.overflowing_mul(q));
        let (v, c) = x.overflowing_add(y.wrapping_mul(sign));
        (v, a | b | c)
    })
}

fn mul_short(xs: Numbers<'_>, ys: Numbers<'_>, to: &mut Vec<i64>) -> bool {
    each_short(xs, ys, to, i64::overflowing_mul)
}

/// Decimals that are computed where they shall be; `compute` tells an overflow.
#[inline]
fn in_place(
    Operands { a, b, n }: Operands<'_>,
    text: &str,
    out: &mut Vector,
    compute: impl Fn(&Decimal, &Decimal, &mut Decimal) -> bool,
) -> SqlResult<()> {
    let had = out.len();
    let (xs, ys) = (a.decimals(), b.decimals());
    let values = out.decimals_mut();
    values.resize(had + n, Decimal::ZERO);
    let known = !a.any_null() && !b.any_null();
    for (i, to) in values[had..].iter_mut().enumerate() {
        if !known && (a.is_null(i) || b.is_null(i)) {
            continue;
        }
        let (x, y) = (if a.is_constant() { 0 } else { i }, if b.is_constant() { 0 } else { i });
        if compute(&xs[x], &ys[y], to) {
            return Err(out_of_range("DECIMAL", text));
        }
    }
    out.set_len(had + n);
    if !known {
        (0..n).filter(|i| a.is_null(*i) || b.is_null(*i)).for_each(|i| out.set_null(had + i));
    }
    Ok(())
}

fn quotients(
    op: ArithOp,
    Operands { a, b, n }: Operands<'_>,
    text: &str,
    out: &mut Vector,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let increment = ctx.div_precision_increment;
    for i in 0..n {
        if a.is_null(i) || b.is_null(i) {
            out.push_null();
            continue;
        }
        let x: &Decimal = &a.decimals()[if a.is_constant() { 0 } else { i }];
        let y: &Decimal = &b.decimals()[if b.is_constant() { 0 } else { i }];
        let r = if op == ArithOp::Divide { x.div(y, increment) } else { x.rem(y).map(|r| (r, false)) };
        match r {
            Some((_, true)) => return Err(out_of_range("DECIMAL", text)),
            Some((r, false)) => out.push_decimal(&r),
            None => {
                division_by_zero(ctx)?;
                out.push_null();
            }
        }
    }
    Ok(())
}

/// DIV: the operands are integers, or both decimals.
fn int_divide(
    Operands { a, b, n }: Operands<'_>,
    ty: &FieldType,
    text: &str,
    out: &mut Vector,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let (ua, ub) = (a.class() == Class::UInt, b.class() == Class::UInt);
    for i in 0..n {
        if a.is_null(i) || b.is_null(i) {
            out.push_null();
            continue;
        }
        let r = if a.class() == Class::Decimal {
            let x: &Decimal = &a.decimals()[if a.is_constant() { 0 } else { i }];
            let y: &Decimal = &b.decimals()[if b.is_constant() { 0 } else { i }];
            x.div(y, 0).map(|(q, _)| q.trunc_i128())
        } else {
            wide(a.i64(i), ua).checked_div(wide(b.i64(i), ub))
        };
        let Some(r) = r else {
            division_by_zero(ctx)?;
            out.push_null();
            continue;
        };
        match narrow(r, ty.unsigned) {
            Some(v) => out.push_i64(v),
            None => return Err(out_of_range(int_name(ty.unsigned), text)),
        }
    }
    Ok(())
}

/// `-x`.
pub(super) fn negate(
    v: &Vector,
    from: &FieldType,
    ty: &FieldType,
    text: &str,
    ctx: &mut EvalContext,
) -> SqlResult<Vector> {
    let mut out = ctx.take(ty.class());
    let unsigned = from.class() == Class::UInt;
    for i in 0..v.len() {
        match v.get(i) {
            ValueRef::Null => out.push_null(),
            ValueRef::Decimal(d) if ty.class() == Class::Decimal => out.push_decimal(&d.negated()),
            _ if ty.class() == Class::Double => out.push_f64(-v.f64(i)),
            _ => match narrow(-wide(v.i64(i), unsigned), false) {
                Some(x) => out.push_i64(x),
                None => return Err(out_of_range(int_name(false), text)),
            },
        }
    }
    out.set_constant(v.is_constant());
    Ok(out)
}

//! Comparison and BETWEEN.

use super::eval::Rows;
use super::{CompareOp, Comparison, EvalContext};
use crate::types::number::power_of_ten;
use crate::types::{Class, Value, Vector};
use charset::{Collation, KeyPad};
use std::cmp::Ordering;

impl CompareOp {
    /// Whether an ordering satisfies the operator.
    #[inline]
    #[must_use]
    pub fn holds(self, o: Ordering) -> bool {
        match self {
            CompareOp::Eq | CompareOp::NullSafeEq => o == Ordering::Equal,
            CompareOp::Ne => o != Ordering::Equal,
            CompareOp::Lt => o == Ordering::Less,
            CompareOp::Le => o != Ordering::Greater,
            CompareOp::Gt => o == Ordering::Greater,
            CompareOp::Ge => o != Ordering::Less,
        }
    }

    /// The operator with its sides exchanged.
    #[must_use]
    pub fn swapped(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            op => op,
        }
    }

    /// The sign as it is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            CompareOp::Eq => "=",
            CompareOp::NullSafeEq => "<=>",
            CompareOp::Ne => "<>",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }
}

/// Compares integers of either signedness (`i64` bits).
#[inline]
fn cmp_int(a: i64, a_unsigned: bool, b: i64, b_unsigned: bool) -> Ordering {
    match (a_unsigned, b_unsigned) {
        (false, false) => a.cmp(&b),
        (true, true) => (a as u64).cmp(&(b as u64)),
        (false, true) => {
            if a < 0 {
                Ordering::Less
            } else {
                (a as u64).cmp(&(b as u64))
            }
        }
        (true, false) => {
            if b < 0 {
                Ordering::Greater
            } else {
                (a as u64).cmp(&(b as u64))
            }
        }
    }
}

/// The order of doubles that show `digits` digits after the point.
#[must_use]
pub fn order_digits(a: f64, b: f64, digits: u8) -> Ordering {
    if (a - b).abs() < 5.0 / power_of_ten(i32::from(digits) + 1) {
        return Ordering::Equal;
    }
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Compares row `i` of `a` with row `j` of `b`; neither is NULL.
#[inline]
pub(super) fn order(by: Comparison, a: &Vector, i: usize, b: &Vector, j: usize) -> Ordering {
    match by {
        Comparison::Int => cmp_int(a.i64(i), a.class() == Class::UInt, b.i64(j), b.class() == Class::UInt),
        Comparison::Temporal => a.i64(i).cmp(&b.i64(j)),
        Comparison::Double => a.f64(i).partial_cmp(&b.f64(j)).unwrap_or(Ordering::Equal),
        Comparison::Digits(digits) => order_digits(a.f64(i), b.f64(j), digits),
        Comparison::Decimal => a.order_decimals(i, b, j),
        Comparison::Text(c) => c.compare(a.bytes(i), b.bytes(j)),
    }
}

impl Comparison {
    /// The order of two values that are not NULL, both of the class this comparison wants.
    #[must_use]
    pub fn order_values(self, a: &Value, b: &Value) -> Ordering {
        match (self, a, b) {
            (Comparison::Text(c), Value::Bytes(a), Value::Bytes(b)) => c.compare(a, b),
            (_, Value::Int(a), Value::Int(b)) => a.cmp(b),
            (_, Value::UInt(a), Value::UInt(b)) => a.cmp(b),
            (_, Value::Int(a), Value::UInt(b)) => cmp_int(*a, false, *b as i64, true),
            (_, Value::UInt(a), Value::Int(b)) => cmp_int(*a as i64, true, *b, false),
            (Comparison::Digits(digits), Value::Double(a), Value::Double(b)) => order_digits(*a, *b, digits),
            (_, Value::Double(a), Value::Double(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (_, Value::Decimal(a), Value::Decimal(b)) => a.cmp(b),
            (_, Value::Date(a) | Value::DateTime(a), Value::Date(b) | Value::DateTime(b)) => a.cmp(b),
            (_, Value::Time(a), Value::Time(b)) => a.packed().cmp(&b.packed()),
            (_, Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    }
}

/// `a op b` row by row.
pub(super) fn compare(
    op: CompareOp,
    by: Comparison,
    a: &Vector,
    b: &Vector,
    ctx: &mut EvalContext,
) -> Vector {
    let mut out = ctx.take(Class::Int);
    let constant = a.is_constant() && b.is_constant();
    let n = if a.is_constant() { b.len() } else { a.len() };
    if op == CompareOp::NullSafeEq {
        for i in 0..n {
            let equal = match (a.is_null(i), b.is_null(i)) {
                (true, true) => true,
                (false, false) => order(by, a, i, b, i).is_eq(),
                _ => false,
            };
            out.push_i64(i64::from(equal));
        }
    } else {
        for i in 0..n {
            if a.is_null(i) || b.is_null(i) {
                out.push_null();
            } else {
                out.push_i64(i64::from(op.holds(order(by, a, i, b, i))));
            }
        }
    }
    out.set_constant(constant);
    out
}

/// Whether two vectors are compared as the signed numbers that they hold.
fn is_plain(by: Comparison, a: &Vector, b: &Vector) -> bool {
    match by {
        Comparison::Int => a.class() == Class::Int && b.class() == Class::Int,
        Comparison::Temporal => true,
        _ => false,
    }
}

/// Appends the rows whose places say so.
#[inline]
fn select_where(hits: impl Iterator<Item = bool>, rows: Rows<'_>, out: &mut Vec<u32>) {
    match rows {
        Rows::All(_) => out.extend(hits.zip(0..).filter(|(hit, _)| *hit).map(|(_, i)| i)),
        Rows::Some(r) => out.extend(hits.zip(r).filter(|(hit, _)| *hit).map(|(_, r)| *r)),
    }
}

/// Appends the rows for which `a op b` is true.
pub(super) fn select(
    op: CompareOp,
    by: Comparison,
    a: &Vector,
    b: &Vector,
    rows: Rows<'_>,
    out: &mut Vec<u32>,
) {
    let n = rows.len();
    // the frequent shapes: signed integers (or packed temporals) without NULL beside a constant or each other
    if is_plain(by, a, b) && !a.any_null() && !b.any_null() && !a.is_constant() {
        let x = &a.i64s()[..n];
        let mut run = |holds: &dyn Fn(i64, i64) -> bool| {
            if b.is_constant() {
                let c = b.i64(0);
                select_where(x.iter().map(|x| holds(*x, c)), rows, out);
            } else {
                select_where(x.iter().zip(b.i64s()).map(|(x, y)| holds(*x, *y)), rows, out);
            }
        };
        match op {
            CompareOp::Eq | CompareOp::NullSafeEq => run(&|x, y| x == y),
            CompareOp::Ne => run(&|x, y| x != y),
            CompareOp::Lt => run(&|x, y| x < y),
            CompareOp::Le => run(&|x, y| x <= y),
            CompareOp::Gt => run(&|x, y| x > y),
            CompareOp::Ge => run(&|x, y| x >= y),
        }
        return;
    }
    if let Comparison::Text(c) = by
        && !a.is_constant()
        && b.is_constant()
        && !b.is_null(0)
    {
        let all = (0..n).filter(text_filter(op, c, a, b.bytes(0)));
        return out.extend(all.map(|i| rows.row(i) as u32));
    }
    for i in 0..n {
        let hit = match (a.is_null(i), b.is_null(i)) {
            (false, false) => op.holds(order(by, a, i, b, i)),
            (true, true) => op == CompareOp::NullSafeEq,
            _ => false,
        };
        if hit {
            out.push(rows.row(i) as u32);
        }
    }
}

/// As [`select`], of values of a column where they lie, and a text that is not NULL.
pub(super) fn select_texts(
    op: CompareOp,
    collation: &Collation,
    column: &Vector,
    text: &[u8],
    rows: Rows<'_>,
    out: &mut Vec<u32>,
) {
    let mut holds = text_filter(op, collation, column, text);
    match rows {
        Rows::All(n) => out.extend((0..n).filter(holds).map(|i| i as u32)),
        Rows::Some(r) => out.extend(r.iter().copied().filter(|i| holds(&(*i as usize)))),
    }
}

/// Whether a value of a vector, by its number, compares so with a text. How they begin decides most comparisons.
fn text_filter<'v>(
    op: CompareOp,
    collation: &'v Collation,
    v: &'v Vector,
    text: &'v [u8],
) -> impl FnMut(&usize) -> bool + use<'v> {
    let known = collation.has_key_prefix();
    let prefix = move |s: &[u8]| if known { collation.key_prefix(s, KeyPad::Own) } else { 0 };
    let begins = prefix(text);
    move |i| {
        if v.is_null(*i) {
            return false;
        }
        let value = v.bytes(*i);
        op.holds(prefix(value).cmp(&begins).then_with(|| collation.compare(value, text)))
    }
}

/// Appends the rows for which `v BETWEEN low AND high` is true.
pub(super) fn select_between(
    by: Comparison,
    v: &Vector,
    (low, high): (&Vector, &Vector),
    rows: Rows<'_>,
    out: &mut Vec<u32>,
) {
    let hit = |i: usize| {
        !v.is_null(i)
            && !low.is_null(i)
            && !high.is_null(i)
            && order(by, v, i, low, i).is_ge()
            && order(by, v, i, high, i).is_le()
    };
    out.extend((0..rows.len()).filter(|i| hit(*i)).map(|i| rows.row(i) as u32));
}

/// `v [NOT] BETWEEN low AND high`, three-valued.
pub(super) fn between(
    by: Comparison,
    v: &Vector,
    low: &Vector,
    high: &Vector,
    negated: bool,
    rows: usize,
    ctx: &mut EvalContext,
) -> Vector {
    let mut out = ctx.take(Class::Int);
    let constant = v.is_constant() && low.is_constant() && high.is_constant();
    for i in 0..if constant { 1 } else { rows } {
        if v.is_null(i) {
            out.push_null();
            continue;
        }
        let above = (!low.is_null(i)).then(|| order(by, v, i, low, i).is_ge());
        let below = (!high.is_null(i)).then(|| order(by, v, i, high, i).is_le());
        match (above, below) {
            (Some(a), Some(b)) => out.push_i64(i64::from((a && b) != negated)),
            (Some(false), _) | (_, Some(false)) => out.push_i64(i64::from(negated)),
            _ => out.push_null(),
        }
    }
    out.set_constant(constant);
    out
}

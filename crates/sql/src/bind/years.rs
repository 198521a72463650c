//! Constants beside YEAR columns: they are compared as the years that the column would hold.

use super::comparison::{is_known, wrap};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Node};
use crate::types::decimal::Decimal;
use crate::types::{Class, FieldType, Kind, Value, ValueRef, convert};

/// What constants stand beside a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// A comparison, or a list whose items are all of one class.
    Alone,
    /// Items of several classes.
    Mixed,
    /// The ends of BETWEEN.
    Range,
}

impl Beside {
    /// Whether such a constant is read as a year here.
    fn takes(self, class: Class) -> bool {
        match class {
            Class::Null => false,
            Class::Date | Class::DateTime | Class::Time => self == Beside::Alone,
            Class::Double => self != Beside::Mixed,
            _ => true,
        }
    }
}

/// A constant beside a YEAR column as the column has it. The value of a parameter is seen when the statement runs.
///
/// # Errors
/// Those of computing the constant.
pub(super) fn constant_as_year(
    column: &Expr,
    constant: &mut Expr,
    beside: Beside,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    if !beside.takes(constant.ty.class()) || !is_known(constant) {
        return Ok(());
    }
    let width = column.ty.length;
    if let Node::Literal(v) = &constant.node {
        let mark = ctx.warnings.mark();
        let year = year_of(v.as_ref(), &constant.ty, width, ctx);
        if ctx.warnings.mark() == mark {
            *constant = Expr::literal(Value::Int(year), FieldType::bigint(false).with_nullable(false));
            return Ok(());
        }
        ctx.warnings.rollback_to(mark);
    }
    let ty = FieldType::bigint(false);
    wrap(constant, "full_year", vec![Expr::literal(Value::Int(i64::from(width)), FieldType::int(1))], ty, ctx)
}

/// The width for which every year of two digits is completed, 0 too.
const OF_CENTURY: u32 = 0;

/// A YEAR(2) column beside another year: both as the years that they mean.
pub(super) fn complete_years(a: &mut Expr, b: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    let year = |e: &Expr| e.ty.kind == Kind::Year && !e.is_constant();
    if !year(a) || !year(b) {
        return Ok(());
    }
    for e in [a, b].into_iter().filter(|e| e.ty.length == 2) {
        let width = Expr::literal(Value::Int(i64::from(OF_CENTURY)), FieldType::int(1));
        let ty = FieldType::bigint(false);
        wrap(e, "full_year", vec![width], ty, ctx)?;
    }
    Ok(())
}

/// The year that a constant means beside a YEAR column of this width: years of two digits are completed, those of YEAR(2)
/// cut; what is no year stays the number it is.
pub(crate) fn year_of(v: ValueRef<'_>, ty: &FieldType, width: u32, ctx: &mut EvalContext) -> i64 {
    let whole =
        |d: Decimal| i64::try_from(d.to_i128()).unwrap_or(if d.is_negative() { i64::MIN } else { i64::MAX });
    // the text of a year 0 in other than four digits is that of 2000
    let mut completed = width == OF_CENTURY;
    let n = match v {
        ValueRef::Bytes(b) if ty.hex => i64::try_from(convert::bytes_to_u64(b)).unwrap_or(i64::MAX),
        ValueRef::Bytes(b) => {
            let text = convert::ascii(b, ty);
            let number = Decimal::parse(&text);
            if number.used == 0 {
                convert::to_decimal(v, ty, ctx);
                0
            } else {
                completed = text.len() != 4;
                whole(number.value)
            }
        }
        ValueRef::Decimal(d) => whole(*d),
        ValueRef::Date(d) | ValueRef::DateTime(d) => i64::from(d.year),
        ValueRef::Double(d) => d as i64,
        ValueRef::UInt(n) if !matches!(ty.kind, Kind::Enum | Kind::Set) => {
            i64::try_from(n).unwrap_or(i64::MAX)
        }
        ValueRef::Int(n) => n,
        ValueRef::UInt(_) => convert::to_i64(v, ty, false, ctx),
        ValueRef::Time(_) | ValueRef::Null => 0,
    };
    match n {
        1901..=2155 if width == 2 => n % 100,
        _ if width == 2 => n,
        0 if !completed => 0,
        0..=69 => n + 2000,
        70..=99 => n + 1900,
        _ => n,
    }
}

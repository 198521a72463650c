//! Constants beside YEAR columns: they are compared as the years that the column would hold.

use super::comparison::is_known;
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Node};
use crate::func::wrapped::wrap;
use crate::func::years::{OF_CENTURY, year_of};
use crate::types::decimal::Decimal;
use crate::types::{Class, FieldType, Kind, Value, convert};

/// What constants stand beside a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// A comparison.
    Alone,
    /// A list whose items are all of one class.
    List,
    /// Items of several classes.
    Mixed,
    /// So, and dates are among them.
    Dated,
    /// The ends of BETWEEN.
    Range,
    /// The ends of BETWEEN that are both texts.
    Texts,
}

impl Beside {
    /// Whether such a constant is read as a year here.
    fn takes(self, class: Class) -> bool {
        match class {
            Class::Null => false,
            Class::Date | Class::DateTime | Class::Time => matches!(self, Beside::Alone | Beside::List),
            Class::Double => !matches!(self, Beside::Mixed | Beside::Dated),
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
    let parameter = matches!(constant.node, Node::Param(_)) && constant.ty.class() == Class::Bytes;
    if !beside.takes(constant.ty.class()) || !is_known(constant) || parameter && beside == Beside::Dated {
        return Ok(());
    }
    if beside != Beside::Alone
        && let Node::Literal(Value::Bytes(b)) = &constant.node
        && !constant.ty.hex
    {
        let text = convert::ascii(b, &constant.ty);
        let number = Decimal::parse(&text);
        let whole = text[number.used..].iter().all(u8::is_ascii_whitespace);
        match beside {
            Beside::Dated if number.used > 0 && !whole => return Ok(()),
            Beside::List | Beside::Mixed if number.value.scale() > 0 => {
                // what follows the number in such a text is not told of
                *constant = Expr::literal(Value::Decimal(number.value), FieldType::decimal(65, 38));
                return Ok(());
            }
            _ => {}
        }
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
    let mut more = vec![Expr::literal(Value::Int(i64::from(width)), FieldType::int(1))];
    if beside == Beside::Texts {
        // one that is no number is told of as a double
        more.push(Expr::literal(Value::Int(1), FieldType::int(1)));
    }
    wrap(constant, "full_year", more, ty, ctx)
}

/// Dates in a list are years where all of it are dates of one type, and years that a column can have.
pub(super) fn dates_are_years(list: &[Expr]) -> bool {
    let first = list.iter().map(|e| e.ty.kind).find(|k| *k != Kind::Null);
    list.iter().all(|e| match &e.node {
        Node::Literal(Value::Date(d) | Value::DateTime(d)) => {
            Some(e.ty.kind) == first && (d.year == 0 || (1901..=2155).contains(&d.year))
        }
        _ => true,
    })
}

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

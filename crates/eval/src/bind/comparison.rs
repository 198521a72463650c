//! How two operands are compared, and their conversion to it.

use super::years::{Beside, complete_years, constant_as_year, dates_are_years};
use crate::error::SqlResult;
use crate::expr::typing::{coerce, common_collation, force, text_type};
use crate::expr::{ArithOp, CompareOp, Comparison, EvalContext, Expr, Node};
use crate::func::wrapped::{meet, to_address, wrap};
use crate::result::NOT_FIXED_DEC;
use crate::types::decimal::Rounding;
use crate::types::{Class, Decimal, FieldType, Kind, Value};
use charset::derivation::Purpose;
use schema::definition::NOT_FIXED_DECIMALS;

/// The class a pair is compared in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Int,
    Decimal,
    Double,
    Text,
    DateTime,
    Time,
    /// UUID, INET4, INET6.
    Address,
}

/// A type's side in a comparison: hexadecimal literals are text beside text and numbers beside
/// numbers.
fn side(t: &FieldType, beside_text: bool) -> Class {
    match t.kind {
        Kind::Enum | Kind::Set => {
            if beside_text {
                Class::Bytes
            } else {
                Class::UInt
            }
        }
        _ if t.hex && !beside_text => Class::UInt,
        _ => t.class(),
    }
}

fn is_text(t: &FieldType) -> bool {
    t.is_string()
}

/// The class in which values of these two types are compared.
pub(super) fn pair(a: &FieldType, b: &FieldType) -> By {
    if a.kind == Kind::Null && b.kind == Kind::Null {
        return By::Int;
    }
    if a.kind == Kind::Null {
        return pair(b, b);
    }
    if b.kind == Kind::Null {
        return pair(a, a);
    }
    if a.is_address() || b.is_address() {
        return By::Address;
    }
    let (ca, cb) = (side(a, is_text(b)), side(b, is_text(a)));
    match (ca, cb) {
        (Class::Time, Class::Time) => By::Time,
        (Class::Date | Class::DateTime, _) | (_, Class::Date | Class::DateTime) => By::DateTime,
        (Class::Time, _) | (_, Class::Time) => By::Time,
        (Class::Bytes, Class::Bytes) => By::Text,
        (Class::Double, _) | (_, Class::Double) => By::Double,
        (Class::Bytes, Class::Decimal) | (Class::Decimal, Class::Bytes) => By::Double,
        (Class::Bytes, _) | (_, Class::Bytes) | (Class::Decimal, _) | (_, Class::Decimal) => By::Decimal,
        _ => By::Int,
    }
}

/// The comparison of these two types, without converting anything: text by the collation of `a`.
#[must_use]
pub fn comparison_of(a: &FieldType, b: &FieldType) -> (Comparison, FieldType) {
    let by = pair(a, b);
    let collation = if a.is_string() { a.collation } else { b.collation };
    (comparison(by, collation), class_type(by, collation))
}

fn comparison(by: By, collation: &'static charset::Collation) -> Comparison {
    match by {
        By::Int => Comparison::Int,
        By::Decimal => Comparison::Decimal,
        By::Double => Comparison::Double,
        By::Text => Comparison::Text(collation),
        By::DateTime | By::Time => Comparison::Temporal,
        By::Address => Comparison::Text(charset::binary()),
    }
}

fn class_type(by: By, collation: &'static charset::Collation) -> FieldType {
    match by {
        By::Int => FieldType::bigint(false),
        By::Decimal => exact_decimal(),
        By::Double => FieldType::double(),
        By::Text => FieldType::string(255, collation, crate::types::Derivation::Implicit),
        By::DateTime => FieldType::datetime(6),
        By::Time => FieldType::time(6),
        By::Address => FieldType::string(16, charset::binary(), crate::types::Derivation::Implicit),
    }
}

/// A decimal that keeps all digits.
fn exact_decimal() -> FieldType {
    let mut t = FieldType::decimal(65, 38);
    t.decimals = NOT_FIXED_DEC;
    t
}

/// The digits after the point that two numbers are compared by where one of them is a double and both have a fixed number of
/// them. Columns of one type are equal where they are the same.
fn digits_compared([a, b]: &[Expr; 2]) -> Option<u8> {
    let digits = |e: &Expr| {
        let fixed = e.ty.is_number() && !matches!(e.ty.kind, Kind::Enum | Kind::Set);
        (fixed && e.ty.decimals < NOT_FIXED_DECIMALS).then_some(e.ty.decimals)
    };
    let (x, y) = (digits(a)?, digits(b)?);
    let columns = a.as_column().is_some() && b.as_column().is_some();
    (!columns || x != y || a.ty.kind != b.ty.kind).then_some(x.max(y))
}

/// Whether values may have more digits than their type tells (quotients and averages have).
fn has_hidden_digits(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        found |= match &e.node {
            Node::Arith(ArithOp::Divide, ..) => true,
            Node::Aggregate(_) | Node::Window(_) | Node::Subquery(_) => true,
            Node::Literal(Value::Decimal(d)) => d.scale() > e.ty.decimals,
            _ => false,
        }
    });
    found && e.ty.kind == Kind::Decimal && e.ty.decimals != NOT_FIXED_DEC
}

/// The operators of comparison look only at the digits that the types of their operands tell.
pub(super) fn round_operands(args: &mut [Expr], by: Comparison, ctx: &mut EvalContext) -> SqlResult<()> {
    if by == Comparison::Decimal {
        for e in args.iter_mut().filter(|e| has_hidden_digits(e)) {
            let t = e.ty.clone();
            force(e, t, ctx)?;
        }
    }
    Ok(())
}

/// Converts operands to one class and tells the comparison. `operation` is the word of errors about
/// collations.
///
/// # Errors
/// 1267 and those of folding constants.
pub(super) fn unify(args: &mut [Expr], operation: &str, ctx: &mut EvalContext) -> SqlResult<Comparison> {
    let mut by = match args {
        [a, b, ..] => pair(&a.ty, &b.ty),
        [a] => pair(&a.ty, &a.ty),
        [] => By::Int,
    };
    for e in args.iter().skip(2) {
        by = combine(by, &e.ty);
    }
    unify_as(by, args, operation, ctx)
}

/// As [`unify`] for a value and the column of a subquery.
pub(super) fn unify_with_column(
    pair: &mut [Expr; 2],
    operation: &str,
    ctx: &mut EvalContext,
) -> SqlResult<Comparison> {
    // doubles among doubles are looked up as they are
    let doubles = pair.iter().all(|e| e.ty.class() == Class::Double);
    let digits = digits_compared(pair).filter(|_| !doubles);
    Ok(match (unify(pair, operation, ctx)?, digits) {
        (Comparison::Double, Some(digits)) => Comparison::Digits(digits),
        (by, _) => by,
    })
}

/// The class of a comparison when one more operand comes to it.
fn combine(by: By, t: &FieldType) -> By {
    let stand_in = match by {
        By::Int => FieldType::bigint(false),
        By::Decimal => FieldType::decimal(10, 0),
        By::Double => FieldType::double(),
        By::Text => FieldType::string(1, charset::system(), crate::types::Derivation::Coercible),
        By::DateTime => FieldType::datetime(0),
        By::Time => FieldType::time(0),
        By::Address => return By::Address,
    };
    pair(&stand_in, t)
}

/// Converts operands to the class `by`.
pub(super) fn unify_as(
    by: By,
    args: &mut [Expr],
    operation: &str,
    ctx: &mut EvalContext,
) -> SqlResult<Comparison> {
    match by {
        By::Address => return addresses(args, operation, ctx),
        By::Int => {
            for e in args.iter_mut() {
                if !e.ty.class().is_integer() {
                    coerce(e, FieldType::bigint(e.ty.hex), ctx)?;
                }
            }
        }
        By::Decimal => {
            for e in args.iter_mut() {
                coerce(e, exact_decimal(), ctx)?;
            }
        }
        By::Double => {
            for e in args.iter_mut() {
                coerce(e, FieldType::double(), ctx)?;
            }
        }
        By::Text => {
            for e in args.iter_mut() {
                let t = text_type(&e.ty, ctx.collation);
                coerce(e, t, ctx)?;
            }
            let d = common_collation(args, Purpose::Comparison, operation, ctx)?;
            return Ok(Comparison::Text(d.collation));
        }
        By::DateTime => {
            for e in args.iter_mut() {
                crate::func::compared(e, ctx)?;
                if !matches!(e.ty.class(), Class::Date | Class::DateTime) {
                    temporal_operand(e, FieldType::datetime(6), ctx)?;
                }
            }
        }
        By::Time => {
            for e in args.iter_mut() {
                crate::func::compared(e, ctx)?;
                temporal_operand(e, FieldType::time(6), ctx)?;
            }
        }
    }
    Ok(comparison(by, ctx.collation))
}

/// UUID, INET4 and INET6 beside text: compared as they are stored, NULL for text that is none of them.
fn addresses(args: &mut [Expr], operation: &str, ctx: &mut EvalContext) -> SqlResult<Comparison> {
    let Some(ty) = args.iter().find(|e| e.ty.is_address()).map(|e| e.ty.clone()) else {
        return Err(crate::error::SqlError::internal("no address"));
    };
    let mut merged = args[0].ty.clone();
    for e in &args[1..] {
        meet(&merged, &e.ty, operation)?;
        if !merged.is_address() {
            merged = e.ty.clone();
        }
    }
    for e in args.iter_mut() {
        if e.ty.class() == Class::Null {
            continue;
        }
        to_address(e, &ty, ctx)?;
        let image = FieldType::string(16, charset::binary(), crate::types::Derivation::Implicit);
        wrap(e, "address_image", Vec::new(), image, ctx)?;
    }
    Ok(Comparison::Text(charset::binary()))
}

/// A value sought in a list of addresses: text that is no address differs from all of them, which is not unknown.
pub(super) fn sought_address(e: &mut Expr, list: &[Expr], ctx: &mut EvalContext) -> SqlResult<()> {
    let Some(ty) = list.iter().map(|i| &i.ty).find(|t| t.is_address()) else { return Ok(()) };
    let known = |i: &Expr| i.is_constant() && i.ty.is_address();
    if e.ty.is_address() || e.ty.kind == Kind::Null || list.len() < 2 || !list.iter().all(known) {
        return Ok(());
    }
    sought_as(e, &ty.clone(), ctx)
}

/// As [`sought_address`] for the value and the column of a subquery where it is asked whether they are equal.
pub(super) fn sought_in_subquery(pair: &mut [Expr; 2], ctx: &mut EvalContext) -> SqlResult<()> {
    let Some(ty) = pair.iter().map(|e| &e.ty).find(|t| t.is_address()).cloned() else { return Ok(()) };
    for e in pair.iter_mut().filter(|e| e.ty.is_string() && !e.ty.is_address()) {
        sought_as(e, &ty, ctx)?;
    }
    Ok(())
}

fn sought_as(e: &mut Expr, ty: &FieldType, ctx: &mut EvalContext) -> SqlResult<()> {
    let name = match ty.kind {
        Kind::Inet4 => "sought_inet4",
        Kind::Inet6 => "sought_inet6",
        _ => "sought_uuid",
    };
    wrap(e, name, Vec::new(), FieldType::new(ty.kind, ty.length, 0), ctx)
}

/// An ENUM or SET sought among texts of another character set is converted to it, and then it is a text for the numbers
/// beside them, too.
pub(super) fn words_beside_texts(e: &mut Expr, list: &[Expr], ctx: &mut EvalContext) -> SqlResult<()> {
    if !matches!(e.ty.kind, Kind::Enum | Kind::Set) || list.iter().all(|i| is_text(&i.ty)) {
        return Ok(());
    }
    for item in list.iter().filter(|i| is_text(&i.ty) && !i.ty.is_address()) {
        let mut both = [e.clone(), item.clone()];
        for side in &mut both {
            let t = text_type(&side.ty, ctx.collation);
            coerce(side, t, ctx)?;
        }
        let to = common_collation(&mut both, Purpose::Comparison, CompareOp::Eq.sign(), ctx)?;
        if to.collation.id != 63 && to.collation.charset.name != e.ty.collation.charset.name {
            let [text, _] = both;
            *e = text;
            return Ok(());
        }
    }
    Ok(())
}

/// 4079 for an address or a geometry where there is an operation for numbers only.
pub(super) fn no_special(e: &Expr, operation: &str) -> SqlResult<()> {
    if !e.ty.is_special() {
        return Ok(());
    }
    Err(crate::error::SqlError::with_message(
        crate::error::codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION,
        format!("Illegal parameter data type {} for operation '{operation}'", e.ty.sql_name()),
    ))
}

/// A text or number beside a temporal value: what is no date compares as the zero value.
fn temporal_operand(e: &mut Expr, to: FieldType, ctx: &mut EvalContext) -> SqlResult<()> {
    if e.ty.class() == to.class() {
        return Ok(());
    }
    let name = if to.kind == Kind::Time { "compare_time" } else { "compare_datetime" };
    if e.ty.is_temporal() || e.ty.class() == Class::Null {
        return coerce(e, to, ctx);
    }
    if matches!(e.ty.kind, Kind::Enum | Kind::Set) {
        let text = text_type(&e.ty, ctx.collation);
        coerce(e, text, ctx)?;
    }
    let constant = matches!(e.node, Node::Literal(_));
    let taken = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
    *e = crate::func::call(crate::func::named(name)?, name, vec![taken], ctx)?;
    if constant {
        let mark = ctx.warnings.mark();
        let v = e.value(ctx)?;
        if ctx.statement.constants_wait && ctx.warnings.mark() != mark {
            ctx.warnings.rollback_to(mark);
            let call = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
            *e = call.once();
        } else {
            *e = Expr::literal(v, e.ty.clone());
        }
    }
    Ok(())
}

/// Texts that are compared as dates or times only where earlier branches (CASE) or items (IN) decide nothing: those that
/// are none warn when they are come to.
pub(super) fn dated_later(by: By, args: &mut [Expr], ctx: &mut EvalContext) -> SqlResult<()> {
    let to = match by {
        By::DateTime => FieldType::datetime(6),
        By::Time => FieldType::time(6),
        _ => return Ok(()),
    };
    let text = |e: &Expr| matches!(e.node, Node::Literal(Value::Bytes(_))) && e.ty.is_string();
    for e in args.iter_mut().filter(|e| text(e)) {
        let mark = ctx.warnings.mark();
        let written = e.clone();
        temporal_operand(e, to.clone(), ctx)?;
        if ctx.warnings.mark() != mark {
            ctx.warnings.rollback_to(mark);
            let name = if to.kind == Kind::Time { "compare_time" } else { "compare_datetime" };
            *e = crate::func::call(crate::func::named(name)?, name, vec![written], ctx)?.once();
        }
    }
    Ok(())
}

/// A constant beside an integer column, as an integer when it is one: so the comparison is one of
/// integers and a key can serve it.
fn simplify_constant(
    column: &Expr,
    constant: &mut Expr,
    beside: Beside,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let class = column.ty.class();
    if !matches!(column.node, Node::Column(_)) || !column.ty.is_number() {
        return Ok(());
    }
    if column.ty.kind == Kind::Year {
        return constant_as_year(column, constant, beside, ctx);
    }
    let dated = constant.ty.is_temporal() && constant.ty.decimals == 0;
    if column.ty.kind == Kind::LongLong
        && dated
        && matches!(beside, Beside::Alone | Beside::List)
        && is_known(constant)
    {
        // only a BIGINT has room for a date as a number
        return coerce(constant, FieldType::bigint(false), ctx);
    }
    let value = match &constant.node {
        Node::Literal(v) => v,
        _ => return Ok(()),
    };
    if class.is_integer() {
        let decimal = match value {
            Value::Bytes(_) if constant.ty.hex => return Ok(()),
            Value::Bytes(_) => {
                let to = exact_decimal();
                coerce(constant, to, ctx)?;
                match &constant.node {
                    Node::Literal(Value::Decimal(d)) => *d,
                    _ => return Ok(()),
                }
            }
            Value::Decimal(d) => *d,
            _ => return Ok(()),
        };
        if let Some(v) = as_integer(&decimal) {
            let unsigned = matches!(v, Value::UInt(_));
            *constant = Expr::literal(v, FieldType::bigint(unsigned));
        }
    }
    Ok(())
}

/// Whether this is the same in all rows: a constant, or what a subquery gives.
fn is_one_value(e: &Expr) -> bool {
    e.is_settled() || matches!(e.node, Node::Subquery(_)) && e.tables() == 0
}

/// In a comparison of two, text that is the same in all rows is a decimal beside a DECIMAL column; elsewhere it is a double.
fn text_as_decimal(column: &Expr, text: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    let decimal = matches!(column.node, Node::Column(_)) && column.ty.class() == Class::Decimal;
    if decimal && text.ty.is_string() && !text.ty.hex && is_one_value(text) {
        coerce(text, exact_decimal(), ctx)?;
    }
    Ok(())
}

/// Whether the value does not change from row to row: a constant or a parameter.
pub(super) fn is_known(e: &Expr) -> bool {
    e.is_constant() || matches!(e.node, Node::Param(_))
}

/// The decimal as an integer value when it is whole and fits.
fn as_integer(d: &Decimal) -> Option<Value> {
    let (whole, _) = d.round(0, Rounding::Truncate);
    if whole != *d || d.int_digits() > 20 {
        return None;
    }
    let v = d.trunc_i128();
    i64::try_from(v).map(Value::Int).or_else(|_| u64::try_from(v).map(Value::UInt)).ok()
}

/// The literal beside a column whose values are of another class, so that no key of it can be asked.
fn unlike_literal(args: &[Expr; 2]) -> Option<(usize, Expr)> {
    (0..2).find_map(|n| {
        let (literal, column) = (&args[n], &args[1 - n]);
        let unlike =
            column.ty.class() != literal.ty.class() && (is_text(&column.ty) || literal.ty.is_temporal());
        let found = matches!(literal.node, Node::Literal(_)) && matches!(column.node, Node::Column(_));
        (found && unlike).then(|| (n, literal.clone()))
    })
}

/// Builds `a op b` for scalars.
///
/// # Errors
/// Those of [`unify`].
pub fn compare(op: CompareOp, a: Expr, b: Expr, ctx: &mut EvalContext) -> SqlResult<Expr> {
    compare_digits(op, a, b, true, ctx)
}

/// As [`compare`], with all digits of both sides (CASE, BETWEEN) or only those that their types tell.
pub(super) fn compare_digits(
    op: CompareOp,
    a: Expr,
    b: Expr,
    rounded: bool,
    ctx: &mut EvalContext,
) -> SqlResult<Expr> {
    let mut args = [a, b];
    {
        let [a, b] = &mut args;
        meet(&a.ty, &b.ty, op.sign())?;
        if rounded && (a.ty.json || b.ty.json) && is_text(&a.ty) && is_text(&b.ty) {
            crate::func::json::beside_text(a, b, ctx)?;
        } else if a.ty.json && b.ty.is_number() {
            crate::func::json::as_number(a, ctx)?;
        } else if b.ty.json && a.ty.is_number() {
            crate::func::json::as_number(b, ctx)?;
        }
        // CASE takes a year as the number it is
        if rounded || a.ty.kind != Kind::Year && b.ty.kind != Kind::Year {
            // CASE takes a date beside a BIGINT as the date it is
            let beside = if rounded { Beside::Alone } else { Beside::Mixed };
            simplify_constant(a, b, beside, ctx)?;
            simplify_constant(b, a, beside, ctx)?;
            complete_years(a, b, ctx)?;
            if rounded {
                text_as_decimal(a, b, ctx)?;
                text_as_decimal(b, a, ctx)?;
            }
        }
    }
    let written = if ctx.statement.explained { unlike_literal(&args) } else { None };
    if !rounded {
        dated_later(pair(&args[0].ty, &args[1].ty), &mut args, ctx)?;
    }
    let digits = if rounded { digits_compared(&args) } else { None };
    let mut by = unify(&mut args, op.sign(), ctx)?;
    if rounded {
        round_operands(&mut args, by, ctx)?;
    }
    if let (Comparison::Double, Some(digits)) = (by, digits) {
        by = Comparison::Digits(digits);
    }
    if let Some((n, literal)) = written {
        args[n].node = Node::Convert(Box::new(literal));
    }
    // CASE asks its subquery again with each branch
    let args = args.map(|e| if rounded || !e.is_converted_answer() { e.once() } else { e });
    let nullable = op != CompareOp::NullSafeEq && args.iter().any(|a| a.ty.nullable);
    let ty = FieldType::boolean().with_nullable(nullable);
    Ok(Expr::new(Node::Compare(op, by, Box::new(args)), ty))
}

/// Prepares the bounds of BETWEEN, which are compared as one: constants beside an integer column become integers where all
/// are; a number between two texts is a double, beside a date a date.
pub(super) fn simplify_bounds(value: &Expr, bounds: &mut [Expr; 2], ctx: &mut EvalContext) -> SqlResult<By> {
    let mut simple = bounds.clone();
    let mark = ctx.warnings.mark();
    let text = |e: &Expr| e.ty.is_string() && !e.ty.hex;
    let texts = bounds.iter().all(text);
    let beside = if texts { Beside::Texts } else { Beside::Range };
    for e in &mut simple {
        simplify_constant(value, e, beside, ctx)?;
    }
    let warned = ctx.warnings.mark() != mark;
    let dated = bounds.iter().any(|b| b.ty.is_temporal());
    let whole = simple.iter().zip(bounds.iter()).all(|(s, b)| !b.ty.is_string() || s.ty.class().is_integer());
    if !dated && (value.ty.kind == Kind::Year || whole && !warned) {
        *bounds = simple;
    } else {
        ctx.warnings.rollback_to(mark);
    }
    let mut by = pair(&value.ty, &bounds[0].ty);
    by = combine(by, &bounds[1].ty);
    let null = |e: &Expr| e.ty.kind == Kind::Null;
    if by == By::Decimal && (text(value) && null(&bounds[1]) || !text(value) && bounds.iter().any(null)) {
        // NULL counts as a text, and an exact number beside a second text is a double
        by = By::Double;
    }
    if texts && !text(value) && matches!(by, By::Decimal | By::Double) {
        // a number between two texts; a BIGINT column is compared exactly with constants
        let exact =
            value.ty.kind == Kind::LongLong && value.as_column().is_some() && bounds.iter().all(is_known);
        by = if exact { By::Decimal } else { By::Double };
    }
    Ok(by)
}

/// Prepares `value IN (list)`: constants beside an integer column become integers where they are.
pub(super) fn simplify_list(value: &Expr, list: &mut [Expr], ctx: &mut EvalContext) -> SqlResult<()> {
    let mut classes = list.iter().filter(|e| e.ty.kind != Kind::Null).map(|e| pair(&value.ty, &e.ty));
    let first = classes.next();
    let beside = match classes.all(|c| Some(c) == first) {
        true => Beside::List,
        false if list.iter().any(|e| e.ty.is_temporal()) => Beside::Dated,
        false => Beside::Mixed,
    };
    if value.ty.kind == Kind::Year && !(list.iter().all(is_known) && dates_are_years(list)) {
        // constants are years only where there is nothing else
        return Ok(());
    }
    for e in list {
        simplify_constant(value, e, beside, ctx)?;
    }
    Ok(())
}

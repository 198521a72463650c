//! How many digits of the second's fraction arguments have, as far as it can be told when they are bound.

use super::Resolve;
use crate::expr::Node;
use crate::types::{Class, FieldType, Kind, Value, convert};

/// Digits of fraction of a value of this type.
pub(super) fn digits_of(t: &FieldType) -> u8 {
    match t.class() {
        Class::Int | Class::UInt | Class::Date => 0,
        Class::Null => 0,
        _ => t.decimals.min(6),
    }
}

/// Digits of fraction of an argument; for a constant text as many as it has.
pub(super) fn literal_digits(e: &crate::expr::Expr) -> u8 {
    match e.as_literal() {
        Some(Value::Bytes(b)) => text_digits(&convert::ascii(b, &e.ty)),
        // a column of texts may hold any
        _ if e.as_column().is_some() && e.ty.is_string() && !matches!(e.ty.kind, Kind::Enum | Kind::Set) => 6,
        _ => digits_of(&e.ty),
    }
}

/// Digits of fraction of a text or number after an interval was added to it: those of both. That of a constant text is written in
/// it, an interval of `seconds` has all six where it is a text.
pub(crate) fn digits_of_sum(e: &crate::expr::Expr, interval: &crate::expr::Expr, seconds: bool) -> u8 {
    let own = literal_digits(e);
    match interval.ty.class() {
        _ if !seconds => own,
        Class::Bytes => 6,
        _ => own.max(digits_of(&interval.ty)),
    }
}

/// Digits behind the last point of a text, six at most.
pub(super) fn text_digits(text: &[u8]) -> u8 {
    match text.iter().rposition(|x| *x == b'.') {
        Some(p) => text[p + 1..].iter().take_while(|d| d.is_ascii_digit()).count().min(6) as u8,
        None => 0,
    }
}

/// The text that argument `i`, a user variable, holds now.
pub(super) fn text_of_variable<'a>(r: &'a Resolve<'_>, i: usize) -> Option<std::borrow::Cow<'a, [u8]>> {
    let Node::UserVariable(name) = &r.args[i].node else { return None };
    let variable = r.ctx.variables.get(name)?;
    match &variable.value {
        Value::Bytes(b) => Some(convert::ascii(b, &variable.ty)),
        _ => None,
    }
}

/// The text that argument `i`, a constant, a parameter or a user variable, is now.
pub(super) fn text_now(r: &mut Resolve<'_>, i: usize) -> Option<Vec<u8>> {
    let e = r.args.get(i)?;
    match (&e.node, text_of_variable(r, i)) {
        (Node::UserVariable(_), text) => return text.map(std::borrow::Cow::into_owned),
        (Node::Param(_) | Node::Literal(_), _) if e.ty.is_string() => {}
        _ => return None,
    }
    let ty = e.ty.clone();
    match r.value_now(i)? {
        Value::Bytes(b) => Some(convert::ascii(&b, &ty).into_owned()),
        _ => None,
    }
}

/// Digits of fraction of argument `i`; for a constant text, that of a parameter and that of a user variable as many as it has.
pub(super) fn digits_now(r: &mut Resolve<'_>, i: usize) -> u8 {
    match text_now(r, i) {
        Some(text) => text_digits(&text),
        None => literal_digits(&r.args[i]),
    }
}

/// Digits of the fraction of the second that a user variable holds now.
pub(super) fn fraction_of_variable(r: &Resolve<'_>, name: &str) -> u8 {
    match r.ctx.variables.get(name).map(|v| (&v.value, &v.ty)) {
        Some((Value::Bytes(b), ty)) => text_digits(&convert::ascii(b, ty)),
        // numbers of variables have no digits of their own
        Some((Value::Decimal(_) | Value::Double(_), _)) => 6,
        _ => 0,
    }
}

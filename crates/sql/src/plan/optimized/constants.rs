//! What is known of values while a statement is planned.

use super::names::{Frame, Names, made};
use crate::ast::{
    CastType, Expr, ExprKind, Field, IsTest, Literal, Mark, Name, StringLiteral, TemporalKind, UnaryOp,
};
use crate::types::convert::write_text;
use crate::types::{Class, FieldType, Kind, Value};

/// Puts the values of known rows into columns.
pub(super) fn fill(e: &mut Expr, frame: &Frame) {
    if let ExprKind::Field(f) = &mut e.kind
        && f.select == frame.number
        && let Some(row) = &frame.sources[f.table].row
    {
        f.value = row.get(f.column).cloned();
    }
    e.kind.for_children_mut(&mut |child| fill(child, frame));
}

/// Whether an expression is a value as it stands.
pub(super) fn is_basic(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(_) | ExprKind::Lifted(..) | ExprKind::Param(_) => true,
        ExprKind::Field(f) => f.value.is_some(),
        ExprKind::Unary(UnaryOp::Not, inner) => matches!(inner.kind, ExprKind::Literal(Literal::Bool(_))),
        ExprKind::Unary(UnaryOp::Negate, inner) => {
            matches!(inner.kind, ExprKind::Literal(Literal::Int(_) | Literal::Decimal(_) | Literal::Float(_)))
        }
        _ => false,
    }
}

/// Whether columns without a value, or what is computed for each row, stand in it.
fn depends_on_rows(e: &Expr) -> bool {
    let mut depends = match &e.kind {
        ExprKind::Field(f) => f.value.is_none(),
        ExprKind::Column(_)
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_)
        | ExprKind::Match(_)
        | ExprKind::Subquery(_)
        | ExprKind::Exists(_)
        | ExprKind::InSubquery { .. }
        | ExprKind::Quantified { .. }
        | ExprKind::UserVariable(_)
        | ExprKind::Assign(..)
        | ExprKind::Default(_)
        | ExprKind::Values(_)
        | ExprKind::Sequence(..) => true,
        _ => false,
    };
    e.kind.for_children(&mut |child| depends |= depends_on_rows(child));
    depends
}

/// The value of an expression, when it is the same for all rows.
pub(super) fn value(names: &mut Names<'_>, e: &Expr) -> Option<(Value, FieldType)> {
    if depends_on_rows(e) {
        return None;
    }
    names.facts.constant(&plain(e.clone()))
}

/// An expression as it can be computed.
pub(super) fn plain(mut e: Expr) -> Expr {
    literals(&mut e);
    e
}

/// Columns whose values are known become literals, and marks of caches go.
fn literals(e: &mut Expr) {
    match &mut e.kind {
        ExprKind::Field(f) => {
            if let Some(v) = f.value.take() {
                *e = signed(v);
            }
            return;
        }
        ExprKind::Mark(Mark::Cache, list) => {
            if let Some(inner) = list.pop() {
                *e = inner;
                return literals(e);
            }
        }
        _ => {}
    }
    e.kind.for_children_mut(&mut literals);
}

/// A literal as the parser makes it: a sign is not part of it.
pub(super) fn signed(v: Literal) -> Expr {
    let digits = match &v {
        Literal::Float(text) | Literal::Decimal(text) => text.strip_prefix('-').map(Name::from),
        _ => None,
    };
    let Some(digits) = digits else { return made(ExprKind::Literal(v)) };
    let number =
        if matches!(v, Literal::Decimal(_)) { Literal::Decimal(digits) } else { Literal::Float(digits) };
    made(ExprKind::Unary(UnaryOp::Negate, Box::new(made(ExprKind::Literal(number)))))
}

/// Whether a condition is always true, or never; nothing when that depends on rows.
pub(super) fn decided(names: &mut Names<'_>, e: &Expr) -> Option<bool> {
    let test = ExprKind::Is { expr: Box::new(e.clone()), test: IsTest::True, negated: false };
    Some(matches!(value(names, &made(test))?.0, Value::Int(1)))
}

/// Puts the mark of a cache around what is computed once.
pub(super) fn cached(e: Expr) -> Expr {
    made(ExprKind::Mark(Mark::Cache, vec![e]))
}

/// Marks the largest parts of a condition that are the same for all rows.
pub(super) fn mark(names: &mut Names<'_>, e: &mut Expr) {
    if is_basic(e) || matches!(e.kind, ExprKind::Mark(Mark::Cache, _)) {
        return;
    }
    let rows = matches!(e.kind, ExprKind::Row(_)) && !depends_on_rows(e);
    if rows || value(names, e).is_some() {
        let inner = std::mem::replace(e, super::truth(true));
        *e = cached(inner);
        return;
    }
    e.kind.for_children_mut(&mut |child| mark(names, child));
}

/// A value as a literal of a column's type.
pub(crate) fn literal(v: &Value, ty: &FieldType) -> Literal {
    let mut text = Vec::new();
    write_text(v.as_ref(), ty, &mut text);
    let word = || String::from_utf8_lossy(&text).into_owned();
    match v {
        Value::Null => Literal::Null,
        Value::Int(n) if *n >= 0 => Literal::Int(n.unsigned_abs()),
        Value::UInt(n) => Literal::Int(*n),
        Value::Double(_) => Literal::Float(word().into()),
        Value::Int(_) | Value::Decimal(_) => Literal::Decimal(word().into()),
        _ => Literal::String(Box::new(StringLiteral { bytes: text.into(), charset: None })),
    }
}

/// A constant as it is compared with a temporal column: a literal of the column's type, or of one that has both date and time.
pub(super) fn temporal(names: &mut Names<'_>, e: &Expr, column: &FieldType) -> Option<Literal> {
    let (own, ty) = value(names, e)?;
    if own.is_null() {
        return None;
    }
    let typed = sort_of_type(&ty) == Sort::Temporal;
    let (cast, kind) = match column.class() {
        Class::Time => (CastType::Time(6), TemporalKind::Time),
        _ => (CastType::DateTime(6), TemporalKind::DateTime),
    };
    let cast = made(ExprKind::Cast(Box::new(e.clone()), Box::new(cast)));
    let (v, cast_ty) = value(names, &cast)?;
    let mut text = Vec::new();
    match (v.is_null(), kind) {
        // what is no date or time at all is compared as the zero
        (true, _) if !matches!(own, Value::Bytes(_)) => return None,
        (true, TemporalKind::Time) => text.extend_from_slice(b"00:00:00.000000"),
        (true, _) => text.extend_from_slice(b"0000-00-00 00:00:00.000000"),
        (false, _) => write_text(v.as_ref(), &cast_ty, &mut text),
    }
    let fraction = text.split_off(text.len().saturating_sub(7));
    let digits = match (typed, fraction == b".000000") {
        (true, _) => usize::from(ty.decimals.min(6)),
        (false, true) => 0,
        (false, false) => 6,
    };
    if column.class() == Class::Date && text.ends_with(b" 00:00:00") && fraction == b".000000" {
        text.truncate(text.len() - 9);
        return Some(Literal::Temporal(TemporalKind::Date, text.into()));
    }
    if digits > 0 {
        text.extend_from_slice(&fraction[..=digits.min(fraction.len() - 1)]);
    }
    Some(Literal::Temporal(kind, text.into()))
}

/// A constant as a column equal to it has it, where that is known.
pub(super) fn exact(names: &mut Names<'_>, e: &Expr, column: &FieldType) -> Option<Expr> {
    if !is_basic(e) {
        return None;
    }
    let made_literal = |l| Some(made(ExprKind::Literal(l)));
    match column.class() {
        _ if matches!(column.kind, Kind::Enum | Kind::Set | Kind::Year | Kind::Bit) => None,
        Class::Int | Class::UInt => match value(names, e)?.0 {
            Value::Int(_) | Value::UInt(_) => Some(e.clone()),
            _ => None,
        },
        Class::Decimal => {
            let scale = CastType::Decimal(65, u32::from(column.decimals.min(30)));
            let cast = made(ExprKind::Cast(Box::new(e.clone()), Box::new(scale)));
            let (v, ty) = value(names, &cast)?;
            made_literal(literal(&v, &ty))
        }
        Class::Double => {
            let (v, ty) = value(names, e)?;
            match v {
                Value::Double(_) => made_literal(literal(&v, &ty)),
                _ => None,
            }
        }
        Class::Date | Class::Time | Class::DateTime => {
            let Literal::Temporal(kind, text) = temporal(names, e, column)? else { return None };
            let text = text.to_vec();
            if column.class() == Class::Date {
                return made_literal(Literal::Temporal(TemporalKind::Date, text.get(..10)?.into()));
            }
            // the digits that the column has
            let mut text = text;
            let at = text.iter().position(|b| *b == b'.').unwrap_or(text.len());
            let digits = usize::from(column.decimals.min(6));
            if digits > 0 && at == text.len() {
                text.push(b'.');
            }
            text.resize(if digits == 0 { at } else { at + 1 + digits }, b'0');
            made_literal(Literal::Temporal(kind, text.into()))
        }
        Class::Bytes if column.collation.charset.name == "binary" => Some(e.clone()),
        _ => None,
    }
}

/// What a value is to comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Number,
    Text,
    Temporal,
    /// ENUM and SET.
    Listed,
    Unknown,
}

/// Of a type.
pub(super) fn sort_of_type(ty: &FieldType) -> Sort {
    match ty.class() {
        _ if matches!(ty.kind, Kind::Enum | Kind::Set) => Sort::Listed,
        _ if ty.kind == Kind::Bit => Sort::Unknown,
        Class::Null => Sort::Unknown,
        Class::Int | Class::UInt | Class::Double | Class::Decimal => Sort::Number,
        Class::Bytes => Sort::Text,
        _ => Sort::Temporal,
    }
}

/// The type of a column of the present SELECT.
pub(super) fn field_type<'a>(frame: &'a Frame, f: &Field) -> Option<&'a FieldType> {
    if f.select != frame.number {
        return None;
    }
    frame.sources.get(f.table)?.columns.get(f.column)?.ty.as_ref()
}

//! What depends on PAD_CHAR_TO_FULL_LENGTH: values that are kept (of STORED columns and of keys) must not change with
//! the spaces that fill CHAR columns up.

use charset::Collation;
use schema::definition::{ColumnDef, ColumnType, TableDef};

use crate::ast::{self, BinaryOp, ExprKind, Literal, TrimSide};
use crate::names::same_name;
use crate::types::{Class, FieldType, Kind};

/// What types the parts of an expression have.
pub(super) type TypeOf<'a> = dyn FnMut(&ast::Expr) -> Option<FieldType> + 'a;

/// Whether the value of `e`, put into the column `target`, depends on the spaces behind a CHAR column's value.
pub(super) fn depends(e: &ast::Expr, target: &ColumnDef, def: &TableDef, type_of: &mut TypeOf<'_>) -> bool {
    match padded(e, def) {
        Some(_) => keeps_spaces(target),
        None => looks_at_spaces(e, def, type_of),
    }
}

/// The column of type CHAR that an expression is.
fn padded<'a>(e: &ast::Expr, def: &'a TableDef) -> Option<&'a ColumnDef> {
    let ExprKind::Column(c) = &e.kind else { return None };
    let column = def.columns.iter().find(|d| same_name(&d.name, &c.name))?;
    let is_char = matches!(column.ty, ColumnType::Char { .. }) && !is_binary(column.collation);
    is_char.then_some(column)
}

fn is_binary(collation: &Collation) -> bool {
    collation.charset.name == "binary"
}

/// Whether a column keeps the spaces at the end of a text that is put into it, or refuses them.
fn keeps_spaces(target: &ColumnDef) -> bool {
    match target.ty {
        ColumnType::Char { .. } => is_binary(target.collation),
        ColumnType::Enum { .. }
        | ColumnType::Set { .. }
        | ColumnType::Tiny
        | ColumnType::Short
        | ColumnType::Int24
        | ColumnType::Long
        | ColumnType::LongLong
        | ColumnType::Float { .. }
        | ColumnType::Double { .. }
        | ColumnType::Decimal { .. }
        | ColumnType::OldDecimal { .. }
        | ColumnType::Year
        | ColumnType::Date
        | ColumnType::OldDate => false,
        _ => true,
    }
}

/// Whether an expression that is no column itself makes something of a CHAR column's spaces.
fn looks_at_spaces(e: &ast::Expr, def: &TableDef, type_of: &mut TypeOf<'_>) -> bool {
    match &e.kind {
        ExprKind::Binary(op, a, b) if is_comparison(*op) => return compared(a, b, def, type_of),
        ExprKind::InList { expr, list, .. } if list.len() == 1 => {
            return compared(expr, &list[0], def, type_of);
        }
        ExprKind::Like { expr, pattern, escape: None, .. }
            if padded(expr, def).is_some() && ends_open(pattern) =>
        {
            return false;
        }
        ExprKind::And(list) | ExprKind::Or(list) => {
            return list
                .iter()
                .map(is_true)
                .any(|e| padded(e, def).is_none() && looks_at_spaces(e, def, type_of));
        }
        ExprKind::Trim { side: TrimSide::Both | TrimSide::Trailing, remove, expr, .. }
            if padded(expr, def).is_some() && remove.as_ref().is_none_or(|r| text(r) == Some(b" ")) =>
        {
            return false;
        }
        ExprKind::Function(f) if evens_out(f, def) => return false,
        _ => {}
    }
    let mut found = false;
    e.kind.for_children(&mut |child| {
        found = found || padded(child, def).is_some() || looks_at_spaces(child, def, type_of);
    });
    found
}

/// What AND and OR ask of: `x <> 0`, as which definitions keep an `x` that is no condition.
fn is_true(e: &ast::Expr) -> &ast::Expr {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Ne, x, zero)
            if matches!(zero.kind, ExprKind::Literal(Literal::Int(0))) =>
        {
            x
        }
        _ => e,
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne, NullSafeEq};
    matches!(op, Eq | NullSafeEq | Ne | Lt | Le | Gt | Ge)
}

/// Whether a comparison depends on the spaces: not where texts are compared as PAD SPACE has it.
fn compared(a: &ast::Expr, b: &ast::Expr, def: &TableDef, type_of: &mut TypeOf<'_>) -> bool {
    if let (ExprKind::Row(a), ExprKind::Row(b)) = (&a.kind, &b.kind) {
        return a.iter().zip(b).any(|(a, b)| compared(a, b, def, type_of));
    }
    let mut side = |own: &ast::Expr, other: &ast::Expr| match padded(own, def) {
        Some(column) => !column.collation.pad_space || !is_padded_text(other, type_of),
        None => looks_at_spaces(own, def, type_of),
    };
    side(a, b) || side(b, a)
}

/// Whether what is compared with a text is a text with PAD SPACE, too, or has no spaces (a date, NULL).
fn is_padded_text(e: &ast::Expr, type_of: &mut TypeOf<'_>) -> bool {
    let Some(ty) = type_of(e) else { return false };
    match ty.class() {
        Class::Null => true,
        Class::Bytes => !ty.hex && ty.collation.pad_space && !is_binary(ty.collation),
        _ => ty.is_temporal() || matches!(ty.kind, Kind::Enum | Kind::Set) && ty.collation.pad_space,
    }
}

/// RTRIM, and RPAD with spaces to the column's length: both give the same with spaces and without.
fn evens_out(f: &ast::FunctionCall, def: &TableDef) -> bool {
    let Some(column) = f.args.first().and_then(|a| padded(a, def)) else { return false };
    if f.name.eq_ignore_ascii_case("rtrim") {
        return f.args.len() == 1;
    }
    let ColumnType::Char { bytes } = column.ty else { return false };
    let width = u64::from(bytes) / u64::from(column.collation.charset.mbmaxlen).max(1);
    let long =
        f.args.get(1).is_some_and(|n| matches!(n.kind, ExprKind::Literal(Literal::Int(n)) if n >= width));
    let spaces = |e: &ast::Expr| text(e).is_some_and(|t| !t.is_empty() && t.iter().all(|b| *b == b' '));
    f.name.eq_ignore_ascii_case("rpad") && long && f.args.get(2).is_none_or(spaces)
}

/// Whether a pattern of LIKE takes whatever comes at the end.
fn ends_open(pattern: &ast::Expr) -> bool {
    text(pattern).is_some_and(|t| t.ends_with(b"%") && !t.ends_with(b"\\%"))
}

/// The text that a literal is.
fn text(e: &ast::Expr) -> Option<&[u8]> {
    match &e.kind {
        ExprKind::Literal(Literal::String(s)) => Some(&s.bytes),
        _ => None,
    }
}

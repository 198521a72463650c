//! The types of a union's columns.

use crate::error::{SqlError, SqlResult};
use crate::expr::typing::{beside_null, merge_numbers, natural_width};
use crate::expr::{EvalContext, Expr, Node};
use crate::types::{Class, Derivation, FieldType, Kind, Value};
use charset::derivation::Purpose;

/// A term's column as it goes into the type of the whole: BIT is a number but in BLOB and BIT, and ZEROFILL is lost but in
/// BLOB.
pub(crate) fn as_term(from: &FieldType, to: &FieldType) -> FieldType {
    if from.kind == Kind::Bit && to.kind != Kind::Bit && !to.is_blob() {
        return FieldType { length: from.length, ..FieldType::bigint(true) }.with_nullable(from.nullable);
    }
    FieldType { zerofill: from.zerofill && (to.kind == Kind::Year || to.is_blob()), ..from.clone() }
}

fn mix() -> SqlError {
    SqlError::new(crate::error::codes::ER_CANT_AGGREGATE_NCOLLATIONS, &[&"UNION"])
}

/// Columns whose text is of collations that none prevails over.
///
/// # Errors
/// 1271 for such a column.
pub(super) fn no_mix(types: &[FieldType]) -> SqlResult<()> {
    let mixed = |t: &FieldType| t.is_string() && t.derivation == Derivation::None;
    if types.iter().any(mixed) { Err(mix()) } else { Ok(()) }
}

/// The type that holds values of both.
///
/// # Errors
/// 1271 for text without a common collation.
pub(super) fn common(a: &FieldType, b: &FieldType, ctx: &mut EvalContext) -> SqlResult<FieldType> {
    common_of((a, None), (b, None), ctx)
}

/// The same of columns that may be constants: their text is converted where nothing is lost.
///
/// # Errors
/// 1267, 1271 for text without a common collation.
pub(super) fn common_of(
    (a, constant_a): (&FieldType, Option<&[u8]>),
    (b, constant_b): (&FieldType, Option<&[u8]>),
    ctx: &mut EvalContext,
) -> SqlResult<FieldType> {
    crate::func::wrapped::meet(a, b, "UNION")?;
    let words = |t: &FieldType| matches!(t.kind, Kind::Enum | Kind::Set);
    if a.is_special() && words(b) || b.is_special() && words(a) {
        return Err(crate::func::wrapped::illegal_types(a, b, "UNION"));
    }
    let nullable = a.nullable || b.nullable;
    let wide = match (a.class(), b.class()) {
        (_, Class::Null) => FieldType { zerofill: false, ..beside_null(a.clone()) },
        (Class::Null, _) => FieldType { zerofill: false, ..beside_null(b.clone()) },
        _ if a.is_string() || b.is_string() => text(a, b, [constant_a, constant_b], ctx)?,
        _ if a.kind == Kind::Bit && b.kind == Kind::Bit => wider(a, b),
        _ if a.kind == Kind::Bit || b.kind == Kind::Bit => bytes(a.length.max(b.length)),
        _ if a.is_temporal() && b.is_temporal() => {
            if a.kind == b.kind {
                wider(a, b)
            } else {
                crate::expr::typing::merge_types(&[a, b], ctx.collation)
            }
        }
        _ if a.is_temporal() || b.is_temporal() => {
            let mut t =
                FieldType::string(a.length.max(b.length).into(), ctx.collation, Derivation::Coercible);
            t.ascii = true;
            t
        }
        _ if a.kind == Kind::Year && b.kind == Kind::Year && a.length == b.length => a.clone(),
        _ => merge_numbers(a, b),
    };
    // the year 0 has four digits
    let wide = FieldType { zerofill: wide.kind == Kind::Year, ..wide };
    Ok(wide.with_nullable(nullable))
}

fn wider(a: &FieldType, b: &FieldType) -> FieldType {
    let mut t = if a.length >= b.length { a.clone() } else { b.clone() };
    t.decimals = a.decimals.max(b.decimals);
    t.zerofill = false;
    t.digits = false;
    t
}

/// A column of several queries that give nothing but NULL: a text, whatever it meets further out.
pub(super) fn only_nulls() -> FieldType {
    let mut t = FieldType::string(0, charset::binary(), Derivation::Ignorable).with_nullable(true);
    t.kind = Kind::Char;
    t
}

/// VARBINARY.
fn bytes(length: u32) -> FieldType {
    FieldType::string(length.into(), charset::binary(), Derivation::Implicit)
}

fn text(
    a: &FieldType,
    b: &FieldType,
    constants: [Option<&[u8]>; 2],
    ctx: &mut EvalContext,
) -> SqlResult<FieldType> {
    // text beside an address is read as one
    if a.is_address() || b.is_address() {
        return Ok(if a.is_address() { a.clone() } else { b.clone() }.with_nullable(true));
    }
    // text of a common collation; BIT counts as bytes
    let stand_in = |t: &FieldType, constant: Option<&[u8]>| {
        let t = if t.kind == Kind::Bit { bytes(t.length) } else { t.clone() };
        match constant {
            Some(text) => Expr::literal(Value::Bytes(text.to_vec()), t),
            None => Expr::new(Node::Outer(u32::MAX), t),
        }
    };
    let mut both = [stand_in(a, constants[0]), stand_in(b, constants[1])];
    let d = crate::expr::typing::common_collation(&mut both, Purpose::Value, "UNION", ctx)?;
    let binary = d.collation.id == 63;
    // how wide integers are shown counts beside bytes
    let length = |t: &FieldType| match t.display_width() {
        Some(w) if binary => w,
        Some(w) => natural_width(t).length.max(w),
        None if t.is_string() && !binary => t.char_length(),
        None if binary => t.length,
        None => natural_width(t).length,
    };
    let chars = length(a).max(length(b));
    let mut t = FieldType::string(chars.into(), d.collation, d.derivation);
    t.ascii = d.ascii;
    if a.is_blob() || b.is_blob() {
        t.kind = Kind::blob_for(t.length);
    } else if !t.is_blob()
        && [a, b].iter().any(|t| t.kind == Kind::Char)
        && ![a, b].iter().any(|t| t.kind == Kind::Varchar)
    {
        t.kind = Kind::Char;
    }
    Ok(t)
}

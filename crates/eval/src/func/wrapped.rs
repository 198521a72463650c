//! Operands put into a function that makes them what an operator works on: addresses, bits.

use crate::error::{SqlError, SqlResult, codes};
use crate::expr::typing::{coerce, wide_decimal};
use crate::expr::{EvalContext, Expr, Node};
use crate::types::{FieldType, Kind, Value};

/// A function over `e`, and more arguments; a constant is computed now unless that warns.
pub fn wrap(
    e: &mut Expr,
    name: &'static str,
    more: Vec<Expr>,
    ty: FieldType,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let constant = matches!(e.node, Node::Literal(_));
    let taken = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
    let args = std::iter::once(taken).chain(more).collect();
    *e = super::call(super::named(name)?, name, args, ctx)?;
    e.ty = ty.with_nullable(true);
    if constant {
        let mark = ctx.warnings.mark();
        let v = e.value(ctx)?;
        if ctx.warnings.mark() == mark {
            *e = Expr::literal(v, e.ty.clone());
        } else {
            ctx.warnings.rollback_to(mark);
        }
    }
    Ok(())
}

/// Whether values of this type can stand beside an address of that kind: it is one, or text that may be read as one.
pub fn fits_address(t: &FieldType, kind: Kind) -> bool {
    t.kind == kind || t.kind == Kind::Null || t.is_string() && !t.is_address()
}

/// Whether values of this type can stand beside a geometry: it is one, text or bytes.
fn fits_geometry(t: &FieldType) -> bool {
    t.kind == Kind::Null || t.is_string() && !t.is_address()
}

/// 4078 for an address or a geometry beside what cannot be one.
///
/// # Errors
/// 4078.
pub fn meet(a: &FieldType, b: &FieldType, operation: &str) -> SqlResult<()> {
    let fits = match (a.is_special(), b.is_special()) {
        (true, _) if a.is_address() => fits_address(b, a.kind),
        (_, true) if b.is_address() => fits_address(a, b.kind),
        (false, false) => true,
        _ => fits_geometry(a) && fits_geometry(b),
    };
    if fits { Ok(()) } else { Err(illegal_types(a, b, operation)) }
}

/// Text as an address of this type.
pub fn to_address(e: &mut Expr, ty: &FieldType, ctx: &mut EvalContext) -> SqlResult<()> {
    if e.ty.kind == ty.kind || e.ty.kind == Kind::Null {
        return Ok(());
    }
    let name = match ty.kind {
        Kind::Inet4 => "cast_as_inet4",
        Kind::Inet6 => "cast_as_inet6",
        _ => "cast_as_uuid",
    };
    wrap(e, name, Vec::new(), FieldType::new(ty.kind, ty.length, 0), ctx)
}

/// An address as the bytes that it is stored as.
pub fn image(e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    let bytes = if e.ty.kind == Kind::Inet4 { 4 } else { 16 };
    let ty = FieldType::string(bytes, charset::binary(), crate::types::Derivation::Implicit);
    wrap(e, super::cast::IMAGE, Vec::new(), ty, ctx)
}

/// 4078.
pub fn illegal_types(a: &FieldType, b: &FieldType, operation: &str) -> SqlError {
    let code = codes::ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION;
    SqlError::new(code, &[&a.sql_name(), &b.sql_name(), &operation])
}

/// An operand of a bit operator: integers as they are, everything else by way of a decimal.
pub fn bit_operand(e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    if e.ty.class().is_integer() {
        return Ok(());
    }
    if e.ty.hex {
        return coerce(e, FieldType::bigint(true), ctx);
    }
    coerce(e, wide_decimal(), ctx)?;
    let taken = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
    *e = super::call(super::named("bit_operand")?, "bit_operand", vec![taken], ctx)?;
    Ok(())
}

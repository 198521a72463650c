//! Result types of arithmetic and bit operators.

use crate::error::SqlResult;
use crate::expr::typing::{coerce, digits_of, force, number_of_words, wide_decimal};
use crate::expr::{ArithOp, EvalContext, Expr, Node};
use crate::func::number_class;
use crate::func::wrapped::bit_operand;
use crate::result::NOT_FIXED_DEC;
use crate::types::{Class, FieldType, Kind, Value};
use crate::variables::SqlMode;

/// The width of an integer result of so many digits.
fn int_type(digits: u8, unsigned: bool) -> FieldType {
    let length = u32::from(digits) + u32::from(!unsigned);
    let mut t = FieldType::int(length);
    t.unsigned = unsigned;
    t
}

fn decimal_type(int: u8, scale: u8, unsigned: bool) -> FieldType {
    let precision = int.saturating_add(scale).clamp(1, 65);
    let mut t = FieldType::decimal(precision, scale.min(38));
    if unsigned {
        t.unsigned = true;
        t.length -= 1;
    }
    t
}

fn double_type(decimals: u8) -> FieldType {
    let mut t = FieldType::double();
    if decimals < 31 {
        t.decimals = decimals;
        t.length = 17 + u32::from(decimals);
    }
    t
}

/// A number's class for arithmetic.
fn class_of(e: &Expr) -> Class {
    match e.ty.kind {
        Kind::Enum | Kind::Set => Class::Int,
        _ if e.ty.is_temporal() && e.ty.decimals > 0 => Class::Decimal,
        _ => number_class(&e.ty),
    }
}

/// Whether it is a column of TIMESTAMP without a fraction, whose number is an unsigned one; that of every other moment is not.
fn is_stamp(e: &Expr) -> bool {
    let column = matches!(e.node, Node::Column(_) | Node::Outer(_) | Node::Aggregate(_));
    column && e.ty.kind == Kind::Timestamp && e.ty.decimals == 0
}

/// Binds `a op b`.
///
/// # Errors
/// Those of folding constants.
pub(super) fn arith(op: ArithOp, a: Expr, b: Expr, text: Box<str>, ctx: &mut EvalContext) -> SqlResult<Expr> {
    let nullable = a.ty.nullable || b.ty.nullable;
    plain_operands(op, &a.ty, &b.ty)?;
    let mut args = [a, b];
    for a in args.iter_mut().filter(|a| a.ty.json) {
        crate::func::json::as_number(a, ctx)?;
    }
    if matches!(
        op,
        ArithOp::BitOr | ArithOp::BitAnd | ArithOp::BitXor | ArithOp::ShiftLeft | ArithOp::ShiftRight
    ) {
        return bits(op, args, text, nullable, ctx);
    }
    null_first(op, &mut args);
    let (ca, cb) = (class_of(&args[0]), class_of(&args[1]));
    let (da, db) = (digits_of(&args[0]), digits_of(&args[1]));
    let whole_length = if ca == Class::Double { args[0].ty.char_length().min(20) } else { u32::from(da.0) };
    let sources = [operand(&args[0]), operand(&args[1])];
    let stamps = [is_stamp(&args[0]), is_stamp(&args[1])];
    let any_unsigned =
        stamps[0] || stamps[1] || args.iter().any(|e| e.ty.unsigned && e.ty.is_number() || e.ty.hex);
    args.iter_mut().for_each(number_of_words);
    let temporal = args.iter().any(|e| e.ty.is_temporal());
    let (natural_a, natural_b) = (stamps[0] || ca == Class::UInt, stamps[1] || cb == Class::UInt);
    let unsigned = if temporal { natural_a && natural_b } else { natural_a || natural_b };
    let (ua, ub) = (args[0].ty.unsigned || args[0].ty.hex, args[1].ty.unsigned || args[1].ty.hex);
    let real = |c: Class| matches!(c, Class::Double | Class::Null);
    let double = real(ca) || real(cb);
    let decimal = ca == Class::Decimal || cb == Class::Decimal;
    let mut ty = match op {
        ArithOp::IntDivide => {
            let unsigned = any_unsigned;
            for e in &mut args {
                if double || decimal {
                    coerce(e, wide_decimal(), ctx)?;
                } else {
                    integer_operand(e, ctx)?;
                }
            }
            let mut t = FieldType::int(whole_length.max(1));
            t.unsigned = unsigned;
            t
        }
        _ if double => {
            for e in &mut args {
                coerce(e, FieldType::double(), ctx)?;
            }
            double_result(op, sources, ctx.div_precision_increment)
        }
        ArithOp::Divide => {
            let scale = da.1.saturating_add(ctx.div_precision_increment).min(38);
            let int = da.0.saturating_add(db.1);
            for e in &mut args {
                coerce(e, wide_decimal(), ctx)?;
            }
            decimal_type(int, scale, ua && ub)
        }
        _ if decimal => {
            let (int, scale) = decimal_digits(op, da, db);
            for e in &mut args {
                coerce(e, wide_decimal(), ctx)?;
            }
            decimal_type(int, scale, ua && (ub || op == ArithOp::Modulo))
        }
        _ => {
            for e in &mut args {
                integer_operand(e, ctx)?;
            }
            let unsigned = match op {
                ArithOp::Subtract => unsigned && !ctx.sql_mode.has(SqlMode::NO_UNSIGNED_SUBTRACTION),
                ArithOp::Modulo => natural_a,
                _ => unsigned,
            };
            integer_result(op, (da.0, db.0), unsigned)
        }
    };
    let zero_gives_null = matches!(op, ArithOp::Divide | ArithOp::IntDivide | ArithOp::Modulo);
    ty.nullable = nullable || zero_gives_null;
    Ok(Expr::new(Node::Arith(op, Box::new(args), text), ty))
}

fn plain_operands(op: ArithOp, a: &FieldType, b: &FieldType) -> SqlResult<()> {
    let sign = match op {
        ArithOp::Add => "+",
        ArithOp::Subtract => "-",
        ArithOp::Multiply => "*",
        ArithOp::Divide => "/",
        ArithOp::Modulo => "MOD",
        _ => "",
    };
    if !sign.is_empty() && (a.is_special() || b.is_special()) {
        return Err(crate::func::wrapped::illegal_types(a, b, sign));
    }
    Ok(())
}

/// Digits before and behind the point of a sum, a product or a remainder.
fn decimal_digits(op: ArithOp, da: (u8, u8), db: (u8, u8)) -> (u8, u8) {
    let scale = da.1.max(db.1);
    match op {
        ArithOp::Add | ArithOp::Subtract => (da.0.max(db.0).saturating_add(1), scale),
        ArithOp::Multiply => (da.0.saturating_add(db.0), da.1.saturating_add(db.1).min(38)),
        _ => ((da.0 + da.1).max(db.0 + db.1).saturating_sub(scale), scale),
    }
}

/// NULL is found before the other operand is looked at.
fn null_first(op: ArithOp, args: &mut [Expr; 2]) {
    if matches!(op, ArithOp::IntDivide | ArithOp::BitOr | ArithOp::BitAnd)
        && matches!(args[0].node, Node::Literal(Value::Null))
        && matches!(args[1].node, Node::Literal(_))
    {
        args[1] = Expr::literal(Value::Null, FieldType::null());
    }
}

/// An operator of bits.
fn bits(
    op: ArithOp,
    mut args: [Expr; 2],
    text: Box<str>,
    nullable: bool,
    ctx: &mut EvalContext,
) -> SqlResult<Expr> {
    null_first(op, &mut args);
    args.iter().try_for_each(|e| super::comparison::no_special(e, op.sign()))?;
    match op {
        ArithOp::ShiftLeft | ArithOp::ShiftRight => {
            bit_operand(&mut args[0], ctx)?;
            shift_operand(&mut args[1], ctx)?;
        }
        ArithOp::BitXor => {
            bit_operand(&mut args[1], ctx)?;
            bit_operand(&mut args[0], ctx)?;
        }
        _ => {
            for e in &mut args {
                bit_operand(e, ctx)?;
            }
        }
    }
    let ty = bits_type().with_nullable(nullable);
    Ok(Expr::new(Node::Arith(op, Box::new(args), text), ty))
}

/// The type of `+ - * %` of integers of `da` and `db` digits.
fn integer_result(op: ArithOp, (da, db): (u8, u8), unsigned: bool) -> FieldType {
    let n = match op {
        ArithOp::Add | ArithOp::Subtract => da.max(db).saturating_add(1),
        ArithOp::Multiply => da.saturating_add(db),
        _ => da.max(db),
    };
    int_type(n, unsigned)
}

/// Length and digits after the point of an operand of doubles.
fn operand(e: &Expr) -> (u32, u8) {
    let text = e.ty.class() == Class::Bytes;
    // what comes from a column tells nothing of the digits in its texts
    let column = matches!(e.node, Node::Column(_) | Node::Outer(_) | Node::Param(_) | Node::Subquery(_));
    let fixed = text && e.ty.decimals < 31 && !column;
    let decimals = match e.ty.class() {
        Class::Null => 0,
        Class::Bytes if fixed && matches!(e.node, Node::Assign(..)) => e.ty.decimals,
        Class::Bytes if e.ty.unsigned || fixed => 0,
        Class::Bytes => NOT_FIXED_DEC,
        Class::UInt if matches!(e.ty.kind, Kind::Enum | Kind::Set) => 0,
        _ => e.ty.decimals,
    };
    (e.ty.length, decimals)
}

/// The type of an operation on doubles.
fn double_result(op: ArithOp, [a, b]: [(u32, u8); 2], increment: u8) -> FieldType {
    let decimals = a.1.max(b.1);
    if decimals >= 31 {
        return double_type(NOT_FIXED_DEC);
    }
    if op != ArithOp::Divide {
        return double_type(decimals);
    }
    let decimals = decimals.saturating_add(increment);
    let mut t = double_type(decimals);
    if t.decimals < 31 {
        t.length = t.length.min(a.0.saturating_sub(u32::from(a.1)) + u32::from(decimals));
    }
    t
}

/// BIGINT UNSIGNED, as bit operators return.
pub(super) fn bits_type() -> FieldType {
    FieldType::new(Kind::LongLong, 21, 0).unsigned()
}

impl FieldType {
    fn unsigned(mut self) -> FieldType {
        self.unsigned = true;
        self
    }
}

/// An operand of integer arithmetic.
fn integer_operand(e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    if e.ty.class().is_integer() {
        return Ok(());
    }
    let unsigned = e.ty.hex;
    coerce(e, FieldType::bigint(unsigned), ctx)
}

/// The count of a shift: an integer, as silently as can be.
fn shift_operand(e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    if e.ty.class().is_integer() {
        return Ok(());
    }
    let quiet = e.ty.class() == Class::Double;
    let mark = ctx.warnings.mark();
    coerce(e, FieldType::bigint(e.ty.hex), ctx)?;
    if quiet {
        ctx.warnings.rollback_to(mark);
    }
    Ok(())
}

/// Binds `-e`.
///
/// # Errors
/// Those of folding constants.
pub(super) fn negate(mut e: Expr, text: Box<str>, ctx: &mut EvalContext) -> SqlResult<Expr> {
    if e.ty.json {
        crate::func::json::as_number(&mut e, ctx)?;
    }
    // A literal is simply a negative literal.
    if let Node::Literal(v) = &e.node {
        let folded = match v {
            Value::Int(v) if !e.ty.hex => v.checked_neg().map(Value::Int),
            Value::UInt(v) if !e.ty.hex && *v == 1 << 63 => Some(Value::Int(i64::MIN)),
            Value::Double(v) => Some(Value::Double(-v)),
            Value::Decimal(d) => Some(Value::Decimal(d.negated())),
            _ => None,
        };
        if let Some(v) = folded {
            let mut ty = e.ty.clone();
            if ty.unsigned {
                ty.unsigned = false;
            }
            match v {
                Value::Decimal(_) => ty.length += u32::from(e.ty.unsigned),
                // -(-1) has no sign
                Value::Int(v) if v > 0 => ty.length = ty.length.saturating_sub(1),
                _ => ty.length += 1,
            }
            return Ok(Expr::literal(v, ty));
        }
    }
    super::comparison::no_special(&e, "-")?;
    let class = if e.ty.is_temporal() { Class::Decimal } else { class_of(&e) };
    let nullable = e.ty.nullable;
    // the sign takes a place, whether there is one already or not; that of parts of dates is counted but not there
    let length = crate::expr::typing::natural_width(&e.ty)
        .length
        .saturating_add(u32::from(!e.ty.counts_absent_sign()));
    number_of_words(&mut e);
    let ty = match class {
        Class::Double | Class::Null => {
            let (_, decimals) = operand(&e);
            coerce(&mut e, FieldType::double(), ctx)?;
            FieldType { length: length.min(53), ..double_type(decimals) }
        }
        Class::Decimal => {
            let (int, scale) = digits_of(&e);
            let int = if scale == 0 { e.ty.length.min(65) as u8 } else { int };
            coerce(&mut e, wide_decimal(), ctx)?;
            decimal_type(int, scale, false)
        }
        _ => {
            let variable = matches!(e.node, Node::UserVariable(_));
            let n = if variable { e.ty.length.min(20) as u8 } else { digits_of(&e).0 };
            integer_operand(&mut e, ctx)?;
            // -(-2^63) and -(2^64-1) need a decimal.
            let too_big = match &e.node {
                Node::Literal(Value::Int(i64::MIN)) => true,
                Node::Literal(Value::UInt(v)) => *v > 1 << 63,
                Node::Param(n) => {
                    matches!(ctx.statement.params.get(*n as usize), Some(Value::UInt(v)) if *v > 1 << 63)
                }
                // of what a variable has now the sign decides
                Node::UserVariable(name) => match ctx.variables.get(name).map(|v| &v.value) {
                    Some(Value::Int(v)) => *v < 0,
                    Some(Value::UInt(v)) => *v >= 1 << 63,
                    _ => false,
                },
                _ => false,
            };
            if too_big {
                force(&mut e, wide_decimal(), ctx)?;
                decimal_type(n.max(19), 0, false)
            } else {
                FieldType::int(length)
            }
        }
    };
    Ok(Expr::new(Node::Negate(Box::new(e), text), ty.with_nullable(nullable)))
}

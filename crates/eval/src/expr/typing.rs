//! Conversions of bound expressions and common types.

use super::{EvalContext, Expr, Node};
use crate::error::{SqlError, SqlResult, codes};
use crate::result::NOT_FIXED_DEC;
use crate::types::convert::push_converted;
use crate::types::{Class, Derivation, FieldType, Kind, Value, Vector};
use charset::Collation;
use charset::derivation::{self, Derived, Operand, Purpose};

/// Converts an expression to the class (and character set) of `to`; nothing happens when it has
/// them already. Constants are converted at once.
///
/// # Errors
/// Those of converting a constant.
pub fn coerce(e: &mut Expr, to: FieldType, ctx: &mut EvalContext) -> SqlResult<()> {
    let (from, target) = (e.ty.class(), to.class());
    let same = from == target
        && (target != Class::Bytes || {
            let (a, b) = (e.ty.collation.charset, to.collation.charset);
            a.name == b.name
                || to.collation.id == 63
                || e.ty.collation.id == 63 && b.mbminlen == 1
                || (e.ty.ascii && a.is_ascii_compatible() && b.is_ascii_compatible())
        });
    if same {
        if target == Class::Bytes && e.ty.collation.charset.name != to.collation.charset.name && e.ty.ascii {
            let chars = e.ty.char_length();
            e.ty.collation = to.collation;
            e.ty.length = chars.saturating_mul(u32::from(to.collation.charset.mbmaxlen));
        }
        return Ok(());
    }
    if target == Class::Double && e.ty.is_blob() && e.as_column().is_none() {
        // only an empty BLOB of a table is 0 without a word
        e.ty.kind = crate::types::Kind::Varchar;
    }
    if let Node::UserVariable(_) = &e.node {
        // its value is read as what is asked for, whatever it was when the statement began
        e.ty = to.with_nullable(true);
        return Ok(());
    }
    force(e, to, ctx)
}

/// Has a text compared in another collation of its bytes. What is computed is computed in its own: the case of letters depends on it.
pub fn compare_in(e: &mut Expr, collation: &'static Collation) {
    if e.ty.collation.id == collation.id {
        return;
    }
    let ty = FieldType { collation, ..e.ty.clone() };
    match e.node {
        Node::Call(..) => {
            let inner = std::mem::replace(e, Expr::literal(crate::types::Value::Null, FieldType::null()));
            *e = Expr::new(Node::Convert(Box::new(inner)), ty);
        }
        _ => e.ty = ty,
    }
}

/// What is stored of a computed ENUM, SET, UUID, INET4 or INET6 is its text; a column goes into another as it is.
///
/// # Errors
/// Those of converting a constant.
pub fn written_out(e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    let special = e.ty.is_address() || matches!(e.ty.kind, Kind::Enum | Kind::Set);
    let computed = matches!(
        e.node,
        Node::Literal(_)
            | Node::Call(..)
            | Node::Subquery(_)
            | Node::Coalesce(_)
            | Node::If(_)
            | Node::Case { .. }
    );
    if !special || !computed {
        return Ok(());
    }
    let t = text_type(&e.ty, ctx.collation);
    force(e, t, ctx)
}

/// Converts an expression even when the class is the same (a decimal to fewer digits).
///
/// # Errors
/// Those of converting a constant.
pub fn force(e: &mut Expr, to: FieldType, ctx: &mut EvalContext) -> SqlResult<()> {
    let nullable = e.ty.nullable || to.is_temporal() || e.ty.class() == Class::Null;
    let to = to.with_nullable(nullable);
    if let Node::Literal(value) = &e.node {
        let mark = ctx.warnings.mark();
        let mut out = Vector::new(if to.class() == Class::Null { Class::Int } else { to.class() });
        push_converted(value.as_ref(), &e.ty, &to, &mut out, ctx)?;
        if ctx.warnings.mark() == mark {
            *e = Expr::literal(out.value(0), to);
            return Ok(());
        }
        // it warns whenever it is computed
        ctx.warnings.rollback_to(mark);
    }
    let inner = std::mem::replace(e, Expr::new(Node::Row(Vec::new()), FieldType::null()));
    *e = Expr::new(Node::Convert(Box::new(inner)), to);
    Ok(())
}

/// The type of a value of `from` as text: its own for text, else ASCII in the connection's
/// collation.
#[must_use]
pub fn text_type(from: &FieldType, connection: &'static Collation) -> FieldType {
    let mut t = match from.kind {
        Kind::Bit if !from.digits => {
            // announced as wide as there are bits
            FieldType::string(u64::from(from.length), charset::binary(), Derivation::Implicit)
        }
        _ if from.is_string() => {
            let mut t = from.clone();
            if matches!(from.kind, Kind::Enum | Kind::Set) {
                t = FieldType::string(u64::from(from.char_length()), from.collation, from.derivation);
            } else if matches!(from.kind, Kind::Uuid | Kind::Inet4 | Kind::Inet6) {
                t = FieldType::string(u64::from(from.length), connection, Derivation::Coercible);
                t.ascii = true;
            }
            t
        }
        Kind::Null => FieldType::string(0, connection, Derivation::Ignorable),
        _ => FieldType::string(u64::from(text_length(from)), connection, Derivation::Numeric),
    };
    t.ascii |= !from.is_string() && (from.kind != Kind::Bit || from.digits);
    t.nullable = from.nullable;
    t.decimals = NOT_FIXED_DEC;
    t
}

/// Longest text of a number or temporal.
fn text_length(t: &FieldType) -> u32 {
    let length = t.length - u32::from(t.counts_absent_sign());
    t.display_width().map_or(length, |w| w.max(length))
}

/// The common collation of some text expressions; those of another character set are converted.
///
/// # Errors
/// 1267, 1270, 1271.
pub fn common_collation(
    args: &mut [Expr],
    purpose: Purpose,
    operation: &str,
    ctx: &mut EvalContext,
) -> SqlResult<Derived> {
    let computed = constants_of(args, ctx);
    let result = {
        let operands: Vec<Operand<'_>> = args
            .iter()
            .zip(&computed)
            .map(|(e, computed)| Operand {
                derived: Derived {
                    collation: e.ty.collation,
                    derivation: e.ty.derivation,
                    ascii: e.ty.ascii,
                },
                constant: match &e.node {
                    Node::Literal(crate::types::Value::Bytes(b)) => Some(&b[..]),
                    Node::Param(n) => match ctx.statement.params.get(*n as usize) {
                        Some(crate::types::Value::Bytes(b)) => Some(&b[..]),
                        _ => None,
                    },
                    _ => computed.as_deref(),
                },
            })
            .collect();
        match of_nulls(&operands) {
            Some(found) => found,
            None => derivation::aggregate(&operands, purpose),
        }
    };
    let mut d = result.map_err(|m| mix_error(&m, operation))?;
    if matches!(d.derivation, Derivation::Numeric | Derivation::Ignorable) {
        // a NULL that has a set keeps it
        if d.derivation == Derivation::Numeric || d.collation.charset.is_binary() {
            d.collation = ctx.collation;
        }
        d.derivation = Derivation::Coercible;
    }
    for e in args.iter_mut() {
        if e.ty.class() == Class::Bytes && d.collation.id != 63 {
            let mut to = e.ty.clone();
            let chars = u64::from(e.ty.char_length());
            let fresh = FieldType::string(chars, d.collation, e.ty.derivation);
            to.collation = fresh.collation;
            to.length = fresh.length;
            to.kind = fresh.kind;
            coerce(e, to, ctx)?;
        }
    }
    Ok(d)
}

/// The texts of what is computed from constants alone, where the operands are of several character sets: whether they fit
/// another one is told by the text.
fn constants_of(args: &[Expr], ctx: &mut EvalContext) -> Vec<Option<Vec<u8>>> {
    let none = || args.iter().map(|_| None).collect();
    let mut sets = args.iter().filter(|e| e.ty.is_string()).map(|e| e.ty.collation.charset.name);
    let Some(first) = sets.next() else { return none() };
    if sets.all(|name| name == first) {
        return none();
    }
    let mut text = |e: &Expr| {
        let known = matches!(e.node, Node::Literal(_) | Node::Param(_));
        if known || !e.ty.is_string() || e.ty.length > LONGEST_CONSTANT || !e.is_constant() {
            return None;
        }
        match ctx.value_while_bound(e) {
            Some(crate::types::Value::Bytes(b)) => Some(b),
            _ => None,
        }
    };
    args.iter().map(&mut text).collect()
}

/// Bytes that a constant may have at most whose text is looked at.
const LONGEST_CONSTANT: u32 = 1 << 16;

/// NULLs that have character sets (`''` under EMPTY_STRING_IS_NULL) and nothing beside them: a set of Unicode, or there must be one set.
fn of_nulls(operands: &[Operand<'_>]) -> Option<Result<Derived, derivation::Mix>> {
    let sets = || operands.iter().map(|o| o.derived).filter(|d| !d.collation.charset.is_binary());
    let first = sets().next()?;
    if operands.iter().any(|o| o.derived.derivation != Derivation::Ignorable) {
        return None;
    }
    if sets().all(|d| d.collation.charset == first.collation.charset) {
        return Some(Ok(first));
    }
    if let Some(d) = sets().find(|d| d.collation.charset.is_unicode()) {
        return Some(Ok(d));
    }
    let names = operands.iter().map(|o| (o.derived.collation.name, o.derived.derivation)).collect();
    let code = if operands.len() > 2 { 1270 } else { 1267 };
    Some(Err(derivation::Mix::Collations { code, operands: names }))
}

fn mix_error(m: &derivation::Mix, operation: &str) -> SqlError {
    // functions in small letters, however they were written
    let operation = if operation == "UNION" { operation.into() } else { operation.to_ascii_lowercase() };
    match m {
        derivation::Mix::Collations { code, operands } => match operands.as_slice() {
            [a, b] => SqlError::new(*code, &[&a.0, &a.1.name(), &b.0, &b.1.name(), &operation]),
            [a, b, c] => {
                SqlError::new(*code, &[&a.0, &a.1.name(), &b.0, &b.1.name(), &c.0, &c.1.name(), &operation])
            }
            _ => SqlError::new(codes::ER_CANT_AGGREGATE_NCOLLATIONS, &[&operation]),
        },
        derivation::Mix::Invalid { charset, bytes } => {
            let bad: String = bytes.iter().take(6).map(|b| format!("{b:02X}")).collect();
            SqlError::new(codes::ER_INVALID_CHARACTER_STRING, &[charset, &bad])
        }
    }
}

/// Digits before the point.
fn int_digits(t: &FieldType) -> u8 {
    t.precision().saturating_sub(if t.kind == Kind::Decimal { t.decimals.min(38) } else { 0 })
}

/// Digits an integer or decimal may have before the point, and after it.
pub fn digits(t: &FieldType) -> (u8, u8) {
    match t.class() {
        Class::Decimal => (int_digits(t), t.decimals.min(38)),
        Class::Date => (8, 0),
        Class::Time => (7, t.decimals.min(6)),
        Class::DateTime => (14, t.decimals.min(6)),
        Class::Bytes if t.hex => (digits_of_bytes(t.length), 0),
        _ => (int_digits(t), 0),
    }
}

/// Digits of the largest number in so many bytes.
#[must_use]
pub fn digits_of_bytes(bytes: u32) -> u8 {
    u64::MAX.checked_shr(64 - 8 * bytes.clamp(1, 8)).unwrap_or(u64::MAX).ilog10() as u8 + 1
}

/// As [`digits`] of what the expression may give: a column's width tells how it is shown, a literal's and a word
/// list's how many digits there are.
pub fn digits_of(e: &Expr) -> (u8, u8) {
    let t = &e.ty;
    match (&e.node, t.kind) {
        (_, Kind::Enum | Kind::Set) => (t.char_length().clamp(1, 65) as u8, 0),
        (Node::Literal(Value::Int(v)), _) if t.class().is_integer() => {
            (t.length.saturating_sub(u32::from(*v < 0)).clamp(1, 65) as u8, 0)
        }
        (Node::Column(_) | Node::Outer(_), _) => digits(&natural_width(t)),
        _ => digits(t),
    }
}

/// The common type of numbers where integers among them stand in the statement: these have all their digits, and a sign beside.
pub fn widened(t: FieldType, list: &[Expr]) -> FieldType {
    let written = |e: &&Expr| {
        matches!(e.node, Node::Literal(Value::Int(_))) && e.ty.class().is_integer() && !e.ty.unsigned
    };
    let digits = list.iter().filter(written).map(|e| digits_of(e).0).max().unwrap_or(0);
    let precision = digits.saturating_add(t.decimals).min(65);
    if t.class() != Class::Decimal || t.decimals > 38 || precision <= t.precision() {
        return t;
    }
    FieldType::decimal(precision, t.decimals).with_nullable(t.nullable)
}

/// An ENUM or SET as the number it is stored as.
pub fn number_of_words(e: &mut Expr) {
    if matches!(e.ty.kind, Kind::Enum | Kind::Set) && e.ty.class() == Class::UInt {
        let length = e.ty.char_length();
        e.ty = FieldType { length, ..FieldType::bigint(true) }.with_nullable(e.ty.nullable);
    }
}

/// Whether these are hexadecimal and bit literals, or values that are nothing else: they are numbers where one is asked for.
#[must_use]
pub fn are_hex(values: &[Expr]) -> bool {
    let hex = |e: &Expr| e.ty.hex && e.ty.is_string();
    values.iter().any(hex) && values.iter().all(|e| hex(e) || e.ty.kind == Kind::Null)
}

/// The type of CASE, IF, COALESCE, UNION: one that holds the values of all. Text needs its
/// collation from [`common_collation`] afterwards.
#[must_use]
pub fn merge_types(list: &[&FieldType], connection: &'static Collation) -> FieldType {
    let nullable = list.iter().any(|t| t.nullable);
    let real: Vec<&FieldType> = list.iter().copied().filter(|t| t.kind != Kind::Null).collect();
    let Some(first) = real.first() else { return FieldType::null() };
    if real.len() == 1 || real.iter().all(|t| t.kind == first.kind && t.unsigned == first.unsigned) {
        let same = real.iter().all(|t| match first.kind {
            Kind::Decimal => t.decimals == first.decimals,
            Kind::Enum | Kind::Set => real.len() == 1,
            _ => true,
        });
        if same && !matches!(first.kind, Kind::Enum | Kind::Set) {
            let mut t = (*first).clone();
            t.length = real.iter().map(|t| t.length).max().unwrap_or(0);
            t.decimals = real.iter().map(|t| t.decimals).max().unwrap_or(0);
            t.zeros = if t.kind == Kind::Year { t.length as u8 } else { 0 };
            t = t.fixed();
            t.nullable = nullable;
            t.zerofill = false;
            t.unsigned &= !t.is_temporal();
            t.ascii = real.iter().all(|t| t.ascii);
            // a computed BIT is a number where a date is asked for
            t.hex = t.kind == Kind::Bit;
            t.boolean = real.iter().all(|t| t.boolean);
            t.json = real.iter().all(|t| t.json);
            t.digits = t.kind == Kind::Bit;
            if t.is_string() {
                let chars = real.iter().map(|t| t.char_length()).max().unwrap_or(0);
                t.length = chars.saturating_mul(u32::from(t.collation.charset.mbmaxlen));
            }
            return t;
        }
    }
    let text = |t: &FieldType| t.is_string() || t.kind == Kind::Bit && real.iter().any(|t| t.is_string());
    if real.iter().any(|t| text(t)) {
        let chars =
            real.iter().map(|t| if t.is_string() { t.char_length() } else { t.length }).max().unwrap_or(0);
        let collation = real.iter().find(|t| t.is_string()).map_or(connection, |t| t.collation);
        let mut t =
            FieldType::string(u64::from(chars), collation, Derivation::Implicit).with_nullable(nullable);
        t.ascii = real.iter().all(|t| t.ascii);
        return t;
    }
    if real.iter().all(|t| t.is_temporal()) {
        let dec = real.iter().map(|t| t.decimals.min(6)).max().unwrap_or(0);
        let kinds = |k: Kind| real.iter().all(|t| t.kind == k);
        let t = if kinds(Kind::Time) {
            FieldType::time(dec)
        } else if kinds(Kind::Date) {
            FieldType::date()
        } else {
            FieldType::datetime(dec)
        };
        return t.with_nullable(nullable);
    }
    if real.iter().any(|t| t.is_temporal()) {
        let chars = real.iter().map(|t| t.length).max().unwrap_or(0);
        let mut t =
            FieldType::string(u64::from(chars), connection, Derivation::Coercible).with_nullable(nullable);
        t.ascii = true;
        return t;
    }
    let without_bits = |t: &FieldType| {
        if t.kind != Kind::Bit {
            return t.clone();
        }
        let kind = if t.length < 32 { Kind::Long } else { Kind::LongLong };
        FieldType { unsigned: true, ..FieldType::new(kind, t.length, 0) }
    };
    let merged = real[1..].iter().fold(without_bits(first), |t, n| merge_numbers(&t, &without_bits(n)));
    merged.with_nullable(nullable)
}

/// The type of values among which NULL stands, of IF alone not: it counts as a signed number, and a signed number beside an
/// unsigned one makes a decimal.
#[must_use]
pub fn beside_null(t: FieldType) -> FieldType {
    if !t.unsigned || t.kind == Kind::Year {
        return t;
    }
    let (whole, scale) = digits(&natural_width(&t));
    match t.kind {
        Kind::Float | Kind::Double => FieldType { unsigned: false, ..t },
        k if k == Kind::Decimal || k.integer_digits().is_some() => {
            FieldType::decimal(whole.saturating_add(scale).min(65), scale).with_nullable(t.nullable)
        }
        _ => t,
    }
}

/// Digits that an integer's type holds; the width it is shown in may be less.
pub fn natural_width(t: &FieldType) -> FieldType {
    let zeros = if t.kind == Kind::Year { t.length as u8 } else { 0 };
    let mut out = FieldType { zerofill: false, zeros, ..t.clone() };
    if t.zerofill && t.kind.integer_digits().is_some() {
        out.length = t.natural_length();
    }
    out
}

/// The type that holds numbers of both types.
pub fn merge_numbers(a: &FieldType, b: &FieldType) -> FieldType {
    let (a, b) = (&natural_width(a), &natural_width(b));
    if a.kind == b.kind && a.unsigned == b.unsigned && a.kind != Kind::Decimal {
        let mut t = if a.length >= b.length { a.clone() } else { b.clone() };
        t.boolean = a.boolean && b.boolean;
        if matches!(t.kind, Kind::Float | Kind::Double) {
            spread(a, b, &mut t);
        }
        return t;
    }
    if [a, b].iter().any(|t| t.class() == Class::Double) {
        let small = |t: &FieldType| {
            matches!(t.kind, Kind::Float | Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Year)
        };
        let mut t = if small(a) && small(b) {
            FieldType::new(Kind::Float, 12, NOT_FIXED_DEC)
        } else {
            FieldType::double()
        };
        spread(a, b, &mut t);
        return t;
    }
    let (da, db) = (digits(a), digits(b));
    let (int, scale) = (da.0.max(db.0), da.1.max(db.1));
    let unsigned = a.unsigned && b.unsigned;
    if a.class() == Class::Decimal || b.class() == Class::Decimal || a.unsigned != b.unsigned {
        let mut t = FieldType::decimal(int.saturating_add(scale).min(65), scale);
        if unsigned {
            t.unsigned = true;
            t.length -= 1;
        }
        return t;
    }
    let rank = |k: Kind| match k {
        Kind::Tiny => 1,
        Kind::Year | Kind::Short => 2,
        Kind::Int24 => 3,
        Kind::Long => 4,
        _ => 5,
    };
    let mut kind = if rank(a.kind) >= rank(b.kind) { a.kind } else { b.kind };
    if kind == Kind::Year {
        kind = if a.kind == Kind::Tiny || b.kind == Kind::Tiny { Kind::Tiny } else { Kind::Short };
    }
    let mut t = FieldType::new(kind, a.length.max(b.length), 0);
    t.unsigned = unsigned;
    t
}

/// Sets length and digits of a FLOAT or DOUBLE so that both fit.
fn spread(a: &FieldType, b: &FieldType, t: &mut FieldType) {
    let digits =
        |t: &FieldType| if t.class() == Class::Double || t.kind == Kind::Decimal { t.decimals } else { 0 };
    let (da, db) = (digits(a), digits(b));
    if da >= NOT_FIXED_DEC || db >= NOT_FIXED_DEC {
        t.decimals = NOT_FIXED_DEC;
        t.length = a.length.max(b.length);
        return;
    }
    let whole = |t: &FieldType, d: u8| t.length.saturating_sub(u32::from(d));
    t.decimals = da.max(db);
    t.length = whole(a, da).max(whole(b, db)) + u32::from(t.decimals);
}

/// A decimal that keeps all digits.
pub fn wide_decimal() -> FieldType {
    let mut t = FieldType::decimal(65, 38);
    t.decimals = NOT_FIXED_DEC;
    t
}

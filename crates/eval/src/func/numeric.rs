//! Numeric functions.

use super::pure;
use super::{Arguments, Call, Definition, Purity, Resolve, Stops, number_class};
use crate::error::{ER_DATA_OUT_OF_RANGE, SqlError, SqlResult};
use crate::result::NOT_FIXED_DEC;
use crate::types::decimal::{Decimal, Rounding};
use crate::types::{Class, FieldType, Kind, ValueRef, convert, number};

pub(super) const LIST: &[Definition] = &[
    pure("abs", 1, 1, abs_type, abs),
    pure("sign", 1, 1, sign_type, sign),
    pure("ceiling", 1, 1, int_value_type, |c| whole(c, Rounding::Ceiling)),
    pure("floor", 1, 1, int_value_type, |c| whole(c, Rounding::Floor)),
    pure("round", 1, 2, round_type, |c| round(c, false)).stopping(Stops::FirstReal),
    pure("truncate", 2, 2, round_type, |c| round(c, true)).stopping(Stops::FirstReal),
    pure("mod", 2, 2, mod_type, modulo),
    pure("pow", 2, 2, nullable_double, |c| two(c, f64::powf)),
    pure("sqrt", 1, 1, nullable_double, |c| one(c, |x| if x < 0.0 { None } else { Some(x.sqrt()) })),
    pure("exp", 1, 1, nullable_double, |c| one(c, |x| Some(x.exp()))),
    pure("ln", 1, 1, nullable_double, |c| log_of(c, f64::ln)),
    pure("log", 1, 2, nullable_double, log).stopping(Stops::Each),
    pure("log2", 1, 1, nullable_double, |c| log_of(c, |x| x.ln() / std::f64::consts::LN_2)),
    pure("log10", 1, 1, nullable_double, |c| log_of(c, f64::log10)),
    pure("sin", 1, 1, nullable_double, |c| one(c, |x| Some(x.sin()))),
    pure("cos", 1, 1, nullable_double, |c| one(c, |x| Some(x.cos()))),
    pure("tan", 1, 1, nullable_double, |c| one(c, |x| Some(x.tan()))),
    pure("cot", 1, 1, nullable_double, |c| one(c, |x| Some(1.0 / x.tan()))),
    pure("asin", 1, 1, nullable_double, |c| one(c, |x| if x.abs() > 1.0 { None } else { Some(x.asin()) })),
    pure("acos", 1, 1, nullable_double, |c| one(c, |x| if x.abs() > 1.0 { None } else { Some(x.acos()) })),
    pure("atan", 1, 2, nullable_double, atan).stopping(Stops::Each),
    pure("atan2", 1, 2, nullable_double, atan).stopping(Stops::Each),
    pure("degrees", 1, 1, doubles, |c| one(c, |x| Some(x * (180.0 / std::f64::consts::PI)))),
    pure("radians", 1, 1, doubles, |c| one(c, |x| Some(x * (std::f64::consts::PI / 180.0)))),
    pure("pi", 0, 0, pi_type, |c| c.put_double(std::f64::consts::PI)),
    Definition {
        name: "rand",
        min: 0,
        max: 1,
        purity: Purity::Volatile,
        resolve: rand_type,
        eval: rand,
        arguments: Arguments::All,
        stops: Stops::Never,
    },
    pure("bit_count", 1, 1, bit_count_type, bit_count),
    pure("crc32", 1, 2, crc_type, crc32).stopping(Stops::Each),
    pure("crc32c", 1, 2, crc_type, crc32c),
    pure(
        "full_year",
        2,
        3,
        |r| Ok(FieldType::bigint(false).with_nullable(r.args[0].ty.nullable)),
        |c| {
            let v = c.value(0);
            if v.is_null() {
                return c.null();
            }
            let width = c.int(1).unwrap_or(4) as u32;
            let ty = c.ty(0).clone();
            if let (3, ValueRef::Bytes(b)) = (c.len(), v)
                && Decimal::parse(&convert::ascii(b, &ty)).used == 0
            {
                convert::to_f64(v, &ty, c.ctx);
                return c.put_int(0);
            }
            let mark = c.ctx.warnings.mark();
            let year = crate::func::years::year_of(v, &ty, width, c.ctx);
            if c.len() == 3 && c.ctx.warnings.mark() != mark {
                c.ctx.warnings.rollback_to(mark);
                convert::to_f64(v, &ty, c.ctx);
            }
            c.put_int(year)
        },
    ),
    pure("bit_operand", 1, 1, bit_operand_type, bit_operand),
    pure("cast_as_signed", 1, 1, int_any, |c| cast_int(c, false)),
    pure("cast_as_unsigned", 1, 1, int_any, |c| cast_int(c, true)),
    pure("cast_as_decimal", 1, 1, decimal_any, cast_decimal),
    // the second argument is the column's heading, for the note
    pure("cast_as_double", 1, 2, double_any, cast_double),
    pure("cast_as_float", 1, 2, double_any, cast_double),
];

fn doubles(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    for i in 0..r.len() {
        r.double(i)?;
    }
    Ok(r.double_result())
}

fn nullable_double(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(doubles(r)?.with_nullable(true))
}

fn one(c: &mut Call<'_, '_>, f: fn(f64) -> Option<f64>) -> SqlResult<()> {
    match c.double(0).and_then(f) {
        Some(v) => c.put_double(v),
        None => c.null(),
    }
}

fn two(c: &mut Call<'_, '_>, f: fn(f64, f64) -> f64) -> SqlResult<()> {
    match (c.double(0), c.double(1)) {
        (Some(a), Some(b)) => {
            let v = f(a, b);
            if v.is_nan() { Err(c.double_overflow()) } else { c.put_double(v) }
        }
        _ => c.null(),
    }
}

fn log_of(c: &mut Call<'_, '_>, f: fn(f64) -> f64) -> SqlResult<()> {
    match c.double(0) {
        None => c.null(),
        Some(x) if x <= 0.0 => {
            crate::expr::division_by_zero(c.ctx)?;
            c.null()
        }
        Some(x) => c.put_double(f(x)),
    }
}

fn log(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.len() == 1 {
        return log_of(c, f64::ln);
    }
    let (Some(base), Some(x)) = (c.double(0), c.double(1)) else { return c.null() };
    if base <= 0.0 || x <= 0.0 || base == 1.0 {
        crate::expr::division_by_zero(c.ctx)?;
        return c.null();
    }
    c.put_double(x.ln() / base.ln())
}

fn atan(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.len() == 2 { two(c, f64::atan2) } else { one(c, |x| Some(x.atan())) }
}

fn pi_type(_: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let mut t = FieldType::double().with_nullable(false);
    t.decimals = 6;
    t.length = 8;
    Ok(t)
}

/// The argument's own class: integers, decimals, else doubles.
fn keep_class(r: &mut Resolve<'_>) -> SqlResult<Class> {
    let class = match r.args[0].ty.kind {
        Kind::Enum | Kind::Set => Class::UInt,
        _ => number_class(&r.args[0].ty),
    };
    crate::expr::typing::number_of_words(&mut r.args[0]);
    match class {
        Class::Int | Class::UInt => {
            if !r.args[0].ty.class().is_integer() {
                let unsigned = class == Class::UInt;
                r.convert(0, FieldType::bigint(unsigned))?;
            }
        }
        Class::Decimal => {
            let (int, scale) = crate::expr::typing::digits(&r.args[0].ty);
            let mut t = FieldType::decimal(int.saturating_add(scale).min(65), scale);
            t.decimals = NOT_FIXED_DEC;
            r.convert(0, t)?;
        }
        _ => r.double(0)?,
    }
    Ok(if class == Class::Null { Class::Double } else { class })
}

fn abs_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let source = r.args[0].ty.clone();
    let nullable = r.nullable();
    let class = keep_class(r)?;
    let mut t = match class {
        Class::Int | Class::UInt => {
            let mut t = FieldType::int(source.length.max(1));
            t.unsigned = source.unsigned || source.hex;
            t
        }
        Class::Decimal => {
            let (int, scale) = crate::expr::typing::digits(&source);
            let mut t = FieldType::decimal(int.saturating_add(scale).min(65), scale);
            t.unsigned = source.unsigned;
            t
        }
        _ => double_like(&source),
    };
    t.nullable = nullable;
    Ok(t)
}

fn double_like(source: &FieldType) -> FieldType {
    let mut t = FieldType::double();
    if source.is_number() && source.decimals < 31 {
        t.decimals = source.decimals;
        t.length = source.length;
    }
    t
}

fn abs(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match c.value(0) {
        ValueRef::Int(v) => match v.checked_abs() {
            Some(v) => c.put_int(v),
            None => {
                let text = "abs(-9223372036854775808)";
                Err(SqlError::new(ER_DATA_OUT_OF_RANGE, &[&"BIGINT", &text]))
            }
        },
        ValueRef::UInt(v) => c.put_int(v as i64),
        ValueRef::Double(v) => c.put_double(v.abs()),
        ValueRef::Decimal(d) => {
            let d = d.abs();
            c.out.push_decimal(&d);
            Ok(())
        }
        _ => c.null(),
    }
}

fn sign_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    keep_class(r)?;
    Ok(r.int_of(2))
}

fn sign(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = match c.value(0) {
        ValueRef::Int(v) => v.signum(),
        ValueRef::UInt(v) => i64::from(v > 0),
        ValueRef::Double(v) => {
            if v > 0.0 {
                1
            } else {
                -i64::from(v < 0.0)
            }
        }
        ValueRef::Decimal(d) => {
            if d.is_zero() {
                0
            } else if d.is_negative() {
                -1
            } else {
                1
            }
        }
        _ => return c.null(),
    };
    c.put_int(v)
}

fn int_value_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let source = r.args[0].ty.clone();
    let nullable = r.nullable();
    if matches!(source.class(), Class::Time | Class::DateTime) {
        let t = if source.class() == Class::Time { FieldType::time(0) } else { FieldType::datetime(0) };
        return Ok(t.with_nullable(true));
    }
    let t = match keep_class(r)? {
        Class::Int | Class::UInt => same_integer(&source),
        Class::Decimal => {
            let (int, scale) = crate::expr::typing::digits(&source);
            // One more digit for the carry.
            let int = int.saturating_add(u8::from(scale > 0));
            if int <= 18 {
                let kind = if int < 10 { Kind::Long } else { Kind::LongLong };
                let mut t = FieldType::new(kind, u32::from(int) + u32::from(!source.unsigned), 0);
                t.unsigned = source.unsigned;
                t
            } else {
                FieldType::decimal(int.min(65), 0)
            }
        }
        _ => {
            let mut t = FieldType::double();
            t.decimals = 0;
            t.length = 17;
            t
        }
    };
    Ok(t.with_nullable(nullable))
}

/// The type of an integer that keeps its digits.
fn same_integer(source: &FieldType) -> FieldType {
    let unsigned = |t: FieldType| FieldType { unsigned: true, ..t };
    match source.kind {
        Kind::Bit => {
            // as many digits as the largest value of so many bits has
            let most = u64::MAX >> (64 - source.length.clamp(1, 64));
            let kind = if source.length > 32 { Kind::LongLong } else { Kind::Long };
            return unsigned(FieldType::new(kind, most.ilog10() + 1, 0));
        }
        Kind::Enum | Kind::Set => return unsigned(FieldType::int(5)),
        Kind::Year => return unsigned(FieldType::int(source.length)),
        Kind::Date => return unsigned(FieldType::int(8)),
        _ => {}
    }
    let mut t = crate::expr::typing::natural_width(source);
    if !source.is_number() || source.hex {
        t = FieldType::int(source.char_length().max(1));
    }
    t.length = t.length.max(1);
    t.unsigned = source.unsigned;
    t.zerofill = false;
    t
}

/// A time or date with time brought to `digits` digits of the second's fraction.
fn round_temporal(c: &mut Call<'_, '_>, digits: u8, mode: Rounding) -> SqlResult<()> {
    use crate::types::temporal::{MICRO_UNIT, Time, calendar};
    let unit = i64::from(MICRO_UNIT[usize::from(digits.min(6))]);
    let to_unit = |v: i64| -> i64 {
        let down = v.div_euclid(unit) * unit;
        let rest = v - down;
        match mode {
            _ if rest == 0 => v,
            Rounding::Floor => down,
            Rounding::Ceiling => down + unit,
            Rounding::Truncate => v / unit * unit,
            Rounding::HalfUp => {
                let up = if v < 0 { rest * 2 > unit } else { rest * 2 >= unit };
                if up { down + unit } else { down }
            }
        }
    };
    match c.value(0) {
        ValueRef::Time(t) => {
            let limit = Time::limit(false, 6).to_micros();
            let (t, _) = Time::from_micros(to_unit(t.to_micros()).clamp(-limit, limit));
            c.out.push_i64(t.truncated(digits).packed());
            Ok(())
        }
        ValueRef::Date(d) | ValueRef::DateTime(d) => {
            let of_day = d.time().to_micros();
            let moved = to_unit(of_day) - of_day;
            if moved <= 0 {
                let mut v = d;
                v.micros = (i64::from(d.micros) + moved).max(0) as u32;
                c.out.push_i64(v.packed());
                return Ok(());
            }
            if d.month == 0 || d.day == 0 {
                return c.null();
            }
            match calendar::add_micros(d, i128::from(moved)) {
                Some(v) => {
                    c.out.push_i64(v.packed());
                    Ok(())
                }
                None => c.null(),
            }
        }
        _ => c.null(),
    }
}

fn whole(c: &mut Call<'_, '_>, mode: Rounding) -> SqlResult<()> {
    if c.expr.ty.is_temporal() {
        return round_temporal(c, 0, mode);
    }
    match c.value(0) {
        ValueRef::Int(v) => c.put_int(v),
        ValueRef::UInt(v) => c.put_int(v as i64),
        ValueRef::Double(v) => c.put_double(if mode == Rounding::Floor { v.floor() } else { v.ceil() }),
        ValueRef::Decimal(d) => {
            let (d, _) = d.round(0, mode);
            if c.expr.ty.class() == Class::Decimal {
                c.out.push_decimal(&d);
                Ok(())
            } else {
                c.put_int(d.trunc_i128() as i64)
            }
        }
        _ => c.null(),
    }
}

fn round_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let source = r.args[0].ty.clone();
    let mut nullable = r.nullable();
    if r.len() == 2 {
        r.int(1)?;
        nullable |= r.args[1].ty.nullable;
    }
    // A constant number of digits fixes the type.
    let places: Option<i64> = match r.args.get(1) {
        None => Some(0),
        Some(_) => r.int_now(1),
    };
    let truncate = r.name.eq_ignore_ascii_case("truncate");
    if matches!(source.class(), Class::Time | Class::DateTime) {
        let dec = places.unwrap_or(i64::from(source.decimals)).clamp(0, 6) as u8;
        let t = if source.class() == Class::Time { FieldType::time(dec) } else { FieldType::datetime(dec) };
        return Ok(t.with_nullable(true));
    }
    // what may be an integer of 64 bits, before it is made a number
    let digits = match source.kind {
        _ if source.hex => crate::expr::typing::digits_of_bytes(source.length),
        Kind::Bit => crate::expr::typing::digits_of_bytes(source.length.div_ceil(8)),
        _ => crate::expr::typing::digits_of(&r.args[0]).0,
    };
    let t = match keep_class(r)? {
        Class::Int | Class::UInt => {
            let rounds_up = places.is_none_or(|p| p < 0) && !truncate;
            integer_round_type(r, &source, digits, rounds_up)?
        }
        Class::Decimal => {
            let (int, scale) = crate::expr::typing::digits(&source);
            match places {
                None => FieldType::decimal(int.saturating_add(scale).min(65), scale),
                Some(p) => {
                    let s = p.clamp(0, 38) as u8;
                    let carry = u8::from(s < scale && !truncate);
                    let mut t = FieldType::decimal(int.saturating_add(s).saturating_add(carry).min(65), s);
                    t.unsigned = source.unsigned;
                    if t.unsigned {
                        t.length -= 1;
                    }
                    t
                }
            }
        }
        _ => {
            let mut t = FieldType::double();
            match places {
                Some(p)
                    if source.class() == Class::Double || source.is_string() || source.kind == Kind::Null =>
                {
                    let p = p.max(0);
                    if p < 31 {
                        t.decimals = p as u8;
                        t.length = 17 + p as u32;
                    }
                }
                // as many as FLOAT(M,D) has, where nobody knows
                None if source.is_fixed_double() => {
                    t.decimals = source.decimals;
                    t.length = 17 + u32::from(source.decimals);
                }
                _ => {}
            }
            t
        }
    };
    Ok(t.with_nullable(nullable))
}

/// ROUND and TRUNCATE of integers of so many digits.
fn integer_round_type(
    r: &mut Resolve<'_>,
    source: &FieldType,
    digits: u8,
    rounds_up: bool,
) -> SqlResult<FieldType> {
    Ok(if rounds_up && digits >= 19 {
        // what is rounded up may be too large for an integer
        let mut t = FieldType::decimal(digits + 1, 0);
        t.decimals = NOT_FIXED_DEC;
        r.convert(0, t.clone())?;
        t.decimals = 0;
        t.unsigned = source.unsigned;
        t.length -= u32::from(t.unsigned);
        t
    } else if matches!(source.kind, Kind::Bit | Kind::Enum | Kind::Set) {
        same_integer(source)
    } else if rounds_up {
        let width = if source.hex || source.kind == Kind::Bit {
            u32::from(digits)
        } else {
            source.char_length().max(1)
        };
        let mut t = FieldType::int(width + 1);
        t.unsigned = source.unsigned || source.hex || source.kind == Kind::Bit;
        t
    } else if source.hex || source.kind == Kind::Bit {
        FieldType { unsigned: true, ..FieldType::int(u32::from(digits)) }
    } else {
        same_integer(source)
    })
}

fn round(c: &mut Call<'_, '_>, truncate: bool) -> SqlResult<()> {
    let places = match c.len() {
        1 => 0,
        _ => match c.int(1) {
            Some(p) => p,
            None => return c.null(),
        },
    };
    if c.expr.ty.is_temporal() {
        let mode = if truncate { Rounding::Truncate } else { Rounding::HalfUp };
        return round_temporal(c, places.clamp(0, 6) as u8, mode);
    }
    match c.value(0) {
        ValueRef::Int(v) => {
            let v = round_int(i128::from(v), places, truncate);
            c.put_int(v.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
        }
        ValueRef::UInt(v) => {
            let v = round_int(i128::from(v), places, truncate);
            c.put_int(v.clamp(0, i128::from(u64::MAX)) as u64 as i64)
        }
        ValueRef::Double(v) => c.put_double(number::round_double(v, places, truncate)),
        ValueRef::Decimal(d) => {
            let scale = places.clamp(-90, i64::from(c.expr.ty.decimals)) as i32;
            let mode = if truncate { Rounding::Truncate } else { Rounding::HalfUp };
            let (d, _) = d.round(scale, mode);
            let (d, _) = d.round(i32::from(c.expr.ty.decimals), Rounding::HalfUp);
            c.out.push_decimal(&d);
            Ok(())
        }
        _ => c.null(),
    }
}

fn round_int(v: i128, places: i64, truncate: bool) -> i128 {
    if places >= 0 {
        return v;
    }
    if places < -20 {
        return 0;
    }
    let unit = 10i128.pow(places.unsigned_abs() as u32);
    let rest = v % unit;
    let down = v - rest;
    if !truncate && rest.abs() * 2 >= unit { down + unit * rest.signum() } else { down }
}

fn mod_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    doubles(r)
}

fn modulo(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match (c.double(0), c.double(1)) {
        (Some(a), Some(b)) if b != 0.0 => c.put_double(a % b),
        _ => c.null(),
    }
}

fn rand_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let nullable = r.nullable();
    if r.len() == 1 {
        r.int(0)?;
    }
    Ok(FieldType::double().with_nullable(nullable))
}

/// The generator's modulus.
const RAND_MAX: u64 = 0x3fff_ffff;

/// The next number of the generator of RAND().
fn next_random(seed: &mut (u32, u32)) -> f64 {
    let a = (u64::from(seed.0) * 3 + u64::from(seed.1)) % RAND_MAX;
    let b = (a + u64::from(seed.1) + 33) % RAND_MAX;
    *seed = (a as u32, b as u32);
    a as f64 / RAND_MAX as f64
}

/// The generator's state for a seed.
fn seeded(seed: i64) -> (u32, u32) {
    let s = seed as u32;
    let a = u64::from(s.wrapping_mul(0x10001).wrapping_add(55_555_555)) % RAND_MAX;
    let b = u64::from(s.wrapping_mul(0x1000_0001)) % RAND_MAX;
    (a as u32, b as u32)
}

fn rand(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.len() == 0 {
        let v = next_random(&mut c.ctx.rand);
        return c.put_double(v);
    }
    // A constant seed starts one sequence per statement; a column's value one per row.
    let seed = c.int(0).unwrap_or(0);
    let mut state = seeded(seed);
    if c.types[0].as_literal().is_some() || c.args[0].is_constant() {
        // Row n is the n-th number of the sequence.
        for _ in 0..c.row {
            next_random(&mut state);
        }
    }
    let v = next_random(&mut state);
    c.put_double(v)
}

fn bit_count_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    crate::func::wrapped::bit_operand(&mut r.args[0], r.ctx)?;
    Ok(r.int_of(2))
}

fn bit_count(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match c.value(0) {
        ValueRef::Int(v) => c.put_int(i64::from(v.count_ones())),
        ValueRef::UInt(v) => c.put_int(i64::from(v.count_ones())),
        _ => c.null(),
    }
}

fn crc_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let last = r.len() - 1;
    r.text(last)?;
    if last == 1 {
        r.int(0)?;
    }
    let nullable = r.nullable();
    let mut t = FieldType::new(Kind::Long, 10, 0).with_nullable(nullable);
    t.unsigned = true;
    Ok(t)
}

fn crc(c: &mut Call<'_, '_>, f: fn(u32, &[u8]) -> u32) -> SqlResult<()> {
    let last = c.len() - 1;
    let start = if last == 1 {
        match c.int(0) {
            Some(v) => v as u32,
            None => return c.null(),
        }
    } else {
        0
    };
    match c.bytes(last) {
        Some(b) => c.put_int(i64::from(f(start, b))),
        None => c.null(),
    }
}

fn crc32(c: &mut Call<'_, '_>) -> SqlResult<()> {
    crc(c, |start, b| {
        let mut h = crc32fast::Hasher::new_with_initial(start);
        h.update(b);
        h.finalize()
    })
}

fn crc32c(c: &mut Call<'_, '_>) -> SqlResult<()> {
    crc(c, crc32c::crc32c_append)
}

// ---- casts: the type of the result is set by the binder

fn int_any(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(FieldType::bigint(false).with_nullable(r.nullable()))
}

fn cast_int(c: &mut Call<'_, '_>, unsigned: bool) -> SqlResult<()> {
    use crate::types::convert;
    let v = c.value(0);
    if v.is_null() {
        return c.null();
    }
    let complement = |c: &mut Call<'_, '_>, to_unsigned: bool| {
        let text = if to_unsigned {
            "Cast to unsigned converted negative integer to it's positive complement"
        } else {
            "Cast to signed converted positive out-of-range integer to it's negative complement"
        };
        c.ctx.warnings.push_text(crate::warning::Level::Note, crate::error::ER_UNKNOWN_ERROR, text.into());
    };
    let ty = c.ty(0);
    match v {
        ValueRef::Time(t) if unsigned && t.negative => {
            if t.to_number() != 0 {
                let mut text = Vec::new();
                crate::types::temporal::format::write_time(t, if t.micros == 0 { 0 } else { 6 }, &mut text);
                let shown = String::from_utf8_lossy(&text).into_owned();
                c.ctx.warnings.note(crate::error::ER_DATA_OVERFLOW, &[&shown, &"UNSIGNED BIGINT"]);
            }
            c.put_int(0)
        }
        ValueRef::Int(x) => {
            if unsigned && x < 0 {
                complement(c, true);
            }
            c.put_int(x)
        }
        ValueRef::UInt(x) => c.put_int(x as i64),
        ValueRef::Bytes(_) if !ty.hex => {
            let mut text = Vec::new();
            convert::write_text(v, ty, &mut text);
            let i = convert::to_i64(v, ty, unsigned, c.ctx);
            let (r, negative) = number::read_integer(&text);
            if unsigned && negative && !r.overflow && r.value != 0 {
                complement(c, true);
            } else if !unsigned && !negative && r.value > i64::MAX as u64 {
                complement(c, false);
            }
            c.put_int(i)
        }
        ValueRef::Double(x) => {
            let (i, over) = number::double_to_int(x, unsigned);
            if over {
                let mut text = Vec::new();
                number::write_double(x, NOT_FIXED_DEC, &mut text);
                let text = String::from_utf8_lossy(&text).into_owned();
                let target = if unsigned { "UNSIGNED BIGINT" } else { "SIGNED BIGINT" };
                c.ctx.warnings.note(crate::error::ER_DATA_OVERFLOW, &[&text, &target]);
            }
            c.put_int(i)
        }
        ValueRef::Time(t) if unsigned && t.negative => {
            complement(c, true);
            c.put_int(t.to_number())
        }
        _ => {
            let i = convert::to_i64(v, ty, unsigned, c.ctx);
            c.put_int(i)
        }
    }
}

fn decimal_any(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(FieldType::decimal(10, 0).with_nullable(r.nullable()))
}

fn cast_decimal(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    if v.is_null() {
        return c.null();
    }
    let ty = c.ty(0);
    let d = crate::types::convert::to_decimal(v, ty, c.ctx);
    let to = &c.expr.ty;
    let (fitted, over) = d.fit(to.precision(), to.decimals);
    if over {
        let mut text = Vec::new();
        crate::types::convert::write_text(v, ty, &mut text);
        let shown = crate::types::convert::printable(&text, ty);
        let quoted = if matches!(v, ValueRef::Bytes(_)) { format!("'{shown}'") } else { shown };
        let what = format!("cast({quoted} as decimal({},{}))", to.precision(), to.decimals);
        let row = c.ctx.row.max(1);
        c.ctx.warnings.warn(crate::error::ER_WARN_DATA_OUT_OF_RANGE, &[&what, &row]);
    }
    c.out.push_decimal(&fitted);
    Ok(())
}

fn double_any(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(FieldType::double().with_nullable(r.nullable()))
}

fn cast_double(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    if v.is_null() {
        return c.null();
    }
    let ty = c.ty(0);
    let x = crate::types::convert::to_f64(v, ty, c.ctx);
    let (max, mut out) = match &c.expr.ty {
        t if t.kind == Kind::Float => (f64::from(f32::MAX), x),
        t if t.decimals < 31 => {
            let d = i32::from(t.decimals);
            let whole = number::power_of_ten((t.length as i32).saturating_sub(d).clamp(0, 300));
            (whole - number::power_of_ten(-d), number::round_stored(x, t.decimals))
        }
        _ => (f64::MAX, x),
    };
    if out.abs() > max {
        out = max.copysign(out);
        let name = if c.len() > 1 { c.bytes(1) } else { None };
        let name = name.map_or("(null)".into(), String::from_utf8_lossy);
        let row = c.ctx.row.max(1);
        c.ctx.warnings.note(crate::error::ER_WARN_DATA_OUT_OF_RANGE, &[&name, &row]);
    }
    if c.expr.ty.kind == Kind::Float {
        out = f64::from(out as f32);
    }
    if !out.is_finite() {
        return c.null();
    }
    c.out.push_f64(out);
    Ok(())
}

fn bit_operand_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(FieldType::bigint(true).with_nullable(r.nullable()))
}

/// A decimal as the 64 bits of a bit operator: rounded, negative numbers as two's complement.
fn bit_operand(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(d) = c.decimal(0) else { return c.null() };
    let v = d.to_i128();
    if v > i128::from(u64::MAX) || v < i128::from(i64::MIN) {
        let (target, v) = if v > 0 { ("UNSIGNED INT", u64::MAX) } else { ("INT", i64::MIN as u64) };
        c.ctx.warnings.warn(crate::error::ER_DATA_OVERFLOW, &[&d, &target]);
        return c.put_int(v as i64);
    }
    c.put_int(v as i64)
}

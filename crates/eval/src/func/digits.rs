//! Functions between text and digits or codes: HEX, CONV, CHAR, FORMAT and their kin.

use super::pure;
use super::string::{cs, small_int};
use super::{Call, Definition, Resolve, Stops};
use crate::error::SqlResult;
use crate::result::NOT_FIXED_DEC;
use crate::types::{Class, Derivation, FieldType, Kind, ValueRef, convert, number};

pub(super) const LIST: &[Definition] = &[
    pure("hex", 1, 1, hex_type, hex),
    pure("unhex", 1, 1, unhex_type, unhex),
    pure("bin", 1, 1, bin_type, |c| base_text(c, 2)),
    pure("oct", 1, 1, bin_type, |c| base_text(c, 8)),
    pure("conv", 3, 3, conv_type, conv),
    pure("ascii", 1, 1, small_int, |c| {
        let v = c.bytes(0).map(|b| i64::from(b.first().copied().unwrap_or(0)));
        c.put_opt_int(v)
    }),
    pure("ord", 1, 1, ord_type, ord),
    pure("char", 1, 255, char_type, char_),
    pure("chr", 1, 1, chr_type, char_),
    pure("format", 2, 3, format_type, format).stopping(Stops::Order(&[&[1], &[0]])),
];

fn hex_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let number = r.args[0].ty.is_number();
    let width = u64::from(r.args[0].ty.length);
    let chars = if number && r.args[0].ty.class() == Class::UInt && r.args[0].as_column().is_some() {
        crate::func::wrapped::bit_operand(&mut r.args[0], r.ctx)?;
        width * 2
    } else if number {
        let mark = r.ctx.warnings.mark();
        crate::func::wrapped::bit_operand(&mut r.args[0], r.ctx)?;
        r.ctx.warnings.rollback_to(mark);
        16
    } else {
        // of a date, the digits as they are
        if r.args[0].ty.is_temporal() {
            r.plain_text(0)?;
            return Ok(r.ascii_text(u64::from(r.args[0].ty.char_length()) * 2));
        } else if r.args[0].ty.is_address() {
            crate::func::wrapped::image(&mut r.args[0], r.ctx)?
        } else {
            r.text(0)?
        }
        u64::from(r.args[0].ty.length) * 2
    };
    Ok(r.ascii_text(chars))
}

fn hex(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match c.value(0) {
        ValueRef::Bytes(b) => {
            let ty = &c.expr.ty;
            let width = 2 * usize::from(ty.collation.charset.mbminlen);
            if c.exceeds(b.len().saturating_mul(width)) {
                return c.too_long();
            }
            c.out.push_bytes_with(|out| {
                if ty.collation.charset.mbminlen == 1 {
                    write_hex(b, out);
                } else {
                    let mut text = Vec::new();
                    write_hex(b, &mut text);
                    convert::ascii_to(&text, ty, out);
                }
                Ok(true)
            })
        }
        ValueRef::Int(v) => {
            let t = format!("{v:X}");
            c.put_ascii(t.as_bytes())
        }
        ValueRef::UInt(v) => {
            let t = format!("{v:X}");
            c.put_ascii(t.as_bytes())
        }
        _ => c.null(),
    }
}

pub(super) fn write_hex(b: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.reserve(b.len() * 2);
    for x in b {
        out.push(DIGITS[usize::from(x >> 4)]);
        out.push(DIGITS[usize::from(x & 15)]);
    }
}

fn unhex_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let n = r.args[0].ty.length;
    Ok(FieldType::string(u64::from(n.div_ceil(2)), charset::binary(), Derivation::Coercible)
        .with_nullable(true))
}

fn unhex(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    let digit = |d: u8| (d as char).to_digit(16).map(|d| d as u8);
    c.out.push_bytes_with(|out| {
        let mut rest = b;
        if b.len() % 2 == 1 {
            match digit(b[0]) {
                Some(d) => out.push(d),
                None => return Ok(false),
            }
            rest = &b[1..];
        }
        for pair in rest.chunks(2) {
            match (digit(pair[0]), digit(pair[1])) {
                (Some(h), Some(l)) => out.push(h << 4 | l),
                _ => return Ok(false),
            }
        }
        Ok(true)
    })
}

fn bin_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let words = matches!(r.args[0].ty.kind, crate::types::Kind::Enum | crate::types::Kind::Set);
    if words || !r.args[0].ty.class().is_integer() {
        r.plain_text(0)?;
    }
    Ok(r.ascii_text(65).with_nullable(true))
}

fn base_text(c: &mut Call<'_, '_>, base: u32) -> SqlResult<()> {
    let v = match c.value(0) {
        ValueRef::Int(v) => v as u64,
        ValueRef::UInt(v) => v,
        ValueRef::Bytes(b) if !b.is_empty() => read_in_base(b, 10, false),
        _ => return c.null(),
    };
    let t = if base == 2 { format!("{v:b}") } else { format!("{v:o}") };
    c.put_ascii(t.as_bytes())
}

fn conv_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    if r.args[0].ty.kind == crate::types::Kind::Bit {
        // a number, though it is shown as bytes
        r.convert(0, FieldType::bigint(false))?;
        r.args[1] = crate::expr::Expr::literal(crate::types::Value::Int(10), FieldType::int(2));
    }
    r.plain_text(0)?;
    r.int(1)?;
    r.int(2)?;
    Ok(r.ascii_text(65).with_nullable(true))
}

/// A number in digits of a base, up to the first that is none: negative ones as two's complement, what lies beyond as
/// the last one.
fn read_in_base(b: &[u8], base: u64, signed: bool) -> u64 {
    let text = b.trim_ascii_start();
    let (negative, digits) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let mut v = 0u64;
    let mut overflow = false;
    for d in digits {
        let d = match d {
            b'0'..=b'9' => u64::from(d - b'0'),
            b'A'..=b'Z' => u64::from(d - b'A') + 10,
            b'a'..=b'z' => u64::from(d - b'a') + 10,
            _ => break,
        };
        if d >= base {
            break;
        }
        match v.checked_mul(base).and_then(|v| v.checked_add(d)) {
            Some(n) => v = n,
            None => {
                overflow = true;
                break;
            }
        }
    }
    match (signed, negative) {
        (true, true) if overflow || v > 1 << 63 => 1 << 63,
        (true, false) if overflow || v > i64::MAX as u64 => i64::MAX as u64,
        _ if overflow => u64::MAX,
        (_, true) => v.wrapping_neg(),
        _ => v,
    }
}

fn conv(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(b), Some(from), Some(to)) = (c.bytes(0), c.int(1), c.int(2)) else { return c.null() };
    let base = from.unsigned_abs();
    let (signed_in, signed_out) = (from < 0, to < 0);
    let out_base = to.unsigned_abs();
    if !(2..=36).contains(&base) || !(2..=36).contains(&out_base) || b.is_empty() {
        return c.null();
    }
    let mut v = read_in_base(b, base, signed_in);
    let mut out = Vec::new();
    let mut minus = false;
    if signed_out && (v as i64) < 0 {
        minus = true;
        v = v.wrapping_neg();
    }
    loop {
        let d = (v % out_base) as u8;
        out.push(match d {
            0..=9 => b'0' + d,
            _ => b'A' + d - 10,
        });
        v /= out_base;
        if v == 0 {
            break;
        }
    }
    if minus {
        out.push(b'-');
    }
    out.reverse();
    c.put_ascii(&out)
}

fn ord_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(r.long_of(7))
}

fn ord(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    if b.is_empty() {
        return c.put_int(0);
    }
    let n = cs(c, 0).first_char(b).clamp(1, b.len());
    let v = b[..n].iter().fold(0i64, |v, x| v << 8 | i64::from(*x));
    c.put_int(v)
}

fn char_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    for i in 0..r.len() {
        r.int(i)?;
    }
    let n = r.len() as u64 * 4;
    Ok(FieldType::string(n, charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn chr_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    Ok(FieldType::string(4, r.ctx.collation, Derivation::Coercible).with_nullable(true))
}

fn char_(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let unit = usize::from(c.collation().charset.mbminlen).max(1);
    let mut out = Vec::new();
    for i in 0..c.len() {
        let v = match c.value(i) {
            ValueRef::Int(v) => v as u32,
            ValueRef::UInt(v) => v as u32,
            _ => continue,
        };
        let bytes = v.to_be_bytes();
        let skip = bytes.iter().take_while(|b| **b == 0).count().min(3);
        // each number is so many whole units
        let skip = skip / unit * unit;
        out.extend_from_slice(&bytes[skip..]);
    }
    let collation = c.collation();
    if collation.id != 63 {
        let good = collation.charset.well_formed_len(&out);
        if good < out.len() {
            let shown: String = out[good..].iter().take(6).map(|b| format!("{b:02X}")).collect();
            c.ctx
                .warnings
                .warn(crate::error::ER_INVALID_CHARACTER_STRING, &[&collation.charset.name, &shown]);
            if c.ctx.sql_mode.strict() {
                return c.null();
            }
            out.truncate(good);
        }
    }
    c.put_bytes(&out)
}

fn format_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let source = r.args[0].ty.clone();
    match super::number_class(&r.args[0].ty) {
        // written as it is
        Class::Decimal if source.class() == Class::Decimal => {}
        Class::Int | Class::UInt | Class::Decimal => {
            let mut t = FieldType::decimal(65, 38);
            t.decimals = crate::result::NOT_FIXED_DEC;
            r.convert(0, t)?;
        }
        _ => r.double(0)?,
    }
    r.int(1)?;
    if r.len() == 3 {
        r.plain_text(2)?;
        // a locale that is there once is told of once
        match r.args[2].as_literal() {
            Some(crate::types::Value::Bytes(name)) => {
                let name = name.clone();
                warn_unknown_locale(Some(&name), r.ctx);
            }
            Some(_) => warn_unknown_locale(None, r.ctx),
            None => {}
        }
    }
    let chars = match r.args[1].as_literal() {
        Some(crate::types::Value::Int(dec)) => {
            // the digits before the point, their separators, sign and point
            let whole = whole_digits(&source);
            whole + whole / 3 + 1 + (*dec).clamp(0, 38) as u64
        }
        _ => 100,
    };
    Ok(r.ascii_text(chars))
}

/// Most digits before the point that a value has, with the sign, and with the one that rounding may add.
fn whole_digits(t: &FieldType) -> u64 {
    let rounded = u64::from(t.decimals > 0);
    match t.class() {
        Class::Int | Class::Decimal => u64::from(t.char_length().saturating_sub(t.decimals.into())),
        Class::UInt if t.kind == Kind::Bit => {
            (u64::MAX >> (64 - t.length.clamp(1, 64))).to_string().len() as u64 + 1
        }
        Class::UInt if t.is_number() => u64::from(t.char_length()) + 1,
        Class::Date => 9,
        Class::Time => 8 + rounded,
        Class::DateTime => 15 + rounded,
        _ if t.kind == Kind::Float => 40 + u64::from(t.decimals >= NOT_FIXED_DEC),
        _ => 311,
    }
}

/// Warning 1649, unless there is a locale of this name.
fn warn_unknown_locale(name: Option<&[u8]>, ctx: &mut crate::expr::EvalContext) {
    let name = name.map_or("NULL".into(), String::from_utf8_lossy);
    if crate::variables::locale::canonical(&name).is_none() {
        ctx.warnings.warn(crate::error::ER_UNKNOWN_LOCALE, &[&name]);
    }
}

fn format(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.len() == 3 && c.types[2].as_literal().is_none() {
        warn_unknown_locale(c.bytes(2), c.ctx);
    }
    let Some(places) = c.short_int(1) else { return c.null() };
    let places = places.clamp(0, 38) as u8;
    let mut text = Vec::new();
    match c.value(0) {
        ValueRef::Decimal(d) => {
            let (d, _) = d.round(i32::from(places), crate::types::decimal::Rounding::HalfUp);
            d.write(&mut text);
        }
        ValueRef::Double(v) => {
            let v = number::round_double(v, i64::from(places), false);
            number::write_double(v, places.min(30), &mut text);
            text.resize(text.len() + usize::from(places.saturating_sub(30)), b'0');
        }
        _ => return c.null(),
    }
    let signs = super::locale::signs(c.bytes(2).unwrap_or(b"en_US"));
    let digits = text.strip_prefix(b"-").unwrap_or(&text);
    let (int, frac) = match digits.iter().position(|b| *b == b'.') {
        Some(p) => (&digits[..p], Some(&digits[p + 1..])),
        None => (digits, None),
    };
    let mut out = Vec::with_capacity(2 * text.len());
    out.extend_from_slice(&text[..text.len() - digits.len()]);
    let (first, others) = signs.groups;
    for (i, d) in int.iter().enumerate() {
        let left = int.len() - i;
        if i > 0 && others > 0 && left >= first && (left - first) % others == 0 {
            out.extend_from_slice(signs.separator.as_bytes());
        }
        out.push(*d);
    }
    if let Some(f) = frac {
        out.push(signs.point);
        out.extend_from_slice(f);
    }
    c.put_ascii(&out)
}

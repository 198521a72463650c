//! Stored bytes of columns into values, vectors and result sinks.

use super::context::ConversionContext;
use super::convert;
use super::decimal::Decimal;
use super::field::{FieldType, Kind};
use super::number;
use super::output;
use super::temporal::{DateTime, MICRO_UNIT, Time};
use super::value::{Class, Value, ValueRef};
use super::vector::Vector;
use crate::result::ResultSink;
use crate::variables::SqlMode;
use schema::definition::ColumnType;

/// Up to eight little-endian bytes.
#[inline]
fn le(b: &[u8]) -> u64 {
    let mut x = [0u8; 8];
    let n = b.len().min(8);
    x[..n].copy_from_slice(&b[..n]);
    u64::from_le_bytes(x)
}

/// Up to eight big-endian bytes.
#[inline]
fn be(b: &[u8]) -> u64 {
    b.iter().take(8).fold(0, |v, x| v << 8 | u64::from(*x))
}

/// A signed integer column's value.
#[inline]
#[must_use]
pub fn int(b: &[u8], ty: &FieldType) -> i64 {
    match ty.kind {
        Kind::Tiny => i64::from(le(b) as i8),
        Kind::Short => i64::from(le(b) as i16),
        Kind::Int24 => i64::from((le(b) << 8) as u32 as i32 >> 8),
        Kind::Long => i64::from(le(b) as i32),
        _ => le(b) as i64,
    }
}

/// An unsigned integer, YEAR, BIT, ENUM or SET column's value.
#[inline]
#[must_use]
pub fn uint(b: &[u8], ty: &FieldType) -> u64 {
    match ty.kind {
        Kind::Bit => be(b),
        // YEAR(2) counts years of the century
        Kind::Year if ty.length == 2 => (1900 + le(b)) % 100,
        Kind::Year => match le(b) {
            0 => 0,
            y => 1900 + y,
        },
        _ => le(b),
    }
}

/// A FLOAT or DOUBLE column's value.
#[inline]
#[must_use]
pub fn double(b: &[u8], ty: &FieldType) -> f64 {
    if ty.kind == Kind::Float { f64::from(f32::from_bits(le(b) as u32)) } else { f64::from_bits(le(b)) }
}

/// A DECIMAL column's value.
#[must_use]
pub fn decimal(b: &[u8], ty: &FieldType) -> Decimal {
    if ty.old_format { Decimal::parse(b).value } else { Decimal::from_binary(b, ty.precision(), ty.decimals) }
}

/// A DATE, DATETIME or TIMESTAMP column's value; TIMESTAMP in the session's zone.
#[must_use]
pub fn datetime(b: &[u8], ty: &FieldType, ctx: &ConversionContext) -> DateTime {
    let n = (ty.decimals as usize).min(6);
    match (ty.kind, ty.old_format) {
        (Kind::Date, false) => {
            let v = le(b);
            DateTime::date((v >> 9) as u16, (v >> 5 & 15) as u8, (v & 31) as u8)
        }
        (Kind::Date, true) => {
            let v = le(b);
            DateTime::date((v / 10_000) as u16, (v / 100 % 100) as u8, (v % 100) as u8)
        }
        (Kind::DateTime, false) if b.len() >= 5 => {
            let v = (be(&b[..5]) as i64 - 0x80_0000_0000).max(0);
            let mut d = DateTime::from_packed(v << 24);
            d.micros = fraction(&b[5..], ty.decimals);
            d
        }
        (Kind::Timestamp, false) if b.len() >= 4 => {
            local(be(&b[..4]) as i64, fraction(&b[4..], ty.decimals), ctx)
        }
        (Kind::Timestamp, true) if n == 0 => local(le(b) as i64, 0, ctx),
        (Kind::Timestamp, true) if b.len() >= 4 => {
            local(be(&b[..4]) as i64, (be(&b[4..]) as u32).wrapping_mul(MICRO_UNIT[n]), ctx)
        }
        (Kind::DateTime, true) if n == 0 => {
            let v = le(b);
            let (d, t) = (v / 1_000_000, v % 1_000_000);
            DateTime {
                year: (d / 10_000) as u16,
                month: (d / 100 % 100) as u8,
                day: (d % 100) as u8,
                hour: (t / 10_000) as u8,
                minute: (t / 100 % 100) as u8,
                second: (t % 100) as u8,
                micros: 0,
            }
        }
        (Kind::DateTime, true) => {
            let unit = u64::from(1_000_000 / MICRO_UNIT[n]);
            let v = be(b);
            let (s, f) = (v / unit, v % unit);
            let days = s / 86_400;
            let months = days / 32;
            DateTime {
                year: (months / 13) as u16,
                month: (months % 13) as u8,
                day: (days % 32) as u8,
                hour: (s / 3600 % 24) as u8,
                minute: (s / 60 % 60) as u8,
                second: (s % 60) as u8,
                micros: f as u32 * MICRO_UNIT[n],
            }
        }
        _ => DateTime::default(),
    }
}

/// The order-preserving integer ([`DateTime::packed`]) of a DATE column's value that is stored in three bytes.
#[inline]
#[must_use]
pub fn packed_date(b: &[u8]) -> i64 {
    let Some([a, b, c]) = b.first_chunk() else { return 0 };
    let v = u32::from_le_bytes([*a, *b, *c, 0]);
    let months = (v >> 9) * 13 + (v >> 5 & 15);
    i64::from(months << 5 | v & 31) << 41
}

/// A TIME column's value.
#[must_use]
pub fn time(b: &[u8], ty: &FieldType) -> Time {
    let n = (ty.decimals as usize).min(6);
    if !ty.old_format {
        let bytes = n.div_ceil(2);
        let v = be(b) as i64 - (0x80_0000 << (8 * bytes));
        let u = v.unsigned_abs();
        let hms = u >> (8 * bytes);
        let f = (u & ((1 << (8 * bytes)) - 1)) as u32;
        return Time {
            negative: v < 0,
            hours: (hms >> 12) as u32,
            minute: (hms >> 6 & 63) as u8,
            second: (hms & 63) as u8,
            micros: f.wrapping_mul(MICRO_UNIT[bytes * 2]),
        };
    }
    if n == 0 {
        let v = i64::from((le(b) << 8) as u32 as i32 >> 8);
        let u = v.unsigned_abs();
        return Time {
            negative: v < 0,
            hours: (u / 10_000) as u32,
            minute: (u / 100 % 100) as u8,
            second: (u % 100) as u8,
            micros: 0,
        };
    }
    let unit = i64::from(1_000_000 / MICRO_UNIT[n]);
    let v = be(b) as i64 - 3_020_400 * unit;
    Time::from_micros(v.saturating_mul(i64::from(MICRO_UNIT[n]))).0
}

/// Whether the spaces that fill up a CHAR column belong to its value (`PAD_CHAR_TO_FULL_LENGTH`).
#[inline]
fn is_filled(ty: &FieldType, ctx: &ConversionContext) -> bool {
    ty.kind == Kind::Char
        && ctx.sql_mode.has(SqlMode::PAD_CHAR_TO_FULL_LENGTH)
        && !ty.collation.charset.is_binary()
}

/// The value of a CHAR column with the spaces behind it.
#[cold]
fn filled(b: &[u8], ty: &FieldType) -> Vec<u8> {
    let charset = ty.collation.charset;
    let missing = (ty.char_length() as usize).saturating_sub(charset.char_len(b));
    let mut out = b.to_vec();
    for _ in 0..missing {
        out.extend_from_slice(charset.space());
    }
    out
}

/// Appends the value of stored bytes (`None` = NULL) to a vector of the type's class.
#[inline]
pub fn push(b: Option<&[u8]>, ty: &FieldType, out: &mut Vector, ctx: &ConversionContext) {
    let Some(b) = b else {
        out.push_null();
        return;
    };
    // what most columns are
    match (ty.kind, b) {
        (Kind::Long, [a, b, c, d]) if !ty.unsigned => {
            out.push_i64(i64::from(i32::from_le_bytes([*a, *b, *c, *d])));
        }
        (Kind::Char, _) if is_filled(ty, ctx) => out.push_bytes(&filled(b, ty)),
        (Kind::Char | Kind::Varchar, _) => out.push_bytes(b),
        _ => push_other(b, ty, out, ctx),
    }
}

/// As [`push`], of any type.
fn push_other(b: &[u8], ty: &FieldType, out: &mut Vector, ctx: &ConversionContext) {
    match ty.class() {
        Class::Int => out.push_i64(int(b, ty)),
        Class::UInt => out.push_i64(uint(b, ty) as i64),
        Class::Double => out.push_f64(double(b, ty)),
        Class::Decimal => out.push_decimal(&decimal(b, ty)),
        Class::Bytes => match ty.kind {
            Kind::Uuid | Kind::Inet4 | Kind::Inet6 => {
                let mut text = Vec::with_capacity(40);
                special(b, ty, &mut text);
                out.push_bytes(&text);
            }
            _ => out.push_bytes(b),
        },
        Class::Date | Class::DateTime => out.push_i64(datetime(b, ty, ctx).packed()),
        Class::Time => out.push_i64(time(b, ty).packed()),
        Class::Null => out.push_null(),
    }
}

/// The value of stored bytes.
#[must_use]
pub fn value(b: Option<&[u8]>, ty: &FieldType, ctx: &ConversionContext) -> Value {
    let Some(b) = b else { return Value::Null };
    match ty.class() {
        Class::Int => Value::Int(int(b, ty)),
        Class::UInt => Value::UInt(uint(b, ty)),
        Class::Double => Value::Double(double(b, ty)),
        Class::Decimal => Value::Decimal(decimal(b, ty)),
        Class::Bytes => match ty.kind {
            Kind::Uuid | Kind::Inet4 | Kind::Inet6 => {
                let mut text = Vec::with_capacity(40);
                special(b, ty, &mut text);
                Value::Bytes(text)
            }
            _ if is_filled(ty, ctx) => Value::Bytes(filled(b, ty)),
            _ => Value::Bytes(b.to_vec()),
        },
        Class::Date => Value::Date(datetime(b, ty, ctx)),
        Class::DateTime => Value::DateTime(datetime(b, ty, ctx)),
        Class::Time => Value::Time(time(b, ty)),
        Class::Null => Value::Null,
    }
}

/// Puts stored bytes straight into a result.
#[inline]
pub fn put(b: Option<&[u8]>, ty: &FieldType, sink: &mut dyn ResultSink, ctx: &mut ConversionContext) {
    let Some(b) = b else {
        sink.put_null();
        return;
    };
    match ty.class() {
        Class::Int if !ty.zerofill => sink.put_int(int(b, ty)),
        Class::Bytes if !matches!(ty.kind, Kind::Uuid | Kind::Inet4 | Kind::Inet6) => {
            if is_filled(ty, ctx) {
                output::put(ValueRef::Bytes(&filled(b, ty)), ty, sink, ctx);
            } else if output::is_plain(ty, ctx.results) {
                sink.put_bytes(b);
            } else {
                output::put(ValueRef::Bytes(b), ty, sink, ctx);
            }
        }
        Class::UInt if ty.kind == Kind::LongLong && !ty.zerofill => sink.put_uint(le(b)),
        Class::Decimal if !ty.zerofill => {
            let mut out = ctx.scratch.pop().unwrap_or_default();
            out.clear();
            decimal(b, ty).write(&mut out);
            sink.put_bytes(&out);
            ctx.scratch.push(out);
        }
        _ => {
            let v = value(Some(b), ty, ctx);
            output::put(v.as_ref(), ty, sink, ctx);
        }
    }
}

/// The bytes that UUID, INET4 and INET6 are stored as, from their text: these types are ordered by them.
#[must_use]
pub fn special_stored(text: &[u8], kind: Kind) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    match kind {
        Kind::Inet4 => text.parse::<std::net::Ipv4Addr>().ok().map(|a| a.octets().to_vec()),
        Kind::Inet6 => text.parse::<std::net::Ipv6Addr>().ok().map(|a| a.octets().to_vec()),
        _ => parse_uuid(text).map(|u| uuid_to_stored(u).to_vec()),
    }
}

/// The bytes that UUID, INET4 and INET6 stand for, in the order they are written.
#[must_use]
pub fn special_bytes(text: &[u8], kind: Kind) -> Option<Vec<u8>> {
    if kind == Kind::Uuid {
        return parse_uuid(std::str::from_utf8(text).ok()?).map(|u| u.to_vec());
    }
    special_stored(text, kind)
}

/// The text of UUID, INET4, INET6.
fn special(b: &[u8], ty: &FieldType, out: &mut Vec<u8>) {
    match ty.kind {
        Kind::Inet4 if b.len() == 4 => {
            for (i, x) in b.iter().enumerate() {
                if i > 0 {
                    out.push(b'.');
                }
                number::write_uint(u64::from(*x), out);
            }
        }
        Kind::Inet6 => {
            if let Ok(a) = <[u8; 16]>::try_from(b) {
                out.extend_from_slice(inet6_text(a).as_bytes());
            }
        }
        _ => {
            if let Ok(u) = <[u8; 16]>::try_from(b) {
                out.extend_from_slice(uuid_text(uuid_from_stored(u)).as_bytes());
            }
        }
    }
}

/// The text of stored bytes in the column's character set, as SHOW and messages print it.
#[must_use]
pub fn text(b: &[u8], ty: &FieldType, ctx: &ConversionContext) -> Vec<u8> {
    let v = value(Some(b), ty, ctx);
    let mut out = Vec::new();
    convert::write_text(v.as_ref(), ty, &mut out);
    out
}

/// A column of a key: its value as stored, its type, its definition, the bytes of its prefix.
pub type KeyPartText<'a> = (Option<&'a [u8]>, FieldType, &'a ColumnType, Option<usize>);

/// The values of a key as error 1062 shows them.
#[must_use]
pub fn key_text<'a>(parts: impl Iterator<Item = KeyPartText<'a>>, ctx: &ConversionContext) -> String {
    let mut out = String::new();
    for (value, ty, column, prefix) in parts {
        // as the reference server: no dash behind empty parts
        if !out.is_empty() {
            out.push('-');
        }
        let Some(b) = value else {
            out.push_str("NULL");
            continue;
        };
        let mut bytes = text(b, &ty, ctx);
        if let (63, ColumnType::Char { .. }) = (ty.collation.id, column) {
            // the zeros it is filled up with are not told, but for the first byte
            while bytes.len() > 1 && bytes.last() == Some(&0) {
                bytes.pop();
            }
        }
        if let (true, Some(prefix)) = (ty.is_string(), prefix) {
            let chars = prefix / usize::from(ty.collation.charset.mbmaxlen.max(1));
            bytes.truncate(ty.collation.charset.prefix(&bytes, chars));
        }
        out.push_str(&convert::printable(&bytes, &ty));
    }
    out.chars().take(LONGEST_KEY_TEXT).collect()
}

/// Characters of a key that error 1062 shows.
const LONGEST_KEY_TEXT: usize = 192;

/// An IPv6 address as INET6_NTOA prints it.
#[must_use]
pub fn inet6_text(a: [u8; 16]) -> String {
    let ip = std::net::Ipv6Addr::from(a);
    // Addresses of the form ::a.b.c.d print their last part as IPv4.
    if a[..12].iter().all(|b| *b == 0) && (a[12] != 0 || a[13] != 0) {
        return format!("::{}.{}.{}.{}", a[12], a[13], a[14], a[15]);
    }
    ip.to_string()
}

/// The text of a UUID.
#[must_use]
pub fn uuid_text(u: [u8; 16]) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(36);
    for (i, b) in u.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        let _ = write!(out, "{b:02x}");
    }
    out
}

/// A UUID from its text: dashes may stand between any two digits. Of what no variant has, those are refused whose
/// bytes would be taken for another UUID when read back.
#[must_use]
pub fn parse_uuid(text: &str) -> Option<[u8; 16]> {
    let mut out = [0u8; 16];
    let mut n = 0;
    if text.starts_with('-') || text.ends_with('-') {
        return None;
    }
    for c in text.chars().filter(|c| *c != '-') {
        let d = c.to_digit(16)? as u8;
        let slot = out.get_mut(n / 2)?;
        *slot = *slot << 4 | d;
        n += 1;
    }
    (n == 32 && uuid_from_stored(uuid_to_stored(out)) == out).then_some(out)
}

/// A UUID's bytes as they are stored: time-based ones in an order that sorts by time.
#[must_use]
pub fn uuid_to_stored(u: [u8; 16]) -> [u8; 16] {
    if !((0x01..=0x5f).contains(&u[6]) && u[8] >= 0x80) {
        return u;
    }
    let mut s = [0; 16];
    s[..6].copy_from_slice(&u[10..]);
    s[6..8].copy_from_slice(&u[8..10]);
    s[8..10].copy_from_slice(&u[6..8]);
    s[10..12].copy_from_slice(&u[4..6]);
    s[12..].copy_from_slice(&u[..4]);
    s
}

/// A UUID's bytes in the order of its text.
#[must_use]
pub fn uuid_from_stored(s: [u8; 16]) -> [u8; 16] {
    if !(s[6] >= 0x80 && (0x01..=0x80).contains(&s[8])) {
        return s;
    }
    let mut u = [0; 16];
    u[10..].copy_from_slice(&s[..6]);
    u[8..10].copy_from_slice(&s[6..8]);
    u[6..8].copy_from_slice(&s[8..10]);
    u[4..6].copy_from_slice(&s[10..12]);
    u[..4].copy_from_slice(&s[12..]);
    u
}

fn local(seconds: i64, micros: u32, ctx: &ConversionContext) -> DateTime {
    if seconds == 0 && micros == 0 {
        return DateTime::default();
    }
    ctx.time_zone.to_local(seconds, micros).unwrap_or_default()
}

/// Microseconds of the newer stored form of a fraction.
fn fraction(b: &[u8], decimals: u8) -> u32 {
    let bytes = (decimals as usize).min(6).div_ceil(2);
    let b = &b[..bytes.min(b.len())];
    (be(b) as u32).wrapping_mul(MICRO_UNIT[bytes * 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_dates_are_those_of_dates() {
        let (ty, ctx) = (FieldType::date(), ConversionContext::default());
        for v in (0..1u32 << 24).step_by(97) {
            let b = &v.to_le_bytes()[..3];
            assert_eq!(packed_date(b), datetime(b, &ty, &ctx).packed(), "{v:#x}");
        }
    }
}

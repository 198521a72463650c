//! Stored columns into values: into the vectors of a batch, or straight into a result sink.
//!
//! The stored forms are those of `isam::RowView::column` (docs/format): integers little-endian,
//! temporal types and DECIMAL in their ordered big-endian forms, text without padding.

use super::decimal::Decimal;
use super::field::{FieldType, Kind};
use super::temporal::{DateTime, Time};
use super::value::{Value, ValueRef};
use super::vector::Vector;
use crate::expr::EvalContext;
use crate::result::ResultSink;

/// An unsigned little-endian integer of up to eight bytes.
#[inline]
#[must_use]
pub fn unsigned(b: &[u8]) -> u64 {
    match b.len() {
        4 => u64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        8 => u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]),
        _ => b.iter().take(8).rev().fold(0, |n, x| n << 8 | u64::from(*x)),
    }
}

/// A signed little-endian integer of up to eight bytes.
#[inline]
#[must_use]
pub fn signed(b: &[u8]) -> i64 {
    if b.is_empty() {
        return 0;
    }
    let shift = 64 - 8 * b.len().min(8) as u32;
    (unsigned(b) << shift).cast_signed() >> shift
}

fn big(b: &[u8]) -> u64 {
    b.iter().take(8).fold(0, |n, x| n << 8 | u64::from(*x))
}

fn micros(b: &[u8]) -> u32 {
    match b.len() {
        0 => 0,
        1 => u32::from(b[0]) * 10_000,
        2 => big(b) as u32 * 100,
        _ => big(b) as u32,
    }
}

/// A DATE of three bytes.
#[inline]
#[must_use]
pub fn date(b: &[u8]) -> DateTime {
    let n = unsigned(b) as u32;
    DateTime::date((n >> 9) as u16, (n >> 5 & 15) as u8, (n & 31) as u8)
}

/// A DATETIME: five bytes and the fraction.
#[must_use]
pub fn datetime(b: &[u8]) -> DateTime {
    let (head, fraction) = b.split_at(b.len().min(5));
    let n = big(head).wrapping_sub(0x80_0000_0000) & 0x7f_ffff_ffff;
    let (ymd, hms) = (n >> 17, n & 0x1_ffff);
    DateTime {
        year: ((ymd >> 5) / 13) as u16,
        month: ((ymd >> 5) % 13) as u8,
        day: (ymd & 31) as u8,
        hour: (hms >> 12) as u8,
        minute: (hms >> 6 & 63) as u8,
        second: (hms & 63) as u8,
        micros: micros(fraction),
    }
}

/// A TIME: three bytes and the fraction, offset so that bytes order like values.
#[must_use]
pub fn time(b: &[u8]) -> Time {
    let fraction_bytes = b.len().saturating_sub(3).min(3) as u32;
    let bits = 8 * fraction_bytes;
    let n = (big(b) as i64) - (0x80_0000i64 << bits);
    let negative = n < 0;
    let n = n.unsigned_abs();
    let hms = n >> bits;
    let fraction = (n & ((1u64 << bits) - 1)) as u32;
    let micros = match fraction_bytes {
        0 => 0,
        1 => fraction * 10_000,
        2 => fraction * 100,
        _ => fraction,
    };
    Time {
        negative,
        hours: (hms >> 12 & 0x3ff) as u32,
        minute: (hms >> 6 & 63) as u8,
        second: (hms & 63) as u8,
        micros,
    }
}

/// A TIMESTAMP in the session's zone: four bytes of seconds and the fraction.
#[must_use]
pub fn timestamp(b: &[u8], ctx: &EvalContext) -> DateTime {
    let (head, fraction) = b.split_at(b.len().min(4));
    let (seconds, micros) = (big(head) as i64, micros(fraction));
    if seconds == 0 && micros == 0 {
        return DateTime::default();
    }
    ctx.time_zone.to_local(seconds, micros).unwrap_or_default()
}

/// A UUID's text; its parts are stored last first.
fn uuid(b: &[u8], out: &mut Vec<u8>) {
    let Some(b) = b.first_chunk::<16>() else { return };
    for (i, part) in [&b[12..16], &b[10..12], &b[8..10], &b[6..8], &b[0..6]].into_iter().enumerate() {
        if i > 0 {
            out.push(b'-');
        }
        for x in part {
            out.push(b"0123456789abcdef"[usize::from(x >> 4)]);
            out.push(b"0123456789abcdef"[usize::from(x & 15)]);
        }
    }
}

fn address(b: &[u8], out: &mut Vec<u8>) {
    if let Some(four) = b.first_chunk::<4>().filter(|_| b.len() == 4) {
        out.extend_from_slice(std::net::Ipv4Addr::from(*four).to_string().as_bytes());
    } else if let Some(sixteen) = b.first_chunk::<16>() {
        let text = std::net::Ipv6Addr::from(*sixteen).to_string();
        out.extend_from_slice(text.as_bytes());
    }
}

/// Appends a column's value to a vector of the type's class.
#[inline]
pub fn push(stored: Option<&[u8]>, ty: &FieldType, out: &mut Vector, ctx: &EvalContext) {
    let Some(b) = stored else {
        out.push_null();
        return;
    };
    match ty.kind {
        Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong => {
            out.push_i64(if ty.unsigned { unsigned(b).cast_signed() } else { signed(b) });
        }
        Kind::Char
        | Kind::Varchar
        | Kind::TinyBlob
        | Kind::Blob
        | Kind::MediumBlob
        | Kind::LongBlob
        | Kind::Geometry => {
            out.push_bytes(b);
        }
        Kind::Date => out.push_i64(date(b).packed()),
        Kind::DateTime => out.push_i64(datetime(b).packed()),
        Kind::Time => out.push_i64(time(b).packed()),
        Kind::Timestamp => out.push_i64(timestamp(b, ctx).packed()),
        Kind::Decimal => out.push_decimal(&Decimal::from_binary(b, ty.precision(), ty.decimals)),
        Kind::Double => out.push_f64(double(b)),
        Kind::Float => out.push_f64(f64::from(float(b))),
        Kind::Year => out.push_i64(year(b).cast_signed()),
        Kind::Enum | Kind::Set => out.push_i64(unsigned(b).cast_signed()),
        Kind::Bit => out.push_i64(big(b).cast_signed()),
        Kind::Uuid => {
            let _ = out.push_bytes_with(|o| {
                uuid(b, o);
                Ok::<bool, ()>(true)
            });
        }
        Kind::Inet4 | Kind::Inet6 => {
            let _ = out.push_bytes_with(|o| {
                address(b, o);
                Ok::<bool, ()>(true)
            });
        }
        Kind::Null => out.push_null(),
    }
}

#[inline]
fn double(b: &[u8]) -> f64 {
    b.first_chunk::<8>().map_or(0.0, |c| f64::from_le_bytes(*c))
}

#[inline]
fn float(b: &[u8]) -> f32 {
    b.first_chunk::<4>().map_or(0.0, |c| f32::from_le_bytes(*c))
}

fn year(b: &[u8]) -> u64 {
    match b.first() {
        None | Some(0) => 0,
        Some(y) => 1900 + u64::from(*y),
    }
}

/// A column's value.
#[must_use]
pub fn value(stored: Option<&[u8]>, ty: &FieldType, ctx: &EvalContext) -> Value {
    if stored.is_none() {
        return Value::Null;
    }
    let mut v = Vector::new(ty.class());
    push(stored, ty, &mut v, ctx);
    v.value(0)
}

/// Puts a column's value into the sink, without a vector in between.
#[inline]
pub fn put(stored: Option<&[u8]>, ty: &FieldType, sink: &mut dyn ResultSink, ctx: &mut EvalContext) {
    let Some(b) = stored else {
        sink.put_null();
        return;
    };
    let value = match ty.kind {
        Kind::Char
        | Kind::Varchar
        | Kind::TinyBlob
        | Kind::Blob
        | Kind::MediumBlob
        | Kind::LongBlob
        | Kind::Geometry => ValueRef::Bytes(b),
        Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong => {
            if ty.unsigned {
                ValueRef::UInt(unsigned(b))
            } else {
                ValueRef::Int(signed(b))
            }
        }
        Kind::Date => ValueRef::Date(date(b)),
        Kind::DateTime => ValueRef::DateTime(datetime(b)),
        Kind::Time => ValueRef::Time(time(b)),
        Kind::Timestamp => ValueRef::DateTime(timestamp(b, ctx)),
        Kind::Double => ValueRef::Double(double(b)),
        Kind::Float => ValueRef::Double(f64::from(float(b))),
        Kind::Year => ValueRef::UInt(year(b)),
        Kind::Enum | Kind::Set => ValueRef::UInt(unsigned(b)),
        Kind::Bit => ValueRef::UInt(big(b)),
        Kind::Decimal => {
            let d = Decimal::from_binary(b, ty.precision(), ty.decimals);
            crate::expr::put(ValueRef::Decimal(&d), ty, sink, ctx);
            return;
        }
        Kind::Uuid | Kind::Inet4 | Kind::Inet6 | Kind::Null => {
            let v = value(stored, ty, ctx);
            crate::expr::put(v.as_ref(), ty, sink, ctx);
            return;
        }
    };
    crate::expr::put(value, ty, sink, ctx);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_all_widths() {
        assert_eq!(signed(&[0xfe, 0xff]), -2);
        assert_eq!(signed(&[0xff, 0xff, 0x7f]), 0x7f_ffff);
        assert_eq!(signed(&[0xff]), -1);
        assert_eq!(unsigned(&[1, 0, 0, 0, 0, 0, 0, 0x80]), 0x8000_0000_0000_0001);
    }

    #[test]
    fn temporal_forms() {
        assert_eq!(datetime(&[0x80, 0, 0, 0, 0]), DateTime::default());
        let t = time(&[0x80, 0x10, 0x83]);
        assert_eq!((t.negative, t.hours, t.minute, t.second), (false, 1, 2, 3));
        let t = time(&[0x7f, 0xef, 0x7d]);
        assert_eq!((t.negative, t.hours, t.minute, t.second), (true, 1, 2, 3));
        assert_eq!(date(&[0x5d, 0xc8, 0x0f]), DateTime::date(2020, 2, 29));
    }
}

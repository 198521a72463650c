//! Values as a column would store them: what keys are searched by.

use std::cmp::Ordering;

use crate::types::decimal::Rounding;
use crate::types::{Decimal, FieldType, Kind, Value};

/// How a value lies among those that a column can store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The image is the value.
    Exact,
    /// Nothing is equal; the image is the largest storable value below it.
    After,
    /// Smaller than everything the column can hold.
    BelowAll,
    /// Greater than everything the column can hold.
    AboveAll,
    /// It cannot be told.
    Unknown,
}

/// A value as the column would store it.
#[derive(Debug, PartialEq, Eq)]
pub enum Stored {
    /// These bytes.
    Exact(Vec<u8>),
    /// Nothing equal; the largest storable value below it.
    After(Vec<u8>),
    /// Smaller than everything the column can hold.
    BelowAll,
    /// Greater than everything the column can hold.
    AboveAll,
    /// It cannot be told.
    Unknown,
}

/// The stored form of a constant that a column is compared with.
#[must_use]
pub fn to_stored(v: &Value, ty: &FieldType) -> Stored {
    let mut out = Vec::new();
    match image(v, ty, &mut out) {
        Fit::Exact => Stored::Exact(out),
        Fit::After => Stored::After(out),
        Fit::BelowAll => Stored::BelowAll,
        Fit::AboveAll => Stored::AboveAll,
        Fit::Unknown => Stored::Unknown,
    }
}

fn integer_bounds(ty: &FieldType) -> Option<(usize, i128, i128)> {
    let bytes = match ty.kind {
        Kind::Tiny => 1,
        Kind::Short => 2,
        Kind::Int24 => 3,
        Kind::Long => 4,
        Kind::LongLong => 8,
        _ => return None,
    };
    let bits = bytes as u32 * 8;
    Some(if ty.unsigned {
        (bytes, 0, (1i128 << bits) - 1)
    } else {
        (bytes, -(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    })
}

fn whole(v: &Value) -> Option<(i128, bool)> {
    match v {
        Value::Int(x) => Some((i128::from(*x), true)),
        Value::UInt(x) => Some((i128::from(*x), true)),
        Value::Decimal(d) => {
            let t = d.trunc_i128();
            let (back, _) = d.round(0, Rounding::Truncate);
            let (rest, _) = d.sub(&back);
            let exact = rest.is_zero();
            Some((if !exact && d.is_negative() { t - 1 } else { t }, exact))
        }
        Value::Double(x) if x.is_finite() && x.abs() < 9e15 => Some((x.floor() as i128, x.floor() == *x)),
        _ => None,
    }
}

/// Appends the stored form of a constant that a column is compared with; nothing but for `Exact` and `After`.
pub fn image(v: &Value, ty: &FieldType, out: &mut Vec<u8>) -> Fit {
    if let Some((bytes, min, max)) = integer_bounds(ty) {
        let Some((n, exact)) = whole(v) else {
            return match v {
                Value::Double(x) if *x >= 9e15 && bytes < 8 => Fit::AboveAll,
                Value::Double(x) if *x <= -9e15 && bytes < 8 => Fit::BelowAll,
                _ => Fit::Unknown,
            };
        };
        if n < min {
            return Fit::BelowAll;
        }
        if n > max {
            return Fit::AboveAll;
        }
        return put(&n.to_le_bytes()[..bytes], exact, out);
    }
    match (ty.kind, v) {
        (Kind::Year, _) => match whole(v) {
            Some((0, true)) => put(&[0], true, out),
            Some((n, true)) if (1901..=2155).contains(&n) => put(&[(n - 1900) as u8], true, out),
            _ => Fit::Unknown,
        },
        (Kind::Double, _) => match v {
            Value::Double(x) => put(&x.to_le_bytes(), true, out),
            Value::Int(x) if x.unsigned_abs() < 1 << 53 => put(&(*x as f64).to_le_bytes(), true, out),
            _ => Fit::Unknown,
        },
        (Kind::Decimal, Value::Decimal(d)) => decimal(d, ty, out),
        (Kind::Decimal, Value::Int(_) | Value::UInt(_)) => match whole(v) {
            Some((n, _)) => {
                let text = n.to_string();
                decimal(&Decimal::parse(text.as_bytes()).value, ty, out)
            }
            None => Fit::Unknown,
        },
        (Kind::Date, Value::Date(d) | Value::DateTime(d)) => {
            let n = u32::from(d.day) + 32 * u32::from(d.month) + 512 * u32::from(d.year);
            put(&n.to_le_bytes()[..3], d.is_midnight(), out)
        }
        (Kind::DateTime | Kind::Time, Value::Date(_) | Value::DateTime(_) | Value::Time(_)) => {
            temporal(v, ty, out)
        }
        (
            Kind::Char | Kind::Varchar | Kind::TinyBlob | Kind::Blob | Kind::MediumBlob | Kind::LongBlob,
            Value::Bytes(b),
        ) => put(b, true, out),
        (Kind::Enum, Value::Bytes(b)) => {
            let Some(values) = &ty.values else { return Fit::Unknown };
            match values.iter().position(|m| ty.collation.compare(m, b) == Ordering::Equal) {
                Some(i) => {
                    let n = i as u32 + 1;
                    put(&n.to_le_bytes()[..if values.len() > 255 { 2 } else { 1 }], true, out)
                }
                None => Fit::Unknown,
            }
        }
        _ => Fit::Unknown,
    }
}

fn decimal(d: &Decimal, ty: &FieldType, out: &mut Vec<u8>) -> Fit {
    let (fitted, changed) = d.fit(ty.precision(), ty.decimals);
    if changed || fitted != *d && fitted.sub(d).0 != Decimal::ZERO {
        return Fit::Unknown;
    }
    fitted.to_binary(ty.precision(), ty.decimals, out);
    Fit::Exact
}

fn temporal(v: &Value, ty: &FieldType, out: &mut Vec<u8>) -> Fit {
    let digits = ty.decimals.min(6);
    let fraction = |micros: u32, out: &mut Vec<u8>| match digits.div_ceil(2) {
        0 => {}
        1 => out.push((micros / 10_000) as u8),
        2 => out.extend_from_slice(&((micros / 100) as u16).to_be_bytes()),
        _ => out.extend_from_slice(&micros.to_be_bytes()[1..]),
    };
    match (ty.kind, v) {
        (Kind::DateTime, Value::Date(d) | Value::DateTime(d)) => {
            let cut = d.truncated(digits);
            let ymd = ((u64::from(cut.year) * 13 + u64::from(cut.month)) << 5) | u64::from(cut.day);
            let hms = (u64::from(cut.hour) << 12) | (u64::from(cut.minute) << 6) | u64::from(cut.second);
            let n = 0x80_0000_0000u64 + (ymd << 17) + hms;
            out.extend_from_slice(&n.to_be_bytes()[3..]);
            fraction(cut.micros, out);
            if cut == *d { Fit::Exact } else { Fit::After }
        }
        (Kind::Time, Value::Time(t)) if digits == 0 && !t.negative && t.micros == 0 => {
            let n = 0x80_0000u32 + ((t.hours << 12) | (u32::from(t.minute) << 6) | u32::from(t.second));
            put(&n.to_be_bytes()[1..], true, out)
        }
        _ => Fit::Unknown,
    }
}

fn put(image: &[u8], exact: bool, out: &mut Vec<u8>) -> Fit {
    out.extend_from_slice(image);
    if exact { Fit::Exact } else { Fit::After }
}

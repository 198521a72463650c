//! Values as a column would store them: what keys are searched by.

use std::cmp::Ordering;

use crate::types::convert::write_text;
use crate::types::decimal::Rounding;
use crate::types::{Decimal, FieldType, Kind, Value, ValueRef, store};

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

/// The least and the greatest integer that a column can store.
pub(super) fn ends_of_integer(ty: &FieldType) -> Option<(Vec<u8>, Vec<u8>)> {
    let (bytes, least, most) = integer_bounds(ty)?;
    let stored = |n: i128| n.to_le_bytes()[..bytes].to_vec();
    Some((stored(least), stored(most)))
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
    if ty.old_format {
        return Fit::Unknown;
    }
    match (ty.kind, v) {
        (Kind::Bit, _) => {
            let bits = ty.length.clamp(1, 64);
            let max = (1i128 << bits) - 1;
            match whole(v) {
                Some((n, _)) if n < 0 => Fit::BelowAll,
                Some((n, _)) if n > max => Fit::AboveAll,
                Some((n, exact)) => put(&n.to_be_bytes()[16 - bits.div_ceil(8) as usize..], exact, out),
                None => Fit::Unknown,
            }
        }
        (Kind::Float, Value::Double(x)) => float(*x, out),
        (Kind::Set, Value::Bytes(b)) => set(b, ty, out),
        // its order is that of the years, not of their last digits
        (Kind::Year, _) if ty.length == 2 => Fit::Unknown,
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
        (Kind::Decimal, Value::Double(x)) => {
            let near = Decimal::parse(format!("{x:.*}", usize::from(ty.decimals)).as_bytes()).value;
            match near.to_f64() == *x {
                true => decimal(&near, ty, out),
                false => Fit::Unknown,
            }
        }
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
        // compared by their images
        (Kind::Uuid | Kind::Inet4 | Kind::Inet6, Value::Bytes(b)) => put(b, true, out),
        (Kind::Enum, Value::Bytes(b)) => enumerated(b, ty, out),
        _ => Fit::Unknown,
    }
}

fn enumerated(b: &[u8], ty: &FieldType, out: &mut Vec<u8>) -> Fit {
    let Some(values) = &ty.values else { return Fit::Unknown };
    let equals = |text: &[u8]| ty.collation.compare(text, b) == Ordering::Equal;
    let n = match values.iter().position(|m| equals(m)) {
        // the number of what is none of the values has this text, too
        Some(_) if equals(b"") => return Fit::Unknown,
        Some(i) => i as u32 + 1,
        None if equals(b"") => 0,
        None => return Fit::AboveAll,
    };
    put(&n.to_le_bytes()[..if values.len() > 255 { 2 } else { 1 }], true, out)
}

fn decimal(d: &Decimal, ty: &FieldType, out: &mut Vec<u8>) -> Fit {
    let (below, overflow) = d.round(i32::from(ty.decimals), Rounding::Floor);
    if overflow || below.int_digits() > ty.precision().saturating_sub(ty.decimals) {
        return if d.is_negative() { Fit::BelowAll } else { Fit::AboveAll };
    }
    below.to_binary(ty.precision(), ty.decimals, out);
    if below.cmp(d).is_eq() { Fit::Exact } else { Fit::After }
}

/// The FLOAT that is the value, or the largest below it.
fn float(x: f64, out: &mut Vec<u8>) -> Fit {
    if x.is_nan() {
        return Fit::Unknown;
    }
    if x > f64::from(f32::MAX) {
        return Fit::AboveAll;
    }
    if x < f64::from(f32::MIN) {
        return Fit::BelowAll;
    }
    let near = x as f32;
    let below = if f64::from(near) > x { near.next_down() } else { near };
    put(&below.to_le_bytes(), f64::from(below) == x, out)
}

/// The SET whose text is the value: members in their order.
fn set(text: &[u8], ty: &FieldType, out: &mut Vec<u8>) -> Fit {
    let Some(values) = &ty.values else { return Fit::Unknown };
    let all = if values.len() >= 64 { u64::MAX } else { (1 << values.len()) - 1 };
    let (bits, good) = ty.set_bits(text, ty.collation.charset, all);
    let mut back = Vec::new();
    write_text(ValueRef::UInt(bits), ty, &mut back);
    if !good || ty.collation.compare(&back, text) != Ordering::Equal {
        return Fit::Unknown;
    }
    let bytes = match values.len().div_ceil(8) {
        n @ 0..=4 => n.max(1),
        _ => 8,
    };
    put(&bits.to_le_bytes()[..bytes], true, out)
}

fn temporal(v: &Value, ty: &FieldType, out: &mut Vec<u8>) -> Fit {
    let digits = ty.decimals.min(6);
    match (ty.kind, v) {
        (Kind::DateTime, Value::Date(d) | Value::DateTime(d)) => {
            let cut = d.truncated(digits);
            store::put_datetime(cut, digits, out);
            if cut == *d { Fit::Exact } else { Fit::After }
        }
        (Kind::Time, Value::Time(t)) => {
            let cut = t.truncated(digits);
            if cut != *t && t.negative {
                // what is cut off brings it nearer to zero: up
                return Fit::Unknown;
            }
            store::put_time(cut, digits, out);
            if cut == *t { Fit::Exact } else { Fit::After }
        }
        _ => Fit::Unknown,
    }
}

fn put(image: &[u8], exact: bool, out: &mut Vec<u8>) -> Fit {
    out.extend_from_slice(image);
    if exact { Fit::Exact } else { Fit::After }
}

//! Values as bytes that compare like the values: one encoding for sorting, grouping and DISTINCT.
//!
//! Each part begins with a byte for NULL (0) or a value (1), so that NULL sorts first. Integers
//! and temporals are big-endian with the sign flipped, doubles likewise with negatives inverted,
//! decimals in their own ordered form, strings as the weights of their collation. Descending
//! parts are inverted bytewise. Variable parts are self-delimiting: of binary strings, 00 becomes
//! 00 FF, and 00 00 ends the part; weights of other collations have their own end.

use std::ops::Range;
use std::sync::Arc;

use charset::{Collation, KeyPad};

use crate::expr::Expr;
use crate::func::years::place_in_order;
use crate::types::convert::place_of_text;
use crate::types::decimal::Rounding;
use crate::types::load::special_stored;
use crate::types::value::ValueRef;
use crate::types::vector::Vector;
use crate::types::{Class, Decimal, FieldType, Kind};

/// One part of a sort or group key.
#[derive(Clone, Debug)]
pub struct KeySpec {
    /// Which vector of the batch.
    pub slot: usize,
    /// The collation for strings.
    pub collation: &'static Collation,
    /// DESC.
    pub descending: bool,
    special: Option<Special>,
}

/// Values that are not in the order in which they are represented.
#[derive(Clone, Debug)]
enum Special {
    /// UUID, INET4 and INET6 are texts here, but ordered as they are stored; YEAR(2) is two digits, but ordered as years.
    Stored(Kind),
    /// MIN and MAX of ENUM and SET are texts, but ordered as the column is.
    Members(Arc<[Box<[u8]>]>),
    /// Decimals are ordered by so many digits behind the point, though they may have more.
    Scale(u8),
    /// A TIMESTAMP that was computed: its zero is in the order where NULL is, as in MariaDB.
    ZeroAsNull,
}

impl KeySpec {
    /// A part over vector `slot` of type `ty`.
    #[must_use]
    pub fn new(slot: usize, ty: &FieldType, descending: bool) -> KeySpec {
        let special = (ty.is_address() || ty.is_short_year()).then_some(Special::Stored(ty.kind));
        KeySpec { slot, collation: ty.collation, descending, special }
    }

    /// A part of ORDER BY over vector `slot`, which has the values of `e`.
    #[must_use]
    pub fn ordering(slot: usize, e: &Expr, descending: bool) -> KeySpec {
        let mut spec = KeySpec::new(slot, &e.ty, descending);
        if let Some(members) = e.members() {
            spec.special = Some(Special::Members(Arc::clone(members)));
        } else if e.has_hidden_digits() {
            spec.special = Some(Special::Scale(e.ty.decimals));
        }
        spec
    }

    /// As [`KeySpec::ordering`], of what a query computes for its ORDER BY.
    #[must_use]
    pub fn computed(slot: usize, e: &Expr, descending: bool) -> KeySpec {
        let mut spec = KeySpec::ordering(slot, e, descending);
        if e.ty.kind == Kind::Timestamp && e.ty.nullable {
            spec.special = Some(Special::ZeroAsNull);
        }
        spec
    }

    /// A part over vector `slot` of bytes.
    #[must_use]
    pub fn bytes(slot: usize, descending: bool) -> KeySpec {
        KeySpec { slot, collation: charset::binary(), descending, special: None }
    }
}

/// Appends the key of row `row` to `out`. `scratch` is room for weights.
pub fn encode(columns: &[Vector], specs: &[KeySpec], row: usize, out: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    for spec in specs {
        let start = out.len();
        let column = &columns[spec.slot];
        let cut = |scale: u8| matches!(&spec.special, Some(Special::Scale(to)) if scale > *to);
        // decimals of the whole column are made for who asks for one
        let value = match column.short_decimal(row).filter(|(_, scale)| !cut(*scale)) {
            Some((number, scale)) => {
                out.push(1);
                short_decimal(number, scale, out);
                turn(spec, &mut out[start..]);
                continue;
            }
            None => column.get(row),
        };
        match (&spec.special, value) {
            (Some(Special::Members(members)), ValueRef::Bytes(text)) => {
                let place = place_of_text(members, text);
                encode_value(ValueRef::UInt(place), spec.collation, out, scratch);
            }
            (Some(Special::Stored(kind)), ValueRef::Bytes(text)) => {
                let stored = special_stored(text, *kind).unwrap_or_default();
                encode_value(ValueRef::Bytes(&stored), charset::binary(), out, scratch);
            }
            (Some(Special::Scale(scale)), ValueRef::Decimal(d)) if d.scale() > *scale => {
                let rounded = d.round(i32::from(*scale), Rounding::HalfUp).0;
                encode_value(ValueRef::Decimal(&rounded), spec.collation, out, scratch);
            }
            (Some(Special::ZeroAsNull), ValueRef::DateTime(d)) if d.packed() == 0 => {
                encode_value(ValueRef::Null, spec.collation, out, scratch);
            }
            (Some(_), ValueRef::UInt(year)) => {
                encode_value(ValueRef::UInt(place_in_order(year)), spec.collation, out, scratch);
            }
            _ => encode_value(value, spec.collation, out, scratch),
        }
        turn(spec, &mut out[start..]);
    }
}

/// Makes a part of a key descend where it is to.
#[inline]
fn turn(spec: &KeySpec, part: &mut [u8]) {
    if spec.descending {
        part.iter_mut().for_each(|b| *b = !*b);
    }
}

/// Appends value `row` of a column.
pub fn encode_at(
    column: &Vector,
    row: usize,
    collation: &Collation,
    out: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
) {
    match column.short_decimal(row) {
        Some((number, scale)) => {
            out.push(1);
            short_decimal(number, scale, out);
        }
        None => encode_value(column.get(row), collation, out, scratch),
    }
}

/// Appends one value.
pub fn encode_value(v: ValueRef<'_>, collation: &Collation, out: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    match v {
        ValueRef::Null => {
            out.push(0);
            return;
        }
        _ => out.push(1),
    }
    match v {
        ValueRef::Null => {}
        ValueRef::Int(x) => out.extend_from_slice(&(x.cast_unsigned() ^ (1 << 63)).to_be_bytes()),
        ValueRef::UInt(x) => out.extend_from_slice(&x.to_be_bytes()),
        ValueRef::Double(x) => {
            // -0 and 0 are one value
            let bits = if x == 0.0 { 0 } else { x.to_bits() };
            let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
            out.extend_from_slice(&ordered.to_be_bytes());
        }
        ValueRef::Decimal(d) => {
            decimal(d, out, scratch);
        }
        ValueRef::Bytes(b) => {
            if collation.is_binary() {
                delimited(b, out);
            } else {
                // no key of a collation begins another
                collation.weight_string(b, out);
            }
        }
        ValueRef::Date(d) | ValueRef::DateTime(d) => {
            out.extend_from_slice(&(d.packed().cast_unsigned() ^ (1 << 63)).to_be_bytes());
        }
        ValueRef::Time(t) => out.extend_from_slice(&(t.packed().cast_unsigned() ^ (1 << 63)).to_be_bytes()),
    }
}

/// A decimal: sign, number of integer digits, digits without trailing zeros of the fraction. All of
/// it inverted below zero.
fn decimal(d: &Decimal, out: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    match d.to_short() {
        Some(number) => short_decimal(number, d.scale(), out),
        None => long_decimal(d, out, scratch),
    }
}

fn long_decimal(d: &Decimal, out: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    scratch.clear();
    d.abs().write(scratch);
    let text: &[u8] = scratch;
    let point = memchr::memchr(b'.', text).unwrap_or(text.len());
    let whole = &text[..point];
    let whole = &whole[whole.iter().take_while(|b| **b == b'0').count()..];
    let mut fraction = text.get(point + 1..).unwrap_or(&[]);
    while let Some(rest) = fraction.strip_suffix(b"0") {
        fraction = rest;
    }
    if whole.is_empty() && fraction.is_empty() {
        out.push(1);
        return;
    }
    out.push(if d.is_negative() { 0 } else { 2 });
    let start = out.len();
    out.push(whole.len() as u8);
    out.extend_from_slice(whole);
    out.extend_from_slice(fraction);
    out.push(0);
    if d.is_negative() {
        for b in &mut out[start..] {
            *b = !*b;
        }
    }
}

/// The same of a decimal of few digits: its number, and how many of them stand after the point.
fn short_decimal(number: i64, scale: u8, out: &mut Vec<u8>) {
    if number == 0 {
        out.push(1);
        return;
    }
    out.push(if number < 0 { 0 } else { 2 });
    let start = out.len();
    let mut digits = [b'0'; 20];
    let (mut rest, mut first) = (number.unsigned_abs(), digits.len());
    while rest > 0 {
        first -= 1;
        digits[first] += (rest % 10) as u8;
        rest /= 10;
    }
    let point = digits.len() - usize::from(scale);
    let whole = &digits[first.min(point)..point];
    let zeros = digits[point..].iter().rev().take_while(|b| **b == b'0').count();
    out.push(whole.len() as u8);
    out.extend_from_slice(&digits[first.min(point)..digits.len() - zeros]);
    out.push(0);
    if number < 0 {
        out[start..].iter_mut().for_each(|b| *b = !*b);
    }
}

fn delimited(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(zero) = memchr::memchr(0, rest) {
        out.extend_from_slice(&rest[..=zero]);
        out.push(0xFF);
        rest = &rest[zero + 1..];
    }
    out.extend_from_slice(rest);
    out.extend_from_slice(&[0, 0]);
}

/// Appends for each of these rows how its key begins as far as the first part says: keys with different numbers are in the order of these.
/// False, and nothing useful appended, where the part's values have no such number.
#[must_use]
pub fn prefixes(spec: &KeySpec, v: &Vector, rows: Range<usize>, out: &mut Vec<u64>) -> bool {
    if spec.special.is_some() || v.class() != Class::Bytes || !spec.collation.has_key_prefix() {
        return false;
    }
    let turned = if spec.descending { u64::MAX } else { 0 };
    let prefix = |row| match v.is_null(row) {
        true => 0,
        false => 1 << 63 | spec.collation.key_prefix(v.bytes(row), KeyPad::Own) >> 1,
    };
    out.extend(rows.map(|row| prefix(row) ^ turned));
    true
}

/// Numbers in the order of a part's values, when it is of integers and none is NULL.
#[must_use]
pub fn numbers<'v>(spec: &KeySpec, v: &'v Vector, rows: usize) -> Option<impl Fn(usize) -> u64 + use<'v>> {
    if spec.special.is_some() {
        return None;
    }
    let sign = match v.class() {
        Class::Int | Class::Date | Class::Time | Class::DateTime => 1 << 63,
        Class::UInt => 0,
        _ => return None,
    };
    if v.nulls().iter().take(rows).any(|n| *n != 0) {
        return None;
    }
    let turned = if spec.descending { u64::MAX } else { 0 };
    Some(move |row| v.i64(row).cast_unsigned() ^ sign ^ turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_decimals_have_the_keys_of_all_others() {
        let numbers = [
            0,
            1,
            -1,
            9,
            10,
            100,
            123,
            -120,
            99_999,
            1_000_000,
            123_456_789_012_345_678,
            -100_000_000_000_000_000,
        ];
        for scale in 0..=18 {
            for number in numbers {
                let (mut short, mut long) = (Vec::new(), Vec::new());
                short_decimal(number, scale, &mut short);
                long_decimal(&Decimal::from_short(number, scale), &mut long, &mut Vec::new());
                assert_eq!(short, long, "{number} with {scale} digits after the point");
            }
        }
    }
}

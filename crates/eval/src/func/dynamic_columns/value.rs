//! The bytes of the value of one dynamic column.

use super::format::{Fault, Outcome};
use crate::types::Decimal;
use crate::types::temporal::{DateTime, Time};
use std::borrow::Cow;

/// The type of a value, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    UInt,
    Double,
    Text,
    Decimal,
    DateTime,
    Date,
    Time,
    /// Dynamic columns in a column; only where columns have names.
    Columns,
}

impl Kind {
    pub(super) const ALL: [Kind; 9] = [
        Kind::Int,
        Kind::UInt,
        Kind::Double,
        Kind::Text,
        Kind::Decimal,
        Kind::DateTime,
        Kind::Date,
        Kind::Time,
        Kind::Columns,
    ];

    pub(super) fn code(self) -> u8 {
        self as u8
    }

    pub(super) fn from_code(code: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(code)).copied()
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stored<'a> {
    Int(i64),
    UInt(u64),
    Double(f64),
    /// Text: the number of its collation, its bytes.
    Text(u16, Cow<'a, [u8]>),
    /// A decimal, and the digits before its point that it is stored with.
    Decimal(Decimal, u8),
    DateTime(DateTime),
    /// A time as a date and time: it has no day. Only written; what is read of it is a date and time.
    Dayless(Time),
    Date(DateTime),
    Time(Time),
    Columns(Cow<'a, [u8]>),
}

/// Digits of a group of a decimal, and the bytes of a group of fewer.
const GROUP: usize = 9;
const GROUP_BYTES: [usize; GROUP + 1] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4];

/// Most groups of a decimal.
const GROUPS: usize = 9;

/// Hours of the longest time.
const HOURS: u64 = 838;

impl<'a> Stored<'a> {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Stored::Int(_) => Kind::Int,
            Stored::UInt(_) => Kind::UInt,
            Stored::Double(_) => Kind::Double,
            Stored::Text(..) => Kind::Text,
            Stored::Decimal(..) => Kind::Decimal,
            Stored::DateTime(_) | Stored::Dayless(_) => Kind::DateTime,
            Stored::Date(_) => Kind::Date,
            Stored::Time(_) => Kind::Time,
            Stored::Columns(_) => Kind::Columns,
        }
    }

    /// The bytes. Where columns have names, a time without a fraction has fewer of them.
    pub(super) fn write(&self, named: bool) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Stored::Int(v) => put_uint((*v << 1 ^ *v >> 63) as u64, &mut out),
            Stored::UInt(v) => put_uint(*v, &mut out),
            Stored::Double(v) => out.extend_from_slice(&v.to_le_bytes()),
            Stored::Text(collation, bytes) => {
                put_number(u64::from(*collation), &mut out);
                out.extend_from_slice(bytes);
            }
            Stored::Decimal(v, digits) => put_decimal(v, *digits, &mut out),
            Stored::Date(v) => put_date(*v, &mut out),
            Stored::Time(v) => put_time(*v, named, &mut out),
            Stored::DateTime(v) => {
                put_date(*v, &mut out);
                put_time(v.time(), named, &mut out);
            }
            Stored::Dayless(v) => {
                put_date(DateTime::default(), &mut out);
                put_time(*v, named, &mut out);
            }
            Stored::Columns(bytes) => out.extend_from_slice(bytes),
        }
        out
    }

    /// Reads a value.
    ///
    /// # Errors
    /// Bytes that are none of this type.
    pub(super) fn read(kind: Kind, data: &'a [u8]) -> Outcome<Stored<'a>> {
        Ok(match kind {
            Kind::Int => {
                let v = uint(data)?;
                Stored::Int((v >> 1) as i64 ^ -((v & 1) as i64))
            }
            Kind::UInt => Stored::UInt(uint(data)?),
            Kind::Double => Stored::Double(f64::from_le_bytes(data.try_into().map_err(|_| Fault::Format)?)),
            Kind::Text => {
                let (collation, rest) = number(data)?;
                Stored::Text(u16::try_from(collation).map_err(|_| Fault::Charset)?, Cow::Borrowed(rest))
            }
            Kind::Decimal => decimal(data)?,
            Kind::Date => Stored::Date(date(data)?),
            Kind::Time => Stored::Time(time(data)?),
            Kind::DateTime => {
                let (day, rest) = data.split_at_checked(3).ok_or(Fault::Format)?;
                let (mut v, t) = (date(day)?, time(rest)?);
                if t.negative || t.hours > 23 {
                    return Err(Fault::Format);
                }
                (v.hour, v.minute, v.second, v.micros) = (t.hours as u8, t.minute, t.second, t.micros);
                Stored::DateTime(v)
            }
            Kind::Columns => Stored::Columns(Cow::Borrowed(data)),
        })
    }
}

/// An integer in as few bytes as it needs; 0 needs none.
fn put_uint(v: u64, out: &mut Vec<u8>) {
    let bytes = v.to_le_bytes();
    out.extend_from_slice(&bytes[..8 - v.leading_zeros() as usize / 8]);
}

fn uint(data: &[u8]) -> Outcome<u64> {
    if data.len() > 8 {
        return Err(Fault::Format);
    }
    Ok(data.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)))
}

/// A number in groups of seven bits, the lowest first; all but the last have the highest bit.
fn put_number(mut v: u64, out: &mut Vec<u8>) {
    while v > 0x7f {
        out.push(v as u8 | 0x80);
        v >>= 7;
    }
    out.push(v as u8);
}

fn number(data: &[u8]) -> Outcome<(u64, &[u8])> {
    let mut v = 0u64;
    for (i, b) in data.iter().enumerate().take(9) {
        v |= u64::from(b & 0x7f) << (7 * i);
        if b & 0x80 == 0 {
            return Ok((v, &data[i + 1..]));
        }
    }
    Err(Fault::Format)
}

/// Bytes of so many digits on one side of the point.
fn digits_len(digits: usize) -> usize {
    digits / GROUP * GROUP_BYTES[GROUP] + GROUP_BYTES[digits % GROUP]
}

/// The digits on both sides of the point, in groups of nine from the point on, each a big-endian number.
fn put_decimal(v: &Decimal, digits: u8, out: &mut Vec<u8>) {
    if v.is_zero() {
        return;
    }
    let text = v.abs().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.trim_start_matches('0');
    let int = usize::from(digits).max(whole.len());
    put_number(int as u64, out);
    put_number(fraction.len() as u64, out);
    let start = out.len();
    let whole = format!("{whole:0>int$}");
    let first = int % GROUP;
    let groups = [&whole.as_bytes()[..first]].into_iter().chain(whole.as_bytes()[first..].chunks(GROUP));
    for group in groups.chain(fraction.as_bytes().chunks(GROUP)) {
        let v = group.iter().fold(0u32, |v, b| v * 10 + u32::from(b - b'0'));
        out.extend_from_slice(&v.to_be_bytes()[4 - GROUP_BYTES[group.len()]..]);
    }
    if v.is_negative() {
        out[start..].iter_mut().for_each(|b| *b = !*b);
    }
    if let Some(first) = out.get_mut(start) {
        *first ^= 0x80;
    }
}

fn decimal<'a>(data: &[u8]) -> Outcome<Stored<'a>> {
    if data.is_empty() {
        return Ok(Stored::Decimal(Decimal::ZERO, 0));
    }
    let (int, rest) = number(data)?;
    let (scale, digits) = number(rest)?;
    let side = |n: u64| usize::try_from(n).ok().filter(|n| *n <= GROUPS * GROUP).ok_or(Fault::Format);
    let (int, scale) = (side(int)?, side(scale)?);
    let many = int.div_ceil(GROUP) + scale.div_ceil(GROUP) > GROUPS || int + scale == 0;
    if many || digits.len() != digits_len(int) + digits_len(scale) {
        return Err(Fault::Format);
    }
    let negative = digits[0] & 0x80 == 0;
    let mut text = if negative { b"-".to_vec() } else { Vec::new() };
    let mut at = 0;
    let mut take = |n: usize, text: &mut Vec<u8>| {
        let len = GROUP_BYTES[n];
        let mut v = 0u32;
        for (i, byte) in digits.iter().enumerate().skip(at).take(len) {
            let byte = byte ^ if i == 0 { 0x80 } else { 0 };
            v = v << 8 | u32::from(if negative { !byte } else { byte });
        }
        at += len;
        let shown = format!("{v:0>n$}");
        if shown.len() > n {
            return Err(Fault::Format);
        }
        text.extend_from_slice(shown.as_bytes());
        Ok(())
    };
    let groups = |digits: usize| std::iter::repeat_n(GROUP, digits / GROUP);
    let part = |digits: usize| Some(digits % GROUP).filter(|n| *n > 0);
    text.extend((int == 0).then_some(b'0'));
    for n in part(int).into_iter().chain(groups(int)) {
        take(n, &mut text)?;
    }
    if scale > 0 {
        text.push(b'.');
        for n in groups(scale).chain(part(scale)) {
            take(n, &mut text)?;
        }
    }
    Ok(Stored::Decimal(Decimal::parse(&text).value, int as u8))
}

fn put_date(v: DateTime, out: &mut Vec<u8>) {
    let bits = u32::from(v.year) << 9 | u32::from(v.month) << 5 | u32::from(v.day);
    out.extend_from_slice(&bits.to_le_bytes()[..3]);
}

fn date(data: &[u8]) -> Outcome<DateTime> {
    let [a, b, c] = *data else { return Err(Fault::Format) };
    let bits = u32::from_le_bytes([a, b, c, 0]);
    let (year, month, day) = (bits >> 9, bits >> 5 & 15, bits & 31);
    if year > 9999 || month > 12 {
        return Err(Fault::Format);
    }
    Ok(DateTime::date(year as u16, month as u8, day as u8))
}

fn put_time(v: Time, named: bool, out: &mut Vec<u8>) {
    let bits = u64::from(v.second) | u64::from(v.minute) << 6 | u64::from(v.hours) << 12;
    if named && v.micros == 0 {
        let bits = bits | u64::from(v.negative) << 23;
        out.extend_from_slice(&bits.to_le_bytes()[..3]);
    } else {
        let bits = u64::from(v.micros) | bits << 20 | u64::from(v.negative) << 42;
        out.extend_from_slice(&bits.to_le_bytes()[..6]);
    }
}

fn time(data: &[u8]) -> Outcome<Time> {
    let bits = uint(data)?;
    let (micros, bits, negative) = match data.len() {
        3 => (0, bits & 0x7f_ffff, bits >> 23 & 1),
        6 => (bits & 0xf_ffff, bits >> 20 & 0x3f_ffff, bits >> 42 & 1),
        _ => return Err(Fault::Format),
    };
    let (second, minute, hour) = (bits & 63, bits >> 6 & 63, bits >> 12);
    if second > 59 || minute > 59 || hour > HOURS || micros > 999_999 {
        return Err(Fault::Format);
    }
    Ok(Time {
        negative: negative == 1,
        hours: hour as u32,
        minute: minute as u8,
        second: second as u8,
        micros: micros as u32,
    })
}

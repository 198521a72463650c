//! Values of result rows: text and binary encodings of numbers, dates and times.
//!
//! The executor announces each column's type and then hands over values of that type. Should a value of another
//! kind come (an integer in a DOUBLE column), it is converted: a client reads by the announced type and would lose
//! the row's further columns.

use sql::number::{self, MAX_INTEGER};
use sql::result::{DateTime, Time};

use crate::protocol::column_type as ty;
use crate::wire::put_lenenc_bytes;

/// An integer as length-prefixed text, filled with zeros to `width`.
#[inline]
pub fn text_int(out: &mut Vec<u8>, negative: bool, magnitude: u64, width: usize) {
    // Length byte, sign and digits are put together here, so that the buffer is extended once.
    let mut digits = [0; MAX_INTEGER];
    let at = number::format_uint(magnitude, &mut digits);
    let length = MAX_INTEGER - at + usize::from(negative);
    out.reserve(MAX_INTEGER + 2 + width);
    out.push(length.max(width) as u8);
    if negative {
        out.push(b'-');
    }
    if width > length {
        out.resize(out.len() + width - length, b'0');
    }
    out.extend_from_slice(&digits[at..]);
}

/// A real number as length-prefixed text, filled with zeros to `width`.
pub fn text_real(out: &mut Vec<u8>, width: usize, put: impl FnOnce(&mut Vec<u8>)) {
    let prefix = out.len();
    out.push(0);
    put(out);
    let length = out.len() - prefix - 1;
    if length < width {
        out.splice(prefix + 1..prefix + 1, std::iter::repeat_n(b'0', width - length));
    }
    let length = length.max(width);
    if length < 251 {
        out[prefix] = length as u8;
    } else {
        // DOUBLE(255,30) of a large number.
        let [low, high] = (length as u16).to_le_bytes();
        out.splice(prefix..=prefix, [0xfc, low, high]);
    }
}

/// Two digits.
#[inline]
fn put2(out: &mut Vec<u8>, v: u8) {
    out.extend_from_slice(&[b'0' + v / 10 % 10, b'0' + v % 10]);
}

fn put_fraction(out: &mut Vec<u8>, micros: u32, decimals: u8) {
    if decimals > 0 {
        let mut digits = [b'0'; 6];
        let mut rest = micros;
        for digit in digits.iter_mut().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
        }
        out.push(b'.');
        out.extend_from_slice(&digits[..usize::from(decimals.min(6))]);
    }
}

/// Appends `2024-05-06`.
pub fn put_date(out: &mut Vec<u8>, m: &DateTime) {
    put2(out, (m.year / 100) as u8);
    put2(out, (m.year % 100) as u8);
    out.push(b'-');
    put2(out, m.month);
    out.push(b'-');
    put2(out, m.day);
}

/// `2024-05-06`, length-prefixed.
pub fn text_date(out: &mut Vec<u8>, m: &DateTime) {
    out.push(10);
    put_date(out, m);
}

fn fraction_length(decimals: u8) -> u8 {
    if decimals == 0 { 0 } else { decimals.min(6) + 1 }
}

/// `2024-05-06 07:08:09.123456`, length-prefixed.
pub fn text_datetime(out: &mut Vec<u8>, m: &DateTime, decimals: u8) {
    out.push(19 + fraction_length(decimals));
    put_datetime(out, m, decimals);
}

/// Appends `2024-05-06 07:08:09.123456`.
pub fn put_datetime(out: &mut Vec<u8>, m: &DateTime, decimals: u8) {
    put_date(out, m);
    out.push(b' ');
    put2(out, m.hour);
    out.push(b':');
    put2(out, m.minute);
    out.push(b':');
    put2(out, m.second);
    put_fraction(out, m.micros, decimals);
}

/// `-838:59:59.123456`, length-prefixed.
pub fn text_time(out: &mut Vec<u8>, t: &Time, decimals: u8) {
    let prefix = out.len();
    out.push(0);
    put_time(out, t, decimals);
    out[prefix] = (out.len() - prefix - 1) as u8;
}

/// Appends `-838:59:59.123456`.
pub fn put_time(out: &mut Vec<u8>, t: &Time, decimals: u8) {
    if t.negative {
        out.push(b'-');
    }
    if t.hours < 100 {
        put2(out, t.hours as u8);
    } else {
        number::put_uint(out, u64::from(t.hours));
    }
    out.push(b':');
    put2(out, t.minute);
    out.push(b':');
    put2(out, t.second);
    put_fraction(out, t.micros, decimals);
}

/// An integer in its column's type.
#[inline]
pub fn binary_int(out: &mut Vec<u8>, kind: u8, v: i64) {
    match kind {
        ty::LONG | ty::INT24 => out.extend_from_slice(&(v as i32).to_le_bytes()),
        ty::LONGLONG => out.extend_from_slice(&v.to_le_bytes()),
        ty::TINY => out.push(v as u8),
        ty::SHORT | ty::YEAR => out.extend_from_slice(&(v as i16).to_le_bytes()),
        ty::DOUBLE => out.extend_from_slice(&(v as f64).to_le_bytes()),
        ty::FLOAT => out.extend_from_slice(&(v as f32).to_le_bytes()),
        _ => text_int(out, v < 0, v.unsigned_abs(), 0),
    }
}

/// An unsigned integer in its column's type.
#[inline]
pub fn binary_uint(out: &mut Vec<u8>, kind: u8, v: u64) {
    match kind {
        ty::DOUBLE => out.extend_from_slice(&(v as f64).to_le_bytes()),
        ty::FLOAT => out.extend_from_slice(&(v as f32).to_le_bytes()),
        ty::LONG | ty::INT24 | ty::LONGLONG | ty::TINY | ty::SHORT | ty::YEAR => {
            binary_int(out, kind, v as i64)
        }
        _ => text_int(out, false, v, 0),
    }
}

/// A double in its column's type.
pub fn binary_double(out: &mut Vec<u8>, kind: u8, v: f64, decimals: u8) {
    match kind {
        ty::DOUBLE => out.extend_from_slice(&v.to_le_bytes()),
        ty::FLOAT => out.extend_from_slice(&(v as f32).to_le_bytes()),
        ty::LONG | ty::INT24 | ty::LONGLONG | ty::TINY | ty::SHORT | ty::YEAR => {
            binary_int(out, kind, v as i64)
        }
        _ => text_real(out, 0, |out| number::put_double(out, v, decimals)),
    }
}

/// A float in its column's type.
pub fn binary_float(out: &mut Vec<u8>, kind: u8, v: f32, decimals: u8) {
    match kind {
        ty::FLOAT => out.extend_from_slice(&v.to_le_bytes()),
        ty::VAR_STRING | ty::STRING | ty::VARCHAR => {
            text_real(out, 0, |out| number::put_float(out, v, decimals))
        }
        _ => binary_double(out, kind, f64::from(v), decimals),
    }
}

/// Bytes: of strings, decimals, bits, and of whatever is announced as such.
#[inline]
pub fn binary_bytes(out: &mut Vec<u8>, kind: u8, v: &[u8]) {
    match kind {
        ty::LONG | ty::INT24 | ty::LONGLONG | ty::TINY | ty::SHORT | ty::YEAR | ty::DOUBLE | ty::FLOAT => {
            binary_from_text(out, kind, v);
        }
        ty::DATE | ty::DATETIME | ty::TIMESTAMP | ty::TIME => out.push(0),
        _ => put_lenenc_bytes(out, v),
    }
}

#[cold]
fn binary_from_text(out: &mut Vec<u8>, kind: u8, v: &[u8]) {
    let text = std::str::from_utf8(v).unwrap_or("0").trim();
    match text.parse::<i64>() {
        Ok(v) => binary_int(out, kind, v),
        Err(_) => match text.parse::<u64>() {
            Ok(v) => binary_uint(out, kind, v),
            Err(_) => binary_double(out, kind, text.parse().unwrap_or(0.0), 31),
        },
    }
}

/// A date in its column's type.
pub fn binary_date(out: &mut Vec<u8>, kind: u8, m: &DateTime) {
    match kind {
        ty::DATE | ty::DATETIME | ty::TIMESTAMP | ty::NEWDATE => put_moment(out, m),
        ty::TIME => out.push(0),
        ty::LONG | ty::INT24 | ty::LONGLONG | ty::TINY | ty::SHORT | ty::YEAR | ty::DOUBLE | ty::FLOAT => {
            binary_uint(out, kind, u64::from(m.year) * 10_000 + u64::from(m.month) * 100 + u64::from(m.day));
        }
        _ => text_date(out, m),
    }
}

/// A date and time in its column's type.
pub fn binary_datetime(out: &mut Vec<u8>, kind: u8, m: &DateTime, decimals: u8) {
    match kind {
        ty::DATE | ty::DATETIME | ty::TIMESTAMP | ty::NEWDATE => put_moment(out, m),
        ty::TIME => {
            let time = Time {
                negative: false,
                hours: u32::from(m.hour),
                minute: m.minute,
                second: m.second,
                micros: m.micros,
            };
            put_duration(out, &time);
        }
        ty::LONG | ty::INT24 | ty::LONGLONG | ty::TINY | ty::SHORT | ty::YEAR | ty::DOUBLE | ty::FLOAT => {
            let date = u64::from(m.year) * 10_000 + u64::from(m.month) * 100 + u64::from(m.day);
            let time = u64::from(m.hour) * 10_000 + u64::from(m.minute) * 100 + u64::from(m.second);
            binary_uint(out, kind, date * 1_000_000 + time);
        }
        _ => text_datetime(out, m, decimals),
    }
}

/// A TIME in its column's type.
pub fn binary_time(out: &mut Vec<u8>, kind: u8, t: &Time, decimals: u8) {
    match kind {
        ty::TIME => put_duration(out, t),
        ty::DATE | ty::DATETIME | ty::TIMESTAMP | ty::NEWDATE => out.push(0),
        ty::LONG | ty::INT24 | ty::LONGLONG | ty::TINY | ty::SHORT | ty::YEAR | ty::DOUBLE | ty::FLOAT => {
            let v = i64::from(t.hours) * 10_000 + i64::from(t.minute) * 100 + i64::from(t.second);
            binary_int(out, kind, if t.negative { -v } else { v });
        }
        _ => text_time(out, t, decimals),
    }
}

/// Length and fields; fields that are zero at the end are left out.
fn put_moment(out: &mut Vec<u8>, m: &DateTime) {
    let length = if m.micros != 0 {
        11
    } else if m.hour != 0 || m.minute != 0 || m.second != 0 {
        7
    } else if m.year != 0 || m.month != 0 || m.day != 0 {
        4
    } else {
        0
    };
    let mut bytes = [0; 12];
    bytes[0] = length;
    bytes[1..3].copy_from_slice(&m.year.to_le_bytes());
    bytes[3..8].copy_from_slice(&[m.month, m.day, m.hour, m.minute, m.second]);
    bytes[8..12].copy_from_slice(&m.micros.to_le_bytes());
    out.extend_from_slice(&bytes[..usize::from(length) + 1]);
}

fn put_duration(out: &mut Vec<u8>, t: &Time) {
    let length = if t.micros != 0 {
        12
    } else if t.hours != 0 || t.minute != 0 || t.second != 0 {
        8
    } else {
        0
    };
    let mut bytes = [0; 13];
    bytes[0] = length;
    bytes[1] = u8::from(t.negative);
    bytes[2..6].copy_from_slice(&(t.hours / 24).to_le_bytes());
    bytes[6..9].copy_from_slice(&[(t.hours % 24) as u8, t.minute, t.second]);
    bytes[9..13].copy_from_slice(&t.micros.to_le_bytes());
    out.extend_from_slice(&bytes[..usize::from(length) + 1]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(put: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out);
        out
    }

    #[test]
    fn text_values() {
        assert_eq!(made(|o| text_int(o, false, 0, 0)), b"\x010");
        assert_eq!(made(|o| text_int(o, true, 1 << 63, 0)), b"\x14-9223372036854775808");
        assert_eq!(made(|o| text_int(o, false, 42, 5)), b"\x0500042");
        assert_eq!(made(|o| text_real(o, 6, |o| number::put_double(o, 1.5, 2))), b"\x06001.50");
        let moment = DateTime { year: 2024, month: 5, day: 6, hour: 7, minute: 8, second: 9, micros: 12 };
        assert_eq!(made(|o| text_date(o, &moment)), b"\x0a2024-05-06");
        assert_eq!(made(|o| text_datetime(o, &moment, 0)), b"\x132024-05-06 07:08:09");
        assert_eq!(made(|o| text_datetime(o, &moment, 6)), b"\x1a2024-05-06 07:08:09.000012");
        let time = Time { negative: true, hours: 838, minute: 59, second: 58, micros: 500_000 };
        assert_eq!(made(|o| text_time(o, &time, 1)), b"\x0c-838:59:58.5");
    }

    #[test]
    fn binary_values_have_the_announced_width() {
        for (kind, width) in [
            (ty::TINY, 1),
            (ty::SHORT, 2),
            (ty::YEAR, 2),
            (ty::INT24, 4),
            (ty::LONG, 4),
            (ty::LONGLONG, 8),
            (ty::FLOAT, 4),
            (ty::DOUBLE, 8),
        ] {
            let moment = DateTime { year: 2024, ..DateTime::default() };
            for out in [
                made(|o| binary_int(o, kind, -1)),
                made(|o| binary_uint(o, kind, 7)),
                made(|o| binary_double(o, kind, 1.5, 2)),
                made(|o| binary_float(o, kind, 1.5, 2)),
                made(|o| binary_bytes(o, kind, b"12")),
                made(|o| binary_bytes(o, kind, b"what")),
                made(|o| binary_date(o, kind, &moment)),
                made(|o| binary_datetime(o, kind, &moment, 0)),
                made(|o| binary_time(o, kind, &Time::default(), 0)),
            ] {
                assert_eq!(out.len(), width, "type {kind}");
            }
        }
        let time = Time { negative: true, hours: 49, minute: 2, second: 3, micros: 0 };
        assert_eq!(made(|o| binary_time(o, ty::TIME, &time, 0)), [8, 1, 2, 0, 0, 0, 1, 2, 3]);
        assert_eq!(made(|o| binary_date(o, ty::DATE, &DateTime::default())), [0]);
        let moment = DateTime { year: 2024, month: 1, day: 2, micros: 1, ..DateTime::default() };
        assert_eq!(
            made(|o| binary_datetime(o, ty::DATETIME, &moment, 6)),
            [11, 0xe8, 7, 1, 2, 0, 0, 0, 1, 0, 0, 0]
        );
    }
}

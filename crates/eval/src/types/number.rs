//! Numbers from text and to text.

use super::decimal::{Decimal, Rounding};
use crate::result::NOT_FIXED_DEC;

/// What reading a number from text met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Read<T> {
    /// The number, 0 when there was none.
    pub value: T,
    /// Bytes used up, leading spaces included; 0 when there was no number.
    pub used: usize,
    /// The number was out of range and became the nearest one.
    pub overflow: bool,
}

/// What follows a number in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Nothing.
    Clean,
    /// Only spaces: a note.
    Spaces,
    /// Something else, or there was no number: a warning.
    Garbage,
}

/// Judges what is left of `text` behind the `used` bytes of a number.
#[must_use]
pub fn rest(text: &[u8], used: usize) -> Rest {
    if used == 0 {
        return Rest::Garbage;
    }
    match text.get(used..) {
        None | Some([]) => Rest::Clean,
        Some(r) if r.iter().all(u8::is_ascii_whitespace) => Rest::Spaces,
        _ => Rest::Garbage,
    }
}

/// Reads an integer: spaces, sign, digits. Negative numbers are two's complement; `overflow` when
/// it is above 2^64-1 or below -2^63. The second value tells a minus sign.
#[must_use]
pub fn read_integer(text: &[u8]) -> (Read<u64>, bool) {
    let mut i = 0;
    while text.get(i).is_some_and(u8::is_ascii_whitespace) {
        i += 1;
    }
    let mut negative = false;
    if let Some(c @ (b'-' | b'+')) = text.get(i) {
        negative = *c == b'-';
        i += 1;
    }
    let start = i;
    let mut v = 0u64;
    let mut overflow = false;
    while let Some(c) = text.get(i).filter(|c| c.is_ascii_digit()) {
        match v.checked_mul(10).and_then(|v| v.checked_add(u64::from(c - b'0'))) {
            Some(n) => v = n,
            None => overflow = true,
        }
        i += 1;
    }
    if i == start {
        return (Read { value: 0, used: 0, overflow: false }, false);
    }
    if negative {
        if overflow || v > 1 << 63 {
            return (Read { value: 1 << 63, used: i, overflow: true }, true);
        }
        return (Read { value: v.wrapping_neg(), used: i, overflow: false }, true);
    }
    (Read { value: if overflow { u64::MAX } else { v }, used: i, overflow }, false)
}

/// Reads a double: spaces, sign, digits, point, exponent.
#[must_use]
pub fn read_double(text: &[u8]) -> Read<f64> {
    let mut i = 0;
    while text.get(i).is_some_and(u8::is_ascii_whitespace) {
        i += 1;
    }
    let start = i;
    if matches!(text.get(i), Some(b'-' | b'+')) {
        i += 1;
    }
    let digits = i;
    while text.get(i).is_some_and(u8::is_ascii_digit) {
        i += 1;
    }
    let mut any = i > digits;
    let int_end = i;
    if text.get(i) == Some(&b'.') {
        i += 1;
        let f = i;
        while text.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        any |= i > f;
    }
    if !any {
        return Read { value: 0.0, used: 0, overflow: false };
    }
    // A plain short integer needs no slow way.
    if i == int_end && i - digits <= 15 && !matches!(text.get(i), Some(b'e' | b'E')) {
        let v = text[digits..i].iter().fold(0u64, |v, c| v * 10 + u64::from(c - b'0')) as f64;
        let v = if text[start] == b'-' { -v } else { v };
        return Read { value: v, used: i, overflow: false };
    }
    if matches!(text.get(i), Some(b'e' | b'E')) {
        let mut j = i + 1;
        if matches!(text.get(j), Some(b'-' | b'+')) {
            j += 1;
        }
        let e = j;
        while text.get(j).is_some_and(u8::is_ascii_digit) {
            j += 1;
        }
        if j > e {
            i = j;
        }
    }
    let value: f64 = std::str::from_utf8(&text[start..i]).ok().and_then(|t| t.parse().ok()).unwrap_or(0.0);
    if value.is_infinite() {
        return Read { value: f64::MAX.copysign(value), used: i, overflow: true };
    }
    Read { value, used: i, overflow: false }
}

/// Appends an integer.
pub fn write_int(v: i64, out: &mut Vec<u8>) {
    if v < 0 {
        out.push(b'-');
    }
    write_uint(v.unsigned_abs(), out);
}

/// Appends an unsigned integer.
pub fn write_uint(mut v: u64, out: &mut Vec<u8>) {
    let mut buffer = [0u8; 20];
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + (v % 10) as u8;
        v /= 10;
        if v == 0 {
            break;
        }
    }
    out.extend_from_slice(&buffer[at..]);
}

/// Appends a double: with `decimals` digits after the point, or the shortest text that reads back
/// as the same number when that is [`NOT_FIXED_DEC`] (or 31).
pub fn write_double(v: f64, decimals: u8, out: &mut Vec<u8>) {
    use std::io::Write as _;
    if decimals < 31 {
        let start = out.len();
        // Digits beyond the shortest text of the number are zeros.
        let mut buffer = ryu::Buffer::new();
        let text = buffer.format_finite(v);
        if v.abs() >= 1e60 {
            write_large(text.as_bytes(), decimals, out);
            return;
        }
        let shortest = Decimal::parse(text.as_bytes());
        if !shortest.overflow && !shortest.truncated && shortest.value.scale() <= decimals {
            let scale = i32::from(decimals);
            shortest.value.round(scale, Rounding::HalfUp).0.write(out);
            return;
        }
        let _ = write!(out, "{:.*}", decimals as usize, v);
        // "-0.00" is printed without the sign.
        if out[start] == b'-' && out[start + 1..].iter().all(|c| matches!(c, b'0' | b'.')) {
            out.remove(start);
        }
        return;
    }
    if v == 0.0 {
        out.push(b'0');
        return;
    }
    let mut buffer = ryu::Buffer::new();
    write_shortest(buffer.format_finite(v).as_bytes(), out);
}

/// Lays out a number that has no fraction, given as digits with an exponent, with `decimals` zeros after the point.
fn write_large(text: &[u8], decimals: u8, out: &mut Vec<u8>) {
    let mut parts = text.splitn(2, |b| *b == b'e');
    let digits = parts.next().unwrap_or_default();
    let exponent = parts.next().and_then(|e| std::str::from_utf8(e).ok()?.parse::<usize>().ok()).unwrap_or(0);
    let whole = out.len() + 1 + exponent + usize::from(digits.first() == Some(&b'-'));
    out.extend(digits.iter().filter(|b| **b != b'.'));
    out.resize(whole, b'0');
    if decimals > 0 {
        out.push(b'.');
        out.resize(whole + 1 + usize::from(decimals), b'0');
    }
}

/// Appends a float: six significant digits, or `decimals` digits after the point.
pub fn write_float(v: f32, decimals: u8, out: &mut Vec<u8>) {
    if decimals < 31 {
        write_double(f64::from(v), decimals, out);
        return;
    }
    if v == 0.0 {
        out.push(b'0');
        return;
    }
    write_shortest(format!("{:.5e}", f64::from(v)).as_bytes(), out);
}

/// Lays out a number given as digits with optional point and exponent: plain while the point is at
/// most 15 places behind the first digit or 14 before it, else with an exponent.
fn write_shortest(text: &[u8], out: &mut Vec<u8>) {
    let mut digits = [0u8; 24];
    let mut n = 0;
    let mut point: i32 = 0;
    let mut seen_point = false;
    let mut exponent: i32 = 0;
    let mut i = 0;
    if text.first() == Some(&b'-') {
        out.push(b'-');
        i = 1;
    }
    while i < text.len() {
        match text[i] {
            b'.' => seen_point = true,
            b'e' | b'E' => {
                exponent = std::str::from_utf8(&text[i + 1..]).ok().and_then(|t| t.parse().ok()).unwrap_or(0);
                break;
            }
            c => {
                if n > 0 || c != b'0' {
                    if n < digits.len() {
                        digits[n] = c;
                        n += 1;
                    }
                    if !seen_point {
                        point += 1;
                    }
                } else if seen_point {
                    point -= 1;
                }
            }
        }
        i += 1;
    }
    while n > 1 && digits[n - 1] == b'0' {
        n -= 1;
    }
    let point = point + exponent;
    let digits = &digits[..n];
    if (-14..=15).contains(&point) || (point > 15 && (point as usize) < n) {
        if point <= 0 {
            out.extend_from_slice(b"0.");
            out.extend(std::iter::repeat_n(b'0', point.unsigned_abs() as usize));
            out.extend_from_slice(digits);
        } else {
            let p = point as usize;
            if n <= p {
                out.extend_from_slice(digits);
                out.extend(std::iter::repeat_n(b'0', p - n));
            } else {
                out.extend_from_slice(&digits[..p]);
                out.push(b'.');
                out.extend_from_slice(&digits[p..]);
            }
        }
    } else {
        out.push(digits[0]);
        if n > 1 {
            out.push(b'.');
            out.extend_from_slice(&digits[1..]);
        }
        out.push(b'e');
        write_int(i64::from(point - 1), out);
    }
}

/// The least double above all 64-bit integers with a sign, which the largest of them becomes as a double.
pub const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;

/// Rounds a double to an integer as conversions do (halves to even), within the signed or unsigned
/// range; the flag tells that it was outside.
#[must_use]
pub fn double_to_int(v: f64, unsigned: bool) -> (i64, bool) {
    let r = v.round_ties_even();
    if unsigned {
        if r < 0.0 {
            // A negative number in an unsigned place: the caller decides; the bits are those of i64.
            return (0, true);
        }
        if r >= 18_446_744_073_709_551_616.0 {
            return (-1, true);
        }
        (r as u64 as i64, false)
    } else if r >= TOO_LARGE {
        // the largest integer itself is this number as a double
        (i64::MAX, r > TOO_LARGE)
    } else if r < -9_223_372_036_854_775_808.0 {
        (i64::MIN, true)
    } else {
        (r as i64, false)
    }
}

/// A power of ten, the nearest double to it; infinite where there is none. Repeated multiplication is off by some digits
/// above 10^22.
#[must_use]
pub fn power_of_ten(n: i32) -> f64 {
    static POWERS: std::sync::LazyLock<Vec<f64>> = std::sync::LazyLock::new(|| {
        (0..=308).map(|n| format!("1e{n}").parse().unwrap_or(f64::INFINITY)).collect()
    });
    if n < 0 {
        return 1.0 / power_of_ten(n.saturating_neg());
    }
    POWERS.get(n as usize).copied().unwrap_or(f64::INFINITY)
}

/// The value rounded to `decimals` digits as ROUND() does on doubles; negative ones round before the
/// point. `truncate` cuts instead.
#[must_use]
pub fn round_double(v: f64, decimals: i64, truncate: bool) -> f64 {
    if !v.is_finite() {
        return v;
    }
    let places = decimals.unsigned_abs().min(400) as i32;
    let factor = power_of_ten(places);
    let cut = |x: f64| if truncate { x.trunc() } else { x.round_ties_even() };
    if decimals < 0 {
        if factor.is_infinite() {
            return 0.0;
        }
        return cut(v / factor) * factor;
    }
    let scaled = v * factor;
    if !scaled.is_finite() || !factor.is_finite() {
        return v;
    }
    cut(scaled) / factor
}

/// The value as a column of so many decimals keeps it: the whole part as it is, only what is behind the point is rounded.
#[must_use]
pub fn round_stored(v: f64, decimals: u8) -> f64 {
    let whole = v.floor();
    let step = power_of_ten(i32::from(decimals));
    whole + ((v - whole) * step).round_ties_even() / step
}

/// The decimal that a DECIMAL column or result of `scale` digits shows for a double.
#[must_use]
pub fn decimal_of_double(v: f64, scale: u8) -> (Decimal, bool) {
    let (d, overflow) = Decimal::from_f64(v);
    if scale == NOT_FIXED_DEC || d.scale() <= scale {
        return (d, overflow);
    }
    (d.round(i32::from(scale), Rounding::HalfUp).0, overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(v: f64) -> String {
        let mut out = Vec::new();
        write_double(v, NOT_FIXED_DEC, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn large_numbers_have_the_shortest_digits_and_zeros() {
        let fixed = |v: f64, decimals: u8| {
            let mut out = Vec::new();
            write_double(v, decimals, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(fixed(1.7e308, 2), format!("17{}.00", "0".repeat(307)));
        assert_eq!(fixed(-2.5e70, 0), format!("-25{}", "0".repeat(69)));
        assert_eq!(fixed(1e60, 1), format!("1{}.0", "0".repeat(60)));
        assert_eq!(fixed(power_of_ten(253), 0), format!("1{}", "0".repeat(253)));
        assert_eq!((power_of_ten(-3), power_of_ten(309)), (1e-3, f64::INFINITY));
    }

    #[test]
    fn doubles_as_the_server_prints_them() {
        for (v, t) in [
            (1e15, "1e15"),
            (1e14, "100000000000000"),
            (123_456_789_012_345_678.0, "1.2345678901234568e17"),
            (1e-5, "0.00001"),
            (1e-15, "0.000000000000001"),
            (1e-16, "1e-16"),
            (0.1 + 0.2, "0.30000000000000004"),
            (999_999_999_999_999.9, "999999999999999.9"),
            (-1.5e15, "-1.5e15"),
            (1.234_567_890_123_456_8e-14, "0.000000000000012345678901234568"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e308"),
            (5e-324, "5e-324"),
            (100.0, "100"),
            (0.0, "0"),
        ] {
            assert_eq!(text(v), t);
        }
        let float = |v: f32| {
            let mut out = Vec::new();
            write_float(v, NOT_FIXED_DEC, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(float(1.1), "1.1");
        assert_eq!(float(123_456_789.0), "123457000");
        assert_eq!(float(1e10), "10000000000");
        assert_eq!(float(1e-15), "0.000000000000001");
    }

    #[test]
    fn reads() {
        assert_eq!(read_double(b" 12abc"), Read { value: 12.0, used: 3, overflow: false });
        assert_eq!(read_double(b"1e"), Read { value: 1.0, used: 1, overflow: false });
        assert_eq!(read_double(b".5").value, 0.5);
        assert_eq!(read_double(b"abc").used, 0);
        assert!(read_double(b"1e400").overflow);
        assert_eq!(read_integer(b"-9223372036854775808").0.value as i64, i64::MIN);
        assert!(read_integer(b"18446744073709551616").0.overflow);
        assert_eq!(rest(b"12 ", 2), Rest::Spaces);
        assert_eq!(double_to_int(2.5, false), (2, false));
        assert_eq!(double_to_int(1e30, true), (-1, true));
    }
}

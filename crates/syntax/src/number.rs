//! Numbers as text, as MariaDB prints them: integers, DOUBLE and FLOAT.

use std::io::Write as _;

/// Decimals of a result column without a fixed number of them (`DOUBLE`, strings).
pub const NOT_FIXED_DEC: u8 = 39;

/// Digit pairs 00 to 99.
const PAIRS: &[u8; 200] = b"\
0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/// Longest decimal text of a 64-bit integer, in bytes.
pub const MAX_INTEGER: usize = 20;

/// Writes `v` right-aligned into `buffer`; gives where the text starts.
#[inline]
pub fn format_uint(mut v: u64, buffer: &mut [u8; MAX_INTEGER]) -> usize {
    let mut at = MAX_INTEGER;
    while v >= 100 {
        let pair = (v % 100) as usize * 2;
        v /= 100;
        at -= 2;
        buffer[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if v >= 10 {
        let pair = v as usize * 2;
        at -= 2;
        buffer[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        at -= 1;
        buffer[at] = b'0' + v as u8;
    }
    at
}

/// Appends the text of an unsigned integer.
#[inline]
pub fn put_uint(out: &mut Vec<u8>, v: u64) {
    let mut buffer = [0; MAX_INTEGER];
    let at = format_uint(v, &mut buffer);
    out.extend_from_slice(&buffer[at..]);
}

/// Appends the text of a signed integer.
#[inline]
pub fn put_int(out: &mut Vec<u8>, v: i64) {
    if v < 0 {
        out.push(b'-');
    }
    put_uint(out, v.unsigned_abs());
}

/// Appends the text of a double: `decimals` digits after the point, or the shortest text that reads back as the
/// same value when `decimals` is [`NOT_FIXED_DEC`] or more.
pub fn put_double(out: &mut Vec<u8>, v: f64, decimals: u8) {
    if !v.is_finite() {
        out.extend_from_slice(if v.is_nan() {
            b"nan"
        } else if v > 0.0 {
            b"inf"
        } else {
            b"-inf"
        });
    } else if decimals >= 31.min(NOT_FIXED_DEC) {
        let mut buffer = ryu::Buffer::new();
        put_shortest(out, buffer.format_finite(v).as_bytes());
    } else {
        put_fixed(out, v, decimals);
    }
}

/// Appends the text of a float: `decimals` digits after the point, or at most six significant ones when `decimals`
/// is [`NOT_FIXED_DEC`] or more.
pub fn put_float(out: &mut Vec<u8>, v: f32, decimals: u8) {
    if decimals < 31.min(NOT_FIXED_DEC) || !v.is_finite() {
        put_double(out, f64::from(v), decimals);
        return;
    }
    let mut text = [0; 16];
    let mut rest = &mut text[..];
    // Fits always: sign, six digits, point, exponent.
    let _ = write!(rest, "{:.5e}", f64::from(v));
    let left = rest.len();
    put_shortest(out, &text[..16 - left]);
}

/// The digits of a number: `0.d1d2d3... * 10^point`, no zeros at either end.
struct Digits {
    digits: [u8; 32],
    count: usize,
    point: i32,
    negative: bool,
}

impl Digits {
    /// Takes the digits out of a text such as `1.5e-7`, `0.00012`, `123.0`.
    fn of(text: &[u8]) -> Self {
        let (negative, text) = match text.split_first() {
            Some((b'-', rest)) => (true, rest),
            _ => (false, text),
        };
        let (mantissa, mut point) = match text.iter().position(|&b| b == b'e') {
            Some(at) => (&text[..at], parse_exponent(&text[at + 1..])),
            None => (text, 0),
        };
        let (mut digits, mut count, mut seen_point) = ([0; 32], 0, false);
        for &b in mantissa {
            if b == b'.' {
                seen_point = true;
            } else if count > 0 || b != b'0' {
                if count < digits.len() {
                    digits[count] = b;
                    count += 1;
                }
                point += i32::from(!seen_point);
            } else if seen_point {
                point -= 1;
            }
        }
        while count > 0 && digits[count - 1] == b'0' {
            count -= 1;
        }
        Self { digits, count, point: if count == 0 { 0 } else { point }, negative: negative && count > 0 }
    }

    /// Appends the number without an exponent, with at least `decimals` digits after the point.
    fn put_plain(&self, out: &mut Vec<u8>, decimals: usize) {
        if self.negative {
            out.push(b'-');
        }
        let digits = &self.digits[..self.count];
        let whole = usize::try_from(self.point).unwrap_or(0);
        if whole == 0 {
            out.push(b'0');
        } else {
            out.extend_from_slice(&digits[..whole.min(self.count)]);
            out.resize(out.len() + whole.saturating_sub(self.count), b'0');
        }
        let fraction = digits.get(whole..).unwrap_or(&[]);
        let zeros = if fraction.is_empty() { 0 } else { usize::try_from(-self.point).unwrap_or(0) };
        if !fraction.is_empty() || decimals > 0 {
            out.push(b'.');
            out.resize(out.len() + zeros, b'0');
            out.extend_from_slice(fraction);
            out.resize(out.len() + decimals.saturating_sub(zeros + fraction.len()), b'0');
        }
    }

    /// How many digits stand after the point.
    fn fraction(&self) -> usize {
        usize::try_from(self.count as i32 - self.point).unwrap_or(0)
    }
}

/// Fixed decimals. MariaDB pads the shortest text with zeros, it does not print the binary value's further digits.
fn put_fixed(out: &mut Vec<u8>, v: f64, decimals: u8) {
    let decimals = usize::from(decimals);
    let mut buffer = ryu::Buffer::new();
    let digits = Digits::of(buffer.format_finite(v).as_bytes());
    if digits.fraction() <= decimals {
        digits.put_plain(out, decimals);
    } else {
        // Writing to memory does not fail.
        let _ = write!(out, "{v:.decimals$}");
    }
}

/// Rewrites `text` in MariaDB's form: plain from 1e-15 to 1e15, and a digit beyond for those with a fraction; else
/// with an exponent.
fn put_shortest(out: &mut Vec<u8>, text: &[u8]) {
    let digits = Digits::of(text);
    if (-14..=15).contains(&digits.point) || (digits.point == 16 && digits.fraction() > 0) {
        digits.put_plain(out, 0);
        return;
    }
    if digits.negative {
        out.push(b'-');
    }
    out.push(digits.digits[0]);
    if digits.count > 1 {
        out.push(b'.');
        out.extend_from_slice(&digits.digits[1..digits.count]);
    }
    out.push(b'e');
    put_int(out, i64::from(digits.point - 1));
}

fn parse_exponent(text: &[u8]) -> i32 {
    std::str::from_utf8(text).ok().and_then(|t| t.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(v: f64, decimals: u8) -> String {
        let mut out = Vec::new();
        put_double(&mut out, v, decimals);
        String::from_utf8(out).expect("text")
    }

    fn float(v: f32) -> String {
        let mut out = Vec::new();
        put_float(&mut out, v, NOT_FIXED_DEC);
        String::from_utf8(out).expect("text")
    }

    /// Each pair was printed by MariaDB 10.11 from a DOUBLE and a FLOAT column.
    #[test]
    fn reals_as_mariadb_prints_them() {
        for (v, d, f) in [
            (1e-20, "1e-20", "1e-20"),
            (1.4999999999999998e-20, "1.4999999999999998e-20", "1.5e-20"),
            (-9.9999949e-20, "-9.9999949e-20", "-1e-19"),
            (-1e-15, "-0.000000000000001", "-0.000000000000001"),
            (9.9999949e-16, "9.9999949e-16", "9.99999e-16"),
            (1.2345678901234568e-14, "0.000000000000012345678901234568", "0.0000000000000123457"),
            (0.1, "0.1", "0.1"),
            (0.012345678901234567, "0.012345678901234567", "0.0123457"),
            (0.0, "0", "0"),
            (-0.0, "0", "0"),
            (100.0, "100", "100"),
            (99999.95, "99999.95", "100000"),
            (12345678.901234567, "12345678.901234567", "12345700"),
            (1234567890.1234567, "1234567890.1234567", "1234570000"),
            (123456789012345.67, "123456789012345.67", "123457000000000"),
            (1e14, "100000000000000", "100000000000000"),
            (1e15, "1e15", "1e15"),
            (1234567890123456.8, "1234567890123456.8", "1.23457e15"),
            (1428571428571428.5, "1428571428571428.5", "1.42857e15"),
            (1234567890123456.0, "1.234567890123456e15", "1.23457e15"),
            (1.5e16, "1.5e16", "1.5e16"),
            (9.999999999999999e24, "9.999999999999999e24", "1e25"),
        ] {
            assert_eq!(double(v, NOT_FIXED_DEC), d);
            assert_eq!(float(v as f32), f);
        }
        assert_eq!(double(1e300, NOT_FIXED_DEC), "1e300");
        assert_eq!(double(f64::MIN_POSITIVE, NOT_FIXED_DEC), "2.2250738585072014e-308");
        for (v, decimals, text) in [
            (1.005, 2, "1.00"),
            (2.5, 0, "2"),
            (-0.0, 1, "0.0"),
            (0.1, 30, "0.100000000000000000000000000000"),
            (2e22 / 3.0, 2, "6666666666666667000000.00"),
            (f64::from(0.1f32), 20, "0.10000000149011612000"),
            (16777218.0, 20, "16777218.00000000000000000000"),
            (3.333333333e-21, 30, "0.000000000000000000003333333333"),
            (0.05, 1, "0.1"),
            (0.000001, 3, "0.000"),
        ] {
            assert_eq!(double(v, decimals), text);
        }
    }

    #[test]
    fn integers() {
        for v in [0, 1, 9, 10, 99, 100, 12345, u64::MAX] {
            let mut out = Vec::new();
            put_uint(&mut out, v);
            assert_eq!(out, v.to_string().as_bytes());
        }
        let mut out = Vec::new();
        put_int(&mut out, i64::MIN);
        assert_eq!(out, i64::MIN.to_string().as_bytes());
    }
}

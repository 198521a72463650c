//! Temporal values as text.

use super::{DateTime, MICRO_UNIT, Time};

fn two(out: &mut Vec<u8>, v: u8) {
    out.extend_from_slice(&[b'0' + v / 10 % 10, b'0' + v % 10]);
}

/// Appends `YYYY-MM-DD`.
pub fn write_date(d: DateTime, out: &mut Vec<u8>) {
    two(out, (d.year / 100 % 100) as u8);
    two(out, (d.year % 100) as u8);
    out.push(b'-');
    two(out, d.month);
    out.push(b'-');
    two(out, d.day);
}

/// Appends `.` and `digits` digits of a fraction; nothing for 0 digits.
pub fn write_fraction(micros: u32, digits: u8, out: &mut Vec<u8>) {
    let digits = digits.min(6);
    if digits == 0 {
        return;
    }
    out.push(b'.');
    let mut v = micros / MICRO_UNIT[digits as usize];
    let start = out.len();
    out.resize(start + digits as usize, b'0');
    for b in out[start..].iter_mut().rev() {
        *b = b'0' + (v % 10) as u8;
        v /= 10;
    }
}

/// Appends `YYYY-MM-DD hh:mm:ss[.f]`.
pub fn write_datetime(d: DateTime, digits: u8, out: &mut Vec<u8>) {
    write_date(d, out);
    out.push(b' ');
    two(out, d.hour);
    out.push(b':');
    two(out, d.minute);
    out.push(b':');
    two(out, d.second);
    write_fraction(d.micros, digits, out);
}

/// Appends `[-]hh:mm:ss[.f]`.
pub fn write_time(t: Time, digits: u8, out: &mut Vec<u8>) {
    if t.negative {
        out.push(b'-');
    }
    if t.hours >= 100 {
        out.push(b'0' + (t.hours / 100 % 10) as u8);
    }
    two(out, (t.hours % 100) as u8);
    out.push(b':');
    two(out, t.minute);
    out.push(b':');
    two(out, t.second);
    write_fraction(t.micros, digits, out);
}

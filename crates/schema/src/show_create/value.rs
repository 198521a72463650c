//! Stored bytes of values as text.

use std::fmt::Write;

use crate::definition::{ColumnDef, ColumnType, NOT_FIXED_DECIMALS};

/// Types whose values are printed without quotes.
pub(super) fn is_number(ty: &ColumnType) -> bool {
    ty.is_integer()
        || matches!(
            ty,
            ColumnType::Float { .. }
                | ColumnType::Double { .. }
                | ColumnType::Decimal { .. }
                | ColumnType::OldDecimal { .. }
                | ColumnType::Year
        )
}

/// The text of a stored value (see [`crate::definition::DefaultValue::Value`]),
/// strings in the column's own character set. BIT comes as `b'101'`.
/// `utc_offset` gives the time zone's offset in seconds for TIMESTAMP.
#[must_use]
pub fn value_text(column: &ColumnDef, value: &[u8], utc_offset: &dyn Fn(i64) -> i64) -> Vec<u8> {
    let text = match &column.ty {
        ty if ty.is_integer() => integer(column, value),
        ColumnType::Float { decimals } => {
            let float = f32::from_le_bytes(array(value));
            zero_padded(column, real(f64::from(float), *decimals, true))
        }
        ColumnType::Double { decimals } => {
            let double = f64::from_le_bytes(array(value));
            zero_padded(column, real(double, *decimals, false))
        }
        ColumnType::Decimal { precision, scale } => {
            let text = decimal(value, *precision, *scale);
            let width = usize::from(*precision) + usize::from(*scale > 0);
            if column.zerofill { fill(text, width) } else { text }
        }
        ColumnType::OldDecimal { .. } => String::from_utf8_lossy(value).trim_start().to_owned(),
        ColumnType::Year => {
            let year = value.first().map_or(0, |&y| u32::from(y));
            match (column.width, year) {
                (2, y) => format!("{:02}", y % 100),
                (_, 0) => "0000".to_owned(),
                (_, y) => (1900 + y).to_string(),
            }
        }
        ColumnType::Bit { .. } => format!("b'{:b}'", big_endian(value)),
        ColumnType::Date => {
            let n = u32::from_le_bytes(array(value));
            format!("{:04}-{:02}-{:02}", n >> 9, n >> 5 & 15, n & 31)
        }
        ColumnType::OldDate => {
            let n = u32::from_le_bytes(array(value));
            format!("{:04}-{:02}-{:02}", n / 10_000, n / 100 % 100, n % 100)
        }
        ColumnType::Time { decimals } => time(value, *decimals),
        ColumnType::OldTime { decimals } => old_time(value, *decimals),
        ColumnType::DateTime { decimals } => datetime(value, *decimals),
        ColumnType::OldDateTime { decimals } => old_datetime(value, *decimals),
        ColumnType::Timestamp { decimals } => {
            let (seconds, rest) = value.split_at_checked(4).unwrap_or((value, &[]));
            let micros = fraction_micros(big_endian(rest), *decimals);
            timestamp(big_endian(seconds) as i64, micros, *decimals, utc_offset)
        }
        ColumnType::OldTimestamp { decimals: 0 } => {
            let seconds = u32::from_le_bytes(array(value));
            timestamp(i64::from(seconds), 0, 0, utc_offset)
        }
        ColumnType::OldTimestamp { decimals } => {
            let (seconds, rest) = value.split_at_checked(4).unwrap_or((value, &[]));
            let micros = big_endian(rest) * 10u64.pow(6 - u32::from(*decimals).min(6));
            timestamp(big_endian(seconds) as i64, micros, *decimals, utc_offset)
        }
        ColumnType::Enum { values } => {
            let n = little_endian(value) as usize;
            return n.checked_sub(1).and_then(|i| values.get(i)).map_or_else(Vec::new, |v| v.to_vec());
        }
        ColumnType::Set { values } => {
            let bits = little_endian(value);
            let mut out = Vec::new();
            let mut comma = Vec::new();
            column.collation.charset.encode(u32::from(b','), &mut comma);
            for (i, member) in values.iter().enumerate().take(64) {
                if bits >> i & 1 != 0 {
                    if !out.is_empty() {
                        out.extend_from_slice(&comma);
                    }
                    out.extend_from_slice(member);
                }
            }
            return out;
        }
        ColumnType::Uuid => uuid(value),
        ColumnType::Inet4 => match *value {
            [a, b, c, d] => format!("{a}.{b}.{c}.{d}"),
            _ => String::new(),
        },
        ColumnType::Inet6 => inet6(value),
        _ => return value.to_vec(),
    };
    text.into_bytes()
}

/// The first bytes of a value, zeros if it is too short.
fn array<const N: usize>(value: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    let len = value.len().min(N);
    out[..len].copy_from_slice(&value[..len]);
    out
}

fn little_endian(value: &[u8]) -> u64 {
    u64::from_le_bytes(array(value))
}

fn big_endian(value: &[u8]) -> u64 {
    value.iter().take(8).fold(0, |n, &b| n << 8 | u64::from(b))
}

fn integer(column: &ColumnDef, value: &[u8]) -> String {
    let n = little_endian(value);
    if column.unsigned {
        return zero_padded(column, n.to_string());
    }
    let unused = 64 - 8 * value.len().clamp(1, 8) as u32;
    ((n << unused) as i64 >> unused).to_string()
}

/// ZEROFILL: zeros on the left up to the display width.
fn zero_padded(column: &ColumnDef, text: String) -> String {
    if column.zerofill { fill(text, usize::from(column.width)) } else { text }
}

fn fill(text: String, width: usize) -> String {
    format!("{text:0>width$}")
}

/// A FLOAT or DOUBLE as the server prints it: fixed decimals, or the shortest
/// digits (six for FLOAT), plain while the exponent is moderate.
fn real(value: f64, decimals: u8, single: bool) -> String {
    if decimals < NOT_FIXED_DECIMALS {
        let decimals = usize::from(decimals);
        let shortest = value.to_string();
        let digits = shortest.split_once('.').map_or(0, |(_, f)| f.len());
        if digits > decimals {
            return format!("{value:.decimals$}");
        }
        let point = if digits == 0 && decimals > 0 { "." } else { "" };
        return format!("{shortest}{point}{}", "0".repeat(decimals - digits));
    }
    let scientific = if single { format!("{value:.5e}") } else { format!("{value:e}") };
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.replace('.', "");
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return format!("{sign}0");
    }
    let point = exponent + 1;
    let len = digits.len() as i32;
    if (-14..=15).contains(&point) || (point > 15 && len > point) {
        return if point <= 0 {
            format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
        } else if len <= point {
            format!("{sign}{digits}{}", "0".repeat((point - len) as usize))
        } else {
            let (whole, part) = digits.split_at(point as usize);
            format!("{sign}{whole}.{part}")
        };
    }
    match digits.split_at(1) {
        (first, "") => format!("{sign}{first}e{exponent}"),
        (first, rest) => format!("{sign}{first}.{rest}e{exponent}"),
    }
}

/// A binary DECIMAL.
fn decimal(value: &[u8], precision: u8, scale: u8) -> String {
    const LEFT: [usize; 9] = [0, 1, 1, 2, 2, 3, 3, 4, 4];
    let whole = usize::from(precision.saturating_sub(scale));
    let scale = usize::from(scale);
    let negative = value.first().is_some_and(|b| b & 0x80 == 0);
    let mut bytes: Vec<u8> = value.to_vec();
    if let Some(first) = bytes.first_mut() {
        *first ^= 0x80;
    }
    if negative {
        bytes.iter_mut().for_each(|b| *b = !*b);
    }
    let mut rest = bytes.as_slice();
    let mut group = |digits: usize| {
        let size = if digits == 9 { 4 } else { LEFT[digits] };
        let (head, tail) = rest.split_at(size.min(rest.len()));
        rest = tail;
        match digits {
            0 => String::new(),
            _ => format!("{:0digits$}", big_endian(head)),
        }
    };
    let mut text = group(whole % 9);
    for _ in 0..whole / 9 {
        text += &group(9);
    }
    let mut part = String::new();
    for _ in 0..scale / 9 {
        part += &group(9);
    }
    part += &group(scale % 9);
    let text = match text.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let sign = if negative { "-" } else { "" };
    match part.as_str() {
        "" => format!("{sign}{text}"),
        part => format!("{sign}{text}.{part}"),
    }
}

/// Microseconds of a fraction in the big-endian forms.
fn fraction_micros(fraction: u64, decimals: u8) -> u64 {
    match decimals {
        0 => 0,
        1..=2 => fraction * 10_000,
        3..=4 => fraction * 100,
        _ => fraction,
    }
}

fn push_fraction(text: &mut String, micros: u64, decimals: u8) {
    if decimals > 0 {
        let digits = format!("{:06}", micros % 1_000_000);
        let _ = write!(text, ".{}", &digits[..usize::from(decimals.min(6))]);
    }
}

fn time(value: &[u8], decimals: u8) -> String {
    let fraction_bits = 8 * (value.len().clamp(3, 8) as u32 - 3);
    let packed = big_endian(value) as i64 - (0x80_0000i64 << fraction_bits);
    let sign = if packed < 0 { "-" } else { "" };
    let packed = packed.unsigned_abs();
    let hms = packed >> fraction_bits;
    let micros = fraction_micros(packed & ((1 << fraction_bits) - 1), decimals);
    let mut text = format!("{sign}{:02}:{:02}:{:02}", hms >> 12 & 0x3ff, hms >> 6 & 63, hms & 63);
    push_fraction(&mut text, micros, decimals);
    text
}

fn old_time(value: &[u8], decimals: u8) -> String {
    let (sign, seconds, micros) = if decimals == 0 {
        let n = (u32::from_le_bytes(array(value)) << 8) as i32 >> 8;
        let a = u64::from(n.unsigned_abs());
        let seconds = a / 10_000 * 3600 + a / 100 % 100 * 60 + a % 100;
        (n < 0, seconds, 0)
    } else {
        let unit = 10i64.pow(u32::from(decimals.min(6)));
        let n = big_endian(value) as i64 - 3_020_400 * unit;
        let a = n.unsigned_abs();
        let micros = a % unit as u64 * (1_000_000 / unit as u64);
        (n < 0, a / unit as u64, micros)
    };
    let mut text = format!(
        "{}{:02}:{:02}:{:02}",
        if sign { "-" } else { "" },
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    push_fraction(&mut text, micros, decimals);
    text
}

fn datetime(value: &[u8], decimals: u8) -> String {
    let (head, rest) = value.split_at_checked(5).unwrap_or((value, &[]));
    let packed = big_endian(head) & 0x7f_ffff_ffff;
    let (day, hms) = (packed >> 17, packed & 0x1_ffff);
    let months = day >> 5;
    let mut text = format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        months / 13,
        months % 13,
        day & 31,
        hms >> 12,
        hms >> 6 & 63,
        hms & 63
    );
    push_fraction(&mut text, fraction_micros(big_endian(rest), decimals), decimals);
    text
}

fn old_datetime(value: &[u8], decimals: u8) -> String {
    if decimals == 0 {
        let n = little_endian(value);
        let (date, time) = (n / 1_000_000, n % 1_000_000);
        return format!(
            "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
            date / 10_000,
            date / 100 % 100,
            date % 100,
            time / 10_000,
            time / 100 % 100,
            time % 100
        );
    }
    let unit = 10u64.pow(u32::from(decimals.min(6)));
    let n = big_endian(value);
    let micros = n % unit * (1_000_000 / unit);
    let mut n = n / unit;
    let mut take = |base: u64| {
        let digit = n % base;
        n /= base;
        digit
    };
    let (second, minute, hour) = (take(60), take(60), take(24));
    let (day, month) = (take(32), take(13));
    let mut text = format!("{n:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
    push_fraction(&mut text, micros, decimals);
    text
}

fn timestamp(seconds: i64, micros: u64, decimals: u8, utc_offset: &dyn Fn(i64) -> i64) -> String {
    if seconds == 0 && micros == 0 {
        let mut text = "0000-00-00 00:00:00".to_owned();
        push_fraction(&mut text, 0, decimals);
        return text;
    }
    let local = seconds.saturating_add(utc_offset(seconds));
    let (days, second) = (local.div_euclid(86_400), local.rem_euclid(86_400));
    // Civil date from days since 1970-01-01, years starting in March.
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let mut text = format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60
    );
    push_fraction(&mut text, micros, decimals);
    text
}

/// A UUID from its stored order: time-based versions are stored swapped.
fn uuid(value: &[u8]) -> String {
    let stored: [u8; 16] = array(value);
    let swapped = stored[6] >= 0x80 && (0x01..=0x80).contains(&stored[8]);
    let mut bytes = stored;
    if swapped {
        bytes[10..16].copy_from_slice(&stored[..6]);
        bytes[8..10].copy_from_slice(&stored[6..8]);
        bytes[6..8].copy_from_slice(&stored[8..10]);
        bytes[4..6].copy_from_slice(&stored[10..12]);
        bytes[..4].copy_from_slice(&stored[12..16]);
    }
    let mut text = String::with_capacity(36);
    for (i, byte) in bytes.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// An IPv6 address: the longest run of zero groups shortened, embedded IPv4
/// addresses in their own form.
fn inet6(value: &[u8]) -> String {
    let bytes: [u8; 16] = array(value);
    let groups: Vec<u16> =
        bytes.chunks_exact(2).map(|pair| u16::from(pair[0]) << 8 | u16::from(pair[1])).collect();
    let (mut gap, mut gap_len) = (8, 0);
    let mut i = 0;
    while i < 8 {
        let run = groups[i..].iter().take_while(|&&g| g == 0).count();
        if run > gap_len {
            (gap, gap_len) = (i, run);
        }
        i += run.max(1);
    }
    let v4 = gap == 0 && (gap_len == 6 || (gap_len == 5 && groups[5] == 0xffff));
    let mut text = String::new();
    let mut i = 0;
    while i < 8 {
        if i == gap {
            text.push_str("::");
            i += gap_len;
            continue;
        }
        if v4 && i == 6 {
            if !text.ends_with(':') {
                text.push(':');
            }
            let _ = write!(text, "{}.{}.{}.{}", bytes[12], bytes[13], bytes[14], bytes[15]);
            break;
        }
        if !text.is_empty() && !text.ends_with(':') {
            text.push(':');
        }
        let _ = write!(text, "{:x}", groups[i]);
        i += 1;
    }
    text
}

//! DATE_FORMAT, TIME_FORMAT, STR_TO_DATE, GET_FORMAT.

use super::temporal::{date_arg, put_datetime, put_time};
use super::{Call, Resolve};
use crate::error::SqlResult;
use crate::types::convert::{self, date_rules};
use crate::types::temporal::{DateTime, Time, calendar};
use crate::types::{Class, FieldType, Value};
use std::borrow::Cow;
use std::io::Write as _;

/// The type of DATE_FORMAT(date, format [, locale]).
pub(super) fn format_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(1)?;
    if r.len() == 3 {
        r.plain_text(2)?;
    }
    let chars = longest(&r.args[1]);
    // the names of days and months are ASCII in English, which a third argument need not be
    let mut t = r.ascii_text(chars).with_nullable(true);
    (t.derivation, t.ascii) = (r.args[1].ty.derivation, r.args[1].ty.ascii && r.len() == 2);
    Ok(t)
}

/// The type of TIME_FORMAT.
pub(super) fn time_format_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    format_type(r)
}

/// Longest text of a format that is an argument.
pub(super) fn longest(format: &crate::expr::Expr) -> u64 {
    match format.as_literal() {
        Some(Value::Bytes(b)) => format_length(&utf8(&format.ty, b)),
        _ => u64::from(format.ty.length) * 10,
    }
}

/// Longest text of a format.
fn format_length(b: &[u8]) -> u64 {
    let mut n = 0;
    let mut i = 0;
    while i < b.len() {
        if b[i] != b'%' || i + 1 == b.len() {
            n += 1;
            i += 1;
            continue;
        }
        n += match b[i + 1] {
            b'M' | b'W' => 64,
            b'D' | b'Y' | b'x' | b'X' => 4,
            b'a' | b'b' => 32,
            b'j' => 3,
            b'r' => 11,
            b'T' => 8,
            b'f' => 6,
            b'u' | b'w' => 1,
            b'm' | b'd' | b'h' | b'i' | b'I' | b'l' | b'p' | b'S' | b's' | b'c' | b'e' | b'y' | b'U'
            | b'V' | b'v' => 2,
            // of a time there may be more than 99
            b'k' | b'H' => 7,
            _ => 2,
        };
        i += 2;
    }
    n
}

/// `DATE_FORMAT`.
pub(super) fn date_format(c: &mut Call<'_, '_>) -> SqlResult<()> {
    // A time has no date.
    let time = match c.value(0) {
        crate::types::ValueRef::Time(t) => Some(t),
        _ => None,
    };
    let d = match time {
        Some(_) => DateTime::default(),
        None => match date_arg(c, 0) {
            Some(d) => d,
            None => return c.null(),
        },
    };
    let Some(format) = c.bytes(1) else { return c.null() };
    if format.is_empty() {
        return c.null();
    }
    let locale = match c.len() {
        3 => c.bytes(2).map(|l| String::from_utf8_lossy(l).into_owned()).unwrap_or_default(),
        _ => c.ctx.lc_time_names.to_string(),
    };
    if let Some(t) = time {
        let mut out = Vec::new();
        if t.negative {
            out.push(b'-');
        }
        let format = utf8(c.ty(1), format);
        if !write(&d, t, &format, &locale, false, &mut out) {
            return c.null();
        }
        return put_text(c, &out);
    }
    put_formatted(c, d, format, &locale)
}

/// `TIME_FORMAT`.
pub(super) fn time_format(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    let ty = c.ty(0);
    let Some(t) = convert::to_time(v, ty, c.ctx) else { return c.null() };
    let Some(format) = c.bytes(1) else { return c.null() };
    if format.is_empty() {
        return c.null();
    }
    let mut out = Vec::new();
    if t.negative {
        out.push(b'-');
    }
    let format = utf8(c.ty(1), format);
    if !write(&DateTime::default(), t, &format, "en_US", true, &mut out) {
        return c.null();
    }
    put_text(c, &out)
}

/// Puts a date formatted in the names of a locale.
pub(super) fn put_formatted(c: &mut Call<'_, '_>, d: DateTime, format: &[u8], locale: &str) -> SqlResult<()> {
    let mut out = Vec::new();
    let format = utf8(c.ty(1), format);
    if !write(&d, d.time(), &format, locale, false, &mut out) {
        return c.null();
    }
    put_text(c, &out)
}

/// A text of this type in UTF-8.
pub(super) fn utf8<'b>(ty: &FieldType, text: &'b [u8]) -> Cow<'b, [u8]> {
    let cs = ty.collation.charset;
    let same = cs.mbminlen == 1 && text.is_ascii() || cs.name.starts_with("utf8") || ty.collation.id == 63;
    match charset::Charset::by_name("utf8mb4") {
        Some(to) if !same => {
            let mut out = Vec::new();
            cs.convert(text, to, &mut out);
            out.into()
        }
        _ => text.into(),
    }
}

fn put_text(c: &mut Call<'_, '_>, text: &[u8]) -> SqlResult<()> {
    let s = String::from_utf8_lossy(text).into_owned();
    c.put_utf8(&s)
}

/// Writes a format; false when a part does not exist (NULL then).
fn write(d: &DateTime, t: Time, format: &[u8], locale: &str, time_only: bool, out: &mut Vec<u8>) -> bool {
    let names = super::locale::names(locale);
    let day = calendar::day_number(d.year, d.month, d.day);
    let hour12 = (t.hours % 24 + 11) % 12 + 1;
    let mut i = 0;
    while i < format.len() {
        if format[i] != b'%' || i + 1 == format.len() {
            out.push(format[i]);
            i += 1;
            continue;
        }
        let f = format[i + 1];
        i += 2;
        let date_part = matches!(
            f,
            b'M' | b'b'
                | b'W'
                | b'a'
                | b'D'
                | b'Y'
                | b'y'
                | b'm'
                | b'c'
                | b'd'
                | b'e'
                | b'j'
                | b'U'
                | b'u'
                | b'V'
                | b'v'
                | b'x'
                | b'X'
                | b'w'
        );
        if time_only && date_part {
            return false;
        }
        let ok = match f {
            b'M' | b'b' => {
                if d.month == 0 {
                    return false;
                }
                let m = usize::from(d.month - 1);
                out.extend_from_slice(
                    if f == b'M' { names.months[m] } else { names.short_months[m] }.as_bytes(),
                );
                Ok(())
            }
            b'W' | b'a' => {
                if d.is_zero_date() || d.month == 0 || d.day == 0 {
                    return false;
                }
                let w = usize::from(calendar::weekday(day));
                out.extend_from_slice(if f == b'W' { names.days[w] } else { names.short_days[w] }.as_bytes());
                Ok(())
            }
            b'D' => {
                let suffix = match (d.day / 10, d.day % 10) {
                    (1, _) => "th",
                    (_, 1) => "st",
                    (_, 2) => "nd",
                    (_, 3) => "rd",
                    _ => "th",
                };
                write!(out, "{}{suffix}", d.day)
            }
            b'Y' => write!(out, "{:04}", d.year),
            b'y' => write!(out, "{:02}", d.year % 100),
            b'm' => write!(out, "{:02}", d.month),
            b'c' => write!(out, "{}", d.month),
            b'd' => write!(out, "{:02}", d.day),
            b'e' => write!(out, "{}", d.day),
            b'f' => write!(out, "{:06}", t.micros),
            b'H' => write!(out, "{:02}", t.hours),
            b'k' => write!(out, "{}", t.hours),
            b'h' | b'I' => write!(out, "{hour12:02}"),
            b'l' => write!(out, "{hour12}"),
            b'i' => write!(out, "{:02}", t.minute),
            b'S' | b's' => write!(out, "{:02}", t.second),
            b'p' => write!(out, "{}", if t.hours % 24 < 12 { "AM" } else { "PM" }),
            b'r' => write!(
                out,
                "{hour12:02}:{:02}:{:02} {}",
                t.minute,
                t.second,
                if t.hours % 24 < 12 { "AM" } else { "PM" }
            ),
            b'T' => write!(out, "{:02}:{:02}:{:02}", t.hours, t.minute, t.second),
            b'j' => {
                if d.month == 0 || d.day == 0 {
                    return false;
                }
                write!(out, "{:03}", calendar::day_of_year(*d))
            }
            b'U' | b'u' | b'V' | b'v' | b'x' | b'X' => {
                if d.month == 0 || d.day == 0 {
                    return false;
                }
                let (mode, year) = match f {
                    b'U' => (0, false),
                    b'u' => (1, false),
                    b'V' => (2, false),
                    b'v' => (3, false),
                    b'X' => (2, true),
                    _ => (3, true),
                };
                let (w, y) = calendar::week(*d, mode);
                if year { write!(out, "{y:04}") } else { write!(out, "{w:02}") }
            }
            b'w' => {
                if d.month == 0 || d.day == 0 {
                    return false;
                }
                write!(out, "{}", (calendar::weekday(day) + 1) % 7)
            }
            other => {
                out.push(other);
                Ok(())
            }
        };
        if ok.is_err() {
            return false;
        }
    }
    true
}

/// The type of STR_TO_DATE: a constant format tells.
pub(super) fn str_to_date_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.text(1)?;
    let t = match r.args[1].as_literal() {
        Some(Value::Bytes(f)) => {
            let f = utf8(&r.args[1].ty, f);
            let has = |set: &[u8]| f.windows(2).any(|w| w[0] == b'%' && set.contains(&w[1]));
            let date = has(b"MVUXYWabcjmvuxyweDd");
            let micros = has(b"f");
            let time = has(b"HISThiklrsp");
            match (date, time || micros) {
                (true, true) => FieldType::datetime(if micros { 6 } else { 0 }),
                (true, false) => FieldType::date(),
                (false, true) => FieldType::time(if micros { 6 } else { 0 }),
                (false, false) => FieldType::date(),
            }
        }
        Some(_) => FieldType::datetime(6),
        None => FieldType::datetime(6),
    };
    Ok(t.with_nullable(true))
}

/// `STR_TO_DATE`.
pub(super) fn str_to_date(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(text), Some(format)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    let rules = date_rules(c.ctx.sql_mode);
    let time_only = c.expr.ty.class() == Class::Time;
    let locale = c.ctx.lc_time_names.clone();
    let found = read(&utf8(c.ty(0), text), &utf8(c.ty(1), format), &locale);
    let good = found.filter(|(d, t, _)| {
        let mut x = *d;
        x.hour = 0;
        // Days up to 31 pass in every month.
        (time_only || x.month <= 12 && x.day <= 31 && rules.accept(DateTime { day: x.day.min(28), ..x }))
            && t.minute < 60
            && t.second < 60
            && (time_only && t.hours <= 838 || t.hours < 24)
    });
    match good {
        None => {
            let shown = convert::printable(text, c.ty(0));
            let message = crate::error::message(
                crate::error::ER_WRONG_VALUE_FOR_TYPE,
                &[&"datetime", &shown, &"str_to_date"],
            );
            c.ctx.warnings.push_text(
                crate::warning::Level::Warning,
                crate::error::ER_WRONG_VALUE_FOR_TYPE,
                message,
            );
            c.null()
        }
        Some((d, t, rest)) => {
            if rest {
                let shown = convert::printable(text, c.ty(0));
                let what = match c.expr.ty.class() {
                    Class::Time => "time",
                    Class::Date => "date",
                    _ => "datetime",
                };
                c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&what, &shown]);
            }
            match c.expr.ty.class() {
                Class::Time => put_time(c, t),
                Class::Date => put_datetime(c, d.date_only()),
                _ => put_datetime(
                    c,
                    DateTime {
                        hour: t.hours as u8,
                        minute: t.minute,
                        second: t.second,
                        micros: t.micros,
                        ..d
                    },
                ),
            }
        }
    }
}

/// Reads text by a format: date, time, and whether something is left over.
fn read(text: &[u8], format: &[u8], locale: &str) -> Option<(DateTime, Time, bool)> {
    let names = super::locale::names(locale);
    let mut d = DateTime::default();
    let mut t = Time::default();
    let (mut pm, mut twelve) = (None::<bool>, false);
    let (mut day_of_year, mut week, mut weekday, mut week_year, mut week_mode) =
        (None, None, None, None, 0u32);
    let mut at = 0;
    let mut i = 0;
    let number = |at: &mut usize, max: usize| -> Option<u32> {
        let start = *at;
        let mut v = 0u32;
        while *at - start < max {
            let Some(c) = text.get(*at).filter(|c| c.is_ascii_digit()) else { break };
            v = v * 10 + u32::from(c - b'0');
            *at += 1;
        }
        (*at > start).then_some(v)
    };
    let word = |at: &mut usize, list: &[&str]| -> Option<usize> {
        let rest = &text[*at..];
        // The longest name that fits.
        let mut best: Option<(usize, usize)> = None;
        for (n, name) in list.iter().enumerate() {
            let b = name.as_bytes();
            if rest.len() >= b.len()
                && rest[..b.len()].eq_ignore_ascii_case(b)
                && best.is_none_or(|(_, l)| b.len() > l)
            {
                best = Some((n, b.len()));
            }
        }
        let (n, len) = best?;
        *at += len;
        Some(n)
    };
    let skip_spaces = |at: &mut usize| {
        while text.get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
    };
    while i < format.len() {
        skip_spaces(&mut at);
        if at >= text.len() {
            break;
        }
        if format[i] != b'%' || i + 1 == format.len() {
            if !format[i].is_ascii_whitespace() {
                if text[at] != format[i] {
                    return None;
                }
                at += 1;
            }
            i += 1;
            continue;
        }
        let f = format[i + 1];
        i += 2;
        match f {
            b'Y' => {
                let start = at;
                let y = number(&mut at, 4)?;
                d.year = if at - start <= 2 { if y < 70 { 2000 + y } else { 1900 + y } } else { y } as u16;
            }
            b'y' => {
                let y = number(&mut at, 2)?;
                d.year = if y < 70 { 2000 + y } else { 1900 + y } as u16;
            }
            b'm' | b'c' => d.month = number(&mut at, 2)? as u8,
            b'M' => d.month = word(&mut at, &names.months)? as u8 + 1,
            b'b' => d.month = word(&mut at, &names.short_months)? as u8 + 1,
            b'd' | b'e' => d.day = number(&mut at, 2)? as u8,
            b'D' => {
                d.day = number(&mut at, 2)? as u8;
                at = (at + 2).min(text.len());
            }
            b'h' | b'I' | b'l' => {
                t.hours = number(&mut at, 2)?;
                twelve = true;
            }
            b'H' | b'k' => t.hours = number(&mut at, 2).filter(|h| *h < 24)?,
            b'i' => t.minute = number(&mut at, 2)? as u8,
            b's' | b'S' => t.second = number(&mut at, 2)? as u8,
            b'f' => {
                let start = at;
                let v = number(&mut at, 6)?;
                t.micros = v * 10u32.pow(6 - (at - start) as u32);
            }
            b'p' => {
                let s = text.get(at..at + 2)?;
                pm = Some(if s.eq_ignore_ascii_case(b"PM") {
                    true
                } else if s.eq_ignore_ascii_case(b"AM") {
                    false
                } else {
                    return None;
                });
                at += 2;
                twelve = true;
            }
            b'W' => weekday = Some(word(&mut at, &names.days)? as u32 + 1),
            b'a' => weekday = Some(word(&mut at, &names.short_days)? as u32 + 1),
            b'w' => {
                let w = number(&mut at, 1)?;
                if w >= 7 {
                    return None;
                }
                weekday = Some(if w == 0 { 7 } else { w });
            }
            b'j' => day_of_year = Some(number(&mut at, 3)?),
            b'U' | b'u' | b'V' | b'v' => {
                week = Some(number(&mut at, 2)?);
                week_mode = match f {
                    b'U' => 0,
                    b'u' => 1,
                    b'V' => 2,
                    _ => 3,
                };
            }
            b'X' | b'x' => week_year = Some(number(&mut at, 4)?),
            b'r' => {
                t.hours = number(&mut at, 2)?;
                for part in 0..2 {
                    if text.get(at) != Some(&b':') {
                        return None;
                    }
                    at += 1;
                    let v = number(&mut at, 2)? as u8;
                    if part == 0 {
                        t.minute = v;
                    } else {
                        t.second = v;
                    }
                }
                skip_spaces(&mut at);
                pm = Some(text.get(at..at + 2)?.eq_ignore_ascii_case(b"PM"));
                at += 2;
                twelve = true;
            }
            b'T' => {
                t.hours = number(&mut at, 2).filter(|h| *h < 24)?;
                for part in 0..2 {
                    if text.get(at) != Some(&b':') {
                        return None;
                    }
                    at += 1;
                    let v = number(&mut at, 2)? as u8;
                    if part == 0 {
                        t.minute = v;
                    } else {
                        t.second = v;
                    }
                }
            }
            b'.' => {
                while text.get(at).is_some_and(u8::is_ascii_punctuation) {
                    at += 1;
                }
            }
            b'@' => {
                while text.get(at).is_some_and(u8::is_ascii_alphabetic) {
                    at += 1;
                }
            }
            b'#' => {
                while text.get(at).is_some_and(u8::is_ascii_digit) {
                    at += 1;
                }
            }
            other => {
                if text[at] != other {
                    return None;
                }
                at += 1;
            }
        }
    }
    if twelve {
        if t.hours > 12 || t.hours == 0 {
            return None;
        }
        t.hours = t.hours % 12 + if pm == Some(true) { 12 } else { 0 };
    }
    if let Some(n) = day_of_year {
        let day = calendar::day_number(d.year, 1, 1) + i64::from(n) - 1;
        if n == 0 {
            return None;
        }
        let x = calendar::from_day_number(day)?;
        (d.year, d.month, d.day) = (x.year, x.month, x.day);
    }
    if let (Some(w), Some(wd)) = (week, weekday) {
        let year = week_year.unwrap_or(u32::from(d.year)) as u16;
        if w > 53 {
            return None;
        }
        let jan1 = calendar::day_number(year, 1, 1);
        let first = i64::from(calendar::weekday(jan1));
        let sunday_first = week_mode % 2 == 0;
        let day = if sunday_first {
            let lead = if first == 6 { 0 } else { 7 };
            jan1 + lead - (first + 1) + (i64::from(w) - 1) * 7 + i64::from(wd % 7)
        } else {
            jan1 + if first <= 3 { 0 } else { 7 } - first + (i64::from(w) - 1) * 7 + i64::from(wd) - 1
        };
        let x = calendar::from_day_number(day + i64::from(sunday_first && first == 6) * 7)?;
        (d.year, d.month, d.day) = (x.year, x.month, x.day);
    }
    skip_spaces(&mut at);
    Some((d, t, at < text.len()))
}

/// The type of GET_FORMAT.
pub(super) fn get_format_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.plain_text(1)?;
    Ok(r.ascii_text(17).with_nullable(true))
}

/// `GET_FORMAT`.
pub(super) fn get_format(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(kind), Some(name)) = (c.int(0), c.bytes(1)) else { return c.null() };
    let row = match name.to_ascii_uppercase().as_slice() {
        b"USA" => 0,
        b"JIS" => 1,
        b"ISO" => 2,
        b"EUR" => 3,
        b"INTERNAL" => 4,
        _ => return c.null(),
    };
    let table: [[&str; 5]; 3] = [
        ["%m.%d.%Y", "%Y-%m-%d", "%Y-%m-%d", "%d.%m.%Y", "%Y%m%d"],
        ["%h:%i:%s %p", "%H:%i:%s", "%H:%i:%s", "%H.%i.%s", "%H%i%s"],
        ["%Y-%m-%d %H.%i.%s", "%Y-%m-%d %H:%i:%s", "%Y-%m-%d %H:%i:%s", "%Y-%m-%d %H.%i.%s", "%Y%m%d%H%i%s"],
    ];
    let text = table[usize::try_from(kind).unwrap_or(0).min(2)][row];
    c.put_ascii(text.as_bytes())
}

//! DATE_FORMAT, TIME_FORMAT, STR_TO_DATE, GET_FORMAT.

use super::locale::Names;
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
    let ty = c.operand_type(0);
    let Some(t) = convert::to_time_of_day(v, ty, c.ctx) else { return c.null() };
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
    let mut i = 0;
    while i < format.len() {
        if format[i] != b'%' || i + 1 == format.len() {
            out.push(format[i]);
            i += 1;
            continue;
        }
        let f = format[i + 1];
        i += 2;
        let exists = match write_date_part(f, d, names, out) {
            Some(exists) => exists && !time_only,
            None => write_time_part(f, t, out).is_ok(),
        };
        if !exists {
            return false;
        }
    }
    true
}

/// Writes a part of the date; Some(false) when the date has no such part, None when `f` is not one of a date.
fn write_date_part(f: u8, d: &DateTime, names: &Names, out: &mut Vec<u8>) -> Option<bool> {
    // the day 0 of a month lies before its first one, the month 0 before January
    let counted = d.year != 0 || d.month != 0;
    let weekday = || calendar::weekday(calendar::day_number(d.year, d.month, d.day));
    let exists = match f {
        b'M' | b'b' | b'j' | b'U' | b'u' | b'V' | b'v' | b'x' | b'X' => d.month != 0,
        b'W' | b'a' | b'w' => counted,
        _ => true,
    };
    if !exists {
        return Some(false);
    }
    let written = match f {
        b'M' => out.write_all(names.months[usize::from(d.month - 1)].as_bytes()),
        b'b' => out.write_all(names.short_months[usize::from(d.month - 1)].as_bytes()),
        b'W' => out.write_all(names.days[usize::from(weekday())].as_bytes()),
        b'a' => out.write_all(names.short_days[usize::from(weekday())].as_bytes()),
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
        b'j' => write!(out, "{:03}", calendar::day_of_year(*d)),
        b'U' => write!(out, "{:02}", calendar::week(*d, 0).0),
        b'u' => write!(out, "{:02}", calendar::week(*d, 1).0),
        b'V' => write!(out, "{:02}", calendar::week(*d, 2).0),
        b'v' => write!(out, "{:02}", calendar::week(*d, 3).0),
        b'X' => write!(out, "{:04}", calendar::week(*d, 2).1),
        b'x' => write!(out, "{:04}", calendar::week(*d, 3).1),
        b'w' => write!(out, "{}", (weekday() + 1) % 7),
        _ => return None,
    };
    Some(written.is_ok())
}

/// Writes a part of the time; other characters stand for themselves.
fn write_time_part(f: u8, t: Time, out: &mut Vec<u8>) -> std::io::Result<()> {
    let hour12 = (t.hours % 24 + 11) % 12 + 1;
    let half = if t.hours % 24 < 12 { "AM" } else { "PM" };
    match f {
        b'f' => write!(out, "{:06}", t.micros),
        b'H' => write!(out, "{:02}", t.hours),
        b'k' => write!(out, "{}", t.hours),
        b'h' | b'I' => write!(out, "{hour12:02}"),
        b'l' => write!(out, "{hour12}"),
        b'i' => write!(out, "{:02}", t.minute),
        b'S' | b's' => write!(out, "{:02}", t.second),
        b'p' => write!(out, "{half}"),
        b'r' => write!(out, "{hour12:02}:{:02}:{:02} {half}", t.minute, t.second),
        b'T' => write!(out, "{:02}:{:02}:{:02}", t.hours, t.minute, t.second),
        other => out.write_all(&[other]),
    }
}

/// The type of STR_TO_DATE: a constant format tells.
pub(super) fn str_to_date_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.text(1)?;
    let t = match r.value_now(1) {
        Some(Value::Bytes(f)) => {
            let f = utf8(&r.args[1].ty, &f);
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
    let found = read(&utf8(c.ty(0), text), &utf8(c.ty(1), format));
    let what = found.err().unwrap_or("datetime");
    let good = found.ok().filter(|(d, t, _)| {
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
                &[&what, &shown, &"str_to_date"],
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
                c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&kind_of(&c.expr.ty), &shown]);
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

fn kind_of(ty: &FieldType) -> &'static str {
    match ty.class() {
        Class::Time => "time",
        Class::Date => "date",
        _ => "datetime",
    }
}

/// Reads text by a format: date, time, and whether something is left over. Else what it is no value of.
fn read(text: &[u8], format: &[u8]) -> Result<(DateTime, Time, bool), &'static str> {
    // in English, whatever lc_time_names is
    let mut r = Reader::new(text, super::locale::names("en_US"));
    if r.parts(format).and_then(|()| r.settle()).is_none() {
        return Err(if r.in_time { "time" } else { "datetime" });
    }
    r.skip(u8::is_ascii_whitespace);
    Ok((r.date, r.time, r.at < text.len()))
}

/// What STR_TO_DATE has read so far.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    names: &'static Names,
    date: DateTime,
    time: Time,
    /// AM or PM.
    pm: Option<bool>,
    twelve_hours: bool,
    /// An hour of the day that there is none of.
    too_late: bool,
    /// Within what stands for `%r` or `%T`.
    in_time: bool,
    day_of_year: Option<u32>,
    week: Option<u32>,
    /// Monday is 1, Sunday 7.
    weekday: Option<u32>,
    /// The year of the week, and whether it is one of weeks that begin on Sunday.
    week_year: Option<(u32, bool)>,
    week_mode: u32,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], names: &'static Names) -> Reader<'t> {
        Reader {
            text,
            at: 0,
            names,
            date: DateTime::default(),
            time: Time::default(),
            pm: None,
            twelve_hours: false,
            too_late: false,
            in_time: false,
            day_of_year: None,
            week: None,
            weekday: None,
            week_year: None,
            week_mode: 0,
        }
    }

    fn skip(&mut self, what: impl Fn(&u8) -> bool) {
        while self.text.get(self.at).is_some_and(&what) {
            self.at += 1;
        }
    }

    fn expect(&mut self, c: u8) -> Option<()> {
        if self.text.get(self.at) != Some(&c) {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// A number of at most `max` digits.
    fn number(&mut self, max: usize) -> Option<u32> {
        let start = self.at;
        let mut v = 0u32;
        while self.at - start < max {
            let Some(c) = self.text.get(self.at).filter(|c| c.is_ascii_digit()) else { break };
            v = v * 10 + u32::from(c - b'0');
            self.at += 1;
        }
        (self.at > start).then_some(v)
    }

    /// The name of the list that the letters here are, or begin where they begin no other.
    fn word(&mut self, list: &[&str]) -> Option<usize> {
        let rest = &self.text[self.at..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let word = rest.get(..len).filter(|w| !w.is_empty())?;
        let begins = |name: &str| name.as_bytes().get(..len).is_some_and(|b| b.eq_ignore_ascii_case(word));
        let whole = |name: &str| name.len() == len && begins(name);
        let mut begun = list.iter().enumerate().filter(|(_, name)| begins(name)).map(|(n, _)| n);
        let n = match list.iter().position(|name| whole(name)) {
            Some(n) => n,
            None => begun.next().filter(|_| begun.next().is_none())?,
        };
        self.at += len;
        Some(n)
    }

    /// What stands for a format, as far as the text goes.
    fn parts(&mut self, format: &[u8]) -> Option<()> {
        let mut i = 0;
        while i < format.len() {
            self.skip(u8::is_ascii_whitespace);
            if self.at >= self.text.len() {
                break;
            }
            if format[i] != b'%' || i + 1 == format.len() {
                if !format[i].is_ascii_whitespace() {
                    self.expect(format[i])?;
                }
                i += 1;
                continue;
            }
            self.part(format[i + 1])?;
            i += 2;
        }
        Some(())
    }

    /// What stands for `%f`.
    fn part(&mut self, f: u8) -> Option<()> {
        match f {
            b'Y' => {
                let start = self.at;
                let y = self.number(4)?;
                self.date.year = if self.at - start <= 2 { two_digit_year(y) } else { y as u16 };
            }
            b'y' => self.date.year = two_digit_year(self.number(2)?),
            b'm' | b'c' => self.date.month = self.number(2)? as u8,
            b'M' => self.date.month = self.word(&self.names.months)? as u8 + 1,
            b'b' => self.date.month = self.word(&self.names.short_months)? as u8 + 1,
            b'd' | b'e' => self.date.day = self.number(2)? as u8,
            b'D' => {
                self.date.day = self.number(2)? as u8;
                self.at = (self.at + 2).min(self.text.len());
            }
            b'W' => self.weekday = Some(self.word(&self.names.days)? as u32 + 1),
            b'a' => self.weekday = Some(self.word(&self.names.short_days)? as u32 + 1),
            b'w' => {
                let w = self.number(1).filter(|w| *w < 7)?;
                self.weekday = Some(if w == 0 { 7 } else { w });
            }
            b'j' => self.day_of_year = Some(self.number(3)?),
            b'U' | b'u' | b'V' | b'v' => {
                self.week = Some(self.number(2)?);
                self.week_mode = match f {
                    b'U' => 0,
                    b'u' => 1,
                    b'V' => 2,
                    _ => 3,
                };
            }
            b'X' | b'x' => self.week_year = Some((self.number(4)?, f == b'X')),
            b'.' => self.skip(u8::is_ascii_punctuation),
            b'@' => self.skip(u8::is_ascii_alphabetic),
            b'#' => self.skip(u8::is_ascii_digit),
            _ => self.time_part(f)?,
        }
        Some(())
    }

    /// A part of the time, or a character that stands for itself.
    fn time_part(&mut self, f: u8) -> Option<()> {
        match f {
            b'h' | b'I' | b'l' => {
                self.time.hours = self.number(2)?;
                self.twelve_hours = true;
            }
            b'H' | b'k' => {
                self.time.hours = self.number(2)?;
                self.too_late = self.time.hours > 23;
            }
            b'i' => self.time.minute = self.number(2)? as u8,
            b's' | b'S' => self.time.second = self.number(2)? as u8,
            b'f' => {
                let start = self.at;
                let v = self.number(6)?;
                self.time.micros = v * 10u32.pow(6 - (self.at - start) as u32);
            }
            b'p' => {
                let s = self.text.get(self.at..self.at + 2)?;
                let pm = s.eq_ignore_ascii_case(b"PM");
                if !pm && !s.eq_ignore_ascii_case(b"AM") {
                    return None;
                }
                self.pm = Some(pm);
                self.at += 2;
                self.twelve_hours = true;
            }
            b'r' | b'T' => {
                let format: &[u8] = if f == b'r' { b"%I:%i:%S %p" } else { b"%H:%i:%S" };
                self.in_time = true;
                self.parts(format)?;
                self.in_time = false;
            }
            other => self.expect(other)?,
        }
        Some(())
    }

    /// Makes hour and date of what was read of them.
    fn settle(&mut self) -> Option<()> {
        if self.too_late {
            return None;
        }
        if self.twelve_hours {
            if self.time.hours > 12 || self.time.hours == 0 {
                return None;
            }
            self.time.hours = self.time.hours % 12 + if self.pm == Some(true) { 12 } else { 0 };
        }
        if let Some(n) = self.day_of_year {
            if n == 0 || self.date.year == 0 {
                return None;
            }
            self.set_date(calendar::day_number(self.date.year, 1, 1) + i64::from(n) - 1)?;
        }
        if let (Some(w), Some(wd)) = (self.week, self.weekday) {
            let sunday_first = self.week_mode.is_multiple_of(2);
            // %V goes with the year of %X, %v with that of %x, %U and %u with one of neither
            let year = match self.week_year {
                Some((year, of_sundays)) if self.week_mode >= 2 && of_sundays == sunday_first => year as u16,
                None if self.week_mode < 2 => self.date.year,
                _ => return None,
            };
            if w > 53 || year == 0 {
                return None;
            }
            let jan1 = calendar::day_number(year, 1, 1);
            let first = i64::from(calendar::weekday(jan1));
            let day = if sunday_first {
                let lead = if first == 6 { 0 } else { 7 };
                jan1 + lead - (first + 1) + (i64::from(w) - 1) * 7 + i64::from(wd % 7)
            } else {
                jan1 + if first <= 3 { 0 } else { 7 } - first + (i64::from(w) - 1) * 7 + i64::from(wd) - 1
            };
            self.set_date(day + i64::from(sunday_first && first == 6) * 7)?;
        }
        Some(())
    }

    fn set_date(&mut self, day: i64) -> Option<()> {
        let x = calendar::from_day_number(day)?;
        (self.date.year, self.date.month, self.date.day) = (x.year, x.month, x.day);
        Some(())
    }
}

fn two_digit_year(y: u32) -> u16 {
    if y < 70 { 2000 + y as u16 } else { 1900 + y as u16 }
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

//! TO_CHAR: dates and times by a format of Oracle's words.

use super::locale::{Names, names};
use super::temporal::date_arg;
use super::{Call, Definition, Resolve, Stops, statement};
use crate::error::{SqlError, SqlResult, codes};
use crate::types::temporal::{DateTime, Time, calendar};
use crate::types::{Class, Derivation, FieldType, Kind, Value, ValueRef};
use std::io::Write as _;

pub(super) const LIST: &[Definition] = &[statement("to_char", 1, 2, resolve, eval).stopping(Stops::First)];

/// The format of calls without one.
const DEFAULT: &[u8] = b"YYYY-MM-DD HH24:MI:SS";

/// A longer format is refused.
const LONGEST_FORMAT: usize = 144;

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'f> {
    /// So many digits of the year's end.
    Year(usize),
    Month,
    ShortMonthName,
    /// Filled up to the longest name, as is [`Part::DayName`].
    MonthName,
    Day,
    ShortDayName,
    DayName,
    Hour12,
    Hour24,
    Minute,
    Second,
    /// AM or PM, with points or without.
    Half(bool),
    /// AD or BC.
    Era(bool),
    /// What stands in the format, with so many quotes around.
    Text(&'f [u8], usize),
}

/// The words, those first whose begin another word is.
const WORDS: &[(&str, Part<'static>)] = &[
    ("A.D.", Part::Era(true)),
    ("AD", Part::Era(false)),
    ("A.M.", Part::Half(true)),
    ("AM", Part::Half(false)),
    ("B.C.", Part::Era(true)),
    ("BC", Part::Era(false)),
    ("DAY", Part::DayName),
    ("DD", Part::Day),
    ("DY", Part::ShortDayName),
    ("HH12", Part::Hour12),
    ("HH24", Part::Hour24),
    ("HH", Part::Hour12),
    ("MI", Part::Minute),
    ("MM", Part::Month),
    ("MONTH", Part::MonthName),
    ("MON", Part::ShortMonthName),
    ("P.M.", Part::Half(true)),
    ("PM", Part::Half(false)),
    ("RRRR", Part::Year(4)),
    ("RR", Part::Year(2)),
    ("SS", Part::Second),
    ("YYYY", Part::Year(4)),
    ("YYY", Part::Year(3)),
    ("YY", Part::Year(2)),
    ("Y", Part::Year(1)),
];

fn longest<const N: usize>(names: &[&str; N]) -> usize {
    names.iter().map(|name| name.chars().count()).max().unwrap_or(0)
}

impl Part<'_> {
    /// The width with which the part counts in the type of a call.
    fn width(self, names: &Names) -> usize {
        match self {
            Part::Year(digits) => digits,
            Part::ShortMonthName | Part::ShortDayName => 3,
            // as many bytes as the longest name may have
            Part::MonthName => longest(&names.months) * 3,
            Part::DayName => longest(&names.days) * 3,
            Part::Half(points) | Part::Era(points) => 2 + 2 * usize::from(points),
            Part::Text(text, quotes) => text.len() + quotes,
            _ => 2,
        }
    }
}

/// What is wrong with a format.
enum Fault<'f> {
    TooLong,
    /// From here on it is no format.
    At(&'f [u8]),
}

/// Hands the parts of a format to `each`.
fn parts<'f>(format: &'f [u8], mut each: impl FnMut(Part<'f>)) -> Result<(), Fault<'f>> {
    if format.len() > LONGEST_FORMAT {
        return Err(Fault::TooLong);
    }
    let mut rest = format;
    while let Some(&first) = rest.first() {
        if first == b'"' {
            let inside = &rest[1..];
            let end = memchr::memchr(b'"', inside);
            each(Part::Text(&inside[..end.unwrap_or(inside.len())], 1 + usize::from(end.is_some())));
            rest = end.map_or(&[], |end| &inside[end + 1..]);
        } else if first == b'|' {
            // it ends a word and is not shown
            rest = &rest[1..];
        } else if first == b' ' || first.is_ascii_punctuation() {
            each(Part::Text(&rest[..1], 0));
            rest = &rest[1..];
        } else {
            let begins = |word: &str| {
                rest.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()))
            };
            let found = WORDS.iter().find(|(word, _)| begins(word)).filter(|(word, _)| {
                // what begins as RRRR goes on so
                *word != "RR" || !begins("RRR")
            });
            let Some((word, part)) = found else {
                return Err(Fault::At(rest));
            };
            each(*part);
            rest = &rest[word.len()..];
        }
    }
    Ok(())
}

/// Error 3047, as a constant format gives it.
fn error(fault: &Fault<'_>, ty: &FieldType) -> SqlError {
    let what = match fault {
        Fault::TooLong => "datetime format string is too long".to_owned(),
        Fault::At(rest) => {
            // eight bytes, or what is in them of whole characters, up to the end of a text of C
            let mut end = 0;
            while end < rest.len().min(8) {
                let next = end + ty.collation.charset.first_char(&rest[end..]).max(1);
                if next > 8 {
                    break;
                }
                end = next;
            }
            let rest = &rest[..end.min(rest.len())];
            let rest = &rest[..memchr::memchr(0, rest).unwrap_or(rest.len())];
            format!("date format not recognized at {}", crate::types::convert::printable(rest, ty))
        }
    };
    SqlError::new(codes::ER_STD_INVALID_ARGUMENT, &[&what, &"to_char"])
}

/// Numbers, NULL and texts that are stored outside of the row are refused, as MariaDB refuses them.
fn is_formatted(ty: &FieldType) -> bool {
    match ty.class() {
        Class::Date | Class::Time | Class::DateTime => true,
        Class::Bytes => {
            !matches!(ty.kind, Kind::TinyBlob | Kind::Blob | Kind::MediumBlob | Kind::LongBlob | Kind::Null)
        }
        _ => ty.kind == Kind::Enum || ty.kind == Kind::Set,
    }
}

fn resolve(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    if r.args[0].ty.is_special() {
        let code = codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION;
        return Err(SqlError::new(code, &[&r.args[0].ty.sql_name(), &"to_char"]));
    }
    if !is_formatted(&r.args[0].ty) {
        let what = "data type of first argument must be type date/datetime/time or string";
        return Err(SqlError::new(codes::ER_STD_INVALID_ARGUMENT, &[&what, &"to_char"]));
    }
    if r.len() == 1 {
        let ty = FieldType::string(DEFAULT.len() as u64, r.ctx.collation, Derivation::Coercible);
        r.args.push(crate::expr::Expr::literal(Value::Bytes(DEFAULT.to_vec()), ty));
    }
    r.text(1)?;
    let names = names(&r.ctx.lc_time_names);
    let format = &r.args[1];
    let chars = match format.as_literal() {
        Some(Value::Bytes(text)) => {
            let mut width = 0;
            parts(text, |part| width += part.width(names)).map_err(|fault| error(&fault, &format.ty))?;
            width as u64
        }
        Some(_) => 0,
        None => u64::from(format.ty.length) * 10,
    };
    let mut ty = r.ascii_text(chars).with_nullable(true);
    (ty.derivation, ty.ascii) = (r.args[1].ty.derivation, false);
    Ok(ty)
}

fn eval(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (date, time) = match c.value(0) {
        ValueRef::Time(t) => (DateTime::default(), t),
        _ => match date_arg(c, 0) {
            Some(d) => (d, d.time()),
            None => return c.null(),
        },
    };
    let Some(format) = c.bytes(1) else { return c.null() };
    if format.is_empty() && c.types[1].as_literal().is_none() {
        // in a type of no width it is empty, elsewhere it is none
        return c.null();
    }
    let locale = c.ctx.lc_time_names.clone();
    let names = names(&locale);
    let mut out = Vec::new();
    let to = &c.expr.ty;
    let mut piece = Vec::new();
    let written = parts(format, |part| {
        piece.clear();
        write(part, &date, time, names, &mut piece);
        match part {
            // the bytes of a text are taken as they are where they can be
            Part::Text(..) if to.collation.charset.mbminlen == 1 => out.extend_from_slice(&piece),
            _ => put(&piece, to, &mut out),
        }
    });
    if let Err(fault) = written {
        let e = error(&fault, c.ty(1));
        c.ctx.warnings.push_text(crate::warning::Level::Warning, e.code, e.message);
        return c.null();
    }
    c.put_bytes(&out)
}

/// Appends text of UTF-8 in the character set of a type.
fn put(text: &[u8], to: &FieldType, out: &mut Vec<u8>) {
    if text.is_ascii() {
        crate::types::convert::ascii_to(text, to, out);
    } else if let Some(from) = charset::Charset::by_name("utf8mb4") {
        from.convert(text, to.collation.charset, out);
    }
}

/// Appends a name, and blanks up to the width of the longest one.
fn write_name<const N: usize>(names: &[&str; N], at: usize, fill: bool, out: &mut Vec<u8>) {
    let name = names.get(at).copied().unwrap_or("");
    out.extend_from_slice(name.as_bytes());
    if fill {
        let missing = longest(names) - name.chars().count();
        out.extend(std::iter::repeat_n(b' ', missing));
    }
}

fn write(part: Part<'_>, date: &DateTime, time: Time, names: &Names, out: &mut Vec<u8>) {
    // of a time there may be more than 24
    let half = if time.hours < 12 { b'A' } else { b'P' };
    let written = match part {
        Part::Year(digits) => {
            let year = usize::from(date.year) % 10usize.pow(digits as u32);
            write!(out, "{year:0digits$}")
        }
        Part::MonthName | Part::ShortMonthName if date.month == 0 => write!(out, "00"),
        Part::DayName | Part::ShortDayName if date.day == 0 => write!(out, "00"),
        Part::Month => write!(out, "{:02}", date.month),
        Part::Day => write!(out, "{:02}", date.day),
        Part::Hour12 => write!(out, "{:02}", (time.hours % 24 + 11) % 12 + 1),
        Part::Hour24 => write!(out, "{:02}", time.hours),
        Part::Minute => write!(out, "{:02}", time.minute),
        Part::Second => write!(out, "{:02}", time.second),
        Part::MonthName => {
            write_name(&names.months, usize::from(date.month - 1), true, out);
            Ok(())
        }
        Part::ShortMonthName => {
            write_name(&names.short_months, usize::from(date.month - 1), false, out);
            Ok(())
        }
        Part::DayName | Part::ShortDayName => {
            let day = usize::from(calendar::weekday(calendar::day_number(date.year, date.month, date.day)));
            match part {
                Part::DayName => write_name(&names.days, day, true, out),
                _ => write_name(&names.short_days, day, false, out),
            }
            Ok(())
        }
        Part::Half(points) => write_letters([half, b'M'], points, out),
        Part::Era(points) => write_letters(if date.year > 0 { *b"AD" } else { *b"BC" }, points, out),
        Part::Text(text, _) => out.write_all(text),
    };
    // writing to memory does not fail
    debug_assert!(written.is_ok());
}

fn write_letters(letters: [u8; 2], points: bool, out: &mut Vec<u8>) -> std::io::Result<()> {
    for letter in letters {
        out.push(letter);
        out.extend_from_slice(if points { b"." } else { b"" });
    }
    Ok(())
}

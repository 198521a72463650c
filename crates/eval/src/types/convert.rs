//! Silent conversions between classes, with the warnings they give.

use super::decimal::{Decimal, Rounding};
use super::field::{FieldType, Kind};
use super::load::special_stored;
use super::number::{self, Rest};
use super::temporal::parse::{self, DateRules, Found, Fraction, TimeText};
use super::temporal::{DateTime, Time, Uncarried, calendar, format};
use super::value::{Class, Value, ValueRef};
use super::vector::Vector;
use crate::error::{
    ER_DATA_OVERFLOW, ER_TRUNCATED_WRONG_VALUE, ER_WRONG_VALUE, ER_WRONG_VALUE_FOR_TYPE, SqlResult, message,
};
use crate::types::context::ConversionContext;
use crate::variables::SqlMode;
use crate::warning::Level;
use std::borrow::Cow;

/// The most digits behind the point that a decimal type tells; more mean that the value tells.
const MAX_SCALE: u8 = 38;

/// Text as messages show it: what is not printable UTF-8 as `\xHH`.
#[must_use]
pub fn printable(text: &[u8], ty: &FieldType) -> String {
    let mut utf8 = Vec::new();
    if ty.collation.id == 63 {
        return printable_ascii(ValueRef::Bytes(text), ty);
    }
    let text = if is_utf8(ty) {
        text
    } else if let Some(to) = charset::Charset::by_name("utf8mb4") {
        ty.collation.charset.convert(text, to, &mut utf8);
        &utf8
    } else {
        text
    };
    printable_utf8(text)
}

/// UTF-8 text as messages show it: bytes that are none as `\xHH`.
#[must_use]
pub fn printable_utf8(text: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c < ' ' {
                // what moves the writing position is shown as it is
                match c {
                    '\t' | '\n' | '\r' => out.push(c),
                    c => {
                        let _ = write!(out, "\\{:04X}", c as u32);
                    }
                }
            } else if c.is_control() {
                let mut buffer = [0; 4];
                for b in c.encode_utf8(&mut buffer).bytes() {
                    let _ = write!(out, "\\x{b:02X}");
                }
            } else {
                out.push(c);
            }
        }
        for b in chunk.invalid() {
            let _ = write!(out, "\\x{b:02X}");
        }
    }
    out
}

fn is_utf8(ty: &FieldType) -> bool {
    ty.collation.charset.name.starts_with("utf8")
}

/// The text with one byte per ASCII character, whatever its character set.
pub fn ascii<'a>(text: &'a [u8], ty: &FieldType) -> Cow<'a, [u8]> {
    if ty.collation.charset.mbminlen == 1 {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    if let Some(to) = charset::Charset::by_name("utf8mb4") {
        ty.collation.charset.convert(text, to, &mut out);
    }
    Cow::Owned(out)
}

fn warn_truncated(what: &str, text: &[u8], ty: &FieldType, rest: Rest, ctx: &mut ConversionContext) {
    let level = match rest {
        Rest::Clean => return,
        _ if ty.source.is_quiet() => return,
        Rest::Spaces => Level::Note,
        Rest::Garbage => Level::Warning,
    };
    ctx.warnings.push(level, ER_TRUNCATED_WRONG_VALUE, &[&what, &printable(text, ty)]);
}

/// The rules for dates of the session's mode in conversions: zero dates pass unless the mode forbids
/// them.
#[must_use]
pub fn date_rules(mode: SqlMode) -> DateRules {
    DateRules {
        no_zero_date: mode.has(SqlMode::NO_ZERO_DATE),
        no_zero_in_date: mode.has(SqlMode::NO_ZERO_IN_DATE),
        allow_invalid: mode.has(SqlMode::ALLOW_INVALID_DATES),
        round: mode.has(SqlMode::TIME_ROUND_FRACTIONAL),
    }
}

/// The rules for times of the session's mode: dates in them may have zeros.
#[must_use]
pub fn time_rules(mode: SqlMode) -> DateRules {
    DateRules { no_zero_date: false, no_zero_in_date: false, ..date_rules(mode) }
}

/// The rules of functions that look at parts of a date: what is one passes, ALLOW_INVALID_DATES is no matter.
#[must_use]
pub fn part_rules(mode: SqlMode) -> DateRules {
    DateRules { allow_invalid: false, ..time_rules(mode) }
}

/// The bytes of a hexadecimal or bit literal as a number: the last eight, big-endian.
#[must_use]
pub fn bytes_to_u64(b: &[u8]) -> u64 {
    b.iter().fold(0u64, |v, x| v << 8 | u64::from(*x))
}

/// A temporal value as the number with its fraction.
fn temporal_decimal(v: ValueRef<'_>) -> Decimal {
    let (whole, micros, negative) = match v {
        ValueRef::Date(d) => (d.date_number(), 0, false),
        ValueRef::DateTime(d) => (d.to_number(), d.micros, false),
        ValueRef::Time(t) => (t.to_number().abs(), t.micros, t.negative),
        _ => (0, 0, false),
    };
    let mut d = Decimal::from(whole);
    if micros > 0 {
        let fraction = Decimal::from(i64::from(micros)).div(&Decimal::from(1_000_000i64), 6);
        if let Some((f, _)) = fraction {
            d = d.add(&f.round(6, Rounding::Truncate).0).0;
        }
    }
    if negative { d.negated() } else { d }
}

/// The parts of a date or time that is written out, as one number.
fn parts(text: &[u8]) -> Vec<u8> {
    let (sign, rest) = text.split_at(usize::from(text.first() == Some(&b'-')));
    sign.iter().chain(rest.iter().filter(|b| b.is_ascii_digit() || **b == b'.')).copied().collect()
}

/// The value as a double.
pub fn to_f64(v: ValueRef<'_>, ty: &FieldType, ctx: &mut ConversionContext) -> f64 {
    match v {
        ValueRef::Null => 0.0,
        ValueRef::Int(v) => v as f64,
        ValueRef::UInt(v) => v as f64,
        ValueRef::Double(v) => v,
        ValueRef::Decimal(d) => d.to_f64(),
        ValueRef::Bytes(b) if ty.hex => bytes_to_u64(b) as f64,
        ValueRef::Bytes(_) if ty.is_address() => 0.0,
        ValueRef::Bytes(b) if ty.moment => number::read_double(&parts(&ascii(b, ty))).value,
        ValueRef::Bytes(b) => {
            let text = ascii(b, ty);
            let r = number::read_double(&text);
            let rest = if r.overflow { Rest::Garbage } else { number::rest(&text, r.used) };
            // an empty TEXT is 0 without a word
            if !(b.is_empty() && ty.is_blob()) {
                warn_truncated("DOUBLE", b, ty, rest, ctx);
            }
            r.value
        }
        ValueRef::Date(d) => d.date_number() as f64,
        ValueRef::DateTime(d) => d.to_number() as f64 + f64::from(d.micros) / 1e6,
        ValueRef::Time(t) => {
            let f = f64::from(t.micros) / 1e6;
            t.to_number() as f64 + if t.negative { -f } else { f }
        }
    }
}

/// The value as a decimal.
pub fn to_decimal(v: ValueRef<'_>, ty: &FieldType, ctx: &mut ConversionContext) -> Decimal {
    match v {
        ValueRef::Null => Decimal::ZERO,
        ValueRef::Int(v) => Decimal::from(v),
        ValueRef::UInt(v) => Decimal::from(v),
        ValueRef::Double(v) => {
            let (d, over) = Decimal::from_f64(v);
            if over {
                ctx.warnings.warn(ER_DATA_OVERFLOW, &[&"", &"DECIMAL"]);
            }
            d
        }
        ValueRef::Decimal(d) => *d,
        ValueRef::Bytes(b) if ty.hex => Decimal::from(bytes_to_u64(b)),
        ValueRef::Bytes(_) if ty.is_address() => Decimal::ZERO,
        ValueRef::Bytes(b) if ty.moment => Decimal::parse(&parts(&ascii(b, ty))).value,
        ValueRef::Bytes(b) => {
            let text = ascii(b, ty);
            let p = Decimal::parse(&text);
            let rest = if p.overflow { Rest::Garbage } else { number::rest(&text, p.used) };
            if p.overflow {
                ctx.warnings.warn(ER_DATA_OVERFLOW, &[&"", &"DECIMAL"]);
            }
            warn_truncated("DECIMAL", b, ty, rest, ctx);
            p.value
        }
        v => temporal_decimal(v),
    }
}

/// The value as an integer of the asked signedness, bits in an `i64`, saturating with notes.
pub fn to_i64(v: ValueRef<'_>, ty: &FieldType, unsigned: bool, ctx: &mut ConversionContext) -> i64 {
    match v {
        ValueRef::Null => 0,
        ValueRef::Int(v) => v,
        ValueRef::UInt(v) => v as i64,
        ValueRef::Double(v) => number::double_to_int(v, unsigned).0,
        ValueRef::Decimal(d) => {
            let i = d.to_i128();
            let (low, high) =
                if unsigned { (0, i128::from(u64::MAX)) } else { (i64::MIN.into(), i64::MAX.into()) };
            if i < low || i > high {
                let target = if unsigned { "UNSIGNED INT" } else { "INT" };
                ctx.warnings.warn(ER_DATA_OVERFLOW, &[d, &target]);
            }
            i.clamp(low, high) as i64
        }
        ValueRef::Bytes(b) if ty.hex => bytes_to_u64(b) as i64,
        ValueRef::Bytes(_) if ty.is_address() => 0,
        ValueRef::Bytes(b) => {
            let text = ascii(b, ty);
            let (r, _) = number::read_integer(&text);
            let rest = if r.overflow { Rest::Garbage } else { number::rest(&text, r.used) };
            warn_truncated("INTEGER", b, ty, rest, ctx);
            r.value as i64
        }
        ValueRef::Date(d) => d.date_number(),
        ValueRef::DateTime(d) => d.to_number(),
        ValueRef::Time(t) => t.to_number(),
    }
}

/// The value of a column as an integer: always a signed one, with a word about what lies beyond. What is computed is
/// read by [`to_i64`].
pub fn column_to_i64(v: ValueRef<'_>, ty: &FieldType, ctx: &mut ConversionContext) -> i64 {
    match v {
        ValueRef::Double(x) => {
            let (i, over) = number::double_to_int(x, false);
            if over && ty.kind == Kind::Double {
                let mut text = Vec::new();
                write_text(v, ty, &mut text);
                let text = String::from_utf8_lossy(&text).into_owned();
                ctx.warnings.warn(ER_DATA_OVERFLOW, &[&text, &"INT"]);
            }
            i
        }
        ValueRef::Bytes(b) if !ty.hex && !ty.is_address() => {
            let text = ascii(b, ty);
            let (r, negative) = number::read_integer(&text);
            let over = r.overflow || !negative && r.value > i64::MAX as u64;
            let rest = if over { Rest::Garbage } else { number::rest(&text, r.used) };
            warn_truncated("INTEGER", b, ty, rest, ctx);
            if over && !negative { i64::MAX } else { r.value as i64 }
        }
        v => to_i64(v, ty, false, ctx),
    }
}

/// Whether the value is true: not zero as a number.
pub fn to_bool(v: ValueRef<'_>, ty: &FieldType, ctx: &mut ConversionContext) -> bool {
    match v {
        ValueRef::Null => false,
        ValueRef::Int(v) => v != 0,
        ValueRef::UInt(v) => v != 0,
        ValueRef::Double(v) => v != 0.0,
        ValueRef::Decimal(d) => !d.is_zero(),
        ValueRef::Date(d) => d.date_number() != 0,
        ValueRef::DateTime(d) => !d.is_zero(),
        ValueRef::Time(t) => !t.is_zero(),
        // an address is true where a bit of it is set
        ValueRef::Bytes(b) if ty.is_address() => {
            special_stored(b, ty.kind).is_some_and(|image| image.iter().any(|b| *b != 0))
        }
        v @ ValueRef::Bytes(_) => to_f64(v, ty, ctx) != 0.0,
    }
}

/// Appends the text of a value of type `ty` in ASCII (text and ENUM members: in the type's own
/// character set).
pub fn write_text(v: ValueRef<'_>, ty: &FieldType, out: &mut Vec<u8>) {
    let start = out.len();
    match v {
        ValueRef::Null => {}
        ValueRef::Int(v) => number::write_int(v, out),
        ValueRef::UInt(v) => match ty.kind {
            Kind::Enum => out.extend_from_slice(enum_text(v, ty)),
            Kind::Set => set_text(v, ty, out),
            Kind::Bit if !ty.digits => {
                let n = (ty.length as usize).div_ceil(8).clamp(1, 8);
                out.extend_from_slice(&v.to_be_bytes()[8 - n..]);
                return;
            }
            Kind::Year => {
                let shown = if ty.length == 2 { v % 100 } else { v };
                number::write_uint(shown, out);
            }
            _ => number::write_uint(v, out),
        },
        ValueRef::Double(v) => {
            if ty.kind == Kind::Float {
                number::write_float(v as f32, ty.decimals, out);
            } else {
                number::write_double(v, ty.decimals, out);
            }
        }
        ValueRef::Decimal(d) => {
            if ty.kind == Kind::Decimal && ty.decimals <= MAX_SCALE {
                d.write_scaled(ty.decimals, out);
            } else {
                d.write(out);
            }
        }
        ValueRef::Bytes(b) => out.extend_from_slice(b),
        ValueRef::Date(d) => format::write_date(d, out),
        ValueRef::DateTime(d) => format::write_datetime(d, datetime_digits(d, ty), out),
        ValueRef::Time(t) => format::write_time(t, fraction_digits(ty), out),
    }
    if ty.zerofill && ty.is_number() {
        zerofill(out, start, usize::from(ty.zeros));
    }
}

/// Digits of the second's fraction that a type shows.
#[must_use]
pub fn fraction_digits(ty: &FieldType) -> u8 {
    if ty.decimals > 6 { 6 } else { ty.decimals }
}

/// Digits of the second's fraction that a date and time of a type shows: where nobody knows how many, all or none.
#[must_use]
pub fn datetime_digits(d: DateTime, ty: &FieldType) -> u8 {
    if ty.decimals == crate::result::NOT_FIXED_DEC && d.micros == 0 { 0 } else { fraction_digits(ty) }
}

fn zerofill(out: &mut Vec<u8>, start: usize, width: usize) {
    let have = out.len() - start;
    if have < width && out.get(start) != Some(&b'-') {
        out.resize(start + width, 0);
        out.copy_within(start..start + have, start + width - have);
        out[start..start + width - have].fill(b'0');
    }
}

/// The member of an ENUM by its number; empty for 0 and unknown numbers.
#[must_use]
pub fn enum_text(v: u64, ty: &FieldType) -> &[u8] {
    let Some(values) = &ty.values else { return &[] };
    usize::try_from(v).ok().and_then(|v| v.checked_sub(1)).and_then(|i| values.get(i)).map_or(&[], |m| m)
}

/// Where the text of an ENUM or SET stands among the others. What no member fits is the empty value, the first.
#[must_use]
pub fn place_of_text(members: &[Box<[u8]>], text: &[u8]) -> u64 {
    let alone = |text: &[u8]| members.iter().position(|m| **m == *text);
    if members.len() > 64 {
        return alone(text).map_or(0, |i| i as u64 + 1);
    }
    // members of a SET have no comma
    match alone(text) {
        Some(i) => 1 << i,
        None => text.split(|b| *b == b',').filter_map(alone).fold(0, |set, i| set | 1 << i),
    }
}

/// Appends the members of a SET, joined by commas.
pub fn set_text(v: u64, ty: &FieldType, out: &mut Vec<u8>) {
    let Some(values) = &ty.values else { return };
    let mut first = true;
    for (i, m) in values.iter().enumerate().take(64) {
        if v >> i & 1 != 0 {
            if !first {
                ascii_to(b",", ty, out);
            }
            first = false;
            out.extend_from_slice(m);
        }
    }
}

/// Appends ASCII text in the type's character set.
pub fn ascii_to(text: &[u8], ty: &FieldType, out: &mut Vec<u8>) {
    if ty.collation.charset.mbminlen == 1 {
        out.extend_from_slice(text);
    } else {
        for b in text {
            ty.collation.charset.encode(u32::from(*b), out);
        }
    }
}

/// Appends the text of a value in the character set of `to`.
pub fn write_text_in(v: ValueRef<'_>, from: &FieldType, to: &FieldType, out: &mut Vec<u8>) {
    let own_charset = matches!(v, ValueRef::Bytes(_))
        || matches!(from.kind, Kind::Enum | Kind::Set | Kind::Bit) && !from.digits;
    if own_charset {
        let (a, b) = (from.collation.charset, to.collation.charset);
        if a.name == b.name || from.kind == Kind::Bit || to.collation.id == 63 || from.collation.id == 63 {
            let start = out.len();
            write_text(v, from, out);
            // bytes become whole characters of a wide set by zeros in front
            let rest = (out.len() - start) % usize::from(b.mbminlen).max(1);
            if rest != 0 && from.collation.id == 63 {
                out.splice(start..start, std::iter::repeat_n(0, usize::from(b.mbminlen) - rest));
            }
        } else {
            let mut text = Vec::new();
            write_text(v, from, &mut text);
            a.convert(&text, b, out);
        }
    } else if to.collation.charset.mbminlen == 1 {
        write_text(v, from, out);
    } else {
        let mut text = Vec::new();
        write_text(v, from, &mut text);
        ascii_to(&text, to, out);
    }
}

/// Text as warnings about dates show it: only ASCII as it is.
#[must_use]
pub fn printable_ascii(v: ValueRef<'_>, ty: &FieldType) -> String {
    let mut text = Vec::new();
    match v {
        // a FLOAT is told with all digits of its double
        ValueRef::Double(x) if ty.kind == Kind::Float => {
            number::write_double(x, crate::result::NOT_FIXED_DEC, &mut text)
        }
        // numbers are told without the zeros in front of them
        _ if ty.zerofill && ty.kind != Kind::Year => {
            write_text(v, &FieldType { zerofill: false, ..ty.clone() }, &mut text);
        }
        _ => write_text(v, ty, &mut text),
    }
    printable_bytes(&text, usize::MAX)
}

/// Bytes as messages show them: only ASCII as it is; what does not fit `room` bytes ends in dots.
#[must_use]
pub fn printable_bytes(text: &[u8], room: usize) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len().min(room));
    for b in text {
        if (0x20..0x7f).contains(b) {
            out.push(char::from(*b));
        } else {
            let _ = write!(out, "\\x{b:02X}");
        }
        if out.len() > room {
            out.truncate(room.saturating_sub(3));
            out.push_str("...");
            break;
        }
    }
    out
}

/// Warns of a value that is no `what` (1292).
pub fn wrong(what: &str, v: ValueRef<'_>, ty: &FieldType, ctx: &mut ConversionContext) {
    if warned_of_column(what, v, ty, Level::Warning, ctx) {
        return;
    }
    let text = message(ER_WRONG_VALUE, &[&what, &printable_ascii(v, ty)]);
    ctx.warnings.push_text(Level::Warning, ER_TRUNCATED_WRONG_VALUE, text);
}

fn truncated(what: &str, v: ValueRef<'_>, ty: &FieldType, level: Level, ctx: &mut ConversionContext) {
    if warned_of_column(what, v, ty, level, ctx) {
        return;
    }
    let text = printable_ascii(v, ty);
    ctx.warnings.push(level, ER_TRUNCATED_WRONG_VALUE, &[&what, &text]);
}

/// Warns of the value of a column with the column's name and the row; false when it is none of a column.
fn warned_of_column(
    what: &str,
    v: ValueRef<'_>,
    ty: &FieldType,
    level: Level,
    ctx: &mut ConversionContext,
) -> bool {
    if !ctx.of_column {
        return false;
    }
    let Some(column) = ty.source.name() else { return false };
    let row = if ctx.row == 0 { ctx.read_row.max(1) } else { ctx.shown_row() };
    let value = message(ER_WRONG_VALUE, &[&what, &printable_ascii(v, ty)]);
    ctx.warnings.push_text(
        level,
        ER_TRUNCATED_WRONG_VALUE,
        format!("{value} for column {column} at row {row}"),
    );
    true
}

/// A number as seconds or days with their fraction: sign, whole part, fraction.
fn number_parts(v: ValueRef<'_>) -> Option<(bool, u64, Fraction)> {
    let fraction = |nanos: u32| Fraction {
        micros: nanos / 1000,
        up: nanos % 1000 >= 500,
        excess: !nanos.is_multiple_of(1000),
    };
    Some(match v {
        ValueRef::Int(v) => (v < 0, v.unsigned_abs(), Fraction::default()),
        ValueRef::UInt(v) => (false, v, Fraction::default()),
        ValueRef::Double(v) => {
            if v.abs() >= 1.8e19 {
                return Some((v < 0.0, u64::MAX, Fraction::default()));
            }
            let t = v.abs();
            let whole = t.trunc();
            (v < 0.0, whole as u64, fraction(((t - whole) * 1e9) as u32))
        }
        ValueRef::Decimal(d) => {
            let t = d.abs();
            let whole = t.trunc_i128();
            let (f, _) = t.sub(&t.round(0, Rounding::Truncate).0);
            let nanos = f.mul(&Decimal::from(1_000_000_000i64)).0.round(0, Rounding::Truncate).0.to_i128();
            (d.is_negative(), u64::try_from(whole).unwrap_or(u64::MAX), fraction(nanos as u32))
        }
        _ => return None,
    })
}

/// Whether a number is stored of what is a text as a date: a BIT is the text of its bytes, a computed one the number.
fn is_dated_as_text(ty: &FieldType) -> bool {
    matches!(ty.kind, Kind::Enum | Kind::Set) || ty.kind == Kind::Bit && !ty.hex
}

/// The value as a date and time; `None` (with a warning) when it is none. `what` is the word of the
/// warnings.
pub fn to_datetime(
    v: ValueRef<'_>,
    ty: &FieldType,
    rules: DateRules,
    ctx: &mut ConversionContext,
) -> Option<DateTime> {
    match v {
        ValueRef::Null => None,
        ValueRef::UInt(_) if is_dated_as_text(ty) => {
            let mut text = Vec::new();
            write_text(v, ty, &mut text);
            to_datetime(ValueRef::Bytes(&text), &FieldType { kind: Kind::Varchar, ..ty.clone() }, rules, ctx)
        }
        ValueRef::Date(d) | ValueRef::DateTime(d) => {
            if rules.accept(d) {
                return Some(d);
            }
            wrong("datetime", v, ty, ctx);
            None
        }
        ValueRef::Time(t) => {
            let today = ctx.now().date_only();
            calendar::add_micros(today, i128::from(t.to_micros()))
        }
        ValueRef::Bytes(b) => {
            let text = ascii(b, ty);
            let what = |t: parse::TextDate| if t.has_time { "datetime" } else { "date" };
            match parse::datetime(&text, rules) {
                Found::Good(t) => Some(t.value),
                Found::ExcessFraction(t) => {
                    truncated("datetime", v, ty, Level::Note, ctx);
                    Some(t.value)
                }
                Found::Truncated(t) | Found::Clipped(t) => {
                    truncated(what(t), v, ty, Level::Warning, ctx);
                    Some(t.value)
                }
                found @ (Found::Unroundable(_) | Found::OutOfRange | Found::Bad) => {
                    warn_if_unroundable(found, ctx);
                    wrong("datetime", v, ty, ctx);
                    None
                }
            }
        }
        // a year is no day yet
        ValueRef::UInt(y) if ty.kind == Kind::Year => {
            let century = match y {
                _ if ty.length != 2 => 0,
                0..=69 => 2000,
                _ => 1900,
            };
            let d = DateTime::date(century + y as u16, 0, 0);
            if rules.accept(d) {
                return Some(d);
            }
            wrong("datetime", v, ty, ctx);
            None
        }
        _ => match number_to_datetime(v, rules) {
            Found::Good(t) | Found::ExcessFraction(t) | Found::Truncated(t) => {
                let d = t.value;
                if !t.has_time && d.micros != 0 && !d.is_zero_date() {
                    truncated("date", v, ty, Level::Note, ctx);
                    return Some(d.date_only());
                }
                Some(d)
            }
            Found::Clipped(t) => {
                truncated("datetime", v, ty, Level::Warning, ctx);
                Some(t.value)
            }
            found @ (Found::Unroundable(_) | Found::OutOfRange | Found::Bad) => {
                warn_if_unroundable(found, ctx);
                wrong("datetime", v, ty, ctx);
                None
            }
        },
    }
}

/// As [`to_datetime`], where a date that the mode refuses is no value and nobody is told, as in MariaDB's CAST.
pub fn accepted_datetime(
    v: ValueRef<'_>,
    ty: &FieldType,
    rules: DateRules,
    ctx: &mut ConversionContext,
) -> Option<DateTime> {
    match v {
        ValueRef::Date(d) | ValueRef::DateTime(d) => Some(d).filter(|d| rules.accept(*d)),
        _ => to_datetime(v, ty, rules, ctx),
    }
}

/// A number as a date and time.
#[must_use]
pub fn number_to_datetime(v: ValueRef<'_>, rules: DateRules) -> Found<parse::TextDate> {
    match number_parts(v) {
        Some((negative, whole, part)) if !negative || (whole, part.micros) == (0, 0) => {
            parse::datetime_from_number(i64::try_from(whole).unwrap_or(i64::MAX), part, rules)
        }
        _ => Found::Bad,
    }
}

/// A number as a time.
#[must_use]
pub fn number_to_time(v: ValueRef<'_>, rules: DateRules) -> Found<TimeText> {
    match number_parts(v) {
        Some((negative, whole, part)) => parse::time_from_number(negative, whole, part, rules),
        None => Found::Bad,
    }
}

/// Warns of a date that could not be rounded, when that is what was found.
fn warn_if_unroundable<T>(found: Found<T>, ctx: &mut ConversionContext) {
    if let Found::Unroundable(d) = found {
        warn_unroundable(d, ctx);
    }
}

/// Warns of a date with a zero in it that rounding would carry to its next day.
pub fn warn_unroundable(d: DateTime, ctx: &mut ConversionContext) {
    let mut shown = Vec::new();
    format::write_date(d, &mut shown);
    let shown = String::from_utf8_lossy(&shown);
    ctx.warnings.warn(ER_WRONG_VALUE_FOR_TYPE, &[&"date", &shown, &"round(datetime)"]);
}

/// The value rounded to so many digits, where the mode asks for it; `None` (with a warning) when there is none.
pub fn rounded_datetime(d: DateTime, digits: u8, ctx: &mut ConversionContext) -> Option<DateTime> {
    if !ctx.sql_mode.has(SqlMode::TIME_ROUND_FRACTIONAL) {
        return Some(d);
    }
    match d.rounded(digits) {
        Ok(d) => Some(d),
        Err(Uncarried::Range) => Some(d),
        Err(Uncarried::NoSuchDay) => {
            warn_unroundable(d, ctx);
            None
        }
    }
}

/// The value as a time, or as a date and time; `None` (with a warning) when it is none.
pub fn to_time_or_datetime(
    v: ValueRef<'_>,
    ty: &FieldType,
    rules: DateRules,
    ctx: &mut ConversionContext,
) -> Option<TimeText> {
    let found = match v {
        ValueRef::Null => return None,
        ValueRef::Time(t) => return Some(TimeText::Time(t)),
        ValueRef::Date(d) | ValueRef::DateTime(d) => return Some(TimeText::DateTime(d)),
        ValueRef::UInt(_) if ty.kind == Kind::Year => return Some(TimeText::Time(Time::default())),
        ValueRef::UInt(_) if is_dated_as_text(ty) => {
            let mut text = Vec::new();
            write_text(v, ty, &mut text);
            let ty = FieldType { kind: Kind::Varchar, ..ty.clone() };
            return to_time_or_datetime(ValueRef::Bytes(&text), &ty, rules, ctx);
        }
        ValueRef::Bytes(b) => parse::time(&ascii(b, ty), rules),
        _ => number_to_time(v, rules),
    };
    let what = |t| if matches!(t, TimeText::DateTime(_)) { "datetime" } else { "time" };
    match found {
        Found::Good(t) => Some(t),
        Found::ExcessFraction(t) => {
            truncated(what(t), v, ty, Level::Note, ctx);
            Some(t)
        }
        Found::Truncated(t) | Found::Clipped(t) => {
            truncated(what(t), v, ty, Level::Warning, ctx);
            Some(t)
        }
        Found::Unroundable(_) | Found::OutOfRange | Found::Bad => {
            warn_if_unroundable(found, ctx);
            wrong("time", v, ty, ctx);
            None
        }
    }
}

/// The value as a time; `None` (with a warning) when it is none.
pub fn to_time(v: ValueRef<'_>, ty: &FieldType, ctx: &mut ConversionContext) -> Option<Time> {
    // only the time of a date is wanted
    let rules = DateRules { allow_invalid: true, ..time_rules(ctx.sql_mode) };
    to_time_or_datetime(v, ty, rules, ctx).map(TimeText::time)
}

/// The value as a time, where a text that is a date has to be one of the calendar: its time alone is not what is asked for.
pub fn to_time_of_day(v: ValueRef<'_>, ty: &FieldType, ctx: &mut ConversionContext) -> Option<Time> {
    let allow_invalid = !matches!(v, ValueRef::Bytes(_)) || ctx.sql_mode.has(SqlMode::ALLOW_INVALID_DATES);
    let rules = DateRules { allow_invalid, ..time_rules(ctx.sql_mode) };
    to_time_or_datetime(v, ty, rules, ctx).map(TimeText::time)
}

/// The text or number of a column as the date or time that another column gets, with warnings of the first column;
/// `None` when it is none, or stays as it is.
pub fn column_as_moment(
    v: ValueRef<'_>,
    from: &FieldType,
    to: Kind,
    ctx: &mut ConversionContext,
) -> Option<(Value, FieldType)> {
    ctx.of_column = true;
    let value = match to {
        Kind::Time => to_time_or_datetime(v, from, time_rules(ctx.sql_mode), ctx).map(|t| match t {
            TimeText::DateTime(d) => (Value::DateTime(d), FieldType::datetime(6)),
            t => (Value::Time(t.time()), FieldType::time(6)),
        }),
        _ => {
            // what the mode forbids is looked for where the value is stored
            to_datetime(v, from, DateRules::default(), ctx).map(|d| match to {
                Kind::Date if d.is_midnight() => (Value::Date(d), FieldType::date()),
                _ => (Value::DateTime(d), FieldType::datetime(6)),
            })
        }
    };
    ctx.of_column = false;
    value
}

/// Appends `v` of type `from` to `out`, converted to the class and character set of `to`.
///
/// # Errors
/// None at present; a place for those of strict conversions.
pub fn push_converted(
    v: ValueRef<'_>,
    from: &FieldType,
    to: &FieldType,
    out: &mut Vector,
    ctx: &mut ConversionContext,
) -> SqlResult<()> {
    if v.is_null() {
        out.push_null();
        return Ok(());
    }
    match to.class() {
        Class::Null => out.push_null(),
        Class::Int => out.push_i64(to_i64(v, from, false, ctx)),
        Class::UInt => out.push_i64(to_i64(v, from, true, ctx)),
        Class::Double => out.push_f64(to.told_double(to_f64(v, from, ctx))),
        // a quotient has more digits than its type tells
        Class::Decimal => match v {
            ValueRef::Decimal(d) if d.scale() > to.decimals => {
                out.push_decimal(&d.round(i32::from(to.decimals), Rounding::HalfUp).0);
            }
            _ => out.push_decimal(&to_decimal(v, from, ctx)),
        },
        Class::Bytes => out.push_bytes_with(|b| {
            write_text_in(v, from, to, b);
            SqlResult::Ok(true)
        })?,
        Class::Date => match accepted_datetime(v, from, date_rules(ctx.sql_mode), ctx) {
            Some(d) => out.push_i64(d.date_only().packed()),
            None => out.push_null(),
        },
        Class::DateTime => match accepted_datetime(v, from, date_rules(ctx.sql_mode), ctx) {
            Some(d) => out.push_i64(d.packed()),
            None => out.push_null(),
        },
        Class::Time => match to_time_of_day(v, from, ctx) {
            Some(t) => out.push_i64(t.packed()),
            None => out.push_null(),
        },
    }
    Ok(())
}

/// Text of a client as the words of a definition: they are kept in utf8mb3, a question mark stands for characters beyond.
#[must_use]
pub fn words_of(bytes: &[u8], from: &charset::Charset) -> String {
    let text = text_of(bytes, from);
    if text.is_ascii() {
        return text;
    }
    text.chars().map(|c| if c > '\u{ffff}' { '?' } else { c }).collect()
}

/// Bytes of a character set as UTF-8, for messages.
pub fn text_of(bytes: &[u8], cs: &charset::Charset) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    if cs.name == "binary" {
        out.extend_from_slice(bytes);
    } else if let Some(utf8) = charset::Charset::by_name("utf8mb4") {
        cs.convert(bytes, utf8, &mut out);
    }
    String::from_utf8_lossy(&out).into_owned()
}

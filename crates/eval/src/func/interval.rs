//! Intervals: EXTRACT, TIMESTAMPDIFF, date arithmetic.

use super::fraction::text_digits;
use super::pure;
use super::temporal::{
    any_type, cut_date_arg, date, date_arg, day_no, full_date_arg, put_datetime, put_time, wrong_value,
};
use super::time_arithmetic::Moment;
use super::{Call, Definition, Resolve, Stops};
use super::{EvalContext, Node};
use crate::error::{ER_DATETIME_FUNCTION_OVERFLOW, ER_TRUNCATED_WRONG_VALUE, SqlResult};
use crate::types::context::ConversionContext;
use crate::types::convert;
use crate::types::decimal::{Decimal, Rounding};
use crate::types::temporal::parse::{self, DateRules, Found, TimeText, looks_like_datetime};
use crate::types::temporal::{DateTime, Interval, Time, Unit, calendar};
use crate::types::{Class, FieldType, Kind, Value, ValueRef};
use crate::warning::Level;

pub(super) const LIST: &[Definition] = &[
    pure("extract", 2, 2, extract_type, extract),
    pure(
        "timestampdiff",
        3,
        3,
        |r| {
            date(r, 1)?;
            date(r, 2)?;
            Ok(FieldType::bigint(false).with_nullable(true))
        },
        timestampdiff,
    )
    .stopping(Stops::Order(&[&[1], &[2], &[0]])),
    pure("date_add_interval", 3, 3, any_type, |c| add_interval(c, false))
        .stopping(Stops::Order(&[&[0], &[1]])),
    pure("date_sub_interval", 3, 3, any_type, |c| add_interval(c, true))
        .stopping(Stops::Order(&[&[0], &[1]])),
];

/// The units by the number that a hidden argument has.
const UNITS: [Unit; 20] = [
    Unit::Microsecond,
    Unit::Second,
    Unit::Minute,
    Unit::Hour,
    Unit::Day,
    Unit::Week,
    Unit::Month,
    Unit::Quarter,
    Unit::Year,
    Unit::SecondMicrosecond,
    Unit::MinuteMicrosecond,
    Unit::MinuteSecond,
    Unit::HourMicrosecond,
    Unit::HourSecond,
    Unit::HourMinute,
    Unit::DayMicrosecond,
    Unit::DaySecond,
    Unit::DayMinute,
    Unit::DayHour,
    Unit::YearMonth,
];

/// The unit of a hidden argument.
fn unit_of(c: &Call<'_, '_>, i: usize) -> Unit {
    numbered_unit(c.int(i).unwrap_or(0))
}

fn numbered_unit(n: i64) -> Unit {
    usize::try_from(n).ok().and_then(|n| UNITS.get(n)).copied().unwrap_or(Unit::Day)
}

fn unit_at(e: &crate::expr::Expr) -> Unit {
    match e.as_literal() {
        Some(Value::Int(n)) => numbered_unit(*n),
        _ => Unit::Day,
    }
}

fn extract_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    // days of a text or a number are those of its hours, as many as there may be
    let of_moment = r.args[1].ty.is_temporal() || r.args[1].ty.kind == Kind::Null;
    let days = |known: u32, any: u32| if of_moment { known } else { any };
    let (width, signless) = match unit_at(&r.args[0]) {
        Unit::Year => (5, true),
        Unit::YearMonth => (7, true),
        Unit::Quarter => (2, true),
        Unit::Month | Unit::Week => (3, true),
        Unit::Day => (days(3, 8), false),
        Unit::DayHour => (days(5, 10), false),
        Unit::DayMinute => (days(7, 12), false),
        Unit::DaySecond => (days(9, 14), false),
        Unit::DayMicrosecond => (days(15, 20), false),
        Unit::Hour | Unit::Minute | Unit::Second => (3, false),
        Unit::HourMinute | Unit::MinuteSecond => (5, false),
        Unit::HourSecond | Unit::Microsecond => (7, false),
        Unit::HourMicrosecond => (13, false),
        Unit::MinuteMicrosecond => (11, false),
        Unit::SecondMicrosecond => (9, false),
    };
    let kind = if width <= 10 { Kind::Long } else { Kind::LongLong };
    Ok(FieldType { signless, ..FieldType::new(kind, width, 0) })
}

fn extract(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let unit = unit_of(c, 0);
    let is_date = matches!(unit, Unit::Year | Unit::YearMonth | Unit::Quarter | Unit::Month | Unit::Week);
    let v = c.value(1);
    if v.is_null() {
        return c.null();
    }
    let mut days_of_time = None;
    let (d, t): (DateTime, Time) =
        if is_date || (unit == Unit::Day && matches!(v, ValueRef::Date(_) | ValueRef::DateTime(_))) {
            if matches!(v, ValueRef::Time(_)) {
                (DateTime::default(), Time::default())
            } else {
                let found = if is_date { cut_date_arg(c, 1) } else { date_arg(c, 1) };
                let Some(d) = found else { return c.null() };
                (d, d.time())
            }
        } else {
            let found = match v {
                ValueRef::Time(t) => Some(Moment::Time(t)),
                ValueRef::Date(d) | ValueRef::DateTime(d) => Some(Moment::DateTime(d)),
                _ => extract_text(c, v, unit),
            };
            match found {
                None => return c.null(),
                Some(Moment::Date(d) | Moment::DateTime(d)) => (d, d.time()),
                Some(Moment::Time(t)) => {
                    // Days are those of the hours.
                    let days = t.hours / 24;
                    let mut t = t;
                    t.hours %= 24;
                    days_of_time = Some(i64::from(days));
                    (DateTime::default(), t)
                }
            }
        };
    let days = days_of_time.unwrap_or_else(|| i64::from(d.day));
    let (h, m, s, us) = (i64::from(t.hours), i64::from(t.minute), i64::from(t.second), i64::from(t.micros));
    let value = match unit {
        Unit::Year => i64::from(d.year),
        Unit::YearMonth => i64::from(d.year) * 100 + i64::from(d.month),
        Unit::Quarter => (i64::from(d.month) + 2) / 3,
        Unit::Month => i64::from(d.month),
        Unit::Week => {
            if d.month == 0 || d.day == 0 {
                0
            } else {
                i64::from(calendar::week(d, c.ctx.default_week_format & 7).0)
            }
        }
        Unit::Day => days,
        Unit::DayHour => days * 100 + h,
        Unit::DayMinute => days * 10_000 + h * 100 + m,
        Unit::DaySecond => days * 1_000_000 + h * 10_000 + m * 100 + s,
        Unit::DayMicrosecond => (days * 1_000_000 + h * 10_000 + m * 100 + s) * 1_000_000 + us,
        Unit::Hour => h,
        Unit::HourMinute => h * 100 + m,
        Unit::HourSecond => h * 10_000 + m * 100 + s,
        Unit::HourMicrosecond => (h * 10_000 + m * 100 + s) * 1_000_000 + us,
        Unit::Minute => m,
        Unit::MinuteSecond => m * 100 + s,
        Unit::MinuteMicrosecond => (m * 100 + s) * 1_000_000 + us,
        Unit::Second => s,
        Unit::SecondMicrosecond => s * 1_000_000 + us,
        Unit::Microsecond => us,
    };
    let date_unit = is_date;
    c.put_int(if t.negative && !date_unit { -value } else { value })
}

/// Whether EXTRACT reads a text as a date: two signs that are no colons stand between its first numbers, or a time follows. For days and
/// what is counted with them digits alone are a date, too (`by_day`).
fn is_dated(text: &[u8], by_day: bool) -> bool {
    let run = |at: usize| text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = |at: usize| text.get(at).is_some_and(|b| b.is_ascii_punctuation() && *b != b':');
    let first = run(0);
    if first == 0 {
        return false;
    }
    let second = if sign(first) { run(first + 1) } else { 0 };
    let two_signs = second > 0 && sign(first + 1 + second) && run(first + second + 2) > 0;
    let letters = |b: &&u8| b.is_ascii_alphabetic() || b.is_ascii_whitespace();
    let alone = || text[first..].iter().filter(letters).count() == text.len() - first;
    two_signs || first >= 12 || looks_like_datetime(text) || by_day && alone()
}

/// Text or a number as EXTRACT reads it for times: a date (with time), or an interval.
fn extract_text(c: &mut Call<'_, '_>, v: ValueRef<'_>, unit: Unit) -> Option<Moment> {
    let mut text = Vec::new();
    convert::write_text(v, c.ty(1), &mut text);
    let text = super::temporal::plain(c, 1, &text);
    let trimmed = text.trim_ascii();
    let is_text = matches!(v, ValueRef::Bytes(_));
    let by_day = is_text && matches!(unit, Unit::Day | Unit::DayHour | Unit::DayMinute | Unit::DaySecond);
    let unsigned = trimmed.strip_prefix(b"+").unwrap_or(trimmed);
    let dated = is_dated(unsigned, by_day);
    let rules = convert::part_rules(c.ctx.sql_mode);
    if dated {
        let ty = c.operand_type(1);
        let mark = c.ctx.warnings.mark();
        match convert::to_datetime(v, ty, rules, c.ctx) {
            Some(d) => {
                return Some(Moment::DateTime(d));
            }
            None => c.ctx.warnings.rollback_to(mark),
        }
    }
    // nothing but a date is written so
    let nothing_else = dated && unsigned.iter().take_while(|b| b.is_ascii_digit()).count() < 12
        || trimmed.strip_prefix(b"-").is_some_and(|rest| is_dated(rest, by_day));
    if !nothing_else && let Some(found) = extract_interval(c, v, &text, rules) {
        return found;
    }
    let ty = c.operand_type(1);
    if c.ctx.of_column {
        convert::wrong("interval", v, ty, c.ctx);
        return None;
    }
    let shown = String::from_utf8_lossy(&text).into_owned();
    wrong_value(c, "interval", &shown);
    None
}

/// An interval of days to seconds, with whatever stands behind it; nothing where a text is none, and nothing of a time that is none, which
/// was told.
fn extract_interval(
    c: &mut Call<'_, '_>,
    v: ValueRef<'_>,
    text: &[u8],
    rules: DateRules,
) -> Option<Option<Moment>> {
    let is_text = matches!(v, ValueRef::Bytes(_));
    let moment = |m: i128| {
        let (u, negative) = (m.unsigned_abs(), m < 0);
        let s = (u / 1_000_000) as u64;
        Moment::Time(Time {
            negative,
            hours: u32::try_from(s / 3600).unwrap_or(u32::MAX),
            minute: (s / 60 % 60) as u8,
            second: (s % 60) as u8,
            micros: (u % 1_000_000) as u32,
        })
    };
    if is_text && parse::has_lone_digit(text) {
        let ty = c.operand_type(1);
        return Some(convert::to_time(v, ty, c.ctx).map(Moment::Time));
    }
    if let Some((m, excess)) = parse::day_to_second(text, rules.round) {
        if excess && is_text {
            let shown = String::from_utf8_lossy(text).into_owned();
            c.ctx.warnings.push(Level::Note, ER_TRUNCATED_WRONG_VALUE, &[&"time", &shown]);
        }
        return Some(Some(moment(m)));
    }
    let too_long = |text: &[u8]| parse::day_to_second_of_any_length(text, rules.round).is_some();
    if too_long(text) {
        return None;
    }
    if let Found::Good(TimeText::Time(t)) = parse::time(text, rules) {
        return Some(Some(Moment::Time(t)));
    }
    // days and hours, or more hours than a time has
    let (known, rest) = parse::days_and_hours(text);
    if let Some((m, _)) = parse::day_to_second(&known, rules.round) {
        if !rest.is_empty() {
            let shown = String::from_utf8_lossy(text).into_owned();
            c.ctx.warnings.push(Level::Warning, ER_TRUNCATED_WRONG_VALUE, &[&"time", &shown]);
        }
        return Some(Some(moment(m)));
    }
    if too_long(&known) || !matches!(parse::time(text, rules), Found::Truncated(_)) {
        return None;
    }
    let ty = c.operand_type(1);
    Some(convert::to_time(v, ty, c.ctx).map(Moment::Time))
}

fn timestampdiff(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let unit = unit_of(c, 0);
    let Some(a) = full_date_arg(c, 1) else { return c.null() };
    let Some(b) = full_date_arg(c, 2) else { return c.null() };
    let micros = |d: DateTime| i128::from(day_no(d)) * 86_400_000_000 + i128::from(d.time().to_micros());
    let (x, y) = (micros(a), micros(b));
    let diff = y - x;
    let months = || {
        let (early, late, sign) = if diff < 0 { (b, a, -1) } else { (a, b, 1) };
        let mut m = (i64::from(late.year) - i64::from(early.year)) * 12 + i64::from(late.month)
            - i64::from(early.month);
        let rest = |d: DateTime| (d.day, d.hour, d.minute, d.second, d.micros);
        if rest(late) < rest(early) {
            m -= 1;
        }
        m * sign
    };
    let v = match unit {
        Unit::Year => months() / 12,
        Unit::Quarter => months() / 3,
        Unit::Month => months(),
        Unit::Week => (diff / 604_800_000_000) as i64,
        Unit::Day => (diff / 86_400_000_000) as i64,
        Unit::Hour => (diff / 3_600_000_000) as i64,
        Unit::Minute => (diff / 60_000_000) as i64,
        Unit::Second => (diff / 1_000_000) as i64,
        _ => diff as i64,
    };
    c.put_int(v)
}

fn add_interval(c: &mut Call<'_, '_>, subtract: bool) -> SqlResult<()> {
    let unit = unit_of(c, 2);
    let source = c.value(0);
    let ty = c.operand_type(0);
    let sum = time_of_sum(c, source);
    let source = sum.map_or(source, ValueRef::Time);
    // The date comes first, and its warnings.
    let date = match source {
        ValueRef::Null => return c.null(),
        ValueRef::Time(_) => None,
        _ => {
            // also under ALLOW_INVALID_DATES only days of the calendar are reckoned with
            let rules = DateRules {
                no_zero_date: true,
                no_zero_in_date: true,
                allow_invalid: false,
                ..convert::date_rules(c.ctx.sql_mode)
            };
            let mark = c.ctx.warnings.mark();
            match convert::to_datetime(source, ty, rules, c.ctx) {
                Some(d) => Some(d),
                None => {
                    if let Some(d) = zero_date(source, ty, c.ctx) {
                        c.ctx.warnings.rollback_to(mark);
                        warn_of_zeros(c, d, source, unit);
                    }
                    return c.null();
                }
            }
        }
    };
    let amount = c.value(1);
    if amount.is_null() {
        return c.null();
    }
    let column = c.types[1].as_column().is_some();
    let interval = interval_amount(unit, amount, &c.types[1].ty, column, c.ctx);
    let Some(interval) = interval else { return c.null() };
    let interval = if subtract { interval.negated() } else { interval };
    let Some(d) = date else {
        let ValueRef::Time(t) = source else { return c.null() };
        return match interval.add_to_time(t, unit) {
            Some((t, false)) if sum.is_some() => {
                let mut out = Vec::new();
                crate::types::temporal::format::write_time(t, c.types[0].ty.decimals.min(6), &mut out);
                c.put_ascii(&out)
            }
            Some((t, false)) => put_time(c, t),
            _ => {
                overflow(c, "time");
                c.null()
            }
        };
    };
    let Some(v) = interval.add_to(d, unit) else {
        overflow(c, "datetime");
        return c.null();
    };
    if c.expr.ty.class() == Class::Bytes {
        return put_text(c, d, v, unit);
    }
    put_datetime(c, v)
}

/// The time that ADDTIME or SUBTIME of texts gives: to what is added to it it is no text.
fn time_of_sum(c: &mut Call<'_, '_>, source: ValueRef<'_>) -> Option<Time> {
    let (Node::Call(f, _), ValueRef::Bytes(text)) = (&c.types[0].node, source) else { return None };
    if !matches!(f.def.name, "addtime" | "subtime") || looks_like_datetime(text) {
        return None;
    }
    let mark = c.ctx.warnings.mark();
    let time = convert::to_time(source, &c.types[0].ty, c.ctx);
    c.ctx.warnings.rollback_to(mark);
    time
}

/// The value of an argument that is a date with zeros in it.
fn zero_date(source: ValueRef<'_>, ty: &FieldType, ctx: &mut EvalContext) -> Option<DateTime> {
    match source {
        ValueRef::Date(d) | ValueRef::DateTime(d) => Some(d),
        ValueRef::Int(0) | ValueRef::UInt(0) => Some(DateTime::default()),
        // with a fraction it is shown as it was read
        ValueRef::Bytes(_) => {
            let before = ctx.warnings.mark();
            let read = convert::to_datetime(source, ty, DateRules::default(), ctx);
            ctx.warnings.rollback_to(before);
            read.filter(|d| d.micros != 0)
        }
        _ => None,
    }
}

/// Warns of a date with zeros in it, which nothing is added to.
fn warn_of_zeros(c: &mut Call<'_, '_>, d: DateTime, source: ValueRef<'_>, unit: Unit) {
    let mut text = Vec::new();
    if matches!(source, ValueRef::Date(_)) && !unit.has_time() {
        crate::types::temporal::format::write_date(d, &mut text);
    } else {
        let digits = if d.micros == 0 { 0 } else { 6 };
        crate::types::temporal::format::write_datetime(d, digits, &mut text);
    }
    let shown = String::from_utf8_lossy(&text).into_owned();
    wrong_value(c, "datetime", &shown);
}

/// The interval that a value says; `column`: it is one of a column.
pub fn interval_amount(
    unit: Unit,
    amount: ValueRef<'_>,
    ty: &FieldType,
    column: bool,
    ctx: &mut ConversionContext,
) -> Option<Interval> {
    if !unit.is_single() {
        let mut text = Vec::new();
        convert::write_text(amount, ty, &mut text);
        Interval::parse(unit, &text)
    } else if unit == Unit::Second && !amount.class().is_integer() {
        let d = convert::to_decimal(amount, ty, ctx);
        let total = d.abs().mul(&Decimal::from(1_000_000i64)).0.round(0, Rounding::Truncate).0.trunc_i128();
        i64::try_from(total / 1_000_000).ok().map(|s| {
            let mut i = Interval::single(unit, s, (total % 1_000_000) as u32);
            i.negative = d.is_negative();
            i
        })
    } else {
        match amount {
            ValueRef::UInt(n) => Some(Interval::single(unit, i64::try_from(n).unwrap_or(i64::MAX), 0)),
            _ if column => Some(Interval::single(unit, convert::column_to_i64(amount, ty, ctx), 0)),
            _ => Some(Interval::single(unit, convert::to_i64(amount, ty, false, ctx), 0)),
        }
    }
}

/// The moment `v`, made of `d`, as text: with a time when it had one or got one.
fn put_text(c: &mut Call<'_, '_>, d: DateTime, v: DateTime, unit: Unit) -> SqlResult<()> {
    let (source, amount) = (c.value(0), c.value(1));
    let had_time = match source {
        ValueRef::Bytes(b) => match parse::datetime(&convert::ascii(b, c.ty(0)), DateRules::default()) {
            Found::Good(t) | Found::ExcessFraction(t) | Found::Truncated(t) => t.has_time,
            _ => false,
        },
        _ => match convert::number_to_datetime(source, DateRules::default()) {
            Found::Good(t) | Found::Clipped(t) => t.has_time,
            _ => !d.is_midnight(),
        },
    };
    let mut out = Vec::new();
    if had_time || unit.has_time() {
        let dec = match amount {
            _ if unit.has_micros() => 6,
            ValueRef::Decimal(_) | ValueRef::Double(_) if unit == Unit::Second => {
                digits_read(c).max(c.ty(1).decimals.min(6))
            }
            _ if unit == Unit::Second && !amount.class().is_integer() => 6,
            _ => digits_read(c),
        };
        crate::types::temporal::format::write_datetime(v, dec, &mut out);
    } else {
        crate::types::temporal::format::write_date(v, &mut out);
    }
    c.put_ascii(&out)
}

/// Digits of the second's fraction in a text or number that is read as a date: those that are written, or all six where
/// nobody knows before it is read.
fn digits_read(c: &Call<'_, '_>) -> u8 {
    let variable = matches!(c.types[0].node, crate::expr::Node::UserVariable(_));
    let written = matches!(c.types[0].node, crate::expr::Node::Param(_) | crate::expr::Node::Literal(_));
    let ty = c.ty(0);
    match c.value(0) {
        ValueRef::Bytes(b) if variable || written => text_digits(&convert::ascii(b, ty)),
        ValueRef::Decimal(_) if !variable => ty.decimals.min(6),
        ValueRef::Bytes(_) | ValueRef::Decimal(_) | ValueRef::Double(_) => 6,
        _ => 0,
    }
}

fn overflow(c: &mut Call<'_, '_>, what: &str) {
    c.ctx.warnings.warn(ER_DATETIME_FUNCTION_OVERFLOW, &[&what]);
}

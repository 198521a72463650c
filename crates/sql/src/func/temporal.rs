//! Date and time functions.

use super::{Call, Definition, Purity, Resolve};
use crate::error::{ER_TOO_BIG_PRECISION, SqlError, SqlResult};
use crate::types::convert::{self, date_rules};
use crate::types::decimal::{Decimal, Rounding};
use crate::types::temporal::parse::DateRules;
use crate::types::temporal::{DateTime, Interval, Time, TimeZone, Unit, calendar};
use crate::types::{Class, FieldType, Kind, Value, ValueRef};
use crate::variables::SqlMode;

pub(super) const fn def(
    name: &'static str,
    min: u8,
    max: u8,
    resolve: fn(&mut Resolve<'_>) -> SqlResult<FieldType>,
    eval: fn(&mut Call<'_, '_>) -> SqlResult<()>,
) -> Definition {
    Definition { name, min, max, purity: Purity::Immutable, resolve, eval }
}

/// A function that depends on the clock, the zone or a setting.
const fn clock(
    name: &'static str,
    min: u8,
    max: u8,
    resolve: fn(&mut Resolve<'_>) -> SqlResult<FieldType>,
    eval: fn(&mut Call<'_, '_>) -> SqlResult<()>,
) -> Definition {
    Definition { name, min, max, purity: Purity::Statement, resolve, eval }
}

pub(super) const LIST: &[Definition] = &[
    clock(
        "compare_datetime",
        1,
        1,
        |r| Ok(FieldType::datetime(6).with_nullable(r.nullable())),
        compare_datetime,
    ),
    clock("compare_time", 1, 1, |r| Ok(FieldType::time(6).with_nullable(r.nullable())), compare_time),
    clock("now", 0, 1, now_type, now),
    Definition {
        name: "sysdate",
        min: 0,
        max: 1,
        purity: Purity::Volatile,
        resolve: now_type,
        eval: sysdate,
    },
    clock(
        "curdate",
        0,
        0,
        |_| Ok(FieldType::date().with_nullable(false)),
        |c| {
            let d = c.ctx.now().date_only();
            put_datetime(c, d)
        },
    ),
    clock("curtime", 0, 1, time_now_type, |c| {
        let t = c.ctx.now().time();
        put_time(c, t)
    }),
    clock(
        "utc_date",
        0,
        0,
        |_| Ok(FieldType::date().with_nullable(false)),
        |c| {
            let d = utc_now(c).date_only();
            put_datetime(c, d)
        },
    ),
    clock("utc_time", 0, 1, time_now_type, |c| {
        let t = utc_now(c).time();
        put_time(c, t)
    }),
    clock("utc_timestamp", 0, 1, now_type, |c| {
        let d = utc_now(c);
        put_datetime(c, d)
    }),
    clock("unix_timestamp", 0, 1, unix_timestamp_type, unix_timestamp),
    clock("from_unixtime", 1, 2, from_unixtime_type, from_unixtime),
    def(
        "date",
        1,
        1,
        |r| part_type(r, FieldType::date()),
        |c| match cast_datetime(c) {
            Some(d) => put_datetime(c, d.date_only()),
            None => c.null(),
        },
    ),
    def("time", 1, 1, time_type, |c| match time_of(c, 0) {
        Some(t) => put_time(c, t),
        None => c.null(),
    }),
    clock("timestamp", 1, 2, timestamp_type, timestamp),
    def("year", 1, 1, |r| field_type(r, 4), |c| date_part(c, |d| i64::from(d.year))),
    def("month", 1, 1, |r| field_type(r, 2), |c| date_part(c, |d| i64::from(d.month))),
    def("day", 1, 1, |r| field_type(r, 2), |c| date_part(c, |d| i64::from(d.day))),
    def("quarter", 1, 1, |r| field_type(r, 1), |c| date_part(c, |d| (i64::from(d.month) + 2) / 3)),
    def("hour", 1, 1, |r| time_field_type(r, 2), |c| time_part(c, |t| i64::from(t.hours))),
    def("minute", 1, 1, |r| time_field_type(r, 2), |c| time_part(c, |t| i64::from(t.minute))),
    def("second", 1, 1, |r| time_field_type(r, 2), |c| time_part(c, |t| i64::from(t.second))),
    def("microsecond", 1, 1, |r| time_field_type(r, 6), |c| time_part(c, |t| i64::from(t.micros))),
    def(
        "dayofweek",
        1,
        1,
        |r| field_type(r, 0),
        |c| full_date(c, |d| (i64::from(calendar::weekday(day_no(d))) + 1) % 7 + 1),
    ),
    def("weekday", 1, 1, |r| field_type(r, 0), |c| full_date(c, |d| i64::from(calendar::weekday(day_no(d))))),
    def("dayofyear", 1, 1, |r| field_type(r, 3), |c| full_date(c, calendar::day_of_year)),
    def("to_days", 1, 1, |r| field_type(r, 6), |c| full_date(c, day_no)),
    def(
        "to_seconds",
        1,
        1,
        |r| field_type(r, 11),
        |c| full_date(c, |d| day_no(d) * 86_400 + d.time().to_micros() / 1_000_000),
    ),
    clock("week", 1, 2, week_type, week),
    def("weekofyear", 1, 1, |r| field_type(r, 2), |c| full_date(c, |d| i64::from(calendar::week(d, 3).0))),
    def("yearweek", 1, 2, week_type, yearweek),
    clock(
        "dayname",
        1,
        1,
        |r| name_type(r, 9),
        |c| {
            let locale = c.ctx.lc_time_names.clone();
            match full_date_arg(c, 0) {
                Some(d) => {
                    let n = super::locale::names(&locale).days[usize::from(calendar::weekday(day_no(d)))];
                    c.put_utf8(n)
                }
                None => c.null(),
            }
        },
    ),
    clock(
        "monthname",
        1,
        1,
        |r| name_type(r, 9),
        |c| {
            let locale = c.ctx.lc_time_names.clone();
            match date_arg(c, 0).filter(|d| (1..=12).contains(&d.month)) {
                Some(d) => {
                    let n = super::locale::names(&locale).months[usize::from(d.month) - 1];
                    c.put_utf8(n)
                }
                None => c.null(),
            }
        },
    ),
    def(
        "last_day",
        1,
        1,
        |r| part_type(r, FieldType::date()),
        |c| match date_arg(c, 0).filter(|d| d.month > 0) {
            Some(d) => {
                put_datetime(c, DateTime::date(d.year, d.month, calendar::days_in_month(d.year, d.month)))
            }
            None => c.null(),
        },
    ),
    def("from_days", 1, 1, from_days_type, |c| {
        let Some(n) = c.int(0) else { return c.null() };
        put_datetime(c, calendar::from_day_number(n).unwrap_or_default())
    }),
    def("sec_to_time", 1, 1, sec_to_time_type, sec_to_time),
    def("time_to_sec", 1, 1, time_to_sec_type, time_to_sec),
    def(
        "datediff",
        2,
        2,
        |r| {
            date(r, 0)?;
            date(r, 1)?;
            Ok(FieldType::int(8).with_nullable(true))
        },
        |c| match (full_date_arg(c, 0), full_date_arg(c, 1)) {
            (Some(a), Some(b)) => c.put_int(day_no(a) - day_no(b)),
            _ => c.null(),
        },
    ),
    clock("timediff", 2, 2, timediff_type, timediff),
    def("addtime", 2, 2, addtime_type, |c| addtime(c, 1)),
    def("subtime", 2, 2, addtime_type, |c| addtime(c, -1)),
    def(
        "makedate",
        2,
        2,
        |r| {
            r.int(0)?;
            r.int(1)?;
            Ok(FieldType::date().with_nullable(true))
        },
        makedate,
    ),
    def("maketime", 3, 3, maketime_type, maketime),
    def("period_add", 2, 2, period_type, |c| {
        let (Some(p), Some(n)) = (c.int(0), c.int(1)) else { return c.null() };
        let Some(m) = period_months(c, p)? else { return c.put_int(0) };
        let m = m.saturating_add(n);
        c.put_int(months_period(m))
    }),
    def("period_diff", 2, 2, period_type, |c| {
        let (Some(a), Some(b)) = (c.int(0), c.int(1)) else { return c.null() };
        match (period_months(c, a)?, period_months(c, b)?) {
            (Some(a), Some(b)) => c.put_int(a - b),
            _ => c.put_int(0),
        }
    }),
    clock(
        "convert_tz",
        3,
        3,
        |r| {
            date(r, 0)?;
            r.plain_text(1)?;
            r.plain_text(2)?;
            let dec = literal_digits_of(r, 0);
            Ok(FieldType::datetime(dec).with_nullable(true))
        },
        convert_tz,
    ),
    def(
        "add_months",
        2,
        2,
        |r| {
            let source = r.args[0].ty.clone();
            date(r, 0)?;
            r.int(1)?;
            let t = if source.class() == Class::DateTime {
                FieldType::datetime(source.decimals.min(6))
            } else {
                FieldType::date()
            };
            Ok(t.with_nullable(true))
        },
        |c| {
            let (Some(d), Some(n)) = (date_arg(c, 0), c.int(1)) else { return c.null() };
            match Interval::single(Unit::Month, n, 0).add_to(d, Unit::Month) {
                Some(d) => put_datetime(c, d),
                None => c.null(),
            }
        },
    ),
    clock("date_format", 2, 3, super::date_format::format_type, super::date_format::date_format),
    clock("time_format", 2, 2, super::date_format::time_format_type, super::date_format::time_format),
    def("str_to_date", 2, 2, super::date_format::str_to_date_type, super::date_format::str_to_date),
    def("get_format", 2, 2, super::date_format::get_format_type, super::date_format::get_format),
    clock(
        "cast_as_date",
        1,
        1,
        |_| Ok(FieldType::date().with_nullable(true)),
        |c| match cast_datetime(c) {
            Some(d) => put_datetime(c, d.date_only()),
            None => c.null(),
        },
    ),
    clock(
        "cast_as_datetime",
        1,
        1,
        |_| Ok(FieldType::datetime(0)),
        |c| match cast_datetime(c) {
            Some(d) => {
                let digits = convert::fraction_digits(&c.expr.ty);
                let rounds = c.ctx.sql_mode.has(SqlMode::TIME_ROUND_FRACTIONAL);
                put_datetime(c, if rounds { d.rounded(digits).unwrap_or(d) } else { d })
            }
            None => c.null(),
        },
    ),
    def(
        "cast_as_time",
        1,
        1,
        |_| Ok(FieldType::time(0)),
        |c| {
            let v = c.value(0);
            let ty = c.ty(0);
            match convert::to_time(v, ty, c.ctx) {
                Some(t) => {
                    let digits = convert::fraction_digits(&c.expr.ty);
                    let rounds = c.ctx.sql_mode.has(SqlMode::TIME_ROUND_FRACTIONAL);
                    put_time(c, if rounds { t.rounded(digits) } else { t })
                }
                None => c.null(),
            }
        },
    ),
];

pub(super) fn day_no(d: DateTime) -> i64 {
    calendar::day_number(d.year, d.month, d.day)
}

/// Text or a number beside a date in a comparison.
fn compare_datetime(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    if v.is_null() {
        return c.null();
    }
    let mark = c.ctx.warnings.mark();
    let ty = c.ty(0);
    // a day that its month does not have counts where dates are compared
    let rules = DateRules { allow_invalid: true, ..DateRules::default() };
    match convert::to_datetime(v, ty, rules, c.ctx) {
        Some(d) => c.out.push_i64(d.packed()),
        None => {
            zero_with_warning(c, mark, "datetime");
            c.out.push_i64(0);
        }
    }
    Ok(())
}

/// Text or a number beside a time in a comparison.
fn compare_time(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    if v.is_null() {
        return c.null();
    }
    let mark = c.ctx.warnings.mark();
    let ty = c.ty(0);
    match convert::to_time(v, ty, c.ctx) {
        Some(t) => c.out.push_i64(t.packed()),
        None => {
            zero_with_warning(c, mark, "time");
            c.out.push_i64(0);
        }
    }
    Ok(())
}

/// What is no date compares as the zero value, with a warning in its own words.
fn zero_with_warning(c: &mut Call<'_, '_>, mark: (usize, u64, u64), what: &str) {
    c.ctx.warnings.rollback_to(mark);
    // numbers are shown without their column's zeros
    let plain = match c.ty(0) {
        t if t.class() == Class::Double => FieldType::double(),
        t => FieldType { zerofill: false, ..t.clone() },
    };
    let shown = convert::printable_ascii(c.value(0), &plain);
    c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&what, &shown]);
}

/// Puts a date and time, its fraction cut to the type's digits.
pub(super) fn put_datetime(c: &mut Call<'_, '_>, d: DateTime) -> SqlResult<()> {
    let d = d.truncated(convert::fraction_digits(&c.expr.ty));
    match c.expr.ty.class() {
        Class::Bytes => {
            let mut out = Vec::new();
            if d.is_midnight() && c.expr.ty.length < 19 {
                crate::types::temporal::format::write_date(d, &mut out);
            } else {
                crate::types::temporal::format::write_datetime(d, if d.micros > 0 { 6 } else { 0 }, &mut out);
            }
            c.put_ascii(&out)
        }
        _ => {
            c.out.push_i64(d.packed());
            Ok(())
        }
    }
}

/// Puts a time, its fraction cut to the type's digits.
pub(super) fn put_time(c: &mut Call<'_, '_>, t: Time) -> SqlResult<()> {
    let t = t.truncated(convert::fraction_digits(&c.expr.ty));
    c.out.push_i64(t.packed());
    Ok(())
}

fn utc_now(c: &mut Call<'_, '_>) -> DateTime {
    let (s, us) = c.ctx.now_utc();
    TimeZone::Offset(0).to_local(s, us).unwrap_or_default()
}

/// The digits of fraction given as a literal argument.
fn precision(r: &mut Resolve<'_>, i: usize) -> SqlResult<u8> {
    match r.args.get(i) {
        None => Ok(0),
        Some(e) => match e.as_literal() {
            Some(Value::Int(n)) if (0..=6).contains(n) => Ok(*n as u8),
            Some(Value::Int(n)) => {
                let name = r.name.to_string();
                Err(SqlError::new(ER_TOO_BIG_PRECISION, &[&name, n, &6]))
            }
            _ => Ok(0),
        },
    }
}

fn now_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = precision(r, 0)?;
    Ok(FieldType::datetime(dec).with_nullable(false))
}

fn time_now_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = precision(r, 0)?;
    Ok(FieldType::time(dec).with_nullable(false))
}

fn now(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let d = c.ctx.now();
    put_datetime(c, d)
}

fn sysdate(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (s, us) = crate::types::context::clock();
    let d = c.ctx.time_zone.to_local(s, us).unwrap_or_default();
    put_datetime(c, d)
}

/// Argument `i` as a date: text and numbers are converted when the row is computed, so that
/// zero dates pass.
pub(super) fn date(r: &mut Resolve<'_>, i: usize) -> SqlResult<()> {
    let _ = (r, i);
    Ok(())
}

/// The date rules of functions that look at a date: whatever is a date passes.
pub(super) fn date_arg(c: &mut Call<'_, '_>, i: usize) -> Option<DateTime> {
    let v = c.value(i);
    let ty = c.ty(i);
    match v {
        ValueRef::Null => None,
        ValueRef::Date(d) | ValueRef::DateTime(d) => Some(d),
        _ => {
            let rules =
                DateRules { no_zero_date: false, no_zero_in_date: false, ..date_rules(c.ctx.sql_mode) };
            convert::to_datetime(v, ty, rules, c.ctx)
        }
    }
}

fn time_of(c: &mut Call<'_, '_>, i: usize) -> Option<Time> {
    let v = c.value(i);
    let ty = c.ty(i);
    convert::to_time(v, ty, c.ctx)
}

fn part_type(r: &mut Resolve<'_>, t: FieldType) -> SqlResult<FieldType> {
    date(r, 0)?;
    Ok(t.with_nullable(true))
}

/// Digits of fraction of a value of this type.
pub(super) fn digits_of(t: &FieldType) -> u8 {
    match t.class() {
        Class::Int | Class::UInt | Class::Date => 0,
        Class::Null => 0,
        _ => t.decimals.min(6),
    }
}

/// Digits of fraction of an argument before it was converted.
fn literal_digits_of(r: &Resolve<'_>, i: usize) -> u8 {
    literal_digits(&r.args[i])
}

/// Digits of fraction of an argument; for a constant text as many as it has.
pub(super) fn literal_digits(e: &crate::expr::Expr) -> u8 {
    match e.as_literal() {
        Some(Value::Bytes(b)) => match b.iter().rposition(|x| *x == b'.') {
            Some(p) => b[p + 1..].iter().take_while(|d| d.is_ascii_digit()).count().min(6) as u8,
            None => 0,
        },
        _ => digits_of(&e.ty),
    }
}

fn time_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = literal_digits(&r.args[0]);
    Ok(FieldType::time(dec).with_nullable(true))
}

fn field_type(r: &mut Resolve<'_>, width: u32) -> SqlResult<FieldType> {
    date(r, 0)?;
    Ok(FieldType::int(width + 1).with_nullable(true))
}

fn time_field_type(_: &mut Resolve<'_>, width: u32) -> SqlResult<FieldType> {
    Ok(FieldType::int(width + 1).with_nullable(true))
}

fn date_part(c: &mut Call<'_, '_>, f: fn(DateTime) -> i64) -> SqlResult<()> {
    let v = date_arg(c, 0).map(f);
    c.put_opt_int(v)
}

/// Argument `i` as a date without zero parts; others are NULL, with a warning when they are no dates.
pub(super) fn full_date_arg(c: &mut Call<'_, '_>, i: usize) -> Option<DateTime> {
    let v = c.value(i);
    let ty = c.ty(i);
    let rules = DateRules { no_zero_date: true, no_zero_in_date: true, ..date_rules(c.ctx.sql_mode) };
    // a date of a column that lacks parts is NULL quietly, a text that is no date warns
    if let ValueRef::Date(d) | ValueRef::DateTime(d) = v {
        return rules.accept(d).then_some(d);
    }
    convert::to_datetime(v, ty, rules, c.ctx)
}

/// A part that only a full date has.
fn full_date(c: &mut Call<'_, '_>, f: fn(DateTime) -> i64) -> SqlResult<()> {
    let v = full_date_arg(c, 0).map(f);
    c.put_opt_int(v)
}

/// The text of argument `i` in UTF-8.
pub(super) fn plain<'b>(c: &Call<'_, '_>, i: usize, text: &'b [u8]) -> std::borrow::Cow<'b, [u8]> {
    if c.value(i).class() == Class::Bytes { super::date_format::utf8(c.ty(i), text) } else { text.into() }
}

/// An interval of days to seconds: signed microseconds.
fn day_to_second(c: &mut Call<'_, '_>, i: usize) -> Option<i128> {
    let v = c.value(i);
    let found = match v {
        ValueRef::Null => return None,
        ValueRef::Time(t) => Some(i128::from(t.to_micros())),
        ValueRef::Date(_) | ValueRef::DateTime(_) => None,
        _ => {
            let mut text = Vec::new();
            convert::write_text(v, c.ty(i), &mut text);
            let text = plain(c, i, &text);
            crate::types::temporal::parse::day_to_second(&text).or_else(|| {
                if text.iter().skip(1).any(|b| *b == b'-') {
                    return None;
                }
                use crate::types::temporal::parse::{self, Found, TimeText};
                let Found::Truncated(TimeText::Time(t)) = parse::time(&text, DateRules::default()) else {
                    return None;
                };
                let shown = String::from_utf8_lossy(&text).into_owned();
                let what = "INTERVAL DAY TO SECOND";
                c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&what, &shown]);
                Some(i128::from(t.to_micros()))
            })
        }
    };
    if found.is_none() {
        let mut text = Vec::new();
        match v {
            ValueRef::DateTime(d) => {
                crate::types::temporal::format::write_datetime(
                    d,
                    if d.micros > 0 { 6 } else { 0 },
                    &mut text,
                );
            }
            _ => convert::write_text(v, c.ty(i), &mut text),
        }
        let shown = String::from_utf8_lossy(&plain(c, i, &text)).into_owned();
        wrong_value(c, "INTERVAL DAY TO SECOND", &shown);
    }
    found
}

/// Warning 1292 in the words of 1525.
pub(super) fn wrong_value(c: &mut Call<'_, '_>, what: &str, shown: &str) {
    let message = crate::error::message(crate::error::ER_WRONG_VALUE, &[&what, &shown]);
    c.ctx.warnings.push_text(crate::warning::Level::Warning, crate::error::ER_TRUNCATED_WRONG_VALUE, message);
}

fn time_part(c: &mut Call<'_, '_>, f: fn(Time) -> i64) -> SqlResult<()> {
    let v = time_of(c, 0).map(f);
    c.put_opt_int(v)
}

pub(super) fn any_type(_: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Ok(FieldType::datetime(6))
}

fn name_type(r: &mut Resolve<'_>, chars: u64) -> SqlResult<FieldType> {
    date(r, 0)?;
    Ok(r.ascii_text(chars).with_nullable(true))
}

fn unix_timestamp_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    if r.len() == 0 {
        let mut t = FieldType::bigint(false).with_nullable(true);
        t.length = 17;
        return Ok(t);
    }
    let dec = literal_digits(&r.args[0]);
    let text = r.args[0].ty.is_string() && r.args[0].as_literal().is_none();
    let dec = if text || r.args[0].ty.class() == Class::Double { 6 } else { dec };
    let dec = match &r.args[0].node {
        crate::expr::Node::UserVariable(name) => fraction_of_variable(r, name),
        _ => dec,
    };
    if dec == 0 {
        let mut t = FieldType::bigint(false).with_nullable(true);
        t.length = 17;
        return Ok(t);
    }
    Ok(FieldType::decimal(10 + dec + 6, dec).with_nullable(true))
}

/// The text that argument `i`, a user variable, holds now.
fn text_of_variable<'a>(r: &'a Resolve<'_>, i: usize) -> Option<&'a [u8]> {
    let crate::expr::Node::UserVariable(name) = &r.args[i].node else { return None };
    match &r.ctx.variables.get(name)?.value {
        Value::Bytes(b) => Some(b),
        _ => None,
    }
}

/// Digits of fraction of argument `i`; for a constant text and that of a user variable as many as it has.
fn digits_now(r: &Resolve<'_>, i: usize) -> u8 {
    match (&r.args[i].node, text_of_variable(r, i)) {
        (crate::expr::Node::UserVariable(name), Some(_)) => fraction_of_variable(r, name),
        _ => literal_digits(&r.args[i]),
    }
}

/// Digits of the fraction of the second that a user variable holds now.
fn fraction_of_variable(r: &Resolve<'_>, name: &str) -> u8 {
    match r.ctx.variables.get(name).map(|v| &v.value) {
        Some(crate::types::Value::Bytes(b)) => {
            let fraction = b.rsplit(|b| *b == b'.').next().filter(|f| f.len() < b.len());
            fraction.map_or(0, |f| f.iter().take_while(|b| b.is_ascii_digit()).count().min(6) as u8)
        }
        Some(crate::types::Value::Decimal(d)) => d.scale().min(6),
        _ => 0,
    }
}

fn unix_timestamp(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.len() == 0 {
        let (s, _) = c.ctx.now_utc();
        return c.put_int(s);
    }
    let Some(d) = date_arg(c, 0) else { return c.null() };
    let integer = c.expr.ty.class() == Class::Int;
    if d.month == 0 || d.day == 0 {
        if c.ty(0).kind == Kind::Timestamp
            && matches!(c.types[0].node, crate::expr::Node::Column(c) if c.table != u32::MAX)
        {
            // what a column has as the second 0
            return c.put_int(0);
        }
        if d.month != 0 || d.day != 0 {
            let _ = full_date_arg(c, 0);
        }
        return c.null();
    }
    let (seconds, _) = c.ctx.time_zone.to_utc(d);
    if !(0..=0x7fff_ffff).contains(&seconds) {
        return c.null();
    }
    if integer {
        return c.put_int(seconds);
    }
    let v = decimal_seconds(seconds, d.micros, c.expr.ty.decimals);
    c.out.push_decimal(&v);
    Ok(())
}

/// Seconds with a fraction of `digits` digits.
fn decimal_seconds(seconds: i64, micros: u32, digits: u8) -> Decimal {
    let total = i128::from(seconds) * 1_000_000 + i128::from(micros);
    let text = format!(
        "{}{}.{:06}",
        if total < 0 { "-" } else { "" },
        total.abs() / 1_000_000,
        total.abs() % 1_000_000
    );
    Decimal::parse(text.as_bytes()).value.round(i32::from(digits.min(6)), Rounding::Truncate).0
}

fn from_unixtime_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = match r.args[0].ty.class() {
        Class::Double => 6,
        _ => literal_digits(&r.args[0]),
    };
    exact(r, 0)?;
    if r.len() >= 2 {
        r.text(1)?;
        let chars = super::date_format::longest(&r.args[1]);
        return Ok(r.ascii_text(chars).with_nullable(true));
    }
    Ok(FieldType::datetime(dec).with_nullable(true))
}

/// Argument `i` as a decimal that keeps its digits.
fn exact(r: &mut Resolve<'_>, i: usize) -> SqlResult<()> {
    let mut t = FieldType::decimal(65, 38);
    t.decimals = crate::result::NOT_FIXED_DEC;
    r.convert(i, t)
}

fn from_unixtime(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(d) = c.decimal(0) else { return c.null() };
    let Some((s, us)) = seconds_of(&d) else { return c.null() };
    if s > 0x7fff_ffff {
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"unixtime", &d]);
    }
    if !(0..=0x7fff_ffff).contains(&s) || d.is_negative() {
        return c.null();
    }
    let Some(local) = c.ctx.time_zone.to_local(s, us) else { return c.null() };
    if c.len() == 1 {
        return put_datetime(c, local);
    }
    let Some(format) = c.bytes(1) else { return c.null() };
    let locale = c.ctx.lc_time_names.to_string();
    super::date_format::put_formatted(c, local, format, &locale)
}

/// Whole seconds and microseconds of a decimal.
fn seconds_of(d: &Decimal) -> Option<(i64, u32)> {
    let micros = d.mul(&Decimal::from(1_000_000i64)).0.round(0, Rounding::Truncate).0.trunc_i128();
    let s = micros.div_euclid(1_000_000);
    Some((i64::try_from(s).ok()?, micros.rem_euclid(1_000_000) as u32))
}

fn timestamp_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    // what is no date has no fraction of the second here
    let dated = |b: &[u8]| b.iter().skip(1).any(|b| *b == b'-');
    let mut dec = match text_of_variable(r, 0) {
        Some(text) if !dated(text) => 0,
        _ => digits_now(r, 0),
    };
    if r.len() == 2 {
        dec = dec.max(literal_digits(&r.args[1]));
    }
    Ok(FieldType::datetime(dec).with_nullable(true))
}

fn timestamp(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(d) = cast_datetime(c) else { return c.null() };
    if c.len() == 1 {
        return put_datetime(c, d);
    }
    let Some(delta) = day_to_second(c, 1) else { return c.null() };
    if d.month == 0 || d.day == 0 {
        return c.null();
    }
    match calendar::add_micros(d, delta) {
        Some(d) => put_datetime(c, d),
        None => c.null(),
    }
}

/// Argument 0 as CAST reads it.
fn cast_datetime(c: &mut Call<'_, '_>) -> Option<DateTime> {
    let v = c.value(0);
    let ty = c.ty(0);
    let rules = date_rules(c.ctx.sql_mode);
    convert::to_datetime(v, ty, rules, c.ctx)
}

fn week_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(1)?;
    let width = if r.name.eq_ignore_ascii_case("week") { 3 } else { 6 };
    Ok(FieldType::int(width).with_nullable(true))
}

fn week(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let mode = if c.len() == 2 { c.int(1).unwrap_or(0) as u32 } else { c.ctx.default_week_format };
    let v = full_date_arg(c, 0).map(|d| i64::from(calendar::week(d, mode & 7).0));
    c.put_opt_int(v)
}

fn yearweek(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let mode = c.int(1).unwrap_or(0) as u32;
    let v = full_date_arg(c, 0).map(|d| {
        let (w, y) = calendar::week(d, mode & 7 | 2);
        i64::from(y) * 100 + i64::from(w)
    });
    c.put_opt_int(v)
}

fn from_days_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    Ok(FieldType::date().with_nullable(true))
}

fn sec_to_time_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = match r.args[0].ty.class() {
        _ if r.args[0].ty.hex => 0,
        Class::Double | Class::Bytes => 6,
        _ => r.args[0].ty.decimals.min(6),
    };
    Ok(FieldType::time(dec).with_nullable(true))
}

fn sec_to_time(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    if v.is_null() {
        return c.null();
    }
    let ty = c.ty(0);
    let d = convert::to_decimal(v, ty, c.ctx);
    let micros = d.mul(&Decimal::from(1_000_000i64)).0.round(0, Rounding::Truncate).0.trunc_i128();
    let limit = i128::from(Time::limit(false, 6).to_micros());
    if micros.abs() > limit {
        let mut text = Vec::new();
        convert::write_text(v, ty, &mut text);
        let shown = if ty.is_temporal() { d.to_string() } else { convert::printable(&text, ty) };
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"seconds", &shown]);
        return put_time(c, Time::limit(micros < 0, 6));
    }
    put_time(c, Time::from_micros(micros as i64).0)
}

fn time_to_sec_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = digits_now(r, 0);
    if dec == 0 {
        return Ok(FieldType::int(10).with_nullable(true)).map(|mut t| {
            t.kind = Kind::LongLong;
            t.length = 17;
            t
        });
    }
    let mut t = FieldType::decimal(10 + dec, dec).with_nullable(true);
    t.length = 18 + u32::from(dec);
    Ok(t)
}

fn time_to_sec(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(t) = time_of(c, 0) else { return c.null() };
    let micros = t.to_micros();
    if c.expr.ty.class() == Class::Int {
        return c.put_int(micros / 1_000_000);
    }
    let v = decimal_seconds(0, 0, 0);
    let _ = v;
    let text = format!(
        "{}{}.{:06}",
        if micros < 0 { "-" } else { "" },
        micros.abs() / 1_000_000,
        micros.abs() % 1_000_000
    );
    let d = Decimal::parse(text.as_bytes()).value.round(i32::from(c.expr.ty.decimals), Rounding::Truncate).0;
    c.out.push_decimal(&d);
    Ok(())
}

fn timediff_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = literal_digits(&r.args[0]).max(literal_digits(&r.args[1]));
    Ok(FieldType::time(dec).with_nullable(true))
}

/// A value of TIMEDIFF, ADDTIME: a time, or a date and time.
pub(super) enum Moment {
    Time(Time),
    DateTime(DateTime),
}

fn moment(c: &mut Call<'_, '_>, i: usize) -> Option<Moment> {
    use crate::types::temporal::parse::{self, Found, TimeText};
    let v = c.value(i);
    let ty = c.ty(i);
    match v {
        ValueRef::Null => None,
        ValueRef::Time(t) => Some(Moment::Time(t)),
        ValueRef::Date(d) | ValueRef::DateTime(d) => Some(Moment::DateTime(d)),
        ValueRef::Bytes(b) => {
            let found = parse::time(b, DateRules::default());
            match found {
                Found::Good(TimeText::DateTime(d)) | Found::ExcessFraction(TimeText::DateTime(d)) => {
                    Some(Moment::DateTime(d))
                }
                _ => convert::to_time(v, ty, c.ctx).map(Moment::Time),
            }
        }
        _ => match convert::number_to_time(v, DateRules::default()) {
            Found::Good(TimeText::DateTime(d)) => Some(Moment::DateTime(d)),
            _ => convert::to_time(v, ty, c.ctx).map(Moment::Time),
        },
    }
}

fn timediff(c: &mut Call<'_, '_>) -> SqlResult<()> {
    // A date and a date with time do not go together.
    let plain = |t: &FieldType| t.class() == Class::Date;
    if c.ty(0).is_temporal() && c.ty(1).is_temporal() && plain(c.ty(0)) != plain(c.ty(1)) {
        return c.null();
    }
    let Some(a) = moment(c, 0) else { return c.null() };
    let Some(b) = moment(c, 1) else { return c.null() };
    let micros = match (a, b) {
        (Moment::Time(a), Moment::Time(b)) => i128::from(a.to_micros()) - i128::from(b.to_micros()),
        (Moment::DateTime(a), Moment::DateTime(b)) => {
            let days = i128::from(day_no(a) - day_no(b));
            days * 86_400_000_000 + i128::from(a.time().to_micros() - b.time().to_micros())
        }
        _ => return c.null(),
    };
    put_clipped(c, micros)
}

/// Puts a time of so many microseconds; one out of range is cut with a warning.
fn put_clipped(c: &mut Call<'_, '_>, micros: i128) -> SqlResult<()> {
    let limit = i128::from(Time::limit(false, 6).to_micros());
    if micros.abs() > limit {
        let s = micros.abs() / 1_000_000;
        let shown =
            format!("{}{}:{:02}:{:02}", if micros < 0 { "-" } else { "" }, s / 3600, s / 60 % 60, s % 60);
        let us = micros.abs() % 1_000_000;
        let shown = if us > 0 { format!("{shown}.{us:06}") } else { shown };
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"time", &shown]);
        return put_time(c, Time::limit(micros < 0, 6));
    }
    put_time(c, Time::from_micros(micros as i64).0)
}

fn addtime_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    // of a number with a floating point, and of a text that is not written out, nobody knows how many digits come
    let open = match r.args[1].ty.class() {
        Class::Double => true,
        Class::Bytes => r.args[1].as_literal().is_none(),
        _ => false,
    };
    let dec = if open { 6 } else { digits_of(&r.args[0].ty).max(literal_digits(&r.args[1])) };
    let t = match r.args[0].ty.class() {
        Class::Date | Class::DateTime => FieldType::datetime(dec),
        Class::Time => FieldType::time(dec),
        _ => {
            // of a text nobody knows how many digits the time in it has
            let text = matches!(r.args[0].ty.class(), Class::Bytes | Class::Double);
            let dec = if text { 6 } else { dec };
            let chars = 19 + if dec > 0 { u64::from(dec) + 1 } else { 0 };
            let mut t = FieldType::string(chars, r.ctx.collation, crate::types::Derivation::Coercible);
            t.decimals = if text { crate::result::NOT_FIXED_DEC } else { dec };
            t.kind = Kind::Char;
            t.ascii = true;
            t
        }
    };
    Ok(t.with_nullable(true))
}

/// How many digits of a second a text shows: those of its type, or all when there are any and nobody knows how many.
fn shown_digits(ty: &FieldType, micros: u32) -> u8 {
    match ty.decimals {
        dec @ 0..=6 => dec,
        _ if micros > 0 => 6,
        _ => 0,
    }
}

fn addtime(c: &mut Call<'_, '_>, sign: i128) -> SqlResult<()> {
    let Some(a) = moment(c, 0) else { return c.null() };
    let Some(delta) = day_to_second(c, 1) else { return c.null() };
    let delta = sign * delta;
    match a {
        Moment::DateTime(d) => {
            if d.day == 0 || d.month == 0 {
                return c.null();
            }
            match calendar::add_micros(d, delta) {
                Some(d) => match c.expr.ty.class() {
                    Class::Bytes => {
                        let mut out = Vec::new();
                        let dec = shown_digits(&c.expr.ty, d.micros);
                        crate::types::temporal::format::write_datetime(d, dec, &mut out);
                        c.put_ascii(&out)
                    }
                    _ => put_datetime(c, d),
                },
                None => c.null(),
            }
        }
        Moment::Time(t) => {
            let micros = i128::from(t.to_micros()) + delta;
            if c.expr.ty.class() == Class::Bytes {
                let limit = i128::from(Time::limit(false, 6).to_micros());
                let t = Time::from_micros(micros.clamp(-limit, limit) as i64).0;
                let mut out = Vec::new();
                if micros.abs() > limit {
                    let s = micros.abs() / 1_000_000;
                    let shown = format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
                    c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"time", &shown]);
                }
                let dec = shown_digits(&c.expr.ty, t.micros);
                crate::types::temporal::format::write_time(t, dec, &mut out);
                return c.put_ascii(&out);
            }
            put_clipped(c, micros)
        }
    }
}

fn makedate(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(y), Some(n)) = (c.int(0), c.int(1)) else { return c.null() };
    if n <= 0 || !(0..=9999).contains(&y) {
        return c.null();
    }
    let y = match y {
        0..=69 => 2000 + y,
        70..=99 => 1900 + y,
        y => y,
    };
    let start = calendar::day_number(y as u16, 1, 1);
    match start
        .checked_add(n - 1)
        .filter(|d| *d <= calendar::MAX_DAY_NUMBER)
        .and_then(calendar::from_day_number)
    {
        Some(d) => put_datetime(c, d),
        None => c.null(),
    }
}

fn maketime_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    r.int(1)?;
    let dec = literal_digits(&r.args[2]);
    let dec = if matches!(r.args[2].ty.class(), Class::Double | Class::Bytes) { 6 } else { dec };
    exact(r, 2)?;
    Ok(FieldType::time(dec).with_nullable(true))
}

fn maketime(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(h), Some(m), Some(s)) = (c.int(0), c.int(1), c.decimal(2)) else { return c.null() };
    let Some((s, us)) = seconds_of(&s) else { return c.null() };
    if s >= 60 {
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"seconds", &s]);
    }
    if !(0..60).contains(&m) || !(0..60).contains(&s) {
        return c.null();
    }
    let negative = h < 0;
    let hours = h.unsigned_abs();
    if hours > 838 {
        let shown = format!("{}{}:{:02}:{:02}", if negative { "-" } else { "" }, hours, m, s);
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"time", &shown]);
        return put_time(c, Time::limit(negative, 6));
    }
    put_time(c, Time { negative, hours: hours as u32, minute: m as u8, second: s as u8, micros: us })
}

fn period_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    r.int(1)?;
    let nullable = r.nullable();
    Ok(FieldType::int(6).with_nullable(nullable))
}

/// Months of a period YYMM or YYYYMM.
fn period_months(c: &Call<'_, '_>, p: i64) -> SqlResult<Option<i64>> {
    if p == 0 {
        return Ok(None);
    }
    let (y, m) = (p / 100, p % 100);
    if p < 0 || !(1..=12).contains(&m) {
        let name = match &c.expr.node {
            crate::expr::Node::Call(f, _) => f.def.name,
            _ => "",
        };
        return Err(SqlError::new(crate::error::ER_WRONG_ARGUMENTS, &[&name]));
    }
    let y = match y {
        0..=69 => 2000 + y,
        70..=99 => 1900 + y,
        y => y,
    };
    Ok(Some(y * 12 + m - 1))
}

fn months_period(m: i64) -> i64 {
    if m == 0 {
        return 0;
    }
    let y = m / 12;
    let y = match y {
        0..=69 => 2000 + y,
        70..=99 => 1900 + y,
        y => y,
    };
    y * 100 + m % 12 + 1
}

fn convert_tz(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(from), Some(to)) = (c.bytes(1), c.bytes(2)) else { return c.null() };
    let zone = |b: &[u8]| std::str::from_utf8(b).ok().and_then(TimeZone::parse);
    let (from, to) = (zone(from), zone(to));
    let Some(d) = full_date_arg(c, 0) else { return c.null() };
    let (Some(from), Some(to)) = (from, to) else { return c.null() };
    if d.day == 0 || d.month == 0 {
        return c.null();
    }
    let (s, _) = from.to_utc(d);
    if !(0..=0x7fff_ffff).contains(&s) {
        return put_datetime(c, d);
    }
    match to.to_local(s, d.micros) {
        Some(d) => put_datetime(c, d),
        None => c.null(),
    }
}

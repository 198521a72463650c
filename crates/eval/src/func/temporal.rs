//! Date and time functions.

use super::fraction::{
    digits_now, fraction_of_variable, literal_digits, text_digits, text_now, text_of_variable,
};
use super::{Arguments, Call, Definition, Purity, Resolve, Stops};
use super::{pure, statement};
use crate::error::{ER_TOO_BIG_PRECISION, SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Node};
use crate::types::convert::{self, date_rules};
use crate::types::decimal::{Decimal, Rounding};
use crate::types::temporal::parse::{self, DateRules, Found, TimeText};
use crate::types::temporal::{DateTime, Interval, Time, TimeZone, Unit, calendar};
use crate::types::{Class, FieldType, Kind, Value, ValueRef};
use crate::variables::SqlMode;
use crate::warning::Level;

pub(super) const LIST: &[Definition] = &[
    statement(
        "compare_datetime",
        1,
        1,
        |r| Ok(FieldType::datetime(6).with_nullable(r.nullable())),
        compare_datetime,
    ),
    statement("compare_cast", 1, 1, |_| Ok(FieldType::datetime(6)), compare_cast),
    statement("compare_time", 1, 1, |r| Ok(FieldType::time(6).with_nullable(r.nullable())), compare_time),
    statement("now", 0, 1, now_type, now),
    Definition {
        name: "sysdate",
        min: 0,
        max: 1,
        purity: Purity::Volatile,
        resolve: now_type,
        eval: sysdate,
        arguments: Arguments::All,
        stops: Stops::Never,
    },
    statement(
        "curdate",
        0,
        0,
        |_| Ok(FieldType::date().with_nullable(false)),
        |c| {
            let d = c.ctx.now().date_only();
            put_datetime(c, d)
        },
    ),
    statement("curtime", 0, 1, time_now_type, |c| {
        let t = c.ctx.now().time();
        put_time(c, t)
    }),
    statement(
        "utc_date",
        0,
        0,
        |_| Ok(FieldType::date().with_nullable(false)),
        |c| {
            let d = utc_now(c).date_only();
            put_datetime(c, d)
        },
    ),
    statement("utc_time", 0, 1, time_now_type, |c| {
        let t = utc_now(c).time();
        put_time(c, t)
    }),
    statement("utc_timestamp", 0, 1, now_type, |c| {
        let d = utc_now(c);
        put_datetime(c, d)
    }),
    statement("unix_timestamp", 0, 1, unix_timestamp_type, unix_timestamp),
    statement("from_unixtime", 1, 2, from_unixtime_type, from_unixtime).stopping(Stops::Each),
    pure(
        "date",
        1,
        1,
        |r| part_type(r, FieldType::date()),
        |c| match cast_date(c) {
            Some(d) => put_datetime(c, d),
            None => c.null(),
        },
    ),
    pure("time", 1, 1, time_type, |c| match time_of(c, 0) {
        Some(t) => put_time(c, t),
        None => c.null(),
    }),
    statement("timestamp", 1, 2, timestamp_type, timestamp).stopping(Stops::Each),
    pure("year", 1, 1, |r| field_type(r, 4), |c| date_part(c, |d| i64::from(d.year))),
    pure("month", 1, 1, |r| field_type(r, 2), |c| date_part(c, |d| i64::from(d.month))),
    pure("day", 1, 1, |r| field_type(r, 2), |c| date_part(c, |d| i64::from(d.day))),
    pure("quarter", 1, 1, |r| field_type(r, 1), |c| date_part(c, |d| (i64::from(d.month) + 2) / 3)),
    pure("hour", 1, 1, |r| time_field_type(r, 2), |c| time_part(c, |t| i64::from(t.hours))),
    pure("minute", 1, 1, |r| time_field_type(r, 2), |c| time_part(c, |t| i64::from(t.minute))),
    pure("second", 1, 1, |r| time_field_type(r, 2), |c| time_part(c, |t| i64::from(t.second))),
    pure("microsecond", 1, 1, |r| time_field_type(r, 6), |c| time_part(c, |t| i64::from(t.micros))),
    pure(
        "dayofweek",
        1,
        1,
        |r| field_type(r, 0),
        |c| full_date(c, |d| (i64::from(calendar::weekday(day_no(d))) + 1) % 7 + 1),
    ),
    pure(
        "weekday",
        1,
        1,
        |r| field_type(r, 0),
        |c| full_date(c, |d| i64::from(calendar::weekday(day_no(d)))),
    ),
    pure("dayofyear", 1, 1, |r| field_type(r, 3), |c| full_date(c, calendar::day_of_year)),
    pure("to_days", 1, 1, |r| field_type(r, 6), |c| full_date(c, day_no)),
    pure(
        "to_seconds",
        1,
        1,
        |r| field_type(r, 11),
        |c| full_date(c, |d| day_no(d) * 86_400 + d.time().to_micros() / 1_000_000),
    ),
    statement("week", 1, 2, week_type, week).stopping(Stops::Each),
    pure("weekofyear", 1, 1, |r| field_type(r, 2), |c| full_date(c, |d| i64::from(calendar::week(d, 3).0))),
    pure("yearweek", 1, 2, week_type, yearweek).stopping(Stops::Each),
    statement(
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
    statement(
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
    pure(
        "last_day",
        1,
        1,
        |r| part_type(r, FieldType::date()),
        |c| match date_of_mode(c, 0).filter(|d| d.month > 0) {
            Some(d) => {
                put_datetime(c, DateTime::date(d.year, d.month, calendar::days_in_month(d.year, d.month)))
            }
            None => c.null(),
        },
    ),
    pure("from_days", 1, 1, from_days_type, |c| {
        let Some(n) = c.int(0) else { return c.null() };
        put_datetime(c, calendar::from_day_number(n).unwrap_or_default())
    }),
    pure(
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
    pure(
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
    )
    .stopping(Stops::Each),
    statement("date_format", 2, 3, super::date_format::format_type, super::date_format::date_format)
        .stopping(Stops::Each),
    statement("time_format", 2, 2, super::date_format::time_format_type, super::date_format::time_format)
        .stopping(Stops::Each),
    pure("str_to_date", 2, 2, super::date_format::str_to_date_type, super::date_format::str_to_date),
    pure("get_format", 2, 2, super::date_format::get_format_type, super::date_format::get_format),
    statement(
        "cast_as_date",
        1,
        1,
        |_| Ok(FieldType::date().with_nullable(true)),
        |c| match cast_date(c) {
            Some(d) => put_datetime(c, d),
            None => c.null(),
        },
    ),
    statement(
        "cast_as_datetime",
        1,
        1,
        |_| Ok(FieldType::datetime(0)),
        |c| {
            let digits = convert::fraction_digits(&c.expr.ty);
            match cast_datetime(c).and_then(|d| convert::rounded_datetime(d, digits, c.ctx)) {
                Some(d) => put_datetime(c, d),
                None => c.null(),
            }
        },
    ),
    pure("cast_as_day_second", 1, 1, any_type, cast_day_second),
    pure(
        "cast_as_time",
        1,
        1,
        |_| Ok(FieldType::time(0)),
        |c| {
            let v = c.value(0);
            let ty = c.operand_type(0);
            match convert::to_time(v, ty, c.ctx) {
                Some(t) => {
                    let digits = convert::fraction_digits(&c.expr.ty);
                    let rounds = c.ctx.sql_mode.has(SqlMode::TIME_ROUND_FRACTIONAL);
                    put_time(c, if rounds { t.rounded(digits).unwrap_or(t) } else { t })
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
    let ty = c.operand_type(0);
    // a day that its month does not have counts where dates are compared
    let rules = DateRules { allow_invalid: true, ..convert::time_rules(c.ctx.sql_mode) };
    match convert::to_datetime(v, ty, rules, c.ctx) {
        Some(d) => c.out.push_i64(d.packed()),
        None => {
            zero_with_warning(c, mark, "datetime");
            c.out.push_i64(0);
        }
    }
    Ok(())
}

/// What a comparison makes of a CAST to a date or time: text and numbers that are none are the zero value there, as they
/// are without the CAST.
pub fn compared(e: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    let Node::Call(f, args) = &mut e.node else { return Ok(()) };
    let cast =
        matches!(f.def.name, "cast_as_date" | "cast_as_datetime" | "cast_as_time" | "date" | "timestamp");
    let [arg] = &mut args[..] else { return Ok(()) };
    if !cast || arg.ty.is_temporal() || arg.ty.class() == Class::Null {
        return Ok(());
    }
    let name = "compare_cast";
    let arg = std::mem::replace(arg, Expr::literal(Value::Null, FieldType::null()));
    let ty = e.ty.clone();
    *e = super::call(super::named(name)?, name, vec![arg], ctx)?;
    e.ty = ty;
    Ok(())
}

/// Whether a comparison is NULL is asked of its sides, where a CAST of what is no date is NULL.
pub fn null_again(comparison: &mut Expr, ctx: &mut EvalContext) -> SqlResult<()> {
    let Node::Compare(_, _, sides) = &mut comparison.node else { return Ok(()) };
    for side in sides.iter_mut() {
        let side = match &mut side.node {
            Node::Once(_, inner) => inner,
            _ => side,
        };
        let Node::Call(f, args) = &mut side.node else { continue };
        if f.def.name != "compare_cast" {
            continue;
        }
        let name = match side.ty.class() {
            Class::Date => "cast_as_date",
            Class::Time => "cast_as_time",
            _ => "cast_as_datetime",
        };
        let ty = side.ty.clone();
        *side = super::call(super::named(name)?, name, std::mem::take(args), ctx)?;
        side.ty = ty;
    }
    comparison.ty.nullable = true;
    Ok(())
}

fn compare_cast(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    if v.is_null() {
        return c.null();
    }
    let mark = c.ctx.warnings.mark();
    let digits = convert::fraction_digits(&c.expr.ty);
    let ty = c.operand_type(0);
    if c.expr.ty.class() == Class::Time {
        let time = convert::to_time(v, ty, c.ctx);
        if time.is_none() {
            zero_with_warning(c, mark, "time");
        }
        let rounds = c.ctx.sql_mode.has(SqlMode::TIME_ROUND_FRACTIONAL);
        let time = time.unwrap_or_default();
        return put_time(c, if rounds { time.rounded(digits).unwrap_or(time) } else { time });
    }
    let whole_day = c.expr.ty.class() == Class::Date;
    let rules = convert::time_rules(c.ctx.sql_mode);
    let rules = DateRules { allow_invalid: true, round: rules.round && !whole_day, ..rules };
    let date = convert::to_datetime(v, ty, rules, c.ctx);
    if date.is_none() {
        zero_with_warning(c, mark, "datetime");
    }
    let date = date.unwrap_or_default();
    if whole_day {
        return put_datetime(c, date.date_only());
    }
    let date = convert::rounded_datetime(date, digits, c.ctx).unwrap_or(date);
    put_datetime(c, date)
}

/// Text or a number beside a time in a comparison.
fn compare_time(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let v = c.value(0);
    if v.is_null() {
        return c.null();
    }
    let mark = c.ctx.warnings.mark();
    let ty = c.operand_type(0);
    match convert::to_time_of_day(v, ty, c.ctx) {
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
    if c.ctx.of_column && c.ty(0).source.is_known() {
        return;
    }
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
            Some(Value::Int(_)) => {
                let name = match &*r.name.to_ascii_lowercase() {
                    own @ ("sysdate" | "utc_timestamp" | "utc_time") => own.to_string(),
                    "curtime" | "current_time" => "curtime".to_string(),
                    _ => "current_timestamp".to_string(),
                };
                Err(SqlError::new(ER_TOO_BIG_PRECISION, &[&name, &6]))
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

/// Argument `i` of functions that look at a date: whatever is a date passes.
pub(super) fn date_arg(c: &mut Call<'_, '_>, i: usize) -> Option<DateTime> {
    let rules = convert::part_rules(c.ctx.sql_mode);
    date_by(c, i, rules)
}

/// As [`date_arg`], of functions that look at the day alone, which is never rounded to the next one.
pub(super) fn cut_date_arg(c: &mut Call<'_, '_>, i: usize) -> Option<DateTime> {
    let rules = DateRules { round: false, ..convert::part_rules(c.ctx.sql_mode) };
    date_by(c, i, rules)
}

fn date_by(c: &mut Call<'_, '_>, i: usize, rules: DateRules) -> Option<DateTime> {
    let v = c.value(i);
    let ty = c.operand_type(i);
    match v {
        ValueRef::Null => None,
        ValueRef::Date(d) | ValueRef::DateTime(d) => Some(d),
        _ => convert::to_datetime(v, ty, rules, c.ctx),
    }
}

/// As [`date_arg`], with days that their month does not have where the mode allows them.
fn date_of_mode(c: &mut Call<'_, '_>, i: usize) -> Option<DateTime> {
    let allow_invalid = c.ctx.sql_mode.has(SqlMode::ALLOW_INVALID_DATES);
    match c.value(i) {
        v @ (ValueRef::Bytes(_) | ValueRef::Int(_) | ValueRef::UInt(_)) if allow_invalid => {
            let ty = c.operand_type(i);
            convert::to_datetime(v, ty, DateRules { allow_invalid, ..DateRules::default() }, c.ctx)
        }
        _ => cut_date_arg(c, i),
    }
}

pub(super) fn time_of(c: &mut Call<'_, '_>, i: usize) -> Option<Time> {
    let v = c.value(i);
    let ty = c.operand_type(i);
    convert::to_time(v, ty, c.ctx)
}

fn part_type(r: &mut Resolve<'_>, t: FieldType) -> SqlResult<FieldType> {
    date(r, 0)?;
    Ok(t.with_nullable(true))
}

fn time_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = digits_now(r, 0);
    Ok(FieldType::time(dec).with_nullable(true))
}

fn field_type(r: &mut Resolve<'_>, width: u32) -> SqlResult<FieldType> {
    date(r, 0)?;
    Ok(FieldType { signless: width < 11, ..FieldType::int(width + 1).with_nullable(true) })
}

fn time_field_type(_: &mut Resolve<'_>, width: u32) -> SqlResult<FieldType> {
    Ok(FieldType { signless: true, ..FieldType::int(width + 1).with_nullable(true) })
}

fn date_part(c: &mut Call<'_, '_>, f: fn(DateTime) -> i64) -> SqlResult<()> {
    let v = date_arg(c, 0).map(f);
    c.put_opt_int(v)
}

/// Argument `i` as a date without zero parts; others are NULL, with a warning when they are no dates.
pub(super) fn full_date_arg(c: &mut Call<'_, '_>, i: usize) -> Option<DateTime> {
    let v = c.value(i);
    let ty = c.operand_type(i);
    let rules = DateRules { no_zero_date: true, no_zero_in_date: true, ..date_rules(c.ctx.sql_mode) };
    // a date of a column that lacks parts is NULL quietly, a text that is no date warns
    if let ValueRef::Date(d) | ValueRef::DateTime(d) = v {
        return DateRules { allow_invalid: true, ..rules }.accept(d).then_some(d);
    }
    convert::to_datetime(v, ty, DateRules { allow_invalid: false, ..rules }, c.ctx)
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
pub(super) fn day_to_second(c: &mut Call<'_, '_>, i: usize) -> Option<i128> {
    let v = c.value(i);
    let found = match v {
        ValueRef::Null => return None,
        ValueRef::Time(t) => Some(i128::from(t.to_micros())),
        ValueRef::Date(_) | ValueRef::DateTime(_) => None,
        _ => {
            let mut text = Vec::new();
            convert::write_text(v, c.ty(i), &mut text);
            let text = plain(c, i, &text);
            let rules = convert::part_rules(c.ctx.sql_mode);
            let read = parse::day_to_second(&text, rules.round);
            let level = if read.is_some() { Level::Note } else { Level::Warning };
            let read = read.or_else(|| {
                if text.iter().skip(1).any(|b| *b == b'-') {
                    return None;
                }
                match parse::time(&text, rules) {
                    Found::Truncated(TimeText::Time(t)) => Some((i128::from(t.to_micros()), true)),
                    _ => None,
                }
            });
            if let Some((_, true)) = read {
                let shown = String::from_utf8_lossy(&text).into_owned();
                let what = "INTERVAL DAY TO SECOND";
                c.ctx.warnings.push(level, crate::error::ER_TRUNCATED_WRONG_VALUE, &[&what, &shown]);
            }
            read.map(|(micros, _)| micros)
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

/// Days, hours, minutes and seconds as text; the days only when there are some. What has too many digits is cut.
fn cast_day_second(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(micros) = day_to_second(c, 0) else { return c.null() };
    let digits = usize::from(c.expr.ty.decimals.min(6));
    let sign = if micros < 0 { "-" } else { "" };
    let (seconds, micros) = (micros.unsigned_abs() / 1_000_000, micros.unsigned_abs() % 1_000_000);
    let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24);
    let days = if days > 0 { format!("{days} ") } else { String::new() };
    let mut text = format!("{sign}{days}{hours:02}:{:02}:{:02}", seconds / 60 % 60, seconds % 60);
    if digits > 0 {
        text.push('.');
        text.push_str(&format!("{micros:06}")[..digits]);
    }
    c.put_ascii(text.as_bytes())
}

/// Warning 1292 in the words of 1525.
pub(super) fn wrong_value(c: &mut Call<'_, '_>, what: &str, shown: &str) {
    let message = crate::error::message(crate::error::ER_WRONG_VALUE, &[&what, &shown]);
    c.ctx.warnings.push_text(Level::Warning, crate::error::ER_TRUNCATED_WRONG_VALUE, message);
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
    let known = text_now(r, 0);
    let dec = known.as_ref().map_or_else(|| literal_digits(&r.args[0]), |text| text_digits(text));
    let source = &r.args[0].ty;
    let text = source.is_string() && !matches!(source.kind, Kind::Enum | Kind::Set) && known.is_none();
    let dec = if text { 6 } else { dec };
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

fn unix_timestamp(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.len() == 0 {
        let (s, _) = c.ctx.now_utc();
        return c.put_int(s);
    }
    let Some(d) = date_arg(c, 0) else { return c.null() };
    if d.month == 0 || d.day == 0 {
        if c.ty(0).kind == Kind::Timestamp
            && matches!(c.types[0].node, crate::expr::Node::Column(c) if c.table != u32::MAX)
        {
            // what a column has as the second 0
            return put_seconds(c, 0, 0);
        }
        if d.month != 0 || d.day != 0 {
            let _ = full_date_arg(c, 0);
        }
        return c.null();
    }
    if d.day > calendar::days_in_month(d.year, d.month) {
        return c.null();
    }
    let (seconds, _) = c.ctx.time_zone.to_utc(d);
    if !(0..=0x7fff_ffff).contains(&seconds) {
        return c.null();
    }
    put_seconds(c, seconds, d.micros)
}

/// Gives seconds, with their fraction where the type has one.
fn put_seconds(c: &mut Call<'_, '_>, seconds: i64, micros: u32) -> SqlResult<()> {
    if c.expr.ty.class() == Class::Int {
        return c.put_int(seconds);
    }
    let v = decimal_seconds(seconds, micros, c.expr.ty.decimals);
    c.out.push_decimal(&v);
    Ok(())
}

/// Seconds with a fraction of `digits` digits.
pub(super) fn decimal_seconds(seconds: i64, micros: u32, digits: u8) -> Decimal {
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
        // of what is read as a number nobody knows how many digits come
        Class::Double if r.args[0].ty.decimals > 6 => crate::result::NOT_FIXED_DEC,
        Class::Bytes if !r.args[0].ty.hex => crate::result::NOT_FIXED_DEC,
        _ => literal_digits(&r.args[0]),
    };
    if r.args[0].ty.class() != Class::Double {
        exact(r, 0)?;
    }
    if r.len() >= 2 {
        r.text(1)?;
        let chars = super::date_format::longest(&r.args[1]);
        return Ok(r.ascii_text(chars).with_nullable(true));
    }
    let mut t = FieldType::datetime(dec).with_nullable(true);
    t.decimals = dec;
    Ok(t)
}

/// Argument `i` as a decimal that keeps its digits.
pub(super) fn exact(r: &mut Resolve<'_>, i: usize) -> SqlResult<()> {
    let mut t = FieldType::decimal(65, 38);
    t.decimals = crate::result::NOT_FIXED_DEC;
    r.convert(i, t)
}

fn from_unixtime(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(d) = seconds_argument(c, 0) else { return c.null() };
    let seconds = seconds_of(&d, c.ctx.sql_mode);
    if seconds.is_none() || d.trunc_i128() > 0x7fff_ffff {
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"unixtime", &d]);
    }
    let Some((s, us)) = seconds else { return c.null() };
    if !(0..=0x7fff_ffff).contains(&s) || d.is_negative() {
        return c.null();
    }
    let Some(local) = c.ctx.time_zone.to_local(s, us) else { return c.null() };
    if c.len() == 1 {
        let digits = convert::fraction_digits(&c.expr.ty);
        let Some(local) = convert::rounded_datetime(local, digits, c.ctx) else { return c.null() };
        return put_datetime(c, local);
    }
    let Some(format) = c.bytes(1).filter(|format| !format.is_empty()) else { return c.null() };
    let locale = c.ctx.lc_time_names.to_string();
    super::date_format::put_formatted(c, local, format, &locale)
}

/// Argument `i` as seconds. Of a double what is behind the microseconds is cut as it stands: 3.14159 has 141,589 of them.
pub(super) fn seconds_argument(c: &mut Call<'_, '_>, i: usize) -> Option<Decimal> {
    match c.value(i) {
        ValueRef::Double(v) => {
            let cut = v.abs() < 1e12 && !c.ctx.sql_mode.has(SqlMode::TIME_ROUND_FRACTIONAL);
            if !cut {
                return Some(convert::to_decimal(ValueRef::Double(v), c.ty(i), c.ctx));
            }
            let micros = v.trunc() as i64 * 1_000_000 + (v.fract() * 1e6) as i64;
            Some(Decimal::from(micros).div(&Decimal::from(1_000_000i64), 6)?.0)
        }
        _ => c.decimal(i),
    }
}

/// A decimal as microseconds: what is behind them is cut, or rounded where the mode asks for it.
pub(super) fn micros_of(d: &Decimal, mode: SqlMode) -> i128 {
    let rounds = mode.has(SqlMode::TIME_ROUND_FRACTIONAL);
    let rounding = if rounds { Rounding::HalfUp } else { Rounding::Truncate };
    d.mul(&Decimal::from(1_000_000i64)).0.round(0, rounding).0.trunc_i128()
}

/// Whole seconds and microseconds of a decimal, rounded as [`micros_of`] does.
pub(super) fn seconds_of(d: &Decimal, mode: SqlMode) -> Option<(i64, u32)> {
    let micros = micros_of(d, mode);
    let s = micros.div_euclid(1_000_000);
    Some((i64::try_from(s).ok()?, micros.rem_euclid(1_000_000) as u32))
}

fn timestamp_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    // what is no date has no fraction of the second here
    let dated = |b: &[u8]| b.iter().skip(1).any(|b| *b == b'-');
    let mut dec = match text_of_variable(r, 0) {
        Some(text) if !dated(&text) => 0,
        _ => digits_now(r, 0),
    };
    if r.len() == 2 {
        dec = dec.max(digits_now(r, 1));
    }
    Ok(FieldType::datetime(dec).with_nullable(true))
}

fn timestamp(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(d) = cast_datetime(c) else { return c.null() };
    if c.len() == 1 {
        return put_datetime(c, d);
    }
    let Some(delta) = day_to_second(c, 1) else { return c.null() };
    match moved(d, delta) {
        Some(d) => put_datetime(c, d),
        None => c.null(),
    }
}

/// The moment so many microseconds later, but none in the year 0. A date without month or day is the day whose number it has: in
/// the month before, or the year.
pub(super) fn moved(d: DateTime, micros_later: i128) -> Option<DateTime> {
    let day = match d.month > 0 && d.day > 0 {
        true => d.date_only(),
        false => calendar::from_day_number(day_no(d)).filter(|d| d.year > 0)?,
    };
    let DateTime { hour, minute, second, micros, .. } = d;
    let whole = DateTime { hour, minute, second, micros, ..day };
    calendar::add_micros(whole, micros_later).filter(|d| d.year > 0)
}

/// Argument 0 as CAST reads it.
fn cast_datetime(c: &mut Call<'_, '_>) -> Option<DateTime> {
    let v = c.value(0);
    let ty = c.operand_type(0);
    let rules = date_rules(c.ctx.sql_mode);
    convert::accepted_datetime(v, ty, rules, c.ctx)
}

/// Argument 0 as CAST reads a date: its time is cut, not rounded to the next day.
fn cast_date(c: &mut Call<'_, '_>) -> Option<DateTime> {
    let v = c.value(0);
    let ty = c.operand_type(0);
    let rules = DateRules { round: false, ..date_rules(c.ctx.sql_mode) };
    convert::accepted_datetime(v, ty, rules, c.ctx).map(DateTime::date_only)
}

fn week_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(1)?;
    let week = r.name.eq_ignore_ascii_case("week");
    Ok(FieldType { signless: week, ..FieldType::int(if week { 3 } else { 6 }).with_nullable(true) })
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

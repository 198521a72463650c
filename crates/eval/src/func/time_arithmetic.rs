//! Functions that compute with times, moments and periods: SEC_TO_TIME to CONVERT_TZ.

use super::fraction::{digits_now, digits_of, literal_digits};
use super::temporal::{
    date, day_no, day_to_second, decimal_seconds, exact, full_date_arg, micros_of, moved, put_datetime,
    put_time, seconds_argument, time_of,
};
use super::{Call, Definition, Resolve, Stops};
use super::{pure, statement};
use crate::error::SqlResult;
use crate::types::convert;
use crate::types::decimal::{Decimal, Rounding};
use crate::types::temporal::parse::{DateRules, TimeText};
use crate::types::temporal::{DateTime, Time, TimeZone, calendar};
use crate::types::{Class, FieldType, Kind, ValueRef};

pub(super) const LIST: &[Definition] = &[
    pure("sec_to_time", 1, 1, sec_to_time_type, sec_to_time),
    pure("time_to_sec", 1, 1, time_to_sec_type, time_to_sec),
    statement("timediff", 2, 2, timediff_type, timediff).stopping(Stops::Each),
    pure("addtime", 2, 2, addtime_type, |c| addtime(c, 1)).stopping(Stops::Each),
    pure("subtime", 2, 2, addtime_type, |c| addtime(c, -1)).stopping(Stops::Each),
    pure(
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
    pure("maketime", 3, 3, maketime_type, maketime),
    pure("period_add", 2, 2, period_type, |c| {
        let (Some(p), Some(n)) = (c.int(0), c.int(1)) else { return c.null() };
        if p == 0 {
            return c.put_int(0);
        }
        // months are counted in 32 bits
        let months = period_months(p).wrapping_add(n as u32);
        c.put_int(months_period(i64::from(months)))
    }),
    pure("period_diff", 2, 2, period_type, |c| {
        let (Some(a), Some(b)) = (c.int(0), c.int(1)) else { return c.null() };
        c.put_int(i64::from(period_months(a)) - i64::from(period_months(b)))
    }),
    statement(
        "convert_tz",
        3,
        3,
        |r| {
            date(r, 0)?;
            r.plain_text(1)?;
            r.plain_text(2)?;
            let dec = digits_now(r, 0);
            Ok(FieldType::datetime(dec).with_nullable(true))
        },
        convert_tz,
    )
    .stopping(Stops::Order(&[&[1, 2], &[0]])),
];

fn sec_to_time_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let dec = match r.args[0].ty.class() {
        _ if r.args[0].ty.hex => 0,
        Class::Bytes => 6,
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
    let d = match v {
        ValueRef::Double(_) => seconds_argument(c, 0).unwrap_or(Decimal::ZERO),
        _ => convert::to_decimal(v, ty, c.ctx),
    };
    let micros = micros_of(&d, c.ctx.sql_mode);
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
    let dec = digits_now(r, 0).max(digits_now(r, 1));
    Ok(FieldType::time(dec).with_nullable(true))
}

/// A value of TIMEDIFF, ADDTIME: a time, or a date and time.
pub(super) enum Moment {
    Time(Time),
    Date(DateTime),
    DateTime(DateTime),
}

fn moment(c: &mut Call<'_, '_>, i: usize) -> Option<Moment> {
    let v = c.value(i);
    let ty = c.operand_type(i);
    let mark = c.ctx.warnings.mark();
    let rules = convert::part_rules(c.ctx.sql_mode);
    match convert::to_time_or_datetime(v, ty, rules, c.ctx) {
        // a number of eight digits at most is a date
        Some(TimeText::DateTime(d)) if matches!(v, ValueRef::Date(_)) || is_short(v) => Some(Moment::Date(d)),
        Some(TimeText::DateTime(d)) => Some(Moment::DateTime(d)),
        Some(TimeText::Time(t) | TimeText::Clipped(t)) => Some(Moment::Time(t)),
        None => {
            // what lacks parts of a date may have a time
            c.ctx.warnings.rollback_to(mark);
            let rules = DateRules { allow_invalid: false, ..convert::time_rules(c.ctx.sql_mode) };
            convert::to_time_or_datetime(v, ty, rules, c.ctx).map(|t| Moment::Time(t.time()))
        }
    }
}

/// Whether a number has no digits for a time behind those of a date.
fn is_short(v: ValueRef<'_>) -> bool {
    match v {
        ValueRef::Int(n) => n < 100_000_000,
        ValueRef::UInt(n) => n < 100_000_000,
        ValueRef::Double(n) => n < 1e8,
        ValueRef::Decimal(d) => d.to_f64() < 1e8,
        _ => false,
    }
}

fn timediff(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(a) = moment(c, 0) else { return c.null() };
    let Some(b) = moment(c, 1) else { return c.null() };
    let micros = match (a, b) {
        (Moment::Time(a), Moment::Time(b)) => i128::from(a.to_micros()) - i128::from(b.to_micros()),
        // a date and a date with time do not go together
        (Moment::DateTime(a), Moment::DateTime(b)) | (Moment::Date(a), Moment::Date(b)) => {
            let days = i128::from(day_no(a) - day_no(b));
            days * 86_400_000_000 + i128::from(a.time().to_micros() - b.time().to_micros())
        }
        _ => return c.null(),
    };
    let t = clipped(c, micros);
    put_time(c, t)
}

/// The time of so many microseconds; one out of range is cut with a warning.
fn clipped(c: &mut Call<'_, '_>, micros: i128) -> Time {
    let limit = i128::from(Time::limit(false, 6).to_micros());
    if micros.abs() > limit {
        let s = micros.abs() / 1_000_000;
        let shown =
            format!("{}{}:{:02}:{:02}", if micros < 0 { "-" } else { "" }, s / 3600, s / 60 % 60, s % 60);
        let us = micros.abs() % 1_000_000;
        let shown = if us > 0 { format!("{shown}.{us:06}") } else { shown };
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"time", &shown]);
        return Time::limit(micros < 0, 6);
    }
    Time::from_micros(micros as i64).0
}

fn addtime_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    // of a number with a floating point, and of a text that is not written out, nobody knows how many digits come
    let open = match r.args[1].ty.class() {
        Class::Double => true,
        Class::Bytes => super::fraction::text_now(r, 1).is_none(),
        _ => false,
    };
    let dec = if open { 6 } else { digits_of(&r.args[0].ty).max(digits_now(r, 1)) };
    let t = match r.args[0].ty.class() {
        Class::Date | Class::DateTime => FieldType::datetime(dec),
        Class::Time => FieldType::time(dec),
        _ => {
            // of a text nobody knows how many digits the time in it has
            let source = &r.args[0].ty;
            let text =
                source.class() == Class::Bytes || source.class() == Class::Double && source.decimals > 6;
            let dec = if text { 6 } else { dec };
            let chars = 19 + if dec > 0 { u64::from(dec) + 1 } else { 0 };
            let mut t = FieldType::string(chars, r.ctx.collation, crate::types::Derivation::Coercible);
            t.decimals = if text { crate::result::NOT_FIXED_DEC } else { dec };
            t.kind = Kind::Char;
            t.ascii = true;
            t.moment = true;
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
        Moment::Date(d) | Moment::DateTime(d) => match moved(d, delta) {
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
        },
        Moment::Time(t) => {
            let micros = i128::from(t.to_micros()) + delta;
            let t = clipped(c, micros);
            if c.expr.ty.class() == Class::Bytes {
                let mut out = Vec::new();
                let dec = shown_digits(&c.expr.ty, t.micros);
                crate::types::temporal::format::write_time(t, dec, &mut out);
                return c.put_ascii(&out);
            }
            put_time(c, t)
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
    let dec = if r.args[2].ty.class() == Class::Bytes { 6 } else { dec };
    if r.args[2].ty.class() != Class::Double {
        exact(r, 2)?;
    }
    Ok(FieldType::time(dec).with_nullable(true))
}

fn maketime(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let seconds = seconds_argument(c, 2);
    let (Some(h), Some(m), Some(s)) = (c.bits(0).map(|h| h as i64), c.int(1), seconds) else {
        return c.null();
    };
    // what is not below 60 seconds before it is rounded is none
    let whole = s.trunc_i128();
    if whole >= 60 {
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"seconds", &s]);
    }
    if !(0..60).contains(&m) || !(0..60).contains(&whole) || s.is_negative() {
        return c.null();
    }
    let micros = micros_of(&s, c.ctx.sql_mode);
    let unsigned = c.ty(0).class() == Class::UInt;
    let negative = h < 0 && !unsigned;
    let hours = if unsigned { h as u64 } else { h.unsigned_abs() };
    let micros = i128::from(hours) * 3_600_000_000 + i128::from(m) * 60_000_000 + micros;
    if micros > i128::from(Time::limit(false, 6).to_micros()) {
        let shown = format!("{}{}:{:02}:{:02}", if negative { "-" } else { "" }, hours, m, whole);
        c.ctx.warnings.warn(crate::error::ER_TRUNCATED_WRONG_VALUE, &[&"time", &shown]);
        return put_time(c, Time::limit(negative, 6));
    }
    let micros = micros as i64;
    put_time(c, Time::from_micros(if negative { -micros } else { micros }).0)
}

fn period_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    r.int(1)?;
    let nullable = r.nullable();
    Ok(FieldType::int(6).with_nullable(nullable))
}

/// Months of a period YYMM or YYYYMM, whose months are not looked at; 0 of none and of what comes after the year 9999.
fn period_months(p: i64) -> u32 {
    let p = match u32::try_from(p) {
        Ok(p @ 1..=999_912) => p,
        _ => return 0,
    };
    let y = match p / 100 {
        y @ 0..=69 => 2000 + y,
        y @ 70..=99 => 1900 + y,
        y => y,
    };
    y * 12 + p % 100 - 1
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

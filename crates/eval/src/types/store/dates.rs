//! Dates and times into columns.

use super::{Column, Storing, Trouble, as_ascii};
use crate::error::{ER_WARN_DATA_OUT_OF_RANGE, SqlResult, WARN_DATA_TRUNCATED};
use crate::types::context::ConversionContext;
use crate::types::convert;
use crate::types::field::{FieldType, Kind};
use crate::types::temporal::parse::{self, DateRules, Found, TimeText};
use crate::types::temporal::{DateTime, MICRO_UNIT, Time, Uncarried, calendar};
use crate::types::value::ValueRef;
use crate::variables::SqlMode;
use schema::definition::ColumnType;

/// Appends the stored form of a DATETIME with `digits` digits of fraction.
pub fn put_datetime(d: DateTime, digits: u8, out: &mut Vec<u8>) {
    let ymd = (i64::from(d.year) * 13 + i64::from(d.month)) << 5 | i64::from(d.day);
    let hms = i64::from(d.hour) << 12 | i64::from(d.minute) << 6 | i64::from(d.second);
    let v = 0x80_0000_0000 + (ymd << 17 | hms);
    out.extend_from_slice(&v.to_be_bytes()[3..]);
    put_fraction(d.micros, digits, out);
}

/// Appends the stored form of a TIME with `digits` digits of fraction.
pub fn put_time(t: Time, digits: u8, out: &mut Vec<u8>) {
    let n = (digits as usize).min(6);
    let t = t.truncated(digits);
    let bytes = n.div_ceil(2);
    let hms = i64::from(t.hours) << 12 | i64::from(t.minute) << 6 | i64::from(t.second);
    let f = i64::from(t.micros / MICRO_UNIT[bytes * 2]);
    let v = hms << (8 * bytes) | f;
    let v = if t.negative { -v } else { v };
    let v = v + (0x80_0000 << (8 * bytes));
    out.extend_from_slice(&v.to_be_bytes()[5 - bytes..]);
}

/// Appends the stored form of a TIMESTAMP.
pub fn put_timestamp(seconds: i64, micros: u32, digits: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&(seconds as u32).to_be_bytes());
    put_fraction(micros, digits, out);
}

impl Column {
    /// The rules for dates that are stored: in strict mode the forbidden ones are errors.
    pub(super) fn rules(&self, ctx: &ConversionContext) -> DateRules {
        convert::date_rules(ctx.sql_mode)
    }

    pub(super) fn datetime(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        let what = if self.ty.kind == Kind::Date { "date" } else { "datetime" };
        let mut rules = self.rules(ctx);
        if self.ty.kind == Kind::Timestamp {
            rules.no_zero_in_date = true;
            rules.allow_invalid = false;
        }
        // a zero date that the mode forbids is out of range, not something else than a date
        let no_zero = rules.no_zero_date && self.ty.kind != Kind::Timestamp;
        rules.no_zero_date &= !no_zero;
        // the time behind a DATE is cut, not rounded to the next day
        rules.round &= self.ty.kind != Kind::Date;
        let (mut cut, mut clipped) = (false, false);
        let (mut note, mut number) = (false, false);
        let value = match v {
            ValueRef::Date(d) | ValueRef::DateTime(d) => rules.accept(d).then_some(d),
            ValueRef::Time(t) => {
                note = self.ty.kind == Kind::Date && !t.truncated(0).is_zero();
                let today = ctx.now().date_only();
                calendar::add_micros(today, i128::from(t.to_micros()))
            }
            ValueRef::Bytes(b) if !from.hex => {
                let mut ascii = Vec::new();
                match parse::datetime(as_ascii(b, from, &mut ascii), rules) {
                    Found::Good(t) => Some(t.value),
                    Found::ExcessFraction(t) => {
                        note = true;
                        Some(t.value)
                    }
                    found @ (Found::Truncated(t) | Found::Clipped(t)) => {
                        cut = true;
                        clipped = matches!(found, Found::Clipped(_));
                        Some(t.value)
                    }
                    Found::Unroundable(d) => {
                        convert::warn_unroundable(d, ctx);
                        None
                    }
                    Found::OutOfRange | Found::Bad => None,
                }
            }
            _ => {
                number = true;
                let (mark, told) = (ctx.warnings.mark(), ctx.warnings.count_all());
                // YEAR and BIT are the numbers they are
                let plain = FieldType::bigint(true);
                let from = if matches!(from.kind, Kind::Year | Kind::Bit) { &plain } else { from };
                let d = convert::to_datetime(v, from, rules, ctx);
                // of the fraction of a day
                note = d.is_some() && ctx.warnings.count_all() > told;
                ctx.warnings.rollback_to(mark);
                d
            }
        };
        let value = if rules.round { value.and_then(|d| self.rounded(d, &mut clipped, ctx)) } else { value };
        let Some(d) = value else {
            self.trouble(Trouble::Temporal(what, WARN_DATA_TRUNCATED), v, from, ctx)?;
            self.put_datetime(DateTime::default(), None, out);
            return Ok(());
        };
        if clipped {
            self.trouble(Trouble::Temporal(what, ER_WARN_DATA_OUT_OF_RANGE), v, from, ctx)?;
        } else if cut {
            self.trouble(Trouble::Temporal(what, WARN_DATA_TRUNCATED), v, from, ctx)?;
        } else if note
            || self.ty.kind == Kind::Date && !d.time().truncated(0).is_zero() && !(number && d.is_zero_date())
        {
            self.trouble(Trouble::Note, v, from, ctx)?;
        }
        if d == DateTime::default() && no_zero {
            self.trouble(Trouble::Temporal(what, ER_WARN_DATA_OUT_OF_RANGE), v, from, ctx)?;
        }
        if self.ty.kind == Kind::Timestamp {
            return self.timestamp(d, v, from, out, ctx);
        }
        self.put_datetime(d, None, out);
        Ok(())
    }

    /// The value with the column's digits; `clipped` when it would come after the last one, `None` (with a warning) when
    /// a date with zeros has no next day.
    fn rounded(&self, d: DateTime, clipped: &mut bool, ctx: &mut Storing<'_>) -> Option<DateTime> {
        match d.rounded(self.ty.decimals) {
            Ok(d) => Some(d),
            Err(Uncarried::Range) => {
                *clipped = true;
                Some(d)
            }
            Err(Uncarried::NoSuchDay) => {
                convert::warn_unroundable(d, ctx);
                None
            }
        }
    }

    /// Stores a TIMESTAMP: seconds of UTC.
    fn timestamp(
        &self,
        d: DateTime,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        if d.is_zero() {
            self.put_datetime(d, None, out);
            return Ok(());
        }
        let (seconds, gap) = ctx.time_zone.to_utc(d);
        if let (0x8000_0000, Kind::Timestamp, ValueRef::DateTime(own)) = (seconds, from.kind, v) {
            // the last second of all has none that a TIMESTAMP could be rounded to
            self.trouble(Trouble::OutOfRange, v, from, ctx)?;
            self.put_datetime(own.truncated(self.ty.decimals), Some(seconds - 1), out);
            return Ok(());
        }
        // the first second of all is the zero value, but for what is behind its point
        let first = i64::from(d.truncated(self.ty.decimals).micros == 0);
        if !(first..=0x7fff_ffff).contains(&seconds) {
            let code = if d.is_zero_date() { WARN_DATA_TRUNCATED } else { ER_WARN_DATA_OUT_OF_RANGE };
            self.trouble(Trouble::Temporal("datetime", code), v, from, ctx)?;
            self.put_datetime(DateTime::default(), None, out);
            return Ok(());
        }
        if gap {
            let code = crate::error::ER_WARN_INVALID_TIMESTAMP;
            self.trouble(Trouble::Temporal("datetime", code), v, from, ctx)?;
        }
        self.put_datetime(d, Some(seconds), out);
        Ok(())
    }

    /// Appends the stored form; `utc` is the instant of a TIMESTAMP (absent for the zero value).
    pub(super) fn put_datetime(&self, d: DateTime, utc: Option<i64>, out: &mut Vec<u8>) {
        match &self.stored {
            ColumnType::Date => {
                let v = u32::from(d.year) << 9 | u32::from(d.month) << 5 | u32::from(d.day);
                out.extend_from_slice(&v.to_le_bytes()[..3]);
            }
            ColumnType::OldDate => out.extend_from_slice(&(d.date_number() as u32).to_le_bytes()),
            ColumnType::DateTime { decimals } => put_datetime(d, *decimals, out),
            ColumnType::Timestamp { decimals } => {
                put_timestamp(utc.unwrap_or(0), if utc.is_some() { d.micros } else { 0 }, *decimals, out);
            }
            ColumnType::OldTimestamp { decimals } => {
                let seconds = utc.unwrap_or(0) as u32;
                if *decimals == 0 {
                    out.extend_from_slice(&seconds.to_le_bytes());
                } else {
                    out.extend_from_slice(&seconds.to_be_bytes());
                    let n = (*decimals as usize).min(6);
                    let f = if utc.is_some() { d.micros / MICRO_UNIT[n] } else { 0 };
                    out.extend_from_slice(&f.to_be_bytes()[4 - n.div_ceil(2)..]);
                }
            }
            ColumnType::OldDateTime { decimals: 0 } => {
                out.extend_from_slice(&d.to_number().to_le_bytes());
            }
            ColumnType::OldDateTime { decimals } => {
                let n = (*decimals as usize).min(6);
                let days = (i64::from(d.year) * 13 + i64::from(d.month)) * 32 + i64::from(d.day);
                let s =
                    ((days * 24 + i64::from(d.hour)) * 60 + i64::from(d.minute)) * 60 + i64::from(d.second);
                let v = s * i64::from(1_000_000 / MICRO_UNIT[n]) + i64::from(d.micros / MICRO_UNIT[n]);
                let bytes = [8, 6, 6, 7, 7, 7, 8][n];
                out.extend_from_slice(&v.to_be_bytes()[8 - bytes..]);
            }
            _ => {}
        }
    }

    pub(super) fn time(
        &self,
        v: ValueRef<'_>,
        from: &FieldType,
        out: &mut Vec<u8>,
        ctx: &mut Storing<'_>,
    ) -> SqlResult<()> {
        let rules = convert::time_rules(ctx.sql_mode);
        // dates in texts are judged as dates are
        let by_mode = DateRules { no_zero_date: false, ..convert::date_rules(ctx.sql_mode) };
        let found = match v {
            ValueRef::Time(t) => Found::Good(TimeText::Time(t)),
            ValueRef::Date(d) | ValueRef::DateTime(d) => Found::Good(TimeText::DateTime(d)),
            ValueRef::Bytes(b) => {
                let mut ascii = Vec::new();
                parse::time(as_ascii(b, from, &mut ascii), by_mode)
            }
            ValueRef::UInt(_) if matches!(from.kind, Kind::Enum | Kind::Set) => {
                let mut text = Vec::new();
                convert::write_text(v, from, &mut text);
                parse::time(as_ascii(&text, from, &mut Vec::new()), rules)
            }
            // of a number any date will do
            _ => convert::number_to_time(v, DateRules { allow_invalid: true, ..rules }),
        };
        let code = |t: &TimeText| {
            if matches!(t, TimeText::Clipped(_)) { ER_WARN_DATA_OUT_OF_RANGE } else { WARN_DATA_TRUNCATED }
        };
        let t = match found {
            Found::Good(t) => {
                if t == TimeText::DateTime(DateTime::default())
                    && matches!(v, ValueRef::Bytes(_))
                    && ctx.sql_mode.has(SqlMode::NO_ZERO_DATE)
                {
                    self.trouble(Trouble::Temporal("time", ER_WARN_DATA_OUT_OF_RANGE), v, from, ctx)?;
                }
                // days without year and month become hours
                if matches!(t, TimeText::DateTime(d) if d.year != 0 || d.month != 0) {
                    self.trouble(Trouble::Note, v, from, ctx)?;
                }
                t
            }
            Found::ExcessFraction(t) => {
                self.trouble(Trouble::Note, v, from, ctx)?;
                t
            }
            Found::Truncated(t) | Found::Clipped(t) => {
                self.trouble(Trouble::Temporal("time", code(&t)), v, from, ctx)?;
                t
            }
            Found::Unroundable(_) | Found::OutOfRange | Found::Bad => {
                if let Found::Unroundable(d) = found {
                    convert::warn_unroundable(d, ctx);
                }
                self.trouble(Trouble::Temporal("time", WARN_DATA_TRUNCATED), v, from, ctx)?;
                TimeText::Time(Time::default())
            }
        };
        let clipped = matches!(t, TimeText::Clipped(_));
        let t = match t {
            TimeText::DateTime(d) if d.year == 0 && d.month == 0 => {
                Time { hours: u32::from(d.day) * 24 + u32::from(d.hour), ..d.time() }
            }
            t => t.time(),
        };
        let rounded = if rules.round && !clipped { t.rounded(self.ty.decimals) } else { Some(t) };
        if rounded.is_none() {
            self.trouble(Trouble::Temporal("time", ER_WARN_DATA_OUT_OF_RANGE), v, from, ctx)?;
        }
        self.put_time(rounded.unwrap_or(t), out);
        Ok(())
    }

    pub(super) fn put_time(&self, t: Time, out: &mut Vec<u8>) {
        let t = t.truncated(self.ty.decimals);
        match &self.stored {
            ColumnType::Time { decimals } => put_time(t, *decimals, out),
            ColumnType::OldTime { decimals: 0 } => {
                out.extend_from_slice(&t.to_number().to_le_bytes()[..3]);
            }
            ColumnType::OldTime { decimals } => {
                let n = (*decimals as usize).min(6);
                let unit = i64::from(1_000_000 / MICRO_UNIT[n]);
                let v = t.to_micros() / i64::from(MICRO_UNIT[n]) + 3_020_400 * unit;
                let bytes = [3, 4, 4, 5, 5, 5, 6][n];
                out.extend_from_slice(&v.to_be_bytes()[8 - bytes..]);
            }
            _ => {}
        }
    }
}

/// Appends the fraction of a temporal in the newer stored form.
fn put_fraction(micros: u32, decimals: u8, out: &mut Vec<u8>) {
    let n = (decimals as usize).min(6);
    let bytes = n.div_ceil(2);
    if bytes == 0 {
        return;
    }
    let kept = micros - micros % MICRO_UNIT[n];
    let v = kept / MICRO_UNIT[bytes * 2];
    out.extend_from_slice(&v.to_be_bytes()[4 - bytes..]);
}

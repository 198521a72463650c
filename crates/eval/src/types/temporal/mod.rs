//! Dates and times: zero dates, packed order-preserving forms, calendar arithmetic, text and
//! number forms, intervals, time zones.

pub mod calendar;
pub mod format;
pub mod interval;
pub mod parse;
pub mod zone;

pub use crate::result::{DateTime, Time};
pub use interval::{Interval, Unit};
pub use zone::TimeZone;

/// Largest hour of a TIME.
pub const MAX_HOUR: u32 = 838;

/// Powers of ten by which microseconds are cut to a number of digits.
pub const MICRO_UNIT: [u32; 7] = [1_000_000, 100_000, 10_000, 1000, 100, 10, 1];

impl DateTime {
    /// A date.
    #[must_use]
    pub fn date(year: u16, month: u8, day: u8) -> DateTime {
        DateTime { year, month, day, ..DateTime::default() }
    }

    /// The order-preserving integer of this value.
    #[inline]
    #[must_use]
    pub fn packed(self) -> i64 {
        let ym = i64::from(self.year) * 13 + i64::from(self.month);
        let ymd = ym << 5 | i64::from(self.day);
        let hms = i64::from(self.hour) << 12 | i64::from(self.minute) << 6 | i64::from(self.second);
        (ymd << 17 | hms) << 24 | i64::from(self.micros)
    }

    /// The value of a packed integer.
    #[inline]
    #[must_use]
    pub fn from_packed(v: i64) -> DateTime {
        let micros = (v & 0xff_ffff) as u32;
        let v = v >> 24;
        let (ymd, hms) = (v >> 17, v & 0x1_ffff);
        let ym = ymd >> 5;
        DateTime {
            year: (ym / 13) as u16,
            month: (ym % 13) as u8,
            day: (ymd & 31) as u8,
            hour: (hms >> 12) as u8,
            minute: (hms >> 6 & 63) as u8,
            second: (hms & 63) as u8,
            micros,
        }
    }

    /// Whether year, month and day are all zero.
    #[must_use]
    pub fn is_zero_date(self) -> bool {
        self.year == 0 && self.month == 0 && self.day == 0
    }

    /// Whether everything is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == DateTime::default()
    }

    /// The date part.
    #[must_use]
    pub fn date_only(self) -> DateTime {
        DateTime::date(self.year, self.month, self.day)
    }

    /// The time of day.
    #[must_use]
    pub fn time(self) -> Time {
        Time {
            negative: false,
            hours: u32::from(self.hour),
            minute: self.minute,
            second: self.second,
            micros: self.micros,
        }
    }

    /// Whether the time part is zero.
    #[must_use]
    pub fn is_midnight(self) -> bool {
        self.hour == 0 && self.minute == 0 && self.second == 0 && self.micros == 0
    }

    /// The value with only `digits` digits of the fraction, the rest cut.
    #[must_use]
    pub fn truncated(mut self, digits: u8) -> DateTime {
        let unit = MICRO_UNIT[digits.min(6) as usize];
        self.micros -= self.micros % unit;
        self
    }

    /// The value rounded to `digits` digits of the fraction.
    ///
    /// # Errors
    /// A carry that leads nowhere.
    pub fn rounded(self, digits: u8) -> Result<DateTime, Uncarried> {
        let unit = MICRO_UNIT[digits.min(6) as usize];
        let up = unit > 1 && self.micros % unit >= unit.div_ceil(2);
        self.truncated(digits).carried(if up { unit } else { 0 })
    }

    /// The value `micros` microseconds later, at most a second.
    ///
    /// # Errors
    /// There is no such moment, or the calendar does not have the day and so no next hour.
    pub fn carried(self, micros: u32) -> Result<DateTime, Uncarried> {
        let micros = self.micros + micros;
        if micros < 1_000_000 {
            return Ok(DateTime { micros, ..self });
        }
        let v = DateTime { micros: micros - 1_000_000, ..self };
        if (v.minute, v.second) == (59, 59) {
            // the next hour is looked for by the calendar
            let known = v.year > 0
                && (1..=12).contains(&v.month)
                && (1..=calendar::days_in_month(v.year, v.month)).contains(&v.day);
            return match known {
                true => calendar::add_seconds(v, 1).ok_or(Uncarried::Range),
                false => Err(Uncarried::NoSuchDay),
            };
        }
        let second = u32::from(v.hour) * 3600 + u32::from(v.minute) * 60 + u32::from(v.second) + 1;
        Ok(DateTime {
            hour: (second / 3600) as u8,
            minute: (second / 60 % 60) as u8,
            second: (second % 60) as u8,
            ..v
        })
    }

    /// The number YYYYMMDDhhmmss.
    #[must_use]
    pub fn to_number(self) -> i64 {
        self.date_number() * 1_000_000
            + i64::from(self.hour) * 10_000
            + i64::from(self.minute) * 100
            + i64::from(self.second)
    }

    /// The number YYYYMMDD.
    #[must_use]
    pub fn date_number(self) -> i64 {
        i64::from(self.year) * 10_000 + i64::from(self.month) * 100 + i64::from(self.day)
    }
}

/// Why rounding up has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncarried {
    /// It lies beyond the largest value.
    Range,
    /// The calendar does not have the day.
    NoSuchDay,
}

impl Time {
    /// The largest time, with a fraction of `digits` nines.
    #[must_use]
    pub fn limit(negative: bool, digits: u8) -> Time {
        let micros = 1_000_000 - MICRO_UNIT[digits.min(6) as usize];
        Time { negative, hours: MAX_HOUR, minute: 59, second: 59, micros }
    }

    /// The order-preserving integer of this value.
    #[inline]
    #[must_use]
    pub fn packed(self) -> i64 {
        let hms = i64::from(self.hours) << 12 | i64::from(self.minute) << 6 | i64::from(self.second);
        let v = hms << 24 | i64::from(self.micros);
        if self.negative { -v } else { v }
    }

    /// The value of a packed integer.
    #[inline]
    #[must_use]
    pub fn from_packed(v: i64) -> Time {
        let negative = v < 0;
        let v = v.unsigned_abs();
        let hms = v >> 24;
        Time {
            negative,
            hours: (hms >> 12) as u32,
            minute: (hms >> 6 & 63) as u8,
            second: (hms & 63) as u8,
            micros: (v & 0xff_ffff) as u32,
        }
    }

    /// Whether this is 00:00:00.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.hours == 0 && self.minute == 0 && self.second == 0 && self.micros == 0
    }

    /// Signed microseconds.
    #[must_use]
    pub fn to_micros(self) -> i64 {
        let s = i64::from(self.hours) * 3600 + i64::from(self.minute) * 60 + i64::from(self.second);
        let v = s * 1_000_000 + i64::from(self.micros);
        if self.negative { -v } else { v }
    }

    /// The time of signed microseconds; the flag tells that it was out of range and became the
    /// largest.
    #[must_use]
    pub fn from_micros(v: i64) -> (Time, bool) {
        let negative = v < 0;
        let u = v.unsigned_abs();
        let s = u / 1_000_000;
        let hours = s / 3600;
        if hours > u64::from(MAX_HOUR) {
            return (Time::limit(negative, 6), true);
        }
        let t = Time {
            negative,
            hours: hours as u32,
            minute: (s / 60 % 60) as u8,
            second: (s % 60) as u8,
            micros: (u % 1_000_000) as u32,
        };
        (t, false)
    }

    /// The value with only `digits` digits of the fraction, the rest cut.
    #[must_use]
    pub fn truncated(mut self, digits: u8) -> Time {
        let unit = MICRO_UNIT[digits.min(6) as usize];
        self.micros -= self.micros % unit;
        if self.is_zero() {
            self.negative = false;
        }
        self
    }

    /// The value rounded to `digits` digits of the fraction; `None` beyond the largest time.
    #[must_use]
    pub fn rounded(self, digits: u8) -> Option<Time> {
        let unit = MICRO_UNIT[digits.min(6) as usize];
        let up = unit > 1 && self.micros % unit >= unit.div_ceil(2);
        self.truncated(digits).carried_from(self.negative, if up { unit } else { 0 })
    }

    /// The value `micros` microseconds further from zero, on the side of `negative`: a zero has no sign of its own any
    /// more. `None` beyond the largest time.
    pub(super) fn carried_from(self, negative: bool, micros: u32) -> Option<Time> {
        if micros == 0 {
            return Some(self);
        }
        let v = self.to_micros().abs() + i64::from(micros);
        let (t, beyond) = Time::from_micros(if negative { -v } else { v });
        (!beyond).then_some(t)
    }

    /// The number hhmmss, signed.
    #[must_use]
    pub fn to_number(self) -> i64 {
        let v = i64::from(self.hours) * 10_000 + i64::from(self.minute) * 100 + i64::from(self.second);
        if self.negative { -v } else { v }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_in_order() {
        let a = DateTime { year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 58, micros: 123_456 };
        assert_eq!(DateTime::from_packed(a.packed()), a);
        let b = DateTime { second: 59, micros: 0, ..a };
        assert!(a.packed() < b.packed());
        assert_eq!(DateTime::from_packed(0), DateTime::default());
        let t = Time { negative: true, hours: 838, minute: 59, second: 59, micros: 999_999 };
        assert_eq!(Time::from_packed(t.packed()), t);
        assert!(t.packed() < Time::default().packed());
        assert_eq!(Time::from_micros(t.to_micros()), (t, false));
        assert_eq!(a.rounded(0).unwrap().to_number(), 20_240_229_235_958);
        assert_eq!(
            DateTime { micros: 999_999, second: 59, ..a }.rounded(3).unwrap().to_number(),
            20_240_301_000_000
        );
        assert_eq!(t.rounded(0), None);
        assert_eq!(Time { hours: 1, ..t }.rounded(3).unwrap().to_number(), -20_000);
        let zero = DateTime { month: 0, hour: 23, minute: 59, second: 59, micros: 999_999, ..a };
        assert_eq!(zero.rounded(0), Err(Uncarried::NoSuchDay));
        assert_eq!(DateTime { hour: 22, ..zero }.rounded(0), Err(Uncarried::NoSuchDay));
        assert_eq!(DateTime { minute: 58, ..zero }.rounded(0).unwrap().minute, 59);
        let last = DateTime { year: 9999, month: 12, day: 31, ..zero };
        assert_eq!(last.rounded(3), Err(Uncarried::Range));
    }
}

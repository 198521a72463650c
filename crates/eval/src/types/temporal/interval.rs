//! INTERVAL arithmetic.

/// The unit of an interval, also of EXTRACT.
pub use crate::ast::IntervalUnit as Unit;

use super::{DateTime, Time, calendar};

/// An amount of time to add: months and microseconds are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// Whether to subtract.
    pub negative: bool,
    /// Years.
    pub year: u64,
    /// Months.
    pub month: u64,
    /// Days.
    pub day: u64,
    /// Hours.
    pub hour: u64,
    /// Minutes.
    pub minute: u64,
    /// Seconds.
    pub second: u64,
    /// Microseconds.
    pub micros: u64,
}

impl Interval {
    /// An interval of `n` units; `n` whole, and microseconds beside it for SECOND.
    #[must_use]
    pub fn single(unit: Unit, n: i64, micros: u32) -> Interval {
        let u = n.unsigned_abs();
        let mut i = Interval { negative: n < 0, ..Interval::default() };
        match unit {
            Unit::Microsecond => i.micros = u,
            Unit::Second => {
                i.second = u;
                i.micros = u64::from(micros);
            }
            Unit::Minute => i.minute = u,
            Unit::Hour => i.hour = u,
            Unit::Day => i.day = u,
            Unit::Week => i.day = u.saturating_mul(7),
            Unit::Month => i.month = u,
            Unit::Quarter => i.month = u.saturating_mul(3),
            _ => i.year = u,
        }
        i
    }

    /// The interval of a text of several numbers, as `'1:30'` MINUTE_SECOND; `None` when it has
    /// more numbers than the unit.
    #[must_use]
    pub fn parse(unit: Unit, text: &[u8]) -> Option<Interval> {
        let (count, micros_last) = match unit {
            Unit::SecondMicrosecond => (2, true),
            Unit::MinuteMicrosecond => (3, true),
            Unit::MinuteSecond | Unit::HourMinute | Unit::DayHour | Unit::YearMonth => (2, false),
            Unit::HourMicrosecond => (4, true),
            Unit::HourSecond | Unit::DayMinute => (3, false),
            Unit::DayMicrosecond => (5, true),
            Unit::DaySecond => (4, false),
            _ => (1, false),
        };
        let mut i = 0;
        while text.get(i).is_some_and(u8::is_ascii_whitespace) {
            i += 1;
        }
        let mut negative = false;
        if text.get(i) == Some(&b'-') {
            negative = true;
            i += 1;
        }
        while text.get(i).is_some_and(|c| !c.is_ascii_digit()) {
            i += 1;
        }
        let mut values = [0u64; 5];
        let mut found = 0;
        let mut last_len = 0;
        while i < text.len() && found < count {
            let start = i;
            let mut v = 0u64;
            while let Some(c) = text.get(i).filter(|c| c.is_ascii_digit()) {
                v = v.checked_mul(10)?.checked_add(u64::from(c - b'0'))?;
                i += 1;
            }
            last_len = i - start;
            values[found] = v;
            found += 1;
            while text.get(i).is_some_and(|c| !c.is_ascii_digit()) {
                i += 1;
            }
        }
        if i < text.len() {
            return None;
        }
        // what is behind the sixth digit of a fraction is less than a microsecond
        if micros_last && found > 0 && last_len > 6 {
            values[found - 1] /= 10u64.saturating_pow(last_len as u32 - 6);
        }
        if micros_last && found == count && last_len < 6 && last_len > 0 {
            values[found - 1] *= 10u64.pow(6 - last_len as u32);
        }
        // Fewer numbers than the unit has: they are the rightmost ones.
        if found < count {
            values.copy_within(0..found, count - found);
            values[..count - found].fill(0);
            if micros_last && found > 0 && last_len < 6 {
                values[count - 1] *= 10u64.pow(6 - last_len.min(6) as u32);
            }
        }
        Interval::of_numbers(unit, negative, values)
    }

    /// The interval of a unit's numbers.
    fn of_numbers(unit: Unit, negative: bool, values: [u64; 5]) -> Option<Interval> {
        let mut v = Interval { negative, ..Interval::default() };
        match unit {
            Unit::SecondMicrosecond => (v.second, v.micros) = (values[0], values[1]),
            Unit::MinuteMicrosecond => (v.minute, v.second, v.micros) = (values[0], values[1], values[2]),
            Unit::MinuteSecond => (v.minute, v.second) = (values[0], values[1]),
            Unit::HourMicrosecond => {
                (v.hour, v.minute, v.second, v.micros) = (values[0], values[1], values[2], values[3]);
            }
            Unit::HourSecond => (v.hour, v.minute, v.second) = (values[0], values[1], values[2]),
            Unit::HourMinute => (v.hour, v.minute) = (values[0], values[1]),
            Unit::DayMicrosecond => {
                (v.day, v.hour, v.minute, v.second, v.micros) =
                    (values[0], values[1], values[2], values[3], values[4]);
            }
            Unit::DaySecond => {
                (v.day, v.hour, v.minute, v.second) = (values[0], values[1], values[2], values[3])
            }
            Unit::DayMinute => (v.day, v.hour, v.minute) = (values[0], values[1], values[2]),
            Unit::DayHour => (v.day, v.hour) = (values[0], values[1]),
            Unit::YearMonth => (v.year, v.month) = (values[0], values[1]),
            _ => {
                return Some(Interval {
                    negative,
                    ..Interval::single(unit, i64::try_from(values[0]).ok()?, 0)
                });
            }
        }
        Some(v)
    }

    /// The interval with the other sign.
    #[must_use]
    pub fn negated(mut self) -> Interval {
        self.negative = !self.negative;
        self
    }

    /// The days and smaller parts as signed microseconds.
    #[must_use]
    pub fn to_micros(&self) -> i128 {
        let s = i128::from(self.day) * 86_400
            + i128::from(self.hour) * 3600
            + i128::from(self.minute) * 60
            + i128::from(self.second);
        let v = s * 1_000_000 + i128::from(self.micros);
        if self.negative { -v } else { v }
    }

    /// `d` plus the interval of this unit; `None` out of range.
    #[must_use]
    pub fn add_to(&self, d: DateTime, unit: Unit) -> Option<DateTime> {
        match unit {
            Unit::Year | Unit::Quarter | Unit::Month | Unit::YearMonth => {
                let months = i128::from(self.year) * 12 + i128::from(self.month);
                let months = if self.negative { -months } else { months };
                let from = i128::from(d.year) * 12 + i128::from(d.month) - 1;
                if unit == Unit::Year {
                    // Only the year changes: a zero month stays.
                    let year = i128::from(d.year) + months / 12;
                    if !(0..10_000).contains(&year) {
                        return None;
                    }
                    let mut v = d;
                    v.year = year as u16;
                    if v.month == 2 && v.day == 29 {
                        v.day = v.day.min(calendar::days_in_month(v.year, 2));
                    }
                    return Some(v);
                }
                let total = from + months;
                if !(0..120_000).contains(&total) {
                    return None;
                }
                let mut v = d;
                v.year = (total / 12) as u16;
                v.month = (total % 12) as u8 + 1;
                v.day = v.day.min(calendar::days_in_month(v.year, v.month));
                Some(v)
            }
            _ => {
                if d.day == 0 || d.month == 0 {
                    return None;
                }
                calendar::add_micros(d, self.to_micros())
            }
        }
    }

    /// `t` plus the interval; the flag tells an overflow. Months and years cannot be added to a
    /// time: `None`.
    #[must_use]
    pub fn add_to_time(&self, t: Time, unit: Unit) -> Option<(Time, bool)> {
        if matches!(unit, Unit::Year | Unit::Quarter | Unit::Month | Unit::YearMonth | Unit::Week) {
            return None;
        }
        let total = i128::from(t.to_micros()) + self.to_micros();
        match i64::try_from(total) {
            Ok(v) => Some(Time::from_micros(v)),
            Err(_) => Some((Time::limit(total < 0, 6), true)),
        }
    }
}

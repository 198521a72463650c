//! When events run: amounts of time as they are kept and shown, and the next moment.

use crate::types::temporal::{DateTime, Interval, TimeZone, Unit, calendar};

/// ON SCHEDULE; moments are seconds since 1970.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Schedule {
    /// Once.
    At(i64),
    /// Again and again.
    Every {
        /// So many of the unit's smallest part; weeks count days, quarters months.
        amount: i64,
        unit: Unit,
        starts: Option<i64>,
        ends: Option<i64>,
    },
}

/// The largest amount.
pub(crate) const LARGEST: i64 = 1_000_000_000;

/// How many steps the search for the next moment takes where clocks were set back.
const STEPS: i64 = 100_000;

const UNITS: &[Unit] = &[
    Unit::Year,
    Unit::Quarter,
    Unit::Month,
    Unit::Day,
    Unit::Hour,
    Unit::Minute,
    Unit::Week,
    Unit::Second,
    Unit::Microsecond,
    Unit::YearMonth,
    Unit::DayHour,
    Unit::DayMinute,
    Unit::DaySecond,
    Unit::HourMinute,
    Unit::HourSecond,
    Unit::MinuteSecond,
    Unit::DayMicrosecond,
    Unit::HourMicrosecond,
    Unit::MinuteMicrosecond,
    Unit::SecondMicrosecond,
];

/// The unit of a word.
pub(crate) fn unit_of(word: &str) -> Option<Unit> {
    UNITS.iter().copied().find(|u| u.word().eq_ignore_ascii_case(word))
}

/// Whether a unit counts months; the others count time of one length.
fn counts_months(unit: Unit) -> bool {
    matches!(unit, Unit::Year | Unit::Quarter | Unit::Month | Unit::YearMonth)
}

/// An interval in parts of the unit.
pub(crate) fn amount_of(i: &Interval, unit: Unit) -> Option<i64> {
    let of = |n: u64| i128::from(n);
    let hours = of(i.day) * 24 + of(i.hour);
    let minutes = hours * 60 + of(i.minute);
    let amount = match unit {
        Unit::Year => of(i.year),
        Unit::Quarter | Unit::Month => of(i.month),
        Unit::YearMonth => of(i.year) * 12 + of(i.month),
        Unit::Week | Unit::Day => of(i.day),
        Unit::Hour | Unit::DayHour => hours,
        Unit::Minute | Unit::DayMinute | Unit::HourMinute => minutes,
        _ => minutes * 60 + of(i.second),
    };
    i64::try_from(amount).ok().filter(|n| !i.negative && *n > 0 && *n <= LARGEST)
}

/// An amount as it is written behind EVERY.
pub(crate) fn shown(amount: i64, unit: Unit) -> String {
    let n = amount;
    match unit {
        Unit::Week => (n / 7).to_string(),
        Unit::Quarter => (n / 3).to_string(),
        Unit::YearMonth => format!("'{}-{}'", n / 12, n % 12),
        Unit::DayHour => format!("'{} {}'", n / 24, n % 24),
        Unit::DayMinute => format!("'{} {}:{}'", n / 1440, n / 60 % 24, n % 60),
        Unit::DaySecond => format!("'{} {}:{}:{}'", n / 86_400, n / 3600 % 24, n / 60 % 60, n % 60),
        Unit::HourMinute | Unit::MinuteSecond => format!("'{}:{}'", n / 60, n % 60),
        Unit::HourSecond => format!("'{}:{}:{}'", n / 3600, n / 60 % 60, n % 60),
        _ => n.to_string(),
    }
}

/// Seconds of one part.
fn seconds_of(unit: Unit) -> i64 {
    match unit {
        Unit::Week | Unit::Day => 86_400,
        Unit::Hour | Unit::DayHour => 3600,
        Unit::Minute | Unit::DayMinute | Unit::HourMinute => 60,
        _ => 1,
    }
}

impl Schedule {
    /// With the ENDS of the schedule before, where it repeats and has none of its own.
    pub fn with_ends_of(mut self, old: &Schedule) -> Schedule {
        if let (Schedule::Every { ends, .. }, Schedule::Every { ends: before, .. }) = (&mut self, old) {
            *ends = ends.or(*before);
        }
        self
    }

    /// Whether there is nothing left to do.
    pub fn is_over(&self, now: i64) -> bool {
        match self {
            Schedule::At(at) => *at < now,
            Schedule::Every { ends, .. } => ends.is_some_and(|ends| ends < now),
        }
    }

    /// The next moment at or after `now`; that of what runs once may be before. Local times that are skipped when
    /// clocks are set forward are the moment of that; those that come twice are the first.
    pub fn next(&self, zone: &TimeZone, last: Option<i64>, now: i64) -> Option<i64> {
        let Schedule::Every { amount, unit, starts, ends } = self else {
            let Schedule::At(at) = self else { return None };
            return last.is_none().then_some(*at);
        };
        let starts = starts.unwrap_or(now);
        let ran = last.is_some_and(|last| last >= starts);
        let next = if starts > now || starts == now && !ran {
            starts
        } else {
            let from = last.map_or(now, |last| last.max(now));
            repeated(zone, starts, (*amount, *unit), from)?
        };
        ends.is_none_or(|ends| next <= ends).then_some(next)
    }
}

/// The first moment after `now` of those that follow upon `starts`.
fn repeated(zone: &TimeZone, starts: i64, (amount, unit): (i64, Unit), now: i64) -> Option<i64> {
    let begin = zone.to_local(starts, 0)?;
    let here = zone.to_local(now, 0)?;
    let months = counts_months(unit);
    let step = match unit {
        Unit::Year => amount.checked_mul(12)?,
        _ if months => amount,
        _ => amount.checked_mul(seconds_of(unit))?,
    };
    let passed = match months {
        true => {
            (i64::from(here.year) - i64::from(begin.year)) * 12 + i64::from(here.month)
                - i64::from(begin.month)
        }
        false => calendar::utc_seconds(here) - calendar::utc_seconds(begin),
    };
    let first = (passed / step).max(0);
    (first..first + STEPS).find_map(|k| {
        let local = after(begin, step.checked_mul(k)?, months)?;
        Some(zone.to_utc(local).0).filter(|at| *at > now)
    })
}

fn after(begin: DateTime, amount: i64, months: bool) -> Option<DateTime> {
    match months {
        true => Interval::single(Unit::Month, amount, 0).add_to(begin, Unit::Month),
        false => calendar::add_seconds(begin, amount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(amount: i64, unit: Unit, starts: i64, ends: Option<i64>) -> Schedule {
        Schedule::Every { amount, unit, starts: Some(starts), ends }
    }

    fn utc() -> TimeZone {
        TimeZone::parse("+00:00").expect("a zone")
    }

    #[test]
    fn the_next_moment() {
        let s = every(60, Unit::Second, 1000, Some(1130));
        assert_eq!(s.next(&utc(), None, 900), Some(1000));
        assert_eq!(s.next(&utc(), None, 1000), Some(1000));
        assert_eq!(s.next(&utc(), Some(1000), 1000), Some(1060));
        assert_eq!(s.next(&utc(), None, 1001), Some(1060));
        assert_eq!(s.next(&utc(), Some(1060), 1060), Some(1120));
        assert_eq!(s.next(&utc(), Some(1120), 1120), None);
        assert_eq!(Schedule::At(5).next(&utc(), None, 9), Some(5));
        assert_eq!(Schedule::At(5).next(&utc(), Some(9), 9), None);
    }

    #[test]
    fn months_count_from_the_start() {
        let at = |text: &str| calendar::utc_seconds(moment(text));
        let s = every(1, Unit::Month, at("2030-01-31"), None);
        assert_eq!(s.next(&utc(), None, at("2030-02-01")), Some(at("2030-02-28")));
        assert_eq!(s.next(&utc(), Some(at("2030-02-28")), at("2030-02-28")), Some(at("2030-03-31")));
        let s = every(1, Unit::Year, at("2028-02-29"), None);
        assert_eq!(s.next(&utc(), None, at("2028-03-01")), Some(at("2029-02-28")));
        assert_eq!(s.next(&utc(), None, at("2031-03-01")), Some(at("2032-02-29")));
    }

    fn moment(text: &str) -> DateTime {
        let mut parts = text.split('-').map(|n| n.parse::<u16>().expect("a number"));
        let mut next = || parts.next().expect("a part");
        DateTime::date(next(), next() as u8, next() as u8)
    }

    #[test]
    fn clocks_that_are_set() {
        let zone = TimeZone::parse("Europe/Berlin").expect("a zone");
        // 2026-03-29 02:00 is 03:00 (01:00 UTC): what is skipped runs then, once
        let day = calendar::utc_seconds(moment("2026-03-29"));
        let s = every(20, Unit::Minute, day, None);
        assert_eq!(s.next(&zone, Some(day + 2400), day + 2400), Some(day + 3600));
        assert_eq!(s.next(&zone, Some(day + 3600), day + 3600), Some(day + 3600 + 1200));
        // 2026-10-25 03:00 is 02:00 (01:00 UTC): what comes twice runs once
        let day = calendar::utc_seconds(moment("2026-10-25"));
        let s = every(20, Unit::Minute, day, None);
        assert_eq!(s.next(&zone, Some(day + 2400), day + 2400), Some(day + 7200));
    }

    #[test]
    fn amounts_are_shown() {
        assert_eq!(shown(14, Unit::Week), "2");
        assert_eq!(shown(27, Unit::YearMonth), "'2-3'");
        assert_eq!(shown(57_625, Unit::HourSecond), "'16:0:25'");
        assert_eq!(shown(5, Unit::DaySecond), "'0 0:0:5'");
        assert_eq!(shown(52_325, Unit::DayMinute), "'36 8:5'");
    }
}

//! Day numbers, weekdays, weeks, and adding to dates.

use super::DateTime;

/// Days of the months of a common year.
const MONTH_DAYS: [u8; 13] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// Largest day number: 9999-12-31.
pub const MAX_DAY_NUMBER: i64 = 3_652_424;

/// Whether a year has 366 days. Year 0 has not.
#[must_use]
pub fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || (year.is_multiple_of(400) && year != 0))
}

/// The days of a month; 0 for month 0.
#[must_use]
pub fn days_in_month(year: u16, month: u8) -> u8 {
    let days = MONTH_DAYS.get(month as usize).copied().unwrap_or(0);
    days + u8::from(month == 2 && is_leap(u32::from(year)))
}

/// The days of a year.
#[must_use]
pub fn days_in_year(year: u32) -> u32 {
    365 + u32::from(is_leap(year))
}

/// The day number as TO_DAYS counts: 1970-01-01 is 719528; the zero date is 0.
#[must_use]
pub fn day_number(year: u16, month: u8, day: u8) -> i64 {
    if year == 0 && month == 0 {
        return 0;
    }
    // Months counted from March, so that the leap day is the last of its year. Month 0 of a year is
    // the 31 days before its January.
    let (y, m) = (i64::from(year), i64::from(month));
    let missing = if m == 0 { 31 } else { 0 };
    let m = m.max(1);
    let (y, m) = if m <= 2 { (y - 1, m + 9) } else { (y, m - 3) };
    let days = y * 365 + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400);
    let n = days + (153 * m + 2) / 5 + i64::from(day) + 59 - missing;
    // Year 0 counts as a common year here, so its first two months begin one day later.
    n + i64::from(year == 0 && month <= 2)
}

/// The date of a day number; `None` past 9999-12-31 or below zero; numbers of the year 0 give the
/// zero date.
#[must_use]
pub fn from_day_number(n: i64) -> Option<DateTime> {
    if n <= 365 || n > MAX_DAY_NUMBER {
        return if (0..=365).contains(&n) { Some(DateTime::default()) } else { None };
    }
    // Days since 0000-03-01, in cycles of 400 years.
    let d = n - 60;
    let (cycle, of_cycle) = (d.div_euclid(146_097), d.rem_euclid(146_097));
    let year = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let m = (5 * of_year + 2) / 153;
    let day = of_year - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = cycle * 400 + year + i64::from(month <= 2);
    Some(DateTime::date(year as u16, month as u8, day as u8))
}

/// The weekday of a day number: 0 = Monday.
#[must_use]
pub fn weekday(day_number: i64) -> u8 {
    (day_number + 5).rem_euclid(7) as u8
}

/// The day of the year, 1 to 366.
#[must_use]
pub fn day_of_year(d: DateTime) -> i64 {
    day_number(d.year, d.month, d.day) - day_number(d.year, 1, 1) + 1
}

/// The week and its year by a mode of WEEK(), 0 to 7. Bit 0: weeks begin on Monday (else Sunday);
/// bit 1: days before the first week belong to the last week of the year before (else to week 0);
/// bits 0 and 2 differing: the first week is the one with four days in the year (else the first
/// full one).
#[must_use]
pub fn week(d: DateTime, mode: u32) -> (u32, u32) {
    let sunday = i64::from(mode & 1 == 0);
    let four_days = (mode & 1 != 0) != (mode & 4 != 0);
    let first_week = |year: i64| -> i64 {
        let jan1 = day_number_of_year(year);
        let offset = (jan1 + 5 + sunday).rem_euclid(7);
        if offset == 0 || (four_days && offset <= 3) { jan1 - offset } else { jan1 + 7 - offset }
    };
    let year = i64::from(d.year);
    let day = day_number(d.year, d.month, d.day);
    let one_based = mode & 2 != 0;
    let mut of_year = year;
    let mut start = first_week(year);
    if day < start {
        if !one_based {
            return (0, u32::from(d.year));
        }
        of_year -= 1;
        start = first_week(of_year);
    } else if one_based && day >= first_week(year + 1) {
        return (1, u32::from(d.year) + 1);
    }
    (((day - start) / 7 + 1) as u32, of_year as u32)
}

/// The day number of a year's first of January, also of the years -1 and 10000.
fn day_number_of_year(year: i64) -> i64 {
    match year {
        0..=9999 => day_number(year as u16, 1, 1),
        y if y < 0 => 1 - 365,
        _ => MAX_DAY_NUMBER + 1,
    }
}

/// Adds signed microseconds; `None` out of range.
#[must_use]
pub fn add_micros(d: DateTime, micros: i128) -> Option<DateTime> {
    let base = day_number(d.year, d.month, d.day);
    let of_day = i128::from(d.time().to_micros());
    let total = i128::from(base) * 86_400_000_000 + of_day + micros;
    if total < 0 {
        return None;
    }
    let (day, rest) = (total / 86_400_000_000, (total % 86_400_000_000) as i64);
    let day = i64::try_from(day).ok().filter(|d| *d <= MAX_DAY_NUMBER)?;
    if day < 366 && day != base {
        return None;
    }
    // a day that its month does not have is one of the next
    let there = d.month == 0 || d.day <= days_in_month(d.year, d.month);
    let mut v = if day == base && there { d.date_only() } else { from_day_number(day)? };
    let s = rest / 1_000_000;
    v.hour = (s / 3600) as u8;
    v.minute = (s / 60 % 60) as u8;
    v.second = (s % 60) as u8;
    v.micros = (rest % 1_000_000) as u32;
    Some(v)
}

/// Adds signed seconds; `None` out of range.
#[must_use]
pub fn add_seconds(d: DateTime, seconds: i64) -> Option<DateTime> {
    add_micros(d, i128::from(seconds) * 1_000_000)
}

/// Seconds since 1970-01-01 of the value taken as UTC.
#[must_use]
pub fn utc_seconds(d: DateTime) -> i64 {
    (day_number(d.year, d.month, d.day) - 719_528) * 86_400
        + i64::from(d.hour) * 3600
        + i64::from(d.minute) * 60
        + i64::from(d.second)
}

/// The UTC date and time of seconds since 1970-01-01.
#[must_use]
pub fn from_utc_seconds(s: i64) -> Option<DateTime> {
    let mut d = from_day_number(s.div_euclid(86_400) + 719_528)?;
    let rest = s.rem_euclid(86_400);
    d.hour = (rest / 3600) as u8;
    d.minute = (rest / 60 % 60) as u8;
    d.second = (rest % 60) as u8;
    Some(d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_numbers() {
        assert_eq!(day_number(1970, 1, 1), 719_528);
        assert_eq!(day_number(0, 1, 1), 1);
        assert_eq!(day_number(0, 2, 28), 59);
        assert_eq!(day_number(0, 3, 1), 60);
        assert_eq!(day_number(9999, 12, 31), MAX_DAY_NUMBER);
        for n in (366..MAX_DAY_NUMBER).step_by(13) {
            let d = from_day_number(n).unwrap();
            assert_eq!(day_number(d.year, d.month, d.day), n);
        }
        assert_eq!(weekday(day_number(2024, 1, 1)), 0);
        assert_eq!(week(DateTime::date(2008, 2, 20), 0), (7, 2008));
        assert_eq!(week(DateTime::date(2008, 2, 20), 1), (8, 2008));
        assert_eq!(week(DateTime::date(2008, 12, 31), 1), (53, 2008));
        assert_eq!(week(DateTime::date(2000, 1, 1), 2), (52, 1999));
        assert_eq!(
            from_utc_seconds(utc_seconds(DateTime::date(2024, 2, 29))),
            Some(DateTime::date(2024, 2, 29))
        );
    }
}

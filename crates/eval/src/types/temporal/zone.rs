//! Time zones: SYSTEM, fixed offsets, names of the zone database.

use super::{DateTime, calendar};
use jiff::tz;

/// A session's time zone.
#[derive(Clone, Debug, Default)]
pub enum TimeZone {
    /// The machine's zone.
    #[default]
    System,
    /// A fixed offset from UTC in seconds.
    Offset(i32),
    /// A zone of the database.
    Named(Box<tz::TimeZone>, String),
}

impl PartialEq for TimeZone {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

fn system() -> &'static tz::TimeZone {
    static ZONE: std::sync::OnceLock<tz::TimeZone> = std::sync::OnceLock::new();
    ZONE.get_or_init(tz::TimeZone::system)
}

impl TimeZone {
    /// The zone of this name: `SYSTEM`, `+hh:mm`, or a name of the zone database.
    #[must_use]
    pub fn parse(name: &str) -> Option<TimeZone> {
        if name.eq_ignore_ascii_case("system") {
            return Some(TimeZone::System);
        }
        let bytes = name.as_bytes();
        if let Some(sign @ (b'+' | b'-')) = bytes.first() {
            let (h, m) = name[1..].split_once(':')?;
            if h.is_empty() || h.len() > 2 || m.is_empty() || m.len() > 2 {
                return None;
            }
            let h: i32 = h.parse().ok()?;
            let m: i32 = m.parse().ok()?;
            let minutes = h * 60 + m;
            let negative = *sign == b'-';
            // from -12:59 to +13:00
            if m > 59 || (negative && minutes > 12 * 60 + 59) || (!negative && minutes > 13 * 60) {
                return None;
            }
            return Some(TimeZone::Offset(if negative { -minutes * 60 } else { minutes * 60 }));
        }
        let zone = tz::TimeZone::get(name).ok()?;
        Some(TimeZone::Named(Box::new(zone), name.to_string()))
    }

    /// The name as `@@time_zone` shows it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            TimeZone::System => "SYSTEM".into(),
            TimeZone::Offset(s) => {
                let m = s.abs() / 60;
                format!("{}{:02}:{:02}", if *s < 0 { '-' } else { '+' }, m / 60, m % 60)
            }
            TimeZone::Named(_, name) => name.clone(),
        }
    }

    fn zone(&self) -> Option<&tz::TimeZone> {
        match self {
            TimeZone::System => Some(system()),
            TimeZone::Offset(_) => None,
            TimeZone::Named(z, _) => Some(z),
        }
    }

    /// The local time of UTC seconds; `None` out of range.
    #[must_use]
    pub fn to_local(&self, seconds: i64, micros: u32) -> Option<DateTime> {
        let offset = match (self, self.zone()) {
            (TimeZone::Offset(o), _) => i64::from(*o),
            (_, Some(z)) => {
                let t = jiff::Timestamp::from_second(seconds).ok()?;
                i64::from(z.to_offset(t).seconds())
            }
            _ => 0,
        };
        let mut d = calendar::from_utc_seconds(seconds + offset)?;
        d.micros = micros;
        Some(d)
    }

    /// The UTC seconds of a local time, and whether the local time does not exist (a gap; the
    /// seconds are then those of the gap's end). An ambiguous time is the earlier one.
    #[must_use]
    pub fn to_utc(&self, d: DateTime) -> (i64, bool) {
        let naive = calendar::utc_seconds(d);
        let Some(zone) = self.zone() else {
            let TimeZone::Offset(o) = self else { return (naive, false) };
            return (naive - i64::from(*o), false);
        };
        let Ok(civil) = jiff::civil::DateTime::new(
            i16::try_from(d.year).unwrap_or(0),
            i8::try_from(d.month.max(1)).unwrap_or(1),
            i8::try_from(d.day.max(1)).unwrap_or(1),
            i8::try_from(d.hour).unwrap_or(0),
            i8::try_from(d.minute).unwrap_or(0),
            i8::try_from(d.second).unwrap_or(0),
            0,
        ) else {
            return (naive, false);
        };
        match zone.to_ambiguous_timestamp(civil).offset() {
            tz::AmbiguousOffset::Unambiguous { offset } => (naive - i64::from(offset.seconds()), false),
            tz::AmbiguousOffset::Fold { before, .. } => (naive - i64::from(before.seconds()), false),
            tz::AmbiguousOffset::Gap { before, .. } => {
                // The gap ends at the instant of the transition, which a time at its very begin is.
                let t = naive - i64::from(before.seconds());
                let at = jiff::Timestamp::from_second(t + 1)
                    .ok()
                    .and_then(|t| zone.preceding(t).next())
                    .map_or(t, |tr| tr.timestamp().as_second());
                (at, true)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_ends_where_the_clock_goes_on() {
        let zone = TimeZone::parse("Europe/Berlin").expect("a zone");
        let at = |hour, minute| DateTime { hour, minute, ..DateTime::date(2020, 3, 29) };
        let end = (1_585_443_600, true);
        assert_eq!(zone.to_utc(at(2, 0)), end);
        assert_eq!(zone.to_utc(at(2, 59)), end);
        assert_eq!(zone.to_utc(at(3, 0)), (1_585_443_600, false));
    }
}

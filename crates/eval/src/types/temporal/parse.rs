//! Dates and times from text and numbers, in all the lenient forms.

use super::{DateTime, MAX_HOUR, Time, Uncarried, calendar};

/// Which dates are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateRules {
    /// Refuse the zero date (NO_ZERO_DATE).
    pub no_zero_date: bool,
    /// Refuse zero months and days (NO_ZERO_IN_DATE).
    pub no_zero_in_date: bool,
    /// Days up to 31 in every month (ALLOW_INVALID_DATES).
    pub allow_invalid: bool,
    /// Round to microseconds what has more digits (TIME_ROUND_FRACTIONAL), which are cut otherwise.
    pub round: bool,
}

/// What reading met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// A good value.
    Good(T),
    /// A value with more fraction digits than are kept: a note.
    ExcessFraction(T),
    /// A value and something behind it: a warning.
    Truncated(T),
    /// The largest value, which rounding went beyond: a warning.
    Clipped(T),
    /// A date with a zero in it, which rounding would carry to its next day.
    Unroundable(DateTime),
    /// A value out of range.
    OutOfRange,
    /// No value.
    Bad,
}

impl<T> Found<T> {
    /// The same of another value.
    fn map<U>(self, f: impl FnOnce(T) -> U) -> Found<U> {
        match self {
            Found::Good(v) => Found::Good(f(v)),
            Found::ExcessFraction(v) => Found::ExcessFraction(f(v)),
            Found::Truncated(v) => Found::Truncated(f(v)),
            Found::Clipped(v) => Found::Clipped(f(v)),
            Found::Unroundable(d) => Found::Unroundable(d),
            Found::OutOfRange => Found::OutOfRange,
            Found::Bad => Found::Bad,
        }
    }
}

/// A date or a date and time from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextDate {
    /// The value.
    pub value: DateTime,
    /// The text had a time.
    pub has_time: bool,
}

impl DateRules {
    /// Whether these rules accept the date part of `d`.
    #[must_use]
    pub fn accept(&self, d: DateTime) -> bool {
        if d.month > 12 || d.day > 31 || d.year > 9999 {
            return false;
        }
        if d == DateTime::default() {
            return !self.no_zero_date;
        }
        // a date of zeros with a time is one with zeros in it
        if d.month == 0 || d.day == 0 {
            return !self.no_zero_in_date;
        }
        self.allow_invalid || d.day <= calendar::days_in_month(d.year, d.month)
    }
}

fn two_digit_year(y: u32) -> u32 {
    if y < 70 { 2000 + y } else { 1900 + y }
}

/// Zeros before a number that has more digits with them than it may have.
fn leading_zeros(text: &[u8], most: usize) -> usize {
    let run = text.iter().take_while(|c| c.is_ascii_digit()).count();
    let zeros = text.iter().take_while(|c| **c == b'0').count();
    zeros.min(run.saturating_sub(most))
}

fn digits(text: &[u8], at: usize, max: usize) -> (u32, usize) {
    let mut v = 0u32;
    let mut n = 0;
    while n < max {
        let Some(c) = text.get(at + n).filter(|c| c.is_ascii_digit()) else { break };
        v = v * 10 + u32::from(c - b'0');
        n += 1;
    }
    (v, n)
}

/// Reads a fraction's digits at `at`: the microseconds, and where it ends.
fn fraction(text: &[u8], at: usize) -> (Fraction, usize) {
    let mut v = 0;
    let mut n = 0;
    let mut i = at;
    let mut up = false;
    while let Some(c) = text.get(i).filter(|c| c.is_ascii_digit()) {
        if n < 6 {
            v = v * 10 + u32::from(c - b'0');
        } else if n == 6 {
            up = *c >= b'5';
        }
        n += 1;
        i += 1;
    }
    for _ in n..6 {
        v *= 10;
    }
    (Fraction { micros: v, up, excess: n > 6 }, i)
}

/// What a second's fraction is read as.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fraction {
    /// The first six digits.
    pub micros: u32,
    /// The digits behind them are half a microsecond or more.
    pub up: bool,
    /// There are digits behind them.
    pub excess: bool,
}

/// Year, month, day, hour, minute, second as they were read.
struct DateParts {
    parts: [u32; 6],
    /// How many there are.
    found: usize,
    /// Digits of the year.
    year_len: usize,
    /// Where they end.
    end: usize,
}

/// Reads a date and a time that are digits alone, with as many of them at the beginning.
fn packed_parts(text: &[u8], at: usize, digits_before: usize) -> Option<DateParts> {
    let mut parts = [0u32; 6];
    let (mut found, mut i) = (0, at);

    let year_len = if digits_before == 8 || digits_before >= 14 { 4 } else { 2 };
    while found < 6 {
        if found == 3 && matches!(text.get(i), Some(b'T' | b't')) {
            i += 1;
        }
        let (v, n) = digits(text, i, if found == 0 { year_len } else { 2 });
        if n == 0 {
            break;
        }
        parts[found] = v;
        found += 1;
        i += n;
    }
    Some(DateParts { parts, found, year_len, end: i })
}

/// Reads a date and a time with signs between their parts.
fn separated_parts(text: &[u8], at: usize) -> Option<DateParts> {
    let end = text.len();
    let mut parts = [0u32; 6];
    let (mut found, mut year_len, mut i) = (0, 4, at);
    while found < 6 {
        let most = if found == 0 { 4 } else { 2 };
        i += leading_zeros(&text[i.min(end)..end], most);
        let (v, n) = digits(text, i, most);
        if n == 0 {
            break;
        }
        if found == 0 {
            year_len = n;
        }
        parts[found] = v;
        found += 1;
        i += n;
        if found == 6 || i >= end {
            break;
        }
        let here = i;
        if found == 3 {
            // Between date and time: a T, or spaces and punctuation.
            if matches!(text[i], b'T' | b't') {
                i += 1;
                if i >= end {
                    break;
                }
            } else {
                while i < end && (text[i].is_ascii_whitespace() || text[i].is_ascii_punctuation()) {
                    i += 1;
                }
            }
            if i >= end {
                break;
            }
            if !text[i].is_ascii_digit() {
                i = here;
                break;
            }
            if i == here {
                // A digit follows the day directly.
                return None;
            }
        } else {
            if text[i].is_ascii_digit() {
                return None;
            }
            if text[i].is_ascii_punctuation() {
                i += 1;
            } else {
                break;
            }
            if !text.get(i).is_some_and(u8::is_ascii_digit) {
                if found < 3 {
                    return None;
                }
                i = here;
                break;
            }
        }
    }
    Some(DateParts { parts, found, year_len, end: i })
}
/// Reads a date with an optional time.
#[must_use]
pub fn datetime(text: &[u8], rules: DateRules) -> Found<TextDate> {
    let (mut at, mut end) = (0, text.len());
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    while end > at && text[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    let whole = &text[..end];
    let text = without_rest(whole);
    let end = text.len();
    if text.get(at) == Some(&b'+') {
        at += 1;
    }
    if !text.get(at).is_some_and(u8::is_ascii_digit) {
        return Found::Bad;
    }
    // The packed form: digits (and a T) up to the end, or so many that a fraction may follow.
    let mut stop = at;
    while text.get(stop).is_some_and(|c| c.is_ascii_digit() || *c == b'T' || *c == b't') {
        stop += 1;
    }
    let mut run = at;
    while text.get(run).is_some_and(u8::is_ascii_digit) {
        run += 1;
    }
    let packed = stop == end && stop - at > 4 || text.get(stop) == Some(&b'.') && stop - at >= 12;
    let read = if packed { packed_parts(text, at, run - at) } else { separated_parts(text, at) };
    let Some(DateParts { parts, found, year_len, end: mut i }) = read else { return Found::Bad };
    if found < 3 {
        return Found::Bad;
    }
    let mut part = Fraction::default();
    if found == 6 && text.get(i) == Some(&b'.') {
        (part, i) = fraction(text, i + 1);
    }
    let mut year = parts[0];
    // the year 00 of a date of zeros is 0, unless there is a time
    if year_len == 2 && (parts != [0; 6] || part.micros != 0) {
        year = two_digit_year(year);
    }
    let value = DateTime {
        year: year as u16,
        month: parts[1] as u8,
        day: parts[2] as u8,
        hour: parts[3] as u8,
        minute: parts[4] as u8,
        second: parts[5] as u8,
        micros: part.micros,
    };
    if parts[3] > 23 || parts[4] > 59 || parts[5] > 59 || !rules.accept(value) {
        return Found::OutOfRange;
    }
    let has_time = found > 3;
    let value = match value.carried(u32::from(rules.round && part.up)) {
        Ok(value) => value,
        Err(Uncarried::Range) => return Found::Clipped(TextDate { value, has_time }),
        Err(Uncarried::NoSuchDay) => return Found::Unroundable(value),
    };
    let v = TextDate { value, has_time };
    if i < whole.len() {
        Found::Truncated(v)
    } else if part.excess {
        Found::ExcessFraction(v)
    } else {
        Found::Good(v)
    }
}

/// A text without the letters and spaces at its end, which belong to no date; but a T may.
fn without_rest(text: &[u8]) -> &[u8] {
    let rest = |b: &u8| b.is_ascii_alphabetic() || b.is_ascii_whitespace();
    let kept = text.len() - text.iter().rev().take_while(|b| rest(b)).count();
    if matches!(text[kept..], [b'T' | b't']) { text } else { &text[..kept] }
}

/// What [`time`] read: a time, or a date and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeText {
    /// A time.
    Time(Time),
    /// A time above 838:59:59, cut to it.
    Clipped(Time),
    /// A date and time.
    DateTime(DateTime),
}

impl TimeText {
    /// The time of it.
    #[must_use]
    pub fn time(self) -> Time {
        match self {
            TimeText::Time(t) | TimeText::Clipped(t) => t,
            TimeText::DateTime(d) => d.time(),
        }
    }
}

/// Whether the text looks like a date with a time, so that a TIME is taken from it.
#[must_use]
pub fn looks_like_datetime(text: &[u8]) -> bool {
    let run = |at: usize| text[at..].iter().take_while(|c| c.is_ascii_digit()).count();
    let n = run(0);
    if n >= 12 && (n == text.len() || text[n] == b'.' || n >= 14 || without_rest(text).len() <= n) {
        return true;
    }
    if n > 4 && matches!(text.get(n), Some(b'T' | b't')) {
        return true;
    }
    // digits punctuation digits punctuation digits, then T or spaces and a digit
    let mut i = n;
    for _ in 0..2 {
        match text.get(i) {
            Some(c) if c.is_ascii_punctuation() && i > 0 => i += 1,
            _ => return false,
        }
        let n = run(i);
        if n == 0 {
            return false;
        }
        i += n;
    }
    match text.get(i) {
        Some(b'T' | b't') => true,
        Some(c) if c.is_ascii_whitespace() => {
            while text.get(i).is_some_and(u8::is_ascii_whitespace) {
                i += 1;
            }
            text.get(i).is_some_and(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// Whether an exponent follows: then it is a number, not a time.
fn has_exponent(rest: &[u8]) -> bool {
    match rest {
        [b'e' | b'E', b'+' | b'-', d, ..] | [b'e' | b'E', d, ..] => d.is_ascii_digit(),
        _ => false,
    }
}

/// Reads a time: `[-][D ]hh:mm[:ss[.f]]`, `[-]hhmmss[.f]`, or a date and time.
#[must_use]
pub fn time(text: &[u8], rules: DateRules) -> Found<TimeText> {
    let mut at = 0;
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    let mut end = text.len();
    while end > at && text[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    let text = text[at..end].strip_prefix(b"+").unwrap_or(&text[at..end]);
    let negative = text.first() == Some(&b'-');
    let mut i = usize::from(negative);
    while negative && text.get(i).is_some_and(u8::is_ascii_whitespace) {
        i += 1;
    }
    if negative && looks_like_datetime(&text[i..]) {
        return Found::Bad;
    }
    if !negative && looks_like_datetime(text) {
        match datetime(text, rules) {
            Found::Bad => {}
            found => return found.map(|v| TimeText::DateTime(v.value)),
        }
    }
    let number = |i: &mut usize| number(text, i);
    let Some(first) = number(&mut i) else { return Found::Bad };
    let (mut hours, mut minutes, mut seconds) = (first, 0, 0);
    // `D hh:mm` and `D hh`.
    let mut days = None;
    let mut j = i;
    while text.get(j).is_some_and(u8::is_ascii_whitespace) {
        j += 1;
    }
    if j > i && text.get(j).is_some_and(u8::is_ascii_digit) {
        let mut k = j;
        let h = number(&mut k);
        if has_exponent(&text[k..]) {
            return Found::Bad;
        }
        // one digit alone, or with a letter behind it, is no hour
        if let Some(h) = h
            && text.get(j + 1).is_some_and(|b| !b.is_ascii_alphabetic())
        {
            days = Some(first);
            hours = h;
            i = k;
        }
    }
    let colon = text.get(i) == Some(&b':') && text.get(i + 1).is_some_and(u8::is_ascii_digit);
    if colon {
        i += 1;
        minutes = number(&mut i).unwrap_or(0);
        if text.get(i) == Some(&b':') && text.get(i + 1).is_some_and(u8::is_ascii_digit) {
            i += 1;
            seconds = number(&mut i).unwrap_or(0);
        }
    } else if days.is_none() {
        (hours, minutes, seconds) = (first / 10_000, first / 100 % 100, first % 100);
    }
    let mut part = Fraction::default();
    if text.get(i) == Some(&b'.') && (text.len() == i + 1 || text[i + 1].is_ascii_digit()) {
        (part, i) = fraction(text, i + 1);
    }
    if has_exponent(&text[i..]) {
        return Found::Bad;
    }
    if minutes > 59 || seconds > 59 {
        return Found::OutOfRange;
    }
    let hours = hours.saturating_add(days.unwrap_or(0).saturating_mul(24));
    if hours > u64::from(MAX_HOUR) {
        return Found::Truncated(TimeText::Clipped(Time::limit(negative, 6)));
    }
    let t = Time {
        negative,
        hours: hours as u32,
        minute: minutes as u8,
        second: seconds as u8,
        micros: part.micros,
    };
    read_time(t, part, rules, i < text.len())
}

/// A time that was read with this fraction, and whether something is behind it.
fn read_time(mut t: Time, part: Fraction, rules: DateRules, more: bool) -> Found<TimeText> {
    let negative = t.negative;
    if t.is_zero() {
        t.negative = false;
    }
    let Some(t) = t.carried_from(negative, u32::from(rules.round && part.up)) else {
        return Found::Truncated(TimeText::Clipped(Time::limit(negative, 6)));
    };
    let v = TimeText::Time(t);
    if more {
        Found::Truncated(v)
    } else if part.excess {
        Found::ExcessFraction(v)
    } else {
        Found::Good(v)
    }
}

/// The number at `*i`, which goes behind it; None when there is no digit.
fn number(text: &[u8], i: &mut usize) -> Option<u64> {
    let start = *i;
    let mut v = 0u64;
    while let Some(c) = text.get(*i).filter(|c| c.is_ascii_digit()) {
        v = v.saturating_mul(10).saturating_add(u64::from(c - b'0'));
        *i += 1;
    }
    (*i > start).then_some(v)
}

/// Whether a number and one digit behind blanks are all of a text: they are no days and hours.
#[must_use]
pub fn has_lone_digit(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let mut i = 0;
    let blank = |at: usize| text.get(at).is_some_and(u8::is_ascii_whitespace);
    if number(text, &mut i).is_none() || !blank(i) {
        return false;
    }
    while blank(i) {
        i += 1;
    }
    matches!(&text[i..], [digit] if digit.is_ascii_digit())
}

/// The beginning of a text that says days and hours (`[-]D h`, `[-]D h:m`) or more hours than a time has (`[-]h:m:s`), in full; and what stands
/// behind it. Nothing where it begins otherwise.
#[must_use]
pub fn days_and_hours(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let text = text.trim_ascii();
    let negative = text.first() == Some(&b'-');
    let run = |at: usize| at + text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let days = usize::from(negative);
    let end = run(days);
    let hours = end + text[end..].iter().take_while(|b| **b == b' ').count();
    let mut known = text[..end].to_vec();
    let mut at = end;
    let none = text[days..end].iter().all(|b| *b == b'0');
    if hours > end && run(hours) > hours && !none {
        known.push(b' ');
        known.extend_from_slice(&text[hours..run(hours)]);
        at = run(hours);
    } else if end - days < 4 || text.get(end) != Some(&b':') {
        return (Vec::new(), text);
    }
    let mut parts = 0;
    while parts < 2 && text.get(at) == Some(&b':') && run(at + 1) > at + 1 {
        known.extend_from_slice(&text[at..run(at + 1)]);
        at = run(at + 1);
        parts += 1;
    }
    if parts == 0 {
        known.extend_from_slice(b":0");
    }
    (known, &text[at..])
}

/// Days from the first date to the last one: an interval is shorter.
const DAYS_OF_DATES: i128 = 3_652_059;

/// Reads an interval of days to seconds as ADDTIME takes it: `[-][D ]h:m[:s[.f]]` or `[-]hhmmss[.f]`,
/// hours without a limit; signed microseconds, and whether there are digits behind them, which `round` rounds. `None`
/// when there is anything else.
#[must_use]
pub fn day_to_second(text: &[u8], round: bool) -> Option<(i128, bool)> {
    day_to_second_of_any_length(text, round).filter(|(v, _)| v.abs() < DAYS_OF_DATES * 86_400_000_000)
}

/// As [`day_to_second`], of intervals that are too long as well.
#[must_use]
pub fn day_to_second_of_any_length(text: &[u8], round: bool) -> Option<(i128, bool)> {
    let text = text.trim_ascii();
    let (negative, t) = match text.strip_prefix(b"-") {
        Some(t) => (true, t),
        None => (false, text.strip_prefix(b"+").unwrap_or(text)),
    };
    let (t, fraction_text) = match t.iter().position(|b| *b == b'.') {
        Some(p) => (&t[..p], &t[p + 1..]),
        None => (t, &b""[..]),
    };
    if !fraction_text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |b: &[u8]| -> Option<u64> {
        if b.is_empty() || b.len() > 18 || !b.iter().all(u8::is_ascii_digit) {
            return None;
        }
        Some(b.iter().fold(0, |v, d| v * 10 + u64::from(d - b'0')))
    };
    let (days, clock) = match t.iter().position(|b| *b == b' ') {
        Some(p) => (number(&t[..p])?, t[p..].trim_ascii_start()),
        None => (0, t),
    };
    let parts: Vec<&[u8]> = clock.split(|b| *b == b':').collect();
    let (h, m, s) = match parts.as_slice() {
        [one] if days == 0 => {
            let v = number(one)?;
            // twelve digits may be a date with its time, and more can be nothing else
            let number = datetime_from_number(v as i64, Fraction::default(), DateRules::default());
            let date = one.len() == 12 && matches!(number, Found::Good(_));
            if one.len() > 12 || date {
                return None;
            }
            (v / 10_000, v / 100 % 100, v % 100)
        }
        [h, m] => (number(h)?, number(m)?, 0),
        [h, m, s] => (number(h)?, number(m)?, number(s)?),
        _ => return None,
    };
    if m > 59 || s > 59 {
        return None;
    }
    let (part, _) = fraction(fraction_text, 0);
    let seconds = i128::from(days) * 86_400 + i128::from(h) * 3600 + i128::from(m) * 60 + i128::from(s);
    let v = seconds * 1_000_000 + i128::from(part.micros) + i128::from(round && part.up);
    Some((if negative { -v } else { v }, part.excess))
}

/// A date (and time) from a number: YYMMDD, YYYYMMDD, YYMMDDhhmmss, YYYYMMDDhhmmss.
#[must_use]
pub fn datetime_from_number(v: i64, part: Fraction, rules: DateRules) -> Found<TextDate> {
    let Some(TextDate { value, has_time }) = unrounded_datetime(v, part.micros, rules) else {
        return Found::Bad;
    };
    // the fraction of a day is no time
    let up = rules.round && part.up && (has_time || v == 0);
    match value.carried(u32::from(up)) {
        Ok(value) => Found::Good(TextDate { value, has_time }),
        Err(Uncarried::Range) => Found::Clipped(TextDate { value, has_time }),
        Err(Uncarried::NoSuchDay) => Found::Unroundable(value),
    }
}

/// A date (and time) from a number and microseconds.
fn unrounded_datetime(v: i64, micros: u32, rules: DateRules) -> Option<TextDate> {
    if v == 0 {
        let value = DateTime { micros, ..DateTime::default() };
        return rules.accept(value).then_some(TextDate { value, has_time: micros > 0 });
    }
    let (v, has_time) = match v {
        101..=691_231 => ((v + 20_000_000) * 1_000_000, false),
        700_101..=991_231 => ((v + 19_000_000) * 1_000_000, false),
        10_000_101..=99_991_231 => (v * 1_000_000, false),
        101_000_000..=691_231_235_959 => (v + 20_000_000_000_000, true),
        700_101_000_000..=991_231_235_959 => (v + 19_000_000_000_000, true),
        991_231_235_960..=99_991_231_235_959 => (v, true),
        _ => return None,
    };
    let (date, time) = (v / 1_000_000, v % 1_000_000);
    let d = DateTime {
        year: (date / 10_000) as u16,
        month: (date / 100 % 100) as u8,
        day: (date % 100) as u8,
        hour: (time / 10_000) as u8,
        minute: (time / 100 % 100) as u8,
        second: (time % 100) as u8,
        micros,
    };
    if d.hour > 23 || d.minute > 59 || d.second > 59 || !rules.accept(d) {
        return None;
    }
    Some(TextDate { value: d, has_time })
}

/// A time from a number hhmmss (or a date and time of more digits).
#[must_use]
pub fn time_from_number(negative: bool, v: u64, part: Fraction, rules: DateRules) -> Found<TimeText> {
    if v > 8_385_959 {
        let most = 99_991_231_235_959;
        if !negative && (10_000_101..=most).contains(&v) {
            let found = datetime_from_number(i64::try_from(v).unwrap_or(i64::MAX), part, rules);
            // the fraction of a day is no time
            let value = |d: TextDate| if d.has_time { d.value } else { d.value.date_only() };
            return found.map(|d| TimeText::DateTime(value(d)));
        }
        if v <= most && (v / 100 % 100 > 59 || v % 100 > 59) {
            return Found::OutOfRange;
        }
        return Found::Truncated(TimeText::Clipped(Time::limit(negative, 6)));
    }
    let (hours, minute, second) = ((v / 10_000) as u32, (v / 100 % 100) as u8, (v % 100) as u8);
    // MariaDB takes no number for a time whose last microsecond before the full second it has, also without more digits
    if minute > 59 || second > 59 || part.micros == 999_999 {
        return Found::OutOfRange;
    }
    let mut t =
        Time { negative, hours, minute, second, micros: part.micros + u32::from(rules.round && part.up) };
    if t.is_zero() {
        t.negative = false;
    }
    Found::Good(TimeText::Time(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dt(s: &str) -> String {
        let show = |v: TextDate| {
            let mut out = Vec::new();
            super::super::format::write_datetime(v.value, 6, &mut out);
            String::from_utf8(out).unwrap()
        };
        match datetime(s.as_bytes(), DateRules::default()) {
            Found::Good(v) => show(v),
            Found::ExcessFraction(v) => show(v) + " note",
            Found::Truncated(v) | Found::Clipped(v) => show(v) + " warn",
            Found::OutOfRange | Found::Bad | Found::Unroundable(_) => "NULL".into(),
        }
    }

    fn tm(s: &str) -> String {
        let show = |v: TimeText| {
            let mut out = Vec::new();
            super::super::format::write_time(v.time(), 6, &mut out);
            String::from_utf8(out).unwrap()
        };
        match time(s.as_bytes(), DateRules::default()) {
            Found::Good(v) => show(v),
            Found::ExcessFraction(v) => show(v) + " note",
            Found::Truncated(v) | Found::Clipped(v) => show(v) + " warn",
            Found::OutOfRange | Found::Bad | Found::Unroundable(_) => "NULL".into(),
        }
    }

    /// Answers of the server to CAST(.. AS DATETIME(6)) and CAST(.. AS TIME(6)).
    #[test]
    fn reads_as_the_server() {
        let cases = [
            ("2020-01-02 03:04:05.678", "2020-01-02 03:04:05.678000", "03:04:05.678000"),
            ("2020-1-2 3:4:5", "2020-01-02 03:04:05.000000", "03:04:05.000000"),
            ("2020-011-0012", "2020-11-12 00:00:00.000000", "00:20:20.000000 warn"),
            ("02020-01-02", "2020-01-02 00:00:00.000000", "00:20:20.000000 warn"),
            ("2020-01-0123", "NULL", "00:20:20.000000 warn"),
            ("20-1-2", "2020-01-02 00:00:00.000000", "00:00:20.000000 warn"),
            ("20200102", "2020-01-02 00:00:00.000000", "838:59:59.999999 warn"),
            ("200102", "2020-01-02 00:00:00.000000", "20:01:02.000000"),
            ("20200102030405", "2020-01-02 03:04:05.000000", "03:04:05.000000"),
            ("200102030405", "2020-01-02 03:04:05.000000", "03:04:05.000000"),
            ("20200102030405.5", "2020-01-02 03:04:05.500000", "03:04:05.500000"),
            ("2020-01-02T03:04:05Z", "2020-01-02 03:04:05.000000 warn", "03:04:05.000000 warn"),
            ("2020/01/02", "2020-01-02 00:00:00.000000", "00:20:20.000000 warn"),
            ("2020.01.02", "2020-01-02 00:00:00.000000", "00:20:20.010000 warn"),
            ("2020-01-02 03", "2020-01-02 03:00:00.000000", "03:00:00.000000"),
            ("2020-01-02 25:00:00", "NULL", "NULL"),
            ("2020-02-30", "NULL", "00:20:20.000000 warn"),
            ("2020-00-00", "2020-00-00 00:00:00.000000", "00:20:20.000000 warn"),
            ("0000-00-00", "0000-00-00 00:00:00.000000", "00:00:00.000000 warn"),
            ("abc", "NULL", "NULL"),
            ("", "NULL", "NULL"),
            ("2020-01-02abc", "2020-01-02 00:00:00.000000 warn", "00:20:20.000000 warn"),
            ("2020-01-02 abc", "2020-01-02 00:00:00.000000 warn", "00:20:20.000000 warn"),
            ("12", "NULL", "00:00:12.000000"),
            ("123", "NULL", "00:01:23.000000"),
            ("12345", "NULL", "01:23:45.000000"),
            ("1234567", "NULL", "NULL"),
            ("12:34:56", "NULL", "12:34:56.000000"),
            ("-12:34:56", "NULL", "-12:34:56.000000"),
            ("1 12:34:56", "NULL", "36:34:56.000000"),
            ("839:00:00", "0839-00-00 00:00:00.000000", "838:59:59.999999 warn"),
            ("99:99:99", "NULL", "NULL"),
            ("1 2", "NULL", "00:00:01.000000 warn"),
            ("2020-01", "NULL", "00:20:20.000000 warn"),
            ("2020-01-02 03:04:05+02:00", "2020-01-02 03:04:05.000000 warn", "03:04:05.000000 warn"),
            ("  2020-01-02  03:04:05  ", "2020-01-02 03:04:05.000000", "03:04:05.000000"),
            ("2020-01-02 03:04:05.1234567", "2020-01-02 03:04:05.123456 note", "03:04:05.123456 note"),
            ("70-01-01", "1970-01-01 00:00:00.000000", "NULL"),
            ("2020-01-0203:04:05", "NULL", "00:20:20.000000 warn"),
            ("2020@01@02@03@04@05", "2020-01-02 03:04:05.000000", "00:20:20.000000 warn"),
            ("20200102T030405", "2020-01-02 03:04:05.000000", "03:04:05.000000"),
            ("20200102 030405", "NULL", "838:59:59.999999 warn"),
            ("202001020304", "NULL", "NULL"),
            ("1.5", "NULL", "00:00:01.500000"),
            ("10:11:12.98765432", "NULL", "10:11:12.987654 note"),
            ("10:11:12abc", "2010-11-12 00:00:00.000000 warn", "10:11:12.000000 warn"),
            ("-838:59:59", "NULL", "-838:59:59.000000"),
            ("-839:0:0", "NULL", "-838:59:59.999999 warn"),
            ("35 00:00:00", "NULL", "838:59:59.999999 warn"),
            ("2020-1-1 1:1:1.5 x", "2020-01-01 01:01:01.500000 warn", "01:01:01.500000 warn"),
            ("10000-01-01", "NULL", "01:00:00.000000 warn"),
            ("0-0-0", "0000-00-00 00:00:00.000000", "00:00:00.000000 warn"),
            ("1:2:3:4", "0001-02-03 04:00:00.000000", "01:02:03.000000 warn"),
            ("1:2:3.5", "0001-02-03 05:00:00.000000", "01:02:03.500000"),
            ("235960", "NULL", "NULL"),
            ("20201", "NULL", "02:02:01.000000"),
            ("2020-01-02-03-04-05", "2020-01-02 03:04:05.000000", "00:20:20.000000 warn"),
            ("20200102030405678", "2020-01-02 03:04:05.000000 warn", "03:04:05.000000 warn"),
            ("1-1-1", "0001-01-01 00:00:00.000000", "00:00:01.000000 warn"),
            ("2020-1-1 ", "2020-01-01 00:00:00.000000", "00:20:20.000000 warn"),
            ("2020-1-1T", "2020-01-01 00:00:00.000000", "00:00:00.000000"),
            ("2020--01-02", "NULL", "00:20:20.000000 warn"),
            ("2020-01-02 10:20:30 AM", "2020-01-02 10:20:30.000000 warn", "10:20:30.000000 warn"),
            ("10.11.12", "2010-11-12 00:00:00.000000", "00:00:10.110000 warn"),
            ("11:22:33.", "NULL", "11:22:33.000000"),
            ("11:22:33.a", "NULL", "11:22:33.000000 warn"),
        ];
        for (text, d, t) in cases {
            assert_eq!(dt(text), d, "datetime of {text:?}");
            assert_eq!(tm(text), t, "time of {text:?}");
        }
    }
}

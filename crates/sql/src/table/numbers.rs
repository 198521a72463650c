//! Sequences: tables of one row that give numbers. Who asks for a number takes it from those that the open table has reserved;
//! the row is written when they are used up.

use schema::definition::{DefaultValue, TableDef};

/// The row of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The first number that was not reserved.
    pub next: i64,
    pub min: i64,
    pub max: i64,
    pub start: i64,
    pub increment: i64,
    pub cache: i64,
    pub cycle: bool,
    /// How often it began anew.
    pub round: i64,
}

/// The names of its columns, in their order.
pub(crate) const COLUMNS: [&str; 8] = [
    "next_not_cached_value",
    "minimum_value",
    "maximum_value",
    "start_value",
    "increment",
    "cache_size",
    "cycle_option",
    "cycle_count",
];

/// Numbers that were reserved, from `next` up to `until`, which is none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reserved {
    pub next: i64,
    pub until: i64,
    pub settings: Settings,
}

impl Settings {
    /// `value` after `n` steps; beyond the ends it is the number next to them.
    fn after(&self, value: i64, n: i64) -> i64 {
        let to = i128::from(value) + i128::from(self.step()) * i128::from(n);
        let (low, high) = match self.step() > 0 {
            true => (i64::MIN, self.max.saturating_add(1)),
            false => (self.min.saturating_sub(1), i64::MAX),
        };
        to.clamp(low.into(), high.into()) as i64
    }

    fn step(&self) -> i64 {
        if self.increment == 0 { 1 } else { self.increment }
    }

    fn is_out(&self, value: i64) -> bool {
        value < self.min || value > self.max
    }

    /// Whether a number lies behind the last one.
    fn is_behind(&self, value: i64) -> bool {
        if self.step() > 0 { value > self.max } else { value < self.min }
    }

    /// Where a new round begins.
    fn first(&self) -> i64 {
        if self.step() > 0 { self.min } else { self.max }
    }

    /// Whether the numbers fit together.
    pub fn is_valid(&self) -> bool {
        let largest = i128::from(i64::MAX) / i128::from(self.step().unsigned_abs());
        self.min < self.max
            && self.max < i64::MAX
            && self.min > i64::MIN
            && (self.min..=self.max).contains(&self.start)
            && self.cache >= 0
            && i128::from(self.cache) < largest
    }

    /// Whether the next number can be one, or lies behind the end.
    pub fn has_place(&self) -> bool {
        match self.step() > 0 {
            true => self.next >= self.min,
            false => self.next <= self.max,
        }
    }

    /// Reserves numbers; `None` when there are none left.
    pub fn reserve(mut self) -> Option<Reserved> {
        if self.is_behind(self.next) {
            if !self.cycle {
                return None;
            }
            self.next = self.first();
            self.round += 1;
        }
        let next = self.next;
        self.next = self.after(next, self.cache.max(1));
        Some(Reserved { next, until: self.next, settings: self })
    }

    /// SETVAL: what comes next then, and the round. `None` when the sequence, with `next` to come, is further already. In a later
    /// round any number will do.
    pub fn place(&self, next: i64, value: i64, used: bool, round: i64) -> Option<(i64, i64)> {
        if round > self.round {
            return Some((if used { self.after(value, 1) } else { value }, round));
        }
        // beyond the end, no number is left
        if self.is_out(value) && !self.is_behind(value) {
            return None;
        }
        let to = match self.is_behind(value) {
            true if self.step() > 0 => self.max.saturating_add(1),
            true => self.min.saturating_sub(1),
            false if used => self.after(value, 1),
            false => value,
        };
        let back = match self.step() > 0 {
            true => to < next,
            false => to > next,
        };
        if round < self.round || round == self.round && back { None } else { Some((to, round)) }
    }
}

impl Reserved {
    /// Goes on with `to`, if that is among the numbers.
    pub fn skip(&mut self, to: i64, round: i64) -> bool {
        let (low, high) = (self.next.min(self.until), self.next.max(self.until));
        let among = round == self.settings.round && (low..=high).contains(&to);
        if among {
            self.next = to;
        }
        among
    }

    /// Takes a number, if one is left.
    pub fn take(&mut self) -> Option<i64> {
        if self.next == self.until {
            return None;
        }
        let value = self.next;
        self.next = self.settings.after(value, 1);
        Some(value)
    }
}

/// What an open sequence has to give, among those who take numbers and those who change its row.
#[derive(Default)]
pub(crate) struct Stock {
    /// None: the row must be asked.
    pub reserved: Option<Reserved>,
    /// Changes of the row that began.
    changes: u64,
}

impl Stock {
    /// Takes a number, if one is left.
    pub fn take(&mut self) -> Option<i64> {
        self.reserved.as_mut()?.take()
    }

    /// The row is going to be written: nothing is given until it is. The number of this change.
    pub fn begin_change(&mut self) -> u64 {
        self.reserved = None;
        self.changes += 1;
        self.changes
    }

    /// The row is written, and has reserved these. When another change has begun since, they are lost: a SETVAL may be among what came
    /// between, and its number is not to be fallen behind.
    pub fn end_change(&mut self, number: u64, reserved: Option<Reserved>) {
        if self.changes == number {
            self.reserved = reserved;
        }
    }
}

/// Whether the defaults of a table ask sequences.
pub(crate) fn are_asked(def: &TableDef) -> bool {
    let asks = |text: &str| ["nextval(", "lastval(", "setval("].iter().any(|call| text.contains(call));
    def.columns.iter().any(|c| matches!(&c.default, DefaultValue::Expression(e) if asks(&e.text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(next: i64, min: i64, max: i64, increment: i64, cache: i64, cycle: bool) -> Settings {
        Settings { next, min, max, start: next, increment, cache, cycle, round: 0 }
    }

    fn numbers(mut s: Settings, count: usize) -> (Vec<i64>, Settings) {
        let mut all = Vec::new();
        let mut reserved: Option<Reserved> = None;
        for _ in 0..count {
            let taken = reserved.as_mut().and_then(Reserved::take);
            let value = taken.or_else(|| {
                let mut more = s.reserve()?;
                s = more.settings;
                let value = more.take();
                reserved = Some(more);
                value
            });
            all.extend(value);
        }
        (all, s)
    }

    #[test]
    fn what_a_later_change_has_overtaken_is_not_given() {
        let reserved = || sequence(1, 1, 100, 1, 10, false).reserve();
        let mut stock = Stock::default();
        let first = stock.begin_change();
        let second = stock.begin_change();
        stock.end_change(second, None);
        stock.end_change(first, reserved());
        assert_eq!(stock.take(), None);
        let third = stock.begin_change();
        stock.end_change(third, reserved());
        assert_eq!((stock.take(), stock.take()), (Some(1), Some(2)));
    }

    #[test]
    fn numbers_are_given() {
        let (all, s) = numbers(sequence(100, 5, 200, -10, 3, true), 15);
        assert_eq!(all, [100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 200, 190, 180, 170, 160]);
        assert_eq!((s.next, s.round), (140, 1));
        let (all, s) = numbers(sequence(1, 1, 3, 1, 1000, false), 5);
        assert_eq!((all, s.next), (vec![1, 2, 3], 4));
        let (all, _) = numbers(sequence(i64::MAX - 2, 1, i64::MAX - 1, 7, 5, false), 3);
        assert_eq!(all, [i64::MAX - 2]);
        let (all, _) = numbers(sequence(1, 1, 5, 10, 0, true), 3);
        assert_eq!(all, [1, 1, 1]);
    }
}

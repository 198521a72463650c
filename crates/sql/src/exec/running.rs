//! The running values of an aggregate function for all groups: numbers side by side where that is possible, else an [`Accumulator`] a group.

use super::accumulate::{Accumulator, State, integer};
use crate::ast::AggregateFunction as F;
use crate::error::SqlResult;
use crate::exec::accumulate::Accumulate;
use crate::expr::{AggregateCall, EvalContext};
use crate::types::decimal::{FIXED_LIMBS, MAX_SHORT_SCALE, SHORT_END, power};
use crate::types::{Class, Decimal, FieldType, Value, ValueRef, Vector};

/// The running values of one aggregate, group by group.
pub enum Running {
    /// COUNT without DISTINCT.
    Counts(Vec<u64>),
    /// SUM and AVG of integers without DISTINCT: sum and count.
    Sums(Vec<(i128, u64)>),
    /// SUM and AVG of decimals without DISTINCT as long as 128 bits hold them, and the limbs after their points.
    Decimals(Vec<DecimalSum>, u8),
    /// MIN and MAX of integers: the value, and whether there is one.
    Extremes(Vec<(i64, bool)>),
    /// Others.
    Any(Vec<Accumulator>),
}

/// A sum of decimals in 128 bits ([`Decimal::to_fixed`]), in 24 bytes.
#[derive(Clone, Copy, Default)]
pub struct DecimalSum {
    low: u64,
    high: i64,
    /// How many values there are, and in the first byte the most digits after the point.
    count: u64,
}

/// Bits of the number of values.
const COUNT_BITS: u32 = 56;

impl DecimalSum {
    #[inline]
    fn sum(&self) -> i128 {
        i128::from(self.high) << 64 | i128::from(self.low)
    }

    #[inline]
    fn count(&self) -> u64 {
        self.count & ((1 << COUNT_BITS) - 1)
    }

    #[inline]
    fn scale(&self) -> u8 {
        (self.count >> COUNT_BITS) as u8
    }

    /// Adds `count` values with this sum and so many digits after the point; false when that does not fit.
    #[inline]
    fn add_sum(&mut self, sum: i128, count: u64, scale: u8) -> bool {
        let Some(sum) = self.sum().checked_add(sum) else { return false };
        (self.low, self.high) = (sum as u64, (sum >> 64) as i64);
        self.count += count;
        if self.scale() < scale {
            self.count = self.count() | u64::from(scale) << COUNT_BITS;
        }
        true
    }

    /// Adds a value; false when the sum does not fit.
    #[inline]
    fn add(&mut self, d: &Decimal, frac: u8) -> bool {
        d.to_fixed(frac).is_some_and(|x| self.add_sum(x, 1, d.scale()))
    }

    /// Adds values of a column, each to the sum that its place says; gives the number of the first one that does not fit.
    fn add_all(
        sums: &mut [DecimalSum],
        places: impl Iterator<Item = (u32, u32)>,
        v: &Vector,
        frac: u8,
    ) -> Result<(), usize> {
        if let Some((numbers, scale)) = v.short_decimals()
            && let Some(unit) = fixed_unit(scale, frac)
            && !v.is_constant()
        {
            return DecimalSum::add_short(sums, places, v, (numbers, scale, unit));
        }
        let values = v.decimals();
        for (i, (n, row)) in places.enumerate() {
            let row = row as usize;
            if v.is_null(row) {
                continue;
            }
            let value = if v.is_constant() { &values[0] } else { &values[row] };
            if !sums[n as usize].add(value, frac) {
                return Err(i);
            }
        }
        Ok(())
    }

    /// As [`DecimalSum::add_all`], of short decimals: numbers of a scale, which are so many units of the sums.
    fn add_short(
        sums: &mut [DecimalSum],
        places: impl Iterator<Item = (u32, u32)>,
        v: &Vector,
        (numbers, scale, unit): (&[i64], u8, i64),
    ) -> Result<(), usize> {
        let nulls = v.nulls();
        for (i, (n, row)) in places.enumerate() {
            let row = row as usize;
            if nulls.get(row).is_some_and(|null| *null != 0) {
                continue;
            }
            if !sums[n as usize].add_sum(i128::from(numbers[row]) * i128::from(unit), 1, scale) {
                return Err(i);
            }
        }
        Ok(())
    }

    /// Adds another sum; false when both together do not fit.
    fn merge(&mut self, other: &DecimalSum) -> bool {
        self.add_sum(other.sum(), other.count(), other.scale())
    }

    /// The accumulator that goes on with it.
    fn accumulator(self, frac: u8) -> Accumulator {
        let sum = Decimal::from_fixed(self.sum(), frac, self.scale());
        Accumulator { state: State::Decimal { sum, count: self.count() }, seen: None }
    }
}

/// The limbs after the point of sums of decimals that begin in 128 bits; none for those whose values hardly fit. Products have wide types
/// and small values: what does not fit is found out as it comes.
fn fixed_limbs(ty: &FieldType) -> Option<u8> {
    let frac = ty.decimals.div_ceil(9);
    (ty.class() == Class::Decimal && frac < FIXED_LIMBS).then_some(frac)
}

/// What the number of a short decimal of this scale counts in sums of `frac` limbs after the point; `None` where it may not fit.
fn fixed_unit(scale: u8, frac: u8) -> Option<i64> {
    let digits = (9 * frac).checked_sub(scale)?;
    (digits <= MAX_SHORT_SCALE).then(|| power(digits))
}

/// A sum of so many units as the number of a short decimal.
fn short_sum(sum: i128, unit: i64, scale: u8) -> Option<(i64, u8)> {
    let sum = i64::try_from(sum).ok()?;
    let number = sum / unit;
    (number.unsigned_abs() < SHORT_END.unsigned_abs() && number * unit == sum).then_some((number, scale))
}

impl Running {
    /// No group yet.
    #[must_use]
    pub fn new(a: &AggregateCall) -> Running {
        let integers = a.args.len() == 1 && matches!(a.args[0].ty.class(), Class::Int | Class::UInt);
        let years = integers && a.args[0].ty.is_short_year();
        match a.function {
            _ if a.distinct => Running::Any(Vec::new()),
            F::Count => Running::Counts(Vec::new()),
            F::Sum | F::Avg if integers => Running::Sums(Vec::new()),
            F::Min | F::Max if integers && !years => Running::Extremes(Vec::new()),
            F::Sum | F::Avg => match a.args.first().and_then(|e| fixed_limbs(&e.ty)) {
                Some(frac) => Running::Decimals(Vec::new(), frac),
                None => Running::Any(Vec::new()),
            },
            _ => Running::Any(Vec::new()),
        }
    }

    /// Whether the values of an aggregate are numbers side by side: they never fail and never grow.
    #[must_use]
    pub fn is_number(a: &AggregateCall) -> bool {
        !matches!(Running::new(a), Running::Any(_))
    }

    /// Adds rows, each with its group before it; for [`Running::is_number`].
    pub fn add_rows(&mut self, places: &[(u32, u32)], a: &AggregateCall, args: &[&Vector]) {
        let Some(v) = args.first() else {
            if let Running::Counts(counts) = self {
                places.iter().for_each(|(n, _)| counts[*n as usize] += 1);
            }
            return;
        };
        let known = |row: &u32| !v.is_null(*row as usize);
        match self {
            Running::Counts(counts) => {
                for (n, row) in places {
                    counts[*n as usize] += u64::from(!args.iter().any(|v| v.is_null(*row as usize)));
                }
            }
            Running::Sums(sums) if v.class() == Class::Int && !v.any_null() && !v.is_constant() => {
                let values = v.i64s();
                for (n, row) in places {
                    let (sum, count) = &mut sums[*n as usize];
                    *sum += i128::from(values[*row as usize]);
                    *count += 1;
                }
            }
            Running::Sums(sums) => {
                for (n, row) in places.iter().filter(|(_, row)| known(row)) {
                    let (sum, count) = &mut sums[*n as usize];
                    *sum += integer(v, *row as usize);
                    *count += 1;
                }
            }
            Running::Decimals(sums, frac) => {
                if let Err(added) = DecimalSum::add_all(sums, places.iter().copied(), v, *frac) {
                    for (n, row) in places[added..].iter().filter(|(_, row)| known(row)) {
                        self.add_decimal(*n as usize, v, *row as usize);
                    }
                }
            }
            Running::Extremes(values) => {
                for (n, row) in places.iter().filter(|(_, row)| known(row)) {
                    replace_extreme(&mut values[*n as usize], a.function, v, *row as usize);
                }
            }
            Running::Any(_) => {
                for (n, row) in places.iter().filter(|(_, row)| known(row)) {
                    self.add_decimal(*n as usize, v, *row as usize);
                }
            }
        }
    }

    /// Adds a decimal that is not NULL to group `n`. From the first sum on that 128 bits do not hold, all have the digits of any decimal.
    #[inline]
    fn add_decimal(&mut self, n: usize, v: &Vector, row: usize) {
        let ValueRef::Decimal(d) = v.get(row) else { return };
        if let Running::Decimals(sums, frac) = self {
            if sums[n].add(d, *frac) {
                return;
            }
            self.widen();
        }
        if let Running::Any(list) = self
            && let State::Decimal { sum, count } = &mut list[n].state
        {
            *sum = sum.add(d).0;
            *count += 1;
        }
    }

    /// Makes sums of decimals ones without a bound.
    #[cold]
    fn widen(&mut self) {
        if let Running::Decimals(sums, frac) = self {
            *self = Running::Any(sums.iter().map(|sum| sum.accumulator(*frac)).collect());
        }
    }

    /// Begins a group; tells how many bytes its value takes beyond [`Running::each`].
    pub fn begin(&mut self, a: &AggregateCall) -> usize {
        match self {
            Running::Counts(counts) => {
                counts.push(0);
                0
            }
            Running::Sums(sums) => {
                sums.push((0, 0));
                0
            }
            Running::Decimals(sums, _) => {
                sums.push(DecimalSum::default());
                0
            }
            Running::Extremes(values) => {
                values.push((0, false));
                0
            }
            Running::Any(list) => {
                let fresh = a.accumulator();
                let memory = fresh.memory();
                list.push(fresh);
                memory
            }
        }
    }

    /// Begins a group with the value of group `n` of `other`, which goes on without it.
    pub fn move_from(&mut self, other: &mut Running, n: usize) {
        match (self, other) {
            (Running::Counts(to), Running::Counts(from)) => to.push(from[n]),
            (Running::Sums(to), Running::Sums(from)) => to.push(from[n]),
            (Running::Extremes(to), Running::Extremes(from)) => to.push(from[n]),
            (Running::Decimals(to, _), Running::Decimals(from, _)) => to.push(from[n]),
            (Running::Any(to), Running::Decimals(from, frac)) => to.push(from[n].accumulator(*frac)),
            (to @ Running::Decimals(..), Running::Any(from)) => {
                to.widen();
                if let Running::Any(to) = to {
                    to.push(std::mem::take(&mut from[n]));
                }
            }
            (Running::Any(to), Running::Any(from)) => to.push(std::mem::take(&mut from[n])),
            _ => debug_assert!(false, "two aggregates"),
        }
    }

    /// Whether the values of two parts of a group's rows, whatever lies between them, give the value of all.
    #[must_use]
    pub fn is_mergeable(&self) -> bool {
        !matches!(self, Running::Any(_))
    }

    /// Adds the value of group `n` of `other` to that of group `to`; for [`Running::is_mergeable`].
    pub fn merge_from(&mut self, a: &AggregateCall, to: usize, other: &Running, n: usize) {
        match (&mut *self, other) {
            (Running::Counts(list), Running::Counts(from)) => list[to] += from[n],
            (Running::Sums(list), Running::Sums(from)) => {
                list[to].0 += from[n].0;
                list[to].1 += from[n].1;
            }
            (Running::Extremes(list), Running::Extremes(from)) => {
                if from[n].1 {
                    keep_extreme(&mut list[to], a.function, a.args[0].ty.class(), from[n].0);
                }
            }
            (Running::Decimals(list, frac), Running::Decimals(from, _)) => {
                if !list[to].merge(&from[n]) {
                    let more = from[n].accumulator(*frac);
                    self.merge_wide(to, &more);
                }
            }
            (Running::Any(_), Running::Decimals(from, frac)) => {
                let more = from[n].accumulator(*frac);
                self.merge_wide(to, &more);
            }
            (Running::Decimals(..) | Running::Any(_), Running::Any(from)) => self.merge_wide(to, &from[n]),
            _ => debug_assert!(false, "{:?} cannot be merged", a.function),
        }
    }

    /// Adds a sum of decimals of any digits to that of group `to`.
    #[cold]
    fn merge_wide(&mut self, to: usize, more: &Accumulator) {
        self.widen();
        if let Running::Any(list) = self
            && let State::Decimal { sum, count } = &mut list[to].state
            && let State::Decimal { sum: more, count: rows } = &more.state
        {
            *sum = sum.add(more).0;
            *count += rows;
        }
    }

    /// Forgets all groups.
    pub fn clear(&mut self) {
        match self {
            Running::Counts(list) => list.clear(),
            Running::Sums(list) => list.clear(),
            Running::Decimals(list, _) => list.clear(),
            Running::Extremes(list) => list.clear(),
            Running::Any(list) => list.clear(),
        }
    }

    /// Bytes of each group.
    #[must_use]
    pub fn each(&self) -> usize {
        match self {
            Running::Counts(_) => size_of::<u64>(),
            Running::Sums(_) => size_of::<(i128, u64)>(),
            Running::Decimals(..) => size_of::<DecimalSum>(),
            Running::Extremes(_) => size_of::<(i64, bool)>(),
            Running::Any(_) => size_of::<Accumulator>(),
        }
    }

    /// Adds a row to group `n`; tells how many bytes more its value takes.
    ///
    /// # Errors
    /// Those of the arithmetic.
    #[inline]
    pub fn add_row(
        &mut self,
        n: usize,
        a: &AggregateCall,
        args: &[&Vector],
        row: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<usize> {
        match self {
            Running::Counts(counts) => {
                counts[n] += u64::from(!args.iter().any(|v| v.is_null(row)));
                Ok(0)
            }
            Running::Sums(sums) => {
                let v = args[0];
                if !v.is_null(row) {
                    let (sum, count) = &mut sums[n];
                    *sum += integer(v, row);
                    *count += 1;
                }
                Ok(0)
            }
            Running::Decimals(..) => {
                if !args[0].is_null(row) {
                    self.add_decimal(n, args[0], row);
                }
                Ok(0)
            }
            Running::Extremes(values) => {
                let v = args[0];
                if !v.is_null(row) {
                    replace_extreme(&mut values[n], a.function, v, row);
                }
                Ok(0)
            }
            Running::Any(list) => {
                let acc = &mut list[n];
                let before = acc.memory();
                a.add_row(acc, args, row, ctx)?;
                Ok(acc.memory().saturating_sub(before))
            }
        }
    }

    /// Adds all rows of a batch to group `n`.
    ///
    /// # Errors
    /// Those of the arithmetic.
    pub fn add_batch(
        &mut self,
        n: usize,
        a: &AggregateCall,
        args: &[&Vector],
        rows: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        match self {
            Running::Counts(counts) => {
                let mut acc = Accumulator::counted(counts[n]);
                a.add_batch(&mut acc, args, rows, ctx)?;
                if let State::Count(count) = acc.state {
                    counts[n] = count;
                }
                Ok(())
            }
            Running::Sums(sums) => {
                let (sum, count) = sums[n];
                let mut acc = Accumulator { state: State::Int { sum, count }, seen: None };
                a.add_batch(&mut acc, args, rows, ctx)?;
                if let State::Int { sum, count } = acc.state {
                    sums[n] = (sum, count);
                }
                Ok(())
            }
            Running::Decimals(sums, frac) => {
                let (v, all) = (args[0], (0..rows as u32).map(|row| (n as u32, row)));
                if let Err(added) = DecimalSum::add_all(sums, all, v, *frac) {
                    let rest = (added..rows).filter(|row| !v.is_null(*row));
                    rest.for_each(|row| self.add_decimal(n, v, row));
                }
                Ok(())
            }
            Running::Extremes(values) => {
                let v = args[0];
                for row in (0..rows).filter(|row| !v.is_null(*row)) {
                    replace_extreme(&mut values[n], a.function, v, row);
                }
                Ok(())
            }
            Running::Any(list) => a.add_batch(&mut list[n], args, rows, ctx),
        }
    }

    /// The values, where they are counts.
    #[must_use]
    pub fn counts(&self) -> Option<&[u64]> {
        if let Running::Counts(counts) = self { Some(counts) } else { None }
    }

    /// Appends the value of group `n`, which it has no longer.
    ///
    /// # Errors
    /// As [`Accumulate::finish`].
    #[inline]
    pub fn put(
        &mut self,
        n: usize,
        a: &AggregateCall,
        out: &mut Vector,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let short = match self {
            Running::Sums(sums) if a.function == F::Sum && sums[n].1 > 0 => short_sum(sums[n].0, 1, 0),
            Running::Decimals(sums, frac) if a.function == F::Sum && sums[n].count() > 0 => {
                let (sum, scale) = (sums[n].sum(), sums[n].scale());
                fixed_unit(scale, *frac).and_then(|unit| short_sum(sum, unit, scale))
            }
            _ => None,
        };
        match short {
            Some((number, scale)) if out.class() == Class::Decimal => out.push_short_decimal(number, scale),
            _ => out.push(a.finish(self.take(n, a), ctx)?.as_ref()),
        }
        Ok(())
    }

    /// Takes the value of group `n` out.
    pub fn take(&mut self, n: usize, a: &AggregateCall) -> Accumulator {
        match self {
            Running::Counts(counts) => Accumulator::counted(counts[n]),
            Running::Sums(sums) => {
                let (sum, count) = sums[n];
                Accumulator { state: State::Int { sum, count }, seen: None }
            }
            Running::Decimals(sums, frac) => sums[n].accumulator(*frac),
            Running::Extremes(values) => {
                let value = match values[n] {
                    (_, false) => Value::Null,
                    (x, true) if a.args[0].ty.class() == Class::UInt => Value::UInt(x.cast_unsigned()),
                    (x, true) => Value::Int(x),
                };
                Accumulator { state: State::Extreme(value), seen: None }
            }
            Running::Any(list) => std::mem::take(&mut list[n]),
        }
    }
}

/// Keeps the smaller (MIN) or larger one of two integers.
#[inline]
fn replace_extreme(best: &mut (i64, bool), function: F, v: &Vector, row: usize) {
    keep_extreme(best, function, v.class(), v.i64(row));
}

/// As [`replace_extreme`], of an integer of this class.
#[inline]
fn keep_extreme(best: &mut (i64, bool), function: F, class: Class, x: i64) {
    let smaller = if class == Class::UInt { x.cast_unsigned() < best.0.cast_unsigned() } else { x < best.0 };
    if !best.1 || if function == F::Min { smaller } else { !smaller } {
        *best = (x, true);
    }
}

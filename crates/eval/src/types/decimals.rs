//! A column of decimals. Most have few digits and one scale: they are 64-bit numbers then, and are computed with and compared as such. Who
//! wants [`Decimal`]s gets them, made once for the whole column.

use super::decimal::{Decimal, MAX_SHORT_SCALE, short_scaled};
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The scale of a column in which there are only NULLs yet.
const ANY_SCALE: u8 = u8::MAX;

/// Decimals side by side.
#[derive(Clone, Debug)]
pub struct Decimals {
    /// Whether the values are in `short`.
    is_short: bool,
    /// Digits after the point of all values of `short`.
    scale: u8,
    /// Values times ten for each digit after the point, below [`super::decimal::SHORT_END`]; 0 for NULL.
    short: Vec<i64>,
    /// The values, where they are not short or somebody asked for them as decimals.
    wide: OnceLock<Vec<Decimal>>,
    /// Room for decimals.
    spare: Vec<Decimal>,
}

impl Default for Decimals {
    fn default() -> Self {
        let (short, wide) = (Vec::new(), OnceLock::new());
        Decimals { is_short: true, scale: ANY_SCALE, short, wide, spare: Vec::new() }
    }
}

impl Decimals {
    /// Forgets the values, keeps their room.
    pub fn clear(&mut self) {
        (self.is_short, self.scale) = (true, ANY_SCALE);
        self.short.clear();
        if let Some(mut wide) = self.wide.take() {
            wide.clear();
            self.spare = wide;
        }
    }

    /// Digits after the point of all values, which are short.
    #[inline]
    fn short_scale(&self) -> u8 {
        if self.scale == ANY_SCALE { 0 } else { self.scale }
    }

    /// Bytes held, those of decimals that may yet be asked for included.
    pub fn memory(&self) -> usize {
        let wide = self.wide.get().map_or(0, Vec::capacity).max(self.short.len()) + self.spare.capacity();
        self.short.capacity() * size_of::<i64>() + wide * size_of::<Decimal>()
    }

    /// The values as numbers, and their digits after the point; `None` where they are not short.
    #[inline]
    #[must_use]
    pub fn as_short(&self) -> Option<(&[i64], u8)> {
        self.is_short.then_some((self.short.as_slice(), self.short_scale()))
    }

    /// All values. What is in place of NULLs is any number.
    #[inline]
    #[must_use]
    pub fn all(&self) -> &[Decimal] {
        self.wide.get_or_init(|| self.widened())
    }

    #[cold]
    fn widened(&self) -> Vec<Decimal> {
        let mut wide = Vec::new();
        self.widen_to(&mut wide);
        wide
    }

    fn widen_to(&self, wide: &mut Vec<Decimal>) {
        let scale = self.short_scale();
        wide.extend(self.short.iter().map(|v| Decimal::from_short(*v, scale)));
    }

    /// The values to change, as decimals from here on.
    pub fn wide_mut(&mut self) -> &mut Vec<Decimal> {
        if self.is_short {
            if self.wide.get().is_none() {
                let mut wide = std::mem::take(&mut self.spare);
                self.widen_to(&mut wide);
                self.wide = OnceLock::from(wide);
            }
            self.is_short = false;
            self.short.clear();
        }
        self.wide.get_mut().expect("all values are there as decimals")
    }

    /// The values to append numbers of this scale to, where all are short and have it.
    #[inline]
    pub fn short_mut(&mut self, scale: u8) -> Option<&mut Vec<i64>> {
        if !self.is_short || (self.scale != scale && self.scale != ANY_SCALE) || scale > MAX_SHORT_SCALE {
            return None;
        }
        self.scale = scale;
        self.wide.take();
        Some(&mut self.short)
    }

    /// The values to append numbers of another column to, and its numbers, where both are short with the same scale.
    #[inline]
    fn short_beside<'f>(&mut self, from: &'f Decimals) -> Option<(&mut Vec<i64>, &'f [i64])> {
        let (numbers, _) = from.as_short()?;
        if from.scale != ANY_SCALE {
            return Some((self.short_mut(from.scale)?, numbers));
        }
        // there are only NULLs
        if !self.is_short {
            return None;
        }
        self.wide.take();
        Some((&mut self.short, numbers))
    }

    /// Appends what stands for NULL.
    #[inline]
    pub fn push_null(&mut self) {
        if self.is_short {
            self.wide.take();
            self.short.push(0);
        } else {
            self.wide_mut().push(Decimal::ZERO);
        }
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: &Decimal) {
        if self.is_short
            && let Some(number) = value.to_short()
            && let Some(short) = self.short_mut(value.scale())
        {
            return short.push(number);
        }
        self.wide_mut().push(*value);
    }

    /// Appends value `row` of another column.
    #[inline]
    pub fn push_from(&mut self, from: &Decimals, row: usize) {
        if let Some((short, numbers)) = self.short_beside(from) {
            return short.push(numbers[row]);
        }
        self.wide_mut().push(from.all()[row]);
    }

    /// Appends rows of another column, none of which is NULL.
    pub fn gather(&mut self, from: &Decimals, rows: &[u32]) {
        if let Some((short, numbers)) = self.short_beside(from) {
            return short.extend(rows.iter().map(|r| numbers[*r as usize]));
        }
        let all = from.all();
        self.wide_mut().extend(rows.iter().map(|r| all[*r as usize]));
    }

    /// Appends a run of rows of another column.
    pub fn append(&mut self, from: &Decimals, rows: std::ops::Range<usize>) {
        if let Some((short, numbers)) = self.short_beside(from) {
            return short.extend_from_slice(&numbers[rows]);
        }
        self.wide_mut().extend_from_slice(&from.all()[rows]);
    }

    /// The order of value `i` and value `j` of another column; neither is NULL.
    #[inline]
    #[must_use]
    pub fn order(&self, i: usize, other: &Decimals, j: usize) -> Ordering {
        match (self.as_short(), other.as_short()) {
            (Some((xs, s)), Some((ys, t))) if s == t => xs[i].cmp(&ys[j]),
            (Some((xs, s)), Some((ys, t))) => {
                let scale = s.max(t);
                short_scaled(xs[i], scale - s).cmp(&short_scaled(ys[j], scale - t))
            }
            _ => self.all()[i].cmp(&other.all()[j]),
        }
    }
}

//! Exact decimal numbers, base 10^9, as DECIMAL computes.
//!
//! A number has at most nine limbs (81 digits) while it is computed with; columns and results hold
//! at most 65 digits, 38 of them after the point. The scale is part of the value: `1.10` prints
//! its zero.

mod short;
mod stored;
mod wide;

use std::cmp::Ordering;

pub use short::{MAX_SHORT_SCALE, SHORT_END, power, short_scaled};
pub use stored::StoredForm;
use wide::Wide;

/// Limbs of a number.
const LIMBS: usize = 9;
/// Decimal digits of a limb.
const DIGITS: usize = 9;
const BASE: u32 = 1_000_000_000;
const POW10: [u32; 10] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, BASE];

/// Limbs of a number that 128 bits hold with its sign.
pub const FIXED_LIMBS: u8 = 4;

/// Most digits of a column or result.
pub const MAX_PRECISION: u8 = 65;
/// Most digits after the point of a column or result.
pub const MAX_SCALE: u8 = 38;

/// A decimal number.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    negative: bool,
    /// Digits after the point.
    scale: u8,
    /// Limbs before the point; the highest is not zero.
    int: u8,
    /// Limbs after the point: `scale` in nines, rounded up.
    frac: u8,
    /// Least significant first; fraction limbs are aligned at the point.
    limbs: [u32; LIMBS],
}

/// How to get rid of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, halves away from zero.
    HalfUp,
    /// Towards zero.
    Truncate,
    /// Towards plus infinity.
    Ceiling,
    /// Towards minus infinity.
    Floor,
}

/// What reading a number from text met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The number; zero when there was none.
    pub value: Decimal,
    /// Bytes read, leading spaces included; 0 when there was no number.
    pub used: usize,
    /// The number had too many digits and was cut to the largest one.
    pub overflow: bool,
    /// Digits after the point were cut.
    pub truncated: bool,
}

impl Default for Decimal {
    fn default() -> Self {
        Decimal::ZERO
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Decimal {}
impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_magnitude(other),
            (true, true) => other.cmp_magnitude(self),
        }
    }
}

impl std::hash::Hash for Decimal {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.negative.hash(state);
        let skip = self.limbs[..self.frac as usize].iter().take_while(|l| **l == 0).count();
        self.int.hash(state);
        self.limbs[skip..(self.frac + self.int) as usize].hash(state);
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = Vec::new();
        self.write(&mut out);
        f.write_str(std::str::from_utf8(&out).unwrap_or(""))
    }
}

impl From<i64> for Decimal {
    fn from(v: i64) -> Self {
        let mut d = Decimal::from(v.unsigned_abs());
        d.negative = v < 0;
        d
    }
}

impl From<u64> for Decimal {
    fn from(mut v: u64) -> Self {
        let mut d = Decimal::ZERO;
        while v > 0 {
            d.limbs[d.int as usize] = (v % u64::from(BASE)) as u32;
            v /= u64::from(BASE);
            d.int += 1;
        }
        d
    }
}

impl Decimal {
    /// Zero with no digits after the point.
    pub const ZERO: Decimal = Decimal { negative: false, scale: 0, int: 0, frac: 0, limbs: [0; LIMBS] };

    /// The digits after the point.
    #[must_use]
    pub fn scale(&self) -> u8 {
        self.scale
    }

    /// The digits before the point, without leading zeros.
    #[must_use]
    pub fn int_digits(&self) -> u8 {
        if self.int == 0 {
            return 0;
        }
        let top = self.limbs[(self.frac + self.int - 1) as usize];
        (self.int - 1) * DIGITS as u8 + digits_of(top)
    }

    /// All digits: those before the point and the scale, at least 1.
    #[must_use]
    pub fn precision(&self) -> u8 {
        (self.int_digits() + self.scale).max(1)
    }

    /// Whether the number is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the number is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.limbs[..(self.frac + self.int) as usize].iter().all(|l| *l == 0)
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(mut self) -> Decimal {
        if !self.is_zero() {
            self.negative = !self.negative;
        }
        self
    }

    /// The number without its sign.
    #[must_use]
    pub fn abs(mut self) -> Decimal {
        self.negative = false;
        self
    }

    /// The largest number of this precision and scale, or the smallest.
    #[must_use]
    pub fn largest(precision: u8, scale: u8, negative: bool) -> Decimal {
        let mut w = Wide { limbs: [0; 28], len: 0, frac: (scale as usize).div_ceil(DIGITS) };
        let mut left = scale as usize;
        for i in (0..w.frac).rev() {
            let n = left.min(DIGITS);
            w.limbs[i] = (POW10[n] - 1) * POW10[DIGITS - n];
            left -= n;
        }
        let mut int = precision.saturating_sub(scale) as usize;
        w.len = w.frac;
        while int > 0 {
            let n = int.min(DIGITS);
            w.limbs[w.len] = POW10[n] - 1;
            w.len += 1;
            int -= n;
        }
        w.into_decimal(negative, scale as usize).0
    }

    fn cmp_magnitude(&self, other: &Decimal) -> Ordering {
        match self.int.cmp(&other.int) {
            Ordering::Equal => {}
            o => return o,
        }
        let (fa, fb) = (self.frac as usize, other.frac as usize);
        for i in (0..self.int as usize).rev() {
            match self.limbs[fa + i].cmp(&other.limbs[fb + i]) {
                Ordering::Equal => {}
                o => return o,
            }
        }
        for k in 1..=fa.max(fb) {
            let a = if k <= fa { self.limbs[fa - k] } else { 0 };
            let b = if k <= fb { other.limbs[fb - k] } else { 0 };
            match a.cmp(&b) {
                Ordering::Equal => {}
                o => return o,
            }
        }
        Ordering::Equal
    }

    /// The sum; the flag tells an overflow (the value is then the largest). Where nothing is left of two numbers of
    /// different signs, the zero has no digits after the point, as MariaDB's.
    #[must_use]
    pub fn add(&self, other: &Decimal) -> (Decimal, bool) {
        let mut sum = Decimal::ZERO;
        let overflow = self.add_to(other, &mut sum);
        (sum, overflow)
    }

    /// As [`Decimal::add`], to where the sum shall be, which is zero; tells an overflow. Limbs written one by one are slow to move while
    /// they are new: who computes many numbers has them made in place.
    #[inline]
    pub fn add_to(&self, other: &Decimal, out: &mut Decimal) -> bool {
        if self.add_short(other, false, out) {
            return false;
        }
        let overflow;
        (*out, overflow) = self.add_long(other);
        overflow
    }

    fn add_long(&self, other: &Decimal) -> (Decimal, bool) {
        let (sum, overflow) = self.add_wide(other);
        if self.negative != other.negative && sum.is_zero() {
            return (Decimal::ZERO, false);
        }
        (sum, overflow)
    }

    fn add_wide(&self, other: &Decimal) -> (Decimal, bool) {
        let scale = self.scale.max(other.scale) as usize;
        if self.negative == other.negative {
            let a = Wide::of(self, scale.div_ceil(DIGITS));
            let b = Wide::of(other, scale.div_ceil(DIGITS));
            a.plus(&b).into_decimal(self.negative, scale)
        } else {
            let a = Wide::of(self, scale.div_ceil(DIGITS));
            let b = Wide::of(other, scale.div_ceil(DIGITS));
            match self.cmp_magnitude(other) {
                Ordering::Less => b.minus(&a).into_decimal(other.negative, scale),
                _ => a.minus(&b).into_decimal(self.negative, scale),
            }
        }
    }

    /// The difference; the flag tells an overflow. That of equal numbers has no digits after the point, as MariaDB's.
    #[must_use]
    pub fn sub(&self, other: &Decimal) -> (Decimal, bool) {
        let mut difference = Decimal::ZERO;
        let overflow = self.sub_to(other, &mut difference);
        (difference, overflow)
    }

    /// As [`Decimal::sub`], to where the difference shall be, which is zero; tells an overflow.
    #[inline]
    pub fn sub_to(&self, other: &Decimal, out: &mut Decimal) -> bool {
        if self.add_short(other, true, out) {
            return false;
        }
        let overflow;
        (*out, overflow) = self.sub_long(other);
        overflow
    }

    fn sub_long(&self, other: &Decimal) -> (Decimal, bool) {
        let (difference, overflow) = self.add_long(&other.negated());
        if self.negative == other.negative && difference.is_zero() {
            return (Decimal::ZERO, false);
        }
        (difference, overflow)
    }

    /// The product, with the digits after the point of both (81 digits at most); the flag tells an
    /// overflow.
    #[must_use]
    pub fn mul(&self, other: &Decimal) -> (Decimal, bool) {
        let mut product = Decimal::ZERO;
        let overflow = self.mul_to(other, &mut product);
        (product, overflow)
    }

    /// As [`Decimal::mul`], to where the product shall be, which is zero; tells an overflow.
    #[inline]
    pub fn mul_to(&self, other: &Decimal, out: &mut Decimal) -> bool {
        if self.mul_short(other, out) {
            return false;
        }
        let overflow;
        (*out, overflow) = self.mul_wide(other);
        overflow
    }

    fn mul_wide(&self, other: &Decimal) -> (Decimal, bool) {
        let scale = self.scale as usize + other.scale as usize;
        let (a, b) = (&self.limbs[..self.len()], &other.limbs[..other.len()]);
        let mut w = Wide { limbs: [0; 28], len: a.len() + b.len(), frac: (self.frac + other.frac) as usize };
        for (i, x) in a.iter().enumerate() {
            let mut carry = 0u64;
            for (j, y) in b.iter().enumerate() {
                let t = u64::from(*x) * u64::from(*y) + u64::from(w.limbs[i + j]) + carry;
                w.limbs[i + j] = (t % u64::from(BASE)) as u32;
                carry = t / u64::from(BASE);
            }
            w.limbs[i + b.len()] += carry as u32;
        }
        // The fraction is aligned at the point; drop limbs that hold none of the scale's digits.
        let keep = scale.div_ceil(DIGITS);
        if w.frac > keep {
            w.drop_low(w.frac - keep);
        }
        w.into_decimal(self.negative != other.negative, scale)
    }

    /// The quotient with at least `increment` digits more after the point than `self`, cut (not
    /// rounded) at a limb; `None` when `other` is zero.
    #[must_use]
    pub fn div(&self, other: &Decimal, increment: u8) -> Option<(Decimal, bool)> {
        if other.is_zero() {
            return None;
        }
        if self.is_zero() {
            // MariaDB's has no digits after the point
            return Some((Decimal::ZERO, false));
        }
        let (f1, f2) = (self.frac as usize * DIGITS, other.frac as usize * DIGITS);
        let slack = f1 + f2 - self.scale as usize - other.scale as usize;
        let more = (increment as usize).saturating_sub(slack);
        let limbs = (f1 + f2 + more).div_ceil(DIGITS);
        // self / other = (a / 1e9^fa) / (b / 1e9^fb); wanted: quotient * 1e9^limbs.
        let shift = limbs + other.frac as usize - self.frac as usize;
        let mut a = Wide { limbs: [0; 28], len: 0, frac: 0 };
        let la = self.len();
        a.limbs[shift..shift + la].copy_from_slice(&self.limbs[..la]);
        a.len = shift + la;
        let mut b = Wide { limbs: [0; 28], len: other.len(), frac: 0 };
        b.limbs[..other.len()].copy_from_slice(&other.limbs[..other.len()]);
        b.trim();
        a.trim();
        let (mut q, _) = a.divide(&b);
        q.frac = limbs;
        q.len = q.len.max(limbs);
        Some(q.into_decimal(self.negative != other.negative, limbs * DIGITS))
    }

    /// The remainder, with the sign of `self`; `None` when `other` is zero.
    #[must_use]
    pub fn rem(&self, other: &Decimal) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        if self.is_zero() {
            return Some(Decimal::ZERO);
        }
        let scale = self.scale.max(other.scale) as usize;
        let frac = scale.div_ceil(DIGITS);
        let mut a = Wide::of(self, frac);
        let mut b = Wide::of(other, frac);
        a.trim();
        b.trim();
        let (_, mut r) = a.divide(&b);
        r.frac = frac;
        r.len = r.len.max(frac);
        Some(r.into_decimal(self.negative, scale).0)
    }

    #[inline]
    fn len(&self) -> usize {
        (self.frac + self.int) as usize
    }

    /// The number with `scale` digits after the point; a negative scale clears digits before it.
    /// The flag tells an overflow.
    #[must_use]
    pub fn round(&self, scale: i32, mode: Rounding) -> (Decimal, bool) {
        if scale == i32::from(self.scale) {
            return (*self, false);
        }
        if scale >= i32::from(self.scale) {
            let scale = scale.min(72) as usize;
            let w = Wide::of(self, scale.div_ceil(DIGITS));
            return w.into_decimal(self.negative, scale);
        }
        let scale = scale.max(-(DIGITS as i32 * LIMBS as i32) - 9);
        // Position of the lowest kept digit, counted from the lowest digit of the limbs.
        let cut = i32::from(self.frac) * DIGITS as i32 - scale;
        let cut = cut.max(0) as usize;
        let (limb, digit) = (cut / DIGITS, cut % DIGITS);
        let mut w = Wide::of(self, self.frac as usize);
        let mut rest = false;
        for i in 0..limb.min(w.len) {
            rest |= w.limbs[i] != 0;
        }
        let mut half = false;
        if digit > 0 {
            let low = w.limbs[limb] % POW10[digit];
            rest |= low != 0;
            half = low >= POW10[digit] / 2;
            w.limbs[limb] -= low;
        } else if limb > 0 {
            half = w.limbs[limb - 1] >= BASE / 2;
        }
        for l in &mut w.limbs[..limb] {
            *l = 0;
        }
        let up = match mode {
            Rounding::HalfUp => half,
            Rounding::Truncate => false,
            Rounding::Ceiling => rest && !self.negative,
            Rounding::Floor => rest && self.negative,
        };
        w.len = w.len.max(limb + 1);
        if up {
            let mut i = limb;
            let mut carry = POW10[digit];
            loop {
                let t = w.limbs[i] + carry;
                if t < BASE {
                    w.limbs[i] = t;
                    break;
                }
                w.limbs[i] = t - BASE;
                carry = 1;
                i += 1;
            }
            w.len = w.len.max(i + 1);
        }
        let scale = scale.max(0) as usize;
        let keep = scale.div_ceil(DIGITS);
        if w.frac > keep {
            w.drop_low(w.frac - keep);
        }
        w.into_decimal(self.negative, scale)
    }

    /// The number rounded (halves away from zero) to `scale` digits and limited to `precision`
    /// digits in all; the flag tells that it was out of range and became the largest.
    #[must_use]
    pub fn fit(&self, precision: u8, scale: u8) -> (Decimal, bool) {
        let (d, overflow) = self.round(i32::from(scale), Rounding::HalfUp);
        if overflow || d.int_digits() > precision.saturating_sub(scale) {
            return (Decimal::largest(precision, scale, self.negative), true);
        }
        (d, false)
    }

    /// Reads a number from the start of `text`: spaces, sign, digits, point, exponent.
    #[must_use]
    pub fn parse(text: &[u8]) -> Parsed {
        let mut i = 0;
        while text.get(i).is_some_and(u8::is_ascii_whitespace) {
            i += 1;
        }
        let mut negative = false;
        if let Some(c @ (b'-' | b'+')) = text.get(i) {
            negative = *c == b'-';
            i += 1;
        }
        let int_start = i;
        while text.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        let int = &text[int_start..i];
        let mut frac: &[u8] = &[];
        let mut end = i;
        if text.get(i) == Some(&b'.') {
            let start = i + 1;
            let mut j = start;
            while text.get(j).is_some_and(u8::is_ascii_digit) {
                j += 1;
            }
            frac = &text[start..j];
            end = j;
        }
        if int.is_empty() && frac.is_empty() {
            return Parsed { value: Decimal::ZERO, used: 0, overflow: false, truncated: false };
        }
        let mut exponent = 0i64;
        if matches!(text.get(end), Some(b'e' | b'E')) {
            let mut j = end + 1;
            let mut neg = false;
            if let Some(c @ (b'-' | b'+')) = text.get(j) {
                neg = *c == b'-';
                j += 1;
            }
            let start = j;
            while let Some(c) = text.get(j).filter(|c| c.is_ascii_digit()) {
                exponent = (exponent * 10 + i64::from(c - b'0')).min(1_000_000);
                j += 1;
            }
            if j > start {
                end = j;
                if neg {
                    exponent = -exponent;
                }
            } else {
                exponent = 0;
            }
        }
        let (value, overflow, truncated) = Decimal::from_digits(int, frac, exponent, negative);
        Parsed { value, used: end, overflow, truncated }
    }

    /// The number `int`.`frac` * 10^`exponent` from its digits.
    fn from_digits(int: &[u8], frac: &[u8], exponent: i64, negative: bool) -> (Decimal, bool, bool) {
        let digit = |k: i64| -> u32 {
            // Digit k counts from the first of int; the rest is zero.
            let k = usize::try_from(k).unwrap_or(usize::MAX);
            if k < int.len() {
                u32::from(int[k] - b'0')
            } else {
                frac.get(k.wrapping_sub(int.len())).map_or(0, |c| u32::from(c - b'0'))
            }
        };
        let total = (int.len() + frac.len()) as i64;
        let first = (0..total).find(|k| digit(*k) != 0);
        let point = int.len() as i64 + exponent;
        let scale_wanted = (total - point).max(0);
        let Some(first) = first else {
            let mut d = Decimal::ZERO;
            d.set_scale(scale_wanted.min(i64::from(MAX_SCALE)) as usize);
            return (d, false, false);
        };
        let int_digits = (point - first).max(0);
        if int_digits > (LIMBS * DIGITS) as i64 {
            return (Decimal::largest((LIMBS * DIGITS) as u8, 0, negative), true, false);
        }
        let int_limbs = (int_digits as usize).div_ceil(DIGITS);
        let room = ((LIMBS - int_limbs) * DIGITS) as i64;
        let scale = scale_wanted.min(room);
        let mut truncated = scale < scale_wanted;
        let mut w = Wide { limbs: [0; 28], len: 0, frac: (scale as usize).div_ceil(DIGITS) };
        w.len = w.frac + int_limbs;
        for i in 0..w.len {
            // Limb i covers digits (from the point leftwards) (i - frac) * 9 ...
            let low = (i as i64 - w.frac as i64) * DIGITS as i64;
            let mut v = 0;
            for d in (0..DIGITS as i64).rev() {
                let k = point - 1 - (low + d);
                v = v * 10 + if k >= 0 && k < point + scale { digit(k) } else { 0 };
            }
            w.limbs[i] = v;
        }
        if truncated {
            truncated = (point + scale..total).any(|k| digit(k) != 0);
        }
        let (d, o) = w.into_decimal(negative, scale as usize);
        (d, o, truncated)
    }

    fn set_scale(&mut self, scale: usize) {
        self.scale = scale as u8;
        self.frac = scale.div_ceil(DIGITS) as u8;
    }

    /// The nearest decimal of a double: that of its shortest text. The flag tells an overflow;
    /// NaN gives zero.
    #[must_use]
    pub fn from_f64(v: f64) -> (Decimal, bool) {
        if v.is_nan() {
            return (Decimal::ZERO, true);
        }
        if v.is_infinite() {
            return (Decimal::largest(MAX_PRECISION, 0, v < 0.0), true);
        }
        let mut buffer = ryu::Buffer::new();
        let p = Decimal::parse(buffer.format_finite(v).as_bytes());
        if p.value.int_digits() > MAX_PRECISION || p.overflow {
            return (Decimal::largest(MAX_PRECISION, 0, v < 0.0), true);
        }
        // "1.0" has a digit after the point that the number does not.
        let mut d = p.value;
        while d.scale > 0 {
            let (t, _) = d.round(i32::from(d.scale) - 1, Rounding::Truncate);
            if t != d {
                break;
            }
            d = t;
        }
        (d, p.overflow)
    }

    /// The nearest double.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        if self.int <= 1 && self.frac == 0 {
            let v = f64::from(self.limbs[0] * u32::from(self.int));
            return if self.negative { -v } else { v };
        }
        let mut text = [0u8; 96];
        let n = self.write_to(&mut text);
        std::str::from_utf8(&text[..n]).ok().and_then(|t| t.parse().ok()).unwrap_or(0.0)
    }

    /// The integer nearest (halves away from zero) as `i128`, saturating.
    #[must_use]
    pub fn to_i128(&self) -> i128 {
        let (d, _) = self.round(0, Rounding::HalfUp);
        d.trunc_i128()
    }

    /// The integer part as `i128`, saturating.
    #[must_use]
    pub fn trunc_i128(&self) -> i128 {
        let mut v: i128 = 0;
        for i in (0..self.int as usize).rev() {
            v = v
                .saturating_mul(i128::from(BASE))
                .saturating_add(i128::from(self.limbs[self.frac as usize + i]));
        }
        if self.negative { -v } else { v }
    }

    /// Appends the text: sign, digits, point, `scale` digits.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut text = [0u8; 96];
        let n = self.write_to(&mut text);
        out.extend_from_slice(&text[..n]);
    }

    /// Appends the text rounded to `scale` digits after the point.
    pub fn write_scaled(&self, scale: u8, out: &mut Vec<u8>) {
        if scale == self.scale {
            self.write(out);
        } else {
            self.round(i32::from(scale), Rounding::HalfUp).0.write(out);
        }
    }

    fn write_to(&self, out: &mut [u8; 96]) -> usize {
        let mut n = 0;
        if self.negative && !self.is_zero() {
            out[0] = b'-';
            n = 1;
        }
        let frac = self.frac as usize;
        if self.int == 0 {
            out[n] = b'0';
            n += 1;
        } else {
            let top = self.limbs[frac + self.int as usize - 1];
            let d = digits_of(top) as usize;
            put_digits(&mut out[n..n + d], top);
            n += d;
            for i in (0..self.int as usize - 1).rev() {
                put_digits(&mut out[n..n + DIGITS], self.limbs[frac + i]);
                n += DIGITS;
            }
        }
        if self.scale > 0 {
            out[n] = b'.';
            n += 1;
            let mut left = self.scale as usize;
            for i in (0..frac).rev() {
                let d = left.min(DIGITS);
                put_digits(&mut out[n..n + d], self.limbs[i] / POW10[DIGITS - d]);
                n += d;
                left -= d;
            }
        }
        n
    }

    /// The number times 10^9 for each of `frac` limbs, when it has no more of them after the point and fits.
    #[inline]
    #[must_use]
    pub fn to_fixed(&self, frac: u8) -> Option<i128> {
        if self.frac > frac || self.int + frac > FIXED_LIMBS {
            return None;
        }
        let limb = |n: usize| u64::from(self.limbs[n]);
        let mut v = match self.len() {
            0 => 0,
            1 => i128::from(limb(0)),
            2 => i128::from(limb(1) * u64::from(BASE) + limb(0)),
            n => self.limbs[..n].iter().rev().fold(0, |v, l| v * i128::from(BASE) + i128::from(*l)),
        };
        for _ in self.frac..frac {
            v *= i128::from(BASE);
        }
        Some(if self.negative { -v } else { v })
    }

    /// What [`Decimal::to_fixed`] gave, or a sum of such numbers, with `scale` digits after the point; digits beyond them are zeros.
    #[must_use]
    pub fn from_fixed(v: i128, frac: u8, scale: u8) -> Decimal {
        let base = u128::from(BASE);
        let mut rest = v.unsigned_abs();
        let mut w = Wide { limbs: [0; 28], len: usize::from(frac), frac: usize::from(frac) };
        let mut i = 0;
        while rest > 0 {
            w.limbs[i] = (rest % base) as u32;
            rest /= base;
            i += 1;
        }
        w.len = w.len.max(i);
        let keep = usize::from(scale).div_ceil(DIGITS);
        if w.frac > keep {
            w.drop_low(w.frac - keep);
        }
        w.into_decimal(v < 0, usize::from(scale)).0
    }
}

fn digits_of(v: u32) -> u8 {
    POW10[1..].iter().position(|p| v < *p).map_or(9, |i| i as u8 + 1)
}

fn put_digits(out: &mut [u8], mut v: u32) {
    for b in out.iter_mut().rev() {
        *b = b'0' + (v % 10) as u8;
        v /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(s: &str) -> Decimal {
        Decimal::parse(s.as_bytes()).value
    }

    #[test]
    fn prints_what_it_read() {
        for s in [
            "0",
            "1",
            "-1",
            "0.5",
            "-0.50",
            "123456789",
            "1234567890",
            "999999999.999999999",
            "0.000000001",
            "0.0000000001",
            "99999999999999999999999999999999999999999999999999999999999999999",
            "1.10",
        ] {
            assert_eq!(d(s).to_string(), s);
        }
        assert_eq!(d("-0.0").to_string(), "0.0");
        assert_eq!(d("  +12.5e1x").to_string(), "125");
        assert_eq!(d("1.5e-3").to_string(), "0.0015");
        assert_eq!(d("1e3").to_string(), "1000");
        assert_eq!(Decimal::parse(b"12abc").used, 2);
        assert_eq!(Decimal::parse(b"abc").used, 0);
        assert_eq!(Decimal::parse(b"12e").used, 2);
    }

    #[test]
    fn computes_as_the_server() {
        let div = |a: &str, b: &str| d(a).div(&d(b), 4).unwrap().0.to_string();
        assert_eq!(div("1", "7"), "0.142857142");
        assert_eq!(div("1.0", "7.0"), "0.142857142857142857");
        assert_eq!(div("1.000001", "7"), "0.142857285714285714");
        assert_eq!(div("1.000000001", "7.000000001"), "0.142857142979591836717201166");
        assert_eq!(div("1.0000000001", "7.0000000001"), "0.142857142869387755101865889212830487");
        assert_eq!(div("12345678901234567890", "7"), "1763668414462081127.142857142");
        assert_eq!(
            d("123456789.123456789").mul(&d("987654321.987654321")).0.to_string(),
            "121932631356500531.347203169112635269"
        );
        assert_eq!(d("1.10").mul(&d("1.1000")).0.to_string(), "1.210000");
        assert_eq!(d("-1.1").add(&d("1.10")).0.to_string(), "0");
        assert_eq!(d("0.00").add(&d("0.0")).0.to_string(), "0.00");
        assert_eq!(d("0.00").sub(&d("0.0")).0.to_string(), "0");
        assert_eq!([div("0.0", "7"), d("0.00").rem(&d("7")).unwrap().to_string()], ["0", "0"]);
        assert_eq!(d("123.456").rem(&d("-7.7")).unwrap().to_string(), "0.256");
        assert_eq!(d("-7").rem(&d("3")).unwrap().to_string(), "-1");
        assert_eq!(d("1").sub(&d("0.000000001")).0.to_string(), "0.999999999");
        assert!(d("1").div(&d("0.00"), 4).is_none());
    }

    #[test]
    fn rounds() {
        let r = |s: &str, n: i32| d(s).round(n, Rounding::HalfUp).0.to_string();
        assert_eq!(r("2.5", 0), "3");
        assert_eq!(r("-2.5", 0), "-3");
        assert_eq!(r("2.55", 1), "2.6");
        assert_eq!(r("1234.567", -2), "1200");
        assert_eq!(r("99999.5", 0), "100000");
        assert_eq!(r("999999999.95", 1), "1000000000.0");
        assert_eq!(r("0.4", 0), "0");
        assert_eq!(r("-0.4", 0), "0");
        assert_eq!(r("5", -1), "10");
        assert_eq!(r("4", -1), "0");
        assert_eq!(r("5", -20), "0");
        assert_eq!(r("1.5", 4), "1.5000");
        assert_eq!(r("0.999999999999999999", 17), "1.00000000000000000");
        assert_eq!(d("1.999").round(2, Rounding::Truncate).0.to_string(), "1.99");
        assert_eq!(d("1.1").round(0, Rounding::Ceiling).0.to_string(), "2");
        assert_eq!(d("-1.1").round(0, Rounding::Floor).0.to_string(), "-2");
        assert_eq!(d("99.99").fit(3, 1).0.to_string(), "99.9");
        assert!(d("99.99").fit(3, 1).1);
        assert_eq!(Decimal::largest(5, 2, true).to_string(), "-999.99");
        assert_eq!(d("-7.5").to_i128(), -8);
        assert_eq!(d("18446744073709551615").to_i128(), i128::from(u64::MAX));
        assert_eq!(Decimal::from_f64(0.1).0.to_string(), "0.1");
        assert_eq!(Decimal::from_f64(1e20).0.to_string(), "100000000000000000000");
        assert_eq!(Decimal::from(i64::MIN).to_string(), "-9223372036854775808");
        assert!((d("1.25").to_f64() - 1.25).abs() < f64::EPSILON);
    }

    #[test]
    fn sums_in_128_bits() {
        for list in [
            &["1.10", "-2.345", "0", "99999999999.99"][..],
            &["-1", "1", "0.00"],
            &["-0.000000001", "-999999999.999999999"],
            &["0.1234567891", "-5.5", "99999999"],
            &["123456789012345678901234567", "-0.5"],
        ] {
            let frac = list.iter().map(|n| d(n).frac).max().unwrap_or(0).max(1);
            let (mut sum, mut fixed, mut scale) = (Decimal::ZERO, 0, 0);
            for n in list {
                sum = sum.add(&d(n)).0;
                fixed += d(n).to_fixed(frac).unwrap();
                scale = scale.max(d(n).scale());
            }
            let found = Decimal::from_fixed(fixed, frac, scale);
            assert_eq!(found.to_string(), sum.to_string());
            assert_eq!((found.negative, found.int, found.frac), (sum.negative, sum.int, sum.frac));
        }
        assert_eq!(d("0.1234567891").to_fixed(1), None);
        assert_eq!(d("1234567890123456789012345678").to_fixed(1), None);
        assert_eq!(Decimal::from_fixed(i128::MIN, 0, 0).to_string(), i128::MIN.to_string());
    }
}

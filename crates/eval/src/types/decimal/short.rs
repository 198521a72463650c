//! Arithmetic of numbers that have few digits, in 64 bits: prices, quantities, rates.

use super::{BASE, DIGITS, Decimal, LIMBS};

/// A decimal is *short* when it is a number below this times a power of ten, whose exponent is its scale.
pub const SHORT_END: i64 = POWERS[18];
/// Most digits after the point of a short decimal.
pub const MAX_SHORT_SCALE: u8 = 18;

/// Powers of ten that 64 bits hold with a sign.
const POWERS: [i64; 19] = {
    let mut all = [1; 19];
    let mut i = 1;
    while i < all.len() {
        all[i] = all[i - 1] * 10;
        i += 1;
    }
    all
};

/// Ten to the power of `digits`, 18 at most.
#[inline]
#[must_use]
pub fn power(digits: u8) -> i64 {
    POWERS[usize::from(digits)]
}

/// A short decimal's number with so many digits more after the point, 18 at most.
#[inline]
#[must_use]
pub fn short_scaled(v: i64, digits: u8) -> i128 {
    i128::from(v) * i128::from(power(digits))
}

/// Powers of ten.
const TENS: [u64; 10] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, BASE as u64];

impl Decimal {
    /// The number of a short decimal; `None` for all others.
    #[inline]
    #[must_use]
    pub fn to_short(&self) -> Option<i64> {
        if self.scale > MAX_SHORT_SCALE || self.int > 2 {
            return None;
        }
        let limb = |n: u8| i64::from(self.limbs[usize::from(n)]);
        let whole = match self.int {
            0 => 0,
            1 => limb(self.frac),
            _ => limb(self.frac + 1) * i64::from(BASE) + limb(self.frac),
        };
        if whole >= power(MAX_SHORT_SCALE - self.scale) {
            return None;
        }
        let nine = DIGITS as u8;
        let (last, unit) = (limb(0), power(self.frac * nine - self.scale));
        let part = match self.frac {
            0 => 0,
            1 => last / unit,
            _ => limb(1) * power(self.scale - nine) + last / unit,
        };
        // digits beyond the scale are not told
        if self.frac > 0 && last % unit != 0 {
            return None;
        }
        let v = whole * power(self.scale) + part;
        Some(if self.negative { -v } else { v })
    }

    /// The short decimal of this number and scale.
    #[inline]
    #[must_use]
    pub fn from_short(v: i64, scale: u8) -> Decimal {
        let mut out = Decimal::ZERO;
        let (size, one) = (v.unsigned_abs(), power(scale).unsigned_abs());
        let (whole, part) = (size / one, size % one);
        (out.negative, out.scale, out.frac) = (v < 0, scale, scale.div_ceil(DIGITS as u8));
        // the digits after the point, to the end of their last limb
        let mut part = u128::from(part) * u128::from(power(out.frac * DIGITS as u8 - scale).unsigned_abs());
        for limb in &mut out.limbs[..usize::from(out.frac)] {
            *limb = (part % u128::from(BASE)) as u32;
            part /= u128::from(BASE);
        }
        out.set_limbs(usize::from(out.frac), whole, 0);
        out
    }

    /// Puts the sum into `out`, which is zero, when both numbers have at most two limbs at the point of the longer fraction; the
    /// difference with `minus`. False when they have more: then `out` is as it was.
    #[inline]
    pub(super) fn add_short(&self, other: &Decimal, minus: bool, out: &mut Decimal) -> bool {
        let frac = self.frac.max(other.frac);
        let (Some(x), Some(y)) = (self.limbs_as_number(frac), other.limbs_as_number(frac)) else {
            return false;
        };
        let sum = if minus { x - y } else { x + y };
        // nothing that is left of two numbers has no digits after the point
        if sum == 0 && (minus || self.negative != other.negative) {
            return true;
        }
        (out.scale, out.frac, out.negative) = (self.scale.max(other.scale), frac, sum < 0);
        out.set_limbs(0, sum.unsigned_abs(), frac);
        true
    }

    /// Puts the product into `out`, which is zero, when it and both numbers have at most one limb after the point and 64 bits hold their
    /// digits. False when they do not: then `out` is as it was.
    #[inline]
    pub(super) fn mul_short(&self, other: &Decimal, out: &mut Decimal) -> bool {
        let scale = self.scale + other.scale;
        if usize::from(scale) > DIGITS {
            return false;
        }
        let digits = match (self.digits_as_number(), other.digits_as_number()) {
            (Some(x), Some(y)) => x.checked_mul(y),
            _ => None,
        };
        let Some(digits) = digits else { return false };
        let frac = u8::from(scale > 0);
        (out.scale, out.frac) = (scale, frac);
        out.negative = self.negative != other.negative && digits != 0;
        let ten = TENS[usize::from(scale)];
        let whole = digits / ten;
        if scale > 0 {
            out.limbs[0] = ((digits - whole * ten) * TENS[DIGITS - usize::from(scale)]) as u32;
        }
        out.set_limbs(usize::from(frac), whole, 0);
        true
    }

    /// The number times 10^9 for each of `frac` limbs, when it has no more of them and two in all.
    #[inline]
    fn limbs_as_number(&self, frac: u8) -> Option<i64> {
        if self.int + frac > 2 {
            return None;
        }
        let mut v = match self.len() {
            0 => 0,
            1 => i64::from(self.limbs[0]),
            _ => i64::from(self.limbs[1]) * i64::from(BASE) + i64::from(self.limbs[0]),
        };
        for _ in self.frac..frac {
            v *= i64::from(BASE);
        }
        Some(if self.negative { -v } else { v })
    }

    /// The number times 10 for each digit after the point, without its sign; when it has at most one limb on either side.
    #[inline]
    fn digits_as_number(&self) -> Option<u64> {
        let scale = usize::from(self.scale);
        if self.int > 1 || self.frac > 1 || scale > DIGITS {
            return None;
        }
        let (mut v, mut at) = (0, 0);
        if self.frac == 1 {
            v = u64::from(self.limbs[0]) / TENS[DIGITS - scale];
            at = 1;
        }
        if self.int == 1 {
            v += u64::from(self.limbs[at]) * TENS[scale];
        }
        Some(v)
    }

    /// Writes the limbs of `v` from limb `at` on, of which `frac` are after the point.
    #[inline]
    fn set_limbs(&mut self, at: usize, mut v: u64, frac: u8) {
        let mut n = at;
        while v > 0 && n < LIMBS {
            self.limbs[n] = (v % u64::from(BASE)) as u32;
            v /= u64::from(BASE);
            n += 1;
        }
        self.int = (n - at) as u8;
        self.int = self.int.saturating_sub(frac);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all lengths around the bounds of 64 bits and of a limb.
    fn numbers() -> Vec<Decimal> {
        let mut all = Vec::new();
        let texts = [
            "0",
            "1",
            "9",
            "10",
            "95",
            "999999999",
            "1000000000",
            "1000000001",
            "999999999999999999",
            "1000000000000000000",
            "123456789012345678901234567890",
            "0.0",
            "0.5",
            "0.05",
            "0.000000001",
            "0.0000000001",
            "0.999999999",
            "0.9999999999",
            "1.10",
            "12345.67",
            "99999999.99",
            "999999999.999999999",
            "1000000000.000000001",
            "0.00",
            "7.000000000",
            "123456.7890123456789",
        ];
        for text in texts {
            let d = Decimal::parse(text.as_bytes()).value;
            all.push(d);
            all.push(d.negated());
        }
        all
    }

    fn same(a: &Decimal, b: &Decimal) -> bool {
        (a.negative, a.scale, a.int, a.frac, a.limbs) == (b.negative, b.scale, b.int, b.frac, b.limbs)
    }

    #[test]
    fn short_decimals_are_numbers() {
        let mut short = 0;
        for d in numbers() {
            let Some(v) = d.to_short() else { continue };
            short += 1;
            assert!(v.abs() < SHORT_END && same(&Decimal::from_short(v, d.scale), &d), "{d}: {v}, {d:?}");
        }
        assert!(short > 30, "{short}");
        for scale in 0..=MAX_SHORT_SCALE {
            for v in [0, 1, 9, 10, 999_999_999, 1_000_000_000, 123_456_789_012_345_678, SHORT_END - 1] {
                for v in [v, -v] {
                    let d = Decimal::from_short(v, scale);
                    assert_eq!(d.to_short(), Some(v), "{d:?}");
                    let text = d.to_string();
                    let read = Decimal::parse(text.as_bytes()).value;
                    assert!(same(&read, &d), "{text}: {read:?} and {d:?}");
                }
            }
        }
        let no =
            ["1000000000000000000", "-1000000000000000000", "0.1234567890123456789", "12345678901.12345678"];
        for text in no {
            assert_eq!(Decimal::parse(text.as_bytes()).value.to_short(), None, "{text}");
        }
    }

    #[test]
    fn short_results_are_those_of_wide_arithmetic() {
        let (mut sums, mut differences, mut products) = (0, 0, 0);
        for a in numbers() {
            for b in numbers() {
                let mut d = Decimal::ZERO;
                if a.add_short(&b, false, &mut d) {
                    assert!(same(&d, &a.add_long(&b).0), "{a} + {b}: {d:?}");
                    sums += 1;
                }
                d = Decimal::ZERO;
                if a.add_short(&b, true, &mut d) {
                    assert!(same(&d, &a.sub_long(&b).0), "{a} - {b}: {d:?}");
                    differences += 1;
                }
                d = Decimal::ZERO;
                if a.mul_short(&b, &mut d) {
                    assert!(same(&d, &a.mul_wide(&b).0), "{a} * {b}: {d:?}");
                    products += 1;
                }
            }
        }
        assert!(sums > 500 && differences == sums && products > 300, "{sums} sums, {products} products");
    }
}

//! Numbers of more limbs than a [`Decimal`] has: what sums, products and quotients are before they are cut.

use super::{BASE, DIGITS, Decimal, LIMBS, POW10};

/// A number of more limbs, inside computations.
#[derive(Clone, Copy)]
pub(super) struct Wide {
    pub(super) limbs: [u32; 28],
    pub(super) len: usize,
    pub(super) frac: usize,
}

impl Wide {
    /// The magnitude of `d` with `frac` limbs after the point (at least as many as needed).
    pub(super) fn of(d: &Decimal, frac: usize) -> Wide {
        let have = d.frac as usize;
        let frac = frac.max(have);
        let mut w = Wide { limbs: [0; 28], len: frac + d.int as usize, frac };
        let pad = frac - have;
        w.limbs[pad..pad + d.len()].copy_from_slice(&d.limbs[..d.len()]);
        w
    }

    pub(super) fn plus(&self, other: &Wide) -> Wide {
        let len = self.len.max(other.len);
        let mut w = Wide { limbs: [0; 28], len, frac: self.frac };
        let mut carry = 0;
        for i in 0..len {
            let t = self.limbs[i] + other.limbs[i] + carry;
            carry = u32::from(t >= BASE);
            w.limbs[i] = t - carry * BASE;
        }
        if carry > 0 {
            w.limbs[len] = 1;
            w.len += 1;
        }
        w
    }

    /// `self - other`, which must not be greater.
    pub(super) fn minus(&self, other: &Wide) -> Wide {
        let len = self.len.max(other.len);
        let mut w = Wide { limbs: [0; 28], len, frac: self.frac };
        let mut borrow = 0;
        for i in 0..len {
            let t = self.limbs[i] + BASE - other.limbs[i] - borrow;
            borrow = u32::from(t < BASE);
            w.limbs[i] = if t >= BASE { t - BASE } else { t };
        }
        w
    }

    pub(super) fn trim(&mut self) {
        while self.len > 0 && self.limbs[self.len - 1] == 0 {
            self.len -= 1;
        }
    }

    /// Drops the `n` lowest limbs, all after the point.
    pub(super) fn drop_low(&mut self, n: usize) {
        self.limbs.copy_within(n.., 0);
        let l = self.limbs.len();
        self.limbs[l - n..].fill(0);
        self.len = self.len.saturating_sub(n);
        self.frac -= n;
    }

    /// Integer quotient and remainder (schoolbook, Knuth's algorithm D in base 10^9). Both trimmed,
    /// `other` not zero.
    pub(super) fn divide(&self, other: &Wide) -> (Wide, Wide) {
        let (mut q, mut r) = (Wide::ZERO, Wide::ZERO);
        let n = other.len;
        if self.len < n {
            return (q, *self);
        }
        if n == 1 {
            return self.divide_by_limb(other.limbs[0]);
        }
        let norm = BASE / (other.limbs[n - 1] + 1);
        let scaled = |w: &Wide| -> [u32; 29] {
            let mut out = [0u32; 29];
            let mut carry = 0u64;
            for (to, limb) in out.iter_mut().zip(&w.limbs) {
                let t = u64::from(*limb) * u64::from(norm) + carry;
                *to = (t % u64::from(BASE)) as u32;
                carry = t / u64::from(BASE);
            }
            out[28] = carry as u32;
            out
        };
        let mut a = scaled(self);
        let b = scaled(other);
        let base = u64::from(BASE);
        for j in (0..=self.len - n).rev() {
            let top = u64::from(a[j + n]) * base + u64::from(a[j + n - 1]);
            let mut guess = top / u64::from(b[n - 1]);
            let mut rest = top % u64::from(b[n - 1]);
            while guess >= base || guess * u64::from(b[n - 2]) > rest * base + u64::from(a[j + n - 2]) {
                guess -= 1;
                rest += u64::from(b[n - 1]);
                if rest >= base {
                    break;
                }
            }
            let mut borrow = 0i64;
            let mut carry = 0u64;
            for i in 0..n {
                let p = guess * u64::from(b[i]) + carry;
                carry = p / base;
                let t = i64::from(a[i + j]) - borrow - (p % base) as i64;
                borrow = i64::from(t < 0);
                a[i + j] = (t + borrow * base as i64) as u32;
            }
            let t = i64::from(a[j + n]) - borrow - carry as i64;
            borrow = i64::from(t < 0);
            a[j + n] = (t + borrow * base as i64) as u32;
            if borrow > 0 {
                guess -= 1;
                let mut carry = 0;
                for i in 0..n {
                    let t = a[i + j] + b[i] + carry;
                    carry = u32::from(t >= BASE);
                    a[i + j] = t - carry * BASE;
                }
                a[j + n] = (a[j + n] + carry) % BASE;
            }
            q.limbs[j] = guess as u32;
        }
        q.len = self.len - n + 1;
        q.trim();
        let mut rest = 0u64;
        for i in (0..n).rev() {
            let t = rest * base + u64::from(a[i]);
            r.limbs[i] = (t / u64::from(norm)) as u32;
            rest = t % u64::from(norm);
        }
        r.len = n;
        r.trim();
        (q, r)
    }

    /// The same for a divisor of one limb.
    pub(super) fn divide_by_limb(&self, divisor: u32) -> (Wide, Wide) {
        let (mut q, mut r) = (Wide::ZERO, Wide::ZERO);
        let d = u64::from(divisor);
        let mut rest = 0u64;
        for i in (0..self.len).rev() {
            let t = rest * u64::from(BASE) + u64::from(self.limbs[i]);
            q.limbs[i] = (t / d) as u32;
            rest = t % d;
        }
        q.len = self.len;
        q.trim();
        r.limbs[0] = rest as u32;
        r.len = 1;
        r.trim();
        (q, r)
    }

    pub(super) const ZERO: Wide = Wide { limbs: [0; 28], len: 0, frac: 0 };

    /// Back to nine limbs: digits after the point that do not fit are cut, too many digits before it
    /// give the largest number and `true`.
    pub(super) fn into_decimal(mut self, negative: bool, scale: usize) -> (Decimal, bool) {
        while self.len > self.frac && self.limbs[self.len - 1] == 0 {
            self.len -= 1;
        }
        let int = self.len - self.frac;
        if int > LIMBS {
            return (Decimal::largest((LIMBS * DIGITS) as u8, 0, negative), true);
        }
        let room = LIMBS - int;
        let mut scale = scale;
        if self.frac > room {
            self.drop_low(self.frac - room);
            scale = scale.min(room * DIGITS);
        }
        let mut limbs = [0; LIMBS];
        limbs.copy_from_slice(&self.limbs[..LIMBS]);
        // Digits below the scale are not part of the number.
        if self.frac > 0 && !scale.is_multiple_of(DIGITS) && self.frac == scale.div_ceil(DIGITS) {
            limbs[0] -= limbs[0] % POW10[DIGITS - scale % DIGITS];
        }
        let mut d = Decimal { negative, scale: scale as u8, int: int as u8, frac: self.frac as u8, limbs };
        if negative && d.is_zero() {
            d.negative = false;
        }
        (d, false)
    }
}

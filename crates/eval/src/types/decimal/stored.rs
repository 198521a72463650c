//! Decimals as bytes: in columns, and in temporary files.

use super::{DIGITS, Decimal, LIMBS, MAX_PRECISION, MAX_SCALE, MAX_SHORT_SCALE, POW10};

/// Bytes of the largest stored form, and of a limb more.
const BINARY_ROOM: usize = 36;

/// Bytes of a group of 0 to 8 digits in the stored form.
const GROUP: [usize; 10] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4];

/// The stored form of the values of a DECIMAL column: groups of digits, each a big-endian number. That of a negative number is the
/// complement, and the first bit tells the sign.
#[derive(Clone, Copy, Debug)]
pub struct StoredForm {
    scale: u8,
    /// Digits of the first group before the point, and of the last one behind it; the others have nine.
    first: u8,
    last: u8,
    /// Limbs before and behind the point.
    int: u8,
    frac: u8,
    /// Bytes of a value.
    len: u8,
    /// All digits.
    digits: u8,
}

/// A group of so many digits; more than these have no bytes of a value.
#[inline]
fn digits_of_group(group: u32, digits: u8) -> u32 {
    let end = POW10[usize::from(digits)];
    if group < end { group } else { group % end }
}

impl StoredForm {
    /// That of DECIMAL(precision, scale).
    #[must_use]
    pub fn new(precision: u8, scale: u8) -> StoredForm {
        let int = precision.min(MAX_PRECISION).saturating_sub(scale);
        let scale = scale.min(MAX_SCALE);
        let nine = DIGITS as u8;
        StoredForm {
            scale,
            first: int % nine,
            last: scale % nine,
            int: int.div_ceil(nine),
            frac: scale.div_ceil(nine),
            len: Decimal::binary_len(int + scale, scale) as u8,
            digits: int + scale,
        }
    }

    /// Reads a value; short input reads as zeros.
    #[inline]
    #[must_use]
    pub fn read(&self, bytes: &[u8]) -> Decimal {
        let mut out = Decimal::ZERO;
        self.read_to(bytes, &mut out);
        out
    }

    /// Digits after the point.
    #[inline]
    #[must_use]
    pub fn scale(&self) -> u8 {
        self.scale
    }

    /// Whether all values are short decimals.
    #[inline]
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.digits <= MAX_SHORT_SCALE
    }

    /// Reads a value as the number of a short decimal, where all are ([`StoredForm::is_short`]).
    #[inline]
    #[must_use]
    pub fn read_short(&self, bytes: &[u8]) -> i64 {
        let len = usize::from(self.len);
        if bytes.len() < len || !(1..=8).contains(&len) {
            return self.read(bytes).to_short().unwrap_or(0);
        }
        let (negative, mut left) = self.word(bytes);
        let (mut number, mut unit) = (0, 1);
        let mut take = |digits: u8| {
            let bits = 8 * GROUP[usize::from(digits)] as u32;
            let group = (left & ((1 << bits) - 1)) as u32;
            left >>= bits;
            number += i64::from(digits_of_group(group, digits)) * unit;
            unit *= i64::from(POW10[usize::from(digits)]);
        };
        if self.last > 0 {
            take(self.last);
        }
        let nines = self.int + self.frac - u8::from(self.first > 0) - u8::from(self.last > 0);
        (0..nines).for_each(|_| take(DIGITS as u8));
        if self.first > 0 {
            take(self.first);
        }
        if negative { -number } else { number }
    }

    /// The sign and the groups of a value of 1 to 8 bytes, all of which are there, as one number.
    #[inline]
    fn word(&self, bytes: &[u8]) -> (bool, u64) {
        let len = usize::from(self.len);
        let bits = 8 * len as u32;
        let half = |at: usize| bytes[at..].first_chunk().map_or(0, |b| u64::from(u32::from_be_bytes(*b)));
        let stored = if len >= 4 {
            // both halves have the bytes in the middle
            half(0) << (bits - 32) | half(len - 4)
        } else {
            bytes[..len].iter().fold(0, |all, b| all << 8 | u64::from(*b))
        };
        let top = 1 << (bits - 1);
        let negative = stored & top == 0;
        (negative, (stored ^ top) ^ if negative { u64::MAX >> (64 - bits) } else { 0 })
    }

    /// Reads a value to where it shall be; `out` is zero. Limbs that are written one by one are not in the processor's cache as a whole
    /// yet, and moving them then would wait for that: who reads many values reads them in place.
    #[inline]
    pub fn read_to(&self, bytes: &[u8], out: &mut Decimal) {
        if bytes.len() >= usize::from(self.len) && (4..=8).contains(&self.len) {
            return self.read_word(bytes, out);
        }
        if bytes.len() >= usize::from(self.len) && self.len > 0 {
            return self.read_whole(bytes, out);
        }
        let negative = bytes.first().is_none_or(|b| b & 0x80 == 0);
        // no column has more bytes; what is missing is zeros
        let mut stored = [if negative { u8::MAX } else { 0 }; BINARY_ROOM];
        let len = bytes.len().min(BINARY_ROOM);
        stored[..len].copy_from_slice(&bytes[..len]);
        if len == 0 {
            stored[0] ^= 0x80;
        }
        self.read_whole(&stored, out);
    }

    /// Reads a value of 4 to 8 bytes, all of which are there: groups are parts of one number.
    #[inline]
    fn read_word(&self, bytes: &[u8], out: &mut Decimal) {
        let (negative, mut left) = self.word(bytes);
        let limbs = &mut out.limbs;
        let all = usize::from(self.int + self.frac);
        // from the last group on, which is the lowest limb
        let mut take = |digits: u8| -> u32 {
            let bits = 8 * GROUP[usize::from(digits)] as u32;
            let group = (left & ((1 << bits) - 1)) as u32;
            left >>= bits;
            digits_of_group(group, digits)
        };
        let mut i = 0;
        if self.last > 0 {
            limbs[0] = take(self.last) * POW10[DIGITS - usize::from(self.last)];
            i = 1;
        }
        let nines = all - usize::from(self.first > 0);
        while i < nines {
            limbs[i] = take(DIGITS as u8);
            i += 1;
        }
        if self.first > 0 {
            limbs[i] = take(self.first);
        }
        self.measure(negative, out);
    }

    /// Sets all but the limbs, which are there.
    #[inline]
    fn measure(&self, negative: bool, out: &mut Decimal) {
        let limbs = &out.limbs;
        let (all, frac) = (usize::from(self.int + self.frac), usize::from(self.frac));
        let mut used = all;
        while used > frac && limbs[used - 1] == 0 {
            used -= 1;
        }
        let zero = negative && used == frac && limbs[..used].iter().all(|l| *l == 0);
        (out.negative, out.scale) = (negative && !zero, self.scale);
        (out.int, out.frac) = ((used - frac) as u8, self.frac);
    }

    /// Reads a value that has all its bytes.
    #[inline]
    fn read_whole(&self, bytes: &[u8], out: &mut Decimal) {
        let negative = bytes[0] & 0x80 == 0;
        let mask = if negative { u32::MAX } else { 0 };
        let limbs = &mut out.limbs;
        let all = usize::from(self.int + self.frac);
        // nine at most, as there are 65 digits
        let mut i = all;
        let mut at = 0;
        // the first bit of all is turned
        let mut sign = 0x80;
        let mut take = |digits: u8| -> u32 {
            let n = GROUP[usize::from(digits)];
            let Some(group) = bytes.get(at..at + n) else { return 0 };
            at += n;
            let (word, top) = match *group {
                [a, b, c, d] => (u32::from_be_bytes([a, b, c, d]), sign << 24),
                [a, b, c] => (u32::from_be_bytes([0, a, b, c]), sign << 16),
                [a, b] => (u32::from_be_bytes([0, 0, a, b]), sign << 8),
                [a] => (u32::from(a), sign),
                _ => (0, 0),
            };
            sign = 0;
            let word = (word ^ top ^ mask) & (u32::MAX >> (32 - 8 * n));
            digits_of_group(word, digits)
        };
        if self.first > 0 {
            i -= 1;
            limbs[i] = take(self.first);
        }
        let nines = usize::from(self.last > 0);
        while i > nines {
            i -= 1;
            limbs[i] = take(DIGITS as u8);
        }
        if self.last > 0 {
            limbs[0] = take(self.last) * POW10[DIGITS - usize::from(self.last)];
        }
        self.measure(negative, out);
    }
}

impl Decimal {
    /// The bytes a DECIMAL(precision, scale) column takes.
    #[must_use]
    pub fn binary_len(precision: u8, scale: u8) -> usize {
        let int = precision.saturating_sub(scale) as usize;
        let scale = scale as usize;
        int / 9 * 4 + GROUP[int % 9] + scale / 9 * 4 + GROUP[scale % 9]
    }

    /// Reads the stored form of a DECIMAL(precision, scale); short input reads as zeros.
    #[must_use]
    pub fn from_binary(bytes: &[u8], precision: u8, scale: u8) -> Decimal {
        StoredForm::new(precision, scale).read(bytes)
    }

    /// Appends the number as it is in memory, for temporary files.
    pub fn put_raw(&self, out: &mut Vec<u8>) {
        let mut raw = [0; 4 + 4 * LIMBS];
        raw[..4].copy_from_slice(&[u8::from(self.negative), self.scale, self.int, self.frac]);
        for (to, limb) in raw[4..].chunks_exact_mut(4).zip(self.limbs) {
            to.copy_from_slice(&limb.to_le_bytes());
        }
        out.extend_from_slice(&raw);
    }

    /// Reads what [`Decimal::put_raw`] wrote, and goes behind it.
    pub fn get_raw(bytes: &mut &[u8]) -> Option<Decimal> {
        let (head, rest) = bytes.split_first_chunk::<4>()?;
        let (body, rest) = rest.split_at_checked(LIMBS * 4)?;
        *bytes = rest;
        let mut limbs = [0; LIMBS];
        for (l, b) in limbs.iter_mut().zip(body.chunks_exact(4)) {
            *l = u32::from_le_bytes(*b.first_chunk()?);
        }
        let [negative, scale, int, frac] = *head;
        let sound = usize::from(int) + usize::from(frac) <= LIMBS && usize::from(scale) <= LIMBS * DIGITS;
        sound.then_some(Decimal { negative: negative != 0, scale, int, frac, limbs })
    }

    /// Appends the stored form for a DECIMAL(precision, scale) column; the number must fit
    /// ([`Decimal::fit`]).
    pub fn to_binary(&self, precision: u8, scale: u8, out: &mut Vec<u8>) {
        let fitted = if self.scale == scale { *self } else { self.fit(precision, scale).0 };
        let start = out.len();
        let int = precision.saturating_sub(scale) as usize;
        let frac = scale as usize;
        let limb = |k: isize| -> u32 {
            // Limb k counts from the point: 0 is the lowest before it, -1 the first after it.
            let i = k + fitted.frac as isize;
            usize::try_from(i).ok().filter(|i| *i < fitted.len()).map_or(0, |i| fitted.limbs[i])
        };
        let mut put = |v: u32, n: usize| out.extend_from_slice(&v.to_be_bytes()[4 - n..]);
        if !int.is_multiple_of(9) {
            put(limb((int / 9) as isize) % POW10[int % 9], GROUP[int % 9]);
        }
        for k in (0..int / 9).rev() {
            put(limb(k as isize), 4);
        }
        for k in 0..frac / 9 {
            put(limb(-1 - k as isize), 4);
        }
        if !frac.is_multiple_of(9) {
            put(limb(-1 - (frac / 9) as isize) / POW10[9 - frac % 9], GROUP[frac % 9]);
        }
        if fitted.negative && !fitted.is_zero() {
            for b in &mut out[start..] {
                *b = !*b;
            }
        }
        if let Some(first) = out.get_mut(start) {
            *first ^= 0x80;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(s: &str) -> Decimal {
        Decimal::parse(s.as_bytes()).value
    }

    #[test]
    fn stored_form() {
        let b = |s: &str, p, sc| {
            let mut v = Vec::new();
            d(s).to_binary(p, sc, &mut v);
            assert_eq!(Decimal::from_binary(&v, p, sc), d(s));
            assert_eq!(v.len(), Decimal::binary_len(p, sc));
            v
        };
        assert_eq!(b("12.34", 5, 2), [0x80, 0x0C, 0x22]);
        assert_eq!(b("-1234.567", 7, 3), [0x7B, 0x2D, 0xFD, 0xC8]);
        assert_eq!(b("-1234567890.1234", 14, 4), [0x7E, 0xF2, 0x04, 0xC7, 0x2D, 0xFB, 0x2D]);
        assert_eq!(b("1234567890.1234", 14, 4), [0x81, 0x0D, 0xFB, 0x38, 0xD2, 0x04, 0xD2]);
        assert_eq!(b("1", 18, 9), [0x80, 0, 0, 1, 0, 0, 0, 0]);
        assert_eq!(b("0", 10, 0), [0x80, 0, 0, 0, 0]);
        assert_eq!(b("0", 1, 1), [0x80]);
        assert_eq!(b("0.5", 38, 38)[..4], [0x9D, 0xCD, 0x65, 0x00]);
        // digits of all lengths, as text says them; what is missing is zeros
        for precision in 1..=MAX_PRECISION {
            for scale in 0..=precision.min(MAX_SCALE) {
                for negative in [false, true] {
                    let n = Decimal::largest(precision, scale, negative);
                    let stored = b(&n.to_string(), precision, scale);
                    let read = Decimal::from_binary(&stored, precision, scale);
                    assert_eq!(read.to_string(), n.to_string());
                    assert_eq!((read.scale, read.int, read.frac), (n.scale, n.int, n.frac));
                }
            }
        }
        assert_eq!(Decimal::from_binary(&[], 20, 5).to_string(), "0.00000");
        assert_eq!(Decimal::from_binary(&[0x80, 0x0C], 5, 2).to_string(), "12.00");
        assert!(!Decimal::from_binary(&[0x7F, 0xFF, 0xFF], 5, 2).is_negative());
    }

    #[test]
    fn words_are_read_as_bytes_are() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        for precision in 1..=MAX_PRECISION {
            for scale in 0..=precision.min(MAX_SCALE) {
                let form = StoredForm::new(precision, scale);
                if !(4..=8).contains(&form.len) {
                    continue;
                }
                let mut any = |n: usize| {
                    seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(n as u64);
                    (seed >> 8).to_be_bytes()
                };
                // bytes that are no digits as well, as damaged rows have them
                let mut all: Vec<[u8; 8]> = (0..40).map(&mut any).collect();
                all.extend([
                    [0; 8],
                    [0xFF; 8],
                    [0x80, 0, 0, 0, 0, 0, 0, 0],
                    [0x7F, 255, 255, 255, 255, 255, 255, 255],
                ]);
                for bytes in all {
                    let bytes = &bytes[..usize::from(form.len)];
                    let (mut word, mut whole) = (Decimal::ZERO, Decimal::ZERO);
                    form.read_word(bytes, &mut word);
                    form.read_whole(bytes, &mut whole);
                    assert_eq!(format!("{word:?}"), format!("{whole:?}"), "{bytes:?} as {form:?}");
                }
            }
        }
    }

    #[test]
    fn short_values_are_read_as_all_are() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        for precision in 1..=MAX_SHORT_SCALE {
            for scale in 0..=precision {
                let form = StoredForm::new(precision, scale);
                assert!(form.is_short());
                for n in 0..60_u64 {
                    seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(n);
                    let bytes = match n {
                        0 => [0; 9],
                        1 => [0xFF; 9],
                        2 => [0x80, 0, 0, 0, 0, 0, 0, 0, 0],
                        3 => [0x7F, 255, 255, 255, 255, 255, 255, 255, 255],
                        _ => {
                            let mut any = [(seed >> 3) as u8; 9];
                            any[..8].copy_from_slice(&(seed >> 8).to_be_bytes());
                            any
                        }
                    };
                    let bytes = &bytes[..usize::from(form.len) - usize::from(n % 20 == 19)];
                    let (d, v) = (form.read(bytes), form.read_short(bytes));
                    assert_eq!(d.to_short(), Some(v), "{bytes:?} as {form:?}");
                    assert_eq!(format!("{:?}", Decimal::from_short(v, scale)), format!("{d:?}"), "{v}");
                }
            }
        }
    }
}

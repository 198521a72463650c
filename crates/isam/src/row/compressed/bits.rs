//! Streams of bits, the most significant bit of a byte first.

/// Reads bits. Behind the end there are zeros, and [`BitReader::overrun`] says so.
#[derive(Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The next byte that is not in `buffer`.
    next: usize,
    /// Bits at hand, the next one on top; the rest is zero.
    buffer: u64,
    have: u32,
    /// Bits read so far.
    used: u64,
}

impl<'a> BitReader<'a> {
    #[inline]
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, next: 0, buffer: 0, have: 0, used: 0 }
    }

    #[inline]
    fn refill(&mut self) {
        if let Some(eight) = self.bytes.get(self.next..).and_then(|rest| rest.first_chunk::<8>()) {
            let whole = (64 - self.have) / 8;
            // bits of a byte that counts as unread are there already, and are the same when they come again
            self.buffer |= u64::from_be_bytes(*eight) >> self.have;
            self.next += whole as usize;
            self.have += whole * 8;
            return;
        }
        while self.have <= 56 {
            let byte = self.bytes.get(self.next).copied().unwrap_or(0);
            self.buffer |= u64::from(byte) << (56 - self.have);
            self.next += 1;
            self.have += 8;
        }
    }

    /// The next `n` bits (at most 32), which stay.
    #[inline]
    pub fn peek(&mut self, n: u32) -> u32 {
        if self.have < n {
            self.refill();
        }
        // in two steps: a shift by 64 is none
        (self.buffer >> 1 >> (63 - n)) as u32
    }

    /// Goes on by `n` bits, which were looked at.
    #[inline]
    pub fn skip(&mut self, n: u32) {
        self.buffer <<= n;
        self.have = self.have.saturating_sub(n);
        self.used += u64::from(n);
    }

    /// The next `n` bits, at most 32.
    #[inline]
    pub fn take(&mut self, n: u32) -> u32 {
        let bits = self.peek(n);
        self.skip(n);
        bits
    }

    /// The next bit.
    #[inline]
    pub fn bit(&mut self) -> bool {
        self.take(1) == 1
    }

    /// Bits that are left.
    #[inline]
    pub fn left(&self) -> u64 {
        (self.bytes.len() as u64 * 8).saturating_sub(self.used)
    }

    /// Whether more bits were read than there are.
    #[inline]
    pub fn overrun(&self) -> bool {
        self.used > self.bytes.len() as u64 * 8
    }

    /// Goes on to the next whole byte; gives its offset.
    pub fn align(&mut self) -> usize {
        let part = (self.used % 8) as u32;
        if part != 0 {
            self.take(8 - part);
        }
        (self.used / 8) as usize
    }

    /// Takes `n` whole bytes from an aligned place.
    pub fn take_bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let start = self.align();
        let bytes = self.bytes.get(start..start.checked_add(n)?)?;
        *self = BitReader {
            bytes: self.bytes,
            next: start + n,
            buffer: 0,
            have: 0,
            used: (start + n) as u64 * 8,
        };
        Some(bytes)
    }
}

/// Writes bits.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    pub bytes: Vec<u8>,
    /// Bits that do not make a byte yet, in the low end.
    buffer: u64,
    have: u32,
}

impl BitWriter {
    /// Puts the low `n` bits of `value` (at most 32; more are put in two parts).
    #[inline]
    pub fn put(&mut self, value: u64, n: u32) {
        if n > 32 {
            self.put(value >> 32, n - 32);
            return self.put(value, 32);
        }
        self.buffer = self.buffer << n | value & ((1 << n) - 1);
        self.have += n;
        while self.have >= 8 {
            self.have -= 8;
            self.bytes.push((self.buffer >> self.have) as u8);
        }
    }

    /// Fills the last byte up with zeros.
    pub fn align(&mut self) {
        if self.have > 0 {
            self.put(0, 8 - self.have);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_taken() {
        let mut writer = BitWriter::default();
        let widths: Vec<u32> = (0..2000).map(|i| i * 7 % 33).collect();
        for (i, &n) in widths.iter().enumerate() {
            writer.put((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20, n);
        }
        writer.align();
        let mut reader = BitReader::new(&writer.bytes);
        for (i, &n) in widths.iter().enumerate() {
            let value = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            assert_eq!(u64::from(reader.take(n)), value & ((1 << n) - 1), "number {i}, {n} bits");
        }
        assert!(reader.left() < 8 && !reader.overrun());
        reader.take(32);
        assert!(reader.overrun() && reader.take(32) == 0);
    }
}

//! Single-byte sets.

use crate::encoding::BAD;

/// The tables of a single-byte set.
#[derive(Debug)]
pub(crate) struct ByteSet {
    /// Bytes below 80 are ASCII.
    pub ascii: bool,
    /// Supplementary characters are converted by the low 16 bits of their number (tis620).
    pub low_bits: bool,
    /// Unicode of each byte, two bytes little-endian; FFFF: none.
    pub to_unicode: &'static [u8; 512],
    /// Page of each high byte of a code point; page 0 is empty.
    pub directory: &'static [u8; 256],
    /// Bytes by low byte of the code point, 0: none.
    pub pages: &'static [u8],
    pub lower: &'static [u8; 256],
    pub upper: &'static [u8; 256],
    /// Bit per byte: belongs to a word.
    pub word: &'static [u8; 32],
}

impl ByteSet {
    /// The Unicode value of a byte.
    #[inline]
    pub fn code_point(&self, byte: u8) -> Option<u32> {
        let at = usize::from(byte) * 2;
        let cp = u16::from_le_bytes([self.to_unicode[at], self.to_unicode[at + 1]]);
        (cp != 0xFFFF).then_some(u32::from(cp))
    }

    /// The byte of a code point.
    #[inline]
    pub fn byte(&self, cp: u32) -> Option<u8> {
        let low = match cp {
            0..0x1_0000 => cp,
            _ if self.low_bits && cp < BAD => cp & 0xFFFF,
            _ => return None,
        };
        let page = usize::from(self.directory[(low >> 8) as usize]);
        let byte = *self.pages.get(page * 256 + (low & 0xFF) as usize)?;
        (byte != 0 || cp == 0).then_some(byte)
    }

    pub fn is_word(&self, byte: u8) -> bool {
        self.word[usize::from(byte) / 8] >> (byte % 8) & 1 != 0
    }
}

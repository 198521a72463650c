//! Collations whose comparison is decided byte by byte: what keys compressed by their beginnings are searched by.

use std::cmp::Ordering;

use super::{Collation, KeyPad, Rules};
use crate::set::Encoding;
use crate::tables::unicode::GENERAL_LOW;

/// Each byte's own value.
const OWN: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte as u8;
        byte += 1;
    }
    table
};

/// What general_ci has for ASCII; other bytes are not decided here.
const GENERAL_ASCII: [u8; 256] = {
    let mut table = OWN;
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = GENERAL_LOW[byte] as u8;
        byte += 1;
    }
    table
};

/// How strings compare where one byte against another decides.
#[derive(Clone, Copy, Debug)]
pub struct ByteOrder {
    weights: &'static [u8; 256],
    /// Bytes from here on are parts of characters, which are not compared by bytes.
    end: u16,
    /// The shorter string goes on with spaces.
    pad: bool,
}

impl Collation {
    /// How a key part with this padding rule compares byte by byte; none where characters of ASCII alone do not decide.
    #[must_use]
    pub fn byte_order(&self, pad: KeyPad) -> Option<ByteOrder> {
        let pad = match pad {
            KeyPad::Own => self.pad_space,
            KeyPad::Pad => true,
            KeyPad::NoPad => false,
        };
        let utf8 = matches!(self.charset.encoding, Encoding::Utf8mb3 | Encoding::Utf8mb4);
        let (weights, end) = match &self.rules {
            Rules::Table(table) => (*table, 256),
            Rules::Binary | Rules::ByteBin => (&OWN, 256),
            Rules::General { .. } if utf8 => (&GENERAL_ASCII, 0x80),
            Rules::CodePoint if utf8 => (&OWN, 0x80),
            _ => return None,
        };
        Some(ByteOrder { weights, end, pad })
    }
}

impl ByteOrder {
    /// Bytes by their own values.
    #[must_use]
    pub const fn bytes(pad: bool) -> ByteOrder {
        ByteOrder { weights: &OWN, end: 256, pad }
    }

    /// The order of two strings, and the number of bytes of `a` in front of the one that decides it: all of them where its end does.
    /// None when a byte that decides is not compared by itself.
    #[inline]
    #[must_use]
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Option<(Ordering, usize)> {
        let weight = |byte: u8| self.weights[usize::from(byte)];
        let known = |byte: u8| u16::from(byte) < self.end;
        for (at, (x, y)) in a.iter().zip(b).enumerate() {
            if x == y {
                continue;
            }
            if !known(*x) || !known(*y) {
                return None;
            }
            let order = weight(*x).cmp(&weight(*y));
            if order.is_ne() {
                return Some((order, at));
            }
        }
        let n = a.len().min(b.len());
        let (rest, longer) =
            if a.len() > n { (&a[n..], Ordering::Greater) } else { (&b[n..], Ordering::Less) };
        let Some(first) = rest.first() else { return Some((Ordering::Equal, a.len())) };
        if !known(*first) {
            // the end may be within a character
            return None;
        }
        if !self.pad {
            return Some((longer, n));
        }
        for (i, byte) in rest.iter().enumerate() {
            if !known(*byte) {
                return None;
            }
            let at = (n + i).min(a.len());
            match weight(*byte).cmp(&weight(b' ')) {
                Ordering::Equal => {}
                Ordering::Greater => return Some((longer, at)),
                Ordering::Less => return Some((longer.reverse(), at)),
            }
        }
        Some((Ordering::Equal, a.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All collations that have an order of bytes, over strings that differ in case, length, spaces and characters of several bytes:
    /// what it decides is what the collation says.
    #[test]
    fn bytes_decide_as_the_collation_does() {
        let pieces: [&[u8]; 14] = [
            b"",
            b"a",
            b"A",
            b"b",
            b" ",
            b"  ",
            b"\x01",
            b"~",
            b"_",
            b"\xc3\xa9",
            b"\xe9",
            b"ss",
            b"\xdf",
            b"\xc3",
        ];
        let mut strings = Vec::new();
        for x in pieces {
            for y in pieces {
                for z in [&b""[..], b"a", b" ", b"\xe9"] {
                    strings.push([x, y, z].concat());
                }
            }
        }
        let mut decided = 0u64;
        for collation in Collation::all() {
            for pad in [KeyPad::Own, KeyPad::Pad, KeyPad::NoPad] {
                let Some(order) = collation.byte_order(pad) else { continue };
                for a in &strings {
                    for b in &strings {
                        if let Some((found, at)) = order.compare(a, b) {
                            assert_eq!(
                                found,
                                collation.compare_key(a, b, pad),
                                "{} {a:?} {b:?} {pad:?}",
                                collation.name
                            );
                            assert!(at <= a.len());
                            decided += 1;
                        }
                    }
                }
            }
        }
        assert!(decided > 1_000_000);
    }
}

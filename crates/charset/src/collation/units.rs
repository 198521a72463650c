//! What is done with the sequence of weights ("units") of a string, whatever made them: comparing, hashing, sort keys.

use crate::encoding::BAD;
use std::cmp::Ordering;

/// Compares two sequences; the shorter one goes on with `pad`, or is less.
#[inline]
pub(crate) fn compare(
    mut a: impl Iterator<Item = u32>,
    mut b: impl Iterator<Item = u32>,
    pad: Option<u32>,
) -> Ordering {
    loop {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => return x.cmp(&y),
            (None, None) => return Ordering::Equal,
            (Some(x), None) => return rest(x, a, pad),
            (None, Some(y)) => return rest(y, b, pad).reverse(),
        }
    }
}

/// Order of what one sequence has more, beginning with `first`.
fn rest(first: u32, mut more: impl Iterator<Item = u32>, pad: Option<u32>) -> Ordering {
    let Some(pad) = pad else { return Ordering::Greater };
    let mut unit = first;
    while unit == pad {
        match more.next() {
            Some(next) => unit = next,
            None => return Ordering::Equal,
        }
    }
    unit.cmp(&pad)
}

const K: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93, 0xA076_1D64_78BD_642F];

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hash of bytes as they are.
pub(crate) fn hash_bytes(s: &[u8], seed: u64) -> u64 {
    let (words, tail) = s.as_chunks::<8>();
    let mut h = seed ^ K[0];
    for w in words {
        h = fold(h ^ u64::from_le_bytes(*w), K[1]);
    }
    finish(h, tail, s.len())
}

/// Hash of bytes through a table of weights.
pub(crate) fn hash_table(s: &[u8], table: &[u8; 256], seed: u64) -> u64 {
    let (words, tail) = s.as_chunks::<8>();
    let mut h = seed ^ K[0];
    for w in words {
        h = fold(h ^ u64::from_le_bytes(w.map(|b| table[usize::from(b)])), K[1]);
    }
    let mut rest = [0u8; 8];
    for (to, from) in rest.iter_mut().zip(tail) {
        *to = table[usize::from(*from)];
    }
    finish(h, &rest[..tail.len()], s.len())
}

fn finish(h: u64, tail: &[u8], len: usize) -> u64 {
    let mut last = [0u8; 8];
    last[..tail.len()].copy_from_slice(tail);
    fold(fold(h ^ u64::from_le_bytes(last), K[1]) ^ len as u64, K[2])
}

/// Hash of a sequence; trailing units equal to `pad` do not count.
#[inline]
pub(crate) fn hash(units: impl Iterator<Item = u32>, pad: Option<u32>, seed: u64) -> u64 {
    let (mut h, mut word, mut filled, mut len) = (seed ^ K[0], 0u64, 0u32, 0u64);
    let mut pending = 0u64;
    let mut push = |unit: u32, len: &mut u64| {
        // Two units of 32 bits a round.
        word = word << 32 | u64::from(unit);
        filled += 1;
        if filled == 2 {
            h = fold(h ^ word, K[1]);
            (word, filled) = (0, 0);
        }
        *len += 1;
    };
    for unit in units {
        if Some(unit) == pad {
            pending += 1;
            continue;
        }
        while pending > 0 {
            pending -= 1;
            push(pad.unwrap_or(0), &mut len);
        }
        push(unit, &mut len);
    }
    fold(fold(h ^ word, K[1]) ^ len, K[2])
}

/// How a unit stands in a sort key, so that the order of the bytes is the order of the units and none begins another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// One byte.
    Byte,
    /// Two bytes; ill-formed bytes and FFFF take more.
    Weight,
    /// One byte below 80, two below 7F00, else three; ill-formed bytes and FFFF take more.
    Short,
    /// A code point in UTF-8; ill-formed bytes after F8.
    CodePoint,
    /// The first two or three bytes of a number of three.
    Code { bytes: u8 },
}

impl Width {
    #[inline]
    fn put(self, unit: u32, out: &mut Vec<u8>) {
        match self {
            Width::Byte => out.push(unit as u8),
            Width::Short if unit < 0x80 => out.push(unit as u8),
            Width::Short => {
                let (code, bytes) = short(unit);
                out.extend_from_slice(&code.to_be_bytes()[4 - bytes as usize..]);
                if unit > 0xFFFF {
                    out.extend_from_slice(&unit.to_be_bytes());
                }
            }
            Width::Weight if unit < 0xFFFF => out.extend_from_slice(&(unit as u16).to_be_bytes()),
            Width::Weight if unit == 0xFFFF => out.extend_from_slice(&[0xFF, 0xFF, 0]),
            Width::Weight => {
                out.extend_from_slice(&[0xFF, 0xFF, 1]);
                out.extend_from_slice(&unit.to_be_bytes());
            }
            Width::CodePoint if unit < BAD => crate::encoding::put_utf8(unit, out),
            Width::CodePoint => {
                out.push(0xF8);
                out.extend_from_slice(&unit.to_be_bytes());
            }
            Width::Code { bytes } => out.extend_from_slice(&unit.to_be_bytes()[1..1 + usize::from(bytes)]),
        }
    }
}

/// What [`Width::Short`] writes of a unit at least, and how many bytes that is: all of it for units below FFFF, and for FFFF itself.
#[inline]
pub(crate) fn short(unit: u32) -> (u32, u32) {
    match unit {
        0..0x80 => (unit, 1),
        0x80..0x7F00 => (0x8000 | unit, 2),
        0x7F00..0xFFFF => (0xFF_0000 | unit, 3),
        0xFFFF => (0xFFFF_FF00, 4),
        _ => (0xFFFF_FF01, 4),
    }
}

/// As [`key`], of bytes through a table of weights.
pub(crate) fn key_table(s: &[u8], table: &[u8; 256], pad: bool, out: &mut Vec<u8>) {
    if pad {
        let space = table[0x20];
        padded_bytes(s, space, |b| Some(table[usize::from(b)]), out);
        return out.extend_from_slice(&[space, 1]);
    }
    let start = out.len();
    out.extend(s.iter().map(|b| table[usize::from(*b)]));
    // the weight that needs more than itself
    if let Some(first) = memchr::memchr(0, &out[start..]) {
        out.truncate(start + first);
        let weights = s[first..].iter().map(|b| u32::from(table[usize::from(*b)]));
        return key(weights, None, Width::Byte, out);
    }
    out.extend_from_slice(&[0, 0]);
}

/// Appends the sort key with padding of what `s` begins with, as long as `weight` knows a weight of one byte; without the end of the
/// key. Gives what is left of `s`, with the spaces before it: nothing, or spaces that do not count, where all has been read.
#[inline]
pub(crate) fn padded_bytes<'a>(
    s: &'a [u8],
    space: u8,
    weight: impl Fn(u8) -> Option<u8>,
    out: &mut Vec<u8>,
) -> &'a [u8] {
    let mut left = s;
    let mut spaces = 0;
    for (at, b) in s.iter().enumerate() {
        match weight(*b) {
            Some(w) if w == space => spaces += 1,
            Some(w) => {
                let next = if w < space { 0 } else { 2 };
                while spaces > 0 {
                    spaces -= 1;
                    out.extend_from_slice(&[space, next]);
                }
                out.push(w);
                left = &s[at + 1..];
            }
            None => break,
        }
    }
    left
}

/// Appends a sort key. With padding, a space is followed by how what comes after the spaces compares with more spaces
/// (0 less, 2 greater, 1 nothing comes), and the end is written as a space with 1. Without padding, NUL is followed by 1 and
/// the end is written as NUL with 0.
pub(crate) fn key(units: impl Iterator<Item = u32>, pad: Option<u32>, width: Width, out: &mut Vec<u8>) {
    let Some(space) = pad else {
        for unit in units {
            width.put(unit, out);
            if unit == 0 {
                out.push(1);
            }
        }
        width.put(0, out);
        out.push(0);
        return;
    };
    let mut run = 0;
    for unit in units {
        if unit == space {
            run += 1;
            continue;
        }
        let next = if unit < space { 0 } else { 2 };
        while run > 0 {
            run -= 1;
            width.put(space, out);
            out.push(next);
        }
        width.put(unit, out);
    }
    width.put(space, out);
    out.push(1);
}

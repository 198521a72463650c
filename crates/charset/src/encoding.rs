//! How the Unicode sets write a code point, one decoder each. Ill-formed bytes are stepped over as
//! units that are greater than every code point, so that all loops below can go on after them.

/// The last code point, and the number after it: a unit at or above `BAD` is ill-formed.
pub(crate) const LAST: u32 = 0x10_FFFF;
pub(crate) const BAD: u32 = LAST + 1;

/// Reads code points of one encoding.
pub(crate) trait Decoder {
    /// Whether bytes below 80 are always characters of their own.
    const ASCII: bool;
    /// Bytes stepped over at an ill-formed place (fewer at the end).
    const STEP: usize;
    /// The first unit and its bytes; None at the end. `BAD` and above: ill-formed, ordered by the bytes.
    fn next(s: &[u8]) -> Option<(u32, usize)>;
}

/// utf8mb3 (`FOUR` false) and utf8mb4. Surrogates are well-formed, over-long forms are not.
pub(crate) struct Utf8<const FOUR: bool>;

/// Value of a continuation byte.
#[inline(always)]
fn continuation(b: u8) -> Option<u32> {
    (b & 0xC0 == 0x80).then_some(u32::from(b & 0x3F))
}

impl<const FOUR: bool> Utf8<FOUR> {
    fn multibyte(s: &[u8]) -> Option<(u32, usize)> {
        let lead = u32::from(s[0]);
        let second = continuation(*s.get(1)?)?;
        match s[0] {
            0xC2..=0xDF => Some(((lead & 0x1F) << 6 | second, 2)),
            0xE0..=0xEF => {
                let third = continuation(*s.get(2)?)?;
                let cp = (lead & 0xF) << 12 | second << 6 | third;
                (cp >= 0x800).then_some((cp, 3))
            }
            0xF0..=0xF4 if FOUR => {
                let (third, fourth) = (continuation(*s.get(2)?)?, continuation(*s.get(3)?)?);
                let cp = (lead & 7) << 18 | second << 12 | third << 6 | fourth;
                (0x1_0000..=LAST).contains(&cp).then_some((cp, 4))
            }
            _ => None,
        }
    }
}

impl<const FOUR: bool> Decoder for Utf8<FOUR> {
    const ASCII: bool = true;
    const STEP: usize = 1;
    #[inline]
    fn next(s: &[u8]) -> Option<(u32, usize)> {
        let first = *s.first()?;
        if first < 0x80 {
            return Some((u32::from(first), 1));
        }
        Some(Self::multibyte(s).unwrap_or((BAD + u32::from(first), 1)))
    }
}

/// utf16, and with `LE` utf16le.
pub(crate) struct Utf16<const LE: bool>;

impl<const LE: bool> Decoder for Utf16<LE> {
    const ASCII: bool = false;
    const STEP: usize = 2;
    #[inline]
    fn next(s: &[u8]) -> Option<(u32, usize)> {
        let unit = |at: usize| {
            let pair = [*s.get(at)?, *s.get(at + 1)?];
            Some(u32::from(if LE { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }))
        };
        let Some(high) = unit(0) else {
            return Some((BAD + (u32::from(*s.first()?) << 8), 1));
        };
        match high {
            0xD800..=0xDBFF => match unit(2) {
                Some(low @ 0xDC00..=0xDFFF) => Some((0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF), 4)),
                _ => Some((BAD + high, 2)),
            },
            0xDC00..=0xDFFF => Some((BAD + high, 2)),
            _ => Some((high, 2)),
        }
    }
}

/// ucs2: every pair of bytes is a code point.
pub(crate) struct Ucs2;

impl Decoder for Ucs2 {
    const ASCII: bool = false;
    const STEP: usize = 2;
    #[inline]
    fn next(s: &[u8]) -> Option<(u32, usize)> {
        match *s {
            [] => None,
            [a] => Some((BAD + u32::from(a), 1)),
            [a, b, ..] => Some((u32::from(u16::from_be_bytes([a, b])), 2)),
        }
    }
}

/// utf32; surrogates are well-formed.
pub(crate) struct Utf32;

impl Decoder for Utf32 {
    const ASCII: bool = false;
    const STEP: usize = 4;
    #[inline]
    fn next(s: &[u8]) -> Option<(u32, usize)> {
        match *s {
            [] => None,
            [a, b, c, d, ..] => Some(match u32::from_be_bytes([a, b, c, d]) {
                cp @ 0..BAD => (cp, 4),
                // Above all incomplete ones.
                bad => (bad.saturating_add(0x100), 4),
            }),
            [a, ..] => Some((BAD + u32::from(a), s.len())),
        }
    }
}

/// Appends a code point (surrogates too) in UTF-8.
pub(crate) fn put_utf8(cp: u32, out: &mut Vec<u8>) {
    let tail = |shift: u32| 0x80 | (cp >> shift & 0x3F) as u8;
    match cp {
        0..0x80 => out.push(cp as u8),
        0x80..0x800 => out.extend_from_slice(&[0xC0 | (cp >> 6) as u8, tail(0)]),
        0x800..0x1_0000 => out.extend_from_slice(&[0xE0 | (cp >> 12) as u8, tail(6), tail(0)]),
        _ => out.extend_from_slice(&[0xF0 | (cp >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

/// Appends a code point in UTF-16 of either byte order. False for a surrogate.
pub(crate) fn put_utf16(cp: u32, little: bool, out: &mut Vec<u8>) -> bool {
    let mut put = |unit: u32| {
        let unit = unit as u16;
        out.extend_from_slice(&if little { unit.to_le_bytes() } else { unit.to_be_bytes() });
    };
    match cp {
        0xD800..=0xDFFF => return false,
        0..0x1_0000 => put(cp),
        _ => {
            put(0xD800 + ((cp - 0x1_0000) >> 10));
            put(0xDC00 + (cp & 0x3FF));
        }
    }
    true
}

/// Length of the common beginning of two strings.
#[inline]
pub(crate) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut at = 0;
    for (x, y) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        let difference = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if difference != 0 {
            return at + (difference.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < n && a[at] == b[at] {
        at += 1;
    }
    at
}

/// Bytes of the ASCII text `s` begins with.
#[inline]
pub(crate) fn ascii_prefix(s: &[u8]) -> usize {
    let mut at = 0;
    for chunk in s.as_chunks::<8>().0 {
        let high = u64::from_le_bytes(*chunk) & 0x8080_8080_8080_8080;
        if high != 0 {
            return at + (high.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < s.len() && s[at] < 0x80 {
        at += 1;
    }
    at
}

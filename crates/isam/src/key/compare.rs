//! Order of keys: flat keys are compared part by part with the rules of their types; no weights are stored.

use std::cmp::Ordering;

use charset::KeyPad;

use super::{Fast, KeyInfo, Packing, Segment, SegmentType};
use crate::myi::seg_flag;

#[inline]
pub(super) fn be4(b: &[u8]) -> u32 {
    match b.first_chunk::<4>() {
        Some(c) => u32::from_be_bytes(*c),
        None => b.iter().fold(0, |n, &x| n << 8 | u32::from(x)),
    }
}

#[inline]
pub(super) fn be8(b: &[u8]) -> u64 {
    match b.first_chunk::<8>() {
        Some(c) => u64::from_be_bytes(*c),
        None => b.iter().fold(0, |n, &x| n << 8 | u64::from(x)),
    }
}

/// Splits a counted value (1 or 3 bytes of length, then the bytes) off `b`; a cut one gives what is there.
#[inline]
pub(crate) fn counted(b: &[u8]) -> (&[u8], &[u8]) {
    let (len, rest) = match b {
        [255, h, l, rest @ ..] => (usize::from(*h) << 8 | usize::from(*l), rest),
        [n, rest @ ..] => (usize::from(*n), rest),
        [] => (0, b),
    };
    rest.split_at(len.min(rest.len()))
}

#[inline]
pub(super) fn fixed<'a>(seg: &Segment, b: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    b.split_at(seg.length.min(b.len()))
}

/// Compares the first `parts` parts of two flat keys.
#[inline]
#[must_use]
pub fn compare(key: &KeyInfo, a: &[u8], b: &[u8], parts: usize) -> Ordering {
    if key.packing == Packing::Fixed {
        match key.first_as_number(parts) {
            Fast::Four(flip) if a.len() >= 4 && b.len() >= 4 => return (be4(a) ^ flip).cmp(&(be4(b) ^ flip)),
            Fast::Eight(flip) if a.len() >= 8 && b.len() >= 8 => {
                return (be8(a) ^ flip).cmp(&(be8(b) ^ flip));
            }
            _ => {}
        }
    }
    compare_parts(&key.segments[..parts.min(key.segments.len())], a, b)
}

/// Compares two flat keys of these parts.
#[inline]
pub(crate) fn compare_parts(segments: &[Segment], mut a: &[u8], mut b: &[u8]) -> Ordering {
    for seg in segments {
        if seg.nullable {
            let (na, nb) = (a.first().copied().unwrap_or(0), b.first().copied().unwrap_or(0));
            a = a.get(1..).unwrap_or(&[]);
            b = b.get(1..).unwrap_or(&[]);
            if na == 0 || nb == 0 {
                match (na != 0).cmp(&(nb != 0)) {
                    Ordering::Equal => continue,
                    o => return if seg.descending { o.reverse() } else { o },
                }
            }
        }
        let (va, vb);
        if seg.counted {
            (va, a) = counted(a);
            (vb, b) = counted(b);
        } else {
            (va, a) = fixed(seg, a);
            (vb, b) = fixed(seg, b);
        }
        let order = compare_values(seg, va, vb);
        if order != Ordering::Equal {
            return if seg.descending { order.reverse() } else { order };
        }
    }
    Ordering::Equal
}

/// The number of leading parts in which two flat keys are the same.
pub(crate) fn same_parts(segments: &[Segment], mut a: &[u8], mut b: &[u8]) -> usize {
    /// The first part, and what is behind it; of a cut key what is there.
    fn split<'k>(seg: &Segment, bytes: &'k [u8]) -> (&'k [u8], &'k [u8]) {
        let end = segment_end(seg, 0, &|i| bytes.get(i).copied());
        bytes.split_at(end.unwrap_or(bytes.len()).min(bytes.len()))
    }
    for (i, seg) in segments.iter().enumerate() {
        let (x, y);
        (x, a) = split(seg, a);
        (y, b) = split(seg, b);
        if x != y && compare_parts(std::slice::from_ref(seg), x, y) != Ordering::Equal {
            return i;
        }
    }
    segments.len()
}

/// Compares two values of a part in their flat form (without length).
#[inline]
fn compare_values(seg: &Segment, a: &[u8], b: &[u8]) -> Ordering {
    use SegmentType::*;
    match seg.ty {
        Int32 => (be4(a) as i32).cmp(&(be4(b) as i32)),
        Uint32 => be4(a).cmp(&be4(b)),
        Int64 => (be8(a) as i64).cmp(&(be8(b) as i64)),
        Uint64 => be8(a).cmp(&be8(b)),
        Int8 | Int16 | Int24 => signed(a, seg.length).cmp(&signed(b, seg.length)),
        Bit | Uint16 | Uint24 => a.cmp(b),
        Float => f32::from_bits(be4(a)).partial_cmp(&f32::from_bits(be4(b))).unwrap_or(Ordering::Equal),
        Double => f64::from_bits(be8(a)).partial_cmp(&f64::from_bits(be8(b))).unwrap_or(Ordering::Equal),
        // CHAR compares as its padded form does, also in NO PAD collations.
        Text => seg.collation.compare_key(a, b, KeyPad::Pad),
        VarText => seg.collation.compare_key(a, b, KeyPad::Own),
        Binary if seg.flag & seg_flag::SPACE_PACK != 0 => compare_padded(a, b),
        Binary | VarBinary => a.cmp(b),
        Num => compare_decimal_text(a, b),
        Carried => Ordering::Equal,
    }
}

pub(super) fn signed(b: &[u8], length: usize) -> i32 {
    let shift = 32 - 8 * length.clamp(1, 4) as u32;
    ((b.iter().fold(0u32, |n, &x| n << 8 | u32::from(x)) << shift) as i32) >> shift
}

/// Bytes with trailing spaces cut off: the shorter value goes on with spaces.
fn compare_padded(a: &[u8], b: &[u8]) -> Ordering {
    let n = a.len().min(b.len());
    let against_space = |rest: &[u8]| {
        rest.iter().map(|x| x.cmp(&b' ')).find(|&o| o != Ordering::Equal).unwrap_or(Ordering::Equal)
    };
    a[..n].cmp(&b[..n]).then_with(|| against_space(&a[n..])).then_with(|| against_space(&b[n..]).reverse())
}

/// Decimal numbers as text: leading spaces, sign, leading zeros.
fn compare_decimal_text(a: &[u8], b: &[u8]) -> Ordering {
    let ((na, ia, fa), (nb, ib, fb)) = (decimal_text(a), decimal_text(b));
    match (na, nb) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (negative, _) => {
            let o = ia.len().cmp(&ib.len()).then_with(|| ia.cmp(ib)).then_with(|| fa.cmp(fb));
            if negative { o.reverse() } else { o }
        }
    }
}

/// A decimal number as text: whether it is negative, its digits in front of the point without leading zeros, those behind it.
pub(super) fn decimal_text(s: &[u8]) -> (bool, &[u8], &[u8]) {
    let s = s.trim_ascii();
    let (negative, s) = match s {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, s),
    };
    let point = s.iter().position(|&c| c == b'.').unwrap_or(s.len());
    let (int, frac) = s.split_at(point);
    let int = &int[int.iter().take_while(|&&c| c == b'0').count()..];
    let frac = frac.strip_prefix(b".").unwrap_or(frac);
    let frac = &frac[..frac.len() - frac.iter().rev().take_while(|&&c| c == b'0').count()];
    (negative && !(int.is_empty() && frac.is_empty()), int, frac)
}

/// Length of the flat key that `b` starts with, or `None` if it is cut or breaks a limit.
#[inline]
pub(crate) fn flat_length(key: &KeyInfo, b: &[u8]) -> Option<usize> {
    flat_length_by(key, |i| b.get(i).copied()).filter(|&n| n <= b.len())
}

/// As [`flat_length`], for bytes reached through `at`. The value bytes themselves are not looked at.
#[inline]
pub(crate) fn flat_length_by(key: &KeyInfo, at: impl Fn(usize) -> Option<u8>) -> Option<usize> {
    let mut n = 0;
    for seg in &key.segments {
        n = segment_end(seg, n, &at)?;
    }
    Some(n)
}

/// End of the part that starts at `n`.
#[inline]
pub(crate) fn segment_end(seg: &Segment, mut n: usize, at: &impl Fn(usize) -> Option<u8>) -> Option<usize> {
    if seg.nullable {
        n += 1;
        match at(n - 1)? {
            0 => return Some(n),
            1 => {}
            _ => return None,
        }
    }
    if !seg.counted {
        return Some(n + seg.length);
    }
    let mut len = usize::from(at(n)?);
    n += 1;
    if len == 255 {
        len = usize::from(at(n)?) << 8 | usize::from(at(n + 1)?);
        n += 2;
    }
    (len <= seg.length).then_some(n + len)
}

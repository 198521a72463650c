//! The values of a key as digits: 64-bit numbers, the most significant first, in whose order the entries are. Sorting looks at one digit of
//! all entries after the other, which costs less than comparing entries part by part with the rules of their types.

use charset::KeyPad;

use super::compare::{be4, be8, counted, fixed, signed};
use super::{KeyInfo, Segment, SegmentType};
use crate::myi::seg_flag;
use crate::row::view::trim_spaces;

/// Which digit: of a part, from a byte of its value on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub part: usize,
    offset: usize,
}

/// The place behind the digits of a value whose length decides between values that are otherwise the same.
const LENGTH: usize = usize::MAX;

impl Place {
    /// Whether it is the first digit of a value.
    pub fn is_first(self) -> bool {
        self.offset == 0
    }

    /// The place that follows, for entries that are the same up to this one; `more`: the digit was not the last of all their values.
    pub fn next(self, key: &KeyInfo, more: bool) -> Place {
        let seg = &key.segments[self.part];
        let offset = match self.offset {
            // a bit of the first digit says that the value is not NULL
            0 if more => 8 - usize::from(seg.nullable),
            n if more => n + 8,
            n if n != LENGTH && !is_padded(seg) => LENGTH,
            _ => return Place { part: self.part + 1, offset: 0 },
        };
        Place { offset, ..self }
    }
}

/// Whether values of different lengths may be equal, or all have the same length.
fn is_padded(seg: &Segment) -> bool {
    match seg.ty {
        SegmentType::VarText => seg.collation.pad_space,
        SegmentType::VarBinary => false,
        SegmentType::Binary => !seg.counted || seg.flag & seg_flag::SPACE_PACK != 0,
        _ => true,
    }
}

/// The value of a part in a flat key; none if it is NULL.
fn value_of<'a>(key: &KeyInfo, part: usize, mut flat: &'a [u8]) -> Option<&'a [u8]> {
    for (i, seg) in key.segments.iter().enumerate().take(part + 1) {
        let mut value = Some(());
        if seg.nullable {
            value = flat.first().filter(|there| **there != 0).map(|_| ());
            flat = flat.get(1..).unwrap_or(&[]);
        }
        let bytes: &[u8];
        match value {
            None => bytes = &[],
            Some(()) if seg.counted => (bytes, flat) = counted(flat),
            Some(()) => (bytes, flat) = fixed(seg, flat),
        }
        if i == part {
            return value.map(|()| bytes);
        }
    }
    None
}

/// What there is behind a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing of the value.
    End,
    /// More digits of the value.
    More,
    /// Only a comparison tells the order. The first digit of a value is one all the same, others are none.
    Unknown,
}

/// The digit of an entry at a place, and what is behind it.
#[inline]
pub(crate) fn digit(key: &KeyInfo, flat: &[u8], place: Place) -> (u64, Rest) {
    let Some(seg) = key.segments.get(place.part) else { return (0, Rest::End) };
    let (number, rest) = match value_of(key, place.part, flat) {
        None => (0, Rest::End),
        Some(value) => {
            let (number, length) = digit_of(seg, value, place.offset);
            let first = place.offset == 0;
            // NULL is before all values
            let up = if seg.nullable && first { 1 << 63 | number >> 1 } else { number };
            let behind = if first { 8 - usize::from(seg.nullable) } else { place.offset.saturating_add(8) };
            let rest = length.map_or(Rest::Unknown, |n| if n > behind { Rest::More } else { Rest::End });
            (up, rest)
        }
    };
    (if seg.descending { !number } else { number }, rest)
}

/// The digit of a value that is not NULL, and the number of bytes that its digits are made of, where they tell all.
fn digit_of(seg: &Segment, value: &[u8], offset: usize) -> (u64, Option<usize>) {
    use SegmentType::*;
    if offset == LENGTH {
        return (value.len() as u64, Some(0));
    }
    let (number, bytes) = match seg.ty {
        Int32 | Int8 | Int16 | Int24 => {
            (u64::from(signed(value, seg.length).cast_unsigned() ^ 1 << 31) << 32, 4)
        }
        Int64 => (leading(value, 0) ^ 1 << 63, 8),
        Uint64 | Uint32 | Uint24 | Uint16 => (leading(value, 0), seg.length),
        Text => return text_digit(seg, value, offset, KeyPad::Pad),
        VarText => return text_digit(seg, value, offset, KeyPad::Own),
        Binary if seg.flag & seg_flag::SPACE_PACK != 0 => {
            return (leading(value.get(offset..).unwrap_or(&[]), b' '), Some(value.len()));
        }
        Bit | Binary | VarBinary => {
            return (leading(value.get(offset..).unwrap_or(&[]), 0), Some(value.len()));
        }
        Float => match float_digit(f64::from(f32::from_bits(be4(value)))) {
            Some(number) => (number, 8),
            None => return (0, None),
        },
        Double => match float_digit(f64::from_bits(be8(value))) {
            Some(number) => (number, 8),
            None => return (0, None),
        },
        Carried => (0, 0),
        Num => return (0, None),
    };
    // what a bit for NULL has pushed out of the first digit
    (if offset == 0 { number } else { number << (8 * offset).min(63) }, Some(bytes))
}

fn text_digit(seg: &Segment, value: &[u8], offset: usize, pad: KeyPad) -> (u64, Option<usize>) {
    let Some(digit) = seg.collation.key_prefix_from(value, offset, pad) else {
        return (if offset == 0 { seg.collation.key_prefix(value, pad) } else { 0 }, None);
    };
    // padding says nothing
    let value = if is_padded(seg) { trim_spaces(value) } else { value };
    (digit, Some(value.len()))
}

/// The digit of a number; none for what is no number.
fn float_digit(number: f64) -> Option<u64> {
    let bits = if number == 0.0 { 0 } else { number.to_bits() };
    let up = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
    (!number.is_nan()).then_some(up)
}

/// The first bytes of a value, which goes on with `fill`.
fn leading(value: &[u8], fill: u8) -> u64 {
    if let Some(first) = value.first_chunk::<8>() {
        return u64::from_be_bytes(*first);
    }
    let mut bytes = [fill; 8];
    bytes.iter_mut().zip(value).for_each(|(to, b)| *to = *b);
    u64::from_be_bytes(bytes)
}

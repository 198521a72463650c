//! The weights of an entry: bytes in whose order entries are as their values are by the rules of their types, and by their row pointers where
//! those are the same. Sorting and merging look at nothing else.

use charset::{Collation, KeyPad};

use super::compare::{be4, be8, counted, decimal_text, fixed};
use super::{KeyInfo, Segment, SegmentType};
use crate::myi::seg_flag;

/// A collation of bytes that goes on with spaces.
const PADDED_BYTES: u16 = 47;

/// Appends the weights of an entry, whose flat key has length `flat`.
pub(crate) fn put_weights(key: &KeyInfo, entry: &[u8], flat: usize, out: &mut Vec<u8>) {
    let mut rest = &entry[..flat];
    for seg in &key.segments {
        let start = out.len();
        let mut there = true;
        if seg.nullable {
            // NULL is before all values
            there = rest.first().is_some_and(|b| *b != 0);
            rest = rest.get(1..).unwrap_or(&[]);
            out.push(u8::from(there));
        }
        if there {
            let value;
            (value, rest) = if seg.counted { counted(rest) } else { fixed(seg, rest) };
            put_value(seg, value, out);
        }
        if seg.descending {
            out[start..].iter_mut().for_each(|b| *b = !*b);
        }
    }
    out.extend_from_slice(&entry[flat..]);
}

#[inline]
fn put_value(seg: &Segment, value: &[u8], out: &mut Vec<u8>) {
    use SegmentType::*;
    let start = out.len();
    match seg.ty {
        Int32 if value.len() == 4 => out.extend_from_slice(&(be4(value) ^ 1 << 31).to_be_bytes()),
        Int8 | Int16 | Int24 | Int32 | Int64 => {
            out.extend_from_slice(value);
            if let Some(first) = out.get_mut(start) {
                *first ^= 0x80;
            }
        }
        Uint16 | Uint24 | Uint32 | Uint64 => out.extend_from_slice(value),
        Float => put_float(f64::from(f32::from_bits(be4(value))), out),
        Double => put_float(f64::from_bits(be8(value)), out),
        Text => seg.collation.key_weights(value, KeyPad::Pad, out),
        VarText => seg.collation.key_weights(value, KeyPad::Own, out),
        Binary if seg.flag & seg_flag::SPACE_PACK != 0 => match Collation::by_id(PADDED_BYTES) {
            Some(padded) => padded.key_weights(value, KeyPad::Pad, out),
            None => put_bytes(value, out),
        },
        Bit | Binary | VarBinary if !seg.counted => out.extend_from_slice(value),
        Bit | Binary | VarBinary => put_bytes(value, out),
        Num => put_decimal_text(value, out),
        Carried => {}
    }
}

/// Bytes that none begins another.
fn put_bytes(value: &[u8], out: &mut Vec<u8>) {
    for b in value {
        out.push(*b);
        if *b == 0 {
            out.push(1);
        }
    }
    out.extend_from_slice(&[0, 0]);
}

fn put_float(number: f64, out: &mut Vec<u8>) {
    let bits = if number == 0.0 { 0 } else { number.to_bits() };
    let up = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
    out.extend_from_slice(&up.to_be_bytes());
}

fn put_decimal_text(value: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let (negative, whole, fraction) = decimal_text(value);
    out.push(0);
    out.extend_from_slice(&(whole.len() as u16).to_be_bytes());
    out.extend_from_slice(whole);
    put_bytes(fraction, out);
    if negative {
        out[start..].iter_mut().for_each(|b| *b = !*b);
    }
    out[start] = u8::from(!negative);
}

/// Eight of the weights, from a place on.
#[inline]
pub(crate) fn digit(weights: &[u8], at: usize) -> u64 {
    let rest = weights.get(at..).unwrap_or(&[]);
    if let Some(eight) = rest.first_chunk::<8>() {
        return u64::from_be_bytes(*eight);
    }
    let mut bytes = [0; 8];
    bytes[..rest.len()].copy_from_slice(rest);
    u64::from_be_bytes(bytes)
}

/// Number of bytes from `from` on, and of those before it, that are the same.
#[inline]
pub(crate) fn common_from(a: &[u8], b: &[u8], from: usize) -> usize {
    let n = a.len().min(b.len());
    let mut at = from;
    while at + 8 <= n {
        let differ = digit(a, at) ^ digit(b, at);
        if differ != 0 {
            return at + (differ.leading_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < n && a[at] == b[at] {
        at += 1;
    }
    at
}

//! From a flat key back to column values, for reads that need no row.

use super::compare::{counted, segment_end};
use super::{KeyInfo, SegmentType};
use crate::myi::seg_flag;

/// Stored bytes of part `part` of a flat key, or `None` for NULL (or for a key that is cut). Numbers are turned around in
/// `scratch`. They are the column's whole value if the part covers it ([`super::Segment::covers`]).
#[must_use]
pub fn part<'a>(key: &KeyInfo, flat: &'a [u8], part: usize, scratch: &'a mut [u8; 8]) -> Option<&'a [u8]> {
    let at = |i: usize| flat.get(i).copied();
    let mut start = 0;
    for seg in key.segments.get(..part)? {
        start = segment_end(seg, start, &at)?;
    }
    let seg = key.segments.get(part)?;
    let mut bytes = flat.get(start..)?;
    if seg.nullable {
        let (&indicator, rest) = bytes.split_first()?;
        if indicator == 0 {
            return None;
        }
        bytes = rest;
    }
    if seg.counted {
        return Some(counted(bytes).0);
    }
    let value = bytes.get(..seg.length)?;
    if seg.flag & seg_flag::SWAP_KEY != 0 {
        let out = scratch.get_mut(..seg.length)?;
        for (o, b) in out.iter_mut().zip(value.iter().rev()) {
            *o = *b;
        }
        return Some(out);
    }
    Some(match (seg.ty, seg.pad) {
        (SegmentType::Text, Some(pad)) => pad.trim(value),
        _ => value,
    })
}

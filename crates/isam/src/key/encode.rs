//! From a row's columns to the flat key.

use super::{KeyInfo, Segment, SegmentType};
use crate::myi::seg_flag;
use crate::row::RowView;
use crate::row::view::Pad;

/// Appends the flat key of the first parts: stored bytes of each part's column, `None` = NULL.
pub fn encode<'v>(key: &KeyInfo, values: impl IntoIterator<Item = Option<&'v [u8]>>, out: &mut Vec<u8>) {
    for (seg, value) in key.segments.iter().zip(values) {
        encode_part(seg, value, out);
    }
}

/// Appends the flat key of a row; true if some part is NULL.
#[inline]
pub fn encode_row(key: &KeyInfo, row: &RowView<'_>, out: &mut Vec<u8>) -> bool {
    if let (Some(hash), Some(seg)) = (&key.long_hash, key.segments.first()) {
        let value = hash.of(row).map(|hash| u64::from(hash).to_le_bytes());
        encode_part(seg, value.as_ref().map(<[u8; 8]>::as_slice), out);
        return value.is_none();
    }
    let mut null = false;
    for seg in &key.segments {
        let value = row.column(seg.column);
        null |= value.is_none();
        encode_part(seg, value, out);
    }
    null
}

/// Appends one part.
#[inline]
pub(crate) fn encode_part(seg: &Segment, value: Option<&[u8]>, out: &mut Vec<u8>) {
    let value = match (value, seg.nullable) {
        (None, true) => {
            out.push(0);
            return;
        }
        (Some(v), true) => {
            out.push(1);
            v
        }
        (Some(v), false) => v,
        (None, false) => &[],
    };
    if seg.flag & seg_flag::SWAP_KEY != 0 {
        let start = out.len();
        let n = value.len().min(seg.length);
        out.resize(start + seg.length - n, 0);
        out.extend(value[..n].iter().rev());
        let nan = match seg.ty {
            SegmentType::Float => is_nan4(&out[start..]),
            SegmentType::Double => is_nan8(&out[start..]),
            _ => false,
        };
        if nan {
            out[start..].fill(0);
        }
        return;
    }
    if seg.counted {
        let mut v = cut(seg, value);
        if seg.flag & seg_flag::SPACE_PACK != 0 {
            v = match seg.ty {
                SegmentType::Num => &v[v.iter().take_while(|&&c| c == b' ').count()..],
                // The binary collation knows no spaces.
                SegmentType::Binary => v,
                _ => seg.pad.unwrap_or(Pad::Space).trim(v),
            };
        }
        put_counted(v, out);
        return;
    }
    if seg.pad.is_some() {
        fixed_text(seg, value, out);
        return;
    }
    let n = value.len().min(seg.length);
    out.extend_from_slice(&value[..n]);
    out.resize(out.len() + seg.length - n, 0);
}

/// As much of a value as goes into the key.
fn cut<'a>(seg: &Segment, value: &'a [u8]) -> &'a [u8] {
    let mut n = value.len().min(seg.length);
    if let Some(chars) = seg.chars
        && n > chars
    {
        n = seg.collation.charset.prefix(&value[..n], chars).min(n);
    }
    &value[..n]
}

/// Text of fixed length, padded with spaces.
fn fixed_text(seg: &Segment, value: &[u8], out: &mut Vec<u8>) {
    let v = cut(seg, value);
    out.extend_from_slice(v);
    let missing = seg.length - v.len();
    let unit = seg.pad.unwrap_or(Pad::Space).bytes();
    if unit.len() == 1 {
        out.resize(out.len() + missing, b' ');
    } else {
        out.extend(unit.iter().copied().cycle().take(missing));
    }
}

fn put_counted(v: &[u8], out: &mut Vec<u8>) {
    put_length(v.len(), out);
    out.extend_from_slice(v);
}

/// A length of one byte, or of three from 255 on.
#[inline]
pub(crate) fn put_length(n: usize, out: &mut Vec<u8>) {
    if n < 255 {
        out.push(n as u8);
    } else {
        out.push(255);
        out.extend_from_slice(&(n as u16).to_be_bytes());
    }
}

fn is_nan4(b: &[u8]) -> bool {
    b.first_chunk::<4>().is_some_and(|c| f32::from_be_bytes(*c).is_nan())
}

fn is_nan8(b: &[u8]) -> bool {
    b.first_chunk::<8>().is_some_and(|c| f64::from_be_bytes(*c).is_nan())
}

//! The packed form of a row, as dynamic tables store it.

use super::view::{
    ColumnForm, Pad, RowLayout, RowView, Source, Span, StoredColumn, odd_bits, set_odd_bits, trim_spaces,
};
use crate::error::{Error, Result};
use crate::myi::ColumnKind;

/// Longest run a one-byte count of left bytes holds when two bytes are possible.
const SHORT: usize = 127;

/// Bytes of the row itself.
#[inline]
fn here(start: usize, len: usize) -> Span {
    Span { start: start as u32, len: len as u32, source: Source::Row }
}

#[inline]
fn is_null(s: &StoredColumn, nulls: &[u8]) -> bool {
    s.null_mask != 0 && nulls[s.null_pos as usize] & s.null_mask != 0
}

/// The next `n` bytes from position `at`.
#[inline]
fn take(bytes: &[u8], at: &mut usize, n: usize) -> Option<Span> {
    let start = *at;
    if n > bytes.len() - start {
        return None;
    }
    *at = start + n;
    Some(here(start, n))
}

#[inline]
fn byte(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let b = *bytes.get(*at)?;
    *at += 1;
    Some(usize::from(b))
}

/// Count of bytes left in a space-stripped column.
#[inline]
pub(super) fn left_count(bytes: &[u8], at: &mut usize, length: usize) -> Option<usize> {
    let mut n = byte(bytes, at)?;
    if length > 255 && n & 128 != 0 {
        n = n & SHORT | byte(bytes, at)? << 7;
    }
    (n <= length).then_some(n)
}

/// Notes where each column of the packed row `bytes` lies.
#[inline]
pub(crate) fn unpack(
    layout: &RowLayout,
    bytes: &[u8],
    spans: &mut Vec<Span>,
    extra: &mut Vec<u8>,
) -> Result<()> {
    match places(layout, bytes, spans, extra) {
        Some(end) if end + usize::from(layout.checksum) == bytes.len() => Ok(()),
        _ => Err(Error::row(0, "packed row does not fit its columns")),
    }
}

/// As [`unpack`]; returns where the columns end.
fn places(layout: &RowLayout, bytes: &[u8], spans: &mut Vec<Span>, extra: &mut Vec<u8>) -> Option<usize> {
    // a column that is stored gets its place below, whatever the row before had there
    if !layout.all_stored || spans.len() != layout.columns.len() {
        spans.clear();
        spans.resize(layout.columns.len(), Span::default());
    }
    extra.clear();
    let mut at = layout.pack_bits;
    if at + layout.null_bytes + usize::from(layout.checksum) > bytes.len() {
        return None;
    }
    let nulls = &bytes[at..];
    let mut bit = 0;
    for s in &layout.stored {
        let mut packed = false;
        if s.kind.has_pack_bit() {
            packed = bytes[bit >> 3] >> (bit & 7) & 1 == 1;
            bit += 1;
        }
        // kept as numbers: a `Span` that goes through memory is waited for
        let length = s.length as usize;
        let counted = match (s.kind, packed) {
            (ColumnKind::Varchar, _) if length <= 256 => byte(bytes, &mut at)?,
            (ColumnKind::SkipEndSpace, true) if s.form == ColumnForm::Char(Pad::Space) => {
                left_count(bytes, &mut at, length)?
            }
            (ColumnKind::Varchar | ColumnKind::Blob, _) | (_, true) => {
                let span = packed_span(s, packed, bytes, &mut at, extra)?;
                if let Some(column) = s.column {
                    spans[column as usize] = if is_null(s, nulls) {
                        Span::default()
                    } else {
                        value_span(s, span, bytes, nulls, extra)
                    };
                }
                continue;
            }
            _ => length,
        };
        let start = at;
        if counted > length || counted > bytes.len() - start {
            return None;
        }
        at += counted;
        let Some(column) = s.column else { continue };
        let place = &mut spans[column as usize];
        if is_null(s, nulls) {
            *place = Span::default();
            continue;
        }
        let counted = match s.form {
            ColumnForm::Plain | ColumnForm::Varchar(_) => counted,
            ColumnForm::Char(Pad::Space) => trim_spaces(&bytes[start..at]).len(),
            _ => {
                *place = value_span(s, here(start, counted), bytes, nulls, extra);
                continue;
            }
        };
        // part by part: together they would go through the stack, and be waited for
        place.start = start as u32;
        place.len = counted as u32;
        place.source = Source::Row;
    }
    bare_values(layout, nulls, spans, extra);
    Some(at)
}

/// Notes the values of columns that have no bytes of their own.
#[inline]
pub(super) fn bare_values(layout: &RowLayout, nulls: &[u8], spans: &mut [Span], extra: &mut Vec<u8>) {
    for &i in &layout.bare {
        let c = &layout.columns[i as usize];
        if c.null_mask != 0 && nulls[c.null_pos as usize] & c.null_mask != 0 {
            continue;
        }
        spans[i as usize] = if let ColumnForm::Bit { at, count } = c.form {
            extra.push(odd_bits(nulls, at, count));
            Span { start: extra.len() as u32 - 1, len: 1, source: Source::Extra }
        } else {
            Span { start: 0, len: 0, source: Source::Zero }
        };
    }
}

/// Where the bytes of a stored column are that begins at position `at`, which moves behind it.
fn packed_span(
    s: &StoredColumn,
    packed: bool,
    bytes: &[u8],
    at: &mut usize,
    extra: &mut Vec<u8>,
) -> Option<Span> {
    let length = s.length as usize;
    match (s.kind, packed) {
        (ColumnKind::SkipZero, true) => Some(Span { start: 0, len: s.length, source: Source::Zero }),
        (ColumnKind::SkipEndSpace, true) => {
            let n = left_count(bytes, at, length)?;
            let span = take(bytes, at, n)?;
            // the stripped spaces are the padding
            if s.form == ColumnForm::Char(Pad::Space) {
                return Some(span);
            }
            let start = extra.len() as u32;
            extra.extend_from_slice(&bytes[span.start as usize..*at]);
            extra.resize(start as usize + length, b' ');
            Some(Span { start, len: s.length, source: Source::Extra })
        }
        (ColumnKind::SkipPreSpace, true) => {
            let n = left_count(bytes, at, length)?;
            let span = take(bytes, at, n)?;
            let start = extra.len();
            extra.resize(start + length - n, b' ');
            extra.extend_from_slice(&bytes[span.start as usize..*at]);
            Some(Span { start: start as u32, len: s.length, source: Source::Extra })
        }
        (ColumnKind::Blob, true) => Some(Span { start: 0, len: 0, source: Source::Zero }),
        (ColumnKind::Blob, false) => {
            let mut n = 0;
            for i in 0..length.saturating_sub(8) {
                n |= byte(bytes, at)? << (8 * i);
            }
            take(bytes, at, n)
        }
        (ColumnKind::Varchar, _) => {
            let mut n = byte(bytes, at)?;
            if length > 256 && n == 255 {
                n = byte(bytes, at)? << 8;
                n |= byte(bytes, at)?;
            }
            if n > length { None } else { take(bytes, at, n) }
        }
        _ => take(bytes, at, length),
    }
}

/// Where the value of a column is whose stored bytes are at `span`.
pub(super) fn value_span(
    s: &StoredColumn,
    mut span: Span,
    bytes: &[u8],
    nulls: &[u8],
    extra: &mut Vec<u8>,
) -> Span {
    let (start, len) = (span.start as usize, span.len as usize);
    match s.form {
        ColumnForm::Char(pad) if span.source != Source::Zero => {
            let from = if span.source == Source::Row { bytes } else { &extra[..] };
            span.len = pad.trim(&from[start..start + len]).len() as u32;
        }
        ColumnForm::Bit { at, count } => {
            let place = extra.len() as u32;
            extra.push(odd_bits(nulls, at, count));
            match span.source {
                Source::Row => extra.extend_from_slice(&bytes[start..][..s.length as usize]),
                _ => extra.resize(extra.len() + s.length as usize, 0),
            }
            span = Span { start: place, len: s.length + 1, source: Source::Extra };
        }
        _ => {}
    }
    span
}

/// NULL bytes of a row.
pub(crate) fn null_area(row: &RowView<'_>, out: &mut Vec<u8>) {
    let layout = row.layout;
    let start = out.len();
    out.extend_from_slice(&layout.empty[..layout.null_bytes]);
    let area = &mut out[start..];
    for (i, c) in layout.columns.iter().enumerate() {
        match row.column(i) {
            None => {
                // what a virtual column was when the row was written stays in the file, whatever it is now
                let known =
                    matches!(c.form, ColumnForm::Virtual(_)).then(|| row.nulls.get(c.null_pos as usize));
                if c.null_mask != 0 && known.flatten().is_none_or(|b| b & c.null_mask != 0) {
                    area[c.null_pos as usize] |= c.null_mask;
                }
            }
            Some(v) => {
                if let ColumnForm::Bit { at, count } = c.form {
                    let whole = c.length as usize;
                    let odd = if v.len() > whole { v[v.len() - whole - 1] } else { 0 };
                    set_odd_bits(area, at, count, odd);
                }
            }
        }
    }
}

/// Appends the value of a stored column of fixed width as the row image has it, padded to its length.
pub(crate) fn image_value(row: &RowView<'_>, s: &StoredColumn, out: &mut Vec<u8>) {
    let length = s.length as usize;
    let empty = &row.layout.empty[s.offset as usize..][..length];
    let Some(column) = s.column else {
        out.extend_from_slice(empty);
        return;
    };
    let Some(value) = row.column(column as usize) else {
        out.extend_from_slice(empty);
        return;
    };
    match row.layout.columns[column as usize].form {
        ColumnForm::Char(pad) => {
            let n = value.len().min(length);
            out.extend_from_slice(&value[..n]);
            pad_to(out, pad, length - n);
        }
        // Numbers are aligned to the right, as big-endian ones must be; those of full length are the rule.
        ColumnForm::Bit { .. } => {
            let n = value.len().min(length);
            out.resize(out.len() + length - n, 0);
            out.extend_from_slice(&value[value.len() - n..]);
        }
        ColumnForm::Varchar(w) => {
            let w = usize::from(w);
            let n = value.len().min(length - w);
            out.extend_from_slice(&(n as u16).to_le_bytes()[..w]);
            out.extend_from_slice(&value[..n]);
            out.resize(out.len() + length - w - n, 0);
        }
        _ => {
            let n = value.len().min(length);
            out.extend_from_slice(&value[..n]);
            out.resize(out.len() + length - n, 0);
        }
    }
}

fn pad_to(out: &mut Vec<u8>, pad: Pad, n: usize) {
    let unit = pad.bytes();
    if unit.len() == 1 {
        out.resize(out.len() + n, b' ');
    } else {
        out.extend(unit.iter().copied().cycle().take(n));
    }
}

/// Appends the row image (fixed tables; BLOB columns get their empty value).
pub(crate) fn image(row: &RowView<'_>, out: &mut Vec<u8>) {
    let layout = row.layout;
    if row.spans.is_empty() {
        out.extend_from_slice(&row.bytes[..layout.reclength]);
        return;
    }
    let start = out.len();
    out.reserve(layout.reclength);
    null_area(row, out);
    for s in &layout.stored {
        if s.offset as usize >= layout.null_bytes {
            image_value(row, s, out);
        }
    }
    out.resize(start + layout.reclength, 0);
}

/// Appends the packed form of the row, without the checksum byte.
pub(crate) fn pack(row: &RowView<'_>, out: &mut Vec<u8>) -> Result<()> {
    let layout = row.layout;
    let start = out.len();
    out.reserve(layout.pack_bits + row.bytes.len());
    out.resize(start + layout.pack_bits, 0);
    let mut bit = 0;
    for s in &layout.stored {
        let length = s.length as usize;
        let value = s.column.and_then(|c| row.column(c as usize));
        let at = out.len();
        let packed = match s.kind {
            ColumnKind::SkipZero => {
                image_value(row, s, out);
                let zero = out[at..].iter().all(|&b| b == 0);
                if zero {
                    out.truncate(at);
                }
                zero
            }
            ColumnKind::SkipEndSpace => {
                image_value(row, s, out);
                let n = trim_spaces(&out[at..]).len();
                let count = count_bytes(n, length);
                let packed = n + count < length;
                if packed {
                    out.copy_within(at..at + n, at + count);
                    put_count(&mut out[at..at + count], n);
                    out.truncate(at + count + n);
                }
                packed
            }
            ColumnKind::SkipPreSpace => {
                image_value(row, s, out);
                let lead = out[at..].iter().take_while(|&&b| b == b' ').count();
                let n = length - lead;
                let count = count_bytes(n, length);
                let packed = n + count < length;
                if packed {
                    out.copy_within(at + lead..at + length, at + count);
                    put_count(&mut out[at..at + count], n);
                    out.truncate(at + count + n);
                }
                packed
            }
            ColumnKind::Blob => {
                let value = value.unwrap_or(&[]);
                put_blob(value, length, out)?;
                value.is_empty()
            }
            ColumnKind::Varchar => {
                put_varchar(value.unwrap_or(&[]), length, out)?;
                false
            }
            _ if s.column.is_none() && s.offset == 0 && length == layout.null_bytes => {
                null_area(row, out);
                false
            }
            _ => {
                image_value(row, s, out);
                false
            }
        };
        if s.kind.has_pack_bit() {
            if packed {
                out[start + (bit >> 3)] |= 1 << (bit & 7);
            }
            bit += 1;
        }
    }
    Ok(())
}

#[inline]
fn put_blob(value: &[u8], length: usize, out: &mut Vec<u8>) -> Result<()> {
    if !value.is_empty() {
        let width = length.saturating_sub(8).min(8);
        if (value.len() as u64) >> (8 * width) != 0 {
            return Err(Error::RowTooBig);
        }
        out.extend_from_slice(&(value.len() as u64).to_le_bytes()[..width]);
        out.extend_from_slice(value);
    }
    Ok(())
}

#[inline]
fn put_varchar(value: &[u8], length: usize, out: &mut Vec<u8>) -> Result<()> {
    if value.len() > length {
        return Err(Error::RowTooBig);
    }
    if length <= 256 || value.len() < 255 {
        out.push(value.len() as u8);
    } else {
        out.push(255);
        out.extend_from_slice(&(value.len() as u16).to_be_bytes());
    }
    out.extend_from_slice(value);
    Ok(())
}

fn count_bytes(n: usize, length: usize) -> usize {
    if length > 255 && n > SHORT { 2 } else { 1 }
}

fn put_count(out: &mut [u8], n: usize) {
    match out {
        [one] => *one = n as u8,
        [low, high] => {
            *low = (n & SHORT | 128) as u8;
            *high = (n >> 7) as u8;
        }
        _ => {}
    }
}

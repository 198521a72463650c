//! Searching pages of compressed entries: without putting each together where their first parts are compressed
//! ([`Packing::String`](crate::key::Packing)), without comparing each where they are compressed as a whole.
//!
//! All entries before the place looked for are less than the value. Where one is found less at some byte, and the next one shares that
//! byte with it, the next one is less as well, and nothing but its head is read. Else it shares only bytes that equal those of the value,
//! so that the comparison goes on behind them, with the bytes in the page.

use std::cmp::Ordering;

use charset::ByteOrder;

use super::page::Page;
use crate::error::Result;
use crate::key::compare::compare_parts;
use crate::key::pack::{Entry, StringHead, first_value};
use crate::key::{KeyInfo, Tie};

/// As [`Page::search`]. None where a byte that decides is not compared by itself, or where NULL is looked for.
#[inline]
pub(super) fn search(
    page: &Page<'_>,
    key: &KeyInfo,
    order: &ByteOrder,
    flat: &[u8],
    parts: usize,
    tie: Tie<'_>,
    entry: &mut Entry,
) -> Result<Option<(usize, usize)>> {
    let (Some(value), others) = first_value(key, flat) else { return Ok(None) };
    let corrupt = || page.corrupt();
    let bytes = page.bytes;
    let segments = &key.segments[1..parts.clamp(1, key.segments.len())];
    entry.clear();
    // Bytes of the value of the entry before; those of the entry looked at last that equal the sought one's, which are all when they are
    // the same value. What that entry's value is stands in `entry`.
    let (mut length, mut decided, mut same) = (0, 0, false);
    let mut at = page.first();
    while at < page.end() {
        let head = StringHead::read(key, bytes, at, length).ok_or_else(corrupt)?;
        let (end, next) = head.rest(key, bytes, page.nod).ok_or_else(corrupt)?;
        length = head.shared + head.more;
        if head.null {
            (length, decided, same) = (0, 0, false);
            entry.bytes.clear();
        } else if same || head.shared <= decided {
            let suffix = &bytes[head.at..head.at + head.more];
            let found = if same && head.repeats {
                (Ordering::Equal, 0)
            } else {
                let from = head.shared.min(value.len());
                let Some(found) = order.compare(suffix, &value[from..]) else { return Ok(None) };
                found
            };
            let rest = &bytes[head.at + head.more..next];
            let all = found.0.then_with(|| {
                let tied = || tie.order(&rest[end..end + key.rec_ref]);
                compare_parts(segments, &rest[..end], others).then_with(tied)
            });
            if all != Ordering::Less {
                entry.complete(key, bytes, &head, page.nod).ok_or_else(corrupt)?;
                return Ok(Some((at, next)));
            }
            (decided, same) = (head.shared + found.1, found.0 == Ordering::Equal);
            entry.bytes.truncate(head.shared);
            entry.bytes.extend_from_slice(suffix);
        }
        at = next;
    }
    entry.clear();
    Ok(Some((at, at)))
}

/// As [`search`], where whole entries are compressed ([`Packing::Binary`](crate::key::Packing)): one that shares more bytes than those that
/// decided about the entry before is less as well, and is not compared.
pub(super) fn search_whole(
    page: &Page<'_>,
    key: &KeyInfo,
    order: &ByteOrder,
    flat: &[u8],
    parts: usize,
    tie: Tie<'_>,
    entry: &mut Entry,
) -> Result<Option<(usize, usize)>> {
    let (Some(value), others) = first_value(key, flat) else { return Ok(None) };
    let segments = &key.segments[1..parts.clamp(1, key.segments.len())];
    entry.clear();
    // Bytes of an entry that are enough to know that it is less; those of the head and value of an entry whose value is the sought one.
    let (mut decided, mut same) = (usize::MAX, usize::MAX);
    let mut at = page.first();
    while at < page.end() {
        let next = entry.read(key, page.bytes, at, page.nod).ok_or_else(|| page.corrupt())?;
        if entry.shared > decided {
            at = next;
            continue;
        }
        let (first, rest) = first_value(key, entry.key());
        let found = match first {
            None => (Ordering::Less, 0),
            Some(_) if entry.shared >= same => (Ordering::Equal, 0),
            Some(first) => {
                let Some(found) = order.compare(first, value) else { return Ok(None) };
                found
            }
        };
        let all = found
            .0
            .then_with(|| compare_parts(segments, rest, others).then_with(|| tie.order(entry.pointer(key))));
        if all != Ordering::Less {
            return Ok(Some((at, next)));
        }
        let (end, length) = (entry.flat - rest.len(), first.map_or(0, <[u8]>::len));
        (decided, same) = match found.0 {
            Ordering::Equal => (usize::MAX, end),
            _ => (end - length + found.1, usize::MAX),
        };
        at = next;
    }
    Ok(Some((at, at)))
}

/// Reads the entry in front of `place`; gives where it begins. None where no entry ends there.
pub(super) fn entry_before(page: &Page<'_>, key: &KeyInfo, place: usize, entry: &mut Entry) -> Option<usize> {
    let bytes = page.bytes;
    entry.clear();
    let (mut at, mut length) = (page.first(), 0);
    while at < place {
        let head = StringHead::read(key, bytes, at, length)?;
        let (_, next) = head.rest(key, bytes, page.nod)?;
        if next == place {
            entry.complete(key, bytes, &head, page.nod)?;
            return Some(at);
        }
        if head.null {
            entry.bytes.clear();
        } else {
            entry.bytes.truncate(head.shared);
            entry.bytes.extend_from_slice(&bytes[head.at..head.at + head.more]);
        }
        length = if head.null { 0 } else { head.shared + head.more };
        at = next;
    }
    None
}

//! Entries as they lie in a page: plain, with the first part compressed, or wholly compressed against the entry before.

use super::compare::{counted, flat_length, flat_length_by, segment_end};
use super::encode::put_length;
use super::weights::common_from;
use super::{KeyInfo, Packing};

/// An entry taken out of a page: flat key, row pointer and, in a node, the child pointer that follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entry {
    /// Flat key + row pointer + child pointer.
    pub bytes: Vec<u8>,
    /// Bytes of the flat key.
    pub flat: usize,
    /// Bytes it shares with the entry before, as stored (of the first part's value for [`Packing::String`]; an identical value
    /// counts with its full length).
    pub shared: usize,
    /// [`Packing::String`]: stored as "the same value as before".
    pub repeats: bool,
    /// [`Packing::String`]: place of the first part's value in `bytes`.
    value: (usize, usize),
}

impl Entry {
    /// Flat key.
    pub fn key(&self) -> &[u8] {
        &self.bytes[..self.flat]
    }

    /// Row pointer bytes.
    pub fn pointer(&self, key: &KeyInfo) -> &[u8] {
        &self.bytes[self.flat..self.flat + key.rec_ref]
    }

    /// Forgets the entry: what is read next is the first of a page.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.flat = 0;
        self.shared = 0;
        self.repeats = false;
        self.value = (0, 0);
    }

    /// Reads the entry at `at` of a page whose content ends with `page`; `self` is the entry before, or clear at the first.
    /// Returns the place behind it (and its child pointer of `nod` bytes), or `None` if the bytes are no entry.
    #[inline]
    pub fn read(&mut self, key: &KeyInfo, page: &[u8], at: usize, nod: usize) -> Option<usize> {
        let tail = key.rec_ref + nod;
        match key.packing {
            Packing::Fixed => {
                let end = at + key.keylength + nod;
                self.bytes.clear();
                self.bytes.extend_from_slice(page.get(at..end)?);
                self.flat = key.keylength - key.rec_ref;
                Some(end)
            }
            Packing::Variable => {
                let b = page.get(at..)?;
                self.flat = flat_length(key, b)?;
                let n = self.flat + tail;
                self.bytes.clear();
                self.bytes.extend_from_slice(b.get(..n)?);
                Some(at + n)
            }
            Packing::Binary => {
                let (shared, start) = length(page, at)?;
                if shared > self.bytes.len() {
                    return None;
                }
                let rest = page.get(start..)?;
                let old = &self.bytes;
                let flat = flat_length_by(key, |i| {
                    if i < shared { Some(old[i]) } else { rest.get(i - shared).copied() }
                })?;
                // Row pointers differ, so that no entry shares beyond its own.
                if shared > flat + key.rec_ref {
                    return None;
                }
                let rest = rest.get(..flat + tail - shared)?;
                self.bytes.truncate(shared);
                self.bytes.extend_from_slice(rest);
                self.flat = flat;
                self.shared = shared;
                Some(start + rest.len())
            }
            Packing::String => self.read_string(key, page, at, nod),
        }
    }

    fn read_string(&mut self, key: &KeyInfo, page: &[u8], at: usize, nod: usize) -> Option<usize> {
        let head = StringHead::read(key, page, at, self.value.1)?;
        let (old_start, _) = self.value;
        let shared = head.shared;
        let start = head.start(key);
        if shared > 0 && start != old_start {
            self.bytes.resize(self.bytes.len().max(start + shared), 0);
            self.bytes.copy_within(old_start..old_start + shared, start);
        }
        self.bytes.resize(start + shared, 0);
        self.settle(key, page, &head, start, nod)
    }

    /// Makes an entry of one whose bytes are, so far, only the value that it shares its beginning with; the others lie in the page.
    pub(crate) fn complete(
        &mut self,
        key: &KeyInfo,
        page: &[u8],
        head: &StringHead,
        nod: usize,
    ) -> Option<usize> {
        let start = head.start(key);
        if self.bytes.len() < head.shared {
            return None;
        }
        self.bytes.resize(head.shared + start, 0);
        self.bytes.copy_within(..head.shared, start);
        self.settle(key, page, head, start, nod)
    }

    /// Completes an entry which has room for the head of its value, and behind that what it shares.
    fn settle(
        &mut self,
        key: &KeyInfo,
        page: &[u8],
        head: &StringHead,
        start: usize,
        nod: usize,
    ) -> Option<usize> {
        let len = head.shared + head.more;
        (self.shared, self.repeats) = (head.shared, head.repeats);
        if head.null {
            self.bytes[0] = 0;
            self.value = (1, 0);
        } else {
            let mut at = 0;
            if key.segments.first()?.nullable {
                self.bytes[0] = 1;
                at = 1;
            }
            if len >= 255 {
                self.bytes[at] = 255;
                self.bytes[at + 1..at + 3].copy_from_slice(&(len as u16).to_be_bytes());
            } else {
                self.bytes[at] = len as u8;
            }
            self.bytes.extend_from_slice(page.get(head.at..head.at + head.more)?);
            self.value = (start, len);
        }
        let (end, next) = head.rest(key, page, nod)?;
        self.flat = self.bytes.len() + end;
        self.bytes.extend_from_slice(&page[head.at + head.more..next]);
        Some(next)
    }
}

/// The head of an entry of [`Packing::String`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringHead {
    pub null: bool,
    /// Bytes of the first part that are those of the entry before.
    pub shared: usize,
    /// Bytes of it that follow.
    pub more: usize,
    /// Where they lie.
    pub at: usize,
    /// Stored as "the same value as before".
    pub repeats: bool,
}

impl StringHead {
    /// The head at `at`; the value of the entry before has so many bytes. None if the bytes are no entry.
    #[inline]
    pub fn read(key: &KeyInfo, page: &[u8], mut at: usize, before: usize) -> Option<StringHead> {
        let first = key.segments.first()?;
        let (high, mut n) = if wide_header(key) {
            let h = u16::from_be_bytes(*page.get(at..)?.first_chunk::<2>()?);
            at += 2;
            (h & 0x8000 != 0, usize::from(h & 0x7FFF))
        } else {
            let h = *page.get(at)?;
            at += 1;
            (h & 0x80 != 0, usize::from(h & 0x7F))
        };
        let repeats = high && n == 0;
        let mut null = false;
        let (shared, more) = if !high {
            if first.nullable {
                null = n == 0;
                n = n.saturating_sub(1);
            }
            (0, n)
        } else if n == 0 {
            (before, 0)
        } else {
            if n > before {
                return None;
            }
            let (more, next) = length(page, at)?;
            at = next;
            (n, more)
        };
        (shared + more <= first.length).then_some(StringHead { null, shared, more, at, repeats })
    }

    /// Where the value begins in the flat key.
    fn start(&self, key: &KeyInfo) -> usize {
        let nullable = key.segments.first().is_some_and(|s| s.nullable);
        match (self.null, self.shared + self.more) {
            (true, _) => 1,
            (false, 0..255) => usize::from(nullable) + 1,
            (false, _) => usize::from(nullable) + 3,
        }
    }

    /// Bytes of the parts behind the first, and the place behind the entry.
    #[inline]
    pub fn rest(&self, key: &KeyInfo, page: &[u8], nod: usize) -> Option<(usize, usize)> {
        let from = self.at + self.more;
        let rest = page.get(from..)?;
        let byte = |i: usize| rest.get(i).copied();
        let mut end = 0;
        for seg in &key.segments[1..] {
            end = segment_end(seg, end, &byte)?;
        }
        let next = from + end + key.rec_ref + nod;
        (next <= page.len()).then_some((end, next))
    }
}

/// Does the first part have a two-byte header ([`Packing::String`])?
fn wide_header(key: &KeyInfo) -> bool {
    key.segments.first().is_some_and(|s| s.length >= 127)
}

/// Reads a length of one or three bytes; returns it and the place behind.
fn length(page: &[u8], at: usize) -> Option<(usize, usize)> {
    match page.get(at..)? {
        [255, h, l, ..] => Some((usize::from(*h) << 8 | usize::from(*l), at + 3)),
        [255, ..] | [] => None,
        [n, ..] => Some((usize::from(*n), at + 1)),
    }
}

/// Number of equal leading bytes.
#[inline]
pub(crate) fn common(a: &[u8], b: &[u8]) -> usize {
    common_from(a, b, 0)
}

/// Number of leading bytes of a value that need not be stored behind another one. In full-text keys of collations that weigh byte
/// by byte equal weights are enough: MariaDB searches such pages by weights and counts on it. The word read back has the letters of
/// the one before, then.
fn shareable(key: &KeyInfo, a: &[u8], b: &[u8]) -> usize {
    match key.packed_by {
        Some(weights) => {
            let same = |(x, y): &(&u8, &u8)| weights[usize::from(**x)] == weights[usize::from(**y)];
            a.iter().zip(b).take_while(same).count()
        }
        None => common(a, b),
    }
}

/// Value of the first part of a flat key (`None` = NULL) and the bytes behind that part.
pub(crate) fn first_value<'a>(key: &KeyInfo, bytes: &'a [u8]) -> (Option<&'a [u8]>, &'a [u8]) {
    let mut b = bytes;
    if key.segments.first().is_some_and(|s| s.nullable) {
        let null = b.first() == Some(&0);
        b = b.get(1..).unwrap_or(&[]);
        if null {
            return (None, b);
        }
    }
    let (v, rest) = counted(b);
    (Some(v), rest)
}

/// Appends the entry `bytes` (flat key, row pointer, child pointer) as it lies behind the entry `before` (none: first of the page),
/// sharing as much as it can.
pub(crate) fn put(key: &KeyInfo, bytes: &[u8], before: Option<&[u8]>, out: &mut Vec<u8>) {
    put_sharing(key, bytes, before, usize::MAX, true, out);
}

/// As [`put`], sharing at most `limit` bytes, and saying "the same value as before" only if it `may_repeat`.
pub(crate) fn put_sharing(
    key: &KeyInfo,
    bytes: &[u8],
    before: Option<&[u8]>,
    limit: usize,
    may_repeat: bool,
    out: &mut Vec<u8>,
) {
    match key.packing {
        Packing::Fixed | Packing::Variable => out.extend_from_slice(bytes),
        Packing::Binary => {
            let shared = before.map_or(0, |b| common(b, bytes)).min(limit);
            put_length(shared, out);
            out.extend_from_slice(&bytes[shared..]);
        }
        Packing::String => {
            let (value, rest) = first_value(key, bytes);
            let old = before.and_then(|b| first_value(key, b).0).unwrap_or(&[]);
            let v = value.unwrap_or(&[]);
            let shared = shareable(key, old, v).min(limit);
            let header = |high: bool, n: usize, out: &mut Vec<u8>| {
                if wide_header(key) {
                    out.extend_from_slice(&(n as u16 | if high { 0x8000 } else { 0 }).to_be_bytes());
                } else {
                    out.push(n as u8 | if high { 0x80 } else { 0 });
                }
            };
            if shared == 0 {
                let nullable = key.segments.first().is_some_and(|s| s.nullable);
                header(false, v.len() + usize::from(nullable && value.is_some()), out);
                out.extend_from_slice(v);
            } else if may_repeat && shared == v.len() && shared == old.len() {
                header(true, 0, out);
            } else {
                header(true, shared, out);
                put_length(v.len() - shared, out);
                out.extend_from_slice(&v[shared..]);
            }
            out.extend_from_slice(rest);
        }
    }
}

/// After `new` was put behind `before`: must `follower`, the entry that comes next, be written anew?
///
/// Where first parts are compressed it stays as it was when `new` repeats the value of `before`, and when it shares with `new`
/// as much as it did before.
pub(crate) fn follower_changes(key: &KeyInfo, new: &[u8], before: Option<&[u8]>, follower: &Entry) -> bool {
    match key.packing {
        Packing::Fixed | Packing::Variable => false,
        Packing::Binary => true,
        Packing::String => {
            let value = |bytes| first_value(key, bytes).0;
            let shared = shareable(key, value(new).unwrap_or(&[]), value(&follower.bytes).unwrap_or(&[]));
            let repeats = match (value(new), before.and_then(value)) {
                (Some(a), Some(b)) => !a.is_empty() && a.len() == b.len() && shareable(key, a, b) == a.len(),
                _ => false,
            };
            // "The same value" means all of the entry before, which may be longer and yet equal in its collation.
            let longer = follower.repeats && value(new).map_or(0, <[u8]>::len) != shared;
            !repeats && (shared != follower.shared || longer)
        }
    }
}

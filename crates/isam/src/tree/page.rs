//! A page of a key tree.

use std::cmp::Ordering;

use crate::error::{Error, Result};
use crate::key::compare::{compare, flat_length};
use crate::key::pack::Entry;
use crate::key::{Fast, KeyInfo, Packing, Tie};
use crate::pointer::pointer;
use crate::source::PageSource;
use crate::tree::spatial::node::Node;

/// Deepest tree that is walked; more levels than any file can have.
pub(crate) const MAX_DEPTH: usize = 32;

/// A page being read. A *place* in it is the byte offset of an entry, or the end; the child pointer in front of the
/// entry lies in the `nod` bytes before its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page<'a> {
    /// Content up to the used length.
    pub bytes: &'a [u8],
    /// Bytes of a child pointer; 0 on leaves.
    pub nod: usize,
    /// Where it lies.
    pub offset: u64,
}

impl<'a> Page<'a> {
    /// The page of `key` at `offset`.
    #[inline]
    pub fn read<S: PageSource>(key: &KeyInfo, src: &'a S, offset: u64) -> Result<Page<'a>> {
        if !offset.is_multiple_of(1024) {
            return Err(Error::index(offset, "page is not aligned"));
        }
        Page::new(key, src.index_page(offset, key.block_length)?, offset)
    }

    /// The page with these bytes (at least the used ones).
    #[inline]
    pub fn new(key: &KeyInfo, bytes: &'a [u8], offset: u64) -> Result<Page<'a>> {
        let Some(head) = bytes.first_chunk::<2>() else {
            return Err(Error::index(offset, "page is empty"));
        };
        let head = u16::from_be_bytes(*head);
        let used = usize::from(head & 0x7FFF);
        let nod = if head & 0x8000 != 0 { key.key_ref } else { 0 };
        match bytes.get(..used) {
            Some(bytes) if used >= 2 + nod && used >= 4 => Ok(Page { bytes, nod, offset }),
            _ => Err(Error::index(offset, "used length of a page")),
        }
    }

    pub fn is_leaf(&self) -> bool {
        self.nod == 0
    }

    /// Place of the first entry.
    #[inline]
    pub fn first(&self) -> usize {
        2 + self.nod
    }

    /// Place behind the last entry.
    #[inline]
    pub fn end(&self) -> usize {
        self.bytes.len()
    }

    pub fn corrupt(&self) -> Error {
        Error::index(self.offset, "entries of a page")
    }

    /// Offset of the child in front of `place`.
    #[inline]
    pub fn child(&self, place: usize) -> u64 {
        pointer(&self.bytes[place - self.nod..place]) << 10
    }

    /// Number of entries of a page with a fixed key.
    #[inline]
    pub fn count(&self, key: &KeyInfo) -> Result<usize> {
        let (bytes, each) = (self.bytes.len() - self.first(), key.keylength + self.nod);
        if bytes % each != 0 {
            return Err(self.corrupt());
        }
        Ok(bytes / each)
    }

    /// Place of the first entry not before the search value, and the place behind it. `entry` then holds the entry there,
    /// unless the place is the end.
    #[inline]
    pub fn search(
        &self,
        key: &KeyInfo,
        flat: &[u8],
        parts: usize,
        tie: Tie<'_>,
        entry: &mut Entry,
    ) -> Result<(usize, usize)> {
        if key.packing == Packing::Fixed {
            let place = self.search_fixed(key, flat, parts, tie)?;
            if place < self.end() {
                let next = entry.read(key, self.bytes, place, self.nod);
                return Ok((place, next.ok_or_else(|| self.corrupt())?));
            }
            return Ok((place, place));
        }
        if let Some(order) = &key.by_bytes {
            let found = match key.packing {
                Packing::Binary => super::packed::search_whole(self, key, order, flat, parts, tie, entry)?,
                _ => super::packed::search(self, key, order, flat, parts, tie, entry)?,
            };
            if let Some(found) = found {
                // on some pages, as it costs more than the search
                #[cfg(debug_assertions)]
                if self.bytes.len().is_multiple_of(4) {
                    self.check_search(key, flat, parts, tie, found, entry);
                }
                return Ok(found);
            }
        }
        if key.packing == Packing::Variable {
            if let [part] = key.segments.as_slice()
                && part.nullable
                && !part.descending
                && !part.counted
                && parts == 1
                && flat.first().is_some_and(|&there| there != 0)
            {
                return self.search_nullable(key, part.length, flat, tie, entry);
            }
            return self.search_variable(key, flat, parts, tie, entry);
        }
        self.search_one_by_one(key, flat, parts, tie, entry)
    }

    /// Among the entries of a single part of `length` bytes that may be NULL: NULLs come first, all others are of the same length.
    fn search_nullable(
        &self,
        key: &KeyInfo,
        length: usize,
        flat: &[u8],
        tie: Tie<'_>,
        entry: &mut Entry,
    ) -> Result<(usize, usize)> {
        let null = 1 + key.rec_ref + self.nod;
        let each = null + length;
        let mut first = self.first();
        while self.bytes.get(first) == Some(&0) {
            first += null;
        }
        let entries = self.bytes.get(first..).ok_or_else(|| self.corrupt())?;
        if entries.len() % each != 0 {
            return Err(self.corrupt());
        }
        let index = search_entries(key, entries, each, 1 + length, flat, 1, tie);
        let place = first + index * each;
        entry.clear();
        if place == self.end() {
            return Ok((place, place));
        }
        let next = entry.read(key, self.bytes, place, self.nod).ok_or_else(|| self.corrupt())?;
        Ok((place, next))
    }

    /// Among entries of different lengths, which are compared where they lie.
    fn search_variable(
        &self,
        key: &KeyInfo,
        flat: &[u8],
        parts: usize,
        tie: Tie<'_>,
        entry: &mut Entry,
    ) -> Result<(usize, usize)> {
        let mut place = self.first();
        while place < self.end() {
            let bytes = &self.bytes[place..];
            let length = flat_length(key, bytes).ok_or_else(|| self.corrupt())?;
            let next = place + length + key.rec_ref + self.nod;
            if next > self.end() {
                return Err(self.corrupt());
            }
            let order = compare(key, &bytes[..length], flat, parts)
                .then_with(|| tie.order(&bytes[length..length + key.rec_ref]));
            if order != Ordering::Less {
                entry.read(key, self.bytes, place, self.nod).ok_or_else(|| self.corrupt())?;
                return Ok((place, next));
            }
            place = next;
        }
        Ok((place, place))
    }

    /// What was found in another way is what reading entry by entry finds.
    #[cfg(debug_assertions)]
    fn check_search(
        &self,
        key: &KeyInfo,
        flat: &[u8],
        parts: usize,
        tie: Tie<'_>,
        found: (usize, usize),
        entry: &Entry,
    ) {
        let mut plain = Entry::default();
        let same = self.search_one_by_one(key, flat, parts, tie, &mut plain);
        assert_eq!(same.ok(), Some(found), "{flat:?} in {:?}", self.bytes);
        if found.0 < self.end() {
            assert_eq!(*entry, plain);
        }
    }

    fn search_one_by_one(
        &self,
        key: &KeyInfo,
        flat: &[u8],
        parts: usize,
        tie: Tie<'_>,
        entry: &mut Entry,
    ) -> Result<(usize, usize)> {
        let mut place = self.first();
        entry.clear();
        while place < self.end() {
            let next = entry.read(key, self.bytes, place, self.nod).ok_or_else(|| self.corrupt())?;
            let order = compare(key, entry.key(), flat, parts).then_with(|| tie.order(entry.pointer(key)));
            if order != Ordering::Less {
                return Ok((place, next));
            }
            place = next;
        }
        Ok((place, place))
    }

    /// Binary search among entries of fixed length.
    #[inline]
    pub fn search_fixed(&self, key: &KeyInfo, flat: &[u8], parts: usize, tie: Tie<'_>) -> Result<usize> {
        // as many as there are, or the page is damaged
        self.count(key)?;
        let (first, each) = (self.first(), key.keylength + self.nod);
        let value = key.keylength - key.rec_ref;
        let index = search_entries(key, &self.bytes[first..], each, value, flat, parts, tie);
        Ok(first + index * each)
    }

    /// Reads the entry at `place`, from the first entry on if the key is packed. Returns the place behind it.
    pub fn entry_at(&self, key: &KeyInfo, place: usize, entry: &mut Entry) -> Result<usize> {
        if matches!(key.packing, Packing::Fixed | Packing::Variable) {
            return entry.read(key, self.bytes, place, self.nod).ok_or_else(|| self.corrupt());
        }
        let mut at = self.first();
        entry.clear();
        loop {
            let next = entry.read(key, self.bytes, at, self.nod).ok_or_else(|| self.corrupt())?;
            if at == place {
                return Ok(next);
            }
            if next > place {
                return Err(self.corrupt());
            }
            at = next;
        }
    }

    /// Place of the entry in front of `place`, and the entry.
    pub fn entry_before(&self, key: &KeyInfo, place: usize, entry: &mut Entry) -> Result<usize> {
        if key.packing == Packing::Fixed {
            let at = place.checked_sub(key.keylength + self.nod).filter(|&p| p >= self.first());
            let at = at.ok_or_else(|| self.corrupt())?;
            entry.read(key, self.bytes, at, self.nod).ok_or_else(|| self.corrupt())?;
            return Ok(at);
        }
        if key.packing == Packing::String {
            return super::packed::entry_before(self, key, place, entry).ok_or_else(|| self.corrupt());
        }
        let mut at = self.first();
        entry.clear();
        loop {
            let next = entry.read(key, self.bytes, at, self.nod).ok_or_else(|| self.corrupt())?;
            if next == place {
                return Ok(at);
            }
            if next > place {
                return Err(self.corrupt());
            }
            at = next;
        }
    }
}

/// Number of the first of these entries of `each` bytes that is not before the search value; their flat keys take `value` bytes.
#[inline]
fn search_entries(
    key: &KeyInfo,
    entries: &[u8],
    each: usize,
    value: usize,
    flat: &[u8],
    parts: usize,
    tie: Tie<'_>,
) -> usize {
    let n = entries.len() / each;
    // a number may have a byte before it that says that it is no NULL
    let head = usize::from(key.packing == Packing::Variable);
    let number = &flat[head.min(flat.len())..];
    match (key.first_as_number(parts), number.first_chunk::<4>(), number.first_chunk::<8>()) {
        (Fast::Four(flip), Some(want), _) => {
            let load = |e: &[u8]| {
                e[head..].first_chunk::<4>().map_or(0, |b| u64::from(u32::from_be_bytes(*b) ^ flip))
            };
            search_numbers(entries, n, each, value, load, u64::from(u32::from_be_bytes(*want) ^ flip), tie)
        }
        (Fast::Eight(flip), _, Some(want)) => {
            let load = |e: &[u8]| e[head..].first_chunk::<8>().map_or(0, |b| u64::from_be_bytes(*b) ^ flip);
            search_numbers(entries, n, each, value, load, u64::from_be_bytes(*want) ^ flip, tie)
        }
        _ => partition(entries, n, each, |e| {
            compare(key, &e[..value], flat, parts).then_with(|| tie.order(&e[value..value + key.rec_ref]))
        }),
    }
}

/// Number of the first of `n` entries of `each` bytes that `order` does not find less.
#[inline]
fn partition(entries: &[u8], n: usize, each: usize, order: impl Fn(&[u8]) -> Ordering) -> usize {
    let (mut low, mut high) = (0, n);
    while low < high {
        let mid = (low + high) / 2;
        if order(&entries[mid * each..(mid + 1) * each]) == Ordering::Less {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    low
}

/// Number of the first of `n` entries that is not before `want`: entries of `each` bytes that begin with a value of `width`
/// bytes, a number that `load` reads so that they compare as unsigned.
#[inline]
fn search_numbers(
    entries: &[u8],
    n: usize,
    each: usize,
    width: usize,
    load: impl Fn(&[u8]) -> u64,
    want: u64,
    tie: Tie<'_>,
) -> usize {
    // Both outcomes of a step are equally likely, so none is a branch.
    let lower_bound = |want: u64| {
        let (mut low, mut size) = (0, n);
        while size > 0 {
            let half = size / 2;
            let less = load(&entries[(low + half) * each..]) < want;
            low = if less { low + half + 1 } else { low };
            size = if less { size - half - 1 } else { half };
        }
        low
    };
    let behind = |want: u64| want.checked_add(1).map_or(n, lower_bound);
    match tie {
        Tie::Before => lower_bound(want),
        Tie::Behind => behind(want),
        Tie::Pointer(pointer) => {
            let mut low = lower_bound(want);
            if low == n || load(&entries[low * each..]) != want {
                return low;
            }
            let mut high = behind(want);
            while low < high {
                let mid = (low + high) / 2;
                let at = mid * each + width;
                if entries[at..at + pointer.len()] < *pointer {
                    low = mid + 1;
                } else {
                    high = mid;
                }
            }
            low
        }
    }
}

impl Page<'_> {
    /// Where the child pointers lie in the page, and which pages they name.
    ///
    /// # Errors
    /// 126 for entries that cannot be read.
    pub fn children(&self, key: &KeyInfo) -> Result<Vec<(usize, u64)>> {
        let mut out = Vec::new();
        if self.is_leaf() {
            return Ok(out);
        }
        if key.is_spatial() {
            let node = Node::of(key, self)?;
            return (0..node.len()).map(|n| Ok((node.place(n), node.slot(n)?.to))).collect();
        }
        let mut entry = Entry::default();
        let mut place = self.first();
        loop {
            out.push((place - self.nod, self.child(place)));
            if place >= self.end() {
                return Ok(out);
            }
            place = entry.read(key, self.bytes, place, self.nod).ok_or_else(|| self.corrupt())?;
        }
    }
}

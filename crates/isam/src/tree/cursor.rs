//! A position in a key tree.

use std::cmp::Ordering;
use std::sync::Arc;

use super::page::{MAX_DEPTH, Page};
use crate::error::{Error, Result};
use crate::key::compare::compare;
use crate::key::decode;
use crate::key::pack::Entry;
use crate::key::{KeyInfo, Packing, Tie};
use crate::myi::{NIL, StateOffsets, StateView};
use crate::pointer::pointer;
use crate::source::PageSource;
use crate::{RowPos, TableFormat};

/// Where a seek goes, relative to the entries whose leading parts compare with the given ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekMode {
    /// The first entry of the key; the value is ignored.
    First,
    /// The last entry of the key; the value is ignored.
    Last,
    /// The first equal entry; not found if there is none.
    Exact,
    /// The last equal entry; not found if there is none.
    ExactLast,
    /// The first entry equal or greater.
    GreaterEqual,
    /// The first entry greater.
    Greater,
    /// The last entry equal or less.
    LessEqual,
    /// The last entry less.
    Less,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Level {
    pub page: u64,
    /// Place of the first entry that follows the way down, or of the current entry at the lowest level.
    pub place: usize,
}

/// A position in a key, reused from seek to seek without allocating. It borrows nothing: page numbers and a copy of the
/// entry's key are kept. Within one unchanged source `next` and `prev` continue from the page; after the source changed
/// (a writer's own working view) call [`KeyCursor::reseek`] first.
#[derive(Debug)]
pub struct KeyCursor {
    key: Arc<KeyInfo>,
    offsets: StateOffsets,
    path: [Level; MAX_DEPTH],
    /// Levels in use; the last is that of the current entry.
    depth: usize,
    /// `entry` is the current one.
    on_entry: bool,
    /// Pages that may be entered in one direction, and still may, before the tree must have a loop.
    pages: u64,
    pages_left: u64,
    forward: bool,
    entry: Entry,
    /// Place behind the current entry, where first parts are compressed.
    after: usize,
    /// The root, for trees whose root is not in the table's state.
    held_root: Option<u64>,
}

impl KeyCursor {
    /// A cursor over key `key_no` (a B-tree key), not positioned.
    #[must_use]
    pub fn new(format: &TableFormat, key_no: usize) -> KeyCursor {
        KeyCursor::over(format.keys[key_no].clone(), format.offsets)
    }

    pub(crate) fn over(key: Arc<KeyInfo>, offsets: StateOffsets) -> KeyCursor {
        let mut entry = Entry::default();
        entry.bytes.reserve(key.maxlength + key.key_ref + 8);
        KeyCursor {
            key,
            offsets,
            path: [Level::default(); MAX_DEPTH],
            depth: 0,
            on_entry: false,
            pages: 0,
            pages_left: 0,
            forward: true,
            entry,
            after: 0,
            held_root: None,
        }
    }

    /// A cursor over the tree with this root.
    pub(crate) fn under(key: Arc<KeyInfo>, offsets: StateOffsets, root: u64) -> KeyCursor {
        KeyCursor { held_root: Some(root), ..KeyCursor::over(key, offsets) }
    }

    /// Makes it a cursor over another key, or the same one again, not positioned. Over the same key of the same table
    /// nothing that other threads use is written: not even a reference count.
    pub fn renew(&mut self, format: &TableFormat, key_no: usize) {
        let key = &format.keys[key_no];
        if !Arc::ptr_eq(&self.key, key) {
            *self = KeyCursor::new(format, key_no);
        } else {
            self.offsets = format.offsets;
            self.on_entry = false;
        }
    }

    /// Makes it a cursor over the same key of the table as it was opened again, with the same definition: it keeps its entry, to be
    /// found again by [`KeyCursor::reseek`].
    pub fn reopen(&mut self, format: &TableFormat) {
        self.key = format.keys[self.key.number].clone();
        self.offsets = format.offsets;
        (self.depth, self.on_entry) = (0, false);
    }

    /// The key it walks.
    #[must_use]
    pub fn key_info(&self) -> &KeyInfo {
        &self.key
    }

    pub(super) fn root<S: PageSource>(&mut self, src: &S) -> Result<Option<u64>> {
        self.depth = 0;
        self.on_entry = false;
        if self.key.is_spatial() {
            return Err(Error::Unsupported { what: "walking a SPATIAL key" });
        }
        let state = StateView::new(src.state(), self.offsets);
        if !state.key_active(self.key.number) {
            return Err(Error::KeyDisabled { key: self.key.number });
        }
        let root = self.held_root.unwrap_or_else(|| state.key_root(self.key.number));
        self.pages = state.key_file_length() / 1024 * 2 + MAX_DEPTH as u64;
        self.pages_left = self.pages;
        Ok((root != NIL).then_some(root))
    }

    fn turn(&mut self, forward: bool) {
        if self.forward != forward {
            self.forward = forward;
            self.pages_left = self.pages;
        }
    }

    fn push(&mut self, page: u64, place: usize) -> Result<()> {
        let loops = || Error::index(page, "the tree leads back into itself");
        self.pages_left = self.pages_left.checked_sub(1).ok_or_else(loops)?;
        let level = self.path.get_mut(self.depth).ok_or_else(loops)?;
        *level = Level { page, place };
        self.depth += 1;
        Ok(())
    }

    /// Seeks by `flat`, the flat bytes ([`TableFormat::encode_key`]) of the first `parts` parts. True = positioned.
    ///
    /// # Errors
    /// 126 if a page is damaged, 124 if the key is disabled.
    #[inline]
    pub fn seek<S: PageSource>(
        &mut self,
        src: &S,
        flat: &[u8],
        parts: usize,
        mode: SeekMode,
    ) -> Result<bool> {
        match mode {
            SeekMode::First => {
                let Some(root) = self.root(src)? else { return Ok(false) };
                self.leftmost(src, root)
            }
            SeekMode::Last => {
                let Some(root) = self.root(src)? else { return Ok(false) };
                self.rightmost(src, root)
            }
            SeekMode::Exact => {
                Ok(self.bound(src, flat, parts, Tie::Before)? && self.keep_if(self.matches(flat, parts)))
            }
            SeekMode::GreaterEqual => self.bound(src, flat, parts, Tie::Before),
            SeekMode::Greater => self.bound(src, flat, parts, Tie::Behind),
            SeekMode::ExactLast => {
                self.descend(src, flat, parts, Tie::Behind)?;
                Ok(self.prev(src)? && self.keep_if(self.matches(flat, parts)))
            }
            SeekMode::LessEqual => {
                self.descend(src, flat, parts, Tie::Behind)?;
                self.prev(src)
            }
            SeekMode::Less => {
                self.descend(src, flat, parts, Tie::Before)?;
                self.prev(src)
            }
        }
    }

    /// Begins a way whose levels above the leaf are known.
    #[inline]
    pub(super) fn begin_way(&mut self, levels: impl Iterator<Item = Level>) -> Result<()> {
        (self.depth, self.on_entry, self.pages_left) = (0, false, self.pages);
        for level in levels {
            self.push(level.page, level.place)?;
        }
        Ok(())
    }

    /// Ends a way at a leaf: true when the first entry not before the search value equals it.
    #[inline]
    pub(super) fn end_way<S: PageSource>(
        &mut self,
        src: &S,
        leaf: &Page<'_>,
        flat: &[u8],
        parts: usize,
    ) -> Result<bool> {
        self.on_entry = self.search_leaf(leaf, flat, parts, Tie::Before)?;
        Ok((self.on_entry || self.climb(src)?) && self.keep_if(self.matches(flat, parts)))
    }

    fn keep_if(&mut self, found: bool) -> bool {
        self.on_entry = found;
        found
    }

    /// Goes down to the leaf where the search value belongs. True = the leaf has an entry there, now in `entry`.
    #[inline]
    fn descend<S: PageSource>(&mut self, src: &S, flat: &[u8], parts: usize, tie: Tie<'_>) -> Result<bool> {
        let Some(mut offset) = self.root(src)? else { return Ok(false) };
        loop {
            let page = Page::read(&self.key, src, offset)?;
            if page.is_leaf() {
                return self.search_leaf(&page, flat, parts, tie);
            }
            let place = self.search_above(&page, flat, parts, tie)?;
            self.push(offset, place)?;
            offset = page.child(place);
        }
    }

    /// The place in a page above the leaves where the way to the search value leads down.
    #[inline]
    pub(super) fn search_above(
        &mut self,
        page: &Page<'_>,
        flat: &[u8],
        parts: usize,
        tie: Tie<'_>,
    ) -> Result<usize> {
        match self.key.packing {
            Packing::Fixed => page.search_fixed(&self.key, flat, parts, tie),
            _ => Ok(page.search(&self.key, flat, parts, tie, &mut self.entry)?.0),
        }
    }

    /// Ends the way down at a leaf. True = it has an entry where the search value belongs, now in `entry`.
    #[inline]
    fn search_leaf(&mut self, page: &Page<'_>, flat: &[u8], parts: usize, tie: Tie<'_>) -> Result<bool> {
        let (place, after) = page.search(&self.key, flat, parts, tie, &mut self.entry)?;
        self.after = after;
        self.push(page.offset, place)?;
        Ok(place < page.end())
    }

    /// Positions at the first entry not before the search value.
    #[inline]
    pub(crate) fn find<S: PageSource>(
        &mut self,
        src: &S,
        flat: &[u8],
        parts: usize,
        tie: Tie<'_>,
    ) -> Result<bool> {
        self.bound(src, flat, parts, tie)
    }

    #[inline]
    fn bound<S: PageSource>(&mut self, src: &S, flat: &[u8], parts: usize, tie: Tie<'_>) -> Result<bool> {
        if self.descend(src, flat, parts, tie)? {
            self.on_entry = true;
            return Ok(true);
        }
        self.climb(src)
    }

    /// From the end of a page up to the next entry.
    fn climb<S: PageSource>(&mut self, src: &S) -> Result<bool> {
        self.on_entry = false;
        let mut depth = self.depth;
        while depth > 0 {
            let Level { page: offset, place } = self.path[depth - 1];
            let page = Page::read(&self.key, src, offset)?;
            if place < page.end() {
                self.after = page.entry_at(&self.key, place, &mut self.entry)?;
                self.depth = depth;
                self.on_entry = true;
                return Ok(true);
            }
            depth -= 1;
        }
        Ok(false)
    }

    fn leftmost<S: PageSource>(&mut self, src: &S, mut offset: u64) -> Result<bool> {
        loop {
            let page = Page::read(&self.key, src, offset)?;
            self.push(offset, page.first())?;
            if page.is_leaf() {
                break;
            }
            offset = page.child(page.first());
        }
        self.climb(src)
    }

    fn rightmost<S: PageSource>(&mut self, src: &S, mut offset: u64) -> Result<bool> {
        loop {
            let page = Page::read(&self.key, src, offset)?;
            self.push(offset, page.end())?;
            if page.is_leaf() {
                break;
            }
            offset = page.child(page.end());
        }
        self.retreat(src)
    }

    /// From a place to the entry before it, going up where the page begins.
    fn retreat<S: PageSource>(&mut self, src: &S) -> Result<bool> {
        self.on_entry = false;
        let mut depth = self.depth;
        while depth > 0 {
            let Level { page: offset, place } = self.path[depth - 1];
            let page = Page::read(&self.key, src, offset)?;
            if place > page.first() {
                let at = page.entry_before(&self.key, place, &mut self.entry)?;
                self.after = place;
                self.path[depth - 1].place = at;
                self.depth = depth;
                self.on_entry = true;
                return Ok(true);
            }
            depth -= 1;
        }
        Ok(false)
    }

    /// Finds the position again in a source that may have changed: the entry itself, or if it is gone the first entry behind
    /// the place where it was; then `next` must not be called before that entry was looked at. True = the entry is still there.
    ///
    /// # Errors
    /// As [`KeyCursor::seek`].
    pub fn reseek<S: PageSource>(&mut self, src: &S) -> Result<bool> {
        let flat = self.key().to_vec();
        let at = self.entry.pointer(&self.key).to_vec();
        let parts = self.key.segments.len();
        let found = self.bound(src, &flat, parts, Tie::Pointer(&at))?;
        Ok(found && self.key() == flat && self.entry.pointer(&self.key) == at)
    }

    /// Is it on an entry?
    #[must_use]
    pub fn is_positioned(&self) -> bool {
        self.on_entry
    }

    /// Steps to the next entry. False = behind the last.
    ///
    /// # Errors
    /// As [`KeyCursor::seek`].
    #[inline]
    pub fn next<S: PageSource>(&mut self, src: &S) -> Result<bool> {
        let Some(level) = self.depth.checked_sub(1) else { return Ok(false) };
        if !self.on_entry {
            return Ok(false);
        }
        self.turn(true);
        let Level { page: offset, place } = self.path[level];
        let page = Page::read(&self.key, src, offset)?;
        let tail = self.key.rec_ref + page.nod;
        let next = match self.key.packing {
            Packing::Fixed => place + self.key.keylength + page.nod,
            Packing::Variable => place + self.entry.flat + tail,
            Packing::Binary => {
                let head = if page.bytes.get(place) == Some(&255) { 3 } else { 1 };
                place + head + self.entry.bytes.len() - self.entry.shared
            }
            Packing::String => self.after,
        };
        if next > page.end() {
            return Err(page.corrupt());
        }
        self.path[level].place = next;
        if !page.is_leaf() {
            let child = page.child(next);
            return self.leftmost(src, child);
        }
        if next < page.end() {
            let after = self.entry.read(&self.key, page.bytes, next, 0);
            self.after = after.ok_or_else(|| page.corrupt())?;
            return Ok(true);
        }
        self.climb(src)
    }

    /// Steps over the entries that follow on the same leaf, of fixed keys all, of others as long as their first part is the same
    /// as before, and hands them (flat key, row pointer) to `take`. True = the cursor stands on one that was not handed over:
    /// its first part is another one, or `take` refused it.
    #[inline]
    pub(crate) fn rest_of_leaf<S: PageSource>(
        &mut self,
        src: &S,
        mut take: impl FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<bool> {
        let Some(level) = self.depth.checked_sub(1).filter(|_| self.on_entry) else { return Ok(false) };
        self.turn(true);
        let page = Page::read(&self.key, src, self.path[level].page)?;
        if !page.is_leaf() || !matches!(self.key.packing, Packing::Fixed | Packing::String) {
            return Ok(false);
        }
        let each = self.key.keylength;
        let (value, end) = (each - self.key.rec_ref, page.end());
        let mut refused = false;
        while !refused {
            let place = self.path[level].place;
            if self.key.packing == Packing::Fixed {
                let Some(entry) = page.bytes.get(place + each..place + 2 * each) else { break };
                self.path[level].place = place + each;
                refused = !take(&entry[..value], &entry[value..]);
            } else {
                let next = self.after;
                if next >= end {
                    return Ok(false);
                }
                let after = self.entry.read(&self.key, page.bytes, next, 0);
                self.after = after.ok_or_else(|| page.corrupt())?;
                self.path[level].place = next;
                refused = !self.entry.repeats || !take(self.entry.key(), self.entry.pointer(&self.key));
            }
        }
        if self.key.packing == Packing::Fixed {
            self.after = page.entry_at(&self.key, self.path[level].place, &mut self.entry)?;
        }
        Ok(refused)
    }

    /// Steps over up to `most` entries that follow on the same leaf and are not behind the bound (flat bytes of the first parts, how many,
    /// whether equal entries are in), and appends their rows to `out`: as many calls of [`KeyCursor::next`] would. It may do so for none.
    ///
    /// # Errors
    /// As [`KeyCursor::seek`].
    pub fn rest_within<S: PageSource>(
        &mut self,
        src: &S,
        bound: Option<(&[u8], usize, bool)>,
        most: usize,
        out: &mut Vec<RowPos>,
    ) -> Result<()> {
        let Some(level) = self.depth.checked_sub(1).filter(|_| self.on_entry) else { return Ok(()) };
        if self.key.packing != Packing::Fixed {
            return Ok(());
        }
        let Level { page: offset, place } = self.path[level];
        let page = Page::read(&self.key, src, offset)?;
        if !page.is_leaf() {
            return Ok(());
        }
        self.turn(true);
        let each = self.key.keylength;
        let end = match bound {
            None => page.end(),
            Some((flat, parts, inclusive)) => {
                let tie = if inclusive { Tie::Behind } else { Tie::Before };
                page.search_fixed(&self.key, flat, parts, tie)?
            }
        };
        let following = page.bytes.get(place + each..end).unwrap_or(&[]);
        let value = each - self.key.rec_ref;
        let entries = following.chunks_exact(each).take(most);
        let count = entries.len();
        if count > 0 {
            out.extend(entries.map(|e| RowPos(pointer(&e[value..]))));
            self.path[level].place = place + count * each;
            self.after = page.entry_at(&self.key, self.path[level].place, &mut self.entry)?;
        }
        Ok(())
    }

    /// Steps to the entry before. False = before the first.
    ///
    /// # Errors
    /// As [`KeyCursor::seek`].
    pub fn prev<S: PageSource>(&mut self, src: &S) -> Result<bool> {
        let Some(level) = self.depth.checked_sub(1) else { return Ok(false) };
        self.turn(false);
        let Level { page: offset, place } = self.path[level];
        let page = Page::read(&self.key, src, offset)?;
        if !page.is_leaf() {
            let child = page.child(place);
            return self.rightmost(src, child);
        }
        self.retreat(src)
    }

    /// Row of the entry.
    #[inline]
    #[must_use]
    pub fn pos(&self) -> RowPos {
        RowPos(pointer(self.entry.pointer(&self.key)))
    }

    /// Row pointer of the entry, as its bytes.
    pub(crate) fn pointer(&self) -> &[u8] {
        self.entry.pointer(&self.key)
    }

    /// Flat key of the entry, without row pointer.
    #[inline]
    #[must_use]
    pub fn key(&self) -> &[u8] {
        self.entry.key()
    }

    /// Are the entry's first `parts` parts equal to `flat`?
    #[inline]
    #[must_use]
    pub fn matches(&self, flat: &[u8], parts: usize) -> bool {
        self.compare(flat, parts) == Ordering::Equal
    }

    /// Order of the entry's first `parts` parts relative to `flat` (for range ends).
    #[inline]
    #[must_use]
    pub fn compare(&self, flat: &[u8], parts: usize) -> Ordering {
        compare(&self.key, self.key(), flat, parts)
    }

    /// Stored bytes of part `part` of the entry, or `None` for NULL; numbers are turned around in `scratch`.
    /// They are the column's value if the part covers it ([`crate::key::Segment::covers`]).
    #[must_use]
    pub fn part<'a>(&'a self, part: usize, scratch: &'a mut [u8; 8]) -> Option<&'a [u8]> {
        decode::part(&self.key, self.key(), part, scratch)
    }
}

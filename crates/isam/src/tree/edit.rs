//! What insertion and deletion share: allocating, freeing, changing and splitting pages.
//!
//! The algorithms are those of the reference engine (docs/format/myisam.md, "B-tree algorithms"), so that the same history of
//! statements gives the same pages.

use super::page::Page;
use crate::error::{Error, Result};
use crate::key::pack::{Entry, follower_changes, put, put_sharing};
use crate::key::{KeyInfo, Packing};
use crate::myi::{NIL, StateMut, StateOffsets, StateView, changed};
use crate::pointer::put_pointer;
use crate::source::{PageEdit, PageStore};

/// A step of the way down: a page, and the place in front of which the descent went on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    pub page: u64,
    pub place: usize,
}

/// Room for the work, reused from key to key.
#[derive(Debug, Default)]
pub(crate) struct TreeScratch {
    pub path: Vec<Step>,
    pub found: Entry,
    before: Entry,
    removed: Entry,
    after: Entry,
    pub(crate) out: Vec<u8>,
}

impl TreeScratch {
    /// Reads the entries in front of and at `place`.
    fn neighbours(&mut self, key: &KeyInfo, page: &Page<'_>, place: usize) -> Result<usize> {
        let TreeScratch { before, removed, .. } = self;
        before.clear();
        if place > page.first() {
            page.entry_before(key, place, before)?;
        }
        removed.clone_from(before);
        if place == page.end() {
            return Ok(place);
        }
        removed.read(key, page.bytes, place, page.nod).ok_or_else(|| page.corrupt())
    }

    /// What to put for an insertion at `place`: the new entry and, if it must be encoded anew, the one that followed, into
    /// `out`. Returns the end of what is replaced.
    pub(super) fn encode_insertion(
        &mut self,
        key: &KeyInfo,
        page: &Page<'_>,
        place: usize,
        entry: &[u8],
    ) -> Result<usize> {
        self.out.clear();
        if matches!(key.packing, Packing::Fixed | Packing::Variable) {
            self.out.extend_from_slice(entry);
            return Ok(place);
        }
        let next = self.neighbours(key, page, place)?;
        let TreeScratch { before, removed, out, .. } = self;
        let previous = (!before.bytes.is_empty()).then_some(before.bytes.as_slice());
        put(key, entry, previous, out);
        if place == page.end() || !follower_changes(key, entry, previous, removed) {
            return Ok(place);
        }
        put(key, &removed.bytes, Some(entry), out);
        Ok(next)
    }

    /// What to put for the removal of the entry at `place`; returns the end of what is replaced.
    fn encode_removal(&mut self, key: &KeyInfo, page: &Page<'_>, place: usize) -> Result<usize> {
        self.out.clear();
        if key.packing == Packing::Fixed {
            let end = place + key.keylength + page.nod;
            return if end > page.end() { Err(page.corrupt()) } else { Ok(end) };
        }
        if place >= page.end() {
            return Err(page.corrupt());
        }
        let next = self.neighbours(key, page, place)?;
        if key.packing == Packing::Variable || next == page.end() {
            return Ok(next);
        }
        let TreeScratch { before, removed, after, out, .. } = self;
        after.clone_from(removed);
        let end = after.read(key, page.bytes, next, page.nod).ok_or_else(|| page.corrupt())?;
        let previous = (!before.bytes.is_empty()).then_some(before.bytes.as_slice());
        // Never shares more than it did: the reader need not know the best that could be shared.
        let limit = removed.shared.min(after.shared);
        put_sharing(key, &after.bytes, previous, limit, removed.repeats && after.repeats, out);
        Ok(end)
    }
}

/// A page's whole content in memory, possibly longer than a page may be.
pub(crate) type Content = Vec<u8>;

/// What became of a page.
#[derive(Debug)]
pub(crate) enum Changed {
    /// It fits and is stored.
    Stored {
        /// Its used length.
        used: usize,
    },
    /// It is too long and is not stored yet.
    Overfull(Content),
}

/// An entry on its way to the level above: flat key, row pointer, child pointer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rising {
    pub bytes: Vec<u8>,
}

/// Changes one tree.
pub(crate) struct TreeEdit<'t, S> {
    pub key: &'t KeyInfo,
    pub offsets: StateOffsets,
    pub store: &'t mut S,
    pub scratch: &'t mut TreeScratch,
    /// The root, for trees whose root is not in the table's state.
    pub held_root: Option<u64>,
    /// Pages of the tree that it needs no more, to be taken before any others.
    pub spare: Vec<u64>,
}

/// Sets the used length and node flag in front of a content.
pub(crate) fn put_head(content: &mut [u8], nod: usize) {
    let head = content.len() as u16 | if nod > 0 { 0x8000 } else { 0 };
    content[..2].copy_from_slice(&head.to_be_bytes());
}

impl<'t, S> TreeEdit<'t, S> {
    /// Changes the tree of a key whose root is in the table's state.
    pub fn new(
        key: &'t KeyInfo,
        offsets: StateOffsets,
        store: &'t mut S,
        scratch: &'t mut TreeScratch,
    ) -> TreeEdit<'t, S> {
        TreeEdit { key, offsets, store, scratch, held_root: None, spare: Vec::new() }
    }
}

impl<S: PageStore> TreeEdit<'_, S> {
    pub fn state(&self) -> StateView<'_> {
        StateView::new(self.store.state(), self.offsets)
    }

    pub fn state_mut(&mut self) -> StateMut<'_> {
        StateMut::new(self.store.state_mut(), self.offsets)
    }

    pub fn root(&self) -> u64 {
        self.held_root.unwrap_or_else(|| self.state().key_root(self.key.number))
    }

    pub fn set_root(&mut self, page: u64) {
        if let Some(root) = &mut self.held_root {
            *root = page;
            return;
        }
        let key = self.key.number;
        self.state_mut().set_key_root(key, page);
    }

    fn free_list(&self) -> usize {
        self.key.block_length / 1024 - 1
    }

    /// A page for new content: one of the spare ones, or from the free list, else from the end of the file.
    pub fn allocate(&mut self) -> Result<u64> {
        if let Some(page) = self.spare.pop() {
            return Ok(page);
        }
        let (list, block) = (self.free_list(), self.key.block_length);
        let (head, end) = (self.state().key_del(list), self.state().key_file_length());
        self.state_mut().add_changed(changed::NOT_SORTED_PAGES);
        if head == NIL {
            let limit = 1024u64.saturating_mul((1u64 << (8 * self.key.key_ref.min(6))) - 1);
            if end.saturating_add(block as u64) > limit {
                return Err(Error::IndexFull);
            }
            self.state_mut().set_key_file_length(end + block as u64);
            return Ok(end);
        }
        if head % 1024 != 0 {
            return Err(Error::index(head, "chain of free pages"));
        }
        let page = self.store.index_page(head, block)?;
        let next = page.first_chunk::<8>().map_or(NIL, |b| u64::from_be_bytes(*b));
        if next != NIL && (next % 1024 != 0 || next >= end) {
            return Err(Error::index(head, "chain of free pages"));
        }
        self.state_mut().set_key_del(list, next);
        Ok(head)
    }

    /// Puts a page into the free list.
    pub fn free(&mut self, page: u64) -> Result<()> {
        let (list, block) = (self.free_list(), self.key.block_length);
        let head = self.state().key_del(list);
        self.state_mut().set_key_del(list, page);
        self.state_mut().add_changed(changed::NOT_SORTED_PAGES);
        self.store.index_page_mut(page, block)?.write(0, &head.to_be_bytes());
        Ok(())
    }

    /// Whole content of a page.
    pub fn load(&self, page: u64) -> Result<(Content, usize)> {
        let page = Page::read(self.key, &*self.store, page)?;
        Ok((page.bytes.to_vec(), page.nod))
    }

    /// Stores content in an existing page; bytes that stay the same are not written.
    pub fn save(&mut self, page: u64, content: &[u8]) -> Result<()> {
        debug_assert!(content.len() <= self.key.block_length);
        let mut to = self.store.index_page_mut(page, self.key.block_length)?;
        let same = crate::key::pack::common(&to[2..], &content[2..]) + 2;
        if to[..2] != content[..2] {
            to.write(0, &content[..2]);
        }
        if same < content.len() {
            to.write(same, &content[same..]);
        }
        Ok(())
    }

    /// Stores content in a page just allocated.
    pub fn save_new(&mut self, page: u64, content: &[u8]) -> Result<()> {
        self.store.index_page_new(page, self.key.block_length)?.write(0, content);
        Ok(())
    }

    /// Replaces `place .. end` of a stored page by `scratch.out`.
    pub(crate) fn splice_stored(
        &mut self,
        offset: u64,
        used: usize,
        nod: usize,
        place: usize,
        end: usize,
    ) -> Result<Changed> {
        let out = &self.scratch.out;
        let length = used - (end - place) + out.len();
        let block = self.key.block_length;
        if length > block {
            let page = self.store.index_page(offset, block)?;
            let mut content = page[..used].to_vec();
            content.splice(place..end, out.iter().copied());
            put_head(&mut content, nod);
            return Ok(Changed::Overfull(content));
        }
        let mut page = self.store.index_page_mut(offset, block)?;
        if end < used && place + out.len() != end {
            page.copy_within(end..used, place + out.len());
        }
        if !out.is_empty() {
            page.write(place, out);
        }
        let head = length as u16 | if nod > 0 { 0x8000 } else { 0 };
        page.write(0, &head.to_be_bytes());
        Ok(Changed::Stored { used: length })
    }

    /// Inserts an entry (with child pointer on nodes) at `place` of a stored page.
    pub fn insert_at(&mut self, step: Step, entry: &[u8]) -> Result<Changed> {
        let page = Page::read(self.key, &*self.store, step.page)?;
        let (used, nod) = (page.end(), page.nod);
        let end = self.scratch.encode_insertion(self.key, &page, step.place, entry)?;
        self.splice_stored(step.page, used, nod, step.place, end)
    }

    /// Inserts an entry at `place` of content in memory.
    pub fn insert_in(&mut self, content: &mut Content, nod: usize, place: usize, entry: &[u8]) -> Result<()> {
        let page = Page { bytes: content, nod, offset: 0 };
        let end = self.scratch.encode_insertion(self.key, &page, place, entry)?;
        content.splice(place..end, self.scratch.out.iter().copied());
        put_head(content, nod);
        Ok(())
    }

    /// Removes the entry at `place` of a stored page.
    pub fn remove_at(&mut self, step: Step) -> Result<Changed> {
        let page = Page::read(self.key, &*self.store, step.page)?;
        let (used, nod) = (page.end(), page.nod);
        let end = self.scratch.encode_removal(self.key, &page, step.place)?;
        self.splice_stored(step.page, used, nod, step.place, end)
    }

    /// Removes the entry at `place` of content in memory, with the child pointer that follows it.
    pub fn remove_in(&mut self, content: &mut Content, nod: usize, place: usize) -> Result<()> {
        let page = Page { bytes: content, nod, offset: 0 };
        let end = self.scratch.encode_removal(self.key, &page, place)?;
        content.splice(place..end, self.scratch.out.iter().copied());
        put_head(content, nod);
        Ok(())
    }

    /// Cuts content in two: what stays left, the entry that rises (without child pointer), what goes right.
    /// `at_end`: only the last entry goes right.
    pub fn cut(&mut self, content: &[u8], nod: usize, at_end: bool) -> Result<(Content, Rising, Content)> {
        let page = Page { bytes: content, nod, offset: 0 };
        let bad = || Error::index(0, "entries of a page that must be split");
        let (first, used) = (page.first(), page.end());
        let mut rising = Entry::default();
        let (place, after);
        if self.key.packing == Packing::Fixed {
            let each = self.key.keylength + nod;
            let n = (used - 2 - nod) / each;
            let m = if at_end { n.checked_sub(2).ok_or_else(bad)? } else { (used - 2 - nod) / (2 * each) };
            place = first + m * each;
            after = rising.read(self.key, content, place, nod).ok_or_else(bad)?;
        } else {
            let half = ((used - 2 - nod) / 2).saturating_sub(2 + nod);
            let mut at = first;
            loop {
                let next = rising.read(self.key, content, at, nod).ok_or_else(bad)?;
                let reached = if at_end {
                    // The entry before the last one.
                    let mut last = rising.clone();
                    last.read(self.key, content, next, nod).ok_or_else(bad)? == used
                } else {
                    next - first >= half
                };
                if reached {
                    (place, after) = (at, next);
                    break;
                }
                at = next;
            }
        }
        if after >= used {
            return Err(bad());
        }
        // The child pointer behind the rising entry leads the right page.
        let mut right = vec![0, 0];
        right.extend_from_slice(&content[after - nod..after]);
        if matches!(self.key.packing, Packing::Fixed | Packing::Variable) {
            right.extend_from_slice(&content[after..]);
        } else {
            let mut head = rising.clone();
            let next = head.read(self.key, content, after, nod).ok_or_else(bad)?;
            put(self.key, &head.bytes, None, &mut right);
            right.extend_from_slice(&content[next..]);
        }
        put_head(&mut right, nod);
        let mut left = content[..place].to_vec();
        put_head(&mut left, nod);
        let mut bytes = rising.bytes;
        bytes.truncate(rising.flat + self.key.rec_ref);
        Ok((left, Rising { bytes }, right))
    }

    /// Splits an overfull page: its right part goes to a new page, the entry between rises.
    pub fn split(&mut self, page: u64, content: &[u8], nod: usize, at_end: bool) -> Result<Rising> {
        let (left, mut rising, right) = self.cut(content, nod, at_end)?;
        let new = self.allocate()?;
        self.save(page, &left)?;
        self.save_new(new, &right)?;
        put_pointer(new / 1024, self.key.key_ref, &mut rising.bytes);
        Ok(rising)
    }

    /// Makes a root above the old one.
    pub fn grow(&mut self, old: u64, rising: &Rising) -> Result<()> {
        let new = self.allocate()?;
        let mut content = vec![0, 0];
        put_pointer(old / 1024, self.key.key_ref, &mut content);
        put(self.key, &rising.bytes, None, &mut content);
        put_head(&mut content, self.key.key_ref);
        self.save_new(new, &content)?;
        self.set_root(new);
        Ok(())
    }
}

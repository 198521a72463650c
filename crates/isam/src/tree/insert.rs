//! Insertion into a key tree.

use std::cmp::Ordering;

use super::edit::{Changed, Content, Rising, Step, TreeEdit, put_head};
use super::page::{MAX_DEPTH, Page};
use crate::RowPos;
use crate::error::{Error, Result};
use crate::key::compare::compare;
use crate::key::pack::put;
use crate::key::{Packing, Tie};
use crate::myi::NIL;
use crate::pointer::{pointer, put_pointer};
use crate::source::{PageEdit, PageStore};

/// What an insertion met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    Done,
    /// The key is unique and this row has the value.
    Duplicate(RowPos),
}

impl<S: PageStore> TreeEdit<'_, S> {
    /// Inserts `entry` = flat key of `flat` bytes + row pointer. `unique`: an equal key is refused (the caller knows
    /// whether NULLs exempt it).
    pub fn insert(&mut self, entry: &[u8], flat: usize, unique: bool) -> Result<Inserted> {
        let root = self.root();
        if root == NIL {
            let page = self.allocate()?;
            let mut content = vec![0, 0];
            put(self.key, entry, None, &mut content);
            put_head(&mut content, 0);
            self.save_new(page, &content)?;
            self.set_root(page);
            return Ok(Inserted::Done);
        }
        let parts = self.key.segments.len();
        let (value, row) = entry.split_at(flat);
        let tie = if unique { Tie::Before } else { Tie::Pointer(row) };
        self.scratch.path.clear();
        let (mut offset, mut at_end) = (root, true);
        loop {
            let page = Page::read(self.key, &*self.store, offset)?;
            let found = &mut self.scratch.found;
            let (place, next) = page.search(self.key, value, parts, tie, found)?;
            if place < page.end() && compare(self.key, found.key(), value, parts) == Ordering::Equal {
                if unique {
                    return Ok(Inserted::Duplicate(RowPos(pointer(found.pointer(self.key)))));
                }
                if found.pointer(self.key) == row {
                    return Err(Error::index(offset, "the row is in the index already"));
                }
            }
            at_end &= next == page.end();
            self.scratch.path.push(Step { page: offset, place });
            if page.is_leaf() {
                let (used, end) = (page.end(), self.scratch.encode_insertion(self.key, &page, place, entry)?);
                let changed = self.splice_stored(offset, used, 0, place, end)?;
                self.rise(self.scratch.path.len() - 1, changed, at_end)?;
                return Ok(Inserted::Done);
            }
            if self.scratch.path.len() >= MAX_DEPTH {
                return Err(Error::index(offset, "tree is too deep"));
            }
            offset = page.child(place);
        }
    }

    /// After a change of the page at the path's `level`: goes up as far as pages overflow.
    pub(super) fn rise(&mut self, mut level: usize, mut changed: Changed, at_end: bool) -> Result<()> {
        let mut step = self.scratch.path[level];
        let mut leaf = true;
        loop {
            let Changed::Overfull(content) = changed else { return Ok(()) };
            let nod = if content[0] & 0x80 != 0 { self.key.key_ref } else { 0 };
            let at_end = at_end && leaf;
            let rising = if self.key.packing == Packing::Fixed && level > 0 && !at_end {
                self.balance(level, content, nod)?
            } else {
                Some(self.split(step.page, &content, nod, at_end)?)
            };
            let Some(rising) = rising else { return Ok(()) };
            if level == 0 {
                return self.grow(step.page, &rising);
            }
            level -= 1;
            leaf = false;
            step = self.scratch.path[level];
            changed = self.insert_at(step, &rising.bytes)?;
        }
    }

    /// Does the page below `place` of its parent work together with its right sibling (else with the left one)?
    pub fn takes_right(&self, parent: &Page<'_>, place: usize) -> bool {
        let odd = self.state().records() % 2 == 1;
        (place < parent.end() && odd) || place == parent.first()
    }

    /// Moves entries of an overfull page of fixed keys to a sibling, or makes three pages of two.
    fn balance(&mut self, level: usize, content: Content, nod: usize) -> Result<Option<Rising>> {
        let (own, up) = (self.scratch.path[level].page, self.scratch.path[level - 1]);
        let block = self.key.block_length;
        let (length, each) = (self.key.keylength, self.key.keylength + nod);
        let parent = Page::read(self.key, &*self.store, up.page)?;
        let above = self.key.keylength + parent.nod;
        let right_sibling = self.takes_right(&parent, up.place);
        // Place of the entry between the two pages.
        let between = if right_sibling { Some(up.place) } else { up.place.checked_sub(above) };
        let between = between.filter(|&b| b >= parent.first() && b + above <= parent.end());
        let between = between.ok_or_else(|| parent.corrupt())?;
        let sibling = if right_sibling { parent.child(between + above) } else { parent.child(between) };
        let separator = parent.bytes[between..between + length].to_vec();
        let (other, other_nod) = self.load(sibling)?;
        if other_nod != nod || other.len() < 2 + nod {
            return Err(Error::index(sibling, "leaves at different depths"));
        }
        let (other_len, own_len) = (other.len(), content.len());
        let (left, right) = if right_sibling { (content, other) } else { (other, content) };
        // child0 entry0 child1 ... of both pages, the separator between them.
        let mut all = left;
        all.extend_from_slice(&separator);
        all.extend_from_slice(&right[2..]);
        let k = (other_len + own_len - 4 - 2 * nod) / each;
        let until = |n: usize| 2 + nod + n * each;
        let page_of = |from: usize, to: usize| {
            let mut page = vec![0, 0];
            page.extend_from_slice(&all[from..to]);
            put_head(&mut page, nod);
            page
        };
        let (left_page, right_page) = if right_sibling { (own, sibling) } else { (sibling, own) };
        if all.len() != until(k) + length + nod {
            return Err(Error::index(sibling, "entries of a page"));
        }
        if other_len + each <= block {
            let m = until(k / 2);
            self.save(left_page, &page_of(2, m))?;
            self.save(right_page, &page_of(m + length, all.len()))?;
            self.replace_separator(up.page, between, &all[m..m + length])?;
            return Ok(None);
        }
        let third = (k + 1) / 3;
        let first = third - usize::from(k == 5);
        let (s1, s2) = (until(first), until(first + 1 + third));
        let new = self.allocate()?;
        let pages = [page_of(2, s1), page_of(s1 + length, s2), page_of(s2 + length, all.len())];
        let rising = if right_sibling {
            self.save(own, &pages[0])?;
            self.save_new(new, &pages[1])?;
            self.save(sibling, &pages[2])?;
            self.replace_separator(up.page, between, &all[s2..s2 + length])?;
            s1
        } else {
            self.save(sibling, &pages[0])?;
            self.save(own, &pages[1])?;
            self.save_new(new, &pages[2])?;
            self.replace_separator(up.page, between, &all[s1..s1 + length])?;
            s2
        };
        let mut bytes = all[rising..rising + length].to_vec();
        put_pointer(new / 1024, self.key.key_ref, &mut bytes);
        Ok(Some(Rising { bytes }))
    }

    fn replace_separator(&mut self, page: u64, at: usize, bytes: &[u8]) -> Result<()> {
        self.store.index_page_mut(page, self.key.block_length)?.write(at, bytes);
        Ok(())
    }
}

//! Insertion into an R-tree.

use super::Rect;
use super::node::{self, Node, Slot};
use super::split::split;
use crate::error::{Error, Result};
use crate::myi::NIL;
use crate::source::{PageEdit, PageStore};
use crate::tree::edit::TreeEdit;
use crate::tree::page::MAX_DEPTH;

/// What became of a page.
pub(super) enum Grown {
    /// It has the entry; what is around all of it is larger by that at most.
    Done,
    /// It was split: what is around it now, and the new page.
    Split(Rect, Slot),
}

impl<S: PageStore> TreeEdit<'_, S> {
    /// Inserts a row with its rectangle.
    pub fn insert_rect(&mut self, rect: Rect, row: u64) -> Result<()> {
        self.insert_slot(Slot { rect, to: row }, 0)
    }

    /// Levels above the leaves.
    pub(super) fn height(&self, root: u64) -> Result<usize> {
        let mut offset = root;
        for height in 0..MAX_DEPTH {
            let page = Node::read(self.key, &*self.store, offset)?;
            if page.leaf {
                return Ok(height);
            }
            offset = page.slot(0)?.to;
        }
        Err(Error::index(offset, "the tree leads back into itself"))
    }

    /// Inserts an entry into a page of this level; leaves are 0.
    pub(super) fn insert_slot(&mut self, slot: Slot, level: usize) -> Result<()> {
        let root = self.root();
        if root == NIL {
            let page = self.allocate()?;
            self.save_new(page, &node::content(self.key, level == 0, &[slot]))?;
            self.set_root(page);
            return Ok(());
        }
        let height = self.height(root)?;
        if level > height {
            return Err(Error::index(root, "levels of a tree"));
        }
        if let Grown::Split(rect, other) = self.grow_page(root, height, level, &slot)? {
            let new = self.allocate()?;
            self.save_new(new, &node::content(self.key, false, &[Slot { rect, to: root }, other]))?;
            self.set_root(new);
        }
        Ok(())
    }

    /// Inserts an entry below a page of level `at`.
    fn grow_page(&mut self, offset: u64, at: usize, level: usize, slot: &Slot) -> Result<Grown> {
        let page = Node::read(self.key, &*self.store, offset)?;
        if page.leaf != (at == 0) {
            return Err(Error::index(offset, "levels of a tree"));
        }
        if at == level {
            return self.add(offset, slot);
        }
        let mut best: Option<(usize, Slot, f64, f64)> = None;
        for (n, child) in page.slots().enumerate() {
            let child = child?;
            let area = child.rect.area();
            let growth = child.rect.with(&slot.rect).area() - area;
            if best.is_none_or(|(.., g, a)| growth < g || growth == g && area < a) {
                best = Some((n, child, growth, area));
            }
        }
        let Some((n, child, ..)) = best else { return Err(Error::index(offset, "a node without children")) };
        let (used, place) = (page.used(), page.rect_place(n));
        match self.grow_page(child.to, at - 1, level, slot)? {
            Grown::Done => {
                self.set_rect(offset, place, &child.rect, &child.rect.with(&slot.rect))?;
                Ok(Grown::Done)
            }
            Grown::Split(rect, other) => {
                self.set_rect(offset, place, &child.rect, &rect)?;
                debug_assert_eq!(used, Node::read(self.key, &*self.store, offset)?.used());
                self.add(offset, &other)
            }
        }
    }

    /// Gives the entry whose rectangle lies at `place` another one.
    pub(super) fn set_rect(&mut self, page: u64, place: usize, old: &Rect, new: &Rect) -> Result<()> {
        if old != new {
            self.store.index_page_mut(page, self.key.block_length)?.write(place, &new.bytes());
        }
        Ok(())
    }

    /// Appends an entry to a page, which is split when it is full.
    fn add(&mut self, offset: u64, slot: &Slot) -> Result<Grown> {
        let key = self.key;
        let page = Node::read(key, &*self.store, offset)?;
        let (used, leaf) = (page.used(), page.leaf);
        if node::has_room(key, used) {
            self.scratch.out.clear();
            node::put(key, leaf, slot, &mut self.scratch.out);
            let nod = if leaf { 0 } else { key.key_ref };
            self.splice_stored(offset, used, nod, used, used)?;
            return Ok(Grown::Done);
        }
        let mut slots = page.all()?;
        slots.push(*slot);
        let least = (key.block_length / 3).div_ceil(node::each(key, leaf));
        let (stay, go) = split(&slots, least);
        let new = self.allocate()?;
        self.save(offset, &node::content(key, leaf, &stay))?;
        self.save_new(new, &node::content(key, leaf, &go))?;
        Ok(Grown::Split(node::around(&stay), Slot { rect: node::around(&go), to: new }))
    }
}

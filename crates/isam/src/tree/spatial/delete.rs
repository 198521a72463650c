//! Deletion from an R-tree.

use super::Rect;
use super::node::{Node, Slot};
use crate::error::{Error, Result};
use crate::myi::NIL;
use crate::source::PageStore;
use crate::tree::edit::TreeEdit;
use crate::tree::page::MAX_DEPTH;

/// What became of a page.
enum Shrunk {
    /// The entry is not there.
    Missing,
    /// What is around it now.
    Around(Rect),
    /// Too little is left in it.
    Under(Rect),
    /// Nothing is.
    Empty,
}

/// What a deletion has on its way.
struct Way {
    rect: Rect,
    row: u64,
    /// Pages that may still be read: a damaged tree may lead back into itself.
    left: u64,
    /// Entries of pages that are dissolved, and the level of those.
    lost: Vec<(Slot, usize)>,
}

impl<S: PageStore> TreeEdit<'_, S> {
    /// Removes a row; false: it is not there with this rectangle.
    pub fn delete_rect(&mut self, rect: Rect, row: u64) -> Result<bool> {
        let root = self.root();
        if root == NIL {
            return Ok(false);
        }
        let height = self.height(root)?;
        let left = self.state().key_file_length() / 1024 + 1;
        let mut way = Way { rect, row, left, lost: Vec::new() };
        match self.shrink(root, height, &mut way)? {
            Shrunk::Missing => return Ok(false),
            Shrunk::Empty => {
                self.free(root)?;
                self.set_root(NIL);
            }
            Shrunk::Around(_) | Shrunk::Under(_) => {}
        }
        // those of the highest level first
        while let Some((slot, level)) = way.lost.pop() {
            self.insert_slot(slot, level)?;
        }
        self.lower_root()?;
        Ok(true)
    }

    /// A node with one child only is no root.
    fn lower_root(&mut self) -> Result<()> {
        for _ in 0..MAX_DEPTH {
            let root = self.root();
            if root == NIL {
                return Ok(());
            }
            let page = Node::read(self.key, &*self.store, root)?;
            if page.leaf || page.len() != 1 {
                return Ok(());
            }
            let child = page.slot(0)?.to;
            self.set_root(child);
            self.free(root)?;
        }
        Ok(())
    }

    /// Removes the row below a page of this level.
    fn shrink(&mut self, offset: u64, level: usize, way: &mut Way) -> Result<Shrunk> {
        let loops = || Error::index(offset, "the tree leads back into itself");
        way.left = way.left.checked_sub(1).ok_or_else(loops)?;
        let page = Node::read(self.key, &*self.store, offset)?;
        if page.leaf != (level == 0) {
            return Err(Error::index(offset, "levels of a tree"));
        }
        let count = page.len();
        for n in 0..count {
            // the page is looked at anew: nothing was changed below while the row was not found
            let page = Node::read(self.key, &*self.store, offset)?;
            let slot = page.slot(n)?;
            if level == 0 {
                if slot.to == way.row && slot.rect == way.rect {
                    return self.remove_slot(offset, n);
                }
                continue;
            }
            if !slot.rect.contains(&way.rect) {
                continue;
            }
            let place = page.rect_place(n);
            match self.shrink(slot.to, level - 1, way)? {
                Shrunk::Missing => {}
                Shrunk::Under(_) if count > 1 => {
                    let child = Node::read(self.key, &*self.store, slot.to)?.all()?;
                    way.lost.extend(child.into_iter().map(|slot| (slot, level - 1)));
                    self.free(slot.to)?;
                    return self.remove_slot(offset, n);
                }
                Shrunk::Empty => {
                    self.free(slot.to)?;
                    return self.remove_slot(offset, n);
                }
                Shrunk::Around(rect) | Shrunk::Under(rect) => {
                    self.set_rect(offset, place, &slot.rect, &rect)?;
                    return self.left(offset);
                }
            }
        }
        Ok(Shrunk::Missing)
    }

    /// Takes an entry out of a page.
    fn remove_slot(&mut self, offset: u64, n: usize) -> Result<Shrunk> {
        let page = Node::read(self.key, &*self.store, offset)?;
        let (used, nod) = (page.used(), if page.leaf { 0 } else { self.key.key_ref });
        let (from, to) = (page.place(n), page.place(n + 1));
        if page.len() == 1 {
            // it is given back before anybody reads it
            return Ok(Shrunk::Empty);
        }
        self.scratch.out.clear();
        self.splice_stored(offset, used, nod, from, to)?;
        self.left(offset)
    }

    /// What is left in a page.
    fn left(&self, offset: u64) -> Result<Shrunk> {
        let page = Node::read(self.key, &*self.store, offset)?;
        let rect = page.slots().try_fold(Rect::NOTHING, |rect, slot| slot.map(|s| rect.with(&s.rect)))?;
        Ok(if page.used() < self.key.block_length / 3 { Shrunk::Under(rect) } else { Shrunk::Around(rect) })
    }
}

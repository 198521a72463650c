//! Deletion from a key tree.

use std::cmp::Ordering;

use super::edit::{Changed, Content, Step, TreeEdit, put_head};
use super::page::{MAX_DEPTH, Page};
use crate::error::{Error, Result};
use crate::key::compare::compare;
use crate::key::pack::{Entry, put};
use crate::key::{Packing, Tie};
use crate::myi::NIL;
use crate::pointer::{pointer, put_pointer};
use crate::source::PageStore;

/// What a level needs after a change below or in it.
enum Status {
    /// Nothing.
    Done,
    /// Too little is left in it; its content.
    Under(Content),
    /// It is too long, and not stored.
    Over(Content),
}

impl<S: PageStore> TreeEdit<'_, S> {
    /// Removes the entry with this flat key and row pointer. False = it is not there.
    pub fn delete(&mut self, entry: &[u8], flat: usize) -> Result<bool> {
        let root = self.root();
        if root == NIL {
            return Ok(false);
        }
        let parts = self.key.segments.len();
        let (value, row) = entry.split_at(flat);
        self.scratch.path.clear();
        let mut offset = root;
        loop {
            let page = Page::read(self.key, &*self.store, offset)?;
            let found = &mut self.scratch.found;
            let (place, _) = page.search(self.key, value, parts, Tie::Pointer(row), found)?;
            self.scratch.path.push(Step { page: offset, place });
            let hit = place < page.end()
                && compare(self.key, found.key(), value, parts) == Ordering::Equal
                && found.pointer(self.key) == row;
            if hit {
                if page.is_leaf() {
                    self.delete_from_leaf()?;
                } else {
                    let left = page.child(place);
                    self.delete_from_node(left)?;
                }
                return Ok(true);
            }
            if page.is_leaf() {
                return Ok(false);
            }
            if self.scratch.path.len() >= MAX_DEPTH {
                return Err(Error::index(offset, "tree is too deep"));
            }
            offset = page.child(place);
        }
    }

    fn is_under(&self, used: usize) -> bool {
        used <= self.key.block_length / 3
    }

    fn delete_from_leaf(&mut self) -> Result<()> {
        let level = self.scratch.path.len() - 1;
        let step = self.scratch.path[level];
        let status = match self.remove_at(step)? {
            Changed::Stored { used } if self.is_under(used) => {
                Status::Under(self.content_of(step.page, used)?)
            }
            Changed::Stored { .. } => Status::Done,
            Changed::Overfull(content) => Status::Over(content),
        };
        self.settle(level, status, None)
    }

    /// Content of a page that may have become shorter than a page in a tree ever is.
    fn content_of(&self, page: u64, used: usize) -> Result<Content> {
        let bytes = self.store.index_page(page, self.key.block_length)?;
        Ok(bytes[..used].to_vec())
    }

    /// Replaces the entry at the end of the path by the largest one of the tree to its left.
    fn delete_from_node(&mut self, left: u64) -> Result<()> {
        let node_level = self.scratch.path.len() - 1;
        let node = self.scratch.path[node_level];
        let mut offset = left;
        let mut last = Entry::default();
        loop {
            let page = Page::read(self.key, &*self.store, offset)?;
            if page.is_leaf() {
                let place = page.entry_before(self.key, page.end(), &mut last)?;
                self.scratch.path.push(Step { page: offset, place });
                break;
            }
            self.scratch.path.push(Step { page: offset, place: page.end() });
            if self.scratch.path.len() >= MAX_DEPTH {
                return Err(Error::index(offset, "tree is too deep"));
            }
            offset = page.child(page.end());
        }
        let (mut content, nod) = self.load(node.page)?;
        let mut old = Entry::default();
        Page { bytes: &content, nod, offset: node.page }.entry_at(self.key, node.place, &mut old)?;
        let mut new = last.bytes.clone();
        new.extend_from_slice(&old.bytes[old.bytes.len() - nod..]);
        self.remove_in(&mut content, nod, node.place)?;
        self.insert_in(&mut content, nod, node.place, &new)?;
        let pending = if content.len() > self.key.block_length {
            Some((node_level, content))
        } else {
            self.save(node.page, &content)?;
            None
        };

        let level = self.scratch.path.len() - 1;
        let step = self.scratch.path[level];
        let mut leaf = self.content_of(step.page, step.place)?;
        put_head(&mut leaf, 0);
        let status = if self.is_under(leaf.len()) {
            Status::Under(leaf)
        } else {
            self.save(step.page, &leaf)?;
            Status::Done
        };
        self.settle(level, status, pending)
    }

    /// Goes up from `level` as long as pages are too short or too long. `pending`: a node further up that is too long.
    fn settle(
        &mut self,
        mut level: usize,
        mut status: Status,
        mut pending: Option<(usize, Content)>,
    ) -> Result<()> {
        loop {
            let page = self.scratch.path[level].page;
            match status {
                Status::Done => {
                    let Some((node, content)) = pending.take() else { return Ok(()) };
                    level = node;
                    status = Status::Over(content);
                }
                Status::Under(content) => {
                    if level == 0 {
                        return self.shrink_root(page, &content);
                    }
                    let parent = match pending.take_if(|(node, _)| *node == level - 1) {
                        Some((_, content)) => content,
                        None => self.load(self.scratch.path[level - 1].page)?.0,
                    };
                    status = self.underflow(level, content, parent)?;
                    level -= 1;
                }
                Status::Over(content) => {
                    let nod = if content[0] & 0x80 != 0 { self.key.key_ref } else { 0 };
                    let rising = self.split(page, &content, nod, false)?;
                    if level == 0 {
                        return self.grow(page, &rising);
                    }
                    level -= 1;
                    let up = self.scratch.path[level];
                    status = match pending.take_if(|(node, _)| *node == level) {
                        Some((_, mut content)) => {
                            self.insert_in(&mut content, self.key.key_ref, up.place, &rising.bytes)?;
                            Status::Over(content)
                        }
                        None => match self.insert_at(up, &rising.bytes)? {
                            Changed::Stored { .. } => Status::Done,
                            Changed::Overfull(content) => Status::Over(content),
                        },
                    };
                }
            }
        }
    }

    /// A root without entries gives way to its only child.
    fn shrink_root(&mut self, page: u64, content: &[u8]) -> Result<()> {
        let nod = if content[0] & 0x80 != 0 { self.key.key_ref } else { 0 };
        if content.len() > 3 + nod {
            return self.save(page, content);
        }
        let root = if nod > 0 { pointer(&content[2..2 + nod]) << 10 } else { NIL };
        self.set_root(root);
        self.free(page)
    }

    /// Merges a page that is too short with a sibling, or spreads the entries over both. Returns what the parent needs.
    fn underflow(&mut self, level: usize, content: Content, mut parent: Content) -> Result<Status> {
        let (own, up) = (self.scratch.path[level].page, self.scratch.path[level - 1]);
        let (block, above) = (self.key.block_length, self.key.key_ref);
        let nod = if content[0] & 0x80 != 0 { self.key.key_ref } else { 0 };
        let view = Page { bytes: &parent, nod: above, offset: up.page };
        if view.first() >= view.end() {
            return Err(view.corrupt());
        }
        let right_sibling = self.takes_right(&view, up.place);
        let mut separator = Entry::default();
        let (between, sibling);
        if right_sibling {
            between = up.place;
            let after = view.entry_at(self.key, between, &mut separator)?;
            sibling = view.child(after);
        } else {
            between = view.entry_before(self.key, up.place, &mut separator)?;
            sibling = view.child(between);
        }
        separator.bytes.truncate(separator.flat + self.key.rec_ref);
        let (other, other_nod) = self.load(sibling)?;
        if other_nod != nod || sibling == own {
            return Err(Error::index(sibling, "leaves at different depths"));
        }
        let empty = content.len() <= 2 + nod;
        let (left_page, right_page) = if right_sibling { (own, sibling) } else { (sibling, own) };
        let (left, right) = if right_sibling { (content, other) } else { (other, content) };
        let merged = self.join(left, &separator, &right, nod, !right_sibling && empty)?;

        self.remove_in(&mut parent, above, between)?;
        if merged.len() <= block {
            self.save(left_page, &merged)?;
            self.free(right_page)?;
        } else {
            let (left, mut rising, right) = self.cut(&merged, nod, false)?;
            self.save(left_page, &left)?;
            self.save(right_page, &right)?;
            put_pointer(right_page / 1024, self.key.key_ref, &mut rising.bytes);
            self.insert_in(&mut parent, above, between, &rising.bytes)?;
        }
        if parent.len() > block {
            return Ok(Status::Over(parent));
        }
        let limit = if right_sibling { block / 3 } else { block / 2 };
        if parent.len() <= limit {
            return Ok(Status::Under(parent));
        }
        self.save(up.page, &parent)?;
        Ok(Status::Done)
    }

    /// Entries of `left`, the separator, entries of `right`, as one content. `plain`: the separator is not compressed.
    fn join(
        &mut self,
        left: Content,
        separator: &Entry,
        right: &[u8],
        nod: usize,
        plain: bool,
    ) -> Result<Content> {
        let bad = || Error::index(0, "entries of pages that must be joined");
        let mut bytes = separator.bytes.clone();
        bytes.extend_from_slice(right.get(2..2 + nod).ok_or_else(bad)?);
        let mut all = left;
        if matches!(self.key.packing, Packing::Fixed | Packing::Variable) {
            all.extend_from_slice(&bytes);
            all.extend_from_slice(&right[2 + nod..]);
            put_head(&mut all, nod);
            return Ok(all);
        }
        let mut last = Entry::default();
        let page = Page { bytes: &all, nod, offset: 0 };
        let before = if page.end() > page.first() {
            page.entry_before(self.key, page.end(), &mut last)?;
            Some(last.bytes.as_slice())
        } else {
            None
        };
        put(self.key, &bytes, if plain { None } else { before }, &mut all);
        if right.len() > 2 + nod {
            let mut first = Entry::default();
            let next = first.read(self.key, right, 2 + nod, nod).ok_or_else(bad)?;
            put(self.key, &first.bytes, Some(&bytes), &mut all);
            all.extend_from_slice(&right[next..]);
        }
        put_head(&mut all, nod);
        Ok(all)
    }
}

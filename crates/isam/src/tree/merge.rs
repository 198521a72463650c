//! Building a tree anew of the entries that it has and many others, which come in order, and without many that it has.
//!
//! Where nearly every leaf changes this costs less than finding and changing the leaves one by one, and leaves them full. The pages of
//! the tree are read in order, and taken for the new one as soon as nothing of them is left to read.

use std::cmp::Ordering;

use super::bulk::TreeBuild;
use super::edit::TreeEdit;
use super::page::{MAX_DEPTH, Page};
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::key::compare::compare;
use crate::key::pack::Entry;
use crate::myi::{NIL, changed};
use crate::source::PageStore;

/// A tree that is being built of an older one.
pub(crate) struct Rebuild {
    old: Walk,
    new: TreeBuild,
}

impl Rebuild {
    /// Begins to read the tree.
    pub fn begin<S: PageStore>(edit: &mut TreeEdit<'_, S>) -> Result<Rebuild> {
        let pages_left = edit.state().key_file_length() / 1024 + 1;
        let mut old = Walk { pages_left, ..Walk::default() };
        let root = edit.root();
        if root != NIL {
            edit.state_mut().add_changed(changed::NOT_SORTED_PAGES);
            old.descend(edit, root)?;
            old.next(edit)?;
        }
        Ok(Rebuild { old, new: TreeBuild::default() })
    }

    /// Takes the next entry: a flat key of `flat` bytes, and its row pointer.
    pub fn push<S: PageStore>(
        &mut self,
        edit: &mut TreeEdit<'_, S>,
        entry: &[u8],
        flat: usize,
    ) -> Result<()> {
        if self.reach(edit, entry, flat)? {
            return Err(Error::index(edit.root(), "the row is in the index already"));
        }
        self.new.push(edit, entry)
    }

    /// Leaves out an entry that the tree has, which is behind all that came before.
    pub fn leave_out<S: PageStore>(
        &mut self,
        edit: &mut TreeEdit<'_, S>,
        entry: &[u8],
        flat: usize,
    ) -> Result<()> {
        if !self.reach(edit, entry, flat)? {
            return Err(Error::index(edit.root(), "the row is not in the index"));
        }
        self.old.next(edit)
    }

    /// Takes all entries of the old tree that are before another one. Whether that is the next of them.
    #[inline]
    fn reach<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>, entry: &[u8], flat: usize) -> Result<bool> {
        let (value, row) = entry.split_at(flat);
        while let Some(old) = self.old.entry() {
            let order = compare(edit.key, old.key(), value, edit.key.segments.len());
            match order.then_with(|| old.pointer(edit.key).cmp(row)) {
                Ordering::Less => self.keep(edit)?,
                Ordering::Equal => return Ok(true),
                Ordering::Greater => break,
            }
        }
        Ok(false)
    }

    /// Takes what is left of the old tree. Its pages that the new one does not need become free ones.
    pub fn finish<S: PageStore>(mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        while self.old.entry().is_some() {
            self.keep(edit)?;
        }
        self.new.finish(edit)?;
        for page in std::mem::take(&mut edit.spare) {
            edit.free(page)?;
        }
        Ok(())
    }

    /// Takes the entry of the old tree that is next.
    fn keep<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        if let Some(entry) = self.old.entry() {
            self.new.push(edit, &entry.bytes[..entry.flat + edit.key.rec_ref])?;
        }
        self.old.next(edit)
    }
}

/// The entries of a tree in order. It holds copies of the pages that it is in; each page it is through with is a spare one.
#[derive(Default)]
struct Walk {
    /// From the root down.
    open: Vec<Open>,
    /// Room of pages that were read.
    room: Vec<Open>,
    /// How many pages may still come, before the tree must have a loop.
    pages_left: u64,
}

/// A page that is being read.
#[derive(Default)]
struct Open {
    page: u64,
    bytes: Vec<u8>,
    nod: usize,
    /// Place behind the entry read last.
    at: usize,
    entry: Entry,
    /// A node whose entry was read last: what lies below the pointer behind it comes next.
    below: bool,
}

impl Open {
    fn view(&self) -> Page<'_> {
        Page { bytes: &self.bytes, nod: self.nod, offset: self.page }
    }
}

impl Walk {
    /// The entry at hand; none at the end.
    #[inline]
    fn entry(&self) -> Option<&Entry> {
        self.open.last().map(|open| &open.entry)
    }

    /// Goes to the first leaf below a page.
    fn descend<S: PageStore>(&mut self, edit: &TreeEdit<'_, S>, mut page: u64) -> Result<()> {
        loop {
            if self.open.len() >= MAX_DEPTH || self.pages_left == 0 {
                return Err(Error::index(page, "the tree leads back into itself"));
            }
            self.pages_left -= 1;
            let read = Page::read(edit.key, &*edit.store, page)?;
            let mut open = self.room.pop().unwrap_or_default();
            open.bytes.clear();
            open.bytes.extend_from_slice(read.bytes);
            open.entry.clear();
            (open.page, open.nod, open.at, open.below) = (page, read.nod, read.first(), false);
            if !read.is_leaf() {
                page = read.child(read.first());
            }
            self.open.push(open);
            if read.is_leaf() {
                return Ok(());
            }
        }
    }

    /// Goes on to the next entry.
    #[inline]
    fn next<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        if let Some(leaf) = self.open.last_mut()
            && leaf.nod == 0
            && leaf.at < leaf.bytes.len()
        {
            return leaf.read(edit.key);
        }
        self.next_page(edit)
    }

    /// Goes on from an entry of a node, or from the end of a page.
    fn next_page<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        while let Some(open) = self.open.last_mut() {
            if open.below {
                open.below = false;
                let child = open.view().child(open.at);
                self.descend(edit, child)?;
            } else if open.at < open.bytes.len() {
                open.below = open.nod > 0;
                return open.read(edit.key);
            } else {
                edit.spare.push(open.page);
                self.room.extend(self.open.pop());
            }
        }
        Ok(())
    }
}

impl Open {
    #[inline]
    fn read(&mut self, key: &KeyInfo) -> Result<()> {
        let next = self.entry.read(key, &self.bytes, self.at, self.nod);
        self.at = next.ok_or_else(|| self.view().corrupt())?;
        Ok(())
    }
}

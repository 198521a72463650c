//! Building a tree from entries in ascending order: every page but the last of each level is as full as it gets.
//!
//! Leaves are filled without the tree ([`Filling`]), so that another thread may do it; the tree gives them their places and has the levels
//! above.

use super::edit::{Content, TreeEdit, put_head};
use super::page::MAX_DEPTH;
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::key::pack::put;
use crate::myi::NIL;
use crate::pointer::put_pointer;
use crate::source::PageStore;

/// A page being filled.
#[derive(Debug)]
pub(crate) struct Filling {
    content: Content,
    /// The last entry put (flat key and row pointer).
    last: Vec<u8>,
    /// Where the last entry begins; on nodes its left child pointer lies before that.
    last_at: usize,
    entries: usize,
}

/// A page that is full, and the entry that goes up from it.
#[derive(Debug, Default)]
pub(crate) struct Filled {
    /// The page.
    pub content: Content,
    /// The entry, which lies behind all those of the page.
    pub rising: Vec<u8>,
}

impl Default for Filling {
    fn default() -> Filling {
        Filling { content: vec![0, 0], last: Vec::new(), last_at: 0, entries: 0 }
    }
}

impl Filling {
    /// Puts an entry, on nodes with the page to its left. True when the page was full before: it is in `filled` then, and the entry is the
    /// first of the next one.
    pub fn put(&mut self, key: &KeyInfo, entry: &[u8], left: Option<u64>, filled: &mut Filled) -> bool {
        let nod = if left.is_some() { key.key_ref } else { 0 };
        if let Some(page) = left {
            put_pointer(page / 1024, key.key_ref, &mut self.content);
        }
        let at = self.content.len();
        let before = (self.entries > 0).then_some(self.last.as_slice());
        put(key, entry, before, &mut self.content);
        let full = self.content.len() + nod > key.block_length && self.entries > 0;
        if full {
            // The entry before goes up, this one begins the next page.
            self.content.truncate(self.last_at);
            put_head(&mut self.content, nod);
            std::mem::swap(&mut self.content, &mut filled.content);
            std::mem::swap(&mut self.last, &mut filled.rising);
            self.content.clear();
            self.content.extend_from_slice(&[0, 0]);
            if let Some(page) = left {
                put_pointer(page / 1024, key.key_ref, &mut self.content);
            }
            self.entries = 0;
            self.last_at = self.content.len();
            put(key, entry, None, &mut self.content);
        } else {
            self.last_at = at;
        }
        self.entries += 1;
        self.last.clear();
        self.last.extend_from_slice(entry);
        full
    }

    /// The entry put last, if any: flat key and row pointer.
    pub fn last(&self) -> Option<&[u8]> {
        (self.entries > 0).then_some(&self.last)
    }

    /// The page as it is, the last of its level: a leaf.
    pub fn finish(mut self) -> Content {
        put_head(&mut self.content, 0);
        self.content
    }
}

/// Builds one tree. Feed entries in ascending order, then finish.
#[derive(Debug, Default)]
pub(crate) struct TreeBuild {
    leaf: Filling,
    above: Levels,
    filled: Filled,
}

impl TreeBuild {
    /// Takes the next entry: flat key and row pointer.
    pub fn push<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>, entry: &[u8]) -> Result<()> {
        if self.leaf.put(edit.key, entry, None, &mut self.filled) {
            self.above.push(edit, &self.filled.content, &self.filled.rising)?;
        }
        Ok(())
    }

    /// The entry taken last.
    pub fn last(&self) -> Option<&[u8]> {
        self.leaf.last()
    }

    /// Stores what is left; the last page is the root.
    pub fn finish<S: PageStore>(self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        if self.leaf.last().is_none() {
            edit.set_root(NIL);
            return Ok(());
        }
        self.above.finish(edit, &self.leaf.finish())
    }
}

/// The levels above the leaves of a tree being built.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    levels: Vec<Filling>,
    filled: Filled,
    /// The entry on its way up.
    rising: Vec<u8>,
}

impl Levels {
    /// Takes the next leaf, which is full, and the entry that goes up from it.
    pub fn push<S: PageStore>(
        &mut self,
        edit: &mut TreeEdit<'_, S>,
        leaf: &[u8],
        rising: &[u8],
    ) -> Result<()> {
        let mut page = store(edit, leaf)?;
        let key = edit.key;
        let mut level = 0;
        self.rising.clear();
        self.rising.extend_from_slice(rising);
        loop {
            // the leaves are a level, too
            if level + 1 >= MAX_DEPTH {
                return Err(Error::IndexFull);
            }
            if self.levels.len() == level {
                self.levels.push(Filling::default());
            }
            if !self.levels[level].put(key, &self.rising, Some(page), &mut self.filled) {
                return Ok(());
            }
            page = store(edit, &self.filled.content)?;
            std::mem::swap(&mut self.rising, &mut self.filled.rising);
            level += 1;
        }
    }

    /// Takes the last leaf, and stores what is left; the last page is the root.
    pub fn finish<S: PageStore>(self, edit: &mut TreeEdit<'_, S>, leaf: &[u8]) -> Result<()> {
        let mut root = store(edit, leaf)?;
        let nod = edit.key.key_ref;
        for mut level in self.levels {
            put_pointer(root / 1024, nod, &mut level.content);
            put_head(&mut level.content, nod);
            root = store(edit, &level.content)?;
        }
        edit.set_root(root);
        Ok(())
    }
}

/// Stores a page of the tree.
fn store<S: PageStore>(edit: &mut TreeEdit<'_, S>, content: &[u8]) -> Result<u64> {
    let page = edit.allocate()?;
    edit.save_new(page, content)?;
    Ok(page)
}

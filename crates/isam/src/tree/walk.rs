//! Walking a whole tree page by page.

use super::page::{MAX_DEPTH, Page};
use super::words::own_trees;
use crate::TableFormat;
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::key::pack::Entry;
use crate::myi::{NIL, StateView};
use crate::source::PageSource;

/// Offsets of all pages of a key's tree, each parent before its children.
///
/// # Errors
/// 126 if a page is damaged or the tree leads back into itself.
pub fn pages_of<S: PageSource>(format: &TableFormat, src: &S, key: usize) -> Result<Vec<u64>> {
    let state = StateView::new(src.state(), format.offsets);
    let root = state.key_root(key);
    let mut out = Vec::new();
    if root != NIL {
        let limit = state.key_file_length() / 1024 + 1;
        collect(&format.keys[key], src, root, 0, limit, &mut out)?;
    }
    Ok(out)
}

/// Offsets of all pages of the trees that words of a FULLTEXT key have of their own, each parent before its children.
///
/// # Errors
/// As [`pages_of`].
pub fn own_trees_of<S: PageSource>(format: &TableFormat, src: &S, key: usize) -> Result<Vec<u64>> {
    let mut out = Vec::new();
    let key_info = &*format.keys[key];
    let Some(second) = key_info.fulltext.as_ref().and_then(|f| f.second.as_deref()) else { return Ok(out) };
    let limit = StateView::new(src.state(), format.offsets).key_file_length() / 1024 + 1;
    for offset in pages_of(format, src, key)? {
        for (_, root) in own_trees(key_info, &Page::read(key_info, src, offset)?)? {
            collect(second, src, root, 0, limit, &mut out)?;
        }
    }
    Ok(out)
}

fn collect<S: PageSource>(
    key: &KeyInfo,
    src: &S,
    offset: u64,
    depth: usize,
    limit: u64,
    out: &mut Vec<u64>,
) -> Result<()> {
    if depth >= MAX_DEPTH || out.len() as u64 >= limit {
        return Err(Error::index(offset, "the tree leads back into itself"));
    }
    out.push(offset);
    let page = Page::read(key, src, offset)?;
    if page.is_leaf() {
        return Ok(());
    }
    if key.is_spatial() {
        return page
            .children(key)?
            .into_iter()
            .try_for_each(|(_, child)| collect(key, src, child, depth + 1, limit, out));
    }
    let mut entry = Entry::default();
    let mut place = page.first();
    loop {
        collect(key, src, page.child(place), depth + 1, limit, out)?;
        if place >= page.end() {
            return Ok(());
        }
        place = entry.read(key, page.bytes, place, page.nod).ok_or_else(|| page.corrupt())?;
    }
}

/// A walk over the pages of a key's tree, a level after the other: those above its leaves, or all. It borrows nothing: a part can be read under each pin
/// of one snapshot.
#[derive(Debug)]
pub struct InnerPages {
    key: usize,
    level: Vec<u64>,
    /// How many pages of the level were read.
    read: usize,
    /// The level below, as far as its parents were read.
    below: Vec<u64>,
    depth: usize,
    leaves: bool,
}

impl InnerPages {
    /// At the root of a key.
    pub fn new<S: PageSource>(format: &TableFormat, src: &S, key: usize) -> InnerPages {
        let root = StateView::new(src.state(), format.offsets).key_root(key);
        let level = if root == NIL { Vec::new() } else { vec![root] };
        InnerPages { key, level, read: 0, below: Vec::new(), depth: 0, leaves: false }
    }

    /// The leaves as well.
    #[must_use]
    pub fn and_leaves(self) -> InnerPages {
        InnerPages { leaves: true, ..self }
    }

    /// Reads so many pages at most; false at the end. Of the leaves no more than the first one is read, if they are not wanted.
    ///
    /// # Errors
    /// 126 if a page is damaged or the tree leads back into itself.
    pub fn read<S: PageSource>(&mut self, format: &TableFormat, src: &S, most: usize) -> Result<bool> {
        let limit = StateView::new(src.state(), format.offsets).key_file_length() / 1024 + 1;
        for _ in 0..most {
            if self.read == self.level.len() {
                self.level = std::mem::take(&mut self.below);
                self.read = 0;
                self.depth += 1;
            }
            let Some(&offset) = self.level.get(self.read) else { return Ok(false) };
            let key = &*format.keys[self.key];
            let page = Page::read(key, src, offset)?;
            if page.is_leaf() && !self.leaves {
                return Ok(false);
            }
            self.read += 1;
            if page.is_leaf() {
                continue;
            }
            self.below.extend(page.children(key)?.into_iter().map(|(_, child)| child));
            if self.depth >= MAX_DEPTH || self.below.len() as u64 > limit {
                return Err(Error::index(offset, "the tree leads back into itself"));
            }
        }
        Ok(true)
    }
}

//! Searches for several keys side by side.
//!
//! In a tree that is larger than the processor's caches a search waits for each page on its way, and what waits does nothing else. So the
//! ways of several keys go down together, a level at a time: the pages of all of them are fetched before the first is searched, and the
//! processor waits for them at once.

use std::hint::black_box;

use super::cursor::{KeyCursor, Level};
use super::page::Page;
use crate::error::{Error, Result};
use crate::key::Tie;
use crate::source::PageSource;

/// Keys that are looked for together, at most.
pub const TOGETHER: usize = 16;

/// Bytes between those that are read of a page to have all of it fetched: the processor fetches what lies beside them.
const STRIDE: usize = 128;

/// The ways of several keys from the root to the leaves where they belong, in one source.
#[derive(Debug, Default)]
pub struct Ways<'s> {
    /// The steps of the ways: those of all keys in the root, then those a level below, and so on down to the leaves.
    steps: Vec<Level>,
    /// Steps of each key.
    depth: usize,
    /// Where the keys belong; none in an empty tree.
    leaves: Vec<Page<'s>>,
    /// The pages of the next level.
    next: Vec<u64>,
}

impl<'s> Ways<'s> {
    /// Reads the pages of the next level; no read waits for another one.
    fn fetch<S: PageSource>(&mut self, cursor: &KeyCursor, src: &'s S) -> Result<()> {
        self.leaves.clear();
        let block = cursor.key_info().block_length;
        let mut pages: [&[u8]; TOGETHER] = [&[]; TOGETHER];
        for (page, offset) in pages.iter_mut().zip(&self.next) {
            *page = src.index_page(*offset, block)?;
            for at in (0..page.len()).step_by(STRIDE) {
                black_box(page[at]);
            }
        }
        for (page, offset) in pages.iter().zip(&self.next) {
            self.leaves.push(Page::new(cursor.key_info(), page, *offset)?);
        }
        Ok(())
    }
}

impl KeyCursor {
    /// Finds the leaves where these keys belong, at most [`TOGETHER`]: the flat bytes of the first `parts` parts of each.
    ///
    /// # Errors
    /// As [`KeyCursor::seek`].
    pub fn find_ways<'s, 'k, S: PageSource>(
        &mut self,
        src: &'s S,
        keys: impl Iterator<Item = &'k [u8]> + Clone,
        parts: usize,
        ways: &mut Ways<'s>,
    ) -> Result<()> {
        ways.steps.clear();
        ways.leaves.clear();
        ways.next.clear();
        ways.depth = 0;
        let Some(root) = self.root(src)? else { return Ok(()) };
        let page = Page::read(self.key_info(), src, root)?;
        ways.leaves.extend(keys.clone().take(TOGETHER).map(|_| page));
        while ways.leaves.iter().any(|page| !page.is_leaf()) {
            ways.next.clear();
            for (page, flat) in ways.leaves.iter().zip(keys.clone()) {
                if page.is_leaf() {
                    return Err(Error::index(page.offset, "leaves at different depths"));
                }
                let place = self.search_above(page, flat, parts, Tie::Before)?;
                ways.steps.push(Level { page: page.offset, place });
                ways.next.push(page.child(place));
            }
            ways.depth += 1;
            if ways.depth >= super::page::MAX_DEPTH {
                return Err(Error::index(root, "the tree leads back into itself"));
            }
            ways.fetch(self, src)?;
        }
        Ok(())
    }

    /// As [`KeyCursor::seek`] for the first entry that equals the `n`-th of the keys whose ways were found.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn seek_on_way<S: PageSource>(
        &mut self,
        src: &S,
        ways: &Ways<'_>,
        n: usize,
        flat: &[u8],
        parts: usize,
    ) -> Result<bool> {
        let count = ways.leaves.len();
        let Some(page) = ways.leaves.get(n) else { return Ok(false) };
        self.begin_way((0..ways.depth).map(|level| ways.steps[level * count + n]))?;
        self.end_way(src, page, flat, parts)
    }
}

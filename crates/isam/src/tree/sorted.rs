//! Insertion of many entries that come in order.
//!
//! Entries at random in a large tree nearly all have a leaf of their own, which no cache of the processor holds: waiting for memory was most
//! of what such an insertion cost. So the leaves of the next few entries are looked for in the pages above them, which are few and in the
//! caches, and copied before the first of them is searched.

use std::cmp::Ordering;

use super::edit::{Changed, Step, TreeEdit};
use super::page::{MAX_DEPTH, Page};
use crate::error::{Error, Result};
use crate::key::Tie;
use crate::key::compare::compare;
use crate::key::pack::Entry;
use crate::myi::NIL;
use crate::source::PageStore;

/// Entries whose leaves are fetched together, at most. More of them are in vain when one splits, as what follows is looked for anew.
const AHEAD: usize = 8;

/// Where an entry goes.
struct Target {
    leaf: u64,
    /// The place of the leaf in the page above it.
    place: usize,
    /// No leaf comes behind this one.
    last: bool,
}

/// How deep a tree is.
struct Depth {
    root: u64,
    /// Pages above a leaf.
    above: usize,
}

impl<S: PageStore> TreeEdit<'_, S> {
    /// Inserts entries (with the lengths of their flat keys) that come in order, no equal ones of which are refused.
    pub fn insert_sorted<'e>(&mut self, entries: impl Iterator<Item = (&'e [u8], usize)>) -> Result<()> {
        let mut entries = entries.fuse();
        let mut group: Vec<(&[u8], usize)> = Vec::with_capacity(AHEAD);
        let mut targets = Vec::with_capacity(AHEAD);
        let (mut depth, mut bound) = (Depth { root: NIL, above: 0 }, Entry::default());
        loop {
            group.extend(entries.by_ref().take(AHEAD - group.len()));
            let Some(&(entry, flat)) = group.first() else { return Ok(()) };
            let root = self.root();
            if root == NIL {
                self.insert(entry, flat, false)?;
                group.remove(0);
                continue;
            }
            if depth.root != root {
                depth = self.depth(root)?;
            }
            self.find_leaves(&depth, &group, &mut targets, &mut bound)?;
            self.fetch(&targets);
            let mut done = 0;
            for (target, &(entry, flat)) in targets.iter().zip(&group) {
                done += 1;
                if !self.insert_into(target, entry, flat, depth.above)? {
                    break;
                }
            }
            group.drain(..done);
        }
    }

    fn depth(&self, root: u64) -> Result<Depth> {
        let (mut offset, mut above) = (root, 0);
        loop {
            let page = Page::read(self.key, &*self.store, offset)?;
            if page.is_leaf() {
                return Ok(Depth { root, above });
            }
            above += 1;
            if above >= MAX_DEPTH {
                return Err(Error::index(offset, "tree is too deep"));
            }
            offset = page.child(page.first());
        }
    }

    /// The leaves of the first entries of the group, those that have the page above their leaf in common; the path leads to that page.
    fn find_leaves(
        &mut self,
        depth: &Depth,
        group: &[(&[u8], usize)],
        targets: &mut Vec<Target>,
        bound: &mut Entry,
    ) -> Result<()> {
        let (key, parts) = (self.key, self.key.segments.len());
        targets.clear();
        self.scratch.path.clear();
        let is_below = |(entry, flat): (&[u8], usize), other: &Entry| {
            let (value, row) = entry.split_at(flat);
            compare(key, value, other.key(), parts).then_with(|| row.cmp(other.pointer(key))).is_lt()
        };
        let (mut offset, mut last) = (depth.root, true);
        for level in 1..=depth.above {
            let page = Page::read(key, &*self.store, offset)?;
            if page.is_leaf() {
                return Err(Error::index(offset, "leaves at different depths"));
            }
            let lowest = level == depth.above;
            let mut place = 0;
            for (n, &(entry, flat)) in group.iter().enumerate() {
                if n > 0 && (!lowest || !(last || is_below((entry, flat), bound))) {
                    break;
                }
                let found = &mut self.scratch.found;
                // behind the last entry of a page everything goes to the same leaf, and so does what is below the one found before
                let same = n > 0 && (place == page.end() || is_below((entry, flat), found));
                if !same {
                    let (value, row) = entry.split_at(flat);
                    place = page.search(key, value, parts, Tie::Pointer(row), found)?.0;
                }
                if lowest {
                    let last = last && place == page.end();
                    targets.push(Target { leaf: page.child(place), place, last });
                }
            }
            self.scratch.path.push(Step { page: offset, place });
            if !lowest && place < page.end() {
                last = false;
                bound.clone_from(&self.scratch.found);
            }
            offset = page.child(place);
        }
        if depth.above == 0 {
            targets.extend(group.iter().map(|_| Target { leaf: offset, place: 0, last: true }));
        }
        Ok(())
    }

    /// Takes a working copy of each leaf, from one end to the other: as fast as memory gives, which looking for a place in a leaf that is in no
    /// cache is not. What cannot be read is told of by who needs it.
    fn fetch(&mut self, targets: &[Target]) {
        let mut leaves = [NIL; AHEAD];
        let mut count = 0;
        for target in targets {
            if count == 0 || leaves[count - 1] != target.leaf {
                leaves[count] = target.leaf;
                count += 1;
            }
        }
        let leaves = &leaves[..count];
        self.store.prefetch_index(leaves, self.key.block_length);
        for leaf in leaves {
            // an error comes again
            let _ = self.store.index_page_mut(*leaf, self.key.block_length);
        }
    }

    /// Puts an entry into its leaf. False: other pages have changed as well.
    fn insert_into(&mut self, target: &Target, entry: &[u8], flat: usize, above: usize) -> Result<bool> {
        let (value, row) = entry.split_at(flat);
        let parts = self.key.segments.len();
        let page = Page::read(self.key, &*self.store, target.leaf)?;
        if !page.is_leaf() {
            return Err(Error::index(target.leaf, "leaves at different depths"));
        }
        let found = &mut self.scratch.found;
        let (place, _) = page.search(self.key, value, parts, Tie::Pointer(row), found)?;
        let end = place == page.end();
        if !end
            && found.pointer(self.key) == row
            && compare(self.key, found.key(), value, parts) == Ordering::Equal
        {
            return Err(Error::index(target.leaf, "the row is in the index already"));
        }
        let (used, replaced) = (page.end(), self.scratch.encode_insertion(self.key, &page, place, entry)?);
        let path = &mut self.scratch.path;
        path.truncate(above);
        if let Some(parent) = path.last_mut() {
            parent.place = target.place;
        }
        path.push(Step { page: target.leaf, place });
        let changed = self.splice_stored(target.leaf, used, 0, place, replaced)?;
        let stored = matches!(changed, Changed::Stored { .. });
        self.rise(above, changed, target.last && end)?;
        Ok(stored)
    }
}

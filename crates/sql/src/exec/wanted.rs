//! The groups that LIMIT leaves, where nothing else asks for the others: rows of groups that cannot be among them are
//! left out before they take room.

use std::sync::{Arc, OnceLock};

use super::groups::Groups;
use crate::ast::AggregateFunction as F;
use crate::plan::{BlockPlan, GroupPlan};

/// Groups from which on it is looked for the last one that is wanted.
const FIRST_LOOK: usize = 1024;

/// So many groups that began first are told to other threads: these are found in a processor's cache.
const FEW: usize = 16 << 10;

/// Which groups are wanted.
#[derive(Clone)]
pub struct Wanted {
    most: usize,
    /// The first by their keys, not those that began first.
    by_key: bool,
    /// So many groups are wanted that have this key or one before it.
    last: Option<Vec<u8>>,
    /// The groups that began first, once a thread that reads the first rows has found them.
    begun: Arc<OnceLock<Groups>>,
    /// It is looked for again at so many groups.
    next_look: usize,
}

impl Wanted {
    /// When not more than `most` groups are handed out; none when all must be put together.
    #[must_use]
    pub fn new(b: &BlockPlan, g: &GroupPlan, most: usize) -> Option<Wanted> {
        // a list that is cut warns; what is computed when a group begins may assign
        let quiet = g.items.is_empty()
            && !g.aggregates.iter().any(|a| matches!(a.function, F::GroupConcat | F::Stored));
        if most >= usize::MAX / 4 || g.rollup || g.keys.is_empty() || !quiet {
            return None;
        }
        let by_key = b.order.is_empty() && !g.unordered;
        let begun = Arc::default();
        Some(Wanted { most, by_key, last: None, begun, next_look: FIRST_LOOK.max(most) })
    }

    /// Whether several threads can leave out the others: they are the first by their keys, or few.
    #[must_use]
    pub fn is_for_threads(&self) -> bool {
        self.by_key || self.most <= FEW
    }

    /// How many of the groups that began first are wanted; all where that does not matter.
    #[must_use]
    pub fn first(&self) -> usize {
        if self.by_key { usize::MAX } else { self.most }
    }

    /// Tells all threads which groups began first, where these are among the `groups` of the first rows.
    pub fn note_begun(&self, groups: &Groups) {
        if self.is_full(groups.len()) && self.begun.get().is_none() {
            let mut first = Groups::default();
            (0..self.most).for_each(|n| _ = first.insert(groups.key(n)));
            _ = self.begun.set(first);
        }
    }

    /// The groups that began first, once a thread has told.
    #[must_use]
    pub fn begun(&self) -> Option<&Groups> {
        self.begun.get()
    }

    /// Whether a group that is not among the `groups` so far will not be.
    #[inline]
    #[must_use]
    pub fn is_full(&self, groups: usize) -> bool {
        !self.by_key && groups >= self.most
    }

    /// Whether the group of a key will not be, although it may be among the groups so far: there are enough before it in the order of the
    /// keys. The key is asked for when that matters.
    #[inline]
    #[must_use]
    pub fn is_behind<'k>(&self, key: impl FnOnce() -> &'k [u8]) -> bool {
        self.last.as_ref().is_some_and(|last| key() > &last[..])
    }

    /// Looks for the last key that is wanted, when there are many more groups than before.
    #[inline]
    pub fn look(&mut self, groups: &Groups) {
        if self.by_key && self.most > 0 && groups.len() >= self.next_look {
            self.last = groups.sorted(self.most).last().map(|n| groups.key(*n as usize).to_vec());
            self.next_look = groups.len() * 2;
        }
    }
}

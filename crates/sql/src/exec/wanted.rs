//! The groups that LIMIT leaves, where nothing else asks for the others: rows of groups that cannot be among them are
//! left out before they take room.

use super::groups::Groups;
use crate::ast::AggregateFunction as F;
use crate::plan::{BlockPlan, GroupPlan};

/// Groups from which on it is looked for the last one that is wanted.
const FIRST_LOOK: usize = 1024;

/// Which groups are wanted.
#[derive(Clone)]
pub struct Wanted {
    most: usize,
    /// The first by their keys, not those that began first.
    by_key: bool,
    /// So many groups are wanted that have this key or one before it.
    last: Option<Vec<u8>>,
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
        Some(Wanted { most, by_key, last: None, next_look: FIRST_LOOK.max(most) })
    }

    /// Whether they are the first by their keys.
    #[must_use]
    pub fn is_by_key(&self) -> bool {
        self.by_key
    }

    /// Whether a group that is not among the `groups` so far will not be.
    #[inline]
    #[must_use]
    pub fn is_full(&self, groups: usize) -> bool {
        !self.by_key && groups >= self.most
    }

    /// Whether the group of a key will not be, although it may be among the groups so far. The key is asked for when that matters.
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

//! Entries of a unique key that come in no order.

use std::hash::BuildHasher;
use std::path::Path;
use std::sync::Arc;

use hashbrown::HashTable;

use crate::error::Result;
use crate::key::KeyInfo;
use crate::key::collect::{Collector, Helpers};
use crate::source::PageStore;
use crate::tree::bulk::TreeBuild;
use crate::tree::edit::TreeEdit;

/// Entries that are sorted in the end, and the hashes of their values. Two values that the key finds equal have the same hash; what has the hash
/// of another is taken for equal, which the tree then decides.
#[derive(Debug)]
pub(super) struct Scattered {
    collector: Collector,
    hashes: HashTable<u64>,
    hasher: foldhash::quality::RandomState,
    /// Hash of the entry taken last.
    last: u64,
    /// Hashes that there is room for.
    most: usize,
}

impl Scattered {
    /// For entries of `key`, and hashes of so many bytes.
    pub fn new(key: &Arc<KeyInfo>, tmpdir: &Path, bytes: usize) -> Scattered {
        Scattered {
            collector: Collector::new(key, tmpdir),
            hashes: HashTable::new(),
            hasher: foldhash::quality::RandomState::default(),
            last: 0,
            // a table may be half empty, and has a byte for each place
            most: bytes / 2 / (size_of::<u64>() + 1),
        }
    }

    /// Takes an entry whose value is known to be another one than those before.
    pub fn push_new(&mut self, helpers: &mut Helpers, entry: &[u8], flat: usize) -> Result<()> {
        self.collector.push(helpers, entry, flat)?;
        self.last = self.hasher.hash_one(self.collector.last_value());
        self.hashes.insert_unique(self.last, self.last, |other| *other);
        Ok(())
    }

    /// Takes an entry. False, and nothing is taken, when its value may be there already, or there is no room for more hashes.
    pub fn push(&mut self, helpers: &mut Helpers, entry: &[u8], flat: usize) -> Result<bool> {
        self.collector.push(helpers, entry, flat)?;
        let hash = self.hasher.hash_one(self.collector.last_value());
        let known = self.hashes.find(hash, |other| *other == hash).is_some();
        if known || self.hashes.len() >= self.most {
            self.collector.pop();
            return Ok(false);
        }
        self.hashes.insert_unique(hash, hash, |other| *other);
        self.last = hash;
        Ok(true)
    }

    /// Forgets the entry taken last.
    pub fn pop(&mut self) {
        self.collector.pop();
        if let Ok(found) = self.hashes.find_entry(self.last, |other| *other == self.last) {
            found.remove();
        }
    }

    /// Builds the tree, which has no entries yet. `stop` is asked now and then.
    pub fn finish<S: PageStore>(self, edit: &mut TreeEdit<'_, S>, stop: &dyn Fn() -> bool) -> Result<()> {
        let mut build = TreeBuild::default();
        self.collector.finish(stop, |entry, _, _| build.push(edit, entry))?;
        if build.last().is_some() { build.finish(edit) } else { Ok(()) }
    }
}

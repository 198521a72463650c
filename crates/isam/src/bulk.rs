//! Entries of keys that are collected while many rows are written into an empty table, so that nobody has to read the rows again for them.
//!
//! Keys that wait for the end ([`Writer::bulk_begin`](crate::Writer::bulk_begin)) are collected and sorted. A unique key whose values come in
//! ascending order, as numbers that the table gives do, is built as they come: no value is there already when it is behind the last one.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::TableFormat;
use crate::error::Result;
use crate::key::KeyInfo;
use crate::key::collect::{Collector, Helpers};
use crate::key::compare::compare;
use crate::myi::{NIL, key_flag};
use crate::sorting::SortSettings;
use crate::source::{PageSource, PageStore};
use crate::tree::bulk::TreeBuild;
use crate::tree::edit::{TreeEdit, TreeScratch};

/// What becomes of the entries of a key.
#[derive(Debug)]
enum Gathered {
    /// They go into its tree, or nobody keeps them.
    Not,
    Collected(Box<Collector>),
    Ascending(Box<Ascending>),
}

/// Entries of all keys, while rows are written.
#[derive(Debug)]
pub(crate) struct Gathering {
    keys: Vec<Gathered>,
    helpers: Helpers,
}

impl Gathering {
    /// For a table of the format in `store`, whose rows are all still to come. `map`: which of the keys that are not maintained now will be built.
    pub fn new<S: PageSource>(
        format: &TableFormat,
        store: &S,
        map: u64,
        settings: &SortSettings,
    ) -> Gathering {
        let state = format.state(store);
        let built = |key: usize| map >> key.min(63) & 1 == 1;
        let waits = |key: &KeyInfo| built(key.number) && key.is_btree() && !state.key_active(key.number);
        let waiting = format.keys.iter().filter(|key| waits(key)).count();
        let gathered = |key: &Arc<KeyInfo>| {
            if waits(key) {
                Gathered::Collected(Box::new(Collector::new(key, &settings.tmpdir)))
            } else if may_ascend(format, key)
                && state.key_active(key.number)
                && state.key_root(key.number) == NIL
            {
                Gathered::Ascending(Box::default())
            } else {
                Gathered::Not
            }
        };
        Gathering {
            keys: format.keys.iter().map(gathered).collect(),
            helpers: Helpers::new(waiting, settings.buffer, settings.threads().saturating_sub(1)),
        }
    }

    /// Whether the entries of a key are collected.
    #[inline]
    pub fn collects(&self, key: usize) -> bool {
        matches!(self.keys[key], Gathered::Collected(_))
    }

    /// Takes an entry of a key that is collected.
    #[inline]
    pub fn collect(&mut self, key: usize, entry: &[u8], flat: usize) -> Result<()> {
        match &mut self.keys[key] {
            Gathered::Collected(collector) => collector.push(&mut self.helpers, entry, flat),
            _ => Ok(()),
        }
    }

    /// Takes an entry of a key that is built as its entries come. False when it has to be inserted into the tree, which is whole then.
    #[inline]
    pub fn append<S: PageStore>(
        &mut self,
        edit: &mut TreeEdit<'_, S>,
        entry: &[u8],
        flat: usize,
    ) -> Result<bool> {
        let number = edit.key.number;
        let Gathered::Ascending(tree) = &mut self.keys[number] else { return Ok(false) };
        if tree.push(edit, entry, flat)? {
            return Ok(true);
        }
        if let Gathered::Ascending(tree) = std::mem::replace(&mut self.keys[number], Gathered::Not) {
            tree.finish(edit)?;
        }
        Ok(false)
    }

    /// Forgets the entry taken last of a key; false when that is in its tree, or nobody has it.
    pub fn pop(&mut self, key: usize) -> bool {
        match &mut self.keys[key] {
            Gathered::Collected(collector) => collector.pop(),
            Gathered::Ascending(tree) => tree.last.clear(),
            Gathered::Not => return false,
        }
        true
    }

    /// Ends the trees that are built as their entries come.
    pub fn finish_trees<S: PageStore>(&mut self, format: &TableFormat, store: &mut S) -> Result<()> {
        let mut scratch = TreeScratch::default();
        for (key, gathered) in format.keys.iter().zip(&mut self.keys) {
            if let Gathered::Ascending(_) = gathered
                && let Gathered::Ascending(tree) = std::mem::replace(gathered, Gathered::Not)
            {
                let mut edit =
                    TreeEdit { key, offsets: format.offsets, store, scratch: &mut scratch, held_root: None };
                tree.finish(&mut edit)?;
            }
        }
        Ok(())
    }

    /// What was collected of a key, if that was all of `records` rows.
    pub fn take(&mut self, key: usize, records: u64) -> Option<Box<Collector>> {
        match std::mem::replace(self.keys.get_mut(key)?, Gathered::Not) {
            Gathered::Collected(collector) if collector.count() == records => Some(collector),
            _ => None,
        }
    }
}

/// Whether a key may be built as its entries come: nobody looks into its tree but for duplicates.
fn may_ascend(format: &TableFormat, key: &KeyInfo) -> bool {
    // numbers within groups are looked up
    let numbers = format.keys.iter().any(|k| k.flag & key_flag::AUTO_KEY != 0);
    key.is_btree() && key.is_unique() && key.long_hash.is_none() && (!numbers || format.auto_column.is_some())
}

/// A tree that is built as its entries come.
#[derive(Debug, Default)]
struct Ascending {
    build: TreeBuild,
    /// The entry that came last, which may have to go again; empty: it has gone.
    last: Vec<u8>,
    flat: usize,
}

impl Ascending {
    /// Takes an entry, if it is behind the last one.
    fn push<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>, entry: &[u8], flat: usize) -> Result<bool> {
        let key = edit.key;
        let before = match self.last.is_empty() {
            true => self.build.last().map_or(&[][..], |last| &last[..last.len() - key.rec_ref]),
            false => &self.last[..self.flat],
        };
        if !before.is_empty() && compare(key, before, &entry[..flat], key.segments.len()) != Ordering::Less {
            return Ok(false);
        }
        if !self.last.is_empty() {
            self.build.push(edit, &self.last)?;
        }
        self.last.clear();
        self.last.extend_from_slice(entry);
        self.flat = flat;
        Ok(true)
    }

    fn finish<S: PageStore>(mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        if !self.last.is_empty() {
            self.build.push(edit, &self.last)?;
        }
        match self.build.last() {
            Some(_) => self.build.finish(edit),
            None => Ok(()),
        }
    }
}

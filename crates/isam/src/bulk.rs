//! Entries of keys that are collected while many rows are written into an empty table, so that nobody has to read the rows again for them.
//!
//! Keys that wait for the end ([`Writer::bulk_begin`](crate::Writer::bulk_begin)) are collected and sorted. A unique key whose values come in
//! ascending order, as numbers that the table gives do, is built as they come: no value is there already when it is behind the last one.
//! One whose first values do not ascend is collected as well, beside a set of the values' hashes ([`scattered`]): the first hash that is there already ends
//! that, and the tree, which is built then, says whether the value is.

mod scattered;

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;

use crate::TableFormat;
use crate::error::Result;
use crate::key::KeyInfo;
use crate::key::collect::{Collector, Helpers};
use crate::key::compare::compare;
use crate::key::sort::Entries;
use crate::myi::{NIL, key_flag};
use crate::sorting::SortSettings;
use crate::source::{PageSource, PageStore};
use scattered::Scattered;

use crate::tree::bulk::TreeBuild;
use crate::tree::edit::{TreeEdit, TreeScratch};

/// What becomes of the entries of a key.
#[derive(Debug)]
enum Gathered {
    /// They go into its tree, or nobody keeps them.
    Not,
    Collected(Box<Collector>),
    Ascending(Box<Ascending>),
    Scattered(Box<Scattered>),
}

/// Entries of all keys, while rows are written.
#[derive(Debug)]
pub(crate) struct Gathering {
    format: Vec<Arc<KeyInfo>>,
    keys: Vec<Gathered>,
    helpers: Helpers,
    tmpdir: PathBuf,
    /// Bytes that the hashes of a key may take.
    hashes: usize,
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
        let ascends = |key: &KeyInfo| {
            may_ascend(format, key) && state.key_active(key.number) && state.key_root(key.number) == NIL
        };
        let gathered = |key: &Arc<KeyInfo>| {
            if waits(key) {
                Gathered::Collected(Box::new(Collector::new(key, &settings.tmpdir)))
            } else if ascends(key) {
                Gathered::Ascending(Box::default())
            } else {
                Gathered::Not
            }
        };
        let unique = format.keys.iter().filter(|key| ascends(key)).count();
        let threads = settings.threads().saturating_sub(1);
        Gathering {
            format: format.keys.clone(),
            keys: format.keys.iter().map(gathered).collect(),
            helpers: Helpers::new(waiting + unique, settings.buffer, threads),
            tmpdir: settings.tmpdir.clone(),
            hashes: settings.buffer / unique.max(1),
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

    /// Takes an entry of a unique key. False when it has to be inserted into the tree, which is whole then.
    #[inline]
    pub fn append<S: PageStore>(
        &mut self,
        edit: &mut TreeEdit<'_, S>,
        entry: &[u8],
        flat: usize,
    ) -> Result<bool> {
        let (number, key) = (edit.key.number, edit.key);
        let taken = match &mut self.keys[number] {
            Gathered::Ascending(tree) => tree.push(edit, entry, flat)?,
            Gathered::Scattered(values) => values.push(&mut self.helpers, entry, flat)?,
            _ => return Ok(false),
        };
        if taken {
            return Ok(true);
        }
        let before = std::mem::replace(&mut self.keys[number], Gathered::Not);
        let early = match before {
            Gathered::Ascending(tree) if tree.build.is_none() => tree.into_early(key),
            others => return others.finish(edit, &|| false).map(|()| false),
        };
        let mut values = Scattered::new(&self.format[number], &self.tmpdir, self.hashes);
        for (entry, flat) in early.iter(key) {
            values.push_new(&mut self.helpers, entry, flat)?;
        }
        if values.push(&mut self.helpers, entry, flat)? {
            self.keys[number] = Gathered::Scattered(Box::new(values));
            return Ok(true);
        }
        values.finish(edit, &|| false).map(|()| false)
    }

    /// Forgets the entry taken last of a key; false when that is in its tree, or nobody has it.
    pub fn pop(&mut self, key: usize) -> bool {
        match &mut self.keys[key] {
            Gathered::Collected(collector) => collector.pop(),
            Gathered::Ascending(tree) => tree.last.clear(),
            Gathered::Scattered(values) => values.pop(),
            Gathered::Not => return false,
        }
        true
    }

    /// Builds the trees of unique keys. `stop` is asked now and then.
    pub fn finish_trees<S: PageStore>(
        &mut self,
        format: &TableFormat,
        store: &mut S,
        stop: &dyn Fn() -> bool,
    ) -> Result<()> {
        let mut scratch = TreeScratch::default();
        for (key, gathered) in format.keys.iter().zip(&mut self.keys) {
            if matches!(gathered, Gathered::Ascending(_) | Gathered::Scattered(_)) {
                let mut edit = TreeEdit::new(key, format.offsets, store, &mut scratch);
                std::mem::replace(gathered, Gathered::Not).finish(&mut edit, stop)?;
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

impl Gathered {
    /// Builds the tree of a unique key, if that waits. `stop` is asked now and then.
    fn finish<S: PageStore>(self, edit: &mut TreeEdit<'_, S>, stop: &dyn Fn() -> bool) -> Result<()> {
        match self {
            Gathered::Ascending(tree) => tree.finish(edit),
            Gathered::Scattered(values) => values.finish(edit, stop),
            Gathered::Not | Gathered::Collected(_) => Ok(()),
        }
    }
}

/// Whether a key may be built as its entries come, or behind them: nobody looks into its tree but for duplicates.
fn may_ascend(format: &TableFormat, key: &KeyInfo) -> bool {
    // numbers within groups are looked up
    let numbers = format.keys.iter().any(|k| k.flag & key_flag::AUTO_KEY != 0);
    key.is_btree() && key.is_unique() && key.long_hash.is_none() && (!numbers || format.auto_column.is_some())
}

/// So many values have to ascend before the tree is begun.
const EARLY: usize = 1000;

/// A tree that is built as its entries come.
#[derive(Debug, Default)]
struct Ascending {
    /// The first entries, while the tree is not begun.
    early: Entries,
    build: Option<Box<TreeBuild>>,
    /// The entry that came last, which may have to go again; empty: it has gone.
    last: Vec<u8>,
    flat: usize,
}

impl Ascending {
    /// Takes an entry, if it is behind the last one.
    fn push<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>, entry: &[u8], flat: usize) -> Result<bool> {
        let key = edit.key;
        let before = match (self.last.is_empty(), &self.build) {
            (false, _) => &self.last[..self.flat],
            (true, Some(build)) => build.last().map_or(&[][..], |last| &last[..last.len() - key.rec_ref]),
            (true, None) => self.early.last(key).unwrap_or_default(),
        };
        if !before.is_empty() && compare(key, before, &entry[..flat], key.segments.len()) != Ordering::Less {
            return Ok(false);
        }
        self.keep_last(edit)?;
        self.last.clear();
        self.last.extend_from_slice(entry);
        self.flat = flat;
        Ok(true)
    }

    /// The entry taken last stays.
    fn keep_last<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        if self.last.is_empty() {
            return Ok(());
        }
        if let Some(build) = &mut self.build {
            return build.push(edit, &self.last);
        }
        self.early.push(edit.key, &self.last, self.flat);
        if self.early.len() >= EARLY {
            self.begin_tree(edit)?;
        }
        Ok(())
    }

    fn begin_tree<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        let mut build = TreeBuild::default();
        for (entry, _) in std::mem::take(&mut self.early).iter(edit.key) {
            build.push(edit, entry)?;
        }
        self.build = Some(Box::new(build));
        Ok(())
    }

    /// All entries of a tree that is not begun.
    fn into_early(mut self, key: &KeyInfo) -> Entries {
        if !self.last.is_empty() {
            self.early.push(key, &self.last, self.flat);
        }
        self.early
    }

    fn finish<S: PageStore>(mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        self.keep_last(edit)?;
        if self.build.is_none() {
            self.begin_tree(edit)?;
        }
        match self.build {
            Some(build) if build.last().is_some() => build.finish(edit),
            _ => Ok(()),
        }
    }
}

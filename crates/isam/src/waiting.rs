//! Keys that wait while many rows are inserted into a table that has rows already.
//!
//! In the order of the rows, entries of a key come to pages all over its tree, each of which has to be fetched, changed and, when the
//! statement is larger than its memory, sent away again for one entry. Sorted, those of a page come one after the other. So entries of keys that
//! refuse nothing are collected, and put into the tree when there is no room for more (`bulk_insert_buffer_size`), when the statement ends, and
//! before it changes or deletes a row.

use crate::TableFormat;
use crate::key::KeyInfo;
use crate::key::sort::Entries;

/// Entries that are not in their trees yet.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// One for each key; none for keys that do not wait.
    pub keys: Vec<Option<Entries>>,
    budget: usize,
    used: usize,
}

impl Waiting {
    /// For a table laid out as `format`, in about `budget` bytes; none when no key may wait. `active` says which keys are kept at all.
    pub fn new(format: &TableFormat, budget: usize, active: impl Fn(usize) -> bool) -> Option<Waiting> {
        let waits = |(number, key): (usize, &KeyInfo)| {
            (active(number) && !key.is_fulltext() && key.may_wait(format.header.base.auto_key))
                .then(Entries::default)
        };
        let keys: Vec<_> = format.keys.iter().map(|k| &**k).enumerate().map(waits).collect();
        let some = budget > 0 && keys.iter().any(Option::is_some);
        some.then_some(Waiting { keys, budget: budget.min(Entries::MOST), used: 0 })
    }

    /// Takes the entry of a key that waits.
    #[inline]
    pub fn push(&mut self, key: &KeyInfo, entry: &[u8], flat: usize) -> bool {
        let Some(Some(entries)) = self.keys.get_mut(key.number) else { return false };
        let before = entries.size();
        entries.push(key, entry, flat);
        self.used += entries.size() - before;
        true
    }

    /// Forgets the entry of a key that waits which was taken last.
    pub fn pop(&mut self, key: usize) -> bool {
        let Some(Some(entries)) = self.keys.get_mut(key) else { return false };
        let before = entries.size();
        entries.pop();
        self.used -= before - entries.size();
        true
    }

    #[inline]
    pub fn is_full(&self) -> bool {
        self.used >= self.budget
    }

    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    pub fn clear(&mut self) {
        self.keys.iter_mut().flatten().for_each(Entries::clear);
        self.used = 0;
    }
}

//! Which rows were not seen before, by their keys: for DISTINCT, UNION, aggregates of distinct values, and rows that
//! joins find more than once. Keys past the budget are put off to disk, by their hash, and looked at part by part at
//! the end; then they come in the order they were first seen.

use super::groups::{Groups, KeyBatch};
use super::runs::{Merge, Runs};
use super::sortkey::{self, KeySpec};
use super::spill::SpillFile;
use super::spool::{Parts, Spool};
use crate::error::SqlResult;
use crate::memory::Budget;
use crate::types::{Batch, Vector};

/// How often rows are put off before they are kept in memory whatever they take: equal hashes cannot be parted.
pub(super) const MAX_DEPTH: u64 = 6;

/// Parts rows are put off into.
pub(super) const PARTS: usize = 16;

/// Bytes of a row's number, which stands before its key on disk.
const NUMBER: usize = 8;

/// Keys seen so far.
#[derive(Default)]
pub struct Unique {
    groups: Groups,
    spilled: Option<Parts>,
    /// Rows put off so far.
    count: u64,
    numbered: Vec<u8>,
}

impl Unique {
    /// These keys were seen.
    #[must_use]
    pub fn of(groups: Groups) -> Unique {
        Unique { groups, ..Unique::default() }
    }

    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Unique>() + self.groups.memory()
    }

    /// Whether the key is new. A row that may be is put off when memory is full: it comes with [`Unique::rest`].
    ///
    /// # Errors
    /// Those of the temporary file.
    #[inline]
    pub fn see<'v>(
        &mut self,
        budget: &Budget,
        key: &[u8],
        columns: impl IntoIterator<Item = &'v Vector>,
        row: usize,
    ) -> SqlResult<bool> {
        if self.spilled.is_none() && self.groups.memory() <= budget.table {
            return Ok(self.groups.insert(key).1);
        }
        if self.groups.find(key).is_none() {
            let parts = match &mut self.spilled {
                Some(p) => p,
                none => none.insert(Parts::new(budget, PARTS, 0)?),
            };
            self.numbered.clear();
            self.numbered.extend_from_slice(&self.count.to_be_bytes());
            self.numbered.extend_from_slice(key);
            self.count += 1;
            parts.push_by(key, &self.numbered, columns, row)?;
        }
        Ok(false)
    }

    /// See [`Groups::look_ahead`].
    pub fn look_ahead(&self, keys: &KeyBatch) {
        self.groups.look_ahead(keys);
    }

    /// Forgets what was seen; gives the rows put off that are new, in the order they came.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn rest(&mut self, budget: &Budget) -> SqlResult<Option<Merge>> {
        self.groups = Groups::default();
        let Some(first) = self.spilled.take() else { return Ok(None) };
        let mut runs = Runs::new(budget);
        let found = Distinguishing::new(budget, &SpillFile::new(budget)?);
        for spool in first.sealed()? {
            found.first_of(Merge::new(vec![spool])?)?.into_iter().try_for_each(|run| runs.end(run))?;
        }
        runs.merge().map(Some)
    }
}

/// Leaves of rows that were put off, and are all there are with their keys, the first of each key.
pub(super) struct Distinguishing {
    budget: Budget,
    /// What is left goes there.
    file: SpillFile,
}

impl Distinguishing {
    /// With so much memory.
    pub(super) fn new(budget: &Budget, file: &SpillFile) -> Distinguishing {
        Distinguishing { budget: budget.clone(), file: file.clone() }
    }

    /// The first rows of rows that come with their numbers, in their order, and keys: in spools that have their numbers as keys.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub(super) fn first_of(&self, rows: Merge) -> SqlResult<Vec<Spool>> {
        let mut done = Vec::new();
        let mut work = vec![(1, rows)];
        while let Some((depth, mut rows)) = work.pop() {
            let mut groups = Groups::default();
            let mut deeper: Option<Parts> = None;
            let mut run = Spool::new(&self.file);
            while let Some(reader) = rows.next() {
                let (number, key) = reader.key().split_at(NUMBER);
                if depth < MAX_DEPTH && (deeper.is_some() || self.budget.exceeds_table(groups.memory())) {
                    if groups.find(key).is_none() {
                        let parts = match &mut deeper {
                            Some(p) => p,
                            none => none.insert(Parts::new(&self.budget, PARTS, depth)?),
                        };
                        parts.push_raw(key, reader.key(), reader.row())?;
                    }
                } else if groups.insert(key).1 {
                    run.push_raw(number, reader.row())?;
                }
                rows.advance()?;
            }
            run.seal()?;
            done.push(run);
            for spool in deeper.map(Parts::sealed).transpose()?.into_iter().flatten() {
                work.push((depth + 1, Merge::new(vec![spool])?));
            }
        }
        Ok(done)
    }
}

/// DISTINCT: the rows of batches that were not seen before.
pub struct Distinct {
    specs: Vec<KeySpec>,
    seen: Unique,
    budget: Budget,
    keys: KeyBatch,
    scratch: Vec<u8>,
}

impl Distinct {
    /// No row yet; `specs` say which columns count.
    #[must_use]
    pub fn new(specs: Vec<KeySpec>, budget: &Budget) -> Distinct {
        Distinct {
            specs,
            seen: Unique::default(),
            budget: budget.clone(),
            keys: KeyBatch::default(),
            scratch: Vec::new(),
        }
    }

    /// Which columns count.
    pub(super) fn specs(&self) -> &[KeySpec] {
        &self.specs
    }

    /// Makes `keep` the numbers of the rows that are new, but for those put off.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn keep(&mut self, rows: &Batch, keep: &mut Vec<u32>) -> SqlResult<()> {
        keep.clear();
        self.keys.clear();
        for row in 0..rows.len {
            self.keys.push(|key| sortkey::encode(&rows.columns, &self.specs, row, key, &mut self.scratch));
        }
        self.seen.look_ahead(&self.keys);
        for row in 0..rows.len {
            if self.seen.see(&self.budget, self.keys.get(row), &rows.columns, row)? {
                keep.push(row as u32);
            }
        }
        self.budget.note(self.seen.memory());
        Ok(())
    }

    /// See [`Unique::rest`].
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn rest(&mut self) -> SqlResult<Option<Merge>> {
        self.seen.rest(&self.budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Class;

    #[test]
    fn rows_put_off_are_seen_once_and_in_order() {
        let value = |start: i64, n: i64| (start * 611 + n * 7) % 50_000;
        let mut seen = std::collections::HashSet::new();
        let expected: Vec<i64> =
            (0..200).flat_map(|s| (0..1000).map(move |n| value(s, n))).filter(|v| seen.insert(*v)).collect();
        // so little that parts are parted again
        for table in [20_000, 400_000, usize::MAX] {
            let budget = Budget { table, ..Budget::default() };
            let mut distinct = Distinct::new(vec![KeySpec::bytes(0, false)], &budget);
            let (mut found, mut keep) = (Vec::new(), Vec::new());
            for start in 0..200 {
                let mut v = Vector::new(Class::Int);
                (0..1000).for_each(|n| v.push_i64(value(start, n)));
                let batch = Batch { columns: vec![v], len: 1000 };
                distinct.keep(&batch, &mut keep).unwrap();
                found.extend(keep.iter().map(|r| batch.columns[0].i64(*r as usize)));
            }
            let rest = distinct.rest().unwrap();
            assert_eq!(rest.is_none(), table == usize::MAX);
            let mut batch = Batch::default();
            if let Some(mut merge) = rest {
                while merge.batch(&mut batch, 100).unwrap() {
                    found.extend((0..batch.len).map(|r| batch.columns[0].i64(r)));
                }
            }
            assert!(found == expected);
        }
    }
}

//! DISTINCT: rows that were not seen before. Keys past the budget are put off to disk, by their hash, and
//! looked at part by part at the end.

use super::block::pick;
use super::groups::Groups;
use super::sortkey::{self, KeySpec};
use super::spool::{Budget, Parts, Spool};
use crate::error::SqlResult;
use crate::types::Batch;

/// How often rows are put off before they are kept in memory whatever they take: equal hashes cannot be parted.
const MAX_DEPTH: u64 = 6;

/// Parts rows are put off into.
const PARTS: usize = 16;

/// Rows seen so far.
pub struct Distinct {
    specs: Vec<KeySpec>,
    groups: Groups,
    key: Vec<u8>,
    scratch: Vec<u8>,
    budget: Budget,
    put_off: Option<Parts>,
    depth: u64,
}

impl Distinct {
    /// No row yet; `specs` say which columns count.
    #[must_use]
    pub fn new(specs: Vec<KeySpec>, budget: &Budget) -> Distinct {
        Distinct {
            specs,
            groups: Groups::default(),
            key: Vec::new(),
            scratch: Vec::new(),
            budget: budget.clone(),
            put_off: None,
            depth: 0,
        }
    }

    /// The rows of a batch that are new, but for those put off.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn keep(&mut self, out: Batch) -> SqlResult<Batch> {
        let full = self.groups.memory() > self.budget.table && self.depth < MAX_DEPTH;
        let mut keep = Vec::new();
        for row in 0..out.len {
            self.key.clear();
            sortkey::encode(&out.columns, &self.specs, row, &mut self.key, &mut self.scratch);
            if full {
                if self.groups.find(&self.key).is_none() {
                    let parts = match &mut self.put_off {
                        Some(p) => p,
                        none => none.insert(Parts::new(&self.budget, PARTS, self.depth)?),
                    };
                    parts.push(&self.key, &out.columns, row)?;
                }
            } else if self.groups.insert(&self.key).1 {
                keep.push(row);
            }
        }
        Ok(if keep.len() < out.len { pick(&out, &keep) } else { out })
    }

    /// Forgets what was seen; gives the rows put off. Each part is to be looked at by itself, after
    /// [`Distinct::part`].
    pub fn rest(&mut self) -> Vec<(u64, Spool)> {
        let depth = self.depth + 1;
        self.groups = Groups::default();
        let parts = self.put_off.take().map(Parts::into_spools).unwrap_or_default();
        parts.into_iter().map(|p| (depth, p)).collect()
    }

    /// Begins a part.
    pub fn part(&mut self, depth: u64) {
        self.depth = depth;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::spool::RowKeys;
    use crate::types::Class;
    use crate::types::Vector;

    #[test]
    fn rows_put_off_are_seen_once() {
        let spec = KeySpec::bytes(0, false);
        let budget = Budget { table: 20_000, ..Budget::default() };
        let mut distinct = Distinct::new(vec![spec], &budget);
        let mut seen = Vec::new();
        let mut note = |b: &Batch| seen.extend((0..b.len).map(|r| b.columns[0].i64(r)));
        for start in 0..200 {
            let mut v = Vector::new(Class::Int);
            (0..1000).for_each(|n| v.push_i64((start * 611 + n * 7) % 50_000));
            note(&distinct.keep(Batch { columns: vec![v], len: 1000 }).unwrap());
        }
        let mut work = distinct.rest();
        assert!(!work.is_empty(), "the budget was never passed");
        let mut deepest = 0;
        while let Some((depth, spool)) = work.pop() {
            deepest = deepest.max(depth);
            distinct.part(depth);
            let mut reader = spool.read().unwrap();
            let (mut batch, mut keys) = (Batch::default(), RowKeys::default());
            while reader.batch(&mut batch, &mut keys).unwrap() {
                note(&distinct.keep(batch.clone()).unwrap());
            }
            work.extend(distinct.rest());
        }
        assert!(deepest > 1);
        let mut all: Vec<i64> =
            (0..200).flat_map(|s| (0..1000).map(move |n| (s * 611 + n * 7) % 50_000)).collect();
        all.sort_unstable();
        all.dedup();
        let found = seen.len();
        seen.sort_unstable();
        assert_eq!(seen, all);
        assert_eq!(found, all.len());
    }
}

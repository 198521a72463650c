//! INTERSECT and EXCEPT: which rows of the left side have an equal one on the right. A right side that is more than
//! memory may hold is parted on disk by the hash of its keys, and the left side likewise; then part meets part.

use super::groups::Groups;
use super::runs::{Merge, Runs};
use super::spool::{Parts, Spool};
use super::unique::{MAX_DEPTH, PARTS};
use crate::error::SqlResult;
use crate::memory::Budget;
use crate::types::Vector;

/// Keys and how often they came.
#[derive(Default)]
struct Counts {
    groups: Groups,
    counts: Vec<u64>,
}

impl Counts {
    fn add(&mut self, key: &[u8], count: u64) {
        let (n, new) = self.groups.insert(key);
        if new {
            self.counts.push(count);
        } else {
            self.counts[n] += count;
        }
    }

    fn memory(&self) -> usize {
        self.groups.memory() + self.counts.capacity() * 8
    }

    /// Whether a row of the left side stays. ALL: each row of the right stands for one of the left.
    fn passes(&mut self, key: &[u8], keep_found: bool, all: bool) -> bool {
        let found = match self.groups.find(key) {
            Some(n) if all => {
                let there = self.counts[n] > 0;
                self.counts[n] = self.counts[n].saturating_sub(1);
                there
            }
            found => found.is_some(),
        };
        found == keep_found
    }

    /// Puts the keys off.
    fn part(&self, budget: &Budget, depth: u64) -> SqlResult<Parts> {
        let mut parts = Parts::new(budget, PARTS, depth)?;
        for (n, count) in self.counts.iter().enumerate() {
            let key = self.groups.key(n);
            parts.push_raw(key, key, &count.to_le_bytes())?;
        }
        Ok(parts)
    }
}

/// The right side.
pub struct Matching {
    keep_found: bool,
    all: bool,
    right: Counts,
    /// Both sides, when memory had no room.
    spilled: Option<(Parts, Parts)>,
    /// Rows of the left side put off.
    count: u64,
    numbered: Vec<u8>,
    budget: Budget,
}

impl Matching {
    /// An empty right side. `keep_found`: INTERSECT, else EXCEPT.
    #[must_use]
    pub fn new(keep_found: bool, all: bool, budget: &Budget) -> Matching {
        let budget = budget.clone();
        let right = Counts::default();
        Matching { keep_found, all, right, spilled: None, count: 0, numbered: Vec::new(), budget }
    }

    /// Adds a row of the right side.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn add(&mut self, key: &[u8]) -> SqlResult<()> {
        if let Some((right, _)) = &mut self.spilled {
            return right.push_raw(key, key, &1u64.to_le_bytes());
        }
        self.right.add(key, 1);
        if self.budget.exceeds_table(self.right.memory()) {
            let parts = self.right.part(&self.budget, 0)?;
            self.spilled = Some((parts, Parts::new(&self.budget, PARTS, 0)?));
            self.right = Counts::default();
        }
        Ok(())
    }

    /// Whether a row of the left side stays. When the right side is on disk it is put off.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn passes(&mut self, key: &[u8], columns: &[Vector], row: usize) -> SqlResult<bool> {
        let Some((_, left)) = &mut self.spilled else {
            return Ok(self.right.passes(key, self.keep_found, self.all));
        };
        self.numbered.clear();
        self.numbered.extend_from_slice(&self.count.to_be_bytes());
        self.numbered.extend_from_slice(key);
        self.count += 1;
        left.push_by(key, &self.numbered, columns, row)?;
        Ok(false)
    }

    /// The rows put off that stay, in their order.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn rest(self) -> SqlResult<Option<Merge>> {
        let Some((right, left)) = self.spilled else { return Ok(None) };
        let mut runs = Runs::new(&self.budget);
        let mut work = pairs(right, left, 1)?;
        while let Some((depth, right, left)) = work.pop() {
            let mut counts = Counts::default();
            let mut deeper: Option<Parts> = None;
            let mut reader = right.read()?;
            while reader.advance()? {
                let count = reader.row().first_chunk().map_or(1, |c| u64::from_le_bytes(*c));
                if let Some(parts) = &mut deeper {
                    parts.push_raw(reader.key(), reader.key(), reader.row())?;
                    continue;
                }
                counts.add(reader.key(), count);
                if depth < MAX_DEPTH && self.budget.exceeds_table(counts.memory()) {
                    deeper = Some(counts.part(&self.budget, depth)?);
                    counts = Counts::default();
                }
            }
            let mut reader = left.read()?;
            if let Some(right) = deeper {
                let mut left = Parts::new(&self.budget, PARTS, depth)?;
                while reader.advance()? {
                    left.push_raw(&reader.key()[8..], reader.key(), reader.row())?;
                }
                work.extend(pairs(right, left, depth + 1)?);
                continue;
            }
            let mut run = runs.begin()?;
            while reader.advance()? {
                let (number, key) = reader.key().split_at(8);
                if counts.passes(key, self.keep_found, self.all) {
                    run.push_raw(number, reader.row())?;
                }
            }
            runs.end(run)?;
        }
        runs.merge().map(Some)
    }
}

fn pairs(mut right: Parts, mut left: Parts, depth: u64) -> SqlResult<Vec<(u64, Spool, Spool)>> {
    right.seal()?;
    left.seal()?;
    let both = right.into_all().into_iter().zip(left.into_all());
    Ok(both.filter(|(_, left)| left.rows() > 0).map(|(right, left)| (depth, right, left)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Batch, Class};

    #[test]
    fn disk_and_memory_match_alike() {
        let left = |n: i64| n * 37 % 9_000;
        let right = |n: i64| n * 91 % 7_001 * 2;
        for (keep_found, all) in [(true, true), (true, false), (false, true), (false, false)] {
            let mut answers = Vec::new();
            for table in [usize::MAX, 100_000, 3_000] {
                let mut m = Matching::new(keep_found, all, &Budget { table, ..Budget::default() });
                for n in 0..20_000 {
                    m.add(&right(n).to_be_bytes()).unwrap();
                }
                let mut found = Vec::new();
                for n in 0..20_000 {
                    let mut v = [Vector::new(Class::Int), Vector::new(Class::Int)];
                    v[0].push_i64(left(n));
                    v[1].push_i64(n);
                    if m.passes(&left(n).to_be_bytes(), &v, 0).unwrap() {
                        found.push((left(n), n));
                    }
                }
                let mut batch = Batch::default();
                if let Some(mut rest) = m.rest().unwrap() {
                    while rest.batch(&mut batch, 1000).unwrap() {
                        let c = &batch.columns;
                        found.extend((0..batch.len).map(|r| (c[0].i64(r), c[1].i64(r))));
                    }
                }
                assert!(!found.is_empty());
                answers.push(found);
            }
            assert!(answers[0] == answers[1] && answers[1] == answers[2]);
        }
    }
}

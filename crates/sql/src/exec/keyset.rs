//! A set of keys to look up in: in memory, or past the budget sorted in a file with a sparse index.

use std::cell::RefCell;

use super::groups::Groups;
use super::runs::Runs;
use super::spill::SpillFile;
use crate::error::SqlResult;
use crate::memory::Budget;

/// Bytes of a block of the file, at first: what a look-up reads.
const BLOCK: usize = 4096;

/// A set as it is made.
pub struct KeySetBuilder {
    groups: Groups,
    runs: Option<Runs>,
    budget: Budget,
}

impl KeySetBuilder {
    /// No key yet.
    #[must_use]
    pub fn new(budget: &Budget) -> KeySetBuilder {
        KeySetBuilder { groups: Groups::default(), runs: None, budget: budget.clone() }
    }

    /// Adds a key.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn insert(&mut self, key: &[u8]) -> SqlResult<()> {
        if self.groups.insert(key).1 && self.budget.exceeds_table(self.groups.memory()) {
            self.spill()?;
        }
        Ok(())
    }

    fn spill(&mut self) -> SqlResult<()> {
        let groups = std::mem::take(&mut self.groups);
        let mut order: Vec<u32> = (0..groups.len() as u32).collect();
        order.sort_unstable_by(|a, b| groups.key(*a as usize).cmp(groups.key(*b as usize)));
        let runs = self.runs.get_or_insert_with(|| Runs::new(&self.budget));
        let mut run = runs.begin()?;
        for n in order {
            run.push_raw(groups.key(n as usize), &[])?;
        }
        runs.end(run)
    }

    /// The set, complete.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn finish(mut self) -> SqlResult<KeySet> {
        if self.runs.is_none() {
            return Ok(KeySet::Memory(Box::new(self.groups)));
        }
        self.spill()?;
        let Some(runs) = self.runs else { return Ok(KeySet::Memory(Box::default())) };
        let mut merge = runs.merge()?;
        let mut set = Sorted {
            file: SpillFile::new(&self.budget)?,
            firsts: Vec::new(),
            starts: Vec::new(),
            read: RefCell::default(),
        };
        let (mut block, mut last, mut first) = (Vec::new(), Vec::new(), true);
        let (mut size, mut index) = (BLOCK, 0);
        while let Some(row) = merge.next() {
            let key = row.key();
            if first || key != last.as_slice() {
                if block.is_empty() {
                    index += key.len() + 32;
                    set.firsts.push(key.into());
                    set.starts.push(set.file.len());
                }
                block.extend_from_slice(&(key.len() as u32).to_le_bytes());
                block.extend_from_slice(key);
                last.clear();
                last.extend_from_slice(key);
                first = false;
            }
            merge.advance()?;
            if block.len() >= size {
                set.file.append(&block)?;
                block.clear();
                // blocks lie behind each other: two are as good as one
                if index > self.budget.table / 4 && size < 1 << 24 {
                    let mut n = 0;
                    set.firsts.retain(|_| (n += 1, n % 2 == 1).1);
                    n = 0;
                    set.starts.retain(|_| (n += 1, n % 2 == 1).1);
                    index = set.firsts.iter().map(|k| k.len() + 32).sum();
                    size *= 2;
                }
            }
        }
        set.file.append(&block)?;
        Ok(KeySet::Disk(Box::new(set)))
    }
}

/// A set of keys.
pub enum KeySet {
    /// In memory.
    Memory(Box<Groups>),
    /// On disk.
    Disk(Box<Sorted>),
}

/// Keys in a file, in their order.
pub struct Sorted {
    file: SpillFile,
    /// The first key of each block.
    firsts: Vec<Box<[u8]>>,
    /// Where each block begins.
    starts: Vec<u64>,
    /// The block read last, and its number.
    read: RefCell<Option<(usize, Vec<u8>)>>,
}

impl KeySet {
    /// Whether the key is in the set.
    ///
    /// # Errors
    /// 1024: the temporary file cannot be read.
    pub fn contains(&self, key: &[u8]) -> SqlResult<bool> {
        match self {
            KeySet::Memory(groups) => Ok(groups.find(key).is_some()),
            KeySet::Disk(sorted) => sorted.contains(key),
        }
    }
}

impl Sorted {
    fn contains(&self, key: &[u8]) -> SqlResult<bool> {
        let Some(n) = self.firsts.partition_point(|f| &**f <= key).checked_sub(1) else { return Ok(false) };
        let mut read = self.read.borrow_mut();
        if read.as_ref().is_none_or(|(number, _)| *number != n) {
            let mut block = read.take().map(|(_, b)| b).unwrap_or_default();
            let end = self.starts.get(n + 1).copied().unwrap_or_else(|| self.file.len());
            block.resize(usize::try_from(end - self.starts[n]).unwrap_or(0), 0);
            self.file.read(self.starts[n], &mut block)?;
            *read = Some((n, block));
        }
        let mut rest = read.as_ref().map_or(&[][..], |(_, block)| block);
        while let Some((len, more)) = rest.split_first_chunk::<4>() {
            let Some((found, more)) = more.split_at_checked(u32::from_le_bytes(*len) as usize) else { break };
            match found.cmp(key) {
                std::cmp::Ordering::Less => rest = more,
                other => return Ok(other.is_eq()),
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_and_memory_hold_the_same_keys() {
        for table in [20_000, 2_000, usize::MAX] {
            let mut b = KeySetBuilder::new(&Budget { table, ..Budget::default() });
            for n in 0..30_000u32 {
                b.insert(format!("{:b}", n.wrapping_mul(2_654_435_761) / 7 * 2).as_bytes()).unwrap();
            }
            let set = b.finish().unwrap();
            if let KeySet::Disk(s) = &set {
                let index: usize = s.firsts.iter().map(|f| f.len() + 32).sum();
                assert!(index <= table / 2 + 100, "{index}");
            }
            assert_eq!(matches!(set, KeySet::Memory(_)), table == usize::MAX);
            for n in 0..30_000u32 {
                let n = n.wrapping_mul(2_654_435_761) / 7 * 2;
                assert!(set.contains(format!("{n:b}").as_bytes()).unwrap());
                assert!(!set.contains(format!("{:b}", n + 1).as_bytes()).unwrap());
            }
            assert!(!set.contains(b"").unwrap());
            assert!(!set.contains(b"2").unwrap());
        }
    }
}

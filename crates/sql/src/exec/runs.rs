//! Sorted runs on disk, and many of them read as one.

use super::spill::SpillFile;
use super::spool::{RowKeys, Spool, SpoolReader};
use crate::error::SqlResult;
use crate::memory::BATCH_BYTES;
use crate::memory::Budget;
use crate::types::Batch;

/// Most runs that are merged at once.
const FAN_IN: usize = 128;

/// Spools whose rows are sorted by their keys, as they are made.
pub struct Runs {
    file: Option<SpillFile>,
    done: Vec<Spool>,
    budget: Budget,
}

impl Runs {
    /// No run yet.
    #[must_use]
    pub fn new(budget: &Budget) -> Runs {
        Runs { file: None, done: Vec::new(), budget: budget.clone() }
    }

    /// How many runs were kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether no run was kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Begins a run.
    ///
    /// # Errors
    /// 1: no temporary file can be made.
    pub fn begin(&mut self) -> SqlResult<Spool> {
        let file = match &mut self.file {
            Some(f) => f,
            none => none.insert(SpillFile::new(&self.budget)?),
        };
        Ok(Spool::new(file))
    }

    /// Keeps a run that is complete.
    ///
    /// # Errors
    /// 3, 1021: the file cannot be written.
    pub fn end(&mut self, mut run: Spool) -> SqlResult<()> {
        if run.rows() > 0 {
            run.seal()?;
            self.done.push(run);
        }
        Ok(())
    }

    /// How many runs are read at once: each has a block in memory, of one row at least.
    fn fan_in(&self) -> usize {
        let largest = self.done.iter().map(Spool::largest_block).max().unwrap_or(1);
        (self.budget.sort / largest.max(1)).clamp(2, FAN_IN)
    }

    /// All runs as one; rows of equal keys come in the order of the runs.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn merge(mut self) -> SqlResult<Merge> {
        loop {
            let most = self.fan_in();
            if self.done.len() <= most {
                return Merge::new(self.done);
            }
            // a file for each pass: the one before is given back
            let file = SpillFile::new(&self.budget)?;
            let mut old = std::mem::take(&mut self.done).into_iter().peekable();
            while old.peek().is_some() {
                let some: Vec<Spool> = old.by_ref().take(most).collect();
                self.done.push(Merge::new(some)?.into_spool(&file)?);
            }
            self.file = Some(file);
        }
    }
}

/// Sorted spools as one.
pub struct Merge {
    inputs: Vec<SpoolReader>,
    /// Numbers of the inputs that have a row, as a heap: the smallest key first, of equal ones the earlier input.
    heap: Vec<usize>,
}

impl Merge {
    /// Begins to merge spools that are sorted by their keys; rows of equal keys come in the order of the spools.
    ///
    /// # Errors
    /// 1024: the file cannot be read.
    pub(super) fn new(spools: Vec<Spool>) -> SqlResult<Merge> {
        let mut merge = Merge { inputs: Vec::new(), heap: Vec::new() };
        for s in spools {
            let mut reader = s.read()?;
            if reader.advance()? {
                merge.heap.push(merge.inputs.len());
            }
            merge.inputs.push(reader);
        }
        for at in (0..merge.heap.len()).rev() {
            merge.sink(at);
        }
        Ok(merge)
    }

    /// The input whose row comes next.
    #[must_use]
    pub fn next(&self) -> Option<&SpoolReader> {
        Some(&self.inputs[*self.heap.first()?])
    }

    /// Goes behind that row.
    ///
    /// # Errors
    /// 1024: the file cannot be read.
    pub fn advance(&mut self) -> SqlResult<()> {
        let Some(first) = self.heap.first().copied() else { return Ok(()) };
        if !self.inputs[first].advance()? {
            self.heap.swap_remove(0);
        }
        self.sink(0);
        Ok(())
    }

    fn less(&self, a: usize, b: usize) -> bool {
        (self.inputs[a].key(), a) < (self.inputs[b].key(), b)
    }

    fn sink(&mut self, mut at: usize) {
        loop {
            let child = 2 * at + 1;
            let Some(&left) = self.heap.get(child) else { return };
            let small = match self.heap.get(child + 1) {
                Some(&right) if self.less(right, left) => child + 1,
                _ => child,
            };
            if !self.less(self.heap[small], self.heap[at]) {
                return;
            }
            self.heap.swap(small, at);
            at = small;
        }
    }

    /// Makes `out` the next rows; false when there are none left.
    ///
    /// # Errors
    /// 1024: the file cannot be read.
    pub fn batch(&mut self, out: &mut Batch, most: usize) -> SqlResult<bool> {
        self.batch_with(out, None, most)
    }

    /// As [`Merge::batch`]; the rows' keys go behind `keys`.
    ///
    /// # Errors
    /// As there.
    pub fn batch_with(
        &mut self,
        out: &mut Batch,
        mut keys: Option<&mut RowKeys>,
        most: usize,
    ) -> SqlResult<bool> {
        for v in &mut out.columns {
            v.reset(v.class());
        }
        out.len = 0;
        let mut bytes = 0;
        while out.len < most && bytes < BATCH_BYTES {
            let Some(row) = self.next() else { break };
            row.take(out)?;
            if let Some(keys) = &mut keys {
                keys.push(row.key());
            }
            bytes += row.row_len();
            self.advance()?;
        }
        Ok(out.len > 0)
    }

    /// Writes what is left into one spool.
    fn into_spool(mut self, file: &SpillFile) -> SqlResult<Spool> {
        let mut out = Spool::new(file);
        while let Some(r) = self.next() {
            out.push_raw(r.key(), r.row())?;
            self.advance()?;
        }
        out.seal()?;
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{ValueRef, Vector};

    #[test]
    fn merging_keeps_the_order_of_equal_keys() {
        let file = SpillFile::new(&Budget::default()).unwrap();
        let spools = (0..9i64).map(|s| {
            let mut spool = Spool::new(&file);
            for key in 0..2000u32 {
                if i64::from(key) % (s + 1) == 0 {
                    let columns = [Vector::constant_of(ValueRef::Int(s))];
                    spool.push(&(key / 10).to_be_bytes(), &columns, 0).unwrap();
                }
            }
            spool
        });
        let mut merge = Merge::new(spools.collect()).unwrap();
        let mut last = (Vec::new(), 0);
        let mut rows = 0;
        while let Some(r) = merge.next() {
            let mut out = Batch::default();
            r.take(&mut out).unwrap();
            let now = (r.key().to_vec(), out.columns[0].i64(0));
            assert!(now >= last);
            last = now;
            rows += 1;
            merge.advance().unwrap();
        }
        assert_eq!(rows, (1..=9).map(|d| 2000usize.div_ceil(d)).sum::<usize>());
    }
}

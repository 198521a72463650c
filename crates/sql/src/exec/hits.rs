//! Rows that a full-text search found: lists in the order of their positions, and the best of them first. In memory, past the budget in
//! a file, where a row's weight is found by one read.

use std::cmp::Ordering;
use std::sync::Arc;

use fulltext::Hit;
use parking_lot::Mutex;

use super::sort::Sorter;
use super::sortkey::KeySpec;
use super::spill::SpillFile;
use crate::error::SqlResult;
use crate::expr::full_text::HitList;
use crate::memory::Budget;
use crate::types::{Batch, Class, FieldType, Vector};

/// Bytes of a row in a file.
const ROW: usize = 16;

/// Rows of a block of the file: what is read to look one up.
const BLOCK: usize = 256;

/// Rows that are read at once, and of which the best are looked for.
pub const AT_ONCE: usize = 4096;

/// How many rows memory of that size holds, with what a vector has to spare and with the copy that is put in order.
fn fitting(bytes: usize) -> usize {
    (bytes / (3 * ROW)).max(1)
}

/// A list of rows as they are found.
pub struct HitListBuilder {
    memory: Vec<Hit>,
    file: Option<HitFile>,
    /// What waits to be written.
    open: Vec<u8>,
    budget: Budget,
}

impl HitListBuilder {
    /// No row yet.
    #[must_use]
    pub fn new(budget: &Budget) -> HitListBuilder {
        HitListBuilder { memory: Vec::new(), file: None, open: Vec::new(), budget: budget.clone() }
    }

    /// Appends a row.
    ///
    /// # Errors
    /// Those of the temporary file.
    #[inline]
    pub fn push(&mut self, hit: Hit) -> SqlResult<()> {
        if self.file.is_some() || self.memory.len() >= fitting(self.budget.table) {
            return self.spill(hit);
        }
        self.memory.push(hit);
        Ok(())
    }

    #[cold]
    fn spill(&mut self, hit: Hit) -> SqlResult<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => HitFile::new(&self.budget)?,
        };
        for hit in std::mem::take(&mut self.memory).into_iter().chain([hit]) {
            if file.rows.is_multiple_of(BLOCK as u64) {
                file.firsts.push(hit.row);
                if self.open.len() >= file.file.block() {
                    file.file.append(&self.open)?;
                    self.open.clear();
                }
            }
            file.rows += 1;
            self.open.extend_from_slice(&hit.row.to_le_bytes());
            self.open.extend_from_slice(&hit.weight.to_bits().to_le_bytes());
        }
        self.file = Some(file);
        Ok(())
    }

    /// The list, complete.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn finish(self) -> SqlResult<Arc<dyn HitList>> {
        match self.file {
            None => Ok(Arc::new(self.memory)),
            Some(file) => {
                file.file.append(&self.open)?;
                Ok(Arc::new(file))
            }
        }
    }
}

/// A list on disk.
struct HitFile {
    file: SpillFile,
    rows: u64,
    /// The first row of each block.
    firsts: Vec<u64>,
    /// The block read last by a look-up, and its number.
    read: Mutex<(usize, Vec<Hit>)>,
}

impl HitFile {
    fn new(budget: &Budget) -> SqlResult<HitFile> {
        let read = Mutex::new((usize::MAX, Vec::new()));
        Ok(HitFile { file: SpillFile::new(budget)?, rows: 0, firsts: Vec::new(), read })
    }

    fn read(&self, from: u64, most: usize, out: &mut Vec<Hit>) -> SqlResult<()> {
        let rows = usize::try_from(self.rows.saturating_sub(from)).map_or(most, |left| left.min(most));
        let mut bytes = vec![0; rows * ROW];
        self.file.read(from * ROW as u64, &mut bytes)?;
        out.extend(bytes.as_chunks::<ROW>().0.iter().map(|bytes| {
            let number = u128::from_le_bytes(*bytes);
            Hit { row: number as u64, weight: f64::from_bits((number >> 64) as u64) }
        }));
        Ok(())
    }
}

impl HitList for HitFile {
    fn weight(&self, row: u64) -> SqlResult<Option<f64>> {
        let Some(block) = self.firsts.partition_point(|first| *first <= row).checked_sub(1) else {
            return Ok(None);
        };
        let mut read = self.read.lock();
        if read.0 != block {
            let mut hits = std::mem::take(&mut read.1);
            hits.clear();
            read.0 = usize::MAX;
            self.read((block * BLOCK) as u64, BLOCK, &mut hits)?;
            *read = (block, hits);
        }
        read.1.weight(row)
    }

    fn read(&self, from: u64, out: &mut Vec<Hit>) -> SqlResult<()> {
        self.read(from, AT_ONCE, out)
    }
}

/// What rows are put in order by, the greatest first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The exact sum of their words.
    Weight,
    /// The score that SQL sees.
    Score,
}

impl By {
    fn number(self, hit: &Hit) -> f64 {
        if self == By::Weight { hit.weight } else { f64::from(hit.score()) }
    }
}

/// The best rows first, ties as they lie in the table.
pub struct BestFirst {
    by: By,
    wanted: usize,
    rows: Vec<Hit>,
    sorter: Option<Sorter>,
    budget: Budget,
}

impl BestFirst {
    /// No row yet; `wanted` are asked for.
    #[must_use]
    pub fn new(by: By, wanted: usize, budget: &Budget) -> BestFirst {
        BestFirst { by, wanted, rows: Vec::new(), sorter: None, budget: budget.clone() }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn add(&mut self, hits: &[Hit]) -> SqlResult<()> {
        if let Some(sorter) = &mut self.sorter {
            return sort(sorter, self.by, hits);
        }
        self.rows.extend_from_slice(hits);
        if self.rows.len() / 2 > self.wanted.max(AT_ONCE) {
            self.cut();
        }
        if self.rows.len() > fitting(self.budget.sort) {
            let specs = vec![
                KeySpec::new(0, &FieldType::double(), true),
                KeySpec::new(1, &FieldType::bigint(true), false),
            ];
            let mut sorter = Sorter::new(specs, self.wanted, &self.budget);
            for hits in std::mem::take(&mut self.rows).chunks(AT_ONCE) {
                sort(&mut sorter, self.by, hits)?;
            }
            self.sorter = Some(sorter);
        }
        Ok(())
    }

    /// Leaves out what is not wanted.
    fn cut(&mut self) {
        let by = self.by;
        let better = |a: &Hit, b: &Hit| by.number(b).partial_cmp(&by.number(a)).unwrap_or(Ordering::Equal);
        let first = |a: &Hit, b: &Hit| better(a, b).then(a.row.cmp(&b.row));
        if self.wanted < self.rows.len() {
            self.rows.select_nth_unstable_by(self.wanted, first);
            self.rows.truncate(self.wanted);
        }
        self.rows.sort_unstable_by(first);
    }

    /// The rows in order.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn finish(mut self) -> SqlResult<Arc<dyn HitList>> {
        let Some(mut sorter) = self.sorter.take() else {
            self.cut();
            return Ok(Arc::new(self.rows));
        };
        sorter.finish()?;
        let mut list = HitListBuilder::new(&self.budget);
        let mut batch = columns();
        while sorter.next(&mut batch)? {
            for row in 0..batch.len {
                // of a score no more than that is asked again
                list.push(Hit {
                    row: batch.columns[1].i64(row).cast_unsigned(),
                    weight: batch.columns[0].f64(row),
                })?;
            }
        }
        list.finish()
    }
}

/// An empty batch of numbers and rows.
fn columns() -> Batch {
    let (mut number, mut row) = (Vector::default(), Vector::default());
    number.reset(Class::Double);
    row.reset(Class::Int);
    Batch { columns: vec![number, row], len: 0 }
}

/// Gives rows to a sorter.
fn sort(sorter: &mut Sorter, by: By, hits: &[Hit]) -> SqlResult<()> {
    let mut batch = columns();
    for hit in hits {
        batch.columns[0].push_f64(by.number(hit));
        batch.columns[1].push_i64(hit.row.cast_signed());
    }
    batch.len = hits.len();
    sorter.push(&batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(n: u64) -> Vec<Hit> {
        (0..n)
            .map(|i| Hit { row: i * 20 + i % 7, weight: f64::from((i * 7919 % 1013) as u32) / 3.0 })
            .collect()
    }

    fn all(list: &dyn HitList) -> Vec<Hit> {
        let mut out = Vec::new();
        loop {
            let before = out.len();
            list.read(before as u64, &mut out).unwrap();
            if out.len() == before {
                return out;
            }
        }
    }

    fn budget(bytes: usize) -> Budget {
        Budget { sort: bytes, table: bytes, ..Budget::default() }
    }

    #[test]
    fn lists_in_memory_and_on_disk_are_the_same() {
        for (rows, bytes) in [(0, 0), (1, 0), (255, 1000), (256, 0), (20_000, 100_000), (20_000, usize::MAX)]
        {
            let (hits, budget) = (hits(rows), budget(bytes));
            let mut list = HitListBuilder::new(&budget);
            hits.iter().for_each(|hit| list.push(*hit).unwrap());
            let list = list.finish().unwrap();
            assert_eq!(all(&*list), hits);
            for hit in hits.iter().rev().chain(&hits) {
                assert_eq!(list.weight(hit.row).unwrap(), Some(hit.weight));
                assert_eq!(list.weight(hit.row + 10).unwrap(), None);
            }
            assert_eq!(list.weight(u64::MAX).unwrap(), None);
            let files = budget.take_files();
            assert_eq!(files > 0, rows as usize > fitting(bytes), "{rows} rows, {bytes} bytes");
        }
    }

    #[test]
    fn the_best_come_first_whatever_the_memory() {
        let hits = hits(30_000);
        let mut expected = hits.clone();
        expected.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        for (wanted, bytes) in
            [(10, 1000), (10, usize::MAX), (9_000, 100_000), (usize::MAX, 50_000), (usize::MAX, usize::MAX)]
        {
            let mut best = BestFirst::new(By::Weight, wanted, &budget(bytes));
            hits.chunks(1000).for_each(|hits| best.add(hits).unwrap());
            let found = all(&*best.finish().unwrap());
            assert_eq!(found, expected[..wanted.min(hits.len())], "{wanted} rows in {bytes} bytes");
        }
    }
}

//! A reader of the rows that lie in intervals of any of several keys.

use super::interval::Interval;
use super::key_walk::KeyWalk;
use super::reader::{Counted, Reader, Reading};
use super::stored_reader::load_at;
use super::{KeyCursor, OpenTable, RowPos, RowScratch};
use crate::error::SqlResult;
use crate::types::Batch;

/// Entries that are read under one pin.
const ENTRIES: usize = 16_384;

/// Rows that are given under one pin.
const ROWS: usize = 4_096;

/// Fewer rows than this are remembered in any case.
const FEW: usize = 1_000;

/// A key to walk.
pub struct Merged {
    /// The key.
    pub key: usize,
    /// In ascending order, without overlap.
    pub intervals: Vec<Interval>,
}

/// A reader of the rows in file order, each once. All of them are found before the first one is given; where they are so many that the whole
/// table is better read from end to end, that is what it does: who uses it looks at its conditions again for each row.
pub struct IndexMergeReader<'t> {
    table: &'t OpenTable,
    keys: Vec<Merged>,
    /// The key that is walked.
    at: usize,
    walk: Option<KeyWalk>,
    /// Found so far; in file order when all are.
    found: Vec<RowPos>,
    given: usize,
    /// The most rows to remember.
    most: usize,
    /// Entries that were walked over since it was asked.
    walked: u64,
    scan: Option<Box<dyn Reader + 't>>,
    scratch: RowScratch,
}

impl<'t> IndexMergeReader<'t> {
    /// Before the first row. No more than `memory` bytes are used for the places of rows.
    #[must_use]
    pub fn new(table: &'t OpenTable, keys: Vec<Merged>, memory: usize) -> IndexMergeReader<'t> {
        let records = usize::try_from(table.state_of(&table.state()).records()).unwrap_or(usize::MAX);
        // reading a row by its place costs as much as reading some of them one after the other
        let most = (records / 3).min(memory / size_of::<RowPos>()).max(FEW);
        IndexMergeReader {
            table,
            keys,
            at: 0,
            walk: None,
            found: Vec::new(),
            given: 0,
            most,
            walked: 0,
            scan: None,
            scratch: RowScratch::new(),
        }
    }

    /// Walks on; false when all entries were read.
    fn gather(&mut self, reading: &Reading<'_>) -> SqlResult<bool> {
        let table = self.table;
        let Some(Merged { key, intervals }) = self.keys.get(self.at) else { return Ok(false) };
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        let walk = self.walk.get_or_insert_with(|| KeyWalk::new(KeyCursor::new(table.format(), *key), false));
        let before = self.found.len();
        let mut left = ENTRIES;
        loop {
            let Some(pos) = walk.next(&view, intervals).map_err(|e| table.error(&e))? else {
                self.walk = None;
                self.at += 1;
                break;
            };
            self.found.push(pos);
            let had = self.found.len();
            walk.rest(&view, intervals, left, &mut self.found).map_err(|e| table.error(&e))?;
            left = left.saturating_sub(1 + self.found.len() - had);
            if left == 0 {
                break;
            }
        }
        if !table.keys()[*key].is_unique() {
            self.walked += (self.found.len() - before) as u64;
        }
        let all = self.at >= self.keys.len();
        if all || self.found.len() > self.most {
            self.found.sort_unstable();
            self.found.dedup();
        }
        if self.found.len() > self.most {
            self.found = Vec::new();
            self.scan = Some(table.scan());
        }
        Ok(true)
    }
}

impl Reader for IndexMergeReader<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        if let Some(scan) = &mut self.scan {
            return scan.fill(reading, out, most);
        }
        if self.gather(reading)? {
            return Ok(true);
        }
        let IndexMergeReader { table, found, given, scratch, .. } = self;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        for _ in 0..ROWS {
            let Some(&pos) = found.get(*given) else { return Ok(false) };
            if out.len >= most || reading.is_full(out) {
                return Ok(true);
            }
            *given += 1;
            load_at(table, &view, pos, scratch, reading, out)?;
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.given = 0;
        if let Some(scan) = &mut self.scan {
            scan.rewind();
        }
    }

    fn counted(&self) -> Counted {
        match self.scan {
            Some(_) => Counted::RndNext,
            None => Counted::Rnd,
        }
    }

    fn walked(&mut self) -> (u64, u64) {
        (std::mem::take(&mut self.walked), 0)
    }
}

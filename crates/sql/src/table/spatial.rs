//! Readers of the rows that a search in a SPATIAL key finds.

pub use isam::spatial::{Rect, Relation, SpatialWalk};

use super::reader::{Counted, Reader, Reading};
use super::stored_reader::load_at;
use super::{OpenTable, RowPos, RowScratch};
use crate::error::SqlResult;
use crate::types::Batch;

/// Leaves that are read under one pin.
const LEAVES: usize = 256;

/// A reader of the rows in the order in which the key gives them.
pub struct SpatialReader<'t> {
    table: &'t OpenTable,
    walk: SpatialWalk,
    /// Found, and not given yet from `given` on.
    found: Vec<RowPos>,
    given: usize,
    scratch: RowScratch,
}

impl<'t> SpatialReader<'t> {
    /// Before the first row.
    #[must_use]
    pub fn new(table: &'t OpenTable, walk: SpatialWalk) -> SpatialReader<'t> {
        SpatialReader { table, walk, found: Vec::new(), given: 0, scratch: RowScratch::new() }
    }
}

impl Reader for SpatialReader<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        let SpatialReader { table, walk, found, given, scratch } = self;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        for _ in 0..LEAVES {
            while let Some(&pos) = found.get(*given) {
                if out.len >= most || reading.is_full(out) {
                    return Ok(true);
                }
                *given += 1;
                load_at(table, &view, pos, scratch, reading, out)?;
            }
            found.clear();
            *given = 0;
            if !walk.next_leaf(&view, found).map_err(|e| table.error(&e))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.walk.rewind();
        self.found.clear();
        self.given = 0;
    }

    fn counted(&self) -> Counted {
        Counted::Next
    }
}

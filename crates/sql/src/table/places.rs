//! Rows of a table by their places.

use super::reader::Reading;
use super::stored_reader::{load_at, read_places};
use super::{OpenTable, RowColumns, RowPos, RowScratch};
use crate::error::SqlResult;
use crate::types::Batch;

/// Reads rows by their places.
pub struct PlaceReader<'t> {
    table: &'t OpenTable,
    columns: Option<RowColumns>,
    scratch: RowScratch,
}

impl<'t> PlaceReader<'t> {
    /// Of a table whose rows lie in one file.
    pub fn new(table: &'t OpenTable) -> PlaceReader<'t> {
        PlaceReader { table, columns: None, scratch: RowScratch::new() }
    }

    /// Appends the columns of the rows at these places; of fewer than all, but one at least, when they have as many bytes as a batch may
    /// have.
    ///
    /// # Errors
    /// Damaged files.
    pub fn read(&mut self, reading: &Reading<'_>, places: &[RowPos], out: &mut Batch) -> SqlResult<()> {
        let PlaceReader { table, columns, scratch } = self;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        if !reading.is_measured() {
            read_places(table, &view, places, columns, scratch, reading, out)?;
            out.len += places.len();
            return Ok(());
        }
        for pos in places {
            load_at(table, &view, *pos, scratch, reading, out)?;
            if reading.is_full(out) {
                break;
            }
        }
        Ok(())
    }
}

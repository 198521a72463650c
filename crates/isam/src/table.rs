//! A table: its definition, how its files are laid out, and its pages.

use std::sync::Arc;

use crate::error::Result;
use crate::key::KeyInfo;
use crate::myi::{Header, StateOffsets, StateView};
use crate::row::{RowLayout, RowScratch, RowView};
use crate::source::PageSource;

/// A row pointer as stored in index entries: the row's number (fixed rows) or byte offset (dynamic, compressed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowPos(pub u64);

/// How the files of a table are laid out; everything that reads or writes rows and keys goes through it.
#[derive(Clone, Debug)]
pub struct TableFormat {
    /// The head of the `.MYI`.
    pub header: Header,
    /// Where the state's fields lie.
    pub offsets: StateOffsets,
    /// Layout of rows.
    pub layout: Arc<RowLayout>,
    /// Keys, in the order of the definition.
    pub keys: Vec<KeyInfo>,
}

impl TableFormat {
    /// The state as `src` sees it: row count, lengths, statistics.
    #[inline]
    #[must_use]
    pub fn state<'a, S: PageSource>(&self, src: &'a S) -> StateView<'a> {
        StateView::new(src.state(), self.offsets)
    }

    /// The row at `pos`.
    ///
    /// # Errors
    /// 134 if it was deleted, 127 if the bytes there are no row.
    pub fn row<'a, S: PageSource>(
        &'a self,
        src: &'a S,
        pos: RowPos,
        scratch: &'a mut RowScratch,
    ) -> Result<RowView<'a>> {
        let _ = (src, pos, scratch);
        todo!()
    }

    /// Appends the flat key of the first `values.len()` parts of key `key_no`: stored bytes per part, `None` = NULL.
    pub fn encode_key(&self, key_no: usize, values: &[Option<&[u8]>], out: &mut Vec<u8>) {
        let _ = (key_no, values, out);
        todo!()
    }

    /// Estimate of the rows whose key lies between two ends (flat bytes and number of parts; `None` = open end).
    pub fn records_in_range<S: PageSource>(
        &self,
        src: &S,
        key_no: usize,
        min: Option<RangeEnd<'_>>,
        max: Option<RangeEnd<'_>>,
    ) -> Result<u64> {
        let _ = (src, key_no, min, max);
        todo!()
    }
}

/// An end of a range over a key.
#[derive(Clone, Copy, Debug)]
pub struct RangeEnd<'a> {
    /// Flat bytes of the leading parts.
    pub flat: &'a [u8],
    /// Number of parts.
    pub parts: usize,
    /// Entries equal to it belong to the range.
    pub inclusive: bool,
}

/// A scan of the data file in file order. It keeps a position only, so that pins and snapshots may come and go between calls
/// as long as the same version of the table is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scan {
    next: u64,
}

impl Scan {
    /// A scan from the first row.
    #[must_use]
    pub fn new() -> Scan {
        Scan::default()
    }

    /// A scan that goes on behind the row at `pos`.
    #[must_use]
    pub fn after(format: &TableFormat, pos: RowPos) -> Scan {
        let _ = (format, pos);
        todo!()
    }

    /// The next row, or `None` at the end.
    pub fn next<'a, S: PageSource>(
        &mut self,
        format: &'a TableFormat,
        src: &'a S,
        scratch: &'a mut RowScratch,
    ) -> Result<Option<(RowPos, RowView<'a>)>> {
        let _ = (format, src, scratch);
        todo!()
    }
}

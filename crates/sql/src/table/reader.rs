//! How rows are read through the seam. A table gives readers; whoever keeps its rows implements them: tables whose rows lie in pages
//! ([`super::stored_reader`]), tables that make their rows ([`super::virtual_table`]), results that were made before (`exec::materialize`).
//!
//! A reader is a position among rows. It fills batches: calls through the trait are per batch, never per row. The caller owns the batch;
//! a reader appends to the slots it was told to fill and to no others, and remembers nothing of the batch. Between two calls a reader
//! holds no pin and no pointer into pages, so that the caller may wait, send or stop as long as it likes: what it reads is what the
//! snapshot of each call shows. After an error a reader is not called again. Readers do not look at KILL: a call ends after a
//! batch, and its caller looks.
//!
//! A reader of a key ([`KeyReader`]) walks intervals of it, which are changed in place, so that one reader serves all look-ups of a join. An
//! access path that ranks (full text: entries of a key by relevance, many entries a row) is a reader as well: it is made by the table
//! for what is searched, gives each row once in the order of its rank, and has one slot more in [`Reading`], beside the position, for the
//! score.

use pages::Snapshot;

use super::interval::Interval;
use super::points::Points;
use crate::error::SqlResult;
use crate::memory::{BATCH_BYTES, BATCH_ROWS};
use crate::types::context::ConversionContext;
use crate::types::{Batch, FieldType};

/// Bytes of a row from which on a batch is measured.
const WIDE: u64 = (BATCH_BYTES / BATCH_ROWS) as u64;

/// What is read of rows, and what it goes into.
pub struct Reading<'r> {
    /// What the statement sees.
    pub snapshot: &'r Snapshot<'r>,
    /// The columns: number in the table, slot in the batch, type.
    pub columns: &'r [(usize, usize, FieldType)],
    /// The slot that takes the rows' positions.
    pub position: Option<usize>,
    /// The slot that takes scores, of readers that rank.
    pub score: Option<usize>,
    /// How stored values become values.
    pub conversion: &'r ConversionContext,
    /// Values may be so long that a batch is measured after each row.
    wide: bool,
}

impl<'r> Reading<'r> {
    /// These columns, as this snapshot shows them.
    #[must_use]
    pub fn new(
        snapshot: &'r Snapshot<'r>,
        columns: &'r [(usize, usize, FieldType)],
        position: Option<usize>,
        score: Option<usize>,
        conversion: &'r ConversionContext,
    ) -> Reading<'r> {
        let wide = Reading::is_wide(columns);
        Reading { snapshot, columns, position, score, conversion, wide }
    }

    /// Whether values of these columns may be so long that batches have to be measured.
    #[must_use]
    pub fn is_wide(columns: &[(usize, usize, FieldType)]) -> bool {
        columns.iter().map(|c| u64::from(c.2.length)).sum::<u64>() > WIDE
    }

    /// Whether a batch is measured after each row.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.wide
    }

    /// Whether a batch has so many bytes that no further row belongs into it.
    #[inline]
    #[must_use]
    pub fn is_full(&self, out: &Batch) -> bool {
        self.wide && out.byte_len() >= BATCH_BYTES
    }
}

/// As what the rows of a reader are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Handler_read_rnd_next
    RndNext,
    /// Handler_read_next
    Next,
    /// Handler_read_prev
    Prev,
    /// Each was found by a look-up, which was counted.
    Key,
    /// Handler_read_rnd: by its place, which keys told before.
    Rnd,
    /// Handler_read_rnd_next, of a temporary table.
    Temporary,
    /// They were counted when they were made.
    Before,
}

/// A position among the rows of a table.
pub trait Reader {
    /// Appends rows to `out` until it holds `most`, or so many bytes that fewer are enough; false when there are no more.
    ///
    /// # Errors
    /// Damaged files; a temporary file that cannot be read.
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool>;

    /// Goes back to the first row.
    fn rewind(&mut self);

    /// As what its rows are counted.
    fn counted(&self) -> Counted {
        Counted::RndNext
    }

    /// Entries of keys that were walked over, and searches for others, to find rows that are counted otherwise, since it was asked last.
    fn walked(&mut self) -> (u64, u64) {
        (0, 0)
    }

    /// For readers that can read further columns of rows they have read.
    fn late(&mut self) -> Option<&mut dyn LateReader> {
        None
    }
}

/// A reader that remembers where the rows of a batch are.
pub trait LateReader {
    /// Appends columns of these rows of the batch that was read last, by their numbers in it, ascending. The slots of those columns hold
    /// nothing yet; those of others are left alone. Gives how many of the rows it completed: fewer when the batch has as many bytes as it may
    /// have; what follows the last one of them is read again then.
    ///
    /// # Errors
    /// As [`Reader::fill`].
    fn complete(&mut self, reading: &Reading<'_>, out: &mut Batch, rows: &[u32]) -> SqlResult<usize>;
}

/// A position among the entries of a key.
pub trait KeyReader: Reader {
    /// The intervals that are walked: in ascending order, without overlap. Who changes them begins anew.
    fn intervals(&mut self) -> &mut Vec<Interval>;

    /// Begins anew. `single`: the interval is a whole unique key, so that the walk ends after one row.
    fn begin(&mut self, single: bool);

    /// For readers that can look up several keys at once.
    fn points(&mut self) -> Option<&mut dyn PointReader> {
        None
    }
}

/// A reader that looks up several keys at once.
pub trait PointReader: Reader {
    /// Looks up the next of these keys, and appends their rows to `out`, with the row that each belongs to in `from`, until there are no
    /// more keys or `out` holds `most`. True: the last key may have further rows, which [`Reader::fill`] goes on with.
    ///
    /// # Errors
    /// As [`Reader::fill`].
    fn fill_points(
        &mut self,
        points: &mut Points,
        reading: &Reading<'_>,
        out: &mut Batch,
        most: usize,
        from: &mut Vec<u32>,
    ) -> SqlResult<bool>;
}

//! Tables that make their rows when they are read: those of information_schema, and sequences.

use std::sync::Arc;

use super::reader::{Counted, Reader, Reading};
use crate::error::SqlResult;
use crate::memory::{Held, Share};
use crate::types::{Batch, FieldType, Value};
use crate::warning::Warning;

/// A table that makes its rows.
pub trait VirtualTable: Send + Sync {
    /// Its columns: name and type.
    fn columns(&self) -> &[(String, FieldType)];

    /// Its own name, when it is no table of information_schema.
    fn own_name(&self) -> Option<&str> {
        None
    }

    /// About how many rows it has.
    fn estimate(&self) -> f64 {
        100.0
    }

    /// The column that no two rows have alike.
    fn primary(&self) -> Option<usize> {
        None
    }

    /// The number of rows, and the least and the greatest value of [`VirtualTable::primary`], when they are known without reading.
    fn ends(&self) -> Option<KnownRange> {
        None
    }

    /// Its rows, of which those that `asked` leaves out may be missing.
    ///
    /// # Errors
    /// Those of looking at what it describes.
    fn rows(&self, asked: &ScanRequest) -> SqlResult<Box<dyn Reader>>;

    /// What there is to warn of after that.
    fn take_warnings(&self) -> Vec<Warning> {
        Vec::new()
    }
}

/// What is known of a table without reading it.
pub struct KnownRange {
    /// The number of rows.
    pub rows: u64,
    /// The least value of the primary key.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
}

/// A reader of rows that were all made at once, each as long as the table's columns. Columns that are not asked for may be NULL.
pub struct MadeRows {
    rows: Vec<Vec<Value>>,
    next: usize,
    counted: Counted,
    /// What they take, while they are read.
    _share: Option<Share>,
}

impl MadeRows {
    /// A reader at the first row.
    #[must_use]
    pub fn new(rows: Vec<Vec<Value>>) -> MadeRows {
        MadeRows { rows, next: 0, counted: Counted::Before, _share: None }
    }

    /// A reader whose rows are counted as those of a temporary table.
    #[must_use]
    pub fn as_temporary(rows: Vec<Vec<Value>>) -> MadeRows {
        MadeRows { counted: Counted::Temporary, ..MadeRows::new(rows) }
    }

    /// Counts them among what a session holds.
    #[must_use]
    pub fn held_by(self, held: &Arc<Held>) -> MadeRows {
        let heap = |v: &Value| if let Value::Bytes(b) = v { b.capacity() } else { 0 };
        let row = |r: &Vec<Value>| {
            size_of::<Vec<Value>>() + r.capacity() * size_of::<Value>() + r.iter().map(heap).sum::<usize>()
        };
        let share = Share::of(held);
        share.change(self.rows.iter().map(row).sum());
        MadeRows { _share: Some(share), ..self }
    }
}

impl Reader for MadeRows {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        while out.len < most {
            let Some(row) = self.rows.get(self.next) else { return Ok(false) };
            push_row(row, reading, out);
            self.next += 1;
            if reading.is_full(out) {
                break;
            }
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.next = 0;
    }

    fn counted(&self) -> Counted {
        self.counted
    }
}

/// Appends a row that was made to a batch: the columns that are read of it.
pub fn push_row(row: &[Value], reading: &Reading<'_>, out: &mut Batch) {
    for (column, slot, _) in reading.columns {
        out.columns[*slot].push(row[*column].as_ref());
    }
    out.len += 1;
}

/// What a statement asks of such a table. Its conditions are checked again on the rows that come.
#[derive(Default)]
pub struct ScanRequest {
    /// The columns that are read.
    pub columns: Vec<usize>,
    /// What is asked of the values of single columns; all of it must hold.
    pub limits: Vec<(usize, Limit)>,
}

/// What a condition asks of a column's value. NULL is never asked for.
#[derive(Clone, Debug)]
pub enum Limit {
    /// `column = value`
    Equal(Value),
    /// `column IN (...)`
    OneOf(Vec<Value>),
    /// From one value to the other, both included.
    Between(Option<Value>, Option<Value>),
}

impl ScanRequest {
    /// The value that a column must equal.
    #[must_use]
    pub fn equal(&self, column: usize) -> Option<&Value> {
        self.limits.iter().find_map(|(c, limit)| match limit {
            Limit::Equal(v) if *c == column => Some(v),
            _ => None,
        })
    }
}

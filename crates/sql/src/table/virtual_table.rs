//! Tables that make their rows when they are read: those of information_schema, and sequences.

use crate::error::SqlResult;
use crate::types::{Batch, FieldType, Value};

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
    fn ends(&self) -> Option<Ends> {
        None
    }

    /// Its rows, of which those that `asked` leaves out may be missing.
    ///
    /// # Errors
    /// Those of looking at what it describes.
    fn rows(&self, asked: &Asked) -> SqlResult<VirtualRows>;
}

/// What is known of a table without reading it.
pub struct Ends {
    /// The number of rows.
    pub rows: u64,
    /// The least value of the primary key.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
}

/// Rows of a table that makes them.
pub enum VirtualRows {
    /// All of them, each as long as the columns. Columns that are not asked for may be NULL.
    Made(Vec<Vec<Value>>),
    /// One batch after the other.
    Pulled(Box<dyn RowStream>),
}

/// Rows made as they are read.
pub trait RowStream {
    /// Appends rows to `out` until it holds `most`; false at the end. `columns` are the columns read: number, slot in
    /// the batch, type.
    fn fill(&mut self, columns: &[(usize, usize, FieldType)], out: &mut Batch, most: usize) -> bool;

    /// Goes back to the first row.
    fn rewind(&mut self);
}

/// What a statement asks of such a table. Its conditions are checked again on the rows that come.
#[derive(Default)]
pub struct Asked {
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

impl Asked {
    /// The value that a column must equal.
    #[must_use]
    pub fn equal(&self, column: usize) -> Option<&Value> {
        self.limits.iter().find_map(|(c, limit)| match limit {
            Limit::Equal(v) if *c == column => Some(v),
            _ => None,
        })
    }
}

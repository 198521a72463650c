//! Rows of a result set, kept in two flat vectors that can be filled again.

use std::sync::Arc;

use sql::result::{Done, ResultSchema};

use crate::column::{ColumnIndex, Columns};
use crate::error::Error;
use crate::value::{Date, DateTime, FromValue, Time, ValueRef};

/// A cell: small values themselves, bytes as a range of [`Rows::bytes`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    UInt(u64),
    Double(f64),
    Float(f32),
    Bytes { at: usize, length: usize },
    Date(Date),
    Time(Time),
    DateTime(DateTime),
}

/// A whole result set.
#[derive(Debug, Default)]
pub struct Rows {
    pub(crate) schema: Option<Arc<ResultSchema>>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) done: Done,
}

impl Rows {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len().checked_div(self.columns().len()).unwrap_or(0)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The columns; none when the statement gives no rows.
    #[must_use]
    pub fn columns(&self) -> Columns<'_> {
        Columns(self.schema.as_ref().map_or(&[], |s| &s.columns))
    }

    /// The row number `index`, from 0.
    #[must_use]
    pub fn row(&self, index: usize) -> Option<Row<'_>> {
        let width = self.columns().len();
        (index < self.len()).then(|| Row { rows: self, first: index * width })
    }

    /// The first row.
    pub(crate) fn first(&self) -> Result<Row<'_>, Error> {
        self.row(0).ok_or(Error::NoRow)
    }

    /// All rows.
    #[must_use]
    pub fn iter(&self) -> RowsIter<'_> {
        RowsIter { rows: self, next: 0 }
    }

    /// Rows changed by the statement.
    #[must_use]
    pub fn affected(&self) -> u64 {
        self.done.affected
    }

    /// Number of warnings.
    #[must_use]
    pub fn warnings(&self) -> u16 {
        self.done.warnings
    }

    /// Empties it of rows alone.
    pub(crate) fn forget_rows(&mut self) {
        self.cells.clear();
        self.bytes.clear();
    }

    /// Empties it, keeping memory and schema.
    pub(crate) fn clear(&mut self) {
        self.forget_rows();
        self.done = Done::default();
    }

    fn value(&self, cell: usize, column: usize) -> ValueRef<'_> {
        match self.cells[cell] {
            Cell::Null => ValueRef::Null,
            Cell::Int(v) => ValueRef::Int(v),
            Cell::UInt(v) => ValueRef::UInt(v),
            Cell::Double(v) => ValueRef::Double(v),
            Cell::Float(v) => ValueRef::Float(v),
            Cell::Date(v) => ValueRef::Date(v),
            Cell::Time(v) => ValueRef::Time(v),
            Cell::DateTime(v) => ValueRef::DateTime(v),
            Cell::Bytes { at, length } => {
                let bytes = &self.bytes[at..at + length];
                let text = self.columns().get(column).is_some_and(|c| c.is_text());
                match text.then(|| std::str::from_utf8(bytes)) {
                    Some(Ok(text)) => ValueRef::Text(text),
                    _ => ValueRef::Bytes(bytes),
                }
            }
        }
    }
}

impl<'r> IntoIterator for &'r Rows {
    type Item = Row<'r>;
    type IntoIter = RowsIter<'r>;

    fn into_iter(self) -> RowsIter<'r> {
        self.iter()
    }
}

/// See [`Rows::iter`].
#[derive(Debug, Clone)]
pub struct RowsIter<'r> {
    rows: &'r Rows,
    next: usize,
}

impl<'r> Iterator for RowsIter<'r> {
    type Item = Row<'r>;

    fn next(&mut self) -> Option<Row<'r>> {
        let row = self.rows.row(self.next);
        self.next += 1;
        row
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rows.len().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for RowsIter<'_> {}

/// One row.
#[derive(Debug, Clone, Copy)]
pub struct Row<'r> {
    rows: &'r Rows,
    first: usize,
}

impl<'r> Row<'r> {
    /// A column's value as a type: `row.get::<i64>(0)?`, `row.get::<String>("name")?`.
    ///
    /// # Errors
    /// [`Error::NoColumn`], [`Error::Conversion`].
    pub fn get<T: FromValue>(&self, column: impl ColumnIndex) -> Result<T, Error> {
        let column = column.find(self.rows.columns())?;
        T::take(self.rows.value(self.first + column, column), column)
    }

    /// A column's value, without a copy.
    ///
    /// # Errors
    /// [`Error::NoColumn`].
    pub fn get_ref(&self, column: impl ColumnIndex) -> Result<ValueRef<'r>, Error> {
        let column = column.find(self.rows.columns())?;
        Ok(self.rows.value(self.first + column, column))
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> Columns<'r> {
        self.rows.columns()
    }

    /// All values, left to right.
    pub fn values(&self) -> impl Iterator<Item = ValueRef<'r>> + use<'r> {
        let Self { rows, first } = *self;
        (0..rows.columns().len()).map(move |column| rows.value(first + column, column))
    }
}

//! Rows of a result set, kept in two flat vectors that can be filled again.

use std::io::Read;
use std::sync::Arc;

use sql::SqlError;
use sql::result::{ColumnMeta, Done, ResultShape, ResultSink};

use crate::error::Error;
use crate::value::{Date, DateTime, FromValue, Time, ValueRef};

/// A cell: small values themselves, bytes as a range of [`Rows::bytes`].
#[derive(Debug, Clone, Copy)]
enum Cell {
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
    shape: Option<Arc<ResultShape>>,
    cells: Vec<Cell>,
    bytes: Vec<u8>,
    done: Done,
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
    pub fn columns(&self) -> &[ColumnMeta] {
        self.shape.as_ref().map_or(&[], |s| &s.columns)
    }

    /// The row number `index`, from 0.
    #[must_use]
    pub fn row(&self, index: usize) -> Option<Row<'_>> {
        let width = self.columns().len();
        (index < self.len()).then(|| Row { rows: self, first: index * width })
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

    /// How the statement ended.
    pub(crate) fn done(&self) -> &Done {
        &self.done
    }

    /// Empties it, keeping memory and shape.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.bytes.clear();
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
                let meta = &self.columns()[column];
                // Collation 63 is binary; decimals carry it too, and are text.
                let text = meta.collation != 63
                    || matches!(meta.ty, sql::result::wire::NEWDECIMAL | sql::result::wire::DECIMAL);
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

    /// All values, left to right.
    pub fn values(&self) -> impl Iterator<Item = ValueRef<'r>> + use<'r> {
        let Self { rows, first } = *self;
        (0..rows.columns().len()).map(move |column| rows.value(first + column, column))
    }
}

/// How a column is named: by number from 0, or by its heading without regard to case.
pub trait ColumnIndex {
    /// Its number.
    ///
    /// # Errors
    /// [`Error::NoColumn`].
    fn find(&self, columns: &[ColumnMeta]) -> Result<usize, Error>;
}

impl ColumnIndex for usize {
    fn find(&self, columns: &[ColumnMeta]) -> Result<usize, Error> {
        if *self < columns.len() { Ok(*self) } else { Err(Error::NoColumn(self.to_string())) }
    }
}

impl ColumnIndex for &str {
    fn find(&self, columns: &[ColumnMeta]) -> Result<usize, Error> {
        columns
            .iter()
            .position(|c| c.name.eq_ignore_ascii_case(self))
            .ok_or_else(|| Error::NoColumn((*self).to_owned()))
    }
}

/// Of several result sets the last one stays.
impl ResultSink for Rows {
    fn start(&mut self, shape: &Arc<ResultShape>) -> Result<(), SqlError> {
        self.clear();
        // Statements run again and again bring the same shape; cloning would write a shared counter.
        if !self.shape.as_ref().is_some_and(|own| Arc::ptr_eq(own, shape)) {
            self.shape = Some(Arc::clone(shape));
        }
        Ok(())
    }

    fn begin_row(&mut self) {}

    fn end_row(&mut self) {}

    fn put_null(&mut self) {
        self.cells.push(Cell::Null);
    }

    fn put_int(&mut self, v: i64) {
        self.cells.push(Cell::Int(v));
    }

    fn put_uint(&mut self, v: u64) {
        self.cells.push(Cell::UInt(v));
    }

    fn put_zerofill(&mut self, v: u64, _width: u32) {
        self.put_uint(v);
    }

    fn put_double(&mut self, v: f64, _decimals: u8) {
        self.cells.push(Cell::Double(v));
    }

    fn put_float(&mut self, v: f32, _decimals: u8) {
        self.cells.push(Cell::Float(v));
    }

    fn put_bytes(&mut self, v: &[u8]) {
        self.cells.push(Cell::Bytes { at: self.bytes.len(), length: v.len() });
        self.bytes.extend_from_slice(v);
    }

    fn put_date(&mut self, year: u16, month: u8, day: u8) {
        self.cells.push(Cell::Date(Date { year, month, day }));
    }

    fn put_time(&mut self, negative: bool, hours: u32, minutes: u8, seconds: u8, micros: u32, _dec: u8) {
        self.cells.push(Cell::Time(Time { negative, hours, minutes, seconds, micros }));
    }

    fn put_datetime(
        &mut self,
        year: u16,
        month: u8,
        day: u8,
        hour: u8,
        minute: u8,
        second: u8,
        micros: u32,
        _dec: u8,
    ) {
        let date = Date { year, month, day };
        self.cells.push(Cell::DateTime(DateTime { date, hour, minute, second, micros }));
    }

    fn wants_flush(&self) -> bool {
        false
    }

    fn flush(&mut self) -> Result<(), SqlError> {
        Ok(())
    }

    fn finish(&mut self, done: &Done) -> Result<(), SqlError> {
        if !done.had_rows {
            self.clear();
            self.shape = None;
        }
        self.done.clone_from(done);
        Ok(())
    }

    /// LOAD DATA LOCAL reads the file right away: client and server are one process.
    fn local_infile(&mut self, name: &str) -> Result<Box<dyn Read + '_>, SqlError> {
        match std::fs::File::open(name) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(SqlError::with_message(
                sql::error::ER_FILE_NOT_FOUND,
                format!("Can't find file '{name}' ({error})"),
            )),
        }
    }
}

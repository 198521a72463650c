//! Where a statement puts its rows: into [`Rows`], and from there to whoever reads them one by one.

use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

use sql::SqlError;
use sql::error::ER_QUERY_INTERRUPTED;
use sql::result::{Done, ResultSchema, ResultSink};

use crate::error::Error;
use crate::rows::{Cell, Row, Rows};
use crate::value::{Date, DateTime, Time};

/// Bytes of rows that are gathered before a reader gets them.
const FULL: usize = 64 << 10;

/// Takes rows one by one.
pub(crate) type Reader<'r> = &'r mut dyn FnMut(&Row<'_>) -> Result<ControlFlow<()>, Error>;

pub(crate) struct Sink<'s, 'r> {
    rows: &'s mut Rows,
    reader: Option<Reader<'r>>,
    /// How the reader ended the statement, if it did.
    ended: Option<Result<(), Error>>,
}

impl<'s, 'r> Sink<'s, 'r> {
    /// A sink that fills `rows`; with a reader, it gets them and none stay.
    pub(crate) fn new(rows: &'s mut Rows, reader: Option<Reader<'r>>) -> Self {
        rows.clear();
        Sink { rows, reader, ended: None }
    }

    /// The outcome of a statement that ran into this sink.
    pub(crate) fn outcome(self, result: Result<(), SqlError>) -> Result<(), Error> {
        self.ended.unwrap_or_else(|| Ok(result?))
    }

    /// Gives the reader what is gathered.
    fn hand_on(&mut self) -> Result<(), SqlError> {
        let Some(reader) = &mut self.reader else { return Ok(()) };
        for row in &*self.rows {
            let stop = match reader(&row) {
                Ok(ControlFlow::Continue(())) => continue,
                Ok(ControlFlow::Break(())) => Ok(()),
                Err(e) => Err(e),
            };
            self.ended = Some(stop);
            return Err(SqlError::new(ER_QUERY_INTERRUPTED, &[]));
        }
        self.rows.forget_rows();
        Ok(())
    }
}

impl ResultSink for Sink<'_, '_> {
    fn start(&mut self, schema: &Arc<ResultSchema>) -> Result<(), SqlError> {
        // Of several result sets the last one stays.
        self.hand_on()?;
        self.rows.clear();
        // Statements run again and again bring the same schema; cloning would write a shared counter.
        if !self.rows.schema.as_ref().is_some_and(|own| Arc::ptr_eq(own, schema)) {
            self.rows.schema = Some(Arc::clone(schema));
        }
        Ok(())
    }

    fn begin_row(&mut self) {}

    fn end_row(&mut self) {}

    fn put_null(&mut self) {
        self.rows.cells.push(Cell::Null);
    }

    fn put_int(&mut self, v: i64) {
        self.rows.cells.push(Cell::Int(v));
    }

    fn put_uint(&mut self, v: u64) {
        self.rows.cells.push(Cell::UInt(v));
    }

    fn put_zerofill(&mut self, v: u64, _width: u32) {
        self.put_uint(v);
    }

    fn put_double(&mut self, v: f64, _decimals: u8) {
        self.rows.cells.push(Cell::Double(v));
    }

    fn put_float(&mut self, v: f32, _decimals: u8) {
        self.rows.cells.push(Cell::Float(v));
    }

    fn put_bytes(&mut self, v: &[u8]) {
        self.rows.cells.push(Cell::Bytes { at: self.rows.bytes.len(), length: v.len() });
        self.rows.bytes.extend_from_slice(v);
    }

    fn put_date(&mut self, year: u16, month: u8, day: u8) {
        self.rows.cells.push(Cell::Date(Date { year, month, day }));
    }

    fn put_time(&mut self, t: sql::result::Time, _dec: u8) {
        let sql::result::Time { negative, hours, minute: minutes, second: seconds, micros } = t;
        self.rows.cells.push(Cell::Time(Time { negative, hours, minutes, seconds, micros }));
    }

    fn put_datetime(&mut self, d: sql::result::DateTime, _dec: u8) {
        let date = Date { year: d.year, month: d.month, day: d.day };
        let (hour, minute, second, micros) = (d.hour, d.minute, d.second, d.micros);
        self.rows.cells.push(Cell::DateTime(DateTime { date, hour, minute, second, micros }));
    }

    fn wants_flush(&self) -> bool {
        self.reader.is_some() && self.rows.bytes.len() + self.rows.cells.len() * size_of::<Cell>() > FULL
    }

    fn flush(&mut self) -> Result<(), SqlError> {
        self.hand_on()
    }

    fn finish(&mut self, done: &Done) -> Result<(), SqlError> {
        self.hand_on()?;
        if !done.had_rows {
            self.rows.clear();
            self.rows.schema = None;
        }
        self.rows.done.clone_from(done);
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

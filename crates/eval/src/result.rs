//! What a statement hands back: column metadata, rows written into a sink, and the end.

use crate::error::SqlError;
use charset::{Charset, Collation};
use std::io::Read;
use std::sync::{Arc, OnceLock};

/// Wire type codes of result columns and parameters.
pub mod wire {
    #![allow(missing_docs)]
    pub const DECIMAL: u8 = 0;
    pub const TINY: u8 = 1;
    pub const SHORT: u8 = 2;
    pub const LONG: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const DOUBLE: u8 = 5;
    pub const NULL: u8 = 6;
    pub const TIMESTAMP: u8 = 7;
    pub const LONGLONG: u8 = 8;
    pub const INT24: u8 = 9;
    pub const DATE: u8 = 10;
    pub const TIME: u8 = 11;
    pub const DATETIME: u8 = 12;
    pub const YEAR: u8 = 13;
    pub const NEWDATE: u8 = 14;
    pub const VARCHAR: u8 = 15;
    pub const BIT: u8 = 16;
    pub const TIMESTAMP2: u8 = 17;
    pub const DATETIME2: u8 = 18;
    pub const TIME2: u8 = 19;
    pub const JSON: u8 = 245;
    pub const NEWDECIMAL: u8 = 246;
    pub const ENUM: u8 = 247;
    pub const SET: u8 = 248;
    pub const TINY_BLOB: u8 = 249;
    pub const MEDIUM_BLOB: u8 = 250;
    pub const LONG_BLOB: u8 = 251;
    pub const BLOB: u8 = 252;
    pub const VAR_STRING: u8 = 253;
    pub const STRING: u8 = 254;
    pub const GEOMETRY: u8 = 255;
}

/// A date and time, or a date (time zero). Zero parts are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DateTime {
    /// Year, 0 to 9999.
    pub year: u16,
    /// Month, 0 to 12.
    pub month: u8,
    /// Day, 0 to 31.
    pub day: u8,
    /// Hour.
    pub hour: u8,
    /// Minute.
    pub minute: u8,
    /// Second.
    pub second: u8,
    /// Microseconds.
    pub micros: u32,
}

/// A time of day or a signed duration of up to 838:59:59.999999.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Time {
    /// Whether it is below zero.
    pub negative: bool,
    /// Hours.
    pub hours: u32,
    /// Minutes.
    pub minute: u8,
    /// Seconds.
    pub second: u8,
    /// Microseconds.
    pub micros: u32,
}

/// Column flags of the wire protocol.
pub mod flag {
    #![allow(missing_docs)]
    pub const NOT_NULL: u16 = 0x0001;
    pub const PRI_KEY: u16 = 0x0002;
    pub const UNIQUE_KEY: u16 = 0x0004;
    pub const MULTIPLE_KEY: u16 = 0x0008;
    pub const BLOB: u16 = 0x0010;
    pub const UNSIGNED: u16 = 0x0020;
    pub const ZEROFILL: u16 = 0x0040;
    pub const BINARY: u16 = 0x0080;
    pub const ENUM: u16 = 0x0100;
    pub const AUTO_INCREMENT: u16 = 0x0200;
    pub const TIMESTAMP: u16 = 0x0400;
    pub const SET: u16 = 0x0800;
    pub const NO_DEFAULT_VALUE: u16 = 0x1000;
    pub const ON_UPDATE_NOW: u16 = 0x2000;
    pub const PART_KEY: u16 = 0x4000;
    pub const NUM: u16 = 0x8000;
}

pub use syntax::number::NOT_FIXED_DEC;

/// The description of one result column as clients see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMeta {
    /// The database of the column's table; empty for expressions.
    pub db: String,
    /// The alias of the table.
    pub table: String,
    /// The table's own name.
    pub org_table: String,
    /// The column's heading.
    pub name: String,
    /// The column's own name; empty for expressions.
    pub org_name: String,
    /// Collation id of the column's value in the result; 63 for everything that is not text.
    pub collation: u16,
    /// Longest display length in bytes.
    pub length: u32,
    /// Wire type code, see [`wire`].
    pub ty: u8,
    /// Flags, see [`flag`].
    pub flags: u16,
    /// Digits after the point; [`NOT_FIXED_DEC`] when not fixed.
    pub decimals: u8,
    /// What clients that ask for it are told beyond the type code.
    pub finer: Finer,
    /// It is a column of a view or subquery that was merged into the query; not sent.
    pub merged: bool,
}

/// A type as it is told to clients that know MariaDB's extended metadata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finer {
    /// The type code says all.
    #[default]
    Nothing,
    /// The type's name: of addresses and of the kinds of geometries.
    Type(&'static str),
    /// What its text is.
    Format(&'static str),
}

/// The character set in which names and messages go to a client that takes its results in `results`; `None` is UTF-8,
/// as they are.
#[must_use]
pub fn names_in(results: Option<&'static Charset>) -> Option<&'static Charset> {
    results.filter(|cs| !cs.is_binary() && !matches!(cs.name, "utf8mb3" | "utf8mb4"))
}

/// How many encodings of a schema the server may keep with it.
pub const SHAPE_CACHE: usize = 8;

/// The columns of a result set, shared by every execution of a plan.
#[derive(Debug, Default)]
pub struct ResultSchema {
    /// The columns, left to right.
    pub columns: Vec<ColumnMeta>,
    /// The character set in which their names are sent; `None` is UTF-8, as they are.
    pub names: Option<&'static Charset>,
    /// Room for the server's encoded column definition packets, one slot per encoding (the
    /// server chooses the index from the protocol options of the connection).
    pub cache: [OnceLock<Arc<[u8]>>; SHAPE_CACHE],
}

impl ResultSchema {
    /// A schema of these columns for a client that takes its results in `results` (`character_set_results`).
    #[must_use]
    pub fn new(columns: Vec<ColumnMeta>, results: Option<&'static Collation>) -> ResultSchema {
        ResultSchema { columns, names: names_in(results.map(|c| c.charset)), cache: Default::default() }
    }
}

/// The end of a result set or of a statement without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Rows changed.
    pub affected: u64,
    /// The first AUTO_INCREMENT value made by the statement, or 0.
    pub last_insert_id: u64,
    /// The info text (`Records: 3  Duplicates: 1  Warnings: 1`), often empty.
    pub info: String,
    /// The number of warnings.
    pub warnings: u16,
    /// Server status flags.
    pub status: u16,
    /// Whether another statement's answer follows.
    pub more_results: bool,
    /// Whether this ends a result set (else it is an OK).
    pub had_rows: bool,
    /// Session state the statement changed, for clients that track it; usually empty.
    pub tracked: Vec<Tracked>,
}

/// Where rows go: the connection's send buffer, the library's row list, the shell.
///
/// Of each result set: `start`, then per row `begin_row`, exactly one `put_*` per column and
/// `end_row`, then `finish`. A statement without rows calls only `finish`. Between `start` and
/// `finish` an error may end the set.
pub trait ResultSink {
    /// Begins a result set of this schema.
    ///
    /// # Errors
    /// When the client is gone.
    fn start(&mut self, schema: &Arc<ResultSchema>) -> Result<(), SqlError>;
    /// Begins a row.
    fn begin_row(&mut self);
    /// Ends a row.
    fn end_row(&mut self);
    /// NULL.
    fn put_null(&mut self);
    /// A signed integer.
    fn put_int(&mut self, v: i64);
    /// An unsigned integer.
    fn put_uint(&mut self, v: u64);
    /// An unsigned integer of a ZEROFILL column: text of at least `width` digits. Sinks that keep numbers take it
    /// as one.
    fn put_zerofill(&mut self, v: u64, width: u32) {
        self.put_bytes(format!("{v:0width$}", width = width as usize).as_bytes());
    }
    /// A double; `decimals` digits after the point, or [`NOT_FIXED_DEC`].
    fn put_double(&mut self, v: f64, decimals: u8);
    /// A float; `decimals` digits after the point, or [`NOT_FIXED_DEC`].
    fn put_float(&mut self, v: f32, decimals: u8);
    /// Text in the result's character set, a decimal's text, bits, an ENUM's or SET's text.
    fn put_bytes(&mut self, v: &[u8]);
    /// A date.
    fn put_date(&mut self, year: u16, month: u8, day: u8);
    /// A time; `dec` digits of its microseconds shown.
    fn put_time(&mut self, t: Time, dec: u8);
    /// A date and time; `dec` digits of its microseconds shown.
    fn put_datetime(&mut self, d: DateTime, dec: u8);
    /// Whether the buffer is full enough to be sent; asked between rows. The caller drops its
    /// pin, calls `flush` and pins again.
    fn wants_flush(&self) -> bool;
    /// Sends what is buffered; may block on the socket.
    ///
    /// # Errors
    /// When the client is gone.
    fn flush(&mut self) -> Result<(), SqlError>;
    /// Ends a result set, or a statement without one.
    ///
    /// # Errors
    /// When the client is gone.
    fn finish(&mut self, done: &Done) -> Result<(), SqlError>;
    /// Results that begin from now on carry these status flags behind their column definitions, beside the session's.
    fn announce(&mut self, _status: u16) {}
    /// Bytes of answers so far, sent or not; 0 of sinks that make none.
    fn produced(&self) -> u64 {
        0
    }
    /// Asks the client for the file `name` (LOAD DATA LOCAL).
    ///
    /// # Errors
    /// When the client refuses.
    fn local_infile(&mut self, name: &str) -> Result<Box<dyn Read + '_>, SqlError>;
}

/// A parameter of a prepared statement as the binary protocol brings it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Param<'a> {
    /// NULL.
    Null,
    /// The default of the column that it is assigned to.
    Default,
    /// Nothing is to be assigned.
    Ignore,
    /// A signed integer of any width.
    Int(i64),
    /// An unsigned integer of any width.
    UInt(u64),
    /// DOUBLE.
    Double(f64),
    /// FLOAT.
    Float(f32),
    /// Text in the connection's character set, or binary bytes (`binary` tells which).
    Bytes {
        /// The bytes.
        value: &'a [u8],
        /// Whether the client declared a BLOB type.
        binary: bool,
    },
    /// A DECIMAL as text.
    Decimal(&'a [u8]),
    /// DATE.
    Date {
        /// Year, 0 to 9999.
        year: u16,
        /// Month, 0 to 12.
        month: u8,
        /// Day, 0 to 31.
        day: u8,
    },
    /// TIME.
    Time {
        /// Whether the time is negative.
        negative: bool,
        /// Hours, days already multiplied in.
        hours: u32,
        /// Minutes.
        minutes: u8,
        /// Seconds.
        seconds: u8,
        /// Microseconds.
        micros: u32,
    },
    /// DATETIME or TIMESTAMP.
    DateTime {
        /// Year.
        year: u16,
        /// Month.
        month: u8,
        /// Day.
        day: u8,
        /// Hour.
        hour: u8,
        /// Minute.
        minute: u8,
        /// Second.
        second: u8,
        /// Microseconds.
        micros: u32,
    },
}

/// A piece of session state that changed and that the client is told of in the OK packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tracked {
    /// A system variable of `session_track_system_variables`: name and value.
    Variable(&'static str, String),
    /// The current database.
    Database(String),
}

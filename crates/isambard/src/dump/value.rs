//! Columns, and values as text: exact, in the server's words.

use std::io::Write as _;

use isambard::{DateTime, Time, ValueRef};
use schema::definition::{BINARY_COLLATION, ColumnType, TableDef, Visibility};
use sql::number::{self, NOT_FIXED_DEC};

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of so many bits.
    Int {
        bits: u8,
        unsigned: bool,
    },
    Float,
    Double,
    Decimal {
        precision: u8,
        scale: u8,
    },
    Year,
    Date,
    Time,
    DateTime,
    /// A moment, told in UTC.
    Timestamp,
    Text,
    Binary,
    Bit,
}

/// A column that is dumped.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
    /// It is computed from others.
    pub generated: bool,
    /// Digits behind the point, or of a second's fraction; [`NOT_FIXED_DEC`] where that is not fixed.
    pub decimals: u8,
    /// Digits of a ZEROFILL number.
    pub zerofill: usize,
}

impl Column {
    /// The columns that statements can name.
    pub fn all(def: &TableDef) -> Vec<Column> {
        let named = |v: Visibility| matches!(v, Visibility::Visible | Visibility::Invisible);
        def.columns
            .iter()
            .filter(|c| named(c.visibility))
            .map(|c| {
                let binary = c.collation.id == BINARY_COLLATION;
                let (kind, decimals) = kind(&c.ty, c.unsigned, binary);
                Column {
                    name: c.name.clone(),
                    kind,
                    generated: c.generated.is_some(),
                    decimals,
                    zerofill: if c.zerofill { usize::from(c.width) } else { 0 },
                }
            })
            .collect()
    }

    /// Its name as statements have it.
    pub fn quoted(&self) -> String {
        format!("`{}`", self.name.replace('`', "``"))
    }

    /// Whether its values stand without quotes.
    pub fn is_number(&self) -> bool {
        matches!(
            self.kind,
            Kind::Int { .. } | Kind::Float | Kind::Double | Kind::Decimal { .. } | Kind::Year | Kind::Bit
        )
    }
}

fn kind(ty: &ColumnType, unsigned: bool, binary: bool) -> (Kind, u8) {
    let int = |bits| (Kind::Int { bits, unsigned }, 0);
    let text = if binary { Kind::Binary } else { Kind::Text };
    match ty {
        ColumnType::Tiny => int(8),
        ColumnType::Short => int(16),
        ColumnType::Int24 => int(24),
        ColumnType::Long => int(32),
        ColumnType::LongLong => int(64),
        ColumnType::Float { decimals } => (Kind::Float, *decimals),
        ColumnType::Double { decimals } => (Kind::Double, *decimals),
        ColumnType::Decimal { precision, scale } => {
            (Kind::Decimal { precision: *precision, scale: *scale }, *scale)
        }
        ColumnType::OldDecimal { .. } => (Kind::Text, 0),
        ColumnType::Year => (Kind::Year, 0),
        ColumnType::Bit { .. } => (Kind::Bit, 0),
        ColumnType::Geometry { .. } => (Kind::Binary, 0),
        ColumnType::Enum { .. } | ColumnType::Set { .. } => (Kind::Text, 0),
        ColumnType::Date | ColumnType::OldDate => (Kind::Date, 0),
        ColumnType::Time { decimals } | ColumnType::OldTime { decimals } => (Kind::Time, *decimals),
        ColumnType::DateTime { decimals } | ColumnType::OldDateTime { decimals } => {
            (Kind::DateTime, *decimals)
        }
        ColumnType::Timestamp { decimals } | ColumnType::OldTimestamp { decimals } => {
            (Kind::Timestamp, *decimals)
        }
        ColumnType::Uuid | ColumnType::Inet4 | ColumnType::Inet6 => (Kind::Text, 0),
        ColumnType::Char { .. }
        | ColumnType::OldVarchar { .. }
        | ColumnType::Varchar { .. }
        | ColumnType::Blob { .. } => (text, 0),
    }
}

/// The number that a BIT's bytes are.
pub fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// Bytes as hexadecimal digits.
pub fn put_hex(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for b in bytes {
        out.extend_from_slice(&[DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]);
    }
}

fn put_fraction(out: &mut Vec<u8>, micros: u32, decimals: u8) {
    if (1..=6).contains(&decimals) {
        let text = format!("{micros:06}");
        out.push(b'.');
        out.extend_from_slice(&text.as_bytes()[..usize::from(decimals)]);
    }
}

fn put_time(out: &mut Vec<u8>, t: &Time, decimals: u8) {
    let sign = if t.negative { "-" } else { "" };
    let _ = write!(out, "{sign}{:02}:{:02}:{:02}", t.hours, t.minutes, t.seconds);
    put_fraction(out, t.micros, decimals);
}

fn put_moment(out: &mut Vec<u8>, d: &DateTime, decimals: u8) {
    let _ = write!(out, "{} {:02}:{:02}:{:02}", d.date, d.hour, d.minute, d.second);
    put_fraction(out, d.micros, decimals);
}

/// A value that is not NULL as text; bytes of binary columns as they are. A FLOAT has as many digits as tell it from others, where the
/// server prints six.
pub fn put_text(out: &mut Vec<u8>, column: &Column, value: ValueRef<'_>) {
    let start = out.len();
    match value {
        ValueRef::Null => {}
        ValueRef::Int(v) => number::put_int(out, v),
        ValueRef::UInt(v) => number::put_uint(out, v),
        ValueRef::Double(v) => number::put_double(out, v, column.decimals),
        ValueRef::Float(v) if column.decimals < NOT_FIXED_DEC.min(31) => {
            number::put_float(out, v, column.decimals);
        }
        ValueRef::Float(v) => {
            let _ = write!(out, "{v:?}");
            if out.ends_with(b".0") {
                out.truncate(out.len() - 2);
            }
        }
        ValueRef::Bytes(v) if column.kind == Kind::Bit => number::put_uint(out, bits(v)),
        ValueRef::Text(v) => out.extend_from_slice(v.as_bytes()),
        ValueRef::Bytes(v) => out.extend_from_slice(v),
        ValueRef::Date(v) => {
            let _ = write!(out, "{v}");
        }
        ValueRef::Time(v) => put_time(out, &v, column.decimals),
        ValueRef::DateTime(v) => put_moment(out, &v, column.decimals),
    }
    if column.kind == Kind::Year {
        pad(out, start, 4);
    }
    pad(out, start, column.zerofill);
}

/// Puts zeros before a number.
fn pad(out: &mut Vec<u8>, start: usize, width: usize) {
    let missing = width.min(255).saturating_sub(out.len() - start);
    out.splice(start..start, std::iter::repeat_n(b'0', missing));
}

//! Apache Parquet: every type as the nearest that Parquet has. TIME is text, since it may be longer than a day; dates that are none are
//! NULL.

use std::io::{self, Write};
use std::sync::Arc;

use isambard::{Date, DateTime, ValueRef};
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::data_type::{
    ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::Writer;
use super::source::Prepared;
use super::value::{Column, Kind, bits, put_text};

/// Rows of a row group.
const ROWS: usize = 1 << 16;

/// Bytes of the values of a row group, about.
const BYTES: usize = 32 << 20;

/// Most digits of a DECIMAL that readers take as a number.
const DIGITS: u8 = 38;

/// Values of a column that are not written yet.
enum Values {
    Int(Vec<i32>),
    Long(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
    Fixed(Vec<FixedLenByteArray>, usize),
}

struct Buffer {
    values: Values,
    /// 1 = there is a value, 0 = NULL.
    levels: Vec<i16>,
}

pub struct Parquet<W: Write + Send> {
    out: Option<W>,
    writer: Option<SerializedFileWriter<W>>,
    buffers: Vec<Buffer>,
    rows: usize,
    bytes: usize,
    lost: u64,
}

impl<W: Write + Send> Parquet<W> {
    pub fn new(out: W) -> Parquet<W> {
        Parquet { out: Some(out), writer: None, buffers: Vec::new(), rows: 0, bytes: 0, lost: 0 }
    }

    fn send(&mut self) -> io::Result<()> {
        let Some(writer) = self.writer.as_mut().filter(|_| self.rows > 0) else { return Ok(()) };
        let mut group = writer.next_row_group().map_err(failed)?;
        for buffer in &mut self.buffers {
            let column = group.next_column().map_err(failed)?;
            let mut column = column.ok_or_else(|| io::Error::other("a column too many"))?;
            buffer.write(&mut column).map_err(failed)?;
            column.close().map_err(failed)?;
        }
        group.close().map_err(failed)?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }
}

fn failed(e: ParquetError) -> io::Error {
    io::Error::other(e)
}

/// Bytes of a decimal number of so many digits.
fn decimal_bytes(digits: u8) -> usize {
    let bits = f64::from(digits) * std::f64::consts::LOG2_10;
    ((bits + 1.0) / 8.0).ceil() as usize
}

/// The type that a column has in the file, and a place for its values.
fn field(column: &Column) -> Result<(Type, Values), ParquetError> {
    let of = |physical, logical: Option<LogicalType>| {
        // dates that are none are NULL
        Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
    };
    let signed = |unsigned: bool| !unsigned;
    let (built, values) = match column.kind {
        Kind::Int { bits: 64, unsigned } => {
            (of(Physical::INT64, Some(LogicalType::integer(64, signed(unsigned)))), Values::Long(Vec::new()))
        }
        Kind::Bit => (of(Physical::INT64, Some(LogicalType::integer(64, false))), Values::Long(Vec::new())),
        Kind::Int { bits, unsigned } => {
            let width = if bits == 24 { 32 } else { bits.cast_signed() };
            let logical = LogicalType::integer(width, signed(unsigned));
            (of(Physical::INT32, Some(logical)), Values::Int(Vec::new()))
        }
        Kind::Year => (of(Physical::INT32, None), Values::Int(Vec::new())),
        Kind::Float => (of(Physical::FLOAT, None), Values::Float(Vec::new())),
        Kind::Double => (of(Physical::DOUBLE, None), Values::Double(Vec::new())),
        Kind::Decimal { precision, scale } if precision <= DIGITS => {
            let (precision_of, scale_of) = (i32::from(precision), i32::from(scale));
            let length = decimal_bytes(precision);
            let logical = LogicalType::decimal(scale_of, precision_of);
            let built = of(Physical::FIXED_LEN_BYTE_ARRAY, Some(logical))
                .with_length(length as i32)
                .with_precision(precision_of)
                .with_scale(scale_of);
            (built, Values::Fixed(Vec::new(), length))
        }
        Kind::Date => (of(Physical::INT32, Some(LogicalType::Date)), Values::Int(Vec::new())),
        Kind::DateTime | Kind::Timestamp => {
            let logical = LogicalType::timestamp(column.kind == Kind::Timestamp, TimeUnit::MICROS);
            (of(Physical::INT64, Some(logical)), Values::Long(Vec::new()))
        }
        Kind::Text | Kind::Time | Kind::Decimal { .. } => {
            (of(Physical::BYTE_ARRAY, Some(LogicalType::String)), Values::Bytes(Vec::new()))
        }
        Kind::Binary => (of(Physical::BYTE_ARRAY, None), Values::Bytes(Vec::new())),
    };
    Ok((built.build()?, values))
}

/// Days since 1970-01-01; none for a date that is none.
fn days(date: Date) -> Option<i32> {
    let (y, m, d) = (i32::from(date.year), i32::from(date.month), i32::from(date.day));
    let leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    let length = match m {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i32::from(leap),
        _ => return None,
    };
    if d < 1 || d > length {
        return None;
    }
    // years begin in March, so that the leap day is the last
    let y = if m <= 2 { y - 1 } else { y };
    let era = y.div_euclid(400);
    let of_era = y - era * 400;
    let of_year = (153 * ((m + 9) % 12) + 2) / 5 + d - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

fn micros(d: &DateTime) -> Option<i64> {
    let seconds = i64::from(d.hour) * 3600 + i64::from(d.minute) * 60 + i64::from(d.second);
    Some((i64::from(days(d.date)?) * 86_400 + seconds) * 1_000_000 + i64::from(d.micros))
}

/// The digits of a decimal as a number, in `length` bytes.
fn unscaled(text: &str, length: usize) -> Option<Vec<u8>> {
    let digits: String = text.chars().filter(|c| *c != '.').collect();
    let bytes = digits.parse::<i128>().ok()?.to_be_bytes();
    Some(bytes[16 - length..].to_vec())
}

impl Buffer {
    /// Keeps a value; gives its bytes, or none where it cannot be told.
    fn push(&mut self, column: &Column, value: ValueRef<'_>) -> Option<usize> {
        match (&mut self.values, value) {
            (Values::Int(all), ValueRef::Int(v)) => all.push(v as i32),
            (Values::Int(all), ValueRef::UInt(v)) => all.push(v as i32),
            (Values::Int(all), ValueRef::Date(v)) => all.push(days(v)?),
            (Values::Long(all), ValueRef::Int(v)) => all.push(v),
            (Values::Long(all), ValueRef::UInt(v)) => all.push(v.cast_signed()),
            (Values::Long(all), ValueRef::Bytes(v)) => all.push(bits(v).cast_signed()),
            (Values::Long(all), ValueRef::DateTime(v)) => all.push(micros(&v)?),
            (Values::Float(all), ValueRef::Float(v)) => all.push(v),
            (Values::Double(all), ValueRef::Double(v)) => all.push(v),
            (Values::Fixed(all, length), ValueRef::Text(v)) => {
                all.push(FixedLenByteArray::from(unscaled(v, *length)?));
            }
            (Values::Bytes(all), ValueRef::Bytes(v)) if column.kind == Kind::Binary => {
                all.push(ByteArray::from(v.to_vec()));
                return Some(v.len());
            }
            (Values::Bytes(all), value) => {
                let mut text = Vec::new();
                put_text(&mut text, column, value);
                let length = text.len();
                all.push(ByteArray::from(text));
                return Some(length);
            }
            _ => return None,
        }
        Some(8)
    }

    fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(&self.levels[..]);
        match &mut self.values {
            Values::Int(all) => {
                column.typed::<Int32Type>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Long(all) => {
                column.typed::<Int64Type>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Float(all) => {
                column.typed::<FloatType>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Double(all) => {
                column.typed::<DoubleType>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Bytes(all) => {
                column.typed::<ByteArrayType>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Fixed(all, _) => {
                column.typed::<FixedLenByteArrayType>().write_batch(all, levels, None)?;
                all.clear();
            }
        }
        self.levels.clear();
        Ok(())
    }
}

impl<W: Write + Send> Writer for Parquet<W> {
    fn begin(&mut self, table: &Prepared, columns: &[Column]) -> io::Result<()> {
        let mut fields = Vec::with_capacity(columns.len());
        for column in columns {
            let (ty, values) = field(column).map_err(failed)?;
            fields.push(Arc::new(ty));
            self.buffers.push(Buffer { values, levels: Vec::new() });
        }
        let schema = Type::group_type_builder(&table.name).with_fields(fields).build().map_err(failed)?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let out = self.out.take().ok_or_else(|| io::Error::other("begun twice"))?;
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties));
        self.writer = Some(writer.map_err(failed)?);
        Ok(())
    }

    fn row(&mut self, columns: &[Column], values: &[ValueRef<'_>]) -> io::Result<()> {
        for ((buffer, column), value) in self.buffers.iter_mut().zip(columns).zip(values) {
            let size = if value.is_null() { None } else { buffer.push(column, *value) };
            buffer.levels.push(i16::from(size.is_some()));
            self.lost += u64::from(size.is_none() && !value.is_null());
            self.bytes += size.unwrap_or(0);
        }
        self.rows += 1;
        if self.rows >= ROWS || self.bytes >= BYTES { self.send() } else { Ok(()) }
    }

    fn end(&mut self) -> io::Result<u64> {
        self.send()?;
        if let Some(writer) = self.writer.take() {
            writer.into_inner().map_err(failed)?.flush()?;
        }
        Ok(self.lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_decimals() {
        let date = |year, month, day| Date { year, month, day };
        assert_eq!(days(date(1970, 1, 1)), Some(0));
        assert_eq!(days(date(2000, 2, 29)), Some(11_016));
        assert_eq!(days(date(1000, 1, 1)), Some(-354_285));
        for none in [date(0, 0, 0), date(2001, 2, 29), date(2001, 4, 31), date(2001, 0, 1)] {
            assert_eq!(days(none), None);
        }
        assert_eq!(unscaled("-1.50", 2), Some(vec![0xFF, 0x6A]));
        assert_eq!((decimal_bytes(2), decimal_bytes(9), decimal_bytes(18), decimal_bytes(38)), (1, 4, 8, 16));
    }
}

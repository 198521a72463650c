//! Rows on disk: what statements hold beyond their memory, written and read in sequence.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::spill::SpillFile;
use crate::error::{self, SqlError, SqlResult};
use crate::memory::{BATCH_BYTES, BATCH_ROWS, Budget};
use crate::types::decimal::MAX_SHORT_SCALE;
use crate::types::temporal::{DateTime, Time};
use crate::types::{Batch, Class, Decimal, ValueRef, Vector};

/// Rows with a key each, in the order they came.
pub struct Spool {
    file: SpillFile,
    blocks: Vec<(u64, usize)>,
    /// The block that is being filled.
    open: Vec<u8>,
    rows: u64,
    largest: usize,
}

impl Spool {
    /// An empty one.
    #[must_use]
    pub fn new(file: &SpillFile) -> Spool {
        Spool { file: file.clone(), blocks: Vec::new(), open: Vec::new(), rows: 0, largest: 0 }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Appends a row of `columns`.
    ///
    /// # Errors
    /// 3, 1021: the file cannot be written.
    pub fn push<'v>(
        &mut self,
        key: &[u8],
        columns: impl IntoIterator<Item = &'v Vector>,
        row: usize,
    ) -> SqlResult<()> {
        let header = self.begin(key);
        for v in columns {
            put(v, row, &mut self.open);
        }
        self.end(header, key)
    }

    /// Appends a row that was read from a spool.
    pub(super) fn push_raw(&mut self, key: &[u8], row: &[u8]) -> SqlResult<()> {
        let header = self.begin(key);
        self.open.extend_from_slice(row);
        self.end(header, key)
    }

    fn begin(&mut self, key: &[u8]) -> usize {
        let header = self.open.len();
        self.open.extend_from_slice(&(key.len() as u64).to_le_bytes());
        self.open.extend_from_slice(&[0; 8]);
        self.open.extend_from_slice(key);
        header
    }

    fn end(&mut self, header: usize, key: &[u8]) -> SqlResult<()> {
        let len = self.open.len() - header - 16 - key.len();
        self.open[header + 8..header + 16].copy_from_slice(&(len as u64).to_le_bytes());
        self.rows += 1;
        if self.open.len() >= self.file.block() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> SqlResult<()> {
        if !self.open.is_empty() {
            self.blocks.push((self.file.append(&self.open)?, self.open.len()));
            self.largest = self.largest.max(self.open.len());
            // a block of one long row is not kept for short ones
            if self.open.capacity() > 2 * self.file.block() {
                self.open = Vec::new();
            }
            self.open.clear();
        }
        Ok(())
    }

    /// Bytes of the longest block: what a reader holds.
    #[must_use]
    pub fn largest_block(&self) -> usize {
        self.largest.max(self.open.len())
    }

    /// Writes everything and gives the block's memory back, until rows are added or read.
    ///
    /// # Errors
    /// As [`Spool::push`].
    pub fn seal(&mut self) -> SqlResult<()> {
        self.flush()?;
        self.open = Vec::new();
        Ok(())
    }

    /// Ends writing.
    ///
    /// # Errors
    /// As [`Spool::push`].
    pub fn read(mut self) -> SqlResult<SpoolReader> {
        self.flush()?;
        Ok(SpoolReader {
            file: self.file,
            blocks: self.blocks.into(),
            next: 0,
            block: Vec::new(),
            at: 0,
            key: 0..0,
            row: 0..0,
        })
    }
}

/// Rows put off, in parts by the hash of their keys: rows of equal keys are in one part.
pub struct Parts {
    spools: Vec<Spool>,
    hasher: FixedState,
}

impl Parts {
    /// So many empty parts; `depth` says how often the rows were put off before.
    ///
    /// # Errors
    /// 1: no temporary file can be made.
    pub fn new(budget: &Budget, count: usize, depth: u64) -> SqlResult<Parts> {
        let file = SpillFile::new(budget)?;
        let spools = (0..count).map(|_| Spool::new(&file)).collect();
        Ok(Parts { spools, hasher: FixedState::with_seed(0x15a8_ba5d + depth) })
    }

    fn part(&self, by: &[u8]) -> usize {
        (self.hasher.hash_one(by) >> 32) as usize % self.spools.len()
    }

    /// Puts a row off.
    ///
    /// # Errors
    /// 3, 1021: the file cannot be written.
    pub fn push<'v>(
        &mut self,
        key: &[u8],
        columns: impl IntoIterator<Item = &'v Vector>,
        row: usize,
    ) -> SqlResult<()> {
        let part = self.part(key);
        self.spools[part].push(key, columns, row)
    }

    /// Puts a row off whose part is found by something else than its whole key.
    ///
    /// # Errors
    /// As [`Parts::push`].
    pub fn push_by<'v>(
        &mut self,
        by: &[u8],
        key: &[u8],
        columns: impl IntoIterator<Item = &'v Vector>,
        row: usize,
    ) -> SqlResult<()> {
        let part = self.part(by);
        self.spools[part].push(key, columns, row)
    }

    /// Puts a row off into this part.
    ///
    /// # Errors
    /// As [`Parts::push`].
    pub(super) fn push_at<'v>(
        &mut self,
        part: usize,
        key: &[u8],
        columns: impl IntoIterator<Item = &'v Vector>,
        row: usize,
    ) -> SqlResult<()> {
        self.spools[part].push(key, columns, row)
    }

    /// Puts bytes off that stand for a row.
    ///
    /// # Errors
    /// As [`Parts::push`].
    pub fn push_raw(&mut self, by: &[u8], key: &[u8], row: &[u8]) -> SqlResult<()> {
        let part = self.part(by);
        self.spools[part].push_raw(key, row)
    }

    /// Ends writing.
    ///
    /// # Errors
    /// As [`Parts::push`].
    pub fn seal(&mut self) -> SqlResult<()> {
        self.spools.iter_mut().try_for_each(Spool::seal)
    }

    /// All parts: rows of equal keys are in the parts of the same number, whichever `Parts` of the same count and
    /// depth they were put into.
    #[must_use]
    pub fn into_all(self) -> Vec<Spool> {
        self.spools
    }

    /// The parts that have rows, written.
    pub(super) fn sealed(mut self) -> SqlResult<Vec<Spool>> {
        self.seal()?;
        Ok(self.into_spools())
    }

    /// The parts that have rows.
    #[must_use]
    pub fn into_spools(self) -> Vec<Spool> {
        self.spools.into_iter().filter(|s| s.rows() > 0).collect()
    }
}

/// The keys of a batch of rows read from a spool.
#[derive(Default)]
pub struct RowKeys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl RowKeys {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// The key of the next row.
    pub fn push(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
    }

    /// The rows' numbers in the batch and their keys.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let start = |row: usize| if row == 0 { 0 } else { self.ends[row - 1] };
        self.ends.iter().enumerate().map(move |(row, end)| (row, &self.bytes[start(row)..*end]))
    }
}

/// Reads a spool from its beginning.
pub struct SpoolReader {
    file: SpillFile,
    blocks: Arc<[(u64, usize)]>,
    /// The next of them.
    next: usize,
    block: Vec<u8>,
    at: usize,
    key: std::ops::Range<usize>,
    row: std::ops::Range<usize>,
}

impl SpoolReader {
    /// Another reader of the same rows, at their beginning.
    #[must_use]
    pub fn again(&self) -> SpoolReader {
        SpoolReader {
            file: self.file.clone(),
            blocks: Arc::clone(&self.blocks),
            next: 0,
            block: Vec::new(),
            at: 0,
            key: 0..0,
            row: 0..0,
        }
    }

    /// Goes back to the beginning.
    pub fn rewind(&mut self) {
        if self.next != 1 {
            self.next = 0;
            self.block.clear();
        }
        self.at = 0;
    }

    /// Goes to the next row; false behind the last.
    ///
    /// # Errors
    /// 1024: the file cannot be read.
    pub fn advance(&mut self) -> SqlResult<bool> {
        if self.at >= self.block.len() {
            let Some(&(at, len)) = self.blocks.get(self.next) else { return Ok(false) };
            self.next += 1;
            if self.block.capacity() > 2 * len.max(self.file.block()) {
                self.block = Vec::new();
            }
            self.block.resize(len, 0);
            self.at = len;
            self.file.read(at, &mut self.block)?;
            self.at = 0;
        }
        let number = |at: usize| {
            let bytes = self.block.get(at..)?.first_chunk::<8>()?;
            usize::try_from(u64::from_le_bytes(*bytes)).ok()
        };
        let (Some(key), Some(row)) = (number(self.at), number(self.at + 8)) else { return Err(torn()) };
        let start = self.at + 16;
        let middle = start.checked_add(key).ok_or_else(torn)?;
        let end = middle.checked_add(row).filter(|e| *e <= self.block.len()).ok_or_else(torn)?;
        self.key = start..middle;
        self.row = middle..end;
        self.at = end;
        Ok(true)
    }

    /// The key of the row at hand.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        &self.block[self.key.clone()]
    }

    /// The row at hand as it was written.
    #[must_use]
    pub fn row(&self) -> &[u8] {
        &self.block[self.row.clone()]
    }

    /// Bytes of the row at hand.
    #[must_use]
    pub fn row_len(&self) -> usize {
        self.row.len()
    }

    /// Makes `out` the next rows, with their keys; false when there are none left.
    ///
    /// # Errors
    /// 1024: the file cannot be read.
    pub fn batch(&mut self, out: &mut Batch, keys: &mut RowKeys) -> SqlResult<bool> {
        keys.clear();
        for v in &mut out.columns {
            v.reset(v.class());
        }
        out.len = 0;
        let mut bytes = 0;
        while out.len < BATCH_ROWS && bytes < BATCH_BYTES && self.advance()? {
            self.take(out)?;
            keys.push(self.key());
            bytes += self.row_len();
        }
        Ok(out.len > 0)
    }

    /// Appends the row at hand to a batch. Vectors without values take the classes of the row's.
    ///
    /// # Errors
    /// 1024 when the bytes make no sense.
    pub fn take(&self, out: &mut Batch) -> SqlResult<()> {
        let mut bytes = &self.block[self.row.clone()];
        let mut column = 0;
        while !bytes.is_empty() {
            if column == out.columns.len() {
                let mut v = Vector::default();
                (0..out.len).for_each(|_| v.push_null());
                out.columns.push(v);
            }
            get(&mut bytes, &mut out.columns[column]).ok_or_else(torn)?;
            column += 1;
        }
        out.len += 1;
        Ok(())
    }
}

#[cold]
pub(super) fn torn() -> SqlError {
    SqlError::new(error::ER_ERROR_ON_READ, &[&"#sql-temporary", &5, &"damaged"]).of_storage()
}

/// From this tag on NULLs, by the class of their column: a column of NULLs comes back as one of its class.
const NULLS: u8 = 0x80;

pub(super) fn put(column: &Vector, row: usize, out: &mut Vec<u8>) {
    // without making decimals of the whole column
    if let Some((number, scale)) = column.short_decimal(row) {
        return put_short(number, scale, out);
    }
    put_value(column.get(row), column.class(), out);
}

/// Appends a decimal of few digits.
fn put_short(number: i64, scale: u8, out: &mut Vec<u8>) {
    let mut raw = [9, scale, 0, 0, 0, 0, 0, 0, 0, 0];
    raw[2..].copy_from_slice(&number.to_le_bytes());
    out.extend_from_slice(&raw);
}

/// Appends a value of a column of this class: as it is, so that other bytes are another value or another way to write it.
pub(super) fn put_value(value: ValueRef<'_>, class: Class, out: &mut Vec<u8>) {
    let mut eight = |tag: u8, v: i64| {
        out.push(tag);
        out.extend_from_slice(&v.to_le_bytes());
    };
    match value {
        ValueRef::Null => out.push(NULLS | class as u8),
        ValueRef::Int(v) => eight(1, v),
        ValueRef::UInt(v) => eight(2, v.cast_signed()),
        ValueRef::Double(v) => eight(3, v.to_bits().cast_signed()),
        ValueRef::Date(v) => eight(4, v.packed()),
        ValueRef::Time(v) => eight(5, v.packed()),
        ValueRef::DateTime(v) => eight(6, v.packed()),
        ValueRef::Decimal(d) => match d.to_short() {
            // written alike wherever it comes from
            Some(number) if d.scale() <= MAX_SHORT_SCALE => put_short(number, d.scale(), out),
            _ => {
                out.push(7);
                d.put_raw(out);
            }
        },
        ValueRef::Bytes(b) => {
            out.push(8);
            out.extend_from_slice(&(b.len() as u64).to_le_bytes());
            out.extend_from_slice(b);
        }
    }
}

pub(super) fn get(bytes: &mut &[u8], to: &mut Vector) -> Option<()> {
    let (tag, rest) = bytes.split_first()?;
    *bytes = rest;
    let mut eight = || -> Option<i64> {
        let (v, rest) = bytes.split_first_chunk::<8>()?;
        *bytes = rest;
        Some(i64::from_le_bytes(*v))
    };
    match tag {
        NULLS.. => {
            if to.class() as u8 != tag & !NULLS
                && let Some(class) = Class::ALL.get(usize::from(tag & !NULLS))
                && *class != Class::Null
            {
                to.adopt(*class);
            }
            to.push_null();
        }
        1 => push(to, ValueRef::Int(eight()?)),
        2 => push(to, ValueRef::UInt(eight()?.cast_unsigned())),
        3 => push(to, ValueRef::Double(f64::from_bits(eight()?.cast_unsigned()))),
        4 => push(to, ValueRef::Date(DateTime::from_packed(eight()?))),
        5 => push(to, ValueRef::Time(Time::from_packed(eight()?))),
        6 => push(to, ValueRef::DateTime(DateTime::from_packed(eight()?))),
        7 => {
            let d = Decimal::get_raw(bytes)?;
            push(to, ValueRef::Decimal(&d));
        }
        9 => {
            let (scale, rest) = bytes.split_first()?;
            let (number, rest) = rest.split_first_chunk::<8>()?;
            *bytes = rest;
            if *scale > MAX_SHORT_SCALE {
                return None;
            }
            to.adopt(Class::Decimal);
            to.push_short_decimal(i64::from_le_bytes(*number), *scale);
        }
        8 => {
            let len = usize::try_from(eight()?).ok()?;
            let (b, rest) = bytes.split_at_checked(len)?;
            *bytes = rest;
            push(to, ValueRef::Bytes(b));
        }
        _ => return None,
    }
    Some(())
}

/// Appends a value; a vector of only NULLs takes its class.
fn push(to: &mut Vector, value: ValueRef<'_>) {
    to.adopt(value.class());
    to.push(value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Value;

    #[test]
    fn rows_come_back_as_they_were() {
        let file = SpillFile::new(&Budget::default()).unwrap();
        let mut spool = Spool::new(&file);
        let values = |n: usize| {
            [
                if n < 3 { Value::Null } else { Value::Int(n as i64 - 500) },
                Value::Bytes(vec![b'x'; n * 7 % 5000]),
                Value::Decimal(Decimal::parse(format!("-{n}.{n:03}0").as_bytes()).value),
                Value::Double(n as f64 / 3.0),
                Value::UInt(u64::MAX - n as u64),
                Value::DateTime(DateTime { micros: n as u32, ..DateTime::date(2024, 2, 29) }),
            ]
        };
        for n in 0..1000 {
            let columns: Vec<Vector> = values(n).iter().map(|v| Vector::constant_of(v.as_ref())).collect();
            spool.push(&n.to_be_bytes(), &columns, 0).unwrap();
        }
        let mut reader = spool.read().unwrap();
        let mut out = Batch::default();
        for n in 0..1000usize {
            assert!(reader.advance().unwrap());
            assert_eq!(reader.key(), n.to_be_bytes());
            reader.take(&mut out).unwrap();
        }
        assert!(!reader.advance().unwrap());
        for n in 0..1000 {
            for (v, column) in values(n).iter().zip(&out.columns) {
                assert_eq!(format!("{v:?}"), format!("{:?}", column.value(n)));
            }
        }
    }
}

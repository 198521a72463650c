//! Rows on disk: what sorting, grouping and DISTINCT hold beyond their memory. Written and read in
//! sequence, in a file without a name that goes when the statement ends.

use std::cell::Cell;
use std::fs::File;
use std::hash::BuildHasher;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::fast::FixedState;

use crate::error::{self, SqlError, SqlResult};
use crate::exec::rows::BATCH_ROWS;
use crate::types::temporal::{DateTime, Time};
use crate::types::{Batch, Class, Decimal, ValueRef, Vector};

/// Bytes that are written and read at once.
const BLOCK: usize = 64 * 1024;

/// Bytes of rows after which a batch read from disk is handed out.
pub const BATCH_BYTES: usize = 4 << 20;

/// What a statement may hold in memory, and where the rest goes.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Bytes of a sort: `sort_buffer_size`, or what a table in memory may take when that is more.
    pub sort: usize,
    /// Bytes of groups and of distinct rows: the smaller of `tmp_memory_table_size` and `max_heap_table_size`.
    pub table: usize,
    /// `tmpdir`.
    pub dir: Arc<Path>,
    /// Temporary files made, for the status counters.
    pub files: Arc<AtomicU64>,
}

impl Budget {
    /// The temporary files made since it was asked last.
    pub fn take_files(&self) -> u64 {
        // reading is enough for the many statements that made none
        if self.files.load(Ordering::Relaxed) == 0 { 0 } else { self.files.swap(0, Ordering::Relaxed) }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        let table = 16 << 20;
        Budget { sort: table, table, dir: std::env::temp_dir().into(), files: Arc::default() }
    }
}

/// A file without a name.
struct Place {
    file: File,
    dir: PathBuf,
    end: Cell<u64>,
}

/// Where the spools of one operator lie.
#[derive(Clone)]
pub struct SpillFile(Rc<Place>);

impl SpillFile {
    /// A new file in the budget's directory.
    ///
    /// # Errors
    /// 1004 when it cannot be made.
    pub fn new(budget: &Budget) -> SqlResult<SpillFile> {
        let dir = budget.dir.to_path_buf();
        let file = tempfile::tempfile_in(&dir).map_err(|e| failed(error::ER_CANT_CREATE_FILE, &dir, &e))?;
        budget.files.fetch_add(1, Ordering::Relaxed);
        Ok(SpillFile(Rc::new(Place { file, dir, end: Cell::new(0) })))
    }

    fn append(&self, bytes: &[u8]) -> SqlResult<u64> {
        let at = self.0.end.get();
        self.0.file.write_all_at(bytes, at).map_err(|e| failed(error::ER_ERROR_ON_WRITE, &self.0.dir, &e))?;
        self.0.end.set(at + bytes.len() as u64);
        Ok(at)
    }

    fn read(&self, at: u64, into: &mut [u8]) -> SqlResult<()> {
        self.0.file.read_exact_at(into, at).map_err(|e| failed(error::ER_ERROR_ON_READ, &self.0.dir, &e))
    }

    /// Bytes written so far.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.end.get()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cold]
fn failed(code: u16, dir: &Path, e: &io::Error) -> SqlError {
    tracing::error!("temporary file in {}: {e}", dir.display());
    let number = e.raw_os_error().unwrap_or(5);
    if e.kind() == io::ErrorKind::StorageFull {
        return SqlError::new(
            error::ER_DISK_FULL,
            &[&dir.display(), &number, &"waiting for someone to free some space"],
        );
    }
    let place = dir.join("#sql-temporary");
    SqlError::new(code, &[&place.display(), &number, &e])
}

/// Rows with a key each, in the order they came.
pub struct Spool {
    file: SpillFile,
    blocks: Vec<(u64, usize)>,
    /// The block that is being filled.
    open: Vec<u8>,
    rows: u64,
}

impl Spool {
    /// An empty one.
    #[must_use]
    pub fn new(file: &SpillFile) -> Spool {
        Spool { file: file.clone(), blocks: Vec::new(), open: Vec::new(), rows: 0 }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Appends a row of `columns`.
    ///
    /// # Errors
    /// 1021, 1026: the file cannot be written.
    pub fn push<'v>(
        &mut self,
        key: &[u8],
        columns: impl IntoIterator<Item = &'v Vector>,
        row: usize,
    ) -> SqlResult<()> {
        let header = self.begin(key);
        for v in columns {
            put(v.get(row), &mut self.open);
        }
        self.end(header, key)
    }

    /// Appends a row that was read from a spool.
    fn push_raw(&mut self, key: &[u8], row: &[u8]) -> SqlResult<()> {
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
        if self.open.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> SqlResult<()> {
        if !self.open.is_empty() {
            self.blocks.push((self.file.append(&self.open)?, self.open.len()));
            self.open.clear();
        }
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
            blocks: self.blocks.into_iter(),
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
    /// 1004: no temporary file can be made.
    pub fn new(budget: &Budget, count: usize, depth: u64) -> SqlResult<Parts> {
        let file = SpillFile::new(budget)?;
        let spools = (0..count).map(|_| Spool::new(&file)).collect();
        Ok(Parts { spools, hasher: FixedState::with_seed(0x15a8_ba5d + depth) })
    }

    /// Puts a row off.
    ///
    /// # Errors
    /// 1021, 1026: the file cannot be written.
    pub fn push<'v>(
        &mut self,
        key: &[u8],
        columns: impl IntoIterator<Item = &'v Vector>,
        row: usize,
    ) -> SqlResult<()> {
        let part = (self.hasher.hash_one(key) >> 32) as usize % self.spools.len();
        self.spools[part].push(key, columns, row)
    }

    /// All parts: rows of equal keys are in the parts of the same number, whichever `Parts` of the same count and
    /// depth they were put into.
    #[must_use]
    pub fn into_all(self) -> Vec<Spool> {
        self.spools
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
    /// The rows' numbers in the batch and their keys.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let start = |row: usize| if row == 0 { 0 } else { self.ends[row - 1] };
        self.ends.iter().enumerate().map(move |(row, end)| (row, &self.bytes[start(row)..*end]))
    }
}

/// Reads a spool from its beginning.
pub struct SpoolReader {
    file: SpillFile,
    blocks: std::vec::IntoIter<(u64, usize)>,
    block: Vec<u8>,
    at: usize,
    key: std::ops::Range<usize>,
    row: std::ops::Range<usize>,
}

impl SpoolReader {
    /// Goes to the next row; false behind the last.
    ///
    /// # Errors
    /// 1024: the file cannot be read.
    pub fn advance(&mut self) -> SqlResult<bool> {
        if self.at >= self.block.len() {
            let Some((at, len)) = self.blocks.next() else { return Ok(false) };
            self.block.resize(len, 0);
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
        keys.bytes.clear();
        keys.ends.clear();
        for v in &mut out.columns {
            v.reset(v.class());
        }
        out.len = 0;
        let mut bytes = 0;
        while out.len < BATCH_ROWS && bytes < BATCH_BYTES && self.advance()? {
            self.take(out)?;
            keys.bytes.extend_from_slice(&self.block[self.key.clone()]);
            keys.ends.push(keys.bytes.len());
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
fn torn() -> SqlError {
    SqlError::new(error::ER_ERROR_ON_READ, &[&"#sql-temporary", &5, &"damaged"])
}

/// Sorted spools as one.
pub struct Merge {
    inputs: Vec<SpoolReader>,
    /// Numbers of the inputs that have a row, as a heap: the smallest key first, of equal ones the earlier input.
    heap: Vec<usize>,
}

impl Merge {
    /// Begins to merge spools that are sorted by their keys; rows of equal keys come in the order of the spools.
    ///
    /// # Errors
    /// 1024: the file cannot be read.
    pub fn new(spools: Vec<Spool>) -> SqlResult<Merge> {
        let mut merge = Merge { inputs: Vec::new(), heap: Vec::new() };
        for s in spools {
            let mut reader = s.read()?;
            if reader.advance()? {
                merge.heap.push(merge.inputs.len());
            }
            merge.inputs.push(reader);
        }
        for at in (0..merge.heap.len()).rev() {
            merge.sink(at);
        }
        Ok(merge)
    }

    /// The input whose row comes next.
    #[must_use]
    pub fn next(&self) -> Option<&SpoolReader> {
        Some(&self.inputs[*self.heap.first()?])
    }

    /// Goes behind that row.
    ///
    /// # Errors
    /// 1024: the file cannot be read.
    pub fn advance(&mut self) -> SqlResult<()> {
        let Some(first) = self.heap.first().copied() else { return Ok(()) };
        if !self.inputs[first].advance()? {
            self.heap.swap_remove(0);
        }
        self.sink(0);
        Ok(())
    }

    fn less(&self, a: usize, b: usize) -> bool {
        (self.inputs[a].key(), a) < (self.inputs[b].key(), b)
    }

    fn sink(&mut self, mut at: usize) {
        loop {
            let child = 2 * at + 1;
            let Some(&left) = self.heap.get(child) else { return };
            let small = match self.heap.get(child + 1) {
                Some(&right) if self.less(right, left) => child + 1,
                _ => child,
            };
            if !self.less(self.heap[small], self.heap[at]) {
                return;
            }
            self.heap.swap(small, at);
            at = small;
        }
    }

    /// Writes what is left into one spool.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn into_spool(mut self, file: &SpillFile) -> SqlResult<Spool> {
        let mut out = Spool::new(file);
        while let Some(r) = self.next() {
            out.push_raw(r.key(), &r.block[r.row.clone()])?;
            self.advance()?;
        }
        Ok(out)
    }
}

fn put(value: ValueRef<'_>, out: &mut Vec<u8>) {
    let mut eight = |tag: u8, v: i64| {
        out.push(tag);
        out.extend_from_slice(&v.to_le_bytes());
    };
    match value {
        ValueRef::Null => out.push(0),
        ValueRef::Int(v) => eight(1, v),
        ValueRef::UInt(v) => eight(2, v.cast_signed()),
        ValueRef::Double(v) => eight(3, v.to_bits().cast_signed()),
        ValueRef::Date(v) => eight(4, v.packed()),
        ValueRef::Time(v) => eight(5, v.packed()),
        ValueRef::DateTime(v) => eight(6, v.packed()),
        ValueRef::Decimal(d) => {
            out.push(7);
            d.put_raw(out);
        }
        ValueRef::Bytes(b) => {
            out.push(8);
            out.extend_from_slice(&(b.len() as u64).to_le_bytes());
            out.extend_from_slice(b);
        }
    }
}

fn get(bytes: &mut &[u8], to: &mut Vector) -> Option<()> {
    let (tag, rest) = bytes.split_first()?;
    *bytes = rest;
    let mut eight = || -> Option<i64> {
        let (v, rest) = bytes.split_first_chunk::<8>()?;
        *bytes = rest;
        Some(i64::from_le_bytes(*v))
    };
    match tag {
        0 => to.push_null(),
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
    let class: Class = value.class();
    if to.class() != class && (0..to.len()).all(|n| to.is_null(n)) {
        let len = to.len();
        to.reset(class);
        (0..len).for_each(|_| to.push_null());
    }
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

    #[test]
    fn merging_keeps_the_order_of_equal_keys() {
        let file = SpillFile::new(&Budget::default()).unwrap();
        let spools = (0..9i64).map(|s| {
            let mut spool = Spool::new(&file);
            for key in 0..2000u32 {
                if i64::from(key) % (s + 1) == 0 {
                    let columns = [Vector::constant_of(ValueRef::Int(s))];
                    spool.push(&(key / 10).to_be_bytes(), &columns, 0).unwrap();
                }
            }
            spool
        });
        let mut merge = Merge::new(spools.collect()).unwrap();
        let mut last = (Vec::new(), 0);
        let mut rows = 0;
        while let Some(r) = merge.next() {
            let mut out = Batch::default();
            r.take(&mut out).unwrap();
            let now = (r.key().to_vec(), out.columns[0].i64(0));
            assert!(now >= last);
            last = now;
            rows += 1;
            merge.advance().unwrap();
        }
        assert_eq!(rows, (1..=9).map(|d| 2000usize.div_ceil(d)).sum::<usize>());
    }
}

//! Rows kept in memory: batches behind each other, addressed by a number.

use std::sync::LazyLock;

use super::groups::FULL;
use crate::memory::BATCH_ROWS;
use crate::types::value::{Value, ValueRef};
use crate::types::vector::{Batch, Vector};

/// Bytes of a column from which on a batch takes no further rows: its values are addressed with 32 bits.
const LONG: usize = 1 << 30;

/// NULL.
static NOTHING: LazyLock<Vector> = LazyLock::new(|| Vector::constant_of(ValueRef::Null));

/// The columns with NULL instead of those that are not `wanted`, where something is said of that.
pub fn only<'v>(
    columns: impl Iterator<Item = &'v Vector> + Clone,
    wanted: Option<&[bool]>,
) -> impl Iterator<Item = &'v Vector> + Clone {
    columns.enumerate().map(move |(n, column)| match wanted.and_then(|wanted| wanted.get(n)) {
        Some(false) => &*NOTHING,
        _ => column,
    })
}

/// Rows of a batch of a store, as a power of two.
const SHORT: u32 = BATCH_ROWS.trailing_zeros();

/// As [`SHORT`], of a store of many rows.
const WIDE: u32 = SHORT + 3;

const _: () = assert!(BATCH_ROWS.is_power_of_two());

/// Materialised rows in columns.
#[derive(Debug)]
pub struct RowStore {
    batches: Vec<Batch>,
    len: usize,
    /// A batch has this power of two of rows.
    bits: u32,
    /// Bytes of the batches before the last.
    closed: usize,
    /// The first row of each batch, when one before the last has fewer than a batch can have; else nothing.
    starts: Vec<usize>,
}

impl Default for RowStore {
    fn default() -> Self {
        RowStore { batches: Vec::new(), len: 0, bits: SHORT, closed: 0, starts: Vec::new() }
    }
}

impl RowStore {
    /// A store of rows that are taken from anywhere when all are there: the fewer batches it has, the less is looked through for that.
    #[must_use]
    pub fn for_many() -> RowStore {
        RowStore { bits: WIDE, ..RowStore::default() }
    }

    /// Rows of a batch, at most.
    fn each(&self) -> usize {
        1 << self.bits
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends row `row` of the vectors in these slots; returns its number.
    pub fn push_slots(&mut self, from: &[Vector], slots: &[usize], row: usize) -> usize {
        self.append(slots.iter().map(|s| &from[*s]), row)
    }

    /// Appends row `row` of `from`; returns its number.
    pub fn push(&mut self, from: &[Vector], row: usize) -> usize {
        self.append(from.iter(), row)
    }

    /// Appends row `row` of `from`, as [`only`] has it; returns its number.
    pub fn push_wanted(&mut self, from: &[Vector], wanted: Option<&[bool]>, row: usize) -> usize {
        self.append(only(from.iter(), wanted), row)
    }

    fn append<'v>(&mut self, from: impl Iterator<Item = &'v Vector> + Clone, row: usize) -> usize {
        let batch = self.open(from.clone());
        for (to, v) in batch.columns.iter_mut().zip(from) {
            // a vector of only NULLs may have come with another class
            if to.class() != v.class() && !v.is_null(row) {
                to.adopt(v.class());
            }
            to.push_from(v, row);
        }
        batch.len += 1;
        self.len += 1;
        self.len - 1
    }

    /// The batch that takes the next row.
    fn open<'v>(&mut self, from: impl Iterator<Item = &'v Vector>) -> &mut Batch {
        let each = self.each();
        if self.batches.last().is_none_or(|b| b.len >= each || is_long(b)) {
            self.note_start();
            let columns = from.map(|v| Vector::new(v.class())).collect();
            self.closed += self.batches.last().map_or(0, Batch::memory);
            self.batches.push(Batch { columns, len: 0 });
        }
        let last = self.batches.len() - 1;
        &mut self.batches[last]
    }

    /// A batch is about to begin.
    fn note_start(&mut self) {
        if self.starts.is_empty() {
            let each = self.each();
            if self.len.is_multiple_of(each) {
                return;
            }
            self.starts.extend((0..self.batches.len()).map(|n| n * each));
        }
        self.starts.push(self.len);
    }

    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        // rows are numbered with 32 bits by those who sort and group them
        if self.len >= FULL {
            return usize::MAX >> 2;
        }
        self.closed + self.batches.last().map_or(0, Batch::memory)
    }

    /// Appends all rows of `from`.
    pub fn push_batch(&mut self, from: &Batch) {
        let bytes = |v: &Vector| v.byte_len().saturating_mul(if v.is_constant() { from.len } else { 1 });
        if from.columns.iter().any(|v| bytes(v) >= LONG) {
            return (0..from.len).for_each(|row| {
                self.push(&from.columns, row);
            });
        }
        let (mut at, each) = (0, self.each());
        while at < from.len {
            let batch = self.open(from.columns.iter());
            let end = from.len.min(at + each - batch.len);
            for (to, v) in batch.columns.iter_mut().zip(&from.columns) {
                if to.class() != v.class() && (at..end).any(|row| !v.is_null(row)) {
                    to.adopt(v.class());
                }
                to.append(v, at..end);
            }
            batch.len += end - at;
            self.len += end - at;
            at = end;
        }
    }

    /// Appends these rows of `from`.
    pub fn push_some(&mut self, from: &[&Vector], rows: &[u32]) {
        if from.iter().any(|v| v.byte_len() >= LONG || v.is_constant() && v.byte_len() > 0) {
            for row in rows {
                self.append(from.iter().copied(), *row as usize);
            }
            return;
        }
        let (mut rest, each) = (rows, self.each());
        while !rest.is_empty() {
            let batch = self.open(from.iter().copied());
            let (now, later) = rest.split_at(rest.len().min(each - batch.len));
            for (to, v) in batch.columns.iter_mut().zip(from) {
                if to.class() != v.class() && now.iter().any(|row| !v.is_null(*row as usize)) {
                    to.adopt(v.class());
                }
                to.gather(v, now);
            }
            batch.len += now.len();
            self.len += now.len();
            rest = later;
        }
    }

    /// The first columns, so many, of rows of several batches, each given by the batch's number and its own.
    #[must_use]
    pub fn of_places(batches: &[&Batch], places: &[(u32, u32)], columns: usize) -> RowStore {
        let mut store = RowStore::default();
        if batches.iter().any(|b| b.byte_len() >= LONG / BATCH_ROWS) {
            for (batch, row) in places {
                store.push(&batches[*batch as usize].columns[..columns], *row as usize);
            }
            return store;
        }
        for places in places.chunks(BATCH_ROWS) {
            let mut out = Batch { columns: Vec::with_capacity(columns), len: places.len() };
            for column in 0..columns {
                let from: Vec<&Vector> = batches.iter().map(|b| &b.columns[column]).collect();
                // a vector of only NULLs may have another class
                let class = from.iter().find(|v| (0..v.len()).any(|row| !v.is_null(row))).or(from.first());
                let mut to = Vector::new(class.map_or(crate::types::Class::Int, |v| v.class()));
                to.gather_from(&from, places);
                out.columns.push(to);
            }
            store.closed += store.batches.last().map_or(0, Batch::memory);
            store.len += out.len;
            store.batches.push(out);
        }
        store
    }

    /// Appends rows of several stores of the same columns to `out`, each given by the store's number and its own.
    pub fn gather_from(stores: &[&RowStore], rows: &[(u32, u32)], out: &mut Batch) {
        let mut bases = Vec::with_capacity(stores.len());
        let mut batches: Vec<&Batch> = Vec::new();
        for store in stores {
            bases.push(batches.len() as u32);
            batches.extend(&store.batches);
        }
        let place = |(store, row): &(u32, u32)| {
            let (batch, row) = stores[*store as usize].place(*row as usize);
            (bases[*store as usize] + batch, row)
        };
        let places: Vec<(u32, u32)> = rows.iter().map(place).collect();
        let few = places.len() < batches.len() / 8;
        for (column, to) in out.columns.iter_mut().enumerate() {
            if few {
                for (batch, row) in &places {
                    to.push_from(&batches[*batch as usize].columns[column], *row as usize);
                }
            } else {
                let from: Vec<&Vector> = batches.iter().map(|b| &b.columns[column]).collect();
                to.gather_from(&from, &places);
            }
        }
        out.len += rows.len();
    }

    /// The batches in their order.
    #[must_use]
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The batch and the row in it of row `n`.
    #[inline]
    #[must_use]
    pub fn at(&self, n: usize) -> (&Batch, usize) {
        if self.starts.is_empty() {
            return (&self.batches[n >> self.bits], n & (self.each() - 1));
        }
        let batch = self.starts.partition_point(|start| *start <= n) - 1;
        (&self.batches[batch], n - self.starts[batch])
    }

    /// One value.
    #[must_use]
    pub fn value(&self, row: usize, column: usize) -> Value {
        let (batch, r) = self.at(row);
        batch.columns[column].value(r)
    }

    /// Appends the rows with these numbers to `out`, a batch of the same columns.
    pub fn gather(&self, rows: &[u32], out: &mut Batch) {
        let places = self.places(rows);
        for (column, to) in out.columns.iter_mut().enumerate() {
            self.gather_places(&places, column, to);
        }
        out.len += rows.len();
    }

    /// Appends one column of the rows with these numbers.
    pub fn gather_column(&self, rows: &[u32], column: usize, to: &mut Vector) {
        self.gather_places(&self.places(rows), column, to);
    }

    /// The batch and the row in it of each row.
    fn places(&self, rows: &[u32]) -> Vec<(u32, u32)> {
        rows.iter().map(|n| self.place(*n as usize)).collect()
    }

    /// The number of the batch of row `n`, and the row in it.
    #[inline]
    #[must_use]
    pub fn place(&self, n: usize) -> (u32, u32) {
        if self.starts.is_empty() {
            return ((n >> self.bits) as u32, (n & (self.each() - 1)) as u32);
        }
        let batch = self.starts.partition_point(|start| *start <= n) - 1;
        (batch as u32, (n - self.starts[batch]) as u32)
    }

    fn gather_places(&self, places: &[(u32, u32)], column: usize, to: &mut Vector) {
        // for few rows of many batches it is not worth to list these
        if places.len() < self.batches.len() / 8 {
            for (batch, row) in places {
                to.push_from(&self.batches[*batch as usize].columns[column], *row as usize);
            }
            return;
        }
        let from: Vec<&Vector> = self.batches.iter().map(|b| &b.columns[column]).collect();
        to.gather_from(&from, places);
    }

    /// Appends row `n` to `out`, a batch of the same columns.
    pub fn copy_to(&self, n: usize, out: &mut Batch) {
        let (batch, row) = self.at(n);
        for (to, from) in out.columns.iter_mut().zip(&batch.columns) {
            to.push_from(from, row);
        }
        out.len += 1;
    }

    /// An empty batch fit for [`RowStore::copy_to`].
    #[must_use]
    pub fn like(&self) -> Batch {
        Batch {
            columns: self
                .batches
                .first()
                .map_or_else(Vec::new, |b| b.columns.iter().map(|v| Vector::new(v.class())).collect()),
            len: 0,
        }
    }

    /// Drops every row.
    pub fn clear(&mut self) {
        self.batches.clear();
        self.len = 0;
        self.closed = 0;
        self.starts.clear();
    }
}

/// Whether a column has too many bytes for further values.
#[inline]
fn is_long(batch: &Batch) -> bool {
    batch.columns.iter().any(|v| v.byte_len() >= LONG)
}

//! Rows that are read again in the order they came: the first of them in memory, those past the budget on disk.

use std::ops::Range;
use std::rc::Rc;

use super::rows::RowStore;
use super::spill::SpillFile;
use super::spool::{RowKeys, Spool, SpoolReader};
use crate::error::SqlResult;
use crate::memory::{BATCH_ROWS, Budget};
use crate::table::reader::{Counted, Reader, Reading};
use crate::types::{Batch, Vector};

/// Rows as they are collected.
pub struct Materializer {
    head: RowStore,
    tail: Option<Spool>,
    budget: Budget,
}

impl Materializer {
    /// No row yet.
    #[must_use]
    pub fn new(budget: &Budget) -> Materializer {
        Materializer { head: RowStore::default(), tail: None, budget: budget.clone() }
    }

    /// Appends row `row` of `from`.
    ///
    /// # Errors
    /// 3, 1021: the temporary file cannot be written.
    pub fn push(&mut self, from: &[Vector], row: usize) -> SqlResult<()> {
        match &mut self.tail {
            Some(t) => t.push(&[], from, row),
            None => {
                self.head.push(from, row);
                // looking costs as much as a column
                if self.head.len().is_multiple_of(16) { self.look() } else { Ok(()) }
            }
        }
    }

    /// Appends all rows of `from`.
    ///
    /// # Errors
    /// As [`Materializer::push`].
    pub fn push_batch(&mut self, from: &Batch) -> SqlResult<()> {
        match &mut self.tail {
            Some(t) => (0..from.len).try_for_each(|row| t.push(&[], &from.columns, row)),
            None => {
                self.head.push_batch(from);
                self.look()
            }
        }
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        self.head.memory()
    }

    fn look(&mut self) -> SqlResult<()> {
        if self.budget.exceeds_table(self.head.memory()) {
            self.tail = Some(Spool::new(&SpillFile::new(&self.budget)?));
        }
        Ok(())
    }

    /// The rows, complete.
    ///
    /// # Errors
    /// As [`Materializer::push`].
    pub fn finish(self) -> SqlResult<MaterializedRows> {
        let len = self.head.len() as u64 + self.tail.as_ref().map_or(0, Spool::rows);
        let tail = self.tail.map(Spool::read).transpose()?;
        Ok(MaterializedRows(Rc::new(Inner { head: self.head, tail, len })))
    }
}

struct Inner {
    head: RowStore,
    tail: Option<SpoolReader>,
    len: u64,
}

/// Rows kept.
#[derive(Clone)]
pub struct MaterializedRows(Rc<Inner>);

impl MaterializedRows {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins to read.
    #[must_use]
    pub fn read(&self) -> MaterializedReader {
        MaterializedReader {
            rows: self.clone(),
            next: 0,
            tail: self.0.tail.as_ref().map(SpoolReader::again),
            batch: Batch::default(),
            keys: RowKeys::default(),
            at: 0,
        }
    }
}

/// A position among rows kept.
pub struct MaterializedReader {
    rows: MaterializedRows,
    /// Rows of memory that were read.
    next: usize,
    tail: Option<SpoolReader>,
    /// Rows of the disk, and how many of them were read.
    batch: Batch,
    keys: RowKeys,
    at: usize,
}

impl MaterializedReader {
    /// The next row: a batch and a number in it; nothing behind the last.
    ///
    /// # Errors
    /// 1024: the temporary file cannot be read.
    #[inline]
    pub fn next_row(&mut self) -> SqlResult<Option<(&Batch, usize)>> {
        let head = &self.rows.0.head;
        if self.next < head.len() {
            self.next += 1;
            return Ok(Some(head.at(self.next - 1)));
        }
        let Some(tail) = &mut self.tail else { return Ok(None) };
        if self.at >= self.batch.len {
            if self.batch.columns.is_empty() {
                self.batch = head.like();
            }
            self.at = 0;
            if !tail.batch(&mut self.batch, &mut self.keys)? {
                return Ok(None);
            }
        }
        self.at += 1;
        Ok(Some((&self.batch, self.at - 1)))
    }

    /// The next rows, `most` of them or as many as lie together: a batch and a range in it; nothing behind the last.
    ///
    /// # Errors
    /// As [`MaterializedReader::next_row`].
    pub fn next_run(&mut self, most: usize) -> SqlResult<Option<(&Batch, Range<usize>)>> {
        let Some((batch, row)) = self.next_row()? else { return Ok(None) };
        let more = (batch.len - row).min(most.max(1)) - 1;
        // rows of the disk are counted in `at`, which is 0 until all of memory were read
        let batch = if self.at == 0 {
            self.next += more;
            self.rows.0.head.at(self.next - 1).0
        } else {
            self.at += more;
            &self.batch
        };
        Ok(Some((batch, row..row + more + 1)))
    }

    /// Makes `out` the next rows; false when there are no more.
    ///
    /// # Errors
    /// As [`MaterializedReader::next_row`].
    pub fn next_batch(&mut self, out: &mut Batch) -> SqlResult<bool> {
        let Some((batch, rows)) = self.next_run(BATCH_ROWS)? else { return Ok(false) };
        out.columns.resize_with(batch.columns.len(), Vector::default);
        for (to, from) in out.columns.iter_mut().zip(&batch.columns) {
            to.reset(from.class());
            to.append(from, rows.clone());
        }
        out.len = rows.len();
        Ok(true)
    }

    /// Goes back to the first row.
    pub fn rewind(&mut self) {
        self.next = 0;
        self.at = 0;
        self.batch.len = 0;
        if let Some(t) = &mut self.tail {
            t.rewind();
        }
    }
}

/// The columns are numbered as those of the rows that were kept.
impl Reader for MaterializedReader {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        while out.len < most {
            // rows that may be long are measured one by one
            let run = if reading.is_measured() { 1 } else { most - out.len };
            let Some((batch, rows)) = self.next_run(run)? else { return Ok(false) };
            out.len += rows.len();
            for (column, slot, _) in reading.columns {
                out.columns[*slot].append(&batch.columns[*column], rows.clone());
            }
            if reading.is_full(out) {
                break;
            }
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        MaterializedReader::rewind(self);
    }

    fn counted(&self) -> Counted {
        Counted::Temporary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Class, ValueRef};

    #[test]
    fn rows_are_read_as_they_came_and_again() {
        for table in [0, 3_000, usize::MAX] {
            let mut keeper = Materializer::new(&Budget { table, ..Budget::default() });
            for n in 0..5000i64 {
                let mut columns = [Vector::new(Class::Int), Vector::new(Class::Int)];
                columns[0].push_i64(n);
                // NULLs first: the class comes with the first value
                if n < 40 {
                    columns[1].push_null();
                } else {
                    columns[1] = Vector::constant_of(ValueRef::Bytes(format!("row {n}").as_bytes()));
                }
                keeper.push(&columns, 0).unwrap();
            }
            let rows = keeper.finish().unwrap();
            assert_eq!(rows.0.tail.is_none(), table == usize::MAX);
            assert_eq!(rows.len(), 5000);
            let mut reader = rows.read();
            for _ in 0..2 {
                for n in 0..5000i64 {
                    let (batch, row) = reader.next_row().unwrap().unwrap();
                    assert_eq!(batch.columns[0].i64(row), n);
                    match batch.columns[1].get(row) {
                        ValueRef::Null => assert!(n < 40),
                        ValueRef::Bytes(b) => assert_eq!(b, format!("row {n}").as_bytes()),
                        other => panic!("{other:?}"),
                    }
                }
                assert!(reader.next_row().unwrap().is_none());
                reader.rewind();
            }
            reader.next_row().unwrap();
            reader.rewind();
            assert_eq!(reader.next_row().unwrap().map(|(b, r)| b.columns[0].i64(r)), Some(0));
            let mut all = 0;
            let (mut reader, mut batch) = (rows.read(), Batch::default());
            while reader.next_batch(&mut batch).unwrap() {
                all += batch.len;
            }
            assert_eq!(all, 5000);
        }
    }
}

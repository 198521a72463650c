//! The rows of whole partitions, read at any place by several cursors: the first in memory, those past the budget on disk in
//! blocks.

use std::rc::Rc;

use crate::error::SqlResult;
use crate::exec::rows::RowStore;
use crate::exec::spill::SpillFile;
use crate::exec::spool;
use crate::memory::Budget;
use crate::types::{Batch, Vector};

/// Rows of a block on disk at most, and bytes from which on it ends before.
const BLOCK_ROWS: usize = 256;
const BLOCK_BYTES: usize = 64 << 10;

/// A block on disk.
struct Block {
    /// The number of its first row.
    first: u64,
    at: u64,
    len: usize,
}

/// Rows that are kept.
pub(super) struct PartitionRows {
    head: RowStore,
    file: Option<SpillFile>,
    blocks: Vec<Block>,
    /// The block that is being filled.
    open: Vec<u8>,
    open_rows: usize,
    len: u64,
    like: Batch,
    budget: Budget,
}

impl PartitionRows {
    pub(super) fn new(budget: &Budget) -> PartitionRows {
        PartitionRows {
            head: RowStore::default(),
            file: None,
            blocks: Vec::new(),
            open: Vec::new(),
            open_rows: 0,
            len: 0,
            like: Batch::default(),
            budget: budget.clone(),
        }
    }

    /// The number of rows.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Appends row `row` of `from`.
    ///
    /// # Errors
    /// 1, 3, 1021: the temporary file cannot be made or written.
    pub(super) fn push(&mut self, from: &[Vector], row: usize) -> SqlResult<()> {
        self.len += 1;
        if self.file.is_none() {
            self.head.push(from, row);
            if self.len.is_multiple_of(16) && self.budget.exceeds_table(self.head.memory()) {
                self.like = self.head.like();
                self.file = Some(SpillFile::new(&self.budget)?);
            }
            return Ok(());
        }
        from.iter().for_each(|v| spool::put(v, row, &mut self.open));
        self.open_rows += 1;
        if self.open_rows >= BLOCK_ROWS || self.open.len() >= BLOCK_BYTES { self.close() } else { Ok(()) }
    }

    /// Writes the block that was being filled.
    ///
    /// # Errors
    /// As [`PartitionRows::push`].
    pub(super) fn close(&mut self) -> SqlResult<()> {
        if let Some(file) = &self.file
            && self.open_rows > 0
        {
            let at = file.append(&self.open)?;
            self.blocks.push(Block { first: self.len - self.open_rows as u64, at, len: self.open.len() });
            self.open = Vec::new();
            self.open_rows = 0;
        }
        Ok(())
    }
}

/// A place among rows that are kept.
pub(super) struct Cursor {
    rows: Rc<PartitionRows>,
    /// The block at hand, and the number of its first row.
    block: Batch,
    first: u64,
}

impl Cursor {
    pub(super) fn new(rows: &Rc<PartitionRows>) -> Cursor {
        Cursor { rows: Rc::clone(rows), block: Batch::default(), first: 0 }
    }

    /// Row `n`: a batch and its number there.
    ///
    /// # Errors
    /// 2, 1024: the temporary file cannot be read.
    #[inline]
    pub(super) fn at(&mut self, n: u64) -> SqlResult<(&Batch, usize)> {
        if n < self.rows.head.len() as u64 {
            return Ok(self.rows.head.at(n as usize));
        }
        if n < self.first || n >= self.first + self.block.len as u64 {
            self.load(n)?;
        }
        Ok((&self.block, (n - self.first) as usize))
    }

    fn load(&mut self, n: u64) -> SqlResult<()> {
        let rows = &self.rows;
        let at = rows.blocks.partition_point(|b| b.first <= n).checked_sub(1);
        let (Some(block), Some(file)) = (at.and_then(|at| rows.blocks.get(at)), &rows.file) else {
            return Err(spool::torn());
        };
        let mut bytes = vec![0; block.len];
        file.read(block.at, &mut bytes)?;
        let mut bytes = &bytes[..];
        self.block.columns.resize_with(rows.like.columns.len(), Vector::default);
        for (to, like) in self.block.columns.iter_mut().zip(&rows.like.columns) {
            to.reset(like.class());
        }
        self.block.len = 0;
        self.first = block.first;
        while !bytes.is_empty() {
            for to in &mut self.block.columns {
                spool::get(&mut bytes, to).ok_or_else(spool::torn)?;
            }
            self.block.len += 1;
        }
        if n >= self.first + self.block.len as u64 { Err(spool::torn()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Class, ValueRef};

    #[test]
    fn rows_are_found_at_any_place() {
        for table in [0, 10_000, usize::MAX] {
            let mut rows = PartitionRows::new(&Budget { table, ..Budget::default() });
            for n in 0..5000i64 {
                let mut columns = [Vector::new(Class::Int), Vector::new(Class::Bytes)];
                columns[0].push_i64(n);
                columns[1].push(ValueRef::Bytes(format!("row {n}").as_bytes()));
                rows.push(&columns, 0).unwrap();
            }
            rows.close().unwrap();
            assert_eq!(rows.file.is_none(), table == usize::MAX);
            let rows = Rc::new(rows);
            let mut cursor = Cursor::new(&rows);
            for n in [0, 4999, 16, 17, 4000, 3999, 300, 299, 2500, 1] {
                let (batch, row) = cursor.at(n).unwrap();
                assert_eq!(batch.columns[0].i64(row), n as i64);
                assert_eq!(batch.columns[1].bytes(row), format!("row {n}").as_bytes());
            }
        }
    }
}

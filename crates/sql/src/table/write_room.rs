//! What a statement that writes works in.

use super::{OpenTable, RowBuf, RowScratch, WriteScratch};

/// Kept from one statement of a session to the next, of whatever table, so that small statements allocate nothing for it.
#[derive(Debug, Default)]
pub(crate) struct WriteRoom {
    pub writer: WriteScratch,
    pub read: RowScratch,
    pub bytes: Vec<u8>,
    rows: Vec<RowBuf>,
}

impl WriteRoom {
    /// More bytes of one kind are given back to the system: idle sessions are many, and a row that is long costs more than an allocation.
    const MOST: usize = 4 << 10;

    /// An empty row of a table.
    pub fn row(&mut self, table: &OpenTable) -> RowBuf {
        match self.rows.pop() {
            Some(row) => row.renewed(&table.format().layout),
            None => table.new_row(),
        }
    }

    /// Takes back what a statement has worked in.
    pub fn fill(&mut self, writer: WriteScratch, read: RowScratch, bytes: Vec<u8>, rows: [RowBuf; 2]) {
        self.rows.extend(rows.into_iter().filter(|row| row.size() <= Self::MOST).take(2));
        if writer.size() <= Self::MOST {
            self.writer = writer;
        }
        if read.size() <= Self::MOST {
            self.read = read;
        }
        if bytes.capacity() <= Self::MOST {
            self.bytes = bytes;
        }
    }
}

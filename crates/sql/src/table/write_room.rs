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
    /// More bytes of one kind are given back to the system.
    const MOST: usize = 64 << 10;

    /// An empty row of a table.
    pub fn row(&mut self, table: &OpenTable) -> RowBuf {
        match self.rows.pop() {
            Some(row) => row.renewed(&table.format().layout),
            None => table.new_row(),
        }
    }

    /// What a statement has worked in.
    pub fn of(writer: WriteScratch, read: RowScratch, bytes: Vec<u8>, rows: [RowBuf; 2]) -> WriteRoom {
        let small = rows.into_iter().filter(|row| row.size() <= Self::MOST);
        WriteRoom {
            rows: small.collect(),
            writer: if writer.size() <= Self::MOST { writer } else { WriteScratch::default() },
            read: if read.size() <= Self::MOST { read } else { RowScratch::new() },
            bytes: if bytes.capacity() <= Self::MOST { bytes } else { Vec::new() },
        }
    }
}

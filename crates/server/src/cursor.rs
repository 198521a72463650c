//! Rows of a result set that wait for COM_STMT_FETCH: in memory, or past the memory of a temporary table in a file.

use sql::SqlResult;
use sql::exec::spill::SpillFile;
use sql::memory::Budget;

use crate::answer::{self, Ok as OkPacket};
use crate::packet::{HEADER, MAX_PAYLOAD, PacketWriter};
use crate::protocol::status;
use crate::resultset::{FLUSH_AT, Negotiated};
use crate::stream::Stream;

/// Bytes that are read from the file at once.
const BLOCK: usize = 64 * 1024;

/// Rows kept for COM_STMT_FETCH.
#[derive(Default)]
pub struct Cursor {
    /// Rows as packets: before the first fetch the last of them, then those that are fetched next.
    rows: PacketWriter,
    /// Bytes of `rows` fetched.
    at: usize,
    /// All rows before those, and how much of them was fetched.
    file: Option<(SpillFile, u64)>,
    /// What may be kept in memory.
    budget: Option<Budget>,
    /// Warnings of the statement.
    pub warnings: u16,
    /// Whether the statement gave a result set: then the cursor is open.
    pub open: bool,
}

impl Cursor {
    /// An empty one, that keeps so much in memory.
    #[must_use]
    pub fn new(budget: Budget) -> Cursor {
        Cursor { budget: Some(budget), ..Cursor::default() }
    }

    /// Where rows are written.
    #[inline]
    pub fn writer(&mut self) -> &mut PacketWriter {
        &mut self.rows
    }

    /// Whether rows should go to the file.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.rows.pending() > self.budget.as_ref().map_or(usize::MAX, |b| b.table)
    }

    /// Writes the rows in memory to the file.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn spill(&mut self) -> SqlResult<()> {
        let Some(budget) = &self.budget else { return Ok(()) };
        let (file, _) = match &mut self.file {
            Some(f) => f,
            none => none.insert((SpillFile::new(budget)?, 0)),
        };
        file.append(self.rows.bytes())?;
        self.rows = PacketWriter::new();
        Ok(())
    }

    /// Ends writing: rows are in memory, or all of them in the file.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn complete(&mut self) -> SqlResult<()> {
        if self.file.is_some() { self.spill() } else { Ok(()) }
    }

    /// Makes `count` bytes stand in `rows` at `at`; false when there are not so many.
    fn need(&mut self, count: usize) -> SqlResult<bool> {
        let have = self.rows.pending() - self.at;
        if have >= count {
            return Ok(true);
        }
        let Some((file, read)) = &mut self.file else { return Ok(false) };
        let left = file.len() - *read;
        if left < (count - have) as u64 {
            return Ok(false);
        }
        let more = usize::try_from(left).unwrap_or(usize::MAX).min(BLOCK.max(count - have));
        let out = self.rows.out();
        out.drain(..self.at);
        self.at = 0;
        if out.capacity() > 2 * BLOCK.max(count) {
            out.shrink_to(BLOCK.max(count));
        }
        let start = out.len();
        out.resize(start + more, 0);
        file.read(*read, &mut out[start..])?;
        *read += more as u64;
        Ok(true)
    }

    /// Sends up to `count` rows and the end packet; the last of them wait in `writer`. `Err(None)`: the socket failed.
    ///
    /// # Errors
    /// Those of the temporary file; the statement may have been killed.
    pub fn fetch(
        &mut self,
        count: u32,
        writer: &mut PacketWriter,
        stream: &Stream,
        negotiated: Negotiated,
        flags: u16,
    ) -> Result<(), Option<sql::SqlError>> {
        for _ in 0..count {
            // clients that want all rows ask for four billion
            if !self.need(HEADER)? {
                break;
            }
            // A row of 16 MB and more is several packets, all but the last of them full.
            while self.need(HEADER)? {
                let Some(&[a, b, c, _]) = self.rows.bytes()[self.at..].first_chunk() else { break };
                let length = u32::from_le_bytes([a, b, c, 0]) as usize;
                if !self.need(HEADER + length)? {
                    break;
                }
                let end = self.at + HEADER + length;
                writer.put_packets(&self.rows.bytes()[self.at..end], 1);
                self.at = end;
                if length < MAX_PAYLOAD {
                    break;
                }
            }
            if writer.pending() >= FLUSH_AT {
                writer.flush(stream).map_err(|error| {
                    tracing::debug!(%error, "cannot write to the client");
                    None
                })?;
            }
        }
        let last = !self.need(1)?;
        let state = if last { status::LAST_ROW_SENT } else { status::CURSOR_EXISTS };
        let end = OkPacket { status: flags | state, warnings: self.warnings, ..OkPacket::default() };
        answer::put_result_end(writer.begin(), negotiated.capabilities, &end);
        writer.end();
        if last {
            *self = Self::default();
        }
        Ok(())
    }
}

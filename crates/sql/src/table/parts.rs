//! The data file of a table in parts, which several threads read.

use parking_lot::Mutex;

use super::{OpenTable, RowScratch, Scan};
use crate::error::SqlResult;
use pages::Snapshot;

/// Bytes of a part of a large file.
const PART: u64 = 256 << 10;

/// Parts that each thread takes of a smaller one, so that all end at about the same time.
const EACH: u64 = 8;

/// A part of a data file.
#[derive(Clone, Copy, Debug)]
pub struct FilePart {
    /// Its number: parts with lower ones lie before it.
    pub number: u64,
    /// Its rows.
    pub scan: Scan,
}

/// The parts that no thread has taken.
pub struct FileParts {
    /// Bytes of a part, at least.
    bytes: u64,
    next: Mutex<Next>,
}

struct Next {
    number: u64,
    scan: Scan,
    scratch: RowScratch,
    over: bool,
}

impl FileParts {
    /// A file of so many bytes for so many threads, which together have so many bytes of memory for what they make of it.
    #[must_use]
    pub fn new(len: u64, threads: usize, memory: usize) -> FileParts {
        let next = Next { number: 0, scan: Scan::new(), scratch: RowScratch::new(), over: len == 0 };
        // each ends the part that it has, whatever that takes
        let most = PART.min((memory / threads) as u64 / EACH).max(1);
        let bytes = (len / (threads as u64 * EACH)).clamp(1, most);
        FileParts { bytes, next: Mutex::new(next) }
    }

    /// Takes the next part, as the snapshot shows it.
    ///
    /// # Errors
    /// A damaged file.
    pub fn take(&self, table: &OpenTable, snapshot: &Snapshot<'_>) -> SqlResult<Option<FilePart>> {
        let pin = snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        let mut next = self.next.lock();
        let Next { number, scan, scratch, over } = &mut *next;
        if *over {
            return Ok(None);
        }
        let from = scan.offset();
        // the rows of dynamic tables begin anywhere: the blocks tell where
        *over = !scan.skip(table.format(), &view, scratch, self.bytes).map_err(|e| table.error(&e))?;
        *number += 1;
        let end = if *over { u64::MAX } else { scan.offset() };
        Ok(Some(FilePart { number: *number - 1, scan: Scan::part(from..end) }))
    }

    /// What nobody has taken, as one part; none at the end of the file.
    #[must_use]
    pub fn rest(self) -> Option<FilePart> {
        let Next { number, scan, over, .. } = self.next.into_inner();
        (!over).then_some(FilePart { number, scan })
    }
}

//! Rows at known places, many at once.

use std::hint::black_box;

use super::TableFormat;
use crate::error::{Error, Result};
use crate::pointer::RowPos;
use crate::row::{RowBatch, RowColumns, block};
use crate::source::PageSource;

/// Rows that are waited for together.
const TOGETHER: usize = 16;

/// Bytes that the processor fetches at once.
const LINE: usize = 64;

impl TableFormat {
    /// Gathers the rows at these positions, best in ascending order, up to the first that does not lie in one piece or is not stored as it is read.
    ///
    /// # Errors
    /// As [`TableFormat::row`].
    pub fn gather_at<'a, S: PageSource>(
        &self,
        src: &'a S,
        columns: &mut RowColumns,
        rows: &mut RowBatch<'a>,
        positions: &[RowPos],
    ) -> Result<()> {
        let layout = &*self.layout;
        if self.header.is_compressed() {
            return Ok(());
        }
        let len = self.state(src).data_file_length();
        let each = if layout.fixed { layout.pack_reclength as u64 } else { 1 };
        let row_at = |offset, rest: &'a [u8]| match layout.fixed {
            true => rest.get(..layout.reclength),
            false => block::whole_row(layout, rest, offset, len),
        };
        let (mut from, mut run): (u64, &[u8]) = (0, &[]);
        let mut rests: [(u64, &[u8]); TOGETHER] = [(0, &[]); TOGETHER];
        for positions in positions.chunks(TOGETHER) {
            // rows anywhere in the file are waited for side by side
            for (pos, rest) in positions.iter().zip(&mut rests) {
                let offset = pos.0.saturating_mul(each);
                let known = offset.checked_sub(from).and_then(|at| run.get(at as usize..));
                let bytes = match known {
                    Some(bytes) if !bytes.is_empty() => bytes,
                    _ => {
                        (from, run) = (offset, src.data_run(offset)?);
                        run
                    }
                };
                black_box((bytes.first().copied(), bytes.get(LINE).copied()));
                *rest = (offset, bytes);
            }
            for (pos, (offset, rest)) in positions.iter().zip(rests) {
                let row = match row_at(offset, rest) {
                    None => row_at(offset, src.data_run(offset)?),
                    row => row,
                };
                match row {
                    Some(row) if layout.fixed => {
                        if row[0] == 0 {
                            return Err(Error::Deleted { pos: pos.0 });
                        }
                        rows.push_fixed(*pos, row);
                    }
                    Some(row) if rows.push_packed(layout, columns, *pos, row)? => {}
                    _ => return Ok(()),
                }
            }
        }
        Ok(())
    }
}

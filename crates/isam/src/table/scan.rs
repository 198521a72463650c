//! Rows in the order of the data file, one by one and many at once.

use super::TableFormat;
use crate::error::Result;
use crate::pointer::RowPos;
use crate::row::block::{self, After, BlockKind};
use crate::row::{Gathered, RowBatch, RowColumns, RowLayout, RowScratch, RowView};
use crate::source::PageSource;

/// A scan of the data file in file order. It keeps a position only, so that pins and snapshots may come and go between calls
/// as long as the same version of the table is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scan {
    /// Byte offset of what comes next.
    next: u64,
    /// Byte offset behind the last row, when it is a part of the file.
    end: Option<u64>,
}

impl Scan {
    /// A scan from the first row.
    #[must_use]
    pub fn new() -> Scan {
        Scan::default()
    }

    /// A scan of the rows that begin in these bytes of the data file; each of the two is the beginning of a row or a block
    /// ([`Scan::skip`]).
    #[must_use]
    pub fn part(bytes: std::ops::Range<u64>) -> Scan {
        Scan { next: bytes.start, end: Some(bytes.end) }
    }

    /// Byte offset of what comes next.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.next
    }

    /// Goes back to a row that was read.
    pub fn go_back(&mut self, format: &TableFormat, row: RowPos) {
        let each = if format.layout.fixed { format.layout.pack_reclength as u64 } else { 1 };
        self.next = row.0 * each;
    }

    /// Goes on by at least so many bytes, to the beginning of a row or a block; false at the end of the file.
    ///
    /// # Errors
    /// 127 if there is no block where one should begin; the scan stays there.
    pub fn skip<S: PageSource>(
        &mut self,
        format: &TableFormat,
        src: &S,
        scratch: &mut RowScratch,
        bytes: u64,
    ) -> Result<bool> {
        let len = format.state(src).data_file_length();
        let to = self.next.saturating_add(bytes);
        if format.layout.fixed {
            self.next = to.next_multiple_of((format.layout.pack_reclength as u64).max(1));
        }
        if format.header.is_compressed() {
            let compression = format.compression()?;
            self.next = self.next.max(compression.first_row);
            while self.next < to.min(len) {
                self.next = compression.place(src, self.next, len, &mut scratch.part)?.end();
            }
            return Ok(self.next < len);
        }
        while self.next < to.min(len) {
            block::skip_in_run(src.data_run(self.next)?, &mut self.next, to, len);
            if self.next < to.min(len) {
                // its header goes beyond the run, or is damaged
                self.next += block::read(src, self.next, len, &mut scratch.part)?.total;
            }
        }
        Ok(self.next < len)
    }

    /// The next row, or `None` at the end.
    ///
    /// # Errors
    /// 127 if the bytes are no row; the scan stays there.
    #[inline]
    pub fn next<'a, S: PageSource>(
        &mut self,
        format: &'a TableFormat,
        src: &'a S,
        scratch: &'a mut RowScratch,
    ) -> Result<Option<(RowPos, RowView<'a>)>> {
        let layout = &*format.layout;
        let len = format.state(src).data_file_length();
        if layout.fixed {
            let each = layout.pack_reclength as u64;
            loop {
                let offset = self.next;
                if offset + each > len {
                    return Ok(None);
                }
                let run = src.data_run(offset)?;
                // Deleted rows are skipped without asking for the page again.
                let mut at = 0;
                while let Some(row) = run.get(at..at + layout.pack_reclength) {
                    self.next = offset + at as u64 + each;
                    if row[0] != 0 {
                        let bytes = &row[..layout.reclength];
                        layout.assemble_bits(bytes, &mut scratch.extra);
                        let pos = RowPos((offset + at as u64) / each);
                        return Ok(Some((pos, RowView::image(layout, bytes, &scratch.extra))));
                    }
                    at += layout.pack_reclength;
                }
                if at == 0 {
                    self.next = offset + each;
                    let live = src.data(offset, 1, &mut scratch.part)?.first().is_some_and(|&b| b != 0);
                    if live {
                        let bytes = src.data(offset, layout.reclength, &mut scratch.row)?;
                        layout.assemble_bits(bytes, &mut scratch.extra);
                        return Ok(Some((
                            RowPos(offset / each),
                            RowView::image(layout, bytes, &scratch.extra),
                        )));
                    }
                }
            }
        }
        if format.header.is_compressed() {
            let compression = format.compression()?;
            let offset = self.next.max(compression.first_row);
            if offset >= len {
                return Ok(None);
            }
            let place = compression.place(src, offset, len, &mut scratch.part)?;
            let row = compression.row(layout, src, offset, place, scratch)?;
            self.next = place.end();
            return Ok(Some((RowPos(offset), row)));
        }
        while self.next < len {
            let offset = self.next;
            let block = block::read(src, offset, len, &mut scratch.part)?;
            let after = offset + block.total;
            if matches!(block.kind, BlockKind::Row | BlockKind::First) {
                let row = block::row(layout, src, offset, &block, len, scratch)?;
                self.next = after;
                return Ok(Some((RowPos(offset), row)));
            }
            self.next = after;
        }
        Ok(None)
    }

    /// Hands the following rows to `f` until it says false, the end is reached (returns false), or an error. Faster than
    /// [`Scan::next`]: pages are asked for once.
    ///
    /// # Errors
    /// As [`Scan::next`].
    pub fn each<S: PageSource>(
        &mut self,
        format: &TableFormat,
        src: &S,
        scratch: &mut RowScratch,
        mut f: impl FnMut(RowPos, RowView<'_>) -> bool,
    ) -> Result<bool> {
        let layout = &*format.layout;
        let end = self.end.unwrap_or(u64::MAX);
        if layout.fixed {
            let each = layout.pack_reclength;
            let len = format.state(src).data_file_length().min(end);
            while self.next + each as u64 <= len {
                let offset = self.next;
                let run = src.data_run(offset)?;
                if run.len() < each {
                    match self.next(format, src, scratch)? {
                        None => return Ok(false),
                        Some((pos, row)) => {
                            if pos.0 * each as u64 >= end {
                                return Ok(false);
                            }
                            if !f(pos, row) {
                                return Ok(true);
                            }
                        }
                    }
                    continue;
                }
                let first = offset / each as u64;
                for (i, row) in run.chunks_exact(each).enumerate() {
                    if offset + (i * each) as u64 >= end {
                        return Ok(false);
                    }
                    self.next = offset + ((i + 1) * each) as u64;
                    if row[0] == 0 {
                        continue;
                    }
                    let bytes = &row[..layout.reclength];
                    layout.assemble_bits(bytes, &mut scratch.extra);
                    if !f(RowPos(first + i as u64), RowView::image(layout, bytes, &scratch.extra)) {
                        return Ok(true);
                    }
                }
            }
            return Ok(false);
        }
        let len = format.state(src).data_file_length();
        loop {
            if self.next >= end {
                return Ok(false);
            }
            if self.next < len && !format.header.is_compressed() {
                let run = src.data_run(self.next)?;
                let RowScratch { spans, extra, .. } = &mut *scratch;
                let go = block::each_in_run(layout, run, &mut self.next, len, |at, bytes| {
                    let go = at < end && f(RowPos(at), block::unpacked(layout, bytes, at, spans, extra)?);
                    Ok(if go { After::More } else { After::Enough })
                })?;
                if !go || self.next >= end {
                    return Ok(self.next < end);
                }
            }
            // what the run does not have whole
            match self.next(format, src, scratch)? {
                None => return Ok(false),
                Some((pos, _)) if pos.0 >= end => return Ok(false),
                Some((pos, row)) if !f(pos, row) => return Ok(true),
                Some(_) => {}
            }
        }
    }

    /// Hands the stored bytes of the following rows to `f` ([`RowView::stored`]) until it says false or the end is reached (returns false).
    /// Whether they are those of a row [`TableFormat::row_of`] finds out.
    ///
    /// # Errors
    /// As [`Scan::next`].
    pub fn each_stored<S: PageSource>(
        &mut self,
        format: &TableFormat,
        src: &S,
        scratch: &mut RowScratch,
        mut f: impl FnMut(&[u8]) -> bool,
    ) -> Result<bool> {
        let layout = &*format.layout;
        if layout.fixed || format.header.is_compressed() || self.end.is_some() {
            return self.each(format, src, scratch, |_, row| f(row.stored()));
        }
        let len = format.state(src).data_file_length();
        loop {
            if self.next < len {
                let run = src.data_run(self.next)?;
                let go = block::each_in_run(layout, run, &mut self.next, len, |_, bytes| {
                    Ok(if f(bytes) { After::More } else { After::Enough })
                })?;
                if !go {
                    return Ok(true);
                }
            }
            // what the run does not have whole
            match self.next(format, src, scratch)? {
                None => return Ok(false),
                Some((_, row)) if !f(row.stored()) => return Ok(true),
                Some(_) => {}
            }
        }
    }

    /// Gathers the following rows that lie in one piece, until there are `most`. Rows in pieces are left to [`Scan::one`].
    ///
    /// # Errors
    /// As [`Scan::next`].
    pub fn gather<'a, S: PageSource>(
        &mut self,
        format: &TableFormat,
        src: &'a S,
        columns: &mut RowColumns,
        rows: &mut RowBatch<'a>,
        most: usize,
    ) -> Result<Gathered> {
        let layout = &*format.layout;
        let len = format.state(src).data_file_length();
        let end = self.end.unwrap_or(u64::MAX).min(len);
        if format.header.is_compressed() {
            return Ok(Gathered::Apart);
        }
        while rows.len() < most {
            if layout.fixed && self.next + layout.pack_reclength as u64 > end || self.next >= end {
                return Ok(Gathered::End);
            }
            let (from, run) = (self.next, src.data_run(self.next)?);
            if layout.fixed {
                self.gather_fixed(layout, run, end, rows, most);
            } else {
                block::each_in_run(layout, run, &mut self.next, len, |at, row| {
                    // who takes the next part of the file has it
                    if at >= end || !rows.push_packed(layout, columns, RowPos(at), row)? {
                        return Ok(After::Back);
                    }
                    Ok(if rows.len() < most { After::More } else { After::Enough })
                })?;
            }
            if self.next == from {
                return Ok(if self.next >= end { Gathered::End } else { Gathered::Apart });
            }
        }
        Ok(Gathered::Enough)
    }

    /// Gathers the fixed rows of a run.
    #[inline]
    fn gather_fixed<'a>(
        &mut self,
        layout: &RowLayout,
        run: &'a [u8],
        end: u64,
        rows: &mut RowBatch<'a>,
        most: usize,
    ) {
        let each = layout.pack_reclength;
        for row in run.chunks_exact(each) {
            if rows.len() >= most || self.next >= end {
                return;
            }
            if row[0] != 0 {
                rows.push_fixed(RowPos(self.next / each as u64), &row[..layout.reclength]);
            }
            self.next += each as u64;
        }
    }

    /// Hands the next row to `f`, whatever it lies in; false at the end.
    ///
    /// # Errors
    /// As [`Scan::next`].
    pub fn one<S: PageSource>(
        &mut self,
        format: &TableFormat,
        src: &S,
        scratch: &mut RowScratch,
        f: impl FnOnce(RowPos, RowView<'_>),
    ) -> Result<bool> {
        let end = self.end.unwrap_or(u64::MAX);
        let each = if format.layout.fixed { format.layout.pack_reclength as u64 } else { 1 };
        match self.next(format, src, scratch)? {
            Some((pos, row)) if pos.0 * each < end => f(pos, row),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

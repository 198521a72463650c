//! Reading a compressed row.

use super::bits::BitReader;
use super::head::{Base, Coding, Compression, FLAG_SELECTED, FLAG_SPACES, FLAG_ZERO_FILL};
use crate::error::{Error, Result};
use crate::row::pack::{bare_values, value_span};
use crate::row::view::{ColumnForm, RowLayout, RowScratch, RowView, Source, Span, StoredColumn};
use crate::source::PageSource;

/// Most bytes of a row: no value that a statement makes is longer, and a damaged length asks for no more memory.
const LONGEST_ROW: u64 = 1 << 30;

/// Where a row lies and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Offset of its bits.
    start: u64,
    /// Bytes of its bits.
    len: u64,
    /// Bytes of all its BLOBs.
    blobs: u64,
}

impl Place {
    /// Offset of its bits.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Bytes of all its BLOBs, as it tells.
    pub fn blobs(&self) -> u64 {
        self.blobs
    }

    /// Offset behind the row.
    pub fn end(&self) -> u64 {
        self.start + self.len
    }
}

impl Compression {
    /// Looks where the row at `offset` lies, in a data file of `len` bytes.
    ///
    /// # Errors
    /// 127 if no row can lie there.
    #[inline]
    pub(crate) fn place<S: PageSource>(
        &self,
        src: &S,
        offset: u64,
        len: u64,
        scratch: &mut Vec<u8>,
    ) -> Result<Place> {
        if offset < self.first_row || offset >= len {
            return Err(Error::row(offset, "row pointer leads outside the data file"));
        }
        let most = (len - offset).min(10) as usize;
        let run = src.data_run(offset)?;
        let head = match run.get(..most) {
            Some(head) => head,
            None => src.data(offset, most, scratch)?,
        };
        self.lengths(head, offset)
            .filter(|p| p.end() <= len && p.len >= self.shortest && p.len <= self.longest)
            .filter(|p| p.blobs <= LONGEST_ROW)
            .ok_or_else(|| Error::row(offset, "wrong length of a compressed row"))
    }

    fn lengths(&self, head: &[u8], offset: u64) -> Option<Place> {
        let mut at = 0;
        let len = self.length(head, &mut at)?;
        let blobs = if self.has_blobs { self.length(head, &mut at)? } else { 0 };
        Some(Place { start: offset + at as u64, len, blobs })
    }

    fn length(&self, head: &[u8], at: &mut usize) -> Option<u64> {
        let first = *head.get(*at)?;
        let more = match (first, self.version) {
            (0..=253, _) => 0,
            (254, _) => 2,
            (_, 1) => 3,
            _ => 4,
        };
        let bytes = head.get(*at + 1..*at + 1 + more)?;
        *at += 1 + more;
        Some(if more == 0 {
            u64::from(first)
        } else {
            bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
        })
    }

    /// The row at `place`.
    ///
    /// # Errors
    /// 127 if its bits are no row.
    pub(crate) fn row<'a, S: PageSource>(
        &self,
        layout: &'a RowLayout,
        src: &S,
        offset: u64,
        place: Place,
        scratch: &'a mut RowScratch,
    ) -> Result<RowView<'a>> {
        match self.decoded(layout, src, place, place.blobs, scratch)? {
            Some((row, 0)) => Ok(row),
            _ => Err(Error::row(offset, "compressed row does not fit its columns")),
        }
    }

    /// The row at `place` and the bytes of its BLOBs, which may be others than it tells; none where its bits are no row.
    pub(crate) fn row_by_bits<'a, S: PageSource>(
        &self,
        layout: &'a RowLayout,
        src: &S,
        place: Place,
        scratch: &'a mut RowScratch,
    ) -> Result<Option<(RowView<'a>, u64)>> {
        let found = self.decoded(layout, src, place, LONGEST_ROW, scratch)?;
        Ok(found.map(|(row, left)| (row, LONGEST_ROW - left)))
    }

    /// The row at `place`, and how many of the bytes that its BLOBs may have are left.
    fn decoded<'a, S: PageSource>(
        &self,
        layout: &'a RowLayout,
        src: &S,
        place: Place,
        blobs: u64,
        scratch: &'a mut RowScratch,
    ) -> Result<Option<(RowView<'a>, u64)>> {
        let RowScratch { row, part, spans, extra } = scratch;
        // the last row may end the file, and be nothing but its length
        let run = if place.len > 0 { src.data_run(place.start)? } else { &[] };
        let bytes = match run.get(..place.len as usize) {
            Some(bytes) => bytes,
            None => src.data(place.start, place.len as usize, part)?,
        };
        row.clear();
        extra.clear();
        let Some(left) = self.decode(layout, bytes, blobs, (row, spans, extra)) else { return Ok(None) };
        let nulls = row.get(..layout.null_bytes).unwrap_or(&[]);
        Ok(Some((RowView { layout, bytes: row, spans, extra, nulls }, left)))
    }

    /// Decodes the columns, one behind the other; gives what is left of `blobs`.
    fn decode(
        &self,
        layout: &RowLayout,
        packed: &[u8],
        mut blobs: u64,
        (row, spans, extra): (&mut Vec<u8>, &mut Vec<Span>, &mut Vec<u8>),
    ) -> Option<u64> {
        spans.clear();
        spans.resize(layout.columns.len(), Span::default());
        let mut bits = BitReader::new(packed);
        for (coding, column) in self.codings.iter().zip(&layout.stored) {
            let start = row.len();
            self.column(coding, column, &mut bits, &mut blobs, row)?;
            // what precedes the first column are the NULL bytes
            let null = column.null_mask != 0
                && row.get(column.null_pos as usize).is_none_or(|b| b & column.null_mask != 0);
            let Some(number) = column.column.filter(|_| !null) else { continue };
            let len = row.len() - start;
            let span = match column.form {
                ColumnForm::Varchar(bytes) if coding.base != Base::Varchar => {
                    counted(&row[start..], usize::from(bytes), start)?
                }
                _ => Span { start: start as u32, len: len as u32, source: Source::Row },
            };
            let (nulls, rest) = (layout.null_bytes.min(row.len()), &row[..]);
            spans[number as usize] = value_span(column, span, rest, &rest[..nulls], extra);
        }
        // rows end at a whole byte
        if bits.overrun() || bits.left() >= 8 {
            return None;
        }
        bare_values(layout, row.get(..layout.null_bytes)?, spans, extra);
        Some(blobs)
    }

    /// Appends a column: the bytes of its place in a row, or those of a VARCHAR or BLOB without their length.
    #[inline]
    fn column(
        &self,
        coding: &Coding,
        column: &StoredColumn,
        bits: &mut BitReader<'_>,
        blobs: &mut u64,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let tree = &self.trees[coding.tree];
        let length = column.length as usize;
        let flags = coding.flags;
        let fill = |out: &mut Vec<u8>, n: usize, byte: u8| out.resize(out.len() + n, byte);
        let zeros = if flags & FLAG_ZERO_FILL != 0 { coding.length_bits as usize } else { 0 };
        let fine = match coding.base {
            Base::SkipZero if bits.bit() => {
                fill(out, length, 0);
                true
            }
            Base::Normal | Base::EndSpace | Base::PreSpace if flags & FLAG_SPACES != 0 && bits.bit() => {
                fill(out, length, b' ');
                true
            }
            Base::SkipZero | Base::Normal => {
                let fine = tree.bytes(bits, length - zeros, out);
                fill(out, zeros, 0);
                fine
            }
            Base::EndSpace | Base::PreSpace if flags & FLAG_SELECTED != 0 && !bits.bit() => {
                tree.bytes(bits, length, out)
            }
            Base::EndSpace | Base::PreSpace => {
                let n = bits.take(coding.length_bits) as usize;
                let rest = length.checked_sub(n)?;
                if coding.base == Base::PreSpace {
                    fill(out, n, b' ');
                    tree.bytes(bits, rest, out)
                } else {
                    let fine = tree.bytes(bits, rest, out);
                    fill(out, n, b' ');
                    fine
                }
            }
            Base::Constant => {
                out.extend_from_slice(tree.table.as_ref()?.get(..length)?);
                true
            }
            Base::Interval => {
                let at = usize::from(tree.symbol(bits)) * length;
                out.extend_from_slice(tree.table.as_ref()?.get(at..at + length)?);
                true
            }
            Base::Zero if matches!(column.form, ColumnForm::Blob(_)) => true,
            Base::Zero => {
                fill(out, length, 0);
                true
            }
            Base::Blob | Base::Varchar if bits.bit() => true,
            Base::Blob => {
                let n = u64::from(bits.take(coding.length_bits));
                *blobs = blobs.checked_sub(n)?;
                tree.bytes(bits, n as usize, out)
            }
            Base::Varchar => {
                let n = bits.take(coding.length_bits) as usize;
                n <= length && tree.bytes(bits, n, out)
            }
        };
        fine.then_some(())
    }
}

/// The value of a VARCHAR that was decoded with its length, of `bytes` bytes, as rows have it.
fn counted(value: &[u8], bytes: usize, start: usize) -> Option<Span> {
    let n = value.get(..bytes)?.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b));
    let fits = n <= value.len() - bytes;
    fits.then_some(Span { start: (start + bytes) as u32, len: n as u32, source: Source::Row })
}

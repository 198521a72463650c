//! Checking the data file against itself and against the keys.

use super::check::{Check, CheckOptions, Depth, IndexTotals, bad_bytes, key_checksum};
use super::rects::has_row;
use crate::error::{Error, Result};
use crate::key::Tie;
use crate::key::encode::encode_row;
use crate::myi::{ColumnKind, NIL};
use crate::pointer::put_pointer;
use crate::row::block::{self, Block, BlockKind};
use crate::row::view::{RowLayout, trim_spaces};
use crate::row::{RowScratch, RowView, checksum};
use crate::source::PageSource;
use crate::{KeyCursor, RowBuf, RowPos, TableFormat};

/// What the rows add up to.
#[derive(Default)]
struct Totals {
    rows: u64,
    deleted: u64,
    deleted_bytes: u64,
    parts: u64,
    used: u64,
    positions: u64,
    checksum: u32,
    key_sums: Vec<u32>,
}

/// Rows, one by one.
struct Rows<'a, S> {
    format: &'a TableFormat,
    src: &'a S,
    extended: bool,
    index: Option<&'a IndexTotals>,
    cursors: Vec<Option<KeyCursor>>,
    /// Active SPATIAL keys.
    spatial: Vec<bool>,
    totals: Totals,
    flat: Vec<u8>,
    pointer: Vec<u8>,
    crc: Vec<u8>,
    complete: Option<super::Complete<'a>>,
    whole: RowBuf,
}

/// Checks the rows; with `index` also whether the keys have them.
pub(super) fn check_data<S: PageSource>(
    format: &TableFormat,
    src: &S,
    options: &CheckOptions<'_>,
    index: Option<&IndexTotals>,
    check: &mut Check,
) -> Result<()> {
    let state = format.state(src);
    let cursors = (0..format.keys.len())
        .map(|k| {
            let active = index.is_some() && state.key_active(k) && format.keys[k].is_btree();
            active.then(|| KeyCursor::new(format, k))
        })
        .collect();
    let mut rows = Rows {
        format,
        src,
        extended: options.depth == Depth::Extended,
        index,
        cursors,
        spatial: format.keys.iter().map(|k| k.is_spatial() && state.key_active(k.number)).collect(),
        totals: Totals { key_sums: vec![0; format.keys.len()], ..Totals::default() },
        flat: Vec::new(),
        pointer: Vec::new(),
        crc: Vec::new(),
        complete: options.complete,
        whole: RowBuf::new(&format.layout),
    };
    let whole = if format.header.is_compressed() {
        rows.compressed(options, check)?
    } else if format.layout.fixed {
        rows.fixed(options, check)?
    } else {
        rows.dynamic(options, check)?
    };
    if whole {
        rows.compare_totals(check);
    }
    Ok(())
}

impl<S: PageSource> Rows<'_, S> {
    fn fixed(&mut self, options: &CheckOptions<'_>, check: &mut Check) -> Result<bool> {
        let layout = &*self.format.layout;
        let (each, len) = (layout.pack_reclength as u64, self.format.state(self.src).data_file_length());
        let (mut part, mut extra) = (Vec::new(), Vec::new());
        let mut offset = 0;
        while offset < len {
            if offset / each % 1024 == 0 && (options.kill)() {
                check.killed = true;
                return Ok(false);
            }
            let read = self.src.data(offset, layout.reclength.min((len - offset) as usize), &mut part);
            let bytes = match bad_bytes(read.map_err(Error::from))? {
                Some(b) if b.len() == layout.reclength && offset + each <= len => b,
                _ => {
                    check.error(format!("got error: 127 when reading datafile at record: {}", offset / each));
                    return Ok(false);
                }
            };
            self.totals.parts += 1;
            self.totals.used += each;
            if bytes[0] == 0 {
                self.totals.deleted += 1;
                self.totals.deleted_bytes += each;
            } else {
                layout.assemble_bits(bytes, &mut extra);
                let row = RowView::image(layout, bytes, &extra);
                if !self.row(RowPos(offset / each), offset, &row, check)? {
                    return Ok(false);
                }
            }
            offset += each;
        }
        Ok(true)
    }

    fn dynamic(&mut self, options: &CheckOptions<'_>, check: &mut Check) -> Result<bool> {
        let layout = &*self.format.layout;
        let len = self.format.state(self.src).data_file_length();
        let mut scratch = RowScratch::new();
        let mut offset = 0;
        while offset < len {
            if offset % 65536 < 64 && (options.kill)() {
                check.killed = true;
                return Ok(false);
            }
            let Some(block) = bad_bytes(block::read(self.src, offset, len, &mut scratch.part))? else {
                let head = bad_bytes(
                    self.src
                        .data(offset, 3.min((len - offset) as usize), &mut scratch.part)
                        .map_err(Error::from),
                )?;
                let b = |i: usize| head.and_then(|h| h.get(i).copied()).unwrap_or(0);
                check.error(format!(
                    "Wrong bytesec: {:>3}-{:>3}-{:>3} at linkstart: {offset}",
                    b(0),
                    b(1),
                    b(2)
                ));
                return Ok(false);
            };
            self.totals.parts += 1;
            let after = offset + block.total;
            match block.kind {
                BlockKind::Deleted { prev } => {
                    let outside = |link: u64| link != NIL && link >= len;
                    if outside(block.next) || outside(prev) {
                        check.error(format!("Delete link points outside datafile at {offset}"));
                        return Ok(false);
                    }
                    self.totals.deleted += 1;
                    self.totals.deleted_bytes += block.total;
                    self.totals.used += block.total;
                }
                BlockKind::Row | BlockKind::First => {
                    let Some(used) =
                        bad_bytes(chain_bytes(self.src, offset, &block, len, &mut scratch.part))?
                    else {
                        check.error(format!("Found wrong record at {offset}"));
                        return Ok(false);
                    };
                    self.totals.used += used;
                    let row = block::row(layout, self.src, offset, &block, len, &mut scratch);
                    let Some(row) = bad_bytes(row)? else {
                        check.error(format!("Found wrong packed record at {offset}"));
                        return Ok(false);
                    };
                    if row.bytes.len() < layout.min_pack_length || !is_canonical(layout, row.bytes) {
                        check.error(format!("Found wrong packed record at {offset}"));
                        return Ok(false);
                    }
                    if layout.checksum
                        && row.bytes.last() != Some(&(checksum::stored_checksum(&row, &mut self.crc) as u8))
                    {
                        check.error(format!("Found wrong packed record at {offset}"));
                        return Ok(false);
                    }
                    if !self.row(RowPos(offset), offset, &row, check)? {
                        return Ok(false);
                    }
                }
                BlockKind::Middle | BlockKind::Last => {}
            }
            offset = after;
        }
        Ok(true)
    }

    fn compressed(&mut self, options: &CheckOptions<'_>, check: &mut Check) -> Result<bool> {
        let layout = &*self.format.layout;
        let compression = self.format.compression()?;
        let len = self.format.state(self.src).data_file_length();
        let mut scratch = RowScratch::new();
        let mut offset = compression.first_row;
        self.totals.used = offset;
        while offset < len {
            if self.totals.parts.is_multiple_of(1024) && (options.kill)() {
                check.killed = true;
                return Ok(false);
            }
            let place = compression.place(self.src, offset, len, &mut scratch.part);
            let Some(place) = bad_bytes(place)? else {
                check.error(format!("Found wrong record at {offset}"));
                return Ok(false);
            };
            if place.start() - offset > u64::from(compression.longest_prefix) {
                let length = place.end() - place.start();
                check.error(format!("Found block with wrong recordlength: {length} at {offset}"));
                return Ok(false);
            }
            let row = compression.row(layout, self.src, offset, place, &mut scratch);
            let Some(row) = bad_bytes(row)? else {
                check.error(format!("Found wrong record at {offset}"));
                return Ok(false);
            };
            self.totals.parts += 1;
            self.totals.used += place.end() - offset;
            if !self.row(RowPos(offset), offset, &row, check)? {
                return Ok(false);
            }
            offset = place.end();
        }
        Ok(true)
    }

    /// Counts a row and looks for its keys. False = not to be gone on with.
    fn row(&mut self, pos: RowPos, offset: u64, row: &RowView<'_>, check: &mut Check) -> Result<bool> {
        self.totals.rows += 1;
        self.totals.positions = self.totals.positions.wrapping_add(offset);
        if self.has_checksum() {
            let crc = checksum::stored_checksum(row, &mut self.crc);
            self.totals.checksum = self.totals.checksum.wrapping_add(crc);
        }
        let row = match self.complete {
            Some(complete) => {
                complete(row, &mut self.whole);
                &self.whole.as_view()
            }
            None => row,
        };
        for (number, key) in self.format.keys.iter().enumerate() {
            if key.is_spatial() && self.extended && self.spatial[number] {
                if !has_row(self.format, self.src, key, row, pos)? {
                    check.error(format!(
                        "Record at: {offset:>10}  Can't find key for index: {:>2}",
                        number + 1
                    ));
                    return Ok(false);
                }
                continue;
            }
            let Some(cursor) = &mut self.cursors[number] else { continue };
            self.flat.clear();
            encode_row(key, row, &mut self.flat);
            if !self.extended {
                self.totals.key_sums[number] =
                    self.totals.key_sums[number].wrapping_add(key_checksum(&self.flat));
                continue;
            }
            self.pointer.clear();
            put_pointer(pos.0, key.rec_ref, &mut self.pointer);
            let parts = key.segments.len();
            let found = cursor.find(self.src, &self.flat, parts, Tie::Pointer(&self.pointer));
            let found = bad_bytes(found)?.unwrap_or(false)
                && cursor.pos() == pos
                && cursor.matches(&self.flat, parts);
            if !found {
                check.error(format!("Record at: {offset:>10}  Can't find key for index: {:>2}", number + 1));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compressed tables have the sum of their rows' checksums whether the definition asks for it or not.
    fn has_checksum(&self) -> bool {
        self.format.layout.checksum || self.format.header.is_compressed()
    }

    fn compare_totals(&self, check: &mut Check) {
        let state = self.format.state(self.src);
        let t = &self.totals;
        if t.rows != state.records() {
            let should = state.records();
            check.error(format!("Record-count is not ok; is {:<10}   Should be: {should}", t.rows));
        } else if self.has_checksum() && u64::from(t.checksum) != state.checksum() & 0xFFFF_FFFF {
            check.warning("Record checksum is not the same as checksum stored in the index file");
        } else if let Some(index) = self.index.filter(|index| !self.extended && !index.broken) {
            for (number, sum) in index.key_sums.iter().enumerate() {
                if sum.is_some_and(|s| s != t.key_sums[number]) {
                    check.error(format!(
                        "Checksum for key: {:>2} doesn't match checksum for records",
                        number + 1
                    ));
                    return;
                }
            }
        }
        if let Some(positions) = self.index.and_then(|index| index.positions)
            && positions != t.positions
            && t.rows == state.records()
        {
            check.error("Keypointers and record positions doesn't match");
        }
        if t.deleted_bytes != state.empty() {
            check.warning(format!("Found {} deleted space.   Should be {}", t.deleted_bytes, state.empty()));
        }
        if t.used != state.data_file_length() {
            let len = state.data_file_length();
            check.warning(format!(
                "Found {} bytes of record data and unused data of {len} in datafile",
                t.used
            ));
        }
        if t.deleted != state.del() {
            check.warning(format!("Found {:>10} deleted blocks       Should be: {}", t.deleted, state.del()));
        }
        if t.parts != state.split() {
            check.warning(format!("Found {:>10} key parts. Should be: {}", t.parts, state.split()));
        }
    }
}

/// Bytes of all blocks of a row.
fn chain_bytes<S: PageSource>(
    src: &S,
    offset: u64,
    first: &Block,
    len: u64,
    part: &mut Vec<u8>,
) -> Result<u64> {
    let (mut block, mut total, mut data) = (*first, first.total, first.data);
    while matches!(block.kind, BlockKind::First | BlockKind::Middle) {
        let next = block::read(src, block.next, len, part)?;
        let part = matches!(next.kind, BlockKind::Middle | BlockKind::Last);
        if !part || next.data == 0 || data + next.data > first.row {
            return Err(Error::row(offset, "parts of a row do not add up"));
        }
        data += next.data;
        total += next.total;
        block = next;
    }
    Ok(total)
}

/// Is every column packed as it must be? `bytes` have been unpacked without error.
pub(super) fn is_canonical(layout: &RowLayout, bytes: &[u8]) -> bool {
    let mut at = layout.pack_bits;
    let mut bit = 0;
    let number = |at: usize, n: usize| {
        bytes.get(at..at + n).map_or(0, |b| b.iter().rev().fold(0usize, |v, &x| v << 8 | usize::from(x)))
    };
    for s in &layout.stored {
        let length = s.length as usize;
        let packed = s.kind.has_pack_bit() && {
            let set = bytes[bit >> 3] >> (bit & 7) & 1 == 1;
            bit += 1;
            set
        };
        let take = match (s.kind, packed) {
            (ColumnKind::SkipZero | ColumnKind::Blob, true) => 0,
            (ColumnKind::SkipEndSpace | ColumnKind::SkipPreSpace, true) => {
                let mut count = 1;
                let mut n = number(at, 1);
                if length > 255 && n & 128 != 0 {
                    count = 2;
                    n = n & 127 | number(at + 1, 1) << 7;
                }
                let Some(left) = bytes.get(at + count..at + count + n) else { return false };
                let edge = if s.kind == ColumnKind::SkipEndSpace { left.last() } else { left.first() };
                if n + count >= length || edge == Some(&b' ') {
                    return false;
                }
                count + n
            }
            (ColumnKind::Blob, false) => {
                let width = length.saturating_sub(8);
                let n = number(at, width);
                if n == 0 {
                    return false;
                }
                width + n
            }
            (ColumnKind::Varchar, _) => match number(at, 1) {
                255 if length > 256 => 3 + (number(at + 1, 1) << 8 | number(at + 2, 1)),
                n => 1 + n,
            },
            (kind, _) => {
                let Some(value) = bytes.get(at..at + length) else { return false };
                let left = match kind {
                    ColumnKind::SkipZero if value.iter().all(|&b| b == 0) => return false,
                    ColumnKind::SkipEndSpace => trim_spaces(value).len(),
                    ColumnKind::SkipPreSpace => length - value.iter().take_while(|&&b| b == b' ').count(),
                    _ => length,
                };
                let count = if length > 255 && left > 127 { 2 } else { 1 };
                let strips = matches!(kind, ColumnKind::SkipEndSpace | ColumnKind::SkipPreSpace);
                if strips && left + count < length {
                    return false;
                }
                length
            }
        };
        at += take;
        if at > bytes.len() {
            return false;
        }
    }
    // Pack bits that belong to no column.
    (bit..layout.pack_bits * 8).all(|b| bytes[b >> 3] >> (b & 7) & 1 == 0)
}

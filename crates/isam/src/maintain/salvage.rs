//! Reading what can be read of a data file, whatever its state is.

use std::collections::HashMap;
use std::sync::Arc;

use pages::storage::StorageFile;

use super::check::bad_bytes;
use super::check_data::is_canonical;
use crate::error::{Error, Result};
use crate::myi::NIL;
use crate::row::block::{self, Block, BlockKind};
use crate::row::{RowLayout, RowScratch, RowView};
use crate::source::PageSource;
use crate::{RowPos, TableFormat};

/// Bytes looked through at once.
const WINDOW: u64 = 65536;

/// Most bytes behind a row's own that a block's head can tell.
const UNUSED: u64 = 255;

/// Most of them that are written: what is left of a longer block becomes one of its own.
const MOST_UNUSED: u64 = 48;

/// A `.MYD` as it lies on disk, without its index. Behind its end come zeros for the length of a block's head.
pub struct RawData {
    file: Arc<dyn StorageFile>,
    path: std::path::PathBuf,
    len: u64,
}

impl RawData {
    /// The file's bytes as they are now; nobody may write to it meanwhile.
    ///
    /// # Errors
    /// When its length cannot be found out.
    pub fn new(file: Arc<dyn StorageFile>, path: &std::path::Path) -> std::io::Result<RawData> {
        let len = file.len()?;
        Ok(RawData { file, path: path.to_owned(), len })
    }

    /// Length of the file in bytes.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }
}

impl PageSource for RawData {
    fn state(&self) -> &[u8] {
        &[]
    }

    fn index_page(&self, offset: u64, _: usize) -> pages::Result<&[u8]> {
        Err(pages::Error::corrupt(self.path.clone(), offset, "no index"))
    }

    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> pages::Result<&'a [u8]> {
        let behind = |end| end > self.len + block::MIN_BLOCK;
        if offset > self.len || offset.checked_add(len as u64).is_none_or(behind) {
            return Err(pages::Error::corrupt(self.path.clone(), offset, "outside the file"));
        }
        scratch.clear();
        scratch.resize(len, 0);
        let there = (self.len - offset).min(len as u64) as usize;
        self.file
            .read_exact_at(&mut scratch[..there], offset)
            .map_err(|e| pages::Error::io(self.path.clone(), "read", e))?;
        Ok(scratch)
    }

    fn data_run(&self, _: u64) -> pages::Result<&[u8]> {
        Ok(&[])
    }
}

/// Rows up to this length are looked for in the bytes that are read ahead.
const LONGEST_PLAIN: u64 = 64 << 10;

/// Bytes of a data file that are read at once.
const READ_AHEAD: usize = 256 << 10;

/// A part of a data file in memory, so that not every row asks the system for its bytes.
#[derive(Default)]
struct Window {
    from: u64,
    bytes: Vec<u8>,
}

impl Window {
    /// The bytes from `offset` on: at least `len`, or those up to the end of the file.
    #[inline]
    fn at(&mut self, data: &RawData, offset: u64, len: usize) -> Result<&[u8]> {
        let there =
            offset.checked_sub(self.from).map_or(0, |at| self.bytes.len().saturating_sub(at as usize));
        if there < len && there as u64 != data.len.saturating_sub(offset) {
            self.read(data, offset, len)?;
        }
        Ok(self.bytes.get((offset - self.from) as usize..).unwrap_or(&[]))
    }

    #[cold]
    fn read(&mut self, data: &RawData, offset: u64, len: usize) -> Result<()> {
        let want = (data.len.saturating_sub(offset)).min(len.max(READ_AHEAD) as u64) as usize;
        self.from = offset;
        self.bytes.resize(want, 0);
        let read = data.file.read_exact_at(&mut self.bytes, offset);
        read.map_err(|e| Error::Pages(pages::Error::io(data.path.clone(), "read", e)))
    }
}

/// Goes over the rows of a data file.
pub struct Salvage<'a> {
    /// How rows are laid out.
    pub format: &'a TableFormat,
    /// The file.
    pub data: &'a RawData,
    /// Rows that there should be, where that is known.
    pub rows: Option<u64>,
    /// Asked now and then.
    pub kill: &'a dyn Fn() -> bool,
}

/// What was found instead of a row; nothing where that is not told.
type Damage = String;

/// What the walk from block to block comes to.
enum Met<'a> {
    Row(u64, RowView<'a>),
    /// A block where no row starts, and its position.
    Passed(u64, Block),
    Damage(Damage),
}

/// Parts of rows that were met by the walk from block to block, or by following a row's links, but not by both.
#[derive(Default)]
struct Parts(HashMap<u64, [u64; 64]>);

impl Parts {
    /// Bytes of the file that one entry stands for: blocks begin at multiples of 4.
    const SPAN: u64 = 4 * 64 * 64;

    fn place(at: u64) -> (u64, usize, u64) {
        let bit = at % Parts::SPAN / 4;
        (at / Parts::SPAN, (bit / 64) as usize, 1 << (bit % 64))
    }

    fn met(&mut self, at: u64) {
        let (entry, word, bit) = Parts::place(at);
        let words = self.0.entry(entry).or_insert([0; 64]);
        words[word] ^= bit;
        if words.iter().all(|w| *w == 0) {
            self.0.remove(&entry);
        }
    }

    fn has(&self, at: u64) -> bool {
        let (entry, word, bit) = Parts::place(at);
        self.0.get(&entry).is_some_and(|words| words[word] & bit != 0)
    }
}

impl Salvage<'_> {
    /// Calls `f` for each row with its position and its offset in bytes, and `damage` for what is none. Both may end the walk by
    /// saying false.
    ///
    /// # Errors
    /// Those of reading the file and of `f`; `Killed`.
    pub fn each(
        &self,
        f: &mut dyn FnMut(RowPos, u64, &RowView<'_>) -> Result<bool>,
        damage: &mut dyn FnMut(Damage) -> bool,
    ) -> Result<()> {
        if self.format.layout.fixed { self.fixed(f) } else { self.dynamic(f, damage) }
    }

    fn check_killed(&self, count: u64) -> Result<()> {
        if count.is_multiple_of(1024) && (self.kill)() {
            return Err(Error::Pages(pages::ErrorKind::Killed.into()));
        }
        Ok(())
    }

    fn fixed(&self, f: &mut dyn FnMut(RowPos, u64, &RowView<'_>) -> Result<bool>) -> Result<()> {
        let layout = &*self.format.layout;
        let each = layout.pack_reclength as u64;
        let (mut window, mut extra) = (Window::default(), Vec::new());
        for n in 0..self.data.len() / each {
            self.check_killed(n)?;
            let bytes = window.at(self.data, n * each, each as usize)?;
            let bytes = bytes.get(..layout.reclength).ok_or(Error::row(n * each, "row beyond its file"))?;
            if bytes[0] == 0 {
                continue;
            }
            layout.assemble_bits(bytes, &mut extra);
            if !f(RowPos(n), n * each, &RowView::image(layout, bytes, &extra))? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Goes from block to block. Where that shows damage, a wrong length may have led past rows: they are looked for inside
    /// the blocks where no row starts. A sound file is not searched so: what its rows hold, or held, may look like rows.
    fn dynamic(
        &self,
        f: &mut dyn FnMut(RowPos, u64, &RowView<'_>) -> Result<bool>,
        damage: &mut dyn FnMut(Damage) -> bool,
    ) -> Result<()> {
        let mut parts = Parts::default();
        let (mut rows, mut sound) = (0, true);
        let whole = self.walk(Some(&mut parts), &mut |met| match met {
            Met::Row(offset, row) => {
                rows += 1;
                f(RowPos(offset), offset, &row)
            }
            Met::Passed(..) => Ok(true),
            Met::Damage(text) => {
                sound = false;
                Ok(text.is_empty() || damage(text))
            }
        })?;
        sound &= parts.0.is_empty() && self.rows.is_none_or(|n| n == rows);
        if sound || !whole {
            return Ok(());
        }
        let mut scratch = RowScratch::new();
        self.walk(None, &mut |met| match met {
            Met::Passed(offset, block) => {
                let vouched = matches!(block.kind, BlockKind::Middle | BlockKind::Last) && !parts.has(offset);
                if vouched {
                    Ok(true)
                } else {
                    self.inside(offset + 4, offset + block.total, &mut scratch, f)
                }
            }
            _ => Ok(true),
        })?;
        Ok(())
    }

    /// Goes from block to block; false = `visit` has ended it.
    fn walk(
        &self,
        mut parts: Option<&mut Parts>,
        visit: &mut dyn FnMut(Met<'_>) -> Result<bool>,
    ) -> Result<bool> {
        let len = self.data.len();
        let mut scratch = RowScratch::new();
        let mut links = Vec::new();
        let mut window = Window::default();
        let (mut offset, mut count) = (0, 0u64);
        while offset < len {
            self.check_killed(count)?;
            count += 1;
            if let Some((row, next)) = self.plain_row(offset, &mut window, &mut scratch)? {
                if !visit(Met::Row(offset, row))? {
                    return Ok(false);
                }
                offset = next;
                continue;
            }
            let found = match self.block(offset, &mut scratch.part)? {
                Ok(found) if matches!(found.kind, BlockKind::Row | BlockKind::First) => {
                    match self.row(offset, &found, &mut links, &mut scratch)? {
                        Ok(row) => {
                            if !visit(Met::Row(offset, row))? {
                                return Ok(false);
                            }
                            if let Some(parts) = &mut parts {
                                links.iter().for_each(|part| parts.met(*part));
                            }
                            Ok(found)
                        }
                        Err(damage) => Err(damage),
                    }
                }
                Ok(found) => {
                    if let Some(parts) = &mut parts
                        && matches!(found.kind, BlockKind::Middle | BlockKind::Last)
                    {
                        parts.met(offset);
                    }
                    Ok(found)
                }
                Err(damage) => Err(damage),
            };
            let goes_on = match &found {
                Err(text) => visit(Met::Damage(text.clone()))?,
                Ok(Block { kind: BlockKind::Row | BlockKind::First, header, data, total, .. }) => {
                    // bytes behind a row are zeros
                    let (from, end) = ((offset + header + data).next_multiple_of(4), offset + total);
                    if let Some(row) = self.behind(from, end, &mut links, &mut scratch)? {
                        visit(Met::Damage(Damage::new()))?;
                        offset = row;
                        continue;
                    }
                    true
                }
                Ok(found) => visit(Met::Passed(offset, *found))?,
            };
            if !goes_on {
                return Ok(false);
            }
            offset = match found {
                // Blocks begin at multiples of 4, whatever a damaged length says.
                Ok(found) => (offset + found.total).next_multiple_of(4),
                Err(_) => {
                    self.next_row(offset + 4, len, &mut links, &mut scratch)?.map_or(len, |(row, _)| row)
                }
            };
        }
        Ok(true)
    }

    /// A sound row in one piece, as nearly all are, and where what follows begins. None: it has to be looked at closely.
    #[inline]
    fn plain_row<'w>(
        &self,
        offset: u64,
        window: &'w mut Window,
        scratch: &'w mut RowScratch,
    ) -> Result<Option<(RowView<'w>, u64)>>
    where
        Self: 'w,
    {
        let layout: &'w RowLayout = &self.format.layout;
        let longest = (layout.max_pack_length.min(LONGEST_PLAIN) + MOST_UNUSED + block::MIN_BLOCK) as usize;
        let run = window.at(self.data, offset, longest)?;
        if run.len() < block::MIN_BLOCK as usize || !matches!(run[0], 1..=4) {
            return Ok(None);
        }
        let Some(found) = bad_bytes(block::parse(run, offset))? else { return Ok(None) };
        // more bytes behind it may hide another row
        let unused = found.total - found.header - found.data;
        let fits = found.data <= layout.max_pack_length && found.data >= layout.min_pack_length as u64;
        if !fits
            || unused >= block::MIN_BLOCK
            || found.total < block::MIN_BLOCK
            || offset + found.total > self.data.len()
        {
            return Ok(None);
        }
        let Some(bytes) = run.get(found.header as usize..(found.header + found.data) as usize) else {
            return Ok(None);
        };
        let RowScratch { spans, extra, .. } = scratch;
        let row = bad_bytes(block::unpacked(layout, bytes, offset, spans, extra))?;
        let row = row.filter(|row| is_canonical(layout, row.bytes));
        Ok(row.map(|row| (row, (offset + found.total).next_multiple_of(4))))
    }

    /// The first row in the bytes behind a row, which should be zeros.
    fn behind(
        &self,
        from: u64,
        end: u64,
        links: &mut Vec<u64>,
        scratch: &mut RowScratch,
    ) -> Result<Option<u64>> {
        if from + block::MIN_BLOCK > end {
            return Ok(None);
        }
        let Some((row, found)) = self.next_row(from, end, links, scratch)? else { return Ok(None) };
        let fits = row + found.total <= end || self.is_damaged(end.next_multiple_of(4), links, scratch)?;
        Ok(fits.then_some(row))
    }

    /// Rows that lie in the bytes of a block where none starts; false = `f` has ended it.
    fn inside(
        &self,
        from: u64,
        end: u64,
        scratch: &mut RowScratch,
        f: &mut dyn FnMut(RowPos, u64, &RowView<'_>) -> Result<bool>,
    ) -> Result<bool> {
        let (mut at, mut links) = (from, Vec::new());
        while let Some((offset, found)) = self.next_row(at, end, &mut links, scratch)? {
            at = (offset + found.header + found.data).next_multiple_of(4);
            // the block's end cuts the row in two: one of both is wrong
            if at > end && !self.is_damaged(end.next_multiple_of(4), &mut links, scratch)? {
                break;
            }
            if let Ok(row) = self.row(offset, &found, &mut links, scratch)?
                && !f(RowPos(offset), offset, &row)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the walk cannot go on at `offset`.
    fn is_damaged(&self, offset: u64, links: &mut Vec<u64>, scratch: &mut RowScratch) -> Result<bool> {
        if offset >= self.data.len() {
            return Ok(false);
        }
        Ok(match self.block(offset, &mut scratch.part)? {
            Ok(found) if matches!(found.kind, BlockKind::Row | BlockKind::First) => {
                self.row(offset, &found, links, scratch)?.is_err()
            }
            found => found.is_err(),
        })
    }

    /// The first sound row that starts at or behind `from`, before `end`.
    fn next_row(
        &self,
        from: u64,
        end: u64,
        links: &mut Vec<u64>,
        scratch: &mut RowScratch,
    ) -> Result<Option<(u64, Block)>> {
        let end = end.min(self.data.len());
        let mut window = Vec::new();
        let mut at = from;
        while at < end {
            self.check_killed(0)?;
            let len = WINDOW.min(end - at);
            let bytes = self.data.data(at, len as usize, &mut window)?;
            let heads = (0..bytes.len()).step_by(4).filter(|i| matches!(bytes[*i], 1..=6 | 13));
            let found: Vec<u64> = heads.map(|i| at + i as u64).collect();
            for offset in found {
                if let Ok(found) = self.block(offset, &mut scratch.part)?
                    && self.row(offset, &found, links, scratch)?.is_ok()
                {
                    return Ok(Some((offset, found)));
                }
            }
            at += len.next_multiple_of(4);
        }
        Ok(None)
    }

    /// The block at `offset`, or why there is none.
    fn block(&self, offset: u64, part: &mut Vec<u8>) -> Result<std::result::Result<Block, Damage>> {
        let len = self.data.len();
        let head = self.data.data(offset, block::MIN_BLOCK.min(len - offset) as usize, part)?;
        let byte = |i: usize| head.get(i).copied().unwrap_or(0);
        let (a, b, c) = (byte(0), byte(1), byte(2));
        let Some(mut found) = bad_bytes(block::parse(head, offset))? else {
            return Ok(Err(format!("Wrong bytesec: {a:>3}-{b:>3}-{c:>3} at {offset:>10}; Skipped")));
        };
        let starts = matches!(found.kind, BlockKind::Row | BlockKind::First);
        let deleted = matches!(found.kind, BlockKind::Deleted { .. });
        let too_long =
            !deleted && found.total - found.header > self.format.layout.max_pack_length + MOST_UNUSED;
        if too_long && starts {
            // the row may be sound: only the number of bytes behind it is not
            found.total = found.header + found.data;
        }
        // unused bytes at the end of the file need not be there
        if offset + found.total > len && !(starts && offset + found.header + found.data <= len) {
            return Ok(Err(match starts {
                true => format!("Found block that points outside data file at {offset}"),
                false => Damage::new(),
            }));
        }
        let impossible = if too_long { !starts } else { found.total < block::MIN_BLOCK };
        if impossible {
            let total = found.total;
            return Ok(Err(format!("Found block with impossible length {total} at {offset}; Skipped")));
        }
        if let BlockKind::Deleted { prev } = found.kind
            && [prev, found.next].iter().any(|link| *link != NIL && *link >= len)
        {
            return Ok(Err(format!("Delete link points outside datafile at {offset}")));
        }
        Ok(Ok(found))
    }

    /// The row that starts with `first` at `offset`, or what is wrong with it. `links` is filled with where its other parts are.
    fn row<'a>(
        &'a self,
        offset: u64,
        first: &Block,
        links: &mut Vec<u64>,
        scratch: &'a mut RowScratch,
    ) -> Result<std::result::Result<RowView<'a>, Damage>> {
        let layout = &*self.format.layout;
        if let Some(wrong) = self.chain_damage(offset, first, links, &mut scratch.part)? {
            return Ok(Err(wrong));
        }
        let len = self.data.len() + UNUSED;
        let row = bad_bytes(block::row(layout, self.data, offset, first, len, scratch))?
            .filter(|r| r.bytes.len() >= layout.min_pack_length && is_canonical(layout, r.bytes));
        Ok(row.ok_or_else(|| format!("Found wrong packed record at {offset}")))
    }

    /// What is wrong with the parts of a row.
    fn chain_damage(
        &self,
        start: u64,
        first: &Block,
        links: &mut Vec<u64>,
        part: &mut Vec<u8>,
    ) -> Result<Option<Damage>> {
        let len = self.data.len();
        links.clear();
        let mut found = *first;
        while matches!(found.kind, BlockKind::First | BlockKind::Middle) {
            let next = found.next;
            links.push(next);
            if next >= len {
                return Ok(Some(format!("Found link that points at {next} (outside data file) at {start}")));
            }
            let head = self.data.data(next, block::MIN_BLOCK.min(len - next) as usize, part)?;
            match bad_bytes(block::parse(head, next))? {
                Some(b) if next + b.header + b.data > len => {
                    return Ok(Some(format!("Found block that points outside data file at {start}")));
                }
                Some(b)
                    if matches!(b.kind, BlockKind::Middle | BlockKind::Last)
                        && (links.len() as u64) < len / 20 + 2 =>
                {
                    found = b;
                }
                _ => return Ok(Some(format!("Found wrong packed record at {start}"))),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_met_twice_are_forgotten() {
        let mut parts = Parts::default();
        let places = [0, 4, 252, 256, Parts::SPAN - 4, Parts::SPAN, 1 << 40];
        for at in places {
            parts.met(at);
        }
        assert!(places.iter().all(|at| parts.has(*at)));
        assert!(!parts.has(8) && !parts.has(Parts::SPAN + 4));
        for at in &places[1..] {
            parts.met(*at);
        }
        assert!(parts.has(0) && !parts.has(4) && parts.0.len() == 1);
        parts.met(0);
        assert!(parts.0.is_empty());
    }
}

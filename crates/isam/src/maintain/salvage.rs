//! Reading what can be read of a data file, whatever its state is.

use std::sync::Arc;

use pages::storage::StorageFile;

use super::check::bad_bytes;
use super::check_data::is_canonical;
use crate::error::{Error, Result};
use crate::myi::NIL;
use crate::row::block::{self, Block, BlockKind};
use crate::row::{RowScratch, RowView};
use crate::source::PageSource;
use crate::{RowPos, TableFormat};

/// Bytes looked through at once.
const WINDOW: u64 = 65536;

/// Most bytes behind a row's own in a block.
const UNUSED: u64 = 255;

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

/// Goes over the rows of a data file.
pub struct Salvage<'a> {
    /// How rows are laid out.
    pub format: &'a TableFormat,
    /// The file.
    pub data: &'a RawData,
    /// Asked now and then.
    pub kill: &'a dyn Fn() -> bool,
}

/// What was found instead of a row; nothing where that is not told.
type Damage = String;

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
        let (mut part, mut extra) = (Vec::new(), Vec::new());
        for n in 0..self.data.len() / each {
            self.check_killed(n)?;
            let bytes = self.data.data(n * each, layout.reclength, &mut part)?;
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

    /// Goes from block to block. Where one is none, whatever was passed since the last sound row is looked at again step by step:
    /// a wrong length in between may have led astray.
    fn dynamic(
        &self,
        f: &mut dyn FnMut(RowPos, u64, &RowView<'_>) -> Result<bool>,
        damage: &mut dyn FnMut(Damage) -> bool,
    ) -> Result<()> {
        let len = self.data.len();
        let mut scratch = RowScratch::new();
        // `sure` is where the last sound row's bytes end
        let (mut offset, mut sure, mut lost, mut count) = (0, 0, false, 0u64);
        while offset < len {
            self.check_killed(count)?;
            count += 1;
            let step = match self.block(offset, lost, &mut scratch.part)? {
                Ok(found) if matches!(found.kind, BlockKind::Row | BlockKind::First) => {
                    match self.row(offset, &found, &mut scratch)? {
                        Ok(row) => {
                            if !f(RowPos(offset), offset, &row)? {
                                return Ok(());
                            }
                            lost = false;
                            sure = (offset + found.header + found.data).next_multiple_of(4);
                            self.passed(sure, offset + found.total, &mut scratch)?
                                .map_or(Ok(found.total), |row| Ok(row - offset))
                        }
                        Err(damage) => Err(damage),
                    }
                }
                Ok(found) => {
                    let row = self.passed(offset + 4, offset + found.total, &mut scratch)?;
                    Ok(row.map_or(found.total, |row| row - offset))
                }
                Err(damage) => Err(damage),
            };
            match step {
                // Blocks begin at multiples of 4, whatever a damaged length says.
                Ok(total) => offset = (offset + total).next_multiple_of(4),
                Err(_) if lost => offset += 4,
                Err(text) => {
                    if !text.is_empty() && !damage(text) {
                        return Ok(());
                    }
                    lost = true;
                    offset = if sure < offset { sure } else { offset + 4 };
                }
            }
        }
        Ok(())
    }

    /// The first sound row that lies within a block's bytes where there should be none: the block's length is wrong then.
    fn passed(&self, from: u64, end: u64, scratch: &mut RowScratch) -> Result<Option<u64>> {
        let end = end.min(self.data.len());
        let mut window = Vec::new();
        let mut at = from;
        while at + block::MIN_BLOCK <= end {
            self.check_killed(at / WINDOW)?;
            let len = WINDOW.min(end - at);
            let bytes = self.data.data(at, len as usize, &mut window)?;
            let heads = (0..bytes.len()).step_by(4).filter(|i| matches!(bytes[*i], 1..=6 | 13));
            let found: Vec<u64> = heads.map(|i| at + i as u64).collect();
            for offset in found {
                let head = self.data.data(offset, block::MIN_BLOCK as usize, &mut scratch.part)?;
                let Some(found) = bad_bytes(block::parse(head, offset))? else { continue };
                let inside =
                    found.row >= self.format.layout.min_pack_length as u64 && offset + found.total <= end;
                if inside && self.row(offset, &found, scratch)?.is_ok() {
                    return Ok(Some(offset));
                }
            }
            at += len.next_multiple_of(4);
        }
        Ok(None)
    }

    /// The block at `offset`, or why there is none. While the way is `lost`, only blocks that others vouch for are passed over.
    fn block(
        &self,
        offset: u64,
        lost: bool,
        part: &mut Vec<u8>,
    ) -> Result<std::result::Result<Block, Damage>> {
        let len = self.data.len();
        let head = self.data.data(offset, block::MIN_BLOCK.min(len - offset) as usize, part)?;
        let byte = |i: usize| head.get(i).copied().unwrap_or(0);
        let (a, b, c) = (byte(0), byte(1), byte(2));
        let Some(found) = bad_bytes(block::parse(head, offset))? else {
            return Ok(Err(format!("Wrong bytesec: {a:>3}-{b:>3}-{c:>3} at {offset:>10}; Skipped")));
        };
        let starts = matches!(found.kind, BlockKind::Row | BlockKind::First);
        // unused bytes at the end of the file need not be there
        if offset + found.total > len && !(starts && offset + found.header + found.data <= len) {
            return Ok(Err(match starts {
                true => format!("Found block that points outside data file at {offset}"),
                false => Damage::new(),
            }));
        }
        if let BlockKind::Deleted { prev } = found.kind {
            let links = [prev, found.next];
            if links.iter().any(|link| *link != NIL && *link >= len) {
                return Ok(Err(format!("Delete link points outside datafile at {offset}")));
            }
            if lost && !(self.is_linked(prev, offset, true)? && self.is_linked(found.next, offset, false)?) {
                return Ok(Err(Damage::new()));
            }
        } else if lost && !starts {
            return Ok(Err(Damage::new()));
        }
        Ok(Ok(found))
    }

    /// Whether the deleted block at `at` links to the one at `offset`, as the `next` one or the one before. No block is fine.
    fn is_linked(&self, at: u64, offset: u64, next: bool) -> Result<bool> {
        if at == NIL {
            return Ok(true);
        }
        let mut part = Vec::new();
        if at.checked_add(block::MIN_BLOCK).is_none_or(|end| end > self.data.len()) {
            return Ok(false);
        }
        let head = self.data.data(at, block::MIN_BLOCK as usize, &mut part)?;
        Ok(match bad_bytes(block::parse(head, at))? {
            Some(Block { kind: BlockKind::Deleted { prev }, next: link, .. }) => {
                offset == if next { link } else { prev }
            }
            _ => false,
        })
    }

    /// The row that starts with `first` at `offset`, or what is wrong with it.
    fn row<'a>(
        &'a self,
        offset: u64,
        first: &Block,
        scratch: &'a mut RowScratch,
    ) -> Result<std::result::Result<RowView<'a>, Damage>> {
        let layout = &*self.format.layout;
        if let Some(wrong) = self.chain_damage(offset, first, &mut scratch.part)? {
            return Ok(Err(wrong));
        }
        let len = self.data.len() + UNUSED;
        let row = bad_bytes(block::row(layout, self.data, offset, first, len, scratch))?
            .filter(|r| r.bytes.len() >= layout.min_pack_length && is_canonical(layout, r.bytes));
        Ok(row.ok_or_else(|| format!("Found wrong packed record at {offset}")))
    }

    /// What is wrong with the parts of a row.
    fn chain_damage(&self, start: u64, first: &Block, part: &mut Vec<u8>) -> Result<Option<Damage>> {
        let len = self.data.len();
        let mut found = *first;
        let mut seen = 0u64;
        while matches!(found.kind, BlockKind::First | BlockKind::Middle) {
            let next = found.next;
            seen += 1;
            if next >= len {
                return Ok(Some(format!("Found link that points at {next} (outside data file) at {start}")));
            }
            let head = self.data.data(next, block::MIN_BLOCK.min(len - next) as usize, part)?;
            match bad_bytes(block::parse(head, next))? {
                Some(b) if next + b.header + b.data > len => {
                    return Ok(Some(format!("Found block that points outside data file at {start}")));
                }
                Some(b) if matches!(b.kind, BlockKind::Middle | BlockKind::Last) && seen < len / 20 + 2 => {
                    found = b;
                }
                _ => return Ok(Some(format!("Found wrong packed record at {start}"))),
            }
        }
        Ok(None)
    }
}

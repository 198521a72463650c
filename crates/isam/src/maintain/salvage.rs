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

/// A `.MYD` as it lies on disk, without its index.
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
        if offset.checked_add(len as u64).is_none_or(|end| end > self.len) {
            return Err(pages::Error::corrupt(self.path.clone(), offset, "outside the file"));
        }
        scratch.resize(len, 0);
        self.file
            .read_exact_at(scratch, offset)
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

/// What was found instead of a row.
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

    fn dynamic(
        &self,
        f: &mut dyn FnMut(RowPos, u64, &RowView<'_>) -> Result<bool>,
        damage: &mut dyn FnMut(Damage) -> bool,
    ) -> Result<()> {
        let layout = &*self.format.layout;
        let len = self.data.len();
        let mut scratch = RowScratch::new();
        let (mut offset, mut lost, mut count) = (0, false, 0u64);
        while offset < len {
            self.check_killed(count)?;
            count += 1;
            let head =
                self.data.data(offset, block::MIN_BLOCK.min(len - offset) as usize, &mut scratch.part)?;
            let byte = |i: usize| head.get(i).copied().unwrap_or(0);
            let bytes = [byte(0), byte(1), byte(2)];
            let Some(found) = bad_bytes(block::parse(head, offset))? else {
                // the next block is looked for step by step
                if !lost {
                    let [a, b, c] = bytes;
                    if !damage(format!("Wrong bytesec: {a:>3}-{b:>3}-{c:>3} at {offset:>10}; Skipped")) {
                        return Ok(());
                    }
                }
                lost = true;
                offset += 4;
                continue;
            };
            let starts = matches!(found.kind, BlockKind::Row | BlockKind::First);
            if offset + found.total > len {
                if !lost
                    && starts
                    && !damage(format!("Found block that points outside data file at {offset}"))
                {
                    return Ok(());
                }
                lost = true;
                offset += 4;
                continue;
            }
            if starts {
                let wrong = self.chain_damage(offset, &found, &mut scratch.part)?;
                let row = match &wrong {
                    Some(_) => None,
                    None => bad_bytes(block::row(layout, self.data, offset, &found, len, &mut scratch))?
                        .filter(|r| r.bytes.len() >= layout.min_pack_length && is_canonical(layout, r.bytes)),
                };
                match row {
                    Some(row) => {
                        lost = false;
                        if !f(RowPos(offset), offset, &row)? {
                            return Ok(());
                        }
                    }
                    None if lost => {
                        offset += 4;
                        continue;
                    }
                    None => {
                        let text = wrong.unwrap_or_else(|| format!("Found wrong packed record at {offset}"));
                        if !damage(text) {
                            return Ok(());
                        }
                        lost = true;
                    }
                }
            } else if let BlockKind::Deleted { prev } = found.kind
                && [prev, found.next].iter().any(|link| *link != NIL && *link >= len)
            {
                if !lost && !damage(format!("Delete link points outside datafile at {offset}")) {
                    return Ok(());
                }
                lost = true;
                offset += 4;
                continue;
            } else if lost && !self.is_plausible(offset, &found) {
                offset += 4;
                continue;
            } else {
                lost = false;
            }
            offset += found.total;
        }
        Ok(())
    }

    /// What is wrong with the parts of a row.
    fn chain_damage(&self, start: u64, first: &Block, part: &mut Vec<u8>) -> Result<Option<Damage>> {
        let len = self.data.len();
        let mut found = *first;
        let mut seen = 0u64;
        while matches!(found.kind, BlockKind::First | BlockKind::Middle) {
            let next = found.next;
            seen += 1;
            if next.checked_add(block::MIN_BLOCK).is_none_or(|end| end > len) {
                return Ok(Some(format!("Found link that points at {next} (outside data file) at {start}")));
            }
            let head = self.data.data(next, block::MIN_BLOCK as usize, part)?;
            match bad_bytes(block::parse(head, next))? {
                Some(b) if next + b.total > len => {
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

    /// Among garbage only what fits its surroundings is taken for a block without a row's beginning.
    fn is_plausible(&self, offset: u64, found: &Block) -> bool {
        let next = offset + found.total;
        let mut part = Vec::new();
        if next + block::MIN_BLOCK > self.data.len() {
            return next == self.data.len();
        }
        let head = self.data.data(next, block::MIN_BLOCK as usize, &mut part);
        head.is_ok_and(|h| block::parse(h, next).is_ok())
    }
}

//! Repair of a compressed table nobody has open: the rows that can be read stay as they are packed, the keys are built anew.

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::files::{ClosedTable, FileRows, Step, ToolError};
use super::write::put_length;
use crate::error::{Error, Result};
use crate::maintain::SortSettings;
use crate::maintain::check::bad_bytes;
use crate::myi::{StateMut, StateView};
use crate::row::RowScratch;
use crate::row::checksum::stored_checksum;
use crate::row::compressed::{Compression, Place, TRAILER};
use crate::source::PageSource;
use crate::{RowView, TableFormat};

/// Rows that must follow each other where the walk goes on behind damage.
const PROOF: usize = 4;

/// Most damages that are told one by one.
const MOST_NOTES: usize = 100;

/// What became of a repair.
#[derive(Clone, Debug, Default)]
pub struct Repaired {
    /// Rows of the table now.
    pub rows: u64,
    /// Rows that its index told before.
    pub before: u64,
    /// What was met, as the reference's own tool words it.
    pub notes: Vec<String>,
    /// Some keys could not be built, so none were.
    pub keys_off: bool,
}

/// A row that was met.
pub struct Met<'a> {
    /// Its offset, that of its bits, and that behind it.
    pub place: (u64, u64, u64),
    /// The row.
    pub row: &'a RowView<'a>,
    /// Bytes of its BLOBs, where it tells another number.
    pub blobs: Option<u64>,
}

/// Goes over the rows of a compressed data file, whatever its state is.
pub struct PackedSalvage<'a, S> {
    format: &'a TableFormat,
    compression: &'a Compression,
    src: &'a S,
    /// Where the rows end.
    end: u64,
}

impl<'a, S: PageSource> PackedSalvage<'a, S> {
    /// The rows of `src`, a file of `length` bytes; `told` is how many of them the index says that rows take.
    ///
    /// # Errors
    /// 138 for a table that is not compressed.
    pub fn new(format: &'a TableFormat, src: &'a S, length: u64, told: u64) -> Result<Self> {
        let compression = format.compression()?;
        let mut end = length.saturating_sub(TRAILER);
        if told != end && compression.shortest > 0 {
            // cut off: the last bytes may be those of a row
            let mut last = Vec::new();
            let from = length.saturating_sub(TRAILER).max(compression.first_row.min(length));
            let zeros =
                match bad_bytes(src.data(from, (length - from) as usize, &mut last).map_err(Error::from))? {
                    Some(bytes) => bytes.iter().rev().take_while(|b| **b == 0).count() as u64,
                    None => 0,
                };
            end = length - zeros;
        }
        Ok(PackedSalvage { format, compression, src, end })
    }

    /// Calls `f` for each row, and `damage` for what is none. Both may end the walk
    /// by saying false.
    ///
    /// # Errors
    /// Those of reading and of `f`.
    pub fn each(
        &self,
        f: &mut dyn FnMut(Met<'_>) -> Result<bool>,
        damage: &mut dyn FnMut(String) -> bool,
    ) -> Result<()> {
        let mut scratch = RowScratch::new();
        let mut at = self.compression.first_row;
        while at < self.end {
            let Some(place) = self.place(at, &mut scratch)? else {
                if !damage(format!("Found wrong stored record at {at}")) {
                    return Ok(());
                }
                at = self.resume(at + 1, &mut scratch)?;
                continue;
            };
            let layout = &*self.format.layout;
            let row =
                bad_bytes(self.compression.row_by_bits(layout, self.src, place, &mut scratch))?.flatten();
            if let Some((row, blobs)) = row {
                let blobs = (blobs != place.blobs()).then_some(blobs);
                if !f(Met { place: (at, place.start(), place.end()), row: &row, blobs })? {
                    return Ok(());
                }
                at = place.end();
                continue;
            }
            if !damage(format!("Found wrong stored record at {at}")) {
                return Ok(());
            }
            // its length may be sound though it is not
            at = match self.is_sound(place.end(), &mut scratch)? {
                true => place.end(),
                false => self.resume(at + 1, &mut scratch)?,
            };
        }
        Ok(())
    }

    fn place(&self, at: u64, scratch: &mut RowScratch) -> Result<Option<Place>> {
        bad_bytes(self.compression.place(self.src, at, self.end, &mut scratch.part))
    }

    /// The first place at or behind `at` from which rows follow each other; the end where there is none.
    fn resume(&self, at: u64, scratch: &mut RowScratch) -> Result<u64> {
        for at in at..self.end {
            if self.is_sound(at, scratch)? {
                return Ok(at);
            }
        }
        Ok(self.end)
    }

    /// Whether some rows, or all up to the end, follow each other from here.
    fn is_sound(&self, mut at: u64, scratch: &mut RowScratch) -> Result<bool> {
        for _ in 0..PROOF {
            if at == self.end {
                return Ok(true);
            }
            let Some(place) = self.place(at, scratch)? else { return Ok(false) };
            let row = self.compression.row(&self.format.layout, self.src, at, place, scratch);
            if bad_bytes(row)?.is_none() {
                return Ok(false);
            }
            at = place.end();
        }
        Ok(true)
    }
}

impl ClosedTable {
    /// Repairs a compressed table. `progress` is called now and then, and ends the work by saying false.
    ///
    /// # Errors
    /// When it is none, the head of its data file is damaged, or files cannot be written: it stays as it was then.
    pub fn repair(
        &self,
        sort: &SortSettings,
        progress: &mut dyn FnMut(Step) -> bool,
    ) -> std::result::Result<Repaired, ToolError> {
        let mut repaired = Repaired::default();
        self.or_clean(|| self.try_repair(&mut repaired, sort, progress))?;
        Ok(repaired)
    }

    fn try_repair(
        &self,
        repaired: &mut Repaired,
        sort: &SortSettings,
        progress: &mut dyn FnMut(Step) -> bool,
    ) -> std::result::Result<(), ToolError> {
        if !self.header().is_compressed() {
            return Err(ToolError::Refused("is not compressed"));
        }
        let (format, rows) = self.all_rows()?;
        let state = StateView::new(self.head(), format.offsets);
        repaired.before = state.records();
        let (data, index) = self.new_files();
        let salvage = PackedSalvage::new(format, &rows, rows.len(), state.data_file_length())?;
        let copy = Copy { table: self, rows: &rows, salvage: &salvage, data: &data };
        let written = copy.write(&HashSet::new(), &mut repaired.notes, progress)?;
        let mut head = self.new_head(&written);
        let repeated: HashSet<u64> =
            self.repeated(&head, &data, sort)?.into_iter().map(|pos| pos.0).collect();
        repaired.rows = written.rows;
        if !repeated.is_empty() {
            let mut told: Vec<u64> = repeated.iter().copied().collect();
            told.sort_unstable();
            tell(&mut repaired.notes, told.iter().map(|at| format!("Duplicate key for record at {at}")));
            let written = copy.write(&repeated, &mut Vec::new(), progress)?;
            head = self.new_head(&written);
            repaired.rows = written.rows;
        }
        repaired.keys_off = self.write_index(&mut head, &data, &index, (sort, false), progress)?;
        self.swap(&data, &index, false)?;
        Ok(())
    }

    /// The head of the `.MYI` with the state of the new rows.
    fn new_head(&self, written: &Written) -> Vec<u8> {
        let mut head = self.head().to_vec();
        head.truncate(self.header().base.keystart as usize);
        let mut new = StateMut::new(&mut head, self.header().state_offsets());
        new.set_options(self.header().options);
        new.set_records(written.rows);
        new.set_split(written.rows);
        new.set_data_file_length(written.length);
        new.set_checksum(u64::from(written.checksum));
        head
    }
}

/// Adds to what is told, as long as that is not too much.
fn tell(notes: &mut Vec<String>, more: impl Iterator<Item = String>) {
    notes.extend(more.take(MOST_NOTES.saturating_sub(notes.len())));
}

/// What was written.
#[derive(Default)]
struct Written {
    rows: u64,
    /// Bytes of the head and the rows.
    length: u64,
    checksum: u32,
}

/// A copy of the rows into a new data file.
struct Copy<'c> {
    table: &'c ClosedTable,
    rows: &'c FileRows,
    salvage: &'c PackedSalvage<'c, FileRows>,
    data: &'c Path,
}

impl Copy<'_> {
    /// Writes all rows but those that would lie at the offsets of `without` if none were left out.
    fn write(
        &self,
        without: &HashSet<u64>,
        notes: &mut Vec<String>,
        progress: &mut dyn FnMut(Step) -> bool,
    ) -> Result<Written> {
        let failed = |e| Error::Pages(pages::Error::io(self.data, "write", e));
        let mut out = BufWriter::with_capacity(1 << 18, self.table.create(self.data)?);
        let (mut bytes, mut prefix, mut crc) = (Vec::new(), Vec::new(), Vec::new());
        let first = self.salvage.compression.first_row;
        out.write_all(self.rows.data(0, first as usize, &mut bytes)?).map_err(failed)?;
        let mut written = Written { length: first, ..Written::default() };
        let mut all = first;
        self.salvage.each(
            &mut |met| {
                let (from, bits, end) = met.place;
                prefix.clear();
                match met.blobs {
                    Some(blobs) => {
                        put_length(end - bits, &mut prefix);
                        put_length(blobs, &mut prefix);
                    }
                    None => {
                        prefix.extend_from_slice(self.rows.data(from, (bits - from) as usize, &mut bytes)?);
                    }
                }
                let length = prefix.len() as u64 + end - bits;
                all += length;
                if without.contains(&(all - length)) {
                    return Ok(true);
                }
                out.write_all(&prefix).map_err(failed)?;
                out.write_all(self.rows.data(bits, (end - bits) as usize, &mut bytes)?).map_err(failed)?;
                written.checksum = written.checksum.wrapping_add(stored_checksum(met.row, &mut crc));
                written.length += length;
                written.rows += 1;
                if written.rows.is_multiple_of(1024) && !progress(Step::Rows(written.rows)) {
                    return Err(Error::Pages(pages::ErrorKind::Killed.into()));
                }
                Ok(true)
            },
            &mut |text| {
                tell(notes, std::iter::once(text));
                true
            },
        )?;
        out.write_all(&[0; TRAILER as usize]).map_err(failed)?;
        let out = out.into_inner().map_err(|e| failed(e.into_error()))?;
        self.table.sync(&out, self.data)?;
        Ok(written)
    }
}

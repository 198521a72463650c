//! A new index file for rows that stay where they are (CREATE INDEX, DROP INDEX): written from front to back beside the old
//! one, by nobody but us, so that nothing of it need be journaled.

use std::path::Path;
use std::sync::Arc;

use pages::storage::StorageFile;

use super::SortSettings;
use crate::error::Result;
use crate::myi::{NIL, StateMut, changed, option};
use crate::plain::PlainPage;
use crate::source::{PageSource, PageStore};
use crate::{RowPos, TableFormat, Writer};

/// Pages are written when so many bytes of them are together.
const BUFFER: usize = 256 << 10;

/// Where the new index file is written.
pub struct Target<'t> {
    /// The file, empty so far.
    pub file: &'t dyn StorageFile,
    /// Its name, for errors.
    pub path: &'t Path,
}

/// The old rows beside the new index.
struct IndexFile<'t, S> {
    rows: &'t S,
    target: Target<'t>,
    state: Vec<u8>,
    /// Pages that are not written yet; they begin at `written`.
    buffer: Vec<u8>,
    written: u64,
}

impl TableFormat {
    /// Whether rows that are stored as `self` says, in files with the state of `rows`, can stay where they are under a new index of
    /// the format `new`: their bytes are the same, a copy of them would have no other places, and keys can be built by sorting.
    #[must_use]
    pub fn rows_stay<S: PageSource>(&self, new: &TableFormat, rows: &S) -> bool {
        const ROWS: u16 =
            option::PACK_RECORD | option::COMPRESS_RECORD | option::CHECKSUM | option::NULL_FIELDS;
        let (old_head, new_head) = (&self.header, &new.header);
        let base = |h: &crate::myi::Header| {
            let b = &h.base;
            (b.reclength, b.pack_reclength, b.min_pack_length, b.pack_bits, b.rec_reflength)
        };
        let state = self.state(rows);
        let holes = state.del() > 0 || !self.layout.fixed && state.split() != state.records();
        old_head.options & ROWS == new_head.options & ROWS
            && !old_head.is_compressed()
            && base(old_head) == base(new_head)
            && old_head.columns == new_head.columns
            && !holes
            && (0..self.keys.len()).all(|key| state.key_active(key))
            && self.limit.is_none()
            && !new.keys.iter().any(|key| key.fulltext.as_ref().is_some_and(|words| words.foreign_parser))
    }
}

/// Writes the index file of `format` for the rows that `rows` has in the format `old`, of which [`TableFormat::rows_stay`] is
/// true: all keys are built by sorting. `kill` is asked now and then. The file is not synced.
///
/// # Errors
/// 126 and 127 for damaged tables, 121 if a unique key has duplicates, `Killed`, those of the disk.
pub fn write_index<S: PageSource>(
    (old, format): (&TableFormat, &Arc<TableFormat>),
    (rows, auto_increment): (&S, u64),
    target: Target<'_>,
    sort: &SortSettings,
    kill: &dyn Fn() -> bool,
) -> Result<()> {
    let before = old.state(rows);
    let records = before.records();
    let mut head = format.header.write_new(schema::clock::now().as_secs() as u32, auto_increment);
    let mut state = StateMut::new(&mut head, format.offsets);
    state.set_records(records);
    state.set_split(before.split());
    state.set_dellink(NIL);
    state.set_data_file_length(before.data_file_length());
    state.set_checksum(before.checksum());
    if records > 0 {
        state.set_changed(changed::CHANGED | changed::NOT_ANALYZED | changed::NOT_OPTIMIZED_KEYS);
    } else if !format.keys.is_empty() {
        // the reference server builds the keys of an empty table, too, which OPTIMIZE finds unsorted
        state.set_changed(changed::NOT_SORTED_PAGES);
    }
    // the reference server has the keys of a copy of so many rows built by a repair
    if records >= super::keys::BULK_ROWS && !format.keys.is_empty() {
        state.set_check_time(schema::clock::now().as_secs());
    }
    let definitions = head.split_off(format.offsets.len());
    let written = format.header.base.keystart;
    let mut writer =
        Writer::new(Arc::clone(format), IndexFile { rows, target, state: head, buffer: Vec::new(), written });
    writer.build_all(sort, kill)?;
    let mut file = writer.into_store();
    file.flush()?;
    file.state.extend_from_slice(&definitions);
    file.write(&file.state, 0)?;
    Ok(())
}

/// Writes the index file for rows that `rows` has in the format `format` already, under `head`, the first `keystart` bytes of the file,
/// which says all of the table but of its keys: these `keys` are built by sorting. The file is not synced.
///
/// # Errors
/// As [`write_index`].
pub(crate) fn write_under<S: PageSource>(
    format: &Arc<TableFormat>,
    mut head: Vec<u8>,
    rows: &S,
    target: Target<'_>,
    (keys, sort): (&[usize], &SortSettings),
) -> Result<()> {
    let definitions = head.split_off(format.offsets.len());
    let written = format.header.base.keystart;
    let mut writer =
        Writer::new(Arc::clone(format), IndexFile { rows, target, state: head, buffer: Vec::new(), written });
    if !keys.is_empty() {
        writer.build_counted(keys, sort)?;
    }
    let mut file = writer.into_store();
    file.flush()?;
    file.state.extend_from_slice(&definitions);
    file.write(&file.state, 0)?;
    Ok(())
}

/// Rows of `rows`, in the format `format` and with the state of `head`, that have the value of a unique key that a row before them has.
/// Nothing is written.
///
/// # Errors
/// 127 for damaged rows, `Killed`, those of the disk.
pub(crate) fn repeated<S: PageSource>(
    format: &Arc<TableFormat>,
    head: &[u8],
    (rows, target): (&S, Target<'_>),
    (sort, kill): (&SortSettings, &dyn Fn() -> bool),
) -> Result<Vec<RowPos>> {
    let state = head[..format.offsets.len()].to_vec();
    let pages = IndexFile { rows, target, state, buffer: Vec::new(), written: 0 };
    let writer = Writer::new(Arc::clone(format), pages);
    let mut found = Vec::new();
    for key in format.keys.iter().filter(|key| key.is_unique()) {
        found.append(&mut writer.repeated(key.number, sort, kill)?);
    }
    Ok(found)
}

impl<S> IndexFile<'_, S> {
    fn write(&self, bytes: &[u8], at: u64) -> pages::Result<()> {
        let Target { file, path } = &self.target;
        file.write_all_at(bytes, at).map_err(|e| pages::Error::io(path, "write", e))
    }

    fn flush(&mut self) -> pages::Result<()> {
        self.write(&self.buffer, self.written)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn elsewhere(&self, offset: u64) -> pages::Error {
        pages::Error::corrupt(self.target.path, offset, "a new index is written from front to back")
    }
}

impl<S: PageSource> PageSource for IndexFile<'_, S> {
    fn state(&self) -> &[u8] {
        &self.state
    }

    fn index_page(&self, offset: u64, _len: usize) -> pages::Result<&[u8]> {
        Err(self.elsewhere(offset))
    }

    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> pages::Result<&'a [u8]> {
        self.rows.data(offset, len, scratch)
    }

    fn data_run(&self, offset: u64) -> pages::Result<&[u8]> {
        self.rows.data_run(offset)
    }
}

impl<S: PageSource> PageStore for IndexFile<'_, S> {
    type Page<'a>
        = PlainPage<'a>
    where
        Self: 'a;

    fn state_mut(&mut self) -> &mut [u8] {
        &mut self.state
    }

    fn index_page_mut(&mut self, offset: u64, _len: usize) -> pages::Result<PlainPage<'_>> {
        Err(self.elsewhere(offset))
    }

    fn index_page_new(&mut self, offset: u64, len: usize) -> pages::Result<PlainPage<'_>> {
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        let at = self.buffer.len();
        if offset != self.written + at as u64 {
            return Err(self.elsewhere(offset));
        }
        self.buffer.resize(at + len, 0);
        Ok(PlainPage(&mut self.buffer[at..]))
    }

    fn data_write(&mut self, offset: u64, _bytes: &[u8]) -> pages::Result<()> {
        Err(self.elsewhere(offset))
    }

    fn raise_auto_increment(&self, _value: u64) {}
}

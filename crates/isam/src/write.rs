//! Changing a table: rows and keys together.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::bulk::Gathering;
use crate::error::{Error, Result};
use crate::key::encode::encode_row;
use crate::key::{KeyInfo, Tie};
use crate::myi::{NIL, StateMut, changed};
use crate::pointer::put_pointer;
use crate::row::store::{DataEdit, DataScratch};
use crate::row::{RowScratch, RowView, checksum, pack};
use crate::sorting::SortSettings;
use crate::source::PageStore;
use crate::tree::edit::{TreeEdit, TreeScratch};
use crate::tree::insert::Inserted;
use crate::tree::words::{Payload, word_entry};
use crate::waiting::{ManyRows, Waiting};
use crate::{KeyCursor, Limit, RowPos, TableFormat};

/// Weights of a word before and after an UPDATE that are nearer than this are the same.
const WEIGHT_TOLERANCE: f64 = 1e-5;

/// Changes one table through its pages. Rows and keys are kept in step; a change that is refused for a duplicate key leaves
/// the table as it was. After any other error the statement must be undone (rollback to its mark): pages may be changed in part.
/// Statements are made of marks and commits of the page store, reached through [`Writer::store_mut`].
#[derive(Debug)]
pub struct Writer<S> {
    format: Arc<TableFormat>,
    store: S,
    scratch: WriteScratch,
    /// Entries of keys that wait, while many rows are inserted, changed or deleted.
    waiting: Option<Waiting>,
    /// Entries of keys that are built in the end, while many rows are inserted into an empty table.
    gathering: Option<Box<Gathering>>,
    /// Keys wait for the end of a statement.
    bulk: bool,
    /// Rows may be written, and no key but those of plain entries asks anything of them.
    easy: bool,
    /// Changes of keys are counted in the state.
    counts: bool,
}

/// What a writer works in. It may go from one writer to the next, of any table, so that nothing is allocated anew.
#[derive(Debug, Default)]
pub struct WriteScratch {
    tree: TreeScratch,
    data: DataScratch,
    key: Vec<u8>,
    old_key: Vec<u8>,
    row: Vec<u8>,
    crc: Vec<u8>,
}

impl WriteScratch {
    /// Bytes it holds for rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.row.capacity() + self.crc.capacity() + self.data.size()
    }
}

/// The entry of a row in a key: flat key, then row pointer. Returns the length of the flat key, and whether it has a NULL.
fn entry(key: &KeyInfo, row: &RowView<'_>, pos: RowPos, out: &mut Vec<u8>) -> (usize, bool) {
    out.clear();
    let null = encode_row(key, row, out);
    let flat = out.len();
    put_pointer(pos.0, key.rec_ref, out);
    (flat, null)
}

impl<S: PageStore> Writer<S> {
    /// Has the state count rows whose keys change (`update_count`), as cursors of MEMORY tables ask.
    #[must_use]
    pub fn counting(self) -> Writer<S> {
        Writer { counts: true, ..self }
    }

    fn note_keys(&mut self) {
        if self.counts {
            let n = self.format.state(&self.store).update_count();
            self.state_mut().set_update_count(n.wrapping_add(1));
        }
    }

    /// Writes into `store`, whose files are laid out as `format` says.
    pub fn new(format: Arc<TableFormat>, store: S) -> Writer<S> {
        let special = |key: &Arc<KeyInfo>| key.long_hash.is_some() || key.is_spatial() || key.is_fulltext();
        let easy = !format.header.is_compressed() && !format.keys.iter().any(special);
        let (scratch, bulk) = (WriteScratch::default(), false);
        Writer { format, store, scratch, waiting: None, gathering: None, bulk, easy, counts: false }
    }

    /// Works in what another writer has worked in.
    #[must_use]
    pub fn with_scratch(self, scratch: WriteScratch) -> Writer<S> {
        Writer { scratch, ..self }
    }

    /// Layout of the table.
    #[must_use]
    pub fn format(&self) -> &Arc<TableFormat> {
        &self.format
    }

    /// The working view, for reading the writer's own changes.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The store, for marks, rollback and commit.
    pub fn store_mut(&mut self) -> &mut S {
        &mut self.store
    }

    /// Gives the store back. What waits is lost: the statement was undone, or [`Writer::end_waiting`] came before.
    pub fn into_store(self) -> S {
        self.store
    }

    /// As [`Writer::into_store`], with what it worked in.
    pub fn into_parts(self) -> (S, WriteScratch) {
        (self.store, self.scratch)
    }

    /// Lets keys that refuse nothing wait while many rows are inserted. Their entries are put into the trees in order by
    /// [`Writer::end_waiting`], which has to follow before the commit. Not for tables in memory: the room that their keys take is looked at row
    /// by row.
    pub fn begin_waiting(&mut self, settings: &SortSettings) {
        if self.format.limit.is_none() && self.check_writable().is_ok() {
            self.waiting = Waiting::new(&self.format, settings, ManyRows::Insert, |key| self.active(key));
        }
    }

    /// Lets keys wait while many rows are changed, or deleted: those that refuse nothing, or all. Each row may be changed once;
    /// [`Writer::end_waiting`] has to follow before the commit, and before anybody looks into keys for rows of the statement. That a key does not
    /// have a row is found there, too.
    pub fn begin_changes(&mut self, work: ManyRows, settings: &SortSettings) {
        if self.waiting.is_none() && self.gathering.is_none() && self.check_writable().is_ok() {
            self.waiting = Waiting::new(&self.format, settings, work, |key| self.active(key));
        }
    }

    /// Ends what waits before rows are changed, if others than these wait.
    fn prepare_for(&mut self, work: ManyRows) -> Result<()> {
        match self.waiting.as_ref().map(Waiting::work) {
            None => {}
            // a row may leave a table by UPDATE, for another partition, and keys that refuse nothing take one
            Some(waits) if waits == work || waits == ManyRows::Update => {}
            Some(_) => {
                self.insert_waiting(&|| false)?;
                if work == ManyRows::Insert {
                    self.waiting = None;
                }
            }
        }
        if work != ManyRows::Insert {
            self.end_gathering(&|| false)?;
        }
        Ok(())
    }

    /// Puts the entries that wait into their trees; none wait from now on.
    ///
    /// # Errors
    /// Those of the files, and that `stop` says so, which is asked now and then: the statement must be undone.
    pub fn end_waiting(&mut self, stop: &dyn Fn() -> bool) -> Result<()> {
        self.end_gathering(stop)?;
        self.insert_waiting(stop)?;
        self.waiting = None;
        Ok(())
    }

    fn insert_waiting(&mut self, stop: &dyn Fn() -> bool) -> Result<()> {
        let Some(waiting) = self.waiting.as_mut().filter(|w| !w.is_empty()) else { return Ok(()) };
        let Writer { format, store, scratch, .. } = self;
        waiting.insert(format, (store, &mut scratch.tree), stop)
    }

    /// Whether keys wait until [`Writer::bulk_end`].
    #[must_use]
    pub fn is_bulk(&self) -> bool {
        self.bulk
    }

    pub(crate) fn set_bulk(&mut self, waits: bool) -> bool {
        self.bulk = waits;
        waits
    }

    /// While rows are inserted into an empty table, collects the entries of keys that wait since [`Writer::bulk_begin`], so that nobody has to
    /// read the rows for them, and builds unique keys whose values ascend. To be called before the first row, and followed by
    /// [`Writer::end_waiting`] before the commit.
    pub fn gather_keys(&mut self, settings: &SortSettings) {
        let empty = self.format.state(&self.store).records() == 0 && self.check_writable().is_ok();
        if empty && self.format.limit.is_none() {
            let map = if self.bulk { u64::MAX } else { 0 };
            let gathering = Gathering::new(&self.format, &self.store, map, settings);
            self.gathering = Some(Box::new(gathering));
        }
    }

    /// Collects the entries of those keys of `map` that are not maintained, while rows are copied into a new table whose keys are built in
    /// the end.
    pub(crate) fn gather_these(&mut self, map: u64, settings: &SortSettings) {
        self.gathering = Some(Box::new(Gathering::new(&self.format, &self.store, map, settings)));
    }

    /// What was collected so far; all keys that are maintained have their trees from now on.
    pub(crate) fn end_gathering(&mut self, stop: &dyn Fn() -> bool) -> Result<Option<Box<Gathering>>> {
        let mut gathering = self.gathering.take();
        if let Some(gathering) = &mut gathering {
            gathering.finish_trees(&self.format, &mut self.store, stop)?;
        }
        Ok(gathering)
    }

    fn state_mut(&mut self) -> StateMut<'_> {
        StateMut::new(self.store.state_mut(), self.format.offsets)
    }

    /// Refuses what cannot be written.
    fn check_writable(&self) -> Result<()> {
        if self.format.header.is_compressed() {
            return Err(Error::ReadOnly);
        }
        if self.format.keys.iter().any(|k| k.long_hash.as_ref().is_some_and(|hash| !hash.is_known())) {
            return Err(Error::Unsupported {
                what: "writing to a long unique key of this type or collation",
            });
        }
        if self.format.keys.iter().any(|k| k.fulltext.as_ref().is_some_and(|f| f.foreign_parser)) {
            return Err(Error::Unsupported { what: "writing to a table with a full-text parser plugin" });
        }
        Ok(())
    }

    /// Refuses a row without a geometry for an active SPATIAL key.
    fn check_geometries(&self, row: &RowView<'_>) -> Result<()> {
        let active = |key: &&Arc<KeyInfo>| key.is_spatial() && self.active(key.number);
        self.format.keys.iter().filter(active).try_for_each(|key| key.rect(row).map(|_| ()))
    }

    /// Whether a table in memory has room for a row more, which takes so many bytes.
    fn check_room(&self, bytes: usize) -> Result<()> {
        let Some(limit) = self.format.limit else { return Ok(()) };
        let state = self.format.state(&self.store);
        let used = state.data_file_length() + state.key_file_length();
        let reused = state.dellink() != NIL;
        let full = state.records() >= limit.rows || (!reused && used + bytes as u64 > limit.bytes);
        if full { Err(Error::TableFull) } else { Ok(()) }
    }

    /// Whether there is room for the row in `scratch.row` in the place of `old`.
    fn check_growth(&mut self, old: &RowView<'_>) -> Result<()> {
        if self.format.limit.is_none() || self.format.layout.fixed {
            return Ok(());
        }
        let mut before = Vec::new();
        pack::pack(old, &mut before)?;
        let more = self.scratch.row.len().saturating_sub(before.len());
        match self.format.limit {
            Some(Limit { bytes, .. }) if more > 0 => {
                let state = self.format.state(&self.store);
                let used = state.data_file_length() + state.key_file_length();
                if used + more as u64 > bytes { Err(Error::TableFull) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    fn mark_changed(&mut self) {
        self.state_mut().add_changed(changed::CHANGED | changed::NOT_ANALYZED | changed::NOT_OPTIMIZED_KEYS);
    }

    fn active(&self, key: usize) -> bool {
        self.format.state(&self.store).key_active(key)
    }

    fn tree<'a>(
        key: &'a KeyInfo,
        format: &TableFormat,
        store: &'a mut S,
        scratch: &'a mut TreeScratch,
    ) -> TreeEdit<'a, S> {
        TreeEdit::new(key, format.offsets, store, scratch)
    }

    fn data(&mut self) -> DataEdit<'_, S> {
        let Writer { format, store, scratch, .. } = self;
        DataEdit {
            layout: &format.layout,
            offsets: format.offsets,
            rec_ref: usize::from(format.header.base.rec_reflength),
            store,
            scratch: &mut scratch.data,
        }
    }

    /// Whether a key waits, and takes the entry in `scratch.key`.
    #[inline]
    fn waits(&mut self, key: usize, flat: usize, comes: bool) -> Result<bool> {
        let Some(waiting) = &mut self.waiting else { return Ok(false) };
        match waiting.take(&self.format.keys[key], &mut self.scratch.key, flat, comes) {
            Err(Error::Pages(e)) => self.stop_waiting(&e).map(|()| false),
            taken => taken,
        }
    }

    /// There is no room for what waits: it goes into the trees.
    #[cold]
    fn stop_waiting(&mut self, why: &pages::Error) -> Result<()> {
        tracing::warn!("{why}; keys are changed row by row");
        self.insert_waiting(&|| false)?;
        self.waiting = None;
        Ok(())
    }

    fn insert_key(&mut self, number: usize, row: &RowView<'_>, pos: RowPos) -> Result<Inserted> {
        let Writer { format, store, scratch, .. } = self;
        let key = &*format.keys[number];
        if let Some(fulltext) = &key.fulltext {
            let second = fulltext.second.as_deref();
            let mut tree = Self::tree(key, format, store, &mut scratch.tree);
            for w in fulltext.words(row) {
                let payload = Payload::Row(w.weight as f32, pos.0);
                let flat = word_entry(w.word, payload, tree.key.rec_ref, &mut scratch.key)?;
                tree.insert_word(second, &scratch.key, flat)?;
            }
            return Ok(Inserted::Done);
        }
        if key.is_spatial() {
            let rect = key.rect(row)?;
            Self::tree(key, format, store, &mut scratch.tree).insert_rect(rect, pos.0)?;
            return Ok(Inserted::Done);
        }
        let (flat, null) = entry(key, row, pos, &mut scratch.key);
        if self.waits(number, flat, true)? {
            return Ok(Inserted::Done);
        }
        let Writer { format, store, scratch, gathering, .. } = self;
        let key = &*format.keys[number];
        let mut tree = Self::tree(key, format, store, &mut scratch.tree);
        if let Some(gathering) = gathering
            && gathering.append(&mut tree, &scratch.key, flat)?
        {
            return Ok(Inserted::Done);
        }
        tree.insert(&scratch.key, flat, key.is_unique() && !null)
    }

    /// Takes the entry of a key that is built in the end, if such are collected.
    #[inline]
    fn collect(&mut self, key: usize, row: &RowView<'_>, pos: RowPos) -> Result<()> {
        let Some(gathering) = self.gathering.as_mut().filter(|g| g.collects(key)) else { return Ok(()) };
        let (flat, _) = entry(&self.format.keys[key], row, pos, &mut self.scratch.key);
        gathering.collect(key, &self.scratch.key, flat)
    }

    /// Takes the entries of a row that `key` refused back from the keys before it.
    fn take_back(&mut self, key: usize, row: &RowView<'_>, pos: RowPos) -> Result<()> {
        for undo in 0..key {
            let waits = self.waiting.as_mut().is_some_and(|w| w.pop(undo))
                || self.gathering.as_mut().is_some_and(|g| g.pop(undo));
            if !waits && self.active(undo) {
                self.delete_key(undo, row, pos)?;
            }
        }
        Ok(())
    }

    fn delete_key(&mut self, key: usize, row: &RowView<'_>, pos: RowPos) -> Result<()> {
        let Writer { format, store, scratch, .. } = self;
        let info = &*format.keys[key];
        if let Some(fulltext) = &info.fulltext {
            let second = fulltext.second.as_deref();
            let mut tree = Self::tree(info, format, store, &mut scratch.tree);
            for w in fulltext.words(row) {
                let payload = Payload::Row(w.weight as f32, pos.0);
                let flat = word_entry(w.word, payload, info.rec_ref, &mut scratch.key)?;
                if !tree.delete_word(second, &scratch.key, flat)? {
                    return Err(Error::KeyMissing { key, pos });
                }
            }
            return Ok(());
        }
        if info.is_spatial() {
            let mut tree = Self::tree(info, format, store, &mut scratch.tree);
            return match tree.delete_rect(info.rect(row)?, pos.0)? {
                true => Ok(()),
                false => Err(Error::KeyMissing { key, pos }),
            };
        }
        let (flat, _) = entry(info, row, pos, &mut scratch.key);
        if self.waits(key, flat, false)? {
            return Ok(());
        }
        let Writer { format, store, scratch, .. } = self;
        let info = &*format.keys[key];
        if Self::tree(info, format, store, &mut scratch.tree).delete(&scratch.key, flat)? {
            Ok(())
        } else {
            Err(Error::KeyMissing { key, pos })
        }
    }

    /// Changes the words of a row in a FULLTEXT key. A word in both texts gets its new weight only where that differs visibly.
    fn update_words(
        &mut self,
        number: usize,
        (old, new): (&RowView<'_>, &RowView<'_>),
        pos: RowPos,
    ) -> Result<()> {
        let Writer { format, store, scratch, .. } = self;
        let key = &*format.keys[number];
        let Some(fulltext) = &key.fulltext else { return Ok(()) };
        let second = fulltext.second.as_deref();
        let (old, new) = (fulltext.words(old), fulltext.words(new));
        let mut tree = Self::tree(key, format, store, &mut scratch.tree);
        let (mut gone, mut come) = (old.iter().peekable(), new.iter().peekable());
        loop {
            let order = match (gone.peek(), come.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => fulltext.collation.compare(a.word, b.word),
            };
            let before = gone.next_if(|_| order.is_le());
            let after = come.next_if(|_| order.is_ge());
            let Some(w) = after.or(before) else { return Ok(()) };
            let payload = Payload::Row(w.weight as f32, pos.0);
            let flat = word_entry(w.word, payload, key.rec_ref, &mut scratch.key)?;
            let found = match (before, after) {
                (Some(a), Some(b)) if (a.weight - b.weight).abs() <= WEIGHT_TOLERANCE => true,
                (Some(_), Some(_)) => tree.reweigh_word(second, &scratch.key, flat)?,
                (Some(_), None) => tree.delete_word(second, &scratch.key, flat)?,
                _ => tree.insert_word(second, &scratch.key, flat).map(|()| true)?,
            };
            if !found {
                return Err(Error::KeyMissing { key: number, pos });
            }
        }
    }

    /// The bytes of a row that was read from a table of the same layout, as they are, in `scratch.row`; its checksum if the table keeps one.
    fn take_form(&mut self, row: &RowView<'_>) -> u32 {
        let layout = &*self.format.layout;
        let WriteScratch { row: out, crc: temp, .. } = &mut self.scratch;
        out.clear();
        let crc = if layout.checksum { checksum::stored_checksum(row, temp) } else { 0 };
        let stored = row.stored();
        let counted = layout.checksum && !layout.fixed;
        out.extend_from_slice(&stored[..stored.len() - usize::from(counted)]);
        if counted {
            out.push(crc as u8);
        }
        crc
    }

    /// The row as the data file stores it, in `scratch.row`; its checksum if the table keeps one.
    fn store_form(&mut self, row: &RowView<'_>) -> Result<u32> {
        let layout = &*self.format.layout;
        let WriteScratch { row: out, crc: temp, .. } = &mut self.scratch;
        out.clear();
        let crc = if layout.checksum { checksum::checksum(row, temp) } else { 0 };
        if layout.fixed {
            pack::image(row, out);
        } else {
            pack::pack(row, out)?;
            if layout.checksum {
                out.push(crc as u8);
            }
            if out.len() as u64 > layout.max_pack_length || out.len() > u32::MAX as usize - 64 {
                return Err(Error::RowTooBig);
            }
        }
        Ok(crc)
    }

    /// Inserts a row.
    ///
    /// # Errors
    /// [`Error::Duplicate`] names the key and the row in the way; nothing is changed then (but for the shape of key trees).
    pub fn insert(&mut self, row: &RowView<'_>) -> Result<RowPos> {
        self.check_insert(row)?;
        let crc = self.store_form(row)?;
        self.insert_form(row, crc)
    }

    /// Inserts a row as it was read from a data file whose rows are laid out alike ([`RowLayout::is_alike`](crate::row::RowLayout::is_alike)):
    /// its bytes are taken over. Not for rows that are being made, and those of compressed tables.
    ///
    /// # Errors
    /// As [`Writer::insert`].
    pub fn insert_as_read(&mut self, row: &RowView<'_>) -> Result<RowPos> {
        debug_assert!(self.format.layout.is_alike(row.layout));
        self.check_insert(row)?;
        let crc = self.take_form(row);
        self.insert_form(row, crc)
    }

    /// Refuses what cannot be inserted, before anything is changed.
    #[inline]
    fn check_insert(&mut self, row: &RowView<'_>) -> Result<()> {
        if !self.easy {
            self.check_writable()?;
            if let Some((key, existing)) = self.find_long_duplicate(row, None)? {
                return Err(Error::Duplicate { key, existing });
            }
            self.check_geometries(row)?;
        }
        if self.waiting.is_some() { self.prepare_for(ManyRows::Insert) } else { Ok(()) }
    }

    /// Inserts a row whose stored form is in `scratch.row`, and has this checksum.
    fn insert_form(&mut self, row: &RowView<'_>, crc: u32) -> Result<RowPos> {
        self.check_room(self.scratch.row.len())?;
        let pos = RowPos(self.data().next_pos()?);
        self.mark_changed();
        for key in 0..self.format.keys.len() {
            if !self.active(key) {
                self.collect(key, row, pos)?;
                continue;
            }
            if let Inserted::Duplicate(existing) = self.insert_key(key, row, pos)? {
                self.take_back(key, row, pos)?;
                return Err(Error::Duplicate { key, existing });
            }
        }
        let bytes = std::mem::take(&mut self.scratch.row);
        let written = self.data().insert(&bytes);
        self.scratch.row = bytes;
        written?;
        let state = self.format.state(&self.store);
        let (records, sum) = (state.records() + 1, state.checksum());
        let mut state = self.state_mut();
        state.set_records(records);
        state.set_checksum(u64::from((sum as u32).wrapping_add(crc)));
        self.note_keys();
        self.note_auto_increment(row);
        Ok(pos)
    }

    /// Changes the row at `pos` from `old` to `new`; its position stays. `old` must be the row as it is now.
    ///
    /// # Errors
    /// [`Error::Duplicate`] names the key and the row in the way; nothing is changed then.
    pub fn update(&mut self, pos: RowPos, old: &RowView<'_>, new: &RowView<'_>) -> Result<()> {
        self.check_writable()?;
        self.prepare_for(ManyRows::Update)?;
        let old_crc = if self.format.layout.checksum {
            checksum::stored_checksum(old, &mut self.scratch.crc)
        } else {
            0
        };
        if let Some((key, existing)) = self.find_long_duplicate(new, Some((pos, old)))? {
            return Err(Error::Duplicate { key, existing });
        }
        self.check_geometries(new)?;
        let crc = self.store_form(new)?;
        self.check_growth(old)?;
        let mut changes = 0u64;
        for number in 0..self.format.keys.len() {
            if !self.active(number) {
                continue;
            }
            let key = &*self.format.keys[number];
            if let Some(fulltext) = &key.fulltext {
                changes |= u64::from(!fulltext.same_texts(old, new)) << number;
                continue;
            }
            if key.is_spatial() {
                changes |= u64::from(key.rect(old)? != key.rect(new)?) << number;
                continue;
            }
            let mut columns = key.segments.iter().map(|s| s.column);
            if key.long_hash.is_none() && columns.all(|c| old.column(c) == new.column(c)) {
                continue;
            }
            let WriteScratch { key: new_key, old_key, .. } = &mut self.scratch;
            let (flat, null) = entry(key, new, pos, new_key);
            entry(key, old, pos, old_key);
            if new_key == old_key {
                continue;
            }
            changes |= 1 << number;
            if key.is_unique() && !null {
                let mut cursor = KeyCursor::over(self.format.keys[number].clone(), self.format.offsets);
                let parts = key.segments.len();
                if cursor.find(&self.store, &new_key[..flat], parts, Tie::Before)?
                    && cursor.matches(&new_key[..flat], parts)
                    && cursor.pos() != pos
                {
                    return Err(Error::Duplicate { key: number, existing: cursor.pos() });
                }
            }
        }
        self.mark_changed();
        for number in 0..self.format.keys.len() {
            if changes >> number & 1 == 0 {
                continue;
            }
            if self.format.keys[number].is_fulltext() {
                self.update_words(number, (old, new), pos)?;
                continue;
            }
            self.delete_key(number, old, pos)?;
            if let Inserted::Duplicate(existing) = self.insert_key(number, new, pos)? {
                return Err(Error::Index { offset: existing.0, what: "a duplicate was not seen before" });
            }
        }
        let bytes = std::mem::take(&mut self.scratch.row);
        let written = self.data().update(pos.0, &bytes);
        self.scratch.row = bytes;
        written?;
        let sum = self.format.state(&self.store).checksum() as u32;
        self.state_mut().set_checksum(u64::from(sum.wrapping_sub(old_crc).wrapping_add(crc)));
        if changes != 0 {
            self.note_keys();
        }
        self.note_auto_increment(new);
        Ok(())
    }

    /// Deletes the row at `pos`, whose content is `old`.
    ///
    /// # Errors
    /// 126 if a key does not have the row.
    pub fn delete(&mut self, pos: RowPos, old: &RowView<'_>) -> Result<()> {
        self.check_writable()?;
        self.prepare_for(ManyRows::Delete)?;
        let crc = if self.format.layout.checksum {
            checksum::stored_checksum(old, &mut self.scratch.crc)
        } else {
            0
        };
        self.mark_changed();
        for key in 0..self.format.keys.len() {
            if self.active(key) {
                self.delete_key(key, old, pos)?;
            }
        }
        self.data().delete(pos.0)?;
        let state = self.format.state(&self.store);
        let records =
            state.records().checked_sub(1).ok_or(Error::row(pos.0, "more rows than are counted"))?;
        let sum = (state.checksum() as u32).wrapping_sub(crc);
        let mut state = self.state_mut();
        state.set_records(records);
        state.set_checksum(u64::from(sum));
        self.note_keys();
        Ok(())
    }

    /// Finds the row that keeps `row` from being written by a long unique key: of those with its hash one with its values. A row that
    /// takes the place of `old` is not in its own way, and looks for others only where its values change.
    fn find_long_duplicate(
        &mut self,
        row: &RowView<'_>,
        old: Option<(RowPos, &RowView<'_>)>,
    ) -> Result<Option<(usize, RowPos)>> {
        for number in 0..self.format.keys.len() {
            // most have none: their count of references is shared with all other writers
            if self.format.keys[number].long_hash.is_none() {
                continue;
            }
            let key = self.format.keys[number].clone();
            let Some(hash) = &key.long_hash else { continue };
            if !self.active(number) || old.is_some_and(|(_, old)| hash.same(old, row)) {
                continue;
            }
            let (flat, null) = entry(&key, row, RowPos(0), &mut self.scratch.key);
            if null {
                continue;
            }
            let mut cursor = KeyCursor::over(key.clone(), self.format.offsets);
            let value = &self.scratch.key[..flat];
            let mut there = cursor.find(&self.store, value, 1, Tie::Before)?;
            let mut room = RowScratch::new();
            while there && cursor.matches(value, 1) {
                let pos = cursor.pos();
                if old.is_none_or(|(own, _)| own != pos)
                    && hash.same(&self.format.row(&self.store, pos, &mut room)?, row)
                {
                    return Ok(Some((number, pos)));
                }
                there = cursor.next(&self.store)?;
            }
        }
        Ok(None)
    }

    /// Finds the row that keeps `row` from being inserted, if any: the first unique key with an equal entry.
    ///
    /// # Errors
    /// 126 if a page is damaged.
    pub fn find_duplicate(&mut self, row: &RowView<'_>) -> Result<Option<(usize, RowPos)>> {
        if let Some(found) = self.find_long_duplicate(row, None)? {
            return Ok(Some(found));
        }
        for number in 0..self.format.keys.len() {
            let key = self.format.keys[number].clone();
            if !key.is_unique() || !self.active(number) {
                continue;
            }
            let (flat, null) = entry(&key, row, RowPos(0), &mut self.scratch.key);
            if null {
                continue;
            }
            let parts = key.segments.len();
            let mut cursor = KeyCursor::over(key, self.format.offsets);
            let value = &self.scratch.key[..flat];
            if cursor.find(&self.store, value, parts, Tie::Before)? && cursor.matches(value, parts) {
                return Ok(Some((number, cursor.pos())));
            }
        }
        Ok(None)
    }

    /// The highest AUTO_INCREMENT value used so far, as the table state has it.
    #[must_use]
    pub fn auto_increment(&self) -> u64 {
        self.format.state(&self.store).auto_increment()
    }

    /// Raises the AUTO_INCREMENT value (it is never lowered).
    pub fn raise_auto_increment(&mut self, value: u64) {
        if value > self.auto_increment() {
            self.state_mut().set_auto_increment(value);
        }
        self.store.raise_auto_increment(value);
    }

    /// Raises the AUTO_INCREMENT value to that of the row.
    fn note_auto_increment(&mut self, row: &RowView<'_>) {
        let Some(column) = self.format.auto_column else { return };
        let Some(value) = row.column(column) else { return };
        let Some(number) = self.format.auto_value(value) else { return };
        if number > self.auto_increment() {
            self.raise_auto_increment(number);
        }
    }
}

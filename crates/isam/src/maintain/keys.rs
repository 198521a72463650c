//! Disabling keys, and building them by sorting.

use parking_lot::Mutex;

use super::build::has_null;
use super::word_sort::WordSorter;
use super::{Complete, words};
use crate::beside;
use crate::error::{Error, Result};
use crate::key::collect::{Collector, Helpers};
use crate::key::encode::encode_row;
use crate::key::runs::EntrySorter;
use crate::key::{FulltextKey, KeyInfo};
use crate::myi::{NIL, StateMut, changed};
use crate::pointer::{pointer, put_pointer};
use crate::row::{RowScratch, RowView};
use crate::sorting::SortSettings;
use crate::source::{PageEdit, PageStore};
use crate::statistics::KeyStatistics;
use crate::tree::edit::{TreeEdit, TreeScratch};
use crate::tree::words::WordsBuild;
use crate::{RowBuf, RowPos, Scan, Writer};

/// So many rows at least are worth building keys by sorting.
pub(super) const BULK_ROWS: u64 = 100;

impl<S: PageStore> Writer<S> {
    /// Keys that may wait while rows come.
    fn may_wait(&self, key: usize) -> bool {
        self.format().keys[key].may_wait(self.format().header.base.auto_key)
    }

    fn change_state(&mut self) -> StateMut<'_> {
        let offsets = self.format().offsets;
        StateMut::new(self.store_mut().state_mut(), offsets)
    }

    /// Stops maintaining the keys that can be built again: by sorting, or SPATIAL ones (ALTER TABLE ... DISABLE KEYS).
    pub fn disable_keys(&mut self) {
        self.stop_keys(|writer, key| writer.may_wait(key) || writer.format().keys[key].is_spatial());
    }

    fn stop_keys(&mut self, stops: impl Fn(&Self, usize) -> bool) {
        let before = self.format().state(self.store()).key_map();
        let mut map = before;
        for key in 0..self.format().keys.len().min(64) {
            if stops(self, key) {
                map &= !(1 << key);
            }
        }
        // where no key is left to be disabled, nothing has changed for CHECK and OPTIMIZE
        if map != before {
            let mut state = self.change_state();
            state.set_key_map(map);
            state.add_changed(changed::CHANGED | changed::NOT_ANALYZED);
        }
    }

    /// Notes that all rows were deleted at once, even when there were none: OPTIMIZE has something to do then.
    pub fn note_emptied(&mut self) {
        let bits = changed::CHANGED | changed::NOT_ANALYZED | changed::NOT_OPTIMIZED_KEYS;
        self.change_state().add_changed(bits);
    }

    /// Notes that keys were built for rows that did not come: when, and that OPTIMIZE has something to do.
    pub fn note_nothing_built(&mut self) {
        let mut state = self.change_state();
        state.add_changed(changed::NOT_SORTED_PAGES);
        state.set_check_time(schema::clock::now().as_secs());
    }

    /// Are some keys disabled?
    #[must_use]
    pub fn has_disabled_keys(&self) -> bool {
        let state = self.format().state(self.store());
        (0..self.format().keys.len()).any(|k| !state.key_active(k))
    }

    /// Builds all disabled keys by sorting (ALTER TABLE ... ENABLE KEYS). If a disabled key still has a tree, all trees are
    /// dropped and built anew. `kill` is asked now and then.
    ///
    /// # Errors
    /// 126 and 127 for damaged tables, 121 if a unique key has duplicates, `Killed`. The statement must be rolled back then.
    pub fn enable_keys(&mut self, settings: &SortSettings, kill: &dyn Fn() -> bool) -> Result<()> {
        self.enable_keys_of(settings, None, kill)
    }

    /// As [`Writer::enable_keys`], for tables with keys over virtual columns.
    ///
    /// # Errors
    /// As there.
    pub fn enable_keys_of(
        &mut self,
        settings: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<()> {
        self.set_bulk(false);
        let format = self.format().clone();
        let state = format.state(self.store());
        let inactive: Vec<usize> = (0..format.keys.len()).filter(|&k| !state.key_active(k)).collect();
        if inactive.is_empty() {
            return Ok(());
        }
        let stale = inactive.iter().any(|&k| state.key_root(k) != NIL);
        let end = state.key_file_length();
        let build: Vec<usize> = if stale { (0..format.keys.len()).collect() } else { inactive };
        if build.iter().any(|&k| format.keys[k].fulltext.as_ref().is_some_and(|f| f.foreign_parser)) {
            return Err(Error::Unsupported { what: "building keys of a full-text parser plugin" });
        }
        if stale {
            let mut state = self.change_state();
            for key in 0..format.keys.len() {
                state.set_key_root(key, NIL);
            }
            for list in 0..usize::from(format.header.max_block_size_index) {
                state.set_key_del(list, NIL);
            }
            state.set_key_file_length(format.header.base.keystart);
        }
        if build.iter().any(|&k| format.keys[k].is_spatial()) {
            // the reference server inserts all entries one by one then, and counts nothing
            for (key, _) in self.build_trees(&build, settings, complete, kill)? {
                let mut state = self.change_state();
                let map = state.view().key_map() | 1 << key.min(63);
                state.set_key_map(map);
            }
            self.keep_index_length(end)?;
            let mut state = self.change_state();
            let kept = state.view().changed() & !changed::CHANGED;
            state.set_changed(kept);
        } else {
            self.build_these(&build, settings, complete, kill)?;
            self.keep_index_length(end)?;
            self.note_counted();
        }
        let mut state = self.change_state();
        state.add_changed(changed::NOT_SORTED_PAGES);
        // the reference server builds them by a repair
        state.set_check_time(schema::clock::now().as_secs());
        Ok(())
    }

    /// The index file of a table in use never gets shorter: what lies behind the last page becomes free pages.
    pub(super) fn keep_index_length(&mut self, end: u64) -> Result<()> {
        let format = self.format().clone();
        let start = format.state(self.store()).key_file_length();
        if start >= end || self.store().may_shorten_index() {
            return Ok(());
        }
        let blocks = format.keys.iter().map(|k| k.block_length as u64);
        let size = blocks.min().filter(|size| (end - start).is_multiple_of(*size)).unwrap_or(1024);
        let list = (size / 1024 - 1) as usize;
        self.change_state().set_key_file_length(end);
        // the last one is taken last
        let mut next = format.state(self.store()).key_del(list);
        for n in (0..(end - start) / size).rev() {
            let page = start + n * size;
            self.store_mut().index_page_new(page, size as usize)?.write(0, &next.to_be_bytes());
            next = page;
        }
        self.change_state().set_key_del(list, next);
        Ok(())
    }

    /// Builds all keys of a new index by sorting. The statistics are those that a copy of the rows would leave: large tables are
    /// counted ([`Writer::bulk_begin_all`]), others not.
    pub(super) fn build_all(&mut self, settings: &SortSettings, kill: &dyn Fn() -> bool) -> Result<()> {
        let keys: Vec<usize> = (0..self.format().keys.len()).collect();
        if self.format().state(self.store()).records() < BULK_ROWS {
            return self.build_trees(&keys, settings, None, kill).map(drop);
        }
        if !keys.is_empty() {
            self.build_these(&keys, settings, None, kill)?;
            self.note_counted();
            self.change_state().add_changed(changed::CHANGED);
        }
        Ok(())
    }

    /// Builds these keys of a new index, and their statistics.
    pub(super) fn build_counted(&mut self, keys: &[usize], settings: &SortSettings) -> Result<()> {
        self.build_these(keys, settings, None, &|| false)?;
        self.change_state().add_changed(changed::NOT_SORTED_PAGES);
        Ok(())
    }

    /// After keys were built: the statistics are whole if every part has a number.
    fn note_counted(&mut self) {
        let parts: usize = self.format().keys.iter().map(|k| k.defined_parts).sum();
        let mut state = self.change_state();
        let mut cleared = changed::CHANGED;
        if (0..parts).all(|p| state.view().rec_per_key(p) != 0) {
            cleared |= changed::NOT_ANALYZED;
        }
        let kept = state.view().changed() & !cleared;
        state.set_changed(kept);
    }

    /// Builds these keys, whose trees are empty, and makes them active.
    pub(super) fn build_these(
        &mut self,
        build: &[usize],
        settings: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<()> {
        let format = self.format().clone();
        let records = format.state(self.store()).records();
        for (key, statistics) in self.build_trees(build, settings, complete, kill)? {
            let values = statistics.rows_per_value(&format.keys[key], records);
            let first = format.keys[key].first_part;
            let mut state = self.change_state();
            for (i, &v) in values.iter().enumerate() {
                state.set_rec_per_key(first + i, v);
            }
            let map = state.view().key_map() | 1 << key.min(63);
            state.set_key_map(map);
        }
        self.change_state().set_rec_per_key_rows(records);
        Ok(())
    }

    /// Builds the trees of these keys; gives the statistics of each.
    fn build_trees(
        &mut self,
        build: &[usize],
        settings: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<Vec<(usize, KeyStatistics)>> {
        let format = self.format().clone();
        let (sorted, others): (Vec<usize>, _) = build.iter().partition(|&&k| format.keys[k].is_btree());
        let gathered = self.gather(&sorted, settings, complete, kill)?;
        let mut built = self.build_gathered(gathered, settings, kill)?;
        for key in others {
            match &format.keys[key].fulltext {
                Some(words) => self.build_words((key, words), settings, complete, kill)?,
                None => self.build_rects(&format.keys[key], settings, complete, kill)?,
            }
            built.push((key, KeyStatistics::new(&format.keys[key], settings.stats_method)));
        }
        Ok(built)
    }

    /// Collects the entries of these keys: those that were collected while the rows were written, the others from the rows, which are read
    /// once.
    fn gather(
        &mut self,
        keys: &[usize],
        settings: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<Vec<Collector>> {
        let format = self.format().clone();
        let records = format.state(self.store()).records();
        let mut gathering = self.end_gathering(kill)?;
        let mut take = |key| gathering.as_mut().and_then(|g| g.take(key, records)).map(|c| *c);
        let mut all: Vec<(usize, Option<Collector>)> = keys.iter().map(|&key| (key, take(key))).collect();
        let missing: Vec<usize> = all.iter().filter(|(_, c)| c.is_none()).map(|(key, _)| *key).collect();
        if !missing.is_empty() {
            let mut read = self.read_entries(&missing, settings, complete, kill)?.into_iter();
            all.iter_mut().filter(|(_, c)| c.is_none()).for_each(|(_, c)| *c = read.next());
        }
        Ok(all.into_iter().filter_map(|(_, c)| c).collect())
    }

    /// Collects the entries of keys from the rows.
    fn read_entries(
        &self,
        keys: &[usize],
        settings: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<Vec<Collector>> {
        let format = self.format().clone();
        let collector = |&key: &usize| Collector::new(&format.keys[key], &settings.tmpdir);
        let mut collectors: Vec<Collector> = keys.iter().map(collector).collect();
        let mut helpers = Helpers::new(keys.len(), settings.buffer, settings.threads().saturating_sub(1));
        let (mut entry, mut seen) = (Vec::new(), 0u64);
        let (mut failed, mut killed) = (None, false);
        let mut whole = RowBuf::new(&format.layout);
        Scan::new().each(&format, self.store(), &mut RowScratch::new(), |pos, row| {
            let row = match complete {
                Some(complete) => {
                    complete(&row, &mut whole);
                    whole.as_view()
                }
                None => row,
            };
            for collector in &mut collectors {
                entry.clear();
                encode_row(&collector.key, &row, &mut entry);
                let flat = entry.len();
                put_pointer(pos.0, collector.key.rec_ref, &mut entry);
                failed = collector.push(&mut helpers, &entry, flat).err();
                if failed.is_some() {
                    return false;
                }
            }
            seen += 1;
            killed = seen % 4096 == 0 && kill();
            !killed
        })?;
        match failed {
            Some(e) => Err(e),
            None if killed => Err(beside::killed()),
            None => Ok(collectors),
        }
    }

    /// Collects the words of a FULLTEXT key from the rows.
    fn gather_words<'r, 'k>(
        &self,
        (key, fulltext): (&'k KeyInfo, &FulltextKey),
        settings: &SortSettings,
        runs: &'r Mutex<EntrySorter<'k>>,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<Vec<WordSorter<'r, 'k>>> {
        let format = self.format().clone();
        let mut whole = RowBuf::new(&format.layout);
        let mut each_row = |f: &mut dyn FnMut(RowPos, RowView<'_>) -> bool| {
            Scan::new().each(&format, self.store(), &mut RowScratch::new(), |pos, row| match complete {
                Some(complete) => {
                    complete(&row, &mut whole);
                    f(pos, whole.as_view())
                }
                None => f(pos, row),
            })
        };
        let workers = words::workers(format.state(self.store()).records());
        if workers > 0 {
            return words::collect(key, fulltext, (settings, workers, runs), kill, |feeder| {
                each_row(&mut |pos, row| feeder.push(pos.0, &row)).map(drop)
            });
        }
        let (mut sorter, mut failed) = (WordSorter::new(key, settings.buffer, runs), None);
        each_row(&mut |pos, row| {
            let texts = fulltext.texts(&row);
            failed = words::push_words(fulltext, pos.0, texts, &mut sorter, kill).err();
            failed.is_none()
        })?;
        failed.map_or_else(|| Ok(vec![sorter]), Err)
    }

    /// The rows that have the value of a unique key that a row before them has.
    pub(super) fn repeated(
        &self,
        number: usize,
        settings: &SortSettings,
        kill: &dyn Fn() -> bool,
    ) -> Result<Vec<RowPos>> {
        let format = self.format().clone();
        let key = &*format.keys[number];
        let mut found = Vec::new();
        let Some(collector) = self.read_entries(&[number], settings, None, kill)?.pop() else {
            return Ok(found);
        };
        collector.finish(kill, |bytes, flat, repeats| {
            if repeats && !has_null(key, &bytes[..flat]) {
                found.push(RowPos(pointer(&bytes[flat..])));
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Builds one FULLTEXT key, whose tree is empty, from the rows.
    fn build_words(
        &mut self,
        (number, fulltext): (usize, &FulltextKey),
        settings: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<()> {
        let format = self.format().clone();
        let key = &*format.keys[number];
        let runs = Mutex::new(EntrySorter::new(key, &settings.tmpdir));
        let sorters = self.gather_words((key, fulltext), settings, &runs, complete, kill)?;
        let (offsets, mut scratch) = (self.format().offsets, TreeScratch::default());
        let store = self.store_mut();
        let mut edit = TreeEdit::new(key, offsets, store, &mut scratch);
        let (mut words, mut built) = (WordsBuild::new(fulltext.second.as_deref()), 0u64);
        WordSorter::finish(key, sorters, &runs, |bytes, flat| {
            built += 1;
            if built.is_multiple_of(4096) && kill() {
                return Err(Error::Pages(pages::ErrorKind::Killed.into()));
            }
            words.push(&mut edit, bytes, flat)
        })?;
        words.finish(&mut edit)
    }

    /// Begins inserting many rows (`rows`: how many, if known): into an empty table, keys that can be built by sorting wait until
    /// [`Writer::bulk_end`]. True if they do.
    pub fn bulk_begin(&mut self, rows: Option<u64>) -> bool {
        let possible = self.can_bulk(rows) && (0..self.format().keys.len().min(64)).any(|k| self.may_wait(k));
        if possible {
            self.stop_keys(Self::may_wait);
        }
        self.set_bulk(possible)
    }

    /// As [`Writer::bulk_begin`], for rows whose duplicates may be found in the end (ALTER TABLE): unique keys wait, too.
    pub fn bulk_begin_all(&mut self, rows: u64) -> bool {
        let possible = self.can_bulk(Some(rows)) && !self.format().keys.is_empty();
        if possible {
            // equal hashes are looked at row by row
            let long = |k: &usize| self.format().keys[*k].long_hash.is_some();
            let map = (0..self.format().keys.len().min(64)).filter(long).fold(0, |map, k| map | 1 << k);
            let mut state = self.change_state();
            state.set_key_map(map);
            state.add_changed(changed::CHANGED | changed::NOT_ANALYZED);
        }
        self.set_bulk(possible)
    }

    fn can_bulk(&self, rows: Option<u64>) -> bool {
        let worth = rows.is_none_or(|n| n >= BULK_ROWS);
        worth
            && self.format().state(self.store()).records() == 0
            && !self.has_disabled_keys()
            && !self.format().header.is_compressed()
            // the room that keys take is looked at row by row
            && self.format().limit.is_none()
    }

    /// Ends what [`Writer::bulk_begin`] began, if it said true.
    ///
    /// # Errors
    /// As [`Writer::enable_keys`].
    pub fn bulk_end(&mut self, settings: &SortSettings, kill: &dyn Fn() -> bool) -> Result<()> {
        self.bulk_end_of(settings, None, kill)
    }

    /// As [`Writer::bulk_end`], for tables with keys over virtual columns.
    ///
    /// # Errors
    /// As [`Writer::enable_keys`].
    pub fn bulk_end_of(
        &mut self,
        settings: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<()> {
        self.enable_keys_of(settings, complete, kill)?;
        self.change_state().add_changed(changed::CHANGED);
        Ok(())
    }
}

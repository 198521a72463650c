//! REPAIR and OPTIMIZE: rows copied into new files, keys built anew, index pages put in order.

use pages::TableWriter;

use super::salvage::{RawData, Salvage};
use super::{CheckOptions, Complete, Depth, SortSettings, check};
use crate::error::{Error, Result};
use crate::myi::{NIL, StateMut, changed};
use crate::row::checksum::stored_checksum;
use crate::source::{PageEdit, PageStore};
use crate::tree::page::Page;
use crate::tree::words::own_trees;
use crate::tree::{own_trees_of, pages_of};
use crate::{RowBuf, RowPos, TableFormat, Writer};

/// How grave a message of a repair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// Something could not be read.
    Info,
    /// Rows are gone.
    Warning,
}

/// A message of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// How grave.
    pub kind: NoteKind,
    /// As MariaDB words it.
    pub text: String,
}

/// How keys come about while rows are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyMode {
    /// All by sorting, behind the rows; duplicates of unique keys are an error.
    Sorted,
    /// Unique keys with the rows, so that duplicates are left out; then all by sorting.
    Checked,
    /// Row by row.
    RowByRow,
}

/// How rows are copied.
pub struct CopyOptions<'a> {
    /// How keys come about.
    pub mode: CopyMode,
    /// Keys that stay as they are: disabled (a set bit is an active key).
    pub key_map: u64,
    /// Rows that there should be, where that is known.
    pub rows: Option<u64>,
    /// Where and how much is sorted.
    pub sort: &'a SortSettings,
    /// Computes virtual columns, for keys over them.
    pub complete: Option<Complete<'a>>,
    /// Asked now and then.
    pub kill: &'a dyn Fn() -> bool,
}

/// Where pages of an index lie is told in these units.
const INDEX_UNIT: u64 = 1024;

/// A page of an index that gets another place.
struct OldPage {
    key: usize,
    /// It belongs to a word's own tree.
    is_own: bool,
    to: u64,
}

/// What became of a copy.
#[derive(Debug, Default)]
pub struct Copied {
    /// Rows of the new table.
    pub rows: u64,
    /// What was met.
    pub notes: Vec<Note>,
}

/// Counts the rows of a data file up to the first damage, which is given, too.
///
/// # Errors
/// Those of reading.
pub fn look_over(
    format: &TableFormat,
    data: &RawData,
    kill: &dyn Fn() -> bool,
) -> Result<(u64, Option<Note>)> {
    let (mut rows, mut note, mut wrong) = (0, None, None);
    let mut scratch = Vec::new();
    Salvage { format, data, rows: None, kill }.each(
        &mut |_, offset, row| {
            // the row's own checksum, which a copy would count anew
            let sum = |scratch: &mut Vec<u8>| stored_checksum(row, scratch) as u8;
            if format.layout.checksum && !format.layout.fixed && row.bytes.last() != Some(&sum(&mut scratch))
            {
                wrong = Some(format!("Found wrong packed record at {offset}"));
                return Ok(false);
            }
            rows += 1;
            Ok(true)
        },
        &mut |text| {
            note = Some(Note { kind: NoteKind::Info, text });
            false
        },
    )?;
    Ok((rows, note.or(wrong.map(|text| Note { kind: NoteKind::Info, text }))))
}

/// Copies every row that can be read into an empty table, and builds its keys. Rows that repeat a unique key are left out.
/// [`CopyMode::Sorted`] meets such
/// rows with an error: copy in another way then.
///
/// # Errors
/// [`Error::Duplicate`], and those of reading and writing.
pub fn copy_rows(
    format: &TableFormat,
    data: &RawData,
    to: &mut Writer<TableWriter>,
    options: &CopyOptions<'_>,
) -> Result<Copied> {
    let unique =
        (0..format.keys.len().min(64)).filter(|k| format.keys[*k].is_unique()).fold(0, |m, k| m | 1 << k);
    to.keep_keys(match options.mode {
        CopyMode::Sorted => 0,
        CopyMode::Checked => options.key_map & unique,
        CopyMode::RowByRow => options.key_map,
    });
    let by_sort = options.mode != CopyMode::RowByRow;
    if options.mode == CopyMode::Sorted {
        to.gather_these(options.key_map, options.sort);
    }
    let mut copied = Copied::default();
    let mut notes = Vec::new();
    let mut dropped = Dropped::default();
    let each = format.layout.pack_reclength as u64;
    let fixed = format.layout.fixed;
    let mut whole = RowBuf::new(&format.layout);
    let mut damaged = Vec::new();
    Salvage { format, data, rows: options.rows, kill: options.kill }.each(
        &mut |_, offset, row| {
            let inserted = match options.complete {
                Some(complete) => {
                    complete(row, &mut whole);
                    to.insert(&whole.as_view())
                }
                None => to.insert_as_read(row),
            };
            match inserted {
                Ok(_) => copied.rows += 1,
                Err(Error::Duplicate { key, existing }) => {
                    let at = |pos: RowPos| if fixed { pos.0 * each } else { pos.0 };
                    let against = at(existing);
                    let end = format.state(to.store()).data_file_length();
                    notes.push(if by_sort {
                        dropped.note(end, each, against)
                    } else {
                        let text = format!(
                            "Duplicate key {:>2} for record at {offset:>10} against new record at {against:>10}",
                            key + 1
                        );
                        Note { kind: NoteKind::Info, text }
                    });
                }
                Err(e) => return Err(e),
            }
            Ok(true)
        },
        &mut |text| {
            damaged.push(Note { kind: NoteKind::Info, text });
            true
        },
    )?;
    if by_sort {
        to.build_keys(options.key_map, options.sort, options.complete, options.kill)?;
    }
    damaged.append(&mut notes);
    copied.notes = damaged;
    Ok(copied)
}

/// Positions as they were with the rows that were left out.
#[derive(Default)]
struct Dropped(Vec<u64>);

impl Dropped {
    fn shift(&self, at: u64, each: u64) -> u64 {
        at + self.0.iter().filter(|d| **d <= at).count() as u64 * each
    }

    fn note(&mut self, end: u64, each: u64, against: u64) -> Note {
        let (here, there) = (self.shift(end, each), self.shift(against, each));
        self.0.push(end);
        let text = format!("Duplicate key for record at {here:>10} against record at {there:>10}");
        Note { kind: NoteKind::Warning, text }
    }
}

impl<S: PageStore> Writer<S> {
    fn repair_state(&mut self) -> StateMut<'_> {
        let offsets = self.format().offsets;
        StateMut::new(self.store_mut().state_mut(), offsets)
    }

    /// Maintains only the keys of `map` from now on.
    fn keep_keys(&mut self, map: u64) {
        let all = crate::myi::header::all_keys(self.format().keys.len());
        self.repair_state().set_key_map(map & all);
    }

    /// Drops all key trees and builds those of `map` by sorting.
    ///
    /// # Errors
    /// As [`Writer::enable_keys`].
    pub fn build_keys(
        &mut self,
        map: u64,
        sort: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<()> {
        let format = self.format().clone();
        let keystart = format.header.base.keystart;
        let lists = usize::from(format.header.max_block_size_index);
        let end = format.state(self.store()).key_file_length();
        let mut state = self.repair_state();
        for key in 0..format.keys.len() {
            state.set_key_root(key, NIL);
        }
        for list in 0..lists {
            state.set_key_del(list, NIL);
        }
        state.set_key_file_length(keystart);
        let keys: Vec<usize> = (0..format.keys.len()).filter(|k| map >> (*k).min(63) & 1 == 1).collect();
        self.keep_keys(0);
        self.build_these(&keys, sort, complete, kill)?;
        self.keep_index_length(end)
    }

    /// Puts the pages of the key trees in order: each tree's together, parents before children, without gaps.
    ///
    /// # Errors
    /// 126 for damaged pages.
    pub fn sort_pages(&mut self) -> Result<()> {
        let format = self.format().clone();
        let length = format.state(self.store()).key_file_length();
        // where the page of each unit of the file goes
        let mut places = vec![NIL; (length / INDEX_UNIT + 1) as usize];
        let mut all: Vec<OldPage> = Vec::new();
        let mut bytes = Vec::new();
        let mut end = format.header.base.keystart;
        for key in 0..format.keys.len() {
            let block = format.keys[key].block_length;
            let active = format.state(self.store()).key_active(key);
            if !active {
                continue;
            }
            let own = own_trees_of(&format, self.store(), key)?;
            let first = pages_of(&format, self.store(), key)?.into_iter().map(|page| (false, page));
            for (is_own, page) in first.chain(own.into_iter().map(|page| (true, page))) {
                let place = places.get_mut((page / INDEX_UNIT) as usize);
                *place.ok_or(Error::index(page, "a page behind the end"))? = end;
                all.push(OldPage { key, is_own, to: end });
                bytes.extend_from_slice(self.store().index_page(page, block)?);
                end += block as u64;
            }
        }
        let place = |old: u64| {
            let place = places.get((old / INDEX_UNIT) as usize).copied().filter(|place| *place != NIL);
            place.ok_or(Error::index(old, "a page without a parent"))
        };
        let mut rest = &mut bytes[..];
        for OldPage { key, is_own, to } in all {
            let key = &*format.keys[key];
            let (page, others) = rest.split_at_mut(key.block_length);
            rest = others;
            let second = key.fulltext.as_ref().and_then(|f| f.second.as_deref()).filter(|_| is_own);
            let info = second.unwrap_or(key);
            if key.is_fulltext() && !is_own {
                for (pointer, root) in own_trees(key, &Page::new(key, page, to)?)? {
                    let wide = place(root)?.to_be_bytes();
                    page[pointer..pointer + key.rec_ref].copy_from_slice(&wide[8 - key.rec_ref..]);
                }
            }
            for (pointer, child) in Page::new(info, page, to)?.children(info)? {
                let wide = (place(child)? / INDEX_UNIT).to_be_bytes();
                page[pointer..pointer + info.key_ref].copy_from_slice(&wide[8 - info.key_ref..]);
            }
            self.store_mut().index_page_new(to, page.len())?.write(0, page);
        }
        let roots: Vec<u64> =
            (0..format.keys.len()).map(|k| format.state(self.store()).key_root(k)).collect();
        let lists = usize::from(format.header.max_block_size_index);
        let mut state = self.repair_state();
        for (key, root) in roots.into_iter().enumerate() {
            let active = state.view().key_active(key);
            state.set_key_root(key, if active && root != NIL { place(root)? } else { NIL });
        }
        for list in 0..lists {
            state.set_key_del(list, NIL);
        }
        state.set_key_file_length(end);
        let kept = state.view().changed() & !changed::NOT_SORTED_PAGES;
        state.set_changed(kept);
        self.keep_index_length(length)
    }

    /// Nothing is known of the keys of an empty table, but that a unique key without NULLs has each value once.
    fn forget_statistics(&mut self) {
        let format = self.format().clone();
        let mut state = self.repair_state();
        for key in &format.keys {
            for part in 0..key.defined_parts {
                let sure = key.is_unique()
                    && part + 1 == key.defined_parts
                    && !key.segments.iter().any(|s| s.nullable);
                state.set_rec_per_key(key.first_part + part, u32::from(sure));
            }
        }
    }

    /// Counts the statistics of keys that were not built by sorting, which counts them, too: all keys are walked through.
    ///
    /// # Errors
    /// Those of reading the index; `Killed`.
    pub fn count_keys(&mut self, sort: &SortSettings, kill: &dyn Fn() -> bool) -> Result<()> {
        let format = self.format().clone();
        let options = CheckOptions {
            depth: Depth::Quick,
            stats_method: sort.stats_method,
            kill,
            ..CheckOptions::default()
        };
        let mut found = check(&format, self.store(), &options)?;
        // The statistics of words stay as they were when the key was built, those of rectangles are counted by ANALYZE alone.
        found.statistics.retain(|(key, _)| format.keys[*key].is_btree());
        if found.killed {
            return Err(Error::Pages(pages::ErrorKind::Killed.into()));
        }
        self.note_analyzed(&found);
        Ok(())
    }

    /// Ends a repair, after which the statistics are counted: marks of crashes go, the time (seconds since 1970) is noted.
    pub fn finish_repair(&mut self, time: u64) {
        let format = self.format().clone();
        if format.state(self.store()).records() == 0 {
            self.forget_statistics();
        }
        let unsorted = format.state(self.store()).changed() & changed::NOT_SORTED_PAGES;
        let mut state = self.repair_state();
        state.set_changed(unsorted);
        state.set_open_count(0);
        state.set_check_time(time);
        state.set_recover_time(time);
    }
}

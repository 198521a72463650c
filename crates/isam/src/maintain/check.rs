//! CHECK TABLE: everything a valid table must satisfy, with the findings worded as MariaDB words them.

use std::cmp::Ordering;

use super::check_data::check_data;
use super::rects::check_rects;
use crate::error::{Error, Result};
use crate::key::compare::compare;
use crate::key::pack::Entry;
use crate::key::{FulltextKey, KeyInfo, decode};
use crate::myi::{NIL, StateMut, StateView, changed};
use crate::pointer::pointer;
use crate::row::block::{self, BlockKind};
use crate::row::store::data_limit;
use crate::source::{PageSource, PageStore};
use crate::statistics::{KeyStatistics, StatsMethod};
use crate::tree::page::{MAX_DEPTH, Page};
use crate::tree::words::Payload;
use crate::{KeyCursor, SeekMode, TableFormat, Writer};

/// How thorough a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Index only.
    Quick,
    /// And all rows; keys are compared with rows by their sums.
    Medium,
    /// And each key of each row is looked up.
    Extended,
}

/// What to check.
#[derive(Clone, Copy)]
pub struct CheckOptions<'a> {
    /// How thorough.
    pub depth: Depth,
    /// Lengths of the `.MYI` and `.MYD` on disk in bytes, to be compared with those in the state.
    pub file_lengths: Option<(u64, u64)>,
    /// How NULLs count in the statistics.
    pub stats_method: StatsMethod,
    /// Computes virtual columns, for keys over them.
    pub complete: Option<super::Complete<'a>>,
    /// Asked now and then.
    pub kill: &'a dyn Fn() -> bool,
}

impl Default for CheckOptions<'_> {
    fn default() -> Self {
        CheckOptions {
            depth: Depth::Medium,
            file_lengths: None,
            stats_method: StatsMethod::default(),
            complete: None,
            kill: &|| false,
        }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The table can be used.
    Warning,
    /// The table is corrupt.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad.
    pub severity: Severity,
    /// In MariaDB's words.
    pub text: String,
}

/// Result of a check.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// What was found, in order.
    pub findings: Vec<Finding>,
    /// Statistics of each active B-tree key: number of the key, rows per value of its leading parts.
    pub statistics: Vec<(usize, Vec<u32>)>,
    /// The check was given up because `kill` said so.
    pub killed: bool,
}

impl Check {
    /// No errors.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        !self.killed && self.findings.iter().all(|f| f.severity != Severity::Error)
    }

    pub(super) fn error(&mut self, text: impl Into<String>) {
        self.findings.push(Finding { severity: Severity::Error, text: text.into() });
    }

    pub(super) fn warning(&mut self, text: impl Into<String>) {
        self.findings.push(Finding { severity: Severity::Warning, text: text.into() });
    }
}

/// What the index tells about the rows.
#[derive(Clone, Debug, Default)]
pub(super) struct IndexTotals {
    /// Sum of the row positions in bytes, modulo 2^64; the same in every key.
    pub positions: Option<u64>,
    /// For each key the sum over the checksums of its flat keys, if it was walked wholly.
    pub key_sums: Vec<Option<u32>>,
    /// The index is so damaged that looking up keys is pointless.
    pub broken: bool,
}

/// Checksum of a flat key, as sums over a whole key are made of.
pub(super) fn key_checksum(flat: &[u8]) -> u32 {
    flat.iter().fold(0u32, |crc, &b| (crc << 1).wrapping_add(u32::from(b)).wrapping_add(crc >> 31))
}

/// Checks a table.
///
/// # Errors
/// Only those of the page store that are no finding about the table (I/O).
pub fn check<S: PageSource>(format: &TableFormat, src: &S, options: &CheckOptions<'_>) -> Result<Check> {
    let mut check = Check::default();
    let state = format.state(src);
    check_keys_defined(format, &mut check);
    super::check_head::check_head(format, &mut check);
    check_marks(&state, &mut check);
    if let Some(lengths) = options.file_lengths {
        check_lengths(format, &state, lengths, &mut check);
    }
    check_deleted_chain(format, src, &mut check)?;
    let free = check_free_pages(format, src, &mut check)?;
    let totals = check_index(format, src, options, free, &mut check)?;
    if options.depth > Depth::Quick && !check.killed {
        check_data(format, src, options, Some(&totals), &mut check)?;
    }
    Ok(check)
}

/// Longest key that CREATE TABLE allows.
const MAX_KEY_LENGTH: u32 = 1000;

/// Finds keys that no table may have: other programs call such an index corrupt.
fn check_keys_defined(format: &TableFormat, check: &mut Check) {
    for (number, key) in format.header.keys.iter().enumerate() {
        let length: u32 = key.segments.iter().map(|s| u32::from(s.length)).sum();
        if format.keys[number].is_btree() && length > MAX_KEY_LENGTH {
            check.error(format!(
                "Key {:>2} is {length} bytes long; max key length is {MAX_KEY_LENGTH} bytes",
                number + 1
            ));
        }
    }
}

fn check_marks(state: &StateView<'_>, check: &mut Check) {
    if state.changed() & changed::CRASHED_ON_REPAIR != 0 {
        check.warning("Table is marked as crashed and last repair failed");
    } else if state.changed() & changed::CRASHED != 0 {
        check.warning("Table is marked as crashed");
    }
    match state.open_count() {
        0 => {}
        1 => check.warning("1 client is using or hasn't closed the table properly"),
        n => check.warning(format!("{n} clients are using or haven't closed the table properly")),
    }
}

fn check_lengths(format: &TableFormat, state: &StateView<'_>, (index, data): (u64, u64), check: &mut Check) {
    let (want, any_active) = (state.key_file_length(), (0..format.keys.len()).any(|k| state.key_active(k)));
    if index != want {
        let text = format!("Size of indexfile is: {index:>8}        Should be: {want}");
        if index < want && any_active { check.error(text) } else { check.warning(text) }
    }
    let limit = 1024f64 * 256f64.powi(i32::from(format.header.base.key_reflength));
    if want as f64 > limit * 0.9 {
        check.warning(format!("Keyfile is almost full, {want:>10} of {limit:>10.0} used"));
    }
    let want = state.data_file_length() + format.data_trailer();
    if data != want {
        let text = format!("Size of datafile is: {data:>9}         Should be: {want}");
        if data < want && data + 7 != want {
            check.error(text)
        } else {
            check.warning(text)
        }
        if data > want {
            // what lies there is no row that anybody knows of
            let rows = state.records() + if format.layout.fixed { state.del() } else { 0 };
            let number = if format.layout.fixed { 0 } else { 127 };
            check.error(format!("got error: {number} when reading datafile at record: {rows}"));
        }
    }
    if format.header.is_compressed() {
        // its row pointers are as long as its length asks for
        return;
    }
    let limit = data_limit(&format.layout, usize::from(format.header.base.rec_reflength)) - 1;
    if want as f64 > limit as f64 * 0.9 {
        check.warning(format!("Datafile is almost full, {want:>10} of {limit:>10} used"));
    }
}

/// Bad bytes become a finding; other errors of the store go up.
pub(super) fn bad_bytes<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(v) => Ok(Some(v)),
        Err(e) => match &e {
            Error::Pages(p) if !matches!(p.kind(), pages::ErrorKind::Corrupt { .. }) => Err(e),
            _ => Ok(None),
        },
    }
}

/// Whether rows and deleted rows are as the state says, without the smallest finding.
///
/// # Errors
/// Those of reading; `Killed`.
pub fn is_data_sound<S: PageSource>(format: &TableFormat, src: &S, kill: &dyn Fn() -> bool) -> Result<bool> {
    let mut check = Check::default();
    check_deleted_chain(format, src, &mut check)?;
    if check.findings.is_empty() {
        check_data(format, src, &CheckOptions { kill, ..CheckOptions::default() }, None, &mut check)?;
    }
    if check.killed {
        return Err(Error::Pages(pages::ErrorKind::Killed.into()));
    }
    Ok(check.findings.is_empty())
}

fn check_deleted_chain<S: PageSource>(format: &TableFormat, src: &S, check: &mut Check) -> Result<()> {
    let state = format.state(src);
    let (del, len) = (state.del(), state.data_file_length());
    if del == 0 {
        return Ok(());
    }
    let layout = &*format.layout;
    let (mut at, mut before, mut empty, mut n) = (state.dellink(), NIL, 0u64, 0u64);
    let mut part = Vec::new();
    let mut broken = false;
    while n < del && at != NIL {
        if at >= len {
            broken = true;
            break;
        }
        if layout.fixed {
            let rec = usize::from(format.header.base.rec_reflength);
            let each = layout.pack_reclength as u64;
            let head = if at % each == 0 {
                bad_bytes(src.data(at, 1 + rec, &mut part).map_err(Error::from))?
            } else {
                None
            };
            match head {
                Some([0, next @ ..]) => {
                    let all = next.iter().all(|&b| b == 0xFF);
                    at = if all { NIL } else { pointer(next).saturating_mul(each) };
                }
                Some(_) => {
                    check.error(format!("Record at pos: {at} is not remove-marked"));
                    broken = true;
                    break;
                }
                None => {
                    broken = true;
                    break;
                }
            }
            empty += each;
        } else {
            let Some(block) = bad_bytes(block::read(src, at, len, &mut part))? else {
                check.error(format!("Can't read delete-link at filepos: {at}"));
                return Ok(());
            };
            let BlockKind::Deleted { prev } = block.kind else {
                check.error(format!("Record at pos: {at} is not remove-marked"));
                broken = true;
                break;
            };
            if n > 0 && prev != before {
                check.error(format!("Deleted block at {at} doesn't point back at previous delete link"));
                broken = true;
                break;
            }
            before = at;
            at = block.next;
            empty += block.total;
        }
        n += 1;
    }
    if !broken {
        if empty != state.empty() {
            let should = state.empty();
            check.warning(format!("Found {empty} deleted space in delete link chain. Should be {should}"));
        }
        if n < del {
            check.error(format!("Found {n} deleted rows in delete link chain. Should be {del}"));
        } else if at != NIL {
            check.error(format!("Found more than the expected {del} deleted rows in delete link chain"));
        }
        broken = n < del || at != NIL;
    }
    if broken {
        check.error("record delete-link-chain corrupted");
    }
    Ok(())
}

/// Walks the chains of free pages; gives the bytes in them.
fn check_free_pages<S: PageSource>(format: &TableFormat, src: &S, check: &mut Check) -> Result<u64> {
    let state = format.state(src);
    let end = state.key_file_length();
    let mut total = 0;
    for list in 0..usize::from(format.header.max_block_size_index) {
        let size = (list as u64 + 1) * 1024;
        let (mut at, mut left) = (state.key_del(list), end / size + 1);
        while at != NIL {
            let inside = at % 1024 == 0
                && at >= format.header.base.keystart
                && at.checked_add(size).is_some_and(|e| e <= end)
                && left > 0;
            let page = if inside {
                bad_bytes(src.index_page(at, size as usize).map_err(Error::from))?
            } else {
                None
            };
            let Some(page) = page else {
                check.error(format!(
                    "Invalid key block position: {at}  key block size: {size}  file_length: {end}"
                ));
                check.error("key delete-link-chain corrupted");
                return Ok(total);
            };
            at = page.first_chunk::<8>().map_or(NIL, |b| u64::from_be_bytes(*b));
            total += size;
            left -= 1;
        }
    }
    Ok(total)
}

struct Walk<'a, S> {
    format: &'a TableFormat,
    key: &'a KeyInfo,
    src: &'a S,
    data_len: u64,
    /// Bytes of a row pointer's unit.
    unit: u64,
    before: Entry,
    entries: u64,
    pages: u64,
    pages_left: u64,
    positions: u64,
    sum: u32,
    statistics: KeyStatistics,
    options: &'a CheckOptions<'a>,
}

fn check_index<S: PageSource>(
    format: &TableFormat,
    src: &S,
    options: &CheckOptions<'_>,
    free: u64,
    check: &mut Check,
) -> Result<IndexTotals> {
    let state = format.state(src);
    let mut totals = IndexTotals { key_sums: vec![None; format.keys.len()], ..IndexTotals::default() };
    let mut in_trees = 0;
    let mut whole = true;
    let mut all_active = true;
    let deleted = deleted_positions(format, src)?;
    for key in &format.keys {
        if !state.key_active(key.number) {
            all_active = false;
            continue;
        }
        whole &= key.is_btree();
        if key.is_spatial() {
            let Some(found) = check_rects(format, src, key, options, check)? else {
                totals.broken = true;
                return Ok(totals);
            };
            let values = KeyStatistics::new(key, options.stats_method).rows_per_value(key, state.records());
            check.statistics.push((key.number, values));
            if *totals.positions.get_or_insert(found.positions) != found.positions {
                check.error(format!("Key {} doesn't point at same records as key 1", key.number + 1));
                totals.broken = true;
                return Ok(totals);
            }
            continue;
        }
        let root = state.key_root(key.number);
        if root == NIL && key.is_fulltext() {
            // rows without a word
            let nothing = KeyStatistics::new(key, options.stats_method);
            check.statistics.push((key.number, nothing.rows_per_value(key, state.records())));
            continue;
        }
        if root == NIL && state.records() == 0 {
            totals.key_sums[key.number] = Some(0);
            check.statistics.push((key.number, vec![1; key.segments.len()]));
            continue;
        }
        let mut walk = Walk::new(format, key, src, options);
        if !walk.page(root, 0, check)? || !walk.has_all_rows(check) {
            totals.broken = true;
            return Ok(totals);
        }
        in_trees += walk.pages * key.block_length as u64;
        if key.is_fulltext() {
            check.statistics.push((key.number, walk.statistics.rows_per_value(key, state.records())));
            continue;
        }
        match totals.positions {
            None => {
                // Rows and deleted rows together are all the places there are.
                let places = state.split();
                let each = format.layout.pack_reclength as u64;
                let all = each.wrapping_mul(places.wrapping_mul(places.wrapping_sub(1)) / 2);
                if let Some(deleted) = deleted
                    && state.records() + state.del() == places
                    && walk.positions.wrapping_add(deleted) != all
                {
                    check.error(format!("Key {} doesn't point at all records", key.number + 1));
                    totals.broken = true;
                }
                totals.positions = Some(walk.positions);
            }
            Some(p) if p != walk.positions => {
                check.error(format!("Key {} doesn't point at same records as key 1", key.number + 1));
                totals.broken = true;
                return Ok(totals);
            }
            Some(_) => {}
        }
        totals.key_sums[key.number] = Some(walk.sum);
        let values = walk.statistics.rows_per_value(key, state.records());
        check_auto_increment(format, src, key, &walk.before, check)?;
        check.statistics.push((key.number, values));
    }
    let used = format.header.base.keystart + in_trees + free;
    if all_active && whole && used != state.key_file_length() {
        check.warning("Some data are unreferenced in keyfile");
    }
    Ok(totals)
}

/// Sum of the byte positions of deleted rows of a fixed table, if their chain is whole.
fn deleted_positions<S: PageSource>(format: &TableFormat, src: &S) -> Result<Option<u64>> {
    let state = format.state(src);
    if !format.layout.fixed {
        return Ok(None);
    }
    let (each, len) = (format.layout.pack_reclength as u64, state.data_file_length());
    let rec = usize::from(format.header.base.rec_reflength);
    let (mut at, mut sum, mut part) = (state.dellink(), 0u64, Vec::new());
    for _ in 0..state.del() {
        if at >= len || at % each != 0 {
            return Ok(None);
        }
        sum = sum.wrapping_add(at);
        match bad_bytes(src.data(at, 1 + rec, &mut part).map_err(Error::from))? {
            Some([0, next @ ..]) if next.iter().all(|&b| b == 0xFF) => at = NIL,
            Some([0, next @ ..]) => at = pointer(next).saturating_mul(each),
            _ => return Ok(None),
        }
    }
    Ok(Some(sum))
}

fn check_auto_increment<S: PageSource>(
    format: &TableFormat,
    src: &S,
    key: &KeyInfo,
    last: &Entry,
    check: &mut Check,
) -> Result<()> {
    if usize::from(format.header.base.auto_key) != key.number + 1 {
        return Ok(());
    }
    let zero = [0; 8];
    let column = key.segments[0].column;
    let mut flat = Vec::new();
    let len = format.layout.columns.get(column).map_or(0, |c| c.length.min(8) as usize);
    format.encode_key(key.number, &[Some(&zero[..len])], &mut flat);
    if KeyCursor::new(format, key.number).seek(src, &flat, 1, SeekMode::Exact)? {
        check.warning("Found row where the auto_increment column has the value 0");
    }
    let mut scratch = [0; 8];
    let largest = decode::part(key, last.key(), 0, &mut scratch).and_then(|v| format.auto_value(v));
    let state = format.state(src).auto_increment();
    if let Some(largest) = largest
        && largest > state
    {
        check.warning(format!("Auto-increment value: {state} is smaller than max used value: {largest}"));
    }
    Ok(())
}

impl<'a, S: PageSource> Walk<'a, S> {
    fn new(
        format: &'a TableFormat,
        key: &'a KeyInfo,
        src: &'a S,
        options: &'a CheckOptions<'a>,
    ) -> Walk<'a, S> {
        let state = format.state(src);
        Walk {
            format,
            key,
            src,
            data_len: state.data_file_length(),
            unit: if format.layout.fixed { format.layout.pack_reclength as u64 } else { 1 },
            before: Entry::default(),
            entries: 0,
            pages: 0,
            pages_left: state.key_file_length() / 1024 + 1,
            positions: 0,
            sum: 0,
            statistics: KeyStatistics::new(key, options.stats_method),
            options,
        }
    }
}

impl<S: PageSource> Walk<'_, S> {
    /// Whether each row has its entry; rows may have any number of words.
    fn has_all_rows(&self, check: &mut Check) -> bool {
        let records = self.format.state(self.src).records();
        let all = self.entries == records || self.key.is_fulltext();
        if !all {
            check.error(format!("Found {} keys of {records}", self.entries));
        }
        all
    }

    /// Checks a page and all below it. False = not to be gone on with.
    fn page(&mut self, offset: u64, depth: usize, check: &mut Check) -> Result<bool> {
        let (key, src) = (self.key, self.src);
        let cannot = |check: &mut Check| {
            let what = if depth == 0 { "indexpage" } else { "key" };
            check.error(format!("Can't read {what} from filepos: {}", offset as i64));
            Ok(false)
        };
        if depth >= MAX_DEPTH || self.pages_left == 0 || offset < self.format.header.base.keystart {
            return cannot(check);
        }
        if (self.options.kill)() {
            check.killed = true;
            return Ok(false);
        }
        self.pages_left -= 1;
        let Some(page) = bad_bytes(Page::read(key, src, offset))? else { return cannot(check) };
        self.pages += 1;
        let mut entry = Entry::default();
        let mut place = page.first();
        loop {
            if !page.is_leaf() && !self.page(page.child(place), depth + 1, check)? {
                return Ok(false);
            }
            if place >= page.end() {
                return Ok(true);
            }
            let Some(next) = entry.read(key, page.bytes, place, page.nod) else { return cannot(check) };
            if let (Some(fulltext), Payload::Tree(rows, root)) =
                (&key.fulltext, Payload::read(entry.key(), entry.pointer(key)))
            {
                if !self.is_ordered(&entry, offset, check)
                    || !self.own_tree(fulltext, (rows, root), (offset, place), check)?
                {
                    return Ok(false);
                }
                self.entries += 1;
                self.statistics.add(key, entry.key());
                self.before.clone_from(&entry);
            } else if !self.entry(&entry, offset, check) {
                return Ok(false);
            }
            place = next;
        }
    }

    /// Checks a word's own tree, which the entry at `at` (page and place) leads to.
    fn own_tree(
        &mut self,
        fulltext: &FulltextKey,
        (rows, root): (u64, u64),
        at: (u64, usize),
        check: &mut Check,
    ) -> Result<bool> {
        let counted = match &fulltext.second {
            Some(key) => {
                let mut walk = Walk {
                    key,
                    before: Entry::default(),
                    entries: 0,
                    pages: 0,
                    positions: 0,
                    sum: 0,
                    statistics: KeyStatistics::new(key, self.options.stats_method),
                    ..*self
                };
                if !walk.page(root, 0, check)? {
                    return Ok(false);
                }
                (self.pages, self.pages_left) = (self.pages + walk.pages, walk.pages_left);
                walk.entries
            }
            None => 0,
        };
        if counted != rows {
            let (page, place) = at;
            check.error(format!(
                "Number of words in the 2nd level tree does not match the number in the header. Parent word in on the \
                 page {page}, offset {place}"
            ));
        }
        Ok(counted == rows)
    }

    /// Whether an entry stands behind the one before.
    fn is_ordered(&self, entry: &Entry, offset: u64, check: &mut Check) -> bool {
        let (key, parts) = (self.key, self.key.segments.len());
        if self.entries > 0 {
            let order = compare(key, self.before.key(), entry.key(), parts);
            let by_pointer = !key.is_unique() || KeyStatistics::parts_without_null(key, entry.key()) < parts;
            let order = match order {
                Ordering::Equal if by_pointer => self.before.pointer(key).cmp(entry.pointer(key)),
                Ordering::Equal => {
                    check.error(format!("Found duplicated key at page {offset}"));
                    return false;
                }
                o => o,
            };
            if order != Ordering::Less {
                check.error(format!("Key in wrong position at page {offset}"));
                return false;
            }
        }
        true
    }

    fn entry(&mut self, entry: &Entry, offset: u64, check: &mut Check) -> bool {
        if !self.is_ordered(entry, offset, check) {
            return false;
        }
        let key = self.key;
        let position = pointer(entry.pointer(key)).checked_mul(self.unit);
        let Some(position) = position.filter(|&p| p < self.data_len) else {
            check.error(format!("Found key at page {offset} that points to record outside datafile"));
            return false;
        };
        self.positions = self.positions.wrapping_add(position);
        self.sum = self.sum.wrapping_add(key_checksum(entry.key()));
        self.entries += 1;
        self.statistics.add(key, entry.key());
        self.before.clone_from(entry);
        true
    }
}

impl<S: PageStore> Writer<S> {
    /// Notes a check without errors: marks of crashes and changes go, statistics and the time (seconds since 1970) are stored.
    pub fn note_checked(&mut self, check: &Check, time: u64) {
        let format = self.format().clone();
        self.store_statistics(check);
        let mut state = StateMut::new(self.store_mut().state_mut(), format.offsets);
        let gone = changed::CHANGED | changed::CRASHED | changed::CRASHED_ON_REPAIR | changed::NOT_ANALYZED;
        let kept = state.view().changed() & !gone;
        state.set_changed(kept);
        state.set_open_count(0);
        state.set_check_time(time);
    }

    /// An empty table tells nothing of its keys.
    fn store_statistics(&mut self, check: &Check) {
        let format = self.format().clone();
        if format.state(self.store()).records() == 0 {
            return;
        }
        for (key, values) in &check.statistics {
            format.store_key_statistics(self.store_mut(), *key, values);
        }
    }

    /// Stores the statistics of a check without errors.
    pub fn note_analyzed(&mut self, check: &Check) {
        let format = self.format().clone();
        self.store_statistics(check);
        let mut state = StateMut::new(self.store_mut().state_mut(), format.offsets);
        let kept = state.view().changed() & !changed::NOT_ANALYZED;
        state.set_changed(kept);
    }

    /// Marks the table as crashed, after a check with errors.
    pub fn mark_crashed(&mut self) {
        let offsets = self.format().offsets;
        StateMut::new(self.store_mut().state_mut(), offsets).add_changed(changed::CRASHED);
    }
}

//! MERGE tables: the rows of several MyISAM tables of one form, as one. A MERGE table has no rows of its own; its positions are those of
//! the tables under it, with the number of the table in front.

use isam::key::compare::compare;
use isam::myi::StateMut;
use pages::PagedTable;
use schema::definition::InsertMethod;
use std::cmp::Ordering;
use std::sync::Arc;

use super::interval::{Interval, is_by_value};
use super::key_walk::KeyWalk;
use super::reader::{Counted, KeyReader, Reader, Reading};
use super::stored_reader::{load_entry, load_row, put_position};
use super::{KeyCursor, OpenTable, RowPos, RowScratch, TableFormat};
use crate::error::{SqlResult, codes};
use crate::types::Batch;

/// Bits of a position that are the row's place in its own table.
const PLACE_BITS: u32 = 48;

/// Most tables of a MERGE table: their numbers stand in front of the positions.
const MOST: usize = 1 << 15;

/// The tables under a MERGE table.
pub struct Children {
    tables: Arc<[Arc<OpenTable>]>,
    /// The one that takes new rows.
    insert: Option<usize>,
    /// Those whose rows are read, by their numbers: with PARTITION (...) not all.
    read: Arc<[usize]>,
    /// They are partitions: which one takes a row depends on it.
    partitions: bool,
}

/// A position in the table of this number.
#[must_use]
pub(crate) fn outer(number: usize, pos: RowPos) -> RowPos {
    RowPos((number as u64) << PLACE_BITS | pos.0)
}

/// The number of the table and the place in it.
#[must_use]
pub(crate) fn inner(pos: RowPos) -> (usize, RowPos) {
    ((pos.0 >> PLACE_BITS) as usize, RowPos(pos.0 & ((1 << PLACE_BITS) - 1)))
}

/// Whether a table is a MERGE table, by its definition.
#[must_use]
pub fn is_merge(def: &schema::definition::TableDef) -> bool {
    def.options.engine.eq_ignore_ascii_case(super::engine::MERGE)
}

/// The names of the tables under a MERGE table of the database `db`: database and table.
pub fn names<'d>(
    def: &'d schema::definition::TableDef,
    db: &'d str,
) -> impl Iterator<Item = (&'d str, &'d str)> {
    let full = move |(own, name): &'d (String, String)| (if own.is_empty() { db } else { own }, &**name);
    def.options.union.iter().map(full)
}

/// Whether rows and keys of a table are as a MERGE table has them.
#[must_use]
pub(crate) fn is_alike(merge: &TableFormat, child: &TableFormat) -> bool {
    let (a, b) = (&merge.layout, &child.layout);
    let column = |x: &isam::row::view::ColumnLayout, y: &isam::row::view::ColumnLayout| {
        (x.offset, x.length, x.null_pos, x.null_mask) == (y.offset, y.length, y.null_pos, y.null_mask)
            && x.form == y.form
    };
    let stored = |x: &isam::row::view::StoredColumn, y: &isam::row::view::StoredColumn| {
        (x.offset, x.length, x.null_pos, x.null_mask) == (y.offset, y.length, y.null_pos, y.null_mask)
            && (x.kind == y.kind || child.header.is_compressed())
    };
    let segment = |x: &super::Segment, y: &super::Segment| {
        (x.column, x.ty, x.length, x.nullable, x.descending)
            == (y.column, y.ty, y.length, y.nullable, y.descending)
            && x.is_counted() == y.is_counted()
            && x.collation.id == y.collation.id
    };
    a.reclength == b.reclength
        && (a.fixed == b.fixed || child.header.is_compressed())
        && a.columns.len() == b.columns.len()
        && a.stored.len() == b.stored.len()
        && a.columns.iter().zip(&b.columns).all(|(x, y)| column(x, y))
        && a.stored.iter().zip(&b.stored).all(|(x, y)| stored(x, y))
        && merge.keys.len() <= child.keys.len()
        && merge.keys.iter().zip(&child.keys).all(|(x, y)| {
            x.fulltext.is_none() == y.fulltext.is_none()
                && x.segments.len() == y.segments.len()
                && x.segments.iter().zip(&y.segments).all(|(x, y)| segment(x, y))
        })
}

/// The tables under a MERGE table that do not belong there: they are missing, of another engine or of another form.
///
/// # Errors
/// 1472 for a MERGE table, 1168 for every other one.
pub(crate) fn open_children(
    merge: &OpenTable,
    mut open: impl FnMut(&str, &str) -> SqlResult<Arc<OpenTable>>,
) -> SqlResult<Children> {
    let def = merge.def();
    let mut tables = Vec::with_capacity(def.options.union.len());
    for (db, name) in names(def, &merge.db) {
        let child = open(db, name)?;
        if child.engine().info().name != super::engine::default().info().name
            || !is_alike(merge.format(), child.format())
            || tables.len() == MOST
        {
            return Err(crate::error::SqlError::new(codes::ER_WRONG_MRG_TABLE, &[]));
        }
        tables.push(child);
    }
    let last = tables.len().checked_sub(1);
    let insert = match def.options.insert_method {
        InsertMethod::No => None,
        InsertMethod::First => last.map(|_| 0),
        InsertMethod::Last => last,
    };
    let read = (0..tables.len()).collect();
    Ok(Children { tables: tables.into(), insert, read, partitions: false })
}

impl Children {
    /// The partitions of a table.
    pub(crate) fn of_partitions(tables: Vec<Arc<OpenTable>>) -> Children {
        let read = (0..tables.len()).collect();
        Children { tables: tables.into(), insert: Some(0), read, partitions: true }
    }

    /// The same partitions, of which only these are read.
    pub(crate) fn only(&self, read: Vec<usize>) -> Children {
        Children {
            tables: Arc::clone(&self.tables),
            insert: self.insert,
            read: read.into(),
            partitions: self.partitions,
        }
    }

    /// Their numbers in the order in which their locks are taken.
    #[must_use]
    pub fn in_order_of_names(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.tables.len()).collect();
        order.sort_by_key(|n| (&self.tables[*n].db, &self.tables[*n].name));
        order
    }

    /// Whether they are partitions.
    #[must_use]
    pub fn are_partitions(&self) -> bool {
        self.partitions
    }

    /// Whether rows of this one are read, or may be written.
    #[must_use]
    pub fn is_read(&self, number: usize) -> bool {
        self.read.len() == self.tables.len() || self.read.binary_search(&number).is_ok()
    }

    /// The tables whose rows are read.
    pub fn read(&self) -> impl DoubleEndedIterator<Item = (usize, &Arc<OpenTable>)> + Clone {
        self.read.iter().map(|n| (*n, &self.tables[*n]))
    }

    /// The tables, in their order.
    #[must_use]
    pub fn tables(&self) -> &[Arc<OpenTable>] {
        &self.tables
    }

    /// The number of the table that takes new rows.
    #[must_use]
    pub fn insert(&self) -> Option<usize> {
        self.insert
    }

    /// Whether one of them was defined anew.
    #[must_use]
    pub fn are_stale(&self) -> bool {
        self.tables.iter().any(|t| t.is_stale())
    }

    /// Their pages.
    pub fn pages(&self) -> impl Iterator<Item = &Arc<PagedTable>> {
        self.tables.iter().map(|t| t.pages())
    }

    /// The state of the MERGE table, which is empty in `state`, by the states of its tables: rows, bytes, keys that are
    /// enabled, and what is known of equal values.
    pub(crate) fn sum(&self, format: &TableFormat, mut state: Vec<u8>, of: &[Vec<u8>]) -> Vec<u8> {
        let views: Vec<_> = self.read().zip(of).map(|((_, t), state)| t.state_of(state)).collect();
        let mut out = StateMut::new(&mut state, format.offsets);
        let rows: u64 = views.iter().map(|v| v.records()).sum();
        out.set_records(rows);
        out.set_data_file_length(views.iter().map(|v| v.data_file_length()).sum());
        out.set_empty(views.iter().map(|v| v.empty()).sum());
        if self.partitions {
            out.set_key_file_length(views.iter().map(|v| v.key_file_length()).sum());
            out.set_create_time(views.iter().map(|v| v.create_time()).min().unwrap_or(0));
            out.set_check_time(views.iter().map(|v| v.check_time()).max().unwrap_or(0));
        }
        out.set_key_map(views.iter().fold(u64::MAX, |map, v| map & v.key_map()));
        let parts = |keys: &[Arc<super::KeyInfo>]| -> Vec<usize> {
            keys.iter()
                .take(format.keys.len())
                .flat_map(|k| k.first_part..k.first_part + k.defined_parts)
                .collect()
        };
        let own = parts(&format.keys);
        for (n, part) in own.into_iter().enumerate() {
            let of = |((_, table), view): ((usize, &Arc<OpenTable>), &super::TableState<'_>)| {
                parts(&table.format().keys).get(n).map_or(0, |p| u64::from(view.rec_per_key(*p)))
            };
            let all: u64 = self.read().zip(&views).map(of).sum();
            out.set_rec_per_key(
                part,
                u32::try_from(all.div_ceil(views.len().max(1) as u64)).unwrap_or(u32::MAX),
            );
        }
        state
    }

    /// A reader of the rows of all tables, one after the other.
    pub(crate) fn scan(&self) -> Box<dyn Reader + '_> {
        self.scan_only(&self.read)
    }

    /// As [`Children::scan`], of those of these tables that are read.
    pub(crate) fn scan_only(&self, numbers: &[usize]) -> Box<dyn Reader + '_> {
        let readers = self
            .read()
            .filter(|(n, _)| numbers.binary_search(n).is_ok())
            .map(|(n, t)| t.scan_numbered(outer(n, RowPos(0))));
        Box::new(Rows { readers: readers.collect(), at: 0 })
    }

    /// A reader of a key of all tables in its order, without intervals yet.
    pub(crate) fn walk(
        &self,
        key: usize,
        descending: bool,
        covering: Option<Vec<usize>>,
    ) -> Box<dyn KeyReader + '_> {
        self.walk_only(key, descending, covering, &self.read)
    }

    /// As [`Children::walk`], of those of these tables that are read.
    pub(crate) fn walk_only(
        &self,
        key: usize,
        descending: bool,
        covering: Option<Vec<usize>>,
        numbers: &[usize],
    ) -> Box<dyn KeyReader + '_> {
        let wanted = || self.read().filter(|(n, _)| numbers.binary_search(n).is_ok());
        let arm = |table: &'_ Arc<OpenTable>| KeyWalk::new(KeyCursor::new(table.format(), key), descending);
        let walks: Vec<KeyWalk> = wanted().map(|(_, t)| arm(t)).collect();
        Box::new(Entries {
            heads: vec![Head::Unknown; walks.len()],
            tables: wanted().collect(),
            distinct: !self.partitions,
            key,
            walks,
            descending,
            intervals: Vec::new(),
            scratch: RowScratch::new(),
            covering,
            single: false,
            by_value: false,
            last: None,
            over: false,
        })
    }
}

/// Rows of one table after the other.
struct Rows<'t> {
    readers: Vec<Box<dyn Reader + 't>>,
    at: usize,
}

impl Reader for Rows<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        while let Some(reader) = self.readers.get_mut(self.at) {
            if reader.fill(reading, out, most)? {
                return Ok(true);
            }
            self.at += 1;
            if self.at < self.readers.len() && (out.len >= most || reading.is_full(out)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn rewind(&mut self) {
        self.readers.iter_mut().for_each(|r| r.rewind());
        self.at = 0;
    }
}

/// The entry of a table that is next in the order of the key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// Not looked for yet.
    Unknown,
    At(RowPos),
    End,
}

/// Entries of a key of all tables, put together in its order; equal ones in the order of the tables, which is turned with the key's.
struct Entries<'t> {
    /// The tables, with their numbers.
    tables: Vec<(usize, &'t Arc<OpenTable>)>,
    /// Several tables may have the same value of a unique key.
    distinct: bool,
    key: usize,
    walks: Vec<KeyWalk>,
    heads: Vec<Head>,
    descending: bool,
    intervals: Vec<Interval>,
    scratch: RowScratch,
    covering: Option<Vec<usize>>,
    /// One row is enough.
    single: bool,
    by_value: bool,
    /// The entry that was given last, where each value is asked for once: a unique key has it in one row, though several tables may.
    last: Option<Vec<u8>>,
    over: bool,
}

impl Entries<'_> {
    /// Whether the value of this table's entry came from another table before; notes it otherwise.
    fn was_given(&mut self, n: usize) -> bool {
        let cursor = self.walks[n].cursor();
        let parts = cursor.key_info().segments.len();
        let equal = |last: &Vec<u8>| compare(cursor.key_info(), last, cursor.key(), parts) == Ordering::Equal;
        if self.last.as_ref().is_some_and(equal) {
            return true;
        }
        self.last = Some(cursor.key().to_vec());
        false
    }

    /// The table whose entry is next.
    fn best(&self) -> Option<usize> {
        let mut best: Option<usize> = None;
        for n in (0..self.walks.len()).filter(|n| matches!(self.heads[*n], Head::At(_))) {
            let Some(other) = best else {
                best = Some(n);
                continue;
            };
            let (a, b) = (self.walks[n].cursor(), self.walks[other].cursor());
            let order = compare(a.key_info(), a.key(), b.key(), a.key_info().segments.len());
            let goes_first = match self.descending {
                true => order != Ordering::Less,
                false => order == Ordering::Less,
            };
            if goes_first {
                best = Some(n);
            }
        }
        best
    }
}

impl Reader for Entries<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        let pin = reading.snapshot.pin();
        let mut views = Vec::with_capacity(self.tables.len());
        for (_, table) in &self.tables {
            views.push(pin.table(table.pages()).map_err(|e| table.error(&e.into()))?);
        }
        while out.len < most && !self.over {
            for (n, head) in self.heads.iter_mut().enumerate().filter(|(_, head)| **head == Head::Unknown) {
                let found = self.walks[n].next(&views[n], &self.intervals);
                *head = found.map_err(|e| self.tables[n].1.error(&e))?.map_or(Head::End, Head::At);
            }
            let Some(n) = self.best() else {
                self.over = true;
                break;
            };
            let Head::At(place) = std::mem::replace(&mut self.heads[n], Head::Unknown) else { break };
            if self.by_value && self.distinct && self.was_given(n) {
                continue;
            }
            let (number, table) = self.tables[n];
            let pos = outer(number, place);
            if let Some(parts) = &self.covering {
                load_entry(&self.walks[n], parts, reading, out);
                put_position(pos, reading, out);
            } else {
                let row = table.row(&views[n], place, &mut self.scratch).map_err(|e| table.error(&e))?;
                load_row(&row, pos, reading, out);
            }
            out.len += 1;
            self.over = self.single;
            if reading.is_full(out) {
                break;
            }
        }
        Ok(!self.over)
    }

    fn rewind(&mut self) {
        self.walks.iter_mut().for_each(KeyWalk::restart);
        self.heads.fill(Head::Unknown);
        self.last = None;
        self.over = false;
    }

    fn counted(&self) -> Counted {
        match (self.by_value, self.descending) {
            (true, _) => Counted::Key,
            (false, true) => Counted::Prev,
            (false, false) => Counted::Next,
        }
    }
}

impl KeyReader for Entries<'_> {
    fn intervals(&mut self) -> &mut Vec<Interval> {
        &mut self.intervals
    }

    fn begin(&mut self, single: bool) {
        self.single = single;
        self.by_value = single
            || self.tables.first().is_some_and(|(_, t)| is_by_value(t.format(), self.key, &self.intervals));
        self.rewind();
    }
}

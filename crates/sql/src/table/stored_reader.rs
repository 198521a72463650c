//! Readers of tables whose rows lie in pages. Point and short range reads that go row by row into the sink (`exec::direct`) use the same walk
//! ([`KeyWalk`]) and the same rows without a batch between.

use super::interval::{Interval, is_by_value, only_point};
use super::key_walk::KeyWalk;
use super::points::Points;
use super::reader::{Counted, KeyReader, LateReader, PointReader, Reader, Reading};
use super::{
    Gathered, KeyCursor, OpenTable, PageSource, RowBatch, RowColumns, RowPos, RowScratch, RowView, Scan,
    TOGETHER, Ways, columns,
};
use crate::error::SqlResult;
use crate::types::{Batch, load};

/// Rows in file order.
struct FileReader<'t> {
    table: &'t OpenTable,
    /// Where it begins.
    first: Scan,
    scan: Scan,
    scratch: RowScratch,
    /// The columns that were read last, where many rows are read at once.
    columns: Option<RowColumns>,
    /// The columns are read row by row.
    row_by_row: bool,
    /// Where the rows of the last batch are.
    positions: Vec<RowPos>,
    /// The columns that were read afterwards.
    late: Option<RowColumns>,
    /// What stands in front of the positions: the number of the table in a MERGE table.
    number: RowPos,
}

/// Entries of a key, with the rows they lead to.
struct EntryReader<'t> {
    table: &'t OpenTable,
    key: usize,
    walk: KeyWalk,
    intervals: Vec<Interval>,
    scratch: RowScratch,
    /// Columns come from the key: the part of each.
    covering: Option<Vec<usize>>,
    /// Each interval is one value of a unique key.
    by_value: bool,
    /// The columns that were read last, where many rows are read at once.
    columns: Option<RowColumns>,
    /// Where the rows are that were found last.
    places: Vec<RowPos>,
}

impl OpenTable {
    /// A reader of all rows.
    #[must_use]
    pub fn scan(&self) -> Box<dyn Reader + '_> {
        self.scan_part(Scan::new())
    }

    /// A reader of all rows of a table of a MERGE table.
    pub(super) fn scan_numbered(&self, number: RowPos) -> Box<dyn Reader + '_> {
        Box::new(self.file_reader(Scan::new(), number))
    }

    fn file_reader(&self, part: Scan, number: RowPos) -> FileReader<'_> {
        FileReader {
            table: self,
            first: part,
            scan: part,
            scratch: RowScratch::new(),
            columns: None,
            row_by_row: false,
            positions: Vec::new(),
            late: None,
            number,
        }
    }

    /// A reader of the rows of a part of the file, or of all.
    #[must_use]
    pub(crate) fn scan_part(&self, part: Scan) -> Box<dyn Reader + '_> {
        match self.children() {
            Some(children) => children.scan(),
            None => Box::new(self.file_reader(part, RowPos(0))),
        }
    }

    /// A reader of the rows of these partitions.
    #[must_use]
    pub(crate) fn scan_partitions(&self, numbers: &[usize]) -> Box<dyn Reader + '_> {
        match self.children() {
            Some(children) => children.scan_only(numbers),
            None => self.scan(),
        }
    }

    /// As [`OpenTable::walk`], of these partitions.
    #[must_use]
    pub(crate) fn walk_partitions(
        &self,
        key: usize,
        descending: bool,
        covering: Option<Vec<usize>>,
        numbers: &[usize],
    ) -> Box<dyn KeyReader + '_> {
        match self.children() {
            Some(children) => children.walk_only(key, descending, covering, numbers),
            None => self.walk(key, descending, covering),
        }
    }

    /// A reader of a key, without intervals yet. `covering`: the columns read come from these parts of it, so that rows are not looked at.
    #[must_use]
    pub fn walk(
        &self,
        key: usize,
        descending: bool,
        covering: Option<Vec<usize>>,
    ) -> Box<dyn KeyReader + '_> {
        if let Some(children) = self.children() {
            return children.walk(key, descending, covering);
        }
        Box::new(EntryReader {
            table: self,
            key,
            walk: KeyWalk::new(KeyCursor::new(self.format(), key), descending),
            intervals: Vec::new(),
            scratch: RowScratch::new(),
            covering,
            by_value: false,
            columns: None,
            places: Vec::new(),
        })
    }
}

/// Appends a row's columns to their slots.
#[inline]
pub(super) fn load_row(row: &RowView<'_>, pos: RowPos, reading: &Reading<'_>, out: &mut Batch) {
    for (column, slot, ty) in reading.columns {
        load::push(row.column(*column), ty, &mut out.columns[*slot], reading.conversion);
    }
    put_position(pos, reading, out);
}

/// Appends the row of a place that is known; nothing of it is read where its columns are not asked for.
///
/// # Errors
/// Damaged files.
#[inline]
pub(super) fn load_at(
    table: &OpenTable,
    view: &impl PageSource,
    pos: RowPos,
    scratch: &mut RowScratch,
    reading: &Reading<'_>,
    out: &mut Batch,
) -> SqlResult<()> {
    if reading.columns.is_empty() {
        put_position(pos, reading, out);
    } else {
        let row = table.row(view, pos, scratch).map_err(|e| table.error(&e))?;
        load_row(&row, pos, reading, out);
    }
    out.len += 1;
    Ok(())
}

#[inline]
pub(super) fn put_position(pos: RowPos, reading: &Reading<'_>, out: &mut Batch) {
    if let Some(slot) = reading.position {
        out.columns[slot].push_i64(pos.0.cast_signed());
    }
}

impl FileReader<'_> {
    /// Finds out how these columns are read; true when it is not row by row.
    fn settle(&mut self, reading: &Reading<'_>) -> bool {
        let wanted = || reading.columns.iter().map(|c| c.0);
        if self.columns.as_ref().is_none_or(|c| !c.are(wanted())) && !self.row_by_row {
            self.columns = RowColumns::new(&self.table.format().layout, wanted());
            self.row_by_row = self.columns.is_none();
        }
        // batches of long values are measured row by row
        !self.row_by_row && !reading.is_measured()
    }

    /// Appends rows column by column.
    fn fill_columns(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        let FileReader { table, scan, scratch, columns: Some(columns), positions, number, .. } = self else {
            return Ok(true);
        };
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        let mut rows = RowBatch::with_room(most.saturating_sub(out.len), columns);
        loop {
            let room = most.saturating_sub(out.len);
            rows.clear(columns);
            let end = scan.gather(table.format(), &view, columns, &mut rows, room);
            let end = end.map_err(|e| table.error(&e))?;
            for (n, (_, slot, ty)) in reading.columns.iter().enumerate() {
                columns::append(&rows, columns, n, ty, &mut out.columns[*slot], reading.conversion);
            }
            if reading.position.is_some() {
                rows.positions().iter().for_each(|pos| put_position(RowPos(number.0 | pos.0), reading, out));
            }
            positions.extend_from_slice(rows.positions());
            out.len += rows.len();
            match end {
                Gathered::Enough => return Ok(true),
                Gathered::End => return Ok(false),
                Gathered::Apart => {}
            }
            let one = |pos: RowPos, row: RowView<'_>| {
                load_row(&row, RowPos(number.0 | pos.0), reading, out);
                positions.push(pos);
                out.len += 1;
            };
            if !scan.one(table.format(), &view, scratch, one).map_err(|e| table.error(&e))? {
                return Ok(false);
            }
            if out.len >= most {
                return Ok(true);
            }
        }
    }
}

impl Reader for FileReader<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        if out.len == 0 {
            self.positions.clear();
        }
        if self.settle(reading) {
            return self.fill_columns(reading, out, most);
        }
        let FileReader { table, scan, scratch, positions, number, .. } = self;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        let mut n = out.len;
        let more = scan
            .each(table.format(), &view, scratch, |pos, row| {
                load_row(&row, RowPos(number.0 | pos.0), reading, out);
                positions.push(pos);
                n += 1;
                n < most && !reading.is_full(out)
            })
            .map_err(|e| table.error(&e))?;
        out.len = n;
        Ok(more)
    }

    fn rewind(&mut self) {
        self.scan = self.first;
    }

    fn late(&mut self) -> Option<&mut dyn LateReader> {
        Some(self)
    }
}

impl LateReader for FileReader<'_> {
    fn complete(&mut self, reading: &Reading<'_>, out: &mut Batch, rows: &[u32]) -> SqlResult<usize> {
        let FileReader { table, scan, scratch, positions, late, .. } = self;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        if !reading.is_measured() {
            let places: Vec<RowPos> = rows.iter().map(|row| positions[*row as usize]).collect();
            read_places(table, &view, &places, late, scratch, reading, out)?;
            return Ok(rows.len());
        }
        let mut done = 0;
        for row in rows {
            let pos = positions[*row as usize];
            let read = table.row(&view, pos, scratch).map_err(|e| table.error(&e))?;
            load_row(&read, pos, reading, out);
            done += 1;
            if done < rows.len() && reading.is_full(out) {
                scan.go_back(table.format(), positions[*row as usize + 1]);
                break;
            }
        }
        Ok(done)
    }
}

/// Appends the columns of the rows at these places, column by column where that is possible; `columns` keeps how they are read.
pub(super) fn read_places(
    table: &OpenTable,
    view: &impl PageSource,
    places: &[RowPos],
    columns: &mut Option<RowColumns>,
    scratch: &mut RowScratch,
    reading: &Reading<'_>,
    out: &mut Batch,
) -> SqlResult<()> {
    let wanted = || reading.columns.iter().map(|c| c.0);
    if columns.as_ref().is_none_or(|c| !c.are(wanted())) {
        *columns = RowColumns::new(&table.format().layout, wanted());
    }
    let mut left = places;
    let mut rows =
        columns.as_ref().map_or_else(RowBatch::default, |columns| RowBatch::with_room(left.len(), columns));
    while !left.is_empty() {
        if let Some(columns) = columns {
            rows.clear(columns);
            let gathered = table.format().gather_at(view, columns, &mut rows, left);
            gathered.map_err(|e| table.error(&e))?;
            for (n, (_, slot, ty)) in reading.columns.iter().enumerate() {
                columns::append(&rows, columns, n, ty, &mut out.columns[*slot], reading.conversion);
            }
            if reading.position.is_some() {
                rows.positions().iter().for_each(|pos| put_position(*pos, reading, out));
            }
            left = &left[rows.len()..];
        }
        let Some((pos, others)) = left.split_first() else { break };
        let row = table.row(view, *pos, scratch).map_err(|e| table.error(&e))?;
        load_row(&row, *pos, reading, out);
        left = others;
    }
    Ok(())
}

impl EntryReader<'_> {
    /// Walks over entries and appends the columns of their rows, many at once.
    fn fill_columns(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        let EntryReader { table, walk, intervals, scratch, columns, places, .. } = self;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        places.clear();
        let mut more = true;
        while more && out.len + places.len() < most {
            match walk.next(&view, intervals).map_err(|e| table.error(&e))? {
                Some(pos) => {
                    places.push(pos);
                    let room = most - out.len - places.len();
                    walk.rest(&view, intervals, room, places).map_err(|e| table.error(&e))?;
                }
                None => more = false,
            }
        }
        read_found(table, &view, places, columns, scratch, reading, out)?;
        Ok(more)
    }
}

/// Appends the rows that entries of a key lead to.
fn read_found(
    table: &OpenTable,
    view: &impl PageSource,
    places: &[RowPos],
    columns: &mut Option<RowColumns>,
    scratch: &mut RowScratch,
    reading: &Reading<'_>,
    out: &mut Batch,
) -> SqlResult<()> {
    if places.len() < FEW {
        for pos in places {
            let row = table.row(view, *pos, scratch).map_err(|e| table.error(&e))?;
            load_row(&row, *pos, reading, out);
        }
    } else {
        read_places(table, view, places, columns, scratch, reading, out)?;
    }
    out.len += places.len();
    Ok(())
}

/// So few rows are read one by one.
const FEW: usize = 2;

impl Reader for EntryReader<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        if self.covering.is_none() && !reading.is_measured() {
            return self.fill_columns(reading, out, most);
        }
        let EntryReader { table, walk, intervals, scratch, covering, .. } = self;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        while out.len < most {
            let Some(pos) = walk.next(&view, intervals).map_err(|e| table.error(&e))? else {
                return Ok(false);
            };
            if let Some(parts) = covering {
                load_entry(walk, parts, reading, out);
                put_position(pos, reading, out);
            } else {
                let row = table.row(&view, pos, scratch).map_err(|e| table.error(&e))?;
                load_row(&row, pos, reading, out);
            }
            out.len += 1;
            if reading.is_full(out) {
                break;
            }
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.walk.restart();
    }

    fn counted(&self) -> Counted {
        match self.by_value {
            true => Counted::Key,
            false if self.walk.is_descending() => Counted::Prev,
            false => Counted::Next,
        }
    }
}

impl KeyReader for EntryReader<'_> {
    fn intervals(&mut self) -> &mut Vec<Interval> {
        &mut self.intervals
    }

    fn begin(&mut self, single: bool) {
        self.by_value =
            single || self.intervals.len() > 1 && is_by_value(self.table.format(), self.key, &self.intervals);
        self.walk.restart();
        self.walk.only_one(single);
    }

    fn points(&mut self) -> Option<&mut dyn PointReader> {
        if self.walk.is_descending() { None } else { Some(self) }
    }
}

impl PointReader for EntryReader<'_> {
    fn fill_points(
        &mut self,
        points: &mut Points,
        reading: &Reading<'_>,
        out: &mut Batch,
        most: usize,
        from: &mut Vec<u32>,
    ) -> SqlResult<bool> {
        let EntryReader { table, walk, intervals, scratch, covering, columns, places, .. } = self;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        let failed = |e| table.error(&e);
        let (parts, single) = (points.parts, points.single);
        self.by_value = single;
        walk.only_one(single);
        places.clear();
        let (mut ways, mut open, start) = (Ways::default(), false, out.len);
        while points.next_row().is_some() && !open && out.len + places.len() < most {
            walk.cursor_mut().find_ways(&view, points.ahead(), parts, &mut ways).map_err(failed)?;
            for n in 0..TOGETHER {
                let read = out.len + places.len();
                if read >= most {
                    break;
                }
                let Some((row, flat)) = points.take() else { break };
                let mut found = walk.first_on_way(&view, &ways, n, (flat, parts)).map_err(failed)?;
                if found.is_some() && !single {
                    only_point(flat, parts, intervals);
                }
                while let Some(pos) = found.take() {
                    if let Some(parts) = covering {
                        load_entry(walk, parts, reading, out);
                        put_position(pos, reading, out);
                        out.len += 1;
                    } else {
                        places.push(pos);
                        let room = most.saturating_sub(out.len + places.len());
                        walk.rest(&view, intervals, room, places).map_err(failed)?;
                    }
                    open = !single && out.len + places.len() >= most;
                    if !single && !open {
                        found = walk.next(&view, intervals).map_err(failed)?;
                    }
                }
                from.resize(from.len() + out.len + places.len() - read, row);
            }
        }
        debug_assert!(places.is_empty() || out.len == start);
        read_found(table, &view, places, columns, scratch, reading, out)?;
        Ok(open)
    }
}

/// Appends what a key's entry says of its row.
pub(super) fn load_entry(walk: &KeyWalk, parts: &[usize], reading: &Reading<'_>, out: &mut Batch) {
    let mut turned = [0u8; 8];
    for ((_, slot, ty), part) in reading.columns.iter().zip(parts) {
        let value = walk.cursor().part(*part, &mut turned);
        load::push(value, ty, &mut out.columns[*slot], reading.conversion);
    }
}

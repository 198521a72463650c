//! Columns of many rows at once, read in place.
//!
//! Packed rows with the same pack bits have their columns at the same distance from each other, but for the columns that count their
//! bytes. Those distances are computed once for each combination of pack bits that is met (a [`Shape`]); then a row costs a look at its
//! pack bits and at its counts, and a column is read at a known place, row after row.

use std::collections::HashMap;

use super::pack::left_count;
use super::view::{ColumnForm, Pad, RowLayout, StoredColumn, ZEROS};
use crate::error::{Error, Result};
use crate::myi::ColumnKind;
use crate::pointer::RowPos;

/// Combinations of pack bits that are remembered.
const MOST_SHAPES: usize = 1024;

/// Slots of the table that finds most of them.
const RECENT: usize = 256;

/// No shape.
const NONE: u16 = u16::MAX;

/// The columns that are read of rows, and where they lie.
#[derive(Debug)]
pub struct RowColumns {
    wanted: Vec<Wanted>,
    shapes: Vec<Shape>,
    by_bits: HashMap<u64, u16>,
    recent: Vec<(u64, u16)>,
    /// Counted columns of a row that are noted, at most.
    noted: usize,
}

/// A column that is read.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    column: usize,
    form: ColumnForm,
    /// Offset and bytes in a fixed row.
    offset: u32,
    length: u32,
    /// Its NULL bit; no mask for NOT NULL.
    null_at: u32,
    null_mask: u8,
}

/// Where the columns of packed rows with these pack bits lie.
#[derive(Debug)]
struct Shape {
    counted: Vec<Counted>,
    /// All counts are single bytes.
    bytes_only: bool,
    /// Bytes behind the last counted column.
    rest: usize,
    /// Of each wanted column.
    places: Vec<Place>,
    /// It has columns that are not in the row as they are: such rows are unpacked one by one.
    odd: bool,
}

/// A column that counts its bytes.
#[derive(Clone, Copy, Debug)]
struct Counted {
    /// Bytes from the end of the one before, or from the beginning of the row.
    before: usize,
    kind: ColumnKind,
    length: usize,
}

impl Counted {
    /// Whether the count is always a byte.
    fn is_byte(&self) -> bool {
        match self.kind {
            ColumnKind::Varchar => self.length <= 256,
            ColumnKind::Blob => false,
            _ => self.length <= 255,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// So many bytes behind the end of a counted column, or of the beginning of the row.
    Behind { counted: Option<u32>, offset: u32, len: u32 },
    /// The bytes of a counted column.
    Counted(u32),
    /// So many zero bytes.
    Zero(u32),
}

/// Rows that lie in one piece in their pages.
#[derive(Debug, Default)]
pub struct RowBatch<'a> {
    rows: Vec<&'a [u8]>,
    positions: Vec<RowPos>,
    shapes: Vec<u16>,
    /// All rows have the shape of the first.
    mixed: bool,
    /// Where the values of counted columns are, for each row as many as are noted.
    parts: Vec<(u32, u32)>,
}

/// How gathering rows ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gathered {
    /// As many rows as were asked for.
    Enough,
    /// The next row is not in one piece, or not stored as it is read: the scan stands before it.
    Apart,
    /// There are no more rows.
    End,
}

impl RowColumns {
    /// The columns with these numbers; none where one of them is put together from pieces of a row.
    #[must_use]
    pub fn new(layout: &RowLayout, columns: impl Iterator<Item = usize>) -> Option<RowColumns> {
        if layout.pack_bits > size_of::<u64>() {
            return None;
        }
        let nulls = if layout.fixed { 0 } else { layout.pack_bits };
        let mut wanted = Vec::new();
        let mut last = 0;
        for column in columns {
            let c = layout.columns.get(column)?;
            let stored = layout.stored.iter().position(|s| s.column == Some(column as u32));
            let whole = match c.form {
                ColumnForm::Bit { .. } | ColumnForm::Virtual(_) => false,
                ColumnForm::Blob(_) => !layout.fixed,
                _ => true,
            };
            if !whole {
                return None;
            }
            last = last.max(stored? + 1);
            wanted.push(Wanted {
                column,
                form: c.form,
                offset: c.offset,
                length: c.length,
                null_at: c.null_pos + nulls as u32,
                null_mask: c.null_mask,
            });
        }
        let counts = |s: &&StoredColumn| {
            matches!(s.kind, ColumnKind::Varchar | ColumnKind::Blob | ColumnKind::SkipEndSpace)
        };
        let noted = layout.stored[..last].iter().filter(counts).count();
        let recent = if layout.fixed { Vec::new() } else { vec![(0, NONE); RECENT] };
        Some(RowColumns { wanted, shapes: Vec::new(), by_bits: HashMap::new(), recent, noted })
    }

    /// Whether these are its columns.
    #[must_use]
    pub fn are(&self, columns: impl ExactSizeIterator<Item = usize>) -> bool {
        self.wanted.len() == columns.len() && self.wanted.iter().zip(columns).all(|(w, c)| w.column == c)
    }

    /// The number of the shape with these pack bits; none when there are too many of them.
    #[inline]
    fn shape(&mut self, layout: &RowLayout, bits: u64) -> Option<u16> {
        let slot = (bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % RECENT;
        match self.recent[slot] {
            (known, shape) if known == bits && shape != NONE => Some(shape),
            _ => {
                let shape = self.learn(layout, bits)?;
                self.recent[slot] = (bits, shape);
                Some(shape)
            }
        }
    }

    #[cold]
    fn learn(&mut self, layout: &RowLayout, bits: u64) -> Option<u16> {
        if let Some(shape) = self.by_bits.get(&bits) {
            return Some(*shape);
        }
        if self.shapes.len() >= MOST_SHAPES {
            return None;
        }
        let number = self.shapes.len() as u16;
        let shape = Shape::new(layout, bits, &self.wanted);
        self.shapes.push(shape);
        self.by_bits.insert(bits, number);
        Some(number)
    }

    /// Forgets the shapes when there are too many of them; between two batches.
    fn make_room(&mut self) {
        if self.shapes.len() >= MOST_SHAPES {
            self.shapes.clear();
            self.by_bits.clear();
            self.recent.fill((0, NONE));
        }
    }
}

impl Shape {
    /// The shape of rows with these pack bits.
    fn new(layout: &RowLayout, bits: u64, wanted: &[Wanted]) -> Shape {
        let mut shape =
            Shape { counted: Vec::new(), bytes_only: true, rest: 0, places: Vec::new(), odd: false };
        let mut places = vec![Place::Zero(0); layout.columns.len()];
        let (mut at, mut bit) = (layout.pack_bits, 0);
        for s in &layout.stored {
            let mut packed = false;
            if s.kind.has_pack_bit() {
                packed = bits >> bit & 1 == 1;
                bit += 1;
            }
            let behind = Place::Behind {
                counted: shape.counted.len().checked_sub(1).map(|n| n as u32),
                offset: at as u32,
                len: s.length,
            };
            let is_wanted = s.column.is_some_and(|c| wanted.iter().any(|w| w.column == c as usize));
            let place = match (s.kind, packed) {
                (ColumnKind::SkipZero, true) => Place::Zero(s.length),
                (ColumnKind::Blob, true) => Place::Zero(0),
                (ColumnKind::Varchar | ColumnKind::Blob, _)
                | (ColumnKind::SkipEndSpace | ColumnKind::SkipPreSpace, true) => {
                    // what is filled up with spaces is not in the row as it is
                    let whole = matches!(s.kind, ColumnKind::Varchar | ColumnKind::Blob)
                        || s.kind == ColumnKind::SkipEndSpace && s.form == ColumnForm::Char(Pad::Space);
                    shape.odd |= is_wanted && !whole;
                    shape.counted.push(Counted { before: at, kind: s.kind, length: s.length as usize });
                    at = 0;
                    Place::Counted(shape.counted.len() as u32 - 1)
                }
                _ => {
                    at += s.length as usize;
                    behind
                }
            };
            if let Some(column) = s.column {
                places[column as usize] = place;
            }
        }
        shape.rest = at;
        shape.bytes_only = shape.counted.iter().all(Counted::is_byte);
        shape.places = wanted.iter().map(|w| places[w.column]).collect();
        shape
    }

    /// Whether a row of this shape has as many bytes as its columns; notes where the values of the first counted columns are.
    #[inline]
    fn measure(&self, row: &[u8], checksum: usize, noted: usize, parts: &mut Vec<(u32, u32)>) -> bool {
        if let (true, [c], 0..=1) = (self.bytes_only, &self.counted[..], noted) {
            // one counted column, as in many tables: no loop
            let Some(len) = row.get(c.before).map(|b| usize::from(*b)) else { return false };
            let at = c.before + 1;
            if noted == 1 {
                parts.push((at as u32, (at + len) as u32));
            }
            return len <= c.length && at + len + self.rest + checksum == row.len();
        }
        self.measure_all(row, checksum, noted, parts)
    }

    /// As [`Shape::measure`], of rows with any columns.
    fn measure_all(&self, row: &[u8], checksum: usize, noted: usize, parts: &mut Vec<(u32, u32)>) -> bool {
        let mut at = 0;
        if self.bytes_only {
            let first = noted.min(self.counted.len());
            let count = |c: &Counted, at: &mut usize| {
                *at += c.before + 1;
                row.get(*at - 1).map(|len| usize::from(*len)).filter(|len| *len <= c.length)
            };
            for c in &self.counted[..first] {
                let Some(len) = count(c, &mut at) else { return false };
                parts.push((at as u32, (at + len) as u32));
                at += len;
            }
            for c in &self.counted[first..] {
                let Some(len) = count(c, &mut at) else { return false };
                at += len;
            }
            parts.extend((first..noted).map(|_| (0, 0)));
            return at + self.rest + checksum == row.len();
        }
        for (n, c) in self.counted.iter().enumerate() {
            at += c.before;
            let Some(len) = count(c, row, &mut at) else { return false };
            if n < noted {
                parts.push((at as u32, (at + len) as u32));
            }
            at += len;
        }
        for _ in self.counted.len()..noted {
            parts.push((0, 0));
        }
        at + self.rest + checksum == row.len()
    }
}

/// The count of a column at position `at`, which moves behind it.
#[inline]
fn count(c: &Counted, row: &[u8], at: &mut usize) -> Option<usize> {
    let mut byte = || {
        let b = *row.get(*at)?;
        *at += 1;
        Some(usize::from(b))
    };
    let n = match c.kind {
        ColumnKind::Varchar => match byte()? {
            255 if c.length > 256 => byte()? << 8 | byte()?,
            n => n,
        },
        ColumnKind::Blob => {
            let mut n = 0;
            for i in 0..c.length.saturating_sub(8) {
                n |= byte()? << (8 * i);
            }
            return Some(n);
        }
        _ => left_count(row, at, c.length)?,
    };
    (n <= c.length).then_some(n)
}

impl<'a> RowBatch<'a> {
    /// No rows, with room for some.
    #[must_use]
    pub fn with_room(rows: usize, columns: &RowColumns) -> RowBatch<'a> {
        // fixed rows have no shapes
        let packed = if columns.recent.is_empty() { 0 } else { rows };
        RowBatch {
            rows: Vec::with_capacity(rows),
            positions: Vec::with_capacity(rows),
            shapes: Vec::with_capacity(packed),
            mixed: false,
            parts: Vec::with_capacity(packed * columns.noted),
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Where the rows are.
    #[must_use]
    pub fn positions(&self) -> &[RowPos] {
        &self.positions
    }

    /// Forgets all rows, for the next ones.
    pub fn clear(&mut self, columns: &mut RowColumns) {
        self.rows.clear();
        self.positions.clear();
        self.shapes.clear();
        self.parts.clear();
        self.mixed = false;
        columns.make_room();
    }

    /// Adds a fixed row.
    #[inline]
    pub(crate) fn push_fixed(&mut self, pos: RowPos, row: &'a [u8]) {
        self.rows.push(row);
        self.positions.push(pos);
    }

    /// Adds a packed row; false when it has to be unpacked by itself.
    ///
    /// # Errors
    /// 127 if the bytes are no row.
    #[inline]
    pub(crate) fn push_packed(
        &mut self,
        layout: &RowLayout,
        columns: &mut RowColumns,
        pos: RowPos,
        row: &'a [u8],
    ) -> Result<bool> {
        let bad = || Error::row(pos.0, "packed row does not fit its columns");
        let checksum = usize::from(layout.checksum);
        if row.len() < layout.pack_bits + layout.null_bytes + checksum {
            return Err(bad());
        }
        let bits = match layout.pack_bits {
            0 => 0,
            1 => u64::from(row[0]),
            n => row[..n].iter().rev().fold(0, |bits, b| bits << 8 | u64::from(*b)),
        };
        let Some(number) = columns.shape(layout, bits) else { return Ok(false) };
        let shape = &columns.shapes[usize::from(number)];
        if shape.odd {
            return Ok(false);
        }
        if !shape.measure(row, checksum, columns.noted, &mut self.parts) {
            return Err(bad());
        }
        self.mixed |= self.shapes.first().is_some_and(|first| *first != number);
        self.shapes.push(number);
        self.rows.push(row);
        self.positions.push(pos);
        Ok(true)
    }

    /// Hands the stored bytes of the `n`-th of `columns` to `f`, row by row; `None` for NULL. They have the form of
    /// [`RowView::column`](super::RowView::column).
    #[inline]
    pub fn each(&self, columns: &RowColumns, n: usize, mut f: impl FnMut(Option<&'a [u8]>)) {
        let w = &columns.wanted[n];
        let is_null = |row: &[u8]| w.null_mask != 0 && row[w.null_at as usize] & w.null_mask != 0;
        if self.shapes.is_empty() {
            let (from, to) = (w.offset as usize, (w.offset + w.length) as usize);
            let form = w.form;
            return self.rows.iter().for_each(|row| match is_null(row) {
                true => f(None),
                false => f(Some(fixed_value(form, &row[from..to]))),
            });
        }
        let first = columns.shapes[usize::from(self.shapes[0])].places[n];
        if let (false, Place::Behind { counted: None, offset, len }, ColumnForm::Plain) =
            (self.mixed, first, w.form)
        {
            let (from, to) = (offset as usize, (offset + len) as usize);
            return self.rows.iter().for_each(|row| match is_null(row) {
                true => f(None),
                false => f(Some(&row[from..to])),
            });
        }
        if w.form == ColumnForm::Plain && self.each_before_counts(columns, n, &is_null, &mut f) {
            return;
        }
        for (i, (row, shape)) in self.rows.iter().zip(&self.shapes).enumerate() {
            if is_null(row) {
                f(None);
                continue;
            }
            let part = |n: u32| self.parts[i * columns.noted + n as usize];
            let value = match columns.shapes[usize::from(*shape)].places[n] {
                Place::Behind { counted, offset, len } => {
                    let from = counted.map_or(0, |n| part(n).1) as usize + offset as usize;
                    &row[from..from + len as usize]
                }
                Place::Counted(n) => {
                    let (from, to) = part(n);
                    &row[from as usize..to as usize]
                }
                Place::Zero(len) => &ZEROS[..len as usize],
            };
            f(Some(match w.form {
                ColumnForm::Char(pad) => pad.trim(value),
                _ => value,
            }));
        }
    }
}

impl<'a> RowBatch<'a> {
    /// As [`RowBatch::each`], of a column that lies before all counted ones in rows of several shapes; false where it does not, or there
    /// are many shapes.
    #[inline]
    fn each_before_counts(
        &self,
        columns: &RowColumns,
        n: usize,
        is_null: &impl Fn(&[u8]) -> bool,
        f: &mut impl FnMut(Option<&'a [u8]>),
    ) -> bool {
        // the offset in the row of each shape, and the bytes there; none are zeros of the whole length
        let mut places = [(0u32, 0u32, 0u32); FEW_SHAPES];
        if columns.shapes.len() > FEW_SHAPES {
            return false;
        }
        for (to, shape) in places.iter_mut().zip(&columns.shapes) {
            *to = match shape.places[n] {
                Place::Behind { counted: None, offset, len } => (offset, len, len),
                Place::Zero(len) => (0, 0, len),
                _ => return false,
            };
        }
        for (row, shape) in self.rows.iter().zip(&self.shapes) {
            if is_null(row) {
                f(None);
                continue;
            }
            let (offset, stored, len) = places[usize::from(*shape) % FEW_SHAPES];
            let from = if stored == 0 { &ZEROS[..] } else { &row[offset as usize..] };
            f(Some(&from[..len as usize]));
        }
        true
    }
}

/// So many shapes of rows are looked up in a table of their own for a column.
const FEW_SHAPES: usize = 64;

/// The value of a column of a fixed row.
#[inline]
fn fixed_value(form: ColumnForm, value: &[u8]) -> &[u8] {
    match form {
        ColumnForm::Char(pad) => pad.trim(value),
        ColumnForm::Varchar(1) => {
            let n = usize::from(value[0]);
            &value[1..(1 + n).min(value.len())]
        }
        ColumnForm::Varchar(_) => {
            let n = usize::from(u16::from_le_bytes([value[0], value[1]]));
            &value[2..(2 + n).min(value.len())]
        }
        _ => value,
    }
}

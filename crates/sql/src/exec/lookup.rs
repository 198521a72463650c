//! Looking up the rows whose leading key parts equal values.

use crate::table::{EngineError, KeyCursor, PageSource, RowPos, RowScratch, TableFormat};

use crate::plan::KeyPartValue;
use crate::plan::stored::{Fit, image};
use crate::table::OpenTable;
use crate::table::interval::{Interval, only_point};
use crate::table::key_walk::KeyWalk;
use crate::types::Value;

/// What look-ups need again and again, kept by the connection so that they allocate nothing.
#[derive(Default)]
pub struct Buffers {
    walk: Option<KeyWalk>,
    /// The intervals to walk.
    pub intervals: Vec<Interval>,
    /// Room for rows that do not lie together.
    pub row: RowScratch,
    /// Rows that were found and not sent yet.
    found: Found,
    point: PointKey,
}

impl Buffers {
    /// The walk over a key, at its start, with the intervals and the room for rows.
    pub fn walk(
        &mut self,
        format: &TableFormat,
        key: usize,
        descending: bool,
    ) -> (&mut KeyWalk, &[Interval], &mut RowScratch, &mut Found) {
        let walk = match &mut self.walk {
            Some(walk) => {
                walk.renew(format, key, descending);
                walk
            }
            none => none.insert(KeyWalk::new(KeyCursor::new(format, key), descending)),
        };
        self.found.start();
        (walk, &self.intervals, &mut self.row, &mut self.found)
    }

    /// Room for a point's key, empty.
    pub fn start_point(&mut self) -> &mut PointKey {
        self.point.start();
        &mut self.point
    }

    /// Makes the point just put together the only interval.
    pub fn finish_point(&mut self) {
        self.point.fill(&mut self.intervals);
    }

    /// Makes the whole key the only interval.
    pub fn everything(&mut self) {
        self.intervals.clear();
        self.intervals.push(Interval::default());
    }
}

/// The most rows that a walk along a key is ahead of who asks for them.
const AHEAD: usize = 256;

/// The rows that a walk along a key finds. It goes ahead of who asks for them, the farther the more were asked for.
#[derive(Default)]
pub struct Found {
    rows: Vec<RowPos>,
    next: usize,
    ahead: usize,
}

impl Found {
    /// Starts over.
    fn start(&mut self) {
        self.rows.clear();
        (self.next, self.ahead) = (0, 0);
    }

    /// The next row.
    ///
    /// # Errors
    /// Those of the walk.
    #[inline]
    pub fn next<S: PageSource>(
        &mut self,
        walk: &mut KeyWalk,
        src: &S,
        intervals: &[Interval],
    ) -> Result<Option<RowPos>, EngineError> {
        if let Some(pos) = self.rows.get(self.next) {
            self.next += 1;
            return Ok(Some(*pos));
        }
        let pos = walk.next(src, intervals)?;
        if self.ahead > 0 && pos.is_some() {
            self.rows.clear();
            self.next = 0;
            walk.rest(src, intervals, self.ahead, &mut self.rows)?;
        }
        self.ahead = (self.ahead * 2).clamp(4, AHEAD);
        Ok(pos)
    }
}

/// What became of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It belongs to the key now.
    Added,
    /// It says nothing: rows are looked up by the parts before it.
    Unknown,
    /// No row can match.
    Never,
}

/// The key of a point, put together part by part.
#[derive(Default)]
pub struct PointKey {
    flat: Vec<u8>,
    image: Vec<u8>,
    parts: usize,
    null: bool,
}

impl PointKey {
    /// Starts over.
    pub fn start(&mut self) {
        self.flat.clear();
        self.parts = 0;
        self.null = false;
    }

    /// Whether no part was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts == 0
    }

    /// Whether a part is NULL: even a unique key may hold several such entries.
    #[must_use]
    pub fn has_null(&self) -> bool {
        self.null
    }

    /// Begins as another one does.
    pub fn copy(&mut self, from: &PointKey) {
        self.flat.clone_from(&from.flat);
        (self.parts, self.null) = (from.parts, from.null);
    }

    /// Adds NULL as the next part, which can be NULL.
    pub fn add_null(&mut self, open: &OpenTable, key: usize) {
        open.format().encode_key_part(key, self.parts, None, &mut self.flat);
        self.null = true;
        self.parts += 1;
    }

    /// Adds the next part.
    pub fn add(&mut self, open: &OpenTable, key: usize, part: &KeyPartValue, value: &Value) -> Part {
        let format = open.format();
        if value.is_null() {
            if !part.null_safe || !format.keys[key].segments[self.parts].nullable {
                return Part::Never;
            }
            format.encode_key_part(key, self.parts, None, &mut self.flat);
            self.null = true;
        } else {
            self.image.clear();
            match image(value, &part.ty, &mut self.image) {
                Fit::Exact => format.encode_key_part(key, self.parts, Some(&self.image), &mut self.flat),
                Fit::Unknown => return Part::Unknown,
                Fit::After | Fit::BelowAll | Fit::AboveAll => return Part::Never,
            }
        }
        self.parts += 1;
        Part::Added
    }

    /// Makes the entries equal to the key the only interval, in the room that is there.
    pub fn fill(&self, intervals: &mut Vec<Interval>) {
        only_point(&self.flat, self.parts, intervals);
    }

    /// The flat bytes of its parts.
    #[must_use]
    pub fn flat(&self) -> &[u8] {
        &self.flat
    }
}

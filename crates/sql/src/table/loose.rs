//! A reader of a key that leaves out the middle of its groups.

use super::interval::Interval;
use super::key_walk::KeyWalk;
use super::reader::{Counted, KeyReader, Reader, Reading};
use super::stored_reader::load_entry;
use super::{EngineError, KeyCursor, OpenTable, PageSource, SeekMode};
use crate::error::SqlResult;
use crate::types::Batch;

/// What is wanted of each group: entries whose leading parts are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The leading parts that make a group.
    pub parts: usize,
    /// The first entry with a value in the part behind them.
    pub first_value: bool,
    /// The last entry.
    pub last: bool,
    /// How large groups are is not known: some entries are looked at one by one before a group is left.
    pub steps: bool,
}

/// Entries looked at before a group is left, where nobody knows how large it is.
const STEPS: usize = 12;

/// Where the reader goes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// To the first entry of all.
    Begin,
    /// So many entries more of the group, one by one.
    Step(usize),
    /// To the first entry with a value behind the leading parts.
    Value,
    /// To the last entry of the group.
    Last,
    /// To the group behind.
    Group,
}

/// A reader that gives of each group what is [`Wanted`], or else its first entry; an entry may come twice. A DISTINCT, a MIN and a MAX over
/// them are those of all entries.
pub struct LooseReader<'t> {
    table: &'t OpenTable,
    walk: KeyWalk,
    intervals: Vec<Interval>,
    /// The parts that the columns read come from.
    covering: Vec<usize>,
    wanted: Wanted,
    next: Next,
    /// The entry that began the group.
    group: Vec<u8>,
    seeks: u64,
    walked: u64,
}

impl<'t> LooseReader<'t> {
    /// Before the first entry.
    #[must_use]
    pub fn new(table: &'t OpenTable, key: usize, covering: Vec<usize>, wanted: Wanted) -> LooseReader<'t> {
        LooseReader {
            table,
            walk: KeyWalk::new(KeyCursor::new(table.format(), key), false),
            intervals: Vec::new(),
            covering,
            wanted,
            next: Next::Begin,
            group: Vec::new(),
            seeks: 0,
            walked: 0,
        }
    }

    /// Notes that a group begins here, and where to go next. True where the entry is wanted itself.
    fn begin_group(&mut self) -> bool {
        let Wanted { first_value, last, steps, .. } = self.wanted;
        self.group.clear();
        self.group.extend_from_slice(self.walk.cursor().key());
        let (next, given) = match () {
            () if steps => (Next::Step(STEPS), true),
            () if first_value && !self.has_value() => (Next::Value, false),
            () if last => (Next::Last, first_value),
            () => (Next::Group, true),
        };
        self.next = next;
        given
    }

    fn has_value(&self) -> bool {
        self.walk.cursor().part(self.wanted.parts, &mut [0; 8]).is_some()
    }

    fn is_in_group(&self) -> bool {
        self.walk.cursor().matches(&self.group, self.wanted.parts)
    }

    fn behind_value(&self) -> Next {
        if self.wanted.last { Next::Last } else { Next::Group }
    }

    /// Goes on; whether the entry it arrives at is wanted, none at the end.
    fn go<S: PageSource>(&mut self, src: &S) -> Result<Option<bool>, EngineError> {
        let parts = self.wanted.parts;
        Ok(Some(match self.next {
            Next::Begin => {
                if self.walk.next(src, &self.intervals)?.is_none() {
                    return Ok(None);
                }
                self.begin_group()
            }
            Next::Step(left) => {
                if self.walk.next(src, &self.intervals)?.is_none() {
                    return Ok(None);
                }
                self.walked += 1;
                if !self.is_in_group() {
                    return Ok(Some(self.begin_group()));
                }
                if left > 1 {
                    self.next = Next::Step(left - 1);
                } else if self.wanted.first_value && !self.has_value() {
                    self.next = Next::Value;
                } else {
                    self.next = self.behind_value();
                }
                true
            }
            Next::Value => {
                self.seeks += 1;
                // behind all that are equal in one part more, which is NULL
                let cursor = self.walk.cursor_mut();
                if !cursor.seek(src, &self.group, parts + 1, SeekMode::Greater)? || !self.is_in_group() {
                    // none has a value
                    self.walk.cursor_mut().seek(src, &self.group, parts, SeekMode::GreaterEqual)?;
                }
                self.next = self.behind_value();
                true
            }
            Next::Last => {
                self.seeks += 1;
                self.walk.cursor_mut().seek(src, &self.group, parts, SeekMode::LessEqual)?;
                self.next = Next::Group;
                true
            }
            Next::Group => {
                self.seeks += 1;
                if self.walk.skip(src, &self.intervals, &self.group, parts)?.is_none() {
                    return Ok(None);
                }
                self.begin_group()
            }
        }))
    }
}

impl Reader for LooseReader<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        let table = self.table;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        while out.len < most && !reading.is_full(out) {
            match self.go(&view).map_err(|e| table.error(&e))? {
                Some(true) => {
                    load_entry(&self.walk, &self.covering, reading, out);
                    out.len += 1;
                }
                Some(false) => {}
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.next = Next::Begin;
        self.walk.restart();
    }

    fn counted(&self) -> Counted {
        Counted::Key
    }

    fn walked(&mut self) -> (u64, u64) {
        (std::mem::take(&mut self.walked), std::mem::take(&mut self.seeks))
    }
}

impl KeyReader for LooseReader<'_> {
    fn intervals(&mut self) -> &mut Vec<Interval> {
        &mut self.intervals
    }

    fn begin(&mut self, _single: bool) {
        self.rewind();
    }
}

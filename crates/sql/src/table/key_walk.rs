//! Walking intervals of a key.

use std::cmp::Ordering;

use super::{EngineError, KeyCursor, PageSource, RowPos, SeekMode, Ways};

use super::interval::Interval;

/// A walk over intervals of one key, ascending or descending. It borrows no page.
pub struct KeyWalk {
    cursor: KeyCursor,
    at: usize,
    open: bool,
    descending: bool,
    single: bool,
}

impl KeyWalk {
    /// A walk with this cursor.
    #[must_use]
    pub fn new(cursor: KeyCursor, descending: bool) -> KeyWalk {
        KeyWalk { cursor, at: 0, open: false, descending, single: false }
    }

    /// Starts over, with another key or the same.
    pub fn renew(&mut self, format: &crate::table::TableFormat, key: usize, descending: bool) {
        self.cursor.renew(format, key);
        self.descending = descending;
        self.single = false;
        self.restart();
    }

    /// Starts over.
    pub fn restart(&mut self) {
        self.at = 0;
        self.open = false;
    }

    /// Whether the walk ends after one row: the interval is a whole unique key.
    pub fn only_one(&mut self, yes: bool) {
        self.single = yes;
    }

    /// Whether entries come backwards.
    #[must_use]
    pub fn is_descending(&self) -> bool {
        self.descending
    }

    /// The cursor, standing at the entry that [`KeyWalk::next`] gave.
    #[must_use]
    pub fn cursor(&self) -> &KeyCursor {
        &self.cursor
    }

    /// The cursor, to find its place again after the source changed.
    pub fn cursor_mut(&mut self) -> &mut KeyCursor {
        &mut self.cursor
    }

    fn enter<S: PageSource>(&mut self, src: &S, range: &Interval) -> Result<bool, EngineError> {
        if self.descending {
            match &range.high {
                None => self.cursor.seek(src, &[], 0, SeekMode::Last),
                Some(b) => {
                    let mode = if b.inclusive { SeekMode::LessEqual } else { SeekMode::Less };
                    self.cursor.seek(src, &b.flat, b.parts, mode)
                }
            }
        } else {
            match &range.low {
                None => self.cursor.seek(src, &[], 0, SeekMode::First),
                Some(b) if range.is_point() => self.cursor.seek(src, &b.flat, b.parts, SeekMode::Exact),
                Some(b) => {
                    let mode = if b.inclusive { SeekMode::GreaterEqual } else { SeekMode::Greater };
                    self.cursor.seek(src, &b.flat, b.parts, mode)
                }
            }
        }
    }

    fn inside(&self, range: &Interval) -> bool {
        if self.descending {
            range.low.as_ref().is_none_or(|b| match self.cursor.compare(&b.flat, b.parts) {
                Ordering::Greater => true,
                Ordering::Equal => b.inclusive,
                Ordering::Less => false,
            })
        } else {
            range.high.as_ref().is_none_or(|b| match self.cursor.compare(&b.flat, b.parts) {
                Ordering::Less => true,
                Ordering::Equal => b.inclusive,
                Ordering::Greater => false,
            })
        }
    }

    /// Starts over at the `n`-th of the keys whose ways the cursor found, ascending: as [`KeyWalk::next`] with that point as the only interval,
    /// which goes on from there.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn first_on_way<S: PageSource>(
        &mut self,
        src: &S,
        ways: &Ways<'_>,
        n: usize,
        (flat, parts): (&[u8], usize),
    ) -> Result<Option<RowPos>, EngineError> {
        (self.at, self.open) = (0, true);
        let there = self.cursor.seek_on_way(src, ways, n, flat, parts)?;
        Ok(there.then(|| self.cursor.pos()))
    }

    /// The row of the next entry in the intervals, which must not overlap and stand in ascending order.
    ///
    /// # Errors
    /// A damaged key tree.
    pub fn next<S: PageSource>(
        &mut self,
        src: &S,
        ranges: &[Interval],
    ) -> Result<Option<RowPos>, EngineError> {
        loop {
            if self.at >= ranges.len() || self.open && self.single {
                return Ok(None);
            }
            let range = if self.descending { &ranges[ranges.len() - 1 - self.at] } else { &ranges[self.at] };
            let there = if self.open {
                if self.descending { self.cursor.prev(src)? } else { self.cursor.next(src)? }
            } else {
                self.open = true;
                self.enter(src, range)?
            };
            if there && self.inside(range) {
                return Ok(Some(self.cursor.pos()));
            }
            self.at += 1;
            self.open = false;
        }
    }

    /// After [`KeyWalk::next`], ascending: goes on behind all entries whose first `parts` parts are those of `flat`. No interval begins within
    /// them.
    ///
    /// # Errors
    /// As there.
    pub fn skip<S: PageSource>(
        &mut self,
        src: &S,
        ranges: &[Interval],
        flat: &[u8],
        parts: usize,
    ) -> Result<Option<RowPos>, EngineError> {
        let Some(range) = ranges.get(self.at) else { return Ok(None) };
        if self.cursor.seek(src, flat, parts, SeekMode::Greater)? && self.inside(range) {
            return Ok(Some(self.cursor.pos()));
        }
        self.at += 1;
        self.open = false;
        self.next(src, ranges)
    }

    /// After [`KeyWalk::next`]: walks over up to `most` entries more, those that are found without searching, and appends their rows.
    ///
    /// # Errors
    /// As there.
    pub fn rest<S: PageSource>(
        &mut self,
        src: &S,
        ranges: &[Interval],
        most: usize,
        out: &mut Vec<RowPos>,
    ) -> Result<(), EngineError> {
        let Some(range) = ranges.get(self.at).filter(|_| self.open && !self.single && !self.descending)
        else {
            return Ok(());
        };
        let bound = range.high.as_ref().map(|b| (&b.flat[..], b.parts, b.inclusive));
        self.cursor.rest_within(src, bound, most, out)
    }
}

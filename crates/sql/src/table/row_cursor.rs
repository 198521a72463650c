//! A position among the rows of a table that lasts between statements, for HANDLER.
//!
//! It holds no page and no snapshot: the file is remembered by an offset, a key by the bytes of an entry, which is looked for again
//! in each new snapshot. What becomes of the position when nothing was found is what MyISAM does with it: behind the last entry the
//! way back begins at the end of the key, before the first one the way on begins at its start.

use super::engine::KeyOrder;
use super::{EngineError, KeyCursor, OpenTable, PageSource, RowPos, RowScratch, Scan, SeekMode};

/// Where a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the first row.
    First,
    /// To the last one.
    Last,
    /// To the row behind.
    Next,
    /// To the row before.
    Prev,
    /// To the next row equal in what was looked for.
    NextSame,
    /// To the first row that compares so with what is looked for.
    Seek(KeyTest),
}

/// How a key compares with what is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum KeyTest {
    Equal,
    AtLeast,
    Above,
    AtMost,
    Below,
}

/// What a position in a key lies beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    /// The entry of the cursor.
    Entry,
    /// The entries that equal `flat`, of which there were none.
    Value,
}

/// Where a step in vain has led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turned {
    /// Before the first entry.
    Start,
    /// Behind the last one.
    End,
}

#[derive(Clone, Copy, Debug, Default)]
enum Place {
    #[default]
    Nowhere,
    File(Scan),
    Key {
        key: usize,
        beside: Beside,
        turned: Option<Turned>,
    },
}

/// The first parts of a key.
#[derive(Default)]
pub struct Wanted {
    /// Flat bytes of the parts.
    pub flat: Vec<u8>,
    /// How many parts they are.
    pub parts: usize,
    /// Room for the stored bytes of a part.
    pub image: Vec<u8>,
}

/// A position among the rows of a table. See the module.
#[derive(Default)]
pub struct RowCursor {
    place: Place,
    entries: Option<KeyCursor>,
    /// What was looked for, or the entry that is looked for again.
    wanted: Wanted,
    /// The snapshot is another one than that of the step before.
    fresh: bool,
    /// Of a MEMORY table at the step before: changes of its keys, bytes of its rows.
    seen: Option<(u32, u64)>,
}

impl RowCursor {
    /// Gives the position up.
    pub fn forget(&mut self) {
        self.place = Place::Nowhere;
        self.entries = None;
    }

    /// Takes the position over to the table as it was opened again, with the same definition and the same files. Rows that begin
    /// anywhere in the file have none, as the file may have been written anew.
    pub fn reopen(&mut self, table: &OpenTable) {
        match (&self.place, &mut self.entries) {
            (Place::File(_), _) if !table.format().layout.fixed => self.forget(),
            (Place::Key { .. }, Some(cursor)) => cursor.reopen(table.format()),
            _ => self.entries = None,
        }
    }

    /// Whether it stands nowhere any more, as MEMORY has it: keys have changed since the step before, or the file of rows was emptied.
    pub fn is_lost<S: PageSource>(&mut self, table: &OpenTable, step: Step, src: &S) -> bool {
        if table.engine().can().durable {
            return false;
        }
        let state = table.state_in(src);
        let now = (state.update_count(), state.data_file_length());
        let before = self.seen.replace(now);
        let goes_on = self.fresh && matches!(step, Step::Next | Step::Prev | Step::NextSame);
        let Some((keys, length)) = before.filter(|_| goes_on) else { return false };
        match self.place {
            Place::Nowhere => false,
            Place::File(_) => now.1 < length,
            Place::Key { .. } => {
                let lost = now.0 != keys;
                if lost {
                    self.forget();
                }
                lost
            }
        }
    }

    /// Begins a statement, which reads by this key or the file; a position of another way is given up.
    pub fn begin(&mut self, key: Option<usize>) {
        self.fresh = true;
        let same = match (self.place, key) {
            (Place::File(_), None) => true,
            (Place::Key { key, .. }, Some(wanted)) => key == wanted,
            _ => false,
        };
        if !same {
            self.place = Place::Nowhere;
        }
    }

    /// Whether it stands nowhere.
    #[must_use]
    pub fn is_nowhere(&self) -> bool {
        matches!(self.place, Place::Nowhere)
    }

    /// Room for what is looked for, to be filled.
    pub fn wanted(&mut self) -> &mut Wanted {
        self.wanted.flat.clear();
        self.wanted.parts = 0;
        &mut self.wanted
    }

    /// Goes a step through the file or, where one is given, a key.
    ///
    /// # Errors
    /// Damaged files; 124 for a key that is disabled.
    pub fn step<S: PageSource>(
        &mut self,
        table: &OpenTable,
        key: Option<usize>,
        step: Step,
        src: &S,
        scratch: &mut RowScratch,
    ) -> Result<Option<RowPos>, EngineError> {
        let found = match key {
            None => self.step_in_file(table, step, src, scratch),
            Some(key) => match table.key_order(key) {
                KeyOrder::Ordered => self.step_in_key(table, key, step, src),
                KeyOrder::Hashed => self.step_in_hash(table, key, step, src),
            },
        };
        self.fresh = false;
        found
    }

    fn step_in_file<S: PageSource>(
        &mut self,
        table: &OpenTable,
        step: Step,
        src: &S,
        scratch: &mut RowScratch,
    ) -> Result<Option<RowPos>, EngineError> {
        let mut scan = match self.place {
            Place::File(scan) if step != Step::First => scan,
            _ => Scan::new(),
        };
        let found = scan.next(table.format(), src, scratch)?.map(|(pos, _)| pos);
        self.place = Place::File(scan);
        Ok(found)
    }

    fn step_in_key<S: PageSource>(
        &mut self,
        table: &OpenTable,
        key: usize,
        step: Step,
        src: &S,
    ) -> Result<Option<RowPos>, EngineError> {
        let (cursor, beside, turned) = entry(&mut self.entries, &self.place, table, key);
        let nowhere = matches!(self.place, Place::Nowhere);
        let memory = !table.engine().can().durable;
        let mut stands = false;
        let Wanted { flat, parts, .. } = &mut self.wanted;
        let mut to = Place::Key { key, beside: Beside::Entry, turned: None };
        let lost = |beside, turned| Place::Key { key, beside, turned: Some(turned) };
        let found = match step {
            Step::First => cursor.seek(src, &[], 0, SeekMode::First)?,
            Step::Last => cursor.seek(src, &[], 0, SeekMode::Last)?,
            Step::Next if nowhere || turned == Some(Turned::Start) => {
                cursor.seek(src, &[], 0, SeekMode::First)?
            }
            Step::Prev if nowhere || turned == Some(Turned::End) => {
                cursor.seek(src, &[], 0, SeekMode::Last)?
            }
            Step::NextSame => {
                let same = cursor.next(src)? && cursor.matches(flat, *parts);
                // MEMORY stands at the entry that is not equal any more, where there is one
                stands = memory && cursor.is_positioned();
                if !same && !stands {
                    to = lost(Beside::Entry, Turned::End);
                }
                same
            }
            Step::Next if beside == Beside::Value => {
                let found = cursor.seek(src, flat, *parts, SeekMode::GreaterEqual)?;
                // the place of a value is that of a row at the start of the file, which is passed over
                if found && cursor.pos() == RowPos(0) && cursor.matches(flat, *parts) {
                    cursor.next(src)?
                } else {
                    found
                }
            }
            Step::Prev if beside == Beside::Value => cursor.seek(src, flat, *parts, SeekMode::Less)?,
            Step::Next | Step::Prev => {
                let mut there = true;
                if self.fresh {
                    flat.clear();
                    flat.extend_from_slice(cursor.key());
                    *parts = cursor.key_info().segments.len();
                    there = cursor.reseek(src)?;
                }
                let found = match step {
                    Step::Prev => cursor.prev(src)?,
                    // the first one behind the place where it was
                    _ if !there => cursor.is_positioned(),
                    _ => cursor.next(src)?,
                };
                if !found {
                    let beside = if there { Beside::Entry } else { Beside::Value };
                    to = lost(beside, if step == Step::Prev { Turned::Start } else { Turned::End });
                }
                found
            }
            Step::Seek(test) => return self.seek(table, key, test, src),
        };
        if !found && !stands && !matches!(to, Place::Key { turned: Some(_), .. }) {
            // the end of a key, or of what is behind a value
            let whole = nowhere || matches!(step, Step::First | Step::Last);
            if whole {
                flat.clear();
                *parts = 0;
            }
            let back = matches!(step, Step::First | Step::Prev);
            let beside = if whole { Beside::Value } else { beside };
            to = lost(beside, if back { Turned::Start } else { Turned::End });
        }
        self.place = to;
        Ok(found.then(|| cursor.pos()))
    }

    /// Looks for an entry that compares so with what is wanted.
    fn seek<S: PageSource>(
        &mut self,
        table: &OpenTable,
        key: usize,
        test: KeyTest,
        src: &S,
    ) -> Result<Option<RowPos>, EngineError> {
        let cursor = self.entries.get_or_insert_with(|| KeyCursor::new(table.format(), key));
        let (flat, parts) = (&self.wanted.flat[..], self.wanted.parts);
        let found = match test {
            KeyTest::Equal => cursor.seek(src, flat, parts, SeekMode::Exact)?,
            KeyTest::AtLeast => cursor.seek(src, flat, parts, SeekMode::GreaterEqual)?,
            KeyTest::Above => cursor.seek(src, flat, parts, SeekMode::Greater)?,
            // the first of several that are equal
            KeyTest::AtMost => {
                cursor.seek(src, flat, parts, SeekMode::Exact)?
                    || cursor.seek(src, flat, parts, SeekMode::Less)?
            }
            KeyTest::Below => cursor.seek(src, flat, parts, SeekMode::Less)?,
        };
        let beside = if found { Beside::Entry } else { Beside::Value };
        let mut at = (beside, None);
        // where MEMORY finds nothing it is beyond all entries, MyISAM beside what was looked for
        let beyond = !found && !table.engine().can().durable;
        if test == KeyTest::Above && beyond {
            let last = cursor.seek(src, &[], 0, SeekMode::Last)?;
            at = (if last { Beside::Entry } else { Beside::Value }, Some(Turned::End));
        } else if !found && test == KeyTest::Above {
            at.1 = Some(Turned::End);
        } else if beyond && test == KeyTest::Below {
            at = match cursor.seek(src, flat, parts, SeekMode::Exact)? {
                true => (Beside::Entry, None),
                false => (Beside::Value, Some(Turned::Start)),
            };
        }
        self.place = Place::Key { key, beside: at.0, turned: at.1 };
        Ok(found.then(|| cursor.pos()))
    }

    /// A hashed key finds equal entries only, the newest first.
    fn step_in_hash<S: PageSource>(
        &mut self,
        table: &OpenTable,
        key: usize,
        step: Step,
        src: &S,
    ) -> Result<Option<RowPos>, EngineError> {
        let (cursor, beside, turned) = entry(&mut self.entries, &self.place, table, key);
        let (flat, parts) = (&self.wanted.flat[..], self.wanted.parts);
        let forward = step != Step::Prev;
        let found = match step {
            Step::Seek(_) => cursor.seek(src, flat, parts, SeekMode::ExactLast)?,
            _ if beside == Beside::Value => false,
            Step::Prev if turned == Some(Turned::End) => cursor.seek(src, flat, parts, SeekMode::Exact)?,
            Step::Prev if turned == Some(Turned::Start) => false,
            _ if turned == Some(Turned::Start) => cursor.seek(src, flat, parts, SeekMode::ExactLast)?,
            _ if turned == Some(Turned::End) => false,
            _ => {
                let there = !self.fresh || cursor.reseek(src)?;
                let found = match forward {
                    true => cursor.prev(src)?,
                    false if !there => cursor.is_positioned(),
                    false => cursor.next(src)?,
                };
                found && cursor.matches(flat, parts)
            }
        };
        let stood = matches!(step, Step::Seek(_)) || beside == Beside::Value;
        self.place = match (found, stood) {
            (true, _) => Place::Key { key, beside: Beside::Entry, turned: None },
            (false, true) => Place::Key { key, beside: Beside::Value, turned: None },
            (false, false) => {
                let turned = Some(if forward { Turned::End } else { Turned::Start });
                Place::Key { key, beside: Beside::Entry, turned }
            }
        };
        Ok(found.then(|| cursor.pos()))
    }
}

/// The cursor of a key where the last READ left it, and how it stands there; behind READs by another way it begins anew.
fn entry<'a>(
    entries: &'a mut Option<KeyCursor>,
    place: &Place,
    table: &OpenTable,
    key: usize,
) -> (&'a mut KeyCursor, Beside, Option<Turned>) {
    let cursor = entries.get_or_insert_with(|| KeyCursor::new(table.format(), key));
    if let Place::Key { beside, turned, .. } = *place {
        return (cursor, beside, turned);
    }
    cursor.renew(table.format(), key);
    (cursor, Beside::Value, None)
}

//! The warnings of a statement, kept for SHOW WARNINGS.

use crate::error::{self, SqlError, SqlResult, message};
use std::fmt::Display;
use std::sync::Arc;

/// How grave an entry of the list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `Note`: not counted when `sql_notes` is off.
    Note,
    /// `Warning`.
    Warning,
    /// `Error`.
    Error,
}

impl Level {
    /// The word of SHOW WARNINGS.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Note => "Note",
            Level::Warning => "Warning",
            Level::Error => "Error",
        }
    }
}

/// One entry of SHOW WARNINGS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its level.
    pub level: Level,
    /// The number.
    pub code: u16,
    /// The formatted text.
    pub message: String,
    /// What SIGNAL said of it beyond that.
    pub items: Option<Box<Items>>,
}

/// What SIGNAL and RESIGNAL say of a condition beyond its number and text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Items {
    /// RETURNED_SQLSTATE.
    pub state: [u8; 5],
    /// The others, by their word.
    pub texts: Vec<(&'static str, String)>,
}

/// The warnings of the last statement that could produce them: a bounded list and exact counts.
#[derive(Clone, Debug)]
pub struct Warnings {
    /// Shared with the lists that begin with it, until one of them changes; none while nothing was told.
    list: Option<Arc<Vec<Warning>>>,
    limit: usize,
    notes: bool,
    total: u64,
    errors: u64,
    /// Warnings are errors of the statement now: strict mode while rows are changed.
    pub escalate: bool,
    /// A handler of a function took a condition: the list is the statement's own, be it empty.
    pub handled: bool,
    /// Which list this is: another one with each [`Warnings::clear`].
    number: u64,
    /// The lists so far.
    numbers: u64,
    failed: Option<(u64, SqlError)>,
}

impl Default for Warnings {
    fn default() -> Self {
        Warnings::new(64)
    }
}

impl Warnings {
    /// A computed value. Errors of the computation are raised and the columns that follow are still looked at, as in
    /// MariaDB; `None` then, or NULL.
    ///
    /// # Errors
    /// Those that stop at once.
    pub fn value_or_raise<T>(&mut self, v: SqlResult<T>, null: T) -> SqlResult<Option<T>> {
        match v {
            Ok(v) => Ok(Some(v)),
            Err(e) if e.code == error::ER_DATA_OUT_OF_RANGE => {
                self.raise(e);
                Ok(None)
            }
            Err(e) if e.code == error::ER_SUBQUERY_NO_1_ROW => {
                self.raise(e);
                Ok(Some(null))
            }
            Err(e) => Err(e),
        }
    }

    /// An empty list that keeps at most `limit` entries (`max_error_count`) and counts all.
    #[must_use]
    pub fn new(limit: usize) -> Warnings {
        Warnings {
            list: None,
            limit,
            notes: true,
            total: 0,
            errors: 0,
            escalate: false,
            handled: false,
            number: 0,
            numbers: 0,
            failed: None,
        }
    }

    /// An empty list with the settings of another.
    #[must_use]
    pub fn like(other: &Warnings) -> Warnings {
        Warnings { notes: other.notes, ..Warnings::new(other.limit) }
    }

    /// A list with the settings and the entries of another.
    #[must_use]
    pub fn beginning_with(other: &Warnings) -> Warnings {
        let (total, errors) = (other.total, other.errors);
        Warnings { list: other.list.clone(), total, errors, ..Warnings::like(other) }
    }

    /// Sets `max_error_count`.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Sets `sql_notes`: whether notes are recorded at all.
    pub fn set_notes(&mut self, notes: bool) {
        self.notes = notes;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.shorten(0);
        self.total = 0;
        self.errors = 0;
        self.escalate = false;
        self.handled = false;
        self.numbers += 1;
        self.number = self.numbers;
        self.failed = None;
    }

    /// Takes the entries of an old list; the settings stay.
    pub fn go_on_with(&mut self, before: Warnings) {
        self.list = before.list;
        self.total = before.total;
        self.errors = before.errors;
        self.number = before.number;
    }

    /// Which list this is.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Adds an entry with the text of `code`, placeholders filled from `args`. Past the limit
    /// nothing is formatted, only counted.
    pub fn push(&mut self, level: Level, code: u16, args: &[&dyn Display]) {
        if self.escalate && level == Level::Warning {
            return self.raise(SqlError::new(code, args));
        }
        if self.count(level) {
            self.add(Warning { level, code, message: message(code, args), items: None });
        }
    }

    /// Adds a `Warning` entry.
    pub fn warn(&mut self, code: u16, args: &[&dyn Display]) {
        self.push(Level::Warning, code, args);
    }

    /// Adds a `Warning` entry about the statement's text: it is one even while those about rows are errors.
    pub fn remark(&mut self, code: u16, args: &[&dyn Display]) {
        let escalate = std::mem::take(&mut self.escalate);
        self.warn(code, args);
        self.escalate = escalate;
    }

    /// Adds a `Note` entry.
    pub fn note(&mut self, code: u16, args: &[&dyn Display]) {
        self.push(Level::Note, code, args);
    }

    /// Adds an entry with a ready text.
    pub fn push_text(&mut self, level: Level, code: u16, text: String) {
        if self.escalate && level == Level::Warning {
            return self.raise(SqlError::with_message(code, text));
        }
        if self.count(level) {
            self.add(Warning { level, code, message: text, items: None });
        }
    }

    /// Adds an entry of SIGNAL.
    pub fn push_signal(&mut self, level: Level, error: &SqlError, items: Option<Box<Items>>) {
        if self.count(level) {
            self.add(Warning { level, code: error.code, message: error.message.clone(), items });
        }
    }

    /// Makes room for one more entry: the oldest ones give way.
    pub fn make_room(&mut self) {
        while self.is_full()
            && let Some(list) = self.list.as_mut().filter(|list| !list.is_empty())
        {
            let oldest = Arc::make_mut(list).remove(0);
            self.total = self.total.saturating_sub(1);
            if oldest.level == Level::Error {
                self.errors = self.errors.saturating_sub(1);
            }
        }
    }

    /// Forgets these entries when the list still begins with them: a handler has taken care of them.
    pub fn forget_first(&mut self, entries: &[Warning]) {
        let same = std::ptr::eq(self.entries(), entries);
        if !entries.is_empty() && (same || self.entries().starts_with(entries)) {
            match self.list.as_mut().filter(|list| list.len() > entries.len()) {
                Some(list) => drop(Arc::make_mut(list).drain(..entries.len())),
                None => self.list = None,
            }
            self.total = self.total.saturating_sub(entries.len() as u64);
            let errors = entries.iter().filter(|w| w.level == Level::Error).count() as u64;
            self.errors = self.errors.saturating_sub(errors);
        }
    }

    /// Adds an error as an entry of `level` (an error turned into a warning by IGNORE, or the
    /// statement's own error).
    pub fn push_error(&mut self, level: Level, error: &SqlError) {
        if let Some(before) = &error.before {
            self.push_error(level, before);
        }
        self.push_text(level, error.code, error.message.clone());
    }

    /// Notes an error that does not stop the statement at once: the first one is found by
    /// [`Warnings::take_failed`].
    pub fn raise(&mut self, error: SqlError) {
        if self.count(Level::Error) {
            let message = error.message.clone();
            self.add(Warning { level: Level::Error, code: error.code, message, items: None });
        }
        if self.failed.is_none() {
            self.failed = Some((self.total, error));
        }
    }

    /// Whether an error was raised.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// The first error that was raised, once.
    pub fn take_failed(&mut self) -> Option<SqlError> {
        self.failed.take().map(|f| f.1)
    }

    /// A point to which [`Warnings::rollback_to`] can go back.
    #[must_use]
    pub fn mark(&self) -> (usize, u64, u64) {
        (self.entries().len(), self.total, self.errors)
    }

    /// Whether further entries are only counted.
    fn is_full(&self) -> bool {
        self.entries().len() >= self.limit
    }

    /// Whether something came after `mark` that is not only counted: where the list was full already nobody sees in which order it came.
    #[must_use]
    pub fn told_since(&self, mark: (usize, u64, u64)) -> bool {
        self.mark() != mark && mark.0 < self.limit
    }

    /// Forgets what came after `mark`.
    pub fn rollback_to(&mut self, mark: (usize, u64, u64)) {
        self.shorten(mark.0);
        self.total = mark.1;
        self.errors = mark.2;
        if self.failed.as_ref().is_some_and(|f| f.0 > mark.1) {
            self.failed = None;
        }
    }

    /// The entries since `mark`.
    #[must_use]
    pub fn since(&self, mark: (usize, u64, u64)) -> &[Warning] {
        self.entries().get(mark.0..).unwrap_or_default()
    }

    /// Adds entries anew that were forgotten; errors of a strict statement are raised anew.
    pub fn tell_again(&mut self, entries: &[Warning]) {
        for w in entries {
            if self.escalate && w.level == Level::Error {
                self.raise(SqlError::with_message(w.code, w.message.clone()));
            } else if self.count(w.level) {
                self.add(w.clone());
            }
        }
    }

    fn count(&mut self, level: Level) -> bool {
        if level == Level::Note && !self.notes {
            return false;
        }
        self.total += 1;
        if level == Level::Error {
            self.errors += 1;
        }
        !self.is_full()
    }

    fn add(&mut self, entry: Warning) {
        Arc::make_mut(self.list.get_or_insert_default()).push(entry);
    }

    /// Keeps the first `len` entries.
    fn shorten(&mut self, len: usize) {
        match &mut self.list {
            Some(list) if len > 0 && len < list.len() => Arc::make_mut(list).truncate(len),
            Some(list) if len == 0 => match Arc::get_mut(list) {
                Some(own) => own.clear(),
                None => self.list = None,
            },
            _ => {}
        }
    }

    /// The entries kept.
    #[must_use]
    pub fn entries(&self) -> &[Warning] {
        self.list.as_deref().map_or(&[], Vec::as_slice)
    }

    /// `@@warning_count`: all entries, kept or not.
    #[must_use]
    pub fn count_all(&self) -> u64 {
        self.total
    }

    /// `@@error_count`.
    #[must_use]
    pub fn count_errors(&self) -> u64 {
        self.errors
    }

    /// The count as the protocol sends it.
    #[must_use]
    pub fn wire_count(&self) -> u16 {
        u16::try_from(self.total).unwrap_or(u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(texts: &[&str]) -> Warnings {
        let mut list = Warnings::new(64);
        texts.iter().for_each(|text| list.push_text(Level::Warning, 1, (*text).to_owned()));
        list
    }

    fn texts(list: &Warnings) -> Vec<&str> {
        list.entries().iter().map(|w| &*w.message).collect()
    }

    #[test]
    fn a_list_that_begins_with_another_leaves_it_alone() {
        let around = told(&["a", "b"]);
        let mut within = Warnings::beginning_with(&around);
        assert_eq!((texts(&within), within.count_all()), (vec!["a", "b"], 2));
        within.push_text(Level::Warning, 1, "c".to_owned());
        assert_eq!(texts(&around), ["a", "b"]);
        within.forget_first(around.entries());
        assert_eq!((texts(&within), within.count_all()), (vec!["c"], 1));
        let mut within = Warnings::beginning_with(&around);
        within.rollback_to((1, 1, 0));
        within.clear();
        within.push_text(Level::Warning, 1, "d".to_owned());
        assert_eq!((texts(&within), texts(&around)), (vec!["d"], vec!["a", "b"]));
    }

    #[test]
    fn what_nothing_was_added_to_is_forgotten_whole() {
        let around = told(&["a", "b"]);
        let mut within = Warnings::beginning_with(&around);
        within.forget_first(around.entries());
        assert_eq!((within.entries().len(), within.count_all()), (0, 0));
        assert_eq!(texts(&around), ["a", "b"]);
    }

    #[test]
    fn the_oldest_give_way() {
        let mut list = told(&["a", "b", "c"]);
        list.set_limit(2);
        list.make_room();
        assert_eq!((texts(&list), list.is_full()), (vec!["c"], false));
        list.set_limit(0);
        list.make_room();
        assert!(list.is_full() && list.entries().is_empty());
    }

    #[test]
    fn what_fills_the_list_is_told_what_comes_later_is_not() {
        let mut list = told(&["a"]);
        list.set_limit(2);
        let mark = list.mark();
        assert!(!list.told_since(mark));
        list.push_text(Level::Warning, 1, "b".to_owned());
        assert!(list.is_full() && list.told_since(mark));
        let full = list.mark();
        list.push_text(Level::Warning, 1, "c".to_owned());
        assert!(!list.told_since(full) && list.told_since(mark));
    }
}

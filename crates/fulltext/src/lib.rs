//! Full-text search with MyISAM's results: which words a text has, what they weigh in a row, what natural and boolean
//! queries mean, and which rows they find with which scores.
//!
//! It does not know files, tables or SQL: rows are numbers (row positions, whose order is the only one full text knows), and
//! where words are is asked through [`Index`]. Scores must be MariaDB's to the last bit, so the order of all floating-point
//! operations is part of what it promises.
//!
//! ```
//! use fulltext::{Rules, Stopwords};
//! let collation = charset::Collation::by_name("latin1_swedish_ci").unwrap();
//! let rules = Rules::default();
//! let words = fulltext::count(collation, &rules, [&b"The QUICK brown fox, quick!"[..]]);
//! let spelled: Vec<_> = words.iter().map(|w| (w.word, w.count)).collect();
//! assert_eq!(spelled, [(&b"brown"[..], 1), (&b"QUICK"[..], 2)]);
//! # let _ = Stopwords::none();
//! ```

pub mod boolean;
pub mod memory;
mod merge;
mod natural;
mod patience;
mod phrase;
mod rank;
mod rules;
mod split;
mod syntax;
mod words;

pub use natural::{Models, Natural, TakeHit, ranked, top};
pub use rules::{Rules, Stopwords};
pub use split::{Word, Words};
pub use syntax::{Syntax, SyntaxError};
pub use words::{Counted, Weighed, count, count_until, weigh};

/// An entry of an index: a row that has the word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posting {
    /// Position of the row.
    pub row: u64,
    /// Weight of the word in it.
    pub weight: f32,
}

/// A row that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its position.
    pub row: u64,
    /// What the words of the query sum up to.
    pub weight: f64,
}

impl Hit {
    /// The score as SQL sees it.
    #[must_use]
    pub fn score(&self) -> f32 {
        self.weight as f32
    }
}

/// Where words are: the entries of one full-text key, as of one moment.
///
/// Walks over entries borrow nothing: they are positions that any index over the same entries goes on from. So whoever reads pages
/// need not keep them between two calls.
pub trait Index {
    /// What can go wrong while it is read.
    type Error;
    /// A walk over the entries of a word, or of the words with one beginning.
    type Postings;

    /// Rows of the table.
    fn rows(&self) -> u64;

    /// A walk over the entries of a word, in the order of the rows; of all words that begin with it, in the order of the words, if
    /// `truncated`.
    ///
    /// # Errors
    /// Those of reading.
    fn postings(&self, word: &[u8], truncated: bool) -> Result<Self::Postings, Self::Error>;

    /// How many entries a walk over one word has that has not begun, where that is known without reading them. They are in the
    /// order of the rows then.
    ///
    /// # Errors
    /// Those of reading.
    fn known(&self, postings: &mut Self::Postings) -> Result<Option<u64>, Self::Error> {
        let _ = postings;
        Ok(None)
    }

    /// The next entry (at first: the first).
    ///
    /// # Errors
    /// Those of reading.
    fn next(&self, postings: &mut Self::Postings) -> Result<Option<Posting>, Self::Error>;

    /// Appends some of the entries of a word that follow, as many as are at hand; a walk by rows meets them one after the other. False:
    /// there are no more.
    ///
    /// # Errors
    /// Those of reading.
    fn read(&self, postings: &mut Self::Postings, out: &mut Vec<Posting>) -> Result<bool, Self::Error> {
        let next = self.next(postings)?;
        out.extend(next);
        Ok(next.is_some())
    }

    /// The first entry behind the current one that belongs to the same word and has a row of at least `row`; if there is none, the
    /// first entry of the word that follows.
    ///
    /// # Errors
    /// Those of reading.
    fn seek(&self, postings: &mut Self::Postings, row: u64) -> Result<Option<Posting>, Self::Error>;
}

impl<I: Index> Index for &I {
    type Error = I::Error;
    type Postings = I::Postings;

    fn rows(&self) -> u64 {
        (**self).rows()
    }

    fn postings(&self, word: &[u8], truncated: bool) -> Result<I::Postings, I::Error> {
        (**self).postings(word, truncated)
    }

    fn known(&self, postings: &mut I::Postings) -> Result<Option<u64>, I::Error> {
        (**self).known(postings)
    }

    fn next(&self, postings: &mut I::Postings) -> Result<Option<Posting>, I::Error> {
        (**self).next(postings)
    }

    fn read(&self, postings: &mut I::Postings, out: &mut Vec<Posting>) -> Result<bool, I::Error> {
        (**self).read(postings, out)
    }

    fn seek(&self, postings: &mut I::Postings, row: u64) -> Result<Option<Posting>, I::Error> {
        (**self).seek(postings, row)
    }
}

/// What reads the columns of a row, from the last to the first of the key, and hands them to its second argument.
pub type ReadTexts<'f, E> = &'f mut dyn FnMut(u64, &mut dyn FnMut(&[u8])) -> Result<(), E>;

/// `stop` said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Why a search gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// The index could not be read.
    Index(E),
    /// `stop` said so.
    Stopped,
    /// The query has more words than a search can walk over side by side.
    TooManyWords,
}

pub(crate) fn stopped<E>(Stopped: Stopped) -> Failure<E> {
    Failure::Stopped
}

impl<E> From<E> for Failure<E> {
    fn from(e: E) -> Failure<E> {
        Failure::Index(e)
    }
}

//! FULLTEXT keys: from a row to the entries of its words, and walks over the entries of words.

use std::sync::Arc;

use fulltext::{Index, Posting, Postings as _, Weighed, count, weigh};

use crate::error::{Error, Result};
use crate::key::{FulltextKey, KeyInfo, Tie};
use crate::row::RowView;
use crate::source::PageSource;
use crate::tree::words::Payload;
use crate::{KeyCursor, TableFormat};

pub use crate::key::rules::set_rules;

impl FulltextKey {
    /// The texts of a row, from the last to the first column of the key.
    pub fn texts<'r>(&self, row: &RowView<'r>) -> impl Iterator<Item = &'r [u8]> {
        self.columns.iter().filter_map(|&c| row.column(c))
    }

    /// Words of a row and what they weigh, in the order of the collation.
    pub(crate) fn words<'r>(&self, row: &RowView<'r>) -> Vec<Weighed<'r>> {
        weigh(&count(self.collation, &self.rules, self.texts(row)))
    }

    /// Whether no column of the key differs between two rows. Texts that are equal in the collation may have other words: an `ß` is
    /// one letter where `ss` is two, which the shortest word counts.
    pub(crate) fn same_texts(&self, a: &RowView<'_>, b: &RowView<'_>) -> bool {
        self.columns.iter().all(|&c| match (a.column(c), b.column(c)) {
            (Some(a), Some(b)) => a == b,
            (a, b) => a.is_none() && b.is_none(),
        })
    }
}

/// A FULLTEXT key as of what `src` shows.
#[derive(Debug)]
pub struct FulltextIndex<'s, S> {
    format: &'s TableFormat,
    src: &'s S,
    key: Arc<KeyInfo>,
    second: Option<Arc<KeyInfo>>,
}

impl<'s, S: PageSource> FulltextIndex<'s, S> {
    /// Key `number`, which must be a FULLTEXT key.
    ///
    /// # Errors
    /// 124 if it is disabled or another kind of key.
    pub fn new(format: &'s TableFormat, src: &'s S, number: usize) -> Result<FulltextIndex<'s, S>> {
        let disabled = Error::KeyDisabled { key: number };
        let Some(key) = format.keys.get(number) else { return Err(disabled) };
        let Some(fulltext) = key.fulltext.as_ref().filter(|_| format.state(src).key_active(number)) else {
            return Err(disabled);
        };
        let second = fulltext.second.as_deref().map(|k| Arc::new(k.clone()));
        Ok(FulltextIndex { format, src, key: Arc::clone(key), second })
    }

    fn belongs(&self, cursor: &KeyCursor, word: &[u8], truncated: bool) -> bool {
        match (&self.key.fulltext, truncated) {
            (Some(fulltext), true) => {
                let found = crate::key::compare::counted(cursor.key()).0;
                fulltext.collation.begins_with(found, word)
            }
            _ => {
                let found = crate::key::compare::counted(cursor.key()).0;
                self.key.segments[0].collation.compare(found, word).is_eq()
            }
        }
    }

    /// Rows that have a word: from its own tree's count where it has one.
    ///
    /// # Errors
    /// 126 if a page is damaged.
    pub fn rows_with(&self, word: &[u8]) -> Result<u64> {
        if let Some(rows) = self.known_rows(word)? {
            return Ok(rows);
        }
        let (mut postings, mut out, mut rows) = (self.postings(word, false)?, Vec::new(), 0);
        while postings.read(&mut out)? {
            rows += out.len() as u64;
            out.clear();
        }
        Ok(rows)
    }
}

/// A word as a search value for the first part.
fn search_key(word: &[u8]) -> Vec<u8> {
    let word = &word[..word.len().min(crate::key::MAX_WORD)];
    let mut flat = Vec::with_capacity(word.len() + 1);
    flat.push(word.len() as u8);
    flat.extend_from_slice(word);
    flat
}

fn payload(cursor: &KeyCursor) -> Payload {
    Payload::read(cursor.key(), cursor.pointer())
}

impl<'s, S: PageSource> Index for &'s FulltextIndex<'s, S> {
    type Error = Error;
    type Postings = Postings<'s, S>;

    fn rows(&self) -> u64 {
        self.format.state(self.src).records()
    }

    fn known_rows(&self, word: &[u8]) -> Result<Option<u64>> {
        let mut cursor = KeyCursor::over(Arc::clone(&self.key), self.format.offsets);
        let more = cursor.find(self.src, &search_key(word), 1, Tie::Before)?;
        if !more || !self.belongs(&cursor, word, false) {
            return Ok(Some(0));
        }
        Ok(match payload(&cursor) {
            Payload::Row(..) => None,
            // Entries beside the tree would count, too.
            Payload::Tree(n, _) => {
                let alone = !cursor.next(self.src)? || !self.belongs(&cursor, word, false);
                alone.then_some(n)
            }
        })
    }

    fn postings(&self, word: &[u8], truncated: bool) -> Result<Postings<'s, S>> {
        let first = KeyCursor::over(Arc::clone(&self.key), self.format.offsets);
        let word = word.into();
        Ok(Postings { index: self, first, second: None, word, truncated, begun: false })
    }
}

/// A walk over the entries of a word, or of all words that begin with one.
#[derive(Debug)]
pub struct Postings<'s, S> {
    index: &'s FulltextIndex<'s, S>,
    first: KeyCursor,
    /// In the current word's own tree.
    second: Option<KeyCursor>,
    word: Box<[u8]>,
    truncated: bool,
    begun: bool,
}

impl<S: PageSource> Postings<'_, S> {
    fn second_posting(cursor: &KeyCursor) -> Option<Posting> {
        match payload(cursor) {
            Payload::Row(weight, row) => Some(Posting { row, weight }),
            Payload::Tree(..) => None,
        }
    }

    /// The posting the first tree's cursor stands on, which is in another tree where the word has one.
    fn here(&mut self, more: bool) -> Result<Option<Posting>> {
        let mut more = more;
        loop {
            if !more || !self.index.belongs(&self.first, &self.word, self.truncated) {
                return Ok(None);
            }
            let (root, key) = match (payload(&self.first), &self.index.second) {
                (Payload::Row(weight, row), _) => return Ok(Some(Posting { row, weight })),
                (Payload::Tree(_, root), Some(key)) => (root, Arc::clone(key)),
                (Payload::Tree(_, root), None) => return Err(Error::index(root, "a tree of a word")),
            };
            let mut cursor = KeyCursor::under(key, self.index.format.offsets, root);
            if cursor.find(self.index.src, &[0; 4], 1, Tie::Before)? {
                let posting = Self::second_posting(&cursor);
                self.second = Some(cursor);
                return posting.map(Some).ok_or(Error::index(root, "entries of a page"));
            }
            more = self.first.next(self.index.src)?;
        }
    }

    fn step(&mut self) -> Result<Option<Posting>> {
        let more = if self.begun {
            self.first.next(self.index.src)?
        } else {
            self.begun = true;
            self.first.find(self.index.src, &search_key(&self.word), 1, Tie::Before)?
        };
        self.here(more)
    }
}

impl<S: PageSource> fulltext::Postings for Postings<'_, S> {
    type Error = Error;

    fn next(&mut self) -> Result<Option<Posting>> {
        if let Some(cursor) = &mut self.second {
            if cursor.next(self.index.src)? {
                return Ok(Self::second_posting(cursor));
            }
            self.second = None;
        }
        self.step()
    }

    fn read(&mut self, out: &mut Vec<Posting>) -> Result<bool> {
        let Some(posting) = self.next()? else { return Ok(false) };
        out.push(posting);
        let take = |flat: &[u8], row: &[u8]| match Payload::read(flat, row) {
            Payload::Row(weight, row) => {
                out.push(Posting { row, weight });
                true
            }
            Payload::Tree(..) => false,
        };
        if let Some(cursor) = &mut self.second {
            if cursor.rest_of_leaf(self.index.src, take)? {
                return Err(Error::index(0, "entries of a word's tree"));
            }
        } else if self.first.rest_of_leaf(self.index.src, take)?
            && let Some(posting) = self.here(true)?
        {
            out.push(posting);
        }
        Ok(true)
    }

    fn seek(&mut self, row: u64) -> Result<Option<Posting>> {
        let mut pointer = Vec::new();
        crate::pointer::put_pointer(row, self.index.key.rec_ref, &mut pointer);
        let tie = Tie::Pointer(&pointer);
        if let Some(cursor) = &mut self.second {
            if cursor.find(self.index.src, &[0; 4], 1, tie)? {
                return Ok(Self::second_posting(cursor));
            }
            self.second = None;
            return self.step();
        }
        let word = self.first.key().to_vec();
        let more = self.first.find(self.index.src, &word, 1, tie)?;
        self.here(more)
    }
}

//! FULLTEXT keys: from a row to the entries of its words, and walks over the entries of words.

use std::sync::Arc;

use fulltext::{Index, Posting, Weighed, count, weigh};

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

/// Who lets pages be looked at: for the length of a call, so that nobody holds them longer.
pub trait Pages {
    /// Looks at them.
    ///
    /// # Errors
    /// Those of `look`; the pages are there no more.
    fn look<T>(&self, look: impl FnOnce(&Self::Source<'_>) -> Result<T>) -> Result<T>;

    /// What they are read from.
    type Source<'a>: PageSource;
}

impl<S: PageSource> Pages for &S {
    type Source<'a> = S;

    fn look<T>(&self, look: impl FnOnce(&S) -> Result<T>) -> Result<T> {
        look(self)
    }
}

/// A FULLTEXT key as of what `pages` show.
#[derive(Debug)]
pub struct FulltextIndex<'s, P> {
    format: &'s TableFormat,
    pages: P,
    key: &'s Arc<KeyInfo>,
    fulltext: &'s FulltextKey,
    rows: u64,
}

impl<'s, P: Pages> FulltextIndex<'s, P> {
    /// Key `number`, which must be a FULLTEXT key.
    ///
    /// # Errors
    /// 124 if it is disabled or another kind of key.
    pub fn new(format: &'s TableFormat, pages: P, number: usize) -> Result<FulltextIndex<'s, P>> {
        let disabled = Error::KeyDisabled { key: number };
        let (active, rows) = pages.look(|src| {
            let state = format.state(src);
            Ok((state.key_active(number), state.records()))
        })?;
        match format.keys.get(number).map(|key| (key, &key.fulltext)) {
            Some((key, Some(fulltext))) if active => Ok(FulltextIndex { format, pages, key, fulltext, rows }),
            _ => Err(disabled),
        }
    }

    fn belongs(&self, postings: &Postings) -> bool {
        let found = crate::key::compare::counted(postings.first.key()).0;
        match postings.truncated {
            true => self.fulltext.collation.begins_with(found, &postings.word),
            false => self.key.segments[0].collation.compare(found, &postings.word).is_eq(),
        }
    }

    /// Rows that have a word: from its own tree's count where it has one.
    ///
    /// # Errors
    /// 126 if a page is damaged.
    pub fn rows_with(&self, word: &[u8]) -> Result<u64> {
        let mut postings = self.postings(word, false)?;
        if let Some(rows) = self.known(&mut postings)? {
            return Ok(rows);
        }
        let (mut out, mut rows) = (Vec::new(), 0);
        while self.read(&mut postings, &mut out)? {
            rows += out.len() as u64;
            out.clear();
        }
        Ok(rows)
    }

    /// Goes to the next entry of the first tree, at first to the first of the word, and looks whether it belongs there.
    fn step<S: PageSource>(&self, src: &S, postings: &mut Postings) -> Result<()> {
        let more = match std::mem::replace(&mut postings.at, At::Entry) {
            At::Start => postings.first.find(src, &search_key(&postings.word), 1, Tie::Before)?,
            At::Before => true,
            At::Entry => self.ascend(src, postings)?,
            At::End => false,
        };
        if !more || !self.belongs(postings) {
            postings.at = At::End;
        }
        Ok(())
    }

    /// The next entry of the first tree. A damaged tree may lead back to where the walk has been, again and again.
    fn ascend<S: PageSource>(&self, src: &S, postings: &mut Postings) -> Result<bool> {
        let Postings { first, before, .. } = postings;
        before.clear();
        before.extend_from_slice(crate::key::compare::counted(first.key()).0);
        let word = before.len();
        before.extend_from_slice(first.pointer());
        if !first.next(src)? {
            return Ok(false);
        }
        let found = crate::key::compare::counted(first.key()).0;
        let words = self.key.segments[0].collation.compare(&before[..word], found);
        if words.then_with(|| before[word..].cmp(first.pointer())).is_ge() {
            return Err(Error::index(0, "words in their order"));
        }
        Ok(true)
    }

    /// The posting that the first tree's cursor stands on, which is in another tree where the word has one.
    fn here<S: PageSource>(&self, src: &S, postings: &mut Postings) -> Result<Option<Posting>> {
        while postings.at != At::End {
            match payload(&postings.first) {
                Payload::Row(weight, row) => return Ok(Some(Posting { row, weight })),
                Payload::Tree(_, root) => self.enter(postings, root)?,
            }
            if let Some(posting) = self.next_of_tree(src, postings)? {
                return Ok(Some(posting));
            }
            self.step(src, postings)?;
        }
        Ok(None)
    }

    /// Goes before the first entry of a word's own tree.
    fn enter(&self, postings: &mut Postings, root: u64) -> Result<()> {
        let Some(key) = &self.fulltext.second else { return Err(Error::index(root, "a tree of a word")) };
        let cursor = KeyCursor::under(Arc::clone(key), self.format.offsets, root);
        postings.second = Some(Box::new(Second { cursor, root, row: None }));
        Ok(())
    }

    /// The next posting of the tree of its own that a word is in; none at its end, and where it is in none.
    fn next_of_tree<S: PageSource>(&self, src: &S, postings: &mut Postings) -> Result<Option<Posting>> {
        let Some(Second { cursor, root, row }) = postings.second.as_deref_mut() else { return Ok(None) };
        let more = match row {
            Some(_) => cursor.next(src)?,
            None => cursor.find(src, &[0; 4], 1, Tie::Before)?,
        };
        if !more {
            postings.second = None;
            return Ok(None);
        }
        let posting = posting(cursor, *root)?;
        if row.replace(posting.row).is_some_and(|before| before >= posting.row) {
            return Err(disordered(*root));
        }
        Ok(Some(posting))
    }

    fn advance<S: PageSource>(&self, src: &S, postings: &mut Postings) -> Result<Option<Posting>> {
        if let Some(posting) = self.next_of_tree(src, postings)? {
            return Ok(Some(posting));
        }
        self.step(src, postings)?;
        self.here(src, postings)
    }

    fn seek_from<S: PageSource>(
        &self,
        src: &S,
        postings: &mut Postings,
        row: u64,
    ) -> Result<Option<Posting>> {
        let mut pointer = Vec::new();
        crate::pointer::put_pointer(row, self.key.rec_ref, &mut pointer);
        let tie = Tie::Pointer(&pointer);
        if let Some(Second { cursor, root, row: at }) = postings.second.as_deref_mut() {
            if cursor.find(src, &[0; 4], 1, tie)? {
                let posting = posting(cursor, *root)?;
                if posting.row < row || at.replace(posting.row).is_some_and(|before| before > posting.row) {
                    return Err(disordered(*root));
                }
                return Ok(Some(posting));
            }
            postings.second = None;
            self.step(src, postings)?;
            return self.here(src, postings);
        }
        let word = match postings.truncated {
            true => postings.first.key().to_vec(),
            false => search_key(&postings.word),
        };
        let more = postings.first.find(src, &word, 1, tie)?;
        let found = crate::key::compare::counted(postings.first.key()).0;
        let sought = crate::key::compare::counted(&word).0;
        let words = self.key.segments[0].collation.compare(found, sought);
        if more && words.then_with(|| postings.first.pointer().cmp(&pointer[..])).is_lt() {
            return Err(Error::index(0, "words in their order"));
        }
        postings.at = if more && self.belongs(postings) { At::Entry } else { At::End };
        self.here(src, postings)
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

fn disordered(root: u64) -> Error {
    Error::index(root, "rows of a word in their order")
}

fn posting(cursor: &KeyCursor, root: u64) -> Result<Posting> {
    match payload(cursor) {
        Payload::Row(weight, row) => Ok(Posting { row, weight }),
        Payload::Tree(..) => Err(Error::index(root, "entries of a word's tree")),
    }
}

impl<P: Pages> Index for FulltextIndex<'_, P> {
    type Error = Error;
    type Postings = Postings;

    fn rows(&self) -> u64 {
        self.rows
    }

    fn postings(&self, word: &[u8], truncated: bool) -> Result<Postings> {
        let first = KeyCursor::over(Arc::clone(self.key), self.format.offsets);
        Ok(Postings { first, second: None, word: word.into(), truncated, before: Vec::new(), at: At::Start })
    }

    fn known(&self, postings: &mut Postings) -> Result<Option<u64>> {
        if postings.at != At::Start || postings.truncated {
            return Ok(None);
        }
        self.pages.look(|src| {
            self.step(src, postings)?;
            if postings.at == At::End {
                return Ok(Some(0));
            }
            Ok(match payload(&postings.first) {
                Payload::Row(..) => {
                    postings.at = At::Before;
                    None
                }
                Payload::Tree(rows, root) => {
                    // Entries beside the tree would count, too.
                    self.enter(postings, root)?;
                    self.step(src, postings)?;
                    let alone = postings.at == At::End;
                    if !alone {
                        postings.at = At::Before;
                    }
                    alone.then_some(rows)
                }
            })
        })
    }

    fn next(&self, postings: &mut Postings) -> Result<Option<Posting>> {
        self.pages.look(|src| self.advance(src, postings))
    }

    fn read(&self, postings: &mut Postings, out: &mut Vec<Posting>) -> Result<bool> {
        self.pages.look(|src| {
            let Some(first) = self.advance(src, postings)? else { return Ok(false) };
            out.push(first);
            let mut last = first.row;
            let mut ascends = true;
            let take = |flat: &[u8], row: &[u8]| match Payload::read(flat, row) {
                Payload::Row(weight, row) => {
                    out.push(Posting { row, weight });
                    ascends &= last < row;
                    last = row;
                    true
                }
                Payload::Tree(..) => false,
            };
            if let Some(Second { cursor, root, row }) = postings.second.as_deref_mut() {
                if cursor.rest_of_leaf(src, take)? {
                    return Err(Error::index(*root, "entries of a word's tree"));
                }
                *row = Some(last);
            } else if !postings.truncated && postings.first.rest_of_leaf(src, take)? {
                postings.at = At::Before;
            }
            if !ascends {
                return Err(disordered(postings.second.as_ref().map_or(0, |second| second.root)));
            }
            Ok(true)
        })
    }

    fn seek(&self, postings: &mut Postings, row: u64) -> Result<Option<Posting>> {
        self.pages.look(|src| self.seek_from(src, postings, row))
    }
}

/// Where a walk stands in the first tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Nowhere yet.
    Start,
    /// On an entry that was not looked at.
    Before,
    /// On an entry.
    Entry,
    /// Behind the last.
    End,
}

/// A walk over the entries of a word, or of all words that begin with one.
#[derive(Debug)]
pub struct Postings {
    first: KeyCursor,
    at: At,
    /// Few walks are in one; the cursors are long.
    second: Option<Box<Second>>,
    word: Box<[u8]>,
    truncated: bool,
    /// The entry before the current one: its word, then its pointer.
    before: Vec<u8>,
}

/// A place in the tree of its own of the current word.
#[derive(Debug)]
struct Second {
    cursor: KeyCursor,
    root: u64,
    /// The row it stands on; none: it has not begun.
    row: Option<u64>,
}

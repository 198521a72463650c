//! Sorting the entries of a FULLTEXT key: rows are gathered word by word, as they come in their own order, so that only the distinct
//! words are sorted. What does not fit into memory goes to runs on disk.

use std::collections::HashMap;

use charset::KeyPad;
use fulltext::Posting;
use parking_lot::Mutex;

use crate::error::Result;
use crate::key::KeyInfo;
use crate::key::runs::EntrySorter;
use crate::tree::words::{Payload, word_entry};

/// Bytes that a spelling takes beside its letters and rows, about.
const SPELLING: usize = 112;

type Spellings = HashMap<Box<[u8]>, Vec<Posting>, foldhash::fast::RandomState>;

/// Rows of words. Several may share the runs that they write when they have too many.
pub(crate) struct WordSorter<'r, 'k> {
    key: &'k KeyInfo,
    spellings: Spellings,
    held: usize,
    budget: usize,
    runs: &'r Mutex<EntrySorter<'k>>,
}

/// A spelling and its rows.
struct Spelled {
    prefix: u64,
    word: Box<[u8]>,
    rows: Vec<Posting>,
}

impl<'r, 'k> WordSorter<'r, 'k> {
    /// Holds about `budget` bytes, at least 64 KiB.
    pub fn new(key: &'k KeyInfo, budget: usize, runs: &'r Mutex<EntrySorter<'k>>) -> WordSorter<'r, 'k> {
        let (spellings, budget) = (Spellings::default(), budget.max(64 << 10));
        WordSorter { key, spellings, held: 0, budget, runs }
    }

    /// Takes a word of a row.
    pub fn push(&mut self, word: &[u8], posting: Posting) -> Result<()> {
        match self.spellings.get_mut(word) {
            Some(rows) => {
                let before = rows.capacity();
                rows.push(posting);
                self.held += (rows.capacity() - before) * size_of::<Posting>();
            }
            None => {
                self.spellings.insert(word.into(), vec![posting]);
                self.held += word.len() + SPELLING;
            }
        }
        if self.held > self.budget { self.spill() } else { Ok(()) }
    }

    /// Writes what is held as a run.
    fn spill(&mut self) -> Result<()> {
        self.held = 0;
        let all = spelled(self.key, [std::mem::take(&mut self.spellings)]);
        self.runs.lock().write_sorted(|put| each(self.key, all, put))
    }

    /// Hands all entries of all sorters, which share `runs`, to `f` in order: bytes and length of the flat key.
    pub fn finish(
        key: &KeyInfo,
        held: Vec<WordSorter<'_, 'k>>,
        runs: &Mutex<EntrySorter<'k>>,
        mut f: impl FnMut(&[u8], usize) -> Result<()>,
    ) -> Result<()> {
        let all = spelled(key, held.into_iter().map(|h| h.spellings));
        let mut runs = runs.lock();
        if !runs.has_spilled() {
            return each(key, all, &mut f);
        }
        runs.write_sorted(|put| each(key, all, put))?;
        runs.drain(f)
    }
}

/// The spellings in the order of the key.
fn spelled(key: &KeyInfo, held: impl IntoIterator<Item = Spellings>) -> Vec<Spelled> {
    let collation = key.segments[0].collation;
    let new = |(word, rows): (Box<[u8]>, _)| {
        let prefix = collation.key_prefix(&word, KeyPad::Own);
        Spelled { prefix, word, rows }
    };
    let mut all: Vec<Spelled> = held.into_iter().flatten().map(new).collect();
    all.sort_unstable_by(|a, b| a.prefix.cmp(&b.prefix).then_with(|| collation.compare(&a.word, &b.word)));
    all
}

/// Makes entries of sorted spellings. Those of one word go row by row, each as it is spelled in its row.
fn each(key: &KeyInfo, all: Vec<Spelled>, put: &mut dyn FnMut(&[u8], usize) -> Result<()>) -> Result<()> {
    let collation = key.segments[0].collation;
    let (mut entry, mut all) = (Vec::new(), all.into_iter().peekable());
    while let Some(first) = all.next() {
        let mut word = vec![first];
        while let Some(other) = all.next_if(|s| collation.compare(&s.word, &word[0].word).is_eq()) {
            word.push(other);
        }
        let mut rows: Vec<(Posting, usize)> = Vec::new();
        for (spelling, s) in word.iter_mut().enumerate() {
            rows.extend(std::mem::take(&mut s.rows).into_iter().map(|p| (p, spelling)));
        }
        if !rows.is_sorted_by_key(|(p, _)| p.row) {
            rows.sort_by_key(|(p, _)| p.row);
        }
        for (Posting { row, weight }, spelling) in rows {
            let flat = word_entry(&word[spelling].word, Payload::Row(weight, row), key.rec_ref, &mut entry)?;
            put(&entry, flat)?;
        }
    }
    Ok(())
}

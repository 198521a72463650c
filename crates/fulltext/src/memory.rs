//! An index in memory, for tests and for those who have no files.

use std::convert::Infallible;

use charset::Collation;

use crate::{Index, Posting, Rules, count, weigh};

/// Words of some rows, in the order of the collation.
#[derive(Clone, Debug)]
pub struct MemoryIndex {
    collation: &'static Collation,
    rows: u64,
    entries: Vec<(Box<[u8]>, Posting)>,
}

impl MemoryIndex {
    /// An index over rows: position, and texts from the last to the first column.
    pub fn new<'t, T: IntoIterator<Item = &'t [u8]>>(
        collation: &'static Collation,
        rules: &Rules,
        rows: impl IntoIterator<Item = (u64, T)>,
    ) -> MemoryIndex {
        let mut index = MemoryIndex { collation, rows: 0, entries: Vec::new() };
        for (row, texts) in rows {
            index.rows += 1;
            for w in weigh(&count(collation, rules, texts)) {
                index.entries.push((w.word.into(), Posting { row, weight: w.weight as f32 }));
            }
        }
        index.entries.sort_by(|a, b| collation.compare(&a.0, &b.0).then(a.1.row.cmp(&b.1.row)));
        index
    }
}

/// A walk over some entries of a [`MemoryIndex`].
#[derive(Clone, Debug)]
pub struct MemoryPostings {
    at: usize,
    end: usize,
}

impl Index for MemoryIndex {
    type Error = Infallible;
    type Postings = MemoryPostings;

    fn rows(&self) -> u64 {
        self.rows
    }

    fn postings(&self, word: &[u8], truncated: bool) -> Result<MemoryPostings, Infallible> {
        let collation = self.collation;
        let from = self.entries.partition_point(|(w, _)| collation.compare(w, word).is_lt());
        let belongs = |w: &[u8]| match truncated {
            true => collation.begins_with(w, word),
            false => collation.compare(w, word).is_eq(),
        };
        let n = self.entries[from..].iter().take_while(|(w, _)| belongs(w)).count();
        Ok(MemoryPostings { at: from, end: from + n })
    }

    fn next(&self, postings: &mut MemoryPostings) -> Result<Option<Posting>, Infallible> {
        let found = self.entries[..postings.end].get(postings.at).map(|(_, p)| *p);
        postings.at += usize::from(found.is_some());
        Ok(found)
    }

    fn read(&self, postings: &mut MemoryPostings, out: &mut Vec<Posting>) -> Result<bool, Infallible> {
        // few at once, so that there is always another time
        let end = postings.end.min(postings.at + 3);
        out.extend(self.entries[postings.at..end].iter().map(|(_, p)| *p));
        Ok(std::mem::replace(&mut postings.at, end) < end)
    }

    fn seek(&self, postings: &mut MemoryPostings, row: u64) -> Result<Option<Posting>, Infallible> {
        if let Some((word, _)) = postings.at.checked_sub(1).and_then(|at| self.entries.get(at)) {
            while let Some((w, p)) = self.entries[..postings.end].get(postings.at)
                && p.row < row
                && self.collation.compare(w, word).is_eq()
            {
                postings.at += 1;
            }
        }
        self.next(postings)
    }
}

//! An index in memory, for tests and for those who have no files.

use std::convert::Infallible;

use charset::Collation;

use crate::{Index, Posting, Postings, Rules, count, weigh};

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
pub struct MemoryPostings<'i> {
    collation: &'static Collation,
    entries: &'i [(Box<[u8]>, Posting)],
    at: usize,
}

impl<'i> Index for &'i MemoryIndex {
    type Error = Infallible;
    type Postings = MemoryPostings<'i>;

    fn rows(&self) -> u64 {
        self.rows
    }

    fn postings(&self, word: &[u8], truncated: bool) -> Result<MemoryPostings<'i>, Infallible> {
        let collation = self.collation;
        let from = self.entries.partition_point(|(w, _)| collation.compare(w, word).is_lt());
        let rest = &self.entries[from..];
        let belongs = |w: &[u8]| match truncated {
            true => collation.begins_with(w, word),
            false => collation.compare(w, word).is_eq(),
        };
        let n = rest.iter().take_while(|(w, _)| belongs(w)).count();
        Ok(MemoryPostings { collation, entries: &rest[..n], at: 0 })
    }
}

impl Postings for MemoryPostings<'_> {
    type Error = Infallible;

    fn next(&mut self) -> Result<Option<Posting>, Infallible> {
        let posting = self.entries.get(self.at).map(|(_, p)| *p);
        self.at += 1;
        Ok(posting)
    }

    fn seek(&mut self, row: u64) -> Result<Option<Posting>, Infallible> {
        let current = self.at.checked_sub(1).and_then(|at| self.entries.get(at));
        if let Some((word, _)) = current {
            while let Some((w, p)) = self.entries.get(self.at)
                && p.row < row
                && self.collation.compare(w, word).is_eq()
            {
                self.at += 1;
            }
        }
        self.next()
    }
}

//! Walks by rows: the entries of one word a block at a time, and those of several words side by side.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use crate::patience::Patience;
use crate::{Failure, Hit, Index, Posting, stopped};

/// A walk over the entries of a word that reads as many at once as are at hand.
#[derive(Debug)]
pub(crate) struct Blocks<P> {
    postings: P,
    block: Vec<Posting>,
    /// Entries of the block that were given.
    given: usize,
}

impl<P> Blocks<P> {
    pub fn new(postings: P) -> Blocks<P> {
        Blocks { postings, block: Vec::new(), given: 0 }
    }

    /// Entries that were read before `postings` goes on.
    pub fn begun(postings: P, block: Vec<Posting>) -> Blocks<P> {
        Blocks { postings, block, given: 0 }
    }

    /// The next entry.
    #[inline]
    pub fn next<I: Index<Postings = P>>(&mut self, index: &I) -> Result<Option<Posting>, I::Error> {
        if self.given == self.block.len() && !self.refill(index)? {
            return Ok(None);
        }
        self.given += 1;
        Ok(Some(self.block[self.given - 1]))
    }

    fn refill<I: Index<Postings = P>>(&mut self, index: &I) -> Result<bool, I::Error> {
        self.block.clear();
        self.given = 0;
        index.read(&mut self.postings, &mut self.block)
    }

    /// All entries at hand that were not given.
    fn rest<I: Index<Postings = P>>(&mut self, index: &I) -> Result<&[Posting], I::Error> {
        if self.given == self.block.len() {
            self.refill(index)?;
        }
        let from = std::mem::replace(&mut self.given, self.block.len());
        Ok(&self.block[from..])
    }

    /// The first entry behind the current one with a row of at least `row`.
    pub fn seek<I: Index<Postings = P>>(&mut self, index: &I, row: u64) -> Result<Option<Posting>, I::Error> {
        if self.block.last().is_some_and(|last| last.row >= row) {
            let rest = &self.block[self.given..];
            // Mostly it is near.
            let near = rest.iter().take(8).position(|p| p.row >= row);
            self.given += near.unwrap_or_else(|| rest.partition_point(|p| p.row < row));
            return self.next(index);
        }
        self.block.clear();
        self.given = 0;
        index.seek(&mut self.postings, row)
    }
}

/// A word whose rows are summed up.
#[derive(Debug)]
struct Feed<P> {
    blocks: Blocks<P>,
    /// What its weights are multiplied with.
    factor: f64,
    /// Entries that may still be read.
    left: u64,
}

impl<P> Feed<P> {
    #[inline]
    fn next<I: Index<Postings = P>>(&mut self, index: &I) -> Result<Option<Posting>, I::Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.blocks.next(index)
    }
}

/// Words whose rows come in order, each with what its words add up to. Memory does not depend on how many they are.
#[derive(Debug)]
pub(crate) struct Merge<P>(Vec<Feed<P>>);

impl<P> Merge<P> {
    pub fn new() -> Merge<P> {
        Merge(Vec::new())
    }

    /// Adds a word behind the others: at most `most` of its entries.
    pub fn add(&mut self, blocks: Blocks<P>, factor: f64, most: u64) {
        self.0.push(Feed { blocks, factor, left: most });
    }

    /// Hands every row to `take`, in their order. The words of a row are summed up in the order in which they were added, from 0.0 on.
    pub fn each<I: Index<Postings = P>>(
        mut self,
        index: &I,
        stop: &dyn Fn() -> bool,
        mut take: impl FnMut(Hit),
    ) -> Result<(), Failure<I::Error>> {
        let mut patience = Patience::default();
        if let [feed] = self.0.as_mut_slice() {
            while feed.left > 0 {
                let block = feed.blocks.rest(index)?;
                if block.is_empty() {
                    break;
                }
                let n = block.len().min(usize::try_from(feed.left).unwrap_or(usize::MAX));
                feed.left -= n as u64;
                let mut entries = block[..n].iter().peekable();
                while let Some(p) = entries.next() {
                    let mut weight = 0.0 + f64::from(p.weight) * feed.factor;
                    // Only a damaged key has a row twice.
                    while let Some(again) = entries.next_if(|next| next.row == p.row) {
                        weight += f64::from(again.weight) * feed.factor;
                    }
                    take(Hit { row: p.row, weight });
                }
                patience.steps(n, stop).map_err(stopped)?;
            }
            return Ok(());
        }
        // The entry each word stands on; the smallest row first, of equal ones the word added first.
        let mut entries = Vec::with_capacity(self.0.len());
        let mut heap = BinaryHeap::with_capacity(self.0.len());
        for (word, feed) in self.0.iter_mut().enumerate() {
            let first = feed.next(index)?;
            entries.push(first.map_or(0.0, |p| p.weight));
            heap.extend(first.map(|p| Reverse((p.row, word))));
        }
        let mut current: Option<Hit> = None;
        while let Some(mut top) = heap.peek_mut() {
            let Reverse((row, word)) = *top;
            let feed = &mut self.0[word];
            let adds = f64::from(entries[word]) * feed.factor;
            match &mut current {
                Some(hit) if hit.row == row => hit.weight += adds,
                _ => {
                    if let Some(done) = current.replace(Hit { row, weight: 0.0 + adds }) {
                        take(done);
                    }
                }
            }
            match feed.next(index)? {
                Some(p) => {
                    entries[word] = p.weight;
                    *top = Reverse((p.row, word));
                }
                None => {
                    PeekMut::pop(top);
                }
            }
            patience.step(stop).map_err(stopped)?;
        }
        current.into_iter().for_each(take);
        Ok(())
    }
}

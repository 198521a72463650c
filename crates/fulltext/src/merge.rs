//! Walks by rows: the entries of one word a block at a time, and those of several words side by side.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use crate::patience::Patience;
use crate::{Failure, Hit, Index, Posting, Stopped, stopped};

/// A walk over the entries of a word that reads as many at once as are at hand.
#[derive(Debug)]
pub(crate) struct Blocks<P> {
    /// None: all entries are in the block.
    postings: Option<P>,
    block: Vec<Posting>,
    /// Entries of the block that were given.
    given: usize,
}

impl<P> Blocks<P> {
    pub fn new(postings: P) -> Blocks<P> {
        Blocks { postings: Some(postings), block: Vec::new(), given: 0 }
    }

    /// All entries that there are, or that are wanted.
    pub fn of(block: Vec<Posting>) -> Blocks<P> {
        Blocks { postings: None, block, given: 0 }
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
        self.postings.as_mut().map_or(Ok(false), |postings| index.read(postings, &mut self.block))
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
        self.postings.as_mut().map_or(Ok(None), |postings| index.seek(postings, row))
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

    /// See [`Merge::each`], where there is but this word.
    fn each<I: Index<Postings = P>>(
        &mut self,
        index: &I,
        stop: &dyn Fn() -> bool,
        mut take: impl FnMut(Hit) -> Result<(), Stopped>,
    ) -> Result<(), Failure<I::Error>> {
        let mut patience = Patience::default();
        while self.left > 0 {
            let block = self.blocks.rest(index)?;
            if block.is_empty() {
                break;
            }
            let n = block.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
            self.left -= n as u64;
            let mut entries = block[..n].iter().peekable();
            while let Some(p) = entries.next() {
                let mut weight = 0.0 + f64::from(p.weight) * self.factor;
                // Only a damaged key has a row twice.
                while let Some(again) = entries.next_if(|next| next.row == p.row) {
                    weight += f64::from(again.weight) * self.factor;
                }
                take(Hit { row: p.row, weight }).map_err(stopped)?;
            }
            patience.steps(n, stop).map_err(stopped)?;
        }
        Ok(())
    }
}

/// Words whose rows come in order, each with what its words add up to.
#[derive(Debug)]
pub(crate) struct Merge<P> {
    /// What the words before `feeds` add up to.
    sums: Vec<Hit>,
    feeds: Vec<Feed<P>>,
    /// Entries in the blocks of `feeds` as they were added; asked for at each of very many words.
    held: usize,
}

impl<P> Merge<P> {
    pub fn new() -> Merge<P> {
        Merge { sums: Vec::new(), feeds: Vec::new(), held: 0 }
    }

    /// Adds a word behind the others: at most `most` of its entries.
    pub fn add(&mut self, blocks: Blocks<P>, factor: f64, most: u64) {
        self.held += blocks.block.len();
        self.feeds.push(Feed { blocks, factor, left: most });
    }

    /// Entries that are held.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Adds up the words so far, so that no more is held of them than a sum for each row.
    pub fn settle<I: Index<Postings = P>>(
        &mut self,
        index: &I,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Failure<I::Error>> {
        let mut sums = Vec::new();
        std::mem::replace(self, Merge::new()).each(index, stop, |hit| {
            sums.push(hit);
            Ok(())
        })?;
        self.sums = sums;
        Ok(())
    }

    /// Hands every row to `take`, in their order, until it refuses one. The words of a row are summed up in the order in which they were
    /// added, from 0.0 on.
    pub fn each<I: Index<Postings = P>>(
        mut self,
        index: &I,
        stop: &dyn Fn() -> bool,
        mut take: impl FnMut(Hit) -> Result<(), Stopped>,
    ) -> Result<(), Failure<I::Error>> {
        if let ([], [feed]) = (self.sums.as_slice(), self.feeds.as_mut_slice()) {
            return feed.each(index, stop, take);
        }
        let mut patience = Patience::default();
        // What each word adds to the row that it stands on; the sums are the first of them. The smallest row comes first, of equal
        // ones the word added first.
        let mut sums = self.sums.into_iter();
        let mut adds = Vec::with_capacity(self.feeds.len() + 1);
        let mut heap = BinaryHeap::with_capacity(self.feeds.len() + 1);
        let first = sums.next();
        adds.push(first.map_or(0.0, |hit| hit.weight));
        heap.extend(first.map(|hit| Reverse((hit.row, 0))));
        for (n, feed) in self.feeds.iter_mut().enumerate() {
            let first = feed.next(index)?;
            adds.push(first.map_or(0.0, |p| f64::from(p.weight) * feed.factor));
            heap.extend(first.map(|p| Reverse((p.row, n + 1))));
        }
        let mut current: Option<Hit> = None;
        while let Some(mut top) = heap.peek_mut() {
            let Reverse((row, word)) = *top;
            match &mut current {
                Some(hit) if hit.row == row => hit.weight += adds[word],
                _ => {
                    if let Some(done) = current.replace(Hit { row, weight: 0.0 + adds[word] }) {
                        take(done).map_err(stopped)?;
                    }
                }
            }
            let next = match word.checked_sub(1).map(|n| &mut self.feeds[n]) {
                None => sums.next().map(|hit| (hit.row, hit.weight)),
                Some(feed) => feed.next(index)?.map(|p| (p.row, f64::from(p.weight) * feed.factor)),
            };
            match next {
                Some((row, weight)) => {
                    adds[word] = weight;
                    *top = Reverse((row, word));
                }
                None => {
                    PeekMut::pop(top);
                }
            }
            patience.step(stop).map_err(stopped)?;
        }
        current.map_or(Ok(()), take).map_err(stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryIndex;
    use crate::{Rules, Stopwords};

    #[test]
    fn settled_sums_are_the_same_to_the_last_bit() {
        let collation = charset::Collation::by_name("utf8mb4_general_ci").unwrap();
        let rules = Rules { min: 1, max: 84, stopwords: Stopwords::none() };
        let texts: Vec<String> = (0..200u32)
            .map(|row| {
                (1..12)
                    .filter(|n| row % n == 0)
                    .map(|n| format!("w{n} ").repeat(1 + (row % 3) as usize))
                    .collect()
            })
            .collect();
        let index = MemoryIndex::new(collation, &rules, (0..).zip(texts.iter().map(|t| [t.as_bytes()])));
        let found = |settled: &dyn Fn(usize) -> bool| {
            let mut merge = Merge::new();
            for n in 1..12 {
                let blocks = Blocks::new(index.postings(format!("w{n}").as_bytes(), false).unwrap());
                merge.add(blocks, 1.0 / f64::from(n), u64::MAX);
                if settled(n as usize) {
                    merge.settle(&index, &|| false).unwrap();
                }
            }
            let mut hits = Vec::new();
            let take = |hit: Hit| {
                hits.push((hit.row, hit.weight.to_bits()));
                Ok(())
            };
            merge.each(&index, &|| false, take).unwrap();
            hits
        };
        let whole = found(&|_| false);
        assert_eq!(whole.len(), 200);
        for every in 1..12 {
            assert_eq!(found(&|n| n % every == 0), whole, "settled after every {every} words");
        }
    }
}

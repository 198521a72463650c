//! Queries in natural language: every word adds to the score of its rows, the rarer the more.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use charset::Collation;

use crate::merge::{Blocks, Merge};
use crate::patience::Patience;
use crate::rank::sort;
use crate::words::{Counted, count_until};
use crate::{Failure, Hit, Index, Posting, ReadTexts, Rules, Stopped, stopped};

/// A word in more rows than this adds nothing.
const TOO_MANY_ROWS: u64 = 2_000_000;

/// Entries of a word that are kept when they were counted; more are read a second time.
const HELD: usize = 1 << 16;

/// So many entries of words wait to be added up, or as many as there are rows.
const WAITING: u64 = 1 << 16;

/// Whether a word in `found` of `rows` rows says nothing: the logarithm in [`factor`] would not be above 0.
fn too_frequent(found: u64, rows: u64) -> bool {
    found >= rows.saturating_sub(found) || found > TOO_MANY_ROWS
}

/// Factor of a word that is `times` in the query and in `found` of `rows` rows.
fn factor(times: u64, found: u64, rows: u64) -> f64 {
    if too_frequent(found, rows) {
        return 0.0;
    }
    times as f64 * (((rows - found) as f64) / found as f64).ln()
}

/// A query in natural language.
#[derive(Clone, Copy, Debug)]
pub struct Natural<'q> {
    /// Collation of the key.
    pub collation: &'static Collation,
    /// Which words count.
    pub rules: &'q Rules,
    /// The query, in the collation's character set.
    pub query: &'q [u8],
}

impl Natural<'_> {
    /// The rows with words of the query, in the order of their positions. A row whose words are all too frequent is in the list with
    /// weight 0; those rows are not all there, as reading ends where a word is known to be too frequent.
    ///
    /// # Errors
    /// Those of the index; `Stopped` when `stop` says so.
    pub fn search<I: Index>(
        &self,
        index: &I,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Hit>, Failure<I::Error>> {
        let mut hits = Vec::new();
        self.each(index, stop, &mut |hit| push(&mut hits, hit))?;
        Ok(hits)
    }

    /// As [`Natural::search`], a row at a time, as they are found.
    ///
    /// # Errors
    /// As there; `Stopped` when `take` says so.
    pub fn each<I: Index>(
        &self,
        index: &I,
        stop: &dyn Fn() -> bool,
        take: TakeHit<'_>,
    ) -> Result<(), Failure<I::Error>> {
        search_words(index, &self.words(stop).map_err(stopped)?, Frequent::Listed, stop, take)
    }

    /// As [`Natural::search`], without rows of weight 0 where they can be left out: for those who look up rows or sort
    /// them themselves.
    ///
    /// # Errors
    /// As there.
    pub fn scores<I: Index>(
        &self,
        index: &I,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Hit>, Failure<I::Error>> {
        let (words, mut hits) = (self.words(stop).map_err(stopped)?, Vec::new());
        search_words(index, &words, Frequent::LeftOut, stop, &mut |hit| push(&mut hits, hit))?;
        Ok(hits)
    }

    /// How many rows have a score above 0.
    ///
    /// # Errors
    /// As [`Natural::search`].
    pub fn count<I: Index>(&self, index: &I, stop: &dyn Fn() -> bool) -> Result<u64, Failure<I::Error>> {
        let words = self.words(stop).map_err(stopped)?;
        if let [word] = words.as_slice() {
            let (found, _) = find(index, word.word, &mut Patience::default(), stop)?;
            // A weight is far above what would be rounded to 0.
            return Ok(if too_frequent(found, index.rows()) { 0 } else { found });
        }
        let mut count = 0;
        let merge = merge(index, &words, Frequent::LeftOut, stop)?;
        merge.each(index, stop, |hit| {
            count += u64::from(hit.score() > 0.0);
            Ok(())
        })?;
        Ok(count)
    }

    /// The `most` rows with the best scores, those first; of equal scores the first rows.
    ///
    /// # Errors
    /// As [`Natural::search`].
    pub fn best<I: Index>(
        &self,
        index: &I,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Hit>, Failure<I::Error>> {
        let merge = merge(index, &self.words(stop).map_err(stopped)?, Frequent::LeftOut, stop)?;
        let mut best = Best { heap: BinaryHeap::new(), most, above: 0.0 };
        merge.each(index, stop, |hit| {
            best.add(hit);
            Ok(())
        })?;
        Ok(best.heap.into_sorted_vec().into_iter().map(|InOrder(hit)| hit).collect())
    }

    fn words(&self, stop: &dyn Fn() -> bool) -> Result<Vec<Counted<'_>>, Stopped> {
        count_until(self.collation, self.rules, [self.query], stop)
    }

    /// Searches again with the words of the best rows of `hits` added to the query (WITH QUERY EXPANSION); at most `limit` rows are
    /// looked at.
    ///
    /// # Errors
    /// As [`Natural::search`], and those of `texts`.
    pub fn expand<I: Index>(
        &self,
        index: &I,
        hits: &[Hit],
        limit: usize,
        texts: ReadTexts<'_, I::Error>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Hit>, Failure<I::Error>> {
        let (mut models, mut found) = (Models::new(limit), Vec::new());
        hits.iter().for_each(|hit| models.add(*hit));
        self.each_like(index, &models, texts, stop, &mut |hit| push(&mut found, hit))?;
        Ok(found)
    }

    /// As [`Natural::each`], with the words of some rows added to the query.
    ///
    /// # Errors
    /// As there, and those of `texts`.
    pub fn each_like<I: Index>(
        &self,
        index: &I,
        models: &Models,
        texts: ReadTexts<'_, I::Error>,
        stop: &dyn Fn() -> bool,
        take: TakeHit<'_>,
    ) -> Result<(), Failure<I::Error>> {
        let owned = |w: &Counted<'_>| (Box::from(w.word), w.count);
        let mut all: Vec<(Box<[u8]>, u64)> = self.words(stop).map_err(stopped)?.iter().map(owned).collect();
        for row in models.heap.iter().map(|hit| hit.row) {
            let mut bytes: Vec<Vec<u8>> = Vec::new();
            texts(row, &mut |text| bytes.push(text.to_vec()))?;
            let texts = bytes.iter().map(Vec::as_slice);
            let more = count_until(self.collation, self.rules, texts, stop).map_err(stopped)?;
            all = self.with_words(all, &more);
            if stop() {
                return Err(Failure::Stopped);
            }
        }
        let all: Vec<_> = all.iter().map(|(word, count)| Counted { word, count: *count }).collect();
        search_words(index, &all, Frequent::Listed, stop, take)
    }

    /// The words of both lists, which are in the collation's order.
    fn with_words(&self, all: Vec<(Box<[u8]>, u64)>, more: &[Counted<'_>]) -> Vec<(Box<[u8]>, u64)> {
        let mut out = Vec::with_capacity(all.len().max(more.len()));
        let mut more = more.iter().peekable();
        let new = |w: &Counted<'_>| (Box::from(w.word), w.count);
        for (word, mut count) in all {
            while let Some(w) = more.next_if(|w| self.collation.compare(w.word, &word).is_lt()) {
                out.push(new(w));
            }
            if let Some(w) = more.next_if(|w| self.collation.compare(w.word, &word).is_eq()) {
                count += w.count;
            }
            out.push((word, count));
        }
        out.extend(more.map(new));
        out
    }
}

/// What becomes of words that are in so many rows that they weigh nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frequent {
    /// Their rows are in the list, with 0.
    Listed,
    LeftOut,
}

/// Entries after which a word is known to be too frequent.
fn most_entries<I: Index>(index: &I) -> u64 {
    index.rows().div_ceil(2).clamp(1, TOO_MANY_ROWS + 1)
}

/// A number of entries, and a walk over them.
type Entries<I> = (u64, Blocks<<I as Index>::Postings>);

/// How many entries a word has, up to the one that shows that it is too frequent, and a walk over them by rows.
fn find<I: Index>(
    index: &I,
    word: &[u8],
    patience: &mut Patience,
    stop: &dyn Fn() -> bool,
) -> Result<Entries<I>, Failure<I::Error>> {
    let mut postings = index.postings(word, false)?;
    if let Some(found) = index.known(&mut postings)? {
        return Ok((found, Blocks::new(postings)));
    }
    let most = usize::try_from(most_entries(index)).unwrap_or(usize::MAX);
    let mut entries: Vec<Posting> = Vec::new();
    // those that were counted and not kept, and those looked at
    let (mut passed, mut read) = (0, 0);
    while passed + read < most && index.read(&mut postings, &mut entries)? {
        patience.steps(entries.len() - read, stop).map_err(stopped)?;
        read = entries.len();
        if read > HELD {
            passed += read;
            read = 0;
            entries.clear();
        }
    }
    if passed > 0 {
        return Ok(((passed + read).min(most) as u64, Blocks::new(index.postings(word, false)?)));
    }
    entries.truncate(most);
    let found = entries.len() as u64;
    if !entries.is_sorted_by_key(|p| p.row) {
        entries.sort_by_key(|p| p.row);
    }
    Ok((found, Blocks::of(entries)))
}

/// The words of a query side by side.
fn merge<I: Index>(
    index: &I,
    words: &[Counted<'_>],
    frequent: Frequent,
    stop: &dyn Fn() -> bool,
) -> Result<Merge<I::Postings>, Failure<I::Error>> {
    let rows = index.rows();
    let (mut merge, mut patience) = (Merge::new(), Patience::default());
    for word in words {
        patience.step(stop).map_err(stopped)?;
        let (found, blocks) = find(index, word.word, &mut patience, stop)?;
        if found > 0 && (frequent == Frequent::Listed || !too_frequent(found, rows)) {
            merge.add(blocks, factor(word.count, found, rows), found.min(most_entries(index)));
            if merge.held() as u64 > rows.max(WAITING) {
                merge.settle(index, stop)?;
            }
        }
    }
    Ok(merge)
}

/// What is told of each row found, and may refuse it.
pub type TakeHit<'f> = &'f mut dyn FnMut(Hit) -> Result<(), Stopped>;

#[allow(clippy::unnecessary_wraps)] // as a search asks for
fn push(hits: &mut Vec<Hit>, hit: Hit) -> Result<(), Stopped> {
    hits.push(hit);
    Ok(())
}

/// Searches for words in the order of the collation.
fn search_words<I: Index>(
    index: &I,
    words: &[Counted<'_>],
    frequent: Frequent,
    stop: &dyn Fn() -> bool,
    take: TakeHit<'_>,
) -> Result<(), Failure<I::Error>> {
    merge(index, words, frequent, stop)?.each(index, stop, take)
}

/// The best of the rows that come in their order.
struct Best {
    /// The worst of them on top.
    heap: BinaryHeap<InOrder>,
    most: usize,
    /// What the next one must be above.
    above: f32,
}

impl Best {
    #[inline]
    fn add(&mut self, hit: Hit) {
        // A row that comes later and is no better is worse.
        if hit.score() > self.above {
            self.put(hit);
        }
    }

    fn put(&mut self, hit: Hit) {
        if self.heap.len() >= self.most {
            self.heap.pop();
        }
        if self.heap.len() < self.most {
            self.heap.push(InOrder(hit));
        }
        if self.heap.len() == self.most {
            self.above = self.heap.peek().map_or(f32::INFINITY, |InOrder(worst)| worst.score());
        }
    }
}

/// A hit in the order of ORDER BY score DESC: the better first, of equal ones the first row.
struct InOrder(Hit);

impl Ord for InOrder {
    fn cmp(&self, other: &InOrder) -> Ordering {
        let better = other.0.score().total_cmp(&self.0.score());
        better.then(self.0.row.cmp(&other.0.row))
    }
}

impl PartialOrd for InOrder {
    fn partial_cmp(&self, other: &InOrder) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for InOrder {
    fn eq(&self, other: &InOrder) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for InOrder {}

/// The list as rows come out without ORDER BY: the best first, ties in the order of MariaDB's sort.
pub fn ranked(hits: &mut [Hit]) {
    // Nothing stops it.
    let _ = sort(hits, usize::MAX, better_first, &|| false);
}

/// Cuts the list down to the `n` best, in the order in which [`ranked`] would put them.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
pub fn top(hits: &mut Vec<Hit>, n: usize, stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
    sort(hits, n, better_first, stop)?;
    hits.truncate(n);
    Ok(())
}

fn better_first(a: &Hit, b: &Hit) -> Ordering {
    b.weight.total_cmp(&a.weight)
}

/// The rows whose words are added to a query (WITH QUERY EXPANSION), chosen of rows as they are found. Of more than `limit` rows the heap
/// loses some, as MariaDB's does: whatever stands in the last place when it is full gives way, be it better than what comes.
#[derive(Clone, Debug)]
pub struct Models {
    heap: Vec<Hit>,
    limit: usize,
}

impl Models {
    /// At most `limit` rows.
    #[must_use]
    pub fn new(limit: usize) -> Models {
        Models { heap: Vec::new(), limit }
    }

    /// A row was found.
    pub fn add(&mut self, hit: Hit) {
        let Models { heap, limit } = self;
        if *limit == 0 {
            return;
        }
        if heap.len() == *limit {
            heap.pop();
        }
        let mut at = heap.len();
        heap.push(hit);
        // Children of place i are 2i and 2i+1, counted from 1.
        while at > 0 {
            let parent = (at - 1) / 2;
            if heap[at].weight <= heap[parent].weight {
                break;
            }
            heap.swap(at, parent);
            at = parent;
        }
    }
}

//! Queries in natural language: every word adds to the score of its rows, the rarer the more.

use std::cmp::Ordering;

use charset::Collation;

use crate::patience::Patience;
use crate::rank::sort;
use crate::words::{Counted, count_until};
use crate::{Failure, Index, Posting, Postings, ReadTexts, Rules, Stopped, stopped};

/// A word in more rows than this adds nothing.
const TOO_MANY_ROWS: u64 = 2_000_000;
/// So many entries at least wait before they are summed up.
const WAITING: usize = 1 << 16;

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
        search_words(index, &self.words(stop).map_err(stopped)?, Frequent::Listed, stop)
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
        search_words(index, &self.words(stop).map_err(stopped)?, Frequent::LeftOut, stop)
    }

    /// How many rows have a score above 0.
    ///
    /// # Errors
    /// As [`Natural::search`].
    pub fn count<I: Index>(&self, index: &I, stop: &dyn Fn() -> bool) -> Result<u64, Failure<I::Error>> {
        let words = self.words(stop).map_err(stopped)?;
        if let [word] = words.as_slice() {
            let found = match index.known_rows(word.word)? {
                Some(found) => found,
                None => read_word(index, word.word, &mut Vec::new(), &mut Patience::default(), stop)?,
            };
            // A weight is far above what would be rounded to 0.
            return Ok(if too_frequent(found, index.rows()) { 0 } else { found });
        }
        let hits = search_words(index, &words, Frequent::LeftOut, stop)?;
        Ok(hits.iter().filter(|hit| hit.score() > 0.0).count() as u64)
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
        let owned = |w: &Counted<'_>| (Box::from(w.word), w.count);
        let mut all: Vec<(Box<[u8]>, u64)> = self.words(stop).map_err(stopped)?.iter().map(owned).collect();
        for row in best(hits, limit) {
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
        search_words(index, &all, Frequent::Listed, stop)
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

/// Reads the entries of a word into `entries`, which is empty, up to the one that shows that it is too frequent. Returns how many
/// they are.
fn read_word<I: Index>(
    index: &I,
    word: &[u8],
    entries: &mut Vec<Posting>,
    patience: &mut Patience,
    stop: &dyn Fn() -> bool,
) -> Result<u64, Failure<I::Error>> {
    let most = index.rows().div_ceil(2).clamp(1, TOO_MANY_ROWS + 1) as usize;
    let mut postings = index.postings(word, false)?;
    let mut read = entries.len();
    while read < most && postings.read(entries)? {
        patience.steps(entries.len() - read, stop).map_err(stopped)?;
        read = entries.len();
    }
    entries.truncate(most);
    Ok(entries.len() as u64)
}

/// What the words of a query add up to, row by row. Entries wait until there are as many as rows, so that memory is bounded by the
/// rows, and each entry is moved a few times at most. The words of a row are summed up in the order in which they came.
#[derive(Default)]
struct Sums {
    /// In the order of the rows.
    rows: Vec<Hit>,
    waiting: Vec<Hit>,
    /// Entries of more than one word wait.
    mixed: bool,
}

impl Sums {
    fn add(&mut self, entries: &[Posting], factor: f64) {
        self.mixed |= !self.waiting.is_empty();
        self.waiting.extend(entries.iter().map(|p| Hit { row: p.row, weight: f64::from(p.weight) * factor }));
        if self.waiting.len() >= WAITING.max(self.rows.len()) {
            self.settle();
        }
    }

    fn settle(&mut self) {
        if self.mixed || !self.waiting.is_sorted_by_key(|hit| hit.row) {
            // Stable: words stay in their order.
            self.waiting.sort_by_key(|hit| hit.row);
        }
        let mut out: Vec<Hit> = Vec::with_capacity(self.rows.len() + self.waiting.len());
        let mut add = |hit: Hit| match out.last_mut() {
            Some(last) if last.row == hit.row => last.weight += hit.weight,
            // The sum begins with 0.0.
            _ => out.push(Hit { row: hit.row, weight: 0.0 + hit.weight }),
        };
        let mut old = std::mem::take(&mut self.rows).into_iter().peekable();
        for hit in self.waiting.drain(..) {
            while let Some(before) = old.next_if(|o| o.row <= hit.row) {
                add(before);
            }
            add(hit);
        }
        old.for_each(add);
        self.rows = out;
        self.mixed = false;
    }
}

/// Searches for words in the order of the collation.
fn search_words<I: Index>(
    index: &I,
    words: &[Counted<'_>],
    frequent: Frequent,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Hit>, Failure<I::Error>> {
    let rows = index.rows();
    let (mut sums, mut patience) = (Sums::default(), Patience::default());
    let mut entries = Vec::new();
    for word in words {
        entries.clear();
        patience.step(stop).map_err(stopped)?;
        if frequent == Frequent::LeftOut
            && index.known_rows(word.word)?.is_some_and(|found| too_frequent(found, rows))
        {
            continue;
        }
        let found = read_word(index, word.word, &mut entries, &mut patience, stop)?;
        if frequent == Frequent::Listed || !too_frequent(found, rows) {
            sums.add(&entries, factor(word.count, found, rows));
        }
    }
    sums.settle();
    Ok(sums.rows)
}

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

/// The rows whose words are added. With more hits than `limit` the heap loses rows, as MariaDB's does: whatever stands in the last
/// place when it is full gives way, be it better than what comes.
fn best(hits: &[Hit], limit: usize) -> Vec<u64> {
    let mut heap: Vec<Hit> = Vec::with_capacity(limit.min(hits.len()));
    if limit == 0 {
        return Vec::new();
    }
    for &hit in hits {
        if heap.len() == limit {
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
    heap.iter().map(|hit| hit.row).collect()
}

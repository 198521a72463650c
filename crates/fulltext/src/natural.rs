//! Queries in natural language: every word adds to the score of its rows, the rarer the more.

use charset::Collation;

use crate::rank::sort;
use crate::words::{Counted, count};
use crate::{Failure, Index, Postings, ReadTexts, Rules};

/// A word in more rows than this adds nothing.
const TOO_MANY_ROWS: u64 = 2_000_000;
/// How often `stop` is asked: once in so many entries.
const PATIENCE: u64 = 4096;

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
        search_words(index, &count(self.collation, self.rules, [self.query]), stop)
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
        let mut bytes: Vec<Vec<u8>> = Vec::new();
        for row in best(hits, limit) {
            texts(row, &mut |text| bytes.push(text.to_vec()))?;
            if stop() {
                return Err(Failure::Stopped);
            }
        }
        let all = std::iter::once(self.query).chain(bytes.iter().map(Vec::as_slice));
        search_words(index, &count(self.collation, self.rules, all), stop)
    }
}

/// Searches for words in the order of the collation.
fn search_words<I: Index>(
    index: &I,
    words: &[Counted<'_>],
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Hit>, Failure<I::Error>> {
    let rows = index.rows();
    let mut found: Vec<Hit> = Vec::new();
    let (mut entries, mut read) = (Vec::new(), 0u64);
    let mut sorted_by_row = true;
    for word in words {
        entries.clear();
        let mut postings = index.postings(word.word, false)?;
        while let Some(posting) = postings.next()? {
            entries.push(posting);
            read += 1;
            if read.is_multiple_of(PATIENCE) && stop() {
                return Err(Failure::Stopped);
            }
            if too_frequent(entries.len() as u64, rows) {
                break;
            }
        }
        let factor = factor(word.count, entries.len() as u64, rows);
        sorted_by_row &= found.is_empty() || entries.is_empty();
        found.extend(entries.iter().map(|p| Hit { row: p.row, weight: f64::from(p.weight) * factor }));
    }
    if !sorted_by_row {
        // Stable: what words add to a row is summed up in the order of the words.
        found.sort_by_key(|hit| hit.row);
    }
    let mut sums: Vec<Hit> = Vec::with_capacity(found.len());
    for hit in found {
        match sums.last_mut() {
            Some(last) if last.row == hit.row => last.weight += hit.weight,
            // The sum begins with 0.0.
            _ => sums.push(Hit { row: hit.row, weight: 0.0 + hit.weight }),
        }
    }
    Ok(sums)
}

/// The list as rows come out without ORDER BY: the best first, ties in the order of MariaDB's sort.
pub fn ranked(hits: &mut [Hit]) {
    sort(hits, |a, b| b.weight.total_cmp(&a.weight));
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

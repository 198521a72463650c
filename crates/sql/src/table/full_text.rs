//! Full-text searches of tables in pages: what a query finds in a FULLTEXT key, and a reader of the rows found.

use std::sync::Arc;

use fulltext::boolean::{Query, Search};
use fulltext::{Failure, Hit, Natural};
use isam::fulltext::FulltextIndex;
use pages::Snapshot;

use super::reader::{Counted, Reader, Reading};
use super::stored_reader::load_row;
use super::{EngineError, OpenTable, PageSource, RowPos, RowScratch};
use crate::error::{ER_FT_MATCHING_KEY_NOT_FOUND, SqlError, SqlResult};
use crate::expr::full_text::MatchKey;
use crate::types::Batch;

/// The table of a bound MATCH.
///
/// # Panics
/// When something else was bound: the planner binds tables alone.
#[must_use]
pub fn table_of(key: &MatchKey) -> &OpenTable {
    key.table.downcast_ref().expect("a MATCH is bound to an open table")
}

impl OpenTable {
    /// The rows that a query in natural language finds, in the order of their positions; none when `stop` ended the search. With
    /// `expansion` the words of so many of the best rows are searched for as well.
    ///
    /// # Errors
    /// Damaged files; 1191 when the key is disabled.
    pub fn search(
        &self,
        snapshot: &Snapshot<'_>,
        key: usize,
        query: &Natural<'_>,
        expansion: Option<usize>,
        stop: &dyn Fn() -> bool,
    ) -> SqlResult<Option<Vec<Hit>>> {
        let pin = snapshot.pin();
        let view = pin.table(self.pages()).map_err(|e| self.error(&e.into()))?;
        let index = FulltextIndex::new(self.format(), &view, key).map_err(|e| self.unsearchable(&e))?;
        let index = &index;
        let mut found = query.search(&index, stop);
        if let (Ok(hits), Some(most)) = (&found, expansion.filter(|most| *most > 0)) {
            let mut read = |row: u64, take: &mut dyn FnMut(&[u8])| self.texts(&view, key, row, take);
            found = query.expand(&index, hits, most, &mut read, stop);
        }
        self.told(found)
    }

    /// The rows that a boolean query finds, at most `most`, in the order in which the key gives them; none when `stop` ended the search.
    ///
    /// # Errors
    /// Damaged files; 1191 when the key is disabled.
    pub fn search_boolean(
        &self,
        snapshot: &Snapshot<'_>,
        key: usize,
        query: Query,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> SqlResult<Option<Vec<Ranked>>> {
        let pin = snapshot.pin();
        let view = pin.table(self.pages()).map_err(|e| self.error(&e.into()))?;
        let index = FulltextIndex::new(self.format(), &view, key).map_err(|e| self.unsearchable(&e))?;
        let index = &index;
        let mut rows = Vec::new();
        let collect = || -> Result<(), Failure<EngineError>> {
            let mut search = Search::new(query, &index, stop)?;
            let mut read = |row: u64, take: &mut dyn FnMut(&[u8])| self.texts(&view, key, row, take);
            while rows.len() < most
                && let Some((row, score)) = search.next(&mut read, stop)?
            {
                rows.push(Ranked { row, score });
                if rows.len().is_multiple_of(4096) && stop() {
                    return Err(Failure::Stopped);
                }
            }
            Ok(())
        };
        let found = collect();
        Ok(self.told(found)?.map(|()| rows))
    }

    /// How many rows a query in natural language finds; none when `stop` ended the search.
    ///
    /// # Errors
    /// As [`OpenTable::search`].
    pub fn count(
        &self,
        snapshot: &Snapshot<'_>,
        key: usize,
        query: &Natural<'_>,
        stop: &dyn Fn() -> bool,
    ) -> SqlResult<Option<u64>> {
        let pin = snapshot.pin();
        let view = pin.table(self.pages()).map_err(|e| self.error(&e.into()))?;
        let index = FulltextIndex::new(self.format(), &view, key).map_err(|e| self.unsearchable(&e))?;
        self.told(query.count(&&index, stop))
    }

    /// How many rows a boolean query finds; none when `stop` ended the search.
    ///
    /// # Errors
    /// As [`OpenTable::search_boolean`].
    pub fn count_boolean(
        &self,
        snapshot: &Snapshot<'_>,
        key: usize,
        query: Query,
        stop: &dyn Fn() -> bool,
    ) -> SqlResult<Option<u64>> {
        let pin = snapshot.pin();
        let view = pin.table(self.pages()).map_err(|e| self.error(&e.into()))?;
        let index = FulltextIndex::new(self.format(), &view, key).map_err(|e| self.unsearchable(&e))?;
        let mut read = |row: u64, take: &mut dyn FnMut(&[u8])| self.texts(&view, key, row, take);
        self.told(fulltext::boolean::count(query, &&index, &mut read, stop))
    }

    /// The texts of a row, from the last to the first column of a FULLTEXT key.
    fn texts<S: PageSource>(
        &self,
        src: &S,
        key: usize,
        row: u64,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<(), EngineError> {
        let mut scratch = RowScratch::new();
        let row = self.row(src, RowPos(row), &mut scratch)?;
        if let Some(fulltext) = &self.keys()[key].fulltext {
            fulltext.texts(&row).for_each(take);
        }
        Ok(())
    }

    fn told<T>(&self, found: Result<T, Failure<EngineError>>) -> SqlResult<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Failure::Stopped) => Ok(None),
            Err(Failure::Index(e)) => Err(self.error(&e)),
        }
    }

    fn unsearchable(&self, e: &EngineError) -> SqlError {
        match e {
            EngineError::KeyDisabled { .. } => SqlError::new(ER_FT_MATCHING_KEY_NOT_FOUND, &[]),
            e => self.error(e),
        }
    }

    /// A reader of rows that were found, in the order of the list, with their scores.
    #[must_use]
    pub fn ranked(&self, rows: Arc<Vec<Ranked>>) -> Box<dyn Reader + '_> {
        Box::new(RankedReader { table: self, rows, at: 0, scratch: RowScratch::new() })
    }
}

/// A row that was found, and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its position.
    pub row: u64,
    /// Its score.
    pub score: f32,
}

impl From<&Hit> for Ranked {
    fn from(hit: &Hit) -> Ranked {
        Ranked { row: hit.row, score: hit.score() }
    }
}

struct RankedReader<'t> {
    table: &'t OpenTable,
    rows: Arc<Vec<Ranked>>,
    at: usize,
    scratch: RowScratch,
}

impl Reader for RankedReader<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        let RankedReader { table, rows, at, scratch } = self;
        let put_score = |out: &mut Batch, score: f32| {
            if let Some(slot) = reading.score {
                out.columns[slot].push_f64(f64::from(score));
            }
        };
        if reading.columns.is_empty() {
            // only how many there are, how good they are, and where they lie
            for found in rows.iter().skip(*at).take(most.saturating_sub(out.len)) {
                super::stored_reader::put_position(RowPos(found.row), reading, out);
                put_score(out, found.score);
                out.len += 1;
                *at += 1;
            }
            return Ok(*at < rows.len());
        }
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        while out.len < most {
            let Some(found) = rows.get(*at) else { return Ok(false) };
            *at += 1;
            let pos = RowPos(found.row);
            let row = table.row(&view, pos, scratch).map_err(|e| table.error(&e))?;
            load_row(&row, pos, reading, out);
            put_score(out, found.score);
            out.len += 1;
            if reading.is_full(out) {
                break;
            }
        }
        Ok(*at < rows.len())
    }

    fn rewind(&mut self) {
        self.at = 0;
    }

    fn counted(&self) -> Counted {
        Counted::Next
    }
}

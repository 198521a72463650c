//! Full-text searches of tables in pages: what a query finds in a FULLTEXT key, and readers of the rows found.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use fulltext::boolean::{Query, Search};
use fulltext::{Failure, Hit, Models, Natural, TakeHit};
use isam::fulltext::{FulltextIndex, Pages, Postings};
use pages::{Pin, Snapshot, TableView};

use super::reader::{Counted, Reader, Reading};
use super::stored_reader::load_row;
use super::{EngineError, OpenTable, PageSource, RowPos, RowScratch};
use crate::error::{ER_FT_MATCHING_KEY_NOT_FOUND, SqlError, SqlResult};
use crate::expr::full_text::{HitList, MatchKey};
use crate::status::connection::check_kill_flag;
use crate::types::Batch;

/// Rows found that are remembered for another time: of more they are searched for again.
const REMEMBERED: usize = 1 << 16;

/// The table of a bound MATCH.
///
/// # Panics
/// When something else was bound: the planner binds tables alone.
#[must_use]
pub fn table_of(key: &MatchKey) -> &OpenTable {
    key.table.downcast_ref().expect("a MATCH is bound to an open table")
}

/// The pages of a table as a snapshot shows them. A search may take seconds: whenever it asks whether to go on, the pages
/// it has looked at are given up, so that what others wait for with them goes on.
struct Pinned<'s> {
    snapshot: &'s Snapshot<'s>,
    table: &'s OpenTable,
    /// Looks within it pin once more, which costs nothing.
    held: RefCell<Option<Pin<'s>>>,
}

impl<'s> Pinned<'s> {
    fn new(snapshot: &'s Snapshot<'s>, table: &'s OpenTable) -> Pinned<'s> {
        Pinned { snapshot, table, held: RefCell::new(Some(snapshot.pin())) }
    }

    /// What a search asks: gives the pages up for a moment.
    fn stop<'f>(&'f self, stop: &'f dyn Fn() -> bool) -> impl Fn() -> bool + 'f {
        || {
            drop(self.held.take());
            let stopped = stop();
            self.held.replace(Some(self.snapshot.pin()));
            stopped
        }
    }

    fn index(&self, key: usize) -> SqlResult<FulltextIndex<'_, &Pinned<'s>>> {
        FulltextIndex::new(self.table.format(), self, key).map_err(|e| self.table.unsearchable(&e))
    }

    /// The texts of a row, from the last to the first column of a FULLTEXT key.
    fn texts(
        &self,
        key: usize,
        row: u64,
        scratch: &mut RowScratch,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<(), EngineError> {
        self.look(|src| {
            let row = self.table.row(src, RowPos(row), scratch)?;
            if let Some(fulltext) = &self.table.keys()[key].fulltext {
                fulltext.texts(&row).for_each(take);
            }
            Ok(())
        })
    }
}

impl Pages for &Pinned<'_> {
    type Source<'a> = TableView<'a>;

    fn look<T>(&self, look: impl FnOnce(&TableView<'_>) -> Result<T, EngineError>) -> Result<T, EngineError> {
        let pin = self.snapshot.pin();
        look(&pin.table(self.table.pages())?)
    }
}

impl OpenTable {
    /// Hands on the rows that a query in natural language finds, in the order of their positions; none when `stop` or `take` ended the
    /// search. With `expansion` the words of so many of the best rows are searched for as well.
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
        take: TakeHit<'_>,
    ) -> SqlResult<Option<()>> {
        let pinned = Pinned::new(snapshot, self);
        let (index, stop) = (pinned.index(key)?, pinned.stop(stop));
        let Some(most) = expansion.filter(|most| *most > 0) else {
            return self.told(query.each(&index, &stop, take));
        };
        let mut models = Models::new(most);
        let mut found = query.each(&index, &stop, &mut |hit| {
            models.add(hit);
            Ok(())
        });
        if found.is_ok() {
            let mut scratch = RowScratch::new();
            let mut read = |row: u64, take: &mut dyn FnMut(&[u8])| pinned.texts(key, row, &mut scratch, take);
            found = query.each_like(&index, &models, &mut read, &stop, take);
        }
        self.told(found)
    }

    /// The `most` rows that a query in natural language finds with the best scores, those first, equal ones as they lie in the table; none
    /// when `stop` ended the search.
    ///
    /// # Errors
    /// As [`OpenTable::search`].
    pub fn best(
        &self,
        snapshot: &Snapshot<'_>,
        key: usize,
        query: &Natural<'_>,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> SqlResult<Option<Vec<Hit>>> {
        let pinned = Pinned::new(snapshot, self);
        let found = query.best(&pinned.index(key)?, most, &pinned.stop(stop));
        self.told(found)
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
        let pinned = Pinned::new(snapshot, self);
        let found = query.count(&pinned.index(key)?, &pinned.stop(stop));
        self.told(found)
    }

    /// How many rows a boolean query finds; none when `stop` ended the search.
    ///
    /// # Errors
    /// Damaged files; 1191 when the key is disabled.
    pub fn count_boolean(
        &self,
        snapshot: &Snapshot<'_>,
        key: usize,
        query: Query,
        stop: &dyn Fn() -> bool,
    ) -> SqlResult<Option<u64>> {
        let pinned = Pinned::new(snapshot, self);
        let mut scratch = RowScratch::new();
        let mut read = |row: u64, take: &mut dyn FnMut(&[u8])| pinned.texts(key, row, &mut scratch, take);
        let found = fulltext::boolean::count(query, &pinned.index(key)?, &mut read, &pinned.stop(stop));
        self.told(found)
    }

    fn told<T>(&self, found: Result<T, Failure<EngineError>>) -> SqlResult<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Failure::Stopped) => Ok(None),
            Err(Failure::Index(e)) => Err(self.unsearchable(&e)),
            Err(Failure::TooManyWords) => Err(SqlError::new(crate::error::codes::ER_OUT_OF_RESOURCES, &[])),
        }
    }

    fn unsearchable(&self, e: &EngineError) -> SqlError {
        match e {
            EngineError::KeyDisabled { .. } => SqlError::new(ER_FT_MATCHING_KEY_NOT_FOUND, &[]),
            e => self.error(e),
        }
    }

    /// A reader of the rows of a list, in its order, with their scores; those that score 0 are left out.
    #[must_use]
    pub fn ranked(&self, list: Arc<dyn HitList>) -> Box<dyn Reader + '_> {
        let scratch = RowScratch::new();
        Box::new(RankedReader { table: self, list, read: 0, hits: Vec::new(), given: 0, scratch })
    }

    /// A reader of the rows that a boolean query finds, in the order in which the key gives them, each as it is found. A statement with
    /// this flag is killed in the middle of it.
    #[must_use]
    pub fn found(&self, key: usize, query: Query, kill: Arc<AtomicU32>) -> FoundReader<'_> {
        FoundReader {
            table: self,
            key,
            query,
            kill,
            search: None,
            remembered: Vec::new(),
            at: 0,
            whole: false,
            ended: false,
            waiting: Vec::new(),
            given: 0,
            texts: RowScratch::new(),
            scratch: RowScratch::new(),
        }
    }
}

/// Appends a row that was found. A row is looked at only for its columns.
#[inline]
fn put<S: PageSource>(
    table: &OpenTable,
    view: &S,
    found: Hit,
    scratch: &mut RowScratch,
    reading: &Reading<'_>,
    out: &mut Batch,
) -> Result<(), EngineError> {
    let pos = RowPos(found.row);
    if reading.columns.is_empty() {
        super::stored_reader::put_position(pos, reading, out);
    } else {
        load_row(&table.row(view, pos, scratch)?, pos, reading, out);
    }
    if let Some(slot) = reading.score {
        out.columns[slot].push_f64(f64::from(found.score()));
    }
    out.len += 1;
    Ok(())
}

struct RankedReader<'t> {
    table: &'t OpenTable,
    list: Arc<dyn HitList>,
    /// Rows of the list that were read.
    read: u64,
    /// Those read last, and how many of them were given.
    hits: Vec<Hit>,
    given: usize,
    scratch: RowScratch,
}

impl RankedReader<'_> {
    /// Reads the rows that follow; false behind the last.
    fn refill(&mut self) -> SqlResult<bool> {
        self.hits.clear();
        self.given = 0;
        self.list.read(self.read, &mut self.hits)?;
        self.read += self.hits.len() as u64;
        Ok(!self.hits.is_empty())
    }
}

impl Reader for RankedReader<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        while out.len < most && !reading.is_full(out) {
            // a list in a file is read while no page is held
            if self.given == self.hits.len() && !self.refill()? {
                return Ok(false);
            }
            let RankedReader { table, hits, given, scratch, .. } = self;
            let pin = reading.snapshot.pin();
            let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
            while out.len < most
                && !reading.is_full(out)
                && let Some(found) = hits.get(*given)
            {
                *given += 1;
                if found.score() > 0.0 {
                    put(table, &view, *found, scratch, reading, out).map_err(|e| table.error(&e))?;
                }
            }
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        // the first rows may be at hand
        if self.read != self.hits.len() as u64 {
            self.read = 0;
            self.hits.clear();
        }
        self.given = 0;
    }

    fn counted(&self) -> Counted {
        Counted::Next
    }
}

/// See [`OpenTable::found`].
pub struct FoundReader<'t> {
    table: &'t OpenTable,
    key: usize,
    query: Query,
    kill: Arc<AtomicU32>,
    search: Option<Search<Postings>>,
    /// The first rows found, for another time.
    remembered: Vec<Hit>,
    at: usize,
    /// All rows are remembered.
    whole: bool,
    ended: bool,
    /// Found and not given yet.
    waiting: Vec<Hit>,
    given: usize,
    texts: RowScratch,
    scratch: RowScratch,
}

impl FoundReader<'_> {
    /// The next rows, at most `most`, none behind the last.
    ///
    /// # Errors
    /// Damaged files; 1191 when the key is disabled; of a killed statement.
    pub fn next(&mut self, snapshot: &Snapshot<'_>, most: usize, out: &mut Vec<Hit>) -> SqlResult<()> {
        if self.at < self.remembered.len() || self.whole {
            let end = self.remembered.len().min(self.at.saturating_add(most));
            out.extend_from_slice(&self.remembered[self.at..end]);
            self.at = end;
            return Ok(());
        }
        let from = out.len();
        let found = self.search(snapshot, most, out);
        if self.table.told(found)?.is_none() {
            check_kill_flag(self.kill.load(Ordering::Relaxed))?;
            return Err(SqlError::internal("nobody has killed the statement"));
        }
        // what is there behind those remembered is found again another time
        if self.at == self.remembered.len() && self.at + out.len() - from <= REMEMBERED {
            self.remembered.extend_from_slice(&out[from..]);
            self.whole = self.ended;
        }
        self.at += out.len() - from;
        Ok(())
    }

    fn search(
        &mut self,
        snapshot: &Snapshot<'_>,
        most: usize,
        out: &mut Vec<Hit>,
    ) -> Result<(), Failure<EngineError>> {
        let FoundReader { table, key, query, kill, search, ended, texts, .. } = self;
        let pinned = Pinned::new(snapshot, table);
        let killed = || kill.load(Ordering::Relaxed) != 0;
        let stop = pinned.stop(&killed);
        let index = FulltextIndex::new(table.format(), &pinned, *key)?;
        let mut read = |row: u64, take: &mut dyn FnMut(&[u8])| pinned.texts(*key, row, texts, take);
        let search = match search {
            Some(search) => search,
            None => search.insert(Search::new(query.clone(), &index, &stop)?),
        };
        let from = out.len();
        while out.len() - from < most && !*ended {
            match search.next(&index, &mut read, &stop)? {
                Some((row, score)) => out.push(Hit { row, weight: f64::from(score) }),
                None => *ended = true,
            }
        }
        Ok(())
    }
}

impl Reader for FoundReader<'_> {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        let mut found = std::mem::take(&mut self.waiting);
        if self.given == found.len() {
            found.clear();
            self.given = 0;
            self.next(reading.snapshot, most.saturating_sub(out.len).max(1), &mut found)?;
        }
        let table = self.table;
        let pin = reading.snapshot.pin();
        let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        for found in &found[self.given..] {
            if out.len >= most || reading.is_full(out) {
                break;
            }
            put(table, &view, *found, &mut self.scratch, reading, out).map_err(|e| table.error(&e))?;
            self.given += 1;
        }
        let behind = found.is_empty() || self.ended && self.at >= self.remembered.len();
        let more = self.given < found.len() || !behind;
        self.waiting = found;
        Ok(more)
    }

    fn rewind(&mut self) {
        // else the search goes on behind what is remembered
        if self.at > self.remembered.len() {
            (self.search, self.ended) = (None, false);
            self.remembered.clear();
        }
        self.at = 0;
        self.waiting.clear();
        self.given = 0;
    }

    fn counted(&self) -> Counted {
        Counted::Next
    }
}

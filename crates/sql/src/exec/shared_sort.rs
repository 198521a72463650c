//! ORDER BY on several threads, where all rows are wanted and fit into memory: each thread keeps the rows that it reads of the
//! table's file and makes their keys, then all sort pieces of the keys.

use std::collections::VecDeque;

use super::keysort;
use super::rows::RowStore;
use super::sort::reset_like;
use super::sortkey::{KeySpec, encode};
use super::threads::{Threads, share};
use crate::error::{SqlError, SqlResult};
use crate::memory::{BATCH_ROWS, Budget};
use crate::types::Batch;

/// Rows of one thread, with their keys.
pub(super) struct KeyedRows {
    specs: Vec<KeySpec>,
    rows: RowStore,
    keys: Vec<u8>,
    ends: Vec<usize>,
    scratch: Vec<u8>,
    /// The number in the file of the first row of each run, and its place here.
    runs: Vec<(u64, u32)>,
    budget: Budget,
}

impl KeyedRows {
    /// None yet; they may take what `budget` has for a sort.
    pub(super) fn new(specs: Vec<KeySpec>, budget: Budget) -> KeyedRows {
        let rows = RowStore::for_many();
        KeyedRows {
            specs,
            rows,
            keys: Vec::new(),
            ends: Vec::new(),
            scratch: Vec::new(),
            runs: Vec::new(),
            budget,
        }
    }

    /// Takes rows, of which the first has this number.
    ///
    /// # Errors
    /// They are more than memory may hold: one thread has to sort.
    pub(super) fn push(&mut self, batch: &Batch, number: u64) -> SqlResult<()> {
        self.runs.push((number, self.rows.len() as u32));
        for row in 0..batch.len {
            encode(&batch.columns, &self.specs, row, &mut self.keys, &mut self.scratch);
            self.ends.push(self.keys.len());
        }
        self.rows.push_batch(batch);
        if self.budget.exceeds_sort(self.memory()) {
            return Err(SqlError::internal("a sort on several threads is past its memory"));
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        let numbers = self.rows.len() * (keysort::ENTRY + 2 * size_of::<(u32, u32)>());
        self.rows.memory() + self.keys.capacity() + self.ends.capacity() * size_of::<usize>() + numbers
    }

    #[inline]
    fn key(&self, row: u32) -> &[u8] {
        let row = row as usize;
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.keys[start..self.ends[row]]
    }
}

/// Rows of several threads in the order of their keys.
pub(super) struct SortedRows {
    stores: Vec<RowStore>,
    /// The thread and the place of each.
    order: Vec<(u32, u32)>,
    next: usize,
    /// The rows before that one, as far as they were not given.
    ready: VecDeque<Batch>,
    /// Batches that are put together at once.
    at_once: usize,
    /// As many threads as the session asks for, or 0.
    asked: usize,
    /// What they take in memory is told here.
    budget: Budget,
}

/// Batches that are put together at once, by all threads; fewer where they are more than so many bytes.
const AT_ONCE: usize = 32;
const AT_ONCE_BYTES: usize = 4 << 20;

impl SortedRows {
    /// The first `most` of the rows that `threads` have read; equal ones in the order of the file. `asked`: as many threads as the session
    /// asks for, or 0.
    pub(super) fn new(
        sinks: Vec<KeyedRows>,
        most: usize,
        (threads, asked): (usize, usize),
        budget: &Budget,
    ) -> SortedRows {
        let mut runs: Vec<(u64, u32, std::ops::Range<u32>)> = Vec::new();
        for (n, sink) in (0..).zip(&sinks) {
            let ends = sink.runs.iter().skip(1).map(|(_, row)| *row).chain([sink.rows.len() as u32]);
            runs.extend(sink.runs.iter().zip(ends).map(|((number, row), end)| (*number, n, *row..end)));
        }
        runs.sort_unstable_by_key(|(number, ..)| *number);
        let mut places = Vec::with_capacity(sinks.iter().map(|sink| sink.rows.len()).sum());
        for (_, sink, rows) in runs {
            places.extend(rows.map(|row| (sink, row)));
        }
        let key = |n: usize| {
            let (sink, row) = places[n];
            sinks[sink as usize].key(row)
        };
        let order = keysort::order_shared(places.len(), most, threads, key, |n| places[n as usize]);
        let stores: Vec<RowStore> = sinks.into_iter().map(|sink| sink.rows).collect();
        let budget = budget.clone();
        let rows: usize = stores.iter().map(RowStore::memory).sum();
        budget.note(rows + order.capacity() * size_of::<(u32, u32)>());
        let count = stores.iter().map(RowStore::len).sum::<usize>().max(1);
        let batch = (rows / count).saturating_mul(BATCH_ROWS).max(1);
        let at_once = (AT_ONCE_BYTES / batch).clamp(1, AT_ONCE);
        SortedRows { stores, order, next: 0, ready: VecDeque::new(), at_once, asked, budget }
    }

    /// The next rows; false when there are no more.
    pub(super) fn next(&mut self, out: &mut Batch) -> bool {
        if self.ready.is_empty() {
            self.put_together();
        }
        if let Some(batch) = self.ready.pop_front() {
            *out = batch;
            return true;
        }
        self.stores.clear();
        self.order = Vec::new();
        self.next = 0;
        self.budget.note(0);
        false
    }

    /// Makes the next batches. Most of that is waiting for memory, which several threads do side by side.
    fn put_together(&mut self) {
        let Some(first) = self.stores.iter().find_map(|store| store.batches().first()) else { return };
        let end = (self.next + self.at_once * BATCH_ROWS).min(self.order.len());
        let rows = &self.order[self.next..end];
        let stores: Vec<&RowStore> = self.stores.iter().collect();
        // only those that nobody else uses now: the client may take its time between
        let threads = Threads::claim(self.asked);
        let gathered = share(rows.chunks(BATCH_ROWS), threads.count(), |rows| {
            let mut batch = Batch::default();
            reset_like(&mut batch, first);
            RowStore::gather_from(&stores, rows, &mut batch);
            batch
        });
        self.ready.extend(gathered);
        self.next = end;
    }
}

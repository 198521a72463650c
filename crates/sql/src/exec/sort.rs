//! ORDER BY: rows are kept with their key bytes, sorted by number. What is more than memory may hold is
//! written to disk in sorted runs, which are merged.

use std::ops::Range;

use super::keysort;
use super::quick;
use super::rows::RowStore;
use super::runs::{Merge, Runs};
use super::sortkey::{KeySpec, encode, numbers, prefixes};
use super::spool::RowKeys;
use crate::error::SqlResult;
use crate::memory::{BATCH_ROWS, Budget};
use crate::types::vector::{Batch, Vector};

/// Bytes that are sorted and written at once: with more, most of the time goes into waiting for memory, which costs
/// more than to merge more runs.
const NEAR: usize = 2 << 20;

/// From so many runs on they are as long as memory allows, so that they are merged in one pass.
const MANY_RUNS: usize = 64;

/// What is kept of the rows' keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// Numbers, one a part: all are integers without NULLs, as far as rows have come.
    Numbers,
    /// How the keys begin, a number a row. A key is made when this does not tell it from others.
    Prefixes,
    /// The keys' bytes.
    Whole,
}

/// Collects rows, then gives them in order.
pub struct Sorter {
    specs: Vec<KeySpec>,
    rows: RowStore,
    form: Keys,
    numbers: Vec<u64>,
    keys: Vec<u8>,
    ends: Vec<usize>,
    scratch: Vec<u8>,
    order: Vec<u32>,
    next: usize,
    /// Rows wanted at most.
    limit: usize,
    /// Few rows that are equal come in the order of the reference server, which thinks of so many.
    quick: Option<usize>,
    /// The first `limit` rows are those wanted of what came so far, in order: what is not before the last of them is left out.
    bounded: bool,
    budget: Budget,
    spilled: Option<Spilled>,
}

/// What a sorter has on disk.
struct Spilled {
    runs: Option<Runs>,
    merge: Option<Merge>,
    /// An empty batch of the rows' columns.
    like: Batch,
}

/// What is tried first.
fn first_form(specs: &[KeySpec]) -> Keys {
    if specs.is_empty() { Keys::Whole } else { Keys::Numbers }
}

impl Sorter {
    /// A sorter by `specs`; at most `limit` rows are wanted.
    #[must_use]
    pub fn new(specs: Vec<KeySpec>, limit: usize, budget: &Budget) -> Sorter {
        Sorter {
            form: first_form(&specs),
            specs,
            rows: RowStore::for_many(),
            numbers: Vec::new(),
            keys: Vec::new(),
            ends: Vec::new(),
            scratch: Vec::new(),
            order: Vec::new(),
            next: 0,
            limit,
            quick: None,
            bounded: false,
            budget: budget.clone(),
            spilled: None,
        }
    }

    /// Few rows that are equal come in the order of the reference server, which thinks of `expected` of a table.
    #[must_use]
    pub fn with_order_of_equals(mut self, expected: usize) -> Sorter {
        self.quick = Some(expected);
        self
    }

    /// A sorter of rows that come with the bytes of their keys.
    #[must_use]
    pub fn keyed(budget: &Budget) -> Sorter {
        Sorter::new(Vec::new(), usize::MAX, budget)
    }

    /// Takes the rows of a batch with their keys: for [`Sorter::keyed`].
    ///
    /// # Errors
    /// 3, 1021: the temporary file cannot be written.
    pub fn push_keyed(&mut self, keys: &Vector, batch: &Batch) -> SqlResult<()> {
        for row in 0..batch.len {
            self.keys.extend_from_slice(keys.bytes(row));
            self.ends.push(self.keys.len());
        }
        self.rows.push_batch(batch);
        // rows that come with their keys were put off from memory: nobody waits for them to stay there
        let runs = self.spilled.as_ref().and_then(|s| s.runs.as_ref()).map_or(0, Runs::len);
        let most = if runs < MANY_RUNS { self.budget.sort.min(NEAR) } else { self.budget.sort };
        let memory = self.memory();
        self.budget.note(memory);
        if memory > most { self.spill() } else { Ok(()) }
    }

    /// Takes the rows of a batch.
    ///
    /// # Errors
    /// 3, 1021: the temporary file cannot be written.
    pub fn push(&mut self, batch: &Batch) -> SqlResult<()> {
        if self.form == Keys::Numbers && !self.push_numbers(batch) {
            self.form = if self.rows.is_empty() { Keys::Prefixes } else { Keys::Whole };
        }
        if self.form == Keys::Prefixes && !self.push_prefixes(batch) {
            self.form = Keys::Whole;
        }
        if self.form == Keys::Whole {
            self.rebuild_keys();
            self.push_keys(batch);
        }
        if self.limit < usize::MAX / 4 && self.rows.len() > (self.limit * 2).max(4 * BATCH_ROWS) {
            self.cut();
        }
        if self.budget.exceeds_sort(self.memory()) { self.spill() } else { Ok(()) }
    }

    /// Takes rows whose keys are integers; false when they are not.
    fn push_numbers(&mut self, batch: &Batch) -> bool {
        let parts: Option<Vec<_>> =
            self.specs.iter().map(|s| numbers(s, &batch.columns[s.slot], batch.len)).collect();
        let Some(parts) = parts else { return false };
        let keys = &mut self.numbers;
        if !self.bounded {
            if let [part] = &parts[..] {
                keys.extend((0..batch.len).map(part));
            } else {
                (0..batch.len).for_each(|row| keys.extend(parts.iter().map(|part| part(row))));
            }
            self.rows.push_batch(batch);
            return true;
        }
        let last = keys[(self.limit - 1) * parts.len()..][..parts.len()].to_vec();
        for row in 0..batch.len {
            let start = keys.len();
            keys.extend(parts.iter().map(|part| part(row)));
            if keys[start..] >= last[..] {
                keys.truncate(start);
                continue;
            }
            self.rows.push(&batch.columns, row);
        }
        true
    }

    /// Takes rows whose keys mostly differ in how they begin; false when they do not.
    fn push_prefixes(&mut self, batch: &Batch) -> bool {
        let start = self.numbers.len();
        let spec = &self.specs[0];
        if !prefixes(spec, &batch.columns[spec.slot], 0..batch.len, &mut self.numbers)
            || start < BATCH_ROWS && !keysort::mostly_differ(&self.numbers)
        {
            self.numbers.truncate(start);
            return false;
        }
        if !self.bounded {
            self.rows.push_batch(batch);
            return true;
        }
        let last = self.numbers[self.limit - 1];
        let mut last_key = Vec::new();
        let mut key = Vec::new();
        let mut end = start;
        for row in 0..batch.len {
            let prefix = self.numbers[start + row];
            if prefix > last {
                continue;
            }
            if prefix == last {
                if last_key.is_empty() {
                    let (batch, row) = self.rows.at(self.limit - 1);
                    encode(&batch.columns, &self.specs, row, &mut last_key, &mut self.scratch);
                }
                key.clear();
                encode(&batch.columns, &self.specs, row, &mut key, &mut self.scratch);
                if key >= last_key {
                    continue;
                }
            }
            self.numbers[end] = prefix;
            end += 1;
            self.rows.push(&batch.columns, row);
        }
        self.numbers.truncate(end);
        true
    }

    fn push_keys(&mut self, batch: &Batch) {
        // how keys begin decides for most rows that come too late
        let mut begins = Vec::new();
        if let Some(spec) = self.specs.first().filter(|_| self.bounded) {
            let (last, row) = self.rows.at(self.limit - 1);
            let known = prefixes(spec, &last.columns[spec.slot], row..row + 1, &mut begins)
                && prefixes(spec, &batch.columns[spec.slot], 0..batch.len, &mut begins);
            if !known {
                begins.clear();
            }
        }
        for row in 0..batch.len {
            if begins.get(row + 1).is_some_and(|begin| *begin > begins[0]) {
                continue;
            }
            let start = self.keys.len();
            encode(&batch.columns, &self.specs, row, &mut self.keys, &mut self.scratch);
            if self.bounded && &self.keys[start..] >= self.key(self.limit - 1) {
                self.keys.truncate(start);
                continue;
            }
            self.ends.push(self.keys.len());
            if self.bounded {
                self.rows.push(&batch.columns, row);
            }
        }
        if !self.bounded {
            self.rows.push_batch(batch);
        }
    }

    /// Bytes that it holds.
    pub fn memory(&self) -> usize {
        self.rows.memory()
            + self.keys.capacity()
            + (self.ends.capacity() + self.numbers.capacity()) * 8
            + self.rows.len() * keysort::ENTRY
    }

    /// Writes what is in memory as sorted runs.
    #[cold]
    fn spill(&mut self) -> SqlResult<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut spilled = self.spilled.take().unwrap_or_else(|| {
            let runs = Some(Runs::new(&self.budget));
            Spilled { runs, merge: None, like: self.rows.like() }
        });
        if let Some(runs) = &mut spilled.runs {
            let near = self.form != Keys::Numbers && runs.len() < MANY_RUNS;
            let pieces = if near { (self.memory() / NEAR).clamp(1, self.rows.len()) } else { 1 };
            let mut start = 0;
            for piece in 1..=pieces {
                let end = self.rows.len() * piece / pieces;
                self.write_run(runs, start..end)?;
                start = end;
            }
        }
        self.spilled = Some(spilled);
        self.rows.clear();
        self.keys.clear();
        self.ends.clear();
        self.numbers.clear();
        self.bounded = false;
        self.form = first_form(&self.specs);
        Ok(())
    }

    /// Writes some of the rows as a sorted run.
    fn write_run(&mut self, runs: &mut Runs, rows: Range<usize>) -> SqlResult<()> {
        let mut run = runs.begin()?;
        let mut key = Vec::new();
        for n in self.sorted(rows.clone()) {
            let n = rows.start + n as usize;
            let (batch, row) = self.rows.at(n);
            let key = if self.form == Keys::Whole {
                let start = if n == 0 { 0 } else { self.ends[n - 1] };
                &self.keys[start..self.ends[n]]
            } else {
                key.clear();
                encode(&batch.columns, &self.specs, row, &mut key, &mut self.scratch);
                &key
            };
            run.push(key, &batch.columns, row)?;
        }
        runs.end(run)
    }

    /// Makes the keys of the rows that have only numbers.
    fn rebuild_keys(&mut self) {
        for n in self.ends.len()..self.rows.len() {
            let (batch, row) = self.rows.at(n);
            encode(&batch.columns, &self.specs, row, &mut self.keys, &mut self.scratch);
            self.ends.push(self.keys.len());
        }
        self.numbers = Vec::new();
    }

    /// Keeps only the first `limit` rows of those taken so far.
    fn cut(&mut self) {
        self.sort();
        let mut kept = RowStore::default();
        let (mut keys, mut ends, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let parts = if self.form == Keys::Numbers { self.specs.len() } else { 1 };
        for &n in self.order.iter().take(self.limit) {
            let n = n as usize;
            let (batch, row) = self.rows.at(n);
            kept.push(&batch.columns, row);
            if self.form == Keys::Whole {
                keys.extend_from_slice(self.key(n));
                ends.push(keys.len());
            } else {
                numbers.extend_from_slice(&self.numbers[n * parts..][..parts]);
            }
        }
        self.rows = kept;
        self.keys = keys;
        self.ends = ends;
        self.numbers = numbers;
        self.order.clear();
        self.bounded = self.limit > 0 && self.rows.len() == self.limit;
    }

    fn key(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.keys[start..self.ends[n]]
    }

    fn sort(&mut self) {
        if let Some(expected) = self.quick
            && self.rows.len() < quick::MANY
            && self.spilled.is_none()
            && !self.bounded
        {
            if self.form != Keys::Whole {
                self.rebuild_keys();
                self.form = Keys::Whole;
            }
            let count = self.rows.len();
            self.order = quick::first(count, self.limit, count.max(expected), |n| self.key(n));
            return;
        }
        self.order = self.sorted(0..self.rows.len());
    }

    /// The first of some rows in order, counted from the first of them.
    fn sorted(&self, rows: Range<usize>) -> Vec<u32> {
        let parts = self.specs.len();
        match self.form {
            Keys::Numbers => {
                keysort::order_numbers(&self.numbers[rows.start * parts..rows.end * parts], parts, self.limit)
            }
            Keys::Prefixes => {
                let mut scratch = Vec::new();
                keysort::order_prefixes(&self.numbers[rows.clone()], self.limit, |n, out| {
                    let (batch, row) = self.rows.at(rows.start + n);
                    encode(&batch.columns, &self.specs, row, out, &mut scratch);
                })
            }
            Keys::Whole => keysort::order(rows.len(), self.limit, |n| self.key(rows.start + n)),
        }
    }

    /// Sorts what was taken. Equal rows keep the order they came in.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn finish(&mut self) -> SqlResult<()> {
        self.next = 0;
        if self.spilled.is_none() {
            self.sort();
            return Ok(());
        }
        self.spill()?;
        self.keys = Vec::new();
        self.ends = Vec::new();
        self.numbers = Vec::new();
        if let Some(s) = &mut self.spilled
            && let Some(runs) = s.runs.take()
        {
            s.merge = Some(runs.merge()?);
        }
        Ok(())
    }

    /// Whether rows went to disk.
    #[must_use]
    pub fn is_spilled(&self) -> bool {
        self.spilled.is_some()
    }

    /// The next rows in order; false when there are no more.
    ///
    /// # Errors
    /// 1024: the temporary file cannot be read.
    pub fn next(&mut self, out: &mut Batch) -> SqlResult<bool> {
        self.next_rows(out, None)
    }

    /// As [`Sorter::next`], with the rows' keys: for [`Sorter::keyed`].
    ///
    /// # Errors
    /// As there.
    pub fn next_keyed(&mut self, out: &mut Batch, keys: &mut RowKeys) -> SqlResult<bool> {
        self.next_rows(out, Some(keys))
    }

    fn next_rows(&mut self, out: &mut Batch, mut keys: Option<&mut RowKeys>) -> SqlResult<bool> {
        if let Some(keys) = &mut keys {
            keys.clear();
        }
        if let Some(Spilled { merge: Some(merge), like, .. }) = &mut self.spilled {
            reset_like(out, like);
            let most = BATCH_ROWS.min(self.limit - self.next.min(self.limit));
            let more = merge.batch_with(out, keys, most)?;
            self.next += out.len;
            return Ok(more);
        }
        if self.next >= self.order.len() {
            return Ok(false);
        }
        if let Some(first) = self.rows.batches().first() {
            reset_like(out, first);
        }
        let end = (self.next + BATCH_ROWS).min(self.order.len());
        let wanted = &self.order[self.next..end];
        self.rows.gather(wanted, out);
        if let Some(keys) = keys {
            wanted.iter().for_each(|n| keys.push(self.key(*n as usize)));
        }
        self.next = end;
        Ok(true)
    }
}

/// Makes a batch an empty one of the columns of another.
pub(super) fn reset_like(out: &mut Batch, like: &Batch) {
    out.columns.resize_with(like.columns.len(), Vector::default);
    for (to, v) in out.columns.iter_mut().zip(&like.columns) {
        to.reset(v.class());
    }
    out.len = 0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::vector::Vector;
    use crate::types::{Class, ValueRef};

    /// Sorts numbers with their place among equal ones, in `memory` bytes.
    fn sorted(
        numbers: &[Option<i64>],
        descending: bool,
        limit: usize,
        memory: usize,
    ) -> (Vec<(Option<i64>, i64)>, bool) {
        let spec = KeySpec::bytes(0, descending);
        let budget = Budget { sort: memory, ..Budget::default() };
        let mut sorter = Sorter::new(vec![spec], limit, &budget);
        for (at, chunk) in numbers.chunks(100).enumerate() {
            let mut batch =
                Batch { columns: vec![Vector::new(Class::Int), Vector::new(Class::Int)], len: chunk.len() };
            for (i, n) in chunk.iter().enumerate() {
                batch.columns[0].push(n.map_or(ValueRef::Null, ValueRef::Int));
                batch.columns[1].push_i64((at * 100 + i) as i64);
            }
            sorter.push(&batch).unwrap();
        }
        sorter.finish().unwrap();
        let (mut out, mut all) = (Batch::default(), Vec::new());
        while sorter.next(&mut out).unwrap() {
            for row in 0..out.len {
                let v = &out.columns[0];
                all.push(((!v.is_null(row)).then(|| v.i64(row)), out.columns[1].i64(row)));
            }
        }
        (all, sorter.spilled.is_some())
    }

    #[test]
    fn disk_and_memory_sort_alike() {
        let mut seed = 7u64;
        let numbers: Vec<Option<i64>> = (0..40_000)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 60 != 0).then_some((seed >> 40) as i64 % 5_000 - 2_500)
            })
            .collect();
        let whole: Vec<Option<i64>> = numbers.iter().copied().filter(Option::is_some).collect();
        for numbers in [&numbers, &whole] {
            for descending in [false, true] {
                for limit in [usize::MAX, 9_000, 10] {
                    let (expected, spilled) = sorted(numbers, descending, limit, usize::MAX);
                    assert!(!spilled);
                    // so little that there are more runs than are merged at once
                    let (found, spilled) = sorted(numbers, descending, limit, 5_000);
                    assert!(found == expected);
                    assert!(spilled || limit == 10);
                }
            }
        }
    }
}

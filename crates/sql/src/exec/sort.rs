//! ORDER BY: rows are kept with their key bytes, sorted by number.

use super::rows::{BATCH_ROWS, RowStore};
use super::sortkey::{KeySpec, encode, is_integer_like};
use crate::types::vector::Batch;

/// Collects rows, then gives them in order.
pub struct Sorter {
    specs: Vec<KeySpec>,
    rows: RowStore,
    keys: Vec<u8>,
    ends: Vec<usize>,
    scratch: Vec<u8>,
    /// Keys of a single ascending or descending integer without NULLs, as long as that holds.
    integers: Option<Vec<i64>>,
    order: Vec<u32>,
    next: usize,
    /// Rows wanted at most.
    limit: usize,
}

impl Sorter {
    /// A sorter by `specs`; at most `limit` rows are wanted.
    #[must_use]
    pub fn new(specs: Vec<KeySpec>, limit: usize) -> Sorter {
        let integers = (specs.len() == 1).then(Vec::new);
        Sorter {
            specs,
            rows: RowStore::default(),
            keys: Vec::new(),
            ends: Vec::new(),
            scratch: Vec::new(),
            integers,
            order: Vec::new(),
            next: 0,
            limit,
        }
    }

    /// Takes the rows of a batch.
    pub fn push(&mut self, batch: &Batch) {
        for row in 0..batch.len {
            if let Some(integers) = &mut self.integers {
                let v = &batch.columns[self.specs[0].slot];
                if is_integer_like(v.class()) && !v.is_null(row) {
                    integers.push(v.i64(row));
                    self.rows.push(&batch.columns, row);
                    continue;
                }
                self.integers = None;
                self.rebuild_keys();
            }
            encode(&batch.columns, &self.specs, row, &mut self.keys, &mut self.scratch);
            self.ends.push(self.keys.len());
            self.rows.push(&batch.columns, row);
        }
        if self.limit < usize::MAX / 4 && self.rows.len() > (self.limit * 2).max(4 * BATCH_ROWS) {
            self.cut();
        }
    }

    fn rebuild_keys(&mut self) {
        for n in 0..self.rows.len() {
            let (batch, row) = self.rows.at(n);
            encode(&batch.columns, &self.specs, row, &mut self.keys, &mut self.scratch);
            self.ends.push(self.keys.len());
        }
    }

    /// Keeps only the first `limit` rows of those taken so far.
    fn cut(&mut self) {
        self.sort();
        let mut kept = RowStore::default();
        let (mut keys, mut ends) = (Vec::new(), Vec::new());
        let mut integers = self.integers.is_some().then(Vec::new);
        for &n in self.order.iter().take(self.limit) {
            let n = n as usize;
            let (batch, row) = self.rows.at(n);
            kept.push(&batch.columns, row);
            match (&mut integers, &self.integers) {
                (Some(to), Some(from)) => to.push(from[n]),
                _ => {
                    keys.extend_from_slice(self.key(n));
                    ends.push(keys.len());
                }
            }
        }
        self.rows = kept;
        self.keys = keys;
        self.ends = ends;
        self.integers = integers;
        self.order.clear();
    }

    fn key(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.keys[start..self.ends[n]]
    }

    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        if let Some(integers) = &self.integers {
            if self.specs[0].descending {
                order.sort_by_key(|n| std::cmp::Reverse(integers[*n as usize]));
            } else {
                order.sort_by_key(|n| integers[*n as usize]);
            }
        } else {
            order.sort_by(|a, b| self.key(*a as usize).cmp(self.key(*b as usize)));
        }
        self.order = order;
    }

    /// Sorts what was taken. Equal rows keep the order they came in.
    pub fn finish(&mut self) {
        self.sort();
        self.order.truncate(self.limit);
        self.next = 0;
    }

    /// The next rows in order; false when there are no more.
    pub fn next(&mut self, out: &mut Batch) -> bool {
        if self.next >= self.order.len() {
            return false;
        }
        *out = self.rows.like();
        let end = (self.next + BATCH_ROWS).min(self.order.len());
        for &n in &self.order[self.next..end] {
            self.rows.copy_to(n as usize, out);
        }
        self.next = end;
        true
    }
}

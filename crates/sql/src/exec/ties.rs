//! FETCH ... WITH TIES: rows that are equal to the last one in what they are sorted by.

use std::ops::Range;

use super::Limiter;
use super::sortkey::{self, KeySpec};
use crate::types::Batch;

/// What the last row was sorted by.
pub(super) struct Ties {
    specs: Vec<KeySpec>,
    last: Option<Vec<u8>>,
}

impl Ties {
    /// For rows sorted by these.
    pub fn new(specs: Vec<KeySpec>) -> Ties {
        Ties { specs, last: None }
    }

    /// The rows of a sorted batch that pass, and whether further ones may.
    pub fn pass(&mut self, batch: &Batch, limiter: &mut Limiter) -> (Range<usize>, bool) {
        let (from, mut end) = limiter.take(batch.len);
        if !limiter.full() {
            return (from..end, true);
        }
        if end > from {
            self.last = Some(self.key(batch, end - 1));
        }
        let Some(last) = &self.last else { return (0..0, false) };
        while end < batch.len && self.key(batch, end) == *last {
            end += 1;
        }
        (from..end, end == batch.len)
    }

    fn key(&self, batch: &Batch, row: usize) -> Vec<u8> {
        let mut key = Vec::new();
        sortkey::encode(&batch.columns, &self.specs, row, &mut key, &mut Vec::new());
        key
    }
}

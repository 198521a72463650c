//! COUNT(DISTINCT) of all rows on several threads: each keeps a set of its own while values repeat; where most rows bring a new one their
//! keys are kept in partitions, and each partition is counted by one thread, in a set that the processor's cache holds.

use super::accumulate::Accumulator;
use super::groups::{Groups, KeyBatch};
use super::partition::{PARTITIONS, partition_of};
use super::running::Running;
use super::threads::share;
use super::unique::Unique;
use crate::ast::AggregateFunction as F;
use crate::exec::accumulate::Accumulate;
use crate::expr::AggregateCall;
use crate::types::Vector;

/// Rows of a thread from which on it is known whether most bring a value that did not come before.
const SAMPLE: u64 = 64 << 10;

/// The values of one aggregate that one thread has seen.
#[derive(Default)]
pub(super) struct DistinctValues {
    known: Groups,
    /// Keys of further rows, which may be among the known ones, by partition; nothing while values repeat.
    kept: Vec<KeyBatch>,
    keys: KeyBatch,
    rows: u64,
}

/// Whether the distinct values of an aggregate can be counted so.
pub(super) fn is_counted(a: &AggregateCall) -> bool {
    a.distinct && a.function == F::Count
}

impl DistinctValues {
    /// Sees the rows of a batch.
    pub(super) fn add(&mut self, a: &AggregateCall, args: &[&Vector], rows: usize) {
        self.keys.clear();
        a.distinct_keys(args, rows, &mut self.keys);
        self.rows += rows as u64;
        if self.kept.is_empty() {
            self.known.look_ahead(&self.keys);
            self.keys.iter().for_each(|key| {
                self.known.insert(key);
            });
        } else {
            keep(&self.keys, &mut self.kept);
        }
    }

    /// A part of the file is at its end.
    pub(super) fn end_part(&mut self) {
        let many = self.rows >= SAMPLE && self.known.len() as u64 * 2 > self.rows;
        if self.kept.is_empty() && many && !self.known.are_near() {
            self.kept.resize_with(PARTITIONS, KeyBatch::default);
        }
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        self.known.memory() + self.kept.iter().map(KeyBatch::memory).sum::<usize>()
    }

    /// What is known, in partitions with what was kept.
    fn parted(mut self) -> Vec<KeyBatch> {
        self.kept.resize_with(PARTITIONS, KeyBatch::default);
        for n in 0..self.known.len() {
            let key = self.known.key(n);
            self.kept[partition_of(key)].push(|to| to.extend_from_slice(key));
        }
        self.kept
    }
}

fn keep(keys: &KeyBatch, partitions: &mut [KeyBatch]) {
    for key in keys.iter() {
        partitions[partition_of(key)].push(|to| to.extend_from_slice(key));
    }
}

/// What all threads have seen as the value of the only group: their number. When there are `more` rows, the values as well.
pub(super) fn counted(seen: Vec<DistinctValues>, threads: usize, more: bool) -> Running {
    if more || seen.iter().all(|s| s.kept.is_empty()) {
        let mut seen = seen.into_iter();
        let first = seen.next().unwrap_or_default();
        let mut all = first.known;
        let insert = |all: &mut Groups, keys: &[KeyBatch]| {
            keys.iter().flat_map(KeyBatch::iter).for_each(|key| {
                all.insert(key);
            });
        };
        insert(&mut all, &first.kept);
        for other in seen {
            (0..other.known.len()).for_each(|n| {
                all.insert(other.known.key(n));
            });
            insert(&mut all, &other.kept);
        }
        let mut count = Accumulator::counted(all.len() as u64);
        count.seen = more.then(|| Box::new(Unique::of(all)));
        return Running::Any(vec![count]);
    }
    let mut partitions: Vec<Vec<KeyBatch>> = vec![Vec::new(); PARTITIONS];
    for values in seen {
        partitions.iter_mut().zip(values.parted()).for_each(|(p, keys)| p.push(keys));
    }
    let counts = share(partitions, threads, |lists| {
        let mut all = Groups::default();
        all.reserve(lists.iter().map(KeyBatch::len).max().unwrap_or(0));
        lists.iter().flat_map(KeyBatch::iter).for_each(|key| {
            all.insert(key);
        });
        all.len() as u64
    });
    Running::Any(vec![Accumulator::counted(counts.into_iter().sum())])
}

//! One partition of the groups that several threads make: those whose keys have the same few bits of their hash. What each thread found of
//! it meets here, groups and rows that were kept to be grouped now; a table of a partition is so small that the processor's cache holds it.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::groups::KeyBatch;
use super::level::Level;
use super::rows::RowStore;
use super::running::Running;
use super::threads::share;
use crate::plan::GroupPlan;
use crate::types::{Batch, Vector};

/// Partitions of groups: enough that a table of half a million groups is in parts that a cache holds, and that threads end at about the
/// same time.
pub(super) const PARTITIONS: usize = 32;

/// From so many groups on they stay in the tables of their threads where these can be kept apart.
const MANY: usize = 4 << 10;

/// The partition that a key belongs to. Groups are found by other bits of its hash.
#[inline]
pub(super) fn partition_of(key: &[u8]) -> usize {
    (FixedState::with_seed(1).hash_one(key) >> 32) as usize % PARTITIONS
}

/// The groups of a level in partitions, each in the order in which they began.
pub(super) fn in_partitions(mut level: Level, g: &GroupPlan) -> Vec<Level> {
    let mut levels: Vec<Level> = (0..PARTITIONS).map(|_| Level::new(level.keys)).collect();
    for n in 0..level.groups.len() {
        levels[partition_of(level.groups.key(n))].take_group(g, &mut level, n);
    }
    levels
}

/// Rows of a partition that are grouped when all are there: of each its key, its number, its columns and the arguments.
#[derive(Default)]
pub(super) struct KeptRows {
    keys: KeyBatch,
    numbers: Vec<u64>,
    rows: RowStore,
}

impl KeptRows {
    /// Keeps rows of a batch, of which the first has this number, with their keys.
    pub(super) fn push(&mut self, columns: &[&Vector], rows: &[u32], number: u64, keys: &KeyBatch) {
        for row in rows {
            self.keys.push(|to| to.extend_from_slice(keys.get(*row as usize)));
            self.numbers.push(number + u64::from(*row));
        }
        self.rows.push_some(columns, rows);
    }

    /// Number, key, batch and row of each.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &[u8], &Batch, usize)> {
        let rows = self.rows.batches().iter().flat_map(|batch| (0..batch.len).map(move |row| (batch, row)));
        let keys = self.numbers.iter().copied().zip(self.keys.iter());
        keys.zip(rows).map(|((number, key), (batch, row))| (number, key, batch, row))
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Bytes held.
    pub(super) fn memory(&self) -> usize {
        self.keys.memory() + self.numbers.capacity() * size_of::<u64>() + self.rows.memory()
    }
}

/// The groups of one partition as they are put together.
struct United<'r> {
    level: Level,
    /// Where the first row of each group is: in which batch, and which row of it.
    firsts: Vec<(u32, u32)>,
    batches: Vec<&'r Batch>,
}

/// What threads found as levels of which no two have a group in common: each has one level, or one for each partition, and rows that were
/// kept in partitions or none.
pub(super) fn united_by_partition(
    g: &GroupPlan,
    found: Vec<(Vec<Level>, Vec<KeptRows>)>,
    threads: usize,
) -> Vec<Level> {
    if found.iter().all(|(levels, kept)| levels.len() == 1 && kept.is_empty()) {
        let mut levels: Vec<Level> = found.into_iter().flat_map(|f| f.0).filter(|l| !l.is_empty()).collect();
        if part_near(g, &mut levels) {
            return levels;
        }
        return vec![united(g, levels, &[])];
    }
    let mut partitions: Vec<(Vec<Level>, Vec<KeptRows>)> = Vec::new();
    partitions.resize_with(PARTITIONS, Default::default);
    for (mut levels, kept) in found {
        if levels.len() == 1 {
            levels = levels.into_iter().flat_map(|l| in_partitions(l, g)).collect();
        }
        for (partition, level) in partitions.iter_mut().zip(levels) {
            partition.0.push(level);
        }
        for (partition, kept) in partitions.iter_mut().zip(kept) {
            partition.1.push(kept);
        }
    }
    share(partitions, threads, |(levels, kept)| united(g, levels, &kept))
}

/// Leaves groups of integers that lie close together where they are, when there are many: of those that several levels have all but the one that
/// began first are gone then.
fn part_near(g: &GroupPlan, levels: &mut [Level]) -> bool {
    if levels.iter().map(Level::len).sum::<usize>() < MANY || !levels.iter().all(|l| l.groups.are_near()) {
        return false;
    }
    for level in 1..levels.len() {
        let (before, behind) = levels.split_at_mut(level);
        let here = &mut behind[0];
        for n in 0..here.groups.len() {
            let key = here.groups.key(n);
            let known = before.iter_mut().find_map(|there| there.group_of(key).map(|m| (there, m)));
            match known {
                Some((there, m)) if here.began[n] < there.began[m] => here.absorb(g, n, there, m),
                Some((there, m)) => there.absorb(g, m, here, n),
                None => {}
            }
        }
    }
    true
}

/// What the threads have of one partition as one level. The first row of a group is that with the lowest number.
pub(super) fn united(g: &GroupPlan, mut levels: Vec<Level>, kept: &[KeptRows]) -> Level {
    if kept.is_empty() && levels.len() < 2 {
        return levels.pop().unwrap_or_else(|| Level::new(g.keys.len()));
    }
    // the first rows stay where they are until it is known which these are
    let stores: Vec<RowStore> = levels.iter_mut().map(|l| std::mem::take(&mut l.first)).collect();
    let mut out = United { level: Level::new(g.keys.len()), firsts: Vec::new(), batches: Vec::new() };
    out.level.running = g.aggregates.iter().map(Running::new).collect();
    out.level.groups.reserve(kept.iter().map(KeptRows::len).sum());
    for (level, store) in levels.iter_mut().zip(&stores) {
        out.add_level(g, level, store);
    }
    kept.iter().for_each(|rows| out.add_rows(g, rows));
    // the arguments stand behind the columns of rows that were kept
    let width = |b: &Batch| b.columns.len();
    let kept = kept.iter().find_map(|k| k.rows.batches().first()).map(|b| width(b) - arguments(g));
    let known = stores.iter().find_map(|s| s.batches().first()).map(width);
    out.end(kept.or(known).unwrap_or(0))
}

impl<'r> United<'r> {
    /// The group of a key; `number` and `place` are those of a row that may be its first. True when it is new.
    #[inline]
    fn group(&mut self, key: &[u8], number: u64, place: (u32, u32)) -> (usize, bool) {
        let (group, new) = self.level.groups.insert(key);
        if new {
            self.level.began.push(number);
            self.firsts.push(place);
        } else if number < self.level.began[group] {
            self.level.began[group] = number;
            self.firsts[group] = place;
        }
        (group, new)
    }

    fn add_level(&mut self, g: &GroupPlan, level: &mut Level, store: &'r RowStore) {
        let base = self.batches.len() as u32;
        for n in 0..level.groups.len() {
            let (batch, row) = store.place(n);
            let (group, new) = self.group(level.groups.key(n), level.began[n], (base + batch, row));
            for ((a, to), from) in g.aggregates.iter().zip(&mut self.level.running).zip(&mut level.running) {
                if new {
                    to.move_from(from, n);
                } else {
                    to.merge_from(a, group, from, n);
                }
            }
        }
        self.batches.extend(store.batches());
    }

    fn add_rows(&mut self, g: &GroupPlan, kept: &'r KeptRows) {
        let mut places: Vec<(u32, u32)> = Vec::new();
        let mut n = 0;
        for batch in kept.rows.batches() {
            let number = self.batches.len() as u32;
            for row in 0..batch.len as u32 {
                let (group, new) = self.group(kept.keys.get(n), kept.numbers[n], (number, row));
                if new {
                    for (a, running) in g.aggregates.iter().zip(&mut self.level.running) {
                        running.begin(a);
                    }
                }
                places.push((group as u32, row));
                n += 1;
            }
            self.level.add_numbers(g, &places, &args_of(g, batch));
            places.clear();
            self.batches.push(batch);
        }
    }

    fn end(mut self, width: usize) -> Level {
        self.level.first = RowStore::of_places(&self.batches, &self.firsts, width);
        self.level
    }
}

/// The arguments of each aggregate in a batch of kept rows.
fn args_of<'b>(g: &GroupPlan, batch: &'b Batch) -> Vec<Vec<&'b Vector>> {
    let mut columns = batch.columns[batch.columns.len() - arguments(g)..].iter();
    g.aggregates.iter().map(|a| columns.by_ref().take(a.args.len() + a.order_by.len()).collect()).collect()
}

/// Columns of arguments.
fn arguments(g: &GroupPlan) -> usize {
    g.aggregates.iter().map(|a| a.args.len() + a.order_by.len()).sum()
}

//! Grouping on several threads. Each takes parts of the table's file as they come, and groups their rows into a table of its own, which
//! it parts by the hash of the key when it has many groups; then each partition of all threads is merged by one of them. What the groups are and in which
//! order they come is as on one thread:
//!
//! - a group's first row is the one that comes first in the file: rows are numbered by the part they lie in;
//! - only aggregates whose value does not depend on the order of the rows are computed so (no sums of doubles, no GROUP_CONCAT);
//! - where a row warns or fails, all is thrown away and done again on one thread, so that warnings come in the order of the rows;
//! - when the groups take all the memory they may, the parts that nobody has taken are left to one thread, which spills.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::aggregate::operands;
use super::distinct::{DistinctValues, counted, is_counted};
use super::group_keys::{GroupKeys, KeyRoom};
use super::groups::KeyBatch;
use super::level::{Level, PaddedBatch};
use super::operator::Chunk;
use super::partition::{KeptRows, PARTITIONS, in_partitions, partition_of, united, united_by_partition};
use super::project::ChunkSize;
use super::rows::only;
use super::running::Running;
use super::subquery::Runner;
use super::threads::{self, Part, Scanned, Sink, Source, Threads};
use super::wanted::Wanted;
use super::{Exec, ReadCounters};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::memory::Budget;
use crate::plan::access::is_apart;
use crate::plan::{BlockPlan, GroupPlan, QueryPlan};
use crate::types::{Batch, Vector};

/// Groups of a thread from which on they are parted: few are merged in no time, and found faster in one table.
const MANY: usize = 16 << 10;

/// Rows of a thread from which on it is known whether many of them begin groups. Then rows are kept and grouped partition by partition when
/// all were read: nothing is looked up twice.
const SAMPLE: u64 = 64 << 10;

/// What became of the rows of a block.
pub(super) enum Outcome {
    /// Nothing: they are for one thread.
    Serial,
    /// They are all grouped, so many, by so many threads.
    Done(Vec<Level>, u64, usize),
    /// Those before this part are, so many.
    Full(Box<Level>, u64, Part),
}

/// What the threads of a statement have in common.
struct Shared<'s> {
    plan: &'s QueryPlan,
    g: &'s GroupPlan,
    wanted: Option<&'s Wanted>,
    /// Bytes of all groups, and those they may take.
    bytes: AtomicUsize,
    most_bytes: usize,
    /// Who holds them.
    budget: Budget,
}

/// Groups the rows of a block, where that can be done on several threads.
///
/// # Errors
/// 1317 and its kin; those of a snapshot that was given up.
pub(super) fn group(
    exec: &Exec<'_>,
    (plan, b, g): (&QueryPlan, &BlockPlan, &GroupPlan),
    wanted: Option<&Wanted>,
    most_bytes: usize,
    ctx: &mut EvalContext,
) -> SqlResult<Outcome> {
    let Some(source) = source_of(b, g, wanted, ctx) else { return Ok(Outcome::Serial) };
    let Some(threads) = Threads::for_rows(exec, &source, ctx)? else { return Ok(Outcome::Serial) };
    let shared =
        Shared { plan, g, wanted, bytes: AtomicUsize::new(0), most_bytes, budget: ctx.budget.clone() };
    let from = (plan, b, &source);
    let before = *exec.counters.borrow();
    let Some(scanned) = threads::scan(exec, from, &threads, most_bytes, || Worker::new(&shared), ctx)? else {
        return Ok(Outcome::Serial);
    };
    let Scanned { sinks, rows, rest } = scanned;
    let mut levels = unite(sinks, g, threads.count(), rest.is_some());
    ctx.check_killed()?;
    if rest.is_some() {
        levels = vec![joined(levels, g, wanted.map_or(usize::MAX, Wanted::first))];
    }
    let (mark, runner) = (ctx.mark(), Runner::new(exec, plan));
    let items = levels.iter_mut().try_for_each(|level| level.add_all_items(g, &runner, ctx));
    if items.is_err() || ctx.warned_since(&mark) {
        // one thread reads all again
        ctx.rollback_to(&mark);
        let mut counters = exec.counters.borrow_mut();
        *counters = ReadCounters { threads: counters.threads, ..before };
        exec.built.borrow_mut().clear();
        return Ok(Outcome::Serial);
    }
    Ok(match (rest, levels.pop()) {
        (Some(rest), Some(level)) => Outcome::Full(Box::new(level), rows, rest),
        (_, last) => {
            levels.extend(last);
            Outcome::Done(levels, rows, threads.count())
        }
    })
}

/// The aggregates whose distinct values are counted.
fn distinct_of(g: &GroupPlan) -> impl Iterator<Item = usize> {
    g.aggregates.iter().enumerate().filter(|(_, a)| is_counted(a)).map(|(n, _)| n)
}

/// The only group of a block without GROUP BY; none without rows.
fn united_whole(mut workers: Vec<Worker<'_>>, g: &GroupPlan, threads: usize, more: bool) -> Level {
    let levels = workers.iter_mut().flat_map(|w| std::mem::take(&mut w.levels)).collect();
    let mut level = united(g, levels, &[]);
    if level.groups.is_empty() {
        return level;
    }
    for (at, n) in distinct_of(g).enumerate() {
        let seen = workers.iter_mut().map(|w| std::mem::take(&mut w.distinct[at])).collect();
        level.running[n] = counted(seen, threads, more);
    }
    level
}

/// The groups of all threads, partition by partition. There are `more` rows for one thread, or not.
fn unite(workers: Vec<Worker<'_>>, g: &GroupPlan, threads: usize, more: bool) -> Vec<Level> {
    if g.keys.is_empty() {
        return vec![united_whole(workers, g, threads, more)];
    }
    let found = workers.into_iter().map(|w| (w.levels, w.kept)).collect();
    united_by_partition(g, found, threads)
}

/// The first `most` groups of levels that have none in common, as one level.
fn joined(mut levels: Vec<Level>, g: &GroupPlan, most: usize) -> Level {
    if levels.len() < 2 && levels.iter().all(|l| l.len() <= most) {
        return levels.pop().unwrap_or_else(|| Level::new(g.keys.len()));
    }
    let mut out = Level::new(g.keys.len());
    for (level, n) in in_order_begun(&levels).into_iter().take(most) {
        out.take_group(g, &mut levels[level as usize], n as usize);
    }
    out
}

/// What several threads begin with where they may group the rows.
fn source_of<'p>(
    b: &'p BlockPlan,
    g: &GroupPlan,
    wanted: Option<&Wanted>,
    ctx: &EvalContext,
) -> Option<Source<'p>> {
    let source = threads::source_of(b, ctx)?;
    let args = || g.aggregates.iter().flat_map(|a| a.args.iter().chain(a.order_by.iter().map(|o| &o.0)));
    let apart = !g.rollup
        // those of the first row of a group are computed at the end
        && g.items.iter().all(is_apart)
        && wanted.is_none_or(Wanted::is_for_threads)
        && !ChunkSize::new(args().chain(&g.keys)).is_wide()
        && g.aggregates.iter().all(|a| Running::new(a).is_mergeable() || g.keys.is_empty() && is_counted(a))
        && g.keys.iter().chain(args()).all(is_apart);
    apart.then_some(source)
}

/// A thread that groups.
struct Worker<'s> {
    shared: &'s Shared<'s>,
    levels: Vec<Level>,
    wanted: Vec<Option<Wanted>>,
    /// Rows of a chunk with their groups, for each partition.
    places: Vec<Vec<(u32, u32)>>,
    /// Most rows begin a group: those that are grouped at the end, partition by partition; else nothing.
    kept: Vec<KeptRows>,
    /// The keys of a chunk, and its rows of each partition.
    keys: KeyBatch,
    /// The values of aggregates of distinct values, which are of all rows.
    distinct: Vec<DistinctValues>,
    parted: Vec<Vec<u32>>,
    room: KeyRoom,
    /// Rows that were grouped.
    rows: u64,
    /// Bytes of its groups when they were last counted.
    bytes: usize,
}

impl Sink for Worker<'_> {
    fn take(
        &mut self,
        exec: &Exec<'_>,
        rows: &mut Chunk,
        number: u64,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        self.rows += rows.len() as u64;
        self.add(exec, rows, number, ctx)
    }

    /// A part that was taken is grouped to its end: it is small.
    fn end_part(&mut self) -> SqlResult<bool> {
        self.distinct.iter_mut().for_each(DistinctValues::end_part);
        let groups = self.levels.iter().map(|l| l.groups.len() as u64).sum::<u64>();
        if self.kept.is_empty() && self.rows >= SAMPLE && groups * 2 > self.rows {
            if self.levels[0].groups.are_near() {
                // one thread is faster, which need not merge
                return Ok(false);
            }
            self.kept.resize_with(PARTITIONS, KeptRows::default);
        }
        Ok(self.count_bytes() <= self.shared.most_bytes)
    }
}

impl<'s> Worker<'s> {
    fn new(shared: &'s Shared<'s>) -> Worker<'s> {
        Worker {
            shared,
            levels: vec![Level::new(shared.g.keys.len())],
            wanted: vec![shared.wanted.cloned()],
            places: vec![Vec::new()],
            kept: Vec::new(),
            keys: KeyBatch::default(),
            distinct: distinct_of(shared.g).map(|_| DistinctValues::default()).collect(),
            parted: vec![Vec::new(); PARTITIONS],
            room: KeyRoom::default(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Tells the others how much memory the groups take; tells how much all do.
    fn count_bytes(&mut self) -> usize {
        let kept = self.kept.iter().map(KeptRows::memory).sum::<usize>();
        let distinct = self.distinct.iter().map(DistinctValues::memory).sum::<usize>();
        let bytes = self.levels.iter().map(|l| l.memory(self.shared.g)).sum::<usize>() + kept + distinct;
        let grown = usize::saturating_sub(bytes, std::mem::replace(&mut self.bytes, bytes));
        let all = self.shared.bytes.fetch_add(grown, Ordering::Relaxed) + grown;
        self.shared.budget.note(all);
        all
    }

    /// Keeps the rows of a chunk, whose keys are made, in their partitions.
    fn keep(&mut self, args: &[Vec<&Vector>], whole: &Batch, count: usize, number: u64) {
        let begun = self.shared.wanted.and_then(Wanted::begun);
        for row in 0..count {
            let key = self.keys.get(row);
            let n = partition_of(key);
            let wanted = &self.wanted[if self.wanted.len() > 1 { n } else { 0 }];
            if begun.is_none_or(|first| first.find(key).is_some())
                && wanted.as_ref().is_none_or(|w| !w.is_behind(|| key))
            {
                self.parted[n].push(row as u32);
            }
        }
        let first = only(whole.columns.iter(), self.shared.g.read_slots());
        let columns: Vec<&Vector> = first.chain(args.iter().flatten().copied()).collect();
        for (kept, rows) in self.kept.iter_mut().zip(&mut self.parted) {
            kept.push(&columns, rows, number, &self.keys);
            rows.clear();
        }
    }

    /// Adds rows, of which the first has this number.
    fn add(&mut self, exec: &Exec<'_>, rows: &Chunk, number: u64, ctx: &mut EvalContext) -> SqlResult<()> {
        let Shared { plan, g, .. } = *self.shared;
        let runner = Runner::new(exec, plan);
        let count = rows.len();
        let (keys, args) = operands(g, &rows.rows, rows.which(), &runner, ctx)?;
        ctx.check_failed()?;
        let refs: Vec<Vec<&Vector>> = args.iter().map(|l| l.iter().map(|v| &**v).collect()).collect();
        let mut whole = PaddedBatch::Raw(&rows.rows, rows.which());
        if g.keys.is_empty() {
            let level = &mut self.levels[0];
            if level.groups.is_empty() && count > 0 {
                level.groups.insert(b"");
                level.begin(g, whole.get(), 0, number);
            }
            let mut distinct = self.distinct.iter_mut();
            for ((a, args), running) in g.aggregates.iter().zip(&refs).zip(&mut level.running) {
                match if is_counted(a) { distinct.next() } else { None } {
                    Some(seen) => seen.add(a, args, count),
                    None => running.add_batch(0, a, args, count, ctx)?,
                }
            }
        } else if !self.kept.is_empty() {
            self.keys.clear();
            let mut keys = GroupKeys::new(g, &keys, &mut self.room);
            for row in 0..count {
                self.keys.push(|key| keys.write(row, key));
            }
            self.keep(&refs, whole.get(), count, number);
        } else {
            let mut keys = GroupKeys::new(g, &keys, &mut self.room);
            let first = self.shared.wanted.and_then(Wanted::begun);
            for row in 0..count {
                let n = if self.levels.len() > 1 { partition_of(keys.bytes(row)) } else { 0 };
                if self.wanted[n].as_ref().is_some_and(|w| w.is_behind(|| keys.bytes(row))) {
                    continue;
                }
                let (level, number) = (&mut self.levels[n], number + row as u64);
                let mut place = level.place(g, &mut keys, number, first.is_none(), &mut whole, row);
                if place.is_none() && first.is_some_and(|first| first.find(keys.bytes(row)).is_some()) {
                    place = level.place(g, &mut keys, number, true, &mut whole, row);
                }
                if let Some((group, _)) = place {
                    self.places[n].push((group as u32, row as u32));
                }
            }
            for ((level, places), wanted) in
                self.levels.iter_mut().zip(&mut self.places).zip(&mut self.wanted)
            {
                level.add_numbers(g, places, &refs);
                places.clear();
                if let Some(wanted) = wanted {
                    wanted.look(&level.groups);
                }
            }
            if threads::is_of_first_part(number)
                && let (Some(wanted), [all]) = (self.shared.wanted, &*self.levels)
            {
                wanted.note_begun(&all.groups);
            }
            if self.levels.len() == 1
                && self.levels[0].groups.len() > MANY
                && !self.levels[0].groups.are_near()
            {
                self.levels = self.levels.drain(..).flat_map(|l| in_partitions(l, g)).collect();
                self.wanted = vec![self.wanted[0].clone(); PARTITIONS];
                self.places.resize_with(PARTITIONS, Vec::new);
            }
        }
        drop(refs);
        for v in keys.into_iter().chain(args.into_iter().flatten()) {
            ctx.done(v);
        }
        Ok(())
    }
}

/// The groups of several levels: level and number, in the order in which they began.
pub(super) fn in_order_begun(levels: &[Level]) -> Vec<(u32, u32)> {
    let mut order: Vec<(u64, u32, u32)> = Vec::new();
    for (i, level) in levels.iter().enumerate() {
        order.extend(level.begun().map(|(began, n)| (began, i as u32, n)));
    }
    // a level's groups are in order already
    order.sort();
    order.into_iter().map(|(_, level, n)| (level, n)).collect()
}

/// The first `most` groups of several levels in the order of their keys, sorted by so many threads.
pub(super) fn in_order_of_keys(levels: &[Level], most: usize, threads: usize) -> Vec<(u32, u32)> {
    let groups = levels.iter().zip(0..).flat_map(|(l, i)| l.begun().map(move |(_, n)| (i, n)));
    let groups: Vec<(u32, u32)> = groups.collect();
    let key = |n: usize| levels[groups[n].0 as usize].groups.key(groups[n].1 as usize);
    super::keysort::order_shared(groups.len(), most, threads, key, |n| groups[n as usize])
}

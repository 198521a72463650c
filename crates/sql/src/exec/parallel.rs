//! Grouping on several threads. Each takes parts of the table's file as they come, and groups their rows into a table of its own, which
//! it parts by the hash of the key when it has many groups; then each partition of all threads is merged by one of them. What the groups are and in which
//! order they come is as on one thread:
//!
//! - a group's first row is the one that comes first in the file: rows are numbered by the part they lie in;
//! - only aggregates whose value does not depend on the order of the rows are computed so (no sums of doubles, no GROUP_CONCAT);
//! - where a row warns or fails, all is thrown away and done again on one thread, so that warnings come in the order of the rows;
//! - when the groups take all the memory they may, the parts that nobody has taken are left to one thread, which spills.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::fast::FixedState;

use super::Exec;
use super::aggregate::{encode_key, operands};
use super::level::{Level, PaddedBatch};
use super::operator::Chunk;
use super::project::ChunkSize;
use super::running::Running;
use super::subquery::Runner;
use super::threads::{self, Scanned, Sink, Threads, share};
use super::wanted::Wanted;
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::plan::{BlockPlan, GroupPlan, QueryPlan};
use crate::table::OpenTable;
use crate::table::parts::FilePart;
use crate::types::Vector;

/// Partitions of groups: enough that threads that merge them end at about the same time.
const PARTITIONS: usize = 16;

/// Groups of a thread from which on they are parted: few are merged in no time, and found faster in one table.
const MANY: usize = 16 << 10;

/// Rows of a thread from which on it is known whether many of them begin groups: then one thread is faster, which need not merge.
const SAMPLE: u64 = 64 << 10;

/// What became of the rows of a block.
pub(super) enum Outcome {
    /// Nothing: they are for one thread.
    Serial,
    /// They are all grouped, so many.
    Done(Vec<Level>, u64),
    /// Those before this part are, so many.
    Full(Box<Level>, u64, FilePart),
}

/// What the threads of a statement have in common.
struct Shared<'s> {
    plan: &'s QueryPlan,
    g: &'s GroupPlan,
    wanted: Option<&'s Wanted>,
    /// Bytes of all groups, and those they may take.
    bytes: AtomicUsize,
    most_bytes: usize,
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
    let Some(table) = table_of(b, g, wanted, ctx) else { return Ok(Outcome::Serial) };
    let Some(threads) = Threads::for_table(exec, table, ctx)? else { return Ok(Outcome::Serial) };
    let shared = Shared { plan, g, wanted, bytes: AtomicUsize::new(0), most_bytes };
    let from = (plan, b, table);
    let Some(scanned) = threads::scan(exec, from, &threads, most_bytes, || Worker::new(&shared), ctx)? else {
        return Ok(Outcome::Serial);
    };
    let Scanned { sinks, rows, rest } = scanned;
    let parted = sinks.iter().any(|s| s.levels.len() > 1);
    let mut partitions: Vec<Vec<Level>> =
        (0..if parted { PARTITIONS } else { 1 }).map(|_| Vec::new()).collect();
    for Worker { mut levels, .. } in sinks {
        if parted && levels.len() == 1 {
            levels = levels.into_iter().flat_map(|l| in_partitions(l, g)).collect();
        }
        for (partition, level) in partitions.iter_mut().zip(levels) {
            if !level.groups.is_empty() {
                partition.push(level);
            }
        }
    }
    if let Some(rest) = rest {
        let all = partitions.into_iter().flatten().collect();
        return Ok(Outcome::Full(Box::new(merged(all, g)), rows, rest));
    }
    Ok(Outcome::Done(merge(partitions, g, threads.count()), rows))
}

/// The table whose rows are grouped, where several threads may do that.
fn table_of<'p>(
    b: &'p BlockPlan,
    g: &GroupPlan,
    wanted: Option<&Wanted>,
    ctx: &EvalContext,
) -> Option<&'p OpenTable> {
    let table = threads::table_of(b, ctx)?;
    let args = || g.aggregates.iter().flat_map(|a| a.args.iter().chain(a.order_by.iter().map(|o| &o.0)));
    let apart = !g.rollup
        && g.items.is_empty()
        // which groups began first is known at the end
        && wanted.is_none_or(Wanted::is_by_key)
        && !ChunkSize::new(args().chain(&g.keys)).is_wide()
        && g.aggregates.iter().all(|a| Running::new(a).is_mergeable())
        && g.keys.iter().chain(args()).all(threads::is_apart);
    apart.then_some(table)
}

/// A thread that groups.
struct Worker<'s> {
    shared: &'s Shared<'s>,
    levels: Vec<Level>,
    wanted: Vec<Option<Wanted>>,
    /// Rows of a chunk with their groups, for each partition.
    places: Vec<Vec<(u32, u32)>>,
    key: Vec<u8>,
    scratch: Vec<u8>,
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
        let groups = self.levels.iter().map(|l| l.groups.len() as u64).sum::<u64>();
        Ok(self.count_bytes() <= self.shared.most_bytes && (self.rows < SAMPLE || groups * 2 <= self.rows))
    }
}

impl<'s> Worker<'s> {
    fn new(shared: &'s Shared<'s>) -> Worker<'s> {
        Worker {
            shared,
            levels: vec![Level::new(shared.g.keys.len())],
            wanted: vec![shared.wanted.cloned()],
            places: vec![Vec::new()],
            key: Vec::new(),
            scratch: Vec::new(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Tells the others how much memory the groups take; tells how much all do.
    fn count_bytes(&mut self) -> usize {
        let bytes = self.levels.iter().map(|l| l.memory(self.shared.g)).sum();
        let grown = usize::saturating_sub(bytes, std::mem::replace(&mut self.bytes, bytes));
        self.shared.bytes.fetch_add(grown, Ordering::Relaxed) + grown
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
            for ((a, args), running) in g.aggregates.iter().zip(&refs).zip(&mut level.running) {
                running.add_batch(0, a, args, count, ctx)?;
            }
        } else {
            for row in 0..count {
                self.key.clear();
                encode_key(g, &keys, row, &mut self.key, &mut self.scratch);
                let n = if self.levels.len() > 1 { partition_of(&self.key) } else { 0 };
                if self.wanted[n].as_ref().is_some_and(|w| w.is_behind(&self.key)) {
                    continue;
                }
                let place = self.levels[n].place(g, &self.key, number + row as u64, true, &mut whole, row);
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
            if self.levels.len() == 1 && self.levels[0].groups.len() > MANY {
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

/// The partition that a key belongs to. Groups are found by other bits of its hash.
fn partition_of(key: &[u8]) -> usize {
    (FixedState::with_seed(1).hash_one(key) >> 32) as usize % PARTITIONS
}

/// The groups of a level in partitions, each in the order in which they began.
fn in_partitions(mut level: Level, g: &GroupPlan) -> Vec<Level> {
    let mut levels: Vec<Level> = (0..PARTITIONS).map(|_| Level::new(level.keys)).collect();
    for n in 0..level.groups.len() {
        levels[partition_of(level.groups.key(n))].take_group(g, &mut level, n);
    }
    levels
}

/// Merges the levels of each partition, on so many threads.
fn merge(partitions: Vec<Vec<Level>>, g: &GroupPlan, threads: usize) -> Vec<Level> {
    let many = partitions.iter().flatten().map(|l| l.groups.len()).sum::<usize>() > 10_000;
    if !many {
        return partitions.into_iter().filter(|p| !p.is_empty()).map(|p| merged(p, g)).collect();
    }
    share(partitions.into_iter().filter(|p| !p.is_empty()), threads, |p| merged(p, g))
}

/// Several levels in one. Groups are looked at in the order in which they began, so that the first row of each is the one that
/// comes first.
fn merged(mut levels: Vec<Level>, g: &GroupPlan) -> Level {
    if levels.len() < 2 {
        return levels.pop().unwrap_or_else(|| Level::new(g.keys.len()));
    }
    let mut out = Level::new(g.keys.len());
    let mut at = vec![0; levels.len()];
    loop {
        let heads = levels.iter().zip(&at).enumerate();
        let next = heads.filter_map(|(i, (l, n))| l.began.get(*n).map(|began| (*began, i))).min();
        let Some((_, i)) = next else { return out };
        out.take_group(g, &mut levels[i], at[i]);
        at[i] += 1;
    }
}

/// The groups of several levels: level and number, in the order in which they began.
pub(super) fn in_order_begun(levels: &[Level]) -> Vec<(usize, usize)> {
    let mut order: Vec<(u64, u32, u32)> = Vec::new();
    for (i, level) in levels.iter().enumerate() {
        order.extend(level.began.iter().zip(0..).map(|(began, n)| (*began, i as u32, n)));
    }
    order.sort_unstable();
    order.into_iter().map(|(_, level, n)| (level as usize, n as usize)).collect()
}

/// The first `most` groups of several levels in the order of their keys.
pub(super) fn in_order_of_keys(levels: &[Level], most: usize) -> Vec<(usize, usize)> {
    let groups =
        levels.iter().enumerate().flat_map(|(i, l)| (0..l.groups.len() as u32).map(move |n| (i as u32, n)));
    let groups: Vec<(u32, u32)> = groups.collect();
    let key = |n: usize| levels[groups[n].0 as usize].groups.key(groups[n].1 as usize);
    let order = super::keysort::order(groups.len(), most, key);
    order.into_iter().map(|n| groups[n as usize]).map(|(level, n)| (level as usize, n as usize)).collect()
}

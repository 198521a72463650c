//! DISTINCT and UNION on several threads. Each keeps the rows that are new to it, as groups without aggregates are kept (`partition`): a
//! table of its own while rows repeat, rows in partitions where most are new. The first of equal rows is the one with the lowest number,
//! whoever read it, and rows go out in the order of their numbers, as on one thread.
//!
//! A thread whose part of the memory is used up writes its rows to disk, partition by partition, and goes on. Then each partition is looked
//! through by one thread: its rows come in the order of their numbers, so that the first of equal ones comes first.

use parking_lot::Mutex;

use super::Exec;
use super::block::listed;
use super::counters::ReadCounters;
use super::groups::KeyBatch;
use super::level::Level;
use super::operator::{Chunk, Given, Operator as _};
use super::parallel::in_order_begun;
use super::partition::{KeptRows, PARTITIONS, partition_of, united_by_partition};
use super::project::ChunkSize;
use super::rows::RowStore;
use super::runs::{Merge, Runs};
use super::setop::convert;
use super::sortkey::{self, KeySpec};
use super::spill::SpillFile;
use super::spool::{Parts, Spool};
use super::threads::{self, Scanned, Sink, Threads, share};
use super::unique::Distinguishing;
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::memory::{BATCH_ROWS, Budget};
use crate::plan::access::is_apart;
use crate::plan::{BlockPlan, Body, GroupPlan, QueryPlan};
use crate::types::{Batch, FieldType, Vector};

/// Rows of a thread from which on it is known whether most are new.
const SAMPLE: u64 = 64 << 10;

/// Rows that several threads can make of a table.
pub(super) struct Rows<'p> {
    plan: &'p QueryPlan,
    b: &'p BlockPlan,
    source: threads::Source<'p>,
    /// The types they get, where these are not their own.
    types: Option<&'p [FieldType]>,
}

impl<'p> Rows<'p> {
    /// The rows of a block before DISTINCT; none where one thread has to make them.
    pub(super) fn of_block(plan: &'p QueryPlan, b: &'p BlockPlan, ctx: &EvalContext) -> Option<Rows<'p>> {
        if b.group.is_some() || b.windows.is_some() || b.having.is_some() {
            return None;
        }
        let source = threads::source_of(b, ctx)?;
        let apart = !ChunkSize::new(b.output.iter()).is_wide() && b.output.iter().all(is_apart);
        apart.then_some(Rows { plan, b, source, types: None })
    }

    /// Those of a term of a UNION, whose columns have these types.
    pub(super) fn of_term(
        plan: &'p QueryPlan,
        types: &'p [FieldType],
        ctx: &EvalContext,
    ) -> Option<Rows<'p>> {
        let Body::Block(b) = &plan.body else { return None };
        let l = &b.limit;
        let all = l.count.is_none() && l.offset.is_none() && l.examined.is_none() && b.order.is_empty();
        let read = b.impossible.is_none() && b.constant.is_none();
        if !all || !read || b.distinct || plan.calc_found_rows {
            return None;
        }
        Rows::of_block(plan, b, ctx).map(|rows| Rows { types: Some(types), ..rows })
    }
}

/// What is the same for all threads.
struct Shared<'s> {
    specs: &'s [KeySpec],
    /// Somebody looks at the rows that are left; else they are counted, and nothing is kept of them but what tells them apart.
    looked_at: bool,
    /// Groups of rows have no aggregates.
    g: GroupPlan,
    /// The part of each thread.
    budget: Budget,
}

/// The rows that are left.
pub(super) struct Found {
    /// Rows that were looked at.
    pub(super) taken: u64,
    rows: Source,
}

enum Source {
    InMemory {
        levels: Vec<Level>,
        order: Vec<(u32, u32)>,
        at: usize,
    },
    /// So many rows, which nobody looks at.
    Counted(usize),
    Spilled(Merge),
}

/// The rows of all these sources without those that came before, as `specs` tell them apart; none where one thread has to find them.
/// Rows that nobody looks at come without columns.
///
/// # Errors
/// 1317 and its kin; those of a snapshot that was given up and of temporary files.
pub(super) fn find(
    exec: &Exec<'_>,
    sources: &[Rows<'_>],
    specs: &[KeySpec],
    looked_at: bool,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Found>> {
    let mut claimed = None;
    for source in sources {
        if claimed.is_none() {
            claimed = Threads::for_rows(exec, &source.source, ctx)?;
        }
    }
    let Some(threads) = claimed else { return Ok(None) };
    let g = GroupPlan {
        keys: Vec::new(),
        descending: Vec::new(),
        aggregates: Vec::new(),
        items: Vec::new(),
        rollup: false,
        unordered: true,
        one: false,
        in_order: false,
        shortcut: None,
        read: std::sync::OnceLock::new(),
    };
    let shared = Shared { specs, looked_at, g, budget: ctx.budget.shared(threads.count()) };
    let before = *exec.counters.borrow();
    let mut workers: Vec<Worker<'_>> = Vec::new();
    let (mut taken, mut first) = (0, 0);
    for source in sources {
        let known = Mutex::new(std::mem::take(&mut workers));
        let new = || {
            let worker = known.lock().pop().unwrap_or_else(|| Worker::new(&shared));
            Worker { source: Some(source), first, ..worker }
        };
        let from = (source.plan, source.b, &source.source);
        let held = std::mem::take(&mut *exec.counters.borrow_mut());
        let scanned = threads::scan(exec, from, &threads, ctx.budget.table, new, ctx);
        let read = std::mem::replace(&mut *exec.counters.borrow_mut(), held);
        // the sources before this one are read again; hash tables that were made stay
        let again = matches!(scanned, Ok(None));
        let mut counters = exec.counters.borrow_mut();
        if again {
            *counters = ReadCounters { threads: counters.threads, ..before };
        }
        counters.add_reads(&read);
        counters.threads += read.threads;
        drop(counters);
        let Some(scanned) = scanned? else { return Ok(None) };
        let Scanned { sinks, rows, .. } = scanned;
        workers = known.into_inner();
        workers.extend(sinks);
        taken += rows;
        first = workers.iter().map(|w| threads::next_part(w.last)).max().unwrap_or(first);
    }
    let rows = united(workers, &shared, &threads)?;
    ctx.check_killed()?;
    Ok(Some(Found { taken, rows }))
}

/// What all threads found.
fn united(mut workers: Vec<Worker<'_>>, shared: &Shared<'_>, threads: &Threads) -> SqlResult<Source> {
    if workers.iter().all(|w| w.spilled.is_none()) {
        let found = workers.into_iter().map(|w| (vec![w.level], w.kept)).collect();
        let levels = united_by_partition(&shared.g, found, threads.count());
        if !shared.looked_at {
            return Ok(Source::Counted(levels.iter().map(|l| l.begun().count()).sum()));
        }
        let order = in_order_begun(&levels);
        return Ok(Source::InMemory { levels, order, at: 0 });
    }
    let mut partitions: Vec<Vec<Spool>> = Vec::new();
    partitions.resize_with(PARTITIONS, Vec::new);
    for worker in &mut workers {
        worker.spill()?;
        let spilled = worker.spilled.take().map(Parts::into_all).unwrap_or_default();
        partitions.iter_mut().zip(spilled).for_each(|(p, spool)| p.push(spool));
    }
    drop(workers);
    let file = SpillFile::new(&shared.budget)?;
    let found = share(partitions, threads.count(), |spools| {
        Distinguishing::new(&shared.budget, &file).first_of(Merge::new(spools)?)
    });
    let mut runs = Runs::new(&shared.budget);
    for spools in found {
        spools?.into_iter().try_for_each(|spool| runs.end(spool))?;
    }
    runs.merge().map(Source::Spilled)
}

impl Found {
    /// Makes `out` the next rows; false when there are no more.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub(super) fn next(&mut self, out: &mut Batch) -> SqlResult<bool> {
        match &mut self.rows {
            Source::InMemory { levels, order, at } => {
                let end = (*at + BATCH_ROWS).min(order.len());
                let firsts: Vec<&RowStore> = levels.iter().map(|l| &l.first).collect();
                *out = firsts.iter().find(|s| !s.is_empty()).map(|s| s.like()).unwrap_or_default();
                RowStore::gather_from(&firsts, &order[*at..end], out);
                *at = end;
                Ok(out.len > 0)
            }
            Source::Counted(left) => {
                let len = (*left).min(BATCH_ROWS);
                *out = Batch { columns: Vec::new(), len };
                *left -= len;
                Ok(len > 0)
            }
            Source::Spilled(merge) => merge.batch(out, BATCH_ROWS),
        }
    }
}

/// A thread, with the rows that are new to it.
struct Worker<'s> {
    shared: &'s Shared<'s>,
    source: Option<&'s Rows<'s>>,
    /// The number of the source's first row, and that of the last row taken.
    first: u64,
    last: u64,
    level: Level,
    /// What this thread may hold.
    budget: Budget,
    /// Most rows are new: they are looked at in the end, partition by partition; else nothing.
    kept: Vec<KeptRows>,
    spilled: Option<Parts>,
    /// The keys of a batch, and its rows of each partition.
    keys: KeyBatch,
    parted: Vec<Vec<u32>>,
    scratch: Vec<u8>,
    /// Rows taken since the table was empty.
    rows: u64,
    chunk: Chunk,
    made: Batch,
}

impl<'s> Worker<'s> {
    fn new(shared: &'s Shared<'s>) -> Worker<'s> {
        Worker {
            shared,
            source: None,
            first: 0,
            last: 0,
            level: Level::new(0),
            budget: shared.budget.clone(),
            kept: Vec::new(),
            spilled: None,
            keys: KeyBatch::default(),
            parted: vec![Vec::new(); PARTITIONS],
            scratch: Vec::new(),
            rows: 0,
            chunk: Chunk::default(),
            made: Batch::default(),
        }
    }

    /// Takes rows, of which the first has this number.
    fn add(&mut self, batch: &Batch, number: u64) {
        self.keys.clear();
        for row in 0..batch.len {
            let specs = self.shared.specs;
            self.keys.push(|key| sortkey::encode(&batch.columns, specs, row, key, &mut self.scratch));
        }
        self.rows += batch.len as u64;
        let bare;
        let batch = match self.shared.looked_at {
            true => batch,
            false => {
                bare = Batch { columns: Vec::new(), len: batch.len };
                &bare
            }
        };
        if self.kept.is_empty() {
            self.level.groups.look_ahead(&self.keys);
            for (row, key) in self.keys.iter().enumerate() {
                if self.level.groups.insert(key).1 {
                    self.level.begin(&self.shared.g, batch, row, number + row as u64);
                }
            }
            return;
        }
        for (row, key) in self.keys.iter().enumerate() {
            self.parted[partition_of(key)].push(row as u32);
        }
        let columns: Vec<&Vector> = batch.columns.iter().collect();
        for (kept, rows) in self.kept.iter_mut().zip(&mut self.parted) {
            kept.push(&columns, rows, number, &self.keys);
            rows.clear();
        }
    }

    fn memory(&self) -> usize {
        let held = self.level.memory(&self.shared.g) + self.kept.iter().map(KeptRows::memory).sum::<usize>();
        // keys without rows are all of it: while what holds them grows it is there once more
        if self.shared.looked_at { held } else { held + held / 2 }
    }

    /// Writes all rows to disk.
    fn spill(&mut self) -> SqlResult<()> {
        let parts = match &mut self.spilled {
            Some(parts) => parts,
            none => none.insert(Parts::new(&self.shared.budget, PARTITIONS, 0)?),
        };
        let mut numbered = Vec::new();
        let level = std::mem::replace(&mut self.level, Level::new(0));
        for n in 0..level.groups.len() {
            let (key, (batch, row)) = (level.groups.key(n), level.first.at(n));
            number_key(&mut numbered, level.began[n], key);
            parts.push_at(partition_of(key), &numbered, &batch.columns, row)?;
        }
        for (part, kept) in self.kept.iter_mut().enumerate() {
            for (number, key, batch, row) in std::mem::take(kept).iter() {
                number_key(&mut numbered, number, key);
                parts.push_at(part, &numbered, &batch.columns, row)?;
            }
        }
        self.rows = 0;
        Ok(())
    }
}

/// A key on disk: its row's number, then what tells rows apart.
fn number_key(to: &mut Vec<u8>, number: u64, key: &[u8]) {
    to.clear();
    to.extend_from_slice(&number.to_be_bytes());
    to.extend_from_slice(key);
}

impl Sink for Worker<'_> {
    fn take(
        &mut self,
        exec: &Exec<'_>,
        rows: &mut Chunk,
        number: u64,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let Some(source) = self.source else { return Ok(()) };
        let input = Box::new(Given(std::mem::take(rows)));
        let mut list = listed((exec, source.plan), source.b, false, input);
        let mut number = self.first + number;
        let (mut chunk, mut made) = (std::mem::take(&mut self.chunk), std::mem::take(&mut self.made));
        while list.next(&mut chunk, ctx)? {
            chunk.pack(ctx);
            let mut batch = &chunk.rows;
            if let Some(types) = source.types {
                made.columns.drain(..).for_each(|v| ctx.recycle(v));
                convert(&mut chunk.rows, (&source.plan.types, types), &mut made, ctx)?;
                batch = &made;
            }
            self.add(batch, number);
            number += batch.len as u64;
        }
        (self.chunk, self.made) = (chunk, made);
        self.last = self.last.max(number);
        Ok(())
    }

    fn end_part(&mut self) -> SqlResult<bool> {
        let groups = &self.level.groups;
        let many = self.rows >= SAMPLE && groups.len() as u64 * 2 > self.rows;
        if self.kept.is_empty() && many && !groups.are_near() {
            self.kept.resize_with(PARTITIONS, KeptRows::default);
        }
        if self.budget.exceeds_table(self.memory()) {
            self.spill()?;
        }
        Ok(true)
    }
}

//! Threads for one statement. A table's file is scanned in parts, or rows of the first tables of a join are made before ([`join::head`]);
//! threads take parts as they come, each with a [`Sink`] of its own for the rows. Work in pieces that do not depend on each other is shared
//! out ([`share`]).
//!
//! Rows are numbered by the part they lie in: who needs the order of the rows sorts by these numbers. Where a row warns or fails, what
//! the threads did is of no use and one thread does all again, so that warnings come in the order of the rows.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;

use super::hash::HashSide;
use super::join::build::{BuildRows, Built};
use super::join::head::Head;
use super::operator::Chunk;
use super::{Exec, ReadCounters, join};
use crate::error::{SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::plan::access::is_apart;
use crate::plan::{Access, BlockPlan, PlanTable, QueryPlan, Relation, Step, StepKind};
use crate::table::parts::{FilePart, FileParts};
use crate::table::{self, OpenTable};

/// Bytes of a data file from which on it is worth to begin threads.
const LARGE: u64 = 2 << 20;

/// Rows are numbered by the part they lie in, and within it.
const PART_BITS: u32 = 32;

/// What a thread takes at a time.
pub(super) struct Part {
    number: u64,
    of: PartOf,
}

enum PartOf {
    /// A part of the file of the block's first table.
    File(table::Scan),
    /// Rows of its first tables.
    Rows(Head),
}

impl Part {
    /// The number of its first row.
    pub(super) fn first_number(&self) -> u64 {
        self.number << PART_BITS
    }

    /// Makes it what the next join of the block begins with, or the next scan.
    pub(super) fn give(self, exec: &Exec<'_>) {
        match self.of {
            PartOf::File(scan) => exec.part.set(scan),
            PartOf::Rows(rows) => exec.head.set(Some(rows)),
        }
    }
}

impl From<FilePart> for Part {
    fn from(part: FilePart) -> Part {
        Part { number: part.number, of: PartOf::File(part.scan) }
    }
}

/// What no thread has taken yet.
enum Parts {
    File(FileParts),
    Rows(Mutex<(u64, Head)>),
}

impl Parts {
    /// Takes the next part.
    fn take(&self, table: &OpenTable, snapshot: &pages::Snapshot<'_>) -> SqlResult<Option<Part>> {
        match self {
            Parts::File(parts) => Ok(parts.take(table, snapshot)?.map(Part::from)),
            Parts::Rows(left) => {
                let (number, head) = &mut *left.lock();
                let Some(rows) = head.rows.next() else { return Ok(None) };
                *number += 1;
                let rows = Head { steps: head.steps, rows: vec![rows].into_iter() };
                Ok(Some(Part { number: *number - 1, of: PartOf::Rows(rows) }))
            }
        }
    }

    /// All that is left, as one part.
    fn rest(self) -> Option<Part> {
        match self {
            Parts::File(parts) => parts.rest().map(Part::from),
            Parts::Rows(left) => {
                let (number, head) = left.into_inner();
                (head.rows.len() > 0).then_some(Part { number, of: PartOf::Rows(head) })
            }
        }
    }
}

/// The number of the first row of the part behind that of a row.
pub(super) fn next_part(number: u64) -> u64 {
    ((number >> PART_BITS) + 1) << PART_BITS
}

/// Whether a row lies in the part that a thread takes first of all.
pub(super) fn is_of_first_part(number: u64) -> bool {
    number >> PART_BITS == 0
}

/// Threads that work now, in all statements.
static BUSY: AtomicUsize = AtomicUsize::new(0);

static CORES: LazyLock<usize> = LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));

/// How many threads a statement may begin now; `asked`: as many as the session asks for, or 0.
pub(crate) fn free(asked: usize) -> usize {
    if asked > 0 { asked } else { CORES.saturating_sub(BUSY.load(Ordering::Relaxed)).max(1) }
}

/// The threads of one statement, until it is dropped.
pub(super) struct Threads(usize);

impl Threads {
    /// As many as the session asks for; else as many as there are cores without a thread.
    pub(super) fn claim(asked: usize) -> Threads {
        let count = free(asked);
        BUSY.fetch_add(count, Ordering::Relaxed);
        Threads(count)
    }

    /// Those that make the rows of a block; none where one is enough.
    ///
    /// # Errors
    /// A damaged table.
    pub(super) fn for_rows(
        exec: &Exec<'_>,
        from: &Source<'_>,
        ctx: &EvalContext,
    ) -> SqlResult<Option<Threads>> {
        if from.is_scanned(exec, ctx)? || from.has_head {
            let threads = Threads::claim(ctx.threads);
            return Ok((threads.count() > 1).then_some(threads));
        }
        Ok(None)
    }

    /// Those that scan a table; none where one is enough.
    ///
    /// # Errors
    /// A damaged table.
    pub(super) fn for_table(
        exec: &Exec<'_>,
        table: &OpenTable,
        ctx: &EvalContext,
    ) -> SqlResult<Option<Threads>> {
        let asked = ctx.threads;
        if !is_large(exec, table, ctx)? {
            return Ok(None);
        }
        let threads = Threads::claim(asked);
        Ok((threads.count() > 1).then_some(threads))
    }

    /// So many.
    pub(super) fn count(&self) -> usize {
        self.0
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        BUSY.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// Whether several threads are to read a table.
///
/// # Errors
/// A damaged table.
pub(super) fn is_large(exec: &Exec<'_>, table: &OpenTable, ctx: &EvalContext) -> SqlResult<bool> {
    // the tables of a MERGE table are read one after the other
    let one_file = table.children().is_none();
    Ok(one_file && (ctx.threads > 1 || ctx.threads == 0 && file_len(exec, table)? >= LARGE))
}

/// Bytes of a table's data file.
///
/// # Errors
/// A damaged table.
pub(super) fn file_len(exec: &Exec<'_>, table: &OpenTable) -> SqlResult<u64> {
    let pin = exec.snapshot.pin();
    Ok(pin.table(table.pages()).map_err(|e| table.error(&e.into()))?.data_len())
}

/// Rows of a table.
///
/// # Errors
/// A damaged table.
pub(super) fn records(exec: &Exec<'_>, table: &OpenTable) -> SqlResult<u64> {
    let pin = exec.snapshot.pin();
    let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
    Ok(table.state_in(&view).records())
}

/// Rows of a table that each thread reads for itself, at most.
const FEW: f64 = 1_000.0;

/// Whether work of a statement may be done by several threads.
pub(super) fn may_share(ctx: &EvalContext) -> bool {
    ctx.threads != 1
        && !ctx.statement.by_row
        // steps are measured where they run
        && !ctx.measures()
        && ctx.statement.examined.is_none()
        && ctx.statement.outer.is_empty()
}

/// Whether a table gives what is stored, and nothing else.
pub(super) fn is_plain(table: &PlanTable) -> bool {
    table.computed.is_empty() && table.score.is_none() && table.number.is_none()
}

/// Where several threads begin with the rows of a block, join them and evaluate all conditions.
#[derive(Clone, Copy)]
pub(super) struct Source<'p> {
    /// The first table.
    pub(super) table: &'p OpenTable,
    /// Its file may be scanned in parts.
    scan: bool,
    /// Rows of the first tables may be made before.
    has_head: bool,
}

impl Source<'_> {
    /// Whether the first table's file is scanned in parts.
    ///
    /// # Errors
    /// A damaged table.
    pub(super) fn is_scanned(&self, exec: &Exec<'_>, ctx: &EvalContext) -> SqlResult<bool> {
        Ok(self.scan && is_large(exec, self.table, ctx)?)
    }
}

/// What several threads begin with where they may make the rows of a block.
pub(super) fn source_of<'p>(b: &'p BlockPlan, ctx: &EvalContext) -> Option<Source<'p>> {
    let first = b.steps.first()?;
    let Relation::Base(table) = &b.tables[first.table].relation else { return None };
    // the tables of a MERGE table are read one after the other
    let scan = matches!(first.access, Access::Scan) && table.children().is_none();
    let has_head = join::head::is_worth(b, ctx);
    let apart = (scan || has_head)
        && first.kind == StepKind::Inner
        && may_share(ctx)
        && b.steps.iter().all(|step| step.conditions().all(is_apart) && is_plain(&b.tables[step.table]))
        && b.steps[1..].iter().all(|step| joins_apart(b, step));
    apart.then_some(Source { table, scan, has_head })
}

/// Whether each of several threads may join the rows of a step with its own.
fn joins_apart(b: &BlockPlan, step: &Step) -> bool {
    let stored = matches!(b.tables[step.table].relation, Relation::Base(_));
    match &step.access {
        Access::Hash { build, probe, .. } => build.iter().chain(probe).all(is_apart),
        Access::Lookup { parts, .. } => stored && parts.iter().all(|p| is_apart(&p.value)),
        Access::Scan => stored && step.rows <= FEW,
        _ => false,
    }
}

/// Makes the hash tables that the threads of a join share. False where one thread has to join: a row is wrong, or a table does not fit into
/// memory.
fn make_shared(
    exec: &Exec<'_>,
    (plan, b): (&QueryPlan, &BlockPlan),
    threads: &Threads,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let hashed = b.steps.iter().filter(|s| matches!(s.access, Access::Hash { .. }));
    for step in hashed {
        let mark = ctx.mark();
        let built = join::build::built(exec, (plan, b, step), Some(threads), ctx);
        ctx.check_killed()?;
        if built.is_err() || ctx.warned_since(&mark) {
            ctx.rollback_to(&mark);
            return Ok(false);
        }
        let built = built?;
        let parted = built.parted.is_some();
        exec.built.borrow_mut().push((std::ptr::from_ref(step).addr(), built));
        if parted {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What takes the rows that one thread reads.
pub(super) trait Sink: Send {
    /// Takes the rows of a chunk, of which the first has this number. It may take the vectors.
    ///
    /// # Errors
    /// Those of evaluating; they are thrown away, and one thread begins again.
    fn take(
        &mut self,
        exec: &Exec<'_>,
        rows: &mut Chunk,
        number: u64,
        ctx: &mut EvalContext,
    ) -> SqlResult<()>;

    /// All rows of a part were taken. False when no thread is to begin another.
    ///
    /// # Errors
    /// As [`Sink::take`].
    fn end_part(&mut self) -> SqlResult<bool> {
        Ok(true)
    }
}

/// What a scan gave.
pub(super) struct Scanned<S> {
    /// What each thread made of the parts that it took. Parts come to each in the order of the file.
    pub(super) sinks: Vec<S>,
    /// Rows that were taken.
    pub(super) rows: u64,
    /// The parts that nobody took.
    pub(super) rest: Option<Part>,
}

/// A scan that runs.
struct Scan<'s> {
    plan: &'s QueryPlan,
    b: &'s BlockPlan,
    /// The step whose table alone is read; else the block's joins are made.
    step: Option<&'s Step>,
    table: &'s OpenTable,
    /// Hash tables of the joins.
    built: Vec<(usize, Arc<HashSide>)>,
    parts: Parts,
    /// What was done is of no use.
    aborted: AtomicBool,
    /// No thread begins another part.
    stopped: AtomicBool,
}

/// What one thread did.
struct Done<S> {
    sink: S,
    rows: u64,
    /// Parts that it read to their ends.
    parts: u64,
    counters: ReadCounters,
}

/// Makes the rows of a block ([`source_of`]) on several threads, which together may take so many bytes of memory. None where one thread
/// has to do it.
///
/// # Errors
/// 1317 and its kin; those of a snapshot that was given up.
pub(super) fn scan<S: Sink>(
    exec: &Exec<'_>,
    (plan, b, from): (&QueryPlan, &BlockPlan, &Source<'_>),
    threads: &Threads,
    memory: usize,
    new: impl Fn() -> S + Sync,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Scanned<S>>> {
    let table = from.table;
    if !make_shared(exec, (plan, b), threads, ctx)? {
        return Ok(None);
    }
    let shared = |(of, built): &(usize, Built)| Some((*of, Arc::clone(built.side.as_ref()?)));
    let built = exec.built.borrow().iter().filter_map(shared).collect();
    let head = match from.has_head && !from.is_scanned(exec, ctx)? {
        true => join::head::make(exec, (plan, b), threads.0, memory, ctx)?,
        false => None,
    };
    let parts = match head {
        Some(head) => Parts::Rows(Mutex::new((0, head))),
        None if from.scan => Parts::File(FileParts::new(file_len(exec, table)?, threads.0, memory)),
        None => return Ok(None),
    };
    let scan = Scan {
        plan,
        b,
        step: None,
        table,
        built,
        parts,
        aborted: AtomicBool::new(false),
        stopped: AtomicBool::new(false),
    };
    let scanned = run(scan, exec, threads, new, ctx)?;
    if scanned.as_ref().is_some_and(|s| s.rest.is_none()) {
        let of = |step: &Step, at: usize| std::ptr::from_ref(step).addr() == at;
        exec.built.borrow_mut().retain(|(at, _)| !b.steps.iter().any(|s| of(s, *at)));
    }
    Ok(scanned)
}

/// Scans the table of one step of a block, as [`scan`] does; its rows are those that meet the conditions on it alone.
///
/// # Errors
/// As there.
pub(super) fn scan_table<S: Sink>(
    exec: &Exec<'_>,
    (plan, b, step, table): (&QueryPlan, &BlockPlan, &Step, &OpenTable),
    threads: &Threads,
    memory: usize,
    new: impl Fn() -> S + Sync,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Scanned<S>>> {
    let scan = Scan {
        plan,
        b,
        step: Some(step),
        table,
        built: Vec::new(),
        parts: Parts::File(FileParts::new(file_len(exec, table)?, threads.0, memory)),
        aborted: AtomicBool::new(false),
        stopped: AtomicBool::new(false),
    };
    run(scan, exec, threads, new, ctx)
}

fn run<S: Sink>(
    scan: Scan<'_>,
    exec: &Exec<'_>,
    threads: &Threads,
    new: impl Fn() -> S + Sync,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Scanned<S>>> {
    let table = scan.table;
    let done = scan.on_threads(exec, threads.0, new, ctx);
    exec.snapshot.check_kept().map_err(|e| crate::failure::from_pages(&e, &table.name))?;
    ctx.check_killed()?;
    if scan.aborted.into_inner() {
        return Ok(None);
    }
    let scanned = matches!(scan.parts, Parts::File(_));
    let mut counters = exec.counters.borrow_mut();
    let mut out = Scanned { sinks: Vec::new(), rows: 0, rest: scan.parts.rest() };
    for Done { sink, rows, parts, counters: read } in done {
        counters.add_reads(&read);
        // the step behind the last row of a part is none of the table's
        counters.rnd_next -= if scanned { parts } else { 0 };
        out.rows += rows;
        out.sinks.push(sink);
    }
    if scanned && out.rest.is_none() {
        // the step behind the last row
        counters.rnd_next += 1;
    }
    Ok(Some(out))
}

impl Scan<'_> {
    /// Scans on so many threads, of which this is one.
    fn on_threads<S: Sink>(
        &self,
        exec: &Exec<'_>,
        threads: usize,
        new: impl Fn() -> S + Sync,
        ctx: &mut EvalContext,
    ) -> Vec<Done<S>> {
        exec.snapshot.unpin_until_read();
        let new = &new;
        let run = |fork: pages::Fork<'_>, mut ctx: EvalContext| -> Option<Done<S>> {
            let done = self.run(&fork, new(), &mut ctx);
            if done.is_err() || ctx.warnings.count_all() > 0 || ctx.warnings.has_failed() {
                self.aborted.store(true, Ordering::Relaxed);
                return None;
            }
            done.ok()
        };
        let run = &run;
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads)
                .map_while(|_| {
                    let (fork, ctx) = (exec.snapshot.fork(), ctx.of_worker());
                    let builder = std::thread::Builder::new().name("scan".into());
                    // without another thread this one does its work
                    builder.spawn_scoped(scope, move || run(fork, ctx)).ok()
                })
                .collect();
            exec.counters.borrow_mut().threads += others.len() as u64;
            let own = run(exec.snapshot.fork(), ctx.of_worker());
            let mut done = Vec::from_iter(own);
            for thread in others {
                match thread.join() {
                    Ok(more) => done.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        })
    }

    /// Takes parts of the file until there are no more or nobody wants them.
    fn run<S: Sink>(&self, fork: &pages::Fork<'_>, mut sink: S, ctx: &mut EvalContext) -> SqlResult<Done<S>> {
        let snapshot = fork.snapshot();
        snapshot.unpin_until_read();
        let exec = Exec::new(&snapshot, None);
        let side = |side: &Arc<HashSide>| Built { side: Some(Arc::clone(side)), parted: None };
        exec.built.borrow_mut().extend(self.built.iter().map(|(of, built)| (*of, side(built))));
        let mut rows = Chunk::default();
        let (mut taken, mut parts) = (0, 0);
        while !self.stopped.load(Ordering::Relaxed)
            && let Some(part) = self.parts.take(self.table, &snapshot)?
        {
            let mut number = part.first_number();
            let first = number;
            part.give(&exec);
            let mut joined = match self.step {
                Some(step) => Box::new(BuildRows::new(&exec, self.plan, self.b, step)),
                None => join::operator(&exec, self.plan, self.b),
            };
            while joined.next(&mut rows, ctx)? {
                if self.aborted.load(Ordering::Relaxed) {
                    return Err(SqlError::internal("another thread has given up"));
                }
                let count = rows.len() as u64;
                sink.take(&exec, &mut rows, number, ctx)?;
                number += count;
            }
            taken += number - first;
            parts += 1;
            if !sink.end_part()? {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        let counters = *exec.counters.borrow();
        Ok(Done { sink, rows: taken, parts, counters })
    }
}

/// Does each piece of work, on so many threads of which this is one; gives the results in the order of the pieces.
pub(super) fn share<W: Send, R: Send>(
    pieces: impl IntoIterator<Item = W>,
    threads: usize,
    work: impl Fn(W) -> R + Sync,
) -> Vec<R> {
    let pieces: Vec<W> = pieces.into_iter().collect();
    let threads = threads.min(pieces.len());
    let waiting = Mutex::new(pieces.into_iter().enumerate());
    let run = || {
        let mut done = Vec::new();
        loop {
            // taken before it is worked on, so that the others can take theirs
            let next = waiting.lock().next();
            let Some((n, piece)) = next else { return done };
            done.push((n, work(piece)));
        }
    };
    let run = &run;
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map_while(|_| std::thread::Builder::new().name("share".into()).spawn_scoped(scope, run).ok())
            .collect();
        let mut done = run();
        for thread in others {
            match thread.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_pieces() {
        for threads in [0, 1, 2, 7] {
            let squares = share(0..100u64, threads, |n| n * n);
            assert!(squares.into_iter().eq((0..100).map(|n| n * n)));
            assert!(share(Vec::<u8>::new(), threads, |n| n).is_empty());
        }
    }
}

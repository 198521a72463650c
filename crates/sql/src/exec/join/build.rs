//! The table of a hash join, put into its hash table: by one thread, or read by several, where it is large.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::Exec;
use super::super::hash::{Builder, HashSide, KeyList, KeyOf, Keys, Parted};
use super::super::operator::{Chunk, Operator, reset};
use super::super::rows::RowStore;
use super::super::source;
use super::super::subquery::Kept;
use super::super::threads::{self, Scanned, Sink, Threads, share};
use super::{JoinStep, Joined, all_at_once, classes};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Rows};
use crate::memory::BATCH_ROWS;
use crate::plan::access::is_apart;
use crate::plan::{Access, BlockPlan, PlanTable, QueryPlan, Relation, Step};
use crate::table::reader::Reader;

/// A table that was put into a hash table, or into parts on disk.
#[derive(Default)]
pub struct Built {
    /// In memory.
    pub side: Option<Arc<HashSide>>,
    /// On disk.
    pub parted: Option<Box<Parted>>,
}

/// The rows of a step's table that meet the conditions on it alone.
pub struct BuildRows<'p, 'e> {
    joined: Joined<'p, 'e>,
    step: &'p Step,
    table: &'p PlanTable,
    reader: Option<Box<dyn Reader + 'p>>,
    over: bool,
    alone: Option<Expr>,
    keep: Vec<u32>,
    kept: Kept<'p>,
}

impl<'p, 'e> BuildRows<'p, 'e> {
    /// Of a step of a block.
    pub fn new(exec: &'p Exec<'e>, plan: &'p QueryPlan, block: &'p BlockPlan, step: &'p Step) -> Self {
        let joined = Joined {
            at_once: usize::MAX,
            exec,
            plan,
            block,
            classes: block.classes.get_or_init(|| classes(block)),
        };
        let (alone, _) = JoinStep::new(joined, step, 0, 1, None).conditions_alone();
        let table = &block.tables[step.table];
        BuildRows {
            joined,
            step,
            table,
            reader: None,
            over: false,
            alone,
            keep: Vec::new(),
            kept: Kept::default(),
        }
    }

    /// Leaves out rows that do not meet a condition, which is looked at again when they are joined: what is wrong with a row is told
    /// then, if it is joined with any.
    fn sift(&mut self, rows: &mut Chunk, ctx: &mut EvalContext) {
        let Some(condition) = &self.alone else { return };
        self.keep.clear();
        let (keep, count) = (&mut self.keep, rows.rows.len);
        let runner = self.joined.runner(&self.kept);
        let frame = Frame { batch: &rows.rows, subqueries: Some(&runner) };
        let found = all_at_once(true, ctx, |ctx| condition.filter(frame, Rows::All(count), ctx, keep));
        if matches!(found, Ok(Some(()))) {
            rows.select(keep);
        }
    }
}

impl Operator for BuildRows<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        let exec = self.joined.exec;
        while !self.over {
            ctx.check_killed()?;
            reset(&mut out.rows, self.joined.classes);
            out.select_all();
            let reader = match &mut self.reader {
                Some(reader) => reader,
                none => none.insert(source::scan(exec, self.table, ctx)?),
            };
            let more = source::fill(exec, self.table, &mut **reader, &mut out.rows, BATCH_ROWS, ctx)?;
            self.over = !more;
            let read = out.rows.len as u64;
            ctx.measure(self.step, |m| m.rows += read);
            self.sift(out, ctx);
            if !out.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The hash table of a step, made on these threads, or on those that are free.
///
/// # Errors
/// Those of reading, of the expressions and of temporary files.
pub(in crate::exec) fn built(
    exec: &Exec<'_>,
    (plan, block, step): (&QueryPlan, &BlockPlan, &Step),
    threads: Option<&Threads>,
    ctx: &mut EvalContext,
) -> SqlResult<Built> {
    let Access::Hash { build, null_safe, .. } = &step.access else { return Ok(Built::default()) };
    let build = KeyOf(build, *null_safe);
    // the part that is this thread's is of the first table
    let part = exec.part.take();
    let built = match shared(exec, (plan, block, step), build, threads, ctx) {
        Ok(Some(built)) => Ok(built),
        Ok(None) => serial(exec, (plan, block, step), build, ctx),
        Err(e) => Err(e),
    };
    exec.part.set(part);
    built
}

fn serial(
    exec: &Exec<'_>,
    (plan, block, step): (&QueryPlan, &BlockPlan, &Step),
    build: KeyOf<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<Built> {
    let builder = Builder::new(block.tables[step.table].slots().collect(), &ctx.budget);
    go_on(builder, BuildRows::new(exec, plan, block, step), build, ctx)
}

/// Adds all further rows.
fn go_on(
    mut builder: Builder,
    mut from: BuildRows<'_, '_>,
    build: KeyOf<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<Built> {
    let (mut rows, mut keys) = (Chunk::default(), Keys::default());
    while from.next(&mut rows, ctx)? {
        keys.compute(build, &rows.rows, rows.which(), ctx)?;
        builder.add(&rows, &keys)?;
    }
    let (side, parted) = builder.finish()?;
    Ok(Built { side: parted.is_none().then(|| Arc::new(side)), parted: parted.map(Box::new) })
}

/// Rows of one part of the file with their keys.
struct Part {
    number: u64,
    rows: RowStore,
    keys: KeyList,
}

/// A thread that reads.
struct Worker<'s> {
    build: KeyOf<'s>,
    slots: &'s [usize],
    parts: Vec<Part>,
    begun: bool,
    keys: Keys,
    some: Vec<u32>,
    /// Bytes of this thread's parts when they were last counted; of all; those they may take.
    bytes: usize,
    all: &'s AtomicUsize,
    most: usize,
}

impl Sink for Worker<'_> {
    fn take(&mut self, _: &Exec<'_>, rows: &mut Chunk, number: u64, ctx: &mut EvalContext) -> SqlResult<()> {
        self.keys.compute(self.build, &rows.rows, rows.which(), ctx)?;
        ctx.check_failed()?;
        if !std::mem::replace(&mut self.begun, true) {
            self.parts.push(Part { number, rows: RowStore::default(), keys: KeyList::default() });
        }
        let Some(part) = self.parts.last_mut() else { return Ok(()) };
        self.some.clear();
        self.some.extend(
            (0..rows.len()).filter(|i| part.keys.push_of(&self.keys, *i)).map(|i| rows.row(i) as u32),
        );
        let columns: Vec<_> = self.slots.iter().map(|s| &rows.rows.columns[*s]).collect();
        part.rows.push_some(&columns, &self.some);
        Ok(())
    }

    fn end_part(&mut self) -> SqlResult<bool> {
        self.begun = false;
        let bytes = self.parts.iter().map(|p| p.rows.memory() + p.keys.memory()).sum::<usize>();
        let grown = bytes.saturating_sub(std::mem::replace(&mut self.bytes, bytes));
        Ok(self.all.fetch_add(grown, Ordering::Relaxed) + grown <= self.most)
    }
}

/// The same by several threads, where that pays.
fn shared(
    exec: &Exec<'_>,
    (plan, block, step): (&QueryPlan, &BlockPlan, &Step),
    build: KeyOf<'_>,
    threads: Option<&Threads>,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Built>> {
    let table = &block.tables[step.table];
    let Relation::Base(open) = &table.relation else { return Ok(None) };
    if !threads::may_share(ctx)
        || !threads::is_plain(table)
        || !step.conditions().chain(build.0).all(is_apart)
    {
        return Ok(None);
    }
    let claimed = match threads {
        Some(_) if !threads::is_large(exec, open, ctx)? => return Ok(None),
        Some(_) => None,
        None => match Threads::for_table(exec, open, ctx)? {
            Some(threads) => Some(threads),
            None => return Ok(None),
        },
    };
    let Some(threads) = threads.or(claimed.as_ref()) else { return Ok(None) };
    let slots: Vec<usize> = table.slots().collect();
    let all = AtomicUsize::new(0);
    // the hash table itself takes as much again
    let most = ctx.budget.table / 2;
    let new = || Worker {
        build,
        slots: &slots,
        parts: Vec::new(),
        begun: false,
        keys: Keys::default(),
        some: Vec::new(),
        bytes: 0,
        all: &all,
        most,
    };
    let Some(scanned) = threads::scan_table(exec, (plan, block, step, open), threads, most, new, ctx)? else {
        return Ok(None);
    };
    let Scanned { sinks, rest, .. } = scanned;
    let mut parts: Vec<Part> = sinks.into_iter().flat_map(|w| w.parts).collect();
    parts.sort_unstable_by_key(|p| p.number);
    let side = united(&parts, threads.count());
    drop(parts);
    ctx.check_killed()?;
    let builder = Builder::from(side, slots.clone(), &ctx.budget);
    let mut rows = BuildRows::new(exec, plan, block, step);
    match rest {
        Some(rest) => {
            debug_assert!(rest.first_number() > 0);
            rest.give(exec);
        }
        None => rows.over = true,
    }
    let built = go_on(builder, rows, build, ctx);
    exec.part.take();
    built.map(Some)
}

/// All parts as one hash table: one thread puts the rows together, another one the keys.
fn united(parts: &[Part], threads: usize) -> HashSide {
    let work: [fn(&[Part]) -> HashSide; 2] = [
        |parts| HashSide::of_rows(parts.iter().map(|p| &p.rows)),
        |parts| HashSide::of_keys(parts.iter().map(|p| &p.keys)),
    ];
    let mut sides = share(work, threads, |work| work(parts)).into_iter();
    match (sides.next(), sides.next()) {
        (Some(rows), Some(keys)) => keys.with_rows_of(rows),
        _ => HashSide::default(),
    }
}

//! One SELECT: joined rows, groups, the select list, DISTINCT, ORDER BY, LIMIT.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};

use super::join::{Joiner, all_at_once};
use super::sort::Sorter;
use super::sortkey::KeySpec;
use super::subquery::Runner;
use super::ties::Ties;
use super::unique::Distinct;
use super::{Emit, Exec, Limiter, aggregate};
use crate::error::{ER_DATA_OUT_OF_RANGE, ER_FILSORT_ABORT, ER_TRUNCATED_WRONG_VALUE, SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Frame, Node, Rows, VecRef};
use crate::memory::BATCH_BYTES;
use crate::memory::BATCH_ROWS;
use crate::plan::access::is_true;
use crate::plan::{BlockPlan, QueryPlan};
use crate::types::{Batch, Vector};
use crate::warning::Level;

/// Runs a block; its visible columns go to `emit`.
///
/// # Errors
/// Those of reading and evaluating.
pub fn run(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    b: &BlockPlan,
    ctx: &mut EvalContext,
    emit: Emit<'_>,
) -> SqlResult<()> {
    let limiter = Limiter::new(&b.limit, ctx)?;
    let count_all = plan.calc_found_rows;
    let ties = b.limit.with_ties && !b.order.is_empty();
    let sorted = !b.order.is_empty() && (!b.ordered_by_access || ties);
    let wanted = if count_all || ties { usize::MAX } else { limiter.needed() };
    // the list is computed for the rows that LIMIT leaves, behind the sort: its warnings and errors show it
    let late = sorted && !b.distinct && computes(b) && !(ctx.statement.by_row && before_sort(b));
    let empty =
        b.impossible.is_some() || wanted == 0 && b.group.is_none() || !constant_holds(exec, plan, b, ctx)?;
    let runner = Runner { exec, plan };
    let block = Block { exec, plan, b, runner: &runner, empty, late };
    let mut result = Output { limiter, found: 0, count_all, enough: false };
    if sorted || b.distinct {
        let sorter = sorted.then(|| {
            Sorter::new(block.sort_keys(), if b.distinct { usize::MAX } else { wanted }, &ctx.budget)
        });
        block.gather(sorter, ties, &mut result, ctx, emit)?;
    } else {
        block.stream(&mut result, ctx, emit)?;
    }
    let found = match () {
        () if count_all || ties => Some(result.found),
        // one row without reading: LIMIT says whether it is sent, and that is what was found
        () if b.reads_nothing() => None,
        () => Some(result.limiter.seen),
    };
    exec.memory.borrow_mut().found_rows = found;
    Ok(())
}

/// The rows that LIMIT leaves, and the count of all.
struct Output {
    limiter: Limiter,
    found: u64,
    /// SQL_CALC_FOUND_ROWS: rows behind LIMIT are counted.
    count_all: bool,
    /// Whoever takes the rows has enough of them.
    enough: bool,
}

impl Output {
    /// Gives `take` those of the rows that LIMIT leaves.
    fn push(
        &mut self,
        rows: &Batch,
        take: &mut dyn FnMut(&Batch) -> SqlResult<ControlFlow<()>>,
    ) -> SqlResult<ControlFlow<()>> {
        self.found += rows.len as u64;
        let full = self.enough || self.limiter.full();
        let flow = if full { ControlFlow::Break(()) } else { self.limiter.cut(rows, take)? };
        self.enough |= flow.is_break();
        Ok(if self.count_all { ControlFlow::Continue(()) } else { flow })
    }
}

/// A block that runs.
struct Block<'x, 'e> {
    exec: &'x Exec<'e>,
    plan: &'x QueryPlan,
    b: &'x BlockPlan,
    runner: &'x Runner<'x, 'e>,
    /// There are no joined rows.
    empty: bool,
    /// The list is computed behind the sort.
    late: bool,
}

impl Block<'_, '_> {
    /// The joined rows, or the groups.
    fn rows(&self, ctx: &mut EvalContext, deliver: Emit<'_>) -> SqlResult<()> {
        match &self.b.group {
            Some(g) => aggregate::run(self.exec, self.plan, self.b, g, self.empty, ctx, deliver),
            None if self.empty => Ok(()),
            None => Joiner::new(self.exec, self.plan, self.b).run(ctx, deliver),
        }
    }

    /// The keys of the sort: columns of the output, or computed before it.
    fn sort_keys(&self) -> Vec<KeySpec> {
        let keys = self.b.order.iter().enumerate();
        keys.map(|(i, (at, desc))| {
            KeySpec::new(if self.late { i } else { *at }, &self.b.output[*at].ty, *desc)
        })
        .collect()
    }

    /// Rows go out as they are found.
    fn stream(&self, result: &mut Output, ctx: &mut EvalContext, emit: Emit<'_>) -> SqlResult<()> {
        let list = Projector::new(&self.b.output[..self.b.visible], self.runner);
        self.rows(ctx, &mut |rows, ctx| {
            result.push(rows, &mut |part| list.compute(part, ctx, &mut |out, ctx| send(out, ctx, emit)))
        })
    }

    /// Rows are made distinct, and sorted.
    fn gather(
        &self,
        mut sorter: Option<Sorter>,
        ties: bool,
        result: &mut Output,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<()> {
        let b = self.b;
        // one table's rows are sorted as they are found: an error stops the sort
        let filesort = sorter.is_some() && !b.distinct && b.group.is_none() && b.steps.len() == 1;
        let keys: Vec<Expr> = if self.late {
            b.order.iter().map(|(at, _)| b.output[*at].clone()).collect()
        } else {
            Vec::new()
        };
        let (keys, list) = (Projector::new(&keys, self.runner), Projector::new(&b.output, self.runner));
        let mut seen = b.distinct.then(|| {
            let visible = b.output[..b.visible].iter().enumerate();
            Distinct::new(visible.map(|(i, e)| KeySpec::new(i, &e.ty, false)).collect(), &ctx.budget)
        });
        // what happens to rows of the result
        let mut pass = |mut out: Batch, ctx: &mut EvalContext| -> SqlResult<ControlFlow<()>> {
            let flow = if let Some(s) = &mut sorter {
                result.found += out.len as u64;
                s.push(&out)?;
                ControlFlow::Continue(())
            } else {
                out.columns.truncate(b.visible);
                result.push(&out, &mut |part| emit(part, ctx))?
            };
            recycle(out, ctx);
            Ok(flow)
        };
        // what happens to rows whose list is computed
        let mut new = Vec::new();
        let mut take = |out: Batch, ctx: &mut EvalContext| -> SqlResult<ControlFlow<()>> {
            let Some(seen) = &mut seen else { return pass(out, ctx) };
            seen.keep(&out, &mut new)?;
            pass(if new.len() < out.len { pick(&out, &new) } else { out }, ctx)
        };
        let outcome = self.rows(ctx, &mut |rows, ctx| match self.late {
            true => compute_keys(&keys, rows, ctx, &mut take),
            false => list.compute(rows, ctx, &mut take),
        });
        let outcome = outcome.and_then(|()| ctx.check_failed());
        outcome.map_err(|e| if filesort { sort_aborted(e, ctx) } else { e })?;
        if let Some(seen) = &mut seen {
            rest_of_distinct(seen, &mut pass, ctx)?;
        }
        if ctx.stopped() && filesort {
            let text = "Sort aborted: LIMIT ROWS EXAMINED".to_string();
            return Err(SqlError::with_message(ER_FILSORT_ABORT, text));
        }
        match sorter {
            Some(s) => self.emit_sorted(s, ties, result, ctx, emit),
            None => Ok(()),
        }
    }

    fn emit_sorted(
        &self,
        mut sorter: Sorter,
        ties: bool,
        result: &mut Output,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<()> {
        let b = self.b;
        let list = Projector::new(&b.output[..b.visible], self.runner);
        sorter.finish()?;
        {
            let mut counters = self.exec.counters.borrow_mut();
            counters.sorts += 1;
            counters.sort_rows += result.found;
        }
        let mut out = Batch::default();
        let mut ties = ties.then(|| Ties::new(self.sort_keys()));
        while (!result.limiter.full() || ties.is_some()) && sorter.next(&mut out)? {
            let more = match &mut ties {
                Some(t) => {
                    let (rows, more) = t.pass(&out, &mut result.limiter);
                    out = part(&out, rows);
                    more
                }
                None => true,
            };
            let whole = &mut Limiter::none();
            let limiter = if ties.is_some() { whole } else { &mut result.limiter };
            let flow = if self.late {
                out.columns.drain(..b.order.len());
                limiter
                    .cut(&out, &mut |part| list.compute(part, ctx, &mut |out, ctx| send(out, ctx, emit)))?
            } else {
                out.columns.truncate(b.visible);
                limiter.cut(&out, &mut |part| emit(part, ctx))?
            };
            if flow.is_break() || !more {
                break;
            }
        }
        Ok(())
    }
}

/// Computes the keys of a sort for a batch, and gives `take` them with the rows behind.
fn compute_keys(
    keys: &Projector<'_, '_>,
    rows: &Batch,
    ctx: &mut EvalContext,
    take: &mut dyn FnMut(Batch, &mut EvalContext) -> SqlResult<ControlFlow<()>>,
) -> SqlResult<ControlFlow<()>> {
    let padded = super::level::padded(rows);
    let mut at = 0;
    keys.compute(rows, ctx, &mut |mut keyed, ctx| {
        let end = at + keyed.len;
        if end - at == padded.len {
            keyed.columns.extend(padded.columns.iter().cloned());
        } else {
            let part: Vec<usize> = (at..end).collect();
            keyed.columns.extend(pick(&padded, &part).columns);
        }
        at = end;
        take(keyed, ctx)
    })
}

/// Rows of a batch whose vectors all hold rows.
fn part(batch: &Batch, which: Range<usize>) -> Batch {
    if which == (0..batch.len) {
        return batch.clone();
    }
    pick(batch, &which.collect::<Vec<_>>())
}

/// Whether the list is computed before the rows are sorted: they are groups, or sorted by more than the first table.
/// It is told by what assignments in the list see.
fn before_sort(b: &BlockPlan) -> bool {
    let first = b.steps.iter().find(|s| s.rows > 1.0).map_or(0, |s| 1u64 << s.table);
    b.group.is_some() || b.order.iter().any(|(at, _)| b.output[*at].tables() & !first != 0)
}

/// Hands computed rows on.
fn send(out: Batch, ctx: &mut EvalContext, emit: Emit<'_>) -> SqlResult<ControlFlow<()>> {
    let flow = emit(&out, ctx)?;
    recycle(out, ctx);
    Ok(flow)
}

/// Sort-key errors are reported twice, as in MariaDB.
fn sort_aborted(e: SqlError, ctx: &mut EvalContext) -> SqlError {
    if e.code == ER_DATA_OUT_OF_RANGE || e.code == ER_TRUNCATED_WRONG_VALUE {
        let told = format!("Sort aborted: {}", e.message);
        let known = ctx.warnings.entries().iter().any(|w| w.level == Level::Error && w.message == e.message);
        if !known {
            ctx.warnings.push_error(Level::Error, &e);
        }
        ctx.warnings.push_text(Level::Error, ER_FILSORT_ABORT, told);
    }
    e
}

/// The distinct rows that were spilled.
fn rest_of_distinct(
    seen: &mut Distinct,
    pass: &mut dyn FnMut(Batch, &mut EvalContext) -> SqlResult<ControlFlow<()>>,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let Some(mut rest) = seen.rest()? else { return Ok(()) };
    let mut rows = Batch::default();
    while rest.batch(&mut rows, BATCH_ROWS)? {
        ctx.check_killed()?;
        if pass(rows.clone(), ctx)?.is_break() {
            break;
        }
    }
    Ok(())
}

fn constant_holds(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    b: &BlockPlan,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let Some(c) = &b.constant else { return Ok(true) };
    let one = Batch::one_row();
    let runner = Runner { exec, plan };
    // it is known before the statement becomes strict
    let strict = std::mem::replace(&mut ctx.warnings.escalate, false);
    let value = c.value_in(Frame { batch: &one, subqueries: Some(&runner) }, ctx);
    let holds = value.map(|v| is_true(&v, &c.ty, ctx));
    ctx.warnings.escalate = strict;
    holds
}

/// Whether the list has more in it than columns and constants. Expressions that are non-deterministic or expensive
/// count only when the sort does not need them.
fn computes(b: &BlockPlan) -> bool {
    b.output[..b.visible].iter().enumerate().any(|(i, e)| {
        let plain = matches!(e.node, Node::Column(_) | Node::Literal(_) | Node::Param(_));
        let again = e.is_repeatable() && !has_subquery(e);
        !plain && (again || !b.order.iter().any(|(at, _)| *at == i))
    })
}

fn has_subquery(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::Subquery(_)));
    found
}

/// How many rows are computed at once, so that what comes of them is not too much.
pub(super) struct ChunkSize {
    /// Values may be long.
    wide: bool,
    rows: Cell<usize>,
}

impl ChunkSize {
    /// For these expressions.
    pub(super) fn new<'a>(list: impl Iterator<Item = &'a Expr>) -> ChunkSize {
        // columns are as long as in the rows themselves
        let computed = list.filter(|e| !matches!(e.node, Node::Column(_)));
        let bytes: u64 = computed.map(|e| u64::from(e.ty.length)).sum();
        let wide = bytes > (BATCH_BYTES / BATCH_ROWS) as u64;
        ChunkSize { wide, rows: Cell::new(if wide { 4 } else { BATCH_ROWS }) }
    }

    /// How many of the rows left are next.
    pub(super) fn of(&self, left: usize) -> usize {
        if self.wide { left.min(self.rows.get()) } else { left }
    }

    /// So many rows took so many bytes.
    pub(super) fn took(&self, rows: usize, bytes: usize) {
        if self.wide {
            let fit = BATCH_BYTES / 2 / (bytes / rows.max(1)).max(1);
            // rows that follow may be longer
            self.rows.set(fit.clamp(1, (self.rows.get() * 8).min(BATCH_ROWS)));
        }
    }
}

/// A list of expressions to be computed for rows.
struct Projector<'a, 'e> {
    list: &'a [Expr],
    runner: &'a Runner<'a, 'e>,
    repeatable: bool,
    /// Subqueries remember their values: what they warn of must not be taken back.
    single: bool,
    chunk: ChunkSize,
}

impl<'a, 'e> Projector<'a, 'e> {
    fn new(list: &'a [Expr], runner: &'a Runner<'a, 'e>) -> Projector<'a, 'e> {
        Projector {
            list,
            runner,
            repeatable: list.iter().all(Expr::is_repeatable),
            single: list.iter().any(has_subquery),
            chunk: ChunkSize::new(list.iter()),
        }
    }

    /// Computes the list for all rows of a batch. When something is wrong with one of them it is done again row
    /// by row: then warnings come in the order of the rows, and the rows before an error are seen.
    ///
    /// # Errors
    /// Those of the expressions and of `take`.
    fn compute(
        &self,
        rows: &Batch,
        ctx: &mut EvalContext,
        take: &mut dyn FnMut(Batch, &mut EvalContext) -> SqlResult<ControlFlow<()>>,
    ) -> SqlResult<ControlFlow<()>> {
        let mut numbers: Vec<u32> = Vec::new();
        let mut at = 0;
        while at < rows.len {
            let count = self.chunk.of(rows.len - at);
            if (self.single || ctx.statement.by_row) && rows.len > 1 {
                if self.one_by_one(rows, at..at + count, ctx, take)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                at += count;
                continue;
            }
            let frame = Frame { batch: rows, subqueries: Some(self.runner) };
            let which = if count == rows.len {
                Rows::All(count)
            } else {
                numbers.clear();
                numbers.extend((at..at + count).map(|r| r as u32));
                Rows::Some(&numbers)
            };
            let again = rows.len > 1 && self.repeatable;
            let flow = match all_at_once(again, ctx, |ctx| output_of(self.list, frame, which, count, ctx))? {
                Some(out) => {
                    ctx.check_failed()?;
                    self.chunk.took(count, out.byte_len());
                    take(out, ctx)?
                }
                None => self.one_by_one(rows, at..at + count, ctx, take)?,
            };
            if flow.is_break() {
                return Ok(flow);
            }
            at += count;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn one_by_one(
        &self,
        rows: &Batch,
        which: Range<usize>,
        ctx: &mut EvalContext,
        take: &mut dyn FnMut(Batch, &mut EvalContext) -> SqlResult<ControlFlow<()>>,
    ) -> SqlResult<ControlFlow<()>> {
        for row in which {
            let one = one_row(rows, row);
            let out = output(self.list, Frame { batch: &one, subqueries: Some(self.runner) }, 1, ctx)?;
            ctx.check_failed()?;
            if take(out, ctx)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// One row of a batch; vectors that hold no rows stay empty.
#[must_use]
pub fn one_row(batch: &Batch, row: usize) -> Batch {
    row_of(&batch.columns, row)
}

/// One row of vectors that lie side by side.
pub(super) fn row_of(columns: &[Vector], row: usize) -> Batch {
    let column = |v: &Vector| {
        let mut to = Vector::new(v.class());
        if v.is_constant() || v.len() > row {
            to.push_from(v, row);
        }
        to
    };
    Batch { columns: columns.iter().map(column).collect(), len: 1 }
}

/// The values of a list of expressions, as a batch of dense vectors.
///
/// # Errors
/// Those of the expressions.
pub fn output(list: &[Expr], frame: Frame<'_>, rows: usize, ctx: &mut EvalContext) -> SqlResult<Batch> {
    output_of(list, frame, Rows::All(rows), rows, ctx)
}

fn output_of(
    list: &[Expr],
    frame: Frame<'_>,
    which: Rows<'_>,
    rows: usize,
    ctx: &mut EvalContext,
) -> SqlResult<Batch> {
    let mut out = Batch { columns: Vec::with_capacity(list.len()), len: rows };
    for e in list {
        let v = e.eval(frame, which, ctx)?;
        let dense = match v {
            VecRef::Owned(v) if !v.is_constant() => v,
            v => {
                let mut dense = ctx.take(if v.class() == e.ty.class() { v.class() } else { e.ty.class() });
                dense.append(&v, 0..rows);
                ctx.done(v);
                dense
            }
        };
        out.columns.push(dense);
    }
    Ok(out)
}

/// The rows of a batch with these numbers.
#[must_use]
pub fn pick(batch: &Batch, rows: &[usize]) -> Batch {
    let columns = batch
        .columns
        .iter()
        .map(|v| {
            let mut to = Vector::new(v.class());
            rows.iter().for_each(|r| to.push_from(v, *r));
            to
        })
        .collect();
    Batch { columns, len: rows.len() }
}

/// Gives the vectors of a batch back to the pool.
pub fn recycle(batch: Batch, ctx: &mut EvalContext) {
    for v in batch.columns {
        ctx.recycle(v);
    }
}

//! Running plans: batches of rows flow from access paths through joins, grouping and sorting into a sink.

pub mod accumulate;
pub mod aggregate;
pub mod block;
pub mod direct;
pub mod groups;
pub mod hash;
pub mod join;
pub mod kept;
pub mod keyset;
pub mod keysort;
pub mod level;
pub mod lookup;
pub mod matching;
pub mod regroup;
pub mod rows;
pub mod runs;
pub mod setop;
pub mod shortcut;
pub mod sort;
pub mod sortkey;
pub mod source;
pub mod spill;
pub mod spool;
pub mod subquery;
mod ties;
pub mod unique;
mod wanted;

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::sync::Arc;

use pages::Snapshot;

use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Rows};
use crate::plan::{Body, LimitPlan, QueryPlan};
use crate::result::ResultSink;
use crate::types::{Batch, Value};

/// What a running query works with.
pub struct Exec<'e> {
    /// The tables as of the statement's start.
    pub snapshot: &'e Snapshot<'e>,
    /// What subqueries remember between their runs, by address of the plan.
    pub memory: RefCell<subquery::Memory>,
    /// Rows read, for the status counters.
    pub counters: RefCell<ReadCounters>,
    /// What look-ups by key use again and again; the session keeps it between statements.
    pub lookup: Cell<Option<Box<lookup::Buffers>>>,
}

/// The `Handler_read_*` and sort counters of a statement.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadCounters {
    /// Handler_read_key
    pub key: u64,
    /// Handler_read_next
    pub next: u64,
    /// Handler_read_first
    pub first: u64,
    /// Handler_read_rnd_next
    pub rnd_next: u64,
    /// Sort_rows
    pub sort_rows: u64,
    /// Sort_scan + Sort_range
    pub sorts: u64,
    /// Created_tmp_tables
    pub tmp_tables: u64,
}

/// Takes batches; `Break` when no more are wanted.
pub type Emit<'a> = &'a mut dyn FnMut(&Batch, &mut EvalContext) -> SqlResult<ControlFlow<()>>;

impl<'e> Exec<'e> {
    /// An execution over a snapshot, with the buffers of the one before.
    #[must_use]
    pub fn new(snapshot: &'e Snapshot<'e>, lookup: Option<Box<lookup::Buffers>>) -> Exec<'e> {
        let lookup = Cell::new(lookup);
        Exec { snapshot, memory: RefCell::default(), counters: RefCell::default(), lookup }
    }

    /// Runs a plan and hands out its result rows in batches of the plan's columns.
    ///
    /// # Errors
    /// Those of reading and evaluating.
    pub fn run(&self, plan: &QueryPlan, ctx: &mut EvalContext, emit: Emit<'_>) -> SqlResult<()> {
        // Expressions may wait (SLEEP, GET_LOCK), and so may tables whose rows are made: rows are read with pins of their own.
        self.snapshot.rest();
        match &plan.body {
            Body::Block(b) => block::run(self, plan, b, ctx, emit),
            Body::Values(rows) => {
                let runner = subquery::Runner { exec: self, plan };
                let one = Batch::one_row();
                for row in rows {
                    let mut out = Batch { columns: Vec::with_capacity(row.len()), len: 1 };
                    for (e, ty) in row.iter().zip(&plan.types) {
                        let v =
                            e.eval(Frame { batch: &one, subqueries: Some(&runner) }, Rows::All(1), ctx)?;
                        let mut column = crate::types::Vector::new(ty.class());
                        column.push_from(&v, 0);
                        out.columns.push(column);
                        ctx.done(v);
                    }
                    if emit(&out, ctx)?.is_break() {
                        break;
                    }
                }
                Ok(())
            }
            Body::Set(set) => setop::run(self, plan, set, ctx, emit),
        }
    }

    /// Sends the rows that wait in a sink. A page that could not be read was zeros: rows made of such are not sent.
    ///
    /// # Errors
    /// Read errors noticed until now, a client that is gone.
    fn flush(&self, plan: &QueryPlan, sink: &mut dyn ResultSink) -> SqlResult<()> {
        self.snapshot.rest();
        for t in &plan.tables {
            t.pages().check_read().map_err(|e| crate::failure::from_pages(&e, &t.name))?;
        }
        sink.flush()
    }

    /// Runs a plan into a sink: the columns, the rows, not the end. Gives the number of rows sent, and
    /// the number there would be without LIMIT when it was asked for.
    ///
    /// # Errors
    /// Those of reading, evaluating and sending.
    pub fn send(&self, plan: &QueryPlan, ctx: &mut EvalContext, sink: &mut dyn ResultSink) -> SqlResult<u64> {
        sink.start(&plan.shape)?;
        if let Body::Block(b) = &plan.body
            && b.direct.is_some()
        {
            return direct::send(self, plan, b, ctx, sink);
        }
        self.send_rows(plan, u64::MAX, ctx, sink)
    }

    /// As [`Exec::send`], at most `most` rows (`sql_select_limit`).
    ///
    /// # Errors
    /// As [`Exec::send`].
    pub fn send_most(
        &self,
        plan: &QueryPlan,
        most: u64,
        ctx: &mut EvalContext,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<u64> {
        sink.start(&plan.shape)?;
        self.send_rows(plan, most, ctx, sink)
    }

    fn send_rows(
        &self,
        plan: &QueryPlan,
        most: u64,
        ctx: &mut EvalContext,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<u64> {
        let mut sent = 0;
        self.run(plan, ctx, &mut |batch, ctx| {
            for row in 0..batch.len {
                if sent == most {
                    return Ok(ControlFlow::Break(()));
                }
                sink.begin_row();
                for (v, ty) in batch.columns.iter().zip(&plan.types) {
                    crate::types::output::put(v.get(row), ty, sink, ctx);
                }
                sink.end_row();
                sent += 1;
            }
            if sink.wants_flush() {
                self.flush(plan, sink)?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(sent)
    }

    /// The first rows of a plan, in memory.
    ///
    /// # Errors
    /// As [`Exec::run`].
    pub fn collect(&self, plan: &QueryPlan, ctx: &mut EvalContext, most: usize) -> SqlResult<rows::RowStore> {
        let mut store = rows::RowStore::default();
        self.run(plan, ctx, &mut |batch, _| {
            for row in 0..batch.len {
                store.push(&batch.columns, row);
                if store.len() >= most {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(store)
    }
}

/// Counts rows against LIMIT and OFFSET.
pub struct Limiter {
    skip: u64,
    left: u64,
    /// Rows seen, skipped ones included.
    pub seen: u64,
}

impl Limiter {
    /// Evaluates a LIMIT; `u64::MAX` rows without one.
    ///
    /// # Errors
    /// Those of evaluating its operands.
    pub fn new(plan: &LimitPlan, ctx: &mut EvalContext) -> SqlResult<Limiter> {
        let mut value = |e: &Option<Expr>, default: u64| -> SqlResult<u64> {
            let Some(e) = e else { return Ok(default) };
            Ok(match crate::plan::sarg::constant_value(e, ctx)? {
                Value::Int(n) => u64::try_from(n).unwrap_or(0),
                Value::UInt(n) => n,
                Value::Null => 0,
                _ => return Err(crate::error::SqlError::new(crate::error::ER_WRONG_ARGUMENTS, &[&"LIMIT"])),
            })
        };
        Ok(Limiter { skip: value(&plan.offset, 0)?, left: value(&plan.count, u64::MAX)?, seen: 0 })
    }

    /// No limit.
    #[must_use]
    pub fn none() -> Limiter {
        Limiter { skip: 0, left: u64::MAX, seen: 0 }
    }

    /// How many rows must be produced at most, skipped ones included.
    #[must_use]
    pub fn needed(&self) -> usize {
        usize::try_from(self.skip.saturating_add(self.left)).unwrap_or(usize::MAX)
    }

    /// Whether nothing more is wanted.
    #[must_use]
    pub fn full(&self) -> bool {
        self.left == 0
    }

    /// Whether the next row passes.
    pub fn pass(&mut self) -> bool {
        self.seen += 1;
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        true
    }

    /// Counts the next `rows` rows: from which one on they pass, and to which.
    pub fn take(&mut self, rows: usize) -> (usize, usize) {
        let n = rows as u64;
        let from = self.skip.min(n);
        let take = self.left.min(n - from);
        self.skip -= from;
        self.left -= take;
        self.seen += from + take;
        (from as usize, (from + take) as usize)
    }

    /// The rows of a batch that pass: all of it borrowed, or a copy of a part.
    pub fn cut(
        &mut self,
        batch: &Batch,
        emit: &mut dyn FnMut(&Batch) -> SqlResult<ControlFlow<()>>,
    ) -> SqlResult<ControlFlow<()>> {
        let n = batch.len as u64;
        if self.skip == 0 && self.left >= n {
            self.seen += n;
            self.left -= n;
            let flow = emit(batch)?;
            return Ok(if self.left == 0 { ControlFlow::Break(()) } else { flow });
        }
        let from = self.skip.min(n);
        let take = self.left.min(n - from);
        self.skip -= from;
        self.left -= take;
        self.seen += from + take;
        let mut flow = ControlFlow::Continue(());
        if take > 0 {
            let mut part = Batch { columns: Vec::with_capacity(batch.columns.len()), len: take as usize };
            for v in &batch.columns {
                let mut to = crate::types::Vector::new(v.class());
                // vectors that nobody reads hold no rows
                if v.is_constant() || v.len() as u64 >= from + take {
                    for row in from..from + take {
                        to.push_from(v, row as usize);
                    }
                }
                part.columns.push(to);
            }
            flow = emit(&part)?;
        }
        Ok(if self.left == 0 { ControlFlow::Break(()) } else { flow })
    }
}

/// A prepared plan kept by sessions and statement caches.
pub type SharedPlan = Arc<QueryPlan>;

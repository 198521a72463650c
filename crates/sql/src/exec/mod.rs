//! Running plans: a sink pulls chunks of rows through sorting, grouping and joins from access paths (`operator` has the contract).

pub mod accumulate;
pub mod aggregate;
mod answers;
pub mod block;
pub mod counters;
pub mod direct;
mod distinct;
mod distinct_rows;
pub mod full_text;
mod group_keys;
pub mod groups;
pub mod handler;
pub mod hash;
mod hits;
pub mod join;
pub mod json_table;
mod key_end;
mod keyed;
pub mod keyset;
pub mod keysort;
pub mod level;
pub mod lookup;
pub mod matching;
pub mod materialize;
mod measure;
pub mod operator;
mod parallel;
mod partition;
mod places;
pub mod project;
pub mod quick;
mod recursive;
mod result;
pub mod rows;
pub mod running;
pub mod runs;
pub mod setop;
mod shared_sort;
pub mod shortcut;
pub mod sort;
pub mod sortkey;
pub mod source;
pub mod spill;
pub mod spilled_groups;
pub mod spool;
mod stored;
pub mod subquery;
pub(crate) mod threads;
mod ties;
mod top_rows;
pub mod unique;
mod wanted;
mod window;

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use pages::Snapshot;

use self::counters::ReadCounters;
use self::join::build::Built;
use self::operator::{Chunk, Operator};
use crate::error::{SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Frame, Node, Rows};
use crate::plan::{Body, LimitPlan, QueryPlan, Step, explain, workings};
use crate::result::ResultSink;
use crate::table::Scan;
use crate::types::{Batch, Value};

/// What a running query works with.
pub struct Exec<'e> {
    /// The tables as of the statement's start.
    pub snapshot: &'e Snapshot<'e>,
    /// What subqueries remember between their runs, by address of the plan.
    pub memory: RefCell<subquery::Memory>,
    /// Rows read, for the status counters.
    pub counters: RefCell<ReadCounters>,
    /// What of the file of a join's first table is scanned: all, or the part that is this thread's.
    pub part: Cell<Scan>,
    /// Rows of a join's first tables that were joined before, for who joins the rest.
    head: Cell<Option<join::head::Head>>,
    /// Hash tables of joins that are made, by address of the step.
    built: RefCell<Vec<(usize, Built)>>,
    /// What look-ups by key use again and again; the session keeps it between statements.
    pub lookup: Cell<Option<Box<lookup::Buffers>>>,
    /// What the statement's plan chose is counted.
    counted: Cell<bool>,
    /// Of the rows of the plan that is opened next only the number is asked for.
    unread: Cell<bool>,
    /// Which columns of the plan that is opened next are computed strictly in its first row.
    strict: Cell<Vec<bool>>,
    /// Recursive expressions that are being made, the innermost last.
    working: RefCell<Vec<recursive::InWork>>,
}

impl<'e> Exec<'e> {
    /// An execution over a snapshot, with the buffers of the one before.
    #[must_use]
    pub fn new(snapshot: &'e Snapshot<'e>, lookup: Option<Box<lookup::Buffers>>) -> Exec<'e> {
        let lookup = Cell::new(lookup);
        Exec {
            snapshot,
            memory: RefCell::default(),
            counters: RefCell::default(),
            part: Cell::default(),
            head: Cell::default(),
            built: RefCell::default(),
            lookup,
            counted: Cell::new(false),
            unread: Cell::new(false),
            strict: Cell::default(),
            working: RefCell::default(),
        }
    }

    /// The hash table of a step that was made before: what others may share stays.
    fn take_built(&self, step: &Step) -> Option<Built> {
        let mut all = self.built.borrow_mut();
        let at = all.iter().position(|(of, _)| *of == std::ptr::from_ref(step).addr())?;
        match &all[at].1.side {
            Some(side) => Some(Built { side: Some(Arc::clone(side)), parted: None }),
            None => Some(all.swap_remove(at).1),
        }
    }

    /// Counts what the statement's plan chose, when it begins to run: the plan of the whole comes first.
    pub(crate) fn count_plan(&self, plan: &QueryPlan) {
        if !self.counted.replace(true) {
            workings::count(plan, &mut self.counters.borrow_mut().chosen);
        }
    }

    /// Begins to run a plan.
    ///
    /// # Errors
    /// Those of what is evaluated once, before there are rows.
    pub fn open<'p>(&'p self, plan: &'p QueryPlan, ctx: &mut EvalContext) -> SqlResult<Running<'p>> {
        self.count_plan(plan);
        if let Some(m) = ctx.statement.measuring.as_mut().filter(|m| !m.is_named()) {
            explain::places(plan, &mut |address, place| m.name(address, place));
        }
        Ok(Running { top: self.operator(plan, ctx)?, rows: Chunk::default() })
    }

    /// As [`Exec::open`], of a plan whose rows nobody looks at but to count them: their columns may be left out.
    ///
    /// # Errors
    /// As there.
    fn open_unread<'p>(&'p self, plan: &'p QueryPlan, ctx: &mut EvalContext) -> SqlResult<Running<'p>> {
        self.unread.set(true);
        let running = self.open(plan, ctx);
        self.unread.set(false);
        running
    }

    /// As [`Exec::open`]; what computing these columns of the first row warns of is an error, where they are computed as they are
    /// handed out: not where a table of groups or distinct rows has them.
    ///
    /// # Errors
    /// As there.
    pub fn open_strict<'p>(
        &'p self,
        plan: &'p QueryPlan,
        strict: Vec<bool>,
        ctx: &mut EvalContext,
    ) -> SqlResult<Running<'p>> {
        if matches!(plan.body, Body::Block(_)) && strict.contains(&true) {
            self.strict.set(strict);
        }
        let running = self.open(plan, ctx);
        self.strict.take();
        running
    }

    /// The operator of a plan: it gives the plan's columns.
    fn operator<'p>(
        &'p self,
        plan: &'p QueryPlan,
        ctx: &mut EvalContext,
    ) -> SqlResult<Box<dyn Operator + 'p>> {
        // Expressions may wait (SLEEP, GET_LOCK), and so may tables whose rows are made: rows are read with pins of their own.
        self.snapshot.unpin_until_read();
        match &plan.body {
            Body::Block(b) if ctx.measures() => {
                Ok(Box::new(measure::Measure::new(b, block::operator(self, plan, b, ctx)?)))
            }
            Body::Block(b) => block::operator(self, plan, b, ctx),
            Body::Values(rows) => Ok(Box::new(Values { exec: self, plan, rows: rows.iter() })),
            Body::Set(set) => setop::operator(self, plan, set, ctx),
            Body::Recursive(r) => Ok(recursive::operator(self, r)),
            Body::Working(w) => Ok(recursive::reference(self, w)),
        }
    }

    /// Sends the rows that wait in a sink. A page that could not be read was zeros: rows made of such are not sent.
    ///
    /// # Errors
    /// Read errors noticed until now, a client that is gone.
    fn flush(&self, plan: &QueryPlan, sink: &mut dyn ResultSink) -> SqlResult<()> {
        self.snapshot.unpin_until_read();
        for t in &plan.tables {
            for pages in t.all_pages() {
                pages.check_read().map_err(|e| crate::failure::from_pages(&e, &t.name))?;
            }
        }
        sink.flush()
    }

    /// Runs a plan into a sink: the columns, the rows, not the end. Gives the number of rows sent, and
    /// the number there would be without LIMIT when it was asked for.
    ///
    /// # Errors
    /// Those of reading, evaluating and sending.
    pub fn send(&self, plan: &QueryPlan, ctx: &mut EvalContext, sink: &mut dyn ResultSink) -> SqlResult<u64> {
        sink.start(&plan.schema)?;
        if let Body::Block(b) = &plan.body
            && b.direct.is_some()
            && !ctx.measures()
        {
            self.count_plan(plan);
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
        sink.start(&plan.schema)?;
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
        if most == 0 && !plan.calc_found_rows {
            return Ok(0);
        }
        let mut running = self.open(plan, ctx)?;
        'rows: while let Some(rows) = running.next_chunk(ctx)? {
            for i in 0..rows.len() {
                if sent == most {
                    break 'rows;
                }
                let row = rows.row(i);
                sink.begin_row();
                for (v, ty) in rows.rows.columns.iter().zip(&plan.types) {
                    crate::types::output::put(v.get(row), ty, sink, ctx);
                }
                sink.end_row();
                sent += 1;
            }
            if sink.wants_flush() {
                self.flush(plan, sink)?;
            }
        }
        running.finish(ctx)?;
        Ok(sent)
    }

    /// The first rows of a plan, in memory.
    ///
    /// # Errors
    /// Those of reading and evaluating.
    pub fn collect(&self, plan: &QueryPlan, ctx: &mut EvalContext, most: usize) -> SqlResult<rows::RowStore> {
        self.open(plan, ctx)?.collect(ctx, most)
    }
}

/// A plan that runs. Who takes its rows pulls them until they have enough, and finishes it.
pub struct Running<'p> {
    top: Box<dyn Operator + 'p>,
    rows: Chunk,
}

impl Running<'_> {
    /// The next rows, as they come; nothing behind the last. They stay until the next call.
    ///
    /// # Errors
    /// Those of reading and evaluating.
    pub fn next_chunk(&mut self, ctx: &mut EvalContext) -> SqlResult<Option<&Chunk>> {
        Ok(self.top.next(&mut self.rows, ctx)?.then_some(&self.rows))
    }

    /// As [`Running::next_chunk`], the rows side by side.
    ///
    /// # Errors
    /// As there.
    pub fn next(&mut self, ctx: &mut EvalContext) -> SqlResult<Option<&Batch>> {
        if !self.top.next(&mut self.rows, ctx)? {
            return Ok(None);
        }
        self.rows.pack(ctx);
        Ok(Some(&self.rows.rows))
    }

    /// At most so many rows; then no more are wanted.
    ///
    /// # Errors
    /// Those of reading and evaluating.
    pub fn collect(mut self, ctx: &mut EvalContext, most: usize) -> SqlResult<rows::RowStore> {
        let mut store = rows::RowStore::default();
        while store.len() < most
            && let Some(batch) = self.next(ctx)?
        {
            for row in 0..batch.len.min(most - store.len()) {
                store.push(&batch.columns, row);
            }
        }
        self.finish(ctx)?;
        Ok(store)
    }

    /// No more rows are wanted. What FOUND_ROWS tells of the plan is known then.
    ///
    /// # Errors
    /// Those of rows that are only counted.
    pub fn finish(mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.top.finish(ctx)
    }

    /// As [`Running::finish`]; gives the plan back, ready to run again, where all its operators can.
    ///
    /// # Errors
    /// As there.
    pub fn finish_and_rewind(mut self, ctx: &mut EvalContext) -> SqlResult<Option<Self>> {
        self.top.finish(ctx)?;
        Ok(self.top.rewind().then_some(self))
    }
}

/// VALUES: rows of expressions.
struct Values<'p, 'e> {
    exec: &'p Exec<'e>,
    plan: &'p QueryPlan,
    rows: std::slice::Iter<'p, Vec<Expr>>,
}

impl Operator for Values<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        let Some(row) = self.rows.next() else { return Ok(false) };
        let runner = subquery::Runner::new(self.exec, self.plan);
        let one = Batch::one_row();
        out.clear(ctx);
        for (e, ty) in row.iter().zip(&self.plan.types) {
            let v = e.eval(Frame { batch: &one, subqueries: Some(&runner) }, Rows::All(1), ctx)?;
            let mut column = ctx.take(ty.class());
            column.push_from(&v, 0);
            out.rows.columns.push(column);
            ctx.done(v);
        }
        out.rows.len = 1;
        Ok(true)
    }
}

/// A number of rows that LIMIT names. A parameter of another type counts as the integer that it converts to.
///
/// # Errors
/// Those of evaluating it; 1210 for what is no number of rows.
pub fn asked_rows(e: &Expr, ctx: &mut EvalContext) -> SqlResult<u64> {
    let wrong = |what: &str| SqlError::new(crate::error::ER_WRONG_ARGUMENTS, &[&what]);
    let parameter = matches!(e.node, Node::Param(_));
    let n = match crate::plan::sarg::constant_value(e, ctx)? {
        Value::Int(n) => n,
        Value::UInt(n) => return Ok(n),
        Value::Null => 0,
        value if parameter => crate::types::convert::to_i64(value.as_ref(), &e.ty, false, ctx),
        _ => return Err(wrong("LIMIT")),
    };
    if parameter && n < 0 {
        return Err(wrong("EXECUTE"));
    }
    Ok(u64::try_from(n).unwrap_or(0))
}

/// Counts rows against LIMIT and OFFSET.
#[derive(Clone)]
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
        let mut value = |e: &Option<Expr>, default: u64| match e {
            Some(e) => asked_rows(e, ctx),
            None => Ok(default),
        };
        Ok(Limiter { skip: value(&plan.offset, 0)?, left: value(&plan.count, u64::MAX)?, seen: 0 })
    }

    /// How many rows a LIMIT asks for at most, skipped ones included; what is wrong with its numbers is told by who counts rows.
    ///
    /// # Errors
    /// Those of evaluating its operands.
    pub fn most(plan: &LimitPlan, ctx: &mut EvalContext) -> SqlResult<usize> {
        let mark = ctx.warnings.mark();
        let limiter = Limiter::new(plan, ctx)?;
        ctx.warnings.rollback_to(mark);
        Ok(limiter.needed())
    }

    /// No limit.
    #[must_use]
    pub fn none() -> Limiter {
        Limiter { skip: 0, left: u64::MAX, seen: 0 }
    }

    /// All rows are as the last one that is wanted.
    pub fn take_ties(&mut self) {
        if self.left > 0 {
            self.left = u64::MAX;
        }
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
}

/// A prepared plan kept by sessions and statement caches.
pub type SharedPlan = Arc<QueryPlan>;

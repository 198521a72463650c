//! Hash joins of tables that are more than memory may hold: both sides lie on disk in parts, and part meets part. The
//! rows come in the order memory would give, where that shows.

use std::ops::ControlFlow;

use super::{Joiner, Passes, Pipeline, State, step_mask};
use crate::ast::AggregateFunction as F;
use crate::error::SqlResult;
use crate::exec::Emit;
use crate::exec::hash::{self, Parted};
use crate::exec::runs::Runs;
use crate::exec::spool::{RowKeys, Spool};
use crate::expr::{AggregateCall, EvalContext};
use crate::memory::BATCH_ROWS;
use crate::types::{Batch, Class, Vector};

/// What is done with the rows to join with a piece of a table: see [`Joiner::each_part`].
type PartFn<'a, 'p> =
    &'a mut dyn FnMut(&Batch, bool, &mut [State<'p>], &mut EvalContext) -> SqlResult<ControlFlow<()>>;

impl<'p> Joiner<'p, '_> {
    /// Joins what was put off, part by part. Rows that meet a later parted table wait for its turn.
    pub(super) fn parts(
        &self,
        states: &mut [State<'p>],
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<ControlFlow<()>> {
        let steps = states.len();
        let ordered = self.order_matters();
        let mut done = 0;
        for at in 0..steps {
            let after = done | step_mask(states[at].step);
            if let Some(parted) = states[at].parted.take() {
                let flow = if ordered {
                    self.parts_in_order(states, at, done, parted, ctx, emit)?
                } else {
                    self.each_part(parted, &mut states[at..], ctx, &mut |input, _, states, ctx| {
                        self.join(Pipeline { states, tables: done, steps }, input, ctx, emit)
                    })?
                };
                if flow.is_break() {
                    return Ok(flow);
                }
                states[at].hash = None;
            }
            done = after;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Joins what a step put off, puts the rows back into the order of those they come from, and hands them on.
    fn parts_in_order(
        &self,
        states: &mut [State<'p>],
        at: usize,
        done: u64,
        parted: Parted,
        ctx: &mut EvalContext,
        emit: Emit<'_>,
    ) -> SqlResult<ControlFlow<()>> {
        let steps = states.len();
        let after = done | step_mask(states[at].step);
        let slots = self.slots_of(after);
        let mut runs = Runs::new(&ctx.budget);
        let mut run: Option<Spool> = None;
        // a column for the number of the row stands behind the slots
        states[at].out.columns.push(Vector::new(Class::UInt));
        let _ = self.each_part(parted, &mut states[at..=at], ctx, &mut |input, first, states, ctx| {
            if first && let Some(done) = run.take() {
                runs.end(done)?;
            }
            let run = match &mut run {
                Some(r) => r,
                none => none.insert(runs.begin()?),
            };
            let alone = Pipeline { states, tables: done, steps: at + 1 };
            self.join(alone, input, ctx, &mut |out, _| {
                for row in 0..out.len {
                    let number = out.columns[self.block.slots].i64(row).to_be_bytes();
                    run.push(&number, slots.iter().map(|s| &out.columns[*s]), row)?;
                }
                Ok(ControlFlow::Continue(()))
            })
        })?;
        states[at].out.columns.pop();
        states[at].hash = None;
        if let Some(run) = run {
            runs.end(run)?;
        }
        let mut merge = runs.merge()?;
        let mut rows = Batch::default();
        while merge.batch(&mut rows, BATCH_ROWS)? {
            ctx.check_killed()?;
            let mut input = self.slots();
            input.len = rows.len;
            for (slot, column) in slots.iter().zip(&mut rows.columns) {
                std::mem::swap(&mut input.columns[*slot], column);
            }
            let later = Pipeline { states: &mut states[at + 1..], tables: after, steps };
            let flow = self.run_step(later, &input, ctx, emit)?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Loads the parts of a table one after the other, in pieces that fit, and hands the rows to join with each to
    /// `f`: a batch with their numbers behind the slots, and whether it is the first of a piece.
    fn each_part(
        &self,
        parted: Parted,
        states: &mut [State<'p>],
        ctx: &mut EvalContext,
        f: PartFn<'_, 'p>,
    ) -> SqlResult<ControlFlow<()>> {
        let (pairs, before) = parted.into_pairs()?;
        for (build, probe) in pairs {
            let count = usize::try_from(probe.rows()).unwrap_or(0);
            let (mut build, probe) = (build.read()?, probe.read()?);
            states[0].passes = Some(Passes { matched: vec![false; count], ..Passes::default() });
            loop {
                let (side, more) = hash::load(&mut build, &ctx.budget)?;
                states[0].hash = Some(side);
                let mut base = 0;
                let mut reader = probe.again();
                let (mut rows, mut keys) = (Batch::default(), RowKeys::default());
                while reader.batch(&mut rows, &mut keys)? {
                    let mut input = self.slots();
                    input.len = rows.len;
                    for (slot, column) in before.iter().zip(&mut rows.columns) {
                        std::mem::swap(&mut input.columns[*slot], column);
                    }
                    let mut numbers = Vector::new(Class::UInt);
                    for (_, key) in keys.iter() {
                        numbers.push_i64(key.first_chunk().map_or(0, |k| i64::from_be_bytes(*k)));
                    }
                    input.columns.push(numbers);
                    if let Some(p) = &mut states[0].passes {
                        p.base = base;
                        p.last = !more;
                    }
                    let flow = f(&input, base == 0, states, ctx)?;
                    if flow.is_break() {
                        return Ok(flow);
                    }
                    base += input.len;
                }
                if !more {
                    break;
                }
            }
            states[0].passes = None;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether the result shows in which order rows are joined.
    fn order_matters(&self) -> bool {
        let Some(g) = &self.block.group else { return true };
        let exact = |a: &AggregateCall| match a.function {
            F::Count | F::Min | F::Max | F::BitAnd | F::BitOr | F::BitXor => true,
            F::Sum | F::Avg => {
                matches!(
                    a.args.first().map(|e| e.ty.class()),
                    Some(Class::Int | Class::UInt | Class::Decimal)
                )
            }
            _ => false,
        };
        // a column beside aggregates is that of the first row
        let mut plain = !g.items.is_empty() || !g.keys.is_empty();
        for e in self.block.output.iter().chain(&self.block.having) {
            e.columns(&mut |c| plain |= c.table != u32::MAX);
        }
        plain || !g.aggregates.iter().all(exact)
    }
}

//! Rows of a table that every row of the tables before meets alike: from the third time on they come from memory, where there
//! is room for them, and conditions on the table alone are not looked at again.

use std::rc::Rc;

use super::{JoinStep, all_at_once, step_mask};
use crate::error::SqlResult;
use crate::exec::operator::pack;
use crate::expr::{EvalContext, Expr, Frame, Node, Rows};
use crate::memory::BATCH_BYTES;
use crate::memory::BATCH_ROWS;
use crate::plan::access::has_subquery;
use crate::plan::from::{conjunction, conjuncts};
use crate::plan::{Access, PlanTable, Relation, Step, StepKind};
use crate::types::Batch;

/// Bytes a buffer may have at most: values are addressed with 32 bits.
const MOST: usize = 1 << 30;

/// What a step does about a buffer.
#[derive(Default)]
pub(super) enum Buffer {
    /// The table was not read yet.
    #[default]
    None,
    /// It was read once.
    Wanted,
    /// Rows are gathered while they are read.
    Filling(Batch),
    /// All rows were gathered.
    Full(Batch),
    /// Rows come from here.
    Ready(Ready),
    /// There is no room, or the rows differ.
    Refused,
}

/// A buffer in use.
pub(super) struct Ready {
    rows: Batch,
    slots: Vec<usize>,
    next: usize,
    /// Rows handed out at once.
    portion: usize,
    rest: Rc<Rest>,
}

/// The conditions that are left for the rows of a buffer.
pub(super) struct Rest {
    pub on: Option<Expr>,
    pub filter: Option<Expr>,
}

impl Buffer {
    /// Notes that the table is about to be read from its beginning. True when all its rows were gathered:
    /// [`JoinStep::use_buffer`] has to be called before.
    pub fn begin(&mut self, step: &Step, table: &PlanTable) -> bool {
        match self {
            Buffer::None => {
                let alike = match &step.access {
                    Access::Scan
                    | Access::KeyScan { .. }
                    | Access::Range { .. }
                    | Access::Spatial(_)
                    | Access::IndexMerge(_) => true,
                    Access::Lookup { parts, .. } => parts.iter().all(|p| p.value.tables() == 0),
                    _ => false,
                };
                let stored = matches!(table.relation, Relation::Base(_));
                *self = if alike && stored { Buffer::Wanted } else { Buffer::Refused };
            }
            Buffer::Wanted => *self = Buffer::Filling(Batch::default()),
            _ => {}
        }
        matches!(self, Buffer::Full(_))
    }

    /// Gathers the rows of `out` from `from` on.
    pub fn take(&mut self, out: &Batch, from: usize, slots: &[usize], budget: usize) {
        let Buffer::Filling(rows) = self else { return };
        if rows.columns.is_empty() {
            rows.columns = out.columns.iter().map(|v| crate::types::Vector::new(v.class())).collect();
        }
        for slot in slots {
            rows.columns[*slot].append(&out.columns[*slot], from..out.len);
        }
        rows.len += out.len - from;
        if rows.memory() > budget.min(MOST) {
            *self = Buffer::Refused;
        }
    }

    /// The table was read to its end.
    pub fn end(&mut self) {
        if let Buffer::Filling(rows) = self {
            *self = Buffer::Full(std::mem::take(rows));
        }
    }

    /// The buffer, when rows come from it.
    pub fn ready(&mut self) -> Option<&mut Ready> {
        match self {
            Buffer::Ready(ready) => Some(ready),
            _ => None,
        }
    }

    /// The conditions left, when rows come from the buffer.
    pub fn rest(&self) -> Option<Rc<Rest>> {
        match self {
            Buffer::Ready(ready) => Some(Rc::clone(&ready.rest)),
            _ => None,
        }
    }
}

impl Ready {
    /// Goes back to the first row; false when there is none.
    pub fn rewind(&mut self) -> bool {
        self.next = 0;
        self.rows.len > 0
    }

    /// Appends further rows to `out`, until it holds `most`; false at the end.
    pub fn fill(&mut self, out: &mut Batch, most: usize) -> bool {
        let count = most.saturating_sub(out.len).min(self.portion).min(self.rows.len - self.next);
        for slot in &self.slots {
            out.columns[*slot].append(&self.rows.columns[*slot], self.next..self.next + count);
        }
        out.len += count;
        self.next += count;
        self.next < self.rows.len
    }
}

impl JoinStep<'_, '_> {
    /// What a row of a step's table must meet whatever it is joined with, and the other conditions.
    pub(super) fn conditions_alone(&self) -> (Option<Expr>, Rest) {
        let step = self.step;
        let mine = step_mask(step);
        let split = |e: Option<&Expr>, local: &mut Vec<Expr>| {
            let mut all = Vec::new();
            if let Some(e) = e.cloned() {
                conjuncts(e, &mut all);
            }
            let alone =
                |c: &Expr| c.tables() == mine && c.is_repeatable() && !has_subquery(c) && !reads_variable(c);
            let (own, rest): (Vec<Expr>, Vec<Expr>) = all.into_iter().partition(alone);
            local.extend(own);
            conjunction(rest)
        };
        let mut local = Vec::new();
        let on = split(step.on.as_ref(), &mut local);
        // behind an outer join rows are looked at after those without a match have come
        let filter = match step.kind {
            StepKind::Left => step.filter.clone(),
            _ => split(step.filter.as_ref(), &mut local),
        };
        (conjunction(local), Rest { on, filter })
    }

    /// Lets rows come from the buffer, which is full: those that meet the conditions on this table alone.
    pub(super) fn use_buffer(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        let step = self.step;
        let Buffer::Full(mut rows) = std::mem::take(&mut self.buffer) else { return Ok(()) };
        let (local, mut rest) = self.conditions_alone();
        if let Some(condition) = local {
            let mut keep = Vec::new();
            let runner = self.joined.runner(&self.kept);
            let frame = Frame { batch: &rows, subqueries: Some(&runner) };
            let all = Rows::All(rows.len);
            if all_at_once(true, ctx, |ctx| condition.filter(frame, all, ctx, &mut keep))?.is_none() {
                // it warns, or fails, where rows are joined
                rest = Rest { on: step.on.clone(), filter: step.filter.clone() };
            } else if keep.len() < rows.len {
                pack(&mut rows, &keep, ctx);
            }
        }
        let each = rows.byte_len() / rows.len.max(1);
        let portion = (BATCH_BYTES / each.max(1)).clamp(1, BATCH_ROWS);
        let slots = self.slots.clone();
        self.buffer = Buffer::Ready(Ready { rows, slots, next: 0, portion, rest: Rc::new(rest) });
        Ok(())
    }
}

/// Whether a condition has a user variable in it, which may change from row to row.
pub(super) fn reads_variable(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::UserVariable(_)));
    found
}

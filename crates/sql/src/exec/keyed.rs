//! EXISTS and IN, answered for single outer rows or from a set (`plan::keyed`, `plan::by_row`).
//!
//! A subquery begins to be run for each outer row. What these runs read is counted; when it is more than reading all of the subquery's rows
//! once would be, that is done, and further outer rows are looked up. So no estimate decides, and neither way costs much more than
//! the better one.

use std::cell::RefCell;
use std::rc::Rc;

use super::keyset::{KeySet, KeySetBuilder};
use super::subquery::{Runner, encode_as, told};
use super::{Exec, Running};
use crate::error::{Origin, SqlResult};
use crate::expr::{EvalContext, Frame, Rows, SubqueryKind, SubqueryNode};
use crate::plan::keyed::Keyed;
use crate::plan::{QueryPlan, SubqueryPlan};
use crate::types::Value;

/// What a run costs beside the rows it reads, in rows that are read and put into a set: 4 us where those take 0.1 us each.
const RUN: u64 = 40;

/// Below so many rows it does not matter.
const FEW: u64 = 20_000;

/// How the outer rows of a subquery are answered.
#[derive(Clone)]
pub enum Way {
    /// Row by row, which has cost so much.
    Runs(u64),
    /// From a set.
    Set(Rc<Members>),
    /// Row by row: something is wrong with rows that the subquery would not have looked at.
    RunsOnly,
    /// Looking for single values, which has cost so much; whether there are rows without a value, once that is known.
    Seeks(u64, Option<bool>),
}

/// The rows of a subquery, by what its outer row equals.
pub struct Members {
    /// Keys of rows without NULL.
    whole: KeySet,
    /// Keys of rows where the column that IN compares is NULL, without it.
    unknown: KeySet,
    room: RefCell<(Vec<u8>, Vec<u8>)>,
}

impl<'p> Runner<'_, 'p, '_> {
    /// The answer for the outer row whose values are in `ctx`.
    pub(super) fn answer(
        &self,
        sub: &'p SubqueryPlan,
        node: &SubqueryNode,
        left: &[Value],
        ctx: &mut EvalContext,
    ) -> SqlResult<Value> {
        let Some(keyed) = sub.keyed.as_deref().filter(|_| !ctx.measures()) else {
            return self.found_or_known(sub, node, left, ctx);
        };
        let exec = self.exec();
        let at = std::ptr::from_ref(sub).addr();
        let way = exec.memory.borrow().ways.get(&at).cloned();
        let spent = match way {
            None => 0,
            Some(Way::Runs(spent)) => spent,
            Some(Way::RunsOnly | Way::Seeks(..)) => return self.found(&sub.plan, node, left, ctx),
            Some(Way::Set(members)) => {
                return match members.answer(keyed, node, left, ctx)? {
                    Some(answer) => Ok(answer),
                    None => self.found(&sub.plan, node, left, ctx),
                };
            }
        };
        if spent > FEW && spent as f64 > keyed.rows {
            let way = members(exec, keyed, node, ctx)?.map_or(Way::RunsOnly, |m| Way::Set(Rc::new(m)));
            exec.memory.borrow_mut().ways.insert(at, way);
            return self.answer(sub, node, left, ctx);
        }
        let read = || {
            let counters = exec.counters.borrow();
            counters.rows + counters.key
        };
        let before = read();
        let answer = self.found(&sub.plan, node, left, ctx)?;
        let spent = spent + RUN + (read() - before);
        exec.memory.borrow_mut().ways.insert(at, Way::Runs(spent));
        Ok(answer)
    }
}

impl<'p> Runner<'_, 'p, '_> {
    /// Whether the rows of a subquery that refers to nothing around have a value; none where the set of all its rows must tell.
    pub(super) fn sought(
        &self,
        sub: &'p SubqueryPlan,
        node: &SubqueryNode,
        left: &[Value],
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Value>> {
        let (Some(by_row), [value]) = (sub.by_row.as_deref().filter(|_| !ctx.measures()), left) else {
            return Ok(None);
        };
        if value.is_null() {
            return Ok(None);
        }
        let exec = self.exec();
        let at = std::ptr::from_ref(sub).addr();
        let (spent, mut null) = match exec.memory.borrow().ways.get(&at) {
            None => (0, None),
            Some(Way::Seeks(spent, null)) => (*spent, *null),
            Some(_) => return Ok(None),
        };
        if spent > FEW && spent as f64 > by_row.all {
            exec.memory.borrow_mut().ways.insert(at, Way::RunsOnly);
            return Ok(None);
        }
        let read = || {
            let counters = exec.counters.borrow();
            counters.rows + counters.key
        };
        let before = read();
        let outer = std::mem::replace(&mut ctx.statement.outer, left.to_vec());
        let mark = ctx.warnings.mark();
        let mut found = self.exists(&by_row.found, node.id | FOUND, ctx);
        if matches!(found, Ok(false)) && null.is_none() {
            let there = by_row.null.as_ref().map_or(Ok(false), |plan| self.exists(plan, node.id | NULL, ctx));
            match there {
                Ok(there) => null = Some(there),
                Err(e) => found = Err(e),
            }
        }
        ctx.statement.outer = outer;
        ctx.check_killed()?;
        let whole = ctx.warnings.mark() == mark;
        let found = match found {
            Ok(found) if whole => found,
            Err(e) if e.origin != Origin::Statement => return Err(e),
            // it is told for all rows, once
            _ => {
                ctx.warnings.rollback_to(mark);
                exec.memory.borrow_mut().ways.insert(at, Way::RunsOnly);
                return Ok(None);
            }
        };
        let spent = spent + RUN + (read() - before);
        exec.memory.borrow_mut().ways.insert(at, Way::Seeks(spent, null));
        let truth = if found { Some(true) } else { (null == Some(false)).then_some(false) };
        let negated = matches!(node.kind, SubqueryKind::In { negated: true });
        Ok(Some(told(truth, negated)))
    }

    /// Whether a query has a row. Its operators are kept under a number.
    fn exists(&self, plan: &'p QueryPlan, id: u32, ctx: &mut EvalContext) -> SqlResult<bool> {
        let mut running = self.open(id, plan, ctx)?;
        let found = running.next_chunk(ctx)?.is_some_and(|chunk| !chunk.is_empty());
        self.keep(id, running, ctx)?;
        Ok(found)
    }
}

/// Numbers of a subquery's operators that look for a value, and for a row without one.
const FOUND: u32 = 1 << 31;
const NULL: u32 = 1 << 30;

/// Reads all rows of a subquery; none when that warns or fails, as runs for single rows might not.
fn members<'p>(
    exec: &'p Exec<'_>,
    keyed: &'p Keyed,
    node: &SubqueryNode,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Members>> {
    let mark = ctx.warnings.mark();
    // nothing in it refers to the row around
    let outer = std::mem::take(&mut ctx.statement.outer);
    let made = read(exec, keyed, node, ctx);
    ctx.statement.outer = outer;
    ctx.check_killed()?;
    if ctx.warnings.mark() == mark {
        match made {
            Err(e) if e.origin == Origin::Statement => {}
            made => return made.map(Some),
        }
    }
    ctx.warnings.rollback_to(mark);
    Ok(None)
}

fn read<'p>(
    exec: &'p Exec<'_>,
    keyed: &'p Keyed,
    node: &SubqueryNode,
    ctx: &mut EvalContext,
) -> SqlResult<Members> {
    let budget = ctx.budget.shared(2);
    let (mut whole, mut unknown) = (KeySetBuilder::new(&budget), KeySetBuilder::new(&budget));
    let (mut key, mut scratch) = (Vec::new(), Vec::new());
    let mut running: Running<'p> = exec.open(&keyed.plan, ctx)?;
    while let Some(batch) = running.next(ctx)? {
        let mut compared = Vec::with_capacity(node.compare_as.len());
        for e in &node.compare_as {
            compared.push(e.eval(Frame::new(batch), Rows::All(batch.len), ctx)?);
        }
        let (ties, ins) = (&batch.columns[node.compare_as.len()..], &compared);
        for row in 0..batch.len {
            if ties.iter().any(|v| v.is_null(row)) {
                continue;
            }
            key.clear();
            for (by, v) in keyed.by.iter().zip(ties) {
                encode_as(v.get(row), Some(by), &mut key, &mut scratch);
            }
            if ins.iter().any(|v| v.is_null(row)) {
                unknown.insert(&key)?;
                continue;
            }
            for (i, v) in ins.iter().enumerate() {
                encode_as(v.get(row), node.by.get(i), &mut key, &mut scratch);
            }
            whole.insert(&key)?;
        }
        compared.into_iter().for_each(|v| ctx.done(v));
    }
    running.finish(ctx)?;
    Ok(Members { whole: whole.finish()?, unknown: unknown.finish()?, room: RefCell::new((key, scratch)) })
}

impl Members {
    /// The answer for an outer row; none when only a run for it can tell.
    fn answer(
        &self,
        keyed: &Keyed,
        node: &SubqueryNode,
        left: &[Value],
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Value>> {
        let negated = match node.kind {
            SubqueryKind::In { negated } => negated,
            _ => false,
        };
        if left.iter().any(Value::is_null) {
            return Ok(None);
        }
        let mark = ctx.warnings.mark();
        let mut room = self.room.borrow_mut();
        let (key, scratch) = &mut *room;
        key.clear();
        for (e, by) in keyed.outer.iter().zip(&keyed.by) {
            let value = e.value(ctx)?;
            if ctx.warnings.mark() != mark {
                // it is told as often as the comparison is made
                ctx.warnings.rollback_to(mark);
                return Ok(None);
            }
            if value.is_null() {
                return Ok(Some(told(Some(false), negated)));
            }
            encode_as(value.as_ref(), Some(by), key, scratch);
        }
        let ties = key.len();
        for (i, v) in left.iter().enumerate() {
            encode_as(v.as_ref(), node.by.get(i), key, scratch);
        }
        let truth = if self.whole.contains(key)? {
            Some(true)
        } else if !left.is_empty() && self.unknown.contains(&key[..ties])? {
            None
        } else {
            Some(false)
        };
        Ok(Some(told(truth, negated)))
    }
}

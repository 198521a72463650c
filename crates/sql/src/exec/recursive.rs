//! WITH RECURSIVE: the terms that refer to the expression run over the rows of the pass before, until there are no new ones.

use super::Exec;
use super::groups::Groups;
use super::matching::Matching;
use super::materialize::{MaterializedReader, MaterializedRows, Materializer};
use super::operator::{Chunk, Operator};
use super::setop::Seen;
use super::sortkey::{self, KeySpec};
use crate::error::{SqlResult, codes};
use crate::expr::EvalContext;
use crate::memory::{BATCH_ROWS, Budget};
use crate::plan::QueryPlan;
use crate::plan::recursive::{Group, Member, RecursivePlan, Working};
use crate::types::load;
use crate::types::store::{StoreMode, Stored, store};
use crate::types::{Batch, Kind, Value, Vector};
use crate::warning::Level;

/// What the expressions of a group have while they are made: the rows of the last pass, and all rows where they are asked for.
pub(super) struct InWork {
    id: u32,
    members: Vec<(MaterializedRows, Option<MaterializedRows>)>,
}

/// The operator of an expression of a group.
pub(super) fn operator<'p>(exec: &'p Exec<'_>, plan: &'p RecursivePlan) -> Box<dyn Operator + 'p> {
    Box::new(Recursive { exec, plan, rows: None })
}

/// The operator of a reference within the group.
pub(super) fn reference<'p>(exec: &'p Exec<'_>, of: &'p Working) -> Box<dyn Operator + 'p> {
    Box::new(Reference { exec, of, rows: None })
}

struct Recursive<'p, 'e> {
    exec: &'p Exec<'e>,
    plan: &'p RecursivePlan,
    rows: Option<MaterializedReader>,
}

impl Operator for Recursive<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        ctx.check_killed()?;
        let rows = match &mut self.rows {
            Some(rows) => rows,
            none => none.insert(compute(self.exec, self.plan, ctx)?.read()),
        };
        out.select_all();
        rows.next_batch(&mut out.rows)
    }

    fn rewind(&mut self) -> bool {
        self.rows = None;
        true
    }
}

struct Reference<'p, 'e> {
    exec: &'p Exec<'e>,
    of: &'p Working,
    rows: Option<MaterializedReader>,
}

impl Operator for Reference<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        ctx.check_killed()?;
        if self.rows.is_none() {
            let all = self.exec.working.borrow();
            let group = all.iter().rev().find(|g| g.id == self.of.id);
            let Some((last, whole)) = group.and_then(|g| g.members.get(self.of.member)) else {
                return Ok(false);
            };
            let rows = if self.of.whole { whole.as_ref().unwrap_or(last) } else { last };
            self.rows = Some(rows.read());
        }
        out.select_all();
        match &mut self.rows {
            Some(rows) => rows.next_batch(&mut out.rows),
            None => Ok(false),
        }
    }

    fn rewind(&mut self) -> bool {
        self.rows = None;
        true
    }
}

/// Which rows of an expression were there before.
enum Known {
    /// All rows stay.
    Nothing,
    /// Their keys, in memory.
    Keys(Box<Groups>),
    /// They are more than memory holds: those of a pass are compared with all rows.
    Rows,
}

/// The rows of an expression so far.
struct Made<'p> {
    member: &'p Member,
    specs: Vec<KeySpec>,
    all: Materializer,
    rows: u64,
    known: Known,
    /// Those who read all rows are among the terms of the group.
    whole: bool,
    budget: Budget,
}

fn compute(exec: &Exec<'_>, plan: &RecursivePlan, ctx: &mut EvalContext) -> SqlResult<MaterializedRows> {
    let group = &*plan.group;
    let place = exec.working.borrow().len();
    let empty = Materializer::new(&ctx.budget).finish()?;
    let members = group.members.iter().map(|_| (empty.clone(), None)).collect();
    exec.working.borrow_mut().push(InWork { id: group.id, members });
    let made = passes(exec, group, plan.result, place, ctx);
    exec.working.borrow_mut().truncate(place);
    made
}

/// Runs the anchors, and the other terms as long as they find something.
fn passes(
    exec: &Exec<'_>,
    group: &Group,
    result: usize,
    place: usize,
    ctx: &mut EvalContext,
) -> SqlResult<MaterializedRows> {
    // each expression holds its rows, their keys and those of a pass
    let budget = ctx.budget.shared(group.members.len() * 3);
    let mut made: Vec<Made<'_>> = group.members.iter().map(|m| Made::new(m, group, &budget)).collect();
    for (n, m) in made.iter_mut().enumerate() {
        let found = m.pass(exec, &m.member.anchors.iter().map(|p| &**p).collect::<Vec<_>>(), ctx)?;
        m.publish(exec, (place, n), found, ctx)?;
    }
    // those without anchors come first: they make what the others read
    let mut order: Vec<usize> = (0..made.len()).collect();
    order.sort_by_key(|n| !made[*n].member.anchors.is_empty());
    let anchored = !made[result].member.anchors.is_empty();
    let mut pass = 0;
    loop {
        ctx.check_killed()?;
        if pass == ctx.max_recursive_iterations {
            let going = exec.working.borrow()[place].members.iter().any(|(last, _)| !last.is_empty());
            if going {
                let (name, limit) = ("max_recursive_iterations =", ctx.max_recursive_iterations);
                ctx.warnings.push(Level::Warning, codes::ER_QUERY_RESULT_INCOMPLETE, &[&name, &limit]);
            }
            break;
        }
        let mut going = false;
        for n in order.iter().copied() {
            let m = &mut made[n];
            let steps: Vec<&QueryPlan> = m.member.steps.iter().map(|p| &**p).collect();
            let found = m.pass(exec, &steps, ctx)?;
            going |= !found.is_empty() && (!anchored || n == result);
            m.publish(exec, (place, n), found, ctx)?;
        }
        if !going {
            break;
        }
        pass += 1;
    }
    made.swap_remove(result).all.finish()
}

impl<'p> Made<'p> {
    fn new(member: &'p Member, group: &Group, budget: &Budget) -> Made<'p> {
        let key = member.key.as_deref().unwrap_or_default();
        let specs = key.iter().map(|at| KeySpec::new(*at, &member.types[*at], false)).collect();
        let known = if member.key.is_some() { Known::Keys(Box::default()) } else { Known::Nothing };
        let whole = group.members.iter().flat_map(|m| &m.steps).any(|p| reads_whole(p));
        let all = Materializer::new(budget);
        Made { member, specs, all, rows: 0, known, whole, budget: budget.clone() }
    }

    /// The new rows that these plans give.
    fn pass(
        &mut self,
        exec: &Exec<'_>,
        plans: &[&QueryPlan],
        ctx: &mut EvalContext,
    ) -> SqlResult<MaterializedRows> {
        let mut found = Materializer::new(&self.budget);
        let mut rows = Chunk::default();
        let (mut key, mut scratch) = (Vec::new(), Vec::new());
        for plan in plans {
            let mut top = exec.operator(plan, ctx)?;
            while top.next(&mut rows, ctx)? {
                rows.pack(ctx);
                let stored = self.stored(&rows.rows, plan, ctx)?;
                for row in 0..stored.len {
                    if let Known::Keys(known) = &mut self.known {
                        key.clear();
                        sortkey::encode(&stored.columns, &self.specs, row, &mut key, &mut scratch);
                        if !known.insert(&key).1 {
                            continue;
                        }
                    }
                    found.push(&stored.columns, row)?;
                }
            }
            top.finish(ctx)?;
        }
        let mut found = found.finish()?;
        if let Known::Rows = self.known {
            found = self.unknown(&found, ctx)?;
        }
        if let Known::Keys(known) = &self.known
            && self.budget.exceeds_table(known.memory())
        {
            self.known = Known::Rows;
        }
        copy(&found, &mut self.all, ctx)?;
        self.rows += found.len();
        exec.counters.borrow_mut().tmp_write += found.len();
        Ok(found)
    }

    /// Of the rows of a pass those that were not there before, each once.
    fn unknown(&mut self, found: &MaterializedRows, ctx: &mut EvalContext) -> SqlResult<MaterializedRows> {
        let all = self.reread(ctx)?;
        let mut before = Matching::new(false, false, &self.budget);
        let (mut key, mut scratch) = (Vec::new(), Vec::new());
        let mut reader = all.read();
        while let Some((batch, rows)) = reader.next_run(BATCH_ROWS)? {
            ctx.check_killed()?;
            for row in rows {
                key.clear();
                sortkey::encode(&batch.columns, &self.specs, row, &mut key, &mut scratch);
                before.add(&key)?;
            }
        }
        let mut out = Materializer::new(&self.budget);
        let mut seen = Seen::new(&self.specs, ctx);
        let mut reader = found.read();
        while let Some((batch, rows)) = reader.next_run(BATCH_ROWS)? {
            ctx.check_killed()?;
            for row in rows {
                key.clear();
                sortkey::encode(&batch.columns, &self.specs, row, &mut key, &mut scratch);
                if before.passes(&key, &batch.columns, row)? {
                    seen.push(batch, row, &mut out)?;
                }
            }
        }
        if let Some(mut rest) = before.rest()? {
            let mut batch = Batch::default();
            while rest.batch(&mut batch, BATCH_ROWS)? {
                ctx.check_killed()?;
                (0..batch.len).try_for_each(|row| seen.push(&batch, row, &mut out))?;
            }
        }
        seen.finish(&mut out)?;
        out.finish()
    }

    /// All rows so far, to be read; more may come afterwards.
    fn reread(&mut self, ctx: &mut EvalContext) -> SqlResult<MaterializedRows> {
        let all = std::mem::replace(&mut self.all, Materializer::new(&self.budget)).finish()?;
        copy(&all, &mut self.all, ctx)?;
        Ok(all)
    }

    /// Lets others read the rows of a pass.
    fn publish(
        &mut self,
        exec: &Exec<'_>,
        (place, n): (usize, usize),
        found: MaterializedRows,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let whole = match self.whole {
            true => Some(self.reread(ctx)?),
            false => None,
        };
        exec.working.borrow_mut()[place].members[n] = (found, whole);
        Ok(())
    }

    /// Rows as the columns of the expression have them.
    fn stored(&self, rows: &Batch, plan: &QueryPlan, ctx: &mut EvalContext) -> SqlResult<Batch> {
        let mode = StoreMode::of(ctx.sql_mode.strict());
        let mut out = Batch { columns: Vec::with_capacity(rows.columns.len()), len: rows.len };
        let mut bytes = Vec::new();
        for ((v, from), to) in rows.columns.iter().zip(&plan.types).zip(&self.member.columns) {
            let mut column = Vector::new(to.ty.class());
            for row in 0..rows.len {
                ctx.conversion.row = self.rows + row as u64 + 1;
                bytes.clear();
                if to.ty.length == 0 && to.ty.kind == Kind::Char && !v.is_null(row) {
                    // a column of NULLs has room for nothing
                    column.push_bytes(b"");
                    continue;
                }
                let value = match store(v.get(row), from, to, mode, &mut bytes, &mut ctx.conversion)? {
                    Stored::Value => load::value(Some(&bytes), &to.ty, &ctx.conversion),
                    Stored::Null | Stored::Kept => Value::Null,
                };
                column.push(value.as_ref());
            }
            out.columns.push(column);
        }
        Ok(out)
    }
}

fn copy(from: &MaterializedRows, to: &mut Materializer, ctx: &mut EvalContext) -> SqlResult<()> {
    let (mut reader, mut batch) = (from.read(), Batch::default());
    while reader.next_batch(&mut batch)? {
        ctx.check_killed()?;
        to.push_batch(&batch)?;
    }
    Ok(())
}

/// Whether a term reads all rows of an expression of its group.
fn reads_whole(plan: &QueryPlan) -> bool {
    use crate::plan::{Body, Relation};
    let here = match &plan.body {
        Body::Working(w) => w.whole,
        Body::Block(b) => {
            b.tables.iter().any(|t| matches!(&t.relation, Relation::Derived(p) if reads_whole(p)))
        }
        Body::Set(s) => s.terms.iter().any(|(_, p)| reads_whole(p)),
        Body::Values(_) | Body::Recursive(_) => false,
    };
    here || plan.subqueries.iter().any(|s| reads_whole(&s.plan))
}

//! UPDATE and DELETE over several tables.

use std::collections::HashSet;
use std::sync::Arc;

use crate::table::RowPos;

use super::delete::delete_row;
use super::prelock::Wanted;
use super::target::{Target, undoes};
use super::update::{Finished, answer, finish_row, positions, tables_of};
use super::view::with_checked;
use crate::error::{SqlError, SqlResult};
use crate::exec::Exec;
use crate::exec::materialize::{MaterializedRows, Materializer};
use crate::exec::subquery::Runner;
use crate::exec::unique::Unique;
use crate::expr::{EvalContext, Frame};
use crate::memory::BATCH_ROWS;
use crate::plan::change::{Assigned, DeletePlan, UpdatePlan};
use crate::plan::{Access, Body};
use crate::result::Done;
use crate::session::Session;
use crate::table::OpenTable;
use crate::table::myisam::ManyRows;
use crate::types::{Batch, FieldType, ValueRef, Vector, load};

/// A table has one writer, so that it is not changed under its own name and as part of a MERGE table by one statement.
fn refuse_shared(wanted: &[Wanted]) -> SqlResult<()> {
    let mut seen: HashSet<u32> = HashSet::new();
    let mut pages = wanted.iter().flat_map(|(_, open, _)| open.all_pages());
    match pages.all(|p| seen.insert(p.id())) {
        true => Ok(()),
        false => Err(SqlError::not_supported("a MERGE table and a table under it changed by one statement")),
    }
}

/// Locks the tables with these numbers, in the order of their names.
fn lock(session: &mut Session, wanted: &[Wanted]) -> SqlResult<Vec<(usize, Target)>> {
    refuse_shared(wanted)?;
    let mut locked = super::prelock::lock(session, wanted)?;
    for (_, t) in &mut locked {
        t.updates = true;
        t.quiet = true;
    }
    Ok(locked)
}

/// A table of two names is written through one target: the targets, and each further name with the one that its table has.
fn once(wanted: Vec<Wanted>) -> (Vec<Wanted>, Vec<(usize, usize)>) {
    let (mut once, mut same): (Vec<Wanted>, Vec<(usize, usize)>) = Default::default();
    for (n, open, schema) in wanted {
        match once.iter().find(|o| Arc::ptr_eq(o.1.pages(), open.pages())) {
            Some(first) => same.push((n, first.0)),
            None => once.push((n, open, schema)),
        }
    }
    (once, same)
}

fn unlock(session: &mut Session, targets: Vec<(usize, Target)>) {
    for (_, t) in targets {
        t.rollback(session);
    }
}

fn end<T>(session: &mut Session, mut targets: Vec<(usize, Target)>, result: SqlResult<T>) -> SqlResult<T> {
    if result.as_ref().is_err_and(undoes) {
        unlock(session, targets);
        return result;
    }
    if let Err(e) = targets.iter_mut().try_for_each(|(_, target)| target.end_waiting(session)) {
        unlock(session, targets);
        return Err(result.err().unwrap_or(e));
    }
    // what the commit says goes before
    Target::commit_all(targets.into_iter().map(|(_, t)| t).collect(), session)?;
    result
}

/// UPDATE of joined tables: the new values come from the rows as they were joined.
///
/// # Errors
/// Those of the statement.
pub(crate) fn update(session: &mut Session, plan: &UpdatePlan) -> SqlResult<Done> {
    let mut wanted = Vec::new();
    for (n, schema) in plan.schemas.iter().enumerate() {
        if let (Some(schema), Some(open)) = (schema, &plan.change.tables[n].1) {
            wanted.push((n, Arc::clone(open), Arc::clone(schema)));
        }
    }
    let (once, same) = once(wanted);
    let mut targets = lock(session, &once)?;
    let strict = session.ctx.sql_mode.strict() && !plan.ignore;
    let told = plan.casts.tell(strict, &mut session.ctx);
    let result = told.and_then(|()| update_rows(session, plan, &same, &mut targets));
    let (matched, changed, left_out) = end(session, targets, result)?;
    Ok(answer(session, matched, changed, left_out))
}

/// A table of an UPDATE, and what the new values need of its rows.
struct Source {
    /// None for a derived table.
    open: Option<Arc<OpenTable>>,
    /// Column (of a derived table its place among what was found), its place in the batch that expressions are computed
    /// over, its type.
    columns: Vec<(usize, usize, FieldType)>,
    /// Some of the columns are virtual.
    computed: bool,
    scratch: crate::table::RowScratch,
}

/// Computes new values from joined rows.
struct Values<'p> {
    plan: &'p UpdatePlan,
    sources: Vec<Source>,
    batch: Batch,
}

impl<'p> Values<'p> {
    fn new(plan: &'p UpdatePlan) -> Values<'p> {
        let mut read = HashSet::new();
        for (_, a) in plan.sets.iter().flatten() {
            if let Assigned::Expr(e) = a {
                e.columns(&mut |c| _ = read.insert(c.slot as usize));
            }
        }
        let (mut sources, mut batch) = (Vec::new(), Batch { columns: Vec::new(), len: 1 });
        let change = &plan.change;
        let mut derived = change.tables.len();
        for ((_, open), types) in change.tables.iter().zip(&change.types) {
            let (mut columns, mut computed) = (Vec::new(), false);
            for (c, ty) in types.iter().enumerate() {
                batch.columns.push(Vector::new(ty.class()));
                if read.contains(&(batch.columns.len() - 1)) {
                    let from = if open.is_some() { c } else { derived + c };
                    columns.push((from, batch.columns.len() - 1, ty.clone()));
                    computed |= open.as_ref().is_some_and(|open| open.def().columns[c].is_virtual());
                }
            }
            if open.is_none() {
                derived += types.len();
            }
            let open = open.clone();
            sources.push(Source { open, columns, computed, scratch: crate::table::RowScratch::new() });
        }
        Values { plan, sources, batch }
    }

    /// Reads what is needed of the rows at the positions in row `row` of `found`, one of each table.
    fn load(&mut self, exec: &Exec<'_>, found: &Batch, row: usize, ctx: &mut EvalContext) -> SqlResult<()> {
        for (source, v) in self.sources.iter_mut().zip(&found.columns) {
            if source.columns.is_empty() {
                continue;
            }
            for (_, slot, ty) in &source.columns {
                self.batch.columns[*slot].reset(ty.class());
            }
            let Some(open) = &source.open else {
                for (from, slot, _) in &source.columns {
                    self.batch.columns[*slot].push_from(&found.columns[*from], row);
                }
                continue;
            };
            if v.is_null(row) {
                source.columns.iter().for_each(|c| self.batch.columns[c.1].push_null());
                continue;
            }
            let pin = exec.snapshot.pin();
            let (place, at) = open.part_at(RowPos(v.i64(row).cast_unsigned()));
            let view = pin.table(place.pages()).map_err(|e| open.error(&e.into()))?;
            let stored = place.row(&view, at, &mut source.scratch).map_err(|e| open.error(&e))?;
            let mut whole = None;
            if source.computed
                && let Some(rules) = open.rules(ctx)?
            {
                let mut owned = open.new_row();
                owned.copy_from(&stored);
                let mut room = crate::table::rules::RuleScratch::default();
                rules.complete(
                    (crate::table::rules::GeneratedSet::Virtual, true),
                    &mut owned,
                    &mut room,
                    ctx,
                )?;
                whole = Some(owned);
            }
            let stored = whole.as_ref().map_or(stored, crate::table::RowBuf::as_view);
            for (column, slot, ty) in &source.columns {
                load::push(stored.column(*column), ty, &mut self.batch.columns[*slot], ctx);
            }
        }
        Ok(())
    }

    /// The position of a row of table `n` and its new values, from what was loaded.
    fn compute(
        &self,
        n: usize,
        pos: u64,
        runner: &Runner<'_, '_, '_>,
        out: &mut Materializer,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let mut list = vec![Vector::constant_of(ValueRef::UInt(pos))];
        for (_, a) in &self.plan.sets[n] {
            if let Assigned::Expr(e) = a {
                let v = e.value_in(Frame { batch: &self.batch, subqueries: Some(runner) }, ctx)?;
                list.push(Vector::constant_of(v.as_ref()));
            }
        }
        out.push(&list, 0)
    }
}

/// The new values of each table's rows, computed from the joined rows before any row changes. Each row is that of
/// its first join.
fn new_values(session: &mut Session, plan: &UpdatePlan) -> SqlResult<Vec<MaterializedRows>> {
    let rows = Arc::clone(&plan.change.rows);
    let holder = Arc::clone(&plan.change.holder);
    session.with_snapshot(&tables_of(&rows, &holder), |session, exec| {
        let budget = session.ctx.budget.clone();
        let mut out: Vec<Materializer> = plan.sets.iter().map(|_| Materializer::new(&budget)).collect();
        let mut seen: Vec<Unique> = plan.sets.iter().map(|_| Unique::default()).collect();
        let runner = Runner::new(exec, &holder);
        let mut values = None;
        let mut running = exec.open(&rows, &mut session.ctx)?;
        while let Some(found) = running.next(&mut session.ctx)? {
            let ctx = &mut session.ctx;
            ctx.check_failed()?;
            let values = match &mut values {
                Some(v) => v,
                none => none.insert(Values::new(plan)),
            };
            for row in 0..found.len {
                let mut loaded = false;
                for (n, v) in found.columns.iter().take(plan.sets.len()).enumerate() {
                    if plan.sets[n].is_empty() || v.is_null(row) {
                        continue;
                    }
                    let pos = v.i64(row).cast_unsigned();
                    if !seen[n].see(&budget, &pos.to_be_bytes(), &found.columns, row)? {
                        continue;
                    }
                    if !loaded {
                        values.load(exec, found, row, ctx)?;
                        loaded = true;
                    }
                    values.compute(n, pos, &runner, &mut out[n], ctx)?;
                }
            }
        }
        running.finish(&mut session.ctx)?;
        session.found_by(exec, &rows);
        let ctx = &mut session.ctx;
        if let Some(mut values) = values {
            let mut found = Batch::default();
            for (n, seen) in seen.iter_mut().enumerate() {
                let Some(mut rest) = seen.rest(&budget)? else { continue };
                while rest.batch(&mut found, BATCH_ROWS)? {
                    for row in 0..found.len {
                        values.load(exec, &found, row, ctx)?;
                        let pos = found.columns[n].i64(row).cast_unsigned();
                        values.compute(n, pos, &runner, &mut out[n], ctx)?;
                    }
                }
            }
        }
        ctx.check_failed()?;
        out.into_iter().map(Materializer::finish).collect()
    })
}

/// Whether the reference server changes the rows of the table that is read first as it finds them: no value is computed from a column
/// that it changes, no part of a key is walked whose entries may move, and all rows are taken as they come.
fn is_changed_as_read(plan: &UpdatePlan, first: usize) -> bool {
    let Body::Block(block) = &plan.change.rows.body else { return false };
    let is_set = |column: usize| plan.sets[first].iter().any(|(set, _)| *set == column);
    let mut reads = false;
    for (_, value) in plan.sets.iter().flatten() {
        if let Assigned::Expr(e) = value {
            e.columns(&mut |c| reads |= c.table as usize == first && is_set(c.column as usize));
        }
    }
    let step = block.steps.first();
    if step.is_some_and(|step| matches!(step.access, Access::Lookup { unique: true, .. })) {
        return true;
    }
    let walked = step.and_then(|step| match &step.access {
        Access::Range { key, .. } | Access::Lookup { key, unique: false, .. } => Some(*key),
        Access::Scan => step.ranged.as_ref().map(|r| r.key),
        _ => None,
    });
    let keys = plan.change.tables[first].1.as_ref().map(|open| open.keys());
    let moves =
        walked.and_then(|key| keys?.get(key)).is_some_and(|k| k.segments.iter().any(|s| is_set(s.column)));
    !reads && !moves && block.order.is_empty() && block.limit.count.is_none()
}

fn update_rows(
    session: &mut Session,
    plan: &UpdatePlan,
    same: &[(usize, usize)],
    targets: &mut [(usize, Target)],
) -> SqlResult<(u64, u64, u16)> {
    let strict = session.ctx.sql_mode.strict() && !plan.ignore;
    session.ctx.set_strict(strict);
    let values = new_values(session, plan)?;
    let checked: Vec<_> = targets.iter().flat_map(|(_, t)| t.schema.checked_tables()).cloned().collect();
    with_checked(session, &checked, |session, exec| write_rows(session, exec, plan, &values, same, targets))
}

/// Stores the new values, row by row; what views ask of the rows reads what `exec` sees.
fn write_rows(
    session: &mut Session,
    exec: Option<&Exec<'_>>,
    plan: &UpdatePlan,
    values: &[MaterializedRows],
    same: &[(usize, usize)],
    targets: &mut [(usize, Target)],
) -> SqlResult<(u64, u64, u16)> {
    let mode = session.ctx.sql_mode;
    let strict = mode.strict() && !plan.ignore;
    let (mut matched, mut changed, mut left_out) = (0, 0, 0u16);
    // as in the reference, which counts what the last table has for a row of those before
    let one_each = plan.change.rows.ends_by_unique_key();
    let leader = plan.change.rows.first_table().filter(|n| is_changed_as_read(plan, *n));
    // In the order in which the statement names them: of two names of a table the second sees what the first did.
    let mut order: Vec<usize> = targets.iter().map(|(n, _)| *n).chain(same.iter().map(|(n, _)| *n)).collect();
    order.sort_unstable();
    for n in order {
        let first = same.iter().find(|(other, _)| *other == n).map_or(n, |(_, first)| *first);
        let Some((_, target)) = targets.iter_mut().find(|(number, _)| *number == first) else { continue };
        let mut rows = values[n].read();
        let mut own = 0;
        while let Some((list, row)) = rows.next_row()? {
            let pos = RowPos(list.columns[0].i64(row).cast_unsigned());
            session.ctx.check_killed()?;
            session.ctx.row = if one_each { 1 } else { matched + 1 };
            target.begin_row(strict, changed, &mut session.ctx);
            if !target.read(pos, &mut session.ctx)? {
                continue;
            }
            matched += 1;
            target.defer_nulls(crate::ast::TriggerEvent::Update);
            target.complete_old(&mut session.ctx)?;
            let old = std::mem::replace(&mut target.old, target.table.new_row());
            target.new.copy_from(&old.as_view());
            target.old = old;
            let mut values = list.columns[1..].iter();
            for (column, a) in &plan.sets[n] {
                match a {
                    Assigned::Expr(e) => {
                        let v = values.next().map_or(ValueRef::Null, |v| v.get(row));
                        let kept = plan.change.types[n][*column].nullable;
                        if v.is_null() && kept && target.set_kept_null(*column, &mut session.ctx) {
                            continue;
                        }
                        target.set(*column, v, &e.ty, true, &mut session.ctx)?;
                    }
                    Assigned::Default => target.set_default(*column, true, &mut session.ctx)?,
                }
            }
            session.ctx.check_failed()?;
            match finish_row(&mut session.ctx, (plan.ignore, false), &plan.sets[n], target, pos, exec)? {
                Finished::Changed => {
                    changed += 1;
                    own += 1;
                    // two names of a table may change a row twice
                    if same.iter().all(|(_, other)| *other != first) {
                        target.many_changes((ManyRows::Update, own), &session.state, &session.ctx);
                    }
                }
                // as in the reference server, which counts before it writes, but in a table that it changes as it reads it
                Finished::Refused if Some(n) != leader => changed += 1,
                Finished::Same | Finished::Refused => {}
                Finished::LeftOut => left_out = left_out.saturating_add(1),
            }
        }
    }
    session.ctx.row = 0;
    Ok((matched, changed, left_out))
}

/// DELETE from joined tables.
///
/// # Errors
/// Those of the statement.
pub(crate) fn delete(session: &mut Session, plan: &DeletePlan) -> SqlResult<Done> {
    let mut wanted = Vec::new();
    for (n, schema) in &plan.targets {
        if let Some(open) = &plan.change.tables[*n].1 {
            wanted.push((*n, Arc::clone(open), Arc::clone(schema)));
        }
    }
    let (once, same) = once(wanted);
    let mut targets = lock(session, &once)?;
    let result = delete_rows(session, plan, &same, &mut targets);
    let affected = end(session, targets, result)?;
    Ok(Done { affected, ..Done::default() })
}

/// `same` has further names of tables that are targets already.
fn delete_rows(
    session: &mut Session,
    plan: &DeletePlan,
    same: &[(usize, usize)],
    targets: &mut [(usize, Target)],
) -> SqlResult<u64> {
    let found = positions(session, &plan.change)?;
    let mut n = 0;
    for (number, target) in targets {
        let others = same.iter().filter(|(_, first)| first == number).map(|(other, _)| *other);
        let mut deleted = 0;
        for rows in std::iter::once(*number).chain(others) {
            let mut rows = found[rows].read();
            while let Some((positions, row)) = rows.next_row()? {
                let pos = RowPos(positions.columns[0].i64(row).cast_unsigned());
                session.ctx.check_killed()?;
                if target.read(pos, &mut session.ctx)? {
                    delete_row(&mut session.ctx, target, pos)?;
                    n += 1;
                    deleted += 1;
                    target.many_changes((ManyRows::Delete, deleted), &session.state, &session.ctx);
                }
            }
        }
    }
    Ok(n)
}

//! UPDATE and DELETE over several tables.

use std::ops::ControlFlow;
use std::sync::Arc;

use isam::RowPos;

use super::delete::{DeletePlan, delete_row};
use super::target::{Target, is_machine_error};
use super::update::{Assigned, Finished, UpdatePlan, answer, finish_row, positions, tables_of};
use crate::error::{SqlError, SqlResult};
use crate::exec::subquery::Runner;
use crate::expr::Frame;
use crate::result::Done;
use crate::session::Session;
use crate::types::{Batch, Value};
use crate::variables::SqlMode;

/// Locks the tables with these numbers, in the order of their names.
fn lock(
    session: &mut Session,
    wanted: &[(usize, Arc<crate::catalog::OpenTable>, Arc<super::target::Shape>)],
) -> SqlResult<Vec<(usize, Target)>> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| (&wanted[*a].1.db, &wanted[*a].1.name).cmp(&(&wanted[*b].1.db, &wanted[*b].1.name)));
    let mut locked = Vec::new();
    for i in order {
        let (n, open, shape) = &wanted[i];
        if open.is_stale() {
            unlock(session, locked);
            return Err(crate::session::select::stale());
        }
        match Target::lock(session, open, shape) {
            Ok(t) => locked.push((*n, t)),
            Err(e) => {
                unlock(session, locked);
                return Err(e);
            }
        }
    }
    Ok(locked)
}

fn unlock(session: &mut Session, targets: Vec<(usize, Target)>) {
    for (_, t) in targets {
        t.rollback(session);
    }
}

fn end<T>(session: &mut Session, targets: Vec<(usize, Target)>, result: SqlResult<T>) -> SqlResult<T> {
    if result.as_ref().is_err_and(is_machine_error) {
        unlock(session, targets);
        return result;
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
    for (n, shape) in plan.shapes.iter().enumerate() {
        if let (Some(shape), Some(open)) = (shape, &plan.change.tables[n].1) {
            wanted.push((n, Arc::clone(open), Arc::clone(shape)));
        }
    }
    let mut targets = lock(session, &wanted)?;
    session.ctx.changes_data = true;
    let result = update_rows(session, plan, &mut targets);
    let (matched, changed, left_out) = end(session, targets, result)?;
    Ok(answer(session, matched, changed, left_out))
}

type NewValues = Vec<(RowPos, Vec<Option<Value>>)>;

fn update_rows(
    session: &mut Session,
    plan: &UpdatePlan,
    targets: &mut [(usize, Target)],
) -> SqlResult<(u64, u64, u16)> {
    let rows = Arc::clone(&plan.change.rows);
    let holder = Arc::clone(&plan.change.holder);
    let all = tables_of(&rows, &holder);
    let opens: Vec<_> = plan.change.tables.iter().map(|t| t.1.clone()).collect();
    session.ctx.set_strict(session.ctx.sql_mode.strict() && !plan.ignore);
    // the values of every row are computed from the joined rows before any row changes
    let values: Vec<NewValues> = session.with_snapshot(&all, |session, exec| {
        let mut out: Vec<NewValues> = opens.iter().map(|_| Vec::new()).collect();
        let mut seen: Vec<std::collections::HashSet<u64>> = vec![Default::default(); opens.len()];
        let runner = Runner { exec, plan: &holder };
        exec.run(&rows, &mut session.ctx, &mut |found, ctx| {
            ctx.check_failed()?;
            for row in 0..found.len {
                let mut batch = Batch { columns: Vec::new(), len: 1 };
                for (i, open) in opens.iter().enumerate() {
                    let Some(open) = open else {
                        return Err(SqlError::not_supported("UPDATE of a join with a subquery in FROM"));
                    };
                    let v = &found.columns[i];
                    let mut scratch = isam::RowScratch::new();
                    let pin = exec.snapshot.pin();
                    let view = pin.table(open.pages()).map_err(|e| open.error(&e.into()))?;
                    let stored = match v.is_null(row) {
                        true => None,
                        false => Some(
                            open.table
                                .format
                                .row(&view, RowPos(v.i64(row).cast_unsigned()), &mut scratch)
                                .map_err(|e| open.error(&e))?,
                        ),
                    };
                    // virtual columns are computed
                    let mut whole = None;
                    if let (Some(row), Some(rules)) = (&stored, open.rules(ctx)?)
                        && rules.has_virtual
                    {
                        let mut owned = isam::RowBuf::new(&open.table.format.layout);
                        owned.copy_from(row);
                        let mut room = crate::catalog::rules::RowRoom::default();
                        rules.complete(crate::catalog::rules::Which::Virtual, &mut owned, &mut room, ctx)?;
                        whole = Some(owned);
                    }
                    let stored = whole.as_ref().map(isam::RowBuf::as_view).or(stored);
                    for (c, def) in open.def().columns.iter().enumerate() {
                        let ty = crate::types::FieldType::from_column(def);
                        let mut column = crate::types::Vector::new(ty.class());
                        crate::types::load::push(
                            stored.as_ref().and_then(|r| r.column(c)),
                            &ty,
                            &mut column,
                            ctx,
                        );
                        batch.columns.push(column);
                    }
                }
                for (i, sets) in plan.sets.iter().enumerate() {
                    let v = &found.columns[i];
                    let pos = v.i64(row).cast_unsigned();
                    if sets.is_empty() || v.is_null(row) || !seen[i].insert(pos) {
                        continue;
                    }
                    let mut list = Vec::new();
                    for (_, a) in sets {
                        list.push(match a {
                            Assigned::Default => None,
                            Assigned::Expr(e) => {
                                Some(e.value_in(Frame { batch: &batch, subqueries: Some(&runner) }, ctx)?)
                            }
                        });
                    }
                    out[i].push((RowPos(pos), list));
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        session.ctx.check_failed()?;
        Ok(out)
    })?;
    let mode = session.ctx.sql_mode;
    let strict = mode.strict() && !plan.ignore;
    session.ctx.careful = strict;
    let (mut matched, mut changed, mut left_out) = (0, 0, 0u16);
    for (n, target) in targets {
        for (pos, list) in &values[*n] {
            session.ctx.check_killed()?;
            session.ctx.row = matched + 1;
            session.ctx.set_strict(strict && (changed == 0 || mode.has(SqlMode::STRICT_ALL_TABLES)));
            if !target.read(*pos, &mut session.ctx)? {
                continue;
            }
            matched += 1;
            target.complete_old(&mut session.ctx)?;
            let old =
                std::mem::replace(&mut target.old, isam::RowBuf::new(&target.table.table.format.layout));
            target.new.copy_from(&old.as_view());
            target.old = old;
            for ((column, a), v) in plan.sets[*n].iter().zip(list) {
                match (a, v) {
                    (Assigned::Expr(e), Some(v)) => {
                        target.set(*column, v.as_ref(), &e.ty, true, &mut session.ctx)?
                    }
                    _ => target.set_default(*column, true, &mut session.ctx)?,
                }
            }
            session.ctx.check_failed()?;
            match finish_row(session, plan.ignore, &plan.sets[*n], target, *pos)? {
                Finished::Changed => changed += 1,
                Finished::Same => {}
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
    for (n, shape) in &plan.targets {
        if let Some(open) = &plan.change.tables[*n].1 {
            wanted.push((*n, Arc::clone(open), Arc::clone(shape)));
        }
    }
    // a table of two names is written once
    let mut same: Vec<(usize, usize)> = Vec::new();
    let mut once: Vec<(usize, Arc<crate::catalog::OpenTable>, Arc<super::target::Shape>)> = Vec::new();
    for (n, open, shape) in wanted {
        match once.iter().find(|o| Arc::ptr_eq(&o.1, &open)) {
            Some(first) => same.push((n, first.0)),
            None => once.push((n, open, shape)),
        }
    }
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
    let mut found = positions(session, &plan.change)?;
    for (n, first) in same {
        let more = std::mem::take(&mut found[*n]);
        found[*first].extend(more);
    }
    let mut n = 0;
    for (number, target) in targets {
        for pos in &found[*number] {
            session.ctx.check_killed()?;
            if target.read(*pos, &mut session.ctx)? {
                delete_row(target, *pos)?;
                n += 1;
            }
        }
    }
    Ok(n)
}

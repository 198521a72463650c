//! OPEN, FETCH, CLOSE.

use std::sync::Arc;

use super::frame::{Frame, OpenCursor};
use super::run::with_kept_plan;
use crate::ast::Expr;
use crate::ast::program::{Place, Slot, Target};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::exec::materialize::Materializer;
use crate::session::Session;

/// OPEN: finds the rows, and keeps them.
///
/// # Errors
/// 1325 when it is open; those of the query.
pub(super) fn open(
    session: &mut Session,
    frame: &mut Frame<'_, '_>,
    cursor: u32,
    arguments: &[Expr],
    at: Place,
) -> SqlResult<()> {
    let program = Arc::clone(&frame.program);
    let Some(c) = program.cursors.get(cursor as usize) else { return Err(SqlError::internal("no cursor")) };
    if frame.cursors.get(cursor as usize).is_some_and(Option::is_some) {
        return Err(SqlError::new(codes::ER_SP_CURSOR_ALREADY_OPEN, &[]));
    }
    for (slot, e) in c.parameters.iter().zip(arguments) {
        let (value, ty) = session.constant(e, "SELECT")?;
        session.assign_local(*slot, value, &ty)?;
    }
    session.renew_rights();
    let plan = |session: &mut Session| session.plan(&c.query, &program.text);
    let opened = with_kept_plan(session, &program, at, plan, |session, plan| {
        let rows = session.with_snapshot(&plan.tables, |session, exec| {
            let mut keeper = Materializer::new(&session.ctx.budget);
            let mut running = exec.open(plan, &mut session.ctx)?;
            while let Some(batch) = running.next(&mut session.ctx)? {
                keeper.push_batch(batch)?;
            }
            running.finish(&mut session.ctx)?;
            keeper.finish()
        })?;
        Ok(OpenCursor { rows: rows.read(), types: plan.types.clone(), found: false })
    })?;
    if let Some(place) = frame.cursors.get_mut(cursor as usize) {
        *place = Some(opened);
    }
    Ok(())
}

/// FETCH: the next row into variables. At the end, error 1329.
///
/// # Errors
/// 1326, 1328, 1329; those of the assignments.
pub(super) fn fetch(
    session: &mut Session,
    frame: &mut Frame<'_, '_>,
    cursor: u32,
    targets: &[Target],
) -> SqlResult<()> {
    let Some(Some(open)) = frame.cursors.get_mut(cursor as usize) else {
        return Err(SqlError::new(codes::ER_SP_CURSOR_NOT_OPEN, &[]));
    };
    if let [Target::Local(slot)] = targets
        && let Some(row) = session.row_variable(*slot)
        && (open.types.len() != 1 || row.fields.len() == 1)
    {
        return match super::rows::fetch(session, open, &row)? {
            true => Ok(()),
            false => Err(SqlError::new(error::ER_SP_FETCH_NO_DATA, &[])),
        };
    }
    if open.types.len() != targets.len() {
        return Err(SqlError::new(codes::ER_SP_WRONG_NO_OF_FETCH_ARGS, &[]));
    }
    let Some((batch, row)) = open.rows.next_row()? else {
        return Err(SqlError::new(error::ER_SP_FETCH_NO_DATA, &[]));
    };
    for (i, target) in targets.iter().enumerate() {
        let value = batch.columns[i].value(row);
        match target {
            Target::User(name) => {
                session.ctx.set_user_variable(&name.to_lowercase(), value, &open.types[i])?;
            }
            Target::Local(slot) => session.assign_local(*slot, value, &open.types[i])?,
        }
    }
    Ok(())
}

/// The next row into the fields of a record, if there is one.
///
/// # Errors
/// 1326; those of the assignments.
pub(super) fn fetch_record(
    session: &mut Session,
    frame: &mut Frame<'_, '_>,
    cursor: u32,
    slot: Slot,
) -> SqlResult<()> {
    let Some(Some(open)) = frame.cursors.get_mut(cursor as usize) else {
        return Err(SqlError::new(codes::ER_SP_CURSOR_NOT_OPEN, &[]));
    };
    match session.row_variable(slot) {
        Some(row) => super::rows::fetch(session, open, &row).map(drop),
        None => Err(SqlError::internal("a record without fields")),
    }
}

/// Whether the last row that was to be fetched into a record was there.
///
/// # Errors
/// 1326 when the cursor is not open.
pub(super) fn found(frame: &Frame<'_, '_>, cursor: u32) -> SqlResult<bool> {
    match frame.cursors.get(cursor as usize) {
        Some(Some(open)) => Ok(open.found),
        _ => Err(SqlError::new(codes::ER_SP_CURSOR_NOT_OPEN, &[])),
    }
}

/// CLOSE.
///
/// # Errors
/// 1326 when it is not open.
pub(super) fn close(frame: &mut Frame<'_, '_>, cursor: u32) -> SqlResult<()> {
    match frame.cursors.get_mut(cursor as usize).map(Option::take) {
        Some(Some(_)) => Ok(()),
        _ => Err(SqlError::new(codes::ER_SP_CURSOR_NOT_OPEN, &[])),
    }
}

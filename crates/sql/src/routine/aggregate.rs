//! Stored aggregate functions: one runs over the rows of its group, which FETCH GROUP NEXT ROW puts into the parameters.

use super::frame::Frame;
use super::function::Known;
use super::run::Way;
use crate::error::{self, SqlError, SqlResult};
use crate::expr::calls::GroupRows;
use crate::session::Session;
use crate::types::{FieldType, Value};

type Row = Vec<(Value, FieldType)>;

/// The rows of a group while the function runs.
pub(crate) struct Group<'r> {
    rows: &'r mut dyn GroupRows,
    /// The row that the parameters have, and that no FETCH has asked for yet.
    waiting: bool,
    /// How many rows came.
    count: u64,
    /// A FETCH has met the end.
    ended: bool,
}

impl Group<'_> {
    /// How many rows came.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    fn next(&mut self) -> SqlResult<Option<Row>> {
        let row = self.rows.next()?;
        self.count += u64::from(row.is_some());
        Ok(row)
    }
}

/// The value of a function over a group. It begins with the first row as its parameters; when it returns before the end, it begins anew with the next row, and
/// the last value counts. Without any row it runs over one of NULLs, and its value is NULL.
///
/// # Errors
/// Those of the function.
pub(super) fn run(session: &mut Session, known: &Known, rows: &mut dyn GroupRows) -> SqlResult<Value> {
    let mut group = Group { rows, waiting: false, count: 0, ended: false };
    let Some(mut row) = group.next()? else {
        group.waiting = true;
        session.call_over(known, known.nulls(), Some(&mut group))?;
        return Ok(Value::Null);
    };
    loop {
        group.waiting = true;
        let value = session.call_over(known, row, Some(&mut group))?;
        if group.ended {
            return Ok(value);
        }
        match group.next()? {
            Some(next) => row = next,
            None => return Ok(value),
        }
    }
}

/// FETCH GROUP NEXT ROW: behind the last one 1329, and the function ends, without a value, when it asks once more.
///
/// # Errors
/// 1329; those of values that do not fit.
pub(super) fn fetch(session: &mut Session, frame: &mut Frame<'_, '_>) -> SqlResult<Way> {
    let Some(group) = frame.group.as_deref_mut() else {
        return Err(SqlError::internal("FETCH GROUP NEXT ROW without a group"));
    };
    if std::mem::take(&mut group.waiting) {
        return Ok(Way::On);
    }
    if group.ended {
        return Ok(Way::End);
    }
    let Some(row) = group.next()? else {
        group.ended = true;
        return Err(SqlError::new(error::ER_SP_FETCH_NO_DATA, &[]));
    };
    let number = group.count;
    for (slot, (value, ty)) in row.into_iter().enumerate() {
        session.ctx.calls.rows = number;
        session.assign_local(slot as u32, value, &ty)?;
    }
    session.ctx.calls.rows = 0;
    Ok(Way::On)
}

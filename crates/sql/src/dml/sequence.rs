//! NEXTVAL, LASTVAL, SETVAL.

use std::sync::Arc;

use super::target::Target;
use super::update::finish_row;
use crate::ast::{Insert, InsertSource, Span, TableName};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::expr::sequences::Action;
use crate::plan::change::WriteSchema;
use crate::result::Done;
use crate::rights::privilege::{INSERT, SELECT};
use crate::session::Session;
use crate::session::tables::Access;
use crate::table::numbers::{COLUMNS, Reserved, Settings};
use crate::table::{OpenTable, RowPos, RowScratch};
use crate::types::{Batch, FieldType, Value, ValueRef};
use crate::warning::Level;

/// The one row.
const ROW: RowPos = RowPos(0);

/// Does what an expression asks of a sequence, in a session for functions.
///
/// # Errors
/// 4084, 4089, 4091, 1142; those of the table.
pub(crate) fn act(session: &mut Session, db: &str, name: &str, action: Action) -> SqlResult<Option<i64>> {
    let in_use = session.ctx.calls.in_use.len();
    let result = session.retry_if_stale(|session| attempt(session, db, name, action));
    session.ctx.calls.in_use.truncate(in_use);
    result
}

fn attempt(session: &mut Session, db: &str, name: &str, action: Action) -> SqlResult<Option<i64>> {
    let bits = if matches!(action, Action::Last) { SELECT } else { SELECT | INSERT };
    let table = open(session, db, name)?;
    if !table.temporary {
        session.rights.need_table(db, name, bits)?;
        if !matches!(action, Action::Last) {
            // who waited for the lock would wait for a lock of its own connection
            session.split(b"").0.check_locked(db, name, name, Access::Write)?;
        }
    }
    match action {
        Action::Next => {
            let value = next(session, &table);
            let kept = value.as_ref().ok().copied();
            session.ctx.connection.remember_number(table.def().uuid, kept);
            value.map(Some)
        }
        Action::Last => Ok(session.ctx.connection.last_number(table.def().uuid)),
        Action::Set { value, used, round } => set(session, &table, value, used, round),
    }
}

/// The table of a sequence.
///
/// # Errors
/// 4089, 4091; those of opening it.
pub(crate) fn open(session: &mut Session, db: &str, name: &str) -> SqlResult<Arc<OpenTable>> {
    let path = TableName { db: Some(db.into()), name: name.into(), span: Span::default() };
    let not = || SqlError::new(codes::ER_NOT_SEQUENCE, &[&db, &name]);
    match session.base(&path, name, Access::Shown) {
        Ok(table) if table.is_sequence() => Ok(table),
        Ok(_) => Err(not()),
        Err(e) if e.code == error::ER_NO_SUCH_TABLE => {
            let unknown = SqlError::new(codes::ER_UNKNOWN_SEQUENCES, &[&name]);
            // the list of errors has both, and the one that ends the statement is not told again
            session.ctx.warnings.push_error(Level::Error, &unknown);
            session.ctx.warnings.push_error(Level::Error, &e);
            Err(unknown)
        }
        Err(e) if e.code == error::ER_WRONG_OBJECT => Err(not()),
        Err(e) => Err(e),
    }
}

fn next(session: &mut Session, table: &Arc<OpenTable>) -> SqlResult<i64> {
    let take = || table.numbers.lock().take();
    if let Some(value) = take() {
        return Ok(value);
    }
    change(session, table, |settings| {
        // somebody else may have reserved some meanwhile
        if let Some(value) = take() {
            return Ok((None, value));
        }
        let run_out = || SqlError::new(codes::ER_SEQUENCE_RUN_OUT, &[&table.db, &table.name]);
        let mut reserved = settings.reserve().ok_or_else(run_out)?;
        let value = reserved.take().ok_or_else(run_out)?;
        Ok((Some((reserved.settings, Some(reserved))), value))
    })
}

fn set(
    session: &mut Session,
    table: &Arc<OpenTable>,
    value: i64,
    used: bool,
    round: i64,
) -> SqlResult<Option<i64>> {
    change(session, table, |mut settings| {
        let reserved = &mut table.numbers.lock().reserved;
        let next = reserved.as_ref().map_or(settings.next, |r| r.next);
        if round > settings.round && !settings.cycle {
            return Err(SqlError::new(codes::ER_SEQUENCE_RUN_OUT, &[&table.db, &table.name]));
        }
        let Some((to, round)) = settings.place(next, value, used, round) else { return Ok((None, None)) };
        if reserved.as_mut().is_some_and(|r| r.skip(to, round)) {
            return Ok((None, Some(value)));
        }
        (settings.next, settings.round) = (to, round);
        Ok((Some((settings, None)), Some(value)))
    })
}

/// INSERT ... VALUES into a sequence: a row is what it is to be from now on.
///
/// # Errors
/// 1364 where a column is not named, 1136, 4085, 1142; those of the table.
pub(crate) fn insert(session: &mut Session, i: &Insert) -> SqlResult<Done> {
    let (db, name) = session.table_path(&i.table)?;
    let table = open(session, &db, &name)?;
    if !table.temporary {
        session.rights.need_table(&db, &name, INSERT)?;
    }
    let InsertSource::Values(rows) = &i.source else {
        return table.check_writable().map(|()| Done::default());
    };
    let place = |column: &str| match &i.columns {
        None => COLUMNS.iter().position(|c| *c == column),
        Some(list) => list.iter().position(|c| c.name.eq_ignore_ascii_case(column)),
    };
    let mut affected = 0;
    for (n, row) in rows.iter().enumerate() {
        if row.len() != i.columns.as_ref().map_or(COLUMNS.len(), Vec::len) {
            return Err(SqlError::new(error::ER_WRONG_VALUE_COUNT_ON_ROW, &[&(n + 1)]));
        }
        let mut values = [0; COLUMNS.len()];
        for (value, column) in values.iter_mut().zip(COLUMNS) {
            let missing = || SqlError::new(error::ER_NO_DEFAULT_FOR_FIELD, &[&column]);
            let given = &row[place(column).ok_or_else(missing)?];
            *value = match session.constant(given, "VALUES")?.0 {
                Value::Int(n) => n,
                Value::UInt(n) => i64::try_from(n).unwrap_or(i64::MAX),
                _ => return Err(SqlError::new(codes::ER_SEQUENCE_INVALID_DATA, &[&db, &name])),
            };
        }
        let [next, min, max, start, increment, cache, cycle, round] = values;
        let settings = Settings { next, min, max, start, increment, cache, cycle: cycle != 0, round };
        if !settings.is_valid() {
            return Err(SqlError::new(codes::ER_SEQUENCE_INVALID_DATA, &[&db, &name]));
        }
        change(session, &table, |_| Ok((Some((settings, None)), ())))?;
        affected += 1;
    }
    let info = match affected {
        0 | 1 => String::new(),
        n => format!("Records: {n}  Duplicates: 0  Warnings: {}", session.ctx.warnings.wire_count()),
    };
    Ok(Done { affected, info, ..Done::default() })
}

/// What a change makes of a sequence: its row, and the numbers that are reserved then.
pub(crate) type Changed = Option<(Settings, Option<Reserved>)>;

/// Changes the row under the table's write lock.
///
/// # Errors
/// Those of `f`, of the lock and of writing.
pub(crate) fn change<T>(
    session: &mut Session,
    table: &Arc<OpenTable>,
    f: impl FnOnce(Settings) -> SqlResult<(Changed, T)>,
) -> SqlResult<T> {
    let schema = Arc::new(WriteSchema::without_rules(table));
    let mut target = Target::lock_to_note(session, table, &schema)?;
    let written = (|| {
        let settings = read(session, &mut target)?;
        let (changed, result) = f(settings)?;
        if let Some((settings, _)) = &changed {
            write(session, &mut target, settings)?;
        }
        Ok((changed, result))
    })();
    match written {
        Ok((None, result)) => {
            target.rollback(session);
            Ok(result)
        }
        Ok((Some((_, reserved)), result)) => {
            // nobody reserves any before the row is written
            let change = table.numbers.lock().begin_change();
            target.commit(session)?;
            table.numbers.lock().end_change(change, reserved);
            Ok(result)
        }
        Err(e) => {
            target.rollback(session);
            Err(e)
        }
    }
}

fn read(session: &mut Session, target: &mut Target) -> SqlResult<Settings> {
    let broken = |t: &Target| SqlError::new(codes::ER_SEQUENCE_ACCESS_ERROR, &[&t.table.db, &t.table.name]);
    if target.schema.columns.len() != COLUMNS.len() || !target.read(ROW, &mut session.ctx)? {
        return Err(broken(target));
    }
    let mut batch = Target::batch(&target.schema, 1);
    Target::load(&target.schema, &target.old, 0, &mut batch, &session.ctx);
    from_batch(&batch).filter(Settings::is_valid).ok_or_else(|| broken(target))
}

/// The row of a sequence; `None` when it is none.
fn from_batch(batch: &Batch) -> Option<Settings> {
    let number = |i: usize| match batch.columns.get(i)?.value(0) {
        Value::Int(n) => Some(n),
        Value::UInt(n) => i64::try_from(n).ok(),
        _ => None,
    };
    Some(Settings {
        next: number(0)?,
        min: number(1)?,
        max: number(2)?,
        start: number(3)?,
        increment: number(4)?,
        cache: number(5)?,
        cycle: number(6)? != 0,
        round: number(7)?,
    })
}

fn write(session: &mut Session, target: &mut Target, s: &Settings) -> SqlResult<()> {
    let ty = FieldType::bigint(false);
    let values = [s.next, s.min, s.max, s.start, s.increment, s.cache, i64::from(s.cycle), s.round];
    let Target { old, new, .. } = target;
    new.copy_from(&old.as_view());
    target.begin_row(false, 0, &mut session.ctx);
    for (i, value) in values.into_iter().enumerate() {
        target.set(i, ValueRef::Int(value), &ty, false, &mut session.ctx)?;
    }
    finish_row(&mut session.ctx, (false, false), &[], target, ROW, None).map(drop)
}

/// The settings of a sequence as its row has them now.
///
/// # Errors
/// Those of reading it.
pub(crate) fn settings(session: &mut Session, table: &Arc<OpenTable>) -> SqlResult<Settings> {
    let schema = WriteSchema::without_rules(table);
    let tables = [Arc::clone(table)];
    session.with_snapshot(&tables, |session, exec| {
        let broken = || SqlError::new(codes::ER_SEQUENCE_ACCESS_ERROR, &[&table.db, &table.name]);
        let mut row = table.new_row();
        let pin = exec.snapshot.pin();
        let source = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
        let mut scratch = RowScratch::new();
        row.copy_from(&table.row(&source, ROW, &mut scratch).map_err(|e| table.error(&e))?);
        let mut batch = Target::batch(&schema, 1);
        Target::load(&schema, &row, 0, &mut batch, &session.ctx);
        from_batch(&batch).filter(Settings::is_valid).ok_or_else(broken)
    })
}

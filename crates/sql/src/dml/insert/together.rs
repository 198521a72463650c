//! INSERTs into a table that is busy: rows that are ready go with those of other statements, in one turn of the table
//! (`table::insert_queue`), or are at least made while the table is written by others.

use std::sync::Arc;
use std::time::Instant;

use pages::ErrorKind;

use super::super::refused::duplicate;
use super::super::target::{Target, refuse_taken, undoes};
use super::ready::ready_rows;
use super::write::{assign_auto_increment, note_number, number_of};
use super::{InsertCounters, done, finish_ids};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::locks::Weight;
use crate::plan::change::{InsertPlan, Source};
use crate::result::Done;
use crate::session::Session;
use crate::status::Counter;
use crate::table::EngineError;
use crate::table::insert_queue::{Leader, Outcome, ReadyRows, Turn};
use crate::types::Class;

/// A leader takes rows of others up to so many: it has to wait no longer for its own answer, and one commit stays small.
const MOST_ROWS: usize = 2_000;

/// Statements of fewer rows wait for the table itself: with one row each 8 connections make 100,000 statements a second that way, and 75,000
/// this way, as who waits for a leader sleeps. With ten rows both are the same. Debug builds send all, so that tests see them.
const LEAST_ROWS: u64 = if cfg!(debug_assertions) { 1 } else { 20 };

/// Runs a statement that finds its table taken and whose rows can be made before it has it; nothing for others.
///
/// # Errors
/// Those of the statement; the internal one of a stale table.
pub(super) fn execute(session: &mut Session, plan: &InsertPlan, text: &[u8]) -> SqlResult<Option<Done>> {
    // debug builds send some this way though the table is free
    let forced = cfg!(debug_assertions) && text.len() % 2 == 1;
    if !(is_busy(plan) || forced) || !suits(session, plan) {
        return Ok(None);
    }
    refuse_taken(session, &plan.table)?;
    let Some(rows) = ready_rows(session, plan, text) else { return Ok(None) };
    session.use_in_transaction(std::slice::from_ref(&plan.table));
    let _mark = session.begin_write()?;
    session.count_table_locks(std::slice::from_ref(&plan.table));
    let ready = ReadyRows {
        rows,
        connection: Arc::clone(&session.connection),
        numbers: InsertCounters::new(session).numbers,
        outcome: Outcome::default(),
    };
    let written = match wait_for_turn(session, plan, ready)? {
        Turn::Lead(leader, ready) => lead(session, plan, leader, ready)?,
        Turn::Written(ready) => {
            session.count(Counter::TableLocksWaited);
            session.connection.counters.add(Counter::HandlerWrite, ready.outcome.tried);
            session.ctx.calls.wrote |= ready.outcome.written > 0;
            ready
        }
    };
    if let Some(commit) = written.outcome.commit {
        session.await_durable(commit, &plan.table.name)?;
    }
    finish(session, plan, written.outcome).map(Some)
}

/// Whether others write the table now, and the statement has rows enough to go with theirs.
fn is_busy(plan: &InsertPlan) -> bool {
    plan.source.rows().is_some_and(|rows| rows >= LEAST_ROWS)
        && (plan.table.inserts.is_led() || plan.table.pages().is_written())
}

/// Whether a statement does nothing but write its rows.
fn suits(session: &Session, plan: &InsertPlan) -> bool {
    let schema = &plan.schema;
    let is_number = |c: usize| matches!(schema.columns[c].ty.class(), Class::Int | Class::UInt);
    let rows_only = schema.rules.is_none()
        && schema.check.is_none()
        && schema.triggers.is_none()
        && schema.routing.is_none()
        && schema.view.is_none()
        && schema.auto.is_none_or(is_number);
    let table = &plan.table;
    let own = !table.temporary
        && table.children().is_none()
        && !table.asks_sequences
        && table.check_writable().is_ok()
        // what follows a change of system tables is done by who changes them
        && &*table.db != "mysql";
    rows_only
        && own
        && !matches!(plan.source, Source::Query(_))
        && !(plan.replace || plan.ignore || plan.skips_duplicates || plan.reads_row || plan.functions_read)
        && plan.on_duplicate.is_empty()
        && plan.returning.is_none()
        && plan.holder.subqueries.is_empty()
        && !session.locks.active
        && session.ctx.host.is_none()
        && session.ctx.calls.lent.is_none()
        && !session.is_blocked()
}

/// Comes with rows to the table's queue.
fn wait_for_turn<'p>(session: &Session, plan: &'p InsertPlan, ready: ReadyRows) -> SqlResult<Turn<'p>> {
    let table = &plan.table;
    let waiter = session.waiter();
    let deadline = Instant::now().checked_add(waiter.timeout);
    let waiting = waiter.begin("Waiting for table level lock", Weight::Rows);
    let names = &session.engine.catalog.names;
    table.inserts.enter(ready, &mut |in_queue| {
        let ended = if waiting.should_give_up(table.pages(), (&table.db, &table.name), names) {
            ErrorKind::Killed
        } else if in_queue && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            ErrorKind::LockTimeout
        } else {
            return Ok(());
        };
        Err(waiting.error(&ended.into(), &table.name))
    })
}

/// Writes the rows of this statement and of those that wait for it.
fn lead(
    session: &mut Session,
    plan: &InsertPlan,
    leader: Leader<'_>,
    mut own: ReadyRows,
) -> SqlResult<ReadyRows> {
    let mut target = Target::lock(session, &plan.table, &plan.schema)?;
    let mut taken = leader.take(MOST_ROWS.saturating_sub(own.rows.len()));
    let rows = own.rows.len() + taken.rows();
    target.bulk_begin(session, plan, Some(rows as u64));
    let ctx = &mut session.ctx;
    let result = std::iter::once(&mut own)
        .chain(taken.statements())
        .try_for_each(|ready| write_rows(ctx, plan, &mut target, ready));
    ctx.row = 0;
    target.changed = own.outcome.written;
    target.asked.write = own.outcome.tried;
    let ended = target.end_published(session, result).and_then(|(result, commit)| result.map(|()| commit));
    match ended {
        Ok(commit) => {
            taken.written(commit);
            own.outcome.commit = commit;
            Ok(own)
        }
        // the others were not killed
        Err(e) if session.connection.killed() => {
            taken.give_back();
            Err(e)
        }
        Err(e) => {
            taken.failed(&e);
            Err(e)
        }
    }
}

/// Writes the rows of one statement, up to the first that is refused.
///
/// # Errors
/// Those of the files: nothing of the turn may stay then.
fn write_rows(
    ctx: &mut EvalContext,
    plan: &InsertPlan,
    target: &mut Target,
    ready: &mut ReadyRows,
) -> SqlResult<()> {
    let mut progress = InsertCounters { numbers: ready.numbers, ..InsertCounters::default() };
    let outcome = &mut ready.outcome;
    for number in 0..ready.rows.len() {
        if let Err(e) = ready.connection.check_killed() {
            outcome.error = Some(e);
            break;
        }
        let row = ready.rows.row(number);
        let mut generated = None;
        let inserted = if plan.schema.auto.is_some() {
            target.new.copy_from(&row);
            ctx.row = number as u64 + 1;
            match assign_auto_increment(ctx, plan, target, &mut progress.numbers, false) {
                Ok(assigned) => generated = assigned,
                Err(e) => {
                    outcome.error = Some(e);
                    break;
                }
            }
            target.writer.insert(&target.new.as_view())
        } else {
            target.writer.insert(&row)
        };
        outcome.tried += 1;
        match inserted {
            Ok(_) => {}
            Err(EngineError::Duplicate { key, .. }) => {
                let mut refused = plan.table.new_row();
                // with the number that it was given
                let image = if plan.schema.auto.is_some() { target.new.as_view() } else { row };
                refused.copy_from(&image);
                outcome.refused = Some((key, refused));
                break;
            }
            Err(e) => {
                let e = target.error(&e);
                if undoes(&e) {
                    return Err(e);
                }
                outcome.error = Some(e);
                break;
            }
        }
        outcome.written += 1;
        note_number(plan, target, &mut progress, generated);
        if let Some(column) = plan.schema.auto.filter(|_| progress.first_generated == 0) {
            let value = target.new.as_view().column(column);
            progress.last_number = number_of(&plan.schema.columns[column].ty, value);
        }
    }
    outcome.first_number = progress.first_generated;
    outcome.last_number = progress.last_number;
    outcome.numbers = progress.numbers;
    Ok(())
}

/// What the client is told of rows that were written.
fn finish(session: &mut Session, plan: &InsertPlan, outcome: Outcome) -> SqlResult<Done> {
    let progress = InsertCounters {
        records: outcome.tried,
        affected: outcome.written,
        copied: outcome.written,
        first_generated: outcome.first_number,
        last_number: outcome.last_number,
        numbers: outcome.numbers,
        ..InsertCounters::default()
    };
    finish_ids(session, &progress);
    if let Some((key, row)) = outcome.refused {
        return Err(duplicate(&plan.table, &plan.schema, &row.as_view(), key, &mut session.ctx));
    }
    outcome.error.map_or_else(|| Ok(done(session, plan, &progress)), Err)
}

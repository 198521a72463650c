//! The instructions of a program, one after the other.

use std::cell::Cell;
use std::sync::Arc;

use super::frame::{Active, Frame, Kept, Raised};
use super::uses::Uses;
use crate::ast::program::{Instruction, Place, Program, Slot};
use crate::ast::{Expr, InsertSource, Into, Statement};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::expr::user_variables::as_condition;
use crate::plan::QueryPlan;
use crate::result::ResultSink;
use crate::session::Session;
use crate::session::params::ParamTypes;
use crate::session::scope::{has_subquery, query_of};
use crate::session::tables::opens_no_table;
use crate::statement::diagnostics::is_diagnostic;
use crate::types::{FieldType, Value, convert};
use crate::warning::Level;

/// What an instruction says of the way on.
pub(super) enum Way {
    /// To the next one.
    On,
    /// Elsewhere.
    To(Place),
    /// The routine ends.
    End,
}

/// Errors that no handler sees: the statement, the connection or the server comes to its end.
fn is_fatal(e: &SqlError) -> bool {
    matches!(
        e.code,
        error::ER_QUERY_INTERRUPTED
            | codes::ER_CONNECTION_KILLED
            | error::ER_STATEMENT_TIMEOUT
            | codes::ER_SERVER_SHUTDOWN
            | error::ER_STACK_OVERRUN_NEED_MORE
    )
}

/// Runs a program; the values of its variables are the parameters of the running statement.
///
/// # Errors
/// Those that no handler takes.
pub(super) fn run(
    session: &mut Session,
    frame: &mut Frame<'_, '_>,
    sink: &mut dyn ResultSink,
) -> SqlResult<()> {
    let program = Arc::clone(&frame.program);
    loop {
        session.ctx.check_killed()?;
        let at = frame.at;
        let Some(instruction) = program.code.get(at as usize) else { return Ok(()) };
        frame.at = at + 1;
        session.statement.next_in_routine();
        let floor = session.ctx.calls.floor;
        session.ctx.calls.in_use.truncate(floor);
        session.ctx.statement.next_in_routine();
        let result = step(session, frame, &program, instruction, at, sink);
        let failed = session.ctx.check_failed();
        session.ctx.set_strict(false);
        match result.and_then(|way| failed.map(|()| way)) {
            Ok(way) => {
                let end = program.code.len() as Place;
                match way {
                    Way::On => {}
                    Way::To(place) => frame.at = place,
                    Way::End => frame.at = end,
                }
                if !program.handlers.is_empty() {
                    warned(session, frame, &program, at, instruction);
                }
                if matches!(way, Way::End) && frame.at == end {
                    // no handler took a warning of RETURN
                    return Ok(());
                }
                if !shows(instruction) {
                    session.end_warnings();
                }
            }
            Err(e) => {
                let e = session.fail(e, false);
                let handler = match is_fatal(&e) {
                    true => None,
                    false => program.handler(at, e.code, e.state, Level::Error),
                };
                let Some(handler) = handler else { return Err(e) };
                let resume = behind(instruction).unwrap_or(at + 1);
                let items = items_of(session, &e);
                enter(
                    session,
                    frame,
                    &program,
                    handler,
                    resume,
                    Raised { level: Level::Error, error: e, items },
                );
            }
        }
    }
}

/// Whether an instruction shows the warnings of the one before.
fn shows(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Statement(s) => is_diagnostic(s),
        Instruction::Diagnose(_)
        | Instruction::Jump(_)
        | Instruction::Resume(_)
        | Instruction::Exit(..)
        | Instruction::Forget(..) => true,
        _ => false,
    }
}

fn items_of(session: &Session, e: &SqlError) -> Option<Box<crate::warning::Items>> {
    let same = |w: &&crate::warning::Warning| w.code == e.code && w.message == e.message;
    session.ctx.warnings.entries().iter().rev().find(same).and_then(|w| w.items.clone())
}

/// Where a handler goes on that took a condition of a test: behind the whole IF, CASE or loop, as in MariaDB.
fn behind(instruction: &Instruction) -> Option<Place> {
    match instruction {
        Instruction::JumpUnless(_, _, after)
        | Instruction::Operand(_, _, after)
        | Instruction::JumpUnlessFound(_, after) => Some(*after),
        _ => None,
    }
}

/// Calls the handler of a warning that an instruction has raised, if there is one.
fn warned(
    session: &mut Session,
    frame: &mut Frame<'_, '_>,
    program: &Program,
    at: Place,
    instruction: &Instruction,
) {
    if shows(instruction) || session.ctx.warnings.count_all() == 0 {
        return;
    }
    let found = session.ctx.warnings.entries().iter().rev().find_map(|w| {
        if w.level == Level::Error {
            return None;
        }
        let state = w.items.as_ref().map_or_else(|| error::sqlstate(w.code), |i| i.state);
        let handler = program.handler(at, w.code, state, w.level)?;
        Some((handler, w.clone(), state))
    });
    if let Some((handler, w, state)) = found {
        let mut e = SqlError::with_message(w.code, w.message);
        e.state = state;
        let resume = behind(instruction).unwrap_or(frame.at);
        session.statement_is_new();
        enter(session, frame, program, handler, resume, Raised { level: w.level, error: e, items: w.items });
    }
}

fn enter(
    session: &mut Session,
    frame: &mut Frame<'_, '_>,
    program: &Program,
    handler: u32,
    resume: Place,
    condition: Raised,
) {
    let Some(h) = program.handlers.get(handler as usize) else { return };
    let entries = session.ctx.warnings.entries().to_vec();
    let list = session.ctx.warnings.number();
    frame.active.push(Active { resume, condition, entries, list });
    frame.handled = true;
    frame.at = h.entry;
}

/// The body of a handler has ended: what it was called for is forgotten.
fn leave(session: &mut Session, frame: &mut Frame<'_, '_>) -> Option<Active> {
    let active = frame.active.pop()?;
    if session.ctx.warnings.number() == active.list {
        session.ctx.warnings.forget_first(&active.entries);
    }
    Some(active)
}

/// Whether all tables that an instruction uses were locked; statements ask for themselves.
///
/// # Errors
/// 1099, 1100.
#[cold]
fn check_locks(session: &mut Session, instruction: &Instruction) -> SqlResult<()> {
    if matches!(instruction, Instruction::Statement(_)) {
        return Ok(());
    }
    session.begin_warnings_of(false);
    session.check_uses(Uses::of_instruction(instruction)).inspect_err(|e| {
        session.ctx.warnings.push_error(Level::Error, e);
    })
}

fn step(
    session: &mut Session,
    frame: &mut Frame<'_, '_>,
    program: &Arc<Program>,
    instruction: &Instruction,
    at: Place,
    sink: &mut dyn ResultSink,
) -> SqlResult<Way> {
    if session.locks.active {
        check_locks(session, instruction)?;
    }
    match instruction {
        Instruction::Statement(s) => frame.affected += statement(session, program, s, at, sink)?,
        Instruction::Set(slot, e) | Instruction::Operand(slot, e, _) => {
            session.begin_warnings_of(false);
            // what an assignment warns of is an error in strict mode, as where rows are written
            let strict = matches!(instruction, Instruction::Set(..)) && session.settings().sql_mode.strict();
            session.ctx.set_strict(strict);
            set(session, program, *slot, e, at)?;
        }
        Instruction::Clear(slot) => {
            session.begin_warnings_of(false);
            session.ctx.calls.rows = 0;
            if let Some(row) = session.row_variable(*slot) {
                super::rows::clear(session, &row);
            } else if let Some(place) = session.ctx.statement.params.get_mut(*slot as usize) {
                *place = Value::Null;
            }
        }
        Instruction::Jump(place) => return Ok(Way::To(*place)),
        Instruction::JumpUnless(e, place, _) => {
            session.begin_warnings_of(false);
            let (value, ty) = evaluate(session, program, e, at, as_condition)?;
            let met = !matches!(value, Value::Null)
                && convert::to_bool(value.as_ref(), &ty, &mut session.ctx.conversion);
            return Ok(if met { Way::On } else { Way::To(*place) });
        }
        Instruction::NoCase => {
            session.begin_warnings_of(false);
            return Err(SqlError::new(codes::ER_SP_CASE_NOT_FOUND, &[]));
        }
        Instruction::Open(..)
        | Instruction::Fetch(..)
        | Instruction::Shape(..)
        | Instruction::FetchGroup
        | Instruction::FetchRecord(..)
        | Instruction::JumpUnlessFound(..)
        | Instruction::Close(_)
        | Instruction::Forget(..) => return cursor_step(session, frame, program, instruction, at),
        Instruction::Return(e) => {
            session.begin_warnings_of(true);
            session.ctx.calls.rows = 0;
            if session.is_row(e)
                && let Some(column) = &session.statement.result
            {
                return Err(super::rows::no_cast(column));
            }
            match returned(session, program, e, at) {
                Ok(value) => frame.returned = Some(value),
                // where a handler takes the error, the function has returned NULL; a table that is missing is missed before
                Err(e) => {
                    if e.code != error::ER_NO_SUCH_TABLE {
                        frame.returned = Some(Value::Null);
                    }
                    return Err(e);
                }
            }
            return Ok(Way::End);
        }
        Instruction::Resume(_) => {
            return Ok(leave(session, frame).map_or(Way::On, |a| Way::To(a.resume)));
        }
        Instruction::Exit(depth, place) => {
            while frame.active.len() > *depth as usize {
                leave(session, frame);
            }
            return Ok(Way::To(*place));
        }
        Instruction::Signal(s) => {
            if s.again {
                super::condition::resignal(session, frame, s)?;
            } else {
                session.begin_warnings_of(true);
                super::condition::signal(session, s)?;
            }
        }
        Instruction::Diagnose(what) => super::condition::diagnose(session, what)?,
    }
    Ok(Way::On)
}

/// The value of RETURN, as the function's type has it.
fn returned(session: &mut Session, program: &Arc<Program>, e: &Expr, at: Place) -> SqlResult<Value> {
    let strict = session.settings().sql_mode.strict();
    session.ctx.set_strict(strict);
    let (value, ty) = evaluate(session, program, e, at, |_| {})?;
    session.ctx.check_failed()?;
    match session.statement.result.clone() {
        Some(column) => super::locals::converted(session, &column, value, &ty),
        None => Ok(value),
    }
}

/// The instructions about cursors, and the rows of a group.
fn cursor_step(
    session: &mut Session,
    frame: &mut Frame<'_, '_>,
    program: &Arc<Program>,
    instruction: &Instruction,
    at: Place,
) -> SqlResult<Way> {
    match instruction {
        Instruction::Open(cursor, arguments) => {
            session.begin_warnings_of(true);
            super::cursor::open(session, frame, *cursor, arguments, at)?;
        }
        Instruction::Fetch(cursor, targets) => {
            session.begin_warnings_of(false);
            super::cursor::fetch(session, frame, *cursor, targets)?;
        }
        Instruction::Shape(slot, cursor) => {
            session.begin_warnings_of(false);
            let own = program.cursors.get(*cursor as usize).is_some_and(|c| c.name.is_empty());
            if own && super::cursor::found(frame, *cursor).is_err() {
                // the query of a FOR that could not be opened was told
                return Ok(Way::On);
            }
            super::rows::shape(session, program, (*slot, *cursor), at)?;
        }
        Instruction::FetchGroup => {
            session.begin_warnings_of(false);
            return super::aggregate::fetch(session, frame);
        }
        Instruction::FetchRecord(cursor, slot) => {
            session.begin_warnings_of(false);
            super::cursor::fetch_record(session, frame, *cursor, *slot)?;
        }
        Instruction::JumpUnlessFound(cursor, end) => {
            session.begin_warnings_of(false);
            if !super::cursor::found(frame, *cursor)? {
                return Ok(Way::To(*end));
            }
        }
        Instruction::Close(cursor) => {
            session.begin_warnings_of(false);
            super::cursor::close(frame, *cursor)?;
        }
        Instruction::Forget(from, to) => {
            for c in *from..*to {
                if let Some(place) = frame.cursors.get_mut(c as usize) {
                    *place = None;
                }
            }
        }
        _ => return Err(SqlError::internal("no instruction about cursors")),
    }
    Ok(Way::On)
}

fn set(session: &mut Session, program: &Arc<Program>, slot: Slot, e: &Expr, at: Place) -> SqlResult<()> {
    if let Some(row) = session.row_variable(slot) {
        return super::rows::set(session, program, &row, e, at);
    }
    if let Err(why) = session.refuse_row(slot, e) {
        session.fail_local(slot, (e, false), &why)?;
        return Err(why);
    }
    if let Some(Err(gone)) = session.ctx.statement.rows.as_ref().map(|rows| rows.check(slot)) {
        // a column that is gone is told before the value is computed, and behind the tables that it reads
        let opened = if has_subquery(e) { session.plan(&query_of(e), &program.text).err() } else { None };
        return Err(opened.filter(opens_no_table).unwrap_or(gone));
    }
    if matches!(e.kind, crate::ast::ExprKind::Default(None)) {
        return session.assign_local(slot, Value::Null, &FieldType::null());
    }
    if matches!(e.kind, crate::ast::ExprKind::Local(from, _) if from == slot) {
        // its own value stays, even one that the mode of now would refuse
        session.note_assigned(slot);
        return Ok(());
    }
    let computing = Cell::new(false);
    let (value, ty) = match evaluate_noting(session, program, (e, at), |_| {}, &computing) {
        Ok(computed) => computed,
        Err(why) => {
            session.fail_local(slot, (e, computing.get()), &why)?;
            return Err(why);
        }
    };
    let known = session.statement.param_types.get(slot as usize).map(FieldType::class);
    session.assign_local(slot, value, &ty)?;
    if session.statement.param_types.get(slot as usize).map(FieldType::class) != known {
        session.routines.forget(program);
    }
    Ok(())
}

/// A statement of the body.
fn statement(
    session: &mut Session,
    program: &Arc<Program>,
    statement: &Arc<Statement>,
    at: Place,
    sink: &mut dyn ResultSink,
) -> SqlResult<u64> {
    let before = session.ctx.connection.row_count;
    session.begin_warnings(statement);
    if let (Some(start), Some(end)) = (program.starts.get(at as usize), program.ends.get(at as usize)) {
        session.connection.set_part(*start, *end);
    }
    super::function::adopt_temporary(&mut session.ctx, &mut session.state);
    session.ctx.calls.rows = 0;
    let function = session.ctx.calls.within_function();
    if !function {
        session.ctx.forget_time();
    }
    session.tracked.clear();
    if function {
        // a procedure that it calls may have any statement
        crate::parse::routine_limits::check_called(statement, session.ctx.calls.word() == "trigger")?;
    }
    let done = match &**statement {
        Statement::Select(q)
            if q.lock.is_none() && matches!(q.into.as_deref(), None | Some(Into::Variables(_))) =>
        {
            session.count(crate::status::Counter::ComSelect);
            let mut slot = match session.routines.take(program, at) {
                Kept::Plan(slot) => slot,
                _ => None,
            };
            let result = match q.into.as_deref() {
                Some(Into::Variables(targets)) => {
                    session.run_cached_into(&mut slot, q, targets, &program.text)
                }
                _ => session.run_cached(&mut slot, q, &program.text, sink),
            };
            session.routines.put(program, at, Kept::Plan(slot));
            result
        }
        Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) if session.handlers.is_empty() => {
            session.count(crate::statement::counter_of(statement));
            session.forbid_in_transaction(statement)?;
            let mut slot = match session.routines.take(program, at) {
                Kept::Change(slot) => slot,
                _ => None,
            };
            let result = session.run_change(&mut slot, statement, &program.text, None, sink);
            session.routines.put(program, at, Kept::Change(slot));
            session.transaction.changed = true;
            result
        }
        _ => {
            let asked = matches!(**statement, Statement::Explain(_) | Statement::Call(..));
            session.statement.routine = asked.then(|| Arc::clone(program));
            let done = session.run(statement, &program.text, sink);
            super::function::sync(&mut session.ctx, &mut session.state);
            done
        }
    };
    let mut done = done?;
    session.ctx.check_failed()?;
    if done.had_rows {
        // they are told with the end of the whole
        done.warnings = 0;
        session.finish(&mut done, true);
        sink.finish(&done)?;
        return Ok(0);
    }
    if session.ctx.calls.within_trigger() && inserts_values(statement) {
        // MariaDB counts every statement in triggers but these
        session.ctx.connection.row_count = before;
        return Ok(0);
    }
    session.ctx.connection.row_count = done.affected as i64;
    Ok(done.affected)
}

/// Whether a statement is an INSERT or REPLACE of VALUES or SET.
fn inserts_values(statement: &Statement) -> bool {
    matches!(statement, Statement::Insert(i) if !matches!(i.source, InsertSource::Query(..)))
}

/// The value of an expression of the body, and its type; `adapt` fits the bound expression to its place.
///
/// # Errors
/// Those of binding and evaluating.
pub(super) fn evaluate(
    session: &mut Session,
    program: &Arc<Program>,
    e: &Expr,
    at: Place,
    adapt: fn(&mut crate::expr::Expr),
) -> SqlResult<(Value, FieldType)> {
    evaluate_noting(session, program, (e, at), adapt, &Cell::new(false))
}

/// As [`evaluate`]; `computing` is set when everything is bound.
fn evaluate_noting(
    session: &mut Session,
    program: &Arc<Program>,
    (e, at): (&Expr, Place),
    adapt: fn(&mut crate::expr::Expr),
    computing: &Cell<bool>,
) -> SqlResult<(Value, FieldType)> {
    super::function::adopt_temporary(&mut session.ctx, &mut session.state);
    if has_subquery(e) {
        return evaluate_query(session, program, (e, at), computing);
    }
    let settings = session.plan_settings();
    let bound = match session.routines.take(program, at) {
        Kept::Expr(s, bound) if s == settings => bound,
        _ => {
            let (mut bound, keep) = session.bound_to_keep(e)?;
            adapt(&mut bound);
            let bound = Arc::new(bound);
            if !keep {
                computing.set(true);
                let value = bound.value(&mut session.ctx)?;
                return Ok((value, bound.ty.clone()));
            }
            bound
        }
    };
    computing.set(true);
    let value = bound.value(&mut session.ctx);
    let ty = bound.ty.clone();
    session.routines.put(program, at, Kept::Expr(settings, bound));
    Ok((value?, ty))
}

fn evaluate_query(
    session: &mut Session,
    program: &Arc<Program>,
    (e, at): (&Expr, Place),
    computing: &Cell<bool>,
) -> SqlResult<(Value, FieldType)> {
    let plan = |session: &mut Session| session.plan(&query_of(e), &program.text);
    with_kept_plan(session, program, at, plan, |session, plan| {
        computing.set(true);
        let rows = session.with_snapshot(&plan.tables, |s, exec| exec.collect(plan, &mut s.ctx, 1))?;
        Ok(match rows.is_empty() {
            true => (Value::Null, FieldType::null()),
            false => (rows.value(0, 0), plan.types[0].clone()),
        })
    })
}

/// Runs what is to be done with the plan kept of an instruction, which is made when there is none or it does not hold any more.
///
/// # Errors
/// Those of planning and of `run`.
pub(super) fn with_kept_plan<T>(
    session: &mut Session,
    program: &Arc<Program>,
    at: Place,
    plan: impl Fn(&mut Session) -> SqlResult<Arc<QueryPlan>>,
    run: impl Fn(&mut Session, &Arc<QueryPlan>) -> SqlResult<T>,
) -> SqlResult<T> {
    let mut kept = match session.routines.take(program, at) {
        Kept::Plan(Some((kept, _))) => Some(kept),
        _ => None,
    };
    let result = session.retry_if_stale(|session| {
        let valid = kept.as_ref().filter(|k| session.is_plan_valid(k)).map(|k| Arc::clone(&k.plan));
        let plan = match valid {
            Some(plan) => plan,
            None => {
                let made = plan(session)?;
                kept = session.keep(&made);
                made
            }
        };
        run(session, &plan)
    });
    session.routines.put(program, at, Kept::Plan(kept.map(|k| (k, ParamTypes::default()))));
    result
}

//! CALL, and what surrounds the run of any routine: its database, settings, rights and variables.

use std::sync::Arc;

use charset::Collation;

use super::aggregate::Group;
use super::frame::Frame;
use super::locals::{Locals, converted, resolve_all, types_of};
use super::rows::{no_cast, no_row_of_using, operand_columns};
use super::store::Routine;
use crate::ast::program::{Mode, Parameter, Program, RecordType, Target, VariableType};
use crate::ast::{self, ExprKind, TableName};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::expr::calls::Running;
use crate::expr::rows::{RowVariable, RowVariables};
use crate::result::{Done, ResultSink};
use crate::rights::{Login, Rights};
use crate::session::{Session, status_flag};
use crate::show::rows::Rows;
use crate::types::store::Column;
use crate::types::{FieldType, Value};
use crate::variables::{SqlMode, VarValue};
use crate::warning::{Level, Warnings};

/// Bytes of the stack that nested routines may take.
const STACK: usize = 1200 * 1024;

/// An argument of a call.
pub(crate) enum Argument {
    /// A value.
    Value(Value, FieldType),
    /// A row.
    Row(Vec<(Value, FieldType)>),
}

impl Argument {
    /// NULL, of a row as of anything else.
    fn null() -> Argument {
        Argument::Value(Value::Null, FieldType::null())
    }
}

/// What a routine leaves behind.
pub(crate) struct Outcome {
    /// Its ROW variables.
    pub rows: Arc<RowVariables>,
    /// Its variables.
    pub values: Vec<Value>,
    /// Their types.
    pub types: Vec<FieldType>,
    /// Rows that its statements changed.
    pub affected: u64,
    /// The value of RETURN, as the function's type has it.
    pub returned: Option<Value>,
    /// Whether a handler was called.
    pub handled: bool,
}

/// CALL.
///
/// # Errors
/// 1305, 1318, 1370, 1414, 1436, 1456; those of the routine.
pub(crate) fn call(
    session: &mut Session,
    name: &TableName,
    args: &[ast::Expr],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let (db, bare) = super::define::path(session, name)?;
    let engine = Arc::clone(&session.engine);
    let full = format!("{db}.{bare}");
    let Some(routine) = engine.routines.find(&engine, &db, &bare, false)? else {
        return Err(SqlError::new(error::ER_SP_DOES_NOT_EXIST, &[&"PROCEDURE", &full]));
    };
    let program = routine.program()?;
    let count = program.parameters.len();
    if args.len() != count {
        return Err(SqlError::new(
            codes::ER_SP_WRONG_NO_OF_ARGS,
            &[&"PROCEDURE", &full, &count, &args.len()],
        ));
    }
    let mut inputs = Vec::with_capacity(count);
    let mut outputs = Vec::new();
    for (i, (p, a)) in program.parameters.iter().zip(args).enumerate() {
        if let ExprKind::Local(slot, _) = &a.kind {
            session.may_pass(*slot, p.mode)?;
        }
        if p.mode != Mode::In {
            let target = match &a.kind {
                ExprKind::UserVariable(name) => Target::User(name.clone()),
                ExprKind::Local(slot, _) => Target::Local(*slot),
                // of a prepared CALL
                ExprKind::Param(n) => Target::Local(*n),
                _ => return Err(SqlError::new(codes::ER_SP_NOT_VAR_ARG, &[&(i + 1), &full])),
            };
            outputs.push((i, target, matches!(a.kind, ExprKind::Param(_))));
        }
        inputs.push(match p.mode {
            Mode::Out => {
                refuse_parameter(p, a)?;
                Argument::null()
            }
            Mode::In | Mode::InOut => argument(session, p, a)?,
        });
    }
    // its own end follows what it selects
    sink.announce(status_flag::MORE_RESULTS);
    let outcome = run_stored(session, &routine, &program, (inputs, None, None), sink)?;
    let mut sent = Vec::new();
    for (i, target, parameter) in outputs {
        if let Some(row) = outcome.rows.row(i as u32) {
            give_back_row(session, &outcome, row, target)?;
            continue;
        }
        let Some(value) = outcome.values.get(i).cloned() else { continue };
        let ty = outcome.types[i].clone();
        match target {
            Target::Local(n) if parameter => {
                let name = program.parameters.get(i).map(|p| p.name.clone()).unwrap_or_default();
                sent.push((n, name, value, ty));
            }
            Target::User(name) => session.ctx.set_user_variable(&name.to_lowercase(), value, &ty)?,
            Target::Local(slot) => session.assign_local(slot, value, &ty)?,
        }
    }
    if session.statement.depth == 0 {
        send_outputs(session, sent, sink)?;
    } else {
        session.ctx.calls.outputs = sent.into_iter().map(|(n, _, value, ty)| (n, value, ty)).collect();
    }
    Ok(Done { affected: outcome.affected, ..Done::default() })
}

/// 4079 for a row that a parameter of a prepared CALL is to be.
fn refuse_parameter(p: &Parameter, e: &ast::Expr) -> SqlResult<()> {
    if matches!((&p.ty, &e.kind), (VariableType::Record(_), ExprKind::Param(_))) {
        return Err(no_row_of_using());
    }
    Ok(())
}

/// The value of an argument of CALL.
fn argument(session: &mut Session, p: &Parameter, e: &ast::Expr) -> SqlResult<Argument> {
    if let VariableType::Record(_) = p.ty {
        refuse_parameter(p, e)?;
        return match session.row_of(e)? {
            Some(row) => Ok(Argument::Row(row)),
            None if matches!(e.kind, ExprKind::Literal(ast::Literal::Null)) => Ok(Argument::null()),
            // its own error is that of the number of columns
            None => Ok(Argument::Row(Vec::new())),
        };
    }
    if session.is_row(e) {
        return session.row_of(e).map(|row| Argument::Row(row.unwrap_or_default()));
    }
    session.constant(e, "SELECT").map(|(value, ty)| Argument::Value(value, ty))
}

/// The fields of an OUT or INOUT parameter.
pub(super) fn give_back_row(
    session: &mut Session,
    outcome: &Outcome,
    row: &RowVariable,
    target: Target,
) -> SqlResult<()> {
    let Target::Local(slot) = target else { return Err(operand_columns(1)) };
    let Some(to) = session.row_variable(slot) else {
        let column = session.column_of_local(slot);
        return Err(column.map_or_else(|| operand_columns(1), |c| no_cast(&c)));
    };
    let field =
        |(_, s): &(Box<str>, u32)| (outcome.values[*s as usize].clone(), outcome.types[*s as usize].clone());
    session.assign_row(&to, row.fields.iter().map(field).collect())
}

/// The OUT and INOUT parameters of a CALL that was prepared over the protocol: a row of their own.
fn send_outputs(
    session: &mut Session,
    sent: Vec<(u32, ast::Name, Value, FieldType)>,
    sink: &mut dyn ResultSink,
) -> SqlResult<()> {
    if sent.is_empty() || !session.info.out_parameters {
        return Ok(());
    }
    let mut rows = Rows::new(sent.iter().map(|(_, name, _, ty)| (&**name, ty.clone())).collect());
    rows.push(sent.into_iter().map(|(_, _, value, _)| value).collect());
    sink.announce(status_flag::MORE_RESULTS | status_flag::PS_OUT_PARAMS);
    let mut done = rows.send(session, sink)?;
    done.warnings = 0;
    session.finish(&mut done, true);
    done.status |= status_flag::PS_OUT_PARAMS;
    sink.finish(&done)
}

/// BEGIN NOT ATOMIC and its like.
///
/// # Errors
/// Those of the body.
pub(crate) fn anonymous(
    session: &mut Session,
    program: &Arc<Program>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let collation = match session.db.as_deref() {
        Some(db) => session.engine.catalog.database(db)?.collation,
        None => session.vars.settings.server,
    };
    crate::session::body::known_variables(program)?;
    session.warn_of_late_intos(program);
    sink.announce(status_flag::MORE_RESULTS);
    let outcome = locals_of(session, program, collation).and_then(|locals| {
        let values = vec![Value::Null; locals.columns.len()];
        run_program(session, program, (locals, None, None), values, sink)
    });
    if outcome.is_err() {
        trace(session, "anonymous block");
    }
    let outcome = outcome?;
    Ok(Done { affected: outcome.affected, ..Done::default() })
}

/// Runs a stored routine with the settings of its making; `column` is what a function's result is stored as.
///
/// # Errors
/// 1449 without its definer; 1456; those of the body.
pub(crate) fn run_stored(
    session: &mut Session,
    routine: &Routine,
    program: &Arc<Program>,
    (inputs, column, group): (Vec<Argument>, Option<&Arc<Column>>, Option<&mut Group<'_>>),
    sink: &mut dyn ResultSink,
) -> SqlResult<Outcome> {
    let of_call = routine.of_call();
    enter(session, routine, &of_call.full)?;
    let (db, collation) = (Arc::clone(&of_call.db), of_call.database);
    let prepared = Before::rights_of(session, routine).and_then(|before| {
        // tables that types are taken from are those of the caller's database
        let found = locals_of(session, program, collation)
            .and_then(|locals| arguments(session, &locals, inputs).map(|values| (locals, values)));
        match found {
            Ok(found) => Ok((found, before)),
            Err(e) => {
                before.restore(session);
                Err(e)
            }
        }
    });
    let ((locals, values), mut before) = match prepared {
        Ok(found) => found,
        Err(e) => {
            session.ctx.calls.running.pop();
            return Err(e);
        }
    };
    before.take_settings(session, routine);
    let result = session
        .in_database(Some(db), |s| run_program(s, program, (locals, column.cloned(), group), values, sink));
    before.restore(session);
    session.ctx.calls.running.pop();
    if result.is_err() {
        trace(session, &of_call.full);
    }
    result
}

/// Notes that a routine runs.
pub(super) fn enter(session: &mut Session, routine: &Routine, full: &Arc<str>) -> SqlResult<()> {
    let again =
        session.ctx.calls.running.iter().filter(|r| r.function == routine.function && r.name == *full);
    let depth = again.count();
    if depth > 0 {
        if routine.function {
            return Err(SqlError::new(codes::ER_SP_NO_RECURSION, &[]));
        }
        let limit = session.vars.named("max_sp_recursion_depth").as_u64();
        if depth as u64 > limit {
            return Err(SqlError::new(codes::ER_SP_RECURSION_LIMIT, &[&limit, &routine.name]));
        }
    }
    check_stack(session)?;
    session.ctx.calls.running.push(Running {
        name: Arc::clone(full),
        function: routine.function,
        trigger: false,
        table: None,
    });
    Ok(())
}

/// 1436 when routines nest too deeply for the thread's stack.
fn check_stack(session: &mut Session) -> SqlResult<()> {
    let here = 0u8;
    let place = std::ptr::from_ref(std::hint::black_box(&here)) as usize;
    if session.ctx.calls.running.is_empty() {
        session.ctx.calls.stack = place;
    }
    let used = place.abs_diff(session.ctx.calls.stack);
    if used > STACK {
        return Err(SqlError::new(error::ER_STACK_OVERRUN_NEED_MORE, &[&used, &STACK, &(64 * 1024)]));
    }
    Ok(())
}

/// Note 4094: an error has left a routine.
pub(super) fn trace(session: &mut Session, full: &str) {
    let Some(line) = session.ctx.calls.failed_line.take() else { return };
    let text = error::message(codes::ER_SP_STACK_TRACE, &[&line, &full]);
    session.ctx.warnings.make_room();
    session.ctx.warnings.push_text(Level::Note, codes::ER_SP_STACK_TRACE, text);
}

/// The settings of a session that a routine has its own of.
#[derive(Clone, Copy, PartialEq)]
struct Own {
    sql_mode: SqlMode,
    client: &'static str,
    connection: &'static Collation,
}

impl Own {
    fn of(session: &Session) -> Own {
        let s = &session.vars.settings;
        Own { sql_mode: s.sql_mode, client: s.client.name, connection: s.connection }
    }
}

/// What a routine changes of the session while it runs.
pub(super) struct Before {
    /// Where it took its settings.
    own: Option<Own>,
    /// Those of the variables behind them, where they are others.
    settings: Vec<(&'static str, VarValue)>,
    rights: Option<(Rights, String)>,
}

/// The variables of a routine's settings.
fn variables_of(
    mode: SqlMode,
    client: &str,
    connection: &'static Collation,
) -> [(&'static str, VarValue); 4] {
    let text = |t: &str| VarValue::Text(Arc::from(t));
    [
        ("sql_mode", VarValue::Bits(mode.0)),
        ("character_set_client", text(client)),
        ("character_set_connection", text(connection.charset.name)),
        ("collation_connection", text(connection.name)),
    ]
}

impl Before {
    /// Takes the settings and rights of the routine.
    pub(super) fn of(session: &mut Session, routine: &Routine) -> SqlResult<Before> {
        let mut before = Before::rights_of(session, routine)?;
        before.take_settings(session, routine);
        Ok(before)
    }

    /// Takes its rights alone.
    fn rights_of(session: &mut Session, routine: &Routine) -> SqlResult<Before> {
        let rights = if routine.invoker { None } else { definer(session, routine)? };
        Ok(Before { own: None, settings: Vec::new(), rights })
    }

    /// Takes its settings as well.
    fn take_settings(&mut self, session: &mut Session, routine: &Routine) {
        let own = Own::of(session);
        self.own = Some(own);
        let connection = routine.connection_collation();
        if own.sql_mode == routine.sql_mode && own.client == routine.client && own.connection == connection {
            return;
        }
        let wanted = variables_of(routine.sql_mode, &routine.client, connection);
        self.settings = wanted.iter().map(|(n, _)| (*n, session.vars.named(n).clone())).collect();
        session.vars.set_many(&wanted);
        session.apply_settings();
    }

    pub(super) fn restore(self, session: &mut Session) {
        if let Some(own) = self.own
            && own != Own::of(session)
        {
            match self.settings.is_empty() {
                true => session.vars.set_many(&variables_of(own.sql_mode, own.client, own.connection)),
                false => session.vars.set_many(&self.settings),
            }
            session.apply_settings();
        }
        if let Some((rights, user)) = self.rights {
            session.rights = rights;
            session.ctx.connection.current_user = user;
        }
    }
}

/// Makes the definer's rights those of the session, and gives what it had.
fn definer(session: &mut Session, routine: &Routine) -> SqlResult<Option<(Rights, String)>> {
    let (user, host) = &routine.definer;
    if *user == session.rights.user && *host == session.rights.host || session.info.internal {
        return Ok(None);
    }
    let accounts = &session.engine.accounts;
    let Some(account) = accounts.find(user, host) else {
        if session.rights.user.is_empty() && session.rights.host.is_empty() {
            // who opened the data directory itself has no account
            return Ok(None);
        }
        return Err(SqlError::new(error::ER_NO_SUCH_USER, &[user, host]));
    };
    let login = Login { user, host, with_password: false };
    let rights = Rights::of_login(accounts, Some(&account), login);
    let before = std::mem::replace(&mut session.rights, rights);
    let name = format!("{user}@{host}");
    let current = std::mem::replace(&mut session.ctx.connection.current_user, name);
    Ok(Some((before, current)))
}

/// The values of a call's arguments as those of the parameters: converted under the settings of the caller.
fn arguments(session: &mut Session, locals: &Locals, inputs: Vec<Argument>) -> SqlResult<Vec<Value>> {
    let mut values = vec![Value::Null; locals.columns.len()];
    let shown = session.ctx.calls.rows;
    let mut set = |session: &mut Session, at: usize, value: Value, ty: &FieldType| -> SqlResult<()> {
        if let (Some(Some(column)), Some(place)) = (locals.columns.get(at), values.get_mut(at)) {
            *place = converted(session, column, value, ty)?;
        }
        // what strict mode refuses ends the call before the next one is looked at
        session.ctx.check_failed()
    };
    for (i, argument) in inputs.into_iter().enumerate() {
        match (argument, locals.rows.row(i as u32)) {
            (Argument::Value(value, ty), None) => set(session, i, value, &ty)?,
            (Argument::Value(Value::Null, _), Some(_)) => {}
            (Argument::Row(list), Some(row)) if list.len() == row.fields.len() => {
                for ((_, slot), (value, ty)) in row.fields.iter().zip(list) {
                    session.ctx.calls.rows = shown;
                    set(session, *slot as usize, value, &ty)?;
                }
            }
            (_, Some(row)) => return Err(operand_columns(row.fields.len())),
            (Argument::Row(_), None) => {
                let column = locals.columns.get(i).and_then(Option::as_ref);
                return Err(column.map_or_else(|| operand_columns(1), |c| no_cast(c)));
            }
        }
    }
    session.ctx.calls.rows = 0;
    Ok(values)
}

/// Runs a program.
///
/// # Errors
/// Those that no handler takes.
pub(super) fn run_program(
    session: &mut Session,
    program: &Arc<Program>,
    (locals, result, group): (Arc<Locals>, Option<Arc<Column>>, Option<&mut Group<'_>>),
    values: Vec<Value>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Outcome> {
    let types = types_of(&locals);
    let depth = session.statement.depth;
    let own = begin_list(session);
    let shown = session.connection.enter_routine(&program.text, crate::statement::secret::shown);
    let outcome = session.nested((values, types), |session| {
        // how deep statements nest is not how deep routines do
        session.statement.depth = depth;
        session.ctx.statement.rows = Some(Arc::clone(&locals.rows));
        session.ctx.statement.columns = Some(Arc::clone(&locals.columns));
        session.statement.locals = Some(locals);
        session.statement.result = result;
        let mut frame = Frame::new(Arc::clone(program), group);
        let result = super::run::run(session, &mut frame, sink);
        if let Err(e) = result {
            let at = frame.at.saturating_sub(1);
            session.ctx.calls.failed_line = Some(program.line_of(at));
            return Err(e);
        }
        Ok(Outcome {
            rows: session.ctx.statement.rows.take().unwrap_or_default(),
            values: std::mem::take(&mut session.ctx.statement.params),
            types: std::mem::take(&mut session.statement.param_types),
            affected: frame.affected,
            returned: frame.returned,
            handled: frame.handled,
        })
    });
    session.connection.leave_routine(shown);
    end_list(session, own);
    outcome
}

/// The body has a list of warnings of its own, which begins with those of the statement so far.
fn begin_list(session: &mut Session) -> Warnings {
    session.state.previous_warnings = None;
    session.ctx.warnings.clone()
}

/// The statement goes on with its own list, and what the body has left in the other one.
fn end_list(session: &mut Session, own: Warnings) {
    session.state.previous_warnings = None;
    let within = std::mem::replace(&mut session.ctx.warnings, own);
    // what the body has added to a list that it has not begun goes with it, as in MariaDB
    if within.number() != session.ctx.warnings.number() {
        session.ctx.warnings.tell_again(within.entries());
    }
}

/// The types of a program's variables, as they were found before where that is the same.
fn locals_of(
    session: &mut Session,
    program: &Arc<Program>,
    collation: &'static Collation,
) -> SqlResult<Arc<Locals>> {
    if let Some(known) = &session.routines.of(program).locals {
        return Ok(Arc::clone(known));
    }
    let locals = Arc::new(resolve_all(session, program, collation)?);
    super::rows::forget_others(session, program, &locals);
    let fixed = |v: &crate::ast::program::Variable| {
        !matches!(v.ty, VariableType::Like(..) | VariableType::Record(RecordType::Table(_)))
    };
    if program.variables.iter().all(fixed) {
        session.routines.of(program).locals = Some(Arc::clone(&locals));
    }
    Ok(locals)
}

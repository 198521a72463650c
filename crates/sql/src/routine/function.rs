//! Stored functions in expressions: a context whose expressions call functions has a session of its own for them ([`Host`]). While a function runs, the two exchange their contexts, so
//! that user variables, the clock and the random numbers are those of the statement that calls.

use std::any::Any;
use std::sync::Arc;

use foldhash::HashMap;

use super::aggregate::Group;
use super::call::{Argument, Outcome, give_back_row};
use super::rows::{no_cast, no_row_of_using, operand_columns};
use super::store::Routine;
use crate::admin::bootstrap::Keep;
use crate::ast;
use crate::ast::program::{Mode, Program, Target, VariableType};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::expr::calls::{FunctionHost, GroupRows, stored_function};
use crate::expr::sequences::{Action, sequence_value};
use crate::expr::{EvalContext, Expr, Node};
use crate::rights::Rights;
use crate::rights::privilege::EXECUTE;
use crate::session::{Session, SessionState};
use crate::types::store::Column;
use crate::types::{FieldType, Value};
use crate::warning::Warnings;

/// What a context has for the functions that its expressions call.
pub(crate) struct Host {
    session: Box<Session>,
    /// The functions by number.
    functions: HashMap<u64, Known>,
    /// The host of the functions that these call.
    inner: Option<Box<dyn FunctionHost>>,
}

/// How many columns each parameter has that is a row; none where no parameter is one.
type Widths = Arc<[Option<usize>]>;

/// A function that was bound.
pub(super) struct Known {
    routine: Arc<Routine>,
    program: Arc<Program>,
    /// What its result is stored as.
    result: Arc<Column>,
    /// Where the values of OUT and INOUT parameters go.
    outputs: Vec<(usize, Target)>,
    /// How many columns its parameters have that are rows.
    widths: Widths,
}

/// The call of a function, if there is one of the name; `rights` are those that count where it is named.
///
/// # Errors
/// 1318, 1370; those of reading the function.
pub(crate) fn bind(
    state: &SessionState,
    rights: &Rights,
    ctx: &mut EvalContext,
    call: &ast::FunctionCall,
    args: Vec<Expr>,
    outputs: bool,
) -> SqlResult<Option<Expr>> {
    let Some((routine, full)) = found(state, rights, call)? else { return Ok(None) };
    let program = routine.program()?;
    let mut args = args;
    let outputs = match program.parameters.iter().any(|p| p.mode != Mode::In) {
        true => targets_of(&program, (call, &full), &mut args, outputs)?,
        false => Vec::new(),
    };
    let host = host_of(state, ctx)?;
    let column = result_of(host, &routine, &program)?;
    let reads = super::prelock::may_read(&program);
    let number = host.number_of(&routine, &outputs);
    let ty = call_type(&column);
    let (args, widths) = flattened(&mut host.session, &program, &routine, (call, args))?;
    host.functions.insert(number, Known { routine, program, result: column, widths, outputs });
    ctx.statement.bound_readers += u32::from(reads);
    Ok(Some(stored_function(number, args, ty)))
}

/// What a sequence answers; who asks has a session for that then.
///
/// # Errors
/// 1046; 4089 and 4091 for what is none.
pub(crate) fn bind_sequence(
    state: &SessionState,
    ctx: &mut EvalContext,
    name: &ast::TableName,
    action: Action,
) -> SqlResult<Expr> {
    let db = match name.db.as_deref().or(state.db.as_deref()) {
        Some(db) => db,
        None => return Err(SqlError::new(error::ER_NO_DB_ERROR, &[])),
    };
    let host = host_of(state, ctx)?;
    let opened = crate::dml::sequence::open(&mut host.session, db, &name.name);
    let told = std::mem::take(&mut host.session.ctx.warnings);
    ctx.warnings.tell_again(told.entries());
    opened?;
    Ok(sequence_value(db, &name.name, action))
}

/// The function of a call that may be run, and its full name.
fn found(
    state: &SessionState,
    rights: &Rights,
    call: &ast::FunctionCall,
) -> SqlResult<Option<(Arc<Routine>, String)>> {
    let Some(db) = call.db.as_deref().or(state.db.as_deref()) else { return Ok(None) };
    let routine = state.engine.routines.find(&state.engine, db, &call.name, true)?;
    let full = match &routine {
        Some(routine) => format!("{}.{}", routine.db, routine.name),
        None => format!("{db}.{}", call.name),
    };
    // Nobody learns what there is without the privilege.
    if rights.privileges().on_routine(db, &call.name, true) & EXECUTE == 0 {
        let (user, host) = (&state.rights.user, &state.rights.host);
        return Err(SqlError::new(error::ER_PROCACCESS_DENIED_ERROR, &[&"execute", user, host, &full]));
    }
    let Some(routine) = routine else { return Ok(None) };
    let (count, given) = (routine.program()?.parameters.len(), call.args.len());
    if given != count {
        return Err(SqlError::new(codes::ER_SP_WRONG_NO_OF_ARGS, &[&"FUNCTION", &full, &count, &given]));
    }
    Ok(Some((routine, full)))
}

/// What a context has for functions.
fn host_of<'c>(state: &SessionState, ctx: &'c mut EvalContext) -> SqlResult<&'c mut Host> {
    let host: &mut dyn Any = &mut **ctx.host.get_or_insert_with(|| Box::new(Host::of(state)));
    let Some(host) = host.downcast_mut::<Host>() else {
        return Err(SqlError::internal("functions have a host of another kind"));
    };
    host.sync(state);
    Ok(host)
}

/// What the result of a function is stored as.
fn result_of(host: &Host, routine: &Routine, program: &Program) -> SqlResult<Arc<Column>> {
    let Some(returns) = &program.returns else { return Err(SqlError::internal("a function without a type")) };
    super::locals::column_of(&host.session, &routine.name, returns, routine.database_collation())
}

/// What a call is among other values: its text has the weight of a literal.
fn call_type(result: &Column) -> FieldType {
    let mut ty = result.ty.clone().with_nullable(true);
    if ty.is_string() {
        ty.derivation = charset::derivation::Derivation::Coercible;
    }
    ty
}

/// The name of a call in messages.
fn heading(call: &ast::FunctionCall) -> String {
    let texts: Vec<String> = call.args.iter().map(|a| a.to_text(ast::PrintStyle::default())).collect();
    format!("{}({})", call.name, texts.join(","))
}

/// The number and type of an aggregate function, if one has the name.
///
/// # Errors
/// 1318, 1370; those of reading the function.
pub(crate) fn bind_aggregate(
    state: &SessionState,
    rights: &Rights,
    ctx: &mut EvalContext,
    call: &ast::FunctionCall,
) -> SqlResult<Option<(u64, FieldType)>> {
    let db = call.db.as_deref().or(state.db.as_deref());
    let is = |db| {
        SqlResult::Ok(
            state.engine.routines.find(&state.engine, db, &call.name, true)?.is_some_and(|r| r.aggregate),
        )
    };
    if !db.map(is).transpose()?.unwrap_or_default() {
        return Ok(None);
    }
    let Some((routine, _)) = found(state, rights, call)? else { return Ok(None) };
    let program = routine.program()?;
    let host = host_of(state, ctx)?;
    let column = result_of(host, &routine, &program)?;
    let (number, ty) = (routine.number, call_type(&column));
    let mut result = (*column).clone();
    result.name = heading(call);
    let (widths, outputs) = (Arc::from([]), Vec::new());
    host.functions.insert(number, Known { routine, program, result: Arc::new(result), widths, outputs });
    Ok(Some((number, ty)))
}

/// Where the values of OUT and INOUT parameters go.
fn targets_of(
    program: &Program,
    (call, full): (&ast::FunctionCall, &str),
    args: &mut [Expr],
    allowed: bool,
) -> SqlResult<Vec<(usize, Target)>> {
    let mut targets = Vec::new();
    for (i, p) in program.parameters.iter().enumerate().filter(|(_, p)| p.mode != Mode::In) {
        if !allowed {
            return Err(SqlError::new(codes::ER_SF_OUT_INOUT_ARG_NOT_ALLOWED, &[&(i + 1), &call.name]));
        }
        match call.args.get(i).map(|a| &a.kind) {
            Some(ast::ExprKind::UserVariable(name)) => targets.push((i, Target::User(name.clone()))),
            Some(ast::ExprKind::Local(slot, _)) => targets.push((i, Target::Local(*slot))),
            // of a prepared statement: its value goes nowhere
            Some(ast::ExprKind::Param(_)) => {}
            _ => return Err(SqlError::new(codes::ER_SP_NOT_VAR_ARG, &[&(i + 1), &full])),
        }
        if p.mode == Mode::Out
            && let Some(arg) = args.get_mut(i)
        {
            *arg = Expr::literal(Value::Null, FieldType::null());
        }
    }
    Ok(targets)
}

/// The arguments with those for parameters that are rows as so many values, and how many those are.
fn flattened(
    session: &mut Session,
    program: &Arc<Program>,
    routine: &Routine,
    (call, args): (&ast::FunctionCall, Vec<Expr>),
) -> SqlResult<(Vec<Expr>, Widths)> {
    let any = program.parameters.iter().any(|p| matches!(p.ty, VariableType::Record(_)));
    if !any && args.iter().all(|a| a.as_row().is_none()) {
        return Ok((args, Arc::from([])));
    }
    let locals = super::locals::resolve_all(session, program, routine.database_collation())?;
    let (mut flat, mut widths) = (Vec::with_capacity(args.len()), Vec::with_capacity(args.len()));
    for (i, arg) in args.into_iter().enumerate() {
        let Some(row) = locals.rows.row(i as u32) else {
            if arg.as_row().is_some() {
                let column = locals.columns.get(i).and_then(Option::as_ref);
                return Err(column.map_or_else(|| operand_columns(1), |c| no_cast(c)));
            }
            widths.push(None);
            flat.push(arg);
            continue;
        };
        let is_variable = matches!(call.args.get(i).map(|a| &a.kind), Some(ast::ExprKind::UserVariable(_)));
        let is_param = matches!(call.args.get(i).map(|a| &a.kind), Some(ast::ExprKind::Param(_)));
        // while a statement is prepared
        let unknown = arg.ty.is_string() && arg.ty.length == 0;
        if is_param && !unknown {
            return Err(no_row_of_using());
        }
        let count = row.fields.len();
        widths.push(Some(count));
        match arg.node {
            Node::Param(_) if is_param => {
                flat.extend(vec![Expr::literal(Value::Null, FieldType::null()); count]);
            }
            Node::Row(list) if list.len() == count => flat.extend(list),
            Node::Literal(Value::Null) if !is_variable => {
                flat.extend(vec![Expr::literal(Value::Null, FieldType::null()); count])
            }
            _ => return Err(operand_columns(count)),
        }
    }
    Ok((flat, widths.into()))
}

/// What messages name that is no column of a result.
const NAMELESS: &str = "(null)";

impl Known {
    /// Gives the result the name that messages about it have.
    fn name(&mut self, heading: Option<&[u8]>) {
        let name = heading.map_or(NAMELESS.into(), String::from_utf8_lossy);
        if self.result.name != name {
            Arc::make_mut(&mut self.result).name = name.into_owned();
        }
    }

    /// NULL for each parameter.
    pub(super) fn nulls(&self) -> Vec<(Value, FieldType)> {
        self.program.parameters.iter().map(|_| (Value::Null, FieldType::null())).collect()
    }

    /// The values of a call as arguments.
    fn arguments(&self, inputs: Vec<(Value, FieldType)>) -> Vec<Argument> {
        let value = |(value, ty)| Argument::Value(value, ty);
        let mut inputs = inputs.into_iter();
        if self.widths.is_empty() {
            return inputs.map(value).collect();
        }
        let one = |width: &Option<usize>| match width {
            Some(n) => Some(Argument::Row(inputs.by_ref().take(*n).collect())),
            None => inputs.next().map(value),
        };
        self.widths.iter().filter_map(one).collect()
    }
}

/// Tells the host of a context what may have changed in the session around, once that has what functions changed.
pub(crate) fn sync(ctx: &mut EvalContext, state: &mut SessionState) {
    if let Some(host) = known_host(ctx) {
        host.adopt(state);
        host.sync(state);
    }
}

/// Takes over the TEMPORARY tables that functions have made and dropped.
pub(crate) fn adopt_temporary(ctx: &mut EvalContext, state: &mut SessionState) {
    if let Some(host) = known_host(ctx) {
        host.adopt(state);
    }
}

fn known_host(ctx: &mut EvalContext) -> Option<&mut Host> {
    (ctx.host.as_deref_mut()? as &mut dyn Any).downcast_mut::<Host>()
}

impl Host {
    pub(super) fn of(state: &SessionState) -> Host {
        Host { session: Box::new(Session::child(state)), functions: HashMap::default(), inner: None }
    }

    /// Takes over what may have changed in the session around.
    pub(super) fn sync(&mut self, from: &SessionState) {
        let to = &mut self.session.state;
        to.vars = from.vars.clone();
        to.rights = from.rights.clone();
        to.db.clone_from(&from.db);
        to.transaction = from.transaction;
        to.share_transaction_tables(from);
        // of what functions of this statement have changed, the session around knows with its next one
        if to.temporary_names <= from.temporary_names {
            to.temporary.clone_from(&from.temporary);
            to.temporary_names = from.temporary_names;
        }
        if from.locks.active || to.locks.active {
            to.locks = from.locks.shared();
        }
    }

    /// The other way: the TEMPORARY tables, where functions have changed them.
    fn adopt(&mut self, to: &mut SessionState) {
        let session = &mut *self.session;
        adopt_temporary(&mut session.ctx, &mut session.state);
        if let Some(inner) = self.inner.as_deref_mut()
            && let Some(inner) = (inner as &mut dyn Any).downcast_mut::<Host>()
        {
            inner.adopt(&mut session.state);
        }
        if session.state.temporary_names > to.temporary_names {
            to.temporary.clone_from(&session.state.temporary);
            to.temporary_names = session.state.temporary_names;
        }
    }

    /// The number of calls of a function whose OUT parameters have these targets.
    fn number_of(&self, routine: &Routine, outputs: &[(usize, Target)]) -> u64 {
        if outputs.is_empty() {
            return routine.number;
        }
        let same = |k: &Known| k.routine.number == routine.number && k.outputs == outputs;
        let known = self.functions.iter().find(|(_, k)| same(k)).map(|(number, _)| *number);
        known.unwrap_or_else(super::store::next_number)
    }

    fn run(&mut self, number: u64, inputs: Vec<(Value, FieldType)>) -> SqlResult<Value> {
        let Some(known) = self.functions.get(&number) else {
            return Err(SqlError::internal("a function that was never bound"));
        };
        self.session.call_function(known, inputs)
    }
}

impl FunctionHost for Host {
    fn call(
        &mut self,
        ctx: &mut EvalContext,
        (number, heading): (u64, Option<&[u8]>),
        arguments: Vec<(Value, FieldType)>,
    ) -> SqlResult<Value> {
        if let Some(known) = self.functions.get_mut(&number) {
            known.name(heading);
        }
        self.exchanged(ctx, |host| host.run(number, arguments))
    }

    fn aggregate(
        &mut self,
        ctx: &mut EvalContext,
        number: u64,
        rows: &mut dyn GroupRows,
    ) -> SqlResult<Value> {
        self.exchanged(ctx, |host| match host.functions.get(&number) {
            Some(known) => super::aggregate::run(&mut host.session, known, rows),
            None => Err(SqlError::internal("an aggregate function that was never bound")),
        })
    }

    fn sequence(
        &mut self,
        ctx: &mut EvalContext,
        (db, name): (&str, &str),
        action: Action,
    ) -> SqlResult<Option<i64>> {
        self.exchanged(ctx, |host| crate::dml::sequence::act(&mut host.session, db, name, action))
    }

    fn within(
        &mut self,
        ctx: &mut EvalContext,
        work: &mut dyn FnMut(&mut dyn Any) -> SqlResult<()>,
    ) -> SqlResult<()> {
        self.exchanged(ctx, |host| work(&mut *host.session))
    }
}

impl Host {
    /// Does something while the session has the context of the caller.
    fn exchanged<T>(&mut self, ctx: &mut EvalContext, f: impl FnOnce(&mut Host) -> T) -> T {
        std::mem::swap(ctx, &mut self.session.ctx);
        self.session.ctx.host = self.inner.take();
        let value = f(self);
        self.inner = self.session.ctx.host.take();
        std::mem::swap(ctx, &mut self.session.ctx);
        value
    }
}

/// Assigns the values of OUT and INOUT parameters, in the context of who calls.
fn give_back(session: &mut Session, outcome: &Outcome, outputs: &[(usize, Target)]) -> SqlResult<()> {
    for (i, target) in outputs {
        if let Some(row) = outcome.rows.row(*i as u32) {
            give_back_row(session, outcome, row, target.clone())?;
            continue;
        }
        let Some((value, ty)) = outcome.values.get(*i).cloned().zip(outcome.types.get(*i)) else { continue };
        match target {
            Target::User(name) => session.ctx.set_user_variable(&name.to_lowercase(), value, ty)?,
            Target::Local(slot) => session.assign_local(*slot, value, ty)?,
        }
    }
    Ok(())
}

impl Session {
    /// Runs a function within a statement of the session around.
    fn call_function(&mut self, known: &Known, inputs: Vec<(Value, FieldType)>) -> SqlResult<Value> {
        self.call_over(known, inputs, None)
    }

    /// Runs a function, an aggregate one over the rows of its group.
    pub(super) fn call_over(
        &mut self,
        known: &Known,
        inputs: Vec<(Value, FieldType)>,
        group: Option<&mut Group<'_>>,
    ) -> SqlResult<Value> {
        // ROW_COUNT() goes on with what the routine's statements did, until the statement around ends
        let connection = (
            self.ctx.connection.found_rows,
            self.ctx.connection.last_insert_id,
            self.ctx.connection.last_insert_id_set,
        );
        let row = self.ctx.row;
        let fresh = Warnings::beginning_with(&self.ctx.warnings);
        let shown = group.as_ref().map_or(row, |g| g.count());
        let rows = std::mem::replace(&mut self.ctx.calls.rows, shown);
        let around = std::mem::replace(&mut self.ctx.warnings, fresh);
        let floor = std::mem::replace(&mut self.ctx.calls.floor, self.ctx.calls.in_use.len());
        self.apply_settings();
        let mut sink = Keep::default();
        let outcome = super::call::run_stored(
            self,
            &known.routine,
            &known.program,
            (known.arguments(inputs), Some(&known.result), group),
            &mut sink,
        );
        let mut given = None;
        let handled = outcome.as_ref().is_ok_and(|o| o.handled);
        let outcome = match outcome {
            Ok(mut outcome) => match outcome.returned.take() {
                Some(value) => {
                    given = Some(outcome);
                    Ok(value)
                }
                None => Err(SqlError::new(codes::ER_SP_NORETURNEND, &[&known.routine.name])),
            },
            Err(e) => Err(e),
        };
        self.ctx.calls.rows = rows;
        self.ctx.calls.in_use.truncate(self.ctx.calls.floor);
        self.ctx.calls.floor = floor;
        let mut within = std::mem::replace(&mut self.ctx.warnings, around);
        within.forget_first(self.ctx.warnings.entries());
        self.ctx.warnings.tell_again(within.entries());
        self.ctx.warnings.handled |= handled;
        self.ctx.row = row;
        let c = &mut self.ctx.connection;
        (c.found_rows, c.last_insert_id, c.last_insert_id_set) = connection;
        if let Some(given) = given {
            give_back(self, &given, &known.outputs)?;
        }
        outcome
    }
}

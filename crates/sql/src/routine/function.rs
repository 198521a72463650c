//! Stored functions in expressions: a context whose expressions call functions has a session of its own for them ([`Host`]). While a function runs, the two exchange their contexts, so
//! that user variables, the clock and the random numbers are those of the statement that calls.

use std::any::Any;
use std::sync::Arc;

use foldhash::HashMap;

use super::call::Outcome;
use super::store::Routine;
use crate::admin::bootstrap::Keep;
use crate::ast;
use crate::ast::program::Program;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::expr::calls::{FunctionHost, stored_function};
use crate::expr::{EvalContext, Expr};
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

/// A function that was bound.
struct Known {
    routine: Arc<Routine>,
    program: Arc<Program>,
    /// What its result is stored as.
    result: Arc<Column>,
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
) -> SqlResult<Option<Expr>> {
    let Some(db) = call.db.as_deref().or(state.db.as_deref()) else { return Ok(None) };
    let Some(routine) = state.engine.routines.find(&state.engine, db, &call.name, true)? else {
        return Ok(None);
    };
    let full = format!("{}.{}", routine.db, routine.name);
    if rights.privileges().on_routine(db, &call.name, true) & EXECUTE == 0 {
        let (user, host) = (&state.rights.user, &state.rights.host);
        return Err(SqlError::new(error::ER_PROCACCESS_DENIED_ERROR, &[&"execute", user, host, &full]));
    }
    let program = routine.program()?;
    let count = program.parameters.len();
    if args.len() != count {
        return Err(SqlError::new(codes::ER_SP_WRONG_NO_OF_ARGS, &[&"FUNCTION", &full, &count, &args.len()]));
    }
    let host: &mut dyn Any = &mut **ctx.host.get_or_insert_with(|| Box::new(Host::of(state)));
    let Some(host) = host.downcast_mut::<Host>() else {
        return Err(SqlError::internal("functions have a host of another kind"));
    };
    host.sync(state);
    let Some(returns) = &program.returns else { return Err(SqlError::internal("a function without a type")) };
    let collation = routine.database_collation();
    let column = super::locals::column_of(&host.session, &routine.name, returns, collation)?;
    let number = routine.number;
    let mut result = (*column).clone();
    result.name = format!("{}({})", call.name, if call.args.is_empty() { "" } else { "..." });
    host.functions.insert(number, Known { routine, program, result: Arc::new(result) });
    Ok(Some(stored_function(number, args, column.ty.clone().with_nullable(true))))
}

/// Tells the host of a context what may have changed in the session around.
pub(crate) fn sync(ctx: &mut EvalContext, state: &SessionState) {
    if let Some(host) = ctx.host.as_deref_mut()
        && let Some(host) = (host as &mut dyn Any).downcast_mut::<Host>()
    {
        host.sync(state);
    }
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
        to.temporary.clone_from(&from.temporary);
        to.transaction = from.transaction;
        to.temporary_names = from.temporary_names;
        to.under_locks = from.locks.active || from.under_locks;
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
        number: u64,
        arguments: Vec<(Value, FieldType)>,
    ) -> SqlResult<Value> {
        self.exchanged(ctx, |host| host.run(number, arguments))
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

impl Session {
    /// Runs a function within a statement of the session around.
    fn call_function(&mut self, known: &Known, inputs: Vec<(Value, FieldType)>) -> SqlResult<Value> {
        let connection = (
            self.ctx.connection.row_count,
            self.ctx.connection.found_rows,
            self.ctx.connection.last_insert_id,
            self.ctx.connection.last_insert_id_set,
        );
        let row = self.ctx.row;
        let fresh = Warnings::like(&self.ctx.warnings);
        let rows = std::mem::replace(&mut self.ctx.calls.rows, row);
        let around = std::mem::replace(&mut self.ctx.warnings, fresh);
        let floor = std::mem::replace(&mut self.ctx.calls.floor, self.ctx.calls.in_use.len());
        self.apply_settings();
        let mut sink = Keep::default();
        let outcome = super::call::run_stored(
            self,
            &known.routine,
            &known.program,
            (inputs, Some(&*known.result)),
            &mut sink,
        );
        let outcome = match outcome {
            Ok(Outcome { returned: Some((value, _)), .. }) => Ok(value),
            Ok(_) => Err(SqlError::new(codes::ER_SP_NORETURNEND, &[&known.routine.name])),
            Err(e) => Err(e),
        };
        self.ctx.calls.rows = rows;
        self.ctx.calls.in_use.truncate(self.ctx.calls.floor);
        self.ctx.calls.floor = floor;
        let within = std::mem::replace(&mut self.ctx.warnings, around);
        self.ctx.warnings.tell_again(within.entries());
        self.ctx.row = row;
        let c = &mut self.ctx.connection;
        (c.row_count, c.found_rows, c.last_insert_id, c.last_insert_id_set) = connection;
        outcome
    }
}

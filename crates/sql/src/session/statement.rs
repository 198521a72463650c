//! What a session has as long as a statement runs.

use std::mem;
use std::sync::Arc;

use super::Session;
use crate::ast::LockWait;
use crate::error::SqlResult;
use crate::expr::Execution;
use crate::table::OpenTable;
use crate::types::{FieldType, Value};

/// What lives as long as one execution of a statement, beside what evaluation keeps of it ([`Execution`]). A statement within
/// another one has its own.
#[derive(Default)]
pub(crate) struct Statement {
    /// Types of its parameters.
    pub param_types: Vec<FieldType>,
    /// WAIT n or NOWAIT.
    pub wait: LockWait,
    /// Exclusively locked tables to wait for before the statement restarts; see [`Session::with_snapshot`].
    pub(super) blocked_by: Vec<Arc<OpenTable>>,
    /// It cannot begin anew: it has read rows of the client.
    pub cannot_restart: bool,
    /// The types of the variables of the routine that runs.
    pub locals: Option<Arc<crate::routine::locals::Locals>>,
    /// What the result of the function that runs is stored as.
    pub result: Option<Arc<crate::types::store::Column>>,
    /// The routine whose EXPLAIN or CALL it is.
    pub routine: Option<Arc<crate::ast::program::Program>>,
    /// How many statements it is within.
    pub depth: u32,
}

impl Statement {
    /// Begins another one that the client sent, with the memory of this.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.param_types.clear();
        self.wait = LockWait::Default;
        self.blocked_by.clear();
        self.cannot_restart = false;
        self.depth = 0;
        self.locals = None;
        self.result = None;
        self.routine = None;
    }
}

impl Statement {
    /// Begins another one of the same routine.
    pub(crate) fn next_in_routine(&mut self) {
        self.wait = LockWait::Default;
        self.blocked_by.clear();
        self.cannot_restart = false;
    }
}

impl Session {
    /// Runs a statement within the running one. Parameters, waits and what evaluation keeps are its own; warnings and the
    /// clock are those of what the client sent.
    ///
    /// # Errors
    /// Those of `f`.
    pub(crate) fn nested<T>(
        &mut self,
        (values, types): (Vec<Value>, Vec<FieldType>),
        f: impl FnOnce(&mut Session) -> SqlResult<T>,
    ) -> SqlResult<T> {
        let inner = Statement { param_types: types, depth: self.statement.depth + 1, ..Statement::default() };
        let outer = mem::replace(&mut self.statement, inner);
        let evaluation = mem::replace(&mut self.ctx.statement, Execution::with_params(values));
        let result = f(self);
        self.statement = outer;
        self.ctx.statement = evaluation;
        result
    }
}

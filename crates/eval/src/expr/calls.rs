//! Calls of stored functions, as far as expressions know of them.
//!
//! An expression is evaluated with an [`EvalContext`] alone, a function runs statements. Whoever binds a call gives the
//! context a [`FunctionHost`], which runs it, and the call the number under which the host knows the function
//! as its first argument; the second one is the heading of its column, where it is one.

use std::any::Any;
use std::sync::Arc;

use super::arguments::Arguments;
use super::function::{Call, Definition, Function, Purity, Resolve};
use super::{EvalContext, Expr, Node};
use crate::error::{SqlError, SqlResult};
use crate::types::{FieldType, Value};

/// What runs the stored functions that the expressions of a context call.
pub trait FunctionHost: Any + Send {
    /// Runs the function of a number with these arguments, and gives its value; messages about it name the heading.
    ///
    /// # Errors
    /// Those of the function.
    fn call(
        &mut self,
        ctx: &mut EvalContext,
        function: (u64, Option<&[u8]>),
        arguments: Vec<(Value, FieldType)>,
    ) -> SqlResult<Value>;

    /// Runs the aggregate function of a number over the rows of a group, and gives its value.
    ///
    /// # Errors
    /// Those of the function.
    fn aggregate(&mut self, ctx: &mut EvalContext, number: u64, rows: &mut dyn GroupRows)
    -> SqlResult<Value>;

    /// Does what an expression asks of a sequence.
    ///
    /// # Errors
    /// 4084, 4089, 4091; those of its table.
    fn sequence(
        &mut self,
        ctx: &mut EvalContext,
        sequence: (&str, &str),
        action: super::sequences::Action,
    ) -> SqlResult<Option<i64>>;

    /// Does something with the session that functions have, which has this context meanwhile: it is handed on as what it is.
    ///
    /// # Errors
    /// Those of `work`.
    fn within(
        &mut self,
        ctx: &mut EvalContext,
        work: &mut dyn FnMut(&mut dyn Any) -> SqlResult<()>,
    ) -> SqlResult<()>;
}

/// The rows of a group, as an aggregate function fetches them.
pub trait GroupRows {
    /// The arguments for the next row; none at the end.
    ///
    /// # Errors
    /// Those of reading them.
    fn next(&mut self) -> SqlResult<Option<Vec<(Value, FieldType)>>>;
}

/// The definition of all calls of stored functions.
static STORED: Definition = Definition {
    name: "stored_function",
    min: 2,
    max: 255,
    purity: Purity::Volatile,
    resolve: unresolved,
    eval,
    arguments: Arguments::All,
    stops: super::arguments::Stops::Never,
};

fn unresolved(_: &mut Resolve<'_>) -> SqlResult<FieldType> {
    Err(SqlError::internal("a stored function has its type from its definition"))
}

fn eval(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let number = c.bits(0).unwrap_or(0);
    let heading = match c.value(1).to_owned() {
        Value::Bytes(b) => Some(b),
        _ => None,
    };
    let arguments = (2..c.len()).map(|i| (c.value(i).to_owned(), c.types[i].ty.clone())).collect();
    let Some(mut host) = c.ctx.host.take() else {
        return Err(SqlError::internal("a function without a session"));
    };
    let value = host.call(c.ctx, (number, heading.as_deref()), arguments);
    c.ctx.host = Some(host);
    c.out.push(value?.as_ref());
    Ok(())
}

/// The call of the function that the context's host knows by a number.
#[must_use]
pub fn stored_function(number: u64, arguments: Vec<Expr>, ty: FieldType) -> Expr {
    let mut list = Vec::with_capacity(arguments.len() + 2);
    list.push(Expr::literal(Value::UInt(number), FieldType::bigint(true)));
    list.push(Expr::literal(Value::Null, FieldType::null()));
    list.extend(arguments);
    Expr::new(Node::Call(Function::from(&STORED), list), ty)
}

/// Lets the call of a stored function know the heading of its column: messages about its result name that.
pub fn tell_heading(e: &mut Expr, heading: &str, collation: &'static charset::Collation) {
    let called = is_stored_function(e);
    if let Node::Call(_, list) = &mut e.node
        && called
        && let Some(place) = list.get_mut(1)
    {
        let ty =
            FieldType::string(heading.len() as u64, collation, charset::derivation::Derivation::Implicit);
        *place = Expr::literal(Value::Bytes(heading.as_bytes().to_vec()), ty);
    }
}

/// Whether an expression is nothing but the call of a stored function.
#[must_use]
pub fn is_stored_function(e: &Expr) -> bool {
    matches!(&e.node, Node::Call(f, _) if std::ptr::eq(f.def, &raw const STORED))
}

/// The routines of a connection that run now.
#[derive(Default)]
pub struct Calls {
    /// Where the stack stood when the first of them began.
    pub stack: usize,
    /// The line at which the routine that failed last stood.
    pub failed_line: Option<usize>,
    /// Values of OUT parameters of a CALL that was prepared: for which parameter of its own.
    pub outputs: Vec<(u32, Value, FieldType)>,
    /// Rows of the SELECT just before, which messages about variables name.
    pub rows: u64,
    /// The routines, the outermost first.
    pub running: Vec<Running>,
    /// The tables that the statements around use.
    pub in_use: Vec<(Arc<str>, Arc<str>)>,
    /// How many of them the function that runs must not change.
    pub floor: usize,
    /// A statement has changed rows since a trigger began.
    pub wrote: bool,
    /// The variables that the trigger which runs has assigned.
    pub assigned: Vec<u32>,
    /// Locks that a statement took for its triggers.
    pub lent: Option<Box<dyn Any + Send>>,
}

impl Calls {
    /// Whether a function or trigger runs.
    pub fn within_function(&self) -> bool {
        self.running.iter().any(|r| r.function)
    }

    /// Whether a trigger runs.
    pub fn within_trigger(&self) -> bool {
        self.running.iter().any(|r| r.trigger)
    }

    /// What refuses statements: a trigger, where any runs, else a function.
    pub fn word(&self) -> &'static str {
        if self.within_trigger() { "trigger" } else { "function" }
    }

    /// Whether a function must leave a table alone.
    pub fn is_taken(&self, db: &str, name: &str) -> bool {
        self.in_use.iter().take(self.floor).any(|(d, n)| **d == *db && **n == *name)
    }
}

/// A routine that runs.
pub struct Running {
    /// Database and name.
    pub name: Arc<str>,
    /// A function, or a trigger.
    pub function: bool,
    /// A trigger.
    pub trigger: bool,
    /// Database and name of a trigger's table.
    pub table: Option<(Arc<str>, Arc<str>)>,
}

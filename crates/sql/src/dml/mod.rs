//! Statements that change rows: INSERT, REPLACE, UPDATE, DELETE, LOAD DATA.
//!
//! Rows are found on the view as of the statement's start and changed in the working view of the
//! table's writer; what a statement changed becomes visible at its commit.

pub(crate) mod bulk;
mod children;
pub mod delete;
pub mod insert;
pub mod load;
pub mod multi;
mod plain_fields;
mod prelock;
mod refused;
pub(crate) mod returning;
pub(crate) mod sequence;
pub mod target;
pub mod text;
pub(crate) mod triggers;
pub mod update;
pub(crate) mod view;

use crate::ast::Statement;
use crate::error::{SqlError, SqlResult};
use crate::exec::{Exec, direct};
use crate::expr::EvalContext;
use crate::plan::QueryPlan;
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::types::{Batch, Class, Vector};

/// Runs INSERT, REPLACE, UPDATE, DELETE, LOAD DATA.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    session: &mut Session,
    statement: &Statement,
    text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    match statement {
        Statement::Insert(i) => insert::run(session, i, text, sink),
        Statement::Update(u) => update::run(session, u, text),
        Statement::Delete(d) => delete::run(session, d, text, sink),
        Statement::LoadData(l) => {
            session.statement.cannot_restart = true;
            let result = session.retry_if_stale(|session| load::run(session, l, text, sink));
            session.statement.cannot_restart = false;
            result
        }
        _ => Err(SqlError::not_supported("statement")),
    }
}

/// Runs a query and hands each batch of its rows to `f`, which writes rows while further ones are found: a statement of
/// any length needs the memory of a batch. Warnings of the search are errors while `strict`, and afterwards as `f` says
/// each time: the writing of rows has a strictness of its own.
///
/// # Errors
/// Those of the query and of `f`.
fn each_batch(
    exec: &Exec<'_>,
    plan: &QueryPlan,
    ctx: &mut EvalContext,
    strict: bool,
    f: &mut dyn FnMut(&mut EvalContext, &Batch) -> SqlResult<bool>,
) -> SqlResult<()> {
    // one row by its key, as most changes ask for: without the machinery of batches
    let single = if ctx.measures() { None } else { direct::single_row(exec, plan, ctx)? };
    match single {
        Some(None) => return Ok(()),
        Some(Some(pos)) => {
            let mut column = Vector::new(Class::UInt);
            column.push_i64(pos.0.cast_signed());
            return f(ctx, &Batch { columns: vec![column], len: 1 }).map(|_| ());
        }
        None => {}
    }
    ctx.set_strict(strict);
    let mut rows = exec.open(plan, ctx)?;
    while let Some(batch) = rows.next(ctx)? {
        ctx.check_failed()?;
        let written = f(ctx, batch);
        ctx.set_strict(matches!(written, Ok(true)));
        ctx.row = 0;
        written?;
    }
    rows.finish(ctx)?;
    ctx.check_failed()
}

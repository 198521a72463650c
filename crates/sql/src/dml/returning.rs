//! RETURNING: the rows that INSERT, REPLACE and DELETE answer with.
//!
//! The list is computed row by row while the table's write lock is held; what it gives is kept (on disk past the
//! budget) and sent when the statement is committed and its lock given back.

use super::target::Target;
use crate::error::{ER_UPDATE_TABLE_USED, SqlError, SqlResult};
use crate::exec::Exec;
use crate::exec::materialize::Materializer;
use crate::exec::subquery::Runner;
use crate::expr::{EvalContext, Frame};
use crate::plan::{Body, QueryPlan, Relation, ReturningList};
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::table::OpenTable;
use crate::types::output::put;
use crate::types::{Batch, Vector};

/// Which image of the row RETURNING is computed from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowImage {
    /// The one that is deleted.
    Old,
    /// The one that was written.
    New,
}

/// The rows a statement has to tell so far.
pub(crate) struct Returned {
    row: Batch,
    values: Vec<Vector>,
    rows: Materializer,
}

impl Returned {
    /// For a statement with this list, if any.
    pub fn new(session: &Session, list: Option<&ReturningList>, target: &Target) -> Option<Returned> {
        let list = list?;
        Some(Returned {
            row: Target::batch(&target.schema, 1),
            values: list.exprs.iter().map(|e| Vector::new(e.ty.class())).collect(),
            rows: Materializer::new(&session.ctx.budget),
        })
    }

    /// Computes the list over a row of the target. `holder` has its subqueries, which read what `exec` sees.
    ///
    /// # Errors
    /// Those of the expressions and of the temporary file.
    pub fn add(
        &mut self,
        ctx: &mut EvalContext,
        list: &ReturningList,
        target: &mut Target,
        image: RowImage,
        subqueries: Option<(&Exec<'_>, &QueryPlan)>,
    ) -> SqlResult<()> {
        let row = if image == RowImage::New {
            target.complete_new(ctx)?;
            &target.new
        } else {
            target.complete_old(ctx)?;
            &target.old
        };
        Target::load(&target.schema, row, 0, &mut self.row, ctx);
        for (e, out) in list.exprs.iter().zip(&mut self.values) {
            let value = match subqueries {
                None => e.value_in(Frame::new(&self.row), ctx),
                Some((exec, plan)) => {
                    let runner = Runner::new(exec, plan);
                    e.value_in(Frame { batch: &self.row, subqueries: Some(&runner) }, ctx)
                }
            }?;
            out.reset(e.ty.class());
            out.push(value.as_ref());
        }
        ctx.check_failed()?;
        if image == RowImage::New {
            target.forget_virtual();
        }
        self.rows.push(&self.values, 0)
    }

    /// Sends what was told.
    ///
    /// # Errors
    /// Those of the temporary file and of the connection.
    pub fn send(
        self,
        session: &mut Session,
        list: &ReturningList,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        let rows = self.rows.finish()?;
        sink.start(&list.schema)?;
        let ctx = &mut session.ctx;
        let mut rows = rows.read();
        while let Some((batch, run)) = rows.next_run(usize::MAX)? {
            for row in run {
                ctx.check_killed()?;
                sink.begin_row();
                for (v, e) in batch.columns.iter().zip(&list.exprs) {
                    put(v.get(row), &e.ty, sink, ctx);
                }
                sink.end_row();
                if sink.wants_flush() {
                    sink.flush()?;
                }
            }
        }
        Ok(())
    }
}

/// Ends a statement that failed at a row: its headings went before, and the rows that were told. Where its tables were stale nothing
/// goes: it begins anew.
pub(crate) fn failed(
    session: &mut Session,
    list: Option<&ReturningList>,
    returned: Option<Returned>,
    sink: &mut dyn ResultSink,
    error: SqlError,
) -> SqlError {
    if let (Some(list), Some(returned), false) = (list, returned, error.is_stale()) {
        // a client that is gone or a full disk says no more than the error that ended the statement
        let _ = returned.send(session, list, sink);
    }
    error
}

/// Ends a statement: its rows are sent when it has a list.
///
/// # Errors
/// As [`Returned::send`].
pub(crate) fn finish(
    session: &mut Session,
    list: Option<&ReturningList>,
    returned: Option<Returned>,
    sink: &mut dyn ResultSink,
    done: Done,
) -> SqlResult<Done> {
    match (list, returned) {
        (Some(list), Some(returned)) => {
            returned.send(session, list, sink)?;
            Ok(Done { had_rows: true, ..done })
        }
        _ => Ok(done),
    }
}

/// The subqueries of INSERT ... RETURNING may not read the table that is written, unless under another name.
///
/// # Errors
/// 1093.
pub(crate) fn refuse_target(list: &ReturningList, holder: &QueryPlan, table: &OpenTable) -> SqlResult<()> {
    let own = holder.subqueries.get(list.first_subquery..).unwrap_or_default();
    if own.iter().any(|s| reads(&s.plan, table)) {
        return Err(SqlError::new(ER_UPDATE_TABLE_USED, &[&table.name, &"INSERT"]));
    }
    Ok(())
}

/// Whether a query reads `table` under its own name.
fn reads(plan: &QueryPlan, table: &OpenTable) -> bool {
    let here = match &plan.body {
        Body::Block(b) => b.tables.iter().any(|t| match &t.relation {
            Relation::Base(o) => o.db == table.db && o.name == table.name && *t.alias == *table.name,
            Relation::Derived(p) => reads(p, table),
            Relation::Virtual(_) | Relation::JsonTable(_) | Relation::Merged => false,
        }),
        Body::Set(s) => s.terms.iter().any(|(_, p)| reads(p, table)),
        Body::Recursive(r) => r.plans().any(|p| reads(p, table)),
        Body::Values(_) | Body::Working(_) => false,
    };
    here || plan.subqueries.iter().any(|s| reads(&s.plan, table))
}

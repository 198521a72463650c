//! INSERT ... SELECT of all columns of a table that is defined alike: nothing is asked of the values, so rows are taken over as they are stored.

use std::sync::Arc;

use schema::definition::{ColumnDef, ColumnType};

use super::super::target::Target;
use super::InsertCounters;
use super::rows::{begin_row, fresh};
use super::write::{note_explicit, write_row};
use crate::error::SqlResult;
use crate::exec::Exec;
use crate::expr::EvalContext;
use crate::failure::from_pages;
use crate::plan::change::InsertPlan;
use crate::plan::{Access, Body, QueryPlan, Relation};
use crate::session::Session;
use crate::table::{EngineError, OpenTable, RowScratch, RowView, Scan};
use crate::types::{Batch, Class};
use crate::variables::SqlMode;

/// Bytes of rows that are read under one pin, before they are written.
const AT_ONCE: usize = 128 << 10;

/// The table whose rows the query gives as they lie, if rows of the target are stored in the same bytes, and nothing is asked of them on
/// their way.
pub(super) fn source<'p>(
    plan: &InsertPlan,
    q: &'p QueryPlan,
    target: &Target,
    ctx: &EvalContext,
) -> Option<&'p Arc<OpenTable>> {
    let schema = &*plan.schema;
    let plain = !plan.replace && !plan.ignore && !plan.skips_duplicates && !plan.reads_row;
    let bare = plan.on_duplicate.is_empty() && plan.returning.is_none() && plan.missing.is_empty();
    let free = schema.rules.is_none() && schema.check.is_none() && schema.triggers.is_none();
    let single = schema.routing.is_none() && target.children.is_none();
    // each column goes into its like
    let in_order = plan.columns.iter().enumerate().all(|(n, column)| n == *column);
    let number = schema.auto.is_none_or(|c| matches!(schema.columns[c].ty.class(), Class::Int | Class::UInt));
    let from = whole_table(q, ctx)?;
    let asked = plain && bare && free && single && in_order && number;
    let all = plan.columns.len() == plan.table.def().columns.len();
    (asked && all && is_alike(from, &plan.table, ctx.sql_mode)).then_some(from)
}

/// The table that a query gives all rows and columns of, as they lie.
pub(crate) fn whole_table<'p>(q: &'p QueryPlan, ctx: &EvalContext) -> Option<&'p Arc<OpenTable>> {
    let Body::Block(block) = &q.body else { return None };
    let (Some(direct), [step]) = (&block.direct, &block.steps[..]) else { return None };
    let Relation::Base(from) = &block.tables[step.table].relation else { return None };
    let limited = block.limit.count.is_some() || block.limit.offset.is_some() || q.calc_found_rows;
    let whole = matches!(step.access, Access::Scan) && block.order.is_empty() && !limited && !ctx.measures();
    let all = direct.columns.len() == from.def().columns.len()
        && direct.columns.iter().enumerate().all(|(n, column)| n == *column);
    (whole && all && from.children().is_none()).then_some(from)
}

/// Whether rows of one table are stored in the same bytes in another one.
pub(crate) fn is_alike(from: &OpenTable, to: &OpenTable, mode: SqlMode) -> bool {
    let (a, b) = (&from.def().columns, &to.def().columns);
    a.len() == b.len()
        && !from.format().header.is_compressed()
        && from.format().layout.is_alike(&to.format().layout)
        && a.iter().zip(b).all(|(a, b)| same_values(a, b, mode))
}

/// Whether the stored bytes of every value of one column are those of that value in another one.
fn same_values(a: &ColumnDef, b: &ColumnDef, mode: SqlMode) -> bool {
    // dates that the mode forbids are looked for
    let dated = matches!(a.ty, ColumnType::Date | ColumnType::DateTime { .. } | ColumnType::Timestamp { .. });
    let forbidden = mode.has(SqlMode::NO_ZERO_DATE) || mode.has(SqlMode::NO_ZERO_IN_DATE);
    a.ty == b.ty
        && a.nullable == b.nullable
        && a.unsigned == b.unsigned
        && a.collation.charset.name == b.collation.charset.name
        && a.generated.is_none()
        && !a.compressed
        && !b.compressed
        && !(dated && forbidden)
}

/// Writes the rows of `from`.
///
/// # Errors
/// Those of the files, 1062, 1317.
pub(super) fn rows(
    session: &mut Session,
    exec: &Exec<'_>,
    (plan, q): (&InsertPlan, &QueryPlan),
    from: &OpenTable,
    target: &mut Target,
    progress: &mut InsertCounters,
) -> SqlResult<()> {
    exec.count_plan(q);
    each_row(exec, from, &mut session.ctx, &mut |row, ctx| {
        let number = plan.schema.auto.map(|c| row.column(c));
        if number.is_some_and(|n| n.is_none_or(|n| n.iter().all(|b| *b == 0))) {
            return numbered(ctx, exec, plan, row, target, progress);
        }
        progress.records += 1;
        target.asked.write += 1;
        match target.writer.insert_as_read(row) {
            Ok(_) => {
                target.changed += 1;
                progress.copied += 1;
                progress.affected += 1;
                if let Some(number) = number {
                    note_explicit(plan, progress, number);
                }
                Ok(())
            }
            Err(EngineError::Duplicate { key, .. }) => {
                target.new.copy_from(row);
                Err(target.duplicate(key, ctx))
            }
            Err(e) => Err(target.error(&e)),
        }
    })
}

/// Hands all rows of `from` to `f` as they are stored. Nothing of the snapshot is held meanwhile.
///
/// # Errors
/// Those of the files and of `f`, 1317.
pub(crate) fn each_row(
    exec: &Exec<'_>,
    from: &OpenTable,
    ctx: &mut EvalContext,
    f: &mut dyn FnMut(&RowView<'_>, &mut EvalContext) -> SqlResult<()>,
) -> SqlResult<()> {
    exec.snapshot.unpin_until_read();
    let (mut scan, mut scratch) = (Scan::new(), RowScratch::new());
    let (mut bytes, mut ends) = (Vec::with_capacity(AT_ONCE), Vec::new());
    let (mut more, mut read) = (true, 0u64);
    let mut written = Ok(());
    while more && written.is_ok() {
        bytes.clear();
        ends.clear();
        {
            let pin = exec.snapshot.pin();
            let view = pin.table(from.pages()).map_err(|e| from.error(&e.into()))?;
            more = scan
                .each_stored(from.format(), &view, &mut scratch, |row| {
                    bytes.extend_from_slice(row);
                    ends.push(bytes.len());
                    bytes.len() < AT_ONCE
                })
                .map_err(|e| from.error(&e))?;
        }
        // a page that could not be read was zeros
        from.pages().check_read().map_err(|e| from_pages(&e, &from.name))?;
        read += ends.len() as u64;
        written = ctx.check_killed().and_then(|()| {
            let mut start = 0;
            ends.iter().try_for_each(|&end| {
                let row = from.format().row_of(&bytes[start..end], &mut scratch);
                start = end;
                f(&row.map_err(|e| from.error(&e))?, ctx)
            })
        });
        ctx.row = 0;
    }
    let mut counters = exec.counters.borrow_mut();
    counters.rnd_next += read + u64::from(!more);
    counters.rows += read;
    drop(counters);
    exec.memory.borrow_mut().found_rows = Some(read);
    written
}

/// A row whose AUTO_INCREMENT column may ask for a number.
#[cold]
fn numbered(
    ctx: &mut EvalContext,
    exec: &Exec<'_>,
    plan: &InsertPlan,
    row: &RowView<'_>,
    target: &mut Target,
    progress: &mut InsertCounters,
) -> SqlResult<()> {
    begin_row(ctx, plan, target, progress);
    fresh(ctx, plan, target)?;
    target.new.copy_from(row);
    target.explicit_auto_increment = plan.schema.auto.is_some_and(|c| !row.is_null(c));
    let mut batch = Batch::default();
    write_row(ctx, plan, target, progress, &mut batch, Some(exec))
}

//! INSERT and REPLACE: what is bound (`bind`), where rows come from (`rows`; `copied`: as they lie in another table), how they are written (`write`); those that are
//! made before the table is locked (`ready`), and written with rows of other statements (`together`).

mod bind;
pub(crate) mod copied;
mod ready;
mod rows;
mod together;
mod write;

pub(crate) use bind::prepare;
pub(crate) use rows::fresh;
pub(crate) use write::write_row;

use self::rows::{before_rows, rows};
use super::returning::{self, Returned};
use super::target::Target;
use crate::ast::Insert;
use crate::error::{SqlError, SqlResult};
use crate::plan::change::{InsertPlan, Source};
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::table::insert_queue::NumberSettings;

/// Runs the statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    session: &mut Session,
    i: &Insert,
    text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    session.retry_if_stale(|session| {
        let plan = prepare(session, i, text)?;
        execute(session, &plan, text, sink)
    })
}

/// What a running INSERT counts.
#[derive(Default)]
pub(crate) struct InsertCounters {
    /// Rows read from the source.
    pub records: u64,
    /// Rows written, deleted or updated.
    pub affected: u64,
    /// Duplicates ignored, replaced or updated.
    pub duplicates: u64,
    /// Rows inserted.
    pub copied: u64,
    /// Rows that a constraint kept out.
    pub left_out: u64,
    first_generated: u64,
    generated: u64,
    /// Of the AUTO_INCREMENT column in the row that was written, changed or refused last.
    last_number: u64,
    /// Rows changed by ON DUPLICATE KEY UPDATE.
    updated: u64,
    /// A row with a number made here met a duplicate.
    met_with_number: bool,
    /// What RETURNING tells.
    returned: Option<Returned>,
    numbers: NumberSettings,
    /// CLIENT_FOUND_ROWS: a row that stays as it was counts.
    found_rows: bool,
}

impl InsertCounters {
    /// Of a statement that begins.
    pub fn new(session: &Session) -> InsertCounters {
        let settings = session.settings();
        let numbers = NumberSettings {
            first: session.insert_id,
            then: 0,
            increment: settings.auto_increment_increment.max(1),
            offset: settings.auto_increment_offset.max(1),
        };
        InsertCounters { numbers, found_rows: session.info.found_rows, ..InsertCounters::default() }
    }
}

/// Runs a bound INSERT; `text` is the statement's text, where its rows may stand.
///
/// # Errors
/// Those of the statement; the internal one of a stale table.
pub(crate) fn execute(
    session: &mut Session,
    plan: &InsertPlan,
    text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    if plan.table.is_stale() {
        return Err(SqlError::stale());
    }
    if let Some(done) = together::execute(session, plan, text)? {
        return Ok(done);
    }
    let reads = matches!(plan.source, Source::Query(_))
        || !plan.holder.tables.is_empty()
        || !plan.schema.checked_tables().is_empty()
        || plan.functions_read;
    let lock = if reads { Target::lock } else { super::prelock::lock_to_insert };
    let mut target = lock(session, &plan.table, &plan.schema)?;
    target.show_to_functions(plan.functions_read, &mut session.ctx);
    session.count_table_locks(std::slice::from_ref(&plan.table));
    let returned = Returned::new(session, plan.returning.as_ref(), &target);
    let mut progress = InsertCounters { returned, ..InsertCounters::new(session) };
    let result =
        before_rows(session, plan, text).and_then(|()| rows(session, plan, text, &mut target, &mut progress));
    finish_ids(session, &progress);
    let ended = target.end(session, result);
    session.ctx.row = 0;
    if let Err(e) = ended {
        return Err(returning::failed(session, plan.returning.as_ref(), progress.returned, sink, e));
    }
    let done = done(session, plan, &progress);
    returning::finish(session, plan.returning.as_ref(), progress.returned, sink, done)
}

/// What the client is told.
fn done(session: &Session, plan: &InsertPlan, progress: &InsertCounters) -> Done {
    let info = if plan.source.rows().is_none_or(|rows| rows > 1) {
        format!(
            "Records: {}  Duplicates: {}  Warnings: {}",
            progress.records - progress.left_out,
            progress.duplicates,
            session.ctx.warnings.wire_count()
        )
    } else {
        String::new()
    };
    let last_insert_id = if progress.first_generated != 0 {
        progress.first_generated
    } else if session.ctx.connection.last_insert_id_set {
        session.ctx.connection.last_insert_id
    } else if progress.copied + progress.updated > 0 && !forgets_numbers(plan) {
        progress.last_number
    } else {
        0
    };
    Done { affected: progress.affected, last_insert_id, info, ..Done::default() }
}

/// Whether each row of a query begins with the values of none, so that clients are told no number that was not made here: as in the
/// reference where something may have changed the row before.
fn forgets_numbers(plan: &InsertPlan) -> bool {
    matches!(plan.source, Source::Query(_))
        && (plan.schema.triggers.is_some() || !plan.on_duplicate.is_empty())
}

/// LAST_INSERT_ID() is the first number the statement made.
pub(crate) fn finish_ids(session: &mut Session, progress: &InsertCounters) {
    if progress.first_generated != 0 {
        session.last_insert_id = progress.first_generated;
        session.ctx.connection.last_insert_id = progress.first_generated;
        session.ctx.connection.fresh_id = true;
    }
    // for a later statement, where no row asked for a number
    session.insert_id = progress.numbers.first;
}

//! CHECK, CHECKSUM, ANALYZE, OPTIMIZE and REPAIR TABLE.

use std::sync::Arc;

use crate::table::{RowScratch, Scan};

use crate::ast::{AlterOp, AlterTable, LockWait, Maintain, MaintainKind, Statement, TableName};
use crate::catalog::view::StoredView;
use crate::error::{self, SqlError, SqlResult};
use crate::names::INFORMATION_SCHEMA;
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::session::tables::Access;
use crate::show::rows::{Rows, s, text_null};
use crate::table::OpenTable;
use crate::types::{FieldType, Kind, Value};
use crate::warning::Level;

/// The four columns of maintenance results.
pub(super) fn columns() -> Rows {
    let mut message = text_null(0);
    message.kind = Kind::MediumBlob;
    message.length = 393_216;
    Rows::new(vec![
        ("Table", text_null(128)),
        ("Op", text_null(10)),
        ("Msg_type", text_null(10)),
        ("Msg_text", message),
    ])
}

/// What a maintenance step found: type and text of each row.
pub(super) type Found = Vec<(&'static str, String)>;

/// CHECK, CHECKSUM, ANALYZE, OPTIMIZE and REPAIR TABLE.
///
/// # Errors
/// Only when the client is gone: what goes wrong with a table is a row.
pub(super) fn maintain(session: &mut Session, m: &Maintain, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    if m.kind == MaintainKind::Checksum {
        return checksum(session, m, sink);
    }
    let op = match m.kind {
        MaintainKind::Check => "check",
        MaintainKind::Repair => "repair",
        MaintainKind::Analyze => "analyze",
        _ => "optimize",
    };
    if m.partitions.is_some() {
        super::partition::check_partitioned(session, &m.tables)?;
    }
    let mut rows = columns();
    for t in &m.tables {
        let (db, name) = session.table_path(t)?;
        let full = format!("{db}.{name}");
        if m.use_frm && m.kind == MaintainKind::Repair && open(session, t).is_ok_and(|t| t.temporary) {
            let message = "Cannot repair temporary table from .frm file";
            rows.push(vec![s(&name), s(op), s("error"), s(message)]);
            continue;
        }
        let found = session.retry_if_stale(|session| {
            // what kind of table it is stays so while its files are made anew
            let _name = match m.kind {
                MaintainKind::Repair | MaintainKind::Optimize => Some(session.lock_names(&[(&db, &name)])?),
                _ => None,
            };
            if let Some(found) = super::merge::of_merge(session, m, t) {
                return Ok(found);
            }
            if let Some(found) = super::partition::of_partitions(session, m, t)? {
                return Ok(found);
            }
            if let Some(view) = session.view_of(t)? {
                return Ok(of_view(session, m, &view));
            }
            if let Some(found) = without_files(session, m, t) {
                return Ok(found);
            }
            if let Some(found) = of_old_version(session, m, t)? {
                return Ok(found);
            }
            if rebuilds_files(session, m, t) {
                crate::ddl::repair::run(session, m, (&db, &name))
            } else {
                open_damaged(session, t).and_then(|table| step(session, m, &table))
            }
        });
        let found = found.unwrap_or_else(|e| error_rows(&e));
        for (kind, message) in found {
            rows.push(vec![s(&full), s(op), s(kind), s(message)]);
        }
    }
    rows.send(session, sink)
}

/// What is told of a view: CHECK finds out whether it can be read, and so does REPAIR VIEW, as there is nothing to repair; the other
/// statements are not for views.
fn of_view(session: &mut Session, m: &Maintain, view: &Arc<StoredView>) -> Found {
    if m.kind != MaintainKind::Check && !m.view {
        let e = SqlError::new(error::ER_WRONG_OBJECT, &[&view.db, &view.name, &"BASE TABLE"]);
        return error_rows(&e);
    }
    let wrong = session.check_view(view);
    if wrong.is_empty() {
        return vec![("status", "OK".into())];
    }
    let mut found: Found = wrong.into_iter().map(|e| ("Error", e.message)).collect();
    found.push(("error", "Corrupt".into()));
    found
}

/// What is told of a table that has no files.
fn without_files(session: &mut Session, m: &Maintain, t: &TableName) -> Option<Found> {
    let what = match m.kind {
        MaintainKind::Check => "check",
        MaintainKind::Analyze => "analyze",
        MaintainKind::Optimize => "optimize",
        MaintainKind::Repair => "repair",
        _ => return None,
    };
    // the engine of sequences has none of these but REPAIR, which is one of the table below
    if m.kind != MaintainKind::Repair
        && let Ok(table) = session.base(t, &t.name, Access::Shown)
        && table.is_sequence()
    {
        return Some(note_unsupported(what));
    }
    let found = unsupported(session, t, what)?;
    // nobody has to look into files for that
    Some(if m.for_upgrade && m.kind == MaintainKind::Check { vec![("status", "OK".into())] } else { found })
}

fn note_unsupported(what: &str) -> Found {
    vec![("note", format!("The storage engine for the table doesn't support {what}"))]
}

/// What is told of a table whose engine lacks such a statement: those without files lack all.
pub(super) fn unsupported(session: &mut Session, t: &TableName, what: &str) -> Option<Found> {
    let (db, name) = session.table_path(t).ok()?;
    if !session.is_sequence(&db, &name) {
        let engine = match session.temporary(&db, &name) {
            Some(table) => table.engine(),
            None => session.engine.catalog.engine(&db, &name).ok()?,
        };
        if engine.can().maintenance {
            return None;
        }
    }
    Some(note_unsupported(what))
}

/// Whether REPAIR or OPTIMIZE is asked of a table of files.
fn rebuilds_files(session: &mut Session, m: &Maintain, t: &TableName) -> bool {
    matches!(m.kind, MaintainKind::Repair | MaintainKind::Optimize)
        && session.table_path(t).is_ok_and(|(db, name)| {
            session.temporary(&db, &name).is_some() || session.engine.catalog.table_exists(&db, &name)
        })
}

/// What is told of a table with VARCHAR columns of 4.1: CHECK asks for a REPAIR, which makes them what they are now.
///
/// # Errors
/// Those of ALTER TABLE.
fn of_old_version(session: &mut Session, m: &Maintain, t: &TableName) -> SqlResult<Option<Found>> {
    if !matches!(m.kind, MaintainKind::Check | MaintainKind::Repair) || m.use_frm {
        return Ok(None);
    }
    let Ok(table) = open(session, t) else { return Ok(None) };
    if table.def().columns.iter().all(|c| c.ty.renewed() == c.ty) {
        return Ok(None);
    }
    if m.kind == MaintainKind::Check {
        let ask =
            format!("Upgrade required. Please do \"REPAIR TABLE `{}`\" or dump/reload to fix it!", t.name);
        return Ok(Some(vec![("error", ask)]));
    }
    drop(table);
    let renew = AlterTable {
        ignore: false,
        online: false,
        if_exists: false,
        name: t.clone(),
        wait: LockWait::default(),
        ops: vec![AlterOp::Force],
    };
    crate::ddl::run(session, &Statement::AlterTable(Box::new(renew)), b"")?;
    Ok(Some(vec![("status", "OK".into())]))
}

/// The rows for an error.
pub(super) fn error_rows(e: &SqlError) -> Found {
    // what is found when a table is opened is a finding
    let end = match e.code {
        29
        | 130
        | error::ER_GET_ERRNO
        | error::ER_CRASHED_ON_USAGE
        | error::codes::ER_FAILED_READ_FROM_PAR_FILE => ("error", "Corrupt".into()),
        _ => ("status", "Operation failed".into()),
    };
    vec![("Error", e.message.clone()), end]
}

pub(super) fn open(session: &mut Session, t: &TableName) -> SqlResult<Arc<OpenTable>> {
    let (db, name) = session.table_path(t)?;
    if &*db == INFORMATION_SCHEMA {
        return Err(SqlError::new(error::ER_UNKNOWN_TABLE, &[&name, &INFORMATION_SCHEMA]));
    }
    session.base(t, &name, Access::Shown)
}

/// As [`open`], tables that are marked as crashed included.
fn open_damaged(session: &mut Session, t: &TableName) -> SqlResult<Arc<OpenTable>> {
    match open(session, t) {
        Err(e) if matches!(e.code, 144 | 145 | error::ER_CRASHED_ON_USAGE | error::ER_CRASHED_ON_REPAIR) => {
            let (db, name) = session.table_path(t)?;
            OpenTable::open_crashed(session.engine.store(), &db, &name).map(Arc::new)
        }
        other => other,
    }
}

fn step(session: &mut Session, m: &Maintain, t: &Arc<OpenTable>) -> SqlResult<Found> {
    super::check::maintain_table(session, m, t)
}

/// Rows read under one pin.
const ROWS_A_PIN: usize = 512;

/// Reads all rows; gives how many there are and how many the table counts.
fn scan(
    session: &mut Session,
    t: &Arc<OpenTable>,
    mut f: impl FnMut(&OpenTable, &crate::table::RowView<'_>),
) -> SqlResult<(u64, u64)> {
    let connection = Arc::clone(&session.connection);
    session.with_snapshot(std::slice::from_ref(t), |_, exec| {
        let mut scan = Scan::new();
        let mut scratch = RowScratch::new();
        let (mut rows, mut counted) = (0, 0);
        // a MERGE table's are those of the tables under it
        let all = t.children().map_or(std::slice::from_ref(t), |c| c.tables());
        let mut at = 0;
        while let Some(t) = all.get(at) {
            // A pin for some rows only: what others replace meanwhile could not be freed.
            let pin = exec.snapshot.pin();
            let view = pin.table(t.pages()).map_err(|e| crate::failure::from_pages(&e, &t.name))?;
            let own = t.state_in(&view).records();
            for _ in 0..ROWS_A_PIN {
                let next = scan.next(t.format(), &view, &mut scratch).map_err(|e| t.error(&e))?;
                let Some((_, row)) = next else {
                    (at, scan, counted) = (at + 1, Scan::new(), counted + own);
                    break;
                };
                f(t, &row);
                rows += 1;
            }
            drop(pin);
            connection.check_killed()?;
        }
        Ok((rows, counted))
    })
}

/// CHECKSUM TABLE.
fn checksum(session: &mut Session, m: &Maintain, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let number = FieldType { length: 21, ..FieldType::bigint(false) };
    let mut rows = Rows::new(vec![("Table", text_null(384)), ("Checksum", number)]);
    for t in &m.tables {
        let (db, name) = session.table_path(t)?;
        let full = format!("{db}.{name}");
        let value = match session.retry_if_stale(|session| {
            let table = open(session, t)?;
            checksum_of(session, m, &table)
        }) {
            Err(e) if is_of_the_table(&e) => {
                session.ctx.warnings.push_error(Level::Error, &e);
                Value::Null
            }
            other => other?,
        };
        rows.push(vec![s(full), value]);
    }
    rows.send(session, sink)
}

/// Whether CHECKSUM goes on with the next table: an error of the wait or of the client ends it.
fn is_of_the_table(e: &SqlError) -> bool {
    !matches!(
        e.code,
        error::ER_QUERY_INTERRUPTED
            | error::ER_STATEMENT_TIMEOUT
            | error::ER_CONNECTION_KILLED
            | error::ER_LOCK_WAIT_TIMEOUT
            | error::ER_LOCK_DEADLOCK
    )
}

fn checksum_of(session: &mut Session, m: &Maintain, table: &Arc<OpenTable>) -> SqlResult<Value> {
    // the head of the file has the say: `myisamchk` may take the option from compressed tables
    let kept = |t: &OpenTable| t.state_of(&t.state()).checksum();
    if table.format().layout.checksum && !m.extended {
        let sum = match table.children() {
            None => Some(kept(table)),
            // rows of partitions are read unless it shall be quick, as in MariaDB
            Some(parts) if m.quick && crate::table::partition::is_partitioned(table.def()) => {
                Some(parts.tables().iter().fold(0, |sum, part| kept(part).wrapping_add(sum)))
            }
            Some(_) => None,
        };
        if let Some(sum) = sum {
            return Ok(Value::Int((sum & 0xffff_ffff) as i64));
        }
    }
    if m.quick {
        return Ok(Value::Null);
    }
    let mut sum = 0u32;
    let mut temp = Vec::new();
    scan(session, table, |_, row| {
        sum = sum.wrapping_add(crate::table::myisam::checksum_extended(row, &mut temp));
    })?;
    Ok(Value::Int(i64::from(sum)))
}

/// HELP: there is no help text in the server.
pub(super) fn help(session: &mut Session, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    Rows::new(vec![
        ("source_category_name", text_null(64)),
        ("name", text_null(64)),
        ("is_it_category", text_null(1)),
    ])
    .send(session, sink)
}

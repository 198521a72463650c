//! CHECK, ANALYZE and REPAIR TABLE: tables gone over as a whole.

use std::sync::Arc;

use crate::table::myisam::StatsMethod;
use crate::table::myisam::changed;
use crate::table::myisam::{Check, CheckOptions, Depth, Severity, check as check_table};
use pages::TableWriter;
use pages::storage::OpenMode;

use super::maintain::Found;
use crate::ast::{Maintain, MaintainKind};
use crate::dml::target::Target;
use crate::error::SqlResult;
use crate::failure::from_pages;
use crate::plan::change::WriteSchema;
use crate::session::Session;
use crate::session::locked::TableHold;
use crate::table::OpenTable;
use crate::table::rules::with_completer;
use crate::table::{SharedReadLock, TableState};

/// What CHECK, ANALYZE and REPAIR do with one table.
///
/// # Errors
/// When the table cannot be had, or read at all.
pub(super) fn maintain_table(session: &mut Session, m: &Maintain, t: &Arc<OpenTable>) -> SqlResult<Found> {
    let ours = session.locks.tables.iter().filter(|l| !t.temporary && l.db == t.db && l.name == t.name);
    let mut held = ours.filter_map(|l| match &l.hold {
        Some(TableHold::Read(hold)) => Some(Arc::clone(hold)),
        _ => None,
    });
    if let Some(hold) = held.next().filter(|_| session.locks.active) {
        // LOCK TABLES ... READ of this session keeps writers out, itself included: nothing is noted.
        let state = t.state();
        if is_analyzed(m, t, &t.state_of(&state)) {
            return Ok(vec![("status", "Table is already up to date".into())]);
        }
        drop(state);
        return read_only(session, (depth(m), None), t, &hold).map(|result| words(&result, m.kind));
    }
    let mut target = Target::lock_to_note(session, t, &Arc::new(WriteSchema::without_rules(t)))?;
    let result = with_lock(session, m, t, &mut target);
    match result {
        Ok(found) => {
            target.commit(session)?;
            if !t.temporary {
                close_crashed(session, t)?;
            }
            Ok(found)
        }
        Err(e) => {
            target.rollback(session);
            Err(e)
        }
    }
}

/// Whether ANALYZE has nothing to do.
fn is_analyzed(m: &Maintain, t: &OpenTable, state: &TableState<'_>) -> bool {
    let crashed = changed::CRASHED | changed::CRASHED_ON_REPAIR;
    m.kind == MaintainKind::Analyze
        && state.changed() & crashed == 0
        && !crate::ddl::repair::is_news_to_analyze(t.format(), state)
}

fn with_lock(
    session: &mut Session,
    m: &Maintain,
    t: &Arc<OpenTable>,
    target: &mut Target,
) -> SqlResult<Found> {
    let clean = |session: &Session, writer: &mut TableWriter| {
        session.with_wait_limit(&t.name, |wait_limit| {
            session.engine.store().flush_and_unguard(writer, wait_limit)
        })
    };
    let connection = Arc::clone(&session.connection);
    let format = Arc::clone(t.format());
    let failed = |e: &pages::Error| from_pages(e, &t.name);
    // What is on disk is what is checked, lengths of files included.
    clean(session, target.writer.store_mut().get_mut())?;
    let marks = format.state(target.writer.store()).changed();
    let crashed = marks & (changed::CRASHED | changed::CRASHED_ON_REPAIR) != 0;
    let done = match m.kind {
        MaintainKind::Check => m.fast || m.changed && marks & changed::CHANGED == 0,
        _ => is_analyzed(m, t, &format.state(target.writer.store())),
    };
    if done && !crashed {
        return Ok(vec![("status", "Table is already up to date".into())]);
    }
    let lengths = file_lengths(t);
    let rules = t.rules(&mut session.ctx)?;
    let result = with_completer(rules.as_deref(), &mut session.ctx, |complete| {
        let options = CheckOptions {
            depth: depth(m),
            file_lengths: lengths,
            stats_method: StatsMethod::default(),
            complete,
            kill: &|| connection.killed(),
        };
        check_table(&format, target.writer.store(), &options).map_err(|e| t.error(&e))
    })?;
    if result.killed {
        session.ctx.check_killed()?;
    }
    match (result.is_ok(), m.kind) {
        // nothing of a table that is read only is news
        (true, MaintainKind::Check) if t.check_writable().is_err() => {}
        (true, MaintainKind::Check) => target.writer.note_checked(&result, now()),
        (true, MaintainKind::Analyze) => target.writer.note_analyzed(&result),
        (true, _) => {}
        (false, _) => target.writer.mark_crashed(),
    }
    let writer = target.writer.store_mut().get_mut();
    if writer.is_dirty() {
        writer.commit().map_err(|e| failed(&e))?;
    }
    // From here to its next change the table is whole for every other program, too.
    clean(session, writer)?;
    Ok(words(&result, m.kind))
}

/// Closes a table that is marked as crashed: it is refused from now on.
fn close_crashed(session: &mut Session, t: &Arc<OpenTable>) -> SqlResult<()> {
    if session.locks.active {
        return Ok(());
    }
    let state = t.state();
    let marks = t.state_of(&state).changed();
    let cached = crate::table::partition::table_of_part(&t.name).is_some()
        || session.engine.catalog.open_tables().iter().any(|o| Arc::ptr_eq(o, t));
    if cached && marks & (changed::CRASHED | changed::CRASHED_ON_REPAIR) == 0 {
        return Ok(());
    }
    let guard = match session.exclusive(t) {
        Err(e) if e.is_stale() => return Ok(()),
        other => other?,
    };
    session.engine.catalog.forget(&t.db, &t.name);
    session.with_wait_limit(&t.name, |wait_limit| guard.detach(wait_limit))
}

/// A check that changes nothing.
fn read_only(
    session: &mut Session,
    (depth, file_lengths): (Depth, Option<(u64, u64)>),
    t: &Arc<OpenTable>,
    hold: &SharedReadLock,
) -> SqlResult<Check> {
    let connection = Arc::clone(&session.connection);
    let format = Arc::clone(t.format());
    let kill = || connection.killed();
    let stats_method = StatsMethod::default();
    let timeout = session.waiter().timeout;
    let rules = t.rules(&mut session.ctx)?;
    let result = with_completer(rules.as_deref(), &mut session.ctx, |complete| {
        let options = CheckOptions { depth, file_lengths, stats_method, complete, kill: &kill };
        let wait_limit = pages::WaitLimit::new(timeout, &kill);
        let checked = hold.read(&wait_limit, |table| check_table(&format, table, &options));
        checked.map_err(|e| from_pages(&e, &t.name))?.map_err(|e| t.error(&e))
    })?;
    if result.killed {
        session.ctx.check_killed()?;
    }
    Ok(result)
}

/// What CHECK TABLE ... EXTENDED (or MEDIUM) says of a table that nobody has open. Nothing is noted in it: its files stay as they are.
///
/// # Errors
/// When the table cannot be had, or read at all; `Killed`.
pub fn check_unopened(
    session: &mut Session,
    db: &str,
    name: &str,
    extended: bool,
) -> SqlResult<Vec<(&'static str, String)>> {
    let (db, name): (Arc<str>, Arc<str>) = (db.into(), name.into());
    let t = match OpenTable::open_crashed(session.engine.store(), &db, &name) {
        Ok(t) => Arc::new(t),
        Err(e) => return Ok(super::maintain::error_rows(&e)),
    };
    let parts = match t.children().filter(|c| c.are_partitions()) {
        Some(children) => children.tables().to_vec(),
        None => vec![Arc::clone(&t)],
    };
    let mut all = Found::new();
    for part in parts {
        let found = check_one_unopened(session, &part, extended)?;
        let sound = found.iter().all(|(kind, _)| *kind == "status");
        if all.is_empty() || !sound {
            all.retain(|(kind, _)| *kind != "status");
            all.extend(found);
        }
    }
    Ok(all)
}

/// A table without partitions, or one partition.
fn check_one_unopened(session: &mut Session, t: &Arc<OpenTable>, extended: bool) -> SqlResult<Found> {
    let connection = Arc::clone(&session.connection);
    let hold = t.hold_for_reading(std::time::Duration::from_secs(5), &|| connection.killed());
    let hold = hold.map_err(|e| from_pages(&e, &t.name))?;
    let depth = if extended { Depth::Extended } else { Depth::Medium };
    let result = read_only(session, (depth, file_lengths(t)), t, &hold);
    drop(hold);
    let guard = session.exclusive(t)?;
    session.with_wait_limit(&t.name, |wait_limit| guard.detach(wait_limit))?;
    Ok(match result {
        Ok(check) => words(&check, MaintainKind::Check),
        Err(e) => {
            session.ctx.check_killed()?;
            super::maintain::error_rows(&e)
        }
    })
}

fn depth(m: &Maintain) -> Depth {
    match m.kind {
        MaintainKind::Analyze => Depth::Quick,
        MaintainKind::Check if m.quick => Depth::Quick,
        MaintainKind::Check if m.extended => Depth::Extended,
        _ => Depth::Medium,
    }
}

/// Lengths of the files of a clean table, in bytes.
fn file_lengths(t: &OpenTable) -> Option<(u64, u64)> {
    let store = t.pages().store().ok()?;
    let (index, data) = t.pages().paths();
    let length = |path: &std::path::Path| {
        let path = store.datadir().join(path);
        store.storage().open(&path, OpenMode::Read).and_then(|f| f.len()).ok()
    };
    Some((length(index)?, length(data)?))
}

fn words(result: &Check, kind: MaintainKind) -> Found {
    let mut found: Found = result
        .findings
        .iter()
        .map(|f| (if f.severity == Severity::Error { "error" } else { "warning" }, f.text.clone()))
        .collect();
    match (result.is_ok(), kind) {
        (true, _) => found.push(("status", "OK".into())),
        (false, MaintainKind::Repair | MaintainKind::Optimize) => {
            let what = if kind == MaintainKind::Repair { "repair" } else { "optimize" };
            found.push(("note", format!("The storage engine for the table doesn't support {what}")));
        }
        (false, _) => found.push(("error", "Corrupt".into())),
    }
    found
}

fn now() -> u64 {
    schema::clock::now().as_secs()
}

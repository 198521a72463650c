//! Other keys for rows that stay where they are: a new `.MYI` is written beside the old one and takes its place together with
//! the new definition. The `.MYD` is not touched.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use pages::FilePlan;
use pages::storage::OpenMode;
use schema::definition::TableDef;

use super::super::drop::{ExclusiveTable, QualifiedName};
use super::change::AlterBuilder;
use super::{Copied, copy};
use crate::ast::AlterTable;
use crate::ddl::trigger::move_triggers;
use crate::error::SqlResult;
use crate::failure::from_pages;
use crate::session::Session;
use crate::table::engine::{definition_bytes, definition_file, row_files};
use crate::table::myisam::{Header, Target, write_index};
use crate::table::{EngineError as Error, OpenTable, TableFormat, from_engine};

/// What became of it.
pub(super) enum Outcome {
    /// The keys are as wanted.
    Done(Copied),
    /// The rows have to be copied, or copying finds the words for what is wrong with them: nothing was changed.
    RowsMove(Box<ExclusiveTable>),
}

/// Makes the keys of `def`, which has the rows of the old definition.
///
/// # Errors
/// Those of the files; the table is as it was then.
pub(super) fn rekey(
    session: &mut Session,
    a: &AlterTable,
    mut exclusive: ExclusiveTable,
    (work, def): (&AlterBuilder, &TableDef),
    to: &QualifiedName,
) -> SqlResult<Outcome> {
    let old = Arc::clone(&exclusive.table);
    let Some(format) = new_format(session, a, &exclusive, work, def) else {
        return Ok(Outcome::RowsMove(Box::new(exclusive)));
    };
    let beside = old.pages().base().with_file_name(pages::scratch_name());
    let made = build(session, &mut exclusive, &format, &beside)
        .map_err(|e| match e {
            // which row is told of depends on the order in which rows come: a copy meets them in it
            Error::Duplicate { .. } => None,
            e => Some(from_engine(&e, &old.db, &old.name)),
        })
        .and_then(|()| flush(session, &mut exclusive).map_err(Some))
        .and_then(|()| plan(&old, def, to, &beside).map_err(|e| Some(from_engine(&e, &old.db, &old.name))))
        .and_then(|plan| {
            let from = (Arc::clone(&old.db), Arc::clone(&old.name));
            match *to == from {
                true => Ok(plan),
                false => move_triggers(plan, session.engine.store(), &from, &from, to).map_err(Some),
            }
        });
    let plan = match made {
        Ok(plan) => plan,
        Err(e) => {
            remove(session, &beside);
            let Some(e) = e else { return Ok(Outcome::RowsMove(Box::new(exclusive))) };
            session.give_back(exclusive);
            return Err(e);
        }
    };
    let rows = old.state_in(exclusive.guard.working()).records();
    let locked = exclusive.locked;
    session.engine.catalog.forget(&old.db, &old.name);
    let result = exclusive.guard.discard(plan).map_err(|e| from_pages(&e, &old.name));
    if result.is_err()
        // what is decided already needs the file, and the journal knows
        && let Err(e) = session.engine.store().apply(FilePlan::new().remove(&beside))
    {
        tracing::warn!("{}: {e}", beside.display());
    }
    if result.is_err()
        && locked
        && let Err(e) = session.relock(&old.db, &old.name)
    {
        tracing::warn!("{}.{} is locked no more: {}", old.db, old.name, e.message);
    }
    result.map(|()| Outcome::Done(Copied { rows, duplicates: 0 }))
}

/// The format of the new files, if the rows can stay.
fn new_format(
    session: &Session,
    a: &AlterTable,
    exclusive: &ExclusiveTable,
    work: &AlterBuilder,
    def: &TableDef,
) -> Option<Arc<TableFormat>> {
    let old = &exclusive.table;
    // a new index that lies elsewhere comes to its place with the rows
    let elsewhere = def.options.index_directory.is_some() || old.def().options.index_directory.is_some();
    if elsewhere
        || a.ignore
        || work.keys_enabled.is_some()
        || !copy::keeps_rows(old, work, def, session.ctx.sql_mode)
    {
        return None;
    }
    let header = Header::for_definition(def, &def.layout(), crate::ddl::create_settings(session)).ok()?;
    let format = TableFormat::in_store(def, header, session.engine.store()).ok()?;
    old.format().rows_stay(&format, exclusive.guard.working()).then(|| Arc::new(format))
}

/// Writes the new index file.
fn build(
    session: &Session,
    exclusive: &mut ExclusiveTable,
    format: &Arc<TableFormat>,
    beside: &FilePath,
) -> Result<(), Error> {
    let store = session.engine.store();
    let path = store.datadir().join(beside);
    let file =
        store.storage().open(&path, OpenMode::CreateNew).map_err(|e| pages::Error::io(&path, "create", e))?;
    let old = &exclusive.table;
    let rows = exclusive.guard.working();
    let counter = old.state_in(rows).auto_increment().max(old.counter());
    let sort = crate::dml::bulk::sort_settings(session);
    let connection = &session.connection;
    let target = Target { file: &*file, path: &path };
    write_index((old.format(), format), (rows, counter), target, &sort, &|| connection.killed())?;
    file.sync().map_err(|e| pages::Error::io(&path, "sync", e))?;
    Ok(())
}

/// Brings the files up to what readers see: the journal's claims to them end with the old index. Rows that another program
/// exchanged meanwhile get no index of ours.
fn flush(session: &Session, exclusive: &mut ExclusiveTable) -> SqlResult<()> {
    let store = Arc::clone(session.engine.store());
    let name = Arc::clone(&exclusive.table.name);
    session.with_wait_limit(&name, |wait_limit| {
        store.flush_and_unguard(exclusive.guard.writer(), wait_limit)?;
        exclusive.table.pages().check_files()
    })
}

/// What the files must do.
fn plan(old: &OpenTable, def: &TableDef, to: &QualifiedName, beside: &FilePath) -> Result<FilePlan, Error> {
    let definition = definition_bytes(def)?;
    let engine = old.engine();
    let (index, data): (PathBuf, PathBuf) = row_files(engine, (&old.db, &old.name));
    let (new_index, new_data) = row_files(engine, (&to.0, &to.1));
    let mut plan = FilePlan::new().rename(beside, &new_index);
    if (&*to.0, &*to.1) != (&*old.db, &*old.name) {
        plan = plan.rename(data, new_data).remove(index).remove(definition_file(&old.db, &old.name));
    }
    Ok(plan.create(definition_file(&to.0, &to.1), definition))
}

fn remove(session: &Session, beside: &FilePath) {
    let store = session.engine.store();
    let path = store.datadir().join(beside);
    match store.storage().remove(&path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => tracing::warn!("{}: {e}", path.display()),
        _ => {}
    }
}

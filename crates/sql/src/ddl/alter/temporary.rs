//! ALTER TABLE of TEMPORARY tables: nobody else sees them, and nothing of them outlives the session, so that the new table
//! simply takes the place of the old one in the session's list.

use std::sync::Arc;

use schema::definition::TableDef;

use super::change::{AlterBuilder, Change};
use super::{Copied, ExclusiveTable, copy, plan, set_row_info, switch_keys};
use crate::ast::{self, AlterOp, AlterTable};
use crate::error::{self, SqlError, SqlResult};
use crate::failure::from_pages;
use crate::result::Done;
use crate::session::Session;
use crate::session::temporary::DIRECTORY;
use crate::table::OpenTable;
use crate::table::from_engine;
use crate::table::merge::is_merge;

/// ALTER TABLE of a temporary table.
///
/// # Errors
/// Those of the new definition and of the rows that do not fit it; the table is as it was then.
pub(super) fn alter(
    session: &mut Session,
    a: &AlterTable,
    text: &[u8],
    table: Arc<OpenTable>,
) -> SqlResult<Done> {
    match crate::ddl::partition::alter::op_of(a) {
        Some(ast::PartitionOp::By(_)) => {
            return Err(SqlError::new(error::codes::ER_PARTITION_NO_TEMPORARY, &[]));
        }
        Some(_) => return Err(SqlError::new(error::ER_PARTITION_MGMT_ON_NONPARTITIONED, &[])),
        None => {}
    }
    let renamed = a.ops.iter().rev().find_map(|op| match op {
        AlterOp::Rename(to) => Some(to),
        _ => None,
    });
    let to = renamed.map(|to| session.table_path(to)).transpose()?;
    let to = to.filter(|(db, name)| (&**db, &**name) != (&*table.db, &*table.name));
    let (work, def) = plan(session, a, text, &table, to.is_some())?;
    if let Some((db, name)) = &to {
        if session.temporary(db, name).is_some() {
            return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[name]));
        }
        session.engine.catalog.database(db)?;
    }
    session.check_not_taken(&table.db, &table.name)?;
    let mut done = Done::default();
    let mut now = Arc::clone(&table);
    if work.change > Change::Nothing {
        let (copied, new) = rebuild(session, a, &work, &def, &table)?;
        done.affected = copied.rows;
        now = new;
    } else if let Some(on) = work.keys_enabled {
        let alone = hold(session, &table)?;
        switch_keys(session, alone, on)?;
    }
    if let Some((db, name)) = to {
        session.rename_temporary(&now, db, name);
    }
    set_row_info(session, &work, &mut done);
    Ok(done)
}

fn hold(session: &Session, table: &Arc<OpenTable>) -> SqlResult<ExclusiveTable> {
    let connection = Arc::clone(&session.connection);
    let guard = table
        .pages()
        .exclusive(session.owner(), session.lock_timeout(), &|| connection.killed())
        .map_err(|e| from_pages(&e, &table.name))?;
    Ok(ExclusiveTable { table: Arc::clone(table), guard, parts: Vec::new(), locked: false })
}

/// Copies the rows into a new table, which the session has in the place of the old one from now on.
fn rebuild(
    session: &mut Session,
    a: &AlterTable,
    work: &AlterBuilder,
    def: &TableDef,
    table: &Arc<OpenTable>,
) -> SqlResult<(Copied, Arc<OpenTable>)> {
    let (db, name) = (Arc::clone(&table.db), Arc::clone(&table.name));
    let error = |e: crate::table::EngineError| from_engine(&e, &db, &name);
    let file = crate::session::temporary::new_file(session);
    let resolved = session.open_path(&db, &name)?;
    let mut alone = hold(session, &resolved)?;
    let made = (|| {
        let new = crate::ddl::create_scratch(session, DIRECTORY, &file, def).map_err(error)?;
        if is_merge(def) {
            return Ok((Copied::default(), new));
        }
        let copied = copy::copy(session, a, &mut alone, work, (&new, &file))?;
        Ok((copied, new))
    })();
    drop(alone);
    match made {
        Ok((copied, new)) => Ok((copied, session.exchange_temporary(table, new))),
        Err(e) => {
            crate::ddl::discard(session, DIRECTORY, &file);
            Err(e)
        }
    }
}

//! Definition statements and MERGE tables.

use std::sync::Arc;

use schema::definition::{InsertMethod, TableDef};

use crate::ast::{Name, Span, TableName};
use crate::dml::target::{Held, give_back as give_back_one, take};
use crate::error::{SqlError, SqlResult, codes};
use crate::result::Done;
use crate::session::Session;
use crate::table::{OpenTable, merge};

/// Checks a definition: MERGE tables compute no columns, and no others have tables under them.
///
/// # Errors
/// 1910.
pub(super) fn check(def: &mut TableDef) -> SqlResult<()> {
    if !merge::is_merge(def) {
        def.options.union.clear();
        def.options.insert_method = InsertMethod::No;
        return Ok(());
    }
    match def.columns.iter().any(|c| c.generated.is_some()) {
        true => {
            let args: [&dyn std::fmt::Display; 1] = [&def.options.engine];
            Err(SqlError::new(codes::ER_UNSUPPORTED_ENGINE_FOR_GENERATED_COLUMNS, &args))
        }
        false => Ok(()),
    }
}

/// Whether a name is that of a MERGE table.
pub(super) fn is_merge(session: &Session, db: &str, name: &str) -> bool {
    match session.temporary(db, name) {
        Some(table) => merge::is_merge(table.def()),
        None => !session.engine.catalog.children(db, name).is_empty(),
    }
}

/// TRUNCATE of a MERGE table empties the tables under it.
///
/// # Errors
/// 1168 and 1472; those of locks.
pub(super) fn truncate(session: &mut Session, db: &str, name: &str) -> SqlResult<Done> {
    let table = session.open_path(db, name)?;
    for child in table.children().map_or(&[][..], |c| c.tables()) {
        let (db, name) = (Name::from(&*child.db), Name::from(&*child.name));
        super::drop::truncate(session, &TableName { db: Some(db), name, span: Span::default() })?;
    }
    Ok(Done::default())
}

/// Holds the tables under a MERGE table, in the order of their names, while its rows are copied; nothing for every other table.
///
/// # Errors
/// 1205, 1317; the internal error of a stale table.
pub(super) fn hold_children(
    session: &mut Session,
    table: &OpenTable,
) -> SqlResult<Vec<(Arc<OpenTable>, Held)>> {
    let Some(children) = table.children() else { return Ok(Vec::new()) };
    let order = children.in_order_of_names();
    let mut held: Vec<(usize, Arc<OpenTable>, Held)> = Vec::with_capacity(order.len());
    for n in order {
        let child = &children.tables()[n];
        match take(session, child, &mut None) {
            Ok(lock) => held.push((n, Arc::clone(child), lock)),
            Err(e) => {
                give_back(session, held.into_iter().map(|(_, table, lock)| (table, lock)).collect());
                return Err(e);
            }
        }
    }
    held.sort_by_key(|(n, ..)| *n);
    Ok(held.into_iter().map(|(_, table, lock)| (table, lock)).collect())
}

/// Lets go of them.
pub(super) fn give_back(session: &mut Session, held: Vec<(Arc<OpenTable>, Held)>) {
    for (table, lock) in held {
        give_back_one(session, &table, lock);
    }
}

//! Partitioned tables: their definition, and what statements do with whole partitions.

pub(crate) mod alter;
mod change;
mod check;
mod define;
mod ends;
pub(super) mod exchange;
pub(super) mod fill;
pub(in crate::ddl) mod text;

use std::sync::Arc;

use pages::FilePlan;

use crate::error::{SqlError, SqlResult, codes};
use crate::failure::from_pages;
use crate::result::Done;
use crate::session::Session;
use crate::table::engine::{drop_parts, new_parts};
use crate::table::from_engine;

/// Partitioned tables have no foreign keys.
pub(super) fn foreign_key() -> SqlError {
    SqlError::new(codes::ER_FEATURE_NOT_SUPPORTED_WITH_PARTITIONING, &[&"FOREIGN KEY"])
}

/// TRUNCATE of a partitioned table, or of these partitions; the caller holds the name.
///
/// # Errors
/// Those of locks and of the file system.
pub(super) fn truncate(
    session: &mut Session,
    (db, name): (&Arc<str>, &Arc<str>),
    only: Option<&[usize]>,
) -> SqlResult<Done> {
    let mut alone = session.exclusive_table(db, name)?;
    let locked = alone.locked;
    let def = Arc::clone(alone.table.def());
    let wanted = |n: usize| only.is_none_or(|only| only.contains(&n));
    let files = def.partition.iter().flat_map(|p| &p.files).enumerate();
    let gone = files.filter(|(n, _)| wanted(*n)).map(|(_, f)| f.name.as_str());
    let plan = drop_parts(FilePlan::new(), (db, name), gone);
    let settings = super::create_settings(session);
    let plan = match new_parts(plan, &def, settings, (db, name), wanted) {
        Ok(plan) => plan,
        Err(e) => {
            session.give_back(alone);
            return Err(from_engine(&e, db, name));
        }
    };
    let mut emptied = Vec::new();
    for (n, (_, guard)) in std::mem::take(&mut alone.parts).into_iter().enumerate() {
        match wanted(n) {
            true => emptied.push(guard),
            false => session.with_wait_limit(name, |wait_limit| guard.detach(wait_limit))?,
        }
    }
    alone.detach(session)?;
    session.engine.store().discard_all(emptied, plan).map_err(|e| from_pages(&e, name))?;
    if locked {
        session.relock(db, name)?;
    }
    Ok(Done::default())
}

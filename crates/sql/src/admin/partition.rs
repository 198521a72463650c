//! CHECK, ANALYZE, OPTIMIZE and REPAIR of partitioned tables: each partition is a table of its own.

use std::sync::Arc;

use schema::definition::PartitionFile;

use super::maintain::{Found, error_rows};
use crate::ast::{Maintain, MaintainKind, TableName};
use crate::error::{SqlError, SqlResult, codes};
use crate::session::Session;
use crate::session::tables::Access;
use crate::table::{OpenTable, engine, partition};

/// Refuses to maintain partitions of tables that have none.
///
/// # Errors
/// 1505; 1146.
pub(super) fn check_partitioned(session: &mut Session, tables: &[TableName]) -> SqlResult<()> {
    for t in tables {
        let (db, name) = session.table_path(t)?;
        let own = session.temporary(&db, &name).is_some();
        if own || !engine::has_partition_file(session.engine.store(), &db, &name) {
            session.open_path(&db, &name)?;
            return Err(SqlError::new(codes::ER_PARTITION_MGMT_ON_NONPARTITIONED, &[]));
        }
    }
    Ok(())
}

/// What is told of a partitioned table, or of those partitions of it that the statement names; nothing when it is another table.
///
/// # Errors
/// When it cannot be had.
pub(super) fn of_partitions(session: &mut Session, m: &Maintain, t: &TableName) -> SqlResult<Option<Found>> {
    let (db, name) = session.table_path(t)?;
    let plain = !engine::has_partition_file(session.engine.store(), &db, &name);
    if plain || session.temporary(&db, &name).is_some() {
        return Ok(None);
    }
    let access = match m.kind {
        MaintainKind::Repair | MaintainKind::Optimize => Access::Write,
        _ => Access::Shown,
    };
    session.split(b"").0.check_locked(&db, &name, &name, access)?;
    let def = session.engine.catalog.definition(&db, &name)?;
    if let Some(engine) = def.foreign_engine() {
        return Err(crate::failure::unknown_engine(engine));
    }
    let only = match &m.partitions {
        Some(set) => match crate::ddl::partition::alter::files_of_set(&def, set) {
            Ok(numbers) => Some(numbers),
            Err(e) => return Ok(Some(vec![("error", e.message)])),
        },
        None => None,
    };
    // the definition of a partition is that of the table, which is there
    let m = &Maintain { use_frm: false, ..m.clone() };
    let mut found = Found::new();
    let mut failed = false;
    let files = def.partition.iter().flat_map(|p| &p.files);
    for (n, (part, file)) in partition::part_names(&def, &name).zip(files).enumerate() {
        if only.as_ref().is_some_and(|only| !only.contains(&n)) {
            continue;
        }
        let own = session
            .retry_if_stale(|session| one(session, m, (&db, &name), (n, &part)))
            .unwrap_or_else(|e| error_rows(&e));
        let ends = |kind: &str| matches!(kind, "status");
        if own.iter().all(|(kind, _)| ends(kind)) {
            continue;
        }
        let repaired = own.last().is_some_and(|(kind, text)| ends(kind) && text == "OK");
        found.extend(own.into_iter().filter(|(kind, text)| !ends(kind) && text != "Corrupt"));
        if repaired {
            continue;
        }
        failed = true;
        found.push(("error", failed_part(file)));
    }
    found.push(match failed {
        true => ("error", "Corrupt".into()),
        false => ("status", "OK".into()),
    });
    Ok(Some(found))
}

/// What is told of the partition in which something failed.
pub(super) fn failed_part(file: &PartitionFile) -> String {
    match &file.subpartition {
        Some(name) => format!("Subpartition {name} returned error"),
        None => format!("Partition {} returned error", file.partition),
    }
}

/// One partition.
fn one(
    session: &mut Session,
    m: &Maintain,
    (db, name): (&Arc<str>, &Arc<str>),
    (number, part): (usize, &str),
) -> SqlResult<Found> {
    if matches!(m.kind, MaintainKind::Repair | MaintainKind::Optimize) {
        return crate::ddl::repair::run(session, m, (db, &Arc::from(part)));
    }
    let table = match session.open_path(db, name) {
        Err(e) if matches!(e.code, 144 | 145 | codes::ER_CRASHED_ON_USAGE | codes::ER_CRASHED_ON_REPAIR) => {
            Arc::new(OpenTable::open_crashed(session.engine.store(), db, name)?)
        }
        other => other?,
    };
    let part = table.children().and_then(|c| c.tables().get(number)).cloned().ok_or_else(SqlError::stale)?;
    super::check::maintain_table(session, m, &part)
}

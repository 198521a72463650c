//! ALTER TABLE of partitioned tables.

use std::sync::Arc;

use pages::FilePlan;
use schema::definition::{TableDef, new_uuid};

use super::change::{apply, is_ordered};
use super::exchange::{self, Whole};
use crate::ast::{AlterOp, AlterTable, Name, PartitionBy, PartitionElement, PartitionOp, PartitionSet};
use crate::ddl::DefinitionBuilder;
use crate::ddl::drop::ExclusiveTable;
use crate::error::{SqlError, SqlResult, codes};
use crate::failure::from_pages;
use crate::names::same_name;
use crate::result::Done;
use crate::session::Session;
use crate::table::engine::{
    definition_bytes, definition_file, drop_parts, engine_of, has_partition_file, new_parts, partition_file,
};
use crate::table::partition::{clause_of, definition_of_part, names_of};
use crate::table::{EngineError, OpenTable, from_engine};

/// What the answer says of rows when none was copied.
const NO_ROWS: &str = "Records: 0  Duplicates: 0  Warnings: 0";

/// What a statement does with partitions.
pub(in crate::ddl) fn op_of(a: &AlterTable) -> Option<&PartitionOp> {
    a.ops.iter().find_map(|op| match op {
        AlterOp::Partition(op) => Some(&**op),
        _ => None,
    })
}

/// Tables that are partitioned, or are from now on, get no foreign keys.
///
/// # Errors
/// 1506.
fn check_foreign_keys(
    session: &Session,
    a: &AlterTable,
    (db, name): (&Arc<str>, &Arc<str>),
) -> SqlResult<()> {
    let adds = a.ops.iter().any(|op| match op {
        AlterOp::AddForeignKey(_) => true,
        AlterOp::AddColumn { column, .. } => column.references.is_some(),
        _ => false,
    });
    let partitioned = match op_of(a) {
        Some(PartitionOp::By(_)) => true,
        Some(PartitionOp::Remove) => false,
        _ => adds && has_partition_file(session.engine.store(), db, name),
    };
    match adds && partitioned {
        true => Err(super::foreign_key()),
        false => Ok(()),
    }
}

/// ALTER TABLE that adds, drops or empties partitions and copies no rows; nothing for every other one. The caller holds the name.
///
/// # Errors
/// 1505 for partitions of a table that has none, 1506; those of the new clause; 1235.
pub(in crate::ddl) fn run(
    session: &mut Session,
    a: &AlterTable,
    text: &[u8],
    (db, name): (&Arc<str>, &Arc<str>),
) -> SqlResult<Option<Done>> {
    check_foreign_keys(session, a, (db, name))?;
    let partitioned = has_partition_file(session.engine.store(), db, name);
    let Some(op) = op_of(a) else { return Ok(None) };
    if matches!(op, PartitionOp::By(_)) {
        return Ok(None);
    }
    if !partitioned
        && matches!(session.engine.catalog.definition(db, name), Ok(def) if def.partition.is_some())
    {
        return Err(SqlError::new(codes::ER_FAILED_READ_FROM_PAR_FILE, &[]));
    }
    if !partitioned {
        return Err(SqlError::new(codes::ER_PARTITION_MGMT_ON_NONPARTITIONED, &[]));
    }
    let def = session.engine.catalog.definition(db, name)?;
    if let Some(engine) = def.foreign_engine() {
        return Err(crate::failure::unknown_engine(engine));
    }
    let Some(partition) = &def.partition else { return Ok(None) };
    let by = clause_of(partition)?;
    match op {
        PartitionOp::Truncate(set) => {
            let numbers = files_to_empty(&def, set, name)?;
            super::truncate(session, (db, name), Some(&numbers)).map(Some)
        }
        PartitionOp::Drop { if_exists: true, names } => {
            drop_those_there(session, text, (db, name), by, names).map(Some)
        }
        PartitionOp::Add { if_not_exists: true, partitions } if one_there(&by, partitions).is_some() => {
            let there = one_there(&by, partitions).map(|p| &p.name);
            session.ctx.warnings.note(codes::ER_SAME_NAME_PARTITION, &[there.unwrap_or(&partitions[0].name)]);
            Ok(Some(nothing_done(1)))
        }
        PartitionOp::Reorganize { names, .. } if names.is_empty() && super::change::is_one_asked_for(&by) => {
            Ok(Some(nothing_done(0)))
        }
        PartitionOp::Drop { .. } => reshape(session, text, (db, name), by, op).map(Some),
        PartitionOp::Add { .. } if is_ordered(&by) => reshape(session, text, (db, name), by, op).map(Some),
        PartitionOp::Exchange { partition, table } => {
            exchange::exchange(session, &Whole { db, name, def: &def, by }, partition, table).map(Some)
        }
        PartitionOp::ConvertToTable { partition, table } => {
            exchange::to_table(session, text, &Whole { db, name, def: &def, by }, partition, table).map(Some)
        }
        PartitionOp::ConvertToPartition { table, .. } => {
            let whole = Whole { db, name, def: &def, by };
            exchange::to_partition(session, text, &whole, table, op).map(Some)
        }
        _ => Ok(None),
    }
}

/// What is said when there is nothing to do, beside so many notes.
fn nothing_done(notes: usize) -> Done {
    Done { info: format!("Records: 0  Duplicates: 0  Warnings: {notes}"), ..Done::default() }
}

/// The first of these that a table has already, by its name.
fn one_there<'p>(by: &PartitionBy, partitions: &'p [PartitionElement]) -> Option<&'p PartitionElement> {
    let own = names_of(by);
    partitions.iter().find(|p| own.iter().any(|(name, _)| same_name(name, &p.name)))
}

/// DROP PARTITION IF EXISTS: a note for each that is not there, the others go.
fn drop_those_there(
    session: &mut Session,
    text: &[u8],
    path: (&Arc<str>, &Arc<str>),
    by: PartitionBy,
    names: &[Name],
) -> SqlResult<Done> {
    let own = names_of(&by);
    let (there, missing): (Vec<Name>, Vec<Name>) =
        names.iter().cloned().partition(|name| own.iter().any(|(own, _)| same_name(own, name)));
    for _ in &missing {
        session.ctx.warnings.note(codes::ER_PARTITION_DOES_NOT_EXIST, &[]);
    }
    match there.is_empty() {
        true => Ok(nothing_done(missing.len())),
        false => reshape(session, text, path, by, &PartitionOp::Drop { if_exists: true, names: there }),
    }
}

/// The numbers of the files that TRUNCATE PARTITION empties.
///
/// # Errors
/// 1735 for a name that none has, 1567 for one that comes twice or is that of a subpartition.
fn files_to_empty(def: &TableDef, set: &PartitionSet, table: &str) -> SqlResult<Vec<usize>> {
    if let PartitionSet::Named(names) = set {
        let files = def.partition.as_ref().map_or(&[][..], |p| &p.files);
        for (n, name) in names.iter().enumerate() {
            let sub = |f: &schema::definition::PartitionFile| {
                f.subpartition.as_ref().is_some_and(|s| same_name(s, name))
            };
            if names[..n].iter().any(|o| same_name(o, name)) || files.iter().any(sub) {
                return Err(SqlError::new(codes::ER_WRONG_PARTITION_NAME, &[]));
            }
            if !files.iter().any(|f| same_name(&f.partition, name)) {
                return Err(SqlError::new(codes::ER_UNKNOWN_PARTITION, &[name, &table]));
            }
        }
    }
    files_of_set(def, set)
}

/// The numbers of the files of partitions or subpartitions.
///
/// # Errors
/// 1507.
pub(crate) fn files_of_set(def: &TableDef, set: &PartitionSet) -> SqlResult<Vec<usize>> {
    let files = def.partition.as_ref().map_or(&[][..], |p| &p.files);
    let PartitionSet::Named(names) = set else { return Ok((0..files.len()).collect()) };
    let mut found = Vec::new();
    for name in names {
        let of = |f: &schema::definition::PartitionFile| {
            same_name(&f.partition, name) || f.subpartition.as_ref().is_some_and(|s| same_name(s, name))
        };
        let before = found.len();
        found.extend(files.iter().enumerate().filter(|(_, f)| of(f)).map(|(n, _)| n));
        if found.len() == before {
            return Err(SqlError::new(codes::ER_PARTITION_DOES_NOT_EXIST, &[]));
        }
    }
    Ok(found)
}

/// Rows that REORGANIZE and REBUILD tell of: those of the partitions that they name.
pub(in crate::ddl) fn rows_told(table: &OpenTable, a: &AlterTable) -> Option<u64> {
    let set = match op_of(a)? {
        PartitionOp::Reorganize { names, .. } if names.is_empty() => PartitionSet::All,
        PartitionOp::Reorganize { names, .. } => PartitionSet::Named(names.clone()),
        PartitionOp::Rebuild(set) => set.clone(),
        _ => return None,
    };
    let numbers = files_of_set(table.def(), &set).ok()?;
    let parts = table.children()?.tables();
    let rows = |n: usize| parts.get(n).map_or(0, |t| t.state_of(&t.state()).records());
    Some(numbers.into_iter().map(rows).sum())
}

/// A file whose name is too long, as it is told of where partitions are added.
fn of_engine(e: SqlError) -> SqlError {
    match e.code {
        codes::ER_CANT_CREATE_TABLE => {
            let text = "Got error 36 \"File name too long\" from storage engine MyISAM";
            SqlError::with_message(codes::ER_GET_ERRNO, text)
        }
        _ => e,
    }
}

/// The definition with other partitions: those of the clause, as the statement changes it.
pub(in crate::ddl) fn redefined(
    session: &mut Session,
    text: &[u8],
    (db, name): (&str, &str),
    def: &TableDef,
    (mut by, op): (PartitionBy, Option<&PartitionOp>),
) -> SqlResult<TableDef> {
    let database = session.engine.catalog.database(db)?.collation;
    let settings = session.settings().clone();
    let mut plain = unpartitioned(def);
    plain.uuid = new_uuid();
    let mut d = DefinitionBuilder {
        enforced: None,
        engine: engine_of(&plain),
        ctx: &mut session.ctx,
        settings: &settings,
        text,
        table: name,
        db,
        collation: def.options.collation,
        database_collation: database,
        timestamp_seen: true,
        new_keys_from: 0,
    };
    if let Some(op) = op {
        d.check_new(&by, op)?;
        apply(&mut by, op)?;
    }
    d.partition(&mut plain, &by, def.partition.as_ref().map(|p| &*p.engine)).map_err(of_engine)?;
    Ok(plain)
}

/// The definition of the same table without partitions.
pub(in crate::ddl) fn unpartitioned(def: &TableDef) -> TableDef {
    let mut plain = definition_of_part(def, None);
    (plain.options.max_rows, plain.options.min_rows) = (def.options.max_rows, def.options.min_rows);
    plain
}

/// Adds and drops partitions of RANGE and LIST: others stay as they are.
fn reshape(
    session: &mut Session,
    text: &[u8],
    (db, name): (&Arc<str>, &Arc<str>),
    by: PartitionBy,
    op: &PartitionOp,
) -> SqlResult<Done> {
    let alone = session.exclusive_table(db, name)?;
    let old = Arc::clone(alone.table.def());
    let made = redefined(session, text, (db, name), &old, (by, Some(op)))
        .and_then(|def| plan(session, (db, name), &old, &def));
    let (plan, gone) = match made {
        Ok(made) => made,
        Err(e) => {
            session.give_back(alone);
            return Err(e);
        }
    };
    carry_out(session, alone, plan, &gone)?;
    Ok(Done { info: NO_ROWS.to_owned(), ..Done::default() })
}

/// The steps from one definition to another, and the numbers of the old one's files that go.
fn plan(
    session: &Session,
    (db, name): (&Arc<str>, &Arc<str>),
    old: &TableDef,
    def: &TableDef,
) -> SqlResult<(FilePlan, Vec<usize>)> {
    let files =
        |def: &TableDef| def.partition.iter().flat_map(|p| &p.files).map(|f| f.name.clone()).collect();
    let (before, after): (Vec<String>, Vec<String>) = (files(old), files(def));
    let gone: Vec<usize> = (0..before.len()).filter(|n| !after.contains(&before[*n])).collect();
    let failed = |e: EngineError| from_engine(&e, db, name);
    let plan = drop_parts(FilePlan::new(), (db, name), gone.iter().map(|n| before[*n].as_str()));
    let settings = crate::ddl::create_settings(session);
    let plan = new_parts(plan, def, settings, (db, name), |n| !before.contains(&after[n])).map_err(failed)?;
    let bytes = definition_bytes(def).map_err(failed)?;
    let plan = plan.create(definition_file(db, name), bytes);
    let list = def.partition.as_ref().map(schema::par::write).unwrap_or_default();
    Ok((plan.create(partition_file(db, name), list), gone))
}

/// Closes the table and carries out a plan after which some of its partitions are gone.
fn carry_out(
    session: &mut Session,
    mut alone: ExclusiveTable,
    plan: FilePlan,
    gone: &[usize],
) -> SqlResult<()> {
    let (db, name) = (Arc::clone(&alone.table.db), Arc::clone(&alone.table.name));
    let locked = alone.locked;
    let mut going = Vec::new();
    for (n, (_, guard)) in std::mem::take(&mut alone.parts).into_iter().enumerate() {
        match gone.contains(&n) {
            true => going.push(guard),
            false => session.with_wait_limit(&name, |wait_limit| guard.detach(wait_limit))?,
        }
    }
    alone.detach(session)?;
    session.engine.store().discard_all(going, plan).map_err(|e| from_pages(&e, &name))?;
    match locked {
        true => session.relock(&db, &name),
        false => Ok(()),
    }
}

/// Partitions the new definition of ALTER TABLE as the statement asks, or as the old one was; tells whether rows must be written anew
/// for it. `from` has the old column of each new one.
///
/// # Errors
/// Those of the clause.
pub(in crate::ddl) fn settle(
    d: &mut DefinitionBuilder<'_>,
    old: &TableDef,
    a: &AlterTable,
    (def, from): (&mut TableDef, &[Option<usize>]),
) -> SqlResult<bool> {
    let op = op_of(a);
    let mut by = match &old.partition {
        Some(partition) => Some(clause_of(partition)?),
        None => None,
    };
    let before = by.clone();
    match (op, &mut by) {
        (Some(PartitionOp::Remove), _) => return Ok(true),
        (Some(PartitionOp::By(new)), _) => by = Some(new.clone()),
        (Some(op), Some(by)) => {
            d.check_new(by, op)?;
            apply(by, op)?;
        }
        _ => {}
    }
    let Some(mut by) = by else { return Ok(false) };
    for (column, from) in def.columns.iter().zip(from) {
        if let Some(before) = from.map(|n| &old.columns[n].name).filter(|n| **n != column.name) {
            super::change::rename_column(&mut by, before, &column.name);
        }
    }
    let named = a.ops.iter().rev().find_map(|op| match op {
        AlterOp::Options(o) => o.engine.as_deref(),
        _ => None,
    });
    let kept = old.partition.as_ref().map(|p| &*p.engine);
    let named = match op {
        Some(PartitionOp::By(_)) => named,
        _ => kept,
    };
    if old.partition.is_none() {
        let o = &def.options;
        for (path, name) in [(&o.data_directory, "DATA DIRECTORY"), (&o.index_directory, "INDEX DIRECTORY")] {
            if path.is_some() {
                let text = format!("<{name}> table option of old schema is ignored");
                let e = SqlError::with_message(codes::WARN_OPTION_IGNORED, text);
                d.ctx.warnings.push_error(crate::warning::Level::Warning, &e);
            }
        }
    }
    d.partition(def, &by, named)
        .map_err(|e| if matches!(op, Some(PartitionOp::By(_))) { e } else { of_engine(e) })?;
    if let (Some(PartitionOp::Reorganize { names, into }), Some(before)) = (op, &before) {
        d.check_end(def, before, names, into)?;
    }
    Ok(op.is_some())
}

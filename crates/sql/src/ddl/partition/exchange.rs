//! EXCHANGE PARTITION, CONVERT PARTITION and CONVERT TABLE: files of rows that become those of another table.

use std::sync::Arc;

use pages::FilePlan;
use schema::definition::{TableDef, new_uuid};

use super::alter::{redefined, unpartitioned};
use super::change::{only_ordered, places};
use crate::ast::{AlterTable, Name, PartitionBy, PartitionOp, TableName};
use crate::catalog::engines::Stored;
use crate::ddl::alter::definitions_differ;
use crate::ddl::drop::{ExclusiveTable, QualifiedName};
use crate::ddl::folders;
use crate::error::{SqlError, SqlResult, codes};
use crate::failure::{from_pages, no_such_table};
use crate::names::same_name;
use crate::result::Done;
use crate::session::Session;
use crate::table::engine::{
    definition_bytes, definition_file, engine_of, has_partition_file, partition_file, remove_rows,
    rename_rows,
};
use crate::table::partition::routing::Routing;
use crate::table::partition::{definition_of_part, rows_of};
use crate::table::{EngineError, RowBuf, RowScratch, Scan, from_engine};
use crate::types::Batch;

/// The other table of the statement, whose name is held as well.
pub(in crate::ddl) fn other_table(a: &AlterTable) -> Option<&TableName> {
    match super::alter::op_of(a)? {
        PartitionOp::Exchange { table, .. }
        | PartitionOp::ConvertToTable { table, .. }
        | PartitionOp::ConvertToPartition { table, .. } => Some(table),
        _ => None,
    }
}

/// A partitioned table whose name the caller holds, and its clause.
pub(super) struct Whole<'a> {
    pub db: &'a Arc<str>,
    pub name: &'a Arc<str>,
    pub def: &'a TableDef,
    pub by: PartitionBy,
}

impl Whole<'_> {
    fn path(&self) -> QualifiedName {
        (Arc::clone(self.db), Arc::clone(self.name))
    }

    /// The number of the file of a partition that has no subpartitions, or of a subpartition.
    fn file(&self, name: &str) -> SqlResult<usize> {
        let files = self.def.partition.as_ref().map_or(&[][..], |p| &p.files);
        let of = |f: &schema::definition::PartitionFile| {
            same_name(f.subpartition.as_ref().unwrap_or(&f.partition), name)
        };
        if let Some(n) = files.iter().position(of) {
            return Ok(n);
        }
        match files.iter().any(|f| same_name(&f.partition, name)) {
            true => Err(SqlError::new(codes::ER_PARTITION_INSTEAD_OF_SUBPARTITION, &[])),
            false => Err(SqlError::new(codes::ER_UNKNOWN_PARTITION, &[&name, self.name])),
        }
    }

    fn base(&self, file: usize) -> std::path::PathBuf {
        let files = self.def.partition.as_ref().map_or(&[][..], |p| &p.files);
        rows_of(self.db, self.name, files.get(file).map_or("", |f| &f.name))
    }
}

/// A plain table that stands beside the partitioned one.
fn plain_table(
    session: &mut Session,
    whole: &Whole<'_>,
    table: &TableName,
) -> SqlResult<(QualifiedName, TableDef)> {
    let path = session.table_path(table)?;
    if path == whole.path() {
        return Err(SqlError::new(codes::ER_NONUNIQ_TABLE, &[&table.name]));
    }
    if session.temporary(&path.0, &path.1).is_some() {
        return Err(SqlError::new(codes::ER_PARTITION_EXCHANGE_TEMP_TABLE, &[&table.name]));
    }
    let engine = Arc::clone(&session.engine);
    if !engine.catalog.table_exists(&path.0, &path.1) {
        return Err(no_such_table(&path.0, &path.1));
    }
    if engine.catalog.writable(&path.0, &path.1)? == Stored::View {
        return Err(SqlError::new(codes::ER_WRONG_OBJECT, &[&path.0, &path.1, &"BASE TABLE"]));
    }
    if has_partition_file(engine.store(), &path.0, &path.1) {
        return Err(SqlError::new(codes::ER_PARTITION_EXCHANGE_PART_TABLE, &[&table.name]));
    }
    let def = engine.catalog.definition(&path.0, &path.1)?;
    if engine_of(&def).info().name != crate::table::engine::default().info().name {
        return Err(SqlError::new(codes::ER_MIX_HANDLER_ERROR, &[]));
    }
    Ok((path, def))
}

/// Whether files of one definition serve the other.
fn check_alike(part: &TableDef, table: &TableDef) -> SqlResult<()> {
    let differs = |what: &str| Err(SqlError::new(codes::ER_PARTITION_EXCHANGE_DIFFERENT_OPTION, &[&what]));
    let (a, b) = (&part.options, &table.options);
    if a.max_rows != b.max_rows {
        return differs("MAX_ROWS");
    }
    if a.min_rows != b.min_rows {
        return differs("MIN_ROWS");
    }
    if a.collation.charset.name != b.collation.charset.name {
        return differs("CHARACTER SET");
    }
    let same_folders = folders::same(&a.data_directory, &b.data_directory)
        && folders::same(&a.index_directory, &b.index_directory);
    let alike = same_folders
        && a.checksum == b.checksum
        && a.row_format == b.row_format
        && a.pack_keys == b.pack_keys
        && !definitions_differ(part, table);
    match alike {
        true => Ok(()),
        false => Err(SqlError::new(codes::ER_TABLES_DIFFERENT_METADATA, &[])),
    }
}

/// Holds both tables, in the order of their names.
fn hold(
    session: &mut Session,
    a: &QualifiedName,
    b: &QualifiedName,
) -> SqlResult<(ExclusiveTable, ExclusiveTable)> {
    let (first, second) = if a < b { (a, b) } else { (b, a) };
    let one = session.exclusive_table(&first.0, &first.1)?;
    let two = match session.exclusive_table(&second.0, &second.1) {
        Ok(two) => two,
        Err(e) => {
            session.give_back(one);
            return Err(e);
        }
    };
    Ok(if a < b { (one, two) } else { (two, one) })
}

/// Whether all rows of a table belong into one partition of another.
fn check_rows(
    session: &mut Session,
    whole: (&TableDef, &PartitionBy, &Arc<str>, &Arc<str>),
    file: usize,
    from: &mut ExclusiveTable,
) -> SqlResult<()> {
    let (def, by, db, name) = whole;
    let routing = Routing::compile(def, by, (db, name), &mut session.ctx)?.0;
    let connection = Arc::clone(&session.connection);
    let table = Arc::clone(&from.table);
    let source = &*from.guard.writer();
    let mut row = RowBuf::new(&table.format().layout);
    let (mut scan, mut scratch, mut batch) = (Scan::new(), RowScratch::new(), Batch::default());
    while let Some((_, view)) =
        scan.next(table.format(), source, &mut scratch).map_err(|e| table.error(&e))?
    {
        connection.check_killed()?;
        row.copy_from(&view);
        let placed = match routing.part(&row, &mut batch, &mut session.ctx) {
            Ok(n) => Some(n),
            Err(e) if e.code == codes::ER_NO_PARTITION_FOR_GIVEN_VALUE => None,
            Err(e) => return Err(e),
        };
        if placed != Some(file) {
            return Err(SqlError::new(codes::ER_ROW_DOES_NOT_MATCH_PARTITION, &[]));
        }
    }
    Ok(())
}

/// Closes both tables, whose rows are whole in their files then, and carries out a plan that moves files.
fn carry_out(
    session: &mut Session,
    (one, two): (ExclusiveTable, Option<ExclusiveTable>),
    plan: FilePlan,
    stays: &[bool],
) -> SqlResult<Done> {
    let mut again = Vec::new();
    let mut last = Arc::default();
    for (alone, stays) in std::iter::once(one).chain(two).zip(stays) {
        let path = (Arc::clone(&alone.table.db), Arc::clone(&alone.table.name));
        if alone.locked && *stays {
            again.push(path.clone());
        }
        last = Arc::clone(&path.1);
        alone.detach(session)?;
    }
    session.engine.store().apply(plan).map_err(|e| from_pages(&e, &last))?;
    for (db, name) in again {
        session.relock(&db, &name)?;
    }
    Ok(Done { info: "Records: 0  Duplicates: 0  Warnings: 0".to_owned(), ..Done::default() })
}

/// EXCHANGE PARTITION p WITH TABLE t.
///
/// # Errors
/// 1731-1737 and those of locks.
pub(super) fn exchange(
    session: &mut Session,
    whole: &Whole<'_>,
    partition: &Name,
    table: &TableName,
) -> SqlResult<Done> {
    let (path, def) = plain_table(session, whole, table)?;
    let file = whole.file(partition)?;
    let own = whole.def.partition.as_ref().and_then(|p| p.files.get(file));
    check_alike(&definition_of_part(whole.def, own), &def)?;
    let (one, mut two) = hold(session, &whole.path(), &path)?;
    if let Err(e) = check_rows(session, (whole.def, &whole.by, whole.db, whole.name), file, &mut two) {
        session.give_back(one);
        session.give_back(two);
        return Err(e);
    }
    let (part, plain) = (whole.base(file), engine_of(&def).rows(&path.0, &path.1));
    let between = engine_of(&def).rows(whole.db, &crate::ddl::scratch_table());
    let plan = rename_rows(FilePlan::new(), &plain, &between);
    let plan = rename_rows(rename_rows(plan, &part, &plain), &between, &part);
    carry_out(session, (one, Some(two)), plan, &[true, true]).map(|_| Done::default())
}

/// The files that say what the partitioned table is from now on.
fn with_definition(plan: FilePlan, whole: &Whole<'_>, def: &TableDef) -> SqlResult<FilePlan> {
    let failed = |e: EngineError| from_engine(&e, whole.db, whole.name);
    let bytes = definition_bytes(def).map_err(failed)?;
    let list = def.partition.as_ref().map(schema::par::write).unwrap_or_default();
    Ok(plan
        .create(definition_file(whole.db, whole.name), bytes)
        .create(partition_file(whole.db, whole.name), list))
}

/// CONVERT PARTITION p TO TABLE t.
///
/// # Errors
/// 1050, 1507, 1508, 1512, 4184.
pub(super) fn to_table(
    session: &mut Session,
    text: &[u8],
    whole: &Whole<'_>,
    partition: &Name,
    table: &TableName,
) -> SqlResult<Done> {
    let path = session.table_path(table)?;
    crate::names::check_new_table_name(&path.1)?;
    let engine = Arc::clone(&session.engine);
    let taken = |of_itself: bool| match engine.catalog.is_taken(&path.0, &path.1) {
        true if (path == whole.path()) == of_itself => {
            Err(SqlError::new(codes::ER_TABLE_EXISTS_ERROR, &[&path.1]))
        }
        _ => Ok(()),
    };
    taken(false)?;
    only_ordered(&whole.by, "CONVERT")?;
    if whole.by.partitions.len() == 1 {
        return Err(SqlError::new(codes::ER_DROP_LAST_PARTITION, &[]));
    }
    let gone = places(&whole.by, std::slice::from_ref(partition))?;
    check_convertible(whole)?;
    taken(true)?;
    engine.catalog.database(&path.0)?;
    let file = gone.first().copied().unwrap_or_default();
    let mut by = whole.by.clone();
    by.partitions.remove(file);
    by.count = None;
    let def = redefined(session, text, (whole.db, whole.name), whole.def, (by, None))?;
    let own = whole.def.partition.as_ref().and_then(|p| p.files.get(file));
    let mut plain = definition_of_part(whole.def, own);
    plain.uuid = new_uuid();
    let bytes = definition_bytes(&plain).map_err(|e| from_engine(&e, &path.0, &path.1))?;
    let to = engine_of(&plain).rows(&path.0, &path.1);
    let plan = rename_rows(FilePlan::new(), &whole.base(file), &to);
    let plan = with_definition(plan.create(definition_file(&path.0, &path.1), bytes), whole, &def)?;
    let one = session.exclusive_table(whole.db, whole.name)?;
    carry_out(session, (one, None), plan, &[true])
}

fn check_convertible(whole: &Whole<'_>) -> SqlResult<()> {
    match whole.by.sub {
        Some(_) => Err(SqlError::new(codes::ER_PARTITION_CONVERT_SUBPARTITIONED, &[])),
        None => Ok(()),
    }
}

/// CONVERT TABLE t TO PARTITION p.
///
/// # Errors
/// As EXCHANGE PARTITION and ADD PARTITION.
pub(super) fn to_partition(
    session: &mut Session,
    text: &[u8],
    whole: &Whole<'_>,
    table: &TableName,
    op: &PartitionOp,
) -> SqlResult<Done> {
    let (path, plain) = plain_table(session, whole, table)?;
    only_ordered(&whole.by, "CONVERT TABLE TO")?;
    let def = redefined(session, text, (whole.db, whole.name), whole.def, (whole.by.clone(), Some(op)))?;
    check_convertible(whole)?;
    let mut by = whole.by.clone();
    super::change::apply(&mut by, op)?;
    let file = by.partitions.len() - 1;
    let own = def.partition.as_ref().and_then(|p| p.files.get(file));
    check_alike(&definition_of_part(&unpartitioned(whole.def), own), &plain)?;
    let (one, mut two) = hold(session, &whole.path(), &path)?;
    let checked = check_rows(session, (&def, &by, whole.db, whole.name), file, &mut two);
    let to = rows_of(whole.db, whole.name, own.map_or("", |f| &f.name));
    let plan = rename_rows(remove_rows(FilePlan::new(), &to), &engine_of(&plain).rows(&path.0, &path.1), &to);
    let plan = plan.remove(definition_file(&path.0, &path.1));
    match checked.and_then(|()| with_definition(plan, whole, &def)) {
        Ok(plan) => carry_out(session, (one, Some(two)), plan, &[true, false]),
        Err(e) => {
            session.give_back(one);
            session.give_back(two);
            Err(e)
        }
    }
}

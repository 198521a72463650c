//! Storage engines: who keeps the rows of tables, where, and what their tables can do.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isam::myi::Header;
use isam::table::{base_path, with_extension};
use isam::{CrashMarks, CreateSettings, Limit};
use pages::{FilePlan, MEMORY_FOLDER, Store};
use schema::definition::{KeyAlgorithm, KeyDef, TableDef};
use schema::frm;

use super::{EngineError, StoredTable};

/// What SHOW ENGINES says of an engine.
pub struct EngineInfo {
    /// Name as printed.
    pub name: &'static str,
    /// YES, NO or DEFAULT.
    pub support: &'static str,
    /// Description.
    pub comment: &'static str,
    /// Whether it is said to know transactions and savepoints.
    pub transactions: bool,
}

/// What an engine's tables can do, and how large their parts may be.
pub struct Capabilities {
    /// Longest key in bytes.
    pub max_key_length: u32,
    /// FULLTEXT keys.
    pub fulltext: bool,
    /// SPATIAL keys, and columns of geometries.
    pub geometry: bool,
    /// UNIQUE over values longer than a key, by their hashes.
    pub long_unique: bool,
    /// AUTO_INCREMENT counts in groups: its column need not lead a key.
    pub auto_increment_in_groups: bool,
    /// Columns that a key holds can be read from it without the row.
    pub reads_from_keys: bool,
    /// CHECK, REPAIR, ANALYZE, OPTIMIZE and DISABLE KEYS.
    pub maintenance: bool,
    /// Rows are there after a restart.
    pub durable: bool,
}

/// How the entries of a key can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// By leading parts, by ranges, and in order.
    Ordered,
    /// By values of all its parts.
    Hashed,
}

/// Rows that a value of a hashed key is taken to have, as in the reference server, when it is not unique.
pub const HASHED_ROWS: u64 = 2;

/// An engine of tables whose rows and keys lie in pages.
pub trait StorageEngine: Sync {
    /// What SHOW ENGINES says of it.
    fn info(&self) -> &'static EngineInfo;

    /// What its tables can do.
    fn can(&self) -> &'static Capabilities;

    /// Where the rows of a table lie: a path without extension, relative to the data directory.
    fn rows(&self, db: &str, name: &str) -> PathBuf;

    /// How the entries of a key can be found.
    fn key_order(&self, key: &KeyDef) -> KeyOrder;

    /// Opens a table.
    ///
    /// # Errors
    /// Those of its files.
    fn open(
        &self,
        store: &Arc<Store>,
        path: (&str, &str),
        def: Arc<TableDef>,
        settings: &OpenSettings,
    ) -> Result<Arc<StoredTable>, EngineError>;
}

/// What matters when a table is opened.
#[derive(Clone, Copy, Debug)]
pub struct OpenSettings {
    /// How tables are laid out that are made now.
    pub create: CreateSettings,
    /// What marks of a crash do.
    pub marks: CrashMarks,
}

/// MyISAM.
struct MyIsam;

/// MEMORY: the same rows and keys in a folder that is no place on the disk.
struct Memory;

impl StorageEngine for MyIsam {
    fn info(&self) -> &'static EngineInfo {
        &EngineInfo {
            name: "MyISAM",
            support: "DEFAULT",
            comment: "Non-transactional engine with good performance and small data footprint",
            transactions: false,
        }
    }

    fn can(&self) -> &'static Capabilities {
        &Capabilities {
            max_key_length: 1000,
            fulltext: true,
            geometry: true,
            long_unique: true,
            auto_increment_in_groups: true,
            reads_from_keys: true,
            maintenance: true,
            durable: true,
        }
    }

    fn rows(&self, db: &str, name: &str) -> PathBuf {
        base_path(db, name)
    }

    fn key_order(&self, _key: &KeyDef) -> KeyOrder {
        KeyOrder::Ordered
    }

    fn open(
        &self,
        store: &Arc<Store>,
        (db, name): (&str, &str),
        def: Arc<TableDef>,
        settings: &OpenSettings,
    ) -> Result<Arc<StoredTable>, EngineError> {
        StoredTable::open_with(store, db, name, def, settings.marks)
    }
}

/// Bytes by which a table in memory grows, for MAX_ROWS: as many rows more than it says may come as begin in the last of them.
const MEMORY_STEP: u64 = 4 << 10;

impl StorageEngine for Memory {
    fn info(&self) -> &'static EngineInfo {
        &EngineInfo {
            name: "MEMORY",
            support: "YES",
            comment: "Hash based, stored in memory, useful for temporary tables",
            transactions: false,
        }
    }

    fn can(&self) -> &'static Capabilities {
        &Capabilities {
            max_key_length: 3072,
            fulltext: false,
            geometry: false,
            long_unique: false,
            auto_increment_in_groups: false,
            reads_from_keys: false,
            maintenance: false,
            durable: false,
        }
    }

    fn rows(&self, db: &str, name: &str) -> PathBuf {
        in_memory(&base_path(db, name))
    }

    fn key_order(&self, key: &KeyDef) -> KeyOrder {
        if key.algorithm == KeyAlgorithm::Btree { KeyOrder::Ordered } else { KeyOrder::Hashed }
    }

    fn open(
        &self,
        store: &Arc<Store>,
        (db, name): (&str, &str),
        def: Arc<TableDef>,
        settings: &OpenSettings,
    ) -> Result<Arc<StoredTable>, EngineError> {
        let base = self.rows(db, name);
        let index = store.datadir().join(with_extension(&base, "MYI"));
        let found = store.storage().identity(&index).map_err(|e| pages::Error::io(&index, "stat", e))?;
        if found.is_none() {
            // Since the start nobody has asked for it: it begins empty.
            let (plan, _) = StoredTable::new_files(&def, settings.create, FilePlan::new(), &base, false)?;
            store.apply(plan)?;
        }
        let row = u64::from(def.layout().reclength).max(1);
        let step = (MEMORY_STEP / row).max(1);
        let rows = match def.options.max_rows {
            0 => u64::MAX,
            n => n.div_ceil(step).saturating_mul(step),
        };
        let limit = |head: &Header| Some(Limit { bytes: head.base.max_data_file_length, rows });
        StoredTable::open_at(store, base, def, CrashMarks::Accept, limit)
    }
}

/// The name of the engine of MERGE tables.
pub(super) const MERGE: &str = "MRG_MyISAM";

/// Of tables that are made of other tables of MyISAM.
const OVER_OTHERS: Capabilities = Capabilities {
    max_key_length: 1000,
    fulltext: false,
    geometry: false,
    long_unique: true,
    auto_increment_in_groups: true,
    reads_from_keys: true,
    maintenance: false,
    durable: false,
};

/// MERGE: tables that show the rows of others. What they have of their own is empty and lies in memory.
struct Merge;

impl StorageEngine for Merge {
    fn info(&self) -> &'static EngineInfo {
        &EngineInfo {
            name: MERGE,
            support: "YES",
            comment: "Collection of identical MyISAM tables",
            transactions: false,
        }
    }

    fn can(&self) -> &'static Capabilities {
        &OVER_OTHERS
    }

    fn rows(&self, db: &str, name: &str) -> PathBuf {
        in_memory(&base_path(db, name))
    }

    fn key_order(&self, _key: &KeyDef) -> KeyOrder {
        KeyOrder::Ordered
    }

    fn open(
        &self,
        store: &Arc<Store>,
        (db, name): (&str, &str),
        def: Arc<TableDef>,
        settings: &OpenSettings,
    ) -> Result<Arc<StoredTable>, EngineError> {
        let base = engine_of(&def).rows(db, name);
        let (plan, _) = StoredTable::new_files(&def, settings.create, FilePlan::new(), &base, false)?;
        if store.attached(&base).is_none() {
            // the definition may be another one than when it was open last
            store.apply(remove_rows(FilePlan::new(), &base))?;
            store.apply(plan)?;
        }
        StoredTable::open_at(store, base, def, CrashMarks::Accept, |_| None)
    }
}

/// Partitioned tables: what they have of their own is empty and lies in memory.
struct Partitioned;

/// The name of the engine of partitioned tables in definitions.
pub(crate) const PARTITION: &str = "partition";

impl StorageEngine for Partitioned {
    fn info(&self) -> &'static EngineInfo {
        &EngineInfo {
            name: PARTITION,
            support: "YES",
            comment: "Partition Storage Engine Helper",
            transactions: false,
        }
    }

    fn can(&self) -> &'static Capabilities {
        &Capabilities { maintenance: true, durable: true, ..OVER_OTHERS }
    }

    fn rows(&self, db: &str, name: &str) -> PathBuf {
        Merge.rows(db, name)
    }

    fn key_order(&self, key: &KeyDef) -> KeyOrder {
        Merge.key_order(key)
    }

    fn open(
        &self,
        store: &Arc<Store>,
        path: (&str, &str),
        def: Arc<TableDef>,
        settings: &OpenSettings,
    ) -> Result<Arc<StoredTable>, EngineError> {
        Merge.open(store, path, def, settings)
    }
}

/// The file that lists the files of a partitioned table, relative to the data directory.
#[must_use]
pub fn partition_file(db: &str, name: &str) -> PathBuf {
    with_extension(&base_path(db, name), "par")
}

/// Longest name of a file.
pub(crate) const MAX_FILE_NAME: usize = 255;

/// Whether a table has a list of files of partitions.
#[must_use]
pub fn has_partition_file(store: &Store, db: &str, name: &str) -> bool {
    let path = store.datadir().join(partition_file(db, name));
    store.storage().identity(&path).is_ok_and(|found| found.is_some())
}

/// The names of the files of partitions of a table, as its list has them; none of a table without.
fn partition_files(store: &Store, db: &str, name: &str) -> Vec<String> {
    let bytes = isam::table::read_file(store, &partition_file(db, name), schema::par::MAX_FILE);
    bytes.ok().flatten().and_then(|bytes| schema::par::read(&bytes)).unwrap_or_default()
}

/// The file that says which tables a MERGE table stands for, relative to the data directory.
#[must_use]
pub fn merge_file(db: &str, name: &str) -> PathBuf {
    with_extension(&base_path(db, name), "MRG")
}

/// Reads what the definition of a MERGE table does not say.
fn complete_merge(store: &Store, (db, name): (&str, &str), def: &mut TableDef) -> Result<(), EngineError> {
    let path = merge_file(db, name);
    let bytes = isam::table::read_file(store, &path, schema::mrg::MAX_FILE)?;
    let bytes = bytes.ok_or(EngineError::MissingFile { path })?;
    schema::mrg::read(&bytes, db, &mut def.options);
    Ok(())
}

fn in_memory(base: &Path) -> PathBuf {
    Path::new(MEMORY_FOLDER).join(base)
}

/// All engines of tables that have a definition of their own.
pub static ENGINES: &[&dyn StorageEngine] = &[&MyIsam, &Memory, &Merge];

/// The engine that stands in for those that are not here.
#[must_use]
pub fn default() -> &'static dyn StorageEngine {
    &MyIsam
}

/// The engine of that name, in its usual spelling.
#[must_use]
pub fn engine_named(name: &str) -> Option<&'static dyn StorageEngine> {
    ENGINES.iter().copied().find(|engine| engine.info().name.eq_ignore_ascii_case(name))
}

/// The engine of a table. One of another server's engine is opened by nobody; it is asked what MyISAM can.
#[must_use]
pub fn engine_of(def: &TableDef) -> &'static dyn StorageEngine {
    if super::partition::is_partitioned(def) {
        return &Partitioned;
    }
    engine_named(&def.options.engine).unwrap_or(&MyIsam)
}

/// The definition of a table or view, from its `.frm`.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn read_definition(store: &Store, db: &str, name: &str) -> Result<frm::Frm, EngineError> {
    let mut found = StoredTable::read_definition(store, db, name)?;
    if let frm::Frm::Table(def) = &mut found
        && super::merge::is_merge(def)
    {
        complete_merge(store, (db, name), def)?;
    }
    if let frm::Frm::Table(def) = &mut found {
        super::partition::complete(def);
        if engine_of(def).info().name == MyIsam.info().name {
            isam::table::find_folders(store, &base_path(db, name), def)?;
        }
    }
    Ok(found)
}

/// Opens a table by its definition file.
///
/// # Errors
/// When there is none; those of its engine's files.
pub fn open(
    store: &Arc<Store>,
    db: &str,
    name: &str,
    settings: &OpenSettings,
) -> Result<Arc<StoredTable>, EngineError> {
    match read_definition(store, db, name)? {
        frm::Frm::Table(def) => {
            if let Some(engine) = def.foreign_engine() {
                return Err(EngineError::ForeignEngine { engine: engine.to_owned() });
            }
            // the definition has the list of partitions as well; other programs need the file
            if def.partition.is_some() && !has_partition_file(store, db, name) {
                return Err(EngineError::MissingFile { path: partition_file(db, name) });
            }
            engine_of(&def).open(store, (db, name), Arc::new(*def), settings)
        }
        frm::Frm::View(_) => Err(EngineError::Unsupported { what: "views" }),
    }
}

/// The bytes of a table's `.frm`.
///
/// # Errors
/// When the definition cannot be stored.
pub fn definition_bytes(def: &TableDef) -> Result<Vec<u8>, EngineError> {
    frm::write(def).map_err(|_| match def.partition {
        Some(_) => EngineError::PartitionsTooLarge,
        None => EngineError::DefinitionTooLarge,
    })
}

/// Adds the files of a new, empty table to a plan.
///
/// # Errors
/// When the definition cannot be stored.
pub fn new_files(
    plan: FilePlan,
    def: &TableDef,
    settings: CreateSettings,
    (db, name): (&str, &str),
) -> Result<FilePlan, EngineError> {
    let bytes = definition_bytes(def)?;
    let mut plan = plan.create(definition_file(db, name), bytes);
    if super::merge::is_merge(def) {
        plan = plan.create(merge_file(db, name), schema::mrg::write(&def.options));
    }
    if let Some(partition) = &def.partition {
        plan = plan.create(partition_file(db, name), schema::par::write(partition));
        plan = new_parts(plan, def, settings, (db, name), |_| true)?;
    }
    Ok(StoredTable::new_files(def, settings, plan, &engine_of(def).rows(db, name), false)?.0)
}

/// Adds new, empty files of those partitions that are `wanted`, by their numbers.
///
/// # Errors
/// As [`new_files`].
pub(crate) fn new_parts(
    plan: FilePlan,
    def: &TableDef,
    settings: CreateSettings,
    (db, name): (&str, &str),
    wanted: impl Fn(usize) -> bool,
) -> Result<FilePlan, EngineError> {
    let files = def.partition.iter().flat_map(|p| &p.files).enumerate().filter(|(n, _)| wanted(*n));
    let mut plan = plan;
    for (_, file) in files {
        let own = super::partition::definition_of_part(def, Some(file));
        let base = super::partition::rows_of(db, name, &file.name);
        plan = StoredTable::new_files(&own, settings, plan, &base, false)?.0;
    }
    Ok(plan)
}

/// Removes the files of these partitions.
pub(crate) fn drop_parts<'f>(
    plan: FilePlan,
    (db, name): (&str, &str),
    files: impl Iterator<Item = &'f str>,
) -> FilePlan {
    files.fold(plan, |plan, file| remove_rows(plan, &super::partition::rows_of(db, name, file)))
}

/// Adds new files without rows to a plan, for a definition that stays: what is there of old ones goes.
///
/// # Errors
/// When the definition asks for what the engine cannot store.
pub fn empty_files(
    plan: FilePlan,
    def: &TableDef,
    settings: CreateSettings,
    (db, name): (&str, &str),
) -> Result<FilePlan, EngineError> {
    let base = engine_of(def).rows(db, name);
    Ok(StoredTable::new_files(def, settings, remove_rows(plan, &base), &base, false)?.0)
}

/// Whether it is known how a long unique key is stored.
#[must_use]
pub fn can_store_hash(def: &TableDef, key: &KeyDef) -> bool {
    isam::key::long_hash::LongHash::new(def, key).is_known()
}

/// Makes the files of a new, empty table.
///
/// # Errors
/// As [`new_files`]; those of the disk.
pub fn create(
    store: &Arc<Store>,
    db: &str,
    name: &str,
    def: &TableDef,
    settings: CreateSettings,
) -> Result<(), EngineError> {
    store.apply(new_files(FilePlan::new(), def, settings, (db, name))?)?;
    Ok(())
}

/// The path of a definition, relative to the data directory.
#[must_use]
pub fn definition_file(db: &str, name: &str) -> PathBuf {
    with_extension(&base_path(db, name), "frm")
}

/// The paths of the files that have a table's keys and its rows, relative to the data directory.
#[must_use]
pub fn row_files(engine: &dyn StorageEngine, (db, name): (&str, &str)) -> (PathBuf, PathBuf) {
    let base = engine.rows(db, name);
    (with_extension(&base, "MYI"), with_extension(&base, "MYD"))
}

/// Removes a table, wherever its rows lie.
#[must_use]
pub fn drop_files(plan: FilePlan, store: &Store, db: &str, name: &str) -> FilePlan {
    let parts = partition_files(store, db, name);
    let plan = drop_parts(plan, (db, name), parts.iter().map(String::as_str));
    let plan = plan.remove(partition_file(db, name)).remove(merge_file(db, name));
    drop_memory(StoredTable::drop_files(plan, db, name), db, name)
}

/// Removes what of a table lies in memory, if anything does: its database's folder goes as a whole.
#[must_use]
pub fn drop_memory(plan: FilePlan, db: &str, name: &str) -> FilePlan {
    remove_rows(plan, &in_memory(&base_path(db, name)))
}

/// Removes the files of rows at a place.
pub(crate) fn remove_rows(plan: FilePlan, base: &Path) -> FilePlan {
    plan.remove(with_extension(base, "MYI")).remove(with_extension(base, "MYD"))
}

/// Gives a table of this definition another name.
#[must_use]
pub fn rename_files(plan: FilePlan, def: &TableDef, from: (&str, &str), to: (&str, &str)) -> FilePlan {
    let engine = engine_of(def);
    let mut plan = rename_rows(plan, &engine.rows(from.0, from.1), &engine.rows(to.0, to.1));
    if engine.info().name == MERGE {
        plan = plan.rename(merge_file(from.0, from.1), merge_file(to.0, to.1));
    }
    if let Some(partition) = &def.partition {
        plan = plan.rename(partition_file(from.0, from.1), partition_file(to.0, to.1));
        for file in &partition.files {
            let base = |(db, name): (&str, &str)| super::partition::rows_of(db, name, &file.name);
            plan = rename_rows(plan, &base(from), &base(to));
        }
    }
    rename_definition(plan, from, to)
}

/// Gives files of rows another place.
pub(crate) fn rename_rows(plan: FilePlan, from: &Path, to: &Path) -> FilePlan {
    plan.rename(with_extension(from, "MYI"), with_extension(to, "MYI"))
        .rename(with_extension(from, "MYD"), with_extension(to, "MYD"))
}

/// Gives a definition without rows of its own, such as a view's, another name.
#[must_use]
pub fn rename_definition(plan: FilePlan, from: (&str, &str), to: (&str, &str)) -> FilePlan {
    plan.rename(definition_file(from.0, from.1), definition_file(to.0, to.1))
}

/// Puts the table that was built under the name `beside` in the place of the table `to`, which may be of another engine.
#[must_use]
pub fn exchange_files(
    plan: FilePlan,
    store: &Store,
    built: &TableDef,
    beside: (&str, &str),
    to: (&str, &str),
) -> FilePlan {
    let engine = engine_of(built);
    let old = partition_files(store, to.0, to.1);
    let mut plan = drop_parts(plan, to, old.iter().map(String::as_str));
    if built.partition.is_none() {
        plan = plan.remove(partition_file(to.0, to.1));
    }
    for other in ENGINES.iter().filter(|other| other.info().name != engine.info().name) {
        plan = remove_rows(plan, &other.rows(to.0, to.1));
    }
    if engine.info().name != MERGE {
        plan = plan.remove(merge_file(to.0, to.1));
    }
    rename_files(plan, built, beside, to)
}

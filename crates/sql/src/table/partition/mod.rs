//! Partitioned tables: a definition, and files of MyISAM for each partition. Rows and keys are read as those of MERGE tables are
//! ([`super::merge`]); which partition a row belongs to is found by [`routing`].

pub(crate) mod routing;

use std::path::PathBuf;
use std::sync::Arc;

use isam::CrashMarks;
use isam::table::base_path;
use pages::Store;
use schema::definition::{PartitionDef, PartitionFile, TableDef};
use schema::file_name;

use super::merge::Children;
use super::{EngineError, OpenTable, StoredTable};
use crate::ast::{self, PartitionBy, PartitionElement};
use crate::error::{SqlError, SqlResult, codes};

/// Most partitions of a table, subpartitions among them.
pub(crate) const MOST: u64 = 8192;

/// What stands between the name of a table and that of a partition in the names of open partitions: no name of a table has it.
const MARK: char = '\0';

/// Whether a table is partitioned, by its definition.
#[must_use]
pub fn is_partitioned(def: &TableDef) -> bool {
    def.partition.is_some()
}

/// The clause of a definition as a tree.
///
/// # Errors
/// 1064 for a damaged definition, 1235 for ways of partitioning that are unknown.
pub(crate) fn clause_of(def: &PartitionDef) -> SqlResult<PartitionBy> {
    crate::parse::parse_partition_by(def.clause.as_bytes(), &crate::parse::Options::default())
}

/// Partitions that have no names of their own are called so.
pub(crate) fn default_name(n: usize) -> String {
    format!("p{n}")
}

/// Subpartitions of a partition that have no names of their own are called so.
pub(crate) fn default_sub_name(partition: &str, n: usize) -> String {
    format!("{partition}sp{n}")
}

/// The names of the partitions, and of the subpartitions of each: none without SUBPARTITION BY.
pub(crate) fn names_of(by: &PartitionBy) -> Vec<(String, Vec<String>)> {
    let subs = by.sub.as_ref().map(|s| s.count.unwrap_or(1) as usize);
    let with_subs = |name: String, element: Option<&PartitionElement>| {
        let named = element.map_or(&[][..], |e| &e.subpartitions);
        let subs = match subs {
            None => Vec::new(),
            Some(_) if !named.is_empty() => named.iter().map(|s| s.name.to_string()).collect(),
            Some(n) => (0..n).map(|i| default_sub_name(&name, i)).collect(),
        };
        (name, subs)
    };
    if by.partitions.is_empty() {
        let count = by.count.unwrap_or(1) as usize;
        return (0..count).map(|n| with_subs(default_name(n), None)).collect();
    }
    by.partitions.iter().map(|e| with_subs(e.name.to_string(), Some(e))).collect()
}

/// The files with rows, in the order of the partitions, and CONNECTION of each partition.
pub(crate) fn files_of(by: &PartitionBy) -> (Vec<PartitionFile>, Vec<String>) {
    let mut files = Vec::new();
    let mut connections = Vec::new();
    for (n, (partition, subs)) in names_of(by).into_iter().enumerate() {
        let element = by.partitions.get(n);
        let options = element.map(|e| &e.options);
        let name = file_name::encode(&partition);
        let rows = |o: Option<&ast::PartitionOptions>| {
            let of = |f: fn(&ast::PartitionOptions) -> Option<u64>| o.and_then(f).unwrap_or(0);
            (of(|o| o.max_rows), of(|o| o.min_rows))
        };
        let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
        // a subpartition lies where its partition does, unless it says where
        let folder = |own: Option<&ast::PartitionOptions>,
                      of: fn(&ast::PartitionOptions) -> Option<&[u8]>| {
            own.and_then(of).or_else(|| options.and_then(of)).map(text)
        };
        let folders = |own: Option<&ast::PartitionOptions>| {
            (folder(own, |o| o.data_directory.as_deref()), folder(own, |o| o.index_directory.as_deref()))
        };
        let connection = options.and_then(|o| o.connection.as_deref()).unwrap_or_default();
        connections.push(String::from_utf8_lossy(connection).into_owned());
        if subs.is_empty() {
            let (max_rows, min_rows) = rows(options);
            let (data_directory, index_directory) = folders(None);
            files.push(PartitionFile {
                name,
                partition,
                subpartition: None,
                max_rows,
                min_rows,
                data_directory,
                index_directory,
            });
            continue;
        }
        for (i, sub) in subs.into_iter().enumerate() {
            let own = element.and_then(|e| e.subpartitions.get(i)).map(|s| &s.options);
            let (max_rows, min_rows) = rows(own.or(options));
            let (data_directory, index_directory) = folders(own);
            files.push(PartitionFile {
                name: format!("{name}#SP#{}", file_name::encode(&sub)),
                partition: partition.clone(),
                subpartition: Some(sub),
                max_rows,
                min_rows,
                data_directory,
                index_directory,
            });
        }
    }
    (files, connections)
}

/// Finds out which files a table that was read from its definition has; one whose clause is unknown keeps none and is not served.
pub(crate) fn complete(def: &mut TableDef) {
    let Some(partition) = &mut def.partition else { return };
    let known = clause_of(partition).map(|by| files_of(&by));
    match known {
        Ok((files, connections)) => (partition.files, partition.connections) = (files, connections),
        Err(e) => tracing::warn!("partitions: {}", e.message),
    }
}

/// Where the rows of a partition lie: a path without extension, relative to the data directory.
#[must_use]
pub(crate) fn rows_of(db: &str, name: &str, file: &str) -> PathBuf {
    let mut path = base_path(db, name).into_os_string();
    path.push("#P#");
    path.push(file);
    PathBuf::from(path)
}

/// Whether the file system has room for the names of a partition's files.
pub(crate) fn fits_file(path: &std::path::Path) -> bool {
    path.file_name().is_none_or(|name| name.len() + ".MYI".len() <= super::engine::MAX_FILE_NAME)
}

/// A table moves with its partitions, whose files get longer names than its own.
///
/// # Errors
/// 7 for the first whose name is too long.
pub(crate) fn check_moved_files(
    def: &TableDef,
    from: &(Arc<str>, Arc<str>),
    to: &(Arc<str>, Arc<str>),
) -> SqlResult<()> {
    for file in def.partition.iter().flat_map(|p| &p.files) {
        let moved = rows_of(&to.0, &to.1, &file.name);
        if !fits_file(&moved) {
            let text = format!(
                "Error on rename of './{}.MYI' to './{}.MYI' (Errcode: 36 \"File name too long\")",
                rows_of(&from.0, &from.1, &file.name).display(),
                moved.display()
            );
            return Err(SqlError::with_message(7, text));
        }
    }
    Ok(())
}

/// The definition of the tables under a partitioned table.
pub(crate) fn definition_of_part(def: &TableDef, file: Option<&PartitionFile>) -> TableDef {
    let mut own = def.clone();
    own.options.engine = super::engine::default().info().name.to_owned();
    own.options.max_rows = file.map_or(0, |f| f.max_rows);
    own.options.min_rows = file.map_or(0, |f| f.min_rows);
    own.options.data_directory = file.and_then(|f| f.data_directory.clone());
    own.options.index_directory = file.and_then(|f| f.index_directory.clone());
    own.partition = None;
    own
}

/// The name of an open partition.
fn part_name(name: &str, file: &str) -> String {
    format!("{name}{MARK}#P#{file}")
}

/// The table that an open partition of this name belongs to.
pub(crate) fn table_of_part(name: &str) -> Option<&str> {
    name.split_once(MARK).map(|(table, _)| table)
}

/// A name as messages have it.
pub(crate) fn shown_name(name: &str) -> std::borrow::Cow<'_, str> {
    if name.contains(MARK) { name.replace(MARK, "").into() } else { name.into() }
}

/// The names under which the partitions of a table are open.
pub(crate) fn part_names<'d>(def: &'d TableDef, name: &'d str) -> impl Iterator<Item = String> + 'd {
    def.partition.iter().flat_map(|p| &p.files).map(move |f| part_name(name, &f.name))
}

/// Opens the tables under a partitioned table whose own files are at the path `(db, name)`.
///
/// # Errors
/// Those of their files.
pub(crate) fn open_stored(
    store: &Arc<Store>,
    (db, name): (&str, &str),
    def: &TableDef,
    marks: CrashMarks,
) -> Result<Vec<Arc<StoredTable>>, (String, EngineError)> {
    let own = Arc::new(definition_of_part(def, None));
    let files = def.partition.iter().flat_map(|p| &p.files);
    let open = |file: &PartitionFile| {
        let base = rows_of(db, name, &file.name);
        let mut own = Arc::clone(&own);
        let folders = (file.data_directory.is_some() || file.index_directory.is_some())
            .then(|| isam::table::find_folders(store, &base, Arc::make_mut(&mut own)));
        folders
            .unwrap_or(Ok(()))
            .and_then(|()| StoredTable::open_at(store, base, own, marks, |_| None))
            .map_err(|e| (part_name(name, &file.name), e))
    };
    files.map(open).collect()
}

impl OpenTable {
    /// The same table over its partitions, when it has any.
    ///
    /// # Errors
    /// Those of their files.
    pub(crate) fn over_partitions(self, store: &Arc<Store>, marks: CrashMarks) -> SqlResult<OpenTable> {
        if !is_partitioned(self.def()) {
            return Ok(self);
        }
        let stored = open_stored(store, (&self.db, &self.name), self.def(), marks)
            .map_err(|(name, e)| super::from_engine(&e, &self.db, &shown_name(&name)))?;
        let names: Vec<String> = part_names(self.def(), &self.name).collect();
        let tables = stored.into_iter().zip(names).map(|(stored, name)| {
            Arc::new(OpenTable::of_table(Arc::clone(&self.db), Arc::from(name), stored, self.temporary))
        });
        let children = Children::of_partitions(tables.collect());
        Ok(self.over(children))
    }

    /// The same table with the partitions alone that PARTITION (...) names.
    ///
    /// # Errors
    /// As [`OpenTable::partitions_named`].
    pub(crate) fn of_partitions(self: &Arc<OpenTable>, names: &[ast::Name]) -> SqlResult<Arc<OpenTable>> {
        Ok(self.with_partitions(self.partitions_named(names)?))
    }

    /// The partitions that PARTITION (...) names, by their numbers in ascending order.
    ///
    /// # Errors
    /// 1747 for a table without partitions, 1735 for a name that none has.
    pub(crate) fn partitions_named(&self, names: &[ast::Name]) -> SqlResult<Vec<usize>> {
        let Some(partition) = &self.def().partition else {
            return Err(SqlError::new(codes::ER_PARTITION_CLAUSE_ON_NONPARTITIONED, &[]));
        };
        let mut found = Vec::new();
        for name in names {
            let before = found.len();
            for (n, file) in partition.files.iter().enumerate() {
                let own = crate::names::same_name(&file.partition, name);
                let sub = file.subpartition.as_ref().is_some_and(|s| crate::names::same_name(s, name));
                if own || sub {
                    found.push(n);
                }
            }
            if found.len() == before {
                return Err(SqlError::new(codes::ER_UNKNOWN_PARTITION, &[name, &self.name]));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

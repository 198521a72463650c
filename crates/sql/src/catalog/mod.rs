//! Databases, tables and what is known about them.

pub mod database;
pub mod engines;
pub mod readable;
pub mod view;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pages::Store;
use parking_lot::RwLock;
use schema::frm::Frm;

pub use database::Database;

use crate::error::{SqlError, SqlResult, codes};
use crate::locks::Waiter;
use crate::locks::names::{MetadataLocks, Mode};
use crate::table::engine::{merge_file, read_definition};
use crate::table::myisam::{CrashMarks, CreateSettings};
use crate::table::{OpenTable, engine, merge, partition};
use crate::variables::GlobalVariables;

type Key = (Arc<str>, Arc<str>);

/// How tables are laid out that are made now, as the global variables say.
pub(crate) fn create_settings(variables: &GlobalVariables) -> CreateSettings {
    CreateSettings {
        data_pointer_size: variables.named("myisam_data_pointer_size").as_u64() as u8,
        block_size: variables.named("myisam_block_size").as_u64() as u16,
        memory: variables.named("max_heap_table_size").as_u64(),
    }
}

/// The databases of a data directory and the tables that are open.
pub struct Catalog {
    datadir: PathBuf,
    store: Arc<Store>,
    variables: Arc<GlobalVariables>,
    databases: RwLock<HashMap<String, Arc<Database>>>,
    tables: RwLock<HashMap<Key, Arc<OpenTable>>>,
    /// Names that are held against others.
    pub(crate) names: Arc<MetadataLocks>,
    /// Opens since the start.
    opened: AtomicU64,
    versions: AtomicU64,
    views: view::ViewCache,
}

impl Catalog {
    /// The catalog of a data directory.
    pub fn new(datadir: &Path, store: &Arc<Store>, variables: &Arc<GlobalVariables>) -> Catalog {
        Catalog {
            datadir: datadir.to_path_buf(),
            store: Arc::clone(store),
            variables: Arc::clone(variables),
            databases: RwLock::default(),
            tables: RwLock::default(),
            names: Arc::default(),
            opened: AtomicU64::new(0),
            versions: AtomicU64::new(1),
            views: view::ViewCache::default(),
        }
    }

    /// The data directory.
    pub fn datadir(&self) -> &Path {
        &self.datadir
    }

    /// The page store.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Opens a table, or hands out the open one.
    ///
    /// # Errors
    /// 1146 when there is none, 1049 when there is no such database, and the errors of damaged
    /// files; those of a wait for a definition statement that may be moving the files about.
    pub fn table(&self, db: &str, name: &str, waiter: &dyn Fn() -> Waiter) -> SqlResult<Arc<OpenTable>> {
        if let Some(t) = self.cached(db, name) {
            return Ok(t);
        }
        self.open(db, name, waiter)
    }

    /// The open table of that name.
    fn cached(&self, db: &str, name: &str) -> Option<Arc<OpenTable>> {
        let tables = self.tables.read();
        // Looking up a pair of borrowed names needs a key of shared ones; tables are few
        // enough per statement that two short allocations do not matter here: plans keep
        // their tables.
        let key: Key = (Arc::from(db), Arc::from(name));
        tables.get(&key).filter(|t| !t.is_stale()).cloned()
    }

    #[cold]
    fn open(&self, db: &str, name: &str, waiter: &dyn Fn() -> Waiter) -> SqlResult<Arc<OpenTable>> {
        if let Some(table) = partition::table_of_part(name) {
            let table = self.table(db, table, waiter)?;
            return part_of(&table, name);
        }
        let waiter = waiter();
        let mut names = vec![((Arc::from(db), Arc::from(name)), Mode::Open)];
        names.extend(self.children(db, name).into_iter().map(|child| (child, Mode::Open)));
        let _all = self.names.hold(names, waiter.id(), || waiter)?;
        if let Some(t) = self.cached(db, name) {
            return Ok(t);
        }
        self.open_now(db, name)
    }

    /// Opens a table whose name the caller holds, for a partition that of its table too: two who open a table at once would make
    /// two of what lies in memory.
    ///
    /// # Errors
    /// As [`Catalog::table`].
    pub fn open_now(&self, db: &str, name: &str) -> SqlResult<Arc<OpenTable>> {
        if let Some(table) = partition::table_of_part(name) {
            let table = self.open_now(db, table)?;
            return part_of(&table, name);
        }
        if let Some(t) = self.cached(db, name) {
            return Ok(t);
        }
        if self.is_view(db, name) {
            return Err(SqlError::new(crate::error::ER_WRONG_OBJECT, &[&db, &name, &"BASE TABLE"]));
        }
        let version = self.versions.fetch_add(1, Ordering::Relaxed);
        let table = OpenTable::open(&self.store, (db, name), version, create_settings(&self.variables))?;
        let table = match merge::is_merge(table.def()) {
            true => {
                let children = merge::open_children(&table, |db, name| {
                    self.check_child(db, name)?;
                    self.open_now(db, name)
                })?;
                table.over(children)
            }
            false => table.over_partitions(&self.store, CrashMarks::Refuse)?,
        };
        self.opened.fetch_add(1, Ordering::Relaxed);
        let table = Arc::new(table);
        self.tables.write().insert((Arc::clone(&table.db), Arc::clone(&table.name)), Arc::clone(&table));
        Ok(table)
    }

    /// The names of the partitions of a table; none for every other one.
    pub(crate) fn partitions(&self, db: &str, name: &str) -> Vec<Key> {
        if !engine::has_partition_file(&self.store, db, name) {
            return Vec::new();
        }
        let Ok(Frm::Table(def)) = read_definition(&self.store, db, name) else { return Vec::new() };
        partition::part_names(&def, name).map(|name| (Arc::from(db), Arc::from(name))).collect()
    }

    /// The names of the tables under a MERGE table; none for every other one.
    pub(crate) fn children(&self, db: &str, name: &str) -> Vec<Key> {
        if !self.store.storage().identity(&self.datadir.join(merge_file(db, name))).is_ok_and(|f| f.is_some())
        {
            return Vec::new();
        }
        let Ok(Frm::Table(def)) = read_definition(&self.store, db, name) else { return Vec::new() };
        merge::names(&def, db).map(|(db, name)| (Arc::from(db), Arc::from(name))).collect()
    }

    /// Whether a table may lie under a MERGE table, by its engine.
    ///
    /// # Errors
    /// 1472 when it is a MERGE table itself, 1168 when there is no such table of MyISAM.
    pub(crate) fn check_child(&self, db: &str, name: &str) -> SqlResult<()> {
        match read_definition(&self.store, db, name) {
            Ok(Frm::Table(def)) if merge::is_merge(&def) => {
                Err(SqlError::new(codes::ER_ADMIN_WRONG_MRG_TABLE, &[&name]))
            }
            Ok(Frm::Table(def)) if def.foreign_engine().is_none() => Ok(()),
            Err(_) if !self.table_exists(db, name) => {
                let missing = crate::failure::no_such_table(db, name);
                Err(SqlError::new(codes::ER_WRONG_MRG_TABLE, &[]).behind(missing))
            }
            _ => Err(SqlError::new(codes::ER_WRONG_MRG_TABLE, &[])),
        }
    }

    /// Opens a MERGE table without the tables under it, whatever they are, to drop or rename it; the caller holds its name.
    ///
    /// # Errors
    /// As [`Catalog::table`].
    pub(crate) fn open_bare(&self, db: &str, name: &str) -> SqlResult<Arc<OpenTable>> {
        let version = self.versions.fetch_add(1, Ordering::Relaxed);
        OpenTable::open(&self.store, (db, name), version, create_settings(&self.variables)).map(Arc::new)
    }

    /// As [`Catalog::table`]; a MERGE table whose tables do not fit is opened without them.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn table_or_bare(
        &self,
        db: &str,
        name: &str,
        waiter: &dyn Fn() -> Waiter,
    ) -> SqlResult<Arc<OpenTable>> {
        match self.table(db, name, waiter) {
            Err(e) if matches!(e.code, codes::ER_WRONG_MRG_TABLE | codes::ER_ADMIN_WRONG_MRG_TABLE) => {
                self.open_bare(db, name)
            }
            other => other,
        }
    }

    /// Takes a table out of the cache: its files changed. Plans that hold it see it is stale.
    pub fn forget(&self, db: &str, name: &str) {
        let key: Key = (Arc::from(db), Arc::from(name));
        if let Some(t) = self.tables.write().remove(&key) {
            t.set_stale();
        }
    }

    /// Tables that are open now.
    pub fn open_tables(&self) -> Vec<Arc<OpenTable>> {
        let mut all: Vec<_> = self.tables.read().values().cloned().collect();
        all.sort_by(|a, b| (&a.db, &a.name).cmp(&(&b.db, &b.name)));
        all
    }

    /// How many tables were opened since the start.
    pub fn opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    /// Lets go of all open tables (at the clean stop).
    pub fn close_all(&self) {
        self.tables.write().clear();
    }
}

/// A partition of a table, by its own name.
///
/// # Errors
/// 1146 when the table has no such partition (any more).
fn part_of(table: &OpenTable, name: &str) -> SqlResult<Arc<OpenTable>> {
    let parts = table.children().map_or(&[][..], |c| c.tables());
    let part = parts.iter().find(|t| &*t.name == name).cloned();
    part.ok_or_else(|| crate::failure::no_such_table(&table.db, name))
}

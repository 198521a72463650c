//! The storage engines that statements may name, and tables of other engines in the data directory.

use crate::table::engine::{PARTITION, StorageEngine, engine_of, read_definition};
use pages::storage::OpenMode;
use schema::definition::TableDef;
use schema::frm::Frm;

use super::Catalog;
use crate::error::SqlResult;

use crate::table::{from_engine, unreadable_definition};

/// Databases of the server's own.
const SYSTEM: &[&str] = &["mysql", "sys", "performance_schema"];

/// What a definition file stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// A MyISAM table.
    Table,
    /// A view.
    View,
    /// A table of an engine whose files are not ours to touch.
    Foreign(String),
    /// The file cannot be read.
    Damaged,
}

impl Catalog {
    /// The table of `mysql` that the accounts are kept in: MariaDB's own, unless it is one of another engine.
    #[must_use]
    pub(crate) fn table_of_accounts(&self) -> &'static str {
        match self.stored("mysql", "global_priv") {
            Stored::Foreign(_) => "isambard_global_priv",
            _ => "global_priv",
        }
    }

    /// What the definition file of this name stands for.
    pub fn stored(&self, db: &str, name: &str) -> Stored {
        match read_definition(&self.store, db, name) {
            Ok(Frm::View(_)) => Stored::View,
            Ok(Frm::Table(def)) => match def.foreign_engine() {
                Some(engine) => Stored::Foreign(engine.to_owned()),
                None => Stored::Table,
            },
            Err(_) => Stored::Damaged,
        }
    }

    /// Whether a name is that of a view; cheaper than [`Catalog::stored`].
    pub fn is_view(&self, db: &str, name: &str) -> bool {
        const START: &[u8] = b"TYPE=VIEW";
        let path = self.directory(db).join(format!("{}.frm", schema::file_name::encode(name)));
        let mut start = [0; START.len()];
        let read =
            self.store.storage().open(&path, OpenMode::Read).and_then(|f| f.read_exact_at(&mut start, 0));
        read.is_ok() && start == START
    }

    /// What information_schema calls a table or view, from the first bytes of its file.
    pub fn table_type(&self, db: &str, name: &str) -> &'static str {
        // a definition's mark, and the byte with its SEQUENCE
        const HEAD: usize = 40;
        if self.is_view(db, name) {
            return "VIEW";
        }
        let path = self.directory(db).join(format!("{}.frm", schema::file_name::encode(name)));
        let mut head = [0; HEAD];
        let read =
            self.store.storage().open(&path, OpenMode::Read).and_then(|f| f.read_exact_at(&mut head, 0));
        match read.is_ok() && head[0] == 0xfe && head[HEAD - 1] >> 4 & 3 == 2 {
            true => "SEQUENCE",
            false => "BASE TABLE",
        }
    }

    /// All tables of other engines in a database: name and engine.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn foreign_tables(&self, db: &str) -> SqlResult<Vec<(String, String)>> {
        let mut found = Vec::new();
        for name in self.table_names(db)? {
            if let Stored::Foreign(engine) = self.stored(db, &name) {
                found.push((name, engine));
            }
        }
        Ok(found)
    }

    /// Tells in the log which tables cannot be served: one line each, one for all of a system database.
    pub(crate) fn log_foreign(&self) {
        for db in self.database_names().unwrap_or_default() {
            let tables = match self.foreign_tables(&db) {
                Ok(tables) if !tables.is_empty() => tables,
                _ => continue,
            };
            if SYSTEM.contains(&db.as_str()) {
                tracing::info!(
                    "database '{db}': {} tables of other engines are listed, but not opened",
                    tables.len()
                );
                continue;
            }
            for (name, engine) in tables {
                tracing::info!(
                    "table '{db}.{name}' is listed, but cannot be opened: Unknown storage engine '{engine}'"
                );
            }
        }
    }

    /// The definition of a table.
    ///
    /// # Errors
    /// Those of its definition.
    pub(crate) fn definition(&self, db: &str, name: &str) -> SqlResult<TableDef> {
        match read_definition(&self.store, db, name).map_err(|e| from_engine(&e, db, name))? {
            Frm::Table(def) => Ok(*def),
            Frm::View(_) => Err(crate::failure::no_such_table(db, name)),
        }
    }

    /// The engine of a table.
    ///
    /// # Errors
    /// Those of its definition.
    pub(crate) fn engine(&self, db: &str, name: &str) -> SqlResult<&'static dyn StorageEngine> {
        match read_definition(&self.store, db, name).map_err(|e| from_engine(&e, db, name))? {
            Frm::Table(def) => Ok(engine_of(&def)),
            Frm::View(_) => Err(crate::failure::no_such_table(db, name)),
        }
    }

    /// As [`Catalog::stored`], for a statement that is about to change files.
    ///
    /// # Errors
    /// 1286 for a table of another engine.
    pub fn writable(&self, db: &str, name: &str) -> SqlResult<Stored> {
        match self.stored(db, name) {
            Stored::Foreign(engine) if engine == PARTITION => Err(unreadable_definition(db, name)),
            Stored::Foreign(engine) => Err(crate::failure::unknown_engine(&engine)),
            other => Ok(other),
        }
    }
}

//! Databases: directories of the data directory with their options in `db.opt`.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use charset::Collation;
use isam::{db_opt, file_name};

use super::{Catalog, INFORMATION_SCHEMA};
use crate::error::{self, SqlError, SqlResult};

/// A database.
#[derive(Debug)]
pub struct Database {
    /// Name.
    pub name: String,
    /// Default collation of new tables.
    pub collation: &'static Collation,
    /// COMMENT.
    pub comment: String,
}

impl Catalog {
    /// The directory of a database.
    pub fn directory(&self, db: &str) -> PathBuf {
        self.datadir.join(file_name::encode(db))
    }

    /// A database by name.
    ///
    /// # Errors
    /// 1049 when there is none.
    pub fn database(&self, name: &str) -> SqlResult<Arc<Database>> {
        if name.eq_ignore_ascii_case(INFORMATION_SCHEMA) {
            return Ok(Arc::new(Database {
                name: INFORMATION_SCHEMA.into(),
                collation: charset::system(),
                comment: String::new(),
            }));
        }
        if let Some(db) = self.databases.read().get(name) {
            return Ok(Arc::clone(db));
        }
        let dir = self.directory(name);
        if name.is_empty() || !dir.is_dir() {
            return Err(SqlError::new(error::ER_BAD_DB_ERROR, &[&name]));
        }
        let server = Collation::by_id(8).unwrap_or_else(charset::system);
        let bytes = std::fs::read(dir.join("db.opt")).unwrap_or_default();
        let options = db_opt::read(&bytes, server);
        let db =
            Arc::new(Database { name: name.into(), collation: options.collation, comment: options.comment });
        self.databases.write().insert(name.into(), Arc::clone(&db));
        Ok(db)
    }

    /// The names of all databases, sorted, information_schema among them.
    ///
    /// # Errors
    /// 1030 when the data directory cannot be read.
    pub fn database_names(&self) -> SqlResult<Vec<String>> {
        let mut names = vec![INFORMATION_SCHEMA.to_string()];
        let entries = std::fs::read_dir(&self.datadir).map_err(|e| io_error(&e))?;
        for entry in entries.flatten() {
            let Ok(file) = entry.file_name().into_string() else { continue };
            if file.starts_with('.') || file.starts_with('#') || !entry.path().is_dir() {
                continue;
            }
            names.push(file_name::name_of(&file));
        }
        names.sort();
        Ok(names)
    }

    /// The names of the tables and views of a database, sorted by their file names' text.
    ///
    /// # Errors
    /// 1049 when there is no such database.
    pub fn table_names(&self, db: &str) -> SqlResult<Vec<String>> {
        let dir = self.directory(db);
        let entries = match std::fs::read_dir(&dir) {
            Ok(e) => e,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Err(SqlError::new(error::ER_BAD_DB_ERROR, &[&db]));
            }
            Err(e) => return Err(io_error(&e)),
        };
        let mut names = Vec::new();
        for entry in entries.flatten() {
            let Ok(file) = entry.file_name().into_string() else { continue };
            // Names that begin with #sql are tables being built.
            if let Some(stem) = file.strip_suffix(".frm")
                && !stem.starts_with("#sql")
            {
                names.push(file_name::name_of(stem));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Whether a table of this name has a definition file.
    pub fn table_exists(&self, db: &str, name: &str) -> bool {
        self.directory(db).join(format!("{}.frm", file_name::encode(name))).exists()
    }

    /// Writes the options of a database.
    ///
    /// # Errors
    /// 1030 when the file cannot be written.
    pub fn write_database(&self, db: Database) -> SqlResult<()> {
        let dir = self.directory(&db.name);
        let bytes =
            db_opt::write(&db_opt::DatabaseOptions { collation: db.collation, comment: db.comment.clone() });
        let new = dir.join("db.opt~");
        std::fs::write(&new, bytes).map_err(|e| io_error(&e))?;
        std::fs::rename(&new, dir.join("db.opt")).map_err(|e| io_error(&e))?;
        self.databases.write().insert(db.name.clone(), Arc::new(db));
        Ok(())
    }

    /// Forgets what is known of a database.
    pub fn forget_database(&self, name: &str) {
        self.databases.write().remove(name);
    }
}

/// 1030 for an error of the operating system.
pub fn io_error(e: &io::Error) -> SqlError {
    SqlError::new(error::ER_GET_ERRNO, &[&e.raw_os_error().unwrap_or(5), &"MyISAM"])
}

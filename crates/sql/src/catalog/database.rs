//! Databases: directories of the data directory with their options in `db.opt`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use charset::Collation;
use pages::FilePlan;
use pages::storage::OpenMode;
use schema::{db_opt, file_name};

use super::Catalog;
use crate::error::{self, SqlError, SqlResult};
use crate::names::INFORMATION_SCHEMA;

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

impl Database {
    /// The bytes of `db.opt`.
    pub(crate) fn options(&self) -> Vec<u8> {
        let comment = self.comment.clone();
        db_opt::write(&db_opt::DatabaseOptions { collation: self.collation, comment })
    }
}

/// Longest file read as a whole.
const MAX_SMALL_FILE: u64 = 16 << 20;

/// Whether the files of a table, or the folder of a database, may have this name.
pub(crate) fn fits_file(name: &str) -> bool {
    file_name::encode(name).len() + ".frm".len() <= crate::table::engine::MAX_FILE_NAME
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
        if !self.database_exists(name) {
            return Err(crate::failure::no_such_database(name));
        }
        let server = Collation::by_id(8).unwrap_or_else(charset::system);
        let bytes = self.read_file(&self.directory(name).join("db.opt")).unwrap_or_default();
        let options = db_opt::read(&bytes, server);
        let db =
            Arc::new(Database { name: name.into(), collation: options.collation, comment: options.comment });
        self.databases.write().insert(name.into(), Arc::clone(&db));
        Ok(db)
    }

    /// Whether there is a directory for a database of this name.
    pub fn database_exists(&self, name: &str) -> bool {
        // What cannot be looked at is not for that reason gone.
        !name.is_empty()
            && fits_file(name)
            && self.store.storage().is_dir(&self.directory(name)).unwrap_or(true)
    }

    /// All bytes of a small file of the data directory.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub(crate) fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.store.storage().open(path, OpenMode::Read)?;
        let mut bytes = vec![0; file.len()?.min(MAX_SMALL_FILE) as usize];
        file.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }

    /// The names of all databases, sorted, information_schema among them.
    ///
    /// # Errors
    /// 1030 when the data directory cannot be read.
    pub fn database_names(&self) -> SqlResult<Vec<String>> {
        let mut names = vec![INFORMATION_SCHEMA.to_string()];
        let storage = self.store.storage();
        for (path, is_dir) in storage.list(&self.datadir).map_err(|e| io_error(&e))? {
            let Some(file) = path.file_name().and_then(|n| n.to_str()) else { continue };
            if file.starts_with('.') || file.starts_with('#') {
                continue;
            }
            if is_dir || storage.is_dir(&path).unwrap_or(false) {
                names.push(file_name::name_of(file));
            }
        }
        names.sort();
        Ok(names)
    }

    /// The names of the tables and views of a database, sorted by their file names' text.
    ///
    /// # Errors
    /// 1049 when there is no such database.
    pub fn table_names(&self, db: &str) -> SqlResult<Vec<String>> {
        if !self.database_exists(db) {
            return Err(crate::failure::no_such_database(db));
        }
        let mut names = Vec::new();
        for (path, _) in self.store.storage().list(&self.directory(db)).map_err(|e| io_error(&e))? {
            // Names that begin with #sql are tables being built.
            if let Some(file) = path.file_name().and_then(|n| n.to_str())
                && let Some(stem) = file.strip_suffix(".frm")
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
        if !fits_file(name) {
            return false;
        }
        let path = self.directory(db).join(format!("{}.frm", file_name::encode(name)));
        !matches!(self.store.storage().identity(&path), Ok(None))
    }

    /// Whether a name stands for a sequence: of the kind `seq_1_to_10`, and no table of files has it.
    pub fn is_sequence(&self, db: &str, name: &str) -> bool {
        crate::table::sequence::is_sequence(name) && !self.table_exists(db, name)
    }

    /// Whether a table can take this name no more.
    pub fn is_taken(&self, db: &str, name: &str) -> bool {
        crate::table::sequence::is_sequence(name) || self.table_exists(db, name)
    }

    /// Makes a database: its directory with its options in it, or nothing.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn create_database(&self, db: Database) -> Result<(), pages::Error> {
        let folder = file_name::encode(&db.name);
        let plan = FilePlan::new().create_folder(folder, vec![("db.opt".into(), db.options())]);
        self.store.apply(plan)?;
        self.databases.write().insert(db.name.clone(), Arc::new(db));
        Ok(())
    }

    /// Writes the options of a database.
    ///
    /// # Errors
    /// 1030 when the file cannot be written.
    pub fn write_database(&self, db: Database) -> SqlResult<()> {
        let path = Path::new(&file_name::encode(&db.name)).join("db.opt");
        let plan = FilePlan::new().create(path, db.options());
        self.store.apply(plan).map_err(|e| crate::failure::from_pages(&e, &db.name))?;
        self.databases.write().insert(db.name.clone(), Arc::new(db));
        Ok(())
    }

    /// Forgets what is known of a database.
    pub fn forget_database(&self, name: &str) {
        self.databases.write().remove(name);
        self.forget_views(Some(name));
    }
}

/// 1030 for an error of the operating system.
pub fn io_error(e: &io::Error) -> SqlError {
    SqlError::new(error::ER_GET_ERRNO, &[&e.raw_os_error().unwrap_or(5), &"MyISAM"]).of_storage()
}

//! A data directory of our own, gone when dropped, in which the files of tables from elsewhere have second names.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use isam::table::with_extension;
use isambard::{Connection, Database};
use schema::file_name;

use super::TableFiles;

/// Names of databases that mean something to the engine.
const TAKEN: [&str; 4] = ["mysql", "information_schema", "performance_schema", "sys"];

/// The private data directory and the engine on it.
pub struct Scratch {
    folder: PathBuf,
    database: Option<Database>,
}

/// A table in the private data directory.
#[derive(Clone, Debug)]
pub struct Linked {
    /// Its database.
    pub db: String,
    /// Its name.
    pub name: String,
    /// Path of its files there, without extension.
    pub base: PathBuf,
}

impl Linked {
    /// Its name as statements have it.
    pub fn quoted(&self) -> String {
        let quote = |name: &str| format!("`{}`", name.replace('`', "``"));
        format!("{}.{}", quote(&self.db), quote(&self.name))
    }

    /// One of its files.
    pub fn file(&self, extension: &str) -> PathBuf {
        with_extension(&self.base, extension)
    }
}

impl Scratch {
    /// Makes one in `parent`, with these settings.
    ///
    /// # Errors
    /// When the folder cannot be made, or the engine not be opened.
    pub fn new(parent: &Path, settings: &[(&str, String)]) -> Result<Scratch, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("#isambard-{}-{number}", std::process::id()));
        let told = |e: io::Error| format!("{}: {e}", folder.display());
        // what a process of the same number left
        match fs::remove_dir_all(&folder) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(told(e)),
            _ => {}
        }
        fs::DirBuilder::new().mode(0o700).create(&folder).map_err(told)?;
        let mut scratch = Scratch { folder, database: None };
        let options = sql::EngineOptions {
            set: settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            create: true,
        };
        let engine = sql::Engine::open(&scratch.folder, options)
            .map_err(|e| format!("{}: {}", scratch.folder.display(), e.message))?;
        scratch.database = Some(Database::from_engine(engine));
        Ok(scratch)
    }

    /// One where temporary files belong.
    ///
    /// # Errors
    /// As [`Scratch::new`].
    pub fn in_tmpdir(tmpdir: Option<&Path>, settings: &[(&str, String)]) -> Result<Scratch, String> {
        let default = std::env::temp_dir();
        Scratch::new(tmpdir.unwrap_or(&default), settings)
    }

    /// A connection with all rights.
    ///
    /// # Errors
    /// When there is none.
    pub fn connect(&self) -> Result<Connection, String> {
        let database = self.database.as_ref().ok_or("the engine is closed")?;
        database.connect().map_err(|e| e.to_string())
    }

    /// A place for a table, empty so far: its own name where that can be, in a database called as its folder.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn place(&self, table: &TableFiles) -> Result<Linked, String> {
        let file_name_of = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned());
        let folder = std::path::absolute(table.folder()).ok();
        let db = folder.as_deref().and_then(file_name_of).filter(|name| {
            file_name::decode(name).is_some_and(|name| !TAKEN.contains(&name.to_lowercase().as_str()))
        });
        let db = db.unwrap_or_else(|| "tables".to_owned());
        let name = file_name_of(&table.base).filter(|name| !file_name::is_temporary(name));
        let name = name.unwrap_or_else(|| "table".to_owned());
        let within = self.folder.join(&db);
        match fs::DirBuilder::new().mode(0o700).create(&within) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => {
                return Err(format!("{}: {e}", within.display()));
            }
            _ => {}
        }
        Ok(Linked { base: within.join(&name), db: file_name::name_of(&db), name: file_name::name_of(&name) })
    }

    /// Gives a file of a table a second name in this place.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn link(&self, table: &TableFiles, to: &Linked, extension: &str) -> Result<(), String> {
        let (from, to) = (table.file(extension), to.file(extension));
        let _ = fs::remove_file(&to);
        let made = fs::canonicalize(&from).and_then(|from| {
            // another filesystem has no second names for a file
            fs::hard_link(&from, &to).or_else(|_| symlink(&from, &to))
        });
        made.map_err(|e| format!("{}: {e}", from.display()))
    }

    /// Removes what is left of a table.
    pub fn clear(&self, place: &Linked) {
        for extension in ["frm", "MYI", "MYD"] {
            // one that was moved out is not there
            let _ = fs::remove_file(place.file(extension));
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(database) = self.database.take() {
            // nothing in it is wanted any more
            let _ = database.close();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

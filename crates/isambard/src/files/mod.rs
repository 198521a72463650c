//! Tables as files that no server has open: which they are, and a private data directory to work on them.

mod scratch;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use isam::myi::option;
use isam::table::with_extension;
use schema::definition::TableDef;
use schema::frm::Frm;

pub use scratch::{Linked, Scratch};

/// First bytes of a `.MYI`.
const INDEX_MAGIC: [u8; 4] = [0xFE, 0xFE, 0x07, 0x01];

/// Longest head of a `.MYI`.
pub const LONGEST_HEAD: u64 = 65536;

/// The files of a table.
#[derive(Clone, Debug)]
pub struct TableFiles {
    /// Path without extension.
    pub base: PathBuf,
    /// How it was named.
    pub shown: String,
}

impl TableFiles {
    /// The table with this path, with or without an extension.
    pub fn of(path: &Path) -> TableFiles {
        let base = match path.extension().and_then(|e| e.to_str()) {
            Some("frm" | "MYI" | "MYD") => path.with_extension(""),
            _ => path.to_owned(),
        };
        TableFiles { shown: base.display().to_string(), base }
    }

    /// One of its files.
    pub fn file(&self, extension: &str) -> PathBuf {
        with_extension(&self.base, extension)
    }

    /// Whether that file is there.
    pub fn has(&self, extension: &str) -> bool {
        self.file(extension).is_file()
    }

    /// The folder they lie in.
    pub fn folder(&self) -> PathBuf {
        match self.base.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    /// What is wrong, told of this table.
    pub fn error(&self, what: impl std::fmt::Display) -> String {
        format!("{}: {what}", self.shown)
    }

    /// Its definition.
    ///
    /// # Errors
    /// When it cannot be read, or is that of no MyISAM table.
    pub fn definition(&self) -> Result<TableDef, String> {
        let bytes = self.start("frm", schema::frm::MAX_FILE as u64 + 1)?;
        match schema::frm::read(&bytes) {
            Ok(Frm::Table(def)) if def.foreign_engine().is_some() => {
                Err(self.error("is a table of another engine"))
            }
            Ok(Frm::Table(def)) => Ok(*def),
            Ok(Frm::View(_)) => Err(self.error("is a view")),
            Err(e) => Err(self.error(format_args!("the .frm file: {e}"))),
        }
    }

    /// The first bytes of a file, at most so many.
    ///
    /// # Errors
    /// Those of reading.
    pub fn start(&self, extension: &str, most: u64) -> Result<Vec<u8>, String> {
        let path = self.file(extension);
        let mut bytes = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(most).read_to_end(&mut bytes))
            .map(|_| bytes)
            .map_err(|e| format!("{}: {e}", path.display()))
    }

    /// Refuses a table that a server of ours uses, or must recover from its journal first.
    ///
    /// # Errors
    /// When it is so.
    pub fn check_unused(&self) -> Result<(), String> {
        let Ok(head) = self.start("MYI", 6) else { return Ok(()) };
        let guarded = head.starts_with(&INDEX_MAGIC)
            && head.get(4).is_some_and(|bits| bits & (option::GUARD >> 8) as u8 != 0);
        if guarded {
            return Err(self.error(
                "is used by a server, or must be recovered by one first (FLUSH TABLES lets go of it; --force takes it all the same)",
            ));
        }
        Ok(())
    }

    /// Refuses a table in the data directory of a server that runs.
    ///
    /// # Errors
    /// When it is so.
    pub fn check_no_server(&self) -> Result<(), String> {
        let folder = std::path::absolute(self.folder()).map_err(|e| self.error(e))?;
        match folder.parent().and_then(crate::data_directory::server_of) {
            Some(holder) => {
                Err(self.error(format_args!("a server runs on its data directory ({holder}); stop it first")))
            }
            None => Ok(()),
        }
    }
}

/// A bar on a terminal; nothing where there is none, or nobody wants to see it.
pub fn bar(length: Option<u64>, silent: bool) -> indicatif::ProgressBar {
    use indicatif::{ProgressBar, ProgressStyle};
    use std::io::IsTerminal;
    if silent || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match length {
        Some(length) => (ProgressBar::new(length), "{msg} [{bar:40}] {percent}% {elapsed}, {eta} to go"),
        None => (ProgressBar::new_spinner(), "{spinner} {elapsed} {msg}"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

//! Files without names, for what a statement cannot hold in memory. They lie in `tmpdir` and
//! are gone as soon as nobody has them open: at the end of the statement, and of the process.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::error::{self, SqlError, SqlResult};
use crate::memory::Budget;

/// Bytes that are written and read at once at most.
const BLOCK: usize = 64 * 1024;

/// A file without a name.
struct Nameless {
    file: File,
    dir: PathBuf,
    end: AtomicU64,
    block: usize,
    kill: Arc<AtomicU32>,
    /// [`Budget::bytes`]
    bytes: Arc<AtomicU64>,
}

/// A file for the rows of one operator.
#[derive(Clone)]
pub struct SpillFile(Arc<Nameless>);

impl SpillFile {
    /// A new file in the budget's directory.
    ///
    /// # Errors
    /// 1 when it cannot be made.
    pub fn new(budget: &Budget) -> SqlResult<SpillFile> {
        let dir = budget.dir.to_path_buf();
        let file = tempfile::tempfile_in(&dir).map_err(|e| failed(Attempt::Create, &dir, &e))?;
        budget.files.fetch_add(1, Ordering::Relaxed);
        // several spools fill their blocks at the same time
        let block = (budget.table / 64).clamp(BLOCK / 16, BLOCK);
        let kill = Arc::clone(&budget.kill);
        let bytes = Arc::clone(&budget.bytes);
        Ok(SpillFile(Arc::new(Nameless { file, dir, end: AtomicU64::new(0), block, kill, bytes })))
    }

    /// Bytes to be written at once.
    pub(super) fn block(&self) -> usize {
        self.0.block
    }

    fn check_killed(&self) -> SqlResult<()> {
        crate::status::connection::check_kill_flag(self.0.kill.load(Ordering::Relaxed))
    }

    /// Writes bytes behind the last; gives their place.
    ///
    /// # Errors
    /// 3, 1021: the file cannot be written; 1317, 1927: killed.
    pub fn append(&self, bytes: &[u8]) -> SqlResult<u64> {
        self.check_killed()?;
        let at = self.0.end.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.0.file.write_all_at(bytes, at).map_err(|e| failed(Attempt::Write, &self.0.dir, &e))?;
        self.0.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(at)
    }

    /// Reads the bytes at a place.
    ///
    /// # Errors
    /// 2: the file cannot be read; 1317, 1927: killed.
    pub fn read(&self, at: u64, into: &mut [u8]) -> SqlResult<()> {
        self.check_killed()?;
        self.0.file.read_exact_at(into, at).map_err(|e| failed(Attempt::Read, &self.0.dir, &e))
    }

    /// Bytes written so far.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.end.load(Ordering::Relaxed)
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What could not be done with a file; these are the errors of MariaDB's files.
enum Attempt {
    Create,
    Write,
    Read,
}

#[cold]
fn failed(attempt: Attempt, dir: &Path, e: &io::Error) -> SqlError {
    tracing::error!("temporary file in {}: {e}", dir.display());
    let number = e.raw_os_error().unwrap_or(5);
    if e.kind() == io::ErrorKind::StorageFull {
        let waiting = "waiting for someone to free some space";
        return SqlError::new(error::ER_DISK_FULL, &[&dir.display(), &number, &waiting]).of_storage();
    }
    let (code, what) = match attempt {
        Attempt::Create => (1, "Can't create/write to file"),
        Attempt::Read => (2, "Error reading file"),
        Attempt::Write => (3, "Error writing file"),
    };
    let (place, text) = (dir.join("#sql-temporary"), error::os_error_text(number));
    let message = format!("{what} '{}' (Errcode: {number} \"{text}\")", place.display());
    SqlError::with_message(code, message).of_storage()
}

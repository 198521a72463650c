//! Errors of the page store.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Result of the page store.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong. One pointer wide, so that a look-up's result stays in registers.
pub struct Error(Box<ErrorKind>);

/// The kinds of errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused an operation on a file.
    #[error("{op} of '{}' failed: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried: "read", "write", "sync", ...
        op: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// No room on the disk (MySQL error 1021).
    #[error("disk full writing '{}'", path.display())]
    DiskFull {
        /// The file that could not grow.
        path: PathBuf,
    },
    /// The bytes of a file do not make sense (handler errors 126, 127, 134).
    #[error("'{}' is corrupt at offset {offset}: {what}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Where in the file, in bytes.
        offset: u64,
        /// What was met, and what was expected.
        what: String,
    },
    /// A lock was not free in time (MySQL error 1205).
    #[error("lock wait timeout exceeded")]
    LockTimeout,
    /// The statement was killed while it waited (MySQL error 1317).
    #[error("killed while waiting")]
    Killed,
    /// The journal could not be synced: nothing more is accepted until a restart.
    #[error("the journal failed earlier ({reason}); no change is accepted before a restart")]
    Poisoned {
        /// The first failure.
        reason: String,
    },
    /// Another program changed the table's files, or they belong to another journal.
    #[error("'{}' was changed by another program: {what}", path.display())]
    ForeignChange {
        /// The file.
        path: PathBuf,
        /// What did not fit.
        what: String,
    },
    /// The table was in use when a server died, and the journal that could restore it is not here.
    #[error("'{}' is guarded by a journal that is not here", path.display())]
    Guarded {
        /// The index file.
        path: PathBuf,
    },
    /// Another process uses the data directory.
    #[error("data directory '{}' is in use by {}", path.display(), Holder(*pid))]
    DirectoryInUse {
        /// The data directory.
        path: PathBuf,
        /// Process id of the holder, as far as its lock file tells.
        pid: Option<u32>,
    },
    /// A change of files is in the journal, so it happens for certain, but could not be carried out just now. It is tried again
    /// whenever somebody looks at the files, and in the background; nobody is shown the half.
    #[error("{cause}; the change is decided, and is carried out as soon as that is possible")]
    Unfinished {
        /// What is in the way.
        cause: Error,
    },
    /// A file cannot move to another file system by its name alone. Nothing was changed.
    #[error("'{}' cannot be renamed to '{}': it is another file system", from.display(), to.display())]
    CrossesDevices {
        /// The file.
        from: PathBuf,
        /// Its new name.
        to: PathBuf,
    },
    /// The journal has reached its bound, and no checkpoint could free any of it in time. The statement was undone.
    #[error("the journal is full, and no checkpoint gets on: see the log")]
    JournalFull,
    /// The snapshot's versions were given up to stay inside the budget.
    #[error("snapshot too old")]
    SnapshotTooOld,
    /// The table was dropped, renamed, replaced or flushed: open it again.
    #[error("table handle is stale")]
    Stale,
    /// Another session holds the table exclusively; wait with `begin_wait`.
    #[error("table is locked exclusively")]
    ExclusivelyLocked,
    /// The same owner holds the write lock already.
    #[error("write lock is already held by this session")]
    AlreadyLocked,
    /// The caller broke a rule of the page store.
    #[error("wrong use of the page store: {0}")]
    Misuse(&'static str),
}

/// Why a table's file is not opened: its name in the data directory is a link into the data directory, where it may be another
/// table's file.
#[derive(Debug)]
pub(crate) struct LinkRefused;

impl fmt::Display for LinkRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name is a link into the data directory")
    }
}

impl std::error::Error for LinkRefused {}

struct Holder(Option<u32>);

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(pid) => write!(f, "process {pid}"),
            None => f.write_str("another process"),
        }
    }
}

impl Error {
    /// The kind, for matching.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// Corruption at a place in a file. For the floors above, too.
    #[cold]
    pub fn corrupt(path: impl AsRef<Path>, offset: u64, what: impl Into<String>) -> Error {
        ErrorKind::Corrupt { path: path.as_ref().to_owned(), offset, what: what.into() }.into()
    }

    /// The same error of the operating system, told of another file.
    pub(crate) fn about_file(mut self, about: &Path) -> Error {
        if let ErrorKind::Io { path, .. } | ErrorKind::DiskFull { path } = &mut *self.0 {
            about.clone_into(path);
        }
        self
    }

    /// Whether a table's file was not opened because its name is a link into the data directory.
    pub fn is_link_refused(&self) -> bool {
        match &*self.0 {
            ErrorKind::Io { source, .. } => source.get_ref().is_some_and(|e| e.is::<LinkRefused>()),
            _ => false,
        }
    }

    /// An error of the operating system; a full disk becomes `DiskFull`.
    #[cold]
    pub fn io(path: impl AsRef<Path>, op: &'static str, source: io::Error) -> Error {
        let path = path.as_ref().to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorKind::DiskFull { path }.into(),
            _ => ErrorKind::Io { path, op, source }.into(),
        }
    }
}

impl From<ErrorKind> for Error {
    #[cold]
    fn from(kind: ErrorKind) -> Error {
        Error(Box::new(kind))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            ErrorKind::Io { source, .. } => Some(source),
            ErrorKind::Unfinished { cause } => Some(cause),
            _ => None,
        }
    }
}

//! All input and output goes through here: real files, files in memory, and a simulator of faults and crashes.

#[cfg(any(test, feature = "simulation"))]
mod memory;
#[cfg(test)]
pub(crate) use memory::Dice;
mod real;
mod volatile;

#[cfg(any(test, feature = "simulation"))]
pub use memory::{CrashMode, Fault, Interlude, MemoryStorage, Operation};
pub use real::{RealStorage, create_private_dir};
pub(crate) use volatile::VolatileOverlay;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// It must exist; for reading only.
    Read,
    /// It must exist; for reading and writing.
    ReadWrite,
    /// It must not exist; for reading and writing.
    CreateNew,
}

/// A place that keeps files by path.
pub trait Storage: Send + Sync {
    /// Opens or creates a file.
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>>;
    /// Renames a file, replacing what has the new name, or a folder. Durable after `sync_dir` of both folders.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Whether [`Storage::rename`] can move a name to another folder: not from one file system to another.
    fn can_move(&self, from: &Path, to: &Path) -> io::Result<bool> {
        let _ = (from, to);
        Ok(true)
    }
    /// Removes a file. Durable after `sync_dir`. Open handles stay usable.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// The identity (inode number) of the file or folder with this name, if there is one.
    fn identity(&self, path: &Path) -> io::Result<Option<u64>>;
    /// Opens a file by the path that [`Storage::canonical`] gave: not at all when a link came into it since.
    fn open_unlinked(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        self.open(path, mode)
    }
    /// Creates a file whose bytes lie in another folder, where that is possible without a link: for files without a name.
    fn create_in(&self, path: &Path, folder: &Path) -> io::Result<Arc<dyn StorageFile>> {
        let _ = folder;
        self.open(path, OpenMode::CreateNew)
    }
    /// Creates a symbolic link. Durable after `sync_dir`.
    fn link(&self, target: &Path, path: &Path) -> io::Result<()>;
    /// What is written in a symbolic link; `None` of other files and where there is none.
    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>>;
    /// The path of an existing file or folder without links in it.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;
    /// Is it a folder? A link to one counts.
    fn is_dir(&self, path: &Path) -> io::Result<bool>;
    /// Paths of the entries of a folder; `true` marks a folder.
    fn list(&self, dir: &Path) -> io::Result<Vec<(PathBuf, bool)>>;
    /// Makes the names in a folder durable.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
    /// Creates a folder.
    fn create_dir(&self, dir: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_dir(&self, dir: &Path) -> io::Result<()>;
    /// Takes the lock file of a data directory for this process until the value is dropped.
    /// `Ok(Err(pid))` when another one has it.
    fn lock(&self, path: &Path) -> io::Result<Result<DirectoryLock, Option<u32>>>;
}

/// Removes a folder and all that is in it.
///
/// # Errors
/// `Io`.
pub fn remove_tree(storage: &dyn Storage, path: &Path) -> crate::Result<()> {
    crate::files::remove_tree(storage, path, true)
}

/// Holds the lock of a data directory; dropping it lets go.
pub type DirectoryLock = Box<dyn std::any::Any + Send + Sync>;

/// An open file. All methods may be called from several threads at once.
pub trait StorageFile: Send + Sync {
    /// Fills `buf` from `offset`; an error of kind `UnexpectedEof` when the file is too short.
    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()>;
    /// Writes all of `bytes` at `offset`.
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    /// Makes content and length durable.
    fn sync(&self) -> io::Result<()>;
    /// Writes inside the file; these bytes are durable on return, whatever was written before may not be.
    fn write_durably(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.write_all_at(bytes, offset)?;
        self.sync()
    }
    /// Cuts or extends with zeros.
    fn set_len(&self, len: u64) -> io::Result<()>;
    /// Claims room on the disk for the bytes from `from` to `to`, without changing the length: writing them later does not meet a full
    /// disk. Nothing happens where the file system knows no such claims.
    fn reserve(&self, from: u64, to: u64) -> io::Result<()> {
        let _ = (from, to);
        Ok(())
    }
    /// Length in bytes.
    fn len(&self) -> io::Result<u64>;
    /// True when the file has no bytes.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }
    /// Identity (inode number) of the file.
    fn identity(&self) -> u64;
    /// The system's file behind it, for mapping it into memory.
    fn system_file(&self) -> io::Result<File>;
    /// A writer for a journal segment of `len` bytes, which the file has already.
    /// The default writes through `write_all_at`, so that a simulator sees every store.
    fn segment_writer(self: Arc<Self>, len: usize) -> io::Result<Box<dyn SegmentWriter>>;
}

/// Writes into a journal segment. Calls are serialised by the journal.
pub trait SegmentWriter: Send + Sync {
    /// Stores `bytes` at `at`; inside the segment.
    fn write(&self, at: usize, bytes: &[u8]) -> io::Result<()>;
}

/// A segment writer over `write_all_at`.
pub(crate) struct PlainSegment<F: StorageFile + ?Sized>(pub(crate) Arc<F>);

impl<F: StorageFile + ?Sized> SegmentWriter for PlainSegment<F> {
    fn write(&self, at: usize, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, at as u64)
    }
}

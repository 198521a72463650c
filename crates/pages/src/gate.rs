//! The storage that the upper crates use: it never exposes a half-executed file plan.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::core::Core;
use crate::error::ErrorKind;
use crate::files::{self, links};
use crate::storage::{DirectoryLock, OpenMode, Storage, StorageFile};

/// Finishes a plan that was begun before anybody looks at a name that it changes.
pub(crate) struct AtomicStorage {
    core: Arc<Core>,
}

impl AtomicStorage {
    pub(crate) fn new(core: Arc<Core>) -> AtomicStorage {
        AtomicStorage { core }
    }

    fn finish_pending(&self, path: &Path, list: bool) -> io::Result<&dyn Storage> {
        match files::finish_pending(&self.core, path, list) {
            Ok(()) => Ok(&*self.core.storage),
            Err(e) => Err(match e.kind() {
                ErrorKind::Unfinished { cause } => match cause.kind() {
                    ErrorKind::Io { source, .. } => io::Error::new(source.kind(), e),
                    ErrorKind::DiskFull { .. } => io::Error::new(io::ErrorKind::StorageFull, e),
                    _ => io::Error::other(e),
                },
                _ => io::Error::other(e),
            }),
        }
    }
}

impl Storage for AtomicStorage {
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        links::open(self.finish_pending(path, false)?, &self.core.datadir, path, mode)
    }

    fn open_unlinked(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        self.finish_pending(path, false)?.open_unlinked(path, mode)
    }

    fn create_in(&self, path: &Path, folder: &Path) -> io::Result<Arc<dyn StorageFile>> {
        self.finish_pending(path, false)?.create_in(path, folder)
    }

    fn link(&self, target: &Path, path: &Path) -> io::Result<()> {
        self.finish_pending(path, false)?.link(target, path)
    }

    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        self.finish_pending(path, false)?.read_link(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.finish_pending(path, false)?.canonical(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.finish_pending(from, false)?;
        self.finish_pending(to, false)?.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.finish_pending(path, false)?.remove(path)
    }

    fn identity(&self, path: &Path) -> io::Result<Option<u64>> {
        self.finish_pending(path, false)?.identity(path)
    }

    fn is_dir(&self, path: &Path) -> io::Result<bool> {
        self.finish_pending(path, false)?.is_dir(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        self.finish_pending(dir, true)?.list(dir)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.core.storage.sync_dir(dir)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        self.finish_pending(dir, false)?.create_dir(dir)
    }

    fn remove_dir(&self, dir: &Path) -> io::Result<()> {
        self.finish_pending(dir, true)?.remove_dir(dir)
    }

    fn lock(&self, path: &Path) -> io::Result<Result<DirectoryLock, Option<u32>>> {
        self.core.storage.lock(path)
    }
}

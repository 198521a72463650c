//! Files without names in the file system, below one folder of the data directory: they live as long as the process.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::{DirectoryLock, OpenMode, PlainSegment, SegmentWriter, Storage, StorageFile};

/// A storage with one folder that is kept in memory; everything else is where it was. The folder is there from the start, empty,
/// and so is every folder below it.
pub(crate) struct MemoryOverlay {
    below: Arc<dyn Storage>,
    folder: PathBuf,
    files: Mutex<BTreeMap<PathBuf, Arc<MemoryFile>>>,
}

struct MemoryFile {
    file: File,
    identity: u64,
}

impl MemoryOverlay {
    /// `below` with `folder` in memory.
    pub(crate) fn new(below: Arc<dyn Storage>, folder: PathBuf) -> MemoryOverlay {
        MemoryOverlay { below, folder, files: Mutex::default() }
    }

    fn is_memory(&self, path: &Path) -> bool {
        path.starts_with(&self.folder)
    }
}

impl Storage for MemoryOverlay {
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        if !self.is_memory(path) {
            return self.below.open(path, mode);
        }
        let mut files = self.files.lock();
        match (files.get(path), mode) {
            (Some(_), OpenMode::CreateNew) => Err(io::ErrorKind::AlreadyExists.into()),
            (Some(file), _) => Ok(Arc::clone(file) as Arc<dyn StorageFile>),
            (None, OpenMode::CreateNew) => {
                let file = File::from(rustix::fs::memfd_create("table", rustix::fs::MemfdFlags::CLOEXEC)?);
                let file = Arc::new(MemoryFile { identity: file.metadata()?.ino(), file });
                files.insert(path.to_owned(), Arc::clone(&file));
                Ok(file)
            }
            (None, _) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        match (self.is_memory(from), self.is_memory(to)) {
            (false, false) => self.below.rename(from, to),
            (true, true) => {
                let mut files = self.files.lock();
                let file = files.remove(from).ok_or(io::ErrorKind::NotFound)?;
                files.insert(to.to_owned(), file);
                Ok(())
            }
            _ => Err(io::ErrorKind::CrossesDevices.into()),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if !self.is_memory(path) {
            return self.below.remove(path);
        }
        self.files.lock().remove(path).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn identity(&self, path: &Path) -> io::Result<Option<u64>> {
        if !self.is_memory(path) {
            return self.below.identity(path);
        }
        Ok(self.files.lock().get(path).map(|file| file.identity))
    }

    fn is_dir(&self, path: &Path) -> io::Result<bool> {
        if !self.is_memory(path) {
            return self.below.is_dir(path);
        }
        Ok(!self.files.lock().contains_key(path))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        if !self.is_memory(dir) {
            return self.below.list(dir);
        }
        let files = self.files.lock();
        Ok(files.keys().filter(|path| path.parent() == Some(dir)).map(|path| (path.clone(), false)).collect())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        if self.is_memory(dir) { Ok(()) } else { self.below.sync_dir(dir) }
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        if self.is_memory(dir) { Ok(()) } else { self.below.create_dir(dir) }
    }

    fn remove_dir(&self, dir: &Path) -> io::Result<()> {
        if self.is_memory(dir) { Ok(()) } else { self.below.remove_dir(dir) }
    }

    fn lock(&self, path: &Path) -> io::Result<Result<DirectoryLock, Option<u32>>> {
        self.below.lock(path)
    }
}

impl StorageFile for MemoryFile {
    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(buf, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn identity(&self) -> u64 {
        self.identity
    }

    fn system_file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    fn segment_writer(self: Arc<Self>, _len: usize) -> io::Result<Box<dyn SegmentWriter>> {
        Ok(Box::new(PlainSegment(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::MemoryStorage;

    #[test]
    fn the_folder_is_apart_from_the_storage_below() {
        let below = Arc::new(MemoryStorage::new());
        let both = MemoryOverlay::new(below.clone(), PathBuf::from("/d/#memory"));
        let inside = Path::new("/d/#memory/db/t.MYD");
        let file = both.open(inside, OpenMode::CreateNew).unwrap();
        file.write_all_at(b"row", 4).unwrap();
        assert_eq!(file.len().unwrap(), 7);
        assert!(both.open(inside, OpenMode::CreateNew).is_err());
        assert_eq!(below.identity(inside).unwrap(), None);
        let other = Path::new("/d/#memory/db/u.MYD");
        both.rename(inside, other).unwrap();
        assert_eq!(both.identity(other).unwrap(), Some(file.identity()));
        assert_eq!(both.list(Path::new("/d/#memory/db")).unwrap(), [(other.to_owned(), false)]);
        assert!(both.rename(other, Path::new("/d/db/u.MYD")).is_err());
        both.remove(other).unwrap();
        assert_eq!(both.open(other, OpenMode::Read).err().map(|e| e.kind()), Some(io::ErrorKind::NotFound));
        both.open(Path::new("/d/t.MYD"), OpenMode::CreateNew).unwrap();
        assert!(below.identity(Path::new("/d/t.MYD")).unwrap().is_some());
    }
}

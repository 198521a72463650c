//! Files without names in the file system, below two folders of the data directory: they live as long as the process, in memory or on
//! a disk.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::{DirectoryLock, OpenMode, PlainSegment, SegmentWriter, Storage, StorageFile};
use crate::files::{MEMORY_FOLDER, SESSION_FOLDER};

/// A storage with two folders whose files have no names on a disk; everything else is where it was. The folders are there from the
/// start, empty, and so is every folder below them.
pub(crate) struct VolatileOverlay {
    below: Arc<dyn Storage>,
    /// Files that are memory.
    memory: PathBuf,
    /// Files of sessions.
    session: PathBuf,
    /// Where those lie. None: in memory.
    tmpdir: Option<PathBuf>,
    files: Mutex<BTreeMap<PathBuf, Arc<UnnamedFile>>>,
}

struct UnnamedFile {
    file: File,
    identity: u64,
    on_disk: bool,
    /// The folder that it was asked for in.
    folder: Option<PathBuf>,
}

impl VolatileOverlay {
    /// `below` with the folders of a data directory.
    pub(crate) fn new(below: Arc<dyn Storage>, datadir: &Path, tmpdir: Option<PathBuf>) -> VolatileOverlay {
        let (memory, session) = (datadir.join(MEMORY_FOLDER), datadir.join(SESSION_FOLDER));
        VolatileOverlay { below, memory, session, tmpdir, files: Mutex::default() }
    }

    fn is_here(&self, path: &Path) -> bool {
        path.starts_with(&self.memory) || path.starts_with(&self.session)
    }

    fn create(&self, path: &Path, folder: Option<&Path>) -> io::Result<UnnamedFile> {
        let dir = folder.or(self.tmpdir.as_deref()).filter(|_| path.starts_with(&self.session));
        let file = match dir {
            Some(dir) => create_unnamed(dir)?,
            None => File::from(rustix::fs::memfd_create("table", rustix::fs::MemfdFlags::CLOEXEC)?),
        };
        let folder = folder.map(Path::to_owned);
        Ok(UnnamedFile { identity: file.metadata()?.ino(), file, on_disk: dir.is_some(), folder })
    }
}

/// A file for the server's user alone. Where the file system makes none without a name, its name is removed at once.
fn create_unnamed(dir: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;
    let mode = Mode::RUSR | Mode::WUSR;
    match rustix::fs::open(dir, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode) {
        Ok(file) => return Ok(File::from(file)),
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => {}
        Err(e) => return Err(e.into()),
    }
    let path = dir.join(crate::files::scratch_name());
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
    let file = rustix::fs::open(&path, flags, mode)?;
    std::fs::remove_file(&path)?;
    Ok(File::from(file))
}

impl Storage for VolatileOverlay {
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        if !self.is_here(path) {
            return self.below.open(path, mode);
        }
        let mut files = self.files.lock();
        match (files.get(path), mode) {
            (Some(_), OpenMode::CreateNew) => Err(io::ErrorKind::AlreadyExists.into()),
            (Some(file), _) => Ok(Arc::clone(file) as Arc<dyn StorageFile>),
            (None, OpenMode::CreateNew) => {
                let file = Arc::new(self.create(path, None)?);
                files.insert(path.to_owned(), Arc::clone(&file));
                Ok(file)
            }
            (None, _) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn open_unlinked(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        self.below.open_unlinked(path, mode)
    }

    fn create_in(&self, path: &Path, folder: &Path) -> io::Result<Arc<dyn StorageFile>> {
        let mut files = self.files.lock();
        if files.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = Arc::new(self.create(path, Some(folder))?);
        files.insert(path.to_owned(), Arc::clone(&file));
        Ok(file)
    }

    fn link(&self, target: &Path, path: &Path) -> io::Result<()> {
        self.below.link(target, path)
    }

    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        if !self.is_here(path) {
            return self.below.read_link(path);
        }
        // as if there were one: to where a file was asked for
        let files = self.files.lock();
        let folder = files.get(path).and_then(|file| file.folder.as_ref());
        Ok(folder.map(|folder| folder.join(path.file_name().unwrap_or_default())))
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.below.canonical(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        match (self.is_here(from), self.is_here(to)) {
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

    fn can_move(&self, from: &Path, to: &Path) -> io::Result<bool> {
        match (self.is_here(from), self.is_here(to)) {
            (false, false) => self.below.can_move(from, to),
            (here, there) => Ok(here == there),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if !self.is_here(path) {
            return self.below.remove(path);
        }
        self.files.lock().remove(path).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn identity(&self, path: &Path) -> io::Result<Option<u64>> {
        if !self.is_here(path) {
            return self.below.identity(path);
        }
        Ok(self.files.lock().get(path).map(|file| file.identity))
    }

    fn is_dir(&self, path: &Path) -> io::Result<bool> {
        if !self.is_here(path) {
            return self.below.is_dir(path);
        }
        Ok(!self.files.lock().contains_key(path))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        if !self.is_here(dir) {
            return self.below.list(dir);
        }
        let files = self.files.lock();
        Ok(files.keys().filter(|path| path.parent() == Some(dir)).map(|path| (path.clone(), false)).collect())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        if self.is_here(dir) { Ok(()) } else { self.below.sync_dir(dir) }
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        if self.is_here(dir) { Ok(()) } else { self.below.create_dir(dir) }
    }

    fn remove_dir(&self, dir: &Path) -> io::Result<()> {
        if self.is_here(dir) { Ok(()) } else { self.below.remove_dir(dir) }
    }

    fn lock(&self, path: &Path) -> io::Result<Result<DirectoryLock, Option<u32>>> {
        self.below.lock(path)
    }
}

impl StorageFile for UnnamedFile {
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

    fn reserve(&self, from: u64, to: u64) -> io::Result<()> {
        if self.on_disk { super::real::reserve(&self.file, from, to) } else { Ok(()) }
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
        let both = VolatileOverlay::new(below.clone(), Path::new("/d"), None);
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
        assert!(both.can_move(other, inside).unwrap());
        assert!(!both.can_move(other, Path::new("/d/db/u.MYD")).unwrap());
        assert!(!both.can_move(Path::new("/d/db/u.MYD"), other).unwrap());
        both.remove(other).unwrap();
        assert_eq!(both.open(other, OpenMode::Read).err().map(|e| e.kind()), Some(io::ErrorKind::NotFound));
        both.open(Path::new("/d/t.MYD"), OpenMode::CreateNew).unwrap();
        assert!(below.identity(Path::new("/d/t.MYD")).unwrap().is_some());
    }
}

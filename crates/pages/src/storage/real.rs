//! Files of the operating system.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{DirectoryLock, OpenMode, SegmentWriter, Storage, StorageFile};
use crate::map::SegmentMap;

/// The file system. Paths are the system's own.
#[derive(Debug, Default)]
pub struct RealStorage;

/// Modes of what is made here, whatever the umask: rows and password hashes are for the server's user and group.
const FILE_MODE: u32 = 0o660;
const FOLDER_MODE: u32 = 0o700;

/// Gives a new file its mode, also the bits that the umask took.
fn set_mode(file: &File) -> io::Result<()> {
    Ok(rustix::fs::fchmod(file, rustix::fs::Mode::from_raw_mode(FILE_MODE))?)
}

/// Makes a folder for the server's user only.
///
/// # Errors
/// Those of the system.
pub fn create_private_dir(dir: &Path, parents: bool) -> io::Result<()> {
    // A umask can take bits only, and no sensible one takes the owner's.
    fs::DirBuilder::new().mode(FOLDER_MODE).recursive(parents).create(dir)
}

/// A file that is locked until this is dropped.
struct Locked(File);

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing it is not enough: a process that is just being started has a copy of the descriptor.
        let _ = rustix::fs::flock(&self.0, rustix::fs::FlockOperation::Unlock);
    }
}

struct RealFile {
    file: File,
    identity: u64,
}

/// Claims room on the disk without changing the length.
pub(super) fn reserve(file: &File, from: u64, to: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    match fallocate(file, FallocateFlags::KEEP_SIZE, from, to.saturating_sub(from)) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => Ok(()),
        other => Ok(other?),
    }
}

fn opened(file: File) -> io::Result<Arc<dyn StorageFile>> {
    let meta = file.metadata()?;
    if meta.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    Ok(Arc::new(RealFile { identity: meta.ino(), file }))
}

impl Storage for RealStorage {
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        let mut options = OpenOptions::new();
        match mode {
            OpenMode::Read => options.read(true),
            OpenMode::ReadWrite => options.read(true).write(true),
            OpenMode::CreateNew => options.read(true).write(true).create_new(true),
        };
        let file = options.mode(FILE_MODE).open(path)?;
        if mode == OpenMode::CreateNew {
            set_mode(&file)?;
        }
        opened(file)
    }

    fn open_unlinked(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
        use rustix::io::Errno;
        let flags = OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let (flags, create) = match mode {
            OpenMode::Read => (flags | OFlags::RDONLY, Mode::empty()),
            OpenMode::ReadWrite => (flags | OFlags::RDWR, Mode::empty()),
            OpenMode::CreateNew => {
                (flags | OFlags::RDWR | OFlags::CREATE | OFlags::EXCL, Mode::from_raw_mode(FILE_MODE))
            }
        };
        let file = match rustix::fs::openat2(CWD, path, flags, create, ResolveFlags::NO_SYMLINKS) {
            // Kernels before 5.6, and containers that do not know the call: the last name at least is no link.
            Err(Errno::NOSYS | Errno::PERM) => rustix::fs::open(path, flags, create)?,
            other => other?,
        };
        let file = File::from(file);
        if mode == OpenMode::CreateNew {
            set_mode(&file)?;
        }
        opened(file)
    }

    fn link(&self, target: &Path, path: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(target, path)
    }

    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        match fs::read_link(path) {
            Ok(target) => Ok(Some(target)),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidInput) => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn can_move(&self, from: &Path, to: &Path) -> io::Result<bool> {
        let device = |path: &Path| fs::metadata(path.parent().unwrap_or(path)).map(|meta| meta.dev());
        Ok(from.parent() == to.parent() || device(from)? == device(to)?)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn identity(&self, path: &Path) -> io::Result<Option<u64>> {
        match fs::symlink_metadata(path) {
            Ok(meta) => Ok(Some(meta.ino())),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn is_dir(&self, path: &Path) -> io::Result<bool> {
        match fs::metadata(path) {
            Ok(meta) => Ok(meta.is_dir()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(e),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        fs::read_dir(dir)?
            .map(|entry| {
                let entry = entry?;
                Ok((entry.path(), entry.file_type()?.is_dir()))
            })
            .collect()
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        File::open(dir)?.sync_all()
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        create_private_dir(dir, false)
    }

    fn remove_dir(&self, dir: &Path) -> io::Result<()> {
        fs::remove_dir(dir)
    }

    fn lock(&self, path: &Path) -> io::Result<Result<DirectoryLock, Option<u32>>> {
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).mode(FILE_MODE).open(path)?;
        match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {
                // It may be another user's of the group.
                let _ = set_mode(&file);
                // For messages only: a full disk is no reason not to start.
                let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
                Ok(Ok(Box::new(Locked(file))))
            }
            Err(rustix::io::Errno::WOULDBLOCK) => {
                let mut text = String::new();
                let pid = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                Ok(Err(pid))
            }
            Err(e) => Err(e.into()),
        }
    }
}

impl StorageFile for RealFile {
    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(buf, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write_durably(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        use rustix::io::{Errno, ReadWriteFlags, pwritev2};
        let (mut rest, mut at) = (bytes, offset);
        // One call, and the kernel has to look at these pages only.
        while !rest.is_empty() {
            match pwritev2(&self.file, &[io::IoSlice::new(rest)], at, ReadWriteFlags::DSYNC) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(done) => {
                    rest = rest.get(done..).unwrap_or_default();
                    at += done as u64;
                }
                Err(Errno::INTR) => {}
                // Older kernels, and some file systems.
                Err(Errno::NOSYS | Errno::OPNOTSUPP | Errno::INVAL) => {
                    self.file.write_all_at(rest, at)?;
                    return self.file.sync_data();
                }
                Err(e) => return Err(e.into()),
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn reserve(&self, from: u64, to: u64) -> io::Result<()> {
        reserve(&self.file, from, to)
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

    fn segment_writer(self: Arc<Self>, len: usize) -> io::Result<Box<dyn SegmentWriter>> {
        Ok(Box::new(SegmentMap::new(&self.file, len)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_for_the_servers_user() {
        let dir = std::env::temp_dir().join(format!("isambard-modes-{}", std::process::id()));
        create_private_dir(&dir, false).unwrap();
        let mode = |name: &str| fs::metadata(dir.join(name)).unwrap().mode() & 0o777;
        // As strict as it gets without harm to tests beside this one, which make files, too.
        let old = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
        RealStorage.open(&dir.join("strict"), OpenMode::CreateNew).unwrap();
        rustix::process::umask(rustix::fs::Mode::empty());
        RealStorage.open(&dir.join("lax"), OpenMode::CreateNew).unwrap();
        RealStorage.create_dir(&dir.join("folder")).unwrap();
        let lock = RealStorage.lock(&dir.join("lock")).unwrap();
        rustix::process::umask(old);
        assert!(lock.is_ok());
        assert_eq!([mode("strict"), mode("lax"), mode("lock")], [0o660; 3]);
        assert_eq!(mode("folder"), 0o700);
        fs::remove_dir_all(dir).unwrap();
    }
}

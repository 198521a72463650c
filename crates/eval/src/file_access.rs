//! Files of the server's machine that statements name: LOAD DATA INFILE, INTO OUTFILE and DUMPFILE, LOAD_FILE(), BACKUP.
//!
//! `secure_file_priv` confines them to one folder. Whatever it says, nothing inside the data directory is read or written but
//! files of the current database's own folder. Names are looked at after links and `..` were followed, and opened without
//! following any more.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};

use crate::error::{self, SqlError, SqlResult};

/// `Can't create/write to file`.
const EE_CANTCREATEFILE: u16 = 1;
/// `Can't get stat of`.
const EE_STAT: u16 = 13;
/// `File not found`.
const EE_FILENOTFOUND: u16 = 29;

/// Which files statements may use.
#[derive(Debug)]
pub struct FileAccess {
    datadir: PathBuf,
    /// `secure_file_priv`.
    secure: Option<PathBuf>,
}

/// Why a file may not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denied {
    /// It is not below `secure_file_priv`, or its folder cannot be found.
    Secure,
    /// It belongs to the server.
    DataDirectory,
}

/// What LOAD_FILE() found.
pub enum Loaded {
    /// The bytes of the file.
    Bytes(Vec<u8>),
    /// No file that may be read.
    Nothing,
    /// A file of `max_allowed_packet` bytes or more.
    TooLong,
}

impl FileAccess {
    /// For a data directory and the value of `secure_file_priv`, where no value means that there is no such limit.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn new(datadir: &Path, secure: &str) -> SqlResult<FileAccess> {
        let secure = match secure {
            "" => None,
            folder => Some(Path::new(folder).canonicalize().map_err(|e| {
                SqlError::internal(format!("secure_file_priv: cannot find the folder '{folder}': {e}"))
            })?),
        };
        let datadir = datadir.canonicalize().unwrap_or_else(|_| datadir.to_path_buf());
        Ok(FileAccess { datadir, secure })
    }

    /// The folder of `secure_file_priv`.
    #[must_use]
    pub fn secure(&self) -> Option<&Path> {
        self.secure.as_deref()
    }

    /// The folder of a database.
    pub fn folder(&self, db: &str) -> PathBuf {
        self.datadir.join(schema::file_name::encode(db))
    }

    /// A name as a statement gives it: relative to the folder of `db`; `./` and `../` to the data directory.
    fn full(&self, name: &str, db: Option<&Path>) -> PathBuf {
        let name = name.split('\0').next().unwrap_or_default();
        match db {
            Some(db) if !(name.starts_with("./") || name.starts_with("../")) => db.join(name),
            _ => self.datadir.join(name),
        }
    }

    /// Whether a path without links may be used while `db` is the folder of the current database.
    fn check(&self, real: &Path, db: Option<&Path>) -> Result<(), Denied> {
        if self.secure.as_ref().is_some_and(|secure| !real.starts_with(secure)) {
            return Err(Denied::Secure);
        }
        let own = db.and_then(|db| db.canonicalize().ok());
        if own.is_some() && real.parent() == own.as_deref() {
            return Ok(());
        }
        if self.belongs_to_server(real) { Err(Denied::DataDirectory) } else { Ok(()) }
    }

    /// Whether a path without links lies in the data directory, or in the folder of a database that was put elsewhere.
    fn belongs_to_server(&self, real: &Path) -> bool {
        if real.starts_with(&self.datadir) {
            return true;
        }
        let Ok(entries) = self.datadir.read_dir() else { return true };
        entries.flatten().any(|e| {
            e.file_type().is_ok_and(|t| t.is_symlink())
                && e.path().canonicalize().is_ok_and(|target| real.starts_with(target))
        })
    }

    /// Makes a new file; `db` is the folder of the current database.
    ///
    /// # Errors
    /// 1086 when there is a file, 1290 outside `secure_file_priv`, error 1 when it cannot be made.
    pub fn create(&self, name: &str, db: Option<&Path>) -> SqlResult<File> {
        let real = match self.real_of_new(&self.full(name, db)) {
            Some(real) => real,
            None => return Err(not_secure()),
        };
        match self.check(&real, db) {
            Ok(()) => {}
            Err(Denied::Secure) => return Err(not_secure()),
            Err(Denied::DataDirectory) => return Err(cannot_create(name, rustix::io::Errno::ACCESS)),
        }
        // Readable by others, whatever the umask says: what for would it be written.
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        match open_real(&real, flags, Mode::from_raw_mode(0o644)) {
            Ok(file) => Ok(file),
            Err(rustix::io::Errno::EXIST) => Err(SqlError::new(error::ER_FILE_EXISTS_ERROR, &[&name])),
            Err(e) => Err(cannot_create(name, e)),
        }
    }

    /// Where a new file would be, without links; `None` when there is no such folder.
    fn real_of_new(&self, path: &Path) -> Option<PathBuf> {
        match path.file_name() {
            Some(last) => Some(path.parent()?.canonicalize().ok()?.join(last)),
            None => path.canonicalize().ok(),
        }
    }

    /// Where a log may be written, without links: in a folder that is there, not what options are read from, and within the data
    /// directory only beside the databases, with the ending `.log`, as everything else there is mapped or read back.
    #[must_use]
    pub fn place_of_log(&self, name: &str) -> Option<PathBuf> {
        let path = self.datadir.join(name);
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(_) => self.real_of_new(&path)?,
        };
        let ending = real.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let options = ["cnf", "ini"].iter().any(|e| ending.eq_ignore_ascii_case(e));
        let beside = real.parent() == Some(&*self.datadir) && ending == "log";
        let kept = self.belongs_to_server(&real) && !beside;
        let file = real.metadata().map_or(real.parent().is_some_and(Path::is_dir), |m| m.is_file());
        (!name.is_empty() && file && !options && !kept).then_some(real)
    }

    /// Opens a log to be appended to. A named pipe is none, so that nobody waits for its other end.
    ///
    /// # Errors
    /// What the system says; `EACCES` for places that are not for logs.
    pub fn open_log(&self, name: &str) -> std::io::Result<File> {
        let denied = || std::io::Error::from(rustix::io::Errno::ACCESS);
        let real = self.place_of_log(name).ok_or_else(denied)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = File::from(rustix::fs::open(&real, flags | OFlags::NOFOLLOW, Mode::from_raw_mode(0o660))?);
        if file.metadata()?.is_file() { Ok(file) } else { Err(denied()) }
    }

    /// Opens a file of rows; `db` is the folder of the current database. Waiting for the other end of a named pipe ends
    /// when the statement is killed.
    ///
    /// # Errors
    /// 1290 outside `secure_file_priv`, 1085 for what is no file or belongs to the server, errors 13 and 29 when there is none or
    /// it cannot be read.
    pub fn open(&self, name: &str, db: Option<&Path>, kill: &Arc<AtomicU32>) -> SqlResult<RowFile> {
        let path = self.full(name, db);
        let shown = path.to_string_lossy();
        let unreadable = || SqlError::new(error::ER_TEXTFILE_NOT_READABLE, &[&shown]);
        let check = |real: &Path| match self.check(real, db) {
            Ok(()) => Ok(()),
            Err(Denied::Secure) => Err(not_secure()),
            Err(Denied::DataDirectory) => Err(unreadable()),
        };
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(e) => {
                // Whether there is a file is told of places only that may be read.
                check(&self.real_of_new(&path).ok_or_else(not_secure)?)?;
                return Err(file_error(EE_STAT, "Can't get stat of", &shown, e.raw_os_error().unwrap_or(2)));
            }
        };
        check(&real)?;
        let failed = |e: rustix::io::Errno| {
            let number = e.raw_os_error();
            let text = error::os_error_text(number);
            let text = format!("File '{shown}' not found (Errcode: {number} \"{text}\")");
            SqlError::with_message(EE_FILENOTFOUND, text)
        };
        let file = open_real(&real, READ, Mode::empty()).map_err(failed)?;
        let kind = file.metadata().map_err(|_| unreadable())?.file_type();
        if !kind.is_file() && !kind.is_fifo() {
            return Err(unreadable());
        }
        Ok(RowFile { file, pipe: kind.is_fifo().then(|| Arc::clone(kill)) })
    }

    /// LOAD_FILE(): a file that everybody on the machine may read, shorter than `limit`; relative names are in the data directory.
    pub fn load(&self, name: &[u8], db: Option<&Path>, limit: usize) -> Loaded {
        let name = name.split(|b| *b == 0).next().unwrap_or_default();
        let path = self.datadir.join(std::ffi::OsStr::from_bytes(name));
        let Ok(real) = path.canonicalize() else { return Loaded::Nothing };
        if name.is_empty() || self.check(&real, db).is_err() {
            return Loaded::Nothing;
        }
        let Ok(file) = open_real(&real, READ, Mode::empty()) else { return Loaded::Nothing };
        match file.metadata() {
            Ok(m) if m.is_file() && m.mode() & 0o004 != 0 => {
                if m.len() >= limit as u64 {
                    return Loaded::TooLong;
                }
            }
            _ => return Loaded::Nothing,
        }
        let mut bytes = Vec::new();
        match file.take(limit as u64).read_to_end(&mut bytes) {
            Ok(n) if n < limit => Loaded::Bytes(bytes),
            Ok(_) => Loaded::TooLong,
            Err(_) => Loaded::Nothing,
        }
    }

    /// Whether BACKUP may write a folder there. Its own rule about the data directory stands beside.
    ///
    /// # Errors
    /// 1290 outside `secure_file_priv`, 1210 in the data directory, through whatever links.
    pub fn check_backup(&self, target: &Path) -> SqlResult<()> {
        let real = self.real_of_new(target).ok_or_else(not_secure)?;
        match self.check(&real, None) {
            Ok(()) => Ok(()),
            Err(Denied::Secure) => Err(not_secure()),
            Err(Denied::DataDirectory) => Err(SqlError::with_message(
                error::ER_WRONG_ARGUMENTS,
                format!("the backup cannot be in the data directory: '{}'", target.display()),
            )),
        }
    }
}

/// A named pipe without its other end does not hold up the opening.
const READ: OFlags = OFlags::RDONLY
    .union(OFlags::CLOEXEC)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW);

/// Opens a path that has no links in it: one that was put there since it was looked at is refused.
fn open_real(real: &Path, flags: OFlags, mode: Mode) -> Result<File, rustix::io::Errno> {
    use rustix::io::Errno;
    let created = flags.contains(OFlags::CREATE);
    let file = match rustix::fs::openat2(CWD, real, flags, mode, ResolveFlags::NO_SYMLINKS) {
        // Kernels before 5.6, and sandboxes that do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => {
            let file = File::from(rustix::fs::open(real, flags, mode)?);
            return if real_path(&file).is_none_or(|p| p == real) { Ok(file) } else { Err(Errno::LOOP) };
        }
        other => File::from(other?),
    };
    if created {
        let _ = rustix::fs::fchmod(&file, mode);
    }
    Ok(file)
}

/// The path of an open file.
fn real_path(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

fn not_secure() -> SqlError {
    SqlError::new(error::ER_OPTION_PREVENTS_STATEMENT, &[&"--secure-file-priv"])
}

fn cannot_create(name: &str, e: rustix::io::Errno) -> SqlError {
    file_error(EE_CANTCREATEFILE, "Can't create/write to file", name, e.raw_os_error())
}

fn file_error(code: u16, what: &str, name: &str, number: i32) -> SqlError {
    let text = error::os_error_text(number);
    SqlError::with_message(code, format!("{what} '{name}' (Errcode: {number} \"{text}\")"))
}

/// A file of rows, or a named pipe.
pub struct RowFile {
    file: File,
    /// The kill flag of whoever reads a pipe.
    pipe: Option<Arc<AtomicU32>>,
}

impl Read for RowFile {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some(kill) = &self.pipe else { return self.file.read(buf) };
        loop {
            if kill.load(Ordering::Relaxed) != 0 {
                return Err(io::Error::other("the statement was killed"));
            }
            let mut fds = [PollFd::new(&self.file, PollFlags::IN)];
            let wait = rustix::event::Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
            // Nothing is reported before somebody opened the other end.
            match rustix::event::poll(&mut fds, Some(&wait)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => continue,
                Ok(_) => {}
                Err(e) => return Err(e.into()),
            }
            match self.file.read(buf) {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                other => return other,
            }
        }
    }
}

#[cfg(test)]
#[path = "file_access_tests.rs"]
mod tests;

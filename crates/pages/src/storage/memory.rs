//! Files in memory, and the simulator of faults and crashes over them.
//!
//! Each file is a memory file of the kernel, so that mapping works as for real ones. A simulated storage also keeps, per
//! file, the bytes that are surely on disk and the writes since the last sync; [`MemoryStorage::after_crash`]
//! builds the storage a restarted process would find.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::{DirectoryLock, OpenMode, PlainSegment, SegmentWriter, Storage, StorageFile};

/// What a crash leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashMode {
    /// The process died: what was written is there; the write it died in partly.
    Kill,
    /// The power went: unsynced writes are there, missing, or torn into 512-byte sectors that are old, new or garbage, each by
    /// chance.
    PowerCut,
}

/// What a fault is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Reading bytes.
    Read,
    /// Writing bytes or setting the length.
    Write,
    /// Making durable.
    Sync,
    /// Creating, renaming, removing.
    Name,
}

/// Decides whether an operation fails, and how.
pub type Fault = dyn Fn(Operation, &Path) -> Option<io::ErrorKind> + Send + Sync;

/// What happens between two operations, as if another thread had come in between.
pub type Interlude = dyn FnOnce() + Send;
type Interludes = Option<(u64, Box<Interlude>)>;

/// Files in memory.
pub struct MemoryStorage {
    shared: Arc<Shared>,
}

struct Shared {
    names: Mutex<Names>,
    simulated: bool,
    operations: AtomicU64,
    cut: AtomicU64,
    crashed: AtomicBool,
    faulty: AtomicBool,
    fault: Mutex<Option<Box<Fault>>>,
    interlude: Mutex<Interludes>,
    next_identity: AtomicU64,
    /// Bytes that all files together may take.
    capacity: AtomicU64,
    /// Room can be claimed.
    claims: AtomicBool,
}

#[derive(Default)]
struct Names {
    files: HashMap<PathBuf, Arc<Node>>,
    dirs: Dirs,
    durable: HashMap<PathBuf, Arc<Node>>,
    durable_dirs: Dirs,
    log: Vec<NameChange>,
    locked: HashMap<PathBuf, u32>,
}

/// Folders with their identities.
type Dirs = BTreeMap<PathBuf, u64>;

#[derive(Clone)]
enum NameChange {
    Link(PathBuf, Arc<Node>),
    Unlink(PathBuf),
    Rename(PathBuf, PathBuf),
    MakeDir(PathBuf, u64),
    DropDir(PathBuf),
}

struct Node {
    identity: u64,
    live: File,
    disk: Mutex<Disk>,
    /// Room claimed up to here.
    reserved: AtomicU64,
    /// Of a symbolic link: what is written in it.
    link: Option<PathBuf>,
}

#[derive(Default)]
struct Disk {
    durable: Vec<u8>,
    pending: Vec<Change>,
    /// The change the process died in: not in the live file.
    last: Option<Change>,
}

#[derive(Clone)]
enum Change {
    Write(u64, Vec<u8>),
    /// A write that is durable by itself, while others before it are not yet.
    Forced(u64, Vec<u8>),
    SetLen(u64),
}

struct MemoryFile {
    shared: Arc<Shared>,
    node: Arc<Node>,
    path: PathBuf,
}

/// A small generator for choices that must be repeatable.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n.max(1)
    }
}

fn memory_file() -> io::Result<File> {
    Ok(File::from(rustix::fs::memfd_create("isambard", rustix::fs::MemfdFlags::CLOEXEC)?))
}

impl MemoryStorage {
    /// Empty storage; nothing of it survives, nothing is simulated.
    pub fn new() -> MemoryStorage {
        MemoryStorage::with(false)
    }

    /// Empty storage that can crash.
    pub fn simulated() -> MemoryStorage {
        MemoryStorage::with(true)
    }

    fn with(simulated: bool) -> MemoryStorage {
        MemoryStorage {
            shared: Arc::new(Shared {
                names: Mutex::default(),
                simulated,
                operations: AtomicU64::new(0),
                cut: AtomicU64::new(u64::MAX),
                crashed: AtomicBool::new(false),
                faulty: AtomicBool::new(false),
                fault: Mutex::new(None),
                interlude: Mutex::new(None),
                next_identity: AtomicU64::new(1),
                capacity: AtomicU64::new(u64::MAX),
                claims: AtomicBool::new(true),
            }),
        }
    }

    /// Changing operations so far: writes, syncs, changes of names.
    pub fn operations(&self) -> u64 {
        self.shared.operations.load(Ordering::Relaxed)
    }

    /// Crashes at the operation with this number (counted from 0): it and all later ones fail.
    pub fn crash_at(&self, operation: u64) {
        self.shared.cut.store(operation, Ordering::Relaxed);
    }

    /// True once the crash has happened.
    pub fn crashed(&self) -> bool {
        self.shared.crashed.load(Ordering::Relaxed)
    }

    /// Lets chosen operations fail from now on; `None` ends it.
    pub fn set_fault(&self, fault: Option<Box<Fault>>) {
        *self.shared.fault.lock() = fault;
        self.shared.notice();
    }

    /// All files together may take so many bytes, in blocks of 4 KiB.
    pub fn set_capacity(&self, bytes: u64) {
        self.shared.capacity.store(bytes, Ordering::Relaxed);
    }

    /// Whether room can be claimed for bytes that come later: not every file system knows that.
    pub fn set_claims(&self, known: bool) {
        self.shared.claims.store(known, Ordering::Relaxed);
    }

    /// Bytes that all files take.
    pub fn taken(&self) -> io::Result<u64> {
        self.shared.taken()
    }

    /// Calls `interlude` before the change of a table file (`.MYI`, `.MYD`) that comes after `after` other ones. `None` gives back
    /// one that was not called.
    pub fn set_interlude(&self, interlude: Option<(u64, Box<Interlude>)>) -> Option<Box<Interlude>> {
        let before = std::mem::replace(&mut *self.shared.interlude.lock(), interlude);
        self.shared.notice();
        before.map(|(_, interlude)| interlude)
    }

    /// The storage a restarted process finds. The choices depend on `seed` only.
    pub fn after_crash(&self, mode: CrashMode, seed: u64) -> io::Result<MemoryStorage> {
        let mut dice = Dice::new(seed);
        let names = self.shared.names.lock();
        let (mut files, mut dirs);
        match mode {
            CrashMode::Kill => (files, dirs) = (names.files.clone(), names.dirs.clone()),
            CrashMode::PowerCut => {
                (files, dirs) = (names.durable.clone(), names.durable_dirs.clone());
                let kept = dice.below(names.log.len() as u64 + 1) as usize;
                for change in &names.log[..kept] {
                    apply_name(change, &mut files, &mut dirs);
                }
            }
        }
        let storage = MemoryStorage::with(true);
        let mut to = storage.shared.names.lock();
        let mut sorted: Vec<_> = files.into_iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        for (path, node) in sorted {
            let bytes = node.survivors(mode, &mut dice)?;
            let live = memory_file()?;
            live.write_all_at(&bytes, 0)?;
            let disk = Mutex::new(Disk { durable: bytes, ..Disk::default() });
            // The name keeps its inode number: recovery compares them.
            let reserved = AtomicU64::new(node.reserved.load(Ordering::Relaxed));
            let node =
                Arc::new(Node { identity: node.identity, live, disk, reserved, link: node.link.clone() });
            to.files.insert(path.clone(), node.clone());
            to.durable.insert(path, node);
        }
        to.dirs = dirs.clone();
        to.durable_dirs = dirs;
        drop(to);
        let next = self.shared.next_identity.load(Ordering::Relaxed);
        storage.shared.next_identity.store(next, Ordering::Relaxed);
        storage.set_capacity(self.shared.capacity.load(Ordering::Relaxed));
        storage.set_claims(self.shared.claims.load(Ordering::Relaxed));
        Ok(storage)
    }

    fn new_name(&self, path: &Path, link: Option<PathBuf>) -> io::Result<Arc<Node>> {
        self.shared.begin(Operation::Name, path)?;
        let mut names = self.shared.names.lock();
        if names.files.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let identity = self.shared.next_identity.fetch_add(1, Ordering::Relaxed);
        let (live, disk, reserved) = (memory_file()?, Mutex::default(), AtomicU64::new(0));
        let node = Arc::new(Node { identity, live, disk, reserved, link });
        names.files.insert(path.to_owned(), node.clone());
        self.shared.rename_in(NameChange::Link(path.to_owned(), node.clone()), &mut names);
        Ok(node)
    }

    /// All bytes of a file as they are now.
    pub fn bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        let node = self.shared.names.lock().files.get(path).cloned().ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = vec![0; node.live.metadata()?.len() as usize];
        node.live.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }
}

impl Default for MemoryStorage {
    fn default() -> Self {
        MemoryStorage::new()
    }
}

fn apply_name(change: &NameChange, files: &mut HashMap<PathBuf, Arc<Node>>, dirs: &mut Dirs) {
    match change {
        NameChange::Link(path, node) => {
            files.insert(path.clone(), node.clone());
        }
        NameChange::Unlink(path) => {
            files.remove(path);
        }
        NameChange::Rename(from, to) => {
            if let Some(node) = files.remove(from) {
                files.insert(to.clone(), node);
            } else if dirs.contains_key(from) {
                let moved = |path: &PathBuf| Some(to.join(path.strip_prefix(from).ok()?));
                let inside: Vec<PathBuf> = files.keys().filter(|p| p.starts_with(from)).cloned().collect();
                for path in inside {
                    if let (Some(new), Some(node)) = (moved(&path), files.remove(&path)) {
                        files.insert(new, node);
                    }
                }
                let inside: Vec<PathBuf> = dirs.keys().filter(|p| p.starts_with(from)).cloned().collect();
                for path in inside {
                    // Joining nothing would leave a slash at the end.
                    let new = if path == *from { Some(to.clone()) } else { moved(&path) };
                    if let (Some(new), Some(identity)) = (new, dirs.remove(&path)) {
                        dirs.insert(new, identity);
                    }
                }
            }
        }
        NameChange::MakeDir(dir, identity) => {
            dirs.insert(dir.clone(), *identity);
        }
        NameChange::DropDir(dir) => {
            dirs.remove(dir);
        }
    }
}

/// Files take whole blocks.
const BLOCK: u64 = 4096;

impl Node {
    fn taken(&self) -> io::Result<u64> {
        let len = self.live.metadata()?.len().max(self.reserved.load(Ordering::Relaxed));
        Ok(len.next_multiple_of(BLOCK))
    }

    fn survivors(&self, mode: CrashMode, dice: &mut Dice) -> io::Result<Vec<u8>> {
        let disk = self.disk.lock();
        let mut bytes;
        match mode {
            CrashMode::Kill => {
                bytes = vec![0; self.live.metadata()?.len() as usize];
                self.live.read_exact_at(&mut bytes, 0)?;
                if let Some(change) = &disk.last {
                    match change {
                        Change::Write(at, new) | Change::Forced(at, new) => {
                            // The system copies into its cache by pages; a sector is more cautious.
                            let end = (at + dice.below(new.len() as u64 + 512)) / 512 * 512;
                            let kept = (end.saturating_sub(*at) as usize).min(new.len());
                            put(&mut bytes, *at, &new[..kept]);
                        }
                        Change::SetLen(len) => {
                            if dice.below(2) == 0 {
                                bytes.resize(*len as usize, 0);
                            }
                        }
                    }
                }
            }
            CrashMode::PowerCut => {
                bytes = disk.durable.clone();
                for change in disk.pending.iter().chain(&disk.last) {
                    match (dice.below(4), change) {
                        (_, Change::Forced(at, new)) => put(&mut bytes, *at, new),
                        (0, _) => {}
                        (1, Change::Write(at, new)) => {
                            let mut from = 0;
                            while from < new.len() {
                                let sector_end = 512 - (*at as usize + from) % 512;
                                let to = new.len().min(from + sector_end);
                                let place = at + from as u64;
                                match dice.below(5) {
                                    0 | 1 => put(&mut bytes, place, &new[from..to]),
                                    // The power went while this sector was written: it holds neither old nor new bytes. Headers
                                    // are spared, as no table survives that.
                                    2 if place >= 1024 => put(&mut bytes, place, &[0xEE; 512][..to - from]),
                                    _ => {}
                                }
                                from = to;
                            }
                        }
                        (_, Change::Write(at, new)) => put(&mut bytes, *at, new),
                        (_, Change::SetLen(len)) => bytes.resize(*len as usize, 0),
                    }
                }
            }
        }
        Ok(bytes)
    }
}

fn put(bytes: &mut Vec<u8>, at: u64, new: &[u8]) {
    let (at, end) = (at as usize, at as usize + new.len());
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[at..end].copy_from_slice(new);
}

impl Shared {
    /// Faults or an interlude were set or ended.
    fn notice(&self) {
        let any = self.fault.lock().is_some() || self.interlude.lock().is_some();
        self.faulty.store(any, Ordering::Relaxed);
    }

    fn check(&self, operation: Operation, path: &Path) -> io::Result<()> {
        if !self.faulty.load(Ordering::Relaxed) {
            return Ok(());
        }
        if operation != Operation::Read && path.extension().is_some_and(|e| e == "MYI" || e == "MYD") {
            let due = {
                let mut waiting = self.interlude.lock();
                match &mut *waiting {
                    Some((0, _)) => waiting.take(),
                    Some((after, _)) => {
                        *after -= 1;
                        None
                    }
                    None => None,
                }
            };
            if let Some((_, interlude)) = due {
                interlude();
            }
        }
        if let Some(fault) = &*self.fault.lock()
            && let Some(kind) = fault(operation, path)
        {
            return Err(kind.into());
        }
        Ok(())
    }

    /// Counts a changing operation; `false` when the process has died at or before it. `last`: died in this very one.
    fn alive(&self) -> Result<(), bool> {
        let number = self.operations.fetch_add(1, Ordering::Relaxed);
        match number.cmp(&self.cut.load(Ordering::Relaxed)) {
            std::cmp::Ordering::Less => Ok(()),
            order => {
                self.crashed.store(true, Ordering::Relaxed);
                Err(order == std::cmp::Ordering::Equal)
            }
        }
    }

    fn taken(&self) -> io::Result<u64> {
        self.names.lock().files.values().map(|node| node.taken()).sum()
    }

    /// Is there room for a file that grows to `end`?
    fn check_room(&self, node: &Node, end: u64) -> io::Result<()> {
        let capacity = self.capacity.load(Ordering::Relaxed);
        if capacity == u64::MAX {
            return Ok(());
        }
        let more = end.next_multiple_of(BLOCK).saturating_sub(node.taken()?);
        if more > 0 && self.taken()? + more > capacity {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    fn begin(&self, operation: Operation, path: &Path) -> io::Result<()> {
        self.check(operation, path)?;
        self.alive().map_err(|_| dead())
    }

    fn rename_in(&self, change: NameChange, names: &mut Names) {
        if self.simulated {
            names.log.push(change);
        }
    }
}

fn dead() -> io::Error {
    io::Error::other("simulated crash")
}

impl Storage for MemoryStorage {
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Arc<dyn StorageFile>> {
        let node = if mode == OpenMode::CreateNew {
            self.new_name(path, None)?
        } else {
            let path = self.canonical(path)?;
            let names = self.shared.names.lock();
            names.files.get(&path).cloned().ok_or(io::ErrorKind::NotFound)?
        };
        Ok(Arc::new(MemoryFile { shared: self.shared.clone(), node, path: path.to_owned() }))
    }

    fn link(&self, target: &Path, path: &Path) -> io::Result<()> {
        self.new_name(path, Some(target.to_owned())).map(drop)
    }

    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        Ok(self.shared.names.lock().files.get(path).and_then(|node| node.link.clone()))
    }

    /// Links to folders are not simulated.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let names = self.shared.names.lock();
        let mut path = path.to_owned();
        for _ in 0..40 {
            match names.files.get(&path).map(|node| &node.link) {
                Some(Some(target)) => path = path.parent().unwrap_or(Path::new("/")).join(target),
                Some(None) => return Ok(path),
                None if names.files.keys().chain(names.dirs.keys()).any(|p| p.starts_with(&path)) => {
                    return Ok(path);
                }
                None => return Err(io::ErrorKind::NotFound.into()),
            }
        }
        Err(io::Error::other("a circle of links"))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.shared.begin(Operation::Name, from)?;
        let mut names = self.shared.names.lock();
        let names = &mut *names;
        if !names.files.contains_key(from) {
            let empty = |dir: &Path| !names.files.keys().any(|path| path.parent() == Some(dir));
            match (names.dirs.contains_key(from), names.dirs.contains_key(to)) {
                (false, _) => return Err(io::ErrorKind::NotFound.into()),
                (_, true) if !empty(to) => return Err(io::ErrorKind::DirectoryNotEmpty.into()),
                _ => {}
            }
        }
        let change = NameChange::Rename(from.to_owned(), to.to_owned());
        apply_name(&change, &mut names.files, &mut names.dirs);
        self.shared.rename_in(change, names);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.shared.begin(Operation::Name, path)?;
        let mut names = self.shared.names.lock();
        names.files.remove(path).ok_or(io::ErrorKind::NotFound)?;
        self.shared.rename_in(NameChange::Unlink(path.to_owned()), &mut names);
        Ok(())
    }

    fn identity(&self, path: &Path) -> io::Result<Option<u64>> {
        let names = self.shared.names.lock();
        let file = names.files.get(path).map(|node| node.identity);
        Ok(file.or_else(|| names.dirs.get(path).copied()))
    }

    fn is_dir(&self, path: &Path) -> io::Result<bool> {
        Ok(self.shared.names.lock().dirs.contains_key(path))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
        let names = self.shared.names.lock();
        let mut entries: Vec<(PathBuf, bool)> = names
            .files
            .keys()
            .filter(|path| path.parent() == Some(dir))
            .map(|path| (path.clone(), false))
            .chain(names.dirs.keys().filter(|d| d.parent() == Some(dir)).map(|d| (d.clone(), true)))
            .collect();
        entries.sort();
        Ok(entries)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.shared.begin(Operation::Sync, dir)?;
        let mut names = self.shared.names.lock();
        let names = &mut *names;
        // Changes of names reach the disk in order, as with a journaling file system.
        let touches = |path: &PathBuf| path.parent() == Some(dir);
        let last = names.log.iter().rposition(|change| match change {
            NameChange::Link(p, _)
            | NameChange::Unlink(p)
            | NameChange::MakeDir(p, _)
            | NameChange::DropDir(p) => touches(p),
            NameChange::Rename(from, to) => touches(from) || touches(to),
        });
        if let Some(last) = last {
            for change in names.log.drain(..=last) {
                apply_name(&change, &mut names.durable, &mut names.durable_dirs);
            }
        }
        Ok(())
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        self.shared.begin(Operation::Name, dir)?;
        let mut names = self.shared.names.lock();
        if names.dirs.contains_key(dir) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let identity = self.shared.next_identity.fetch_add(1, Ordering::Relaxed);
        names.dirs.insert(dir.to_owned(), identity);
        self.shared.rename_in(NameChange::MakeDir(dir.to_owned(), identity), &mut names);
        Ok(())
    }

    fn remove_dir(&self, dir: &Path) -> io::Result<()> {
        self.shared.begin(Operation::Name, dir)?;
        let mut names = self.shared.names.lock();
        if names.files.keys().any(|path| path.parent() == Some(dir)) {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        names.dirs.remove(dir).ok_or(io::ErrorKind::NotFound)?;
        self.shared.rename_in(NameChange::DropDir(dir.to_owned()), &mut names);
        Ok(())
    }

    fn lock(&self, path: &Path) -> io::Result<Result<DirectoryLock, Option<u32>>> {
        struct Held(Arc<Shared>, PathBuf);
        impl Drop for Held {
            fn drop(&mut self) {
                self.0.names.lock().locked.remove(&self.1);
            }
        }
        let mut names = self.shared.names.lock();
        if let Some(pid) = names.locked.get(path) {
            return Ok(Err(Some(*pid)));
        }
        names.locked.insert(path.to_owned(), std::process::id());
        Ok(Ok(Box::new(Held(self.shared.clone(), path.to_owned()))))
    }
}

/// The simulator keeps files whole, twice: one that a bad offset makes longer than this is a full disk.
const LARGEST: u64 = 256 << 20;

impl MemoryFile {
    fn change(&self, change: Change) -> io::Result<()> {
        self.shared.check(Operation::Write, &self.path)?;
        let end = match &change {
            Change::Write(at, bytes) | Change::Forced(at, bytes) => at.checked_add(bytes.len() as u64),
            Change::SetLen(len) => Some(*len),
        };
        if self.shared.simulated && end.is_none_or(|end| end > LARGEST) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.shared.check_room(&self.node, end.unwrap_or(u64::MAX))?;
        let mut disk = self.shared.simulated.then(|| self.node.disk.lock());
        if let Err(last) = self.shared.alive() {
            if let (true, Some(disk)) = (last, &mut disk) {
                disk.last = Some(change);
            }
            return Err(dead());
        }
        match &change {
            Change::Write(at, bytes) | Change::Forced(at, bytes) => {
                self.node.live.write_all_at(bytes, *at)?
            }
            Change::SetLen(len) => {
                self.node.live.set_len(*len)?;
                self.node.reserved.fetch_min(*len, Ordering::Relaxed);
            }
        }
        if let Some(disk) = &mut disk {
            disk.pending.push(change);
        }
        Ok(())
    }
}

impl StorageFile for MemoryFile {
    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.shared.check(Operation::Read, &self.path)?;
        self.node.live.read_exact_at(buf, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        if self.shared.simulated {
            return self.change(Change::Write(offset, bytes.to_vec()));
        }
        self.shared.begin(Operation::Write, &self.path)?;
        self.node.live.write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.shared.begin(Operation::Sync, &self.path)?;
        let mut disk = self.node.disk.lock();
        let disk = &mut *disk;
        for change in disk.pending.drain(..) {
            match change {
                Change::Write(at, bytes) | Change::Forced(at, bytes) => put(&mut disk.durable, at, &bytes),
                Change::SetLen(len) => disk.durable.resize(len as usize, 0),
            }
        }
        Ok(())
    }

    /// Two operations: a process that dies at the second has written, and the power takes what it likes.
    fn write_durably(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.write_all_at(bytes, offset)?;
        self.shared.begin(Operation::Sync, &self.path)?;
        if self.shared.simulated {
            let mut disk = self.node.disk.lock();
            let same =
                |change: &Change| matches!(change, Change::Write(at, old) if *at == offset && old == bytes);
            if let Some(change) = disk.pending.iter_mut().rfind(|change| same(change)) {
                *change = Change::Forced(offset, bytes.to_vec());
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.change(Change::SetLen(len))
    }

    fn reserve(&self, _from: u64, to: u64) -> io::Result<()> {
        if !self.shared.claims.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.shared.check(Operation::Write, &self.path)?;
        self.shared.check_room(&self.node, to)?;
        self.node.reserved.fetch_max(to, Ordering::Relaxed);
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.node.live.metadata()?.len())
    }

    fn identity(&self) -> u64 {
        self.node.identity
    }

    fn system_file(&self) -> io::Result<File> {
        self.node.live.try_clone()
    }

    fn segment_writer(self: Arc<Self>, _len: usize) -> io::Result<Box<dyn SegmentWriter>> {
        Ok(Box::new(PlainSegment(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_cut_may_lose_what_was_not_synced_and_nothing_else() {
        let (mut lost, mut kept) = (0, 0);
        for seed in 0..40 {
            let storage = MemoryStorage::simulated();
            let path = Path::new("/d/a");
            let file = storage.open(path, OpenMode::CreateNew).unwrap();
            file.write_all_at(b"first", 0).unwrap();
            file.sync().unwrap();
            storage.sync_dir(Path::new("/d")).unwrap();
            file.write_all_at(b"other", 0).unwrap();
            match &storage.after_crash(CrashMode::PowerCut, seed).unwrap().bytes(path).unwrap()[..] {
                b"first" => lost += 1,
                b"other" => kept += 1,
                bytes => panic!("{bytes:?}"),
            }
            let bytes = storage.after_crash(CrashMode::Kill, seed).unwrap().bytes(path).unwrap();
            assert_eq!(bytes, b"other");
        }
        assert!(lost > 0 && kept > 0);
    }

    #[test]
    fn a_durable_write_takes_no_other_with_it() {
        let mut lost = 0;
        for seed in 0..40 {
            let storage = MemoryStorage::simulated();
            let path = Path::new("/d/a");
            let file = storage.open(path, OpenMode::CreateNew).unwrap();
            file.write_all_at(b"....", 0).unwrap();
            file.sync().unwrap();
            storage.sync_dir(Path::new("/d")).unwrap();
            file.write_all_at(b"aa", 0).unwrap();
            file.write_durably(b"bb", 1).unwrap();
            let bytes = storage.after_crash(CrashMode::PowerCut, seed).unwrap().bytes(path).unwrap();
            assert_eq!(&bytes[1..], b"bb.", "seed {seed}");
            lost += u32::from(bytes[0] == b'.');
        }
        assert!(lost > 0);
    }
}

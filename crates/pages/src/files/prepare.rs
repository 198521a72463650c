//! The first half of a change of files: new ones are written under temporary names, and the steps that the journal gets are found,
//! with the identities of all that they are about.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use super::links::{self, Leads, Linked};
use super::{Keeping, Step, scratch_name};
use crate::core::Core;
use crate::error::{Error, ErrorKind, LinkRefused, Result};
use crate::journal::record::FileStep;
use crate::options::InjectedFault;
use crate::storage::{OpenMode, StorageFile};

/// Prepares a plan; what it has made, for the case that it fails, comes into `made`.
pub(crate) fn prepare(core: &Core, plan: &[Step], made: &mut Vec<PathBuf>) -> Result<Vec<FileStep>> {
    let names = HashMap::new();
    let mut work =
        Preparation { core, made, names, dirs: BTreeSet::new(), steps: Vec::new(), traces: Vec::new() };
    for step in plan {
        match step {
            Step::Create(to, bytes) => work.put(to, bytes)?,
            Step::CreateIn(to, folder, bytes) => work.create_in(to, folder, bytes)?,
            Step::Refill(to, bytes) => match work.look(to)? {
                Name::Linked(_, linked) => work.put(&linked.real, bytes)?,
                Name::Absent | Name::Plain(_) => match work.folder_of_session(to)? {
                    Some(folder) => work.create_in(to, &folder, bytes)?,
                    None => work.put(to, bytes)?,
                },
            },
            Step::CreateFolder(to, files) => work.create_folder(to, files)?,
            Step::Rename(from, to) => work.rename(from, to)?,
            Step::Remove(path) => work.remove(path)?,
        }
    }
    // The names that the journal is going to speak of must be there when it is read.
    for dir in &work.dirs {
        core.sync_dir(dir)?;
    }
    work.steps.append(&mut work.traces);
    Ok(work.steps)
}

/// What a name is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Absent,
    /// A file or folder with this identity, or a link that is not followed.
    Plain(u64),
    /// A link with this identity to a file outside of the data directory.
    Linked(u64, Linked),
}

struct Preparation<'a> {
    core: &'a Core,
    made: &'a mut Vec<PathBuf>,
    /// Names as the steps so far leave them. Those of files outside of the data directory are absolute and without links.
    names: HashMap<PathBuf, Name>,
    /// Folders with names that the steps are about.
    dirs: BTreeSet<PathBuf>,
    steps: Vec<FileStep>,
    /// Removals of the links that tell of new files outside of the data directory.
    traces: Vec<FileStep>,
}

impl Preparation<'_> {
    fn full(&self, path: &Path) -> PathBuf {
        self.core.datadir.join(path)
    }

    fn look(&self, path: &Path) -> Result<Name> {
        if let Some(known) = self.names.get(path) {
            return Ok(known.clone());
        }
        let (core, full) = (self.core, self.full(path));
        let failed = |e| Error::io(&full, "stat", e);
        let Some(identity) = core.storage.identity(&full).map_err(failed)? else { return Ok(Name::Absent) };
        if path.is_absolute() {
            return Ok(Name::Plain(identity));
        }
        Ok(match links::follow(&*core.storage, &core.datadir, &full).map_err(failed)? {
            Leads::Out(linked) => Name::Linked(identity, linked),
            Leads::Nowhere | Leads::Back => Name::Plain(identity),
        })
    }

    /// Notes the folder of a name that a step is about.
    fn concerns(&mut self, path: &Path) {
        let dir = self.full(path).parent().map(Path::to_owned);
        self.dirs.extend(dir);
    }

    fn write(&mut self, full: &Path, bytes: &[u8]) -> Result<u64> {
        // the folder of an absolute one is without links, and stays so
        let file = self
            .core
            .storage
            .open_unlinked(full, OpenMode::CreateNew)
            .map_err(|e| Error::io(full, "create", e))?;
        self.made.push(full.to_owned());
        self.fill(full, &*file, bytes)
    }

    fn fill(&self, full: &Path, file: &dyn StorageFile, bytes: &[u8]) -> Result<u64> {
        if !bytes.is_empty() {
            file.write_all_at(bytes, 0).map_err(|e| Error::io(full, "write", e))?;
        }
        if !self.core.fault_injected(InjectedFault::ContentUnsynced) {
            file.sync().map_err(|e| Error::io(full, "sync", e))?;
        }
        Ok(file.identity())
    }

    /// The folder in which the file without a name of a session's table lies, if one was asked for.
    fn folder_of_session(&self, path: &Path) -> Result<Option<PathBuf>> {
        if Keeping::of(path) != Keeping::Session {
            return Ok(None);
        }
        let full = self.full(path);
        let text = self.core.storage.read_link(&full).map_err(|e| Error::io(&full, "read", e))?;
        Ok(text.and_then(|text| text.parent().map(Path::to_owned)))
    }

    /// A new file under this very name.
    fn put(&mut self, to: &Path, bytes: &[u8]) -> Result<()> {
        let from = to.with_file_name(scratch_name());
        if to.is_absolute() {
            self.trace(&from)?;
        }
        let full = self.full(&from);
        let identity = match to.is_absolute() {
            true => self.write(&full, bytes)?,
            false => {
                let storage = &self.core.storage;
                let file =
                    storage.open(&full, OpenMode::CreateNew).map_err(|e| Error::io(&full, "create", e))?;
                self.made.push(full.clone());
                self.fill(&full, &*file, bytes)?
            }
        };
        self.moves(identity, from, to);
        Ok(())
    }

    fn moves(&mut self, identity: u64, from: PathBuf, to: &Path) {
        self.concerns(&from);
        self.names.insert(to.to_owned(), Name::Plain(identity));
        self.steps.push(FileStep::Rename { identity, from, to: to.to_owned() });
    }

    /// A link in the data directory to a file outside of it that is going to be made: where a start finds it that has to remove it.
    fn trace(&mut self, scratch: &Path) -> Result<()> {
        let path = PathBuf::from(scratch_name());
        let identity = self.make_link(&path, scratch)?;
        self.core.sync_dir(&self.core.datadir)?;
        self.traces.push(FileStep::Remove { identity, path });
        Ok(())
    }

    fn make_link(&mut self, path: &Path, target: &Path) -> Result<u64> {
        let full = self.full(path);
        let failed = |e| Error::io(&full, "create", e);
        let storage = &self.core.storage;
        storage.link(target, &full).map_err(failed)?;
        self.made.push(full.clone());
        let found = storage.identity(&full).map_err(failed)?;
        found.ok_or_else(|| Error::io(&full, "create", io::ErrorKind::NotFound.into()))
    }

    fn create_in(&mut self, to: &Path, folder: &Path, bytes: &[u8]) -> Result<()> {
        if Keeping::of(to) == Keeping::Session {
            let from = to.with_file_name(scratch_name());
            let full = self.full(&from);
            let file = self.core.storage.create_in(&full, folder);
            let file =
                file.map_err(|e| Error::io(folder.join(to.file_name().unwrap_or_default()), "create", e))?;
            self.made.push(full.clone());
            let identity = self.fill(&full, &*file, bytes)?;
            self.moves(identity, from, to);
            return Ok(());
        }
        let name = to.file_name().unwrap_or_default();
        let text = folder.join(name);
        let core = self.core;
        let failed = |e| Error::io(&text, "create", e);
        // one that a link names may be relative to the link
        let full = self.full(to).with_file_name("").join(folder);
        let real = core.storage.canonical(&full).map_err(failed)?;
        if links::is_inside(&*core.storage, &core.datadir, &real).map_err(failed)? {
            return Err(failed(io::Error::other(LinkRefused)));
        }
        let real = real.join(name);
        let own = matches!(self.look(to)?, Name::Linked(_, linked) if linked.real == real);
        if !own && self.look(&real)? != Name::Absent {
            return Err(failed(rustix::io::Errno::EXIST.into()));
        }
        // Its scratch file has another name than the one to be told of.
        self.put(&real, bytes).map_err(|e| e.about_file(&text))?;
        self.link(to, Linked { text, real })
    }

    /// Puts a link under a name.
    fn link(&mut self, to: &Path, linked: Linked) -> Result<()> {
        let from = to.with_file_name(scratch_name());
        let identity = self.make_link(&from, &linked.text)?;
        self.moves(identity, from, to);
        self.names.insert(to.to_owned(), Name::Linked(identity, linked));
        Ok(())
    }

    fn create_folder(&mut self, to: &Path, files: &[(PathBuf, Vec<u8>)]) -> Result<()> {
        if self.look(to)? != Name::Absent {
            return Err(Error::io(self.full(to), "create", io::ErrorKind::AlreadyExists.into()));
        }
        let from = to.with_file_name(scratch_name());
        let (core, full) = (self.core, self.full(&from));
        core.storage.create_dir(&full).map_err(|e| Error::io(&full, "create", e))?;
        self.made.push(full.clone());
        for (name, bytes) in files {
            let path = full.join(name);
            let file = core.storage.open(&path, OpenMode::CreateNew);
            let file = file.map_err(|e| Error::io(&path, "create", e))?;
            self.made.push(path.clone());
            self.fill(&path, &*file, bytes)?;
        }
        core.sync_dir(&full)?;
        let found = core.storage.identity(&full).map_err(|e| Error::io(&full, "stat", e))?;
        let identity = found.ok_or_else(|| Error::io(&full, "create", io::ErrorKind::NotFound.into()))?;
        self.moves(identity, from, to);
        Ok(())
    }

    fn rename(&mut self, from: &Path, to: &Path) -> Result<()> {
        let missing = |path: &Path| Error::io(path, "rename", io::ErrorKind::NotFound.into());
        let replaced = self.look(to)?;
        let (identity, linked) = match self.look(from)? {
            Name::Absent => return Err(missing(&self.full(from))),
            Name::Plain(identity) => {
                // what the journal has must be possible: it would be tried for ever
                let (old, new) = (self.full(from), self.full(to));
                let failed = |e| Error::io(&old, "rename", e);
                if !self.core.storage.can_move(&old, &new).map_err(failed)? {
                    return Err(ErrorKind::CrossesDevices { from: old, to: new }.into());
                }
                self.moves(identity, from.to_owned(), to);
                self.names.insert(from.to_owned(), Name::Absent);
                return self.drop_behind(&replaced, None);
            }
            Name::Linked(identity, linked) => (identity, linked),
        };
        let storage = &*self.core.storage;
        let moved = linked
            .with_name(storage, &self.full(from), to)
            .map_err(|e| Error::io(self.full(to), "rename", e))?;
        let Name::Plain(content) = self.look(&linked.real)? else { return Err(missing(&linked.real)) };
        if moved.real != linked.real {
            let own = matches!(&replaced, Name::Linked(_, old) if old.real == moved.real);
            if !own && self.look(&moved.real)? != Name::Absent {
                return Err(Error::io(&moved.text, "create", rustix::io::Errno::EXIST.into()));
            }
            self.moves(content, linked.real.clone(), &moved.real);
            self.names.insert(linked.real, Name::Absent);
        }
        let real = moved.real.clone();
        self.link(to, moved)?;
        if from != to {
            self.steps.push(FileStep::Remove { identity, path: from.to_owned() });
            self.concerns(from);
            self.names.insert(from.to_owned(), Name::Absent);
        }
        self.drop_behind(&replaced, Some(&real))
    }

    fn remove(&mut self, path: &Path) -> Result<()> {
        let name = self.look(path)?;
        self.drop_behind(&name, None)?;
        if let Name::Plain(identity) | Name::Linked(identity, _) = name {
            self.names.insert(path.to_owned(), Name::Absent);
            self.steps.push(FileStep::Remove { identity, path: path.to_owned() });
        }
        Ok(())
    }

    /// Removes the file that a link led to, unless it is the one that stays.
    fn drop_behind(&mut self, name: &Name, stays: Option<&Path>) -> Result<()> {
        let Name::Linked(_, linked) = name else { return Ok(()) };
        if stays == Some(&*linked.real) {
            return Ok(());
        }
        if let Name::Plain(identity) = self.look(&linked.real)? {
            self.names.insert(linked.real.clone(), Name::Absent);
            self.steps.push(FileStep::Remove { identity, path: linked.real.clone() });
        }
        Ok(())
    }
}

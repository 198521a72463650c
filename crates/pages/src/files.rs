//! Changes of files that happen all or not at all: create, rename, remove, decided by identity, journaled.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::core::Core;
use crate::error::{Error, Result};
use crate::journal::record::{FileStep, Kind, Payload};
use crate::storage::{OpenMode, Storage};

const TEMPORARY: &str = "#sql-isambard-";

/// Changes to files that happen all or not at all. Paths are relative to the data directory.
#[derive(Debug, Default)]
pub struct FilePlan {
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Create(PathBuf, Vec<u8>),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
}

impl FilePlan {
    /// Nothing yet.
    pub fn new() -> FilePlan {
        FilePlan::default()
    }

    /// A file with these bytes; it replaces an existing one.
    #[must_use]
    pub fn create(mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> FilePlan {
        self.steps.push(Step::Create(path.into(), bytes.into()));
        self
    }

    /// Renames; replaces an existing file. The content must have been synced by who wrote it.
    #[must_use]
    pub fn rename(mut self, from: impl Into<PathBuf>, to: impl Into<PathBuf>) -> FilePlan {
        self.steps.push(Step::Rename(from.into(), to.into()));
        self
    }

    /// Removes; nothing happens if the file is not there.
    #[must_use]
    pub fn remove(mut self, path: impl Into<PathBuf>) -> FilePlan {
        self.steps.push(Step::Remove(path.into()));
        self
    }
}

static TEMPORARIES: AtomicU64 = AtomicU64::new(0);

/// Carries out a plan. Durable on return. `forget`: tables whose journaled changes mean nothing afterwards.
pub(crate) fn apply(core: &Core, plan: FilePlan, forget: &[u32]) -> Result<()> {
    let _files = core.files.lock();
    let mut made = Vec::new();
    let prepared = prepare(core, plan, &mut made).and_then(|steps| {
        let mut payload = Payload::default();
        payload.files(forget, &steps);
        let lsn = core.journal.append(Kind::Files, &payload.0, None, |tail, _| {
            for id in forget {
                tail.guarded.remove(id);
            }
        })?;
        Ok((steps, lsn.unwrap_or(0)))
    });
    let (steps, lsn) = match prepared {
        Ok(prepared) => prepared,
        Err(e) => {
            for path in made {
                let _ = core.storage.remove(&path);
            }
            return Err(e);
        }
    };
    core.journal.sync_to(lsn)?;
    let done = carry_out(&*core.storage, &core.datadir, &steps);
    if let Err(e) = done {
        // The plan is in the journal: it is finished at the next start, and no checkpoint may pass it before.
        core.files_unfinished.store(true, Ordering::Release);
        return Err(e);
    }
    let mut payload = Payload::default();
    payload.u64(lsn);
    core.journal.append(Kind::FilesDone, &payload.0, None, |_, _| {})?;
    Ok(())
}

/// Writes new files under temporary names and finds the identities of all.
fn prepare(core: &Core, plan: FilePlan, made: &mut Vec<PathBuf>) -> Result<Vec<FileStep>> {
    let mut steps = Vec::with_capacity(plan.steps.len());
    let mut dirs = BTreeSet::new();
    let identity = |path: &Path| {
        let full = core.datadir.join(path);
        core.storage.identity(&full).map_err(|e| Error::io(&full, "stat", e))
    };
    for step in plan.steps {
        match step {
            Step::Create(to, bytes) => {
                let number = TEMPORARIES.fetch_add(1, Ordering::Relaxed);
                let from = to.with_file_name(format!("{TEMPORARY}{:x}-{number:x}", std::process::id()));
                let full = core.datadir.join(&from);
                let file = core
                    .storage
                    .open(&full, OpenMode::CreateNew)
                    .map_err(|e| Error::io(&full, "create", e))?;
                made.push(full.clone());
                if !bytes.is_empty() {
                    file.write_all_at(&bytes, 0).map_err(|e| Error::io(&full, "write", e))?;
                }
                file.sync().map_err(|e| Error::io(&full, "sync", e))?;
                dirs.extend(full.parent().map(Path::to_owned));
                steps.push(FileStep::Rename { identity: file.identity(), from, to });
            }
            Step::Rename(from, to) => {
                let Some(identity) = identity(&from)? else {
                    let full = core.datadir.join(from);
                    return Err(Error::io(full, "rename", std::io::ErrorKind::NotFound.into()));
                };
                dirs.extend(core.datadir.join(&from).parent().map(Path::to_owned));
                steps.push(FileStep::Rename { identity, from, to });
            }
            Step::Remove(path) => {
                if let Some(identity) = identity(&path)? {
                    steps.push(FileStep::Remove { identity, path });
                }
            }
        }
    }
    // The names that the journal is going to speak of must be there when it is read.
    for dir in dirs {
        core.sync_dir(&dir)?;
    }
    Ok(steps)
}

/// Does what is not done yet, and makes the names durable.
pub(crate) fn carry_out(storage: &dyn Storage, datadir: &Path, steps: &[FileStep]) -> Result<()> {
    let mut dirs = BTreeSet::new();
    let is = |path: &Path, identity: u64| {
        let found = storage.identity(path).map_err(|e| Error::io(path, "stat", e))?;
        Ok::<bool, Error>(found == Some(identity))
    };
    for step in steps {
        match step {
            FileStep::Rename { identity, from, to } => {
                let (from, to) = (datadir.join(from), datadir.join(to));
                if is(&from, *identity)? {
                    storage.rename(&from, &to).map_err(|e| Error::io(&from, "rename", e))?;
                }
                dirs.extend([from.parent(), to.parent()].into_iter().flatten().map(Path::to_owned));
            }
            FileStep::Remove { identity, path } => {
                let path = datadir.join(path);
                if is(&path, *identity)? {
                    storage.remove(&path).map_err(|e| Error::io(&path, "remove", e))?;
                }
                dirs.extend(path.parent().map(Path::to_owned));
            }
        }
    }
    for dir in dirs {
        match storage.sync_dir(&dir) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            other => other.map_err(|e| Error::io(&dir, "sync", e))?,
        }
    }
    Ok(())
}

/// Removes files that an interrupted plan has left under temporary names.
pub(crate) fn remove_leftovers(storage: &dyn Storage, datadir: &Path) -> Result<()> {
    let list = |dir: &Path| storage.list(dir).map_err(|e| Error::io(dir, "list", e));
    let mut entries = list(datadir)?;
    for (dir, is_dir) in entries.clone() {
        if is_dir {
            // A folder that may not be read is none of ours.
            entries.extend(list(&dir).unwrap_or_default());
        }
    }
    for (path, is_dir) in entries {
        let ours =
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(TEMPORARY));
        if ours && !is_dir {
            storage.remove(&path).map_err(|e| Error::io(&path, "remove", e))?;
        }
    }
    Ok(())
}

//! Changes of files that happen all or not at all: create, rename, remove, decided by identity, journaled.

pub(crate) mod links;
mod prepare;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use self::links::Leads;
use self::prepare::prepare;
use crate::core::Core;
use crate::error::{Error, ErrorKind, Result};
use crate::journal::record::{FileStep, Kind, Payload};
use crate::options::{InjectedFault, Lsn};
use crate::storage::Storage;
use crate::table::PagedTable;

/// Names of files and folders that begin so are work in progress: after a crash they are removed, and nothing of them is
/// recovered.
pub const SCRATCH_PREFIX: &str = "#sql-isambard-";
/// The folder of tables that live no longer than a session. Its files have no names on the disk: what is written to them is neither
/// journaled nor synced, and leaves memory when it becomes much. (Servers before kept it in the data directory: it is emptied at the
/// start.)
pub const SESSION_FOLDER: &str = "#sqltmp";

/// The folder of tables that live in memory: their files have no names on the disk, and what is written to them is neither
/// journaled nor checkpointed.
pub const MEMORY_FOLDER: &str = "#memory";

/// What becomes of the pages of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// They are journaled, and a checkpoint brings them into the table's files.
    Journaled,
    /// They go into the table's files when there are many, without journal, guard and sync: the table is its session's.
    Session,
    /// They stay in memory.
    Memory,
}

impl Keeping {
    /// As the folder of a table (relative to the data directory) has it.
    pub(crate) fn of(base: &Path) -> Keeping {
        if base.starts_with(MEMORY_FOLDER) {
            Keeping::Memory
        } else if base.starts_with(SESSION_FOLDER) {
            Keeping::Session
        } else {
            Keeping::Journaled
        }
    }
}

/// Changes to files that happen all or not at all. Paths are relative to the data directory. The name of a table's file may be a
/// symbolic link out of it: the file goes with its name.
#[derive(Debug, Default)]
pub struct FilePlan {
    pub(crate) steps: Vec<Step>,
}

/// A step as it was asked for.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Create(PathBuf, Vec<u8>),
    CreateIn(PathBuf, PathBuf, Vec<u8>),
    Refill(PathBuf, Vec<u8>),
    CreateFolder(PathBuf, Vec<(PathBuf, Vec<u8>)>),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
}

impl FilePlan {
    /// Nothing yet.
    pub fn new() -> FilePlan {
        FilePlan::default()
    }

    /// A file with these bytes; it replaces an existing one. The file behind a link stays.
    #[must_use]
    pub fn create(mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> FilePlan {
        self.steps.push(Step::Create(path.into(), bytes.into()));
        self
    }

    /// A file with these bytes in a folder outside of the data directory, if one is given, where none may have its name, and a link
    /// to it.
    #[must_use]
    pub fn create_in(
        mut self,
        folder: Option<&Path>,
        path: impl Into<PathBuf>,
        bytes: impl Into<Vec<u8>>,
    ) -> FilePlan {
        self.steps.push(match folder {
            Some(folder) => Step::CreateIn(path.into(), folder.to_owned(), bytes.into()),
            None => Step::Create(path.into(), bytes.into()),
        });
        self
    }

    /// A new file with these bytes in the place of one, wherever it lies.
    #[must_use]
    pub fn refill(mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> FilePlan {
        self.steps.push(Step::Refill(path.into(), bytes.into()));
        self
    }

    /// A folder with these files in it (name and bytes). Nothing may have its name.
    #[must_use]
    pub fn create_folder(mut self, path: impl Into<PathBuf>, files: Vec<(PathBuf, Vec<u8>)>) -> FilePlan {
        self.steps.push(Step::CreateFolder(path.into(), files));
        self
    }

    /// Renames a file or folder; replaces an existing file. The content must have been synced by who wrote it. Steps see
    /// what the steps before them did, so that names can be exchanged.
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

    /// Is it about files of one session alone, which nobody finds after a crash?
    fn is_of_session(&self) -> bool {
        let of_session = |path: &Path| path.components().any(|part| part.as_os_str() == SESSION_FOLDER);
        self.steps.iter().all(|step| match step {
            Step::Create(path, _)
            | Step::CreateIn(path, _, _)
            | Step::Refill(path, _)
            | Step::Remove(path) => of_session(path),
            Step::CreateFolder(..) => false,
            Step::Rename(from, to) => of_session(from) && of_session(to),
        })
    }
}

static SCRATCH: AtomicU64 = AtomicU64::new(0);

/// A name for work in progress that nobody else has.
#[must_use]
pub fn scratch_name() -> String {
    let number = SCRATCH.fetch_add(1, Ordering::Relaxed);
    format!("{SCRATCH_PREFIX}{:x}-{number:x}", std::process::id())
}

/// Does a path (relative to the data directory) lead to something that a restart throws away?
pub(crate) fn is_scratch(path: &Path) -> bool {
    path.components().any(|part| match part {
        Component::Normal(name) => {
            name == SESSION_FOLDER || name.to_str().is_some_and(|name| name.starts_with(SCRATCH_PREFIX))
        }
        _ => false,
    })
}

/// What became of a plan.
pub(crate) enum Outcome {
    /// Nothing was changed, nor will it be while this process lives.
    Refused(Error),
    /// The journal has it: it is carried out, or will be (see [`ErrorKind::Unfinished`]), and nobody sees the half.
    Decided(Result<()>),
}

impl Outcome {
    /// Success, or what went wrong.
    pub(crate) fn result(self) -> Result<()> {
        match self {
            Outcome::Refused(e) => Err(e),
            Outcome::Decided(result) => result,
        }
    }
}

/// A plan that the journal has, and not that it is done.
pub(crate) struct Decided {
    /// Its records; a checkpoint that could not wait for it has put it down again.
    lsns: Vec<Lsn>,
    steps: Vec<FileStep>,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Planned,
    /// Some of it may be done.
    Begun,
    /// All is done, durably; the journal is still to be told.
    CarriedOut,
}

/// The plan that is not done, if there is one: another one begins only when it is.
pub(crate) type Unfinished = Option<Decided>;

/// How often a plan is tried before its statement is told that it will be done later.
const TRIES: usize = 3;

/// Carries out a plan. Durable on return. `forget`: tables whose journaled changes mean nothing afterwards.
pub(crate) fn apply(core: &Core, plan: FilePlan, forget: &[Arc<PagedTable>]) -> Outcome {
    if plan.is_of_session() && !forget.iter().any(|table| table.is_journaled()) {
        return apply_of_session(core, &plan, forget);
    }
    if let Err(e) = core.throttle(&|| false) {
        return Outcome::Refused(e);
    }
    let mut unfinished = core.files.lock();
    // What an earlier plan left undone might concern the same names.
    if let Err(e) = finish(core, &mut unfinished) {
        return Outcome::Refused(e);
    }
    let mut made = Vec::new();
    let mut prepare = || {
        let steps = prepare(core, &plan.steps, &mut made);
        if steps.is_err() {
            remove_created(core, &mut made);
        }
        steps
    };
    // What replaces or removes tables makes room in the end.
    let steps = if forget.is_empty() { prepare() } else { core.journal.with_reserve(&mut prepare) };
    let prepared = steps.and_then(|steps| {
        let mut payload = Payload::default();
        let ids: Vec<u32> = forget.iter().map(|table| table.id).collect();
        payload.files(&ids, &steps);
        let lsn = core.journal.append(Kind::Files, &payload.0, None, |tail, _| {
            for id in &ids {
                tail.guarded.remove(id);
            }
        })?;
        Ok((steps, lsn.unwrap_or(0)))
    });
    let (steps, lsn) = match prepared {
        Ok(prepared) => prepared,
        Err(e) => {
            remove_created(core, &mut made);
            return Outcome::Refused(e);
        }
    };
    if !core.fault_injected(InjectedFault::FilesUnsynced)
        && let Err(e) = core.journal.sync_to(lsn)
    {
        // The journal takes nothing more, so nothing is touched before the next start, which may find the plan and needs the
        // new files then.
        return Outcome::Refused(e);
    }
    for table in forget {
        table.forgotten.store(true, Ordering::Release);
    }
    *unfinished = Some(Decided { lsns: vec![lsn], steps, progress: Progress::Planned });
    let mut result = Ok(());
    for _ in 0..TRIES {
        result = finish(core, &mut unfinished);
        if result.is_ok() || core.journal.check().is_err() {
            break;
        }
    }
    Outcome::Decided(match (result, &*unfinished) {
        (Err(e), Some(plan)) if plan.progress != Progress::CarriedOut => {
            tracing::error!("a definition statement could not be carried out, and is tried again: {e}");
            Err(ErrorKind::Unfinished { cause: e }.into())
        }
        _ => Ok(()),
    })
}

/// Carries out a plan about files of one session: nothing is left of them after a crash, so that no journal needs to know.
fn apply_of_session(core: &Core, plan: &FilePlan, forget: &[Arc<PagedTable>]) -> Outcome {
    let mut made = Vec::new();
    match prepare(core, &plan.steps, &mut made) {
        Ok(steps) => {
            for table in forget {
                table.forgotten.store(true, Ordering::Release);
            }
            Outcome::Decided(carry_out(&*core.storage, &core.datadir, &steps, false))
        }
        Err(e) => {
            remove_created(core, &mut made);
            Outcome::Refused(e)
        }
    }
}

/// Removes what was made for a plan that is refused.
fn remove_created(core: &Core, made: &mut Vec<PathBuf>) {
    for path in made.drain(..).rev() {
        if core.storage.remove(&path).is_err() {
            let _ = core.storage.remove_dir(&path);
        }
    }
}

/// Carries out what could not be carried out before.
pub(crate) fn finish(core: &Core, unfinished: &mut Unfinished) -> Result<()> {
    let Some(plan) = unfinished else { return Ok(()) };
    let result = go_on(core, plan);
    core.half_done.store(plan.progress == Progress::Begun, Ordering::Release);
    if result.is_ok() {
        *unfinished = None;
    }
    result
}

fn go_on(core: &Core, plan: &mut Decided) -> Result<()> {
    if plan.progress != Progress::CarriedOut {
        plan.progress = Progress::Begun;
        carry_out(
            &*core.storage,
            &core.datadir,
            &plan.steps,
            !core.fault_injected(InjectedFault::NamesUnsynced),
        )?;
        plan.progress = Progress::CarriedOut;
    }
    for lsn in &plan.lsns {
        let mut payload = Payload::default();
        payload.u64(*lsn);
        core.journal.append(Kind::FilesDone, &payload.0, None, |_, _| {})?;
    }
    Ok(())
}

/// A checkpoint begins, which will free the records before it: a plan that cannot be finished now is put down again.
pub(crate) fn rejournal(core: &Core, unfinished: &mut Unfinished) -> Result<()> {
    let Some(plan) = unfinished else { return Ok(()) };
    if core.fault_injected(InjectedFault::PlanForgotten) {
        return Ok(());
    }
    let mut payload = Payload::default();
    payload.files(&[], &plan.steps);
    let lsn = core.journal.append(Kind::Files, &payload.0, None, |_, _| {})?;
    plan.lsns.extend(lsn);
    Ok(())
}

/// Called before a path is accessed: finishes a half-executed plan that affects it.
#[inline]
pub(crate) fn finish_pending(core: &Core, path: &Path, list: bool) -> Result<()> {
    if core.half_done.load(Ordering::Acquire) { finish_pending_now(core, path, list) } else { Ok(()) }
}

#[cold]
fn finish_pending_now(core: &Core, path: &Path, list: bool) -> Result<()> {
    let mut unfinished = core.files.lock();
    let behind = match links::follow(&*core.storage, &core.datadir, path) {
        Ok(Leads::Out(linked)) => Some(linked.real),
        _ => None,
    };
    let touches = |name: &PathBuf| {
        let full = core.datadir.join(name);
        path.starts_with(&full) || (list && full.parent() == Some(path)) || behind.as_ref() == Some(&full)
    };
    let concerned = unfinished.as_ref().is_some_and(|plan| {
        plan.progress == Progress::Begun
            && plan.steps.iter().any(|step| match step {
                FileStep::Rename { from, to, .. } => touches(from) || touches(to),
                FileStep::Remove { path, .. } => touches(path),
            })
    });
    if !concerned {
        return Ok(());
    }
    match finish(core, &mut unfinished) {
        // Done, even if the journal could not be told.
        Err(cause) if core.half_done.load(Ordering::Acquire) => Err(ErrorKind::Unfinished { cause }.into()),
        _ => Ok(()),
    }
}

/// For the background: tries again.
pub(crate) fn retry(core: &Core) {
    if core.half_done.load(Ordering::Acquire) && finish(core, &mut core.files.lock()).is_ok() {
        tracing::info!("the definition statement that could not be carried out is done");
    }
}

/// Does what is not done yet, and makes the names durable.
pub(crate) fn carry_out(
    storage: &dyn Storage,
    datadir: &Path,
    steps: &[FileStep],
    durably: bool,
) -> Result<()> {
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
    for dir in dirs.into_iter().filter(|_| durably) {
        match storage.sync_dir(&dir) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            other => other.map_err(|e| Error::io(&dir, "sync", e))?,
        }
    }
    Ok(())
}

/// Removes what was work in progress when the process died, and the tables of its sessions.
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
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let session_table = path.parent().is_some_and(|dir| dir == datadir.join(SESSION_FOLDER));
        if name.starts_with(SCRATCH_PREFIX) || session_table {
            remove_linked_leftover(storage, &path)?;
            remove_tree(storage, &path, is_dir)?;
        }
    }
    Ok(())
}

/// Removes the file in another folder that a link leads to, when its own name says that it is work in progress.
fn remove_linked_leftover(storage: &dyn Storage, path: &Path) -> Result<()> {
    let target = storage.read_link(path).map_err(|e| Error::io(path, "read", e))?;
    match target {
        Some(target)
            if target.is_absolute() && is_scratch(Path::new(target.file_name().unwrap_or_default())) =>
        {
            tracing::info!("'{}' was work in progress: removed", target.display());
            remove_tree(storage, &target, false)
        }
        _ => Ok(()),
    }
}

/// Removes a file, or a folder with what is in it. What is gone already is no error.
pub(crate) fn remove_tree(storage: &dyn Storage, path: &Path, is_dir: bool) -> Result<()> {
    let gone = |result: std::io::Result<()>| match result {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(|e| Error::io(path, "remove", e)),
    };
    if !is_dir {
        return gone(storage.remove(path));
    }
    for (inner, inner_dir) in storage.list(path).map_err(|e| Error::io(path, "list", e))? {
        remove_tree(storage, &inner, inner_dir)?;
    }
    gone(storage.remove_dir(path))
}

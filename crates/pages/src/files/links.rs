//! Files of tables that lie in other folders: their names in the data directory are symbolic links to them.
//!
//! A link that leads into the data directory is not followed: it would make one file two tables'.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{MEMORY_FOLDER, SESSION_FOLDER};
use crate::error::LinkRefused;
use crate::storage::{OpenMode, Storage, StorageFile};

/// Where the name of a table's file leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// It is no link, or one to nothing.
    Nowhere,
    /// Out of the data directory.
    Out(Linked),
    /// Into the data directory.
    Back,
}

/// A link to a file of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linked {
    /// What is written in the link.
    pub(crate) text: PathBuf,
    /// The file's path without links.
    pub(crate) real: PathBuf,
}

impl Linked {
    /// The same folder with another file in it.
    pub(crate) fn with_name(&self, storage: &dyn Storage, link: &Path, name: &Path) -> io::Result<Linked> {
        let real = match name.file_name() {
            Some(name) => self.real.with_file_name(name),
            None => return Err(io::ErrorKind::InvalidFilename.into()),
        };
        // The folder is named as it was, unless a second link leads on from there.
        let folder = self.text.parent().unwrap_or(Path::new(""));
        let full = link.parent().unwrap_or(Path::new("")).join(folder);
        let same = storage.canonical(&full).is_ok_and(|found| Some(&*found) == real.parent());
        let text =
            if same { self.text.with_file_name(name.file_name().unwrap_or_default()) } else { real.clone() };
        Ok(Linked { text, real })
    }
}

/// May the file be a link? Definitions, triggers and journals may not.
pub(crate) fn is_linkable(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "MYI" || extension == "MYD")
}

/// Is a folder the data directory, or in it?
///
/// # Errors
/// Those of the system.
pub fn is_inside(storage: &dyn Storage, datadir: &Path, folder: &Path) -> io::Result<bool> {
    Ok(folder.starts_with(storage.canonical(datadir)?))
}

/// Where a name leads.
pub(crate) fn follow(storage: &dyn Storage, datadir: &Path, path: &Path) -> io::Result<Leads> {
    let of_process =
        [MEMORY_FOLDER, SESSION_FOLDER].iter().any(|folder| path.starts_with(datadir.join(folder)));
    if of_process || !is_linkable(path) {
        return Ok(Leads::Nowhere);
    }
    let Some(text) = storage.read_link(path)? else { return Ok(Leads::Nowhere) };
    match storage.canonical(path) {
        Ok(real) if is_inside(storage, datadir, &real)? => Ok(Leads::Back),
        Ok(real) => Ok(Leads::Out(Linked { text, real })),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Leads::Nowhere),
        Err(e) => Err(e),
    }
}

/// Opens a file of the data directory, or the one that its name leads to.
pub(crate) fn open(
    storage: &dyn Storage,
    datadir: &Path,
    path: &Path,
    mode: OpenMode,
) -> io::Result<Arc<dyn StorageFile>> {
    if mode == OpenMode::CreateNew {
        return storage.open(path, mode);
    }
    match follow(storage, datadir, path)? {
        Leads::Nowhere => storage.open(path, mode),
        Leads::Out(linked) => storage.open_unlinked(&linked.real, mode),
        Leads::Back => Err(io::Error::other(LinkRefused)),
    }
}

/// Does a name lead to the file with this identity?
pub(crate) fn leads_to(
    storage: &dyn Storage,
    datadir: &Path,
    path: &Path,
    identity: u64,
) -> io::Result<bool> {
    let found = storage.identity(path)?;
    if found.is_none() || found == Some(identity) {
        return Ok(found.is_some());
    }
    match follow(storage, datadir, path)? {
        Leads::Out(linked) => Ok(storage.identity(&linked.real)? == Some(identity)),
        Leads::Nowhere | Leads::Back => Ok(false),
    }
}

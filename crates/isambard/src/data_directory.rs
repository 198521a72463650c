//! Which folders are taken for a data directory.

use std::fs::{self, File};
use std::path::Path;

use rustix::process::{Flock, FlockType, fcntl_getlk};

/// What a server that stopped leaves beside the databases.
const MARKS: &[&str] = &["isambard.lock", "ibdata1", "aria_log_control"];
/// Files that other programs put into folders that are empty otherwise.
const NOTHING: &[&str] = &["lost+found", "isambard.sock", ".gitignore"];
/// Files that a running mariadbd or mysqld keeps locked.
const LOCKED: &[&str] = &["aria_log_control", "ibdata1"];

/// Checks that a folder is a data directory or may become one: it is missing, empty, or looks like one; `init` takes any.
///
/// # Errors
/// Why not, for people.
pub fn check(folder: &Path, init: bool) -> Result<(), String> {
    let shown = folder.display();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(format!("{shown}: cannot read the data directory: {e}")),
    };
    if let Some(holder) = running(folder) {
        return Err(format!(
            "{shown}: another server runs on this data directory ({holder}); two would destroy it. Stop that one first."
        ));
    }
    let mut empty = true;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is = |names: &[&str]| names.iter().any(|n| name == *n);
        if is(MARKS) || has_tables(&entry.path()) {
            return Ok(());
        }
        empty = empty && is(NOTHING);
    }
    if empty || init {
        return Ok(());
    }
    Err(format!(
        "{shown}: this folder holds files and does not look like a data directory (no table in any folder of it). \
         Take an empty folder or one that does not exist; --init takes this one all the same."
    ))
}

/// Whether a folder is a database with at least one table.
fn has_tables(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|e| {
        let name = e.file_name();
        name == "db.opt"
            || Path::new(&name).extension().is_some_and(|x| x == "frm" || x == "MYI" || x == "MYD")
    })
}

/// The server that runs on this folder, of whatever kind.
pub fn server_of(folder: &Path) -> Option<String> {
    let own = || {
        let lock = File::options().read(true).write(true).open(folder.join(MARKS[0])).ok()?;
        let free = rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok();
        (!free).then(|| format!("it holds {}", MARKS[0]))
    };
    running(folder).or_else(own)
}

/// The file that a running server of MariaDB or MySQL keeps locked, and by whom.
fn running(folder: &Path) -> Option<String> {
    LOCKED.iter().find_map(|name| {
        // Without the right to read it nothing else could be opened either: that error comes later.
        let file = File::options().read(true).write(true).open(folder.join(name)).ok()?;
        let held = fcntl_getlk(&file, &Flock::from(FlockType::WriteLock)).ok()??;
        let pid = held.pid.map_or_else(|| "?".into(), |pid| pid.as_raw_nonzero().to_string());
        Some(format!("process {pid} holds {name}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_data_directories_and_empty_folders_are_taken() {
        let dir = tempfile::tempdir().expect("folder");
        let place = |name: &str| dir.path().join(name);
        assert!(check(&place("missing/deeper"), false).is_ok());
        assert!(check(dir.path(), false).is_ok(), "empty");
        fs::write(place("isambard.sock"), "").expect("file");
        assert!(check(dir.path(), false).is_ok(), "nothing of anybody else");
        fs::create_dir(place("mysql")).expect("folder");
        fs::write(place("mysql/my.cnf"), "").expect("file");
        let error = check(dir.path(), false).expect_err("no data directory");
        assert!(error.contains("--init"), "{error}");
        assert!(check(dir.path(), true).is_ok());
        fs::write(place("mysql/user.frm"), "").expect("file");
        assert!(check(dir.path(), false).is_ok(), "tables");
        assert!(check(&place("mysql/my.cnf"), true).is_err(), "a file");
    }
}

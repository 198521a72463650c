//! BACKUP SERVER TO: a copy of everything as of one moment, while writers go on.
//!
//! All tables are opened and one moment is taken for all of them; each is then copied as of it, and let go as soon as it is
//! copied, so that a statement that changes its definition waits no longer than that. The copy grows beside its place
//! under a name that ends in `.incomplete`, and takes its name when all of it is on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pages::PagedTable;
use pages::storage::{OpenMode, Storage};
use schema::file_name;

use crate::ast::quote_string;
use crate::catalog::engines::Stored;
use crate::engine::Engine;
use crate::error::{self, SqlError, SqlResult};
use crate::failure::from_pages;
use crate::locks::Waiter;
use crate::locks::names::Mode;
use crate::names::INFORMATION_SCHEMA;
use crate::table::OpenTable;
use crate::table::partition::table_of_part;

/// How far a backup is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Tables copied.
    pub tables: u64,
    /// Tables to copy.
    pub of_tables: u64,
    /// Bytes copied.
    pub bytes: u64,
    /// Bytes to copy, as of the start.
    pub of_bytes: u64,
}

/// What a backup holds.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Tables copied.
    pub tables: u64,
    /// Bytes of their rows and keys.
    pub bytes: u64,
    /// Tables of other engines or of a kind that is not served, which were left out, and why.
    pub left_out: Vec<(String, String)>,
    /// Tables that were left out because they are damaged, and their errors.
    pub damaged: Vec<(String, SqlError)>,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Summary { tables, bytes, left_out, damaged } = self;
        write!(
            f,
            "Tables: {tables}  Bytes: {bytes}  Left out: {}  Damaged: {}",
            left_out.len(),
            damaged.len()
        )
    }
}

/// Ending of the name of a copy that is not complete.
pub const INCOMPLETE: &str = ".incomplete";
/// How often the list of tables may change while the moment is being taken.
const TRIES: u32 = 1000;

/// A moment of all tables.
struct Moment<'s> {
    tables: Vec<Arc<OpenTable>>,
    snapshots: Vec<Option<pages::Snapshot<'s>>>,
    /// Their `.frm` files: a definition may change while the snapshot's files are copied, which readers keep.
    definitions: Vec<Vec<u8>>,
    /// Tables that cannot be opened.
    damaged: Vec<(String, SqlError)>,
    /// Tables that are whole, but not served here, and why.
    others: Vec<(String, String)>,
}

/// What is to be copied, by name: the list is taken before and after the moment, and must be the same.
#[derive(PartialEq, Eq)]
struct Listing {
    databases: Vec<String>,
    tables: Vec<(String, String)>,
    views: Vec<(String, String)>,
    foreign: Vec<(String, String, String)>,
}

impl Listing {
    fn of(engine: &Engine) -> SqlResult<Listing> {
        let mut list = Listing { databases: vec![], tables: vec![], views: vec![], foreign: vec![] };
        for db in engine.catalog.database_names()? {
            if db == INFORMATION_SCHEMA {
                continue;
            }
            let names = match engine.catalog.table_names(&db) {
                Ok(names) => names,
                // Dropped between the two lists: the second look will tell.
                Err(e) if e.code == error::ER_BAD_DB_ERROR => continue,
                Err(e) => return Err(e),
            };
            for name in names {
                match engine.catalog.stored(&db, &name) {
                    Stored::View => list.views.push((db.clone(), name)),
                    Stored::Foreign(other) => list.foreign.push((db.clone(), name, other)),
                    Stored::Table | Stored::Damaged => list.tables.push((db.clone(), name)),
                }
            }
            list.databases.push(db);
        }
        Ok(list)
    }
}

/// Copies everything to `target`, which must not exist or be an empty folder. `progress` may stop it with an error. Damaged tables
/// are left out with `skip_damaged`.
///
/// # Errors
/// 1086 when something is in the way; those of reading and writing; damaged tables. What was written is removed then.
pub fn backup(
    engine: &Arc<Engine>,
    target: &Path,
    skip_damaged: bool,
    progress: &mut dyn FnMut(&Progress) -> SqlResult<()>,
) -> SqlResult<Summary> {
    let storage = Arc::clone(engine.store().storage());
    let (target, growing) = places(engine, &*storage, target)?;
    let io = |e: &std::io::Error, path: &Path| cannot_write(path, e);
    storage.create_dir(&growing).map_err(|e| io(&e, &growing))?;
    let result = fill(engine, &*storage, &growing, skip_damaged, progress).and_then(|summary| {
        if storage.is_dir(&target).unwrap_or(false) {
            storage.remove_dir(&target).map_err(|e| io(&e, &target))?;
        }
        storage.rename(&growing, &target).map_err(|e| io(&e, &target))?;
        let parent = target.parent().unwrap_or(Path::new("/"));
        storage.sync_dir(parent).map_err(|e| io(&e, parent))?;
        Ok(summary)
    });
    if result.is_err()
        && let Err(e) = pages::storage::remove_tree(&*storage, &growing)
    {
        tracing::warn!("what there is of the backup stays: {e}");
    }
    result
}

/// The folder of the copy, and the one it grows in.
fn places(engine: &Engine, storage: &dyn Storage, target: &Path) -> SqlResult<(PathBuf, PathBuf)> {
    let wrong = |what: String| Err(SqlError::with_message(error::ER_WRONG_ARGUMENTS, what));
    if !target.is_absolute() {
        return wrong(format!("BACKUP SERVER TO needs an absolute path, not '{}'", target.display()));
    }
    // Without a slash at the end, and without `..`, which would lead through folders that may be links.
    let clean: PathBuf = target.components().collect();
    if clean.components().any(|part| part == std::path::Component::ParentDir) {
        return wrong(format!("BACKUP SERVER TO needs a path without '..', not '{}'", target.display()));
    }
    if clean.starts_with(engine.datadir()) || engine.datadir().starts_with(&clean) {
        return wrong(format!("the backup cannot be in the data directory: '{}'", clean.display()));
    }
    let exists = |path: &Path| storage.identity(path).map_err(|e| cannot_write(path, &e));
    if exists(&clean)?.is_some() {
        let empty = storage.is_dir(&clean).unwrap_or(false)
            && storage.list(&clean).map_err(|e| cannot_write(&clean, &e))?.is_empty();
        if !empty {
            return Err(SqlError::new(error::ER_FILE_EXISTS_ERROR, &[&clean.display()]));
        }
    }
    let Some(name) = clean.file_name() else {
        return wrong(format!("'{}' is no folder for a backup", clean.display()));
    };
    let mut growing = name.to_owned();
    growing.push(INCOMPLETE);
    let growing = clean.with_file_name(growing);
    if exists(&growing)?.is_some() {
        return Err(SqlError::new(error::ER_FILE_EXISTS_ERROR, &[&growing.display()]));
    }
    Ok((clean, growing))
}

/// Error 1, as for INTO OUTFILE.
fn cannot_write(path: &Path, e: &std::io::Error) -> SqlError {
    let number = e.raw_os_error().unwrap_or(5);
    let text = error::os_error_text(number);
    SqlError::with_message(
        1,
        format!("Can't create/write to file '{}' (Errcode: {number} \"{text}\")", path.display()),
    )
}

fn fill(
    engine: &Arc<Engine>,
    storage: &dyn Storage,
    target: &Path,
    skip_damaged: bool,
    progress: &mut dyn FnMut(&Progress) -> SqlResult<()>,
) -> SqlResult<Summary> {
    let mut sessions = Vec::new();
    let (list, mut moment) = take_moment(engine, &mut sessions, skip_damaged, progress)?;
    let mut damaged = std::mem::take(&mut moment.damaged);
    let mut done = Progress { of_tables: moment.tables.len() as u64, ..Progress::default() };
    for (table, snapshot) in moment.tables.iter().zip(&moment.snapshots) {
        done.of_bytes += snapshot.as_ref().map_or(Ok(0), |s| size(s, table.pages()))?;
    }
    progress(&done)?;
    let error = |e: std::io::Error| cannot_write(target, &e);
    for db in &list.databases {
        let folder = target.join(file_name::encode(db));
        storage.create_dir(&folder).map_err(error)?;
        // The options of the database, and triggers, which are kept for MariaDB.
        let files = storage.list(&engine.catalog.directory(db)).unwrap_or_default();
        for (path, _) in files {
            if let Some(name) = path.file_name()
                && path.extension().is_some_and(|e| e == "opt" || e == "TRG" || e == "TRN")
                && let Ok(bytes) = engine.catalog.read_file(&path)
            {
                write(storage, &folder.join(name), &bytes)?;
            }
        }
    }
    for (db, name) in &list.views {
        let file = definition_file(name);
        write(storage, &target.join(file_name::encode(db)).join(&file), &read_small(engine, db, &file)?)?;
    }
    let definitions = moment.definitions.iter();
    for ((table, definition), snapshot) in moment.tables.iter().zip(definitions).zip(&mut moment.snapshots) {
        let Some(snapshot) = snapshot.take() else { continue };
        let part = table_of_part(&table.name);
        if part.is_none() {
            let to = target.join(file_name::encode(&table.db)).join(definition_file(&table.name));
            write(storage, &to, definition)?;
        } else if damaged.iter().any(|(name, _)| part.is_some_and(|p| *name == format!("{}.{p}", table.db))) {
            continue;
        }
        match copy_table(storage, target, table, &snapshot, &mut done, progress) {
            Ok(()) => done.tables += u64::from(part.is_none()),
            Err(Failed::Source(e)) if skip_damaged => {
                remove_table(storage, target, table)?;
                damaged.push((format!("{}.{}", table.db, part.unwrap_or(&table.name)), e));
            }
            Err(Failed::Source(e)) => {
                return Err(cannot_copy(&[(format!("{}.{}", table.db, table.name), e)]));
            }
            Err(Failed::Backup(e)) => return Err(e),
        }
        drop(snapshot);
        progress(&done)?;
    }
    for db in &list.databases {
        storage.sync_dir(&target.join(file_name::encode(db))).map_err(error)?;
    }
    storage.sync_dir(target).map_err(error)?;
    let of_engine = |(db, name, other)| (format!("{db}.{name}"), format!("its engine is {other}"));
    let mut left_out: Vec<_> = list.foreign.into_iter().map(of_engine).collect();
    left_out.append(&mut moment.others);
    Ok(Summary { tables: done.tables, bytes: done.bytes, left_out, damaged })
}

/// One moment of all tables.
fn take_moment<'s>(
    engine: &Arc<Engine>,
    sessions: &'s mut Vec<pages::ReaderSlot>,
    skip_damaged: bool,
    progress: &mut dyn FnMut(&Progress) -> SqlResult<()>,
) -> SqlResult<(Listing, Moment<'s>)> {
    // There may be more tables at the next try than at this one.
    let list = Listing::of(engine)?;
    let parts = |(db, name): &(String, String)| engine.catalog.partitions(db, name).len();
    let most = list.tables.iter().map(|t| 1 + parts(t)).sum::<usize>() + 64;
    sessions.extend((0..most).map(|_| engine.store().reader_slot()));
    let sessions: &'s [pages::ReaderSlot] = sessions;
    let mut tries = 0;
    while tries < TRIES {
        tries += 1;
        progress(&Progress::default())?;
        let list = Listing::of(engine)?;
        let mut tables = Vec::with_capacity(list.tables.len());
        let mut damaged = Vec::new();
        let mut others = Vec::new();
        let mut gone = false;
        // No definition statement until all is read that the moment consists of.
        let waiter = || Waiter::server().with_timeout(Duration::from_millis(100));
        let name = |(db, name): &(String, String)| ((Arc::from(&**db), Arc::from(&**name)), Mode::Read);
        let names = list.tables.iter().map(name).collect();
        let _held = match engine.catalog.names.hold(names, 0, waiter) {
            Ok(held) => held,
            // A definition statement is about one of them: wait, as long as it takes.
            Err(e) if e.code == error::ER_LOCK_WAIT_TIMEOUT => {
                tries -= 1;
                continue;
            }
            Err(e) => return Err(e),
        };
        for (db, name) in &list.tables {
            match engine.catalog.table_or_bare(db, name, &waiter) {
                Ok(table) => {
                    // partitions are tables of their own, behind the one they belong to
                    let parts =
                        table.children().filter(|c| c.are_partitions()).map_or(&[][..], |c| c.tables());
                    let parts = parts.to_vec();
                    tables.push(table);
                    tables.extend(parts);
                }
                // The whole database is held.
                Err(e) if e.code == error::ER_LOCK_WAIT_TIMEOUT => {
                    tries -= 1;
                    gone = true;
                    break;
                }
                Err(e) if matches!(e.code, error::ER_NO_SUCH_TABLE | error::ER_BAD_DB_ERROR) => gone = true,
                Err(e) if e.code == error::ER_NOT_SUPPORTED_YET => {
                    others.push((format!("{db}.{name}"), e.message));
                }
                Err(e) => damaged.push((format!("{db}.{name}"), e)),
            }
        }
        if gone {
            continue;
        }
        if !damaged.is_empty() && !skip_damaged {
            return Err(cannot_copy(&damaged));
        }
        let pages: Vec<Arc<PagedTable>> = tables.iter().map(|t| Arc::clone(t.pages())).collect();
        let snapshots = match pages::begin_snapshots(sessions, &pages) {
            Ok(snapshots) => snapshots.into_iter().map(Some).collect(),
            Err(e) if matches!(e.kind(), pages::ErrorKind::Stale) => continue,
            Err(e) if matches!(e.kind(), pages::ErrorKind::ExclusivelyLocked) => {
                // LOCK TABLES ... WRITE, or a definition statement: wait for them, as long as it takes.
                tries -= 1;
                std::thread::sleep(Duration::from_millis(20));
                continue;
            }
            Err(e) if matches!(e.kind(), pages::ErrorKind::Misuse(_)) => {
                return Err(SqlError::internal("tables come faster than they can be listed"));
            }
            Err(e) => return Err(from_pages(&e, "")),
        };
        // A table made between the list and the moment would be missing.
        if Listing::of(engine)? == list {
            let definitions = tables.iter().map(|t| match table_of_part(&t.name) {
                Some(_) => Ok(Vec::new()),
                None => read_small(engine, &t.db, &definition_file(&t.name)),
            });
            let definitions = definitions.collect::<SqlResult<_>>()?;
            return Ok((list, Moment { tables, snapshots, definitions, damaged, others }));
        }
    }
    Err(SqlError::new(error::ER_LOCK_WAIT_TIMEOUT, &[]))
}

/// The error that names all tables that cannot be copied.
fn cannot_copy(damaged: &[(String, SqlError)]) -> SqlError {
    let mut list = Vec::new();
    for (i, (name, e)) in damaged.iter().enumerate() {
        list.extend_from_slice(if i == 0 { b"Table " } else { b"; table " });
        quote_string(name.as_bytes(), &mut list);
        list.extend_from_slice(format!(" cannot be copied: {}", e.message).as_bytes());
    }
    let code = damaged.first().map_or(error::ER_UNKNOWN_ERROR, |(_, e)| e.code);
    SqlError::with_message(code, String::from_utf8_lossy(&list).into_owned())
}

/// Why a table could not be copied.
enum Failed {
    /// Its own files cannot be read.
    Source(SqlError),
    /// The copy cannot be written, or the backup was ended.
    Backup(SqlError),
}

impl From<SqlError> for Failed {
    fn from(e: SqlError) -> Failed {
        Failed::Backup(e)
    }
}

/// What a failed copy of two files means. Only writing fails for want of room.
fn failed(e: &pages::Error, table: &OpenTable, folder: &Path) -> Failed {
    use pages::ErrorKind as K;
    match e.kind() {
        K::DiskFull { .. } => Failed::Backup(SqlError::new(
            error::ER_DISK_FULL,
            &[&folder.display(), &28, &"waiting for someone to free some space"],
        )),
        K::Io { op: "copy", source, .. } => Failed::Backup(cannot_write(folder, source)),
        K::Io { .. } | K::Corrupt { .. } | K::ForeignChange { .. } => {
            Failed::Source(from_pages(e, &table.name))
        }
        _ => Failed::Backup(from_pages(e, &table.name)),
    }
}

/// Removes what there is of a table in the copy.
fn remove_table(storage: &dyn Storage, target: &Path, table: &OpenTable) -> SqlResult<()> {
    let folder = target.join(file_name::encode(&table.db));
    let name = file_name::encode(table_of_part(&table.name).unwrap_or(&table.name));
    for (path, _) in storage.list(&folder).map_err(|e| cannot_write(&folder, &e))? {
        let file = path.file_name().and_then(|f| f.to_str()).unwrap_or_default();
        if file.strip_prefix(&*name).is_some_and(|rest| rest.starts_with("#P#")) {
            storage.remove(&path).map_err(|e| cannot_write(&path, &e))?;
        }
    }
    for extension in ["frm", "MYI", "MYD", "par"] {
        let path = folder.join(format!("{name}.{extension}"));
        if storage.identity(&path).is_ok_and(|found| found.is_some()) {
            storage.remove(&path).map_err(|e| cannot_write(&path, &e))?;
        }
    }
    Ok(())
}

/// Bytes of a table as of a snapshot.
fn size(snapshot: &pages::Snapshot<'_>, table: &PagedTable) -> SqlResult<u64> {
    let pin = snapshot.pin();
    let view = pin.table(table).map_err(|e| from_pages(&e, ""))?;
    Ok(view.index_len() + view.data_len())
}

fn copy_table(
    storage: &dyn Storage,
    target: &Path,
    table: &OpenTable,
    snapshot: &pages::Snapshot<'_>,
    done: &mut Progress,
    progress: &mut dyn FnMut(&Progress) -> SqlResult<()>,
) -> Result<(), Failed> {
    if !table.engine().can().durable {
        // A restart would find its definition, and no rows.
        if crate::table::merge::is_merge(table.def()) {
            let path = target.join(crate::table::engine::merge_file(&table.db, &table.name));
            let file = storage.open(&path, OpenMode::CreateNew).map_err(|e| cannot_write(&path, &e))?;
            let list = schema::mrg::write(&table.def().options);
            file.write_all_at(&list, 0).and_then(|()| file.sync()).map_err(|e| cannot_write(&path, &e))?;
        }
        return Ok(());
    }
    let folder = target.join(file_name::encode(&table.db));
    if let Some(partition) = &table.def().partition {
        let path = folder.join(format!("{}.par", file_name::encode(&table.name)));
        return Ok(write(storage, &path, &schema::par::write(partition))?);
    }
    let base = table.pages().base().file_name().unwrap_or_default().to_owned();
    let file = base.to_string_lossy().into_owned();
    let create = |extension: &str| {
        let path = folder.join(format!("{file}.{extension}"));
        storage.open(&path, OpenMode::CreateNew).map_err(|e| cannot_write(&path, &e))
    };
    let (index, data) = (create("MYI")?, create("MYD")?);
    let mut stopped = None;
    let mut last = Instant::now();
    let copied = snapshot.copy_files(table.pages(), &*index, &*data, &mut |bytes| {
        done.bytes += bytes;
        if last.elapsed() < Duration::from_millis(20) {
            return Ok(());
        }
        last = Instant::now();
        progress(done).map_err(|e| {
            stopped = Some(e);
            pages::ErrorKind::Killed.into()
        })
    });
    if let Some(e) = stopped {
        return Err(e.into());
    }
    copied.map_err(|e| failed(&e, table, &folder))?;
    if let trailer @ 1.. = table.format().data_trailer() {
        let longer = data.len().and_then(|len| data.set_len(len + trailer));
        longer.map_err(|e| cannot_write(&folder, &e))?;
    }
    for copy in [&index, &data] {
        copy.sync().map_err(|e| cannot_write(&folder, &e))?;
    }
    Ok(())
}

/// The name of a table's or view's `.frm`.
fn definition_file(name: &str) -> String {
    format!("{}.frm", file_name::encode(name))
}

/// A small file of a database.
fn read_small(engine: &Engine, db: &str, file: &str) -> SqlResult<Vec<u8>> {
    let from = engine.catalog.directory(db).join(file);
    engine.catalog.read_file(&from).map_err(|e| crate::catalog::database::io_error(&e))
}

fn write(storage: &dyn Storage, path: &Path, bytes: &[u8]) -> SqlResult<()> {
    let file = storage.open(path, OpenMode::CreateNew).map_err(|e| cannot_write(path, &e))?;
    let done = file.write_all_at(bytes, 0).and_then(|()| file.sync());
    done.map_err(|e| cannot_write(path, &e))
}

//! CACHE INDEX and LOAD INDEX INTO CACHE.

use std::sync::Arc;

use super::maintain::{Found, columns, error_rows, open, unsupported};
use super::partition::failed_part;
use crate::ast::{CacheIndex, CacheIndexTable, Name};
use crate::caches::DEFAULT;
use crate::error::{self, SqlError, SqlResult};
use crate::failure::from_pages;
use crate::names::{INFORMATION_SCHEMA, same_name};
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::show::rows::s;
use crate::table::{InnerPages, OpenTable};
use crate::variables::key_caches::is_default;

/// Pages read under one pin: what others replace meanwhile could not be freed.
const PAGES_A_PIN: usize = 64;

/// CACHE INDEX: the index pages of the tables are read through this cache from now on. It must be known.
///
/// # Errors
/// 1284, 1044, 1066, 1505; what else is wrong with a table is a row.
pub(super) fn cache_index(
    session: &mut Session,
    c: &CacheIndex,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let named = c.cache.as_ref().filter(|cache| !is_default(cache));
    if let Some(cache) = named.filter(|cache| !session.engine.variables.key_caches.is_known(cache)) {
        return Err(SqlError::new(error::ER_UNKNOWN_KEY_CACHE, &[cache]));
    }
    let cache = named.map_or(DEFAULT, |name| &**name);
    let assign = |session: &mut Session, table: &Arc<OpenTable>, _: &CacheIndexTable| {
        session.engine.caches.assign_index(table.pages(), cache);
        Ok(ok())
    };
    each(session, c, "assign_to_keycache", &assign, sink)
}

/// LOAD INDEX INTO CACHE: brings the pages of the index into memory.
///
/// # Errors
/// 1044, 1066, 1505, and that the statement is killed; what else is wrong with a table is a row.
pub(super) fn load_index(
    session: &mut Session,
    c: &CacheIndex,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    each(session, c, "preload_keys", &load, sink)
}

fn ok() -> Found {
    vec![("status", "OK".into())]
}

/// What is done to a table.
type Act<'a> = dyn Fn(&mut Session, &Arc<OpenTable>, &CacheIndexTable) -> SqlResult<Found> + 'a;

/// Does it to each table, and gives a result as of maintenance.
fn each(
    session: &mut Session,
    c: &CacheIndex,
    op: &str,
    act: &Act<'_>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let mut paths = Vec::new();
    for entry in &c.tables {
        let path = session.table_path(&entry.table)?;
        if &*path.0 == INFORMATION_SCHEMA {
            return Err(session.rights.denied_database(INFORMATION_SCHEMA));
        }
        if paths.contains(&path) {
            return Err(SqlError::new(error::codes::ER_NONUNIQ_TABLE, &[&path.1]));
        }
        paths.push(path);
    }
    let mut rows = columns();
    for (entry, (db, name)) in c.tables.iter().zip(paths) {
        let full = format!("{db}.{name}");
        let found = session.retry_if_stale(|session| {
            if let Some(found) = unsupported(session, &entry.table, op) {
                return Ok(found);
            }
            let table = match open(session, &entry.table) {
                Ok(table) => table,
                Err(e) if ends_the_statement(&e) => return Err(e),
                Err(e) => return Ok(error_rows(&e)),
            };
            // the last one that is missing is told
            let missing = entry.indexes.iter().rev().find(|index| !has_key(&table, index));
            let missing = missing.map(|index| SqlError::new(error::ER_KEY_DOES_NOT_EXISTS, &[index, &name]));
            let parts = table.children().filter(|c| c.are_partitions());
            let Some(parts) = parts else {
                if entry.partitions.is_some() {
                    return Err(SqlError::new(error::ER_PARTITION_MGMT_ON_NONPARTITIONED, &[]));
                }
                return missing.map_or_else(|| act(session, &table, entry), |e| Ok(error_rows(&e)));
            };
            let chosen = match named_files(&table, entry.partitions.as_deref()) {
                Ok(chosen) => chosen,
                Err(e) => return Ok(vec![("error", e.message)]),
            };
            if let Some(e) = missing {
                let mut rows = error_rows(&e);
                rows.insert(0, of_part(&table, chosen.first().copied()));
                return Ok(rows);
            }
            for n in chosen {
                let Some(part) = parts.tables().get(n) else { continue };
                let mut found = act(session, part, entry)?;
                if found != ok() {
                    found.insert(1.min(found.len()), of_part(&table, Some(n)));
                    return Ok(found);
                }
            }
            Ok(ok())
        })?;
        for (kind, message) in found {
            rows.push(vec![s(&full), s(op), s(kind), s(message)]);
        }
    }
    rows.send(session, sink)
}

/// Which partition it was that failed.
fn of_part(table: &OpenTable, file: Option<usize>) -> (&'static str, String) {
    let files = table.def().partition.as_ref().map_or(&[][..], |p| &p.files);
    ("error", file.and_then(|n| files.get(n)).map_or_else(String::new, failed_part))
}

/// The numbers of the files of these partitions, of all where none are named.
///
/// # Errors
/// 1735 of a name that is none or stands there twice; a subpartition's is none here.
fn named_files(table: &OpenTable, names: Option<&[Name]>) -> SqlResult<Vec<usize>> {
    let files = table.def().partition.as_ref().map_or(&[][..], |p| &p.files);
    let names = names.unwrap_or_default();
    let is = |n: usize, name: &Name| same_name(&files[n].partition, name);
    let twice = |n: usize| names[..n].iter().any(|before| same_name(before, &names[n]));
    let unknown = |name: &Name| !(0..files.len()).any(|n| is(n, name));
    if names.iter().any(unknown) || (0..names.len()).any(twice) {
        return Err(SqlError::new(error::codes::ER_PARTITION_DOES_NOT_EXIST, &[]));
    }
    Ok((0..files.len()).filter(|n| names.is_empty() || names.iter().any(|name| is(*n, name))).collect())
}

/// Whether an error is of the statement or its client, not of the table.
fn ends_the_statement(e: &SqlError) -> bool {
    matches!(e.code, error::ER_QUERY_INTERRUPTED | error::ER_STATEMENT_TIMEOUT | error::ER_CONNECTION_KILLED)
}

/// Whether a key has this name, or is the only one whose name begins so.
fn has_key(table: &OpenTable, name: &Name) -> bool {
    let keys = &table.def().keys;
    let begins = |key: &str| key.get(..name.len()).is_some_and(|head| same_name(head, name));
    keys.iter().any(|k| same_name(&k.name, name)) || keys.iter().filter(|k| begins(&k.name)).count() == 1
}

fn load(session: &mut Session, table: &Arc<OpenTable>, entry: &CacheIndexTable) -> SqlResult<Found> {
    let keys = table.keys();
    let state = table.state();
    let blocks = table.state_of(&state).key_file_length() > table.format().header.base.keystart;
    if blocks && entry.ignore_leaves && keys.iter().any(|k| k.block_length != keys[0].block_length) {
        return Ok(vec![
            ("error", "Indexes use different block sizes".into()),
            ("status", "Operation failed".into()),
        ]);
    }
    let connection = Arc::clone(&session.connection);
    // what is read through a cache comes block by block, the rest in long runs
    let cached = table.pages().cache_of(pages::File::Index).is_some();
    let by_tree = entry.ignore_leaves || cached;
    session.with_snapshot(std::slice::from_ref(table), |_, exec| {
        let mut at = Some(0);
        while let Some(mut from) = at.filter(|_| !by_tree) {
            let pin = exec.snapshot.pin();
            let view = pin.table(table.pages()).map_err(|e| from_pages(&e, &table.name))?;
            // parts of a file that nobody changes are larger
            for _ in 0..PAGES_A_PIN / 8 {
                at = view.load_index(from).map_err(|e| from_pages(&e, &table.name))?;
                let Some(next) = at else { break };
                from = next;
            }
            drop(pin);
            connection.check_killed()?;
        }
        for key in 0..if by_tree { keys.len() } else { 0 } {
            let mut walk: Option<InnerPages> = None;
            loop {
                let pin = exec.snapshot.pin();
                let view = pin.table(table.pages()).map_err(|e| from_pages(&e, &table.name))?;
                let walk = walk.get_or_insert_with(|| {
                    let inner = InnerPages::new(table.format(), &view, key);
                    if entry.ignore_leaves { inner } else { inner.and_leaves() }
                });
                let more = walk.read(table.format(), &view, PAGES_A_PIN).map_err(|e| table.error(&e))?;
                drop(pin);
                connection.check_killed()?;
                if !more {
                    break;
                }
            }
        }
        Ok(ok())
    })
}

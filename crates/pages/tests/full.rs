//! A disk that the server's own data have filled: it starts, what removes rows and tables makes room, and then all goes on.

mod common;

use std::io::ErrorKind as Io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use common::*;
use pages::storage::{CrashMode, MemoryStorage, OpenMode, Operation, Storage};
use pages::{ErrorKind, PagedTable, Result, Store, StoreOptions};

const CAPACITY: u64 = 1 << 20;

fn open(storage: &Arc<MemoryStorage>) -> Result<Arc<Store>> {
    let settings = StoreOptions { journal_size: 256 << 10, ..options() };
    Ok(Store::open(storage.clone(), Path::new(DIR), settings)?.0)
}

/// Adds a row and now and then a block of keys; the number of the row.
fn add(table: &Arc<PagedTable>, row: u64) -> Result<()> {
    let mut writer = lock(table);
    put_data(&mut writer, row * 700, &[row as u8; 700])?;
    if row.is_multiple_of(3) {
        put_block(&mut writer, 1 + row / 3, row as u8)?;
    }
    writer.commit().map(drop)
}

/// As the background does it: at a full disk a checkpoint frees what it can of the journal.
fn add_after_all(store: &Store, table: &Arc<PagedTable>, row: u64) -> Result<()> {
    match add(table, row) {
        Err(e) if matches!(e.kind(), ErrorKind::DiskFull { .. }) => {
            store.checkpoint().unwrap();
            add(table, row)
        }
        other => other,
    }
}

/// Fills the disk with rows of two tables; how many there are. `every`: checkpoints between, after so many rows.
fn fill(store: &Store, tables: &[Arc<PagedTable>; 2], every: u64) -> u64 {
    for row in 0..10_000 {
        if row % every == every - 1 {
            store.checkpoint().unwrap();
        }
        for table in tables {
            let Err(e) = add_after_all(store, table, row) else { continue };
            assert!(matches!(e.kind(), ErrorKind::DiskFull { .. }), "{e}");
            return row;
        }
    }
    panic!("the disk has no end");
}

fn full(every: u64) -> (Arc<MemoryStorage>, [Vec<u8>; 2]) {
    let storage = Arc::new(MemoryStorage::simulated());
    storage.set_capacity(CAPACITY);
    let store = open(&storage).unwrap();
    store.prepare_journal().unwrap();
    let tables = ["t", "u"].map(|name| {
        create(&store, name).unwrap();
        attach(&store, name)
    });
    let rows = fill(&store, &tables, every);
    assert!(rows > 100, "{rows} rows");
    (storage.clone(), [content(&store, &tables[0]), content(&store, &tables[1])])
}

fn truncate(store: &Store, name: &str) -> Result<()> {
    let writer = lock(&attach(store, name));
    store.replace_generation(writer, files(name), spec_of_new(name))?;
    Ok(())
}

fn spec_of_new(name: &str) -> pages::TableSpec {
    let layout = pages::StateLayout::MYI;
    pages::TableSpec {
        base: name.into(),
        state: fresh_state(),
        layout,
        data_page: pages::DataPaging::Bytes4K,
        pages_lost_from: None,
    }
}

/// Takes what is free.
fn stuff(storage: &MemoryStorage) {
    let file = storage.open(Path::new("/d/other"), OpenMode::CreateNew).unwrap();
    while file.len().and_then(|len| file.set_len(len + 4096)).is_ok() {}
}

#[test]
fn a_start_needs_no_room_that_is_not_there() {
    for every in [7, 40, 1000] {
        let (storage, expected) = full(every);
        let storage = Arc::new(storage.after_crash(CrashMode::Kill, 1).unwrap());
        stuff(&storage);
        let store = open(&storage).unwrap();
        let tables = ["t", "u"].map(|name| attach(&store, name));
        for (table, expected) in tables.iter().zip(&expected) {
            assert!(content(&store, table) == *expected, "every {every}");
        }
        // What needs no room goes on.
        let mut writer = lock(&tables[0]);
        put_data(&mut writer, 0, &[9; 10]).unwrap();
        writer.commit().unwrap();
        drop(writer);
        store.checkpoint().unwrap();
        let rows = expected[0].len() as u64 / 700;
        let refused =
            (rows..rows + 500).find_map(|row| add_after_all(&store, &tables[0], row).err()).expect("full");
        assert!(matches!(refused.kind(), ErrorKind::DiskFull { .. }), "{refused}");
        drop(tables);
        truncate(&store, "u").unwrap();
        let table = attach(&store, "u");
        for row in 0..rows / 2 {
            add_after_all(&store, &table, row)
                .unwrap_or_else(|e| panic!("every {every}, row {row} of {rows}: {e}"));
        }
    }
}

#[test]
fn a_full_disk_at_any_operation_of_the_start_harms_nothing() {
    let (storage, expected) = full(40);
    let storage = Arc::new(storage.after_crash(CrashMode::Kill, 1).unwrap());
    let mut started = 0;
    for at in 0.. {
        let storage = Arc::new(storage.after_crash(CrashMode::Kill, 1).unwrap());
        let (seen, hit) = (AtomicU64::new(0), Arc::new(AtomicU64::new(0)));
        let hits = hit.clone();
        storage.set_fault(Some(Box::new(move |operation, _| {
            let room = matches!(operation, Operation::Write | Operation::Name);
            let due = room && seen.fetch_add(1, Ordering::Relaxed) == at;
            hits.fetch_add(u64::from(due), Ordering::Relaxed);
            due.then_some(Io::StorageFull)
        })));
        let opened = open(&storage);
        storage.set_fault(None);
        if let Err(e) = &opened {
            // Removing meets no full disk in truth, but the fault cannot tell.
            let removes = |path: &Path| storage.identity(path).unwrap().is_some();
            assert!(matches!(e.kind(), ErrorKind::DiskFull { path } if removes(path)), "at {at}: {e}");
        }
        started += u64::from(opened.is_ok());
        drop(opened);
        let store = open(&storage).unwrap();
        for (name, expected) in ["t", "u"].into_iter().zip(&expected) {
            assert!(content(&store, &attach(&store, name)) == *expected, "at {at}");
        }
        if hit.load(Ordering::Relaxed) == 0 {
            assert!(at > 10 && started * 10 > at * 9, "{started} of {at} starts went on");
            return;
        }
    }
}

#[test]
fn a_full_disk_after_a_clean_stop_reads_and_removes() {
    for reserve in [true, false] {
        let (storage, expected) = full(40);
        let store = open(&Arc::new(storage.after_crash(CrashMode::Kill, 1).unwrap())).unwrap();
        drop(store);
        let storage = Arc::new(storage.after_crash(CrashMode::Kill, 2).unwrap());
        let store = open(&storage).unwrap();
        store.prepare_journal().unwrap();
        store.shutdown().unwrap();
        drop(store);
        if !reserve {
            storage.remove(&Path::new(DIR).join("isambard.reserve")).unwrap();
        }
        stuff(&storage);
        let store = open(&storage).unwrap();
        let tables = ["t", "u"].map(|name| attach(&store, name));
        for (table, expected) in tables.iter().zip(&expected) {
            assert!(content(&store, table) == *expected);
        }
        let rows = expected[0].len() as u64 / 700;
        let refused =
            (rows..rows + 500).find_map(|row| add_after_all(&store, &tables[0], row).err()).expect("full");
        assert!(matches!(refused.kind(), ErrorKind::DiskFull { .. }), "{refused}");
        drop(tables);
        if reserve {
            truncate(&store, "u").unwrap();
        } else {
            // There is no room for any journal: somebody else must make some.
            assert!(matches!(truncate(&store, "u").unwrap_err().kind(), ErrorKind::DiskFull { .. }));
            storage.remove(Path::new("/d/other")).unwrap();
        }
        store.prepare_journal().unwrap();
        let table = attach(&store, "t");
        for row in rows..rows + 20 {
            add_after_all(&store, &table, row).unwrap_or_else(|e| panic!("row {row}: {e}"));
        }
    }
}

fn is_full<T>(result: &Result<T>) -> bool {
    let Err(e) = result else { return false };
    assert!(matches!(e.kind(), ErrorKind::DiskFull { .. }), "{e}");
    true
}

/// Adds rows to both tables until the disk takes no more; how many were acknowledged. A checkpoint that finds the disk full fails,
/// too.
fn fill_without_claims(store: &Store, tables: &[Arc<PagedTable>; 2], every: u64) -> [u64; 2] {
    let mut rows = [0, 0];
    for row in 0..10_000 {
        if row % every == every - 1 {
            is_full(&store.checkpoint());
        }
        for i in 0..2 {
            let refused = is_full(&add(&tables[i], row));
            if refused && (is_full(&store.checkpoint()) || is_full(&add(&tables[i], row))) {
                return rows;
            }
            rows[i] = row + 1;
        }
    }
    panic!("the disk has no end");
}

/// A file system without claims: what is committed may find no place in the table's files. It stays in the journal.
#[test]
fn without_claims_nothing_acknowledged_is_lost() {
    for every in [7, 40, 1000] {
        let storage = Arc::new(MemoryStorage::simulated());
        storage.set_claims(false);
        storage.set_capacity(CAPACITY);
        let store = open(&storage).unwrap();
        store.prepare_journal().unwrap();
        let tables = ["t", "u"].map(|name| {
            create(&store, name).unwrap();
            attach(&store, name)
        });
        let rows = fill_without_claims(&store, &tables, every);
        assert!(rows[1] > 100, "{rows:?}");
        let wanted = rows.map(|n| (0..n).flat_map(|row| [row as u8; 700]).collect::<Vec<u8>>());
        let same = |store: &Store, what: &str| {
            for (name, wanted) in ["t", "u"].into_iter().zip(&wanted) {
                let table = attach(store, name);
                let session = store.reader_slot();
                let snapshot = session.begin(&[&table]).unwrap();
                let pin = snapshot.pin();
                let view = pin.table(&table).unwrap();
                let mut scratch = Vec::new();
                let found = view.data(0, view.data_len() as usize, &mut scratch).unwrap();
                assert!(found == wanted, "{what}, every {every}: {} of {}", found.len(), wanted.len());
            }
        };
        same(&store, "running");
        store.sync_journal().unwrap();
        for mode in [CrashMode::Kill, CrashMode::PowerCut] {
            let storage = Arc::new(storage.after_crash(mode, every).unwrap());
            let opened = open(&storage);
            if !is_full(&opened) {
                same(&opened.unwrap(), "started");
            }
            storage.set_capacity(2 * CAPACITY);
            let store = open(&storage).unwrap();
            same(&store, "started with more room");
            store.checkpoint().unwrap();
            let tables = ["t", "u"].map(|name| attach(&store, name));
            (rows[0]..rows[0] + 20).for_each(|row| add_after_all(&store, &tables[0], row).unwrap());
            store.shutdown().unwrap();
        }
        // Removing rows frees little while most lies in the journal only: somebody else makes room, and all goes on.
        drop(tables);
        truncate(&store, "u").unwrap();
        is_full(&store.checkpoint());
        storage.set_capacity(2 * CAPACITY);
        store.checkpoint().unwrap();
        let table = attach(&store, "u");
        (0..rows[1]).for_each(|row| add_after_all(&store, &table, row).unwrap());
        store.shutdown().unwrap();
        drop((table, store));
        same(&open(&storage).unwrap(), "refilled");
    }
}

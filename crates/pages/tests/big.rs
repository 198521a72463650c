//! Statements larger than their memory and than the journal.

mod common;

use std::path::Path;
use std::sync::Arc;

use common::*;
use pages::storage::{CrashMode, MemoryStorage, Operation, Storage};
use pages::{DataPaging, ErrorKind, PageSource, PagedTable, Store, StoreOptions};

const PAGINGS: [DataPaging; 2] = [DataPaging::Bytes4K, DataPaging::FixedRows { row_len: 100 }];

fn small() -> StoreOptions {
    StoreOptions {
        statement_memory: 64 << 10,
        largest_record: 16 << 10,
        segment_size: 32 << 10,
        journal_size: 128 << 10,
        ..options()
    }
}

fn open(storage: &Arc<MemoryStorage>) -> Arc<Store> {
    let (store, report) = Store::open(storage.clone(), Path::new(DIR), small()).unwrap();
    assert!(report.foreign.is_empty(), "{report:?}");
    store
}

/// All bytes a reader sees: data, then index blocks.
fn whole(store: &Store, table: &Arc<PagedTable>) -> (Vec<u8>, Vec<u8>) {
    let session = store.reader_slot();
    let snapshot = session.begin(&[table]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(table).unwrap();
    let mut scratch = Vec::new();
    let data = view.data(0, view.data_len() as usize, &mut scratch).unwrap().to_vec();
    let mut index = Vec::new();
    for block in 1..view.index_len() / 1024 {
        index.extend_from_slice(view.index_page(block * 1024, 1024).unwrap());
    }
    (data, index)
}

fn files_named(storage: &MemoryStorage, what: &str) -> usize {
    let list = storage.list(Path::new(DIR)).unwrap();
    list.iter().filter(|(path, _)| path.to_string_lossy().contains(what)).count()
}

fn crashed(storage: &MemoryStorage, mode: CrashMode) -> Arc<MemoryStorage> {
    Arc::new(storage.after_crash(mode, 3).unwrap())
}

/// A table of 600 KB rows and 200 blocks, loaded by one statement.
fn loaded(
    storage: &Arc<MemoryStorage>,
    paging: DataPaging,
) -> (Arc<Store>, Arc<PagedTable>, Vec<u8>, Vec<u8>) {
    let store = open(storage);
    create(&store, "t").unwrap();
    let table = attach_as(&store, "t", paging);
    let mut writer = lock(&table);
    let (mut data, mut index) = (Vec::new(), Vec::new());
    for i in 0..6000_u64 {
        put_data(&mut writer, i * 100, &[i as u8; 100]).unwrap();
        data.extend_from_slice(&[i as u8; 100]);
        if i % 30 == 0 {
            put_block(&mut writer, 1 + i / 30, i as u8).unwrap();
            index.extend_from_slice(&[i as u8; 1024]);
        }
    }
    assert_eq!(writer.index_page(5 * 1024, 1024).unwrap(), &index[4 * 1024..5 * 1024], "its own work");
    writer.commit().unwrap();
    drop(writer);
    (store, table, data, index)
}

#[test]
fn a_load_goes_to_its_place_and_is_read_there() {
    for paging in PAGINGS {
        let storage = Arc::new(MemoryStorage::simulated());
        let (store, table, data, index) = loaded(&storage, paging);
        assert!(whole(&store, &table) == (data.clone(), index.clone()));
        assert_eq!(files_named(&storage, "spill"), 0, "new pages need no spill file");
        assert!(files_named(&storage, "isambard.journal") <= 3);
        for mode in [CrashMode::Kill, CrashMode::PowerCut] {
            // The bytes of a load are durable before its record, whose own durability is asked for here.
            store.sync_journal().unwrap();
            let again = crashed(&storage, mode);
            let store = open(&again);
            let table = attach_as(&store, "t", paging);
            assert!(whole(&store, &table) == (data.clone(), index.clone()), "{mode:?}");
            store.shutdown().unwrap();
            assert_eq!(again.bytes(Path::new("/d/t.MYD")).unwrap(), data);
        }
    }
}

#[test]
fn an_update_of_everything_goes_through_the_spill_file() {
    for paging in PAGINGS {
        let storage = Arc::new(MemoryStorage::simulated());
        let (store, table, data, index) = loaded(&storage, paging);
        store.checkpoint_clean().unwrap();
        let session = store.reader_slot();
        let old = session.begin(&[&table]).unwrap();
        let mut writer = lock(&table);
        let (mut new_data, mut new_index) = (data.clone(), index.clone());
        for i in (0..6000_u64).rev().chain(3000..3100) {
            let byte = new_data[i as usize * 100 + 7] ^ 0x55;
            writer.data_write(i * 100 + 7, &[byte]).unwrap();
            new_data[i as usize * 100 + 7] = byte;
            let block = 1 + i * 7 % 200;
            let byte = new_index[(block as usize - 1) * 1024 + 9].wrapping_add(1);
            writer.index_page_mut(block * 1024, 1024).unwrap().write(9, &[byte]);
            new_index[(block as usize - 1) * 1024 + 9] = byte;
        }
        // And rows and a block behind the end.
        put_data(&mut writer, 600_000, &[9; 250]).unwrap();
        new_data.extend_from_slice(&[9; 250]);
        put_block(&mut writer, 201, 77).unwrap();
        new_index.extend_from_slice(&[77; 1024]);
        assert_eq!(files_named(&storage, "spill"), 1);
        let mut scratch = Vec::new();
        assert!(writer.data(0, new_data.len(), &mut scratch).unwrap() == new_data, "its own work");
        assert!(whole(&store, &table) == (data.clone(), index.clone()), "nobody else's yet");
        writer.commit().unwrap();
        let new = (new_data, new_index);
        assert!(whole(&store, &table) == new);
        {
            let pin = old.pin();
            let view = pin.table(&table).unwrap();
            assert!(view.data(0, data.len(), &mut scratch).unwrap() == data, "an older snapshot");
        }
        // Small changes on top, one of them appended in place.
        writer.data_write(50, b"on top").unwrap();
        put_data(&mut writer, 600_250, &[8; 10]).unwrap();
        writer.index_page_mut(1024, 1024).unwrap().write(100, b"on top");
        writer.commit().unwrap();
        drop(writer);
        let newest = whole(&store, &table);
        assert_eq!(&newest.0[50..56], b"on top");
        assert_eq!(newest.0.len(), 600_260);
        let recovered = |storage: &MemoryStorage, mode| {
            let again = crashed(storage, mode);
            let store = open(&again);
            assert_eq!(files_named(&again, "spill"), 0, "recovery leaves none behind");
            whole(&store, &attach_as(&store, "t", paging))
        };
        assert!(recovered(&storage, CrashMode::Kill) == newest);
        store.sync_journal().unwrap();
        assert!(recovered(&storage, CrashMode::PowerCut) == newest);
        assert_eq!(files_named(&storage, "spill"), 1);
        store.checkpoint().unwrap();
        assert_eq!(files_named(&storage, "spill"), 0, "the checkpoint has brought it home");
        assert!(whole(&store, &table) == newest);
        assert!(recovered(&storage, CrashMode::PowerCut) == newest);
        {
            let pin = old.pin();
            let view = pin.table(&table).unwrap();
            assert!(view.data(0, data.len(), &mut scratch).unwrap() == data, "an older snapshot still");
        }
        drop(old);
        store.shutdown().unwrap();
        assert_eq!(storage.bytes(Path::new("/d/t.MYD")).unwrap(), newest.0);
    }
}

#[test]
fn a_commit_too_large_for_the_journal_spills_though_it_fits_into_memory() {
    let storage = Arc::new(MemoryStorage::simulated());
    let (store, table, ..) = loaded(&storage, DataPaging::Bytes4K);
    store.checkpoint_clean().unwrap();
    let mut writer = lock(&table);
    for page in 0..8 {
        writer.data_write(page * 4096, b"x").unwrap();
    }
    writer.commit().unwrap();
    assert_eq!(files_named(&storage, "spill"), 1);
    // The images are there now: the same again is small.
    for page in 0..8 {
        writer.data_write(page * 4096, b"y").unwrap();
    }
    writer.commit().unwrap();
    assert_eq!(files_named(&storage, "spill"), 1);
    drop(writer);
    let expected = whole(&store, &table);
    let again = crashed(&storage, CrashMode::Kill);
    let store = open(&again);
    assert!(whole(&store, &attach(&store, "t")) == expected);
}

#[test]
fn a_full_disk_or_a_rollback_leaves_nothing_behind() {
    let storage = Arc::new(MemoryStorage::simulated());
    let (store, table, data, index) = loaded(&storage, DataPaging::Bytes4K);
    for clean in [true, false] {
        if clean {
            store.checkpoint_clean().unwrap();
        }
        for victim in ["spill", ".MYD", ".MYI", "journal", "none"] {
            storage.set_fault(Some(Box::new(move |op, path| {
                let hit = op == Operation::Write && path.to_string_lossy().contains(victim);
                hit.then_some(std::io::ErrorKind::StorageFull)
            })));
            let mut writer = lock(&table);
            let mut statement = || {
                for i in 0..6000 {
                    writer.data_write(i * 100, &[1])?;
                    put_data(&mut writer, 600_000 + i * 40, &[4; 40])?;
                    if i % 20 == 0 {
                        put_block(&mut writer, 201 + i / 20, 9)?;
                    }
                }
                if victim == "none" { Ok(None) } else { writer.commit().map(Some) }
            };
            match (statement(), victim) {
                (Ok(None), _) => writer.rollback(),
                // The journal's segment was ready, and the record is small.
                (Ok(Some(_)), "journal") => panic!("the journal needs a write"),
                (Err(e), _) => {
                    assert!(matches!(e.kind(), ErrorKind::DiskFull { .. }), "{victim}: {e}");
                    writer.rollback();
                }
                (Ok(Some(_)), _) => panic!("{victim}: the disk was full"),
            }
            storage.set_fault(None);
            drop(writer);
            assert_eq!(files_named(&storage, "spill"), 0, "{victim}");
            assert!(whole(&store, &table) == (data.clone(), index.clone()), "{victim}");
            let again = crashed(&storage, CrashMode::Kill);
            let after = open(&again);
            assert!(whole(&after, &attach(&after, "t")) == (data.clone(), index.clone()), "{victim}");
            assert_eq!(again.bytes(Path::new("/d/t.MYD")).unwrap().len(), data.len(), "{victim}");
        }
    }
    store.checkpoint_clean().unwrap();
    assert_eq!(storage.bytes(Path::new("/d/t.MYD")).unwrap().len(), data.len());
    assert_eq!(storage.bytes(Path::new("/d/t.MYI")).unwrap().len(), index.len() + 1024);
}

#[test]
fn a_missing_spill_file_is_an_error_and_nothing_is_replayed() {
    let storage = Arc::new(MemoryStorage::simulated());
    let (store, table, ..) = loaded(&storage, DataPaging::Bytes4K);
    store.checkpoint_clean().unwrap();
    let before = storage.bytes(Path::new("/d/t.MYD")).unwrap();
    let mut writer = lock(&table);
    for i in 0..6000 {
        writer.data_write(i * 100, &[1]).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    let spill = storage
        .list(Path::new(DIR))
        .unwrap()
        .into_iter()
        .find(|(p, _)| p.to_string_lossy().contains("spill"));
    storage.remove(&spill.unwrap().0).unwrap();
    drop((store, table));
    let error = Store::open(storage.clone(), Path::new(DIR), small()).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
    assert_eq!(storage.bytes(Path::new("/d/t.MYD")).unwrap(), before);
}

//! What is durable when, under the three settings, and that committers share their syncs.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use common::*;
use pages::storage::{CrashMode, MemoryStorage, Operation};
use pages::{Durability, PagedTable, Store, StoreOptions};

fn open(
    storage: &Arc<MemoryStorage>,
    durability: Durability,
    background: bool,
) -> (Arc<Store>, Arc<PagedTable>) {
    let settings = StoreOptions { durability, background, ..options() };
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[1; 100]).unwrap();
    writer.commit().unwrap();
    drop(writer);
    store.sync_journal().unwrap();
    (store, table)
}

fn write(table: &Arc<PagedTable>, byte: u8) -> pages::Lsn {
    let mut writer = lock(table);
    writer.data_write(0, &[byte]).unwrap();
    writer.commit().unwrap()
}

/// The first byte of the table after a power cut that loses all that was not synced, whatever the draw.
fn after_power_cut(storage: &MemoryStorage) -> Vec<u8> {
    let found = (0..12).map(|draw| {
        let again = Arc::new(storage.after_crash(CrashMode::PowerCut, draw).unwrap());
        drop(Store::open(again.clone(), Path::new(DIR), options()).unwrap());
        again.bytes(Path::new("/d/t.MYD")).unwrap()[0]
    });
    let mut found: Vec<u8> = found.collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn a_session_may_ask_for_more_or_less_than_the_server() {
    let storage = Arc::new(MemoryStorage::simulated());
    let (store, table) = open(&storage, Durability::None, false);
    store.wait_durable(write(&table, 2)).unwrap();
    assert_eq!(after_power_cut(&storage), [1, 2], "none: by chance");
    store.wait_durable_as(write(&table, 3), Durability::Commit).unwrap();
    assert_eq!(after_power_cut(&storage), [3], "commit: for certain");
    store.set_durability(Durability::Commit);
    store.wait_durable_as(write(&table, 4), Durability::Second).unwrap();
    assert_eq!(after_power_cut(&storage), [3, 4]);
    store.wait_durable(write(&table, 5)).unwrap();
    assert_eq!(after_power_cut(&storage), [5]);
}

/// Under `commit` records are staged in memory: a kill may take those that nobody has waited for, and no others.
#[test]
fn staged_records_survive_a_kill_when_acknowledged() {
    let after_kill = |storage: &MemoryStorage| {
        let again = Arc::new(storage.after_crash(CrashMode::Kill, 1).unwrap());
        drop(Store::open(again.clone(), Path::new(DIR), options()).unwrap());
        again.bytes(Path::new("/d/t.MYD")).unwrap()[0]
    };
    let storage = Arc::new(MemoryStorage::simulated());
    let (store, table) = open(&storage, Durability::Commit, false);
    for round in 0..2 {
        let byte = 10 * round;
        store.wait_durable(write(&table, byte + 2)).unwrap();
        let (operations, lsn) = (storage.operations(), write(&table, byte + 3));
        assert_eq!((storage.operations(), after_kill(&storage)), (operations, byte + 2), "it is staged");
        store.wait_durable_as(lsn, Durability::Second).unwrap();
        assert_eq!(after_kill(&storage), byte + 3);
        // Somebody is content with less than the disk: no more staging for a while.
        write(&table, byte + 4);
        assert_eq!(after_kill(&storage), byte + 4);
        for _ in 0..120 {
            store.wait_durable(write(&table, byte + 5)).unwrap();
        }
    }
    assert_eq!(after_power_cut(&storage), [15]);
}

#[test]
fn second_is_durable_after_a_second() {
    for server in [Durability::Second, Durability::None] {
        let storage = Arc::new(MemoryStorage::simulated());
        let (store, table) = open(&storage, server, true);
        store.wait_durable_as(write(&table, 2), Durability::Second).unwrap();
        std::thread::sleep(Duration::from_millis(1100));
        assert_eq!(after_power_cut(&storage), [2], "{server:?}");
        store.wait_durable_as(write(&table, 3), Durability::None).unwrap();
        std::thread::sleep(Duration::from_millis(1100));
        let expected: &[u8] = if server == Durability::None { &[2, 3] } else { &[3] };
        assert_eq!(after_power_cut(&storage), expected, "{server:?}");
        // The clock that this hangs on does not jump: it is no wall clock.
    }
}

#[test]
fn sixty_four_committers_share_their_syncs() {
    let storage = Arc::new(MemoryStorage::new());
    let (store, _) = Store::open(
        storage.clone(),
        Path::new(DIR),
        StoreOptions { durability: Durability::Commit, ..options() },
    )
    .unwrap();
    let syncs = Arc::new(AtomicU64::new(0));
    let counted = syncs.clone();
    storage.set_fault(Some(Box::new(move |operation, path| {
        if operation == Operation::Sync && path.to_string_lossy().contains("journal") {
            counted.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(2));
        }
        None
    })));
    let tables: Vec<_> = (0..64)
        .map(|i| {
            let name = format!("t{i}");
            create(&store, &name).unwrap();
            let table = attach(&store, &name);
            store.wait_durable(write_first(&table)).unwrap();
            table
        })
        .collect();
    syncs.store(0, Ordering::Relaxed);
    let (stop, commits) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for table in &tables {
            let (store, stop, commits) = (&store, &stop, &commits);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    store.wait_durable(write(table, 7)).unwrap();
                    commits.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        std::thread::sleep(Duration::from_millis(700));
        stop.store(true, Ordering::Relaxed);
    });
    let (syncs, commits) = (syncs.load(Ordering::Relaxed), commits.into_inner());
    println!("{commits} commits, {syncs} syncs");
    assert!(commits >= 64 * 3 && commits > syncs * 16, "{commits} commits, {syncs} syncs");
    // The lock of a table is free while its commit waits for the disk.
    storage.set_fault(None);
}

fn write_first(table: &Arc<PagedTable>) -> pages::Lsn {
    let mut writer = lock(table);
    put_data(&mut writer, 0, &[1; 100]).unwrap();
    writer.commit().unwrap()
}

#[test]
fn a_table_is_free_while_its_commit_waits_for_the_disk() {
    let storage = Arc::new(MemoryStorage::new());
    let (store, table) = open(&storage, Durability::Commit, false);
    let (slow, go) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
    let (held, started) = (slow.clone(), go.clone());
    storage.set_fault(Some(Box::new(move |operation, path| {
        let journal = operation == Operation::Sync && path.to_string_lossy().contains("journal");
        if journal && held.load(Ordering::Relaxed) {
            started.store(true, Ordering::Relaxed);
            let begun = std::time::Instant::now();
            while held.load(Ordering::Relaxed) && begun.elapsed() < Duration::from_secs(10) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        None
    })));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| store.wait_durable(write(&table, 2)));
        while !go.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        // Visible, and the lock free, though not acknowledged.
        let mut writer =
            table.write_lock(9, Duration::from_millis(500), &never).expect("the table is released");
        assert_eq!(pages::PageSource::data_run(&writer, 0).unwrap()[0], 2);
        writer.data_write(0, &[3]).unwrap();
        drop(writer);
        assert!(!waiting.is_finished());
        slow.store(false, Ordering::Relaxed);
        waiting.join().unwrap().unwrap();
    });
}

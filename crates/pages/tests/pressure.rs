//! Writers faster than the disk: the journal stays inside its bound, nobody fails, nobody stands still for long.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::*;
use pages::storage::{MemoryStorage, Operation, Storage};
use pages::{Durability, PagedTable, Store, StoreOptions};

const JOURNAL: u64 = 1 << 20;

fn journal_bytes(storage: &MemoryStorage) -> u64 {
    let list = storage.list(Path::new(DIR)).unwrap();
    let segments = list.iter().filter(|(path, _)| path.to_string_lossy().contains("isambard.journal"));
    segments.map(|(path, _)| storage.bytes(path).map_or(0, |bytes| bytes.len() as u64)).sum()
}

#[test]
fn writers_are_slowed_before_the_journal_is_full() {
    let storage = Arc::new(MemoryStorage::new());
    let settings = StoreOptions {
        durability: Durability::None,
        journal_size: JOURNAL,
        background: true,
        idle_after: Duration::from_secs(60),
        ..options()
    };
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
    let tables: Vec<Arc<PagedTable>> = ["a", "b", "c"]
        .iter()
        .map(|name| {
            create(&store, name).unwrap();
            let table = attach(&store, name);
            let mut writer = lock(&table);
            put_data(&mut writer, 0, &[1; 64 * 4096]).unwrap();
            writer.commit().unwrap();
            drop(writer);
            table
        })
        .collect();
    // A disk that takes its time for table files.
    storage.set_fault(Some(Box::new(|operation, path| {
        let table = path.extension().is_some_and(|e| e == "MYD" || e == "MYI");
        if table && matches!(operation, Operation::Write | Operation::Sync) {
            std::thread::sleep(Duration::from_millis(2));
        }
        None
    })));
    // A reader that stays for the whole time must not matter.
    let session = store.session();
    let old = session.begin(&tables.iter().collect::<Vec<_>>()).unwrap();
    old.rest();
    let (written, slowest, largest) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let until = Instant::now() + Duration::from_secs(3);
    std::thread::scope(|scope| {
        for (seed, table) in tables.iter().enumerate() {
            let (written, slowest) = (&written, &slowest);
            scope.spawn(move || {
                let mut round = seed as u64;
                while Instant::now() < until {
                    let begun = Instant::now();
                    let mut writer = lock(table);
                    round += 7919;
                    put_data(&mut writer, round % 60 * 4096, &[round as u8; 3000]).unwrap();
                    put_block(&mut writer, 1, round as u8).unwrap();
                    writer.commit().unwrap();
                    written.fetch_add(4000, Ordering::Relaxed);
                    slowest.fetch_max(begun.elapsed().as_millis() as u64, Ordering::Relaxed);
                }
            });
        }
        scope.spawn(|| {
            while Instant::now() < until {
                largest.fetch_max(journal_bytes(&storage), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
    });
    let (written, slowest, largest) = (written.into_inner(), slowest.into_inner(), largest.into_inner());
    println!("{written} bytes changed, journal at most {largest}, slowest commit {slowest} ms");
    assert!(written > 4 * JOURNAL, "{written}: the journal went round several times");
    // The segments kept ready come on top.
    assert!(largest <= JOURNAL + 4 * (32 << 10), "{largest}");
    assert!(slowest < 1000, "{slowest} ms");
    drop(old);
    drop(session);
    store.shutdown().unwrap();
}

#[test]
fn a_table_that_cannot_be_written_slows_but_does_not_stop() {
    let storage = Arc::new(MemoryStorage::new());
    let settings =
        StoreOptions { durability: Durability::None, journal_size: 256 << 10, background: true, ..options() };
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    storage.set_fault(Some(Box::new(|operation, path| {
        (operation == Operation::Sync && path.extension().is_some_and(|e| e == "MYD"))
            .then_some(std::io::ErrorKind::Other)
    })));
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[1; 40 * 4096]).unwrap();
    writer.commit().unwrap();
    let before = journal_bytes(&storage);
    let mut commits = 0;
    while journal_bytes(&storage) < (256 << 10) + before {
        put_data(&mut writer, commits % 40 * 4096, &[commits as u8; 4000]).unwrap();
        put_block(&mut writer, 1 + commits % 30, commits as u8).unwrap();
        writer.commit().unwrap();
        commits += 1;
    }
    // Full, and the checkpoint fails: slow, but it goes on; and it recovers.
    put_data(&mut writer, 0, &[1; 100]).unwrap();
    writer.commit().unwrap();
    storage.set_fault(None);
    drop(writer);
    let begun = Instant::now();
    while journal_bytes(&storage) > (256 << 10) + (32 << 10) {
        assert!(begun.elapsed() < Duration::from_secs(20), "the checkpoint is tried again");
        std::thread::sleep(Duration::from_millis(20));
        store.checkpoint().unwrap();
    }
    store.shutdown().unwrap();
}

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
    let session = store.reader_slot();
    let old = session.begin(&tables.iter().collect::<Vec<_>>()).unwrap();
    old.unpin_until_read();
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

/// While no checkpoint gets on: twice the size, then the error, and what failed is undone. Afterwards all is as before.
#[test]
fn the_journal_has_a_bound_when_checkpoints_fail() {
    for (fault, bounded) in [(None, true), (Some(pages::InjectedFault::JournalUnbounded), false)] {
        let storage = Arc::new(MemoryStorage::new());
        let settings = StoreOptions {
            durability: Durability::None,
            journal_size: 256 << 10,
            journal_wait: Duration::from_millis(300),
            background: true,
            fault,
            ..options()
        };
        let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
        create(&store, "t").unwrap();
        let table = attach(&store, "t");
        let mut writer = lock(&table);
        put_data(&mut writer, 0, &[1; 40 * 4096]).unwrap();
        writer.commit().unwrap();
        storage.set_fault(Some(Box::new(|operation, path| {
            (operation == Operation::Sync && path.extension().is_some_and(|e| e == "MYD"))
                .then_some(std::io::ErrorKind::Other)
        })));
        let (begun, mut round, mut failed) = (Instant::now(), 0_u64, None);
        while failed.is_none() && journal_bytes(&storage) < (700 << 10) {
            assert!(begun.elapsed() < Duration::from_secs(60));
            round += 1;
            let before = get(pages::PageSource::state(&writer), COUNTER_AT);
            // Several at once, as a commit for each waits for a while.
            for page in 0..16 {
                put_data(&mut writer, (round + page) % 40 * 4096, &[round as u8; 4000]).unwrap();
            }
            set(writer.state_mut(), COUNTER_AT, round);
            if let Err(e) = writer.commit() {
                assert_eq!(get(pages::PageSource::state(&writer), COUNTER_AT), before, "undone");
                failed = Some(e);
            }
        }
        println!("{fault:?}: {} after {round} commits, {:?}", journal_bytes(&storage), begun.elapsed());
        assert_eq!(failed.is_some(), bounded, "{fault:?}");
        let Some(e) = failed else { continue };
        assert!(matches!(e.kind(), pages::ErrorKind::JournalFull), "{e}");
        // A record and the segments kept ready come on top.
        assert!(journal_bytes(&storage) <= (512 << 10) + 5 * (32 << 10), "{}", journal_bytes(&storage));
        assert!(store.apply(files("u")).is_err(), "definition statements neither");
        storage.set_fault(None);
        // The background's next checkpoint may come later than one commit waits.
        let mended = Instant::now();
        loop {
            put_data(&mut writer, 0, &[9; 100]).unwrap();
            match writer.commit() {
                Ok(_) => break,
                Err(e) => assert!(mended.elapsed() < Duration::from_secs(30), "{e}"),
            }
        }
        drop(writer);
        store.checkpoint().unwrap();
        store.checkpoint().unwrap();
        assert!(store.journal_used() <= 256 << 10, "{}", store.journal_used());
        store.shutdown().unwrap();
    }
}

/// A checkpoint that fails is tried again and again; that does not fill the journal.
#[test]
fn failing_checkpoints_do_not_fill_the_journal() {
    for (fault, quiet) in [(None, true), (Some(pages::InjectedFault::BeginAgain), false)] {
        let storage = Arc::new(MemoryStorage::simulated());
        let (store, _) =
            Store::open(storage.clone(), Path::new(DIR), StoreOptions { fault, ..options() }).unwrap();
        create(&store, "t").unwrap();
        let table = attach(&store, "t");
        let mut writer = lock(&table);
        storage.set_fault(Some(Box::new(|operation, path| {
            (operation == Operation::Sync && path.extension().is_some_and(|e| e == "MYD"))
                .then_some(std::io::ErrorKind::Other)
        })));
        for round in 0..500 {
            // One small change a checkpoint: no image each time.
            put_data(&mut writer, 0, &[round as u8; 4000][..if round == 0 { 4000 } else { 10 }]).unwrap();
            writer.commit().unwrap();
            assert!(store.checkpoint().is_err());
        }
        assert_eq!(store.journal_used() < 200 << 10, quiet, "{fault:?}: {}", store.journal_used());
        storage.set_fault(None);
        for _ in 0..2 {
            store.checkpoint().unwrap();
        }
        assert!(store.journal_used() <= 2 * (32 << 10), "{}", store.journal_used());
        for draw in 0..10 {
            let after = storage.after_crash(pages::storage::CrashMode::PowerCut, draw).unwrap();
            let after = Arc::new(after);
            drop(Store::open(after.clone(), Path::new(DIR), options()).unwrap());
            assert_eq!(after.bytes(Path::new("/d/t.MYD")).unwrap()[..10], [499_u32 as u8; 10]);
        }
    }
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

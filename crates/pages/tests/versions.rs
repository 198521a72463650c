//! Old versions stay inside their budget: they are cut when nobody needs them, spill past it, and past the spill file the
//! oldest reader gets an error; no writer waits or fails for a reader.

mod common;

use std::io;
use std::path::Path;
use std::sync::Arc;

use common::*;
use pages::storage::{MemoryStorage, Operation, RealStorage, Storage};
use pages::{ErrorKind, PageSource, PagedTable, Snapshot, Store, StoreOptions, TableWriter};

const MIB: u64 = 1 << 20;
/// Data of the table, in pages of 4 KiB, and index blocks.
const PAGES: u64 = 3000;
const BLOCKS: u64 = 1000;

fn store(cache: u64, spill: u64) -> (Arc<MemoryStorage>, Arc<Store>, Arc<PagedTable>) {
    let storage = Arc::new(MemoryStorage::new());
    let (store, table) = store_over(storage.clone(), Path::new(DIR), cache, spill);
    (storage, store, table)
}

fn store_over(
    storage: Arc<dyn Storage>,
    dir: &Path,
    cache: u64,
    spill: u64,
) -> (Arc<Store>, Arc<PagedTable>) {
    let options = StoreOptions {
        version_cache_size: cache,
        version_spill_size: spill,
        journal_size: 256 * MIB,
        segment_size: 4 << 20,
        ..options()
    };
    let (store, _) = Store::open(storage, dir, options).unwrap();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    change(&mut writer, 0, 1);
    drop(writer);
    store.checkpoint_clean().unwrap();
    store.checkpoint_clean().unwrap();
    (store, table)
}

/// Writes `round` all over the table, in commits of some pages; `step` leaves pages out.
fn change(writer: &mut TableWriter, round: u8, step: usize) {
    for page in (0..PAGES).step_by(step) {
        put_data(writer, page * 4096, &[round; 4096]).unwrap();
        if page < BLOCKS {
            put_block(writer, page + 1, round).unwrap();
        }
        if page % 7 == 0 {
            writer.commit().unwrap();
        }
    }
    set(writer.state_mut(), COUNTER_AT, round.into());
    writer.commit().unwrap();
}

/// Everything the snapshot sees is of one round, or it was given up.
fn look(snapshot: &Snapshot<'_>, table: &PagedTable, round: u8) -> pages::Result<()> {
    let mut page = 0;
    while page < PAGES {
        let pin = snapshot.pin();
        let view = pin.table(table)?;
        if get(view.state(), COUNTER_AT) != u64::from(round) {
            table.check_read()?;
            panic!("the state of {} for {round}", get(view.state(), COUNTER_AT));
        }
        for page in page..(page + 100).min(PAGES) {
            let mut scratch = Vec::new();
            let bytes = view.data(page * 4096 + 17, 4000, &mut scratch)?;
            assert!(bytes.iter().all(|&b| b == round), "page {page}: {} for {round}", bytes[0]);
            if page < BLOCKS {
                let block = view.index_page((page + 1) * 1024, 1024)?;
                assert!(block.iter().all(|&b| b == round), "block {page}: {} for {round}", block[0]);
            }
        }
        page += 100;
    }
    Ok(())
}

#[test]
fn a_long_reader_beside_changes_of_everything_stays_inside_the_budget() {
    let (storage, store, table) = store(2 * MIB, 256 * MIB);
    let sessions: Vec<_> = (0..4).map(|_| store.reader_slot()).collect();
    let mut snapshots = Vec::new();
    let mut writer = lock(&table);
    for round in 1..=8 {
        if let Some(session) = sessions.get(usize::from(round) - 1) {
            let snapshot = session.begin(&[&table]).unwrap();
            snapshot.unpin_until_read();
            snapshots.push(snapshot);
        }
        change(&mut writer, round, 1);
        if round % 2 == 0 {
            store.checkpoint().unwrap();
        }
        let usage = store.version_usage();
        println!("{round} {usage:?}");
        // A header for each of 3,000 and 1,000 pages and snapshot is the least.
        assert!(usage.memory < 4 * MIB, "round {round}: {usage:?}");
        assert_eq!(usage.evicted, 0);
        for (began, snapshot) in snapshots.iter().enumerate() {
            look(snapshot, &table, began as u8).unwrap();
        }
        look(&store.reader_slot().begin(&[&table]).unwrap(), &table, round).unwrap();
    }
    assert!(store.version_usage().written > 40 * MIB, "{:?}", store.version_usage());
    assert!(
        !storage
            .list(Path::new(DIR))
            .unwrap()
            .iter()
            .any(|(path, _)| path.to_string_lossy().contains("versions"))
    );
    // The oldest ends: what it alone saw goes, the others read on.
    let before = store.version_usage();
    drop(snapshots.remove(0));
    change(&mut writer, 9, 1);
    drop(writer);
    store.prune_versions();
    for (began, snapshot) in snapshots.iter().enumerate() {
        look(snapshot, &table, began as u8 + 1).unwrap();
    }
    let after = store.version_usage();
    assert!(after.spilled < before.spilled, "{before:?} {after:?}");
    drop(snapshots);
    store.prune_versions();
    store.prune_versions();
    let after = store.version_usage();
    assert_eq!((after.memory, after.spilled), (0, 0), "{after:?}");
    store.checkpoint_clean().unwrap();
    look(&store.reader_slot().begin(&[&table]).unwrap(), &table, 9).unwrap();
    store.shutdown().unwrap();
}

#[test]
fn past_the_spill_file_the_oldest_reader_is_given_up_and_nobody_else() {
    // Room for the versions that two snapshots hold (16 MB each), not for three.
    let (_storage, store, table) = store(MIB, 40 * MIB);
    let sessions: Vec<_> = (0..5).map(|_| store.reader_slot()).collect();
    let mut snapshots = Vec::new();
    let mut writer = lock(&table);
    for round in 1..=5 {
        let snapshot = sessions[usize::from(round) - 1].begin(&[&table]).unwrap();
        snapshot.unpin_until_read();
        snapshots.push(snapshot);
        change(&mut writer, round, 1);
        if round == 4 {
            store.checkpoint().unwrap();
        }
        let usage = store.version_usage();
        println!("{round} {usage:?}");
        assert!(usage.memory < 4 * MIB && usage.spilled <= 40 * MIB, "{usage:?}");
    }
    let evicted = store.version_usage().evicted as usize;
    assert!((2..=3).contains(&evicted), "{:?}", store.version_usage());
    for (began, snapshot) in snapshots.iter().enumerate() {
        let looked = look(snapshot, &table, began as u8);
        if began < evicted {
            assert!(matches!(looked.unwrap_err().kind(), ErrorKind::SnapshotTooOld));
        } else {
            looked.unwrap();
        }
    }
    // The session is as good as new afterwards.
    drop(snapshots);
    look(&sessions[0].begin(&[&table]).unwrap(), &table, 5).unwrap();
}

#[test]
fn a_pinned_reader_keeps_its_pointers_when_it_is_given_up() {
    let (_storage, store, table) = store(0, 0);
    let session = store.reader_slot();
    let mut writer = lock(&table);
    change(&mut writer, 1, 1);
    let snapshot = session.begin(&[&table]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(&table).unwrap();
    for round in 2..=4 {
        // No checkpoint: it would wait for the pin.
        change(&mut writer, round, 1);
    }
    println!("{:?}", store.version_usage());
    assert_eq!(store.version_usage().evicted, 1);
    for page in 0..PAGES {
        let mut scratch = Vec::new();
        assert_eq!(view.data(page * 4096, 4096, &mut scratch).unwrap(), [1; 4096]);
    }
    assert!(matches!(pin.table(&table).err().unwrap().kind(), ErrorKind::SnapshotTooOld));
    drop(pin);
    change(&mut writer, 5, 1);
    assert!(store.version_usage().memory < MIB, "{:?}", store.version_usage());
    assert!(matches!(snapshot.pin().table(&table).err().unwrap().kind(), ErrorKind::SnapshotTooOld));
}

#[test]
fn a_full_disk_for_the_spill_file_costs_a_reader_not_a_writer() {
    let (storage, store, table) = store(MIB, 256 * MIB);
    let session = store.reader_slot();
    let snapshot = session.begin(&[&table]).unwrap();
    snapshot.unpin_until_read();
    storage.set_fault(Some(Box::new(|operation, path| {
        let spill = path.to_string_lossy().contains("versions");
        (spill && operation == Operation::Write).then_some(io::ErrorKind::StorageFull)
    })));
    let mut writer = lock(&table);
    for round in 1..=3 {
        change(&mut writer, round, 1);
        store.checkpoint().unwrap();
    }
    println!("{:?}", store.version_usage());
    assert_eq!(store.version_usage().evicted, 1);
    assert!(store.version_usage().memory < 2 * MIB, "{:?}", store.version_usage());
    assert!(matches!(look(&snapshot, &table, 0).unwrap_err().kind(), ErrorKind::SnapshotTooOld));
    drop(snapshot);
    look(&session.begin(&[&table]).unwrap(), &table, 3).unwrap();
}

#[test]
fn the_oldest_is_sought_among_readers_of_tables_that_hold_versions() {
    let (_storage, store, table) = store(MIB, 0);
    create(&store, "other").unwrap();
    let other = attach(&store, "other");
    let (innocent, guilty) = (store.reader_slot(), store.reader_slot());
    let of_other = innocent.begin(&[&other]).unwrap();
    of_other.unpin_until_read();
    let mut writer = lock(&table);
    change(&mut writer, 1, 1);
    let of_table = guilty.begin(&[&table]).unwrap();
    of_table.unpin_until_read();
    change(&mut writer, 2, 1);
    assert!(look(&of_table, &table, 1).is_err());
    assert_eq!(of_other.pin().table(&other).unwrap().data_len(), 0);
    assert_eq!(PageSource::state(&writer).len(), STATE_LEN);
}

#[test]
fn nobody_is_given_up_for_what_a_reader_before_left_behind() {
    let (_storage, store, table) = store(256 * MIB, 0);
    let (before, after) = (store.reader_slot(), store.reader_slot());
    let mut writer = lock(&table);
    change(&mut writer, 1, 1);
    let snapshot = before.begin(&[&table]).unwrap();
    snapshot.unpin_until_read();
    change(&mut writer, 2, 1);
    drop(writer);
    // All is looked at once more while it is needed, so that nothing new is a reason to.
    store.prune_versions();
    let mut writer = lock(&table);
    drop(snapshot);
    let left_behind = store.version_usage().memory;
    assert!(left_behind > 8 * MIB, "{:?}", store.version_usage());
    // Far more than the limit of now, and than what the reader that begins now needs.
    store.set_version_limits(4 * MIB, 0);
    let snapshot = after.begin(&[&table]).unwrap();
    snapshot.unpin_until_read();
    for round in 0..20 {
        put_data(&mut writer, (PAGES + round) * 4096, &[3; 4096]).unwrap();
        set(writer.state_mut(), COUNTER_AT, 3);
        writer.commit().unwrap();
    }
    let usage = store.version_usage();
    assert!(usage.evicted == 0 && usage.memory < 4 * MIB, "{usage:?}");
    look(&snapshot, &table, 2).unwrap();
    // What is left is the reader's own: past the limit it is given up.
    change(&mut writer, 4, 1);
    assert_eq!(store.version_usage().evicted, 1);
    assert!(matches!(look(&snapshot, &table, 2).unwrap_err().kind(), ErrorKind::SnapshotTooOld));
}

#[test]
fn nobody_is_given_up_for_what_readers_of_another_table_left_behind() {
    let (_storage, store, table) = store(256 * MIB, 0);
    create(&store, "other").unwrap();
    let other = attach(&store, "other");
    for table in [&table, &other] {
        change(&mut lock(table), 1, 1);
    }
    let (before, after) = (store.reader_slot(), store.reader_slot());
    // Whichever table a round comes to first: one holds what is needed, the other what is not.
    for (needed, left) in [(&table, &other), (&other, &table)] {
        let snapshot = before.begin(&[left]).unwrap();
        snapshot.unpin_until_read();
        change(&mut lock(left), 2, 1);
        drop(snapshot);
        let snapshot = after.begin(&[needed]).unwrap();
        snapshot.unpin_until_read();
        change(&mut lock(needed), 3, 8);
        store.set_version_limits(6 * MIB, 0);
        assert!(store.version_usage().memory > 6 * MIB, "{:?}", store.version_usage());
        store.prune_versions();
        let usage = store.version_usage();
        assert!(usage.evicted == 0 && usage.memory < 6 * MIB, "{usage:?}");
        drop(snapshot);
        store.set_version_limits(256 * MIB, 0);
    }
}

#[test]
fn a_spill_file_that_cannot_be_read_costs_its_readers_and_nobody_else() {
    let dir = std::env::temp_dir().join(format!("isambard-pages-fault-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let (store, table) = store_over(Arc::new(RealStorage), &dir, MIB, 256 * MIB);
    let session = store.reader_slot();
    let snapshot = session.begin(&[&table]).unwrap();
    snapshot.unpin_until_read();
    let mut writer = lock(&table);
    change(&mut writer, 1, 1);
    store.checkpoint().unwrap();
    change(&mut writer, 2, 1);
    look(&snapshot, &table, 0).unwrap();
    table.check_read().unwrap();
    // Cut short under the mapping, it reads as a broken disk does.
    let spill = std::fs::read_dir("/proc/self/fd").unwrap().map(|fd| fd.unwrap().path()).find(|fd| {
        std::fs::read_link(fd)
            .is_ok_and(|file| file.starts_with(&dir) && file.to_string_lossy().contains("versions-"))
    });
    let file = std::fs::OpenOptions::new().write(true).open(spill.expect("the spill file")).unwrap();
    file.set_len(0).unwrap();
    // Even the state it sees may be zeros by now.
    let read = look(&snapshot, &table, 0);
    println!("{read:?}");
    let error = table.check_read().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SnapshotTooOld), "{error}");
    // Writers go on; the reader is given up, and the file is forgotten.
    change(&mut writer, 3, 1);
    drop(writer);
    store.prune_versions();
    assert!(look(&snapshot, &table, 0).is_err());
    drop(snapshot);
    store.prune_versions();
    store.prune_versions();
    table.check_read().unwrap();
    assert_eq!(store.version_usage().spilled, 0);
    look(&session.begin(&[&table]).unwrap(), &table, 3).unwrap();
    store.shutdown().unwrap();
    std::fs::remove_dir_all(dir).unwrap();
}

/// What lies in the spill files of large statements counts as what lies in the one of old versions.
#[test]
fn old_versions_in_spill_files_of_statements_are_bounded_too() {
    let storage = Arc::new(MemoryStorage::new());
    let options = StoreOptions {
        version_cache_size: 2 * MIB,
        version_spill_size: 30 * MIB,
        statement_memory: 256 << 10,
        largest_record: 64 << 10,
        journal_size: 256 * MIB,
        segment_size: 4 << 20,
        ..options()
    };
    let (store, _) = Store::open(storage, Path::new(DIR), options).unwrap();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let sessions: Vec<_> = (0..6).map(|_| store.reader_slot()).collect();
    let mut snapshots = Vec::new();
    let mut writer = lock(&table);
    for round in 0..=6 {
        // One statement: 12 MB of rows, 1 MB of blocks.
        for page in 0..PAGES {
            put_data(&mut writer, page * 4096, &[round; 4096]).unwrap();
            if page < BLOCKS {
                put_block(&mut writer, page + 1, round).unwrap();
            }
        }
        set(writer.state_mut(), COUNTER_AT, round.into());
        writer.commit().unwrap();
        if round == 3 {
            store.checkpoint().unwrap();
        }
        let usage = store.version_usage();
        println!("{round} {usage:?}");
        // Given up one at a time, at a commit: the statement that has just ended may be over.
        assert!(usage.spilled <= (30 + 2 + 13) * MIB, "{usage:?}");
        if let Some(session) = sessions.get(usize::from(round)) {
            let snapshot = session.begin(&[&table]).unwrap();
            snapshot.unpin_until_read();
            snapshots.push(snapshot);
        }
    }
    let evicted = store.version_usage().evicted as usize;
    assert!((2..=5).contains(&evicted), "{:?}", store.version_usage());
    for (round, snapshot) in snapshots.iter().enumerate() {
        let looked = look(snapshot, &table, round as u8);
        if round < evicted {
            assert!(matches!(looked.unwrap_err().kind(), ErrorKind::SnapshotTooOld));
        } else {
            looked.unwrap();
        }
    }
    drop(snapshots);
    writer.rollback();
    drop(writer);
    store.prune_versions();
    store.prune_versions();
    assert_eq!(store.version_usage().spilled, 0, "{:?}", store.version_usage());
    store.shutdown().unwrap();
}

/// A pin keeps what was unlinked since it began, whatever the budgets say: hence pins are for batches.
#[test]
fn what_waits_for_a_pin_is_counted_and_goes_with_it() {
    let (_storage, store, table) = store(MIB, 64 * MIB);
    create(&store, "other").unwrap();
    let other = attach(&store, "other");
    let session = store.reader_slot();
    let snapshot = session.begin(&[&other]).unwrap();
    let mut writer = lock(&table);
    let pin = snapshot.pin();
    for round in 1..=3 {
        change(&mut writer, round, 1);
    }
    assert!(store.version_usage().waiting > 20 * MIB, "{:?}", store.version_usage());
    drop(pin);
    let mut most = 0;
    for round in 4..=6 {
        for step in 0..PAGES / 100 {
            let _pin = snapshot.pin();
            put_data(&mut writer, step * 4096, &[round; 4096]).unwrap();
            writer.commit().unwrap();
        }
        change(&mut writer, round, 1);
        most = most.max(store.version_usage().waiting);
    }
    assert!(most < MIB, "{most}");
}

#[test]
fn forks_see_what_their_snapshot_sees() {
    let (_, store, table) = store(64 * MIB, 64 * MIB);
    let reader = store.reader_slot();
    let snapshot = reader.begin(&[&table]).unwrap();
    snapshot.unpin_until_read();
    let forks: Vec<_> = (0..3).map(|_| snapshot.fork()).collect();
    let mut writer = lock(&table);
    change(&mut writer, 1, 1);
    std::thread::scope(|scope| {
        for fork in &forks[..1] {
            look(&fork.snapshot(), &table, 0).unwrap();
        }
        for fork in forks {
            let table = &table;
            scope.spawn(move || {
                for _ in 0..20 {
                    look(&fork.snapshot(), table, 0).unwrap();
                }
            });
        }
        for round in 2..8 {
            change(&mut writer, round, 1);
        }
    });
    snapshot.check_kept().unwrap();
    drop(writer);
    drop(snapshot);
    look(&reader.begin(&[&table]).unwrap(), &table, 7).unwrap();
}

#[test]
fn who_forked_hears_that_the_snapshot_was_given_up() {
    let (_, store, table) = store(0, 0);
    let reader = store.reader_slot();
    let snapshot = reader.begin(&[&table]).unwrap();
    snapshot.unpin_until_read();
    let fork = snapshot.fork();
    snapshot.check_kept().unwrap();
    let mut writer = lock(&table);
    for round in 2..6 {
        change(&mut writer, round, 1);
        store.checkpoint_clean().ok();
    }
    assert!(matches!(snapshot.check_kept().unwrap_err().kind(), ErrorKind::SnapshotTooOld));
    drop(fork);
}

//! Failing writes and syncs: the statement fails whole, nothing acknowledged is lost.

mod common;

use std::io::ErrorKind as Io;
use std::path::Path;
use std::sync::Arc;

use common::*;
use pages::storage::{MemoryStorage, Operation, Storage};
use pages::{Durability, ErrorKind, FilePlan, PageSource, PagedTable, Store, StoreOptions};

struct Bench {
    storage: Arc<MemoryStorage>,
    store: Arc<Store>,
    table: Arc<PagedTable>,
}

fn bench() -> Bench {
    let storage = Arc::new(MemoryStorage::simulated());
    let settings = StoreOptions { durability: Durability::Commit, segment_size: 4096, ..options() };
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[1; 3000]).unwrap();
    put_block(&mut writer, 1, 1).unwrap();
    let lsn = writer.commit().unwrap();
    drop(writer);
    store.wait_durable(lsn).unwrap();
    Bench { storage, store, table }
}

fn fail(storage: &MemoryStorage, operation: Operation, name: &'static str, kind: Io) {
    storage.set_fault(Some(Box::new(move |op, path| {
        (op == operation && path.to_string_lossy().contains(name)).then_some(kind)
    })));
}

#[test]
fn a_full_disk_undoes_the_statement_and_no_other() {
    let Bench { storage, store, table } = bench();
    for (operation, name) in [(Operation::Write, "journal"), (Operation::Name, "journal")] {
        fail(&storage, operation, name, Io::StorageFull);
        let mut writer = lock(&table);
        let error = (0..20)
            .find_map(|round| {
                put_data(&mut writer, 0, &[2; 10]).unwrap();
                put_data(&mut writer, 3000 + round, &[2; 1]).unwrap();
                put_block(&mut writer, 1, 2).unwrap();
                put_block(&mut writer, 2, 2).unwrap();
                writer.commit().err()
            })
            .expect("the journal needs room");
        assert!(matches!(error.kind(), ErrorKind::DiskFull { .. }), "{error}");
        assert!(!writer.is_dirty());
        storage.set_fault(None);
        // What was published is what the writer sees, and both go on.
        let published = content(&store, &table);
        let mut scratch = Vec::new();
        assert_eq!(writer.data(0, published.len(), &mut scratch).unwrap(), published);
        let first = writer.index_page(1024, 1024).unwrap()[0];
        put_data(&mut writer, 5, &[3; 5]).unwrap();
        writer.commit().unwrap();
        drop(writer);
        assert_eq!(content(&store, &table)[5..10], [3; 5]);
        let session = store.reader_slot();
        let snapshot = session.begin(&[&table]).unwrap();
        assert_eq!(snapshot.pin().table(&table).unwrap().index_page(1024, 1024).unwrap()[0], first);
    }
    let expected = content(&store, &table);
    store.wait_durable(store.visible()).unwrap();
    drop((store, table));
    let (store, _) = Store::open(storage, Path::new(DIR), options()).unwrap();
    assert_eq!(content(&store, &attach(&store, "t")), expected);
}

#[test]
fn a_failing_sync_of_the_journal_stops_everything() {
    let Bench { storage, store, table } = bench();
    fail(&storage, Operation::Sync, "journal", Io::Other);
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[2; 10]).unwrap();
    let lsn = writer.commit().unwrap();
    let error = store.wait_durable(lsn).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }), "not acknowledged: {error}");
    storage.set_fault(None);
    put_data(&mut writer, 0, &[3; 10]).unwrap();
    assert!(matches!(writer.commit().unwrap_err().kind(), ErrorKind::Poisoned { .. }));
    assert!(matches!(store.wait_durable(lsn).unwrap_err().kind(), ErrorKind::Poisoned { .. }));
    assert!(store.checkpoint().is_err() && store.apply(files("u")).is_err());
    assert_eq!(content(&store, &table)[0], 2, "readers go on");
    drop(writer);
    drop((store, table));
    let (store, _) = Store::open(storage, Path::new(DIR), options()).unwrap();
    assert!([1, 2].contains(&content(&store, &attach(&store, "t"))[0]));
}

#[test]
fn a_checkpoint_that_fails_keeps_the_journal() {
    for (operation, name) in [
        (Operation::Write, ".MYD"),
        (Operation::Write, ".MYI"),
        (Operation::Sync, ".MYD"),
        (Operation::Sync, ".MYI"),
    ] {
        let Bench { storage, store, table } = bench();
        fail(&storage, operation, name, Io::Other);
        assert!(store.checkpoint().is_err());
        assert!(store.checkpoint_clean().is_err());
        let mut writer = lock(&table);
        put_data(&mut writer, 2990, &[2; 2000]).unwrap();
        let lsn = writer.commit().unwrap();
        drop(writer);
        store.wait_durable(lsn).unwrap();
        let expected = content(&store, &table);
        let crashed = Arc::new(storage.after_crash(pages::storage::CrashMode::Kill, 1).unwrap());
        let (again, _) = Store::open(crashed, Path::new(DIR), options()).unwrap();
        assert_eq!(content(&again, &attach(&again, "t")), expected);
        storage.set_fault(None);
        store.checkpoint_clean().unwrap();
        assert_eq!(content(&store, &table), expected);
        store.shutdown().unwrap();
        assert_eq!(storage.bytes(Path::new("/d/t.MYD")).unwrap(), expected);
    }
}

#[test]
fn a_guard_that_cannot_be_written_is_tried_again() {
    let Bench { storage, store, table } = bench();
    store.checkpoint_clean().unwrap();
    for operation in [Operation::Write, Operation::Sync] {
        fail(&storage, operation, ".MYI", Io::Other);
        let mut writer = lock(&table);
        put_data(&mut writer, 0, &[9; 10]).unwrap();
        assert!(writer.commit().is_err());
        storage.set_fault(None);
        drop(writer);
        // A crash here must not lock the owner out.
        let crashed = Arc::new(storage.after_crash(pages::storage::CrashMode::Kill, 1).unwrap());
        let (again, report) = Store::open(crashed, Path::new(DIR), options()).unwrap();
        assert!(report.foreign.is_empty(), "{report:?}");
        assert_eq!(content(&again, &attach(&again, "t")), [1; 3000]);
    }
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[9; 10]).unwrap();
    let lsn = writer.commit().unwrap();
    drop(writer);
    store.wait_durable(lsn).unwrap();
    drop((store, table));
    let (store, report) = Store::open(storage, Path::new(DIR), options()).unwrap();
    assert_eq!(report.tables, [Path::new("t")]);
    assert_eq!(content(&store, &attach(&store, "t"))[..10], [9; 10]);
}

#[test]
fn files_change_all_or_not_at_all() {
    let Bench { storage, store, .. } = bench();
    fail(&storage, Operation::Write, "#sql-isambard", Io::StorageFull);
    assert!(store.apply(files("u")).is_err());
    storage.set_fault(None);
    let entries = pages::storage::Storage::list(&*storage, Path::new(DIR)).unwrap();
    assert!(entries.iter().all(|(path, _)| !path.to_string_lossy().contains("#sql")), "{entries:?}");
    store.apply(files("u")).unwrap();
    attach(&store, "u");
}

#[test]
fn what_cannot_be_moved_is_refused_before_anything_is_decided() {
    let Bench { store, .. } = bench();
    for plan in [
        FilePlan::new().rename("t.MYI", "#memory/t.MYI"),
        FilePlan::new().create("u.MYI", b"new".to_vec()).rename("t.MYI", "#memory/t.MYI"),
    ] {
        let error = store.apply(plan).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::CrossesDevices { .. }), "{error}");
    }
    // the store goes on
    store.apply(FilePlan::new().rename("t.MYI", "u.MYI")).unwrap();
    store.apply(FilePlan::new().rename("u.MYI", "t.MYI")).unwrap();
}

#[test]
fn a_file_system_that_becomes_read_only_stops_writers_and_no_reader() {
    let Bench { storage, store, table } = bench();
    store.checkpoint_clean().unwrap();
    storage.set_fault(Some(Box::new(|operation, _| {
        (operation != Operation::Read).then_some(Io::ReadOnlyFilesystem)
    })));
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[9; 10]).unwrap();
    let error = writer.commit().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. } | ErrorKind::Poisoned { .. }), "{error}");
    drop(writer);
    assert_eq!(content(&store, &table), [1; 3000]);
    assert!(store.apply(files("u")).is_err());
    drop((store, table));
    // Nor is it opened: the error says why, and nothing is changed.
    let error = Store::open(storage.clone(), Path::new(DIR), options()).unwrap_err();
    assert!(error.to_string().contains("read-only"), "{error}");
    storage.set_fault(None);
    let (store, _) = Store::open(storage, Path::new(DIR), options()).unwrap();
    assert_eq!(content(&store, &attach(&store, "t")), [1; 3000]);
}

#[test]
fn a_page_that_cannot_be_read_is_an_error_and_not_zeros_on_disk() {
    let Bench { storage, store, table } = bench();
    let mut writer = lock(&table);
    put_data(&mut writer, 3000, &[2; 20_000]).unwrap();
    writer.commit().unwrap();
    drop(writer);
    store.checkpoint_clean().unwrap();
    let whole = storage.bytes(Path::new("/d/t.MYD")).unwrap();
    // The mapping meets a hole: to the reader the same as a block that the disk does not give back.
    let file = Storage::open(&*storage, Path::new("/d/t.MYD"), pages::storage::OpenMode::ReadWrite).unwrap();
    file.set_len(4096).unwrap();
    let seen = content(&store, &table);
    assert_eq!(seen.len(), 23_000);
    assert!(
        matches!(table.check_fault().unwrap_err().kind(), ErrorKind::Corrupt { .. }),
        "looked at before rows are sent"
    );
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[9; 10]).unwrap();
    assert!(matches!(writer.commit().unwrap_err().kind(), ErrorKind::Corrupt { .. }));
    drop(writer);
    let _ = store.checkpoint();
    drop((store, table));
    file.write_all_at(&whole, 0).unwrap();
    let (store, _) = Store::open(storage, Path::new(DIR), options()).unwrap();
    assert_eq!(content(&store, &attach(&store, "t")), whole);
}

#[test]
fn a_journal_that_cannot_be_read_is_kept_for_the_next_try() {
    let Bench { storage, store, table } = bench();
    let expected = content(&store, &table);
    drop((store, table));
    fail(&storage, Operation::Read, "isambard.journal", Io::Other);
    let error = Store::open(storage.clone(), Path::new(DIR), options()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }), "{error}");
    storage.set_fault(None);
    let (store, report) = Store::open(storage, Path::new(DIR), options()).unwrap();
    assert_eq!(report.tables, [Path::new("t")]);
    assert_eq!(content(&store, &attach(&store, "t")), expected);
}

/// Several segments of journal, nothing checkpointed; the server is gone.
fn long_journal() -> (Arc<MemoryStorage>, Vec<std::path::PathBuf>) {
    let Bench { storage, store, table } = bench();
    let mut writer = lock(&table);
    for round in 0..60 {
        put_data(&mut writer, 3000 + round * 500, &[round as u8; 500]).unwrap();
        let lsn = writer.commit().unwrap();
        store.wait_durable(lsn).unwrap();
    }
    drop(writer);
    drop((store, table));
    let list = Storage::list(&*storage, Path::new(DIR)).unwrap();
    let segments: Vec<_> = list
        .into_iter()
        .map(|(path, _)| path)
        .filter(|p| p.to_string_lossy().contains("isambard.journal"))
        .collect();
    assert!(segments.len() > 5);
    (storage, segments)
}

#[test]
fn a_damaged_or_foreign_segment_stops_recovery_before_anything_is_replayed() {
    let open = pages::storage::OpenMode::ReadWrite;
    for damage in ["record", "head", "first head", "copy"] {
        let (storage, segments) = long_journal();
        let before = storage.bytes(Path::new("/d/t.MYD")).unwrap();
        let flip = |path: &Path, at: u64| {
            let file = Storage::open(&*storage, path, open).unwrap();
            let mut byte = [0];
            file.read_exact_at(&mut byte, at).unwrap();
            file.write_all_at(&[byte[0] ^ 4], at).unwrap();
        };
        match damage {
            "record" => flip(&segments[3], 900),
            "head" => flip(&segments[3], 20),
            "first head" => flip(&segments[0], 20),
            _ => {
                let bytes = storage.bytes(&segments[2]).unwrap();
                let path = Path::new("/d/isambard.journal.000777");
                Storage::open(&*storage, path, pages::storage::OpenMode::CreateNew)
                    .unwrap()
                    .write_all_at(&bytes, 0)
                    .unwrap();
            }
        }
        let error = Store::open(storage.clone(), Path::new(DIR), options()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Corrupt { .. }), "{damage}: {error}");
        assert_eq!(storage.bytes(Path::new("/d/t.MYD")).unwrap(), before, "{damage}");
        for path in &segments {
            assert!(storage.bytes(path).is_ok(), "{damage}: the journal is kept");
        }
    }
}

#[test]
fn a_table_whose_files_are_exchanged_under_the_server_takes_no_more_changes() {
    let Bench { storage, store, table } = bench();
    store.apply(files("other")).unwrap();
    for extension in ["MYI", "MYD"] {
        let [from, to] =
            ["other", "t"].map(|name| std::path::PathBuf::from(format!("/d/{name}.{extension}")));
        Storage::rename(&*storage, &from, &to).unwrap();
    }
    let stranger = storage.bytes(Path::new("/d/t.MYI")).unwrap();
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[7; 10]).unwrap();
    writer.commit().unwrap();
    drop(writer);
    assert!(matches!(store.checkpoint().unwrap_err().kind(), ErrorKind::ForeignChange { .. }));
    let mut writer = lock(&table);
    put_data(&mut writer, 0, &[8; 10]).unwrap();
    assert!(matches!(writer.commit().unwrap_err().kind(), ErrorKind::ForeignChange { .. }));
    drop(writer);
    assert_eq!(content(&store, &table)[0], 7, "readers go on");
    drop((store, table));
    // The stranger is left as it is; what was committed is in the journal that is kept.
    let (_store, report) = Store::open(storage.clone(), Path::new(DIR), options()).unwrap();
    assert_eq!(report.foreign[0].0, Path::new("t"));
    assert_eq!(storage.bytes(Path::new("/d/t.MYI")).unwrap(), stranger);
    let list = Storage::list(&*storage, Path::new(DIR)).unwrap();
    assert!(list.iter().any(|(path, _)| path.to_string_lossy().contains("kept-journal")));
}

/// A store in which renaming `t` to `u` stopped between its two files.
fn stuck(fault: Option<pages::InjectedFault>) -> Bench {
    let storage = Arc::new(MemoryStorage::simulated());
    let settings = StoreOptions { durability: Durability::Commit, segment_size: 4096, fault, ..options() };
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
    create(&store, "t").unwrap();
    create(&store, "other").unwrap();
    let renamed = attach(&store, "t");
    let mut writer = lock(&renamed);
    put_data(&mut writer, 0, b"renamed").unwrap();
    writer.commit().unwrap();
    drop(writer);
    store.detach(&renamed).unwrap();
    fail(&storage, Operation::Name, "t.MYD", Io::Other);
    let plan = pages::FilePlan::new().rename("t.MYI", "u.MYI").rename("t.MYD", "u.MYD");
    let error = store.apply(plan).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unfinished { .. }), "the client is told: {error}");
    let table = attach(&store, "other");
    Bench { storage, store, table }
}

#[test]
fn half_of_a_change_of_files_is_shown_to_nobody() {
    let Bench { storage, store, table } = stuck(None);
    let raw = storage.identity(Path::new("/d/u.MYI")).unwrap();
    assert!(raw.is_some() && storage.identity(Path::new("/d/t.MYD")).unwrap().is_some(), "it is half done");
    let shown = store.storage().clone();
    for name in ["t.MYI", "t.MYD", "u.MYI", "u.MYD"] {
        let path = Path::new(DIR).join(name);
        assert!(shown.identity(&path).is_err() && shown.is_dir(&path).is_err(), "{name}");
        assert!(shown.open(&path, pages::storage::OpenMode::Read).is_err(), "{name}");
    }
    assert!(shown.list(Path::new(DIR)).is_err());
    let of_u = common::spec(&*storage, Path::new(DIR), "u", pages::DataPaging::Bytes4K).unwrap();
    assert!(matches!(store.attach(of_u).unwrap_err().kind(), ErrorKind::Unfinished { .. }));
    assert!(store.apply(files("third")).is_err(), "one after the other");
    // Other tables go on, checkpoints too.
    let mut writer = lock(&table);
    for round in 0..20 {
        put_data(&mut writer, 0, &[round; 3000]).unwrap();
        writer.commit().unwrap();
        store.checkpoint().unwrap();
    }
    drop(writer);
    assert!(store.journal_used() < 5 * 4096, "{}", store.journal_used());
    assert!(shown.identity(Path::new("/d/other.MYI")).unwrap().is_some());
    storage.set_fault(None);
    // The first look finishes it.
    assert_eq!(shown.identity(Path::new("/d/t.MYI")).unwrap(), None);
    assert_eq!(shown.identity(Path::new("/d/u.MYI")).unwrap(), raw);
    assert_eq!(content(&store, &attach(&store, "u")), b"renamed");
    store.apply(files("third")).unwrap();
    store.shutdown().unwrap();
}

#[test]
fn a_decided_change_of_files_outlives_checkpoints_crashes_and_stops() {
    for (fault, safe) in [(None, true), (Some(pages::InjectedFault::PlanForgotten), false)] {
        let Bench { storage, store, table } = stuck(fault);
        let mut writer = lock(&table);
        for round in 0..20 {
            put_data(&mut writer, 0, &[round; 3000]).unwrap();
            writer.commit().unwrap();
            store.checkpoint().unwrap();
        }
        drop(writer);
        let whole = |crashed: Arc<MemoryStorage>| {
            drop(Store::open(crashed.clone(), Path::new(DIR), options()).unwrap());
            let there = |name: &str| crashed.identity(&Path::new(DIR).join(name)).unwrap().is_some();
            assert!(there("other.MYI") && there("other.MYD"));
            there("u.MYI") && there("u.MYD") && !there("t.MYI") && !there("t.MYD")
        };
        let mut all = true;
        for mode in [pages::storage::CrashMode::Kill, pages::storage::CrashMode::PowerCut] {
            for draw in 0..10 {
                all &= whole(Arc::new(storage.after_crash(mode, draw).unwrap()));
            }
        }
        assert_eq!(all, safe, "{fault:?}");
        // A clean stop keeps the journal, which alone knows.
        assert!(store.shutdown().is_err());
        drop((store, table));
        storage.set_fault(None);
        assert_eq!(whole(storage), safe, "{fault:?}");
    }
}

/// The guard was taken for set though the header without it had been written, and only the sync had failed: a kill lost
/// what was acknowledged afterwards.
#[test]
fn a_guard_that_was_half_cleared_is_set_anew() {
    for (fault, safe) in [(None, true), (Some(pages::InjectedFault::UnguardTrusted), false)] {
        for operation in [Operation::Write, Operation::Sync] {
            let storage = Arc::new(MemoryStorage::simulated());
            let settings = StoreOptions { durability: Durability::Commit, fault, ..options() };
            let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
            create(&store, "t").unwrap();
            let table = attach(&store, "t");
            let mut writer = lock(&table);
            put_data(&mut writer, 0, &[1; 3000]).unwrap();
            writer.commit().unwrap();
            // The second one of the index file: the first writes the header, the second clears the guard.
            let left = std::sync::atomic::AtomicU32::new(1);
            storage.set_fault(Some(Box::new(move |op, path| {
                let here = op == operation && path.ends_with("t.MYI");
                let due = here && left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0;
                due.then_some(Io::Other)
            })));
            assert!(store.flush_and_unguard(&mut writer, &pages::WaitLimit::unbounded()).is_err());
            storage.set_fault(None);
            writer.data_write(0, &[2; 10]).unwrap();
            let lsn = writer.commit().unwrap();
            drop(writer);
            store.wait_durable(lsn).unwrap();
            for mode in [pages::storage::CrashMode::Kill, pages::storage::CrashMode::PowerCut] {
                let after = Arc::new(storage.after_crash(mode, 3).unwrap());
                let (store, _) = Store::open(after, Path::new(DIR), options()).unwrap();
                let kept = content(&store, &attach(&store, "t"))[..10] == [2; 10];
                // What a power cut leaves of the unsynced header is by chance.
                if safe || mode == pages::storage::CrashMode::Kill && operation == Operation::Sync {
                    assert_eq!(kept, safe, "{fault:?} {operation:?} {mode:?}");
                }
            }
            // Nothing is left behind for the next time either.
            store.checkpoint_clean().unwrap();
            drop((table, store));
            let header = storage.bytes(Path::new("/d/t.MYI")).unwrap();
            assert!(!safe || header[4] & 8 == 0, "unguarded");
        }
    }
}

/// A checkpoint that could not retire the oldest segment went on with the next one later, and left a gap.
#[test]
fn a_segment_that_could_not_be_retired_stays_the_oldest() {
    for operation in [Operation::Write, Operation::Sync] {
        let Bench { storage, store, table } = bench();
        let mut writer = lock(&table);
        let mut change = |byte: u8| {
            for _ in 0..4 {
                put_data(&mut writer, 0, &[byte; 3000]).unwrap();
                writer.commit().unwrap();
            }
            store.sync_journal().unwrap();
        };
        change(2);
        fail(&storage, operation, "journal.000001", Io::StorageFull);
        assert!(store.checkpoint().is_err());
        storage.set_fault(None);
        assert!(store.journal_used() > 4096, "the segments are kept");
        change(3);
        // And once the checkpoint has been through, a crash finds them in order.
        for round in 4..8 {
            let after =
                Arc::new(storage.after_crash(pages::storage::CrashMode::PowerCut, round.into()).unwrap());
            let (again, _) = Store::open(after, Path::new(DIR), options()).unwrap();
            assert_eq!(content(&again, &attach(&again, "t"))[0], round - 1, "{operation:?}");
            store.checkpoint().unwrap();
            change(round);
        }
    }
}

/// The checkpoint is at a table whose files are exchanged: nobody needs what it was about to write.
#[test]
fn a_checkpoint_beside_a_new_generation_is_no_failure() {
    for after in 0..4 {
        let Bench { storage, store, table } = bench();
        let mut writer = lock(&table);
        put_data(&mut writer, 3000, &[2; 500]).unwrap();
        put_block(&mut writer, 1, 2).unwrap();
        writer.commit().unwrap();
        let here = store.clone();
        storage.set_interlude(Some((
            after,
            Box::new(move || {
                let mut spec =
                    spec(&**here.storage(), here.datadir(), "t", pages::DataPaging::Bytes4K).unwrap();
                spec.state = fresh_state();
                here.replace_generation(writer, files("t"), spec).unwrap();
            }),
        )));
        store.checkpoint().unwrap();
        assert!(storage.set_interlude(None).is_none(), "the checkpoint had {after} operations");
        let table = attach(&store, "t");
        assert_eq!(content(&store, &table), []);
        put_data(&mut lock(&table), 0, &[3; 9]).unwrap();
        store.shutdown().unwrap();
    }
}

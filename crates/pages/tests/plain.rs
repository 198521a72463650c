//! Reading and writing without crashes: snapshots, marks, locks, checkpoints, files.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::*;
use pages::storage::{MemoryStorage, Storage};
use pages::{DataPaging, ErrorKind, FilePlan, PageSource, PagedTable, ReaderSlot, StateLayout, Store};

fn memory_store() -> (Arc<MemoryStorage>, Arc<Store>) {
    let storage = Arc::new(MemoryStorage::new());
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), options()).unwrap();
    (storage, store)
}

fn data_of(session: &ReaderSlot, table: &Arc<PagedTable>) -> Vec<u8> {
    let snapshot = session.begin(&[table]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(table).unwrap();
    let mut scratch = Vec::new();
    view.data(0, view.data_len() as usize, &mut scratch).unwrap().to_vec()
}

fn runs_of(source: &impl PageSource) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let run = source.data_run(all.len() as u64).unwrap();
        if run.is_empty() {
            return all;
        }
        all.extend_from_slice(run);
    }
}

#[test]
fn a_snapshot_stays_as_it_began() {
    let (_storage, store) = memory_store();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    put_block(&mut writer, 1, 1).unwrap();
    put_data(&mut writer, 0, b"one").unwrap();
    writer.commit().unwrap();

    let session = store.reader_slot();
    let snapshot = session.begin(&[&table]).unwrap();
    put_block(&mut writer, 1, 2).unwrap();
    put_data(&mut writer, 3, b" two").unwrap();
    assert_eq!(writer.index_page(1024, 1024).unwrap()[0], 2);
    assert_eq!(writer.published().index_page(1024, 1024).unwrap()[0], 1);
    writer.commit().unwrap();
    put_data(&mut writer, 0, b"ONE").unwrap();
    writer.commit().unwrap();
    {
        let pin = snapshot.pin();
        let view = pin.table(&table).unwrap();
        assert_eq!(view.index_page(1024, 1024).unwrap()[0], 1);
        assert_eq!(view.data_run(0).unwrap(), b"one");
        assert!(view.data(0, 4, &mut Vec::new()).is_err(), "beyond its length");
        assert!(view.index_page(2048, 1024).is_err() && view.index_page(1024, 2048).is_err());
    }
    drop(snapshot);
    assert_eq!(data_of(&session, &table), b"ONE two");
    store.checkpoint().unwrap();
    assert_eq!(data_of(&session, &table), b"ONE two");
}

#[test]
fn rows_longer_than_pages_are_assembled() {
    for paging in [DataPaging::Bytes4K, DataPaging::FixedRows { row_len: 33 }] {
        let (_storage, store) = memory_store();
        create(&store, "t").unwrap();
        let table = attach_as(&store, "t", paging);
        let session = store.reader_slot();
        let mut expected: Vec<u8> = Vec::new();
        let mut writer = lock(&table);
        for round in 0..40_usize {
            let row: Vec<u8> = (0..33 * 37).map(|i| (i * 7 + round) as u8).collect();
            put_data(&mut writer, expected.len() as u64, &row).unwrap();
            expected.extend_from_slice(&row);
            let at = round * 331 % (expected.len() - 40);
            writer.data_write(at as u64, &[round as u8; 40]).unwrap();
            expected[at..at + 40].fill(round as u8);
            assert_eq!(runs_of(&writer), expected);
            let mut scratch = Vec::new();
            assert_eq!(writer.data(0, expected.len(), &mut scratch).unwrap(), expected);
            writer.commit().unwrap();
            if round % 7 == 3 {
                store.checkpoint().unwrap();
            }
            assert_eq!(data_of(&session, &table), expected);
            let snapshot = session.begin(&[&table]).unwrap();
            let pin = snapshot.pin();
            assert_eq!(runs_of(&pin.table(&table).unwrap()), expected);
        }
    }
}

#[test]
fn marks_and_rollback_leave_no_trace() {
    let (_storage, store) = memory_store();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    put_block(&mut writer, 1, 1).unwrap();
    put_data(&mut writer, 0, &[1; 5000]).unwrap();
    let first = writer.commit().unwrap();

    put_data(&mut writer, 5000, &[2; 100]).unwrap();
    let mark = writer.mark();
    put_data(&mut writer, 5050, &[3; 5000]).unwrap();
    put_block(&mut writer, 1, 3).unwrap();
    put_block(&mut writer, 2, 3).unwrap();
    writer.rollback_to(mark).unwrap();
    assert_eq!(runs_of(&writer)[4990..], [[1; 10].as_slice(), &[2; 100]].concat());
    assert_eq!(writer.index_page(1024, 1024).unwrap()[0], 1);
    assert!(writer.index_page(2048, 1024).is_err());
    writer.commit().unwrap();
    assert_eq!(data_of(&store.reader_slot(), &table).len(), 5100);

    put_data(&mut writer, 0, &[9; 10]).unwrap();
    writer.rollback();
    assert!(!writer.is_dirty());
    let lsn = writer.commit().unwrap();
    assert!(lsn > first && lsn == store.visible(), "nothing to commit costs nothing");
    assert_eq!(data_of(&store.reader_slot(), &table)[0], 1);
    put_data(&mut writer, 0, &[9; 10]).unwrap();
    drop(writer);
    assert_eq!(data_of(&store.reader_slot(), &table)[0], 1);
}

#[test]
fn a_checkpoint_keeps_old_pages_for_old_snapshots() {
    let (storage, store) = memory_store();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    for block in 1..50 {
        put_block(&mut writer, block, 1).unwrap();
    }
    put_data(&mut writer, 0, &[1; 20_000]).unwrap();
    writer.commit().unwrap();
    drop(writer);
    store.checkpoint_clean().unwrap();
    let on_disk = || storage.bytes(Path::new("/d/t.MYI")).unwrap()[5 * 1024];
    assert_eq!(on_disk(), 1);
    let sessions: Vec<ReaderSlot> = (0..4).map(|_| store.reader_slot()).collect();
    let mut snapshots = Vec::new();
    for (round, session) in (2..).zip(&sessions) {
        snapshots.push((round - 1, session.begin(&[&table]).unwrap()));
        snapshots.iter().for_each(|(_, snapshot)| snapshot.unpin_until_read());
        let mut writer = lock(&table);
        for block in 1..50 {
            put_block(&mut writer, block, round).unwrap();
        }
        put_data(&mut writer, 0, &[round; 20_000]).unwrap();
        writer.commit().unwrap();
        drop(writer);
        store.checkpoint().unwrap();
        store.checkpoint().unwrap();
        assert_eq!(on_disk(), round);
        for (expected, snapshot) in &snapshots {
            let pin = snapshot.pin();
            let view = pin.table(&table).unwrap();
            for block in 1..50 {
                assert_eq!(view.index_page(block * 1024, 1024).unwrap(), [*expected; 1024]);
            }
            assert_eq!(runs_of(&view), [*expected; 20_000]);
        }
    }
    snapshots.clear();
    store.checkpoint_clean().unwrap();
    assert_eq!(data_of(&sessions[0], &table), [5; 20_000]);
}

#[test]
fn a_clean_table_carries_no_guard() {
    let (storage, store) = memory_store();
    create(&store, "t").unwrap();
    let path = Path::new("/d/t.MYI");
    let guard = || storage.bytes(path).unwrap()[4] & 8 != 0;
    let table = attach(&store, "t");
    assert!(!guard());
    let mut writer = lock(&table);
    put_data(&mut writer, 0, b"row").unwrap();
    assert!(!guard());
    writer.commit().unwrap();
    assert!(guard(), "set before the commit is acknowledged");
    table.auto_increment().fetch_max(77, std::sync::atomic::Ordering::Relaxed);
    store.checkpoint().unwrap();
    assert!(guard());
    store.flush_and_unguard(&mut writer, &pages::WaitLimit::unbounded()).unwrap();
    assert!(!guard());
    assert_eq!(get(&storage.bytes(path).unwrap(), StateLayout::MYI.auto_increment_at), 77);
    put_data(&mut writer, 3, b"row").unwrap();
    writer.commit().unwrap();
    assert!(guard());
    drop(writer);
    store.detach(&table).unwrap();
    assert!(!guard() && table.is_stale());
    assert!(matches!(store.reader_slot().begin(&[&table]).err().unwrap().kind(), ErrorKind::Stale));
    assert_eq!(storage.bytes(Path::new("/d/t.MYD")).unwrap(), b"rowrow");
    let table = attach(&store, "t");
    assert_eq!(table.auto_increment().load(std::sync::atomic::Ordering::Relaxed), 77);
    store.shutdown().unwrap();
    let entries = storage.list(Path::new(DIR)).unwrap();
    assert_eq!(entries.len(), 2, "only the table is left: {entries:?}");
}

#[test]
fn who_closes_a_table_is_not_hindered_by_readers_that_are_turned_away() {
    let (_, store) = memory_store();
    create(&store, "t").unwrap();
    let session = store.reader_slot();
    let newest = std::sync::Mutex::new(attach(&store, "t"));
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let reader = store.reader_slot();
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    let table = newest.lock().unwrap().clone();
                    for _ in 0..100 {
                        drop(reader.begin(&[&table]));
                    }
                }
            });
        }
        for round in 0..2000 {
            let table = newest.lock().unwrap().clone();
            let guard = table.exclusive(session.id(), Duration::from_secs(20), &never).unwrap();
            let closed = guard.detach(&pages::WaitLimit::unbounded());
            if closed.is_err() {
                over.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            closed.unwrap_or_else(|e| panic!("round {round}: {e}"));
            *newest.lock().unwrap() = attach(&store, "t");
        }
        over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    // But one's own reader does.
    let table = newest.lock().unwrap().clone();
    let guard = table.exclusive(session.id(), Duration::from_secs(20), &never).unwrap();
    let snapshot = session.begin(&[&table]).unwrap();
    let error = guard.detach(&pages::WaitLimit::unbounded()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Misuse(_)), "{error}");
    drop(snapshot);
}

#[test]
fn a_change_from_outside_is_noticed_before_anything_is_written() {
    let (storage, store) = memory_store();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let file = storage.open(Path::new("/d/t.MYI"), pages::storage::OpenMode::ReadWrite).unwrap();
    file.write_all_at(&[1], 110).unwrap();
    let mut writer = lock(&table);
    put_data(&mut writer, 0, b"row").unwrap();
    let error = writer.commit().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ForeignChange { .. }), "{error}");
    assert!(!writer.is_dirty());
    drop(writer);
    assert_eq!(data_of(&store.reader_slot(), &table), b"");
}

#[test]
fn exclusive_use_waits_for_readers_and_keeps_them_out() {
    let (_storage, store) = memory_store();
    create(&store, "t").unwrap();
    create(&store, "other").unwrap();
    let (table, other) = (attach(&store, "t"), attach(&store, "other"));
    let (reader, owner) = (store.reader_slot(), store.reader_slot());
    let snapshot = reader.begin(&[&table]).unwrap();
    snapshot.unpin_until_read();
    let error = table.exclusive(owner.id(), Duration::from_millis(30), &never).err().unwrap();
    assert!(matches!(error.kind(), ErrorKind::LockTimeout));
    drop(snapshot);
    let mut guard = table.exclusive(owner.id(), Duration::from_secs(5), &never).unwrap();
    let error = reader.begin(&[&other, &table]).err().unwrap();
    assert!(matches!(error.kind(), ErrorKind::ExclusivelyLocked));
    let error = reader.begin_wait(&[&table], Duration::from_millis(20), &never).err().unwrap();
    assert!(matches!(error.kind(), ErrorKind::LockTimeout));
    drop(reader.begin(&[&other]).unwrap());
    put_data(guard.writer(), 0, b"mine").unwrap();
    guard.writer().commit().unwrap();
    assert_eq!(data_of(&owner, &table), b"mine");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let session = store.reader_slot();
            let snapshot = session.begin_wait(&[&table], Duration::from_secs(10), &never).unwrap();
            let pin = snapshot.pin();
            pin.table(&table).unwrap().data_len()
        });
        std::thread::sleep(Duration::from_millis(20));
        let mut writer = guard.downgrade();
        put_data(&mut writer, 4, b"?").unwrap();
        assert_eq!(waiting.join().unwrap(), 4);
    });
}

#[test]
fn a_new_generation_leaves_readers_the_old_one() {
    let (storage, store) = memory_store();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    put_data(&mut writer, 0, b"old rows").unwrap();
    writer.commit().unwrap();
    let session = store.reader_slot();
    let snapshot = session.begin(&[&table]).unwrap();
    let mut spec = spec(&*storage, Path::new(DIR), "t", DataPaging::Bytes4K).unwrap();
    spec.state = fresh_state();
    let new = store.replace_generation(writer, files("t"), spec).unwrap();
    assert!(Arc::ptr_eq(&new, &attach(&store, "t")));
    {
        let pin = snapshot.pin();
        assert_eq!(pin.table(&table).unwrap().data_run(0).unwrap(), b"old rows");
    }
    drop(snapshot);
    assert!(matches!(session.begin(&[&table]).err().unwrap().kind(), ErrorKind::Stale));
    assert_eq!(data_of(&session, &new), b"");
    store.checkpoint().unwrap();
    assert_eq!(data_of(&session, &new), b"");

    let guard = new.exclusive(session.id(), Duration::from_secs(1), &never).unwrap();
    guard.discard(FilePlan::new().remove("t.MYI").remove("t.MYD")).unwrap();
    assert!(storage.identity(Path::new("/d/t.MYI")).unwrap().is_none());
    assert!(store.attached(Path::new("t")).is_none());
}

/// Which removed files below `dir` this process has open or mapped.
fn removed_files(dir: &Path) -> Vec<String> {
    let descriptors = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let open = descriptors.filter_map(|fd| std::fs::read_link(fd.path()).ok());
    let open = open.map(|path| path.display().to_string());
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let all = open.chain(maps.lines().map(str::to_owned)).collect::<Vec<_>>();
    let of_dir = dir.display().to_string();
    all.into_iter().filter(|line| line.contains(&of_dir) && line.contains("(deleted)")).collect()
}

#[test]
fn closed_tables_give_their_files_up_though_handles_are_left() {
    let dir = tempdir("closed");
    let (store, _) = Store::open_dir(&dir, options()).unwrap();
    let session = store.reader_slot();
    let (mut handles, mut ends) = (Vec::new(), Vec::new());
    for (name, way) in [("dropped", 0), ("replaced", 1), ("detached", 2), ("read", 3)] {
        create(&store, name).unwrap();
        let paging = DataPaging::Bytes4K;
        let spec = || {
            let spec = spec(&**store.storage(), &dir, name, paging).unwrap();
            pages::TableSpec { state: fresh_state(), ..spec }
        };
        let table = store.attach(spec()).unwrap();
        // Old versions, pages in the files and pages in memory.
        for round in 0..3 {
            let mut writer = lock(&table);
            put_data(&mut writer, round * 5000, &[b'x'; 5000]).unwrap();
            put_data(&mut writer, 0, b"again").unwrap();
            writer.commit().unwrap();
            if round == 1 {
                store.checkpoint().unwrap();
            }
        }
        let removed = FilePlan::new().remove(format!("{name}.MYI")).remove(format!("{name}.MYD"));
        match way {
            0 => {
                let guard = table.exclusive(session.id(), Duration::from_secs(1), &never).unwrap();
                guard.discard(removed).unwrap();
            }
            1 => ends.push(store.replace_generation(lock(&table), files(name), spec()).unwrap()),
            2 => {
                store.detach(&table).unwrap();
                store.apply(removed).unwrap();
            }
            _ => {
                let reader = store.reader_slot();
                let snapshot = reader.begin(&[&table]).unwrap();
                ends.push(store.replace_generation(lock(&table), files(name), spec()).unwrap());
                store.prune_versions();
                let pin = snapshot.pin();
                let view = pin.table(&table).unwrap();
                assert_eq!(view.data(0, 6, &mut Vec::new()).unwrap(), b"againx");
                assert!(!removed_files(&dir).is_empty());
                drop(pin);
                drop(snapshot);
                store.prune_versions();
            }
        }
        assert_eq!(removed_files(&dir), [""; 0], "{name}");
        assert!(matches!(session.begin(&[&table]).err().unwrap().kind(), ErrorKind::Stale));
        assert!(table.latest_state().len() == fresh_state().len());
        handles.push(table);
    }
    store.checkpoint().unwrap();
    assert!(ends.iter().all(|table| data_of(&session, table).is_empty()));
    drop((handles, ends));
    store.shutdown().unwrap();
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn blocks_of_several_sizes_do_not_overlap() {
    let (_storage, store) = memory_store();
    create(&store, "t").unwrap();
    let table = attach(&store, "t");
    let mut writer = lock(&table);
    writer.index_page_new(1024, 4096).unwrap().set_all(&[4; 4096]);
    put_block(&mut writer, 5, 1).unwrap();
    writer.commit().unwrap();
    for wrong in [(2048, 1024), (1024, 1024), (1024, 2048), (3072, 2048), (5 * 1024, 4096), (1000, 1024)] {
        assert!(writer.index_page(wrong.0, wrong.1).is_err(), "{wrong:?}");
        assert!(writer.index_page_mut(wrong.0, wrong.1).is_err(), "{wrong:?}");
    }
    assert!(writer.index_page_new(2048, 1024).is_err());
    writer.index_page_mut(1024, 4096).unwrap().write(4090, b"end");
    assert_eq!(&writer.index_page(1024, 4096).unwrap()[4088..], b"\x04\x04end\x04\x04\x04");
    writer.commit().unwrap();
    drop(writer);
    store.checkpoint_clean().unwrap();
    let session = store.reader_slot();
    let snapshot = session.begin(&[&table]).unwrap();
    let pin = snapshot.pin();
    assert_eq!(&pin.table(&table).unwrap().index_page(1024, 4096).unwrap()[4090..4093], b"end");
}

#[test]
fn several_tables_are_published_at_once() {
    let (_storage, store) = memory_store();
    let names = ["a", "b", "c"];
    let tables = names.map(|name| {
        create(&store, name).unwrap();
        attach(&store, name)
    });
    let mut writers = tables.each_ref().map(lock);
    for round in 0..100_u8 {
        for writer in &mut writers[..2] {
            put_data(writer, 0, &[round; 100]).unwrap();
        }
        let mut all: Vec<_> = writers.iter_mut().collect();
        store.commit_all(&mut all, &never).unwrap();
    }
    let session = store.reader_slot();
    assert_eq!((data_of(&session, &tables[0])[0], data_of(&session, &tables[1])[99]), (99, 99));
    assert_eq!(data_of(&session, &tables[2]), b"");
}

#[test]
fn an_empty_directory_is_locked_once() {
    let dir = tempdir("lock");
    let (store, _) = Store::open_dir(&dir, options()).unwrap();
    let error = Store::open_dir(&dir, options()).unwrap_err();
    let ErrorKind::DirectoryInUse { pid, .. } = error.kind() else { panic!("{error}") };
    assert_eq!(*pid, Some(std::process::id()));
    assert!(error.to_string().contains(&format!("process {}", std::process::id())));
    store.shutdown().unwrap();
    drop(store);
    Store::open_dir(&dir, options()).unwrap().0.shutdown().unwrap();
    std::fs::remove_dir_all(dir).unwrap();
}

fn tempdir(name: &str) -> std::path::PathBuf {
    let dir = std::env::temp_dir().join(format!("isambard-pages-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// A table in memory beside one on the disk, in the same commits: snapshots see both as of one moment, the journal has the one on the
/// disk alone, and after a restart that one is whole and the other gone.
#[test]
fn a_table_in_memory_is_neither_journaled_nor_kept() {
    let (storage, store) = memory_store();
    let name = format!("{}/t", pages::MEMORY_FOLDER);
    for table in ["d", &name] {
        create(&store, table).unwrap();
    }
    let (disk, memory) = (attach(&store, "d"), attach(&store, &name));
    let session = store.reader_slot();
    let alone = {
        let mut writer = lock(&memory);
        let before = store.journal_used();
        for round in 0..50_u8 {
            put_block(&mut writer, u64::from(round) + 1, round).unwrap();
            put_data(&mut writer, u64::from(round) * 20_000, &[round + 1; 20_000]).unwrap();
            assert_eq!(writer.commit().unwrap(), 0, "nothing to wait for");
        }
        store.journal_used() - before
    };
    assert!(alone < 50 * 100, "{alone} bytes of journal for a million bytes in memory");
    let old = session.begin(&[&disk, &memory]).unwrap();
    let mut writers = [lock(&disk), lock(&memory)];
    for writer in &mut writers {
        put_data(writer, 0, b"both").unwrap();
    }
    let lsn = store.commit_all(&mut writers.iter_mut().collect::<Vec<_>>(), &never).unwrap();
    assert!(lsn > 0);
    store.checkpoint().unwrap();
    {
        let pin = old.pin();
        assert_eq!(pin.table(&memory).unwrap().data_run(0).unwrap()[..4], [1; 4]);
    }
    drop(old);
    let [on_disk, mut in_memory] = writers;
    drop(on_disk);
    // More than a statement keeps in memory elsewhere, undone and done.
    for _ in 0..2 {
        in_memory.rollback();
        put_data(&mut in_memory, 1_000_000, &vec![9; 2 * options().statement_memory]).unwrap();
    }
    in_memory.commit().unwrap();
    drop(in_memory);
    store.checkpoint_clean().unwrap();
    let data = data_of(&session, &memory);
    assert_eq!(
        (&data[..4], data[999_999], data.len()),
        (&b"both"[..], 50, 1_000_000 + 2 * options().statement_memory)
    );
    assert_eq!(data_of(&session, &disk), b"both");
    // Closed and opened again, under another name.
    store.detach(&memory).unwrap();
    let other = format!("{}/other", pages::MEMORY_FOLDER);
    let rename = |plan: FilePlan, e: &str| plan.rename(format!("{name}.{e}"), format!("{other}.{e}"));
    store.apply(rename(rename(FilePlan::new(), "MYI"), "MYD")).unwrap();
    let memory = attach(&store, &other);
    assert!(data_of(&session, &memory) == data);
    let mut writer = lock(&memory);
    assert_eq!(writer.index_page(50 * 1024, 1024).unwrap()[0], 49);
    put_data(&mut writer, 0, b"BOTH").unwrap();
    writer.commit().unwrap();
    assert_eq!(data_of(&session, &memory)[..6], *b"BOTH\x01\x01");
    drop(writer);
    drop((session, disk, memory));
    store.shutdown().unwrap();
    drop(store);
    let (store, _) = Store::open(storage, Path::new(DIR), options()).unwrap();
    assert_eq!(data_of(&store.reader_slot(), &attach(&store, "d")), b"both");
    assert!(store.storage().identity(&Path::new(DIR).join(format!("{name}.MYD"))).unwrap().is_none());
}

/// A session's table: neither journaled nor kept, and it does not stay in memory.
#[test]
fn a_table_of_a_session_leaves_memory_without_a_journal() {
    let dir = tempdir("session");
    let storage = Arc::new(MemoryStorage::new());
    let options = pages::StoreOptions { tmpdir: Some(dir.clone()), session_pages: 64, ..options() };
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), options.clone()).unwrap();
    let name = format!("{}/t", pages::SESSION_FOLDER);
    let before = store.journal_used();
    create(&store, &name).unwrap();
    let table = attach(&store, &name);
    let in_file = |extension: &str| {
        let path = Path::new(DIR).join(format!("{name}.{extension}"));
        let file = store.storage().open(&path, pages::storage::OpenMode::Read).unwrap();
        let mut bytes = vec![0; file.len().unwrap() as usize];
        file.read_exact_at(&mut bytes, 0).unwrap();
        bytes
    };
    let session = store.reader_slot();
    let mut writer = lock(&table);
    for round in 0..50_u8 {
        put_block(&mut writer, u64::from(round) + 1, round).unwrap();
        put_data(&mut writer, u64::from(round) * 20_000, &[round + 1; 20_000]).unwrap();
        assert_eq!(writer.commit().unwrap(), 0, "nothing to wait for");
    }
    assert!(store.journal_used() - before < 50 * 100, "a million bytes without a journal");
    assert_eq!(in_file("MYD")[..20_000], [1; 20_000], "they have left memory");
    assert_eq!(in_file("MYI")[2 * 1024], 1);
    // Changed while a snapshot sees what was, in place and in statements larger than memory: undone, and done.
    let old = session.begin(&[&table]).unwrap();
    old.unpin_until_read();
    let all = 2 * options.statement_memory;
    for round in 0..2 {
        writer.rollback();
        for at in (0..1_000_000).step_by(4096) {
            put_data(&mut writer, at, &[100 + round; 10]).unwrap();
        }
        put_data(&mut writer, 1_000_000, &vec![9; all]).unwrap();
        for block in 1..=50 {
            put_block(&mut writer, block, 200 + round).unwrap();
        }
    }
    writer.commit().unwrap();
    drop(writer);
    assert_eq!(in_file("MYD")[4096], 101);
    {
        let pin = old.pin();
        let view = pin.table(&table).unwrap();
        assert_eq!((view.data_run(4096).unwrap()[0], view.index_page(1024, 1024).unwrap()[0]), (1, 0));
        assert_eq!(view.data_len(), 1_000_000);
    }
    drop(old);
    store.checkpoint().unwrap();
    let data = data_of(&session, &table);
    assert_eq!((data[4096], data[5096], data[999_999], data.len()), (101, 1, 50, 1_000_000 + all));
    assert!(std::fs::read_dir(&dir).unwrap().next().is_none(), "nothing has a name");
    let names = storage.list(Path::new(DIR)).unwrap();
    let foreign = names.iter().filter(|(path, _)| !path.to_string_lossy().contains("isambard"));
    assert_eq!(foreign.count(), 0, "the data directory has the journal alone: {names:?}");
    // Closed and opened again, under another name, and dropped.
    store.detach(&table).unwrap();
    let other = format!("{}/other", pages::SESSION_FOLDER);
    let rename = |plan: FilePlan, e: &str| plan.rename(format!("{name}.{e}"), format!("{other}.{e}"));
    store.apply(rename(rename(FilePlan::new(), "MYI"), "MYD")).unwrap();
    let table = attach(&store, &other);
    assert!(data_of(&session, &table) == data);
    let guard = table.exclusive(session.id(), Duration::from_secs(1), &never).unwrap();
    guard.discard(FilePlan::new().remove(format!("{other}.MYI")).remove(format!("{other}.MYD"))).unwrap();
    assert!(store.storage().identity(&Path::new(DIR).join(format!("{other}.MYD"))).unwrap().is_none());
    create(&store, &name).unwrap();
    drop((session, table));
    store.shutdown().unwrap();
    drop(store);
    let (store, _) = Store::open(storage, Path::new(DIR), options).unwrap();
    assert!(store.storage().identity(&Path::new(DIR).join(format!("{name}.MYD"))).unwrap().is_none());
    std::fs::remove_dir_all(dir).unwrap();
}

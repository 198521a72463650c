//! Crashes at the writes and syncs of random workloads: afterwards every acknowledged commit is there, whole, in order.
//!
//! The storage is simulated: a kill leaves what was written, a power cut loses, tears and keeps unsynced writes by chance.
//! `ISAMBARD_SOAK=1` looks at 100,000 points and more; `ISAMBARD_CRASH_SEED=n` at every operation of one workload.
//! The simulator itself is tested with mistakes made on purpose ([`pages::InjectedFault`]), each of which it must find.

mod common;
mod sim;

use std::path::Path;
use std::sync::Arc;

use common::*;
use pages::storage::{MemoryStorage, Storage};
use pages::{DataPaging, InjectedFault, PagedTable, Result, Store};
use sim::fresh_storage;

fn soak() -> bool {
    std::env::var_os("ISAMBARD_SOAK").is_some()
}

/// Outside soak every third operation of a workload is looked at, of each workload another third.
fn third(seed: u64) -> u64 {
    seed % 3
}

/// No message for panics that the simulator catches.
fn without_messages<T>(f: impl FnOnce() -> T) -> T {
    std::panic::set_hook(Box::new(|info| {
        let own = info.location().is_some_and(|at| at.file().ends_with("tests/crash.rs"));
        if own {
            eprintln!("{info}");
        }
    }));
    let result = f();
    let _ = std::panic::take_hook();
    result
}

fn report(seed: u64, fault: Option<InjectedFault>) -> String {
    let (steps, failure) = sim::shrink(seed, &sim::steps(seed), fault);
    let Some((cut, what)) = failure else { return format!("seed {seed}: fails no more") };
    let steps: Vec<String> = steps.iter().map(|step| format!("    {step:?}")).collect();
    format!("seed {seed}, {cut:?}: {what}\nshortest workload that fails:\n{}", steps.join("\n"))
}

#[test]
fn acknowledged_commits_survive_crashes_at_every_operation() {
    let chosen = std::env::var("ISAMBARD_CRASH_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let mut points = 0;
    let wanted = if soak() { 100_000 } else { 8000 };
    let mut seed = chosen.unwrap_or(0);
    without_messages(|| {
        while points < wanted {
            // `soak` cuts at all operations.
            let places = if soak() || chosen.is_some() { (0, 1) } else { (third(seed), 3) };
            let (more, failure) = sim::first_failure(seed, &sim::steps(seed), places, None);
            assert!(failure.is_none(), "{}", report(seed, None));
            points += more;
            seed += 1;
            if chosen.is_some() {
                break;
            }
        }
    });
    println!("{points} crash points, {seed} workloads");
}

/// No crash, but one write, sync or change of a name that fails, or all until somebody is told: the statement is done or
/// undone, for who looks at once as well, and the work goes on.
#[test]
fn one_failing_operation_costs_one_statement() {
    let mut points = 0;
    let seeds = if soak() { 400 } else { 24 };
    without_messages(|| {
        for seed in 0..seeds {
            let steps = sim::steps(seed);
            let kinds = [std::io::ErrorKind::StorageFull, std::io::ErrorKind::Other];
            for (kind, lasting) in [(kinds[0], false), (kinds[1], false), (kinds[seed as usize % 2], true)] {
                let mut nth = if soak() { 0 } else { third(seed) };
                loop {
                    match sim::fault(seed, &steps, (nth, kind, lasting)) {
                        Ok(true) => points += 1,
                        Ok(false) => break,
                        Err(e) => panic!("seed {seed}, operation {nth}, {kind:?}, lasting {lasting}: {e}"),
                    }
                    nth += if soak() { 1 } else { 3 };
                }
            }
        }
    });
    println!("{points} faults");
    assert!(points > 500);
}

#[test]
fn planted_mistakes_are_caught() {
    let mut missed = Vec::new();
    without_messages(|| {
        for fault in InjectedFault::ALL {
            // A record with the LSN of another history comes from no crash (see the next test), and what follows a fault
            // from no crash alone (see `faults.rs`, `pressure.rs`).
            if matches!(
                fault,
                InjectedFault::ChainUnchecked
                    | InjectedFault::PlanForgotten
                    | InjectedFault::UnguardTrusted
                    | InjectedFault::JournalUnbounded
                    | InjectedFault::BeginAgain
            ) {
                continue;
            }
            let begun = std::time::Instant::now();
            let caught = (0..300).find_map(|seed| {
                let (_, failure) = sim::first_failure(seed, &sim::steps(seed), (seed % 5, 5), Some(fault));
                failure.map(|(cut, what)| (seed, cut, what))
            });
            match caught {
                Some((seed, cut, what)) => {
                    let what: String = what.chars().take(90).collect();
                    println!("{fault:?}: seed {seed}, {cut:?}, {:?}: {what}", begun.elapsed());
                }
                None => missed.push(fault),
            }
        }
    });
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

/// A stale sector: a record of another life of the file, whole, with the LSN that is expected.
#[test]
fn a_record_of_another_history_ends_the_journal() {
    let history = |byte: u8| {
        let storage = fresh_storage();
        let (store, _) = Store::open(storage.clone(), Path::new(DIR), options()).unwrap();
        create(&store, "db/a").unwrap();
        let table = attach(&store, "db/a");
        let mut writer = lock(&table);
        for round in 0..20 {
            put_data(&mut writer, round * 1000, &vec![byte; 1000]).unwrap();
            writer.commit().unwrap();
        }
        drop(writer);
        drop((table, store));
        let list = storage.list(Path::new(DIR)).unwrap();
        let (path, _) = list.into_iter().find(|(p, _)| p.to_string_lossy().contains("journal")).unwrap();
        (storage, path)
    };
    for (fault, stale_is_taken) in [(None, false), (Some(InjectedFault::ChainUnchecked), true)] {
        let ((one, path), (other, other_path)) = (history(1), history(2));
        let (mut bytes, stale) = (one.bytes(&path).unwrap(), other.bytes(&other_path).unwrap());
        bytes[12_288..].copy_from_slice(&stale[12_288..]);
        // The record that lies across the seam keeps its own bytes up to its end: cut at a record instead.
        let seam = record_boundary(&one.bytes(&path).unwrap(), 12_288);
        bytes[12_288..seam].copy_from_slice(&one.bytes(&path).unwrap()[12_288..seam]);
        let file = one.open(&path, pages::storage::OpenMode::ReadWrite).unwrap();
        file.write_all_at(&bytes, 0).unwrap();
        let (store, _) =
            Store::open(one.clone(), Path::new(DIR), pages::StoreOptions { fault, ..options() }).unwrap();
        let data = content(&store, &reattach(&one, &store, "db/a").unwrap());
        assert_eq!(data.contains(&2), stale_is_taken, "{fault:?}");
        assert!(data.len() > 5000 && data[..5000].iter().all(|&b| b == 1));
    }
}

/// The first place from `from` on where a record of the segment begins.
fn record_boundary(segment: &[u8], from: usize) -> usize {
    let mut at = 64;
    while at < from {
        let len = u32::from_le_bytes(segment[at..at + 4].try_into().unwrap()) as usize;
        at += (24 + len).next_multiple_of(8);
    }
    at
}

fn reattach(storage: &Arc<MemoryStorage>, store: &Store, name: &str) -> Result<Arc<PagedTable>> {
    let spec = spec(&**storage, Path::new(DIR), name, DataPaging::Bytes4K);
    store.attach(spec.map_err(|e| pages::Error::io(name, "read", e))?)
}

#[test]
fn a_table_changed_by_another_program_is_left_alone_and_its_journal_kept() {
    let storage = fresh_storage();
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), options()).unwrap();
    for name in ["db/a", "db/b"] {
        create(&store, name).unwrap();
    }
    let tables = [attach(&store, "db/a"), attach(&store, "db/b")];
    for table in &tables {
        let mut writer = lock(table);
        put_data(&mut writer, 0, &[1; 300]).unwrap();
        writer.commit().unwrap();
    }
    drop((tables, store));
    let path = Path::new("/d/db/a.MYI");
    let foreign = storage.open(path, pages::storage::OpenMode::ReadWrite).unwrap();
    foreign.write_all_at(&[0], 4).unwrap();
    foreign.write_all_at(&[1, 2, 3, 4], 110).unwrap();
    let before = storage.bytes(path).unwrap();
    let (store, report) = Store::open(storage.clone(), Path::new(DIR), options()).unwrap();
    assert_eq!(report.tables, [Path::new("db/b")]);
    assert_eq!(report.foreign[0].0, Path::new("db/a"));
    assert_eq!(storage.bytes(path).unwrap(), before);
    let kept = |(path, _): &(std::path::PathBuf, bool)| path.to_string_lossy().contains("kept-journal");
    assert!(storage.list(Path::new(DIR)).unwrap().iter().any(kept));
    assert_eq!(content(&store, &attach(&store, "db/b")).len(), 300);
    assert_eq!(content(&store, &attach(&store, "db/a")).len(), 0);
}

#[test]
fn a_missing_segment_is_an_error() {
    let storage = fresh_storage();
    let mut settings = options();
    settings.segment_size = 4096;
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
    create(&store, "db/a").unwrap();
    let table = attach(&store, "db/a");
    let mut writer = lock(&table);
    for round in 0..100 {
        put_data(&mut writer, round * 500, &[round as u8; 500]).unwrap();
        writer.commit().unwrap();
    }
    drop(writer);
    drop((table, store));
    let segments: Vec<_> = storage
        .list(Path::new(DIR))
        .unwrap()
        .into_iter()
        .filter(|(p, _)| p.to_string_lossy().contains("journal"))
        .collect();
    assert!(segments.len() > 5);
    storage.remove(&segments[3].0).unwrap();
    let error = Store::open(storage, Path::new(DIR), options()).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
}

/// A page that stayed in its slot for a reader while its table was made clean, and was changed again in the same checkpoint
/// cycle: its image lies before the table's new claim, so that it needs another one.
#[test]
fn a_page_changed_again_after_its_table_was_made_clean_has_its_image() {
    assert!(changed_again_after_clean(None));
    assert!(!changed_again_after_clean(Some(InjectedFault::ImageBeforeClaim)));
}

/// Is every byte right after a power cut that also tore the page?
fn changed_again_after_clean(fault: Option<InjectedFault>) -> bool {
    let storage = fresh_storage();
    let settings = pages::StoreOptions { fault, ..options() };
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
    create(&store, "db/a").unwrap();
    let table = attach(&store, "db/a");
    let mut writer = lock(&table);
    put_block(&mut writer, 1, 1).unwrap();
    put_data(&mut writer, 0, &[1; 3 * 4096]).unwrap();
    writer.commit().unwrap();
    store.checkpoint_clean().unwrap();
    let session = store.reader_slot();
    let reader = session.begin(&[&table]).unwrap();
    reader.unpin_until_read();
    let mut change = |at: usize, byte: u8| {
        writer.index_page_mut(1024, 1024).unwrap().write(at, &[byte; 10]);
        writer.data_write(4096 + at as u64, &[byte; 10]).unwrap();
        writer.commit().unwrap();
        writer
            .table()
            .store()
            .unwrap()
            .flush_and_unguard(&mut writer, &pages::WaitLimit::unbounded())
            .unwrap();
    };
    change(0, 2);
    change(600, 3);
    change(20, 4);
    drop(reader);
    writer.index_page_mut(1024, 1024).unwrap().write(900, &[5; 10]);
    writer.data_write(4096 + 900, &[5; 10]).unwrap();
    let lsn = writer.commit().unwrap();
    drop(writer);
    store.wait_durable_as(lsn, pages::Durability::Commit).unwrap();
    let expected = |at: usize| match at {
        0..10 => 2,
        600..610 => 3,
        20..30 => 4,
        900..910 => 5,
        _ => 1,
    };
    let mut right = true;
    for draw in 0..20 {
        let after = Arc::new(storage.after_crash(pages::storage::CrashMode::PowerCut, draw).unwrap());
        // The page may have been on its way when the power went: neither old nor new.
        for name in ["db/a.MYI", "db/a.MYD"] {
            let file = after.open(&Path::new(DIR).join(name), pages::storage::OpenMode::ReadWrite).unwrap();
            file.write_all_at(&[0xEE; 512], if name == "db/a.MYI" { 1024 + 512 } else { 4096 + 512 })
                .unwrap();
        }
        let (_store, _) = Store::open(after.clone(), Path::new(DIR), options()).unwrap();
        for (name, from) in [("db/a.MYI", 1024), ("db/a.MYD", 4096)] {
            let bytes = after.bytes(&Path::new(DIR).join(name)).unwrap();
            let bytes = &bytes[from..from + 1024];
            right &= (0..1024).all(|at| bytes[at] == expected(at));
        }
    }
    right
}

//! Damaged journals: recovery ends in an error or in tables that can be read and written.
//!
//! Checksums are not looked at in builds for fuzzing (`cfg(fuzzing)`), so that damage reaches what lies behind them.
#![no_main]

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use pages::storage::{CrashMode, MemoryStorage, OpenMode, Storage};
use pages::{DataPaging, FilePlan, PageSource, StateLayout, Store, StoreOptions, TableSpec};

const STATE: usize = 300;

fn options() -> StoreOptions {
    StoreOptions {
        background: false,
        segment_size: 32 << 10,
        journal_size: 1 << 20,
        ..StoreOptions::default()
    }
}

fn write_length(state: &mut [u8], at: usize, value: u64) {
    state[at..at + 8].copy_from_slice(&value.to_be_bytes());
}

fn new_index() -> Vec<u8> {
    let mut index = vec![0; 1024];
    index[..4].copy_from_slice(&[0xfe, 0xfe, 7, 1]);
    write_length(&mut index, StateLayout::MYI.index_len_at, 1024);
    index
}

fn spec(storage: &dyn Storage, name: &str) -> Option<TableSpec> {
    let file = storage.open(&Path::new("/d").join(format!("{name}.MYI")), OpenMode::Read).ok()?;
    let mut state = vec![0; STATE];
    file.read_exact_at(&mut state, 0).ok()?;
    Some(TableSpec { base: name.into(), state, layout: StateLayout::MYI, data_page: DataPaging::Bytes4K, pages_lost_from: None })
}

/// Changes both tables a little.
fn change(store: &Arc<Store>, storage: &dyn Storage, rounds: u64) -> Option<()> {
    for name in ["a", "b"] {
        let table = store.attach(spec(storage, name)?).ok()?;
        for round in 0..rounds {
            let mut writer = table.write_lock(1 << 40, Duration::from_secs(5), &|| false).ok()?;
            writer.data_write(round * 700, &[round as u8; 900]).ok()?;
            write_length(writer.state_mut(), StateLayout::MYI.data_len_at, round * 700 + 900);
            writer.index_page_new(1024 * (round + 1), 1024).ok()?;
            write_length(writer.state_mut(), StateLayout::MYI.index_len_at, 1024 * (round + 2));
            writer.commit().ok()?;
        }
    }
    Some(())
}

/// A directory as a killed process leaves it, and its journal files.
fn crashed() -> (MemoryStorage, Vec<PathBuf>) {
    let storage = Arc::new(MemoryStorage::simulated());
    storage.create_dir(Path::new("/d")).expect("folder");
    let (store, _) = Store::open(storage.clone(), Path::new("/d"), options()).expect("store");
    for name in ["a", "b", "c"] {
        let plan = FilePlan::new()
            .create(format!("{name}.MYI"), new_index())
            .create(format!("{name}.MYD"), Vec::new());
        store.apply(plan).expect("files");
    }
    change(&store, &*storage, 4).expect("changes");
    store.apply(FilePlan::new().rename("c.MYI", "e.MYI").rename("c.MYD", "e.MYD")).expect("names");
    let left = storage.after_crash(CrashMode::Kill, 1).expect("crash");
    drop(store);
    let files = left.list(Path::new("/d")).expect("list");
    let journal =
        files.into_iter().map(|f| f.0).filter(|f| f.to_string_lossy().contains("journal")).collect();
    (left, journal)
}

thread_local! {
    static LEFT: OnceCell<(MemoryStorage, Vec<PathBuf>)> = const { OnceCell::new() };
}

fuzz_target!(|data: &[u8]| {
    LEFT.with(|left| {
        let (left, journal) = left.get_or_init(crashed);
        assert!(!journal.is_empty());
        let storage = Arc::new(left.after_crash(CrashMode::Kill, 1).expect("copy"));
        // Where (file, place), how many bytes, the bytes.
        let mut rest = data;
        while let [file, high, low, count, tail @ ..] = rest {
            let (bytes, tail) = tail.split_at(usize::from(*count % 32).min(tail.len()));
            rest = tail;
            let path = &journal[usize::from(*file) % journal.len()];
            let at = u64::from(*high & 0x7f) << 8 | u64::from(*low);
            if let Ok(file) = storage.open(path, OpenMode::ReadWrite) {
                let _ = file.write_all_at(bytes, at);
            }
        }
        let Ok((store, _)) = Store::open(storage.clone(), Path::new("/d"), options()) else { return };
        let session = store.reader_slot();
        for name in ["a", "b", "e"] {
            let Some(spec) = spec(&*storage, name) else { continue };
            let Ok(table) = store.attach(spec) else { continue };
            let Ok(snapshot) = session.begin(&[&table]) else { continue };
            let pin = snapshot.pin();
            let Ok(view) = pin.table(&table) else { continue };
            let mut scratch = Vec::new();
            let _ = (
                view.data(0, 900, &mut scratch).map(<[u8]>::len),
                view.index_page(1024, 1024).map(<[u8]>::len),
            );
        }
        let _ = change(&store, &*storage, 2);
        let _ = store.checkpoint();
    });
});

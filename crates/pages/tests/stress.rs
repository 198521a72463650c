//! Readers beside writers, checkpoints, table locks and new generations: every reader sees one moment, whole.
//! `ISAMBARD_SOAK=1` runs it for a minute each.

mod common;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::*;
use pages::storage::{MemoryStorage, RealStorage, Storage};
use pages::{
    Assignment, BlockCache, DataPaging, ErrorKind, PageSource, PagedTable, Store, StoreOptions, TableView,
};

const BLOCKS: u64 = 30;
const ROW: usize = 60;

fn duration() -> Duration {
    if std::env::var_os("ISAMBARD_SOAK").is_some() {
        Duration::from_secs(60)
    } else {
        Duration::from_millis(1500)
    }
}

fn options(journal_size: u64, limits: Limits) -> StoreOptions {
    StoreOptions {
        version_cache_size: limits.memory,
        version_spill_size: limits.spill,
        segment_size: 256 << 10,
        journal_size,
        checkpoint_interval: Duration::from_millis(20),
        idle_after: Duration::from_millis(30),
        ..StoreOptions::default()
    }
}

/// The budget of old versions.
#[derive(Clone, Copy)]
struct Limits {
    memory: u64,
    spill: u64,
}

const AMPLE: Limits = Limits { memory: 64 << 20, spill: 0 };
/// Nearly every old version that is needed goes through the spill file.
const SPILLING: Limits = Limits { memory: 0, spill: 64 << 20 };
/// Snapshots that need an old version are given up.
const GIVING_UP: Limits = Limits { memory: 0, spill: 0 };

/// All blocks carry the state's counter; row number i carries i and, for the first rows, the counter.
fn check(view: &TableView<'_>, blocks: u64) -> u64 {
    let counter = get(view.state(), COUNTER_AT);
    if counter == 0 {
        return 0;
    }
    for block in 1..=blocks {
        let page = view.index_page(block * 1024, 1024).unwrap();
        assert!(page.iter().all(|&b| b == counter as u8), "block {block} of {counter}: {:?}", &page[..4]);
    }
    let rows = view.data_len() / ROW as u64;
    assert_eq!(rows, 20 + counter % 5000);
    let mut seen = 0;
    let mut offset = 0;
    while offset < view.data_len() {
        let run = view.data_run(offset).unwrap();
        for row in run.chunks(ROW) {
            let number = u64::from_le_bytes(row[..8].try_into().unwrap());
            assert_eq!(number, seen);
            let expected = if seen < 20 { counter as u8 } else { 7 };
            assert!(row[8..].iter().all(|&b| b == expected), "row {seen} at {counter}: {:?}", &row[..12]);
            seen += 1;
        }
        offset += run.len() as u64;
    }
    assert_eq!(seen, rows);
    counter
}

fn row(number: u64, byte: u8) -> [u8; ROW] {
    let mut row = [byte; ROW];
    row[..8].copy_from_slice(&number.to_le_bytes());
    row
}

/// Caches that hold next to nothing, or a few pages of the second table; which of them a table is read through changes.
struct Caches {
    small: Arc<BlockCache>,
    large: Arc<BlockCache>,
    round: AtomicU64,
}

impl Caches {
    fn of(store: &Store) -> Caches {
        let (small, large) = (store.block_cache(6 << 10), store.block_cache(256 << 10));
        Caches { small, large, round: AtomicU64::new(0) }
    }
}

impl Assignment for Caches {
    fn assign(&self, table: &PagedTable) {
        let round = self.round.load(Ordering::Relaxed) + u64::from(table.id());
        let cache = if round.is_multiple_of(3) { &self.small } else { &self.large };
        table.assign_index(cache, round % 5 == 4);
        table.assign_rows(Some(cache).filter(|_| round % 7 < 4));
    }
}

#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn stress(storage: Arc<dyn Storage>, dir: &std::path::Path, limits: Limits, folder: &str) {
    // So few that each commit to a session's table meets them.
    let options = StoreOptions { session_pages: 4, ..options(2 << 20, limits) };
    let (store, _) = Store::open(storage, dir, options).unwrap();
    let paging = DataPaging::FixedRows { row_len: ROW };
    let names = ["a", "b"].map(|name| format!("{folder}{name}"));
    let names = &names.each_ref().map(String::as_str);
    for name in names {
        create(&store, name).unwrap();
    }
    let caches = Arc::new(Caches::of(&store));
    assert!(store.assign_by(caches.clone()));
    let stop = AtomicBool::new(false);
    let (commits, reads, given_up) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let newest: [AtomicU64; 2] = Default::default();
    std::thread::scope(|scope| {
        for (which, name) in names.iter().enumerate() {
            let (store, stop, commits, newest) = (&store, &stop, &commits, &newest);
            scope.spawn(move || {
                let session = store.reader_slot();
                while !stop.load(Ordering::Relaxed) {
                    let table = attach_as(store, name, paging);
                    let Ok(mut writer) = table.write_lock(session.id(), Duration::from_secs(10), &never)
                    else {
                        continue;
                    };
                    let counter = get(PageSource::state(&writer), COUNTER_AT) + 1;
                    // A new generation when the rows start anew.
                    if counter > 1 && counter.is_multiple_of(5000) {
                        let mut spec = spec(&**store.storage(), store.datadir(), name, paging).unwrap();
                        spec.state = fresh_state();
                        newest[which].store(0, Ordering::SeqCst);
                        store.replace_generation(writer, files(name), spec).unwrap();
                        continue;
                    }
                    for block in 1..=BLOCKS {
                        put_block(&mut writer, block, counter as u8).unwrap();
                    }
                    let first = if counter == 1 { 0 } else { 20 + counter - 1 };
                    for number in 0..20 {
                        put_data(&mut writer, number * ROW as u64, &row(number, counter as u8)).unwrap();
                    }
                    for number in first.max(20)..20 + counter {
                        put_data(&mut writer, number * ROW as u64, &row(number, 7)).unwrap();
                    }
                    set(writer.state_mut(), COUNTER_AT, counter);
                    let lsn = writer.commit().unwrap();
                    newest[which].store(counter, Ordering::SeqCst);
                    drop(writer);
                    store.wait_durable(lsn).unwrap();
                    commits.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for reader in 0..3_u64 {
            let (store, stop, reads, newest, given_up) = (&store, &stop, &reads, &newest, &given_up);
            scope.spawn(move || {
                let session = store.reader_slot();
                let mut held = 0;
                while !stop.load(Ordering::Relaxed) {
                    let tables = names.map(|name| attach_as(store, name, paging));
                    let before: [u64; 2] = std::array::from_fn(|i| newest[i].load(Ordering::SeqCst));
                    let snapshot = match session.begin_wait(
                        &[&tables[0], &tables[1]],
                        Duration::from_secs(10),
                        &never,
                    ) {
                        Ok(snapshot) => snapshot,
                        Err(e) if matches!(e.kind(), ErrorKind::Stale) => continue,
                        Err(e) => panic!("{e}"),
                    };
                    held += 1;
                    let looks = if held % 50 == reader { 30 } else { 2 };
                    let mut seen = None;
                    for look in 0..looks {
                        let pin = snapshot.pin();
                        let views = tables.each_ref().map(|table| pin.table(table));
                        if views.iter().any(Result::is_err) {
                            for view in views {
                                let Err(e) = view else { continue };
                                assert!(matches!(e.kind(), ErrorKind::SnapshotTooOld), "{e}");
                            }
                            given_up.fetch_add(1, Ordering::Relaxed);
                            break;
                        }
                        let counters = views.map(|view| check(&view.unwrap(), BLOCKS));
                        assert_eq!(*seen.get_or_insert(counters), counters, "the snapshot moved");
                        if look == 0 && before.iter().zip(&counters).any(|(before, now)| before > now) {
                            // Only a new generation, begun in between, explains a smaller counter.
                            let fresh =
                                before.iter().zip(&counters).any(|(before, now)| before > now && *now > 100);
                            assert!(!fresh, "an acknowledged commit is not seen: {before:?} {counters:?}");
                        }
                        drop(pin);
                        if looks > 2 {
                            std::thread::sleep(Duration::from_millis(2));
                        }
                    }
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let stop_flag = &stop;
        let store = &store;
        scope.spawn(move || {
            let session = store.reader_slot();
            while !stop_flag.load(Ordering::Relaxed) {
                store.checkpoint().unwrap();
                caches.round.fetch_add(1, Ordering::Relaxed);
                store.reassign();
                std::thread::sleep(Duration::from_millis(3));
                let table = attach_as(store, names[0], paging);
                if let Ok(guard) = table.exclusive(session.id(), Duration::from_secs(10), &never) {
                    let snapshot = session.begin(&[&table]).unwrap();
                    check(&snapshot.pin().table(&table).unwrap(), BLOCKS);
                    drop(snapshot);
                    drop(guard);
                }
                store.checkpoint_clean().unwrap();
                std::thread::sleep(Duration::from_millis(3));
                let _ = store.detach(&attach_as(store, names[1], paging));
            }
        });
        let end = Instant::now() + duration();
        std::thread::sleep(end - Instant::now());
        stop.store(true, Ordering::Relaxed);
    });
    let (usage, given_up) = (store.version_usage(), given_up.into_inner());
    println!(
        "{} commits, {} reads, {given_up} given up, {usage:?}",
        commits.into_inner(),
        reads.into_inner()
    );
    assert_eq!(given_up > 0, limits.spill == 0 && limits.memory == 0, "{given_up} readers were given up");
    assert_eq!(usage.written > 0, limits.spill > 0, "{usage:?}");
    store.shutdown().unwrap();
    drop(store);
}

fn tempdir(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("isambard-pages-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn readers_see_one_moment_in_memory() {
    stress(Arc::new(MemoryStorage::new()), std::path::Path::new("/d"), AMPLE, "");
}

/// Tables of sessions, whose pages are brought into their files by commits and checkpoints at the same time.
#[test]
fn readers_see_one_moment_of_tables_of_sessions() {
    let folder = format!("{}/", pages::SESSION_FOLDER);
    stress(Arc::new(MemoryStorage::new()), std::path::Path::new("/d"), AMPLE, &folder);
}

#[test]
fn readers_see_one_moment_in_the_spill_file() {
    stress(Arc::new(MemoryStorage::new()), std::path::Path::new("/d"), SPILLING, "");
}

#[test]
fn readers_see_one_moment_or_are_given_up() {
    stress(Arc::new(MemoryStorage::new()), std::path::Path::new("/d"), GIVING_UP, "");
}

#[test]
fn readers_see_one_moment_in_real_files() {
    let dir = tempdir("stress");
    stress(Arc::new(RealStorage), &dir, SPILLING, "");
    std::fs::remove_dir_all(dir).unwrap();
}

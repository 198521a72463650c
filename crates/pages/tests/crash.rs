//! Crashes at every write and sync of random workloads: afterwards every acknowledged commit is there, whole, in order.
//!
//! The storage is simulated: a kill leaves what was written, a power cut loses, tears and keeps unsynced writes by chance.
//! `ISAMBARD_SOAK=1` runs many more workloads.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use common::*;
use pages::storage::{CrashMode, MemoryStorage, Storage};
use pages::{DataPaging, PagedTable, Result, Session, StateLayout, Store, TableWriter};

const NAMES: [&str; 3] = ["db/a", "db/b", "db/c"];
const PAGING: [DataPaging; 3] =
    [DataPaging::Bytes4K, DataPaging::FixedRows { row_len: 100 }, DataPaging::FixedRows { row_len: 9000 }];

/// What a table should hold.
#[derive(Clone, Default, PartialEq)]
struct Content {
    counter: u64,
    blocks: BTreeMap<u64, Vec<u8>>,
    data: Vec<u8>,
}

/// All contents of a table by the number of the transaction that made them.
#[derive(Default)]
struct History {
    tables: [BTreeMap<u64, Content>; 3],
    /// The newest transaction that was acknowledged, and that was acknowledged as durable.
    acknowledged: u64,
    durable: u64,
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n.max(1)
    }
}

/// One statement's changes, to the table and to what it should hold.
fn change(writer: &mut TableWriter, content: &mut Content, number: u64, dice: &mut Dice) -> Result<()> {
    for _ in 0..1 + dice.below(4) {
        let byte = dice.below(256) as u8;
        match dice.below(6) {
            0 | 1 => {
                let blocks = content.blocks.len() as u64;
                let at = 1 + dice.below(blocks.min(11) + 1);
                if at > blocks {
                    put_block(writer, at, byte)?;
                    content.blocks.insert(at, vec![byte; 1024]);
                } else {
                    let (from, len) = (dice.below(1000) as usize, 1 + dice.below(24) as usize);
                    writer.index_page_mut(at * 1024, 1024)?.write(from, &vec![byte; len]);
                    content.blocks.get_mut(&at).unwrap()[from..from + len].fill(byte);
                }
            }
            2 | 3 => {
                let most = if dice.below(8) == 0 { 9000 } else { 200 };
                let len = 1 + dice.below(most) as usize;
                put_data(writer, content.data.len() as u64, &vec![byte; len])?;
                content.data.resize(content.data.len() + len, byte);
            }
            4 if !content.data.is_empty() => {
                let from = dice.below(content.data.len() as u64) as usize;
                let to = content.data.len().min(from + 1 + dice.below(300) as usize);
                writer.data_write(from as u64, &vec![byte; to - from])?;
                content.data[from..to].fill(byte);
            }
            _ => {
                let mark = writer.mark();
                let mut scratch = content.clone();
                scratch.data.extend_from_slice(&[9; 500]);
                put_data(writer, content.data.len() as u64, &[9; 500])?;
                put_block(writer, 1 + content.blocks.len() as u64, 9)?;
                if !content.data.is_empty() {
                    writer.data_write(0, &[9])?;
                }
                writer.rollback_to(mark)?;
                writer.release(mark);
            }
        }
    }
    content.counter = number;
    set(writer.state_mut(), COUNTER_AT, number);
    Ok(())
}

/// Runs a workload until it ends or the storage dies.
fn run(storage: &Arc<MemoryStorage>, seed: u64, history: &mut History) -> Result<()> {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    history.tables.iter_mut().for_each(|table| drop(table.insert(0, Content::default())));
    let mut store_options = options();
    store_options.segment_size = 4 << 10;
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), store_options)?;
    let mut tables: Vec<Arc<PagedTable>> = Vec::new();
    for (name, paging) in NAMES.iter().zip(PAGING) {
        create(&store, name)?;
        let spec =
            spec(&**storage, Path::new(DIR), name, paging).map_err(|e| pages::Error::io(name, "read", e))?;
        tables.push(store.attach(spec)?);
    }
    let sessions: Vec<Session> = (0..2).map(|_| store.session()).collect();
    let mut snapshots = [None, None];
    let mut now: [Content; 3] = Default::default();
    let mut number = 0;
    for _ in 0..25 {
        let table = dice.below(3) as usize;
        match dice.below(16) {
            0 => store.checkpoint()?,
            1 => store.checkpoint_clean()?,
            2 => {
                let which = dice.below(2) as usize;
                snapshots[which] = None;
                let all: Vec<&Arc<PagedTable>> = tables.iter().collect();
                let snapshot = sessions[which].begin(&all)?;
                snapshot.rest();
                snapshots[which] = Some(snapshot);
            }
            3 => snapshots[dice.below(2) as usize] = None,
            4 => {
                snapshots = [None, None];
                store.detach(&tables[table])?;
                tables[table] = reattach(storage, &store, table)?;
            }
            5 => {
                number += 1;
                let mut state = fresh_state();
                set(&mut state, COUNTER_AT, number);
                let mut spec = spec_of(storage, table)?;
                spec.state = state.clone();
                state.resize(1024, 0);
                let plan = pages::FilePlan::new()
                    .create(format!("{}.MYI", NAMES[table]), state)
                    .create(format!("{}.MYD", NAMES[table]), Vec::new());
                now[table] = Content { counter: number, ..Content::default() };
                history.tables[table].insert(number, now[table].clone());
                let writer = lock(&tables[table]);
                tables[table] = store.replace_generation(writer, plan, spec)?;
                history.acknowledged = number;
                history.durable = number;
            }
            6 | 7 => {
                number += 1;
                let other = (table + 1) % 3;
                let mut writers = [lock(&tables[table]), lock(&tables[other])];
                for (writer, which) in writers.iter_mut().zip([table, other]) {
                    change(writer, &mut now[which], number, &mut dice)?;
                    history.tables[which].insert(number, now[which].clone());
                }
                let [one, two] = &mut writers;
                store.commit_all(&mut [one, two])?;
                history.acknowledged = number;
            }
            _ => {
                number += 1;
                let mut writer = lock(&tables[table]);
                change(&mut writer, &mut now[table], number, &mut dice)?;
                history.tables[table].insert(number, now[table].clone());
                writer.commit()?;
                history.acknowledged = number;
            }
        }
        if dice.below(4) == 0 {
            store.sync_journal()?;
            history.durable = history.acknowledged;
        }
    }
    Ok(())
}

fn spec_of(storage: &Arc<MemoryStorage>, table: usize) -> Result<pages::TableSpec> {
    spec(&**storage, Path::new(DIR), NAMES[table], PAGING[table])
        .map_err(|e| pages::Error::io(NAMES[table], "read", e))
}

fn reattach(storage: &Arc<MemoryStorage>, store: &Store, table: usize) -> Result<Arc<PagedTable>> {
    store.attach(spec_of(storage, table)?)
}

/// Opens what a crash left and compares it with the history.
fn verify(storage: Arc<MemoryStorage>, history: &History, mode: CrashMode) {
    let (store, report) = Store::open(storage.clone(), Path::new(DIR), options()).unwrap();
    assert!(report.foreign.is_empty(), "{report:?}");
    let mut counters = Vec::new();
    for (which, name) in NAMES.iter().enumerate() {
        if storage.identity(&Path::new(DIR).join(format!("{name}.MYI"))).unwrap().is_none() {
            // Its creation was not finished.
            assert!(history.acknowledged == 0, "{name} is lost");
            assert!(storage.identity(&Path::new(DIR).join(format!("{name}.MYD"))).unwrap().is_none());
            continue;
        }
        let table = reattach(&storage, &store, which).unwrap();
        let (content, counter) = read(&store, &table);
        let Some(expected) = history.tables[which].get(&counter) else {
            panic!("{name}: transaction {counter} was never made")
        };
        assert!(content == *expected, "{name}: half of a transaction after {counter}");
        let data = storage.bytes(&Path::new(DIR).join(format!("{name}.MYD"))).unwrap();
        assert_eq!(data.len(), expected.data.len(), "{name}: length of the data file");
        counters.push((which, counter));
        // And it can be written to.
        let mut writer = lock(&table);
        put_data(&mut writer, content.data.len() as u64, b"after").unwrap();
        writer.commit().unwrap();
        store.checkpoint().unwrap();
        assert_eq!(read(&store, &table).0.data.len(), content.data.len() + 5);
    }
    let last = counters.iter().map(|&(_, counter)| counter).max().unwrap_or(0);
    let promised = if mode == CrashMode::Kill { history.acknowledged } else { history.durable };
    let newest = |which: usize, upto: u64| *history.tables[which].range(..=upto).next_back().unwrap().0;
    for (which, counter) in counters {
        assert_eq!(
            counter,
            newest(which, last),
            "{}: a later transaction is there, an earlier is not",
            NAMES[which]
        );
        assert!(counter >= newest(which, promised), "{}: an acknowledged transaction is lost", NAMES[which]);
    }
}

fn read(store: &Store, table: &Arc<PagedTable>) -> (Content, u64) {
    let session = store.session();
    let snapshot = session.begin(&[table]).unwrap();
    let pin = snapshot.pin();
    let view = pin.table(table).unwrap();
    let mut scratch = Vec::new();
    let blocks = view.index_len() / 1024;
    let content = Content {
        counter: get(view.state(), COUNTER_AT),
        blocks: (1..blocks).map(|at| (at, view.index_page(at * 1024, 1024).unwrap().to_vec())).collect(),
        data: view.data(0, view.data_len() as usize, &mut scratch).unwrap().to_vec(),
    };
    assert_eq!(get(view.state(), StateLayout::MYI.index_len_at), view.index_len());
    (content, get(view.state(), COUNTER_AT))
}

fn fresh_storage() -> Arc<MemoryStorage> {
    let storage = MemoryStorage::simulated();
    storage.create_dir(Path::new("/d/db")).unwrap();
    storage.sync_dir(Path::new("/d")).unwrap();
    Arc::new(storage)
}

/// Crashes a workload at one operation, by kill and by power cut, and once more during recovery.
fn crash_once(seed: u64, at: u64) -> bool {
    let storage = fresh_storage();
    storage.crash_at(at);
    let mut history = History::default();
    let ended = run(&storage, seed, &mut history);
    assert!(ended.is_ok() || storage.crashed(), "{:?}", ended.err());
    if !storage.crashed() {
        return false;
    }
    for (mode, tries) in [(CrashMode::Kill, 1), (CrashMode::PowerCut, 2)] {
        for draw in 0..tries {
            let choice = seed * 1000 + at * 10 + draw;
            let after = Arc::new(storage.after_crash(mode, choice).unwrap());
            let context = format!("seed {seed}, operation {at}, {mode:?}, draw {draw}");
            let again = Arc::new(after.after_crash(CrashMode::Kill, 0).unwrap());
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                verify(after, &history, mode);
                let mut dice = Dice(choice | 1);
                again.crash_at(again.operations() + dice.below(12));
                drop(Store::open(again.clone(), Path::new(DIR), options()));
                verify(Arc::new(again.after_crash(mode, choice).unwrap()), &history, mode);
            }));
            assert!(checked.is_ok(), "after {context}");
        }
    }
    true
}

#[test]
fn acknowledged_commits_survive_crashes_at_every_operation() {
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    let (seeds, step) = if soak { (1..400, 1) } else { (1..9, 5) };
    let mut points = 0;
    for seed in seeds {
        let storage = fresh_storage();
        run(&storage, seed, &mut History::default()).unwrap();
        let operations = storage.operations();
        let mut at = 4 + seed % step;
        while at < operations {
            points += u64::from(crash_once(seed, at));
            at += step;
        }
    }
    println!("{points} crash points");
    assert!(points > 100);
}

#[test]
fn a_table_changed_by_another_program_is_left_alone_and_its_journal_kept() {
    let storage = fresh_storage();
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), options()).unwrap();
    for name in &NAMES[..2] {
        create(&store, name).unwrap();
    }
    let tables = [reattach(&storage, &store, 0).unwrap(), reattach(&storage, &store, 1).unwrap()];
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
    assert_eq!(read(&store, &reattach(&storage, &store, 1).unwrap()).0.data.len(), 300);
    assert_eq!(read(&store, &reattach(&storage, &store, 0).unwrap()).0.data.len(), 0);
}

#[test]
fn a_missing_segment_is_an_error() {
    let storage = fresh_storage();
    let mut settings = options();
    settings.segment_size = 4096;
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), settings).unwrap();
    create(&store, NAMES[0]).unwrap();
    let table = reattach(&storage, &store, 0).unwrap();
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

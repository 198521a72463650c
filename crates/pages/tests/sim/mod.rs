//! The crash simulator: a random workload of several connections, cut at a chosen write or sync, and what recovery must make of it.
//!
//! A workload is a list of steps drawn from a seed, so that it can be run again, cut anywhere, and shortened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use pages::storage::{CrashMode, MemoryStorage, Operation, Storage};
use pages::{
    DataPaging, Durability, ErrorKind, FilePlan, InjectedFault, PageSource, PagedTable, ReaderSlot, Snapshot,
    StateLayout, Store, StoreOptions, TableSpec, TableWriter,
};

use crate::common::*;

mod cut;
mod verify;
mod workload;

pub use cut::*;
pub use verify::*;
pub use workload::*;

const NAMES: [&str; 4] = ["db/a", "db/b", "db/c", "db/d"];
const PAGINGS: [DataPaging; 3] =
    [DataPaging::Bytes4K, DataPaging::FixedRows { row_len: 100 }, DataPaging::FixedRows { row_len: 9000 }];

/// Sizes that make small statements large, different ones by seed.
pub fn settings(seed: u64, fault: Option<InjectedFault>) -> StoreOptions {
    let large = seed % 3 == 2;
    StoreOptions {
        segment_size: if seed.is_multiple_of(2) { 4 << 10 } else { 16 << 10 },
        largest_record: if large { 1 << 20 } else { 6 << 10 },
        statement_memory: if large { 1 << 20 } else { 12 << 10 },
        // Under `commit` records are staged in memory until somebody waits.
        durability: if seed % 5 == 1 { Durability::Commit } else { Durability::None },
        fault,
        ..options()
    }
}

/// The states that the run went through, and which of them were promised.
#[derive(Default)]
pub struct History {
    pub states: Vec<State>,
    /// The state that other connections see.
    pub published: usize,
    pub acknowledged: usize,
    pub durable: usize,
    /// Commits are acknowledged when they are durable, not before.
    pub late: bool,
}

impl History {
    fn now(&self) -> State {
        self.states.last().cloned().unwrap_or_default()
    }

    /// A change is about to be made.
    fn attempt(&mut self, change: impl FnOnce(&mut State)) {
        let mut state = self.now();
        change(&mut state);
        self.states.push(state);
    }

    /// A commit was published.
    fn acknowledge(&mut self) {
        self.published = self.states.len() - 1;
        if !self.late {
            self.acknowledged = self.published;
        }
    }

    fn settle(&mut self) {
        self.settle_at(self.published);
    }

    fn settle_at(&mut self, state: usize) {
        self.acknowledged = self.acknowledged.max(state);
        self.durable = state;
    }
}

struct Open {
    writer: TableWriter,
    content: Content,
}

type Seen<'s> = (Snapshot<'s>, State, BTreeMap<&'static str, Arc<PagedTable>>);

struct World<'s> {
    storage: Arc<MemoryStorage>,
    store: Arc<Store>,
    tables: BTreeMap<&'static str, Arc<PagedTable>>,
    open: BTreeMap<&'static str, Open>,
    readers: [Option<Seen<'s>>; 2],
    history: &'s mut History,
    number: u64,
}

pub fn fresh_storage() -> Arc<MemoryStorage> {
    let storage = MemoryStorage::simulated();
    storage.create_dir(Path::new(DIR)).unwrap();
    storage.create_dir(&Path::new(DIR).join("db")).unwrap();
    storage.sync_dir(Path::new("/")).unwrap();
    storage.sync_dir(Path::new(DIR)).unwrap();
    Arc::new(storage)
}

/// Runs a workload until it ends or the storage dies.
pub fn run(
    storage: &Arc<MemoryStorage>,
    steps: &[Step],
    options: StoreOptions,
    history: &mut History,
) -> Result<(), String> {
    history.states.push(State::new());
    history.late = options.durability == Durability::Commit;
    let text = |e: pages::Error| e.to_string();
    let (store, _) = Store::open(storage.clone(), Path::new(DIR), options).map_err(text)?;
    let sessions: [ReaderSlot; 2] = [store.reader_slot(), store.reader_slot()];
    let mut world = World {
        storage: storage.clone(),
        store: store.clone(),
        tables: BTreeMap::new(),
        open: BTreeMap::new(),
        readers: [None, None],
        history,
        number: 0,
    };
    for step in steps {
        world.step(step, &sessions).map_err(|e| format!("{step:?}: {e}"))?;
    }
    Ok(())
}

/// A fault: the number of the first operation that fails, how, and whether all fail from there on until a statement is told.
pub type Failing = (u64, std::io::ErrorKind, bool);

/// Runs a workload in which one operation fails, and which goes on after it. False: there is no such operation.
pub fn fault(seed: u64, steps: &[Step], (nth, kind, lasting): Failing) -> Result<bool, String> {
    let storage = fresh_storage();
    let (fired, left) = (Arc::new(AtomicBool::new(false)), AtomicU64::new(nth));
    let told = fired.clone();
    storage.set_fault(Some(Box::new(move |operation, _| {
        if operation == Operation::Read || (told.load(Ordering::Relaxed) && !lasting) {
            return None;
        }
        if !told.load(Ordering::Relaxed) && left.fetch_sub(1, Ordering::Relaxed) > 0 {
            return None;
        }
        told.store(true, Ordering::Relaxed);
        Some(kind)
    })));
    let mut history = History::default();
    quietly(|| run_with_fault(&storage, steps, settings(seed, None), &mut history, &fired))?;
    if !fired.load(Ordering::Relaxed) {
        return Ok(false);
    }
    storage.set_fault(None);
    let after = Arc::new(storage.after_crash(CrashMode::Kill, 0).map_err(|e| e.to_string())?);
    quietly(|| verify(&after, &history, CrashMode::Kill, &settings(seed, None)))?;
    Ok(true)
}

fn run_with_fault(
    storage: &Arc<MemoryStorage>,
    steps: &[Step],
    options: StoreOptions,
    history: &mut History,
    fired: &AtomicBool,
) -> Result<(), String> {
    history.states.push(State::new());
    history.late = options.durability == Durability::Commit;
    let store = match Store::open(storage.clone(), Path::new(DIR), options) {
        Ok((store, _)) => store,
        Err(_) if fired.load(Ordering::Relaxed) => return Ok(()),
        Err(e) => return Err(e.to_string()),
    };
    let sessions: [ReaderSlot; 2] = [store.reader_slot(), store.reader_slot()];
    let mut world = World {
        storage: storage.clone(),
        store: store.clone(),
        tables: BTreeMap::new(),
        open: BTreeMap::new(),
        readers: [None, None],
        history,
        number: 0,
    };
    let mut failed = None;
    for step in steps {
        let Err(e) = world.step(step, &sessions) else { continue };
        let told = format!("{step:?}: {e}");
        if !fired.load(Ordering::Relaxed) {
            return Err(told);
        }
        storage.set_fault(None);
        if let Some(before) = failed.replace(told.clone()) {
            return Err(format!("{told}; after {before}"));
        }
        if store.sync_journal().is_err() {
            // A journal that could not be synced: nothing more is accepted, and that is all.
            return match store.wait_durable_as(store.visible(), Durability::None) {
                Err(e) if matches!(e.kind(), ErrorKind::Poisoned { .. }) => Ok(()),
                other => Err(format!("{told}; then {other:?}")),
            };
        }
        world.look_around().map_err(|e| format!("{told}; then {e}"))?;
    }
    Ok(())
}

fn spec_of(storage: &MemoryStorage, name: &str, paging: usize) -> pages::Result<TableSpec> {
    spec(storage, Path::new(DIR), name, PAGINGS[paging]).map_err(|e| pages::Error::io(name, "read", e))
}

fn both(name: &str) -> [PathBuf; 2] {
    [format!("{name}.MYI").into(), format!("{name}.MYD").into()]
}

impl<'s> World<'s> {
    /// After an error: what is there now must be what was before the failed step, or what it wanted to make.
    fn look_around(&mut self) -> Result<(), String> {
        let text = |e: pages::Error| e.to_string();
        self.open.clear();
        self.readers = [None, None];
        let wanted = self.history.now();
        let before = self.history.states[self.history.published].clone();
        self.tables.clear();
        let mut found: BTreeMap<&str, Content> = BTreeMap::new();
        for name in NAMES {
            let path = Path::new(DIR).join(format!("{name}.MYI"));
            // Through the store, as everybody looks: it finishes first what was decided.
            if self.store.storage().identity(&path).map_err(|e| e.to_string())?.is_none() {
                continue;
            }
            let Some(content) = wanted.get(name).or(before.get(name)) else {
                return Err(format!("{name} is there"));
            };
            let paging = content.paging;
            self.attach(name, paging).map_err(text)?;
            let session = self.store.reader_slot();
            let table = &self.tables[name];
            let snapshot = session.begin(&[table]).map_err(text)?;
            let seen = read(&snapshot.pin().table(table).map_err(text)?, paging).map_err(text)?;
            found.insert(name, seen);
        }
        // Which paging a table has here its files do not tell.
        let alike = |one: &Content, other: &Content| {
            (one.counter, &one.blocks, &one.data) == (other.counter, &other.blocks, &other.data)
        };
        let same = |state: &State| {
            state.len() == found.len()
                && state.iter().all(|(name, content)| found.get(name).is_some_and(|f| alike(f, content)))
        };
        if same(&wanted) {
            self.history.acknowledge();
        } else if same(&before) {
            self.history.states.push(before);
            self.history.acknowledge();
        } else {
            return Err("neither before nor after".into());
        }
        Ok(())
    }

    fn exists(&self, name: &str) -> bool {
        self.tables.contains_key(name)
    }

    fn attach(&mut self, name: &'static str, paging: usize) -> pages::Result<()> {
        let table = self.store.attach(spec_of(&self.storage, name, paging)?)?;
        self.tables.insert(name, table);
        Ok(())
    }

    /// Gives up what a statement of DDL would wait for.
    fn clear(&mut self, name: &str) {
        self.open.remove(name);
        self.readers = [None, None];
    }

    fn content(&self, name: &str) -> Content {
        self.history.now().get(name).map_or_else(|| Content::empty(0, 0), |c| (**c).clone())
    }

    fn step(&mut self, step: &Step, sessions: &'s [ReaderSlot; 2]) -> Result<(), String>
    where
        's: 's,
    {
        let text = |e: pages::Error| e.to_string();
        match *step {
            Step::Reader(which) => return self.reader(which, &sessions[which]),
            Step::Edit(table, ref edit) => self.edit(NAMES[table], edit),
            Step::Commit(table) => self.commit(&[NAMES[table]]),
            Step::CommitBoth(one, other) if one != other => self.commit(&[NAMES[one], NAMES[other]]),
            Step::CommitBoth(..) => Ok(()),
            Step::Rollback(table) => {
                self.open.remove(NAMES[table]);
                Ok(())
            }
            Step::Locked(table, ref edits) => self.locked(NAMES[table], edits),
            Step::Durable => {
                let lsn = self.store.visible();
                self.store.wait_durable_as(lsn, Durability::Commit).map(|()| self.history.settle())
            }
            Step::Checkpoint(None) => self.store.checkpoint().map(|()| self.history.settle()),
            Step::Checkpoint(Some((table, after))) => self.checkpoint_beside(NAMES[table], after),
            Step::CheckpointClean => self.store.checkpoint_clean().map(|()| self.history.settle()),
            Step::Flush(table) => self.flush(NAMES[table]),
            Step::Create(table, paging) => self.create(NAMES[table], paging),
            Step::Drop(table) => self.drop_table(NAMES[table]),
            Step::Truncate(table) => self.truncate(NAMES[table]),
            Step::Rename(from, to) if from != to => self.rename(NAMES[from], NAMES[to]),
            Step::Exchange(one, other) if one != other => self.exchange(NAMES[one], NAMES[other]),
            Step::DropBoth(one, other) if one != other => self.drop_both(NAMES[one], NAMES[other]),
            Step::Rename(..) | Step::Exchange(..) | Step::DropBoth(..) => Ok(()),
            Step::Check(table) => self.check(NAMES[table]),
            Step::Rebuild(table, commits) => self.rebuild(NAMES[table], commits),
        }
        .map_err(text)
    }

    fn reader(&mut self, which: usize, session: &'s ReaderSlot) -> Result<(), String> {
        if let Some((snapshot, state, tables)) = self.readers[which].take() {
            let pin = snapshot.pin();
            for (name, table) in &tables {
                let view = pin.table(table).map_err(|e| e.to_string())?;
                let seen = read(&view, state[name].paging).map_err(|e| format!("{name}: {e}"))?;
                if seen != *state[name] {
                    return Err(format!("a snapshot of {name} changed"));
                }
            }
            return Ok(());
        }
        let snapshot = session.begin(&self.tables.values().collect::<Vec<_>>()).map_err(|e| e.to_string())?;
        snapshot.unpin_until_read();
        // Rolled up state: what is committed now.
        self.readers[which] = Some((snapshot, self.history.now(), self.tables.clone()));
        Ok(())
    }

    fn edit(&mut self, name: &'static str, edit: &Edit) -> pages::Result<()> {
        let Some(table) = self.tables.get(name) else { return Ok(()) };
        if !self.open.contains_key(name) {
            let (writer, content) = (lock(table), self.content(name));
            self.open.insert(name, Open { writer, content });
        }
        let Some(open) = self.open.get_mut(name) else { return Ok(()) };
        change(&mut open.writer, &mut open.content, edit)
    }

    /// A checkpoint, and in the middle of it the commit of an open statement.
    fn checkpoint_beside(&mut self, name: &'static str, after: u64) -> pages::Result<()> {
        let Some(mut open) = self.open.remove(name) else {
            return self.store.checkpoint().map(|()| self.history.settle());
        };
        self.number += 1;
        open.content.counter = self.number;
        set(open.writer.state_mut(), COUNTER_AT, self.number);
        let durable = self.history.published;
        self.history.attempt(|state| drop(state.insert(name, Rc::new(open.content))));
        let result = Arc::new(Mutex::new(None));
        let (mut writer, told) = (open.writer, result.clone());
        self.storage.set_interlude(Some((
            after,
            Box::new(move || {
                let done = writer.commit();
                drop(writer);
                *told.lock().unwrap() = Some(done);
            }),
        )));
        let checkpoint = self.store.checkpoint();
        if let Some(late) = self.storage.set_interlude(None) {
            late();
        }
        let commit = result.lock().unwrap().take();
        if matches!(commit, Some(Ok(_))) {
            self.history.acknowledge();
        }
        checkpoint?;
        self.history.settle_at(durable);
        commit.transpose().map(|_| ())
    }

    fn commit(&mut self, names: &[&'static str]) -> pages::Result<()> {
        let mut opened: Vec<(&'static str, Open)> =
            names.iter().filter_map(|name| self.open.remove_entry(name)).collect();
        if opened.is_empty() {
            return Ok(());
        }
        self.number += 1;
        for (_, open) in &mut opened {
            open.content.counter = self.number;
            set(open.writer.state_mut(), COUNTER_AT, self.number);
        }
        self.history.attempt(|state| {
            for (name, open) in &opened {
                state.insert(name, Rc::new(open.content.clone()));
            }
        });
        let mut writers: Vec<&mut TableWriter> =
            opened.iter_mut().map(|(_, open)| &mut open.writer).collect();
        self.store.commit_all(&mut writers, &never)?;
        self.history.acknowledge();
        Ok(())
    }

    fn locked(&mut self, name: &'static str, edits: &[Edit]) -> pages::Result<()> {
        if !self.exists(name) {
            return Ok(());
        }
        self.clear(name);
        let mut guard = self.tables[name].exclusive(1 << 41, std::time::Duration::from_secs(20), &never)?;
        for edit in edits {
            let mut content = self.content(name);
            let writer = guard.writer();
            change(writer, &mut content, edit)?;
            self.number += 1;
            content.counter = self.number;
            set(writer.state_mut(), COUNTER_AT, self.number);
            self.history.attempt(|state| drop(state.insert(name, Rc::new(content))));
            writer.commit()?;
            self.history.acknowledge();
        }
        Ok(())
    }

    fn flush(&mut self, name: &'static str) -> pages::Result<()> {
        if !self.exists(name) {
            return Ok(());
        }
        self.clear(name);
        self.store.detach(&self.tables[name])?;
        self.history.settle();
        let paging = self.content(name).paging;
        self.attach(name, paging)
    }

    fn create(&mut self, name: &'static str, paging: usize) -> pages::Result<()> {
        if self.exists(name) {
            return Ok(());
        }
        self.history.attempt(|state| drop(state.insert(name, Rc::new(Content::empty(paging, 0)))));
        create(&self.store, name)?;
        self.history.acknowledge();
        self.history.settle();
        self.attach(name, paging)
    }

    fn drop_table(&mut self, name: &'static str) -> pages::Result<()> {
        if !self.exists(name) {
            return Ok(());
        }
        self.clear(name);
        let plan = both(name).into_iter().fold(FilePlan::new(), FilePlan::remove);
        let guard = self.tables[name].exclusive(1 << 41, std::time::Duration::from_secs(20), &never)?;
        self.history.attempt(|state| drop(state.remove(name)));
        guard.discard(plan)?;
        self.tables.remove(name);
        self.history.acknowledge();
        self.history.settle();
        Ok(())
    }

    fn truncate(&mut self, name: &'static str) -> pages::Result<()> {
        if !self.exists(name) {
            return Ok(());
        }
        self.open.remove(name);
        self.number += 1;
        let mut state = fresh_state();
        set(&mut state, COUNTER_AT, self.number);
        let paging = self.content(name).paging;
        let mut spec = spec_of(&self.storage, name, paging)?;
        spec.state = state.clone();
        state.resize(1024, 0);
        let [index, data] = both(name);
        let plan = FilePlan::new().create(index, state).create(data, Vec::new());
        let content = Content::empty(paging, self.number);
        self.history.attempt(|state| drop(state.insert(name, Rc::new(content))));
        let table = self.store.replace_generation(lock(&self.tables[name]), plan, spec)?;
        self.tables.insert(name, table);
        self.history.acknowledge();
        self.history.settle();
        Ok(())
    }

    fn rename(&mut self, from: &'static str, to: &'static str) -> pages::Result<()> {
        if !self.exists(from) {
            return Ok(());
        }
        self.clear(from);
        self.clear(to);
        self.store.detach(&self.tables[from])?;
        self.history.settle();
        let content = self.content(from);
        let plan =
            both(from).into_iter().zip(both(to)).fold(FilePlan::new(), |plan, (a, b)| plan.rename(a, b));
        let paging = content.paging;
        self.history.attempt(|state| {
            state.remove(from);
            state.insert(to, Rc::new(content));
        });
        self.tables.remove(from);
        if self.exists(to) {
            let mut spec = spec_of(&self.storage, from, paging)?;
            spec.base = to.into();
            let table = self.store.replace_generation(lock(&self.tables[to]), plan, spec)?;
            self.tables.insert(to, table);
        } else {
            self.store.apply(plan)?;
            self.attach(to, paging)?;
        }
        self.history.acknowledge();
        self.history.settle();
        Ok(())
    }
}

impl World<'_> {
    fn check(&mut self, name: &'static str) -> pages::Result<()> {
        if !self.exists(name) {
            return Ok(());
        }
        self.open.remove(name);
        let mut writer = lock(&self.tables[name]);
        self.store.flush_and_unguard(&mut writer, &pages::WaitLimit::unbounded())
    }

    fn rebuild(&mut self, name: &'static str, commits: usize) -> pages::Result<()> {
        if !self.exists(name) {
            return Ok(());
        }
        self.open.remove(name);
        let mut content = self.content(name);
        // Readers go on with the old files.
        let old = lock(&self.tables[name]);
        let beside = format!("db/{}", pages::scratch_name());
        self.store.apply(files(&beside))?;
        let built = self.store.attach(spec_of(&self.storage, &beside, content.paging)?)?;
        let mut writer = lock(&built);
        let (mut done, mut rows, total) = (0, 0, content.data.len());
        for commit in 1..=commits {
            for piece in content.data[rows..total * commit / commits].chunks(1500) {
                put_data(&mut writer, rows as u64, piece)?;
                rows += piece.len();
            }
            let upto = content.blocks.len() * commit / commits;
            for (number, block) in content.blocks.iter().enumerate().take(upto).skip(done) {
                put_block(&mut writer, number as u64 + 1, 0)?;
                writer.index_page_mut((number as u64 + 1) * 1024, 1024)?.write(0, block);
            }
            done = upto;
            if commit == commits {
                self.number += 1;
                set(writer.state_mut(), COUNTER_AT, self.number);
            }
            writer.commit()?;
        }
        drop(writer);
        self.store.detach(&built)?;
        content.counter = self.number;
        let mut spec = spec_of(&self.storage, &beside, content.paging)?;
        spec.base = name.into();
        let plan = both(&beside).into_iter().zip(both(name));
        let plan = plan.fold(FilePlan::new(), |plan, (from, to)| plan.rename(from, to));
        self.history.attempt(|state| drop(state.insert(name, Rc::new(content))));
        let table = self.store.replace_generation(old, plan, spec)?;
        self.tables.insert(name, table);
        self.history.acknowledge();
        self.history.settle();
        Ok(())
    }

    fn exchange(&mut self, one: &'static str, other: &'static str) -> pages::Result<()> {
        if !(self.exists(one) && self.exists(other)) {
            return Ok(());
        }
        for name in [one, other] {
            self.clear(name);
            self.store.detach(&self.tables[name])?;
        }
        self.history.settle();
        let (first, second) = (self.content(one), self.content(other));
        let pagings = [(one, second.paging), (other, first.paging)];
        let mut plan = FilePlan::new();
        for (from, to) in [(one, "db/x"), (other, one), ("db/x", other)] {
            plan = both(from).into_iter().zip(both(to)).fold(plan, |plan, (from, to)| plan.rename(from, to));
        }
        self.history.attempt(|state| {
            state.insert(one, Rc::new(second));
            state.insert(other, Rc::new(first));
        });
        self.store.apply(plan)?;
        self.history.acknowledge();
        self.history.settle();
        pagings.into_iter().try_for_each(|(name, paging)| self.attach(name, paging))
    }

    fn drop_both(&mut self, one: &'static str, other: &'static str) -> pages::Result<()> {
        let there: Vec<&'static str> = [one, other].into_iter().filter(|name| self.exists(name)).collect();
        let mut guards = Vec::new();
        for name in &there {
            self.clear(name);
            let wait = std::time::Duration::from_secs(20);
            guards.push(self.tables[name].exclusive(1 << 41, wait, &never)?);
        }
        let plan = there.iter().flat_map(|name| both(name)).fold(FilePlan::new(), FilePlan::remove);
        self.history.attempt(|state| there.iter().for_each(|name| drop(state.remove(name))));
        self.store.discard_all(guards, plan)?;
        there.iter().for_each(|name| drop(self.tables.remove(name)));
        self.history.acknowledge();
        self.history.settle();
        Ok(())
    }
}

/// Makes a change, in the table and in what it should hold.
fn change(writer: &mut TableWriter, content: &mut Content, edit: &Edit) -> pages::Result<()> {
    match *edit {
        Edit::Append { len, byte } => {
            for piece in vec![byte; len].chunks(1500) {
                put_data(writer, content.data.len() as u64, piece)?;
                content.data.extend_from_slice(piece);
            }
        }
        Edit::Overwrite { at, len, byte } if !content.data.is_empty() => {
            let from = at as usize % content.data.len();
            let to = content.data.len().min(from + len);
            writer.data_write(from as u64, &vec![byte; to - from])?;
            content.data[from..to].fill(byte);
        }
        Edit::Overwrite { .. } => {}
        Edit::All { byte } => {
            for at in (0..content.data.len()).step_by(4000) {
                writer.data_write(at as u64, &[byte])?;
                content.data[at] = byte;
            }
            for (number, block) in content.blocks.iter_mut().enumerate() {
                writer.index_page_mut((number as u64 + 1) * 1024, 1024)?.write(5, &[byte]);
                block[5] = byte;
            }
        }
        Edit::Blocks { count, byte } => {
            for _ in 0..count {
                put_block(writer, content.blocks.len() as u64 + 1, byte)?;
                content.blocks.push(vec![byte; 1024]);
            }
        }
        Edit::Block { which, at, len, byte } if !content.blocks.is_empty() => {
            let which = which as usize % content.blocks.len();
            let page = &mut writer.index_page_mut((which as u64 + 1) * 1024, 1024)?;
            let bytes: Vec<u8> = (0..len).map(|i| byte.wrapping_add(i as u8)).collect();
            page.write(at, &bytes);
            content.blocks[which][at..at + len].copy_from_slice(&bytes);
        }
        Edit::Shift { which, from, to, len, byte } if !content.blocks.is_empty() => {
            let which = which as usize % content.blocks.len();
            shift(writer, which, (from, to, len), byte)?;
            content.blocks[which].copy_within(from..from + len, to);
            content.blocks[which][from] = byte;
        }
        Edit::Block { .. } | Edit::Shift { .. } => {}
        Edit::Undone { byte } => {
            let mark = writer.mark();
            put_data(writer, content.data.len() as u64, &[byte; 500])?;
            put_block(writer, content.blocks.len() as u64 + 1, byte)?;
            if !content.data.is_empty() {
                writer.data_write(0, &[byte])?;
            }
            if !content.blocks.is_empty() {
                shift(writer, usize::from(byte) % content.blocks.len(), (100, 300, 500), byte)?;
            }
            writer.rollback_to(mark)?;
            writer.release(mark);
        }
    }
    Ok(())
}

/// Moves bytes (from, to, count) inside a block and writes one.
fn shift(
    writer: &mut TableWriter,
    which: usize,
    moved: (usize, usize, usize),
    byte: u8,
) -> pages::Result<()> {
    let (from, to, len) = moved;
    let page = &mut writer.index_page_mut((which as u64 + 1) * 1024, 1024)?;
    page.copy_within(from..from + len, to);
    page.write(from, &[byte]);
    Ok(())
}

fn read(view: &pages::TableView<'_>, paging: usize) -> pages::Result<Content> {
    let mut scratch = Vec::new();
    let data = view.data(0, view.data_len() as usize, &mut scratch)?.to_vec();
    let mut blocks = Vec::new();
    for number in 1..view.index_len() / 1024 {
        blocks.push(view.index_page(number * 1024, 1024)?.to_vec());
    }
    Ok(Content { paging, counter: get(PageSource::state(view), COUNTER_AT), blocks, data })
}

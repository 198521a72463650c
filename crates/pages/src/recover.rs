//! Recovery: what the journal holds goes into the table files, before anybody opens them.
//!
//! It only writes bytes at offsets, in the order of the journal, and reads no page that it has not written itself: each page's first record in
//! a checkpoint cycle is its whole image, in the journal or in a spill file. So it can be interrupted and begun anew at any point. A table whose header does
//! not carry our guard and stamp was changed by somebody else; it is left alone, and the journal is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{channel, sync_channel};
use std::thread::Scope;

use crate::error::{Error, ErrorKind, Result};
use crate::files::{self, links};
use crate::journal::record::{
    self, AttachInfo, Entry, FileStep, Kind, RECORD_HEADER, Reader, SpillRef, Target,
};
use crate::journal::segment::{SEGMENT_HEADER, SegmentHead, is_segment, number_of};
use crate::options::{File, Injected, InjectedFault, Lsn};
use crate::replay::{EarlyChanges, ReplayFile, ReplayTable};
use crate::spill::{self, SpillReader};
use crate::storage::{OpenMode, Storage, StorageFile};

/// What recovery did.
#[derive(Debug, Default)]
pub struct RecoveryReport {
    /// Journal records found.
    pub records: u64,
    /// Bytes of journal read.
    pub bytes: u64,
    /// Tables brought up to date: path without extension, relative to the data directory.
    pub tables: Vec<PathBuf>,
    /// Tables left alone, as another program changed them, and what did not fit. Their journal is kept.
    pub foreign: Vec<(PathBuf, String)>,
}

/// Where the journal ended.
pub(crate) struct End {
    pub(crate) lsn: Lsn,
    /// A number for the next segment's file.
    pub(crate) next_file: u64,
}

struct SegmentFile {
    path: PathBuf,
    head: SegmentHead,
    file: Arc<dyn StorageFile>,
}

/// A guarded table in the journal.
struct AttachRecord {
    info: AttachInfo,
    /// Records before are of an earlier claim.
    from: Lsn,
}

type Targets = BTreeMap<u32, Box<ReplayTable>>;

/// More tables than anybody opens between two starts.
const TABLES: usize = 1 << 24;
/// Memory for bytes on their way into the tables.
const MEMORY: usize = 256 << 20;

#[derive(Default)]
struct JournalScan {
    attached: BTreeMap<u32, AttachRecord>,
    files: BTreeMap<Lsn, Vec<FileStep>>,
    spills: Vec<(Lsn, Vec<SpillRef>)>,
    /// The newest finished checkpoint began here.
    redo: Lsn,
    last: Lsn,
    records: u64,
}

enum TableStatus {
    Replay(Box<ReplayTable>),
    Clean,
    Foreign(String),
}

pub(crate) fn recover(
    storage: &dyn Storage,
    datadir: &Path,
    fault: Injected,
) -> Result<(RecoveryReport, End)> {
    let mut report = RecoveryReport::default();
    let all_segments = find_segments(storage, datadir)?;
    let Segments { readable: segments, beyond, all: all_files } = &all_segments;
    let next_file = all_files.iter().map(|path| number_of(path)).max().unwrap_or(0) + 1;
    let before = segments.first().map_or(0, |first| first.head.first_lsn - 1);
    let mut limit = Lsn::MAX;
    let (mut found, early) = loop {
        let mut found = JournalScan { last: before, ..JournalScan::default() };
        let mut early = Speculation::Running(Vec::new());
        let mut progress = JournalProgress::new("reading", segments);
        read(segments, limit, fault, &mut progress, &mut |lsn, kind, payload| {
            apply(&mut found, lsn, kind, payload)?;
            early.note(lsn, kind, payload)
        })?;
        report.bytes = progress.done;
        match torn_spill(storage, datadir, &found, fault)? {
            Some(lsn) => {
                tracing::warn!(
                    "recovery: the spill file of record {lsn} was not durable: the journal ends before it"
                );
                limit = lsn;
            }
            None => break (found, early),
        }
    };
    check_end(&found, &all_segments)?;
    report.records = found.records;
    for steps in found.files.values() {
        files::carry_out(storage, datadir, steps, true)?;
    }
    files::remove_leftovers(storage, datadir)?;

    let mut targets = BTreeMap::new();
    for (id, claim) in std::mem::take(&mut found.attached) {
        let base = claim.info.base.clone();
        if files::is_scratch(&base) {
            continue;
        }
        match classify_table(storage, datadir, claim)? {
            TableStatus::Replay(target) => {
                targets.insert(id, target);
            }
            TableStatus::Clean => {}
            TableStatus::Foreign(what) => {
                tracing::error!("'{}' was changed by another program ({what}): left alone", base.display());
                report.foreign.push((base, what));
            }
        }
    }
    if !targets.is_empty() {
        tracing::info!("recovery: {} journal records for {} tables", found.records, targets.len());
    }
    match early {
        Speculation::Running(mut early) => {
            for (id, target) in &mut targets {
                let early = early.get_mut(*id as usize).and_then(Option::take);
                if !early.is_none_or(|early| target.take(*early)) {
                    return Err(malformed_record(found.last));
                }
            }
        }
        Speculation::Given if !targets.is_empty() => {
            read_again(storage, datadir, segments, limit, fault, found.redo, &mut targets)?;
        }
        Speculation::Given => {}
    }
    if fault.is(InjectedFault::JournalGoneFirst) {
        archive_journal(storage, datadir, segments, beyond, all_files, false)?;
    }
    for mut target in targets.into_values() {
        target.finish(fault)?;
        report.tables.push(target.info.base);
    }
    if !fault.is(InjectedFault::JournalGoneFirst) {
        archive_journal(storage, datadir, segments, beyond, all_files, !report.foreign.is_empty())?;
    }
    Ok((report, End { lsn: found.last, next_file }))
}

/// Changes collected during the first pass, to avoid a second one. They include records from before the last checkpoint, which is
/// harmless because the last write to each byte wins, and bytes moved from where none are known become unknown. Abandoned when spill files are referenced (old ones may be gone) or when
/// memory runs out.
enum Speculation {
    /// By table number.
    Running(Vec<Option<Box<EarlyChanges>>>),
    Given,
}

impl Speculation {
    fn note(&mut self, lsn: Lsn, kind: Kind, payload: &[u8]) -> Result<()> {
        let Speculation::Running(tables) = self else { return Ok(()) };
        let mut reader = Reader(payload);
        match kind {
            Kind::Commit => {
                let done = each_entry(&mut reader, |id, auto_increment, entry| {
                    let id = id as usize;
                    if id >= tables.len() {
                        // Numbers are given one after the other.
                        tables.resize_with((id < TABLES).then_some(id + 1)?, || None);
                    }
                    let table = tables[id].get_or_insert_default();
                    table.auto_increment = table.auto_increment.max(auto_increment);
                    match entry {
                        Some(Entry::Bytes(Target::State, at, bytes)) => table.state.put(at, bytes),
                        Some(Entry::Bytes(Target::File(File::Index), at, bytes)) => {
                            table.index.put(at, bytes)
                        }
                        Some(Entry::Bytes(Target::File(File::Data), at, bytes)) => table.data.put(at, bytes),
                        Some(Entry::Move { from, to, len }) => table.index.shift(from, to, len),
                        None => {}
                    }
                    Some(())
                });
                done.ok_or_else(|| malformed_record(lsn))?;
                if lsn.is_multiple_of(1024)
                    && tables.iter().flatten().map(|table| table.held()).sum::<usize>() > MEMORY
                {
                    *self = Speculation::Given;
                }
            }
            Kind::Spilled => *self = Speculation::Given,
            // Earlier records mean nothing to a new claim.
            Kind::Attach => {
                let info = reader.attach().ok_or_else(|| malformed_record(lsn))?;
                forget(tables, info.id);
            }
            Kind::Clean => forget(tables, reader.u32().ok_or_else(|| malformed_record(lsn))?),
            Kind::Begin | Kind::End | Kind::Files | Kind::FilesDone => {}
        }
        Ok(())
    }
}

fn forget(tables: &mut [Option<Box<EarlyChanges>>], id: u32) {
    if let Some(table) = tables.get_mut(id as usize) {
        *table = None;
    }
}

/// Goes through the entries of a commit: table, its counter, and the entry; each table comes once without one at first.
#[inline]
fn each_entry<'a>(
    reader: &mut Reader<'a>,
    mut with: impl FnMut(u32, u64, Option<Entry<'a>>) -> Option<()>,
) -> Option<()> {
    for _ in 0..reader.u32()? {
        let (id, entries, auto_increment) = (reader.u32()?, reader.u32()?, reader.u64()?);
        with(id, auto_increment, None)?;
        for _ in 0..entries {
            with(id, auto_increment, Some(reader.entry()?))?;
        }
    }
    Some(())
}

/// The second reading, when the first one could not keep everything.
fn read_again(
    storage: &dyn Storage,
    datadir: &Path,
    segments: &[SegmentFile],
    limit: Lsn,
    fault: Injected,
    redo: Lsn,
    targets: &mut Targets,
) -> Result<()> {
    read(
        segments,
        limit,
        fault,
        &mut JournalProgress::new("replaying", segments),
        &mut |lsn, kind, payload| {
            let mut reader = Reader(payload);
            match kind {
                _ if lsn < redo => Ok(()),
                Kind::Commit => replay(targets, lsn, reader),
                Kind::Spilled => {
                    let spills = reader.spills().ok_or_else(|| malformed_record(lsn))?;
                    replay_spills(storage, datadir, targets, lsn, &spills)?;
                    replay(targets, lsn, reader)
                }
                _ => Ok(()),
            }
        },
    )
}

/// The first record whose spill file did not wholly reach the disk. Nothing from there on was acknowledged as durable.
fn torn_spill(
    storage: &dyn Storage,
    datadir: &Path,
    found: &JournalScan,
    fault: Injected,
) -> Result<Option<Lsn>> {
    if fault.is(InjectedFault::SpillUnchecked) {
        return Ok(None);
    }
    for (lsn, spills) in found.spills.iter().filter(|(lsn, _)| *lsn >= found.redo) {
        for spill in spills {
            let needed = found.attached.get(&spill.table).is_some_and(|claim| *lsn >= claim.from);
            // A missing one is told of when its table is replayed: its name was durable before the record.
            if needed && matches!(SpillReader::check(storage, datadir, spill)?, spill::Found::Torn) {
                return Ok(Some(*lsn));
            }
        }
    }
    Ok(None)
}

/// Tells the log how far a reading of the journal is.
struct JournalProgress {
    what: &'static str,
    total: u64,
    done: u64,
    told: std::time::Instant,
}

impl JournalProgress {
    /// Time between two lines in the log.
    const PAUSE: std::time::Duration = std::time::Duration::from_secs(2);

    fn new(what: &'static str, segments: &[SegmentFile]) -> JournalProgress {
        let total = segments.iter().map(|segment| segment.head.size).sum();
        JournalProgress { what, total, done: 0, told: std::time::Instant::now() }
    }

    fn add(&mut self, bytes: u64) {
        self.done += bytes;
        if self.told.elapsed() >= JournalProgress::PAUSE {
            self.told = std::time::Instant::now();
            let percent = self.done.saturating_mul(100) / self.total.max(1);
            let (done, total) = (self.done >> 20, self.total >> 20);
            tracing::info!("recovery: {} the journal: {percent} % ({done} of {total} MiB)", self.what);
        }
    }
}

struct Segments {
    /// In order.
    readable: Vec<SegmentFile>,
    /// Behind a lost one, in order.
    beyond: Vec<SegmentFile>,
    /// All files with a segment's name.
    all: Vec<PathBuf>,
}

fn find_segments(storage: &dyn Storage, datadir: &Path) -> Result<Segments> {
    let entries = storage.list(datadir).map_err(|e| Error::io(datadir, "list", e))?;
    let mut paths: Vec<PathBuf> =
        entries.into_iter().filter(|(path, dir)| !dir && is_segment(path)).map(|(path, _)| path).collect();
    paths.sort();
    let (mut segments, mut damaged) = (Vec::new(), Vec::new());
    for path in &paths {
        let file = storage.open(path, OpenMode::Read).map_err(|e| Error::io(path, "open", e))?;
        let mut bytes = [0; SEGMENT_HEADER];
        match file.read_exact_at(&mut bytes, 0) {
            // Not yet filled when the process died.
            Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => continue,
            other => other.map_err(|e| Error::io(path, "read", e))?,
        }
        if let Some(head) = SegmentHead::decode(&bytes) {
            segments.push(SegmentFile { path: path.clone(), head, file });
        } else if bytes != [0; SEGMENT_HEADER] {
            damaged.push(path.clone());
        }
    }
    segments.sort_by_key(|segment| segment.head.sequence);
    let named = |number: u64| paths.iter().find(|path| number_of(path) == number);
    if let Some(first) = segments.first()
        && let Some(before) = named(first.head.previous_file)
        && damaged.contains(before)
    {
        // A segment that is not needed any more has zeros for a head.
        return Err(Error::corrupt(before, 0, "the head of this journal segment is damaged"));
    }
    for pair in segments.windows(2) {
        if pair[0].head.sequence == pair[1].head.sequence {
            let what = format!(
                "this journal segment has the place of '{}': one of them is foreign",
                pair[0].path.display()
            );
            return Err(Error::corrupt(&pair[1].path, 0, what));
        }
    }
    if let Some(gap) = segments.windows(2).position(|pair| pair[1].head.sequence != pair[0].head.sequence + 1)
    {
        let head = &segments[gap + 1].head;
        let before = named(head.previous_file);
        if before.is_none_or(|before| segments.iter().any(|segment| segment.path == *before)) {
            let what =
                format!("journal segment {} (file {}) is missing", head.sequence - 1, head.previous_file);
            return Err(Error::corrupt(&segments[gap + 1].path, 0, what));
        }
        // The file is there, but its head had not reached the disk when the power went: the journal ends before it.
        tracing::warn!("journal: the unsynced end was lost from segment {} on", head.sequence - 1);
        let beyond = segments.split_off(gap + 1);
        return Ok(Segments { readable: segments, beyond, all: paths });
    }
    Ok(Segments { readable: segments, beyond: Vec::new(), all: paths })
}

/// Whoever wrote a later segment knew how far the journal was durable: it must not end before that.
fn check_end(found: &JournalScan, segments: &Segments) -> Result<()> {
    let heads = segments.readable.iter().chain(&segments.beyond);
    for SegmentFile { path, head, .. } in heads {
        if head.first_lsn > found.last + 1 && head.durable() > found.last {
            let (from, to) = (found.last + 1, head.durable());
            return Err(Error::corrupt(
                path,
                0,
                format!("records {from} to {to} before this journal segment were durable and are damaged"),
            ));
        }
    }
    Ok(())
}

/// Called with LSN, kind and payload of each record.
type Each<'a> = dyn FnMut(Lsn, Kind, &[u8]) -> Result<()> + 'a;

/// Reads all records in order, up to the first that is not whole, or the limit.
fn read(
    segments: &[SegmentFile],
    limit: Lsn,
    fault: Injected,
    progress: &mut JournalProgress,
    each: &mut Each<'_>,
) -> Result<()> {
    let mut checked = |checked: &Checked| {
        for (lsn, &(at, len, kind)) in (checked.first..).zip(&checked.records) {
            if lsn >= limit {
                return Ok(ControlFlow::Break(()));
            }
            each(lsn, kind, &checked.bytes[at..at + len])?;
        }
        progress.add(checked.bytes.len() as u64);
        Ok(ControlFlow::Continue(()))
    };
    if segments.iter().map(|segment| segment.head.size).sum::<u64>() < AHEAD {
        let mut result = Ok(());
        check(segments, fault, &mut |segment| segment.read(Vec::new()), &mut |found| match found
            .and_then(|found| checked(&found))
        {
            Ok(flow) => flow,
            Err(e) => {
                result = Err(e);
                ControlFlow::Break(())
            }
        });
        return result;
    }
    // A thread reads, another compares checksums, this one acts on the records.
    std::thread::scope(|scope| {
        let (send, raw) = sync_channel(2);
        let (give_back, used) = channel::<Vec<u8>>();
        spawn(scope, "isam-read", move || {
            for segment in segments {
                if send.send(segment.read(used.try_recv().unwrap_or_default())).is_err() {
                    return;
                }
            }
        })?;
        let (send, ready) = sync_channel(2);
        spawn(scope, "isam-check", move || {
            let gone = |_| ErrorKind::Misuse("the reading thread has ended").into();
            check(segments, fault, &mut |_| raw.recv().map_err(gone).flatten(), &mut |found| match send
                .send(found)
            {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
        })?;
        for found in ready {
            let found = found?;
            if checked(&found)?.is_break() {
                break;
            }
            let _ = give_back.send(found.bytes);
        }
        Ok(())
    })
}

/// A journal smaller than this is read without threads.
const AHEAD: u64 = 8 << 20;

fn spawn<'s>(scope: &'s Scope<'s, '_>, name: &str, body: impl FnOnce() + Send + 's) -> Result<()> {
    let made = std::thread::Builder::new().name(name.to_owned()).spawn_scoped(scope, body);
    made.map(drop).map_err(|e| Error::io(name, "start the thread", e))
}

impl SegmentFile {
    fn read(&self, mut bytes: Vec<u8>) -> Result<Vec<u8>> {
        let len = self.file.len().map_err(|e| Error::io(&self.path, "stat", e))?;
        bytes.resize(len.min(self.head.size) as usize, 0);
        self.file.read_exact_at(&mut bytes, 0).map_err(|e| Error::io(&self.path, "read", e))?;
        Ok(bytes)
    }
}

/// A segment, and the records in it that are whole.
struct Checked {
    bytes: Vec<u8>,
    /// LSN of the first one.
    first: Lsn,
    /// Where their payloads are.
    records: Vec<(usize, usize, Kind)>,
}

/// Compares the checksums of all records, segment by segment, up to the first record that is not whole.
fn check(
    segments: &[SegmentFile],
    fault: Injected,
    next: &mut dyn FnMut(&SegmentFile) -> Result<Vec<u8>>,
    emit: &mut dyn FnMut(Result<Checked>) -> ControlFlow<()>,
) {
    let Some(first) = segments.first() else { return };
    let mut lsn = first.head.first_lsn;
    let mut chain = None;
    for (i, segment) in segments.iter().enumerate() {
        let head = &segment.head;
        if head.first_lsn != lsn || chain.is_some_and(|chain| chain != head.before) {
            tracing::warn!(
                "journal: records from {lsn} on were lost, {} later segments hold no more",
                segments.len() - i
            );
            return;
        }
        let bytes = match next(segment) {
            Ok(bytes) => bytes,
            Err(e) => {
                let _ = emit(Err(e));
                return;
            }
        };
        let mut checked = Checked { bytes, first: lsn, records: Vec::new() };
        let mut at = SEGMENT_HEADER;
        let mut here = head.chain();
        while let Some(record) = checked.bytes.get(at..).and_then(|rest| {
            let chain = (!fault.is(InjectedFault::ChainUnchecked)).then_some(here);
            record::open(rest, lsn, chain)
        }) {
            checked.records.push((at + RECORD_HEADER, record.payload.len(), record.kind));
            at += record.size;
            here = record.chain;
            lsn += 1;
        }
        chain = Some(here);
        if emit(Ok(checked)).is_break() {
            return;
        }
    }
}

fn malformed_record(lsn: Lsn) -> Error {
    Error::corrupt("isambard.journal", lsn, "a record makes no sense")
}

/// First reading: which tables are claimed, which changes of files are unfinished, where to begin.
fn apply(found: &mut JournalScan, lsn: Lsn, kind: Kind, payload: &[u8]) -> Result<()> {
    found.last = lsn;
    found.records += 1;
    let mut reader = Reader(payload);
    let mut parse = || {
        match kind {
            Kind::Commit => {}
            Kind::Spilled => found.spills.push((lsn, reader.spills()?)),
            Kind::Attach => {
                let info = reader.attach()?;
                found.attached.insert(info.id, AttachRecord { info, from: lsn });
            }
            Kind::Begin => {
                for _ in 0..reader.u32()? {
                    let info = reader.attach()?;
                    found.attached.entry(info.id).or_insert(AttachRecord { info, from: lsn });
                }
            }
            Kind::Clean => {
                found.attached.remove(&reader.u32()?);
            }
            Kind::End => found.redo = reader.u64()?,
            Kind::Files => {
                let (forget, steps) = reader.files()?;
                for id in forget {
                    found.attached.remove(&id);
                }
                found.files.insert(lsn, steps);
            }
            Kind::FilesDone => {
                found.files.remove(&reader.u64()?);
            }
        }
        Some(())
    };
    parse().ok_or_else(|| malformed_record(lsn))
}

/// Is the table still as our guard left it?
fn classify_table(storage: &dyn Storage, datadir: &Path, claim: AttachRecord) -> Result<TableStatus> {
    let AttachRecord { info, from } = claim;
    let path = |extension: &str| {
        let mut name = datadir.join(&info.base).into_os_string();
        name.push(extension);
        PathBuf::from(name)
    };
    let (index_path, data_path) = (path(".MYI"), path(".MYD"));
    let mut opened = Vec::new();
    for path in [&index_path, &data_path] {
        match links::open(storage, datadir, path, OpenMode::ReadWrite) {
            Ok(file) => opened.push(file),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Ok(TableStatus::Foreign(format!("'{}' is missing", path.display())));
            }
            Err(e) => return Err(Error::io(path, "open", e)),
        }
    }
    let (Some(data), Some(index)) = (opened.pop(), opened.pop()) else {
        return Ok(TableStatus::Foreign("not opened".into()));
    };
    let mut state = vec![0; info.state_len as usize];
    match index.read_exact_at(&mut state, 0) {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            return Ok(TableStatus::Foreign("the index file is shorter than its header".into()));
        }
        other => other.map_err(|e| Error::io(&index_path, "read", e))?,
    }
    let ours = info.layout.stamp(&state) == info.stamp;
    Ok(match (info.layout.guarded(&state), ours) {
        (true, true) => {
            // A copied data directory has other inodes throughout; one exchanged file has not.
            if index.identity() == info.index_identity && data.identity() != info.data_identity {
                return Ok(TableStatus::Foreign("the data file was exchanged".into()));
            }
            let (index, data) = (ReplayFile::new(index_path, index), ReplayFile::new(data_path, data));
            TableStatus::Replay(Box::new(ReplayTable { info, from, index, data, state, auto_increment: 0 }))
        }
        (false, true) => TableStatus::Clean,
        // The guard never reached the disk, so nothing was acknowledged under it; if these are the files that were to get it.
        (false, false)
            if crc32c::crc32c(&state) == info.before
                && index.identity() == info.index_identity
                && data.identity() == info.data_identity =>
        {
            TableStatus::Clean
        }
        (true, false) => TableStatus::Foreign("its guard is another journal's".into()),
        (false, false) => TableStatus::Foreign("it was opened and changed without our guard".into()),
    })
}

/// Takes the spill files that a record names into their tables.
fn replay_spills(
    storage: &dyn Storage,
    datadir: &Path,
    targets: &mut Targets,
    lsn: Lsn,
    spills: &[SpillRef],
) -> Result<()> {
    for spill in spills {
        let Some(target) = targets.get_mut(&spill.table).filter(|target| lsn >= target.from) else {
            continue;
        };
        let Some(reader) = SpillReader::open(storage, datadir, spill)? else {
            let path = spill::path_of(datadir, spill.number);
            return Err(Error::corrupt(path, 0, "this file, which the journal names, is missing"));
        };
        reader.each(&mut |row, bytes| {
            target.file(row.file).put(row.offset, bytes);
            if target.held() > MEMORY { target.flush() } else { Ok(()) }
        })?;
    }
    Ok(())
}

fn replay(targets: &mut Targets, lsn: Lsn, mut reader: Reader<'_>) -> Result<()> {
    let (mut most, mut shifted) = (0, None);
    let done = each_entry(&mut reader, |id, auto_increment, entry| {
        let Some(target) = targets.get_mut(&id).filter(|target| lsn >= target.from) else { return Some(()) };
        target.auto_increment = target.auto_increment.max(auto_increment);
        match entry {
            Some(Entry::Bytes(Target::State, offset, bytes)) => {
                let range = offset as usize..(offset as usize).saturating_add(bytes.len());
                target.state.get_mut(range)?.copy_from_slice(bytes);
            }
            Some(Entry::Bytes(Target::File(file), offset, bytes)) => target.file(file).put(offset, bytes),
            Some(Entry::Move { from, to, len }) => {
                shifted = shifted.take().or(target.index.shift(from, to, len).err());
            }
            None => most = most.max(target.held()),
        }
        Some(())
    });
    done.ok_or_else(|| malformed_record(lsn))?;
    if let Some(e) = shifted {
        return Err(e);
    }
    // Looked at closely only when one table alone has a good deal.
    if most > MEMORY / 8 && targets.values().map(|target| target.held()).sum::<usize>() > MEMORY {
        targets.values_mut().try_for_each(|target| target.flush())?;
    }
    Ok(())
}

/// Removes the journal's files, or keeps them under other names; in an order that leaves no gap when it is interrupted.
fn archive_journal(
    storage: &dyn Storage,
    datadir: &Path,
    segments: &[SegmentFile],
    beyond: &[SegmentFile],
    all: &[PathBuf],
    keep: bool,
) -> Result<()> {
    let entries = storage.list(datadir).map_err(|e| Error::io(datadir, "list", e))?;
    let mut spills: Vec<_> =
        entries.iter().filter_map(|(path, _)| Some((path, spill::number_of(path)?))).collect();
    spills.sort();
    if all.is_empty() && spills.is_empty() {
        return Ok(());
    }
    let readable: BTreeSet<&PathBuf> = segments.iter().map(|segment| &segment.path).collect();
    let remove = |path: &PathBuf| storage.remove(path).map_err(|e| Error::io(path, "remove", e));
    for segment in beyond.iter().rev() {
        remove(&segment.path)?;
    }
    for path in all {
        if !readable.contains(path) && !beyond.iter().any(|segment| segment.path == *path) {
            remove(path)?;
        }
    }
    // What was kept before is not overwritten.
    let mut kept = 1;
    let taken = |kept: u64| {
        let prefix = format!("isambard.kept-journal.{kept}.");
        entries.iter().any(|(path, _)| path.to_string_lossy().contains(&prefix))
    };
    while taken(kept) {
        kept += 1;
    }
    for SegmentFile { path, .. } in segments {
        if keep {
            let name = format!("isambard.kept-journal.{kept}.{:06}", number_of(path));
            storage.rename(path, &datadir.join(name)).map_err(|e| Error::io(path, "rename", e))?;
        } else {
            remove(path)?;
        }
    }
    if !spills.is_empty() {
        // What a record names must be there as long as the record.
        storage.sync_dir(datadir).map_err(|e| Error::io(datadir, "sync", e))?;
    }
    for (path, number) in spills {
        if keep {
            let name = format!("isambard.kept-journal.{kept}.spill.{number:06}");
            storage.rename(path, &datadir.join(name)).map_err(|e| Error::io(path, "rename", e))?;
        } else {
            remove(path)?;
        }
    }
    storage.sync_dir(datadir).map_err(|e| Error::io(datadir, "sync", e))
}

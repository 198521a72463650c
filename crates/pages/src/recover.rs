//! Recovery: what the journal holds goes into the table files, before anybody opens them.
//!
//! It only writes bytes at offsets, in the order of the journal, and never reads a page: each page's first record in a
//! checkpoint cycle is its whole image, in the journal or in a spill file. So it can be interrupted and begun anew at any point. A table whose header does
//! not carry our guard and stamp was changed by somebody else; it is left alone, and the journal is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::files;
use crate::journal::record::{self, AttachInfo, FileStep, Kind, Reader, SpillRef, Target};
use crate::journal::segment::{SEGMENT_HEADER, SegmentHead, is_segment, number_of};
use crate::options::{Lsn, Plant};
use crate::replay::{Replaying, Restored};
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
struct Claim {
    info: AttachInfo,
    /// Records before are of an earlier claim.
    from: Lsn,
}

type Targets = BTreeMap<u32, Box<Replaying>>;

/// Memory for bytes on their way into the tables.
const MEMORY: usize = 128 << 20;

#[derive(Default)]
struct Found {
    claims: BTreeMap<u32, Claim>,
    files: BTreeMap<Lsn, Vec<FileStep>>,
    spills: Vec<(Lsn, Vec<SpillRef>)>,
    /// The newest finished checkpoint began here.
    redo: Lsn,
    last: Lsn,
    records: u64,
}

enum Verdict {
    Replay(Box<Replaying>),
    Clean,
    Foreign(String),
}

pub(crate) fn recover(
    storage: &dyn Storage,
    datadir: &Path,
    plant: Option<Plant>,
) -> Result<(RecoveryReport, End)> {
    let mut report = RecoveryReport::default();
    let Segments { readable: segments, beyond, all: all_files } = find_segments(storage, datadir)?;
    let next_file = all_files.iter().map(|path| number_of(path)).max().unwrap_or(0) + 1;
    let mut limit = Lsn::MAX;
    let mut found = loop {
        let mut found = Found::default();
        let mut bytes = Progress::new("reading", &segments);
        read(&segments, limit, plant, &mut bytes, &mut |lsn, kind, payload| {
            note(&mut found, lsn, kind, payload)
        })?;
        report.bytes = bytes.done;
        match torn_spill(storage, datadir, &found, plant)? {
            Some(lsn) => {
                tracing::warn!(
                    "recovery: the spill file of record {lsn} was not durable: the journal ends before it"
                );
                limit = lsn;
            }
            None => break found,
        }
    };
    report.records = found.records;
    for steps in found.files.values() {
        files::carry_out(storage, datadir, steps, true)?;
    }
    files::remove_leftovers(storage, datadir)?;

    let mut targets = BTreeMap::new();
    for (id, claim) in std::mem::take(&mut found.claims) {
        let base = claim.info.base.clone();
        if files::is_scratch(&base) {
            continue;
        }
        match judge(storage, datadir, claim)? {
            Verdict::Replay(target) => {
                targets.insert(id, target);
            }
            Verdict::Clean => {}
            Verdict::Foreign(what) => {
                tracing::error!("'{}' was changed by another program ({what}): left alone", base.display());
                report.foreign.push((base, what));
            }
        }
    }
    if !targets.is_empty() {
        let redo = found.redo;
        tracing::info!("recovery: {} journal records for {} tables", found.records, targets.len());
        read(
            &segments,
            limit,
            plant,
            &mut Progress::new("replaying", &segments),
            &mut |lsn, kind, payload| {
                let mut reader = Reader(payload);
                match kind {
                    _ if lsn < redo => Ok(()),
                    Kind::Commit => replay(&mut targets, lsn, reader),
                    Kind::Spilled => {
                        let spills = reader.spills().ok_or_else(|| senseless(lsn))?;
                        replay_spills(storage, datadir, &mut targets, lsn, &spills)?;
                        replay(&mut targets, lsn, reader)
                    }
                    _ => Ok(()),
                }
            },
        )?;
    }
    if plant == Some(Plant::JournalGoneFirst) {
        set_aside(storage, datadir, &segments, &beyond, &all_files, false)?;
    }
    for mut target in targets.into_values() {
        target.finish(plant)?;
        report.tables.push(target.info.base);
    }
    if plant != Some(Plant::JournalGoneFirst) {
        set_aside(storage, datadir, &segments, &beyond, &all_files, !report.foreign.is_empty())?;
    }
    Ok((report, End { lsn: found.last, next_file }))
}

/// The first record whose spill file did not wholly reach the disk. Nothing from there on was acknowledged as durable.
fn torn_spill(
    storage: &dyn Storage,
    datadir: &Path,
    found: &Found,
    plant: Option<Plant>,
) -> Result<Option<Lsn>> {
    if plant == Some(Plant::SpillUnchecked) {
        return Ok(None);
    }
    for (lsn, spills) in found.spills.iter().filter(|(lsn, _)| *lsn >= found.redo) {
        for spill in spills {
            let needed = found.claims.get(&spill.table).is_some_and(|claim| *lsn >= claim.from);
            // A missing one is told of when its table is replayed: its name was durable before the record.
            if needed && matches!(SpillReader::check(storage, datadir, spill)?, spill::Found::Torn) {
                return Ok(Some(*lsn));
            }
        }
    }
    Ok(None)
}

/// Tells the log how far a reading of the journal is.
struct Progress {
    what: &'static str,
    total: u64,
    done: u64,
    told: std::time::Instant,
}

impl Progress {
    /// Time between two lines in the log.
    const PAUSE: std::time::Duration = std::time::Duration::from_secs(2);

    fn new(what: &'static str, segments: &[SegmentFile]) -> Progress {
        let total = segments.iter().map(|segment| segment.head.size).sum();
        Progress { what, total, done: 0, told: std::time::Instant::now() }
    }

    fn add(&mut self, bytes: u64) {
        self.done += bytes;
        if self.told.elapsed() >= Progress::PAUSE {
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
    let mut segments = Vec::new();
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
        }
    }
    segments.sort_by_key(|segment| segment.head.sequence);
    if let Some(gap) = segments.windows(2).position(|pair| pair[1].head.sequence != pair[0].head.sequence + 1)
    {
        let head = &segments[gap + 1].head;
        if !paths.iter().any(|path| number_of(path) == head.previous_file) {
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

/// Called with LSN, kind and payload of each record.
type Each<'a> = dyn FnMut(Lsn, Kind, &[u8]) -> Result<()> + 'a;

/// Reads all records in order, up to the first that is not whole.
fn read(
    segments: &[SegmentFile],
    limit: Lsn,
    plant: Option<Plant>,
    progress: &mut Progress,
    each: &mut Each<'_>,
) -> Result<()> {
    let Some(first) = segments.first() else { return Ok(()) };
    let mut lsn = first.head.first_lsn;
    let mut chain = None;
    let mut bytes = Vec::new();
    for (i, segment) in segments.iter().enumerate() {
        let head = &segment.head;
        if head.first_lsn != lsn || chain.is_some_and(|chain| chain != head.before) {
            tracing::warn!(
                "journal: records from {lsn} on were lost, {} later segments hold no more",
                segments.len() - i
            );
            break;
        }
        let size =
            segment.file.len().map_err(|e| Error::io(&segment.path, "stat", e))?.min(head.size) as usize;
        bytes.resize(size, 0);
        segment.file.read_exact_at(&mut bytes, 0).map_err(|e| Error::io(&segment.path, "read", e))?;
        let mut at = SEGMENT_HEADER;
        let mut here = head.chain();
        while let Some(record) = bytes.get(at..).and_then(|rest| {
            let chain = (plant != Some(Plant::ChainUnchecked)).then_some(here);
            record::open(rest, lsn, chain)
        }) {
            if lsn >= limit {
                return Ok(());
            }
            each(lsn, record.kind, record.payload)?;
            at += record.size;
            here = record.chain;
            lsn += 1;
        }
        chain = Some(here);
        progress.add(size as u64);
    }
    Ok(())
}

fn senseless(lsn: Lsn) -> Error {
    Error::corrupt("isambard.journal", lsn, "a record makes no sense")
}

/// First reading: which tables are claimed, which changes of files are unfinished, where to begin.
fn note(found: &mut Found, lsn: Lsn, kind: Kind, payload: &[u8]) -> Result<()> {
    found.last = lsn;
    found.records += 1;
    let mut reader = Reader(payload);
    let mut parse = || {
        match kind {
            Kind::Commit => {}
            Kind::Spilled => found.spills.push((lsn, reader.spills()?)),
            Kind::Attach => {
                let info = reader.attach()?;
                found.claims.insert(info.id, Claim { info, from: lsn });
            }
            Kind::Begin => {
                for _ in 0..reader.u32()? {
                    let info = reader.attach()?;
                    found.claims.entry(info.id).or_insert(Claim { info, from: lsn });
                }
            }
            Kind::Clean => {
                found.claims.remove(&reader.u32()?);
            }
            Kind::End => found.redo = reader.u64()?,
            Kind::Files => {
                let (forget, steps) = reader.files()?;
                for id in forget {
                    found.claims.remove(&id);
                }
                found.files.insert(lsn, steps);
            }
            Kind::FilesDone => {
                found.files.remove(&reader.u64()?);
            }
        }
        Some(())
    };
    parse().ok_or_else(|| senseless(lsn))
}

/// Is the table still as our guard left it?
fn judge(storage: &dyn Storage, datadir: &Path, claim: Claim) -> Result<Verdict> {
    let Claim { info, from } = claim;
    let path = |extension: &str| {
        let mut name = datadir.join(&info.base).into_os_string();
        name.push(extension);
        PathBuf::from(name)
    };
    let (index_path, data_path) = (path(".MYI"), path(".MYD"));
    let mut opened = Vec::new();
    for path in [&index_path, &data_path] {
        match storage.open(path, OpenMode::ReadWrite) {
            Ok(file) => opened.push(file),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Verdict::Foreign(format!("'{}' is missing", path.display())));
            }
            Err(e) => return Err(Error::io(path, "open", e)),
        }
    }
    let (Some(data), Some(index)) = (opened.pop(), opened.pop()) else {
        return Ok(Verdict::Foreign("not opened".into()));
    };
    let mut state = vec![0; info.state_len as usize];
    match index.read_exact_at(&mut state, 0) {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
            return Ok(Verdict::Foreign("the index file is shorter than its header".into()));
        }
        other => other.map_err(|e| Error::io(&index_path, "read", e))?,
    }
    let ours = info.layout.stamp(&state) == info.stamp;
    Ok(match (info.layout.guarded(&state), ours) {
        (true, true) => {
            // A copied data directory has other inodes throughout; one exchanged file has not.
            if index.identity() == info.index_identity && data.identity() != info.data_identity {
                return Ok(Verdict::Foreign("the data file was exchanged".into()));
            }
            let (index, data) = (Restored::new(index_path, index), Restored::new(data_path, data));
            Verdict::Replay(Box::new(Replaying { info, from, index, data, state, auto_increment: 0 }))
        }
        (false, true) => Verdict::Clean,
        // The guard never reached the disk, so nothing was acknowledged under it.
        (false, false) if crc32c::crc32c(&state) == info.before => Verdict::Clean,
        (true, false) => Verdict::Foreign("its guard is another journal's".into()),
        (false, false) => Verdict::Foreign("it was opened and changed without our guard".into()),
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
    let mut held = 0;
    for _ in 0..reader.u32().ok_or_else(|| senseless(lsn))? {
        let head = (|| Some((reader.u32()?, reader.u32()?, reader.u64()?)))();
        let (id, entries, auto_increment) = head.ok_or_else(|| senseless(lsn))?;
        let mut target = targets.get_mut(&id).filter(|target| lsn >= target.from);
        if let Some(target) = &mut target {
            target.auto_increment = target.auto_increment.max(auto_increment);
        }
        for _ in 0..entries {
            let (place, offset, bytes) = reader.entry().ok_or_else(|| senseless(lsn))?;
            let Some(target) = &mut target else { continue };
            match place {
                Target::State => {
                    let range = offset as usize..(offset as usize).saturating_add(bytes.len());
                    target.state.get_mut(range).ok_or_else(|| senseless(lsn))?.copy_from_slice(bytes);
                }
                Target::File(file) => target.file(file).put(offset, bytes),
            }
        }
        held += target.map_or(0, |target| target.held());
    }
    if held > MEMORY { targets.values_mut().try_for_each(|target| target.flush()) } else { Ok(()) }
}

/// Removes the journal's files, or keeps them under other names; in an order that leaves no gap when it is interrupted.
fn set_aside(
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
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    for SegmentFile { path, .. } in segments {
        if keep {
            let name = format!("isambard.kept-journal.{now}.{:06}", number_of(path));
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
            let name = format!("isambard.kept-journal.{now}.spill.{number:06}");
            storage.rename(path, &datadir.join(name)).map_err(|e| Error::io(path, "rename", e))?;
        } else {
            remove(path)?;
        }
    }
    storage.sync_dir(datadir).map_err(|e| Error::io(datadir, "sync", e))
}

//! REPAIR and OPTIMIZE TABLE: new files beside the old ones, put in their place under one journal record.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::table::TableState;
use crate::table::myisam::RawData;
use crate::table::myisam::{CopyMode, CopyOptions, Note, NoteKind, copy_rows, look_over};
use crate::table::myisam::{Header, StateMut, changed};
use crate::table::{EngineError as Error, StoredTable, TableFormat, Writer};
use pages::TableWriter;
use pages::storage::OpenMode;
use schema::definition::TableDef;

use super::drop::ExclusiveTable;
use crate::ast::{Maintain, MaintainKind};
use crate::dml::target::Held;
use crate::error::{self, SqlError, SqlResult};
use crate::failure::from_pages;
use crate::session::Session;
use crate::table::OpenTable;
use crate::table::from_engine;
use crate::table::partition::table_of_part;
use crate::table::rules::{Rules, with_completer};

/// Type and text of each row of the answer.
type Found = Vec<(&'static str, String)>;

/// A table while it is repaired.
struct RepairJob {
    db: Arc<str>,
    name: Arc<str>,
    def: Arc<TableDef>,
    /// As the head of the `.MYI` has it, or as CREATE TABLE would choose it.
    format: Arc<TableFormat>,
    /// The table held alone; none when its files cannot be opened: they are taken as they lie.
    held: Option<ExclusiveTable>,
    /// The state of a table that cannot be opened.
    state: Vec<u8>,
    /// Path without extension.
    base: PathBuf,
    rules: Option<Arc<Rules>>,
    /// The head of the `.MYI` says nothing.
    use_frm: bool,
    /// Nobody asked for the definition in the place of the head, which cannot be read: the error it gave. That definition may be
    /// wrong about the rows, so it counts only where it finds nothing but sound ones.
    headless: Option<SqlError>,
}

/// First bytes of a data file that `myisampack` made: only the head of the `.MYI` says how its rows are packed.
const PACKED: [u8; 3] = [0xFE, 0xFE, 0x08];

/// Fields in which a damaged head differs from the definition at most; in more it is that of another table.
const MOST_DIFFERENCES: usize = 2;

/// What is said of a head that was made anew.
const HEADLESS: &str = "The head of the MYI file is damaged; made anew from the definition in the .frm file";

fn now() -> u64 {
    schema::clock::now().as_secs()
}

/// What REPAIR or OPTIMIZE does with one table.
///
/// # Errors
/// When the table cannot be had, or its files not be written.
pub(crate) fn run(
    session: &mut Session,
    m: &Maintain,
    (db, name): (&Arc<str>, &Arc<str>),
) -> SqlResult<Found> {
    // a partition is opened with its table
    let names = match table_of_part(name) {
        Some(table) => session.lock_names(&[(db, table), (db, name)])?,
        None => session.lock_names(&[(db, name)])?,
    };
    let work = match open(session, m, db, name)? {
        Ok(work) => work,
        Err(found) => return Ok(found),
    };
    let result = if m.kind == MaintainKind::Optimize {
        optimize(session, m, work)
    } else if m.quick && !m.use_frm && work.headless.is_none() {
        quick(session, m, work)
    } else {
        rewrite(session, m, work, Vec::new(), None)
    };
    drop(names);
    // LOCK TABLES goes on with the new files
    if session.temporary(db, name).is_none() && session.locks.is_taken(db, name) {
        session.relock(db, name)?;
    }
    result
}

/// Holds the table alone; says what is wrong with files that cannot be used.
fn open(
    session: &mut Session,
    m: &Maintain,
    db: &Arc<str>,
    name: &Arc<str>,
) -> SqlResult<Result<RepairJob, Found>> {
    let repair = m.kind == MaintainKind::Repair;
    let use_frm = m.use_frm && repair;
    let held = match session.temporary(db, name) {
        Some(table) => session.exclusive(&table).map(|guard| ExclusiveTable {
            table,
            guard,
            parts: Vec::new(),
            locked: false,
        }),
        None => session.exclusive_table(db, name),
    };
    let held = match held {
        Err(e) if repair && is_crashed(&e) => {
            OpenTable::open_crashed(session.engine.store(), db, name).map(Arc::new).and_then(|table| {
                session.exclusive(&table).map(|guard| ExclusiveTable {
                    table,
                    guard,
                    parts: Vec::new(),
                    locked: false,
                })
            })
        }
        other => other,
    };
    match held {
        Ok(held) => {
            // as `myisamchk` only repairs them
            held.table.check_writable()?;
            let rules = held.table.rules(&mut session.ctx)?;
            let table = held.table.stored();
            let (def, base) = (Arc::clone(&table.def), table.pages.base().to_owned());
            let format = match use_frm {
                true => by_definition(session, &def, db, name)?,
                false => with_bounds(session, &def, &table.format, (db, name))?,
            };
            let (db, name) = (Arc::clone(db), Arc::clone(name));
            Ok(Ok(RepairJob {
                db,
                name,
                def,
                format,
                held: Some(held),
                state: Vec::new(),
                base,
                rules,
                use_frm,
                headless: None,
            }))
        }
        // in use when its journal was lost: its rows are what its data file has
        Err(e) if repair && e.code == error::ER_OLD_KEYFILE => {
            tracing::warn!("table {db}.{name}: {}; the repair starts from its rows", e.message);
            from_files(session, db, name, true, e)
        }
        Err(e) if repair && is_about_files(&e) => from_files(session, db, name, use_frm, e),
        Err(e) if is_crashed(&e) => Ok(Err(vec![("Error", e.message), ("error", "Corrupt".into())])),
        Err(e) => Err(e),
    }
}

fn is_crashed(e: &SqlError) -> bool {
    matches!(e.code, 144 | 145 | error::ER_CRASHED_ON_USAGE | error::ER_CRASHED_ON_REPAIR)
}

/// Whether an error tells of files that are gone or spoilt.
pub(super) fn is_about_files(e: &SqlError) -> bool {
    use error as er;
    matches!(e.code, 29 | 126 | 127 | 130 | 190 | er::ER_FILE_NOT_FOUND | er::ER_NOT_FORM_FILE)
        || matches!(e.code, er::ER_NOT_KEYFILE | er::ER_OLD_KEYFILE | er::ER_GET_ERRNO)
}

/// The format of files that CREATE TABLE would make.
fn by_definition(session: &Session, def: &TableDef, db: &str, name: &str) -> SqlResult<Arc<TableFormat>> {
    let error = |e: Error| from_engine(&e, db, name);
    let header =
        Header::for_definition(def, &def.layout(), super::create_settings(session)).map_err(error)?;
    Ok(Arc::new(TableFormat::new(def, header).map_err(error)?))
}

/// A format whose bounds of a row's length are no narrower than those of the definition: where the head has others, by damage, sound
/// rows would be dropped for their length.
fn with_bounds(
    session: &Session,
    def: &TableDef,
    format: &Arc<TableFormat>,
    (db, name): (&str, &str),
) -> SqlResult<Arc<TableFormat>> {
    // a definition that CREATE TABLE would refuse has files all the same
    let Ok(by) = by_definition(session, def, db, name) else { return Ok(Arc::clone(format)) };
    let by = by.header.clone();
    let mut header = format.header.clone();
    let mended = header.mend_lengths(&by);
    let (base, by) = (&mut header.base, by.base);
    let bounded = base.min_pack_length <= by.min_pack_length && base.max_pack_length >= by.max_pack_length;
    if !mended && (format.layout.fixed || bounded) {
        return Ok(Arc::clone(format));
    }
    base.min_pack_length = base.min_pack_length.min(by.min_pack_length);
    base.max_pack_length = base.max_pack_length.max(by.max_pack_length);
    let format = TableFormat::new(def, header).map_err(|e| from_engine(&e, db, name))?;
    Ok(Arc::new(format))
}

/// A table whose files do not fit each other: `refused` is why it was not opened.
fn from_files(
    session: &mut Session,
    db: &Arc<str>,
    name: &Arc<str>,
    use_frm: bool,
    refused: SqlError,
) -> SqlResult<Result<RepairJob, Found>> {
    let store = Arc::clone(session.engine.store());
    let error = |e: Error| from_engine(&e, db, name);
    let schema::frm::Frm::Table(def) =
        crate::table::engine::read_definition(&store, db, name).map_err(error)?
    else {
        return Err(refused);
    };
    let def = Arc::new(*def);
    let base = crate::table::myisam::base_path(db, name);
    if store.storage().open(&store.datadir().join(with(&base, ".MYD")), OpenMode::Read).is_err() {
        let (kind, text) = match use_frm {
            true => ("Warning", "Can't open table".to_string()),
            false => ("Error", refused.message),
        };
        // without keys and rows there is nothing to begin with
        let end = match refused.code {
            error::ER_FILE_NOT_FOUND => ("status", "Operation failed".into()),
            _ => ("error", "Corrupt".into()),
        };
        return Ok(Err(vec![(kind, text), end]));
    }
    let (mut use_frm, mut headless) = (use_frm, None);
    let (format, state) = if use_frm {
        (by_definition(session, &def, db, name)?, Vec::new())
    } else {
        match StoredTable::read_head(&store, db, name, &def) {
            Ok((format, state)) => (with_bounds(session, &def, &Arc::new(format), (db, name))?, state),
            Err(e) => {
                let by = by_definition(session, &def, db, name)?;
                let damaged = match e {
                    Error::Format { .. } => true,
                    // as two different tables disagree in more
                    Error::Definition { .. } => {
                        let head = StoredTable::read_header(&store, db, name).map_err(error)?;
                        head.differences(&by.header) <= MOST_DIFFERENCES
                    }
                    _ => false,
                };
                if !damaged {
                    return Err(refused);
                }
                (use_frm, headless) = (true, Some(refused));
                (by, Vec::new())
            }
        }
    };
    let rules = match crate::table::rules::has_rules(&def) {
        true => Some(Arc::new(Rules::compile(&def, db, name, &mut session.ctx)?.0)),
        false => None,
    };
    let (db, name) = (Arc::clone(db), Arc::clone(name));
    Ok(Ok(RepairJob { db, name, def, format, held: None, state, base, rules, use_frm, headless }))
}

fn with(base: &Path, extension: &str) -> PathBuf {
    let mut path = base.as_os_str().to_owned();
    path.push(extension);
    PathBuf::from(path)
}

impl RepairJob {
    fn raw(&self, session: &Session) -> SqlResult<RawData> {
        let store = session.engine.store();
        let path = match &self.held {
            Some(held) => held.table.pages().paths().1.to_owned(),
            None => with(&self.base, ".MYD"),
        };
        let path = store.datadir().join(path);
        let failed = |e: std::io::Error| from_pages(&pages::Error::io(&path, "read", e), &self.name);
        let file = store.storage().open(&path, OpenMode::Read).map_err(failed)?;
        RawData::new(file, &path).map_err(failed)
    }

    /// Whether the definition, which is taken for want of a head, can be that of the data file.
    fn can_be_of(&self, raw: &RawData) -> bool {
        let mut scratch = Vec::new();
        let layout = &self.format.layout;
        let first =
            crate::table::PageSource::data(raw, 0, PACKED.len().min(raw.len() as usize), &mut scratch);
        first.is_ok_and(|first| first != PACKED)
            && (!layout.fixed || raw.len().is_multiple_of(layout.pack_reclength as u64))
    }

    /// The answer that leaves the files as they are.
    fn refused(self) -> SqlResult<Found> {
        let text = self.headless.map(|e| e.message).unwrap_or_default();
        Ok(vec![("Error", text), ("error", "Corrupt".into())])
    }

    /// Brings the files up to what readers see.
    fn flush_and_unguard(&mut self, session: &Session) -> SqlResult<()> {
        let Some(held) = &mut self.held else { return Ok(()) };
        let store = session.engine.store();
        session.with_wait_limit(&self.name, |wait_limit| {
            store.flush_and_unguard(held.guard.writer(), wait_limit)
        })
    }

    /// The state as the old files have it.
    fn state(&self) -> Vec<u8> {
        match &self.held {
            Some(held) => crate::table::PageSource::state(held.guard.working()).to_vec(),
            None => self.state.clone(),
        }
    }

    /// Rows as the old files count them.
    fn records(&self) -> u64 {
        match self.use_frm {
            true => 0,
            false => TableState::new(&self.state(), self.format.offsets).records(),
        }
    }

    /// Ends work that left the files in their place.
    fn finish(mut self, session: &mut Session) -> SqlResult<()> {
        let Some(held) = self.held.take() else { return Ok(()) };
        if held.locked {
            session.give_back(held);
            return Ok(());
        }
        let known = session.engine.catalog.open_tables().iter().any(|t| Arc::ptr_eq(t, &held.table));
        if known || held.table.temporary {
            return Ok(());
        }
        // it was opened for this statement only
        session.with_wait_limit(&self.name, |wait_limit| held.guard.detach(wait_limit))
    }

    /// Changes the table in its place; everything is undone after an error.
    fn in_place<T>(
        &mut self,
        session: &mut Session,
        f: impl FnOnce(&mut Writer<Held>, &mut Session, Option<&Rules>) -> Result<T, Error>,
    ) -> SqlResult<Result<T, Error>> {
        let Some(ExclusiveTable { table, guard, parts, locked }) = self.held.take() else {
            return Err(SqlError::internal("the table is not open"));
        };
        let mut writer = Writer::new(Arc::clone(&self.format), Held::Locked(guard));
        let result = f(&mut writer, session, self.rules.as_deref());
        let mut held = writer.into_store();
        let mut committed = Ok(());
        match &result {
            Ok(_) => committed = held.get_mut().commit().map(|_| ()),
            Err(_) => held.get_mut().rollback(),
        }
        if let Held::Locked(guard) = held {
            self.held = Some(ExclusiveTable { table, guard, parts, locked });
        }
        committed.map_err(|e| from_pages(&e, &self.name))?;
        self.flush_and_unguard(session)?;
        Ok(result)
    }
}

/// Whether there is something to count in the keys of a table. As in the reference server, which has no statistics of rectangles and
/// does not count disabled keys, there is always where these have none.
pub(crate) fn is_news_to_analyze(format: &TableFormat, state: &TableState<'_>) -> bool {
    state.changed() & changed::NOT_ANALYZED != 0
        || format.has_spatial_keys() && state.records() > 0
        || format.keys.iter().enumerate().any(|(n, key)| {
            let parts = key.first_part..key.first_part + key.defined_parts;
            !state.key_active(n) && parts.into_iter().any(|part| state.rec_per_key(part) == 0)
        })
}

/// OPTIMIZE: rows are moved together when there are gaps, index pages are put in order, statistics are counted.
fn optimize(session: &mut Session, m: &Maintain, mut work: RepairJob) -> SqlResult<Found> {
    work.flush_and_unguard(session)?;
    let format = Arc::clone(&work.format);
    let state = work.state();
    let state = TableState::new(&state, format.offsets);
    let marks = state.changed();
    let worn = state.del() > 0 || !format.layout.fixed && state.split() != state.records();
    // only new files are shorter than the old ones
    let lists = usize::from(format.header.max_block_size_index);
    let gaps = (0..lists).any(|list| state.key_del(list) != crate::table::myisam::NIL);
    if worn || gaps {
        return rewrite(session, m, work, Vec::new(), None);
    }
    let sort = marks & changed::NOT_SORTED_PAGES != 0;
    let count = is_news_to_analyze(&format, &state);
    if !sort && !count {
        work.finish(session)?;
        return Ok(vec![("status", "Table is already up to date".into())]);
    }
    let settings = crate::dml::bulk::sort_settings(session);
    let connection = Arc::clone(&session.connection);
    let result = work.in_place(session, |writer, _, _| {
        if sort {
            writer.sort_pages()?;
        }
        let mut kept = format.state(writer.store()).changed() & changed::NOT_OPTIMIZED_KEYS;
        if format.has_spatial_keys() {
            // their pages are never in order
            kept |= marks & changed::NOT_SORTED_PAGES;
        }
        writer.count_keys(&settings, &|| connection.killed())?;
        writer.finish_repair(now());
        let mut state = StateMut::new(crate::table::PageStore::state_mut(writer.store_mut()), format.offsets);
        state.set_changed(kept);
        Ok(())
    })?;
    let (db, name) = (Arc::clone(&work.db), Arc::clone(&work.name));
    work.finish(session)?;
    result.map_err(|e| from_engine(&e, &db, &name))?;
    Ok(vec![("status", "OK".into())])
}

/// What a repair leaves to be done, as in the reference server: keys that were not built by sorting are not counted.
fn left_by_repair(m: &Maintain, format: &TableFormat) -> u8 {
    match m.extended || format.keys.is_empty() || format.has_spatial_keys() {
        true => changed::NOT_SORTED_PAGES | changed::NOT_ANALYZED,
        false => changed::NOT_SORTED_PAGES,
    }
}

/// REPAIR QUICK: the rows stay where they are, unless something is wrong with them.
fn quick(session: &mut Session, m: &Maintain, mut work: RepairJob) -> SqlResult<Found> {
    work.flush_and_unguard(session)?;
    let format = Arc::clone(&work.format);
    let connection = Arc::clone(&session.connection);
    let raw = work.raw(session)?;
    let kill = || connection.killed();
    let failed = |e: Error, work: &RepairJob| from_engine(&e, &work.db, &work.name);
    let whole = match &work.held {
        Some(held) => crate::table::myisam::is_data_sound(&format, held.guard.working(), &kill)
            .map_err(|e| failed(e, &work))?,
        None => false,
    };
    let state = work.state();
    let state = TableState::new(&state, format.offsets);
    if !whole || state.data_file_length() != raw.len() {
        let (rows, damage) = look_over(&format, &raw, &kill).map_err(|e| failed(e, &work))?;
        let Some(note) = damage else { return rewrite(session, m, work, Vec::new(), None) };
        let told = vec![
            ("info", note.text),
            ("info", "Datafile is corrupted; Restart repair with option to copy datafile".into()),
        ];
        return rewrite(session, m, work, told, Some(rows));
    }
    let (rows, map) = (state.records(), state.key_map());
    let settings = crate::dml::bulk::sort_settings(session);
    let built = work.in_place(session, |writer, session, rules| {
        with_completer(rules, &mut session.ctx, |complete| {
            writer.build_keys(map, &settings, complete, &|| connection.killed())
        })?;
        writer.finish_repair(now());
        let mut state = StateMut::new(crate::table::PageStore::state_mut(writer.store_mut()), format.offsets);
        state.add_changed(left_by_repair(m, &format));
        Ok(())
    })?;
    match built {
        Ok(()) => {
            work.finish(session)?;
            Ok(vec![("status", "OK".into())])
        }
        Err(Error::Duplicate { .. }) => {
            let told = vec![(
                "error",
                "Quick-recover aborted; Run recovery without switch -q or with switch -qq".to_string(),
            )];
            rewrite(session, m, work, told, Some(rows))
        }
        // an index that cannot be used in its place is made anew
        Err(_) => rewrite(session, m, work, Vec::new(), None),
    }
}

/// Copies the rows into new files and replaces the old ones. `told` are the result rows of a first, quick attempt, which counted
/// `counted` rows.
fn rewrite(
    session: &mut Session,
    m: &Maintain,
    mut work: RepairJob,
    mut told: Found,
    counted: Option<u64>,
) -> SqlResult<Found> {
    let again = !told.is_empty();
    let (db, name) = (Arc::clone(&work.db), Arc::clone(&work.name));
    if let Err(e) = work.flush_and_unguard(session) {
        work.finish(session)?;
        return Err(e);
    }
    let raw = match work.raw(session) {
        Ok(raw) => raw,
        Err(e) => {
            work.finish(session)?;
            return Err(e);
        }
    };
    if work.headless.is_some() && !work.can_be_of(&raw) {
        return work.refused();
    }
    let first =
        if m.extended && m.kind == MaintainKind::Repair { CopyMode::RowByRow } else { CopyMode::Sorted };
    let result = match copy(session, m, &mut work, &raw, first) {
        Err(Error::Duplicate { .. }) => copy(session, m, &mut work, &raw, CopyMode::Checked),
        other => other,
    };
    let (new, copied) = match result {
        Ok(done) => done,
        Err(Error::Format { .. }) if work.headless.is_some() => return work.refused(),
        Err(e) => {
            work.finish(session)?;
            return Err(from_engine(&e, &db, &name));
        }
    };
    if work.headless.is_some() {
        told.push(("warning", HEADLESS.into()));
    }
    let before = match work.headless {
        Some(_) => copied.rows,
        None => counted.unwrap_or_else(|| work.records()),
    };
    put_in_place(session, work, &new)?;
    if told.first().is_some_and(|t| t.0 == "error")
        && let Some(note) = copied.notes.iter().find(|n| n.kind == NoteKind::Warning)
    {
        // the first attempt met this one
        told.insert(0, ("warning", note.text.clone()));
    }
    for Note { kind, text } in copied.notes {
        told.push(match (kind, again) {
            (NoteKind::Info, false) => ("info", text),
            (NoteKind::Info, true) => ("Note", text),
            (NoteKind::Warning, false) => ("warning", text),
            (NoteKind::Warning, true) => ("Warning", text),
        });
    }
    if copied.rows != before {
        let text = format!("Number of rows changed from {before} to {}", copied.rows);
        told.push((if again { "Warning" } else { "warning" }, text));
    }
    told.push(("status", "OK".into()));
    Ok(told)
}

/// Makes the new table beside the old one.
fn copy(
    session: &mut Session,
    m: &Maintain,
    work: &mut RepairJob,
    raw: &RawData,
    mode: CopyMode,
) -> Result<(NewTable, crate::table::myisam::Copied), Error> {
    let store = Arc::clone(session.engine.store());
    let db = Arc::clone(&work.db);
    let temporary = work.held.as_ref().is_some_and(|h| h.table.temporary);
    let folder = if temporary { crate::session::temporary::DIRECTORY } else { &db };
    let beside = super::scratch_table();
    let new = StoredTable::create_scratch(&store, (folder, &beside), &work.def, &work.format.header)?;
    let result = fill(session, m, work, raw, mode, &new);
    let result = match result {
        Ok((_, copied)) if work.headless.is_some() && !copied.notes.is_empty() => {
            Err(Error::Format { what: "the data file by the definition" })
        }
        other => other,
    };
    match result {
        Ok((state, copied)) => {
            store.detach(&new.pages)?;
            Ok((NewTable { table: new, state }, copied))
        }
        Err(e) => {
            let _ = store.detach(&new.pages);
            super::discard(session, folder, &beside);
            Err(e)
        }
    }
}

struct NewTable {
    table: Arc<StoredTable>,
    state: Vec<u8>,
}

fn fill(
    session: &mut Session,
    m: &Maintain,
    work: &mut RepairJob,
    raw: &RawData,
    mode: CopyMode,
    new: &StoredTable,
) -> Result<(Vec<u8>, crate::table::myisam::Copied), Error> {
    let connection = Arc::clone(&session.connection);
    let kill = || connection.killed();
    let sort = crate::dml::bulk::sort_settings(session);
    let timeout = std::time::Duration::from_secs(5);
    let writer = new.pages.write_lock(session.owner(), timeout, &|| false)?;
    let mut to = Writer::new(Arc::clone(&new.format), writer);
    let format: &TableFormat = &new.format;
    let state = work.state();
    let old = (!work.use_frm).then(|| TableState::new(&state, format.offsets));
    let key_map = match &old {
        Some(state) => state.key_map(),
        None => format.state(to.store()).key_map(),
    };
    let rows = old.as_ref().map(TableState::records);
    let kept = old.as_ref().map(|s| {
        let parts: usize = format.keys.iter().map(|k| k.defined_parts).sum();
        let counts: Vec<u32> = (0..parts).map(|p| s.rec_per_key(p)).collect();
        (s.auto_increment(), s.create_time(), s.version(), counts)
    });
    let copied = with_completer(work.rules.as_deref(), &mut session.ctx, |complete| {
        let options = CopyOptions { mode, key_map, rows, sort: &sort, complete, kill: &kill };
        copy_rows(format, raw, &mut to, &options)
    })?;
    if let Some((auto, created, version, counts)) = kept {
        to.raise_auto_increment(auto);
        let mut state = StateMut::new(crate::table::PageStore::state_mut(to.store_mut()), format.offsets);
        state.set_create_time(created);
        state.set_version(version);
        // what was known of keys that are disabled is known still; the values of words and rectangles ANALYZE alone counts
        for key in &format.keys {
            let counted = key.is_btree() && key_map >> key.number.min(63) & 1 == 1;
            for part in (key.first_part..key.first_part + key.defined_parts).filter(|_| !counted) {
                state.set_rec_per_key(part, counts.get(part).copied().unwrap_or(0));
            }
        }
    }
    if m.kind == MaintainKind::Optimize {
        to.sort_pages()?;
    }
    if mode == CopyMode::RowByRow {
        to.count_keys(&sort, &kill)?;
    }
    to.finish_repair(now());
    if m.kind == MaintainKind::Repair {
        let mut state = StateMut::new(crate::table::PageStore::state_mut(to.store_mut()), format.offsets);
        state.add_changed(left_by_repair(m, format));
    }
    let mut writer: TableWriter = to.into_store();
    writer.commit()?;
    let state = crate::table::PageSource::state(&writer).to_vec();
    Ok((state, copied))
}

/// The new files take the place of the old ones.
fn put_in_place(session: &mut Session, mut work: RepairJob, new: &NewTable) -> SqlResult<()> {
    let engine = Arc::clone(&session.engine);
    let plan = new.table.move_files(&work.base);
    let Some(ExclusiveTable { table: old, guard, .. }) = work.held.take() else {
        engine.catalog.forget(&work.db, &work.name);
        return engine.store().apply(plan).map_err(|e| from_pages(&e, &work.name));
    };
    let spec = new.table.format.spec(work.base, new.state.clone());
    // The guard keeps new readers out while the files change hands.
    let swapped = engine.store().replace_generation(guard.downgrade(), plan, spec);
    if !old.temporary {
        engine.catalog.forget(&old.db, &old.name);
    }
    let pages = swapped.map_err(|e| from_pages(&e, &old.name))?;
    if old.temporary {
        let table = StoredTable { def: Arc::clone(old.def()), format: Arc::clone(&new.table.format), pages };
        session.replace_temporary(&old, Arc::new(table));
    }
    Ok(())
}

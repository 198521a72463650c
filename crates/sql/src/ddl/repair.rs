//! REPAIR and OPTIMIZE TABLE: new files beside the old ones, put in their place under one journal record.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use isam::maintain::repair::{CopyMode, CopyOptions, Note, NoteKind, copy_rows, look_over};
use isam::maintain::salvage::RawData;
use isam::myi::{StateMut, changed};
use isam::{CrashMarks, Error, Table, TableFormat, Writer};
use pages::storage::OpenMode;
use pages::{ExclusiveGuard, TableWriter};

use super::drop::Alone;
use crate::ast::{Maintain, MaintainKind};
use crate::catalog::OpenTable;
use crate::catalog::failure::{from_isam, from_pages};
use crate::catalog::rules::{Rules, with_completer};
use crate::dml::target::Held;
use crate::error::{self, SqlError, SqlResult};
use crate::session::Session;
use crate::session::tables::Hold;

/// Type and text of each row of the answer.
type Found = Vec<(&'static str, String)>;

/// What a rewriting is to be done with.
struct Work {
    old: Arc<OpenTable>,
    /// The files of a table that cannot be opened are taken as they are.
    guard: Option<ExclusiveGuard>,
    locked: bool,
    rules: Option<Arc<Rules>>,
    use_frm: bool,
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
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
    let engine = Arc::clone(&session.engine);
    let names = session.define(&engine, &[(db, name)])?;
    let work = match open(session, m, db, name)? {
        Ok(work) => work,
        Err(found) => return Ok(found),
    };
    let result = if m.kind == MaintainKind::Optimize {
        optimize(session, m, work)
    } else if m.quick && !m.use_frm {
        quick(session, m, work)
    } else {
        rewrite(session, m, work, Vec::new(), None)
    };
    drop(names);
    // LOCK TABLES goes on with the new files
    let held = session.locks.write_entry(db, name).and_then(|e| e.hold.as_ref());
    if matches!(held, Some(Hold::Write(None))) {
        session.hold_again(db, name)?;
    }
    result
}

/// Holds the table alone; says what is wrong with files that cannot be used.
fn open(
    session: &mut Session,
    m: &Maintain,
    db: &Arc<str>,
    name: &Arc<str>,
) -> SqlResult<Result<Work, Found>> {
    let use_frm = m.use_frm && m.kind == MaintainKind::Repair;
    let held = match session.temporary(db, name) {
        Some(table) => exclusive(session, &table).map(|guard| Alone { table, guard, locked: false }),
        None => session.alone(db, name),
    };
    let held = match held {
        Err(e) if matches!(e.code, 144 | 145 | error::ER_CRASHED_ON_USAGE | error::ER_CRASHED_ON_REPAIR) => {
            let table = crate::admin::check::open_crashed(session, db, name)?;
            exclusive(session, &table).map(|guard| Alone { table, guard, locked: false })
        }
        other => other,
    };
    match held {
        Ok(Alone { table, guard, locked }) => {
            let rules = table.rules(&mut session.ctx)?;
            Ok(Ok(Work { old: table, guard: Some(guard), locked, rules, use_frm }))
        }
        Err(e) if use_frm && is_about_files(&e) => by_definition(session, db, name),
        // in use when its journal was lost: its rows are what its data file has
        Err(e) if m.kind == MaintainKind::Repair && e.code == error::ER_OLD_KEYFILE => {
            tracing::warn!("table {db}.{name}: {}; the repair starts from its rows", e.message);
            by_definition(session, db, name)
        }
        Err(e) if matches!(e.code, 29 | 130) => {
            Ok(Err(vec![("Error", e.message), ("error", "Corrupt".into())]))
        }
        Err(e) => Err(e),
    }
}

/// Whether an error tells of files that are gone or spoilt.
fn is_about_files(e: &SqlError) -> bool {
    use error as er;
    matches!(e.code, 29 | 126 | 127 | 130 | 190 | er::ER_FILE_NOT_FOUND | er::ER_NOT_FORM_FILE)
        || matches!(e.code, er::ER_NOT_KEYFILE | er::ER_OLD_KEYFILE | er::ER_GET_ERRNO)
}

fn exclusive(session: &Session, table: &OpenTable) -> SqlResult<ExclusiveGuard> {
    let connection = Arc::clone(&session.connection);
    table
        .pages()
        .exclusive(session.owner(), session.lock_timeout(), &|| connection.killed())
        .map_err(|e| from_pages(&e, &table.name))
}

/// A table of which only the definition and the rows are left: an index file is made for it.
fn by_definition(session: &mut Session, db: &Arc<str>, name: &Arc<str>) -> SqlResult<Result<Work, Found>> {
    let store = Arc::clone(session.engine.store());
    let error = |e: Error| from_isam(&e, db, name);
    let isam::frm::Frm::Table(def) = Table::read_definition(&store, db, name).map_err(error)? else {
        return Err(crate::catalog::failure::no_such_table(db, name));
    };
    let base = isam::table::base_path(db, name);
    let mut data = base.clone().into_os_string();
    data.push(".MYD");
    if store.storage().open(&store.datadir().join(data), OpenMode::Read).is_err() {
        return Ok(Err(vec![("Warning", "Can't open table".into()), ("error", "Corrupt".into())]));
    }
    let settings = super::create_settings(session);
    let (plan, _) = Table::new_files(&def, settings, pages::FilePlan::new(), &base, false).map_err(error)?;
    store.apply(plan.without("MYD")).map_err(|e| from_pages(&e, name))?;
    let table = Table::open_with(&store, db, name, Arc::new(*def), CrashMarks::Accept).map_err(error)?;
    let old = Arc::new(OpenTable::of_table(Arc::clone(db), Arc::clone(name), table, false));
    let guard = exclusive(session, &old)?;
    let rules = old.rules(&mut session.ctx)?;
    Ok(Ok(Work { old, guard: Some(guard), locked: false, rules, use_frm: true }))
}

impl Work {
    fn raw(&self, session: &Session) -> SqlResult<RawData> {
        let store = session.engine.store();
        let path = store.datadir().join(self.old.pages().paths().1);
        let failed = |e: std::io::Error| from_pages(&pages::Error::io(&path, "read", e), &self.old.name);
        let file = store.storage().open(&path, OpenMode::Read).map_err(failed)?;
        RawData::new(file, &path).map_err(failed)
    }

    fn guard(&mut self) -> SqlResult<&mut ExclusiveGuard> {
        self.guard.as_mut().ok_or_else(|| SqlError::internal("the lock is in use"))
    }

    /// Brings the files up to what readers see.
    fn make_clean(&mut self, session: &Session) -> SqlResult<()> {
        let name = Arc::clone(&self.old.name);
        let store = Arc::clone(session.engine.store());
        store.make_clean(self.guard()?.writer()).map_err(|e| from_pages(&e, &name))
    }

    /// Ends work that left the files in their place.
    fn finish(mut self, session: &mut Session) -> SqlResult<()> {
        let Some(guard) = self.guard.take() else { return Ok(()) };
        if self.locked {
            session.give_back(Alone { table: self.old, guard, locked: true });
            return Ok(());
        }
        let known = session.engine.catalog.open_tables().iter().any(|t| Arc::ptr_eq(t, &self.old));
        if known || self.old.temporary {
            return Ok(());
        }
        // it was opened for this statement only
        guard.detach().map_err(|e| from_pages(&e, &self.old.name))
    }

    /// Changes the table in its place; everything is undone after an error.
    fn in_place<T>(
        &mut self,
        session: &mut Session,
        f: impl FnOnce(&mut Writer<Held>, &mut Session, Option<&Rules>) -> isam::Result<T>,
    ) -> SqlResult<isam::Result<T>> {
        let guard = self.guard.take().ok_or_else(|| SqlError::internal("the lock is in use"))?;
        let mut writer = Writer::new(Arc::clone(&self.old.table.format), Held::Locked(guard));
        let result = f(&mut writer, session, self.rules.as_deref());
        let mut held = writer.into_store();
        let mut committed = Ok(());
        match &result {
            Ok(_) => committed = held.get_mut().commit().map(|_| ()),
            Err(_) => held.get_mut().rollback(),
        }
        if let Held::Locked(guard) = held {
            self.guard = Some(guard);
        }
        committed.map_err(|e| from_pages(&e, &self.old.name))?;
        self.make_clean(session)?;
        Ok(result)
    }
}

/// OPTIMIZE: rows are moved together when there are gaps, index pages are put in order, statistics are counted.
fn optimize(session: &mut Session, m: &Maintain, mut work: Work) -> SqlResult<Found> {
    work.make_clean(session)?;
    let format = Arc::clone(&work.old.table.format);
    let state = format.state(work.guard()?.working());
    let marks = state.changed();
    let worn = state.del() > 0 || !format.layout.fixed && state.split() != state.records();
    if worn {
        return rewrite(session, m, work, Vec::new(), None);
    }
    let sort = marks & changed::NOT_SORTED_PAGES != 0;
    let count = marks & changed::NOT_ANALYZED != 0;
    if !sort && !count {
        work.finish(session)?;
        return Ok(vec![("status", "Table is already up to date".into())]);
    }
    let settings = super::sort_settings(session);
    let connection = Arc::clone(&session.connection);
    let result = work.in_place(session, |writer, _, _| {
        if sort {
            writer.sort_pages()?;
        }
        let kept = format.state(writer.store()).changed() & changed::NOT_OPTIMIZED_KEYS;
        writer.finish_repair(&settings, now(), &|| connection.killed())?;
        let mut state = StateMut::new(isam::source::PageStore::state_mut(writer.store_mut()), format.offsets);
        state.set_changed(kept);
        Ok(())
    })?;
    let old = Arc::clone(&work.old);
    work.finish(session)?;
    result.map_err(|e| old.error(&e))?;
    Ok(vec![("status", "OK".into())])
}

/// REPAIR QUICK: the rows stay where they are, unless something is wrong with them.
fn quick(session: &mut Session, m: &Maintain, mut work: Work) -> SqlResult<Found> {
    work.make_clean(session)?;
    let format = Arc::clone(&work.old.table.format);
    let connection = Arc::clone(&session.connection);
    let raw = work.raw(session)?;
    let (rows, damage) = look_over(&format, &raw, &|| connection.killed()).map_err(|e| work.old.error(&e))?;
    if let Some(note) = damage {
        let told = vec![
            ("info", note.text),
            ("info", "Datafile is corrupted; Restart repair with option to copy datafile".into()),
        ];
        return rewrite(session, m, work, told, Some(rows));
    }
    let state = format.state(work.guard()?.working());
    let whole = state.records() == rows && state.data_file_length() == raw.len();
    let map = state.key_map();
    if !whole {
        return rewrite(session, m, work, Vec::new(), None);
    }
    let settings = super::sort_settings(session);
    let built = work.in_place(session, |writer, session, rules| {
        with_completer(rules, &mut session.ctx, |complete| {
            writer.build_keys(map, &settings, complete, &|| connection.killed())
        })?;
        writer.finish_repair(&settings, now(), &|| connection.killed())
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

/// Copies the rows into new files and puts them in the place of the old ones. `told` came before, in a first attempt that
/// counted `counted` rows.
fn rewrite(
    session: &mut Session,
    m: &Maintain,
    mut work: Work,
    mut told: Found,
    counted: Option<u64>,
) -> SqlResult<Found> {
    let again = !told.is_empty();
    let (db, name) = (Arc::clone(&work.old.db), Arc::clone(&work.old.name));
    if let Err(e) = work.make_clean(session) {
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
    let first =
        if m.extended && m.kind == MaintainKind::Repair { CopyMode::RowByRow } else { CopyMode::Sorted };
    let result = match copy(session, m, &mut work, &raw, first) {
        Err(Error::Duplicate { .. }) => copy(session, m, &mut work, &raw, CopyMode::Checked),
        other => other,
    };
    let (new, copied) = match result {
        Ok(done) => done,
        Err(e) => {
            work.finish(session)?;
            return Err(from_isam(&e, &db, &name));
        }
    };
    let before = match counted {
        Some(n) => n,
        None if work.use_frm => 0,
        None => {
            let format = Arc::clone(&work.old.table.format);
            format.state(work.guard()?.working()).records()
        }
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
    work: &mut Work,
    raw: &RawData,
    mode: CopyMode,
) -> isam::Result<(NewTable, isam::maintain::repair::Copied)> {
    let store = Arc::clone(session.engine.store());
    let old = Arc::clone(&work.old);
    let folder = if old.temporary { super::temporary::DIRECTORY } else { &old.db };
    let beside = super::scratch_table();
    let header = (!work.use_frm).then_some(&old.table.format.header);
    let settings = super::create_settings(session);
    let new = Table::create_beside(&store, (folder, &beside), old.def(), header, settings)?;
    let result = fill(session, m, work, raw, mode, &new);
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
    table: Arc<Table>,
    state: Vec<u8>,
}

fn fill(
    session: &mut Session,
    m: &Maintain,
    work: &mut Work,
    raw: &RawData,
    mode: CopyMode,
    new: &Table,
) -> isam::Result<(Vec<u8>, isam::maintain::repair::Copied)> {
    let connection = Arc::clone(&session.connection);
    let kill = || connection.killed();
    let sort = super::sort_settings(session);
    let timeout = std::time::Duration::from_secs(5);
    let writer = new.pages.write_lock(session.owner(), timeout, &|| false)?;
    let mut to = Writer::new(Arc::clone(&new.format), writer);
    let format: &TableFormat = &new.format;
    // rows are read as the new head says: that of the old file may be wrong
    let old = work.guard.as_ref().map(|g| work.old.table.format.state(g.working()));
    let key_map = match &old {
        Some(state) if !work.use_frm => state.key_map(),
        _ => format.state(to.store()).key_map(),
    };
    let kept = old.as_ref().filter(|_| !work.use_frm).map(|s| {
        let parts: usize = format.keys.iter().map(|k| k.segments.len()).sum();
        let counts: Vec<u32> = (0..parts).map(|p| s.rec_per_key(p)).collect();
        (s.auto_increment(), s.create_time(), s.version(), counts)
    });
    let copied = with_completer(work.rules.as_deref(), &mut session.ctx, |complete| {
        let options = CopyOptions { mode, key_map, sort: &sort, complete, kill: &kill };
        let copied = copy_rows(format, raw, &mut to, &options)?;
        if mode == CopyMode::Checked {
            to.build_keys(key_map, &sort, complete, &kill)?;
        }
        Ok::<_, Error>(copied)
    })?;
    if let Some((auto, created, version, counts)) = kept {
        to.raise_auto_increment(auto);
        let mut state = StateMut::new(isam::source::PageStore::state_mut(to.store_mut()), format.offsets);
        state.set_create_time(created);
        state.set_version(version);
        // what was known of keys that are disabled is known still
        for (part, count) in counts.into_iter().enumerate() {
            state.set_rec_per_key(part, count);
        }
    }
    if m.kind == MaintainKind::Optimize {
        to.sort_pages()?;
    }
    to.finish_repair(&sort, now(), &kill)?;
    if m.kind == MaintainKind::Repair {
        let mut state = StateMut::new(isam::source::PageStore::state_mut(to.store_mut()), format.offsets);
        state.add_changed(changed::NOT_SORTED_PAGES);
    }
    let mut writer: TableWriter = to.into_store();
    writer.commit()?;
    let state = isam::PageSource::state(&writer).to_vec();
    Ok((state, copied))
}

/// The new files take the place of the old ones.
fn put_in_place(session: &mut Session, mut work: Work, new: &NewTable) -> SqlResult<()> {
    let engine = Arc::clone(&session.engine);
    let old = Arc::clone(&work.old);
    let Some(guard) = work.guard.take() else { return Err(SqlError::internal("the lock is in use")) };
    let base = old.pages().base().to_owned();
    let plan = new.table.move_files(&base);
    let spec = new.table.format.spec(base, new.state.clone());
    // The guard keeps new readers out while the files change hands.
    let swapped = engine.store().replace_generation(guard.downgrade(), plan, spec);
    if !old.temporary {
        engine.catalog.forget(&old.db, &old.name);
    }
    let pages = swapped.map_err(|e| from_pages(&e, &old.name))?;
    if old.temporary {
        let table = Table { def: Arc::clone(old.def()), format: Arc::clone(&new.table.format), pages };
        session.replace_temporary(&old, Arc::new(table));
    }
    Ok(())
}

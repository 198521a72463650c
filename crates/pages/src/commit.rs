//! Commit: a journal record, slots, one store that publishes; and pruning of what nobody needs any more.
#![allow(unsafe_code)]

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::MutexGuard;

use crate::checkpoint::bound_session_pages;
use crate::core::Core;
use crate::error::{Error, ErrorKind, Result};
use crate::file::View;
use crate::journal::record::{Payload, Target};
use crate::options::{File, InjectedFault, Lsn};
use crate::prune::{Look, OldVersions};
use crate::table::{Chains, PagedTable, Place, overlap};
use crate::version::{Frame, UNRESOLVED, Version};
use crate::work::{PageBytes, Pool, WorkSet};
use crate::write::TableWriter;

/// What goes with a table's write lock from holder to holder.
pub(crate) struct WriterCore {
    pub(crate) work: WorkSet,
    pub(crate) pool: Pool,
    /// The working state.
    pub(crate) state: Vec<u8>,
    pub(crate) state_dirty: bool,
    pub(crate) published_index_len: u64,
    pub(crate) published_data_len: u64,
    payload: Payload,
    installed: Vec<Installed>,
    /// Counter as of the last record, and as of the record being built.
    logged_auto_increment: u64,
    logging_auto_increment: u64,
    pub(crate) old: OldVersions,
}

// SAFETY: pointers to versions of the table whose write lock the owner holds.
unsafe impl Send for WriterCore {}
// SAFETY: nothing is reached through a shared reference but working copies, see `work.rs`.
unsafe impl Sync for WriterCore {}

impl WriterCore {
    pub(crate) fn new(state: Vec<u8>, auto_increment: u64) -> WriterCore {
        WriterCore {
            work: WorkSet::default(),
            pool: Pool::default(),
            state,
            state_dirty: false,
            published_index_len: 0,
            published_data_len: 0,
            payload: Payload::default(),
            installed: Vec::new(),
            logged_auto_increment: auto_increment,
            logging_auto_increment: auto_increment,
            old: OldVersions::default(),
        }
    }

    pub(crate) fn is_dirty(&self) -> bool {
        self.state_dirty || !self.work.pages.is_empty() || self.work.big.is_some()
    }
}

impl PagedTable {
    /// Brings a writer's core up to what is published. The write lock is held.
    pub(crate) fn refresh(&self, core: &mut WriterCore) {
        core.published_index_len = self.layout.index_len(&core.state);
        core.published_data_len = self.layout.data_len(&core.state);
    }
}

/// A page about to be published, until the journal has it.
struct Installed {
    place: Place,
    version: NonNull<Version>,
    before: *mut Version,
    /// Appended in place: the version was there already.
    in_place: bool,
}

/// Publishes what the writers have, in one record. All or nothing; on error all are rolled back.
pub(crate) fn commit(writers: &mut [&mut TableWriter], kill: &dyn Fn() -> bool) -> Result<Lsn> {
    let Some(first) = writers.first() else {
        return Err(ErrorKind::Misuse("commit without a table").into());
    };
    let core = first.table().core.clone();
    let result = match &mut *writers {
        [one] => commit_one(&core, one, kill),
        many => commit_many(&core, many, kill),
    };
    if let Err(e) = &result {
        writers.iter_mut().for_each(|writer| writer.rollback());
        if matches!(e.kind(), ErrorKind::DiskFull { .. }) {
            // It frees what it can of the journal.
            core.ask_checkpoint();
        }
    }
    result
}

fn visible(core: &Core) -> Lsn {
    core.visible.load(Ordering::Acquire)
}

fn commit_one(core: &Arc<Core>, writer: &mut TableWriter, kill: &dyn Fn() -> bool) -> Result<Lsn> {
    if !drop_untouched(writer)? {
        return Ok(visible(core));
    }
    writer.prepare_commit(core.options.largest_record)?;
    core.throttle(kill)?;
    let table = writer.table().clone();
    let mut chains = [table.chains.lock()];
    let lsn = publish(core, &mut [writer], &mut chains)?;
    drop(chains);
    bound_session_pages(&table, writer.parts().1, kill);
    Ok(lsn)
}

fn commit_many(core: &Arc<Core>, writers: &mut [&mut TableWriter], kill: &dyn Fn() -> bool) -> Result<Lsn> {
    let mut dirty = Vec::new();
    for writer in writers {
        if !Arc::ptr_eq(&writer.table().core, core) {
            return Err(ErrorKind::Misuse("commit over several stores").into());
        }
        if drop_untouched(writer)? {
            dirty.push(&mut **writer);
        }
    }
    if dirty.is_empty() {
        return Ok(visible(core));
    }
    let limit = core.options.largest_record / dirty.len();
    for writer in &mut dirty {
        writer.prepare_commit(limit)?;
    }
    core.throttle(kill)?;
    dirty.sort_by_key(|writer| writer.table().id);
    let tables: Vec<Arc<PagedTable>> = dirty.iter().map(|writer| writer.table().clone()).collect();
    let mut chains: Vec<_> = tables.iter().map(|table| table.chains.lock()).collect();
    let lsn = publish(core, &mut dirty, &mut chains)?;
    drop(chains);
    for (table, writer) in tables.iter().zip(&mut dirty) {
        bound_session_pages(table, writer.parts().1, kill);
    }
    Ok(lsn)
}

/// Drops pages that were taken but not written. False: nothing changed.
fn drop_untouched(writer: &mut TableWriter) -> Result<bool> {
    let (table, core) = writer.parts();
    let table = table.clone();
    // SAFETY: the write lock is held.
    let (_, published) = unsafe { table.newest_state() };
    if core.state_dirty && core.state == published {
        core.state_dirty = false;
    }
    let data_len = table.layout.data_len(&core.state);
    let page_len = table.data.paging.page();
    let changes = |page: &crate::work::WorkPage| {
        let beyond = page.file == File::Data && page.page * page_len >= data_len;
        (page.fresh || !page.changes.is_empty()) && !beyond
    };
    if !core.state_dirty && core.work.big.is_none() && !core.work.pages.iter().any(changes) {
        core.work.clear(&mut core.pool);
        return Ok(false);
    }
    table.check_fault()?;
    table.check_replaced()?;
    let (old_index, old_data) = (table.layout.index_len(published), table.layout.data_len(published));
    let index_len = table.layout.index_len(&core.state);
    if index_len < old_index || data_len < old_data {
        return Err(ErrorKind::Misuse("a table's files never shrink within a generation").into());
    }
    for page in &core.work.pages {
        let PageBytes::Private(frame) = &page.bytes else { continue };
        if page.file == File::Index && page.page * 1024 + frame.header().len() as u64 > index_len {
            return Err(Error::corrupt(
                &table.index.path,
                page.page * 1024,
                "a block beyond the index length",
            ));
        }
    }
    table.guard()?;
    table.index.make_room(index_len)?;
    table.data.make_room(data_len)?;
    Ok(true)
}

fn publish(
    core: &Arc<Core>,
    writers: &mut [&mut TableWriter],
    chains: &mut [MutexGuard<'_, Chains>],
) -> Result<Lsn> {
    let mut payload = std::mem::take(&mut writers[0].parts().1.payload);
    let result = append(core, writers, chains, &mut payload);
    payload.0.clear();
    if payload.0.capacity() > 8 << 20 {
        payload = Payload::default();
    }
    writers[0].parts().1.payload = payload;
    for (writer, chains) in writers.iter_mut().zip(chains) {
        let (table, writer) = writer.parts();
        match &result {
            Ok((lsn, cycle)) => {
                count_changes(table, writer);
                finish_publish(table, writer, chains, *lsn, *cycle);
            }
            Err(_) => uninstall(table, writer),
        }
    }
    // Nobody has to wait until a record that says nothing is durable.
    let unjournaled = writers.iter().all(|writer| !writer.table().is_journaled());
    result.map(|(lsn, _)| if unjournaled { 0 } else { lsn })
}

fn count_changes(table: &PagedTable, writer: &WriterCore) {
    let mut pages = [0; 2];
    for installed in &writer.installed {
        if let Place::Page(file, _) = installed.place {
            pages[file as usize] += 1;
        }
    }
    table.requests.changed(File::Index, pages[File::Index as usize]);
    table.requests.changed(File::Data, pages[File::Data as usize]);
}

fn append(
    core: &Arc<Core>,
    writers: &mut [&mut TableWriter],
    chains: &mut [MutexGuard<'_, Chains>],
    payload: &mut Payload,
) -> Result<(Lsn, u32)> {
    for (writer, chains) in writers.iter_mut().zip(chains) {
        let (table, writer) = writer.parts();
        install(table, writer, chains)?;
    }
    loop {
        let cycle = core.journal.cycle();
        payload.0.clear();
        let spills = writers.iter().filter_map(|writer| writer.core().work.big.as_ref()?.sealed);
        let kind = payload.spills(spills);
        // Of tables in memory and of sessions the record says nothing: it gives their commit its place among the others.
        let journaled = |writer: &&mut &mut TableWriter| writer.table().is_journaled();
        payload.u32(writers.iter_mut().filter(journaled).count() as u32);
        for writer in writers.iter_mut().filter(journaled) {
            let (table, writer) = writer.parts();
            describe(table, writer, cycle, payload);
        }
        let done = core.journal.append(kind, &payload.0, Some(cycle), |tail, lsn| {
            for writer in writers.iter() {
                if writer.table().is_journaled()
                    && let Some(spill) = writer.core().work.big.as_ref().and_then(|big| big.spill.as_ref())
                {
                    tail.took_spill(lsn, spill.file(), core.fault_injected(InjectedFault::SpillFreedEarly));
                }
                writer.table().cell.store(lsn, Ordering::Release);
            }
            core.visible.store(lsn, Ordering::Release);
        })?;
        if let Some(lsn) = done {
            return Ok((lsn, cycle));
        }
    }
}

/// Puts the working copies into their slots. Nobody sees them before the cell is set.
fn install(table: &PagedTable, writer: &mut WriterCore, chains: &mut Chains) -> Result<()> {
    let (index_len, data_len) = (table.layout.index_len(&writer.state), table.layout.data_len(&writer.state));
    for (file, len) in [(&table.index, index_len), (&table.data, data_len)] {
        let old = file.grow(len).map_err(|e| Error::io(&file.path, "map", e))?;
        chains.old_views.extend(old);
    }
    // SAFETY: the chain lock is held.
    let (index, data) = unsafe { (table.index.view(), table.data.view()) };
    let data_page = table.data.paging.page();
    table.cell.store(UNRESOLVED, Ordering::Release);
    for at in 0..writer.work.pages.len() {
        let work = &writer.work.pages[at];
        let (file, page) = (work.file, work.page);
        let beyond = file == File::Data && page * data_page >= data_len;
        if beyond || (!work.fresh && work.changes.is_empty()) {
            continue;
        }
        let view = if file == File::Index { index } else { data };
        let place = Place::Page(file, page);
        let len = match &work.bytes {
            PageBytes::InPlace(version) => {
                let (version, before) = (*version, std::ptr::null_mut());
                writer.installed.push(Installed { place, version, before, in_place: true });
                continue;
            }
            PageBytes::Private(frame) => frame.header().len() as u64,
        };
        let units = units_of(file, page, len);
        let before = head_before(table, view, file, &units, |page| writer.work.find(file, page).is_some())?;
        let work = &mut writer.work.pages[at];
        let PageBytes::Private(frame) =
            std::mem::replace(&mut work.bytes, PageBytes::InPlace(NonNull::dangling()))
        else {
            continue;
        };
        let Some(version) = NonNull::new(frame.into_raw()) else { continue };
        work.bytes = PageBytes::InPlace(version);
        // SAFETY: the new version is ours; the one before lives while the locks are held.
        let (new, old) = unsafe { (version.as_ref(), before.as_ref()) };
        let cycle = if work.fresh { 0 } else { old.map_or(0, |old| old.cycle.load(Ordering::Relaxed)) };
        new.cycle.store(cycle, Ordering::Relaxed);
        new.set_prev(before);
        link(table, view, file, &units, version);
        writer.installed.push(Installed { place, version, before, in_place: false });
    }
    install_spilled(table, writer, index, data, data_len)?;
    if writer.state_dirty {
        let mut frame = writer.pool.take(writer.state.len());
        frame.bytes_mut().copy_from_slice(&writer.state);
        let before = table.state.load(Ordering::Relaxed);
        if let Some(version) = NonNull::new(frame.into_raw()) {
            // SAFETY: as above.
            let (new, old) = unsafe { (version.as_ref(), before.as_ref()) };
            new.cycle.store(old.map_or(0, |old| old.cycle.load(Ordering::Relaxed)), Ordering::Relaxed);
            new.set_prev(before);
            table.state.store(version.as_ptr(), Ordering::Release);
            writer.installed.push(Installed { place: Place::State, version, before, in_place: false });
        }
    }
    Ok(())
}

/// The slots that a page takes.
#[inline]
fn units_of(file: File, page: u64, len: u64) -> Range<u64> {
    match file {
        File::Index => page..page + (len / 1024).max(1),
        File::Data => page..page + 1,
    }
}

/// What is in the slot of a page that is about to be installed. `other`: does the statement itself have a page there?
///
/// # Errors
/// `Corrupt` when the page would lie over another one.
#[inline]
fn head_before(
    table: &PagedTable,
    view: &View,
    file: File,
    units: &Range<u64>,
    other: impl Fn(u64) -> bool,
) -> Result<*mut Version> {
    let overlapped = |page| Error::corrupt(&table.index.path, page * 1024, "index blocks overlap");
    let slot = |page| {
        view.slot(page).ok_or_else(|| Error::corrupt(&table.file(file).path, page, "no slot for a page"))
    };
    let before = slot(units.start)?.load(Ordering::Relaxed);
    if before == overlap() {
        return Err(overlapped(units.start));
    }
    for further in units.start + 1..units.end {
        let head = slot(further)?.load(Ordering::Relaxed);
        if !(head.is_null() || head == overlap()) || other(further) {
            return Err(overlapped(further));
        }
    }
    Ok(before)
}

/// Puts a version into its slot, and marks the further ones.
#[inline]
fn link(table: &PagedTable, view: &View, file: File, units: &Range<u64>, version: NonNull<Version>) {
    table.file(file).slots_used.fetch_max(units.end, Ordering::Relaxed);
    if let Some(slot) = view.slot(units.start) {
        slot.store(version.as_ptr(), Ordering::Release);
    }
    for slot in (units.start + 1..units.end).filter_map(|further| view.slot(further)) {
        slot.store(overlap(), Ordering::Release);
    }
}

/// Puts the pages of the spill file into their slots: versions whose bytes are in its mapping.
fn install_spilled(
    table: &PagedTable,
    writer: &mut WriterCore,
    index: &View,
    data: &View,
    data_len: u64,
) -> Result<()> {
    let WriterCore { work, installed, .. } = writer;
    let Some(spill) = work.big.as_ref().and_then(|big| big.spill.as_ref()) else { return Ok(()) };
    let keeper = spill.keeper();
    installed.reserve(spill.pages().size_hint().0);
    for (file, page, bytes) in spill.pages() {
        if file == File::Data && page * table.data.paging.page() >= data_len {
            continue;
        }
        let view = if file == File::Index { index } else { data };
        let units = units_of(file, page, bytes.len() as u64);
        let other = |page| work.find(file, page).is_some() || spill.contains(file, page);
        let before = head_before(table, view, file, &units, other)?;
        // SAFETY: the file is sealed, and the keeper is its mapping.
        let raw = unsafe { Frame::elsewhere(bytes.as_ptr(), bytes.len(), keeper.clone()) };
        let Some(version) = NonNull::new(raw) else { continue };
        // SAFETY: ours.
        unsafe { version.as_ref() }.set_prev(before);
        link(table, view, file, &units, version);
        installed.push(Installed { place: Place::Page(file, page), version, before, in_place: false });
    }
    Ok(())
}

/// The changes of a table, for the journal: whole images of pages met first in this cycle, else moves and ranges.
fn describe(table: &PagedTable, writer: &mut WriterCore, cycle: u32, payload: &mut Payload) {
    let counter = table.auto_increment().load(Ordering::Relaxed);
    writer.logging_auto_increment = counter;
    let place =
        payload.begin_table(table.id, if counter == writer.logged_auto_increment { 0 } else { counter });
    let mut entries = 0;
    let data_len = table.layout.data_len(&writer.state);
    let fault_injected = table.core.fault_injected(InjectedFault::RangesOnly);
    for installed in &writer.installed {
        // SAFETY: installed by us, over one that lives while the locks are held.
        let (version, before) = unsafe { (installed.version.as_ref(), installed.before.as_ref()) };
        let known = if installed.in_place { Some(version) } else { before };
        let image = version.cycle.load(Ordering::Relaxed) != cycle
            || known.is_some_and(|known| known.is_before_claim(table));
        let Place::Page(file, page) = installed.place else {
            // SAFETY: the state before lives while the locks are held.
            let before = unsafe { installed.before.as_ref().map(|old| old.slice(0, old.len())) };
            match before {
                Some(before) if !image => entries += describe_state(before, &writer.state, payload),
                _ => entries += payload.bytes(Target::State, 0, &writer.state),
            }
            continue;
        };
        let Some(at) = writer.work.find(file, page) else { continue };
        let work = &writer.work.pages[at];
        let (start, limit) = match file {
            File::Index => (page * 1024, version.len()),
            File::Data => {
                let start = page * table.data.paging.page();
                (start, (data_len - start).min(version.len() as u64) as usize)
            }
        };
        if image && (work.fresh || !fault_injected) {
            entries += payload.bytes(Target::File(file), start, work.bytes(0, limit));
            continue;
        }
        for moved in work.changes.moves() {
            entries += payload.moved(start, *moved);
        }
        for (from, to) in work.changes.ranges() {
            let to = to.min(limit);
            if from < to {
                entries +=
                    payload.bytes(Target::File(file), start + from as u64, work.bytes(from, to - from));
            }
        }
    }
    payload.end_table(place, entries);
}

/// Changed runs of the state.
fn describe_state(before: &[u8], after: &[u8], payload: &mut Payload) -> u32 {
    const STEP: usize = 8;
    let (mut entries, mut from, mut to) = (0, 0, 0);
    for (i, (old, new)) in before.chunks(STEP).zip(after.chunks(STEP)).enumerate() {
        if old == new {
            continue;
        }
        if i * STEP > to + STEP {
            entries +=
                if from < to { payload.bytes(Target::State, from as u64, &after[from..to]) } else { 0 };
            from = i * STEP;
        } else if from == to {
            from = i * STEP;
        }
        to = i * STEP + new.len();
    }
    entries + if from < to { payload.bytes(Target::State, from as u64, &after[from..to]) } else { 0 }
}

/// After publication: the versions learn their LSN, the checkpoint its pages, the pruning what was superseded.
fn finish_publish(table: &PagedTable, writer: &mut WriterCore, chains: &mut Chains, lsn: Lsn, cycle: u32) {
    for Installed { place, version, before, in_place } in writer.installed.drain(..) {
        // SAFETY: both live while the locks are held.
        let (new, old) = unsafe { (version.as_ref(), before.as_ref()) };
        new.changed.store(lsn, Ordering::Relaxed);
        new.cycle.store(cycle, Ordering::Relaxed);
        if !in_place {
            new.resolve(lsn);
        }
        let mut listed = new.listed.load(Ordering::Relaxed);
        if let Some(old) = old {
            listed |= old.listed.load(Ordering::Relaxed);
        }
        if let Some(old) = NonNull::new(before) {
            writer.old.superseded(place, old, lsn);
        }
        if let Place::Page(file, page) = place {
            if !listed {
                chains.dirty.push((file, page));
            }
            new.listed.store(true, Ordering::Relaxed);
        }
    }
    writer.logged_auto_increment = writer.logging_auto_increment;
    if let Some(big) = &mut writer.work.big {
        // That of a session's table may lose its name: the versions keep its mapping.
        if table.is_journaled()
            && let Some(spill) = &mut big.spill
        {
            spill.keep();
        }
        for file in [File::Index, File::Data] {
            table.file(file).disk_len.fetch_max(big.direct_end(file), Ordering::Relaxed);
        }
        if table.is_journaled() {
            table.core.ask_checkpoint();
        }
    }
    writer.work.clear(&mut writer.pool);
    writer.state_dirty = false;
    table.refresh(writer);
    table.last_commit.store(table.core.now(), Ordering::Relaxed);
    if writer.old.committed() {
        writer.prune(table, chains, Look::New);
    }
}

/// Takes the copies out of their slots again; the journal did not take the record.
fn uninstall(table: &PagedTable, writer: &mut WriterCore) {
    for Installed { place, version, before, in_place } in writer.installed.drain(..).rev() {
        if in_place {
            continue;
        }
        match place {
            Place::State => table.state.store(before, Ordering::Release),
            Place::Page(file, page) => {
                // SAFETY: the chain lock is held; the version was installed by us and lives.
                let (view, len) = unsafe { (table.file(file).view(), version.as_ref().len() as u64) };
                if let Some(slot) = view.slot(page) {
                    slot.store(before, Ordering::Release);
                }
                if file == File::Index && before.is_null() {
                    for slot in (page + 1..page + len / 1024).filter_map(|further| view.slot(further)) {
                        slot.store(std::ptr::null_mut(), Ordering::Release);
                    }
                }
            }
        }
        writer.old.retire(version);
    }
}

//! The checkpoint: brings committed pages into the table files, so that the journal can be freed.
//!
//! The checkpoint waits for pins, never for snapshots: a base page that a live snapshot may still need is first copied to the end
//! of the page's version chain. A written page leaves its slot once no snapshot needs an older version of it; until then it stays
//! there for a later round.
#![allow(unsafe_code)]

use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use parking_lot::MutexGuard;

use crate::base;
use crate::commit::WriterCore;
use crate::core::Core;
use crate::error::{Error, ErrorKind, Result};
use crate::files::{self, Keeping};
use crate::options::{File, InjectedFault, Lsn};
use crate::prune::{self, Look};
use crate::queue::KILL_CHECK;
use crate::registry::Live;
use crate::table::{Chains, PagedTable, Retired, overlap};
use crate::version::Version;
use crate::wait_limit::{WaitLimit, assert_unpinned};

/// Bytes copied under the chain lock at a time.
const BATCH: usize = 256 << 10;
/// Slots looked at under the chain lock at a time.
const CLEAR_BATCH: usize = 512;
/// A table is put off when pins last for so long: other tables' checkpoints wait meanwhile.
const PIN_WAIT: Duration = Duration::from_secs(1);

/// Waits until no other checkpoint runs.
pub(crate) fn lock_checkpoints<'c>(
    core: &'c Core,
    wait_limit: &WaitLimit<'_>,
) -> Result<MutexGuard<'c, Option<Lsn>>> {
    loop {
        if let Some(begun) = core.checkpointing.try_lock_for(KILL_CHECK) {
            return Ok(begun);
        }
        assert_unpinned();
        wait_limit.check()?;
    }
}

/// Waits until nobody is pinned any more who may hold pointers into base pages.
fn await_pins(core: &Core, wait_limit: &WaitLimit<'_>) -> Result<()> {
    assert_unpinned();
    let (mut grace, begun, mut nap) = (core.registry.grace(), Instant::now(), 50);
    while !grace.passed() {
        wait_limit.check()?;
        if begun.elapsed() > PIN_WAIT {
            return Err(ErrorKind::LockTimeout.into());
        }
        std::thread::sleep(Duration::from_micros(nap));
        nap = (nap * 2).min(1000);
    }
    Ok(())
}

/// A page as the checkpoint took it.
struct Taken {
    file: File,
    page: u64,
    version: *mut Version,
    changed: Lsn,
    offset: u64,
    from: usize,
    len: usize,
}

/// Brings all guarded tables up to date and frees the journal before. `idle`: tables without commits since that moment
/// (milliseconds, see [`Core::now`]) are made clean and unguarded as well.
pub(crate) fn checkpoint(
    core: &Core,
    tables: impl FnOnce() -> Vec<Arc<PagedTable>>,
    idle_since: Option<u64>,
    wait_limit: &WaitLimit<'_>,
) -> Result<()> {
    let mut begun = lock_checkpoints(core, wait_limit)?;
    let begin = {
        let mut unfinished = core.files.lock();
        // No checkpoint may pass a change of files that is not carried out: one that still cannot be gets another record.
        let finished = files::finish(core, &mut unfinished);
        if begun.is_none() || core.fault_injected(InjectedFault::BeginAgain) {
            let begin = core.journal.begin_checkpoint()?;
            if finished.is_err() && begin.is_some() {
                files::rejournal(core, &mut unfinished)?;
            }
            *begun = begin;
        }
        *begun
    };
    let mut failed = None;
    // Asked for after the begin: a table guarded before it must be among them.
    let tables = tables();
    let journaled = tables.iter().filter(|table| table.is_journaled());
    let pages = journaled.map(|table| table.chains.lock().dirty.len() as u64).sum();
    core.pace.begin(core.journal.used(), pages);
    prune::make_room(core, &tables);
    for table in &tables {
        let idle = idle_since.is_some_and(|since| table.last_commit.load(Ordering::Relaxed) <= since);
        if table.keeping == Keeping::Session && !table.is_stale() {
            // What it cannot write keeps no journal.
            if let Err(e) = empty(table, None, wait_limit) {
                tracing::info!("temporary table '{}': {e}", table.base.display());
            }
            continue;
        }
        let guarded = table.guarded.load(Ordering::Acquire) || (idle && table.has_stale_claim());
        if !guarded || table.is_stale() {
            continue;
        }
        let done = match idle.then(|| table.queue.try_acquire()).flatten() {
            Some(mut writer) => {
                let done = flush_and_unguard(table, &mut writer, wait_limit);
                table.queue.release(writer);
                done
            }
            None if begin.is_some() && table.guarded.load(Ordering::Acquire) => {
                flush(table, None, wait_limit)
            }
            None => Ok(()),
        };
        // Its files may have lost their names meanwhile.
        if let Err(e) = done
            && !table.forgotten.load(Ordering::Acquire)
        {
            if matches!(e.kind(), ErrorKind::LockTimeout | ErrorKind::Killed) {
                tracing::info!("checkpoint of '{}' put off: {e}", table.base.display());
            } else {
                tracing::error!("checkpoint of '{}': {e}", table.base.display());
            }
            failed = Some(e);
        }
    }
    let done = match (failed, begin) {
        (Some(e), _) => Err(e),
        (None, Some(begin)) => core.journal.end_checkpoint(begin),
        (None, None) => Ok(()),
    };
    if done.is_ok() {
        *begun = None;
        core.pace.ended.fetch_add(1, Ordering::Relaxed);
    }
    // The waiting look at the journal's size: only now is it smaller.
    core.pace.failing.store(done.is_err(), Ordering::Relaxed);
    core.checkpoint_done();
    done
}

/// Makes a table clean and unguarded on disk. The caller holds the write lock.
pub(crate) fn flush_and_unguard(
    table: &PagedTable,
    writer: &mut WriterCore,
    wait_limit: &WaitLimit<'_>,
) -> Result<()> {
    if !table.is_journaled() {
        return flush(table, Some(writer), wait_limit);
    }
    if !table.guarded.load(Ordering::Acquire) {
        return table.finish_unguard();
    }
    flush(table, Some(writer), wait_limit)?;
    table.cut()?;
    table.unguard()
}

/// After a commit to a session's table: brings its pages into its files when there are many. The caller holds the write lock, and no
/// chain lock.
#[inline]
pub(crate) fn bound_session_pages(table: &PagedTable, writer: &mut WriterCore, kill: &dyn Fn() -> bool) {
    if table.keeping != Keeping::Session {
        return;
    }
    let pages = {
        let chains = table.chains.lock();
        chains.dirty.len() + chains.written_back.len()
    };
    // There is room in the files: only impatience and a broken disk are left, and then they stay for the next commit.
    if pages >= table.core.options.session_pages
        && let Err(e) = empty(table, Some(writer), &WaitLimit::new(PIN_WAIT, kill))
    {
        tracing::info!("temporary table '{}': {e}", table.base.display());
    }
}

/// Brings the pages of a session's table into its files, unless somebody else is at it.
fn empty(table: &PagedTable, writer: Option<&mut WriterCore>, wait_limit: &WaitLimit<'_>) -> Result<()> {
    let Some(_alone) = table.emptying.try_lock() else { return Ok(()) };
    let untouched = {
        let chains = table.chains.lock();
        chains.dirty.is_empty() && chains.written_back.is_empty()
    };
    if untouched { Ok(()) } else { flush(table, writer, wait_limit) }
}

/// Writes the table's dirty pages and header, durably. `writer`: the write lock is held, so even the last page
/// of the data file may leave its slot.
fn flush(table: &PagedTable, mut writer: Option<&mut WriterCore>, wait_limit: &WaitLimit<'_>) -> Result<()> {
    let mut dirty = {
        let mut chains = table.chains.lock();
        clear_written_back(table, &mut chains, writer.as_deref_mut());
        std::mem::take(&mut chains.dirty)
    };
    dirty.sort_unstable();
    dirty.dedup();
    let mut taken = Vec::with_capacity(dirty.len());
    let result = write_pages(table, &dirty, &mut taken, wait_limit).and_then(|()| settle_files(table));
    match result {
        Ok(()) => {
            clear(table, &taken, writer);
            Ok(())
        }
        Err(e) => {
            // What was written may not have arrived: all of it is dirty again.
            let mut chains = table.chains.lock();
            for &(file, page) in &dirty {
                // SAFETY: the chain lock is held.
                if let Some(head) = unsafe { head(table, file, page) } {
                    head.listed.store(true, Ordering::Relaxed);
                    chains.dirty.push((file, page));
                }
            }
            Err(e)
        }
    }
}

/// # Safety
/// The chain lock is held for `'a`.
unsafe fn head<'a>(table: &PagedTable, file: File, page: u64) -> Option<&'a Version> {
    // SAFETY: under the chain lock views and heads are not replaced.
    let head = unsafe { table.file(file).view() }.slot(page)?.load(Ordering::Relaxed);
    if head == overlap() {
        return None;
    }
    // SAFETY: as above.
    unsafe { head.as_ref() }
}

fn write_pages(
    table: &PagedTable,
    dirty: &[(File, u64)],
    taken: &mut Vec<Taken>,
    wait_limit: &WaitLimit<'_>,
) -> Result<()> {
    let core = &table.core;
    let mut bytes = Vec::with_capacity(BATCH.min(dirty.len() * 8192));
    let mut live = Live::default();
    let mut next = 0;
    while next < dirty.len() {
        let first = taken.len();
        bytes.clear();
        let copied = {
            let mut chains = table.chains.lock();
            core.registry.live(table.id, &core.visible, &mut live);
            let mut copied = std::mem::take(&mut chains.grace_pending);
            while next < dirty.len() && bytes.len() < BATCH {
                let (file, page) = dirty[next];
                next += 1;
                copied |= take(table, &mut chains, &live, (file, page), &mut bytes, taken);
            }
            copied
        };
        let batch = &taken[first..];
        let Some(newest) = batch.iter().map(|page| page.changed).max() else { continue };
        // Write-ahead: nothing reaches a table file that the journal could still lose.
        if copied {
            // Readers that found the base page before the copy was linked may hold pointers into it.
            if let Err(e) = await_pins(core, wait_limit) {
                // The next round finds the copies made.
                table.chains.lock().grace_pending = true;
                return Err(e);
            }
        }
        if !core.fault_injected(InjectedFault::BaseFirst) && table.is_journaled() {
            core.journal.sync_to(newest)?;
        }
        for run in batch.chunk_by(|a, b| a.file == b.file && a.offset + a.len as u64 == b.offset) {
            let (Some(head), Some(last)) = (run.first(), run.last()) else { continue };
            let file = table.file(head.file);
            if table.is_journaled() {
                core.pace.wrote(run.len() as u64);
            }
            let end = last.offset + last.len as u64;
            let bytes_of_run = &bytes[head.from..last.from + last.len];
            file.write_pages(bytes_of_run, head.offset, &core.registry)?;
            table.requests.written(head.file, run.len() as u64);
            file.disk_len.fetch_max(end, Ordering::Relaxed);
        }
    }
    table.check_fault()
}

/// Copies a dirty page, and keeps its base page for those who still see it. True: somebody may hold pointers into the
/// base page.
fn take(
    table: &PagedTable,
    chains: &mut Chains,
    live: &Live,
    place: (File, u64),
    bytes: &mut Vec<u8>,
    taken: &mut Vec<Taken>,
) -> bool {
    let (file, page) = place;
    let offset = page * table.file(file).paging.page();
    // SAFETY: the chain lock is held by the caller.
    let (head, state) = unsafe { (head(table, file, page), table.newest_state().1) };
    let Some(head) = head else { return false };
    head.listed.store(false, Ordering::Relaxed);
    let len = match file {
        File::Index => head.len(),
        File::Data => head.len().min(table.layout.data_len(state).saturating_sub(offset) as usize),
    };
    let from = bytes.len();
    // SAFETY: published bytes; the chain lock keeps the version.
    bytes.extend_from_slice(unsafe { head.slice(0, len) });
    let changed = head.changed.load(Ordering::Relaxed);
    taken.push(Taken { file, page, version: ptr::from_ref(head).cast_mut(), changed, offset, from, len });
    base::keep(table, chains, live, place, head)
}

/// Makes both files durable, the header with them.
fn settle_files(table: &PagedTable) -> Result<()> {
    table.check_names()?;
    let (state, lsn) = {
        let _chains = table.chains.lock();
        // SAFETY: the chain lock is held.
        let (version, state) = unsafe { table.newest_state() };
        (state.to_vec(), version.changed.load(Ordering::Relaxed))
    };
    if !table.core.fault_injected(InjectedFault::BaseFirst) && table.is_journaled() {
        table.core.journal.sync_to(lsn)?;
    }
    if !table.core.fault_injected(InjectedFault::EndUnsynced) {
        table.data.file()?.sync().map_err(|e| Error::io(&table.data.path, "sync", e))?;
    }
    table.write_header(&state)
}

/// Takes written pages out of their slots, as far as nobody needs the versions.
fn clear(table: &PagedTable, taken: &[Taken], mut writer: Option<&mut WriterCore>) {
    for batch in taken.chunks(CLEAR_BATCH) {
        let mut chains = table.chains.lock();
        if let Some(writer) = writer.as_deref_mut() {
            writer.prune(table, &mut chains, Look::All);
        }
        let mut live = Live::default();
        table.core.registry.live(table.id, &table.core.visible, &mut live);
        for page in batch {
            // SAFETY: the chain lock is held.
            let Some(head) = (unsafe { head(table, page.file, page.page) }) else { continue };
            // Changed meanwhile: it is on the dirty list again.
            if ptr::from_ref(head).cast_mut() != page.version
                || head.changed.load(Ordering::Relaxed) != page.changed
            {
                continue;
            }
            clear_one(table, &mut chains, &live, (page.file, page.page), head, writer.is_some());
        }
        if let Some(writer) = writer.as_deref_mut() {
            writer.prune(table, &mut chains, Look::New);
        }
    }
}

/// Looks again at pages that were written by an earlier checkpoint.
fn clear_written_back(table: &PagedTable, chains: &mut Chains, writer: Option<&mut WriterCore>) {
    let held = writer.is_some();
    if let Some(writer) = writer {
        writer.prune(table, chains, Look::All);
    }
    let mut live = Live::default();
    table.core.registry.live(table.id, &table.core.visible, &mut live);
    for (file, page) in std::mem::take(&mut chains.written_back) {
        // SAFETY: the chain lock is held by the caller.
        if let Some(head) = unsafe { head(table, file, page) }
            && !head.listed.load(Ordering::Relaxed)
        {
            clear_one(table, chains, &live, (file, page), head, held);
        }
    }
}

fn clear_one(
    table: &PagedTable,
    chains: &mut Chains,
    live: &Live,
    place: (File, u64),
    head: &Version,
    held: bool,
) {
    let (file, page) = place;
    let paged = table.file(file);
    // SAFETY: the chain lock is held by the caller.
    let (view, state) = unsafe { (paged.view(), table.newest_state().1) };
    // Rows are appended to the last page in place: its frame stays while a writer may be at it.
    let data_len = table.layout.data_len(state);
    let last = file == File::Data
        && page == paged.paging.of(data_len)
        && !data_len.is_multiple_of(paged.paging.page());
    let needed = live.needs(0, head.lsn(&table.cell));
    if !head.prev().is_null() || needed || (last && !held) {
        if needed && !last {
            base::leave_to_file(table, chains, place);
        }
        chains.written_back.push(place);
        return;
    }
    let Some(slot) = view.slot(page) else { return };
    let version = slot.swap(ptr::null_mut(), Ordering::AcqRel);
    if file == File::Index {
        for slot in (page + 1..page + head.len() as u64 / 1024).filter_map(|further| view.slot(further)) {
            slot.store(ptr::null_mut(), Ordering::Release);
        }
    }
    chains.retired.extend(NonNull::new(version).map(Retired));
}

//! Base pages, the bytes in the table files, as versions: copied for old snapshots before they are overwritten, and
//! standing for a newest version that was written.
#![allow(unsafe_code)]

use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::map::ReadMap;
use crate::options::{File, Lsn};
use crate::prune::keep_copy;
use crate::registry::Live;
use crate::table::{Chains, PagedTable, Place, Retired, Superseded};
use crate::version::{Frame, Version};

/// Keeps the bytes of a version that lie in the base page: the mapping, even when the file has got a larger one.
struct BasePage {
    _map: Arc<ReadMap>,
}

fn is_base_page(version: &Version) -> bool {
    version.keeper().is_some_and(|keeper| keeper.is::<BasePage>())
}

/// The base page of a dirty page is about to be overwritten: copies it into the chain for snapshots that still see it. True:
/// wait for a grace period of pins first. Under the chain lock.
pub(crate) fn keep(
    table: &PagedTable,
    chains: &mut Chains,
    live: &Live,
    (file, page): (File, u64),
    head: &Version,
) -> bool {
    let mut newer = head;
    let (mut copied, mut stood) = (false, false);
    while let Some(at) = NonNull::new(newer.prev()) {
        // SAFETY: the chain lock keeps what is in the chain.
        let older = unsafe { at.as_ref() };
        let (from, until) = (older.lsn(&table.cell), newer.lsn(&table.cell));
        stood |= is_base_page(older);
        if !is_base_page(older) || !live.needs(from, until) {
            newer = older;
            continue;
        }
        // SAFETY: bytes of the base page, which only the checkpoint writes, and this is the checkpoint.
        let bytes = unsafe { older.slice(0, older.len()) };
        let Some(copy) = copy_of(table, chains, bytes, older.len(), from) else { break };
        copied = true;
        // SAFETY: just made.
        let version = unsafe { copy.as_ref() };
        version.set_prev(older.prev());
        newer.set_prev(copy.as_ptr());
        chains.replaced.insert(at.addr().get(), Retired(copy));
        chains.retired.push(Retired(at));
        newer = version;
    }
    // When the base page stood for a version, it was overwritten for that: what came before has its copy, or is not needed.
    let (paged, oldest) = (table.file(file), newer);
    let offset = page * paged.paging.page();
    let until = oldest.lsn(&table.cell);
    let disk_len = paged.disk_len.load(Ordering::Relaxed);
    if stood || until == 0 || offset >= disk_len || !live.needs(0, until) {
        return copied;
    }
    let kept = head.len().min((disk_len - offset) as usize);
    // SAFETY: the chain lock keeps the view; only the checkpoint writes base pages, and this is the checkpoint.
    let Some(base) = (unsafe { paged.view().mapped(offset, kept) }) else { return copied };
    if let Some(version) = copy_of(table, chains, base, head.len(), 0) {
        oldest.set_prev(version.as_ptr());
        chains.copied.push(Superseded { place: Place::Page(file, page), version, until });
        copied = true;
    }
    copied
}

fn copy_of(
    table: &PagedTable,
    chains: &mut Chains,
    bytes: &[u8],
    len: usize,
    lsn: Lsn,
) -> Option<NonNull<Version>> {
    let copy = keep_copy(&table.core, bytes, len)?;
    // SAFETY: just made.
    let version = unsafe { copy.as_ref() };
    version.resolve(lsn);
    let memory = version.memory() as u64;
    chains.copied_memory += memory;
    table.core.versions.account(0, memory);
    Some(copy)
}

/// The newest version of a page was written and must stay in its slot, because snapshots need older ones: its bytes are those of
/// the base page from now on. Not for a page that rows are appended to. Under the chain lock.
pub(crate) fn leave_to_file(table: &PagedTable, chains: &mut Chains, (file, page): (File, u64)) {
    let paged = table.file(file);
    // SAFETY: the chain lock keeps the view.
    let view = unsafe { paged.view() };
    let Some(slot) = view.slot(page) else { return };
    let Some(head) = NonNull::new(slot.load(Ordering::Relaxed)) else { return };
    // SAFETY: the chain lock keeps the head; the caller knows that it is a version.
    let version = unsafe { head.as_ref() };
    if is_base_page(version) {
        return;
    }
    // SAFETY: as above; the page was written.
    let bytes = unsafe { view.mapped(page * paged.paging.page(), version.len()) };
    let Some(bytes) = bytes else { return };
    let Some(map) = view.map() else { return };
    let keeper = Arc::new(BasePage { _map: map.clone() });
    // SAFETY: the keeper keeps the mapping; `keep` above sees to it that the bytes do not change under a reader.
    let standing = unsafe { Frame::elsewhere(bytes.as_ptr(), version.len(), keeper) };
    // SAFETY: just made.
    if let Some(new) = unsafe { standing.as_ref() } {
        new.resolve(version.lsn(&table.cell));
        new.set_prev(version.prev());
        new.changed.store(version.changed.load(Ordering::Relaxed), Ordering::Relaxed);
        new.cycle.store(version.cycle.load(Ordering::Relaxed), Ordering::Relaxed);
        slot.store(standing, Ordering::Release);
        chains.retired.push(Retired(head));
    }
}

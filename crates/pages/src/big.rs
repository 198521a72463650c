//! Statements whose changes do not fit into memory.
//!
//! Past a budget all working pages leave memory. A page that lies wholly beyond what is published (rows appended by a bulk load,
//! index blocks made anew) is written to its place in the table's file: nobody reads it before the commit raises the file's
//! length, no journal record speaks of it, as records never reach beyond the length that their own commit published and lengths
//! never shrink, and a crash before the commit leaves bytes that recovery cuts off. Its order ("fence"): guard durable before the
//! first such byte, the files durable before the record that raises the length. All other pages go to the statement's spill file.

use std::sync::atomic::Ordering;

use crate::changes::ENTRY_HEAD;
use crate::commit::WriterCore;
use crate::error::{Error, Result};
use crate::files::Keeping;
use crate::journal::record::SpillRef;
use crate::options::{Durability, File, InjectedFault};
use crate::spill::Spill;
use crate::table::PagedTable;
use crate::work::{PageBytes, WorkPage};
use crate::write::TableWriter;

/// Bytes written to a table file at a time.
const BATCH: usize = 1 << 20;
/// A spill file larger than this is made durable before its commit takes any lock, so that other commits' syncs need not wait.
const SYNC_ALONE: u64 = 16 << 20;

/// What has left memory.
#[derive(Default)]
pub(crate) struct EvictedPages {
    pub(crate) spill: Option<Spill>,
    pub(crate) sealed: Option<SpillRef>,
    /// Per file: bytes `[from, to)` that were written to their place.
    direct: [(u64, u64); 2],
}

impl EvictedPages {
    /// End of what was written to its place.
    pub(crate) fn direct_end(&self, file: File) -> u64 {
        self.direct[file as usize].1
    }

    fn is_direct(&self, file: File, from: u64, to: u64) -> bool {
        let (start, end) = self.direct[file as usize];
        from >= start && to <= end
    }
}

impl EvictedPages {
    /// After a rollback: cuts off what was written beyond the table's end.
    pub(crate) fn undo(self, table: &PagedTable, state: &[u8]) {
        let ends = [table.layout.index_len(state), table.layout.data_len(state)];
        for (which, end) in [File::Index, File::Data].into_iter().zip(ends) {
            if self.direct_end(which) == 0 {
                continue;
            }
            let file = table.file(which);
            // Pages below may be on their way from a checkpoint; none lies beyond.
            if let Err(e) = file.set_len(end) {
                tracing::warn!("after a rollback: {e}");
                file.to_cut.store(true, Ordering::Release);
            }
        }
    }
}

impl PagedTable {
    /// Cuts off what a rolled back statement could not, and gives back room that was claimed for more. The write lock is held.
    pub(crate) fn cut(&self) -> Result<()> {
        for which in [File::Index, File::Data] {
            let file = self.file(which);
            let _chains = self.chains.lock();
            // SAFETY: the chain lock is held.
            #[allow(unsafe_code)]
            let (_, state) = unsafe { self.newest_state() };
            let end = match which {
                File::Index => self.layout.index_len(state),
                File::Data => self.layout.data_len(state),
            };
            if !(file.to_cut.load(Ordering::Acquire) || file.has_spare_room(end)) {
                continue;
            }
            file.set_len(end)?;
            file.to_cut.store(false, Ordering::Release);
        }
        Ok(())
    }
}

/// Where an evicted page goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EvictTo {
    Direct,
    Spill,
    /// It stays: the end of the file, or beyond.
    Stay,
}

impl TableWriter {
    /// Before a page is added: evicts when the working pages have outgrown their budget.
    #[inline]
    pub(crate) fn make_room(&mut self) -> Result<()> {
        let work = &self.core().work;
        let fits = work.resident < self.table().core.options.statement_memory.max(work.evict_at);
        if fits || work.has_marks() || self.table().keeping == Keeping::Memory {
            return Ok(());
        }
        self.evict()?;
        let budget = self.table().core.options.statement_memory;
        let work = &mut self.parts().1.work;
        // What had to stay does not count.
        work.evict_at = work.resident + budget;
        Ok(())
    }

    /// Sends all working pages out of memory but those that have to stay.
    pub(crate) fn evict(&mut self) -> Result<()> {
        let (table, core) = self.parts();
        let table = table.clone();
        let (old_index, old_data) = (core.published_index_len, core.published_data_len);
        let (new_index, new_data) = (table.layout.index_len(&core.state), table.layout.data_len(&core.state));
        let data_page = table.data.paging.page();
        let way = |page: &WorkPage| {
            let PageBytes::Private(frame) = &page.bytes else { return EvictTo::Stay };
            let (unit, old, new) = match page.file {
                File::Index => (1024, old_index, new_index),
                File::Data => (data_page, old_data, new_data),
            };
            let start = page.page * unit;
            match start + frame.header().len() as u64 <= new {
                true if start >= old => EvictTo::Direct,
                true => EvictTo::Spill,
                false => EvictTo::Stay,
            }
        };
        let changed = |page: &WorkPage| page.fresh || !page.changes.is_empty();
        let mut order: Vec<(EvictTo, usize)> = core.work.pages.iter().map(way).zip(0..).collect();
        order.retain(|&(way, at)| way != EvictTo::Stay && changed(&core.work.pages[at]));
        order.sort_unstable_by_key(|&(_, at)| (core.work.pages[at].file, core.work.pages[at].page));
        let of = |wanted: EvictTo| order.iter().filter(move |&&(way, _)| way == wanted).map(|&(_, at)| at);
        let direct: Vec<usize> = of(EvictTo::Direct).collect();
        if !direct.is_empty() {
            // Nothing may be written to a table that other programs take for clean.
            if !table.core.fault_injected(InjectedFault::BulkUnguarded) {
                table.guard()?;
            }
            write_direct(&table, core, &direct)?;
        }
        if of(EvictTo::Spill).next().is_some() {
            let work = &mut core.work;
            let big = work.big.get_or_insert_default();
            let spill = match &mut big.spill {
                Some(spill) => spill,
                none => none.insert(Spill::create(&table)?),
            };
            let pages = &work.pages;
            spill.write(of(EvictTo::Spill).map(|at| {
                let page = &pages[at];
                (page.file, page.page, page.bytes(0, page.len()))
            }))?;
        }
        core.work.retain(&mut core.pool, |page| way(page) == EvictTo::Stay);
        Ok(())
    }

    /// An index block that was evicted.
    pub(crate) fn evicted_block(&self, offset: u64, len: usize) -> Result<Option<&[u8]>> {
        let Some(big) = &self.core().work.big else { return Ok(None) };
        let page = offset / 1024;
        let found = match big.spill.as_ref().and_then(|spill| spill.page(File::Index, page)) {
            Some(bytes) => Some(bytes),
            None if big.is_direct(File::Index, offset, offset + len as u64) => {
                self.written(File::Index, offset, len)
            }
            None => return Ok(None),
        };
        match found {
            Some(bytes) if bytes.len() == len && offset.is_multiple_of(1024) => Ok(Some(bytes)),
            _ => Err(self.wrong_block(offset, len)),
        }
    }

    /// A page of the data file that was evicted.
    pub(crate) fn evicted_data(&self, page: u64) -> Option<&[u8]> {
        let big = self.core().work.big.as_ref()?;
        if let Some(bytes) = big.spill.as_ref().and_then(|spill| spill.page(File::Data, page)) {
            return Some(bytes);
        }
        let page_len = self.table().data.paging.page();
        let start = page * page_len;
        if !big.is_direct(File::Data, start, start + page_len) {
            return None;
        }
        self.written(File::Data, start, page_len as usize)
    }

    /// Bytes that the changes would take in the journal.
    fn weight(&self) -> usize {
        let table = self.table();
        let cycle = table.core.journal.cycle();
        let published = self.published();
        let _chains = table.chains.lock();
        let pages = self.core().work.pages.iter();
        pages
            .map(|page| {
                let logged = !page.fresh && published.logged_in(page.file, page.page, cycle);
                if logged { page.changes.journal_bytes() } else { page.len() + ENTRY_HEAD }
            })
            .sum()
    }

    /// Bytes of a file beyond what is published.
    #[allow(unsafe_code)]
    fn written(&self, file: File, offset: u64, len: usize) -> Option<&[u8]> {
        // SAFETY: the write lock is held, so that the view stays; only this statement writes these bytes, through &mut self.
        unsafe { self.table().file(file).view().mapped(offset, len) }
    }

    /// Before the commit: what is too much for the journal leaves memory, and what has left it is made ready.
    pub(crate) fn prepare_commit(&mut self, record_limit: usize) -> Result<()> {
        let journaled = self.table().is_journaled();
        let work = &self.core().work;
        let heavy =
            work.big.is_some() || (journaled && work.resident > record_limit && self.weight() > record_limit);
        if !heavy {
            return Ok(());
        }
        // Without a journal what is in memory may stay there for now.
        if journaled {
            self.evict()?;
        }
        let (table, core) = self.parts();
        let table = table.clone();
        let WriterCore { work, state, .. } = core;
        let (index_len, data_len) = (table.layout.index_len(state), table.layout.data_len(state));
        let resident: Vec<(File, u64)> = work.pages.iter().map(|page| (page.file, page.page)).collect();
        let Some(big) = &mut work.big else { return Ok(()) };
        for (file, len) in [(&table.index, index_len), (&table.data, data_len)] {
            let which = if std::ptr::eq(file, &table.index) { File::Index } else { File::Data };
            let end = big.direct_end(which);
            if end == 0 {
                continue;
            }
            if end > len {
                file.set_len(len)?;
            }
            if !journaled || table.core.fault_injected(InjectedFault::BulkUnsynced) {
                continue;
            }
            // Under every durability: the record must not outlive the bytes.
            file.file()?.sync().map_err(|e| Error::io(&file.path, "sync", e))?;
        }
        let Some(spill) = &mut big.spill else { return Ok(()) };
        for (file, page) in resident {
            spill.forget(file, page);
        }
        if !journaled {
            return Ok(());
        }
        let data_page = table.data.paging.page();
        let sealed = spill.seal(table.id, |file, page, len| match file {
            File::Index => (page * 1024, len),
            File::Data => {
                let start = page * data_page;
                (start, data_len.saturating_sub(start).min(len as u64) as usize)
            }
        })?;
        big.sealed = Some(sealed);
        if table.core.durability() != Durability::None && spill.bytes_written() > SYNC_ALONE {
            spill.file().sync()?;
        }
        Ok(())
    }
}

/// Writes pages to their places in the table's files.
fn write_direct(table: &PagedTable, core: &mut WriterCore, pages: &[usize]) -> Result<()> {
    let starts = [core.published_index_len, core.published_data_len];
    let work = &mut core.work;
    let big = work.big.get_or_insert_default();
    let (mut buffer, mut at, mut open) = (Vec::new(), 0, File::Index);
    let flush = |buffer: &mut Vec<u8>, file: File, at: u64| {
        if !buffer.is_empty() {
            table.file(file).write_pages(buffer, at, &table.core.registry)?;
            buffer.clear();
        }
        Ok::<(), Error>(())
    };
    for &page in pages {
        let page = &work.pages[page];
        let bytes = page.bytes(0, page.len());
        let offset = page.page * table.file(page.file).paging.page();
        let (from, to) = &mut big.direct[page.file as usize];
        if *to == 0 {
            *from = starts[page.file as usize];
        }
        *to = (*to).max(offset + bytes.len() as u64);
        if page.file != open || offset != at + buffer.len() as u64 || buffer.len() >= BATCH {
            flush(&mut buffer, open, at)?;
            (at, open) = (offset, page.file);
        }
        buffer.extend_from_slice(bytes);
    }
    flush(&mut buffer, open, at)?;
    let mut chains = table.chains.lock();
    for (file, (_, to)) in [&table.index, &table.data].into_iter().zip(big.direct) {
        let old = file.grow(to).map_err(|e| Error::io(&file.path, "map", e))?;
        chains.old_views.extend(old);
    }
    Ok(())
}

//! The working set of a writer: private copies of pages, the ranges written in them, and the way back to a mark.

use std::collections::HashMap;
use std::ptr::NonNull;

use crate::big::EvictedPages;
use crate::changes::Changes;
use crate::options::{File, Injected, InjectedFault};
use crate::version::{Frame, Version};

/// Where a working page's bytes are.
pub(crate) enum PageBytes {
    /// In a frame of the writer's own.
    Private(Frame),
    /// Beyond the published length, in the newest published frame: appended in place.
    InPlace(NonNull<Version>),
}

// SAFETY: the version is kept by the write lock, which the owner of the working set holds; see `version.rs`.
#[allow(unsafe_code)]
unsafe impl Send for PageBytes {}
// SAFETY: as above; through a shared reference bytes are only read.
#[allow(unsafe_code)]
unsafe impl Sync for PageBytes {}

/// A page in work.
pub(crate) struct WorkPage {
    pub(crate) file: File,
    pub(crate) page: u64,
    pub(crate) bytes: PageBytes,
    pub(crate) changes: Changes,
    /// All of it is to be journaled: it did not come from an older version.
    pub(crate) fresh: bool,
}

/// Frames for reuse, by length.
#[derive(Default)]
pub(crate) struct Pool {
    classes: Vec<(usize, Vec<Frame>)>,
    bytes: usize,
}

impl Pool {
    const LIMIT: usize = 4 << 20;

    /// A frame with any bytes.
    pub(crate) fn take(&mut self, len: usize) -> Frame {
        for (class, frames) in &mut self.classes {
            if *class == len {
                if let Some(mut frame) = frames.pop() {
                    self.bytes -= len;
                    frame.reset();
                    return frame;
                }
                break;
            }
        }
        Frame::new(len)
    }

    /// Has the processor fetch so many frames that are taken next.
    pub(crate) fn prefetch(&self, frames: usize, len: usize) {
        if let Some((_, all)) = self.classes.iter().find(|(class, _)| *class == len) {
            all.iter().rev().take(frames).for_each(|frame| frame.prefetch(len));
        }
    }

    pub(crate) fn give(&mut self, frame: Frame) {
        let len = frame.header().len();
        if self.bytes + len > Pool::LIMIT || !frame.is_own() {
            return;
        }
        self.bytes += len;
        match self.classes.iter_mut().find(|(class, _)| *class == len) {
            Some((_, frames)) => frames.push(frame),
            None => self.classes.push((len, vec![frame])),
        }
    }
}

struct UndoEntry {
    page: u32,
    at: u32,
    len: u32,
}

struct SavepointRecord {
    pages: usize,
    undo: usize,
    state_at: usize,
    /// Bytes of the data file that mattered at the mark; what lies beyond needs no undoing.
    data_len: u64,
}

/// A place to come back to within a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Savepoint(usize);

const FEW: usize = 12;

/// Pages in work, found by (file, page).
#[derive(Default)]
pub(crate) struct WorkSet {
    keys: Vec<u64>,
    pub(crate) pages: Vec<WorkPage>,
    index: HashMap<u64, u32, foldhash::fast::FixedState>,
    undo: Vec<UndoEntry>,
    undo_bytes: Vec<u8>,
    marks: Vec<SavepointRecord>,
    mark_states: Vec<u8>,
    /// Bytes of private copies.
    pub(crate) resident: usize,
    /// Not to evict before there are as many.
    pub(crate) evict_at: usize,
    /// What has left memory.
    pub(crate) big: Option<Box<EvictedPages>>,
}

fn key(file: File, page: u64) -> u64 {
    page << 1 | (file == File::Data) as u64
}

impl WorkSet {
    #[inline]
    pub(crate) fn find(&self, file: File, page: u64) -> Option<usize> {
        let key = key(file, page);
        if self.keys.len() <= FEW {
            return self.keys.iter().rposition(|&k| k == key);
        }
        if self.keys.last() == Some(&key) {
            return Some(self.keys.len() - 1);
        }
        self.index.get(&key).map(|&i| i as usize)
    }

    pub(crate) fn add(&mut self, page: WorkPage) -> usize {
        let key = key(page.file, page.page);
        let at = self.keys.len();
        self.resident += page.private_len();
        self.keys.push(key);
        self.pages.push(page);
        if at == FEW {
            self.index.clear();
            self.index.extend(self.keys.iter().enumerate().map(|(i, &k)| (k, i as u32)));
        } else if at > FEW {
            self.index.insert(key, at as u32);
        }
        at
    }

    /// Keeps what a write is about to replace, if a mark needs it. `offset`: of the page in its file.
    #[inline]
    pub(crate) fn before_write(&mut self, page: usize, offset: u64, at: usize, len: usize) {
        if let Some(mark) = self.marks.last()
            && page < mark.pages
        {
            let work = &self.pages[page];
            if work.file == File::Data && offset + at as u64 >= mark.data_len {
                return;
            }
            self.undo.push(UndoEntry { page: page as u32, at: at as u32, len: len as u32 });
            let bytes = work.bytes(at, len);
            self.undo_bytes.extend_from_slice(bytes);
        }
    }

    pub(crate) fn mark(&mut self, state: &[u8], data_len: u64) -> Savepoint {
        let state_at = self.mark_states.len();
        self.mark_states.extend_from_slice(state);
        self.marks.push(SavepointRecord {
            pages: self.pages.len(),
            undo: self.undo.len(),
            state_at,
            data_len,
        });
        Savepoint(self.marks.len() - 1)
    }

    /// Back to the mark; `state` gets the state of then. False: the mark is void.
    pub(crate) fn rollback_to(
        &mut self,
        mark: Savepoint,
        state: &mut [u8],
        pool: &mut Pool,
        fault: Injected,
    ) -> bool {
        let Some(record) = self.marks.get(mark.0) else { return false };
        let (pages, undo, state_at) = (record.pages, record.undo, record.state_at);
        for entry in self.undo.drain(undo..).rev() {
            let from = self.undo_bytes.len() - entry.len as usize;
            // Pages made after the mark go anyway; entries of theirs belong to later marks.
            if let Some(page) = self.pages.get_mut(entry.page as usize) {
                let (at, bytes) = (entry.at as usize, &self.undo_bytes[from..]);
                page.write(at, bytes);
                if !fault.is(InjectedFault::UndoneMoves) {
                    page.changes.undone(at, at + bytes.len());
                }
            }
            self.undo_bytes.truncate(from);
        }
        self.truncate(pages, pool);
        state.copy_from_slice(&self.mark_states[state_at..state_at + state.len()]);
        self.mark_states.truncate(state_at + state.len());
        self.marks.truncate(mark.0 + 1);
        true
    }

    pub(crate) fn release(&mut self, mark: Savepoint) {
        if let Some(record) = self.marks.get(mark.0) {
            self.mark_states.truncate(record.state_at);
            self.marks.truncate(mark.0);
        }
        if self.marks.is_empty() {
            self.undo.clear();
            self.undo_bytes.clear();
        }
    }

    fn truncate(&mut self, pages: usize, pool: &mut Pool) {
        for page in self.pages.drain(pages..) {
            self.resident -= page.private_len();
            if let PageBytes::Private(frame) = page.bytes {
                pool.give(frame);
            }
        }
        if self.keys.len() > FEW {
            if pages <= FEW {
                self.index.clear();
            } else {
                for key in &self.keys[pages..] {
                    self.index.remove(key);
                }
            }
        }
        self.keys.truncate(pages);
    }

    /// May a mark be gone back to?
    pub(crate) fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Keeps the pages that `stays` says; there are no marks.
    pub(crate) fn retain(&mut self, pool: &mut Pool, stays: impl Fn(&WorkPage) -> bool) {
        debug_assert!(self.marks.is_empty());
        let pages = std::mem::take(&mut self.pages);
        self.keys.clear();
        self.index.clear();
        self.resident = 0;
        for page in pages {
            if stays(&page) {
                self.add(page);
            } else if let PageBytes::Private(frame) = page.bytes {
                pool.give(frame);
            }
        }
    }

    /// Forgets everything. Frames still here go to the pool.
    pub(crate) fn clear(&mut self, pool: &mut Pool) {
        self.truncate(0, pool);
        (self.resident, self.evict_at, self.big) = (0, 0, None);
        self.undo.clear();
        self.undo_bytes.clear();
        self.marks.clear();
        self.mark_states.clear();
        // A huge statement's tables are not kept for ever.
        if self.undo_bytes.capacity() > Pool::LIMIT {
            self.undo_bytes = Vec::new();
        }
        if self.pages.capacity() > 1 << 16 {
            *self = WorkSet::default();
        }
    }
}

impl WorkPage {
    /// Bytes of the page.
    #[allow(unsafe_code)]
    pub(crate) fn len(&self) -> usize {
        match &self.bytes {
            PageBytes::Private(frame) => frame.header().len(),
            // SAFETY: the write lock keeps the version.
            PageBytes::InPlace(version) => unsafe { version.as_ref() }.len(),
        }
    }

    fn private_len(&self) -> usize {
        match &self.bytes {
            PageBytes::Private(frame) => frame.header().len(),
            PageBytes::InPlace(_) => 0,
        }
    }

    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn bytes(&self, at: usize, len: usize) -> &[u8] {
        match &self.bytes {
            PageBytes::Private(frame) => &frame.bytes()[at..at + len],
            PageBytes::InPlace(version) => {
                // SAFETY: the write lock keeps the version; bytes beyond the published length are written only by the owner
                // of this working set through &mut, so not while this slice lives.
                unsafe {
                    let version = version.as_ref();
                    assert!(at + len <= version.len());
                    version.slice(at, len)
                }
            }
        }
    }

    /// Writes without noting a range.
    #[allow(unsafe_code)]
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        match &mut self.bytes {
            PageBytes::Private(frame) => frame.bytes_mut()[at..at + bytes.len()].copy_from_slice(bytes),
            PageBytes::InPlace(version) => {
                // SAFETY: a page is in place only for writes beyond the published length (see `TableWriter::data_write`), the
                // owner holds the write lock, and &mut self excludes slices of the writer's own.
                unsafe { version.as_ref().write_unpublished(at, bytes) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::StoreOptions;

    #[test]
    fn marks_lead_back() {
        let mut pool = Pool::default();
        let mut work = WorkSet::default();
        let mut state = *b"state0";
        let fault = StoreOptions::default().injected();
        let page = |work: &mut WorkSet, number| {
            let (file, copy) = (File::Index, PageBytes::Private(Frame::new(8)));
            work.add(WorkPage { file, page: number, bytes: copy, changes: Changes::default(), fresh: true })
        };
        let write = |work: &mut WorkSet, at: usize, bytes: &[u8]| {
            work.before_write(at, 0, 0, bytes.len());
            work.pages[at].write(0, bytes);
        };
        let a = page(&mut work, 7);
        write(&mut work, a, b"one");
        let outer = work.mark(&state, 0);
        state = *b"state1";
        write(&mut work, a, b"two");
        let b = page(&mut work, 8);
        write(&mut work, b, b"new");
        let inner = work.mark(&state, 0);
        write(&mut work, b, b"NEW");
        write(&mut work, a, b"three");
        assert!(work.rollback_to(inner, &mut state, &mut pool, fault));
        assert_eq!((work.pages[a].bytes(0, 5), work.pages[b].bytes(0, 3)), (&b"two\0\0"[..], &b"new"[..]));
        assert!(work.rollback_to(outer, &mut state, &mut pool, fault));
        assert_eq!((work.pages[a].bytes(0, 5), work.pages.len(), &state), (&b"one\0\0"[..], 1, b"state0"));
        assert_eq!((work.find(File::Index, 8), work.find(File::Index, 7)), (None, Some(0)));
        assert!(!work.rollback_to(inner, &mut state, &mut pool, fault));
    }

    #[test]
    fn many_pages_are_found() {
        let mut pool = Pool::default();
        let mut work = WorkSet::default();
        for round in [40, 5, 100] {
            for page in 0..round {
                for file in [File::Index, File::Data] {
                    let copy = PageBytes::Private(pool.take(16));
                    work.add(WorkPage { file, page, bytes: copy, changes: Changes::default(), fresh: true });
                }
            }
            for page in 0..round {
                let at = work.find(File::Data, page).unwrap();
                assert!(work.pages[at].page == page && work.pages[at].file == File::Data);
            }
            assert_eq!(work.find(File::Index, round), None);
            work.clear(&mut pool);
            assert_eq!(work.find(File::Index, 0), None);
        }
    }
}

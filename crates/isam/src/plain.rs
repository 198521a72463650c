//! A table's two files as plain bytes in memory: no versions, no journal.
//!
//! For tools that work on copies of files, and for tests of everything above the page store.

use std::cell::Cell;
use std::ops::{Deref, Range};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::source::{PageEdit, PageSource, PageStore};

/// The `.MYI` and `.MYD` of one table.
#[derive(Debug, Default)]
pub struct PlainPages {
    index: Vec<u8>,
    data: Vec<u8>,
    state_len: usize,
    /// Longest run that [`PageSource::data_run`] gives; 0 = no limit.
    run: usize,
    auto_increment: AtomicU64,
    reads: Cell<u64>,
}

impl Clone for PlainPages {
    fn clone(&self) -> PlainPages {
        PlainPages {
            index: self.index.clone(),
            data: self.data.clone(),
            state_len: self.state_len,
            run: self.run,
            auto_increment: AtomicU64::new(self.auto_increment.load(Ordering::Relaxed)),
            reads: Cell::new(0),
        }
    }
}

impl PlainPages {
    /// From the bytes of the files; `state_len` is the length of the state blob.
    #[must_use]
    pub fn new(index: Vec<u8>, data: Vec<u8>, state_len: usize) -> PlainPages {
        PlainPages { index, data, state_len, ..PlainPages::default() }
    }

    /// Cuts the data file into pages of this many bytes for [`PageSource::data_run`], as a page store would.
    #[must_use]
    pub fn with_pages(mut self, bytes: usize) -> PlainPages {
        self.run = bytes;
        self
    }

    /// The bytes of the `.MYI`.
    #[must_use]
    pub fn index(&self) -> &[u8] {
        &self.index
    }

    /// The bytes of the `.MYD`.
    #[must_use]
    pub fn data_file(&self) -> &[u8] {
        &self.data
    }

    /// Cuts both files to the lengths their state tells.
    pub fn trim(&mut self) {
        let length = |at: usize| {
            self.index
                .get(at..at + 8)
                .and_then(|b| b.first_chunk::<8>())
                .map_or(0, |b| u64::from_be_bytes(*b) as usize)
        };
        let (index, data) = (length(60), length(68));
        self.index.truncate(index);
        self.data.truncate(data);
    }

    /// Index pages read so far.
    #[must_use]
    pub fn reads(&self) -> u64 {
        self.reads.get()
    }
}

fn outside(file: &str, offset: u64) -> pages::Error {
    pages::Error::corrupt(format!("memory.{file}"), offset, "outside the file")
}

impl PageSource for PlainPages {
    fn state(&self) -> &[u8] {
        &self.index[..self.state_len.min(self.index.len())]
    }

    fn index_page(&self, offset: u64, len: usize) -> pages::Result<&[u8]> {
        self.reads.set(self.reads.get() + 1);
        let start = usize::try_from(offset).map_err(|_| outside("MYI", offset))?;
        if start < self.state_len {
            return Err(outside("MYI", offset));
        }
        start
            .checked_add(len)
            .and_then(|end| self.index.get(start..end))
            .ok_or_else(|| outside("MYI", offset))
    }

    fn data<'a>(&'a self, offset: u64, len: usize, _scratch: &'a mut Vec<u8>) -> pages::Result<&'a [u8]> {
        let start = usize::try_from(offset).map_err(|_| outside("MYD", offset))?;
        start.checked_add(len).and_then(|end| self.data.get(start..end)).ok_or_else(|| outside("MYD", offset))
    }

    fn data_run(&self, offset: u64) -> pages::Result<&[u8]> {
        let start = usize::try_from(offset).map_err(|_| outside("MYD", offset))?;
        let end = match self.run {
            0 => self.data.len(),
            run => ((start / run + 1) * run).min(self.data.len()),
        };
        self.data.get(start..end).ok_or_else(|| outside("MYD", offset))
    }
}

/// A page of [`PlainPages`].
#[derive(Debug)]
pub struct PlainPage<'a>(pub(crate) &'a mut [u8]);

impl Deref for PlainPage<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

impl PageEdit for PlainPage<'_> {
    fn write(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn copy_within(&mut self, range: Range<usize>, to: usize) {
        self.0.copy_within(range, to);
    }
}

/// The most bytes that a file grows at once: whatever length a damaged head tells, writing begins near the file's end.
const LARGEST_GAP: usize = 1 << 16;

impl PageStore for PlainPages {
    type Page<'a> = PlainPage<'a>;

    fn state_mut(&mut self) -> &mut [u8] {
        let len = self.state_len.min(self.index.len());
        &mut self.index[..len]
    }

    fn index_page_mut(&mut self, offset: u64, len: usize) -> pages::Result<PlainPage<'_>> {
        let start = usize::try_from(offset).map_err(|_| outside("MYI", offset))?;
        if start < self.state_len {
            return Err(outside("MYI", offset));
        }
        start
            .checked_add(len)
            .and_then(|end| self.index.get_mut(start..end))
            .map(PlainPage)
            .ok_or_else(|| outside("MYI", offset))
    }

    fn index_page_new(&mut self, offset: u64, len: usize) -> pages::Result<PlainPage<'_>> {
        let near = self.index.len() + LARGEST_GAP;
        let start = usize::try_from(offset).ok().filter(|s| (self.state_len..near).contains(s));
        let start = start.ok_or_else(|| outside("MYI", offset))?;
        if self.index.len() < start + len {
            self.index.resize(start + len, 0);
        }
        let page = &mut self.index[start..start + len];
        page.fill(0);
        Ok(PlainPage(page))
    }

    fn data_write(&mut self, offset: u64, bytes: &[u8]) -> pages::Result<()> {
        let start = usize::try_from(offset).ok().filter(|&s| s < self.data.len() + LARGEST_GAP);
        let start = start.ok_or_else(|| outside("MYD", offset))?;
        let end = start + bytes.len();
        if self.data.len() < end {
            self.data.resize(end, 0);
        }
        self.data[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn may_shorten_index(&self) -> bool {
        true
    }

    fn raise_auto_increment(&self, value: u64) {
        self.auto_increment.fetch_max(value, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_grow_at_their_end_only() {
        let mut pages = PlainPages::new(vec![0; 1024], vec![0; 40], 300);
        assert!(pages.data_write(40, &[1; 20]).is_ok());
        assert_eq!(pages.data_file().len(), 60);
        // A length that only a damaged head tells.
        assert!(pages.data_write(1 << 31, &[1]).is_err());
        assert!(pages.index_page_new(1024, 1024).is_ok());
        assert!(pages.index_page_new(1 << 31, 1024).is_err());
        assert_eq!((pages.index().len(), pages.data_file().len()), (2048, 60));
    }
}

//! Where pages come from and go to.
//!
//! Reading code is generic over [`PageSource`], so the same walk serves a snapshot and a statement's own working view;
//! writing code over [`PageStore`], so that trees are built alike in a table, in memory and in tests.

use std::ops::{Deref, Range};
use std::sync::atomic::Ordering;

pub use pages::PageSource;
use pages::{PageMut, Result, TableWriter};

/// A page being changed; what is written is noted as it is written.
pub trait PageEdit: Deref<Target = [u8]> {
    /// Puts `bytes` at `at`.
    fn write(&mut self, at: usize, bytes: &[u8]);
    /// Moves bytes within the page.
    fn copy_within(&mut self, range: Range<usize>, to: usize);
}

/// Pages and state that can be changed.
pub trait PageStore: PageSource {
    /// A page being changed.
    type Page<'a>: PageEdit
    where
        Self: 'a;
    /// The state blob.
    fn state_mut(&mut self) -> &mut [u8];
    /// A block of the index for changing.
    fn index_page_mut(&mut self, offset: u64, len: usize) -> Result<Self::Page<'_>>;
    /// A block whose old bytes do not matter; it begins as zeros.
    fn index_page_new(&mut self, offset: u64, len: usize) -> Result<Self::Page<'_>>;
    /// Writes into the data file, also beyond its end.
    fn data_write(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;
    /// Tells the counter that lives outside of the versioned state of a value used.
    fn raise_auto_increment(&self, value: u64);
    /// Whether the index file may get shorter: not while other readers may hold its pages.
    fn may_shorten_index(&self) -> bool {
        false
    }
}

impl PageEdit for PageMut<'_> {
    #[inline]
    fn write(&mut self, at: usize, bytes: &[u8]) {
        PageMut::write(self, at, bytes);
    }

    #[inline]
    fn copy_within(&mut self, range: Range<usize>, to: usize) {
        PageMut::copy_within(self, range, to);
    }
}

impl PageStore for TableWriter {
    type Page<'a> = PageMut<'a>;

    fn state_mut(&mut self) -> &mut [u8] {
        TableWriter::state_mut(self)
    }

    fn index_page_mut(&mut self, offset: u64, len: usize) -> Result<PageMut<'_>> {
        TableWriter::index_page_mut(self, offset, len)
    }

    fn index_page_new(&mut self, offset: u64, len: usize) -> Result<PageMut<'_>> {
        TableWriter::index_page_new(self, offset, len)
    }

    fn data_write(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        TableWriter::data_write(self, offset, bytes)
    }

    fn raise_auto_increment(&self, value: u64) {
        self.table().auto_increment().fetch_max(value, Ordering::AcqRel);
    }
}

/// Bytes of a data file that lie together, around the row that was read last; for one source.
#[derive(Clone, Copy, Debug)]
pub struct Near<'s> {
    pub(crate) from: u64,
    pub(crate) bytes: &'s [u8],
    /// Where a row would be that follows the last one.
    pub(crate) next: u64,
}

impl Default for Near<'_> {
    fn default() -> Self {
        Near { from: 0, bytes: &[], next: u64::MAX }
    }
}

impl<'s> Near<'s> {
    /// The row of so many bytes at an offset, when it lies there.
    #[inline]
    pub(crate) fn row(&self, offset: u64, len: usize) -> Option<&'s [u8]> {
        let at = usize::try_from(offset.checked_sub(self.from)?).ok()?;
        self.bytes.get(at..at.checked_add(len)?)
    }
}

//! Where pages come from and go to.
//!
//! Reading code is generic over [`PageSource`], so the same walk serves a snapshot and a statement's own working view;
//! writing code over [`PageStore`], so that trees are built alike in a table, in memory and in tests.

use std::ops::{Deref, Range};

use crate::error::Result;

/// Bytes of one table as of one moment.
pub trait PageSource {
    /// The state blob: the first bytes of the `.MYI`.
    fn state(&self) -> &[u8];
    /// One block of the index.
    fn index_page(&self, offset: u64, len: usize) -> Result<&[u8]>;
    /// Bytes of the data file; in place when they lie together, else assembled in `scratch`.
    fn data<'a>(&'a self, offset: u64, len: usize, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]>;
    /// The longest run of bytes that lie together from `offset` on; ends at the data length at the latest.
    fn data_run(&self, offset: u64) -> Result<&[u8]>;
}

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
}

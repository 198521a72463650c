//! A position in a key tree.

use crate::error::Result;
use crate::key::KeyInfo;
use crate::source::PageSource;
use crate::{RowPos, TableFormat};

/// Where a seek goes, relative to the entries whose leading parts compare with the given ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekMode {
    /// The first entry of the key; the value is ignored.
    First,
    /// The last entry of the key; the value is ignored.
    Last,
    /// The first equal entry; not found if there is none.
    Exact,
    /// The last equal entry; not found if there is none.
    ExactLast,
    /// The first entry equal or greater.
    GreaterEqual,
    /// The first entry greater.
    Greater,
    /// The last entry equal or less.
    LessEqual,
    /// The last entry less.
    Less,
}

/// A position in a key, reused from seek to seek without allocating. It borrows nothing: page numbers and a copy of the
/// entry's key are kept. Within one unchanged source `next` and `prev` continue from the page; after the source changed
/// (a writer's own working view) call [`KeyCursor::reseek`] first.
#[derive(Debug)]
pub struct KeyCursor {
    key: KeyInfo,
}

impl KeyCursor {
    /// A cursor over key `key_no` (a B-tree key), not positioned.
    #[must_use]
    pub fn new(format: &TableFormat, key_no: usize) -> KeyCursor {
        KeyCursor { key: format.keys[key_no].clone() }
    }

    /// Seeks by `flat`, the flat bytes ([`TableFormat::encode_key`]) of the first `parts` parts. True = positioned.
    pub fn seek<S: PageSource>(
        &mut self,
        src: &S,
        flat: &[u8],
        parts: usize,
        mode: SeekMode,
    ) -> Result<bool> {
        let _ = (src, flat, parts, mode);
        todo!()
    }

    /// Finds the position again in a source that may have changed: the entry itself, or if it is gone the place where
    /// it was, so that `next` and `prev` go on from there. True = the entry is still there.
    pub fn reseek<S: PageSource>(&mut self, src: &S) -> Result<bool> {
        let _ = src;
        todo!()
    }

    /// Steps to the next entry. False = behind the last.
    pub fn next<S: PageSource>(&mut self, src: &S) -> Result<bool> {
        let _ = src;
        todo!()
    }

    /// Steps to the entry before. False = before the first.
    pub fn prev<S: PageSource>(&mut self, src: &S) -> Result<bool> {
        let _ = src;
        todo!()
    }

    /// Row of the entry.
    #[must_use]
    pub fn pos(&self) -> RowPos {
        todo!()
    }

    /// Flat key of the entry, without row pointer.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        todo!()
    }

    /// Are the entry's first `parts` parts equal to `flat`?
    #[must_use]
    pub fn matches(&self, flat: &[u8], parts: usize) -> bool {
        let _ = (flat, parts);
        todo!()
    }

    /// Order of the entry's first `parts` parts relative to `flat` (for range ends).
    #[must_use]
    pub fn compare(&self, flat: &[u8], parts: usize) -> std::cmp::Ordering {
        let _ = (flat, parts);
        todo!()
    }

    /// Stored bytes of part `part` of the entry, or `None` for NULL; numbers are turned around in `scratch`.
    /// They are the column's value if the part covers it ([`crate::key::Segment::covers`]).
    #[must_use]
    pub fn part<'a>(&'a self, part: usize, scratch: &'a mut [u8; 8]) -> Option<&'a [u8]> {
        let _ = (part, scratch);
        todo!()
    }
}

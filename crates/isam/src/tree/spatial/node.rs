//! A page of an R-tree.

use super::Rect;
use super::rect::RECT_BYTES;
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::pointer::{pointer, put_pointer};
use crate::source::PageSource;
use crate::tree::edit::{Content, put_head};
use crate::tree::page::Page;

/// An entry: a rectangle, and the row or the child it is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slot {
    pub rect: Rect,
    /// A row pointer, or the offset of a page.
    pub to: u64,
}

/// A page being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    bytes: &'a [u8],
    pub offset: u64,
    pub leaf: bool,
    /// Bytes of a pointer of its entries.
    pointer: usize,
}

/// Bytes of an entry.
pub(crate) fn each(key: &KeyInfo, leaf: bool) -> usize {
    RECT_BYTES + if leaf { key.rec_ref } else { key.key_ref }
}

/// Whether a page with so many bytes has room for one entry more.
pub(crate) fn has_room(key: &KeyInfo, used: usize) -> bool {
    used + RECT_BYTES + key.rec_ref.max(key.key_ref) <= key.block_length
}

impl<'a> Node<'a> {
    /// The page of `key` at `offset`.
    pub fn read<S: PageSource>(key: &KeyInfo, src: &'a S, offset: u64) -> Result<Node<'a>> {
        Node::of(key, &Page::read(key, src, offset)?)
    }

    /// A page with its head read.
    pub fn of(key: &KeyInfo, page: &Page<'a>) -> Result<Node<'a>> {
        let leaf = page.is_leaf();
        if !(page.bytes.len() - 2).is_multiple_of(each(key, leaf)) {
            return Err(page.corrupt());
        }
        let pointer = if leaf { key.rec_ref } else { key.key_ref };
        Ok(Node { bytes: page.bytes, offset: page.offset, leaf, pointer })
    }

    /// Bytes that are used.
    pub fn used(&self) -> usize {
        self.bytes.len()
    }

    pub fn len(&self) -> usize {
        (self.bytes.len() - 2) / (RECT_BYTES + self.pointer)
    }

    /// Where entry `n` begins.
    pub fn place(&self, n: usize) -> usize {
        2 + n * (RECT_BYTES + self.pointer)
    }

    /// Where the rectangle of entry `n` begins.
    pub fn rect_place(&self, n: usize) -> usize {
        self.place(n) + if self.leaf { 0 } else { self.pointer }
    }

    pub fn slot(&self, n: usize) -> Result<Slot> {
        let bytes = self.bytes.get(self.place(n)..self.place(n + 1)).ok_or_else(|| self.corrupt())?;
        let (rect, to) = match self.leaf {
            true => (Rect::read(bytes), pointer(&bytes[RECT_BYTES..])),
            false => (Rect::read(&bytes[self.pointer..]), pointer(&bytes[..self.pointer]) << 10),
        };
        Ok(Slot { rect: rect.ok_or_else(|| self.corrupt())?, to })
    }

    pub fn slots(&self) -> impl Iterator<Item = Result<Slot>> {
        (0..self.len()).map(|n| self.slot(n))
    }

    pub fn all(&self) -> Result<Vec<Slot>> {
        self.slots().collect()
    }

    fn corrupt(&self) -> Error {
        Error::index(self.offset, "entries of a page")
    }
}

/// Appends an entry.
pub(crate) fn put(key: &KeyInfo, leaf: bool, slot: &Slot, out: &mut Vec<u8>) {
    if leaf {
        out.extend_from_slice(&slot.rect.bytes());
        put_pointer(slot.to, key.rec_ref, out);
    } else {
        put_pointer(slot.to / 1024, key.key_ref, out);
        out.extend_from_slice(&slot.rect.bytes());
    }
}

/// The content of a page with these entries.
pub(crate) fn content(key: &KeyInfo, leaf: bool, slots: &[Slot]) -> Content {
    let mut out = Vec::with_capacity(key.block_length);
    out.extend_from_slice(&[0, 0]);
    for slot in slots {
        put(key, leaf, slot, &mut out);
    }
    put_head(&mut out, if leaf { 0 } else { key.key_ref });
    out
}

/// Around all of them.
pub(crate) fn around(slots: &[Slot]) -> Rect {
    slots.iter().fold(Rect::NOTHING, |rect, slot| rect.with(&slot.rect))
}

//! What lies where in the files of a table: blocks of the index and of the data file, one after another, damaged ones included.

use std::collections::HashSet;
use std::path::Path;

use pages::storage::StorageFile;

use super::check::bad_bytes;
use super::salvage::RawData;
use crate::error::Result;
use crate::key::KeyInfo;
use crate::myi::{NIL, StateView};
use crate::row::block::{self, BlockKind};
use crate::source::PageSource;
use crate::tree::page::{MAX_DEPTH, Page};
use crate::tree::words::own_trees;
use crate::{RowScratch, TableFormat};

/// Whose a block of the index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The tree of a key.
    Key(usize),
    /// A tree that a word of a FULLTEXT key has of its own.
    Word(usize),
    /// In a chain of free pages.
    Free,
}

/// A block of the index.
#[derive(Clone, Copy, Debug)]
pub struct IndexBlock {
    /// Its place.
    pub offset: u64,
    /// Its length.
    pub length: u64,
    /// Whose it is.
    pub owner: Owner,
    /// Levels above it.
    pub level: usize,
    /// Whether it leads to others.
    pub node: bool,
    /// Bytes that are used.
    pub used: u64,
}

/// Reads the blocks of an index file.
pub struct IndexBlocks<'a> {
    /// How keys are laid out.
    pub format: &'a TableFormat,
    /// The first bytes of the file.
    pub head: &'a [u8],
    /// The file.
    pub file: &'a dyn StorageFile,
    /// Its name, for errors.
    pub path: &'a Path,
}

/// The walk through the index.
struct Walk<'a, 'f> {
    blocks: &'a IndexBlocks<'a>,
    seen: HashSet<u64>,
    damage: Vec<String>,
    visit: &'f mut dyn FnMut(IndexBlock),
}

impl IndexBlocks<'_> {
    /// Calls `visit` for each block of each tree, parents before children, and of the chains of free pages. Gives what was met that is
    /// none.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn each(&self, visit: &mut dyn FnMut(IndexBlock)) -> Result<Vec<String>> {
        let state = StateView::new(self.head, self.format.offsets);
        let mut walk = Walk { blocks: self, seen: HashSet::new(), damage: Vec::new(), visit };
        for key in &self.format.keys {
            let root = state.key_root(key.number);
            if root != NIL && state.key_active(key.number) {
                walk.tree(key, Owner::Key(key.number), root, 0)?;
            }
        }
        for list in 0..usize::from(self.format.header.max_block_size_index) {
            let length = (list + 1) * 1024;
            let mut at = state.key_del(list);
            let mut bytes = Vec::new();
            while at != NIL {
                if !walk.page(at, length, &mut bytes)? {
                    break;
                }
                (walk.visit)(IndexBlock {
                    offset: at,
                    length: length as u64,
                    owner: Owner::Free,
                    level: 0,
                    node: false,
                    used: 0,
                });
                at = bytes.first_chunk().map_or(NIL, |next| u64::from_be_bytes(*next));
            }
        }
        Ok(walk.damage)
    }
}

impl Walk<'_, '_> {
    /// Reads a block that was not met before; false = there is none.
    fn page(&mut self, at: u64, length: usize, bytes: &mut Vec<u8>) -> Result<bool> {
        let IndexBlocks { file, path, format, .. } = self.blocks;
        let failed = |e| pages::Error::io(*path, "read", e);
        let end = file.len().map_err(failed)?;
        let inside = at.checked_add(length as u64).is_some_and(|stop| stop <= end);
        if !inside || !at.is_multiple_of(1024) || at < format.header.base.keystart {
            self.damage.push(format!("page {at} is outside the file"));
            return Ok(false);
        }
        if !self.seen.insert(at) {
            self.damage.push(format!("page {at} is met twice"));
            return Ok(false);
        }
        bytes.resize(length, 0);
        file.read_exact_at(bytes, at).map_err(failed)?;
        Ok(true)
    }

    fn tree(&mut self, key: &KeyInfo, owner: Owner, at: u64, level: usize) -> Result<()> {
        let mut bytes = Vec::new();
        if level >= MAX_DEPTH || !self.page(at, key.block_length, &mut bytes)? {
            return Ok(());
        }
        let page = Page::new(key, &bytes, at);
        let Some(page) = bad_bytes(page)? else {
            self.damage.push(format!("page {at} is damaged"));
            return Ok(());
        };
        (self.visit)(IndexBlock {
            offset: at,
            length: key.block_length as u64,
            owner,
            level,
            node: !page.is_leaf(),
            used: page.bytes.len() as u64,
        });
        let second = key.fulltext.as_ref().and_then(|f| f.second.as_deref());
        if let (Owner::Key(number), Some(second)) = (owner, second) {
            match bad_bytes(own_trees(key, &page))? {
                Some(roots) => {
                    for (_, root) in roots {
                        self.tree(second, Owner::Word(number), root, 0)?;
                    }
                }
                None => self.damage.push(format!("page {at} is damaged")),
            }
        }
        if page.is_leaf() {
            return Ok(());
        }
        match bad_bytes(page.children(key))? {
            Some(children) => {
                for (_, child) in children {
                    self.tree(key, owner, child, level + 1)?;
                }
            }
            None => self.damage.push(format!("page {at} is damaged")),
        }
        Ok(())
    }
}

/// What a block of the data file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A whole row.
    Row,
    /// The first part of a row.
    First,
    /// A later part of a row.
    Part,
    /// A deleted row, or room that is free.
    Free,
    /// Neither.
    Damage,
}

/// A block of the data file.
#[derive(Clone, Copy, Debug)]
pub struct DataBlock {
    /// Its place.
    pub offset: u64,
    /// Its length.
    pub length: u64,
    /// What it holds.
    pub holds: Holds,
    /// Bytes of rows in it, its head included.
    pub used: u64,
    /// Where the next part of the row is.
    pub next: u64,
}

/// Calls `visit` for each block of a data file, or for each row of a file of fixed or compressed rows. Behind damage of dynamic rows, the
/// walk goes on at the next multiple of 4 where a block may be. `visit` ends it by saying false.
///
/// # Errors
/// Those of the disk.
pub fn each_data_block(
    format: &TableFormat,
    data: &RawData,
    visit: &mut dyn FnMut(DataBlock) -> bool,
) -> Result<()> {
    let len = data.len();
    let mut scratch = RowScratch::new();
    if format.header.is_compressed() {
        let compression = format.compression()?;
        let end = len.saturating_sub(format.data_trailer());
        let mut at = compression.first_row;
        while at < end {
            let place = bad_bytes(compression.place(data, at, end, &mut scratch.part))?;
            let (length, holds) = match place {
                Some(place) => (place.end() - at, Holds::Row),
                None => (end - at, Holds::Damage),
            };
            if !visit(DataBlock { offset: at, length, holds, used: length, next: 0 }) {
                break;
            }
            at += length.max(1);
        }
        return Ok(());
    }
    if format.layout.fixed {
        let each = (format.layout.pack_reclength as u64).max(1);
        let mut window = Vec::new();
        let rows = (1 << 16) / each + 1;
        for first in (0..len / each).step_by(rows as usize) {
            let n = rows.min(len / each - first);
            let bytes = data.data(first * each, (n * each) as usize, &mut window)?;
            for (i, row) in bytes.chunks_exact(each as usize).enumerate() {
                let (holds, used) = if row[0] == 0 { (Holds::Free, 0) } else { (Holds::Row, each) };
                let offset = (first + i as u64) * each;
                if !visit(DataBlock { offset, length: each, holds, used, next: 0 }) {
                    return Ok(());
                }
            }
        }
        return Ok(());
    }
    let mut at = 0;
    while at < len {
        let head = data.data(at, block::MIN_BLOCK.min(len - at) as usize, &mut scratch.part)?;
        let found = bad_bytes(block::parse(head, at))?.filter(|b| at + b.header + b.data <= len);
        let shown = match found {
            Some(b) => {
                let (holds, used) = match b.kind {
                    BlockKind::Deleted { .. } => (Holds::Free, 0),
                    BlockKind::Row => (Holds::Row, b.header + b.data),
                    BlockKind::First => (Holds::First, b.header + b.data),
                    BlockKind::Middle | BlockKind::Last => (Holds::Part, b.header + b.data),
                };
                let length = b.total.max(4).min(len - at);
                DataBlock { offset: at, length, holds, used, next: b.next }
            }
            None => DataBlock { offset: at, length: 4.min(len - at), holds: Holds::Damage, used: 0, next: 0 },
        };
        if !visit(shown) {
            break;
        }
        at = (at + shown.length).next_multiple_of(4);
    }
    Ok(())
}

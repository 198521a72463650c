//! Where rows go in the data file: re-use of deleted rows and blocks, exactly as the reference engine does it.

use super::block::{self, Block, BlockKind, MAX_BLOCK, MIN_BLOCK};
use super::view::RowLayout;
use crate::error::{Error, Result};
use crate::myi::{NIL, StateMut, StateOffsets, StateView};
use crate::pointer::{pointer, put_pointer};
use crate::source::PageStore;

/// Blocks of this length and more have three-byte lengths.
const LONG: u64 = 65520;

/// Room for the work, reused from row to row.
#[derive(Debug, Default)]
pub(crate) struct DataScratch {
    part: Vec<u8>,
    out: Vec<u8>,
}

impl DataScratch {
    /// Bytes it holds.
    pub fn size(&self) -> usize {
        self.part.capacity() + self.out.capacity()
    }
}

/// Changes the data file of one table.
pub(crate) struct DataEdit<'t, S> {
    pub layout: &'t RowLayout,
    pub offsets: StateOffsets,
    /// Bytes of a row pointer.
    pub rec_ref: usize,
    pub store: &'t mut S,
    pub scratch: &'t mut DataScratch,
}

fn bad(pos: u64) -> Error {
    Error::row(pos, "chain of deleted rows")
}

/// Where a `.MYD` ends at the latest whose rows are reached by pointers of `bytes` bytes.
pub(crate) fn data_limit(layout: &RowLayout, bytes: usize) -> u64 {
    let pointers = u64::MAX >> (64 - 8 * bytes.clamp(1, 7));
    if layout.fixed { pointers.saturating_mul(layout.pack_reclength as u64) } else { pointers }
}

impl<S: PageStore> DataEdit<'_, S> {
    fn state(&self) -> StateView<'_> {
        StateView::new(self.store.state(), self.offsets)
    }

    fn state_mut(&mut self) -> StateMut<'_> {
        StateMut::new(self.store.state_mut(), self.offsets)
    }

    fn limit(&self) -> u64 {
        data_limit(self.layout, self.rec_ref)
    }

    /// Row pointer the next inserted row will have.
    pub fn next_pos(&self) -> Result<u64> {
        let state = self.state();
        let (free, end) = (state.dellink(), state.data_file_length());
        if free == NIL && end >= self.limit() {
            return Err(Error::DataFull);
        }
        let offset = if free == NIL { end } else { free };
        if !self.layout.fixed {
            return Ok(offset);
        }
        let each = self.layout.pack_reclength as u64;
        if offset % each != 0 || offset > end {
            return Err(bad(offset));
        }
        Ok(offset / each)
    }

    /// Writes a new row: its image (fixed) or packed form. It gets the place that [`DataEdit::next_pos`] told.
    pub fn insert(&mut self, row: &[u8]) -> Result<()> {
        if self.layout.fixed { self.insert_fixed(row) } else { self.insert_dynamic(row) }
    }

    /// Deletes the row at `pos`.
    pub fn delete(&mut self, pos: u64) -> Result<()> {
        if self.layout.fixed {
            return self.delete_fixed(pos);
        }
        let len = self.state().data_file_length();
        let first = block::read(&*self.store, pos, len, &mut self.scratch.part)?;
        if !matches!(first.kind, BlockKind::Row | BlockKind::First) {
            return Err(Error::Deleted { pos });
        }
        self.delete_blocks(pos)
    }

    /// Replaces the row at `pos`.
    pub fn update(&mut self, pos: u64, row: &[u8]) -> Result<()> {
        if !self.layout.fixed {
            return self.update_dynamic(pos, row);
        }
        let offset = pos * self.layout.pack_reclength as u64;
        self.store.data_write(offset, row)?;
        Ok(())
    }

    fn insert_fixed(&mut self, row: &[u8]) -> Result<()> {
        let each = self.layout.pack_reclength as u64;
        let (free, end) = (self.state().dellink(), self.state().data_file_length());
        if free == NIL {
            if end.saturating_add(each) > self.limit() {
                return Err(Error::DataFull);
            }
            if row.len() as u64 == each {
                self.store.data_write(end, row)?;
            } else {
                let out = &mut self.scratch.out;
                out.clear();
                out.extend_from_slice(row);
                out.resize(each as usize, 0);
                self.store.data_write(end, out)?;
            }
            let split = self.state().split() + 1;
            let mut state = self.state_mut();
            state.set_split(split);
            state.set_data_file_length(end + each);
            return Ok(());
        }
        if free.checked_add(each).is_none_or(|e| e > end) {
            return Err(bad(free));
        }
        let head = self.store.data(free, 1 + self.rec_ref, &mut self.scratch.part)?;
        if head[0] != 0 {
            return Err(bad(free));
        }
        let next = &head[1..];
        let next = if next.iter().all(|&b| b == 0xFF) {
            NIL
        } else {
            pointer(next).checked_mul(each).filter(|&n| n < end).ok_or_else(|| bad(free))?
        };
        self.store.data_write(free, row)?;
        let (del, empty) = (self.state().del(), self.state().empty());
        let mut state = self.state_mut();
        state.set_dellink(next);
        state.set_del(del.saturating_sub(1));
        state.set_empty(empty.saturating_sub(each));
        Ok(())
    }

    fn delete_fixed(&mut self, pos: u64) -> Result<()> {
        let each = self.layout.pack_reclength as u64;
        let offset = pos * each;
        let (free, del, empty) = (self.state().dellink(), self.state().del(), self.state().empty());
        let out = &mut self.scratch.out;
        out.clear();
        out.push(0);
        put_pointer(if free == NIL { NIL } else { free / each }, self.rec_ref, out);
        self.store.data_write(offset, out)?;
        let mut state = self.state_mut();
        state.set_dellink(offset);
        state.set_del(del + 1);
        state.set_empty(empty + each);
        Ok(())
    }

    fn deleted_at(&mut self, offset: u64) -> Result<(Block, u64)> {
        let len = self.state().data_file_length();
        let block = block::read(&*self.store, offset, len, &mut self.scratch.part)?;
        match block.kind {
            BlockKind::Deleted { prev } => Ok((block, prev)),
            _ => Err(bad(offset)),
        }
    }

    /// A block for `rest` bytes: the head of the chain, or a new one at the end. Returns offset and length.
    fn take_block(&mut self, rest: u64) -> Result<(u64, u64)> {
        let head = self.state().dellink();
        if head != NIL {
            let (block, _) = self.deleted_at(head)?;
            let (del, empty) = (self.state().del(), self.state().empty());
            let mut state = self.state_mut();
            state.set_dellink(block.next);
            state.set_del(del.saturating_sub(1));
            state.set_empty(empty.saturating_sub(block.total));
            return Ok((head, block.total));
        }
        let total = (rest + 3 + u64::from(rest >= 65517)).max(MIN_BLOCK).next_multiple_of(4).min(MAX_BLOCK);
        let (end, split) = (self.state().data_file_length(), self.state().split());
        if end.saturating_add(total) > self.limit() {
            return Err(Error::DataFull);
        }
        let mut state = self.state_mut();
        state.set_split(split + 1);
        state.set_data_file_length(end + total);
        Ok((end, total))
    }

    /// Takes a deleted block out of the chain.
    fn unlink(&mut self, offset: u64, block: &Block, prev: u64) -> Result<()> {
        let (del, empty) = (self.state().del(), self.state().empty());
        let head = self.state().dellink() == offset;
        if head {
            self.state_mut().set_dellink(block.next);
        } else {
            self.deleted_at(prev)?;
            self.store.data_write(prev + 4, &block.next.to_be_bytes())?;
        }
        if block.next != NIL && !(head && prev == NIL) {
            self.deleted_at(block.next)?;
            self.store.data_write(block.next + 12, &prev.to_be_bytes())?;
        }
        let mut state = self.state_mut();
        state.set_del(del.saturating_sub(1));
        state.set_empty(empty.saturating_sub(block.total));
        Ok(())
    }

    /// The deleted block that lies at `offset`, if there is one.
    fn deleted_behind(&mut self, offset: u64) -> Result<Option<(Block, u64)>> {
        let len = self.state().data_file_length();
        if offset >= len {
            return Ok(None);
        }
        let block = block::read(&*self.store, offset, len, &mut self.scratch.part)?;
        Ok(match block.kind {
            BlockKind::Deleted { prev } => Some((block, prev)),
            _ => None,
        })
    }

    /// Makes a block at the head of the chain of deleted ones; the chain's old head is told of it.
    fn push_deleted(&mut self, offset: u64, total: u64) -> Result<()> {
        let (head, del, empty) = (self.state().dellink(), self.state().del(), self.state().empty());
        if head != NIL {
            self.deleted_at(head)?;
            self.store.data_write(head + 12, &offset.to_be_bytes())?;
        }
        self.write_deleted(offset, total, head, NIL)?;
        let mut state = self.state_mut();
        state.set_dellink(offset);
        state.set_del(del + 1);
        state.set_empty(empty + total);
        Ok(())
    }

    fn write_deleted(&mut self, offset: u64, total: u64, next: u64, prev: u64) -> Result<()> {
        let mut head = [0u8; 20];
        head[..4].copy_from_slice(&(total as u32).to_be_bytes());
        head[4..12].copy_from_slice(&next.to_be_bytes());
        head[12..].copy_from_slice(&prev.to_be_bytes());
        // The length is below 2^24, so that the first byte is the type 0.
        self.store.data_write(offset, &head)?;
        Ok(())
    }

    /// Writes as much of `row[done..]` as fits into the block; cuts off what the block has too much. `following`: the row's own
    /// next block, if it has one. Returns how much of the row is done.
    fn fill(
        &mut self,
        offset: u64,
        mut total: u64,
        row: &[u8],
        done: usize,
        following: Option<u64>,
    ) -> Result<usize> {
        let rest = (row.len() - done) as u64;
        if total > rest + 48 {
            let mut cut = (total - rest - 20).next_multiple_of(4);
            total -= cut;
            let split = self.state().split() + 1;
            self.state_mut().set_split(split);
            if let Some((behind, prev)) = self.deleted_behind(offset + total + cut)?
                && cut + behind.total < MAX_BLOCK
            {
                self.unlink(offset + total + cut, &behind, prev)?;
                cut += behind.total;
                self.state_mut().set_split(split - 1);
            }
            self.push_deleted(offset + total, cut)?;
        }
        let first = done == 0;
        let long = u64::from(total >= LONG || rest >= LONG);
        let width = 2 + long as usize;
        let length = |n: u64, out: &mut Vec<u8>| out.extend_from_slice(&n.to_be_bytes()[8 - width..]);
        let kind = |short: u8, continued: u8| if first { short } else { continued } + long as u8;
        let next = following.unwrap_or_else(|| match self.state().dellink() {
            NIL => self.state().data_file_length(),
            head => head,
        });
        let out = &mut self.scratch.out;
        out.clear();
        let taken = if total == rest + 3 + long {
            out.push(kind(1, 7));
            length(rest, out);
            rest
        } else if total - long >= rest + 4 {
            out.push(kind(3, 9));
            length(rest, out);
            out.push((total - rest - 4 - long) as u8);
            rest
        } else {
            let head = if !first {
                11 + long
            } else if rest > MAX_BLOCK {
                16
            } else {
                13 + 2 * long
            };
            let data = total - head;
            match (first, rest > MAX_BLOCK) {
                (true, true) => {
                    out.push(13);
                    out.extend_from_slice(&(rest as u32).to_be_bytes());
                    length(data, out);
                }
                (true, false) => {
                    out.push(5 + long as u8);
                    length(rest, out);
                    length(data, out);
                }
                (false, _) => {
                    out.push(11 + long as u8);
                    length(data, out);
                }
            }
            out.extend_from_slice(&next.to_be_bytes());
            data
        };
        out.extend_from_slice(&row[done..done + taken as usize]);
        out.resize(total as usize, 0);
        self.store.data_write(offset, out)?;
        Ok(done + taken as usize)
    }

    fn insert_dynamic(&mut self, row: &[u8]) -> Result<()> {
        let mut done = 0;
        loop {
            let (offset, total) = self.take_block((row.len() - done) as u64)?;
            done = self.fill(offset, total, row, done, None)?;
            if done >= row.len() {
                return Ok(());
            }
        }
    }

    /// Deletes the chain of blocks that begins at `offset`.
    fn delete_blocks(&mut self, offset: u64) -> Result<()> {
        let head = self.state().dellink();
        if head != NIL {
            self.deleted_at(head)?;
            self.store.data_write(head + 12, &offset.to_be_bytes())?;
        }
        let mut at = offset;
        // A chain that leads back into itself meets a block that is deleted by now.
        loop {
            let len = self.state().data_file_length();
            let block = block::read(&*self.store, at, len, &mut self.scratch.part)?;
            let last = match block.kind {
                BlockKind::Row | BlockKind::Last => true,
                BlockKind::First | BlockKind::Middle => false,
                BlockKind::Deleted { .. } => return Err(Error::row(at, "a part of a row is missing")),
            };
            let mut total = block.total;
            if let Some((behind, prev)) = self.deleted_behind(at + total)?
                && total + behind.total < MAX_BLOCK
            {
                self.unlink(at + total, &behind, prev)?;
                total += behind.total;
                let split = self.state().split();
                self.state_mut().set_split(split.saturating_sub(1));
            }
            let next = if last { NIL } else { block.next };
            let head = self.state().dellink();
            self.write_deleted(at, total, head, next)?;
            let (del, empty) = (self.state().del(), self.state().empty());
            let mut state = self.state_mut();
            state.set_dellink(at);
            state.set_del(del + 1);
            state.set_empty(empty + total);
            if last {
                return Ok(());
            }
            at = next;
        }
    }

    fn update_dynamic(&mut self, pos: u64, row: &[u8]) -> Result<()> {
        let (mut offset, mut done, mut first) = (pos, 0, true);
        loop {
            let end = self.state().data_file_length();
            let block = block::read(&*self.store, offset, end, &mut self.scratch.part)?;
            let following = match (block.kind, first) {
                (BlockKind::Row, true) | (BlockKind::Last, false) => None,
                (BlockKind::First, true) | (BlockKind::Middle, false) => Some(block.next),
                (BlockKind::Deleted { .. }, true) => return Err(Error::Deleted { pos }),
                _ => return Err(Error::row(offset, "a part of a row is missing")),
            };
            first = false;
            let rest = (row.len() - done) as u64;
            let mut total = block.total;
            if total < rest {
                if offset + total == end {
                    let more = (rest - total + 3 + u64::from(rest >= LONG)).next_multiple_of(4);
                    let more = more.min(MAX_BLOCK - total);
                    if end.saturating_add(more) > self.limit() {
                        return Err(Error::DataFull);
                    }
                    self.state_mut().set_data_file_length(end + more);
                    total += more;
                } else if let Some((behind, prev)) = self.deleted_behind(offset + total)? {
                    self.unlink(offset + total, &behind, prev)?;
                    total += behind.total;
                    if total > MAX_BLOCK {
                        let excess = (total - MAX_BLOCK).max(MIN_BLOCK);
                        total -= excess;
                        self.push_deleted(offset + total, excess)?;
                    } else {
                        let split = self.state().split();
                        self.state_mut().set_split(split.saturating_sub(1));
                    }
                }
            }
            done = self.fill(offset, total, row, done, following)?;
            match (done >= row.len(), following) {
                (true, Some(next)) => return self.delete_blocks(next),
                (true, None) => return Ok(()),
                (false, Some(next)) => offset = next,
                (false, None) => break,
            }
        }
        while done < row.len() {
            let (offset, total) = self.take_block((row.len() - done) as u64)?;
            done = self.fill(offset, total, row, done, None)?;
        }
        Ok(())
    }
}

//! Replay: changed bytes on their way from the journal into the table files.
//!
//! Bytes are gathered in memory and written in the order of their offsets: a page that was changed a thousand times is written once. Only
//! bytes that the journal holds are written, never what lies between them: a write torn by the next power cut then damages
//! nothing that the next recovery would not write again.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::journal::record::AttachInfo;
use crate::options::{File, Injected, InjectedFault, Lsn};
use crate::storage::StorageFile;

const BLOCK: u64 = 8192;
/// Bytes written at a time.
const RUN: usize = 1 << 20;

/// Bytes of one block, as far as the journal knows them.
struct Block {
    bytes: Box<[u8]>,
    /// The range put last, with what it touches: where the next one mostly falls.
    last: (u32, u32),
    /// The others, apart from it and each other.
    known: Vec<(u32, u32)>,
}

impl Block {
    #[inline]
    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        let (from, to) = (at as u32, (at + bytes.len()) as u32);
        if from < self.last.0 || to > self.last.1 {
            self.learn(from, to);
        }
    }

    #[cold]
    fn learn(&mut self, mut from: u32, mut to: u32) {
        if self.last.0 < self.last.1 {
            self.known.push(self.last);
        }
        self.known.retain(|&(a, b)| {
            let apart = b < from || to < a;
            if !apart {
                (from, to) = (from.min(a), to.max(b));
            }
            apart
        });
        self.last = (from, to);
    }

    /// Forgets the bytes of a range.
    fn unlearn(&mut self, from: u32, to: u32) {
        let known = self.forget();
        self.known = known.iter().flat_map(|&(a, b)| [(a, b.min(from)), (a.max(to), b)]).collect();
        self.known.retain(|&(a, b)| a < b);
    }

    /// The ranges in order; it knows nothing then.
    fn forget(&mut self) -> Vec<(u32, u32)> {
        let mut known = std::mem::take(&mut self.known);
        known.push(std::mem::take(&mut self.last));
        known.sort_unstable();
        known
    }
}

/// Changed bytes of one file, gathered.
#[derive(Default)]
pub(crate) struct Gathered {
    blocks: HashMap<u64, Block, foldhash::fast::FixedState>,
    spare: Vec<Block>,
}

impl Gathered {
    pub(crate) fn put(&mut self, mut offset: u64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (block, at) = (offset / BLOCK, (offset % BLOCK) as usize);
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK as usize - at));
            let spare = &mut self.spare;
            let block = self.blocks.entry(block).or_insert_with(|| {
                spare.pop().unwrap_or_else(|| Block {
                    bytes: vec![0; BLOCK as usize].into_boxed_slice(),
                    last: (0, 0),
                    known: Vec::new(),
                })
            });
            block.put(at, now);
            offset += now.len() as u64;
            bytes = later;
        }
    }

    /// Moves bytes inside a block all of which are known. False, and nothing done, where that is not so.
    fn shift_known(&mut self, from: u64, to: u64, len: usize) -> bool {
        let Some(block) = self.blocks.get_mut(&(from / BLOCK)).filter(|_| to / BLOCK == from / BLOCK) else {
            return false;
        };
        let (source, place) = ((from % BLOCK) as usize, (to % BLOCK) as usize);
        let holds = |&(a, b): &(u32, u32), at: usize| a as usize <= at && at + len <= b as usize;
        let known = |at: usize| holds(&block.last, at) || block.known.iter().any(|range| holds(range, at));
        let all = known(source) && known(place);
        if all {
            block.bytes.copy_within(source..source + len, place);
        }
        all
    }

    /// Moves bytes. Where those at `from` are not known, those at `to` are not known afterwards.
    pub(crate) fn shift(&mut self, from: u64, to: u64, len: usize) {
        if self.shift_known(from, to, len) {
            return;
        }
        let mut bytes = vec![0; len];
        let known = self.known(from, &mut bytes);
        let mut at = 0;
        while at < len {
            let offset = to + at as u64;
            let place = (offset % BLOCK) as usize;
            let here = (BLOCK as usize - place).min(len - at);
            if let Some(block) = self.blocks.get_mut(&(offset / BLOCK)) {
                block.unlearn(place as u32, (place + here) as u32);
            }
            at += here;
        }
        for (a, b) in known {
            self.put(to + a as u64, &bytes[a..b]);
        }
    }

    /// Copies the bytes that are known to their places in `bytes`, which stands for those from `offset` on; returns which they are.
    fn known(&self, offset: u64, bytes: &mut [u8]) -> Vec<(usize, usize)> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            let place = ((offset + at as u64) % BLOCK) as usize;
            let here = (BLOCK as usize - place).min(bytes.len() - at);
            if let Some(block) = self.blocks.get(&((offset + at as u64) / BLOCK)) {
                for &(a, b) in block.known.iter().chain([&block.last]) {
                    let (a, b) = ((a as usize).max(place), (b as usize).min(place + here));
                    if a < b {
                        bytes[at + a - place..at + b - place].copy_from_slice(&block.bytes[a..b]);
                        found.push((at + a - place, at + b - place));
                    }
                }
            }
            at += here;
        }
        found
    }

    /// Bytes of memory it holds.
    pub(crate) fn held(&self) -> usize {
        self.blocks.len() * BLOCK as usize
    }

    /// Hands out what was gathered, by offset, and is empty then.
    fn drain(&mut self, mut with: impl FnMut(u64, &[u8]) -> Result<()>) -> Result<()> {
        let mut order: Vec<u64> = self.blocks.keys().copied().collect();
        order.sort_unstable();
        for number in order {
            let Some(mut block) = self.blocks.remove(&number) else { continue };
            for (from, to) in block.forget() {
                with(number * BLOCK + u64::from(from), &block.bytes[from as usize..to as usize])?;
            }
            self.spare.push(block);
        }
        Ok(())
    }
}

/// Changes of a table that are read before it is known whether it may be changed at all.
#[derive(Default)]
pub(crate) struct EarlyChanges {
    pub(crate) index: Gathered,
    pub(crate) data: Gathered,
    pub(crate) state: Gathered,
    pub(crate) auto_increment: u64,
}

impl EarlyChanges {
    pub(crate) fn held(&self) -> usize {
        self.index.held() + self.data.held() + self.state.held()
    }
}

/// One file being brought up to date.
pub(crate) struct ReplayFile {
    pub(crate) path: PathBuf,
    pub(crate) file: Arc<dyn StorageFile>,
    gathered: Gathered,
}

impl ReplayFile {
    pub(crate) fn new(path: PathBuf, file: Arc<dyn StorageFile>) -> ReplayFile {
        ReplayFile { path, file, gathered: Gathered::default() }
    }

    pub(crate) fn put(&mut self, offset: u64, bytes: &[u8]) {
        self.gathered.put(offset, bytes);
    }

    /// Moves bytes. What was gathered earlier may be in the file by now.
    ///
    /// # Errors
    /// `Io`, also when there are no such bytes.
    pub(crate) fn shift(&mut self, from: u64, to: u64, len: usize) -> Result<()> {
        if self.gathered.shift_known(from, to, len) {
            return Ok(());
        }
        let mut bytes = vec![0; len];
        if self.gathered.known(from, &mut bytes).iter().map(|(a, b)| b - a).sum::<usize>() < len {
            self.file.read_exact_at(&mut bytes, from).map_err(|e| Error::io(&self.path, "read", e))?;
            self.gathered.known(from, &mut bytes);
        }
        self.gathered.put(to, &bytes);
        Ok(())
    }

    /// Writes what was gathered.
    pub(crate) fn flush(&mut self) -> Result<()> {
        let (mut run, mut start) = (Vec::new(), 0);
        let ReplayFile { path, file, gathered } = self;
        let write = |run: &mut Vec<u8>, start: u64| {
            let done = if run.is_empty() { Ok(()) } else { file.write_all_at(run, start) };
            run.clear();
            done.map_err(|e| Error::io(&*path, "write", e))
        };
        gathered.drain(|offset, bytes| {
            if offset != start + run.len() as u64 || run.len() >= RUN {
                write(&mut run, start)?;
                start = offset;
            }
            run.extend_from_slice(bytes);
            Ok(())
        })?;
        write(&mut run, start)
    }

    fn sync(&self) -> Result<()> {
        self.file.sync().map_err(|e| Error::io(&self.path, "sync", e))
    }

    /// Cuts off what a statement without a commit has left, and room that was claimed beyond.
    fn cut(&self, len: u64) -> Result<()> {
        if self.file.len().map_err(|e| Error::io(&self.path, "stat", e))? >= len {
            self.file.set_len(len).map_err(|e| Error::io(&self.path, "truncate", e))?;
        }
        Ok(())
    }
}

/// A table being brought up to date.
pub(crate) struct ReplayTable {
    pub(crate) info: AttachInfo,
    /// Records before are of an earlier claim.
    pub(crate) from: Lsn,
    pub(crate) index: ReplayFile,
    pub(crate) data: ReplayFile,
    pub(crate) state: Vec<u8>,
    pub(crate) auto_increment: u64,
}

impl ReplayTable {
    pub(crate) fn file(&mut self, file: File) -> &mut ReplayFile {
        match file {
            File::Index => &mut self.index,
            File::Data => &mut self.data,
        }
    }

    /// Bytes of memory it holds.
    pub(crate) fn held(&self) -> usize {
        self.index.gathered.held() + self.data.gathered.held()
    }

    /// Takes over what was gathered early; false when it does not fit the table.
    pub(crate) fn take(&mut self, mut early: EarlyChanges) -> bool {
        self.auto_increment = early.auto_increment;
        self.index.gathered = early.index;
        self.data.gathered = early.data;
        let mut fits = true;
        let state = &mut self.state;
        let _ = early.state.drain(|offset, bytes| {
            let range = offset as usize..(offset as usize).saturating_add(bytes.len());
            match state.get_mut(range) {
                Some(place) => place.copy_from_slice(bytes),
                None => fits = false,
            }
            Ok(())
        });
        fits
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.index.flush()?;
        self.data.flush()
    }

    /// Pages durable, then the header, then the guard cleared.
    pub(crate) fn finish(&mut self, fault: Injected) -> Result<()> {
        self.flush()?;
        let ReplayTable { info, index, data, .. } = self;
        let mut state = self.state.clone();
        let put = |state: &[u8]| {
            index.file.write_all_at(state, 0).map_err(|e| Error::io(&index.path, "write", e))?;
            index.sync()
        };
        if !fault.is(InjectedFault::RecoveryUncut) {
            index.cut(info.layout.index_len(&state))?;
            data.cut(info.layout.data_len(&state))?;
        }
        if !fault.is(InjectedFault::RecoveryUnsynced) {
            data.sync()?;
        }
        info.layout.set_guard(&mut state, true, info.stamp);
        info.layout.raise_auto_increment(&mut state, self.auto_increment);
        if !fault.is(InjectedFault::RecoveryUnsynced) {
            put(&state)?;
        }
        info.layout.set_guard(&mut state, false, info.stamp);
        put(&state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Dice, MemoryStorage, OpenMode, Storage};
    use std::path::Path;

    #[test]
    fn gathered_bytes_are_those_written_one_by_one() {
        for seed in 0..20 {
            let storage = MemoryStorage::new();
            let mut dice = Dice::new(seed);
            let path = Path::new("/f");
            let file = storage.open(path, OpenMode::CreateNew).unwrap();
            let mut expected = vec![7; 60_000];
            file.write_all_at(&expected, 0).unwrap();
            let mut restored = ReplayFile::new(path.into(), file);
            for round in 0..200 {
                let from = dice.below(59_000) as usize;
                let len =
                    (1 + dice.below(if round % 9 == 0 { 20_000 } else { 40 }) as usize).min(60_000 - from);
                let byte = dice.below(256) as u8;
                expected[from..from + len].fill(byte);
                restored.put(from as u64, &vec![byte; len]);
                let (from, to) = (dice.below(50_000) as usize, dice.below(50_000) as usize);
                let len = 1 + dice.below(900) as usize;
                restored.shift(from as u64, to as u64, len).unwrap();
                expected.copy_within(from..from + len, to);
                if dice.below(50) == 0 {
                    restored.flush().unwrap();
                }
            }
            restored.flush().unwrap();
            assert!(storage.bytes(path).unwrap() == expected);
        }
    }

    /// The journal begins after the page's image: what is known is right all the same.
    #[test]
    fn bytes_moved_from_the_unknown_are_unknown() {
        let mut dice = Dice::new(3);
        for _ in 0..50 {
            let mut page: Vec<u8> = (0..20_000).map(|_| dice.below(256) as u8).collect();
            let mut gathered = Gathered::default();
            for _ in 0..dice.below(60) {
                let (from, to) = (dice.below(19_000) as usize, dice.below(19_000) as usize);
                let len = 1 + dice.below(1000) as usize;
                if dice.below(2) == 0 {
                    page.copy_within(from..from + len, to);
                    gathered.shift(from as u64, to as u64, len);
                } else {
                    let bytes: Vec<u8> = (0..len).map(|_| dice.below(256) as u8).collect();
                    page[to..to + len].copy_from_slice(&bytes);
                    gathered.put(to as u64, &bytes);
                }
            }
            let drained = gathered.drain(|offset, bytes| {
                assert!(page[offset as usize..][..bytes.len()] == *bytes);
                Ok(())
            });
            drained.unwrap();
        }
    }

    #[test]
    fn moves_inside_a_page_that_is_known() {
        let mut gathered = Gathered::default();
        gathered.put(1024, &[1; 1024]);
        gathered.put(1024 + 100, b"entry");
        gathered.shift(1024 + 100, 1024 + 110, 800);
        let mut bytes = [0; 5];
        assert_eq!(gathered.known(1024 + 110, &mut bytes), [(0, 5)]);
        assert_eq!(&bytes, b"entry");
    }
}

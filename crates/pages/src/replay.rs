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
use crate::options::{File, Lsn, Plant};
use crate::storage::StorageFile;

const BLOCK: u64 = 8192;
/// Bytes written at a time.
const RUN: usize = 1 << 20;

/// Bytes of one block, as far as the journal knows them.
struct Block {
    bytes: Box<[u8]>,
    /// Ordered and apart.
    known: Vec<(u32, u32)>,
}

impl Block {
    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        let (mut from, mut to) = (at as u32, (at + bytes.len()) as u32);
        if self.known.iter().any(|&(a, b)| a <= from && to <= b) {
            return;
        }
        self.known.retain(|&(a, b)| {
            let apart = b < from || to < a;
            if !apart {
                (from, to) = (from.min(a), to.max(b));
            }
            apart
        });
        let place = self.known.partition_point(|&(a, _)| a < from);
        self.known.insert(place, (from, to));
    }
}

/// One file being brought up to date.
pub(crate) struct Restored {
    pub(crate) path: PathBuf,
    pub(crate) file: Arc<dyn StorageFile>,
    blocks: HashMap<u64, Block, foldhash::fast::FixedState>,
    spare: Vec<Block>,
}

impl Restored {
    pub(crate) fn new(path: PathBuf, file: Arc<dyn StorageFile>) -> Restored {
        Restored { path, file, blocks: HashMap::default(), spare: Vec::new() }
    }

    pub(crate) fn put(&mut self, mut offset: u64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (block, at) = (offset / BLOCK, (offset % BLOCK) as usize);
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK as usize - at));
            let spare = &mut self.spare;
            let block = self.blocks.entry(block).or_insert_with(|| {
                spare.pop().unwrap_or_else(|| Block {
                    bytes: vec![0; BLOCK as usize].into_boxed_slice(),
                    known: Vec::new(),
                })
            });
            block.put(at, now);
            offset += now.len() as u64;
            bytes = later;
        }
    }

    /// Bytes of memory it holds.
    fn held(&self) -> usize {
        self.blocks.len() * BLOCK as usize
    }

    /// Writes what was gathered.
    pub(crate) fn flush(&mut self) -> Result<()> {
        let mut order: Vec<u64> = self.blocks.keys().copied().collect();
        order.sort_unstable();
        let (mut run, mut start) = (Vec::new(), 0);
        let write = |run: &mut Vec<u8>, start: u64| {
            let done = if run.is_empty() { Ok(()) } else { self.file.write_all_at(run, start) };
            run.clear();
            done.map_err(|e| Error::io(&self.path, "write", e))
        };
        for number in order {
            let Some(mut block) = self.blocks.remove(&number) else { continue };
            for &(from, to) in &block.known {
                let offset = number * BLOCK + u64::from(from);
                if offset != start + run.len() as u64 || run.len() >= RUN {
                    write(&mut run, start)?;
                    start = offset;
                }
                run.extend_from_slice(&block.bytes[from as usize..to as usize]);
            }
            block.known.clear();
            self.spare.push(block);
        }
        write(&mut run, start)
    }

    fn sync(&self) -> Result<()> {
        self.file.sync().map_err(|e| Error::io(&self.path, "sync", e))
    }

    /// Cuts off what a statement without a commit has left.
    fn cut(&self, len: u64) -> Result<()> {
        if self.file.len().map_err(|e| Error::io(&self.path, "stat", e))? > len {
            self.file.set_len(len).map_err(|e| Error::io(&self.path, "truncate", e))?;
        }
        Ok(())
    }
}

/// A table being brought up to date.
pub(crate) struct Replaying {
    pub(crate) info: AttachInfo,
    /// Records before are of an earlier claim.
    pub(crate) from: Lsn,
    pub(crate) index: Restored,
    pub(crate) data: Restored,
    pub(crate) state: Vec<u8>,
    pub(crate) auto_increment: u64,
}

impl Replaying {
    pub(crate) fn file(&mut self, file: File) -> &mut Restored {
        match file {
            File::Index => &mut self.index,
            File::Data => &mut self.data,
        }
    }

    /// Bytes of memory it holds.
    pub(crate) fn held(&self) -> usize {
        self.index.held() + self.data.held()
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.index.flush()?;
        self.data.flush()
    }

    /// Pages durable, then the header, then the guard cleared.
    pub(crate) fn finish(&mut self, plant: Option<Plant>) -> Result<()> {
        self.flush()?;
        let Replaying { info, index, data, .. } = self;
        let mut state = self.state.clone();
        let put = |state: &[u8]| {
            index.file.write_all_at(state, 0).map_err(|e| Error::io(&index.path, "write", e))?;
            index.sync()
        };
        if plant != Some(Plant::RecoveryUncut) {
            index.cut(info.layout.index_len(&state))?;
            data.cut(info.layout.data_len(&state))?;
        }
        if plant != Some(Plant::RecoveryUnsynced) {
            data.sync()?;
        }
        info.layout.set_guard(&mut state, true, info.stamp);
        info.layout.raise_auto_increment(&mut state, self.auto_increment);
        if plant != Some(Plant::RecoveryUnsynced) {
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
            let mut restored = Restored::new(path.into(), file);
            for round in 0..200 {
                let from = dice.below(59_000) as usize;
                let len =
                    (1 + dice.below(if round % 9 == 0 { 20_000 } else { 40 }) as usize).min(60_000 - from);
                let byte = dice.below(256) as u8;
                expected[from..from + len].fill(byte);
                restored.put(from as u64, &vec![byte; len]);
                if dice.below(50) == 0 {
                    restored.flush().unwrap();
                }
            }
            restored.flush().unwrap();
            assert!(storage.bytes(path).unwrap() == expected);
        }
    }
}

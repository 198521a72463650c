//! Sorting the entries of a key: in memory up to a budget, beyond it in runs on disk that are merged.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::KeyInfo;
use super::compare::{compare, prefix};
use crate::error::{Error, Result};

/// Bytes read ahead of each run while merging.
const READ_AHEAD: usize = 64 << 10;

/// Collects entries (flat key, row pointer), then gives them in order.
#[derive(Debug)]
pub(crate) struct EntrySorter<'k> {
    key: &'k KeyInfo,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    budget: usize,
    spill: Option<Spill>,
    tmpdir: PathBuf,
}

/// What is sorted: the key's [`prefix`], which decides most comparisons; the place of the entry and the length of its flat key.
#[derive(Clone, Copy, Debug)]
struct Entry {
    prefix: u64,
    at: u32,
    flat: u16,
}

#[derive(Debug)]
struct Spill {
    file: File,
    path: PathBuf,
    /// Where each run begins and ends.
    runs: Vec<(u64, u64)>,
    end: u64,
}

impl Drop for Spill {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn io_error(path: &Path, op: &'static str, e: io::Error) -> Error {
    Error::Pages(pages::Error::io(path, op, e))
}

/// Order of entries: by value, then by row pointer.
pub(crate) fn entry_order(key: &KeyInfo, a: (&[u8], usize), b: (&[u8], usize)) -> Ordering {
    let ((a, fa), (b, fb)) = (a, b);
    compare(key, &a[..fa], &b[..fb], key.segments.len()).then_with(|| a[fa..].cmp(&b[fb..]))
}

impl<'k> EntrySorter<'k> {
    /// Sorts in at most about `budget` bytes (but at least 64 KiB); runs go to `tmpdir`.
    pub fn new(key: &'k KeyInfo, budget: usize, tmpdir: &Path) -> EntrySorter<'k> {
        EntrySorter {
            key,
            bytes: Vec::new(),
            entries: Vec::new(),
            budget: budget.clamp(64 << 10, 1 << 31),
            spill: None,
            tmpdir: tmpdir.to_owned(),
        }
    }

    /// Takes an entry, whose flat key has length `flat`.
    pub fn push(&mut self, entry: &[u8], flat: usize) -> Result<()> {
        if self.bytes.len() + entry.len() + (self.entries.len() + 1) * size_of::<Entry>() > self.budget
            && !self.entries.is_empty()
        {
            self.write_run()?;
        }
        let prefix = prefix(self.key, &entry[..flat]);
        self.entries.push(Entry { prefix, at: self.bytes.len() as u32, flat: flat as u16 });
        self.bytes.extend_from_slice(entry);
        Ok(())
    }

    fn sort(&mut self) {
        let EntrySorter { key, bytes, entries, .. } = self;
        let tail = key.rec_ref;
        let entry = |e: &Entry| {
            let (at, flat) = (e.at as usize, usize::from(e.flat));
            (&bytes[at..at + flat + tail], flat)
        };
        entries.sort_unstable_by(|a, b| {
            a.prefix.cmp(&b.prefix).then_with(|| entry_order(key, entry(a), entry(b)))
        });
        debug_assert!(entries.is_sorted_by(|a, b| entry_order(key, entry(a), entry(b)).is_le()));
    }

    fn spill(&mut self) -> Result<&mut Spill> {
        let spill = match self.spill.take() {
            Some(spill) => spill,
            None => {
                use std::sync::atomic::{AtomicU64, Ordering};
                static NUMBER: AtomicU64 = AtomicU64::new(0);
                let n = NUMBER.fetch_add(1, Ordering::Relaxed);
                let path = self.tmpdir.join(format!("isambard-sort-{}-{n}", std::process::id()));
                let file = File::options().read(true).write(true).create_new(true).open(&path);
                let file = file.map_err(|e| io_error(&path, "create", e))?;
                Spill { file, path, runs: Vec::new(), end: 0 }
            }
        };
        Ok(self.spill.insert(spill))
    }

    fn write_run(&mut self) -> Result<()> {
        self.sort();
        let (entries, bytes) = (std::mem::take(&mut self.entries), std::mem::take(&mut self.bytes));
        let tail = self.key.rec_ref;
        self.write_sorted(|put| {
            entries.iter().try_for_each(|e| {
                let (at, flat) = (e.at as usize, usize::from(e.flat));
                put(&bytes[at..at + flat + tail], flat)
            })
        })?;
        (self.entries, self.bytes) = (entries, bytes);
        self.entries.clear();
        self.bytes.clear();
        Ok(())
    }

    /// Writes a run of entries that `produce` puts out in order: bytes, and length of the flat key.
    pub fn write_sorted(
        &mut self,
        produce: impl FnOnce(&mut dyn FnMut(&[u8], usize) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        let spill = self.spill()?;
        let mut out = Vec::with_capacity(READ_AHEAD + 2048);
        let begin = spill.end;
        let mut end = begin;
        produce(&mut |entry, flat| {
            out.extend_from_slice(&(entry.len() as u16).to_le_bytes());
            out.extend_from_slice(&(flat as u16).to_le_bytes());
            out.extend_from_slice(entry);
            if out.len() >= READ_AHEAD {
                spill.file.write_all(&out).map_err(|e| io_error(&spill.path, "write", e))?;
                end += out.len() as u64;
                out.clear();
            }
            Ok(())
        })?;
        spill.file.write_all(&out).map_err(|e| io_error(&spill.path, "write", e))?;
        end += out.len() as u64;
        spill.runs.push((begin, end));
        spill.end = end;
        Ok(())
    }

    /// Were runs written?
    pub fn has_spilled(&self) -> bool {
        self.spill.is_some()
    }

    /// Hands all entries to `f` in order: bytes and length of the flat key.
    pub fn finish(mut self, f: impl FnMut(&[u8], usize) -> Result<()>) -> Result<()> {
        self.drain(f)
    }

    /// As [`EntrySorter::finish`], of a sorter that others hold, too.
    pub fn drain(&mut self, mut f: impl FnMut(&[u8], usize) -> Result<()>) -> Result<()> {
        if self.spill.is_none() {
            self.sort();
            for &Entry { at, flat, .. } in &self.entries {
                let (at, flat) = (at as usize, usize::from(flat));
                f(&self.bytes[at..at + flat + self.key.rec_ref], flat)?;
            }
            return Ok(());
        }
        if !self.entries.is_empty() {
            self.write_run()?;
        }
        self.bytes = Vec::new();
        let key = self.key;
        let Some(spill) = &mut self.spill else { return Ok(()) };
        let mut runs = Vec::new();
        for (begin, end) in std::mem::take(&mut spill.runs) {
            let mut run = Run { at: begin, end, buffer: Vec::new(), next: 0 };
            if run.refill(spill)? {
                runs.push(run);
            }
        }
        // A heap by hand: few runs, so that the smallest is found by a walk over a sorted list.
        runs.sort_by(|a, b| entry_order(key, b.entry(), a.entry()));
        while let Some(mut run) = runs.pop() {
            let (entry, flat) = run.entry();
            f(entry, flat)?;
            if run.advance(spill)? {
                let at =
                    runs.partition_point(|r| entry_order(key, r.entry(), run.entry()) == Ordering::Greater);
                runs.insert(at, run);
            }
        }
        Ok(())
    }
}

/// A run being read.
#[derive(Debug)]
struct Run {
    at: u64,
    end: u64,
    buffer: Vec<u8>,
    next: usize,
}

impl Run {
    fn entry(&self) -> (&[u8], usize) {
        let head = &self.buffer[self.next..];
        let length = usize::from(u16::from_le_bytes([head[0], head[1]]));
        (&head[4..4 + length], usize::from(u16::from_le_bytes([head[2], head[3]])))
    }

    fn is_whole(&self) -> bool {
        match self.buffer.get(self.next..) {
            Some([a, b, _, _, rest @ ..]) => rest.len() >= usize::from(u16::from_le_bytes([*a, *b])),
            _ => false,
        }
    }

    fn advance(&mut self, spill: &mut Spill) -> Result<bool> {
        self.next += 4 + self.entry().0.len();
        if self.is_whole() { Ok(true) } else { self.refill(spill) }
    }

    fn refill(&mut self, spill: &mut Spill) -> Result<bool> {
        self.buffer.drain(..self.next);
        self.next = 0;
        let want = READ_AHEAD.min((self.end - self.at) as usize);
        let old = self.buffer.len();
        self.buffer.resize(old + want, 0);
        let read = spill
            .file
            .seek(SeekFrom::Start(self.at))
            .and_then(|_| spill.file.read_exact(&mut self.buffer[old..]));
        read.map_err(|e| io_error(&spill.path, "read", e))?;
        self.at += want as u64;
        Ok(self.is_whole())
    }
}

//! Entries of a key in sorted runs, in memory and on disk, and how they are merged.

use std::fs::File;
use std::hint::select_unpredictable;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::KeyInfo;
use super::sort::{Entries, Weighed};
use super::weights::{common_from, digit, put_weights};
use crate::error::{Error, Result};

/// Bytes read ahead of each run while merging.
const READ_AHEAD: usize = 64 << 10;

/// Bytes in front of an entry in a run: its length, how many of its weights follow, and how many before these are those of the entry before.
const HEAD: usize = 6;

fn io_error(path: &Path, op: &'static str, e: io::Error) -> Error {
    Error::Pages(pages::Error::io(path, op, e))
}

/// Writes a run.
#[derive(Default)]
struct RunWriter {
    /// The weights of the entry before.
    before: Vec<u8>,
}

impl RunWriter {
    fn put(&mut self, e: Weighed<'_>, run: &mut Vec<u8>) {
        let shared = common_from(&self.before, e.weights, 0);
        let rest = &e.weights[shared..];
        let [a, b] = (e.entry.len() as u16).to_le_bytes();
        let [c, d] = (rest.len() as u16).to_le_bytes();
        let [x, y] = (shared as u16).to_le_bytes();
        run.extend_from_slice(&[a, b, c, d, x, y]);
        run.extend_from_slice(e.entry);
        run.extend_from_slice(rest);
        self.before.truncate(shared);
        self.before.extend_from_slice(rest);
    }
}

/// A file of runs, gone when it is dropped.
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

impl Spill {
    fn create(tmpdir: &Path) -> Result<Spill> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let n = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = tmpdir.join(format!("isambard-sort-{}-{n}", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        let file = file.map_err(|e| io_error(&path, "create", e))?;
        Ok(Spill { file, path, runs: Vec::new(), end: 0 })
    }

    /// Writes a run.
    fn append(&mut self, run: &[u8]) -> Result<()> {
        let begin = self.end;
        self.write(run)?;
        self.runs.push((begin, self.end));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(|e| io_error(&self.path, "write", e))?;
        self.end += bytes.len() as u64;
        Ok(())
    }
}

/// Sorted runs of entries.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    memory: Vec<Vec<u8>>,
    /// Bytes of those in memory.
    held: usize,
    spill: Option<Spill>,
}

impl Runs {
    /// Entries that are sorted, as a run.
    pub fn of(entries: &Entries) -> Vec<u8> {
        let mut run = Vec::with_capacity(entries.run_size(HEAD));
        let mut writer = RunWriter::default();
        let filled = entries.each(|e| {
            writer.put(e, &mut run);
            Ok(())
        });
        debug_assert!(filled.is_ok());
        run
    }

    /// Takes a run, which stays in memory.
    pub fn add(&mut self, run: Vec<u8>) {
        self.held += run.len();
        self.memory.push(run);
    }

    /// Bytes of runs in memory.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty() && self.spill.is_none()
    }

    fn spill(&mut self, tmpdir: &Path) -> Result<&mut Spill> {
        let spill = match self.spill.take() {
            Some(spill) => spill,
            None => Spill::create(tmpdir)?,
        };
        Ok(self.spill.insert(spill))
    }

    /// Sends all runs in memory to the disk. Those for which there is no room stay, and no more may be sent.
    pub fn send_away(&mut self, tmpdir: &Path) -> Result<()> {
        while let Some(run) = self.memory.pop() {
            let written = self.spill(tmpdir).and_then(|spill| spill.append(&run));
            if written.is_err() {
                self.memory.push(run);
                return written;
            }
            self.held -= run.len();
        }
        Ok(())
    }

    /// Writes a run of entries that `produce` puts out in order: bytes, and length of the flat key.
    pub fn write(
        &mut self,
        key: &KeyInfo,
        tmpdir: &Path,
        produce: impl FnOnce(&mut dyn FnMut(&[u8], usize) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        let spill = self.spill(tmpdir)?;
        let mut out = Vec::with_capacity(READ_AHEAD + 2048);
        let (mut writer, mut weights) = (RunWriter::default(), Vec::new());
        let begin = spill.end;
        produce(&mut |entry, flat| {
            weights.clear();
            put_weights(key, entry, flat, &mut weights);
            writer.put(Weighed { entry, weights: &weights }, &mut out);
            if out.len() >= READ_AHEAD {
                spill.write(&out)?;
                out.clear();
            }
            Ok(())
        })?;
        spill.write(&out)?;
        spill.runs.push((begin, spill.end));
        Ok(())
    }

    /// Hands all entries to `f` in order, with the number of their weights that are those of the entry before.
    pub fn merge(&mut self, mut f: impl FnMut(Weighed<'_>, usize) -> Result<()>) -> Result<()> {
        let mut runs = Vec::new();
        for buffer in std::mem::take(&mut self.memory) {
            runs.push(Run { buffer, ..Run::default() });
        }
        self.held = 0;
        let mut spill = self.spill.take();
        if let Some(spill) = &mut spill {
            for (at, end) in std::mem::take(&mut spill.runs) {
                let mut run = Run { at, end, ..Run::default() };
                run.refill(spill)?;
                runs.push(run);
            }
        }
        runs.retain_mut(Run::begin);
        let mut heads = Heads::of(&runs);
        let mut before: Vec<u8> = Vec::new();
        while let Some(run) = runs.get_mut(heads.first.run) {
            let known = heads.first.shared().min(run.weights.len());
            let shared = common_from(&before, &run.weights, known);
            f(run.weighed(), shared)?;
            before.clear();
            before.extend_from_slice(&run.weights);
            let mut next = Head::NONE;
            if run.advance(spill.as_mut())? {
                next = Head::of(heads.first.run, &run.weights, run.shared);
            } else {
                // its room is of use to others
                run.buffer = Vec::new();
            }
            heads.replace(next, &runs);
        }
        Ok(())
    }
}

/// Bytes of weights that are compared as one number.
const DIGIT: usize = 6;

/// The entry at the head of a run, seen from an entry before it: in how many digits its weights begin as those do, and the digit behind
/// them. Of two entries seen from the same one, the smaller code stands before the larger one. The larger one then differs from the smaller
/// one where it differs from the entry before, and has the same code seen from there.
#[derive(Clone, Copy, Debug)]
struct Head {
    code: u64,
    run: usize,
}

impl Head {
    /// That of a run at its end.
    const NONE: Head = Head { code: u64::MAX, run: usize::MAX };

    /// More than there are digits in the weights of an entry.
    const FAR: u64 = 0x7FFF;

    #[inline]
    fn of(run: usize, weights: &[u8], shared: usize) -> Head {
        // no weights begin others: where they end, they are the same
        let digits = if shared < weights.len() { shared / DIGIT } else { shared.div_ceil(DIGIT) };
        let near = Head::FAR - digits as u64;
        Head { code: near << 48 | digit(weights, digits * DIGIT) >> 16, run }
    }

    /// The number of bytes that are known to be the same.
    fn shared(self) -> usize {
        (Head::FAR - (self.code >> 48)) as usize * DIGIT
    }
}

/// The heads of all runs, as in a tournament: each node has the one that lost there, seen from the one that won.
struct Heads {
    /// The one that stands before all others.
    first: Head,
    /// From 1 on; the runs are the leaves.
    losers: Vec<Head>,
}

impl Heads {
    fn of(runs: &[Run]) -> Heads {
        let mut heads = Heads { first: Head::NONE, losers: vec![Head::NONE; runs.len()] };
        heads.first = heads.begin(1, runs);
        heads
    }

    /// Has all runs below a node meet; gives the first.
    fn begin(&mut self, node: usize, runs: &[Run]) -> Head {
        let count = runs.len();
        if node >= count {
            return runs.get(node - count).map_or(Head::NONE, |run| Head::of(node - count, &run.weights, 0));
        }
        let (a, b) = (self.begin(2 * node, runs), self.begin(2 * node + 1, runs));
        let (won, lost) = meet(a, b, runs);
        self.losers[node] = lost;
        won
    }

    /// What comes next of the run whose head was the first.
    #[inline]
    fn replace(&mut self, next: Head, runs: &[Run]) {
        let mut head = next;
        let mut node = (self.first.run + runs.len()) / 2;
        while node > 0 {
            (head, self.losers[node]) = meet(head, self.losers[node], runs);
            node /= 2;
        }
        self.first = head;
    }
}

/// Which of two heads, seen from the same entry, stands before the other; that one then is seen from the winner.
#[inline]
fn meet(a: Head, b: Head, runs: &[Run]) -> (Head, Head) {
    if a.code == b.code {
        return meet_alike(a, b, runs);
    }
    // which one it is cannot be guessed
    let first = a.code < b.code;
    (select_unpredictable(first, a, b), select_unpredictable(first, b, a))
}

/// As [`meet`], of two with the same code.
#[cold]
fn meet_alike(a: Head, b: Head, runs: &[Run]) -> (Head, Head) {
    let (Some(v), Some(w)) = (runs.get(a.run), runs.get(b.run)) else { return (a, b) };
    let (v, w) = (&v.weights[..], &w.weights[..]);
    let shared = common_from(v, w, (a.shared() + DIGIT).min(v.len()).min(w.len()));
    if v.get(shared) <= w.get(shared) {
        (a, Head::of(b.run, w, shared))
    } else {
        (b, Head::of(a.run, v, shared))
    }
}

/// A run being read: from a file, or all of it in memory.
#[derive(Debug, Default)]
struct Run {
    at: u64,
    end: u64,
    buffer: Vec<u8>,
    next: usize,
    /// Bytes of the entry at hand.
    entry: usize,
    /// Its weights, and how many of them are those of the entry before.
    weights: Vec<u8>,
    shared: usize,
}

impl Run {
    /// A number of the head of the entry that is next.
    #[inline]
    fn number(&self, n: usize) -> usize {
        let at = self.next + 2 * n;
        usize::from(u16::from_le_bytes([self.buffer[at], self.buffer[at + 1]]))
    }

    #[inline]
    fn weighed(&self) -> Weighed<'_> {
        Weighed { entry: &self.buffer[self.next..self.next + self.entry], weights: &self.weights }
    }

    #[inline]
    fn is_whole(&self) -> bool {
        let rest = self.buffer.len() - self.next;
        rest >= HEAD && rest - HEAD >= self.number(0) + self.number(1)
    }

    /// Takes up the entry that is next, if there is one: `next` is its place from now on.
    #[inline]
    fn begin(&mut self) -> bool {
        if !self.is_whole() {
            return false;
        }
        let (entry, more, shared) = (self.number(0), self.number(1), self.number(2));
        let start = self.next + HEAD;
        self.weights.truncate(shared);
        self.weights.extend_from_slice(&self.buffer[start + entry..start + entry + more]);
        (self.next, self.entry, self.shared) = (start, entry, shared);
        true
    }

    #[inline]
    fn advance(&mut self, spill: Option<&mut Spill>) -> Result<bool> {
        self.next += self.entry + self.weights.len() - self.shared;
        match spill {
            _ if self.is_whole() => {}
            Some(spill) if self.at < self.end => {
                self.refill(spill)?;
            }
            _ => return Ok(false),
        }
        Ok(self.begin())
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

/// Collects entries (flat key, row pointer), then gives them in order. One thread does all of it.
#[derive(Debug)]
pub(crate) struct EntrySorter<'k> {
    key: &'k KeyInfo,
    runs: Runs,
    tmpdir: PathBuf,
}

impl<'k> EntrySorter<'k> {
    /// Runs go to `tmpdir`.
    pub fn new(key: &'k KeyInfo, tmpdir: &Path) -> EntrySorter<'k> {
        EntrySorter { key, runs: Runs::default(), tmpdir: tmpdir.to_owned() }
    }

    /// Writes a run of entries that `produce` puts out in order: bytes, and length of the flat key.
    pub fn write_sorted(
        &mut self,
        produce: impl FnOnce(&mut dyn FnMut(&[u8], usize) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        self.runs.write(self.key, &self.tmpdir, produce)
    }

    /// Were runs written?
    pub fn has_spilled(&self) -> bool {
        !self.runs.is_empty()
    }

    /// Hands all entries to `f` in order: bytes and length of the flat key.
    pub fn drain(&mut self, mut f: impl FnMut(&[u8], usize) -> Result<()>) -> Result<()> {
        let tail = self.key.rec_ref;
        self.runs.merge(|e, _| f(e.entry, e.entry.len() - tail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries come in the order of their weights whatever run they are in, each with the number of bytes that it shares with the one before.
    #[test]
    fn runs_are_merged_in_order() {
        let mut seed = 5u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for (count, longest, spread) in
            [(0, 1, 1), (1, 5, 3), (2, 30, 2), (3, 9, 3), (7, 40, 2), (16, 3, 250), (33, 13, 9)]
        {
            let mut all: Vec<Vec<u8>> = Vec::new();
            let mut runs = Runs::default();
            for run in 0..count {
                // none begins another, and none is there twice
                let mut list: Vec<Vec<u8>> = (0..next(300))
                    .map(|n| {
                        let mut weights: Vec<u8> =
                            (0..next(longest)).map(|_| next(spread) as u8 + 1).collect();
                        weights.push(0);
                        weights.extend((run << 16 | n as u32).to_be_bytes());
                        weights
                    })
                    .collect();
                list.sort();
                let (mut writer, mut bytes) = (RunWriter::default(), Vec::new());
                for weights in &list {
                    writer.put(Weighed { entry: &weights[weights.len() - 4..], weights }, &mut bytes);
                }
                runs.add(bytes);
                all.extend(list);
            }
            all.sort();
            let (mut before, mut found) = (Vec::new(), 0);
            let merged = runs.merge(|e, shared| {
                assert_eq!(e.weights, all[found]);
                assert_eq!(e.entry, &e.weights[e.weights.len() - 4..]);
                assert_eq!(shared, common_from(&before, e.weights, 0));
                before = e.weights.to_vec();
                found += 1;
                Ok(())
            });
            assert!(merged.is_ok());
            assert_eq!(found, all.len(), "{count} {longest} {spread}");
        }
    }
}

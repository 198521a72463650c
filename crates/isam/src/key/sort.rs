//! Sorting the entries of a key: in memory up to a budget, beyond it in runs on disk that are merged.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::KeyInfo;
use super::compare::compare;
use super::digit::{Place, Rest, digit};
use crate::error::{Error, Result};

/// Bytes read ahead of each run while merging.
const READ_AHEAD: usize = 64 << 10;

/// Entries of a key (flat key, row pointer) in memory, to be sorted.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    bytes: Vec<u8>,
    list: Vec<Entry>,
}

/// What is sorted: a [`digit`] of the key, at first the first; the place of the entry and the length of its flat key.
#[derive(Clone, Copy, Debug)]
struct Entry {
    digit: u64,
    at: u32,
    flat: u16,
}

impl Entries {
    /// The most bytes of entries that are kept together.
    pub const MOST: usize = 1 << 31;

    /// Takes an entry, whose flat key has length `flat`.
    #[inline]
    pub fn push(&mut self, key: &KeyInfo, entry: &[u8], flat: usize) {
        let (digit, _) = digit(key, &entry[..flat], Place::default());
        self.list.push(Entry { digit, at: self.bytes.len() as u32, flat: flat as u16 });
        self.bytes.extend_from_slice(entry);
    }

    /// Forgets the entry taken last.
    pub fn pop(&mut self) {
        if let Some(last) = self.list.pop() {
            self.bytes.truncate(last.at as usize);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Bytes they take in memory.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.list.len() * size_of::<Entry>()
    }

    /// Bytes they would take with an entry of so many bytes more.
    fn size_with(&self, entry: usize) -> usize {
        self.size() + entry + size_of::<Entry>()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.list.clear();
    }

    /// Puts them in order. More may come only after [`Entries::clear`].
    pub fn sort(&mut self, key: &KeyInfo) {
        let sorting = Sorting { key, bytes: &self.bytes };
        sorting.by_digits(&mut self.list, Place::default(), None);
        debug_assert!(self.list.is_sorted_by(|a, b| sorting.order(a, b).is_le()));
    }

    /// Hands over each entry with the length of its flat key.
    fn each(&self, key: &KeyInfo, mut f: impl FnMut(&[u8], usize) -> Result<()>) -> Result<()> {
        let mut fetched = Fetched::default();
        self.list.chunks(Fetched::MANY).try_for_each(|some| {
            fetched.fetch(self, some, key.rec_ref);
            fetched.each(&mut f)
        })
    }

    /// Each entry with the length of its flat key.
    pub fn iter(&self, key: &KeyInfo) -> impl Iterator<Item = (&[u8], usize)> {
        let tail = key.rec_ref;
        self.list.iter().map(move |e| {
            let (at, flat) = (e.at as usize, usize::from(e.flat));
            (&self.bytes[at..at + flat + tail], flat)
        })
    }
}

/// Entries that are taken out in order, a few at a time: they lie anywhere in memory, and the processor fetches several at once if nothing
/// else is done between.
#[derive(Default)]
struct Fetched {
    bytes: Vec<u8>,
    /// Where each ends, and the length of its flat key.
    ends: Vec<(usize, usize)>,
}

impl Fetched {
    const MANY: usize = 64;

    fn fetch(&mut self, entries: &Entries, list: &[Entry], tail: usize) {
        self.bytes.clear();
        self.ends.clear();
        for e in list {
            let (at, flat) = (e.at as usize, usize::from(e.flat));
            self.bytes.extend_from_slice(&entries.bytes[at..at + flat + tail]);
            self.ends.push((self.bytes.len(), flat));
        }
    }

    fn each(&self, f: &mut impl FnMut(&[u8], usize) -> Result<()>) -> Result<()> {
        let mut start = 0;
        for &(end, flat) in &self.ends {
            f(&self.bytes[start..end], flat)?;
            start = end;
        }
        Ok(())
    }
}

/// Entries that are being sorted: by their first digits, those with the same by the next ones, and so on.
struct Sorting<'a> {
    key: &'a KeyInfo,
    bytes: &'a [u8],
}

impl Sorting<'_> {
    /// So few entries are compared at once.
    const FEW: usize = 6;

    fn entry(&self, e: &Entry) -> (&[u8], usize) {
        let (at, flat) = (e.at as usize, usize::from(e.flat));
        (&self.bytes[at..at + flat + self.key.rec_ref], flat)
    }

    fn order(&self, a: &Entry, b: &Entry) -> Ordering {
        entry_order(self.key, self.entry(a), self.entry(b))
    }

    /// Sorts entries that are the same before `place` and have its digits. `more`, where known: values go on behind these.
    fn by_digits(&self, list: &mut [Entry], place: Place, more: Option<bool>) {
        list.sort_unstable_by_key(|e| e.digit);
        for same in list.chunk_by_mut(|a, b| a.digit == b.digit).filter(|same| same.len() > 1) {
            self.same(same, place, more);
        }
    }

    /// Sorts entries that are the same up to the digit at `place`.
    fn same(&self, list: &mut [Entry], mut place: Place, more: Option<bool>) {
        let compare = |list: &mut [Entry]| list.sort_unstable_by(|a, b| self.order(a, b));
        if list.len() <= Self::FEW {
            return compare(list);
        }
        let Some(mut more) = more.or_else(|| self.look_at(list, place)) else { return compare(list) };
        loop {
            place = place.next(self.key, more);
            if place.part >= self.key.segments.len() {
                return list.sort_unstable_by(|a, b| self.pointer(a).cmp(self.pointer(b)));
            }
            let looked = self.look_at(list, place);
            if looked.is_none() && !place.is_first() {
                return compare(list);
            }
            match looked {
                // what is the same here, too, goes on as it is
                Some(m) if list.iter().all(|e| e.digit == list[0].digit) => more = m,
                _ => return self.by_digits(list, place, looked),
            }
        }
    }

    /// Finds the digits at `place`. Says whether a value goes on behind; nothing where comparisons must tell.
    fn look_at(&self, list: &mut [Entry], place: Place) -> Option<bool> {
        let mut more = Some(false);
        for e in list {
            let (bytes, flat) = self.entry(e);
            let (digit, rest) = digit(self.key, &bytes[..flat], place);
            e.digit = digit;
            more = more.filter(|_| rest != Rest::Unknown).map(|m| m | (rest == Rest::More));
        }
        more
    }

    fn pointer(&self, e: &Entry) -> &[u8] {
        let (bytes, flat) = self.entry(e);
        &bytes[flat..]
    }
}

/// Collects entries (flat key, row pointer), then gives them in order.
#[derive(Debug)]
pub(crate) struct EntrySorter<'k> {
    key: &'k KeyInfo,
    entries: Entries,
    budget: usize,
    spill: Option<Spill>,
    tmpdir: PathBuf,
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
            entries: Entries::default(),
            budget: budget.clamp(64 << 10, Entries::MOST),
            spill: None,
            tmpdir: tmpdir.to_owned(),
        }
    }

    /// Takes an entry, whose flat key has length `flat`.
    pub fn push(&mut self, entry: &[u8], flat: usize) -> Result<()> {
        if self.entries.size_with(entry.len()) > self.budget && !self.entries.is_empty() {
            self.write_run()?;
        }
        self.entries.push(self.key, entry, flat);
        Ok(())
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
        let key = self.key;
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort(key);
        self.write_sorted(|put| entries.each(key, put))?;
        entries.clear();
        self.entries = entries;
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
            self.entries.sort(self.key);
            return self.entries.each(self.key, f);
        }
        if !self.entries.is_empty() {
            self.write_run()?;
        }
        self.entries = Entries::default();
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

//! Sorting entries of a key in memory, by their weights ([`super::weights`]).

use super::KeyInfo;
use super::weights::{digit, put_weights};
use crate::error::Result;

/// Entries of a key (flat key, row pointer) in memory, to be sorted.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// Of each entry its bytes, and its weights behind them.
    bytes: Vec<u8>,
    list: Vec<Place>,
}

/// What is sorted: eight bytes of an entry's weights, at first the first; where the entry lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    digit: u64,
    at: u32,
    /// Bytes of the entry, which its weights follow.
    len: u16,
    weights: u16,
}

/// An entry with its weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighed<'e> {
    /// Flat key and row pointer.
    pub entry: &'e [u8],
    /// The weights of both.
    pub weights: &'e [u8],
}

impl Entries {
    /// Takes an entry, whose flat key has length `flat`.
    #[inline]
    pub fn push(&mut self, key: &KeyInfo, entry: &[u8], flat: usize) {
        let at = self.bytes.len();
        self.bytes.extend_from_slice(entry);
        let start = self.bytes.len();
        put_weights(key, entry, flat, &mut self.bytes);
        // those of the longest keys are not near 64 KiB, whatever their collation
        let weights = &self.bytes[start..];
        let (len, digit) = (entry.len() as u16, digit(weights, 0));
        self.list.push(Place { digit, at: at as u32, len, weights: weights.len() as u16 });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The flat key of the entry taken last.
    pub fn last(&self, key: &KeyInfo) -> Option<&[u8]> {
        let last = self.list.last()?;
        self.bytes.get(last.at as usize..last.at as usize + usize::from(last.len) - key.rec_ref)
    }

    /// The weights of the entry taken last, without those of its row pointer of `tail` bytes.
    pub fn last_weights(&self, tail: usize) -> &[u8] {
        let weights = self.list.last().map_or(0, |last| usize::from(last.weights));
        let end = self.bytes.len() - tail.min(weights);
        &self.bytes[self.bytes.len() - weights..end]
    }

    /// Forgets the entry taken last.
    pub fn pop(&mut self) {
        if let Some(last) = self.list.pop() {
            self.bytes.truncate(last.at as usize);
        }
    }

    /// Bytes they take in memory.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.list.len() * size_of::<Place>()
    }

    /// Bytes they take as a run, with so many in front of each.
    pub fn run_size(&self, head: usize) -> usize {
        self.bytes.len() + self.list.len() * head
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.list.clear();
    }

    /// Puts them in order. More may come only after [`Entries::clear`].
    pub fn sort(&mut self) {
        let sorting = Sorting { bytes: &self.bytes };
        sorting.by_digits(&mut self.list, 0);
        debug_assert!(self.list.is_sorted_by(|a, b| sorting.weights(a) <= sorting.weights(b)));
    }

    /// Hands over each entry in order.
    pub fn each(&self, mut f: impl FnMut(Weighed<'_>) -> Result<()>) -> Result<()> {
        let mut fetched = Fetched::default();
        self.list.chunks(Fetched::MANY).try_for_each(|some| {
            fetched.fetch(self, some);
            fetched.each(&mut f)
        })
    }

    /// Each entry with the length of its flat key.
    pub fn iter(&self, key: &KeyInfo) -> impl Iterator<Item = (&[u8], usize)> {
        let tail = key.rec_ref;
        self.list.iter().map(move |e| {
            let (at, len) = (e.at as usize, usize::from(e.len));
            (&self.bytes[at..at + len], len - tail)
        })
    }
}

/// Entries that are taken out in order, a few at a time: they lie anywhere in memory, and the processor fetches several at once if nothing
/// else is done between.
#[derive(Default)]
struct Fetched {
    bytes: Vec<u8>,
    /// Where each entry ends, and its weights.
    ends: Vec<(usize, usize)>,
}

impl Fetched {
    const MANY: usize = 64;

    fn fetch(&mut self, entries: &Entries, list: &[Place]) {
        self.bytes.clear();
        self.ends.clear();
        for e in list {
            let (at, len, start) = (e.at as usize, usize::from(e.len), self.bytes.len());
            self.bytes.extend_from_slice(&entries.bytes[at..at + len + usize::from(e.weights)]);
            self.ends.push((start + len, self.bytes.len()));
        }
    }

    fn each(&self, f: &mut impl FnMut(Weighed<'_>) -> Result<()>) -> Result<()> {
        let mut start = 0;
        for &(entry, end) in &self.ends {
            f(Weighed { entry: &self.bytes[start..entry], weights: &self.bytes[entry..end] })?;
            start = end;
        }
        Ok(())
    }
}

/// Entries that are being sorted: by their first eight bytes of weights, those with the same by the next ones, and so on.
struct Sorting<'a> {
    bytes: &'a [u8],
}

impl Sorting<'_> {
    /// So few entries are compared at once.
    const FEW: usize = 12;

    #[inline]
    fn weights(&self, e: &Place) -> &[u8] {
        let start = e.at as usize + usize::from(e.len);
        &self.bytes[start..start + usize::from(e.weights)]
    }

    /// Sorts entries that are the same before `at` and have the digits from there.
    fn by_digits(&self, list: &mut [Place], at: usize) {
        list.sort_unstable_by_key(|e| e.digit);
        for same in list.chunk_by_mut(|a, b| a.digit == b.digit).filter(|same| same.len() > 1) {
            self.same(same, at + size_of::<u64>());
        }
    }

    /// Sorts entries that are the same before `at`.
    fn same(&self, list: &mut [Place], mut at: usize) {
        while list.len() > Self::FEW {
            let (mut differ, mut more) = (0, false);
            let first = digit(self.weights(&list[0]), at);
            for e in list.iter_mut() {
                let weights = self.weights(e);
                e.digit = digit(weights, at);
                differ |= e.digit ^ first;
                more |= weights.len() > at;
            }
            match differ {
                0 if more => at += size_of::<u64>(),
                0 => return,
                _ => return self.by_digits(list, at),
            }
        }
        list.sort_unstable_by(|a, b| {
            let (a, b) = (self.weights(a), self.weights(b));
            digit(a, at).cmp(&digit(b, at)).then_with(|| a.get(at..).cmp(&b.get(at..)))
        });
    }
}

//! What a writer did to a page, as the journal is told: bytes that were moved inside it, and ranges that were written.

/// Bytes of a journal entry before those that it sets (docs/format/journal.md).
pub(crate) const ENTRY_HEAD: usize = 12;
/// Bytes of a journal entry that moves some.
const MOVE_ENTRY: usize = 16;

/// Dirty byte ranges of a page; neighbours are joined when there is no room for more.
#[derive(Clone, Copy, Default)]
struct Ranges {
    count: u8,
    ranges: [(u32, u32); Ranges::ROOM],
}

impl Ranges {
    const ROOM: usize = 6;
    /// Ranges nearer than this are logged as one.
    const NEAR: u32 = ENTRY_HEAD as u32;

    fn add(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let (mut from, mut to) = (from as u32, to as u32);
        let mut kept = 0;
        for i in 0..self.count as usize {
            let (a, b) = self.ranges[i];
            if from <= b.saturating_add(Ranges::NEAR) && a <= to.saturating_add(Ranges::NEAR) {
                (from, to) = (from.min(a), to.max(b));
            } else {
                self.ranges[kept] = (a, b);
                kept += 1;
            }
        }
        if kept < Ranges::ROOM {
            self.ranges[kept] = (from, to);
            self.count = kept as u8 + 1;
            return;
        }
        // Full: join with the nearest.
        let gap = |&(a, b): &(u32, u32)| if a > to { a - to } else { from.saturating_sub(b) };
        let nearest = (0..kept).min_by_key(|&i| gap(&self.ranges[i])).unwrap_or(0);
        let (a, b) = self.ranges[nearest];
        self.ranges[nearest] = (a.min(from), b.max(to));
        self.count = kept as u8;
    }

    fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.ranges[..self.count as usize].iter().map(|&(a, b)| (a as usize, b as usize))
    }
}

/// Bytes that were moved inside a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Move {
    from: u16,
    to: u16,
    len: u16,
}

impl Move {
    /// What is shorter is logged as bytes.
    const SHORTEST: usize = 24;

    pub(crate) fn from(self) -> usize {
        usize::from(self.from)
    }

    pub(crate) fn to(self) -> usize {
        usize::from(self.to)
    }

    pub(crate) fn len(self) -> usize {
        usize::from(self.len)
    }
}

/// Changes of a page since the version it was copied from: that version with `moves` carried out one after the other differs from the page in
/// `ranges` only.
///
/// An entry that is put into a sorted page moves all behind it. The journal then has the move and the entry, in place of half of the page.
#[derive(Clone, Copy, Default)]
pub(crate) struct Changes {
    ranges: Ranges,
    count: u8,
    moves: [Move; Changes::MOVES],
}

impl Changes {
    const MOVES: usize = 4;

    /// The bytes of a range were written.
    #[inline]
    pub(crate) fn wrote(&mut self, from: usize, to: usize) {
        self.ranges.add(from, to);
    }

    /// `len` bytes at `from` were copied to `to`.
    pub(crate) fn moved(&mut self, from: usize, to: usize, len: usize) {
        let room = usize::from(self.count) < Changes::MOVES;
        let made = (u16::try_from(from), u16::try_from(to), u16::try_from(len));
        let (true, true, (Ok(from_u16), Ok(to_u16), Ok(len_u16))) = (room, len >= Move::SHORTEST, made)
        else {
            self.ranges.add(to, to + len);
            return;
        };
        self.moves[usize::from(self.count)] = Move { from: from_u16, to: to_u16, len: len_u16 };
        self.count += 1;
        // What the moves alone do not explain went along. (The places it left stay noted, which is never wrong.)
        let written = self.ranges;
        for (a, b) in written.iter() {
            let (a, b) = (a.max(from), b.min(from + len));
            if a < b {
                self.ranges.add(to + (a - from), to + (b - from));
            }
        }
    }

    /// Bytes of a range became again what they were at a mark: moves since then are no explanation of them.
    pub(crate) fn undone(&mut self, from: usize, to: usize) {
        if self.count > 0 {
            self.ranges.add(from, to);
        }
    }

    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.count)]
    }

    /// Ranges to be set after the moves, apart from each other.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.ranges.iter()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ranges.count == 0 && self.count == 0
    }

    /// Bytes that they take in the journal.
    pub(crate) fn journal_bytes(&self) -> usize {
        let ranges = self.ranges().map(|(from, to)| to - from + ENTRY_HEAD);
        ranges.sum::<usize>() + self.moves().len() * MOVE_ENTRY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Dice;

    #[test]
    fn ranges_cover_what_was_written() {
        let mut dice = Dice::new(5);
        for _ in 0..300 {
            let mut ranges = Ranges::default();
            let mut written = [false; 1024];
            for _ in 0..dice.below(30) {
                let from = dice.below(1000) as usize;
                let to = from + dice.below(24) as usize;
                ranges.add(from, to);
                written[from..to].fill(true);
            }
            let mut covered = [false; 1024];
            for (from, to) in ranges.iter() {
                assert!(from < to);
                covered[from..to].iter_mut().for_each(|c| {
                    assert!(!*c, "ranges overlap");
                    *c = true;
                });
            }
            assert!((0..1024).all(|i| !written[i] || covered[i]));
        }
    }

    #[test]
    fn moves_and_ranges_make_the_page() {
        let mut dice = Dice::new(9);
        let mut logged_as_moves = 0;
        for _ in 0..3000 {
            let before: Vec<u8> = (0..1024).map(|_| dice.below(256) as u8).collect();
            let (mut page, mut changes) = (before.clone(), Changes::default());
            for _ in 0..dice.below(9) {
                let (from, to) = (dice.below(900) as usize, dice.below(900) as usize);
                let len = dice.below(124) as usize;
                let saved = page[to..to + len].to_vec();
                if dice.below(2) == 0 {
                    page.copy_within(from..from + len, to);
                    changes.moved(from, to, len);
                } else {
                    let byte = dice.below(256) as u8;
                    page[to..to + len].fill(byte);
                    changes.wrote(to, to + len);
                }
                if dice.below(4) == 0 {
                    page[to..to + len].copy_from_slice(&saved);
                    changes.undone(to, to + len);
                }
            }
            let mut replayed = before;
            for one in changes.moves() {
                replayed.copy_within(one.from()..one.from() + one.len(), one.to());
            }
            logged_as_moves += changes.moves().len();
            for (from, to) in changes.ranges() {
                replayed[from..to].copy_from_slice(&page[from..to]);
            }
            assert!(replayed == page);
        }
        assert!(logged_as_moves > 1000);
    }
}

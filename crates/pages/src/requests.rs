//! How often the pages of a table are asked for, read, changed and written.
//!
//! Counted where nobody else writes: each of the first sessions has a cell of its own in each table, the later ones share some,
//! and who has the write lock has another.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::options::File;
use crate::sync::Padded;

/// Sessions with a cell of their own.
const OWN: usize = 16;
const SHARED: usize = 4;

#[derive(Default)]
pub(crate) struct Cell {
    index: AtomicU64,
    data: AtomicU64,
}

/// Where a reader counts.
#[derive(Clone, Copy)]
pub(crate) struct Tally<'c> {
    cell: &'c Cell,
    /// Nobody else counts there.
    own: bool,
}

impl Tally<'_> {
    #[inline]
    pub(crate) fn index(self) {
        self.add(&self.cell.index);
    }

    #[inline]
    pub(crate) fn data(self) {
        self.add(&self.cell.data);
    }

    #[inline]
    fn add(self, counter: &AtomicU64) {
        if self.own {
            counter.store(counter.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        } else {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The counters of a table.
pub(crate) struct Requests {
    cells: [Padded<Cell>; OWN + SHARED],
    writer: Padded<Cell>,
    reads: [AtomicU64; 2],
    changed: [AtomicU64; 2],
    written: [AtomicU64; 2],
}

/// Pages of a file of a table, since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// Asked for by statements: an index block, a row of the data file, a run of its pages.
    pub requests: u64,
    /// Read from the file into a [`crate::BlockCache`]. What is read through the mapping the system reads, and does not count.
    pub reads: u64,
    /// Changed by commits.
    pub changed: u64,
    /// Brought into the file.
    pub written: u64,
}

impl PageCounts {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: PageCounts) -> PageCounts {
        PageCounts {
            requests: self.requests + other.requests,
            reads: self.reads + other.reads,
            changed: self.changed + other.changed,
            written: self.written + other.written,
        }
    }

    /// What came since `earlier`.
    #[must_use]
    pub fn since(self, earlier: PageCounts) -> PageCounts {
        PageCounts {
            requests: self.requests.saturating_sub(earlier.requests),
            reads: self.reads.saturating_sub(earlier.reads),
            changed: self.changed.saturating_sub(earlier.changed),
            written: self.written.saturating_sub(earlier.written),
        }
    }
}

impl Requests {
    pub(crate) fn new() -> Requests {
        Requests {
            cells: std::array::from_fn(|_| Padded(Cell::default())),
            writer: Padded(Cell::default()),
            reads: Default::default(),
            changed: Default::default(),
            written: Default::default(),
        }
    }

    /// Where the reader with this number counts.
    #[inline]
    pub(crate) fn of_reader(&self, number: u32) -> Tally<'_> {
        let number = number as usize;
        let own = number < OWN;
        Tally { cell: &self.cells[if own { number } else { OWN + number % SHARED }], own }
    }

    /// Where the holder of the write lock counts.
    #[inline]
    pub(crate) fn of_writer(&self) -> Tally<'_> {
        Tally { cell: &self.writer, own: true }
    }

    /// A page was read from the file.
    pub(crate) fn read(&self, file: File) {
        self.reads[file as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Pages were changed by a commit.
    #[inline]
    pub(crate) fn changed(&self, file: File, pages: u64) {
        let counter = &self.changed[file as usize];
        // Commits to a table follow one another.
        counter.store(counter.load(Ordering::Relaxed) + pages, Ordering::Relaxed);
    }

    /// Pages were brought into the file.
    pub(crate) fn written(&self, file: File, pages: u64) {
        self.written[file as usize].fetch_add(pages, Ordering::Relaxed);
    }

    pub(crate) fn counts(&self, file: File) -> PageCounts {
        let of = |cell: &Cell| match file {
            File::Index => cell.index.load(Ordering::Relaxed),
            File::Data => cell.data.load(Ordering::Relaxed),
        };
        let at = file as usize;
        PageCounts {
            requests: self.cells.iter().map(|cell| of(cell)).sum::<u64>() + of(&self.writer),
            reads: self.reads[at].load(Ordering::Relaxed),
            changed: self.changed[at].load(Ordering::Relaxed),
            written: self.written[at].load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_counts_where_it_may() {
        let requests = Requests::new();
        std::thread::scope(|scope| {
            for number in 0..(OWN + 3 * SHARED) as u32 {
                let tally = requests.of_reader(number);
                scope.spawn(move || {
                    for _ in 0..1000 {
                        tally.index();
                    }
                    tally.data();
                });
            }
        });
        requests.of_writer().index();
        requests.read(File::Index);
        let sessions = (OWN + 3 * SHARED) as u64;
        assert_eq!(requests.counts(File::Index).requests, sessions * 1000 + 1);
        assert_eq!(requests.counts(File::Index).reads, 1);
        assert_eq!(requests.counts(File::Data).requests, sessions);
    }
}

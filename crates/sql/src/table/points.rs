//! Keys that are looked up together.

/// The first parts of a key, with values for several rows that something is looked up for.
#[derive(Debug, Default)]
pub struct Points {
    /// The flat bytes of all keys, and where those of each end.
    flat: Vec<u8>,
    ends: Vec<usize>,
    /// The row that each is looked up for.
    rows: Vec<u32>,
    /// The next one that is looked up.
    next: usize,
    /// Parts of each key.
    pub parts: usize,
    /// They are whole unique keys without NULL: each finds one row at most.
    pub single: bool,
}

impl Points {
    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.flat.clear();
        self.ends.clear();
        self.rows.clear();
        self.next = 0;
    }

    /// Adds a key that is looked up for this row.
    pub fn push(&mut self, row: u32, flat: &[u8]) {
        self.flat.extend_from_slice(flat);
        self.ends.push(self.flat.len());
        self.rows.push(row);
    }

    /// The row of the key that is looked up next; none when all were.
    #[must_use]
    pub fn next_row(&self) -> Option<u32> {
        self.rows.get(self.next).copied()
    }

    /// The row of the key that was looked up last.
    #[must_use]
    pub fn last_row(&self) -> Option<u32> {
        self.rows.get(self.next.checked_sub(1)?).copied()
    }

    /// The keys that are looked up next.
    pub(super) fn ahead(&self) -> impl Iterator<Item = &[u8]> + Clone {
        (self.next..self.ends.len()).map(|n| self.flat_of(n))
    }

    /// Takes the next key: its row and bytes.
    #[inline]
    pub(super) fn take(&mut self) -> Option<(u32, &[u8])> {
        let n = self.next;
        let row = *self.rows.get(n)?;
        self.next += 1;
        Some((row, self.flat_of(n)))
    }

    #[inline]
    fn flat_of(&self, n: usize) -> &[u8] {
        let from = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.flat[from..self.ends[n]]
    }
}

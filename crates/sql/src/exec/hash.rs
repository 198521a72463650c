//! Hash joins: the rows of one table by the hash of their join expressions. A table that is more than memory may
//! hold is parted on disk by that hash, and the rows it is joined with likewise; then part meets part.

use super::groups::Groups;
use super::operator::Chunk;
use super::rows::RowStore;
use super::sortkey;
use super::spool::{Parts, RowKeys, Spool, SpoolReader};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr, Frame, Rows, VecRef};
use crate::memory::{BATCH_BYTES, BATCH_ROWS, Budget};
use crate::types::{Batch, Class, Vector};

/// Parts of a table that is too large.
const PARTS: usize = 64;

/// Bytes of a row from which on batches of rows are measured.
const WIDE: usize = BATCH_BYTES / BATCH_ROWS;

/// No row.
const NONE: u32 = u32::MAX;

/// What rows are joined by: expressions, and the numbers of those for which NULL is a value among others, as bits.
#[derive(Clone, Copy)]
pub struct KeyOf<'e>(pub &'e [Expr], pub u64);

/// The join keys of the rows of a batch.
#[derive(Default)]
pub struct Keys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    null: Vec<bool>,
    scratch: Vec<u8>,
}

impl Keys {
    /// Computes them for these rows of a batch.
    ///
    /// # Errors
    /// Those of the expressions.
    pub fn compute(
        &mut self,
        of: KeyOf<'_>,
        batch: &Batch,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        self.bytes.clear();
        self.ends.clear();
        self.null.clear();
        if rows.len() > 1 && of.0.iter().any(Expr::makes_long_values) {
            let each = |i| self.add(of, batch, Rows::Some(&[rows.row(i) as u32]), ctx);
            return (0..rows.len()).try_for_each(each);
        }
        self.add(of, batch, rows, ctx)
    }

    fn add(
        &mut self,
        KeyOf(list, null_safe): KeyOf<'_>,
        batch: &Batch,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let mut values = Vec::with_capacity(list.len());
        for e in list {
            values.push(e.eval(Frame::new(batch), rows, ctx)?);
        }
        if !self.add_integers(&values, null_safe, rows.len()) {
            for row in 0..rows.len() {
                let missing = |(n, v): (usize, &VecRef<'_>)| v.is_null(row) && null_safe >> n & 1 == 0;
                let null = values.iter().enumerate().any(missing);
                if !null {
                    for (v, e) in values.iter().zip(list) {
                        sortkey::encode_at(v, row, e.ty.collation, &mut self.bytes, &mut self.scratch);
                    }
                }
                self.null.push(null);
                self.ends.push(self.bytes.len());
            }
        }
        for v in values {
            ctx.done(v);
        }
        Ok(())
    }

    /// The same for one column of integers without NULL; false where it is none.
    fn add_integers(&mut self, values: &[VecRef<'_>], null_safe: u64, rows: usize) -> bool {
        let [v] = values else { return false };
        let sign = match v.class() {
            Class::Int => 1 << 63,
            Class::UInt => 0,
            _ => return false,
        };
        if null_safe != 0 || v.any_null() {
            return false;
        }
        self.bytes.reserve(rows * 9);
        for row in 0..rows {
            let mut key = [1; 9];
            key[1..].copy_from_slice(&(v.i64(row).cast_unsigned() ^ sign).to_be_bytes());
            self.bytes.extend_from_slice(&key);
            self.ends.push(self.bytes.len());
        }
        self.null.resize(self.null.len() + rows, false);
        true
    }

    /// The key of the row with this number among them; none when it has a NULL that equals nothing.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        (!self.null[row]).then(|| &self.bytes[start..self.ends[row]])
    }
}

/// Keys one behind the other.
#[derive(Default)]
pub struct KeyList {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl KeyList {
    /// Adds the key of a row; false when it has none.
    pub fn push_of(&mut self, keys: &Keys, row: usize) -> bool {
        let Some(key) = keys.get(row) else { return false };
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
        true
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }

    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 8
    }
}

/// Rows by their keys.
#[derive(Default)]
pub struct HashSide {
    rows: RowStore,
    groups: Groups,
    /// The first and last row of each key; further ones are linked through `next`.
    ends: Vec<(u32, u32)>,
    next: Vec<u32>,
    /// A row has many bytes.
    wide: bool,
}

impl HashSide {
    /// Adds a key, whose row has the next number.
    fn add_key(&mut self, key: &[u8]) {
        let number = self.next.len() as u32;
        self.next.push(NONE);
        let (n, new) = self.groups.insert(key);
        if new {
            self.ends.push((number, number));
        } else {
            self.next[self.ends[n].1 as usize] = number;
            self.ends[n].1 = number;
        }
    }

    fn add(&mut self, key: &[u8], columns: &[Vector], row: usize) {
        self.wide |= columns.iter().map(|v| v.bytes(row).len()).sum::<usize>() > WIDE;
        self.rows.push(columns, row);
        self.add_key(key);
    }

    /// Adds these rows of some columns.
    fn add_rows(&mut self, columns: &[&Vector], rows: &[u32]) {
        self.wide |= is_wide(columns, rows.iter().map(|row| *row as usize));
        self.rows.push_some(columns, rows);
    }

    /// A table of rows whose keys come otherwise.
    pub fn of_rows<'r>(parts: impl Iterator<Item = &'r RowStore>) -> HashSide {
        let mut side = HashSide::default();
        for batch in parts.flat_map(RowStore::batches) {
            side.wide |= is_wide(&batch.columns.iter().collect::<Vec<_>>(), 0..batch.len);
            side.rows.push_batch(batch);
        }
        side
    }

    /// A table of keys whose rows come otherwise, in the same order.
    pub fn of_keys<'r>(parts: impl Iterator<Item = &'r KeyList>) -> HashSide {
        let mut side = HashSide::default();
        parts.flat_map(KeyList::iter).for_each(|key| side.add_key(key));
        side
    }

    /// Takes the rows of another one.
    #[must_use]
    pub fn with_rows_of(self, other: HashSide) -> HashSide {
        HashSide { rows: other.rows, wide: other.wide, ..self }
    }

    fn memory(&self) -> usize {
        self.rows.memory() + self.groups.memory() + self.ends.capacity() * 8 + self.next.capacity() * 4
    }

    fn chain(&self, group: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = self.ends[group].0;
        std::iter::from_fn(move || {
            let now = at;
            at = *self.next.get(now as usize)?;
            Some(now as usize)
        })
    }

    /// The first row of a key.
    #[must_use]
    #[inline]
    pub fn find(&self, key: &[u8]) -> Option<u32> {
        let group = self.groups.find(key)?;
        // where no two rows have one key, rows are numbered as keys are
        Some(if self.is_unique() { group as u32 } else { self.ends[group].0 })
    }

    /// Whether no two rows have one key.
    #[inline]
    #[must_use]
    pub fn is_unique(&self) -> bool {
        self.groups.len() == self.next.len()
    }

    /// The next row of the same key.
    #[must_use]
    #[inline]
    pub fn after(&self, row: u32) -> Option<u32> {
        if self.is_unique() {
            return None;
        }
        self.next.get(row as usize).copied().filter(|n| *n != NONE)
    }

    /// Bytes of a row, when there are rows of many bytes; else 0.
    #[must_use]
    pub fn weight(&self, row: u32) -> usize {
        if !self.wide {
            return 0;
        }
        let (batch, at) = self.rows.at(row as usize);
        batch.columns.iter().map(|v| v.bytes(at).len()).sum()
    }

    /// Appends rows, column by column, to the slots of `out`.
    pub fn gather(&self, rows: &[u32], slots: &[usize], out: &mut Batch) {
        for (column, slot) in slots.iter().enumerate() {
            self.rows.gather_column(rows, column, &mut out.columns[*slot]);
        }
    }
}

/// Whether a row has many bytes in these columns.
fn is_wide(columns: &[&Vector], mut rows: impl Iterator<Item = usize>) -> bool {
    if columns.iter().map(|v| v.byte_len()).sum::<usize>() <= WIDE {
        return false;
    }
    rows.any(|row| columns.iter().map(|v| v.bytes(row).len()).sum::<usize>() > WIDE)
}

/// The rows of a table, the rows to join with them; part by part.
pub type Pairs = Vec<(Spool, Spool)>;

/// Both sides of a join in parts on disk.
pub struct Parted {
    build: Parts,
    probe: Parts,
    /// The slots of the tables before.
    before: Vec<usize>,
    /// Rows of theirs put off.
    count: u64,
}

impl Parted {
    fn new(budget: &Budget) -> SqlResult<Parted> {
        let (build, probe) = (Parts::new(budget, PARTS, 0)?, Parts::new(budget, PARTS, 0)?);
        Ok(Parted { build, probe, before: Vec::new(), count: 0 })
    }

    /// Puts rows off until their part's turn.
    ///
    /// # Errors
    /// Those of the expressions and of the temporary file.
    pub fn spill_rows(
        &mut self,
        input: &Chunk,
        before: &[usize],
        probe: KeyOf<'_>,
        keys: &mut Keys,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        keys.compute(probe, &input.rows, input.which(), ctx)?;
        self.before.clear();
        self.before.extend_from_slice(before);
        for i in 0..input.len() {
            let (columns, row) = (before.iter().map(|s| &input.rows.columns[*s]), input.row(i));
            self.probe.push_by(keys.get(i).unwrap_or(b""), &self.count.to_be_bytes(), columns, row)?;
            self.count += 1;
        }
        Ok(())
    }

    /// The parts: rows of the table, rows to join with them, whose keys are their numbers; and the slots of the latter.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn into_pairs(mut self) -> SqlResult<(Pairs, Vec<usize>)> {
        self.build.seal()?;
        self.probe.seal()?;
        let pairs = self.build.into_all().into_iter().zip(self.probe.into_all());
        Ok((pairs.filter(|p| p.1.rows() > 0).collect(), self.before))
    }
}

/// A table as it is built up.
pub struct Builder {
    side: HashSide,
    parted: Option<Parted>,
    slots: Vec<usize>,
    some: Vec<u32>,
    budget: Budget,
}

impl Builder {
    /// An empty table of the columns in `slots`.
    #[must_use]
    pub fn new(slots: Vec<usize>, budget: &Budget) -> Builder {
        Builder { side: HashSide::default(), parted: None, slots, some: Vec::new(), budget: budget.clone() }
    }

    /// A table that was begun otherwise.
    #[must_use]
    pub fn from(side: HashSide, slots: Vec<usize>, budget: &Budget) -> Builder {
        Builder { side, ..Builder::new(slots, budget) }
    }

    /// Adds the rows of a chunk that have keys.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn add(&mut self, rows: &Chunk, keys: &Keys) -> SqlResult<()> {
        let columns: Vec<&Vector> = self.slots.iter().map(|s| &rows.rows.columns[*s]).collect();
        match &mut self.parted {
            None => {
                self.some.clear();
                for i in 0..rows.len() {
                    if let Some(key) = keys.get(i) {
                        self.side.add_key(key);
                        self.some.push(rows.row(i) as u32);
                    }
                }
                self.side.add_rows(&columns, &self.some);
            }
            Some(p) => {
                for i in 0..rows.len() {
                    if let Some(key) = keys.get(i) {
                        p.build.push(key, columns.iter().copied(), rows.row(i))?;
                    }
                }
            }
        }
        self.bound()
    }

    /// Parts the table when it is too large.
    fn bound(&mut self) -> SqlResult<()> {
        if self.parted.is_none() && self.budget.exceeds_table(self.side.memory()) {
            let mut parted = Parted::new(&self.budget)?;
            let side = std::mem::take(&mut self.side);
            for group in 0..side.groups.len() {
                for number in side.chain(group) {
                    let (rows, at) = side.rows.at(number);
                    parted.build.push(side.groups.key(group), &rows.columns, at)?;
                }
            }
            self.parted = Some(parted);
        }
        Ok(())
    }

    /// The table, in memory or in parts.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn finish(mut self) -> SqlResult<(HashSide, Option<Parted>)> {
        self.bound()?;
        Ok((self.side, self.parted))
    }
}

/// As many rows of a part of a table as memory may hold. True when there may be more: many rows of equal keys are in
/// one part.
///
/// # Errors
/// 1024: the temporary file cannot be read.
pub fn load(reader: &mut SpoolReader, budget: &Budget) -> SqlResult<(HashSide, bool)> {
    let mut side = HashSide::default();
    let mut rows = Batch::default();
    let mut keys = RowKeys::default();
    while reader.batch(&mut rows, &mut keys)? {
        for (row, key) in keys.iter() {
            side.add(key, &rows.columns, row);
        }
        if side.memory() > budget.table {
            return Ok((side, true));
        }
    }
    Ok((side, false))
}

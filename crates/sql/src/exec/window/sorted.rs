//! Rows in the order of a window's keys, each with how many of the first keys it shares with the row before it.

use crate::error::SqlResult;
use crate::exec::operator::{Chunk, Operator};
use crate::exec::sort::Sorter;
use crate::exec::sortkey::{KeySpec, encode};
use crate::expr::EvalContext;
use crate::memory::Budget;
use crate::types::{Batch, Class, Vector};

/// Sorts the rows of its input. Behind their columns stands a column of integers: the number of first keys that are those of the row
/// before; of the first row -1.
pub(super) struct Sorted<'p> {
    input: Box<dyn Operator + 'p>,
    specs: Vec<KeySpec>,
    budget: Budget,
    sorter: Option<Sorter>,
    /// The keys of the row before, one behind the other, and where they end.
    before: Vec<u8>,
    ends: Vec<usize>,
    key: Vec<u8>,
    key_ends: Vec<usize>,
    scratch: Vec<u8>,
    begun: bool,
    over: bool,
}

impl<'p> Sorted<'p> {
    pub(super) fn new(input: Box<dyn Operator + 'p>, specs: Vec<KeySpec>, budget: &Budget) -> Sorted<'p> {
        Sorted {
            input,
            specs,
            budget: budget.clone(),
            sorter: None,
            before: Vec::new(),
            ends: Vec::new(),
            key: Vec::new(),
            key_ends: Vec::new(),
            scratch: Vec::new(),
            begun: false,
            over: false,
        }
    }

    fn fill(&mut self, ctx: &mut EvalContext) -> SqlResult<Sorter> {
        let mut sorter = Sorter::new(self.specs.clone(), usize::MAX, &self.budget);
        let mut rows = Chunk::default();
        while self.input.next(&mut rows, ctx)? {
            rows.pack(ctx);
            sorter.push(&rows.rows)?;
        }
        sorter.finish()?;
        Ok(sorter)
    }

    /// How many first keys of a row are those of the row before.
    fn equal(&mut self, rows: &Batch, row: usize) -> i64 {
        self.key.clear();
        self.key_ends.clear();
        for spec in &self.specs {
            encode(&rows.columns, std::slice::from_ref(spec), row, &mut self.key, &mut self.scratch);
            self.key_ends.push(self.key.len());
        }
        let mut same = 0;
        if self.begun {
            let mut start = 0;
            for (a, b) in self.key_ends.iter().zip(&self.ends) {
                if a != b || self.key[start..*a] != self.before[start..*b] {
                    break;
                }
                (start, same) = (*a, same + 1);
            }
        } else {
            (self.begun, same) = (true, -1);
        }
        std::mem::swap(&mut self.key, &mut self.before);
        std::mem::swap(&mut self.key_ends, &mut self.ends);
        same
    }
}

impl Operator for Sorted<'_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if self.over {
            return Ok(false);
        }
        ctx.check_killed()?;
        let more = if self.specs.is_empty() {
            let more = self.input.next(out, ctx)?;
            out.pack(ctx);
            more
        } else {
            let mut sorter = match self.sorter.take() {
                Some(sorter) => sorter,
                None => self.fill(ctx)?,
            };
            out.select_all();
            let more = sorter.next(&mut out.rows)?;
            self.sorter = Some(sorter);
            more
        };
        if !more {
            // its memory is given back before others need theirs
            (self.over, self.sorter) = (true, None);
            return Ok(false);
        }
        let mut equal = Vector::new(Class::Int);
        for row in 0..out.rows.len {
            equal.push_i64(self.equal(&out.rows, row));
        }
        out.rows.columns.push(equal);
        Ok(true)
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.input.finish(ctx)
    }

    fn rewind(&mut self) -> bool {
        (self.sorter, self.begun, self.over) = (None, false, false);
        self.input.rewind()
    }
}

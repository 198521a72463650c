//! ORDER BY with a small LIMIT on several threads: each keeps the first rows of what it reads of the table's file. What all of them kept
//! is few; in the order of the file it goes to the sorter of the statement, so that equal rows come as on one thread.

use super::Exec;
use super::block::{listed, sort_keys};
use super::operator::{Chunk, Given, Operator as _};
use super::project::ChunkSize;
use super::rows::RowStore;
use super::sort::Sorter;
use super::threads::{self, Scanned, Sink, Threads};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr};
use crate::memory::Budget;
use crate::plan::access::is_apart;
use crate::plan::{BlockPlan, QueryPlan};
use crate::table::OpenTable;
use crate::types::{Batch, Class, Vector};

/// Rows wanted up to which it is worth it: all threads keep so many.
const MOST: usize = 16 << 10;

/// A sort of which few rows are wanted.
pub(super) struct TopRows<'p> {
    plan: &'p QueryPlan,
    b: &'p BlockPlan,
    table: &'p OpenTable,
    /// The list is computed behind the sort.
    late: bool,
    wanted: usize,
}

/// What the threads kept.
pub(super) struct Kept {
    /// Rows for the sorter, in the order of the file.
    pub(super) rows: RowStore,
    /// Rows that were looked at.
    pub(super) count: u64,
    /// A thread's rows went to disk.
    pub(super) spilled: bool,
}

impl<'p> TopRows<'p> {
    /// Of a block that scans a table, if only some rows are `wanted` and nothing but the rows themselves is asked.
    pub(super) fn new(
        (plan, b): (&'p QueryPlan, &'p BlockPlan),
        late: bool,
        wanted: usize,
        ctx: &EvalContext,
    ) -> Option<TopRows<'p>> {
        // what most statements fail is asked first: this runs for each of them
        let few = (1..=MOST).contains(&wanted) && !b.distinct && b.group.is_none() && b.windows.is_none();
        let table = few.then(|| threads::table_of(b, ctx)).flatten()?;
        let top = TopRows { plan, b, table, late, wanted };
        let apart = !ChunkSize::new(top.computed()).is_wide() && top.computed().all(is_apart);
        apart.then_some(top)
    }

    /// What is computed before the sort.
    fn computed(&self) -> impl Iterator<Item = &'p Expr> {
        let b = self.b;
        let keys = b.order.iter().filter(|_| self.late).map(|(at, _)| &b.output[*at]);
        keys.chain(b.output.iter().filter(|_| !self.late))
    }

    /// Looks at all rows; none where one thread has to do it.
    ///
    /// # Errors
    /// 1317 and its kin; those of a snapshot that was given up, and of temporary files.
    pub(super) fn gather(&self, exec: &Exec<'_>, ctx: &mut EvalContext) -> SqlResult<Option<Kept>> {
        let Some(threads) = Threads::for_table(exec, self.table, ctx)? else { return Ok(None) };
        let specs = sort_keys(self.b, self.late);
        let budget = Budget { sort: ctx.budget.sort / threads.count(), ..ctx.budget.clone() };
        let new = || Worker {
            top: self,
            sorter: Sorter::new(specs.clone(), self.wanted, &budget),
            rows: Chunk::default(),
        };
        let from = (self.plan, self.b, self.table);
        let scanned = threads::scan(exec, from, &threads, budget.sort, new, ctx)?;
        scanned.map(united).transpose()
    }
}

/// The rows of all threads in the order of the file.
fn united(scanned: Scanned<Worker<'_, '_>>) -> SqlResult<Kept> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut spilled = false;
    for Worker { mut sorter, .. } in scanned.sinks {
        sorter.finish()?;
        spilled |= sorter.is_spilled();
        let mut batch = Batch::default();
        while sorter.next(&mut batch)? {
            batches.push(std::mem::take(&mut batch));
        }
    }
    // the numbers stand behind the columns
    let width = batches.first().map_or(0, |b| b.columns.len().saturating_sub(1));
    let mut places: Vec<(i64, (u32, u32))> = Vec::new();
    for (n, batch) in batches.iter().enumerate() {
        let numbers = &batch.columns[width];
        places.extend((0..batch.len).map(|row| (numbers.i64(row), (n as u32, row as u32))));
    }
    places.sort_unstable_by_key(|(number, _)| *number);
    let places: Vec<(u32, u32)> = places.into_iter().map(|(_, place)| place).collect();
    let batches: Vec<&Batch> = batches.iter().collect();
    Ok(Kept { rows: RowStore::of_places(&batches, &places, width), count: scanned.rows, spilled })
}

/// A thread, with the first of its rows.
struct Worker<'t, 'p> {
    top: &'t TopRows<'p>,
    sorter: Sorter,
    rows: Chunk,
}

impl Sink for Worker<'_, '_> {
    fn take(
        &mut self,
        exec: &Exec<'_>,
        rows: &mut Chunk,
        number: u64,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let top = self.top;
        let mut list = listed((exec, top.plan), top.b, top.late, Box::new(Given(std::mem::take(rows))));
        let mut number = number as i64;
        while list.next(&mut self.rows, ctx)? {
            self.rows.pack(ctx);
            let mut numbers = Vector::new(Class::Int);
            for _ in 0..self.rows.rows.len {
                numbers.push_i64(number);
                number += 1;
            }
            self.rows.rows.columns.push(numbers);
            self.sorter.push(&self.rows.rows)?;
        }
        Ok(())
    }
}

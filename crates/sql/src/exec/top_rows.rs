//! ORDER BY on several threads. With a small LIMIT each keeps the first rows of what it reads of the table's file. What all of them kept
//! is few; in the order of the file it goes to the sorter of the statement, so that equal rows come as on one thread. Where all rows are
//! wanted, they sort together ([`shared_sort`](super::shared_sort)).

use super::Exec;
use super::block::{listed, sort_keys};
use super::operator::{Chunk, Given, Operator as _};
use super::project::ChunkSize;
use super::rows::RowStore;
use super::shared_sort::{KeyedRows, SortedRows};
use super::sort::Sorter;
use super::threads::{self, Scanned, Sink, Source, Threads};
use crate::error::SqlResult;
use crate::expr::{EvalContext, Expr};
use crate::memory::Budget;
use crate::plan::access::is_apart;
use crate::plan::{BlockPlan, QueryPlan};
use crate::types::{Batch, Class, Vector};

/// Rows wanted up to which it is worth it: all threads keep so many.
const MOST: usize = 16 << 10;

/// Bytes that a short row takes with its key while all are sorted, at least.
const ROW: u64 = 80;

/// A sort of which few rows are wanted, or all.
pub(super) struct TopRows<'p> {
    plan: &'p QueryPlan,
    b: &'p BlockPlan,
    source: Source<'p>,
    /// The list is computed behind the sort.
    late: bool,
    wanted: usize,
}

/// What the threads found.
pub(super) struct Found {
    pub(super) rows: TopKept,
    /// Rows that were looked at.
    pub(super) count: u64,
}

/// The rows that they kept.
pub(super) enum TopKept {
    /// Those for the sorter, in the order of the file.
    Some {
        rows: RowStore,
        /// A thread's rows went to disk.
        spilled: bool,
    },
    /// All that are wanted, in order.
    All(SortedRows),
}

impl<'p> TopRows<'p> {
    /// Of a block that scans a table, if nothing but the rows themselves is asked.
    pub(super) fn new(
        (plan, b): (&'p QueryPlan, &'p BlockPlan),
        late: bool,
        wanted: usize,
        ctx: &EvalContext,
    ) -> Option<TopRows<'p>> {
        // what most statements fail is asked first: this runs for each of them
        let worth = wanted > 0 && !b.distinct && b.group.is_none() && b.windows.is_none();
        let source = worth.then(|| threads::source_of(b, ctx)).flatten()?;
        let top = TopRows { plan, b, source, late, wanted };
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
    pub(super) fn gather(&self, exec: &Exec<'_>, ctx: &mut EvalContext) -> SqlResult<Option<Found>> {
        if self.wanted > MOST {
            return self.gather_all(exec, ctx);
        }
        let Some(threads) = Threads::for_rows(exec, &self.source, ctx)? else { return Ok(None) };
        let specs = sort_keys(self.b, self.late);
        let budget = Budget { sort: ctx.budget.sort / threads.count(), ..ctx.budget.clone() };
        let new = || Worker {
            top: self,
            kept: First(Sorter::new(specs.clone(), self.wanted, &budget)),
            rows: Chunk::default(),
        };
        let from = (self.plan, self.b, &self.source);
        let scanned = threads::scan(exec, from, &threads, budget.sort, new, ctx)?;
        scanned.map(united).transpose()
    }

    /// As [`TopRows::gather`], of all rows.
    fn gather_all(&self, exec: &Exec<'_>, ctx: &mut EvalContext) -> SqlResult<Option<Found>> {
        // rows and keys together are about twice the file, but short rows are more
        if !self.source.is_scanned(exec, ctx)? {
            return Ok(None);
        }
        let rows = threads::records(exec, self.source.table)?.saturating_mul(ROW);
        let memory = threads::file_len(exec, self.source.table)?.saturating_mul(2).max(rows);
        if memory > ctx.budget.sort as u64 {
            return Ok(None);
        }
        let Some(threads) = Threads::for_rows(exec, &self.source, ctx)? else { return Ok(None) };
        let specs = sort_keys(self.b, self.late);
        let budget = Budget { sort: ctx.budget.sort / threads.count(), ..ctx.budget.clone() };
        let new = || Worker {
            top: self,
            kept: KeyedRows::new(specs.clone(), budget.clone()),
            rows: Chunk::default(),
        };
        let from = (self.plan, self.b, &self.source);
        let Some(scanned) = threads::scan(exec, from, &threads, budget.sort, new, ctx)? else {
            return Ok(None);
        };
        let kept = scanned.sinks.into_iter().map(|sink| sink.kept).collect();
        let rows = SortedRows::new(kept, self.wanted, (threads.count(), ctx.threads), &ctx.budget);
        Ok(Some(Found { rows: TopKept::All(rows), count: scanned.rows }))
    }
}

/// The rows of all threads in the order of the file.
fn united(scanned: Scanned<Worker<'_, '_, First>>) -> SqlResult<Found> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut spilled = false;
    for Worker { kept: First(mut sorter), .. } in scanned.sinks {
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
    let rows = RowStore::of_places(&batches, &places, width);
    Ok(Found { rows: TopKept::Some { rows, spilled }, count: scanned.rows })
}

/// What a thread keeps of its rows.
trait Keep: Send {
    /// Takes rows, of which the first has this number in the file. It may change them.
    ///
    /// # Errors
    /// Those of temporary files; or one thread has to sort.
    fn keep(&mut self, rows: &mut Batch, number: u64) -> SqlResult<()>;
}

/// The first of the rows, with their numbers behind the columns.
struct First(Sorter);

impl Keep for First {
    fn keep(&mut self, rows: &mut Batch, number: u64) -> SqlResult<()> {
        let mut numbers = Vector::new(Class::Int);
        (number..).take(rows.len).for_each(|n| numbers.push_i64(n as i64));
        rows.columns.push(numbers);
        self.0.push(rows)
    }
}

impl Keep for KeyedRows {
    fn keep(&mut self, rows: &mut Batch, number: u64) -> SqlResult<()> {
        self.push(rows, number)
    }
}

/// A thread, with what it keeps.
struct Worker<'t, 'p, K> {
    top: &'t TopRows<'p>,
    kept: K,
    rows: Chunk,
}

impl<K: Keep> Sink for Worker<'_, '_, K> {
    fn take(
        &mut self,
        exec: &Exec<'_>,
        rows: &mut Chunk,
        number: u64,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let top = self.top;
        let mut list = listed((exec, top.plan), top.b, top.late, Box::new(Given(std::mem::take(rows))));
        let mut number = number;
        while list.next(&mut self.rows, ctx)? {
            self.rows.pack(ctx);
            let rows = &mut self.rows.rows;
            let count = rows.len as u64;
            self.kept.keep(rows, number)?;
            number += count;
        }
        Ok(())
    }
}

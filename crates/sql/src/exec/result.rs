//! What becomes of computed rows before they go out: DISTINCT, ORDER BY, LIMIT.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use super::operator::{Chunk, Nothing, Operator};
use super::runs::Merge;
use super::shared_sort::SortedRows;
use super::sort::Sorter;
use super::sortkey::KeySpec;
use super::ties::Ties;
use super::top_rows::{TopKept, TopRows};
use super::{Exec, Limiter, distinct_rows, unique};
use crate::error::{ER_DATA_OUT_OF_RANGE, ER_FILSORT_ABORT, ER_TRUNCATED_WRONG_VALUE, SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::expr::measured::MeasuredSort;
use crate::memory::{BATCH_ROWS, Budget};
use crate::plan::BlockPlan;
use crate::plan::workings::Workings;
use crate::warning::Level;

/// The rows that LIMIT leaves, and what FOUND_ROWS tells of them: the last operator of a block that leaves out rows.
pub(super) struct Limit<'p, 'e> {
    exec: &'p Exec<'e>,
    b: &'p BlockPlan,
    input: Box<dyn Operator + 'p>,
    limiter: Limiter,
    /// As it was at the beginning.
    limits: Limiter,
    ties: Option<Ties>,
    /// The rows that a sort below it took: they are counted there.
    sorted: Option<Rc<Cell<u64>>>,
    /// SQL_CALC_FOUND_ROWS: rows behind LIMIT are counted.
    count_all: bool,
    /// Columns that go further.
    columns: usize,
    /// Rows of the input so far.
    found: u64,
    begun: bool,
    /// The input has no more rows.
    ended: bool,
    /// No further row ties with the last.
    settled: bool,
}

impl<'p, 'e> Limit<'p, 'e> {
    /// Hands out the first `columns` columns of the input's rows.
    pub(super) fn new(
        (exec, b): (&'p Exec<'e>, &'p BlockPlan),
        input: Box<dyn Operator + 'p>,
        limiter: Limiter,
        ties: Option<Ties>,
        sorted: Option<Rc<Cell<u64>>>,
        count_all: bool,
        columns: usize,
    ) -> Limit<'p, 'e> {
        let (found, begun, ended, settled) = (0, false, false, false);
        let limits = limiter.clone();
        Limit {
            exec,
            b,
            input,
            limiter,
            limits,
            ties,
            sorted,
            count_all,
            columns,
            found,
            begun,
            ended,
            settled,
        }
    }
}

impl Operator for Limit<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        // what is sorted or put together is made even when no row of it is wanted
        while !self.begun || !self.settled && (!self.limiter.full() || self.ties.is_some()) {
            self.begun = true;
            if !self.input.next(out, ctx)? {
                self.ended = true;
                return Ok(false);
            }
            self.found += out.len() as u64;
            let (from, to) = match &mut self.ties {
                Some(ties) => {
                    let (rows, more) = ties.pass(&out.rows, &mut self.limiter);
                    self.settled = !more;
                    (rows.start, rows.end)
                }
                None if self.limiter.full() => (0, 0),
                None => self.limiter.take(out.len()),
            };
            out.keep(from, to);
            if from < to {
                out.rows.columns.truncate(self.columns);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        if self.count_all && self.sorted.is_none() && !self.ended {
            let mut rows = Chunk::default();
            while self.input.next(&mut rows, ctx)? {
                self.found += rows.len() as u64;
            }
        }
        self.input.finish(ctx)?;
        let found = self.sorted.as_ref().map_or(self.found, |sorted| sorted.get());
        self.exec.memory.borrow_mut().found_rows = match () {
            () if self.count_all || self.ties.is_some() => Some(found),
            // one row without reading: LIMIT says whether it is sent, and that is what was found
            () if self.b.reads_nothing() => None,
            () => Some(self.limiter.seen),
        };
        Ok(())
    }

    fn rewind(&mut self) -> bool {
        // a condition without columns was asked when the block's operators were made; ties and sorts keep rows
        if self.b.constant.is_some() || self.ties.is_some() || self.sorted.is_some() || !self.input.rewind() {
            return false;
        }
        self.limiter = self.limits.clone();
        self.found = 0;
        (self.begun, self.ended, self.settled) = (false, false, false);
        true
    }
}

/// DISTINCT: the rows that were not there before.
pub(super) struct Distinct<'p, 'e> {
    exec: &'p Exec<'e>,
    /// Rows taken and given.
    taken: u64,
    given: u64,
    /// They are counted as those of a temporary table.
    kept: bool,
    input: Box<dyn Operator + 'p>,
    seen: unique::Distinct,
    new: Vec<u32>,
    /// Rows that were spilled.
    rest: Option<Merge>,
    /// Several threads may look for the rows, and whether somebody looks at what they find.
    shared: Option<(distinct_rows::Rows<'p>, bool)>,
    /// They did.
    found: Option<distinct_rows::Found>,
}

impl<'p, 'e> Distinct<'p, 'e> {
    /// `specs` say which columns count.
    pub(super) fn new(
        exec: &'p Exec<'e>,
        input: Box<dyn Operator + 'p>,
        specs: Vec<KeySpec>,
        budget: &Budget,
    ) -> Distinct<'p, 'e> {
        let seen = unique::Distinct::new(specs, budget);
        let (rest, shared, found) = (None, None, None);
        Distinct { exec, taken: 0, given: 0, kept: true, input, seen, new: Vec::new(), rest, shared, found }
    }

    /// Whether the reference server keeps the rows in a temporary table.
    pub(super) fn counted(mut self, kept: bool) -> Distinct<'p, 'e> {
        self.kept = kept;
        self
    }

    /// Several threads may look for the rows; of those that nobody looks at they count them.
    pub(super) fn on_threads(
        mut self,
        shared: Option<distinct_rows::Rows<'p>>,
        looked_at: bool,
    ) -> Distinct<'p, 'e> {
        self.shared = shared.map(|rows| (rows, looked_at));
        self
    }

    /// Hands out rows that several threads have found; none where this one has to look for them.
    fn next_found(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<Option<bool>> {
        if let Some((rows, looked_at)) = self.shared.take()
            && let Some(found) = distinct_rows::find(self.exec, &[rows], self.seen.specs(), looked_at, ctx)?
        {
            self.input = Box::new(Nothing);
            self.taken = found.taken;
            self.found = Some(found);
        }
        let Some(found) = &mut self.found else { return Ok(None) };
        ctx.check_killed()?;
        out.select_all();
        let more = found.next(&mut out.rows)?;
        self.given += out.rows.len as u64;
        Ok(Some(more))
    }
}

impl Operator for Distinct<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if let Some(more) = self.next_found(out, ctx)? {
            return Ok(more);
        }
        while self.rest.is_none() {
            if !self.input.next(out, ctx)? {
                ctx.check_failed()?;
                self.rest = self.seen.rest()?;
                if self.rest.is_none() {
                    return Ok(false);
                }
                break;
            }
            out.pack(ctx);
            self.taken += out.len() as u64;
            self.seen.keep(&out.rows, &mut self.new)?;
            if !self.new.is_empty() {
                self.given += self.new.len() as u64;
                out.select(&mut self.new);
                return Ok(true);
            }
        }
        let Some(rest) = &mut self.rest else { return Ok(false) };
        ctx.check_killed()?;
        out.select_all();
        let more = rest.batch(&mut out.rows, BATCH_ROWS)?;
        self.given += if more { out.rows.len as u64 } else { 0 };
        Ok(more)
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        if self.kept {
            let mut counters = self.exec.counters.borrow_mut();
            counters.tmp_write += self.taken;
            counters.read_back(self.given);
        }
        self.input.finish(ctx)
    }
}

/// ORDER BY: all rows, sorted.
pub(super) struct Sort<'p, 'e> {
    exec: &'p Exec<'e>,
    input: Box<dyn Operator + 'p>,
    sorter: Sorter,
    /// Rows are sorted as they are found: an error stops the sort.
    filesort: bool,
    /// For the counters: what is sorted, and how many rows are wanted.
    counted: (&'p BlockPlan, Workings, u64),
    /// Rows taken.
    count: Rc<Cell<u64>>,
    /// Several threads may look for the rows, or for the few that are wanted.
    shared: Option<TopRows<'p>>,
    /// All rows, when threads have sorted them.
    all: Option<SortedRows>,
    /// Rows of a thread went to disk.
    spilled: bool,
    sorted: bool,
}

impl<'p, 'e> Sort<'p, 'e> {
    pub(super) fn new(
        exec: &'p Exec<'e>,
        input: Box<dyn Operator + 'p>,
        sorter: Sorter,
        filesort: bool,
        counted: (&'p BlockPlan, Workings, u64),
        count: Rc<Cell<u64>>,
    ) -> Sort<'p, 'e> {
        Sort {
            exec,
            input,
            sorter,
            filesort,
            counted,
            count,
            shared: None,
            all: None,
            spilled: false,
            sorted: false,
        }
    }

    /// Several threads may look for the rows.
    pub(super) fn on_threads(mut self, shared: Option<TopRows<'p>>) -> Sort<'p, 'e> {
        self.shared = shared;
        self
    }

    fn gather(&mut self, rows: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<()> {
        if let Some(shared) = self.shared.take()
            && let Some(found) = shared.gather(self.exec, ctx)?
        {
            self.input = Box::new(Nothing);
            self.count.set(found.count);
            return match found.rows {
                TopKept::Some { rows, spilled } => {
                    self.spilled = spilled;
                    rows.batches().iter().try_for_each(|batch| self.sorter.push(batch))
                }
                TopKept::All(rows) => {
                    self.all = Some(rows);
                    Ok(())
                }
            };
        }
        while self.input.next(rows, ctx)? {
            rows.pack(ctx);
            self.count.set(self.count.get() + rows.len() as u64);
            self.sorter.push(&rows.rows)?;
        }
        ctx.check_failed()
    }

    fn sort(&mut self, rows: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<()> {
        let gathered = self.gather(rows, ctx);
        gathered.map_err(|e| if self.filesort { sort_aborted(e, ctx) } else { e })?;
        if ctx.stopped() && self.filesort {
            let text = "Sort aborted: LIMIT ROWS EXAMINED".to_string();
            return Err(SqlError::with_message(ER_FILSORT_ABORT, text));
        }
        // whatever is below holds rows in its buffers, and nobody asks it for more
        self.input.finish(ctx)?;
        self.input = Box::new(Nothing);
        let (block, workings, most) = self.counted;
        let (begun, memory) = (ctx.measures().then(Instant::now), self.sorter.memory());
        self.sorter.finish()?;
        if let Some(begun) = begun {
            let (rows, spilled, time) = (self.count.get(), self.sorter.is_spilled(), begun.elapsed());
            ctx.measure(block, |m| m.sort = Some(MeasuredSort { rows, most, memory, spilled, time }));
        }
        let mut counters = self.exec.counters.borrow_mut();
        if workings.joined {
            counters.tmp_write += self.count.get();
            counters.read_back(self.count.get());
        }
        counters.spilled_sorts += u64::from(self.spilled || self.sorter.is_spilled());
        counters.sort(workings.sorted, self.count.get(), most);
        Ok(())
    }
}

impl Operator for Sort<'_, '_> {
    fn next(&mut self, out: &mut Chunk, ctx: &mut EvalContext) -> SqlResult<bool> {
        if !std::mem::replace(&mut self.sorted, true) {
            self.sort(out, ctx)?;
        }
        ctx.check_killed()?;
        out.select_all();
        match &mut self.all {
            Some(rows) => Ok(rows.next(&mut out.rows)),
            None => self.sorter.next(&mut out.rows),
        }
    }

    fn finish(&mut self, ctx: &mut EvalContext) -> SqlResult<()> {
        self.input.finish(ctx)
    }
}

/// Sort-key errors are reported twice, as in MariaDB.
fn sort_aborted(e: SqlError, ctx: &mut EvalContext) -> SqlError {
    if e.code == ER_DATA_OUT_OF_RANGE || e.code == ER_TRUNCATED_WRONG_VALUE {
        let told = format!("Sort aborted: {}", e.message);
        let known = ctx.warnings.entries().iter().any(|w| w.level == Level::Error && w.message == e.message);
        if !known {
            ctx.warnings.push_error(Level::Error, &e);
        }
        ctx.warnings.push_text(Level::Error, ER_FILSORT_ABORT, told);
    }
    e
}

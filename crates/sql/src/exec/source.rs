//! Reading one table by its access path into the slots of a batch.

use std::ops::ControlFlow;

use crate::table::{PageSource, RowPos, RowScratch, RowView, Scan};
use pages::TableView;

use super::Exec;
use super::kept::{Keeper, KeptReader};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::memory::BATCH_BYTES;
use crate::memory::BATCH_ROWS;
use crate::plan::{PlanTable, Relation, sarg};
use crate::table::OpenTable;
use crate::table::interval::Interval;
use crate::table::key_walk::KeyWalk;
use crate::table::virtual_table::{Asked, RowStream, VirtualRows};
use crate::types::{Batch, load};

/// A position in a table's rows by one access path. Between calls it holds no pointer into pages.
pub enum Reader<'p> {
    /// File order.
    Scan {
        /// The table.
        table: &'p OpenTable,
        /// Where it is.
        scan: Scan,
        /// Room for rows.
        scratch: RowScratch,
    },
    /// Intervals of a key.
    Key {
        /// The table.
        table: &'p OpenTable,
        /// The walk.
        walk: Box<KeyWalk>,
        /// The intervals.
        intervals: Vec<Interval>,
        /// Room for rows.
        scratch: RowScratch,
        /// Columns come from the key: part per column.
        covering: Option<Vec<usize>>,
    },
    /// Rows that were made before.
    Rows(Box<KeptReader>),
    /// Rows made as they are read.
    Pulled(Box<dyn RowStream>),
}

/// Bytes of a row from which on a batch is measured.
const WIDE: u64 = (BATCH_BYTES / BATCH_ROWS) as u64;

/// Appends a row's columns to their slots.
#[inline]
pub fn load_row(
    row: &RowView<'_>,
    columns: &[(usize, usize, crate::types::FieldType)],
    out: &mut Batch,
    ctx: &mut EvalContext,
) {
    for (column, slot, ty) in columns {
        load::push(row.column(*column), ty, &mut out.columns[*slot], ctx);
    }
}

impl<'p> Reader<'p> {
    /// A reader of every row of a table.
    ///
    /// # Errors
    /// Those of a computed or derived table.
    pub fn scan(exec: &Exec<'_>, table: &'p PlanTable, ctx: &mut EvalContext) -> SqlResult<Reader<'p>> {
        Ok(match &table.relation {
            Relation::Base(t) => Reader::Scan { table: t, scan: Scan::new(), scratch: RowScratch::new() },
            Relation::Virtual(v) => {
                let columns = table.columns.iter().map(|c| c.0).collect();
                let limits = sarg::limits(&table.tests, &mut |e| e.value(ctx))?;
                let rows = match v.rows(&Asked { columns, limits })? {
                    VirtualRows::Made(rows) => rows,
                    VirtualRows::Pulled(stream) => return Ok(Reader::Pulled(stream)),
                };
                let mut keeper = Keeper::new(&ctx.budget);
                let types: Vec<_> = v.columns().iter().map(|c| c.1.class()).collect();
                for row in rows {
                    let mut one = Batch { columns: Vec::new(), len: 1 };
                    for (value, class) in row.iter().zip(&types) {
                        let mut vec = crate::types::Vector::new(*class);
                        vec.push(value.as_ref());
                        one.columns.push(vec);
                    }
                    keeper.push(&one.columns, 0)?;
                }
                Reader::Rows(Box::new(keeper.finish()?.read()))
            }
            Relation::Derived(plan) => {
                let mut keeper = Keeper::new(&ctx.budget);
                exec.run(plan, ctx, &mut |batch, _| {
                    keeper.push_batch(batch)?;
                    Ok(ControlFlow::Continue(()))
                })?;
                Reader::Rows(Box::new(keeper.finish()?.read()))
            }
        })
    }

    /// Reads rows into `out` (whose columns are all slots of the block) until it holds `most`, or rows so long
    /// that fewer are enough; false at the end.
    ///
    /// # Errors
    /// Damaged files.
    pub fn fill(
        &mut self,
        exec: &Exec<'_>,
        plan: &PlanTable,
        out: &mut Batch,
        most: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        let from = out.len;
        let more = self.fill_stored(exec, plan, out, most, ctx)?;
        for column in &plan.computed {
            column.append(out, from, out.len, ctx)?;
        }
        Ok(more)
    }

    fn fill_stored(
        &mut self,
        exec: &Exec<'_>,
        plan: &PlanTable,
        out: &mut Batch,
        most: usize,
        ctx: &mut EvalContext,
    ) -> SqlResult<bool> {
        // only long values make it worth to look after each row
        let wide = plan.columns.iter().map(|c| u64::from(c.2.length)).sum::<u64>() > WIDE;
        let full = |out: &Batch| wide && out.byte_len() >= BATCH_BYTES;
        match self {
            Reader::Scan { table, scan, scratch } => {
                let pin = exec.snapshot.pin();
                let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
                let format = table.format();
                let mut n = out.len;
                let more = scan
                    .each(format, &view, scratch, |pos, row| {
                        load_row(&row, &plan.columns, out, ctx);
                        put_position(pos, plan, out);
                        n += 1;
                        n < most && !full(out)
                    })
                    .map_err(|e| table.error(&e))?;
                exec.counters.borrow_mut().rnd_next += (n - out.len) as u64;
                out.len = n;
                Ok(more)
            }
            Reader::Key { table, walk, intervals, scratch, covering } => {
                let pin = exec.snapshot.pin();
                let view = pin.table(table.pages()).map_err(|e| table.error(&e.into()))?;
                let mut n = 0u64;
                let mut more = true;
                while out.len < most {
                    let Some(pos) = walk.next(&view, intervals).map_err(|e| table.error(&e))? else {
                        more = false;
                        break;
                    };
                    n += 1;
                    match covering {
                        Some(parts) => load_key(walk, parts, plan, out, ctx),
                        None => fetch(table, &view, pos, scratch, plan, out, ctx)?,
                    }
                    put_position(pos, plan, out);
                    out.len += 1;
                    if full(out) {
                        break;
                    }
                }
                let mut counters = exec.counters.borrow_mut();
                counters.next += n;
                Ok(more)
            }
            Reader::Pulled(stream) => {
                let from = out.len;
                let more = stream.fill(&plan.columns, out, most);
                exec.counters.borrow_mut().rnd_next += (out.len - from) as u64;
                Ok(more)
            }
            Reader::Rows(reader) => {
                while out.len < most {
                    let Some((batch, row)) = reader.next_row()? else { return Ok(false) };
                    for (column, slot, _) in &plan.columns {
                        out.columns[*slot].push_from(&batch.columns[*column], row);
                    }
                    out.len += 1;
                    if full(out) {
                        break;
                    }
                }
                Ok(true)
            }
        }
    }

    /// The intervals of a key, to be filled anew and given back by [`Reader::restart`].
    pub fn take_intervals(&mut self) -> Vec<Interval> {
        match self {
            Reader::Key { intervals, .. } => std::mem::take(intervals),
            _ => Vec::new(),
        }
    }

    /// Whether a key's walk ends after one row.
    pub fn only_one(&mut self, yes: bool) {
        if let Reader::Key { walk, .. } = self {
            walk.only_one(yes);
        }
    }

    /// Goes back to the first row, with other intervals for a key.
    pub fn restart(&mut self, with: Option<Vec<Interval>>) {
        match self {
            Reader::Scan { scan, .. } => *scan = Scan::new(),
            Reader::Key { walk, intervals, .. } => {
                walk.restart();
                if let Some(list) = with {
                    *intervals = list;
                }
            }
            Reader::Rows(reader) => reader.rewind(),
            Reader::Pulled(stream) => stream.rewind(),
        }
    }
}

#[inline]
fn put_position(pos: RowPos, plan: &PlanTable, out: &mut Batch) {
    if let Some(slot) = plan.position {
        out.columns[slot].push_i64(pos.0.cast_signed());
    }
}

fn load_key(walk: &KeyWalk, parts: &[usize], plan: &PlanTable, out: &mut Batch, ctx: &mut EvalContext) {
    let mut turned = [0u8; 8];
    for ((_, slot, ty), part) in plan.columns.iter().zip(parts) {
        let v = walk.cursor().part(*part, &mut turned);
        load::push(v, ty, &mut out.columns[*slot], ctx);
    }
}

fn fetch(
    table: &OpenTable,
    view: &TableView<'_>,
    pos: RowPos,
    scratch: &mut RowScratch,
    plan: &PlanTable,
    out: &mut Batch,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let row = table.row(view, pos, scratch).map_err(|e| table.error(&e))?;
    load_row(&row, &plan.columns, out, ctx);
    Ok(())
}

/// Whether a source has any row at all (used by checks that need no columns).
///
/// # Errors
/// Damaged files.
pub fn is_empty<S: PageSource>(table: &OpenTable, src: &S) -> bool {
    table.state_in(src).records() == 0
}

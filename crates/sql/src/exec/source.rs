//! The readers of a block's tables.

use super::Exec;
use super::materialize::Materializer;
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::plan::{PlanTable, Relation, pruning, sarg};
use crate::table::OpenTable;
use crate::table::RowPos;
use crate::table::places::PlaceReader;
use crate::table::points::Points;
use crate::table::reader::{Counted, LateReader, PointReader, Reader, Reading};
use crate::table::virtual_table::ScanRequest;
use crate::types::decimal::Rounding;
use crate::types::{Batch, Class, FieldType, ValueRef, Vector};

/// A reader of every row of a table. A derived table is made by it.
///
/// # Errors
/// Those of a table that makes its rows.
pub fn scan<'p>(
    exec: &Exec<'_>,
    table: &'p PlanTable,
    ctx: &mut EvalContext,
) -> SqlResult<Box<dyn Reader + 'p>> {
    match &table.relation {
        Relation::Base(t) => match partitions(t, table, ctx)? {
            Some(numbers) => Ok(t.scan_partitions(&numbers)),
            None => Ok(t.scan_part(exec.part.get())),
        },
        Relation::Virtual(v) => {
            let columns = table.columns.iter().map(|c| c.0).collect();
            let limits = sarg::limits(&table.tests, &mut |e| e.value(ctx))?;
            let reader = v.rows(&ScanRequest { columns, limits })?;
            ctx.warnings.tell_again(&v.take_warnings());
            Ok(reader as Box<dyn Reader>)
        }
        Relation::JsonTable(_) | Relation::Merged => {
            Err(crate::error::SqlError::internal("a merged view has no rows"))
        }
        Relation::Derived(plan) => {
            let unread = table.columns.is_empty() && table.position.is_none() && table.number.is_none();
            let mut keeper = Materializer::new(&ctx.budget);
            let mut rows = if unread { exec.open_unread(plan, ctx)? } else { exec.open(plan, ctx)? };
            let long = plan.hidden_digits();
            while let Some(batch) = rows.next(ctx)? {
                if unread {
                    keeper.push_batch(&Batch { columns: Vec::new(), len: batch.len })?;
                    continue;
                }
                match long.is_empty() {
                    true => keeper.push_batch(batch)?,
                    false => keeper.push_batch(&as_told(batch, &plan.types, &long))?,
                }
            }
            rows.finish(ctx)?;
            let kept = keeper.finish()?;
            exec.counters.borrow_mut().tmp_write += kept.len();
            Ok(Box::new(kept.read()))
        }
    }
}

/// The rows with as many digits of the numbers in columns `long` as their types tell.
fn as_told(batch: &Batch, types: &[FieldType], long: &[usize]) -> Batch {
    let told = |(i, column): (usize, &Vector)| {
        if !long.contains(&i) {
            return column.clone();
        }
        if column.class() == Class::Double {
            let mut told = column.clone();
            told.f64s_mut().iter_mut().for_each(|x| *x = types[i].told_double(*x));
            return told;
        }
        let mut told = Vector::new(Class::Decimal);
        for row in 0..batch.len {
            match column.get(row) {
                ValueRef::Decimal(d) => {
                    told.push_decimal(&d.round(i32::from(types[i].decimals), Rounding::HalfUp).0);
                }
                _ => told.push_null(),
            }
        }
        told
    };
    Batch { columns: batch.columns.iter().enumerate().map(told).collect(), len: batch.len }
}

/// The partitions that can have rows which meet the conditions; nothing when all can, or there are none.
///
/// # Errors
/// Those of constants and of the partitioning function.
pub fn partitions(t: &OpenTable, table: &PlanTable, ctx: &mut EvalContext) -> SqlResult<Option<Vec<usize>>> {
    if table.tests.is_empty() && table.choices.is_empty() {
        return Ok(None);
    }
    pruning::prune(t, (&table.tests, &table.choices), &mut |e, ctx| e.value(ctx), ctx)
}

/// Appends rows of a table to `out`, whose columns are all slots of the block, as [`Reader::fill`] does; with what is computed of
/// them.
///
/// # Errors
/// As there; those of virtual columns.
pub fn fill<R: Reader + ?Sized>(
    exec: &Exec<'_>,
    table: &PlanTable,
    reader: &mut R,
    out: &mut Batch,
    most: usize,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    fill_columns(exec, table, &table.columns, reader, out, most, ctx)
}

/// The same with these columns of the table; the others are to be read by [`complete`].
///
/// # Errors
/// As there.
pub fn fill_columns<R: Reader + ?Sized>(
    exec: &Exec<'_>,
    table: &PlanTable,
    columns: &[(usize, usize, FieldType)],
    reader: &mut R,
    out: &mut Batch,
    most: usize,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let from = out.len;
    let reading = Reading::new(exec.snapshot, columns, table.position, table.score, ctx);
    let more = reader.fill(&reading, out, most)?;
    settle(exec, table, reader, (from, out), more, ctx)?;
    Ok(more)
}

/// Appends the rows of keys that are looked up together, as [`PointReader::fill_points`] does.
///
/// # Errors
/// As there; those of virtual columns.
pub fn fill_points(
    exec: &Exec<'_>,
    table: &PlanTable,
    reader: &mut dyn PointReader,
    points: &mut Points,
    (out, belongs): (&mut Batch, &mut Vec<u32>),
    most: usize,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let from = out.len;
    let reading = Reading::new(exec.snapshot, &table.columns, table.position, table.score, ctx);
    let open = reader.fill_points(points, &reading, out, most, belongs)?;
    settle(exec, table, reader, (from, out), true, ctx)?;
    Ok(open)
}

/// Counts the rows of `out` from a number on, which a reader has just read, and computes what is computed of them.
fn settle<R: Reader + ?Sized>(
    exec: &Exec<'_>,
    table: &PlanTable,
    reader: &mut R,
    (from, out): (usize, &mut Batch),
    more: bool,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    let read = (out.len - from) as u64;
    let mut counters = exec.counters.borrow_mut();
    match reader.counted() {
        Counted::RndNext | Counted::Temporary => counters.rnd_next += read + u64::from(!more),
        Counted::Next => counters.next += read,
        Counted::Prev => counters.prev += read,
        Counted::Rnd => counters.rnd += read,
        Counted::Key | Counted::Before => {}
    }
    match reader.counted() {
        Counted::Temporary => counters.tmp_rows += read,
        Counted::Before => {}
        _ => counters.rows += read,
    }
    let (walked, sought) = reader.walked();
    counters.next += walked;
    counters.key += sought;
    drop(counters);
    for column in &table.computed {
        column.append(out, from, out.len, ctx)?;
    }
    Ok(())
}

/// Appends columns of rows by their places, as [`PlaceReader::read`] does.
///
/// # Errors
/// Damaged files.
pub fn read_places(
    exec: &Exec<'_>,
    reader: &mut PlaceReader<'_>,
    columns: &[(usize, usize, FieldType)],
    places: &[RowPos],
    out: &mut Batch,
    ctx: &EvalContext,
) -> SqlResult<()> {
    reader.read(&Reading::new(exec.snapshot, columns, None, None, ctx), places, out)
}

/// Appends further columns of some of the rows that were read last; gives of how many, as [`LateReader::complete`] does.
///
/// # Errors
/// Damaged files.
pub fn complete(
    exec: &Exec<'_>,
    columns: &[(usize, usize, FieldType)],
    reader: &mut dyn LateReader,
    out: &mut Batch,
    rows: &[u32],
    ctx: &EvalContext,
) -> SqlResult<usize> {
    reader.complete(&Reading::new(exec.snapshot, columns, None, None, ctx), out, rows)
}

//! Writing the rows of an INSERT: their numbers, and what becomes of duplicates.

use crate::table::insert_queue::NumberSettings;
use crate::table::{RowPos, SeekMode};

use super::super::delete::delete_row;
use super::super::returning::RowImage;
use super::super::target::Target;
use super::super::update::{Assignments, ColumnsRead, Finished, change_row, same};
use super::InsertCounters;
use crate::ast::TriggerEvent;
use crate::error::{SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::plan::change::{InsertPlan, Source};
use crate::types::store::{self, StoreMode};
use crate::types::{Batch, Class, FieldType, Value, ValueRef};
use crate::variables::SqlMode;

/// Assigns the next AUTO_INCREMENT value if the row asks for one, as no value does, and 0 where `zero_asks`; returns the value assigned.
pub(super) fn assign_auto_increment(
    ctx: &mut EvalContext,
    plan: &InsertPlan,
    target: &mut Target,
    given: &mut NumberSettings,
    zero_asks: bool,
) -> SqlResult<Option<u64>> {
    let Some(column) = plan.schema.auto else { return Ok(None) };
    let to = &plan.schema.columns[column];
    let asks = match target.new.as_view().column(column) {
        None => true,
        Some(bytes) if to.ty.class() == Class::Double => {
            let value = crate::types::load::value(Some(bytes), &to.ty, ctx);
            zero_asks && matches!(value, Value::Double(0.0))
        }
        Some(bytes) => zero_asks && bytes.iter().all(|b| *b == 0),
    };
    if !asks {
        return Ok(None);
    }
    let asked_for = std::mem::take(&mut given.first);
    let next = if asked_for != 0 {
        asked_for
    } else if given.then != 0 {
        in_steps(given.then, given.increment, given.offset)
    } else {
        let counted = plan.table.format().auto_column == Some(column) && target.counts_itself();
        let next = match counted {
            true => target.auto_increment().saturating_add(1),
            false => next_in_group(plan, target, column)?,
        };
        if next == u64::MAX {
            return Err(SqlError::new(crate::error::ER_AUTOINC_READ_FAILED, &[]));
        }
        in_steps(next, given.increment, given.offset)
    };
    let mut bytes = Vec::new();
    let v = ValueRef::UInt(next);
    let stored = store::store(v, &FieldType::bigint(true), to, StoreMode::Strict, &mut bytes, ctx);
    if stored.is_err() || next == u64::MAX {
        // the handler's own number of the error
        let mut e = SqlError::new(crate::error::ER_WARN_DATA_OUT_OF_RANGE, &[&to.name, &ctx.row]);
        e.code = 167;
        return Err(e);
    }
    target.new.set(column, &bytes);
    let in_groups = plan.table.format().auto_column != Some(column);
    if !in_groups && (given.then != 0 || asked_for != 0) {
        given.then = next + 1;
    }
    Ok(Some(next))
}

/// The first number from `next` on that the session's step and offset give; the highest when there is none. An offset beyond the
/// step wraps around, as in the reference.
fn in_steps(next: u64, increment: u64, offset: u64) -> u64 {
    if increment == 1 {
        return next;
    }
    let before = next - 1;
    let steps = before.wrapping_add(increment).wrapping_sub(offset) / increment;
    let number = steps.wrapping_mul(increment).wrapping_add(offset);
    if number <= before { u64::MAX } else { number }
}

/// The next number when the column is not first in its key, or when a table under a MERGE table counts no such numbers: one more
/// than the largest with the same values before it.
fn next_in_group(plan: &InsertPlan, target: &Target, column: usize) -> SqlResult<u64> {
    let format = plan.table.format();
    let place = format
        .keys
        .iter()
        .enumerate()
        .find_map(|(k, key)| key.segments.iter().position(|s| s.column == column).map(|at| (k, at)));
    let Some((k, at)) = place else { return Ok(1) };
    let view = target.new.as_view();
    let values: Vec<Option<&[u8]>> =
        format.keys[k].segments[..at].iter().map(|s| view.column(s.column)).collect();
    let mut flat = Vec::new();
    format.encode_key(k, &values, &mut flat);
    // In partitions, numbers below zero count as those that they are stored as, and the one behind -1 is 1.
    let signed = plan.schema.routing.is_some() && !plan.schema.columns[column].ty.unsigned;
    let mut highest = None;
    for (table, writer) in target.writers() {
        let mut cursor = crate::table::KeyCursor::new(table.format(), k);
        let descends = table.format().keys[k].segments[at].descending;
        let mode = match (at, descends) {
            (0, false) => SeekMode::Last,
            (0, true) => SeekMode::First,
            (_, false) => SeekMode::ExactLast,
            (_, true) => SeekMode::Exact,
        };
        let found = cursor.seek(writer.store(), &flat, at, mode).map_err(|e| target.error(&e))?;
        if found {
            let mut scratch = [0u8; 8];
            let number = cursor.part(at, &mut scratch).map_or(0, |bytes| match signed {
                true => i128::from(little_signed(bytes)),
                false => i128::from(little(bytes)),
            });
            highest = highest.max(Some(number));
        }
    }
    Ok(match highest {
        Some(n) if n < -1 => i64::try_from(n + 1).unwrap_or(0).cast_unsigned(),
        n => u64::try_from(n.unwrap_or(0)).unwrap_or(0).saturating_add(1),
    })
}

/// As [`little`], of a number whose highest bit is its sign.
fn little_signed(b: &[u8]) -> i64 {
    let unused = 64 - 8 * b.len().clamp(1, 8);
    (little(b) << unused).cast_signed() >> unused
}

/// Writes the row in `target.new`, and settles duplicates as the statement asks.
pub(crate) fn write_row(
    ctx: &mut EvalContext,
    plan: &InsertPlan,
    target: &mut Target,
    progress: &mut InsertCounters,
    batch: &mut Batch,
    exec: Option<&crate::exec::Exec<'_>>,
) -> SqlResult<()> {
    settle_row(ctx, plan, target, progress, batch, exec)?;
    if let Some(c) = plan.schema.auto.filter(|_| progress.first_generated == 0) {
        // whatever became of the row: clients are told the number of the last one
        progress.last_number = number_of(&plan.schema.columns[c].ty, target.new.as_view().column(c));
    }
    Ok(())
}

fn settle_row(
    ctx: &mut EvalContext,
    plan: &InsertPlan,
    target: &mut Target,
    progress: &mut InsertCounters,
    batch: &mut Batch,
    exec: Option<&crate::exec::Exec<'_>>,
) -> SqlResult<()> {
    if plan.schema.rules.is_some() {
        target.late_defaults(&plan.missing, ctx)?;
    }
    ctx.check_failed()?;
    let alone = is_alone(plan);
    target.before(TriggerEvent::Insert, alone && !plan.ignore, ctx)?;
    // as in MariaDB before the row has its number
    if plan.schema.rules.is_some() || plan.schema.check.is_some() {
        target.compute(&plan.columns, ctx)?;
        if !target.check(plan.ignore && !alone, exec, ctx)? {
            progress.left_out += 1;
            return Ok(());
        }
    }
    // NULL, DEFAULT and no value at all ask for a number in any mode
    let zero_asks = !target.explicit_auto_increment || !ctx.sql_mode.has(SqlMode::NO_AUTO_VALUE_ON_ZERO);
    let generated = match assign_auto_increment(ctx, plan, target, &mut progress.numbers, zero_asks) {
        Err(e) if plan.ignore && e.code != crate::error::ER_AUTOINC_READ_FAILED => {
            ctx.warnings.push_error(crate::warning::Level::Warning, &e);
            return Ok(());
        }
        other => other?,
    };
    if let Err(e) = target.route(ctx) {
        progress.duplicates += 1;
        return target.refuse_or_pass(e, plan.ignore, ctx);
    }
    loop {
        target.asked.write += 1;
        let Target { writer, new, .. } = target;
        match writer.insert(&new.as_view()) {
            Ok(_) => {
                target.changed += 1;
                progress.copied += 1;
                progress.affected += 1;
                note_number(plan, target, progress, generated);
                target.after(TriggerEvent::Insert, ctx)?;
                return add_returned_row(ctx, plan, target, progress, exec);
            }
            Err(crate::table::EngineError::Duplicate { key, existing }) => {
                let existing = target.outer(existing);
                if plan.replace {
                    // numbers are not given twice: the reference refuses from here on what is in the way by number
                    progress.met_with_number |= generated.is_some();
                    if progress.met_with_number && numbering_key(plan) == Some(key) {
                        return Err(target.duplicate(key, ctx));
                    }
                    target.read_in_the_way(existing, ctx)?;
                    progress.affected += 1;
                    progress.duplicates += 1;
                    if refuses_more(target.part().keys(), key) || replaces_in_steps(target) {
                        delete_row(ctx, target, existing)?;
                        continue;
                    }
                    // nothing else can be in the way: the row is changed where it lies
                    target.asked.read += 1;
                    target.asked.update += 1;
                    let place = target.enter(existing);
                    let Target { writer, old, new, .. } = target;
                    if let Err(e) = writer.update(place, &old.as_view(), &new.as_view()) {
                        return Err(target.error(&e));
                    }
                    target.changed += 1;
                    progress.copied += 1;
                    progress.affected += 1;
                    note_number(plan, target, progress, generated);
                    target.after(TriggerEvent::Insert, ctx)?;
                    return add_returned_row(ctx, plan, target, progress, exec);
                }
                if !plan.on_duplicate.is_empty() {
                    return on_duplicate(ctx, plan, target, progress, batch, exec, existing);
                }
                return refused(plan, target, progress, key, ctx);
            }
            Err(e) => return Err(target.error(&e)),
        }
    }
}

/// A row whose value of a unique key is there: left out, with a warning or without a word, or an error.
fn refused(
    plan: &InsertPlan,
    target: &Target,
    progress: &mut InsertCounters,
    key: usize,
    ctx: &mut EvalContext,
) -> SqlResult<()> {
    if plan.skips_duplicates {
        return Ok(());
    }
    let e = target.duplicate(key, ctx);
    if !plan.ignore {
        return Err(e);
    }
    progress.duplicates += 1;
    ctx.warnings.push_error(crate::warning::Level::Warning, &e);
    Ok(())
}

/// Whether the statement has one row: with IGNORE it is refused still.
fn is_alone(plan: &InsertPlan) -> bool {
    plan.source.rows() == Some(1)
}

/// Whether further keys may refuse a row that `key` refuses: those behind it, and all of them where a long unique key was asked, which
/// goes before the others.
fn refuses_more(keys: &[std::sync::Arc<crate::table::KeyInfo>], key: usize) -> bool {
    let others =
        keys.iter().enumerate().filter(|(n, _)| *n > key || keys[key].long_hash.is_some() && *n != key);
    others.into_iter().any(|(_, k)| k.is_unique() || k.long_hash.is_some())
}

/// Whether triggers see that REPLACE deletes.
fn replaces_in_steps(target: &Target) -> bool {
    target.has_triggers(TriggerEvent::Delete, false) || target.has_triggers(TriggerEvent::Delete, true)
}

/// Keeps what RETURNING says of the row in `target.new`.
fn add_returned_row(
    ctx: &mut EvalContext,
    plan: &InsertPlan,
    target: &mut Target,
    progress: &mut InsertCounters,
    exec: Option<&crate::exec::Exec<'_>>,
) -> SqlResult<()> {
    let (Some(list), Some(returned)) = (&plan.returning, &mut progress.returned) else { return Ok(()) };
    let subqueries = exec.filter(|_| !plan.holder.subqueries.is_empty()).map(|e| (e, &*plan.holder));
    returned.add(ctx, list, target, RowImage::New, subqueries)
}

/// The key that the numbers of the AUTO_INCREMENT column come from.
fn numbering_key(plan: &InsertPlan) -> Option<usize> {
    let column = plan.schema.auto?;
    let keys = &plan.table.keys();
    let holds = |first_only: bool| {
        keys.iter().position(|k| {
            let mut parts = k.segments.iter().take(if first_only { 1 } else { usize::MAX });
            parts.any(|s| s.column == column)
        })
    };
    holds(true).or_else(|| holds(false))
}

pub(super) fn note_number(
    plan: &InsertPlan,
    target: &Target,
    progress: &mut InsertCounters,
    generated: Option<u64>,
) {
    if let Some(n) = generated {
        progress.generated = n;
        if progress.first_generated == 0 {
            progress.first_generated = n;
        }
        return;
    }
    if let Some(c) = plan.schema.auto {
        note_explicit(plan, progress, target.new.as_view().column(c));
    }
}

/// Notes the value that a row gave for the AUTO_INCREMENT column.
#[inline]
pub(super) fn note_explicit(plan: &InsertPlan, progress: &mut InsertCounters, value: Option<&[u8]>) {
    let Some(c) = plan.schema.auto else { return };
    let ty = &plan.schema.columns[c].ty;
    progress.last_number = number_of(ty, value);
    let (given, numbers) = (progress.last_number, &mut progress.numbers);
    let is_integer = matches!(ty.class(), Class::Int | Class::UInt);
    if is_integer && numbers.then != 0 && given >= numbers.then && (ty.unsigned || given.cast_signed() > 0) {
        numbers.then = given.saturating_add(1);
    }
}

/// The value of an AUTO_INCREMENT column as clients are told it.
pub(super) fn number_of(ty: &FieldType, value: Option<&[u8]>) -> u64 {
    match (value, ty.class()) {
        (Some(bytes), Class::Int | Class::UInt) => integer(bytes, !ty.unsigned),
        (Some(bytes), Class::Double) => (crate::types::load::double(bytes, ty) as i64).cast_unsigned(),
        _ => 0,
    }
}

/// A little-endian integer of up to eight bytes; a `signed` one goes on with its sign.
fn integer(b: &[u8], signed: bool) -> u64 {
    let high = 64 - 8 * b.len().clamp(1, 8) as u32;
    let n = little(b) << high;
    if signed { (n.cast_signed() >> high).cast_unsigned() } else { n >> high }
}

/// A little-endian integer.
fn little(b: &[u8]) -> u64 {
    b.iter().take(8).rev().fold(0, |n, x| n << 8 | u64::from(*x))
}

fn on_duplicate(
    ctx: &mut EvalContext,
    plan: &InsertPlan,
    target: &mut Target,
    progress: &mut InsertCounters,
    batch: &mut Batch,
    exec: Option<&crate::exec::Exec<'_>>,
    existing: RowPos,
) -> SqlResult<()> {
    // VALUES(col) is the row that was to be inserted
    target.complete_new(ctx)?;
    Target::load(&plan.schema, &target.new, plan.schema.columns.len(), batch, ctx);
    target.asked.read += 1;
    target.read_in_the_way(existing, ctx)?;
    let changed = {
        // as in MariaDB: rows of a query may leave no NULL where there may be none, with IGNORE neither
        let queried = matches!(plan.source, Source::Query(_));
        let assignments = Assignments {
            sets: &plan.on_duplicate,
            ignore: plan.ignore,
            null_is_zero: !queried && (plan.ignore || !is_alone(plan)),
            left_null_fails: queried,
            holder: &plan.holder,
            reads: ColumnsRead::ALL,
        };
        change_row(ctx, &assignments, target, existing, batch, exec)?
    };
    // told are rows that were changed, or met where the client wants to know that; with IGNORE those that left nothing behind
    let told = match plan.ignore {
        true => changed != Finished::Changed,
        false => changed == Finished::Changed || progress.found_rows,
    };
    progress.duplicates += u64::from(told);
    if changed == Finished::Changed {
        progress.affected += 2;
        progress.updated += 1;
    } else if progress.found_rows {
        progress.affected += 1;
    }
    // a change that IGNORE left out is not told
    if changed == Finished::Changed || same(target) {
        add_returned_row(ctx, plan, target, progress, exec)?;
    }
    Ok(())
}

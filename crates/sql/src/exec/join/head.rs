//! The rows of a join's first tables, made before the rest is joined.
//!
//! A join that begins with few rows has its work behind them: what one row of the first tables meets may be thousands of rows of the next
//! ones. So one thread makes the rows of the first steps, as many as there are enough of them, and several threads take some at a time and
//! join the rest. The order stays that of one thread.

use super::super::threads::may_share;
use super::*;
use crate::plan::access::is_apart;

/// Rows that are expected of a join from which on it is worth to begin threads.
const WORTH: f64 = 20_000.0;

/// Rows that one thread makes before the others begin, at most.
const MOST: f64 = 20_000.0;

/// Pieces that each thread takes, so that all end at about the same time.
const EACH: usize = 8;

/// Rows that the first steps of a join have made, not all of them perhaps.
pub struct Head {
    /// How many steps.
    pub steps: usize,
    /// The rows, all slots of the block.
    pub rows: std::vec::IntoIter<Batch>,
}

impl Head {
    /// Makes `out` the next rows; false when there are no more.
    pub(super) fn next(&mut self, out: &mut Chunk) -> bool {
        let Some(rows) = self.rows.next() else { return false };
        out.rows = rows;
        out.select_all();
        true
    }
}

/// Whether a join is worth a head: it begins with few rows and has many. Of joins whose other steps each thread can do for itself.
pub(in crate::exec) fn is_worth(b: &BlockPlan, ctx: &EvalContext) -> bool {
    let Some(first) = b.steps.first().filter(|_| b.steps.len() > 1) else { return false };
    let begins = match &first.access {
        Access::Scan | Access::KeyScan { .. } | Access::Range { .. } => true,
        Access::Lookup { parts, .. } => parts.iter().all(|p| is_apart(&p.value)),
        _ => false,
    };
    begins && first.loose.is_none() && (ctx.threads > 1 || first.rows <= MOST && expected(&b.steps) >= WORTH)
}

/// Rows that are read by these steps, about.
fn expected(steps: &[Step]) -> f64 {
    let (mut rows, mut all) = (1.0, 0.0);
    for step in steps {
        rows *= fan_out(step);
        all += rows;
    }
    all
}

/// Rows that a row meets in a step, about.
fn fan_out(step: &Step) -> f64 {
    if matches!(step.access, Access::Hash { .. }) { 1.0 } else { step.rows.max(1.0) }
}

/// The head of a join for so many threads, which together may take so many bytes: a quarter of them at most. None where one thread has to join.
///
/// # Errors
/// 1317 and its kin.
pub(in crate::exec) fn make(
    exec: &Exec<'_>,
    (plan, b): (&QueryPlan, &BlockPlan),
    threads: usize,
    memory: usize,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Head>> {
    debug_assert!(may_share(ctx));
    let (mark, counted) = (ctx.mark(), *exec.counters.borrow());
    let made = steps(exec, (plan, b), threads * EACH, memory / 4, ctx);
    ctx.check_killed()?;
    match made {
        Ok(Some(head)) if !ctx.warned_since(&mark) => Ok(Some(head)),
        _ => {
            ctx.rollback_to(&mark);
            *exec.counters.borrow_mut() = counted;
            Ok(None)
        }
    }
}

/// Does steps until there are so many rows, in pieces; none when there are too few or too many.
fn steps(
    exec: &Exec<'_>,
    (plan, b): (&QueryPlan, &BlockPlan),
    pieces: usize,
    memory: usize,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Head>> {
    let joined =
        Joined { at_once: usize::MAX, exec, plan, block: b, classes: b.classes.get_or_init(|| classes(b)) };
    let (mut head, mut count) = (None, 0);
    for done in 1..b.steps.len() {
        let step = &b.steps[done - 1..done];
        let Some(mut operator) = behind(joined, step, &[], mask_of(&b.steps[..done - 1]), head.take()) else {
            return Ok(None);
        };
        let (mut made, mut bytes) = (Vec::new(), 0);
        count = 0;
        let mut rows = Chunk::default();
        while operator.next(&mut rows, ctx)? {
            rows.pack(ctx);
            let rows = std::mem::take(&mut rows.rows);
            count += rows.len;
            bytes += rows.memory();
            if bytes > memory {
                return Ok(None);
            }
            made.push(rows);
        }
        head = Some(Head { steps: done, rows: made.into_iter() });
        if count >= pieces || count == 0 || count as f64 * fan_out(&b.steps[done]) > MOST {
            break;
        }
    }
    let Some(head) = head.filter(|_| count > 1) else { return Ok(None) };
    let size = (count / pieces).max(1);
    let rows: Vec<Batch> = head.rows.flat_map(|rows| in_pieces(rows, size)).collect();
    Ok(Some(Head { steps: head.steps, rows: rows.into_iter() }))
}

/// A batch in pieces of so many rows.
fn in_pieces(rows: Batch, size: usize) -> Vec<Batch> {
    if rows.len <= size {
        return vec![rows];
    }
    // columns that nobody reads may be empty
    let has = |v: &Vector| v.len() >= rows.len || v.is_constant();
    let piece = |from: usize| {
        let to = rows.len.min(from + size);
        let column = |v: &Vector| {
            let mut column = Vector::new(v.class());
            if has(v) {
                column.append(v, from..to);
            }
            column
        };
        Batch { columns: rows.columns.iter().map(column).collect(), len: to - from }
    };
    (0..rows.len).step_by(size).map(piece).collect()
}

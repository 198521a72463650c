//! Full-text searches of an execution.

use std::cmp::Ordering;
use std::sync::Arc;

use fulltext::{Hit, Natural};

use super::{Exec, Limiter};
use crate::error::{SqlError, SqlResult};
use crate::expr::full_text::{MatchCall, SearchMode};
use crate::expr::{EvalContext, Frame};
use crate::plan::full_text::{FullText, Order};
use crate::plan::{BlockPlan, QueryPlan, SCORE, Step};
use crate::table::full_text::{FoundReader, Ranked, table_of};
use crate::table::reader::Reader;
use crate::types::Batch;

/// Rows of a boolean search that are asked for at once, to find the best.
const AT_ONCE: usize = 4096;

/// The rows that a search which ranks finds, in the order of their positions.
///
/// # Errors
/// Those of reading; of a killed statement.
pub fn search(exec: &Exec<'_>, call: &MatchCall, query: &[u8], ctx: &EvalContext) -> SqlResult<Vec<Hit>> {
    let Some(key) = &call.key else { return Err(SqlError::internal("a search without a key")) };
    let query = Natural { collation: call.collation, rules: &ctx.words.rules, query };
    let expansion = (call.mode == SearchMode::Expansion).then(|| ctx.words.expansion());
    let stop = || ctx.is_killed();
    let found = table_of(key).search(exec.snapshot, key.key, &query, expansion, &stop)?;
    found.ok_or_else(|| ctx.killed())
}

/// How many rows a search finds.
///
/// # Errors
/// Those of reading; of a killed statement.
pub fn count(exec: &Exec<'_>, f: &FullText, ctx: &mut EvalContext) -> SqlResult<u64> {
    let Some(key) = &f.call.key else { return Err(SqlError::internal("a search without a key")) };
    let one = Batch::one_row();
    let text = f.call.query(Frame::new(&one), ctx)?;
    let ctx = &*ctx;
    let stop = || ctx.is_killed();
    let rows = match f.call.mode {
        SearchMode::Boolean => {
            let query = f.call.boolean(&text, ctx);
            table_of(key).count_boolean(exec.snapshot, key.key, query, &stop)?
        }
        SearchMode::Natural => {
            let query = Natural { collation: f.call.collation, rules: &ctx.words.rules, query: &text };
            table_of(key).count(exec.snapshot, key.key, &query, &stop)?
        }
        SearchMode::Expansion => {
            let hits = search(exec, &f.call, &text, ctx)?;
            Some(hits.iter().filter(|hit| hit.score() > 0.0).count() as u64)
        }
    };
    rows.ok_or_else(|| ctx.killed())
}

/// How many rows of a step's search are asked for: as many as LIMIT takes, where they are sent as they are found.
///
/// # Errors
/// Those of evaluating LIMIT.
pub fn wanted(plan: &QueryPlan, b: &BlockPlan, step: &Step, ctx: &mut EvalContext) -> SqlResult<usize> {
    let filtered = step.filter.as_ref().is_some_and(|f| f.as_column().is_none_or(|c| c.column != SCORE));
    let sorted = !b.order.is_empty() && !b.ordered_by_access;
    if plan.calc_found_rows
        || filtered
        || sorted
        || b.distinct
        || b.group.is_some()
        || b.steps.len() != 1
        || b.limit.with_ties
    {
        return Ok(usize::MAX);
    }
    Ok(Limiter::new(&b.limit, ctx)?.needed())
}

/// A reader of the rows that a search finds, of which `wanted` are asked for.
///
/// # Errors
/// Those of reading; of a killed statement.
pub fn reader<'p>(
    exec: &Exec<'_>,
    f: &'p FullText,
    wanted: usize,
    frame: Frame<'_>,
    ctx: &mut EvalContext,
) -> SqlResult<Box<dyn Reader + 'p>> {
    let Some(key) = &f.call.key else { return Err(SqlError::internal("a search without a key")) };
    let table = table_of(key);
    let rows = if f.call.mode == SearchMode::Boolean {
        let query = f.call.query(frame, ctx)?;
        let query = f.call.boolean(&query, ctx);
        let mut found = table.found(key.key, query, Arc::clone(&ctx.kill));
        if f.order != Order::Score {
            return Ok(Box::new(found));
        }
        best_of(&mut found, exec, wanted)?
    } else if f.order == Order::Score && f.call.mode == SearchMode::Natural && wanted < usize::MAX {
        let text = f.call.query(frame, ctx)?;
        let query = Natural { collation: f.call.collation, rules: &ctx.words.rules, query: &text };
        let stop = || ctx.is_killed();
        let best = table.best(exec.snapshot, key.key, &query, wanted, &stop)?;
        best.ok_or_else(|| ctx.killed())?.iter().map(Ranked::from).collect()
    } else {
        let hits = f.call.hits(frame, ctx)?;
        let found = |hits: &[Hit]| hits.iter().map(Ranked::from).filter(|r| r.score > 0.0).collect();
        match f.order {
            Order::Rank => {
                let mut hits = hits.to_vec();
                let stop = || ctx.is_killed();
                fulltext::top(&mut hits, wanted, &stop).map_err(|_| ctx.killed())?;
                found(&hits)
            }
            Order::Position => found(&hits),
            Order::Score => {
                let mut rows = found(&hits);
                best_first(&mut rows, wanted);
                rows
            }
        }
    };
    Ok(table.ranked(Arc::new(rows)))
}

/// The best rows that a boolean search finds.
fn best_of(found: &mut FoundReader<'_>, exec: &Exec<'_>, wanted: usize) -> SqlResult<Vec<Ranked>> {
    let mut rows = Vec::new();
    loop {
        let before = rows.len();
        found.next(exec.snapshot, AT_ONCE, &mut rows)?;
        if rows.len() == before {
            best_first(&mut rows, wanted);
            return Ok(rows);
        }
        if rows.len() / 2 > wanted.max(AT_ONCE) {
            best_first(&mut rows, wanted);
        }
    }
}

/// Puts the `wanted` best rows first, ties as they lie in the table, and leaves the others out.
fn best_first(rows: &mut Vec<Ranked>, wanted: usize) {
    let better = |a: &Ranked, b: &Ranked| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
    let first = |a: &Ranked, b: &Ranked| better(a, b).then(a.row.cmp(&b.row));
    if wanted < rows.len() {
        rows.select_nth_unstable_by(wanted, first);
        rows.truncate(wanted);
    }
    rows.sort_unstable_by(first);
}

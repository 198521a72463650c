//! Full-text searches of an execution.

use std::sync::Arc;

use fulltext::{Hit, Natural, Stopped};

use super::hits::{AT_ONCE, BestFirst, By, HitListBuilder};
use super::{Exec, Limiter};
use crate::error::{SqlError, SqlResult};
use crate::expr::full_text::{HitList, MatchCall, SearchMode};
use crate::expr::{EvalContext, Frame};
use crate::plan::full_text::{FullText, Order};
use crate::plan::{BlockPlan, QueryPlan, SCORE, Step};
use crate::table::full_text::{FoundReader, table_of};
use crate::table::reader::Reader;
use crate::types::Batch;

/// The rows that a search which ranks finds, in the order of their positions.
///
/// # Errors
/// Those of reading, and of temporary files; of a killed statement.
pub fn search(
    exec: &Exec<'_>,
    call: &MatchCall,
    query: &[u8],
    ctx: &EvalContext,
) -> SqlResult<Arc<dyn HitList>> {
    let mut list = HitListBuilder::new(&ctx.budget);
    each(exec, call, query, ctx, &mut |hit| list.push(hit))?;
    list.finish()
}

/// Hands on the rows that a search which ranks finds, in the order of their positions.
fn each(
    exec: &Exec<'_>,
    call: &MatchCall,
    query: &[u8],
    ctx: &EvalContext,
    take: &mut dyn FnMut(Hit) -> SqlResult<()>,
) -> SqlResult<()> {
    let Some(key) = &call.key else { return Err(SqlError::internal("a search without a key")) };
    let query = Natural { collation: call.collation, rules: &ctx.words.rules, query };
    let expansion = (call.mode == SearchMode::Expansion).then(|| ctx.words.expansion());
    let mut refused = None;
    let mut take = |hit: Hit| {
        take(hit).map_err(|e| {
            refused = Some(e);
            Stopped
        })
    };
    let stop = || ctx.is_killed();
    let ended = table_of(key).search(exec.snapshot, key.key, &query, expansion, &stop, &mut take)?;
    match refused {
        Some(e) => Err(e),
        None => ended.ok_or_else(|| ctx.killed()),
    }
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
            let mut rows = 0;
            each(exec, &f.call, &text, ctx, &mut |hit| {
                rows += u64::from(hit.score() > 0.0);
                Ok(())
            })?;
            Some(rows)
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
        || b.windows.is_some()
        || b.steps.len() != 1
        || b.limit.with_ties
    {
        return Ok(usize::MAX);
    }
    Limiter::most(&b.limit, ctx)
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
    if f.call.mode == SearchMode::Boolean {
        let query = f.call.query(frame, ctx)?;
        let query = f.call.boolean(&query, ctx);
        let mut found = table.found(key.key, query, Arc::clone(&ctx.kill));
        if f.order != Order::Score {
            return Ok(Box::new(found));
        }
        return Ok(table.ranked(best_of(&mut found, exec, wanted, ctx)?));
    }
    if f.order == Order::Score && f.call.mode == SearchMode::Natural && wanted <= AT_ONCE {
        let text = f.call.query(frame, ctx)?;
        let query = Natural { collation: f.call.collation, rules: &ctx.words.rules, query: &text };
        let stop = || ctx.is_killed();
        let best = table.best(exec.snapshot, key.key, &query, wanted, &stop)?;
        return Ok(table.ranked(Arc::new(best.ok_or_else(|| ctx.killed())?)));
    }
    let list = f.call.hits(frame, ctx)?;
    let list = match f.order {
        Order::Position => list,
        Order::Rank => match list.in_memory() {
            Some(hits) => {
                let mut hits = hits.to_vec();
                let stop = || ctx.is_killed();
                fulltext::top(&mut hits, wanted, &stop).map_err(|_| ctx.killed())?;
                Arc::new(hits)
            }
            // the order of ties that MariaDB's sort leaves needs all rows at once
            None => in_order(&*list, By::Weight, wanted, ctx)?,
        },
        Order::Score => in_order(&*list, By::Score, wanted, ctx)?,
    };
    Ok(table.ranked(list))
}

/// The best rows of a list.
fn in_order(list: &dyn HitList, by: By, wanted: usize, ctx: &EvalContext) -> SqlResult<Arc<dyn HitList>> {
    let mut best = BestFirst::new(by, wanted, &ctx.budget);
    let (mut at, mut hits) = (0, Vec::new());
    loop {
        hits.clear();
        list.read(at, &mut hits)?;
        if hits.is_empty() {
            return best.finish();
        }
        at += hits.len() as u64;
        hits.retain(|hit| hit.score() > 0.0);
        best.add(&hits)?;
        ctx.check_killed()?;
    }
}

/// The best rows that a boolean search finds.
fn best_of(
    found: &mut FoundReader<'_>,
    exec: &Exec<'_>,
    wanted: usize,
    ctx: &EvalContext,
) -> SqlResult<Arc<dyn HitList>> {
    let mut best = BestFirst::new(By::Score, wanted, &ctx.budget);
    let mut rows = Vec::new();
    loop {
        rows.clear();
        found.next(exec.snapshot, AT_ONCE, &mut rows)?;
        if rows.is_empty() {
            return best.finish();
        }
        best.add(&rows)?;
    }
}

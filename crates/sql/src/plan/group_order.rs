//! GROUP BY from a key: rows that come in its order make one group after the other, so that LIMIT leaves the others unread.

use std::cell::RefCell;

use super::access::Candidate;
use super::key_order::{Known, delivers, is_short};
use super::order::counted;
use super::{Access, BlockPlan};
use crate::error::SqlResult;
use crate::expr::Expr;

/// Rows of a group where nobody counted them, at least.
const ROWS_OF_GROUP: u32 = 10;

/// Notes where rows come in the order of the groups, and lets a key deliver it when LIMIT leaves few of them. False when that is for the
/// present values of parameters only.
///
/// # Errors
/// Those of evaluating LIMIT.
pub(super) fn choose(
    plan: &mut BlockPlan,
    candidates: &[Candidate<'_>],
    known: &RefCell<Known<'_>>,
) -> SqlResult<bool> {
    let [step] = &plan.steps[..] else { return Ok(true) };
    let c = &candidates[step.table];
    let (Some(g), Some(open)) = (&plan.group, c.open) else { return Ok(true) };
    let column =
        |e: &Expr| Some((e.as_column().filter(|c| c.table as usize == step.table)?.column as usize, false));
    let columns: Option<Vec<(usize, bool)>> = g.keys.iter().map(column).collect();
    let Some(columns) = columns.filter(|c| !c.is_empty()) else { return Ok(true) };
    if g.rollup || g.unordered || g.one || g.descending.contains(&true) {
        return Ok(true);
    }
    let ascends = |key: usize, fixed: usize| delivers(open, &columns, key, fixed) == Some(false);
    let mut lasting = true;
    let (mut in_order, mut access, mut orders) = (false, None, Vec::new());
    match &step.access {
        Access::Lookup { key, parts, descending: false, .. } => {
            in_order = !parts.iter().any(|p| p.or_null) && ascends(*key, parts.len());
        }
        Access::Range { key, descending: false, .. } => in_order = ascends(*key, 0),
        Access::Scan => {
            let keys = || c.ordering.iter().copied().filter(|k| ascends(*k, 0));
            orders.extend(keys().map(|k| (k, false)));
            let limited = plan.limit.count.is_some() && !plan.asks_for_all_groups();
            if c.hints.rows.force || c.hints.order.force {
                // a key that is asked for is used, and delivers the groups
                access = keys().next().map(|key| Access::KeyScan { key, descending: false });
            } else if let Some(key) = keys().next().filter(|_| limited) {
                let each = counted(c, key, columns.len()).max(ROWS_OF_GROUP);
                let (few, always) = is_short(plan, c.rows / f64::from(each), known)?;
                lasting = always;
                access = few.then_some(Access::KeyScan { key, descending: false });
            }
        }
        _ => {}
    }
    let step = &mut plan.steps[0];
    step.orders.extend(orders);
    in_order |= access.is_some();
    if let Some(access) = access {
        step.access = access;
    }
    if let Some(g) = &mut plan.group {
        g.in_order = in_order;
    }
    Ok(lasting)
}

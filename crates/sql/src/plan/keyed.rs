//! Correlated subqueries that can be asked for all outer rows at once.
//!
//! `EXISTS (SELECT ... FROM t WHERE t.a = outer.x AND ...)` says whether `outer.x` is among the `t.a`: where all that
//! ties a subquery to the row around it are equalities, its rows can be read once, without them, with the inner sides as columns. The
//! executor begins row by row and does so when that was the dearer way (`exec::keyed`).

use std::sync::{Arc, OnceLock};

use super::from::JoinTree;
use super::scope::Stack;
use super::{BlockPlan, Body, LimitPlan, QueryPlan, access, slots};
use crate::expr::{CompareOp, Comparison, EvalContext, Expr, Node, Test};
use crate::types::FieldType;

/// A correlated subquery without what correlates it.
pub struct Keyed {
    /// Gives the column that IN compares, none for EXISTS, then the inner sides of the equalities.
    pub plan: QueryPlan,
    /// The outer sides.
    pub outer: Vec<Expr>,
    /// How the two sides of each equality are compared.
    pub by: Vec<Comparison>,
    /// How many rows reading them all looks at, as estimated.
    pub rows: f64,
}

/// What of a bound SELECT a [`Keyed`] plan is made of.
pub(super) struct Parts<'b> {
    pub tree: &'b JoinTree,
    pub conditions: &'b [Expr],
    pub output: &'b [Expr],
    pub straight: bool,
    pub number: u32,
}

/// The plan of a SELECT without groups, HAVING and LIMIT that stands in EXISTS or in IN; none where something else than equalities
/// refers to the query around it, or where it matters how often something is computed.
pub(super) fn plan(stack: &Stack<'_>, parts: &Parts<'_>, ctx: &mut EvalContext) -> Option<Keyed> {
    let names = &stack.levels[stack.levels.len() - 1];
    if names.outer.is_empty() || names.tables.is_empty() || super::json_table::refers_out(&names.tables) {
        return None;
    }
    let mut output = match names.in_subquery? {
        Membership::Exists => Vec::new(),
        Membership::In => parts.output.to_vec(),
    };
    let (mut outer, mut by, mut filter) = (Vec::new(), Vec::new(), Vec::new());
    for c in parts.conditions {
        match tie(c) {
            Some((inside, outside, comparison)) => {
                if names.in_subquery == Some(Membership::Exists) && inside.ty.nullable {
                    // no row equals NULL
                    let value = Node::Is(Box::new(inside.clone()), Test::Null, true);
                    filter.push(Expr::new(value, FieldType::boolean()));
                }
                output.push(inside.clone());
                outer.push(outside.clone());
                by.push(comparison);
            }
            None => filter.push(c.clone()),
        }
    }
    let mut on = true;
    parts.tree.conditions(&mut |c| on &= stays(c));
    let searched = |c: &Expr| stays(c) || matches!(&c.node, Node::Match(call) if call.key.is_some());
    if outer.is_empty()
        || !on
        || !filter.iter().all(searched)
        || !output.iter().all(stays)
        || !outer.iter().all(is_simple)
    {
        return None;
    }
    let mark = ctx.warnings.mark();
    let planned = block(stack, parts, filter, output, false, ctx);
    // what is wrong with a constant is told by the plan for each row
    ctx.warnings.rollback_to(mark);
    let (plan, rows) = planned?;
    Some(Keyed { plan, outer, by, rows })
}

/// The plan of a subquery with these conditions and columns, and how many rows it looks at, as estimated.
pub(super) fn block(
    stack: &Stack<'_>,
    parts: &Parts<'_>,
    filter: Vec<Expr>,
    output: Vec<Expr>,
    only_existence: bool,
    ctx: &mut EvalContext,
) -> Option<(QueryPlan, f64)> {
    let names = &stack.levels[stack.levels.len() - 1];
    let types: Vec<FieldType> = output.iter().map(|e| e.ty.clone()).collect();
    let name = |e: &Expr| {
        let column = e.as_column().map(|c| &names.tables[c.table as usize].columns[c.column as usize]);
        column.map(|c| c.0.clone()).unwrap_or_default()
    };
    let column_names = output.iter().map(name).collect();
    let mut plan = BlockPlan {
        tables: names.tables.iter().map(super::block::plan_table).collect(),
        slots: 0,
        classes: OnceLock::new(),
        steps: Vec::new(),
        constant: None,
        dated: Vec::new(),
        group: None,
        having: None,
        visible: output.len(),
        output,
        distinct: false,
        order: Vec::new(),
        ordered_by_access: false,
        by_place: Vec::new(),
        limit: LimitPlan::default(),
        impossible: None,
        number: parts.number,
        only_existence,
        windows: None,
        direct: None,
    };
    let may_rank = filter.iter().any(super::full_text::has_match);
    let conditions = access::Conditions {
        filter,
        having: Vec::new(),
        may_rank,
        may_stop: false,
        sorted: false,
        buffered: false,
        settles: true,
    };
    let reader = stack.env.reader();
    let mut cacheable =
        access::choose(&mut plan, parts.tree.clone(), conditions, names, parts.straight, reader, ctx).ok()?;
    cacheable &= slots::finish(&mut plan, ctx).ok()?;
    let rows = plan.steps.iter().map(|s| s.rows.max(1.0)).product();
    let plan = QueryPlan {
        schema: Arc::default(),
        types,
        names: column_names,
        body: Body::Block(Box::new(plan)),
        subqueries: Vec::new(),
        tables: Vec::new(),
        views: stack.views,
        cacheable,
        calc_found_rows: false,
    };
    Some((plan, rows))
}

/// What a subquery of one SELECT is asked: for a row, or for a value among its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// EXISTS.
    Exists,
    /// IN, with one column.
    In,
}

/// The inner side and the outer side of an equality between them.
fn tie(e: &Expr) -> Option<(&Expr, &Expr, Comparison)> {
    let Node::Compare(CompareOp::Eq, by, sides) = &e.node else { return None };
    let [a, b] = &**sides;
    let outside = |e: &Expr| refers_out(e) && e.tables() == 0;
    let inside = |e: &Expr| stays(e) && e.tables() != 0;
    if inside(a) && outside(b) {
        Some((a, b, *by))
    } else if inside(b) && outside(a) {
        Some((b, a, *by))
    } else {
        None
    }
}

fn refers_out(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::Outer(_)));
    found
}

/// Whether the value is the same for every outer row, and may be computed for rows that the subquery would not have looked at.
pub(super) fn stays(e: &Expr) -> bool {
    is_simple(e) && !refers_out(e)
}

fn is_simple(e: &Expr) -> bool {
    let mut simple = e.is_repeatable();
    e.walk(&mut |e| {
        simple &= !matches!(
            e.node,
            Node::Subquery(_) | Node::Match(_) | Node::UserVariable(_) | Node::Aggregate(_)
        );
    });
    simple
}

//! `x IN (SELECT y FROM t ...)` for one `x`: the subquery with `y = x` as a condition of its own.
//!
//! Where a key finds the few rows of that value, and few values are asked for, this is cheaper than the set of all rows. The executor begins
//! with it and makes the set when that would have been cheaper (`exec::keyed`).

use super::QueryPlan;
use super::keyed::{Membership, Parts, block, stays};
use super::scope::Stack;
use super::semijoin::{alike, is_found};
use crate::expr::{CompareOp, Comparison, EvalContext, Expr, Node, Test};
use crate::types::{Class, FieldType, Value};

/// The plans for one value.
pub struct ByRow {
    /// Whether there is a row with the value, which is the outer value 0.
    pub found: QueryPlan,
    /// Whether there is a row without a value, where there can be one.
    pub null: Option<QueryPlan>,
    /// How many rows reading them all looks at, as estimated.
    pub all: f64,
    /// And looking for one value.
    pub each: f64,
}

impl ByRow {
    /// The plans beside the one that reads all rows, where they may be cheaper.
    pub(super) fn beside(mut self: Box<Self>, plan: &QueryPlan) -> Option<Box<ByRow>> {
        self.all = super::semijoin::rows(plan)?;
        (self.each * 4.0 < self.all).then_some(self)
    }

    /// Whether the plans are good for other values of parameters.
    pub(super) fn is_lasting(&self) -> bool {
        self.found.cacheable && self.null.as_ref().is_none_or(|p| p.cacheable)
    }
}

/// The plans for one value of a SELECT without groups, HAVING and LIMIT that stands in IN and refers to nothing around it; none where no
/// key finds its rows.
pub(super) fn plan(stack: &Stack<'_>, parts: &Parts<'_>, ctx: &mut EvalContext) -> Option<ByRow> {
    let names = &stack.levels[stack.levels.len() - 1];
    let ([column], Some(Membership::In), Some(sought)) = (parts.output, names.in_subquery, &names.sought)
    else {
        return None;
    };
    if !names.outer.is_empty() || super::json_table::refers_out(&names.tables) || !is_found(column, names) {
        return None;
    }
    let by = how(sought, &column.ty)?;
    let mut on = true;
    parts.tree.conditions(&mut |c| on &= stays(c));
    if !on || !parts.conditions.iter().all(stays) {
        return None;
    }
    let mark = ctx.warnings.mark();
    let value = Expr::new(Node::Outer(0), sought.clone());
    let equal = Node::Compare(CompareOp::Eq, by, Box::new([column.clone(), value]));
    let mut with = |node: Node| {
        let mut filter = parts.conditions.to_vec();
        filter.push(Expr::new(node, FieldType::boolean()));
        let one = Expr::literal(Value::Int(1), FieldType::boolean());
        block(stack, parts, filter, vec![one], true, ctx)
    };
    let found = with(equal);
    let null = if column.ty.nullable {
        with(Node::Is(Box::new(column.clone()), Test::Null, false)).map(Some)
    } else {
        Some(None)
    };
    // what is wrong with a constant is told by the plan for all rows
    ctx.warnings.rollback_to(mark);
    let ((found, each), null) = (found?, null?);
    Some(ByRow { found, null: null.map(|(plan, _)| plan), all: 0.0, each })
}

/// How values of two types are compared as they are.
fn how(left: &FieldType, right: &FieldType) -> Option<Comparison> {
    let by = match right.class() {
        c if c.is_integer() => Comparison::Int,
        Class::Bytes => Comparison::Text(right.collation),
        Class::Date | Class::DateTime | Class::Time => Comparison::Temporal,
        _ => return None,
    };
    let same = left.collation == right.collation || !matches!(by, Comparison::Text(_));
    (same && alike(by, left, right)).then_some(by)
}

//! Subqueries of expressions, with the marks of how they are run.

use super::Place;
use super::conditions::same_field;
use super::constants::{cached, is_basic, value};
use super::names::{Names, made};
use crate::ast::{
    AggregateCall, AggregateFunction, BinaryOp, Expr, ExprKind, Field, IsTest, Limit, Literal, Mark, Query,
    QueryTerm, Select, SelectItem,
};
use crate::error::{SqlResult, codes};
use crate::types::Class;

/// Rewrites a subquery and what is compared with it.
pub(super) fn optimize(names: &mut Names<'_>, e: &mut Expr) -> SqlResult<()> {
    let top = std::mem::take(&mut names.top);
    let mut result = Ok(());
    e.kind.for_children_mut(&mut |child| {
        if result.is_ok() {
            result = names.expr(child);
        }
    });
    result?;
    if names.view.is_some() {
        return super::canonical::subquery(names, e);
    }
    match &mut e.kind {
        ExprKind::Subquery(query) => {
            if let Some(inner) = query.reduced() {
                let number = first_number(query);
                let mut inner = inner.clone();
                names.reduced += 1;
                let before = names.reducing.replace(number);
                let resolved = names.expr(&mut inner);
                names.reducing = before;
                resolved?;
                let note = format!("Select {number} was reduced during optimization");
                names.notes.push((codes::ER_SELECT_REDUCED, note));
                *e = inner;
                return Ok(());
            }
            let outer = of_query(names, query)?;
            if names.marks {
                remember(e, outer);
            }
        }
        ExprKind::Exists(query) => {
            let outer = of_query(names, query)?;
            limit_to_one(query);
            let simple = query.rest.is_empty();
            if !names.marks {
                return Ok(());
            }
            remember(e, outer);
            if simple {
                let exists = std::mem::replace(e, super::truth(true));
                *e = made(ExprKind::Mark(Mark::InOptimizer, vec![super::truth(true), exists]));
            }
        }
        ExprKind::InSubquery { expr, query, negated } => {
            let (left, negated) = ((**expr).clone(), *negated);
            if is_basic(&left) && query.rest.is_empty() {
                names.inject = Some(left.clone());
                of_query(names, query)?;
                names.inject = None;
                let inner = std::mem::take(&mut **query);
                *e = as_exists(left, inner, negated, names.marks);
            } else {
                of_query(names, query)?;
            }
        }
        ExprKind::Quantified { query, .. } => {
            let outer = of_query(names, query)?;
            if outer.is_empty() && names.marks && top {
                by_extreme(names, e);
            }
        }
        _ => {}
    }
    Ok(())
}

fn first_number(query: &Query) -> u32 {
    match &query.first {
        QueryTerm::Select(s) => s.number,
        QueryTerm::Nested(q) => first_number(q),
        QueryTerm::Values(_) => 0,
    }
}

/// Rewrites a subquery; gives what it uses of the SELECT around.
pub(super) fn of_query(names: &mut Names<'_>, query: &mut Query) -> SqlResult<Vec<Field>> {
    let before = std::mem::take(&mut names.here().used_below);
    let done = names.query(query, Place::Expression);
    let used = std::mem::replace(&mut names.here().used_below, before);
    done?;
    Ok(used)
}

/// The mark of a subquery whose values are kept for each set of values of the SELECT around.
fn remember(e: &mut Expr, outer: Vec<Field>) {
    if outer.is_empty() {
        return;
    }
    let inner = std::mem::replace(e, super::truth(true));
    let mut list: Vec<Expr> = outer.into_iter().map(|f| made(ExprKind::Field(Box::new(f)))).collect();
    list.push(inner);
    *e = made(ExprKind::Mark(Mark::ExprCache, list));
}

/// One row says whether there are any.
pub(super) fn limit_to_one(query: &mut Query) {
    let count = Some(made(ExprKind::Literal(Literal::Int(1))));
    query.limit.get_or_insert_with(|| Box::new(Limit { count, ..Limit::default() }));
}

/// ANY and ALL of an order ask for the least or the greatest of all values.
fn by_extreme(names: &mut Names<'_>, e: &mut Expr) {
    use BinaryOp::{Ge, Gt, Le, Lt};
    let ExprKind::Quantified { expr, op, all, query } = &mut e.kind else { return };
    // the extreme stands on the left side: of ALL, in the condition that must not be true
    let (op, greatest) = match (*op, *all) {
        (Gt, false) => (Lt, false),
        (Ge, false) => (Le, false),
        (Lt, false) => (Gt, true),
        (Le, false) => (Ge, true),
        (Gt, true) => (Ge, true),
        (Ge, true) => (Gt, true),
        (Lt, true) => (Le, false),
        (Le, true) => (Lt, false),
        _ => return,
    };
    let (left, all) = ((**expr).clone(), *all);
    let alone = query.rest.is_empty();
    let QueryTerm::Select(s) = &mut query.first else { return };
    let [SelectItem::Expr { expr: item, .. }] = &mut s.items[..] else { return };
    if !alone || is_basic(&left) || matches!(left.kind, ExprKind::Row(_)) {
        return;
    }
    let aggregates = item.has_aggregate();
    if !aggregates && s.having.is_none() {
        s.group_by.clear();
    }
    let tables = !s.from.is_empty() || s.from_dual;
    let replaced =
        !aggregates && s.having.is_none() && tables && !(all && is_nullable(names, item, s.number));
    if replaced {
        let call = AggregateCall {
            function: if greatest { AggregateFunction::Max } else { AggregateFunction::Min },
            distinct: false,
            args: vec![std::mem::replace(item, super::truth(true))],
            order_by: Vec::new(),
            separator: None,
            limit: None,
            over: None,
        };
        *item = made(ExprKind::Aggregate(Box::new(call)));
    }
    let subquery = made(ExprKind::Subquery(Box::new(std::mem::take(&mut **query))));
    let extreme = match replaced {
        true => subquery,
        false => made(ExprKind::Mark(if greatest { Mark::Max } else { Mark::Min }, vec![subquery])),
    };
    let test = made(ExprKind::Binary(op, Box::new(extreme), Box::new(cached(left.clone()))));
    let asked = made(ExprKind::Mark(Mark::InOptimizer, vec![left, test]));
    *e = made(ExprKind::Mark(if all { Mark::Not } else { Mark::Nop }, vec![asked]));
}

/// Whether a column of a subquery may be NULL; `number` is the subquery's.
fn is_nullable(names: &mut Names<'_>, item: &Expr, number: u32) -> bool {
    match &item.kind {
        ExprKind::Field(f) if f.select == number => !names.not_null.contains(&(f.select, f.table, f.column)),
        _ => !is_basic(item),
    }
}

/// IN of a constant is asked of each row.
fn as_exists(left: Expr, query: Query, negated: bool, kept: bool) -> Expr {
    let subquery = made(ExprKind::Subquery(Box::new(query)));
    let exists = made(ExprKind::Mark(Mark::Exists, vec![subquery]));
    let asked = made(ExprKind::Mark(Mark::InOptimizer, vec![left.clone(), exists]));
    let kept = if kept { made(ExprKind::Mark(Mark::ExprCache, vec![left, asked])) } else { asked };
    if !negated {
        return kept;
    }
    made(ExprKind::Unary(crate::ast::UnaryOp::Not, Box::new(kept)))
}

/// What a SELECT compares its one column with becomes a condition of it.
pub(super) fn inject(names: &mut Names<'_>, s: &mut Select, item: &Expr, left: Expr) {
    let mut side = left;
    if let ExprKind::Field(f) = &item.kind
        && let Some(ty) = super::constants::field_type(names.here(), f).cloned()
        && ty.class() == Class::Bytes
        && ty.is_string()
        && let Some((_, of)) = value(names, &side)
        && of.is_string()
        && of.collation.charset.name != ty.collation.charset.name
    {
        side = made(ExprKind::ConvertUsing(Box::new(side), ty.collation.charset.name.into()));
    }
    if !is_basic(&side) {
        side = cached(side);
    }
    let equal = made(ExprKind::Binary(BinaryOp::Eq, Box::new(side), Box::new(item.clone())));
    let nullable = match &item.kind {
        ExprKind::Field(f) => super::constants::field_type(names.here(), f).is_none_or(|ty| ty.nullable),
        _ => !is_basic(item),
    };
    let is_null = || {
        let expr = Box::new(item.clone());
        made(ExprKind::Is { expr, test: IsTest::Null, negated: false })
    };
    let condition = if nullable { made(ExprKind::Or(vec![equal, is_null()])) } else { equal };
    s.filter = Some(match s.filter.take() {
        Some(filter) => made(ExprKind::And(vec![filter, condition])),
        None => condition,
    });
    if nullable {
        s.having = Some(is_null());
    }
    s.group_by.clear();
}

/// Whether a SELECT takes a condition that is put into it: it has no groups of its own.
pub(super) fn takes_condition(s: &Select, items: &[(crate::ast::Name, Expr, bool)]) -> bool {
    let mut aggregates = false;
    items.iter().for_each(|i| aggregates |= i.1.has_aggregate());
    items.len() == 1 && !aggregates && s.having.is_none()
}

/// Adds a column to a list of them.
pub(super) fn add_field(list: &mut Vec<Field>, f: &Field) {
    if !list.iter().any(|o| same_field(o, f)) {
        list.push(f.clone());
    }
}

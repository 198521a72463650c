//! The numbers of SELECTs, by their places in the text.

use std::sync::Arc;

use crate::ast::{Expr, ExprKind, Query, QueryTerm, Select, SelectItem, TableRef};

/// Numbers all SELECTs; gives how many there are.
pub(super) fn assign(query: &mut Query) -> u32 {
    let mut next = 1;
    of_query(query, &mut next);
    next - 1
}

fn take(next: &mut u32) -> u32 {
    *next += 1;
    *next - 1
}

fn of_query(query: &mut Query, next: &mut u32) {
    // the first SELECT has its number before those of WITH
    let first = query.with.is_some().then(|| take(next));
    for t in query.with.iter_mut().flat_map(|w| &mut w.tables) {
        of_query(Arc::make_mut(&mut t.query), next);
    }
    of_term(&mut query.first, first, next);
    for (_, t) in &mut query.rest {
        of_term(t, None, next);
    }
    query.order_by.iter_mut().for_each(|o| of_expr(&mut o.expr, next));
}

fn of_term(term: &mut QueryTerm, number: Option<u32>, next: &mut u32) {
    match term {
        QueryTerm::Nested(query) => of_query(query, next),
        QueryTerm::Values(rows) => {
            number.unwrap_or_else(|| take(next));
            rows.iter_mut().flatten().for_each(|e| of_expr(e, next));
        }
        QueryTerm::Select(s) => {
            s.number = number.unwrap_or_else(|| take(next));
            of_select(s, next);
        }
    }
}

fn of_select(s: &mut Select, next: &mut u32) {
    for item in &mut s.items {
        if let SelectItem::Expr { expr, .. } = item {
            of_expr(expr, next);
        }
    }
    s.from.iter_mut().for_each(|r| of_table(r, next));
    let groups = s.group_by.iter_mut().map(|g| &mut g.expr);
    s.filter.iter_mut().chain(groups).chain(&mut s.having).for_each(|e| of_expr(e, next));
}

fn of_table(r: &mut TableRef, next: &mut u32) {
    match r {
        TableRef::Derived(d) => of_query(Arc::make_mut(&mut d.query), next),
        TableRef::Nested(list) => list.iter_mut().for_each(|r| of_table(r, next)),
        TableRef::Join(j) => {
            of_table(&mut j.left, next);
            of_table(&mut j.right, next);
            if let crate::ast::JoinCondition::On(e) = &mut j.condition {
                of_expr(e, next);
            }
        }
        TableRef::JsonTable(j) => of_expr(&mut j.expr, next),
        TableRef::Table(_) => {}
    }
}

fn of_expr(e: &mut Expr, next: &mut u32) {
    e.kind.for_children_mut(&mut |child| of_expr(child, next));
    match &mut e.kind {
        ExprKind::Subquery(query)
        | ExprKind::Exists(query)
        | ExprKind::InSubquery { query, .. }
        | ExprKind::Quantified { query, .. } => of_query(query, next),
        _ => {}
    }
}

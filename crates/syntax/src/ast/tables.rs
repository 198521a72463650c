//! Which tables a query names.

use super::{Expr, ExprKind, JoinCondition, Query, QueryTerm, Select, SelectItem, TableName, TableRef};

/// Calls `f` for the queries in a SELECT's list and conditions.
pub fn each_subquery<'a>(select: &'a Select, f: &mut dyn FnMut(&'a Query)) {
    let items = select.items.iter().filter_map(|i| match i {
        SelectItem::Expr { expr, .. } => Some(expr),
        _ => None,
    });
    let orders = select.group_by.iter().map(|o| &o.expr);
    items.chain(&select.filter).chain(&select.having).chain(orders).for_each(|e| subqueries_of(e, f));
}

/// Calls `f` for the queries in an expression, those of the queries' own expressions not.
pub fn subqueries_of<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Query)) {
    match &e.kind {
        ExprKind::Subquery(q)
        | ExprKind::Exists(q)
        | ExprKind::InSubquery { query: q, .. }
        | ExprKind::Quantified { query: q, .. } => f(q),
        _ => {}
    }
    e.kind.for_children(&mut |c| subqueries_of(c, f));
}

/// Calls `f` for every SELECT of a query, those of its subqueries as well, until one gives true.
pub fn any_select<'a>(q: &'a Query, f: &mut dyn FnMut(&'a Select) -> bool) -> bool {
    any_query(q, &mut |q| {
        let terms = std::iter::once(&q.first).chain(q.rest.iter().map(|(_, term)| term));
        let mut selects = terms.filter_map(|term| match term {
            QueryTerm::Select(s) => Some(&**s),
            QueryTerm::Nested(_) | QueryTerm::Values(_) => None,
        });
        selects.any(&mut *f)
    })
}

/// Whether `f` holds of a query or of one inside it.
pub fn any_query<'a>(q: &'a Query, f: &mut dyn FnMut(&'a Query) -> bool) -> bool {
    fn of_table<'a>(r: &'a TableRef, f: &mut dyn FnMut(&'a Query) -> bool) -> bool {
        match r {
            TableRef::Table(_) => false,
            TableRef::JsonTable(j) => {
                let mut found = false;
                subqueries_of(&j.expr, &mut |q| found = found || any_query(q, f));
                found
            }
            TableRef::Derived(d) => any_query(&d.query, f),
            TableRef::Nested(list) => list.iter().any(|r| of_table(r, f)),
            TableRef::Join(j) => of_table(&j.left, f) || of_table(&j.right, f),
        }
    }
    if f(q) {
        return true;
    }
    let mut term = |t: &'a QueryTerm| match t {
        QueryTerm::Select(s) => {
            let mut found = s.from.iter().any(|r| of_table(r, f));
            each_subquery(s, &mut |q| found = found || any_query(q, f));
            found
        }
        QueryTerm::Nested(q) => any_query(q, f),
        QueryTerm::Values(_) => false,
    };
    let mut found = term(&q.first);
    for (_, t) in &q.rest {
        found = found || term(t);
    }
    for t in q.with.iter().flat_map(|w| &w.tables) {
        found = found || any_query(&t.query, f);
    }
    found
}

/// Whether a reference names a table that fits; `f` sees the names before it.
pub fn names_table(r: &TableRef, fits: &dyn Fn(&TableName) -> bool, f: &mut dyn FnMut(&TableName)) -> bool {
    match r {
        TableRef::Table(t) => {
            f(&t.name);
            fits(&t.name)
        }
        TableRef::Derived(_) | TableRef::JsonTable(_) => false,
        TableRef::Nested(list) => list.iter().any(|r| names_table(r, fits, f)),
        TableRef::Join(j) => names_table(&j.left, fits, f) || names_table(&j.right, fits, f),
    }
}

/// Calls `f` for the tables of a reference: named ones, subqueries and JSON_TABLE, in their order.
pub fn each_table<'a>(r: &'a TableRef, f: &mut dyn FnMut(&'a TableRef)) {
    match r {
        TableRef::Table(_) | TableRef::Derived(_) | TableRef::JsonTable(_) => f(r),
        TableRef::Nested(list) => list.iter().for_each(|r| each_table(r, f)),
        TableRef::Join(j) => {
            each_table(&j.left, f);
            each_table(&j.right, f);
        }
    }
}

/// Calls `f` for the conditions behind ON.
pub fn each_condition<'a>(r: &'a TableRef, f: &mut dyn FnMut(&'a Expr)) {
    match r {
        TableRef::Table(_) | TableRef::Derived(_) | TableRef::JsonTable(_) => {}
        TableRef::Nested(list) => list.iter().for_each(|r| each_condition(r, f)),
        TableRef::Join(j) => {
            each_condition(&j.left, f);
            each_condition(&j.right, f);
            if let JoinCondition::On(e) = &j.condition {
                f(e);
            }
        }
    }
}

/// Whether a query names a table that fits, in the FROM of its SELECTs or of their subqueries. What its derived tables and
/// WITH read does not count, and a name of WITH is no table.
pub fn reads_table(q: &Query, fits: &dyn Fn(&TableName) -> bool) -> bool {
    let common = |t: &TableName| {
        let names = q.with.iter().flat_map(|w| &w.tables);
        t.db.is_none() && names.into_iter().any(|c| c.name == t.name)
    };
    let fits = |t: &TableName| fits(t) && !common(t);
    let of_term = |t: &QueryTerm| match t {
        QueryTerm::Select(s) => {
            let mut found = s.from.iter().any(|r| names_table(r, &fits, &mut |_| {}));
            each_subquery(s, &mut |q| found = found || reads_table(q, &fits));
            found
        }
        QueryTerm::Nested(q) => reads_table(q, &fits),
        QueryTerm::Values(_) => false,
    };
    of_term(&q.first) || q.rest.iter().any(|(_, t)| of_term(t))
}

/// The tables that a view's query names with their databases, in all of its SELECTs.
pub fn tables_of(q: &Query) -> Vec<TableName> {
    let mut all = Vec::new();
    any_select(q, &mut |s| {
        for r in &s.from {
            names_table(r, &|_| false, &mut |t| {
                if t.db.is_some() && !all.contains(t) {
                    all.push(t.clone());
                }
            });
        }
        false
    });
    all
}

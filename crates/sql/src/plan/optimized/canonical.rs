//! The text of a view: its query with every name resolved and nothing optimized, as the view's file has it.

use super::names::{Names, made};
use super::{Facts, Join, Place, names_of};
use crate::ast::{
    self, Expr, ExprKind, JoinCondition, JoinKind, Literal, Name, Query, QueryTerm, Select, SelectItem, Span,
    TableFactor, TableName, TableRef,
};
use crate::error::{SqlError, SqlResult, codes};

/// The columns of the view whose text is made.
#[derive(Default)]
pub(super) struct ViewColumns {
    /// Their names, where the statement lists them; what the first SELECT calls them afterwards.
    names: Vec<Name>,
    /// The first SELECT has them.
    done: bool,
}

/// The text of a view.
pub struct Canonical {
    /// Its query.
    pub query: Query,
    /// The names of its columns.
    pub columns: Vec<Name>,
}

/// Resolves the names of a view's query; `columns` are those that the statement names.
///
/// # Errors
/// Those of opening tables; 1060, 1166 for names of columns.
pub fn canonical(query: &Query, columns: &[Name], facts: &mut dyn Facts) -> SqlResult<Canonical> {
    let mut query = query.clone();
    let mut names = names_of(None, facts);
    names.marks = false;
    names.view = Some(ViewColumns { names: columns.to_vec(), done: false });
    let found = names.query(&mut query, Place::Result)?;
    let given = names.view.take().filter(|v| v.done).map(|v| v.names);
    Ok(Canonical { query, columns: given.unwrap_or(found) })
}

/// Brackets around the whole query, with an order or a limit behind them.
pub(super) fn brackets(query: &mut Query) {
    if !query.rest.is_empty() || query.order_by.is_empty() && query.limit.is_none() {
        return;
    }
    let QueryTerm::Nested(inner) = &mut query.first else { return };
    if inner.limit.is_some() || !inner.order_by.is_empty() {
        return;
    }
    inner.order_by = std::mem::take(&mut query.order_by);
    inner.limit = query.limit.take();
    if !inner.rest.is_empty() {
        let inner = std::mem::take(&mut **inner);
        let with = query.with.take();
        *query = Query { with: inner.with.or(with), lock: query.lock, span: query.span, ..inner };
    }
}

/// A subquery of an expression: its names are resolved; of EXISTS only one row counts, whatever is in it.
pub(super) fn subquery(names: &mut Names<'_>, e: &mut Expr) -> SqlResult<()> {
    as_membership(e);
    let e = match &mut e.kind {
        ExprKind::Unary(_, inner) => &mut **inner,
        _ => e,
    };
    match &mut e.kind {
        ExprKind::Subquery(query)
        | ExprKind::InSubquery { query, .. }
        | ExprKind::Quantified { query, .. } => {
            super::subquery::of_query(names, query)?;
        }
        ExprKind::Exists(query) => {
            super::subquery::of_query(names, query)?;
            if let QueryTerm::Select(s) = &mut query.first {
                let counted = s.items.iter().any(|i| match i {
                    SelectItem::Expr { expr, .. } => expr.has_aggregate(),
                    _ => false,
                });
                if !counted && s.group_by.is_empty() && s.having.is_none() && query.rest.is_empty() {
                    s.items = vec![one()];
                }
            }
            match &mut query.limit {
                Some(limit) => limit.count = Some(literal(1)),
                None => super::subquery::limit_to_one(query),
            }
        }
        _ => {}
    }
    Ok(())
}

/// `= ANY` is IN, and what is not IN is the opposite of it.
fn as_membership(e: &mut Expr) {
    use ast::BinaryOp::{Eq, Ne};
    let (left, inner, negated) = match &mut e.kind {
        ExprKind::Quantified { expr, op: Eq, all: false, query } => (expr, query, false),
        ExprKind::Quantified { expr, op: Ne, all: true, query } => (expr, query, true),
        ExprKind::InSubquery { expr, query, negated: true } => (expr, query, true),
        _ => return,
    };
    let expr = std::mem::replace(left, Box::new(literal(1)));
    let query = std::mem::take(inner);
    let member = made(ExprKind::InSubquery { expr, query, negated: false });
    *e = match negated {
        true => made(ExprKind::Unary(ast::UnaryOp::Not, Box::new(member))),
        false => member,
    };
}

fn literal(n: u64) -> Expr {
    made(ExprKind::Literal(Literal::Int(n)))
}

fn one() -> SelectItem {
    SelectItem::Expr { expr: literal(1), alias: None, text: Span::default() }
}

/// Puts the list and FROM of a SELECT back, resolved.
pub(super) fn finish_select(
    names: &mut Names<'_>,
    s: &mut Select,
    tree: Join,
    items: Vec<(Name, Expr, bool)>,
    place: Place,
) -> SqlResult<Vec<Name>> {
    let mut columns: Vec<Name> = items.iter().map(|i| i.0.clone()).collect();
    if place == Place::Result
        && let Some(view) = &mut names.view
        && !view.done
    {
        columns = column_names(&items, &view.names)?;
        view.names.clone_from(&columns);
        view.done = true;
    }
    let shown = place != Place::Expression;
    let list = items.into_iter().zip(&columns);
    s.items = list
        .map(|((_, expr, written), name)| SelectItem::Expr {
            expr,
            alias: Some(name.clone()).filter(|_| shown || written),
            text: Span::default(),
        })
        .collect();
    let trees = match tree {
        Join::Inner(list, on) if s.from.len() > 1 && on.is_empty() => list,
        one => vec![one],
    };
    let from = std::mem::take(&mut s.from);
    s.from = from.into_iter().zip(trees).map(|(r, tree)| table_ref(names, r, tree)).collect();
    Ok(columns)
}

/// A reference of FROM, resolved: joins stand in brackets, those to the right are turned around.
fn table_ref(names: &mut Names<'_>, written: TableRef, tree: Join) -> TableRef {
    match (written, tree) {
        (TableRef::Nested(mut list), tree) if list.len() == 1 => table_ref(names, list.remove(0), tree),
        (TableRef::Nested(list), Join::Inner(trees, _)) => {
            let mut all = list.into_iter().zip(trees).map(|(r, tree)| table_ref(names, r, tree));
            let first = all.next();
            let rest: Vec<TableRef> = all.collect();
            rest.into_iter().fold(first.unwrap_or_else(|| TableRef::Nested(Vec::new())), |left, right| {
                joined(left, right, JoinKind::Inner, Vec::new())
            })
        }
        (TableRef::Join(j), Join::Left(a, b, on)) => {
            let (left, right) = match j.kind {
                JoinKind::Right => (j.right, j.left),
                _ => (j.left, j.right),
            };
            let (left, right) = (table_ref(names, left, *a), table_ref(names, right, *b));
            joined(left, right, JoinKind::Left, on)
        }
        (TableRef::Join(j), Join::Straight(a, b, on)) => {
            let (left, right) = (table_ref(names, j.left, *a), table_ref(names, j.right, *b));
            joined(left, right, JoinKind::Straight, on)
        }
        (TableRef::Join(j), Join::Inner(mut trees, on)) if trees.len() == 2 => {
            let (b, a) = (trees.pop(), trees.pop());
            let (Some(a), Some(b)) = (a, b) else { return TableRef::Nested(Vec::new()) };
            let (left, right) = (table_ref(names, j.left, a), table_ref(names, j.right, b));
            joined(left, right, JoinKind::Inner, on)
        }
        (written, Join::Table(n)) => table(names, written, n),
        (written, _) => written,
    }
}

fn joined(left: TableRef, right: TableRef, kind: JoinKind, mut on: Vec<Expr>) -> TableRef {
    let condition = match on.len() {
        0 => JoinCondition::None,
        1 => JoinCondition::On(on.remove(0)),
        _ => JoinCondition::On(made(ExprKind::And(on))),
    };
    let join = ast::Join { left, right, kind, natural: false, condition };
    TableRef::Nested(vec![TableRef::Join(Box::new(join))])
}

/// A table with its database, and its alias where it has one.
fn table(names: &mut Names<'_>, written: TableRef, n: usize) -> TableRef {
    let source = &mut names.here().sources[n];
    match written {
        TableRef::Table(t) => {
            let name = TableName {
                db: Some(source.db.clone()).filter(|db| !db.is_empty()),
                name: t.name.name.clone(),
                span: Span::default(),
            };
            let alias = t.alias.filter(|a| **a != *t.name.name);
            TableRef::Table(Box::new(TableFactor { name, alias, ..*t }))
        }
        TableRef::Derived(mut d) => {
            if let Some(query) = source.query.take() {
                d.query = query.into();
            }
            TableRef::Derived(d)
        }
        TableRef::JsonTable(written) => TableRef::JsonTable(source.json.take().unwrap_or(written)),
        other => other,
    }
}

/// The names of a view's columns: those that are listed, else those of the SELECT, made different from each other.
fn column_names(items: &[(Name, Expr, bool)], listed: &[Name]) -> SqlResult<Vec<Name>> {
    if !listed.is_empty() {
        if listed.len() != items.len() {
            return Err(SqlError::new(codes::ER_VIEW_WRONG_LIST, &[]));
        }
        for (i, n) in listed.iter().enumerate() {
            if listed[..i].iter().any(|m| same(m, n)) {
                return Err(SqlError::new(codes::ER_DUP_FIELDNAME, &[n]));
            }
        }
        return Ok(listed.to_vec());
    }
    let given = |i: usize| items[i].2 || matches!(items[i].1.kind, ExprKind::Field(_));
    let mut names: Vec<Name> = Vec::with_capacity(items.len());
    for (i, (name, ..)) in items.iter().enumerate() {
        match (is_name(name), given(i)) {
            (true, _) => names.push(name.trim_start().into()),
            (false, true) => return Err(SqlError::new(codes::ER_WRONG_COLUMN_NAME, &[name])),
            (false, false) => names.push(format!("Name_exp_{}", i + 1).into()),
        }
    }
    for i in 0..names.len() {
        let Some(before) = (0..i).find(|b| same(&names[*b], &names[i])) else { continue };
        match (given(i), given(before)) {
            (true, true) => return Err(SqlError::new(codes::ER_DUP_FIELDNAME, &[&names[i]])),
            (true, false) => names[before] = another(&items[before].0, &names, i + 1),
            (false, _) => names[i] = another(&items[i].0, &names, i + 1),
        }
    }
    Ok(names)
}

/// A name for an expression that none of the first `seen` columns has.
fn another(name: &str, names: &[Name], seen: usize) -> Name {
    let mut made: Name = format!("My_exp_{name}").into();
    let mut attempt = 1;
    while names[..seen].iter().any(|n| same(n, &made)) {
        made = format!("My_exp_{attempt}_{name}").into();
        attempt += 1;
    }
    made
}

/// Whether a column may be called so.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.ends_with(' ') && name.chars().count() <= 64
}

fn same(a: &str, b: &str) -> bool {
    crate::names::same_name(a, b)
}

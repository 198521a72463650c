//! Statements that change rows, as they were optimized.

use super::names::{Names, made};
use super::{Facts, Optimized, Place, finish, names_of, numbers};
use crate::ast::{
    self, ColumnRef, Delete, DeleteTarget, Expr, ExprKind, Insert, InsertSource, Query, QueryTerm, Select,
    SelectItem, Span, Statement, TableName, TableRef, Update,
};
use crate::error::SqlResult;
use crate::plan::QueryPlan;

/// Rewrites an UPDATE, DELETE, INSERT or REPLACE; of others nothing is said.
///
/// # Errors
/// Those of opening and reading tables.
pub fn changed(
    statement: &Statement,
    plan: Option<&QueryPlan>,
    facts: &mut dyn Facts,
    style: ast::PrintStyle,
) -> SqlResult<Option<Optimized>> {
    let mut names = names_of(plan, facts);
    let mut statement = statement.clone();
    names.marks = matches!(statement, Statement::Insert(_));
    let count = match &mut statement {
        Statement::Update(u) => update(&mut names, u)?,
        Statement::Delete(d) => delete(&mut names, d)?,
        Statement::Insert(i) => insert(&mut names, i)?,
        _ => return Ok(None),
    };
    let print = |style: ast::PrintStyle, out: &mut Vec<u8>| match &statement {
        Statement::Update(u) => u.print(style, out),
        Statement::Delete(d) => d.print(style, out),
        Statement::Insert(i) => i.print(style, out),
        _ => {}
    };
    Ok(Some(finish(names, count, style, &print)))
}

/// The query that has the parts of a statement.
fn query_of(
    items: Vec<Expr>,
    from: Vec<TableRef>,
    filter: Option<Expr>,
    order_by: Vec<ast::OrderItem>,
) -> Query {
    let item = |expr| SelectItem::Expr { expr, alias: None, text: Span::default() };
    let select = Select { items: items.into_iter().map(item).collect(), from, filter, ..Select::default() };
    Query { first: QueryTerm::Select(Box::new(select)), order_by, ..Query::default() }
}

/// Rewrites such a query; gives its SELECT, the order, and how many SELECTs there are. What changes one table keeps its conditions
/// as they were written.
fn rewritten(
    names: &mut Names<'_>,
    mut query: Query,
    single: bool,
) -> SqlResult<(Select, Vec<ast::OrderItem>, u32)> {
    let count = numbers::assign(&mut query);
    names.as_written = single;
    names.query(&mut query, Place::Expression)?;
    match query.first {
        QueryTerm::Select(s) => Ok((*s, query.order_by, count)),
        _ => Ok((Select::default(), Vec::new(), count)),
    }
}

fn update(names: &mut Names<'_>, u: &mut Update) -> SqlResult<u32> {
    let single = matches!(u.tables[..], [TableRef::Table(_)]);
    let mut items = Vec::new();
    for a in &u.assignments {
        items.push(made(ExprKind::Column(Box::new(a.column.clone()))));
        items.push(a.value.clone());
    }
    let query =
        query_of(items, std::mem::take(&mut u.tables), u.filter.take(), std::mem::take(&mut u.order_by));
    let (s, order_by, count) = rewritten(names, query, single)?;
    let mut exprs = s.items.into_iter().filter_map(|i| match i {
        SelectItem::Expr { expr, .. } => Some(expr),
        _ => None,
    });
    for a in &mut u.assignments {
        if let (Some(column), Some(value)) = (exprs.next(), exprs.next()) {
            if let ExprKind::Field(f) = column.kind {
                a.column = f.name;
            }
            a.value = value;
        }
    }
    (u.tables, u.filter, u.order_by) = (s.from, s.filter, order_by);
    Ok(count)
}

fn delete(names: &mut Names<'_>, d: &mut Delete) -> SqlResult<u32> {
    let (from, single) = match &d.target {
        DeleteTarget::Single(t) => (vec![TableRef::Table(t.clone())], true),
        DeleteTarget::Multi { from, .. } => (from.clone(), false),
    };
    let query = query_of(Vec::new(), from, d.filter.take(), std::mem::take(&mut d.order_by));
    let (s, order_by, count) = rewritten(names, query, single)?;
    let database = names.facts.database().to_string();
    match &mut d.target {
        DeleteTarget::Single(t) => {
            if let Some(TableRef::Table(found)) = s.from.into_iter().next() {
                *t = found;
            }
        }
        DeleteTarget::Multi { targets, from } => {
            for t in targets {
                t.db.get_or_insert_with(|| database.as_str().into());
            }
            *from = s.from;
        }
    }
    (d.filter, d.order_by) = (s.filter, order_by);
    Ok(count)
}

fn insert(names: &mut Names<'_>, i: &mut Insert) -> SqlResult<u32> {
    let database = names.facts.database().to_string();
    i.table.db.get_or_insert_with(|| database.as_str().into());
    let mut count = 1;
    match &mut i.source {
        InsertSource::Query(query) => {
            count = numbers::assign(query);
            buffer(query, &i.table, &database);
            names.query(query, Place::Result)?;
        }
        InsertSource::Values(rows) => {
            let mut all: Vec<&mut Expr> = rows.iter_mut().flatten().collect();
            let items = all.iter_mut().map(|e| std::mem::replace(&mut **e, super::truth(true))).collect();
            let (s, _, selects) = rewritten(names, query_of(items, Vec::new(), None, Vec::new()), true)?;
            count = selects;
            for (e, item) in all.into_iter().zip(s.items) {
                if let SelectItem::Expr { expr, .. } = item {
                    *e = expr;
                }
            }
        }
        InsertSource::Rows(_) => {}
    }
    let full = |table: &TableName, c: &ColumnRef| ColumnRef {
        db: table.db.clone(),
        table: Some(table.name.clone()),
        name: c.name.clone(),
    };
    for a in &mut i.on_duplicate {
        a.column = full(&i.table, &a.column);
        qualify(&mut a.value, &|c| full(&i.table, c));
    }
    Ok(count)
}

/// Rows that are read from the table they go to are read before.
fn buffer(query: &mut Query, target: &TableName, database: &str) {
    let QueryTerm::Select(s) = &mut query.first else { return };
    let same = |r: &TableRef| match r {
        TableRef::Table(t) => {
            t.name.name == target.name
                && t.name.db.as_deref().unwrap_or(database) == target.db.as_deref().unwrap_or(database)
        }
        _ => false,
    };
    s.options.buffer_result |= s.from.iter().any(same);
}

/// Names columns of ON DUPLICATE KEY UPDATE by the table.
fn qualify(e: &mut Expr, full: &dyn Fn(&ColumnRef) -> ColumnRef) {
    if let ExprKind::Column(c) | ExprKind::Values(c) = &mut e.kind
        && c.table.is_none()
    {
        **c = full(c);
    }
    e.kind.for_children_mut(&mut |child| qualify(child, full));
}

//! A query as it was optimized, back to text: what EXPLAIN EXTENDED notes. It is made from the syntax tree, in which constants keep
//! the form they were written in: names become columns of tables, conditions are gathered from joins, folded and completed by
//! what equalities say, and rows that are known while planning stand for their tables. Which table is read first and which outer
//! joins are inner ones is the plan's.

mod canonical;
mod change;
mod conditions;
mod constants;
mod joins;
mod names;
mod numbers;
mod subquery;

use std::sync::Arc;

pub use canonical::{Canonical, canonical};
pub use change::changed;
pub(crate) use constants::literal;

use super::{BlockPlan, Body, Named, QueryPlan, Relation};
use crate::ast::{
    self, Expr, ExprKind, Literal, Name, OrderItem, Query, QueryTerm, Select, SelectItem, Span,
};
use crate::error::SqlResult;
use crate::table::OpenTable;
use crate::types::{FieldType, Value};
use names::{Aliases, Frame, Names, made};

/// What is asked of the session while a statement is rewritten.
pub trait Facts {
    /// The table behind a name.
    ///
    /// # Errors
    /// Those of opening it.
    fn table(&mut self, name: &ast::TableName, alias: &str) -> SqlResult<Named>;
    /// The current database.
    fn database(&self) -> &str;
    /// The name of an element of the select list.
    fn item_name(&self, e: &Expr, text: Span) -> Name;
    /// The value of an expression, when it is the same throughout the statement.
    fn constant(&mut self, e: &Expr) -> Option<(Value, FieldType)>;
    /// What stands behind the name of a routine's variable: its place among them.
    fn variable(&self, slot: u32) -> Option<String>;
    /// How many rows a table has; of more than one, any number of them.
    fn count(&mut self, open: &Arc<OpenTable>) -> u64;
    /// The values of these columns in the first row that meets a condition.
    ///
    /// # Errors
    /// Those of reading it.
    fn row(
        &mut self,
        table: &ast::TableName,
        columns: &[Name],
        filter: Option<Expr>,
    ) -> SqlResult<Option<Vec<Literal>>>;
}

/// Where a query stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// All columns have names there.
    Result,
    /// FROM: they have names, too.
    Derived,
    /// In an expression: columns have the names that were written.
    Expression,
}

/// A table of FROM.
#[derive(Default)]
struct Source {
    alias: Name,
    db: Name,
    name: Name,
    columns: Vec<SourceColumn>,
    relation: Option<Relation>,
    hints: Vec<ast::IndexHint>,
    /// A JSON_TABLE.
    json: Option<Box<ast::JsonTable>>,
    /// A subquery of FROM.
    query: Option<Query>,
    /// The values of its one row, where they are known.
    row: Option<Vec<Literal>>,
    /// It is not named any more.
    gone: bool,
    /// It may be missing.
    missing: bool,
    /// Its columns are named without its database.
    bare: bool,
    /// A view or a subquery that was merged: what its columns are made of.
    exprs: Option<Vec<Expr>>,
    /// It stands below such a one: names do not see it.
    below: bool,
}

struct SourceColumn {
    name: Name,
    /// Not known of subqueries.
    ty: Option<FieldType>,
    hidden: bool,
}

/// How the tables of FROM are joined.
enum Join {
    Table(usize),
    Inner(Vec<Join>, Vec<Expr>),
    Straight(Box<Join>, Box<Join>, Vec<Expr>),
    Left(Box<Join>, Box<Join>, Vec<Expr>),
}

/// A query that was optimized.
pub struct Optimized {
    /// Its text.
    pub text: String,
    /// What is noted beside it: names found in queries around, SELECTs that became expressions.
    pub notes: Vec<(u16, String)>,
}

/// Rewrites a query as its plan has it.
///
/// # Errors
/// Those of opening and reading tables.
pub fn optimized(
    query: &Query,
    plan: &QueryPlan,
    facts: &mut dyn Facts,
    style: ast::PrintStyle,
) -> SqlResult<Optimized> {
    let mut query = query.clone();
    let count = numbers::assign(&mut query);
    let mut names = names_of(Some(plan), facts);
    names.query(&mut query, Place::Result)?;
    Ok(finish(names, count, style, &|style, out| query.print(style, out)))
}

/// The statement with its SELECTs numbered by their places in the text.
#[must_use]
pub fn numbered(query: &Query) -> Query {
    let mut query = query.clone();
    numbers::assign(&mut query);
    query
}

fn names_of<'f>(plan: Option<&'f QueryPlan>, facts: &'f mut dyn Facts) -> Names<'f> {
    let mut blocks = Vec::new();
    if let Some(plan) = plan {
        gather(plan, &mut blocks);
    }
    Names {
        facts,
        frames: Vec::new(),
        ctes: Vec::new(),
        merged_ctes: Vec::new(),
        blocks,
        notes: Vec::new(),
        reduced: 0,
        inject: None,
        not_null: Vec::new(),
        top: false,
        as_written: false,
        reducing: None,
        marks: true,
        view: None,
    }
}

/// The text of a statement of `count` SELECTs that was rewritten.
fn finish(
    names: Names<'_>,
    count: u32,
    mut style: ast::PrintStyle,
    print: &dyn Fn(ast::PrintStyle, &mut Vec<u8>),
) -> Optimized {
    let several = count > 1 + names.reduced;
    style.note = Some(if several { ast::Numbers::Shown } else { ast::Numbers::Hidden });
    let mut out = Vec::new();
    print(style, &mut out);
    Optimized { text: String::from_utf8_lossy(&out).into_owned(), notes: names.notes }
}

/// The SELECTs of a plan.
fn gather<'p>(plan: &'p QueryPlan, out: &mut Vec<&'p BlockPlan>) {
    match &plan.body {
        Body::Values(_) | Body::Working(_) => {}
        Body::Recursive(r) => r.plans().for_each(|p| gather(p, out)),
        Body::Set(set) => set.terms.iter().for_each(|(_, term)| gather(term, out)),
        Body::Block(b) => {
            out.push(b);
            for t in &b.tables {
                if let Relation::Derived(p) = &t.relation {
                    gather(p, out);
                }
            }
        }
    }
    plan.subqueries.iter().for_each(|s| gather(&s.plan, out));
}

fn query(names: &mut Names<'_>, query: &mut Query, place: Place) -> SqlResult<Vec<Name>> {
    let ctes = names.ctes.len();
    for t in query.with.iter_mut().flat_map(|w| &mut w.tables) {
        let written = match &t.query.first {
            QueryTerm::Select(s) => Some((**s).clone()),
            _ => None,
        };
        let outer = std::mem::take(&mut names.frames);
        let columns = self::query(names, Arc::make_mut(&mut t.query), Place::Derived);
        names.frames = outer;
        let columns = columns?;
        let columns = if t.columns.is_empty() { columns } else { t.columns.clone() };
        names.ctes.push((t.name.clone(), columns, written));
    }
    let alone = query.rest.is_empty();
    let columns = match &mut query.first {
        QueryTerm::Select(s) if alone => select(names, s, &mut query.order_by, place)?,
        first => term(names, first, place)?,
    };
    for (_, t) in &mut query.rest {
        term(names, t, place)?;
    }
    match names.view.is_some() {
        true => canonical::brackets(query),
        false => {
            merge_duplicates(query);
            into_brackets(query);
        }
    }
    names.ctes.truncate(ctes);
    Ok(columns)
}

/// What a later operation makes distinct need not be kept before; of distinct rows ALL takes nothing away twice.
fn merge_duplicates(query: &mut Query) {
    let last = query.rest.iter().rposition(|(op, _)| !op.all);
    let mut distinct = false;
    for (i, (op, _)) in query.rest.iter_mut().enumerate() {
        op.all &= !(last.is_some_and(|last| i < last) || distinct && op.kind != ast::SetOpKind::Union);
        distinct = !op.all;
    }
}

/// LIMIT behind a query in brackets that has none is that query's.
fn into_brackets(query: &mut Query) {
    if !query.rest.is_empty() || !query.order_by.is_empty() {
        return;
    }
    if let QueryTerm::Nested(inner) = &mut query.first
        && inner.limit.is_none()
    {
        inner.limit = query.limit.take();
    }
}

fn term(names: &mut Names<'_>, term: &mut QueryTerm, place: Place) -> SqlResult<Vec<Name>> {
    match term {
        QueryTerm::Select(s) => select(names, s, &mut Vec::new(), place),
        QueryTerm::Nested(q) => query(names, q, place),
        QueryTerm::Values(rows) => {
            names.frames.push(Frame::default());
            let mut result = Ok(());
            for e in rows.iter_mut().flatten() {
                result = result.and_then(|()| names.expr(e));
            }
            names.frames.pop();
            result?;
            let first = rows.first().map_or(&[][..], |r| r);
            Ok(first.iter().map(|e| names.facts.item_name(e, e.span)).collect())
        }
    }
}

fn select(
    names: &mut Names<'_>,
    s: &mut Select,
    order_by: &mut [OrderItem],
    place: Place,
) -> SqlResult<Vec<Name>> {
    names.frames.push(Frame::of(s.number));
    let result = select_in_frame(names, s, order_by, place);
    if let Some(frame) = names.frames.pop() {
        names.not_null.extend(frame.not_null());
    }
    result
}

fn select_in_frame(
    names: &mut Names<'_>,
    s: &mut Select,
    order_by: &mut [OrderItem],
    place: Place,
) -> SqlResult<Vec<Name>> {
    let as_written = std::mem::take(&mut names.as_written);
    let inject = names.inject.take();
    let tree = names.from(&s.from)?;
    let mut items = Vec::new();
    for item in std::mem::take(&mut s.items) {
        list_item(names, item, &mut items)?;
    }
    if let Some(filter) = &mut s.filter {
        names.top = true;
        names.expr(filter)?;
        names.top = false;
    }
    if let Some(left) = inject
        && subquery::takes_condition(s, &items)
    {
        let item = items[0].1.clone();
        subquery::inject(names, s, &item, left);
    }
    names.here().aliases = items.clone();
    names.here().aliases_count = Aliases::Expression;
    for g in &mut s.group_by {
        names.expr(&mut g.expr)?;
    }
    if let Some(having) = &mut s.having {
        names.here().aliases_count = Aliases::Named;
        names.expr(having)?;
    }
    for o in order_by.iter_mut() {
        let bare = matches!(&o.expr.kind, ExprKind::Column(c) if c.table.is_none());
        names.here().aliases_count = if bare { Aliases::Listed } else { Aliases::Expression };
        names.expr(&mut o.expr)?;
    }
    names.here().aliases_count = Aliases::No;
    if names.view.is_some() {
        return canonical::finish_select(names, s, tree, items, place);
    }
    s.having = s.having.take().map(|e| conditions::of_groups(names, e));
    joins::optimize(names, s, tree, as_written)?;
    let listed = items.iter_mut().map(|i| &mut i.1).chain(s.group_by.iter_mut().map(|g| &mut g.expr));
    listed.chain(order_by.iter_mut().map(|o| &mut o.expr)).for_each(|e| conditions::cache_bounds(names, e));
    let frame = names.here();
    let known = |e: &mut Expr| constants::fill(e, frame);
    let exprs = items.iter_mut().map(|i| &mut i.1).chain(s.group_by.iter_mut().map(|g| &mut g.expr));
    exprs.chain(order_by.iter_mut().map(|o| &mut o.expr)).chain(&mut s.having).for_each(known);
    let columns = items.iter().map(|(name, ..)| name.clone()).collect();
    let shown = place != Place::Expression;
    s.items = items
        .into_iter()
        .map(|(name, expr, written)| SelectItem::Expr {
            expr,
            alias: Some(name).filter(|_| shown || written),
            text: Span::default(),
        })
        .collect();
    Ok(columns)
}

/// An element of the list; of `*` all columns.
fn list_item(names: &mut Names<'_>, item: SelectItem, items: &mut Vec<(Name, Expr, bool)>) -> SqlResult<()> {
    let table = match item {
        SelectItem::Expr { mut expr, alias, text } => {
            let name = alias.clone().unwrap_or_else(|| names.facts.item_name(&expr, text));
            let name = match &expr.kind {
                // a column has the name that its table gives it, but in a view that of the statement
                ExprKind::Column(_) if alias.is_none() && names.view.is_none() => {
                    names.expr(&mut expr)?;
                    match &expr.kind {
                        ExprKind::Field(f) => f.name.name.clone(),
                        _ => name,
                    }
                }
                _ => {
                    names.expr(&mut expr)?;
                    name
                }
            };
            items.push((name, expr, alias.is_some()));
            names.here().aliases.clone_from(items);
            return Ok(());
        }
        SelectItem::Star => None,
        SelectItem::TableStar(_, table) => Some(table),
    };
    let frame = names.here();
    let all: Vec<names::Place> = match &table {
        None => frame.star.clone(),
        Some(name) => {
            let of_table = |s: &(usize, &Source)| s.1.alias.eq_ignore_ascii_case(name) && !s.1.below;
            let sources = frame.sources.iter().enumerate().skip(frame.visible_from).filter(of_table);
            let columns = sources.flat_map(|(t, s)| {
                s.columns.iter().enumerate().filter(|(_, c)| !c.hidden).map(move |(c, _)| (t, c))
            });
            columns.collect()
        }
    };
    for place in all {
        let name = frame.sources[place.0].columns[place.1].name.clone();
        items.push((name, frame.column(place), false));
    }
    Ok(())
}

/// The condition that is always or never true.
fn truth(value: bool) -> Expr {
    made(ExprKind::Literal(Literal::Int(u64::from(value))))
}

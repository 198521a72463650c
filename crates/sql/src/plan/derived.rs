//! Subqueries in FROM: those that only choose rows and columns are merged into the query around, as views are ([`super::view`]), so
//! that its conditions find their rows by keys; the rows of others are made first.

use std::sync::Arc;

use super::from::{JoinTree, MOST_TABLES, add_derived, bind_from};
use super::query::{alias_name, heading, plan_separate, star_places};
use super::scope::{MergedView, Names, Stack};
use super::view::{Filter, Place, filter, one, stand_for};
use super::{TableUse, pushed};
use crate::ast::{self, DerivedTable, Expr as Tree, ExprKind, Query, Select, SelectItem, TableRef};
use crate::catalog::view;
use crate::error::{ER_OPERAND_COLUMNS, SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Node};
use crate::types::FieldType;

/// Tables up to which a subquery's are added to those of the query around.
const MOST_MERGED: usize = MOST_TABLES / 2;

/// Binds a subquery of FROM.
///
/// # Errors
/// Those of binding it, 1060 when two of its columns have one name.
pub(super) fn bind(
    stack: &mut Stack<'_>,
    derived: &DerivedTable,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    if derived.columns.is_empty()
        && let Some(tree) = try_merge(stack, &derived.query, &derived.alias, ctx, cacheable)?
    {
        return Ok(tree);
    }
    let plan = plan_separate(stack, &derived.query, ctx)?;
    *cacheable &= plan.cacheable;
    let tree = add_derived(stack, plan, derived.alias.to_string(), &derived.columns)?;
    let ctes = stack.ctes.len();
    pushed::note(stack, pushed::Text::Query(Arc::clone(&derived.query), Vec::new()), ctes);
    Ok(tree)
}

/// Merges a query; nothing where that cannot be.
///
/// # Errors
/// Those of [`bind`].
pub(super) fn try_merge(
    stack: &mut Stack<'_>,
    query: &Query,
    alias: &str,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<Option<JoinTree>> {
    let Some(select) = mergeable(query) else { return Ok(None) };
    if sums_up(stack, select, ctx)? {
        return Ok(None);
    }
    let tables = stack.here().tables.len() + select.from.iter().map(tables_of).sum::<usize>();
    if stack.usage == TableUse::Change || !ctx.derived_merge || tables >= MOST_MERGED {
        return Ok(None);
    }
    merge(stack, select, alias, ctx, cacheable)
}

/// The SELECT of a query that can be merged. One that sets user variables is run first, as often as it has rows.
pub(super) fn mergeable(query: &Query) -> Option<&Select> {
    let select = view::mergeable(query)?;
    let options = ast::SelectOptions { cache: select.options.cache, ..ast::SelectOptions::default() };
    let plain = query.lock.is_none() && query.into.is_none() && query.procedure.is_none();
    let list = select.items.iter().filter_map(|i| match i {
        SelectItem::Expr { expr, .. } => Some(expr),
        _ => None,
    });
    let assigns = list.chain(&select.filter).any(assigns);
    (plain && select.options == options && select.windows.is_empty() && !assigns).then_some(select)
}

/// Whether the list of a SELECT calls a stored aggregate function.
///
/// # Errors
/// Those of finding the functions.
pub(super) fn sums_up(stack: &mut Stack<'_>, select: &Select, ctx: &mut EvalContext) -> SqlResult<bool> {
    let mut calls = Vec::new();
    for item in &select.items {
        if let SelectItem::Expr { expr, .. } = item {
            unknown_calls(expr, &mut calls);
        }
    }
    for call in calls {
        if stack.env.stored_aggregate(call, ctx)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The calls of functions that are not the server's own.
fn unknown_calls<'e>(e: &'e Tree, calls: &mut Vec<&'e crate::ast::FunctionCall>) {
    if let ExprKind::Function(f) = &e.kind
        && (f.db.is_some() || crate::func::find(&f.name.to_ascii_lowercase()).is_none())
    {
        calls.push(f);
    }
    e.kind.for_children(&mut |c| unknown_calls(c, calls));
}

fn assigns(e: &Tree) -> bool {
    let mut found = matches!(e.kind, ExprKind::Assign(..));
    e.kind.for_children(&mut |c| found = found || assigns(c));
    found
}

/// The tables that a reference adds, a merged subquery being one as well.
fn tables_of(r: &TableRef) -> usize {
    match r {
        TableRef::Table(_) | TableRef::JsonTable(_) => 1,
        TableRef::Derived(d) => 1 + mergeable(&d.query).map_or(0, |s| s.from.iter().map(tables_of).sum()),
        TableRef::Nested(list) => list.iter().map(tables_of).sum(),
        TableRef::Join(j) => tables_of(&j.left) + tables_of(&j.right),
    }
}

/// What of the context of a query a subquery of FROM does not see.
struct Outside {
    levels: Vec<Names>,
    source: Option<super::scope::SourceNames>,
    values_table: Option<u32>,
    in_aggregate: bool,
    star: Vec<(usize, usize)>,
    coalesced: usize,
    visible_from: usize,
    defers: u32,
    late: Option<SqlError>,
}

impl Outside {
    fn leave(stack: &mut Stack<'_>) -> Outside {
        let mut here = stack.levels.pop().unwrap_or_default();
        let first = here.tables.len();
        let outside = Outside {
            star: std::mem::take(&mut here.star),
            coalesced: here.coalesced.len(),
            visible_from: std::mem::replace(&mut here.visible_from, first),
            defers: std::mem::take(&mut here.defers),
            late: here.late.take(),
            levels: std::mem::take(&mut stack.levels),
            source: stack.source.take(),
            values_table: stack.values_table.take(),
            in_aggregate: std::mem::take(&mut stack.in_aggregate),
        };
        stack.levels.push(here);
        outside
    }

    /// Gives what was found wrong late.
    fn come_back(mut self, stack: &mut Stack<'_>) -> Option<SqlError> {
        let names = stack.here();
        names.star = self.star;
        names.coalesced.truncate(self.coalesced);
        (names.visible_from, names.defers) = (self.visible_from, self.defers);
        let late = std::mem::replace(&mut names.late, self.late);
        self.levels.append(&mut stack.levels);
        stack.levels = self.levels;
        stack.source = self.source;
        stack.values_table = self.values_table;
        stack.in_aggregate = self.in_aggregate;
        late
    }
}

/// Merges a SELECT; nothing where that cannot be.
fn merge(
    stack: &mut Stack<'_>,
    select: &Select,
    alias: &str,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<Option<JoinTree>> {
    let first = stack.here().tables.len();
    let lifted = stack.here().lifted.len();
    let outside = Outside::leave(stack);
    // FOR UPDATE of the query around is not that of what it reads here
    let usage = std::mem::replace(&mut stack.usage, TableUse::Read);
    let bound = bind_parts(stack, select, ctx, cacheable);
    stack.usage = usage;
    let late = outside.come_back(stack);
    let names = stack.here();
    if names.lifted.len() > lifted {
        // an aggregate in a subquery is one of these rows
        names.lifted.truncate(lifted);
        names.tables.truncate(first);
        return Ok(None);
    }
    let Parts { tree, columns, exprs, filter: Filter { conditions, asked } } = bound?;
    if let Some(e) = late {
        return Err(e);
    }
    super::ctes::different(columns.iter().map(|(name, _)| name))?;
    stack.here().tables[first..].iter_mut().for_each(|t| t.view.hidden = true);
    let anchor = super::view::anchor(&tree);
    let merged = MergedView { view: None, exprs, first, anchor, conditions, asked, order: Vec::new() };
    let place = Place { db: "", name: alias, alias };
    stand_for(stack, &place, columns, merged, tree).map(Some)
}

/// What a merged subquery is made of, bound.
struct Parts {
    tree: JoinTree,
    columns: Vec<(String, FieldType)>,
    exprs: Vec<Expr>,
    filter: Filter,
}

fn bind_parts(
    stack: &mut Stack<'_>,
    select: &Select,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<Parts> {
    let first = stack.here().visible_from;
    let tree = bind_from(stack, &select.from, ctx, cacheable)?;
    stack.here().visible_from = first;
    let mut items = Vec::new();
    let aggregates = std::mem::replace(&mut stack.here().takes_aggregates, true);
    for i in &select.items {
        item(stack, i, ctx, &mut items, cacheable)?;
    }
    stack.here().takes_aggregates = aggregates;
    let filter = filter(stack, select, ctx, cacheable)?;
    let columns = items.iter().map(|(name, e): &(String, Expr)| (name.clone(), e.ty.clone())).collect();
    let exprs = items.into_iter().map(|(_, e)| e).collect();
    Ok(Parts { tree, columns, exprs, filter })
}

/// Binds an item of the list.
fn item(
    stack: &mut Stack<'_>,
    item: &SelectItem,
    ctx: &mut EvalContext,
    items: &mut Vec<(String, Expr)>,
    cacheable: &mut bool,
) -> SqlResult<()> {
    let SelectItem::Expr { expr, alias, text } = item else {
        let places = star_places(stack, item)?;
        let names = stack.here();
        let column = |(t, c): (usize, usize)| (names.tables[t].columns[c].0.clone(), names.column_expr(t, c));
        items.extend(places.into_iter().map(column));
        return Ok(());
    };
    let bound = one(stack, expr, "SELECT", ctx, cacheable)?;
    if matches!(bound.node, Node::Row(_)) {
        return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
    }
    let name = match alias {
        Some(a) => alias_name(a, ctx, cacheable),
        None => heading(stack, expr, *text, ctx),
    };
    items.push((name, bound));
    Ok(())
}

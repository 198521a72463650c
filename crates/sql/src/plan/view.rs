//! Views in FROM: merged into the query around where that is possible, so that their tables' keys are used, else read as derived
//! tables are.
//!
//! The tables of a merged view stand among those of the query, out of sight; a last one stands for the view itself: its
//! columns are expressions over the others ([`ScopeTable::exprs`]), which take their places where names are looked up.

use std::sync::Arc;

use super::from::{JoinTree, add, add_derived, bind_from, conjuncts};
use super::query::plan_separate;
use super::scope::{MergedView, ScopeTable, Stack};
use super::{Relation, TableUse, is_null, pushed};
use crate::ast::{self, Select, SelectItem, TableFactor};
use crate::bind::ExprBinder;
use crate::catalog::view::StoredView;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::expr::{EvalContext, Expr};
use crate::types::FieldType;
use crate::warning::Level;

/// What a table of a query has to do with views.
#[derive(Default)]
pub struct ViewPart {
    /// It stands below a merged view: names do not see it.
    pub hidden: bool,
    /// Names do not see it while the other side of so many RIGHT JOINs is bound.
    pub unseen: u32,
    /// It is a view whose rows are made first.
    pub is_view: bool,
    /// A view whose tables were put among those of the query.
    pub merged: Option<Box<MergedView>>,
    /// The view that names a base table, for statements that change its rows.
    pub through: Option<Arc<super::Through>>,
    /// The query of a table whose rows are made first, which may be planned again.
    pub source: Option<Box<pushed::Source>>,
}

/// Most views that lie in one another.
const DEEPEST: usize = 64;

/// What of the context of a query a view does not see.
struct Outside {
    levels: Vec<super::scope::Names>,
    ctes: Vec<super::scope::CommonTable>,
    source: Option<super::scope::SourceNames>,
    values_table: Option<u32>,
    in_aggregate: bool,
    client: &'static charset::Charset,
    collation: &'static charset::Collation,
}

impl Outside {
    fn leave(stack: &mut Stack<'_>, view: &StoredView, ctx: &mut EvalContext) -> Outside {
        let here = stack.levels.pop().unwrap_or_default();
        Outside {
            levels: std::mem::replace(&mut stack.levels, vec![here]),
            ctes: std::mem::take(&mut stack.ctes),
            source: stack.source.take(),
            values_table: stack.values_table.take(),
            in_aggregate: std::mem::take(&mut stack.in_aggregate),
            client: std::mem::replace(&mut ctx.client, view.client),
            collation: std::mem::replace(&mut ctx.collation, view.connection),
        }
    }

    fn come_back(mut self, stack: &mut Stack<'_>, ctx: &mut EvalContext) {
        self.levels.append(&mut stack.levels);
        stack.levels = self.levels;
        stack.ctes = self.ctes;
        stack.source = self.source;
        stack.values_table = self.values_table;
        stack.in_aggregate = self.in_aggregate;
        ctx.client = self.client;
        ctx.collation = self.collation;
    }
}

/// Binds a view that FROM names.
///
/// # Errors
/// 1356 for what is wrong below it, 1462 for a view that reads itself, 1449 without a definer.
pub(super) fn bind(
    stack: &mut Stack<'_>,
    view: &Arc<StoredView>,
    t: &TableFactor,
    alias: String,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    if stack.depth >= DEEPEST {
        return Err(SqlError::new(error::ER_TOO_MANY_TABLES, &[&super::from::MOST_TABLES]));
    }
    if let Some(hint) = t.hints.iter().flat_map(|h| &h.indexes).next() {
        return Err(SqlError::new(error::ER_KEY_DOES_NOT_EXISTS, &[hint, &alias]));
    }
    stack.views = stack.env.view_stamp();
    stack.env.enter_view(view)?;
    stack.depth += 1;
    let outside = Outside::leave(stack, view, ctx);
    let merged = match view.mergeable() {
        Some(select) => match super::derived::sums_up(stack, select, ctx) {
            Ok(false) => merge(stack, view, select, &alias, ctx, cacheable),
            Ok(true) => Ok(None),
            Err(e) => Err(e),
        },
        None => Ok(None),
    };
    let bound = match merged {
        Ok(Some(tree)) => Ok(tree),
        Ok(None) => materialize(stack, view, &alias, ctx, cacheable),
        Err(e) => Err(e),
    };
    outside.come_back(stack, ctx);
    stack.depth -= 1;
    stack.env.leave_view();
    let tree = bound.map_err(|e| hide(e, view, ctx))?;
    if matches!(stack.here().tables.last(), Some(t) if t.view.merged.is_none()) {
        pushed::note(stack, pushed::Text::View(Arc::clone(view)), 0);
    }
    let number = stack.here().tables.len() - 1;
    let columns: Vec<String> = stack.here().tables[number].columns.iter().map(|c| c.0.clone()).collect();
    let unreadable = stack.env.unreadable_columns(&view.db, &view.name, &columns).map(Box::new);
    stack.here().tables[number].unreadable = unreadable;
    Ok(tree)
}

/// Plans a view whose rows are made first once more.
///
/// # Errors
/// Those of [`bind`].
pub(super) fn plan_again(
    stack: &mut Stack<'_>,
    view: &Arc<StoredView>,
    ctx: &mut EvalContext,
) -> SqlResult<Arc<super::QueryPlan>> {
    stack.env.enter_view(view)?;
    stack.depth += 1;
    let outside = Outside::leave(stack, view, ctx);
    let usage = std::mem::replace(&mut stack.usage, TableUse::Read);
    let plan = plan_separate(stack, &view.query, ctx);
    stack.usage = usage;
    outside.come_back(stack, ctx);
    stack.depth -= 1;
    stack.env.leave_view();
    plan
}

/// What users of a view are told of what is wrong below it: the list of errors has the reason, unless it is one of rights.
fn hide(e: SqlError, view: &StoredView, ctx: &mut EvalContext) -> SqlError {
    match e.code {
        error::ER_NO_SUCH_TABLE
        | error::ER_BAD_FIELD_ERROR
        | error::ER_BAD_DB_ERROR
        | error::ER_SP_DOES_NOT_EXIST
        | error::ER_UNKNOWN_TABLE
        | error::ER_NON_UNIQ_ERROR
        | error::ER_KEY_DOES_NOT_EXISTS => {
            ctx.warnings.push_error(Level::Error, &e);
            view.invalid()
        }
        codes::ER_VIEW_INVALID
        | error::ER_TABLEACCESS_DENIED_ERROR
        | error::ER_COLUMNACCESS_DENIED_ERROR
        | error::ER_PROCACCESS_DENIED_ERROR => view.invalid(),
        _ => e,
    }
}

/// A view whose rows are made first.
fn materialize(
    stack: &mut Stack<'_>,
    view: &StoredView,
    alias: &str,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    let usage = std::mem::replace(&mut stack.usage, TableUse::Read);
    let plan = plan_separate(stack, &view.query, ctx);
    stack.usage = usage;
    let plan = plan?;
    *cacheable &= plan.cacheable;
    let tree = add_derived(stack, plan, alias.to_string(), &[])?;
    let table = stack.here().tables.last_mut().ok_or_else(|| SqlError::internal("no table"))?;
    table.db = view.db.to_string();
    table.view.is_view = true;
    Ok(tree)
}

/// Merges a view; nothing where that cannot be.
fn merge(
    stack: &mut Stack<'_>,
    view: &Arc<StoredView>,
    select: &Select,
    alias: &str,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<Option<JoinTree>> {
    let names = stack.here();
    let lifted = names.lifted.len();
    let (first, star, coalesced) = (names.tables.len(), names.star.len(), names.coalesced.len());
    let visible = std::mem::replace(&mut names.visible_from, first);
    let defers = std::mem::take(&mut names.defers);
    let late = names.late.take();
    let bound = bind_parts(stack, view, select, ctx, cacheable);
    let names = stack.here();
    (names.visible_from, names.defers) = (visible, defers);
    let own_late = std::mem::replace(&mut names.late, late);
    names.star.truncate(star);
    names.coalesced.truncate(coalesced);
    if names.lifted.len() > lifted {
        // an aggregate in a subquery is one of the view's own rows
        names.lifted.truncate(lifted);
        names.tables.truncate(first);
        return Ok(None);
    }
    names.tables[first..].iter_mut().for_each(|t| t.view.hidden = true);
    let Parts { tree, columns, exprs, filter, order } = bound?;
    if let Some(e) = own_late {
        return Err(e);
    }
    let Filter { conditions, asked } = filter;
    let (of, anchor) = (Some(Arc::clone(view)), anchor(&tree));
    let merged = MergedView { view: of, exprs, first, anchor, conditions, asked, order };
    let place = Place { db: &view.db, name: &view.name, alias };
    stand_for(stack, &place, columns, merged, tree).map(Some)
}

/// What a merged view or subquery is called.
pub(super) struct Place<'a> {
    pub db: &'a str,
    pub name: &'a str,
    pub alias: &'a str,
}

/// Adds the table that stands for one whose tables are there, which are `tree`.
pub(super) fn stand_for(
    stack: &mut Stack<'_>,
    place: &Place<'_>,
    columns: Vec<(String, FieldType)>,
    merged: MergedView,
    tree: JoinTree,
) -> SqlResult<JoinTree> {
    let conditions = merged.conditions.clone();
    let table = ScopeTable {
        db: place.db.to_string(),
        name: place.name.to_string(),
        view: ViewPart { merged: Some(Box::new(merged)), ..ViewPart::default() },
        ..ScopeTable::made(place.alias.to_string(), Relation::Merged, columns)
    };
    add(stack, table)?;
    Ok(match conditions.is_empty() {
        true => tree,
        false => JoinTree::Inner(vec![tree], conditions),
    })
}

/// The table of a join whose row is there whenever one of the join is.
pub(super) fn anchor(tree: &JoinTree) -> usize {
    match tree {
        JoinTree::Table(t) => *t,
        JoinTree::Inner(list, _) => list.first().map_or(0, anchor),
        JoinTree::Straight(a, ..) | JoinTree::Left(a, ..) => anchor(a),
    }
}

/// What a merged view is made of, bound.
struct Parts {
    tree: JoinTree,
    columns: Vec<(String, FieldType)>,
    exprs: Vec<Expr>,
    filter: Filter,
    order: Vec<(Expr, bool)>,
}

/// Binds the clauses of a view over its own tables, which stand behind those of the query so far.
fn bind_parts(
    stack: &mut Stack<'_>,
    view: &StoredView,
    select: &Select,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<Parts> {
    let first = stack.here().visible_from;
    let tree = bind_from(stack, &select.from, ctx, cacheable)?;
    stack.here().visible_from = first;
    let (mut columns, mut exprs) = (Vec::new(), Vec::new());
    let aggregates = std::mem::replace(&mut stack.here().takes_aggregates, true);
    for item in &select.items {
        let SelectItem::Expr { expr, alias, .. } = item else { return Err(view.invalid()) };
        let e = one(stack, expr, "SELECT", ctx, cacheable)?;
        let name = match (alias, &expr.kind) {
            (Some(a), _) => a.to_string(),
            (None, ast::ExprKind::Column(c)) => c.name.to_string(),
            (None, _) => String::from_utf8_lossy(expr.span.of(&view.def.query)).into_owned(),
        };
        columns.push((name, e.ty.clone()));
        exprs.push(e);
    }
    stack.here().takes_aggregates = aggregates;
    let filter = filter(stack, select, ctx, cacheable)?;
    let mut order = Vec::new();
    for o in &view.query.order_by {
        let e = match &o.expr.kind {
            ast::ExprKind::Literal(ast::Literal::Int(n)) => {
                exprs.get((*n as usize).wrapping_sub(1)).cloned().ok_or_else(|| view.invalid())?
            }
            _ => one(stack, &o.expr, "ORDER BY", ctx, cacheable)?,
        };
        order.push((e, o.descending));
    }
    Ok(Parts { tree, columns, exprs, filter, order })
}

/// The WHERE of what is merged.
#[derive(Default)]
pub(super) struct Filter {
    /// Its parts.
    pub conditions: Vec<Expr>,
    /// The parts as they were written: what a CHECK OPTION asks, for which no zero date is NULL.
    pub asked: Vec<Expr>,
}

/// Binds the WHERE of what is merged.
pub(super) fn filter(
    stack: &mut Stack<'_>,
    select: &Select,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<Filter> {
    let mut filter = Filter::default();
    if let Some(f) = &select.filter {
        let mut b = ExprBinder::new(stack, ctx);
        b.clause = "WHERE";
        b.allow_aggregates = false;
        let mut e = b.bind_condition(f)?;
        *cacheable &= b.cacheable;
        conjuncts(e.clone(), &mut filter.asked);
        // as in MariaDB: where the rows may be missing, IS NULL asks for those alone
        if !stack.here().inside_outer {
            is_null::zero_dates(stack.here(), &mut e, ctx)?;
        }
        conjuncts(e, &mut filter.conditions);
    }
    Ok(filter)
}

/// Binds one expression of what is merged.
pub(super) fn one(
    stack: &mut Stack<'_>,
    expr: &ast::Expr,
    clause: &'static str,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<Expr> {
    let mut b = ExprBinder::new(stack, ctx);
    b.clause = clause;
    b.allow_aggregates = false;
    let e = b.bind(expr)?;
    *cacheable &= b.cacheable;
    Ok(e)
}

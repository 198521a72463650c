//! Planning of whole queries: set operations, subqueries in FROM, and the blocks in them.

use super::from::{bind_from, conjunction};
use super::metadata::{meta, meta_of_set, of_derived};
use super::naming::{Written, column_name};
use super::scope::{Names, ScopeTable, SourceNames, Stack};
use super::{Body, LimitPlan, PlanEnv, QueryPlan, Relation, SetPlan, TableUse, full_text, union};
use crate::ast::{self, ExprKind, Literal, Query, QueryTerm, Select, SelectItem};
use crate::bind::ExprBinder;
use crate::error::{
    ER_BAD_FIELD_ERROR, ER_OPERAND_COLUMNS, ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT, SqlError, SqlResult,
};
use crate::expr::{EvalContext, Expr, Node};
use crate::result::{ColumnMeta, ResultSchema, flag};
use crate::types::{FieldType, Kind, Value};
use std::sync::Arc;

/// Plans a query as a statement of its own.
///
/// # Errors
/// Those of binding.
pub fn plan_query(query: &Query, env: &mut dyn PlanEnv, ctx: &mut EvalContext) -> SqlResult<Arc<QueryPlan>> {
    let mut stack = stack(env);
    let mut plan = plan_nested(&mut stack, query, ctx)?;
    if let Some(plan) = Arc::get_mut(&mut plan) {
        plan.count_arms();
    }
    Ok(plan)
}

/// An empty stack of names.
pub(super) fn stack(env: &mut dyn PlanEnv) -> Stack<'_> {
    Stack {
        env,
        levels: vec![Names::default()],
        subqueries: Vec::new(),
        tables: Vec::new(),
        ctes: Vec::new(),
        positions: false,
        usage: TableUse::Read,
        changes: false,
        locks_next: false,
        in_aggregate: false,
        before_aggregates: Vec::new(),
        outer_before: Vec::new(),
        ambiguous: Vec::new(),
        values_table: None,
        source: None,
        sought: None,
        sought_constant: false,
        depth: 0,
        views: 0,
        pushed: Vec::new(),
        again: super::pushed::MOST_AGAIN,
    }
}

/// The names of the FROM of an INSERT's query, for ON DUPLICATE KEY UPDATE; the query itself is planned elsewhere.
fn source_names(
    stack: &mut Stack<'_>,
    s: &Select,
    table: u32,
    ctx: &mut EvalContext,
) -> SqlResult<SourceNames> {
    let (mark, tables) = (ctx.warnings.mark(), stack.tables.len());
    stack.levels.push(Names::default());
    stack.subqueries.push(Vec::new());
    let bound = bind_from(stack, &s.from, ctx, &mut false);
    stack.subqueries.pop();
    let names = stack.levels.pop().unwrap_or_default();
    stack.tables.truncate(tables);
    ctx.warnings.rollback_to(mark);
    bound?;
    Ok(SourceNames { table, names, used: Vec::new() })
}

/// What a statement that changes rows needs: how to find them, and what to compute from them.
pub struct Change {
    /// Gives the positions of the rows of each table of FROM, in its order, then the columns of the derived ones.
    pub rows: Arc<QueryPlan>,
    /// The expressions asked for; slots are column numbers, of table after table.
    pub exprs: Vec<Expr>,
    /// Holds the subqueries of `exprs`.
    pub holder: Arc<QueryPlan>,
    /// The tables of FROM: alias and, for base tables, the table.
    pub tables: Vec<(String, Option<Arc<crate::table::OpenTable>>)>,
    /// The types of each table's columns.
    pub types: Vec<Vec<FieldType>>,
    /// For each asked-for column name its place: table, column.
    pub columns: Vec<(usize, usize)>,
    /// RETURNING; its subqueries are in `holder` too.
    pub returning: Option<ReturningList>,
    /// The views among the tables that were merged.
    pub views: Vec<super::changed_view::ChangedView>,
    /// For each table the view that names it.
    pub through: Vec<Option<Arc<super::Through>>>,
    /// For each asked-for column name that is one of a view's: the view's number, the column's name.
    pub named: Vec<Option<(usize, String)>>,
    /// The columns of [`Asked::source`] that the expressions use; their slots are behind those of VALUES(col).
    pub source: Vec<(ast::ColumnRef, FieldType)>,
}

/// A bound RETURNING list, over the columns of the statement's only table.
pub struct ReturningList {
    /// The expressions; slots are column numbers.
    pub exprs: Vec<Expr>,
    /// The columns as clients see them.
    pub schema: Arc<ResultSchema>,
    /// The first of its subqueries in the holder.
    pub first_subquery: usize,
    /// Whether it asks for scores of searches, which need the rows that the statement began with.
    pub searches: bool,
}

/// What [`plan_change`] is to bind with the names of the statement's tables.
#[derive(Default)]
pub struct Asked<'a> {
    /// Values.
    pub exprs: &'a [&'a ast::Expr],
    /// Names of columns.
    pub columns: &'a [&'a ast::ColumnRef],
    /// Lets VALUES(col) refer to a second row behind the first table's: that many of `exprs` are values of rows, the
    /// others those of ON DUPLICATE KEY UPDATE.
    pub values: Option<usize>,
    /// RETURNING.
    pub returning: &'a [SelectItem],
    /// The query of an INSERT whose columns ON DUPLICATE KEY UPDATE may name.
    pub source: Option<&'a Select>,
    /// Where errors say that names stand; that of the statement for none.
    pub clause: Option<&'static str>,
}

/// Plans the search of rows for UPDATE and DELETE, and binds what is asked for with the names of its tables.
///
/// # Errors
/// Those of binding.
pub fn plan_change(
    query: &Query,
    asked: &Asked<'_>,
    env: &mut dyn PlanEnv,
    ctx: &mut EvalContext,
) -> SqlResult<Change> {
    let &Asked { exprs, columns, values, returning, source, clause } = asked;
    let mut stack = stack(env);
    stack.positions = true;
    let rows = plan_nested(&mut stack, query, ctx)?;
    stack.positions = false;
    // behind the tables stand the rows that were to be inserted, and what the query of an INSERT gives
    let count = stack.here().with_rows();
    stack.values_table = values.map(|_| count as u32);
    stack.subqueries.push(Vec::new());
    stack.source = source.map(|s| source_names(&mut stack, s, 2 * count as u32, ctx)).transpose()?;
    let target = clause.unwrap_or(if values.is_some() { "UPDATE" } else { "SET" });
    let views = super::changed_view::all(stack.here());
    let (places, named) = assigned(&mut stack, columns, &views, target)?;
    let mut starts = starts_of(&stack.here().tables[..count]);
    if values.is_some() {
        let width = starts[count];
        starts.extend((1..=count).map(|n| width + starts[n]).collect::<Vec<_>>());
    }
    let mut bound = Vec::new();
    let mut cacheable = rows.cacheable;
    for (n, e) in exprs.iter().enumerate() {
        let mut b = ExprBinder::new(&mut stack, ctx);
        b.clause = if values.is_some_and(|count| n < count) { "VALUES" } else { target };
        b.allow_aggregates = false;
        let mut e = b.bind(e)?;
        cacheable &= b.cacheable;
        full_text::of_changed_row(&mut e, values.is_none() && starts.len() == 2)?;
        e.columns_mut(&mut |c| c.slot = starts[c.table as usize] + c.column);
        bound.push(e);
    }
    stack.values_table = None;
    let source = stack.source.take().map_or_else(Vec::new, |s| s.used);
    let returning = match returning {
        [] => None,
        list => Some(returning_list(&mut stack, list, values.is_some(), ctx, &mut cacheable)?),
    };
    let subqueries = stack.subqueries.pop().unwrap_or_default();
    let ChangedTables { tables, types, through } = changed_tables(&stack.here().tables[..count], &views);
    let holder = QueryPlan {
        subqueries,
        tables: std::mem::take(&mut stack.tables),
        views: stack.views,
        cacheable,
        ..QueryPlan::without_rows()
    };
    Ok(Change {
        rows,
        exprs: bound,
        holder: Arc::new(holder),
        tables,
        types,
        columns: places,
        views,
        through,
        named,
        returning,
        source,
    })
}

/// Where the columns of each table begin among those of all; of a merged view there are none.
fn starts_of(tables: &[ScopeTable]) -> Vec<u32> {
    let mut starts = vec![0u32];
    for t in tables {
        let own = if t.view.merged.is_some() { 0 } else { t.columns.len() as u32 };
        starts.push(starts[starts.len() - 1] + own);
    }
    starts
}

/// For columns that are assigned to their tables and numbers, and for those of views which they are.
type Assigned = (Vec<(usize, usize)>, Vec<Option<(usize, String)>>);

/// Finds the columns that are assigned to; those of views are columns of tables.
fn assigned(
    stack: &mut Stack<'_>,
    columns: &[&ast::ColumnRef],
    views: &[super::changed_view::ChangedView],
    target: &str,
) -> SqlResult<Assigned> {
    let (mut places, mut named) = (Vec::new(), Vec::new());
    for c in columns {
        let Some((t, column)) = stack.here().find(c, target)? else {
            return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&c.full_name(), &target]));
        };
        let names = stack.here();
        let table = &names.tables[t];
        // the view of accounts is one of the server's own: its columns are computed
        if table.db == "mysql" && table.name == "user" && matches!(table.relation, Relation::Virtual(_)) {
            let code = crate::error::codes::ER_NONUPDATEABLE_COLUMN;
            return Err(SqlError::new(code, &[&table.columns[column].0]));
        }
        if table.view.merged.is_none() {
            places.push((t, column));
            named.push(None);
            continue;
        }
        let of = views.iter().position(|v| v.alias == table.alias && *v.view.db == *table.db);
        match of.and_then(|of| Some((of, views[of].columns[column].1?))) {
            Some((of, place)) => {
                places.push(place);
                named.push(Some((of, views[of].columns[column].0.clone())));
            }
            None => {
                // a statement of one table looks at that first: a result as such is no table to change
                if of.is_some_and(|of| views[of].tables.len() < 2) && names.tables.iter().all(is_one_result) {
                    let code = crate::error::ER_NON_UPDATABLE_TABLE;
                    return Err(SqlError::new(code, &[&table.alias, &"UPDATE"]));
                }
                let code = crate::error::codes::ER_NONUPDATEABLE_COLUMN;
                return Err(SqlError::new(code, &[&table.columns[column].0]));
            }
        }
    }
    Ok((places, named))
}

/// Whether a name stands for no table with files, nor for the result of several tables.
fn is_one_result(t: &ScopeTable) -> bool {
    match &t.relation {
        Relation::Base(_) => false,
        Relation::Derived(plan) => !reads_several(plan),
        _ => true,
    }
}

/// Whether a query has several tables in its FROM; set operations are judged by their first query.
fn reads_several(plan: &QueryPlan) -> bool {
    match &plan.body {
        Body::Block(block) => {
            block.tables.iter().filter(|t| !matches!(t.relation, Relation::Merged)).count() > 1
        }
        Body::Set(set) => set.terms.first().is_some_and(|(_, first)| reads_several(first)),
        _ => false,
    }
}

/// The tables whose rows a statement may change, as [`Change`] has them.
struct ChangedTables {
    tables: Vec<(String, Option<Arc<crate::table::OpenTable>>)>,
    types: Vec<Vec<FieldType>>,
    through: Vec<Option<Arc<super::Through>>>,
}

fn changed_tables(all: &[ScopeTable], views: &[super::changed_view::ChangedView]) -> ChangedTables {
    let column_types = |t: &ScopeTable| match t.view.merged {
        Some(_) => Vec::new(),
        None => t.columns.iter().map(|(_, ty)| ty.clone()).collect(),
    };
    let types = all.iter().map(column_types).collect();
    let through = all.iter().map(|t| t.view.through.clone()).collect();
    // a table below a view of this table alone goes by the view's name
    let alias = |n: usize, t: &ScopeTable| match views.iter().find(|v| v.tables == [n]) {
        Some(v) => v.alias.clone(),
        None if t.view.hidden => String::new(),
        None => t.alias.clone(),
    };
    let tables = all
        .iter()
        .enumerate()
        .map(|(n, t)| match &t.relation {
            Relation::Base(o) => (alias(n, t), Some(Arc::clone(o))),
            Relation::Merged => (String::new(), None),
            _ => (alias(n, t), None),
        })
        .collect();
    ChangedTables { tables, types, through }
}

/// Binds the list of RETURNING.
fn returning_list(
    stack: &mut Stack<'_>,
    list: &[SelectItem],
    inserts: bool,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<ReturningList> {
    let first_subquery = stack.subqueries.last().map_or(0, Vec::len);
    let mut items = Vec::new();
    for item in list {
        if matches!(item, SelectItem::Star | SelectItem::TableStar(..)) {
            // where no column may be read at all, the first one is told of, not the table
            let names = stack.here();
            let closed = |(t, c): &(usize, usize)| {
                let table = &names.tables[*t];
                table.unreadable.as_ref().and_then(|u| u.check(*c, &table.columns[*c].0).err())
            };
            if names.star.iter().all(|place| closed(place).is_some()) {
                names.star.first().and_then(closed).map_or(Ok(()), Err)?;
            }
        }
        select_item(stack, item, ctx, None, &mut items, cacheable)?;
    }
    let mut searches = false;
    for i in &mut items {
        if inserts {
            full_text::of_inserted_row(&mut i.expr);
        } else {
            full_text::of_changed_row(&mut i.expr, true)?;
            searches |= full_text::ranks(&i.expr);
        }
    }
    let schema = Arc::new(ResultSchema::new(items.iter().map(|i| i.meta.clone()).collect(), ctx.results));
    let slotted = |mut i: Item| {
        i.expr.columns_mut(&mut |c| c.slot = c.column);
        i.expr
    };
    let exprs = items.into_iter().map(slotted).collect();
    Ok(ReturningList { exprs, schema, first_subquery, searches })
}

/// Plans a subquery of FROM: it sees nothing of the query around it.
pub(super) fn plan_separate(
    stack: &mut Stack<'_>,
    query: &Query,
    ctx: &mut EvalContext,
) -> SqlResult<Arc<QueryPlan>> {
    let levels = std::mem::replace(&mut stack.levels, vec![Names::default()]);
    let values = stack.values_table.take();
    let source = stack.source.take();
    let plan = plan_nested(stack, query, ctx);
    stack.levels = levels;
    stack.values_table = values;
    stack.source = source;
    plan
}

/// Plans a query at the present level.
pub(super) fn plan_nested(
    stack: &mut Stack<'_>,
    query: &Query,
    ctx: &mut EvalContext,
) -> SqlResult<Arc<QueryPlan>> {
    let ctes = stack.ctes.len();
    let plan = with_ctes(stack, query, ctx);
    stack.ctes.truncate(ctes);
    plan
}

fn with_ctes(stack: &mut Stack<'_>, query: &Query, ctx: &mut EvalContext) -> SqlResult<Arc<QueryPlan>> {
    let pushed = std::mem::take(&mut stack.pushed);
    // FOR UPDATE of a query in brackets is that of the query inside
    let locks = std::mem::take(&mut stack.locks_next) || query.lock.is_some_and(|l| l.update);
    if let Some(with) = &query.with {
        if with.recursive {
            super::recursive::bind(stack, with, ctx)?;
        }
        for t in with.tables.iter().filter(|_| !with.recursive) {
            super::ctes::bind(stack, t, ctx)?;
        }
    }
    let before = stack.tables.len();
    let tables = std::mem::take(&mut stack.tables);
    stack.subqueries.push(Vec::new());
    stack.locks_next = locks;
    stack.pushed = pushed;
    let planned = body(stack, query, ctx);
    stack.pushed.clear();
    stack.locks_next = false;
    let subqueries = stack.subqueries.pop().unwrap_or_default();
    let mine = std::mem::replace(&mut stack.tables, tables);
    for t in &mine {
        if !stack.tables.iter().any(|o| Arc::ptr_eq(o, t)) {
            stack.tables.push(Arc::clone(t));
        }
    }
    debug_assert!(stack.tables.len() >= before);
    let mut plan = planned?;
    for s in &subqueries {
        plan.cacheable &= s.plan.cacheable;
    }
    // How long it waits stands in the statement, not in the plan.
    plan.cacheable &= query.lock_wait() == crate::ast::LockWait::Default;
    plan.subqueries = subqueries;
    plan.tables = mine;
    plan.views = stack.views;
    Ok(Arc::new(plan))
}

fn body(stack: &mut Stack<'_>, query: &Query, ctx: &mut EvalContext) -> SqlResult<QueryPlan> {
    if query.procedure.is_some() {
        return Err(SqlError::not_supported("PROCEDURE"));
    }
    if query.lock.is_some() || query.into.is_some() {
        stack.pushed.clear();
    }
    // behind a set operation it is said of the last query
    let locks = std::mem::take(&mut stack.locks_next);
    if query.rest.is_empty() {
        match &query.first {
            QueryTerm::Select(s) => {
                stack.locks_next = locks;
                return super::block::plan(stack, s, &query.order_by, query.limit.as_deref(), ctx);
            }
            QueryTerm::Values(rows) if query.order_by.is_empty() && query.limit.is_none() => {
                return values(stack, rows, ctx);
            }
            QueryTerm::Values(_) | QueryTerm::Nested(_) => {}
        }
    }
    stack.locks_next = locks && query.rest.is_empty();
    let pushed = std::mem::take(&mut stack.pushed);
    let all = query.rest.iter().all(|(op, _)| op.all);
    let pushed: Vec<Expr> = match query.limit {
        Some(_) => Vec::new(),
        None => pushed.into_iter().filter(|e| all || super::pushed::of_equals(e)).collect(),
    };
    stack.pushed.clone_from(&pushed);
    let first = match &query.first {
        // brackets alone
        QueryTerm::Nested(q) if query.rest.is_empty() => plan_nested(stack, q, ctx)?,
        t => term(stack, t, ctx)?,
    };
    let mut terms = vec![(None, first)];
    for (i, (op, t)) in query.rest.iter().enumerate() {
        stack.locks_next = locks && i + 1 == query.rest.len();
        stack.pushed.clone_from(&pushed);
        let plan = term(stack, t, ctx)?;
        if plan.types.len() != terms[0].1.types.len() {
            return Err(SqlError::new(ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT, &[]));
        }
        terms.push((Some(*op), plan));
    }
    let first = &terms[0].1;
    let names = first.names.clone();
    let mut types = common_types(&terms, ctx)?;
    if terms.len() > 1 {
        types.iter_mut().filter(|t| t.kind == Kind::Null).for_each(|t| *t = union::only_nulls());
    }
    let columns = if terms.len() == 1 {
        first.schema.columns.clone()
    } else if query.order_by.is_empty()
        && query.rest.iter().all(|(op, _)| op.all && op.kind == ast::SetOpKind::Union)
    {
        names.iter().zip(&types).map(|(n, t)| super::temporary::of_all(n, t, ctx)).collect()
    } else {
        names.iter().zip(&types).map(|(n, t)| meta_of_set(n, t, ctx)).collect()
    };
    let mut cacheable = terms.iter().all(|(_, p)| p.cacheable);
    // ORDER BY of the whole sees the result columns only
    let outer = std::mem::take(&mut stack.here().outer);
    let result = result_table(Arc::clone(&terms[0].1), &types);
    let of_union = !query.rest.is_empty();
    *stack.here() = Names { tables: vec![result], outer, of_union, ..Names::default() };
    let order = set_order(stack, query, &types, &mut cacheable, ctx)?;
    let limit = limit(stack, query.limit.as_deref(), ctx)?;
    // the names hold the first term
    stack.here().tables.clear();
    if query.rest.iter().any(|(op, _)| !op.all) || !order.is_empty() && !query.rest.is_empty() {
        super::examined::check_union(ctx.max_join_size)?;
    }
    Ok(QueryPlan {
        schema: Arc::new(ResultSchema::new(columns, ctx.results)),
        types,
        names,
        body: Body::Set(Box::new(SetPlan { terms, order, limit, counts: false })),
        subqueries: Vec::new(),
        tables: Vec::new(),
        views: 0,
        cacheable,
        calc_found_rows: false,
    })
}

type Term = (Option<ast::SetOp>, Arc<QueryPlan>);

/// The text of a column of a term, if it is a constant.
fn constant_of(plan: &QueryPlan, column: usize, ctx: &EvalContext) -> Option<Vec<u8>> {
    let Body::Block(b) = &plan.body else { return None };
    let value = match &b.output.get(column)?.node {
        Node::Literal(value) => value,
        Node::Param(n) => ctx.statement.params.get(*n as usize)?,
        _ => return None,
    };
    match value {
        Value::Bytes(text) => Some(text.clone()),
        _ => None,
    }
}

/// The types of the columns of set operations.
fn common_types(terms: &[Term], ctx: &mut EvalContext) -> SqlResult<Vec<FieldType>> {
    let mut types = terms[0].1.types.clone();
    // the texts of columns that are constants so far, one behind the other
    let mut constants: Vec<Option<Vec<u8>>> =
        (0..types.len()).map(|i| constant_of(&terms[0].1, i, ctx)).collect();
    for (_, p) in &terms[1..] {
        for (i, (a, b)) in types.iter_mut().zip(&p.types).enumerate() {
            let constant = constant_of(p, i, ctx);
            let common = union::common_of((a, constants[i].as_deref()), (b, constant.as_deref()), ctx)?;
            constants[i] = match (constants[i].take(), constant) {
                (Some(mut all), Some(own)) if a.collation.id == b.collation.id => {
                    all.extend_from_slice(&own);
                    Some(all)
                }
                _ => None,
            };
            *a = common;
        }
    }
    union::no_mix(&types)?;
    Ok(types)
}

/// The result of set operations as a table whose columns ORDER BY names.
fn result_table(first: Arc<QueryPlan>, types: &[FieldType]) -> ScopeTable {
    let columns = first.names.iter().cloned().zip(types.iter().cloned()).collect();
    ScopeTable::made(String::new(), Relation::Derived(first), columns)
}

/// Binds the ORDER BY of set operations.
fn set_order(
    stack: &mut Stack<'_>,
    query: &Query,
    types: &[FieldType],
    cacheable: &mut bool,
    ctx: &mut EvalContext,
) -> SqlResult<Vec<(Expr, bool)>> {
    let mut order = Vec::with_capacity(query.order_by.len());
    for (i, item) in query.order_by.iter().enumerate() {
        let listed = match &item.expr.kind {
            ExprKind::Param(n) => {
                let listed = position_of_parameter(*n, types.len(), "ORDER BY", ctx)?;
                *cacheable &= listed.is_none();
                listed
            }
            _ => numbered(&item.expr, types.len(), "ORDER BY")?,
        };
        let mut e = match (&item.expr.kind, listed) {
            (_, Some(i)) => Expr::column(0, i as u32, types[i].clone()),
            _ => {
                let mut b = ExprBinder::new(stack, ctx);
                b.clause = "ORDER BY";
                let e = b.bind(&item.expr)?;
                *cacheable &= b.cacheable;
                let mut aggregate = false;
                e.walk(&mut |e| aggregate |= matches!(e.node, Node::Aggregate(_)));
                if aggregate {
                    let code = crate::error::codes::ER_AGGREGATE_ORDER_FOR_UNION;
                    return Err(SqlError::new(code, &[&(i + 1)]));
                }
                e
            }
        };
        e.columns_mut(&mut |c| c.slot = c.column);
        order.push((e, item.descending));
    }
    Ok(order)
}

fn term(stack: &mut Stack<'_>, t: &QueryTerm, ctx: &mut EvalContext) -> SqlResult<Arc<QueryPlan>> {
    let query = match t {
        // which rows an arm gives does not depend on their order
        QueryTerm::Nested(q) if q.limit.is_none() && !q.order_by.is_empty() => {
            return plan_nested(stack, &Query { order_by: Vec::new(), ..(**q).clone() }, ctx);
        }
        QueryTerm::Nested(q) => return plan_nested(stack, q, ctx),
        QueryTerm::Select(_) | QueryTerm::Values(_) => Query { first: t.clone(), ..Query::default() },
    };
    plan_nested(stack, &query, ctx)
}

fn values(stack: &mut Stack<'_>, rows: &[Vec<ast::Expr>], ctx: &mut EvalContext) -> SqlResult<QueryPlan> {
    let width = rows.first().map_or(0, Vec::len);
    let mut bound = Vec::new();
    let mut types: Vec<FieldType> = Vec::new();
    let mut cacheable = true;
    for row in rows {
        if row.len() != width {
            return Err(SqlError::new(crate::error::ER_WRONG_NUMBER_OF_VALUES_IN_TVC, &[]));
        }
        let mut list = Vec::new();
        for (i, e) in row.iter().enumerate() {
            let mut b = ExprBinder::new(stack, ctx);
            let e = b.bind(e)?;
            cacheable &= b.cacheable;
            match types.get_mut(i) {
                Some(t) => *t = union::common(t, &e.ty, ctx)?,
                None => types.push(e.ty.clone()),
            }
            list.push(e);
        }
        bound.push(list);
    }
    union::no_mix(&types)?;
    for row in &mut bound {
        for (e, t) in row.iter_mut().zip(&types) {
            if e.ty.class() != t.class() && e.ty.class() != crate::types::Class::Null {
                let inner = std::mem::replace(e, Expr::literal(Value::Null, FieldType::null()));
                *e = Expr::new(Node::Convert(Box::new(inner)), t.clone());
            }
        }
    }
    let text = stack.env.text();
    let names: Vec<String> = rows
        .first()
        .map(|r| r.iter().map(|e| column_name(e, e.span.of(text), text, Written::of(ctx))).collect())
        .unwrap_or_default();
    let columns = names.iter().zip(&types).map(|(n, t)| t.meta(n, ctx.results)).collect();
    Ok(QueryPlan {
        schema: Arc::new(ResultSchema::new(columns, ctx.results)),
        types,
        names,
        body: Body::Values(bound),
        subqueries: Vec::new(),
        tables: Vec::new(),
        views: 0,
        cacheable,
        calc_found_rows: false,
    })
}

/// As [`position`], of the number that a parameter has. None: it has none, and is a constant.
pub(super) fn position_of_parameter(
    n: u32,
    columns: usize,
    clause: &str,
    ctx: &EvalContext,
) -> SqlResult<Option<usize>> {
    match ctx.statement.params.get(n as usize) {
        Some(Value::Int(n)) => match u64::try_from(*n) {
            Ok(n) => position(n, columns, clause).map(Some),
            Err(_) => Err(SqlError::new(ER_BAD_FIELD_ERROR, &[n, &clause])),
        },
        Some(Value::UInt(n)) => position(*n, columns, clause).map(Some),
        _ => Ok(None),
    }
}

/// The column that an integer in ORDER BY or GROUP BY means. None: it is no integer.
///
/// # Errors
/// 1054 where no column has the number, as none has a negative one.
pub(super) fn numbered(e: &ast::Expr, columns: usize, clause: &str) -> SqlResult<Option<usize>> {
    match &e.kind {
        ExprKind::Literal(Literal::Int(n)) => position(*n, columns, clause).map(Some),
        ExprKind::Unary(ast::UnaryOp::Negate, of) => match of.kind {
            ExprKind::Literal(Literal::Int(n)) if n <= i64::MIN.unsigned_abs() => {
                let n = -i128::from(n);
                Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&n, &clause]))
            }
            _ => Ok(None),
        },
        _ => Ok(None),
    }
}

pub(super) fn position(n: u64, columns: usize, clause: &str) -> SqlResult<usize> {
    usize::try_from(n)
        .ok()
        .filter(|n| (1..=columns).contains(n))
        .map(|n| n - 1)
        .ok_or_else(|| SqlError::new(ER_BAD_FIELD_ERROR, &[&n.to_string(), &clause]))
}

pub(super) fn limit(
    stack: &mut Stack<'_>,
    l: Option<&ast::Limit>,
    ctx: &mut EvalContext,
) -> SqlResult<LimitPlan> {
    let Some(l) = l else { return Ok(LimitPlan::default()) };
    let mut one = |e: &Option<ast::Expr>| -> SqlResult<Option<Expr>> {
        let Some(e) = e else { return Ok(None) };
        let mut bound = ExprBinder::new(stack, ctx).bind(e)?;
        if matches!(e.kind, ExprKind::Local(..)) {
            // a negative variable of a routine is a large number
            crate::expr::typing::coerce(&mut bound, FieldType::bigint(true), ctx)?;
        }
        Ok(Some(bound))
    };
    let (count, offset, examined) = (one(&l.count)?, one(&l.offset)?, one(&l.examined)?);
    Ok(LimitPlan { count, offset, with_ties: l.with_ties, examined })
}

/// An element of the select list, bound.
pub(super) struct Item {
    pub expr: Expr,
    pub name: String,
    pub(super) meta: ColumnMeta,
}

/// An alias as the column is called: without blanks before it, which is told.
pub(super) fn alias_name(alias: &str, ctx: &mut EvalContext, cacheable: &mut bool) -> String {
    let trimmed = alias.trim_start();
    if trimmed.is_empty() && !alias.is_empty() {
        *cacheable = false;
        ctx.warnings.remark(crate::error::codes::ER_NAME_BECOMES_EMPTY, &[&alias]);
        return String::new();
    }
    if trimmed.len() < alias.len() {
        *cacheable = false;
        ctx.warnings.remark(crate::error::codes::ER_REMOVED_SPACES, &[&alias]);
        return super::naming::shown(trimmed.as_bytes());
    }
    super::naming::shown(alias.as_bytes())
}

/// The alias of an element of the list.
pub(super) fn alias_of(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::Expr { alias, .. } => alias.as_ref().map(|a| a.to_string()),
        _ => None,
    }
}

/// MIN and MAX of ZEROFILL columns print the zeros where groups go through a temporary table of the reference: not
/// beside DISTINCT aggregates.
pub(super) fn keep_zeros(output: &mut [Expr], items: &mut [Item], aggregates: &[crate::expr::AggregateCall]) {
    use crate::ast::AggregateFunction as F;
    if aggregates.iter().any(|a| a.distinct) {
        return;
    }
    for (i, e) in output.iter_mut().enumerate() {
        let Node::Aggregate(n) = e.node else { continue };
        let Some(a) = aggregates.get(n as usize) else { continue };
        e.ty.zerofill =
            matches!(a.function, F::Min | F::Max) && a.args.first().is_some_and(|x| x.ty.zerofill);
        if let Some(item) = items.get_mut(i).filter(|_| e.ty.zerofill) {
            item.meta.flags |= flag::ZEROFILL;
        }
    }
}

/// The conditions of a tree of ANDs rebuilt, for the access planner.
#[must_use]
pub fn together(list: Vec<Expr>) -> Option<Expr> {
    conjunction(list)
}

/// Binds an item of a list; that of RETURNING has no aggregates.
pub(super) fn select_item(
    stack: &mut Stack<'_>,
    item: &SelectItem,
    ctx: &mut EvalContext,
    mut aggregates: Option<&mut Vec<crate::expr::AggregateCall>>,
    items: &mut Vec<Item>,
    cacheable: &mut bool,
) -> SqlResult<()> {
    match item {
        SelectItem::Star | SelectItem::TableStar(..) => {
            for (t, c) in star_places(stack, item)? {
                let names = stack.here();
                let name = names.tables[t].columns[c].0.clone();
                let expr = names.column_expr(t, c);
                let mut meta = meta(names, &expr, &name, ctx);
                of_derived(names, (t, c), &mut meta);
                items.push(Item { expr, name, meta });
            }
            Ok(())
        }
        SelectItem::Expr { expr, alias, text } => {
            let mut b = ExprBinder::new(stack, ctx);
            match &mut aggregates {
                Some(a) => b.aggregates = std::mem::take(a),
                None => {
                    b.clause = "RETURNING";
                    b.allow_aggregates = false;
                }
            }
            let mut bound = b.bind(expr)?;
            *cacheable &= b.cacheable;
            if let Some(a) = aggregates {
                *a = std::mem::take(&mut b.aggregates);
            }
            if matches!(bound.node, Node::Row(_)) {
                return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
            }
            if let Some(ty) = parameter_alone(expr).and_then(|n| crate::bind::Scope::param(stack, n)) {
                bound.ty = ty;
            }
            let typed = match alias {
                Some(a) => alias_name(a, ctx, cacheable),
                None => heading(stack, expr, *text, ctx),
            };
            crate::func::tell_heading(&mut bound, &typed, ctx);
            let mut meta = meta(stack.here(), &bound, &typed, ctx);
            if let ast::ExprKind::Column(c) = &expr.kind
                && let Some(place) = stack.here().find(c, "SELECT").ok().flatten()
            {
                of_derived(stack.here(), place, &mut meta);
            }
            items.push(Item { expr: bound, name: typed, meta });
            Ok(())
        }
    }
}

/// The parameter that an item is, alone or in a subquery of nothing else: then its type is that of the value it has now.
fn parameter_alone(e: &ast::Expr) -> Option<u32> {
    match &e.kind {
        ast::ExprKind::Param(n) => Some(*n),
        ast::ExprKind::Subquery(q) => q.reduced().and_then(parameter_alone),
        _ => None,
    }
}

/// The name of an item without an alias: as it is written, but a column of a merged view has the name that the view gives it.
pub(super) fn heading(stack: &mut Stack<'_>, expr: &ast::Expr, text: ast::Span, ctx: &EvalContext) -> String {
    if let ast::ExprKind::Column(c) = &expr.kind {
        let names = stack.here();
        if let Some((t, c)) = names.find(c, "SELECT").ok().flatten()
            && names.tables[t].is_merged()
        {
            return names.tables[t].columns[c].0.clone();
        }
    }
    column_name(expr, text.of(stack.env.text()), stack.env.text(), Written::of(ctx))
}

/// The columns that `*` or `table.*` names: tables and numbers of columns.
///
/// # Errors
/// 1051 for a table that is not there, 1142 and 1143 for columns that may not be read.
pub(super) fn star_places(stack: &mut Stack<'_>, item: &SelectItem) -> SqlResult<Vec<(usize, usize)>> {
    let default = stack.env.database().map(str::to_string);
    let names = stack.here();
    let places: Vec<(usize, usize)> = match item {
        SelectItem::TableStar(db, table) => {
            let db = db.as_deref();
            let meant = |t: &ScopeTable| !t.view.hidden && t.alias == **table && db.is_none_or(|d| d == t.db);
            let tables = names.tables.iter().enumerate().skip(names.visible_from);
            let mut tables = tables.filter(|(_, t)| meant(t)).peekable();
            if tables.peek().is_none() {
                let db = db.or(default.as_deref());
                let name = db.map_or(table.to_string(), |db| format!("{db}.{table}"));
                return Err(SqlError::new(crate::error::ER_BAD_TABLE_ERROR, &[&name]));
            }
            tables.flat_map(|(n, t)| t.visible().map(move |c| (n, c))).collect()
        }
        _ => names.star.clone(),
    };
    for (t, c) in &places {
        if let Some(u) = &names.tables[*t].unreadable {
            u.check_star(*c)?;
        }
    }
    Ok(places)
}

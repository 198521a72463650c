//! Planning of whole queries: set operations, subqueries in FROM, and the blocks in them.

use super::ctes::{mentions, renamed};
use super::from::{JoinTree, bind_from, conjunction, conjuncts};
use super::grouped::{self, group_column, group_items, part_twins};
use super::is_null;
use super::metadata::{meta, meta_of_set};
use super::naming::column_name;
use super::scope::{AliasUse, Names, SourceNames, Stack};
use super::{
    BlockPlan, Body, GroupPlan, LimitPlan, PlanEnv, PlanTable, QueryPlan, Relation, SetPlan, TableUse,
    access, slots, union,
};
use crate::ast::{self, ExprKind, Literal, Query, QueryTerm, Select, SelectItem};
use crate::bind::ExprBinder;
use crate::error::{
    ER_BAD_FIELD_ERROR, ER_NO_TABLES_USED, ER_OPERAND_COLUMNS, ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT,
    SqlError, SqlResult,
};
use crate::expr::{EvalContext, Expr, Node};
use crate::result::{ColumnMeta, ResultShape, flag};
use crate::types::{FieldType, Value};
use std::sync::Arc;

/// Plans a query as a statement of its own.
///
/// # Errors
/// Those of binding.
pub fn plan_query(query: &Query, env: &mut dyn PlanEnv, ctx: &mut EvalContext) -> SqlResult<Arc<QueryPlan>> {
    let mut stack = stack(env);
    plan_nested(&mut stack, query, ctx)
}

fn stack(env: &mut dyn PlanEnv) -> Stack<'_> {
    Stack {
        env,
        levels: vec![Names::default()],
        subqueries: Vec::new(),
        tables: Vec::new(),
        ctes: Vec::new(),
        positions: false,
        usage: TableUse::Read,
        locks_next: false,
        in_aggregate: false,
        ambiguous: Vec::new(),
        values_table: None,
        source: None,
    }
}

/// The names of the FROM of an INSERT's query, for ON DUPLICATE KEY UPDATE; the query itself is planned elsewhere.
fn source_names(stack: &mut Stack<'_>, s: &Select, ctx: &mut EvalContext) -> SqlResult<SourceNames> {
    let (mark, tables) = (ctx.warnings.mark(), stack.tables.len());
    stack.levels.push(Names::default());
    stack.subqueries.push(Vec::new());
    let bound = bind_from(stack, &s.from, ctx, &mut false);
    stack.subqueries.pop();
    let names = stack.levels.pop().unwrap_or_default();
    stack.tables.truncate(tables);
    ctx.warnings.rollback_to(mark);
    bound?;
    Ok(SourceNames { names, used: Vec::new() })
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
    /// The columns of [`Asked::source`] that the expressions use; their slots are behind those of VALUES(col).
    pub source: Vec<(ast::ColumnRef, FieldType)>,
}

/// A bound RETURNING list, over the columns of the statement's only table.
pub struct ReturningList {
    /// The expressions; slots are column numbers.
    pub exprs: Vec<Expr>,
    /// The columns as clients see them.
    pub shape: Arc<ResultShape>,
    /// The first of its subqueries in the holder.
    pub first_subquery: usize,
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
    let &Asked { exprs, columns, values, returning, source } = asked;
    let mut stack = stack(env);
    stack.positions = true;
    let rows = plan_nested(&mut stack, query, ctx)?;
    stack.positions = false;
    stack.values_table = values.map(|_| 1);
    stack.subqueries.push(Vec::new());
    stack.source = source.map(|s| source_names(&mut stack, s, ctx)).transpose()?;
    let target = if values.is_some() { "UPDATE" } else { "SET" };
    let mut places = Vec::new();
    for c in columns {
        match stack.here().find(c, target)? {
            Some(p) => places.push(p),
            None => {
                return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&c.full_name(), &target]));
            }
        }
    }
    let mut starts = vec![0u32];
    for t in &stack.here().tables {
        starts.push(starts[starts.len() - 1] + t.columns.len() as u32);
    }
    if values.is_some() {
        starts.push(2 * starts[starts.len() - 1]);
    }
    let mut bound = Vec::new();
    let mut cacheable = rows.cacheable;
    for (n, e) in exprs.iter().enumerate() {
        let mut b = ExprBinder::new(&mut stack, ctx);
        b.clause = if values.is_some_and(|count| n < count) { "VALUES" } else { target };
        b.allow_aggregates = false;
        let mut e = b.bind(e)?;
        cacheable &= b.cacheable;
        e.columns_mut(&mut |c| c.slot = starts[c.table as usize] + c.column);
        bound.push(e);
    }
    stack.values_table = None;
    let source = stack.source.take().map_or_else(Vec::new, |s| s.used);
    let returning = match returning {
        [] => None,
        list => Some(returning_list(&mut stack, list, ctx, &mut cacheable)?),
    };
    let subqueries = stack.subqueries.pop().unwrap_or_default();
    let column_types = |t: &super::scope::ScopeTable| t.columns.iter().map(|(_, ty)| ty.clone()).collect();
    let types = stack.here().tables.iter().map(column_types).collect();
    let tables = stack
        .here()
        .tables
        .iter()
        .map(|t| match &t.relation {
            Relation::Base(o) => (t.alias.clone(), Some(Arc::clone(o))),
            _ => (t.alias.clone(), None),
        })
        .collect();
    let holder = QueryPlan {
        shape: Arc::default(),
        types: Vec::new(),
        names: Vec::new(),
        body: Body::Values(Vec::new()),
        subqueries,
        tables: std::mem::take(&mut stack.tables),
        cacheable,
        calc_found_rows: false,
    };
    Ok(Change {
        rows,
        exprs: bound,
        holder: Arc::new(holder),
        tables,
        types,
        columns: places,
        returning,
        source,
    })
}

/// Binds the list of RETURNING.
fn returning_list(
    stack: &mut Stack<'_>,
    list: &[SelectItem],
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<ReturningList> {
    let first_subquery = stack.subqueries.last().map_or(0, Vec::len);
    let mut items = Vec::new();
    for item in list {
        select_item(stack, item, ctx, None, &mut items, cacheable)?;
    }
    let shape = Arc::new(ResultShape::new(items.iter().map(|i| i.meta.clone()).collect(), ctx.results));
    let slotted = |mut i: Item| {
        i.expr.columns_mut(&mut |c| c.slot = c.column);
        i.expr
    };
    Ok(ReturningList { exprs: items.into_iter().map(slotted).collect(), shape, first_subquery })
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
    // FOR UPDATE of a query in brackets is that of the query inside
    let locks = std::mem::take(&mut stack.locks_next) || query.lock.is_some_and(|l| l.update);
    if let Some(with) = &query.with {
        for t in &with.tables {
            if with.recursive && mentions(&t.query, &t.name) {
                return Err(SqlError::not_supported("recursive common table expressions"));
            }
            let plan = plan_separate(stack, &t.query, ctx)?;
            let plan = if t.columns.is_empty() { plan } else { renamed(plan, &t.columns)? };
            stack.ctes.push((t.name.to_string(), plan));
        }
    }
    let before = stack.tables.len();
    let tables = std::mem::take(&mut stack.tables);
    stack.subqueries.push(Vec::new());
    stack.locks_next = locks;
    let planned = body(stack, query, ctx);
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
    Ok(Arc::new(plan))
}

fn body(stack: &mut Stack<'_>, query: &Query, ctx: &mut EvalContext) -> SqlResult<QueryPlan> {
    if query.procedure.is_some() {
        return Err(SqlError::not_supported("PROCEDURE"));
    }
    // behind a set operation it is said of the last query
    let locks = std::mem::take(&mut stack.locks_next);
    if query.rest.is_empty() {
        match &query.first {
            QueryTerm::Select(s) => {
                stack.locks_next = locks;
                return block(stack, s, &query.order_by, query.limit.as_deref(), ctx);
            }
            QueryTerm::Values(rows) if query.order_by.is_empty() && query.limit.is_none() => {
                return values(stack, rows, ctx);
            }
            QueryTerm::Values(_) | QueryTerm::Nested(_) => {}
        }
    }
    stack.locks_next = locks && query.rest.is_empty();
    let first = match &query.first {
        // brackets alone
        QueryTerm::Nested(q) if query.rest.is_empty() => plan_nested(stack, q, ctx)?,
        t => term(stack, t, ctx)?,
    };
    let mut terms = vec![(None, first)];
    for (i, (op, t)) in query.rest.iter().enumerate() {
        stack.locks_next = locks && i + 1 == query.rest.len();
        let plan = term(stack, t, ctx)?;
        if plan.types.len() != terms[0].1.types.len() {
            return Err(SqlError::new(ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT, &[]));
        }
        terms.push((Some(*op), plan));
    }
    let first = &terms[0].1;
    let names = first.names.clone();
    let mut types = first.types.clone();
    for (_, p) in &terms[1..] {
        for (a, b) in types.iter_mut().zip(&p.types) {
            *a = union::common(a, b, ctx)?;
        }
    }
    union::no_mix(&types)?;
    let columns = if terms.len() == 1 {
        first.shape.columns.clone()
    } else if query.order_by.is_empty()
        && query.rest.iter().all(|(op, _)| op.all && op.kind == ast::SetOpKind::Union)
    {
        names.iter().zip(&types).map(|(n, t)| super::temporary::of_all(n, t, ctx)).collect()
    } else {
        names.iter().zip(&types).map(|(n, t)| meta_of_set(n, t, ctx)).collect()
    };
    let mut cacheable = terms.iter().all(|(_, p)| p.cacheable);
    // ORDER BY of the whole sees the result columns only
    let result = Names {
        tables: vec![super::scope::ScopeTable {
            relation: Relation::Derived(Arc::clone(&terms[0].1)),
            alias: String::new(),
            db: String::new(),
            name: String::new(),
            columns: names.iter().cloned().zip(types.iter().cloned()).collect(),
            invisible: vec![false; names.len()],
            state: Vec::new(),
            unreadable: None,
            hints: super::hints::Hints::default(),
        }],
        outer: std::mem::take(&mut stack.here().outer),
        ..Names::default()
    };
    *stack.here() = result;
    let mut order = Vec::new();
    for (i, item) in query.order_by.iter().enumerate() {
        let e = match &item.expr.kind {
            ExprKind::Literal(Literal::Int(n)) => {
                position(*n, names.len(), "ORDER BY").map(|i| Expr::column(0, i as u32, types[i].clone()))?
            }
            ExprKind::Column(c) if c.table.is_some() && !query.rest.is_empty() => {
                let table = c.table.as_deref().unwrap_or_default();
                let args: [&dyn std::fmt::Display; 2] = [&table, &"ORDER BY"];
                return Err(SqlError::new(crate::error::codes::ER_TABLENAME_NOT_ALLOWED_HERE, &args));
            }
            _ => {
                let mut b = ExprBinder::new(stack, ctx);
                b.clause = "ORDER BY";
                let e = b.bind(&item.expr)?;
                cacheable &= b.cacheable;
                let mut aggregate = false;
                e.walk(&mut |e| aggregate |= matches!(e.node, Node::Aggregate(_)));
                if aggregate {
                    let code = crate::error::codes::ER_AGGREGATE_ORDER_FOR_UNION;
                    return Err(SqlError::new(code, &[&(i + 1)]));
                }
                e
            }
        };
        let mut e = e;
        e.columns_mut(&mut |c| c.slot = c.column);
        order.push((e, item.descending));
    }
    let limit = limit(stack, query.limit.as_deref(), ctx)?;
    if query.rest.iter().any(|(op, _)| !op.all) || !order.is_empty() && !query.rest.is_empty() {
        super::examined::check_union(ctx.max_join_size)?;
    }
    Ok(QueryPlan {
        shape: Arc::new(ResultShape::new(columns, ctx.results)),
        types,
        names,
        body: Body::Set(Box::new(SetPlan { terms, order, limit })),
        subqueries: Vec::new(),
        tables: Vec::new(),
        cacheable,
        calc_found_rows: false,
    })
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
        .map(|r| r.iter().map(|e| column_name(e, e.span.of(text), text, ctx.client)).collect())
        .unwrap_or_default();
    let columns = names.iter().zip(&types).map(|(n, t)| t.meta(n, ctx.results)).collect();
    Ok(QueryPlan {
        shape: Arc::new(ResultShape::new(columns, ctx.results)),
        types,
        names,
        body: Body::Values(bound),
        subqueries: Vec::new(),
        tables: Vec::new(),
        cacheable,
        calc_found_rows: false,
    })
}

fn position(n: u64, columns: usize, clause: &str) -> SqlResult<usize> {
    usize::try_from(n)
        .ok()
        .filter(|n| (1..=columns).contains(n))
        .map(|n| n - 1)
        .ok_or_else(|| SqlError::new(ER_BAD_FIELD_ERROR, &[&n.to_string(), &clause]))
}

fn limit(stack: &mut Stack<'_>, l: Option<&ast::Limit>, ctx: &mut EvalContext) -> SqlResult<LimitPlan> {
    let Some(l) = l else { return Ok(LimitPlan::default()) };
    let mut one = |e: &Option<ast::Expr>| -> SqlResult<Option<Expr>> {
        e.as_ref().map(|e| ExprBinder::new(stack, ctx).bind(e)).transpose()
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

fn block(
    stack: &mut Stack<'_>,
    s: &Select,
    order_by: &[ast::OrderItem],
    lim: Option<&ast::Limit>,
    ctx: &mut EvalContext,
) -> SqlResult<QueryPlan> {
    let positions = std::mem::take(&mut stack.positions);
    let outer = std::mem::take(&mut stack.here().outer);
    *stack.here() = Names { outer, ..Names::default() };
    let mut cacheable = true;
    let usage = match (positions, std::mem::take(&mut stack.locks_next)) {
        (true, _) => TableUse::Change,
        (false, true) => TableUse::Lock,
        (false, false) => TableUse::Read,
    };
    let around = std::mem::replace(&mut stack.usage, usage);
    let tree = if s.from.is_empty() { None } else { Some(bind_from(stack, &s.from, ctx, &mut cacheable)?) };
    stack.usage = around;

    // the list
    let mut aggregates = Vec::new();
    let mut items = Vec::new();
    stack.here().alias_use = AliasUse::Below;
    stack.here().takes_aggregates = true;
    stack.here().coming = s.items.iter().filter_map(alias_of).collect();
    for item in &s.items {
        let before = items.len();
        select_item(stack, item, ctx, Some(&mut aggregates), &mut items, &mut cacheable)?;
        let new = items[before..].iter().map(|i| (i.name.clone(), i.expr.clone()));
        stack.here().aliases.extend(new);
    }
    if stack.here().tables.is_empty() && s.items.iter().any(|i| !matches!(i, SelectItem::Expr { .. })) {
        return Err(SqlError::new(ER_NO_TABLES_USED, &[]));
    }

    // WHERE: its names are looked for after those of the list, which it does not see
    stack.here().takes_aggregates = false;
    stack.here().alias_use = AliasUse::No;
    let mut conditions = Vec::new();
    if let Some(f) = &s.filter {
        let mut b = ExprBinder::new(stack, ctx);
        b.clause = "WHERE";
        b.allow_aggregates = false;
        let mut e = b.bind_condition(f)?;
        cacheable &= b.cacheable;
        is_null::zero_dates(stack.here(), &mut e, ctx)?;
        cacheable &= !is_null::new_row(stack.here(), &mut e, ctx)?;
        conjuncts(e, &mut conditions);
    }
    if let Some(e) = stack.here().late.take() {
        return Err(e);
    }

    // GROUP BY
    let mut keys = Vec::new();
    let mut descending = Vec::new();
    stack.here().alias_use = AliasUse::AfterColumns;
    for g in &s.group_by {
        let e = match &g.expr.kind {
            ExprKind::Literal(Literal::Int(n)) => items[position(*n, items.len(), "GROUP BY")?].expr.clone(),
            ExprKind::Column(c) if c.table.is_none() => {
                let names = stack.here();
                let alias = names.alias(c, "GROUP BY")?;
                let found = match names.find(c, "GROUP BY") {
                    Err(_) if alias.is_some() => None,
                    found => found?,
                };
                match (alias, found) {
                    (Some(i), None) => items[i].expr.clone(),
                    (alias, Some((t, column))) => {
                        let e = Expr::column(t as u32, column as u32, names.column_type(t, column));
                        if alias.is_some_and(|i| items[i].expr.as_column() != e.as_column()) {
                            cacheable = false;
                            ctx.warnings.remark(crate::error::ER_NON_UNIQ_ERROR, &[&c.name, &"GROUP BY"]);
                        }
                        e
                    }
                    (None, None) => {
                        let mut b = ExprBinder::new(stack, ctx);
                        b.clause = "GROUP BY";
                        b.bind(&g.expr)?
                    }
                }
            }
            _ => {
                let mut b = ExprBinder::new(stack, ctx);
                b.clause = "GROUP BY";
                b.allow_aggregates = false;
                let e = b.bind(&g.expr)?;
                cacheable &= b.cacheable;
                e
            }
        };
        let mut grouped = false;
        e.walk(&mut |e| grouped |= matches!(e.node, Node::Aggregate(_)));
        if grouped {
            let name = match &g.expr.kind {
                ExprKind::Literal(Literal::Int(n)) => {
                    items[position(*n, items.len(), "GROUP BY")?].name.clone()
                }
                _ => String::from_utf8_lossy(g.expr.span.of(stack.env.text())).into_owned(),
            };
            return Err(SqlError::new(crate::error::ER_WRONG_GROUP_FIELD, &[&name]));
        }
        keys.push(e);
        descending.push(g.descending);
    }

    if s.rollup {
        part_twins(&mut keys, &s.group_by, &mut items);
    }
    // HAVING sees what is in the list and in GROUP BY
    let group_columns = keys.iter().zip(&s.group_by).filter_map(|(e, g)| group_column(e, &g.expr, &items));
    stack.here().group_columns = group_columns.collect();
    stack.here().takes_aggregates = true;
    stack.here().alias_use = AliasUse::Having;
    let mut having = None;
    if let Some(h) = &s.having {
        let mut b = ExprBinder::new(stack, ctx);
        b.clause = "HAVING";
        b.aggregates = std::mem::take(&mut aggregates);
        let mut h = b.bind_condition(h)?;
        cacheable &= b.cacheable;
        aggregates = std::mem::take(&mut b.aggregates);
        is_null::zero_dates(stack.here(), &mut h, ctx)?;
        cacheable &= !is_null::new_row(stack.here(), &mut h, ctx)?;
        for name in std::mem::take(&mut stack.ambiguous) {
            cacheable = false;
            ctx.warnings.remark(crate::error::ER_NON_UNIQ_ERROR, &[&name, &"HAVING"]);
        }
        having = Some(h);
    }
    stack.here().alias_use = AliasUse::AfterColumns;
    let mut order = Vec::new();
    let mut output: Vec<Expr> = items.iter().map(|i| i.expr.clone()).collect();
    let visible = output.len();
    for o in order_by {
        let at = match &o.expr.kind {
            ExprKind::Literal(Literal::Int(n)) => Some(position(*n, visible, "ORDER BY")?),
            ExprKind::Column(c) if c.table.is_none() => stack.here().alias(c, "ORDER BY")?,
            _ => None,
        };
        let at = match at {
            Some(i) => i,
            None => {
                let mut b = ExprBinder::new(stack, ctx);
                b.clause = "ORDER BY";
                b.aggregates = std::mem::take(&mut aggregates);
                let e = b.bind(&o.expr)?;
                cacheable &= b.cacheable;
                aggregates = std::mem::take(&mut b.aggregates);
                if e.is_foldable() {
                    continue;
                }
                // COLLATE makes another order of the same column
                let alike = |x: &Expr| std::ptr::eq(x.ty.collation, e.ty.collation);
                let same = e
                    .as_column()
                    .and_then(|c| output.iter().position(|x| x.as_column() == Some(c) && alike(x)));
                same.unwrap_or_else(|| {
                    output.push(e);
                    output.len() - 1
                })
            }
        };
        order.push((at, o.descending));
    }
    stack.here().alias_use = AliasUse::No;
    stack.here().takes_aggregates = false;
    let lifted = std::mem::take(&mut stack.here().lifted);
    if !lifted.is_empty() {
        let base = aggregates.len() as u32;
        aggregates.extend(lifted);
        let listed = items.iter_mut().map(|i| &mut i.expr);
        for e in listed.chain(&mut output).chain(&mut having) {
            e.settle_lifted(super::scope::LIFTED, base);
        }
    }
    let limit = limit(stack, lim, ctx)?;
    if limit.with_ties && order_by.is_empty() {
        return Err(SqlError::new(crate::error::codes::ER_WITH_TIES_NEEDS_ORDER, &[]));
    }

    let grouped = !keys.is_empty() || !aggregates.is_empty() || (having.is_some() && !s.group_by.is_empty());
    let having_column = having.as_ref().and_then(|h| grouped::ungrouped(h, &keys));
    if !grouped && let Some(h) = having.take() {
        // HAVING without groups is a condition on rows
        conjuncts(h, &mut conditions);
    }
    if ctx.sql_mode.has(crate::variables::SqlMode::ONLY_FULL_GROUP_BY) && !positions {
        if keys.is_empty()
            && let Some(c) = having_column
        {
            let name = &stack.here().tables[c.table as usize].columns[c.column as usize].0;
            return Err(SqlError::new(crate::error::codes::ER_NON_GROUPING_FIELD_USED, &[name, &"HAVING"]));
        }
        if grouped {
            let all = if keys.is_empty() { output.len() } else { visible };
            grouped::only_grouped(stack.here(), output[..all].iter(), &keys)?;
        }
    }
    let mut visible = visible;
    if positions {
        // the list was only a stand-in
        let hidden = output.split_off(visible);
        let shift = |at: usize, n: usize| if at < visible { None } else { Some(at - visible + n) };
        // Rows of derived tables lie nowhere: their values are given.
        let tables = &stack.here().tables;
        output = Vec::with_capacity(tables.len());
        let mut derived = Vec::new();
        for (t, table) in tables.iter().enumerate() {
            let t = t as u32;
            if let Relation::Base(_) = table.relation {
                output.push(Expr::column(t, super::POSITION, FieldType::bigint(true)));
                continue;
            }
            output.push(Expr::literal(Value::Null, FieldType::bigint(true)));
            let columns = table.columns.iter().enumerate();
            derived.extend(columns.map(|(c, (_, ty))| Expr::column(t, c as u32, ty.clone())));
        }
        output.append(&mut derived);
        let n = output.len();
        order = order.into_iter().filter_map(|(at, d)| shift(at, n).map(|at| (at, d))).collect();
        output.extend(hidden);
        visible = n;
    }
    if grouped && keys.is_empty() {
        // the one row of nothing has NULL in them
        for i in items.iter_mut().filter(|i| matches!(i.expr.node, Node::Column(_))) {
            i.meta.flags &= !crate::result::flag::NOT_NULL;
        }
    }
    if grouped && !s.rollup && keys.iter().any(|k| !k.is_constant()) {
        keep_zeros(&mut output, &mut items, &aggregates);
        let names = stack.here();
        let column = |e: &Expr| meta(names, e, "", ctx).flags;
        super::temporary::grouped(&mut items, &keys, &aggregates, &column);
        super::temporary::take_bits(&mut output);
    }
    if s.options.distinct && !stack.here().tables.is_empty() && (!grouped || !keys.is_empty()) {
        super::temporary::distinct(&mut items);
        super::temporary::take_bits(&mut output);
    }
    for (e, item) in output.iter_mut().zip(&items).filter(|(e, _)| e.ty.kind == crate::types::Kind::Year) {
        e.ty.zerofill |= item.meta.flags & flag::ZEROFILL != 0;
    }
    let types: Vec<FieldType> = output[..visible].iter().map(|e| e.ty.clone()).collect();
    let shape = Arc::new(ResultShape::new(items.iter().map(|i| i.meta.clone()).collect(), ctx.results));
    let names = items.into_iter().map(|i| i.name).collect();
    let mut group = None;
    if grouped {
        let eager = !keys.is_empty() && !s.rollup;
        let list = if eager { group_items(&mut output, aggregates.len()) } else { Vec::new() };
        let unordered = !order_by.is_empty()
            && order.is_empty()
            && super::grouping::is_unordered(&keys, &aggregates, stack.here());
        let rollup = s.rollup;
        group =
            Some(GroupPlan { keys, descending, aggregates, items: list, rollup, unordered, shortcut: None });
    }
    let mut plan = BlockPlan {
        tables: Vec::new(),
        slots: 0,
        steps: Vec::new(),
        constant: None,
        group,
        having,
        output,
        visible,
        distinct: s.options.distinct,
        order,
        ordered_by_access: false,
        limit,
        impossible: None,
        direct: None,
    };
    for t in &stack.here().tables {
        plan.tables.push(PlanTable {
            relation: t.relation.clone(),
            alias: t.alias.clone(),
            db: t.db.clone(),
            name: t.name.clone(),
            columns: Vec::new(),
            computed: Vec::new(),
            tests: Vec::new(),
            position: None,
            number: None,
        });
    }
    let tree = tree.unwrap_or(JoinTree::Inner(Vec::new(), Vec::new()));
    let scope = &stack.levels[stack.levels.len() - 1];
    cacheable &=
        access::choose(&mut plan, tree, conditions, scope, s.options.straight_join, stack.env.reader(), ctx)?;
    cacheable &= slots::finish(&mut plan, ctx)?;
    // UPDATE and DELETE of one table are not limited
    if !(positions && plan.tables.len() == 1) {
        super::examined::check(&plan, stack.here(), ctx.max_join_size)?;
        // other values of parameters have other prices
        cacheable &= ctx.max_join_size == u64::MAX;
    }
    Ok(QueryPlan {
        shape,
        types,
        names,
        body: Body::Block(Box::new(plan)),
        subqueries: Vec::new(),
        tables: Vec::new(),
        cacheable,
        calc_found_rows: s.options.calc_found_rows,
    })
}

/// An alias as the column is called: without blanks before it, which is told.
fn alias_name(alias: &str, ctx: &mut EvalContext, cacheable: &mut bool) -> String {
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
fn alias_of(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::Expr { alias, .. } => alias.as_ref().map(|a| a.to_string()),
        _ => None,
    }
}

/// MIN and MAX of ZEROFILL columns print the zeros where groups go through a temporary table of the reference: not
/// beside DISTINCT aggregates.
fn keep_zeros(output: &mut [Expr], items: &mut [Item], aggregates: &[crate::expr::AggregateCall]) {
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
fn select_item(
    stack: &mut Stack<'_>,
    item: &SelectItem,
    ctx: &mut EvalContext,
    mut aggregates: Option<&mut Vec<crate::expr::AggregateCall>>,
    items: &mut Vec<Item>,
    cacheable: &mut bool,
) -> SqlResult<()> {
    match item {
        SelectItem::Star => star(stack, None, items, ctx),
        SelectItem::TableStar(db, table) => star(stack, Some((db.as_deref(), table)), items, ctx),
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
            let typed = match alias {
                Some(a) => alias_name(a, ctx, cacheable),
                None => column_name(expr, text.of(stack.env.text()), stack.env.text(), ctx.client),
            };
            crate::func::tell_heading(&mut bound, &typed, ctx);
            let meta = meta(stack.here(), &bound, &typed, ctx);
            items.push(Item { expr: bound, name: typed, meta });
            Ok(())
        }
    }
}

fn star(
    stack: &mut Stack<'_>,
    only: Option<(Option<&str>, &str)>,
    items: &mut Vec<Item>,
    ctx: &EvalContext,
) -> SqlResult<()> {
    let default = stack.env.database().map(str::to_string);
    let default = default.as_deref();
    let names = stack.here();
    let mut places = Vec::new();
    match only {
        None => places.extend_from_slice(&names.star),
        Some((db, name)) => {
            let meant = |t: &super::scope::ScopeTable| t.alias == name && db.is_none_or(|d| d == t.db);
            let mut tables = names.tables.iter().enumerate().filter(|(_, t)| meant(t)).peekable();
            if tables.peek().is_none() {
                let db = db.or(default);
                let name = db.map_or(name.to_string(), |db| format!("{db}.{name}"));
                return Err(SqlError::new(crate::error::ER_BAD_TABLE_ERROR, &[&name]));
            }
            for (ti, t) in tables {
                places.extend(t.visible().map(|c| (ti, c)));
            }
        }
    }
    for (t, c) in places {
        if let Some(u) = &names.tables[t].unreadable {
            u.check_star(c)?;
        }
        let (name, ty) = names.tables[t].columns[c].clone();
        let expr = Expr::column(t as u32, c as u32, ty);
        let meta = meta(names, &expr, &name, ctx);
        items.push(Item { expr, name, meta });
    }
    Ok(())
}

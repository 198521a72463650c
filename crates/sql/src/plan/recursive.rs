//! WITH RECURSIVE: common table expressions that refer to themselves or to each other. The types of their columns are those of the terms
//! that refer to none of them, the anchors.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::metadata::meta_of_set;
use super::query::plan_separate;

use super::scope::{CommonTable, Stack};
use super::{Body, QueryPlan, union};
use crate::ast::{
    self, ExprKind, JoinCondition, JoinKind, Query, QueryTerm, Select, SelectItem, SetOpKind, TableRef,
};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::EvalContext;
use crate::result::ResultSchema;
use crate::types::FieldType;
use crate::types::definition::column_of;
use crate::types::store::Column;

/// The rows of one of several expressions that depend on each other.
pub struct RecursivePlan {
    /// All of them.
    pub group: Arc<Group>,
    /// Whose rows are asked for.
    pub result: usize,
}

/// Common table expressions that depend on each other.
pub struct Group {
    /// Tells it from others, for those who read what is being made.
    pub id: u32,
    /// The expressions.
    pub members: Vec<Member>,
}

/// One of them.
pub struct Member {
    /// The types of its columns.
    pub types: Vec<FieldType>,
    /// Its columns as they are stored.
    pub columns: Vec<Column>,
    /// The columns by which rows are told apart; none where all of them stay.
    pub key: Option<Vec<usize>>,
    /// The terms that refer to none of the group.
    pub anchors: Vec<Arc<QueryPlan>>,
    /// The others: they read the rows of the pass before.
    pub steps: Vec<Arc<QueryPlan>>,
}

/// What a reference to such an expression reads within the group.
pub struct Working {
    /// The group.
    pub id: u32,
    /// The number of the expression there.
    pub member: usize,
    /// All rows that were found so far; else those of the last pass.
    pub whole: bool,
    /// The number of its first SELECT, where it is planned for EXPLAIN; else 0.
    pub number: u64,
}

impl RecursivePlan {
    /// The plans of all terms of the group.
    pub fn plans(&self) -> impl Iterator<Item = &QueryPlan> {
        self.group.members.iter().flat_map(|m| m.anchors.iter().chain(&m.steps)).map(|p| &**p)
    }
}

/// Binds the expressions of WITH RECURSIVE, whatever their order.
///
/// # Errors
/// Those of the queries; 4005 to 4008.
pub(super) fn bind(stack: &mut Stack<'_>, with: &ast::With, ctx: &mut EvalContext) -> SqlResult<()> {
    let count = with.tables.len();
    let mut reach = vec![vec![false; count]; count];
    for (i, t) in with.tables.iter().enumerate() {
        for (j, other) in with.tables.iter().enumerate() {
            reach[i][j] = Uses::of_query(&t.query, &[&other.name]).any();
        }
    }
    for k in 0..count {
        let through = reach[k].clone();
        for row in reach.iter_mut().filter(|row| row[k]) {
            row.iter_mut().zip(&through).for_each(|(to, via)| *to |= *via);
        }
    }
    let mut done = vec![false; count];
    while let Some(next) =
        (0..count).find(|i| !done[*i] && (0..count).all(|j| !reach[*i][j] || done[j] || reach[j][*i]))
    {
        let group: Vec<usize> =
            (0..count).filter(|j| *j == next || reach[next][*j] && reach[*j][next]).collect();
        group.iter().for_each(|j| done[*j] = true);
        if reach[next][next] {
            let tables: Vec<&ast::CommonTable> = group.iter().map(|j| &with.tables[*j]).collect();
            bind_group(stack, &tables, ctx)?;
        } else {
            let t = &with.tables[next];
            super::ctes::bind(stack, t, ctx)?;
        }
    }
    Ok(())
}

/// An expression while its group is bound.
struct Open<'q> {
    table: &'q ast::CommonTable,
    anchors: Vec<Arc<QueryPlan>>,
    /// Terms that refer to the group.
    terms: Vec<Query>,
    all: bool,
    names: Vec<String>,
    types: Vec<FieldType>,
    columns: Vec<Column>,
}

fn bind_group(stack: &mut Stack<'_>, tables: &[&ast::CommonTable], ctx: &mut EvalContext) -> SqlResult<()> {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let names: Vec<&str> = tables.iter().map(|t| &*t.name).collect();
    let mut open = Vec::with_capacity(tables.len());
    for t in tables {
        open.push(begin(stack, t, &names, ctx)?);
    }
    if open.iter().all(|o| o.anchors.is_empty()) {
        return Err(SqlError::new(codes::ER_RECURSIVE_WITHOUT_ANCHORS, &[&names[0]]));
    }
    // without anchors the first term tells the types
    while let Some(at) = open.iter().position(|o| o.types.is_empty()) {
        let known: Vec<&str> =
            open.iter().zip(&names).filter(|(o, _)| o.types.is_empty()).map(|(_, n)| *n).collect();
        let ready = open.iter().position(|o| {
            o.types.is_empty() && o.terms.first().is_some_and(|t| !Uses::of_query(t, &known).any())
        });
        let Some(ready) = ready else {
            return Err(SqlError::new(codes::ER_UNACCEPTABLE_MUTUAL_RECURSION, &[&names[at]]));
        };
        let term = open[ready].terms[0].clone();
        let plan = plan_term(stack, &term, &open, id, ctx)?;
        open[ready].settle(&[plan], ctx)?;
    }
    let mut members = Vec::with_capacity(open.len());
    let mut made = Vec::with_capacity(open.len());
    for o in &open {
        let mut steps = Vec::with_capacity(o.terms.len());
        for term in &o.terms {
            if ctx.standard_compliant_cte {
                check(term, &names)?;
            }
            let plan = plan_term(stack, term, &open, id, ctx)?;
            if plan.types.len() != o.types.len() {
                return Err(SqlError::new(crate::error::ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT, &[]));
            }
            steps.push(plan);
        }
        let key = o.key()?;
        let (types, columns, anchors) = (o.types.clone(), o.columns.clone(), o.anchors.clone());
        members.push(Member { types, columns, key, anchors, steps });
        made.push(o.names.clone());
    }
    let group = Arc::new(Group { id, members });
    for (result, (name, columns)) in names.iter().zip(made).enumerate() {
        stack.ctes.push(CommonTable::made(name, result_plan(&group, result, columns, ctx)));
    }
    Ok(())
}

/// The plan of one expression of a group.
fn result_plan(group: &Arc<Group>, result: usize, names: Vec<String>, ctx: &EvalContext) -> QueryPlan {
    let types = group.members[result].types.clone();
    let columns = names.iter().zip(&types).map(|(n, t)| meta_of_set(n, t, ctx)).collect();
    let plans = || group.members.iter().flat_map(|m| m.anchors.iter().chain(&m.steps));
    let mut tables = Vec::new();
    for t in plans().flat_map(|p| &p.tables) {
        if !tables.iter().any(|o| Arc::ptr_eq(o, t)) {
            tables.push(Arc::clone(t));
        }
    }
    QueryPlan {
        schema: Arc::new(ResultSchema::new(columns, ctx.results)),
        types,
        names,
        body: Body::Recursive(RecursivePlan { group: Arc::clone(group), result }),
        subqueries: Vec::new(),
        tables,
        views: plans().map(|p| p.views).max().unwrap_or(0),
        cacheable: plans().all(|p| p.cacheable),
        calc_found_rows: false,
    }
}

/// Takes an expression apart and binds its anchors.
fn begin<'q>(
    stack: &mut Stack<'_>,
    table: &'q ast::CommonTable,
    names: &[&str],
    ctx: &mut EvalContext,
) -> SqlResult<Open<'q>> {
    let query = &*table.query;
    if !query.order_by.is_empty() || query.limit.is_some() {
        return Err(SqlError::not_supported("global ORDER_BY/LIMIT in recursive CTE spec"));
    }
    let all = query.rest.first().is_none_or(|(op, _)| op.all);
    if query.rest.iter().any(|(op, _)| op.all != all) {
        return Err(SqlError::not_supported(
            "mix of ALL and DISTINCT UNION operations in recursive CTE spec",
        ));
    }
    if query.rest.iter().any(|(op, _)| op.kind != SetOpKind::Union) {
        return Err(SqlError::not_supported("EXCEPT and INTERSECT in recursive CTE spec"));
    }
    let mut open = Open {
        table,
        anchors: Vec::new(),
        terms: Vec::new(),
        all,
        names: Vec::new(),
        types: Vec::new(),
        columns: Vec::new(),
    };
    for term in std::iter::once(&query.first).chain(query.rest.iter().map(|(_, t)| t)) {
        let term = Query { with: query.with.clone(), first: term.clone(), ..Query::default() };
        if Uses::of_query(&term, names).any() {
            open.terms.push(term);
        } else {
            open.anchors.push(plan_separate(stack, &term, ctx)?);
        }
    }
    let anchors = open.anchors.clone();
    if !anchors.is_empty() {
        open.settle(&anchors, ctx)?;
    }
    Ok(open)
}

impl Open<'_> {
    /// Takes names and types of these terms.
    fn settle(&mut self, terms: &[Arc<QueryPlan>], ctx: &mut EvalContext) -> SqlResult<()> {
        let mut types = terms[0].types.clone();
        for t in &terms[1..] {
            if t.types.len() != types.len() {
                return Err(SqlError::new(crate::error::ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT, &[]));
            }
            for (a, b) in types.iter_mut().zip(&t.types) {
                *a = union::common(a, b, ctx)?;
            }
        }
        union::no_mix(&types)?;
        let given = &self.table.columns;
        if !given.is_empty() && given.len() != types.len() {
            return Err(SqlError::new(crate::error::ER_WITH_COL_WRONG_LIST, &[]));
        }
        self.names = match given.is_empty() {
            true => terms[0].names.clone(),
            false => given.iter().map(|n| n.to_string()).collect(),
        };
        let (db, table) = (Arc::from(""), Arc::from("(temporary)"));
        self.columns.clear();
        for (name, ty) in self.names.iter().zip(&types) {
            let def = column_of(name, &ty.clone().with_nullable(true));
            self.columns.push(Column::new(&def, &db, &table));
        }
        self.types = self.columns.iter().map(|c| c.ty.clone().as_operand()).collect();
        Ok(())
    }

    /// The columns that tell rows apart: all of UNION, those of CYCLE.
    fn key(&self) -> SqlResult<Option<Vec<usize>>> {
        let mut key: Vec<usize> = Vec::new();
        for name in &self.table.cycle {
            let at = self.names.iter().position(|n| n.eq_ignore_ascii_case(name));
            let at =
                at.ok_or_else(|| SqlError::new(crate::error::ER_BAD_FIELD_ERROR, &[name, &"CYCLE clause"]))?;
            if key.contains(&at) {
                return Err(SqlError::new(crate::error::ER_DUP_FIELDNAME, &[name]));
            }
            key.push(at);
        }
        Ok(match key.is_empty() {
            false => Some(key),
            true if !self.all => Some((0..self.types.len()).collect()),
            true => None,
        })
    }
}

/// Plans a term that refers to expressions of the group.
fn plan_term(
    stack: &mut Stack<'_>,
    term: &Query,
    open: &[Open<'_>],
    id: u32,
    ctx: &mut EvalContext,
) -> SqlResult<Arc<QueryPlan>> {
    // groups and distinct rows are those of all that was found
    let whole = !ctx.standard_compliant_cte
        || matches!(&term.first, QueryTerm::Select(s) if s.options.distinct || !s.group_by.is_empty());
    let mark = stack.ctes.len();
    for (member, o) in open.iter().enumerate().filter(|(_, o)| !o.types.is_empty()) {
        let number = o.anchors.first().and_then(|p| super::explain::first_number(p)).unwrap_or(0);
        let columns = o.names.iter().zip(&o.types).map(|(n, t)| meta_of_set(n, t, ctx)).collect();
        let plan = QueryPlan {
            schema: Arc::new(ResultSchema::new(columns, ctx.results)),
            types: o.types.clone(),
            names: o.names.clone(),
            body: Body::Working(Working { id, member, whole, number }),
            subqueries: Vec::new(),
            tables: Vec::new(),
            views: 0,
            cacheable: true,
            calc_found_rows: false,
        };
        stack.ctes.push(CommonTable::made(&o.table.name, plan));
    }
    // its subqueries may read what changes from pass to pass
    let cached = std::mem::replace(&mut ctx.subquery_cache, false);
    let plan = plan_separate(stack, term, ctx);
    ctx.subquery_cache = cached;
    stack.ctes.truncate(mark);
    plan
}

/// What the standard asks of a term: one reference, not in a subquery, not on the inner side of an outer join, no aggregates of it.
fn check(term: &Query, names: &[&str]) -> SqlResult<()> {
    let QueryTerm::Select(s) = &term.first else { return Ok(()) };
    let uses = Uses::of_select(s, names);
    let aggregates =
        s.items.iter().any(|i| matches!(i, SelectItem::Expr { expr, .. } if expr.has_aggregate()))
            || s.having.as_ref().is_some_and(ast::Expr::has_aggregate);
    if uses.from > 1 || uses.inner > 0 || uses.subqueries > 0 || aggregates {
        let name = names.iter().find(|n| Uses::of_select(s, &[**n]).any()).unwrap_or(&names[0]);
        return Err(SqlError::new(codes::ER_NOT_STANDARD_COMPLIANT_RECURSIVE, &[name]));
    }
    Ok(())
}

/// How often tables of some names are read, and where.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// In FROM, and in derived tables there.
    from: usize,
    /// Of those, where rows may be missing.
    inner: usize,
    /// In subqueries of expressions.
    subqueries: usize,
}

impl Uses {
    fn any(self) -> bool {
        self.from + self.subqueries > 0
    }

    fn add(&mut self, other: Uses) {
        self.from += other.from;
        self.inner += other.inner;
        self.subqueries += other.subqueries;
    }

    fn of_query(q: &Query, names: &[&str]) -> Uses {
        let mut uses = Uses::default();
        for term in std::iter::once(&q.first).chain(q.rest.iter().map(|(_, t)| t)) {
            uses.add(match term {
                QueryTerm::Select(s) => Uses::of_select(s, names),
                QueryTerm::Nested(q) => Uses::of_query(q, names),
                QueryTerm::Values(rows) => {
                    let mut uses = Uses::default();
                    rows.iter().flatten().for_each(|e| uses.expr(e, names));
                    uses
                }
            });
        }
        for t in q.with.iter().flat_map(|w| &w.tables) {
            uses.add(Uses::of_query(&t.query, names));
        }
        q.order_by.iter().for_each(|o| uses.expr(&o.expr, names));
        uses
    }

    fn of_select(s: &Select, names: &[&str]) -> Uses {
        let mut uses = Uses::default();
        s.from.iter().for_each(|r| uses.table(r, false, names));
        for item in &s.items {
            if let SelectItem::Expr { expr, .. } = item {
                uses.expr(expr, names);
            }
        }
        let groups = s.group_by.iter().map(|g| &g.expr);
        s.filter.iter().chain(&s.having).chain(groups).for_each(|e| uses.expr(e, names));
        uses
    }

    fn table(&mut self, r: &TableRef, inner: bool, names: &[&str]) {
        match r {
            TableRef::Table(t) => {
                let named = names.iter().any(|n| n.eq_ignore_ascii_case(&t.name.name));
                if t.name.db.is_none() && named {
                    self.from += 1;
                    self.inner += usize::from(inner);
                }
            }
            TableRef::Derived(d) => {
                let below = Uses::of_query(&d.query, names);
                self.from += below.from + below.subqueries;
                self.inner += if inner { below.from } else { 0 };
            }
            TableRef::Join(j) => {
                self.table(&j.left, inner || j.kind == JoinKind::Right, names);
                self.table(&j.right, inner || j.kind == JoinKind::Left, names);
                if let JoinCondition::On(e) = &j.condition {
                    self.expr(e, names);
                }
            }
            TableRef::Nested(list) => list.iter().for_each(|r| self.table(r, inner, names)),
            TableRef::JsonTable(j) => self.expr(&j.expr, names),
        }
    }

    fn expr(&mut self, e: &ast::Expr, names: &[&str]) {
        match &e.kind {
            ExprKind::Subquery(query)
            | ExprKind::Exists(query)
            | ExprKind::InSubquery { query, .. }
            | ExprKind::Quantified { query, .. } => {
                let below = Uses::of_query(query, names);
                self.subqueries += below.from + below.subqueries;
            }
            _ => {}
        }
        e.kind.for_children(&mut |child| self.expr(child, names));
    }
}

//! The names that expressions outside of queries may use: the columns of one table, or none.

use super::View;
use crate::ast;
use crate::bind::{BoundSubquery, ExprBinder, Resolved, Scope};
use crate::error::{self, SqlError, SqlResult};
use crate::expr::sequences::Action;
use crate::expr::{EvalContext, Expr, Node, SubqueryKind};
use crate::session::Session;
use crate::types::{FieldType, Value};

/// A table as these expressions see it.
#[derive(Clone, Debug, Default)]
pub struct ScopeTable {
    /// Database; empty for rows of SHOW.
    pub db: String,
    /// Alias.
    pub alias: String,
    /// Columns: name, type, default as an expression.
    pub columns: Vec<(String, FieldType)>,
}

/// The columns of at most two tables: the row itself and, for VALUES(col), the row that was to be
/// inserted.
pub struct TableScope<'a> {
    /// System variables come from here.
    pub view: View<'a>,
    /// The table; its columns are bound as table 0.
    pub table: Option<&'a ScopeTable>,
    /// Whether VALUES(col) is allowed: bound as table 1.
    pub values: bool,
}

impl TableScope<'_> {
    fn place(&self, name: &ast::ColumnRef) -> Option<usize> {
        let t = self.table?;
        if name.table.as_deref().is_some_and(|n| n != t.alias) {
            return None;
        }
        if name.db.as_deref().is_some_and(|n| n != t.db) {
            return None;
        }
        t.columns.iter().position(|(n, _)| crate::names::same_name(n, &name.name))
    }

    fn unknown(name: &ast::ColumnRef, clause: &str) -> SqlError {
        let mut full = String::new();
        for part in [&name.db, &name.table].into_iter().flatten() {
            full.push_str(part);
            full.push('.');
        }
        full.push_str(&name.name);
        SqlError::new(error::ER_BAD_FIELD_ERROR, &[&full, &clause])
    }
}

impl Scope for TableScope<'_> {
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved> {
        match (self.place(name), self.table) {
            (Some(i), Some(t)) => {
                Ok(Resolved::Column { table: 0, column: i as u32, ty: t.columns[i].1.clone() })
            }
            _ => Err(TableScope::unknown(name, clause)),
        }
    }

    fn system_variable(&mut self, variable: &ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        self.view.read(variable)
    }

    fn subquery(
        &mut self,
        _query: &ast::Query,
        _kind: SubqueryKind,
        _ctx: &mut EvalContext,
    ) -> SqlResult<BoundSubquery> {
        Err(SqlError::not_supported("subquery here"))
    }

    fn stored_aggregate(
        &mut self,
        call: &ast::FunctionCall,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<(u64, FieldType)>> {
        crate::routine::function::bind_aggregate(&self.view, &self.view.rights, ctx, call)
    }

    fn stored_function(
        &mut self,
        call: &ast::FunctionCall,
        args: Vec<Expr>,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Expr>> {
        let outputs = self.table.is_none() && !self.values;
        crate::routine::function::bind(&self.view, &self.view.rights, ctx, call, args, outputs)
    }

    fn sequence(&mut self, name: &ast::TableName, action: Action, ctx: &mut EvalContext) -> SqlResult<Expr> {
        crate::routine::function::bind_sequence(&self.view, ctx, name, action)
    }

    fn param(&mut self, n: u32) -> Option<FieldType> {
        self.view.params.get(n as usize).cloned()
    }

    fn default_of(&mut self, name: &ast::ColumnRef, _: &mut EvalContext) -> SqlResult<Expr> {
        Err(TableScope::unknown(name, "SELECT"))
    }

    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr> {
        match (self.place(name), self.table) {
            (Some(i), Some(t)) if self.values => Ok(Expr::column(1, i as u32, t.columns[i].1.clone())),
            (Some(_), Some(t)) => {
                let mut null = FieldType::null();
                null.collation = t.columns[0].1.collation;
                Ok(Expr::literal(Value::Null, null))
            }
            _ => Err(TableScope::unknown(name, "SELECT")),
        }
    }
}

/// Sets the slots of all columns: those of table 0 are their own numbers, those of table 1 come
/// `width` behind.
pub(crate) fn set_slots(e: &mut Expr, width: u32) {
    e.walk_mut(&mut |e| {
        if let Node::Column(c) = &mut e.node {
            c.slot = c.table * width + c.column;
        }
    });
}

/// The query that gives an expression.
pub(crate) fn query_of(e: &ast::Expr) -> ast::Query {
    let select = ast::Select {
        items: vec![ast::SelectItem::Expr { expr: e.clone(), alias: None, text: ast::Span::default() }],
        ..ast::Select::default()
    };
    ast::Query { first: ast::QueryTerm::Select(Box::new(select)), ..ast::Query::default() }
}

impl Session {
    /// The value of an expression without columns, and its type.
    ///
    /// # Errors
    /// Those of binding and evaluating.
    pub(crate) fn constant(&mut self, e: &ast::Expr, clause: &'static str) -> SqlResult<(Value, FieldType)> {
        if has_subquery(e) {
            return self.constant_of_query(&query_of(e));
        }
        let bound = self.bound_constant(e, clause)?;
        let value = bound.value(&mut self.ctx)?;
        Ok((value, bound.ty))
    }

    /// The value of an expression that is the same throughout the statement.
    pub(crate) fn settled(&mut self, e: &ast::Expr) -> Option<(Value, FieldType)> {
        let bound = self.bound_constant(e, "SELECT").ok().filter(Expr::is_constant)?;
        let value = bound.value(&mut self.ctx).ok()?;
        Some((value, bound.ty))
    }

    /// An expression without columns, bound, and whether it may be kept.
    ///
    /// # Errors
    /// Those of binding.
    pub(crate) fn bound_to_keep(&mut self, e: &ast::Expr) -> SqlResult<(Expr, bool)> {
        let (view, ctx) = self.split(b"");
        let mut scope = TableScope { view, table: None, values: false };
        let mut binder = ExprBinder::new(&mut scope, ctx);
        binder.allow_aggregates = false;
        binder.clause = "SELECT";
        let bound = binder.bind(e)?;
        let cacheable = binder.cacheable;
        Ok((bound, cacheable))
    }

    /// An expression without columns that may be a row, bound, and whether it may be kept.
    ///
    /// # Errors
    /// Those of binding.
    pub(crate) fn bound_row(&mut self, e: &ast::Expr) -> SqlResult<(Expr, bool)> {
        let (view, ctx) = self.split(b"");
        let mut scope = TableScope { view, table: None, values: false };
        let mut binder = ExprBinder::new(&mut scope, ctx);
        binder.allow_aggregates = false;
        binder.clause = "SELECT";
        let bound = binder.bind_row(e)?;
        let cacheable = binder.cacheable;
        Ok((bound, cacheable))
    }

    fn bound_constant(&mut self, e: &ast::Expr, clause: &'static str) -> SqlResult<Expr> {
        let (view, ctx) = self.split(b"");
        let mut scope = TableScope { view, table: None, values: false };
        let mut binder = ExprBinder::new(&mut scope, ctx);
        binder.allow_aggregates = false;
        binder.clause = clause;
        binder.bind(e)
    }

    /// Evaluates expressions whose values are discarded, after binding them all. As in MariaDB, evaluation errors become
    /// warnings; `max_statement_time` stops the evaluation without an error, KILL with one.
    ///
    /// # Errors
    /// Those of binding; 1317.
    pub(crate) fn compute(&mut self, list: &[ast::Expr], clause: &'static str) -> SqlResult<()> {
        let mut bound = Vec::with_capacity(list.len());
        for e in list {
            bound.push(if has_subquery(e) {
                let query = query_of(e);
                self.plan(&query, b"")?;
                Err(query)
            } else {
                Ok(self.bound_constant(e, clause)?)
            });
        }
        for e in &bound {
            let value = match e {
                Ok(e) => e.value(&mut self.ctx).map(drop),
                Err(query) => self.constant_of_query(query).map(drop),
            };
            let Err(e) = value else { continue };
            self.ctx.warnings.push_error(crate::warning::Level::Error, &e);
            if self.ctx.is_killed() {
                break;
            }
        }
        Ok(())
    }

    /// The value of an expression with subqueries, as a query of one row gives it.
    fn constant_of_query(&mut self, query: &ast::Query) -> SqlResult<(Value, FieldType)> {
        self.retry_if_stale(|session| {
            let plan = session.plan(query, b"")?;
            let rows = session
                .with_snapshot(&plan.tables, |session, exec| exec.collect(&plan, &mut session.ctx, 1))?;
            Ok(match rows.is_empty() {
                true => (Value::Null, FieldType::null()),
                false => (rows.value(0, 0), plan.types[0].clone()),
            })
        })
    }
}

/// Whether an expression has a subquery in it.
pub(crate) fn has_subquery(e: &ast::Expr) -> bool {
    use ast::ExprKind as K;
    let mut found =
        matches!(e.kind, K::Subquery(_) | K::Exists(..) | K::InSubquery { .. } | K::Quantified { .. });
    e.kind.for_children(&mut |c| found = found || has_subquery(c));
    found
}

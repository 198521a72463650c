//! What names mean inside one SELECT: tables of FROM, aliases of the list, tables of the queries around.

use std::sync::Arc;

use super::{PlanEnv, QueryPlan, Relation, SubqueryPlan};
use crate::ast;
use crate::bind::{BoundSubquery, Resolved, Scope};
use crate::error::{ER_BAD_FIELD_ERROR, ER_NO_DEFAULT_FOR_FIELD, ER_NON_UNIQ_ERROR, SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Node, SubqueryKind};
use crate::types::{FieldType, Value, load};
use isam::definition::DefaultValue;

/// A table as the names of one SELECT see it.
pub struct ScopeTable {
    /// What it is.
    pub relation: Relation,
    /// The name it goes by.
    pub alias: String,
    /// Its database, empty for derived tables.
    pub db: String,
    /// Its own name.
    pub name: String,
    /// Column names and types.
    pub columns: Vec<(String, FieldType)>,
    /// Columns not named by `*`.
    pub invisible: Vec<bool>,
    /// USE, FORCE, IGNORE INDEX.
    pub hints: super::hints::Hints,
    /// A base table's state while it was planned, for estimates; else empty.
    pub state: Vec<u8>,
}

/// Columns that USING or NATURAL made one: the one that answers, and those it hides.
pub struct Coalesced {
    /// Name.
    pub name: String,
    /// (table, column) that answers for the bare name.
    pub shown: (usize, usize),
    /// The other ones.
    pub hidden: Vec<(usize, usize)>,
}

/// The names of one SELECT.
#[derive(Default)]
pub struct Names {
    /// Tables in the order of FROM.
    pub tables: Vec<ScopeTable>,
    /// Columns joined by USING and NATURAL.
    pub coalesced: Vec<Coalesced>,
    /// The select list by name, for GROUP BY, HAVING and ORDER BY.
    pub aliases: Vec<(String, Expr)>,
    /// The columns of GROUP BY.
    pub group_columns: Vec<(usize, usize)>,
    /// Whether aliases may be used now; and whether they go before columns.
    pub alias_use: AliasUse,
    /// Only tables from this one on are in sight (ON sees the tables of its own join).
    pub visible_from: usize,
    /// References to the query around, in the order of their outer numbers.
    pub outer: Vec<(OuterReference, FieldType)>,
}

/// Whether aliases of the select list are visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AliasUse {
    /// They are not.
    #[default]
    No,
    /// After the columns of FROM (GROUP BY, and inside expressions of ORDER BY).
    AfterColumns,
    /// Only the list, the columns of GROUP BY, and columns inside aggregates (HAVING).
    Having,
}

/// A column of the query around.
#[derive(Clone, Debug)]
pub struct OuterReference {
    name: ast::ColumnRef,
    expr: Expr,
}

fn same_column(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b) || (!a.is_ascii() || !b.is_ascii()) && a.to_lowercase() == b.to_lowercase()
}

impl Names {
    fn table_matches(t: &ScopeTable, c: &ast::ColumnRef) -> bool {
        match (&c.db, &c.table) {
            (_, None) => true,
            (None, Some(name)) => *t.alias == **name,
            (Some(db), Some(name)) => *t.alias == **name && *t.db == **db,
        }
    }

    /// The column of FROM that a name means, if any.
    ///
    /// # Errors
    /// 1052 when several fit.
    pub fn find(&self, c: &ast::ColumnRef, clause: &str) -> SqlResult<Option<(usize, usize)>> {
        if c.table.is_none()
            && let Some(j) = self.coalesced.iter().rev().find(|j| same_column(&j.name, &c.name))
        {
            return Ok(Some(j.shown));
        }
        let mut found = None;
        for (ti, t) in self.tables.iter().enumerate().skip(self.visible_from) {
            if !Names::table_matches(t, c) {
                continue;
            }
            for (ci, (name, _)) in t.columns.iter().enumerate() {
                if same_column(name, &c.name) {
                    if found.is_some() {
                        return Err(SqlError::new(ER_NON_UNIQ_ERROR, &[&full_name(c), &clause]));
                    }
                    found = Some((ti, ci));
                }
            }
        }
        Ok(found)
    }

    /// The type of a column.
    #[must_use]
    pub fn column_type(&self, table: usize, column: usize) -> FieldType {
        self.tables[table].columns[column].1.clone()
    }

    /// The element of the select list that a name means: by its own name, else by its column's.
    ///
    /// # Errors
    /// 1052 when several different ones fit.
    pub fn alias(&self, c: &ast::ColumnRef, clause: &str) -> SqlResult<Option<usize>> {
        let field = self.find(c, clause).ok().flatten().map(|(t, i)| (t as u32, i as u32));
        let column = |e: &Expr| match &e.node {
            Node::Column(c) => Some((c.table, c.column)),
            _ => None,
        };
        let mut found: Option<usize> = None;
        for (i, (name, e)) in self.aliases.iter().enumerate() {
            let named =
                same_column(name, &c.name) && (c.table.is_none() || column(e) == field && field.is_some());
            if !named {
                continue;
            }
            match found {
                Some(f)
                    if column(&self.aliases[f].1).is_none() || column(&self.aliases[f].1) != column(e) =>
                {
                    return Err(SqlError::new(ER_NON_UNIQ_ERROR, &[&full_name(c), &clause]));
                }
                Some(_) => {}
                None => found = Some(i),
            }
        }
        Ok(found.or_else(|| self.aliases.iter().position(|(_, e)| field.is_some() && column(e) == field)))
    }
}

/// `db.table.column` as written.
#[must_use]
pub fn full_name(c: &ast::ColumnRef) -> String {
    let mut s = String::new();
    for part in [&c.db, &c.table].into_iter().flatten() {
        s.push_str(part);
        s.push('.');
    }
    s.push_str(&c.name);
    s
}

/// The chain of names while a query is planned: the innermost SELECT is last.
pub struct Stack<'e> {
    /// The session.
    pub env: &'e mut dyn PlanEnv,
    /// Names of the SELECTs around, outermost first, then the present one's.
    pub levels: Vec<Names>,
    /// Subqueries of each level, in step with `levels`.
    pub subqueries: Vec<Vec<Arc<SubqueryPlan>>>,
    /// Base tables met anywhere in the statement.
    pub tables: Vec<Arc<crate::catalog::OpenTable>>,
    /// Common table expressions in sight: name and plan.
    pub ctes: Vec<(String, Arc<QueryPlan>)>,
    /// The outermost block gives the positions of its tables' rows instead of its list.
    pub positions: bool,
    /// Inside the argument of an aggregate.
    pub in_aggregate: bool,
    /// What `VALUES(col)` refers to: the number of the row that was to be inserted.
    pub values_table: Option<u32>,
}

impl Stack<'_> {
    /// The present SELECT's names.
    pub fn here(&mut self) -> &mut Names {
        let n = self.levels.len() - 1;
        &mut self.levels[n]
    }

    /// Resolves a column at `level`, making outer references on the way down.
    fn resolve(&mut self, level: usize, c: &ast::ColumnRef, clause: &str) -> SqlResult<Option<Resolved>> {
        let names = &self.levels[level];
        let mut seen = true;
        if names.alias_use == AliasUse::Having && !self.in_aggregate {
            if let Some(i) = names.alias(c, clause)? {
                return Ok(Some(Resolved::Expr(names.aliases[i].1.clone())));
            }
            seen = names.find(c, clause).is_ok_and(|f| f.is_some_and(|f| names.group_columns.contains(&f)));
        }
        if seen && let Some((table, column)) = names.find(c, clause)? {
            let ty = names.column_type(table, column);
            return Ok(Some(Resolved::Column { table: table as u32, column: column as u32, ty }));
        }
        if names.alias_use == AliasUse::AfterColumns
            && let Some(i) = names.alias(c, clause)?
        {
            return Ok(Some(Resolved::Expr(names.aliases[i].1.clone())));
        }
        if level == 0 {
            return Ok(None);
        }
        if let Some(n) = names.outer.iter().position(|(o, _)| o.name == *c) {
            let ty = names.outer[n].1.clone();
            return Ok(Some(Resolved::Outer { index: n as u32, ty }));
        }
        let Some(found) = self.resolve(level - 1, c, clause)? else { return Ok(None) };
        let expr = match found {
            Resolved::Column { table, column, ty } => Expr::column(table, column, ty),
            Resolved::Outer { index, ty } => Expr::new(crate::expr::Node::Outer(index), ty),
            Resolved::Expr(e) => e,
        };
        let ty = expr.ty.clone();
        let outer = &mut self.levels[level].outer;
        outer.push((OuterReference { name: c.clone(), expr }, ty.clone()));
        Ok(Some(Resolved::Outer { index: outer.len() as u32 - 1, ty }))
    }
}

impl Scope for Stack<'_> {
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved> {
        let level = self.levels.len() - 1;
        self.resolve(level, name, clause)?
            .ok_or_else(|| SqlError::new(ER_BAD_FIELD_ERROR, &[&full_name(name), &clause]))
    }

    fn display(&mut self, name: &ast::ColumnRef) -> String {
        let found = self.levels.iter().rev().find_map(|names| {
            let (t, c) = names.find(name, "").ok().flatten()?;
            let table = &names.tables[t];
            Some([table.db.clone(), table.alias.clone(), table.columns[c].0.clone()])
        });
        let own = || [&name.db, &name.table].map(|n| n.as_deref().unwrap_or("").to_string());
        let parts = found.unwrap_or_else(|| {
            let [db, table] = own();
            [db, table, name.name.to_string()]
        });
        let mut out = String::new();
        for part in parts.iter().filter(|p| !p.is_empty()) {
            if !out.is_empty() {
                out.push('.');
            }
            ast::quote_identifier(part, ast::PrintStyle::default(), &mut out);
        }
        out
    }

    fn enter_aggregate(&mut self, inside: bool) {
        self.in_aggregate = inside;
    }

    fn system_variable(&mut self, variable: &ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        self.env.system_variable(variable)
    }

    fn subquery(
        &mut self,
        query: &ast::Query,
        _kind: SubqueryKind,
        ctx: &mut EvalContext,
    ) -> SqlResult<BoundSubquery> {
        self.levels.push(Names::default());
        let inside = std::mem::take(&mut self.in_aggregate);
        let planned = super::query::plan_nested(self, query, ctx);
        self.in_aggregate = inside;
        let names = self.levels.pop().unwrap_or_default();
        let plan = planned?;
        let outer: Vec<Expr> = names.outer.into_iter().map(|(o, _)| o.expr).collect();
        let columns = plan.types.clone();
        let list = self.subqueries.last_mut().expect("a level");
        list.push(Arc::new(SubqueryPlan { plan, independent: outer.is_empty() }));
        Ok(BoundSubquery { id: list.len() as u32 - 1, columns, outer })
    }

    fn param(&mut self, n: u32) -> Option<FieldType> {
        self.env.param(n)
    }

    fn default_of(&mut self, name: &ast::ColumnRef, ctx: &mut EvalContext) -> SqlResult<Expr> {
        let level = self.levels.len() - 1;
        let found = self.levels[level].find(name, "SELECT")?;
        let Some((table, column)) = found else {
            return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&full_name(name), &"SELECT"]));
        };
        let t = &self.levels[level].tables[table];
        let ty = t.columns[column].1.clone();
        let Relation::Base(open) = &t.relation else {
            return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&full_name(name), &"SELECT"]));
        };
        let def = open.def();
        let c = &def.columns[column];
        match &c.default {
            DefaultValue::Value(bytes) => {
                Ok(Expr::literal(load::value(Some(bytes), &ty, &EvalContext::default()), ty))
            }
            DefaultValue::Null => Ok(Expr::literal(Value::Null, ty)),
            DefaultValue::None if c.nullable => Ok(Expr::literal(Value::Null, ty)),
            DefaultValue::None => Err(SqlError::new(ER_NO_DEFAULT_FOR_FIELD, &[&c.name])),
            DefaultValue::Now => Err(SqlError::not_supported("DEFAULT(expression)")),
            DefaultValue::Expression(_) => {
                // over the columns of the same row
                let rules = open.rules(ctx)?;
                let Some(e) = rules.as_ref().and_then(|r| r.default(column)) else {
                    return Err(SqlError::internal("default"));
                };
                let mut e = e.clone();
                e.columns_mut(&mut |c| c.table = table as u32);
                crate::bind::coerce(&mut e, ty, ctx)?;
                Ok(e)
            }
        }
    }

    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr> {
        // outside ON DUPLICATE KEY UPDATE, VALUES(col) is NULL
        let level = self.levels.len() - 1;
        match self.levels[level].find(name, "SELECT")? {
            Some((t, c)) => {
                let ty = self.levels[level].column_type(t, c);
                Ok(match self.values_table {
                    Some(n) => Expr::column(n, c as u32, ty),
                    None => Expr::literal(Value::Null, ty),
                })
            }
            None => Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&full_name(name), &"SELECT"])),
        }
    }
}

//! Binding of expressions: names are resolved, types derived, operands converted, constants folded,
//! aggregates collected.

use crate::ast;
use crate::error::SqlResult;
use crate::expr::{AggregateCall, EvalContext, Expr, SubqueryKind};
use crate::types::{FieldType, Value};

/// What a column name means.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// A column of a table of this query.
    Column {
        /// The table's number.
        table: u32,
        /// The column's number.
        column: u32,
        /// The column's type (nullable when the table is on the inner side of an outer join).
        ty: FieldType,
    },
    /// A value of an outer query: its number among the outer values.
    Outer {
        /// The number: [`crate::expr::Node::Outer`].
        index: u32,
        /// Its type.
        ty: FieldType,
    },
    /// An alias of the select list, or a merged view's expression.
    Expr(Expr),
}

/// A subquery that the planner has bound.
#[derive(Clone, Debug)]
pub struct BoundSubquery {
    /// The planner's number for it.
    pub id: u32,
    /// Its columns.
    pub columns: Vec<FieldType>,
    /// What it refers to in the query around it, in the order of its outer numbers.
    pub outer: Vec<Expr>,
}

/// The names an expression may use. What a scope does not have, it answers with an error.
pub trait Scope {
    /// Resolves a column; `clause` is the word of error 1054 (`field list`, `where clause` ...).
    ///
    /// # Errors
    /// 1054 unknown, 1052 ambiguous.
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved>;

    /// The value of a system variable at this moment.
    ///
    /// # Errors
    /// 1193 unknown, 1238 wrong scope.
    fn system_variable(&mut self, variable: &ast::SystemVariable) -> SqlResult<(Value, FieldType)>;

    /// Binds and plans a subquery.
    ///
    /// # Errors
    /// Those of the subquery.
    fn subquery(
        &mut self,
        query: &ast::Query,
        kind: SubqueryKind,
        ctx: &mut EvalContext,
    ) -> SqlResult<BoundSubquery>;

    /// The type of parameter `n` (`?`), when it is known: of the value to be executed with.
    fn param(&mut self, n: u32) -> Option<FieldType> {
        let _ = n;
        None
    }

    /// `DEFAULT(col)`.
    ///
    /// # Errors
    /// 1364 without a default.
    fn default_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr>;

    /// `VALUES(col)` of ON DUPLICATE KEY UPDATE.
    ///
    /// # Errors
    /// 1054 when there is no such column.
    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr>;
}

/// Binds the expressions of one query level.
pub struct ExprBinder<'a> {
    /// The names.
    pub scope: &'a mut dyn Scope,
    /// Settings, variables; warnings of folded constants go here.
    pub ctx: &'a mut EvalContext,
    /// The clause that is bound now, for error 1054.
    pub clause: &'static str,
    /// Whether aggregates are allowed here; else error 1111.
    pub allow_aggregates: bool,
    /// The aggregates met so far; equal ones share a number.
    pub aggregates: Vec<AggregateCall>,
    /// False once something was bound in that holds only for this execution (a system variable's
    /// value, a folded constant with a warning): the plan must not be kept.
    pub cacheable: bool,
}

impl<'a> ExprBinder<'a> {
    /// A binder for this scope.
    pub fn new(scope: &'a mut dyn Scope, ctx: &'a mut EvalContext) -> ExprBinder<'a> {
        ExprBinder {
            scope,
            ctx,
            clause: "field list",
            allow_aggregates: true,
            aggregates: Vec::new(),
            cacheable: true,
        }
    }

    /// Binds an expression.
    ///
    /// # Errors
    /// Unknown names, wrong argument counts (1582), mixes of collations (1267), wrong operands (1241).
    pub fn bind(&mut self, _e: &ast::Expr) -> SqlResult<Expr> {
        todo!()
    }

    /// Binds a condition (WHERE, HAVING, ON): the result is a truth value.
    ///
    /// # Errors
    /// As [`ExprBinder::bind`].
    pub fn bind_condition(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        self.bind(e)
    }
}

//! Defaults that are expressions.

use crate::ast;
use crate::bind::{BoundSubquery, ExprBinder, Resolved, Scope};
use crate::error::{SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, SubqueryKind};
use crate::parse::{self, Options};
use crate::types::{FieldType, Value};

/// A scope without names.
struct NoNames;

impl Scope for NoNames {
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved> {
        Err(SqlError::new(crate::error::ER_BAD_FIELD_ERROR, &[&name.name, &clause]))
    }

    fn system_variable(&mut self, v: &ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        Err(SqlError::new(crate::error::ER_UNKNOWN_SYSTEM_VARIABLE, &[&v.name]))
    }

    fn subquery(&mut self, _: &ast::Query, _: SubqueryKind, _: &mut EvalContext) -> SqlResult<BoundSubquery> {
        Err(SqlError::not_supported("subquery in DEFAULT"))
    }

    fn default_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr> {
        Err(SqlError::new(crate::error::ER_BAD_FIELD_ERROR, &[&name.name, &"DEFAULT"]))
    }

    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr> {
        self.default_of(name)
    }
}

/// The value of a default's text.
///
/// # Errors
/// Those of the expression.
pub(crate) fn evaluate(text: &str, ctx: &mut EvalContext) -> SqlResult<(Value, FieldType)> {
    let sql = format!("DO {text}");
    let parsed = parse::parse(sql.as_bytes(), &Options::default())?;
    let Some(ast::Statement::Do(list)) = parsed.statement else {
        return Err(SqlError::not_supported("DEFAULT(expression)"));
    };
    let Some(e) = list.first() else { return Err(SqlError::not_supported("DEFAULT(expression)")) };
    let mut scope = NoNames;
    let bound = ExprBinder::new(&mut scope, ctx).bind(e)?;
    let value = bound.value(ctx)?;
    Ok((value, bound.ty))
}

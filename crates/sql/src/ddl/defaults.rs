//! DEFAULT: what kind it is, and constants as stored bytes.

use std::sync::Arc;

use schema::definition::{ColumnDef, ColumnType, DefaultValue, TableDef};

use super::DefinitionBuilder;
use crate::ast::{self, Expr, ExprKind, Literal, UnaryOp};
use crate::bind::{BoundSubquery, ExprBinder, Resolved, Scope};
use crate::error::{self, SqlError, SqlResult};
use crate::expr::{EvalContext, SubqueryKind};
use crate::types::context::NO_ROW;
use crate::types::store::{self, Column, StoreMode};
use crate::types::{Derivation, FieldType, Value};
use crate::variables::SqlMode;
use crate::warning::Warning;

/// The kinds of defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultKind {
    /// NULL.
    Null,
    /// CURRENT_TIMESTAMP and its kin.
    Now,
    /// A literal.
    Constant,
    /// Anything else.
    Expression,
}

/// What kind of default an expression is.
pub fn kind_of(e: &Expr) -> DefaultKind {
    match &e.kind {
        ExprKind::Literal(Literal::Null | Literal::NullText(_)) => DefaultKind::Null,
        ExprKind::Literal(_) => DefaultKind::Constant,
        ExprKind::Unary(UnaryOp::Negate, inner) => match &inner.kind {
            ExprKind::Literal(Literal::Null) => DefaultKind::Expression,
            ExprKind::Literal(_) => DefaultKind::Constant,
            _ => DefaultKind::Expression,
        },
        ExprKind::Function(f) => {
            let now = ["now", "current_timestamp", "localtime", "localtimestamp"]
                .iter()
                .any(|n| f.name.eq_ignore_ascii_case(n));
            if now && f.db.is_none() { DefaultKind::Now } else { DefaultKind::Expression }
        }
        _ => DefaultKind::Expression,
    }
}

/// Whether the moment that an expression gives has fewer digits than the column has: then it is a default that is computed.
pub fn is_coarser(e: &Expr, ty: &ColumnType) -> bool {
    let (ExprKind::Function(f), Some(digits)) = (&e.kind, ty.fraction()) else { return false };
    match f.args.first().map(|a| &a.kind) {
        Some(ExprKind::Literal(Literal::Int(n))) => (1..u64::from(digits)).contains(n),
        _ => false,
    }
}

/// A scope without names: constants use none.
struct Nothing;

impl Scope for Nothing {
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved> {
        Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name.name, &clause]))
    }

    fn system_variable(&mut self, variable: &ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        Err(SqlError::new(error::ER_UNKNOWN_SYSTEM_VARIABLE, &[&variable.name]))
    }

    fn subquery(&mut self, _: &ast::Query, _: SubqueryKind, _: &mut EvalContext) -> SqlResult<BoundSubquery> {
        Err(SqlError::not_supported("subquery"))
    }

    fn default_of(&mut self, name: &ast::ColumnRef, _: &mut EvalContext) -> SqlResult<crate::expr::Expr> {
        Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name.name, &"DEFAULT"]))
    }

    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<crate::expr::Expr> {
        Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name.name, &"DEFAULT"]))
    }
}

/// The stored bytes of a constant default.
///
/// # Errors
/// 1067 when the value does not fit the column.
pub fn constant_bytes(d: &mut DefinitionBuilder<'_>, e: &Expr, column: &ColumnDef) -> SqlResult<Vec<u8>> {
    let bound = ExprBinder::new(&mut Nothing, d.ctx).bind(e)?;
    let value = bound.value(d.ctx)?;
    let invalid = || SqlError::new(error::ER_INVALID_DEFAULT, &[&column.name]);
    let to = Column::new(column, &Arc::from(""), &Arc::from(""));
    let listed = matches!(column.ty, ColumnType::Enum { .. } | ColumnType::Set { .. });
    let number = match &value {
        _ if !listed => None,
        Value::Int(i) => Some(i128::from(*i)),
        Value::UInt(n) => Some(i128::from(*n)),
        Value::Decimal(d) => Some(d.trunc_i128()),
        Value::Double(v) => Some(*v as i128),
        _ => None,
    };
    if listed && !names_member(&value, &bound.ty, &to) {
        return Err(invalid());
    }
    let Some(number) = number else {
        let judge = if listed { silent } else { judged };
        return judge(&value, &bound.ty, &to, d.ctx).ok_or_else(invalid);
    };
    // MariaDB looks for a member that is written as the number, and takes the one that it counts to
    let mut text = Vec::new();
    crate::types::convert::write_text(value.as_ref(), &bound.ty, &mut text);
    let ty = FieldType::string(text.len() as u64, charset::system(), Derivation::Coercible);
    if silent(&Value::Bytes(text), &ty, &to, d.ctx).is_none() {
        return Err(invalid());
    }
    let counted = i64::try_from(number).map_err(|_| invalid())?;
    if counted == 0 && matches!(column.ty, ColumnType::Set { .. }) {
        return silent(&Value::Bytes(Vec::new()), &ty, &to, d.ctx).ok_or_else(invalid);
    }
    silent(&Value::Int(counted), &FieldType::bigint(false), &to, d.ctx).ok_or_else(invalid)
}

/// Whether a value for an ENUM or SET that is written as a number is a member's name: numbers of members are not
/// taken for them here.
fn names_member(value: &Value, ty: &FieldType, to: &Column) -> bool {
    let mut text = Vec::new();
    crate::types::convert::write_text(value.as_ref(), ty, &mut text);
    let number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let mut own = Vec::new();
    charset::system().charset.convert(&text, to.ty.collation.charset, &mut own);
    !number || to.ty.values.as_ref().is_none_or(|all| all.iter().any(|m| **m == *own))
}

/// The stored bytes of a value, if nothing is wrong with it: whatever would be a warning for a row is told before the
/// error.
fn judged(value: &Value, ty: &FieldType, to: &Column, ctx: &mut EvalContext) -> Option<Vec<u8>> {
    let row = std::mem::replace(&mut ctx.row, NO_ROW);
    let mark = ctx.warnings.mark();
    let mut stored = store::stored(value, ty, to, ctx).ok().flatten();
    if stored.is_none() {
        ctx.warnings.rollback_to(mark);
        let told = store::store(value.as_ref(), ty, to, StoreMode::Lenient, &mut Vec::new(), ctx);
        debug_assert!(told.is_ok(), "a lenient store refuses nothing");
        let unknown = |w: &Warning| w.code == error::ER_TRUNCATED_WRONG_VALUE_FOR_FIELD;
        if to.ty.is_string() && ctx.warnings.since(mark).iter().any(unknown) {
            // of characters that the column does not know only the error tells
            ctx.warnings.rollback_to(mark);
        }
    } else if matches!(to.stored, ColumnType::Varchar { .. }) && ctx.warnings.told_since(mark) {
        // blanks that a column would cut off are too many for a definition
        stored = None;
    }
    ctx.row = row;
    stored
}

/// Dates that columns have for defaults already are what the session's mode allows.
///
/// # Errors
/// 1067.
pub fn check_kept(ctx: &mut EvalContext, def: &TableDef) -> SqlResult<()> {
    if !ctx.sql_mode.has(SqlMode::NO_ZERO_DATE) && !ctx.sql_mode.has(SqlMode::NO_ZERO_IN_DATE) {
        return Ok(());
    }
    for column in &def.columns {
        let DefaultValue::Value(bytes) = &column.default else { continue };
        let to = Column::new(column, &Arc::from(""), &Arc::from(""));
        if to.ty.is_temporal() && !matches!(column.ty, ColumnType::Year) {
            let value = crate::types::load::value(Some(bytes), &to.ty, ctx);
            let ty = to.ty.clone();
            if judged(&value, &ty, &to, ctx).is_none() {
                return Err(SqlError::new(error::ER_INVALID_DEFAULT, &[&column.name]));
            }
        }
    }
    Ok(())
}

/// As [`judged`], of which nothing is told.
fn silent(value: &Value, ty: &FieldType, to: &Column, ctx: &mut EvalContext) -> Option<Vec<u8>> {
    let mark = ctx.warnings.mark();
    let stored = store::stored(value, ty, to, ctx);
    ctx.warnings.rollback_to(mark);
    stored.ok().flatten()
}

/// What a default that is an expression gives already now, when it reads nothing.
///
/// # Errors
/// 1067 when the column cannot take that.
pub fn computed(d: &mut DefinitionBuilder<'_>, e: &Expr, column: &ColumnDef) -> SqlResult<Option<Box<[u8]>>> {
    let mark = d.ctx.warnings.mark();
    let bound = ExprBinder::new(&mut Nothing, d.ctx).bind(e);
    d.ctx.warnings.rollback_to(mark);
    let Ok(bound) = bound else { return Ok(None) };
    let invalid = |_| SqlError::new(error::ER_INVALID_DEFAULT, &[&column.name]);
    value_now(&bound, column, d.table, d.ctx).map_err(invalid)
}

/// The stored bytes of an expression that reads nothing.
///
/// # Errors
/// Those of a value that the column cannot take.
pub fn value_now(
    bound: &crate::expr::Expr,
    column: &ColumnDef,
    table: &str,
    ctx: &mut EvalContext,
) -> SqlResult<Option<Box<[u8]>>> {
    if !bound.is_foldable() {
        return Ok(None);
    }
    let to = Column::new(column, &Arc::from(""), &Arc::from(table));
    let mark = ctx.warnings.mark();
    let stored = match bound.value(ctx) {
        Ok(value) => store::stored(&value, &bound.ty, &to, ctx),
        Err(e) => Err(e),
    };
    ctx.warnings.rollback_to(mark);
    match stored? {
        None if !column.nullable => Err(SqlError::new(error::ER_INVALID_DEFAULT, &[&column.name])),
        value => Ok(value.filter(|_| !column.ty.is_blob()).map(Vec::into_boxed_slice)),
    }
}

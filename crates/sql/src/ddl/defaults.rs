//! DEFAULT: what kind it is, and constants as stored bytes.

use isam::definition::ColumnDef;

use super::Definer;
use crate::ast::{Expr, ExprKind, Literal, UnaryOp};
use crate::error::{self, SqlError, SqlResult};

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
        ExprKind::Literal(Literal::Null) => DefaultKind::Null,
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

/// The stored bytes of a constant default.
///
/// # Errors
/// 1067 when the value does not fit the column.
pub fn constant_bytes(d: &mut Definer<'_>, e: &Expr, column: &ColumnDef) -> SqlResult<Vec<u8>> {
    let _ = (d, e);
    Err(SqlError::new(error::ER_INVALID_DEFAULT, &[&column.name]))
}

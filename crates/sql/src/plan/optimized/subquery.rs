//! Subqueries of expressions, with the marks of how they are run.

use super::Place;
use super::names::{Names, made};
use crate::ast::{Expr, ExprKind, Field, FunctionCall};
use crate::error::SqlResult;

/// Rewrites a subquery and what is compared with it.
pub(super) fn optimize(names: &mut Names<'_>, e: &mut Expr) -> SqlResult<()> {
    let mut result = Ok(());
    e.kind.for_children_mut(&mut |child| {
        if result.is_ok() {
            result = names.expr(child);
        }
    });
    result?;
    match &mut e.kind {
        ExprKind::Subquery(q)
        | ExprKind::Exists(q)
        | ExprKind::InSubquery { query: q, .. }
        | ExprKind::Quantified { query: q, .. } => {
            names.query(q, Place::Expression)?;
        }
        _ => {}
    }
    Ok(())
}

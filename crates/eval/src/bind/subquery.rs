//! Subqueries that are less than they look: an expression in the words of one, and IN of a constant.

use super::expr::{ExprBinder, subquery};
use crate::ast::{BinaryOp, Expr, ExprKind, IsTest, Literal, Query, QueryTerm, SelectItem, Span};
use crate::error::{ER_OPERAND_COLUMNS, SqlError, SqlResult};
use crate::expr::{self, SubqueryKind};
use crate::types::Kind;
use crate::variables::SqlMode;

impl ExprBinder<'_> {
    /// A subquery of one value.
    pub(super) fn scalar_subquery(&mut self, query: &Query) -> SqlResult<expr::Expr> {
        // names of the list that only a subquery sees keep it one
        if let Some(inner) = query.reduced()
            && let Ok(bound) = self.bind_node(inner)
        {
            return Ok(bound);
        }
        let b = self.scope.subquery(query, SubqueryKind::Scalar, self.ctx)?;
        let [ty] = b.columns.as_slice() else {
            return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
        };
        let mut ty = ty.clone().with_nullable(true);
        ty.digits = ty.kind == Kind::Bit;
        Ok(subquery(b, SubqueryKind::Scalar, Vec::new(), Vec::new(), Vec::new(), ty))
    }

    /// IN of a subquery. One that a constant stands before is asked for the rows that say yes or NULL, and no others.
    pub(super) fn in_subquery(&mut self, left: &Expr, query: &Query, negated: bool) -> SqlResult<expr::Expr> {
        let narrowed = narrowed(left, query, self.ctx.sql_mode);
        let query = narrowed.as_ref().unwrap_or(query);
        self.subquery_comparison(left, query, SubqueryKind::In { negated })
    }
}

/// The subquery with the comparison as a condition of its own, where it is one SELECT of a column without groups that matter.
fn narrowed(left: &Expr, query: &Query, mode: SqlMode) -> Option<Query> {
    let constant = match &left.kind {
        ExprKind::Literal(l) => l,
        ExprKind::Lifted(_, l) => l,
        _ => return None,
    };
    let QueryTerm::Select(s) = &query.first else { return None };
    let grouped = !s.group_by.is_empty();
    let plain = query.rest.is_empty()
        && query.with.is_none()
        && query.limit.is_none()
        && query.procedure.is_none()
        && s.having.is_none()
        && s.windows.is_empty()
        && !s.from.is_empty()
        && !(grouped && (s.rollup || mode.has(SqlMode::ONLY_FULL_GROUP_BY)));
    let [SelectItem::Expr { expr: item, .. }] = &s.items[..] else { return None };
    if !plain || !matches!(item.kind, ExprKind::Column(_)) || *constant == Literal::Null {
        return None;
    }
    let made = |kind| Expr::new(kind, Span::default());
    let equal = made(ExprKind::Binary(BinaryOp::Eq, Box::new(left.clone()), Box::new(item.clone())));
    let is_null = made(ExprKind::Is { expr: Box::new(item.clone()), test: IsTest::Null, negated: false });
    let condition = made(ExprKind::Or(vec![equal, is_null]));
    let mut query = query.clone();
    if let QueryTerm::Select(s) = &mut query.first {
        s.filter = Some(match s.filter.take() {
            Some(filter) => made(ExprKind::And(vec![filter, condition])),
            None => condition,
        });
        s.group_by.clear();
    }
    query.order_by.clear();
    Some(query)
}

//! `MATCH ... AGAINST`: what is looked for must be settled before a row is read; the planner finds the key of the columns.

use super::ExprBinder;
use super::expr::Resolved;
use crate::ast::{self, ExprKind, MatchMode};
use crate::error::{ER_WRONG_ARGUMENTS, SqlError, SqlResult};
use crate::expr::full_text::SearchMode;
use crate::expr::typing::{coerce, text_type};
use crate::expr::{Expr, Node};

/// A MATCH whose columns and query are bound, before its key is known.
pub struct Asked {
    /// How rows are searched.
    pub mode: SearchMode,
    /// The columns.
    pub columns: Vec<Expr>,
    /// What is looked for: a text.
    pub against: Expr,
}

impl ExprBinder<'_> {
    pub(super) fn match_against(&mut self, m: &ast::MatchAgainst) -> SqlResult<Expr> {
        let mut against = self.bind(&m.against)?;
        if !self.is_settled_before(&against) {
            return Err(SqlError::new(ER_WRONG_ARGUMENTS, &[&"AGAINST"]));
        }
        let text = text_type(&against.ty, self.ctx.collation);
        coerce(&mut against, text, self.ctx)?;
        let mut columns = Vec::with_capacity(m.columns.len());
        for e in &m.columns {
            let ExprKind::Column(c) = &e.kind else {
                return Err(SqlError::new(ER_WRONG_ARGUMENTS, &[&"MATCH"]));
            };
            columns.push(match self.scope.column(c, self.clause)? {
                Resolved::Column { table, column, ty } => Expr::column(table, column, ty),
                Resolved::Outer { index, ty } => Expr::new(Node::Outer(index), ty),
                Resolved::Expr(e) => e,
            });
        }
        let mode = match m.mode {
            MatchMode::Natural => SearchMode::Natural,
            MatchMode::NaturalExpansion => SearchMode::Expansion,
            MatchMode::Boolean => SearchMode::Boolean,
        };
        self.scope.full_text(Asked { mode, columns, against }, self.ctx)
    }

    /// Whether a value is the same for the whole execution: no columns, nothing that the statement assigns.
    fn is_settled_before(&self, e: &Expr) -> bool {
        let mut settled = true;
        e.walk(&mut |e| {
            settled &= match &e.node {
                Node::Column(_) | Node::Aggregate(_) | Node::Outer(_) | Node::Assign(..) => false,
                Node::UserVariable(name) => {
                    !self.ctx.statement.bound_texts.iter().any(|(assigned, _)| assigned == name)
                }
                Node::Call(f, _) => f.is_pure(),
                _ => true,
            };
        });
        settled
    }
}

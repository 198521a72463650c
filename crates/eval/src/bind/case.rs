//! CASE.

use super::expr::ExprBinder;
use crate::ast;
use crate::error::{SqlError, SqlResult};
use crate::expr::{CompareOp, Expr, Node};
use crate::types::Value;

impl ExprBinder<'_> {
    pub(super) fn case(
        &mut self,
        operand: Option<&ast::Expr>,
        branches: &[(ast::Expr, ast::Expr)],
        otherwise: Option<&ast::Expr>,
    ) -> SqlResult<Expr> {
        let mut operand = operand.map(|o| self.bind(o)).transpose()?;
        let mut when = Vec::with_capacity(branches.len());
        let mut values = Vec::with_capacity(branches.len() + 1);
        for (c, v) in branches {
            when.push(self.bind(c)?);
            values.push(self.bind(v)?);
        }
        if let Some(o) = &mut operand {
            super::comparison::words_beside_texts(o, &when, self.ctx)?;
        }
        let mut conditions = Vec::with_capacity(branches.len());
        for mut c in when {
            conditions.push(match &operand {
                // MariaDB leaves it out of the comparisons
                Some(_) if matches!(c.node, Node::Literal(Value::Null)) => c,
                Some(o) => {
                    crate::func::wrapped::meet(&o.ty, &c.ty, "case..when")?;
                    let equal =
                        super::comparison::compare_digits(CompareOp::Eq, o.clone(), c, false, self.ctx);
                    equal.map_err(|e| if branches.len() == 1 { of_case(e) } else { e })?
                }
                None => {
                    crate::expr::user_variables::as_condition(&mut c);
                    c
                }
            });
        }
        if let Some(e) = otherwise {
            values.push(self.bind(e)?);
        }
        let mut ty = self.merge(&mut values, "case")?;
        ty.nullable |= otherwise.is_none() || conditions.iter().any(|c| c.ty.nullable);
        let last = if otherwise.is_some() { values.pop().map(Box::new) } else { None };
        let operands = if operand.is_some() { kept_operands(&mut conditions) } else { Vec::new() };
        let branches = conditions.into_iter().zip(values).collect();
        Ok(Expr::new(Node::Case { operands, branches, otherwise: last }, ty))
    }
}

/// What is wrong between the operand of CASE and a value behind WHEN.
fn of_case(mut e: SqlError) -> SqlError {
    if e.code == crate::error::codes::ER_CANT_AGGREGATE_2COLLATIONS {
        e.message = e.message.replace("operation '='", "operation 'case'");
    }
    e
}

/// Takes the operand of `CASE x WHEN` out of the comparisons, so that it is computed once for each way in which it is
/// compared. What costs nothing, or is compared by other means, stays there.
fn kept_operands(conditions: &mut [Expr]) -> Vec<Expr> {
    let mut operands: Vec<Expr> = Vec::new();
    for c in conditions {
        let Node::Compare(_, _, args) = &mut c.node else { continue };
        let x = &mut args[0];
        if matches!(
            x.node,
            Node::Literal(_) | Node::Param(_) | Node::Column(_) | Node::Outer(_) | Node::Row(_)
        ) {
            continue;
        }
        let n = operands.iter().position(|o| o == x).unwrap_or(operands.len());
        let kept = Expr::new(Node::Operand(n as u32), x.ty.clone());
        let x = std::mem::replace(x, kept);
        if n == operands.len() {
            operands.push(x);
        }
    }
    operands
}

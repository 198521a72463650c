//! CASE.

use super::expr::ExprBinder;
use crate::ast;
use crate::error::{SqlError, SqlResult};
use crate::expr::typing::{common_collation, compare_in};
use crate::expr::{CompareOp, Expr, Node};
use crate::types::{Kind, Value};
use charset::derivation::Purpose;

impl ExprBinder<'_> {
    pub(super) fn case(
        &mut self,
        operand: Option<&ast::Expr>,
        branches: &[(ast::Expr, ast::Expr)],
        otherwise: Option<&ast::Expr>,
    ) -> SqlResult<Expr> {
        let operand = operand.map(|o| self.bind(o)).transpose()?;
        let mut when = Vec::with_capacity(branches.len());
        let mut values = Vec::with_capacity(branches.len() + 1);
        for (c, v) in branches {
            when.push(self.bind(c)?);
            values.push(self.bind(v)?);
        }
        if let Some(e) = otherwise {
            values.push(self.bind(e)?);
        }
        self.choice(operand, CompareOp::Eq, when, values)
    }

    /// DECODE of Oracle: a CASE in which NULL is equal to NULL.
    pub(super) fn decode(&mut self, mut args: Vec<Expr>) -> SqlResult<Expr> {
        let operand = args.remove(0);
        let (mut when, mut values) = (Vec::new(), Vec::new());
        let mut args = args.into_iter();
        while let Some(first) = args.next() {
            match args.next() {
                Some(value) => {
                    when.push(first);
                    values.push(value);
                }
                None => values.push(first),
            }
        }
        self.choice(Some(operand), CompareOp::NullSafeEq, when, values)
    }

    /// The value whose condition is true, or whose comparison; the last one without a condition.
    fn choice(
        &mut self,
        mut operand: Option<Expr>,
        op: CompareOp,
        mut when: Vec<Expr>,
        mut values: Vec<Expr>,
    ) -> SqlResult<Expr> {
        let branches = when.len();
        if let Some(o) = &mut operand {
            super::comparison::words_beside_texts(o, &when, self.ctx)?;
            if op == CompareOp::Eq {
                self.one_collation(o, &mut when)?;
            }
        }
        let mut conditions = Vec::with_capacity(branches);
        for mut c in when {
            conditions.push(match &operand {
                // MariaDB leaves it out of the comparisons
                Some(_) if op == CompareOp::Eq && matches!(c.node, Node::Literal(Value::Null)) => c,
                Some(o) => {
                    crate::func::wrapped::meet(&o.ty, &c.ty, "case..when")?;
                    let equal = super::comparison::compare_digits(op, o.clone(), c, false, self.ctx);
                    equal.map_err(|e| if branches == 1 { of_case(e) } else { e })?
                }
                None => {
                    crate::expr::user_variables::as_condition(&mut c);
                    c
                }
            });
        }
        let has_last = values.len() > branches;
        let mut ty = self.merge(&mut values, if op == CompareOp::Eq { "case" } else { "decode" })?;
        ty.nullable |= !has_last || conditions.iter().any(|c| c.ty.nullable);
        let last = if has_last { values.pop().map(Box::new) } else { None };
        let operands = if operand.is_some() { kept_operands(&mut conditions) } else { Vec::new() };
        let branches = conditions.into_iter().zip(values).collect();
        Ok(Expr::new(Node::Case { operands, branches, otherwise: last }, ty))
    }
}

impl ExprBinder<'_> {
    /// Texts behind several WHEN are compared with the operand by one collation, that of all of them.
    fn one_collation(&mut self, operand: &mut Expr, when: &mut [Expr]) -> SqlResult<()> {
        let null = |e: &Expr| matches!(e.node, Node::Literal(Value::Null));
        let plain =
            |e: &Expr| e.ty.is_string() && !e.ty.is_special() && !matches!(e.ty.kind, Kind::Enum | Kind::Set);
        let texts = when.iter().filter(|e| !null(e));
        if texts.clone().count() < 2 || !plain(operand) || !texts.clone().all(plain) {
            return Ok(());
        }
        let mut all: Vec<Expr> = std::iter::once(&*operand).chain(texts).cloned().collect();
        let d = common_collation(&mut all, Purpose::Comparison, "case", self.ctx)?;
        for e in &mut all {
            compare_in(e, d.collation);
            e.ty.derivation = d.derivation;
        }
        let mut all = all.into_iter();
        for (e, text) in std::iter::once(operand).chain(when.iter_mut().filter(|e| !null(e))).zip(&mut all) {
            *e = text;
        }
        Ok(())
    }
}

/// What is wrong between the operand of CASE and a value behind WHEN.
fn of_case(mut e: SqlError) -> SqlError {
    if e.code == crate::error::codes::ER_CANT_AGGREGATE_2COLLATIONS {
        e.message = e.message.replace("operation '='", "operation 'case'");
        e.message = e.message.replace("operation '<=>'", "operation 'decode'");
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

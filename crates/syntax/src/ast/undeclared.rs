//! Names in a body that can mean nothing: columns where no table is.

use super::program::{Instruction, Program, Variable, VariableType};
use super::{Expr, ExprKind, Query, QueryTerm, Select, SelectItem, Statement};
use crate::error::{self, SqlError, SqlResult};

/// Whether each name of a body's own expressions may mean something. Statements of queries find out when they run.
///
/// # Errors
/// 1327.
pub fn check(program: &Program) -> SqlResult<()> {
    program.code.iter().try_for_each(|i| instruction(program, i))
}

fn instruction(program: &Program, i: &Instruction) -> SqlResult<()> {
    match i {
        Instruction::Set(slot, e) if is_plain(program.variables.get(*slot as usize)) => expr(e),
        Instruction::Operand(_, e, _) | Instruction::JumpUnless(e, ..) | Instruction::Return(e) => expr(e),
        Instruction::Open(_, list) => list.iter().try_for_each(expr),
        Instruction::Signal(s) => s.items.iter().try_for_each(|(_, e)| expr(e)),
        Instruction::Statement(s) => match &**s {
            Statement::Call(_, list) | Statement::Do(list) => list.iter().try_for_each(expr),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Whether it is a variable of its own: fields of rows are assigned in another way.
fn is_plain(variable: Option<&Variable>) -> bool {
    !matches!(variable.map(|v| &v.ty), Some(VariableType::Field(..) | VariableType::Row { .. }))
}

fn expr(e: &Expr) -> SqlResult<()> {
    match &e.kind {
        ExprKind::Column(c) | ExprKind::Default(Some(c)) => {
            let first = c.db.as_ref().or(c.table.as_ref()).unwrap_or(&c.name);
            return Err(SqlError::new(error::ER_SP_UNDECLARED_VAR, &[first]));
        }
        ExprKind::Subquery(q) | ExprKind::Exists(q) => query(q)?,
        ExprKind::InSubquery { query: q, .. } | ExprKind::Quantified { query: q, .. } => query(q)?,
        _ => {}
    }
    let mut result = Ok(());
    e.kind.for_children(&mut |c| {
        if result.is_ok() {
            result = expr(c);
        }
    });
    result
}

fn query(q: &Query) -> SqlResult<()> {
    term(&q.first)?;
    q.rest.iter().try_for_each(|(_, t)| term(t))
}

fn term(t: &QueryTerm) -> SqlResult<()> {
    match t {
        QueryTerm::Select(s) if s.from.is_empty() => select(s),
        QueryTerm::Select(_) => Ok(()),
        QueryTerm::Values(rows) => rows.iter().flatten().try_for_each(expr),
        QueryTerm::Nested(q) => query(q),
    }
}

/// A SELECT without tables. In GROUP BY, HAVING and ORDER BY its own columns may be meant.
fn select(s: &Select) -> SqlResult<()> {
    for item in &s.items {
        if let SelectItem::Expr { expr: e, .. } = item {
            expr(e)?;
        }
    }
    s.filter.iter().try_for_each(expr)?;
    s.having.iter().try_for_each(in_aggregates)
}

fn in_aggregates(e: &Expr) -> SqlResult<()> {
    if matches!(e.kind, ExprKind::Aggregate(_)) {
        return expr(e);
    }
    let mut result = Ok(());
    e.kind.for_children(&mut |c| {
        if result.is_ok() {
            result = in_aggregates(c);
        }
    });
    result
}

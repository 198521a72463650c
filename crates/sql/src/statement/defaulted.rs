//! Parameters without a value: EXECUTE ... USING DEFAULT or IGNORE, and the indicators of bulk execution. They mean something
//! where a column is assigned a parameter; the statement is run with what they stand for in its place.

use crate::ast::{
    self, Assignment, Expr, ExprKind, InsertSource, Literal, Query, QueryTerm, SelectItem, Statement,
};
use crate::error::{SqlError, SqlResult, codes};
use crate::result::Param;

/// What a parameter without a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unvalued {
    /// DEFAULT.
    Default,
    /// IGNORE: an existing row's column stays as it is, that of a new one has its default.
    Ignore,
}

impl Unvalued {
    pub(super) fn of_argument(a: &ast::Argument) -> Option<Unvalued> {
        match a {
            ast::Argument::Value(_) => None,
            ast::Argument::Default => Some(Unvalued::Default),
            ast::Argument::Ignore => Some(Unvalued::Ignore),
        }
    }

    pub(super) fn of_param(p: &Param<'_>) -> Option<Unvalued> {
        match p {
            Param::Default => Some(Unvalued::Default),
            Param::Ignore => Some(Unvalued::Ignore),
            _ => None,
        }
    }
}

/// The statement with what its parameters without a value stand for.
///
/// # Errors
/// 4032 for such a parameter elsewhere.
pub(super) fn filled_in(statement: &Statement, given: &[Option<Unvalued>]) -> SqlResult<Statement> {
    let mut statement = statement.clone();
    let mut filling = Filling { given, filled: 0 };
    match &mut statement {
        Statement::Insert(i) => {
            match &mut i.source {
                InsertSource::Values(rows) => rows.iter_mut().flatten().for_each(|e| {
                    if filling.takes(e).is_some() {
                        e.kind = ExprKind::Default(None);
                    }
                }),
                InsertSource::Rows(_) | InsertSource::Query(_) => {}
            }
            filling.assign(&mut i.on_duplicate);
            filling.list(&mut i.returning);
        }
        Statement::Update(u) => filling.assign(&mut u.assignments),
        Statement::Select(q) => filling.query(q),
        Statement::Explain(e) => {
            if let ast::ExplainTarget::Statement(inner, _) = &mut e.target
                && let Statement::Select(q) = &mut **inner
            {
                filling.query(q);
            }
        }
        _ => {}
    }
    if filling.filled < given.iter().flatten().count() {
        return Err(SqlError::new(codes::ER_INVALID_DEFAULT_PARAM, &[]));
    }
    Ok(statement)
}

struct Filling<'g> {
    given: &'g [Option<Unvalued>],
    /// How many of them have found their place.
    filled: usize,
}

impl Filling<'_> {
    /// Whether a value is nothing but a parameter without a value.
    fn takes(&mut self, e: &Expr) -> Option<Unvalued> {
        let ExprKind::Param(n) = e.kind else { return None };
        let what = self.given.get(n as usize).copied().flatten()?;
        self.filled += 1;
        Some(what)
    }

    fn assign(&mut self, assignments: &mut [Assignment]) {
        for a in assignments {
            match self.takes(&a.value) {
                Some(Unvalued::Default) => a.value.kind = ExprKind::Default(None),
                Some(Unvalued::Ignore) => {
                    a.value.kind = ExprKind::Column(Box::new(a.column.clone()));
                }
                None => {}
            }
        }
    }

    /// What is shown of such a parameter is NULL.
    fn nothing(&mut self, e: &mut Expr) {
        if self.takes(e).is_some() {
            e.kind = ExprKind::Literal(Literal::Null);
        }
    }

    fn list(&mut self, items: &mut [SelectItem]) {
        for item in items {
            if let SelectItem::Expr { expr, alias, .. } = item
                && matches!(expr.kind, ExprKind::Param(_))
            {
                self.nothing(expr);
                alias.get_or_insert_with(|| "?".into());
            }
        }
    }

    fn query(&mut self, q: &mut Query) {
        if !q.rest.is_empty() {
            return;
        }
        if let QueryTerm::Select(s) = &mut q.first {
            self.list(&mut s.items);
            s.group_by.iter_mut().for_each(|o| self.nothing(&mut o.expr));
        }
        q.order_by.iter_mut().for_each(|o| self.nothing(&mut o.expr));
    }
}

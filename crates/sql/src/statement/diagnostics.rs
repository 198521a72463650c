//! How long the list of warnings lives: statements that name no tables add to it or leave it alone, others begin a
//! new one.

use crate::ast::{self, Explain, ExplainTarget, Flush, Show, Statement};
use crate::session::Session;

impl Session {
    /// Begins the warnings of a statement.
    pub(crate) fn begin_warnings(&mut self, statement: &Statement) {
        if keeps_list(statement) {
            let w = &self.ctx.warnings;
            self.previous_counts = (w.count_all(), w.count_errors());
            self.previous_warnings = None;
            self.logged.others_warnings = true;
        } else {
            self.begin_warnings_of(names_tables(statement));
        }
    }

    /// Begins the warnings of a statement that names tables or none.
    pub(crate) fn begin_warnings_of(&mut self, tables: bool) {
        let w = &self.ctx.warnings;
        self.state.previous_counts = if tables { (0, 0) } else { (w.count_all(), w.count_errors()) };
        // an empty list comes back, too: a routine tells by its number whether it has begun another one
        self.state.previous_warnings = (!tables).then(|| w.clone());
        self.ctx.warnings.clear();
        self.state.logged.others_warnings = false;
    }

    /// The statement runs another one, which may name tables.
    pub(super) fn warnings_of_nested(&mut self, statement: &Statement) {
        if self.previous_warnings.is_some() && !keeps_list(statement) && names_tables(statement) {
            self.previous_warnings = None;
            self.previous_counts = (0, 0);
        }
    }

    /// EXECUTE of a statement that looks at the list: the one that EXECUTE found comes back.
    pub(super) fn warnings_for_nested(&mut self, statement: &Statement) {
        if keeps_list(statement)
            && self.ctx.warnings.count_all() == 0
            && let Some(before) = self.previous_warnings.take()
        {
            self.logged.others_warnings = before.count_all() > 0;
            self.ctx.warnings.go_on_with(before);
        }
    }

    /// Ends a statement without an error: the number of warnings its answer tells, which are its own. The old list comes
    /// back where it has none.
    pub(crate) fn end_warnings(&mut self) -> u16 {
        let count = self.ctx.warnings.wire_count();
        if let Some(before) = self.previous_warnings.take()
            && self.ctx.warnings.count_all() == 0
            && !self.ctx.warnings.handled
        {
            self.logged.others_warnings = before.count_all() > 0;
            self.ctx.warnings.go_on_with(before);
        }
        count
    }
}

/// Whether a statement looks at the list as the one before left it.
fn keeps_list(statement: &Statement) -> bool {
    match statement {
        Statement::Diagnose(_) => true,
        Statement::Signal(s) => s.again,
        _ => is_diagnostic(statement),
    }
}

/// Whether a statement shows the warnings of the one before.
pub(crate) fn is_diagnostic(statement: &Statement) -> bool {
    matches!(statement, Statement::Show(s)
        if matches!(**s, Show::Warnings(_) | Show::Errors(_) | Show::CountWarnings | Show::CountErrors))
}

/// Whether a statement names tables, be they those that SHOW reads.
pub(super) fn names_tables(statement: &Statement) -> bool {
    use Statement as S;
    match statement {
        S::Select(q) => query_names_tables(q),
        S::Do(list) => list.iter().any(expr_names_tables),
        S::Set(items) => set_names_tables(items),
        S::SetStatement(items, inner) => set_names_tables(items) || names_tables(inner),
        S::Explain(e) => explain_names_tables(e),
        S::Prepare(_, e) => expr_names_tables(e),
        S::Execute(_, list) => list.iter().any(argument_names_tables),
        S::ExecuteImmediate(e, list) => expr_names_tables(e) || list.iter().any(argument_names_tables),
        S::Flush(Flush::Tables { tables, .. }) => !tables.is_empty(),
        S::Show(s) => show_names_tables(s),
        S::Use(_)
        | S::Deallocate(_)
        | S::Kill(_)
        | S::UnlockTables
        | S::Flush(Flush::Options(_))
        | S::Reset(_)
        | S::Xa(_)
        | S::Begin(_)
        | S::Commit(_)
        | S::Rollback(_)
        | S::Savepoint(_)
        | S::RollbackTo(_)
        | S::ReleaseSavepoint(_)
        | S::User(_)
        | S::DropUser { .. }
        | S::RenameUser(_)
        | S::Role(_)
        | S::Server(_)
        | S::Grant(_)
        | S::CreateDatabase(_)
        | S::AlterDatabase(..)
        | S::DropDatabase { .. }
        | S::Help(_)
        | S::Shutdown
        | S::Signal(_)
        | S::Diagnose(_)
        | S::CreateRoutine(_)
        | S::AlterRoutine(_)
        | S::DropRoutine(_)
        | S::DropTrigger(_)
        | S::OtherAdmin(_) => false,
        _ => true,
    }
}

fn set_names_tables(items: &[ast::SetItem]) -> bool {
    items.iter().any(|i| match i {
        ast::SetItem::User(_, e) | ast::SetItem::System(_, Some(e)) => expr_names_tables(e),
        _ => false,
    })
}

fn explain_names_tables(e: &Explain) -> bool {
    match &e.target {
        ExplainTarget::Statement(inner, _) => names_tables(inner),
        ExplainTarget::Connection(_) => false,
    }
}

/// Some kinds of SHOW read tables of information_schema, or the table that they show.
fn show_names_tables(s: &Show) -> bool {
    !matches!(
        s,
        Show::CreateDatabase { .. }
            | Show::CreateUser(_)
            | Show::EngineStatus(..)
            | Show::Processlist { .. }
            | Show::Grants(_)
            | Show::Privileges
            | Show::MasterStatus
            | Show::SlaveStatus
            | Show::SlaveHosts
            | Show::BinaryLogs
            | Show::BinlogEvents
            | Show::RelaylogEvents
            | Show::Profiles
            | Show::Authors
            | Show::Contributors
            | Show::ExplainFor(_)
    )
}

/// Whether a query reads tables, at any place.
pub(crate) fn query_names_tables(q: &ast::Query) -> bool {
    term_names_tables(&q.first)
        || q.rest.iter().any(|(_, t)| term_names_tables(t))
        || q.order_by.iter().any(|o| expr_names_tables(&o.expr))
}

fn term_names_tables(t: &ast::QueryTerm) -> bool {
    match t {
        ast::QueryTerm::Select(s) => {
            let of_item = |i: &ast::SelectItem| match i {
                ast::SelectItem::Expr { expr, .. } => expr_names_tables(expr),
                _ => false,
            };
            !s.from.is_empty()
                || s.items.iter().any(of_item)
                || s.filter.iter().chain(&s.having).any(expr_names_tables)
                || s.group_by.iter().any(|o| expr_names_tables(&o.expr))
        }
        ast::QueryTerm::Values(rows) => rows.iter().flatten().any(expr_names_tables),
        ast::QueryTerm::Nested(q) => query_names_tables(q),
    }
}

fn argument_names_tables(a: &ast::Argument) -> bool {
    matches!(a, ast::Argument::Value(e) if expr_names_tables(e))
}

/// Whether a query of tables stands in an expression.
fn expr_names_tables(e: &ast::Expr) -> bool {
    use ast::ExprKind as K;
    let mut found = match &e.kind {
        K::Subquery(q) | K::Exists(q) => query_names_tables(q),
        K::InSubquery { query, .. } | K::Quantified { query, .. } => query_names_tables(query),
        K::Sequence(..) | K::SetSequence(_) => true,
        _ => false,
    };
    e.kind.for_children(&mut |c| found = found || expr_names_tables(c));
    found
}

//! READ ONLY transactions: what may not run in them, and what ends them.

use crate::ast::{self, DeleteTarget, Statement, TableRef};
use crate::error::{self, SqlError, SqlResult};
use crate::rights::privilege::READ_ONLY_ADMIN;
use crate::session::{Session, Transaction};

/// Whether a statement commits the transaction before it begins.
pub(super) fn commits(statement: &Statement) -> bool {
    use Statement as S;
    match statement {
        S::CreateTable(c) => !c.temporary,
        S::DropTable(d) => !d.temporary,
        S::LockTables(_) | S::Flush(_) | S::Maintain(_) => true,
        s => s.defines() || s.defines_routines() || s.defines_events() || s.changes_accounts(),
    }
}

impl Session {
    /// Ends the transaction; the next one is as the session's default says, or, chained, as this one.
    pub(crate) fn end_transaction(&mut self, chain: bool) {
        let default = self.vars.settings.tx_read_only;
        let read_only = if chain { self.transaction.read_only } else { default };
        self.transaction = Transaction { open: chain, read_only, changed: false };
        self.forget_transaction_tables();
    }

    /// Refuses what changes anything but temporary tables in a READ ONLY transaction, or while `read_only` is set, and what
    /// an XA branch does not let run.
    ///
    /// # Errors
    /// 1290, 1399, 1792.
    pub(crate) fn forbid_in_transaction(&self, statement: &Statement) -> SqlResult<()> {
        if let Some(branch) = &self.xa {
            self.forbid_in_branch(branch, statement)?;
        }
        if self.engine.variables.is_read_only()
            && self.rights.global() & READ_ONLY_ADMIN == 0
            && self.changes_server(statement)
        {
            return Err(SqlError::new(error::ER_OPTION_PREVENTS_STATEMENT, &[&"--read-only"]));
        }
        if !self.transaction.read_only || !self.changes(statement) {
            return Ok(());
        }
        Err(SqlError::new(error::ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, &[]))
    }

    fn changes(&self, statement: &Statement) -> bool {
        use Statement as S;
        use ast::TableLockKind as K;
        match statement {
            S::Insert(i) => !self.is_temporary(&i.table),
            S::LoadData(l) => !self.is_temporary(&l.table),
            S::Update(u) => match &u.tables[..] {
                [TableRef::Table(t)] => !self.is_temporary(&t.name),
                _ => true,
            },
            S::Delete(d) => match &d.target {
                DeleteTarget::Single(t) => !self.is_temporary(&t.name),
                _ => true,
            },
            S::Select(q) => q.lock.as_ref().is_some_and(|l| l.update),
            S::CreateTable(_) | S::DropTable(_) => true,
            S::LockTables(l) => l.tables.iter().any(|t| !matches!(t.kind, K::Read | K::ReadLocal)),
            S::Maintain(m) => matches!(m.kind, ast::MaintainKind::Optimize | ast::MaintainKind::Repair),
            S::Flush(_) => false,
            s => commits(s),
        }
    }

    /// Whether `read_only` is against a statement.
    fn changes_server(&self, statement: &Statement) -> bool {
        use Statement as S;
        use ast::{MaintainKind as M, TableLockKind as K};
        let lasting = |name: &ast::TableName| !self.is_temporary(name);
        match statement {
            S::CreateTable(c) => !c.temporary,
            S::DropTable(d) => !d.temporary && d.names.iter().any(lasting),
            S::AlterTable(a) => lasting(&a.name),
            S::CreateIndex(c) => lasting(&c.table),
            S::DropIndex(d) => lasting(&d.table),
            S::Truncate(name, _) => lasting(name),
            // all of them: which are changed shows only when names are looked up
            S::Update(u) => u.tables.iter().any(|t| match t {
                TableRef::Table(t) => lasting(&t.name),
                _ => true,
            }),
            S::Select(q) if q.lock.as_ref().is_some_and(|l| l.update) => {
                let ast::QueryTerm::Select(first) = &q.first else { return true };
                first.from.iter().any(|t| !matches!(t, TableRef::Table(t) if self.is_temporary(&t.name)))
            }
            S::Maintain(m) => m.kind == M::Optimize,
            S::LockTables(l) => {
                l.tables.iter().any(|t| !matches!(t.kind, K::Read | K::ReadLocal) && lasting(&t.table))
            }
            S::Explain(e) => match &e.target {
                ast::ExplainTarget::Statement(s, _) => self.changes_server(s),
                ast::ExplainTarget::Connection(_) => false,
            },
            S::Flush(_) => false,
            S::Set(items) => {
                items.iter().any(|i| matches!(i, ast::SetItem::Password(..) | ast::SetItem::DefaultRole(..)))
            }
            S::Begin(b) => b.read_only == Some(false),
            s => self.changes(s),
        }
    }

    fn is_temporary(&self, name: &ast::TableName) -> bool {
        let db = name.db.as_deref().or(self.db.as_deref()).unwrap_or_default();
        self.temporary.iter().any(|t| *t.db == *db && *t.name == *name.name)
    }
}

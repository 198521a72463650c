//! READ ONLY transactions: what may not run in them, and what ends them.

use super::{Session, Transaction};
use crate::ast::{self, DeleteTarget, Statement, TableRef};
use crate::error::{self, SqlError, SqlResult};

/// Whether a statement commits the transaction before it begins.
pub(super) fn commits(statement: &Statement) -> bool {
    use Statement as S;
    match statement {
        S::CreateTable(c) => !c.temporary,
        S::DropTable(d) => !d.temporary,
        S::AlterTable(_)
        | S::DropView(_)
        | S::RenameTable(_)
        | S::Truncate(..)
        | S::CreateIndex(_)
        | S::DropIndex(_)
        | S::CreateDatabase(_)
        | S::AlterDatabase(..)
        | S::DropDatabase { .. }
        | S::LockTables(_)
        | S::Flush(_)
        | S::Maintain(_) => true,
        s => changes_accounts(s),
    }
}

fn changes_accounts(statement: &Statement) -> bool {
    use Statement as S;
    matches!(statement, S::User(_) | S::DropUser { .. } | S::RenameUser(_) | S::Role(_) | S::Grant(_))
}

impl Session {
    /// Ends the transaction; the next one is as the session's default says, or, chained, as this one.
    pub(crate) fn end_transaction(&mut self, chain: bool) {
        let default = self.vars.settings.tx_read_only;
        let read_only = if chain { self.transaction.read_only } else { default };
        self.transaction = Transaction { open: chain, read_only, changed: false };
    }

    /// Refuses what changes anything but temporary tables in a READ ONLY transaction.
    ///
    /// # Errors
    /// 1792.
    pub(crate) fn forbid_read_only(&self, statement: &Statement) -> SqlResult<()> {
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

    fn is_temporary(&self, name: &ast::TableName) -> bool {
        let db = name.db.as_deref().or(self.db.as_deref()).unwrap_or_default();
        self.temporary.iter().any(|t| *t.db == *db && *t.name == *name.name)
    }
}

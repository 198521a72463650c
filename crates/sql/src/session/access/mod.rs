//! The privilege checks made before a statement runs, for every kind of statement in one exhaustive match: a new kind without an
//! entry here does not compile.
//!
//! What is asked of tables that are only read, and of columns, is asked where names are bound: [`crate::rights::Rights::need_table`] when a
//! table of FROM is opened, [`crate::catalog::readable::Unreadable`] when a name turns out to be a column of it.

mod accounts;
mod change;
mod shown;
mod variables;

pub(crate) use variables::of_variable;

use super::Session;
use crate::ast::{self, AlterOp, Flush, MaintainKind, OnDuplicate, Statement, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::names::INFORMATION_SCHEMA;
use crate::rights::privilege::*;

impl Session {
    /// Takes over what GRANT, REVOKE and their like have changed since.
    #[inline]
    pub(crate) fn renew_rights(&mut self) {
        self.state.rights.renew(&self.state.engine.accounts);
    }

    /// Whether the session may run a statement.
    ///
    /// # Errors
    /// 1044, 1045, 1142, 1227, 1370; 1099 and 1100 under LOCK TABLES.
    pub(crate) fn authorize(&mut self, statement: &Statement) -> SqlResult<()> {
        self.renew_rights();
        if !self.rights.unlimited() {
            self.require(statement)?;
        }
        if self.locks.active { self.check_locks_for(statement) } else { Ok(()) }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each kind of statement")]
    fn require(&mut self, statement: &Statement) -> SqlResult<()> {
        use Statement as S;
        match statement {
            // What it reads is asked when it is bound.
            S::Select(q) => self.require_into(q),
            S::Insert(i) => self.require_insert(i),
            S::Update(u) => self.require_update(u),
            S::Delete(d) => self.require_delete(d),
            S::LoadData(l) => {
                if !l.local && self.rights.global() & FILE == 0 {
                    return Err(self.rights.denied());
                }
                let replace = if l.on_duplicate == OnDuplicate::Replace { DELETE } else { 0 };
                self.require_table(&l.table, INSERT | replace)
            }
            S::Explain(e) => match &e.target {
                ast::ExplainTarget::Statement(s, _) => self.require(s),
                ast::ExplainTarget::Connection(_) => Ok(()),
            },
            S::CreateRoutine(c) => self.require_create_routine(c),
            S::AlterRoutine(a) => {
                self.require_routine(Some(&a.name), a.function, ALTER_ROUTINE, "alter routine")
            }
            S::DropRoutine(d) => {
                self.require_routine(Some(&d.name), d.function, ALTER_ROUTINE, "alter routine")
            }
            S::Call(name, _) => self.require_routine(Some(name), false, EXECUTE, "execute"),
            S::Handler(h) => match &**h {
                ast::Handler::Open(t, _) => self.require_table(t, SELECT),
                ast::Handler::Close(_) | ast::Handler::Read { .. } => Ok(()),
            },
            S::CreateEvent(c) => {
                self.require_definer(c.clauses.definer.as_ref())?;
                self.require_event(&c.name)
            }
            S::AlterEvent(a) => {
                self.require_definer(a.clauses.definer.as_ref())?;
                self.require_event(&a.name)?;
                a.rename.as_ref().map_or(Ok(()), |to| self.require_event(to))
            }
            S::DropEvent(d) => self.require_event(&d.name),
            S::CreateTable(_)
            | S::AlterTable(_)
            | S::DropTable(_)
            | S::DropView(_)
            | S::RenameTable(_)
            | S::Truncate(..)
            | S::CreateIndex(_)
            | S::DropIndex(_)
            | S::CreateView(_)
            | S::CreateTrigger(_)
            | S::DropTrigger(_)
            | S::CreateSequence(_)
            | S::AlterSequence(_)
            | S::DropSequence(_)
            | S::OtherObject(_) => self.require_definition(statement),
            S::CreateDatabase(c) => {
                self.rights.need_database(&c.name, CREATE | if c.or_replace { DROP } else { 0 })
            }
            S::AlterDatabase(name, _) => {
                let db = match name {
                    Some(n) => n.to_string(),
                    None => self.current_database()?.to_string(),
                };
                self.rights.need_database(&db, ALTER)
            }
            S::DropDatabase { name, .. } => self.rights.need_database(name, DROP),
            S::Show(s) => self.require_show(s),
            S::Describe(t, _) => self.require_columns(t),
            S::BackupServer(..) => {
                self.rights.need_one_of(RELOAD)?;
                self.rights.need_one_of(FILE)
            }
            S::LockTables(l) => {
                for t in &l.tables {
                    self.require_lock(&t.table)?;
                }
                Ok(())
            }
            S::Maintain(m) => self.require_maintain(m.kind, &m.tables),
            S::CacheIndex(c) => c.tables.iter().try_for_each(|t| self.require_any(&t.table, "CACHE INDEX")),
            S::LoadIndex(c) => {
                c.tables.iter().try_for_each(|t| self.require_any(&t.table, "LOAD INDEX INTO CACHE"))
            }
            S::Flush(f) => self.require_flush(f),
            S::Reset(_) => self.rights.need_one_of(RELOAD),
            S::Server(_) => self.rights.need_one_of(SUPER | FEDERATED_ADMIN),
            S::Shutdown => self.rights.need_one_of(SHUTDOWN),
            S::OtherAdmin(words) => self.require_other(words),
            // Each asks by itself: for its variables, its connection, its accounts, its inner statement.
            S::Set(_)
            | S::SetStatement(..)
            | S::Kill(_)
            | S::User(_)
            | S::DropUser { .. }
            | S::RenameUser(_)
            | S::Role(_)
            | S::Grant(_)
            | S::Use(_)
            | S::Prepare(..)
            | S::Execute(..)
            | S::ExecuteImmediate(..) => Ok(()),
            // Everybody may.
            S::Do(_)
            | S::Help(_)
            | S::UnlockTables
            | S::Xa(_)
            | S::Begin(_)
            | S::Commit(_)
            | S::Rollback(_)
            | S::Savepoint(_)
            | S::RollbackTo(_)
            | S::ReleaseSavepoint(_)
            | S::Deallocate(_)
            | S::Signal(_)
            | S::Diagnose(_)
            | S::Compound(_) => Ok(()),
        }
    }

    /// SELECT ... INTO a file.
    fn require_into(&self, q: &ast::Query) -> SqlResult<()> {
        match q.into.as_deref() {
            Some(ast::Into::Outfile(_) | ast::Into::Dumpfile(_)) => self.rights.need_one_of(FILE),
            Some(ast::Into::Variables(_)) | None => Ok(()),
        }
    }

    fn require_definition(&mut self, statement: &Statement) -> SqlResult<()> {
        use Statement as S;
        match statement {
            S::CreateTable(c) => self.require_create(c),
            S::AlterTable(a) => {
                let renamed = a.ops.iter().rev().find_map(|op| match op {
                    AlterOp::Rename(to) => Some(to),
                    _ => None,
                });
                self.require_table(&a.name, ALTER | if renamed.is_some() { DROP } else { 0 })?;
                self.require_partitions(a)?;
                for op in &a.ops {
                    let key = match op {
                        AlterOp::AddForeignKey(key) => Some(key),
                        AlterOp::AddColumn { column, .. } => column.references.as_ref(),
                        _ => None,
                    };
                    if let Some(key) = key {
                        self.require_parent(key, &a.name)?;
                    }
                    if let AlterOp::Options(options) = op {
                        self.require_union(options)?;
                    }
                }
                match renamed {
                    Some(to) => self.require_table(to, CREATE | INSERT),
                    None => Ok(()),
                }
            }
            S::DropTable(d) => {
                if d.temporary {
                    return Ok(());
                }
                d.names.iter().try_for_each(|t| self.require_table(t, DROP))
            }
            S::CreateSequence(c) if c.temporary => {
                let (db, _) = self.table_path(&c.name)?;
                self.rights.need_database(&db, CREATE_TEMPORARY)
            }
            S::CreateSequence(c) => self.require_table(&c.name, CREATE | if c.or_replace { DROP } else { 0 }),
            S::AlterSequence(a) => self.require_table(&a.name, ALTER),
            S::DropSequence(d) if d.temporary => Ok(()),
            S::DropSequence(d) => d.names.iter().try_for_each(|t| self.require_table(t, DROP)),
            S::DropView(d) => d.names.iter().try_for_each(|t| self.require_table(t, DROP)),
            S::RenameTable(r) => {
                for (from, to) in &r.pairs {
                    self.require_table(from, ALTER | DROP)?;
                    let (db, name) = self.table_path(from)?;
                    if self.temporary(&db, &name).is_none() {
                        self.require_table(to, CREATE | INSERT)?;
                    }
                }
                Ok(())
            }
            S::Truncate(t, _) => self.require_table(t, DROP),
            S::CreateIndex(c) => self.require_table(&c.table, INDEX),
            S::DropIndex(d) => self.require_table(&d.table, INDEX),
            S::CreateView(v) => {
                self.require_table(&v.name, CREATE_VIEW | if v.or_replace || v.alter { DROP } else { 0 })
            }
            // asked where their table is known
            S::CreateTrigger(_) | S::DropTrigger(_) => Ok(()),
            S::OtherObject(o) => self.require_object(o),
            _ => Err(SqlError::internal("no definition")),
        }
    }

    /// What ALTER TABLE of partitions takes besides.
    fn require_partitions(&mut self, a: &ast::AlterTable) -> SqlResult<()> {
        use ast::PartitionOp as P;
        for op in &a.ops {
            let AlterOp::Partition(op) = op else { continue };
            match &**op {
                P::Drop { .. } | P::Truncate(_) => self.require_table(&a.name, DROP)?,
                P::Exchange { table, .. } => {
                    self.require_table(&a.name, INSERT | CREATE | DROP)?;
                    self.require_table(table, ALTER | INSERT | CREATE | DROP)?;
                }
                P::ConvertToTable { table, .. } => {
                    self.require_table(&a.name, DROP)?;
                    self.require_table(table, CREATE | INSERT)?;
                }
                P::ConvertToPartition { table, .. } => {
                    self.require_table(&a.name, INSERT)?;
                    self.require_table(table, ALTER | DROP)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn require_create(&mut self, c: &ast::CreateTable) -> SqlResult<()> {
        if c.temporary {
            let (db, _) = self.table_path(&c.name)?;
            self.rights.need_database(&db, CREATE_TEMPORARY)?;
        } else {
            let replace = if c.or_replace { DROP } else { 0 };
            let select = if c.query.is_some() { INSERT } else { 0 };
            self.require_table(&c.name, CREATE | replace | select)?;
        }
        let of_columns = c.columns.iter().filter_map(|column| column.references.as_deref());
        for key in c.foreign_keys.iter().chain(of_columns) {
            self.require_parent(key, &c.name)?;
        }
        self.require_union(&c.options)?;
        match &c.like {
            Some(like) => self.require_table(like, SELECT),
            None => Ok(()),
        }
    }

    /// The tables under a MERGE table, temporary ones as well: whoever may use that may do this to them.
    fn require_union(&mut self, options: &ast::TableOptions) -> SqlResult<()> {
        for t in options.union.iter().flatten() {
            let (db, name) = self.table_path(t)?;
            self.rights.need_table(&db, &name, SELECT | UPDATE | DELETE)?;
        }
        Ok(())
    }

    /// The parent of a foreign key, in the table's database when it names none. It need not be there.
    fn require_parent(&mut self, key: &ast::ForeignKey, child: &ast::TableName) -> SqlResult<()> {
        let db = key.table.db.as_ref().or(child.db.as_ref());
        let parent = ast::TableName { db: db.cloned(), ..key.table.clone() };
        self.require_table(&parent, REFERENCES)
    }

    /// What there is none of, but for which privileges exist.
    fn require_object(&mut self, o: &ast::OtherObject) -> SqlResult<()> {
        let db = match o.name.as_ref().and_then(|n| n.db.as_deref()) {
            Some(db) => db.to_string(),
            None => self.db.as_deref().unwrap_or_default().to_string(),
        };
        match (o.object, o.verb) {
            ("TABLESPACE" | "LOGFILE GROUP", _) => self.rights.need_one_of(CREATE_TABLESPACE),
            (_, "CREATE") => self.rights.need_database(&db, CREATE_ROUTINE),
            _ => self.require_routine(o.name.as_ref(), false, ALTER_ROUTINE, "alter routine"),
        }
    }

    /// EVENT on the database.
    pub(super) fn require_event(&mut self, name: &TableName) -> SqlResult<()> {
        let (db, _) = crate::routine::define::path(self, name)?;
        if db.eq_ignore_ascii_case(INFORMATION_SCHEMA) {
            return Err(self.rights.denied_database(&db));
        }
        self.rights.need_database(&db, EVENT)
    }

    /// CREATE PROCEDURE, CREATE FUNCTION; SUPER for a definer that is another one.
    fn require_create_routine(&mut self, c: &ast::CreateRoutine) -> SqlResult<()> {
        let (db, _) = self.table_path(&c.name)?;
        self.rights.need_database(&db, CREATE_ROUTINE)?;
        if c.or_replace {
            self.require_routine(Some(&c.name), c.function, ALTER_ROUTINE, "alter routine")?;
        }
        self.require_definer(c.definer.as_ref())
    }

    /// SUPER or SET USER for a definer that is another one.
    fn require_definer(&self, definer: Option<&ast::Account>) -> SqlResult<()> {
        let own = match definer {
            Some(ast::Account::Named { user, host }) => {
                **user == *self.rights.user && host.as_deref().unwrap_or("%") == self.rights.host
            }
            _ => true,
        };
        if own { Ok(()) } else { self.rights.need_one_of(SUPER | SET_USER) }
    }

    /// 1370.
    fn require_routine(
        &mut self,
        name: Option<&TableName>,
        function: bool,
        bit: u64,
        what: &str,
    ) -> SqlResult<()> {
        let Some(name) = name else { return self.rights.need_one_of(bit) };
        let (db, routine) = self.table_path(name)?;
        if self.rights.privileges().on_routine(&db, &routine, function) & bit != 0 {
            return Ok(());
        }
        let full = format!("{db}.{routine}");
        let (user, host) = (&self.rights.user, &self.rights.host);
        Err(SqlError::new(error::ER_PROCACCESS_DENIED_ERROR, &[&what, user, host, &full]))
    }

    /// 1142 unless all of these are there; a table of this connection alone needs none.
    pub(crate) fn require_table(&mut self, t: &TableName, bits: u64) -> SqlResult<()> {
        let (db, name) = self.table_path(t)?;
        if self.temporary(&db, &name).is_some() {
            return Ok(());
        }
        if &*db == INFORMATION_SCHEMA && bits & !SELECT != 0 {
            return Err(self.rights.denied_database(&db));
        }
        self.rights.need_table(&db, &name, bits)
    }

    /// LOCK TABLES.
    fn require_lock(&mut self, t: &TableName) -> SqlResult<()> {
        let (db, name) = self.table_path(t)?;
        if self.temporary(&db, &name).is_some() {
            return Ok(());
        }
        self.rights.need_database(&db, LOCK_TABLES)?;
        self.rights.need_table(&db, &name, SELECT)
    }

    /// Any privilege on the table will do.
    fn require_any(&mut self, t: &TableName, what: &str) -> SqlResult<()> {
        let (db, name) = self.table_path(t)?;
        if self.temporary(&db, &name).is_some() || self.rights.has_any(&db, &name, OF_TABLE | DELETE_HISTORY)
        {
            return Ok(());
        }
        Err(self.rights.denied_statement(&db, &name, what))
    }

    fn require_maintain(&mut self, kind: MaintainKind, tables: &[TableName]) -> SqlResult<()> {
        for t in tables {
            match kind {
                MaintainKind::Check => self.require_any(t, "CHECK TABLE")?,
                MaintainKind::Checksum => self.require_table(t, SELECT)?,
                MaintainKind::Repair | MaintainKind::Analyze | MaintainKind::Optimize => {
                    self.require_table(t, SELECT | INSERT)?;
                }
            }
        }
        Ok(())
    }

    fn require_flush(&mut self, f: &Flush) -> SqlResult<()> {
        self.rights.need_one_of(RELOAD)?;
        match f {
            Flush::Tables { tables, read_lock, export } if *read_lock || *export => {
                tables.iter().try_for_each(|t| self.require_lock(t))
            }
            Flush::Tables { .. } | Flush::Options(_) => Ok(()),
        }
    }

    /// Statements of replication, plug-ins and the like by their first word.
    fn require_other(&mut self, words: &str) -> SqlResult<()> {
        let plugins = |s: &Session, bit| s.rights.need_table("mysql", "plugin", bit);
        match words {
            "PURGE" => self.rights.need_one_of(SUPER | BINLOG_ADMIN),
            "CHANGE" | "START" | "STOP" => self.rights.need_one_of(SUPER | REPLICATION_SLAVE_ADMIN),
            "BINLOG" => self.rights.need_one_of(SUPER | BINLOG_REPLAY),
            "BACKUP" => self.rights.need_one_of(RELOAD),
            "INSTALL" => plugins(self, INSERT),
            "UNINSTALL" => plugins(self, DELETE),
            _ => self.rights.need_one_of(SUPER),
        }
    }

    /// Whether the session may make a database the current one.
    ///
    /// # Errors
    /// 1044.
    pub(crate) fn may_enter(&self, db: &str) -> SqlResult<()> {
        if self.rights.sees_database(db, OF_DATABASE) { Ok(()) } else { Err(self.rights.denied_database(db)) }
    }
}

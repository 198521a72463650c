//! What a statement needs before it may run. One place says it for every kind of statement; a kind that is not
//! here does not compile.
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
    /// 1044, 1045, 1142, 1227, 1370.
    pub(crate) fn authorize(&mut self, statement: &Statement) -> SqlResult<()> {
        self.renew_rights();
        if self.rights.unlimited() { Ok(()) } else { self.ask(statement) }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each kind of statement")]
    fn ask(&mut self, statement: &Statement) -> SqlResult<()> {
        use Statement as S;
        match statement {
            // What it reads is asked when it is bound.
            S::Select(q) => self.ask_into(q),
            S::Insert(i) => self.ask_insert(i),
            S::Update(u) => self.ask_update(u),
            S::Delete(d) => self.ask_delete(d),
            S::LoadData(l) => {
                if !l.local && self.rights.global() & FILE == 0 {
                    return Err(self.rights.denied());
                }
                let replace = if l.on_duplicate == OnDuplicate::Replace { DELETE } else { 0 };
                self.ask_table(&l.table, INSERT | replace)
            }
            S::Explain(e) => match &e.target {
                ast::ExplainTarget::Statement(s, _) => self.ask(s),
                ast::ExplainTarget::Connection(_) => Ok(()),
            },
            S::Call(name, _) => self.ask_routine(Some(name), EXECUTE, "execute"),
            S::Handler(h) => match &**h {
                ast::Handler::Open(t, _) => self.ask_table(t, SELECT),
                ast::Handler::Close(_) | ast::Handler::Read { .. } => Ok(()),
            },
            S::CreateTable(_)
            | S::AlterTable(_)
            | S::DropTable(_)
            | S::DropView(_)
            | S::RenameTable(_)
            | S::Truncate(..)
            | S::CreateIndex(_)
            | S::DropIndex(_)
            | S::CreateView(_)
            | S::OtherObject(_) => self.ask_definition(statement),
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
            S::Show(s) => self.ask_show(s),
            S::Describe(t, _) => self.ask_columns(t),
            S::BackupServer(..) => {
                self.rights.need_one_of(RELOAD)?;
                self.rights.need_one_of(FILE)
            }
            S::LockTables(l) => {
                for t in &l.tables {
                    self.ask_lock(&t.table)?;
                }
                Ok(())
            }
            S::Maintain(m) => self.ask_maintain(m.kind, &m.tables),
            S::CacheIndex(c) => c.tables.iter().try_for_each(|t| self.ask_sight(&t.table, "CACHE INDEX")),
            S::LoadIndex(c) => {
                c.tables.iter().try_for_each(|t| self.ask_sight(&t.table, "LOAD INDEX INTO CACHE"))
            }
            S::Flush(f) => self.ask_flush(f),
            S::Reset(_) => self.rights.need_one_of(RELOAD),
            S::Shutdown => self.rights.need_one_of(SHUTDOWN),
            S::OtherAdmin(words) => self.ask_other(words),
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
            | S::Begin(_)
            | S::Commit(_)
            | S::Rollback(_)
            | S::Savepoint(_)
            | S::RollbackTo(_)
            | S::ReleaseSavepoint(_)
            | S::Deallocate(_) => Ok(()),
        }
    }

    /// SELECT ... INTO a file.
    fn ask_into(&self, q: &ast::Query) -> SqlResult<()> {
        match q.into.as_deref() {
            Some(ast::Into::Outfile(_) | ast::Into::Dumpfile(_)) => self.rights.need_one_of(FILE),
            Some(ast::Into::Variables(_)) | None => Ok(()),
        }
    }

    fn ask_definition(&mut self, statement: &Statement) -> SqlResult<()> {
        use Statement as S;
        match statement {
            S::CreateTable(c) => self.ask_create(c),
            S::AlterTable(a) => {
                let renamed = a.ops.iter().rev().find_map(|op| match op {
                    AlterOp::Rename(to) => Some(to),
                    _ => None,
                });
                self.ask_table(&a.name, ALTER | if renamed.is_some() { DROP } else { 0 })?;
                for op in &a.ops {
                    let key = match op {
                        AlterOp::AddForeignKey(key) => Some(key),
                        AlterOp::AddColumn { column, .. } => column.references.as_ref(),
                        _ => None,
                    };
                    if let Some(key) = key {
                        self.ask_parent(key, &a.name)?;
                    }
                }
                match renamed {
                    Some(to) => self.ask_table(to, CREATE | INSERT),
                    None => Ok(()),
                }
            }
            S::DropTable(d) => {
                if d.temporary {
                    return Ok(());
                }
                d.names.iter().try_for_each(|t| self.ask_table(t, DROP))
            }
            S::DropView(d) => d.names.iter().try_for_each(|t| self.ask_table(t, DROP)),
            S::RenameTable(r) => {
                for (from, to) in &r.pairs {
                    self.ask_table(from, ALTER | DROP)?;
                    self.ask_table(to, CREATE | INSERT)?;
                }
                Ok(())
            }
            S::Truncate(t, _) => self.ask_table(t, DROP),
            S::CreateIndex(c) => self.ask_table(&c.table, INDEX),
            S::DropIndex(d) => self.ask_table(&d.table, INDEX),
            S::CreateView(v) => {
                self.ask_table(&v.name, CREATE_VIEW | if v.or_replace || v.alter { DROP } else { 0 })
            }
            S::OtherObject(o) => self.ask_object(o),
            _ => Err(SqlError::internal("no definition")),
        }
    }

    fn ask_create(&mut self, c: &ast::CreateTable) -> SqlResult<()> {
        if c.temporary {
            let (db, _) = self.table_path(&c.name)?;
            self.rights.need_database(&db, CREATE_TEMPORARY)?;
        } else {
            let replace = if c.or_replace { DROP } else { 0 };
            let select = if c.query.is_some() { INSERT } else { 0 };
            self.ask_table(&c.name, CREATE | replace | select)?;
        }
        let of_columns = c.columns.iter().filter_map(|column| column.references.as_deref());
        for key in c.foreign_keys.iter().chain(of_columns) {
            self.ask_parent(key, &c.name)?;
        }
        match &c.like {
            Some(like) => self.ask_table(like, SELECT),
            None => Ok(()),
        }
    }

    /// The parent of a foreign key, in the table's database when it names none. It need not be there.
    fn ask_parent(&mut self, key: &ast::ForeignKey, child: &ast::TableName) -> SqlResult<()> {
        let db = key.table.db.as_ref().or(child.db.as_ref());
        let parent = ast::TableName { db: db.cloned(), ..key.table.clone() };
        self.ask_table(&parent, REFERENCES)
    }

    /// What there is none of, but for which privileges exist.
    fn ask_object(&mut self, o: &ast::OtherObject) -> SqlResult<()> {
        let db = match o.name.as_ref().and_then(|n| n.db.as_deref()) {
            Some(db) => db.to_string(),
            None => self.db.as_deref().unwrap_or_default().to_string(),
        };
        match (o.object, o.verb) {
            ("SERVER", _) => self.rights.need_one_of(SUPER | FEDERATED_ADMIN),
            ("EVENT", _) => self.rights.need_database(&db, EVENT),
            // Its table is not known; whoever may make triggers in the database may.
            ("TRIGGER", "CREATE") => self.ask_named(o.name.as_ref(), TRIGGER),
            ("TRIGGER", _) => Ok(()),
            ("SEQUENCE", "DROP") => self.ask_named(o.name.as_ref(), DROP),
            ("SEQUENCE", "ALTER") => self.ask_named(o.name.as_ref(), ALTER),
            ("SEQUENCE", _) => self.ask_named(o.name.as_ref(), CREATE),
            ("TABLESPACE" | "LOGFILE GROUP", _) => self.rights.need_one_of(CREATE_TABLESPACE),
            (_, "CREATE") => self.rights.need_database(&db, CREATE_ROUTINE),
            _ => self.ask_routine(o.name.as_ref(), ALTER_ROUTINE, "alter routine"),
        }
    }

    fn ask_named(&mut self, name: Option<&TableName>, bits: u64) -> SqlResult<()> {
        name.map_or(Ok(()), |n| self.ask_table(n, bits))
    }

    /// 1370.
    fn ask_routine(&mut self, name: Option<&TableName>, bit: u64, what: &str) -> SqlResult<()> {
        let Some(name) = name else { return self.rights.need_one_of(bit) };
        let (db, routine) = self.table_path(name)?;
        if self.rights.privileges().on(&db) & bit != 0 {
            return Ok(());
        }
        let full = format!("{db}.{routine}");
        let (user, host) = (&self.rights.user, &self.rights.host);
        Err(SqlError::new(error::ER_PROCACCESS_DENIED_ERROR, &[&what, user, host, &full]))
    }

    /// 1142 unless all of these are there; a table of this connection alone needs none.
    pub(crate) fn ask_table(&mut self, t: &TableName, bits: u64) -> SqlResult<()> {
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
    fn ask_lock(&mut self, t: &TableName) -> SqlResult<()> {
        let (db, name) = self.table_path(t)?;
        if self.temporary(&db, &name).is_some() {
            return Ok(());
        }
        self.rights.need_database(&db, LOCK_TABLES)?;
        self.rights.need_table(&db, &name, SELECT)
    }

    /// Any privilege on the table will do.
    fn ask_sight(&mut self, t: &TableName, what: &str) -> SqlResult<()> {
        let (db, name) = self.table_path(t)?;
        if self.temporary(&db, &name).is_some() || self.rights.has_any(&db, &name, OF_TABLE | DELETE_HISTORY)
        {
            return Ok(());
        }
        Err(self.rights.denied_statement(&db, &name, what))
    }

    fn ask_maintain(&mut self, kind: MaintainKind, tables: &[TableName]) -> SqlResult<()> {
        for t in tables {
            match kind {
                MaintainKind::Check => self.ask_sight(t, "CHECK TABLE")?,
                MaintainKind::Checksum => self.ask_table(t, SELECT)?,
                MaintainKind::Repair | MaintainKind::Analyze | MaintainKind::Optimize => {
                    self.ask_table(t, SELECT | INSERT)?;
                }
            }
        }
        Ok(())
    }

    fn ask_flush(&mut self, f: &Flush) -> SqlResult<()> {
        self.rights.need_one_of(RELOAD)?;
        match f {
            Flush::Tables { tables, read_lock, export } if *read_lock || *export => {
                tables.iter().try_for_each(|t| self.ask_lock(t))
            }
            Flush::Tables { .. } | Flush::Options(_) => Ok(()),
        }
    }

    /// Statements of replication, plug-ins and the like by their first word.
    fn ask_other(&mut self, words: &str) -> SqlResult<()> {
        let plugins = |s: &Session, bit| s.rights.need_table("mysql", "plugin", bit);
        match words {
            "XA" => Ok(()),
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

//! TEMPORARY tables: tables of one session, in a directory of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::table::StoredTable;
use crate::table::engine::{OpenSettings, create, drop_files, open};
use crate::table::myisam::{CrashMarks, CreateSettings};
use pages::FilePlan;
use schema::definition::TableDef;

use crate::ast::{DeleteTarget, Statement, TableName, TableRef};
use crate::error::{SqlError, SqlResult, codes};
use crate::session::Session;
use crate::table::OpenTable;
use crate::table::from_engine;
use crate::table::merge::is_merge;

/// The directory, as a database name: no name of a database is encoded as this.
pub const DIRECTORY: &str = "#mysql50##sqltmp";

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A name for the files of a temporary table.
pub(crate) fn new_file(session: &Session) -> String {
    format!("t{}_{}", session.id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Session {
    /// The temporary table of that name.
    pub(crate) fn temporary(&self, db: &str, name: &str) -> Option<Arc<OpenTable>> {
        self.temporary.iter().find(|t| &*t.db == db && &*t.name == name).cloned()
    }

    /// Whether a statement changes nothing but temporary tables.
    pub(crate) fn changes_temporary(&self, statement: &Statement) -> bool {
        let current = self.db.as_deref();
        let is = |t: &TableName| {
            let db = t.db.as_deref().or(current);
            // what lies under a MERGE table may be others' as well
            let own = |o: &OpenTable| Some(&*o.db) == db && *o.name == *t.name && !is_merge(o.def());
            self.temporary.iter().any(|o| own(o))
        };
        let plain = |t: &TableRef| matches!(t, TableRef::Table(f) if is(&f.name));
        match statement {
            Statement::CreateTable(c) => c.temporary,
            Statement::DropTable(d) => d.temporary || d.names.iter().all(is),
            Statement::AlterTable(a) => is(&a.name),
            Statement::CreateIndex(c) => is(&c.table),
            Statement::DropIndex(d) => is(&d.table),
            Statement::Truncate(t, _) => is(t),
            Statement::RenameTable(r) => r.pairs.iter().all(|(from, _)| is(from)),
            Statement::Insert(i) => is(&i.table),
            Statement::LoadData(l) => is(&l.table),
            Statement::Update(u) => u.tables.iter().all(plain),
            Statement::Delete(d) => matches!(&d.target, DeleteTarget::Single(t) if is(&t.name)),
            _ => false,
        }
    }

    /// Makes a temporary table; one of the same name goes.
    pub(crate) fn create_temporary(
        &mut self,
        db: &Arc<str>,
        name: &Arc<str>,
        def: TableDef,
        settings: CreateSettings,
    ) -> SqlResult<()> {
        self.drop_temporary(db, name)?;
        let engine = Arc::clone(&self.engine);
        match engine.store().storage().create_dir(&engine.catalog.directory(DIRECTORY)) {
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(crate::catalog::database::io_error(&e));
            }
            _ => {}
        }
        let file = new_file(self);
        let error = |e: crate::table::EngineError| from_engine(&e, db, name);
        create(engine.store(), DIRECTORY, &file, &def, settings).map_err(error)?;
        let how = OpenSettings { create: settings, marks: CrashMarks::Refuse };
        let table = open(engine.store(), DIRECTORY, &file, &how).map_err(error)?;
        let open = OpenTable::of_table(Arc::clone(db), Arc::clone(name), table, true);
        self.temporary.push(Arc::new(open));
        self.temporary_names += 1;
        Ok(())
    }

    /// Drops the temporary table of that name; false when there is none.
    ///
    /// # Errors
    /// 1137, see [`Session::check_not_taken`].
    pub(crate) fn drop_temporary(&mut self, db: &str, name: &str) -> SqlResult<bool> {
        let Some(place) = self.temporary.iter().position(|t| &*t.db == db && &*t.name == name) else {
            return Ok(false);
        };
        self.check_not_taken(db, name)?;
        let table = self.temporary.remove(place);
        self.temporary_names += 1;
        self.remove_temporary(&table);
        Ok(true)
    }

    /// A function leaves the definitions of the temporary tables alone that a statement around it uses.
    ///
    /// # Errors
    /// 1137.
    pub(crate) fn check_not_taken(&self, db: &str, name: &str) -> SqlResult<()> {
        match self.ctx.calls.is_taken(db, name) {
            true => Err(SqlError::new(codes::ER_CANT_REOPEN_TABLE, &[&name])),
            false => Ok(()),
        }
    }

    fn remove_temporary(&self, table: &OpenTable) {
        table.set_stale();
        let file =
            table.pages().base().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let plan = drop_files(FilePlan::new(), self.engine.store(), DIRECTORY, &format!("#mysql50#{file}"));
        let timeout = std::time::Duration::from_secs(1);
        match table.pages().exclusive(self.owner(), timeout, &|| false) {
            Ok(guard) => {
                if let Err(e) = guard.discard(plan) {
                    tracing::warn!("temporary table {}.{}: {e}", table.db, table.name);
                }
            }
            Err(e) => tracing::warn!("temporary table {}.{}: {e}", table.db, table.name),
        }
    }

    /// Puts the table as it is from now on in the place of the old handle.
    pub(crate) fn replace_temporary(&mut self, old: &Arc<OpenTable>, table: Arc<StoredTable>) {
        if let Some(slot) = self.temporary.iter_mut().find(|t| Arc::ptr_eq(t, old)) {
            *slot = Arc::new(OpenTable::of_table(Arc::clone(&old.db), Arc::clone(&old.name), table, true));
        }
        self.temporary_names += 1;
        old.set_stale();
    }

    /// Puts a new table in the place of an old one, whose files go.
    pub(crate) fn exchange_temporary(
        &mut self,
        old: &Arc<OpenTable>,
        table: Arc<StoredTable>,
    ) -> Arc<OpenTable> {
        let (db, name) = (Arc::clone(&old.db), Arc::clone(&old.name));
        let new = Arc::new(OpenTable::of_table(db, name, table, true));
        if let Some(slot) = self.temporary.iter_mut().find(|t| Arc::ptr_eq(t, old)) {
            *slot = Arc::clone(&new);
        }
        self.temporary_names += 1;
        self.remove_temporary(old);
        new
    }

    /// Gives a temporary table another name.
    pub(crate) fn rename_temporary(&mut self, table: &Arc<OpenTable>, db: Arc<str>, name: Arc<str>) {
        let renamed = Arc::new(OpenTable::of_table(db, name, Arc::clone(table.stored()), true));
        if let Some(slot) = self.temporary.iter_mut().find(|t| Arc::ptr_eq(t, table)) {
            *slot = renamed;
        }
        self.temporary_names += 1;
        table.set_stale();
    }

    /// Drops all temporary tables: the session ends.
    pub(crate) fn drop_all_temporary(&mut self) {
        crate::routine::function::adopt_temporary(&mut self.ctx, &mut self.state);
        for table in std::mem::take(&mut self.temporary) {
            self.remove_temporary(&table);
        }
    }
}

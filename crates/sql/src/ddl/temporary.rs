//! TEMPORARY tables: tables of one session, in a directory of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use isam::Table;
use isam::definition::TableDef;
use pages::FilePlan;

use crate::catalog::OpenTable;
use crate::catalog::failure::from_isam;
use crate::error::SqlResult;
use crate::session::Session;

/// The directory, as a database name: no name of a database is encoded as this.
pub const DIRECTORY: &str = "#mysql50##sqltmp";

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Session {
    /// The temporary table of that name.
    pub(crate) fn temporary(&self, db: &str, name: &str) -> Option<Arc<OpenTable>> {
        self.temporary.iter().find(|t| &*t.db == db && &*t.name == name).cloned()
    }

    /// Makes a temporary table; one of the same name goes.
    pub(super) fn create_temporary(
        &mut self,
        db: &Arc<str>,
        name: &Arc<str>,
        def: TableDef,
    ) -> SqlResult<()> {
        self.drop_temporary(db, name);
        let engine = Arc::clone(&self.engine);
        match engine.store().storage().create_dir(&engine.catalog.directory(DIRECTORY)) {
            Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(crate::catalog::database::io_error(&e));
            }
            _ => {}
        }
        let file = format!("t{}_{}", self.id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let error = |e: isam::Error| from_isam(&e, db, name);
        Table::create(engine.store(), DIRECTORY, &file, &def, super::create_settings(self)).map_err(error)?;
        let table = Table::open(engine.store(), DIRECTORY, &file).map_err(error)?;
        let open = OpenTable::of_table(Arc::clone(db), Arc::clone(name), table, true);
        self.temporary.push(Arc::new(open));
        Ok(())
    }

    /// Drops the temporary table of that name; false when there is none.
    pub(super) fn drop_temporary(&mut self, db: &str, name: &str) -> bool {
        let Some(place) = self.temporary.iter().position(|t| &*t.db == db && &*t.name == name) else {
            return false;
        };
        let table = self.temporary.remove(place);
        self.remove_temporary(&table);
        true
    }

    fn remove_temporary(&self, table: &OpenTable) {
        table.set_stale();
        let file =
            table.pages().base().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let plan = Table::drop_files(FilePlan::new(), DIRECTORY, &format!("#mysql50#{file}"));
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
    pub(super) fn replace_temporary(&mut self, old: &Arc<OpenTable>, table: Arc<Table>) {
        if let Some(slot) = self.temporary.iter_mut().find(|t| Arc::ptr_eq(t, old)) {
            *slot = Arc::new(OpenTable::of_table(Arc::clone(&old.db), Arc::clone(&old.name), table, true));
        }
        old.set_stale();
    }

    /// Drops all temporary tables: the session ends.
    pub(crate) fn drop_all_temporary(&mut self) {
        for table in std::mem::take(&mut self.temporary) {
            self.remove_temporary(&table);
        }
    }
}

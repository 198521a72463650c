//! The rows of a new table, which nobody sees yet: written into its files, or into those of its partitions.

use std::sync::Arc;

use pages::TableWriter;

use crate::error::{SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::failure::from_pages;
use crate::rights::privilege::SELECT;
use crate::session::Session;
use crate::table::myisam::CrashMarks;
use crate::table::partition::routing::Routing;
use crate::table::partition::{clause_of, open_stored, shown_name};
use crate::table::{RowBuf, StoredTable, Writer, from_engine};
use crate::types::Batch;

/// Where the rows of a new table go.
pub(in crate::ddl) struct NewRows {
    /// Those of the files.
    pub writers: Vec<Writer<TableWriter>>,
    current: usize,
    routing: Option<Box<(Routing, Batch)>>,
    /// Whether who runs the statement may see the values of rows.
    shows_values: bool,
}

/// The tables that keep the rows of a new table whose files have the name `path`: itself, or its partitions.
///
/// # Errors
/// Those of their files.
pub(in crate::ddl) fn files_of(
    session: &Session,
    new: &Arc<StoredTable>,
    path: (&str, &str),
) -> SqlResult<Vec<Arc<StoredTable>>> {
    if new.def.partition.is_none() {
        return Ok(vec![Arc::clone(new)]);
    }
    open_stored(session.engine.store(), path, &new.def, CrashMarks::Refuse)
        .map_err(|(name, e)| from_engine(&e, path.0, &shown_name(&name)))
}

impl NewRows {
    /// Opens the files of a new table, which have the name `path`; messages name it `name`.
    ///
    /// # Errors
    /// Those of its files.
    pub fn open(
        session: &mut Session,
        new: &Arc<StoredTable>,
        path: (&str, &str),
        name: (&Arc<str>, &Arc<str>),
    ) -> SqlResult<NewRows> {
        let tables = files_of(session, new, path)?;
        let mut writers = Vec::with_capacity(tables.len());
        for table in &tables {
            let writer = table
                .pages
                .write_lock(session.owner(), std::time::Duration::from_secs(5), &|| false)
                .map_err(|e| from_pages(&e, name.1))?;
            writers.push(Writer::new(Arc::clone(&table.format), writer));
        }
        let routing = match &new.def.partition {
            Some(partition) => {
                let by = clause_of(partition)?;
                let routing = Routing::compile(&new.def, &by, name, &mut session.ctx)?.0;
                Some(Box::new((routing, Batch::default())))
            }
            None => None,
        };
        let shows_values = session.rights.need_table(name.0, name.1, SELECT).is_ok();
        Ok(NewRows { writers, current: 0, routing, shows_values })
    }

    /// Turns to the partition of a row.
    ///
    /// # Errors
    /// 1526 when none takes it.
    #[inline]
    pub fn route(&mut self, row: &RowBuf, ctx: &mut EvalContext) -> SqlResult<()> {
        if let Some(routing) = &mut self.routing {
            let (routing, batch) = &mut **routing;
            self.current = routing.part(row, batch, ctx).map_err(|e| match self.shows_values {
                false => crate::table::partition::routing::without_value(e),
                true => e,
            })?;
        }
        Ok(())
    }

    /// The writer of the partition at hand.
    #[inline]
    pub fn writer(&mut self) -> &mut Writer<TableWriter> {
        &mut self.writers[self.current]
    }

    /// The highest number of AUTO_INCREMENT.
    pub fn auto_increment(&self) -> u64 {
        self.writers.iter().map(Writer::auto_increment).max().unwrap_or(0)
    }

    /// Makes changes durable.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn commit(&mut self) -> pages::Result<Option<pages::Lsn>> {
        let mut last = None;
        for writer in &mut self.writers {
            last = Some(writer.store_mut().commit()?);
        }
        Ok(last)
    }
}

/// Writes the files of a new table and closes it.
///
/// # Errors
/// Those of the file system.
pub(in crate::ddl) fn detach(
    session: &Session,
    head: &Arc<StoredTable>,
    files: &[Arc<StoredTable>],
    name: &str,
) -> SqlResult<()> {
    let store = session.engine.store();
    let failed = |e: pages::Error| -> SqlError { from_pages(&e, name) };
    for table in files.iter().filter(|t| !Arc::ptr_eq(t, head)) {
        store.detach(&table.pages).map_err(failed)?;
    }
    store.detach(&head.pages).map_err(failed)
}

//! Rows that describe tables, made for one table after the other while they are read: what a statement holds of them is bounded, and it
//! is stopped between two tables. Who reads them again and again, as a join does, has them kept.

use std::collections::VecDeque;

use super::{InfoSchemaContext, Wanted};
use crate::error::SqlResult;
use crate::names::INFORMATION_SCHEMA;
use crate::table::reader::{Counted, Reader, Reading};
use crate::table::virtual_table::{MadeRows, push_row};
use crate::types::{Batch, Value};

/// Rows of a table of information_schema.
pub(super) type Rows = Vec<Vec<Value>>;

/// Makes the rows that describe one table of a database.
///
/// # Errors
/// The statement is killed; the error of a table that cannot be opened is a row, or no row.
pub(super) type RowsOfTable = fn(&InfoSchemaContext, db: &str, table: &str, &mut Rows) -> SqlResult<()>;

/// A position among the tables of all databases that are wanted.
pub(super) struct ByTable {
    sight: InfoSchemaContext,
    make: RowsOfTable,
    /// Only this table.
    table: Option<String>,
    /// Rows that describe information_schema itself; they come first.
    own: Rows,
    databases: Vec<String>,
    at: Place,
    /// It went back to the first row.
    again: bool,
    /// All rows from then on, so that no table is opened for each row of a join, and each sees the same tables.
    kept: Option<MadeRows>,
}

/// How far the reader is.
#[derive(Default)]
struct Place {
    begun: bool,
    /// The next database.
    database: usize,
    /// The tables left of the one before.
    tables: VecDeque<String>,
    /// The rows of a table, and the next of them.
    rows: Rows,
    row: usize,
}

impl ByTable {
    /// A reader at the first row; `own` are the rows of information_schema itself.
    ///
    /// # Errors
    /// Those of reading the data directory.
    pub(super) fn new(
        sight: &InfoSchemaContext,
        make: RowsOfTable,
        wanted: Wanted<'_>,
        own: Rows,
    ) -> SqlResult<ByTable> {
        let mut databases = sight.databases(wanted)?;
        databases.retain(|db| db != INFORMATION_SCHEMA);
        let table = wanted.table.map(str::to_owned);
        Ok(ByTable {
            sight: sight.clone(),
            make,
            table,
            own,
            databases,
            at: Place::default(),
            again: false,
            kept: None,
        })
    }

    /// All rows that were not read, at once.
    ///
    /// # Errors
    /// As [`Reader::fill`].
    pub(super) fn all(&mut self) -> SqlResult<Rows> {
        let mut all = Vec::new();
        while self.ready()? {
            all.append(&mut self.at.rows);
        }
        Ok(all)
    }

    /// Whether there is a row that was not read; it is made.
    fn ready(&mut self) -> SqlResult<bool> {
        let at = &mut self.at;
        if !std::mem::replace(&mut at.begun, true) {
            at.rows.clone_from(&self.own);
        }
        while at.row >= at.rows.len() {
            at.rows.clear();
            at.row = 0;
            let Some(table) = at.tables.pop_front() else {
                let Some(db) = self.databases.get(at.database) else { return Ok(false) };
                at.database += 1;
                // it may have been dropped meanwhile
                let names = self.sight.engine.catalog.table_names(db).unwrap_or_default();
                at.tables = names.into();
                continue;
            };
            let Some(db) = self.databases.get(at.database - 1) else { return Ok(false) };
            let wanted = self.table.as_deref().is_none_or(|name| name == table);
            if wanted && self.sight.rights.sees_table(db, &table) {
                self.sight.waiter.check_killed()?;
                (self.make)(&self.sight, db, &table, &mut at.rows)?;
            }
        }
        Ok(true)
    }
}

impl Reader for ByTable {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        if self.again && self.kept.is_none() {
            self.kept = Some(MadeRows::new(self.all()?));
        }
        if let Some(kept) = &mut self.kept {
            return kept.fill(reading, out, most);
        }
        while out.len < most {
            if !self.ready()? {
                return Ok(false);
            }
            push_row(&self.at.rows[self.at.row], reading, out);
            self.at.row += 1;
            if reading.is_full(out) {
                break;
            }
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.again = true;
        self.at = Place::default();
        if let Some(kept) = &mut self.kept {
            kept.rewind();
        }
    }

    fn counted(&self) -> Counted {
        Counted::Before
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;
    use std::sync::Arc;

    use pages::storage::MemoryStorage;

    use super::*;
    use crate::session::ConnectInfo;
    use crate::types::context::ConversionContext;
    use crate::types::{FieldType, Vector};
    use crate::{Engine, EngineOptions};

    thread_local! {
        static MADE: Cell<i64> = const { Cell::new(0) };
    }

    /// A row a table: how many tables were described before.
    fn number(_: &InfoSchemaContext, _: &str, _: &str, rows: &mut Rows) -> SqlResult<()> {
        rows.push(vec![Value::Int(MADE.replace(MADE.get() + 1))]);
        Ok(())
    }

    #[test]
    fn tables_are_described_twice_at_most() {
        let storage = Arc::new(MemoryStorage::new());
        let engine =
            Engine::open_on(storage, Path::new("/d"), EngineOptions::default(), |_| {}).expect("open");
        let root = ConnectInfo { user: "root".into(), host: "localhost".into(), ..ConnectInfo::default() };
        let mut session = engine.connect(&root).expect("a session");
        let sight = session.split(b"").0.info_schema_context("TABLES");
        let mut reader =
            ByTable::new(&sight, number, Wanted::default(), vec![vec![Value::Int(-1)]]).expect("rows");
        let pages = engine.store().reader_slot();
        let snapshot = pages.begin(&[]).expect("a snapshot");
        let (columns, conversion) = ([(0, 0, FieldType::bigint(false))], ConversionContext::default());
        let reading = Reading::new(&snapshot, &columns, None, None, &conversion);
        let mut read = |most| {
            let mut out = Batch { columns: vec![Vector::new(columns[0].2.class())], len: 0 };
            let more = reader.fill(&reading, &mut out, most).expect("rows");
            if !more || most < usize::MAX {
                reader.rewind();
            }
            (0..out.len).map(|row| out.columns[0].i64(row)).collect::<Vec<i64>>()
        };
        let first = read(usize::MAX);
        let tables = first.len() as i64 - 1;
        assert!(tables > 1, "{first:?}");
        let rows = |from| std::iter::once(-1).chain(from..from + tables).collect::<Vec<i64>>();
        assert_eq!(first, rows(0));
        // those of the second time stay, wherever a reader goes back
        assert_eq!(read(2), rows(tables)[..2]);
        for _ in 0..3 {
            assert_eq!(read(usize::MAX), rows(tables));
        }
        assert_eq!(MADE.get(), 2 * tables);
    }
}

//! Rows that describe tables, made for one table after the other while they are read: what a statement holds of them is bounded, and it
//! is stopped between two tables.

use std::collections::VecDeque;

use super::{InfoSchemaContext, Wanted};
use crate::error::SqlResult;
use crate::names::INFORMATION_SCHEMA;
use crate::table::reader::{Counted, Reader, Reading};
use crate::table::virtual_table::push_row;
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
        Ok(ByTable { sight: sight.clone(), make, table, own, databases, at: Place::default() })
    }

    /// All rows at once.
    ///
    /// # Errors
    /// As [`Reader::fill`].
    pub(super) fn all(mut self) -> SqlResult<Rows> {
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
        self.at = Place::default();
    }

    fn counted(&self) -> Counted {
        Counted::Before
    }
}

//! Rows for a table in bulk.

use std::fmt::Write as _;

use crate::connection::Connection;
use crate::error::Error;
use crate::params::Params;
use crate::statement::Statement;
use crate::value::{Value, ValueRef};

/// Parameters of one statement.
const PARAMETERS: usize = 8192;

/// Bytes of texts that are gathered for one statement; below the smallest `max_allowed_packet` in use.
const BYTES: usize = 1 << 20;

/// A table, in the current database or another: `"ship"`, `("museum", "ship")`.
#[derive(Debug, Clone, Copy)]
pub struct TableName<'t> {
    database: Option<&'t str>,
    table: &'t str,
}

impl<'t> From<&'t str> for TableName<'t> {
    fn from(table: &'t str) -> Self {
        Self { database: None, table }
    }
}

impl<'t> From<(&'t str, &'t str)> for TableName<'t> {
    fn from((database, table): (&'t str, &'t str)) -> Self {
        Self { database: Some(database), table }
    }
}

/// Takes rows for a table and inserts many with one statement: see [`Connection::appender`].
///
/// A row is in the table once its statement ran: at the latest after [`Appender::finish`]. An error is one of the
/// statement's: rows before the wrong one are in the table (MyISAM has no way back), those behind it, up to the end of
/// what was gathered, are not.
pub struct Appender<'c> {
    connection: &'c Connection,
    /// `INSERT INTO ... VALUES `.
    head: String,
    /// `(?, ?)`.
    row: String,
    width: usize,
    /// The statement of as many rows as fit.
    full: Option<Statement<'c>>,
    values: Vec<Value>,
    bytes: usize,
    appended: u64,
}

/// A name between backquotes.
fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

impl<'c> Appender<'c> {
    pub(crate) fn new(
        connection: &'c Connection,
        name: TableName<'_>,
        columns: &[&str],
    ) -> Result<Self, Error> {
        let mut table = quoted(name.table);
        if let Some(database) = name.database {
            table = format!("{}.{table}", quoted(database));
        }
        let list = columns.iter().map(|c| quoted(c)).collect::<Vec<_>>().join(", ");
        let (shown, list) =
            if columns.is_empty() { ("*".to_owned(), list) } else { (list.clone(), format!(" ({list})")) };
        // Tells what is wrong with the names before the first row.
        let rows = connection.query(&format!("SELECT {shown} FROM {table} LIMIT 0"), ())?;
        let width = rows.columns().len();
        let row = format!("({})", vec!["?"; width].join(", "));
        Ok(Self {
            connection,
            head: format!("INSERT INTO {table}{list} VALUES "),
            row,
            width,
            full: None,
            values: Vec::new(),
            bytes: 0,
            appended: 0,
        })
    }

    /// Adds a row: a tuple, an array, a slice.
    ///
    /// # Errors
    /// [`Error::RowWidth`], and those of the statement when this row makes the lot full.
    pub fn append(&mut self, row: impl Params) -> Result<(), Error> {
        let before = self.values.len();
        row.each(&mut |value| {
            self.bytes += match value {
                ValueRef::Text(v) => v.len(),
                ValueRef::Bytes(v) => v.len(),
                _ => 8,
            };
            self.values.push(value.to_owned());
        });
        let given = self.values.len() - before;
        if given != self.width {
            self.values.truncate(before);
            return Err(Error::RowWidth { given, wanted: self.width });
        }
        if self.values.len() == self.rows_at_once() * self.width || self.bytes >= BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Inserts what is gathered.
    ///
    /// # Errors
    /// Those of the statement.
    pub fn flush(&mut self) -> Result<(), Error> {
        let values = std::mem::take(&mut self.values);
        self.bytes = 0;
        let rows = values.len() / self.width.max(1);
        if rows == 0 {
            return Ok(());
        }
        let result = if rows == self.rows_at_once() {
            if self.full.is_none() {
                self.full = Some(self.connection.prepare(&self.statement(rows))?);
            }
            self.full.as_ref().map_or(Ok(0), |full| full.execute(&values))
        } else {
            self.connection.execute(&self.statement(rows), &values)
        };
        self.values = values;
        self.values.clear();
        self.appended += result?;
        Ok(())
    }

    /// Inserts what is left and gives the number of rows inserted in all.
    ///
    /// # Errors
    /// Those of the statement.
    pub fn finish(mut self) -> Result<u64, Error> {
        self.flush()?;
        Ok(self.appended)
    }

    fn rows_at_once(&self) -> usize {
        (PARAMETERS / self.width.max(1)).max(1)
    }

    fn statement(&self, rows: usize) -> String {
        let mut sql = String::with_capacity(self.head.len() + rows * (self.row.len() + 1));
        sql.push_str(&self.head);
        for n in 0..rows {
            // Writing to a String cannot fail.
            let _ = write!(sql, "{}{}", if n == 0 { "" } else { "," }, self.row);
        }
        sql
    }
}

/// Rows that nobody finished are inserted; errors are lost: see [`Appender::finish`].
impl Drop for Appender<'_> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

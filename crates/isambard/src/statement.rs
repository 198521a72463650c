//! Prepared statements of the library.

use std::mem;
use std::ops::ControlFlow;

use crate::FromValue;
use crate::connection::Connection;
use crate::error::Error;
use crate::params::Params;
use crate::rows::{Row, Rows};

/// Statements that a connection keeps.
const KEPT: usize = 16;

/// A prepared statement that nobody uses at present.
pub(crate) struct Kept {
    pub(crate) sql: Box<str>,
    pub(crate) id: u32,
    pub(crate) parameters: usize,
}

/// The prepared statements that a connection keeps, and those that are yet to be closed.
#[derive(Default)]
pub(crate) struct Cache {
    /// The one used last is the last.
    kept: Vec<Kept>,
    /// Dropped while the connection was in use.
    pub(crate) closing: Vec<u32>,
}

impl Cache {
    pub(crate) fn take(&mut self, sql: &str) -> Option<Kept> {
        let at = self.kept.iter().position(|k| &*k.sql == sql)?;
        Some(self.kept.remove(at))
    }

    fn give_back(&mut self, kept: Kept) {
        if self.kept.len() == KEPT {
            self.closing.push(self.kept.remove(0).id);
        }
        self.kept.push(kept);
    }
}

/// A prepared statement of a connection; closed when dropped, or kept when it is a cached one.
pub struct Statement<'c> {
    connection: &'c Connection,
    id: u32,
    parameters: usize,
    /// The text of one that is kept.
    cached: Option<Box<str>>,
}

impl<'c> Statement<'c> {
    pub(crate) fn new(
        connection: &'c Connection,
        id: u32,
        parameters: usize,
        cached: Option<Box<str>>,
    ) -> Self {
        Self { connection, id, parameters, cached }
    }

    /// How many parameters it has.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// Runs it and gives the number of rows it changed.
    ///
    /// # Errors
    /// 1210 for a wrong number of parameters, and those of the statement; [`Error::InUse`].
    pub fn execute(&self, params: impl Params) -> Result<u64, Error> {
        self.connection.with_scratch(|rows| self.query_into(params, rows), |rows| Ok(rows.affected()))
    }

    /// Runs it and gives its rows, all of them in memory: see [`Statement::query_each`].
    ///
    /// # Errors
    /// As [`Statement::execute`].
    pub fn query(&self, params: impl Params) -> Result<Rows, Error> {
        let mut rows = Rows::default();
        self.query_into(params, &mut rows)?;
        Ok(rows)
    }

    /// Runs it and fills `rows` anew, reusing its memory.
    ///
    /// # Errors
    /// As [`Statement::execute`].
    pub fn query_into(&self, params: impl Params, rows: &mut Rows) -> Result<(), Error> {
        self.connection.run_prepared(self.id, params, rows, None)
    }

    /// Runs it and hands its rows on as they are made: see [`Connection::query_each`].
    ///
    /// # Errors
    /// As [`Statement::execute`], and those of `each`.
    pub fn query_each(
        &self,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        self.connection.with_scratch(
            |rows| self.connection.run_prepared(self.id, params, rows, Some(&mut each)),
            |_| Ok(()),
        )
    }

    /// Runs it and gives what `map` makes of each row.
    ///
    /// # Errors
    /// As [`Statement::execute`], and those of `map`.
    pub fn query_map<T>(
        &self,
        params: impl Params,
        mut map: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut all = Vec::new();
        self.query_each(params, |row| {
            all.push(map(row)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(all)
    }

    /// Runs it and takes what is wanted from the first row. Allocates nothing of its own.
    ///
    /// # Errors
    /// As [`Statement::execute`], those of `take`, and [`Error::NoRow`].
    pub fn query_row<T>(
        &self,
        params: impl Params,
        take: impl FnOnce(&Row<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.connection.with_scratch(|rows| self.query_into(params, rows), |rows| take(&rows.first()?))
    }

    /// The first column of the first row.
    ///
    /// # Errors
    /// As [`Statement::query_row`].
    pub fn query_value<T: FromValue>(&self, params: impl Params) -> Result<T, Error> {
        self.query_row(params, |row| row.get(0))
    }
}

impl Drop for Statement<'_> {
    fn drop(&mut self) {
        let mut cache = self.connection.cache.borrow_mut();
        match mem::take(&mut self.cached) {
            Some(sql) => cache.give_back(Kept { sql, id: self.id, parameters: self.parameters }),
            // Closed before the connection's next statement: it may be in use just now.
            None => cache.closing.push(self.id),
        }
    }
}

//! Connections and prepared statements of the library.

use std::cell::{Cell, RefCell};

use sql::session::{ConnectInfo, Session};

use crate::error::Error;
use crate::params::Params;
use crate::rows::{Row, Rows};
use crate::{Database, FromValue};

/// utf8mb4_general_ci: the library's texts are UTF-8.
const COLLATION: u16 = 45;

/// A session with the database. It may move to another thread; only one can use it at a time.
pub struct Connection {
    session: RefCell<Session>,
    /// Memory for results whose rows are looked at and dropped.
    scratch: RefCell<Rows>,
    last_insert_id: Cell<u64>,
}

impl Connection {
    pub(crate) fn new(database: &Database, name: Option<&str>) -> Result<Self, Error> {
        let engine = database.engine();
        let info = ConnectInfo {
            id: engine.next_connection_id(),
            user: "root".into(),
            host: "localhost".into(),
            collation: COLLATION,
            multi_statements: true,
            local_files: true,
            ..ConnectInfo::default()
        };
        let mut session = engine.connect(&info)?;
        // Who opens the files needs no account.
        session.all_rights();
        if let Some(name) = name {
            session.use_database(name)?;
        }
        let session = RefCell::new(session);
        Ok(Self { session, scratch: RefCell::default(), last_insert_id: Cell::new(0) })
    }

    /// CONNECTION_ID().
    #[must_use]
    pub fn id(&self) -> u64 {
        self.session.borrow().id()
    }

    /// The session below, for those who bring a sink of their own.
    pub fn session(&mut self) -> &mut Session {
        self.session.get_mut()
    }

    /// Runs a statement and gives the number of rows it changed. Without parameters it may be several statements,
    /// separated by `;`: the number is that of the last.
    ///
    /// # Errors
    /// Those of the statement.
    pub fn execute(&self, sql: &str, params: impl Params) -> Result<u64, Error> {
        self.with_scratch(|rows| self.run(sql, params, rows), |rows| Ok(rows.affected()))
    }

    /// Runs a query and gives its rows.
    ///
    /// # Errors
    /// Those of the statement.
    pub fn query(&self, sql: &str, params: impl Params) -> Result<Rows, Error> {
        let mut rows = Rows::default();
        self.run(sql, params, &mut rows)?;
        Ok(rows)
    }

    /// Runs a query and takes what is wanted from its first row.
    ///
    /// # Errors
    /// Those of the statement and of `take`; [`Error::NoRow`].
    pub fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        take: impl FnOnce(&Row<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.with_scratch(|rows| self.run(sql, params, rows), |rows| take(&rows.row(0).ok_or(Error::NoRow)?))
    }

    /// The first column of the first row.
    ///
    /// # Errors
    /// As [`Connection::query_row`].
    pub fn query_value<T: FromValue>(&self, sql: &str, params: impl Params) -> Result<T, Error> {
        self.query_row(sql, params, |row| row.get(0))
    }

    /// Prepares a statement with `?` for its parameters.
    ///
    /// # Errors
    /// Those of parsing and binding.
    pub fn prepare(&self, sql: &str) -> Result<Statement<'_>, Error> {
        let prepared = self.session.borrow_mut().prepare(sql.as_bytes())?;
        Ok(Statement { id: prepared.id, parameters: prepared.params.len(), connection: self })
    }

    /// The AUTO_INCREMENT value the last statement made, or 0.
    #[must_use]
    pub fn last_insert_id(&self) -> u64 {
        self.last_insert_id.get()
    }

    /// Lends the scratch rows to `run`, then to `take`, which may use the connection again.
    fn with_scratch<T>(
        &self,
        run: impl FnOnce(&mut Rows) -> Result<(), Error>,
        take: impl FnOnce(&Rows) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut scratch = self.scratch.take();
        let result = run(&mut scratch).and_then(|()| take(&scratch));
        self.scratch.replace(scratch);
        result
    }

    fn run(&self, sql: &str, params: impl Params, rows: &mut Rows) -> Result<(), Error> {
        rows.clear();
        let mut session = self.session.borrow_mut();
        params.with(|params| {
            if params.is_empty() {
                session.query(sql.as_bytes(), rows)
            } else {
                let prepared = session.prepare(sql.as_bytes())?;
                let result = session.execute(prepared.id, params, rows);
                session.close_statement(prepared.id);
                result
            }
        })?;
        self.last_insert_id.set(rows.done().last_insert_id);
        Ok(())
    }
}

/// A prepared statement of a connection; closed when dropped.
pub struct Statement<'c> {
    id: u32,
    parameters: usize,
    connection: &'c Connection,
}

impl Statement<'_> {
    /// How many parameters it has.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// Runs it and gives the number of rows it changed.
    ///
    /// # Errors
    /// 1210 for a wrong number of parameters, and those of the statement.
    pub fn execute(&self, params: impl Params) -> Result<u64, Error> {
        self.connection.with_scratch(|rows| self.query_into(params, rows), |rows| Ok(rows.affected()))
    }

    /// Runs it and gives its rows.
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
        rows.clear();
        let mut session = self.connection.session.borrow_mut();
        params.with(|params| session.execute(self.id, params, rows))?;
        self.connection.last_insert_id.set(rows.done().last_insert_id);
        Ok(())
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
        self.connection.with_scratch(
            |rows| self.query_into(params, rows),
            |rows| take(&rows.row(0).ok_or(Error::NoRow)?),
        )
    }
}

impl Drop for Statement<'_> {
    fn drop(&mut self) {
        // A statement dropped while its connection is in use (in a panic) is closed with the connection.
        if let Ok(mut session) = self.connection.session.try_borrow_mut() {
            session.close_statement(self.id);
        }
    }
}

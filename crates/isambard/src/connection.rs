//! Connections of the library.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::sync::Arc;

use sql::session::{ConnectInfo, Session};

use crate::appender::{Appender, TableName};
use crate::error::Error;
use crate::params::Params;
use crate::rows::{Row, Rows};
use crate::sink::{Reader, Sink};
use crate::statement::{Cache, Statement};
use crate::{Database, FromValue};

/// utf8mb4_general_ci: the library's texts are UTF-8.
const COLLATION: u16 = 45;

/// A session with the database. It may move to another thread; only one can use it at a time.
pub struct Connection {
    engine: Arc<sql::Engine>,
    session: RefCell<Session>,
    /// Memory for results whose rows are looked at and dropped.
    scratch: RefCell<Rows>,
    pub(crate) cache: RefCell<Cache>,
    last_insert_id: Cell<u64>,
}

impl Connection {
    pub(crate) fn new(database: &Database, name: Option<&str>) -> Result<Self, Error> {
        let engine = Arc::clone(database.engine());
        let info = ConnectInfo {
            id: engine.next_connection_id(),
            user: "root".into(),
            host: "localhost".into(),
            collation: COLLATION,
            multi_statements: true,
            local_files: true,
            out_parameters: true,
            ..ConnectInfo::default()
        };
        let mut session = engine.connect(&info)?;
        // Who opens the files needs no account.
        session.all_rights();
        if let Some(name) = name {
            session.use_database(name)?;
        }
        Ok(Self {
            engine,
            session: RefCell::new(session),
            scratch: RefCell::default(),
            cache: RefCell::default(),
            last_insert_id: Cell::new(0),
        })
    }

    /// CONNECTION_ID().
    #[must_use]
    pub fn id(&self) -> u64 {
        self.session.borrow().id()
    }

    /// The session below, for the program.
    #[doc(hidden)]
    pub fn session(&mut self) -> &mut Session {
        self.session.get_mut()
    }

    /// Runs a statement and gives the number of rows it changed. Without parameters it may be several statements,
    /// separated by `;`: the number is that of the last.
    ///
    /// # Errors
    /// Those of the statement; [`Error::InUse`].
    pub fn execute(&self, sql: &str, params: impl Params) -> Result<u64, Error> {
        self.with_scratch(|rows| self.run(sql, params, rows, None), |rows| Ok(rows.affected()))
    }

    /// Runs a query and gives its rows, all of them in memory: see [`Connection::query_each`].
    ///
    /// # Errors
    /// Those of the statement; [`Error::InUse`].
    pub fn query(&self, sql: &str, params: impl Params) -> Result<Rows, Error> {
        let mut rows = Rows::default();
        self.run(sql, params, &mut rows, None)?;
        Ok(rows)
    }

    /// Runs a query and hands its rows on as they are made, so that memory is bounded whatever their number.
    /// [`ControlFlow::Break`] ends the query. The connection can run nothing else meanwhile.
    ///
    /// # Errors
    /// Those of the statement and of `each`; [`Error::InUse`].
    pub fn query_each(
        &self,
        sql: &str,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        self.with_scratch(|rows| self.run(sql, params, rows, Some(&mut each)), |_| Ok(()))
    }

    /// Runs a query and gives what `map` makes of each row. Only that is kept in memory.
    ///
    /// # Errors
    /// Those of the statement and of `map`; [`Error::InUse`].
    pub fn query_map<T>(
        &self,
        sql: &str,
        params: impl Params,
        mut map: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut all = Vec::new();
        self.query_each(sql, params, |row| {
            all.push(map(row)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(all)
    }

    /// Runs a query and takes what is wanted from its first row.
    ///
    /// # Errors
    /// Those of the statement and of `take`; [`Error::NoRow`], [`Error::InUse`].
    pub fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        take: impl FnOnce(&Row<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.with_scratch(|rows| self.run(sql, params, rows, None), |rows| take(&rows.first()?))
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
    /// Those of parsing and binding; [`Error::InUse`].
    pub fn prepare(&self, sql: &str) -> Result<Statement<'_>, Error> {
        let prepared = self.with_session(|session| session.prepare(sql.as_bytes()))??;
        Ok(Statement::new(self, prepared.id, prepared.params.len(), None))
    }

    /// Like [`Connection::prepare`], but the connection keeps the statement when it is dropped, for the next who asks
    /// for the same text. The 16 used last are kept.
    ///
    /// # Errors
    /// As [`Connection::prepare`].
    pub fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>, Error> {
        let kept = self.cache.borrow_mut().take(sql);
        if let Some(kept) = kept {
            return Ok(Statement::new(self, kept.id, kept.parameters, Some(kept.sql)));
        }
        let prepared = self.with_session(|session| session.prepare(sql.as_bytes()))??;
        Ok(Statement::new(self, prepared.id, prepared.params.len(), Some(sql.into())))
    }

    /// Takes rows for a table in bulk: `("museum", "ship")`, or `"ship"` of the current database. `columns` are those
    /// that the rows have values for; none given: all of the table.
    ///
    /// # Errors
    /// When there is no such table or column; [`Error::InUse`].
    pub fn appender<'t>(
        &self,
        table: impl Into<TableName<'t>>,
        columns: &[&str],
    ) -> Result<Appender<'_>, Error> {
        Appender::new(self, table.into(), columns)
    }

    /// The AUTO_INCREMENT value the last statement made, or 0.
    #[must_use]
    pub fn last_insert_id(&self) -> u64 {
        self.last_insert_id.get()
    }

    /// Stops this connection's statement from another thread.
    #[must_use]
    pub fn interrupt_handle(&self) -> InterruptHandle {
        InterruptHandle { engine: Arc::clone(&self.engine), id: self.id() }
    }

    /// Lends the scratch rows to `run`, then to `take`, which may use the connection again.
    pub(crate) fn with_scratch<T>(
        &self,
        run: impl FnOnce(&mut Rows) -> Result<(), Error>,
        take: impl FnOnce(&Rows) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut scratch = self.scratch.take();
        let result = run(&mut scratch).and_then(|()| take(&scratch));
        self.scratch.replace(scratch);
        result
    }

    fn with_session<T>(&self, with: impl FnOnce(&mut Session) -> T) -> Result<T, Error> {
        let mut session = self.session.try_borrow_mut().map_err(|_| Error::InUse)?;
        for id in self.cache.borrow_mut().closing.drain(..) {
            session.close_statement(id);
        }
        Ok(with(&mut session))
    }

    fn run(
        &self,
        sql: &str,
        params: impl Params,
        rows: &mut Rows,
        reader: Option<Reader<'_>>,
    ) -> Result<(), Error> {
        let mut sink = Sink::new(rows, reader);
        let result = self.with_session(|session| {
            params.with(|params| {
                if params.is_empty() {
                    session.query(sql.as_bytes(), &mut sink)
                } else {
                    let prepared = session.prepare(sql.as_bytes())?;
                    let result = session.execute(prepared.id, params, &mut sink);
                    session.close_statement(prepared.id);
                    result
                }
            })
        })?;
        sink.outcome(result)?;
        self.last_insert_id.set(rows.done.last_insert_id);
        Ok(())
    }

    pub(crate) fn run_prepared(
        &self,
        id: u32,
        params: impl Params,
        rows: &mut Rows,
        reader: Option<Reader<'_>>,
    ) -> Result<(), Error> {
        let mut sink = Sink::new(rows, reader);
        let result =
            self.with_session(|session| params.with(|params| session.execute(id, params, &mut sink)))?;
        sink.outcome(result)?;
        self.last_insert_id.set(rows.done.last_insert_id);
        Ok(())
    }
}

/// Stops the statement that a connection runs; may be sent to other threads and outlive the connection.
#[derive(Clone)]
pub struct InterruptHandle {
    engine: Arc<sql::Engine>,
    id: u64,
}

impl InterruptHandle {
    /// The connection's running statement ends with error 1317. Nothing happens when it runs none.
    pub fn interrupt(&self) {
        // An error says that the connection has gone.
        let _ = self.engine.kill(self.id, false);
    }
}

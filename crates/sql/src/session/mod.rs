//! A connection's session: its settings, its prepared statements and the way of a statement.

mod connection;
pub use connection::{KillHook, Tracked};

use std::sync::Arc;

use crate::engine::Engine;
use crate::error::{SqlError, SqlResult};
use crate::result::{ColumnMeta, Param, ResultShape, ResultSink};

/// Who connects, as the login packet says it. The password was checked before.
#[derive(Clone, Debug, Default)]
pub struct ConnectInfo {
    /// The connection's number, from [`Engine::next_connection_id`]; 0 = take the next one.
    pub id: u64,
    /// How to wake the connection's thread when it is killed while it waits for its client.
    pub kill: Option<KillHook>,
    /// The client's port, for SHOW PROCESSLIST; 0 = unix socket.
    pub port: u16,
    /// User name.
    pub user: String,
    /// Host of the client, `localhost` for the unix socket.
    pub host: String,
    /// Database to use, when one was named.
    pub db: Option<String>,
    /// Collation id of the login packet; 0 or unknown takes the server's default.
    pub collation: u16,
    /// CLIENT_FOUND_ROWS: UPDATE counts matched rows.
    pub found_rows: bool,
    /// CLIENT_MULTI_STATEMENTS: a query may hold several statements.
    pub multi_statements: bool,
    /// CLIENT_LOCAL_FILES: the client can send files for LOAD DATA LOCAL.
    pub local_files: bool,
    /// CLIENT_IGNORE_SPACE.
    pub ignore_space: bool,
    /// CLIENT_INTERACTIVE: `interactive_timeout` instead of `wait_timeout`.
    pub interactive: bool,
}

/// A statement that was prepared.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Its number in this session.
    pub id: u32,
    /// One description a parameter.
    pub params: Vec<ColumnMeta>,
    /// The columns of its result set; none when it has no result set.
    pub columns: Arc<ResultShape>,
    /// Warnings raised while it was prepared.
    pub warnings: u16,
}

/// One connection's session.
pub struct Session {
    engine: Arc<Engine>,
}

impl Session {
    /// A session of an accepted connection. `Engine::connect` makes it.
    pub(crate) fn new(engine: Arc<Engine>, _info: &ConnectInfo) -> SqlResult<Session> {
        Ok(Session { engine })
    }

    /// The engine this session works on.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The connection id.
    pub fn id(&self) -> u64 {
        0
    }

    /// Runs one statement, or several when the connection may send several.
    ///
    /// # Errors
    /// The error of the statement that failed; the ones before it were answered through `sink`.
    pub fn query(&mut self, _sql: &[u8], _sink: &mut dyn ResultSink) -> SqlResult<()> {
        Err(SqlError::not_supported("query"))
    }

    /// Prepares a statement.
    ///
    /// # Errors
    /// Those of parsing and binding.
    pub fn prepare(&mut self, _sql: &[u8]) -> SqlResult<Prepared> {
        Err(SqlError::not_supported("prepare"))
    }

    /// Runs a prepared statement.
    ///
    /// # Errors
    /// 1243 for an unknown id, 1210 for a wrong number of parameters, and those of the statement.
    pub fn execute(&mut self, _id: u32, _params: &[Param<'_>], _sink: &mut dyn ResultSink) -> SqlResult<()> {
        Err(SqlError::not_supported("execute"))
    }

    /// Forgets a prepared statement; an unknown id is no error.
    pub fn close_statement(&mut self, _id: u32) {}

    /// COM_STMT_RESET: closes the statement's cursor. (Long data are the server's.)
    ///
    /// # Errors
    /// 1243 for an unknown id.
    pub fn reset_statement(&mut self, _id: u32) -> SqlResult<()> {
        Ok(())
    }

    /// The number of parameters of a prepared statement.
    pub fn parameter_count(&self, _id: u32) -> Option<usize> {
        None
    }

    /// COM_INIT_DB: makes `name` the current database.
    ///
    /// # Errors
    /// 1049 when there is none of that name.
    pub fn init_db(&mut self, _name: &str) -> SqlResult<()> {
        Ok(())
    }

    /// COM_FIELD_LIST: the columns of a table, `wild` is a LIKE pattern. The sink gets the
    /// shape and no rows.
    ///
    /// # Errors
    /// 1146 when there is no such table.
    pub fn field_list(&mut self, _table: &str, _wild: &str, _sink: &mut dyn ResultSink) -> SqlResult<()> {
        Err(SqlError::not_supported("field list"))
    }

    /// COM_CHANGE_USER: everything as of a new connection. The password was checked before.
    ///
    /// # Errors
    /// 1049 for an unknown database.
    pub fn change_user(&mut self, _info: &ConnectInfo) -> SqlResult<()> {
        Ok(())
    }

    /// COM_RESET_CONNECTION: settings, user variables, prepared statements and locks are dropped.
    pub fn reset_connection(&mut self) {}

    /// COM_STATISTICS: one line.
    pub fn statistics(&self) -> String {
        String::new()
    }

    /// COM_SET_OPTION.
    pub fn set_multi_statements(&mut self, _on: bool) {}

    /// The status flags of the protocol as they stand.
    pub fn status_flags(&self) -> u16 {
        0x0002
    }
}

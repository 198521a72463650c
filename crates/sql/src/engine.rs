//! The engine: one per process and data directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{SqlError, SqlResult};
use crate::session::{ConnectInfo, Session};

/// How to open a data directory.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// Variables set before the engine runs: `--set name=value`.
    pub set: Vec<(String, String)>,
    /// Create the data directory and the system tables when they are missing.
    pub create: bool,
}

/// The databases of one data directory and everything that connections share.
pub struct Engine {
    datadir: PathBuf,
}

impl Engine {
    /// Opens a data directory, replays its journal and reads the accounts.
    ///
    /// # Errors
    /// When another process holds the directory, when it cannot be read or created, or when an
    /// option is wrong.
    pub fn open(datadir: &Path, _options: EngineOptions) -> SqlResult<Arc<Engine>> {
        Ok(Arc::new(Engine { datadir: datadir.to_path_buf() }))
    }

    /// Stops cleanly: every table is written, guards are cleared, the journal is empty.
    ///
    /// # Errors
    /// When a table could not be written.
    pub fn shutdown(&self) -> SqlResult<()> {
        Ok(())
    }

    /// The data directory.
    pub fn datadir(&self) -> &Path {
        &self.datadir
    }

    /// Begins a session for a connection whose user was authenticated.
    ///
    /// # Errors
    /// 1040 with too many connections, 1049 for an unknown database.
    pub fn connect(self: &Arc<Engine>, info: &ConnectInfo) -> SqlResult<Session> {
        Session::new(Arc::clone(self), info)
    }

    /// Checks a `mysql_native_password` answer against the accounts.
    ///
    /// # Errors
    /// 1045 when the account or the password is wrong, 1130 when the host is not allowed.
    pub fn authenticate(
        &self,
        _user: &str,
        _host: &str,
        _scramble: &[u8; 20],
        _answer: &[u8],
    ) -> SqlResult<()> {
        Ok(())
    }

    /// KILL: ends a connection or its running statement.
    ///
    /// # Errors
    /// 1094 for an unknown id.
    pub fn kill(&self, id: u64, _connection: bool) -> SqlResult<()> {
        Err(SqlError::new(crate::error::ER_NO_SUCH_THREAD, &[&id]))
    }
}

//! Isambard as a library: a MySQL-compatible database in your process, its tables real MyISAM files.
//!
//! ```
//! use isambard::Database;
//!
//! # fn main() -> Result<(), isambard::Error> {
//! # let folder = std::env::temp_dir().join(format!("isambard-doc-{}", std::process::id()));
//! let database = Database::open(&folder)?;
//! let connection = database.connect()?;
//! connection.execute("CREATE DATABASE museum", ())?;
//! connection.execute("CREATE TABLE museum.ship (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40), length DOUBLE)", ())?;
//!
//! // Parameters are tuples, arrays or slices.
//! let insert = connection.prepare("INSERT INTO museum.ship (name, length) VALUES (?, ?)")?;
//! insert.execute(("Great Western", 72.0))?;
//! insert.execute(("Great Eastern", 211.0))?;
//! assert_eq!(connection.last_insert_id(), 2);
//!
//! let rows = connection.query("SELECT id, name, length FROM museum.ship WHERE length > ? ORDER BY id", (100,))?;
//! for row in &rows {
//!     let (id, name): (i64, String) = (row.get(0)?, row.get("name")?);
//!     assert_eq!((id, name.as_str()), (2, "Great Eastern"));
//! }
//!
//! let longest: Option<f64> = connection.query_row("SELECT MAX(length) FROM museum.ship", (), |row| row.get(0))?;
//! assert_eq!(longest, Some(211.0));
//! drop(insert);
//! drop(connection);
//! database.close()?;
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok(())
//! # }
//! ```
//!
//! A [`Database`] may be shared between threads; each thread makes a [`Connection`] of its own. Readers wait for no
//! writer. Only one process can hold a data directory; others reach it through `isambard serve`.

mod connection;
mod error;
mod params;
mod rows;
mod value;

use std::path::Path;
use std::sync::Arc;

pub use connection::{Connection, Statement};
pub use error::Error;
pub use params::{Params, ToParam};
pub use rows::{ColumnIndex, Row, Rows, RowsIter};
pub use sql::result::Param;
pub use value::{Date, DateTime, FromValue, Time, Value, ValueRef};

/// The databases of a data directory.
#[derive(Clone)]
pub struct Database {
    engine: Arc<sql::Engine>,
}

impl Database {
    /// Opens a data directory; makes it when it is missing. What a killed process left is recovered first.
    ///
    /// # Errors
    /// When another process holds the directory, or it cannot be read or made.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &[])
    }

    /// Like [`Database::open`], with system variables set before the first connection, such as
    /// `("key_buffer_size", "64M")`.
    ///
    /// # Errors
    /// As [`Database::open`], and when a variable is unknown or its value wrong.
    pub fn open_with(path: impl AsRef<Path>, variables: &[(&str, &str)]) -> Result<Self, Error> {
        let set = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let options = sql::EngineOptions { set, create: true };
        Ok(Self { engine: sql::Engine::open(path.as_ref(), options)? })
    }

    /// Wraps an engine opened elsewhere.
    #[must_use]
    pub fn from_engine(engine: Arc<sql::Engine>) -> Self {
        Self { engine }
    }

    /// The engine below.
    #[must_use]
    pub fn engine(&self) -> &Arc<sql::Engine> {
        &self.engine
    }

    /// A connection with all rights and no current database.
    ///
    /// # Errors
    /// When there are too many connections.
    pub fn connect(&self) -> Result<Connection, Error> {
        Connection::new(self, None)
    }

    /// A connection whose current database is `name`.
    ///
    /// # Errors
    /// 1049 when there is no such database.
    pub fn connect_to(&self, name: &str) -> Result<Connection, Error> {
        Connection::new(self, Some(name))
    }

    /// Writes everything to the tables, so that other programs can read them, and releases the directory. Connections
    /// should be gone: statements of those that are left fail.
    ///
    /// Without it nothing acknowledged is lost: the next open recovers it.
    ///
    /// # Errors
    /// When a table could not be written.
    pub fn close(self) -> Result<(), Error> {
        Ok(self.engine.shutdown()?)
    }
}

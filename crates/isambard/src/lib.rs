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
//! // Rows are read as they are made; what is kept is what the closure gives.
//! let names = connection
//!     .prepare_cached("SELECT name FROM museum.ship ORDER BY name")?
//!     .query_map((), |row| row.get::<String>(0))?;
//! assert_eq!(names, ["Great Eastern", "Great Western"]);
//!
//! // Many rows at once.
//! let mut appender = connection.appender(("museum", "ship"), &["name", "length"])?;
//! for n in 0..1000 {
//!     appender.append((format!("boat {n}"), 5.5))?;
//! }
//! assert_eq!(appender.finish()?, 1000);
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

mod appender;
mod column;
mod connection;
mod error;
mod options;
mod params;
mod rows;
mod sink;
mod statement;
mod value;

use std::path::Path;
use std::sync::Arc;

pub use appender::{Appender, TableName};
pub use column::{Column, ColumnIndex, ColumnType, Columns};
pub use connection::{Connection, InterruptHandle};
pub use error::{DatabaseError, Error};
pub use options::OpenOptions;
pub use params::{Params, ToParam};
pub use rows::{Row, Rows, RowsIter};
pub use statement::Statement;
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
        OpenOptions::new().open(path)
    }

    /// Wraps an engine opened elsewhere.
    #[doc(hidden)]
    #[must_use]
    pub fn from_engine(engine: Arc<sql::Engine>) -> Self {
        Self { engine }
    }

    /// The engine below, for the program.
    #[doc(hidden)]
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

//! The library's errors.

use std::fmt;

use sql::SqlError;

/// An error of the database: MySQL's number, SQLSTATE and text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseError(SqlError);

impl DatabaseError {
    /// MySQL's number, such as 1062 for a duplicate key.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.0.code
    }

    /// The five characters of the SQLSTATE, such as `23000`.
    #[must_use]
    pub fn sqlstate(&self) -> &str {
        self.0.state_str()
    }

    /// The text alone.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for DatabaseError {}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database refused or failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A row has no column of this name or number.
    #[error("no column {0}")]
    NoColumn(String),
    /// A column's value cannot be had as the type asked for.
    #[error("column {column}: {value} is not {wanted}")]
    Conversion {
        /// Number of the column, from 0.
        column: usize,
        /// The value, as text.
        value: String,
        /// The type asked for.
        wanted: &'static str,
    },
    /// The query gave no row where one was asked for.
    #[error("the query gave no row")]
    NoRow,
    /// The connection runs a statement whose rows are being read, and can run no other meanwhile.
    #[error("the connection is in use: the rows of a statement are being read")]
    InUse,
    /// A row of an [`Appender`](crate::Appender) has another number of values than the table has columns.
    #[error("a row of {given} values for {wanted} columns")]
    RowWidth {
        /// Values of the row.
        given: usize,
        /// Columns of the table, or of those chosen.
        wanted: usize,
    },
}

impl Error {
    /// MySQL's number, when the database made the error.
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::Database(error) => Some(error.code()),
            _ => None,
        }
    }
}

impl From<SqlError> for Error {
    fn from(error: SqlError) -> Self {
        Self::Database(DatabaseError(error))
    }
}

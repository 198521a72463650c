//! The library's errors.

use sql::SqlError;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the database, with MySQL's number, SQLSTATE and text.
    #[error(transparent)]
    Sql(#[from] SqlError),
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
    /// `query_row` found no row.
    #[error("the query gave no row")]
    NoRow,
}

impl Error {
    /// MySQL's error number, when the database made the error.
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::Sql(error) => Some(error.code),
            _ => None,
        }
    }
}

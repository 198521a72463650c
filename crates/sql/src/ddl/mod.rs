//! Statements that make, change and drop databases, tables and indexes.

pub mod types;

use crate::ast::Statement;
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;

/// Runs a definition statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    _session: &mut Session,
    _statement: &Statement,
    _text: &[u8],
    _sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    Err(SqlError::not_supported("statement"))
}

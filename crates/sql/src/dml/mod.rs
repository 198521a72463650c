//! Statements that change rows.

use crate::ast::{self, Statement};
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::types::{FieldType, Value};

/// Runs INSERT, REPLACE, UPDATE, DELETE, LOAD DATA.
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
/// The value of an expression without columns.
///
/// # Errors
/// Those of binding and evaluating.
pub(crate) fn constant(_session: &mut Session, _e: &ast::Expr) -> SqlResult<(Value, FieldType)> {
    Err(SqlError::not_supported("expression"))
}

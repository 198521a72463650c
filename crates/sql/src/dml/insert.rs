//! Insert.

use crate::ast::Insert;
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;

/// Runs the statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    _session: &mut Session,
    _s: &Insert,
    _text: &[u8],
    _sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    Err(SqlError::not_supported("Insert"))
}

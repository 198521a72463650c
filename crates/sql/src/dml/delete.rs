//! Delete.

use crate::ast::Delete;
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;

/// Runs the statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    _session: &mut Session,
    _s: &Delete,
    _text: &[u8],
    _sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    Err(SqlError::not_supported("Delete"))
}

impl Session {
    /// The plan that finds the rows of a DELETE.
    ///
    /// # Errors
    /// Those of binding.
    pub(crate) fn plan_delete(
        &mut self,
        _d: &Delete,
        _text: &[u8],
    ) -> SqlResult<std::sync::Arc<crate::plan::QueryPlan>> {
        Err(SqlError::not_supported("EXPLAIN DELETE"))
    }
}

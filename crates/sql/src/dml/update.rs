//! UPDATE.

use crate::ast::Update;
use crate::error::{SqlError, SqlResult};
use crate::result::Done;
use crate::session::Session;

/// Runs the statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(_session: &mut Session, _u: &Update, _text: &[u8]) -> SqlResult<Done> {
    Err(SqlError::not_supported("UPDATE"))
}

impl Session {
    /// The plan that finds the rows of an UPDATE.
    ///
    /// # Errors
    /// Those of binding.
    pub(crate) fn plan_update(
        &mut self,
        _u: &Update,
        _text: &[u8],
    ) -> SqlResult<std::sync::Arc<crate::plan::QueryPlan>> {
        Err(SqlError::not_supported("EXPLAIN UPDATE"))
    }
}

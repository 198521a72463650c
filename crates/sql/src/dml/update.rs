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

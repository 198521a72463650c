//! SHOW COLUMNS, DESCRIBE and COM_FIELD_LIST.

use crate::error::{SqlError, SqlResult};
use crate::result::ResultSink;
use crate::session::Session;

/// COM_FIELD_LIST.
///
/// # Errors
/// 1146 when there is no such table.
pub(crate) fn field_list(
    _session: &mut Session,
    _table: &str,
    _wild: &str,
    _sink: &mut dyn ResultSink,
) -> SqlResult<()> {
    Err(SqlError::not_supported("field list"))
}

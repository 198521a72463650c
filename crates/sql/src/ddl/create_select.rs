//! CREATE TABLE ... SELECT.

use std::sync::Arc;

use isam::definition::TableDef;

use crate::ast::{CreateTable, Query};
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;

/// Makes a table of the columns of a query beside those written, and fills it.
///
/// # Errors
/// Those of the query, of the definition and of the rows.
pub(super) fn create_select(
    _session: &mut Session,
    _c: &CreateTable,
    _query: &Query,
    _text: &[u8],
    _name: (&Arc<str>, &Arc<str>),
    _def: TableDef,
    _sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    Err(SqlError::not_supported("CREATE TABLE ... SELECT"))
}

//! Statements that change rows: INSERT, REPLACE, UPDATE, DELETE, LOAD DATA.
//!
//! Rows are found on the view as of the statement's start and changed in the working view of the
//! table's writer; what a statement changed becomes visible at its commit.

pub(crate) mod bulk;
pub mod delete;
pub mod insert;
pub mod load;
pub mod multi;
pub(crate) mod returning;
pub mod target;
pub mod text;
pub mod update;

use crate::ast::Statement;
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;

/// Runs INSERT, REPLACE, UPDATE, DELETE, LOAD DATA.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    session: &mut Session,
    statement: &Statement,
    text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    match statement {
        Statement::Insert(i) => insert::run(session, i, text, sink),
        Statement::Update(u) => update::run(session, u, text),
        Statement::Delete(d) => delete::run(session, d, text, sink),
        Statement::LoadData(l) => {
            session.stays = true;
            let result = session.afresh(|session| load::run(session, l, text, sink));
            session.stays = false;
            result
        }
        _ => Err(SqlError::not_supported("statement")),
    }
}

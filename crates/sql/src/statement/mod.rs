//! Statement execution: from text, prepared handle or cached fingerprint to the module that runs the statement.

mod cached_dml;
mod charge;
mod defaulted;
pub(crate) mod diagnostics;
pub(crate) mod explain_extended;
mod fingerprints;
mod handler;
mod init_connect;
mod into;
mod logged;
mod meant;
mod open;
mod outfile;
mod prepared;
mod read_only;
mod run;
pub(crate) mod secret;
pub(crate) mod select;
mod set;
mod set_checks;
mod xa;

pub use prepared::Prepared;
pub(crate) use run::counter_of;

use crate::error::SqlResult;
use crate::result::ResultSink;
use crate::session::Session;
use crate::status::Counter;

impl Session {
    /// COM_FIELD_LIST: the columns of a table, `wild` is a LIKE pattern. The sink gets the
    /// result schema and no rows.
    ///
    /// # Errors
    /// 1146 when there is no such table.
    pub fn field_list(&mut self, table: &str, wild: &str, sink: &mut dyn ResultSink) -> SqlResult<()> {
        self.count(Counter::ComShowFields);
        crate::show::columns::field_list(self, table, wild, sink)
    }
}

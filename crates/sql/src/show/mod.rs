//! SHOW and DESCRIBE.

pub mod columns;
mod create;
mod diagnostics;
mod events;
mod grants;
mod lists;
mod profiles;
mod quoting;
pub(crate) mod routines;
pub mod rows;
mod triggers;
mod view;

use crate::ast::{Show, Statement, VariableScope};
use crate::error::{SqlError, SqlResult};
use crate::result::{Done, ResultSink};
use crate::session::Session;

/// Runs SHOW and DESCRIBE.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    session: &mut Session,
    statement: &Statement,
    text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let show = match statement {
        Statement::Describe(table, wild) => return columns::describe(session, table, wild.as_deref(), sink),
        Statement::Show(show) => &**show,
        _ => return Err(SqlError::not_supported("statement")),
    };
    let _ = text;
    match show {
        Show::Databases(filter) => lists::databases(session, filter.as_ref(), sink),
        Show::Tables { full, db, filter } => {
            lists::tables(session, *full, db.as_deref(), filter.as_ref(), sink)
        }
        Show::TableStatus(db, filter) => lists::table_status(session, db.as_deref(), filter.as_ref(), sink),
        Show::OpenTables(db, filter) => lists::open_tables(session, db.as_deref(), filter.as_ref(), sink),
        Show::Columns { full, table, filter } => columns::show(session, *full, table, filter.as_ref(), sink),
        Show::Index(table, filter) => lists::index(session, table, filter.as_ref(), sink),
        Show::CreateTable(table) => create::table(session, table, sink),
        Show::CreateView(table) => create::view(session, table, sink),
        Show::CreateDatabase { if_not_exists, name } => create::database(session, name, *if_not_exists, sink),
        Show::CreateOther(kind @ ("PROCEDURE" | "FUNCTION"), name) => {
            routines::create(session, *kind == "FUNCTION", name, sink)
        }
        Show::CreateOther("TRIGGER", name) => triggers::create(session, name, sink),
        Show::CreateOther("SEQUENCE", name) => create::sequence(session, name, sink),
        Show::CreateOther("EVENT", name) => events::create(session, name, sink),
        Show::CreateOther(kind, name) => create::other(kind, name),
        Show::CreateUser(account) => grants::create_user(session, account.as_ref(), sink),
        Show::Grants(account) => grants::grants(session, account.as_ref(), sink),
        Show::Variables(scope, filter) => {
            lists::variables(session, *scope == VariableScope::Global, filter.as_ref(), sink)
        }
        Show::Status(scope, filter) => {
            lists::status(session, *scope == VariableScope::Global, filter.as_ref(), sink)
        }
        Show::Engines => lists::plain(session, "ENGINES", lists::ENGINES, None, sink),
        Show::Plugins(filter) => lists::plugins(session, filter.as_ref(), sink),
        Show::CharacterSet(filter) => {
            lists::plain(session, "CHARACTER_SETS", lists::CHARACTER_SETS, filter.as_ref(), sink)
        }
        Show::Collation(filter) => lists::collations(session, filter.as_ref(), sink),
        Show::Warnings(limit) => diagnostics::list(session, limit.as_ref(), false, sink),
        Show::Errors(limit) => diagnostics::list(session, limit.as_ref(), true, sink),
        Show::CountWarnings => diagnostics::count(session, false, sink),
        Show::CountErrors => diagnostics::count(session, true, sink),
        Show::Processlist { full } => diagnostics::processes(session, *full, sink),
        Show::Privileges => grants::privileges(session, sink),
        Show::Triggers(db, filter) => triggers::list(session, db.as_deref(), filter.as_ref(), sink),
        Show::Events(db, filter) => events::list(session, db.as_deref(), filter.as_ref(), sink),
        Show::RoutineStatus(kind @ ("PROCEDURE" | "FUNCTION"), filter) => {
            routines::status(session, kind, filter.as_ref(), sink)
        }
        Show::RoutineStatus(..) => lists::none_found(session, lists::ROUTINES, sink),
        Show::MasterStatus => lists::nothing(session, lists::MASTER_STATUS, sink),
        Show::SlaveStatus => lists::nothing(session, &["Slave_IO_State", "Master_Host", "Master_User"], sink),
        Show::SlaveHosts => lists::nothing(session, &["Server_id", "Host", "Port", "Master_id"], sink),
        Show::BinaryLogs => Err(SqlError::new(crate::error::ER_NO_BINARY_LOGGING, &[])),
        Show::BinlogEvents | Show::RelaylogEvents => {
            let headings = &["Log_name", "Pos", "Event_type", "Server_id", "End_log_pos", "Info"];
            lists::nothing(session, headings, sink)
        }
        Show::Profiles => profiles::all(session, sink),
        Show::Profile(shown) => profiles::one(session, shown, sink),
        Show::EngineStatus(..) => lists::nothing(session, &["Type", "Name", "Status"], sink),
        Show::Authors | Show::Contributors => lists::nothing(session, &["Name", "Location", "Comment"], sink),
        Show::RoutineCode(..) => Err(SqlError::new(
            crate::error::ER_FEATURE_DISABLED,
            &[&"SHOW PROCEDURE|FUNCTION CODE", &"--with-debug"],
        )),
        Show::Plugin(name, filter) if matches!(&**name, "USER_STATISTICS" | "CLIENT_STATISTICS") => {
            lists::consumption(session, &**name == "USER_STATISTICS", filter.as_ref(), sink)
        }
        Show::ExplainFor(_) | Show::Plugin(..) => Err(SqlError::not_supported("this SHOW statement")),
    }
}

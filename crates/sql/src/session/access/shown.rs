//! What SHOW needs.

use super::super::Session;
use crate::ast::{Show, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::rights::privilege::*;

impl Session {
    /// Exhaustive: a new kind of SHOW must be thought of here.
    pub(super) fn require_show(&mut self, show: &Show) -> SqlResult<()> {
        match show {
            Show::Tables { db, .. } | Show::TableStatus(db, _) | Show::Triggers(db, _) => {
                self.require_list(db.as_deref(), !GRANT_OPTION)
            }
            Show::Events(db, _) => {
                let db = self.named_database(db.as_deref())?;
                self.rights.need_database(&db, EVENT)
            }
            Show::CreateOther("EVENT", name) => self.require_event(name),
            Show::Columns { table, .. } | Show::Index(table, _) => self.require_columns(table),
            Show::CreateTable(t) => self.require_definition_of(t),
            Show::CreateView(t) | Show::CreateOther("SEQUENCE", t) => self.require_definition_of(t),
            Show::CreateDatabase { name, .. } => {
                if self.rights.sees_database(name, OF_DATABASE) {
                    return Ok(());
                }
                let (user, host) = (&self.rights.user, &self.rights.client);
                Err(SqlError::new(error::ER_DBACCESS_DENIED_ERROR, &[user, host, name]))
            }
            Show::MasterStatus | Show::BinaryLogs => self.rights.need_one_of(SUPER | BINLOG_MONITOR),
            Show::BinlogEvents => self.rights.need_one_of(BINLOG_MONITOR),
            Show::RelaylogEvents => self.rights.need_one_of(SLAVE_MONITOR),
            Show::SlaveStatus => self.rights.need_one_of(SUPER | SLAVE_MONITOR),
            Show::SlaveHosts => self.rights.need_one_of(REPLICATION_MASTER_ADMIN),
            Show::EngineStatus(..) => self.rights.need_one_of(PROCESS),
            // What they list is only what one may see; accounts ask by themselves.
            Show::Databases(_)
            | Show::OpenTables(..)
            | Show::Processlist { .. }
            | Show::CreateUser(_)
            | Show::Grants(_)
            | Show::Plugin(..) => Ok(()),
            // Everybody may.
            Show::CreateOther(..)
            | Show::Variables(..)
            | Show::Status(..)
            | Show::Engines
            | Show::Warnings(_)
            | Show::Errors(_)
            | Show::CountWarnings
            | Show::CountErrors
            | Show::Privileges
            | Show::Plugins(_)
            | Show::CharacterSet(_)
            | Show::Collation(_)
            | Show::RoutineStatus(..)
            | Show::RoutineCode(..)
            | Show::Profiles
            | Show::Profile(_)
            | Show::Authors
            | Show::Contributors
            | Show::ExplainFor(_) => Ok(()),
        }
    }

    fn named_database(&self, db: Option<&str>) -> SqlResult<String> {
        match db {
            Some(d) => Ok(d.to_string()),
            None => Ok(self.current_database()?.to_string()),
        }
    }

    fn require_list(&mut self, db: Option<&str>, bits: u64) -> SqlResult<()> {
        let db = self.named_database(db)?;
        if self.rights.sees_database(&db, bits) { Ok(()) } else { Err(self.rights.denied_database(&db)) }
    }

    /// SHOW COLUMNS and SHOW INDEX: SELECT, or anything given on the table itself.
    pub(super) fn require_columns(&mut self, t: &TableName) -> SqlResult<()> {
        let (db, name) = self.table_path(t)?;
        if self.rights.privileges().has_grant(&db, &name) { Ok(()) } else { self.require_table(t, SELECT) }
    }

    fn require_definition_of(&mut self, t: &TableName) -> SqlResult<()> {
        let (db, name) = self.table_path(t)?;
        let whole = self.rights.privileges().on_table(&db, &name);
        if self.temporary(&db, &name).is_some() || whole & OF_TABLE != 0 {
            return Ok(());
        }
        Err(self.rights.denied_statement(&db, &name, "SHOW"))
    }
}

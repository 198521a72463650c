//! Statements that make, change and drop databases, tables and indexes.

mod alter;
mod checks;
pub mod columns;
mod create;
pub(crate) mod create_select;
mod database;
pub mod defaults;
mod drop;
mod expressions;
pub(crate) mod folders;
pub mod keys;
mod merge;
mod options;
mod padding;
pub(crate) mod partition;
pub(crate) mod repair;
pub(crate) mod sequence;
mod trigger;
pub(crate) mod view;

use std::sync::Arc;

use charset::Collation;
use pages::FilePlan;
use schema::definition::TableDef;

use crate::ast::{self, Statement};
use crate::error::{SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::result::Done;
use crate::session::Session;
use crate::table::engine::{OpenSettings, StorageEngine, create, drop_files, open};
use crate::table::myisam::{CrashMarks, CreateSettings};
use crate::table::{EngineError, StoredTable};
use crate::variables::Settings;

/// Turns the syntax of a table's parts into its definition.
pub struct DefinitionBuilder<'a> {
    /// The engine that the table is for.
    pub engine: &'static dyn StorageEngine,
    /// Evaluates defaults; warnings go here.
    pub ctx: &'a mut EvalContext,
    /// The session's settings.
    pub settings: &'a Settings,
    /// The text of the statement.
    pub text: &'a [u8],
    /// The table's name.
    pub table: &'a str,
    /// The database's name.
    pub db: &'a str,
    /// Collation of the table: of columns that name none.
    pub collation: &'static Collation,
    /// Collation of the database.
    pub database_collation: &'static Collation,
    /// A TIMESTAMP column was met (explicit_defaults_for_timestamp=OFF).
    pub timestamp_seen: bool,
    /// Keys from this place on are new: only they are warned of.
    pub new_keys_from: usize,
    /// `enforce_storage_engine`: the engine of every new table.
    pub enforced: Option<&'static dyn crate::table::engine::StorageEngine>,
}

impl DefinitionBuilder<'_> {
    /// An expression as definitions keep it.
    pub fn print(&self, e: &ast::Expr) -> String {
        let style =
            ast::PrintStyle { charset: self.settings.connection.charset.name, ..ast::PrintStyle::default() };
        let mut bytes = Vec::new();
        e.print(style, &mut bytes);
        // Literals are in the client's character set still.
        expressions::unqualified(&crate::types::convert::text_of(&bytes, self.settings.client), self.table)
    }
}

/// How the files of new tables are laid out.
pub(crate) fn create_settings(session: &Session) -> CreateSettings {
    let memory = session.vars.named("max_heap_table_size").as_u64();
    CreateSettings { memory, ..crate::catalog::create_settings(&session.engine.variables) }
}

/// The name of a table that is being built: a restart removes it.
pub(crate) fn scratch_table() -> String {
    format!("{}{}", schema::file_name::PLAIN_PREFIX, pages::scratch_name())
}

/// Makes a table under a name of its own, to be filled.
pub(crate) fn create_scratch(
    session: &Session,
    db: &str,
    beside: &str,
    def: &TableDef,
) -> Result<Arc<StoredTable>, EngineError> {
    let (store, settings) = (session.engine.store(), create_settings(session));
    create(store, db, beside, def, settings)?;
    open(store, db, beside, &OpenSettings { create: settings, marks: CrashMarks::Refuse })
}

/// Removes a table that was not finished.
pub(crate) fn discard(session: &Session, db: &str, beside: &str) {
    let store = session.engine.store();
    let plan = drop_files(FilePlan::new(), store, db, beside);
    let settings = OpenSettings { create: create_settings(session), marks: CrashMarks::Refuse };
    let alone = |t: &Arc<StoredTable>| {
        t.pages.exclusive(session.owner(), std::time::Duration::from_secs(1), &|| false)
    };
    let result = match open(store, db, beside, &settings) {
        Ok(t) => {
            let parts = match t.def.partition {
                Some(_) => partition::fill::files_of(session, &t, (db, beside)).unwrap_or_default(),
                None => Vec::new(),
            };
            let guards: pages::Result<Vec<_>> = std::iter::once(&t).chain(&parts).map(alone).collect();
            guards.and_then(|guards| store.discard_all(guards, plan))
        }
        Err(_) => store.apply(plan),
    };
    if let Err(e) = result {
        tracing::warn!("{db}.{beside}: {e}");
    }
}

/// Runs a definition statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(session: &mut Session, statement: &Statement, text: &[u8]) -> SqlResult<Done> {
    let temporary = session.changes_temporary(statement);
    let _mark = if temporary { None } else { Some(session.begin_write()?) };
    match statement {
        Statement::CreateTable(c) if c.options.sequence => sequence::create_as_table(session, c),
        Statement::CreateTable(c) => session.retry_if_stale(|session| create::create_table(session, c, text)),
        Statement::DropTable(d) => drop::drop_tables(session, d),
        Statement::CreateView(c) => session.retry_if_stale(|session| view::create(session, c, text)),
        Statement::DropView(d) => view::drop_views(session, d),
        Statement::RenameTable(r) => drop::rename_tables(session, r),
        Statement::Truncate(t, _) => {
            sequence::refuse_table(session, t)?;
            drop::truncate(session, t)
        }
        Statement::CreateDatabase(c) => database::create(session, c),
        Statement::AlterDatabase(name, options) => database::alter(session, name.as_deref(), options),
        Statement::DropDatabase { if_exists, name } => database::drop(session, name, *if_exists),
        Statement::AlterTable(a) => {
            sequence::refuse(session, a)?;
            alter::alter(session, a, text)
        }
        Statement::CreateIndex(c) => {
            sequence::refuse_table(session, &c.table)?;
            alter::create_index(session, c, text)
        }
        Statement::DropIndex(d) => alter::drop_index(session, d, text),
        Statement::CreateTrigger(c) => trigger::create(session, c, text),
        Statement::CreateSequence(c) => sequence::create(session, c),
        Statement::AlterSequence(a) => sequence::alter(session, a),
        Statement::DropSequence(d) => sequence::drop(session, d),
        Statement::DropTrigger(d) => trigger::drop(session, d),
        _ => Err(SqlError::not_supported("statement")),
    }
}

/// Comments must be text of the client's character set.
///
/// # Errors
/// 1300, with what stands before the first wrong byte.
fn must_be_well_formed(text: &[u8], client: &charset::Charset) -> SqlResult<()> {
    let good = client.well_formed_len(text);
    if good == text.len() {
        return Ok(());
    }
    let before = crate::types::convert::text_of(&text[..good], client);
    Err(SqlError::new(crate::error::ER_INVALID_CHARACTER_STRING, &[&client.name, &before]))
}

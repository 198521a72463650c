//! Table options: from syntax to what is stored.

use schema::definition::{EngineOption, InsertMethod, RowFormat, TableOptions};

use super::DefinitionBuilder;
use crate::ast;
use crate::error::{self, SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::session::Session;
use crate::table::engine::{self, StorageEngine, engine_named};
use crate::types::collations::combine;
use crate::variables::SqlMode;

/// Longest comment of a table, in characters.
const MAX_COMMENT: usize = 2048;

/// The engine that `enforce_storage_engine` names.
pub(super) fn enforced_engine(session: &Session) -> Option<&'static dyn StorageEngine> {
    engine_named(session.vars.named("enforce_storage_engine").as_text())
}

/// What is to be said of an engine that nobody knows, of a table that there is already.
///
/// # Errors
/// 1286 under NO_ENGINE_SUBSTITUTION.
pub(super) fn tell_of_engine(name: &str, table: &str, session: &mut Session) -> SqlResult<()> {
    if crate::names::canonical_engine(name).is_some() {
        return Ok(());
    }
    if session.settings().sql_mode.has(SqlMode::NO_ENGINE_SUBSTITUTION) {
        return Err(SqlError::new(error::ER_UNKNOWN_STORAGE_ENGINE, &[&name]));
    }
    session.ctx.warnings.warn(error::ER_UNKNOWN_STORAGE_ENGINE, &[&name]);
    session.ctx.warnings.warn(error::ER_WARN_USING_OTHER_HANDLER, &[&"MyISAM", &table]);
    Ok(())
}

/// Whether the enforced engine takes the place of the one that a table was to have, which a note tells then.
///
/// # Errors
/// 1290 under NO_ENGINE_SUBSTITUTION.
pub(super) fn replaced_by(
    enforced: &dyn StorageEngine,
    asked: &str,
    table: &str,
    mode: SqlMode,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    let name = enforced.info().name;
    if name.eq_ignore_ascii_case(asked) {
        return Ok(false);
    }
    if mode.has(SqlMode::NO_ENGINE_SUBSTITUTION) {
        return Err(SqlError::new(error::ER_OPTION_PREVENTS_STATEMENT, &[&"NO_ENGINE_SUBSTITUTION"]));
    }
    ctx.warnings.note(error::ER_WARN_USING_OTHER_HANDLER, &[&name, &table]);
    Ok(true)
}

impl DefinitionBuilder<'_> {
    /// Takes the engine of that name for the table. MyISAM stands in for those that are not here, and a warning tells; not of Aria for a
    /// TEMPORARY table, which is MyISAM that survives a crash: such a table does not outlive its connection.
    ///
    /// # Errors
    /// 1286 for an unknown name under NO_ENGINE_SUBSTITUTION, and 1290 for another engine than the one that is enforced.
    pub fn choose_engine(&mut self, name: &str, table: &str, temporary: bool) -> SqlResult<()> {
        let known = crate::names::canonical_engine(name).filter(|known| *known != "SEQUENCE");
        match (self.enforced, known) {
            (Some(enforced), Some(known)) => {
                replaced_by(enforced, known, table, self.settings.sql_mode, self.ctx)?;
                self.engine = enforced;
                Ok(())
            }
            _ => self.choose_named_engine(name, table, temporary),
        }
    }

    /// As [`DefinitionBuilder::choose_engine`] for a table that there is: an unknown name changes nothing. The table is called by the name that
    /// it gets.
    ///
    /// # Errors
    /// As there.
    pub fn change_engine(&mut self, name: &str, table: &str) -> SqlResult<()> {
        let unknown = crate::names::canonical_engine(name).is_none();
        if unknown && !self.settings.sql_mode.has(SqlMode::NO_ENGINE_SUBSTITUTION) {
            self.ctx.warnings.warn(error::ER_UNKNOWN_STORAGE_ENGINE, &[&name]);
            return Ok(());
        }
        self.choose_engine(name, table, false)
    }

    fn choose_named_engine(&mut self, name: &str, table: &str, temporary: bool) -> SqlResult<()> {
        let known = crate::names::canonical_engine(name);
        if let Some(engine) = known.and_then(engine_named) {
            self.engine = engine;
            return Ok(());
        }
        self.engine = engine::default();
        match known {
            // Its tables are there by their names alone.
            Some("SEQUENCE") => Err(SqlError::with_message(
                error::ER_CANT_CREATE_TABLE,
                format!(
                    "Can't create table `{}`.`{table}` (errno: 131 \"Command not supported by the engine\")",
                    self.db
                ),
            )),
            Some("Aria") if temporary => Ok(()),
            None if self.settings.sql_mode.has(SqlMode::NO_ENGINE_SUBSTITUTION) => {
                Err(SqlError::new(error::ER_UNKNOWN_STORAGE_ENGINE, &[&name]))
            }
            known => {
                if known.is_none() {
                    self.ctx.warnings.warn(error::ER_UNKNOWN_STORAGE_ENGINE, &[&name]);
                }
                self.ctx.warnings.warn(error::ER_WARN_USING_OTHER_HANDLER, &[&"MyISAM", &table]);
                Ok(())
            }
        }
    }

    /// Applies options to those of a table.
    ///
    /// # Errors
    /// 1103 for a relative directory, 1628 for a long comment, 1911 for unknown options, those
    /// of character sets.
    pub fn options(&mut self, o: &ast::TableOptions, to: &mut TableOptions) -> SqlResult<()> {
        if let Some((old, new)) = &o.unlike_default {
            let of_database = self.database_collation.charset;
            check_declared(old, new, of_database)?;
        }
        if o.charset.is_some() || o.collation.is_some() {
            let default = if o.charset.is_none() { to.collation } else { self.database_collation };
            to.collation = combine(o.charset.as_deref(), o.collation.as_deref(), default)?;
        }
        if let Some(f) = o.row_format {
            to.row_format = match f {
                ast::RowFormat::Default => RowFormat::Default,
                ast::RowFormat::Fixed => RowFormat::Fixed,
                ast::RowFormat::Dynamic => RowFormat::Dynamic,
                ast::RowFormat::Compressed => RowFormat::Compressed,
                ast::RowFormat::Redundant => RowFormat::Redundant,
                ast::RowFormat::Compact => RowFormat::Compact,
                ast::RowFormat::Page => RowFormat::Page,
            };
        }
        if o.sequence {
            to.sequence = Some(true);
        }
        let narrow = |v: u64| u32::try_from(v).unwrap_or(u32::MAX);
        // a definition has 32 bits for each, and files are laid out for as many rows
        let rows = |said: Option<u64>, before| said.map_or(before, |n| n.min(u64::from(u32::MAX)));
        to.max_rows = rows(o.max_rows, to.max_rows);
        to.min_rows = rows(o.min_rows, to.min_rows);
        to.avg_row_length = o.avg_row_length.map_or(to.avg_row_length, narrow);
        to.pack_keys = o.pack_keys.unwrap_or(to.pack_keys);
        to.checksum = o.checksum.unwrap_or(to.checksum);
        to.delay_key_write = o.delay_key_write.unwrap_or(to.delay_key_write);
        to.auto_increment = o.auto_increment.unwrap_or(to.auto_increment);
        to.key_block_size =
            o.key_block_size.map_or(to.key_block_size, |v| u16::try_from(v).unwrap_or(u16::MAX));
        to.stats_persistent = o.stats_persistent.unwrap_or(to.stats_persistent);
        to.stats_auto_recalc = o.stats_auto_recalc.unwrap_or(to.stats_auto_recalc);
        to.page_checksum = o.page_checksum.or(to.page_checksum);
        if let Some(Some(n)) = o.stats_sample_pages {
            to.stats_sample_pages = u16::try_from(n).unwrap_or(u16::MAX);
        }
        if let Some(transactional) = o.transactional {
            self.unknown_to_engine("transactional")?;
            to.transactional = transactional;
        }
        if let Some(c) = &o.comment {
            let table = self.table.to_string();
            to.comment = self.comment(c, MAX_COMMENT, || {
                SqlError::new(error::ER_TOO_LONG_TABLE_COMMENT, &[&table, &MAX_COMMENT])
            })?;
        }
        if let Some(c) = &o.connection {
            to.connection = crate::types::convert::text_of(c, self.settings.client);
        }
        to.insert_method = match o.insert_method {
            Some(ast::InsertMethod::First) => InsertMethod::First,
            Some(ast::InsertMethod::Last) => InsertMethod::Last,
            Some(ast::InsertMethod::No) => InsertMethod::No,
            None => to.insert_method,
        };
        if let Some(tables) = &o.union {
            to.union = self.union(tables)?;
        }
        if o.versioned {
            return Err(SqlError::not_supported("WITH SYSTEM VERSIONING"));
        }
        Ok(())
    }

    /// The tables of UNION=(...): those without a database are of the current one.
    fn union(&self, tables: &[ast::TableName]) -> SqlResult<Vec<(String, String)>> {
        let mut list: Vec<(String, String)> = Vec::with_capacity(tables.len());
        for table in tables {
            let db = match table.db.as_deref().or(self.ctx.connection.database.as_deref()) {
                Some(db) if db == self.db => String::new(),
                Some(db) => db.to_owned(),
                None => return Err(SqlError::new(error::ER_NO_DB_ERROR, &[])),
            };
            let path = (db, table.name.to_string());
            if list.contains(&path) {
                return Err(SqlError::new(error::ER_NONUNIQ_TABLE, &[&path.1]));
            }
            list.push(path);
        }
        Ok(list)
    }

    /// Options of an engine: this one has none. Under IGNORE_BAD_TABLE_OPTIONS they are kept for another.
    ///
    /// # Errors
    /// 1911.
    pub fn attributes(
        &mut self,
        given: &[(ast::Name, ast::OptionValue)],
        to: &mut Vec<EngineOption>,
    ) -> SqlResult<()> {
        for (place, (name, value)) in given.iter().enumerate() {
            if given[place + 1..].iter().any(|(later, _)| later.eq_ignore_ascii_case(name)) {
                continue;
            }
            if !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$') {
                return Err(SqlError::new(error::ER_UNKNOWN_OPTION, &[&name]));
            }
            self.unknown_option(name)?;
            to.retain(|option| !option.name.eq_ignore_ascii_case(name));
            let quoted = matches!(value, ast::OptionValue::Text(_));
            let value = match value {
                ast::OptionValue::Default => continue,
                ast::OptionValue::Number(n) => n.to_string(),
                ast::OptionValue::Word(word) => word.to_string(),
                ast::OptionValue::Text(text) => crate::types::convert::text_of(text, self.settings.client),
            };
            to.push(EngineOption { name: name.to_string(), value, quoted });
        }
        Ok(())
    }

    /// An option that the server knows and the engine does not is refused in strict modes alone.
    fn unknown_to_engine(&mut self, name: &str) -> SqlResult<()> {
        if self.settings.sql_mode.strict() {
            return self.unknown_option(name);
        }
        self.ctx.warnings.warn(error::ER_UNKNOWN_OPTION, &[&name]);
        Ok(())
    }

    fn unknown_option(&mut self, name: &str) -> SqlResult<()> {
        if self.settings.sql_mode.has(SqlMode::IGNORE_BAD_TABLE_OPTIONS) {
            self.ctx.warnings.warn(error::ER_UNKNOWN_OPTION, &[&name]);
            return Ok(());
        }
        Err(SqlError::new(error::ER_UNKNOWN_OPTION, &[&name]))
    }
}

/// Two CHARACTER SET clauses, one of them DEFAULT: that of the database, which the other one must be.
///
/// # Errors
/// 1302.
fn check_declared(old: &str, new: &str, of_database: &charset::Charset) -> SqlResult<()> {
    let text = |name: &str| match name {
        "default" => format!("DEFAULT ({})", of_database.name),
        name => charset::Charset::by_name(name).map_or(name, |c| c.name).to_string(),
    };
    let same = |name: &str| name == "default" || text(name) == of_database.name;
    if same(old) && same(new) {
        return Ok(());
    }
    let clause = "CHARACTER SET ";
    Err(SqlError::new(error::ER_CONFLICTING_DECLARATIONS, &[&clause, &text(old), &clause, &text(new)]))
}

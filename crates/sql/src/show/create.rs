//! SHOW CREATE.

use schema::definition::TableOptions;
use schema::show_create::{ShowOptions, show_create};

use super::quoting::{Quoting, needs_quotes};
use super::rows::{Rows, s, text};
use crate::ast::TableName;
use crate::error::{self, SqlError, SqlResult};
use crate::information_schema;
use crate::names::INFORMATION_SCHEMA;
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::session::tables::Access;
use crate::table::merge::is_merge;
use crate::types::{FieldType, Value};
use crate::variables::SqlMode;

/// SHOW CREATE TABLE.
pub(super) fn table(session: &mut Session, name: &TableName, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let (db, table) = session.table_path(name)?;
    if &*db == INFORMATION_SCHEMA {
        return described(session, name, &table, sink);
    }
    if let Some(view) = session.view_of(name)? {
        return super::view::create(session, &view, sink);
    }
    let (def, temporary) = session.shown_definition(name, Access::Shown)?;
    // The counter lives on when its column has gone.
    let counted = def.columns.iter().position(|c| c.auto_increment);
    let leading =
        counted.is_none_or(|c| def.keys.iter().any(|k| k.parts.first().is_some_and(|p| p.column == c)));
    let auto_increment = if leading && def.foreign_engine().is_none() && !is_merge(&def) {
        let t = session.base(name, &table, Access::Shown)?;
        let state = t.state();
        let state = t.state_of(&state);
        state.auto_increment().max(t.counter()) + 1
    } else {
        0
    };
    let settings = session.settings();
    let mode = settings.sql_mode;
    let def = match mode.has(SqlMode::NO_DIR_IN_CREATE) {
        true => crate::ddl::folders::without(def),
        false => def,
    };
    let options = ShowOptions {
        quote: if mode.has(SqlMode::ANSI_QUOTES) { b'"' } else { b'`' },
        needs_quotes: if settings.sql_quote_show_create { None } else { Some(&needs_quotes) },
        temporary,
        auto_increment,
        old_form: mode.has(SqlMode::MYSQL323) || mode.has(SqlMode::MYSQL40),
        no_table_options: mode.has(SqlMode::NO_TABLE_OPTIONS) || mode.has(SqlMode::ANSI),
        no_key_options: mode.has(SqlMode::NO_KEY_OPTIONS),
        bad_options_plain: mode.has(SqlMode::IGNORE_BAD_TABLE_OPTIONS),
        no_field_options: mode.has(SqlMode::NO_FIELD_OPTIONS),
        ..ShowOptions::default()
    };
    let _: &TableOptions = &def.options;
    let sql = show_create(&def, &table, &options);
    let mut rows = Rows::new(vec![("Table", text(64)), ("Create Table", text(1024))]);
    rows.push(vec![s(&table), Value::Bytes(sql)]);
    rows.send(session, sink)
}

/// SHOW CREATE TABLE of a table of information_schema: the temporary one that its rows would fill.
fn described(
    session: &mut Session,
    name: &TableName,
    table: &str,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let Some(def) = information_schema::definition(table) else {
        session.base(name, table, Access::Shown)?;
        return Err(SqlError::new(error::ER_UNKNOWN_TABLE, &[&table, &INFORMATION_SCHEMA]));
    };
    let q = Quoting::of(session);
    let line = |((column, ty), declared): (&(String, FieldType), &&str)| {
        format!("  {} {declared}{}", q.name(column), if ty.nullable { "" } else { " NOT NULL" })
    };
    let lines: Vec<String> = def.columns.iter().zip(&def.declared).map(line).collect();
    // as for any temporary table: MEMORY has no room for long texts
    let engine = if def.columns.iter().any(|(_, ty)| ty.is_blob()) { "MyISAM" } else { "MEMORY" };
    let system = charset::system();
    let sql = format!(
        "CREATE TEMPORARY TABLE {} (\n{}\n) ENGINE={engine} DEFAULT CHARSET={} COLLATE={}",
        q.name(def.name),
        lines.join(",\n"),
        system.charset.name,
        system.name
    );
    let mut rows = Rows::new(vec![("Table", text(64)), ("Create Table", text(1024))]);
    rows.push(vec![s(def.name), s(sql)]);
    rows.send(session, sink)
}

/// SHOW CREATE VIEW.
pub(super) fn view(session: &mut Session, name: &TableName, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    let (db, table) = session.table_path(name)?;
    if let Some(view) = session.view_of(name)? {
        return super::view::create(session, &view, sink);
    }
    session.base(name, &table, Access::Shown)?;
    Err(SqlError::new(error::ER_WRONG_OBJECT, &[&db, &table, &"VIEW"]))
}

/// SHOW CREATE DATABASE.
pub(super) fn database(
    session: &mut Session,
    name: &str,
    if_not_exists: bool,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let db = session.engine.catalog.database(name)?;
    let name = Quoting::of(session).name(&db.name);
    let exists = if if_not_exists { "/*!32312 IF NOT EXISTS*/ " } else { "" };
    let mut sql = format!(
        "CREATE DATABASE {exists}{name} /*!40100 DEFAULT CHARACTER SET {}",
        db.collation.charset.name
    );
    // the binary character set has no other collation
    if db.collation.id != 63 {
        sql.push_str(&format!(" COLLATE {}", db.collation.name));
    }
    sql.push_str(" */");
    if !db.comment.is_empty() {
        let mut quoted = Vec::new();
        crate::ast::quote_string(db.comment.as_bytes(), &mut quoted);
        sql.push_str(" COMMENT ");
        sql.push_str(&String::from_utf8_lossy(&quoted));
    }
    let mut rows = Rows::new(vec![("Database", text(64)), ("Create Database", text(1024))]);
    rows.push(vec![s(&db.name), s(sql)]);
    rows.send(session, sink)
}

/// SHOW CREATE SEQUENCE.
///
/// # Errors
/// 4089; those of opening it.
pub(super) fn sequence(
    session: &mut Session,
    name: &TableName,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let (db, bare) = session.table_path(name)?;
    let statement = session.retry_if_stale(|session| {
        let table = session.base(name, &bare, Access::Shown)?;
        if !table.is_sequence() {
            return Err(SqlError::new(error::ER_NOT_SEQUENCE, &[&db, &bare]));
        }
        let settings = crate::dml::sequence::settings(session, &table)?;
        let ansi_quotes = session.vars.settings.sql_mode.has(crate::variables::SqlMode::ANSI_QUOTES);
        let style = crate::ast::PrintStyle { ansi_quotes, ..crate::ast::PrintStyle::default() };
        Ok(crate::ddl::sequence::statement(&table, &settings, style))
    })?;
    let mut rows = Rows::new(vec![("Table", text(64)), ("Create Table", text(1024))]);
    rows.push(vec![s(&*bare), s(statement)]);
    rows.send(session, sink)
}

/// SHOW CREATE of packages and the like: there are none.
pub(super) fn other(kind: &str, name: &TableName) -> SqlResult<Done> {
    Err(SqlError::new(error::ER_SP_DOES_NOT_EXIST, &[&kind, &name.name]))
}

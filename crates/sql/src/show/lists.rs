//! SHOW of lists: rows of information_schema under other headings.

use std::borrow::Cow;
use std::sync::Arc;

use super::rows::{Rows, s, text};
use crate::ast::{ShowFilter, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::information_schema::{InfoSchemaContext, Wanted, definition, index_rows};
use crate::names::INFORMATION_SCHEMA;
use crate::result::{Done, ResultSchema, ResultSink, flag};
use crate::session::Session;
use crate::session::tables::Access;
use crate::status::Counter;
use crate::types::Value;

/// A heading and the column of information_schema below it.
pub(super) type Heading = (&'static str, &'static str);

pub(super) const ENGINES: &[Heading] = &[
    ("Engine", "ENGINE"),
    ("Support", "SUPPORT"),
    ("Comment", "COMMENT"),
    ("Transactions", "TRANSACTIONS"),
    ("XA", "XA"),
    ("Savepoints", "SAVEPOINTS"),
];

pub(super) const PLUGINS: &[Heading] = &[
    ("Name", "PLUGIN_NAME"),
    ("Status", "PLUGIN_STATUS"),
    ("Type", "PLUGIN_TYPE"),
    ("Library", "PLUGIN_LIBRARY"),
    ("License", "PLUGIN_LICENSE"),
];

pub(super) const CHARACTER_SETS: &[Heading] = &[
    ("Charset", "CHARACTER_SET_NAME"),
    ("Description", "DESCRIPTION"),
    ("Default collation", "DEFAULT_COLLATE_NAME"),
    ("Maxlen", "MAXLEN"),
];

const COLLATIONS: &[Heading] = &[
    ("Collation", "COLLATION_NAME"),
    ("Charset", "CHARACTER_SET_NAME"),
    ("Id", "ID"),
    ("Default", "IS_DEFAULT"),
    ("Compiled", "IS_COMPILED"),
    ("Sortlen", "SORTLEN"),
];

/// What users and clients have used.
const CONSUMPTION: [Heading; 24] = [
    ("Total_connections", "TOTAL_CONNECTIONS"),
    ("Concurrent_connections", "CONCURRENT_CONNECTIONS"),
    ("Connected_time", "CONNECTED_TIME"),
    ("Busy_time", "BUSY_TIME"),
    ("Cpu_time", "CPU_TIME"),
    ("Bytes_received", "BYTES_RECEIVED"),
    ("Bytes_sent", "BYTES_SENT"),
    ("Binlog_bytes_written", "BINLOG_BYTES_WRITTEN"),
    ("Rows_read", "ROWS_READ"),
    ("Rows_sent", "ROWS_SENT"),
    ("Rows_deleted", "ROWS_DELETED"),
    ("Rows_inserted", "ROWS_INSERTED"),
    ("Rows_updated", "ROWS_UPDATED"),
    ("Select_commands", "SELECT_COMMANDS"),
    ("Update_commands", "UPDATE_COMMANDS"),
    ("Other_commands", "OTHER_COMMANDS"),
    ("Commit_transactions", "COMMIT_TRANSACTIONS"),
    ("Rollback_transactions", "ROLLBACK_TRANSACTIONS"),
    ("Denied_connections", "DENIED_CONNECTIONS"),
    ("Lost_connections", "LOST_CONNECTIONS"),
    ("Access_denied", "ACCESS_DENIED"),
    ("Empty_queries", "EMPTY_QUERIES"),
    ("Total_ssl_connections", "TOTAL_SSL_CONNECTIONS"),
    ("Max_statement_time_exceeded", "MAX_STATEMENT_TIME_EXCEEDED"),
];

const TABLE_STATUS: &[Heading] = &[
    ("Name", "TABLE_NAME"),
    ("Engine", "ENGINE"),
    ("Version", "VERSION"),
    ("Row_format", "ROW_FORMAT"),
    ("Rows", "TABLE_ROWS"),
    ("Avg_row_length", "AVG_ROW_LENGTH"),
    ("Data_length", "DATA_LENGTH"),
    ("Max_data_length", "MAX_DATA_LENGTH"),
    ("Index_length", "INDEX_LENGTH"),
    ("Data_free", "DATA_FREE"),
    ("Auto_increment", "AUTO_INCREMENT"),
    ("Create_time", "CREATE_TIME"),
    ("Update_time", "UPDATE_TIME"),
    ("Check_time", "CHECK_TIME"),
    ("Collation", "TABLE_COLLATION"),
    ("Checksum", "CHECKSUM"),
    ("Create_options", "CREATE_OPTIONS"),
    ("Comment", "TABLE_COMMENT"),
    ("Max_index_length", "MAX_INDEX_LENGTH"),
    ("Temporary", "TEMPORARY"),
];

const INDEX: &[Heading] = &[
    ("Table", "TABLE_NAME"),
    ("Non_unique", "NON_UNIQUE"),
    ("Key_name", "INDEX_NAME"),
    ("Seq_in_index", "SEQ_IN_INDEX"),
    ("Column_name", "COLUMN_NAME"),
    ("Collation", "COLLATION"),
    ("Cardinality", "CARDINALITY"),
    ("Sub_part", "SUB_PART"),
    ("Packed", "PACKED"),
    ("Null", "NULLABLE"),
    ("Index_type", "INDEX_TYPE"),
    ("Comment", "COMMENT"),
    ("Index_comment", "INDEX_COMMENT"),
    ("Ignored", "IGNORED"),
];

pub(super) const ROUTINES: &[&str] = &[
    "Db",
    "Name",
    "Type",
    "Definer",
    "Modified",
    "Created",
    "Security_type",
    "Comment",
    "character_set_client",
    "collation_connection",
    "Database Collation",
];

pub(super) const MASTER_STATUS: &[&str] = &["File", "Position", "Binlog_Do_DB", "Binlog_Ignore_DB"];

/// What information_schema shows this session.
pub(super) fn info_schema_context(session: &mut Session, table: &str) -> InfoSchemaContext {
    session.split(b"").0.info_schema_context(table)
}

/// Rows of an information_schema table under other headings.
pub(super) fn pick(
    sight: &InfoSchemaContext,
    table: &str,
    headings: &[Heading],
    wanted: Wanted<'_>,
) -> SqlResult<Rows> {
    let d = definition(table).ok_or_else(|| SqlError::internal("no such table of information_schema"))?;
    picked(table, headings, sight.rows(d.name, wanted)?)
}

/// Some columns of rows of an information_schema table, under other headings.
fn picked(table: &str, headings: &[Heading], rows: Vec<Vec<Value>>) -> SqlResult<Rows> {
    let d = definition(table).ok_or_else(|| SqlError::internal("no such table of information_schema"))?;
    let places: Vec<usize> = headings
        .iter()
        .map(|(_, column)| d.columns.iter().position(|(n, _)| n == column).unwrap_or(0))
        .collect();
    let columns = headings
        .iter()
        .zip(&places)
        .map(|((heading, _), p)| (heading.to_string(), d.columns[*p].1.clone()))
        .collect();
    let rows = rows.into_iter().map(|row| places.iter().map(|p| row[*p].clone()).collect()).collect();
    Ok(Rows { columns, rows })
}

/// Sends rows of an information_schema table, which FOUND_ROWS counts, with the description of its columns.
pub(super) fn send(
    rows: &Rows,
    session: &mut Session,
    table: &str,
    headings: &[Heading],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let most = usize::try_from(session.vars.settings.sql_select_limit).unwrap_or(usize::MAX);
    let limited = (rows.rows.len() > most)
        .then(|| Rows { columns: rows.columns.clone(), rows: rows.rows[..most].to_vec() });
    let rows = limited.as_ref().unwrap_or(rows);
    let count = rows.rows.len() as u64;
    session.ctx.connection.found_rows = count;
    // read from a temporary table, as MariaDB counts it
    session.connection.counters.add(Counter::RowsTmpRead, count);
    session.connection.counters.add(Counter::RowsSent, count);
    let schema = rows.schema(session, INFORMATION_SCHEMA, table);
    let mut columns = schema.columns.clone();
    for (c, (_, name)) in columns.iter_mut().zip(headings) {
        c.org_name = (*name).to_string();
        c.flags |= flag::NO_DEFAULT_VALUE;
    }
    rows.send_schema(session, &Arc::new(ResultSchema::new(columns, session.ctx.results)), sink)
}

/// A whole table of information_schema under other headings.
pub(super) fn plain(
    session: &mut Session,
    table: &str,
    headings: &[Heading],
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let sight = info_schema_context(session, table);
    let mut rows = pick(&sight, table, headings, Wanted::default())?;
    rows.filter(session, filter, 0)?;
    send(&rows, session, table, headings, sink)
}

/// SHOW COLLATION: LIKE looks at the full name of a collation that several character sets have.
pub(super) fn collations(
    session: &mut Session,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let sight = info_schema_context(session, "COLLATIONS");
    let mut rows = pick(&sight, "COLLATIONS", COLLATIONS, Wanted::default())?;
    rows.filter_by(session, filter, |row| match row {
        [Value::Bytes(name), Value::Null, ..] => Some(Cow::Owned([b"utf8mb4_", &name[..]].concat())),
        [Value::Bytes(name), ..] => Some(Cow::Borrowed(name)),
        _ => None,
    })?;
    send(&rows, session, "COLLATIONS", COLLATIONS, sink)
}

/// SHOW PLUGINS: LIKE looks at the library.
pub(super) fn plugins(
    session: &mut Session,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let sight = info_schema_context(session, "PLUGINS");
    let mut rows = pick(&sight, "PLUGINS", PLUGINS, Wanted::default())?;
    let library = PLUGINS.iter().position(|(_, column)| *column == "PLUGIN_LIBRARY").unwrap_or(0);
    rows.filter(session, filter, library)?;
    send(&rows, session, "PLUGINS", PLUGINS, sink)
}

/// SHOW USER_STATISTICS, SHOW CLIENT_STATISTICS.
pub(super) fn consumption(
    session: &mut Session,
    of_users: bool,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let (table, first) = match of_users {
        true => ("USER_STATISTICS", ("User", "USER")),
        false => ("CLIENT_STATISTICS", ("Client", "CLIENT")),
    };
    let headings: Vec<Heading> = std::iter::once(first).chain(CONSUMPTION).collect();
    let sight = info_schema_context(session, table);
    let mut rows = pick(&sight, table, &headings, Wanted::default())?;
    rows.filter(session, filter, 0)?;
    send(&rows, session, table, &headings, sink)
}

/// As [`nothing`], of a list that FOUND_ROWS counts.
pub(super) fn none_found(
    session: &mut Session,
    headings: &[&str],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    session.ctx.connection.found_rows = 0;
    nothing(session, headings, sink)
}

/// A result without rows.
pub(super) fn nothing(
    session: &mut Session,
    headings: &[&str],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    Rows::new(headings.iter().map(|h| (*h, text(64))).collect()).send(session, sink)
}

/// The heading of a list, with the pattern when there is one.
fn with_pattern(session: &Session, heading: String, filter: Option<&ShowFilter>) -> String {
    match filter {
        Some(ShowFilter::Like(p)) => format!("{heading} ({})", session.client_text(p)),
        _ => heading,
    }
}

/// The database that a SHOW names, or the current one.
///
/// # Errors
/// 1046 without any, 1049 when there is none of the name.
pub(super) fn check_database(session: &Session, db: Option<&str>) -> SqlResult<String> {
    let name = match db {
        Some(d) => d.to_string(),
        None => session.current_database()?.to_string(),
    };
    Ok(session.engine.catalog.database(&name)?.name.clone())
}

/// What a table of information_schema has of a database; LIKE looks at the heading with that number.
pub(super) fn of_database(
    session: &mut Session,
    (table, headings): (&str, &'static [Heading]),
    db: &str,
    (filter, place): (Option<&ShowFilter>, usize),
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let sight = info_schema_context(session, table);
    let mut rows = pick(&sight, table, headings, Wanted { db: Some(db), table: None })?;
    rows.filter(session, filter, place)?;
    send(&rows, session, table, headings, sink)
}

pub(super) fn databases(
    session: &mut Session,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let headings = &[("Database", "SCHEMA_NAME")];
    let sight = info_schema_context(session, "SCHEMATA");
    let mut rows = pick(&sight, "SCHEMATA", headings, Wanted::default())?;
    rows.filter(session, filter, 0)?;
    rows.columns[0].0 = with_pattern(session, "Database".into(), filter);
    send(&rows, session, "SCHEMATA", headings, sink)
}

pub(super) fn tables(
    session: &mut Session,
    full: bool,
    db: Option<&str>,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let db = check_database(session, db)?;
    let all = &[("Tables_in", "TABLE_NAME"), ("Table_type", "TABLE_TYPE")];
    let sight = info_schema_context(session, "TABLE_NAMES");
    let mut rows = pick(&sight, "TABLE_NAMES", all, Wanted { db: Some(&db), table: None })?;
    rows.columns[0].0 = format!("Tables_in_{db}");
    rows.filter(session, filter, 0)?;
    rows.columns[0].0 = with_pattern(session, format!("Tables_in_{db}"), filter);
    let headings = if full { &all[..] } else { &all[..1] };
    if !full {
        rows.columns.truncate(1);
        for row in &mut rows.rows {
            row.truncate(1);
        }
    }
    send(&rows, session, "TABLE_NAMES", headings, sink)
}

pub(super) fn table_status(
    session: &mut Session,
    db: Option<&str>,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let db = check_database(session, db)?;
    let sight = info_schema_context(session, "TABLES");
    let mut rows = pick(&sight, "TABLES", TABLE_STATUS, Wanted { db: Some(&db), table: None })?;
    session.ctx.warnings.tell_again(sight.warnings.lock().entries());
    rows.filter(session, filter, 0)?;
    send(&rows, session, "TABLES", TABLE_STATUS, sink)
}

pub(super) fn open_tables(
    session: &mut Session,
    db: Option<&str>,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let headings =
        &[("Database", "Database"), ("Table", "Table"), ("In_use", "In_use"), ("Name_locked", "Name_locked")];
    let sight = info_schema_context(session, "OPEN_TABLES");
    let mut rows = pick(&sight, "OPEN_TABLES", headings, Wanted { db, table: None })?;
    rows.filter(session, filter, 1)?;
    send(&rows, session, "OPEN_TABLES", headings, sink)
}

pub(super) fn index(
    session: &mut Session,
    table: &TableName,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let (db, name) = session.table_path(table)?;
    if &*db == INFORMATION_SCHEMA {
        let headings = INDEX;
        let rows = pick(
            &info_schema_context(session, "STATISTICS"),
            "STATISTICS",
            headings,
            Wanted { db: Some(""), table: None },
        )?;
        return send(&rows, session, "STATISTICS", headings, sink);
    }
    let mut all = Vec::new();
    if session.is_sequence(&db, &name) || session.view_of(table)?.is_some() {
        let (def, _) = session.shown_definition(table, Access::Described)?;
        index_rows(&db, &name, &def, None, &mut all);
    } else {
        let t = session.base(table, &name, Access::Described)?;
        let state = t.state();
        let state = t.state_of(&state);
        index_rows(&db, &name, t.def(), Some(&state), &mut all);
    }
    let mut rows = picked("STATISTICS", INDEX, all)?;
    rows.filter(session, filter, 2)?;
    send(&rows, session, "STATISTICS", INDEX, sink)
}

const VARIABLES: &[Heading] = &[("Variable_name", "VARIABLE_NAME"), ("Value", "VARIABLE_VALUE")];

fn names_and_values(table: &str, values: Vec<(&'static str, String)>) -> SqlResult<Rows> {
    let d = definition(table).ok_or_else(|| SqlError::internal("no such table of information_schema"))?;
    let columns = VARIABLES
        .iter()
        .zip(&d.columns)
        .map(|((heading, _), (_, ty))| (heading.to_string(), ty.clone()))
        .collect();
    let rows = values.into_iter().map(|(n, v)| vec![s(n), Value::Bytes(v.into_bytes())]).collect();
    Ok(Rows { columns, rows })
}

pub(super) fn variables(
    session: &mut Session,
    global: bool,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let table = if global { "GLOBAL_VARIABLES" } else { "SESSION_VARIABLES" };
    let values = session.split(b"").0.all(global);
    let mut rows = names_and_values(table, values)?;
    rows.filter(session, filter, 0)?;
    send(&rows, session, table, VARIABLES, sink)
}

pub(super) fn status(
    session: &mut Session,
    global: bool,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let table = if global { "GLOBAL_STATUS" } else { "SESSION_STATUS" };
    let values = info_schema_context(session, table).status_values(global);
    let mut rows = names_and_values(table, values)?;
    rows.filter(session, filter, 0)?;
    let _ = error::ER_UNKNOWN_ERROR;
    send(&rows, session, table, VARIABLES, sink)
}

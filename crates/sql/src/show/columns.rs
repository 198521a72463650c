//! SHOW COLUMNS, DESCRIBE and COM_FIELD_LIST.

use std::sync::Arc;

use schema::definition::{ColumnDef, DefaultValue, Visibility};
use schema::show_create::{ShowOptions, default_text};

use super::lists::{Heading, info_schema_context, pick, send};
use super::rows::{Rows, like};
use crate::ast::{ShowFilter, TableName};
use crate::error::{self, SqlError, SqlResult};
use crate::information_schema::{Wanted, definition};
use crate::names::INFORMATION_SCHEMA;
use crate::result::{Done, ResultSchema, ResultSink};
use crate::rights::privilege::SELECT;
use crate::session::Session;
use crate::session::tables::Access;
use crate::types::{FieldType, Value};

const SHORT: &[Heading] = &[
    ("Field", "COLUMN_NAME"),
    ("Type", "COLUMN_TYPE"),
    ("Null", "IS_NULLABLE"),
    ("Key", "COLUMN_KEY"),
    ("Default", "COLUMN_DEFAULT"),
    ("Extra", "EXTRA"),
];

const FULL: &[Heading] = &[
    ("Field", "COLUMN_NAME"),
    ("Type", "COLUMN_TYPE"),
    ("Collation", "COLLATION_NAME"),
    ("Null", "IS_NULLABLE"),
    ("Key", "COLUMN_KEY"),
    ("Default", "COLUMN_DEFAULT"),
    ("Extra", "EXTRA"),
    ("Privileges", "PRIVILEGES"),
    ("Comment", "COLUMN_COMMENT"),
];

/// The Default column of DESCRIBE: constants without quotes.
fn shown_default(c: &ColumnDef) -> Value {
    match &c.default {
        DefaultValue::None | DefaultValue::Null => Value::Null,
        DefaultValue::Value(_) => match default_text(c, &ShowOptions::default()) {
            Some(text) => Value::Bytes(unquoted(text)),
            None => Value::Null,
        },
        _ => match default_text(c, &ShowOptions::default()) {
            Some(text) => Value::Bytes(text),
            None => Value::Null,
        },
    }
}

/// `'it''s'` as `it's`; anything else as it is.
fn unquoted(text: Vec<u8>) -> Vec<u8> {
    if text.len() < 2 || text.first() != Some(&b'\'') || text.last() != Some(&b'\'') {
        return text;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut inner = text[1..text.len() - 1].iter();
    while let Some(&b) = inner.next() {
        match b {
            b'\'' => {
                inner.next();
                out.push(b);
            }
            b'\\' => match inner.next() {
                Some(b'0') => out.push(0),
                Some(b'n') => out.push(b'\n'),
                Some(b'r') => out.push(b'\r'),
                Some(b'Z') => out.push(0x1a),
                Some(&c) => out.push(c),
                None => out.push(b),
            },
            _ => out.push(b),
        }
    }
    out
}

fn rows_of(session: &mut Session, table: &TableName, headings: &[Heading]) -> SqlResult<Rows> {
    let (db, name) = session.table_path(table)?;
    if &*db == INFORMATION_SCHEMA {
        let Some(d) = definition(&name) else {
            return Err(SqlError::new(error::ER_UNKNOWN_TABLE, &[&name, &INFORMATION_SCHEMA]));
        };
        let wanted = Wanted { db: Some(INFORMATION_SCHEMA), table: Some(d.name) };
        return pick(&info_schema_context(session, "COLUMNS"), "COLUMNS", headings, wanted);
    }
    let (def, temporary) = session.shown_definition(table, Access::Described)?;
    let mut all = Vec::new();
    crate::information_schema::column_rows(&db, &name, &def, &mut all);
    let d = definition("COLUMNS").ok_or_else(|| SqlError::internal("COLUMNS"))?;
    let mut shown: Vec<&ColumnDef> =
        def.columns.iter().filter(|c| c.visibility < Visibility::System).collect();
    if !temporary && !session.rights.unlimited() {
        let rights = &session.rights;
        shown.retain(|c| !rights.column_list(&db, &name, &c.name).is_empty());
        all.retain_mut(|row| crate::information_schema::granted(rights, &db, &name, row));
    }
    let places: Vec<usize> =
        headings.iter().map(|(_, c)| d.columns.iter().position(|(n, _)| n == c).unwrap_or(0)).collect();
    let columns =
        headings.iter().zip(&places).map(|((h, _), p)| (h.to_string(), d.columns[*p].1.clone())).collect();
    let rows = all
        .into_iter()
        .zip(shown)
        .map(|(row, c)| {
            headings
                .iter()
                .zip(&places)
                .map(|((h, _), p)| if *h == "Default" { shown_default(c) } else { row[*p].clone() })
                .collect()
        })
        .collect();
    Ok(Rows { columns, rows })
}

/// SHOW [FULL] COLUMNS.
pub(super) fn show(
    session: &mut Session,
    full: bool,
    table: &TableName,
    filter: Option<&ShowFilter>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let headings = if full { FULL } else { SHORT };
    let mut rows = rows_of(session, table, headings)?;
    rows.filter(session, filter, 0)?;
    send(&rows, session, "COLUMNS", headings, sink)
}

/// DESCRIBE t [column or pattern].
pub(super) fn describe(
    session: &mut Session,
    table: &TableName,
    wild: Option<&str>,
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    let mut rows = rows_of(session, table, SHORT)?;
    if let Some(wild) = wild {
        rows.rows.retain(|r| matches!(&r[0], Value::Bytes(name) if like(name, wild)));
    }
    send(&rows, session, "COLUMNS", SHORT, sink)
}

/// COM_FIELD_LIST: the columns of a table; no rows.
///
/// # Errors
/// 1146 when there is no such table.
pub(crate) fn field_list(
    session: &mut Session,
    table: &str,
    wild: &str,
    sink: &mut dyn ResultSink,
) -> SqlResult<()> {
    let name = TableName { db: None, name: table.into(), span: crate::ast::Span::default() };
    let (db, _) = session.table_path(&name)?;
    let results = session.ctx.results;
    let mut columns = Vec::new();
    if &*db == INFORMATION_SCHEMA {
        let d = definition(table)
            .ok_or_else(|| SqlError::new(error::ER_UNKNOWN_TABLE, &[&table, &INFORMATION_SCHEMA]))?;
        for (n, ty) in &d.columns {
            columns.push((n.clone(), ty.meta(n, results)));
        }
    } else {
        session.renew_rights();
        session.require_table(&name, SELECT)?;
        let (def, _) = session.shown_definition(&name, Access::Shown)?;
        for (i, c) in def.columns.iter().enumerate() {
            if c.visibility > Visibility::Visible {
                continue;
            }
            let mut meta = FieldType::from_column(c).meta(&c.name, results);
            meta.flags |= crate::plan::metadata::key_flags(&def, i);
            columns.push((c.name.clone(), meta));
        }
    }
    let metas = columns
        .into_iter()
        .filter(|(n, _)| wild.is_empty() || like(n.as_bytes(), wild))
        .map(|(n, mut m)| {
            m.db = db.to_string();
            m.table = table.to_string();
            m.org_table = table.to_string();
            m.org_name = n;
            m
        })
        .collect();
    sink.start(&Arc::new(ResultSchema::new(metas, session.ctx.results)))?;
    let done = Done { had_rows: true, status: session.status_flags(), ..Done::default() };
    sink.finish(&done)
}

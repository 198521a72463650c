//! Rows that SHOW makes: filtered by LIKE or WHERE, then sent.

use std::borrow::Cow;
use std::sync::Arc;

use charset::derivation::Derivation;

use crate::ast::ShowFilter;
use crate::bind::ExprBinder;
use crate::error::SqlResult;
use crate::expr::eval::{Frame, Rows as Which};
use crate::result::{Done, ResultSchema, ResultSink, flag};
use crate::session::Session;
use crate::session::scope::{ScopeTable, TableScope, set_slots};
use crate::types::output::put;
use crate::types::{Batch, FieldType, Kind, Value, Vector};

/// A small result made by the server itself.
pub struct Rows {
    /// Headings and types.
    pub columns: Vec<(String, FieldType)>,
    /// The rows.
    pub rows: Vec<Vec<Value>>,
}

/// A text of at most `chars` characters in the system's character set, not NULL.
pub fn text(chars: u64) -> FieldType {
    FieldType::string(chars, charset::system(), Derivation::Implicit).with_nullable(false)
}

/// The same, NULL allowed.
pub fn text_null(chars: u64) -> FieldType {
    text(chars).with_nullable(true)
}

/// LONGTEXT and its kin.
pub fn long_text() -> FieldType {
    let mut t = text(0);
    t.kind = Kind::LongBlob;
    t.length = u32::MAX;
    t
}

/// BIGINT of this width.
pub fn big(width: u32) -> FieldType {
    FieldType { length: width, ..FieldType::bigint(false) }.with_nullable(false)
}

/// BIGINT UNSIGNED.
pub fn big_unsigned() -> FieldType {
    FieldType { length: 21, ..FieldType::bigint(true) }.with_nullable(false)
}

/// INT of this width.
pub fn int(width: u32) -> FieldType {
    FieldType::new(Kind::Long, width, 0).with_nullable(false)
}

/// A text value.
pub fn s(text: impl AsRef<str>) -> Value {
    Value::Bytes(text.as_ref().as_bytes().to_vec())
}

/// A text value or NULL.
pub fn s_or_null(text: Option<impl AsRef<str>>) -> Value {
    text.map_or(Value::Null, s)
}

impl Rows {
    /// No rows yet, of these columns.
    pub fn new(columns: Vec<(&str, FieldType)>) -> Rows {
        Rows { columns: columns.into_iter().map(|(n, t)| (n.to_string(), t)).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<Value>) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    /// Keeps the rows that the filter lets through; LIKE looks at column `like_column`.
    ///
    /// # Errors
    /// Those of the WHERE condition.
    pub fn filter(
        &mut self,
        session: &mut Session,
        filter: Option<&ShowFilter>,
        like_column: usize,
    ) -> SqlResult<()> {
        self.filter_by(session, filter, |row| match &row[like_column] {
            Value::Bytes(b) => Some(Cow::Borrowed(b)),
            _ => None,
        })
    }

    /// As [`Rows::filter`], where LIKE looks at what `text` makes of a row.
    pub fn filter_by(
        &mut self,
        session: &mut Session,
        filter: Option<&ShowFilter>,
        text: impl Fn(&[Value]) -> Option<Cow<'_, [u8]>>,
    ) -> SqlResult<()> {
        match filter {
            None => Ok(()),
            Some(ShowFilter::Like(pattern)) => {
                let pattern = session.client_text(pattern);
                self.rows.retain(|row| text(row).is_some_and(|text| like(&text, &pattern)));
                Ok(())
            }
            Some(ShowFilter::Where(condition)) => {
                let table = ScopeTable { columns: self.columns.clone(), ..ScopeTable::default() };
                let (view, ctx) = session.split(b"");
                let mut scope = TableScope { view, table: Some(&table), values: false };
                let mut binder = ExprBinder::new(&mut scope, ctx);
                binder.clause = "WHERE";
                binder.allow_aggregates = false;
                let mut bound = binder.bind_condition(condition)?;
                set_slots(&mut bound, self.columns.len() as u32);
                let batch = self.batch();
                let mut keep = Vec::new();
                bound.filter(Frame::new(&batch), Which::All(self.rows.len()), ctx, &mut keep)?;
                let mut at = 0;
                let mut next = keep.iter().peekable();
                self.rows.retain(|_| {
                    let kept = next.peek().is_some_and(|n| **n == at);
                    if kept {
                        next.next();
                    }
                    at += 1;
                    kept
                });
                Ok(())
            }
        }
    }

    fn batch(&self) -> Batch {
        let mut columns: Vec<Vector> = self.columns.iter().map(|(_, t)| Vector::new(t.class())).collect();
        for row in &self.rows {
            for (v, value) in columns.iter_mut().zip(row) {
                v.push(value.as_ref());
            }
        }
        Batch { columns, len: self.rows.len() }
    }

    /// Sends the rows; the end is for the caller to send.
    ///
    /// # Errors
    /// When the client is gone.
    pub fn send(&self, session: &mut Session, sink: &mut dyn ResultSink) -> SqlResult<Done> {
        self.send_as(session, sink, "", "")
    }

    /// Sends the rows as of a table of information_schema.
    ///
    /// # Errors
    /// When the client is gone.
    pub fn send_as(
        &self,
        session: &mut Session,
        sink: &mut dyn ResultSink,
        db: &str,
        table: &str,
    ) -> SqlResult<Done> {
        let schema = self.schema(session, db, table);
        self.send_schema(session, &schema, sink)
    }

    /// Sends the rows with this description.
    ///
    /// # Errors
    /// When the client is gone.
    pub fn send_schema(
        &self,
        session: &mut Session,
        schema: &Arc<ResultSchema>,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        sink.start(schema)?;
        let ctx = &mut session.ctx;
        for row in &self.rows {
            sink.begin_row();
            for (value, (_, ty)) in row.iter().zip(&self.columns) {
                put(value.as_ref(), ty, sink, ctx);
            }
            sink.end_row();
            if sink.wants_flush() {
                sink.flush()?;
            }
        }
        if self.rows.is_empty() {
            session.connection.counters.add(crate::status::Counter::EmptyQueries, 1);
        }
        Ok(Done { had_rows: true, ..Done::default() })
    }

    /// The description of the columns.
    pub fn schema(&self, session: &Session, db: &str, table: &str) -> Arc<ResultSchema> {
        let results = session.ctx.results;
        let metas = self
            .columns
            .iter()
            .map(|(name, ty)| {
                let mut m = ty.meta(name, results);
                m.db = db.into();
                m.table = table.into();
                m.org_table = table.into();
                if !table.is_empty() {
                    m.org_name = name.clone();
                } else if ty.is_blob() {
                    // no column of a table: the type tells how long values may be
                    m.flags &= !flag::BLOB;
                    m.ty = ty.blob_code();
                }
                m
            })
            .collect();
        Arc::new(ResultSchema::new(metas, results))
    }
}

/// LIKE as SHOW uses it: the collation of identifiers, backslash escapes.
pub fn like(text: &[u8], pattern: &str) -> bool {
    charset::system().like(text, pattern.as_bytes(), Some(u32::from(b'\\')))
}

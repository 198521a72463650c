//! Texts recognised by their fingerprint: a statement that came before with other literals is neither parsed
//! nor planned again.

use std::sync::Arc;

use super::diagnostics::query_names_tables;
use crate::ast::{Handler, LockWait, Statement};
use crate::error::SqlResult;
use crate::fingerprint::{Fingerprint, Introducer, LiteralKind, recognise, string_value};
use crate::parse::{self, Options};
use crate::result::ResultSink;
use crate::session::Session;
use crate::session::cached::{Entry, FingerprintCache};
use crate::session::memory::UNLIMITED;
use crate::types::literal::literal;
use crate::types::{Derivation, FieldType, Value};

/// Most fingerprints that a connection caches.
const MOST: usize = 256;

impl Session {
    /// Answers the text when its fingerprint allows to keep its plan. `None` when it must go the ordinary way.
    ///
    /// # Errors
    /// Those of the statement.
    pub(super) fn by_fingerprint(&mut self, sql: &[u8], sink: &mut dyn ResultSink) -> Option<SqlResult<()>> {
        let mut fingerprints = std::mem::take(&mut self.fingerprints);
        let answer = self.by_fingerprint_in(&mut fingerprints, sql, sink);
        self.fingerprints = fingerprints;
        answer
    }

    fn by_fingerprint_in(
        &mut self,
        fingerprints: &mut FingerprintCache,
        sql: &[u8],
        sink: &mut dyn ResultSink,
    ) -> Option<SqlResult<()>> {
        let mode = self.lex_mode();
        // what is NULL and what is text is not seen in the fingerprint then; nor is it looked at what the session holds
        if mode.empty_is_null
            || self.vars.settings.note_unusable_keys
            || self.vars.settings.max_session_mem_used < UNLIMITED
            || !recognise(sql, mode, &mut fingerprints.fingerprint)
        {
            return None;
        }
        let fingerprint = &fingerprints.fingerprint;
        if sql[fingerprint.end.min(sql.len())..].iter().any(|b| !b.is_ascii_whitespace() && *b != 0) {
            return None;
        }
        if fingerprint.rows.as_ref().is_some_and(|r| r.uneven_row.is_some() || r.columns == 0) {
            return None;
        }
        let settings = self.plan_settings();
        let fits = |e: &Entry| *e.key == *fingerprint.key && e.db == self.db && e.settings == settings;
        let known = fingerprints.entries.get(&fingerprint.hash).is_some_and(fits);
        if !known {
            let options = Options { lifted: &fingerprint.literals, multi: false, ..self.parse_options() };
            let parsed = parse::parse(sql, &options).ok()?;
            if parsed.lifted as usize != fingerprint.literals.len() {
                return None;
            }
            let statement = parsed.statement?;
            if !is_kept(&statement) {
                return None;
            }
            if fingerprints.entries.len() >= MOST {
                fingerprints.entries.clear();
            }
            let entry = Entry {
                key: fingerprint.key.clone().into(),
                db: self.db.clone(),
                settings,
                statement: Arc::new(statement),
                text: Arc::from(sql),
                plan: None,
                change: None,
                read: None,
            };
            fingerprints.entries.insert(fingerprint.hash, entry);
        }
        self.lift(&fingerprints.fingerprint, sql, &mut fingerprints.scratch);
        let entry = fingerprints.entries.get_mut(&fingerprints.fingerprint.hash)?;
        let statement = Arc::clone(&entry.statement);
        self.ctx.warnings.clear();
        if !self.handlers.is_empty() && !matches!(*statement, Statement::Handler(_)) {
            self.let_go_of_handlers();
        }
        self.count(super::run::counter_of(&statement));
        let result = match &*statement {
            Statement::Handler(read) => {
                let text = Arc::clone(&entry.text);
                self.forbid_in_transaction(&statement)
                    .and_then(|()| self.read_handler(&mut entry.read, read, &text, sink))
            }
            Statement::Select(q) => match self.forbid_in_transaction(&statement) {
                Ok(()) => self.run_cached(&mut entry.plan, q, &Arc::clone(&entry.text), sink),
                Err(e) => Err(e),
            },
            _ => {
                let rows = fingerprints.fingerprint.rows.as_ref().map(|r| (r, sql));
                let text = Arc::clone(&entry.text);
                let done = self
                    .forbid_in_transaction(&statement)
                    .and_then(|()| self.run_change(&mut entry.change, &statement, &text, rows, sink));
                if done.is_ok() {
                    self.transaction.changed = true;
                }
                done
            }
        };
        let mut done = match result {
            Ok(done) => done,
            Err(e) => return Some(Err(self.fail(e, false))),
        };
        done.warnings = self.ctx.warnings.wire_count();
        self.finish(&mut done, false);
        Some(sink.finish(&done))
    }

    /// Makes parameters of the lifted literals.
    fn lift(&mut self, fingerprint: &Fingerprint, sql: &[u8], scratch: &mut Vec<u8>) {
        let mode = self.lex_mode();
        let (client, connection) = (self.vars.settings.client, self.vars.settings.connection);
        let mut values = std::mem::take(&mut self.ctx.statement.params);
        let mut types = std::mem::take(&mut self.statement.param_types);
        values.clear();
        types.clear();
        for token in &fingerprint.literals {
            let (value, ty) = if token.kind == LiteralKind::String {
                let text = string_value(token, sql, mode, scratch);
                if let Some(introducer) = token.introducer {
                    let (value, ty) = introduced(introducer, text, connection);
                    values.push(value);
                    types.push(ty);
                    continue;
                }
                let mut bytes = Vec::with_capacity(text.len());
                let ascii = token.ascii && connection.charset.is_ascii_compatible();
                if ascii || std::ptr::eq(client, connection.charset) {
                    bytes.extend_from_slice(text);
                } else {
                    client.convert(text, connection.charset, &mut bytes);
                }
                let chars = connection.charset.char_len(&bytes) as u64;
                let mut ty = FieldType::string(chars, connection, Derivation::Coercible).with_nullable(false);
                ty.ascii = ascii;
                (Value::Bytes(bytes), ty)
            } else {
                let (v, ty) = literal(token, sql);
                (v, ty.with_nullable(false))
            };
            values.push(value);
            types.push(ty);
        }
        self.ctx.statement.params = values;
        self.statement.param_types = types;
    }
}

/// Whether a statement's plan is kept for texts that differ in their literals.
fn is_kept(statement: &Statement) -> bool {
    match statement {
        Statement::Select(q) => {
            q.into.is_none() && query_names_tables(q) && q.lock_wait() == LockWait::Default
        }
        Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => true,
        Statement::Handler(h) => matches!(**h, Handler::Read { .. }),
        _ => false,
    }
}

/// A string of ASCII in the character set of its introducer.
fn introduced(
    introducer: Introducer,
    text: &[u8],
    connection: &'static charset::Collation,
) -> (Value, FieldType) {
    let named = charset::Charset::by_name(introducer.charset_name());
    let collation = named.map_or(connection, charset::Charset::default_collation);
    let chars = collation.charset.char_len(text) as u64;
    let mut ty = FieldType::string(chars, collation, Derivation::Coercible).with_nullable(false);
    ty.ascii = collation.charset.is_ascii_compatible();
    (Value::Bytes(text.to_vec()), ty)
}

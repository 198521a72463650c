//! Commands in the general log, slow statements in theirs: in files and in the tables of `mysql`.

use std::sync::Arc;

use crate::admin::bootstrap::{Keep, own_session, run};
use crate::engine::Engine;
use crate::error::SqlResult;
use crate::lex::{Lexer, T};
use crate::result::{Param, ResultSink};
use crate::session::Session;
use crate::session::logged::{Noted, Slow};
use crate::types::context::clock;
use crate::types::{FieldType, Value};

impl Session {
    /// Notes a command in the general log, when that is on.
    #[inline]
    pub fn note_command(&mut self, command: &str, text: &[u8]) {
        if self.notes_commands() {
            self.write_command(command, text);
        }
    }

    #[cold]
    fn write_command(&mut self, command: &str, text: &[u8]) {
        let noted = Noted { now: clock(), command, text: &super::secret::masked(text) };
        let micros = u64::try_from(noted.now.0).unwrap_or(0) * 1_000_000 + u64::from(noted.now.1);
        self.engine.logs.write_general(
            &self.engine.variables,
            micros,
            self.connection.id,
            command,
            noted.text,
        );
        if self.engine.logs.to_table() {
            let result = self.insert_command(&noted);
            self.forget_writer_after(result);
        }
    }

    /// Notes an execution in the general log: its text with the values that it has.
    #[inline]
    pub(super) fn note_execution(&mut self, text: &[u8]) {
        if self.notes_commands() {
            let text = self.with_values(text);
            self.write_command("Execute", &text);
        }
    }

    /// Notes what EXECUTE executes; in the log of slow statements it stands for EXECUTE itself.
    pub(super) fn note_executed(&mut self, text: &[u8]) {
        self.note_execution(text);
        if self.engine.logs.is_slow() {
            self.logged.executed = Some(self.with_values(text));
        }
    }

    /// A statement has ended that took so long, in microseconds: notes it if it was slow.
    #[inline]
    pub(super) fn end_logged(&mut self, took: u64, text: &[u8], executed: bool, sink: &dyn ResultSink) {
        if self.may_be_slow(took)
            && let Some(slow) = self.slow_entry(took, text, sink)
        {
            self.write_slow(&slow, text, executed);
        }
    }

    #[cold]
    fn write_slow(&mut self, slow: &Slow, text: &[u8], executed: bool) {
        let filled = match self.logged.executed.take() {
            Some(text) => text,
            None if executed => self.with_values(text),
            None => text.to_vec(),
        };
        let masked = super::secret::masked(&filled);
        let text = masked.trim_ascii();
        let text = text.strip_suffix(b";").unwrap_or(text);
        let noted = Noted { now: clock(), command: "", text };
        self.engine.logs.write_slow(&self.engine.variables, &self.entry_of(slow, &noted));
        if self.engine.logs.to_table() {
            let result = self.insert_slow(slow, &noted);
            self.forget_writer_after(result);
        }
    }

    fn insert_command(&mut self, noted: &Noted<'_>) -> SqlResult<()> {
        let user = self.user_host();
        let id = self.connection.id;
        let server = self.engine.variables.named("server_id").as_u64();
        let text = self.client_text(noted.text);
        let values = [bytes(&user), Param::UInt(id), Param::UInt(server), bytes(noted.command), bytes(&text)];
        self.insert_noted(INSERT_COMMAND, noted.now, &values)
    }

    fn insert_slow(&mut self, slow: &Slow, noted: &Noted<'_>) -> SqlResult<()> {
        let user = self.user_host();
        let (id, affected) = (self.connection.id, self.logged.affected);
        let server = self.engine.variables.named("server_id").as_u64();
        let text = self.client_text(noted.text);
        let db = self.db.clone().unwrap_or_default();
        let time = |micros: u64| Param::Time {
            negative: false,
            hours: u32::try_from(micros / 3_600_000_000).unwrap_or(838).min(838),
            minutes: (micros / 60_000_000 % 60) as u8,
            seconds: (micros / 1_000_000 % 60) as u8,
            micros: (micros % 1_000_000) as u32,
        };
        let values = [
            bytes(&user),
            time(slow.took),
            time(slow.lock_time),
            Param::UInt(slow.rows_sent),
            Param::UInt(slow.rows_examined),
            bytes(&db),
            Param::UInt(server),
            bytes(&text),
            Param::UInt(id),
            Param::UInt(affected),
        ];
        let sql = "INSERT INTO mysql.slow_log VALUES (NOW(6), ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)";
        self.insert_noted(sql, noted.now, &values)
    }

    /// Inserts by a session of the engine's own, which is kept: what the statement has and sees stays as it is.
    fn insert_noted(&mut self, sql: &str, now: (i64, u32), values: &[Param<'_>]) -> SqlResult<()> {
        let mut writer = match self.logged.writer.take() {
            Some(writer) => writer,
            None => {
                let mut writer = own_session(&self.engine)?;
                // nobody waits long for who holds the table
                run(&mut writer, "SET lock_wait_timeout = 1, sql_mode = ''")?;
                // it is no client: nobody sees, counts or kills it
                self.engine.connections.remove(&writer.connection);
                Box::new(writer)
            }
        };
        writer.ctx.set_timestamp(Some(now));
        let prepared = writer.prepare(sql.as_bytes())?;
        let result = writer.execute(prepared.id, values, &mut Keep::default());
        writer.close_statement(prepared.id);
        self.logged.writer = Some(writer);
        result
    }

    /// A log that cannot be written to is told of in the server's log; statements do not fail for it.
    fn forget_writer_after(&mut self, result: SqlResult<()>) {
        if let Err(e) = result {
            self.logged.writer = None;
            tracing::error!("a log's table cannot be written: {e}");
        }
    }

    /// A prepared statement's text with the values of its parameters in their places.
    fn with_values(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() + 64);
        let mut lexer = Lexer::new(text, 0, self.lex_mode());
        let mut copied = 0;
        let mut values = self.ctx.statement.params.iter().zip(&self.statement.param_types);
        loop {
            let token = lexer.next_token();
            match token.kind {
                T::Eof | T::Bad => break,
                T::Param => {
                    out.extend_from_slice(&text[copied..token.start as usize]);
                    copied = token.end as usize;
                    match values.next() {
                        Some((value, ty)) => put_literal(value, ty, &mut out),
                        None => out.push(b'?'),
                    }
                }
                _ => {}
            }
        }
        out.extend_from_slice(&text[copied..]);
        out
    }
}

impl Engine {
    /// Notes a login that was refused in the general log: who wanted in, and what was answered.
    pub fn note_refused(self: &Arc<Engine>, connection: u64, lines: &[&str]) {
        if !self.logs.is_general() {
            return;
        }
        let (seconds, micros) = clock();
        let now = u64::try_from(seconds).unwrap_or(0) * 1_000_000 + u64::from(micros);
        for line in lines {
            self.logs.write_general(&self.variables, now, connection, "Connect", line.as_bytes());
        }
        if self.logs.to_table() {
            let result = own_session(self).and_then(|mut writer| {
                run(&mut writer, "SET lock_wait_timeout = 1, sql_mode = ''")?;
                let server = self.variables.named("server_id").as_u64();
                let prepared = writer.prepare(INSERT_COMMAND.as_bytes())?;
                lines.iter().try_for_each(|line| {
                    let values = [
                        bytes("[] @  []"),
                        Param::UInt(connection),
                        Param::UInt(server),
                        bytes("Connect"),
                        bytes(line),
                    ];
                    writer.execute(prepared.id, &values, &mut Keep::default())
                })
            });
            if let Err(e) = result {
                tracing::error!("the general log's table cannot be written: {e}");
            }
        }
    }
}

const INSERT_COMMAND: &str = "INSERT INTO mysql.general_log VALUES (NOW(6), ?, ?, ?, ?, ?)";

fn bytes(text: &str) -> Param<'_> {
    Param::Bytes { value: text.as_bytes(), binary: false }
}

/// A value as a literal.
fn put_literal(value: &Value, ty: &FieldType, out: &mut Vec<u8>) {
    let prefix: &[u8] = match value {
        Value::Null => return out.extend_from_slice(b"NULL"),
        Value::Bytes(_) => b"",
        Value::Date(_) => b"DATE",
        Value::Time(_) => b"TIME",
        Value::DateTime(_) => b"TIMESTAMP",
        Value::Double(_) => {
            return crate::types::convert::write_text(value.as_ref(), &FieldType::double(), out);
        }
        _ => return crate::types::convert::write_text(value.as_ref(), ty, out),
    };
    out.extend_from_slice(prefix);
    let mut text = Vec::new();
    crate::types::convert::write_text(value.as_ref(), ty, &mut text);
    out.push(b'\'');
    for b in text {
        match b {
            0 => out.extend_from_slice(b"\\0"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0x1a => out.extend_from_slice(b"\\Z"),
            b'\'' | b'\\' => out.extend_from_slice(&[b'\\', b]),
            b => out.push(b),
        }
    }
    out.push(b'\'');
}

//! The way of a statement: from its text to its answer.

use super::diagnostics::{is_diagnostic, names_tables};
use crate::ast::{self, LockWait, Statement};
use crate::error::{self, SqlError, SqlResult};
use crate::parse::{self, Options};
use crate::result::{Done, ResultSink};
use crate::session::memory::UNLIMITED;
use crate::session::{Session, Tracked, status_flag};
use crate::status::{Command, Counter, connection::now_micros};
use crate::warning::Level;

/// Deepest nesting of statements that run statements.
const MAX_NESTING: u32 = 8;

/// Whether a statement opens no table, and only begins or ends transactions or locks: handlers stay as they are.
fn is_of_transactions(statement: &Statement) -> bool {
    use Statement as S;
    matches!(
        statement,
        S::Xa(_)
            | S::Begin(_)
            | S::Commit(_)
            | S::Rollback(_)
            | S::Savepoint(_)
            | S::RollbackTo(_)
            | S::ReleaseSavepoint(_)
            | S::UnlockTables
    )
}

impl Session {
    /// Runs one statement, or several when the connection may send several.
    ///
    /// # Errors
    /// The error of the statement that failed; the ones before it were answered through `sink`.
    pub fn query(&mut self, sql: &[u8], sink: &mut dyn ResultSink) -> SqlResult<()> {
        self.connection.clear_query_kill();
        let begun = now_micros();
        self.connection.begin(Command::Query, &super::secret::shown(sql), begun);
        self.note_command("Query", sql);
        let (result, now) = self.query_all(sql, begun, sink);
        self.end_time_limit();
        self.connection.end(now);
        result
    }

    /// Runs the statements of a text one after the other. It began then; also gives when the last of them ended.
    fn query_all(&mut self, sql: &[u8], begun: u64, sink: &mut dyn ResultSink) -> (SqlResult<()>, u64) {
        let (mut at, mut begun) = (0, begun);
        loop {
            let profiled = self.vars.settings.profiling;
            self.state.profiles.looks = false;
            self.begin_logged(sink);
            let result = self.next_of(&sql[at..], sink);
            let now = now_micros();
            let took = now.saturating_sub(begun);
            let settings = &self.state.vars.settings;
            if profiled && settings.profiling {
                self.state.profiles.note(&sql[at..], took, settings.profiles);
            }
            let end = result.as_ref().ok().copied().flatten().map_or(sql.len(), |length| at + length);
            self.end_logged(took, &sql[at..end], false, sink);
            match result {
                Ok(Some(length)) => at += length,
                Ok(None) => return (Ok(()), now),
                Err(e) => return (Err(e), now),
            }
            begun = now;
        }
    }

    /// Runs the first statement of a text; gives where the next one begins, if there is one.
    fn next_of(&mut self, rest: &[u8], sink: &mut dyn ResultSink) -> SqlResult<Option<usize>> {
        self.count(Counter::Questions);
        self.count(Counter::Queries);
        self.begin_statement();
        self.tracked.clear();
        if self.limits.is_some() || self.must_set_password {
            self.count_query(rest)?;
        }
        if let Some(answer) = self.by_fingerprint(rest, sink) {
            return answer.map(|()| None);
        }
        let parsed = match parse::parse(rest, &self.parse_options()) {
            Ok(p) => p,
            Err(e) => return Err(self.fail(e, true)),
        };
        let more = parsed.end < rest.len() && has_statement(&rest[parsed.end..]);
        if more && !self.info.multi_statements {
            let e = syntax_error_at(rest, parsed.end);
            return Err(self.fail(e, true));
        }
        let Some(statement) = parsed.statement else {
            if more {
                // nothing but blanks and comments before a `;`
                let e = syntax_error_at(rest, parsed.end.saturating_sub(1));
                return Err(self.fail(e, true));
            }
            // A text of comments is answered, as MariaDB does; nothing at all is not.
            if has_statement(rest) {
                let mut done = Done::default();
                self.finish(&mut done, false);
                return sink.finish(&done).map(|()| None);
            }
            return Err(self.fail(SqlError::new(error::ER_EMPTY_QUERY, &[]), true));
        };
        let text = &rest[..parsed.end];
        self.answer(&statement, text, more, sink)?;
        Ok(more.then_some(parsed.end))
    }

    /// How texts of this session are parsed.
    pub(crate) fn parse_options(&self) -> Options<'static> {
        Options {
            mode: self.lex_mode(),
            rows_as_text: !self.vars.settings.sql_mode.has(crate::variables::SqlMode::EMPTY_STRING_IS_NULL),
            lifted: &[],
            params: false,
            multi: self.info.multi_statements,
        }
    }

    /// Runs one statement and sends its answer.
    ///
    /// # Errors
    /// Those of the statement; it is in the list of warnings then, too.
    pub(crate) fn answer(
        &mut self,
        statement: &Statement,
        text: &[u8],
        more: bool,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        sink.announce(if more { status_flag::MORE_RESULTS } else { 0 });
        self.begin_warnings(statement);
        if !matches!(statement, Statement::Call(..) | Statement::Compound(_) | Statement::Set(..)) {
            self.ctx.calls.rows = 0;
        }
        let before =
            if matches!(statement, Statement::Diagnose(_)) { self.ctx.warnings.count_all() } else { 0 };
        let result = self.run(statement, text, sink);
        let mut done = match result.and_then(|done| self.ctx.check_failed().map(|()| done)) {
            Ok(done) => done,
            Err(e) => return Err(self.fail(e, false)),
        };
        self.ctx.set_strict(false);
        // What SHOW WARNINGS shows is not its own.
        let shows = is_diagnostic(statement)
            || self.logged.others_warnings
                && matches!(statement, Statement::Execute(..) | Statement::ExecuteImmediate(..));
        done.warnings = if shows { 0 } else { self.end_warnings() };
        done.warnings = done.warnings.saturating_sub(u16::try_from(before).unwrap_or(u16::MAX));
        self.finish(&mut done, more);
        sink.finish(&done)
    }

    /// Fills in what every answer carries and what ROW_COUNT() and LAST_INSERT_ID() tell later.
    pub(crate) fn finish(&mut self, done: &mut Done, more: bool) {
        done.more_results = more;
        done.status |= self.status_flags();
        if more {
            done.status |= status_flag::MORE_RESULTS;
        }
        if !self.tracked.is_empty() {
            done.status |= status_flag::STATE_CHANGED;
            done.tracked = std::mem::take(&mut self.tracked);
        }
        if self.ctx.connection.last_insert_id_set && done.last_insert_id == 0 {
            done.last_insert_id = self.ctx.connection.last_insert_id;
        }
        self.logged.affected = done.affected;
        self.ctx.connection.row_count = if done.had_rows { -1 } else { done.affected as i64 };
    }

    /// Notes the error of a statement.
    pub(crate) fn fail(&mut self, e: SqlError, clear: bool) -> SqlError {
        let mut e = e;
        if e.code == error::ER_QUERY_INTERRUPTED && self.connection.timed_out() {
            // The page store tells no reasons.
            e = SqlError::new(error::ER_STATEMENT_TIMEOUT, &[]);
        }
        if self.connection.out_of_memory()
            && matches!(e.code, error::ER_QUERY_INTERRUPTED | error::ER_OPTION_PREVENTS_STATEMENT)
        {
            e = self.holds_too_much();
            self.connection.clear_query_kill();
        }
        if e.code == error::ER_STATEMENT_TIMEOUT {
            self.count(Counter::MaxStatementTimeExceeded);
        }
        if clear {
            self.ctx.warnings.clear();
        }
        let known = self
            .ctx
            .warnings
            .entries()
            .iter()
            .any(|w| w.level == Level::Error && w.code == e.code && w.message == e.message);
        if !known {
            self.ctx.warnings.push_error(Level::Error, &e);
        }
        self.ctx.connection.row_count = -1;
        self.tracked.clear();
        e
    }

    /// Runs a statement; rows go to the sink, the end is for the caller to send.
    pub(crate) fn run(
        &mut self,
        statement: &Statement,
        text: &[u8],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        self.statement.wait = wait_of(statement);
        if let LockWait::Seconds(n) = self.statement.wait
            && n > LONGEST_WAIT
        {
            self.ctx.warnings.warn(error::ER_TRUNCATED_WRONG_VALUE, &[&"lock_wait_timeout", &n]);
            self.statement.wait = LockWait::Seconds(LONGEST_WAIT);
        }
        self.run_now(statement, text, sink)
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each kind of statement")]
    fn run_now(&mut self, statement: &Statement, text: &[u8], sink: &mut dyn ResultSink) -> SqlResult<Done> {
        use Statement as S;
        if self.statement.depth > MAX_NESTING {
            return Err(SqlError::new(error::ER_UNSUPPORTED_PS, &[]));
        }
        self.count(counter_of(statement));
        if self.xa.is_none() && super::read_only::commits(statement) {
            self.end_transaction(false);
        }
        self.forbid_in_transaction(statement)?;
        if self.limits.is_some() {
            self.count_update(statement)?;
        }
        self.authorize(statement)?;
        if self.vars.settings.max_session_mem_used < UNLIMITED
            && names_tables(statement)
            && !is_diagnostic(statement)
            && self.is_out_of_memory()
        {
            return Err(self.holds_too_much());
        }
        if !self.handlers.is_empty() {
            let reads = matches!(statement, S::Handler(h) if !matches!(**h, ast::Handler::Open(..)));
            if !reads && !is_of_transactions(statement) {
                self.let_go_of_handlers();
            }
            self.close_handlers_for(statement);
        }
        match statement {
            S::Use(name) => {
                self.use_database(name)?;
                ok()
            }
            S::Set(items) => {
                self.set(items)?;
                ok()
            }
            S::Do(exprs) => {
                self.compute(exprs, "DO")?;
                ok()
            }
            S::LockTables(l) => {
                self.lock_tables(l)?;
                ok()
            }
            S::UnlockTables => {
                self.unlock_tables();
                self.global_read_hold = None;
                ok()
            }
            S::Xa(xa) => self.xa(xa, sink),
            S::Begin(b) => {
                self.unlock_tables();
                // SET TRANSACTION is for the one that begins now
                if self.transaction.open {
                    self.end_transaction(false);
                }
                let read_only = b.read_only.unwrap_or(self.transaction.read_only);
                self.transaction = crate::session::Transaction { open: true, read_only, changed: false };
                self.savepoints.clear();
                ok()
            }
            S::Commit(c) => {
                self.end_transaction(self.transaction.open && c.chain == Some(true));
                self.savepoints.clear();
                ok()
            }
            S::Rollback(c) => {
                self.warn_not_rolled_back();
                self.end_transaction(c.chain == Some(true));
                self.savepoints.clear();
                ok()
            }
            S::Savepoint(name) => {
                if self.transaction.open || !self.vars.settings.autocommit {
                    self.savepoints.retain(|s| !s.eq_ignore_ascii_case(name));
                    self.savepoints.push(name.clone());
                }
                ok()
            }
            S::RollbackTo(name) => {
                let place = self.find_savepoint(name)?;
                self.savepoints.truncate(place + 1);
                self.warn_not_rolled_back();
                ok()
            }
            S::ReleaseSavepoint(name) => {
                let place = self.find_savepoint(name)?;
                self.savepoints.truncate(place);
                ok()
            }
            S::Prepare(name, text) => {
                self.prepare_named(name, text)?;
                Ok(Done { info: "Statement prepared".into(), ..Done::default() })
            }
            S::Execute(name, args) => self.execute_named(name, args, sink),
            S::ExecuteImmediate(text, args) => self.execute_immediate(text, args, sink),
            S::Deallocate(name) => {
                self.deallocate(name)?;
                ok()
            }
            S::SetStatement(items, inner) => {
                let saved = self.vars_snapshot();
                let time = self.vars.settings.max_statement_time;
                self.set(items)?;
                if time.to_bits() != self.vars.settings.max_statement_time.to_bits() {
                    self.limit_time();
                }
                let result = self.run(inner, text, sink);
                self.restore_vars(saved);
                result
            }
            S::Select(_) => self.run_query(statement, text, sink),
            S::Explain(_) => {
                self.explains = true;
                let result = self.run_query(statement, text, sink);
                self.explains = false;
                result
            }
            S::Handler(h) => self.handler(h, text, sink),
            S::Insert(_) | S::Update(_) | S::Delete(_) | S::LoadData(_) => {
                self.ctx.statement.ignore = ignores(statement);
                let done = crate::dml::run(self, statement, text, sink)?;
                self.transaction.changed = true;
                Ok(done)
            }
            S::CreateTable(_)
            | S::AlterTable(_)
            | S::DropTable(_)
            | S::DropView(_)
            | S::RenameTable(_)
            | S::Truncate(..)
            | S::CreateIndex(_)
            | S::DropIndex(_)
            | S::CreateView(_)
            | S::CreateDatabase(_)
            | S::AlterDatabase(..)
            | S::CreateTrigger(_)
            | S::DropTrigger(_)
            | S::CreateSequence(_)
            | S::AlterSequence(_)
            | S::DropSequence(_)
            | S::DropDatabase { .. } => crate::ddl::run(self, statement, text),
            S::Show(_) | S::Describe(..) => crate::show::run(self, statement, text, sink),
            S::Call(name, args) => crate::routine::call::call(self, name, args, sink),
            S::Compound(program) => crate::routine::call::anonymous(self, program, sink),
            S::Signal(signal) => crate::routine::condition::signal(self, signal).and_then(|()| ok()),
            S::Diagnose(what) => crate::routine::condition::diagnose(self, what).and_then(|()| ok()),
            S::CreateRoutine(c) => crate::routine::define::create(self, c, text),
            S::AlterRoutine(a) => crate::routine::define::alter(self, a),
            S::DropRoutine(d) => crate::routine::define::drop(self, d),
            S::CreateEvent(c) => crate::routine::event::define::create(self, c, text),
            S::AlterEvent(a) => crate::routine::event::define::alter(self, a, text),
            S::DropEvent(d) => crate::routine::event::define::drop(self, d),
            _ => crate::admin::run(self, statement, text, sink),
        }
    }

    fn find_savepoint(&self, name: &str) -> SqlResult<usize> {
        match self.savepoints.iter().position(|s| s.eq_ignore_ascii_case(name)) {
            Some(i) => Ok(i),
            None => Err(SqlError::new(error::ER_SP_DOES_NOT_EXIST, &[&"SAVEPOINT", &name])),
        }
    }

    pub(super) fn warn_not_rolled_back(&mut self) {
        if self.transaction.changed && (self.transaction.open || !self.vars.settings.autocommit) {
            self.ctx.warnings.warn(error::ER_WARNING_NOT_COMPLETE_ROLLBACK, &[]);
        }
    }

    fn vars_snapshot(&self) -> crate::variables::SessionVariables {
        self.vars.clone()
    }

    fn restore_vars(&mut self, saved: crate::variables::SessionVariables) {
        self.vars = saved;
        self.tracked.retain(|t| !matches!(t, Tracked::Variable(..)));
        self.apply_settings();
    }
}

/// A plain OK.
pub(crate) fn ok() -> SqlResult<Done> {
    Ok(Done::default())
}

/// Whether anything but blanks and NUL bytes follows: a trailing `;` is no second statement.
fn has_statement(rest: &[u8]) -> bool {
    rest.iter().any(|b| !b.is_ascii_whitespace() && *b != 0 && *b != b';')
}

/// Whether a statement that changes rows says IGNORE.
pub(super) fn ignores(statement: &Statement) -> bool {
    match statement {
        Statement::Insert(i) => i.ignore,
        Statement::Update(u) => u.ignore,
        Statement::Delete(d) => d.ignore,
        _ => false,
    }
}

/// The longest wait in seconds: a year.
const LONGEST_WAIT: u64 = 31_536_000;

/// How long a statement says that it waits.
fn wait_of(statement: &Statement) -> LockWait {
    use Statement as S;
    match statement {
        S::AlterTable(a) => a.wait,
        S::CreateIndex(c) => c.wait,
        S::DropIndex(d) => d.wait,
        S::DropTable(d) | S::DropView(d) => d.wait,
        S::RenameTable(r) => r.wait,
        S::Truncate(_, wait) => *wait,
        S::LockTables(l) => l.wait,
        S::Maintain(m) => m.wait,
        S::Select(q) => q.lock_wait(),
        _ => LockWait::Default,
    }
}

/// The counter of a statement's kind.
#[expect(clippy::too_many_lines, reason = "an arm for each kind of statement")]
pub(crate) fn counter_of(statement: &Statement) -> Counter {
    use Counter as C;
    use Statement as S;
    use ast::{DeleteTarget, InsertSource, MaintainKind, SetItem, Show};
    match statement {
        S::Select(_) | S::Explain(_) => C::ComSelect,
        S::Insert(i) => match (i.replace, matches!(i.source, InsertSource::Query(_))) {
            (false, false) => C::ComInsert,
            (false, true) => C::ComInsertSelect,
            (true, false) => C::ComReplace,
            (true, true) => C::ComReplaceSelect,
        },
        S::Update(u) if u.tables.len() == 1 && matches!(u.tables[0], ast::TableRef::Table(_)) => C::ComUpdate,
        S::Update(_) => C::ComUpdateMulti,
        S::Delete(d) if matches!(d.target, DeleteTarget::Single(_)) => C::ComDelete,
        S::Delete(_) => C::ComDeleteMulti,
        S::LoadData(_) => C::ComLoad,
        S::Do(_) => C::ComDo,
        S::Call(..) => C::ComCallProcedure,
        S::Compound(_) => C::ComCompoundSql,
        S::Signal(s) if s.again => C::ComResignal,
        S::Signal(_) => C::ComSignal,
        S::Diagnose(_) => C::ComGetDiagnostics,
        S::CreateRoutine(c) if c.function => C::ComCreateFunction,
        S::CreateRoutine(_) => C::ComCreateProcedure,
        S::AlterRoutine(a) if a.function => C::ComAlterFunction,
        S::AlterRoutine(_) => C::ComAlterProcedure,
        S::DropRoutine(d) if d.function => C::ComDropFunction,
        S::DropRoutine(_) => C::ComDropProcedure,
        S::CreateTrigger(_) => C::ComCreateTrigger,
        S::CreateSequence(_) => C::ComCreateSequence,
        S::AlterSequence(_) => C::ComAlterSequence,
        S::DropSequence(_) => C::ComDropSequence,
        S::CreateEvent(_) => C::ComCreateEvent,
        S::AlterEvent(_) => C::ComAlterEvent,
        S::DropEvent(_) => C::ComDropEvent,
        S::DropTrigger(_) => C::ComDropTrigger,
        S::Handler(h) => match **h {
            ast::Handler::Open(..) => C::ComHaOpen,
            ast::Handler::Close(_) => C::ComHaClose,
            ast::Handler::Read { .. } => C::ComHaRead,
        },
        S::CreateTable(_) => C::ComCreateTable,
        S::AlterTable(_) => C::ComAlterTable,
        S::DropTable(_) => C::ComDropTable,
        S::DropView(_) => C::ComDropView,
        S::RenameTable(_) => C::ComRenameTable,
        S::Truncate(..) => C::ComTruncate,
        S::CreateIndex(_) => C::ComCreateIndex,
        S::DropIndex(_) => C::ComDropIndex,
        S::CreateDatabase(_) => C::ComCreateDb,
        S::AlterDatabase(..) => C::ComAlterDb,
        S::DropDatabase { .. } => C::ComDropDb,
        S::CreateView(_) => C::ComCreateView,
        S::Use(_) => C::ComChangeDb,
        S::Set(items) if items.iter().any(|i| matches!(i, SetItem::Password(..))) => C::ComSetOption,
        S::Set(_) | S::SetStatement(..) => C::ComSetOption,
        S::Describe(..) => C::ComShowFields,
        S::Show(s) => match **s {
            Show::Databases(_) => C::ComShowDatabases,
            Show::Tables { .. } => C::ComShowTables,
            Show::TableStatus(..) => C::ComShowTableStatus,
            Show::OpenTables(..) => C::ComShowOpenTables,
            Show::Triggers(..) => C::ComShowTriggers,
            Show::Events(..) => C::ComShowEvents,
            Show::Columns { .. } => C::ComShowFields,
            Show::Index(..) => C::ComShowKeys,
            Show::CreateTable(_) | Show::CreateView(_) => C::ComShowCreateTable,
            Show::CreateDatabase { .. } => C::ComShowCreateDb,
            Show::CreateUser(_) => C::ComShowCreateUser,
            Show::CreateOther("EVENT", _) => C::ComShowCreateEvent,
            Show::Variables(..) => C::ComShowVariables,
            Show::Status(..) => C::ComShowStatus,
            Show::Engines => C::ComShowStorageEngines,
            Show::EngineStatus(..) => C::ComShowEngineStatus,
            Show::Warnings(_) => C::ComShowWarnings,
            Show::Errors(_) => C::ComShowErrors,
            Show::Processlist { .. } => C::ComShowProcesslist,
            Show::Grants(_) => C::ComShowGrants,
            Show::Privileges => C::ComShowPrivileges,
            Show::Plugins(_) => C::ComShowPlugins,
            Show::CharacterSet(_) => C::ComShowCharsets,
            Show::Collation(_) => C::ComShowCollations,
            _ => C::ComShowGeneric,
        },
        S::LockTables(_) => C::ComLockTables,
        S::UnlockTables => C::ComUnlockTables,
        S::Maintain(m) => match m.kind {
            MaintainKind::Check => C::ComCheck,
            MaintainKind::Repair => C::ComRepair,
            MaintainKind::Analyze => C::ComAnalyze,
            MaintainKind::Optimize => C::ComOptimize,
            MaintainKind::Checksum => C::ComChecksum,
        },
        S::CacheIndex(_) => C::ComAssignToKeycache,
        S::LoadIndex(_) => C::ComPreloadKeys,
        S::Flush(_) => C::ComFlush,
        S::Reset(_) => C::ComReset,
        S::Kill(_) => C::ComKill,
        S::Shutdown => C::ComShutdown,
        S::Xa(xa) => match xa {
            ast::Xa::Start(..) => C::ComXaStart,
            ast::Xa::End(..) => C::ComXaEnd,
            ast::Xa::Prepare(_) => C::ComXaPrepare,
            ast::Xa::Commit(..) => C::ComXaCommit,
            ast::Xa::Rollback(_) => C::ComXaRollback,
            ast::Xa::Recover(_) => C::ComXaRecover,
        },
        S::Begin(_) => C::ComBegin,
        S::Commit(_) => C::ComCommit,
        S::Rollback(_) => C::ComRollback,
        S::Savepoint(_) => C::ComSavepoint,
        S::RollbackTo(_) => C::ComRollbackToSavepoint,
        S::ReleaseSavepoint(_) => C::ComReleaseSavepoint,
        S::Prepare(..) => C::ComPrepareSql,
        S::Execute(..) => C::ComExecuteSql,
        S::ExecuteImmediate(..) => C::ComExecuteImmediate,
        S::Deallocate(_) => C::ComDeallocSql,
        S::User(u) if u.alter => C::ComAlterUser,
        S::User(_) => C::ComCreateUser,
        S::DropUser { .. } => C::ComDropUser,
        S::RenameUser(_) => C::ComRenameUser,
        S::Role(r) if r.drop => C::ComDropRole,
        S::Role(_) => C::ComCreateRole,
        S::Server(s) => match s.what {
            ast::ServerChange::Create { .. } => C::ComCreateServer,
            ast::ServerChange::Alter(_) => C::ComAlterServer,
            ast::ServerChange::Drop { .. } => C::ComDropServer,
        },
        S::Grant(g) if g.revoke => C::ComRevoke,
        S::Grant(_) => C::ComGrant,
        S::OtherObject(_) | S::BackupServer(..) | S::OtherAdmin(_) | S::Help(_) => C::ComAdminCommands,
    }
}

/// 1064 at an offset of the text.
pub(super) fn syntax_error_at(sql: &[u8], at: usize) -> SqlError {
    let at = at + sql[at.min(sql.len())..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let near = sql.get(at..).unwrap_or_default();
    let line = 1 + memchr::memchr_iter(b'\n', &sql[..at.min(sql.len())]).count();
    SqlError::new(
        error::ER_PARSE_ERROR,
        &[&error::message(error::ER_SYNTAX_ERROR, &[]), &String::from_utf8_lossy(near), &line],
    )
}

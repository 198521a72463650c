//! Prepared statements, of the binary protocol and of PREPARE.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use charset::Collation;
use charset::derivation::Derivation;

use super::defaulted::{Unvalued, filled_in};
use super::diagnostics::query_names_tables;
use crate::ast::{self, Statement};
use crate::error::{self, SqlError, SqlResult};
use crate::parse::{self, Options};
use crate::result::{ColumnMeta, Done, Param, ResultSchema, ResultSink, wire};
use crate::routine::uses::Uses;
use crate::session::Session;
use crate::session::cached::PreparedStatement;
use crate::session::params::{self, ParamTypes};
use crate::session::scope::has_subquery;
use crate::session::select::CachedPlan;
use crate::status::{Command, Counter, connection::now_micros};
use crate::types::temporal::{DateTime, Time};
use crate::types::{FieldType, Kind, Value};

/// Characters that a time of the client is announced with.
const LENGTH_OF_TIME: u32 = 23;

/// A statement that was prepared.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Its number in this session.
    pub id: u32,
    /// One description a parameter.
    pub params: Vec<ColumnMeta>,
    /// The columns of its result set; none when it has no result set.
    pub columns: Arc<ResultSchema>,
    /// Warnings raised while it was prepared.
    pub warnings: u16,
}

impl Session {
    /// Whether a prepared statement may be executed for many sets of parameters at once.
    ///
    /// # Errors
    /// 1295: only changes of rows may. Statements that are not there are told when they are executed.
    pub fn check_bulk(&self, id: u32) -> SqlResult<()> {
        match self.statements.get(&id).map(|p| &*p.statement) {
            None | Some(Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_)) => Ok(()),
            Some(_) => Err(SqlError::new(error::ER_UNSUPPORTED_PS, &[])),
        }
    }

    /// Prepares a statement.
    ///
    /// # Errors
    /// Those of parsing and binding.
    pub fn prepare(&mut self, sql: &[u8]) -> SqlResult<Prepared> {
        self.connection.clear_query_kill();
        if self.limits.is_some() || self.must_set_password {
            self.count_query(sql)?;
        }
        self.connection.begin(Command::Prepare, &super::secret::shown(sql), now_micros());
        self.note_command("Prepare", sql);
        self.count(Counter::Queries);
        self.count(Counter::ComStmtPrepare);
        self.begin_statement();
        self.begin_warnings_of(false);
        let result = self.prepare_text(sql).map_err(|e| self.fail(e, true));
        let warnings = self.end_warnings();
        let result = result.map(|prepared| Prepared { warnings, ..prepared });
        self.end_time_limit();
        self.connection.end(now_micros());
        result
    }

    fn prepare_text(&mut self, sql: &[u8]) -> SqlResult<Prepared> {
        let limit = self.engine.variables.named("max_prepared_stmt_count").as_u64();
        if self.engine.prepared.load(Ordering::Relaxed) >= limit {
            return Err(SqlError::new(error::ER_MAX_PREPARED_STMT_COUNT_REACHED, &[&limit]));
        }
        let text: Arc<[u8]> = Arc::from(sql);
        let options =
            Options { mode: self.lex_mode(), rows_as_text: false, lifted: &[], params: true, multi: false };
        let parsed = parse::parse(&text, &options)?;
        if text[parsed.end.min(text.len())..]
            .iter()
            .any(|b| !b.is_ascii_whitespace() && *b != 0 && *b != b';')
        {
            return Err(super::run::syntax_error_at(&text, parsed.end));
        }
        let Some(statement) = parsed.statement else {
            return Err(SqlError::new(error::ER_EMPTY_QUERY, &[]));
        };
        if matches!(statement, Statement::Prepare(..) | Statement::Execute(..) | Statement::Deallocate(_)) {
            return Err(SqlError::new(error::ER_UNSUPPORTED_PS, &[]));
        }
        self.warnings_of_nested(&statement);
        if let Some(branch) = &self.xa {
            self.forbid_in_branch(branch, &statement)?;
        }
        let changes = matches!(
            statement,
            Statement::Select(_)
                | Statement::Insert(_)
                | Statement::Update(_)
                | Statement::Delete(_)
                | Statement::LoadData(_)
        );
        // The parameters have no values yet: NULLs stand for them.
        let unknown = (vec![Value::Null; parsed.params as usize], Vec::new());
        let (columns, _) = self.nested(unknown, |session| {
            if changes {
                session.authorize(&statement)?;
            }
            session.prepare_plan(&statement, &text)
        })?;
        let id = self.next_statement;
        self.next_statement = self.next_statement.wrapping_add(1).max(1);
        let params = (0..parsed.params)
            .map(|_| ColumnMeta {
                name: "?".into(),
                ty: wire::NULL,
                collation: 63,
                flags: 0x80,
                ..ColumnMeta::default()
            })
            .collect();
        self.state.statements.insert(
            id,
            PreparedStatement {
                shown: match super::secret::shown(&text) {
                    std::borrow::Cow::Borrowed(_) => Arc::clone(&text),
                    std::borrow::Cow::Owned(hidden) => hidden.into(),
                },
                text,
                statement: Arc::new(statement),
                db: self.state.db.clone(),
                params: parsed.params,
                plan: None,
                change: None,
                read: None,
                meant: Vec::new(),
            },
        );
        self.engine.prepared.fetch_add(1, Ordering::Relaxed);
        Ok(Prepared { id, params, columns, warnings: self.ctx.warnings.wire_count() })
    }

    /// Runs a prepared statement.
    ///
    /// # Errors
    /// 1243 for an unknown id, 1210 for a wrong number of parameters, and those of the statement.
    pub fn execute(&mut self, id: u32, params: &[Param<'_>], sink: &mut dyn ResultSink) -> SqlResult<()> {
        self.connection.clear_query_kill();
        self.count(Counter::Questions);
        self.count(Counter::Queries);
        self.count(Counter::ComStmtExecute);
        self.begin_statement();
        self.tracked.clear();
        if self.limits.is_some() || self.must_set_password {
            self.count_query(b"")?;
        }
        let Some(p) = self.statements.get(&id) else {
            return Err(SqlError::new(error::ER_UNKNOWN_STMT_HANDLER, &[&id, &"mysqld_stmt_execute"]));
        };
        if params.len() != p.params as usize {
            return Err(SqlError::new(error::ER_WRONG_ARGUMENTS, &[&"mysqld_stmt_execute"]));
        }
        let statement = Arc::clone(&p.statement);
        let (text, db) = (Arc::clone(&p.text), p.db.clone());
        let begun = now_micros();
        self.connection.begin_shared(Command::Execute, &p.shown, begun);
        let mut values = std::mem::take(&mut self.ctx.statement.params);
        values.clear();
        let mut types = std::mem::take(&mut self.statement.param_types);
        types.clear();
        for p in params {
            let (value, ty) = self.parameter(p);
            values.push(value);
            types.push(ty);
        }
        self.ctx.statement.params = values;
        self.statement.param_types = types;
        self.note_execution(&text);
        self.begin_logged(sink);
        if !self.handlers.is_empty() && !matches!(*statement, Statement::Handler(_)) {
            self.let_go_of_handlers();
        }
        let result = self.in_database(db, |session| match &*statement {
            _ if params.iter().any(|p| matches!(p, Param::Default | Param::Ignore)) => {
                let given: Vec<_> = params.iter().map(Unvalued::of_param).collect();
                match filled_in(&statement, &given) {
                    Ok(statement) => session.answer(&statement, &text, false, sink),
                    Err(e) => Err(session.fail(e, true)),
                }
            }
            Statement::Select(q) if q.into.is_none() && session.xa.is_none() => {
                session.execute_query(id, q, &text, sink)
            }
            Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => {
                session.execute_change(id, &statement, &text, sink)
            }
            Statement::Handler(h) if matches!(**h, ast::Handler::Read { .. }) => {
                session.execute_read(id, &statement, h, &text, sink)
            }
            _ => session.answer(&statement, &text, false, sink),
        });
        self.end_time_limit();
        let now = now_micros();
        self.end_logged(now.saturating_sub(begun), &text, true, sink);
        self.connection.end(now);
        result
    }

    /// Runs `f` with `db` as the current database.
    pub(crate) fn in_database<T>(
        &mut self,
        db: Option<Arc<str>>,
        f: impl FnOnce(&mut Session) -> SqlResult<T>,
    ) -> SqlResult<T> {
        if self.db == db {
            return f(self);
        }
        if let Some(name) = db.as_deref().filter(|name| self.engine.catalog.database(name).is_err()) {
            let e = SqlError::new(error::ER_BAD_DB_ERROR, &[&name]);
            return Err(self.fail(e, true));
        }
        let name = db.as_deref().map(str::to_string);
        let outside = std::mem::replace(&mut self.db, db);
        let outside_name = std::mem::replace(&mut self.ctx.connection.database, name);
        let result = f(self);
        self.db = outside;
        self.ctx.connection.database = outside_name;
        result
    }

    /// Runs a prepared statement that changes rows: as it was bound, when that still fits.
    fn execute_change(
        &mut self,
        id: u32,
        statement: &Statement,
        text: &[u8],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        self.ctx.warnings.clear();
        self.count(super::run::counter_of(statement));
        let mut slot = self.statements.get_mut(&id).and_then(|p| p.change.take());
        let result = self
            .forbid_in_transaction(statement)
            .and_then(|()| self.run_change(&mut slot, statement, text, None, sink));
        if let Some(p) = self.statements.get_mut(&id) {
            p.change = slot;
        }
        let mut done = match result {
            Ok(done) => done,
            Err(e) => return Err(self.fail(e, false)),
        };
        self.transaction.changed = true;
        done.warnings = self.ctx.warnings.wire_count();
        self.finish(&mut done, false);
        sink.finish(&done)
    }

    /// Runs a prepared HANDLER ... READ: as it was bound, when that still fits.
    fn execute_read(
        &mut self,
        id: u32,
        statement: &Statement,
        read: &ast::Handler,
        text: &[u8],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        self.count(super::run::counter_of(statement));
        self.begin_warnings_of(true);
        let mut slot = self.statements.get_mut(&id).and_then(|p| p.read.take());
        let result = self.read_handler(&mut slot, read, text, sink);
        if let Some(p) = self.statements.get_mut(&id) {
            p.read = slot;
        }
        self.end_prepared(result, sink)
    }

    /// Runs a prepared query: with its plan, when that still fits.
    fn execute_query(
        &mut self,
        id: u32,
        q: &ast::Query,
        text: &[u8],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        self.count(Counter::ComSelect);
        self.begin_warnings_of(query_names_tables(q));
        let mut slot = self.statements.get_mut(&id).and_then(|p| p.plan.take());
        let result = self.run_cached(&mut slot, q, text, sink);
        if let Some(p) = self.statements.get_mut(&id) {
            p.plan = slot;
        }
        self.end_prepared(result, sink)
    }

    fn end_prepared(&mut self, result: SqlResult<Done>, sink: &mut dyn ResultSink) -> SqlResult<()> {
        let mut done = match result {
            Ok(done) => done,
            Err(e) => return Err(self.fail(e, false)),
        };
        done.warnings = self.end_warnings();
        self.finish(&mut done, false);
        sink.finish(&done)
    }

    /// Runs a query with the plan kept in `slot` when it still fits, else plans it and keeps that.
    pub(crate) fn run_cached(
        &mut self,
        slot: &mut Option<(CachedPlan, ParamTypes)>,
        q: &ast::Query,
        text: &[u8],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        self.with_cached(slot, q, text, |session, plan| session.run_plan(plan, sink))
    }

    /// The same for a query whose row goes INTO variables.
    ///
    /// # Errors
    /// Those of the query; 1172 for several rows, 1222 for a wrong number of columns.
    pub(crate) fn run_cached_into(
        &mut self,
        slot: &mut Option<(CachedPlan, ParamTypes)>,
        q: &ast::Query,
        targets: &[ast::IntoTarget],
        text: &[u8],
    ) -> SqlResult<Done> {
        self.with_cached(slot, q, text, |session, plan| super::into::to_variables(session, plan, targets))
    }

    fn with_cached(
        &mut self,
        slot: &mut Option<(CachedPlan, ParamTypes)>,
        q: &ast::Query,
        text: &[u8],
        mut run: impl FnMut(&mut Session, &Arc<crate::plan::QueryPlan>) -> SqlResult<Done>,
    ) -> SqlResult<Done> {
        self.renew_rights();
        self.statement.wait = q.lock_wait();
        if self.locks.active {
            self.check_uses(Uses::of_query(q))?;
        }
        self.retry_if_stale(|session| {
            if let Some((kept, types)) = slot
                && types.fit(session)
                && session.is_plan_valid(kept)
            {
                let plan = Arc::clone(&kept.plan);
                return run(session, &plan);
            }
            *slot = None;
            let plan = session.plan(q, text)?;
            let types = ParamTypes::of(session, params::are_shown(q));
            *slot = session.keep(&plan).map(|kept| (kept, types));
            run(session, &plan)
        })
    }

    fn empty_is_null(&self) -> bool {
        self.vars.settings.sql_mode.has(crate::variables::SqlMode::EMPTY_STRING_IS_NULL)
    }

    /// A parameter's value and type.
    pub(crate) fn parameter(&self, p: &Param<'_>) -> (Value, FieldType) {
        let (value, ty) = self.parameter_of(p);
        let nullable = value == Value::Null;
        (value, ty.with_nullable(nullable))
    }

    fn parameter_of(&self, p: &Param<'_>) -> (Value, FieldType) {
        match p {
            Param::Null | Param::Default | Param::Ignore => (Value::Null, FieldType::null()),
            Param::Int(v) => (Value::Int(*v), FieldType::bigint(false)),
            Param::UInt(v) => (Value::UInt(*v), FieldType { length: 21, ..FieldType::bigint(true) }),
            Param::Double(v) => (Value::Double(*v), FieldType::double()),
            Param::Float(v) => {
                (Value::Double(f64::from(*v)), FieldType { kind: Kind::Float, ..FieldType::double() })
            }
            Param::Decimal(text) => {
                let d = crate::types::Decimal::parse(text).value;
                let ty = FieldType::decimal(d.precision(), d.scale());
                (Value::Decimal(d), ty)
            }
            Param::Bytes { value: b"", .. } if self.empty_is_null() => (Value::Null, FieldType::null()),
            Param::Bytes { value, binary } => {
                let connection = self.vars.settings.connection;
                let client = self.vars.settings.client;
                let mut bytes = Vec::with_capacity(value.len());
                let collation = if *binary {
                    bytes.extend_from_slice(value);
                    charset::binary()
                } else if client.name == connection.charset.name {
                    // as in MariaDB, what needs no conversion keeps the client's collation
                    bytes.extend_from_slice(value);
                    self.vars.settings.parameters
                } else {
                    client.convert(value, connection.charset, &mut bytes);
                    connection
                };
                let chars = collation.charset.char_len(&bytes) as u64;
                let mut ty = FieldType::string(chars, collation, Derivation::Coercible);
                ty.ascii = bytes.is_ascii() && collation.charset.is_ascii_compatible();
                (Value::Bytes(bytes), ty)
            }
            Param::Date { year, month, day } => {
                (Value::Date(DateTime::date(*year, *month, *day)), FieldType::date())
            }
            Param::Time { negative, hours, minutes, seconds, micros } => {
                let t = Time {
                    negative: *negative,
                    hours: *hours,
                    minute: *minutes,
                    second: *seconds,
                    micros: *micros,
                };
                let ty = FieldType::time(if *micros == 0 { 0 } else { 6 });
                (Value::Time(t), FieldType { length: LENGTH_OF_TIME, ..ty })
            }
            Param::DateTime { year, month, day, hour, minute, second, micros } => {
                let d = DateTime {
                    year: *year,
                    month: *month,
                    day: *day,
                    hour: *hour,
                    minute: *minute,
                    second: *second,
                    micros: *micros,
                };
                // announced without the digits that its value has
                let ty = FieldType::datetime(if *micros == 0 { 0 } else { 6 });
                (Value::DateTime(d), FieldType { length: 19, ..ty })
            }
        }
    }

    /// Forgets a prepared statement; an unknown id is no error.
    pub fn close_statement(&mut self, id: u32) {
        self.count(Counter::ComStmtClose);
        if self.statements.remove(&id).is_some() {
            self.engine.prepared.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// COM_STMT_RESET: closes the statement's cursor. (Long data are the server's.)
    ///
    /// # Errors
    /// 1243 for an unknown id.
    pub fn reset_statement(&mut self, id: u32) -> SqlResult<()> {
        if self.statements.contains_key(&id) {
            return Ok(());
        }
        Err(SqlError::new(error::ER_UNKNOWN_STMT_HANDLER, &[&id, &"mysqld_stmt_reset"]))
    }

    /// The number of parameters of a prepared statement.
    pub fn parameter_count(&self, id: u32) -> Option<usize> {
        self.statements.get(&id).map(|p| p.params as usize)
    }

    /// PREPARE name FROM text.
    pub(super) fn prepare_named(&mut self, name: &str, text: &ast::Expr) -> SqlResult<()> {
        let sql = self.statement_text(text, "PREPARE..FROM")?;
        self.note_command("Prepare", &sql);
        let key: Box<str> = name.to_lowercase().into();
        if let Some(old) = self.named.remove(&key) {
            self.statements.remove(&old);
            self.engine.prepared.fetch_sub(1, Ordering::Relaxed);
        }
        let prepared = self.prepare_text(&sql)?;
        self.named.insert(key, prepared.id);
        if let Some(statement) = self.statements.get(&prepared.id).map(|p| Arc::clone(&p.statement)) {
            let meant = self.meanings(&statement);
            if let Some(p) = self.statements.get_mut(&prepared.id) {
                p.meant = meant;
            }
        }
        Ok(())
    }

    /// Refuses subqueries and stored functions in an expression of PREPARE and EXECUTE.
    fn refuse_queries(&self, e: &ast::Expr, clause: &str) -> SqlResult<()> {
        if has_subquery(e) || self.calls_stored(e) {
            return Err(SqlError::new(error::codes::ER_SUBQUERIES_NOT_SUPPORTED, &[&clause]));
        }
        Ok(())
    }

    fn calls_stored(&self, e: &ast::Expr) -> bool {
        let mut found = match &e.kind {
            ast::ExprKind::Function(call) if crate::func::find(&call.name).is_none() || call.db.is_some() => {
                let db = call.db.as_deref().or(self.db.as_deref()).unwrap_or_default();
                let stored = self.engine.routines.find(&self.engine, db, &call.name, true);
                stored.is_ok_and(|routine| routine.is_some())
            }
            _ => false,
        };
        e.kind.for_children(&mut |c| found = found || self.calls_stored(c));
        found
    }

    /// The statement in a string or user variable.
    fn statement_text(&mut self, text: &ast::Expr, clause: &str) -> SqlResult<Vec<u8>> {
        self.refuse_queries(text, clause)?;
        let (value, ty) = self.constant(text, "SET")?;
        match value {
            Value::Bytes(b) => {
                let client = self.vars.settings.client;
                if ty.collation.id == 63 || ty.collation.charset.name == client.name {
                    return Ok(b);
                }
                let mut out = Vec::with_capacity(b.len());
                ty.collation.charset.convert(&b, client, &mut out);
                Ok(out)
            }
            Value::Null => Ok(b"NULL".to_vec()),
            other => {
                let mut text = Vec::new();
                crate::types::convert::write_text(other.as_ref(), &ty, &mut text);
                Ok(text)
            }
        }
    }

    /// EXECUTE name USING ...
    pub(super) fn execute_named(
        &mut self,
        name: &str,
        args: &[ast::Argument],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        let key = name.to_lowercase();
        let id = self.named.get(key.as_str()).copied().unwrap_or_default();
        let Some(p) = self.statements.get(&id) else {
            return Err(SqlError::new(error::ER_UNKNOWN_STMT_HANDLER, &[&name, &"EXECUTE"]));
        };
        let (statement, text, count) = (Arc::clone(&p.statement), Arc::clone(&p.text), p.params);
        let db = p.db.clone();
        self.refuse_queries_among(args)?;
        if args.len() != count as usize {
            return Err(SqlError::new(error::ER_WRONG_ARGUMENTS, &[&"EXECUTE"]));
        }
        self.in_database(db, |session| {
            session.run_as_meant(id, &statement, |session| session.run_with(&statement, &text, args, sink))
        })
    }

    /// EXECUTE IMMEDIATE text USING ...
    pub(super) fn execute_immediate(
        &mut self,
        text: &ast::Expr,
        args: &[ast::Argument],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        self.refuse_queries_among(args)?;
        let sql = self.statement_text(text, "EXECUTE IMMEDIATE")?;
        self.note_command("Prepare", &sql);
        let prepared = self.prepare_text(&sql)?;
        let Some(p) = self.statements.remove(&prepared.id) else {
            return Err(SqlError::internal("prepared statement is gone"));
        };
        self.engine.prepared.fetch_sub(1, Ordering::Relaxed);
        if args.len() != p.params as usize {
            return Err(SqlError::new(error::ER_WRONG_ARGUMENTS, &[&"EXECUTE"]));
        }
        self.run_with(&p.statement, &p.text, args, sink)
    }

    fn refuse_queries_among(&mut self, args: &[ast::Argument]) -> SqlResult<()> {
        args.iter().try_for_each(|a| match a {
            ast::Argument::Value(e) => self.refuse_queries(e, "EXECUTE..USING"),
            ast::Argument::Default | ast::Argument::Ignore => Ok(()),
        })
    }

    fn run_with(
        &mut self,
        statement: &Statement,
        text: &[u8],
        args: &[ast::Argument],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        self.warnings_of_nested(statement);
        let given: Vec<_> = args.iter().map(Unvalued::of_argument).collect();
        let mut filled = None;
        if given.iter().any(Option::is_some) {
            filled = Some(filled_in(statement, &given)?);
        }
        let statement = filled.as_ref().unwrap_or(statement);
        let (mut values, mut types) = (Vec::with_capacity(args.len()), Vec::with_capacity(args.len()));
        for a in args {
            let ast::Argument::Value(a) = a else {
                types.push(FieldType::null());
                values.push(Value::Null);
                continue;
            };
            let (mut value, ty) = self.constant(a, "SET")?;
            if self.empty_is_null() && matches!(&value, Value::Bytes(b) if b.is_empty()) {
                value = Value::Null;
            }
            if !matches!(a.kind, ast::ExprKind::UserVariable(_)) {
                types.push(ty);
                values.push(value);
                continue;
            }
            let (value, ty) = in_connection(value, ty, self.ctx.collation);
            types.push(parameter_of_variable(&value, ty));
            values.push(value);
        }
        self.ctx.calls.outputs.clear();
        self.warnings_for_nested(statement);
        let done = self.nested((values, types), |session| {
            session.ctx.statement.prepared = true;
            session.note_executed(text);
            session.run(statement, text, sink)
        })?;
        for (n, value, ty) in std::mem::take(&mut self.ctx.calls.outputs) {
            let Some(ast::Argument::Value(a)) = args.get(n as usize) else { continue };
            match &a.kind {
                ast::ExprKind::UserVariable(name) => {
                    self.ctx.set_user_variable(&name.to_lowercase(), value, &ty)?;
                }
                ast::ExprKind::Local(slot, _) => self.assign_local(*slot, value, &ty)?,
                _ => {}
            }
        }
        Ok(done)
    }

    /// DEALLOCATE PREPARE name.
    pub(super) fn deallocate(&mut self, name: &str) -> SqlResult<()> {
        match self.named.remove(name.to_lowercase().as_str()) {
            Some(id) => {
                self.statements.remove(&id);
                self.engine.prepared.fetch_sub(1, Ordering::Relaxed);
                Ok(())
            }
            None => Err(SqlError::new(error::ER_UNKNOWN_STMT_HANDLER, &[&name, &"DEALLOCATE PREPARE"])),
        }
    }
}

/// The text of a user variable as a parameter: in the connection's character set, but for bytes. What is in it already
/// keeps its collation.
fn in_connection(value: Value, ty: FieldType, connection: &'static Collation) -> (Value, FieldType) {
    let (from, to) = (ty.collation.charset, connection.charset);
    let value = match value {
        Value::Bytes(_) if ty.collation.id == 63 => return (value, ty),
        Value::Bytes(b) if from.name != to.name => {
            let mut out = Vec::with_capacity(b.len());
            from.convert(&b, to, &mut out);
            Value::Bytes(out)
        }
        _ => return (value, ty),
    };
    (value, FieldType { collation: connection, ..ty })
}

/// The type of a parameter that a user variable gives: of the value it has now, where the variable's own allows any.
fn parameter_of_variable(value: &Value, ty: FieldType) -> FieldType {
    match value {
        Value::Null => FieldType::null(),
        Value::Int(_) | Value::UInt(_) => FieldType { length: 20, ..ty }.with_nullable(false),
        Value::Double(_) => FieldType { length: 23, ..ty }.with_nullable(false),
        Value::Decimal(d) => FieldType::decimal(d.precision(), d.scale()).with_nullable(false),
        Value::Bytes(b) => {
            let cs = ty.collation.charset;
            let most = (cs.char_len(b) as u64).saturating_mul(u64::from(cs.mbmaxlen));
            let length = u32::try_from(most).unwrap_or(u32::MAX);
            FieldType { length, derivation: Derivation::Coercible, ..ty }.with_nullable(false)
        }
        _ => ty,
    }
}

//! A connection's session: its settings, its prepared statements and the way of a statement.

pub(crate) mod access;
pub(crate) mod body;
pub(crate) mod cached;
mod connection;
mod consumption;
mod durable;
pub(crate) mod facts;
pub(crate) mod handlers;
pub(crate) mod lent;
pub(crate) mod locked;
pub(crate) mod logged;
pub(crate) mod memory;
mod merge;
pub(crate) mod params;
pub(crate) mod profile;
pub mod scope;
pub(crate) mod select;
mod state;
mod statement;
pub mod system;
pub mod tables;
pub(crate) mod temporary;
mod views;
pub(crate) mod writing;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

pub use crate::result::Tracked;
pub use connection::{GoneHook, KillHook};
pub use durable::PendingCommit;
pub use pages::Acknowledge;
pub use state::SessionState;
pub(crate) use state::Transaction;
pub(crate) use statement::Statement;
pub use system::View;

use charset::Collation;

use crate::engine::{Engine, VERSION};
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::failure::no_such_database;
use crate::locks::Waiter;
use crate::rights::{Login, Rights};
use crate::status::encryption::Encryption;
use crate::status::{Command, Counter};
use crate::types::temporal::TimeZone;
use crate::variables::{SessionVariables, VarValue};

/// Who connects, as the login packet says it. The password was checked before.
#[derive(Clone, Debug, Default)]
pub struct ConnectInfo {
    /// The connection's number, from [`Engine::next_connection_id`]; 0 = take the next one.
    pub id: u64,
    /// How to wake the connection's thread when it is killed while it waits for its client.
    pub kill: Option<KillHook>,
    /// How to see that the client has gone while a statement waits.
    pub gone: Option<GoneHook>,
    /// The client's port, for SHOW PROCESSLIST; 0 = unix socket.
    pub port: u16,
    /// User name.
    pub user: String,
    /// Whether the client gave a password.
    pub with_password: bool,
    /// Host of the client, `localhost` for the unix socket.
    pub host: String,
    /// Its address, if it is known.
    pub address: Option<String>,
    /// Database to use, when one was named.
    pub db: Option<String>,
    /// Collation id of the login packet; 0 or unknown takes the server's default.
    pub collation: u16,
    /// The TLS of the connection.
    pub encryption: Option<Arc<Encryption>>,
    /// CLIENT_COMPRESS.
    pub compressed: bool,
    /// CLIENT_FOUND_ROWS: UPDATE counts matched rows.
    pub found_rows: bool,
    /// CLIENT_MULTI_STATEMENTS: a query may hold several statements.
    pub multi_statements: bool,
    /// CLIENT_LOCAL_FILES: the client can send files for LOAD DATA LOCAL.
    pub local_files: bool,
    /// CLIENT_PS_MULTI_RESULTS: a prepared CALL sends the values of its OUT parameters.
    pub out_parameters: bool,
    /// CLIENT_IGNORE_SPACE.
    pub ignore_space: bool,
    /// A session of the engine's own.
    pub internal: bool,
    /// CLIENT_INTERACTIVE: `interactive_timeout` instead of `wait_timeout`.
    pub interactive: bool,
}

/// Status flags of the protocol.
pub mod status_flag {
    /// A transaction is open.
    pub const IN_TRANSACTION: u16 = 0x0001;
    /// autocommit is on.
    pub const AUTOCOMMIT: u16 = 0x0002;
    /// Another result follows.
    pub const MORE_RESULTS: u16 = 0x0008;
    /// Backslash is no escape.
    pub const NO_BACKSLASH_ESCAPES: u16 = 0x0200;
    /// Session state changed.
    pub const STATE_CHANGED: u16 = 0x4000;
    /// The result set has the OUT parameters of a CALL.
    pub const PS_OUT_PARAMS: u16 = 0x1000;
    /// `"` quotes identifiers.
    pub const ANSI_QUOTES: u16 = 0x8000;
}

/// One connection's session: what it is, and the statement that it runs.
pub struct Session {
    /// What lives as long as the connection.
    pub(crate) state: SessionState,
    /// What lives as long as the running statement.
    pub(crate) statement: Statement,
    /// Settings, user variables, warnings and clock of expressions.
    pub(crate) ctx: EvalContext,
}

impl Deref for Session {
    type Target = SessionState;

    #[inline]
    fn deref(&self) -> &SessionState {
        &self.state
    }
}

impl DerefMut for Session {
    #[inline]
    fn deref_mut(&mut self) -> &mut SessionState {
        &mut self.state
    }
}

impl Session {
    /// A session of an accepted connection. `Engine::connect` makes it.
    pub(crate) fn new(engine: Arc<Engine>, info: &ConnectInfo) -> SqlResult<Session> {
        let limit = engine.max_connections() + 1;
        let connection = engine.connections.add(info.id, &info.user, &host_of(info), limit)?;
        connection.set_waker(info.kill.as_ref().map(|k| Arc::clone(&k.0)));
        connection.set_channel(info.encryption.clone(), info.compressed);
        connection.set_client(info.gone.as_ref().map(|g| Arc::clone(&g.0)));
        let mut session = Session {
            state: SessionState::new(engine, connection, info),
            statement: Statement::default(),
            ctx: EvalContext::default(),
        };
        session.take_limits(info)?;
        session.begin_as(info)?;
        session.connection.end(crate::status::connection::now_micros());
        Ok(session)
    }

    /// Counts the connection for an account with limits.
    fn take_limits(&mut self, info: &ConnectInfo) -> SqlResult<()> {
        self.limits = None;
        if info.internal {
            return Ok(());
        }
        if let Some(a) = self.engine.accounts.login(&info.user, &info.host, info.address.as_deref()) {
            let most = self.engine.variables.named("max_user_connections").as_u64().cast_signed();
            self.limits = crate::rights::limits::Limits::connect(&self.engine.usages, &a, most)?;
        }
        Ok(())
    }

    /// Sets everything that the login decides.
    fn begin_as(&mut self, info: &ConnectInfo) -> SqlResult<()> {
        self.vars = SessionVariables::new(&self.engine.variables);
        if let Some(c) = Collation::by_id(info.collation)
            && c.charset.mbminlen == 1
        {
            self.set_names(c);
        }
        let (s, us) = crate::types::context::clock();
        let id = self.connection.id;
        self.ctx = EvalContext::default();
        self.ctx.kill = Arc::clone(self.connection.kill_flag());
        self.ctx.budget.kill = Arc::clone(self.connection.kill_flag());
        self.ctx.budget.share = crate::memory::Share::of(&self.connection.memory);
        self.ctx.budget.dir = std::path::Path::new(self.engine.variables.named("tmpdir").as_text()).into();
        self.ctx.words = Arc::clone(&self.engine.words);
        self.ctx.files = Some(Arc::clone(self.engine.file_access()));
        self.ctx.locks =
            Some(Arc::new(crate::locks::user::SessionLocks::new(&self.engine.user_locks, self.waiter())));
        self.ctx.rand = ((s as u32) ^ (id as u32).wrapping_mul(0x9e37_79b9), us.wrapping_add(id as u32 * 37));
        if info.interactive {
            let idle = self.vars.named("interactive_timeout").clone();
            self.vars.set_many(&[("wait_timeout", idle)]);
        }
        let account = self.engine.accounts.login(&info.user, &info.host, info.address.as_deref());
        self.ctx.connection.id = id;
        self.ctx.connection.user = format!("{}@{}", info.user, info.host);
        self.ctx.connection.current_user = match &account {
            Some(a) => format!("{}@{}", a.user, a.host),
            None => format!("{}@{}", info.user, info.host),
        };
        let login = Login { user: &info.user, host: &info.host, with_password: info.with_password };
        self.rights = Rights::of_login(&self.engine.accounts, account.as_ref(), login);
        self.ctx.connection.current_role = self.rights.role().map(str::to_owned);
        self.must_set_password = !info.internal && account.as_ref().is_some_and(|a| a.expired_now());
        if let Some(time) = account.as_ref().map(|a| a.statement_time()).filter(|t| *t > 0.0) {
            self.vars.set_many(&[("max_statement_time", VarValue::Double(time))]);
        }
        self.ctx.connection.version = VERSION.to_string();
        self.apply_settings();
        self.db = None;
        self.connection.set_db(None);
        if self.told.is_none() && !info.internal && self.notes_consumption() {
            self.begin_consumption();
        }
        if let Some(db) = info.db.as_deref().filter(|d| !d.is_empty()) {
            self.use_database(db)?;
        }
        Ok(())
    }

    /// Takes the character set of a collation for texts, literals and results.
    pub(crate) fn set_names(&mut self, c: &'static Collation) {
        self.vars.set_names(c);
        self.apply_settings();
    }

    /// Begins a statement in the expression context.
    pub(crate) fn begin_statement(&mut self) {
        self.ctx.begin_statement();
        self.statement.begin();
        if self.ctx.host.is_some() {
            crate::routine::function::sync(&mut self.ctx, &mut self.state);
            self.ctx.calls.in_use.clear();
        }
        if self.vars.settings.max_statement_time > 0.0 || self.timer.is_some() {
            self.limit_time();
        }
        self.ctx.may_use_files = self.has_file_privilege();
        self.ctx.may_use_keys = self.rights.global() & crate::rights::privilege::SUPER != 0;
    }

    /// Gives the statement that begins now the time of `max_statement_time`, and ends the limit of the one before.
    #[cold]
    pub(crate) fn limit_time(&mut self) {
        self.end_time_limit();
        let seconds = self.vars.settings.max_statement_time;
        if seconds > 0.0 && !self.info.internal {
            self.timer = self.engine.timers.arm(&self.connection, seconds);
        }
    }

    /// The statement is over: its time limit ends nothing any more.
    #[inline]
    pub(crate) fn end_time_limit(&mut self) {
        if let Some(due) = self.timer.take() {
            self.engine.timers.disarm(due);
            if self.connection.timed_out() {
                self.connection.clear_query_kill();
            }
        }
    }

    /// Carries the settings to the expression context.
    pub(crate) fn apply_settings(&mut self) {
        let s = &self.state.vars.settings;
        let cx = &mut self.ctx;
        cx.sql_mode = s.sql_mode;
        cx.auto_is_null = s.sql_auto_is_null;
        cx.collation = s.connection;
        cx.client = s.client;
        cx.results = s.results;
        cx.div_precision_increment = s.div_precision_increment;
        cx.max_allowed_packet = s.max_allowed_packet as usize;
        cx.session_memory = s.max_session_mem_used;
        self.state.connection.memory.set_limit(s.max_session_mem_used);
        cx.max_join_size = s.max_join_size;
        cx.max_recursive_iterations = s.max_recursive_iterations;
        cx.standard_compliant_cte = s.standard_compliant_cte;
        cx.group_concat_max_len = s.group_concat_max_len as usize;
        // what is full for other reasons counts as more than any budget
        let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).min(usize::MAX >> 3);
        cx.budget.table = size(s.tmp_table_size);
        cx.budget.sort = size(s.sort_buffer_size).max(cx.budget.table);
        cx.threads = s.threads;
        cx.search_depth = s.search_depth;
        cx.derived_merge = s.derived_merge;
        cx.subquery_cache = s.subquery_cache;
        cx.table_elimination = s.table_elimination;
        cx.index_merge = s.index_merge;
        cx.push_into_derived = s.push_into_derived;
        cx.push_from_having = s.push_from_having;
        cx.old_passwords = s.old_passwords;
        cx.default_week_format = u32::from(s.default_week_format);
        cx.regex_flags = Arc::clone(&s.regex_flags);
        cx.regex_extra = s.regex_extra;
        cx.lc_time_names = Arc::clone(&s.lc_time_names);
        if cx.time_zone.name() != *s.time_zone {
            cx.time_zone = TimeZone::parse(&s.time_zone).unwrap_or_default();
        }
        cx.warnings.set_limit(s.max_error_count);
        cx.warnings.set_notes(s.sql_notes);
    }

    /// What a statement of the session may hold in memory, and where the rest goes.
    #[must_use]
    pub fn budget(&self) -> crate::memory::Budget {
        self.ctx.budget.clone()
    }

    /// Makes a database the current one.
    ///
    /// # Errors
    /// 1049 when there is none of that name.
    pub fn use_database(&mut self, name: &str) -> SqlResult<()> {
        if name.is_empty() {
            return Err(crate::error::SqlError::new(crate::error::ER_NO_DB_ERROR, &[]));
        }
        if crate::names::is_needlessly_plain(name) {
            // a second name of a database would go round rights and locks
            return Err(crate::error::SqlError::new(crate::error::ER_WRONG_DB_NAME, &[&name]));
        }
        self.renew_rights();
        self.may_enter(name)?;
        self.enter_database(name)
    }

    /// As [`Session::use_database`], for who needs no right to it.
    ///
    /// # Errors
    /// 1049.
    pub(crate) fn enter_database(&mut self, name: &str) -> SqlResult<()> {
        let db = self.engine.catalog.database(name).map_err(|_| no_such_database(name))?;
        let name: Arc<str> = Arc::from(db.name.as_str());
        let text = |t: &str| VarValue::Text(Arc::from(t));
        self.vars.set_many(&[
            ("character_set_database", text(db.collation.charset.name)),
            ("collation_database", text(db.collation.name)),
        ]);
        self.ctx.connection.database = Some(name.to_string());
        self.connection.set_db(Some(Arc::clone(&name)));
        self.tracked.push(Tracked::Database(name.to_string()));
        self.db = Some(name);
        Ok(())
    }

    /// No current database any more: it was dropped.
    pub(crate) fn leave_database(&mut self) {
        self.db = None;
        self.ctx.connection.database = None;
        self.connection.set_db(None);
        let server = self.vars.settings.server;
        let text = |t: &str| VarValue::Text(Arc::from(t));
        self.vars.set_many(&[
            ("character_set_database", text(server.charset.name)),
            ("collation_database", text(server.name)),
        ]);
    }

    /// COM_INIT_DB: makes `name` the current database.
    ///
    /// # Errors
    /// 1049 when there is none of that name.
    pub fn init_db(&mut self, name: &str) -> SqlResult<()> {
        self.connection.begin(Command::InitDb, name.as_bytes(), crate::status::connection::now_micros());
        self.count(Counter::Questions);
        self.count(Counter::Queries);
        self.count(Counter::ComChangeDb);
        let result = self.use_database(name);
        self.tracked.clear();
        self.connection.end(crate::status::connection::now_micros());
        result
    }

    /// COM_CHANGE_USER: everything as of a new connection. The password was checked before.
    ///
    /// # Errors
    /// 1049 for an unknown database, 1044 for one without rights: the account before stays then.
    pub fn change_user(&mut self, info: &ConnectInfo) -> SqlResult<()> {
        let before = ConnectInfo { db: self.db.as_deref().map(str::to_string), ..self.info.clone() };
        let result = self.become_account(info);
        if result.is_err() {
            // What it had is gone, but it is who it was.
            if self.become_account(&before).is_err() {
                self.connection.kill(crate::status::connection::KillLevel::Connection);
            }
        }
        result
    }

    fn become_account(&mut self, info: &ConnectInfo) -> SqlResult<()> {
        self.end_consumption();
        self.drop_state();
        self.info = ConnectInfo {
            id: self.info.id,
            kill: self.info.kill.clone(),
            gone: self.info.gone.clone(),
            port: self.info.port,
            encryption: self.info.encryption.clone(),
            ..info.clone()
        };
        self.connection.set_account(&info.user, &host_of(&self.info));
        let info = self.info.clone();
        self.take_limits(&info)?;
        self.begin_as(&info)
    }

    /// COM_RESET_CONNECTION: settings, user variables, prepared statements and locks are dropped, and counters begin anew.
    pub fn reset_connection(&mut self) {
        let db = self.db.clone();
        self.engine.connections.fold(&self.connection);
        self.drop_state();
        let info = ConnectInfo { db: None, ..self.info.clone() };
        // Without a database nothing can fail.
        let _ = self.begin_as(&info);
        if let Some(db) = db {
            let _ = self.use_database(&db);
            self.tracked.clear();
        }
    }

    fn drop_state(&mut self) {
        self.unlock_tables();
        self.global_read_hold = None;
        self.close_all_handlers();
        self.drop_all_temporary();
        self.engine.prepared.fetch_sub(self.statements.len() as u64, std::sync::atomic::Ordering::Relaxed);
        self.statements.clear();
        self.fingerprints.clear();
        self.named.clear();
        self.routines = crate::routine::frame::RoutineState::default();
        self.abandon_branch();
        self.transaction = Transaction::default();
        self.forget_transaction_tables();
        self.savepoints.clear();
        self.insert_id = 0;
        self.last_insert_id = 0;
        self.engine.user_locks.release_all(self.id());
    }

    /// The warnings of the last statement.
    pub fn warnings(&self) -> &crate::warning::Warnings {
        &self.ctx.warnings
    }

    /// The session as one that waits for others.
    pub(crate) fn waiter(&self) -> Waiter {
        Waiter::new(&self.connection, &self.engine.waits, self.lock_timeout())
    }
}

impl Session {
    /// A session for the functions that the statements of another one call: on the same connection, with nothing of its own.
    pub(crate) fn child(of: &SessionState) -> Session {
        let mut state = SessionState::new(Arc::clone(&of.engine), Arc::clone(&of.connection), &of.info);
        state.child = true;
        state.internal = of.internal;
        Session { state, statement: Statement::default(), ctx: EvalContext::default() }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.child {
            // tables, locks and the connection are another session's
            return;
        }
        self.end_consumption();
        self.drop_state();
        self.connection.set_waker(None);
        self.connection.set_client(None);
        self.engine.connections.remove(&self.connection);
    }
}

fn host_of(info: &ConnectInfo) -> String {
    if info.port == 0 { info.host.clone() } else { format!("{}:{}", info.host, info.port) }
}

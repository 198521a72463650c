//! What a session has as long as its connection lives.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::cached::{FingerprintCache, PreparedStatement};
use super::durable::PendingCommit;
use super::handlers::OpenHandler;
use super::locked::TableLocks;
use super::writing::GlobalReadLockGuard;
use super::{ConnectInfo, Tracked, status_flag};
use crate::engine::Engine;
use crate::error::SqlResult;
use crate::lex::{ClientBytes, LexMode};
use crate::locks::transactions::TransactionTables;
use crate::rights::Rights;
use crate::status::{Connection, Counter};
use crate::table::OpenTable;
use crate::variables::{SessionVariables, Settings, SqlMode};

/// What transactions there are for an engine without them: BEGIN and its flags.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Transaction {
    /// Between BEGIN and COMMIT.
    pub open: bool,
    /// READ ONLY, by START TRANSACTION, SET TRANSACTION or the session's default.
    pub read_only: bool,
    /// Something was changed since BEGIN: ROLLBACK warns.
    pub changed: bool,
}

/// What lives as long as the connection: its account and settings, its tables and locks, what it keeps of statements.
pub struct SessionState {
    pub(crate) engine: Arc<Engine>,
    pub(crate) connection: Arc<Connection>,
    pub(crate) info: ConnectInfo,
    /// SHUTDOWN was said.
    pub(crate) shutdown_requested: bool,
    pub(crate) vars: SessionVariables,
    /// What the last statement that wrote has worked in.
    pub(crate) write_room: Option<Box<crate::table::write_room::WriteRoom>>,
    /// What the account may do.
    pub(crate) rights: Rights,
    /// The password has expired: nothing runs until it is set.
    pub(crate) must_set_password: bool,
    /// The time limit of what the client sent last.
    pub(super) timer: Option<crate::status::timer::Due>,
    /// What the account may use in an hour, when that is limited.
    pub(crate) limits: Option<crate::rights::limits::Limits>,
    /// Buffers of look-ups by key, while no statement has them.
    pub(crate) lookup: Option<Box<crate::exec::lookup::Buffers>>,
    /// The current database.
    pub(crate) db: Option<Arc<str>>,
    pub(crate) fingerprints: FingerprintCache,
    /// Reader slots of the page store that no statement uses now.
    readers: Vec<pages::ReaderSlot>,
    /// The number under which this session holds locks.
    owner: u64,
    pub(crate) locks: TableLocks,
    /// FLUSH TABLES WITH READ LOCK of this session.
    pub(crate) global_read_hold: Option<GlobalReadLockGuard>,
    /// A session of the engine's own, within a statement of another one.
    pub(crate) internal: bool,
    pub(crate) temporary: Vec<Arc<OpenTable>>,
    /// The statement is an EXPLAIN, which needs more of views.
    pub(crate) explains: bool,
    /// A view is described: one without its definer as who asks sees it, who may do everything.
    pub(crate) describes: bool,
    /// The last statements, while `profiling` is on.
    pub(crate) profiles: super::profile::Profiles,
    /// What is noted in the logs.
    pub(crate) logged: super::logged::Logged,
    /// What HANDLER ... OPEN has opened.
    pub(crate) handlers: Vec<OpenHandler>,
    /// Counts the names that temporary tables were given: plans made before may mean other tables.
    pub(crate) temporary_names: u64,
    pub(crate) transaction: Transaction,
    /// The tables that it has used; made with the first of them.
    transaction_tables: OnceLock<Arc<TransactionTables>>,
    /// The XA branch that the connection works in.
    pub(crate) xa: Option<Box<crate::locks::branches::Branch>>,
    pub(crate) savepoints: Vec<Box<str>>,
    pub(crate) statements: HashMap<u32, PreparedStatement>,
    pub(crate) named: HashMap<Box<str>, u32>,
    pub(crate) next_statement: u32,
    /// `SET insert_id`: the next AUTO_INCREMENT value to use.
    pub(crate) insert_id: u64,
    /// The first AUTO_INCREMENT value of the last INSERT.
    pub(crate) last_insert_id: u64,
    /// What the next answer tells of changes of the session.
    pub(crate) tracked: Vec<Tracked>,
    /// Warnings and errors of the statement before, as long as this one has none.
    pub(crate) previous_counts: (u64, u64),
    /// The warnings of the statement before, which come back when this one has none.
    pub(crate) previous_warnings: Option<crate::warning::Warnings>,
    /// A session for the functions of another one.
    pub(crate) child: bool,
    /// What is kept of routines.
    pub(crate) routines: crate::routine::frame::RoutineState,
    /// Up to where what the connection used is in its user's statistics.
    pub(super) told: Option<Box<super::consumption::Told>>,
    pub(super) pending_commit: Option<Arc<PendingCommit>>,
}

impl SessionState {
    /// Of a new connection that nobody has logged in to.
    pub(super) fn new(engine: Arc<Engine>, connection: Arc<Connection>, info: &ConnectInfo) -> SessionState {
        let owner = connection.id;
        let first = engine.store().reader_slot_of(owner);
        SessionState {
            shutdown_requested: false,
            vars: SessionVariables::new(&engine.variables),
            write_room: None,
            rights: Rights::default(),
            must_set_password: false,
            limits: None,
            lookup: None,
            connection,
            timer: None,
            told: None,
            info: info.clone(),
            db: None,
            fingerprints: FingerprintCache::default(),
            readers: vec![first],
            owner,
            locks: TableLocks::default(),
            global_read_hold: None,
            internal: false,
            temporary: Vec::new(),
            explains: false,
            describes: false,
            profiles: super::profile::Profiles::default(),
            logged: super::logged::Logged::default(),
            handlers: Vec::new(),
            temporary_names: 0,
            transaction: Transaction::default(),
            transaction_tables: OnceLock::new(),
            xa: None,
            savepoints: Vec::new(),
            statements: HashMap::new(),
            named: HashMap::new(),
            next_statement: 1,
            insert_id: 0,
            last_insert_id: 0,
            tracked: Vec::new(),
            previous_counts: (0, 0),
            previous_warnings: None,
            child: false,
            routines: crate::routine::frame::RoutineState::default(),
            pending_commit: None,
            engine,
        }
    }

    /// The engine this session works on.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The connection id.
    pub fn id(&self) -> u64 {
        self.connection.id
    }

    /// The settings that statements read.
    pub fn settings(&self) -> &Settings {
        &self.vars.settings
    }

    /// The current database.
    pub fn database(&self) -> Option<&str> {
        self.db.as_deref()
    }

    /// The current database.
    ///
    /// # Errors
    /// 1046 when there is none.
    pub(crate) fn current_database(&self) -> SqlResult<Arc<str>> {
        self.db.clone().ok_or_else(|| crate::error::SqlError::new(crate::error::ER_NO_DB_ERROR, &[]))
    }

    /// Counts one.
    #[inline]
    pub(crate) fn count(&self, counter: Counter) {
        self.connection.counters.inc(counter);
    }

    /// How the session's texts are read.
    pub(crate) fn lex_mode(&self) -> LexMode {
        let s = &self.vars.settings;
        let mode = s.sql_mode.lexing(ClientBytes::of(s.client.name));
        LexMode { ignore_space: mode.ignore_space || self.info.ignore_space, ..mode }
    }

    /// A text of the client (in `character_set_client`) in UTF-8.
    pub(crate) fn client_text(&self, bytes: &[u8]) -> String {
        crate::types::convert::text_of(bytes, self.vars.settings.client)
    }

    /// 1044.
    pub(crate) fn database_denied(&self, db: &str) -> crate::error::SqlError {
        self.rights.denied_database(db)
    }

    /// Gives the session every right, whatever accounts there are: for who opened the data directory itself.
    pub fn all_rights(&mut self) {
        self.rights = Rights::all();
        self.must_set_password = false;
    }

    /// The character set in which the client takes messages; `None` is UTF-8, as they are.
    #[must_use]
    pub fn messages_in(&self) -> Option<&'static charset::Charset> {
        crate::result::names_in(self.vars.settings.results.map(|c| c.charset))
    }

    /// COM_STATISTICS: one line.
    pub fn statistics(&self) -> String {
        let uptime = self.engine.uptime().as_secs();
        let sums = self.engine.status_sums();
        let questions = sums.get(Counter::Questions);
        format!(
            "Uptime: {uptime}  Threads: {}  Questions: {questions}  Slow queries: {}  Opens: {}  \
             Open tables: {}  Queries per second avg: {:.3}",
            self.engine.connections.len(),
            sums.get(Counter::SlowQueries),
            self.engine.catalog.opened(),
            self.engine.catalog.open_tables().len(),
            questions as f64 / uptime.max(1) as f64,
        )
    }

    /// COM_SET_OPTION.
    pub fn set_multi_statements(&mut self, on: bool) {
        self.info.multi_statements = on;
    }

    /// Whether SHUTDOWN was said: once its answer is written, the server is to stop.
    #[inline]
    #[must_use]
    pub fn shutdown_requested(&self) -> bool {
        self.shutdown_requested
    }

    /// The status flags of the protocol as they stand.
    pub fn status_flags(&self) -> u16 {
        let s = &self.vars.settings;
        let mut flags = 0;
        if s.autocommit {
            flags |= status_flag::AUTOCOMMIT;
        }
        if self.transaction.open {
            flags |= status_flag::IN_TRANSACTION;
        }
        if s.sql_mode.has(SqlMode::NO_BACKSLASH_ESCAPES) {
            flags |= status_flag::NO_BACKSLASH_ESCAPES;
        }
        if s.sql_mode.has(SqlMode::ANSI_QUOTES) {
            flags |= status_flag::ANSI_QUOTES;
        }
        flags
    }

    /// Between BEGIN and COMMIT, or without autocommit, tables that a statement uses keep their definition until the end.
    #[inline]
    pub(crate) fn use_in_transaction(&self, tables: &[Arc<OpenTable>]) {
        if self.transaction.open || !self.vars.settings.autocommit {
            self.note_in_transaction(tables);
        }
    }

    fn note_in_transaction(&self, tables: &[Arc<OpenTable>]) {
        // sessions of the engine's own have no client who ends anything
        if self.internal {
            return;
        }
        let names = &self.engine.catalog.names;
        let list = self.transaction_tables.get_or_init(|| names.tables_of_transactions(self.owner));
        tables.iter().filter(|t| !t.temporary).for_each(|t| list.note(&t.db, &t.name));
    }

    /// What transactions have used is theirs no longer.
    pub(crate) fn forget_transaction_tables(&self) {
        if let Some(list) = self.transaction_tables.get() {
            self.engine.catalog.names.end_transaction(list);
        }
    }

    /// Functions note what they use in the list of the session that calls them.
    pub(crate) fn share_transaction_tables(&mut self, of: &SessionState) {
        let names = &of.engine.catalog.names;
        if of.transaction.open || !of.vars.settings.autocommit {
            let list = of.transaction_tables.get_or_init(|| names.tables_of_transactions(of.owner));
            self.transaction_tables = OnceLock::from(Arc::clone(list));
        }
    }

    /// A reader's slot of the page store: taken for a statement, given back behind it.
    pub(crate) fn take_reader(&mut self) -> pages::ReaderSlot {
        self.readers.pop().unwrap_or_else(|| self.engine.store().reader_slot_of(self.owner))
    }

    /// Gives a reader's slot back.
    pub(crate) fn give_reader(&mut self, reader: pages::ReaderSlot) {
        if self.readers.len() < 4 {
            self.readers.push(reader);
        }
    }

    /// The number under which this session holds locks: that of the connection.
    pub(crate) fn owner(&self) -> u64 {
        self.owner
    }

    /// Reads tables as one who has the locks of `owner`.
    pub(crate) fn share_locks_of(&mut self, owner: u64) {
        self.owner = owner;
        self.readers.clear();
    }

    /// Whether the account may read and write files of the machine.
    pub(super) fn has_file_privilege(&self) -> bool {
        self.rights.global() & crate::rights::privilege::FILE != 0
    }
}

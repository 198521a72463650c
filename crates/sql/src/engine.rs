//! The engine: one per process and data directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use charset::Collation;
use fulltext::{Rules, Stopwords};
use pages::storage::Storage;
use pages::{Durability, Store, StoreOptions};
use parking_lot::Mutex;

use crate::caches::TableCaches;
use crate::catalog::Catalog;
use crate::error::{self, SqlError, SqlResult};
use crate::expr::full_text::WordSettings;
use crate::failure;
use crate::file_access::FileAccess;
use crate::locks::global_read::GlobalReadLock;
use crate::locks::user::UserLocks;
use crate::rights::accounts::Accounts;
use crate::rights::login::{Attempt, Client};
use crate::status::encryption::ServerEncryption;
use crate::status::{Connections, KillLevel, Sums};
use crate::table::myisam::set_word_rules;
use crate::variables::{GlobalVariables, VarValue};

/// `VERSION()`: the dialect's version, so that clients take us for what we are compatible with.
pub const VERSION: &str = "10.11.19-MariaDB-isambard";

/// How to open a data directory.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// Variables set before the engine runs: `--set name=value`.
    pub set: Vec<(String, String)>,
    /// Create the data directory and the system tables when they are missing.
    pub create: bool,
}

/// The databases of one data directory and everything that connections share.
pub struct Engine {
    datadir: PathBuf,
    store: Arc<Store>,
    /// Global values of the system variables.
    pub variables: Arc<GlobalVariables>,
    /// Databases and tables.
    pub catalog: Catalog,
    /// Which caches the pages of tables are read through.
    pub(crate) caches: Arc<TableCaches>,
    /// The running connections.
    pub connections: Connections,
    /// Accounts and their privileges.
    pub accounts: Accounts,
    /// What users and clients have used (`userstat`).
    pub(crate) consumers: crate::status::consumption::Consumers,
    /// TLS.
    pub encryption: ServerEncryption,
    /// What accounts with limits have used.
    pub(crate) usages: crate::rights::limits::Usages,
    /// Stored procedures and functions.
    pub(crate) routines: crate::routine::store::Routines,
    /// What runs events.
    pub(crate) scheduler: crate::routine::event::scheduler::Scheduler,
    /// FLUSH TABLES WITH READ LOCK.
    pub(crate) global_read_lock: GlobalReadLock,
    /// The sessions that wait.
    pub(crate) waits: Arc<crate::locks::WaitGraph>,
    /// Locks of GET_LOCK.
    pub user_locks: Arc<UserLocks>,
    /// The branches of XA.
    pub(crate) xa: crate::locks::branches::Branches,
    /// Statements with a `max_statement_time`.
    pub(crate) timers: crate::status::timer::StatementTimers,
    /// Prepared statements of all sessions.
    pub(crate) prepared: AtomicU64,
    /// Settings of full text.
    pub(crate) words: Arc<WordSettings>,
    /// The general log and the log of slow statements.
    pub(crate) logs: crate::logs::Logs,
    /// Files of the machine that statements may use.
    files: Arc<FileAccess>,
    started: Instant,
    flushed: Mutex<(Instant, Sums)>,
    stopped: AtomicBool,
    /// Somebody carries SHUTDOWN out.
    stoppable: AtomicBool,
}

impl Engine {
    /// From now on SHUTDOWN is carried out by whoever runs the session ([`crate::Session::shutdown_requested`]).
    pub fn allow_stop(&self) {
        self.stoppable.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    pub(crate) fn is_stoppable(&self) -> bool {
        self.stoppable.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The engine over a data directory, before it has read any account.
    ///
    /// # Errors
    /// Those of the variables and of the page store.
    pub(crate) fn over(
        storage: Arc<dyn Storage>,
        datadir: &Path,
        options: EngineOptions,
        tune: impl FnOnce(&mut StoreOptions),
    ) -> SqlResult<Arc<Engine>> {
        let datadir = datadir.to_path_buf();
        let variables = Arc::new(GlobalVariables::new());
        fill_in(&variables, &datadir);
        for (name, value) in &options.set {
            variables.set_option(name, value)?;
        }
        // Without a limit there is nothing to be said of SELECTs that are large.
        let no_limit = variables.named("max_join_size").as_u64() == u64::MAX;
        variables.set_named("sql_big_selects", VarValue::Bool(no_limit));
        let files = FileAccess::new(&datadir, variables.named("secure_file_priv").as_text())?;
        if let Some(folder) = files.secure() {
            let shown = format!("{}/", folder.display().to_string().trim_end_matches('/'));
            variables.set_named("secure_file_priv", VarValue::Text(Arc::from(shown)));
        }
        let mut store_options = StoreOptions {
            durability: durability(&variables),
            journal_size: variables.named("journal_size").as_u64(),
            statement_memory: variables.named("statement_memory").as_u64() as usize,
            checkpoint_interval: Duration::from_secs(variables.named("checkpoint_interval").as_u64()),
            version_cache_size: variables.named("version_cache_size").as_u64(),
            version_spill_size: variables.named("version_spill_size").as_u64(),
            tmpdir: Some(variables.named("tmpdir").as_text().into()),
            ..StoreOptions::default()
        };
        tune(&mut store_options);
        let (store, report) =
            Store::open(storage, &datadir, store_options).map_err(|e| failure::from_pages(&e, ""))?;
        let caches = TableCaches::over(&store, &variables);
        let rules = word_rules(&variables, &datadir)?;
        set_word_rules(&store, rules.clone());
        for (table, why) in &report.foreign {
            tracing::error!(table = %table.display(), "{why}");
        }
        let consumers = crate::status::consumption::Consumers::default();
        consumers.set(variables.named("userstat").as_bool());
        let now = Instant::now();
        let logs = crate::logs::Logs::default();
        logs.apply(&variables, &files, false);
        Ok(Arc::new(Engine {
            catalog: Catalog::new(&datadir, &store, &variables),
            words: Arc::new(WordSettings::new(rules, &variables)),
            accounts: Accounts::default(),
            caches,
            consumers,
            encryption: ServerEncryption::default(),
            usages: crate::rights::limits::Usages::default(),
            routines: crate::routine::store::Routines::default(),
            scheduler: crate::routine::event::scheduler::Scheduler::new(&variables.named("event_scheduler")),
            datadir,
            store,
            variables,
            connections: Connections::default(),
            global_read_lock: GlobalReadLock::default(),
            waits: Arc::default(),
            user_locks: Arc::new(UserLocks::default()),
            xa: crate::locks::branches::Branches::default(),
            timers: crate::status::timer::StatementTimers::default(),
            prepared: AtomicU64::new(0),
            files: Arc::new(files),
            logs,
            started: now,
            flushed: Mutex::new((now, Sums::default())),
            stopped: AtomicBool::new(false),
            stoppable: AtomicBool::new(false),
        }))
    }

    /// Stops cleanly: every table is written, guards are cleared, the journal is empty.
    ///
    /// # Errors
    /// When a table could not be written.
    pub fn shutdown(&self) -> SqlResult<()> {
        if self.stopped.swap(true, Ordering::SeqCst) {
            return Ok(());
        }
        self.scheduler.stop();
        self.connections.kill_all();
        self.scheduler.wait_for_runs();
        self.catalog.close_all();
        self.store.shutdown().map_err(|e| failure::from_pages(&e, ""))
    }

    /// Whether the engine stops.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// The data directory.
    pub fn datadir(&self) -> &Path {
        &self.datadir
    }

    /// Notes where the server listens, for `@@socket` and `@@port` (0: on no port), as MariaDB tells them.
    pub fn listens(&self, socket: Option<&Path>, port: u16) {
        let socket = socket.map(|s| s.display().to_string()).unwrap_or_default();
        self.variables.set_named("socket", VarValue::Text(Arc::from(socket)));
        self.variables.set_named("port", VarValue::UInt(u64::from(port)));
    }

    pub(crate) fn file_access(&self) -> &Arc<FileAccess> {
        &self.files
    }

    /// The page store.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Time since the engine was opened.
    pub fn uptime(&self) -> Duration {
        self.started.elapsed()
    }

    /// Checks a `mysql_native_password` answer against the accounts. `system_user` is who the operating system says the
    /// client is, for accounts of the plugin unix_socket.
    ///
    /// # Errors
    /// 1045 when the account or the password is wrong, 1130 when the host is not allowed.
    pub fn authenticate(
        &self,
        user: &str,
        host: &str,
        scramble: &[u8; 20],
        answer: &[u8],
        client: Client<'_>,
    ) -> SqlResult<()> {
        self.accounts.authenticate(user, host, scramble, answer, client, self.refuses_expired())
    }

    fn refuses_expired(&self) -> bool {
        self.variables.named("disconnect_on_expired_password").as_bool()
    }

    /// Ends a login whose questions have been asked.
    ///
    /// # Errors
    /// As [`Attempt::end`]; 4150 after `max_password_errors` wrong passwords; 1045, too, where `require_secure_transport` is on and somebody could listen.
    pub fn end_login(&self, attempt: &Attempt, client: Client<'_>) -> SqlResult<()> {
        let secured = client.secure || !self.variables.named("require_secure_transport").as_bool();
        let most = self.variables.named("max_password_errors").as_u64();
        let ended = self
            .accounts
            .count_attempt(attempt, most)
            .and_then(|()| attempt.end(client, secured, self.refuses_expired()));
        if ended.is_err() && self.consumers.is_on() {
            let (user, host) = attempt.who();
            self.consumers.note(user, host, |c| c.denied += 1);
        }
        ended
    }

    /// `secure_auth`: whether passwords of servers before 4.1 open nothing.
    pub fn refuses_old_passwords(&self) -> bool {
        self.variables.named("secure_auth").as_bool()
    }

    /// Whether an account demands TLS.
    pub fn demands_encryption(&self) -> bool {
        self.accounts.list().iter().any(|a| a.requires_tls())
    }

    /// A global variable's text, for those who serve connections.
    pub fn variable_text(&self, name: &'static str) -> String {
        let definitions = crate::variables::definitions();
        let id = definitions.named(name);
        self.variables.get(id).show(&definitions.get(id).kind).unwrap_or_default()
    }

    /// Sets variables about TLS that nobody may change.
    pub fn tell_encryption(&self, variables: &[(&'static str, &str)]) {
        for (name, value) in variables {
            self.variables.set_named(name, VarValue::Text(Arc::from(*value)));
        }
    }

    /// KILL: ends a connection or its running statement.
    ///
    /// # Errors
    /// 1094 for an unknown id.
    pub fn kill(&self, id: u64, connection: bool) -> SqlResult<()> {
        match self.connections.find(id) {
            Some(c) => {
                c.kill(if connection { KillLevel::Connection } else { KillLevel::Query });
                Ok(())
            }
            None => Err(SqlError::new(error::ER_NO_SUCH_THREAD, &[&id])),
        }
    }

    /// The counters of all connections since FLUSH STATUS.
    pub fn status_sums(&self) -> Sums {
        let mut sums = self.connections.sums();
        sums.subtract(&self.flushed.lock().1);
        sums
    }

    /// Time since FLUSH STATUS.
    pub fn time_since_flush(&self) -> Duration {
        self.flushed.lock().0.elapsed()
    }

    /// FLUSH GLOBAL STATUS: counts from zero.
    pub fn flush_status(&self) {
        *self.flushed.lock() = (Instant::now(), self.connections.sums());
        self.caches.flush_status(&self.store);
    }

    /// Carries a changed global variable to the parts that hold it.
    pub(crate) fn global_changed(&self, name: &str) {
        match name {
            "userstat" => self.consumers.set(self.variables.named("userstat").as_bool()),
            "durability" => self.store.set_durability(durability(&self.variables)),
            name if crate::logs::VARIABLES.contains(&name) => {
                self.logs.apply(&self.variables, &self.files, false);
            }
            "version_cache_size" | "version_spill_size" => {
                let limit = |name| self.variables.named(name).as_u64();
                self.store.set_version_limits(limit("version_cache_size"), limit("version_spill_size"));
            }
            "key_buffer_size"
            | "key_cache_block_size"
            | "isambard_map_index"
            | "isambard_cache_rows"
            | "isambard_row_cache_size" => self.caches_changed(),
            _ => {}
        }
    }

    /// Carries the settings of key caches to the caches.
    pub(crate) fn caches_changed(&self) {
        self.caches.refresh(&self.store, &self.variables);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Err(e) = self.shutdown() {
            tracing::error!("clean stop failed: {e}");
        }
    }
}

fn durability(variables: &GlobalVariables) -> Durability {
    crate::variables::settings::durability(&variables.named("durability"))
}

/// Values that the table of variables leaves to the machine.
fn fill_in(v: &GlobalVariables, datadir: &Path) {
    let text = |name, value: &str| v.set_named(name, VarValue::Text(Arc::from(value)));
    let hostname = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let hostname = hostname.trim();
    text("datadir", &format!("{}/", datadir.display()));
    text("hostname", hostname);
    text("version", VERSION);
    text("version_comment", "Isambard: MyISAM tables, served");
    text("version_compile_machine", std::env::consts::ARCH);
    text("version_compile_os", "Linux");
    text("version_malloc_library", "system");
    text("version_ssl_library", "rustls");
    text("basedir", "/usr/");
    text("tmpdir", &std::env::temp_dir().display().to_string());
    text("slave_load_tmpdir", &std::env::temp_dir().display().to_string());
    text("pid_file", &format!("{}/{hostname}.pid", datadir.display()));
    for name in ["general_log_file", "log_slow_query_file", "slow_query_log_file"] {
        text(name, &format!("{hostname}{}", crate::logs::file_ending(name).unwrap_or_default()));
    }
    text("log_error", "");
    text("character_sets_dir", "");
    text("system_time_zone", &system_time_zone());
    // as many as the server asks for when it begins to listen
    let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
    v.set_named("open_files_limit", VarValue::UInt(files.unwrap_or(u64::from(u32::MAX))));
}

/// Which words go into full-text keys (`ft_min_word_len`, `ft_max_word_len`, `ft_stopword_file`).
fn word_rules(v: &GlobalVariables, datadir: &Path) -> SqlResult<Rules> {
    let (min, max) =
        (v.named("ft_min_word_len").as_u64() as usize, v.named("ft_max_word_len").as_u64() as usize);
    let collation = v.named("collation_server");
    let collation = Collation::by_name(collation.as_text()).unwrap_or_else(charset::system);
    let file = v.named("ft_stopword_file");
    let stopwords = match file.as_text() {
        "(built-in)" => Stopwords::built_in(collation, min),
        "" => Stopwords::none(),
        path => {
            let failed = |e: std::io::Error| {
                SqlError::new(error::ER_CANT_OPEN_FILE, &[&path, &e.raw_os_error().unwrap_or(0), &e])
            };
            let text = std::fs::read(datadir.join(path)).map_err(failed)?;
            Stopwords::of_text(collation, &text, min, max)
        }
    };
    Ok(Rules { min, max, stopwords })
}

/// The abbreviation of the machine's zone.
fn system_time_zone() -> String {
    let zone = jiff::tz::TimeZone::system();
    zone.to_offset_info(jiff::Timestamp::now()).abbreviation().to_string()
}

//! The list of connections: what each one does, and how to kill it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, RwLock};

use super::counters::{Counter, Counters, Sums};
use super::encryption::Encryption;
use crate::error::{self, SqlError, SqlResult};
use crate::memory::{Held, STOPPED};

/// What a connection is doing, as the Command column of the process list names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Command {
    /// Waiting for the client.
    Sleep,
    /// Running a text statement.
    Query,
    /// Preparing.
    Prepare,
    /// Running a prepared statement.
    Execute,
    /// Logging in.
    Connect,
    /// COM_INIT_DB.
    InitDb,
    /// COM_FIELD_LIST.
    FieldList,
    /// The event scheduler, which nobody kills.
    Daemon,
}

const COMMANDS: &[(Command, &str)] = &[
    (Command::Sleep, "Sleep"),
    (Command::Query, "Query"),
    (Command::Prepare, "Prepare"),
    (Command::Execute, "Execute"),
    (Command::Connect, "Connect"),
    (Command::InitDb, "Init DB"),
    (Command::FieldList, "Field List"),
    (Command::Daemon, "Daemon"),
];

impl Command {
    /// The word of the process list.
    #[must_use]
    pub fn name(self) -> &'static str {
        COMMANDS.iter().find(|(c, _)| *c == self).map_or("Query", |(_, n)| n)
    }
}

/// How much of a connection was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum KillLevel {
    /// Nothing.
    None = 0,
    /// The running statement, as it holds more memory than the session may.
    Memory = STOPPED,
    /// The running statement, as its time is up.
    Timeout = 2,
    /// The running statement.
    Query = 3,
    /// The connection.
    Connection = 4,
}

/// The error of a statement that finds this in its connection's flag: 1290, 1969, 1317 or 1927.
///
/// # Errors
/// Unless it is [`KillLevel::None`].
#[inline]
pub fn check_kill_flag(flag: u32) -> SqlResult<()> {
    if flag == 0 { Ok(()) } else { Err(kill_error(flag)) }
}

#[cold]
fn kill_error(flag: u32) -> SqlError {
    if flag == KillLevel::Memory as u32 {
        return SqlError::new(error::ER_OPTION_PREVENTS_STATEMENT, &[&"--max-session-mem-used"]);
    }
    let code = if flag == KillLevel::Timeout as u32 {
        error::ER_STATEMENT_TIMEOUT
    } else if flag == KillLevel::Query as u32 {
        error::ER_QUERY_INTERRUPTED
    } else {
        error::ER_CONNECTION_KILLED
    };
    SqlError::new(code, &[])
}

/// The text of the running statement.
#[derive(Default)]
struct Info {
    text: Vec<u8>,
    shared: Option<Arc<[u8]>>,
    /// The text of the routine that runs, and what makes a part of it fit to be shown.
    within: Option<Within>,
    state: &'static str,
}

impl Info {
    /// The statement's text; of a routine that runs, the part of its own statement.
    fn shown(&self, part: u64) -> Vec<u8> {
        let (start, end) = ((part >> 32) as usize, (part & u64::from(u32::MAX)) as usize);
        let within = self.within.as_ref().and_then(|(text, mask)| Some((text.get(start..end)?, mask)));
        match within {
            Some((own, mask)) if !own.is_empty() => mask(own).into_owned(),
            _ => self.shared.as_ref().map_or_else(|| self.text.clone(), |s| s.to_vec()),
        }
    }
}

/// A text without the passwords in it.
pub type Mask = fn(&[u8]) -> std::borrow::Cow<'_, [u8]>;
/// The text of a routine that runs, and its mask.
pub type Within = (Arc<[u8]>, Mask);
type Waker = Arc<dyn Fn() + Send + Sync>;
type Look = Arc<dyn Fn() -> bool + Send + Sync>;

/// What the other connections may see of one connection.
pub struct Connection {
    /// Connection id.
    pub id: u64,
    /// Counters of this connection.
    pub counters: Counters,
    /// What its session holds in memory.
    pub memory: Arc<Held>,
    account: Mutex<(String, String)>,
    db: Mutex<Option<Arc<str>>>,
    command: AtomicU8,
    /// Microseconds since 1970 at the start of the running command.
    since: AtomicU64,
    killed: Arc<AtomicU32>,
    /// Statements that write, within each other. Written by the connection's own thread only.
    pub writing: AtomicU32,
    /// Tables that the running statement has the write lock of. Written by the connection's own thread only.
    pub targets: AtomicU32,
    /// Commands so far. Written by the connection's own thread only.
    commands: AtomicU32,
    /// Microseconds that it has waited for locks. Written by the connection's own thread only.
    waited: AtomicU64,
    /// Thousandths of percent done of a long statement.
    progress: AtomicU32,
    /// Where the running statement of a routine stands in its text: beginning and end, half of the bits each.
    part: AtomicU64,
    info: Mutex<Info>,
    waker: Mutex<Option<Waker>>,
    client: Mutex<Option<Look>>,
    /// The encryption, and whether packets are compressed.
    channel: Mutex<(Option<Arc<Encryption>>, bool)>,
}

/// Microseconds for what statements take: on a clock that does not jump.
#[must_use]
pub fn now_micros() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_micros()).unwrap_or(u64::MAX)
}

impl Connection {
    fn new(id: u64, user: &str, host: &str) -> Connection {
        Connection {
            id,
            counters: Counters::new(),
            memory: Arc::default(),
            account: Mutex::new((user.into(), host.into())),
            db: Mutex::new(None),
            command: AtomicU8::new(Command::Connect as u8),
            since: AtomicU64::new(now_micros()),
            killed: Arc::new(AtomicU32::new(0)),
            commands: AtomicU32::new(0),
            writing: AtomicU32::new(0),
            targets: AtomicU32::new(0),
            waited: AtomicU64::new(0),
            progress: AtomicU32::new(0),
            part: AtomicU64::new(0),
            info: Mutex::default(),
            waker: Mutex::new(None),
            client: Mutex::new(None),
            channel: Mutex::default(),
        }
    }

    /// Notes the start of a command with the text of its statement.
    pub fn begin(&self, command: Command, text: &[u8], micros: u64) {
        {
            let mut info = self.info.lock();
            info.shared = None;
            info.within = None;
            info.text.clear();
            // Longer texts are shown cut: copying megabytes of an INSERT serves nobody.
            info.text.extend_from_slice(&text[..text.len().min(8192)]);
            info.state = "";
        }
        self.number();
        self.since.store(micros, Ordering::Relaxed);
        self.command.store(command as u8, Ordering::Relaxed);
    }

    fn number(&self) {
        let number = self.commands.load(Ordering::Relaxed).wrapping_add(1);
        self.commands.store(number, Ordering::Relaxed);
    }

    /// The number of the running command, which no other one has: that of the connection, and how many it had before.
    pub fn query_id(&self) -> u64 {
        self.id << 32 | u64::from(self.commands.load(Ordering::Relaxed))
    }

    /// Whether a command runs.
    pub fn is_running(&self) -> bool {
        self.command.load(Ordering::Relaxed) != Command::Sleep as u8
    }

    /// Notes the start of a command whose text is shared.
    pub fn begin_shared(&self, command: Command, text: &Arc<[u8]>, micros: u64) {
        {
            let mut info = self.info.lock();
            if !info.shared.as_ref().is_some_and(|s| Arc::ptr_eq(s, text)) {
                info.shared = Some(Arc::clone(text));
            }
            info.within = None;
            info.state = "";
        }
        self.number();
        self.since.store(micros, Ordering::Relaxed);
        self.command.store(command as u8, Ordering::Relaxed);
    }

    /// Notes the end of a command.
    pub fn end(&self, micros: u64) {
        self.command.store(Command::Sleep as u8, Ordering::Relaxed);
        self.since.store(micros, Ordering::Relaxed);
    }

    /// Microseconds that it has waited for locks so far.
    pub fn waited(&self) -> u64 {
        self.waited.load(Ordering::Relaxed)
    }

    /// A wait for a lock is over that began then.
    pub fn add_wait(&self, begun: Instant) {
        let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.waited.store(self.waited().saturating_add(micros), Ordering::Relaxed);
    }

    /// Names what the statement is doing (`Waiting for table metadata lock`).
    pub fn set_state(&self, state: &'static str) {
        self.info.lock().state = state;
    }

    /// A routine of this text begins: its statements are shown in place of the one that called it. Gives what was shown.
    #[must_use]
    pub fn enter_routine(&self, text: &Arc<[u8]>, mask: Mask) -> (Option<Within>, u64) {
        let around = self.info.lock().within.replace((Arc::clone(text), mask));
        (around, self.part.swap(0, Ordering::Relaxed))
    }

    /// The routine is over.
    pub fn leave_routine(&self, (around, part): (Option<Within>, u64)) {
        self.info.lock().within = around;
        self.part.store(part, Ordering::Relaxed);
    }

    /// The statement of the routine that runs now.
    pub fn set_part(&self, start: u32, end: u32) {
        self.part.store(u64::from(start) << 32 | u64::from(end), Ordering::Relaxed);
    }

    /// Tells how far a long statement is: thousandths of percent, 0 when nothing is told.
    pub fn set_progress(&self, done: u32) {
        self.progress.store(done, Ordering::Relaxed);
    }

    /// Names the current database.
    pub fn set_db(&self, db: Option<Arc<str>>) {
        *self.db.lock() = db;
    }

    /// Names the account.
    pub fn set_account(&self, user: &str, host: &str) {
        *self.account.lock() = (user.into(), host.into());
    }

    /// User and host.
    #[must_use]
    pub fn account(&self) -> (String, String) {
        self.account.lock().clone()
    }

    /// Whether the statement or the connection was killed.
    #[inline]
    #[must_use]
    pub fn killed(&self) -> bool {
        self.killed.load(Ordering::Relaxed) != 0
    }

    /// Whether the connection is to end.
    #[must_use]
    pub fn killed_connection(&self) -> bool {
        self.killed.load(Ordering::Relaxed) >= KillLevel::Connection as u32
    }

    /// The flag itself, for whoever looks at it often: 0, or a [`KillLevel`].
    #[must_use]
    pub fn kill_flag(&self) -> &Arc<AtomicU32> {
        &self.killed
    }

    /// Kills the statement or the connection.
    pub fn kill(&self, level: KillLevel) {
        self.killed.fetch_max(level as u32, Ordering::SeqCst);
        if level == KillLevel::Connection {
            self.wake();
        }
    }

    fn wake(&self) {
        let waker = self.waker.lock().clone();
        if let Some(wake) = waker {
            wake();
        }
    }

    /// Forgets a KILL QUERY that met no running statement.
    pub fn clear_query_kill(&self) {
        let flag = self.killed.load(Ordering::Relaxed);
        if flag != 0 && flag != KillLevel::Connection as u32 {
            // Killed for good meanwhile, it stays so.
            let _ = self.killed.compare_exchange(flag, 0, Ordering::SeqCst, Ordering::Relaxed);
        }
    }

    /// Whether the time of the running statement is up, and nobody has killed it beside.
    pub fn timed_out(&self) -> bool {
        self.killed.load(Ordering::Relaxed) == KillLevel::Timeout as u32
    }

    /// Whether the running statement holds more memory than the session may, and nothing else stops it.
    pub fn out_of_memory(&self) -> bool {
        self.killed.load(Ordering::Relaxed) == KillLevel::Memory as u32
    }

    /// What KILL CONNECTION calls to wake the connection's thread (it closes the socket).
    pub fn set_waker(&self, wake: Option<Waker>) {
        *self.waker.lock() = wake;
    }

    /// Notes how the connection's bytes travel.
    pub fn set_channel(&self, encryption: Option<Arc<Encryption>>, compressed: bool) {
        *self.channel.lock() = (encryption, compressed);
    }

    /// The encryption of the connection, and whether packets are compressed.
    #[must_use]
    pub fn channel(&self) -> (Option<Arc<Encryption>>, bool) {
        self.channel.lock().clone()
    }

    /// How to see, without waiting, whether the client has gone.
    pub fn set_client(&self, gone: Option<Look>) {
        *self.client.lock() = gone;
    }

    /// When the running statement began; `u64::MAX` when there is none.
    fn busy_since(&self) -> u64 {
        if self.command.load(Ordering::Relaxed) == Command::Sleep as u8 {
            return u64::MAX;
        }
        self.since.load(Ordering::Relaxed)
    }

    /// Ends the connection when its client has gone: nobody waits for what it waits for.
    #[cold]
    pub fn look_for_client(&self) {
        let gone = self.client.lock().clone();
        if gone.is_some_and(|gone| gone()) {
            self.kill(KillLevel::Connection);
        }
    }

    /// Fails when killed.
    ///
    /// # Errors
    /// 1317 when the statement, 1927 when the connection was killed, 1969 when the statement's time is up.
    #[inline]
    pub fn check_killed(&self) -> SqlResult<()> {
        check_kill_flag(self.killed.load(Ordering::Relaxed))
    }

    /// One line of the process list as of `micros`.
    #[must_use]
    pub fn describe(&self, micros: u64) -> Process {
        let (user, host) = self.account();
        let code = self.command.load(Ordering::Relaxed);
        let command = COMMANDS.iter().find(|(c, _)| *c as u8 == code).map_or("Query", |(_, n)| n);
        let idle = code == Command::Sleep as u8;
        let info = self.info.lock();
        Process {
            id: self.id,
            user,
            host,
            db: self.db.lock().as_ref().map(ToString::to_string),
            command: if self.killed_connection() { "Killed" } else { command },
            micros: micros.saturating_sub(self.since.load(Ordering::Relaxed)),
            state: if idle { "" } else { info.state },
            progress: if idle { 0.0 } else { f64::from(self.progress.load(Ordering::Relaxed)) / 1000.0 },
            info: if idle || code == Command::Daemon as u8 {
                None
            } else {
                Some(info.shown(self.part.load(Ordering::Relaxed)))
            },
        }
    }
}

/// One line of the process list.
#[derive(Clone, Debug)]
pub struct Process {
    /// Connection id.
    pub id: u64,
    /// User name.
    pub user: String,
    /// Host.
    pub host: String,
    /// Current database.
    pub db: Option<String>,
    /// What it does.
    pub command: &'static str,
    /// Microseconds since it began.
    pub micros: u64,
    /// State within the command.
    pub state: &'static str,
    /// Percent done, 0 when it is not told.
    pub progress: f64,
    /// Text of the statement; `None` when idle.
    pub info: Option<Vec<u8>>,
}

/// The number of the first connection, which is MariaDB's.
const FIRST: u64 = 3;

/// Connections of the engine itself have numbers from here on: those of clients follow each other without gaps.
const FIRST_INTERNAL: u64 = 1 << 40;

/// All connections.
pub struct Connections {
    next: AtomicU64,
    /// The next number of a connection of the engine itself.
    next_internal: AtomicU64,
    list: RwLock<BTreeMap<u64, Arc<Connection>>>,
    /// Counters of connections that ended.
    ended: Mutex<Sums>,
    most: AtomicU64,
}

impl Default for Connections {
    fn default() -> Self {
        Connections {
            next: AtomicU64::new(FIRST),
            next_internal: AtomicU64::new(FIRST_INTERNAL),
            list: RwLock::default(),
            ended: Mutex::default(),
            most: AtomicU64::new(0),
        }
    }
}

impl Connections {
    /// Adds a connection when there is room for one.
    ///
    /// # Errors
    /// 1040 when there are `limit` already.
    pub fn add(&self, id: u64, user: &str, host: &str, limit: usize) -> SqlResult<Arc<Connection>> {
        let mut list = self.list.write();
        if list.len() >= limit {
            return Err(SqlError::new(error::ER_CON_COUNT_ERROR, &[]));
        }
        let id = if id == 0 { self.next_id() } else { id };
        let connection = Arc::new(Connection::new(id, user, host));
        list.insert(id, Arc::clone(&connection));
        self.most.fetch_max(list.len() as u64, Ordering::Relaxed);
        Ok(connection)
    }

    /// A number for a connection of the engine itself.
    pub fn next_internal_id(&self) -> u64 {
        self.next_internal.fetch_add(1, Ordering::Relaxed)
    }

    /// A number for a new connection.
    pub fn next_id(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Takes a connection off the list and keeps what it counted until then.
    pub fn remove(&self, connection: &Connection) {
        let listed = self.list.write().remove(&connection.id);
        if listed.is_some() {
            connection.counters.add_to(&mut self.ended.lock());
        }
    }

    /// Finds a connection; the event scheduler is none.
    #[must_use]
    pub fn find(&self, id: u64) -> Option<Arc<Connection>> {
        let daemon = |c: &&Arc<Connection>| c.command.load(Ordering::Relaxed) == Command::Daemon as u8;
        self.list.read().get(&id).filter(|c| !daemon(c)).cloned()
    }

    /// Ends the connections that have been at one statement for `longer` and whose client has gone.
    pub fn look_for_clients(&self, longer: Duration) {
        let before = now_micros().saturating_sub(u64::try_from(longer.as_micros()).unwrap_or(u64::MAX));
        let busy: Vec<_> = self.list.read().values().filter(|c| c.busy_since() < before).cloned().collect();
        for connection in busy {
            connection.look_for_client();
        }
    }

    /// All connections in the order of their ids.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Connection>> {
        self.list.read().values().cloned().collect()
    }

    /// Kills all connections. Each is marked before the first is woken: what one holds as it ends must not
    /// let another's statement go on.
    pub fn kill_all(&self) {
        let all = self.all();
        for connection in &all {
            connection.killed.fetch_max(KillLevel::Connection as u32, Ordering::SeqCst);
        }
        for connection in &all {
            connection.wake();
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.read().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many were ever accepted.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.next.load(Ordering::Relaxed) - 1
    }

    /// The most there were at one time.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }

    /// The counters of all connections, past and present, added up.
    #[must_use]
    pub fn sums(&self) -> Sums {
        let mut sums = self.ended.lock().clone();
        for c in self.list.read().values() {
            c.counters.add_to(&mut sums);
        }
        sums
    }

    /// Counts something that belongs to no connection (a refused login).
    pub fn count(&self, counter: Counter) {
        self.ended.lock().add(counter, 1);
    }

    /// Moves a connection's counters to the common sums and sets them to zero, so that
    /// FLUSH STATUS restarts the session's own.
    pub fn fold(&self, connection: &Connection) {
        connection.counters.add_to(&mut self.ended.lock());
        connection.counters.reset();
        connection.memory.forget_most();
    }
}

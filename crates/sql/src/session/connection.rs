//! What the connection's own code (the server's packet loop) asks of engine and session beside statements: numbers
//! and limits, the kill hook, traffic counters. Values the client can change are asked between two commands.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use charset::Collation;

use crate::engine::{Engine, VERSION};
use crate::session::Session;
use crate::status::{Command, Counter, connection::now_micros};

/// What KILL calls beside setting the session's flag: it wakes a connection that waits for its client.
/// Called from another thread, must not block.
#[derive(Clone)]
pub struct KillHook(pub Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for KillHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KillHook")
    }
}

/// Tells whether the client has gone; must not block.
#[derive(Clone)]
pub struct GoneHook(pub Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for GoneHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GoneHook")
    }
}

impl Engine {
    /// The number of a new connection: 1, 2, 3 ...; it is in the greeting, before anybody has logged in.
    pub fn next_connection_id(&self) -> u64 {
        self.connections.next_id()
    }

    /// Ends the connections whose statements have run for so long and whose clients have gone meanwhile: nobody reads the answer.
    pub fn end_statements_of_gone_clients(&self, longer: std::time::Duration) {
        self.connections.look_for_clients(longer);
    }

    /// `VERSION()`.
    pub fn version(&self) -> &str {
        VERSION
    }

    /// Whether an account may take the connection beyond `max_connections`.
    pub fn may_exceed_connections(&self, user: &str, host: &str, address: Option<&str>) -> bool {
        use crate::rights::privilege::bit;
        let bits = bit("SUPER").unwrap_or(0) | bit("CONNECTION ADMIN").unwrap_or(0);
        self.accounts.login(user, host, address).is_some_and(|a| a.access & bits != 0)
    }

    /// `max_connections`. The server keeps one more for an administrator.
    pub fn max_connections(&self) -> usize {
        self.variables.named("max_connections").as_u64() as usize
    }

    /// Collation id of the greeting: that of `character_set_server`.
    pub fn default_collation(&self) -> u16 {
        Collation::by_name(self.variables.named("collation_server").as_text()).map_or(8, |c| c.id)
    }

    /// `max_allowed_packet` before a session exists, in bytes.
    pub fn max_allowed_packet(&self) -> usize {
        self.variables.named("max_allowed_packet").as_u64() as usize
    }

    /// `connect_timeout`: how long a client may take to log in.
    pub fn connect_timeout(&self) -> Duration {
        Duration::from_secs(self.variables.named("connect_timeout").as_u64())
    }

    /// Counts a connection refused by `max_connections` (`Connection_errors_max_connections`).
    pub fn count_refused_connection(&self) {
        self.connections.count(Counter::ConnectionErrorsMaxConnections);
    }

    /// Counts a failed login (`Aborted_connects`).
    pub fn count_aborted_connect(&self) {
        self.connections.count(Counter::AbortedConnects);
    }
}

impl Session {
    /// Notes how many bytes the buffers take that stand between the session and its client.
    #[inline]
    pub fn note_buffers(&self, bytes: usize) {
        self.connection.memory.set_buffers(bytes);
    }

    /// `max_allowed_packet` of this session, in bytes.
    pub fn max_allowed_packet(&self) -> usize {
        self.vars.settings.max_allowed_packet as usize
    }

    /// How long the connection may be idle: `wait_timeout`, or `interactive_timeout` of an interactive client.
    pub fn idle_timeout(&self) -> Duration {
        Duration::from_secs(self.vars.settings.wait_timeout)
    }

    /// `net_write_timeout`.
    pub fn net_write_timeout(&self) -> Duration {
        Duration::from_secs(self.vars.settings.net_write_timeout)
    }

    /// `isambard_follow_clients`.
    pub fn follows_client(&self) -> bool {
        self.vars.settings.follow_clients
    }

    /// Whether KILL CONNECTION was asked for: the connection ends after this command.
    pub fn is_killed(&self) -> bool {
        self.connection.killed_connection()
    }

    /// A command other than a statement begins (its byte in the protocol): counted as `Questions` and `Com_...`, and
    /// seen in SHOW PROCESSLIST.
    pub fn begin_command(&mut self, command: u8) {
        const STATISTICS: u8 = 0x09;
        const PING: u8 = 0x0e;
        self.connection.clear_query_kill();
        self.count(Counter::Queries);
        if command != STATISTICS && command != PING {
            self.count(Counter::Questions);
        }
        match command {
            0x17 => self.count(Counter::ComStmtExecute),
            0x18 => self.count(Counter::ComStmtSendLongData),
            0x1a => self.count(Counter::ComStmtReset),
            0x1c => self.count(Counter::ComStmtFetch),
            _ => self.count(Counter::ComAdminCommands),
        }
        self.connection.begin(Command::Query, b"", now_micros());
        self.connection.end(now_micros());
    }

    /// Adds to `Bytes_received` and `Bytes_sent`.
    pub fn count_traffic(&mut self, received: u64, sent: u64) {
        self.connection.counters.add(Counter::BytesReceived, received);
        self.connection.counters.add(Counter::BytesSent, sent);
    }

    /// Adds what the login took, which is not among what the user has used.
    pub fn count_login(&mut self, received: u64, sent: u64) {
        self.count_traffic(received, sent);
        self.forget_consumption();
    }

    /// The connection ended without COM_QUIT (`Aborted_clients`).
    pub fn count_aborted(&mut self) {
        self.count(Counter::AbortedClients);
        if self.notes_consumption() {
            let (user, host) = (&self.info.user, &self.info.host);
            self.engine.consumers.note(user, host, |c| c.lost += 1);
        }
    }
}

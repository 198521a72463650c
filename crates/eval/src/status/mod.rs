//! What `SHOW STATUS` and `SHOW PROCESSLIST` see of the running connections.

pub mod connection;
pub mod consumption;
pub mod counters;
pub mod encryption;
pub mod timer;
pub mod variables;

pub use connection::{Command, Connection, Connections, KillLevel};
pub use counters::{Counter, Counters, Sums};

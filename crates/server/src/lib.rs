//! Connections: the MySQL wire protocol, version 4.1, as MariaDB 10.11 speaks it.
//!
//! Blocking I/O, one thread a connection. On the hot path a statement costs one `recv` and one `send`: requests are
//! parsed in place in the connection's read buffer, answers are encoded into its send buffer, and both buffers are
//! reused from statement to statement.
//!
//! This crate knows bytes and sockets. What a statement means is the affair of `sql`; the border between the two is
//! [`sql::result::ResultSink`].
//!
//! | module | subject |
//! |---|---|
//! | [`wire`] | integers and strings of the protocol, read with bounds checks and written |
//! | [`packet`] | framing: 3-byte lengths, sequence numbers, joining and splitting at 16 MB |
//! | [`stream`] | TCP and unix sockets behind one type |
//! | [`protocol`] | numbers of the protocol: commands, capabilities, status flags, types |
//! | [`handshake`] | greeting, login request, auth switch |
//! | [`auth`] | scrambles and the client's side of `mysql_native_password` |
//! | [`answer`] | OK, ERR, EOF and column definition packets |
//! | [`parameters`] | parameters of prepared statements |
//! | [`value`] | values of result rows as text and binary |
//! | [`cursor`] | rows that wait for COM_STMT_FETCH |
//! | [`resultset`] | the sink that statements write their rows into |
//! | `reply` | answers that wait for the disk |
//! | [`stream`] | sockets, TLS and compression upon them |
//! | `certificates` | which certificates there are, made where there is none |
//! | `login` | greeting, TLS, proof of the account |
//! | `connection` | commands of one connection |
//! | `listener` | sockets, threads, clean stop |

pub mod answer;
pub mod auth;
mod certificates;
mod connection;
pub mod cursor;
pub mod handshake;
mod listener;
mod login;
pub mod packet;
pub mod parameters;
mod placement;
mod polling;
pub mod protocol;
mod reply;
pub mod resultset;
pub mod stream;
pub mod value;
pub mod wire;

pub use listener::{ListenError, ListenOptions, Server};

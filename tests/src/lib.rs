//! Tests that cross crates: real servers on private sockets, compared statement by statement.
//!
//! MariaDB is the oracle. Where it is not installed the tests say so and pass without a run
//! (`cargo xtask test` installs it).

pub mod compare;
pub mod dumps;
pub mod generate;
pub mod history;
pub mod known;
pub mod literals;
pub mod peers;
pub mod tables;

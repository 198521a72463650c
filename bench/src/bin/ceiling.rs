//! A server that answers sysbench and does no work: the ceiling of what can be measured here.

use std::path::PathBuf;

use clap::Parser;

/// Answers every statement of sysbench's OLTP scripts with a canned result.
#[derive(Parser)]
struct Options {
    /// The unix socket to listen on.
    #[arg(long, default_value = "/tmp/ceiling.sock")]
    socket: PathBuf,
}

fn main() -> std::io::Result<()> {
    bench::ceiling::serve(&Options::parse().socket)
}

//! The `isambard` binary.

#[macro_use]
mod print;

mod backup;
mod check;
mod data_directory;
mod describe;
mod dump;
mod files;
mod ftdump;
mod log;
mod pack;
mod repair;
mod serve;
mod shell;
mod signal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A MySQL-compatible database whose tables are real MyISAM files.
#[derive(Parser)]
#[command(name = "isambard", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  isambard serve                                    a server in ./isambard-data; prints how to connect
  isambard serve --datadir /var/lib/mysql           serve the MyISAM tables of a (stopped) MySQL or MariaDB
  isambard sql                                      a shell on ./isambard-data, no server needed
  isambard sql -e 'SHOW TABLES' test                one statement
  isambard sql -B -e 'SELECT * FROM t' test >t.tsv  tab-separated
  isambard check --datadir D db/table               are the files of a table sound?
  isambard check -e D/db/table.MYI                  the same of a table that no server has open
  isambard repair --keep-backup D/db/table          a damaged table's rows into new files
  isambard describe --svg map.svg D/db/table        how full and how fragmented its files are
  isambard dump --salvage -f csv D/db/table.MYD     what can be read of a damaged data file
  isambard ftdump -c D/db/table 1                   words of a FULLTEXT key and how frequent they are
  isambard pack D/db/*.MYI                          compress tables that are only read from now on
  isambard backup --datadir D /backups/monday       a copy of everything, whether a server runs on D or not

Any MySQL or MariaDB client connects to the server: mariadb -S isambard-data/isambard.sock -u root";

#[derive(Subcommand)]
enum Command {
    /// Serve a data directory over the MySQL protocol.
    Serve(serve::Options),
    /// Work on a data directory in a shell of its own, without a server.
    Sql(shell::Options),
    /// Check tables: every row, key and count, files untouched.
    Check(check::Options),
    /// Repair tables no server has open, as myisamchk -r, -o and -q do.
    Repair(repair::Options),
    /// Print what the files of a table hold: head, keys, statistics, fill of blocks, fragmentation.
    Describe(describe::Options),
    /// Write the rows of tables no server has open, damaged ones too, as CSV, JSON, SQL or Parquet.
    Dump(dump::Options),
    /// Print what a FULLTEXT key holds, as myisam_ftdump does, of a table no server has open.
    Ftdump(ftdump::Options),
    /// Compress tables no server has open, as myisampack does; from then on they can be read only.
    Pack(pack::PackArguments),
    /// Make compressed tables plain again.
    Unpack(pack::UnpackArguments),
    /// Copy everything as of one moment, while the server goes on; the copy is a data directory.
    Backup(backup::Options),
    /// Print the version, and the server version reported to clients.
    Version,
}

/// Which data directory.
#[derive(Args, Clone)]
struct DataDirectory {
    /// Data directory: one subdirectory per database, three files per table; created if missing.
    #[arg(long, short = 'd', value_name = "D", default_value = "isambard-data", env = "ISAMBARD_DATADIR")]
    datadir: PathBuf,

    /// Take the folder though it holds files and does not look like a data directory.
    #[arg(long)]
    init: bool,

    /// System variable to set before the start, such as key_buffer_size=64M. Repeatable.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    set: Vec<(String, String)>,
}

impl DataDirectory {
    fn open(&self) -> Result<std::sync::Arc<sql::Engine>, String> {
        data_directory::check(&self.datadir, self.init)?;
        let options = sql::EngineOptions { set: self.set.clone(), create: true };
        sql::Engine::open(&self.datadir, options)
            .map_err(|e| format!("{}: {}", self.datadir.display(), e.message))
    }
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    // Option files and mysqld write key-buffer-size; statements write key_buffer_size.
    Ok((name.trim().replace('-', "_"), value.trim().to_owned()))
}

fn main() -> ExitCode {
    // A huge page for the little that an idle connection touches would be a megabyte each.
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        tracing::debug!("huge pages stay on: {error}");
    }
    let result = match Cli::parse().command {
        Command::Serve(options) => serve::run(&options),
        Command::Sql(options) => shell::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Repair(options) => repair::run(&options),
        Command::Describe(options) => describe::run(&options),
        Command::Dump(options) => dump::run(&options),
        Command::Ftdump(options) => ftdump::run(&options),
        Command::Pack(options) => pack::pack(&options),
        Command::Unpack(options) => pack::unpack(&options),
        Command::Backup(options) => backup::run(&options),
        Command::Version => {
            say!("isambard {} (clients see {})", env!("CARGO_PKG_VERSION"), sql::VERSION);
            Ok(ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|message| {
        complain!("isambard: {message}");
        ExitCode::FAILURE
    })
}

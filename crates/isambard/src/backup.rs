//! `isambard backup`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tracing::Level;

use crate::{DataDirectory, log};

#[cfg(feature = "backup-client")]
mod client;
#[cfg(feature = "backup-client")]
use client::served_by;

#[cfg(not(feature = "backup-client"))]
fn served_by(_: &Path, _: &Options, _: &Path, _: &ProgressBar) -> Result<Copied, String> {
    Err("a server runs on the directory, and this program was built without `backup-client`: use BACKUP SERVER TO".into())
}

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data: DataDirectory,

    /// Folder that the copy becomes: a data directory of its own. It must not exist, or be empty.
    target: PathBuf,

    /// Socket of the running server [default: isambard.sock in the data directory].
    #[arg(long, short = 'S', value_name = "S")]
    socket: Option<PathBuf>,

    /// Account to connect with when a server runs.
    #[arg(long, short, value_name = "U", default_value = "root")]
    user: String,

    /// Its password.
    #[arg(long, short, value_name = "P", env = "MYSQL_PWD", hide_env_values = true)]
    password: Option<String>,

    /// Leave damaged tables out and copy the others. They are named, and the exit code is 2.
    #[arg(long)]
    skip_damaged: bool,

    /// No progress bar.
    #[arg(long, short)]
    quiet: bool,
}

/// Parts of the bar.
const WHOLE: u64 = 100_000;
/// Exit code of a backup without its damaged tables.
const INCOMPLETE: u8 = 2;

/// A copy that was made.
struct Copied {
    /// What it holds.
    tables: String,
    /// What is to be told besides.
    said: Vec<String>,
    /// Whether damaged tables are missing.
    damaged: bool,
}

pub fn run(options: &Options) -> Result<ExitCode, String> {
    log::start(Level::WARN);
    let datadir = &options.data.datadir;
    if !datadir.is_dir() {
        return Err(format!("{}: no such data directory", datadir.display()));
    }
    let target = std::path::absolute(&options.target).map_err(|e| e.to_string())?;
    let bar = if options.quiet { ProgressBar::hidden() } else { ProgressBar::new(WHOLE) };
    let style = "{msg} [{bar:40}] {percent}% {elapsed}, {eta} to go";
    bar.set_style(ProgressStyle::with_template(style).map_err(|e| e.to_string())?.progress_chars("=> "));
    bar.set_message("copying");
    let socket = options.socket.clone().unwrap_or_else(|| datadir.join("isambard.sock"));
    // A socket without a server behind it is what a kill leaves.
    let served = std::os::unix::net::UnixStream::connect(&socket).is_ok();
    if options.socket.is_some() && !served {
        return Err(format!("no server answers at '{}'", socket.display()));
    }
    let result =
        if served { served_by(&socket, options, &target, &bar) } else { alone(options, &target, &bar) };
    bar.finish_and_clear();
    let copied = result?;
    for warning in &copied.said {
        complain!("{warning}");
    }
    if !options.quiet {
        say!("{}: {}", target.display(), copied.tables);
    }
    if copied.damaged {
        complain!("isambard: the backup is not complete: damaged tables are missing");
        return Ok(ExitCode::from(INCOMPLETE));
    }
    Ok(ExitCode::SUCCESS)
}

/// No server runs: the directory is opened here.
fn alone(options: &Options, target: &Path, bar: &ProgressBar) -> Result<Copied, String> {
    let engine = options.data.open().map_err(|e| {
        format!("{e}\nIf a server runs on it with another socket, say --socket, and --user and --password as needed.")
    })?;
    let result = sql::admin::backup::backup(&engine, target, options.skip_damaged, &mut |p| {
        bar.set_position((p.bytes * WHOLE).checked_div(p.of_bytes).unwrap_or(0).min(WHOLE));
        bar.set_message(format!("{} of {} tables", p.tables, p.of_tables));
        Ok(())
    });
    let stopped = engine.shutdown();
    let summary = result.map_err(|e| e.message)?;
    stopped.map_err(|e| e.message)?;
    let left =
        summary.left_out.iter().map(|(table, why)| format!("Table '{table}' is not in the backup: {why}"));
    let damaged = summary
        .damaged
        .iter()
        .map(|(table, e)| format!("Table '{table}' is damaged and not in the backup: {}", e.message));
    let said = left.chain(damaged).collect();
    Ok(Copied { tables: summary.to_string(), said, damaged: !summary.damaged.is_empty() })
}

//! `isambard backup`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use mysql::prelude::Queryable;
use tracing::Level;

use crate::{DataDirectory, log};

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

/// Code of the warning for tables of other engines.
const OTHER_ENGINE: u32 = 1286;

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

/// An error of the server as its own text; others as their library says them.
fn in_words(error: &mysql::Error) -> String {
    match error {
        mysql::Error::MySqlError(e) => format!("ERROR {} ({}): {}", e.code, e.state, e.message),
        mysql::Error::IoError(e) => e.to_string(),
        other => other.to_string(),
    }
}

/// A server runs: it makes the copy, and is asked meanwhile how far it is.
fn served_by(socket: &Path, options: &Options, target: &Path, bar: &ProgressBar) -> Result<Copied, String> {
    let connect = || {
        let opts = mysql::OptsBuilder::new()
            .user(Some(&options.user))
            .pass(options.password.as_deref())
            .socket(Some(socket.to_string_lossy()))
            .prefer_socket(false);
        mysql::Conn::new(opts).map_err(|e| in_words(&e))
    };
    let (mut conn, mut watch) = (connect()?, connect()?);
    let id = conn.connection_id();
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(100));
                // The bar is a courtesy: what goes wrong here stops nothing.
                let Ok(rows) = watch.query::<mysql::Row, _>("SHOW PROCESSLIST") else { return };
                let percent = rows
                    .iter()
                    .find(|row| row.get::<u64, _>("Id") == Some(u64::from(id)))
                    .and_then(|row| row.get::<f64, _>("Progress"));
                if let Some(percent) = percent {
                    bar.set_position((percent * 1000.0) as u64);
                }
            }
        });
        let quoted = target.to_string_lossy().replace('\\', "\\\\").replace('\'', "\\'");
        let skip = if options.skip_damaged { " SKIP DAMAGED" } else { "" };
        let result = conn.query_drop(format!("BACKUP SERVER TO '{quoted}'{skip}"));
        ended.store(true, Ordering::Relaxed);
        result.map_err(|e| in_words(&e))?;
        let tables = conn.info_str().into_owned();
        let warnings: Vec<(String, u32, String)> = conn.query("SHOW WARNINGS").map_err(|e| in_words(&e))?;
        let damaged = warnings.iter().any(|(_, code, _)| *code != OTHER_ENGINE);
        Ok(Copied { tables, said: warnings.into_iter().map(|(_, _, text)| text).collect(), damaged })
    })
}

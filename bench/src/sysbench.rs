//! sysbench's stock scripts: which, with what options, and what they report.

use std::io;
use std::path::Path;
use std::process::{Command, Output};

use crate::process;

/// A workload of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Its name in options and tables.
    pub name: &'static str,
    /// sysbench's script.
    pub script: &'static str,
    /// Options of the script.
    pub options: &'static [&'static str],
    /// Whether its runs take rows away: then each begins with fresh tables.
    pub consumes: bool,
    /// Whether it makes tables of its own, one a thread.
    pub own_tables: bool,
}

const fn workload(name: &'static str, script: &'static str) -> Workload {
    Workload { name, script, options: &[], consumes: false, own_tables: false }
}

/// All workloads, those that read before those that write.
pub const WORKLOADS: &[Workload] = &[
    workload("point_select", "oltp_point_select"),
    Workload {
        options: &[
            "--point-selects=0",
            "--simple-ranges=1",
            "--sum-ranges=0",
            "--order-ranges=0",
            "--distinct-ranges=0",
            "--skip-trx=on",
        ],
        ..workload("simple_ranges", "oltp_read_only")
    },
    workload("read_only", "oltp_read_only"),
    workload("update_index", "oltp_update_index"),
    workload("update_non_index", "oltp_update_non_index"),
    // Two threads may delete and insert the same row; without transactions the later INSERT finds a duplicate.
    Workload {
        options: &["--mysql-ignore-errors=1062,1213,1020,1205"],
        ..workload("read_write", "oltp_read_write")
    },
    workload("insert", "oltp_insert"),
    Workload { own_tables: true, ..workload("bulk_insert", "bulk_insert") },
    Workload { consumes: true, ..workload("delete", "oltp_delete") },
];

/// Where and how much.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The server's unix socket.
    pub socket: &'a Path,
    /// Database of the tables.
    pub database: &'a str,
    /// Storage engine named in CREATE TABLE.
    pub engine: &'a str,
    /// Number of tables.
    pub tables: u32,
    /// Rows in each.
    pub rows: u32,
}

/// What a run reported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Statements completed (of bulk_insert: rows).
    pub queries: f64,
    /// Seconds they took.
    pub seconds: f64,
    /// 95th percentile of an event's latency in milliseconds.
    pub latency95: f64,
    /// Errors that sysbench ignored.
    pub errors: f64,
}

impl Outcome {
    /// Statements a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.queries / self.seconds
    }

    /// Reads sysbench's report.
    #[must_use]
    pub fn parse(report: &str, rows: bool) -> Option<Self> {
        let number = |key: &str| {
            let line = report.lines().find_map(|l| l.trim().strip_prefix(key))?;
            line.split_ascii_whitespace().next()?.trim_end_matches('s').parse::<f64>().ok()
        };
        let count = if rows { "total number of events:" } else { "queries:" };
        Some(Self {
            queries: number(count)?,
            seconds: number("total time:")?,
            latency95: number("95th percentile:").unwrap_or(0.0),
            errors: number("ignored errors:").unwrap_or(0.0),
        })
    }
}

fn command(workload: &Workload, target: &Target<'_>, threads: u32) -> Command {
    let mut command = Command::new("sysbench");
    command
        .arg(workload.script)
        .arg("--db-driver=mysql")
        .arg(format!("--mysql-socket={}", target.socket.display()))
        .arg("--mysql-user=root")
        .arg(format!("--mysql-db={}", target.database))
        .arg(format!("--threads={threads}"));
    if !workload.own_tables {
        command
            .arg(format!("--mysql-storage-engine={}", target.engine))
            .arg(format!("--tables={}", target.tables))
            .arg(format!("--table-size={}", target.rows));
    }
    command.args(workload.options);
    command
}

fn checked(command: &mut Command) -> io::Result<String> {
    let output: Output = process::output(command)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() && !text.contains("FATAL") {
        return Ok(text);
    }
    let lines: Vec<&str> =
        text.lines().filter(|l| l.contains("FATAL") || l.contains("rror")).take(5).collect();
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("sysbench: {} {}", lines.join("; "), stderr.trim())))
}

/// Fills the tables.
///
/// # Errors
/// What sysbench says.
pub fn prepare(workload: &Workload, target: &Target<'_>, threads: u32) -> io::Result<()> {
    let threads = if workload.own_tables { threads } else { target.tables.min(4) };
    checked(command(workload, target, threads).arg("prepare")).map(drop)
}

/// Drops the tables.
///
/// # Errors
/// What sysbench says.
pub fn cleanup(workload: &Workload, target: &Target<'_>, threads: u32) -> io::Result<()> {
    checked(command(workload, target, threads).arg("cleanup")).map(drop)
}

/// Runs a workload for `seconds`.
///
/// # Errors
/// What sysbench says; errors of statements are among it.
pub fn run(
    workload: &Workload,
    target: &Target<'_>,
    threads: u32,
    seconds: u32,
    prepared: bool,
) -> io::Result<Outcome> {
    let mut command = command(workload, target, threads);
    command
        .arg(format!("--time={seconds}"))
        .arg("--events=0")
        .arg(if prepared { "--db-ps-mode=auto" } else { "--db-ps-mode=disable" })
        .arg("run");
    let report = checked(&mut command)?;
    Outcome::parse(&report, workload.own_tables)
        .ok_or_else(|| io::Error::other(format!("no figures in sysbench's report:\n{report}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_is_read() {
        let report = "SQL statistics:\n    queries performed:\n        total:   546\n    transactions:  1 (1 per sec.)\n    \
            queries:                             163180 (54326.49 per sec.)\n    ignored errors:                      2      (0.00 per sec.)\n\
            General statistics:\n    total time:                          3.0036s\n    total number of events:              163180\n\
            Latency (ms):\n         95th percentile:                        0.24\n";
        let outcome = Outcome::parse(report, false).expect("figures");
        assert_eq!(outcome, Outcome { queries: 163_180.0, seconds: 3.0036, latency95: 0.24, errors: 2.0 });
        assert_eq!(Outcome::parse("FATAL", false), None);
    }
}

//! What durability costs: readers and writers under `none` and `second`, commits a second under `commit` beside InnoDB,
//! and how long recovery takes.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use bench::options::Common;
use bench::process::{ServerProcess, client, install_mariadb, isambard_command, mariadb_command};
use bench::sysbench::{self, Target, WORKLOADS, Workload};
use bench::{recovery, report};
use clap::Parser;

/// Measures the settings of durability and prints a markdown report.
///
/// Readers and writers run under `none` and `second` in turns, on the same server and tables. `commit` is measured with
/// oltp_insert beside InnoDB with innodb_flush_log_at_trx_commit=1: one commit a statement. A
/// recovery is timed beside reading its journal.
#[derive(Parser)]
struct Options {
    /// Tables.
    #[arg(long, default_value_t = 4)]
    tables: u32,
    /// Rows in each table.
    #[arg(long, default_value_t = 100_000)]
    rows: u32,
    /// Seconds a run.
    #[arg(long, default_value_t = 10)]
    time: u32,
    /// Rounds; the settings take turns in each, medians are printed.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Client threads of readers and writers under `none` and `second`.
    #[arg(long, default_value_t = 8)]
    threads: u32,
    /// Writers that commit.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 64])]
    writers: Vec<u32>,
    /// MB of journal to recover; 0 leaves recovery out.
    #[arg(long, default_value_t = 1074)]
    journal: u64,
    #[command(flatten)]
    common: Common,
}

/// Workloads under `none` and `second`: those that read, then those that write.
const LOADS: [&str; 6] =
    ["point_select", "read_only", "update_index", "update_non_index", "insert", "read_write"];

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench durability: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> io::Result<()> {
    report::write(&options.common, |scratch| measure(options, scratch))
}

fn workload(name: &str) -> io::Result<Workload> {
    let found = WORKLOADS.iter().find(|w| w.name == name).copied();
    found.ok_or_else(|| io::Error::other(format!("no workload {name}")))
}

fn median(values: &mut [f64]) -> f64 {
    report::median(values).unwrap_or(f64::NAN)
}

/// Queries a second, and CPU microseconds a query.
struct Runs {
    rates: Vec<f64>,
    cpu: Vec<f64>,
}

impl Runs {
    fn new() -> Runs {
        Runs { rates: Vec::new(), cpu: Vec::new() }
    }

    fn add(
        &mut self,
        server: &ServerProcess,
        workload: &Workload,
        target: &Target<'_>,
        threads: u32,
        seconds: u32,
    ) -> io::Result<()> {
        let before = server.cpu_time()?;
        let outcome = sysbench::run(workload, target, threads, seconds, true)?;
        let used: Duration = server.cpu_time()?.saturating_sub(before);
        self.rates.push(outcome.rate());
        self.cpu.push(used.as_secs_f64() * 1e6 / outcome.queries.max(1.0));
        Ok(())
    }
}

fn measure(options: &Options, scratch: &Path) -> io::Result<String> {
    let socket = scratch.join("isambard.sock");
    let mut command =
        isambard_command(&options.common.binary("isambard")?, &scratch.join("isambard"), &socket);
    let ours = ServerProcess::start(&mut command, &socket, &scratch.join("isambard.log"))?;
    let other_socket = scratch.join("mariadb.sock");
    install_mariadb(&scratch.join("mariadb"))?;
    let mut command = mariadb_command(&scratch.join("mariadb"), &other_socket);
    command.arg("--innodb-flush-log-at-trx-commit=1");
    let innodb = ServerProcess::start(&mut command, &other_socket, &scratch.join("mariadb.log"))?;

    let target = |server: &'static str, socket| Target {
        socket,
        database: "sbtest",
        engine: server,
        tables: options.tables,
        rows: options.rows,
    };
    let (here, there) = (target("myisam", socket.as_path()), target("innodb", other_socket.as_path()));
    for target in [&here, &there] {
        client(target.socket, "CREATE DATABASE sbtest")?;
        sysbench::prepare(&workload("point_select")?, target, 4)?;
    }
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut report = format!(
        "{} tables of {} rows, {} rounds of {} s alternating, medians; prepared statements; {cores} cores.\n",
        options.tables, options.rows, options.rounds, options.time
    );
    report += &format!(
        "\n### `second` against `none`, {} threads\n\n| workload | none q/s | second q/s | second / none | CPU µs none | \
         CPU µs second | CPU ratio |\n|---|---:|---:|---:|---:|---:|---:|\n",
        options.threads
    );
    for name in LOADS {
        let load = workload(name)?;
        let mut runs = [Runs::new(), Runs::new()];
        for round in 0..options.rounds {
            // Each begins every other round, as the tables grow.
            let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
            for setting in order {
                client(&socket, &format!("SET GLOBAL durability = '{}'", ["none", "second"][setting]))?;
                runs[setting].add(&ours, &load, &here, options.threads, options.time)?;
            }
        }
        let [none, second] = &mut runs;
        let (a, b) = (median(&mut none.rates), median(&mut second.rates));
        let (c, d) = (median(&mut none.cpu), median(&mut second.cpu));
        let line = format!("| {name} | {a:.0} | {b:.0} | {:.2} | {c:.1} | {d:.1} | {:.2} |\n", b / a, d / c);
        eprint!("{line}");
        report += &line;
    }
    report += "\n### `commit` beside InnoDB (innodb_flush_log_at_trx_commit=1), oltp_insert\n\n\
        | writers | Isambard commits/s | InnoDB commits/s | ratio |\n|---:|---:|---:|---:|\n";
    client(&socket, "SET GLOBAL durability = 'commit'")?;
    let load = workload("insert")?;
    for &writers in &options.writers {
        let mut runs = [Runs::new(), Runs::new()];
        for _ in 0..options.rounds {
            runs[0].add(&ours, &load, &here, writers, options.time)?;
            runs[1].add(&innodb, &load, &there, writers, options.time)?;
        }
        let [a, b] = runs.each_mut().map(|r| median(&mut r.rates));
        let line = format!("| {writers} | {a:.0} | {b:.0} | {:.2} |\n", a / b);
        eprint!("{line}");
        report += &line;
    }
    drop((ours, innodb));
    if options.journal > 0 {
        report += &recoveries(options, scratch)?;
    }
    Ok(report)
}

fn recoveries(options: &Options, scratch: &Path) -> io::Result<String> {
    let mut report =
        "\n### Recovery\n\n| journal MB | records | reading s | recovery s | its CPU s | recovery / reading \
        |\n|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
    let mut ratios = Vec::new();
    for _ in 0..options.rounds.min(3) {
        let dir = scratch.join("recovery");
        std::fs::create_dir_all(&dir)?;
        let run = recovery::measure(&dir, options.journal * 1_000_000)?;
        std::fs::remove_dir_all(&dir)?;
        let (reading, recovery) = (run.reading.as_secs_f64(), run.recovery.as_secs_f64());
        let line = format!(
            "| {:.0} | {} | {reading:.2} | {recovery:.2} | {:.2} | {:.2} |\n",
            run.bytes as f64 / 1e6,
            run.records,
            run.cpu,
            recovery / reading
        );
        eprint!("{line}");
        report += &line;
        ratios.push(recovery / reading);
    }
    report += &format!("\nMedian: {:.2} times reading it.\n", median(&mut ratios));
    Ok(report)
}

//! sysbench's OLTP scripts on Isambard, MariaDB's engines and the ceiling server, side by side and alternating.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};

use bench::options::Common;
use bench::process::{ServerProcess, client, install_mariadb, isambard_command, mariadb_command};
use bench::report::{self, Line, Runs, Sample, table};
use bench::sysbench::{self, Target, WORKLOADS, Workload};
use clap::{Parser, ValueEnum};

/// Runs the same load on several servers and prints a markdown report.
#[derive(Parser)]
struct Options {
    /// Tables.
    #[arg(long, default_value_t = 8)]
    tables: u32,
    /// Rows in each table.
    #[arg(long, default_value_t = 100_000)]
    rows: u32,
    /// Seconds a run.
    #[arg(long, default_value_t = 10)]
    time: u32,
    /// Rounds; the systems take turns in each, medians are printed.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Client threads.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8, 64, 256])]
    threads: Vec<u32>,
    /// Workloads [default: all].
    #[arg(long, value_delimiter = ',')]
    workloads: Vec<String>,
    /// Prepared statements, text protocol, or both.
    #[arg(long, value_enum, default_value_t = Mode::Both)]
    mode: Mode,
    /// Systems: isambard, isambard-memory, and of MariaDB myisam, innodb, memory; ceiling.
    #[arg(long, value_delimiter = ',', default_value = "isambard,myisam,innodb,memory,ceiling")]
    systems: Vec<String>,
    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    Ps,
    Text,
    Both,
}

/// A system under measurement.
struct System {
    name: &'static str,
    server: usize,
    database: &'static str,
    engine: &'static str,
    /// Whether its tables are whole: filled, and no rows taken away.
    ready: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench oltp: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> io::Result<()> {
    report::write(&options.common, |scratch| measure(options, scratch))
}

fn measure(options: &Options, scratch: &Path) -> io::Result<String> {
    let workloads: Vec<Workload> = match options.workloads.as_slice() {
        [] => WORKLOADS.to_vec(),
        names => names
            .iter()
            .map(|name| {
                let known = WORKLOADS.iter().find(|w| w.name == name || w.script == name);
                known.copied().ok_or_else(|| io::Error::other(format!("no workload {name}")))
            })
            .collect::<io::Result<_>>()?,
    };
    let mut servers = Vec::new();
    let mut systems = Vec::new();
    start_all(options, scratch, &mut servers, &mut systems)?;

    let mut report = format!(
        "{} tables of {} rows, {} rounds of {} s alternating, medians; sysbench and servers on {} cores.\n",
        options.tables,
        options.rows,
        options.rounds,
        options.time,
        std::thread::available_parallelism().map_or(0, usize::from),
    );
    for (mode, title) in [(Mode::Ps, "Prepared statements"), (Mode::Text, "Text protocol")] {
        if options.mode != Mode::Both && options.mode != mode {
            continue;
        }
        let mut lines = Vec::new();
        for workload in &workloads {
            for &threads in &options.threads {
                let runs = load(options, workload, threads, mode == Mode::Ps, &servers, &mut systems)?;
                let line = Line { workload: workload.name, threads, systems: runs };
                eprintln!("{}", table(std::slice::from_ref(&line)));
                lines.push(line);
            }
        }
        report.push_str(&format!("\n### {title}\n\n{}", table(&lines)));
    }
    report.push_str(&idle(options, scratch, &mut servers)?);
    Ok(report)
}

/// Starts the servers wanted, each with its databases.
fn start_all(
    options: &Options,
    scratch: &Path,
    servers: &mut Vec<ServerProcess>,
    systems: &mut Vec<System>,
) -> io::Result<()> {
    let wanted: HashSet<&str> = options.systems.iter().map(String::as_str).collect();
    let own = [
        ("isambard", "Isambard", "sbtest", "myisam"),
        ("isambard-memory", "Isambard MEMORY", "sb_memory", "memory"),
    ];
    if own.iter().any(|(system, ..)| wanted.contains(system)) {
        let (datadir, socket) = (scratch.join("isambard"), scratch.join("isambard.sock"));
        let mut command = isambard_command(&options.common.binary("isambard")?, &datadir, &socket);
        servers.push(ServerProcess::start(&mut command, &socket, &scratch.join("isambard.log"))?);
        for (system, name, database, engine) in own {
            if wanted.contains(system) {
                systems.push(System { name, server: servers.len() - 1, database, engine, ready: false });
            }
        }
    }
    let engines = [
        ("myisam", "MyISAM", "sb_myisam"),
        ("innodb", "InnoDB", "sb_innodb"),
        ("memory", "MEMORY", "sb_memory"),
    ];
    if engines.iter().any(|(engine, ..)| wanted.contains(engine)) {
        let (datadir, socket) = (scratch.join("mariadb"), scratch.join("mariadb.sock"));
        install_mariadb(&datadir)?;
        let mut command = mariadb_command(&datadir, &socket);
        servers.push(ServerProcess::start(&mut command, &socket, &scratch.join("mariadb.log"))?);
        for (engine, name, database) in engines {
            if wanted.contains(engine) {
                systems.push(System { name, server: servers.len() - 1, database, engine, ready: false });
            }
        }
    }
    if wanted.contains("ceiling") {
        let socket = scratch.join("ceiling.sock");
        let mut command = Command::new(options.common.binary("ceiling")?);
        command.arg("--socket").arg(&socket);
        servers.push(ServerProcess::start(&mut command, &socket, &scratch.join("ceiling.log"))?);
        systems.push(System {
            name: "ceiling",
            server: servers.len() - 1,
            database: "sbtest",
            engine: "myisam",
            ready: true,
        });
    }
    Ok(())
}

/// All rounds of one load.
fn load(
    options: &Options,
    workload: &Workload,
    threads: u32,
    prepared: bool,
    servers: &[ServerProcess],
    systems: &mut [System],
) -> io::Result<Vec<(&'static str, Runs)>> {
    let mut results: Vec<(&'static str, Runs)> = systems.iter().map(|s| (s.name, Runs::default())).collect();
    for _ in 0..options.rounds {
        for (system, (_, runs)) in systems.iter_mut().zip(&mut results) {
            if runs.error.is_some() {
                continue;
            }
            let server = &servers[system.server];
            match one_run(options, workload, threads, prepared, server, system) {
                Ok(sample) => runs.samples.push(sample),
                // Isambard's errors are findings; the other systems' too.
                Err(error) => runs.error = Some(error.to_string()),
            }
        }
    }
    Ok(results)
}

fn one_run(
    options: &Options,
    workload: &Workload,
    threads: u32,
    prepared: bool,
    server: &ServerProcess,
    system: &mut System,
) -> io::Result<Sample> {
    let bulk = format!("{}_bulk", system.database);
    let target = Target {
        socket: &server.socket,
        database: if workload.own_tables { &bulk } else { system.database },
        engine: system.engine,
        tables: options.tables,
        rows: options.rows,
    };
    let ceiling = system.name == "ceiling";
    if !ceiling {
        let fresh = workload.own_tables || workload.consumes || !system.ready;
        if fresh {
            client(
                target.socket,
                &format!(
                    "DROP DATABASE IF EXISTS {0}; CREATE DATABASE {0}; \
                     SET GLOBAL default_storage_engine={1}, max_heap_table_size=4294967296",
                    target.database, target.engine
                ),
            )?;
            sysbench::prepare(workload, &target, threads)?;
        }
        if !workload.own_tables {
            system.ready = !workload.consumes;
        }
    }
    let before = server.cpu_time()?;
    let outcome = sysbench::run(workload, &target, threads, options.time, prepared)?;
    let used = server.cpu_time()? - before;
    if workload.own_tables && !ceiling {
        client(target.socket, &format!("DROP DATABASE {}", target.database))?;
    }
    Ok(Sample {
        rate: outcome.rate(),
        cpu: used.as_secs_f64() * 1e6 / outcome.queries.max(1.0),
        latency95: outcome.latency95,
        ignored: outcome.errors,
    })
}

/// Start time and memory of idle servers, on the tables that the benchmark left.
fn idle(options: &Options, scratch: &Path, servers: &mut Vec<ServerProcess>) -> io::Result<String> {
    // Stops them all.
    servers.clear();
    let mut text = "\n### Idle server\n\n| system | start ms | resident MB |\n|---|---:|---:|\n".to_owned();
    let mut add = |name: &str, command: &mut Command, socket: &Path| -> io::Result<()> {
        let server = ServerProcess::start(command, socket, &scratch.join("idle.log"))?;
        std::thread::sleep(std::time::Duration::from_millis(500));
        let (ms, mb) = (server.start_time.as_secs_f64() * 1e3, server.resident()? as f64 / 1e6);
        text.push_str(&format!("| {name} | {ms:.0} | {mb:.1} |\n"));
        Ok(())
    };
    let socket = scratch.join("idle.sock");
    if scratch.join("isambard").exists() {
        let binary = options.common.binary("isambard")?;
        add("Isambard", &mut isambard_command(&binary, &scratch.join("isambard"), &socket), &socket)?;
    }
    if scratch.join("mariadb").exists() {
        add("MariaDB", &mut mariadb_command(&scratch.join("mariadb"), &socket), &socket)?;
    }
    Ok(text)
}

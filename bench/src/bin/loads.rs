//! Loading and looking after tables beside MariaDB's MyISAM: bulk loads, keys built and checked, INSERT, HANDLER.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use bench::options::Common;
use bench::process::{ServerProcess, install_mariadb, isambard_command, mariadb_command};
use bench::report;
use bench::reports::clients::scattered;
use clap::Parser;
use mysql::prelude::Queryable;

/// Measures loads and prints a markdown report: rows a second and CPU of the server a row.
///
/// In each round every case runs on one server after the other; medians are printed.
#[derive(Parser)]
struct Options {
    /// Rows of a table [default: 50,000].
    #[arg(long)]
    rows: Option<u64>,
    /// As for a report: 2,000,000 rows.
    #[arg(long)]
    large: bool,
    /// Rounds.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Cases whose name has this in it.
    #[arg(long, default_value = "")]
    only: String,
    /// Another binary `isambard` to be measured as well, for instance one of before a change.
    #[arg(long)]
    before: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Connections at most.
const CLIENTS: usize = 8;

/// What is measured.
struct Case {
    name: String,
    /// Runs before each measurement, not measured.
    before: Vec<String>,
    /// Statements of each client, which run side by side.
    work: Vec<Vec<String>>,
    /// Rows that they write, read or look at.
    rows: u64,
}

fn case(name: impl Into<String>, rows: u64, before: &[String], work: impl Into<String>) -> Case {
    Case { name: name.into(), before: before.to_vec(), work: vec![vec![work.into()]], rows }
}

/// A server and its connections.
struct System {
    name: &'static str,
    server: ServerProcess,
    clients: Vec<mysql::Conn>,
}

impl System {
    fn new(name: &'static str, server: ServerProcess) -> io::Result<System> {
        let options = mysql::OptsBuilder::new()
            .socket(server.socket.to_str())
            .user(Some("root"))
            .prefer_socket(true)
            .tcp_connect_timeout(None);
        let connect = |_| mysql::Conn::new(options.clone()).map_err(io::Error::other);
        let clients = (0..CLIENTS).map(connect).collect::<io::Result<Vec<_>>>()?;
        let mut system = System { name, server, clients };
        run(&mut system.clients[0], &["create database q".to_owned()])?;
        system.clients.iter_mut().try_for_each(|client| run(client, &["use q".to_owned()]))?;
        Ok(system)
    }

    /// Rows a second, and microseconds of CPU a row.
    fn measure(&mut self, case: &Case) -> io::Result<(f64, f64)> {
        run(&mut self.clients[0], &case.before).map_err(|e| self.told(case, &e))?;
        let cpu = self.server.cpu_time()?;
        let begun = Instant::now();
        let result = thread::scope(|scope| {
            let pairs = self.clients.iter_mut().zip(&case.work);
            let running: Vec<_> = pairs.map(|(client, work)| scope.spawn(|| run(client, work))).collect();
            let failed = |_| Err(io::Error::other("a client ended early"));
            running.into_iter().try_for_each(|client| client.join().unwrap_or_else(failed))
        });
        result.map_err(|e| self.told(case, &e))?;
        let wall = begun.elapsed().as_secs_f64();
        let cpu = self.server.cpu_time()?.saturating_sub(cpu).as_secs_f64();
        let rows = case.rows as f64;
        Ok((rows / wall, cpu * 1e6 / rows))
    }

    fn told(&self, case: &Case, e: &io::Error) -> io::Error {
        io::Error::other(format!("{}: {}: {e}", self.name, case.name))
    }
}

fn run(client: &mut mysql::Conn, statements: &[String]) -> io::Result<()> {
    for sql in statements {
        let rows = client.query_iter(sql);
        let result = rows.and_then(|rows| rows.into_iter().try_for_each(|row| row.map(drop)));
        result.map_err(|e| io::Error::other(format!("{sql:.200}: {e}")))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let options = Options::parse();
    match report::write(&options.common, |scratch| measure(&options, scratch)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench loads: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The number and the text of a row: words, some of them not of ASCII, and a number.
fn values(id: u64) -> (u64, String) {
    const WORDS: [&str; 10] = [
        "alpha",
        "beta",
        "garden",
        "water",
        "stone",
        "fire",
        "m\u{fc}ller",
        "cloud",
        "stra\u{df}e",
        "forest",
    ];
    let n = scattered(id) >> 20;
    let word = |shift: u32| WORDS[(n >> shift) as usize % WORDS.len()];
    (n % 2_000_000_000, format!("{} {} {}", word(3), word(11), n % 1_000_003))
}

/// Rows of a text file with these numbers.
fn write_rows(path: &Path, ids: impl Iterator<Item = u64>) -> io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for id in ids {
        let (number, text) = values(id);
        writeln!(file, "{id}\t{number}\t{text}")?;
    }
    file.flush()
}

/// The files that are loaded: one for an empty table, one for what comes behind, and the first one in no order.
struct Files {
    rows: u64,
    all: PathBuf,
    more: PathBuf,
    mixed: PathBuf,
}

impl Files {
    fn write(scratch: &Path, rows: u64) -> io::Result<Files> {
        let [all, more, mixed] = ["rows.txt", "more.txt", "mixed.txt"].map(|name| scratch.join(name));
        let files = Files { rows, all, more, mixed };
        write_rows(&files.all, 1..=rows)?;
        write_rows(&files.more, rows + 1..=rows + rows / 5)?;
        // an odd factor leads through all numbers below a power of two
        let all = (rows + 1).next_power_of_two();
        let mixed = (1..all).map(|n| n * 7919 % all).filter(|id| (1..=rows).contains(id));
        write_rows(&files.mixed, mixed)?;
        Ok(files)
    }

    fn load(&self, table: &str) -> String {
        format!("load data infile '{}' into table {table} character set utf8mb4", self.all.display())
    }
}

const KEYS: &str = ", primary key (id), key (a), key (s)";

/// Makes a table anew.
fn make(table: &str, keys: &str, options: &str) -> Vec<String> {
    vec![
        format!("drop table if exists {table}"),
        format!("create table {table} (id int not null, a int, s varchar(40){keys}) engine=myisam {options}"),
    ]
}

fn loads(files: &Files) -> Vec<Case> {
    let rows = files.rows;
    let into = |what: &str, options: &str| {
        case(format!("LOAD DATA, 3 keys, {what}"), rows, &make("t", KEYS, options), files.load("t"))
    };
    let mut all = vec![
        into("utf8mb4", "charset utf8mb4"),
        into("latin1", "charset latin1"),
        into("PACK_KEYS=0", "charset latin1 pack_keys=0"),
        into("PACK_KEYS=1", "charset latin1 pack_keys=1"),
        into("4 partitions", "charset latin1 partition by hash (id) partitions 4"),
        case("LOAD DATA, no key", rows, &make("t", "", "charset latin1"), files.load("t")),
    ];
    let mixed = format!("load data infile '{}' into table t character set utf8mb4", files.mixed.display());
    all.push(case("LOAD DATA, 3 keys, rows in no order", rows, &make("t", KEYS, "charset latin1"), mixed));
    let mut filled = make("t", KEYS, "charset latin1");
    filled.push(files.load("t"));
    let more = format!("load data infile '{}' into table t character set utf8mb4", files.more.display());
    all.push(case("LOAD DATA, 3 keys, into a filled table", rows / 5, &filled, more));
    for tables in [1, 2, 4, 8] {
        let names: Vec<String> = (1..=tables).map(|n| format!("p{n}")).collect();
        all.push(Case {
            name: format!("LOAD DATA, 3 keys, side by side into {tables}"),
            before: names.iter().flat_map(|name| make(name, KEYS, "charset latin1")).collect(),
            work: names.iter().map(|name| vec![files.load(name)]).collect(),
            rows: rows * tables,
        });
    }
    let mut source = make("u", "", "charset latin1");
    source.push(files.load("u"));
    source.extend(make("t", KEYS, "charset latin1"));
    all.push(case("INSERT ... SELECT, 3 keys", rows, &source, "insert into t select * from u"));
    all
}

/// What is done with tables that are there.
fn upkeep(files: &Files) -> Vec<Case> {
    let rows = files.rows;
    let filled = |keys: &str| {
        let mut before = make("t", keys, "charset latin1");
        before.push(files.load("t"));
        before
    };
    let mut holes = filled(KEYS);
    holes.push("delete from t where id % 10 = 0".to_owned());
    vec![
        case(
            "ADD KEY, 3 keys",
            rows,
            &filled(""),
            "alter table t add primary key (id), add key (a), add key (s)",
        ),
        case("REPAIR", rows, &filled(KEYS), "repair table t"),
        case("CHECK", rows, &filled(KEYS), "check table t extended"),
        case("OPTIMIZE, every tenth row deleted", rows, &holes, "optimize table t"),
    ]
}

/// Statements of few rows.
fn small(files: &Files) -> Vec<Case> {
    let row = |id: u64| {
        let (number, text) = values(id);
        format!("({id}, {number}, '{text}')")
    };
    let count = files.rows.min(20_000);
    let insert = |ids: &mut dyn Iterator<Item = u64>| {
        format!("insert into t values {}", ids.map(row).collect::<Vec<_>>().join(", "))
    };
    let inserts = |name: &str, each: u64, rows: u64| Case {
        name: name.to_owned(),
        before: make("t", KEYS, "charset utf8mb4"),
        work: vec![(0..rows / each).map(|n| insert(&mut (n * each + 1..=(n + 1) * each))).collect()],
        rows: rows / each * each,
    };
    let mut filled = make("t", KEYS, "charset latin1");
    filled.push(files.load("t"));
    let ids = |n: u64| scattered(n) % files.rows + 1;
    let selects = (0..count).map(|n| format!("select s from t where id = {}", ids(n))).collect();
    let mut reads = vec!["handler t open".to_owned()];
    reads.extend((0..count).map(|n| format!("handler t read `PRIMARY` = ({})", ids(n))));
    reads.push("handler t close".to_owned());
    vec![
        inserts("INSERT of one row, 3 keys", 1, count),
        inserts("INSERT of 1,000 rows, 3 keys", 1_000, files.rows),
        Case { name: "point SELECT".into(), before: filled.clone(), work: vec![selects], rows: count },
        Case { name: "HANDLER READ".into(), before: filled, work: vec![reads], rows: count },
    ]
}

/// Rows by key, through the default cache (in ours its indexes are mapped), one named cache, and a cache for each table.
fn caches(files: &Files) -> Vec<Case> {
    let count = files.rows.min(20_000);
    let ids = |n: u64| files.rows + 1 + scattered(n) % (files.rows / 5);
    let load = |table: &str| {
        format!("load data infile '{}' into table {table} character set utf8mb4", files.more.display())
    };
    let mut all = Vec::new();
    for tables in [1, 2, 8] {
        let names: Vec<String> = (1..=tables).map(|n| format!("p{n}")).collect();
        let fill = |name: &String| {
            let mut made = make(name, KEYS, "charset latin1");
            made.push(load(name));
            made
        };
        let filled: Vec<String> = names.iter().flat_map(fill).collect();
        for kind in ["the default cache", "one named cache", "a cache for each"] {
            if tables == 1 && kind == "a cache for each" {
                continue;
            }
            let mut before = filled.clone();
            for (n, name) in names.iter().enumerate() {
                let cache = match kind {
                    "the default cache" => "default".to_owned(),
                    "one named cache" => "hot".to_owned(),
                    _ => format!("hot{n}"),
                };
                if cache != "default" {
                    before.push(format!("set global {cache}.key_buffer_size = {}", 1_u64 << 30));
                }
                before.push(format!("cache index {name} in {cache}"));
                before.push(format!("load index into cache {name}"));
            }
            let of_table = |sql: &dyn Fn(&str, u64) -> String| {
                names.iter().map(|name| (0..count).map(|n| sql(name, ids(n))).collect()).collect()
            };
            let select = |name: &str, id| format!("select s from {name} where id = {id}");
            let work: Vec<Vec<String>> = of_table(&select);
            all.push(Case {
                name: format!("point SELECT, clients and tables: {tables}, {kind}"),
                before,
                work,
                rows: count * tables,
            });
        }
    }
    all
}

/// The servers.
fn systems(options: &Options, scratch: &Path) -> io::Result<Vec<System>> {
    let mut systems = Vec::new();
    let ours = [("Isambard", Some(options.common.binary("isambard")?)), ("before", options.before.clone())];
    for (name, binary) in ours.into_iter().filter_map(|(name, binary)| Some((name, binary?))) {
        let socket = scratch.join(format!("{name}.sock"));
        let mut command = isambard_command(&binary, &scratch.join(name), &socket);
        let log = scratch.join(format!("{name}.log"));
        systems.push(System::new(name, ServerProcess::start(&mut command, &socket, &log)?)?);
    }
    let socket = scratch.join("mariadb.sock");
    install_mariadb(&scratch.join("mariadb"))?;
    let mut command = mariadb_command(&scratch.join("mariadb"), &socket);
    let server = ServerProcess::start(&mut command, &socket, &scratch.join("mariadb.log"))?;
    systems.push(System::new("MyISAM", server)?);
    Ok(systems)
}

fn measure(options: &Options, scratch: &Path) -> io::Result<String> {
    let rows = options.rows.unwrap_or(if options.large { 2_000_000 } else { 50_000 }).max(1_000);
    let files = Files::write(scratch, rows)?;
    let mut systems = systems(options, scratch)?;
    let cores = thread::available_parallelism().map_or(0, usize::from);
    let mut report = format!(
        "{rows} rows, {} rounds alternating, medians; rows a second, and microseconds of the server's CPU a row; {cores} cores.\n\n| |",
        options.rounds
    );
    for system in &systems {
        let _ = write!(report, " {0} | CPU {0} |", system.name);
    }
    let _ = writeln!(report, " speed | CPU |\n|---|{}", "---:|".repeat(2 * systems.len() + 2));
    let all = [loads(&files), upkeep(&files), small(&files), caches(&files)].into_iter().flatten();
    for case in all.filter(|case| case.name.contains(&options.only)) {
        let line = line(&case, &mut systems, options.rounds)?;
        eprintln!("{line}");
        report += &(line + "\n");
    }
    Ok(report)
}

/// Measures one case on all systems; the last two columns compare the first with the last one.
fn line(case: &Case, systems: &mut [System], rounds: u32) -> io::Result<String> {
    let mut samples = vec![(Vec::new(), Vec::new()); systems.len()];
    for _ in 0..rounds.max(1) {
        for (system, (rates, cpus)) in systems.iter_mut().zip(&mut samples) {
            let (rate, cpu) = system.measure(case)?;
            rates.push(rate);
            cpus.push(cpu);
        }
    }
    let median = |values: &mut [f64]| report::median(values).unwrap_or(f64::NAN);
    let medians: Vec<(f64, f64)> = samples.iter_mut().map(|(r, c)| (median(r), median(c))).collect();
    let mut line = format!("| {} |", case.name);
    for (rate, cpu) in &medians {
        let _ = write!(line, " {rate:.0} | {cpu:.3} |");
    }
    let ((rate, cpu), (other_rate, other_cpu)) = (medians[0], medians[medians.len() - 1]);
    let _ = write!(line, " {:.2} | {:.2} |", rate / other_rate, cpu / other_cpu);
    Ok(line)
}

//! Single heavy statements beside MariaDB's MyISAM: loading, grouping, sorting, filtering, joins, indexes.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use bench::options::Common;
use bench::process::{ServerProcess, install_mariadb, isambard_command, mariadb_command};
use bench::report;
use bench::reports::clients::scattered;
use bench::reports::duckdb::DuckDb;
use bench::tpch;
use clap::Parser;
use mysql::prelude::Queryable;

/// Measures statements one by one and prints a markdown report.
///
/// Both servers have the same rows. In each round every statement runs on one server after the other; medians of time and of
/// the server's CPU time are printed.
#[derive(Parser)]
struct Options {
    /// Rows of the large tables.
    #[arg(long, default_value_t = 1_000_000)]
    rows: u32,
    /// Rounds; the servers take turns in each, medians are printed.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Statements whose name has this in it.
    #[arg(long, default_value = "")]
    only: String,
    /// Another binary `isambard` to be measured as well, for instance one of before a change.
    #[arg(long)]
    before: Option<PathBuf>,
    /// Instead: the questions of TPC-H and a star join at this scale (1: six million lines of orders), DuckDB beside.
    #[arg(long)]
    tpch: Option<f64>,
    /// A Python with the module duckdb [default: python3, where it has that module].
    #[arg(long)]
    duckdb: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// A statement to be measured.
struct Case {
    name: &'static str,
    /// Runs before each measurement, not measured.
    before: String,
    sql: String,
    /// Runs in one measurement.
    times: u32,
}

fn case(name: &'static str, sql: impl Into<String>) -> Case {
    Case { name, before: String::new(), sql: sql.into(), times: 1 }
}

impl Case {
    fn after(mut self, before: &str) -> Case {
        before.clone_into(&mut self.before);
        self
    }

    fn times(mut self, times: u32) -> Case {
        self.times = times;
        self
    }
}

struct System {
    name: &'static str,
    server: ServerProcess,
    client: mysql::Conn,
}

impl System {
    fn new(name: &'static str, server: ServerProcess) -> io::Result<System> {
        let options = mysql::OptsBuilder::new()
            .socket(server.socket.to_str())
            .user(Some("root"))
            .prefer_socket(true)
            .tcp_connect_timeout(None);
        let client = mysql::Conn::new(options).map_err(io::Error::other)?;
        Ok(System { name, server, client })
    }

    fn run(&mut self, statements: &str) -> io::Result<()> {
        for sql in statements.split(';').map(str::trim).filter(|s| !s.is_empty()) {
            let result =
                self.client.query_iter(sql).and_then(|rows| rows.into_iter().try_for_each(|r| r.map(drop)));
            result.map_err(|e| io::Error::other(format!("{}: {sql:.200}: {e}", self.name)))?;
        }
        Ok(())
    }

    /// Milliseconds, and those of CPU, of one run.
    fn measure(&mut self, case: &Case) -> io::Result<(f64, f64)> {
        self.run(&case.before)?;
        let cpu = self.server.cpu_time()?;
        let begun = Instant::now();
        for _ in 0..case.times {
            self.run(&case.sql)?;
        }
        let wall = begun.elapsed().as_secs_f64();
        let cpu = (self.server.cpu_time()?.saturating_sub(cpu)).as_secs_f64();
        let each = 1e3 / f64::from(case.times);
        Ok((wall * each, cpu * each))
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    match report::write(&options.common, |scratch| measure(&options, scratch)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench queries: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The rows of the large tables: id, number, text of 20 to 40 bytes, text of 50 that nearly never repeats.
fn write_rows(path: &Path, rows: u32) -> io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for id in 1..=u64::from(rows) {
        let (a, b) = (scattered(id) >> 20, scattered(id + (1 << 32)) >> 20);
        let number = a % u64::from(rows / 10).max(1);
        writeln!(
            file,
            "{id}\t{number}\t{a:013x}{:width$}\t{b:014x}-{a:014x}",
            "abc",
            width = 7 + (b % 20) as usize
        )?;
    }
    file.flush()
}

const COLUMNS: &str = "(id int not null primary key, b int not null, v varchar(60) not null, c char(50) not null, key(b), key(v))";

/// What the statements need.
fn tables(rows: &Path) -> String {
    let mut text = format!(
        "create database q character set latin1; use q; create table big {COLUMNS} engine=myisam; \
         create table into_big like big; create table small_big like big; \
         create table plain (id int not null, b int not null, v varchar(60) not null, c char(50) not null) engine=myisam; \
         load data infile '{0}' into table big; load data infile '{0}' into table plain; \
         create table indexed (id int not null primary key, b int not null, v varchar(60) not null) engine=myisam; \
         insert into indexed select id, b, v from big where id <= 10000; \
         create table arms (nr int not null, note char(20)) engine=myisam; insert into arms select id, 'x' from big where id <= 1200; \
         create table legs (nr int not null, price int, company int) engine=myisam; \
         insert into legs select b, id % 100, id % 512 from big where id <= 41810; \
         create table days (d date not null) engine=myisam; insert into days select date_add('1990-01-01', interval b % 30000 day) from big;",
        rows.display()
    );
    for n in 1..=8 {
        let _ = write!(
            text,
            "create table j{n} (a{n} int, b{n} int, c{n} int, d{n} int, x{n} varchar(30), key(d{n})) engine=myisam; \
             insert into j{n} select id, (id * {n} + 7) % 97, id % 10, (id * 31 + {n}) % 89, v from big where id <= 95;"
        );
    }
    text
}

/// Tables joined by nothing, each with a list of values; few rows are left of each.
fn cross_join(tables: usize) -> String {
    let names: Vec<String> = (1..=tables).map(|n| format!("j{n}")).collect();
    let conditions: Vec<String> = (1..=tables)
        .map(|n| match n % 3 {
            0 => format!("d{n} in (3, {}, 71)", 5 + n),
            1 => format!("a{n} in ({n}, 40, 80)"),
            _ => format!("(b{n} in (19, {}) or b{n} = 35)", 10 + n),
        })
        .collect();
    format!("select x1, x{tables} from {} where {}", names.join(", "), conditions.join(" and "))
}

fn cases(rows: &Path) -> Vec<Case> {
    let load = format!("load data infile '{}' into table into_big", rows.display());
    let values: Vec<String> = (1..=1_000u64)
        .map(|n| format!("({n}, {}, 'text {:x}', 'c{n}')", (scattered(n) >> 20) % 997, scattered(n) >> 20))
        .collect();
    let insert = format!("insert into small_big values {}", values.join(","));
    let arms = "select arms.nr, sum(price) from legs, arms where arms.nr = legs.nr and legs.company = 12 and legs.nr = 308 \
                and arms.nr = 308 or arms.nr = legs.nr and legs.nr = 308 and arms.nr = 308 \
                or legs.nr = arms.nr and arms.nr = 308 group by arms.nr";
    let numbers: Vec<String> =
        (1..=10_000u64).map(|n| ((scattered(n) >> 20) % 10_000_000).to_string()).collect();
    let dates = |n: u64| {
        let n = scattered(n) >> 20;
        format!("'{}-{:02}-{:02}'", 1990 + n % 80, 1 + n / 80 % 12, 1 + n / 960 % 28)
    };
    let dates: Vec<String> = (1..=10_000).map(dates).collect();
    vec![
        case("LOAD DATA, 3 keys, empty table", load).after("truncate table into_big"),
        case("INSERT ... SELECT, 3 keys, empty table", "insert into into_big select * from big")
            .after("truncate table into_big"),
        case("INSERT of 1,000 rows, 3 keys, empty table", insert).after("truncate table small_big"),
        case(
            "GROUP BY distinct CHAR(50) ORDER BY NULL LIMIT 10",
            "select count(*) cnt, c from big group by c order by null limit 10",
        ),
        case("GROUP BY distinct CHAR(50) LIMIT 10", "select count(*) cnt, c from plain group by c limit 10"),
        case("GROUP BY distinct CHAR(50), all groups", "select c, sum(b) from plain group by c"),
        case("GROUP BY of 1/10 as many numbers", "select b, count(*), max(id) from plain group by b"),
        case("ORDER BY CHAR(50) LIMIT 100", "select id, c from plain order by c limit 100"),
        case("ORDER BY CHAR(50)", "select id, c from plain order by c"),
        case("ORDER BY number", "select id, c from plain order by b"),
        case("ORDER BY number LIMIT 100", "select * from plain order by b desc limit 100"),
        case("filter and sum", "select sum(b) from plain where id % 3 = 1 and b > 500"),
        case("filter by text and count", "select count(*) from plain where v < '8' and c > '2'"),
        case(
            "10,000 numbers in IN",
            format!("select count(*) from plain where id in ({})", numbers.join(",")),
        ),
        case("10,000 dates in IN", format!("select count(*) from days where d in ({})", dates.join(","))),
        case("sum of all", "select sum(b), max(id), count(*) from plain"),
        case("SELECT DISTINCT CHAR(50), counted", "select count(*) from (select distinct c from plain) d"),
        case("hash join", "select count(*) from plain p join big b on p.b = b.b where p.id <= 20000"),
        case("cross join of 5 tables", cross_join(5)).times(20),
        case("cross join of 6 tables", cross_join(6)).times(20),
        case("cross join of 7 tables", cross_join(7)).times(10),
        case("cross join of 8 tables", cross_join(8)).times(5),
        case("condition common to all arms of OR", arms).times(10),
        case(
            "CREATE INDEX, DROP INDEX, 10,000 rows",
            "create index x on indexed (v); drop index x on indexed",
        )
        .times(10),
        case("point SELECT", "select v from big where id = 77").times(5_000),
        case("UPDATE of one row", "update big set b = b + 1 where id = 77").times(5_000),
    ]
}

/// The servers, with the tables that these statements make.
fn systems(options: &Options, scratch: &Path, tables: &str) -> io::Result<Vec<System>> {
    let mut systems = Vec::new();
    let ours = [("Isambard", Some(options.common.binary("isambard")?)), ("before", options.before.clone())];
    for (name, binary) in ours.into_iter().filter_map(|(name, binary)| Some((name, binary?))) {
        let socket = scratch.join(format!("{name}.sock"));
        let mut command = isambard_command(&binary, &scratch.join(name), &socket);
        systems.push(System::new(
            name,
            ServerProcess::start(&mut command, &socket, &scratch.join(format!("{name}.log")))?,
        )?);
    }
    let socket = scratch.join("mariadb.sock");
    install_mariadb(&scratch.join("mariadb"))?;
    let mut command = mariadb_command(&scratch.join("mariadb"), &socket);
    systems.push(System::new(
        "MyISAM",
        ServerProcess::start(&mut command, &socket, &scratch.join("mariadb.log"))?,
    )?);
    for system in &mut systems {
        system.run(tables)?;
    }
    Ok(systems)
}

fn measure(options: &Options, scratch: &Path) -> io::Result<String> {
    if let Some(scale) = options.tpch {
        return measure_tpch(options, scale, scratch);
    }
    let rows = scratch.join("rows.txt");
    write_rows(&rows, options.rows)?;
    let mut systems = systems(options, scratch, &tables(&rows))?;
    let title = format!("{} rows", options.rows);
    let wanted = cases(&rows).into_iter().filter(|c| c.name.contains(&options.only));
    table(&title, &wanted.collect::<Vec<_>>(), &mut systems, options.rounds, &[])
}

/// The questions of TPC-H.
fn measure_tpch(options: &Options, scale: f64, scratch: &Path) -> io::Result<String> {
    tpch::write(scratch, scale)?;
    let mut tables = "create database q character set latin1; use q;".to_owned();
    tables += &(tpch::tables().join(";") + ";");
    for name in tpch::NAMES {
        let _ =
            write!(tables, "load data infile '{}' into table {name};", tpch::file(scratch, name).display());
    }
    let wanted: Vec<_> =
        tpch::queries().into_iter().filter(|(name, _)| name.contains(&options.only)).collect();
    let mut ducks = Vec::new();
    if let Some(duckdb) = DuckDb::find(options.duckdb.as_deref())? {
        let mut setup = tpch::tables_without_keys();
        let copy = |name: &str| {
            format!("copy {name} from '{}' (delimiter '\t')", tpch::file(scratch, name).display())
        };
        setup.extend(tpch::NAMES.map(copy));
        let texts: Vec<String> = wanted.iter().map(|(_, sql)| (*sql).to_owned()).collect();
        let cells = duckdb.measure((scratch, options.rounds), ":memory:", &setup, &texts)?;
        ducks.extend(cells.into_iter().map(|c| (c.value.unwrap_or(f64::NAN), c.cpu.unwrap_or(f64::NAN))));
    }
    let mut systems = systems(options, scratch, &tables)?;
    let cases: Vec<Case> = wanted.into_iter().map(|(name, sql)| case(name, sql)).collect();
    table(
        &format!("TPC-H's questions and a star join at scale {scale}"),
        &cases,
        &mut systems,
        options.rounds,
        &ducks,
    )
}

/// The report: a line for each statement; the figures of DuckDB, where it was measured.
fn table(
    title: &str,
    cases: &[Case],
    systems: &mut [System],
    rounds: u32,
    ducks: &[(f64, f64)],
) -> io::Result<String> {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut report = format!(
        "{title}, {rounds} rounds alternating, medians in milliseconds; {cores} cores.\n\n| statement |"
    );
    for system in systems.iter() {
        let _ = write!(report, " {0} | CPU {0} |", system.name);
    }
    let duck = if ducks.is_empty() { "" } else { " DuckDB | CPU DuckDB |" };
    let columns = systems.len() * 2 + 2 + duck.matches('|').count();
    let _ = writeln!(report, " ratio | CPU ratio |{duck}\n|---|{}", "---:|".repeat(columns));
    for (nr, case) in cases.iter().enumerate() {
        let mut line = line(case, systems, rounds)?;
        if let Some((wall, cpu)) = ducks.get(nr) {
            let _ = write!(line, " {wall:.3} | {cpu:.3} |");
        }
        eprintln!("{line}");
        report += &(line + "\n");
    }
    Ok(report)
}

/// Measures one statement on all systems.
fn line(case: &Case, systems: &mut [System], rounds: u32) -> io::Result<String> {
    let mut samples = vec![(Vec::new(), Vec::new()); systems.len()];
    // the first run finds what later ones have at hand
    for round in 0..=rounds {
        for (system, (walls, cpus)) in systems.iter_mut().zip(&mut samples) {
            let (wall, cpu) = system.measure(case)?;
            if round > 0 {
                walls.push(wall);
                cpus.push(cpu);
            }
        }
    }
    let median = |values: &mut [f64]| report::median(values).unwrap_or(f64::NAN);
    let medians: Vec<(f64, f64)> = samples.iter_mut().map(|(w, c)| (median(w), median(c))).collect();
    let mut line = format!("| {} |", case.name);
    for (wall, cpu) in &medians {
        let _ = write!(line, " {wall:.3} | {cpu:.3} |");
    }
    let ((wall, cpu), (other_wall, other_cpu)) = (medians[0], medians[medians.len() - 1]);
    let _ = write!(line, " {:.2} | {:.2} |", wall / other_wall, cpu / other_cpu);
    Ok(line)
}

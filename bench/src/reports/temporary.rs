//! Report 3: groups that need an internal temporary table, in memory and on disk, and other statements of that kind.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use super::clients::{connect, run, run_all, scattered};
use super::duckdb::DuckDb;
use super::lab::{Lab, Which};
use super::settings::Settings;
use super::store::{Cell, Group, Point, Table, Unit};

const GROUPED: &str = "SELECT count(*) cnt, c FROM gt GROUP BY c ORDER BY NULL LIMIT 10";

/// Memory of temporary tables where they shall not fit, of Isambard and DuckDB. MariaDB has 16 KB: its rows then go to a table on disk,
/// whose keys have the buffer that the column names.
const LITTLE: u64 = 16 << 20;

/// A column of the report: what it was called, the memory of temporary tables is little, MariaDB's server, and what was reported.
struct Place {
    name: &'static str,
    little: bool,
    server: Which,
    reported: [&'static str; 2],
}

const PLACES: [Place; 3] = [
    Place { name: "in memory", little: false, server: Which::MariaDb, reported: ["3.88 s", "16.41 s"] },
    Place {
        name: "on disk, 8 MB key buffer",
        little: true,
        server: Which::SmallKeys,
        reported: ["9 min 5 s", ""],
    },
    Place {
        name: "on disk, key buffer large enough",
        little: true,
        server: Which::LargeKeys,
        reported: ["34.5 s", "27 min 5 s"],
    },
];

/// The rows of the report.
const REPORTED: [u32; 2] = [1_000_000, 4_000_000];

/// Other statements over the second table. DuckDB's ORDER BY NULL and MariaDB's join differ in text alone.
const STATEMENTS: [(&str, &str); 9] = [
    ("10 groups", "SELECT g10, sum(id), sum(d) FROM t GROUP BY g10"),
    ("10,000 groups", "SELECT g10k, sum(id), sum(d) FROM t GROUP BY g10k"),
    ("groups of strings", "SELECT count(*), sum(n) FROM (SELECT s, count(*) n FROM t GROUP BY s) x"),
    ("ORDER BY string LIMIT 100", "SELECT id, s FROM t ORDER BY s LIMIT 100"),
    ("ORDER BY string", "SELECT id, s FROM t ORDER BY s"),
    ("COUNT(DISTINCT string)", "SELECT count(DISTINCT s) FROM t"),
    ("join without a key", "SELECT count(*) FROM t a JOIN t b ON a.id = b.id"),
    ("UNION DISTINCT", "SELECT count(*) FROM (SELECT s FROM t WHERE g10 < 5 UNION SELECT s FROM t) x"),
    ("filter and sum", "SELECT sum(id) FROM t WHERE g10 = 3 AND f > 0.5"),
];

const NAMES: [&str; 3] = ["Isambard", "MariaDB", "DuckDB"];

pub fn plan(settings: &Settings) -> u64 {
    // MariaDB on disk with few keys in memory is what takes long.
    let rounds = u64::from(settings.rounds());
    let grouped: u64 = settings
        .group_rows()
        .iter()
        .map(|&rows| {
            let slow = (u64::from(rows) / 30).min(u64::from(settings.limit()) * 1000);
            u64::from(rows) / 60 + rounds * (u64::from(rows) / 100 + slow)
        })
        .sum();
    grouped + rounds * u64::from(*settings.group_rows().first().unwrap_or(&0)) / 25
}

pub fn measure(lab: &mut Lab<'_>) -> io::Result<Vec<Table>> {
    let duckdb = DuckDb::find(lab.settings.duckdb.as_deref())?;
    let tables = vec![grouped(lab, duckdb.as_ref())?, statements(lab, duckdb.as_ref())?];
    lab.stop(Which::SmallKeys);
    lab.stop(Which::LargeKeys);
    Ok(tables)
}

/// Lines of a number and 40 hexadecimal digits that nearly never repeat.
fn write_grouped(path: &Path, rows: u32) -> io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for i in 0..u64::from(rows) {
        let (a, b, c) = (scattered(i), scattered(i + (1 << 33)), scattered(i + (1 << 34)) as u32);
        writeln!(file, "{i}\t{a:016x}{b:016x}{c:08x}")?;
    }
    file.flush()
}

/// Lines of the second table; each string stands in two of them.
fn write_mixed(path: &Path, rows: u32) -> io::Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    for id in 0..u64::from(rows) {
        let (a, s) = (scattered(id), scattered(scattered(id + (1 << 35)) % u64::from(rows / 2).max(1)));
        let (cents, real) = (a % 1_000_000, (a >> 20) % 1_000_000);
        let money = format!("{}.{:02}", cents / 100, cents % 100);
        writeln!(file, "{id}\t{}\t{}\t{money}\t0.{real:06}\tname {s:x} of {}", a % 10, a % 10_000, s % 97)?;
    }
    file.flush()
}

/// The statement once, with the session as `setup` makes it.
fn once(lab: &mut Lab<'_>, which: Which, database: &str, setup: &[String], sql: &str) -> io::Result<Cell> {
    let server = lab.server(which)?;
    let mut client = connect(&server, database)?;
    run_all(&mut client, setup)?;
    let limit = lab.settings.limit();
    run_all(&mut client, &[format!("SET max_statement_time = {limit}")])?;
    let (cpu, begun) = (server.cpu_time()?, Instant::now());
    match run(&mut client, sql) {
        Ok(()) => {}
        Err(mysql::Error::MySqlError(e)) if e.code == 1969 => {
            return Ok(Cell { note: format!("longer than {limit} s"), ..Cell::default() });
        }
        Err(e) => return Err(io::Error::other(e)),
    }
    let wall = begun.elapsed().as_secs_f64();
    let cpu = server.cpu_time()?.saturating_sub(cpu).as_secs_f64();
    Ok(Cell { value: Some(wall * 1e3), cpu: Some(cpu * 1e3), ..Cell::default() })
}

/// A session whose temporary tables have so much memory.
fn memory(bytes: u64) -> Vec<String> {
    vec![format!("SET tmp_table_size = {bytes}, max_heap_table_size = {bytes}")]
}

fn load(lab: &mut Lab<'_>, which: Which, database: &str, table: &str, path: &Path) -> io::Result<()> {
    let server = lab.server(which)?;
    let statements = [
        format!("DROP DATABASE IF EXISTS {database}"),
        format!("CREATE DATABASE {database}"),
        format!("USE {database}"),
        format!("CREATE TABLE {table} ENGINE=MyISAM"),
        format!(
            "LOAD DATA INFILE '{}' INTO TABLE {}",
            path.display(),
            table.split(' ').next().unwrap_or(table)
        ),
    ];
    run_all(&mut connect(&server, "")?, &statements)
}

fn grouped(lab: &mut Lab<'_>, duckdb: Option<&DuckDb>) -> io::Result<Table> {
    let mut groups: Vec<Group> =
        PLACES.iter().map(|p| Group { name: p.name.into(), points: Vec::new() }).collect();
    for rows in lab.settings.group_rows() {
        let path = lab.scratch.join("grouped.txt");
        write_grouped(&path, rows)?;
        for which in [Which::Isambard, Which::MariaDb, Which::SmallKeys, Which::LargeKeys] {
            lab.progress.step(&format!("filling {rows} rows, {which:?}"));
            load(
                lab,
                which,
                "grouped",
                "gt (i INT UNSIGNED NOT NULL, c CHAR(50) NOT NULL) CHARSET latin1",
                &path,
            )?;
        }
        for (place, group) in PLACES.iter().zip(&mut groups) {
            let what = format!("{rows} rows grouped, {}", place.name);
            let systems = [("Isambard", Which::Isambard), ("MariaDB", place.server)];
            let mut cells = lab.rounds(
                &what,
                &systems,
                |s| s.0,
                |lab, (name, which)| {
                    let bytes = match (place.little, *name) {
                        (false, _) => 4 << 30,
                        (true, "MariaDB") => 16 << 10,
                        (true, _) => LITTLE,
                    };
                    once(lab, *which, "grouped", &memory(bytes), GROUPED)
                },
            );
            if let Some(duckdb) = duckdb {
                lab.progress.step(&format!("{what}, DuckDB"));
                cells.insert("DuckDB".into(), duck_grouped(lab, duckdb, &path, place.little)?);
            }
            let reported = REPORTED.iter().position(|r| *r == rows).map_or("", |at| place.reported[at]);
            group.points.push(Point { at: rows.to_string(), cells, reported: reported.into() });
        }
        std::fs::remove_file(&path)?;
    }
    Ok(Table {
        id: "temporary".into(),
        title: "GROUP BY of nearly distinct strings".into(),
        unit: Unit::Milliseconds,
        axis: "rows".into(),
        baseline: "MariaDB".into(),
        systems: named(duckdb),
        groups,
        notes: vec![
            GROUPED.into(),
            "On disk: Isambard and DuckDB have 16 MB of memory for what is temporary; MariaDB's temporary table goes to disk as an Aria table \
             whose keys have 8 MB (the default of 2007) or 1 GB."
                .into(),
        ],
    })
}

fn named(duckdb: Option<&DuckDb>) -> Vec<String> {
    NAMES.iter().filter(|n| **n != "DuckDB" || duckdb.is_some()).map(|n| (*n).to_owned()).collect()
}

fn duck_grouped(lab: &Lab<'_>, duckdb: &DuckDb, path: &Path, little: bool) -> io::Result<Cell> {
    let file = lab.scratch.join("grouped.duckdb");
    let name = if little { file.display().to_string() } else { ":memory:".to_owned() };
    let mut setup = vec![
        "CREATE TABLE gt (i UINTEGER NOT NULL, c VARCHAR NOT NULL)".to_owned(),
        format!("COPY gt FROM '{}' (DELIMITER '\t', HEADER false)", path.display()),
    ];
    if little {
        setup.push("CHECKPOINT".into());
        setup.push(format!("SET memory_limit = '{}MiB'", LITTLE >> 20));
    }
    let sql = GROUPED.replace("ORDER BY NULL ", "");
    let cells = duckdb.measure((lab.scratch, lab.settings.rounds()), &name, &setup, &[sql])?;
    if little {
        std::fs::remove_file(&file)?;
    }
    Ok(cells.into_iter().next().unwrap_or_default())
}

fn statements(lab: &mut Lab<'_>, duckdb: Option<&DuckDb>) -> io::Result<Table> {
    let rows = lab.settings.group_rows().first().copied().unwrap_or(1_000_000);
    let path = lab.scratch.join("mixed.txt");
    write_mixed(&path, rows)?;
    let columns = "t (id INT NOT NULL, g10 INT NOT NULL, g10k INT NOT NULL, d DECIMAL(12,2) NOT NULL, f DOUBLE NOT NULL, \
                   s VARCHAR(40) NOT NULL) CHARSET utf8mb4";
    for which in [Which::Isambard, Which::MariaDb] {
        load(lab, which, "mixed", columns, &path)?;
    }
    let mut ducks = Vec::new();
    if let Some(duckdb) = duckdb {
        lab.progress.step("other statements, DuckDB");
        let setup = [
            "CREATE TABLE t (id INT, g10 INT, g10k INT, d DECIMAL(12,2), f DOUBLE, s VARCHAR)".to_owned(),
            format!("COPY t FROM '{}' (DELIMITER '\t', HEADER false)", path.display()),
        ];
        let texts: Vec<String> = STATEMENTS.iter().map(|(_, sql)| (*sql).to_owned()).collect();
        ducks = duckdb.measure((lab.scratch, lab.settings.rounds()), ":memory:", &setup, &texts)?;
    }
    std::fs::remove_file(&path)?;
    let mut groups = Vec::new();
    for (nr, (name, sql)) in STATEMENTS.iter().enumerate() {
        let systems = [("Isambard", Which::Isambard), ("MariaDB", Which::MariaDb)];
        let mut cells = lab.rounds(name, &systems, |s| s.0, |lab, (_, which)| {
            let mut setup = memory(1 << 30);
            if *which == Which::MariaDb {
                // Else it would join by nested loops.
                setup.push("SET join_cache_level = 4, join_buffer_size = 268435456, join_buffer_space_limit = 1073741824".into());
            }
            once(lab, *which, "mixed", &setup, sql)
        });
        if let Some(cell) = ducks.get(nr) {
            cells.insert("DuckDB".into(), cell.clone());
        }
        groups.push(Group { name: (*name).into(), points: vec![Point { cells, ..Point::default() }] });
    }
    let note = duckdb.map(|d| {
        format!(
            "DuckDB {} runs in its own process, with a thread for each core and columns in memory.",
            d.version
        )
    });
    Ok(Table {
        id: "statements".into(),
        title: format!("Other statements that group, sort and join, {rows} rows"),
        unit: Unit::Milliseconds,
        axis: String::new(),
        baseline: "MariaDB".into(),
        systems: named(duckdb),
        groups,
        notes: note.into_iter().collect(),
    })
}

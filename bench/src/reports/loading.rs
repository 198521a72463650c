//! Report 2: several connections fill several tables, with one key cache or many, packed keys or none.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};
use std::time::{Duration, Instant};

use super::clients::{Work, connect, drive, run, run_all, scattered};
use super::lab::{Lab, Which};
use super::settings::Settings;
use super::store::{Cell, Group, Point, Table, Unit};

/// A system with its way to keep keys.
struct Variant {
    name: &'static str,
    server: Which,
    engine: &'static str,
    key_caches: bool,
    pack_keys: &'static str,
}

const fn variant(name: &'static str, server: Which, engine: &'static str) -> Variant {
    Variant { name, server, engine, key_caches: false, pack_keys: "DEFAULT" }
}

const VARIANTS: [Variant; 9] = [
    variant("Isambard", Which::Isambard, "myisam"),
    Variant { pack_keys: "0", ..variant("Isambard, PACK_KEYS=0", Which::Isambard, "myisam") },
    Variant { key_caches: true, ..variant("Isambard, key caches", Which::Isambard, "myisam") },
    variant("MyISAM", Which::MariaDb, "myisam"),
    Variant { key_caches: true, ..variant("MyISAM, key caches", Which::MariaDb, "myisam") },
    Variant {
        key_caches: true,
        pack_keys: "0",
        ..variant("MyISAM, key caches, PACK_KEYS=0", Which::MariaDb, "myisam")
    },
    variant("Aria", Which::MariaDb, "aria"),
    variant("InnoDB", Which::MariaDb, "innodb"),
    variant("MEMORY", Which::MariaDb, "memory"),
];

/// Tables that are filled at once.
const CONNECTIONS: [u32; 3] = [1, 4, 16];

/// Rows of an INSERT.
const ROWS: u64 = 100;

const COLUMNS: &str = "(id INT UNSIGNED NOT NULL, host CHAR(32) NOT NULL, path VARCHAR(100) NOT NULL, stamp INT UNSIGNED NOT NULL, \
    bytes INT UNSIGNED NOT NULL, KEY (host), KEY (path), KEY (stamp))";

pub fn plan(settings: &Settings) -> u64 {
    let filled = (CONNECTIONS.len() as u64 + 1) * VARIANTS.len() as u64 * (settings.point() + 300);
    let loaded: u64 = settings.growth().iter().map(|&rows| u64::from(rows) / 100).sum();
    filled + loaded * u64::from(settings.rounds()) * 4
}

/// A row as a list of values.
fn put_row(out: &mut String, n: u64) {
    let (a, b) = (scattered(n), scattered(n + (1 << 40)));
    let stamp = 1_200_000_000 + n / 50;
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "({n},'host{:05}.example.com','/data/{:03x}/{a:016x}/{:x}',{stamp},{})",
        a % 20_000,
        b % 4096,
        b >> 40,
        b % 65_536
    );
}

fn insert(table: u32, first: u64) -> String {
    let mut sql = format!("INSERT INTO l{table} VALUES ");
    for n in first..first + ROWS {
        if n > first {
            sql.push(',');
        }
        put_row(&mut sql, n);
    }
    sql
}

/// Empty tables, each with its key cache where the variant has them.
fn make(lab: &mut Lab<'_>, variant: &Variant, tables: u32) -> io::Result<()> {
    let server = lab.server(variant.server)?;
    let mut client = connect(&server, "")?;
    let mut statements: Vec<String> =
        ["DROP DATABASE IF EXISTS loading", "CREATE DATABASE loading CHARACTER SET latin1", "USE loading"]
            .map(str::to_owned)
            .to_vec();
    statements.push("SET max_heap_table_size = 4294967296".into());
    for n in 0..tables {
        statements.push(format!(
            "CREATE TABLE l{n} {COLUMNS} ENGINE={} PACK_KEYS={}",
            variant.engine, variant.pack_keys
        ));
        if variant.key_caches {
            statements.push(format!("SET GLOBAL cache{n}.key_buffer_size = {}", 64 << 20));
            statements.push(format!("CACHE INDEX l{n} IN cache{n}"));
        }
    }
    run_all(&mut client, &statements)
}

/// Those that the servers have: a server without key caches of its own says so when one is made.
fn variants(lab: &mut Lab<'_>) -> io::Result<Vec<&'static Variant>> {
    let mut there = Vec::new();
    for variant in &VARIANTS {
        // MariaDB has them all.
        if variant.server != Which::Isambard || !variant.key_caches || make(lab, variant, 1).is_ok() {
            there.push(variant);
        }
    }
    Ok(there)
}

pub fn measure(lab: &mut Lab<'_>) -> io::Result<Vec<Table>> {
    let variants = variants(lab)?;
    Ok(vec![parallel(lab, &variants)?, growth(lab)?])
}

fn parallel(lab: &mut Lab<'_>, variants: &[&Variant]) -> io::Result<Table> {
    let mut groups = Vec::new();
    for (name, updates) in [("INSERT of 100 rows", false), ("with UPDATEs beside", true)] {
        let mut group = Group { name: name.into(), points: Vec::new() };
        for connections in CONNECTIONS {
            if updates && connections != 4 {
                continue;
            }
            let what = format!("{name}, {connections} tables");
            let cells = lab.rounds(
                &what,
                variants,
                |v| v.name,
                |lab, variant| {
                    make(lab, variant, connections)?;
                    fill(lab, variant, connections, updates)
                },
            );
            group.points.push(Point { at: connections.to_string(), cells, ..Point::default() });
        }
        groups.push(group);
    }
    Ok(Table {
        id: "loading".into(),
        title: "Tables filled at once, each by a connection of its own".into(),
        unit: Unit::Rows,
        axis: "tables".into(),
        baseline: "MyISAM".into(),
        systems: variants.iter().map(|v| v.name.to_owned()).collect(),
        groups,
        notes: vec![
            "Three keys: two on strings, which are packed unless PACK_KEYS=0, and one on a number. The client makes its statements on \
             the same cores. With UPDATEs beside, every tenth statement changes ten rows."
                .into(),
            "The report's own figures, of 2008: 100,000 rows/s, nearly twice that with a key cache per table, and PACK_KEYS=0."
                .into(),
        ],
    })
}

fn fill(lab: &mut Lab<'_>, variant: &Variant, connections: u32, updates: bool) -> io::Result<Cell> {
    let server = lab.server(variant.server)?;
    let statement = |user: u32, nr: u64| {
        if updates && nr % 10 == 9 {
            let first = scattered(nr) % (nr * ROWS);
            let stamp = 1_200_000_000 + first / 50;
            (format!("UPDATE l{user} SET bytes = bytes + 1 WHERE stamp = {stamp} LIMIT 10"), 0)
        } else {
            (insert(user, nr * ROWS), ROWS)
        }
    };
    let setup = |_| Vec::new();
    let time = Duration::from_secs(u64::from(lab.settings.time()));
    drive(
        &server,
        &Work { database: "loading", users: connections, setup: &setup, statement: &statement, time },
    )
}

fn growth(lab: &mut Lab<'_>) -> io::Result<Table> {
    let plain: Vec<&Variant> = VARIANTS
        .iter()
        .filter(|v| !v.key_caches && v.pack_keys == "DEFAULT" && v.engine != "memory")
        .collect();
    let mut group = Group { name: "LOAD DATA INFILE".into(), points: Vec::new() };
    for rows in lab.settings.growth() {
        let path = lab.scratch.join(format!("load{rows}.txt"));
        let mut file = BufWriter::new(std::fs::File::create(&path)?);
        for n in 0..u64::from(rows) {
            let mut line = String::new();
            put_row(&mut line, n);
            writeln!(file, "{}", line.trim_matches(['(', ')']).replace('\'', "").replace(',', "\t"))?;
        }
        file.flush()?;
        let load = format!("LOAD DATA INFILE '{}' INTO TABLE l0", path.display());
        let cells = lab.rounds(
            &format!("LOAD DATA of {rows} rows"),
            &plain,
            |v| v.name,
            |lab, variant| {
                make(lab, variant, 1)?;
                let server = lab.server(variant.server)?;
                let mut client = connect(&server, "loading")?;
                let (cpu, begun) = (server.cpu_time()?, Instant::now());
                run(&mut client, &load).map_err(io::Error::other)?;
                let (wall, rows) = (begun.elapsed().as_secs_f64(), f64::from(rows));
                let cpu = server.cpu_time()?.saturating_sub(cpu).as_secs_f64();
                Ok(Cell { value: Some(rows / wall), cpu: Some(cpu * 1e6 / rows), ..Cell::default() })
            },
        );
        std::fs::remove_file(&path)?;
        group.points.push(Point { at: rows.to_string(), cells, ..Point::default() });
    }
    Ok(Table {
        id: "load-data".into(),
        title: "LOAD DATA into an empty table, by its size".into(),
        unit: Unit::Rows,
        axis: "rows".into(),
        baseline: "MyISAM".into(),
        systems: plain.iter().map(|v| v.name.to_owned()).collect(),
        groups: vec![group],
        ..Table::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insert_has_its_rows_in_order() {
        let sql = insert(3, 200);
        assert!(sql.starts_with("INSERT INTO l3 VALUES (200,'host"), "{sql:.60}");
        assert_eq!(sql.matches("example.com").count() as u64, ROWS);
        assert!(sql.contains("(299,'host") && sql.ends_with(')'));
    }
}

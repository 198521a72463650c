//! Report 5: rows inserted one by one and 310 at a time, with and without LOCK TABLES.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use super::clients::{Work, connect, drive, run_all, scattered};
use super::lab::{Lab, SYSTEMS, System};
use super::settings::Settings;
use super::store::{Cell, Group, Point, Table, Unit};

/// Rows of the large INSERT.
const MANY: u64 = 310;

/// How rows come, and the report's rows a second.
const WAYS: [(&str, u64, bool, &str); 4] = [
    ("INSERT of one row", 1, false, "4,272"),
    ("INSERT of one row, LOCK TABLES", 1, true, "5,186"),
    ("INSERT of 310 rows", MANY, false, "138,666"),
    ("INSERT of 310 rows, LOCK TABLES", MANY, true, "159,786"),
];

/// Connections into one table.
const CONNECTIONS: [u32; 3] = [1, 8, 64];

/// The mapping is of no use to who only appends.
fn systems() -> Vec<System> {
    SYSTEMS.iter().filter(|s| s.name != "MyISAM mmap").copied().collect()
}

pub fn plan(settings: &Settings) -> u64 {
    let points = (WAYS.len() + 2 * CONNECTIONS.len()) as u64;
    points * systems().len() as u64 * (settings.point() + 100)
}

pub fn measure(lab: &mut Lab<'_>) -> io::Result<Vec<Table>> {
    Ok(vec![ways(lab), connections(lab)])
}

fn table(id: &str, title: &str, axis: &str, groups: Vec<Group>) -> Table {
    Table {
        id: id.into(),
        title: title.into(),
        unit: Unit::Rows,
        axis: axis.into(),
        baseline: "MyISAM".into(),
        systems: systems().iter().map(|s| s.name.to_owned()).collect(),
        groups,
        notes: Vec::new(),
    }
}

fn ways(lab: &mut Lab<'_>) -> Table {
    let mut groups = Vec::new();
    for (name, rows, locked, reported) in WAYS {
        let cells =
            lab.rounds(name, &systems(), |s| s.name, |lab, system| insert(lab, system, 1, rows, locked));
        let point = Point { at: String::new(), cells, reported: reported.into() };
        groups.push(Group { name: name.into(), points: vec![point] });
    }
    table("locking", "One connection", "", groups)
}

fn connections(lab: &mut Lab<'_>) -> Table {
    let mut groups = Vec::new();
    for (name, rows) in [("INSERT of one row", 1), ("INSERT of 310 rows", MANY)] {
        let mut group = Group { name: name.into(), points: Vec::new() };
        for users in CONNECTIONS {
            let what = format!("{name}, {users} connections");
            let cells = lab.rounds(
                &what,
                &systems(),
                |s| s.name,
                |lab, system| insert(lab, system, users, rows, false),
            );
            group.points.push(Point { at: users.to_string(), cells, ..Point::default() });
        }
        groups.push(group);
    }
    table("locking-connections", "Many connections into one table", "connections", groups)
}

fn insert(lab: &mut Lab<'_>, system: &System, users: u32, rows: u64, locked: bool) -> io::Result<Cell> {
    let server = lab.server(system.server)?;
    let made = [
        "DROP DATABASE IF EXISTS locking".to_owned(),
        "CREATE DATABASE locking CHARACTER SET latin1".to_owned(),
        "SET max_heap_table_size = 4294967296".to_owned(),
        format!(
            "CREATE TABLE locking.t (a INT NOT NULL, b VARCHAR(100) NOT NULL, KEY (a)) ENGINE={}",
            system.engine
        ),
    ];
    run_all(&mut connect(&server, "")?, &made)?;
    let setup = |_| if locked { vec!["LOCK TABLES t WRITE".to_owned()] } else { Vec::new() };
    let statement = |user: u32, nr: u64| {
        let mut sql = "INSERT INTO t VALUES ".to_owned();
        for n in 0..rows {
            let value = scattered((u64::from(user) << 40) + nr * rows + n);
            // Writing to a string does not fail.
            let _ =
                write!(sql, "{}({},'row {value:x}')", if n > 0 { "," } else { "" }, value % 2_000_000_000);
        }
        (sql, rows)
    };
    let time = Duration::from_secs(u64::from(lab.settings.time()));
    drive(&server, &Work { database: "locking", users, setup: &setup, statement: &statement, time })
}

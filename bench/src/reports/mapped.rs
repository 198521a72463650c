//! Report 1: sysbench's loads with rows by pread and through a mapping.

use std::io;

use super::lab::{CEILING, Lab, Load, SYSTEMS, System, systems};
use super::settings::Settings;
use super::store::{Group, Point, Table};
use crate::sysbench::{WORKLOADS, Workload};

/// A row of the report: its name, the workload, and what was measured then with 1, 4, 16, 64 and 256 threads.
struct Row {
    name: &'static str,
    workload: Workload,
    reported: [&'static str; 5],
}

/// sysbench's workload of a name in [`WORKLOADS`].
pub fn workload(name: &str) -> io::Result<Workload> {
    let found = WORKLOADS.iter().find(|w| w.name == name).copied();
    found.ok_or_else(|| io::Error::other(format!("no workload {name}")))
}

/// 20,000 rows by a range of the primary key.
const BATCH: &[&str] = &[
    "--point-selects=0",
    "--simple-ranges=1",
    "--sum-ranges=0",
    "--order-ranges=0",
    "--distinct-ranges=0",
    "--skip-trx=on",
    "--range-size=20000",
];

fn rows() -> io::Result<[Row; 7]> {
    let row = |name, workload, reported| Row { name, workload, reported };
    let batch = Workload { name: "batch", options: BATCH, ..workload("read_only")? };
    Ok([
        row(
            "SELECT by primary key",
            workload("point_select")?,
            [
                "8894→9394 (1.06)",
                "21775→22650 (1.04)",
                "26162→27233 (1.04)",
                "24330→24847 (1.02)",
                "23868→24272 (1.02)",
            ],
        ),
        row(
            "SELECT by primary-key range",
            workload("simple_ranges")?,
            [
                "1555→2516 (1.62)",
                "3056→4749 (1.55)",
                "3194→4365 (1.37)",
                "3191→4302 (1.35)",
                "3184→4225 (1.33)",
            ],
        ),
        row(
            "OLTP read-only",
            workload("read_only")?,
            ["250→272 (1.09)", "609→738 (1.21)", "695→800 (1.15)", "684→781 (1.14)", "669→768 (1.15)"],
        ),
        row(
            "UPDATE of an indexed column",
            workload("update_index")?,
            [
                "5266→6586 (1.25)",
                "8444→11446 (1.36)",
                "8080→10975 (1.36)",
                "7654→10318 (1.35)",
                "6474→8577 (1.32)",
            ],
        ),
        row(
            "UPDATE of a column with no index",
            workload("update_non_index")?,
            [
                "7666→9115 (1.19)",
                "10963→14964 (1.36)",
                "10472→14029 (1.34)",
                "10013→13161 (1.31)",
                "8734→10991 (1.26)",
            ],
        ),
        row(
            "OLTP read-write",
            workload("read_write")?,
            ["183→234 (1.28)", "180→243 (1.35)", "177→238 (1.35)", "176→237 (1.35)", "176→234 (1.33)"],
        ),
        row(
            "batch: 20,000 rows by primary key",
            batch,
            [
                "13.8→33.5 (2.43)",
                "29.4→99.2 (3.38)",
                "20.5→136.9 (6.68)",
                "20.3→138.0 (6.78)",
                "20.7→138.0 (6.67)",
            ],
        ),
    ])
}

/// The threads of the report.
const REPORTED: [u32; 5] = [1, 4, 16, 64, 256];

/// Systems that are followed as tables grow.
const GROWING: [&str; 4] = ["Isambard", "MyISAM", "MyISAM mmap", "InnoDB"];

pub fn plan(settings: &Settings) -> u64 {
    let points = settings.threads.len() as u64 * (7 * SYSTEMS.len() as u64 + 2);
    let grown = settings.growth().len() as u64 * 3 * GROWING.len() as u64;
    (points + grown) * settings.point()
}

pub fn measure(lab: &mut Lab<'_>) -> io::Result<Vec<Table>> {
    Ok(vec![loads(lab)?, growth(lab)?])
}

fn loads(lab: &mut Lab<'_>) -> io::Result<Table> {
    let (tables, rows_each) = (lab.settings.tables, lab.settings.rows());
    for system in &SYSTEMS {
        lab.prepare(system, tables, rows_each)?;
    }
    let mut table = Table {
        id: "mapped".into(),
        title: "sysbench, prepared statements".into(),
        axis: "threads".into(),
        baseline: "MyISAM".into(),
        systems: SYSTEMS.iter().chain([&CEILING]).map(|s| s.name.to_owned()).collect(),
        notes: vec![
            "MyISAM reads rows by pread, MyISAM mmap with myisam_use_mmap=1. The report's own figures are transactions a second of \
             OLTP loads; ours are queries a second. MEMORY has a sorted primary key, as a hashed one answers no range."
                .into(),
            "The ceiling server answers sysbench's statements and does nothing: no server can be faster with this client and machine."
                .into(),
        ],
        ..Table::default()
    };
    for row in rows()? {
        let reads_few = ["point_select", "simple_ranges"].contains(&row.workload.name);
        let systems: Vec<System> = SYSTEMS.iter().chain(reads_few.then_some(&CEILING)).copied().collect();
        let mut group = Group { name: row.name.into(), points: Vec::new() };
        for threads in lab.settings.threads.clone() {
            let load = Load { workload: &row.workload, tables, rows: rows_each, threads, prepared: true };
            let what = format!("{}, {threads} threads", row.name);
            let cells = lab.rounds(&what, &systems, |s| s.name, |lab, system| lab.sysbench(system, &load));
            let reported = REPORTED.iter().position(|t| *t == threads).map_or("", |at| row.reported[at]);
            group.points.push(Point { at: threads.to_string(), cells, reported: reported.into() });
        }
        table.groups.push(group);
    }
    Ok(table)
}

fn growth(lab: &mut Lab<'_>) -> io::Result<Table> {
    let systems = systems(&GROWING);
    let loads = [
        ("SELECT by primary key", workload("point_select")?),
        ("SELECT by primary-key range", workload("simple_ranges")?),
        ("UPDATE of an indexed column", workload("update_index")?),
    ];
    let mut groups = loads.map(|(name, _)| Group { name: name.into(), points: Vec::new() });
    for rows in lab.settings.growth() {
        for system in &systems {
            lab.prepare(system, 1, rows)?;
        }
        for ((name, workload), group) in loads.iter().zip(&mut groups) {
            let load = Load { workload, tables: 1, rows, threads: 8, prepared: true };
            let what = format!("{name}, {rows} rows");
            let cells = lab.rounds(&what, &systems, |s| s.name, |lab, system| lab.sysbench(system, &load));
            group.points.push(Point { at: rows.to_string(), cells, ..Point::default() });
        }
    }
    Ok(Table {
        id: "growth".into(),
        title: "The same as a table grows, 8 threads on one table".into(),
        axis: "rows".into(),
        baseline: "MyISAM".into(),
        systems: systems.iter().map(|s| s.name.to_owned()).collect(),
        groups: groups.into(),
        ..Table::default()
    })
}

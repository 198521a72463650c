//! Report 4: read-only loads on one table and on eight, and full-text counts, on several engines.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::clients::{connect, run_all};
use super::lab::{CEILING, Lab, Load, SYSTEMS, System, Which, systems};
use super::mapped::workload;
use super::settings::Settings;
use super::store::{Cell, Group, Point, Table, Unit};
use crate::fulltext::cases::cases;
use crate::fulltext::servers::Server;
use crate::fulltext::{self, Document};
use crate::sysbench::Workload;

/// Systems that search.
const SEARCHING: [&str; 4] = ["Isambard", "MyISAM", "Aria", "InnoDB"];

/// Users of a search; cases that are measured with one number of them take the second.
const USERS: [u32; 5] = [1, 8, 32, 64, 256];

/// Loads: name, workload, prepared, and the report's thousands of queries a second on eight tables.
fn loads() -> io::Result<[(&'static str, Workload, bool, &'static str); 5]> {
    let mut alone = workload("read_only")?;
    alone.options = &["--skip-trx=on"];
    Ok([
        ("OLTP_RO", alone, false, "200K MyISAM, 215K InnoDB"),
        ("OLTP_RO in BEGIN/COMMIT", workload("read_only")?, false, "220K, 250K"),
        ("simple ranges", workload("simple_ranges")?, false, "95K, 170K"),
        ("point selects", workload("point_select")?, false, "360K, 210K"),
        ("point selects, prepared", workload("point_select")?, true, "430K, 250K"),
    ])
}

/// Client threads: those of the run from 8 on; a quick run takes two of them.
fn threads(settings: &Settings) -> Vec<u32> {
    let many: Vec<u32> = settings.threads.iter().copied().filter(|t| *t >= 8).collect();
    match (many.is_empty(), settings.quick) {
        (true, _) => settings.threads.clone(),
        (false, true) => many.into_iter().take(2).collect(),
        (false, false) => many,
    }
}

pub fn plan(settings: &Settings) -> u64 {
    let reading = threads(settings).len() as u64 * 2 * (5 * SYSTEMS.len() as u64 + 3);
    let searching = (USERS.len() as u64 + 4) * SEARCHING.len() as u64;
    (reading + searching) * settings.point() + settings.documents().min(300_000) as u64 / 3
}

pub fn measure(lab: &mut Lab<'_>) -> io::Result<Vec<Table>> {
    let rows = lab.settings.rows();
    for system in &SYSTEMS {
        lab.prepare(system, 8, rows)?;
    }
    let mut tables = vec![reading(lab, 1)?];
    key_caches(lab)?;
    tables.push(reading(lab, 8)?);
    tables.extend(searching(lab)?);
    Ok(tables)
}

/// A key cache for each of MyISAM's tables, as the report had them.
fn key_caches(lab: &mut Lab<'_>) -> io::Result<()> {
    for which in [Which::MariaDb, Which::Mapped] {
        let server = lab.server(which)?;
        let statements: Vec<String> = (1..=8)
            .flat_map(|n| {
                [
                    format!("SET GLOBAL reads{n}.key_buffer_size = {}", 32 << 20),
                    format!("CACHE INDEX sb_myisam.sbtest{n} IN reads{n}"),
                ]
            })
            .collect();
        run_all(&mut connect(&server, "")?, &statements)?;
    }
    Ok(())
}

fn reading(lab: &mut Lab<'_>, tables: u32) -> io::Result<Table> {
    let rows = lab.settings.rows();
    let mut groups = Vec::new();
    for (name, workload, prepared, reported) in loads()? {
        let bare = !name.starts_with("OLTP");
        let all: Vec<System> = SYSTEMS.iter().chain(bare.then_some(&CEILING)).copied().collect();
        let mut group = Group { name: name.into(), points: Vec::new() };
        for threads in threads(lab.settings) {
            let load = Load { workload: &workload, tables, rows, threads, prepared };
            let what = format!("{name}, {tables} tables, {threads} threads");
            let cells = lab.rounds(&what, &all, |s| s.name, |lab, system| lab.sysbench(system, &load));
            let reported = if tables == 8 { reported } else { "" };
            group.points.push(Point { at: threads.to_string(), cells, reported: reported.into() });
        }
        groups.push(group);
    }
    let (id, title, note) = match tables {
        1 => (
            "one-table",
            "Reading one table",
            "The report found MyISAM 3 to 6 times slower than InnoDB here.",
        ),
        _ => (
            "eight-tables",
            "Reading eight tables",
            "MyISAM has a key cache for each table. The report had 32 cores; with InnoDB in read-only mode it reached 450K point \
             selects a second, with HandlerSocket 750K.",
        ),
    };
    Ok(Table {
        id: id.into(),
        title: title.into(),
        axis: "threads".into(),
        baseline: "MyISAM".into(),
        systems: SYSTEMS.iter().chain([&CEILING]).map(|s| s.name.to_owned()).collect(),
        groups,
        notes: vec![note.into()],
        ..Table::default()
    })
}

fn searching(lab: &mut Lab<'_>) -> io::Result<[Table; 2]> {
    lab.progress.step("documents");
    let path = fulltext::corpus(lab.settings.corpus.as_deref(), lab.settings.documents(), lab.scratch)?;
    let documents: Vec<Document> = fulltext::read(&path)?;
    let systems = systems(&SEARCHING);
    let mut processes = Vec::new();
    for system in &systems {
        processes.push(lab.server(system.server)?);
    }
    let servers: Vec<Server<'_>> = systems
        .iter()
        .zip(&processes)
        .map(|(s, process)| Server::new(s.name, Arc::as_ref(process), s.engine, documents.len()))
        .collect();
    let mut built = Point::default();
    for server in &servers {
        lab.progress.step(&format!("full-text key, {}", server.name));
        let cpu = server.process.cpu_time()?;
        let time = server.build(&path)?;
        let cpu = server.process.cpu_time()?.saturating_sub(cpu);
        let cell = Cell {
            value: Some(time.as_secs_f64() * 1e3),
            cpu: Some(cpu.as_secs_f64() * 1e3),
            ..Cell::default()
        };
        built.cells.insert(server.name.into(), cell);
    }
    let mut groups = Vec::new();
    for case in cases() {
        let mut group = Group { name: case.name.into(), points: Vec::new() };
        for users in if case.scaled { &USERS[..] } else { &USERS[1..2] } {
            let time = Duration::from_secs(u64::from(lab.settings.time()));
            let load = fulltext::Load { users: *users, inserts: None, time };
            let what = format!("{}, {users} users", case.name);
            let cells = lab.rounds(
                &what,
                &servers,
                |s| s.name,
                |_, server| {
                    let sample = server.ask(&case.questions, &load, &documents)?;
                    Ok(Cell {
                        value: Some(sample.rate),
                        cpu: Some(sample.cpu),
                        latency95: Some(sample.latency95).filter(|l| l.is_finite()),
                        ..Cell::default()
                    })
                },
            );
            group.points.push(Point { at: users.to_string(), cells, ..Point::default() });
        }
        groups.push(group);
    }
    let table = |id: &str, title: String, unit, axis: &str, groups, notes| Table {
        id: id.into(),
        title,
        unit,
        axis: axis.into(),
        baseline: "MyISAM".into(),
        systems: SEARCHING.map(str::to_owned).to_vec(),
        groups,
        notes,
    };
    let note = "30 words and 30 phrases from frequent to rare in the entries of Debian's dictionaries. The report: InnoDB 13,000 q/s on 24 \
                to 32 cores; MyISAM 3,900 on 8 cores, and less on more."
        .to_owned();
    let title = format!("Full text, {} documents", documents.len());
    let building = Group { name: "ADD FULLTEXT KEY".into(), points: vec![built] };
    let asked = table("full-text", title, Unit::Queries, "users", groups, vec![note]);
    let note = "CPU with the load of the documents.".to_owned();
    let title = "Making the full-text key".to_owned();
    Ok([asked, table("full-text-key", title, Unit::Milliseconds, "", vec![building], vec![note])])
}

//! SIGKILL under write load: what was acknowledged is there after the restart, tables are sound.
//!
//! Once with writers of our own alone, once beside sysbench's `oltp_read_write` and `oltp_write_only`.
//!
//! The three settings of `durability` take turns, once with a journal that is checkpointed all the time, once with a
//! large one. `ISAMBARD_KILLS` sets the rounds (5 unless told; 200 with `ISAMBARD_SOAK=1`).

use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::prelude::Queryable;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const TABLES: u64 = 4;
const WRITERS: u64 = 8;

/// What one writer knows of its own rows: acknowledged values, and the one statement in flight.
#[derive(Default, Clone)]
struct Log {
    rows: BTreeMap<u64, Option<u64>>,
    in_flight: Option<(u64, Option<u64>)>,
}

/// One writer works on its own ids of one table until the connection breaks.
fn write(peer: &Peer, writer: u64, round: u64, mut log: Log, stop: &AtomicBool) -> Log {
    let Ok(mut conn) = peer.try_connect("k") else { return log };
    let table = format!("k{}", writer % TABLES);
    let mut rng = fastrand::Rng::with_seed(writer * 1_000 + round);
    let base = writer * 1_000_000;
    while !stop.load(Ordering::Relaxed) {
        let id = base + rng.u64(0..400);
        let value = rng.u64(0..u64::MAX / 2);
        let pad = format!("{} written words {:04}", "x".repeat(rng.usize(0..200)), rng.u16(..9999));
        let present = matches!(log.rows.get(&id), Some(Some(_)));
        let (sql, after) = match (present, rng.u8(0..4)) {
            (false, _) => (format!("INSERT INTO {table} VALUES ({id}, {value}, '{pad}')"), Some(value)),
            (true, 0) => (format!("DELETE FROM {table} WHERE id = {id}"), None),
            (true, _) => {
                (format!("UPDATE {table} SET v = {value}, pad = '{pad}' WHERE id = {id}"), Some(value))
            }
        };
        log.in_flight = Some((id, after));
        match conn.query_drop(&sql) {
            Ok(()) => {
                log.rows.insert(id, after);
                log.in_flight = None;
            }
            Err(mysql::Error::MySqlError(e)) => panic!("{sql}: {e}"),
            Err(_) => break,
        }
    }
    log
}

fn verify(peer: &Peer, logs: &mut [Log]) {
    let mut conn = peer.connect("k");
    for (writer, log) in logs.iter_mut().enumerate() {
        let table = format!("k{}", writer as u64 % TABLES);
        let base = writer as u64 * 1_000_000;
        let found: BTreeMap<u64, u64> = conn
            .query(format!("SELECT id, v FROM {table} WHERE id BETWEEN {base} AND {}", base + 999_999))
            .expect("read back")
            .into_iter()
            .collect();
        let mut expected = log.rows.clone();
        if let Some((id, after)) = log.in_flight.take() {
            // neither acknowledged nor refused: before or after, whole
            let before = expected.get(&id).copied().flatten();
            let now = found.get(&id).copied();
            assert!(
                now == before || now == after,
                "row {id} is {now:?}, was {before:?}, was becoming {after:?}"
            );
            expected.insert(id, now);
        }
        let expected: BTreeMap<u64, u64> =
            expected.into_iter().filter_map(|(id, v)| Some((id, v?))).collect();
        assert_eq!(found, expected, "writer {writer} in {table}");
        log.rows = expected.into_iter().map(|(id, v)| (id, Some(v))).collect();
    }
    for t in 0..TABLES {
        let rows: Vec<(String, String, String, String)> =
            conn.query(format!("CHECK TABLE k{t} EXTENDED")).expect("check table");
        assert!(rows.iter().all(|r| r.3 == "OK"), "CHECK TABLE after a kill: {rows:?}");
        for word in ["written", "words", "0*", "rested"] {
            let count = |conn: &mut mysql::Conn, hint: &str| -> Option<u64> {
                let search = format!("MATCH (pad) AGAINST ('{word}' IN BOOLEAN MODE)");
                conn.query_first(format!("SELECT COUNT(*) FROM k{t} {hint} WHERE {search}"))
                    .expect("a search")
            };
            let (by_key, by_row) = (count(&mut conn, ""), count(&mut conn, "IGNORE INDEX (words)"));
            assert_eq!(by_key, by_row, "rows of k{t} with {word} after a kill");
        }
    }
}

/// Runs myisamchk -e and gives its words, empty when all is well.
fn myisamchk(index: &Path) -> String {
    let out = Command::new("myisamchk").arg("-e").arg("--silent").arg(index).output().expect("run myisamchk");
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

fn rounds() -> u64 {
    let soak = std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1");
    std::env::var("ISAMBARD_KILLS").ok().and_then(|v| v.parse().ok()).unwrap_or(if soak { 200 } else { 5 })
}

/// What the server of a round is started with.
fn settings(round: u64) -> [&'static str; 4] {
    let durability = ["durability=second", "durability=commit", "durability=none"]
        [usize::try_from(round % 3).expect("below 3")];
    let journal = if round.is_multiple_of(2) { "journal_size=4M" } else { "journal_size=256M" };
    ["--set", durability, "--set", journal]
}

/// The tables of our own writers.
fn create(peer: &Peer) {
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE k").expect("database");
    for t in 0..TABLES {
        // statements name no columns: one that they do not see has a geometry of each row
        let (place, format) = match t % 2 {
            0 => (
                ", g point NOT NULL INVISIBLE DEFAULT (POINT(id % 97, id % 89)), SPATIAL KEY (g)",
                "CHECKSUM=1",
            ),
            _ => ("", "ROW_FORMAT=FIXED"),
        };
        conn.query_drop(format!(
            "CREATE TABLE k.k{t} (id bigint PRIMARY KEY, v bigint, pad varchar(250), KEY (v), KEY (pad(20)), FULLTEXT KEY words (pad){place}) ENGINE=MyISAM {format}"
        ))
        .expect("table");
        // Rows that nobody changes. So many at once that, where rows are dynamic, their words have trees of their own.
        let rows: Vec<String> = (0..300)
            .map(|n| format!("({}, {n}, '{n} written words rested')", WRITERS * 1_000_000 + n))
            .collect();
        conn.query_drop(format!("INSERT INTO k.k{t} VALUES {}", rows.join(", "))).expect("rows");
    }
}

#[test]
fn acknowledged_writes_survive_a_kill() {
    if !oracle_present() {
        return;
    }
    let rounds = rounds();
    let dir = scratch("kill");
    let datadir = dir.join("data");
    let mut logs = vec![Log::default(); WRITERS as usize];
    let mut peer = Peer::isambard_on(&datadir, &settings(0));
    peer.keep();
    create(&peer);
    let mut rng = fastrand::Rng::with_seed(7);
    for round in 0..rounds {
        let stop = AtomicBool::new(false);
        logs = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..WRITERS)
                .map(|w| {
                    let (log, peer, stop) = (logs[w as usize].clone(), &peer, &stop);
                    scope.spawn(move || write(peer, w, round, log, stop))
                })
                .collect();
            std::thread::sleep(Duration::from_millis(rng.u64(50..700)));
            if round == 0 {
                // while tables are dirty other programs refuse them and leave them alone
                let index = datadir.join("k/k0.MYI");
                let said = myisamchk(&index);
                assert!(!said.is_empty(), "myisamchk took a dirty table");
            }
            let pid = peer.pid().to_string();
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
            threads.into_iter().map(|t| t.join().expect("writer")).collect()
        });
        peer.kill();
        peer = Peer::isambard_on(&datadir, &settings(round + 1));
        peer.keep();
        verify(&peer, &mut logs);
    }
    let mut conn = peer.connect("k");
    for t in 0..TABLES {
        // Every word of a row must be there to be deleted.
        conn.query_drop(format!("DELETE FROM k{t} WHERE id % 2 = 0")).expect("delete");
    }
    drop(conn);
    peer.stop();
    for t in 0..TABLES {
        let said = myisamchk(&datadir.join(format!("k/k{t}.MYI")));
        assert!(said.is_empty(), "myisamchk -e after a clean stop, k{t}: {said}");
    }
    println!("{rounds} kills survived");
    let _ = std::fs::remove_dir_all(&dir);
}

/// Tables and rows that sysbench works on.
const BENCH_TABLES: u64 = 4;
const BENCH_ROWS: u64 = 2_000;

fn sysbench(peer: &Peer, script: &str, action: &[&str]) -> Command {
    let mut command = Command::new("sysbench");
    command
        .arg(script)
        .args([
            "--db-driver=mysql",
            "--mysql-user=root",
            "--mysql-db=sbtest",
            "--mysql-storage-engine=myisam",
        ])
        .arg(format!("--mysql-socket={}", peer.socket.display()))
        .arg(format!("--tables={BENCH_TABLES}"))
        .arg(format!("--table-size={BENCH_ROWS}"))
        // Without transactions two threads may insert the same row.
        .arg("--mysql-ignore-errors=1062,1213,1020,1205")
        .args(action)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    command
}

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn sysbench_and_a_kill() {
    if !oracle_present() {
        return;
    }
    if Command::new("sysbench").arg("--version").output().is_err() {
        eprintln!("NOTICE: sysbench is not installed, the kills under its load did not run");
        return;
    }
    let rounds = rounds();
    let dir = scratch("kill-sysbench");
    let datadir = dir.join("data");
    let mut logs = vec![Log::default(); WRITERS as usize];
    let mut peer = Peer::isambard_on(&datadir, &settings(0));
    peer.keep();
    create(&peer);
    peer.connect("").query_drop("CREATE DATABASE sbtest").expect("database");
    let prepared = sysbench(&peer, "oltp_read_write", &["prepare"]).status().expect("run sysbench");
    assert!(prepared.success(), "sysbench prepare");
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut acknowledged, mut least) = (0, BENCH_ROWS * BENCH_TABLES);
    for round in 0..rounds {
        let script = if round % 2 == 0 { "oltp_read_write" } else { "oltp_write_only" };
        let mut load =
            sysbench(&peer, script, &["--threads=4", "--time=60", "run"]).spawn().expect("sysbench");
        let stop = AtomicBool::new(false);
        let mut conn = peer.connect("sbtest");
        let mut sum = || -> Option<String> {
            conn.query_first("SELECT CONCAT(SUM(k), ' ', COUNT(*)) FROM sbtest1").expect("sum")
        };
        // The load has begun when rows change.
        let before = sum();
        let patience = std::time::Instant::now();
        while sum() == before {
            assert!(patience.elapsed() < Duration::from_secs(30), "sysbench changes nothing");
            std::thread::sleep(Duration::from_millis(5));
        }
        logs = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..WRITERS)
                .map(|w| {
                    let (log, peer, stop) = (logs[w as usize].clone(), &peer, &stop);
                    scope.spawn(move || write(peer, w, round, log, stop))
                })
                .collect();
            std::thread::sleep(Duration::from_millis(rng.u64(50..900)));
            assert!(load.try_wait().expect("sysbench").is_none(), "sysbench ended before the kill");
            let pid = peer.pid().to_string();
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
            threads.into_iter().map(|t| t.join().expect("writer")).collect()
        });
        peer.kill();
        // It ends with its connections.
        let _ = load.wait();
        peer = Peer::isambard_on(&datadir, &settings(round + 1));
        peer.keep();
        acknowledged += logs.iter().map(|l| l.rows.len() as u64).sum::<u64>();
        verify(&peer, &mut logs);
        let mut conn = peer.connect("sbtest");
        let mut rows = 0;
        for t in 1..=BENCH_TABLES {
            let found: Vec<(String, String, String, String)> =
                conn.query(format!("CHECK TABLE sbtest{t} EXTENDED")).expect("check table");
            assert!(found.iter().all(|r| r.3 == "OK"), "round {round}: CHECK TABLE: {found:?}");
            // Each statement of the load is there whole or not at all: by scan and by key the same.
            let counts: Option<(u64, u64, u64)> = conn
                .query_first(format!(
                    "SELECT COUNT(*), (SELECT COUNT(*) FROM sbtest{t} FORCE INDEX (k_{t}) WHERE k >= 0), \
                     COUNT(DISTINCT id) FROM sbtest{t} USE INDEX ()"
                ))
                .expect("counts");
            let (scan, key, ids) = counts.expect("a row");
            assert!(
                scan == key && scan == ids,
                "round {round}, sbtest{t}: {scan} rows, {key} by key, {ids} ids"
            );
            rows += scan;
        }
        // A thread deletes a row and inserts it again: of each thread and kill one may be missing.
        least = least.min(rows);
        assert!(rows + 4 * (round + 1) >= BENCH_ROWS * BENCH_TABLES, "round {round}: {rows} rows");
    }
    peer.stop();
    for t in 0..TABLES {
        let said = myisamchk(&datadir.join(format!("k/k{t}.MYI")));
        assert!(said.is_empty(), "myisamchk -e after a clean stop, k{t}: {said}");
    }
    for t in 1..=BENCH_TABLES {
        let said = myisamchk(&datadir.join(format!("sbtest/sbtest{t}.MYI")));
        assert!(said.is_empty(), "myisamchk -e after a clean stop, sbtest{t}: {said}");
    }
    println!(
        "{rounds} kills under sysbench survived; {acknowledged} own rows looked for, at least {least} of sysbench there"
    );
    let _ = std::fs::remove_dir_all(&dir);
}

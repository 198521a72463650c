//! Readers beside writers: a reader keeps the rows of its start, and nobody waits for anybody.

use isambard_tests::peers::Peer;
use mysql::prelude::Queryable;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Enough to be well beyond every buffer between server and client.
const ROWS: u64 = if cfg!(debug_assertions) { 100_000 } else { 200_000 };

fn server() -> Peer {
    let peer = Peer::isambard(&[]);
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE r").expect("database");
    conn.query_drop("USE r").expect("use");
    for (name, format) in [("fixed", "FIXED"), ("packed", "DYNAMIC")] {
        conn.query_drop(format!(
            "CREATE TABLE {name} (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, v int NOT NULL, pad varchar(40) NOT NULL) \
             ENGINE=MyISAM ROW_FORMAT={format}"
        ))
        .expect("table");
    }
    let mut id = 0;
    while id < ROWS {
        let rows: Vec<String> = (0..2_000).map(|i| format!("(0,'row {}')", id + i)).collect();
        id += 2_000;
        conn.query_drop(format!("INSERT INTO fixed (v, pad) VALUES {}", rows.join(","))).expect("rows");
    }
    conn.query_drop("INSERT INTO packed SELECT * FROM fixed").expect("copy");
    peer
}

/// Peak memory of a process in KiB.
fn peak_memory(peer: &Peer) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", peer.pid())).expect("status");
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).expect("VmHWM");
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number")
}

/// The reader takes a few rows and pauses; everything a writer can do happens in the pause.
#[test]
fn a_reader_keeps_its_rows_while_writers_finish() {
    let peer = server();
    for table in ["fixed", "packed"] {
        for order in ["", " ORDER BY id", " ORDER BY id DESC"] {
            let mut one = peer.connect("r");
            let base: i64 =
                one.query_first(format!("SELECT MIN(v) FROM {table}")).expect("read").expect("row");
            let mut reader = peer.connect("r");
            let hint = if order.is_empty() { "" } else { " FORCE INDEX (PRIMARY)" };
            let sql = format!("SELECT id, v, pad FROM {table}{hint}{order}");
            let mut rows = reader.query_iter(&sql).expect("select");
            let mut seen = HashSet::new();
            let mut take = |row: mysql::Result<mysql::Row>| {
                let (id, v, pad): (u64, i64, String) = mysql::from_row(row.expect("row"));
                assert_eq!(v, base, "{sql}: row {id} is of a later moment");
                assert_eq!(pad, format!("row {}", id - 1), "{sql}");
                assert!(seen.insert(id), "{sql}: row {id} twice");
            };
            for row in rows.by_ref().take(500) {
                take(row);
            }
            // while the reader is in the middle: every row changed, some removed, some added
            let mut writer = peer.connect("r");
            let start = Instant::now();
            writer.query_drop(format!("UPDATE {table} SET v = v + 1")).expect("update");
            let took = start.elapsed();
            assert_eq!(writer.affected_rows(), ROWS);
            writer
                .query_drop(format!("UPDATE {table} SET v = v + 1, pad = CONCAT(pad, ' changed')"))
                .expect("update");
            writer.query_drop(format!("DELETE FROM {table} WHERE id % 3 = 0")).expect("delete");
            writer
                .query_drop(format!("INSERT INTO {table} (v, pad) VALUES (7, 'new'), (8, 'new')"))
                .expect("insert");
            let now: (u64, i64) = one
                .query_first(format!("SELECT COUNT(*), MIN(v) FROM {table} WHERE pad LIKE '% changed'"))
                .expect("read")
                .expect("row");
            assert_eq!(now, (ROWS - ROWS / 3, base + 2), "what others see");
            // the reader goes on with what it had
            for row in rows {
                take(row);
            }
            assert_eq!(seen.len() as u64, ROWS, "{sql}");
            println!("{sql}: UPDATE of {ROWS} rows in {took:?} beside the reader");
            // back to the beginning for the next order
            writer.query_drop(format!("DELETE FROM {table} WHERE pad = 'new'")).expect("delete");
            writer
                .query_drop(format!("UPDATE {table} SET pad = SUBSTRING_INDEX(pad, ' ', 2)"))
                .expect("update");
            writer
                .query_drop(format!(
                    "INSERT INTO {table} SELECT id + 1, v, CONCAT('row ', id) FROM {table} WHERE id % 3 = 2 AND id < {ROWS}"
                ))
                .expect("insert");
        }
    }
    let peak = peak_memory(&peer);
    println!("peak memory {} MiB", peak / 1024);
    assert!(peak < 700 * 1024, "the server took {} MiB for tables of 10 MB", peak / 1024);
}

/// Emptying a table starts a new generation of its files: a reader of the old one reads on.
#[test]
fn a_reader_keeps_its_rows_while_the_table_is_emptied() {
    let peer = server();
    for table in ["fixed", "packed"] {
        let mut reader = peer.connect("r");
        let mut rows = reader.query_iter(format!("SELECT id, v, pad FROM {table}")).expect("select");
        for row in rows.by_ref().take(10) {
            row.expect("row");
        }
        let mut writer = peer.connect("r");
        writer.query_drop(format!("DELETE FROM {table}")).expect("delete all");
        writer.query_drop(format!("INSERT INTO {table} VALUES (1, 99, 'other')")).expect("insert");
        let count: Option<u64> = writer.query_first(format!("SELECT COUNT(*) FROM {table}")).expect("count");
        assert_eq!(count, Some(1));
        let mut left = 0;
        for row in rows {
            let (_, v, _): (u64, i64, String) = mysql::from_row(row.expect("row"));
            assert_eq!(v, 0);
            left += 1;
        }
        assert_eq!(left, ROWS - 10);
    }
}

/// Statements that begin while an UPDATE runs see all of it or nothing, at once.
#[test]
fn a_running_update_is_seen_whole_or_not_at_all_and_stops_no_reader() {
    let peer = server();
    for table in ["fixed", "packed"] {
        let running = AtomicBool::new(true);
        let (mut updates, mut points, mut scans) = (Duration::ZERO, Vec::new(), 0_u32);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut conn = peer.connect("r");
                let mut shortest = Duration::MAX;
                for _ in 0..4 {
                    let start = Instant::now();
                    conn.query_drop(format!("UPDATE {table} SET v = v + 1")).expect("update");
                    shortest = shortest.min(start.elapsed());
                }
                running.store(false, Ordering::Relaxed);
                shortest
            });
            let scanner = scope.spawn(|| {
                let mut conn = peer.connect("r");
                let mut n = 0;
                while running.load(Ordering::Relaxed) {
                    let (count, low, high, sum): (u64, i64, i64, i64) = conn
                        .query_first(format!("SELECT COUNT(*), MIN(v), MAX(v), SUM(v) FROM {table}"))
                        .expect("scan")
                        .expect("row");
                    assert_eq!((count, low, sum), (ROWS, high, ROWS as i64 * low), "half an UPDATE was seen");
                    n += 1;
                }
                n
            });
            let pointer = scope.spawn(|| {
                let mut conn = peer.connect("r");
                let mut times = Vec::new();
                let mut last = 0;
                while running.load(Ordering::Relaxed) {
                    let start = Instant::now();
                    let (a, b): (i64, i64) = conn
                        .query_first(format!(
                            "SELECT a.v, b.v FROM {table} a, {table} b WHERE a.id = 1 AND b.id = {ROWS}"
                        ))
                        .expect("look-up")
                        .expect("row");
                    times.push(start.elapsed());
                    assert_eq!(a, b, "two rows of one statement are of two moments");
                    assert!(a >= last, "time went backwards");
                    last = a;
                }
                times
            });
            updates = writer.join().expect("writer");
            scans = scanner.join().expect("scanner");
            points = pointer.join().expect("pointer");
        });
        points.sort_unstable();
        let typical = points[points.len() / 2];
        println!(
            "{table}: UPDATE {updates:?} at least; {scans} scans; {} look-ups, {typical:?} typical, {:?} longest",
            points.len(),
            points[points.len() - 1]
        );
        assert!(points.len() > 40, "{} look-ups during four UPDATEs", points.len());
        assert!(typical * 4 < updates, "look-ups wait for UPDATEs: {typical:?} of {updates:?}");
        assert!(scans >= 2);
    }
}

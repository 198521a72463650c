//! Definitions, locks, updates, exchanges of names and KILL side by side: nobody waits for longer than `lock_wait_timeout`, KILL ends
//! everything, and the tables are whole afterwards.
//!
//! Two minutes, an hour with `ISAMBARD_SOAK`; `ISAMBARD_SECONDS` says otherwise, `ISAMBARD_SEED` chooses the statements.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use isambard_tests::peers::Peer;
use mysql::prelude::Queryable;

const TABLES: u8 = 5;
/// `lock_wait_timeout` in seconds.
const TIMEOUT: u64 = 10;
/// What a statement itself takes on a busy machine, debug build included.
const SLACK: Duration = Duration::from_secs(15);
/// KILL must have ended a statement by then.
const KILLED: Duration = Duration::from_secs(2);

pub(crate) struct World {
    peer: Peer,
    /// Errors beyond [`EXPECTED`].
    expected: &'static [u16],
    over: AtomicBool,
    statements: AtomicU64,
    kills: AtomicU64,
    slowest: Mutex<BTreeMap<String, Duration>>,
    faults: Mutex<Vec<String>>,
}

/// Errors that statements beside others may meet.
const EXPECTED: &[u16] = &[
    1020, 1050, 1051, 1054, 1060, 1061, 1062, 1072, 1091, 1094, 1099, 1100, 1136, 1146, 1205, 1213, 1223,
    1317, 1412, 1615, 1927,
];

/// Statements that belong together, one after the other.
pub(crate) type Next = fn(&mut fastrand::Rng) -> Vec<String>;

impl World {
    fn fault(&self, text: String) {
        self.faults.lock().expect("no panic").push(text);
    }

    fn run(&self, next: Next, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut conn = self.connect();
        while !self.over.load(Ordering::Relaxed) {
            if rng.u8(..) == 0 {
                conn = self.connect();
            }
            for sql in next(&mut rng) {
                let begun = Instant::now();
                let result = conn.query_drop(&sql);
                let took = begun.elapsed();
                self.statements.fetch_add(1, Ordering::Relaxed);
                let kind = sql.split(' ').take(2).collect::<Vec<_>>().join(" ");
                let mut slowest = self.slowest.lock().expect("no panic");
                let most = slowest.entry(kind).or_default();
                *most = took.max(*most);
                drop(slowest);
                if took > Duration::from_secs(TIMEOUT) + SLACK {
                    self.fault(format!("{sql} took {took:?}"));
                }
                match result {
                    Ok(()) => {}
                    Err(mysql::Error::MySqlError(e))
                        if EXPECTED.contains(&e.code) || self.expected.contains(&e.code) =>
                    {
                        if e.code == 1927 {
                            conn = self.connect();
                        }
                    }
                    Err(mysql::Error::MySqlError(e)) => self.fault(format!("{sql}: {e}")),
                    // Killed.
                    Err(mysql::Error::IoError(_)) => conn = self.connect(),
                    Err(e) => {
                        let gone =
                            matches!(&e, mysql::Error::CodecError(e) if e.to_string().contains("IO error"));
                        if !gone {
                            self.fault(format!("{sql}: {e}"));
                        }
                        conn = self.connect();
                    }
                }
            }
        }
    }

    fn connect(&self) -> mysql::Conn {
        let mut conn = self.peer.connect("s");
        // A KILL may be quick.
        let _ = conn.query_drop(format!("SET lock_wait_timeout = {TIMEOUT}"));
        conn
    }

    /// Kills statements and connections, and sees to it that they end.
    fn kill(&self, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut conn = self.peer.connect("");
        while !self.over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(rng.u64(20..120)));
            let list: Vec<(u64, String, i64)> = conn
                .query(
                    "SELECT ID, INFO, QUERY_ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Query' AND INFO IS \
                     NOT NULL AND ID <> CONNECTION_ID()",
                )
                .expect("the list of processes");
            if list.is_empty() {
                continue;
            }
            let (id, ..) = list[rng.usize(0..list.len())];
            let what = if rng.u8(0..4) == 0 { "CONNECTION" } else { "QUERY" };
            // It may have ended.
            if conn.query_drop(format!("KILL {what} {id}")).is_err() {
                continue;
            }
            self.kills.fetch_add(1, Ordering::Relaxed);
            let begun = Instant::now();
            let still = format!(
                "SELECT INFO, TIME_MS, STATE FROM information_schema.PROCESSLIST WHERE ID = {id} AND COMMAND <> 'Sleep' AND \
                 TIME_MS > {}",
                KILLED.as_millis()
            );
            std::thread::sleep(Duration::from_millis(50));
            while begun.elapsed() < KILLED + Duration::from_millis(300) {
                let there: Option<(Option<String>, f64, String)> =
                    conn.query_first(&still).expect("the list of processes");
                match there {
                    None => break,
                    // Older than the KILL: it has not ended.
                    Some((sql, ms, state))
                        if begun.elapsed() > KILLED && ms > begun.elapsed().as_millis() as f64 =>
                    {
                        self.fault(format!(
                            "KILL {what} did not end {sql:?} ({state}) in {:?}",
                            begun.elapsed()
                        ));
                        break;
                    }
                    Some(_) => std::thread::sleep(Duration::from_millis(50)),
                }
            }
        }
    }
}

fn create(n: u8) -> String {
    let rest = match n % 3 {
        0 => "c VARCHAR(80), d TEXT, KEY k (k), KEY c (c)) ENGINE=MyISAM",
        1 => "c CHAR(80), d CHAR(20), KEY k (k)) ENGINE=MyISAM CHECKSUM=1",
        _ => {
            "c VARCHAR(80) CHARACTER SET utf8mb4, d BLOB, UNIQUE KEY u (k, id), KEY c (c, k)) PACK_KEYS=1 ENGINE=MyISAM"
        }
    };
    format!("CREATE TABLE IF NOT EXISTS t{n} (id INT AUTO_INCREMENT PRIMARY KEY, k INT, {rest}")
}

fn rows(rng: &mut fastrand::Rng) -> Vec<String> {
    let (t, u, n) = (rng.u8(0..TABLES), rng.u8(0..TABLES), rng.u32(0..3000));
    let end = n + 100;
    vec![match rng.u8(0..19) {
        0..4 => {
            let values: Vec<String> =
                (0..rng.u32(1..40)).map(|i| format!("({}, 'row {i} of {n}', 'x')", n + i)).collect();
            format!("INSERT INTO t{t} (k, c, d) VALUES {}", values.join(", "))
        }
        4 | 5 => format!("SELECT COUNT(*), SUM(k), MAX(c) FROM t{t} WHERE k BETWEEN {n} AND {end}"),
        6 => format!("SELECT c, COUNT(*) n FROM t{t} GROUP BY c ORDER BY n DESC, c LIMIT 20"),
        7 => format!("SELECT a.id, b.id FROM t{t} a JOIN t{u} b ON a.k = b.k WHERE a.k < {n} LIMIT 300"),
        8 | 9 => {
            format!("UPDATE t{t} SET c = CONCAT(LEFT(c, 50), 'q'), k = k + 1 WHERE k BETWEEN {n} AND {end}")
        }
        10 | 11 => format!("DELETE FROM t{t} WHERE k BETWEEN {n} AND {end}"),
        12 => format!("DELETE a, b FROM t{t} a JOIN t{u} b ON a.id = b.id WHERE a.k < {}", n / 10),
        13 => format!("UPDATE t{t} a JOIN t{u} b ON a.id = b.id SET a.k = b.k, b.c = a.c WHERE a.id < {n}"),
        14 => format!("INSERT INTO t{t} (k, c, d) SELECT k, c, d FROM t{u} WHERE k < {n} LIMIT 200"),
        15 => format!("CHECKSUM TABLE t{t}, t{u}"),
        16 => format!("DELETE FROM t{t} WHERE id % 2 = 0"),
        17 => "SELECT table_name, table_rows FROM information_schema.tables WHERE table_schema = 's'".into(),
        _ => format!(
            "INSERT INTO t{t} (k, c) SELECT table_rows, table_name FROM information_schema.tables WHERE table_schema = 's'"
        ),
    }]
}

fn definitions(rng: &mut fastrand::Rng) -> Vec<String> {
    let (t, u, z) = (rng.u8(0..TABLES), rng.u8(0..TABLES), rng.u8(0..3));
    let wait = ["", "", "", " WAIT 1", " NOWAIT"][rng.usize(0..5)];
    vec![match rng.u8(0..18) {
        0 => format!("ALTER TABLE t{t}{wait} ADD COLUMN z{z} INT DEFAULT 5"),
        1 => format!("ALTER TABLE t{t}{wait} DROP COLUMN z{z}"),
        2 => format!("ALTER TABLE t{t} ADD KEY zz (k, c(10))"),
        3 => format!("ALTER TABLE t{t} DROP KEY zz"),
        4 => format!("TRUNCATE TABLE t{t}{wait}"),
        5 => format!("OPTIMIZE TABLE t{t}{wait}"),
        6 => format!("REPAIR TABLE t{t}"),
        7 => format!("DROP TABLE IF EXISTS t{t}{wait}"),
        8..11 => create(t),
        11 | 12 if t != u => format!("RENAME TABLE t{t} TO exchange, t{u} TO t{t}, exchange TO t{u}"),
        13 => format!("CHECK TABLE t{t} EXTENDED"),
        14 => format!("FLUSH TABLES t{t}"),
        15 => format!("CREATE OR REPLACE TABLE c{t} SELECT * FROM t{u}"),
        16 => "FLUSH TABLES".into(),
        _ => format!("ANALYZE TABLE t{t}, t{u}"),
    }]
}

fn locks(rng: &mut fastrand::Rng) -> Vec<String> {
    let (t, u) = (rng.u8(0..TABLES), rng.u8(0..TABLES));
    let mut list: Vec<String> = match rng.u8(0..8) {
        0 => vec!["FLUSH TABLES WITH READ LOCK".into(), format!("SELECT COUNT(*) FROM t{t}")],
        1 => vec![format!("FLUSH TABLES t{t} WITH READ LOCK")],
        2 if t != u => vec![
            format!("LOCK TABLES t{t} WRITE, t{u} READ"),
            format!("INSERT INTO t{t} (k) SELECT k FROM t{u} LIMIT 5"),
        ],
        3 => vec![format!("LOCK TABLES t{t} WRITE"), format!("ALTER TABLE t{t} DISABLE KEYS")],
        4 => vec![
            format!("LOCK TABLES t{t} WRITE"),
            format!("OPTIMIZE TABLE t{t}"),
            format!("ALTER TABLE t{t} FORCE"),
        ],
        5 => vec![
            format!("LOCK TABLES t{t} WRITE"),
            format!("TRUNCATE TABLE t{t}"),
            format!("DROP TABLE t{t}"),
        ],
        6 => vec![format!("LOCK TABLES t{t} READ LOCAL"), format!("SELECT COUNT(*) FROM t{t}")],
        _ => vec![
            format!("LOCK TABLES t{t} WRITE"),
            "DO GET_LOCK('one', 3)".into(),
            format!("INSERT INTO t{t} (k) VALUES (1)"),
        ],
    };
    list.push("DO SLEEP(0.01)".into());
    list.push("UNLOCK TABLES".into());
    list.push("DO RELEASE_ALL_LOCKS()".into());
    list
}

fn named(rng: &mut fastrand::Rng) -> Vec<String> {
    let (one, other) = if rng.bool() { ("one", "two") } else { ("two", "one") };
    let t = rng.u8(0..TABLES);
    vec![
        format!("DO GET_LOCK('{one}', 5)"),
        format!("INSERT INTO t{t} (k) VALUES ({t})"),
        format!("DO GET_LOCK('{other}', 5)"),
        "DO RELEASE_ALL_LOCKS()".into(),
    ]
}

#[test]
fn nobody_waits_for_ever() {
    let create: Vec<String> = (0..TABLES).map(create).collect();
    let mut sessions: Vec<Next> = vec![rows; 7];
    sessions.extend([definitions as Next; 3]);
    sessions.extend([locks as Next, named, named]);
    let mut peer = side_by_side(&create, &sessions, &[], 45);
    stop_amid_waits(&mut peer);
}

/// Runs sessions side by side, and one that kills; then looks whether all is whole. Gives the server.
pub(crate) fn side_by_side(
    create: &[String],
    sessions: &[Next],
    expected: &'static [u16],
    seconds: u64,
) -> Peer {
    let number = |name: &str| std::env::var(name).ok().and_then(|s| s.parse::<u64>().ok());
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    let seconds = number("ISAMBARD_SECONDS").unwrap_or(if soak { 3600 } else { seconds });
    let seed = number("ISAMBARD_SEED").unwrap_or(1);
    let peer = Peer::isambard(&["--set", "journal_size=8M", "--set", "statement_memory=262144"]);
    let mut root = peer.connect("");
    root.query_drop("CREATE DATABASE s").expect("database");
    root.query_drop("USE s").expect("database");
    create.iter().for_each(|sql| root.query_drop(sql).expect("table"));
    let world = World {
        peer,
        expected,
        over: AtomicBool::new(false),
        statements: AtomicU64::new(0),
        kills: AtomicU64::new(0),
        slowest: Mutex::default(),
        faults: Mutex::default(),
    };
    std::thread::scope(|scope| {
        let world = &world;
        for (n, next) in (0..).zip(sessions) {
            scope.spawn(move || world.run(*next, seed * 100 + n));
        }
        scope.spawn(move || world.kill(seed * 100 + sessions.len() as u64));
        std::thread::sleep(Duration::from_secs(seconds));
        world.over.store(true, Ordering::Relaxed);
    });
    let slowest = world.slowest.lock().expect("no panic").clone();
    eprintln!(
        "{} statements, {} kills",
        world.statements.load(Ordering::Relaxed),
        world.kills.load(Ordering::Relaxed)
    );
    let mut slowest: Vec<_> = slowest.into_iter().collect();
    slowest.sort_by_key(|(_, took)| std::cmp::Reverse(*took));
    eprintln!("slowest {:?}", &slowest[..slowest.len().min(8)]);
    // Whatever is made, dropped and exchanged under load is no fault of the server.
    let log = std::fs::read_to_string(world.peer.socket.with_file_name("err")).expect("the log");
    assert!(log.contains("[Note]"), "what does the log look like? {log}");
    log.lines().filter(|line| line.contains("[ERROR]")).for_each(|line| world.fault(line.to_owned()));
    // views are whole when their tables are there
    create.iter().for_each(|sql| drop(root.query_drop(sql)));
    let tables: Vec<String> = root.query("SHOW TABLES").unwrap_or_else(|e| {
        panic!("{e}: {:#?}", world.faults.lock().expect("no panic"));
    });
    for table in tables {
        let found: Vec<(String, String, String, String)> =
            root.query(format!("CHECK TABLE {table} EXTENDED")).expect("check");
        if found.last().is_none_or(|row| row.3 != "OK") {
            world.fault(format!("{found:?}"));
        }
    }
    let World { peer, faults, statements, .. } = world;
    assert!(faults.lock().expect("no panic").is_empty(), "{:#?}", faults.lock().expect("no panic"));
    assert!(statements.load(Ordering::Relaxed) > seconds, "hardly anything was done");
    peer
}

#[test]
fn a_stop_lets_no_statement_through() {
    for _ in 0..5 {
        let mut peer = Peer::isambard(&[]);
        peer.connect("").query_drop("CREATE DATABASE s").expect("database");
        stop_amid_waits(&mut peer);
    }
}

/// SIGTERM while everybody waits for somebody.
fn stop_amid_waits(peer: &mut Peer) {
    let mut holder = peer.connect("s");
    holder.query_drop("CREATE OR REPLACE TABLE held (a INT)").expect("table");
    holder.query_drop("DO GET_LOCK('one', 0)").expect("lock");
    holder.query_drop("LOCK TABLES held WRITE").expect("lock");
    let waiters: Vec<_> = [
        "ALTER TABLE held ADD b INT",
        "SELECT * FROM held",
        "INSERT INTO held VALUES (1)",
        "LOCK TABLES held READ",
        "SELECT GET_LOCK('one', 1000)",
        "SELECT SLEEP(1000)",
        "FLUSH TABLES WITH READ LOCK",
        "DROP DATABASE s",
    ]
    .into_iter()
    .map(|sql| {
        let mut conn = peer.connect("s");
        // With its rows: a statement may fail behind its headings.
        std::thread::spawn(move || (sql, conn.query::<mysql::Row, _>(sql).is_err()))
    })
    .collect();
    std::thread::sleep(Duration::from_millis(500));
    let begun = Instant::now();
    peer.stop();
    assert!(begun.elapsed() < Duration::from_secs(10), "stopped after {:?}", begun.elapsed());
    for waiter in waiters {
        let (sql, failed) = waiter.join().expect("ends");
        assert!(failed, "went on when the others had been stopped: {sql}");
    }
}

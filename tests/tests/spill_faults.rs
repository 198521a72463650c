//! Statements that go to disk, on several threads, and what happens to them: a `tmpdir` that is full, removed or read-only; KILL, the
//! clock and clients that leave at random moments. Each gives its error, nothing is left of it, and the server answers.
//!
//! `ISAMBARD_SOAK` stops 1,000 statements instead of 150.

#[allow(dead_code)]
#[path = "waiting/client.rs"]
mod client;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use client::Client;
use isambard_tests::peers::{Peer, scratch};
use mysql::prelude::Queryable;

/// Statements that hold more than their memory, each in another place.
const STATEMENTS: [&str; 16] = [
    "select s, count(*), sum(i) from n group by s",
    "select s, group_concat(i order by i) from n group by s",
    "select i, s from n order by s desc, i",
    "select distinct s, i from n",
    "select s from n union select concat(s, 'x') from n",
    "select s, i from n where i % 2 except select s, i from n where i % 3",
    "select s, i from n where i % 2 intersect select s, i from n where i % 3",
    "select count(distinct s, i) from n",
    "select count(*), max(b.s) from n a join n b on a.g = b.g",
    "select count(*), max(b.s) from n a left join n b on a.g = b.g and b.s > 'Name 5'",
    "select count(*) from (select i, s, g from n limit 1000000) q where g in (select i from n where s > 'Name 2')",
    "create table made select s, count(*) c from n group by s",
    "insert into kept select i, s, g from (select i, s, g from n order by s limit 1000000) q",
    // entries of keys that are sorted
    "insert into keyed select i * 7919 % 100003, s, g from n",
    "alter table n add key (s), add key (g, s)",
    "update kept a join (select s, max(i) m from n group by s) b on a.s = b.s set a.i = b.m",
];

/// So many of the last of them change tables.
const CHANGES: usize = 5;

const LIMITS: &str = "SET tmp_memory_table_size = 16384, max_heap_table_size = 16384, sort_buffer_size = 16384, join_buffer_size = 16384, myisam_sort_buffer_size = 4096";

fn fill(conn: &mut mysql::Conn, rows: u32) {
    for sql in [
        "create database d".to_owned(),
        "use d".to_owned(),
        "create table n (i int not null auto_increment primary key, s varchar(200), g int) engine=myisam"
            .to_owned(),
        format!(
            "insert into n select seq, concat('Name ', seq * 7919 % 100003, repeat('x', seq % 60)), seq * 7 % {rows} from seq_1_to_{rows}"
        ),
        "create table kept (i int, s varchar(200), g int, key (s)) engine=myisam".to_owned(),
        "insert into kept select * from n where i % 50 = 0".to_owned(),
        "create table keyed (i int primary key, s varchar(200), g int, key (s), key (g)) engine=myisam"
            .to_owned(),
    ] {
        conn.query_drop(&sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    }
}

/// What is in the tables that statements may change.
fn state(conn: &mut mysql::Conn) -> (Vec<String>, Option<(u64, u64, u64)>) {
    let tables = conn.query("show tables").expect("tables");
    let rows = "select count(*), sum(i), (select count(*) from keyed) from kept";
    (tables, conn.query_first(rows).expect("the rows"))
}

/// Open files of a process that lie in a folder, or did.
fn open_in(pid: u32, dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("its files");
    entries
        .flatten()
        .filter_map(|e| std::fs::read_link(e.path()).ok())
        .filter(|p| p.starts_with(dir))
        .collect()
}

/// A number of `/proc/PID/status`.
fn status(pid: u32, name: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("its status");
    let line = text.lines().find(|l| l.starts_with(name)).expect("a number");
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number")
}

/// Waits until something is so.
fn wait(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn mount(dir: &Path, options: &str) -> bool {
    let made = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(dir).output();
    made.is_ok_and(|o| o.status.success())
}

/// A folder whose file system is its own; gone at the end.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Runs a statement to the last of its rows: an error may come behind some of them.
fn run(conn: &mut mysql::Conn, sql: &str) -> Result<(), mysql::Error> {
    let rows = conn.query_iter(sql)?;
    rows.into_iter().try_for_each(|row| row.map(drop))
}

/// Runs all statements on one and three threads; each must fail with an error of these numbers, or (`may_fit`) succeed.
fn all_fail(conn: &mut mysql::Conn, what: &str, errors: &[u16], may_fit: bool) {
    let before = state(conn);
    let mut failed = 0;
    for threads in [1, 3] {
        conn.query_drop(format!("SET isambard_threads = {threads}")).expect("threads");
        for sql in STATEMENTS {
            match run(conn, sql) {
                Err(mysql::Error::MySqlError(e)) if errors.contains(&e.code) => failed += 1,
                // what it changed is not what is looked at here
                Ok(()) if may_fit && sql.starts_with("select") => {}
                other => panic!("{what}, {threads} threads: {sql}: {other:?}"),
            }
        }
    }
    assert!(failed > STATEMENTS.len(), "{what}: {failed} failed");
    assert_eq!(state(conn), before, "{what}: nothing is changed");
}

#[test]
fn a_folder_that_takes_no_files_is_an_error_of_the_statement() {
    let dir = scratch("spill-faults");
    let tmp = dir.join("tmp");
    std::fs::create_dir(&tmp).expect("a folder");
    let peer = Peer::isambard(&["--set", &format!("tmpdir={}", tmp.display())]);
    let mut conn = peer.connect("");
    fill(&mut conn, 20_000);
    conn.query_drop(LIMITS).expect("limits");
    std::fs::remove_dir(&tmp).expect("the folder is empty");
    all_fail(&mut conn, "removed", &[1, 1030], false);
    std::fs::create_dir(&tmp).expect("a folder");
    if mount(&tmp, "size=160k") {
        let mounted = Mounted(tmp.clone());
        all_fail(&mut conn, "full", &[1021], true);
        assert_eq!(open_in(peer.pid(), &tmp), [] as [PathBuf; 0]);
        let done = Command::new("mount").args(["-o", "remount,ro"]).arg(&tmp).output().expect("mount");
        assert!(done.status.success(), "{done:?}");
        all_fail(&mut conn, "read-only", &[1, 1030], false);
        drop(mounted);
    } else {
        eprintln!("only root may mount a file system: a full and a read-only one are not tested");
    }
    assert_eq!(open_in(peer.pid(), &tmp), [] as [PathBuf; 0]);
    // the folder is there again
    for sql in STATEMENTS {
        run(&mut conn, sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    }
    assert_eq!(open_in(peer.pid(), &tmp), [] as [PathBuf; 0]);
    assert_eq!(std::fs::read_dir(&tmp).expect("tmpdir").count(), 0, "nothing has a name");
    drop(peer);
    let _ = std::fs::remove_dir_all(dir);
}

/// What ended a statement, and how often.
type Ends = BTreeMap<String, usize>;

/// Runs statements that are stopped, until `left` are done.
fn stopped_client(peer: &Peer, seed: u64, left: &AtomicUsize, files: &AtomicU64) -> Ends {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut ends = Ends::new();
    let mut root = peer.connect("d");
    let begin = |rng: &mut fastrand::Rng| {
        let mut conn = peer.connect("d");
        conn.query_drop(LIMITS).expect("limits");
        conn.query_drop(format!("SET isambard_threads = {}", rng.u32(1..5))).expect("threads");
        conn
    };
    let mut conn = begin(&mut rng);
    while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok() {
        let id = conn.connection_id();
        // the last ones change what all connections share
        let sql = STATEMENTS[rng.usize(0..STATEMENTS.len() - CHANGES)];
        let moment = Duration::from_micros(rng.u64(0..250_000));
        let way = rng.u8(0..4);
        if way == 0 {
            let seconds = moment.as_secs_f64().max(0.000_001);
            let sql = format!("SET STATEMENT max_statement_time = {seconds:.6} FOR {sql}");
            *ends.entry(format!("clock {}", end_of(run(&mut conn, &sql)))).or_default() += 1;
            continue;
        }
        if way == 1 {
            // one that goes away: its socket is closed while the server works
            let mut gone = Client::new(peer, "d");
            gone.run(LIMITS);
            gone.run(&format!("SET isambard_threads = {}", rng.u32(1..5)));
            gone.ask(sql);
            std::thread::sleep(moment);
            gone.leave();
            *ends.entry("left".into()).or_default() += 1;
            continue;
        }
        let kill = format!("KILL {} {id}", if way == 2 { "QUERY" } else { "CONNECTION" });
        let end = std::thread::scope(|scope| {
            let killer = scope.spawn(|| {
                std::thread::sleep(moment);
                // a connection may just have ended
                let _ = root.query_drop(kill);
            });
            let end = end_of(run(&mut conn, sql));
            killer.join().expect("killer");
            end
        });
        *ends.entry(format!("{} {end}", if way == 2 { "query" } else { "connection" })).or_default() += 1;
        if way == 3 {
            conn = begin(&mut rng);
        } else {
            // a KILL that came late is for the next statement
            let _ = conn.query_drop("DO 0");
        }
        let made: Option<(String, u64)> =
            conn.query_first("SHOW GLOBAL STATUS LIKE 'Created_tmp_files'").expect("a counter");
        files.fetch_max(made.map_or(0, |m| m.1), Ordering::Relaxed);
    }
    ends
}

fn end_of(result: Result<(), mysql::Error>) -> String {
    match result {
        Ok(()) => "done".into(),
        Err(mysql::Error::MySqlError(e)) => e.code.to_string(),
        // its connection was closed
        Err(_) => "closed".into(),
    }
}

#[test]
fn statements_that_spill_on_threads_are_stopped_at_any_moment() {
    let dir = scratch("spill-kills");
    let tmp = dir.join("tmp");
    std::fs::create_dir(&tmp).expect("a folder");
    let peer = Peer::isambard(&["--set", &format!("tmpdir={}", tmp.display())]);
    let mut conn = peer.connect("");
    fill(&mut conn, 30_000);
    conn.query_drop(LIMITS).expect("limits");
    let one = |conn: &mut mysql::Conn, threads: u32| {
        conn.query_drop(format!("SET isambard_threads = {threads}")).expect("threads");
        for sql in &STATEMENTS[..STATEMENTS.len() - CHANGES] {
            run(conn, sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
        }
    };
    let pid = peer.pid();
    let total = if std::env::var_os("ISAMBARD_SOAK").is_some() { 1_000 } else { 150 };
    let (files, mut ends) = (AtomicU64::new(0), Ends::new());
    let mut before = None;
    // the first round is for what a server takes once and keeps
    for (round, count) in [(0, total / 3), (1, total)] {
        let left = AtomicUsize::new(count);
        std::thread::scope(|scope| {
            let clients: Vec<_> = (0..4)
                .map(|n| {
                    let (peer, left, files) = (&peer, &left, &files);
                    scope.spawn(move || stopped_client(peer, round * 10 + n, left, files))
                })
                .collect();
            for client in clients {
                for (end, n) in client.join().expect("a client") {
                    *ends.entry(end).or_default() += n;
                }
            }
        });
        wait("statements still run", || {
            let busy = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE COMMAND <> 'Sleep' AND ID <> CONNECTION_ID()";
            conn.query_first::<u64, _>(busy).expect("the list") == Some(0)
        });
        wait("files are left", || open_in(pid, &tmp).is_empty());
        one(&mut conn, 4);
        wait("connections are left", || {
            conn.query_first::<u64, _>("SELECT COUNT(*) FROM information_schema.PROCESSLIST")
                .expect("the list")
                == Some(1)
        });
        let now = (status(pid, "Threads:"), status(pid, "VmRSS:"));
        println!("round {round}: {} threads, {} KB, {ends:?}", now.0, now.1);
        let Some((threads, memory)) = before.replace(now) else { continue };
        // threads that wait for connections may end later
        wait("threads are left", || status(pid, "Threads:") <= threads + 4);
        assert!(now.1 < memory + (48 << 10), "{memory} KB before, {} KB after", now.1);
    }
    for end in ends.keys() {
        let word = end.split(' ').next_back().unwrap_or_default();
        let right = match end.split(' ').next() {
            Some("clock") => ["done", "1969"].contains(&word),
            Some("query") => ["done", "1317"].contains(&word),
            Some("connection") => ["done", "1317", "1927", "1053", "closed"].contains(&word),
            _ => true,
        };
        assert!(right, "{end}: {ends:?}");
    }
    let stopped = |end: &str| ends.get(end).copied().unwrap_or(0);
    assert!(stopped("query 1317") > 0 && stopped("clock 1969") > 0, "{ends:?}");
    assert!(files.load(Ordering::Relaxed) > 0, "nothing was spilled");
    assert_eq!(std::fs::read_dir(&tmp).expect("tmpdir").count(), 0, "nothing has a name");
    let checked: Vec<(String, String, String, String)> = conn.query("CHECK TABLE n, kept").expect("checked");
    assert!(checked.iter().all(|c| c.3 == "OK"), "{checked:?}");
    drop(peer);
    let _ = std::fs::remove_dir_all(dir);
}

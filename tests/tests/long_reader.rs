//! A dump that takes a minute, beside inserts, updates, deletes and look-ups at full speed: it sees one moment, it costs
//! bounded memory, and nobody is slowed by it. Seconds in CI; `ISAMBARD_SOAK=1` (with `--release`) takes the minute and
//! holds the speeds to the limit of 1.3.
//!
//! Speeds are times of a statement without the time that its two threads, here and in the server, waited for a processor:
//! what else runs on the machine does not count, waiting for locks, disks and each other does. For dumps, where both threads
//! work at once, it is the time that the server's thread ran.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use isambard_tests::peers::Peer;
use mysql::prelude::Queryable;

const LIMIT: f64 = 1.3;

struct Scale {
    /// Pairs of rows.
    pairs: u64,
    /// How long the paced dump takes.
    dump: Duration,
    /// How long the others run alone, before and after.
    alone: Duration,
    /// `version_cache_size`, in MiB.
    budget: u64,
    strict: bool,
}

fn scale() -> Scale {
    if std::env::var_os("ISAMBARD_SOAK").is_some() {
        let (dump, alone) = (Duration::from_secs(60), Duration::from_secs(20));
        Scale { pairs: 500_000, dump, alone, budget: 16, strict: !cfg!(debug_assertions) }
    } else {
        let (dump, alone) = (Duration::from_secs(3), Duration::from_millis(800));
        Scale { pairs: 15_000, dump, alone, budget: 1, strict: false }
    }
}

/// A connection and the server's thread behind it.
struct Client {
    conn: mysql::Conn,
    server_thread: String,
}

fn connect(peer: &Peer) -> Client {
    let dir = format!("/proc/{}/task", peer.pid());
    let threads = || -> BTreeSet<String> {
        let list = std::fs::read_dir(&dir).expect("threads of the server");
        list.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
    };
    let before = threads();
    let conn = peer.connect("d");
    let new: Vec<String> = threads().difference(&before).cloned().collect();
    let [thread] = &new[..] else { panic!("one new thread for a connection, not {new:?}") };
    Client { conn, server_thread: format!("{dir}/{thread}/schedstat") }
}

/// Nanoseconds that a thread ran, or (1) waited for a processor.
fn scheduled(schedstat: &str, which: usize) -> u64 {
    let text = std::fs::read_to_string(schedstat).expect("schedstat");
    text.split_whitespace().nth(which).and_then(|n| n.parse().ok()).expect("a number")
}

/// Nanoseconds for one of `count` units of work, without waiting for a processor, and units a second as the clock sees it.
#[derive(Clone, Copy, Default)]
struct Speed {
    nanos: f64,
    rate: f64,
}

struct Stopwatch<'c> {
    start: Instant,
    waited: u64,
    server: &'c str,
}

impl<'c> Stopwatch<'c> {
    fn both(server: &str) -> u64 {
        scheduled(server, 1) + scheduled("/proc/thread-self/schedstat", 1)
    }

    fn start(server: &'c str) -> Stopwatch<'c> {
        Stopwatch { waited: Self::both(server), start: Instant::now(), server }
    }

    fn stop(self, count: u64) -> Speed {
        let wall = self.start.elapsed();
        let idle = Self::both(self.server) - self.waited;
        Speed {
            nanos: (wall.as_nanos() as f64 - idle as f64) / count as f64,
            rate: count as f64 / wall.as_secs_f64(),
        }
    }
}

fn kib(peer: &Peer, what: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", peer.pid())).expect("status");
    let line = status.lines().find(|line| line.starts_with(what)).expect("a line of memory");
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number")
}

fn status(conn: &mut mysql::Conn, name: &str) -> u64 {
    let row: Option<(String, u64)> =
        conn.query_first(format!("SHOW GLOBAL STATUS LIKE '{name}'")).expect("status");
    row.expect("a row").1
}

fn pad(pair: u64) -> String {
    format!("{pair:060}")
}

/// Rows come in pairs whose values add up to nothing; every statement keeps it so.
fn fill(peer: &Peer, pairs: u64) {
    let mut conn = peer.connect("");
    for sql in [
        "CREATE DATABASE d",
        "USE d",
        "CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, pair int NOT NULL, v int NOT NULL, \
         pad char(60) NOT NULL, KEY (pair), KEY (v)) ENGINE=MyISAM",
    ] {
        conn.query_drop(sql).expect("create");
    }
    let mut pair = 0;
    while pair < pairs {
        let rows: Vec<String> = (pair..(pair + 1000).min(pairs))
            .map(|p| format!("({p},{v},'{pad}'),({p},-{v},'{pad}')", v = p % 1000, pad = pad(p)))
            .collect();
        conn.query_drop(format!("INSERT INTO t (pair, v, pad) VALUES {}", rows.join(","))).expect("fill");
        pair += 1000;
    }
    conn.query_drop("FLUSH TABLES").expect("flush");
}

/// What a dump has seen.
#[derive(Default, PartialEq, Eq, Debug)]
struct Seen {
    rows: u64,
    hash: u64,
    sum: i64,
    pairs: i64,
}

impl Seen {
    fn add(&mut self, row: &(u64, u64, i64, String)) {
        let (id, pair, v, text) = row;
        assert_eq!(*text, pad(*pair), "row {id} is made of two");
        let mut hasher = DefaultHasher::new();
        row.hash(&mut hasher);
        self.rows += 1;
        self.hash = self.hash.wrapping_add(hasher.finish());
        self.sum += v;
        // Both rows of a pair, or none: odd and even ids cancel each other out.
        let weight = 1 + *pair as i64;
        self.pairs += if id % 2 == 0 { weight } else { -weight };
    }

    fn check(&self) {
        assert_eq!((self.sum, self.pairs), (0, 0), "half a statement was seen: {self:?}");
    }
}

/// Reads all rows, in about `takes` when `expected` rows come; `begun` is called after the first.
fn dump(client: &mut Client, takes: Option<(Duration, u64)>, begun: impl FnOnce()) -> Seen {
    let mut seen = Seen::default();
    let mut begun = Some(begun);
    let start = Instant::now();
    for row in client.conn.query_iter("SELECT id, pair, v, pad FROM t").expect("dump") {
        seen.add(&mysql::from_row(row.expect("row")));
        if let Some(begun) = begun.take() {
            begun();
        }
        if let Some((takes, expected)) = takes
            && seen.rows.is_multiple_of(100)
        {
            let due = takes.mul_f64(seen.rows as f64 / expected as f64);
            std::thread::sleep(due.saturating_sub(start.elapsed()));
        }
    }
    seen.check();
    seen
}

/// The best of three dumps at full speed.
fn fast_dumps(client: &mut Client) -> Speed {
    let thread = client.server_thread.clone();
    let one = |_| {
        let (start, ran) = (Instant::now(), scheduled(&thread, 0));
        let seen = dump(client, None, || ());
        let nanos = (scheduled(&thread, 0) - ran) as f64 / seen.rows as f64;
        Speed { nanos, rate: seen.rows as f64 / start.elapsed().as_secs_f64() }
    };
    (0..3).map(one).min_by(|a, b| a.nanos.total_cmp(&b.nanos)).unwrap_or_default()
}

/// A thread that works until it is told to stop; its speed.
fn work(peer: &Peer, running: &AtomicBool, mut statement: impl FnMut(&mut mysql::Conn, u64)) -> Speed {
    let mut client = connect_alone(peer);
    let watch = Stopwatch::start(&client.server_thread);
    let mut count = 0;
    while running.load(Ordering::Relaxed) {
        statement(&mut client.conn, count);
        count += 1;
    }
    watch.stop(count.max(1))
}

/// One connection after the other, so that each finds its thread.
fn connect_alone(peer: &Peer) -> Client {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    connect(peer)
}

#[derive(Clone, Copy, Default)]
struct Speeds {
    writer: Speed,
    reader: Speed,
}

/// A writer and a reader at full speed while `f` runs; the highest private memory of the server meanwhile, in KiB.
fn beside<T>(peer: &Peer, pairs: u64, next: &mut u64, f: impl FnOnce() -> T) -> (Speeds, u64, T) {
    let running = AtomicBool::new(true);
    let mut first = *next;
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut random = fastrand::Rng::with_seed(first);
            let speed = work(peer, &running, |conn, count| match count % 3 {
                0 => {
                    let (pair, v) = (first, first % 1000);
                    let text = pad(pair);
                    conn.query_drop(format!(
                        "INSERT INTO t (pair, v, pad) VALUES ({pair},{v},'{text}'),({pair},-{v},'{text}')"
                    ))
                    .expect("insert");
                    first += 1;
                }
                1 => {
                    let pair = random.u64(first - pairs..first);
                    conn.query_drop(format!("UPDATE t SET v = v + 1 - 2 * (id % 2) WHERE pair = {pair}"))
                        .expect("update");
                }
                _ => {
                    let oldest = first - pairs - 1;
                    conn.query_drop(format!("DELETE FROM t WHERE pair = {oldest}")).expect("delete");
                    assert_eq!(conn.affected_rows(), 2, "pair {oldest}");
                }
            });
            // The third statement of a round that was begun.
            let oldest = first - pairs - 1;
            connect_alone(peer)
                .conn
                .query_drop(format!("DELETE FROM t WHERE pair = {oldest}"))
                .expect("delete");
            (speed, first)
        });
        let reader = scope.spawn(|| {
            let mut random = fastrand::Rng::with_seed(7);
            let mut last = std::collections::HashMap::new();
            work(peer, &running, |conn, _| {
                // Ids of deleted pairs give nothing, for ever.
                let id = random.u64(1..pairs * 2);
                let found: Option<i64> =
                    conn.query_first(format!("SELECT pair FROM t WHERE id = {id}")).expect("look-up");
                let gone = last.insert(id, found.is_none());
                assert!(!(gone == Some(true) && found.is_some()), "row {id} is back");
            })
        });
        let memory = scope.spawn(|| {
            let mut peak = 0;
            while running.load(Ordering::Relaxed) {
                peak = peak.max(kib(peer, "RssAnon:"));
                std::thread::sleep(Duration::from_millis(50));
            }
            peak
        });
        let result = f();
        running.store(false, Ordering::Relaxed);
        let (writer, first) = writer.join().expect("writer");
        *next = first;
        let speeds = Speeds { writer, reader: reader.join().expect("reader") };
        (speeds, memory.join().expect("memory"), result)
    })
}

fn print(what: &str, alone: Speed, with: Speed) -> f64 {
    let ratio = with.nanos / alone.nanos;
    println!(
        "{what:<34} alone {:>9.0} ns {:>8.0}/s   beside {:>9.0} ns {:>8.0}/s   {ratio:.2} times",
        alone.nanos, alone.rate, with.nanos, with.rate
    );
    ratio
}

fn mean(a: Speed, b: Speed) -> Speed {
    Speed { nanos: (a.nanos + b.nanos) / 2.0, rate: (a.rate + b.rate) / 2.0 }
}

#[test]
fn a_long_dump_costs_neither_memory_nor_speed() {
    let scale = scale();
    let budget = format!("version_cache_size={}", scale.budget << 20);
    let peer = Peer::isambard(&["--set", &budget]);
    fill(&peer, scale.pairs);
    let mut next = scale.pairs;
    let rows = scale.pairs * 2;
    let mut dumper = connect_alone(&peer);

    let alone_dump = fast_dumps(&mut dumper);

    let (before, peak_before, ()) = beside(&peer, scale.pairs, &mut next, || std::thread::sleep(scale.alone));

    // The long one: what is there now is what it must see, whatever happens meanwhile.
    let expected = dump(&mut dumper, None, || ());
    assert_eq!(expected.rows, rows);
    let started = Instant::now();
    let (go, gone) = std::sync::mpsc::channel();
    let (with, peak, usage) = std::thread::scope(|scope| {
        let dumper = &mut dumper;
        let long =
            scope.spawn(move || dump(dumper, Some((scale.dump, rows)), move || go.send(()).expect("begun")));
        gone.recv().expect("the dump has begun");
        beside(&peer, scale.pairs, &mut next, || {
            let mut conn = connect_alone(&peer).conn;
            let mut most = (0, 0);
            while !long.is_finished() {
                most.0 = most.0.max(status(&mut conn, "Version_cache_used"));
                most.1 = most.1.max(status(&mut conn, "Version_spill_used"));
                std::thread::sleep(Duration::from_millis(50));
            }
            assert_eq!(long.join().expect("dump"), expected, "the dump is not of the moment it began");
            (most, status(&mut conn, "Version_spill_written"))
        })
    });
    println!(
        "the dump of {rows} rows took {:.1} s and saw what was there when it began",
        started.elapsed().as_secs_f64()
    );
    let ((most_memory, most_spilled), written) = usage;

    let (after, peak_after, ()) = beside(&peer, scale.pairs, &mut next, || std::thread::sleep(scale.alone));

    let (_, _, with_dump) = beside(&peer, scale.pairs, &mut next, || fast_dumps(&mut dumper));

    println!(
        "private memory of the server: at most {} MiB without the dump, {} MiB with it (peak of all: {} MiB)",
        peak_before.max(peak_after) >> 10,
        peak >> 10,
        kib(&peer, "VmHWM:") >> 10
    );
    println!(
        "old versions: at most {:.1} MiB in memory (budget {} MiB), {} MiB in the spill file, {} MiB written to it",
        most_memory as f64 / 1048576.0,
        scale.budget,
        most_spilled >> 20,
        written >> 20
    );
    let writer = print("writer (insert, update, delete)", mean(before.writer, after.writer), with.writer);
    let reader = print("reader (look-up by key)", mean(before.reader, after.reader), with.reader);
    let dumps = print("dump, a row", alone_dump, with_dump);

    let mut conn = connect_alone(&peer).conn;
    assert_eq!(status(&mut conn, "Version_snapshots_given_up"), 0);
    assert!(most_memory < (scale.budget + 2) << 20, "{most_memory} bytes of old versions");
    let bound = peak_before.max(peak_after) + ((scale.budget + 48) << 10);
    assert!(peak < bound, "{peak} KiB of private memory, {bound} allowed");
    // When the dump is over, its versions go by themselves.
    let end = Instant::now() + Duration::from_secs(20);
    while status(&mut conn, "Version_spill_used") > 0 {
        assert!(Instant::now() < end, "the spill file is still in use");
        std::thread::sleep(Duration::from_millis(50));
    }
    if scale.strict {
        for (what, ratio) in [("writer", writer), ("reader", reader), ("dump", dumps)] {
            assert!(ratio < LIMIT, "the {what} is {ratio:.2} times slower");
        }
    }
}

/// Without room for old versions a reader that stays behind gets an error that says so, writers go on, and its connection
/// does, too. The limits may be changed while the server runs.
#[test]
fn a_reader_past_the_limits_gets_an_error_and_nobody_waits() {
    let peer = Peer::isambard(&["--set", "version_cache_size=0", "--set", "version_spill_size=0"]);
    let pairs = 30_000;
    fill(&peer, pairs);
    let mut reader = peer.connect("d");
    let mut writer = peer.connect("d");
    let sql = "SELECT id, pair, v, pad FROM t";
    let change = |writer: &mut mysql::Conn| {
        for _ in 0..3 {
            writer.query_drop("UPDATE t SET v = v + 1 - 2 * (id % 2)").expect("update");
        }
        assert_eq!(writer.affected_rows(), pairs * 2);
    };
    let read = |reader: &mut mysql::Conn, writer: &mut mysql::Conn| -> Result<Seen, mysql::Error> {
        let mut seen = Seen::default();
        let mut rows = reader.query_iter(sql)?;
        for row in rows.by_ref().take(10) {
            seen.add(&mysql::from_row(row?));
        }
        change(writer);
        for row in rows {
            seen.add(&mysql::from_row(row?));
        }
        seen.check();
        Ok(seen)
    };
    let error = read(&mut reader, &mut writer).expect_err("nothing is kept for the reader");
    let mysql::Error::MySqlError(error) = &error else { panic!("{error}") };
    assert_eq!((error.code, error.state.as_str()), (1020, "HY000"), "{error}");
    assert_eq!(error.message, "Record has changed since last read in table 't'; try restarting transaction");
    assert_eq!(dump(&mut Client { conn: reader, server_thread: String::new() }, None, || ()).rows, pairs * 2);

    for limits in ["version_cache_size = DEFAULT", "version_spill_size = DEFAULT", "version_cache_size = 0"] {
        writer.query_drop(format!("SET GLOBAL {limits}")).expect("set");
        let mut reader = peer.connect("d");
        let seen = read(&mut reader, &mut writer).unwrap_or_else(|e| panic!("{limits}: {e}"));
        assert_eq!(seen.rows, pairs * 2);
        // When the next statement is answered, the one before has ended for the server, too.
        reader.ping().expect("ping");
    }
    assert!(status(&mut writer, "Version_spill_written") > 0);
    assert_eq!(status(&mut writer, "Version_snapshots_given_up"), 1);
}

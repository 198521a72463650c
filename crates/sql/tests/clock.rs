//! The clock on the wall jumps, by years, forwards and backwards: dates follow it, and nothing else does.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{Collector, connect};
use pages::storage::{CrashMode, MemoryStorage, Storage};
use sql::{Engine, EngineOptions, Session, SqlError};

const YEAR: i64 = 365 * 86_400;
/// Where the clock jumps to: far ahead, far back, before 1970.
const JUMPS: [i64; 4] = [40 * YEAR, -20 * YEAR, -100 * YEAR, 0];

fn open(storage: &Arc<MemoryStorage>) -> Arc<Engine> {
    Engine::open_on(storage.clone() as Arc<dyn Storage>, Path::new("/d"), EngineOptions::default(), |store| {
        store.checkpoint_interval = Duration::from_millis(200);
        store.idle_after = Duration::from_millis(200);
    })
    .expect("open")
}

fn try_run(session: &mut Session, sql: &str) -> Result<String, SqlError> {
    let mut sink = Collector::default();
    session.query(sql.as_bytes(), &mut sink)?;
    let rows = sink.answers.pop().map(|a| a.rows).unwrap_or_default();
    Ok(rows.last().and_then(|row| row.last().cloned()).unwrap_or_default())
}

fn run(session: &mut Session, sql: &str) -> String {
    try_run(session, sql).expect(sql)
}

fn guarded(storage: &MemoryStorage) -> bool {
    storage.bytes(Path::new("/d/d/t.MYI")).expect("the index file")[4] & 8 != 0
}

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn nothing_but_dates_follows_the_clock() {
    let storage = Arc::new(MemoryStorage::simulated());
    let engine = open(&storage);
    let mut session = connect(&engine);
    run(&mut session, "create database d");
    run(&mut session, "create table d.t (a int auto_increment primary key, at datetime, key (at))");
    let real = run(&mut session, "select year(now())").parse::<i64>().expect("a year");

    // Dates do follow: the clock really jumps.
    schema::clock::jump(JUMPS[0]);
    let ahead = run(&mut session, "select year(now())").parse::<i64>().expect("a year");
    assert!((39..=41).contains(&(ahead - real)), "{real} {ahead}");

    // Intervals do not: waits take as long as they should, whatever happens to the clock meanwhile.
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for jump in JUMPS.iter().cycle() {
                schema::clock::jump(*jump);
                std::thread::sleep(Duration::from_millis(30));
                if over.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        let mut other = connect(&engine);
        run(&mut other, "select get_lock('l', 0)");
        run(&mut other, "lock tables d.t write");
        let timed = |session: &mut Session, sql: &str, least: u64| {
            let begun = Instant::now();
            let answer = try_run(session, sql);
            let took = begun.elapsed();
            let most = Duration::from_millis(least) + Duration::from_secs(10);
            assert!(took >= Duration::from_millis(least) && took < most, "{sql}: {took:?}");
            answer
        };
        assert_eq!(timed(&mut session, "select get_lock('l', 1)", 900).expect("an answer"), "0");
        assert_eq!(timed(&mut session, "select sleep(1)", 900).expect("an answer"), "0");
        run(&mut session, "set lock_wait_timeout = 1");
        assert_eq!(
            timed(&mut session, "insert into d.t (at) values (now())", 900).expect_err("held").code,
            1205
        );
        let time = run(&mut session, "select max(time) from information_schema.processlist");
        assert!(time.parse::<f64>().is_ok_and(|time| (0.0..60.0).contains(&time)), "{time}");
        let up = run(&mut session, "show global status like 'Uptime'");
        assert!(up.parse::<u32>().is_ok_and(|up| up < 100), "{up}");
        run(&mut other, "unlock tables");
        // KILL reaches a statement that waits.
        let id = run(&mut session, "select connection_id()");
        let killer = scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            run(&mut other, &format!("kill query {id}"));
        });
        let _ = timed(&mut session, "select sleep(60)", 0);
        killer.join().expect("killed");
        // The background goes on: tables are made clean after some quiet, statements made durable within a second.
        for round in 0..4 {
            run(&mut session, "insert into d.t (at) values (now())");
            assert!(guarded(&storage) || round > 0, "a change guards the table");
            let begun = Instant::now();
            while guarded(&storage) {
                assert!(begun.elapsed() < Duration::from_secs(20), "the checkpoint comes by itself");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        over.store(true, Ordering::Relaxed);
    });

    // Checks, stamps and dates in the files, and recovery: a crash under one date, the start under another.
    let mut storage = storage;
    let mut rows = 4;
    let mut engine = engine;
    for (n, jump) in JUMPS.into_iter().enumerate() {
        schema::clock::jump(jump);
        let mut session = connect(&engine);
        assert_eq!(run(&mut session, "check table d.t extended"), "OK");
        run(&mut session, "alter table d.t comment 'again'");
        run(&mut session, "set session durability = 'commit'");
        run(&mut session, "insert into d.t (at) values (now())");
        rows += 1;
        let mode = if n % 2 == 0 { CrashMode::Kill } else { CrashMode::PowerCut };
        let after = Arc::new(storage.after_crash(mode, n as u64).expect("a crash"));
        schema::clock::jump(JUMPS[(n + 1) % 4]);
        drop((session, engine));
        (storage, engine) = (after.clone(), open(&after));
        let mut session = connect(&engine);
        assert_eq!(run(&mut session, "select count(*) from d.t"), rows.to_string(), "after jump {n}");
        assert_eq!(run(&mut session, "check table d.t extended"), "OK");
        let kept = storage.list(Path::new("/d")).expect("list");
        assert!(!kept.iter().any(|(path, _)| path.to_string_lossy().contains("kept")), "taken for foreign");
    }
    schema::clock::jump(0);
    engine.shutdown().expect("a clean stop");
}

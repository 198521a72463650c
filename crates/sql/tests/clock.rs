//! The clock on the wall jumps, by years, forwards and backwards: dates follow it, and nothing else does.

mod common;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use common::{Collector, connect};
use pages::storage::{CrashMode, MemoryStorage, Storage};
use sql::{Engine, EngineOptions, Session, SqlError};

const YEAR: i64 = 365 * 86_400;
/// Where the clock jumps to: far ahead, far back, before 1970.
const JUMPS: [i64; 4] = [40 * YEAR, -20 * YEAR, -100 * YEAR, 0];

/// There is one clock.
static CLOCK: Mutex<()> = Mutex::new(());

fn open(storage: &Arc<MemoryStorage>) -> Arc<Engine> {
    open_with(storage, EngineOptions::default())
}

fn open_with(storage: &Arc<MemoryStorage>, options: EngineOptions) -> Arc<Engine> {
    Engine::open_on(storage.clone() as Arc<dyn Storage>, Path::new("/d"), options, |store| {
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
    let _clock = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
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

/// Waits until a query gives a value.
fn until(session: &mut Session, sql: &str, value: &str) {
    let begun = Instant::now();
    loop {
        let found = run(session, sql);
        if found == value {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{sql}: {found}, not {value}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

const SLEEPERS: &str = "select count(*) from information_schema.processlist where info like '%sleep(1000%' and command = 'Connect'";

#[test]
fn events_run_by_the_clock() {
    let _clock = CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let storage = Arc::new(MemoryStorage::simulated());
    let engine = open(&storage);
    let mut session = connect(&engine);
    for sql in [
        "create database d",
        "create table d.t (w char(8), who varchar(90), zone varchar(20))",
        "set global event_scheduler = on",
        "set time_zone = '+03:00'",
        "create event d.far on schedule every 1 day starts now() + interval 1 hour do \
         insert into d.t values ('far', current_user(), @@time_zone)",
        "create event d.once on schedule at now() + interval 2 hour do insert into d.t values ('once', user(), database())",
        "create event d.kept on schedule at now() + interval 2 hour on completion preserve do set @a = 1",
        "create event d.off on schedule every 1 second disable do insert into d.t values ('off', '', '')",
    ] {
        run(&mut session, sql);
    }
    assert_eq!(run(&mut session, "select count(*) from d.t"), "0");

    // The clock jumps; whoever changes an event wakes the scheduler.
    schema::clock::jump(3 * 3600);
    run(&mut session, "alter event d.off comment 'look'");
    until(
        &mut session,
        "select group_concat(w, ' ', who, ' ', zone order by w) from d.t",
        "far root@localhost +03:00,once event_scheduler@localhost d",
    );
    until(
        &mut session,
        "select group_concat(name, ' ', status order by name) from mysql.event",
        "far ENABLED,kept DISABLED,off DISABLED",
    );
    assert_eq!(run(&mut session, "select last_executed is null from mysql.event where name = 'far'"), "0");

    // KILL reaches an event that runs; the scheduler itself is nobody's to kill.
    run(&mut session, "create event d.long on schedule at now() on completion preserve do do sleep(1000)");
    until(&mut session, SLEEPERS, "1");
    let id = run(&mut session, "select id from information_schema.processlist where command = 'Connect'");
    run(&mut session, &format!("kill {id}"));
    until(&mut session, SLEEPERS, "0");
    let id = run(&mut session, "select id from information_schema.processlist where command = 'Daemon'");
    assert_eq!(try_run(&mut session, &format!("kill {id}")).expect_err("the scheduler").code, 1094);

    // Stopping the scheduler leaves what runs; stopping the engine does not.
    run(&mut session, "alter event d.long enable");
    run(&mut session, "alter event d.long on schedule at now()");
    until(&mut session, SLEEPERS, "1");
    run(&mut session, "set global event_scheduler = off");
    assert_eq!(run(&mut session, SLEEPERS), "1");
    drop(session);
    let begun = Instant::now();
    engine.shutdown().expect("a clean stop");
    assert!(begun.elapsed() < Duration::from_secs(15), "an event holds up the stop");
    drop(engine);

    // After a restart it goes on; a damaged table keeps events from running, and nothing else.
    let on =
        || EngineOptions { set: vec![("event_scheduler".into(), "ON".into())], ..EngineOptions::default() };
    schema::clock::jump(2 * 86_400);
    let engine = open_with(&storage, on());
    let mut session = connect(&engine);
    assert_eq!(run(&mut session, "select @@event_scheduler"), "ON");
    schema::clock::jump(4 * 86_400);
    run(&mut session, "alter event d.off comment 'again'");
    until(&mut session, "select count(*) >= 2 from d.t where w = 'far'", "1");
    run(&mut session, "alter table mysql.event drop comment");
    drop((session, engine));
    let engine = open_with(&storage, on());
    let mut session = connect(&engine);
    assert_eq!(run(&mut session, "select @@event_scheduler"), "OFF");
    assert_eq!(try_run(&mut session, "set global event_scheduler = on").expect_err("damaged").code, 1545);
    assert_eq!(run(&mut session, "select count(*) > 1 from d.t"), "1");
    schema::clock::jump(0);
}

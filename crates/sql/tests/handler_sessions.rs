//! HANDLER beside other sessions: whom an open one keeps waiting, and for how long.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{Database, ask};

fn opened() -> Database {
    let mut db = Database::new();
    db.run("create table t (a int, b varchar(20), key (a))");
    db.run("insert into t values (1, 'one'), (2, 'two'), (3, 'three')");
    db.run("handler t open");
    db
}

#[test]
fn definitions_wait_until_the_session_runs_another_statement() {
    let mut db = opened();
    assert_eq!(db.rows("handler t read a first"), ["1|one"]);
    let mut other = db.connect();
    assert_eq!(ask(&mut other, "insert into t values (0, 'zero')").error, None, "writers do not wait");
    let mut third = db.connect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            assert_eq!(ask(&mut other, "alter table t add c int").error, None);
            done.store(true, Ordering::SeqCst);
        });
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(db.rows("handler t read a next"), ["2|two"], "READ goes on");
        assert!(!done.load(Ordering::SeqCst), "the table was defined anew under a handler");
        let waits = "select state from information_schema.processlist where info like 'alter%'";
        assert_eq!(ask(&mut third, waits).rows, [["Waiting for table metadata lock"]]);
        db.run("select 1");
    });
    // defined anew: from the beginning
    assert_eq!(db.rows("handler t read a next"), ["0|zero|NULL"]);
    let mut other = db.connect();
    std::thread::scope(|scope| {
        scope.spawn(|| assert_eq!(ask(&mut other, "drop table t").error, None));
        std::thread::sleep(Duration::from_millis(200));
        db.run("select 1");
    });
    assert_eq!(db.error("handler t read a next"), "1146 (42S02): Table 'test.t' doesn't exist");
    assert_eq!(db.error("handler t read a next"), "1146 (42S02): Table 'test.t' doesn't exist");
    db.run("create table t (k int)");
    db.run("handler t open");
}

#[test]
fn an_idle_session_keeps_nobody_waiting_for_ever() {
    let mut db = opened();
    let mut other = db.connect();
    let begun = Instant::now();
    assert_eq!(ask(&mut other, "drop table t").error, None);
    let waited = begun.elapsed();
    assert!(waited > Duration::from_secs(5) && waited < Duration::from_secs(30), "{waited:?}");
    assert_eq!(db.error("handler t read first"), "1146 (42S02): Table 'test.t' doesn't exist");
}

#[test]
fn a_session_that_ends_lets_go() {
    let mut db = opened();
    let mut other = db.connect();
    assert_eq!(ask(&mut other, "handler t open").error, None);
    db.run("handler t close");
    db.run("set lock_wait_timeout = 1");
    let late = db.error("truncate table t");
    assert!(late.starts_with("1205"), "{late}");
    drop(other);
    let begun = Instant::now();
    db.run("truncate table t");
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[test]
fn conditions_that_wait_end_in_time() {
    let mut db = opened();
    db.run("set max_statement_time = 0.2");
    let begun = Instant::now();
    let late = db.error("handler t read first where sleep(5)");
    assert!(late.starts_with("1969"), "{late}");
    assert!(begun.elapsed() < Duration::from_secs(3));
    db.run("set max_statement_time = 0");
    let mut other = db.connect();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            let id =
                ask(&mut other, "select id from information_schema.processlist where info like 'handler%'");
            ask(&mut other, &format!("kill query {}", id.rows[0][0]));
        });
        let begun = Instant::now();
        let killed = db.error("handler t read first where sleep(20)");
        assert!(killed.starts_with("1317"), "{killed}");
        assert!(begun.elapsed() < Duration::from_secs(5));
    });
    assert_eq!(db.rows("handler t read first"), ["1|one"]);
}

#[test]
fn rights_are_asked_for_at_each_read() {
    let mut db = opened();
    db.run("create user u");
    db.run("grant select on test.t to u");
    let mut other =
        db.engine.connect(&sql::ConnectInfo { user: "u".into(), ..common::root() }).expect("a session");
    assert_eq!(ask(&mut other, "handler test.t open").error, None);
    assert_eq!(ask(&mut other, "handler t read first").rows, [["1", "one"]]);
    db.run("revoke select on test.t from u");
    let denied = ask(&mut other, "handler t read next").error.unwrap_or_default();
    assert!(denied.starts_with("1142"), "{denied}");
    db.run("grant select (a) on test.t to u");
    let denied = ask(&mut other, "handler t read next").error.unwrap_or_default();
    assert!(denied.starts_with("1142"), "{denied}");
}

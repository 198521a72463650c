//! information_schema.ISAMBARD_TABLE_IO: how tables' files lie in memory.

mod common;

use common::{Collector, TempDir, connect};
use sql::{ConnectInfo, Engine, EngineOptions, Session};

fn run(session: &mut Session, sql: &str) -> Vec<Vec<String>> {
    let mut sink = Collector::default();
    session.query(sql.as_bytes(), &mut sink).expect(sql);
    sink.answers.pop().map(|a| a.rows).unwrap_or_default()
}

const SIZES: &str = "select file, file_bytes, cached_bytes, unwritten_bytes from information_schema.isambard_table_io \
                     where table_schema = 'd' and table_name = 't'";

#[test]
fn rows_wait_for_the_checkpoint_and_are_cached_then() {
    let dir = TempDir::new();
    let engine = Engine::open(dir.path(), EngineOptions::default()).expect("open");
    let mut session = connect(&engine);
    run(&mut session, "create database d");
    run(&mut session, "create table d.t (a int primary key, b char(100))");
    run(&mut session, "insert into d.t select seq, 'x' from d.seq_1_to_1000");
    let number = |row: &Vec<String>, n: usize| row[n].parse::<u64>().expect("a number");
    let before = run(&mut session, SIZES);
    assert_eq!(before.iter().map(|r| r[0].as_str()).collect::<Vec<_>>(), ["DATA", "INDEX"]);
    assert!(before.iter().all(|r| number(r, 3) > 0), "{before:?}");
    run(&mut session, "flush tables");
    let state = "select data_length, index_length from information_schema.tables where table_schema = 'd'";
    let lengths = run(&mut session, state);
    let after = run(&mut session, SIZES);
    for (row, length) in after.iter().zip(&lengths[0]) {
        // just written, and asked for by nobody else
        assert_eq!(row[1..], [length.clone(), length.clone(), "0".to_string()], "{after:?}");
    }
}

#[test]
fn tables_are_shown_to_those_with_a_right_on_them() {
    let dir = TempDir::new();
    let engine = Engine::open(dir.path(), EngineOptions::default()).expect("open");
    let mut root = connect(&engine);
    for sql in [
        "create database d",
        "create table d.mine (a int)",
        "create table d.theirs (a int)",
        "create table d.transient (a int) engine=memory",
        "create user p@localhost",
        "grant select on d.mine to p@localhost",
        "grant select on d.transient to p@localhost",
    ] {
        run(&mut root, sql);
    }
    let names = "select table_name, file from information_schema.isambard_table_io where table_schema = 'd'";
    assert_eq!(run(&mut root, names).len(), 4);
    let p = ConnectInfo { user: "p".into(), host: "localhost".into(), ..ConnectInfo::default() };
    let mut p = engine.connect(&p).expect("a session");
    assert_eq!(run(&mut p, names), [["mine", "DATA"], ["mine", "INDEX"]]);
}

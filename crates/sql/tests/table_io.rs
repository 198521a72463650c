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

/// Sessions open and drop tables while others count, flush and change the caches: nobody waits for somebody who waits for them.
#[test]
fn caches_change_while_tables_are_opened() {
    let dir = TempDir::new();
    let engine = Engine::open(dir.path(), EngineOptions::default()).expect("open");
    run(&mut connect(&engine), "create database d");
    let (done, all) = std::sync::mpsc::channel();
    let rounds = 150;
    for who in 0..4 {
        let (mut session, done) = (connect(&engine), done.clone());
        std::thread::spawn(move || {
            for n in 0..rounds {
                let statements = match who {
                    0 | 1 => vec![
                        format!("create table d.t{who} (a int primary key)"),
                        format!("insert into d.t{who} values ({n})"),
                        format!("select * from d.t{who} where a = {n}"),
                        "flush tables".to_owned(),
                        format!("select * from d.t{who} where a = {n}"),
                        format!("drop table d.t{who}"),
                    ],
                    2 => [
                        "flush status",
                        "show status like 'Key%'",
                        "select * from information_schema.key_caches",
                    ]
                    .map(str::to_owned)
                    .to_vec(),
                    _ => vec![
                        format!("set global hot.key_buffer_size = {}", (n % 3) * 200_000),
                        format!("set global isambard_map_index = {}", n % 2),
                    ],
                };
                statements.iter().for_each(|sql| drop(run(&mut session, sql)));
            }
            done.send(()).expect("somebody waits");
        });
    }
    for _ in 0..4 {
        all.recv_timeout(std::time::Duration::from_secs(100)).expect("nobody waits for ever");
    }
}

#[test]
fn hits_are_counted_for_files_that_are_read_through_a_cache() {
    let dir = TempDir::new();
    let engine = Engine::open(dir.path(), EngineOptions::default()).expect("open");
    let mut session = connect(&engine);
    for sql in [
        "create database d",
        "create table d.t (a int primary key, b char(200))",
        "insert into d.t select seq, 'x' from d.seq_1_to_5000",
        "flush tables",
    ] {
        run(&mut session, sql);
    }
    let counts = "select file, cache, requests, pages_read from information_schema.isambard_table_io where table_schema = 'd'";
    let look = |session: &mut Session| {
        run(session, "select b from d.t where a = 77");
        run(session, counts)
    };
    let mapped = look(&mut session);
    assert!(mapped.iter().all(|row| row[1] == "NULL" && row[3] == "NULL" && row[2] != "0"), "{mapped:?}");
    for sql in [
        "set global hot.key_buffer_size = 1000000",
        "cache index d.t in hot",
        "set global isambard_cache_rows = 'd.*'",
        "flush tables",
    ] {
        run(&mut session, sql);
    }
    let number = |row: &[String], n: usize| row[n].parse::<u64>().expect("a number");
    let first = look(&mut session);
    assert_eq!(first.iter().map(|row| row[1].as_str()).collect::<Vec<_>>(), ["rows", "hot"]);
    assert!(first.iter().all(|row| number(row, 3) > 0 && number(row, 3) <= number(row, 2)), "{first:?}");
    let second = look(&mut session);
    for (before, now) in first.iter().zip(&second) {
        assert_eq!(number(now, 3), number(before, 3), "all of it was there");
        assert!(number(now, 2) > number(before, 2));
    }
}

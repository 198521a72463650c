//! Tables with generated columns, constraints and expression defaults that MariaDB made: read, changed and handed back.

mod common;

use common::reference::Reference;
use common::{TempDir, ask, root};
use sql::{Engine, EngineOptions};

const MADE: &[&str] = &[
    "create table both_ways (a int primary key, b varchar(20) default (concat('d', a)), v int as (a * 2), s varchar(30) as (concat(b, '!')) stored, \
     check (a < 1000), key (v), unique (s)) checksum=1",
    "insert into both_ways (a) values (1), (2), (3), (4)",
    "insert into both_ways (a, b) values (10, 'ten'), (11, null)",
    "delete from both_ways where a = 2",
    "flush tables",
];

const CHANGED: &[&str] = &[
    "insert into both_ways (a) values (5), (6)",
    "update both_ways set a = a + 100 where v = 6",
    "delete from both_ways where v = 8",
    "replace into both_ways (a, b) values (7, 'ten')",
];

const ASKED: &[&str] = &[
    "select * from both_ways order by a",
    "select v from both_ways where v between 5 and 300 order by v",
    "select a from both_ways where s = 'ten!'",
    "insert into both_ways (a) values (2000)",
    "show create table both_ways",
    "check table both_ways extended",
    "checksum table both_ways",
    "select generation_expression from information_schema.columns where table_name = 'both_ways' order by ordinal_position",
];

#[test]
fn computed_columns_go_both_ways() {
    let Some(reference) = Reference::shared() else {
        eprintln!("MariaDB is not installed: nothing to compare with");
        return;
    };
    let list = |parts: &[&[&str]]| parts.concat().iter().map(|s| s.to_string()).collect::<Vec<_>>();
    reference.script(&list(&[MADE]));
    let dir = TempDir::new();
    let options = || EngineOptions { create: true, ..EngineOptions::default() };
    Engine::open(dir.path(), options()).expect("open").shutdown().expect("shutdown");
    let folder = dir.path().join("test");
    std::fs::create_dir_all(&folder).expect("folder");
    let files = ["frm", "MYI", "MYD"].map(|e| format!("both_ways.{e}"));
    for file in &files {
        std::fs::copy(reference.datadir().join("test").join(file), folder.join(file)).expect("copy");
    }
    let engine = Engine::open(dir.path(), options()).expect("open");
    let mut session = engine.connect(&root()).expect("connect");
    ask(&mut session, "use test");
    let own: Vec<_> = list(&[CHANGED, ASKED]).iter().map(|s| ask(&mut session, s)).collect();
    drop(session);
    engine.shutdown().expect("shutdown");
    // the same there, from the same beginning
    let expected = reference.script(&list(&[MADE, CHANGED, ASKED]));
    for ((sql, own), expected) in list(&[CHANGED, ASKED]).iter().zip(&own).zip(&expected[MADE.len()..]) {
        assert_eq!((&own.error, &own.rows), (&expected.error, &expected.rows), "{sql}");
    }
    // what was written here is read there
    let back = reference.datadir().join("handed_back");
    std::fs::create_dir_all(&back).expect("folder");
    for file in &files {
        std::fs::copy(folder.join(file), back.join(file)).expect("copy");
    }
    let mut again = list(&[&["use handed_back"], ASKED]);
    again.truncate(8);
    let answers = reference.script(&again);
    for (sql, (answer, own)) in ASKED.iter().zip(answers[1..].iter().zip(&own[CHANGED.len()..])).take(3) {
        assert_eq!(answer.rows, own.rows, "{sql}");
    }
    assert_eq!(
        answers[6].rows.last().map(|r| r[2..].join(" ")).as_deref(),
        Some("status OK"),
        "{:?}",
        answers[6]
    );
}

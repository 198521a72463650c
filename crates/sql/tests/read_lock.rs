//! FLUSH TABLES ... WITH READ LOCK, and backups: files that are tables for every program, while and although others write.

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use common::{Database, TempDir, ask};

/// What myisamchk says of all tables of a folder; `None` when it is not installed.
fn myisamchk(folder: &Path) -> Option<String> {
    let mut said = String::new();
    for entry in std::fs::read_dir(folder).expect("folder").flatten() {
        if entry.path().extension().is_some_and(|e| e == "MYI") {
            let out = Command::new("myisamchk").args(["-e", "--silent"]).arg(entry.path()).output().ok()?;
            said.push_str(&String::from_utf8_lossy(&out.stdout));
            said.push_str(&String::from_utf8_lossy(&out.stderr));
        }
    }
    Some(said)
}

fn two_tables() -> Database {
    let mut db = Database::new();
    db.run("create table a (id int auto_increment primary key, s varchar(100), key (s)) checksum=1");
    db.run("create table b (id int primary key, c char(20), key (c)) row_format=fixed");
    for n in 0..200 {
        db.run(&format!("insert into a (s) values (repeat('{n}', 9))"));
        db.run(&format!("insert into b values ({n}, '{n}')"));
    }
    db
}

#[test]
fn tables_held_for_reading_are_whole_on_disk() {
    for statement in
        ["flush tables a, b with read lock", "flush tables b, a for export", "flush tables with read lock"]
    {
        let mut db = two_tables();
        let folder = db.dir.path().join("test");
        if let Some(said) = myisamchk(&folder) {
            assert!(!said.is_empty(), "tables in use look whole before");
        }
        db.run(statement);
        assert_eq!(myisamchk(&folder).unwrap_or_default(), "", "after {statement}");
        assert_eq!(db.rows("select count(*) from a"), ["200"]);
        let mut other = db.connect();
        assert_eq!(ask(&mut other, "select count(*) from b").rows, [["200"]]);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                assert_eq!(ask(&mut other, "insert into a (s) values ('late')").error, None);
                done.store(true, Ordering::SeqCst);
            });
            std::thread::sleep(Duration::from_millis(100));
            assert!(!done.load(Ordering::SeqCst), "a writer came in under {statement}");
            assert_eq!(myisamchk(&folder).unwrap_or_default(), "", "later under {statement}");
            db.run("unlock tables");
        });
        assert_eq!(db.rows("select count(*) from a"), ["201"]);
    }
}

#[test]
fn the_global_read_lock_stops_every_kind_of_writer() {
    let mut db = two_tables();
    db.run("flush tables with read lock");
    let conflict = "1223 (HY000): Can't execute the query because you have a conflicting read lock";
    for own in [
        "insert into a (s) values ('x')",
        "drop table a",
        "create table x (a int)",
        "lock tables a write",
        "create user x",
        "truncate table a",
        "repair table a",
    ] {
        assert_eq!(db.error(own), conflict, "{own}");
    }
    db.run("create temporary table mine (a int)");
    db.run("insert into mine values (1)");
    db.run("start transaction");
    let statements = [
        "insert into a (s) values ('x')",
        "update b set c='y' where id=1",
        "delete from a where id=1",
        "create table x (a int)",
        "drop table b",
        "rename table a to z",
        "alter table a comment 'new'",
        "create database another",
        "lock tables a write",
        "create user someone",
        "optimize table a",
    ];
    for statement in statements {
        let mut other = db.connect();
        ask(&mut other, "set lock_wait_timeout=0");
        let e = ask(&mut other, statement).error;
        let waited = "1205 (HY000): Lock wait timeout exceeded; try restarting transaction";
        assert_eq!(e.as_deref(), Some(waited), "{statement}");
    }
    // It waits for those who write.
    db.run("unlock tables");
    let mut writer = db.connect();
    assert_eq!(ask(&mut writer, "lock tables a write").error, None);
    db.run("set lock_wait_timeout=1");
    assert!(db.error("flush tables with read lock").starts_with("1205"));
    assert_eq!(ask(&mut writer, "unlock tables").error, None);
    db.run("flush tables with read lock");
    // It goes with its session.
    drop(std::mem::replace(&mut db.session, writer));
    db.run("insert into a (s) values ('x')");
}

/// Each statement keeps the sum of `pair` at zero, and one writer changes `left_side` before `right_side`, always.
#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn a_backup_is_one_moment_of_all_tables_while_writers_go_on() {
    let mut db = two_tables();
    db.run("create table pair (id int auto_increment primary key, v int, pad varchar(200), key (v))");
    db.run("create table left_side (n int, key (n))");
    db.run("create table right_side (n int, key (n)) row_format=fixed");
    db.run("create database other collate latin1_bin");
    db.run("create table other.`odd name` (a text, key (a(20)))");
    db.run("insert into other.`odd name` values ('some words')");
    db.run("create user someone identified by 'secret'");
    db.run("grant select on other.* to someone");
    let stop = AtomicBool::new(false);
    let steps = AtomicU64::new(0);
    let place = TempDir::new();
    let mut backups = Vec::new();
    let mut sessions: Vec<_> = (0..2).map(|_| db.connect()).collect();
    let (mut pairs, mut sides) = (sessions.remove(0), sessions.remove(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut n = 0;
            while !stop.load(Ordering::Relaxed) {
                n += 1;
                let sql = match n % 4 {
                    3 => format!("delete from pair where v in ({}, -{})", n - 1, n - 1),
                    _ => format!(
                        "insert into pair (v, pad) values ({n}, repeat('p', {})), (-{n}, 'q')",
                        n % 200
                    ),
                };
                assert_eq!(ask(&mut pairs, &sql).error, None, "{sql}");
                steps.fetch_add(1, Ordering::Relaxed);
            }
        });
        scope.spawn(|| {
            let mut n = 0;
            while !stop.load(Ordering::Relaxed) {
                n += 1;
                for side in ["left_side", "right_side"] {
                    assert_eq!(ask(&mut sides, &format!("insert into {side} values ({n})")).error, None);
                }
                if n % 50 == 0 {
                    assert_eq!(
                        ask(&mut sides, "alter table other.`odd name` comment 'again', force").error,
                        None
                    );
                }
            }
        });
        for n in 0..6 {
            std::thread::sleep(Duration::from_millis(60));
            let target = place.path().join(format!("copy{n}"));
            let done = db.run(&format!("backup server to '{}'", target.display()));
            assert!(done.info.starts_with("Tables: "), "{}", done.info);
            backups.push(target);
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(steps.load(Ordering::Relaxed) > 20, "writers went on");
    let mut most = 0;
    for copy in &backups {
        for folder in ["test", "other", "mysql"] {
            assert_eq!(myisamchk(&copy.join(folder)).unwrap_or_default(), "");
        }
        let engine = sql::Engine::open(copy, sql::EngineOptions::default()).expect("the copy opens");
        let mut session = engine.connect(&common::root()).expect("connect");
        let mut one = |sql: &str| ask(&mut session, sql).rows[0].join("|");
        assert_eq!(one("select coalesce(sum(v), 0) from test.pair"), "0");
        let left: i64 = one("select coalesce(max(n), 0) from test.left_side").parse().expect("number");
        let right: i64 = one("select coalesce(max(n), 0) from test.right_side").parse().expect("number");
        assert!(left == right || left == right + 1, "{left} and {right} are of two moments");
        assert_eq!(
            one("select count(*), max(n) from test.left_side"),
            format!("{left}|{}", if left == 0 { "NULL".into() } else { left.to_string() })
        );
        assert_eq!(one("select a from other.`odd name`"), "some words");
        assert!(one("show create database other").contains("latin1_bin"));
        assert!(one("show grants for someone").contains("someone"));
        for table in
            ["test.a", "test.b", "test.pair", "test.left_side", "test.right_side", "other.`odd name`"]
        {
            assert!(one(&format!("check table {table} extended")).ends_with("|OK"), "{table}");
        }
        most = most.max(right);
        engine.shutdown().expect("stop");
    }
    assert!(most > 0);
}

#[test]
fn a_backup_is_never_in_the_way_of_anything() {
    let mut db = two_tables();
    let place = TempDir::new();
    let target = place.path().join("copy");
    std::fs::create_dir(&target).expect("folder");
    std::fs::write(target.join("mine"), "x").expect("file");
    assert!(db.error(&format!("backup server to '{}'", target.display())).starts_with("1086"));
    std::fs::remove_file(target.join("mine")).expect("file");
    // An empty folder is fine; a trailing slash too.
    db.run(&format!("backup server to '{}/'", target.display()));
    assert!(target.join("test/a.MYI").exists());
    assert!(db.error(&format!("backup server to '{}'", target.display())).starts_with("1086"));
    let inside = db.dir.path().join("copy");
    assert!(db.error(&format!("backup server to '{}'", inside.display())).contains("data directory"));
    assert!(db.error("backup server to 'copy'").starts_with("1290"));
    // What was not finished is not taken for a backup.
    let half = place.path().join("half.incomplete");
    std::fs::create_dir(&half).expect("folder");
    assert!(
        db.error(&format!("backup server to '{}'", place.path().join("half").display())).starts_with("1086")
    );
    assert!(sql::Engine::open(&half, sql::EngineOptions::default()).is_err());
    // Nothing is left of one that failed, and it fails for a damaged table.
    db.run("flush tables");
    let index = db.dir.path().join("test/b.MYI");
    let mut bytes = std::fs::read(&index).expect("read");
    bytes.truncate(100);
    std::fs::write(&index, bytes).expect("write");
    let last = place.path().join("last");
    assert!(db.error(&format!("backup server to '{}'", last.display())).contains("test.b"));
    assert!(!last.exists() && !place.path().join("last.incomplete").exists());
}

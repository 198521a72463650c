//! LOCK TABLES ... READ LOCAL and WRITE CONCURRENT beside other sessions: who goes on and who waits, here and on MariaDB.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::reference::Reference;
use common::{Database, ask};

/// A session of MariaDB that stays.
struct Client {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Client {
    fn new(reference: &Reference, db: &str) -> Client {
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec mariadb --no-defaults -N -f -u root --unbuffered --delimiter=// -S \"$0\" \"$1\" 2>&1",
            ])
            .arg(reference.socket())
            .arg(db)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the client");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Client { child, stdin, stdout }
    }

    /// The rows, or the number of the error.
    fn ask(&mut self, sql: &str) -> String {
        writeln!(self.stdin, "{sql}//\nselect '=end='//").expect("the client is there");
        let mut all = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).expect("a line") > 0, "the client is gone: {all:?}");
            match line.trim_end() {
                "=end=" => break,
                line => all.push(line.to_string()),
            }
        }
        match all.iter().find_map(|l| l.strip_prefix("ERROR ")) {
            Some(error) => format!("error {}", error.split(' ').next().unwrap_or_default()),
            None => all.join(","),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn own(session: &mut sql::Session, sql: &str) -> String {
    let answer = ask(session, sql);
    match answer.error {
        Some(e) => format!("error {}", e.split(' ').next().unwrap_or_default()),
        None => answer.rows.iter().map(|r| r.join("\t")).collect::<Vec<_>>().join(","),
    }
}

/// What the first session does, then what the second one tries while the first one has its locks.
const FIRST: &[&str] = &[
    "lock tables t write concurrent",
    "lock tables t write concurrent, t as x read",
    "lock tables t as x read local, t write concurrent",
    "lock tables t write concurrent, t as x write",
    "lock tables t read local",
    "lock tables t read local, t as x read",
    "lock tables t read",
    "lock tables t write",
];

const SECOND: &[&str] = &[
    "select count(*) from t",
    "lock tables t read local",
    "select count(*) from t",
    "unlock tables",
    "lock tables t read",
    "unlock tables",
    "lock tables t write concurrent",
    "unlock tables",
    "lock tables t write",
    "unlock tables",
    "update t set a = a + 0",
    "delete from t where a = 99",
    "handler t open",
    "handler t read first",
    "handler t close",
    "alter table t add b int",
];

/// What the first session may do under WRITE CONCURRENT.
const UNDER: &[&str] = &[
    "insert into t values (7)",
    "select count(*) from t",
    "update t set a = 8 where a = 7",
    "delete from t where a = 8",
    "insert into t select a + 10 from t as x",
    "insert into t select 20",
    "replace into t values (21)",
    "alter table t add b int",
    "truncate table t",
    "drop table t",
    "flush tables t",
    "create trigger g before insert on t for each row set @a = 1",
    "select count(*) from t",
    "unlock tables",
    "select count(*) from t",
    "insert into t values (30)",
    "drop table t",
];

const GAPS: [&str; 2] = ["delete from t where a = 99", "delete from t where a = 2"];

const TABLES: &[&str] = &[
    "create table t (a int)",
    "create table t (a int, key (a)) engine=memory",
    "create table t (a int) row_format=dynamic",
];

#[test]
fn who_waits_for_locks_beside_others() {
    let Some(reference) = Reference::shared() else { return };
    let mut setup = Client::new(&reference, "mysql");
    setup.ask("create database concurrent_locks");
    let mut db = Database::new();
    let mut wrong = Vec::new();
    for table in TABLES {
        for gaps in GAPS {
            for first in FIRST {
                let mut clients = [0, 1].map(|_| Client::new(&reference, "concurrent_locks"));
                let mut sessions = [db.connect(), db.connect()];
                let mut both = |n: usize, sql: &str| {
                    let expected = clients[n].ask(sql);
                    let got = own(&mut sessions[n], sql);
                    if got != expected {
                        wrong.push(format!("{table}; {gaps}; {first}; {n}: {sql}: {got}, not {expected}"));
                    }
                };
                both(0, table);
                both(0, "insert into t values (1), (2), (3)");
                both(0, gaps);
                both(0, first);
                both(1, "set lock_wait_timeout = 0");
                SECOND.iter().for_each(|sql| both(1, sql));
                if first.contains("concurrent") && !first.contains("x write") {
                    UNDER.iter().for_each(|sql| both(0, sql));
                } else {
                    both(0, "unlock tables");
                    both(0, "drop table t");
                }
            }
        }
    }
    setup.ask("drop database concurrent_locks");
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
    db.run("select 1");
}

/// Statements of several sessions, one after the other.
const STEPS: &[&[(usize, &str)]] = &[
    &[
        (0, "lock tables t write concurrent, t as x read"),
        (1, "lock tables t read local"),
        (1, "unlock tables"),
        (0, "unlock tables"),
        (1, "lock tables t read local"),
        (0, "lock tables t write concurrent, t as x read"),
        (0, "insert into t values (4)"),
        (2, "update t set a = a"),
        (0, "unlock tables"),
        (2, "update t set a = a"),
        (2, "lock tables t write"),
        (2, "lock tables t read"),
        (0, "lock tables t write concurrent"),
        (2, "unlock tables"),
        (1, "unlock tables"),
        (0, "lock tables t write concurrent"),
        (2, "update t set a = a"),
        (0, "unlock tables"),
        (2, "update t set a = a"),
        (1, "select count(*) from t"),
    ],
    &[
        (1, "lock tables t read local"),
        (2, "lock tables t read local"),
        (0, "lock tables t write concurrent"),
        (0, "check table t"),
        (1, "check table t"),
        (0, "analyze table t"),
        (0, "alter table t add b int"),
        (0, "optimize table t"),
        (0, "insert into t select a + 10 from t"),
        (1, "insert into t values (9)"),
        (1, "unlock tables"),
        (1, "lock tables t read"),
        (2, "unlock tables"),
        (1, "lock tables t write concurrent"),
        (0, "unlock tables"),
        (1, "lock tables t write concurrent"),
        (1, "delete from t where a = 2"),
        (2, "lock tables t read local"),
        (2, "unlock tables"),
        (1, "unlock tables"),
        (1, "lock tables t write concurrent"),
        (2, "lock tables t read local"),
        (1, "unlock tables"),
        (1, "optimize table t"),
        (1, "lock tables t write concurrent"),
        (2, "lock tables t read local"),
    ],
    &[
        (0, "create function f(n int) returns int begin insert into t values (n); return n; end"),
        (0, "create table u (a int)"),
        (0, "create trigger g after insert on u for each row insert into t values (new.a)"),
        (0, "lock tables t write concurrent, u write"),
        (0, "select f(5)"),
        (0, "insert into u values (6)"),
        (0, "select count(*) from t"),
        (0, "unlock tables"),
        (1, "lock tables t write"),
        (1, "unlock tables"),
        (0, "select f(7)"),
        (1, "select count(*) from t"),
        (0, "drop function f"),
        (0, "drop table u"),
    ],
    &[
        (0, "set global concurrent_insert = never"),
        (0, "lock tables t write concurrent"),
        (1, "select count(*) from t"),
        (1, "lock tables t read local"),
        (0, "unlock tables"),
        (0, "set global concurrent_insert = always"),
        (0, "delete from t where a = 1"),
        (0, "lock tables t write concurrent"),
        (1, "select count(*) from t"),
        (0, "unlock tables"),
        (0, "set global concurrent_insert = auto"),
    ],
];

#[test]
fn one_after_the_other_they_do_as_on_mariadb() {
    let Some(reference) = Reference::shared() else { return };
    let mut setup = Client::new(&reference, "mysql");
    let mut wrong = Vec::new();
    for (n, steps) in STEPS.iter().enumerate() {
        setup.ask("create database test");
        let db = Database::new();
        let mut clients = [0, 1, 2].map(|_| Client::new(&reference, "test"));
        let mut sessions = [0, 1, 2].map(|_| db.connect());
        let begin = [(0, "create table t (a int)"), (0, "insert into t values (1), (2), (3)")]
            .into_iter()
            .chain([0, 1, 2].map(|n| (n, "set lock_wait_timeout = 0")));
        for (who, sql) in begin.chain(steps.iter().copied()) {
            let expected = clients[who].ask(sql);
            let got = own(&mut sessions[who], sql);
            if got != expected {
                wrong.push(format!("{n}, session {who}: {sql}: {got}, not {expected}"));
            }
        }
        clients.iter_mut().for_each(|c| drop(c.ask("unlock tables")));
        setup.ask("drop database test");
    }
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn locked() -> Database {
    let mut db = Database::new();
    db.run("create table t (a int)");
    db.run("insert into t values (1), (2), (3)");
    db.run("lock tables t write concurrent");
    db
}

/// What changes accounts, and what of it is refused before the lock is asked for.
const OF_ACCOUNTS: &[&str] = &[
    "create user zz",
    "create user if not exists zz",
    "create or replace user zz",
    "create user root@localhost",
    "alter user zz identified by 'x'",
    "alter user zz account lock",
    "alter user zz with max_queries_per_hour 5",
    "alter user nosuch identified by 'x'",
    "alter user if exists nosuch identified by 'x'",
    "rename user zz to yy",
    "drop user zz",
    "drop user nosuch",
    "drop user if exists zz",
    "create role qq",
    "drop role rr",
    "drop role nosuch",
    "grant rr to zz",
    "grant nosuch to zz",
    "revoke rr from zz",
    "grant select on *.* to zz",
    "grant select on test.* to zz",
    "grant select on test.* to nosuch",
    "revoke select on *.* from zz",
    "revoke select on test.* from zz",
    "grant select on t to zz",
    "grant select on t to nosuch",
    "grant select (a) on t to zz",
    "grant select (nosuch) on t to zz",
    "grant insert on nosuch to zz",
    "grant create on nosuch to zz",
    "revoke select on t from zz",
    "revoke select (a) on t from zz",
    "grant execute on procedure p to zz",
    "grant execute on procedure nosuch to zz",
    "revoke execute on procedure p from zz",
    "grant proxy on a to zz",
    "revoke proxy on a from zz",
    "revoke all privileges, grant option from zz",
    "revoke all privileges, grant option from nosuch",
    "set password for zz = password('a')",
    "set password for nosuch = password('a')",
    "set default role rr for zz",
    "set default role nosuch for zz",
    "set default role none for zz",
    "set role none",
    "set role nosuch",
    "flush privileges",
    "flush local privileges",
    "show grants for zz",
    "create procedure q() select 1",
    "drop procedure p",
    "kill 99999999",
];

#[test]
fn accounts_are_left_alone_under_lock_tables() {
    let Some(reference) = Reference::shared() else { return };
    let mut client = Client::new(&reference, "mysql");
    client.ask("create database locked_accounts");
    client.ask("use locked_accounts");
    let db = Database::new();
    let mut session = db.connect();
    let mut wrong = Vec::new();
    let mut both = |sql: &str| {
        let expected = client.ask(sql);
        let got = own(&mut session, sql);
        if got != expected {
            wrong.push(format!("{sql}: {got}, not {expected}"));
        }
    };
    let begin =
        ["create table t (a int)", "create temporary table u (a int)", "create procedure p() select 1"];
    begin.iter().chain(&["create user zz", "create role rr"]).for_each(|sql| both(sql));
    for lock in ["lock tables t read", "lock tables t write", "lock tables u read"] {
        both(lock);
        OF_ACCOUNTS.iter().for_each(|sql| both(sql));
        both("unlock tables");
    }
    ["grant select on t to zz", "drop user zz", "drop role rr", "drop procedure p"]
        .iter()
        .for_each(|sql| both(sql));
    client.ask("drop database locked_accounts");
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn rows_are_seen_when_their_statement_has_ended() {
    let mut db = locked();
    let mut reader = db.connect();
    assert_eq!(own(&mut reader, "lock tables t read local"), "");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                let rows = own(&mut reader, "select count(*) from t").parse::<u32>().expect("a number");
                assert_eq!(rows % 100, 3, "half of a statement is seen");
                assert!(own(&mut reader, "check table t").ends_with("OK"));
            }
        });
        let rows = vec!["(4)"; 100].join(",");
        for _ in 0..20 {
            db.ask(&format!("insert into t values {rows}"));
        }
        done.store(true, Ordering::SeqCst);
    });
    assert_eq!(own(&mut reader, "select count(*) from t"), "2003");
    assert_eq!(own(&mut reader, "unlock tables"), "");
    db.run("unlock tables");
    assert_eq!(db.rows("check table t"), ["test.t|check|status|OK"]);
}

#[test]
fn writers_wait_no_longer_than_they_may() {
    let mut db = locked();
    let mut others = [0, 1, 2].map(|_| db.connect());
    give_up_waiting(
        &mut others,
        &["insert into t values (4)", "lock tables t read", "lock tables t write concurrent"],
    );
    // HANDLER waits for plain WRITE
    db.run("unlock tables");
    db.run("lock tables t write");
    give_up_waiting(&mut others, &["handler t open"]);
    db.run("unlock tables");
    assert_eq!(own(&mut others[0], "handler t open"), "");
    db.run("lock tables t write");
    give_up_waiting(&mut others, &["handler t read first"]);
    assert_eq!(own(&mut others[0], "handler t close"), "");
    db.run("unlock tables");
    // a session that goes lets go
    let mut holder = db.connect();
    assert_eq!(own(&mut holder, "lock tables t write concurrent"), "");
    assert_eq!(own(&mut others[2], "lock tables t read local"), "");
    drop(holder);
    own(&mut others[0], "set lock_wait_timeout = 0");
    assert_eq!(own(&mut others[0], "insert into t values (4)"), "error 1205", "others read it");
    assert_eq!(own(&mut others[1], "lock tables t write concurrent"), "");
    let [_, _, reader] = others;
    drop(reader);
}

/// The first session waits until its time is up, and until the second one ends its statement.
fn give_up_waiting(others: &mut [sql::Session; 3], statements: &[&str]) {
    for sql in statements {
        own(&mut others[0], "set lock_wait_timeout = 1");
        let begun = Instant::now();
        assert_eq!(own(&mut others[0], sql), "error 1205", "{sql}");
        assert!(begun.elapsed() < Duration::from_secs(10));
        own(&mut others[0], "set lock_wait_timeout = 100");
        let [waits, kills, _] = &mut *others;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let find = "select id from information_schema.processlist where state like 'Waiting%'";
                while own(kills, find).is_empty() {
                    std::thread::sleep(Duration::from_millis(10));
                }
                let id = own(kills, find);
                own(kills, &format!("kill query {id}"));
            });
            assert_eq!(own(waits, sql), "error 1317", "{sql}");
        });
    }
}

#[test]
fn sessions_that_wait_for_each_other_are_told() {
    let mut db = Database::new();
    db.run("create table t (a int)");
    db.run("create table u (a int)");
    let mut sessions = [0, 1].map(|_| db.connect());
    let [one, two] = &mut sessions;
    assert_eq!(own(one, "lock tables t write concurrent"), "");
    assert_eq!(own(two, "select get_lock('l', 0)"), "1");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let answer = own(two, "insert into t values (1)");
            assert!(answer.is_empty() || answer == "error 1213", "{answer}");
            own(two, "do release_lock('l')");
        });
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        let answer = own(one, "select get_lock('l', 60)");
        assert!(answer == "1" || answer == "error 1213", "{answer}");
        assert!(begun.elapsed() < Duration::from_secs(20));
        own(one, "unlock tables");
    });
}

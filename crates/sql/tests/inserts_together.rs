//! INSERTs of several sessions that wait for one table: the first who gets it writes for all. Each of them must see what it would see alone.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use common::{Answer, Database, ask};

/// A statement of a session of its own, whose answer comes later, and with it those of what the session asks behind it.
struct Running {
    id: String,
    thread: JoinHandle<Vec<Answer>>,
}

/// Runs `before`, which must succeed, then the statements of a session in a thread.
fn begin(db: &Database, before: &[&str], statements: &[String]) -> Running {
    let mut session = db.connect();
    for sql in before {
        let a = ask(&mut session, sql);
        assert_eq!(a.error, None, "{sql}");
    }
    let id = ask(&mut session, "select connection_id()").rows[0][0].clone();
    let statements = statements.to_vec();
    let thread =
        std::thread::spawn(move || statements.iter().map(|sql| ask(&mut session, sql)).collect::<Vec<_>>());
    Running { id, thread }
}

/// Returns when so many sessions wait for a table.
fn await_waiting(db: &mut Database, sessions: usize) {
    let begun = Instant::now();
    let sql = "select count(*) from information_schema.processlist where state like 'Waiting for table%'";
    while db.rows(sql)[0] != sessions.to_string() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{sessions} sessions do not wait");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Begins statements one after the other while the table `t` is locked: they wait in this order.
fn begin_all(db: &mut Database, of_each: &[Vec<String>]) -> Vec<Running> {
    let mut all = Vec::new();
    for statements in of_each {
        all.push(begin(db, &[], statements));
        await_waiting(db, all.len());
    }
    all
}

fn answers(all: Vec<Running>) -> Vec<Vec<Answer>> {
    all.into_iter().map(|r| r.thread.join().expect("no panic")).collect()
}

fn values(n: usize, row: impl Fn(usize) -> String) -> String {
    (0..n).map(row).collect::<Vec<_>>().join(",")
}

const TABLE: &str =
    "create table t (id int auto_increment primary key, a int, b varchar(20), key (a), key (b))";

#[test]
fn each_session_has_its_own_rows_and_numbers() {
    let mut db = Database::new();
    db.run(TABLE);
    db.run("insert into t (a, b) values (-1, 'first')");
    db.run("lock tables t write");
    let of_each: Vec<Vec<String>> = (0..6)
        .map(|s| {
            let rows = values(50 + s, |n| format!("({}, 'row {n} of {s}')", n * 7 % 50));
            vec![
                "flush status".into(),
                format!("insert into t (a, b) values {rows}"),
                "select last_insert_id(), row_count()".into(),
                format!(
                    "select count(*), max(id) - min(id) + 1, min(id) = last_insert_id() from t where b like '% of {s}'"
                ),
                "show status like 'handler_write'".into(),
            ]
        })
        .collect();
    let all = begin_all(&mut db, &of_each);
    db.run("unlock tables");
    let mut first = 2;
    for (s, a) in answers(all).into_iter().enumerate() {
        let rows = 50 + s as u64;
        assert_eq!((a[1].error.clone(), a[1].affected, a[1].last_insert_id), (None, rows, first), "{s}");
        assert_eq!(a[1].info, format!("Records: {rows}  Duplicates: 0  Warnings: 0"));
        assert_eq!(a[2].rows[0], [first.to_string(), rows.to_string()]);
        assert_eq!(a[3].rows[0], [rows.to_string(), rows.to_string(), "1".into()], "{s}");
        // the queries behind it write none
        assert_eq!(a[4].rows[0][1], rows.to_string(), "{s}");
        first += rows;
    }
    assert_eq!(db.rows("check table t extended"), ["test.t|check|status|OK"]);
    assert_eq!(db.rows("select count(*) from t force index (a) where a between -1 and 60"), ["316"]);
    assert_eq!(db.rows("select count(*) from t force index (b) where b > ''"), ["316"]);
}

#[test]
fn an_error_is_of_its_own_statement() {
    let mut db = Database::new();
    db.run("create table t (u int not null, s varchar(3), unique (u))");
    db.run("lock tables t write");
    let of_each: Vec<Vec<String>> = [
        "insert into t values (1, 'a'), (2, 'a'), (3, 'a')",
        "insert into t values (4, 'b'), (2, 'b'), (5, 'b')",
        "insert into t values (6, 'c'), (7, 'c')",
        "insert into t values (7, 'd'), (8, 'd')",
        // these go their own way
        "insert into t values (9, 'e'), (10, 'too long')",
        "insert ignore into t values (1, 'f'), (11, 'f'), (12, 'too long')",
        "replace into t values (3, 'g')",
        "insert into t values (4, 'h') on duplicate key update s = 'hh'",
        "insert into t values (13, null), (null, 'i')",
    ]
    .iter()
    .map(|sql| vec![(*sql).to_string(), "show warnings".into()])
    .collect();
    let all = begin_all(&mut db, &of_each);
    db.run("unlock tables");
    let told: Vec<String> = answers(all)
        .iter()
        .map(|a| format!("{}/{}/{}", a[0].error.as_deref().unwrap_or("-"), a[0].affected, a[1].rows.len()))
        .collect();
    assert_eq!(
        told,
        [
            "-/3/0",
            "1062 (23000): Duplicate entry '2' for key 'u'/0/1",
            "-/2/0",
            "1062 (23000): Duplicate entry '7' for key 'u'/0/1",
            "-/2/1",
            "-/2/2",
            "-/2/0",
            "-/2/0",
            "-/2/1",
        ]
    );
    let rows = db.rows("select u, s from t order by u");
    assert_eq!(
        rows,
        ["0|i", "1|a", "2|a", "3|g", "4|hh", "6|c", "7|c", "9|e", "10|too", "11|f", "12|too", "13|NULL"],
        "MyISAM keeps rows before the one that is refused"
    );
    assert_eq!(db.rows("check table t extended"), ["test.t|check|status|OK"]);
}

#[test]
fn who_is_killed_or_waits_too_long_leaves_the_others() {
    let mut db = Database::new();
    db.run(TABLE);
    db.run("lock tables t write");
    let statement = |s: usize| vec![format!("insert into t (a, b) values ({s}, 's'), ({s}, 's')")];
    let mut all = begin_all(&mut db, &(0..6).map(statement).collect::<Vec<_>>());
    // the leader, the one that leads then, and one of those who wait for them
    for victim in [0, 1, 3] {
        db.run(&format!("kill query {}", all[victim].id));
    }
    await_waiting(&mut db, 3);
    let patient = begin(&db, &["set lock_wait_timeout = 1"], &statement(6));
    let (sent, told): (_, Receiver<()>) = channel();
    let late = patient.thread;
    std::thread::spawn(move || {
        let answers = late.join().expect("no panic");
        assert!(answers[0].error.as_ref().is_some_and(|e| e.starts_with("1205")), "{:?}", answers[0]);
        sent.send(()).expect("somebody waits");
    });
    told.recv_timeout(Duration::from_secs(20)).expect("an INSERT gave up after a second");
    all.push(begin(&db, &[], &statement(7)));
    await_waiting(&mut db, 4);
    db.run("unlock tables");
    let errors: Vec<String> = answers(all)
        .into_iter()
        .map(|a| a[0].error.as_ref().map_or("-".into(), |e| e[..4].to_string()))
        .collect();
    assert_eq!(errors, ["1317", "1317", "-", "1317", "-", "-", "-"]);
    assert_eq!(db.rows("select a, count(*) from t group by a"), ["2|2", "4|2", "5|2", "7|2"]);
    // nobody is left behind in the queue
    db.run("lock tables t write");
    let all = begin_all(&mut db, &[statement(8), statement(9)]);
    db.run("unlock tables");
    assert!(answers(all).iter().all(|a| a[0].error.is_none()));
    assert_eq!(db.rows("select count(*) from t"), ["12"]);
}

#[test]
fn tables_may_change_meanwhile() {
    let mut db = Database::new();
    db.run(TABLE);
    db.run("lock tables t write");
    let statement = |s: usize| vec![format!("insert into t (a, b) values ({s}, 'x'), ({s}, 'y')")];
    let all = begin_all(&mut db, &(0..5).map(statement).collect::<Vec<_>>());
    db.run("alter table t add c int not null default 5 first, modify b varchar(10)");
    db.run("unlock tables");
    assert!(answers(all).iter().all(|a| a[0].error.is_none() && a[0].affected == 2));
    assert_eq!(db.rows("select count(*), sum(c), max(id) from t"), ["10|50|10"]);

    db.run("lock tables t write");
    let all = begin_all(&mut db, &(0..5).map(statement).collect::<Vec<_>>());
    db.run("drop table t");
    db.run("unlock tables");
    let errors: Vec<String> =
        answers(all).into_iter().map(|a| a[0].error.clone().unwrap_or_default()).collect();
    assert!(errors.iter().all(|e| e.starts_with("1146")), "{errors:?}");
}

/// Who leads may acknowledge at once where others must wait for the disk: each waits as its own session asks.
#[test]
fn each_session_waits_for_its_own_durability() {
    let mut db = Database::new();
    db.run(TABLE);
    db.run("lock tables t write");
    let mut all = Vec::new();
    for (n, durability) in ["none", "commit", "none", "commit", "second"].into_iter().enumerate() {
        let mut session = db.connect();
        ask(&mut session, &format!("set durability = '{durability}'"));
        let pending = session.defer_durability();
        all.push(std::thread::spawn(move || {
            let a = ask(&mut session, &format!("insert into t (a) values ({n}), ({n})"));
            (a.error, pending.is_pending(), durability)
        }));
        await_waiting(&mut db, n + 1);
    }
    db.run("unlock tables");
    for thread in all {
        let (error, pending, durability) = thread.join().expect("no panic");
        assert_eq!((error, pending), (None, durability == "commit"), "{durability}");
    }
}

const COLUMNS: [&str; 24] = [
    "tinyint",
    "smallint unsigned",
    "mediumint",
    "int not null",
    "bigint unsigned",
    "decimal(10,3)",
    "float",
    "double(8,2)",
    "bit(11)",
    "year",
    "date",
    "time(2)",
    "datetime(3)",
    "timestamp null",
    "char(5)",
    "varchar(5) character set latin1",
    "varbinary(4)",
    "binary(3)",
    "tinytext",
    "mediumblob",
    "enum('a','bb')",
    "set('x','y')",
    "inet6",
    "timestamp",
];

const LITERALS: &str = "0;1;-1;127;300;18446744073709551615;1.5;1.2345;1e3;-0.0;'12';'1.5x';'';'abc';'abcdefgh';'ä€';\
    _latin1 x'e4';x'4142';b'101';null;default;true;'2024-02-29';'2024-02-30';'2024-02-29 12:13:14.5678';'12:13:14';'a';\
    'x,y';'::1';'a  '";

fn statements(table: &str) -> Vec<String> {
    let of = |literal: &str| {
        let literal = literal.trim_start();
        [
            format!("insert into {table} (c) values ({literal}), ({literal})"),
            format!("insert into {table} values (null, {literal}, default), (0, {literal}, 3)"),
            "show warnings".into(),
        ]
    };
    LITERALS.split(';').flat_map(of).collect()
}

/// Runs statements while another session writes the table all the time.
fn run_busy(db: &Database, set: &[&str], table: &str) -> Vec<Answer> {
    let stop = Arc::new(AtomicBool::new(false));
    let holder = {
        let (stop, mut session, table) = (Arc::clone(&stop), db.connect(), table.to_string());
        std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                let _ = ask(&mut session, &format!("lock tables {table} write"));
                std::thread::sleep(Duration::from_micros(300));
                let _ = ask(&mut session, "unlock tables");
            }
        })
    };
    let answers = begin(db, set, &statements(table)).thread.join().expect("no panic");
    stop.store(true, Ordering::Relaxed);
    holder.join().expect("no panic");
    answers
}

/// What a table takes from the text of a statement is the same whether it waits for its table or not.
#[test]
fn busy_tables_take_the_same_values() {
    for mode in ["", "strict_all_tables", "strict_trans_tables,no_zero_date,no_auto_value_on_zero"] {
        let mut db = Database::new();
        db.run("set names utf8mb4");
        let set = format!("set names utf8mb4, timestamp = 1700000000, sql_mode = '{mode}'");
        for column in COLUMNS {
            for name in ["alone", "t"] {
                db.run(&format!(
                    "create or replace table {name} (k int auto_increment, c {column}, d int default 7, key (k))"
                ));
            }
            let alone = begin(&db, &[&set], &statements("alone")).thread.join().expect("no panic");
            let busy = run_busy(&db, &[&set], "t");
            for (sql, (a, b)) in statements("t").iter().zip(alone.iter().zip(&busy)) {
                let told = |a: &Answer| {
                    let answer = (&a.rows, a.affected, a.last_insert_id, &a.info, a.warnings, &a.error);
                    format!("{answer:?}").replace("alone", "t")
                };
                assert_eq!(told(a), told(b), "{mode}: {column}: {sql}");
            }
            let rows = |db: &mut Database, name: &str| {
                db.rows(&format!("select k, hex(c), c, d from {name} order by k"))
            };
            assert_eq!(rows(&mut db, "alone"), rows(&mut db, "t"), "{mode}: {column}");
        }
    }
}

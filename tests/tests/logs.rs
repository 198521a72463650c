//! The general log and the log of slow statements, in files and in tables, beside MariaDB's.

use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::prelude::Queryable;
use mysql::{Conn, Value};

/// What both are asked, one by one; errors are part of it.
const STATEMENTS: &[&str] = &[
    "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20)) ENGINE=MyISAM",
    "INSERT INTO t VALUES (1,'x\ny'),(2,'z')",
    "SELECT * FROM t",
    "SELECT * FROM t WHERE a=1  ;  ",
    "SET @x=5",
    "PREPARE p FROM 'SELECT ?, \"?\" /* ? */'",
    "EXECUTE p USING @x",
    "DEALLOCATE PREPARE p",
    "SELECT nosuch",
    "SELEC 1",
    "UPDATE t SET b='q' WHERE a<3",
    "DELETE FROM t WHERE a=2",
    "INSERT INTO t VALUES (2,'z')",
    "SELECT * FROM t ORDER BY b",
    "SHOW TABLES",
    "KILL QUERY 99999",
    "SET log_slow_verbosity='query_plan,warnings'",
    "SELECT t.a+'x' FROM t WHERE a=1",
    "SELECT b, COUNT(*) FROM t GROUP BY b ORDER BY 2",
    "SELECT COUNT(*) FROM t t1, t t2",
    "CHECK TABLE t",
    "ALTER TABLE t ADD c INT",
    "SET log_slow_filter='full_scan'",
    "SELECT 1",
    "SELECT COUNT(*) FROM t WHERE b='u'",
    "SET log_slow_filter=''",
    "SELECT 2",
    "SET log_slow_filter='admin,filesort'",
    "SELECT 3",
    "CHECK TABLE t",
    "SELECT * FROM t ORDER BY b",
    "SET log_slow_admin_statements=0",
    "SET log_slow_filter=DEFAULT",
    "CHECK TABLE t",
    "SET log_slow_rate_limit=2",
    "SELECT 4",
    "SELECT 5",
    "SELECT 6",
    "SELECT 7",
    "SET log_slow_rate_limit=1",
    "SET min_examined_row_limit=1",
    "SELECT 8",
    "SELECT a FROM t WHERE a=1",
    "SET min_examined_row_limit=0",
    "SET long_query_time=10, log_queries_not_using_indexes=1",
    "SELECT 9",
    "SELECT * FROM t",
    "SELECT a FROM t WHERE a=2",
    "SET sql_log_off=1",
    "SELECT 'not in the general log'",
    "SET sql_log_off=0",
    "SET slow_query_log=0",
    "SELECT * FROM t WHERE b='not among the slow ones'",
    "CREATE PROCEDURE pr() BEGIN SELECT 1; SELECT 2; END",
    "CALL pr()",
];

/// A peer with its logs at these paths.
fn start(peer: &Peer, dir: &std::path::Path, name: &str, output: &str) -> Conn {
    let mut root = peer.connect("");
    root.query_drop("CREATE DATABASE d").expect("database");
    root.query_drop("CREATE USER u@localhost IDENTIFIED BY 'x'").expect("user");
    for (variable, file) in [("general_log_file", "general"), ("slow_query_log_file", "slow")] {
        let path = dir.join(format!("{name}.{file}"));
        root.query_drop(format!("SET GLOBAL {variable} = '{}'", path.display())).expect("file");
    }
    root.query_drop(format!("SET GLOBAL log_output='{output}', long_query_time=0")).expect("output");
    root.query_drop("SET GLOBAL slow_query_log=1, general_log=1").expect("on");
    root
}

fn run(peer: &Peer) {
    let mut conn = peer.connect("d");
    for sql in STATEMENTS {
        let _ = conn.query_iter(*sql).map(|mut r| while r.iter().is_some() {});
    }
    let values = vec![
        Value::Int(-5),
        Value::Float(1.1),
        Value::Double(1e100),
        Value::from("a'b\\c"),
        Value::Date(2026, 1, 2, 0, 0, 0, 0),
        Value::Time(true, 1, 1, 2, 3, 0),
        Value::NULL,
    ];
    let marks = vec!["?"; values.len()].join(",");
    let _: Vec<mysql::Row> = conn.exec(format!("SELECT {marks}"), values).expect("execute");
    drop(conn);
    let options =
        |db: &str| mysql::OptsBuilder::from_opts(peer.options(db)).user(Some("u")).pass(Some("wrong"));
    assert!(Conn::new(options("d")).is_err(), "logged in with a wrong password");
    let mut multi = peer.connect("d");
    let mut result = multi.query_iter("SELECT 1; SELECT 2 ;  SELECT 3").expect("several statements");
    while result.iter().is_some() {}
    drop(result);
    let _ = multi.select_db("mysql");
}

/// The lines of the general log without times, numbers of threads and the head.
fn general(text: &str) -> Vec<String> {
    let mut threads: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines().filter(|l| !is_head(l)) {
        // `[time]\t[\t]     id Command\ttext`
        let entry = line.trim_start_matches(|c: char| "0123456789: \t".contains(c));
        let number: String =
            line[..line.len() - entry.len()].chars().rev().skip(1).take_while(char::is_ascii_digit).collect();
        // the end of a connection and the beginning of the next one meet in any order
        if entry.starts_with("Quit\t") || entry.starts_with("Close stmt\t") {
            continue;
        }
        if entry.contains('\t') {
            let known = threads.iter().position(|t| *t == number).unwrap_or(threads.len());
            if known == threads.len() {
                threads.push(number);
            }
            lines.push(format!("{known} {entry}"));
        } else {
            lines.push(line.to_owned());
        }
    }
    lines
}

fn is_head(line: &str) -> bool {
    line.contains(", Version: ") || line.starts_with("Tcp port") || line.starts_with("Time\t")
}

/// The entries of the log of slow statements: what is told of them that is the same everywhere, and the text.
fn slow(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines().filter(|l| !is_head(l)) {
        let field = |name: &str| line.split("  ").find(|f| f.contains(name)).unwrap_or_default().to_owned();
        if line.starts_with("# Thread_id") {
            lines.push(field("Schema"));
        } else if line.starts_with("# Query_time") {
            lines.push(format!("{} {}", field("Rows_sent"), field("Rows_examined")));
        } else if line.starts_with("# Rows_affected") {
            lines.push(field("Rows_affected"));
        } else if !line.starts_with("# Time:")
            && !line.starts_with("SET timestamp=")
            && !line.starts_with("# Tmp_tables")
        {
            lines.push(line.to_owned());
        }
    }
    lines
}

fn diff(what: &str, ours: &[String], theirs: &[String]) {
    for (n, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert_eq!(a, b, "{what}, line {n}; before: {:?}", &ours[n.saturating_sub(6)..n]);
    }
    assert_eq!(ours.len(), theirs.len(), "{what}: {:?}", ours.last().zip(theirs.last()));
}

#[test]
fn logs_in_files_are_as_mariadbs() {
    if !oracle_present() {
        return;
    }
    let dir = scratch("logs");
    let peers = [Peer::isambard(&[]), Peer::mariadb(&[])];
    for (peer, name) in peers.iter().zip(["ours", "theirs"]) {
        let mut root = start(peer, &dir, name, "FILE");
        run(peer);
        std::thread::sleep(std::time::Duration::from_millis(200));
        root.query_drop("SET GLOBAL general_log=0, slow_query_log=0").expect("off");
    }
    let read = |name: &str| String::from_utf8_lossy(&std::fs::read(dir.join(name)).expect(name)).into_owned();
    diff("general log", &general(&read("ours.general")), &general(&read("theirs.general")));
    diff("slow log", &slow(&read("ours.slow")), &slow(&read("theirs.slow")));
}

#[test]
fn logs_in_tables_are_as_mariadbs() {
    if !oracle_present() {
        return;
    }
    let dir = scratch("log_tables");
    let peers = [Peer::isambard(&[]), Peer::mariadb(&[])];
    let [ours, theirs] = [0, 1].map(|n: usize| {
        let mut root = start(&peers[n], &dir, "none", "TABLE");
        run(&peers[n]);
        root.query_drop("SET GLOBAL general_log=0, slow_query_log=0").expect("off");
        let general: Vec<(String, String, String)> = root
            .query("SELECT user_host, command_type, argument FROM mysql.general_log WHERE command_type NOT IN ('Quit', 'Close stmt')")
            .expect("general");
        let slow: Vec<(String, u64, u64, String, String)> = root
            .query("SELECT user_host, rows_sent, rows_affected, db, sql_text FROM mysql.slow_log")
            .expect("slow");
        root.query_drop("TRUNCATE mysql.general_log").expect("truncate");
        (general, slow)
    });
    for (a, b) in ours.0.iter().zip(&theirs.0) {
        assert_eq!(a.1, b.1, "{a:?} {b:?}");
        assert_eq!(a.2, b.2);
    }
    assert_eq!(ours.0.len(), theirs.0.len());
    for (a, b) in ours.1.iter().zip(&theirs.1) {
        assert_eq!(a, b);
    }
    assert_eq!(ours.1.len(), theirs.1.len());
}

/// FLUSH LOGS goes on in a new file once the old one was renamed; a file that cannot be written harms no statement.
#[test]
fn logs_are_opened_again_and_may_fail() {
    let dir = scratch("log_files");
    let peer = Peer::isambard(&[]);
    let mut root = start(&peer, &dir, "l", "FILE");
    root.query_drop("SELECT 'first'").expect("select");
    std::fs::rename(dir.join("l.general"), dir.join("old")).expect("rename");
    root.query_drop("SELECT 'second'").expect("select");
    root.query_drop("FLUSH GENERAL LOGS").expect("flush");
    root.query_drop("SELECT 'third'").expect("select");
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).expect(name);
    assert!(read("old").contains("'first'") && read("old").contains("'second'"));
    assert!(read("l.general").contains("'third'") && !read("l.general").contains("'second'"));
    let pipe = dir.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    // a pipe that nobody reads, what the server itself maps, what options are read from
    for bad in [
        pipe.to_str().expect("path"),
        "/nowhere/at/all",
        "mysql/db.MYD",
        "isambard.journal.000001",
        "my.ini",
        "/dev/null",
    ] {
        let refused = root.query_drop(format!("SET GLOBAL general_log_file='{bad}'")).expect_err(bad);
        assert!(refused.to_string().contains("1231"), "{bad}: {refused}");
    }
    root.query_drop("SELECT 'fourth'").expect("select");
    assert!(read("l.general").contains("'fourth'"));
    root.query_drop("SET GLOBAL log_output='TABLE'").expect("set");
    root.query_drop("SELECT 'fifth'").expect("select");
    let listed: Vec<mysql::Row> = root.query("SHOW PROCESSLIST").expect("list");
    assert_eq!(listed.len(), 1, "who writes the log's table is no client");
    root.query_drop("SET GLOBAL log_output='FILE'").expect("set");
    root.query_drop("CREATE USER v IDENTIFIED BY 'very secret'").expect("user");
    assert!(!read("l.slow").contains("very secret"), "a password in a log");
}

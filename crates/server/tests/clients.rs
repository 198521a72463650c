//! The programs of MariaDB's own client package, where they are installed.

#[path = "clients/encryption.rs"]
mod encryption;
mod support;

use std::process::Command;

use mysql::prelude::Queryable;
use support::TestServer;

/// Runs a program as root against the server; nothing when it is not installed.
fn client(server: &TestServer, program: &str, arguments: &[&str], input: &str) -> Option<String> {
    use std::io::Write;
    let mut child = match Command::new(program)
        .args(["--no-defaults", "--user=root"])
        .arg(format!("--socket={}", server.socket.display()))
        .args(arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
    {
        Ok(child) => child,
        Err(_) => {
            eprintln!("{program} is not installed: skipped");
            return None;
        }
    };
    child.stdin.take().expect("stdin").write_all(input.as_bytes()).expect("input");
    let output = child.wait_with_output().expect("output");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {arguments:?}: {out}{err}");
    Some(out.into_owned())
}

fn filled() -> TestServer {
    let server = TestServer::start();
    server
        .client()
        .query_drop(
            "CREATE DATABASE museum; CREATE TABLE museum.ship (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40), \
             length DOUBLE, built DATE, note TEXT, KEY (name)); \
             INSERT INTO museum.ship (name, length, built, note) VALUES ('Great Western', 72, '1837-07-19', 'paddle'), \
             ('Great Eastern', 211, '1858-01-31', NULL), ('Great Britain', 98, '1843-07-19', 'tab\\tand\\nline')",
        )
        .expect("tables");
    server
}

#[test]
fn mariadb_prints_tables() {
    let server = filled();
    let table = "+----+---------------+--------+\n| id | name          | length |\n+----+---------------+--------+\n\
                 |  1 | Great Western |     72 |\n|  2 | Great Eastern |    211 |\n|  3 | Great Britain |     98 |\n\
                 +----+---------------+--------+\n";
    let query = "SELECT id, name, length FROM ship ORDER BY id";
    if let Some(printed) = client(&server, "mariadb", &["-t", "-e", query, "museum"], "") {
        assert_eq!(printed, table);
    }
    if let Some(printed) = client(&server, "mariadb", &["museum"], "select note from ship where id=3\\G\n") {
        assert!(printed.contains("note: tab\tand\nline"), "{printed}");
    }
    if let Some(printed) = client(&server, "mariadb", &["museum", "-e", "status"], "") {
        assert!(printed.contains("Current database:\tmuseum") && printed.contains("10.11."), "{printed}");
    }
    // Interactive start: database and table names, COM_FIELD_LIST for completion.
    if let Some(printed) =
        client(&server, "mariadb", &["--auto-rehash", "museum", "-e", "select count(*) from ship"], "")
    {
        assert_eq!(printed, "count(*)\n3\n");
    }
}

#[test]
fn administration() {
    let server = filled();
    if let Some(printed) = client(&server, "mariadb-admin", &["ping"], "") {
        assert!(printed.contains("mysqld is alive"), "{printed}");
        let printed = client(&server, "mariadb-admin", &["status"], "").expect("installed");
        assert!(printed.starts_with("Uptime: "), "{printed}");
        let printed = client(&server, "mariadb-admin", &["processlist"], "").expect("installed");
        assert!(printed.contains("| root") && printed.contains("show processlist"), "{printed}");
        let printed = client(&server, "mariadb-admin", &["extended-status"], "").expect("installed");
        assert!(printed.contains("Threads_connected") && printed.contains("Bytes_sent"), "{printed}");
    }
    if let Some(printed) = client(&server, "mariadb-check", &["museum"], "") {
        assert!(printed.contains("museum.ship") && printed.contains("OK"), "{printed}");
    }
    if let Some(printed) = client(&server, "mariadb-show", &["museum", "ship"], "") {
        assert!(printed.contains("| length"), "{printed}");
    }
}

#[test]
fn dumps_come_back() {
    let server = filled();
    let Some(dump) = client(&server, "mariadb-dump", &["--databases", "museum", "--skip-dump-date"], "")
    else {
        return;
    };
    assert!(dump.contains("INSERT INTO `ship` VALUES") && dump.contains("ENGINE=MyISAM"), "{dump}");
    let other = TestServer::start();
    client(&other, "mariadb", &[], &dump);
    let again = client(&other, "mariadb-dump", &["--databases", "museum", "--skip-dump-date"], "")
        .expect("installed");
    assert_eq!(dump, again);
    let tab =
        client(&other, "mariadb-dump", &["--single-transaction", "--routines", "--events", "museum"], "");
    assert!(tab.is_some());
}

#[test]
fn imports() {
    let server = filled();
    let path = server.directory().join("ship.txt");
    std::fs::write(&path, "10\tTitan\t1.5\t1900-01-01\tx\n11\tNemo\t\\N\t\\N\t\\N\n").expect("file");
    let file = path.to_str().expect("path");
    let Some(printed) = client(&server, "mariadb-import", &["--local", "museum", file], "") else { return };
    assert_eq!(printed.trim(), "museum.ship: Records: 2  Deleted: 0  Skipped: 0  Warnings: 0");
    let names: Vec<String> =
        server.client().query("SELECT name FROM museum.ship WHERE id > 9 ORDER BY id").expect("select");
    assert_eq!(names, ["Titan", "Nemo"]);
}

#[test]
fn shutdown_is_a_statement_and_a_command() {
    use std::sync::atomic::Ordering;
    let server = TestServer::start();
    let times = || server.asked.load(Ordering::SeqCst);
    let mut root = server.client();
    root.query_drop("CREATE USER plain@localhost").expect("account");
    let mut plain = mysql::Conn::new(server.options().user(Some("plain"))).expect("client");
    for sql in ["SHUTDOWN", "SHUTDOWN WAIT FOR ALL SLAVES"] {
        let refused = plain.query_drop(sql).expect_err("no privilege").to_string();
        assert!(refused.contains("1227") && refused.contains("SHUTDOWN privilege"), "{refused}");
    }
    assert!(root.query_drop("SHUTDOWN NOW").is_err());
    assert_eq!(times(), 0);
    root.query_drop("GRANT SHUTDOWN ON *.* TO plain@localhost").expect("grant");
    let mut plain = mysql::Conn::new(server.options().user(Some("plain"))).expect("client");
    // the answer is there before the stop
    plain.query_drop("SHUTDOWN WAIT FOR ALL REPLICAS").expect("answer");
    let asked = |count| {
        let waited = std::time::Instant::now();
        while times() < count && waited.elapsed().as_secs() < 30 {
            std::thread::yield_now();
        }
        assert!(times() >= count, "{} of {count}", times());
    };
    asked(1);
    root.exec_drop("SHUTDOWN", ()).expect("answer");
    asked(2);
    if client(&server, "mariadb-admin", &["--user=plain", "shutdown"], "").is_some() {
        asked(3);
    }
}

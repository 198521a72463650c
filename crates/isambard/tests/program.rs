//! The binary as a user runs it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn isambard(datadir: &Path, arguments: &[&str], input: &str) -> Output {
    let (command, rest) = arguments.split_first().expect("command");
    let mut child = Command::new(env!("CARGO_BIN_EXE_isambard"))
        .arg(command)
        .arg("--datadir")
        .arg(datadir)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    // A program that ends early reads nothing.
    let _ = child.stdin.take().expect("stdin").write_all(input.as_bytes());
    child.wait_with_output().expect("output")
}

fn text(output: &Output) -> (String, String, bool) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.success())
}

#[test]
fn shell_prints_as_the_mariadb_client() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let data = directory.path().join("data");
    let script = "create database museum; use museum;\n\
                  create table ship (id int primary key auto_increment, name varchar(20), length double);\n\
                  insert into ship (name, length) values ('Great Western', 72), ('tab\\there', null);\n\
                  select * from ship; -- ; not here\nselect name from ship where id = 1\\G\n";
    let (out, err, success) = text(&isambard(&data, &["sql"], script));
    assert!(success, "{out}{err}");
    assert_eq!(
        out,
        "id\tname\tlength\n1\tGreat Western\t72\n2\ttab\\there\tNULL\n\
         *************************** 1. row ***************************\nname: Great Western\n"
    );
    let (out, ..) =
        text(&isambard(&data, &["sql", "-e", "select id, name, length from ship where id=1", "museum"], ""));
    assert_eq!(
        out,
        "+----+---------------+--------+\n| id | name          | length |\n+----+---------------+--------+\n\
         |  1 | Great Western |     72 |\n+----+---------------+--------+\n"
    );
    let (out, ..) =
        text(&isambard(&data, &["sql", "-B", "-N", "-e", "select 1, 'a'; select 2", "museum"], ""));
    assert_eq!(out, "1\ta\n2\n");
    // A script, through `source`, with a delimiter of its own.
    let file = directory.path().join("more.sql");
    std::fs::write(
        &file,
        "delimiter //\ninsert into ship (name) values ('a;b')//\nselect count(*) n from ship//\n",
    )
    .expect("file");
    let (out, err, success) =
        text(&isambard(&data, &["sql", "museum"], &format!("source {}\n", file.display())));
    assert!(success, "{err}");
    assert_eq!(out, "n\n3\n");
}

#[test]
fn errors_name_number_state_and_line() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let data = directory.path().join("data");
    let (out, err, success) =
        text(&isambard(&data, &["sql"], "select 1;\nselect * from none.t;\nselect 2;\n"));
    assert_eq!((out.as_str(), success), ("1\n1\n", false));
    assert_eq!(err, "ERROR 1146 (42S02) at line 2: Table 'none.t' doesn't exist\n");
    let (out, _, success) = text(&isambard(&data, &["sql", "--force"], "selec 1;\nselect 2;\n"));
    assert_eq!((out.as_str(), success), ("2\n2\n", false));
    let (_, err, success) = text(&isambard(&data, &["sql", "nodb"], ""));
    assert!(!success && err.contains("Unknown database 'nodb'"), "{err}");
}

#[test]
fn a_directory_in_use_is_refused() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let data = directory.path().join("data");
    let _held = isambard::Database::open(&data).expect("open");
    let (_, err, success) = text(&isambard(&data, &["sql", "-e", "select 1"], ""));
    assert!(!success, "{err}");
    assert!(err.starts_with("isambard: ") && err.contains("use"), "{err}");
}

#[test]
fn server_says_how_to_connect_and_stops_cleanly() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let data = directory.path().join("data");
    let mut server = Command::new(env!("CARGO_BIN_EXE_isambard"))
        .args(["serve", "--port", "0", "--datadir"])
        .arg(&data)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    let socket = data.join("isambard.sock");
    let begun = std::time::Instant::now();
    while std::os::unix::net::UnixStream::connect(&socket).is_err() {
        assert!(begun.elapsed().as_secs() < 30, "does not answer");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let options = mysql::OptsBuilder::new().socket(socket.to_str()).user(Some("root"));
    let mut client = mysql::Conn::new(options).expect("connect");
    {
        use mysql::prelude::Queryable;
        client
            .query_drop("CREATE DATABASE d; CREATE TABLE d.t (a INT); INSERT INTO d.t VALUES (7)")
            .expect("fill");
    }
    drop(client);
    // By the client's program where there is one, else by signal.
    let admin = Command::new("mariadb-admin")
        .args(["--no-defaults", "--user=root", "shutdown"])
        .arg(format!("--socket={}", socket.display()))
        .status();
    if !admin.is_ok_and(|status| status.success()) {
        let status = Command::new("kill").arg("-TERM").arg(server.id().to_string()).status().expect("kill");
        assert!(status.success());
    }
    assert!(server.wait().expect("end").success());
    let output = server.wait_with_output().expect("output");
    let (out, err, _) = text(&output);
    assert!(out.contains("mariadb --socket=") && out.contains("mariadb --host=127.0.0.1 --port="), "{out}");
    assert!(err.contains("ready for connections") && err.contains("shutdown complete"), "{err}");
    assert!(!socket.exists());
    let (out, ..) = text(&isambard(&data, &["sql", "-B", "-N", "-e", "select a from d.t"], ""));
    assert_eq!(out, "7\n");
    let (out, err, success) = text(&isambard(&data, &["check", "--extended"], ""));
    assert!(success, "{err}");
    assert!(out.contains("d.t: status: OK"), "{out}");
}

#[test]
fn help_teaches() {
    let output = Command::new(env!("CARGO_BIN_EXE_isambard")).arg("--help").output().expect("help");
    let (out, ..) = text(&output);
    for word in ["serve", "sql", "check", "Examples:", "isambard serve --datadir"] {
        assert!(out.contains(word), "{word}: {out}");
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_isambard")).args(["serve", "--set", "x"]).output().expect("help");
    assert!(!output.status.success());
}

//! One run of a test: what each of its statements answered.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::server::{Kind, Places, Server};
use crate::suite::{Test, find};

/// A statement (with the SHOW WARNINGS that belongs to it left out) and everything recorded for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its text; several when they were sent before one answer was recorded.
    pub text: Vec<u8>,
    /// Rows, headings, warnings, error.
    pub answer: Vec<u8>,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// What was recorded is what MariaDB's package expects, byte for byte.
    Passed,
    /// It is not.
    Differs,
    /// The time was up.
    TimedOut,
    /// The server was gone, or a thread of it panicked.
    Died,
}

/// A test that was run.
#[derive(Clone, Debug)]
pub struct Record {
    /// How it ended.
    pub end: End,
    /// Milliseconds it took.
    pub millis: u64,
    /// Its statements.
    pub statements: Vec<Statement>,
}

/// Runs a test on a fresh server.
pub fn run(places: &Places, kind: Kind, n: usize, test: &Test, limit: Duration) -> Result<Record, String> {
    let mut server = Server::start(places, kind, n)?;
    server.sql(
        "drop database if exists test; create database test character set latin1 collate latin1_swedish_ci",
    );
    if let Some(settings) = test.settings() {
        server.sql(settings);
    }
    let (side, recorded) = (server.base.join("side"), server.base.join("recorded"));
    let begun = Instant::now();
    let mut child =
        mysqltest(places, &server, test, &recorded, &side).spawn().map_err(|e| format!("mysqltest: {e}"))?;
    let mut status = None;
    while status.is_none() && begun.elapsed() < limit {
        status = child.try_wait().map_err(|e| e.to_string())?;
        std::thread::sleep(Duration::from_millis(10));
    }
    let millis = begun.elapsed().as_millis() as u64;
    if status.is_none() {
        // with the programs it has started
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
        let _ = child.wait();
    }
    let died = !server.alive() || server.panicked();
    let text = read_record(&server, &recorded);
    let expected = fs::read(&test.result).map_err(|e| e.to_string())?;
    let end = match status {
        _ if died => End::Died,
        None => End::TimedOut,
        Some(s) if s.success() && text == expected => End::Passed,
        Some(_) => End::Differs,
    };
    let side = fs::read(side).unwrap_or_default();
    let statements = cut(&side, &text, &server);
    Ok(Record { end, millis, statements })
}

/// What mysqltest recorded; of a test that was cut short it lies in its log.
fn read_record(server: &Server, recorded: &Path) -> Vec<u8> {
    if let Ok(text) = fs::read(recorded) {
        return text;
    }
    let mut logs = fs::read_dir(server.var.join("log")).into_iter().flatten().flatten().map(|e| e.path());
    let log = logs.find(|p| p.extension().is_some_and(|e| e == "log"));
    log.and_then(|p| fs::read(p).ok()).unwrap_or_default()
}

/// Cuts the record where the hook saw commands end.
fn cut(side: &[u8], record: &[u8], server: &Server) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut texts: Vec<&[u8]> = Vec::new();
    let (mut at, mut last) = (0, 0);
    let mut close = |texts: &mut Vec<&[u8]>, answer: &[u8]| {
        let own: Vec<&[u8]> =
            texts.iter().copied().filter(|t| !t.eq_ignore_ascii_case(b"show warnings")).collect();
        let text = if own.is_empty() { texts.join(&b';') } else { own.join(&b';') };
        // what include files ask about features says nothing
        if !texts.is_empty() && !asks_for_feature(&text) {
            statements.push(Statement { text: plain(&text, server), answer: plain(answer, server) });
        }
        texts.clear();
    };
    while let Some(line) = side[at..].iter().position(|b| *b == b'\n').map(|n| at + n) {
        let number = std::str::from_utf8(&side[at + 1..line]).ok().and_then(|n| n.parse::<usize>().ok());
        let Some(number) = number else { break };
        match side[at] {
            b'Q' => {
                let Some(text) = side.get(line + 1..line + 1 + number) else { break };
                texts.push(text);
                at = line + number + 2;
            }
            _ => {
                let until = number.min(record.len());
                close(&mut texts, record.get(last..until).unwrap_or_default());
                last = last.max(until);
                at = line + 1;
            }
        }
        if at >= side.len() {
            break;
        }
    }
    close(&mut texts, record.get(last..).unwrap_or_default());
    statements
}

fn asks_for_feature(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let tables = ["engines", "plugins", "collations", "tables"];
    lower.starts_with(b"select count(*)")
        && tables.iter().any(|t| find(&lower, format!("from information_schema.{t}").as_bytes()).is_some())
}

/// Without what differs from run to run.
fn plain(text: &[u8], server: &Server) -> Vec<u8> {
    let base = server.base.display().to_string();
    let once = replace(text, base.as_bytes(), b"BASE");
    replace(&once, server.port.to_string().as_bytes(), b"PORT")
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = find(rest, from) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    out.extend_from_slice(rest);
    out
}

fn mysqltest(places: &Places, server: &Server, test: &Test, recorded: &Path, side: &Path) -> Command {
    let tests = places.tests.display();
    let var = server.var.display();
    let folder = test.script.parent().unwrap_or(&places.tests).display();
    let common = vec![
        "--no-defaults".to_owned(),
        "--silent".to_owned(),
        format!("--socket={}", server.socket().display()),
        format!("--port={}", server.port),
        "--user=root".to_owned(),
        "--database=test".to_owned(),
        format!("--tmpdir={var}/tmp"),
        format!("--logdir={var}/log"),
        "--character-sets-dir=/usr/share/mysql/charsets".to_owned(),
        format!("--basedir={tests}/"),
        format!("--suite-dir={folder}/"),
        "--skip-ssl".to_owned(),
        "--connect-timeout=20".to_owned(),
        "--max-connect-retries=3".to_owned(),
        "--wait-for-pos-timeout=20".to_owned(),
    ];
    let mut command = Command::new("mysqltest");
    environment(&mut command, places, server, test);
    command.env("MYSQL_TEST", format!("/usr/bin/mysqltest {}", common.join(" ")));
    command.env("LD_PRELOAD", &places.hook).env("MTR_SIDE", side);
    command.args(common).args(["--record", "--continue-on-error", "--tail-lines=5"]);
    if let Some(protocol) = &places.protocol {
        command.arg(format!("--{protocol}-protocol"));
    }
    command.arg(format!("--test-file={}", test.script.display()));
    command.arg(format!("--result-file={}", recorded.display()));
    command.current_dir(&places.tests).stdin(Stdio::null());
    let log = fs::File::create(server.base.join("mysqltest.log"));
    let log = || log.as_ref().ok().and_then(|f| f.try_clone().ok()).map_or_else(Stdio::null, Stdio::from);
    command.stdout(log()).stderr(log());
    // a group of its own, so that it can be ended with its children
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// The variables that tests read.
fn environment(command: &mut Command, places: &Places, server: &Server, test: &Test) {
    let var = server.var.display().to_string();
    let tests = places.tests.display().to_string();
    let defaults = server.base.join("client.cnf");
    let charset = "default-character-set=latin1";
    let groups: String = ["mysql", "mysqlshow", "mysqlimport", "mysqlcheck", "mysql_upgrade"]
        .map(|g| format!("[{g}]\n{charset}\n"))
        .concat();
    let (socket, port) = (server.socket().display().to_string(), server.port);
    let text = format!(
        "[client]\nuser=root\nsocket={socket}\nport={port}\n{groups}[mysqldump]\n[mysqlbinlog]\ndisable-force-if-open\n"
    );
    let _ = fs::write(&defaults, text);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("LC_") || name == "LANG" {
            command.env_remove(name);
        }
    }
    let client = |program: &str| format!("/usr/bin/{program} --defaults-file={}", defaults.display());
    for (name, value) in [
        ("LC_ALL", "C"),
        ("UMASK", "0660"),
        ("UMASK_DIR", "0770"),
        ("USE_RUNNING_SERVER", "0"),
        ("MYSQL_TEST_DIR", &tests),
        ("DEFAULT_MASTER_PORT", "3306"),
        ("MYSQL_TMP_DIR", &format!("{var}/tmp")),
        ("MYSQLTEST_VARDIR", &var),
        ("MYSQLTEST_REAL_VARDIR", &var),
        ("MYSQLD_DATADIR", &format!("{var}/mysqld.1/data")),
        ("MYSQL_BINDIR", "/usr"),
        ("MYSQL_SHAREDIR", "/usr/share/mysql"),
        ("MYSQL_CHARSETSDIR", "/usr/share/mysql/charsets"),
        ("SECURE_LOAD_PATH", &format!("{tests}/std_data")),
        ("HAVE_BROKEN_DNS", ""),
        ("MASTER_MYPORT", &port.to_string()),
        ("MASTER_MYSOCK", &socket),
        ("MTR_SUITE_DIR", &test.script.parent().map(|p| p.display().to_string()).unwrap_or_default()),
        ("MTR_TEST_NAME", test.name.split('.').next_back().unwrap_or_default()),
        ("PLUGIN_DIR", "/usr/lib/mysql/plugin"),
        ("MYSQLD", "/usr/sbin/mariadbd"),
        ("EXE_MYSQL", "/usr/bin/mariadb"),
        ("NO_BIG", "1"),
        ("BIG_TEST", ""),
        ("MYSQLTEST_FILE", ""),
        ("EXAMPLE_PLUGIN_OPT", ""),
        ("MYSQL_FIX_PRIVILEGE_TABLES", ""),
        ("MTR_COMBINATION_UNIX", "1"),
        ("MTR_COMBINATION_64BIT", "1"),
        ("MTR_COMBINATION_NM", "1"),
        ("MTR_COMBINATION_NM_PROTOCOL", "1"),
        ("OPENSSL_ENABLE_SHA1_SIGNATURES", "1"),
        ("MYSQL", &client("mariadb")),
        ("MYSQL_CHECK", &client("mariadb-check")),
        ("MYSQL_DUMP", &format!("{} --defaults-group-suffix=.1", client("mariadb-dump"))),
        ("MYSQL_SLAP", &client("mariadb-slap")),
        ("MYSQL_IMPORT", &client("mariadb-import")),
        ("MYSQL_SHOW", &client("mariadb-show")),
        ("MYSQL_BINLOG", &format!("{} --local-load={var}/tmp", client("mariadb-binlog"))),
        ("MYSQL_UPGRADE", &client("mariadb-upgrade")),
        ("MYSQLADMIN", &client("mariadb-admin")),
        ("MYSQL_CLIENT_TEST", &format!("{} --testcase --vardir={var}", client("mariadb-client-test"))),
        ("MYSQL_PLUGIN", "/usr/bin/mariadb-plugin"),
        ("MYSQL_MY_PRINT_DEFAULTS", "/usr/bin/my_print_defaults"),
        ("MYISAMLOG", "/usr/bin/myisamlog"),
        ("MYISAMCHK", "/usr/bin/myisamchk"),
        ("MYISAMPACK", "/usr/bin/myisampack"),
        ("MYISAM_FTDUMP", "/usr/bin/myisam_ftdump"),
        ("MARIA_CHK", "/usr/bin/aria_chk"),
        ("MARIA_PACK", "/usr/bin/aria_pack"),
        ("MY_PERROR", "/usr/bin/perror"),
        ("MYSQL_TZINFO_TO_SQL", "/usr/bin/mariadb-tzinfo-to-sql"),
        ("REPLACE", "/usr/bin/replace"),
        ("MARIADB_CONV", "/usr/bin/mariadb-conv --character-sets-dir=/usr/share/mysql/charsets"),
    ] {
        command.env(name, value);
    }
}

impl Record {
    /// Writes it to a file.
    pub fn save(&self, to: &Path) -> io::Result<()> {
        let mut out = format!("{} {} {}\n", self.end as u8, self.millis, self.statements.len()).into_bytes();
        for s in &self.statements {
            out.extend(format!("{} {}\n", s.text.len(), s.answer.len()).into_bytes());
            out.extend_from_slice(&s.text);
            out.extend_from_slice(&s.answer);
        }
        fs::write(to, out)
    }

    /// Reads what [`Record::save`] wrote.
    pub fn load(from: &Path) -> Option<Record> {
        let bytes = fs::read(from).ok()?;
        let mut rest = &bytes[..];
        let head = numbers(&mut rest)?;
        let [end, millis, count] = head[..] else { return None };
        let end =
            [End::Passed, End::Differs, End::TimedOut, End::Died].into_iter().find(|e| *e as u64 == end)?;
        let mut statements = Vec::new();
        for _ in 0..count {
            let sizes = numbers(&mut rest)?;
            let [text, answer] = sizes[..] else { return None };
            let (text, answer) = (text as usize, answer as usize);
            let own = rest.get(..text + answer)?;
            statements.push(Statement { text: own[..text].to_vec(), answer: own[text..].to_vec() });
            rest = &rest[text + answer..];
        }
        Some(Record { end, millis, statements })
    }
}

/// The numbers of a line.
fn numbers(rest: &mut &[u8]) -> Option<Vec<u64>> {
    let end = rest.iter().position(|b| *b == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?;
    *rest = &rest[end + 1..];
    line.split(' ').map(|n| n.parse().ok()).collect()
}

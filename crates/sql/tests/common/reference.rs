//! MariaDB as the reference: a private server, asked through its command-line client.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};

use super::{Answer, TempDir};

/// A running MariaDB.
pub struct Reference {
    child: Child,
    socket: PathBuf,
    dir: TempDir,
}

static SHARED: OnceLock<Mutex<Weak<Reference>>> = OnceLock::new();

impl Reference {
    /// The server that the tests of this process share; `None` when MariaDB is not installed.
    pub fn shared() -> Option<Arc<Reference>> {
        let shared = SHARED.get_or_init(Mutex::default);
        let mut shared = shared.lock().expect("not poisoned");
        if let Some(r) = shared.upgrade() {
            return Some(r);
        }
        let r = Arc::new(Reference::start()?);
        *shared = Arc::downgrade(&r);
        Some(r)
    }

    fn start() -> Option<Reference> {
        let dir = TempDir::new();
        let data = dir.path().join("data");
        let socket = dir.path().join("s");
        let installed = Command::new("mariadb-install-db")
            .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"])
            .arg(format!("--datadir={}", data.display()))
            // In a folder of others a starting MariaDB removes their temporary tables.
            .env("TMPDIR", dir.path())
            .output()
            .ok()?;
        assert!(
            installed.status.success(),
            "mariadb-install-db failed: {}",
            String::from_utf8_lossy(&installed.stderr)
        );
        let child = Command::new("mariadbd")
            .args(["--no-defaults", "--user=root", "--skip-networking", "--default-storage-engine=MyISAM"])
            .args(["--skip-innodb", "--key-buffer-size=8M", "--aria-pagecache-buffer-size=8M"])
            .arg(format!("--datadir={}", data.display()))
            .arg(format!("--socket={}", socket.display()))
            .arg(format!("--pid-file={}", dir.path().join("pid").display()))
            .env("TMPDIR", dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let server = Reference { child, socket, dir };
        let deadline = Instant::now() + Duration::from_secs(30);
        while Instant::now() < deadline {
            if server.ask_all(&["select 1".into()]).is_some() {
                return Some(server);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("mariadbd is installed and does not start");
    }

    /// Where clients find it.
    #[allow(dead_code, reason = "not every test has use for it")]
    pub fn socket(&self) -> &std::path::Path {
        &self.socket
    }

    /// Where its databases lie.
    pub fn datadir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// Runs statements in one connection, beginning in an empty database `test`, and gives one
    /// answer a statement.
    pub fn script(&self, statements: &[String]) -> Vec<Answer> {
        let mut all: Vec<String> =
            ["drop database if exists test", "create database test", "use test"].map(String::from).to_vec();
        all.extend_from_slice(statements);
        let mut answers = self.ask_all(&all).expect("the reference answers");
        answers.drain(..3);
        answers
    }

    /// Runs statements in one connection, whatever the database holds.
    pub fn again(&self, statements: &[String]) -> Vec<Answer> {
        self.ask_all(statements).expect("the reference answers")
    }

    /// Runs statements through the client: `-vvv` prints each one's answer, markers between them
    /// tell the answers apart.
    fn ask_all(&self, statements: &[String]) -> Option<Vec<Answer>> {
        // bodies of routines have `;` in them
        let mut input = String::from("delimiter ^^\n");
        for (i, s) in statements.iter().enumerate() {
            input.push_str(s);
            input.push_str("^^\n");
            input.push_str(&format!("\\! echo '##{i}'\n\\! echo '##{i}' >&2\n"));
        }
        let mut child = Command::new("mariadb")
            .args(["--no-defaults", "-uroot", "--force", "-vv", "-B", "--unbuffered", "--local-infile=1"])
            .args(["--default-character-set=utf8mb3"])
            .arg(format!("--socket={}", self.socket.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let mut stdin = child.stdin.take()?;
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(input.as_bytes());
        });
        let out = child.wait_with_output().ok()?;
        let _ = writer.join();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let errors = String::from_utf8_lossy(&out.stderr).into_owned();
        let texts = split(&text, statements.len())?;
        let errors = split(&errors, statements.len())?;
        Some(texts.iter().zip(&errors).map(|(t, e)| parse(t, e)).collect())
    }
}

/// Cuts the client's output at the markers.
fn split(text: &str, count: usize) -> Option<Vec<String>> {
    let mut parts = Vec::with_capacity(count);
    let mut rest = text;
    for i in 0..count {
        let marker = format!("##{i}\n");
        let at = rest.find(&marker)?;
        parts.push(rest[..at].to_string());
        rest = &rest[at + marker.len()..];
    }
    Some(parts)
}

fn parse(out: &str, err: &str) -> Answer {
    let mut a = Answer::default();
    if let Some(line) = err.lines().find(|l| l.starts_with("ERROR ")) {
        // ERROR 1146 (42S02) at line 3: Table ...
        let text = &err[err.find(line).unwrap_or(0)..];
        let number = line.split(' ').nth(1).unwrap_or("0");
        let state = line.split(['(', ')']).nth(1).unwrap_or("");
        let message = text.find(": ").map_or("", |i| text[i + 2..].trim_end_matches('\n'));
        a.error = Some(format!("{number} ({state}): {message}"));
        return a;
    }
    // The statement stands between two lines of dashes; its answer follows.
    // What statements before printed without an end may stand before it.
    let line = "--------------\n";
    let body = out.rfind(line).map_or(out, |i| &out[i + line.len()..]);
    let mut lines: Vec<&str> = body.lines().collect();
    if lines.first().is_some_and(|l| l.is_empty()) {
        lines.remove(0);
    }
    while lines.last().is_some_and(|l| l.is_empty()) {
        lines.pop();
    }
    while let Some(last) = lines.last() {
        if let Some(rest) = last.strip_prefix("Query OK, ") {
            a.affected = rest.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
            a.warnings = warnings(rest);
            lines.pop();
            if lines.iter().any(|l| is_end_of_set(l)) {
                a.rows = sets(&lines);
                return a;
            }
            break;
        }
        if *last == "Statement prepared"
            || last.starts_with("Records: ")
            || last.starts_with("Rows matched: ")
        {
            a.info = (*last).to_string();
            lines.pop();
            continue;
        }
        if last.starts_with("Empty set") || last.contains(" in set") {
            a.warnings = warnings(last);
            lines.pop();
        }
        break;
    }
    let mut rows = lines.iter().map(|l| l.split('\t').map(unescape).collect::<Vec<_>>());
    if let Some(columns) = rows.next() {
        a.columns = columns;
    }
    a.rows = rows.collect();
    a
}

fn is_end_of_set(line: &str) -> bool {
    line.starts_with("Empty set")
        || line.contains(" in set") && line.starts_with(|c: char| c.is_ascii_digit())
}

/// The result sets of a CALL, each with its headings as a row.
fn sets(lines: &[&str]) -> Vec<Vec<String>> {
    let shown = lines.iter().filter(|l| !l.is_empty() && !is_end_of_set(l));
    shown.map(|l| l.split('\t').map(unescape).collect()).collect()
}

fn warnings(line: &str) -> u16 {
    line.split(", ")
        .find(|p| p.contains("warning"))
        .and_then(|p| p.split(' ').next())
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

fn unescape(field: &str) -> String {
    let mut out = String::new();
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('0') => out.push('\0'),
            Some(c) => out.push(c),
            None => out.push('\\'),
        }
    }
    out
}

impl Drop for Reference {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

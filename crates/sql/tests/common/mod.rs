//! What the tests of statements share: a database in a temporary directory, a sink that keeps
//! results as text, and MariaDB beside it when it is installed.

#![allow(dead_code)]

pub mod fulltext;
pub mod reference;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sql::result::{DateTime, Time};
use sql::{ConnectInfo, Done, Engine, EngineOptions, ResultSchema, ResultSink, Session, SqlError};

/// A directory that goes when the test ends.
pub struct TempDir(pub PathBuf);

impl TempDir {
    /// A new, empty directory.
    pub fn new() -> TempDir {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("sql-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("temporary directory");
        TempDir(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A session of root.
pub fn connect(engine: &Arc<Engine>) -> Session {
    engine.connect(&root()).expect("a session")
}

/// The answer to one statement, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Headings, for a result set.
    pub columns: Vec<String>,
    /// Rows; `NULL` for NULL.
    pub rows: Vec<Vec<String>>,
    /// Rows changed, for a statement without a result set.
    pub affected: u64,
    /// The id the OK packet reports.
    pub last_insert_id: u64,
    /// The info text.
    pub info: String,
    /// Warnings counted.
    pub warnings: u16,
    /// `number: text` of an error.
    pub error: Option<String>,
}

/// Collects answers.
#[derive(Default)]
pub struct Collector {
    /// Finished answers.
    pub answers: Vec<Answer>,
    /// Shapes of the result sets.
    pub schemas: Vec<Arc<ResultSchema>>,
    now: Answer,
    row: Vec<String>,
}

impl ResultSink for Collector {
    fn start(&mut self, schema: &Arc<ResultSchema>) -> Result<(), SqlError> {
        self.schemas.push(Arc::clone(schema));
        self.now.columns = schema.columns.iter().map(|c| c.name.clone()).collect();
        Ok(())
    }
    fn begin_row(&mut self) {
        self.row.clear();
    }
    fn end_row(&mut self) {
        assert_eq!(self.row.len(), self.now.columns.len(), "one value a column");
        self.now.rows.push(std::mem::take(&mut self.row));
    }
    fn put_null(&mut self) {
        self.row.push("NULL".into());
    }
    fn put_int(&mut self, v: i64) {
        self.row.push(v.to_string());
    }
    fn put_uint(&mut self, v: u64) {
        self.row.push(v.to_string());
    }
    fn put_double(&mut self, v: f64, decimals: u8) {
        let mut out = Vec::new();
        sql::number::put_double(&mut out, v, decimals);
        self.row.push(String::from_utf8_lossy(&out).into_owned());
    }
    fn put_float(&mut self, v: f32, decimals: u8) {
        let mut out = Vec::new();
        sql::number::put_float(&mut out, v, decimals);
        self.row.push(String::from_utf8_lossy(&out).into_owned());
    }
    fn put_bytes(&mut self, v: &[u8]) {
        self.row.push(String::from_utf8_lossy(v).into_owned());
    }
    fn put_date(&mut self, year: u16, month: u8, day: u8) {
        self.row.push(format!("{year:04}-{month:02}-{day:02}"));
    }
    fn put_time(&mut self, Time { negative, hours, minute, second, micros }: Time, dec: u8) {
        let sign = if negative { "-" } else { "" };
        self.row.push(format!("{sign}{hours:02}:{minute:02}:{second:02}{}", fraction(micros, dec)));
    }
    fn put_datetime(&mut self, d: DateTime, dec: u8) {
        let DateTime { year, month, day, hour, minute, second, micros } = d;
        let fraction = fraction(micros, dec);
        self.row.push(format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}{fraction}"));
    }
    fn wants_flush(&self) -> bool {
        false
    }
    fn flush(&mut self) -> Result<(), SqlError> {
        Ok(())
    }
    fn finish(&mut self, done: &Done) -> Result<(), SqlError> {
        let mut a = std::mem::take(&mut self.now);
        a.affected = done.affected;
        a.last_insert_id = done.last_insert_id;
        a.info.clone_from(&done.info);
        a.warnings = done.warnings;
        self.answers.push(a);
        Ok(())
    }
    fn local_infile(&mut self, name: &str) -> Result<Box<dyn Read + '_>, SqlError> {
        std::fs::File::open(name)
            .map(|f| Box::new(f) as Box<dyn Read>)
            .map_err(|e| SqlError::with_message(2, e.to_string()))
    }
}

fn fraction(micros: u32, dec: u8) -> String {
    match dec {
        0 => String::new(),
        n => format!(".{}", &format!("{micros:06}")[..usize::from(n.min(6))]),
    }
}

/// An engine in a directory of its own and a session on it.
pub struct Database {
    /// The session.
    pub session: Session,
    /// The engine.
    pub engine: Arc<Engine>,
    /// Where the files are.
    pub dir: TempDir,
}

impl Database {
    /// A fresh engine with the database `test`, which is the current one.
    pub fn new() -> Database {
        Database::with(&[])
    }

    /// The same, with variables set at the start.
    pub fn with(set: &[(&str, &str)]) -> Database {
        let dir = TempDir::new();
        let set = set.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect();
        let options = EngineOptions { create: true, set };
        let engine = Engine::open(dir.path(), options).expect("open");
        let session = engine.connect(&root()).expect("connect");
        let mut db = Database { session, engine, dir };
        db.run("create database test");
        db.run("use test");
        db
    }

    /// Another session.
    pub fn connect(&self) -> Session {
        self.engine.connect(&ConnectInfo { db: Some("test".into()), ..root() }).expect("connect")
    }

    /// Runs a statement that must succeed.
    pub fn run(&mut self, sql: &str) -> Answer {
        let a = self.ask(sql);
        if let Some(e) = &a.error {
            panic!("{sql}: {e}");
        }
        a
    }

    /// Runs a statement, which may fail.
    pub fn ask(&mut self, sql: &str) -> Answer {
        ask(&mut self.session, sql)
    }

    /// As [`ask_whole`].
    #[allow(dead_code, reason = "not every test has use for it")]
    pub fn ask_whole(&mut self, sql: &str) -> Answer {
        ask_whole(&mut self.session, sql)
    }

    /// The rows of a query, columns joined by `|`.
    pub fn rows(&mut self, sql: &str) -> Vec<String> {
        self.run(sql).rows.iter().map(|r| r.join("|")).collect()
    }

    /// The error of a statement that must fail: `number: text`.
    pub fn error(&mut self, sql: &str) -> String {
        self.ask(sql).error.unwrap_or_else(|| panic!("{sql}: succeeds"))
    }
}

/// root from this machine.
pub fn root() -> ConnectInfo {
    ConnectInfo {
        user: "root".into(),
        host: "localhost".into(),
        collation: 33,
        multi_statements: true,
        local_files: true,
        out_parameters: true,
        ..ConnectInfo::default()
    }
}

/// Runs a statement that may give several result sets: each comes with its headings as a row.
#[allow(dead_code, reason = "not every test has use for it")]
pub fn ask_whole(session: &mut Session, sql: &str) -> Answer {
    let mut sink = Collector::default();
    let failed = session.query(sql.as_bytes(), &mut sink).err();
    let Some(mut whole) = sink.answers.pop().filter(|_| failed.is_none()) else {
        return Answer {
            error: failed.map(|e| format!("{} ({}): {}", e.code, e.state_str(), e.message)),
            warnings: session.warnings().wire_count(),
            ..Answer::default()
        };
    };
    if !sink.answers.is_empty() {
        whole.rows = Vec::new();
        for a in sink.answers.into_iter().filter(|a| !a.rows.is_empty()) {
            whole.rows.push(a.columns);
            whole.rows.extend(a.rows);
        }
    }
    whole
}

/// Runs a statement, which may fail.
pub fn ask(session: &mut Session, sql: &str) -> Answer {
    let mut sink = Collector::default();
    match session.query(sql.as_bytes(), &mut sink) {
        Ok(()) => sink.answers.pop().unwrap_or_default(),
        Err(e) => Answer {
            error: Some(format!("{} ({}): {}", e.code, e.state_str(), e.message)),
            warnings: session.warnings().wire_count(),
            ..Answer::default()
        },
    }
}

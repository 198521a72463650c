//! Servers under load: users that ask, and a connection that inserts.

use std::io;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mysql::prelude::Queryable;
use mysql::{Conn, OptsBuilder};

use super::cases::{Answer, Question};
use super::{Document, Load, Sample};
use crate::process::ServerProcess;

/// A system that is asked in SQL.
#[derive(Debug)]
pub struct Server<'p> {
    /// Its name in tables.
    pub name: &'static str,
    /// The process that is asked.
    pub process: &'p ServerProcess,
    /// Storage engine of the documents.
    pub engine: &'static str,
    /// Number of the next document that is inserted beside.
    next: AtomicU64,
}

fn failed(e: mysql::Error) -> io::Error {
    io::Error::other(e)
}

impl<'p> Server<'p> {
    /// A server whose table has `documents` rows once it is built.
    #[must_use]
    pub fn new(
        name: &'static str,
        process: &'p ServerProcess,
        engine: &'static str,
        documents: usize,
    ) -> Server<'p> {
        Server { name, process, engine, next: AtomicU64::new(documents as u64 + 1) }
    }

    fn database(&self) -> String {
        format!("docs_{}", self.engine)
    }

    fn connect(&self, database: Option<String>) -> io::Result<Conn> {
        let options = OptsBuilder::new()
            .socket(self.process.socket.to_str())
            .user(Some("root"))
            .db_name(database)
            .prefer_socket(true)
            .tcp_connect_timeout(None);
        Conn::new(options).map_err(failed)
    }

    /// Loads the documents and adds the key. Returns how long the key took.
    ///
    /// # Errors
    /// Those of the server and of files.
    pub fn build(&self, documents: &Path) -> io::Result<Duration> {
        let mut client = self.connect(None)?;
        let mut run = |sql: String| client.query_drop(sql).map_err(failed);
        let database = self.database();
        run(format!("CREATE DATABASE {database} CHARACTER SET utf8mb4"))?;
        run(format!("USE {database}"))?;
        run(format!(
            "CREATE TABLE docs (id INT UNSIGNED NOT NULL PRIMARY KEY, word VARCHAR(200) NOT NULL, \
             content MEDIUMTEXT NOT NULL) ENGINE={}",
            self.engine
        ))?;
        run(format!("LOAD DATA INFILE '{}' INTO TABLE docs CHARACTER SET utf8mb4", documents.display()))?;
        let begun = Instant::now();
        run("ALTER TABLE docs ADD FULLTEXT KEY words (content)".to_owned())?;
        Ok(begun.elapsed())
    }

    /// Bytes of the files of the key, in the data directory: all keys of a MyISAM table, the hidden tables of InnoDB.
    ///
    /// # Errors
    /// Those of the server and of files.
    pub fn index_size(&self, datadir: &Path) -> io::Result<u64> {
        let mut bytes = 0;
        for entry in std::fs::read_dir(datadir.join(self.database()))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".MYI") || name.starts_with("FTS_") {
                bytes += entry.metadata()?.len();
            }
        }
        Ok(bytes)
    }

    /// Sum of what all questions count.
    ///
    /// # Errors
    /// Those of the server and of files.
    pub fn sum(&self, questions: &[Question]) -> io::Result<u64> {
        let mut client = self.connect(Some(self.database()))?;
        let mut sum = 0;
        for question in questions {
            let rows: Vec<mysql::Row> = client.query(question.sql()).map_err(failed)?;
            sum += match question.answer {
                Answer::Count => rows.first().and_then(|r| r.get::<u64, _>(0)).unwrap_or(0),
                Answer::Best => rows.len() as u64,
            };
        }
        Ok(sum)
    }

    /// Users ask the questions in turn for some time.
    ///
    /// # Errors
    /// Those of the server and of files.
    pub fn ask(&self, questions: &[Question], load: &Load, documents: &[Document]) -> io::Result<Sample> {
        let statements: Vec<String> = questions.iter().map(Question::sql).collect();
        let connect = || self.connect(Some(self.database()));
        let users = (0..load.users).map(|_| connect()).collect::<io::Result<Vec<Conn>>>()?;
        let writer = load.inserts.map(|rate| Ok::<_, io::Error>((rate, connect()?))).transpose()?;
        let writing = writer.is_some();
        let (stop, ready) = (AtomicBool::new(false), Barrier::new(users.len() + usize::from(writing) + 1));
        let (stop, ready, statements) = (&stop, &ready, &statements);
        thread::scope(|scope| {
            let asking: Vec<_> = users
                .into_iter()
                .enumerate()
                .map(|(n, client)| scope.spawn(move || user(n, client, statements, stop, ready)))
                .collect();
            let inserting = writer
                .map(|(rate, client)| scope.spawn(move || self.insert(client, rate, documents, stop, ready)));
            ready.wait();
            let (cpu, begun) = (self.process.cpu_time(), Instant::now());
            thread::sleep(load.time);
            stop.store(true, Ordering::Relaxed);
            let wall = begun.elapsed().as_secs_f64();
            let cpu_end = self.process.cpu_time();
            let mut latencies = Vec::new();
            let mut failure = None;
            for user in asking {
                match user.join() {
                    Ok(Ok(mut more)) => latencies.append(&mut more),
                    Ok(Err(e)) => failure = Some(failed(e)),
                    Err(_) => failure = Some(io::Error::other("a user panicked")),
                }
            }
            let mut inserts = 0.0;
            match inserting.map(thread::ScopedJoinHandle::join) {
                Some(Ok(Ok(n))) => inserts = n as f64 / wall,
                Some(Ok(Err(e))) => failure = Some(failed(e)),
                Some(Err(_)) => failure = Some(io::Error::other("the writer panicked")),
                None => {}
            }
            match failure {
                Some(e) => Err(e),
                None => {
                    let cpu = (cpu_end?.saturating_sub(cpu?)).as_secs_f64();
                    Ok(Sample::of(latencies, wall, cpu, inserts))
                }
            }
        })
    }

    /// Inserts documents at a rate, each in a statement of its own, until it shall stop.
    fn insert(
        &self,
        mut client: Conn,
        rate: u32,
        documents: &[Document],
        stop: &AtomicBool,
        ready: &Barrier,
    ) -> mysql::Result<u64> {
        let statement = client.prep("INSERT INTO docs VALUES (?, ?, ?)");
        ready.wait();
        let (statement, begun, mut done) = (statement?, Instant::now(), 0);
        while !stop.load(Ordering::Relaxed) {
            let id = self.next.fetch_add(1, Ordering::Relaxed);
            let Document { word, text } = &documents[id as usize % documents.len()];
            client.exec_drop(&statement, (id, word, text))?;
            done += 1;
            // An hour behind is as good as a second: it does not catch up.
            let due = Duration::from_secs_f64(done as f64 / f64::from(rate));
            thread::sleep(due.saturating_sub(begun.elapsed()));
        }
        Ok(done)
    }
}

/// Asks until it shall stop. Returns the microseconds of each question.
fn user(
    number: usize,
    mut client: Conn,
    statements: &[String],
    stop: &AtomicBool,
    ready: &Barrier,
) -> mysql::Result<Vec<u32>> {
    let mut latencies = Vec::new();
    // Users do not march in step.
    let mut at = number * 7;
    ready.wait();
    while !stop.load(Ordering::Relaxed) {
        let begun = Instant::now();
        for row in client.query_iter(&statements[at % statements.len()])? {
            row?;
        }
        latencies.push(u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX));
        at += 1;
    }
    Ok(latencies)
}

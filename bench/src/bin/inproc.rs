//! Point selects through the library, in one process: Isambard's threads beside each other, and SQLite.
//!
//! Every thread has a connection and a prepared `SELECT c FROM sbtest1 WHERE id = ?` of its own, and looks up random
//! rows of one table. Rounds of the systems alternate; the table shows the best round of each, because whatever
//! else runs on the machine can only take away.

use std::error::Error;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use isambard::{Database, ValueRef};

/// Point selects in process: Isambard and SQLite, 1, 2 and 64 threads.
#[derive(Parser)]
struct Options {
    /// Rows of the table.
    #[arg(long, default_value_t = 100_000)]
    rows: u64,
    /// Seconds a measurement takes.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Rounds; each measures every system with every number of threads.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Numbers of threads.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 64])]
    threads: Vec<usize>,
}

type Failure = Box<dyn Error + Send + Sync>;

/// One measurement: look-ups a second, and the CPU time of one.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    rate: f64,
    cpu_ns: f64,
}

/// Looks up the row of an id; gives the length of what it found.
trait LookUp {
    fn look_up(&mut self, id: u64) -> Result<usize, Failure>;
}

/// A system that hands out connections.
trait System: Sync {
    fn name(&self) -> &'static str;
    /// Runs `work` with a connection and its prepared statement, in the calling thread.
    fn with(&self, work: &mut dyn FnMut(&mut dyn LookUp) -> Result<(), Failure>) -> Result<(), Failure>;
}

struct Isambard(Database);

struct IsambardStatement<'c>(isambard::Statement<'c>);

impl LookUp for IsambardStatement<'_> {
    fn look_up(&mut self, id: u64) -> Result<usize, Failure> {
        let length = self.0.query_row((id,), |row| match row.get_ref(0)? {
            ValueRef::Text(text) => Ok(text.len()),
            _ => Ok(0),
        })?;
        Ok(length)
    }
}

impl System for Isambard {
    fn name(&self) -> &'static str {
        "Isambard"
    }

    fn with(&self, work: &mut dyn FnMut(&mut dyn LookUp) -> Result<(), Failure>) -> Result<(), Failure> {
        let connection = self.0.connect_to("bench")?;
        let mut statement = IsambardStatement(connection.prepare("SELECT c FROM sbtest1 WHERE id = ?")?);
        work(&mut statement)
    }
}

struct Sqlite(std::path::PathBuf);

struct SqliteStatement<'c>(rusqlite::Statement<'c>);

impl LookUp for SqliteStatement<'_> {
    fn look_up(&mut self, id: u64) -> Result<usize, Failure> {
        Ok(self.0.query_row([id as i64], |row| Ok(row.get_ref(0)?.as_str().map_or(0, str::len)))?)
    }
}

impl System for Sqlite {
    fn name(&self) -> &'static str {
        "SQLite"
    }

    fn with(&self, work: &mut dyn FnMut(&mut dyn LookUp) -> Result<(), Failure>) -> Result<(), Failure> {
        use rusqlite::OpenFlags as F;
        let flags = F::SQLITE_OPEN_READ_WRITE | F::SQLITE_OPEN_NO_MUTEX;
        let connection = rusqlite::Connection::open_with_flags(&self.0, flags)?;
        // what serves SQLite best here: pages in place, and room for all of them
        connection.pragma_update(None, "mmap_size", 1_u64 << 30)?;
        connection.pragma_update(None, "cache_size", -65_536)?;
        let mut statement = SqliteStatement(connection.prepare("SELECT c FROM sbtest1 WHERE id = ?")?);
        work(&mut statement)
    }
}

/// Text of eleven-digit groups, as sysbench fills its tables.
fn digits(random: &mut u64, groups: usize) -> String {
    let group = |random: &mut u64| format!("{:011}", next(random) % 100_000_000_000);
    (0..groups).map(|_| group(random)).collect::<Vec<_>>().join("-")
}

/// xorshift64*
fn next(state: &mut u64) -> u64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d)
}

fn fill(folder: &Path, rows: u64) -> Result<(Isambard, Sqlite), Failure> {
    let database = Database::open(folder.join("isambard"))?;
    let sqlite = folder.join("sqlite");
    let other = rusqlite::Connection::open(&sqlite)?;
    other.pragma_update(None, "journal_mode", "WAL")?;
    {
        let connection = database.connect()?;
        connection.execute("CREATE DATABASE bench", ())?;
        connection.execute("USE bench", ())?;
        connection.execute(
            "CREATE TABLE sbtest1 (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL DEFAULT 0, \
             c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', KEY k_1 (k)) ENGINE=MyISAM",
            (),
        )?;
        other.execute_batch(
            "CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, c CHAR(120) NOT NULL, \
             pad CHAR(60) NOT NULL); CREATE INDEX k_1 ON sbtest1 (k); BEGIN",
        )?;
        let mut random = 42;
        let mut done = 0;
        while done < rows {
            let some = (rows - done).min(1000);
            let values: Vec<String> = (1..=some)
                .map(|i| {
                    let (k, c, pad) =
                        (next(&mut random) % rows, digits(&mut random, 10), digits(&mut random, 5));
                    format!("({},{k},'{c}','{pad}')", done + i)
                })
                .collect();
            let values = values.join(",");
            connection.execute(&format!("INSERT INTO sbtest1 VALUES {values}"), ())?;
            other.execute_batch(&format!("INSERT INTO sbtest1 VALUES {values}"))?;
            done += some;
        }
        other.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")?;
        connection.execute("FLUSH TABLES", ())?;
    }
    Ok((Isambard(database), Sqlite(sqlite)))
}

/// CPU time of this process so far.
fn cpu_time() -> Result<Duration, Failure> {
    let mut total = 0_u64;
    for task in std::fs::read_dir("/proc/self/task")? {
        let text = std::fs::read_to_string(task?.path().join("schedstat")).unwrap_or_default();
        total += text.split_whitespace().next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
    }
    Ok(Duration::from_nanos(total))
}

fn measure(system: &dyn System, threads: usize, rows: u64, seconds: f64) -> Result<Measured, Failure> {
    let (stop, ready, over) = (AtomicBool::new(false), Barrier::new(threads + 1), Barrier::new(threads + 1));
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|n| {
                let (stop, ready, over) = (&stop, &ready, &over);
                scope.spawn(move || {
                    let mut count = 0_u64;
                    let mut waited = false;
                    let result = system.with(&mut |statement| {
                        let mut random = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(n as u64 + 1) | 1;
                        for _ in 0..1_000 {
                            statement.look_up(next(&mut random) % rows + 1)?;
                        }
                        ready.wait();
                        waited = true;
                        while !stop.load(Ordering::Relaxed) {
                            for _ in 0..64 {
                                if statement.look_up(next(&mut random) % rows + 1)? == 0 {
                                    return Err("a row was not found".into());
                                }
                            }
                            count += 64;
                        }
                        Ok(())
                    });
                    if !waited {
                        ready.wait();
                    }
                    // the threads stay until their CPU time was read
                    over.wait();
                    result.map(|()| count)
                })
            })
            .collect();
        ready.wait();
        let (start, before) = (Instant::now(), cpu_time());
        std::thread::sleep(Duration::from_secs_f64(seconds));
        stop.store(true, Ordering::Relaxed);
        // the last batches of the threads end within microseconds of each other when they all run
        let elapsed = start.elapsed();
        std::thread::sleep(Duration::from_millis(20));
        let after = cpu_time();
        over.wait();
        let mut count = 0;
        for worker in workers {
            count += worker.join().map_err(|_| "a thread panicked")??;
        }
        let cpu = after?.saturating_sub(before?);
        Ok(Measured {
            rate: count as f64 / elapsed.as_secs_f64(),
            cpu_ns: cpu.as_nanos() as f64 / count as f64,
        })
    })
}

fn main() -> Result<(), Failure> {
    let options = Options::parse();
    let folder = std::env::temp_dir().join(format!("isambard-inproc-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let result = run(&options, &folder);
    std::fs::remove_dir_all(&folder)?;
    result
}

fn run(options: &Options, folder: &Path) -> Result<(), Failure> {
    eprintln!("filling {} rows", options.rows);
    let (isambard, sqlite) = fill(folder, options.rows)?;
    let systems: [&dyn System; 2] = [&isambard, &sqlite];
    let mut best = vec![[Measured::default(); 2]; options.threads.len()];
    for round in 1..=options.rounds {
        for (&threads, best) in options.threads.iter().zip(&mut best) {
            for (system, best) in systems.iter().zip(best.iter_mut()) {
                let m = measure(*system, threads, options.rows, options.seconds)?;
                eprintln!(
                    "round {round}, {} threads, {}: {:.0} look-ups/s, {:.0} ns CPU each",
                    threads,
                    system.name(),
                    m.rate,
                    m.cpu_ns
                );
                if m.rate > best.rate {
                    *best = m;
                }
            }
        }
    }
    println!(
        "| threads | Isambard look-ups/s | ns CPU | × 1 thread | SQLite look-ups/s | ns CPU | × 1 thread | Isambard's time of SQLite's |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    let one = best[0];
    for (threads, [ours, theirs]) in options.threads.iter().zip(&best) {
        println!(
            "| {threads} | {:.0} | {:.0} | {:.2} | {:.0} | {:.0} | {:.2} | {:.2} |",
            ours.rate,
            ours.cpu_ns,
            ours.rate / one[0].rate,
            theirs.rate,
            theirs.cpu_ns,
            theirs.rate / one[1].rate,
            theirs.rate / ours.rate,
        );
    }
    let at = |n: usize| options.threads.iter().position(|&t| t == n).map(|i| best[i][0].rate);
    if let (Some(two), Some(many)) = (at(2), at(64)) {
        println!("\n64 threads serve {:.2} of what 2 threads serve.", many / two);
    }
    Ok(())
}

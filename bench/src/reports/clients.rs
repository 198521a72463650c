//! Connections that run statements at once for some time, and what that costs the server.

use std::io;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mysql::prelude::Queryable;
use mysql::{Conn, OptsBuilder};

use super::store::Cell;
use crate::process::ServerProcess;

/// A server that is silent for so long does not answer any more.
const PATIENCE: Duration = Duration::from_secs(3600);

/// A connection as root.
///
/// # Errors
/// When the server refuses.
pub fn connect(server: &ServerProcess, database: &str) -> io::Result<Conn> {
    let options = OptsBuilder::new()
        .socket(server.socket.to_str())
        .user(Some("root"))
        .db_name((!database.is_empty()).then_some(database))
        .prefer_socket(true)
        .read_timeout(Some(PATIENCE))
        .tcp_connect_timeout(None);
    Conn::new(options).map_err(io::Error::other)
}

/// Runs a statement and reads its rows to the end.
///
/// # Errors
/// What the server says.
pub fn run(client: &mut Conn, sql: &str) -> mysql::Result<()> {
    client.query_iter(sql)?.try_for_each(|row| row.map(drop))
}

/// Runs statements one after the other.
///
/// # Errors
/// What the server says, with the statement.
pub fn run_all(client: &mut Conn, statements: &[String]) -> io::Result<()> {
    for sql in statements {
        run(client, sql).map_err(|e| io::Error::other(format!("{sql:.200}: {e}")))?;
    }
    Ok(())
}

/// Who does what.
pub struct Work<'a> {
    /// Their database.
    pub database: &'a str,
    /// Connections.
    pub users: u32,
    /// What each runs first, by its number.
    pub setup: &'a (dyn Fn(u32) -> Vec<String> + Sync),
    /// The statement of a user, the how-many-th it is, and how many rows it counts for.
    pub statement: &'a (dyn Fn(u32, u64) -> (String, u64) + Sync),
    /// How long.
    pub time: Duration,
}

/// Runs a work: rows a second, CPU a row, the server's context switches a second.
///
/// # Errors
/// What the server says.
pub fn drive(server: &ServerProcess, work: &Work<'_>) -> io::Result<Cell> {
    let mut clients = Vec::new();
    for user in 0..work.users {
        let mut client = connect(server, work.database)?;
        run_all(&mut client, &(work.setup)(user))?;
        clients.push(client);
    }
    let (stop, ready, over) =
        (AtomicBool::new(false), Barrier::new(clients.len() + 1), Barrier::new(clients.len() + 1));
    let (stop, ready, over) = (&stop, &ready, &over);
    thread::scope(|scope| {
        let users: Vec<_> = (0..)
            .zip(clients)
            .map(|(user, mut client)| {
                scope.spawn(move || {
                    ready.wait();
                    let result = busy(user, &mut client, work, stop);
                    // The server's threads are counted while the connections last.
                    over.wait();
                    over.wait();
                    result
                })
            })
            .collect();
        let (cpu, switches) = (server.cpu_time(), server.context_switches());
        ready.wait();
        let begun = Instant::now();
        thread::sleep(work.time);
        stop.store(true, Ordering::Relaxed);
        over.wait();
        let wall = begun.elapsed().as_secs_f64();
        let (cpu_end, switches_end) = (server.cpu_time(), server.context_switches());
        over.wait();
        let (mut rows, mut latencies) = (0, Vec::new());
        for user in users {
            let done = user.join().map_err(|_| io::Error::other("a user panicked"))?;
            let (more, mut times) = done.map_err(io::Error::other)?;
            rows += more;
            latencies.append(&mut times);
        }
        latencies.sort_unstable();
        let latency = latencies.get(latencies.len() * 95 / 100).map(|&l| f64::from(l) / 1e3);
        let cpu = cpu_end?.saturating_sub(cpu?).as_secs_f64();
        Ok(Cell {
            value: Some(rows as f64 / wall),
            cpu: Some(cpu * 1e6 / (rows.max(1)) as f64),
            latency95: latency,
            switches: Some(switches_end?.saturating_sub(switches?) as f64 / wall),
            note: String::new(),
        })
    })
}

/// Rows, and the microseconds of each statement.
fn busy(user: u32, client: &mut Conn, work: &Work<'_>, stop: &AtomicBool) -> mysql::Result<(u64, Vec<u32>)> {
    let (mut rows, mut latencies) = (0, Vec::new());
    for nr in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (sql, more) = (work.statement)(user, nr);
        let begun = Instant::now();
        run(client, &sql)?;
        latencies.push(u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX));
        rows += more;
    }
    Ok((rows, latencies))
}

/// A number without a pattern.
#[must_use]
pub fn scattered(n: u64) -> u64 {
    let x = (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}

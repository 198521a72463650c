//! Shards are killed while writers insert and update through the front; afterwards everything that was acknowledged must be there.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use mysql::prelude::Queryable;

use super::tables::{COUNTERS, DATABASE, NOTES};
use super::{Cluster, ask, rows};

/// Between two writers' numbers.
const STRIDE: u64 = 1 << 40;

/// What a writer knows.
#[derive(Debug, Default, Clone)]
struct Acknowledged {
    /// Rows whose INSERT was answered.
    inserted: Vec<u64>,
    /// Updates that were answered, and those that ended in an error: they may have been done.
    counted: u64,
    doubtful: u64,
    /// Statements that failed while a shard was down.
    failed: u64,
}

/// What came of it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Kills.
    pub kills: usize,
    /// Rows that were acknowledged.
    pub acknowledged: u64,
    /// Acknowledged rows that are gone.
    pub lost: u64,
    /// Rows that came back otherwise than they were written.
    pub damaged: u64,
    /// Counters that are less than what was acknowledged, or more than what was tried.
    pub wrong_counters: u64,
    /// Statements that failed while a shard was down.
    pub failed: u64,
}

fn said(id: u64) -> String {
    format!("note {id} ").repeat(1 + (id % 8) as usize)
}

/// One writer: until told to stop, a row and then its counter, over and over.
fn write(cluster: &Cluster, writer: u64, stop: &AtomicBool) -> io::Result<Acknowledged> {
    let (mut known, mut conn) = (Acknowledged::default(), None);
    let mut id = writer * STRIDE;
    while !stop.load(Ordering::Relaxed) {
        let Some(open) = &mut conn else {
            conn = Some(cluster.connect()?);
            continue;
        };
        id += 1;
        let insert = format!("INSERT INTO {DATABASE}.{} VALUES ({id}, {writer}, '{}')", NOTES.name, said(id));
        let update = format!("UPDATE {DATABASE}.{} SET n = n + 1 WHERE id = {writer}", COUNTERS.name);
        match open.query_drop(&insert) {
            Ok(()) => known.inserted.push(id),
            Err(_) => known.failed += 1,
        }
        match open.query_drop(&update) {
            Ok(()) => known.counted += 1,
            Err(_) => {
                known.failed += 1;
                known.doubtful += 1;
                // another connection, as an application would take one
                conn = None;
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
    Ok(known)
}

/// Lets `writers` write through the front and kills one shard after the other, `kills` times, each after `pause`; it comes back at once.
///
/// # Errors
/// What the servers say where they should answer.
pub fn kill_under_load(
    cluster: &mut Cluster,
    writers: u64,
    kills: usize,
    pause: Duration,
) -> io::Result<Outcome> {
    let mut front = cluster.connect()?;
    for table in [NOTES, COUNTERS] {
        table.create(&mut front, &cluster.shards, table.name)?;
    }
    let counters: Vec<String> = (1..=writers).map(|w| format!("({w}, 0)")).collect();
    ask(&mut front, &format!("INSERT INTO {DATABASE}.{} VALUES {}", COUNTERS.name, counters.join(",")))?;
    let (stop, known) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    // the shards are taken out, so that writers see the front alone
    let mut shards = std::mem::take(&mut cluster.shards);
    let front_only = &*cluster;
    let result: io::Result<()> = thread::scope(|scope| {
        for writer in 1..=writers {
            let (stop, known) = (&stop, &known);
            scope.spawn(move || {
                let result = write(front_only, writer, stop);
                known.lock().expect("no panic while it is held").push((writer, result));
            });
        }
        let killed = (0..kills).try_for_each(|n| {
            thread::sleep(pause);
            let at = n % shards.len();
            shards[at].kill()?;
            shards[at].run()
        });
        thread::sleep(pause);
        stop.store(true, Ordering::Relaxed);
        killed
    });
    cluster.shards = shards;
    result?;
    let known = known.into_inner().expect("no panic while it was held");
    let mut outcome = Outcome { kills, ..Outcome::default() };
    for (writer, acknowledged) in known {
        judge(cluster, writer, &acknowledged?, &mut outcome)?;
    }
    Ok(outcome)
}

/// Compares what a writer knows with what the shards have.
fn judge(cluster: &Cluster, writer: u64, known: &Acknowledged, outcome: &mut Outcome) -> io::Result<()> {
    let mut front = cluster.connect()?;
    let sql = format!("SELECT id, said FROM {DATABASE}.{} WHERE writer = {writer} ORDER BY id", NOTES.name);
    let found: Vec<(u64, String)> =
        front.query(&sql).map_err(|e| io::Error::other(format!("{sql:.200}: {e}")))?;
    outcome.damaged += found.iter().filter(|(id, text)| *text != said(*id)).count() as u64;
    let is_there = |id: &u64| found.binary_search_by_key(id, |row| row.0).is_ok();
    outcome.lost += known.inserted.iter().filter(|id| !is_there(id)).count() as u64;
    outcome.acknowledged += known.inserted.len() as u64;
    outcome.failed += known.failed;
    let counter =
        rows(&mut front, &format!("SELECT n FROM {DATABASE}.{} WHERE id = {writer}", COUNTERS.name))?;
    let n: Option<u64> = counter.first().and_then(|n| n.parse().ok());
    let possible = known.counted..=known.counted + known.doubtful;
    outcome.wrong_counters += u64::from(!n.is_some_and(|n| possible.contains(&n)));
    Ok(())
}

//! Statements that read a whole table do not keep what others replace meanwhile.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::{Collector, connect};
use pages::storage::{MemoryStorage, Storage};
use sql::{Engine, EngineOptions, Session};

fn run(session: &mut Session, sql: &str) -> Vec<Vec<String>> {
    let mut sink = Collector::default();
    session.query(sql.as_bytes(), &mut sink).expect(sql);
    sink.answers.pop().map(|a| a.rows).unwrap_or_default()
}

/// Ends the other thread, when a check fails, too.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Bytes that wait while a reader has pins for a moment only: what is replaced meanwhile goes with the next look at it, and on a
/// busy machine not with each. One that kept its pin would have several times as much wait by its end.
const MUCH: u64 = 8 << 20;

/// Changes beside a statement are enough by then.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn checks_and_searches_of_a_whole_table_let_go_of_their_pins() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let engine = Engine::open_on(storage, Path::new("/d"), EngineOptions::default(), |_| {}).expect("open");
    let mut session = connect(&engine);
    for sql in [
        "create database d",
        "create table d.t (a int primary key, s varchar(100))",
        "insert into d.t select seq, repeat('wwww xxxx yyyy zzzz ', 3) from (select 1 as seq) q",
        "create table d.busy (a int primary key, s char(200))",
        "insert into d.busy values (1, 'x')",
    ] {
        run(&mut session, sql);
    }
    for round in 0..18 {
        run(&mut session, &format!("insert into d.t select a + {}, s from d.t", 1 << round));
    }
    run(&mut session, "alter table d.t add fulltext key (s)");
    let over = AtomicBool::new(false);
    let (most, much, changes) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut session = connect(&engine);
            while !over.load(Ordering::Relaxed) {
                run(&mut session, &format!("update d.busy set s = '{}'", changes.load(Ordering::Relaxed)));
                changes.fetch_add(1, Ordering::Relaxed);
                let waiting = engine.store().version_usage().waiting;
                most.fetch_max(waiting, Ordering::Relaxed);
                much.fetch_add(u64::from(waiting > MUCH), Ordering::Relaxed);
            }
        });
        let _end = End(&over);
        for sql in [
            "checksum table d.t extended",
            "lock tables d.t read",
            "check table d.t extended",
            "unlock tables",
            // Each row has the words, none one behind the other, so that the text of each is read. What is over in milliseconds, as
            // the words alone, would do with its pins held to the end.
            "select count(*) from d.t where match (s) against ('\"xxxx wwww\"' in boolean mode)",
        ] {
            // Long enough for thousands of changes beside it.
            let before = changes.load(Ordering::Relaxed);
            let begun = Instant::now();
            let mut rounds = 0;
            let enough = || changes.load(Ordering::Relaxed) >= before + 3000;
            while rounds == 0 || !sql.contains("lock tables") && !enough() {
                let answer = run(&mut session, sql);
                // The scope tells the writer's panic.
                if writer.is_finished() {
                    return;
                }
                assert!(
                    enough() || begun.elapsed() < PATIENCE,
                    "{sql}: {rounds} times, few changes beside it"
                );
                assert!(!sql.starts_with("check table") || answer[0][3] == "OK", "{answer:?}");
                rounds += 1;
            }
            let changes = changes.load(Ordering::Relaxed) - before;
            let (most, much) = (most.swap(0, Ordering::Relaxed), much.swap(0, Ordering::Relaxed));
            println!(
                "{sql}: {rounds} times in {:?}, {changes} changes, at most {most} bytes waited, {much} times much",
                begun.elapsed()
            );
            // A reader may lose its processor under a pin, now and then; one that kept its pin would have much wait
            // nearly always.
            assert!(changes < 500 || much * 2 < changes, "{sql}: {much} times much after {changes} changes");
        }
    });
    drop(session);
    engine.shutdown().expect("a clean stop");
}

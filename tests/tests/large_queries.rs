//! Random queries that hold many rows, on Isambard with next to no memory and one to four threads, and on MariaDB with as much as it
//! likes: the rows agree, and their order where MariaDB has one.
//!
//! `ISAMBARD_STATEMENTS` sets how many queries (unless told 450; 50,000 when `ISAMBARD_SOAK` is set), `ISAMBARD_FIRST` begins at the
//! seed that a report names, `ISAMBARD_TRACE` is a file for the statements that make the tables of the last seed.

use std::collections::BTreeMap;
use std::io::Write as _;

use isambard_tests::compare::{Answer, Order, ask, difference};
use isambard_tests::generate::{Generator, Large, Statement, Theme};
use isambard_tests::peers::{Peer, oracle_present};
use mysql::prelude::Queryable;

/// The error of a statement that took too long.
const MAX_STATEMENT_TIME: u16 = 1969;

/// Queries over the same tables.
const QUERIES: u64 = 150;

/// What a query took.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    queries: u64,
    /// Those that wrote temporary files.
    spilled: u64,
    /// Those that ran on several threads.
    parallel: u64,
    /// Those that did both.
    both: u64,
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// A limit from 1 KB to 1 MB, small ones as often as large ones.
fn size(rng: &mut fastrand::Rng) -> u64 {
    let size = 1 << rng.u32(10..20);
    size + rng.u64(0..size)
}

fn limits(rng: &mut fastrand::Rng) -> String {
    format!(
        "SET tmp_memory_table_size = {}, max_heap_table_size = {}, sort_buffer_size = {}, join_buffer_size = {}, isambard_threads = {}",
        size(rng),
        size(rng),
        size(rng),
        size(rng),
        rng.u32(1..5)
    )
}

/// Texts that are equal become alike.
fn fold(answer: &mut Answer) {
    for text in answer.rows.iter_mut().flatten().flatten() {
        *text = text.trim_end().to_lowercase().replace('é', "e");
    }
}

/// Whether MariaDB contradicts itself: without hash joins, which take texts that are equal for different ones (with a space behind them in
/// `utf8mb4_bin`), it gives our rows.
fn by_another_way(theirs: &mut mysql::Conn, statement: &Statement, folded: bool, ours: &Answer) -> bool {
    let joins = statement.sql.starts_with("SELECT") && statement.sql.contains("JOIN");
    if !joins {
        return false;
    }
    let sql = format!("SET STATEMENT join_cache_level = 2 FOR {}", statement.sql);
    let mut again = ask(theirs, &sql);
    again.warnings.clear();
    if folded {
        fold(&mut again);
    }
    difference(ours, &again, statement.order).is_none()
}

fn counters(conn: &mut mysql::Conn) -> (u64, u64) {
    let names = "'Created_tmp_files', 'Isambard_threads_begun'";
    let rows: Vec<(String, u64)> =
        conn.query(format!("SHOW SESSION STATUS WHERE variable_name IN ({names})")).expect("counters");
    assert_eq!(rows.len(), 2, "{rows:?}");
    (rows[0].1, rows[1].1)
}

/// The first differences of a seed's queries.
fn run(
    (ours, theirs): (&mut mysql::Conn, &mut mysql::Conn),
    (seed, count): (u64, u64),
    taken: &mut BTreeMap<Theme, Taken>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut rng = fastrand::Rng::with_seed(seed ^ 0x6C61_7267);
    let mut generator = Generator::new(seed, true);
    let mut trace = std::env::var_os("ISAMBARD_TRACE").and_then(|p| std::fs::File::create(p).ok());
    for table in generator.large_tables() {
        let sql = &table.statement.sql;
        if let Some(trace) = &mut trace {
            let _ = writeln!(trace, "{sql};");
        }
        let (a, b) = (ask(ours, sql), ask(theirs, sql));
        if let Some(what) = difference(&a, &b, Order::Rows) {
            return vec![format!("seed {seed}: {sql:.300}\n    {what}")];
        }
        assert!(b.error.is_none(), "{sql:.300}: {:?}", b.error);
    }
    for n in 0..count {
        let Large { theme, statement, folded } = generator.large_query();
        let set = limits(&mut rng);
        ours.query_drop(&set).expect("limits");
        let before = counters(ours);
        let (mut a, mut b) = (ask(ours, &statement.sql), ask(theirs, &statement.sql));
        let after = counters(ours);
        let (spilled, parallel) = (u64::from(after.0 > before.0), u64::from(after.1 > before.1));
        let of = taken.entry(theme).or_default();
        of.queries += 1;
        of.spilled += spilled;
        of.parallel += parallel;
        of.both += spilled & parallel;
        // how often a value is converted, and warned of, is the plan's choice
        for answer in [&mut a, &mut b] {
            answer.warnings.clear();
            if folded {
                fold(answer);
            }
        }
        if b.error.as_ref().is_some_and(|e| e.0 == MAX_STATEMENT_TIME) {
            eprintln!("seed {seed} query {n}: MariaDB does not come to an end: {}", statement.sql);
            continue;
        }
        if let Some(what) = difference(&a, &b, statement.order)
            && !by_another_way(theirs, &statement, folded, &a)
        {
            let sql = &statement.sql;
            wrong.push(format!("seed {seed} query {n}: {sql}\n    {set}\n    {what:.1500}"));
        }
    }
    wrong
}

#[test]
fn queries_that_spill_and_run_on_threads_answer_alike() {
    if !oracle_present() {
        return;
    }
    // a hash join is what keeps MariaDB from hours of nested loops
    let hashes = ["--join-cache-level=8", "--join-buffer-size=16M", "--sort-buffer-size=16M"];
    let memory = ["--tmp-memory-table-size=256M", "--max-heap-table-size=256M"];
    let ours = Peer::isambard(&["--set", "max_statement_time=300"]);
    // nor do some of its INTERSECT ALL end
    let clock = ["--max-statement-time=20"];
    let theirs = Peer::mariadb(&[&hashes[..], &memory, &clock].concat());
    let usual = if std::env::var_os("ISAMBARD_SOAK").is_some() { 50_000 } else { 450 };
    let total = number("ISAMBARD_STATEMENTS", usual);
    let first = number("ISAMBARD_FIRST", 1);
    let mut taken = BTreeMap::new();
    let (mut wrong, mut done, mut seed) = (0, 0, first);
    while done < total && wrong < 20 {
        let (mut ours, mut theirs) = (ours.connect(""), theirs.connect(""));
        for conn in [&mut ours, &mut theirs] {
            conn.query_drop("CREATE DATABASE IF NOT EXISTS d").expect("database");
            conn.query_drop("USE d").expect("use");
        }
        let count = QUERIES.min(total - done);
        let found = run((&mut ours, &mut theirs), (seed, count), &mut taken);
        // told at once: a long run is worth reading before its end
        found.iter().for_each(|f| eprintln!("{f}"));
        wrong += found.len();
        done += count;
        seed += 1;
    }
    println!("{done} queries: {taken:#?}");
    assert_eq!(wrong, 0, "differences in {done} queries");
    let mut both = 0;
    for (theme, taken) in taken {
        assert!(taken.queries < 30 || taken.spilled > 0, "{theme:?}: nothing was spilled: {taken:?}");
        both += taken.both;
    }
    assert!(done < 450 || both > 0, "no query ran on threads and went to disk");
}

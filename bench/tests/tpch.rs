//! The 22 questions of TPC-H and the star join on a hundredth of the usual rows: MariaDB gives the same answers, on one thread and on
//! several, with much memory and with little.

use std::fs;
use std::path::Path;

use bench::tpch;
use isambard_tests::compare::{Answer, Order, ask, difference};
use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::prelude::Queryable;

/// A hundredth of TPC-H's unit: 60,000 lines of orders.
const SCALE: f64 = 0.01;

/// What the questions are asked with on Isambard.
const SETTINGS: [&str; 3] = [
    "SET isambard_threads = 1",
    "SET isambard_threads = 3",
    "SET isambard_threads = 2, tmp_memory_table_size = 16384, max_heap_table_size = 16384, sort_buffer_size = 16384, \
     join_buffer_size = 16384",
];

fn load(peer: &Peer, folder: &Path) -> mysql::Conn {
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE tpch CHARACTER SET latin1").expect("a database");
    conn.query_drop("USE tpch").expect("the database");
    for sql in tpch::tables() {
        conn.query_drop(sql).unwrap_or_else(|e| panic!("{}: {sql}: {e}", peer.name));
    }
    for table in tpch::NAMES {
        let sql = format!("LOAD DATA INFILE '{}' INTO TABLE {table}", tpch::file(folder, table).display());
        conn.query_drop(&sql).unwrap_or_else(|e| panic!("{}: {sql}: {e}", peer.name));
    }
    conn
}

#[test]
fn answers_are_those_of_mariadb() {
    if !oracle_present() {
        return;
    }
    let folder = scratch("tpch");
    tpch::write(&folder, SCALE).expect("the rows");
    let (ours, theirs) = (Peer::isambard(&[]), Peer::mariadb(&["--secure-file-priv="]));
    let (mut us, mut them) = (load(&ours, &folder), load(&theirs, &folder));
    fs::remove_dir_all(&folder).expect("the files are no longer needed");
    let mut told = 0;
    for (name, sql) in tpch::queries() {
        let expected = ask(&mut them, sql);
        told += usize::from(expected.rows.iter().flatten().any(Option::is_some));
        for settings in SETTINGS {
            us.query_drop(settings).expect("settings");
            let found: Answer = ask(&mut us, sql);
            if let Some(what) = difference(&found, &expected, Order::Exact) {
                panic!("{name} after {settings}: {what}");
            }
        }
    }
    assert!(told >= 21, "only {told} questions have an answer");
}

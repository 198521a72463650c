//! The reader of Aria tables beside MariaDB: random tables, changed at random, read from their files.

use std::path::Path;

use aria::{Error, Kind, Row, Table};
use isambard_tests::peers::{Peer, oracle_present};
use mysql::prelude::Queryable;

fn files(datadir: &Path, table: &str) -> (Vec<u8>, Vec<u8>) {
    let read = |end: &str| std::fs::read(datadir.join(format!("d/{table}.{end}"))).expect("file");
    (read("MAI"), read("MAD"))
}

/// The stored values as HEX() of the column shows them; numbers as they are.
fn shown(table: &Table, row: Row) -> Vec<Option<String>> {
    let mut out = vec![None; row.len()];
    for column in table.columns() {
        let Some(bytes) = &row[column.number] else { continue };
        out[column.number] = Some(match column.kind {
            Kind::Plain | Kind::NoZeros => {
                bytes.iter().rev().fold(0_u64, |n, b| n << 8 | u64::from(*b)).to_string()
            }
            _ => bytes.iter().map(|b| format!("{b:02X}")).collect(),
        });
    }
    out
}

fn compare(conn: &mut mysql::Conn, datadir: &Path, table: &str, columns: &[String]) {
    conn.query_drop("FLUSH TABLES").expect("flush");
    let list: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(i, c)| {
            let number = ["int", "bigint", "enum"].iter().any(|t| c.starts_with(t));
            if number { format!("CAST(c{i}+0 AS char)") } else { format!("HEX(c{i})") }
        })
        .collect();
    let rows: Vec<mysql::Row> =
        conn.query(format!("SELECT {} FROM {table}", list.join(", "))).expect("rows of MariaDB");
    let mut expected: Vec<Vec<Option<String>>> =
        rows.into_iter().map(|r| r.unwrap().into_iter().map(mysql::from_value).collect()).collect();
    conn.query_drop("FLUSH TABLES").expect("flush");
    let (index, data) = files(datadir, table);
    let read = Table::new(&index, &data).expect("open");
    let mut found: Vec<_> =
        read.rows().map(|r| shown(&read, r.unwrap_or_else(|e| panic!("{table}: {e}")))).collect();
    expected.sort();
    found.sort();
    assert_eq!(expected.len(), found.len(), "{table}");
    for (e, f) in expected.iter().zip(&found) {
        if e != f {
            let short = |v: &Vec<Option<String>>| -> Vec<String> {
                v.iter()
                    .map(|s| s.as_ref().map_or("NULL".into(), |s| format!("{}:{:.60}", s.len(), s)))
                    .collect()
            };
            panic!("{table} ({columns:?}):\n{:?}\n{:?}", short(e), short(f));
        }
    }
}

fn value(rng: &mut fastrand::Rng, column: &str, nullable: bool) -> String {
    if nullable && rng.u8(0..4) == 0 {
        return "NULL".into();
    }
    if column.starts_with("int") || column.starts_with("bigint") {
        return rng.u32(0..3).pow(20).to_string();
    }
    if column.starts_with("enum") {
        return rng.u8(1..4).to_string();
    }
    let width: usize = column.split(['(', ')']).nth(1).and_then(|n| n.parse().ok()).unwrap_or(match column {
        c if c.starts_with("tinyblob") => 255,
        c if c.starts_with("text") => 65535,
        _ => 120_000,
    });
    let length = match rng.u8(0..8) {
        0 => 0,
        1..4 => rng.usize(0..40),
        4..6 => rng.usize(0..1000),
        6 => rng.usize(0..9000),
        _ => rng.usize(0..=width),
    };
    let letter = rng.alphabetic();
    format!("RPAD('{letter}', {}, '{}')", length.min(width), "abcdefghijklm")
}

#[test]
fn random_tables_are_read_as_mariadb_reads_them() {
    if !oracle_present() {
        return;
    }
    let peer = Peer::mariadb(&[]);
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE d CHARACTER SET latin1").expect("database");
    conn.query_drop("USE d").expect("use");
    let seed = std::env::var("ISAMBARD_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(7);
    let rounds = if std::env::var_os("ISAMBARD_SOAK").is_some() { 400 } else { 40 };
    let mut rng = fastrand::Rng::with_seed(seed);
    for round in 0..rounds {
        let types = [
            "int unsigned",
            "bigint unsigned",
            "enum('a','b','c')",
            "char(10)",
            "char(255)",
            "char(200) CHARACTER SET utf8mb3",
            "varchar(20)",
            "varchar(300)",
            "varchar(4000)",
            "tinyblob",
            "text",
            "longblob",
        ];
        let wide = round % 10 == 9;
        let count = if wide { 40 } else { rng.usize(1..9) };
        let columns: Vec<String> = (0..count)
            .map(|_| {
                let ty = if wide { "varchar(1500)" } else { types[rng.usize(0..types.len())] };
                format!("{ty}{}", if rng.bool() { " NOT NULL" } else { "" })
            })
            .collect();
        let mut columns = columns;
        columns.insert(0, "int AUTO_INCREMENT PRIMARY KEY".into());
        let text: Vec<String> = columns.iter().enumerate().map(|(i, c)| format!("c{i} {c}")).collect();
        let names: Vec<String> = (1..=count).map(|i| format!("c{i}")).collect();
        let options = ["", "CHECKSUM=1", "PAGE_CHECKSUM=0", "TRANSACTIONAL=0 ROW_FORMAT=PAGE"];
        let table = format!("t{round}");
        let option = options[rng.usize(0..options.len())];
        conn.query_drop(format!("CREATE TABLE {table} ({}) ENGINE=Aria {option}", text.join(", ")))
            .expect("create");
        let one =
            |rng: &mut fastrand::Rng, i: usize| value(rng, &columns[i], !columns[i].ends_with("NOT NULL"));
        for _ in 0..rng.usize(1..150) {
            let values: Vec<String> = (1..=count).map(|i| one(&mut rng, i)).collect();
            conn.query_drop(format!(
                "INSERT INTO {table} ({}) VALUES ({})",
                names.join(","),
                values.join(",")
            ))
            .expect("insert");
            if rng.u8(0..3) == 0 {
                let i = rng.usize(1..=count);
                let v = one(&mut rng, i);
                conn.query_drop(format!("UPDATE {table} SET c{i}={v} WHERE c0 % 9 = {}", rng.u8(0..9)))
                    .expect("update");
            }
            if rng.u8(0..12) == 0 {
                conn.query_drop(format!("DELETE FROM {table} WHERE c0 % 7 = {}", rng.u8(0..7)))
                    .expect("delete");
            }
        }
        compare(&mut conn, &peer.datadir, &table, &columns);
        conn.query_drop(format!("DROP TABLE {table}")).expect("drop");
    }
}

#[test]
fn rows_written_beside_a_reader_are_read() {
    if !oracle_present() {
        return;
    }
    let peer = Peer::mariadb(&[]);
    let mut conn = peer.connect("");
    for sql in [
        "CREATE DATABASE d CHARACTER SET latin1",
        "USE d",
        "CREATE TABLE t (c0 int PRIMARY KEY, c1 longblob) ENGINE=Aria",
        "INSERT INTO t VALUES (1, 'x'), (2, NULL)",
        "LOCK TABLES t READ LOCAL",
        "SELECT COUNT(*) FROM t",
    ] {
        conn.query_drop(sql).expect(sql);
    }
    let mut other = peer.connect("d");
    other.query_drop("INSERT INTO t VALUES (3, REPEAT('y', 20000)), (4, 'short')").expect("insert beside");
    conn.query_drop("UNLOCK TABLES").expect("unlock");
    compare(&mut conn, &peer.datadir, "t", &["int".into(), "longblob".into()]);
}

#[test]
fn a_table_that_was_not_closed_is_refused() {
    if !oracle_present() {
        return;
    }
    let mut peer = Peer::mariadb(&[]);
    peer.keep();
    let mut conn = peer.connect("");
    for sql in [
        "CREATE DATABASE d",
        "CREATE TABLE d.t (a int) ENGINE=Aria",
        "CREATE TABLE d.flushed (a int) ENGINE=Aria",
        "INSERT INTO d.flushed VALUES (1)",
        "FLUSH TABLES",
        "INSERT INTO d.t VALUES (1)",
    ] {
        conn.query_drop(sql).expect(sql);
    }
    peer.kill();
    let (index, data) = files(&peer.datadir, "t");
    assert_eq!(Table::new(&index, &data).err(), Some(Error::NotClosed));
    let (index, data) = files(&peer.datadir, "flushed");
    assert_eq!(Table::new(&index, &data).expect("closed").rows().count(), 1);
    let dir = peer.socket.parent().expect("folder").to_path_buf();
    let datadir = peer.datadir.clone();
    let again = Peer::mariadb_on(dir, datadir.clone(), &[]);
    drop(again);
}

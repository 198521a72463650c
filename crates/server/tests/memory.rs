//! Results that are larger than what a connection may hold: rows of a cursor, rows for a client that does not read,
//! a file that a client sends.

mod support;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mysql::prelude::Queryable;
use server::protocol::{capability, command};
use support::{ALL, RawClient, TestServer};

/// One test at a time: memory is the process's.
static ONE: Mutex<()> = Mutex::new(());

/// Bytes of this process that are no file's.
fn anonymous() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("status");
    let line = status.lines().find_map(|l| l.strip_prefix("RssAnon:")).expect("RssAnon");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("number") << 10
}

/// Open files that lie in a directory.
fn open_in(dir: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir("/proc/self/fd").expect("/proc");
    all.filter_map(|f| std::fs::read_link(f.ok()?.path()).ok()).filter(|p| p.starts_with(dir)).collect()
}

fn wait_until(what: &str, f: impl Fn() -> bool) {
    let start = Instant::now();
    while !f() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

const ROWS: usize = 1 << 15;

/// A server with 32,768 rows of a thousand bytes and more.
fn filled(tmpdir: &Path) -> TestServer {
    let server = TestServer::with(&[
        ("tmpdir", tmpdir.to_str().expect("path")),
        ("tmp_memory_table_size", "1048576"),
        ("max_heap_table_size", "1048576"),
        ("sort_buffer_size", "1048576"),
        ("statement_memory", "1048576"),
    ]);
    let mut client = server.client();
    client.query_drop("CREATE DATABASE d; USE d").expect("create");
    client
        .query_drop("CREATE TABLE t (i INT NOT NULL AUTO_INCREMENT PRIMARY KEY, s TEXT) ENGINE=MyISAM")
        .expect("create");
    client.query_drop("INSERT INTO t (s) VALUES (REPEAT('x', 1000))").expect("insert");
    for _ in 0..15 {
        client.query_drop("INSERT INTO t (s) SELECT s FROM t").expect("insert");
    }
    client.query_drop("UPDATE t SET s = CONCAT(s, i)").expect("update");
    server
}

/// A few times the budget, batches and buffers on their way, what the allocator keeps. The results are 33 MB and more.
const BOUND: usize = 16 << 20;

#[test]
fn rows_of_a_cursor_wait_on_disk() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let tmpdir = tempfile::tempdir().expect("directory");
    let server = filled(tmpdir.path());
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    let prepared = client.command(b"\x16select i, s from d.t order by s desc");
    assert_eq!(prepared[0], 0);
    for _ in 0..3 {
        client.read().expect("definition");
    }
    let id = &prepared[1..5];
    let open = [&[command::STMT_EXECUTE], id, &[1, 1, 0, 0, 0]].concat();
    let packets = |client: &mut RawClient, request: &[u8]| {
        let mut packets = vec![client.command(request)];
        while packets.last().is_some_and(|p| !(p[0] == 0xfe && p.len() < 9) && p[0] != 0xff) {
            packets.push(client.read().expect("packet"));
        }
        packets
    };
    let mut expected: Vec<Vec<u8>> =
        (1..=ROWS).map(|i| [vec![b'x'; 1000], i.to_string().into_bytes()].concat()).collect();
    expected.sort_by(|a, b| b.cmp(a));
    let before = anonymous();
    // the second time after all was fetched, the third time the client leaves
    for round in 0..3 {
        assert_eq!(packets(&mut client, &open).len(), 4);
        let took = anonymous().saturating_sub(before);
        println!("cursor of 33 MB: {} KB", took >> 10);
        assert!(took < BOUND, "{took}");
        assert_eq!(open_in(tmpdir.path()).len(), 1, "the rows are in a file");
        let mut at = 0;
        for count in [1u32, 7, 1000, 3, 5000, u32::MAX] {
            if round == 2 && at > 5000 {
                break;
            }
            let fetched = packets(&mut client, &[&[command::STMT_FETCH], id, &count.to_le_bytes()].concat());
            for row in &fetched[..fetched.len() - 1] {
                let text = &row[row.len() - expected[at].len()..];
                assert!(text == expected[at], "row {at}");
                at += 1;
            }
            let last = at == expected.len();
            assert_eq!(fetched[fetched.len() - 1][3] & 0xc0, if last { 0x80 } else { 0x40 });
        }
        if round < 2 {
            assert_eq!(at, ROWS);
            wait_until("the file stays", || open_in(tmpdir.path()).is_empty());
        }
    }
    drop(client);
    wait_until("the file outlives its connection", || open_in(tmpdir.path()).is_empty());
    assert_eq!(std::fs::read_dir(tmpdir.path()).expect("tmpdir").count(), 0);
}

#[test]
fn rows_do_not_pile_up_for_a_client_that_does_not_read() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let tmpdir = tempfile::tempdir().expect("directory");
    let server = filled(tmpdir.path());
    for (query, rows) in [
        (&b"\x03select i, s from d.t"[..], ROWS),
        (b"\x03select i, repeat(s, 3) from d.t", ROWS),
        (b"\x03select i, concat(s, i) from d.t order by s", ROWS),
        (b"\x03select i, repeat(s, 1000) from d.t limit 100", 100),
    ] {
        let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
        let before = anonymous();
        client.sequence = 0;
        client.send(query);
        std::thread::sleep(Duration::from_millis(1500));
        let took = anonymous().saturating_sub(before);
        println!("waiting for the client: {} KB", took >> 10);
        assert!(took < BOUND, "{}: {took}", String::from_utf8_lossy(query));
        let (mut ends, mut packets) = (0, 0);
        while ends < 2 {
            let packet = client.read().expect("packet");
            assert_ne!(packet[0], 0xff);
            ends += usize::from(packet[0] == 0xfe && packet.len() < 9);
            packets += 1;
        }
        assert_eq!(packets, 1 + 2 + 2 + rows);
    }
    // a limit of the session is no other way
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    client.command(b"\x03set sql_select_limit = 32000");
    let before = anonymous();
    client.sequence = 0;
    client.send(b"\x03select i, s from d.t");
    std::thread::sleep(Duration::from_millis(1500));
    let took = anonymous().saturating_sub(before);
    assert!(took < BOUND, "{took}");
}

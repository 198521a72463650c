//! FLUSH TABLES ... FOR EXPORT and WITH READ LOCK: the files are copied while the lock is held, into the data directory of a MariaDB that runs.

use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::prelude::Queryable;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tables of all row formats: name, columns and options.
const TABLES: &[(&str, &str)] = &[
    ("fixed", "(id int PRIMARY KEY, c char(20), d decimal(9,2), KEY (c)) ROW_FORMAT=FIXED"),
    ("dynamic", "(id int AUTO_INCREMENT PRIMARY KEY, c varchar(200), d datetime, KEY (c))"),
    ("blobs", "(id int PRIMARY KEY, c mediumtext, d blob, KEY (c(30)))"),
    ("packed", "(id int, c char(60), d int, KEY (c, d), KEY (id)) PACK_KEYS=1 CHECKSUM=1"),
    ("unpacked", "(id bigint AUTO_INCREMENT PRIMARY KEY, c varchar(100), d int, UNIQUE (c, id)) PACK_KEYS=0"),
    (
        "utf",
        "(id int PRIMARY KEY, c varchar(80) CHARACTER SET utf8mb4, d enum('a','b'), KEY (c)) DELAY_KEY_WRITE=1",
    ),
];

/// Ends the writers also when the test fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn changes(rng: &mut fastrand::Rng, table: &str, id: u32) -> Vec<String> {
    let text = |rng: &mut fastrand::Rng| {
        let n = if table == "blobs" { rng.usize(0..9000) } else { rng.usize(0..19) };
        format!("REPEAT('{}', {n})", rng.alphabetic())
    };
    let (a, b) = (text(rng), text(rng));
    vec![
        format!("INSERT INTO {table} (id, c) VALUES ({id}, {a})"),
        format!("UPDATE {table} SET c={b} WHERE id={}", rng.u32(1..=id)),
        format!("DELETE FROM {table} WHERE id={}", if rng.u8(0..4) == 0 { rng.u32(1..=id) } else { 0 }),
    ]
}

fn dump(peer: &Peer, db: &str, table: &str) -> (Option<u64>, Vec<String>) {
    let mut conn = peer.connect(db);
    let sum: Option<(String, Option<u64>)> =
        conn.query_first(format!("CHECKSUM TABLE {table} EXTENDED")).expect("checksum");
    let rows = conn
        .query(format!(
            "SELECT CONCAT_WS('|', id, IFNULL(c, 'NULL'), IFNULL(d, 'NULL')) FROM {table} ORDER BY id, c, d"
        ))
        .expect("rows");
    (sum.expect("a row").1, rows)
}

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn exported_files_are_tables_of_a_running_mariadb() {
    if !oracle_present() {
        return;
    }
    let dir = scratch("export");
    let maria = Peer::mariadb(&[]);
    maria.connect("").query_drop("CREATE DATABASE other CHARACTER SET latin1").expect("database");
    let mut peer = Peer::isambard_on(&dir.join("data"), &[]);
    peer.keep();
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE d CHARACTER SET latin1").expect("database");
    conn.query_drop("USE d").expect("use");
    let mut rng = fastrand::Rng::with_seed(11);
    for (name, rest) in TABLES {
        conn.query_drop(format!("CREATE TABLE {name} {rest} ENGINE=MyISAM")).expect(name);
        for id in 1..200 {
            for sql in changes(&mut rng, name, id) {
                conn.query_drop(&sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
            }
        }
    }
    conn.query_drop("CREATE TABLE beside (id int) ENGINE=MyISAM").expect("table");
    let stop = AtomicBool::new(false);
    let (beside, same) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut conn = peer.connect("d");
            while !stop.load(Ordering::Relaxed) {
                conn.query_drop("INSERT INTO beside VALUES (1)").expect("beside");
                beside.fetch_add(1, Ordering::Relaxed);
            }
        });
        scope.spawn(|| {
            let mut conn = peer.connect("d");
            let mut rng = fastrand::Rng::with_seed(5);
            let mut id = 1000;
            while !stop.load(Ordering::Relaxed) {
                id += 1;
                for (name, _) in TABLES {
                    for sql in changes(&mut rng, name, id) {
                        conn.query_drop(&sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
                        same.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
        });
        let _ends = Ends(&stop);
        for round in 0..4 {
            std::thread::sleep(Duration::from_millis(300));
            let names: Vec<&str> = TABLES.iter().map(|t| t.0).collect();
            let how = if round % 2 == 0 { "FOR EXPORT" } else { "WITH READ LOCK" };
            conn.query_drop(format!("FLUSH TABLES {} {how}", names.join(", "))).expect(how);
            std::thread::sleep(Duration::from_millis(50));
            let waiting = same.load(Ordering::Relaxed);
            let before = beside.load(Ordering::Relaxed);
            let mut expected = Vec::new();
            for name in &names {
                for end in ["frm", "MYI", "MYD"] {
                    let from = peer.datadir.join(format!("d/{name}.{end}"));
                    let to = maria.datadir.join(format!("other/{name}{round}.{end}"));
                    std::fs::copy(&from, &to).expect("copy");
                }
                let index = maria.datadir.join(format!("other/{name}{round}.MYI"));
                let out = Command::new("myisamchk")
                    .args(["-e", "--silent"])
                    .arg(&index)
                    .output()
                    .expect("myisamchk");
                let said = [out.stdout, out.stderr].concat();
                assert_eq!(String::from_utf8_lossy(&said), "", "{name} {how}");
                expected.push(dump(&peer, "d", name));
            }
            std::thread::sleep(Duration::from_millis(100));
            assert!(same.load(Ordering::Relaxed) <= waiting + 1, "a writer of a locked table goes on");
            assert!(beside.load(Ordering::Relaxed) > before, "a writer of another table waits");
            conn.query_drop("UNLOCK TABLES").expect("unlock");
            let mut there = maria.connect("other");
            there.query_drop("FLUSH TABLES").expect("flush");
            for (name, expected) in names.iter().zip(&expected) {
                let name = format!("{name}{round}");
                let checked: Vec<(String, String, String, String)> =
                    there.query(format!("CHECK TABLE {name} EXTENDED")).expect("check");
                assert_eq!(checked.last().map(|c| c.3.as_str()), Some("OK"), "{checked:?}");
                assert_eq!(&dump(&maria, "other", &name), expected, "{name} {how}");
                there
                    .query_drop(format!("INSERT INTO {name} (id, c) VALUES (100000, 'new')"))
                    .expect("insert");
            }
            let unlocked = Instant::now();
            while same.load(Ordering::Relaxed) <= waiting + 1 {
                assert!(
                    unlocked.elapsed() < Duration::from_secs(20),
                    "the writers go on after UNLOCK TABLES"
                );
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    });
    drop(conn);
    peer.stop();
    let _ = std::fs::remove_dir_all(&dir);
}

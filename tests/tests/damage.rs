//! Damaged and foreign files in a data directory: an error for the statement, the files as they
//! were, the server up. `ISAMBARD_DAMAGES` sets how many (150 unless told), `ISAMBARD_SEED` where
//! they begin.

use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::prelude::Queryable;
use std::path::Path;
use std::process::Command;

const EXTENSIONS: [&str; 3] = ["frm", "MYI", "MYD"];
const TABLES: usize = 5;

/// What a damaged table may be answered with.
const EXPECTED: [u16; 22] = [
    1017, 1025, 1030, 1033, 1034, 1035, 1036, 1062, 1105, 1146, 1194, 1195, 1286, 1366, 1406, 1712, 1728,
    1459, 1932, 130, 1815, 1005,
];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn make_tables(peer: &Peer) {
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE b").expect("database");
    conn.query_drop("USE b").expect("use");
    let tables = [
        "t0 (id int PRIMARY KEY, v int, c char(20), KEY (v), KEY (c)) ROW_FORMAT=FIXED CHARSET=latin1",
        "t1 (id int PRIMARY KEY, v int, c varchar(200), KEY (v), KEY (c(30))) CHARSET=utf8mb4",
        "t2 (id int PRIMARY KEY, v int, c text, KEY (v, id), UNIQUE (id, v), KEY (c(10))) CHECKSUM=1 CHARSET=latin1",
        "t3 (id int PRIMARY KEY, v int, c varchar(100), KEY (c), KEY (v)) PACK_KEYS=1 CHARSET=utf8mb3",
        "t4 (id int PRIMARY KEY, v int, c text, KEY (v), KEY (c(10)), FULLTEXT KEY w (c)) CHARSET=latin1",
    ];
    for t in tables {
        conn.query_drop(format!("CREATE TABLE {t} ENGINE=MyISAM")).expect("table");
    }
    for t in 0..TABLES {
        for i in 0..300 {
            let text = match i % 11 {
                0 => "NULL".into(),
                _ if t == 4 => format!("CONCAT('common words ', REPEAT('word{} ', {}))", i % 9, i % 20),
                _ => format!("REPEAT('{}', {})", i % 9, i % 20),
            };
            conn.query_drop(format!("INSERT INTO t{t} VALUES ({i}, {}, {text})", i % 50)).expect("row");
        }
        conn.query_drop(format!("DELETE FROM t{t} WHERE id % 5 = 0")).expect("delete");
        conn.query_drop(format!(
            "UPDATE t{t} SET c = REPEAT('long', 12) WHERE id % 7 = 0 AND id > 0 AND {t} <> 0"
        ))
        .expect("update");
    }
    // Frequent words get trees of their own.
    conn.query_drop("REPAIR TABLE t4 QUICK").expect("repair");
}

/// Damages one of the three files; says what it did.
fn damage(rng: &mut fastrand::Rng, files: &mut [Vec<u8>; 3], foreign: &[[Vec<u8>; 3]]) -> String {
    let n = rng.usize(0..3);
    let name = EXTENSIONS[n];
    let len = files[n].len();
    if len == 0 {
        return format!("{name} is empty");
    }
    match rng.u8(0..10) {
        0 => {
            let to = rng.usize(0..len);
            files[n].truncate(to);
            format!("{name} cut to {to} of {len}")
        }
        1 => {
            let from = rng.usize(0..foreign.len());
            files[n].clone_from(&foreign[from][n]);
            format!("{name} of t{from}")
        }
        2 => {
            let at = rng.usize(0..len);
            let end = (at + rng.usize(1..600)).min(len);
            files[n][at..end].iter_mut().for_each(|b| *b = rng.u8(..));
            format!("{name} noise in {at}..{end}")
        }
        3 => {
            let at = rng.usize(0..len);
            let end = (at + rng.usize(1..2000)).min(len);
            files[n][at..end].fill(0);
            format!("{name} zeros in {at}..{end}")
        }
        4 => {
            files[n].clear();
            format!("{name} empty")
        }
        5 => {
            let more = rng.usize(1..5000);
            files[n].extend((0..more).map(|_| rng.u8(..)));
            format!("{name} longer by {more}")
        }
        _ => {
            // mostly where it matters: headers, states, key definitions
            let head = if rng.bool() { len.min(400) } else { len };
            let flips: Vec<usize> = (0..rng.usize(1..4)).map(|_| rng.usize(0..head)).collect();
            for &at in &flips {
                files[n][at] ^= 1 << rng.u8(0..8);
            }
            format!("{name} bits flipped at {flips:?} of {len}")
        }
    }
}

fn read(dir: &Path, table: &str) -> [Vec<u8>; 3] {
    EXTENSIONS.map(|e| std::fs::read(dir.join(format!("{table}.{e}"))).expect("file"))
}

/// Runs a statement to its end and gives the error number.
fn run(conn: &mut mysql::Conn, sql: &str, what: &str) -> Option<u16> {
    let result = conn.query_iter(sql).and_then(|mut rows| rows.by_ref().try_for_each(|r| r.map(drop)));
    match result {
        Ok(()) => None,
        Err(mysql::Error::MySqlError(e)) => {
            assert!(EXPECTED.contains(&e.code), "{what}: {sql}: unexpected answer {e}");
            Some(e.code)
        }
        Err(e) => panic!("{what}: {sql}: the connection broke: {e}"),
    }
}

/// Whether CHECK TABLE is content: no error, and no warning either.
fn sound(conn: &mut mysql::Conn, table: &str, what: &str) -> bool {
    let rows: Vec<(String, String, String, String)> = conn
        .query(format!("CHECK TABLE {table} EXTENDED"))
        .unwrap_or_else(|e| panic!("{what}: CHECK TABLE: {e}"));
    rows.len() == 1 && rows[0].3 == "OK"
}

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn damaged_tables_are_answered_with_errors() {
    let dir = scratch("damage");
    let datadir = dir.join("data");
    let mut peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    make_tables(&peer);
    peer.stop();
    let db = datadir.join("b");
    let whole: Vec<[Vec<u8>; 3]> = (0..TABLES).map(|t| read(&db, &format!("t{t}"))).collect();
    peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    let log = dir.join("err");
    let chk = oracle_present();
    let seed = number("ISAMBARD_SEED", 1);
    let (mut refused, mut not_noticed) = (0, Vec::new());
    for n in 0..number("ISAMBARD_DAMAGES", 150) {
        let mut rng = fastrand::Rng::with_seed(seed * 1_000_003 + n);
        let of = rng.usize(0..TABLES);
        let mut files = whole[of].clone();
        let mut what = format!("seed {seed} damage {n} of t{of}: ");
        for _ in 0..rng.usize(1..3) {
            what += &damage(&mut rng, &mut files, &whole);
            what += "; ";
        }
        let name = format!("d{n}");
        for (bytes, e) in files.iter().zip(EXTENSIONS) {
            std::fs::write(db.join(format!("{name}.{e}")), bytes).expect("write");
        }
        let complaint = chk && {
            let out = Command::new("myisamchk")
                .args(["-e", "-s", "--read-only"])
                .arg(db.join(&name))
                .output()
                .expect("myisamchk");
            !out.status.success()
        };
        let mut conn = peer.connect("b");
        let mut bad = false;
        for sql in [
            format!("SHOW CREATE TABLE {name}"),
            format!("SELECT * FROM {name}"),
            format!("SELECT COUNT(*), SUM(v), MAX(c) FROM {name} FORCE INDEX (PRIMARY) WHERE id >= 0"),
            format!("SELECT * FROM {name} FORCE INDEX (v) WHERE v BETWEEN 3 AND 40 ORDER BY v DESC"),
            format!("SELECT * FROM {name} FORCE INDEX (c) WHERE c >= '2' ORDER BY c"),
            format!("SELECT * FROM {name} WHERE id = 17"),
            format!(
                "SELECT id, MATCH (c) AGAINST ('word3 word5') FROM {name} WHERE MATCH (c) AGAINST ('word3 word5')"
            ),
            format!("SELECT COUNT(*) FROM {name} WHERE MATCH (c) AGAINST ('common' IN BOOLEAN MODE)"),
            format!(
                "SELECT * FROM {name} WHERE MATCH (c) AGAINST ('+common word* -\"words word7\"' IN BOOLEAN MODE)"
            ),
            "SHOW TABLE STATUS".into(),
            format!("SHOW INDEX FROM {name}"),
        ] {
            // a definition that lost a column or a key gives other errors rightly
            if let Err(mysql::Error::MySqlError(e)) = conn.query_drop(&sql)
                && [1054, 1176, 1146, 1191].contains(&e.code)
            {
                continue;
            }
            bad |= run(&mut conn, &sql, &what).is_some();
        }
        refused += u32::from(bad);
        assert!(read(&db, &name) == files, "{what}: reading changed the files");
        let ok = sound(&mut conn, &name, &what);
        if complaint && ok && !bad {
            not_noticed.push(what.clone());
        }
        for sql in [
            format!("INSERT INTO {name} (id, v, c) VALUES (1000, 1, 'x'), (1001, NULL, REPEAT('y', 50))"),
            format!("UPDATE {name} SET v = v + 1, c = CONCAT(c, 'z') WHERE id < 100"),
            format!("DELETE FROM {name} WHERE id > 100"),
            format!("INSERT INTO {name} (id, v, c) VALUES (2000, 1, REPEAT('x', 10))"),
            format!("ALTER TABLE {name} COMMENT = 'c', FORCE"),
            format!("DROP TABLE {name}"),
        ] {
            let _ = conn.query_drop(&sql).map_err(|e| match e {
                mysql::Error::MySqlError(_) => {}
                e => panic!("{what}: {sql}: the connection broke: {e}"),
            });
        }
        for e in EXTENSIONS {
            let _ = std::fs::remove_file(db.join(format!("{name}.{e}")));
        }
        let said = std::fs::read_to_string(&log).unwrap_or_default();
        assert!(!said.contains("panicked"), "{what}: {said}");
    }
    let mut conn = peer.connect("b");
    for t in 0..TABLES {
        assert!(sound(&mut conn, &format!("t{t}"), "a whole table"), "t{t} suffered");
    }
    drop(conn);
    peer.stop();
    println!("{refused} refused; myisamchk complains and CHECK does not: {not_noticed:#?}");
    assert!(refused > 20);
    assert!(not_noticed.is_empty(), "CHECK TABLE EXTENDED finds less than myisamchk -e: {not_noticed:#?}");
    let _ = std::fs::remove_dir_all(&dir);
}

/// A server killed with tables dirty: other programs refuse them and change nothing.
#[test]
fn dirty_tables_are_refused_by_other_programs() {
    if !oracle_present() {
        return;
    }
    let dir = scratch("dirty");
    let datadir = dir.join("data");
    let mut ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    make_tables(&ours);
    let theirs = Peer::mariadb(&[]);
    let mut conn = theirs.connect("");
    conn.query_drop("CREATE DATABASE b").expect("database");
    let (from, to) = (datadir.join("b"), theirs.datadir.join("b"));
    let copy = |from: &Path, to: &Path, tag: &str| {
        for t in 0..TABLES {
            for e in EXTENSIONS {
                std::fs::copy(from.join(format!("t{t}.{e}")), to.join(format!("{tag}{t}.{e}")))
                    .expect("copy");
            }
        }
    };
    let all = |dir: &Path, tag: &str| -> Vec<[Vec<u8>; 3]> {
        (0..TABLES).map(|t| read(dir, &format!("{tag}{t}"))).collect()
    };
    // while it runs, and after it was killed
    for (tag, kill) in [("r", false), ("k", true)] {
        if kill {
            ours.kill();
        } else {
            // tables left alone for a while are made clean: change each one now
            let mut ours = ours.connect("b");
            for t in 0..TABLES {
                ours.query_drop(format!("UPDATE t{t} SET v = v + 1 WHERE id < 10")).expect("update");
            }
        }
        copy(&from, &to, tag);
        let before = all(&to, tag);
        for t in 0..TABLES {
            for sql in [
                format!("SELECT * FROM b.{tag}{t}"),
                format!("INSERT INTO b.{tag}{t} VALUES (5000, 1, 'x')"),
                format!("UPDATE b.{tag}{t} SET v = 1"),
            ] {
                let refused = conn.query_drop(&sql).expect_err("MariaDB takes a dirty table");
                assert!(
                    refused.to_string().contains("1035") || refused.to_string().contains("1034"),
                    "{sql}: {refused}"
                );
            }
            for kind in ["CHECK", "ANALYZE", "OPTIMIZE"] {
                let rows: Vec<(String, String, String, String)> =
                    conn.query(format!("{kind} TABLE b.{tag}{t}")).expect("an answer");
                assert!(rows.iter().all(|r| r.3 != "OK"), "{kind}: {rows:?}");
            }
            for args in [&["-e"][..], &["-r"], &["-o"], &["-a"], &["--fast", "--update-state"]] {
                let out = Command::new("myisamchk")
                    .args(args)
                    .arg(to.join(format!("{tag}{t}")))
                    .output()
                    .expect("myisamchk");
                assert!(!out.status.success(), "myisamchk {args:?} takes a dirty table");
            }
        }
        assert!(before == all(&to, tag), "a refused table was changed");
    }
    // and after a restart and a clean stop they are ordinary tables
    ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    ours.stop();
    copy(&from, &to, "c");
    for t in 0..TABLES {
        let rows: Vec<(String, String, String, String)> =
            conn.query(format!("CHECK TABLE b.c{t} EXTENDED")).expect("an answer");
        assert!(rows.iter().all(|r| r.3 == "OK"), "{rows:?}");
    }
    let _ = std::fs::remove_dir_all(&dir);
}

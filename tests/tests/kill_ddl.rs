//! SIGKILL in a loop of definition statements: afterwards the old or the new is there, whole, for MariaDB's programs too.
//!
//! `ISAMBARD_KILLS` sets the rounds (5 unless told; 200 with `ISAMBARD_SOAK`).

use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::prelude::Queryable;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const WORKERS: u64 = 4;
const ROWS: u64 = 300;

/// Changes the tables of one database until the connection breaks. Whatever moment it stops at, [`verify`] holds.
fn work(peer: &Peer, worker: u64, round: u64, done: &AtomicU64) {
    let Ok(mut conn) = peer.try_connect(&format!("w{worker}")) else { return };
    let mut rng = fastrand::Rng::with_seed(worker * 1_000 + round);
    loop {
        let number = rng.u32(0..1_000_000);
        let sql = match rng.u8(0..12) {
            0 => "RENAME TABLE one TO t, two TO one, t TO two".to_owned(),
            1 => format!("ALTER TABLE one COMMENT 'comment {number}'"),
            // A few names only: a table has no more than 64 keys.
            2 => format!(
                "ALTER TABLE one DROP COLUMN IF EXISTS c{0}, ADD COLUMN c{0} varchar(20) NOT NULL DEFAULT 'new', \
                 ADD KEY (c{0})",
                number % 30
            ),
            3 => "ALTER TABLE one DROP COLUMN IF EXISTS extra, ADD COLUMN extra text FIRST".to_owned(),
            4 => "CREATE OR REPLACE TABLE copy (KEY (id)) SELECT id, mark FROM two".to_owned(),
            5 => "DROP TABLE IF EXISTS copy".to_owned(),
            6 => {
                "CREATE TABLE IF NOT EXISTS left_one LIKE one; CREATE TABLE IF NOT EXISTS right_one LIKE two"
                    .to_owned()
            }
            7 => "DROP TABLE IF EXISTS left_one, right_one".to_owned(),
            8 => format!(
                "CREATE OR REPLACE DATABASE x{worker} CHARACTER SET latin2; CREATE TABLE x{worker}.t (a int) SELECT 1 AS a"
            ),
            9 => format!("DROP DATABASE IF EXISTS x{worker}"),
            10 => "ALTER TABLE one RENAME TO moved, COMMENT 'moved'; ALTER TABLE moved RENAME TO one, FORCE"
                .to_owned(),
            _ => "CREATE TEMPORARY TABLE mine SELECT * FROM one; DROP TABLE mine; TRUNCATE TABLE empty"
                .to_owned(),
        };
        for sql in sql.split("; ") {
            match conn.query_drop(sql) {
                Ok(()) => done.fetch_add(1, Ordering::Relaxed),
                // A round before may have stopped between two of them.
                Err(mysql::Error::MySqlError(e)) if [1146, 1050, 1060, 1117].contains(&e.code) => continue,
                Err(mysql::Error::MySqlError(e)) => panic!("{sql}: {e}"),
                Err(_) => return,
            };
        }
    }
}

fn verify(peer: &Peer, worker: u64) {
    let mut conn = peer.connect(&format!("w{worker}"));
    let tables: Vec<String> = conn.query("SHOW TABLES").expect("tables");
    let has = |name: &str| tables.iter().any(|t| t == name);
    assert!(has("one") != has("moved"), "{tables:?}");
    if has("moved") {
        conn.query_drop("RENAME TABLE moved TO one").expect("back");
    }
    // Exchanged or not, both are there, each with all rows of one mark.
    let mut marks = Vec::new();
    for table in ["one", "two"] {
        let found: (u64, u64, u64) = conn
            .query_first(format!("SELECT COUNT(*), MIN(mark), MAX(mark) FROM {table}"))
            .expect("rows")
            .expect("one row");
        assert_eq!((found.0, found.1), (ROWS, found.2), "{table}");
        marks.push(found.1);
    }
    marks.sort_unstable();
    assert_eq!(marks, [1, 2]);
    if has("copy") {
        let count: Option<u64> = conn.query_first("SELECT COUNT(*) FROM copy").expect("rows");
        assert_eq!(count, Some(ROWS), "a copy has all rows");
    }
    // Dropped together.
    assert!(has("left_one") || !has("right_one"), "{tables:?}");
    let created: Option<(String, String)> =
        conn.query_first(format!("SHOW CREATE DATABASE IF NOT EXISTS x{worker}")).unwrap_or_default();
    if let Some((_, text)) = created {
        assert!(text.contains("latin2"), "{text}");
    }
    for table in &tables {
        let name = if table == "moved" { "one" } else { table };
        let rows: Vec<(String, String, String, String)> =
            conn.query(format!("CHECK TABLE {name} EXTENDED")).expect("check table");
        assert!(rows.iter().all(|r| r.3 == "OK"), "CHECK TABLE after a kill: {rows:?}");
    }
}

/// The files of a data directory: complete tables, and nothing that was under way.
fn check_files(datadir: &Path, index_files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(datadir).expect("data directory").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == "#sqltmp" {
            assert_eq!(
                std::fs::read_dir(entry.path()).expect("folder").count(),
                0,
                "tables of sessions are left"
            );
            continue;
        }
        assert!(!name.starts_with("#sql"), "{name} is left");
        if !entry.path().is_dir() {
            continue;
        }
        assert!(entry.path().join("db.opt").exists(), "{name} has no options");
        for file in std::fs::read_dir(entry.path()).expect("folder").flatten() {
            let path = file.path();
            assert!(!file.file_name().to_string_lossy().starts_with("#sql"), "{} is left", path.display());
            if file.file_name() == "db.opt" {
                continue;
            }
            for extension in ["frm", "MYI", "MYD"] {
                assert!(path.with_extension(extension).exists(), "{} stands alone", path.display());
            }
            if path.extension().is_some_and(|e| e == "MYI") {
                index_files.push(path);
            }
        }
    }
}

#[test]
fn definitions_are_whole_after_a_kill() {
    if !oracle_present() {
        return;
    }
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    let rounds: u64 = std::env::var("ISAMBARD_KILLS").ok().and_then(|v| v.parse().ok()).unwrap_or(if soak {
        200
    } else {
        5
    });
    let dir = scratch("killddl");
    let datadir = dir.join("data");
    let mut peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    for w in 0..WORKERS {
        let mut conn = peer.connect("");
        conn.query_drop(format!("CREATE DATABASE w{w}; ").trim_end_matches("; ")).expect("database");
        conn.query_drop(format!("USE w{w}")).expect("use");
        for (table, mark) in [("one", 1), ("two", 2)] {
            let format = if w % 2 == 0 { "CHECKSUM=1" } else { "ROW_FORMAT=FIXED" };
            conn.query_drop(format!(
                "CREATE TABLE {table} (id int AUTO_INCREMENT PRIMARY KEY, mark int, s varchar(60), KEY (s)) {format}"
            ))
            .expect("table");
            let rows: Vec<String> = (0..ROWS).map(|n| format!("({mark}, REPEAT('{n}', 9))")).collect();
            conn.query_drop(format!("INSERT INTO {table} (mark, s) VALUES {}", rows.join(",")))
                .expect("rows");
        }
        conn.query_drop("CREATE TABLE empty (a int)").expect("table");
    }
    let done = AtomicU64::new(0);
    let mut rng = fastrand::Rng::with_seed(7);
    for round in 0..rounds {
        std::thread::scope(|scope| {
            for w in 0..WORKERS {
                let (peer, done) = (&peer, &done);
                scope.spawn(move || work(peer, w, round, done));
            }
            std::thread::sleep(Duration::from_millis(rng.u64(50..700)));
            let pid = peer.pid().to_string();
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
        });
        peer.kill();
        peer = Peer::isambard_on(&datadir, &[]);
        peer.keep();
        check_files(&datadir, &mut Vec::new());
        for w in 0..WORKERS {
            verify(&peer, w);
        }
    }
    peer.stop();
    let mut index_files = Vec::new();
    check_files(&datadir, &mut index_files);
    for index in &index_files {
        let out =
            Command::new("myisamchk").args(["-e", "--silent"]).arg(index).output().expect("run myisamchk");
        let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(said.is_empty(), "myisamchk -e after a clean stop, {}: {said}", index.display());
    }
    println!("{rounds} kills survived, {} statements, {} tables", done.into_inner(), index_files.len());
    let _ = std::fs::remove_dir_all(&dir);
}

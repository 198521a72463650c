//! Backups that meet damage, a full disk, other backups, definition statements, and clients that go.

use isambard_tests::peers::{Peer, isambard_binary, oracle_present, scratch};
use mysql::prelude::Queryable;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn backup(peer: &Peer, target: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(isambard_binary());
    command.arg("backup").arg("--datadir").arg(&peer.datadir).arg("--socket").arg(&peer.socket);
    command.args(more).arg(target).output().expect("run isambard backup")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn incomplete(target: &Path) -> PathBuf {
    PathBuf::from(format!("{}.incomplete", target.display()))
}

#[track_caller]
fn nothing_left(target: &Path) {
    assert!(!target.exists() && !incomplete(target).exists(), "{}", target.display());
}

/// A server with a database `d` of `count` tables, each of some MB.
fn server(dir: &Path, count: usize, rows: usize) -> Peer {
    let mut peer = Peer::isambard_on(&dir.join("data"), &[]);
    peer.keep();
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE d CHARACTER SET latin1").expect("database");
    for n in 0..count {
        conn.query_drop(format!(
            "CREATE TABLE d.t{n} (id int PRIMARY KEY, s varchar(500), KEY (s(10))) ENGINE=MyISAM"
        ))
        .expect("table");
        for start in (0..rows).step_by(1000) {
            let values: Vec<String> =
                (start..start + 1000).map(|i| format!("({i},REPEAT('x',400))")).collect();
            conn.query_drop(format!("INSERT INTO d.t{n} VALUES {}", values.join(","))).expect("rows");
        }
    }
    peer
}

#[test]
fn damaged_tables_fail_the_backup_or_are_left_out_by_name() {
    let dir = scratch("backup-damaged");
    let mut peer = server(&dir, 4, 1000);
    peer.stop();
    // Marked as crashed; without its rows; a definition of nonsense.
    let file = |name: &str| peer.datadir.join("d").join(name);
    let mut head = std::fs::read(file("t0.MYI")).expect("index");
    head[38] |= 2;
    head[39] |= 2;
    std::fs::write(file("t0.MYI"), head).expect("mark");
    std::fs::remove_file(file("t1.MYD")).expect("remove");
    std::fs::write(file("t2.frm"), b"no definition").expect("damage");
    let mut peer = Peer::isambard_on(&dir.join("data"), &[]);
    peer.keep();
    let target = dir.join("copy");
    let out = backup(&peer, &target, &[]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    for name in ["'d.t1'", "'d.t2'"] {
        assert!(said.contains(name), "{name}: {said}");
    }
    assert!(!said.contains("'d.t3'"), "{said}");
    nothing_left(&target);
    let out = backup(&peer, &target, &["--skip-damaged"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    for name in ["'d.t1' is damaged", "'d.t2' is damaged", "not complete"] {
        assert!(said.contains(name), "{name}: {said}");
    }
    assert!(target.join("d/t3.MYD").exists() && target.join("mysql/global_priv.MYD").exists());
    for gone in ["t1.frm", "t1.MYI", "t1.MYD", "t2.frm"] {
        assert!(!target.join("d").join(gone).exists(), "{gone}");
    }
    peer.stop();
    // And without a server.
    let alone = dir.join("alone");
    let out = Command::new(isambard_binary())
        .args(["backup", "--skip-damaged", "--datadir"])
        .args([&peer.datadir, &alone])
        .output()
        .expect("backup");
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn backups_run_beside_each_other_and_end_when_they_are_killed() {
    let dir = scratch("backup-killed");
    let mut peer = server(&dir, 6, 12_000);
    let (one, two) = (dir.join("one"), dir.join("two"));
    std::thread::scope(|scope| {
        for target in [&one, &two] {
            let peer = &peer;
            scope.spawn(move || {
                let out = backup(peer, target, &[]);
                assert!(out.status.success(), "{}", text(&out.stderr));
            });
        }
    });
    for target in [&one, &two] {
        assert!(target.join("d/t5.MYI").exists() && !incomplete(target).exists());
    }
    // A folder with something in it, and one where another grows.
    let full = dir.join("full");
    std::fs::create_dir(&full).expect("folder");
    std::fs::write(full.join("mine"), b"mine").expect("file");
    let out = backup(&peer, &full, &[]);
    assert!(!out.status.success() && text(&out.stderr).contains("already exists"), "{}", text(&out.stderr));
    assert_eq!(std::fs::read(full.join("mine")).expect("file"), b"mine");
    let growing = dir.join("growing");
    std::fs::create_dir(incomplete(&growing)).expect("folder");
    let out = backup(&peer, &growing, &[]);
    assert!(!out.status.success() && text(&out.stderr).contains("already exists"), "{}", text(&out.stderr));
    assert!(incomplete(&growing).exists());

    // KILL, of the statement and of the connection.
    for (n, kill) in ["KILL QUERY", "KILL"].iter().enumerate() {
        let target = dir.join(format!("killed{n}"));
        let mut conn = peer.connect("");
        let id = conn.connection_id();
        let statement = format!("BACKUP SERVER TO '{}'", target.display());
        let result = std::thread::scope(|scope| {
            let copy = scope.spawn(|| conn.query_drop(statement));
            let mut other = peer.connect("");
            while !incomplete(&target).exists() && !copy.is_finished() {
                std::thread::sleep(Duration::from_micros(200));
            }
            other.query_drop(format!("{kill} {id}")).expect("kill");
            copy.join().expect("thread")
        });
        if result.is_err() {
            gone_soon(&target);
        } else {
            assert!(target.exists(), "it was quicker than the KILL");
        }
    }
    // The client goes.
    let target = dir.join("left");
    let mut child = Command::new(isambard_binary())
        .args(["backup", "--quiet", "--datadir"])
        .arg(&peer.datadir)
        .arg("--socket")
        .arg(&peer.socket)
        .arg(&target)
        .spawn()
        .expect("backup");
    while !incomplete(&target).exists() && child.try_wait().expect("wait").is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
    let _ = child.kill();
    let _ = child.wait();
    let ended = Instant::now();
    while incomplete(&target).exists() {
        assert!(ended.elapsed() < Duration::from_secs(60), "neither done nor removed");
        std::thread::sleep(Duration::from_millis(20));
    }
    // The server has all its tables, and writes.
    let mut conn = peer.connect("d");
    conn.query_drop("INSERT INTO t0 VALUES (-1, 'after')").expect("insert");
    drop(conn);
    peer.stop();
    let _ = std::fs::remove_dir_all(&dir);
}

#[track_caller]
fn gone_soon(target: &Path) {
    let since = Instant::now();
    while target.exists() || incomplete(target).exists() {
        assert!(since.elapsed() < Duration::from_secs(30), "{} is left", target.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_full_disk_ends_the_backup_and_nothing_of_it_stays() {
    let dir = scratch("backup-full");
    let small = dir.join("small");
    std::fs::create_dir(&small).expect("folder");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"])
        .arg(&small)
        .status()
        .is_ok_and(|s| s.success());
    if !mounted {
        eprintln!("NOTICE: no small file system can be mounted here, the full disk was not tried");
        return;
    }
    let mut peer = server(&dir, 3, 10_000);
    let target = small.join("copy");
    let out = backup(&peer, &target, &[]);
    let said = text(&out.stderr);
    let left = std::fs::read_dir(&small).expect("list").count();
    let mut conn = peer.connect("d");
    let count: Option<u32> = conn.query_first("SELECT COUNT(*) FROM t2").expect("count");
    drop(conn);
    peer.stop();
    let _ = Command::new("umount").arg(&small).status();
    assert!(!out.status.success() && said.contains("Disk full") && said.contains("small"), "{said}");
    assert_eq!((left, count), (0, Some(10_000)));
    let _ = std::fs::remove_dir_all(&dir);
}

/// Definition statements at random on the tables of one database.
fn define(peer: &Peer, stop: &AtomicBool, seed: u64) {
    let mut conn = peer.connect("d");
    let mut rng = fastrand::Rng::with_seed(seed);
    while !stop.load(Ordering::Relaxed) {
        let (a, b) = (rng.u8(0..12), rng.u8(0..12));
        let sql = match rng.u8(0..9) {
            0 => format!("DROP TABLE IF EXISTS r{a}"),
            1 => format!("RENAME TABLE r{a} TO r{b}"),
            2 => format!("ALTER TABLE r{a} ADD COLUMN c{} int DEFAULT {b}", rng.u8(0..5)),
            3 => format!("TRUNCATE TABLE r{a}"),
            4 => format!("ALTER TABLE r{a} ADD KEY (id, s(5))"),
            5 => format!(
                "CREATE OR REPLACE TABLE r{a} (id int, s varchar(90)) SELECT id, s FROM t0 LIMIT {}",
                rng.u16(0..900)
            ),
            6 => format!("INSERT INTO r{a} (id, s) SELECT id, s FROM t0 LIMIT 50"),
            7 => format!("DELETE FROM r{a} LIMIT 20"),
            _ => format!("CREATE TABLE r{a} (id int, s varchar(90), KEY (id)) ENGINE=MyISAM"),
        };
        // Most names are not there, or there already.
        let _ = conn.query_drop(sql);
    }
}

#[test]
fn copies_made_beside_definition_statements_are_whole() {
    let dir = scratch("backup-ddl");
    let mut peer = server(&dir, 1, 1000);
    let stop = AtomicBool::new(false);
    let copies: Vec<PathBuf> = std::thread::scope(|scope| {
        for seed in 0..2 {
            let (peer, stop) = (&peer, &stop);
            scope.spawn(move || define(peer, stop, seed));
        }
        let copies = (0..5)
            .map(|n| {
                std::thread::sleep(Duration::from_millis(300));
                let target = dir.join(format!("copy{n}"));
                let out = backup(&peer, &target, &["--quiet"]);
                if !out.status.success() {
                    stop.store(true, Ordering::Relaxed);
                    panic!("{}", text(&out.stderr));
                }
                target
            })
            .collect();
        stop.store(true, Ordering::Relaxed);
        copies
    });
    peer.stop();
    let check = |peer: &Peer, copy: &Path| -> Vec<String> {
        let mut conn = peer.connect("d");
        let mut tables: Vec<String> = conn.query("SHOW TABLES").expect("tables");
        assert!(!tables.is_empty());
        for table in &tables {
            let rows: Vec<(String, String, String, String)> =
                conn.query(format!("CHECK TABLE {table} EXTENDED")).expect("check");
            assert_eq!(
                rows.last().map(|r| r.3.as_str()),
                Some("OK"),
                "{table} of {}: {rows:?}",
                copy.display()
            );
        }
        tables.sort();
        tables
    };
    for (n, copy) in copies.iter().enumerate() {
        let mut here = Peer::isambard_on(copy, &[]);
        here.keep();
        let tables = check(&here, copy);
        here.stop();
        if oracle_present() {
            let beside = dir.join(format!("maria{n}"));
            std::fs::create_dir(&beside).expect("folder");
            let maria = Peer::mariadb_on(beside, copy.clone(), &[]);
            assert_eq!(check(&maria, copy), tables);
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
}

//! `isambard backup` beside writers: the copy is one moment, and MariaDB serves it as it is.

use isambard_tests::peers::{Peer, isambard_binary, oracle_present, scratch};
use mysql::prelude::Queryable;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn backup(datadir: &Path, socket: Option<&Path>, target: &Path) -> Output {
    let mut command = Command::new(isambard_binary());
    command.arg("backup").arg("--datadir").arg(datadir).arg(target);
    if let Some(socket) = socket {
        command.arg("--socket").arg(socket);
    }
    command.output().expect("run isambard backup")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Moves money between accounts of one table, and notes each move in a second one: first the note, then the move.
fn write(peer: &Peer, stop: &AtomicBool, base: u64) {
    let mut conn = peer.connect("bank");
    let mut rng = fastrand::Rng::with_seed(base);
    let mut n = base;
    while !stop.load(Ordering::Relaxed) {
        n += 1;
        let (from, to, sum) = (rng.u8(0..50), rng.u8(50..100), rng.u32(0..1000));
        conn.query_drop(format!("INSERT INTO note VALUES ({n}, {sum}, REPEAT('n', {}))", sum % 300))
            .expect("note");
        // One statement moves the money and counts the moves.
        conn.query_drop(format!(
            "UPDATE account SET moves = moves + 1, v = v + IF(id = {to}, {sum}, -{sum}) WHERE id IN ({from}, {to})"
        ))
        .expect("move");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn mariadb_serves_a_copy_made_beside_writers() {
    if !oracle_present() {
        return;
    }
    let dir = scratch("backup");
    let datadir = dir.join("data");
    let mut peer = Peer::isambard_on(&datadir, &[]);
    peer.keep();
    let mut conn = peer.connect("");
    for sql in [
        "CREATE DATABASE bank CHARACTER SET latin1",
        "CREATE TABLE bank.account (id int PRIMARY KEY, v bigint, moves int NOT NULL, KEY (v)) ENGINE=MyISAM",
        "CREATE TABLE bank.note (n bigint PRIMARY KEY, v int, pad varchar(300), KEY (pad(20))) ENGINE=MyISAM CHECKSUM=1",
        "CREATE USER reader IDENTIFIED BY 'secret'",
        "GRANT SELECT ON bank.* TO reader",
    ] {
        conn.query_drop(sql).expect(sql);
    }
    for id in 0..100 {
        conn.query_drop(format!("INSERT INTO bank.account VALUES ({id}, 0, 0)")).expect("account");
    }
    let stop = AtomicBool::new(false);
    let copies: Vec<_> = std::thread::scope(|scope| {
        for w in 1..3 {
            let (peer, stop) = (&peer, &stop);
            scope.spawn(move || write(peer, stop, w * 1_000_000));
        }
        let copies = (0..2)
            .map(|n| {
                std::thread::sleep(Duration::from_millis(400));
                let target = dir.join(format!("copy{n}"));
                let out = backup(&datadir, Some(&peer.socket), &target);
                (target, out)
            })
            .collect::<Vec<_>>();
        // The writers end before anything is asserted: the scope waits for them.
        stop.store(true, Ordering::Relaxed);
        copies
    });
    let copies: Vec<_> = copies
        .into_iter()
        .map(|(target, out)| {
            assert!(out.status.success(), "{}", text(&out.stderr));
            assert!(text(&out.stdout).contains("Tables: "), "{}", text(&out.stdout));
            target
        })
        .collect();
    // A second one to the same place is refused.
    let out = backup(&datadir, Some(&peer.socket), &copies[0]);
    assert!(!out.status.success() && text(&out.stderr).contains("already exists"), "{}", text(&out.stderr));
    // A server that dies while it copies leaves nothing that looks like a backup.
    let target = dir.join("killed");
    std::thread::scope(|scope| {
        let (datadir, socket, target) = (&datadir, &peer.socket, &target);
        scope.spawn(move || backup(datadir, Some(socket), target));
        std::thread::sleep(Duration::from_millis(30));
        let _ = Command::new("kill").args(["-KILL", &peer.pid().to_string()]).status();
    });
    peer.kill();
    if target.exists() {
        assert!(target.join("bank/note.MYD").exists() && target.join("mysql").exists());
    }
    // Without a server the tool opens the directory itself.
    let last = dir.join("last");
    let out = backup(&datadir, None, &last);
    assert!(out.status.success(), "{}", text(&out.stderr));
    for (n, copy) in copies.iter().chain([&last]).enumerate() {
        for table in ["account", "note"] {
            let index = copy.join("bank").join(table).with_extension("MYI");
            let out =
                Command::new("myisamchk").args(["-e", "--silent"]).arg(&index).output().expect("myisamchk");
            assert_eq!(text(&out.stdout) + &text(&out.stderr), "", "{}", index.display());
        }
        let beside = dir.join(format!("maria{n}"));
        std::fs::create_dir(&beside).expect("folder");
        let maria = Peer::mariadb_on(beside, copy.clone(), &[]);
        let mut conn = maria.connect("bank");
        let (sum, moves): (i64, u64) =
            conn.query_first("SELECT SUM(v), SUM(moves) FROM account").expect("sum").expect("a row");
        assert_eq!((sum, moves % 2), (0, 0), "half of a statement");
        let notes: u64 = conn.query_first("SELECT COUNT(*) FROM note").expect("count").expect("a row");
        // Each writer is at most one note ahead of its move.
        assert!(notes >= moves / 2 && notes <= moves / 2 + 2 + 1, "{notes} notes, {moves} half moves");
        let checked: Vec<(String, String, String, String)> =
            conn.query("CHECK TABLE account, note EXTENDED").expect("check");
        assert!(checked.iter().all(|row| row.3 == "OK"), "{checked:?}");
        conn.query_drop("INSERT INTO note VALUES (1, 1, 'from MariaDB')").expect("write");
        let grants: Vec<String> = conn.query("SHOW GRANTS FOR reader").expect("accounts");
        assert!(grants.iter().any(|g| g.contains("SELECT ON `bank`")), "{grants:?}");
    }
    let _ = std::fs::remove_dir_all(&dir);
}

/// What keeps a backup from being made is said in words, on one line, with and without a server.
#[test]
fn a_backup_that_cannot_be_made_says_why() {
    let mut peer = Peer::isambard(&[]);
    let dir = peer.datadir.with_file_name("backups");
    std::fs::create_dir(&dir).expect("a folder");
    std::fs::write(dir.join("there"), "a file").expect("a file");
    let target = |name: &str| dir.join(name);
    let inside = peer.datadir.join("inside");
    let reasons = [
        (target("there"), "already exists"),
        (dir.clone(), "already exists"),
        (inside, "the backup cannot be in the data directory"),
        (target("none/there"), "(Errcode: 2 \"No such file or directory\")"),
    ];
    for with_server in [true, false] {
        if !with_server {
            peer.stop();
        }
        for (target, reason) in &reasons {
            // a server has another reason: whether a folder that is not there lies where it may write, it cannot tell
            let reason = if with_server && target.ends_with("none/there") { "ERROR 1290" } else { reason };
            let done = backup(&peer.datadir, with_server.then_some(peer.socket.as_path()), target);
            let said = text(&done.stderr);
            assert!(!done.status.success(), "{}", target.display());
            assert!(said.starts_with("isambard: ") && said.contains(reason), "{with_server}: {said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }
    assert_eq!(std::fs::read_to_string(dir.join("there")).expect("the file"), "a file");
    let left = std::fs::read_dir(&dir).expect("the folder").count();
    assert_eq!(left, 1, "nothing was begun");
}

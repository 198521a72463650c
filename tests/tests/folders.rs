//! Tables with DATA DIRECTORY and INDEX DIRECTORY through the real servers: made by Isambard they are read and written by MariaDB, and
//! the other way round. Their files are the same ones; each server has links to them.

use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::Conn;
use mysql::prelude::Queryable;
use std::os::unix::fs::symlink;
use std::path::Path;

fn run(conn: &mut Conn, sql: &str) {
    conn.query_drop(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
}

/// The definitions and links of one database for the same database of another server.
fn hand_over(from: &Path, to: &Path, table: &str) {
    for entry in std::fs::read_dir(from).expect("a database").map(|e| e.expect("a file")) {
        let (name, path) = (entry.file_name().into_string().expect("a name"), entry.path());
        if !name.starts_with(&format!("{table}.")) && !name.starts_with(&format!("{table}#P#")) {
            continue;
        }
        match std::fs::read_link(&path) {
            Ok(target) => symlink(target, to.join(&name)).expect("a link"),
            Err(_) => drop(std::fs::copy(&path, to.join(&name)).expect("a copy")),
        }
    }
}

fn seen(conn: &mut Conn, table: &str) -> (Vec<(i32, String)>, String) {
    let check: Vec<(String, String, String, String)> =
        conn.query(format!("CHECK TABLE {table} EXTENDED")).expect("CHECK TABLE");
    assert!(check.iter().all(|row| row.3 == "OK"), "{check:?}");
    let rows = conn.query(format!("SELECT * FROM {table} ORDER BY a")).expect("rows");
    let shown: Option<(String, String)> =
        conn.query_first(format!("SHOW CREATE TABLE {table}")).expect("a definition");
    (rows, shown.expect("a definition").1)
}

fn files(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .expect("a folder")
        .map(|e| e.expect("a file").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
#[test]
fn linked_tables_go_both_ways() {
    if !oracle_present() {
        return;
    }
    let dir = scratch("folders");
    let (one, two, datadir) = (dir.join("one"), dir.join("two"), dir.join("data"));
    for dir in [&one, &two] {
        std::fs::create_dir_all(dir).expect("a folder");
    }
    let folders = format!("DATA DIRECTORY='{}' INDEX DIRECTORY='{}'", one.display(), two.display());
    let columns = "(a INT NOT NULL, s VARCHAR(30), KEY (a), KEY (s))";
    let plain = |name: &str| format!("CREATE TABLE {name} {columns} {folders}");
    let parts = |name: &str| {
        format!(
            "CREATE TABLE {name} {columns} PARTITION BY HASH (a) (PARTITION p0 {folders}, PARTITION p1 {folders})"
        )
    };
    let mut ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    let mut theirs = Peer::mariadb(&["--myisam-recover-options=OFF"]);
    for peer in [&ours, &theirs] {
        run(&mut peer.connect(""), "CREATE DATABASE f");
    }
    let (here, there) = (datadir.join("f"), theirs.datadir.join("f"));
    let mut conn = ours.connect("f");
    for sql in [plain("t"), parts("p")] {
        run(&mut conn, &sql);
    }
    for table in ["t", "p"] {
        run(&mut conn, &format!("INSERT INTO {table} SELECT seq, CONCAT('row ', seq) FROM seq_1_to_500"));
        run(&mut conn, &format!("DELETE FROM {table} WHERE a % 7 = 0"));
    }
    let before = ["t", "p"].map(|table| seen(&mut conn, table));
    drop(conn);
    ours.stop();
    // what Isambard has made, in MariaDB
    let mut conn = theirs.connect("f");
    for (table, before) in ["t", "p"].into_iter().zip(&before) {
        hand_over(&here, &there, table);
        assert_eq!(seen(&mut conn, table), *before, "{table} in MariaDB");
        run(&mut conn, &format!("UPDATE {table} SET s = 'changed' WHERE a % 5 = 0"));
        run(&mut conn, &format!("INSERT INTO {table} VALUES (1000, 'new')"));
        run(&mut conn, &format!("OPTIMIZE TABLE {table}"));
    }
    for (table, sql) in [("m", plain("m")), ("q", parts("q"))] {
        run(&mut conn, &sql);
        run(&mut conn, &format!("INSERT INTO {table} SELECT * FROM t"));
    }
    let before = ["t", "p", "m", "q"].map(|table| seen(&mut conn, table));
    run(&mut conn, "FLUSH TABLES");
    drop(conn);
    theirs.stop();
    // and back, with what MariaDB has made
    for table in ["m", "q"] {
        hand_over(&there, &here, table);
    }
    let mut ours = Peer::isambard_on(&datadir, &[]);
    let mut conn = ours.connect("f");
    for (table, before) in ["t", "p", "m", "q"].into_iter().zip(&before) {
        assert_eq!(seen(&mut conn, table), *before, "{table} in Isambard");
        run(&mut conn, &format!("ALTER TABLE {table} ADD COLUMN n INT, RENAME r{table}"));
        run(&mut conn, &format!("INSERT INTO r{table} VALUES (2000, 'last', 1)"));
    }
    let table = |name: &str, e: &str| format!("{name}.{e}");
    let all = |e: &str| {
        let mut all = vec![table("rm", e), table("rt", e)];
        for name in ["rp", "rq"] {
            all.extend([table(&format!("{name}#P#p0"), e), table(&format!("{name}#P#p1"), e)]);
        }
        all.sort();
        all
    };
    assert_eq!((files(&one), files(&two)), (all("MYD"), all("MYI")));
    // the journal alone has the last rows: a kill loses none
    drop(conn);
    ours.kill();
    let mut ours = Peer::isambard_on(&datadir, &[]);
    let mut conn = ours.connect("f");
    for table in ["rt", "rp", "rm", "rq"] {
        let last: Option<i32> =
            conn.query_first(format!("SELECT n FROM {table} WHERE a = 2000")).expect("a row");
        assert_eq!(last, Some(1), "{table}");
    }
    run(&mut conn, "DROP TABLE rt, rp");
    run(&mut conn, "DROP DATABASE f");
    assert_eq!((files(&one), files(&two)), (vec![], vec![]));
    drop(conn);
    ours.stop();
}

/// What both servers answer to one statement: rows, or the error.
fn answers(peers: &[&Peer; 2], sql: &str) -> [String; 2] {
    peers.map(|peer| match peer.connect("f").query::<mysql::Row, _>(sql) {
        Ok(rows) => format!("{:?}", rows.into_iter().map(mysql::Row::unwrap).collect::<Vec<_>>()),
        Err(mysql::Error::MySqlError(e)) => format!("{} {}", e.code, e.message),
        Err(e) => panic!("{sql}: {e}"),
    })
}

/// Links that somebody has put into the folder of a database: one into the data directory is not followed and goes alone, one to another
/// name elsewhere is as good as MariaDB's own.
#[test]
fn links_of_others() {
    if !oracle_present() {
        return;
    }
    let dir = scratch("others");
    let ours = Peer::isambard(&[]);
    let theirs = Peer::mariadb(&[]);
    let peers = [&ours, &theirs];
    for (peer, out) in peers.into_iter().zip(["ours", "theirs"]) {
        let outside = dir.join(out);
        std::fs::create_dir_all(&outside).expect("a folder");
        run(&mut peer.connect(""), "CREATE DATABASE f");
        let mut conn = peer.connect("f");
        for (table, row) in [("victim", 42), ("a", 1), ("b", 2), ("c", 3)] {
            run(&mut conn, &format!("CREATE TABLE {table} (a INT)"));
            run(&mut conn, &format!("INSERT INTO {table} VALUES ({row})"));
        }
        run(&mut conn, "FLUSH TABLES");
        let folder = peer.datadir.join("f");
        for (file, to) in [("a.MYD", folder.join("victim.MYD")), ("b.MYI", folder.join("victim.MYI"))] {
            std::fs::remove_file(folder.join(file)).expect("remove");
            symlink(to, folder.join(file)).expect("a link");
        }
        let (name, other) = (folder.join("c.MYD"), outside.join("other.MYD"));
        std::fs::copy(&name, &other).expect("a copy");
        std::fs::remove_file(&name).expect("remove");
        symlink(other, name).expect("a link");
    }
    for sql in [
        "SELECT * FROM a",
        "SELECT * FROM b",
        "INSERT INTO a VALUES (5)",
        "CHECK TABLE a, b",
        "REPAIR TABLE a",
        "SELECT * FROM c",
        "INSERT INTO c VALUES (4)",
        "RENAME TABLE c TO d",
        "SELECT * FROM d",
        "DROP TABLE a",
        "DROP TABLE b",
        "SELECT * FROM victim",
        "CHECK TABLE victim",
        "DROP TABLE d",
    ] {
        let [own, reference] = answers(&peers, sql);
        assert_eq!(own, reference, "{sql}");
    }
    for out in ["ours", "theirs"] {
        assert!(files(&dir.join(out)).is_empty(), "{out}");
    }
}

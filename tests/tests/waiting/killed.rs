//! KILL QUERY, KILL CONNECTION and a client that goes away end every kind of statement soon, and leave nothing behind.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use isambard_tests::peers::{Peer, scratch};
use mysql::prelude::Queryable;

use super::client::Client;

/// A statement has ended by then.
const SOON: Duration = Duration::from_secs(2);
/// The longest that it may take on a machine that is busy with other tests.
const LATE: Duration = Duration::from_secs(6);
/// After these times a statement is stopped, each time in another way; one that ends by itself is left after that.
const MOMENTS: [u64; 4] = [5, 100, 300, 1200];
/// Beyond this time a statement is stopped once more at most.
const LONG: u64 = 300;

#[derive(Clone, Copy, Debug)]
enum Way {
    Query,
    Connection,
    Leave,
}

struct World {
    peer: Peer,
    root: mysql::Conn,
    faults: Vec<String>,
}

impl World {
    fn new(rows: u32) -> World {
        let peer =
            Peer::isambard(&["--set", "lock_wait_timeout=30", "--set", "group_concat_max_len=4294967295"]);
        let mut root = peer.connect("");
        let doubled = rows.ilog2();
        root.query_drop("CREATE DATABASE k").expect("setup");
        root.query_drop("USE k").expect("setup");
        root.query_drop("CREATE TABLE big (id INT NOT NULL AUTO_INCREMENT, v INT, s CHAR(32), c VARCHAR(60), PRIMARY KEY (id))").expect("setup");
        root.query_drop("INSERT INTO big (v, s, c) VALUES (1, 'abc', 'x')").expect("setup");
        for _ in 0..doubled {
            root.query_drop("INSERT INTO big (v, s, c) SELECT 1, MD5(RAND()), MD5(id) FROM big")
                .expect("setup");
        }
        root.query_drop("DELETE FROM big WHERE id % 100 = 7").expect("setup");
        World { peer, root, faults: Vec::new() }
    }

    fn set(&mut self, statements: &[&str]) {
        for sql in statements {
            self.root.query_drop(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
        }
    }

    /// Whether connection `id` runs a statement.
    fn runs(&mut self, id: u32) -> bool {
        let sql = format!(
            "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = {id} AND COMMAND <> 'Sleep'"
        );
        self.root.query_first::<u32, _>(sql).expect("the list of processes") == Some(1)
    }

    /// Waits until the statement that was sent is seen to run, which takes its while on a busy machine; false when it ended before.
    fn begins(&mut self, client: &mut Client) -> bool {
        let end = Instant::now() + 10 * SOON;
        while !self.runs(client.id) {
            // It may have begun to answer since, and run still.
            if client.has_answer() || Instant::now() > end {
                return self.runs(client.id);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Stops `sql` at several moments.
    fn stop(&mut self, before: &[&str], sql: &str) {
        let mut hits = 0;
        let mut own = None;
        for (n, moment) in MOMENTS.into_iter().enumerate() {
            if moment > LONG && hits >= 3 {
                break;
            }
            let way = [Way::Query, Way::Leave, Way::Connection, Way::Query][n];
            let mut client = Client::new(&self.peer, "k");
            for sql in before {
                client.run(sql);
            }
            client.ask(sql);
            let begun = self.begins(&mut client);
            std::thread::sleep(Duration::from_millis(moment));
            if !begun || !self.runs(client.id) {
                own = client.error();
                break;
            }
            let begun = Instant::now();
            match way {
                // It may just have ended.
                Way::Query => self.root.query_drop(format!("KILL QUERY {}", client.id)).unwrap_or_default(),
                Way::Connection => self.root.query_drop(format!("KILL {}", client.id)).unwrap_or_default(),
                Way::Leave => client.leave(),
            }
            let mut error = None;
            while self.runs(client.id) && begun.elapsed() < 10 * SOON {
                match way {
                    // What was on its way must be read before the error can be sent.
                    Way::Query => error = error.or(client.look_for_error(Duration::from_millis(5))),
                    _ => std::thread::sleep(Duration::from_millis(5)),
                }
            }
            let took = begun.elapsed();
            println!("{way:?} after {moment} ms: {took:?}: {}", &sql[..sql.len().min(90)]);
            hits += 1;
            if took > LATE {
                self.faults.push(format!("{way:?} after {moment} ms took {took:?}: {sql}"));
            }
            if matches!(way, Way::Query) {
                let error = error.or_else(|| client.look_for_error(LATE));
                if !matches!(error, None | Some(1317)) {
                    self.faults.push(format!("{way:?} after {moment} ms gives {error:?}: {sql}"));
                }
            }
        }
        if hits == 0 {
            self.faults.push(format!("ends by itself at once ({own:?}): {sql}"));
        }
    }

    /// The table and the full-text key of `texts` agree.
    fn sound_words(&mut self) {
        let checked: Option<(String, String, String, String)> =
            self.root.query_first("CHECK TABLE k.texts EXTENDED").expect("checked");
        let text = checked.map(|row| row.3);
        if text.as_deref() != Some("OK") {
            self.faults.push(format!("CHECK TABLE k.texts: {text:?}"));
        }
        for word in ["common", "beside", "changed", "a*", "0*"] {
            let mut count = |hint: &str| -> Option<u64> {
                let search = format!("MATCH (a) AGAINST ('{word}' IN BOOLEAN MODE)");
                let sql = format!("SELECT COUNT(*) FROM k.texts {hint} WHERE {search}");
                self.root.query_first(sql).expect("a search")
            };
            let (by_key, by_row) = (count(""), count("IGNORE INDEX (words)"));
            if by_key != by_row {
                self.faults.push(format!(
                    "rows of texts with {word}: {by_key:?} by the key, {by_row:?} by the rows"
                ));
            }
        }
    }

    /// What statements must not leave: files beside those of the tables, files without names, locks.
    fn left(&mut self, before: &BTreeSet<String>, what: &str) {
        // The last of them may still clear up.
        let end = Instant::now() + SOON;
        loop {
            let mut wrong: Vec<String> =
                files(&self.peer.datadir).symmetric_difference(before).cloned().collect();
            wrong.extend(unnamed(self.peer.pid()));
            if wrong.is_empty() {
                break;
            }
            if Instant::now() > end {
                self.faults.push(format!("{what}: files {wrong:?}"));
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        for sql in [
            "SET lock_wait_timeout = 1",
            "UPDATE k.big SET v = 1 WHERE id = 1",
            "LOCK TABLES k.big WRITE",
            "UNLOCK TABLES",
        ] {
            if let Err(e) = self.root.query_drop(sql) {
                self.faults.push(format!("{what}: {sql}: {e}"));
            }
        }
        let checked: Option<(String, String, String, String)> =
            self.root.query_first("CHECK TABLE k.big").expect("checked");
        let text = checked.map(|row| row.3);
        if text.as_deref() != Some("OK") {
            self.faults.push(format!("{what}: CHECK TABLE: {text:?}"));
        }
    }
}

/// The files of the databases.
fn files(datadir: &Path) -> BTreeSet<String> {
    fn look(dir: &Path, all: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                look(&path, all);
            } else if !path.to_string_lossy().contains("isambard.") {
                all.insert(path.to_string_lossy().into_owned());
            }
        }
    }
    let mut all = BTreeSet::new();
    look(datadir, &mut all);
    all
}

/// Open files of the process that have no name any more and hold something.
fn unnamed(pid: u32) -> Vec<String> {
    let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("its files");
    let deleted = entries.flatten().filter_map(|entry| {
        let target = std::fs::read_link(entry.path()).ok()?.to_string_lossy().into_owned();
        let size = std::fs::metadata(entry.path()).ok()?.len();
        (target.ends_with("(deleted)") && size > 0).then_some(format!("{target}: {size}"))
    });
    deleted.collect()
}

fn judge(world: World) {
    assert!(world.faults.is_empty(), "{}", world.faults.join("\n"));
}

/// Statements that go through a table, build keys, write files.
#[test]
fn long_statements_on_tables_are_stopped() {
    let mut world = World::new(1 << 17);
    let dir = scratch("killed");
    let file = dir.join("rows").to_string_lossy().into_owned();
    let (load, outfile, backup) = (
        format!("LOAD DATA INFILE '{file}' REPLACE INTO TABLE copied"),
        format!("SELECT a.* FROM big a, big b INTO OUTFILE '{file}2'"),
        format!("BACKUP SERVER TO '{}'", dir.join("copy").display()),
    );
    world.set(&[
        &format!("SELECT * FROM big INTO OUTFILE '{file}'"),
        "CREATE TABLE keyed LIKE big",
        "ALTER TABLE keyed ADD KEY (s), ADD KEY (c), ADD KEY (v, s)",
        "ALTER TABLE keyed DISABLE KEYS",
        "INSERT INTO keyed SELECT id, v, s, c FROM big",
        "CREATE TABLE copied LIKE big",
        "ALTER TABLE copied ADD KEY (s), ADD KEY (c, v)",
    ]);
    let before = files(&world.peer.datadir);
    for sql in [
        "ALTER TABLE big MODIFY v BIGINT, ADD COLUMN w INT",
        "ALTER TABLE big ADD KEY (s), ADD KEY (c)",
        "ALTER TABLE big ORDER BY s",
        "CREATE INDEX i ON big (s, c)",
        "ALTER TABLE keyed ENABLE KEYS",
        "REPAIR TABLE big",
        "REPAIR TABLE keyed EXTENDED",
        "OPTIMIZE TABLE big",
        "CHECK TABLE big EXTENDED",
        "CHECKSUM TABLE big EXTENDED",
        "INSERT INTO copied SELECT NULL, v, s, c FROM keyed",
        "INSERT INTO copied (v, s, c) SELECT a.v, a.s, b.c FROM big a, big b",
        "REPLACE INTO copied SELECT id, v, s, c FROM big",
        &load,
        "CREATE TABLE made SELECT a.id, b.c FROM big a, big b",
        "CREATE TEMPORARY TABLE made (KEY (c)) SELECT a.id, b.c FROM big a, big b",
        "UPDATE big SET c = CONCAT(c, 'y'), v = v + 1",
        "UPDATE big a, big b SET a.v = b.v + 2 WHERE a.v = b.v",
        "DELETE FROM a USING big a, big b WHERE a.v = b.v + 1",
        &outfile,
        &backup,
        // Last: few rows may be left.
        "DELETE FROM big WHERE v > 0 ORDER BY s",
    ] {
        world.stop(&[], sql);
        let _ = std::fs::remove_file(dir.join("rows2"));
    }
    // What is done is done in MyISAM; what is here must be sound.
    world.left(&before, "tables");
    let left: Vec<_> = std::fs::read_dir(&dir).expect("a folder").flatten().map(|e| e.file_name()).collect();
    println!("left: {left:?}");
    world.peer.stop();
    let _ = std::fs::remove_dir_all(dir);
    judge(world);
}

/// Searches, and the building of their keys.
#[test]
fn searches_are_stopped() {
    let mut world = World::new(1 << 16);
    // Words that all rows have, some have and one has, so that searches have much to read and little to find.
    world.set(&[
        "CREATE TABLE texts (id INT NOT NULL PRIMARY KEY, a TEXT, FULLTEXT KEY words (a))",
        "INSERT INTO texts SELECT id, CONCAT_WS(' ', 'common', s, c, REPEAT('words beside words ', 8), LEFT(s, 4), LEFT(c, 4)) FROM big",
    ]);
    let before = files(&world.peer.datadir);
    // Stopped by the clock, within one long search, while the table has all its rows.
    for mode in ["IN BOOLEAN MODE", "WITH QUERY EXPANSION"] {
        let sql = format!(
            "SET STATEMENT max_statement_time = 0.01 FOR SELECT COUNT(*) FROM texts WHERE MATCH (a) AGAINST ((SELECT GROUP_CONCAT(LEFT(s, 4), '* ', c SEPARATOR ' ') FROM big) {mode})"
        );
        let begun = Instant::now();
        // The error comes where the row would.
        let stopped = world.root.query::<u64, _>(&sql);
        match stopped {
            Err(mysql::Error::MySqlError(e)) if e.code == 1969 => {}
            other => world.faults.push(format!("{sql}: {other:?}")),
        }
        if begun.elapsed() > SOON {
            world.faults.push(format!("max_statement_time took {:?}: {sql}", begun.elapsed()));
        }
    }
    for sql in [
        // A search a row.
        "SELECT COUNT(*) FROM big JOIN texts ON texts.id > big.id WHERE MATCH (texts.a) AGAINST ('+common -a* -b* \"words common\"' IN BOOLEAN MODE)",
        "SELECT COUNT(*) FROM texts WHERE MATCH (a) AGAINST (CONCAT('\"words beside common\" ', REPEAT('a* b* c* d* e* f* 0* ', 100)) IN BOOLEAN MODE)",
        "SELECT id FROM texts WHERE MATCH (a) AGAINST (REPEAT('a* b* c* ', 200) IN BOOLEAN MODE) ORDER BY MATCH (a) AGAINST (REPEAT('a* b* c* ', 200) IN BOOLEAN MODE) DESC LIMIT 5",
        "SELECT COUNT(*) FROM texts IGNORE INDEX (words) WHERE MATCH (a) AGAINST (REPEAT('w* a* b* \"words beside common\" ', 300) IN BOOLEAN MODE)",
        "SELECT COUNT(*) FROM texts WHERE MATCH (a) AGAINST (REPEAT('+(+common +words ', 5000) IN BOOLEAN MODE)",
        "SELECT COUNT(*) FROM texts a JOIN texts b WHERE MATCH (a.a) AGAINST ('common') OR MATCH (b.a) AGAINST ('words beside')",
        "ALTER TABLE texts ADD FULLTEXT KEY more (a)",
        "REPAIR TABLE texts QUICK",
        "CREATE TABLE made (FULLTEXT KEY (a)) SELECT a.a FROM texts a, texts b",
        "UPDATE texts SET a = CONCAT(a, ' changed')",
        "DELETE FROM texts WHERE MATCH (a) AGAINST (REPEAT('w* a* b* \"words beside common\" ', 300) IN BOOLEAN MODE)",
    ] {
        world.stop(&[], sql);
    }
    world.sound_words();
    world.left(&before, "searches");
    judge(world);
}

/// What a SELECT does without end.
#[test]
fn long_selects_and_functions_are_stopped() {
    let mut world = World::new(1 << 16);
    world.set(&[
        "CREATE TABLE lone (id INT NOT NULL, v INT, s CHAR(32))",
        "INSERT INTO lone SELECT id, v, s FROM big LIMIT 20000",
    ]);
    let before = files(&world.peer.datadir);
    for sql in SELECTS.iter().chain(FUNCTIONS) {
        world.stop(&[], sql);
    }
    world.left(&before, "selects");
    judge(world);
}

const SELECTS: &[&str] = &[
    "SELECT SQL_NO_CACHE a.s FROM big a, big b ORDER BY a.c, b.s LIMIT 5",
    "SELECT a.s FROM big a, big b ORDER BY a.c, b.s",
    "SELECT a.s, b.c, COUNT(*) FROM big a, big b GROUP BY a.s, b.c ORDER BY NULL",
    "SELECT DISTINCT a.s, b.c FROM big a, big b",
    "SELECT COUNT(DISTINCT a.s, b.c) FROM big a, big b",
    "SELECT COUNT(*) FROM big a JOIN big b ON a.v = b.v WHERE a.s <> b.c",
    "SELECT COUNT(*) FROM big a, big b, big c WHERE a.id + b.id + c.id = -1",
    "SELECT SUM((SELECT COUNT(*) FROM lone WHERE lone.v = big.v AND lone.s < big.s)) FROM big",
    "SELECT COUNT(*) FROM big WHERE EXISTS (SELECT 1 FROM lone WHERE lone.v = big.v + 1 OR lone.s = big.c)",
    "SELECT COUNT(*) FROM big WHERE id IN (SELECT a.id + b.id FROM big a, big b)",
    "SELECT COUNT(*) FROM (SELECT a.s FROM big a, big b LIMIT 1000000000) d",
    "SELECT a.s FROM big a, big b UNION SELECT b.c FROM big a, big b",
    "SELECT a.id, b.id FROM big a, big b INTERSECT SELECT a.id, b.id FROM big a, big b",
    "SELECT a.id, b.id FROM big a, big b EXCEPT SELECT 1, 1",
    "SELECT a.v, a.s, COUNT(*) FROM big a, lone b GROUP BY a.v, a.s WITH ROLLUP",
    "SELECT COUNT(*) FROM big a LEFT JOIN lone b ON a.s < b.s WHERE b.id IS NULL",
    // Rows for a client that reads none.
    "SELECT a.*, b.* FROM big a, big b",
    "DO (SELECT COUNT(*) FROM big a, big b WHERE a.s < b.c)",
    "SET @x = (SELECT COUNT(*) FROM big a, big b WHERE a.s < b.c)",
];

const FUNCTIONS: &[&str] = &[
    "SELECT LENGTH(REPLACE(REPEAT('x', 8000000), 'x', REPEAT('xy', 1000000))), SLEEP(20)",
    "SELECT REPLACE(REPEAT(CONVERT('ae' USING utf8mb4) COLLATE utf8mb4_unicode_520_ci, 5000000), REPEAT('ae', 100000), 'z'), SLEEP(20)",
    "SELECT LOCATE(CONCAT(REPEAT('\u{df}', 100000), 'b'), REPEAT(_utf8mb4'\u{df}' COLLATE utf8mb4_unicode_ci, 1000000))",
    "SELECT LOCATE(CONCAT(REPEAT('a', 100000), 'b'), REPEAT(_utf8mb4'a' COLLATE utf8mb4_uca1400_as_cs, 15000000))",
    "SELECT INSTR(REPEAT(_utf8mb4'a' COLLATE utf8mb4_uca1400_as_cs, 15000000), CONCAT(REPEAT('a', 500000), 'b'))",
    "SELECT SUBSTRING_INDEX(REPEAT(_utf8mb4'\u{df}' COLLATE utf8mb4_unicode_ci, 1000000), CONCAT(REPEAT('\u{df}', 100000), 'b'), -2), SLEEP(20)",
    "SELECT REPEAT('a', 1000000) LIKE CONCAT('%', REPEAT('a', 100000), '_b%')",
    "SELECT REPEAT(_utf8mb4'\u{e4}', 1000000) COLLATE utf8mb4_unicode_ci LIKE CONCAT('%', REPEAT('a', 100000), '_b%')",
    "SELECT COUNT(*) FROM big a, big b WHERE CONCAT(a.s, b.s) REGEXP '^(a+)+b(.*x)*$'",
    "SELECT BENCHMARK(1000000000, SHA2(REPEAT('a', 1000), 512))",
    "SELECT BENCHMARK(100, SHA2(REPEAT('a', 4000000), 512)), SLEEP(20)",
    "SELECT BENCHMARK(4294967295, 1 + 1)",
    "SELECT MAX(LENGTH(REPEAT(s, 160000))) FROM big",
    "SELECT MAX(MD5(RPAD(s, 2000000, c))) FROM big",
    "SELECT MAX(CRC32(LPAD(s, 2000000, c))) FROM big",
    "SELECT MAX(LENGTH(EXPORT_SET(18446744073709551615 - id, s, REPEAT(c, 4000), '', 64))) FROM big",
    "SELECT MAX(LENGTH(MAKE_SET(id, REPEAT(s, 100000), REPEAT(c, 100000), REPEAT(s, 100000)))) FROM big",
    "SELECT MAX(LENGTH(INSERT(REPEAT(s, 400000), 5, 1, REPEAT(c, 50000)))) FROM big",
    // Two arguments are too long already.
    "SELECT MAX(LENGTH(CONCAT(REPEAT(s, 400000), REPEAT(s, 160000), REPEAT(c, 160000), REPEAT(s, 160000), REPEAT(c, 160000), REPEAT(s, 160000), \
     REPEAT(c, 160000), REPEAT(s, 160000), REPEAT(c, 160000), REPEAT(s, 160000), REPEAT(c, 160000), REPEAT(s, 160000)))) FROM big",
    "SELECT LENGTH(GROUP_CONCAT(a.s, b.c)) FROM big a, big b",
    "SELECT LENGTH(GROUP_CONCAT(DISTINCT a.s, b.c ORDER BY b.c)) FROM big a, big b",
    "SELECT SLEEP(100)",
    "SELECT SLEEP(0.05) FROM big",
    "SELECT COUNT(*) FROM big a, big b WHERE UPPER(HEX(REPEAT(a.s, 3000))) = REVERSE(b.s)",
    "SELECT MAX(LENGTH(CONVERT(REPEAT(s, 40000) USING utf32))) FROM big",
    "SELECT MAX(LENGTH(WEIGHT_STRING(CONVERT(REPEAT(s, 20000) USING utf8mb4)))) FROM big",
    "SELECT COUNT(*) FROM big WHERE FIND_IN_SET(s, REPEAT(CONCAT(c, ','), 100000))",
    "SELECT COUNT(*) FROM big WHERE TRIM(REPEAT('a', 100) FROM REPEAT(CONCAT('a', s), 100000)) = 'a'",
];

/// Scans of one long table, of whose rows none, few or all pass.
#[test]
fn scans_are_stopped() {
    let mut world = World::new(1 << 10);
    world.set(&["CREATE TABLE few (a BIGINT)", "INSERT INTO few VALUES (-1), (-2)"]);
    let before = files(&world.peer.datadir);
    for sql in SCANS {
        world.stop(&[], sql);
    }
    world.left(&before, "scans");
    judge(world);
}

/// The table is longer than anybody waits.
const SCANS: &[&str] = &[
    "SELECT COUNT(*) FROM JSON_TABLE(CONCAT('[', REPEAT('1,', 2000000), '1]'), '$[*]' COLUMNS (x INT PATH '$')) j, JSON_TABLE(CONCAT('[', REPEAT('1,', 7000000), x, ']'), '$[*].a' COLUMNS (y INT PATH '$')) k",
    "SELECT COUNT(*) FROM few, JSON_TABLE(CONCAT('[', REPEAT('1,', 7000000), a, ']'), '$' COLUMNS (NESTED PATH '$[*]' COLUMNS (x INT PATH '$'))) j, seq_1_to_1000000000000 WHERE x > 1",
    "SELECT COUNT(*) FROM seq_1_to_1000000000000 WHERE seq % 2 = 3",
    "SELECT seq FROM seq_1_to_1000000000000 WHERE seq % 2 = 3",
    "SELECT seq FROM seq_1_to_1000000000000 WHERE seq % 2 = 3 LIMIT 1",
    "SELECT seq FROM seq_1000000000000_to_1 WHERE seq % 2 = 3 ORDER BY seq % 7",
    "SELECT SUM(seq) FROM seq_1_to_1000000000000",
    "SELECT MAX(seq % 5) FROM seq_1_to_1000000000000",
    "SELECT seq % 5, COUNT(*) FROM seq_1_to_1000000000000 GROUP BY seq % 5",
    "SELECT DISTINCT seq % 5 FROM seq_1_to_1000000000000",
    "SELECT seq FROM seq_1_to_1000000000000 ORDER BY seq % 7 LIMIT 5",
    "SELECT seq FROM seq_1_to_1000000000000 HAVING seq % 2 = 3",
    "SELECT COUNT(*) FROM few, seq_1_to_1000000000000 WHERE seq = a + 1",
    "SELECT COUNT(*) FROM few LEFT JOIN seq_1_to_1000000000000 ON seq = a",
    "SELECT a, (SELECT COUNT(*) FROM seq_1_to_1000000000000 WHERE seq % 2 = a) FROM few",
    "SELECT a FROM few WHERE EXISTS (SELECT 1 FROM seq_1_to_1000000000000 WHERE seq % 2 = a)",
    "SELECT a FROM few WHERE a IN (SELECT seq FROM seq_1_to_1000000000000 WHERE seq % 2 = 3)",
    "SELECT COUNT(*) FROM (SELECT seq FROM seq_1_to_1000000000000 WHERE seq % 2 = 3) d",
    "SELECT seq FROM seq_1_to_1000000000000 WHERE seq % 2 = 3 UNION SELECT a FROM few",
    "SELECT seq FROM seq_1_to_1000000000000 WHERE seq % 2 = 3 UNION ALL SELECT a FROM few",
    "INSERT INTO few SELECT seq FROM seq_1_to_1000000000000 WHERE seq % 2 = 3",
    "UPDATE few, seq_1_to_1000000000000 SET a = a + 1 WHERE seq % 2 = a + 5",
    "DELETE few FROM few JOIN seq_1_to_1000000000000 ON seq % 2 = a + 5",
    "SET @v = (SELECT COUNT(*) FROM seq_1_to_1000000000000 WHERE seq % 2 = 3)",
    "DO (SELECT SUM(seq) FROM seq_1_to_1000000000000)",
    "CREATE TABLE none AS SELECT seq FROM seq_1_to_1000000000000 WHERE seq % 2 = 3",
    // rows are there before the slow part begins
    "SELECT SHA2(REPEAT(seq, 200000), 512) FROM seq_1_to_20000 ORDER BY -seq",
    "SELECT seq, COUNT(*) FROM seq_1_to_20000 GROUP BY seq HAVING SHA2(REPEAT(seq, 200000), 512) = 'x'",
    "SELECT seq FROM seq_1_to_20000 EXCEPT SELECT 0 ORDER BY SHA2(REPEAT(seq, 200000), 512)",
];

/// Who waits for another.
#[test]
fn waits_are_stopped() {
    let mut world = World::new(1 << 10);
    let mut holder = world.peer.connect("k");
    for sql in ["SELECT GET_LOCK('held', 1)", "LOCK TABLES big WRITE"] {
        holder.query_drop(sql).expect("a lock");
    }
    for sql in [
        "SELECT GET_LOCK('held', 1000)",
        "LOCK TABLES big READ",
        "LOCK TABLES big WRITE",
        "FLUSH TABLES WITH READ LOCK",
        "FLUSH TABLES big",
        "FLUSH TABLES big FOR EXPORT",
        "INSERT INTO big (v) VALUES (1)",
        "UPDATE big SET v = 2",
        "SELECT COUNT(*) FROM big FOR UPDATE",
        "TRUNCATE TABLE big",
        "DROP TABLE big",
        "RENAME TABLE big TO small",
        "ALTER TABLE big ADD x INT",
        "OPTIMIZE TABLE big",
        "REPAIR TABLE big",
        "CREATE OR REPLACE TABLE big (a INT)",
        "DROP DATABASE k",
    ] {
        world.stop(&[], sql);
    }
    holder.query_drop("UNLOCK TABLES").expect("unlocked");
    holder.query_drop("FLUSH TABLES WITH READ LOCK").expect("a lock");
    for sql in ["INSERT INTO big (v) VALUES (1)", "CREATE TABLE other (a INT)", "TRUNCATE TABLE big"] {
        world.stop(&[], sql);
    }
    holder.query_drop("UNLOCK TABLES").expect("unlocked");
    let before = files(&world.peer.datadir);
    world.left(&before, "waits");
    judge(world);
}

/// Definition statements give the space of their files back at once, whatever plans idle connections keep.
#[test]
fn kept_plans_hold_no_removed_files() {
    const CHANGES: [&str; 12] = [
        "DROP TABLE t",
        "TRUNCATE t",
        "DELETE FROM t",
        "ALTER TABLE t ADD z INT",
        "ALTER TABLE t ORDER BY v",
        "OPTIMIZE TABLE t",
        "REPAIR TABLE t",
        "CREATE INDEX k ON t (v)",
        "CREATE OR REPLACE TABLE t SELECT 1 AS id",
        "ALTER TABLE t RENAME s, ADD z INT",
        "FLUSH TABLES",
        "DROP DATABASE w",
    ];
    let peer = Peer::isambard(&[]);
    let (mut root, mut idle) = (peer.connect(""), peer.connect(""));
    let mut faults = Vec::new();
    for change in CHANGES {
        for sql in [
            "CREATE DATABASE w",
            "USE w",
            "CREATE TABLE t (id INT PRIMARY KEY, v INT, s TEXT)",
            "INSERT INTO t VALUES (1, 1, REPEAT('x', 5000)), (2, 2, 'y')",
        ] {
            root.query_drop(sql).expect("setup");
        }
        idle.query_drop("USE w").expect("setup");
        for conn in [&mut root, &mut idle] {
            for sql in [
                "SELECT * FROM t WHERE id = 1",
                "SELECT COUNT(*) FROM t a, t b WHERE a.v > 0",
                "UPDATE t SET v = 3 WHERE id = 1",
                "DELETE FROM t WHERE id = 9",
                "INSERT INTO t VALUES (9, 9, '')",
                "PREPARE p FROM 'SELECT s FROM t WHERE v > ?'",
                "SET @v = 0",
                "EXECUTE p USING @v",
            ] {
                conn.query_drop(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
            }
            for sql in ["SELECT * FROM t WHERE id = ?", "DELETE FROM t WHERE id = ?"] {
                conn.exec_drop(sql, (9,)).unwrap_or_else(|e| panic!("{sql}: {e}"));
            }
        }
        root.query_drop(change).unwrap_or_else(|e| panic!("{change}: {e}"));
        let end = Instant::now() + SOON;
        let mut held = removed(peer.pid(), &peer.datadir);
        while !held.is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
            held = removed(peer.pid(), &peer.datadir);
        }
        if !held.is_empty() {
            faults.push(format!("{change}: {held:?}"));
        }
        // the plans are good for what has the name now
        if let Ok(Some(rows)) = root.query_first::<u32, _>("SELECT COUNT(*) FROM t") {
            let seen: Vec<mysql::Row> = idle.exec("SELECT * FROM t WHERE id = ?", (1,)).expect("still there");
            assert_eq!(seen.len(), usize::from(rows > 0), "{change}");
        }
        root.query_drop("DROP DATABASE IF EXISTS w").expect("clean up");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Removed files below `dir` that the process has open or mapped.
fn removed(pid: u32, dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("its files");
    let open = entries.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
    let mut all: Vec<String> = open.map(|path| path.to_string_lossy().into_owned()).collect();
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).expect("its mappings");
    all.extend(maps.lines().map(str::to_owned));
    let dir = dir.to_string_lossy();
    all.retain(|line| line.contains(&*dir) && line.contains("(deleted)") && line.contains(".MY"));
    all
}

/// Functions that are killed: SLEEP is an error, GET_LOCK gives NULL and BENCHMARK 0, and the statement ends where it looks next,
/// after this row. The answers are MariaDB's.
#[test]
fn killed_functions_give_what_they_give() {
    const ASKED: [(&str, &str, &str); 14] = [
        ("SELECT GET_LOCK('held', 50)", "", "7,8"),
        ("SELECT IFNULL(GET_LOCK('held', 50), 'none')", "", "7,8"),
        ("SELECT a, GET_LOCK('held', 50) FROM t", "1317", "7,8"),
        ("SELECT BENCHMARK(1000000000000, 1 + 1)", "", "7,8"),
        ("SELECT SLEEP(50)", "1317", "7,8"),
        ("SELECT IF(SLEEP(50), 'a', 'b')", "1317", "7,8"),
        ("SELECT SLEEP(50) UNION SELECT 2", "1317", "7,8"),
        ("DO SLEEP(50)", "", "7,8"),
        ("DO GET_LOCK('held', 50), SLEEP(50)", "", "7,8"),
        ("SET @a = SLEEP(50)", "1317", "7,8"),
        ("INSERT INTO t VALUES (1), (SLEEP(50))", "1317", "1,7,8"),
        ("UPDATE t SET a = GET_LOCK('held', 50)", "1317", "8"),
        ("DELETE FROM t WHERE SLEEP(50) = 0", "1317", "7,8"),
        ("INSERT INTO t VALUES (GET_LOCK('held', 50))", "", "7,8"),
    ];
    let peer = Peer::isambard(&[]);
    let mut root = peer.connect("");
    for sql in ["CREATE DATABASE k", "USE k", "CREATE TABLE t (a INT)", "DO GET_LOCK('held', 0)"] {
        root.query_drop(sql).expect("setup");
    }
    for (sql, error, rows) in ASKED {
        root.query_drop("DELETE FROM t").expect("setup");
        root.query_drop("INSERT INTO t VALUES (7), (8)").expect("setup");
        let mut asks = peer.connect("k");
        let id = asks.connection_id();
        let waiter = std::thread::spawn(move || match asks.query::<mysql::Row, _>(sql) {
            Err(mysql::Error::MySqlError(e)) => e.code.to_string(),
            Err(e) => e.to_string(),
            Ok(_) => String::new(),
        });
        let running = format!(
            "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = {id} AND COMMAND = 'Query'"
        );
        let begun = Instant::now();
        while root.query_first::<u32, _>(&*running).expect("the list of processes") == Some(0)
            && begun.elapsed() < SOON
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        root.query_drop(format!("KILL QUERY {id}")).expect("still there");
        assert_eq!(waiter.join().expect("ends"), error, "{sql}");
        assert!(begun.elapsed() < 2 * SOON, "{sql}: {:?}", begun.elapsed());
        let left: Option<String> =
            root.query_first("SELECT GROUP_CONCAT(a ORDER BY a) FROM t").expect("the rows");
        assert_eq!(left.as_deref(), Some(rows), "{sql}");
    }
}

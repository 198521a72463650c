//! Compressed tables both ways: what `myisampack` makes Isambard reads as MariaDB does, what `isambard pack` makes MariaDB reads, and
//! `isambard unpack` gives the rows back. Statements on them end alike on both servers.
//!
//! `ISAMBARD_STATEMENTS` sets the statements that fill a table (250 unless told, 2000 with `ISAMBARD_SOAK=1`), `ISAMBARD_SEED` the seed.

use isambard_tests::compare::{Order, ask, difference};
use isambard_tests::dumps::dumps;
use isambard_tests::history::History;
use isambard_tests::peers::{Peer, isambard_binary, oracle_present, scratch};
use isambard_tests::tables::{DEFINITIONS, Definition};
use mysql::Conn;
use mysql::prelude::Queryable;
use std::path::Path;
use std::process::{Command, Output};

const EXTENSIONS: [&str; 3] = ["frm", "MYI", "MYD"];

/// Tables whose columns are coded in all ways, beside those of [`DEFINITIONS`].
const CODED: &str = "
SET sql_mode = '';
CREATE TABLE types (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, ti tinyint, tu tinyint unsigned NOT NULL, si smallint, mi mediumint, bi bigint,
  bu bigint unsigned, f float, d double, de decimal(20,5), de2 decimal(5,0) NOT NULL, y year, da date, tm time(3), dt datetime(6), ts timestamp NULL,
  e enum('a','b','c'), e2 enum('x','y') NOT NULL, s set('a','b','c','d'), b1 bit(1), b9 bit(9), b64 bit(64) NOT NULL, c char(30), c1 char(40)
  CHARACTER SET latin1 NOT NULL, cu char(10) CHARACTER SET ucs2, c16 varchar(9) CHARACTER SET utf16le, bn binary(12), v varchar(60), vb varbinary(300),
  t text, bl longblob, tb tinyblob, mt mediumtext CHARACTER SET ucs2, j json, KEY(c), KEY(v,bi), KEY(t(20)), KEY(da), KEY(de), UNIQUE(bu), FULLTEXT(t));
INSERT INTO types SELECT seq, IF(seq%7=0,NULL,CAST(seq%120 AS signed)-60), seq%3, seq%100, seq*7%90000, IF(seq%5,NULL,seq*1000003), seq, seq/7,
  IF(seq%3,seq*1.5e10,NULL), seq*123.456, seq%1000, 1990+seq%30, date'2000-01-01'+INTERVAL seq DAY, SEC_TO_TIME(seq+0.125),
  IF(seq%2,NULL,timestamp'2001-01-01 10:00:00.123456'+INTERVAL seq HOUR), IF(seq%4, NULL, '2010-01-01 00:00:01'), ELT(1+seq%4,'a','b','c',NULL),
  ELT(1+seq%2,'x','y'), seq%16, seq%2, seq%512, seq*77777, CONCAT('Näme ', seq%50), IF(seq%3=0,'',CONCAT(REPEAT(' ',seq%9),'left',seq)),
  IF(seq%6,NULL,CONCAT('ü',seq)), CONCAT('я',seq%9), LEFT(UNHEX(MD5(seq)),12), REPEAT('vä',seq%20), REPEAT(CHAR(seq%256),seq%301),
  IF(seq%4=0,NULL,CONCAT('word',seq%100,' and hello world common',seq%7,' text')), IF(seq%50=0,REPEAT('blob',seq),IF(seq%3,NULL,'')),
  REPEAT('x',seq%255), IF(seq%9,NULL,CONCAT('медиум',seq)), CONCAT('{\"n\": ',seq,'}') FROM seq_1_to_3000;
CREATE TABLE fixed (id int NOT NULL, c char(20), c2 char(10) NOT NULL, n char(5), de decimal(10,2), z int NOT NULL, x bigint, KEY(id), KEY(c), UNIQUE(c2),
  FULLTEXT(c)) ROW_FORMAT=FIXED;
INSERT INTO fixed SELECT seq, CONCAT(REPEAT(' ',seq%4),'hello',seq%97), CONCAT('k',seq), NULL, seq/3, 0, IF(seq%10,0,seq*100000007) FROM seq_1_to_5000;
DELETE FROM fixed WHERE id % 7 = 0;
CREATE TABLE fixed_varchar (id int NOT NULL, v varchar(50), KEY(v)) ROW_FORMAT=FIXED;
INSERT INTO fixed_varchar SELECT seq, REPEAT('ab',seq%25) FROM seq_1_to_2000;
CREATE TABLE empty (a int NOT NULL, b text, c varchar(10), KEY(a));
CREATE TABLE large (id int NOT NULL PRIMARY KEY, g int, v varchar(30), KEY(g)) CHECKSUM=1;
INSERT INTO large SELECT seq, seq%1000, CONCAT('value ', seq*7919%100003) FROM seq_1_to_100000;
CREATE TABLE nothing (a int, b char(10), c varchar(20), d text, e bit(3));
INSERT INTO nothing SELECT NULL, NULL, NULL, NULL, NULL FROM seq_1_to_300;
CREATE TABLE few (a char(200) NOT NULL, b int NOT NULL, c bigint NOT NULL);
INSERT INTO few SELECT ELT(1+seq%5, REPEAT('alpha',20), 'beta', '', ' lead', REPEAT('z',200)), 42, (seq%11)*1000000000000 FROM seq_1_to_1000;
CREATE TABLE same (a int NOT NULL, c char(10) NOT NULL);
INSERT INTO same SELECT 7, 'constant' FROM seq_1_to_500;
CREATE TABLE one_letter (b text NOT NULL, v varchar(100) NOT NULL);
INSERT INTO one_letter SELECT REPEAT('a',seq%50), REPEAT('a',seq%40) FROM seq_1_to_500;
CREATE TABLE wide_rows (id int NOT NULL, b longblob);
INSERT INTO wide_rows SELECT seq, REPEAT(CONCAT(seq,'some text '),seq*300) FROM seq_1_to_40;
CREATE TABLE noise (b varbinary(2000));
INSERT INTO noise SELECT RANDOM_BYTES(1000) FROM seq_1_to_50;
CREATE TABLE computed (a int, p int AS (a+1) PERSISTENT, w int AS (a+2) VIRTUAL, c varchar(10) DEFAULT (CONCAT('x',a)), CHECK (a > 0));
INSERT INTO computed (a) SELECT seq FROM seq_1_to_500;
";

const CODED_TABLES: [&str; 12] = [
    "types",
    "fixed",
    "fixed_varchar",
    "empty",
    "large",
    "nothing",
    "few",
    "same",
    "one_letter",
    "wide_rows",
    "noise",
    "computed",
];

/// What is asked of [`CODED`] beside their rows.
const QUESTIONS: [&str; 16] = [
    "SELECT id FROM types FORCE INDEX (c) ORDER BY c, id LIMIT 500",
    "SELECT id FROM types WHERE v = 'vävä'",
    "SELECT COUNT(*) FROM types WHERE bu BETWEEN 100 AND 2000",
    "SELECT id, MATCH (t) AGAINST ('hello word5') FROM types WHERE MATCH (t) AGAINST ('hello word5')",
    "SELECT COUNT(*) FROM types WHERE MATCH (t) AGAINST ('+hello -word7' IN BOOLEAN MODE)",
    "SELECT id FROM fixed WHERE c = 'hello5'",
    "SELECT id FROM fixed WHERE MATCH (c) AGAINST ('hello12')",
    "SELECT * FROM fixed WHERE c2 = 'k778'",
    "SELECT g, COUNT(*), SUM(id), MAX(v) FROM large GROUP BY g ORDER BY g",
    "SELECT COUNT(*), SUM(a.id + b.id) FROM large a JOIN large b ON a.g = b.g WHERE a.id < 100",
    "SELECT MIN(g), MAX(g), COUNT(DISTINCT v) FROM large",
    "SELECT v FROM large ORDER BY v DESC LIMIT 20",
    "SELECT id, LENGTH(b), MD5(b) FROM wide_rows",
    "EXPLAIN SELECT * FROM large WHERE g = 5",
    "SELECT TABLE_NAME, ROW_FORMAT, TABLE_ROWS, AVG_ROW_LENGTH, DATA_LENGTH, MAX_DATA_LENGTH, DATA_FREE, AUTO_INCREMENT, CHECKSUM, CREATE_OPTIONS \
     FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()",
    "SHOW INDEX FROM types",
];

/// Statements that meet a compressed table `c`; a plain one is `p`.
const STATEMENTS: &str = "
INSERT INTO c (c) VALUES ('x')
INSERT INTO c (nocolumn) VALUES (1)
INSERT INTO c SELECT * FROM c WHERE 0
INSERT IGNORE INTO c (id, c) VALUES (1, 'x')
INSERT INTO c (id, c) VALUES (1, 'x') ON DUPLICATE KEY UPDATE c = 'y'
REPLACE INTO c (id) VALUES (1)
UPDATE c SET c = 'z'
UPDATE c SET c = 'z' WHERE 0
UPDATE c SET c = 'z' LIMIT 0
UPDATE c SET nocolumn = 1
DELETE FROM c
DELETE FROM c WHERE id = -1
DELETE FROM c WHERE nocolumn = 1
DELETE FROM c RETURNING id
LOAD DATA INFILE '/nowhere' INTO TABLE c
EXPLAIN INSERT INTO c (id) VALUES (1)
EXPLAIN UPDATE c SET c = 1
EXPLAIN DELETE FROM c
SELECT * FROM c WHERE id = 5 FOR UPDATE
SELECT * FROM c WHERE id = 5 LOCK IN SHARE MODE
UPDATE c JOIN p ON c.id = p.id SET p.c = c.c
UPDATE c JOIN p ON c.id = p.id SET c.c = p.c
DELETE p FROM c JOIN p ON c.id = p.id
DELETE c FROM c JOIN p ON c.id = p.id
DELETE c, p FROM c JOIN p ON c.id = p.id
INSERT INTO p SELECT id, c FROM c LIMIT 3
PREPARE s FROM 'INSERT INTO c (id) VALUES (1)'
EXECUTE s
LOCK TABLES c WRITE
SELECT COUNT(*) FROM c
LOCK TABLES c READ, p WRITE
SELECT COUNT(*) FROM c JOIN p USING (id)
INSERT INTO c (c) VALUES ('x')
UNLOCK TABLES
CHECK TABLE c
CHECK TABLE c QUICK
CHECK TABLE c FAST
CHECK TABLE c EXTENDED
ANALYZE TABLE c
OPTIMIZE TABLE c
REPAIR TABLE c
REPAIR TABLE c QUICK
REPAIR TABLE c EXTENDED
CHECKSUM TABLE c
CHECKSUM TABLE c QUICK
CHECKSUM TABLE c EXTENDED
SHOW CREATE TABLE c
CREATE TABLE l LIKE c
SHOW CREATE TABLE l
INSERT INTO l (c) VALUES ('x')
CREATE TABLE s SELECT * FROM c
SELECT COUNT(*) FROM s
ALTER TABLE c COMMENT 'still compressed'
SELECT ROW_FORMAT, TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'c'
ALTER TABLE c CHANGE c cc char(20)
SELECT ROW_FORMAT FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'c'
ALTER TABLE c CHANGE cc c char(20)
ALTER TABLE c DISABLE KEYS
SHOW INDEX FROM c
SELECT COUNT(*) FROM c WHERE c = 'name3'
ALTER TABLE c ENABLE KEYS
SHOW INDEX FROM c
CHECK TABLE c EXTENDED
RENAME TABLE c TO r
SELECT COUNT(*), MAX(v) FROM r
RENAME TABLE r TO c
FLUSH TABLES
SELECT COUNT(*), SUM(CRC32(CONCAT(id, c, v, b))) FROM c
CREATE INDEX q ON c (v)
SELECT ROW_FORMAT, TABLE_ROWS, CHECKSUM FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'c'
INSERT INTO c (c) VALUES ('x')
SELECT COUNT(*) FROM c FORCE INDEX (q) WHERE v > ''
ALTER TABLE c2 FORCE
SELECT ROW_FORMAT FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'c2'
TRUNCATE TABLE c3
SELECT ROW_FORMAT, TABLE_ROWS, AUTO_INCREMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'c3'
INSERT INTO c3 (c) VALUES ('x')
SELECT * FROM c3
SELECT COUNT(*) FROM nokeys WHERE id = 5
EXPLAIN SELECT * FROM nokeys WHERE id = 5
SELECT * FROM nokeys WHERE MATCH (b) AGAINST ('hello')
SHOW INDEX FROM nokeys
INSERT INTO nokeys (c) VALUES ('x')
ALTER TABLE nokeys ENABLE KEYS
SELECT COUNT(*) FROM nokeys FORCE INDEX (PRIMARY) WHERE id > 10
SELECT id FROM nokeys WHERE MATCH (b) AGAINST ('word7')
CHECK TABLE nokeys EXTENDED
DROP TABLE c, c2, c3, nokeys
SHOW TABLES
";

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|v| v.parse().ok())
}

fn run(program: &str, arguments: &[&str], dir: &Path, tables: &[String], extension: &str) -> Output {
    let files = tables.iter().map(|t| format!("{t}{extension}"));
    Command::new(program)
        .args(arguments)
        .args(files)
        .current_dir(dir)
        .output()
        .unwrap_or_else(|e| panic!("{program}: {e}"))
}

/// Runs a tool, which must find nothing wrong.
fn must(program: &str, arguments: &[&str], dir: &Path, tables: &[String], extension: &str) -> String {
    let done = run(program, arguments, dir, tables, extension);
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{program} {arguments:?}: {}{}", said(&done.stdout), said(&done.stderr));
    said(&done.stdout)
}

fn copy(from: &Path, to: &Path, tables: &[String]) {
    std::fs::create_dir_all(to).expect("a folder");
    let _ = std::fs::copy(from.join("db.opt"), to.join("db.opt"));
    for (table, extension) in tables.iter().flat_map(|t| EXTENSIONS.map(|e| (t, e))) {
        let name = format!("{table}.{extension}");
        std::fs::copy(from.join(&name), to.join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

fn size(dir: &Path, table: &str) -> u64 {
    std::fs::metadata(dir.join(format!("{table}.MYD"))).expect("a data file").len()
}

/// Both say the same.
fn same(ours: &mut Conn, theirs: &mut Conn, sql: &str, order: Order, what: &str) -> usize {
    let (a, b) = (ask(ours, sql), ask(theirs, sql));
    if let Some(d) = difference(&a, &b, order) {
        panic!("{what}: {sql}: {d}");
    }
    a.rows.len()
}

/// Compresses a copy of each table with both programs, and the copies of the first with ours back to plain ones.
fn pack_all(from: &Path, theirs: &Path, ours: &Path, plain: &Path, tables: &[String]) {
    let binary = isambard_binary();
    let binary = binary.to_str().expect("a path");
    copy(from, theirs, tables);
    must("myisampack", &["--silent", "--force"], theirs, tables, ".MYI");
    must("myisamchk", &["-srq", "--sort-index", "--analyze"], theirs, tables, ".MYI");
    copy(from, ours, tables);
    must(binary, &["pack", "--silent", "--force"], ours, tables, ".MYI");
    must("myisamchk", &["--silent", "--extend-check"], ours, tables, ".MYI");
    copy(theirs, plain, tables);
    must(binary, &["unpack", "--silent"], plain, tables, ".MYI");
    must("myisamchk", &["--silent", "--extend-check"], plain, tables, ".MYI");
    let (mut all_ours, mut all_theirs) = (0, 0);
    for table in tables {
        let (a, b) = (size(ours, table), size(theirs, table));
        assert!(a <= b + b / 50 + 64, "{table}: {a} bytes, {b} by myisampack");
        (all_ours, all_theirs) = (all_ours + a, all_theirs + b);
    }
    println!("{} tables: {all_ours} bytes compressed here, {all_theirs} by myisampack", tables.len());
    assert!(all_ours <= all_theirs + all_theirs / 100);
}

/// Makes and fills all tables.
fn fill(own: &mut Conn, definitions: &[(String, Definition)], statements: u64, seed: u64) {
    for (i, (name, definition)) in definitions.iter().enumerate() {
        let create = definition.create(name);
        own.query_drop(&create).unwrap_or_else(|e| panic!("{create}: {e}"));
        let mut history = History::new(seed * 1000 + i as u64, *definition, statements as u32 * 2);
        for n in 0..statements {
            let sql = history.next(name, n as f32 / statements as f32 / 2.0);
            match own.query_drop(&sql) {
                Ok(()) => {}
                Err(mysql::Error::MySqlError(e)) if e.code == 1062 => {}
                Err(e) => panic!("{sql}: {e}"),
            }
        }
    }
    own.query_drop("ALTER DATABASE own CHARACTER SET utf8mb4").expect("a character set");
    own.query_drop(CODED).expect("tables coded in all ways");
}

/// A backup has the same files.
fn backup(ours: &Peer, datadir: &Path, target: &Path, tables: &[String]) {
    let done = Command::new(isambard_binary())
        .arg("backup")
        .arg("--datadir")
        .arg(datadir)
        .arg("--socket")
        .arg(&ours.socket)
        .arg(target)
        .output()
        .expect("run isambard backup");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for db in ["packed", "ours"] {
        must("myisamchk", &["--silent", "--extend-check"], &target.join(db), tables, ".MYI");
        for table in tables {
            let file = format!("{db}/{table}.MYD");
            let read = |dir: &Path| std::fs::read(dir.join(&file)).unwrap_or_else(|e| panic!("{file}: {e}"));
            assert!(read(target) == read(datadir), "{file}");
        }
    }
}

#[test]
fn compressed_tables_go_both_ways() {
    if !oracle_present() {
        return;
    }
    let soak = std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1");
    let statements = number("ISAMBARD_STATEMENTS").unwrap_or(if soak { 2000 } else { 250 });
    let seed = number("ISAMBARD_SEED").unwrap_or(1);
    let theirs = Peer::mariadb(&["--myisam-recover-options=OFF"]);
    let mut own = theirs.connect("");
    own.query_drop("CREATE DATABASE own").expect("a database");
    own = theirs.connect("own");
    own.query_drop("SET NAMES utf8mb4").expect("names");
    let definitions: Vec<(String, Definition)> =
        DEFINITIONS.iter().enumerate().map(|(i, d)| (format!("t{i}"), *d)).collect();
    fill(&mut own, &definitions, statements, seed);
    own.query_drop("FLUSH TABLES").expect("flush");
    // what a server alone can build is refused by all such tools
    let virtual_keys = |d: &Definition| d.create("x").to_ascii_lowercase().contains("virtual");
    let mut tables: Vec<String> =
        definitions.iter().filter(|(_, d)| !virtual_keys(d)).map(|(n, _)| n.clone()).collect();
    tables.extend(CODED_TABLES.map(str::to_owned));

    let dir = scratch("compressed");
    let datadir = dir.join("data");
    let there = |db: &str| theirs.datadir.join(db);
    pack_all(&there("own"), &there("packed"), &there("ours"), &there("plain"), &tables);
    let mut ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    ours.stop();
    for db in ["packed", "ours", "plain"] {
        copy(&there(db), &datadir.join(db), &tables);
    }
    ours = Peer::isambard_on(&datadir, &[]);
    let mut rows = 0;
    for db in ["packed", "ours", "plain"] {
        let (mut here, mut there) = (ours.connect(db), theirs.connect(db));
        for conn in [&mut here, &mut there] {
            conn.query_drop("SET NAMES utf8mb4").expect("names");
        }
        for table in &tables {
            let all = format!("SELECT * FROM {table}");
            rows += same(&mut here, &mut there, &all, Order::Exact, db);
            same(&mut here, &mut own, &all, Order::Any, db);
            same(&mut here, &mut there, &format!("CHECKSUM TABLE {table} EXTENDED"), Order::Exact, db);
            same(&mut here, &mut there, &format!("SHOW CREATE TABLE {table}"), Order::Exact, db);
            let check = format!("CHECK TABLE {table} EXTENDED");
            same(&mut here, &mut there, &check, Order::Exact, db);
        }
        for (name, definition) in definitions.iter().filter(|(n, _)| tables.contains(n)) {
            for (sql, order) in dumps(definition, name) {
                rows += same(&mut here, &mut there, &sql, order, db);
            }
        }
        for sql in QUESTIONS {
            rows += same(&mut here, &mut there, sql, Order::Any, db);
        }
    }
    println!("{} tables in three forms, {rows} rows compared", tables.len());
    backup(&ours, &datadir, &dir.join("copy"), &tables);
}

/// Tables for [`STATEMENTS`].
const STATEMENT_TABLES: &str = "
CREATE TABLE c (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, c char(20), v varchar(50), b text, KEY(c), FULLTEXT(b));
INSERT INTO c (c, v, b) SELECT CONCAT('name',seq%7), REPEAT('x',seq%20), CONCAT('word',seq,' hello foo') FROM seq_1_to_300;
CREATE TABLE c2 LIKE c; INSERT INTO c2 SELECT * FROM c;
CREATE TABLE c3 LIKE c; INSERT INTO c3 SELECT * FROM c;
CREATE TABLE nokeys LIKE c; INSERT INTO nokeys SELECT * FROM c;
CREATE TABLE p (id int, c char(20)); INSERT INTO p VALUES (1,'x'), (2,'y');
";

#[test]
fn statements_on_compressed_tables_end_alike() {
    if !oracle_present() {
        return;
    }
    let theirs = Peer::mariadb(&["--myisam-recover-options=OFF"]);
    theirs.connect("").query_drop("CREATE DATABASE d").expect("a database");
    let mut there = theirs.connect("d");
    there.query_drop(STATEMENT_TABLES).expect("tables");
    there.query_drop("FLUSH TABLES").expect("flush");
    let folder = theirs.datadir.join("d");
    let names = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    must("myisampack", &["--silent"], &folder, &names(&["c", "c2", "c3", "nokeys"]), ".MYI");
    must("myisamchk", &["-srq", "--sort-index", "--analyze"], &folder, &names(&["c", "c2", "c3"]), ".MYI");
    let dir = scratch("compressed");
    let datadir = dir.join("data");
    let mut ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    ours.stop();
    copy(&folder, &datadir.join("d"), &names(&["c", "c2", "c3", "nokeys", "p"]));
    ours = Peer::isambard_on(&datadir, &[]);
    let mut here = ours.connect("d");
    for sql in STATEMENTS.lines().filter(|l| !l.is_empty()) {
        same(&mut here, &mut there, sql, Order::Exact, "a compressed table");
    }
}

#[test]
fn the_tools_refuse_what_they_cannot_do() {
    if !oracle_present() {
        return;
    }
    let theirs = Peer::mariadb(&[]);
    theirs.connect("").query_drop("CREATE DATABASE d").expect("a database");
    let mut conn = theirs.connect("d");
    conn.query_drop(
        "CREATE TABLE small (a int); INSERT INTO small VALUES (1), (2);
         CREATE TABLE one (a varchar(2000)); INSERT INTO one VALUES (REPEAT('abc', 600));
         CREATE TABLE none (a int); CREATE TABLE more (a int, KEY(a)); INSERT INTO more SELECT seq FROM seq_1_to_500;
         CREATE TABLE crashed (a int); INSERT INTO crashed SELECT seq FROM seq_1_to_500;
         CREATE TABLE computed (a int, b int AS (a + 1) VIRTUAL, KEY(b)); INSERT INTO computed (a) SELECT seq FROM seq_1_to_500;
         FLUSH TABLES",
    )
    .expect("tables");
    let dir = theirs.datadir.join("d");
    let mut index = std::fs::read(dir.join("crashed.MYI")).expect("an index");
    index[26] |= 2;
    std::fs::write(dir.join("crashed.MYI"), index).expect("a crashed table");
    let binary = isambard_binary();
    let binary = binary.to_str().expect("a path");
    let beside = scratch("refused");
    let all: Vec<String> =
        ["small", "one", "none", "more", "crashed", "computed"].map(str::to_owned).to_vec();
    copy(&dir, &beside, &all);
    for table in &all {
        let one = std::slice::from_ref(table);
        let twice = ["first", "second"].map(|_| {
            let theirs = run("myisampack", &["-s"], &dir, one, ".MYI").status.success();
            let ours = run(binary, &["pack", "-s"], &beside, one, ".MYI").status.success();
            assert_eq!(ours, theirs, "{table}");
            ours
        });
        // what is compressed is not compressed once more
        assert!(!twice[1], "{table}");
    }
    let failed = |tool: &str, table: &str| {
        let done = run(binary, &[tool], &beside, &[table.to_owned()], "");
        assert!(!done.status.success(), "{tool} {table}");
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    assert!(failed("unpack", "small").contains("small is not compressed"));
    assert!(failed("pack", "more").contains("more is already compressed"));
    assert!(failed("pack", "nowhere").contains("nowhere"));
    let left: Vec<_> = std::fs::read_dir(&beside).expect("the folder").filter_map(Result::ok).collect();
    let ours = |name: &str| Path::new(name).extension().is_some_and(|e| e == "PKD" || e == "PKI");
    assert!(left.iter().all(|f| !ours(&f.file_name().to_string_lossy())), "nothing is left behind");

    // ended between the two renames: the next run does the second one
    let head = std::fs::read(beside.join("more.MYI")).expect("an index");
    std::fs::rename(beside.join("more.MYI"), beside.join("more.PKI")).expect("rename");
    std::fs::copy(dir.join("small.MYI"), beside.join("more.MYI")).expect("an old index");
    must(binary, &["pack"], &beside, &["more".to_owned()], ".MYI");
    assert_eq!(std::fs::read(beside.join("more.MYI")).expect("an index"), head);
    // a test run leaves all as it is
    let before = std::fs::read(beside.join("small.MYD")).expect("rows");
    must(binary, &["pack", "--test", "--force"], &beside, &["small".to_owned()], "");
    assert_eq!(std::fs::read(beside.join("small.MYD")).expect("rows"), before);
    must(binary, &["pack", "--backup", "--force"], &beside, &["small".to_owned()], "");
    assert_eq!(std::fs::read(beside.join("small.OLD")).expect("old rows"), before);
    let _ = std::fs::remove_dir_all(&beside);
}

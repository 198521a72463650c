//! Files both ways through the real servers: tables filled through Isambard go to MariaDB, which reads them as
//! Isambard does, by scan and by each key, and goes on writing them; they come back, are read the same, are
//! written on, and go there once more.
//!
//! Beside it MariaDB runs the same statements on tables of its own, so that both sides are known to hold what
//! the statements said.
//!
//! `ISAMBARD_STATEMENTS` sets the statements a table and leg (90 unless told, 2000 with `ISAMBARD_SOAK=1`),
//! `ISAMBARD_SEED` the seed, `ISAMBARD_TABLE` one table only.

use isambard_tests::compare::{Order, ask, difference};
use isambard_tests::dumps::dumps;
use isambard_tests::history::History;
use isambard_tests::peers::{Peer, oracle_present, scratch};
use isambard_tests::tables::{DEFINITIONS, Definition};
use mysql::Conn;
use mysql::prelude::Queryable;
use std::path::Path;
use std::process::Command;

const EXTENSIONS: [&str; 3] = ["frm", "MYI", "MYD"];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|v| v.parse().ok())
}

/// What the run counted.
#[derive(Debug, Default)]
struct Figures {
    statements: u64,
    refused: u64,
    dumps: u64,
    rows: u64,
}

/// A table under test and its statements.
struct Table {
    name: String,
    definition: Definition,
    history: History,
}

/// Runs one statement on both; they must agree on how it ends.
fn both(ours: &mut Conn, theirs: &mut Conn, sql: &str, figures: &mut Figures) {
    let result = |conn: &mut Conn| match conn.query_iter(sql) {
        Ok(answer) => Ok(answer.affected_rows()),
        Err(mysql::Error::MySqlError(e)) => Err(e.code),
        Err(e) => panic!("{sql}: the connection broke: {e}"),
    };
    let (a, b) = (result(ours), result(theirs));
    assert_eq!(a, b, "{sql}: rows affected, or the error, of Isambard and MariaDB");
    assert!(matches!(a, Ok(_) | Err(1062)), "{sql}: error {a:?}");
    figures.statements += 1;
    figures.refused += u64::from(a.is_err());
}

/// Both servers read the same from the same files.
fn same_dumps(ours: &mut Conn, theirs: &mut Conn, table: &Table, what: &str, figures: &mut Figures) {
    let name = &table.name;
    for (sql, order) in dumps(&table.definition, name) {
        let (a, b) = (ask(ours, &sql), ask(theirs, &sql));
        assert!(a.error.is_none(), "{what} {name}: {sql}: {:?}", a.error);
        if let Some(d) = difference(&a, &b, order) {
            panic!("{what} {name} {:?}: {sql}: {d}", table.definition);
        }
        figures.dumps += 1;
        figures.rows += a.rows.len() as u64;
    }
    let create = format!("SHOW CREATE TABLE {name}");
    let (a, b) = (ask(ours, &create), ask(theirs, &create));
    assert_eq!(a.rows, b.rows, "{what} {name}: SHOW CREATE TABLE");
    let check: Vec<(String, String, String, String)> =
        ours.query(format!("CHECK TABLE {name} EXTENDED")).expect("CHECK TABLE");
    assert!(check.iter().all(|r| r.3 == "OK"), "{what} {name}: Isambard's CHECK TABLE: {check:?}");
    let check: Vec<(String, String, String, String)> =
        theirs.query(format!("CHECK TABLE {name} EXTENDED")).expect("CHECK TABLE");
    assert!(check.iter().all(|r| r.3 == "OK"), "{what} {name}: MariaDB's CHECK TABLE: {check:?}");
}

/// Tables of two databases of one server hold the same rows, whatever their places.
fn same_rows(ours: &mut Conn, theirs: &mut Conn, table: &str, what: &str) {
    let sql = format!("SELECT * FROM {table}");
    let (a, b) = (ask(ours, &sql), ask(theirs, &sql));
    if let Some(d) = difference(&a, &b, Order::Any) {
        panic!("{what} {table}: rows beside MariaDB's own: {d}");
    }
}

fn copy(from: &Path, to: &Path, tables: &[Table]) {
    for table in tables {
        for e in EXTENSIONS {
            let file = format!("{}.{e}", table.name);
            std::fs::copy(from.join(&file), to.join(&file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        }
    }
}

/// `myisamchk -e` has nothing to say of any table.
fn myisamchk(db: &Path, tables: &[Table], what: &str) {
    for table in tables {
        let out = Command::new("myisamchk")
            .args(["-e", "--silent"])
            .arg(db.join(&table.name).with_extension("MYI"))
            .output()
            .expect("run myisamchk");
        let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(
            said.is_empty() && out.status.success(),
            "{what} {} {:?}: myisamchk -e: {said}",
            table.name,
            table.definition
        );
    }
}

/// One leg of the statements on every table, on both servers.
fn write(
    ours: &mut Conn,
    theirs: &mut Conn,
    tables: &mut [Table],
    statements: u64,
    from: f32,
    figures: &mut Figures,
) {
    for table in tables {
        for n in 0..statements {
            let progress = from + n as f32 / statements as f32 / 3.0;
            let sql = table.history.next(&table.name, progress);
            both(ours, theirs, &sql, figures);
        }
    }
}

#[test]
fn files_go_both_ways() {
    if !oracle_present() {
        return;
    }
    let soak = std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1");
    let statements = number("ISAMBARD_STATEMENTS").unwrap_or(if soak { 2000 } else { 90 });
    let seed = number("ISAMBARD_SEED").unwrap_or(1);
    run(statements, seed, number("ISAMBARD_TABLE"));
}

/// Values that are equal in their collation but not of one length lie beside each other in compressed keys.
#[test]
fn equal_values_of_different_lengths() {
    let czech = DEFINITIONS.iter().position(|d| d.columns.iter().any(|c| c.contains("latin2_czech_cs")));
    if oracle_present() {
        run(600, 3, czech.map(|n| n as u64));
    }
}

#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn run(statements: u64, seed: u64, only: Option<u64>) {
    assert!(DEFINITIONS.len() >= 60);
    let mut tables: Vec<Table> = DEFINITIONS
        .iter()
        .enumerate()
        .filter(|(i, _)| only.is_none_or(|n| n == *i as u64))
        .map(|(i, definition)| Table {
            name: format!("t{i}"),
            definition: *definition,
            history: History::new(seed * 1000 + i as u64, *definition, (statements * 2) as u32),
        })
        .collect();
    let mut figures = Figures::default();

    let dir = scratch("files");
    let datadir = dir.join("data");
    let mut ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    // Without this MariaDB would not see a difference made while nobody told it.
    let theirs = Peer::mariadb(&["--myisam-recover-options=OFF"]);
    // `own` is written by MariaDB alone, `f` goes to and fro.
    let mut own = theirs.connect("");
    own.query_drop("CREATE DATABASE own; CREATE DATABASE f").expect("databases");
    own = theirs.connect("own");
    let mut conn = ours.connect("");
    conn.query_drop("CREATE DATABASE f").expect("database");
    conn = ours.connect("f");
    for table in &tables {
        let sql = table.definition.create(&table.name);
        for conn in [&mut conn, &mut own] {
            conn.query_drop(&sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
        }
    }
    let (here, there) = (datadir.join("f"), theirs.datadir.join("f"));
    for table in tables.iter_mut().filter(|t| t.definition.has_fulltext()) {
        both(&mut conn, &mut own, &table.history.many(&table.name), &mut figures);
    }

    // (a) Filled here, read there.
    write(&mut conn, &mut own, &mut tables, statements, 0.0, &mut figures);
    drop(conn);
    ours.stop();
    myisamchk(&here, &tables, "filled by Isambard,");
    copy(&here, &there, &tables);
    ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    conn = ours.connect("f");
    let mut taken = theirs.connect("f");
    for table in &tables {
        same_dumps(&mut conn, &mut taken, table, "filled by Isambard,", &mut figures);
        same_rows(&mut conn, &mut own, &table.name, "filled by Isambard,");
    }

    // MariaDB goes on writing what it took; Isambard runs the same on its own copy.
    for table in &mut tables {
        for n in 0..statements {
            let sql = table.history.next(&table.name, 0.33 + n as f32 / statements as f32 / 3.0);
            both(&mut conn, &mut taken, &sql, &mut figures);
            own.query_drop(&sql)
                .map_or_else(|e| assert!(e.to_string().contains("1062"), "{sql}: {e}"), |()| ());
        }
    }
    for table in &tables {
        same_rows(&mut conn, &mut taken, &table.name, "written on by MariaDB,");
        same_rows(&mut conn, &mut own, &table.name, "written on by MariaDB,");
    }
    taken.query_drop("FLUSH TABLES").expect("flush");
    drop(conn);
    ours.stop();
    myisamchk(&here, &tables, "written on by Isambard,");
    myisamchk(&there, &tables, "written on by MariaDB,");

    // (b) Written there, read and written on here.
    copy(&there, &here, &tables);
    ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    conn = ours.connect("f");
    for table in &tables {
        same_dumps(&mut conn, &mut taken, table, "written by MariaDB,", &mut figures);
    }
    write(&mut conn, &mut own, &mut tables, statements, 0.66, &mut figures);
    drop(conn);
    ours.stop();
    myisamchk(&here, &tables, "back at Isambard,");
    taken.query_drop("FLUSH TABLES").expect("flush");
    copy(&here, &there, &tables);
    ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    conn = ours.connect("f");
    for table in &tables {
        same_dumps(&mut conn, &mut taken, table, "back at Isambard,", &mut figures);
        same_rows(&mut conn, &mut own, &table.name, "back at Isambard,");
        let copy = format!("INSERT IGNORE INTO {0} SELECT * FROM own.{0}", table.name);
        let delete = format!("DELETE FROM {} WHERE rid % 3 = 0", table.name);
        for sql in [copy, delete] {
            taken.query_drop(&sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
        }
    }
    taken.query_drop("FLUSH TABLES").expect("flush");
    myisamchk(&there, &tables, "written by MariaDB once more,");
    println!("{} tables, {figures:?}", tables.len());
    drop(conn);
    ours.stop();
    let _ = std::fs::remove_dir_all(&dir);
}

/// Tables of long unique keys of many collations and types, and a MERGE table over some of them.
const LONG_UNIQUE: [(&str, &str, [&str; 4]); 16] = [
    ("BLOB", "", ["'a'", "'abc'", "''", "REPEAT('x', 3000)"]),
    ("TEXT", "latin1_swedish_ci", ["'a'", "'ABC  '", "''", "REPEAT('\u{e4}', 3000)"]),
    ("TEXT", "latin1_swedish_nopad_ci", ["'a'", "'a '", "''", "'Z'"]),
    ("TEXT", "latin1_german2_ci", ["'a'", "'\u{df}x'", "'\u{e4}'", "'o'"]),
    ("TEXT", "latin1_bin", ["'a'", "'A'", "' '", "'b c'"]),
    ("TEXT", "utf8mb3_general_ci", ["'a'", "'\u{e9}x'", "''", "'\u{65e5}\u{672c}'"]),
    ("TEXT", "utf8mb4_general_ci", ["'a'", "'\u{1f600}'", "''", "'\u{df}'"]),
    ("TEXT", "utf8mb4_bin", ["'a'", "'A'", "'\u{1f600} '", "'\u{e9}'"]),
    ("TEXT", "utf8mb4_unicode_ci", ["'a'", "'ch'", "'\u{df}'", "'\u{e9}'"]),
    ("TEXT", "utf8mb4_unicode_520_nopad_ci", ["'a'", "'a '", "'x-y'", "'\u{f1}'"]),
    ("TEXT", "ucs2_general_ci", ["'a'", "'b '", "''", "'\u{e9}'"]),
    ("TEXT", "utf16_unicode_ci", ["'a'", "'b '", "''", "'\u{1f600}'"]),
    ("TEXT", "utf32_general_ci", ["'a'", "'b '", "''", "'\u{e9}'"]),
    ("TEXT", "gbk_chinese_ci", ["'a'", "'b '", "''", "'\u{65e5}\u{672c}'"]),
    ("TEXT", "sjis_japanese_ci", ["'a'", "'b '", "''", "'\u{65e5}\u{672c}'"]),
    ("VARCHAR(1200)", "cp1250_czech_cs", ["'a'", "'ch'", "''", "'h'"]),
];

/// Numbers and times beside a BLOB in a key: definition and values.
const LONG_MIXED: (&str, &str) = (
    "t TINYINT, i INT UNSIGNED, l BIGINT, f FLOAT, d DOUBLE, n DECIMAL(20,4), y YEAR, dt DATETIME(3), da DATE, tm TIME, \
     e ENUM('x','y'), s SET('p','q'), c CHAR(5), v VARCHAR(9), bb BINARY(4), x BLOB, \
     UNIQUE u (t,i,l,f,d,n,y,dt,da,tm,e,s,c,v,bb,x), UNIQUE p (x(1500))",
    "(97,536870912,-5,1.5,2.5,-12.75,2020,'2020-03-05 01:02:03.4','2020-03-05','01:02:03','y','p,q','ab','cd ','bb','x'),\
     (-1,0,0,-1e10,1e-3,98765.4321,1997,'1999-12-31 23:59:59','2020-07-20','-00:00:01','x','','','','','y')",
);

/// Partitioned tables.
const PARTITIONED: [&str; 2] = [
    "CREATE TABLE parts (id INT NOT NULL, v VARCHAR(9), d DATE, PRIMARY KEY (id), KEY (v)) ENGINE=MyISAM PARTITION BY RANGE (id) \
     SUBPARTITION BY KEY (id) SUBPARTITIONS 2 (PARTITION `a b` VALUES LESS THAN (50) COMMENT 'x', PARTITION p1 VALUES LESS THAN MAXVALUE)",
    "CREATE TABLE numbered (id INT NOT NULL AUTO_INCREMENT, v VARCHAR(9) CHARACTER SET utf8mb4, PRIMARY KEY (id, v)) \
     ENGINE=MyISAM PARTITION BY LIST COLUMNS (v) (PARTITION few VALUES IN ('v1', 'v2', 'v\u{e4}'), PARTITION others DEFAULT)",
];

/// What was made by the other server is read and written, rows move, and all partitions are sound.
fn use_partitioned(conn: &mut Conn, what: &str) {
    let sound = |conn: &mut Conn, table: &str| {
        let rows: Vec<(String, String, String, String)> =
            conn.query(format!("CHECK TABLE {table} EXTENDED")).expect("CHECK");
        assert_eq!(rows.last().map(|r| &*r.3), Some("OK"), "{what} {table}: {rows:?}");
    };
    sound(conn, "parts");
    let ids: Vec<i32> = conn.query("SELECT id FROM parts PARTITION (`a b`) ORDER BY id").expect("ids");
    assert_eq!(ids, (1..50).collect::<Vec<i32>>(), "{what}");
    let found: Option<String> = conn.query_first("SELECT v FROM parts WHERE id=77").expect("a row");
    assert_eq!(found.as_deref(), Some("v77"), "{what}");
    match conn.query_drop("INSERT INTO parts VALUES (77, 'x', NULL)") {
        Err(mysql::Error::MySqlError(e)) if e.code == 1062 => {}
        other => panic!("{what}: {other:?}"),
    }
    conn.query_drop("UPDATE parts SET id=id+1000 WHERE id < 10").expect("rows move");
    conn.query_drop("DELETE FROM parts WHERE v IN ('v20', 'v90')").expect("DELETE");
    conn.query_drop("ALTER TABLE parts REORGANIZE PARTITION p1 INTO (PARTITION p2 VALUES LESS THAN (80), PARTITION p3 VALUES LESS THAN MAXVALUE)")
        .expect("REORGANIZE");
    let count: Option<(u64, i64, i64)> =
        conn.query_first("SELECT COUNT(*), MIN(id), MAX(id) FROM parts").expect("count");
    assert_eq!(count, Some((98, 10, 1009)), "{what}");
    sound(conn, "parts");
    conn.query_drop("INSERT INTO numbered (v) VALUES ('v\u{e4}'), ('new')").expect("numbers");
    let last: Vec<(i32, String)> =
        conn.query("SELECT id, v FROM numbered WHERE id > 100 ORDER BY id").expect("numbers");
    assert_eq!(last, [(101, "v\u{e4}".to_owned()), (102, "new".to_owned())], "{what}");
    sound(conn, "numbered");
}

fn make_long(conn: &mut Conn) {
    for (n, (ty, collation, values)) in LONG_UNIQUE.iter().enumerate() {
        let collate = if collation.is_empty() { String::new() } else { format!(" COLLATE {collation}") };
        let create = format!(
            "CREATE TABLE u{n} (id INT NOT NULL, v {ty}{collate}, KEY (id), UNIQUE (v)) ENGINE=MyISAM"
        );
        conn.query_drop(&create).unwrap_or_else(|e| panic!("{create}: {e}"));
        for (id, value) in values.iter().enumerate() {
            let insert = format!("INSERT INTO u{n} VALUES ({id}, {value}), ({id}, NULL)");
            conn.query_drop(&insert).unwrap_or_else(|e| panic!("{insert}: {e}"));
        }
    }
    let (columns, rows) = LONG_MIXED;
    conn.query_drop(format!("CREATE TABLE mixed ({columns}) ENGINE=MyISAM")).expect("mixed");
    conn.query_drop(format!("INSERT INTO mixed VALUES {rows}")).expect("rows");
    for n in 0..3 {
        conn.query_drop(format!(
            "CREATE TABLE c{n} (id INT NOT NULL, v VARCHAR(9), PRIMARY KEY (id), KEY (v)) ENGINE=MyISAM"
        ))
        .expect("child");
        conn.query_drop(format!("INSERT INTO c{n} SELECT 3*seq+{n}, CONCAT('v', seq) FROM seq_1_to_50"))
            .expect("rows");
    }
    for create in PARTITIONED {
        conn.query_drop(create).unwrap_or_else(|e| panic!("{create}: {e}"));
    }
    conn.query_drop(
        "INSERT INTO parts SELECT seq, CONCAT('v', seq), '2020-01-01' + INTERVAL seq DAY FROM seq_1_to_100",
    )
    .expect("rows");
    conn.query_drop("INSERT INTO numbered (v) SELECT v FROM parts").expect("rows");
    let merge = "CREATE TABLE m (id INT NOT NULL, v VARCHAR(9), PRIMARY KEY (id), KEY (v)) ENGINE=MERGE UNION=(c0,c1,c2) INSERT_METHOD=LAST";
    conn.query_drop(merge).expect("MERGE");
}

/// What was made by the other server: duplicates are found, keys are sound, the MERGE table is read and written.
fn use_long(conn: &mut Conn, what: &str) {
    let duplicate = |conn: &mut Conn, sql: &str| match conn.query_drop(sql) {
        Err(mysql::Error::MySqlError(e)) if e.code == 1062 => {}
        other => panic!("{what} {sql}: {other:?}"),
    };
    let sound = |conn: &mut Conn, table: &str| {
        let rows: Vec<(String, String, String, String)> =
            conn.query(format!("CHECK TABLE {table} EXTENDED")).expect("CHECK");
        assert_eq!(rows.last().map(|r| &*r.3), Some("OK"), "{what} {table}: {rows:?}");
    };
    for (n, (_, _, values)) in LONG_UNIQUE.iter().enumerate() {
        sound(conn, &format!("u{n}"));
        for value in values {
            duplicate(conn, &format!("INSERT INTO u{n} VALUES (9, {value})"));
        }
        conn.query_drop(format!("INSERT INTO u{n} VALUES (9, 'other')")).expect("another value");
        duplicate(conn, &format!("UPDATE u{n} SET v={} WHERE id=9", values[0]));
        sound(conn, &format!("u{n}"));
    }
    for row in LONG_MIXED.1.split("),(") {
        let row = row.trim_matches(['(', ')']);
        duplicate(conn, &format!("INSERT INTO mixed VALUES ({row})"));
    }
    conn.query_drop("ALTER TABLE mixed DROP KEY p, ADD UNIQUE p (x(1400))").expect("ALTER");
    sound(conn, "mixed");
    let ids: Vec<i64> = conn.query("SELECT id FROM m WHERE id > 140 ORDER BY id DESC").expect("ids");
    assert_eq!(ids, (141..=152).rev().collect::<Vec<i64>>(), "{what}");
    conn.query_drop("INSERT INTO m VALUES (1000, 'new')").expect("INSERT");
    let last: Option<i64> = conn.query_first("SELECT MAX(id) FROM c2").expect("MAX");
    assert_eq!(last, Some(1000), "{what}");
    use_partitioned(conn, what);
}

/// Long unique keys and MERGE tables: files of each server are used by the other.
#[test]
fn long_unique_keys_and_merge_tables() {
    if !oracle_present() {
        return;
    }
    let dir = scratch("long_unique");
    let datadir = dir.join("data");
    let theirs = Peer::mariadb(&["--myisam-recover-options=OFF"]);
    let mut ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    for peer in [&ours, &theirs] {
        let mut conn = peer.connect("");
        conn.query_drop("CREATE DATABASE here; CREATE DATABASE there").expect("databases");
    }
    make_long(&mut ours.connect("here"));
    make_long(&mut theirs.connect("there"));
    theirs.connect("").query_drop("FLUSH TABLES").expect("flush");
    ours.stop();
    for (from, to) in [(&datadir, &theirs.datadir), (&theirs.datadir, &datadir)] {
        let database = if from == &datadir { "here" } else { "there" };
        for file in std::fs::read_dir(from.join(database)).expect("folder") {
            let file = file.expect("file").path();
            let name = file.file_name().expect("name").to_owned();
            std::fs::copy(&file, to.join(database).join(name)).expect("copy");
        }
    }
    ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    use_long(&mut ours.connect("there"), "made by MariaDB,");
    use_long(&mut theirs.connect("here"), "made by Isambard,");
    ours.stop();
    let _ = std::fs::remove_dir_all(&dir);
}

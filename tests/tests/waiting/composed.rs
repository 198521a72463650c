//! The same with tables that consist of others: partitions that come and go, MERGE tables, views, triggers, HANDLER and RETURNING,
//! beside LOCK TABLES and FLUSH TABLES of them.

use super::stress::{Next, side_by_side};

/// What goes wrong where a table, a partition or a column is not there just now.
const EXPECTED: &[u16] = &[
    // HANDLER names that are open already or not at all
    1066, 1109, // a MERGE table over tables that are gone or differ
    1168, // views of what is not there
    1356, // no such partition, the last one, one of that name
    1507, 1508, 1517, // LOCK TABLES knows fewer tables than a statement, its triggers or functions use
    1192, 1305, 1360,
];

const CREATE: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS p0 (id INT AUTO_INCREMENT, k INT, c VARCHAR(80), KEY (id), KEY k (k)) ENGINE=MyISAM PARTITION BY \
     RANGE (k) (PARTITION a VALUES LESS THAN (500), PARTITION b VALUES LESS THAN (2000), PARTITION z VALUES LESS THAN MAXVALUE)",
    "CREATE TABLE IF NOT EXISTS p1 (id INT AUTO_INCREMENT PRIMARY KEY, k INT, c VARCHAR(80), KEY k (k)) ENGINE=MyISAM PARTITION BY \
     HASH (id) PARTITIONS 4",
    "CREATE TABLE IF NOT EXISTS t0 (id INT AUTO_INCREMENT PRIMARY KEY, k INT, c VARCHAR(80), KEY k (k)) ENGINE=MyISAM",
    "CREATE TABLE IF NOT EXISTS m0 (id INT AUTO_INCREMENT PRIMARY KEY, k INT, c VARCHAR(80), KEY k (k)) ENGINE=MyISAM",
    "CREATE TABLE IF NOT EXISTS m1 LIKE m0",
    "CREATE TABLE IF NOT EXISTS mm (id INT AUTO_INCREMENT, k INT, c VARCHAR(80), KEY (id), KEY k (k)) ENGINE=MERGE UNION=(m0, m1) \
     INSERT_METHOD=LAST",
];

/// Once.
const BESIDE: &[&str] = &[
    "CREATE TABLE log (n INT, w VARCHAR(90)) ENGINE=MyISAM",
    "CREATE FUNCTION f(x INT) RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM m0 WHERE k < x)",
    "CREATE TRIGGER tr AFTER INSERT ON p1 FOR EACH ROW INSERT INTO log VALUES (NEW.k, NEW.c)",
    "CREATE VIEW v AS SELECT a.id, b.k, a.c FROM p1 a JOIN t0 b USING (id)",
];

const TABLES: &[&str] = &["p0", "p1", "t0", "m0", "m1", "mm"];

fn one(rng: &mut fastrand::Rng) -> &'static str {
    TABLES[rng.usize(0..TABLES.len())]
}

fn rows(rng: &mut fastrand::Rng) -> Vec<String> {
    let (t, u, n) = (one(rng), one(rng), rng.u32(0..3000));
    vec![match rng.u8(0..14) {
        0 | 1 => {
            let rows: Vec<String> =
                (0..rng.u32(1..60)).map(|i| format!("({}, 'row {i}')", (n + i * 7) % 3000)).collect();
            format!("INSERT INTO {t} (k, c) VALUES {}", rows.join(", "))
        }
        2 => format!("INSERT INTO {t} (k, c) SELECT k, c FROM {u} WHERE k < {n} LIMIT 200 RETURNING id, k"),
        3 => format!("DELETE FROM {t} WHERE k BETWEEN {n} AND {} RETURNING id", n + 100),
        4 => format!("REPLACE INTO {t} (id, k, c) VALUES ({n}, {n}, 'x') RETURNING k"),
        5 => format!("UPDATE {t} SET k = (k + 700) % 3000 WHERE k BETWEEN {n} AND {}", n + 60),
        6 => format!("UPDATE v SET k = k + 1 WHERE id = {n}"),
        7 => format!("DELETE a FROM {t} a JOIN {u} b ON a.id = b.id WHERE a.k < {}", n / 10),
        8 => format!("SELECT COUNT(*), MAX(a.c) FROM {t} a JOIN {u} b USING (id) WHERE a.k < {n}"),
        9 => "SELECT * FROM information_schema.partitions WHERE table_schema = 's'".into(),
        10 => format!("SELECT f(k) FROM {t} LIMIT 3"),
        11 => format!("CHECKSUM TABLE {t}, {u}"),
        12 => "SHOW TABLE STATUS".into(),
        _ => "SELECT COUNT(*), MAX(c) FROM v".into(),
    }]
}

fn definitions(rng: &mut fastrand::Rng) -> Vec<String> {
    let n = rng.u32(1..1999);
    vec![match rng.u8(0..19) {
        0 => "ALTER TABLE p0 TRUNCATE PARTITION a".into(),
        1 => format!(
            "ALTER TABLE p0 REORGANIZE PARTITION a, b INTO (PARTITION a VALUES LESS THAN ({n}), PARTITION b VALUES LESS THAN (2000))"
        ),
        2 => "ALTER TABLE p0 DROP PARTITION b".into(),
        3 => "ALTER TABLE p0 REORGANIZE PARTITION z INTO (PARTITION b VALUES LESS THAN (2000), PARTITION z VALUES LESS THAN MAXVALUE)"
            .into(),
        4 | 5 => "ALTER TABLE p1 ADD PARTITION PARTITIONS 1".into(),
        6 | 7 => "ALTER TABLE p1 COALESCE PARTITION 1".into(),
        8 => "ALTER TABLE p1 REBUILD PARTITION ALL".into(),
        9 => "ALTER TABLE mm UNION=(m0)".into(),
        10 => "ALTER TABLE mm UNION=(m0, m1)".into(),
        11 => "RENAME TABLE m0 TO exchange, m1 TO m0, exchange TO m1".into(),
        12 => format!("REPAIR TABLE {}", one(rng)),
        13 => format!("OPTIMIZE TABLE {}", one(rng)),
        14 => format!("TRUNCATE TABLE {}", one(rng)),
        15 => format!("FLUSH TABLES {}", one(rng)),
        16 => "FLUSH TABLES".into(),
        17 => format!("DROP TABLE IF EXISTS {}", ["p0", "p1", "mm"][rng.usize(0..3)]),
        _ => CREATE[rng.usize(0..CREATE.len())].into(),
    }]
}

/// What is gone comes back.
fn creations(rng: &mut fastrand::Rng) -> Vec<String> {
    vec![CREATE[rng.usize(0..CREATE.len())].into(), "DO SLEEP(0.01)".into()]
}

fn locks(rng: &mut fastrand::Rng) -> Vec<String> {
    let lock = match rng.u8(0..7) {
        0 | 1 => "LOCK TABLES p0 READ LOCAL, p1 WRITE",
        2 => "LOCK TABLES mm WRITE",
        3 => "LOCK TABLES v READ, mm READ LOCAL",
        4 => "LOCK TABLES p1 WRITE CONCURRENT, p0 WRITE",
        5 => "FLUSH TABLES p1, mm WITH READ LOCK",
        _ => "FLUSH TABLES p0, p1 FOR EXPORT",
    };
    let mut list = vec![lock.to_owned()];
    list.extend(rows(rng));
    list.extend(rows(rng));
    list.push("UNLOCK TABLES".into());
    list
}

fn handlers(rng: &mut fastrand::Rng) -> Vec<String> {
    vec![match rng.u8(0..6) {
        0 => format!("HANDLER {} OPEN AS h", ["t0", "m0", "m1"][rng.usize(0..3)]),
        1 => format!("HANDLER h READ k >= ({}) LIMIT 20", rng.u32(0..3000)),
        2 => "HANDLER h READ k NEXT LIMIT 20".into(),
        3 => "HANDLER h READ NEXT LIMIT 3".into(),
        4 => "HANDLER h CLOSE".into(),
        _ => return rows(rng),
    }]
}

#[test]
fn tables_of_several_tables_wait_no_longer() {
    let create: Vec<String> = CREATE.iter().chain(BESIDE).map(|sql| (*sql).to_owned()).collect();
    let mut sessions: Vec<Next> = vec![rows; 5];
    sessions.extend([definitions as Next, definitions, creations, locks, locks, handlers]);
    side_by_side(&create, &sessions, EXPECTED, 20);
}
